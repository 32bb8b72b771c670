"""Two entrants against each other, played until one is shown to be stronger or both to be within a margin: see `sprt`."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.frames import distinct
from analysis.naming import entrant_of, open_game
from analysis.report.model import Format, Table
from analysis.rows import Rows
from analysis.sequential import looks, mean_sequence
from analysis.sprt import ALIKE, FIRST, OPEN, SECOND, bounds, characteristics, decisions, fixed_pairs, log_ratios
from analysis.wording import THIN, count, limit_words, percent, truncated_words
from sim.engine.cards import CardSet, game_of
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.registry import GAMES

SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs; how many times as many at each further look
ROOM = 4.0  # times the games of a test of fixed size may be played
USUAL_DEVIATION = 0.125**0.5  # of the share of a pair of two even games with dice of their own


def find(first: str, second: str, game: str | None, cards: Path | None) -> tuple[Game, CardSet, tuple[int, int]]:
    """The game and card set in which both are entrants, and their numbers.

    game: its name, or a run folder; None looks in all games, with `cards` in that of the card file. Raises ValueError where none
    or several games have both, and for the same entrant twice.
    """
    if game is None and cards is not None:
        game = game_of(cards)
    opened = [open_game(name, cards) for name in ([game] if game else GAMES)]
    found = [(known, card_set, two) for known, card_set in opened if (two := _both(first, second, known, card_set))]
    if not found and game:
        entrant_of(first, *opened[0])
        entrant_of(second, *opened[0])
    if not found:
        raise ValueError(f"{first!r} and {second!r}: no game has both; `fairfight cards GAME` lists who is in a game")
    if len(found) > 1:
        choices = ", ".join(f"--game {one.name}" for one, _, _ in found)
        raise ValueError(f"{first!r} and {second!r}: are in several games; name one of {choices}")
    if found[0][2][0] == found[0][2][1]:
        raise ValueError(f"{first!r} and {second!r}: are the same; name two that differ")
    return found[0]


def _both(first: str, second: str, game: Game, cards: CardSet) -> tuple[int, int] | None:
    """Numbers of the two; None where the game has not both."""
    try:
        return entrant_of(first, game, cards), entrant_of(second, game, cards)
    except ValueError:
        return None


def pairing(
    game: Game, cards: CardSet, two: tuple[int, int], policy: PolicySpec, games: int | None, seed: int, margin: float
) -> Experiment:
    """The two at two seats, every deal from both seats with the same dice; games: the most, by default enough for the margin."""
    most = ceil(ROOM * SEATS * fixed_pairs(margin, USUAL_DEVIATION)) if games is None else games
    return Experiment(game.name, cards, SEATS, (policy,), most, seed, line_up=two, paired=True)


class Duel:
    """Counts pairs of games and decides as `sprt` has it: a `playing.Stopper`.

    A game that ends without a winner counts half for each. A pair with a truncated game (stopped at a limit) is left out.
    """

    def __init__(self, experiment: Experiment, margin: float, alpha: float = 0.05) -> None:
        self.experiment, self.margin, self.alpha = experiment, margin, alpha
        self._looks = looks(experiment.games, SEATS, FIRST_LOOK * SEATS, GROWTH)
        self._sums: list[tuple[float, ...]] = []  # at each look: total and squares of shares less a half, pairs
        self._now = np.zeros(2)
        self._half = 0.0  # share of the first in the first game of a pair that is not over; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Games after which to look next."""
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
        """Look: whether both tests have ended, or one that names the stronger."""
        self._sums.append((*self._now.tolist(), max(1.0, float(self.pairs))))
        total, squares, pairs = (np.array(column)[None, :] for column in zip(*self._sums, strict=True))
        self.decision = str(decisions(total, squares, pairs[0], self.margin, self.alpha)["decision"].iloc[0])
        return self.decision != OPEN

    @property
    def ratios(self) -> tuple[float, float]:
        """Log likelihood ratios now: of the first being stronger by the margin against even, and of the second."""
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
        """Share of the first with the bounds of its confidence sequence over pairs: estimate, low, high, n (games)."""
        (total, squares), n = self._now.tolist(), max(1, self.pairs)
        if not self.pairs:
            return pd.Series({"estimate": float("nan"), "low": 0.0, "high": 1.0, "n": 0})
        wins, both = total + n / 2, squares + total + n / 4
        sums = pd.DataFrame({"y": [wins], "x": n, "yy": both, "xy": wins, "xx": n, "n": n})
        return mean_sequence(sums, max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))).iloc[0]


@dataclass(frozen=True)
class Verdict:
    """What the pairs say of two entrants, as tables and as plain values."""

    duel: Duel
    interrupted: bool
    command: str  # that goes on; empty where a decision has been reached

    @property
    def names(self) -> tuple[str, str]:
        """Names of the two."""
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
        """How to read the tables."""
        duel, experiment = self.duel, self.duel.experiment
        alpha = percent(duel.alpha, 0) if round(100 * duel.alpha, 6).is_integer() else percent(duel.alpha)
        margin = _points(duel.margin)
        said = [
            self.words,
            f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(duel.games)} games in pairs, once from each "
            f"seat with the same dice, seed {experiment.seed}, policy {experiment.policy_words}.",
            self._truncated,
            "The share is that of the pairs, a game that nobody won being half a win for each; its bounds are a confidence "
            f"sequence at 95{THIN}%, right although the run looked at itself.",
            f"A decision is wrong in at most {alpha} of such runs: calling one stronger that is not, or calling two alike that "
            f"are {margin} or more apart. Apart by less, both answers are right.",
        ]
        return tuple([*said, f"To go on from these games: {self.command}"] if self.command else said)

    @property
    def _truncated(self) -> str:
        """How many games were stopped, and how many pairs that leaves."""
        duel = self.duel
        limit = limit_words(duel.experiment.game.limits_itself)
        if not duel.truncated:
            return truncated_words(0, duel.games, limit)
        stopped = f"{count(duel.truncated)} of {count(duel.games)} games ({percent(duel.truncated / duel.games, 2)})"
        lost = count(duel.games // SEATS - duel.pairs)
        said = f"{stopped} were stopped at {limit}; the {lost} pairs with such a game are left out"
        return f"{said}, {count(duel.pairs)} are counted."

    def main(self) -> Table:
        """The shares of the two."""
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
        """Share of the games that were stopped."""
        return self.duel.truncated / max(1, self.duel.games)

    def evidence(self) -> Table:
        """The two tests."""
        lower, upper = bounds(self.duel.alpha)
        rows = []
        for name, ratio in zip(self.names, self.duel.ratios, strict=True):
            claim = f"{name} is ahead by {_points(self.duel.margin)}"
            rows.append((claim, round(ratio, 2), round(lower, 2), round(upper, 2)))
        columns = ("claim, against even", "log likelihood ratio", "refuted at", "accepted at")
        return Table("tests", columns, tuple(rows), "Sequential probability ratio tests")

    def expected(self) -> Table:
        """Games that such a comparison takes, and what it says, by the true gap."""
        duel = self.duel
        found = characteristics(
            np.array([0, 0.5, 1, 2]) * duel.margin, duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha
        )
        rows = tuple(
            (line["gap"], round(SEATS * line["pairs"]), line[FIRST], line[ALIKE], line[SECOND])
            for line in found.to_dict("records")
        )
        fixed = SEATS * fixed_pairs(duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha)
        columns = ("true gap (points)", "games on average", "says stronger", "says alike", "says weaker")
        formats: dict[str, Format] = {columns[0]: "points", **dict.fromkeys(columns[2:], "percent")}
        caption = f"What to expect of it; a test with a fixed number of games needs {count(fixed)}"
        return Table("expected", columns, rows, caption, formats)

    def tables(self) -> list[Table]:
        """All tables in the order in which one reads them."""
        return [self.main(), self.evidence(), self.expected()]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
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
