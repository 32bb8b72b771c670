"""Dice expressions rolled many times, with NumPy: the check of the exact chances, and what remains where these take too long."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.dice.tree import (
    Battle,
    Before,
    Binding,
    Compare,
    Constant,
    Count,
    Dice,
    Expression,
    Extreme,
    Face,
    Keep,
    Kills,
    Largest,
    Logic,
    Name,
    Node,
    Pairs,
    Pool,
    Product,
    Rounded,
    Several,
    Sum,
    Total,
)

ROLLED_MAX = 2_000_000_000  # dice of one simulation, about half a minute
BLOCK_MIN = 500  # rolls at once, at least
BLOCK_DICE = 2_000_000  # dice rolled at once: bounds the memory of a simulation
DECIMALS = 9  # of results that are no whole numbers
NEAR = 1e-7  # difference below which two such results are equal

Numbers: TypeAlias = NDArray[Any]  # shape (n,)
Rows: TypeAlias = tuple[NDArray[Any], NDArray[np.bool_]]  # shape (n, dice): values, and whether the die is part of the pool


def simulate(expression: Expression, n: int, seed: int) -> dict[float, int]:
    """Roll an expression n times (1 or more) and count the results by value; the same seed gives the same counts.

    Results that are no whole numbers are rounded to DECIMALS. Raises ValueError if n or seed is out of range or more than
    ROLLED_MAX dice would be rolled.
    """
    dice = max(1, expression.dice)
    if n < 1 or n * dice > ROLLED_MAX:
        raise ValueError(f"n={n} must be in 1..{ROLLED_MAX // dice} for an expression of {expression.dice} dice")
    if seed < 0:
        raise ValueError(f"seed={seed} must be at least 0")
    rng, counts, block = np.random.Generator(np.random.Philox(seed)), Counter[float](), max(BLOCK_MIN, BLOCK_DICE // dice)
    for start in range(0, n, block):
        counts.update(counted(_Roller(rng, min(block, n - start)).result(expression)))
    return dict(sorted(counts.items()))


def counted(values: Numbers) -> dict[float, int]:
    """How often each value occurs, ascending."""
    if values.dtype.kind == "f":
        values = np.round(values, DECIMALS) + 0.0  # no negative zero
    pairs = zip(*(part.tolist() for part in np.unique(values, return_counts=True)), strict=True)
    return {int(value) if value == int(value) else value: number for value, number in pairs}


def _compared(sign: str, left: Numbers, right: Numbers) -> NDArray[np.bool_]:
    """A comparison, in which results of divisions are equal when they are near."""
    gap = np.asarray(left - right)
    near = NEAR if gap.dtype.kind == "f" else 0
    above, below = gap > near, gap < -near
    return {">=": ~below, "<=": ~above, ">": above, "<": below, "==": ~above & ~below, "!=": above | below}[sign]


class _Roller:
    """Rolls the parts of an expression n times, each name once."""

    def __init__(self, rng: np.random.Generator, n: int) -> None:
        self.rng = rng
        self.n = n
        self.names: dict[Binding, Any] = {}

    def result(self, expression: Expression) -> Numbers:
        """The result, or the index of the first outcome whose condition holds."""
        for binding in expression.bindings:
            value = binding.value
            self.names[binding] = self.pool(value) if isinstance(value, Pool) else self.number(value)
        results = [self.number(node) for node in expression.results]
        if not expression.labels:
            return results[0]
        return np.asarray(np.argmax([*(result != 0 for result in results), np.ones(self.n, bool)], axis=0))

    def number(self, node: Node) -> Numbers:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of number
        """Results of a number."""
        match node:
            case Constant():
                value = node.value
                return np.full(self.n, value if isinstance(value, int) else float(value))
            case Name():
                named = self.names[node.binding]
                return _total(named) if isinstance(node.binding.value, Pool) else np.asarray(named)
            case Sum():
                return np.asarray(sum(sign * self.number(term) for sign, term in node.terms))
            case Product():
                return self.product(node)
            case Extreme():
                choose = np.maximum if node.word == "max" else np.minimum
                return np.asarray(choose.reduce([self.number(number) for number in node.numbers]))
            case Rounded():
                return np.asarray(self.rounded(node))
            case Compare():
                return np.asarray(_compared(node.sign, self.number(node.left), self.number(node.right)).astype(np.int64))
            case Logic():
                truths = [self.number(condition) != 0 for condition in node.conditions]
                if node.word == "not":
                    return np.asarray(~truths[0]).astype(np.int64)
                joined = np.all(truths, axis=0) if node.word == "and" else np.any(truths, axis=0)
                return np.asarray(joined.astype(np.int64))
            case Total():
                return _total(self.pool(node.pool))
            case Count():
                return self.count(node)
            case Largest():
                return self.largest(node)
            case Pairs():
                return self.losses(self.pool(node.left), self.pool(node.right))[0]
            case Before(trial=Total()):
                return self.race(node)
            case Before():
                trials = [self.number(node.trial) != 0 for _ in range(node.successes + node.failures - 1)]
                return np.asarray(np.sum(trials, axis=0) >= node.successes).astype(np.int64)
            case Battle():
                return self.battle(node)
            case Kills():
                return self.kills(node)
        raise AssertionError(node)

    def product(self, node: Product) -> Numbers:
        """Products and quotients."""
        left, right = self.number(node.left), self.number(node.right)
        if node.sign == "*":
            return np.asarray(left * right)
        if node.sign == "//" and left.dtype.kind == right.dtype.kind == "i":
            return np.asarray(left // right)
        return np.asarray(np.floor(left / right + NEAR).astype(np.int64) if node.sign == "//" else left / right)

    def rounded(self, node: Rounded) -> Numbers:
        """Numbers rounded, or without their sign."""
        number = self.number(node.number)
        if node.word == "abs":
            return np.abs(number)
        return np.floor(number + NEAR).astype(np.int64) if node.word == "floor" else np.ceil(number - NEAR).astype(np.int64)

    # Pools

    def pool(self, pool: Pool) -> Rows:
        """Dice of a pool, of which some are left out."""
        source = pool.source
        if isinstance(source, Name):
            rows: Rows = self.names[source.binding]
        elif isinstance(source, Several):
            values = np.stack([self.number(number) for number in source.numbers], axis=1)
            rows = values, np.ones(values.shape, bool)
        else:
            rows = self.dice(source)
        for keep in pool.keeps:
            rows = _kept(rows, keep)
        return rows

    def dice(self, source: Dice) -> Rows:
        """Equal dice; in each row as many are part of the pool as its size says."""
        most = int(source.size.bounds[1])
        values = self.faces(source.face, self.n * most).reshape(self.n, most)
        if isinstance(source.size, Constant):
            return values, np.ones(values.shape, bool)
        return values, np.arange(most) < self.number(source.size)[:, None]

    def faces(self, face: Face, number: int) -> NDArray[np.int64]:
        """Roll one kind of die."""
        if not face.steps:
            if face.rolled is not None:
                return np.asarray(_Roller(self.rng, number).number(face.rolled[0]))
            if face.faces == tuple(range(1, len(face.faces) + 1)):
                return self.rng.integers(1, len(face.faces) + 1, number)
            return np.array(face.faces)[self.rng.integers(0, len(face.faces), number)]
        before, step = face.before, face.steps[-1]
        values = self.faces(before, number)
        if step.word in ("min", "max"):
            limit = step.conditions[0][1]
            return np.maximum(values, limit) if step.word == "min" else np.minimum(values, limit)

        def applies(rolled: NDArray[np.int64]) -> NDArray[np.intp]:
            return np.flatnonzero(
                np.any([_compared(sign, rolled, np.full(rolled.shape, limit)) for sign, limit in step.conditions], axis=0)
            )

        again = applies(values)
        if step.word == "!":
            for _ in range(face.extra):
                if not again.size:
                    break
                more = self.faces(before, again.size)
                values[again] += more
                again = again[applies(more)]
            return values
        while again.size:
            values[again] = self.faces(face.fresh if step.word == "ro" else before, again.size)
            again = again[applies(values[again])] if step.word == "r" else again[:0]
        return values

    def count(self, node: Count) -> Numbers:
        """Number of dice that compare with the threshold."""
        values, present = self.pool(node.pool)
        threshold = self.number(node.threshold)
        hits = (_compared(node.sign, values, threshold[:, None]) & present).sum(axis=1)
        if not node.again:
            return np.asarray(hits)
        source = node.pool.source
        assert isinstance(source, Dice)
        top = source.face.die.max_outcome()
        rows = np.nonzero((values == top) & present)[0]
        for _ in range(node.depth):
            if not rows.size:
                break
            more = self.faces(source.face, rows.size)
            np.add.at(hits, rows, _compared(node.sign, more, threshold[rows]))
            rows = rows[more == top]
        return np.asarray(hits)

    def largest(self, node: Largest) -> Numbers:
        """Dice in the largest set of equal or of consecutive numbers."""
        values, present = self.pool(node.pool)
        best = np.zeros(self.n, np.int64)
        numbers = np.unique(values[present]).tolist()
        run = np.zeros(self.n, np.int64)
        for number in numbers:
            held = ((values == number) & present).sum(axis=1)
            if node.word == "straight":
                run = np.where(held > 0, run * (number - 1 in numbers) + 1, 0)
                held = run
            best = np.maximum(best, held)
        return best

    def losses(self, left: Rows, right: Rows) -> tuple[Numbers, Numbers]:
        """Losses of both sides: highest against highest, a tie is a loss of the left."""
        pools = [_kept(rows, Keep(highest=True, number=rows[0].shape[1])) for rows in (left, right)]
        width = min(values.shape[1] for values, _ in pools)
        (mine, mine_there), (theirs, theirs_there) = [(values[:, :width], present[:, :width]) for values, present in pools]
        fought = mine_there & theirs_there
        lost = fought & (mine <= theirs)
        return lost.sum(axis=1), (fought & ~lost).sum(axis=1)

    def race(self, node: Before) -> Numbers:
        """Successes before failures, where a die can be several of either."""
        successes, failures = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        while (going := np.flatnonzero((successes < node.successes) & (failures < node.failures))).size:
            rolled = _Roller(self.rng, going.size).number(node.trial)
            successes[going] += np.maximum(rolled, 0)
            failures[going] += np.maximum(-rolled, 0)
        return np.asarray(successes >= node.successes).astype(np.int64)

    def battle(self, node: Battle) -> Numbers:
        """Units left at the end."""
        sources = [node.pairs.left.source, node.pairs.right.source]
        units = [np.full(self.n, node.left), np.full(self.n, node.right)]
        while (fighting := np.flatnonzero((units[0] > 0) & (units[1] > 0))).size:
            roller = _Roller(self.rng, fighting.size)
            rows = []
            for source, left in zip(sources, units, strict=True):
                assert isinstance(source, Dice)
                values, _ = roller.dice(source)
                rows.append((values, np.arange(values.shape[1]) < left[fighting][:, None]))
            for left, lost in zip(units, roller.losses(*rows), strict=True):
                left[fighting] -= lost
        return np.asarray(units[0] - units[1])

    def kills(self, node: Kills) -> Numbers:
        """Models removed, one after another."""
        values, present = self.pool(node.pool)
        damage = np.zeros(self.n, np.int64)
        for index in range(values.shape[1]):
            more = np.where(present[:, index], values[:, index], 0)
            damage += np.minimum(more, node.wounds - damage % node.wounds)
        return damage // node.wounds


def _total(rows: Rows) -> Numbers:
    values, present = rows
    return np.asarray(values.sum(axis=1) if present.all() else np.where(present, values, 0).sum(axis=1))


def _kept(rows: Rows, keep: Keep) -> Rows:
    """The highest or lowest dice, from the best on; absent dice come last."""
    values, present = rows
    preference = values if keep.from_top else -values
    order = np.argsort(-preference if present.all() else np.where(present, -preference, np.inf), axis=1)
    values, present = np.take_along_axis(values, order, axis=1), np.take_along_axis(present, order, axis=1)
    sizes = present.sum(axis=1)
    left = np.maximum(0, sizes - keep.number) if keep.drop else np.minimum(sizes, keep.number)
    return values, np.arange(values.shape[1]) < left[:, None]
