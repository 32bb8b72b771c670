"""Rules of Dice duel: deal, strike; and the evaluation, which compares the strikes that each side still needs."""

from math import log

import numpy as np

from sim.engine.dice import FACES, roll
from sim.engine.evaluation import chance_of
from sim.engine.jit import Record, kernel, scratch
from tests.every_game.dice_duel.score import fallen
from tests.every_game.dice_duel.state import SEATS, Draw

ROW = np.dtype([("features", np.float64, (2,))])
_HALF_STRIKE = 0.5  # that the side to strike is ahead


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the fighters; the second can have more or less health."""
    for seat in range(SEATS):
        state["fighter"][seat] = lineup[seat]
        state["health"][seat] = cards["health"][lineup[seat]]
    state["health"][1] = max(1, state["health"][1] + cards["second_health"])


@kernel
def current_player(state: Record) -> int:
    """The seats strike in turn, the first seat first."""
    return np.int64(state["striker"])


@kernel
def is_over(state: Record) -> bool:
    """Whether a fighter has fallen."""
    return fallen(state, 0) or fallen(state, 1)


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Striking is action 0, the only one."""
    out[0] = 0
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Roll and strike; the round ends with the second strike or a fall."""
    seat = np.int64(state["striker"])
    fighter, other = state["fighter"][seat], state["fighter"][1 - seat]
    loss = np.int64(0)
    for _ in range(cards["dice"][fighter]):
        face = roll(rng, seat, Draw.STRIKE, FACES)
        if face >= cards["hit_on"][fighter]:
            state["hits"][seat] += 1
            loss += lost(face, np.int64(cards["damage"][fighter]), np.int64(cards["armour"][other]))
    state["health"][1 - seat] = max(0, state["health"][1 - seat] - loss)
    state["striker"] = 1 - seat
    if seat == 1 or is_over(state):
        state["turn"] += 1


@kernel
def lost(face: int, damage: int, armour: int) -> int:
    """Health that a hitting die takes: face plus damage minus armour, at least 1."""
    return max(1, face + damage - armour)


@kernel
def strikes_needed(state: Record, cards: Record, seat: int) -> float:
    """Average strikes until the opponent falls, half a strike less for the next striker."""
    fighter, other = state["fighter"][seat], state["fighter"][1 - seat]
    loss = 0.0
    for face in range(cards["hit_on"][fighter], FACES + 1):
        loss += lost(face, np.int64(cards["damage"][fighter]), np.int64(cards["armour"][other])) / FACES
    loss *= cards["dice"][fighter]
    ahead = _HALF_STRIKE if state["striker"] == seat else 0.0
    return state["health"][1 - seat] / loss + 1.0 - ahead


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """A chance that falls with the strikes needed relative to the opponent's; the share of the win at the end."""
    if is_over(state):
        return 0.0 if fallen(state, seat) else 1.0
    row = scratch(ROW)["features"]
    features(state, cards, seat, row)
    return chance_of(row, cards["weight"][SEATS - 1])


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Log ratio of the strikes that the opponent and the seat need; 1 for the next striker, -1 for the other."""
    mine, theirs = strikes_needed(state, cards, seat), strikes_needed(state, cards, 1 - seat)
    out[0], out[1] = log(theirs / mine), 1.0 if state["striker"] == seat else -1.0


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden."""
