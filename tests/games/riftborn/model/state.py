"""The state of the Riftborn Tactics model, and queries of it. RIFT-01, RIFT-30 to 32."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from sim.games.riftborn.state import Aim, Harm, Phase, Wound
from tests.games.riftborn.model.cards import Card, Cards
from tests.games.riftborn.model.facts import Facts

SEATS = (0, 1)
PER_ROW = 5  # slots are row * PER_ROW + index
ENEMY = 15  # codes of enemy slots begin here
OWN_PLAYER, THE_OPPONENT = 30, 31
MOST_TOKENS = 9999
WAITING, ACTIVE = 1, 2  # of CHARM and PACIFY; both at the same time are 3


class Question(NamedTuple):
    """Somebody must decide. Codes ascend."""

    kind: Phase
    seat: int
    codes: list[int]
    aim: Aim = Aim.NONE


T = TypeVar("T")
Asking = Generator[Question, int, T]  # a part of the game that may ask: yields questions, is sent codes, returns T


class GameOver(Exception):  # noqa: N818
    """RIFT-130. Nothing further resolves."""


class Chance(Protocol):
    """What is left to chance."""

    def library(self, seat: int, cards: list[int], /) -> list[int]:
        """Shuffled cards, the top one first. cards: places in the file, in any order."""

    def coin(self) -> int:
        """RIFT-08. Seat that goes first."""


@dataclass(eq=False)
class Creature:
    """A creature in a formation. `own`: abilities printed or granted and not lost; UNDEATH: unused ones."""

    card: Card
    owner: int
    origin: Card | None  # card that goes to the discard pile in the end; None: a summoned token
    morale: str = "attack"
    face_down: bool = False
    damage: int = 0
    rage: int = 0
    health: int = 0
    shield: int = 0
    weakness: int = 0
    decay: int = 0
    ready: int = 0
    own: dict[str, int] = field(default_factory=dict)
    swaps: int = 0
    acted: bool = False
    entered: bool = False
    charm: int = 0
    pacify: int = 0
    credit: int | None = None  # seat that gains its experience if it dies in the next death check
    killer: Card | None = None  # card whose damage that was, for the facts
    harm: Harm = Harm.NONE  # what left it deadly hurt
    row: int = -1  # where it stands; -1: in no formation
    index: int = -1

    def __post_init__(self) -> None:
        self.own = dict(self.card.abilities)

    def add(self, kind: str, n: int) -> int:
        """n tokens of a kind, or damage; returns how many were really laid."""
        before: int = getattr(self, kind)
        after = min(MOST_TOKENS, before + n)
        setattr(self, kind, after)
        return after - before

    def clear(self, kind: str, n: int) -> int:
        """Up to n tokens of a kind taken away, or damage healed (RIFT-64); returns how many."""
        before: int = getattr(self, kind)
        gone = min(n, before)
        setattr(self, kind, before - gone)
        return gone


@dataclass
class Weapon:
    """An attached Weapon."""

    card: Card
    uses: int
    used: bool = False


@dataclass
class Armour:
    """An attached Armour."""

    card: Card
    points: int


@dataclass
class Player:
    """RIFT-01. Cards of the library: the top one first."""

    deck: tuple[Card, ...]
    life: int
    xp: int = 0
    own_turns: int = 0
    start_level: int = 1
    used_levels: int = 0
    library: list[Card] = field(default_factory=list)
    hand: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    removed: list[Card] = field(default_factory=list)
    waiting: list[Card] = field(default_factory=list)  # a Spell beside the piles
    weapons: list[Weapon] = field(default_factory=list)
    armours: list[Armour] = field(default_factory=list)
    tricks: set[str] = field(default_factory=set)
    rows: list[list[Creature]] = field(default_factory=list)  # front row first
    known_own: int = 0  # top cards of the library that its owner knows
    known_other: int = 0  # and that the opponent knows

    @property
    def creatures(self) -> list[Creature]:
        """In order of row, index."""
        return [creature for row in self.rows for creature in row]


class Waiting(NamedTuple):
    """RIFT-117. A trick in the queue."""

    owner: int
    trigger: Creature | None
    subject: Creature | None


@dataclass
class Table:
    """Everything. phase and aim of an unanswered question are kept by who asks it."""

    cards: Cards
    chance: Chance
    players: list[Player]
    active: int = 0
    first: int | None = None
    turn: int = 0  # player turns finished
    winner: int | None = None
    over: bool = False
    queue: list[Waiting] = field(default_factory=list)
    facts: Facts = field(default_factory=lambda: Facts(()))
    watch: Callable[["Table"], None] | None = None  # called after each death check

    @property
    def rules(self) -> Any:
        """Numbers and switches."""
        return self.cards.rules

    def everybody(self) -> list[Creature]:
        """All creatures, those of the active player first."""
        return self.players[self.active].creatures + self.players[1 - self.active].creatures

    def there(self, creature: Creature | None) -> bool:
        """Whether it is (still) in a formation."""
        return creature is not None and creature.row >= 0

    def place(self, creature: Creature) -> tuple[int, int]:
        """Its row and index."""
        if creature.row < 0:
            raise LookupError(f"{creature.card.id} is in no row")
        return creature.row, creature.index

    def code(self, seat: int, creature: Creature) -> int:
        """Its code in decisions of a seat."""
        row, index = self.place(creature)
        return row * PER_ROW + index + (0 if creature.owner == seat else ENEMY)

    def at(self, seat: int, code: int) -> Creature:
        """The creature of a code 0..29."""
        row, index = divmod(code % ENEMY, PER_ROW)
        return self.players[seat if code < ENEMY else 1 - seat].rows[row][index]

    def gaps(self, seat: int) -> list[int]:
        """RIFT-30. Codes of the places where a new creature can go."""
        rows = self.players[seat].rows
        codes = [r * PER_ROW + i for r, row in enumerate(rows) if len(row) < self.rules.max_per_row for i in range(len(row) + 1)]
        return codes + [len(rows) * PER_ROW] * (len(rows) < self.rules.max_rows)

    def insert(self, creature: Creature, code: int) -> None:
        """RIFT-30. A creature into a gap or a new row."""
        row, index = divmod(code, PER_ROW)
        rows = self.players[creature.owner].rows
        if row == len(rows):
            rows.append([])
        rows[row].insert(index, creature)
        self.form(creature.owner)

    def remove(self, creature: Creature) -> None:
        """RIFT-32. A creature leaves; gaps close and empty rows vanish."""
        row, index = self.place(creature)
        del self.players[creature.owner].rows[row][index]
        creature.row = creature.index = -1
        self.form(creature.owner)

    def replace(self, creature: Creature, other: Creature) -> None:
        """RIFT-111. Another creature in the same place."""
        row, index = self.place(creature)
        self.players[creature.owner].rows[row][index] = other
        creature.row = creature.index = -1
        self.form(creature.owner)

    def swap(self, one: Creature, other: Creature) -> None:
        """RIFT-40. Two creatures of a side change places."""
        (row, index), (other_row, other_index) = self.place(one), self.place(other)
        rows = self.players[one.owner].rows
        rows[row][index], rows[other_row][other_index] = other, one
        self.form(one.owner)

    def form(self, seat: int) -> None:
        """Remove empty rows, and update every creature's place."""
        player = self.players[seat]
        player.rows = [row for row in player.rows if row]
        for r, row in enumerate(player.rows):
            for i, creature in enumerate(row):
                creature.row, creature.index = r, i

    def level(self, seat: int) -> int:
        """RIFT-20."""
        return sum(need <= self.players[seat].xp for need in self.rules.level_xp)

    def budget(self, seat: int) -> int:
        """RIFT-22, 23. Levels of cards that can still be played this turn."""
        player = self.players[seat]
        level = self.level(seat) if self.rules.level_budget == "live" else player.start_level
        return level - player.used_levels

    def gain(self, seat: int, xp: int, source: str) -> None:
        """RIFT-21. Experience from turn, play, summon, kill or effect."""
        self.players[seat].xp += xp
        self.facts.gain(seat, xp, source, self.level(seat))

    def check_lives(self, wound: Wound) -> None:
        """RIFT-130. Raises GameOver when a life is 0 or less."""
        dead = [seat for seat in SEATS if self.players[seat].life <= 0]
        if dead:
            self.winner = 1 - dead[0] if len(dead) == 1 else None
            self.over = True
            self.facts.ended_by = wound
            raise GameOver


def laid_out(cards: Cards, names: tuple[str, str], chance: Chance) -> Table:
    """RIFT-05. Two players with their decks aside, nothing in play."""
    decks = [cards.decks[name] for name in names]
    players = [Player(deck, cards.rules.start_life) for deck in decks]
    return Table(cards, chance, players, facts=Facts(decks))
