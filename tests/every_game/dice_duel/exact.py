"""Win rates of Dice duel, worked out: what every estimate of them must come near.

The health of whoever is struck is an absorbing Markov chain that nothing but the strikes on it moves. So the two sides are
independent until one falls, and the first seat wins if its k-th strike fells the other after at most k - 1 strikes in return.
Rounds are followed until less than `_REST` of the games is left, or to the turn cap.
"""

from functools import reduce

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import FACES

_REST = 1e-15  # chance of longer games that is neglected


def first_seat_win(cards: CardSet) -> np.ndarray:
    """Chance that the row's fighter, who goes first, beats the column's, (E, E) float64; the diagonal against its like."""
    found, _ = _solved(cards)
    return found


def matchup(cards: CardSet) -> np.ndarray:
    """Chance that the row's fighter beats the column's, on either seat equally often, (E, E)."""
    first = first_seat_win(cards)
    return (first + 1 - first.T) / 2


def win_rates(cards: CardSet) -> np.ndarray:
    """Win rate of each fighter over all others, on either seat equally often, (E,)."""
    return _off_diagonal(matchup(cards)).mean(axis=1)


def first_seat_share(cards: CardSet) -> float:
    """Win rate of the first seat over all pairs of different fighters; fair is 0.5."""
    return float(_off_diagonal(first_seat_win(cards)).mean())


def mean_rounds(cards: CardSet) -> np.ndarray:
    """Expected number of rounds by the row's fighter on the first seat and the column's on the second, (E, E)."""
    _, rounds = _solved(cards)
    return rounds


def striker_wins(cards: CardSet, positions: np.ndarray) -> np.ndarray:
    """Chance that whoever strikes next wins, (n,). positions: (n,) STATE, none of them over."""
    place, seat = np.arange(len(positions)), positions["striker"].astype(np.int64)
    fighter, health = (positions[field].astype(np.int64) for field in ("fighter", "health"))
    mine, other = fighter[place, seat], fighter[place, 1 - seat]
    chain = _chain(cards.record[0], int(health.max()))
    stands = np.ones(chain.shape[:3])
    stands[..., 0] = 0
    wins, (own, theirs) = np.zeros(len(place)), np.ones((2, len(place)))
    while (own * theirs).max() > _REST:
        stands = (chain @ stands[..., None])[..., 0]
        before, theirs = theirs, stands[mine, other, health[place, 1 - seat]]
        wins += (before - theirs) * own
        own = stands[other, mine, health[place, seat]]
    return wins


def loss_chances(dice: int, hit_on: int, armour: int, damage: int) -> np.ndarray:
    """Chance that one strike takes 0, 1, ... health."""
    faces = np.arange(1, FACES + 1)
    one = np.bincount(np.where(faces >= hit_on, np.maximum(1, faces + damage - armour), 0)) / FACES
    return reduce(np.convolve, [one] * dice)


def _solved(cards: CardSet) -> tuple[np.ndarray, np.ndarray]:
    """Chance that the first seat wins, and expected rounds."""
    record = cards.record[0]
    health = record["health"][: record["fighters"]].astype(np.int64)
    second = np.maximum(1, health + record["second_health"])
    chain = _chain(record, int(max(health.max(), second.max())))
    everyone = np.arange(len(health))
    stands = np.ones(
        chain.shape[:3]
    )  # chance to stand after the strikes so far: by striker, struck, health before them
    stands[..., 0] = 0
    wins, rounds = np.zeros((2, *stands.shape[:2]))
    first_stands, second_stands = np.ones((2, *stands.shape[:2]))  # by first seat's fighter, second seat's
    for _ in range(record["turn_cap"]):
        rounds += first_stands * second_stands
        stands = (chain @ stands[..., None])[..., 0]
        second_before, second_stands = second_stands, stands[:, everyone, second]
        wins += (second_before - second_stands) * first_stands
        first_stands = stands[:, everyone, health].T
        if (first_stands * second_stands).max() < _REST:
            break
    return wins, rounds


def _chain(record: np.void, most: int) -> np.ndarray:
    """Chance of health 0..most after a strike by health before it, (striker, struck, most + 1, most + 1)."""
    fighters = range(record["fighters"])
    chain = np.zeros((len(fighters), len(fighters), most + 1, most + 1))
    before = np.arange(most + 1)
    for striker in fighters:
        numbers = [int(record[field][striker]) for field in ("dice", "hit_on")]
        for armour in np.unique(record["armour"][: len(fighters)]):
            struck = np.flatnonzero(record["armour"][: len(fighters)] == armour)
            for loss, chance in enumerate(loss_chances(*numbers, int(armour), int(record["damage"][striker]))):
                chain[striker, struck[:, None], before, np.maximum(before - loss, 0)] += chance
    return chain


def _off_diagonal(table: np.ndarray) -> np.ndarray:
    """The values against others, (E, E - 1)."""
    return table[~np.eye(len(table), dtype=bool)].reshape(len(table), -1)
