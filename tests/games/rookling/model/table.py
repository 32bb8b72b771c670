"""The table of the plain model: everything that lies on it, who is asked, what chance is asked for; and as STATE fields."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.games.rookling.cards import COLOURS_MAX, TOKENS
from sim.games.rookling.state import KINDS, Cause, Draw, Phase
from tests.games.rookling.model.cards import Card, Cards, FieldEffect, Rookling, Rules
from tests.games.rookling.model.resolve import Clash

Choose = Callable[[Phase, list[int]], int]
Chance = Callable[[Draw, list[int], int], int]

SEATS = (0, 1)
POSITIONS = (0, 1, 2)
SQUAD = 3
SLOTS = range(6)  # owner * 3 + owner's roster slot
CAPACITY_MAX = 4  # ROOK-21
NOBODY = -1


@dataclass
class Rook:
    """A Rookling in play and what lies under it."""

    card: Rookling
    life: int
    tokens: Counter[str] = field(default_factory=Counter)  # active token cards
    pending: Counter[str] = field(default_factory=Counter)
    effects: Counter[int] = field(default_factory=Counter)  # active field effect tokens by slot

    @property
    def in_siege(self) -> bool:
        """ROOK-01, 57."""
        return self.life == 0


@dataclass
class Zone:
    """A position in an exchange: the energy there and what the Rookling there does with it."""

    cards: list[Card] = field(default_factory=list)
    capacity: int = 1
    powered: set[int] = field(default_factory=set)  # indexes of cards that powered a line
    activated: set[int] = field(default_factory=set)  # special lines
    line: int = NOBODY  # attack or defence line in use
    grants: Counter[str] = field(default_factory=Counter)  # attack_flat, attack_plus, defence_flat, defence_plus


class Table:
    """One game as it lies on the table.

    choose: called with a kind of decision and its options (ascending codes) if there are two or more.
    chance: called with what is drawn, the equally likely results, one entry each, and the seat that it is for (NOBODY:
    no seat): seats for coins, Rooklings (places in the file) for a deal, lexicographic index for a row, kinds of cards
    for a card.
    """

    def __init__(self, cards: Cards, choose: Choose, chance: Chance) -> None:
        self.cards = cards
        self._choose = choose
        self._chance = chance
        self.squads: list[list[Rook]] = [[], []]  # by seat and roster slot
        self.rows: list[list[int]] = [[], []]  # roster slot by position; empty before the first row
        self.zones = [[Zone() for _ in POSITIONS] for _ in SEATS]
        self.hands: list[list[Card]] = [[], []]
        self.deck: list[Card] = list(cards.energy)
        self.discard: list[Card] = []
        self.effects: dict[int, FieldEffect] = {}  # by slot
        self.piles: Counter[int] = Counter()  # copies out of play by slot
        self.fixed: dict[int, tuple[int, int]] = {}  # seat and position of the fixed token of a slot
        self.supply = Counter({token.id: token.supply for token in cards.tokens.values()})
        self.attacks, self.defences, self.covers = [0, 0, 0], [0, 0, 0], [0, 0, 0]
        self.clash: Clash | None = None  # the resolution under way
        self.poison = False  # whether it is that of E1b
        self.attacker = self.first = self.drafter = NOBODY
        self.defending = False  # the defender's half of the exchange
        self.skip = [False, False]  # ROOK-15
        self.exchange = 0  # exchanges completed
        self.winner = NOBODY
        self.last_blow = Cause.NONE
        self.phase = Phase.DRAFT  # of the decision asked last, or OVER
        self.seat = NOBODY  # that was asked
        self.cursor: int | None = None  # DRAFT: picks made; ATTACK, DEFEND: position; ACTIVATE, TARGET: line
        self.focus: int | None = None  # ACTIVATE, TARGET: position

    @property
    def rules(self) -> Rules:
        """Numbers and switches of the set."""
        return self.cards.rules

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == Phase.OVER

    @property
    def defender(self) -> int:
        """The seat that is attacked."""
        return 1 - self.attacker

    def rook(self, seat: int, position: int) -> Rook:
        """The Rookling that stands there."""
        return self.squads[seat][self.rows[seat][position]]

    def slot(self, seat: int, position: int) -> int:
        """Field effect slot of the Rookling that stands there."""
        return seat * SQUAD + self.rows[seat][position]

    # asking

    def ask(self, seat: int, phase: Phase, options: Sequence[int], cursor: int | None = None, focus: int | None = None) -> int:
        """What a player decides; nothing is asked when only one option is legal."""
        if len(options) == 1:
            return options[0]
        self.seat, self.phase, self.cursor, self.focus = seat, phase, cursor, focus
        choice = self._choose(phase, list(options))
        if choice not in options:
            raise ValueError(f"{phase.name}: {choice} is none of the options {list(options)}")
        return choice

    def lot(self, draw: Draw, results: Sequence[int], seat: int = NOBODY) -> int:
        """What chance decides, all results equally likely."""
        result = self._chance(draw, list(results), seat)
        if result not in results:
            raise ValueError(f"{draw.name}: {result} is none of {list(results)}")
        return result

    # squads and cards

    def field_squads(self, squads: Sequence[Sequence[Rookling]]) -> None:
        """ROOK-05, 07. Rooklings with all their life, their field effects aside."""
        self.squads = [[Rook(card, card.life) for card in squad] for squad in squads]
        for seat in SEATS:
            for roster_slot, rook in enumerate(self.squads[seat]):
                if rook.card.field_effect:
                    effect = self.cards.field_effects[rook.card.field_effect]
                    slot = seat * SQUAD + roster_slot
                    self.effects[slot] = effect
                    self.piles[slot] = effect.copies

    def effect_card(self, slot: int) -> Card:
        """ROOK-29. A copy of the field effect of a slot."""
        effect = self.effects[slot]
        return Card(effect.number, effect.colour, slot)

    def draw(self, seat: int) -> bool:
        """ROOK-65. One card to the end of a hand, from the discard pile if need be; False: there is none."""
        if not self.deck:
            self.deck, self.discard = self.discard, []
        if not self.deck:
            return False
        kinds = sorted(self.cards.code(card) for card in self.deck)
        kind = self.lot(Draw.CARD, kinds, seat)
        card = next(card for card in self.deck if self.cards.code(card) == kind)
        self.deck.remove(card)
        self.hands[seat].append(card)
        return True

    def draw_up(self, seat: int) -> None:
        """ROOK-09, 64. Draw until the hand has its size; nothing is discarded."""
        while len(self.hands[seat]) < self.rules.hand and self.draw(seat):
            pass

    def hand_choices(self, seat: int) -> list[int]:
        """Places in a hand that are offered: of equal cards the lowest only."""
        hand = self.hands[seat]
        return [place for place, card in enumerate(hand) if card not in hand[:place]]

    def end(self, winner: int, blow: Cause = Cause.NONE) -> None:
        """ROOK-01, 66. NOBODY wins a game that is stopped."""
        self.winner, self.last_blow = winner, blow
        self.phase, self.seat, self.cursor, self.focus = Phase.OVER, NOBODY, None, None


def neighbours(position: int) -> list[int]:
    """ROOK-18."""
    return [other for other in POSITIONS if abs(other - position) == 1]


NOWHERE = -1
GRANTS = ("attack_flat", "attack_plus", "defence_flat", "defence_plus")


def model_state(table: Table) -> dict[str, Any]:
    """A snapshot of plain numbers; nothing in it changes with the table.

    Indexes are those of STATE, but lists end where things end: `hand` and `zone` hold as many kinds as there are cards.
    `deck` is sorted, as its order means nothing. None: has no meaning in this phase (`cursor`, `focus`; `open`, `used`
    and `hit` outside a resolution). `life` is up to date within a resolution; `hit` holds the position of the Rookling
    that was hit by the attack of each position, NOWHERE for none. `seat`: who decides.
    """
    return _squads(table) | _tokens(table) | _cards(table) | _zones(table) | _moves(table) | _clash(table)


def _squads(table: Table) -> dict[str, Any]:
    def of_each(value: Any, nothing: int) -> list[list[int]]:
        return [[value(squad[slot]) if slot < len(squad) else nothing for slot in range(SQUAD)] for squad in table.squads]

    return {
        "rook": of_each(lambda rook: rook.card.place, NOBODY),
        "life": of_each(lambda rook: rook.life, 0),
        "at": [list(row) or [NOWHERE] * SQUAD for row in table.rows],
    }


def _tokens(table: Table) -> dict[str, Any]:
    names = list(table.cards.tokens)

    def of_kinds(counts: Counter[str]) -> list[int]:
        return [counts[name] for name in names] + [0] * (TOKENS - len(names))

    def each(value: Any) -> list[list[Any]]:
        nothing = Rook(table.cards.rooklings[0], 0)
        return [[value(squad[slot] if slot < len(squad) else nothing) for slot in range(SQUAD)] for squad in table.squads]

    def bears(rook: Rook) -> int:
        kinds = {*(+rook.tokens), *(table.effects[slot].token for slot in +rook.effects)}
        return sum(1 << names.index(name) for name in kinds)

    def zone_of(slot: int) -> int:
        seat, position = table.fixed[slot]
        return seat * len(POSITIONS) + position

    return {
        "tok": each(lambda rook: of_kinds(rook.tokens)),
        "tok_new": each(lambda rook: of_kinds(rook.pending)),
        "fe_tok": each(lambda rook: [rook.effects[slot] for slot in SLOTS]),
        "bears": each(bears),
        "pending": each(lambda rook: sum(1 << names.index(name) for name in +rook.pending)),
        "fixed": [zone_of(slot) if slot in table.fixed else NOWHERE for slot in SLOTS],
        "pile": [table.piles[slot] for slot in SLOTS],
        "supply": of_kinds(table.supply),
        "effect": [table.effects[slot].place if slot in table.effects else NOBODY for slot in SLOTS],
    }


def _cards(table: Table) -> dict[str, Any]:
    code = table.cards.code
    discarded = Counter(code(card) for card in table.discard)
    return {
        "hand": [[code(card) for card in hand] for hand in table.hands],
        "hand_n": [len(hand) for hand in table.hands],
        "deck": sorted(code(card) for card in table.deck),
        "deck_n": len(table.deck),
        "disc": [discarded[kind] for kind in range(KINDS)],
        "disc_n": len(table.discard),
    }


def _zones(table: Table) -> dict[str, Any]:
    def each(value: Any) -> list[list[Any]]:
        return [[value(zone) for zone in zones] for zones in table.zones]

    def shown(zone: Zone) -> list[int]:
        sums = [sum(card.number for card in zone.cards if card.colour == colour) for colour in table.cards.colours]
        unused = [0] * (COLOURS_MAX - len(sums))
        return [*sums, *unused, sum(card.number for card in zone.cards)]

    def matched(zone: Zone) -> int:
        shown_colours = {card.colour for card in zone.cards}
        return sum(1 << place for place, colour in enumerate(table.cards.colours) if colour in shown_colours)

    return {
        "zone": each(lambda zone: [table.cards.code(card) for card in zone.cards]),
        "zone_n": each(lambda zone: len(zone.cards)),
        "capacity": each(lambda zone: zone.capacity),
        "powered": each(lambda zone: sum(1 << index for index in zone.powered)),
        "activated": each(lambda zone: sum(1 << index for index in zone.activated)),
        "line": each(lambda zone: zone.line),
        "shown": each(shown),
        "matched": each(matched),
        **{grant: each(lambda zone, grant=grant: zone.grants[grant]) for grant in GRANTS},
        "att": list(table.attacks),
        "dfn": list(table.defences),
        "cover": list(table.covers),
    }


def _moves(table: Table) -> dict[str, Any]:
    return {
        "turn": table.exchange,
        "attacker": table.attacker,
        "first": table.first,
        "drafter": table.drafter,
        "defending": int(table.defending),
        "phase": int(table.phase),
        "cursor": table.cursor,
        "focus": table.focus,
        "seat": table.seat,
        "poison": int(table.poison),
        "skip": [int(skip) for skip in table.skip],
        "winner": table.winner,
        "last_blow": int(table.last_blow),
    }


def _clash(table: Table) -> dict[str, Any]:
    clash = table.clash
    if clash is None:
        return {"open": None, "used": None, "hit": None}
    return {
        "open": [int(position in clash.open) for position in POSITIONS],
        "used": [int(position in clash.used) for position in POSITIONS],
        "hit": [clash.hits.get(position, NOWHERE) for position in POSITIONS],
    }
