"""Two consecutive positions of Card Rogue, and how to name what is in them."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sim.engine.cards import CardSet
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.holding import is_second_half
from sim.games.cardrogue.labels import card_name, player_names
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.state import NO_CARD, NOWHERE


@dataclass(frozen=True)
class Change:
    """What one decision, and all that followed from it without a choice, has made of a position."""

    before: np.void
    after: np.void
    cards: CardSet

    @property
    def node(self) -> Node:
        """What was decided."""
        return Node(self.before["node"])

    @property
    def seat(self) -> int:
        """Seat whose turn it was."""
        return int(self.before["active"])

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.before["seats"])

    @property
    def turns(self) -> int:
        """How many turns have ended."""
        return int(self.after["turn"]) - int(self.before["turn"])

    def name(self, seat: int) -> str:
        """Name of a seat's character."""
        return player_names(self.after, self.cards)[seat]

    def gain(self, field: str, *place: int) -> int:
        """By how much a number has grown; of several parts together."""
        return int(self.after[field][place].sum(dtype=int)) - int(self.before[field][place].sum(dtype=int))

    def enemy(self, slot: int) -> str:
        """Name of the enemy in a slot."""
        return card_name(self.cards, int(self.after["enemy_type"][slot]))

    def slain(self, slot: int) -> bool:
        """Whether an enemy has been slain."""
        return bool(self.after["enemy_cell"][slot] == NOWHERE != self.before["enemy_cell"][slot])

    def belongings(self, state: np.void, seat: int) -> Counter[int]:
        """Cards that a player has in hand or wears, by type."""
        return Counter(
            {card: int(state["hand"][seat, card]) for card in np.flatnonzero(state["hand"][seat]).tolist()}
        ) + (self.worn(state, seat))

    def worn(self, state: np.void, seat: int) -> Counter[int]:
        """Cards that a player wears, by type."""
        slots = [slot for slot in range(SLOTS) if state["worn"][seat, slot] != NO_CARD]
        record = self.cards.record[0]
        return Counter(
            int(state["worn"][seat, slot]) for slot in slots if not is_second_half(state, record, seat, slot)
        )
