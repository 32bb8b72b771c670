"""Exact distributions of dice, compared with simulations.

Dice expressions such as "5d6>=4 - 3d6>=4":

    4d6            sum of four six-sided dice            4d6kh3, 4d6kl3   sum of the three highest, lowest
    5d6>=4         number of dice that show 4 or more    5d6<=2, 5d6==6   likewise
    2*1d6 + 3      multiples, + and -, whole numbers     max(a, b), min(a, b), (a)
    a floor 0      a, but at least 0; binds last         the same as max(0, a)

Every pool is a separate roll. The parser never runs text as code, and limits its size so that an expression takes at most a few
seconds and little memory.

`of_expression` and `of_game` compare an expression, or a roll of a game, with dice rolled by its compiled rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import interrupts
from analysis.dice.language import DiceError, Term, dice_in, exact, hits, read, roll
from analysis.document.model import Table, count, decimal
from analysis.stats.distribution import Agreement, Distribution, compare
from sim.engine.cardfiles.paths import did_you_mean, slug
from sim.stopping import asked

__all__ = ["Agreement", "DiceError", "Distribution", "Expression", "compare", "hits", "parse", "simulate"]

ROLLED_MAX = 2_000_000_000  # dice of one simulation, about half a minute
BLOCK_DICE = 2_000_000  # dice rolled at once: bounds the memory of a simulation


@dataclass(frozen=True)
class Expression:
    """A parsed dice expression."""

    text: str
    term: Term

    @property
    def dice(self) -> int:
        """Number of dice rolled for one result."""
        return dice_in(self.term)

    @cached_property
    def distribution(self) -> Distribution:
        """Exact distribution of the result."""
        return exact(self.term)


def parse(text: str) -> Expression:
    """Parse a dice expression. Raises DiceError at the first part that is invalid or too large."""
    return Expression(text.strip(), read(text))


def simulate(expression: Expression, n: int, seed: int) -> dict[int, int]:
    """Roll the expression n times (1 or more) and count the results by value; the same seed gives the same counts.

    Raises ValueError if n or seed is out of range or more than ROLLED_MAX dice would be rolled.
    """
    dice = max(1, expression.dice)
    if n < 1 or n * dice > ROLLED_MAX:
        raise ValueError(f"n={n} must be in 1..{ROLLED_MAX // dice} for an expression of {expression.dice} dice")
    if seed < 0:
        raise ValueError(f"seed={seed} must be at least 0")
    rng = np.random.Generator(np.random.Philox(seed))
    counts: dict[int, int] = {}
    block = max(1, BLOCK_DICE // dice)
    for start in range(0, n, block):
        values, times = np.unique(roll(expression.term, rng, min(block, n - start)), return_counts=True)
        for value, often in zip(values.tolist(), times.tolist(), strict=True):
            counts[value] = counts.get(value, 0) + often
    return dict(sorted(counts.items()))


if TYPE_CHECKING:  # dice expressions need no game, and most commands draw no chart
    from matplotlib.figure import Figure

    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.exact import Roll

ROLLS_MAX = 1_000_000
SUSPECT = 0.05  # below this, a p-value is explained


@dataclass(frozen=True)
class Rolled:
    """An exact distribution, and counts of the values that were rolled."""

    name: str
    versus: str  # what the roll is made against; "" for an expression
    expression: str
    exact: Distribution
    counts: dict[int, int]
    agreement: Agreement

    @property
    def title(self) -> str:
        """Title of the roll."""
        return f"{self.name} against {self.versus}" if self.versus else self.name

    @property
    def n(self) -> int:
        """Rolls simulated."""
        return sum(self.counts.values())

    def as_json(self) -> dict[str, Any]:
        """Return the distribution, its summary and the simulation as plain values."""
        return {
            "title": self.title,
            "expression": self.expression,
            "mean": self.exact.mean,
            "sd": self.exact.sd,
            "values": [
                {"value": value, "probability": chance, "at_least": self.exact.at_least(value), "simulated": share}
                for value, chance, share in self.lines()
            ],
            "rolls": self.n,
            "z": self.agreement.z,
            "chi2": self.agreement.chi2,
            "dof": self.agreement.dof,
            "p": self.agreement.p_value,
        }

    def lines(self) -> list[tuple[int, float, float]]:
        """Return exact chance and simulated share of every value."""
        values, chances = self.exact.values.tolist(), self.exact.probabilities.tolist()
        return [(value, chance, self.counts.get(value, 0) / self.n) for value, chance in zip(values, chances, strict=True)]

    def table(self) -> Table:
        """Return one row per value, with mean and agreement in the caption."""
        rows = tuple((value, chance, self.exact.at_least(value), share) for value, chance, share in self.lines())
        test = self.agreement
        caption = f"{self.title}: mean {decimal(self.exact.mean, 4)}, sd {decimal(self.exact.sd, 4)}; {count(self.n)} rolls: "
        caption += f"z = {decimal(test.z, 2, signed=True)}"
        if test.dof > 0:
            caption += f", chi-square {test.chi2:.2f} (dof {test.dof}), p = {test.p_value:.3f}"
            caption += "; p is below 0.01 by chance in one of a hundred runs" if test.p_value < SUSPECT else ""
        columns = ("value", "exact", "at least", "simulated")
        return Table("dice", columns, rows, caption, dict.fromkeys(columns[1:], "percent"))


def check_rolls(rolls: int) -> None:
    """Raise ValueError outside 1..ROLLS_MAX."""
    if not 1 <= rolls <= ROLLS_MAX:
        raise ValueError(f"rolls={rolls} must be 1..{ROLLS_MAX}")


def of_expression(text: str, rolls: int, seed: int) -> Rolled:
    """Solve and roll an expression. Raises DiceError (a ValueError) that shows where it is invalid."""
    expression = parse(text)
    return _rolled((text, ""), text, expression.distribution, simulate(expression, rolls, seed))


def of_game(roll: Roll, rolls: int, seed: int) -> Rolled:
    """Solve a roll of a game and roll it by the game's compiled rules."""
    values, counts = np.unique(roll.sample(rolls, seed), return_counts=True)
    exact = parse(roll.expression).distribution
    return _rolled((roll.name, roll.versus), roll.expression, exact, dict(zip(values, counts, strict=True)))


def of_games(chosen: Sequence[Roll], rolls: int, seed: int) -> list[Rolled]:
    """Solve and roll several rolls of a game. KeyboardInterrupt returns the finished ones, or is raised if there are none."""
    results: list[Rolled] = []
    try:
        with interrupts.shown_so_far():
            for roll in chosen:
                if asked.is_set():
                    raise KeyboardInterrupt
                results.append(of_game(roll, rolls, seed))
    except KeyboardInterrupt:
        if not results:
            raise
    return results


def _rolled(words: tuple[str, str], expression: str, exact: Distribution, counts: Any) -> Rolled:
    """Combine the exact and the simulated results."""
    plain = {int(value): int(count) for value, count in dict(counts).items()}
    return Rolled(*words, expression, exact, plain, compare(exact, plain))


def choose(game: Game, cards: CardSet, entrant: str | None, part: str | None, against: int | None) -> list[Roll]:
    """Return the rolls of a game that match the options. Raises ValueError that lists the valid values."""
    if game.rolls is None:
        duels = f"; for the odds of its duels use: fairfight duel {game.name}" if game.duels else ""
        raise ValueError(f"game={game.name!r} has no rolls with known odds{duels}")
    rolls = game.rolls(cards)
    for name, wanted in (("entrant", entrant), ("part", part), ("against", against)):
        if wanted is None:
            continue
        known = list(dict.fromkeys(getattr(roll, name) for roll in rolls))
        meant = slug(wanted) if isinstance(wanted, str) else wanted  # accept "Rhino Guy" for rhino_guy
        rolls = [roll for roll in rolls if getattr(roll, name) == meant]
        if not rolls:
            problem = f"{OPTIONS[name]}={wanted!r} is not among {', '.join(map(str, known))}"
            hint = did_you_mean(meant, list(map(str, known)))
            raise ValueError(f"{problem}; {hint}" if hint.startswith("did") else problem)
    return rolls


OPTIONS = {"entrant": "hero", "part": "ability", "against": "defense"}


def refuse_game_options(text: str, options: dict[str, Any]) -> None:
    """Raise ValueError if an option for rolls of a game is used with an expression."""
    for option, value in options.items():
        if value is not None:
            raise ValueError(f"{option} {value}: only works with a game, and {text!r} is an expression; drop one of them")


def figure(results: Sequence[Rolled]) -> Figure:
    """Draw the distributions."""
    import pandas as pd

    from analysis.charts.bars import dice

    lines = [
        {"row": rolled.name, "column": rolled.versus, "value": value, "exact": chance, "simulated": share}
        | {"n": rolled.n, "z": rolled.agreement.z}
        for rolled in results
        for value, chance, share in rolled.lines()
    ]
    return dice(pd.DataFrame(lines), label="result")


def tables(results: Sequence[Rolled]) -> list[Table]:
    """Return one table per roll; for more than five rolls one table with a row for each."""
    if len(results) <= 5:
        return [result.table() for result in results]
    columns = ("roll", "against", "exact mean", "sd", "P(at least 1)", "simulated mean", "z", "p")
    rows = tuple(
        (
            rolled.name,
            rolled.versus,
            rolled.exact.mean,
            rolled.exact.sd,
            rolled.exact.at_least(1),
            sum(value * count for value, count in rolled.counts.items()) / rolled.n,
            rolled.agreement.z,
            rolled.agreement.p_value,
        )
        for rolled in results
    )
    return [Table("rolls", columns, rows, "Rolls of the game", {"P(at least 1)": "percent", "p": "p"})]
