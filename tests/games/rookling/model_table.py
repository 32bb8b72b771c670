"""The table of the Rookling Heroes model: everything that lies on it, who is asked, and what chance is asked for."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sim.games.rookling.state import Cause, Draw, Phase
from tests.games.rookling.model_cards import Card, Cards, FieldEffect, Rookling, Rules
from tests.games.rookling.model_resolve import Clash

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

    choose: called with a kind of decision and its options (register 5, ascending codes) if there are two or more.
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

    def ask(
        self, seat: int, phase: Phase, options: Sequence[int], cursor: int | None = None, focus: int | None = None
    ) -> int:
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
