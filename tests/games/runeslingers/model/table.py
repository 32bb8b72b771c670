"""The table of the Runeslingers model: what lies on it, the numbers that effects change, the questions asked.

RUNE-10, 23, 36, 80, 82.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from sim.games.runeslingers.cards import AILMENTS, BOOSTS, DECK_MAX, Ailment, Boost
from sim.games.runeslingers.state import AREAS, CURVE, FACTS, HAND_MAX, PLACES, SLOTS, Cause, Phase

Asking = Generator["Question", int, Any]  # a part of the game that can ask questions
DEFENCE_CARDS = ("chant", "trinket", "boon")
TYPES = [ailment.name.lower() for ailment in Ailment][:AILMENTS]
BOOST_WORDS = [boost.name.lower() for boost in Boost]


@dataclass
class Question:
    """A decision. codes: the options in ascending order."""

    kind: Phase
    seat: int
    codes: list[int]


class GameOver(Exception):  # noqa: N818 - the end is no error
    """The encounter has ended; nothing pending resolves (RUNE-20)."""


class Chance(Protocol):
    """The random choices of a game."""

    def shuffle(self, seat: int, instances: list[int], /) -> list[int]:
        """A deck of these cards, given in ascending order; the top card last."""

    def roll(self, seat: int, /) -> int:
        """RUNE-17."""

    def random_discard(self, seat: int, held: int, /) -> int:
        """RUNE-123. Place in a hand of `held` cards."""


@dataclass(eq=False)
class Thing:
    """A card in play, on a concentration (place 0..5) or an ailment area (6..9)."""

    inst: int
    side: int  # who controls it
    place: int
    seq: int
    turn_played: int
    used: bool = False
    tokens: int = 0
    damage: int = 0
    guard: int = 0  # barrier
    charged: bool = False
    uses: list[int] = field(default_factory=lambda: [0, 0])
    under: int | None = None  # instance trapped under it


@dataclass(eq=False)
class Concentration:
    """A face-down card."""

    inst: int
    side: int
    place: int
    used: bool = False


@dataclass
class Area:
    """An ailment area."""

    type: int = 0
    count: int = 0


@dataclass(eq=False)
class Player:
    """A seat: the Runeslinger as an object, and the field around it."""

    side: int
    hero: dict[str, Any]
    stance: dict[str, Any]
    ability: dict[str, Any]
    slots_of: list[int]  # card numbers of the deck's list, each once
    power: int = 0
    determination: int = 0
    health: int = 0
    light: int = 0
    guard: int = 0
    sets_left: int = 0
    blocked: int = 0
    inherent_uses: int = 0
    boosts: list[int] = field(default_factory=lambda: [0] * BOOSTS)
    own_turns: int = 0
    deck: list[int] = field(default_factory=list)  # the top card last
    hand: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    void: list[int] = field(default_factory=list)
    concs: list[Concentration | None] = field(default_factory=lambda: [None] * SLOTS)
    things: list[Thing | None] = field(default_factory=lambda: [None] * PLACES)
    areas: list[Area] = field(default_factory=lambda: [Area() for _ in range(AREAS)])


COUNTED = [fact for fact in FACTS if not fact.derived and fact.name != "own_turns"]


class Facts:
    """Counts for the outcome, by their names there and by seat; own turns are counted with the players."""

    def __init__(self) -> None:
        for fact in COUNTED:
            setattr(self, fact.name, np.zeros(fact.shape, int).tolist())
        self.curves: list[list[tuple[int, int, int]]] = [[], []]  # power, life, ailments after own turns

    def add(self, name: str, seat: int, n: int = 1) -> None:
        """Increase a count."""
        getattr(self, name)[seat] += n

    def curve(self, seat: int, which: int) -> list[float]:
        """One figure at the end of each of the player's turns, nan after the last."""
        values = [float(row[which]) for row in self.curves[seat][:CURVE]]
        return values + [float("nan")] * (CURVE - len(values))


Object = Player | Thing | Concentration


class Table:
    """A game. document: the card file; decks: indexes of the two decks in it."""

    def __init__(self, document: dict[str, Any], decks: tuple[int, int], chance: Chance):
        self.document, self.chance = document, chance
        self.rules: dict[str, Any] = document["rules"]
        self.cards: list[dict[str, Any]] = document["card"]
        self.ailments: list[dict[str, Any]] = document["ailment"]
        self.card_of: dict[int, int] = {}
        self.players = [self._player(seat, document["deck"][deck]) for seat, deck in enumerate(decks)]
        self.facts = Facts()
        self.active = 0
        self.turn = 0
        self.seq = 0
        self.between: list[int] = []  # cards on their way: being paid for, or under a trap that has left
        self.first = self.chooser = self.winner = -1
        self.cause = Cause.NOT_DECIDED
        self.over = False

    def _player(self, seat: int, deck: dict[str, Any]) -> Player:
        numbers = {card["id"]: number for number, card in enumerate(self.cards)}
        copies = [numbers[name] for name, count in deck["cards"].items() for _ in range(count)]
        for at, number in enumerate(copies):
            self.card_of[seat * DECK_MAX + at] = number

        def entry(table: str) -> dict[str, Any]:
            return next(row for row in self.document[table] if row["id"] == deck[table])

        slots = list(dict.fromkeys(copies))
        player = Player(seat, entry("runeslinger"), entry("stance"), entry("ability"), slots)
        player.deck = [seat * DECK_MAX + at for at in range(len(copies))]
        return player

    def switch(self, name: str, value: Any) -> bool:
        """Whether a rule variant is chosen."""
        return self.rules.get(name) == value

    def card(self, inst: int) -> dict[str, Any]:
        """Entry of an instance in the card file."""
        return self.cards[self.card_of[inst]]

    def owner(self, inst: int) -> Player:
        """RUNE-05."""
        return self.players[inst // DECK_MAX]

    def owned(self, thing: Thing) -> str:
        """RUNE-05. Whether owner and controller are the same."""
        return "owned" if self.owner(thing.inst).side == thing.side else "not_owned"

    def has(self, inst: int, keyword: str) -> bool:
        """A printed keyword."""
        return keyword in self.card(inst).get("keywords", ())

    def is_defence(self, thing: Object) -> bool:
        """Whether it is a defence card in play."""
        return isinstance(thing, Thing) and self.card(thing.inst)["type"] in DEFENCE_CARDS

    def order(self) -> tuple[Player, Player]:
        """The active player and the other."""
        return self.players[self.active], self.players[1 - self.active]

    def things(self) -> list[Thing]:
        """Things in play: the active player's first, each from the lowest position on."""
        return [thing for player in self.order() for thing in player.things if thing is not None]

    def exposed(self, target: Object) -> bool:
        """RUNE-06. Whether an object is where it was, with nothing on it."""
        if isinstance(target, Player):
            return True
        player = self.players[target.side]
        if isinstance(target, Thing):
            return player.things[target.place] is target
        return player.concs[target.place] is target and player.things[target.place] is None

    def exposed_concs(self, player: Player) -> list[Concentration]:
        """Concentrations with nothing on them, lowest first."""
        return [conc for conc in player.concs if conc is not None and self.exposed(conc)]

    def sorted_hand(self, player: Player) -> None:
        """By card, then by instance."""
        player.hand.sort(key=lambda inst: (self.card_of[inst], inst))

    def hand_places(self, player: Player) -> list[int]:
        """Indexes of the hand, equal cards once."""
        numbers = [self.card_of[inst] for inst in player.hand]
        return [at for at, number in enumerate(numbers) if numbers.index(number) == at]

    def merged_concs(self, concs: Iterable[Concentration]) -> list[Concentration]:
        """The lowest concentration of each card and position."""
        distinct: dict[tuple[int, bool], Concentration] = {}
        for conc in sorted(concs, key=lambda conc: conc.place):
            distinct.setdefault((self.card_of[conc.inst], conc.used), conc)
        return list(distinct.values())

    def ask(self, kind: Phase, seat: int, codes: Iterable[int]) -> Asking:
        """Ask for a decision; a single option is taken without asking."""
        options = sorted(codes)
        if len(options) == 1:
            return options[0]
        answer = yield Question(kind, seat, options)
        return answer

    def end(self, winner: int, cause: Cause) -> None:
        """RUNE-20. The encounter ends at once."""
        self.winner, self.cause, self.over = winner, cause, True
        raise GameOver

    def is_full(self, player: Player, limit: int) -> bool:
        """Whether no card fits into a hand any more."""
        return len(player.hand) >= min(limit, HAND_MAX)


CARD, EQUIP, AILMENT = range(3)  # levels of RUNE-10, the weakest first
Rank = tuple[int, bool, int]  # level, controlled by the active player, how new


class Stats(Table):
    """Numbers with all lasting effects."""

    def exposed_areas(self, player: Player) -> list[tuple[int, Area]]:
        """Areas with ailments that are on this player, lowest first (RUNE-06, 107)."""
        return [(at, area) for at, area in enumerate(player.areas) if area.count and player.things[SLOTS + at] is None]

    def instances(self, player: Player) -> int:
        """Number of exposed ailments."""
        return sum(area.count for _, area in self.exposed_areas(player))

    def of_type(self, player: Player, kind: int) -> int:
        """Exposed instances of a type."""
        return sum(area.count for _, area in self.exposed_areas(player) if area.type == kind)

    def is_level_two(self, player: Player, kind: int) -> bool:
        """RUNE-99."""
        return self.of_type(player, kind) >= self.ailments[kind]["threshold"]

    def _statics(self, player: Player) -> Iterator[tuple[dict[str, Any], int, Rank]]:
        """All statics that this player controls: the static, how often it counts, its rank in RUNE-10."""
        active = player.side == self.active
        for static in player.stance.get("statics", ()):
            if static.get("if", "always") != "not_owned":
                yield static, 1, (EQUIP, active, 0)
        for thing in player.things:
            if thing is not None:
                for static in self.card(thing.inst).get("statics", ()):
                    if static.get("if", "always") in ("always", self.owned(thing)):
                        yield static, 1, (CARD, active, thing.seq)
        yield from self._of_ailments(player)

    def _of_ailments(self, player: Player) -> Iterator[tuple[dict[str, Any], int, Rank]]:
        for at, area in self.exposed_areas(player):
            lasting = [("per_instance", area.count), ("while_any", 1)]
            if self.is_level_two(player, area.type):
                lasting.append(("level2", 1))
            for name, times in lasting:
                for static in self.ailments[area.type].get(name, ()):
                    yield static, times, (AILMENT, player.side == self.active, -at)

    def on(self, player: Player, stat: str) -> list[tuple[int, Rank]]:
        """Every static that reaches this player, with its rank."""
        found = []
        for controller in self.players:
            for static, times, rank in self._statics(controller):
                scope = static.get("scope", "self")
                if static["stat"] == stat and scope in ("each", "self" if controller is player else "enemy"):
                    found.append((static.get("n", 0) * times, rank))
        return found

    def total(self, player: Player, stat: str) -> int:
        """Numbers that add up."""
        return sum(n for n, _ in self.on(player, stat))

    def flag(self, player: Player, stat: str) -> bool:
        """Permissions and prohibitions."""
        return bool(self.on(player, stat))

    def block(self, player: Player) -> int:
        """RUNE-82."""
        bonus = self.total(player, "block") + player.boosts[Boost.BLOCK]
        return max(0, player.hero["block"] + bonus)

    def max_health(self, player: Player) -> int:
        """RUNE-23."""
        return player.hero["health"] + self.total(player, "max_health")

    def max_hand(self, player: Player) -> int:
        """RUNE-36, 10. Of one source the text printed last holds: level II beats what comes before it."""
        found = self.on(player, "max_hand")[::-1]
        size = max(found, key=lambda entry: entry[1])[0] if found else self.rules["max_hand"]
        return min(size, HAND_MAX)

    def defence(self, thing: Thing) -> int:
        """Defence of a defence card in play."""
        return self.card(thing.inst)["defence"] + self.total(self.players[thing.side], "defence")

    def damage_bonus(self, player: Player, runespell: str | None) -> int:
        """RUNE-80. runespell: its type, or None for any other source."""
        names = ["damage"]
        if runespell in ("spirit", "attack"):
            names.append(f"damage_{runespell}")
        return sum(self.total(player, name) + player.boosts[Boost[name.upper()]] for name in names)

    def adds_pierce(self, player: Player, runespell: str | None) -> bool:
        """RUNE-55, 127. Whether a boost adds Pierce to a runespell of this type."""
        return runespell in ("spirit", "attack") and player.boosts[Boost[f"PIERCE_{runespell.upper()}"]] > 0
