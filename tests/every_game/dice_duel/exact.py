"""Exact win rates of Dice duel.

The health of each fighter is an absorbing Markov chain that only the strikes on it move. So the two sides are independent
until one falls, and the first seat wins if its k-th strike fells the opponent after at most k - 1 strikes in return. Rounds
are followed up to the turn cap or until less than `_REST` of the games is left.
"""

from functools import reduce

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import FACES

_REST = 1e-15  # neglected chance of longer games


def first_seat_win(cards: CardSet) -> np.ndarray:
    """Chance that the row's fighter, going first, beats the column's, (E, E) float64; the diagonal are mirror matches."""
    wins, _ = _solved(cards)
    return wins


def matchup(cards: CardSet) -> np.ndarray:
    """Chance that the row's fighter beats the column's, averaged over both seats, (E, E)."""
    first_wins = first_seat_win(cards)
    return (first_wins + 1 - first_wins.T) / 2


def win_rates(cards: CardSet) -> np.ndarray:
    """Win rate of each fighter against all others, averaged over both seats, (E,)."""
    return _off_diagonal(matchup(cards)).mean(axis=1)


def first_seat_share(cards: CardSet) -> float:
    """Win rate of the first seat over all pairs of different fighters; fair is 0.5."""
    return float(_off_diagonal(first_seat_win(cards)).mean())


def mean_rounds(cards: CardSet) -> np.ndarray:
    """Expected number of rounds with the row's fighter on the first seat and the column's on the second, (E, E)."""
    _, rounds = _solved(cards)
    return rounds


def striker_wins(cards: CardSet, positions: np.ndarray) -> np.ndarray:
    """Chance that the next striker wins, (n,). positions: (n,) STATE, none of them over."""
    place, seat = np.arange(len(positions)), positions["striker"].astype(np.int64)
    fighter, health = (positions[field].astype(np.int64) for field in ("fighter", "health"))
    our_fighter, their_fighter = fighter[place, seat], fighter[place, 1 - seat]
    chain = _chain(cards.record[0], int(health.max()))
    stands = np.ones(chain.shape[:3])
    stands[..., 0] = 0
    wins, (ours, theirs) = np.zeros(len(place)), np.ones((2, len(place)))
    while (ours * theirs).max() > _REST:
        stands = (chain @ stands[..., None])[..., 0]
        before, theirs = theirs, stands[our_fighter, their_fighter, health[place, 1 - seat]]
        wins += (before - theirs) * ours
        ours = stands[their_fighter, our_fighter, health[place, seat]]
    return wins


def loss_chances(dice: int, hit_on: int, armour: int, damage: int) -> np.ndarray:
    """Chance that one strike takes 0, 1, ... health."""
    faces = np.arange(1, FACES + 1)
    die = np.bincount(np.where(faces >= hit_on, np.maximum(1, faces + damage - armour), 0)) / FACES
    return reduce(np.convolve, [die] * dice)


def _solved(cards: CardSet) -> tuple[np.ndarray, np.ndarray]:
    """Chance that the first seat wins, and expected number of rounds."""
    record = cards.record[0]
    health = record["health"][: record["fighters"]].astype(np.int64)
    second = np.maximum(1, health + record["second_health"])
    chain = _chain(record, int(max(health.max(), second.max())))
    everyone = np.arange(len(health))
    stands = np.ones(chain.shape[:3])  # chance to stand after the strikes so far: by striker, target, health before them
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
    """Chance of health 0..most after a strike by health before it, (striker, target, most + 1, most + 1)."""
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
    """The table without its diagonal, (E, E - 1)."""
    return table[~np.eye(len(table), dtype=bool)].reshape(len(table), -1)
