"""The language of dice expressions: from text to a tree (`analysis.dice.tree`), or to an error that points at the invalid part.

It never runs text as code. docs/dice-and-duels.md has the language on one page.

One rule decides what a comparison means. Directly after a pool it counts dice (5d6>=4), and it stands alone, beside other
counts, or before plain numbers. After anything else (2d6+3>=10) it compares two numbers. What could be meant in both ways is
refused with both spellings.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, NoReturn

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
    chance_of,
    explosions,
    plain,
    walk,
)

TEXT_MAX = 500  # characters of an expression
DEPTH_MAX = 30  # nested brackets
FACTORS_MAX = 20  # multiplied or divided in a row
DICE_MAX = 200  # dice of one pool
ROLLED_MAX = 20_000  # dice of one result
FACES_MAX = 1000  # faces of a die
NUMBER_MAX = 1_000_000  # constants and multiples
RESULT_MAX = 10**9  # size of any result
SPAN_MAX = 100_000  # widest range of results
UNITS_MAX = 50  # of one side of a battle
NAMES_MAX = 20
STEPS_MAX = 4  # changes of one die
EXPLODING_MAX = 500_000  # faces rolled again, times faces, times squared depth: less than a second

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<word>[A-Za-z_]+)|(?P<sign>>=|<=|==|!=|//|[-+*/(),;:=<>!%{}]))", re.ASCII
)
_TYPOGRAPHIC = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "\u00b7": "*", "\u00f7": "/", "\u2265": "\ue000"})
_TWO_SIGNS = {"\u2265": ">=", "\u2264": "<=", "\u2260": "!="}
_COMPARED = (">=", "<=", "==", "!=", ">", "<")
_KEEPS = {"kh": (True, False), "k": (True, False), "kl": (False, False), "dh": (True, True), "dl": (False, True)}
_STEPS = {"r": "r", "rr": "r", "ro": "ro"}
_MODIFIERS = (*_KEEPS, *_STEPS, "min", "max", "cs")
_FUNCTIONS = (
    *("max", "min", "floor", "ceil", "abs", "sum", "count", "highest", "lowest"),
    *("pairs", "before", "battle", "kills"),
)
_RESERVED = {"d", "df", "and", "or", "not", *_FUNCTIONS, *_KEEPS}


class DiceError(ValueError):
    """An invalid dice expression; the message points at the position."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        excerpt = "".join(character if character.isprintable() else " " for character in text[:TEXT_MAX])
        super().__init__(f"dice expression, position {position + 1}: {problem}\n  {excerpt}\n  {' ' * position}^")
        self.position = position


class _Token(NamedTuple):
    """kind: "number", "word", "sign" or "end"; text in lower case; position and end in the text."""

    kind: str
    text: str
    position: int
    end: int


@dataclass(frozen=True)
class _Term:
    """A number, and what the rule of comparisons needs. start: token at which it begins.

    bare: a comparison directly after a pool, which begins at token `pool` and has its sign at token `sign`.
    counts: a count, alone or with plain numbers. pool_of: set if it is a pool and nothing else.
    """

    node: Node
    start: int
    bare: bool = False
    counts: bool = False
    pool_of: Pool | None = None
    pool: int = 0
    sign: int = 0


def read(text: str) -> Expression:
    """Parse an expression. Raises DiceError at the first part that is invalid or too large."""
    return _Parser(text).program()


class _Parser:
    """Recursive descent parser, one method per rule of the grammar.

    program: {name "=" any ";"} (any | label ":" any {";" label ":" any}); any: and {"or" and}; and: not {"and" not};
    not: ["not"] compared; compared: floored [sign floored]; floored: sum ["floor" integer]; sum: product {("+" | "-") product};
    product: signed {("*" | "/" | "//") signed}; signed: {"+" | "-"} atom; atom: number | pool | name | function | "(" any ")".
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.next, self.dice = 0, 0
        self.comparing = [True]  # of each bracket: whether a comparison after a pool counts its dice
        self.bindings: dict[str, Binding] = {}
        if len(text) > TEXT_MAX:
            self._fail(f"{len(text)} characters are too many; at most {TEXT_MAX} are allowed", TEXT_MAX - 1)
        self.tokens = self._split()

    # Names and outcomes

    def program(self) -> Expression:
        """Parse everything."""
        labels, results = list[str](), list[Node]()
        while self._token.kind == "word" and self._ahead(1).text == "=":
            self._bind()
            self._expect(";")
        while self._label_ahead():
            labels.append(self._label())
            self._expect(":")
            results.append(self._any().node)
            if not self._take(";"):
                break
        if not labels:
            results.append(self._any().node)
        self._end()
        if self.dice > ROLLED_MAX:
            self._fail(f"{self.dice} dice are too many for one result; at most {ROLLED_MAX} are allowed", 0)
        return Expression(self.text, tuple(self.bindings.values()), tuple(results), tuple(labels), self.dice)

    def _bind(self) -> None:
        """Parse a name and what it stands for."""
        token = self._token
        if token.text in _RESERVED:
            self._fail(f"{token.text!r} is a word of the language; choose another name")
        if token.text in self.bindings:
            self._fail(f"{token.text!r} has a value already; choose another name")
        if len(self.bindings) == NAMES_MAX:
            self._fail(f"more than {NAMES_MAX} names")
        self.next += 2
        term = self._any()
        value = term.pool_of or term.node
        self.bindings[token.text] = Binding(token.text, value)

    def _label_ahead(self) -> bool:
        """Whether words and a colon follow."""
        ahead = 0
        while self._ahead(ahead).kind in ("word", "number"):
            ahead += 1
        return ahead > 0 and self._ahead(ahead).text == ":"

    def _label(self) -> str:
        start = self._token.position
        while self._token.text != ":":
            self.next += 1
        return self.text[start : self._token.position].strip()

    def _end(self) -> None:
        """Refuse what follows the expression, with the reason."""
        end = self._token
        if end.kind == "end":
            return
        if end.text == "d":
            self._fail("write the number of dice once, such as 3d6")
        if end.text in _COMPARED:
            self._fail(f"expected the end, found {end.text!r}: join two comparisons by and")
        if end.text == "=":
            self._fail("write == to compare; one = gives a name to a roll, at the start")
        if end.text in (";", ":"):
            self._fail("expected name = roll; ... or label: condition; ...")
        self._fail(f"expected + or - or the end, found {self._excerpt}")

    # Conditions

    def _any(self) -> _Term:
        return self._joined("or", self._all)

    def _all(self) -> _Term:
        return self._joined("and", self._not)

    def _joined(self, word: str, part: Callable[[], _Term]) -> _Term:
        first = part()
        terms = [first]
        while self._take(word):
            terms.append(part())
        if len(terms) == 1:
            return first
        return _Term(Logic(word, tuple(term.node for term in terms)), first.start)

    def _not(self) -> _Term:
        start = self.next
        negated = False
        while self._take("not"):
            negated = not negated
        term = self._compared()
        return _Term(Logic("not", (term.node,)), start) if negated else term

    def _compared(self) -> _Term:
        left = self._floored()
        if self._token.text not in _COMPARED:
            return left
        sign_at = self.next
        sign = self._sign()
        right = self._floored().node
        return _Term(Compare(sign, left.node, right), left.start, sign=sign_at)

    # Arithmetic

    def _floored(self) -> _Term:
        term = self._sum()
        if self._token.text == "floor":
            start = self._token.position
            self.next += 1
            sign = -1 if self._take("-") else 1
            limit = Constant(sign * self._integer("a floor", 0, NUMBER_MAX))
            term = self._checked(_Term(Extreme("max", (term.node, limit)), term.start), start)
        return term

    def _sum(self) -> _Term:
        first = self._product()
        terms = [(1, first)]
        while self._token.text in ("+", "-"):
            sign = 1 if self._token.text == "+" else -1
            self.next += 1
            terms.append((sign, self._product()))
        self._refuse_mixed([term for _, term in terms])
        if len(terms) == 1:
            return self._checked(first, self.tokens[first.start].position)
        total = Sum(tuple((sign, term.node) for sign, term in terms))
        counts = all(term.counts or isinstance(term.node, Constant) for _, term in terms)
        return self._checked(_Term(total, first.start, counts=counts), self.tokens[first.start].position)

    def _product(self) -> _Term:
        left = self._signed()
        factors = [left]
        result = left
        while self._token.text in ("*", "/", "//"):
            position, sign = self._token.position, self._token.text
            if len(factors) == FACTORS_MAX:
                self._fail(f"more than {FACTORS_MAX} factors in a row")
            self.next += 1
            right = self._signed()
            factors.append(right)
            divisor = right.node
            low, high = divisor.bounds
            if sign != "*" and low <= 0 <= high:
                self._fail("division by what can be 0", position)
            node = Product(sign, result.node, divisor)
            counts = all(factor.counts or isinstance(factor.node, Constant) for factor in factors)
            result = self._checked(_Term(node, left.start, counts=counts), self.tokens[left.start].position)
        if len(factors) > 1:
            self._refuse_mixed(factors)
        return result

    def _signed(self) -> _Term:
        start = self.next
        negative = False
        while self._token.text in ("+", "-"):
            negative ^= self._token.text == "-"
            self.next += 1
        if self.next > start and self._token.text in ("*", "/", "//"):
            self._fail(f"expected a number or dice after the sign, found {self._excerpt}")
        term = self._atom()
        if not negative:
            return replace(term, start=start) if self.next > start and term.bare else term
        node = term.node
        if isinstance(node, Constant):
            return _Term(Constant(-node.value), start)
        return replace(term, node=Sum(((-1, node),)), start=start, pool_of=None)

    def _refuse_mixed(self, terms: list[_Term]) -> None:
        """Refuse a bare comparison beside anything but counts and plain numbers that follow: it could compare the sum."""
        for index, term in enumerate(terms):
            if not term.bare:
                continue
            before, after = terms[:index], terms[index + 1 :]
            clear = all(one.counts for one in before)
            clear &= all(one.counts or isinstance(one.node, Constant) for one in after)
            if not clear:
                start, pool, sign = (self.tokens[at].position for at in (terms[0].start, term.pool, term.sign))
                limit_end = self.tokens[term.sign + 1].end
                compared = self.text[sign:limit_end]
                summed = f"({self.text[start:sign].strip()}){compared}"
                counted = f"{self.text[start:pool]}count({self.text[pool:limit_end]})"
                self._fail(f"{compared} can compare the sum or count dice: write {summed} or {counted}", sign)
        for term in terms:
            if term.bare:
                self._refuse_impossible(term)

    def _refuse_impossible(self, term: _Term) -> None:
        """Refuse to count dice of two or more that all do or all do not fit: the sum was meant."""
        count = next(one for one in walk(term.node) if isinstance(one, Count))
        low, high = count.pool.face_bounds
        limit = count.threshold.bounds[0]
        if count.pool.sizes == (1, 1) or low <= limit <= high:
            return
        pool, sign = count.pool.text, count.sign
        inside = min(high, max(low, 4))
        self._fail(
            f"{sign}{limit} after a pool counts dice, which show {low} to {high}; write sum({pool}){sign}{limit} to compare the "
            f"sum, or count dice with a number that a die can show, such as count({pool}{sign}{inside})",
            self.tokens[term.sign + 1].position,
        )

    # Atoms

    def _atom(self) -> _Term:  # noqa: PLR0911 - one for each kind of atom
        token = self._token
        start = self.next
        if token.kind == "number" and self._ahead(1).text not in ("d", "df"):
            value = self._decimal()
            return _Term(Constant(value), start)
        if token.kind == "number" or token.text in ("d", "df"):
            size: Node = Constant(1) if token.kind == "word" else Constant(self._integer("the number of dice", 0, DICE_MAX))
            return self._pool(size, start)
        if token.text == "(":
            return self._bracket()
        if token.kind == "word" and self._ahead(1).text == "(" and token.text in _FUNCTIONS:
            return self._function()
        if token.text in self.bindings:
            self.next += 1
            name = Name(self.bindings[token.text])
            if isinstance(name.binding.value, Pool):
                return self._counted(Pool(name, self._keeps(), token.text), start)
            return _Term(name, start)
        if token.kind == "word" and self._ahead(1).text == "=":
            self._fail("names come first: name = roll; ...")
        if token.kind == "word" and token.text not in _RESERVED:
            names = ", ".join((*self.bindings, *_FUNCTIONS))
            self._fail(f"unknown word {token.text[:20]!r}; known words are {names}")
        if token.text in _FUNCTIONS:
            self._fail(f"expected ( after {token.text}, found {self._excerpt_at(1)}", self._ahead(1).position)
        return self._fail(f"expected dice such as 3d6, a number or a bracket, found {self._excerpt}")

    def _bracket(self) -> _Term:
        start = self.next
        self._open()
        inner = self._any()
        self._close()
        if self._token.text in ("d", "df"):
            return self._pool(inner.node, start)
        if inner.pool_of is not None:
            return self._counted(inner.pool_of, start)
        counts = inner.counts or isinstance(inner.node, Truth)
        return _Term(inner.node, start, counts=counts)

    def _pool(self, size: Node, start: int) -> _Term:
        """Parse a die after the number of its dice, and what is done with the pool."""
        position = self.tokens[start].position
        low, high = size.bounds
        if low < 0 or high > DICE_MAX:
            self._fail(f"the number of dice must be in 0..{DICE_MAX}, and reaches {low if low < 0 else high}", position)
        if any(not _is_integer(node) for node in (size,)):
            self._fail("the number of dice must be a whole number; round it by floor(...)", position)
        face = self._face()
        self.dice += int(high)
        face, keeps, counted = self._modifiers(face, int(high))
        end = self.tokens[self.next - 1].end
        pool = Pool(Dice(size, face), keeps, self.text[position:end].strip())
        if counted:
            return self._counting(pool, start, self.next)
        return self._counted(pool, start)

    def _face(self) -> Face:
        """Parse d and the faces."""
        token = self._token
        self.next += 1
        if token.text == "df":
            return Face("dF", (-1, 0, 1))
        if self._take("%"):
            return Face("d%", tuple(range(1, 101)))
        if self._take("{"):
            faces = [self._own_face()]
            while self._take(","):
                faces.append(self._own_face())
                if len(faces) > FACES_MAX:
                    self._fail(f"more than {FACES_MAX} faces")
            self._expect("}")
            return Face(f"d{{{','.join(map(str, faces))}}}", tuple(sorted(faces)))
        faces_number = self._integer("the number of faces", 2, FACES_MAX)
        return Face(f"d{faces_number}", tuple(range(1, faces_number + 1)))

    def _own_face(self) -> int:
        sign = -1 if self._take("-") else 1
        return sign * self._integer("a face", 0, NUMBER_MAX)

    def _modifiers(self, face: Face, dice: int) -> tuple[Face, tuple[Keep, ...], bool]:
        """Parse rerolls, explosions, limits and keeps. The last: whether cs, count successes, follows."""
        keeps: tuple[Keep, ...] = ()
        while True:
            token = self._token
            if token.text in _KEEPS:
                keeps += (self._keep(dice),)
                dice = keeps[-1].size(dice)
            elif token.text in _STEPS:
                self.next += 1
                face = self._stepped(face, Step(_STEPS[token.text], (self._condition("reroll"),)), token)
            elif token.text == "!":
                self.next += 1
                top = face.die.max_outcome()
                limited = self._token.text in _COMPARED or self._token.kind == "number"
                condition = self._condition("roll again") if limited else ("==", top)
                face = self._stepped(face, Step("!", (condition,)), token)
            elif token.text in ("min", "max") and self._ahead(1).kind == "number":
                self.next += 1
                limit = self._integer("the limit of a die", 0, NUMBER_MAX)
                face = self._stepped(face, Step(token.text, (("==", limit),)), token)
            elif token.text == "cs":
                self.next += 1
                return face, keeps, True
            else:
                self._refuse_modifier(token)
                return face, keeps, False

    def _refuse_modifier(self, token: _Token) -> None:
        """Refuse words that other tools read in different ways."""
        if token.text == "x":
            self._fail("x can mean times or roll again: write * or !")
        if token.text == "d":
            self._fail(
                "write dl1 to drop the lowest die, dh1 to drop the highest; the number of dice is written once, such as 3d6"
            )
        if token.text == "!=":
            return
        if token.kind == "word" and token.text not in ("and", "or", "floor"):
            self._fail(f"unknown word {token.text[:20]!r} after dice; known words are {', '.join(_MODIFIERS)}")

    def _stepped(self, face: Face, step: Step, token: _Token) -> Face:
        """Add a step to a die; refuse one that would never end or takes too long."""
        steps = (*face.steps, step)
        if face.steps and step.word in ("r", "ro") and face.steps[-1].word == step.word:  # r1r2: one step, two conditions
            steps = (*face.steps[:-1], Step(step.word, face.steps[-1].conditions + step.conditions))
        if len(steps) > STEPS_MAX:
            self._fail(f"more than {STEPS_MAX} changes of one die", token.position)
        before = Face(face.text, face.faces, steps[:-1]).die
        applied = [value for value in before.outcomes() if steps[-1].applies(value)]
        chance = chance_of(before, applied)
        if step.word in ("r", "!") and chance == 1:
            self._fail("every face is rolled again, which never ends", token.position)
        if step.word == "!" and applied and len(applied) * len(before) * explosions(chance) ** 2 > EXPLODING_MAX:
            self._fail("with this many faces that are rolled again, the result takes too long to compute", token.position)
        return Face(face.text, face.faces, steps)

    def _condition(self, what: str) -> tuple[str, int]:
        sign = self._sign() if self._token.text in _COMPARED else "=="
        negative = -1 if self._take("-") else 1
        return sign, negative * self._integer(f"the face to {what}", 0, NUMBER_MAX)

    def _keeps(self) -> tuple[Keep, ...]:
        """Parse keeps after a name."""
        keeps: tuple[Keep, ...] = ()
        while self._token.text in _KEEPS:
            keeps += (self._keep(DICE_MAX),)
        return keeps

    def _keep(self, dice: int) -> Keep:
        token = self._token
        highest, drop = _KEEPS[token.text]
        self.next += 1
        number = 1
        if self._token.kind == "number" and self._ahead(1).text not in ("d", "df"):
            number = self._integer(f"dice to {'drop' if drop else 'keep'}", 0 if drop else 1, max(1, dice))
        return Keep(highest, number, drop)

    def _counted(self, pool: Pool, start: int) -> _Term:
        """A pool, or the comparison that directly follows it: the number of its dice for which it holds."""
        if self._token.text not in _COMPARED or not self.comparing[-1]:
            return _Term(Total(pool), start, pool_of=pool)
        return self._counting(pool, start, self.next)

    def _counting(self, pool: Pool, start: int, sign_at: int) -> _Term:
        """Parse sign and number after a pool."""
        if self._token.text not in _COMPARED:
            self._fail(f"expected a comparison such as >=4, found {self._excerpt}")
        sign = self._sign()
        negative = self._token.text == "-"
        number_at = 1 if negative else 0
        plain_number = self._ahead(number_at).kind == "number" and self._ahead(number_at + 1).text not in ("d", "df")
        if not plain_number:
            if self._token.kind == "end":
                self._fail("expected a number to compare with, found the end")
            left = pool.text
            self._fail(
                f"{sign} after a pool counts dice and needs a plain number; write sum({left}){sign}... to compare the sum, or "
                f"count({left}{sign}...) to count dice",
                self._token.position,
            )
        if negative:
            self.next += 1
        limit = self._integer("the face to compare with", 0, NUMBER_MAX) * (-1 if negative else 1)
        again = self._again(pool)
        return _Term(Count(pool, sign, Constant(limit), again), start, bare=True, counts=True, pool=start, sign=sign_at)

    def _again(self, pool: Pool) -> bool:
        """Parse ! after a comparison: dice that show the highest face are rolled once more and counted too."""
        position = self._token.position
        if not self._take("!"):
            return False
        if not isinstance(pool.source, Dice) or pool.keeps or any(step.word == "!" for step in pool.source.face.steps):
            self._fail("! after a comparison needs plain dice such as 5d10>=8!", position)
        if len(set(pool.source.face.die.outcomes())) == 1:
            self._fail("every face is rolled again, which never ends", position)
        return True

    # Functions

    def _function(self) -> _Term:
        start, token = self.next, self._token
        self.next += 1
        self._open()
        node = getattr(self, f"_{token.text}_of", self._extreme_of)(token)
        self._close()
        counts = token.text in ("count",) or isinstance(node, Truth)
        return self._checked(_Term(node, start, counts=counts), token.position)

    def _extreme_of(self, token: _Token) -> Node:
        numbers = self._numbers()
        if len(numbers) == 1:
            which = "highest" if token.text == "max" else "lowest"
            self._fail(f"{token.text} needs two numbers or more; for one die of a pool use {which}(1, 4d6)", token.position)
        return Extreme(token.text, tuple(numbers))

    def _floor_of(self, token: _Token) -> Node:
        return Rounded(token.text, self._any().node)

    _ceil_of = _abs_of = _floor_of

    def _sum_of(self, _: _Token) -> Node:
        numbers = self._numbers()
        return numbers[0] if len(numbers) == 1 else Sum(tuple((1, number) for number in numbers))

    def _count_of(self, _: _Token) -> Node:
        pool = self._pool_argument("count(5d6>=4)")
        if self._token.text not in _COMPARED:
            self._fail(f"count needs a comparison, such as count(5d6>=4), found {self._excerpt}")
        sign = self._sign()
        threshold = self._floored().node
        return Count(pool, sign, threshold, self._again(pool))

    def _highest_of(self, token: _Token) -> Node:
        number = self._integer("the number of dice to keep", 1, DICE_MAX)
        self._expect(",")
        keep = Keep(token.text == "highest", number)
        start = self.next
        terms = [self._any()]
        while self._take(","):
            terms.append(self._any())
        text = self.text[self.tokens[start].position : self._token.position].strip()
        first = terms[0].pool_of
        if len(terms) == 1:
            if first is None:
                self._fail(f"{token.text} needs a pool or several dice, such as {token.text}(2, d6, d8, d10)", token.position)
            return Total(Pool(first.source, (*first.keeps, keep), text))
        for term in terms:
            if term.pool_of is not None and term.pool_of.sizes != (1, 1):
                pool = term.pool_of.text
                self._fail(
                    f"{pool} beside others can mean its sum or its dice: write sum({pool}), or each die, such as d6, d6",
                    self.tokens[term.start].position,
                )
        return Total(Pool(Several(tuple(term.node for term in terms)), (keep,), text))

    _lowest_of = _highest_of

    def _pairs_of(self, _: _Token) -> Pairs:
        left = self._pool_argument("pairs(3d6, 2d6)")
        self._expect(",")
        return Pairs(left, self._pool_argument("pairs(3d6, 2d6)"))

    def _before_of(self, _: _Token) -> Node:
        successes = self._integer("the number of successes", 1, DICE_MAX // 2)
        self._expect(",")
        failures = self._integer("the number of failures", 1, DICE_MAX // 2)
        self._expect(",")
        rolled = self.dice
        trial = self._any().node
        self.dice += (self.dice - rolled) * (successes + failures - 2)
        return Before(successes, failures, trial)

    def _battle_of(self, token: _Token) -> Node:
        left = self._integer("the units of the first side", 1, UNITS_MAX)
        self._expect(",")
        right = self._integer("the units of the second side", 1, UNITS_MAX)
        self._expect(",")
        position = self._token.position
        if not (self._take("pairs") and self._token.text == "("):
            self._fail("expected pairs(3d6, 2d6), the dice of a round at full strength", position)
        self._open()
        rolled = self.dice
        pairs = self._pairs_of(token)
        self._close()
        self.dice += (self.dice - rolled) * (left + right - 1)
        for pool in (pairs.left, pairs.right):
            source, keeps = pool.origin
            if keeps or not isinstance(source, Dice) or not isinstance(source.size, Constant) or not source.size.value:
                self._fail("the pools of a battle are plain, such as pairs(3d6, 2d6)", position)
        return Battle(left, right, pairs)

    def _kills_of(self, token: _Token) -> Node:
        wounds = self._integer("the wounds of a model", 1, FACES_MAX)
        self._expect(",")
        pool = self._pool_argument("kills(2, 5d6)")
        if pool.face_bounds[0] < 0:
            self._fail("the damage of a die cannot be negative", token.position)
        source, keeps = pool.origin
        if keeps or isinstance(source, Several):
            self._fail("kills needs equal dice, all of which count", token.position)
        return Kills(wounds, pool)

    def _pool_argument(self, example: str) -> Pool:
        """Parse a pool whose comparison, if one follows, is not its own."""
        start = self._token.position
        self.comparing[-1] = False
        term = self._atom()
        self.comparing[-1] = True
        if term.pool_of is None:
            self._fail(f"expected a pool, such as {example}", start)
        return term.pool_of

    def _numbers(self) -> list[Node]:
        numbers = [self._any().node]
        while self._take(","):
            numbers.append(self._any().node)
        return numbers

    # Checks and tokens

    def _checked(self, term: _Term, position: int) -> _Term:
        """Refuse a term whose results are too large or spread over too many values."""
        low, high = term.node.bounds
        if (far := max(-low, high)) > RESULT_MAX:
            self._fail(f"results reach {float(far):.0f}; at most {RESULT_MAX} is allowed", position)
        if (span := high - low + 1) > SPAN_MAX:
            self._fail(f"results spread over {float(span):.0f} values; at most {SPAN_MAX} are allowed", position)
        return term

    def _integer(self, what: str, lowest: int, highest: int) -> int:
        """Parse a whole number in lowest..highest."""
        token = self._token
        if token.kind != "number":
            self._fail(f"expected {what} in {lowest}..{highest}, found {self._excerpt}")
        value = int(token.text.partition(".")[0][:10])  # enough digits to detect that it is too large
        if "." in token.text or not lowest <= value <= highest:
            self._fail(f"{what} must be in {lowest}..{highest}, found {token.text[:20]}")
        self.next += 1
        return value

    def _decimal(self) -> Value:
        """Parse a number, which can have decimals."""
        token = self._token
        if "." not in token.text:
            return self._integer("a number", 0, NUMBER_MAX)
        digits = token.text.partition(".")
        if len(digits[0]) > 7 or len(digits[2]) > 6:
            self._fail(f"a number must be in 0..{NUMBER_MAX} with up to six decimals, found {token.text[:20]}")
        self.next += 1
        return plain(Fraction(token.text))

    def _sign(self) -> str:
        sign = self._token.text
        self.next += 1
        return sign

    def _open(self) -> None:
        self.comparing.append(True)
        if len(self.comparing) > DEPTH_MAX + 1:
            self._fail(f"more than {DEPTH_MAX} nested brackets")
        self._expect("(")

    def _close(self) -> None:
        self._expect(")")
        self.comparing.pop()

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    def _ahead(self, number: int) -> _Token:
        return self.tokens[min(self.next + number, len(self.tokens) - 1)]

    @property
    def _excerpt(self) -> str:
        return self._excerpt_at(0)

    def _excerpt_at(self, ahead: int) -> str:
        token = self._ahead(ahead)
        return "the end" if token.kind == "end" else repr(token.text)

    def _take(self, text: str) -> bool:
        """Consume the next token if it is `text`."""
        matches = self._token.text == text and self._token.kind != "end"
        self.next += matches
        return matches

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"expected {text!r}, found {self._excerpt}")

    def _split(self) -> list[_Token]:
        """The tokens of the text. Typographic signs count as their plain forms."""
        tokens: list[_Token] = []
        text = self.text.translate(_TYPOGRAPHIC)
        position, end = 0, len(self.text.rstrip())
        while position < end:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            two = _TWO_SIGNS.get(self.text[start])
            if two:
                tokens.append(_Token("sign", two, start, start + 1))
                position = start + 1
                continue
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail(f"{self.text[start]!r} is not allowed here", start)
            kind = str(match.lastgroup)
            tokens += _words(match.group(kind).lower(), match.start(kind)) if kind == "word" else []
            if kind != "word":
                tokens.append(_Token(kind, match.group(kind), match.start(kind), match.end()))
            position = match.end()
        return [*tokens, _Token("end", "", end, end)]

    def _fail(self, problem: str, position: int | None = None) -> NoReturn:
        raise DiceError(problem, self.text, self._token.position if position is None else position)


def _words(word: str, position: int) -> list[_Token]:
    """A word as tokens: dF and what follows it directly are two, such as in 4dFkh2."""
    if word.startswith("df") and word[2:] in _MODIFIERS:
        return [_Token("word", "df", position, position + 2), _Token("word", word[2:], position + 2, position + len(word))]
    return [_Token("word", word, position, position + len(word))]


def _is_integer(node: Node) -> bool:  # noqa: PLR0911 - one line for each kind of number
    """Whether every result is a whole number."""
    if isinstance(node, Constant):
        return isinstance(node.value, int)
    if isinstance(node, Rounded) and node.word != "abs":
        return True
    if isinstance(node, Product):
        return node.sign == "//" or (node.sign == "*" and all(map(_is_integer, node.parts)))
    if isinstance(node, Name):
        value = node.binding.value
        return isinstance(value, Pool) or _is_integer(value)
    if isinstance(node, Total):
        source, _ = node.pool.origin
        return isinstance(source, Dice) or all(map(_is_integer, source.numbers))
    if isinstance(node, Sum | Extreme | Rounded):
        return all(map(_is_integer, node.parts))
    return True
