"""Which copy of a card lies where, when a position of Runeslingers names cards only: every copy is in exactly one place."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table
from sim.games.runeslingers.names import ids_of
from sim.games.runeslingers.record import DECK_MAX
from sim.games.runeslingers.state import SEATS

ANY = -1  # a card that nobody names

Put = Callable[[int], None]


@dataclass
class Allotment:
    """Cards asked for, by seat whose deck they come from; `hand_out` says which copy each one is.

    wanted: by seat, the card (ANY: whichever nobody names) and what to do with its instance.
    """

    cards: CardSet
    state: np.void
    wanted: dict[int, list[tuple[int, Put]]] = field(default_factory=lambda: {seat: [] for seat in range(SEATS)})

    def ask(self, owner: int, card: int, put: Put) -> None:
        """Ask for a copy of a card out of a player's deck."""
        self.wanted[owner].append((card, put))

    def hand_out(self, seat: int, path: str) -> list[int]:
        """Give every card its instance; returns those of the deck that nobody asked for, in the order of its list.

        A card of which the deck has no copy left, and ANY, take the place of the last ones on the list. Raises ValueError
        where more cards are asked for than the deck holds. path: how messages call the player.
        """
        deck, record = self.state["deck_of"][seat], self.cards.record[0]
        size, wanted = int(record["deck_size"][deck]), self.wanted[seat]
        if len(wanted) > size:
            raise ValueError(
                f"{path}: {len(wanted)} cards are named in all places together; the deck has {size} (RUNE-05)"
            )
        free = {seat * DECK_MAX + copy: int(record["deck"][deck, copy]) for copy in range(size)}
        for inst, card in free.items():
            self.state["card_of"][inst] = card
            self.state["slot_of"][inst] = record["deck_slot"][deck, inst % DECK_MAX]
        strangers = [request for request in wanted if not self._give(free, *request)]
        for card, put in strangers:
            inst = max(free)
            if card != ANY:
                self.state["card_of"][inst] = card
            del free[inst]
            put(inst)
        return list(free)

    def _give(self, free: dict[int, int], card: int, put: Put) -> bool:
        """Give the first free copy of a card. Returns whether there is one."""
        inst = next((inst for inst, there in free.items() if there == card), None)
        if inst is None:
            return False
        del free[inst]
        put(inst)
        return True


def card_at(entry: Table, key: str, cards: CardSet) -> int:
    """The card that a field names by its id."""
    return ids_of(cards).index(entry.one_of(key, ids_of(cards)))


def cards_at(entry: Table, key: str, cards: CardSet, most: int) -> list[int]:
    """Cards that a list names by their ids. Raises ValueError naming the entry, and the nearest id."""
    ids, words = ids_of(cards), entry.items(key, most)
    for index, word in enumerate(words):
        if word not in ids:
            path = f"{entry.field(key)}[{index}]"
            raise ValueError(f"{path} = {shown(word)}: is no card; {did_you_mean(word, list(ids))}")
    return [ids.index(word) for word in words]
