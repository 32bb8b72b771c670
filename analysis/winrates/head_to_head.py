"""Head-to-head comparison of two entrants by sequential probability ratio tests (`analysis.stats.sequential`).

Plays until one is shown to be stronger or both are shown to be within a margin of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.names import entrant_of, names_run, open_game
from analysis.data.rows import Rows, distinct
from analysis.document.cells import THIN, count, limit_words, percent, truncated_words
from analysis.document.model import Format, Table
from analysis.document.prose import capital
from analysis.stats.sequential import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    bounds,
    characteristics,
    decisions,
    fixed_pairs,
    log_ratios,
    looks,
    mean_sequence,
)
from sim.engine.cards import CardSet, game_of
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.registry import GAMES

SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs at the first look; factor from each look to the next
ROOM = 4.0  # default limit on games, as a multiple of a test of fixed size
USUAL_DEVIATION = 0.125**0.5  # of the share of a pair of two even, independent games


def find(first: str, second: str, game: Game, cards: CardSet) -> tuple[int, int]:
    """Look up the indices of two entrants. Raises ValueError for an unknown entrant, with suggestions, or the same one twice."""
    entrants = entrant_of(first, game, cards), entrant_of(second, game, cards)
    if entrants[0] == entrants[1]:
        raise ValueError(f"{first!r} and {second!r} are the same; name two different ones")
    return entrants


def without_game(
    game: str, first: str, second: str | None, old_game: str | None, cards: Path | None
) -> tuple[str, str, str]:
    """Find game and entrants for the old form `compare A B`, which names no game.

    Searches all games or, with `cards`, the game of the card file. Raises ValueError if no game or several games have both,
    and, with the new form, for arguments that are not of the old form.
    """
    form = "name the game and two of its entrants, as in: fairfight compare arena rhino_guy mirror_mage"
    if second is not None:
        raise ValueError(f"--game {old_game}: the game is now the first argument; {form}")
    if old_game is None and (game in GAMES or names_run(game)):
        found, card_set = open_game(game, cards)
        entrant_of(first, found, card_set)
        raise ValueError(f"compare {game} {first}: the second entrant is missing. {capital(form)}")
    first, second = game, first
    searched = [old_game] if old_game else [game_of(cards)] if cards else list(GAMES)
    opened = {name: open_game(name, cards) for name in searched}
    matching = [
        name
        for name, (found, card_set) in opened.items()
        if _has(first, found, card_set) and _has(second, found, card_set)
    ]
    if not matching:
        near = [
            f" (in {name}, {why.rstrip('?')})" for name in searched if (why := _mismatch(first, second, opened[name]))
        ]
        hint = near[0] if len(near) == 1 else ""
        raise ValueError(f"{first!r} and {second!r}: no game has both{hint}; {form}")
    if len(matching) > 1:
        choices = " or ".join(f"fairfight compare {name} {first} {second}" for name in matching)
        raise ValueError(f"{first!r} and {second!r} are in several games; write {choices}")
    return matching[0], first, second


def _has(word: str, game: Game, cards: CardSet) -> bool:
    try:
        entrant_of(word, game, cards)
    except ValueError:
        return False
    return True


def _mismatch(first: str, second: str, opened: tuple[Game, CardSet]) -> str:
    """Error message for the unknown word if the game has exactly one of the two; else empty."""
    if _has(first, *opened) == _has(second, *opened):
        return ""
    try:
        entrant_of(second if _has(first, *opened) else first, *opened)
    except ValueError as error:
        return str(error)
    return ""


def pairing(
    game: Game,
    cards: CardSet,
    entrants: tuple[int, int],
    policy: PolicySpec,
    games: int | None,
    seed: int,
    margin: float,
) -> Experiment:
    """Both entrants at two seats, each deal from both seats with the same dice. games: limit; None: enough for the margin."""
    most = ceil(ROOM * SEATS * fixed_pairs(margin, USUAL_DEVIATION)) if games is None else games
    return Experiment(game.name, cards, SEATS, (policy,), most, seed, line_up=entrants, paired=True)


class Duel:
    """Counts pairs of games and runs the sequential tests: a `Stopper` (see `analysis.winrates.play`).

    A game without a winner counts half for each. A pair with a truncated game (stopped at a limit) is left out.
    """

    def __init__(self, experiment: Experiment, margin: float, alpha: float = 0.05) -> None:
        self.experiment, self.margin, self.alpha = experiment, margin, alpha
        self._looks = looks(experiment.games, SEATS, FIRST_LOOK * SEATS, GROWTH)
        self._sums: list[tuple[float, ...]] = []  # per look: sum of shares minus a half, sum of their squares, pairs
        self._now = np.zeros(2)
        self._half = 0.0  # share of the first entrant in the first game of an incomplete pair; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self._looks[len(self._sums)]

    def add(self, rows: Rows) -> None:
        """Count a block of rows in order."""
        mine = rows["entrant"][:, 0] == self.experiment.line_up[0]  # type: ignore[index]
        gap = (rows["share"][:, 0].astype(np.float64) - rows["share"][:, 1]) * np.where(mine, 0.25, -0.25)
        gap[rows["status"] != Status.FINISHED] = np.nan
        self.truncated += int(np.isnan(gap).sum())
        if self.games % SEATS:
            gap = np.concatenate([[self._half], gap])
        whole = len(gap) // SEATS * SEATS
        self._half = float(gap[-1]) if len(gap) > whole else 0.0
        pairs = gap[:whole].reshape(-1, SEATS).sum(axis=1)
        pairs = pairs[np.isfinite(pairs)]
        self._now += (pairs.sum(), (pairs * pairs).sum())
        self.pairs += len(pairs)
        self.games += len(rows)

    def reached(self) -> bool:
        """Look at the results: whether a test found the stronger entrant or both tests have ended."""
        self._sums.append((*self._now.tolist(), max(1.0, float(self.pairs))))
        total, squares, pairs = (np.array(column)[None, :] for column in zip(*self._sums, strict=True))
        self.decision = str(decisions(total, squares, pairs[0], self.margin, self.alpha)["decision"].iloc[0])
        return self.decision != OPEN

    @property
    def ratios(self) -> tuple[float, float]:
        """Current log likelihood ratios: first entrant stronger by the margin against even, and the same for the second."""
        total, squares = self._now.tolist()
        up, down = log_ratios(total, squares, max(1, self.pairs), self.margin)
        return float(up), float(down)

    @property
    def deviation(self) -> float:
        """Standard deviation of the share of a pair."""
        total, squares = self._now.tolist()
        n = max(1, self.pairs)
        return float(np.sqrt(max(squares / n - (total / n) ** 2, 0.0)))

    def share(self) -> pd.Series:
        """Share of the first entrant with its confidence sequence over pairs: estimate, low, high, n (games)."""
        (total, squares), n = self._now.tolist(), max(1, self.pairs)
        if not self.pairs:
            return pd.Series({"estimate": float("nan"), "low": 0.0, "high": 1.0, "n": 0})
        wins, both = total + n / 2, squares + total + n / 4
        sums = pd.DataFrame({"y": [wins], "x": n, "yy": both, "xy": wins, "xx": n, "n": n})
        return mean_sequence(sums, max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))).iloc[0]


@dataclass(frozen=True)
class Verdict:
    """Result of a head-to-head comparison, as tables and as plain values."""

    duel: Duel
    interrupted: bool
    command: str  # that continues the run; empty once a decision has been reached

    @property
    def names(self) -> tuple[str, str]:
        """Names of both entrants."""
        experiment = self.duel.experiment
        first, second = (distinct(experiment.cards.names)[entrant] for entrant in experiment.line_up or ())
        return first, second

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        first, second = self.names
        margin = _points(self.duel.margin)
        return {
            FIRST: f"{first} is stronger than {second}.",
            SECOND: f"{second} is stronger than {first}.",
            ALIKE: f"{first} and {second} are within {margin} of each other.",
            OPEN: f"Not decided between {first} and {second}: "
            + ("the run was interrupted." if self.interrupted else "the games were used up."),
        }[self.duel.decision]

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        duel, experiment = self.duel, self.duel.experiment
        alpha = percent(duel.alpha, 0) if round(100 * duel.alpha, 6).is_integer() else percent(duel.alpha)
        margin = _points(duel.margin)
        sentences = [
            self.words,
            f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(duel.games)} games in pairs, once from each "
            f"seat with the same dice, seed {experiment.seed}, policy {experiment.policy_words}.",
            self._truncated,
            "The share is the mean over pairs; a game without a winner counts as half a win for each. Its bounds are a "
            f"confidence sequence at 95{THIN}%, valid although the run checked its results while playing.",
            f"A decision is wrong in at most {alpha} of such runs: it calls one stronger that is not, or two alike that are "
            f"{margin} or more apart. If they are closer than that, either answer is right.",
        ]
        return tuple([*sentences, f"To continue from these games: {self.command}"] if self.command else sentences)

    @property
    def _truncated(self) -> str:
        """Sentence on how many games were stopped and how many pairs remain."""
        duel = self.duel
        limit = limit_words(duel.experiment.game.limits_itself)
        if not duel.truncated:
            return truncated_words(0, duel.games, limit)
        stopped = f"{count(duel.truncated)} of {count(duel.games)} games ({percent(duel.truncated / duel.games, 2)})"
        lost = count(duel.games // SEATS - duel.pairs)
        sentence = f"{stopped} were stopped at {limit}; the {lost} pairs with such a game are left out"
        return f"{sentence}, and {count(duel.pairs)} are counted."

    def main(self) -> Table:
        """Table of both shares."""
        line = self.duel.share()
        known = (float(line["estimate"]), float(line["low"]), float(line["high"]))
        sides = (known, (1 - known[0], 1 - known[2], 1 - known[1]))
        rows = tuple(
            (name, *side, self.duel.pairs, self.duel.games, self._share_truncated)
            for name, side in zip(self.names, sides, strict=True)
        )
        columns = (self.duel.experiment.game.entrant_word, "share", "low", "high", "pairs", "games", "truncated")
        shares: dict[str, Format] = dict.fromkeys(("share", "low", "high", "truncated"), "percent")
        return Table("compare", columns, rows, "Head to head", shares)

    @property
    def _share_truncated(self) -> float:
        """Share of games that were stopped."""
        return self.duel.truncated / max(1, self.duel.games)

    def evidence(self) -> Table:
        """Table of both tests."""
        lower, upper = bounds(self.duel.alpha)
        rows = []
        for name, ratio in zip(self.names, self.duel.ratios, strict=True):
            claim = f"{name} is ahead by {_points(self.duel.margin)}"
            rows.append((claim, round(ratio, 2), round(lower, 2), round(upper, 2)))
        columns = ("claim, against even", "log likelihood ratio", "refuted at", "accepted at")
        return Table("tests", columns, tuple(rows), "Sequential probability ratio tests")

    def expected(self) -> Table:
        """Expected number of games and probability of each decision, by the true gap."""
        duel = self.duel
        by_gap = characteristics(
            np.array([0, 0.5, 1, 2]) * duel.margin, duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha
        )
        rows = tuple(
            (line["gap"], round(SEATS * line["pairs"]), line[FIRST], line[ALIKE], line[SECOND])
            for line in by_gap.to_dict("records")
        )
        fixed = SEATS * fixed_pairs(duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha)
        columns = ("true gap (points)", "games on average", "says stronger", "says alike", "says weaker")
        formats: dict[str, Format] = {columns[0]: "points", **dict.fromkeys(columns[2:], "percent")}
        caption = f"What to expect of such a test; with a fixed number of games it needs {count(fixed)}"
        return Table("expected", columns, rows, caption, formats)

    def tables(self) -> list[Table]:
        """Return all tables in reading order."""
        return [self.main(), self.evidence(), self.expected()]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        duel = self.duel
        return {
            "facts": duel.experiment.facts()
            | {"games": duel.games, "pairs": duel.pairs, "truncated": duel.truncated, "interrupted": self.interrupted},
            "decision": duel.decision,
            "words": self.words,
            "margin": duel.margin,
            "alpha": duel.alpha,
            "deviation": duel.deviation,
            "shares": self.main(),
            "tests": self.evidence(),
            "expected": self.expected(),
            "command": self.command or None,
        }


def _points(margin: float) -> str:
    """A margin in percentage points."""
    return f"{100 * margin:g}{THIN}point{'' if margin == 0.01 else 's'}"
