"""Exact chances of dice expressions, by icepool.

Names that are used more than once are fixed first: for each of their values the remaining expression is solved, and the results
are mixed. Of a pool only what the expression asks about it is fixed (its total, counts, highest dice), by their joint chances.

`TooLargeError` is raised before a computation that would take longer than about a second.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import icepool
from icepool import Die

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
    Value,
    apply_product,
    apply_rounded,
    holds,
    plain,
    walk,
)

WORK_MAX = 1_000_000.0  # microseconds that a computation is estimated to take
PACKED_COST = 0.5  # microseconds for a byte of a packed sum of a megabyte
PACKED_FROM = 20_000  # products of a sum from which packing is faster

Odds: TypeAlias = "Die[Any]"
Fixed: TypeAlias = Mapping[object, Any]  # value of a name or of a number, or the sorted dice of a pool


class TooLargeError(Exception):
    """An exact solution would take too long."""


def solve(expression: Expression) -> Odds:
    """Exact chances of the result, or of the index of the outcome. Raises TooLargeError."""
    return _Solver(expression).mixed(_shared(expression), {})


def _shared(expression: Expression) -> list[Binding]:
    """Names that are used more than once, each after those that it needs; pools after numbers."""
    uses = dict.fromkeys(expression.bindings, 0)
    trees = [*expression.results, *(_as_node(binding.value) for binding in expression.bindings)]
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Name):
                uses[node.binding] += 1
            if isinstance(node, Before):  # rolls its condition again, with the same names
                uses.update((name.binding, 2) for name in walk(node.trial) if isinstance(name, Name))
    shared = [binding for binding in expression.bindings if uses[binding] > 1]
    return sorted(shared, key=lambda binding: isinstance(binding.value, Pool) or _needs_pool(binding.value))


def _needs_pool(value: Node) -> bool:
    """Whether a number depends on the pool of a name."""
    names = [node.binding.value for node in walk(value) if isinstance(node, Name)]
    return any(isinstance(named, Pool) or _needs_pool(named) for named in names)


def _as_node(value: Node | Pool) -> Node:
    return Total(value) if isinstance(value, Pool) else value


class _Solver:
    """Solves the parts of an expression and adds up the estimated time."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.work = 0.0

    def spend(self, microseconds: float) -> None:
        """Add an estimate. Raises TooLargeError above WORK_MAX."""
        self.work += microseconds
        if self.work > WORK_MAX:
            raise TooLargeError

    # Names

    def mixed(self, shared: list[Binding], fixed: Fixed) -> Odds:
        """The result, mixed over the values of shared names."""
        if not shared:
            return self.result(fixed)
        binding, later = shared[0], shared[1:]
        if not isinstance(binding.value, Pool):
            chances = self.number(binding.value, fixed)
            return self.mixture(chances, lambda value: self.mixed(later, {**fixed, binding: value}))
        asked = self.asked(binding, fixed)
        chances = self.joint(binding.value, asked, fixed)
        if not asked:
            return self.mixture(chances, lambda dice: self.mixed(later, {**fixed, binding: dice}))
        return self.mixture(chances, lambda values: self.mixed(later, {**fixed, **dict(zip(asked, values, strict=True))}))

    def mixture(self, chances: Odds, solution: Callable[[Any], Odds]) -> Odds:
        """Mix the solutions by the chances of their conditions."""
        self.spend(10.0 * len(chances))
        solved = {}
        for value, weight in chances.items():
            one = solution(value)
            self.spend(2.0 * len(one))
            solved[value] = (one, weight)
        if len(solved) == 1:
            return one
        return Die([one for one, _ in solved.values()], times=[weight for _, weight in solved.values()])

    def asked(self, binding: Binding, fixed: Fixed) -> list[Total | Count]:
        """What the expression asks about the pool of a name; empty if its dice themselves are needed."""
        asked = list[Total | Count]()
        uses = 0
        for tree in (*self.expression.results, *(_as_node(other.value) for other in self.expression.bindings)):
            nodes = list(walk(tree))
            uses += sum(isinstance(node, Name) and node.binding is binding for node in nodes)
            for node in nodes:
                if isinstance(node, Total | Count) and _is_name(node.pool.source, binding):
                    asked.append(node)
        constant = all(len(self.number(node.threshold, fixed)) == 1 for node in asked if isinstance(node, Count))
        return asked if constant and len(asked) == uses else []

    def joint(self, pool: Pool, asked: list[Total | Count], fixed: Fixed) -> Odds:
        """Joint chances of what is asked about a pool, as tuples; of its sorted dice if nothing is asked."""
        source, keeps = pool.origin
        if isinstance(source, Dice):
            sizes = self.number(source.size, fixed)
            return self.mixture(sizes, lambda size: self.joint_of(source.face.die, int(size), keeps, asked, fixed))
        dice = [self.number(number, fixed) for number in source.numbers]
        self.spend(math.prod(map(len, dice)) * 20.0)
        return self.evaluated(icepool.Pool(dice), len(dice), keeps, asked, fixed)

    def joint_of(self, die: Odds, size: int, keeps: tuple[Keep, ...], asked: list[Total | Count], fixed: Fixed) -> Odds:
        """Joint chances of what is asked about a number of equal dice."""
        if asked and not keeps and not any(node.pool.keeps for node in asked):  # additive: each die adds its share
            shares = die.map(lambda value: icepool.Vector(self.shares(value, asked, fixed)), star=False)
            states = math.prod(size * (max(share[index] for share in shares) + 1) + 1 for index in range(len(asked)))
            self.spend(2.0 * size * len(shares) * min(states, math.comb(size + len(shares) - 1, size)))
            zero = icepool.Vector([0] * len(asked))
            return (size @ shares if size else Die([zero])).map(tuple, star=False)
        states = math.comb(size + len(die) - 1, size)
        if asked:
            states = min(states, 3 * math.prod(int(node.bounds[1] - node.bounds[0] + 1) for node in asked))
        self.spend(10.0 * size * states)
        return self.evaluated(die.pool(size), size, keeps, asked, fixed)

    def shares(self, value: Value, asked: list[Total | Count], fixed: Fixed) -> tuple[Value, ...]:
        """What one die adds to each number that is asked."""
        return tuple(
            value if isinstance(node, Total) else int(holds(node.sign, value, self.threshold(node, fixed))) for node in asked
        )

    def threshold(self, node: Count, fixed: Fixed) -> Value:
        """The threshold of a count, which is certain."""
        value: Value = self.number(node.threshold, fixed).min_outcome()
        return value

    def evaluated(self, pool: Any, size: int, keeps: tuple[Keep, ...], asked: list[Total | Count], fixed: Fixed) -> Odds:
        """Evaluate a pool: what is asked of it, or its sorted dice."""
        base, left = _kept(pool, size, keeps)
        if not asked:
            return base.expand()
        wanted = []
        for node in asked:
            limit = None if isinstance(node, Total) else (node.sign, self.threshold(node, fixed))
            wanted.append((node.pool.keeps, limit))

        def evaluate(dice: Any) -> Any:
            numbers = []
            for more, limit in wanted:
                part, _ = _kept(dice, left, more)
                if limit is None:
                    numbers.append(part.sum())
                else:
                    numbers.append(part.keep_outcomes(lambda value, limit=limit: holds(limit[0], value, limit[1])).size())
            return tuple(numbers)

        return icepool.multiset_function(evaluate)(base)

    # Numbers

    def result(self, fixed: Fixed) -> Odds:
        """The result, or the index of the first outcome whose condition holds."""
        results = self.expression.results
        if not self.expression.labels:
            return self.number(results[0], fixed)
        odds: Odds = Die([len(results)])
        for index in reversed(range(len(results))):
            condition = self.number(results[index], fixed)
            fails = condition.quantity(0)
            self.spend(2.0 * len(odds))
            odds = Die([index, odds], times=[condition.denominator() - fails, fails])
        return odds

    def number(self, node: Node, fixed: Fixed) -> Odds:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of number
        """Exact chances of a number."""
        if node in fixed:
            return Die([fixed[node]])
        self.spend(100.0)
        match node:
            case Constant():
                return Die([node.value])
            case Name():
                return self.named(node, fixed)
            case Sum():
                return self.sum_of(node, fixed)
            case Product():
                factors = self.number(node.left, fixed), self.number(node.right, fixed)
                return self.combined(lambda left, right: apply_product(node.sign, left, right), *factors)
            case Extreme():
                return self.extreme(node, fixed)
            case Rounded():
                number = self.number(node.number, fixed)
                self.spend(len(number))
                return number.map(lambda value: apply_rounded(node.word, value), star=False)
            case Compare():
                sides = self.number(node.left, fixed), self.number(node.right, fixed)
                return self.combined(lambda left, right: int(holds(node.sign, left, right)), *sides)
            case Logic():
                return self.logic(node, fixed)
            case Total():
                return self.total(node, fixed)
            case Count():
                return self.mixture(self.number(node.threshold, fixed), lambda limit: self.count(node, limit, fixed))
            case Largest():
                return self.largest(node, fixed)
            case Pairs():
                return self.pairs(node, fixed)
            case Before():
                return self.before(node, fixed)
            case Battle():
                return self.battle(node)
            case Kills():
                return self.kills(node, fixed)
        raise AssertionError(node)

    def named(self, node: Name, fixed: Fixed) -> Odds:
        """What a name stands for; alone where it is used once."""
        if node.binding in fixed:
            value = fixed[node.binding]
            return Die([sum(value) if isinstance(node.binding.value, Pool) else value])
        return self.number(_as_node(node.binding.value), fixed)

    def sum_of(self, node: Sum, fixed: Fixed) -> Odds:
        """Terms added and subtracted; equal dice are added as one pool, which is many times faster."""
        pools: list[tuple[Dice, int]] = []
        numbers = list[Odds]()
        for sign, term in node.terms:
            dice = _plain_dice(term) if sign > 0 and term not in fixed else None
            if dice is None:
                numbers.append(self.signed(sign, self.number(term, fixed)))
                continue
            place = next((place for place, (other, _) in enumerate(pools) if dice.same_die(other)), len(pools))
            size = int(dice.size.bounds[0]) + (pools[place][1] if place < len(pools) else 0)
            pools[place : place + 1] = [(dice, size)]
        return self.summed([self.total_of(dice.face.die, size, ()) for dice, size in pools] + numbers)

    def signed(self, sign: int, number: Odds) -> Odds:
        """A term or its negative."""
        return number if sign > 0 else -number

    def summed(self, numbers: list[Odds]) -> Odds:
        """Sum of independent numbers, in pairs, so that both sides of a sum are of similar size."""
        while len(numbers) > 1:
            pairs = [self.added(left, right) for left, right in zip(numbers[::2], numbers[1::2], strict=False)]
            numbers = pairs + numbers[len(pairs) * 2 :]
        return numbers[0]

    def added(self, left: Odds, right: Odds) -> Odds:
        """Sum of two independent numbers."""
        products = len(left) * len(right)
        width = (left.denominator() * right.denominator()).bit_length() // 8 + 1
        if products > PACKED_FROM and _integers(left) and _integers(right):
            spans = [odds.max_outcome() - odds.min_outcome() + 1 for odds in (left, right)]
            packed = width * sum(spans) * PACKED_COST * (width * sum(spans) / 1e6) ** 0.58
            if packed < products and spans[0] <= 4 * len(left) and spans[1] <= 4 * len(right):
                self.spend(packed)
                return _packed_sum(left, right, width)
        self.spend(_product_cost(width) * products)
        return left + right

    def combined(self, operation: Callable[[Any, Any], Value], left: Odds, right: Odds) -> Odds:
        """Any operation on two independent numbers."""
        width = (left.denominator() * right.denominator()).bit_length() // 8 + 1
        self.spend((2.0 + _product_cost(width)) * len(left) * len(right))
        return left.binary_operator(right, operation)

    def extreme(self, node: Extreme, fixed: Fixed) -> Odds:
        """The largest or smallest of independent numbers."""
        numbers = [self.number(number, fixed) for number in node.numbers]
        self.spend(5.0 * sum(map(len, numbers)) * len(numbers))
        return icepool.highest(*numbers) if node.word == "max" else icepool.lowest(*numbers)

    def logic(self, node: Logic, fixed: Fixed) -> Odds:
        """Conditions joined."""
        truths = [self.number(condition, fixed).map(lambda value: int(value != 0), star=False) for condition in node.conditions]
        if node.word == "not":
            return truths[0].map(lambda truth: 1 - truth, star=False)
        return icepool.lowest(*truths) if node.word == "and" else icepool.highest(*truths)

    # Pools

    def of_pool(self, pool: Pool, fixed: Fixed, dice_of: Callable[[Any, int, tuple[Keep, ...]], Odds]) -> Odds:
        """Mix what `dice_of` makes of each possible number of dice. dice_of: of a die or list of dice, its number, and keeps."""
        if isinstance(pool.source, Name) and pool.source.binding in fixed:
            dice = list(fixed[pool.source.binding])
            return dice_of([Die([value]) for value in dice], len(dice), pool.keeps)
        source, keeps = pool.origin
        if isinstance(source, Several):
            numbers = [self.number(number, fixed) for number in source.numbers]
            return dice_of(numbers, len(numbers), keeps)
        return self.mixture(self.number(source.size, fixed), lambda size: dice_of(source.face.die, int(size), keeps))

    def total(self, node: Total, fixed: Fixed) -> Odds:
        """Sum of the dice of a pool."""
        return self.of_pool(node.pool, fixed, self.total_of)

    def total_of(self, die: Any, size: int, keeps: tuple[Keep, ...]) -> Odds:
        """Sum of some dice, or of those that are kept."""
        if size == 0:
            return Die([0])
        if isinstance(die, list) or len(keeps) > 1:
            return self.pooled(die, size, keeps, lambda pool: pool.sum())
        if not keeps or (left := keeps[0].size(size)) == size:
            return self.repeated(die, size)
        if left == 0:
            return Die([0])
        self.spend(0.2 * len(die) * left * (left + 1) / 2 * (left * (die.max_outcome() - die.min_outcome()) + 1))
        return die.highest(size, left) if keeps[0].from_top else die.lowest(size, left)

    def repeated(self, die: Odds, size: int) -> Odds:
        """Sum of equal dice."""
        low, high = die.min_outcome(), die.max_outcome()
        if _integers(die) and len(die) == high - low + 1 and die.denominator() == len(die):
            self.spend(0.1 * size * size * len(die))
            return _uniform_sum(low, len(die), size)
        total, power = None, die
        while size:
            if size & 1:
                total = power if total is None else self.added(total, power)
            size >>= 1
            power = self.added(power, power) if size else power
        assert total is not None
        return total

    def pooled(self, die: Any, size: int, keeps: tuple[Keep, ...], evaluate: Callable[[Any], Odds]) -> Odds:
        """Evaluate any pool by icepool's multisets."""
        if isinstance(die, list):
            self.spend(20.0 * math.prod(min(len(one), 30) for one in die) ** 0.5 * size * size + sum(map(len, die)) * size * 20.0)
            pool = icepool.Pool(die)
        else:
            self.spend(2.0 * len(die) * size * size)
            pool = die.pool(size)
        kept, _ = _kept(pool, size, keeps)
        return evaluate(kept)

    def count(self, node: Count, limit: Value, fixed: Fixed) -> Odds:
        """Number of dice that compare with a limit."""

        def dice_of(die: Any, size: int, keeps: tuple[Keep, ...]) -> Odds:
            if size == 0:
                return Die([0])
            if keeps:
                return self.pooled(
                    die, size, keeps, lambda pool: pool.keep_outcomes(lambda value: holds(node.sign, value, limit)).size()
                )
            if isinstance(die, list):
                return self.summed([one.map(lambda value: int(holds(node.sign, value, limit)), star=False) for one in die])
            return self.repeated(self.hits(die, node, limit), size)

        return self.of_pool(node.pool, fixed, dice_of)

    def hits(self, die: Odds, node: Count, limit: Value) -> Odds:
        """What one die adds to a count; with `again`, the highest face counts and is rolled once more, up to `depth` times."""
        top = die.max_outcome()
        hits = die.map(lambda value: int(holds(node.sign, value, limit)), star=False)
        for _ in range(node.depth):
            self.spend(5.0 * len(die) * len(hits))
            more = hits
            hits = die.map(
                lambda value, more=more: (more if value == top else 0) + int(holds(node.sign, value, limit)), star=False
            )
        return hits

    def largest(self, node: Largest, fixed: Fixed) -> Odds:
        """Dice in the largest set of equal or of consecutive numbers."""

        def dice_of(die: Any, size: int, keeps: tuple[Keep, ...]) -> Odds:
            if size == 0:
                return Die([0])
            return self.pooled(
                die, size, keeps, lambda pool: pool.largest_count() if node.word == "same" else pool.largest_straight()
            )

        return self.of_pool(node.pool, fixed, dice_of)

    def pairs(self, node: Pairs, fixed: Fixed) -> Odds:
        """Losses of the left side."""

        def losses(left_die: Any, left: int, left_keeps: tuple[Keep, ...]) -> Odds:
            def against(right_die: Any, right: int, right_keeps: tuple[Keep, ...]) -> Odds:
                mine, mine_left = _kept(_pool_of(left_die, left), left, left_keeps)
                theirs, theirs_left = _kept(_pool_of(right_die, right), right, right_keeps)
                fought = min(mine_left, theirs_left)
                if fought == 0:
                    return Die([0])
                faces = max(_faces(left_die), _faces(right_die))
                self.spend(45.0 * left * right * faces * fought)
                pairs = mine.highest(fought).sort_pair("<=", theirs.highest(fought))
                return pairs.size()

            return self.of_pool(node.right, fixed, against)

        return self.of_pool(node.left, fixed, losses)

    def before(self, node: Before, fixed: Fixed) -> Odds:
        """Successes before failures: the chance of at least this number of successes in the trials that decide it."""
        if isinstance(node.trial, Total):
            return self.race(node, fixed)
        trial = self.number(node.trial, fixed).map(lambda value: int(value != 0), star=False)
        hits = self.repeated(trial, node.successes + node.failures - 1)
        return hits.map(lambda number: int(number >= node.successes), star=False)

    def race(self, node: Before, fixed: Fixed) -> Odds:
        """Successes before failures where a die can be several of either, by the chances of each state."""
        die = self.number(node.trial, fixed)
        moves = [(int(value), weight) for value, weight in die.items() if value]
        total = sum(weight for _, weight in moves)
        chances = {(0, 0): Fraction(1)}
        won = Fraction(0)
        for done in range(node.successes + node.failures - 1):
            for successes in range(min(done, node.successes - 1) + 1):
                chance = chances.pop((successes, done - successes), None)
                if chance is None:
                    continue
                self.spend(4.0 * len(moves))
                for value, weight in moves:
                    state = successes + max(0, value), done - successes + max(0, -value)
                    share = chance * weight / total
                    if state[0] >= node.successes:
                        won += share
                    elif state[1] < node.failures:
                        chances[state] = chances.get(state, Fraction(0)) + share
        return of_fractions({value: share for value, share in ((0, 1 - won), (1, won)) if share})

    def battle(self, node: Battle) -> Odds:
        """Units left at the end, by the chances of each position."""
        faces = [pool.origin[0] for pool in (node.pairs.left, node.pairs.right)]
        assert isinstance(faces[0], Dice)
        assert isinstance(faces[1], Dice)
        most = [int(source.size.bounds[1]) for source in faces if isinstance(source, Dice)]
        rounds: dict[tuple[int, int], list[tuple[int, Fraction]]] = {}
        chances = {(node.left, node.right): Fraction(1)}
        ends: dict[int, Fraction] = {}
        for units in range(node.left + node.right, 0, -1):
            for mine in range(min(units, node.left), -1, -1):
                chance = chances.pop((mine, units - mine), None)
                if chance is None:
                    continue
                theirs = units - mine
                if mine == 0 or theirs == 0:
                    ends[mine - theirs] = chance
                    continue
                sizes = min(mine, most[0]), min(theirs, most[1])
                if sizes not in rounds:
                    rolled = [
                        Pool(Dice(Constant(size), one.face))
                        for size, one in zip(sizes, faces, strict=True)
                        if isinstance(one, Dice)
                    ]
                    odds = self.pairs(Pairs(*rolled), {})
                    rounds[sizes] = [(lost, Fraction(odds.quantity(lost), odds.denominator())) for lost in odds.outcomes()]
                self.spend(20.0 * len(rounds[sizes]))
                fought = min(sizes)
                for lost, share in rounds[sizes]:
                    reached = mine - lost, theirs - (fought - lost)
                    chances[reached] = chances.get(reached, Fraction(0)) + chance * share
        return of_fractions(ends)

    def kills(self, node: Kills, fixed: Fixed) -> Odds:
        """Models removed: the damage of one die after another, on one model after another."""
        if isinstance(node.pool.source, Name) and node.pool.source.binding in fixed:
            return self.kills_of_sorted(node, fixed[node.pool.source.binding])

        def dice_of(die: Any, size: int, _: tuple[Keep, ...]) -> Odds:
            state: Odds = Die([0])
            dice = die if isinstance(die, list) else [die] * size
            for one in dice:
                self.spend(2.0 * len(state) * len(one))
                state = state.binary_operator(one, lambda damage, more: _damaged(damage, more, node.wounds))
            return state.map(lambda damage: damage // node.wounds, star=False)

        return self.of_pool(node.pool, fixed, dice_of)

    def kills_of_sorted(self, node: Kills, dice: tuple[Value, ...]) -> Odds:
        """Models removed by dice that are known without their order: every order is equally likely.

        Raises TooLargeError if another number depends on the same order.
        """
        trees = [*self.expression.results, *(_as_node(binding.value) for binding in self.expression.bindings)]
        same = [one for tree in trees for one in walk(tree) if isinstance(one, Kills) and one.pool.source == node.pool.source]
        others = [one for tree in trees for one in walk(tree) if isinstance(one, Kills) and isinstance(one.pool.source, Name)]
        if len(others) > len(same):
            raise TooLargeError
        faces = sorted(Counter(dice).items())
        chances: dict[tuple[tuple[int, ...], int], Fraction] = {(tuple(number for _, number in faces), 0): Fraction(1)}
        for left in range(len(dice), 0, -1):
            following: dict[tuple[tuple[int, ...], int], Fraction] = {}
            self.spend(4.0 * len(chances) * len(faces))
            for (numbers, damage), chance in chances.items():
                for place, (face, _) in enumerate(faces):
                    if numbers[place]:
                        fewer = (*numbers[:place], numbers[place] - 1, *numbers[place + 1 :])
                        state = fewer, _damaged(damage, int(face), node.wounds)
                        following[state] = following.get(state, Fraction(0)) + chance * numbers[place] / left
            chances = following
        models: dict[int, Fraction] = {}
        for (_, damage), chance in chances.items():
            models[damage // node.wounds] = models.get(damage // node.wounds, Fraction(0)) + chance
        return of_fractions(models)


def _product_cost(width: int) -> float:
    """Microseconds for one product of counts. width: bytes of the product."""
    return float(0.5 + 0.0003 * width**1.58)


def _damaged(damage: int, more: int, wounds: int) -> int:
    """Damage after one die: no more than the current model can take."""
    return damage + min(more, wounds - damage % wounds)


def _plain_dice(node: Node) -> Dice | None:
    """The dice of a sum of a certain number of equal dice that have no name; None for other numbers."""
    if not isinstance(node, Total) or node.pool.keeps:
        return None
    source = node.pool.source
    return source if isinstance(source, Dice) and isinstance(source.size, Constant) else None


def _is_name(source: object, binding: Binding) -> bool:
    return isinstance(source, Name) and source.binding is binding


def _pool_of(die: Any, size: int) -> Any:
    return icepool.Pool(die) if isinstance(die, list) else die.pool(size)


def _faces(die: Any) -> int:
    return max(map(len, die), default=1) if isinstance(die, list) else len(die)


def _kept(pool: Any, size: int, keeps: Iterable[Keep]) -> tuple[Any, int]:
    """A pool of icepool with the dice that remain, and their number."""
    for keep in keeps:
        left = keep.size(size)
        if left < size:
            pool = pool.highest(left) if keep.from_top else pool.lowest(left)
        size = left
    return pool, size


def _integers(odds: Odds) -> bool:
    return isinstance(odds.min_outcome(), int) and all(isinstance(value, int) for value in odds.outcomes())


def of_fractions(chances: Mapping[int, Fraction]) -> Odds:
    """Chances as integers over their common denominator."""
    common = math.lcm(*(chance.denominator for chance in chances.values()))
    return Die({value: chance.numerator * (common // chance.denominator) for value, chance in chances.items()})


def _uniform_sum(low: int, faces: int, size: int) -> Odds:
    """Sum of equal dice with consecutive faces: each die is a sliding sum over the counts, many times faster than products."""
    counts = [1]
    for _ in range(size):
        window, following = 0, []
        for index in range(len(counts) + faces - 1):
            window += counts[index] if index < len(counts) else 0
            window -= counts[index - faces] if index >= faces else 0
            following.append(window)
        counts = following
    return Die({low * size + index: count for index, count in enumerate(counts)})


def _packed_sum(left: Odds, right: Odds, width: int) -> Odds:
    """Sum by one product of long integers, whose digits of `width` bytes are the counts (Kronecker substitution)."""
    lows = left.min_outcome(), right.min_outcome()
    spans = left.max_outcome() - lows[0] + 1, right.max_outcome() - lows[1] + 1
    size = sum(spans) - 1
    packed = [_packed(odds, span, width) for odds, span in zip((left, right), spans, strict=True)]
    data = (packed[0] * packed[1]).to_bytes(width * size, "little")
    counts = (int.from_bytes(data[start : start + width], "little") for start in range(0, width * size, width))
    return Die({sum(lows) + index: count for index, count in enumerate(counts) if count})


def _packed(odds: Odds, span: int, width: int) -> int:
    low = odds.min_outcome()
    return int.from_bytes(b"".join(odds.quantity(low + index).to_bytes(width, "little") for index in range(span)), "little")


def fractions_of(odds: Odds) -> dict[Value, Fraction]:
    """Chance of each result, ascending."""
    total = odds.denominator()
    return {plain(value): Fraction(weight, total) for value, weight in odds.items() if weight}
