"""Duels: fights whose exact odds a game can lay open, as a chain of turns that the statistics floor solves.

A game that has them offers a `Duels`: who can fight whom, wearing what; `arrange` sets one fight up, once as a `Chain` to be
solved exactly and once to be fought many times over by the game's compiled rules, so that each checks the other.

A roll of a game whose odds are known, so that the simulated and the exact answer can be held against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet, slug

OPPONENTS_MAX = 4  # around one fighter, one on each side
UNDECIDED = -1  # ending of a simulated duel that was stopped at the game's own limit of turns
Named = tuple[str, str]  # id, name


@dataclass(frozen=True)
class Chain:
    """A duel as an absorbing Markov chain. One edge is one turn; several edges may join the same two states.

    States 0..states-1 are situations at the start of a turn; states..states+ends-1 are ends. Edges leave every situation
    and their chances sum to 1 there; none leaves an end. All arrays are one-dimensional.
    """

    states: int  # situations, at least 1
    start: int  # 0..states-1
    source: np.ndarray  # int32 (edges,), 0..states-1
    target: np.ndarray  # int32 (edges,), 0..states+ends-1
    chance: np.ndarray  # float64 (edges,), above 0
    ending: np.ndarray  # int8 (ends,): index into `endings` of end `states + i`
    left: np.ndarray  # int16 (ends,): what the fighter has left there (health, lives, ...), 0 if it lost
    endings: tuple[str, ...]  # in words, e.g. ("won", "dead", "fled"); the first is the fighter's win

    @property
    def ends(self) -> int:
        """Number of absorbing states."""
        return len(self.ending)


@dataclass(frozen=True)
class Fights:
    """What came of simulated duels, one element per duel, all of one length."""

    ending: np.ndarray  # int8: index into the endings of the chain, UNDECIDED if stopped
    left: np.ndarray  # int16: as in the chain; of no meaning where undecided
    turns: np.ndarray  # int32: turns fought, 1 or more


@dataclass(frozen=True)
class DuelRequest:
    """A duel as it is asked for. Ids are those of `Duels.fighters`, `.opponents` and `.gear`.

    A fighter with potions drinks one at the start of a turn with at most `drink_at` health; it tries to flee in every turn
    that it begins with at most `flee_at`. None: never. exit: whether there is a place to flee to.
    """

    fighter: str
    opponents: tuple[str, ...]  # 1..OPPONENTS_MAX; the same one may stand there twice
    gear: tuple[str, ...] = ()
    health: int | None = None  # at the start; None: all that the fighter can have
    potions: int = 0  # that heal
    drink_at: int | None = None
    flee_at: int | None = None
    exit: bool = True


@dataclass(frozen=True)
class Duel:
    """One duel, set up. Both ways to its odds play the same rules and the same plan of the fighter."""

    fighter: str  # name
    opponents: tuple[str, ...]  # names
    gear: tuple[str, ...]  # names
    health: int  # of the fighter at the start
    health_max: int
    chain: Callable[[], Chain]
    sample: Callable[[int, int], Fights]  # (games, seed) -> that many duels through the compiled rules

    @property
    def title(self) -> str:
        """The duel in words."""
        wearing = f" with {', '.join(self.gear)}" if self.gear else ""
        return f"{self.fighter}{wearing} against {', '.join(self.opponents)}"


@dataclass(frozen=True)
class Sieges:
    """What came of simulated sieges, one element per siege, both of one length."""

    slain: np.ndarray  # bool: whether the opponent was slain
    deaths: np.ndarray  # int16: attackers who died, 0..attackers


@dataclass(frozen=True)
class Siege:
    """Several fighters around one strong opponent, in turn."""

    opponent: str  # name
    gear: str  # what all attackers wear, in words, e.g. "bare-handed"
    attackers: int  # at least 1
    sample: Callable[[int, int], Sieges]  # (games, seed) -> that many sieges through the compiled rules
    attacker: str = ""  # name, if all attackers are of one kind


@dataclass(frozen=True)
class Duels:
    """The duels of a game, all read from its card set."""

    fighters: Callable[[CardSet], list[Named]]
    opponents: Callable[[CardSet], list[Named]]
    gear: Callable[[CardSet], list[Named]]  # pieces that bear on a fight; not every fighter need be able to wear each
    setup: Callable[[CardSet, DuelRequest], Duel]  # for a request with known ids. Raises ValueError for what cannot be
    siege: Callable[[CardSet], list[Siege]] | None = None  # by gear, then by number of attackers
    left_word: str = "health"  # what `left` counts


def arrange(duels: Duels, cards: CardSet, request: DuelRequest) -> Duel:
    """Set a duel up. Names are as good as ids: "Cave Bat" is cave_bat.

    Raises ValueError for an id that there is not, too many opponents, numbers out of range, a plan without its means, and
    for what the game refuses: gear that cannot be worn, health that the fighter cannot have.
    """
    (fighter,) = _known("fighter", (request.fighter,), duels.fighters(cards))
    opponents = _known("opponent", request.opponents, duels.opponents(cards))
    if not 1 <= len(opponents) <= OPPONENTS_MAX:
        raise ValueError(f"{len(opponents)} opponents: name 1..{OPPONENTS_MAX}")
    gear = _known("gear", request.gear, duels.gear(cards))
    if request.potions < 0:
        raise ValueError(f"potions={request.potions} must be at least 0")
    if (request.potions > 0) != (request.drink_at is not None):
        raise ValueError(f"potions={request.potions} and drink_at={request.drink_at}: give both, or neither")
    if request.flee_at is not None and not request.exit:
        raise ValueError(f"flee_at={request.flee_at}: there is no flight without an exit; leave one of them out")
    for name in ("health", "drink_at", "flee_at"):
        value = getattr(request, name)
        if value is not None and value < 1:
            raise ValueError(f"{name}={value} must be at least 1")
    return duels.setup(cards, replace(request, fighter=fighter, opponents=opponents, gear=gear))


def _known(word: str, wanted: tuple[str, ...], named: list[Named]) -> tuple[str, ...]:
    """Return the ids of what is wanted by id or name. Raises ValueError for what there is not."""
    ids = {slug(text): one for one, name in named for text in (name, one)}
    for text in wanted:
        if slug(text) not in ids:
            raise ValueError(f"{word} {text!r}: there is none; {did_you_mean(text, [one for one, _ in named])}")
    return tuple(ids[slug(text)] for text in wanted)


@dataclass(frozen=True)
class Roll:
    """A roll of the game whose odds are known: the same dice in the language of `analysis.dice.exact` and in play."""

    entrant: str  # id of who rolls
    part: str  # slug of the ability (card, ...) that is rolled for
    against: int  # Defence, resistance, ... that it meets
    name: str  # e.g. "Rhino Guy: Hammer Time"
    versus: str  # what it meets in words, e.g. "Defence 2"
    expression: str  # e.g. "max(0, 5d6>=4 - 2d6>=4)"
    sample: Callable[[int, int], np.ndarray]  # (games, seed) -> results of the compiled roll, int (games,)

    @property
    def title(self) -> str:
        """The roll in words."""
        return f"{self.name} against {self.versus}"
