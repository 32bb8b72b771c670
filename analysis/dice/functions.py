"""Functions of the language of dice: each reads its arguments from the parser, after the opening bracket."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from analysis.dice.tokens import COMPARED, Token
from analysis.dice.tree import (
    Battle,
    Before,
    Constant,
    Count,
    Dice,
    Extreme,
    Keep,
    Kills,
    Largest,
    Name,
    Node,
    Pairs,
    Pool,
    Rounded,
    Several,
    Sum,
    Total,
    rolls_dice,
    walk,
)

if TYPE_CHECKING:
    from analysis.dice.language import Parser

DICE_MAX = 200  # dice of one pool
UNITS_MAX = 50  # of one side of a battle
WOUNDS_MAX = 1000  # of a model


def extreme_of(parser: Parser, token: Token) -> Node:
    """The larger or smaller of numbers."""
    numbers = parser.numbers()
    if len(numbers) == 1:
        which = "highest" if token.text == "max" else "lowest"
        parser.fail(f"{token.text} needs two numbers or more; for one die of a pool use {which}(1, 4d6)", token.position)
    return Extreme(token.text, tuple(numbers))


def rounded_of(parser: Parser, token: Token) -> Node:
    """A number rounded, or without its sign."""
    return Rounded(token.text, parser.any().node)


def sum_of(parser: Parser, _: Token) -> Node:
    """Sum of numbers."""
    numbers = parser.numbers()
    return numbers[0] if len(numbers) == 1 else Sum(tuple((1, number) for number in numbers))


def count_of(parser: Parser, _: Token) -> Node:
    """Dice of a pool for which a comparison holds."""
    pool = parser.pool_argument("count(5d6>=4)")
    if parser.token.text not in COMPARED:
        right = "count needs a comparison, such as count(5d6>=4), or for equal dice same(5d6)>=3"
        parser.fail(f"{right}, found {parser.excerpt}")
    sign = parser.sign()
    threshold = parser.floored().node
    return Count(pool, sign, threshold, parser.again(pool))


def highest_of(parser: Parser, token: Token) -> Node:
    """The highest or lowest dice of a pool or of a list."""
    if "d" in (parser.token.text, parser.ahead(1).text):
        parser.fail(f"write how many dice first, such as {token.text}(1, 2d6)")
    number = parser.integer("the number of dice to keep", 1, DICE_MAX)
    parser.expect(",")
    keep = Keep(token.text == "highest", number)
    start = parser.next
    terms = [parser.any()]
    while parser.take(","):
        terms.append(parser.any())
    text = parser.text[parser.tokens[start].position : parser.token.position].strip()
    first = terms[0].pool_of
    if len(terms) == 1:
        if first is None:
            parser.fail(f"{token.text} needs a pool or several dice, such as {token.text}(2, d6, d8, d10)", token.position)
        return Total(Pool(first.source, (*first.keeps, keep), text))
    for term in terms:
        if term.pool_of is not None and term.pool_of.sizes != (1, 1):
            pool = term.pool_of.text
            parser.fail(
                f"{pool} beside others can mean its sum or its dice: write sum({pool}), or each die, such as d6, d6",
                parser.tokens[term.start].position,
            )
    return Total(Pool(Several(tuple(term.node for term in terms)), (keep,), text))


def largest_of(parser: Parser, token: Token) -> Node:
    """Dice in the largest set of equal dice or of consecutive numbers."""
    pool = parser.pool_argument(f"{token.text}(5d6)")
    return Largest(token.text, pool)


def pairs_of(parser: Parser, _: Token) -> Pairs:
    """Losses of two pools, highest against highest."""
    left = parser.pool_argument("pairs(3d6, 2d6)")
    if parser.token.text == ")":
        parser.fail(f"pairs needs the dice of two sides, such as pairs(3d6, 2d6); for equal dice write same({left.text})>=2")
    parser.expect(",")
    return Pairs(left, parser.pool_argument("pairs(3d6, 2d6)"))


def before_of(parser: Parser, _: Token) -> Node:
    """Whether a number of successes comes before a number of failures."""
    successes = parser.integer("the number of successes", 1, DICE_MAX // 2)
    parser.expect(",")
    failures = parser.integer("the number of failures", 1, DICE_MAX // 2)
    parser.expect(",")
    rolled = parser.dice
    position = parser.token.position
    trial = parser.trial()
    if not rolls_dice(trial) and any(isinstance(node, Name) for node in walk(trial)):
        parser.fail("a name stands for one roll; in before(...) write the dice that are rolled each time", position)
    parser.dice += (parser.dice - rolled) * (successes + failures - 2)
    return Before(successes, failures, trial)


def battle_of(parser: Parser, token: Token) -> Node:
    """Units left after a battle."""
    left = parser.integer("the units of the first side", 1, UNITS_MAX)
    parser.expect(",")
    right = parser.integer("the units of the second side", 1, UNITS_MAX)
    parser.expect(",")
    position = parser.token.position
    if not (parser.take("pairs") and parser.token.text == "("):
        parser.fail("expected pairs(3d6, 2d6), the dice of a round at full strength", position)
    parser.open()
    rolled = parser.dice
    pairs = pairs_of(parser, token)
    parser.close()
    parser.dice += (parser.dice - rolled) * (left + right - 1)
    for pool in (pairs.left, pairs.right):
        source, keeps = pool.origin
        if keeps or not isinstance(source, Dice) or not isinstance(source.size, Constant) or not source.size.value:
            parser.fail("the pools of a battle are plain, such as pairs(3d6, 2d6)", position)
    return Battle(left, right, pairs)


def kills_of(parser: Parser, token: Token) -> Node:
    """Models that damage removes."""
    wounds = parser.integer("the wounds of a model", 1, WOUNDS_MAX)
    parser.expect(",")
    pool = parser.pool_argument("kills(2, 5d6)")
    if pool.face_bounds[0] < 0:
        parser.fail("the damage of a die cannot be negative", token.position)
    source, keeps = pool.origin
    if keeps or isinstance(source, Several):
        parser.fail("kills needs equal dice, all of which count", token.position)
    return Kills(wounds, pool)


FUNCTIONS: Mapping[str, Callable[[Parser, Token], Node]] = {
    "max": extreme_of,
    "min": extreme_of,
    "floor": rounded_of,
    "ceil": rounded_of,
    "abs": rounded_of,
    "sum": sum_of,
    "count": count_of,
    "highest": highest_of,
    "lowest": highest_of,
    "same": largest_of,
    "straight": largest_of,
    "pairs": pairs_of,
    "before": before_of,
    "battle": battle_of,
    "kills": kills_of,
}
