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
ROLLS_MAX = 2000  # different rolls of one pool
NAMED_ROLLS_MAX = 200  # of a pool that is used twice
FURTHER_MAX = 50  # further rolls of one die
ALMOST_NEVER = Fraction(1, 10**9)  # a further roll of this chance or less is the last


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
    """A die: text, and the chance of each of its faces. small: its faces are 1 to 2, 3 or 4."""
    text, faces = unchanged_die(random, small)
    if small:
        return text, faces
    if random.random() < 0.15:
        text, faces = limited(random, text, faces)
    if random.random() < 0.15 and len(faces) > 1:
        text, faces = exploding(random, text, faces)
        if random.random() < 0.3:
            text, faces = limited(random, text, faces)
    return text, faces


def unchanged_die(random, small):
    """A die without limits and explosions."""
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
    limit += limit == 1  # no face is below 1, which is refused
    return f"d4ro<{limit}", mixed(rolled, lambda face: rolled if face < limit else {face: Fraction(1)})


def limited(random, text, faces):
    """A die each of whose faces is at least or at most a number."""
    word, limit = random.choice(["min", "max"]), random.randint(0, 4)
    if word == "min" and limit > max(faces):  # refused: every face would be the same
        word = "max"
    function = max if word == "min" else min
    return f"{text}{word}{limit}", mapped(lambda face: function(face, limit), faces)


def exploding(random, text, faces):
    """A die that is rolled again, and added, if it shows one of some faces."""
    top = max(faces)
    if random.random() < 0.5:
        return f"{text}!", exploded(faces, {top}, further_rolls(faces[top]))
    sign = random.choice([">=", ">", "<=", "<"])
    limit = random.choice(sorted(faces))
    again = {face for face in faces if SIGNS[sign](face, limit)}
    if len(again) == len(faces):  # would never end
        sign, again = "<", {face for face in faces if face < limit}
    if len(again) == len(faces) or not again:
        sign, limit, again = ">=", top, {top}
    return f"{text}!{sign}{limit}", exploded(faces, again, further_rolls(sum(faces[face] for face in again)))


def further_rolls(chance):
    """The most further rolls of a die, each of which has this chance."""
    number = 0
    while number < FURTHER_MAX and chance**number > ALMOST_NEVER:
        number += 1
    return number


def exploded(faces, again, left):
    """Chances of the sum of a die and of its further rolls, of which `left` are possible."""
    if left == 0:
        return faces
    further = exploded(faces, again, left - 1)
    return mixed(faces, lambda face: shifted(further, face) if face in again else {face: Fraction(1)})


def hits(faces, fits, left):
    """Chances of the number of rolls of a die that fit, where the highest face is rolled again."""
    top = max(faces)
    further = hits(faces, fits, left - 1) if left else {0: Fraction(1)}
    return mixed(faces, lambda face: shifted(further, int(fits(face))) if face == top else {int(fits(face)): Fraction(1)})


def shifted(part, number):
    """Chances of a part plus a number."""
    return {value + number: chance for value, chance in part.items()}


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
    text, faces = die(random)
    number = random.randint(0, most)
    while len(faces) ** number > ROLLS_MAX:
        number -= 1
    written = (str(number) if number != 1 or random.random() < 0.5 else "") + text
    every = rolls(number, faces)
    kind = random.randrange(6)
    sign, limit = random.choice(list(SIGNS)), random.choice(sorted(faces))
    if kind == 0 and number:
        word, left = random.choice(["kh", "kl", "dh", "dl", "k"]), random.randint(1, number)
        return f"{written}{word}{left}", mapped(lambda roll: sum(kept(roll, word, left)), every)
    if kind in (1, 2):
        counted = f"({written})" if "!" in written else written  # d4!>=3 would be rolled again from 3
        return f"count({counted}{sign}{limit})", mapped(lambda roll: sum(SIGNS[sign](face, limit) for face in roll), every)
    if kind == 3 and number:
        word, left = random.choice(["highest", "lowest"]), random.randint(1, number)
        return f"{word}({left}, {written})", mapped(lambda roll: sum(kept(roll, word, left)), every)
    if kind == 4 and "!" not in written and len(faces) > 1:
        each = hits(faces, lambda face: SIGNS[sign](face, limit), further_rolls(faces[max(faces)]))
        return f"count({written}{sign}{limit}!)", mapped(lambda *roll: sum(roll), *[each] * number)
    return f"sum({written})" if random.random() < 0.3 else written, mapped(sum, every)


def rolled_size(random):
    """As many dice as another die shows."""
    size_text, size = die(random, small=True)
    text, faces = die(random, small=True)
    return f"({size_text}){text}", mixed(size, lambda number: mapped(sum, rolls(number, faces)))


def several(random):
    """The highest or lowest of dice of different kinds and of sums."""
    parts = [("d3", chances(range(1, 4)))]
    while len(parts) < 2 or random.random() < 0.3:
        text, results = random.choice([die, die, summed])(random)
        if len(results) <= 30:
            parts.append((text, results))
    word, left = random.choice(["highest", "lowest"]), random.randint(1, len(parts))
    text = f"{word}({left}, {', '.join(text for text, _ in parts)})"
    return text, mapped(lambda *values: sum(kept(values, word, left)), *(results for _, results in parts))


def summed(random):
    """A pool as one number."""
    text, results = pool(random, 2)
    return f"sum({text})", results


def against_a_die(random):
    """The number of dice that compare with another die, which is rolled once for all."""
    text, faces = die(random)
    limit_text, limits = die(random, small=True)
    number, sign = random.randint(0, 2), random.choice(list(SIGNS))
    every = rolls(number, faces)
    results = mixed(limits, lambda limit: mapped(lambda roll: sum(SIGNS[sign](face, limit) for face in roll), every))
    return f"count(({number}{text}){sign}1{limit_text})", results


def pairs(random):
    """Losses of sorted pairs, in which ties are losses."""
    left, right, faces = random.randint(1, 3), random.randint(1, 2), random.randint(2, 4)
    return f"pairs({left}d{faces}, {right}d{faces})", losses(left, right, faces)


def losses(left, right, faces):
    """Chances of the losses of the left side."""
    shares = chances(range(1, faces + 1))
    return mapped(lost_of, rolls(left, shares), rolls(right, shares))


def lost_of(mine, theirs):
    """Losses of a roll against another."""
    return sum(one <= other for one, other in zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False))


def sets(random):
    """Dice in the largest set of equal or consecutive ones."""
    text, faces = die(random)
    number = random.randint(0, 4)
    while len(faces) ** number > ROLLS_MAX:
        number -= 1
    word, function = random.choice([("same", largest_set), ("straight", longest_run)])
    return f"{word}({number}{text})", mapped(function, rolls(number, faces))


def pool_of_pools(random):
    """Dice that each show the result of a pool of their own, added, kept or counted."""
    text, results = pool(random, 2)
    results = {int(value): chance for value, chance in results.items()}
    number = random.randint(1, 3)
    while len(results) ** number > ROLLS_MAX:
        number -= 1
    if number == 0 or text.isdigit():
        return pool(random)
    every, limit = rolls(number, results), random.choice(sorted(results))
    written = f"{number}d({text})"
    form, function = random.choice(
        [
            (f"sum({written})", sum),
            (f"{written}kh1", max),
            (f"same({written})", largest_set),
            (f"count({written}>={limit})", lambda roll: sum(face >= limit for face in roll)),
        ]
    )
    return form, mapped(function, every)


def battle(random):
    """Units left when rounds of sorted pairs are fought to the end, each with as many dice as there are units at most."""
    most_left, most_right, faces = random.randint(1, 3), random.randint(1, 2), random.randint(2, 4)
    units = random.randint(1, 4), random.randint(1, 4)

    def fought(left, right):
        if left == 0 or right == 0:
            return {left - right: Fraction(1)}
        dice = min(left, most_left), min(right, most_right)
        return mixed(losses(*dice, faces), lambda lost: fought(left - lost, right - (min(dice) - lost)))

    text = f"battle({units[0]}, {units[1]}, pairs({most_left}d{faces}, {most_right}d{faces}))"
    return text, fought(*units)


def before(random):
    """Whether a condition holds some times before it fails some times."""
    trial_text, trial = pool(random, 2)
    limit = random.choice(sorted(trial))
    successes, failures = random.randint(1, 4), random.randint(1, 4)
    results = raced(successes, failures, holding(trial, ">=", limit))
    return f"before({successes}, {failures}, sum({trial_text}) >= {limit})", results


def raced(successes, failures, chance):
    """Chances of 1, successes before failures, and of 0. chance: of a success."""

    def won(successes, failures):
        if successes == 0 or failures == 0:
            return Fraction(successes == 0)
        return chance * won(successes - 1, failures) + (1 - chance) * won(successes, failures - 1)

    wins = won(successes, failures)
    return {value: share for value, share in ((0, 1 - wins), (1, wins)) if share}


def kills(random):
    """Models that dice remove one after another, where damage beyond the wounds of a model is lost."""
    wounds = random.randint(1, 4)
    text, faces = die(random)
    while min(faces) < 0:
        text, faces = die(random)

    def removed(roll):
        return models_removed(wounds, roll)

    if len(faces) < 6 and random.random() < 0.4:
        size_text, size = die(random, small=True)
        return f"kills({wounds}, ({size_text}){text})", mixed(size, lambda number: mapped(removed, rolls(number, faces)))
    number = random.randint(0, 4)
    while len(faces) ** number > ROLLS_MAX:
        number -= 1
    return f"kills({wounds}, {number}{text})", mapped(removed, rolls(number, faces))


def models_removed(wounds, roll):
    """Models that dice remove in the order in which they are rolled."""
    models, damage = 0, 0
    for face in roll:
        damage += face
        if damage >= wounds:
            models, damage = models + 1, 0
    return models


def constant(random):
    """A number."""
    value = random.choice([0, 1, 2, 3, 7, Fraction(3, 2)])
    return ("1.5" if value == Fraction(3, 2) else str(value)), {value: Fraction(1)}


def questions_about(random, number, faces):
    """Two or three questions about a roll r: text, and the chances of the answer for a roll."""
    questions = []
    for _ in range(random.randint(2, 3)):
        sign, limit, left = random.choice(list(SIGNS)), random.choice(sorted(faces)), random.randint(1, number)
        other_text, other = die(random, small=True)
        others, tries = random.randint(1, 2), random.randint(1, 2)
        questions.append(
            random.choice(
                [
                    (f"count(r{sign}{limit})", certain(lambda roll, s=sign, k=limit: sum(SIGNS[s](face, k) for face in roll))),
                    ("sum(r)", certain(sum)),
                    ("same(r)", certain(largest_set)),
                    *(
                        [(f"kills({tries}, r)", certain(lambda roll, t=tries: models_removed(t, roll)))]
                        if min(faces) >= 0 and not any("kills" in question for question, _ in questions)
                        else []
                    ),
                    ("straight(r)", certain(longest_run)),
                    (f"highest({left}, r)", certain(lambda roll, k=left: sum(sorted(roll)[-k:]))),
                    (f"lowest({left}, r)", certain(lambda roll, k=left: sum(sorted(roll)[:k]))),
                    (
                        f"pairs(r, {others}{other_text})",
                        lambda roll, n=others, o=other: mapped(lambda theirs: lost_of(roll, theirs), rolls(n, o)),
                    ),
                    (
                        f"before({tries}, 2, sum({other_text}) >= lowest({left}, r))",
                        lambda roll, t=tries, k=left, o=other: raced(
                            t, 2, sum(chance for face, chance in o.items() if face >= sum(sorted(roll)[:k]))
                        ),
                    ),
                ]
            )
        )
    return questions


def largest_set(roll):
    """Dice in the largest set of equal ones."""
    return max((list(roll).count(face) for face in roll), default=0)


def longest_run(roll):
    """Dice in the longest run of consecutive numbers."""
    return max(
        (length for length in range(1, len(roll) + 1) for face in roll if {*range(face, face + length)} <= {*roll}), default=0
    )


def certain(function):
    """Chances of a function of a roll, which is certain."""
    return lambda roll: {function(roll): Fraction(1)}


def named_roll(random):
    """A roll r: text, its number of dice, the chances of their faces, and of every roll."""
    text, faces = die(random)
    number = random.randint(1, 3)
    while len(faces) ** number > NAMED_ROLLS_MAX and number > 1:
        number -= 1
    return f"r = {number}{text}", number, faces, rolls(number, faces)


def shared(random):
    """The same roll used twice, as a sum of two questions about it."""
    roll_text, number, faces, every = named_roll(random)
    questions = questions_about(random, number, faces)

    def result(roll):
        return mapped(lambda first, *others: first - sum(others), *(answer(roll) for _, answer in questions))

    return f"{roll_text}; " + " - ".join(question for question, _ in questions), mixed(every, result)


def outcomes(random):
    """The place of the first condition that holds. Conditions ask about one roll, and some about other dice too."""
    roll_text, number, faces, every = named_roll(random)
    conditions = []
    names = []
    for question, answer in questions_about(random, number, faces):
        rolled = "pairs" in question or "before" in question
        if rolled and any("pairs" in text or "before" in text for text, _ in conditions):
            continue  # two outcomes that roll dice without a name are refused
        sign, limit = random.choice(list(SIGNS)), random.randint(0, 5)
        text, other = f"{question} {sign} {limit}", {1: Fraction(1)}
        if random.random() < 0.3:
            other_text, other = pool(random, 1)
            names.append(f"{'abc'[len(names)]} = {other_text}; ")
            text += f" and sum({names[-1][0]}) != 0"
        conditions.append((text, lambda roll, f=answer, s=sign, k=limit, o=other: holding(f(roll), s, k) * holding(o, "!=", 0)))
    if random.random() < 0.5:
        conditions.append(("1", lambda _: Fraction(1)))

    def first(roll):
        results, remaining = {}, Fraction(1)
        for place, (_, chance) in enumerate(conditions):
            results[place] = remaining * chance(roll)
            remaining -= results[place]
        results[len(conditions)] = remaining
        return {place: share for place, share in results.items() if share}

    rows = "; ".join(f"outcome {place}: {text}" for place, (text, _) in enumerate(conditions))
    return f"{''.join(names)}{roll_text}; {rows}", mixed(every, first)


def holding(part, sign, limit):
    """Chance that a part compares with a limit."""
    return sum((chance for value, chance in part.items() if SIGNS[sign](value, limit)), Fraction(0))


def named_number(random):
    """A number used twice."""
    text, results = random.choice([pool, rolled_size, pairs, battle, kills])(random)
    form, function = random.choice(
        [
            ("a * a", lambda value: value * value),
            ("a * 2 - max(a, 2)", lambda value: value * 2 - max(value, 2)),
            ("(a + 1) // 2 - a", lambda value: (value + 1) // 2 - value),
        ]
    )
    return f"a = {text}; {form}", mapped(function, results)


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
    if word in ("and", "or"):  # numbers are no conditions
        form = f"sum({{}}) != 0 {word} 0 != sum({{}})"
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
            ("not sum({}) != 0", lambda value: int(value == 0)),
        ]
    )
    return form.format(text, d=divisor, m=limit), mapped(function, results)


def expression(seed):
    """A random expression: text, and the chance of each result."""
    random = Random(seed)
    if random.random() < 0.25:
        return random.choice([shared, shared, outcomes, named_number])(random)
    kinds = [
        pool,
        pool,
        pool,
        pool,
        rolled_size,
        several,
        against_a_die,
        pairs,
        sets,
        pool_of_pools,
        battle,
        before,
        kills,
        constant,
    ]
    parts = [random.choice(kinds)(random) for _ in range(random.randint(1, 3))]
    result = parts[0]
    for part in parts[1:]:
        if len(result[1]) * len(part[1]) <= LARGEST:
            result = joined(random, result, part)
        if random.random() < 0.4:
            result = changed(random, result)
    return result
