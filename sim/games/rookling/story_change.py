"""Two consecutive positions of Rookling Heroes, and how to name what is in them."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.labels import card_names, hand_of, line_names, place_of, rookling_name
from sim.games.rookling.record import LINES, SQUAD, E1Order, Kind
from sim.games.rookling.state import SEATS, Phase, mover


@dataclass(frozen=True)
class Change:
    """What one decision, and all that followed from it without a choice, has made of a position."""

    before: np.void
    after: np.void
    cards: CardSet

    @property
    def phase(self) -> Phase:
        """What was decided."""
        return Phase(self.before["phase"])

    @property
    def seat(self) -> int:
        """Seat whose half of the exchange it was."""
        return int(mover(self.before))

    @property
    def attacker(self) -> int:
        """Seat whose attack it was."""
        return int(self.before["attacker"])

    @property
    def ended(self) -> bool:
        """Whether the exchange is over."""
        return bool(self.after["turn"] > self.before["turn"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.after["phase"] == Phase.OVER != self.before["phase"])

    @property
    def heals_first(self) -> bool:
        """Whether heal tokens act before poison (ROOK-59)."""
        return bool(self.cards.record[0]["e1_order"] == E1Order.HEAL_FIRST)

    @property
    def rooklings(self) -> list[tuple[int, int]]:
        """Seat and roster slot of all Rooklings, the attacker's first, each row from left to right."""
        order = {seat: self._row(seat) for seat in range(SEATS)}
        return [(seat, slot) for seat in (self.attacker, 1 - self.attacker) for slot in order[seat]]

    def _row(self, seat: int) -> list[int]:
        return sorted(range(SQUAD), key=lambda slot: place_of(self.after, seat, slot))

    def name(self, seat: int, slot: int) -> str:
        """Name of a Rookling."""
        return rookling_name(self.after, self.cards, seat, slot)

    def at(self, seat: int, position: int) -> str:
        """Name of the Rookling at a position, where it stood before: rows change by the decision ROW only."""
        return self.name(seat, int(self.before["at"][seat, position]))

    def card(self, kind: int) -> str:
        """Name of a card."""
        return card_names(self.after, self.cards)[kind]

    def gain(self, field: str, *place: int) -> int:
        """By how much a number has grown; of several parts together."""
        return int(self.after[field][place].sum(dtype=int)) - int(self.before[field][place].sum(dtype=int))

    def lines(self, seat: int, slot: int, kind: Kind) -> list[str]:
        """Names of a Rookling's lines of a kind that were used or activated."""
        rook = int(self.after["rook"][seat, slot])
        names = line_names(self.cards, rook)
        wanted = [line for line in range(LINES) if self.cards.record[0]["kind"][rook, line] == kind]
        return [names[line] for line in wanted if self.gain("line_used", seat, slot, line) > 0]

    def came(self, seat: int) -> Counter[int]:
        """Cards that came into a hand."""
        return Counter(hand_of(self.after, seat)) - Counter(hand_of(self.before, seat))
