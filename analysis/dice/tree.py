"""The parts of a dice expression, with the smallest and largest result of each.

Numbers (`Node`) and pools of dice (`Pool`) are different things: a pool becomes a number by adding its dice (`Total`) or by
counting those that show something (`Count`). Two parts never share a die unless they name the same `Binding`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TypeAlias

import icepool

Value: TypeAlias = int | Fraction
Bounds: TypeAlias = tuple[Value, Value]
EXPLOSIONS_MAX = 50  # extra rolls of one exploding die
AGAIN = "again"  # label of an outcome after which everything is rolled again
NEVER = 1e-9  # chance of more extra rolls than are computed


def plain(value: Value) -> Value:
    """An int where the value is a whole number, else a Fraction."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def holds(sign: str, left: Value, right: Value) -> bool:
    """Whether a comparison is true."""
    return {
        ">=": left >= right,
        "<=": left <= right,
        ">": left > right,
        "<": left < right,
        "==": left == right,
        "!=": left != right,
    }[sign]


# Dice


@dataclass(frozen=True)
class Step:
    """A change of one die: "r" (reroll until), "ro" (reroll once), "!" (roll again and add), "min" or "max" (limits).

    conditions: pairs of sign and value, one of which must hold; of "min" and "max" the single pair holds the limit.
    """

    word: str
    conditions: tuple[tuple[str, int], ...]

    def applies(self, value: int) -> bool:
        """Whether the step changes a die that shows this value."""
        return any(holds(sign, value, limit) for sign, limit in self.conditions)


@dataclass(frozen=True, eq=False)
class Face:
    """One die. text: as written, such as "d6"; faces: equally likely; steps: in the order in which they are applied.

    rolled: in place of faces, an expression whose result the die shows, with the exact chances of its results. Each die of a pool
    is a roll of its own.
    """

    text: str
    faces: tuple[int, ...]
    steps: tuple[Step, ...] = ()
    rolled: tuple[Node, icepool.Die[int]] | None = None

    @property
    def before(self) -> Face:
        """The die without its last step."""
        return replace(self, steps=self.steps[:-1])

    @property
    def fresh(self) -> Face:
        """The die that is rolled if the last step rerolls once: without the single rerolls that come directly before."""
        face = self.before
        while face.steps and face.steps[-1].word == "ro":
            face = face.before
        return face

    @cached_property
    def die(self) -> icepool.Die[int]:
        """Exact chances of the final value of the die."""
        if not self.steps:
            return icepool.Die(self.faces) if self.rolled is None else self.rolled[1]
        before, step = self.before.die, self.steps[-1]
        if step.word in ("min", "max"):
            limit = step.conditions[0][1]
            return before.clip(limit, None) if step.word == "min" else before.clip(None, limit)
        applied = [value for value in before.outcomes() if step.applies(value)]
        if step.word == "!":
            return before.explode(applied, depth=explosions(chance_of(before, applied))) if applied else before
        if step.word == "r":
            return before.reroll(applied, depth="inf")
        fresh = self.fresh.die
        return before.map(lambda value: fresh if value in applied else value, star=False)

    @cached_property
    def extra(self) -> int:
        """Extra rolls of the last step, if it is an explosion: at most this many."""
        before = self.before.die
        applied = [value for value in before.outcomes() if self.steps[-1].applies(value)]
        return explosions(chance_of(before, applied)) if applied else 0


def chance_of(die: icepool.Die[int], values: Iterable[int]) -> Fraction:
    """Chance of any of these values."""
    return Fraction(sum(die.quantity(value) for value in values), die.denominator())


def explosions(chance: Fraction) -> int:
    """Extra rolls until one more has a chance below NEVER, at most EXPLOSIONS_MAX. chance: of another roll, below 1."""
    return min(EXPLOSIONS_MAX, math.ceil(math.log(NEVER) / math.log(chance)))


@dataclass(frozen=True, eq=False)
class Dice:
    """A number of equal dice. another: whether equal dice are rolled before, elsewhere in the expression."""

    size: Node
    face: Face
    another: bool = False

    def equals(self, other: Dice) -> bool:
        """Whether the other dice have the same number, faces and steps."""
        sizes = [one.size.value if isinstance(one.size, Constant) else None for one in (self, other)]
        return sizes[0] is not None and sizes[0] == sizes[1] and self.same_die(other)

    def same_die(self, other: Dice) -> bool:
        """Whether the other dice have the same faces and steps."""
        return (self.face.text, self.face.steps) == (other.face.text, other.face.steps)


@dataclass(frozen=True, eq=False)
class Several:
    """Numbers that are treated as the dice of one pool."""

    numbers: tuple[Node, ...]


@dataclass(frozen=True)
class Keep:
    """The highest or lowest dice of a pool; drop: these are removed and the others kept."""

    highest: bool
    number: int
    drop: bool = False

    def size(self, dice: int) -> int:
        """Dice that remain."""
        return max(0, dice - self.number) if self.drop else min(dice, self.number)

    @property
    def from_top(self) -> bool:
        """Whether the highest dice remain."""
        return self.highest != self.drop


@dataclass(frozen=True, eq=False)
class Pool:
    """Dice that can be added or counted. source: Dice, Several, or the Name of another pool."""

    source: Dice | Several | Name
    keeps: tuple[Keep, ...] = ()
    text: str = ""

    @cached_property
    def origin(self) -> tuple[Dice | Several, tuple[Keep, ...]]:
        """The dice that are rolled, and which of them remain."""
        if not isinstance(self.source, Name):
            return self.source, self.keeps
        named = self.source.binding.value
        assert isinstance(named, Pool)
        source, keeps = named.origin
        return source, keeps + self.keeps

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Fewest and most dice that remain."""
        source, keeps = self.origin
        low, high = (len(source.numbers),) * 2 if isinstance(source, Several) else map(int, source.size.bounds)
        for keep in keeps:
            low, high = keep.size(low), keep.size(high)
        return low, high

    @cached_property
    def face_bounds(self) -> Bounds:
        """Smallest and largest value of a single die."""
        return self.bounds_of_dice()

    def bounds_of_dice(self, exploded: bool = True) -> Bounds:
        """Smallest and largest value of a single die, with or without further rolls."""
        source, _ = self.origin
        if isinstance(source, Dice):
            face = source.face
            if not exploded:
                face = replace(face, steps=tuple(step for step in face.steps if step.word != "!"))
            return face.die.min_outcome(), face.die.max_outcome()
        bounds = [number.bounds for number in source.numbers]
        return min(low for low, _ in bounds), max(high for _, high in bounds)


# Numbers


class Node:
    """A part of an expression that is a number."""

    @property
    def bounds(self) -> Bounds:
        """Smallest and largest possible result; the exact range can be narrower."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[Node | Pool | Dice | Several, ...]:
        """What the number is computed from."""
        return ()


@dataclass(frozen=True, eq=False)
class Constant(Node):
    """A number."""

    value: Value

    @property
    def bounds(self) -> Bounds:
        """The number itself."""
        return self.value, self.value


@dataclass(frozen=True, eq=False)
class Binding:
    """A name and the number or pool that it stands for, rolled once."""

    label: str
    value: Node | Pool


@dataclass(frozen=True, eq=False)
class Name(Node):
    """The number or pool of a name."""

    binding: Binding

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of what it stands for."""
        value = self.binding.value
        return Total(value).bounds if isinstance(value, Pool) else value.bounds


@dataclass(frozen=True, eq=False)
class Sum(Node):
    """Terms that are added (1) or subtracted (-1)."""

    terms: tuple[tuple[int, Node], ...]

    @cached_property
    def bounds(self) -> Bounds:
        """Sum of the bounds."""
        pairs = [sorted((sign * term.bounds[0], sign * term.bounds[1])) for sign, term in self.terms]
        return sum(low for low, _ in pairs), sum(high for _, high in pairs)

    @property
    def parts(self) -> tuple[Node, ...]:
        """The terms."""
        return tuple(term for _, term in self.terms)


def apply_product(sign: str, left: Value, right: Value) -> Value:
    """Multiply (*), divide exactly (/) or divide and round down (//)."""
    if sign == "*":
        return plain(left * right)
    quotient = Fraction(left) / right
    return math.floor(quotient) if sign == "//" else plain(quotient)


@dataclass(frozen=True, eq=False)
class Product(Node):
    """Two numbers, multiplied or divided. sign: "*", "/" or "//"."""

    sign: str
    left: Node
    right: Node

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of the products or quotients of the bounds."""
        results = [apply_product(self.sign, left, right) for left, right in product(self.left.bounds, self.right.bounds)]
        return min(results), max(results)

    @property
    def parts(self) -> tuple[Node, ...]:
        """The factors."""
        return self.left, self.right


@dataclass(frozen=True, eq=False)
class Extreme(Node):
    """The largest or smallest of numbers. word: "max" or "min"."""

    word: str
    numbers: tuple[Node, ...]

    @cached_property
    def bounds(self) -> Bounds:
        """Extremes of the bounds."""
        lows = [number.bounds[0] for number in self.numbers]
        highs = [number.bounds[1] for number in self.numbers]
        return (max(lows), max(highs)) if self.word == "max" else (min(lows), min(highs))

    @property
    def parts(self) -> tuple[Node, ...]:
        """The numbers."""
        return self.numbers


def apply_rounded(word: str, value: Value) -> Value:
    """Round down (floor) or up (ceil), or drop the sign (abs)."""
    if word == "abs":
        return value if value >= 0 else -value
    rounded: int = math.floor(value) if word == "floor" else math.ceil(value)
    return rounded


@dataclass(frozen=True, eq=False)
class Rounded(Node):
    """A number rounded down ("floor") or up ("ceil"), or without its sign ("abs")."""

    word: str
    number: Node

    @cached_property
    def bounds(self) -> Bounds:
        """Rounded bounds."""
        low, high = self.number.bounds
        ends = sorted((apply_rounded(self.word, low), apply_rounded(self.word, high)))
        return (0 if self.word == "abs" and low < 0 < high else ends[0]), ends[1]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The number."""
        return (self.number,)


class Truth(Node):
    """A condition: 1 if it holds, else 0."""

    @property
    def bounds(self) -> Bounds:
        """False and true."""
        return 0, 1


@dataclass(frozen=True, eq=False)
class Compare(Truth):
    """A comparison of two numbers."""

    sign: str
    left: Node
    right: Node

    @property
    def parts(self) -> tuple[Node, ...]:
        """Both numbers."""
        return self.left, self.right


@dataclass(frozen=True, eq=False)
class Logic(Truth):
    """Conditions joined by "and" or "or", or one with "not"."""

    word: str
    conditions: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The conditions."""
        return self.conditions


class OfPool(Node):
    """A number that is computed from one pool."""

    pool: Pool

    @property
    def parts(self) -> tuple[Pool]:
        """The pool."""
        return (self.pool,)


@dataclass(frozen=True, eq=False)
class Total(OfPool):
    """Sum of the dice of a pool."""

    pool: Pool

    @cached_property
    def bounds(self) -> Bounds:
        """Fewest and most dice times the lowest and highest face."""
        (fewest, most), (low, high) = self.pool.sizes, self.pool.face_bounds
        return min(fewest * low, most * low), max(fewest * high, most * high)


@dataclass(frozen=True, eq=False)
class Count(Node):
    """Number of dice of a pool that compare with a threshold; again: dice that show the highest face are rolled once more."""

    pool: Pool
    sign: str
    threshold: Node
    again: bool = False

    @cached_property
    def depth(self) -> int:
        """Extra rolls of a die."""
        source, _ = self.pool.origin
        if not self.again or not isinstance(source, Dice):
            return 0
        return explosions(chance_of(source.face.die, [source.face.die.max_outcome()]))

    @cached_property
    def bounds(self) -> Bounds:
        """No die or all, with every extra roll."""
        return 0, self.pool.sizes[1] * (self.depth + 1)

    @property
    def parts(self) -> tuple[Node | Pool, ...]:
        """Pool and threshold."""
        return self.pool, self.threshold


@dataclass(frozen=True, eq=False)
class Largest(OfPool):
    """Dice in the largest set of equal dice ("same") or of consecutive numbers ("straight") of a pool."""

    word: str
    pool: Pool

    @cached_property
    def bounds(self) -> Bounds:
        """One die or all."""
        fewest, most = self.pool.sizes
        return min(1, fewest), most


@dataclass(frozen=True, eq=False)
class Pairs(Node):
    """Losses of the left side: both pools are sorted, highest against highest, and a tie is a loss of the left."""

    left: Pool
    right: Pool

    @cached_property
    def bounds(self) -> Bounds:
        """No pair or all."""
        return 0, min(self.left.sizes[1], self.right.sizes[1])

    @property
    def parts(self) -> tuple[Pool, Pool]:
        """Both pools."""
        return self.left, self.right


@dataclass(frozen=True, eq=False)
class Before(Truth):
    """Whether a condition, tried repeatedly, holds `successes` times before it fails `failures` times.

    trial: the condition, or the sum of one die, which is that many successes, or failures if it is below 0.
    """

    successes: int
    failures: int
    trial: Node

    @property
    def parts(self) -> tuple[Node]:
        """The condition."""
        return (self.trial,)


@dataclass(frozen=True, eq=False)
class Battle(Node):
    """Units left after a battle to the end: of the left side, or negative of the right side."""

    left: int
    right: int
    pairs: Pairs

    @property
    def bounds(self) -> Bounds:
        """All units of a side."""
        return -self.right, self.left


@dataclass(frozen=True, eq=False)
class Kills(OfPool):
    """Models of some wounds each that the dice of a pool remove one after another; damage beyond a model's wounds is lost."""

    wounds: int
    pool: Pool

    @cached_property
    def bounds(self) -> Bounds:
        """No model or one per die."""
        return 0, self.pool.sizes[1]


def walk(part: Node | Pool | Dice | Several) -> Iterator[Node]:
    """Every number in a part, names included; what a name stands for is not entered."""
    if isinstance(part, Node):
        yield part
    if isinstance(part, Pool):
        inner: tuple[Node | Pool | Dice | Several, ...] = (part.source,)
    elif isinstance(part, Dice):
        inner = (part.size,)
    elif isinstance(part, Several):
        inner = part.numbers
    else:
        inner = part.parts
    for one in inner:
        yield from walk(one)


def rolls_dice(part: Node) -> bool:
    """Whether a number rolls dice that have no name."""
    return any(
        isinstance(node, Battle) or any(isinstance(one, Pool) and isinstance(one.source, Dice) for one in node.parts)
        for node in walk(part)
    )


def is_condition(node: Node) -> bool:
    """Whether a number is a condition: a truth, a comparison of one die, or a constant."""
    if isinstance(node, Name):
        value = node.binding.value
        return isinstance(value, Node) and is_condition(value)
    one_die = isinstance(node, Count) and node.pool.sizes == (1, 1) and not node.again
    return isinstance(node, Truth | Constant) or one_die


def unnamed_dice(part: Node | Pool | Dice | Several) -> list[Dice]:
    """Dice without a name that are rolled once for a number."""
    if isinstance(part, Dice):
        return [part]
    if isinstance(part, Before | Battle):
        return []
    if isinstance(part, Pool):
        return unnamed_dice(part.source)
    parts = part.numbers if isinstance(part, Several) else part.parts
    return [dice for inner in parts for dice in unnamed_dice(inner)]


@dataclass(frozen=True, eq=False)
class Expression:
    """A parsed text: names, and a result or outcomes of which the first whose condition holds counts."""

    text: str
    bindings: tuple[Binding, ...]
    results: tuple[Node, ...]
    labels: tuple[str, ...] = ()  # of the results, if they are conditions of outcomes
    dice: int = 0  # rolled for one result, at most

    @property
    def is_condition(self) -> bool:
        """Whether the result is 1 (true) or 0."""
        return not self.labels and not isinstance(self.results[0], Constant) and is_condition(self.results[0])

    @property
    def again(self) -> int | None:
        """Index of the outcome after which everything is rolled again, if there is one."""
        return next((place for place, label in enumerate(self.labels) if label.lower() == AGAIN), None)

    @property
    def least(self) -> Value:
        """Smallest possible result; of outcomes their index."""
        return 0 if self.labels else self.results[0].bounds[0]

    @property
    def most(self) -> Value:
        """Largest possible result; of outcomes their index."""
        return len(self.labels) if self.labels else self.results[0].bounds[1]
