"""Dice of the Card Rogue model: thrown one by one, or followed through every outcome.

The rules ask for dice in three ways: `face` for a number, `within` for yes or no, `attack` for a whole attack. `Thrown`
takes the faces from a given list; `Followed` takes one branch of a tree of chances, and `leaves` takes all of them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar

from tests.games.cardrogue.model.cards import EVERY_FACE, Faces

Path = tuple[Any, ...]  # what the dice showed, in the order in which they were asked for

SIXTH = Fraction(1, 6)
DICE_MAX = 64  # ROGUE-43
TOTAL_MAX = 6 * DICE_MAX
NO_ENEMY = -1

T = TypeVar("T")


class Roll(StrEnum):
    """What a die is thrown for."""

    ATTACK = "attack"
    DODGE = "dodge"
    FLEE = "flee"
    ABILITY = "ability"
    ENEMY_ATTACK = "enemy attack"


@dataclass(frozen=True)
class Reading:
    """How the dice of an attack are read. `watched`: faces with a meaning; `enough`: higher totals count as this."""

    reroll_on: Faces = frozenset()
    reroll_dice: int = 0
    watched: Faces = EVERY_FACE
    enough: int = TOTAL_MAX


class Throw(NamedTuple):
    """ROGUE-43. An attack under way."""

    total: int = 0
    owed: int = 1  # dice still to be thrown
    thrown: int = 0
    faces: Faces = frozenset()  # watched faces that showed up (ROGUE-42)

    @property
    def over(self) -> bool:
        """Whether no further die is thrown."""
        return self.owed == 0 or self.thrown == DICE_MAX

    def after(self, face: int, reading: Reading) -> "Throw":
        """One more die."""
        again = face in reading.reroll_on
        return Throw(
            min(self.total + (0 if again else face), reading.enough),
            self.owed - 1 + (reading.reroll_dice if again else 0),
            self.thrown + 1,
            self.faces | {face} if face in reading.watched else self.faces,
        )


class Dice(Protocol):
    """The dice that the rules ask for. enemy: index of the enemy that throws or is attacked, NO_ENEMY for a flight."""

    def face(self, purpose: Roll, enemy: int, /) -> int:
        """A die, 1..6."""

    def within(self, faces: Faces, purpose: Roll, enemy: int, /) -> bool:
        """Whether a die shows one of the faces."""

    def attack(self, reading: Reading, enemy: int, /) -> Throw:
        """ROGUE-43. All dice of one attack."""


class Thrown:
    """Real dice. source: faces in the order in which they are asked for, or a function of purpose and enemy.

    `log` lists (purpose, enemy, face) of every die.
    """

    def __init__(self, source: Iterable[int] | Callable[[Roll, int], int]) -> None:
        faces = iter(() if callable(source) else source)
        self._source = source if callable(source) else lambda _purpose, _enemy: next(faces)
        self.log: list[tuple[Roll, int, int]] = []

    def face(self, purpose: Roll, enemy: int) -> int:
        """The next die."""
        face = self._source(purpose, enemy)
        self.log.append((purpose, enemy, face))
        return face

    def within(self, faces: Faces, purpose: Roll, enemy: int) -> bool:
        """Whether the next die shows one of the faces."""
        return self.face(purpose, enemy) in faces

    def attack(self, reading: Reading, enemy: int) -> Throw:
        """All dice of the attack; the total is exact."""
        reading = replace(reading, enough=TOTAL_MAX)
        throw = Throw()
        while not throw.over:
            throw = throw.after(self.face(Roll.ATTACK, enemy), reading)
        return throw


class Followed:
    """Dice that follow one path through the tree of chances: what they showed first, second, ...

    Beyond the end of the path they take the first outcome; `untried` lists the paths to the outcomes not taken, `chance`
    is that of everything shown.
    """

    def __init__(self, path: Path = ()) -> None:
        self._path = path
        self._shown: Path = ()
        self.untried: list[Path] = []
        self.chance = Fraction(1)

    def face(self, _purpose: Roll, _enemy: int) -> int:
        """One of six."""
        return self.choose(dict.fromkeys(range(1, 7), SIXTH))

    def within(self, faces: Faces, _purpose: Roll, _enemy: int) -> bool:
        """Yes or no."""
        good = len(faces) * SIXTH
        return self.choose({answer: p for answer, p in ((True, good), (False, 1 - good)) if p})

    def attack(self, reading: Reading, _enemy: int) -> Throw:
        """One of the ways in which the attack can end."""
        return self.choose(attack_chances(reading))

    def choose(self, outcomes: dict[T, Fraction]) -> T:
        """One of the outcomes with its chance."""
        depth = len(self._shown)
        if depth < len(self._path):
            taken: T = self._path[depth]
        else:
            taken, *others = outcomes  # dictionaries keep their order
            self.untried += [(*self._shown, other) for other in others]
        self._shown += (taken,)
        self.chance *= outcomes[taken]
        return taken


def leaves(play: Callable[[Followed], Any]) -> Iterator[tuple[Fraction, Any]]:
    """All results of a play of dice, with their chances. `play` must start over each time."""
    open_paths: list[Path] = [()]
    while open_paths:
        dice = Followed(open_paths.pop())
        result = play(dice)
        open_paths += dice.untried
        yield dice.chance, result


def chances(play: Callable[[Followed], Any]) -> dict[Any, Fraction]:
    """Distribution of the results of a play of dice."""
    found: dict[Any, Fraction] = {}
    for chance, result in leaves(play):
        found[result] = found.get(result, Fraction(0)) + chance
    return found


@cache
def attack_chances(reading: Reading) -> dict[Throw, Fraction]:
    """ROGUE-43. Every result of an attack, distinguished by total and watched faces only."""
    found: dict[Throw, Fraction] = {}
    under_way = {Throw(): 1}  # ways to get there, of 6 to the power of the dice thrown
    for thrown in range(1, DICE_MAX + 1):
        further: dict[Throw, int] = {}
        for throw, ways in under_way.items():
            for face in EVERY_FACE:
                after = throw.after(face, reading)
                further[after] = further.get(after, 0) + ways
        for throw in [throw for throw in further if throw.over]:
            end = throw._replace(owed=0, thrown=0)
            found[end] = found.get(end, Fraction(0)) + Fraction(further.pop(throw), 6**thrown)
        under_way = further
    return found
