"""Rolls and duels with known odds, so that simulated and exact results can be compared.

A game with duels provides a `Duels`: the possible fighters, opponents and gear. `arrange` sets up one duel in two forms, a
`Chain` of turns that `analysis` solves exactly and a simulation by the game's compiled rules. A `Roll` likewise has an
expression and a simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet, slug

OPPONENTS_MAX = 4  # around a fighter, one on each side
UNDECIDED = -1  # ending of a simulated duel that was stopped at the game's turn limit
Named = tuple[str, str]  # id, name


@dataclass(frozen=True)
class Chain:
    """A duel as an absorbing Markov chain. An edge is a turn; several edges can join the same two states.

    States 0..states-1 are situations at the start of a turn; states..states+ends-1 are absorbing ends. The chances of the edges
    that leave a situation sum to 1; no edge leaves an end. All arrays are one-dimensional.
    """

    states: int  # situations, at least 1
    start: int  # 0..states-1
    source: np.ndarray  # int32 (edges,), 0..states-1
    target: np.ndarray  # int32 (edges,), 0..states+ends-1
    chance: np.ndarray  # float64 (edges,), above 0
    ending: np.ndarray  # int8 (ends,): index into `endings` of end `states + i`
    left: np.ndarray  # int16 (ends,): what the fighter has left (health, lives, ...), 0 if it lost
    endings: tuple[str, ...]  # in words, e.g. ("won", "dead", "fled"); the first is the fighter's win

    @property
    def ends(self) -> int:
        """Return the number of absorbing states."""
        return len(self.ending)


@dataclass(frozen=True)
class Decisions:
    """A duel as a Markov decision process over the situations of a chain. An option is one action in one situation.

    States as in `Chain`. Every situation has at least one option; the chances of the edges of an option sum to 1.
    """

    states: int  # situations, at least 1
    start: int  # 0..states-1
    state: np.ndarray  # int32 (options,): situation of each option, ascending
    action: np.ndarray  # int8 (options,): index into `actions`, ascending within a situation
    option: np.ndarray  # int32 (edges,), 0..options-1
    target: np.ndarray  # int32 (edges,), 0..states+ends-1
    chance: np.ndarray  # float64 (edges,), above 0
    ending: np.ndarray  # int8 (ends,): index into `endings` of end `states + i`
    endings: tuple[str, ...]  # as in the chain
    escape: int | None  # index into `endings` of an end that the fighter survives without a win
    actions: tuple[str, ...]  # in words, the preferred one of equally good actions first
    own: np.ndarray  # int16 (states,): what the fighter has (health, ...)
    theirs: np.ndarray  # int16 (states,): what the opponents have together
    potions: np.ndarray  # int16 (states,): healing potions of the fighter


@dataclass(frozen=True)
class Fights:
    """Results of simulated duels, arrays with one element per duel."""

    ending: np.ndarray  # int8: index into the endings of the chain, UNDECIDED if stopped
    left: np.ndarray  # int16: as in the chain; undefined where undecided
    turns: np.ndarray  # int32: turns fought, 1 or more


@dataclass(frozen=True)
class DuelRequest:
    """A requested duel. Ids are those of `Duels.fighters`, `.opponents` and `.gear`.

    A fighter with potions drinks one at the start of a turn with at most `drink_at` health, and tries to flee in every turn
    that it starts with at most `flee_at` health. None: never. exit: whether there is a place to flee to.
    """

    fighter: str
    opponents: tuple[str, ...]  # 1..OPPONENTS_MAX; repeats allowed
    gear: tuple[str, ...] = ()
    health: int | None = None  # at the start; None: the fighter's maximum
    potions: int = 0  # healing potions
    drink_at: int | None = None
    flee_at: int | None = None
    exit: bool = True


@dataclass(frozen=True)
class Duel:
    """A duel, set up. The chain and the simulation use the same rules and the same plan of the fighter."""

    fighter: str  # name
    opponents: tuple[str, ...]  # names
    gear: tuple[str, ...]  # names
    health: int  # of the fighter at the start
    health_max: int
    chain: Callable[[], Chain]
    sample: Callable[[int, int], Fights]  # (games, seed) -> duels played by the compiled rules
    decisions: Callable[[], Decisions] | None = None  # None: the fighter has nothing to decide

    @property
    def title(self) -> str:
        """Return the duel in words."""
        wearing = f" with {', '.join(self.gear)}" if self.gear else ""
        return f"{self.fighter}{wearing} against {', '.join(self.opponents)}"


@dataclass(frozen=True)
class Sieges:
    """Results of simulated sieges, arrays with one element per siege."""

    slain: np.ndarray  # bool: whether the opponent was slain
    deaths: np.ndarray  # int16: attackers who died, 0..attackers


@dataclass(frozen=True)
class Siege:
    """Several fighters who attack a strong opponent in turn."""

    opponent: str  # name
    gear: str  # gear of all attackers, in words, e.g. "bare-handed"
    attackers: int  # at least 1
    sample: Callable[[int, int], Sieges]  # (games, seed) -> sieges played by the compiled rules
    attacker: str = ""  # name, if all attackers are of one kind


@dataclass(frozen=True)
class Duels:
    """The duels of a game, all read from its card set."""

    fighters: Callable[[CardSet], list[Named]]
    opponents: Callable[[CardSet], list[Named]]
    gear: Callable[[CardSet], list[Named]]  # pieces that affect a fight; some fighters may be unable to wear some
    setup: Callable[[CardSet, DuelRequest], Duel]  # takes valid ids. Raises ValueError for an impossible duel
    siege: Callable[[CardSet], list[Siege]] | None = None  # ordered by gear, then by number of attackers
    left_word: str = "health"  # what `left` counts


def arrange(duels: Duels, cards: CardSet, request: DuelRequest) -> Duel:
    """Set up a duel. Names work like ids: "Cave Bat" is cave_bat.

    Raises ValueError for an unknown id, too many opponents, numbers out of range, a plan without its means (potions, exit),
    and for what the game refuses, such as gear that cannot be worn or too much health.
    """
    (fighter,) = _known("fighter", (request.fighter,), duels.fighters(cards))
    opponents = _known("opponent", request.opponents, duels.opponents(cards))
    if not 1 <= len(opponents) <= OPPONENTS_MAX:
        raise ValueError(f"opponents: {len(opponents)} given, must be 1..{OPPONENTS_MAX}")
    gear = _known("gear", request.gear, duels.gear(cards))
    if request.potions < 0:
        raise ValueError(f"potions={request.potions} must be at least 0")
    if (request.potions > 0) != (request.drink_at is not None):
        raise ValueError(f"potions={request.potions} and drink_at={request.drink_at}: give both, or neither")
    if request.flee_at is not None and not request.exit:
        raise ValueError(f"flee_at={request.flee_at}: fleeing needs an exit; remove one of the two settings")
    for name in ("health", "drink_at", "flee_at"):
        value = getattr(request, name)
        if value is not None and value < 1:
            raise ValueError(f"{name}={value} must be at least 1")
    return duels.setup(cards, replace(request, fighter=fighter, opponents=opponents, gear=gear))


def _known(word: str, wanted: tuple[str, ...], named: list[Named]) -> tuple[str, ...]:
    """Return the ids of entries given by id or name. Raises ValueError for an unknown entry."""
    ids = {slug(text): key for key, name in named for text in (name, key)}
    for text in wanted:
        if slug(text) not in ids:
            raise ValueError(f"{word} {text!r}: is not known; {did_you_mean(text, [key for key, _ in named])}")
    return tuple(ids[slug(text)] for text in wanted)


@dataclass(frozen=True)
class Roll:
    """A roll with known odds: an expression in the language of `analysis.dice` and the roll as it is played."""

    entrant: str  # id of the roller
    part: str  # slug of the ability (card, ...) that rolls
    against: int  # opposing Defence, resistance, ...
    name: str  # e.g. "Rhino Guy: Hammer Time"
    versus: str  # `against` in words, e.g. "Defence 2"
    expression: str  # e.g. "max(0, 5d6>=4 - 2d6>=4)"
    sample: Callable[[int, int], np.ndarray]  # (games, seed) -> results of the compiled roll, int (games,)

    @property
    def title(self) -> str:
        """Return the roll in words."""
        return f"{self.name} against {self.versus}"
