"""What a seat has (register section 7): lives, tokens, cards in hand, the squad on paper. No rule reads this."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.clash import begin_clash, life_of
from sim.games.rookling.features import HAND_NUMBERS, ROW_LIFE
from sim.games.rookling.record import SQUAD
from sim.games.rookling.state import LEFT, MIDDLE, NOWHERE, POSITIONS, RIGHT, SEATS, number_of

SPARE = 0.5  # what the fourth card and further ones count as: three Rooklings take one each
ON_TABLE = 0.55  # share of a token's worth (see `worth`) that counts once it lies there: it may be cleared


@kernel
def slot_at(state: Record, seat: int, position: int) -> np.int64:
    """Roster slot at a position; of the same number before the first row."""
    slot = np.int64(state["at"][seat, position])
    return np.int64(position) if slot == NOWHERE else slot


@kernel
def row_now(state: Record, seat: int) -> np.int64:
    """A seat's row as it is, in the form of a resolution that is over."""
    lives = state["life"][seat]
    left, middle, right = np.int64(LEFT), np.int64(MIDDLE), np.int64(RIGHT)
    return begin_clash(
        np.int64(0),
        np.int64(lives[slot_at(state, seat, left)]),
        np.int64(lives[slot_at(state, seat, middle)]),
        np.int64(lives[slot_at(state, seat, right)]),
    )


@kernel
def row_view(row: int) -> tuple[float, float, float]:
    """Life in a row, Rooklings that have any, and most that one has."""
    life, alive, most = np.int64(0), np.int64(0), np.int64(0)
    for position in range(POSITIONS):
        here = life_of(row, np.int64(position))
        life += here
        alive += here > 0
        most = max(most, here)
    return float(life), float(alive), float(most)


@kernel
def row_features(cards: Record, mine: int, theirs: int) -> tuple[float, ...]:
    """LIFE to LOST of two rows."""
    life, alive, most = row_view(mine)
    their_life, their_alive, their_most = row_view(theirs)
    lead = (life - their_life) / ROW_LIFE
    late = 1.0 - (life + their_life) / (SEATS * SQUAD * cards["heal_cap"])
    brink = (1.0 if alive == 1 else 0.0) - (1.0 if their_alive == 1 else 0.0)
    lost = (1.0 if alive == 0 else 0.0) - (1.0 if their_alive == 0 else 0.0)
    return lead, alive - their_alive, (most - their_most) / ROW_LIFE, brink, lead * late, lost


@kernel
def held(count: int, numbers: float) -> tuple[float, float]:
    """What so many cards with so much on them count as: beyond three they count less. In units of SQUAD and HAND_NUMBERS."""
    full = float(count) if count <= SQUAD else SQUAD + SPARE * (count - SQUAD)
    return full / SQUAD, numbers * full / max(1, count) / HAND_NUMBERS


@kernel
def numbers_in(state: Record, cards: Record, seat: int) -> float:
    """Numbers on the cards of a hand, added up."""
    total = 0.0
    for card in range(np.int64(state["hand_n"][seat])):
        total += number_of(state, cards, np.int64(state["hand"][seat, card]))
    return total


@kernel
def hand_after(state: Record, cards: Record, seat: int, count: int, numbers: float) -> tuple[float, float]:
    """What a hand of so many cards will count as; the attacker's is drawn up first (E3), unless that is skipped."""
    if seat == state["attacker"] and not state["skip"][seat]:
        drawn = max(np.int64(0), np.int64(cards["hand"]) - count)
        return held(count + drawn, numbers + drawn * cards["mean_number"])
    return held(np.int64(count), numbers)
