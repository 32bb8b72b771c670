"""What a dice expression computes, in words, so that a reader sees whether it is what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.dice.tree import (
    AGAIN,
    Battle,
    Before,
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
    Step,
    Sum,
    Total,
    Truth,
    Value,
)

SIGNS = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}", "==": "{}", "!=": "anything but {}"}
PRODUCTS = {"*": "{} times {}", "/": "{} divided by {}", "//": "{} divided by {} and rounded down"}
LENGTH_MAX = 400  # characters; longer descriptions are cut


def describe(expression: Expression) -> str:
    """What is computed, such as "the number of the 5 dice that show 4 or more"."""
    names = [f"{binding.label} is {_value(binding.value)}" for binding in expression.bindings]
    if expression.labels:
        pairs = zip(expression.labels, expression.results, strict=True)
        result = "the first that holds of " + "; ".join(
            f"{'rolled again' if label.lower() == AGAIN else label} if {_condition(node)}" for label, node in pairs
        )
    else:
        result = _number(expression.results[0])
    text = "; ".join([*names, result]).removeprefix("the ")
    return text if len(text) <= LENGTH_MAX else text[:LENGTH_MAX].rsplit(" ", 1)[0] + " ..."


def _value(value: Node | Pool) -> str:
    return _pool(value) if isinstance(value, Pool) else _number(value)


def _listed(parts: Sequence[str], last: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _number(node: Node) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of number
    match node:
        case Constant():
            return _plain(node.value)
        case Name():
            return node.binding.label
        case Sum():
            return _sum(node)
        case Product():
            return PRODUCTS[node.sign].format(_inner(node.left), _inner(node.right))
        case Extreme():
            word = {"max": "larg", "min": "small"}[node.word] + ("er" if len(node.numbers) == 2 else "est")
            return f"the {word} of {_listed([_inner(number) for number in node.numbers])}"
        case Rounded(word="abs"):
            return f"{_inner(node.number)} without its sign"
        case Rounded():
            return f"{_inner(node.number)} rounded {'down' if node.word == 'floor' else 'up'}"
        case Count() if node.pool.sizes != (1, 1) or node.again:
            again = (
                f", with another roll for each {_plain(node.pool.face_bounds[1])}, up to {node.depth} times" if node.again else ""
            )
            return f"the number of the {_counted(node.pool)} that show {_limit(node.sign, node.threshold)}{again}"
        case Truth() | Count():
            return f"1 if {_condition(node)}, else 0"
        case Total():
            return _total(node.pool)
        case Largest():
            what = "show the same" if node.word == "same" else "show consecutive numbers"
            return f"the largest number of the {_counted(node.pool)} that {what}"
        case Pairs():
            mine, theirs = _pool(node.left), _pool(node.right)
            return f"the losses of {mine} against {theirs}, highest against highest, where a tie is a loss"
        case Battle():
            dice = f"{_pool(node.pairs.left)} against {_pool(node.pairs.right)}"
            return (
                f"units left (of the second side: negative) after a battle to the end of {node.left} against {node.right} units, "
                f"which roll at most {dice}, highest against highest, where a tie is a loss of the first"
            )
        case Kills():
            return f"models of {node.wounds} wounds that {_pool(node.pool)} remove one after another, where damage beyond is lost"
    raise AssertionError(node)


def _plain(value: Value) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):g}"


def _inner(node: Node) -> str:
    """A number inside another, in brackets unless it is one thing."""
    kept = isinstance(node, Total) and bool(node.pool.keeps)
    bracketed = kept or isinstance(node, Sum | Product | Truth | Rounded | Extreme | Pairs | Battle | Kills)
    return f"({_number(node)})" if bracketed else _number(node)


def _sum(node: Sum) -> str:
    text = ""
    for sign, term in node.terms:
        word = {(True, 1): "", (True, -1): "minus ", (False, 1): " plus ", (False, -1): " minus "}[not text, sign]
        number = _inner(term)
        if isinstance(term, Constant) and term.value < 0 and text:
            word, number = {1: " minus ", -1: " plus "}[sign], _plain(-term.value)
        text += word + number
    return text


def _condition(node: Node) -> str:  # noqa: PLR0911 - one line for each kind of condition
    """A condition; a number holds unless it is 0."""
    match node:
        case Constant():
            return "nothing before does" if node.value else "never"
        case Compare():
            verb = "is" if node.sign != "==" or isinstance(node.right, Constant) else "equals"
            return f"{_number(node.left)} {verb} {_limit(node.sign, node.right)}"
        case Logic(word="not"):
            return f"not ({_condition(node.conditions[0])})"
        case Logic():
            parts = [
                f"({_condition(one)})" if isinstance(one, Logic) and one.word != "not" else _condition(one)
                for one in node.conditions
            ]
            return _listed(parts, node.word)
        case Count() if node.pool.sizes == (1, 1) and not node.again:
            return f"{_total(node.pool)} shows {_limit(node.sign, node.threshold)}"
        case Before(trial=Total()):
            return f"the results of {_number(node.trial)} reach {node.successes} before those below 0 reach -{node.failures}"
        case Before():
            return f"{_condition(node.trial)} {node.successes} times before it fails {node.failures} times"
    return f"{_number(node)} is not 0"


def _limit(sign: str, threshold: Node) -> str:
    return SIGNS[sign].format(_inner(threshold))


# Pools


def _total(pool: Pool) -> str:
    """The sum of a pool."""
    if isinstance(pool.source, Name) and not pool.keeps:
        return pool.source.binding.label
    if pool.sizes == (1, 1) and not (pool.keeps and pool.keeps[-1].drop):
        return _pool(pool) if not pool.keeps else f"the {_pool(pool)}"
    return f"the sum of {'the ' if pool.keeps and not pool.keeps[-1].drop else ''}{_pool(pool)}"


def _counted(pool: Pool) -> str:
    """The dice of a pool, after "the number of the"."""
    source = pool.source
    if isinstance(source, Dice) and isinstance(source.size, Constant) and not pool.keeps and not source.face.steps:
        kind = "rolls" if source.face.rolled else "dice"
        of = f" of ({_number(source.face.rolled[0])})" if source.face.rolled else ""
        return f"{source.size.value} {'other ' if source.another else ''}{kind}{of}"
    return f"dice of {_pool(pool)}"


def _pool(pool: Pool) -> str:
    text = _source(pool.source)
    for keep in pool.keeps:
        text = _kept(keep, text)
    return text


def _kept(keep: Keep, text: str) -> str:
    side = "highest" if keep.highest else "lowest"
    some = side if keep.number == 1 else f"{side} {keep.number}"
    return f"{text} without the {some}" if keep.drop else f"{some} of {text}"


def _source(source: Dice | Several | Name) -> str:
    if isinstance(source, Name):
        return source.binding.label
    if isinstance(source, Several):
        return _listed([_number(number) for number in source.numbers])
    if isinstance(source.size, Constant):
        size = "" if source.size.value == 1 else _plain(source.size.value)
    else:
        size = f"({_number(source.size)}) "
    die = source.face.text
    if source.face.rolled:
        size, die = f"{size.strip() or '1'} ", f"{'roll' if size == '' else 'rolls'} of ({_number(source.face.rolled[0])})"
    steps = [_step(source.face, index) for index in range(len(source.face.steps))]
    return f"{'another ' if source.another else ''}{size}{die}" + (f" ({'; '.join(steps)})" if steps else "")


def _step(face: Face, index: int) -> str:
    step = face.steps[index]
    if step.word in ("min", "max"):
        return f"each at {'least' if step.word == 'min' else 'most'} {step.conditions[0][1]}"
    faces = _faces(step)
    if step.word == "!":
        times = replace(face, steps=face.steps[: index + 1]).extra
        return f"{faces} rolled again and added, up to {times} times"
    return f"{faces} rerolled {'until another face comes up' if step.word == 'r' else 'once'}"


def _faces(step: Step) -> str:
    return _listed([SIGNS[sign].format(limit) for sign, limit in step.conditions])
