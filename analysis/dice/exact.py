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

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.player import Watch, silent
from analysis.dice.language import DiceError, Term, hits
from analysis.dice.language import read as parse
from analysis.stats.distribution import Agreement, Distribution, compare
from sim.engine.cardfiles.paths import did_you_mean, slug
from sim.seeds import derived_seed
from sim.stopping import check

if TYPE_CHECKING:  # dice expressions need no game
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.exact import Roll

__all__ = ["Agreement", "DiceError", "Distribution", "compare", "hits", "parse", "simulate"]

ROLLED_MAX = 2_000_000_000  # dice of one simulation, about half a minute
BLOCK_DICE = 2_000_000  # dice rolled at once: bounds the memory of a simulation
ROLLS_MAX = 1_000_000


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


def of_rolls(rolls: Sequence[Roll], number: int, seed: int, watch: Watch = silent) -> Iterator[Rolled]:
    """Solve and simulate rolls of a game, each of several with dice of its own. Raises KeyboardInterrupt."""
    for index, roll in enumerate(rolls):
        check()
        own_seed = seed if len(rolls) == 1 else derived_seed(seed, f"roll {index}")
        yield of_game(roll, number, own_seed)
        watch("rolls", index + 1, len(rolls))


def choose(game: Game, cards: CardSet, entrant: str | None, ability: str | None, against: int | None) -> list[Roll]:
    """Return the rolls of a game that match the options. Raises ValueError that lists the valid values."""
    if game.rolls is None:
        duels = f"; for the odds of its duels use: fairfight duel {game.name}" if game.duels else ""
        raise ValueError(f"game={game.name!r} has no rolls with known odds{duels}")
    rolls = game.rolls(cards)
    options = (("entrant", "entrant", entrant), ("part", "ability", ability), ("against", "against", against))
    for name, option, wanted in options:
        if wanted is None:
            continue
        known = list(dict.fromkeys(getattr(roll, name) for roll in rolls))
        meant = slug(wanted) if isinstance(wanted, str) else wanted  # accept "Rhino Guy" for rhino_guy
        rolls = [roll for roll in rolls if getattr(roll, name) == meant]
        if not rolls:
            problem = f"{option}={wanted!r} is not among {', '.join(map(str, known))}"
            hint = did_you_mean(meant, list(map(str, known)))
            raise ValueError(f"{problem}; {hint}" if hint.startswith("did") else problem)
    return rolls


def refuse_game_options(text: str, options: dict[str, Any]) -> None:
    """Raise ValueError if an option for rolls of a game is used with an expression."""
    for option, value in options.items():
        if value is not None:
            raise ValueError(f"{option}={value}: only works with a game, and {text!r} is an expression; drop one of them")
