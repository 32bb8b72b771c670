"""The language of dice expressions: from text to a tree (`analysis.dice.tree`), or to an error that points at the invalid part.

It never runs text as code. docs/dice-and-duels.md has the language on one page.

One rule decides what a comparison means. Directly after a pool it counts dice (5d6>=4), and it stands alone, beside other
counts, or before plain numbers. After anything else (2d6+3>=10) it compares two numbers. What could be meant in both ways is
refused with both spellings.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from analysis.dice.faces import FACES_MAX, FaceReader
from analysis.dice.functions import DICE_MAX, FUNCTIONS
from analysis.dice.odds import TooLargeError, solve
from analysis.dice.tokens import COMPARED, HINTS, KEEPS, NUMBER_MAX, REMAINDER, Token, excerpt_of
from analysis.dice.tree import (
    Binding,
    Compare,
    Constant,
    Count,
    Dice,
    Expression,
    Extreme,
    Face,
    Logic,
    Name,
    Node,
    Pool,
    Product,
    Rounded,
    Sum,
    Total,
    Truth,
    is_condition,
    rolls_dice,
    unnamed_dice,
    walk,
)

TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "==", "!=": "!="}  # signs with both sides exchanged
DEPTH_MAX = 30  # nested brackets
FACTORS_MAX = 20  # multiplied or divided in a row
ROLLED_MAX = 20_000  # dice of one result
RESULT_MAX = 10**9  # size of any result
SPAN_MAX = 100_000  # widest range of results
NAMES_MAX = 20

BEHIND = {  # what does not follow an expression, and what to write instead
    "d": "write the number of dice once, such as 3d6",
    "=": "write == to compare; one = gives a name to a roll, at the start",
    ",": "write several rolls apart from each other, such as 2d6 d12, or max(2d6, d12) for the larger",
    **dict.fromkeys(
        ";:", "expected name = roll; ... or label: condition; ..., where an outcome has no value: write (r>=8)*(1d6+3)"
    ),
}
RESERVED = {"d", "df", "and", "or", "not", *FUNCTIONS, *KEEPS}


@dataclass(frozen=True)
class Term:
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
    return Parser(text).program()


class Parser(FaceReader):
    """Recursive descent parser, one method per rule of the grammar.

    program: {name "=" any ";"} (any | label ":" any {";" label ":" any}); any: and {"or" and}; and: not {"and" not};
    not: ["not"] compared; compared: floored [sign floored]; floored: sum ["floor" integer]; sum: product {("+" | "-") product};
    product: signed {("*" | "/" | "//") signed}; signed: {"+" | "-"} atom; atom: number | pool | name | function | "(" any ")".
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.dice = 0
        self.comparing = [True]  # of each bracket: whether a comparison after a pool counts its dice
        self.bindings: dict[str, Binding] = {}
        self.rolled: list[Dice] = []

    # Names and outcomes

    def program(self) -> Expression:
        """Parse everything."""
        labels, results = list[str](), list[Node]()
        while self.token.kind == "word" and self.ahead(1).text == "=":
            self._bind()
            self.expect(";")
        while self._label_ahead():
            start = self.token.position
            labels.append(self._label())
            self.expect(":")
            results.append(self.condition())
            if rolls_dice(results[-1]) and any(map(rolls_dice, results[:-1])):
                self.fail(
                    f"{labels[-1]} rolls dice of its own, as an outcome above does; name each roll first, such as r = 2d6; "
                    f"strong: r>=10; weak: r>=7",
                    start,
                )
            if not self.take(";"):
                break
        if not labels:
            results.append(self.any().node)
        self._end()
        if self.dice > ROLLED_MAX:
            self.fail(f"{self.dice} dice are too many for one result; at most {ROLLED_MAX} are allowed", 0)
        return Expression(self.text, tuple(self.bindings.values()), tuple(results), tuple(labels), self.dice)

    def _bind(self) -> None:
        """Parse a name and what it stands for."""
        token = self.token
        if token.text in RESERVED:
            self.fail(f"{token.text!r} is a word of the language; choose another name")
        if token.text in self.bindings:
            self.fail(f"{token.text!r} has a value already; choose another name")
        if len(self.bindings) == NAMES_MAX:
            self.fail(f"more than {NAMES_MAX} names")
        self.next += 2
        term = self.any()
        value = term.pool_of or term.node
        self.bindings[token.text] = Binding(token.text, value)

    def _label_ahead(self) -> bool:
        """Whether words and a colon follow."""
        ahead = 0
        while self.ahead(ahead).kind in ("word", "number"):
            ahead += 1
        return ahead > 0 and self.ahead(ahead).text == ":"

    def _label(self) -> str:
        start = self.token.position
        while self.token.text != ":":
            self.next += 1
        return self.text[start : self.token.position].strip()

    def _end(self) -> None:
        """Refuse what follows the expression, with the reason."""
        end = self.token
        if end.kind == "end":
            return
        if end.text in COMPARED:
            self.fail(f"expected the end, found {end.text!r}: join two comparisons by and")
        if (end.text, self.ahead(1).text) in (("=", ">"), ("=", "<")):
            self.fail(f"write {self.ahead(1).text}=")
        if end.text in BEHIND:
            self.fail(BEHIND[end.text])
        before = self.ahead(-1).text
        if end.text == "(" and before.isdigit():
            self.fail(f"write {before} * (...) to multiply, or {before}d(...) for {before} rolls of what is in brackets")
        if end.text == "x":
            self.fail(f"write {before} * (4d6dl1) to multiply, or {before}d(4d6dl1) for {before} rolls of what is in brackets")
        if end.kind == "word" and end.text in HINTS:
            self.fail(HINTS[end.text])
        self.fail(f"expected + or - or the end, found {self.excerpt}")

    # Conditions

    def any(self) -> Term:
        """Parse a number or a condition."""
        return self._joined("or", self._all)

    def _all(self) -> Term:
        return self._joined("and", self._not)

    def _joined(self, word: str, part: Callable[[], Term]) -> Term:
        first = part()
        if self.token.text != word:
            return first
        conditions = [self._as_part(first, word)]
        while self.take(word):
            conditions.append(self._as_part(part(), word))
        self._refuse_rolled_twice(map(unnamed_dice, conditions), first)
        return Term(Logic(word, tuple(conditions)), first.start)

    def condition(self) -> Node:
        """Parse a condition; refuse a number."""
        return self._as_condition(self.any())

    def trial(self) -> Node:
        """Parse what is rolled for successes: a condition, or a die whose faces are successes and, below 0, failures."""
        term = self.any()
        pool = term.pool_of
        if pool is not None and pool.sizes == (1, 1) and pool.face_bounds[0] < 0:
            return term.node
        return self._as_condition(term)

    def _as_part(self, term: Term, word: str) -> Node:
        """A condition joined to others; refuse a number, which is always true or never."""
        if isinstance(term.node, Constant):
            self.fail(
                f"{term.node.value} is a number, not a condition: write both comparisons, such as r = d6; r==3 {word} r==4",
                self.tokens[term.start].position,
            )
        return self._as_condition(term)

    def _as_condition(self, term: Term) -> Node:  # noqa: RET503 - fail does not return
        """The node of a term that was just read; refuse a number, which would hold unless it is 0."""
        node = term.node
        if is_condition(node):
            return node
        start = self.tokens[term.start].position
        text = self.text[start : self.ahead(-1).end].strip()
        if isinstance(node, Count):
            pool, limit = node.pool.text, self.text[self.tokens[term.sign].position : self.ahead(-1).end]
            right = f"count({pool}{limit})>=1 or sum({pool}){limit}" if term.bare else f"({text})>=1"
            self.fail(f"{text} is a number of dice, not a condition: write {right}", start)
        self.fail(f"{text} is a number, not a condition: compare it, such as sum({text})>=1", start)

    def _refuse_rolled_twice(self, dice_of_conditions: Iterable[list[Dice]], first: Term) -> None:
        """Refuse conditions on equal dice, which could be one roll."""
        above: list[Dice] = []
        for rolled in dice_of_conditions:
            for dice in rolled:
                if any(map(dice.equals, above)):
                    self._refuse_equal(dice, first)
            above += rolled

    def _refuse_counted_apart(self, numbers: list[Node], first: Term) -> None:
        """Refuse counts of equal dice that show different faces: successes and failures of one roll are probably meant."""
        counts = [(one, source) for one in numbers if isinstance(one, Count) and isinstance(source := one.pool.source, Dice)]
        for place, (count, dice) in enumerate(counts):
            above = [other for other, rolled in counts[:place] if dice.equals(rolled)]
            if any((count.sign, count.threshold.bounds) != (other.sign, other.threshold.bounds) for other in above):
                self._refuse_equal(dice, first)

    def _refuse_equal(self, dice: Dice, first: Term) -> NoReturn:
        """Refuse dice that are written twice, with the spellings for one roll and for two."""
        size = dice.size.value if isinstance(dice.size, Constant) and dice.size.value != 1 else ""
        text = f"{size}{dice.face.text}"
        self.fail(
            f"each {text} is a roll of its own; for one roll write r = {text}; ... with r in both places, for two rolls "
            f"a = {text}; b = {text}; ...",
            self.tokens[first.start].position,
        )

    def _not(self) -> Term:
        start = self.next
        negated = False
        while self.take("not"):
            negated = not negated
        inverted = self.next > start
        term = self._compared()
        node = self._as_condition(term) if inverted else term.node
        return Term(Logic("not", (node,)), start) if negated else term

    def _compared(self) -> Term:
        left = self.floored()
        if self.token.text not in COMPARED:
            return left
        sign_at = self.next
        sign = self.sign()
        right = self.floored()
        if isinstance(left.node, Constant) and right.pool_of is not None and right.pool_of.sizes != (1, 1):
            limit, pool, turned = (
                self.text[self.tokens[left.start].position : self.tokens[sign_at].position],
                right.pool_of.text,
                TURNED[sign],
            )
            self.fail(
                f"{limit.strip()} {sign} {pool} can compare the sum or count dice: write sum({pool}){turned}{limit.strip()} or "
                f"count({pool}{turned}{limit.strip()})",
                self.tokens[sign_at].position,
            )
        return Term(Compare(sign, left.node, right.node), left.start, sign=sign_at)

    # Arithmetic

    def floored(self) -> Term:
        """Parse a number, with floor and its limit."""
        term = self._sum()
        if self.token.text == "floor":
            start = self.token.position
            self.next += 1
            sign = -1 if self.take("-") else 1
            limit = Constant(sign * self.integer("a floor", 0, NUMBER_MAX))
            term = self._checked(Term(Extreme("max", (term.node, limit)), term.start), start)
        return term

    def _sum(self) -> Term:
        first = self._product()
        terms = [(1, first)]
        while self.token.text in ("+", "-"):
            sign = 1 if self.token.text == "+" else -1
            self.next += 1
            terms.append((sign, self._product()))
        self._refuse_mixed([term for _, term in terms])
        self._refuse_rolled_twice((_dice_of_factors(term.node) for _, term in terms), first)
        self._refuse_counted_apart([term.node for _, term in terms], first)
        if len(terms) == 1:
            return self._checked(first, self.tokens[first.start].position)
        total = Sum(tuple((sign, term.node) for sign, term in terms))
        counts = all(term.counts or isinstance(term.node, Constant) for _, term in terms)
        return self._checked(Term(total, first.start, counts=counts), self.tokens[first.start].position)

    def _product(self) -> Term:
        left = self._signed()
        factors = [left]
        result = left
        while self.token.text in ("*", "/", "//"):
            position, sign = self.token.position, self.token.text
            if len(factors) == FACTORS_MAX:
                self.fail(f"more than {FACTORS_MAX} factors in a row")
            self.next += 1
            right = self._signed()
            factors.append(right)
            divisor = right.node
            low, high = divisor.bounds
            if sign != "*" and low <= 0 <= high:
                self.fail("division by what can be 0", position)
            node = Product(sign, result.node, divisor)
            counts = all(factor.counts or isinstance(factor.node, Constant) for factor in factors)
            result = self._checked(Term(node, left.start, counts=counts), self.tokens[left.start].position)
        if self.token.text == "%":
            self.fail("write the number alone, such as d%<=50" if self.ahead(1).kind == "end" else REMAINDER)
        if len(factors) > 1:
            self._refuse_mixed(factors)
        return result

    def _signed(self) -> Term:
        start = self.next
        negative = False
        while self.token.text in ("+", "-"):
            negative ^= self.token.text == "-"
            self.next += 1
        if self.next > start and self.token.text in ("*", "/", "//"):
            self.fail(f"expected a number or dice after the sign, found {self.excerpt}")
        term = self._atom()
        if not negative:
            return replace(term, start=start) if self.next > start and term.bare else term
        node = term.node
        if isinstance(node, Constant):
            return Term(Constant(-node.value), start)
        return replace(term, node=Sum(((-1, node),)), start=start, pool_of=None)

    def _refuse_mixed(self, terms: list[Term]) -> None:
        """Refuse a bare comparison beside anything but counts and plain numbers that follow: it could compare the sum."""
        for index, term in enumerate(terms):
            if not term.bare:
                continue
            before, after = terms[:index], terms[index + 1 :]
            if not index:
                self._refuse_sum_behind(term, after)
            clear = all(one.counts for one in before)
            clear &= all(one.counts or isinstance(one.node, Constant) for one in after)
            if not clear:
                start, pool, sign = (self.tokens[at].position for at in (terms[0].start, term.pool, term.sign))
                limit_end = self.tokens[term.sign + 1].end
                compared = self.text[sign:limit_end]
                summed = f"({self.text[start:sign].strip()}){compared}"
                counted = f"{self.text[start:pool]}count({self.text[pool:limit_end]})"
                self.fail(f"{compared} can compare the sum or count dice: write {summed} or {counted}", sign)
        for term in terms:
            if term.bare:
                self._refuse_impossible(term)

    def _refuse_sum_behind(self, term: Term, after: list[Term]) -> None:
        """Refuse a comparison with what could be the first part of a sum or product, such as d20>=10+5 and 5d6>=4+1d6."""
        count = next(one for one in walk(term.node) if isinstance(one, Count))
        plain = all(isinstance(one.node, Constant) for one in after)
        if not after or any(one.bare for one in after) or plain == (count.pool.sizes != (1, 1)):
            return
        start, pool, sign = (self.tokens[at].position for at in (term.start, term.pool, term.sign))
        limit, limit_end, end = self.tokens[term.sign + 1].position, self.tokens[term.sign + 1].end, self.ahead(-1).end
        before, dice = self.text[start:pool], self.text[pool:sign].strip()
        compared = f"{before}sum({dice}){self.text[sign:end]}"
        counted = f"{before}count({self.text[pool:limit_end]}){self.text[limit_end:end]}"
        self.fail(
            f"{self.text[sign:limit].strip()} can compare the sum with {self.text[limit:end]} or count dice: "
            f"write {compared} or {counted}",
            sign,
        )

    def _refuse_impossible(self, term: Term) -> None:
        """Refuse to count dice of two or more that all do or all do not fit: the sum was meant."""
        count = next(one for one in walk(term.node) if isinstance(one, Count))
        low, high = count.pool.bounds_of_dice(exploded=False)
        limit = count.threshold.bounds[0]
        one_end = {">=": low < limit <= high, ">": low <= limit < high, "<=": low <= limit < high, "<": low < limit <= high}
        if count.pool.sizes == (1, 1) or one_end.get(count.sign, low <= limit <= high):
            return
        pool, sign = count.pool.text, count.sign
        inside = min(high - (sign in ("<=", ">")), max(low + 1, 4))
        self.fail(
            f"{sign}{limit} after a pool counts dice, and all or none of them fit: they show {low} to {high}; write "
            f"sum({pool}){sign}{limit} to compare the sum, or count dice as in count({pool}{sign}{inside})",
            self.tokens[term.sign + 1].position,
        )

    # Atoms

    def _atom(self) -> Term:  # noqa: PLR0911 - one for each kind of atom
        token = self.token
        start = self.next
        if token.kind == "number" and self.ahead(1).text not in ("d", "df"):
            value = self.decimal()
            return Term(Constant(value), start)
        if token.kind == "number" or token.text in ("d", "df"):
            size: Node = Constant(1) if token.kind == "word" else Constant(self.integer("the number of dice", 0, DICE_MAX))
            return self._pool(size, start)
        if token.text == "(":
            return self._bracket()
        if token.kind == "word" and self.ahead(1).text == "(" and token.text in FUNCTIONS:
            return self._function()
        if token.text in self.bindings:
            self.next += 1
            name = Name(self.bindings[token.text])
            if isinstance(name.binding.value, Pool):
                keeps = self.keeps(DICE_MAX)
                return self._counted(Pool(name, keeps, self.text[token.position : self.ahead(-1).end]), start)
            return Term(name, start)
        return self._refuse_atom(token)

    def _refuse_atom(self, token: Token) -> NoReturn:
        """Refuse what is neither a number nor dice, with the reason."""
        if token.kind == "word" and self.ahead(1).text == "=":
            self.fail("names come first: name = roll; ...")
        if token.text in HINTS:
            self.fail(HINTS[token.text])
        if token.text == ">" and self.ahead(-1).text == "-":
            self.fail("write (10d6>=3)d6>=4 to roll the dice that fit once more")
        if token.text == "{":
            self.fail("braces hold the faces of a die, such as d{0,1,1}; write max(4d6, 3d8) for the larger of two rolls")
        for name in self.bindings:
            if token.text.removeprefix(name) in KEEPS and token.text.startswith(name):
                self.fail(f"leave a space behind a name: {name} {token.text.removeprefix(name)}")
        if token.kind == "word" and token.text not in RESERVED:
            names = ", ".join((*self.bindings, *FUNCTIONS))
            self.fail(f"unknown word {token.text[:20]!r}; known words are {names}")
        if token.text in FUNCTIONS:
            self.fail(f"expected ( after {token.text}, found {excerpt_of(self.ahead(1))}", self.ahead(1).position)
        self.fail(f"expected dice such as 3d6, a number or a bracket, found {self.excerpt}")

    def _bracket(self) -> Term:
        start = self.next
        self.open()
        inner = self.any()
        self.close()
        if self.token.text in ("d", "df"):
            return self._pool(inner.node, start)
        if inner.pool_of is not None:
            return self._counted(inner.pool_of, start)
        counts = inner.counts or isinstance(inner.node, Truth)
        return Term(inner.node, start, counts=counts)

    def _pool(self, size: Node, start: int) -> Term:
        """Parse a die after the number of its dice, and what is done with the pool."""
        position = self.tokens[start].position
        low, high = size.bounds
        if low < 0:
            self.fail(f"the number of dice must not be negative, and reaches {low}; write max(0, ...)", position)
        if high > DICE_MAX:
            self.fail(f"the number of dice must be in 0..{DICE_MAX}, and reaches {high}", position)
        if not _is_integer(size):
            self.fail("the number of dice must be a whole number; round it by floor(...)", position)
        rolled = self.dice
        if (self.token.position, self.ahead(1).text) == (position, "66"):
            self.fail("d66 can mean one die of 66 faces or two d6 as digits: write 1d66 or 10*d6+d6")
        face = self._rolled_face() if self.ahead(1).text == "(" else self.face()
        self.dice = rolled + int(high) * max(1, self.dice - rolled)
        face, keeps, counted = self.modifiers(face, int(high))
        end = self.ahead(-1).end
        dice = Dice(size, face)
        dice = replace(dice, another=any(map(dice.equals, self.rolled)))
        self.rolled.append(dice)
        pool = Pool(dice, keeps, self.text[position:end].strip())
        if counted:
            return self._counting(pool, start, self.next)
        return self._counted(pool, start)

    def _rolled_face(self) -> Face:
        """Parse d and, in brackets, the dice whose result each die of the pool shows."""
        self.next += 1
        position = self.token.position
        self.open()
        inner = self.any().node
        if self.token.text == ",":
            self.fail("faces of a die are written in braces, such as d{1,2,3}")
        self.close()
        if isinstance(inner, Constant):
            self.fail("d(...) needs dice in its brackets; write d6 for a die with 6 faces", position)
        if any(isinstance(one, Name) for one in walk(inner)):
            self.fail("a name stands for one roll; in d(...) write the dice themselves", position)
        if not _is_integer(inner):
            self.fail("a die shows whole numbers; round by floor(...)", position)
        try:
            die = solve(Expression(self.text, (), (inner,)))
        except TooLargeError:
            self.fail("this takes too long to compute for each die of a pool", position)
        if len(die) > FACES_MAX:
            self.fail(f"{len(die)} different results are too many for a die; at most {FACES_MAX} are allowed", position)
        text = self.text[position : self.ahead(-1).end]
        return Face(f"d{text}", (), rolled=(inner, die.map(int, star=False)))

    def _counted(self, pool: Pool, start: int) -> Term:
        """A pool, or the comparison that directly follows it: the number of its dice for which it holds.

        One die can also be compared with other numbers.
        """
        alone = Term(Total(pool), start, pool_of=pool)
        if self.token.text not in COMPARED or not self.comparing[-1]:
            return alone
        if pool.sizes == (1, 1) and not self._plain_number(1) and self.ahead(1).kind != "end":
            return alone
        return self._counting(pool, start, self.next)

    def _plain_number(self, ahead: int) -> bool:
        """Whether a number follows that is no pool."""
        ahead += self.ahead(ahead).text == "-"
        return self.ahead(ahead).kind == "number" and self.ahead(ahead + 1).text not in ("d", "df")

    def _counting(self, pool: Pool, start: int, sign_at: int) -> Term:
        """Parse sign and number after a pool."""
        if self.token.text not in COMPARED:
            self.fail(f"expected a comparison such as >=4, found {self.excerpt}")
        sign = self.sign()
        negative = self.token.text == "-"
        if not self._plain_number(0):
            if self.token.kind == "end":
                self.fail("expected a number to compare with, found the end")
            left, position = pool.text, self.token.position
            self.floored()
            right = self.text[position : self.ahead(-1).end].strip()
            self.fail(
                f"{sign} after a pool counts dice and needs a plain number; write sum({left}){sign}{right} to compare the sum, "
                f"or count({left}{sign}{right}) to count dice",
                position,
            )
        if negative:
            self.next += 1
        limit = self.integer("the face to compare with", 0, NUMBER_MAX) * (-1 if negative else 1)
        again = self.again(pool)
        return Term(Count(pool, sign, Constant(limit), again), start, bare=True, counts=True, pool=start, sign=sign_at)

    def again(self, pool: Pool) -> bool:
        """Parse ! after a comparison: dice that show the highest face are rolled once more and counted too."""
        position = self.token.position
        if not self.take("!"):
            return False
        if not isinstance(pool.source, Dice) or pool.keeps or any(step.word == "!" for step in pool.source.face.steps):
            self.fail("! after a comparison needs plain dice such as 5d10>=8!", position)
        if len(set(pool.source.face.die.outcomes())) == 1:
            self.fail("every face is rolled again, which never ends", position)
        return True

    # Functions

    def _function(self) -> Term:
        start, token = self.next, self.token
        self.next += 1
        self.open()
        node = FUNCTIONS[token.text](self, token)
        self.close()
        counts = token.text in ("count",) or isinstance(node, Truth)
        return self._checked(Term(node, start, counts=counts), token.position)

    def pool_argument(self, example: str) -> Pool:
        """Parse a pool whose comparison, if one follows, is not its own."""
        start = self.token.position
        self.comparing[-1] = False
        term = self._atom()
        self.comparing[-1] = True
        if term.pool_of is None:
            self.fail(f"expected a pool, such as {example}", start)
        return term.pool_of

    def numbers(self) -> list[Node]:
        """Parse numbers with commas between."""
        numbers = [self.any().node]
        while self.take(","):
            numbers.append(self.any().node)
        return numbers

    # Checks and tokens

    def _checked(self, term: Term, position: int) -> Term:
        """Refuse a term whose results are too large or spread over too many values."""
        low, high = term.node.bounds
        if (far := max(-low, high)) > RESULT_MAX:
            self.fail(f"results reach {float(far):.0f}; at most {RESULT_MAX} is allowed", position)
        if (span := high - low + 1) > SPAN_MAX:
            self.fail(f"results spread over {float(span):.0f} values; at most {SPAN_MAX} are allowed", position)
        return term

    def open(self) -> None:
        """Parse an opening bracket."""
        self.comparing.append(True)
        if len(self.comparing) > DEPTH_MAX + 1:
            self.fail(f"more than {DEPTH_MAX} nested brackets")
        self.expect("(")

    def close(self) -> None:
        """Parse a closing bracket."""
        self.expect(")")
        self.comparing.pop()


def _dice_of_factors(node: Node) -> list[Dice]:
    """Dice of conditions that are multiplied with something."""
    if not isinstance(node, Product):
        return []
    return [dice for part in node.parts for dice in (unnamed_dice(part) if is_condition(part) else _dice_of_factors(part))]


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
