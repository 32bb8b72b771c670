"""An oracle for dice expressions that shares no code with `analysis.dice`: random expressions, with every result enumerated.

An expression is its text and the chance of each result, a Fraction. Pools are enumerated roll by roll.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import ceil, floor
from operator import eq, ge, gt, le, lt, ne
from random import Random

SIGNS = {">=": ge, "<=": le, ">": gt, "<": lt, "==": eq, "!=": ne}
LARGEST = 600  # results of one part, so that products of two stay small


def chances(results):
    """Equally likely results as chances."""
    counted = defaultdict(int)
    for result in results:
        counted[result] += 1
    return {result: Fraction(number, len(results)) for result, number in counted.items()}


def mapped(function, *parts):
    """Chances of a function of independent parts."""
    total = defaultdict(Fraction)
    for outcomes in product(*(part.items() for part in parts)):
        chance = Fraction(1)
        for _, share in outcomes:
            chance *= share
        total[function(*(value for value, _ in outcomes))] += chance
    return dict(total)


def mixed(part, solution):
    """Chances of what follows from each result of a part."""
    total = defaultdict(Fraction)
    for value, share in part.items():
        for result, chance in solution(value).items():
            total[result] += share * chance
    return dict(total)


def die(random, small=False):
    """A die: text, and the chance of each of its faces."""
    kind = random.randrange(8)
    if small or kind < 4:
        faces = random.randint(2, 4)
        return f"d{faces}", chances(range(1, faces + 1))
    if kind == 4:
        return "dF", chances([-1, 0, 1])
    if kind == 5:
        faces = sorted(random.choices(range(-1, 4), k=3))
        return f"d{{{','.join(map(str, faces))}}}", chances(faces)
    limit = random.randint(1, 3)
    if kind == 6:
        kept = [face for face in range(1, 5) if face != limit]
        return random.choice([f"d4r{limit}", f"d4 rr {limit}", f"d4r=={limit}"]), chances(kept)
    rolled = chances(range(1, 5))
    return f"d4ro<{limit}", mixed(rolled, lambda face: rolled if face < limit else {face: Fraction(1)})


def rolls(number, faces):
    """Every roll of equal dice with its chance."""
    return mapped(lambda *roll: roll, *[faces] * number)


def kept(roll, word, number):
    """The dice that remain."""
    ordered = sorted(roll)
    if word in ("kh", "k", "highest"):
        return ordered[max(0, len(ordered) - number) :]
    if word in ("kl", "lowest"):
        return ordered[:number]
    return ordered[: max(0, len(ordered) - number)] if word == "dh" else ordered[number:]


def pool(random, most=3):
    """A pool that is added or counted."""
    number = random.randint(0, most)
    text, faces = die(random)
    written = (str(number) if number != 1 or random.random() < 0.5 else "") + text
    every = rolls(number, faces)
    kind = random.randrange(5)
    if kind == 0 and number:
        word, left = random.choice(["kh", "kl", "dh", "dl", "k"]), random.randint(1, number)
        return f"{written}{word}{left}", mapped(lambda roll: sum(kept(roll, word, left)), every)
    if kind in (1, 2):
        sign, limit = random.choice(list(SIGNS)), random.choice(sorted(faces))
        return f"count({written}{sign}{limit})", mapped(lambda roll: sum(SIGNS[sign](face, limit) for face in roll), every)
    if kind == 3 and number:
        word, left = random.choice(["highest", "lowest"]), random.randint(1, number)
        return f"{word}({left}, {written})", mapped(lambda roll: sum(kept(roll, word, left)), every)
    return f"sum({written})" if random.random() < 0.3 else written, mapped(sum, every)


def rolled_size(random):
    """As many dice as another die shows."""
    size_text, size = die(random, small=True)
    text, faces = die(random, small=True)
    return f"({size_text}){text}", mixed(size, lambda number: mapped(sum, rolls(number, faces)))


def pairs(random):
    """Losses of sorted pairs, in which ties are losses."""
    left, right, faces = random.randint(1, 3), random.randint(1, 2), random.randint(2, 4)
    shares = chances(range(1, faces + 1))

    def lost(mine, theirs):
        return sum(one <= other for one, other in zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False))

    return f"pairs({left}d{faces}, {right}d{faces})", mapped(lost, rolls(left, shares), rolls(right, shares))


def constant(random):
    """A number."""
    value = random.choice([0, 1, 2, 3, 7, Fraction(3, 2)])
    return ("1.5" if value == Fraction(3, 2) else str(value)), {value: Fraction(1)}


def shared(random):
    """The same roll used twice, as a sum of two questions about it."""
    number, faces = random.randint(1, 3), random.randint(2, 4)
    questions = []
    for _ in range(random.randint(2, 3)):
        sign, limit, left = random.choice(list(SIGNS)), random.randint(1, faces), random.randint(1, number)
        questions.append(
            random.choice(
                [
                    (f"count(r{sign}{limit})", lambda roll, s=sign, k=limit: sum(SIGNS[s](face, k) for face in roll)),
                    ("sum(r)", sum),
                    (f"highest({left}, r)", lambda roll, k=left: sum(sorted(roll)[-k:])),
                    (f"lowest({left}, r)", lambda roll, k=left: sum(sorted(roll)[:k])),
                ]
            )
        )
    text = f"r = {number}d{faces}; " + " - ".join(question for question, _ in questions)
    every = rolls(number, chances(range(1, faces + 1)))

    def result(roll):
        values = [function(roll) for _, function in questions]
        return values[0] - sum(values[1:])

    return text, mapped(result, every)


BINARY = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "max": max,
    "min": min,
    ">=": lambda a, b: int(a >= b),
    "<": lambda a, b: int(a < b),
    "and": lambda a, b: int(a != 0 and b != 0),
    "or": lambda a, b: int(a != 0 or b != 0),
}


def joined(random, left, right):
    """Two expressions in one."""
    word = random.choice(list(BINARY))
    form = f"{word}({{}}, {{}})" if word in ("max", "min") else f"({{}}) {word} ({{}})"
    if word in (">=", "<"):  # directly after a pool it would count dice
        form = f"sum({{}}) {word} sum({{}})"
    if word in ("+", "-", "*") and random.random() < 0.3:
        form = form.replace("-", "\u2212").replace("*", "\u00d7")
    return form.format(left[0], right[0]), mapped(BINARY[word], left[1], right[1])


def changed(random, part):
    """An expression rounded, divided, negated or limited."""
    text, results = part
    divisor, limit = random.randint(2, 3), random.randint(0, 3)
    form, function = random.choice(
        [
            ("floor(({}) / {d})", lambda value: floor(Fraction(value) / divisor)),
            ("ceil(({}) / {d})", lambda value: ceil(Fraction(value) / divisor)),
            ("({}) // {d}", lambda value: floor(Fraction(value) / divisor)),
            ("({}) / {d}", lambda value: Fraction(value) / divisor),
            ("abs({})", abs),
            ("-({})", lambda value: -value),
            ("(({}) floor {m})", lambda value: max(value, limit)),
            ("not ({})", lambda value: int(value == 0)),
        ]
    )
    return form.format(text, d=divisor, m=limit), mapped(function, results)


def expression(seed):
    """A random expression: text, and the chance of each result."""
    random = Random(seed)
    if random.random() < 0.2:
        return shared(random)
    parts = [random.choice([pool, pool, pool, rolled_size, pairs, constant])(random) for _ in range(random.randint(1, 3))]
    result = parts[0]
    for part in parts[1:]:
        if len(result[1]) * len(part[1]) <= LARGEST:
            result = joined(random, result, part)
        if random.random() < 0.4:
            result = changed(random, result)
    return result
