"""What a copy of a card is worth in decks made in several ways, and how far the ways agree about the order of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit

from analysis.agreement import Known, agreement
from analysis.estimates import LEVEL, adjust
from analysis.frames import distinct
from analysis.meetings import Meetings, Worth, regress
from sim.engine.decks import Decks

Floats = NDArray[np.float64]

EVEN = 0.5
LEAST_HELD = 10  # decks that hold another number of copies than most do: fewer say too little about a card


@dataclass(frozen=True, eq=False)
class Way:
    """Decks made in one way, and what their games against each other say. title: what they are called, without their number.

    n: by deck, its games. worth: see `meetings.regress`.
    """

    title: str
    decks: Decks
    n: Floats
    worth: Worth

    @classmethod
    def of(cls, title: str, decks: Decks, meetings: Meetings, level: float = LEVEL) -> Way:
        """Raises ValueError for too few decks, see `regress`."""
        n, _ = meetings.by_deck()
        return cls(title, decks, n, regress(meetings, decks.counts, level))

    @property
    def told(self) -> NDArray[np.bool_]:
        """By card: whether its copies differ among enough decks."""
        counts = self.decks.counts[self.n > 0]
        usual = np.array([np.bincount(of).max(initial=0) for of in counts.T.astype(np.int64)])
        return np.asarray((len(counts) - usual >= LEAST_HELD) & np.isfinite(self.worth.effect), np.bool_)

    def known(self, cards: NDArray[np.int64]) -> Known:
        """The worth of some cards instead of an average one of them, in logits."""
        return Known.of(self.worth.effect[cards], self.worth.covariance[np.ix_(cards, cards)])


def shared_cards(ways: Sequence[Way]) -> NDArray[np.int64]:
    """Numbers of the cards whose worth all ways tell."""
    return np.flatnonzero(np.all([way.told for way in ways], axis=0))


def way_worths(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One line per way and shared card, in the order of ways and cards.

    Columns: way, card (number), card_name, estimate, low, high (points of the win rate that a copy adds at an even match, instead
    of an average one of the shared cards), decks (that hold the card), n (their games).
    """
    cards, parts = shared_cards(ways), []
    for way in ways:
        known = way.known(cards)
        half = stats.t.ppf((1 + level) / 2, way.worth.df) * _errors(known)
        holds = (way.decks.counts[:, cards] > 0) & (way.n > 0)[:, None]
        table: dict[str, Any] = {"way": way.title, "card": cards, "card_name": _names(way, cards)}
        for word, value in (("estimate", known.value), ("low", known.value - half), ("high", known.value + half)):
            table[word] = expit(value) - EVEN
        parts.append(pd.DataFrame(table | {"decks": holds.sum(axis=0), "n": (way.n @ holds).astype(np.int64)}))
    return pd.concat(parts, ignore_index=True)


def way_differences(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One line per pair of ways and shared card: what a copy is worth in the second way less what it is worth in the first.

    Columns: first, second (ways), card, card_name, change, low, high (points of the win rate at an even match; Welch's t, as
    the decks of two ways are different ones), p, p_holm (over all lines).
    """
    cards, parts = shared_cards(ways), []
    for first, second in combinations(ways, 2):
        before, after = first.known(cards), second.known(cards)
        change = after.value - before.value
        square = _errors(before) ** 2, _errors(after) ** 2
        df = sum(square) ** 2 / (square[0] ** 2 / first.worth.df + square[1] ** 2 / second.worth.df)
        error = np.sqrt(sum(square))
        half = stats.t.ppf((1 + level) / 2, df) * error
        table: dict[str, Any] = {"first": first.title, "second": second.title, "card": cards}
        table["card_name"] = _names(first, cards)
        for word, value in (("change", change), ("low", change - half), ("high", change + half)):
            table[word] = expit(value) - EVEN
        parts.append(pd.DataFrame(table | {"p": 2 * stats.t.sf(np.abs(change) / error, df)}))
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(p_holm=adjust(frame["p"]))


def way_agreement(ways: Sequence[Way], seed: int) -> pd.DataFrame:
    """One line per pair of ways: first, second, seen, tau, low, high, things (cards); see `agreement.agreement`."""
    cards = shared_cards(ways)
    lines = []
    for first, second in combinations(ways, 2):
        found = agreement(first.known(cards), second.known(cards), seed)
        lines.append({"first": first.title, "second": second.title, **vars(found)})
    return pd.DataFrame(lines)


def _errors(known: Known) -> Floats:
    """Standard errors."""
    return np.asarray(np.sqrt(np.diag(known.covariance).clip(min=0)), np.float64)


def _names(way: Way, cards: NDArray[np.int64]) -> NDArray[np.object_]:
    return np.array(distinct(way.decks.names), object)[cards]
