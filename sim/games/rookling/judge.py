"""How good a position looks (register section 7): what the weights make of it."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.judgement import chance_of
from sim.games.rookling.clash import begin_clash
from sim.games.rookling.features import JUDGED, SQUADS, Feature
from sim.games.rookling.footing import row_features, squad_features, token_worth
from sim.games.rookling.prospect import doom, foreseen, is_resting
from sim.games.rookling.state import Phase

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
