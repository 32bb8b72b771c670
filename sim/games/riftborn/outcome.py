"""The OUTCOME record of Riftborn Tactics, and the score of a game."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.record import ABILITIES, LEVELS
from sim.games.riftborn.state import CURVE, DISTINCT, GAINS, HARMS, NOBODY, SEATS, WOUNDS, Gain, Phase

NOT_DECIDED = WOUNDS  # of `ended_by`: the game was stopped

_SEAT = (SEATS,)
_CURVE = (SEATS, CURVE)
_SLOT = (SEATS, DISTINCT)

OUTCOME = np.dtype(
    [
        # of the game
        ("player_turns", np.int16),
        ("ended_by", np.int8),  # Wound that decided the game, NOT_DECIDED
        ("drawn_game", np.uint8),  # 1: both players lost at once
        # of a seat
        ("went_first", np.uint8, _SEAT),
        ("end_life", np.int16, _SEAT),
        ("end_xp", np.int32, _SEAT),
        ("end_level", np.int8, _SEAT),
        ("own_turns", np.int16, _SEAT),  # begun
        ("level_turn", np.int16, (SEATS, LEVELS)),  # own turn in which a level was reached, 0 never
        ("gained", np.int32, (SEATS, GAINS)),  # experience by source
        ("xp_after", np.float32, _CURVE),  # experience at the end of own turn 1, 2, ...; nan beyond the last
        ("played_after", np.float32, _CURVE),  # the part from cards played and summoned
        ("killed_after", np.float32, _CURVE),  # the part from kills
        ("level_after", np.float32, _CURVE),
        ("unused_after", np.float32, _CURVE),  # levels of the budget left unused
        ("first_kill", np.uint8, _SEAT),  # 1: killed first
        ("first_kill_turn", np.int16, _SEAT),  # own turn, 0 none
        ("kills", np.int32, _SEAT),
        ("kill_share", np.float32, _SEAT),  # share of the experience that came from kills
        ("wounds", np.int32, (SEATS, WOUNDS)),  # damage taken by the player, Armour included
        ("absorbed", np.int32, _SEAT),
        ("answer_damage", np.int32, _SEAT),  # dealt
        ("opportunity_damage", np.int32, _SEAT),  # dealt
        ("deaths", np.int32, (SEATS, HARMS)),  # own creatures, by cause
        ("refills", np.int32, _SEAT),
        ("laid", np.int32, _SEAT),
        ("fired", np.int32, _SEAT),
        ("returned_cards", np.int8, _SEAT),
        ("longest_turn", np.int16, _SEAT),
        ("times", np.int32, (SEATS, ABILITIES)),
        # of a card, by its index in the deck list
        ("drawn_turn", np.int8, _SLOT),  # own turn, 0 never
        ("played_turn", np.int8, _SLOT),
        ("drawn", np.int16, _SLOT),  # copies
        ("plays", np.int16, _SLOT),
        ("card_kills", np.int16, _SLOT),
        ("card_damage", np.int16, _SLOT),
        ("stayed", np.int8, _SLOT),  # copies in hand at the end
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """RIFT-130, 131. Shares of the win: all to the winner, half each in a draw, 0 while undecided."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0
    elif state["phase"] == Phase.OVER:
        out[0], out[1] = 0.5, 0.5


@kernel
def first_of(state: Record, decided: int) -> np.int64:
    """RIFT-08. Who had the first turn, not the first mulligan."""
    return np.int64(state["first"]) if state["first"] != NOBODY else np.int64(decided)


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a finished game."""
    outcome["player_turns"] = state["turn"] if state["phase"] != Phase.OVER else state["turn"] + 1
    outcome["ended_by"] = state["ended_by"] if state["phase"] == Phase.OVER else NOT_DECIDED
    outcome["drawn_game"] = state["phase"] == Phase.OVER and state["winner"] == NOBODY
    for seat in range(SEATS):
        write_seat(state, outcome, seat)
        write_counts(state, outcome, seat)
        write_curves(state, outcome, seat)
        write_slots(state, outcome, seat)


@kernel
def write_seat(state: Record, outcome: Record, seat: int) -> None:
    """Write how a player stood at the end."""
    outcome["went_first"][seat] = state["first"] == seat
    outcome["end_life"][seat] = state["life"][seat]
    outcome["end_xp"][seat] = state["xp"][seat]
    outcome["end_level"][seat] = state["level"][seat]
    outcome["own_turns"][seat] = state["own_turns"][seat]
    outcome["first_kill"][seat] = state["first_kill"] == seat
    outcome["first_kill_turn"][seat] = state["first_kill_turn"][seat]
    outcome["kills"][seat] = state["kills"][seat]
    total = state["xp"][seat]
    outcome["kill_share"][seat] = state["gained"][seat, Gain.KILL] / total if total > 0 else np.nan


@kernel
def write_counts(state: Record, outcome: Record, seat: int) -> None:
    """Write what a player did and suffered."""
    for level in range(LEVELS):
        outcome["level_turn"][seat, level] = state["level_turn"][seat, level]
    for gain in range(GAINS):
        outcome["gained"][seat, gain] = state["gained"][seat, gain]
    for wound in range(WOUNDS):
        outcome["wounds"][seat, wound] = state["wounds"][seat, wound]
    for harm in range(HARMS):
        outcome["deaths"][seat, harm] = state["deaths"][seat, harm]
    for ability in range(ABILITIES):
        outcome["times"][seat, ability] = state["times"][seat, ability]
    outcome["absorbed"][seat] = state["absorbed"][seat]
    outcome["answer_damage"][seat] = state["answer_damage"][seat]
    outcome["opportunity_damage"][seat] = state["opportunity_damage"][seat]
    outcome["refills"][seat] = state["refills"][seat]
    outcome["laid"][seat] = state["laid"][seat]
    outcome["fired"][seat] = state["fired"][seat]
    outcome["returned_cards"][seat] = state["returned_cards"][seat]
    outcome["longest_turn"][seat] = state["longest_turn"][seat]


@kernel
def write_curves(state: Record, outcome: Record, seat: int) -> None:
    """Write a player's progress, own turn by own turn."""
    for turn in range(CURVE):
        here = state["xp_after"][seat, turn] >= 0
        outcome["xp_after"][seat, turn] = state["xp_after"][seat, turn] if here else np.nan
        outcome["played_after"][seat, turn] = state["played_after"][seat, turn] if here else np.nan
        outcome["killed_after"][seat, turn] = state["killed_after"][seat, turn] if here else np.nan
        outcome["level_after"][seat, turn] = state["level_after"][seat, turn] if here else np.nan
        outcome["unused_after"][seat, turn] = state["unused_after"][seat, turn] if here else np.nan


@kernel
def write_slots(state: Record, outcome: Record, seat: int) -> None:
    """Write what became of each card of the deck."""
    for slot in range(DISTINCT):
        outcome["drawn_turn"][seat, slot] = state["drawn_turn"][seat, slot]
        outcome["played_turn"][seat, slot] = state["played_turn"][seat, slot]
        outcome["drawn"][seat, slot] = state["drawn"][seat, slot]
        outcome["plays"][seat, slot] = state["plays"][seat, slot]
        outcome["card_kills"][seat, slot] = state["card_kills"][seat, slot]
        outcome["card_damage"][seat, slot] = state["card_damage"][seat, slot]
        outcome["stayed"][seat, slot] = state["held"][seat, slot]
