"""Dice expressions and rolls of a game: exact chances beside a simulation.

`of_asked` and `of_game` compare an expression, a draw of cards, or a roll of a game, with dice rolled by its compiled rules. An
expression that takes too long to solve is only simulated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analysis.data.player import Watch, silent
from analysis.dice import draw_language
from analysis.dice.asked import AskedRoll
from analysis.dice.decklists import Deck
from analysis.dice.draw_language import is_draw
from analysis.dice.language import read as parse
from analysis.dice.odds import TooLargeError, of_fractions, solve
from analysis.dice.rolling import counted, simulate
from analysis.dice.tokens import DiceError
from analysis.dice.tree import AGAIN, Expression, Value, plain
from analysis.dice.words import describe
from analysis.stats.distribution import Agreement, Distribution, compare
from sim.engine.cardfiles.paths import did_you_mean, slug
from sim.seeds import derived_seed
from sim.stopping import check

if TYPE_CHECKING:  # dice expressions need no game
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.exact import Roll

__all__ = ["Agreement", "DiceError", "Distribution", "chances_of", "compare", "parse", "simulate"]

ROLLS_MAX = 1_000_000
QUICK_DICE = 10_000_000  # dice of one simulation, less than a second; expressions of many dice are rolled less often
KEPT_LEAST = 0.01  # chance of a result that is not rolled again
QUICK_HANDS = 2_000_000  # hands of one simulation, with those that are replaced


def chances_of(expression: Expression) -> Distribution:
    """Exact chances of the results; of outcomes those of their index. Raises TooLargeError."""
    return _distribution(solve(expression))


def _distribution(weights: Mapping[Value, int]) -> Distribution:
    """Chances in proportion to weights."""
    return Distribution.from_counts({plain(value): weight for value, weight in weights.items()})


@dataclass(frozen=True)
class Rolled:
    """An exact distribution, and counts of the values that were rolled.

    versus: what the roll is made against; "" for an expression. words: what the expression computes. labels: of outcomes, whose
    values are their indices. condition: whether the result is 1 (true) or 0. solved: whether the distribution is exact; otherwise
    it is that of the counts. line, number: in a table, see `AskedRoll`.
    """

    name: str
    versus: str
    expression: str
    exact: Distribution
    counts: Mapping[float, int]
    words: str = ""
    labels: tuple[str, ...] = ()
    solved: bool = True
    condition: bool = False
    line: str = ""
    number: int | None = None

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

    def values(self) -> list[tuple[float, float, float]]:
        """Every value that is possible or was rolled, and every outcome, with its exact chance and its simulated share."""
        chances = dict(zip(self.exact.values.tolist(), self.exact.probabilities.tolist(), strict=True))
        outcomes = {place for place, label in enumerate(self.labels[:-1]) if label.lower() != AGAIN}
        values = sorted({*chances, *self.counts, *outcomes})
        return [(value, chances.get(value, 0.0), self.counts.get(value, 0) / self.n) for value in values]


def check_rolls(rolls: int) -> None:
    """Raise ValueError outside 1..ROLLS_MAX."""
    if not 1 <= rolls <= ROLLS_MAX:
        raise ValueError(f"rolls={rolls} must be 1..{ROLLS_MAX}")


def of_asked(asked: AskedRoll, rolls: int, seed: int) -> Rolled:
    """Solve and roll what is asked. Raises DiceError (a ValueError) that shows where it is invalid."""
    rolled = of_draw(asked.text, rolls, seed, asked.deck) if is_draw(asked.text) else of_expression(asked.text, rolls, seed)
    return replace(rolled, name=asked.title, line=asked.line, number=asked.number)


def of_expression(text: str, rolls: int, seed: int) -> Rolled:
    """Solve and roll an expression. Raises DiceError."""
    expression = parse(text)
    labels = (*expression.labels, "none of these") if expression.labels else ()
    chances, kept = _chances_kept(expression)
    number = min(round(rolls / kept), max(200, QUICK_DICE // max(1, expression.dice)))
    counts = simulate(expression, number, seed)
    if expression.again is not None:
        counts.pop(expression.again, None)
    if not counts:
        raise DiceError("every result that was simulated is rolled again", text, 0)
    exact = _distribution(chances or {Fraction(value): times for value, times in counts.items()})
    return Rolled(text, "", text, exact, counts, describe(expression), labels, chances is not None, expression.is_condition)


def _chances_kept(expression: Expression) -> tuple[dict[Value, int] | None, float]:
    """Exact weights of the results that are not rolled again, None if they take too long, and their chance. Raises DiceError."""
    try:
        weights = dict(solve(expression).items())
    except TooLargeError:
        return None, 1.0
    total = sum(weights.values())
    if expression.again is not None:
        weights.pop(expression.again, None)
    kept = sum(weights.values()) / total
    if kept < KEPT_LEAST:
        often = f"all but 1 in {round(1 / kept):,} results are" if kept else "every result is"
        raise DiceError(f"{often} rolled again; at least 1 in {round(1 / KEPT_LEAST)} must not be", expression.text, 0)
    return weights, kept


def of_draw(text: str, rolls: int, seed: int, deck: Deck | None = None) -> Rolled:
    """Solve and simulate a draw of cards, from a deck if one is given. Raises DiceError."""
    draw = draw_language.read(text, deck)
    exact = _distribution(of_fractions(draw.chances()))
    number = min(rolls, max(200, round(QUICK_HANDS * draw.chance_kept)))
    return Rolled(text, "", text, exact, draw.simulate(number, seed), draw.words, condition=draw.is_condition)


def of_game(roll: Roll, rolls: int, seed: int) -> Rolled:
    """Solve a roll of a game and roll it by the game's compiled rules."""
    chances = chances_of(parse(roll.expression))
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
