"""Exact distributions of dice, compared with simulations: the command `dice`.

Dice expressions such as "5d6>=4 - 3d6>=4":

    4d6            sum of four six-sided dice            4d6kh3, 4d6kl3   sum of the three highest, lowest
    5d6>=4         number of dice that show 4 or more    5d6<=2, 5d6==6   likewise
    2*1d6 + 3      multiples, + and -, whole numbers     max(a, b), min(a, b), (a)
    a floor 0      a, but at least 0; binds last         the same as max(0, a)

Every pool is a separate roll. The parser never runs text as code, and limits its size so that an expression takes at most a few
seconds and little memory.

`of_expression` and `of_game` compare an expression, or a roll of a game, with dice rolled by its compiled rules; `rolls_section`
is the result of the command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import interrupts
from analysis.answer.model import Section
from analysis.answer.numbers import count, decimal, percent
from analysis.answer.tables import Table
from analysis.dice.language import DiceError, Term, hits
from analysis.dice.language import read as parse
from analysis.stats.distribution import Agreement, Distribution, compare
from sim.engine.cardfiles.paths import did_you_mean, slug
from sim.stopping import asked

if TYPE_CHECKING:  # dice expressions need no game, and most commands draw no chart
    from matplotlib.figure import Figure

    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.exact import Roll

__all__ = ["Agreement", "DiceError", "Distribution", "compare", "hits", "parse", "simulate"]

ROLLED_MAX = 2_000_000_000  # dice of one simulation, about half a minute
BLOCK_DICE = 2_000_000  # dice rolled at once: bounds the memory of a simulation
ROLLS_MAX = 1_000_000
SUSPECT = 0.05  # below this, a p-value is explained
TABLES_MAX = 5  # more rolls share a table
OPTIONS = {"entrant": "hero", "part": "ability", "against": "defense"}


def simulate(term: Term, n: int, seed: int) -> dict[int, int]:
    """Roll an expression n times (1 or more) and count the results by value; the same seed gives the same counts.

    Raises ValueError if n or seed is out of range or more than ROLLED_MAX dice would be rolled.
    """
    dice = max(1, term.dice)
    if n < 1 or n * dice > ROLLED_MAX:
        raise ValueError(f"n={n} must be in 1..{ROLLED_MAX // dice} for an expression of {term.dice} dice")
    if seed < 0:
        raise ValueError(f"seed={seed} must be at least 0")
    rng, counts, block = np.random.Generator(np.random.Philox(seed)), Counter[int](), max(1, BLOCK_DICE // dice)
    for start in range(0, n, block):
        counts.update(counted(term.roll(rng, min(block, n - start))))
    return dict(sorted(counts.items()))


def counted(values: NDArray[np.int64]) -> dict[int, int]:
    """How often each value occurs, ascending."""
    return dict(zip(*(part.tolist() for part in np.unique(values, return_counts=True)), strict=True))


@dataclass(frozen=True)
class Rolled:
    """An exact distribution, and counts of the values that were rolled.

    versus: what the roll is made against; "" for an expression.
    """

    name: str
    versus: str
    expression: str
    exact: Distribution
    counts: Mapping[int, int]

    @property
    def title(self) -> str:
        """Title of the roll."""
        return f"{self.name} against {self.versus}" if self.versus else self.name

    @property
    def n(self) -> int:
        """Rolls simulated."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """Mean of the simulated values."""
        return sum(value * times for value, times in self.counts.items()) / self.n

    @cached_property
    def agreement(self) -> Agreement:
        """How well the simulated values fit the exact distribution."""
        return compare(self.exact, self.counts)

    def values(self) -> list[tuple[int, float, float]]:
        """Every value that is possible or was rolled, with its exact chance and its simulated share."""
        chances = dict(zip(self.exact.values.tolist(), self.exact.probabilities.tolist(), strict=True))
        return [
            (value, chances.get(value, 0.0), self.counts.get(value, 0) / self.n) for value in sorted({*chances, *self.counts})
        ]


def check_rolls(rolls: int) -> None:
    """Raise ValueError outside 1..ROLLS_MAX."""
    if not 1 <= rolls <= ROLLS_MAX:
        raise ValueError(f"rolls={rolls} must be 1..{ROLLS_MAX}")


def of_expression(text: str, rolls: int, seed: int) -> Rolled:
    """Solve and roll an expression. Raises DiceError (a ValueError) that shows where it is invalid."""
    term = parse(text)
    return Rolled(text, "", text, term.distribution, simulate(term, rolls, seed))


def of_game(roll: Roll, rolls: int, seed: int) -> Rolled:
    """Solve a roll of a game and roll it by the game's compiled rules."""
    chances = parse(roll.expression).distribution
    return Rolled(roll.name, roll.versus, roll.expression, chances, counted(roll.sample(rolls, seed)))


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


def refuse_game_options(text: str, options: dict[str, Any]) -> None:
    """Raise ValueError if an option for rolls of a game is used with an expression."""
    for option, value in options.items():
        if value is not None:
            raise ValueError(f"{option} {value}: only works with a game, and {text!r} is an expression; drop one of them")


def rolls_section(results: Sequence[Rolled]) -> Section:
    """A table of values per roll, or one table of many rolls. data: the list `rolls`."""
    tables = tuple(map(_values_table, results))
    if len(results) > TABLES_MAX:
        columns = ("roll", "against", "exact mean", "sd", "P(at least 1)", "simulated mean", "z", "p")
        rows = tuple(
            (one.name, one.versus, one.exact.mean, one.exact.sd, one.exact.at_least(1), one.mean, test.z, test.p_value)
            for one, test in ((rolled, rolled.agreement) for rolled in results)
        )
        tables = (Table("rolls", columns, rows, "Rolls of the game", {"P(at least 1)": "percent", "p": "p"}),)
    answer = f"{count(len(results))} rolls of the game, exact and simulated."
    if len(results) == 1:
        (one,) = results
        answer = (
            f"{one.title}: {decimal(one.exact.mean, 2)} on average, standard deviation {decimal(one.exact.sd, 2)}, at least 1 "
            f"with {percent(one.exact.at_least(1))}."
        )
    data = {"rolls": [*map(_as_json, results)]}
    return Section("dice", answer=answer, tables=tables, data=data, draw=lambda: _figure(results))


def _values_table(rolled: Rolled) -> Table:
    """One row per value, with mean and agreement in the caption."""
    rows = tuple((value, chance, rolled.exact.at_least(value), share) for value, chance, share in rolled.values())
    test, exactly = rolled.agreement, rolled.exact
    caption = f"{rolled.title}: mean {decimal(exactly.mean, 4)}, sd {decimal(exactly.sd, 4)}; {count(rolled.n)} rolls: "
    caption += f"z = {decimal(test.z, 2, signed=True)}"
    if test.dof > 0:
        caption += f", chi-square {test.chi2:.2f} (dof {test.dof}), p = {test.p_value:.3f}"
        caption += "; p is below 0.01 by chance in one of a hundred runs" if test.p_value < SUSPECT else ""
    columns = ("value", "exact", "at least", "simulated")
    return Table("dice", columns, rows, caption, dict.fromkeys(columns[1:], "percent"))


def _as_json(rolled: Rolled) -> dict[str, Any]:
    """The distribution, its summary and the simulation as plain values."""
    test = rolled.agreement
    values = [
        {"value": value, "probability": chance, "at_least": rolled.exact.at_least(value), "simulated": share}
        for value, chance, share in rolled.values()
    ]
    facts = {"title": rolled.title, "expression": rolled.expression, "mean": rolled.exact.mean, "sd": rolled.exact.sd}
    fit = {"rolls": rolled.n, "z": test.z, "chi2": test.chi2, "dof": test.dof, "p": test.p_value}
    return {**facts, "values": values, **fit}


def _figure(results: Sequence[Rolled]) -> Figure:
    """Bars of the exact chances with dots of the simulated ones, one panel per roll."""
    import pandas as pd

    from analysis.charts.bars import dice

    lines = [
        {"row": one.name, "column": one.versus, "value": value, "exact": chance, "simulated": share}
        | {"n": one.n, "z": one.agreement.z}
        for one in results
        for value, chance, share in one.values()
    ]
    return dice(pd.DataFrame(lines), label="result")
