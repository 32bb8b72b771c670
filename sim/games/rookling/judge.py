"""How good a position looks (register section 7): what the weights make of it."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.rookling.clash import begin_clash, life_of
from sim.games.rookling.features import POINTS, SQUAD_WORTH, SQUADS
from sim.games.rookling.footing import ON_TABLE, row_features, slot_at
from sim.games.rookling.prospect import doom, foreseen, is_resting
from sim.games.rookling.record import JUDGED, SQUAD, Feature
from sim.games.rookling.state import NOWHERE, POSITIONS, SLOTS, Phase
from sim.games.rookling.tokens import kind_of

KILL = Feature.KILL - Feature.OWN_TO_ATTACK  # its place in what is foreseen
UNPLAYED = (0.0,) * SQUADS  # all but the squads on paper, while these are drafted


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1; 0 or 1 at the end."""
    if state["phase"] == Phase.OVER:
        return 1.0 if state["winner"] == seat else 0.0
    return chance_of(features(state, cards, seat), cards["weight"][JUDGED])


@kernel
def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What a seat knows of a position, in the order of `Feature`."""
    if state["phase"] == Phase.DRAFT:
        row = begin_clash(np.int64(0), np.int64(1), np.int64(1), np.int64(1))
        return (*UNPLAYED, *squad_features(state, cards, seat, row, row))
    rows, rest = foreseen(state, cards, seat)
    mine, theirs = rows
    tokens = token_worth(state, cards, seat) - token_worth(state, cards, np.int64(1 - seat))
    doomed = doom(state, cards, seat, theirs if seat == state["attacker"] else mine, rest[KILL])
    squads = squad_features(state, cards, seat, mine, theirs)
    return (*stage_marks(state, seat), *row_features(cards, mine, theirs), doomed, tokens, *rest, *squads)


@kernel
def stage_marks(state: Record, seat: int) -> tuple[float, ...]:
    """ATTACK_OPENS to DEFENCE_HOLDS: where the exchange is, for the attacker and for the defender."""
    attack, defence = (1.0, 0.0) if seat == state["attacker"] else (0.0, 1.0)
    if is_resting(state):
        return attack, defence, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if state["phase"] >= Phase.NEXT:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, attack, defence
    if state["defending"]:
        return 0.0, 0.0, 0.0, 0.0, attack, defence, 0.0, 0.0
    return 0.0, 0.0, attack, defence, 0.0, 0.0, 0.0, 0.0


@kernel
def token_worth(state: Record, cards: Record, seat: int) -> float:
    """Worth of the tokens under a seat's Rooklings, active and pending, and of the fixed ones in its zones."""
    worth = 0.0
    for slot in range(SQUAD):
        if state["bears"][seat, slot] | state["pending"][seat, slot]:
            for kind in range(np.int64(cards["tokens"])):
                copies = state["tok"][seat, slot, kind] + state["tok_new"][seat, slot, kind]
                worth += copies * cards["token_worth"][kind]
            for effect_slot in range(SLOTS):
                if state["fe_tok"][seat, slot, effect_slot] > 0:
                    kind = kind_of(state, cards, np.int64(effect_slot))
                    worth += state["fe_tok"][seat, slot, effect_slot] * cards["token_worth"][kind]
    for effect_slot in range(SLOTS):
        if state["fixed"][effect_slot] != NOWHERE and state["fixed"][effect_slot] // POSITIONS == seat:
            worth += cards["token_worth"][kind_of(state, cards, np.int64(effect_slot))]
    return ON_TABLE * worth


@kernel
def squad_view(state: Record, cards: Record, seat: int, row: int) -> tuple[float, float, float]:
    """Attack, harm and worth of a squad on paper, with the sides of its cards that are up in a row.

    A Rookling that is still to be drafted counts as the mean of all.
    """
    reach, harm, worth = 0.0, 0.0, 0.0
    for position in range(POSITIONS):
        rook = np.int64(state["rook"][seat, slot_at(state, seat, np.int64(position))])  # NOBODY: the last row, the mean
        side = np.int64(life_of(row, np.int64(position)) == 0)
        reach += cards["reach"][rook, side]
        harm += cards["harm"][rook, side]
        worth += cards["worth"][rook]
    return reach, harm, worth


@kernel
def squad_features(state: Record, cards: Record, seat: int, mine: int, theirs: int) -> tuple[float, float, float]:
    """REACH to STRENGTH."""
    reach, harm, worth = squad_view(state, cards, seat, mine)
    their_reach, their_harm, their_worth = squad_view(state, cards, np.int64(1 - seat), theirs)
    return (reach - their_reach) / POINTS, harm - their_harm, (worth - their_worth) / SQUAD_WORTH
