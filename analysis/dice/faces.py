"""Dice of a pool: their faces, and what is done with each die or with some of them."""

from dataclasses import replace

from analysis.dice.tokens import COMPARED, HINTS, KEEPS, MODIFIERS, NUMBER_MAX, STEPS, Reader, Token
from analysis.dice.tree import Face, Keep, Step, chance_of, explosions

FACES_MAX = 1000  # faces of a die
STEPS_MAX = 4  # changes of one die
EXPLODING_MAX = 500_000  # faces rolled again, times faces, times squared depth: less than a second


class FaceReader(Reader):
    """Reads dice, with rerolls, explosions and keeps."""

    def face(self) -> Face:
        """Parse d and the faces."""
        token = self.token
        self.next += 1
        if token.text == "df":
            return Face("dF", (-1, 0, 1))
        if self.take("%"):
            return Face("d%", tuple(range(1, 101)))
        if self.take("{"):
            faces = [self._own_face()]
            while self.take(","):
                faces.append(self._own_face())
                if len(faces) > FACES_MAX:
                    self.fail(f"more than {FACES_MAX} faces")
            if self.token.text in ("-", ":"):
                self.fail("write every face, as often as the die has it, with commas between, such as d{1,1,2}")
            self.expect("}")
            return Face(f"d{{{','.join(map(str, faces))}}}", tuple(sorted(faces)))
        faces_number = self.integer("the number of faces", 2, FACES_MAX)
        return Face(f"d{faces_number}", tuple(range(1, faces_number + 1)))

    def _own_face(self) -> int:
        sign = -1 if self.take("-") else 1
        if self.token.kind != "number":
            self.fail(f"a face is a whole number, such as in d{{0,0,1,2}}, found {self.excerpt}")
        return sign * self.integer("a face", 0, NUMBER_MAX)

    def modifiers(self, face: Face, dice: int) -> tuple[Face, tuple[Keep, ...], bool]:
        """Parse rerolls, explosions, limits and keeps. The last: whether cs, count successes, follows."""
        keeps: tuple[Keep, ...] = ()
        while True:
            token = self.token
            if token.text in KEEPS:
                keeps += (self.keep(dice),)
                dice = keeps[-1].size(dice)
            elif token.text in STEPS:
                self.next += 1
                face = self._stepped(face, Step(STEPS[token.text], (self._condition("reroll"),)), token)
            elif token.text == "!":
                self.next += 1
                if self.token.text == "!":
                    self.fail("write one !: it adds each further roll to the same die, as !! does elsewhere")
                top = face.die.max_outcome()
                limited = self.token.text in COMPARED or self.token.kind == "number"
                condition = self._condition("roll again") if limited else ("==", top)
                face = self._stepped(face, Step("!", (condition,)), token)
            elif token.text in ("min", "max") and self.ahead(1).kind == "number":
                self.next += 1
                limit = self.integer("the limit of a die", 0, NUMBER_MAX)
                face = self._stepped(face, Step(token.text, (("==", limit),)), token)
            elif token.text == "cs":
                self.next += 1
                return face, keeps, True
            else:
                self._refuse_modifier(token)
                return face, keeps, False

    def _refuse_modifier(self, token: Token) -> None:
        """Refuse words that other tools read in different ways."""
        if token.text == "x":
            self.fail("x can mean times or roll again: write * or !")
        if token.text == "d":
            self.fail(
                "write dl1 to drop the lowest die, dh1 to drop the highest; the number of dice is written once, such as 3d6"
            )
        if token.text == "!=":
            return
        if token.text in HINTS:
            self.fail(HINTS[token.text])
        if token.kind == "word" and token.text not in ("and", "or", "floor"):
            self.fail(f"unknown word {token.text[:20]!r} after dice; known words are {', '.join(MODIFIERS)}")

    def _stepped(self, face: Face, step: Step, token: Token) -> Face:
        """Add a step to a die; refuse one that would never end or takes too long."""
        steps = (*face.steps, step)
        last = face.steps[-1] if face.steps else None
        if last and step.word in ("r", "ro") and last.word == step.word and step.conditions[0] not in last.conditions:
            steps = (*face.steps[:-1], Step(step.word, last.conditions + step.conditions))  # r1r2: one step, two conditions
        if len(steps) > STEPS_MAX:
            self.fail(f"more than {STEPS_MAX} changes of one die", token.position)
        changed = replace(face, steps=steps)
        before = changed.before.die
        applied = [value for value in before.outcomes() if steps[-1].applies(value)]
        chance = chance_of(before, applied)
        sign, limit = step.conditions[0]
        if step.word in ("r", "ro") and not applied:
            self.fail(f"{face.text} never shows {sign.removeprefix('==')}{limit} here, so nothing is rerolled", token.position)
        if step.word == "min" and limit > before.max_outcome():
            self.fail(f"min{limit} makes every face of {face.text} a {limit}; name one of its faces", token.position)
        if step.word == "!" and not applied:
            self.fail(
                f"! rolls a die again, and no face of {face.text} is {sign}{limit}; to compare the result, write it in brackets, "
                f"such as ({face.text}!){sign}{limit}",
                token.position,
            )
        if step.word in ("r", "!") and chance == 1:
            self.fail("every face is rolled again, which never ends", token.position)
        if step.word == "!" and applied and len(applied) * len(before) * explosions(chance) ** 2 > EXPLODING_MAX:
            self.fail("with this many faces that are rolled again, the result takes too long to compute", token.position)
        return changed

    def _condition(self, what: str) -> tuple[str, int]:
        exactly = self.token.text not in COMPARED
        sign = "==" if exactly else self.sign()
        negative = -1 if self.take("-") else 1
        value = negative * self.integer(f"the face to {what}", 0, NUMBER_MAX)
        word, number, minus, after = (self.ahead(place) for place in (-2, -1, 0, 1))
        adjacent = number.end == minus.position and minus.end == after.position
        if exactly and minus.text == "-" and after.kind == "number" and adjacent and int(float(after.text)) > value:
            faces = "".join(f"{word.text}{face}" for face in range(value, min(int(float(after.text)), value + 5) + 1))
            self.fail(
                f"{value}-{after.text} can mean the faces {value} to {after.text}, or minus {after.text}: write {faces}, or "
                f"close the pool in brackets before the minus",
                number.position,
            )
        return sign, value

    def keeps(self, dice: int) -> tuple[Keep, ...]:
        """Parse keeps after a name."""
        keeps: tuple[Keep, ...] = ()
        while self.token.text in KEEPS:
            keeps += (self.keep(dice),)
        return keeps

    def keep(self, dice: int) -> Keep:
        """Parse a keep or drop, and its number of dice."""
        token = self.token
        highest, drop = KEEPS[token.text]
        self.next += 1
        number = 1
        if self.token.kind == "number" and self.ahead(1).text not in ("d", "df"):
            number = self.integer(f"dice to {'drop' if drop else 'keep'}", 0 if drop else 1, max(1, dice))
        return Keep(highest, number, drop)
