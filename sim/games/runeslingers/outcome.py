"""The OUTCOME record of Runeslingers, and who has won."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import AILMENTS
from sim.games.runeslingers.state import CURVE, DISTINCT, DRAINS, LOSSES, NOBODY, POWERS, SEATS, Cause, Phase

_SEAT = (SEATS,)
_CURVE = (SEATS, CURVE)
_CARD = (SEATS, DISTINCT)

OUTCOME = np.dtype(
    [
        # of the game
        ("turns", np.int16),  # of both players
        ("cause", np.int8),  # Cause
        ("drawn_game", np.uint8),  # 1: both players lost at once
        ("chooser_won", np.uint8),  # 1: the player who won the roll won the game
        # of a seat
        ("went_first", np.uint8, _SEAT),
        ("chose", np.uint8, _SEAT),  # 1: won the roll
        ("own_turns", np.int16, _SEAT),  # begun
        ("end_power", np.int8, _SEAT),
        ("powers_lost", np.int8, (SEATS, LOSSES)),
        ("lost_turn", np.int16, (SEATS, POWERS)),  # turn of the first, second, ... power lost, 0 never
        ("drained", np.int32, (SEATS, DRAINS)),
        ("prevented", np.int32, _SEAT),
        ("blocks", np.int32, _SEAT),
        ("prevented_a_block", np.float32, _SEAT),  # nan without a block
        ("hits", np.int32, _SEAT),
        ("hits_stopped", np.int32, _SEAT),
        ("applied", np.int32, (SEATS, AILMENTS)),  # suffered
        ("no_room", np.int32, _SEAT),
        ("concealed_most", np.int16, _SEAT),
        ("drawn_cards", np.int32, _SEAT),
        ("seared", np.int32, _SEAT),
        ("voided", np.int32, _SEAT),
        ("to_limit", np.int32, _SEAT),
        ("light_made", np.int32, _SEAT),
        ("light_wasted", np.int32, _SEAT),
        ("concs_at", np.int8, _SEAT),
        ("slung", np.int32, _SEAT),
        ("answers", np.int32, _SEAT),
        ("answered_cards", np.int32, _SEAT),
        ("foiled", np.int32, _SEAT),
        ("inherent_times", np.int32, _SEAT),
        ("ability_times", np.int32, _SEAT),
        ("spent", np.int32, _SEAT),
        ("passes", np.int32, _SEAT),
        ("boons_on_enemy", np.int32, _SEAT),
        ("power_after", np.float32, _CURVE),  # nan beyond the last own turn
        ("life_after", np.float32, _CURVE),
        ("ailments_after", np.float32, _CURVE),
        # of a card, by its index in the deck's list
        ("drawn_turn", np.int8, _CARD),  # own turn, 0 never
        ("played_turn", np.int8, _CARD),
        ("drawn", np.int16, _CARD),  # copies
        ("plays", np.int16, _CARD),
        ("stayed", np.int8, _CARD),  # copies in hand at the end
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """RUNE-20, 27. The winner gets 1; both get one half in a draw; no player gets anything before the end."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0
    elif state["phase"] == Phase.OVER:
        out[0], out[1] = 0.5, 0.5


@kernel
def first_of(state: Record, decided: int) -> np.int64:
    """RUNE-17. Seat of the first turn, which is not the seat of the first decision in set-up."""
    return np.int64(state["first"]) if state["first"] != NOBODY else np.int64(decided)


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the facts of a finished game."""
    over = state["phase"] == Phase.OVER
    outcome["turns"] = state["turn"] + 1 if over else state["turn"]
    outcome["cause"] = state["cause"] if over else np.int8(Cause.NOT_DECIDED)
    outcome["drawn_game"] = over and state["winner"] == NOBODY
    outcome["chooser_won"] = state["chooser"] != NOBODY and state["chooser"] == state["winner"]
    for seat in range(SEATS):
        write_seat(state, outcome, seat)
        write_doings(state, outcome, seat)
        write_curves(state, outcome, seat)
        write_cards(state, outcome, seat)


@kernel
def write_seat(state: Record, outcome: Record, seat: int) -> None:
    """What a player lost and suffered."""
    outcome["went_first"][seat] = state["first"] == seat
    outcome["chose"][seat] = state["chooser"] == seat
    outcome["own_turns"][seat] = state["own_turns"][seat]
    outcome["end_power"][seat] = state["power"][seat]
    for lost in range(LOSSES):
        outcome["powers_lost"][seat, lost] = state["powers_lost"][seat, lost]
    for k in range(POWERS):
        outcome["lost_turn"][seat, k] = state["lost_turn"][seat, k]
    for kind in range(DRAINS):
        outcome["drained"][seat, kind] = state["drained"][seat, kind]
    for kind in range(AILMENTS):
        outcome["applied"][seat, kind] = state["applied"][seat, kind]
    outcome["no_room"][seat] = state["no_room"][seat]
    outcome["concealed_most"][seat] = state["concealed_most"][seat]
    outcome["prevented"][seat] = state["prevented"][seat]
    blocks = state["blocks"][seat]
    outcome["blocks"][seat] = blocks
    outcome["prevented_a_block"][seat] = state["prevented"][seat] / blocks if blocks > 0 else np.nan


@kernel
def write_doings(state: Record, outcome: Record, seat: int) -> None:
    """What a player did."""
    outcome["hits"][seat] = state["hits"][seat]
    outcome["hits_stopped"][seat] = state["hits_stopped"][seat]
    outcome["drawn_cards"][seat] = state["drawn_cards"][seat]
    outcome["seared"][seat] = state["seared"][seat]
    outcome["voided"][seat] = state["voided"][seat]
    outcome["to_limit"][seat] = state["to_limit"][seat]
    outcome["light_made"][seat] = state["light_made"][seat]
    outcome["light_wasted"][seat] = state["light_wasted"][seat]
    outcome["concs_at"][seat] = state["concs_at"][seat]
    outcome["slung"][seat] = state["slung"][seat]
    outcome["answers"][seat] = state["answers"][seat]
    outcome["answered_cards"][seat] = state["answered_cards"][seat]
    outcome["foiled"][seat] = state["foiled"][seat]
    outcome["inherent_times"][seat] = state["inherent_times"][seat]
    outcome["ability_times"][seat] = state["ability_times"][seat]
    outcome["spent"][seat] = state["spent"][seat]
    outcome["passes"][seat] = state["passes"][seat]
    outcome["boons_on_enemy"][seat] = state["boons_on_enemy"][seat]


@kernel
def write_curves(state: Record, outcome: Record, seat: int) -> None:
    """Write how a player stood at the end of each of its turns."""
    for turn in range(CURVE):
        here = state["power_after"][seat, turn] >= 0
        outcome["power_after"][seat, turn] = state["power_after"][seat, turn] if here else np.nan
        outcome["life_after"][seat, turn] = state["life_after"][seat, turn] if here else np.nan
        outcome["ailments_after"][seat, turn] = state["ailments_after"][seat, turn] if here else np.nan


@kernel
def write_cards(state: Record, outcome: Record, seat: int) -> None:
    """Write what happened to each card of the deck."""
    for slot in range(DISTINCT):
        outcome["drawn_turn"][seat, slot] = state["drawn_turn"][seat, slot]
        outcome["played_turn"][seat, slot] = state["played_turn"][seat, slot]
        outcome["drawn"][seat, slot] = state["drawn"][seat, slot]
        outcome["plays"][seat, slot] = state["plays"][seat, slot]
        outcome["stayed"][seat, slot] = 0
    for at in range(np.int64(state["hand_n"][seat])):
        outcome["stayed"][seat, state["slot_of"][state["hand"][seat, at]]] += 1
