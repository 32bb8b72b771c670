"""Two consecutive positions of Riftborn Tactics, and how to name what is in them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.cards import card_name
from sim.games.riftborn.labels import creatures_of, full_name, pile_of
from sim.games.riftborn.record import Kind
from sim.games.riftborn.state import ALL, NOBODY, SEATS, side_of
from sim.games.riftborn.terms import Phase

_BORN = ("card", "origin")


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
    def active(self) -> int:
        """Seat whose turn it was."""
        return int(self.before["active"])

    @property
    def seats(self) -> tuple[int, int]:
        """Both seats, the one whose turn it was first."""
        return self.active, 1 - self.active

    @property
    def began(self) -> bool:
        """Whether the first turn has begun."""
        return bool(self.before["first"] == NOBODY != self.after["first"])

    @property
    def fresh(self) -> int:
        """Seat whose turn has begun meanwhile; NOBODY."""
        return int(self.after["active"]) if self.began or self.gain("turn") else NOBODY

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.after["phase"] == Phase.OVER != self.before["phase"])

    @cached_property
    def stayed(self) -> list[int]:
        """Creatures that were there and still are, perhaps as a TRANSFORM token, those of the turn's seat first."""
        here = [g for seat in self.seats for g in creatures_of(self.before, seat)]
        return [g for g in here if self.after["card"][g] != NOBODY and self._is_same(g)]

    @cached_property
    def gone(self) -> list[int]:
        """Creatures that were there and are no more."""
        return [g for seat in self.seats for g in creatures_of(self.before, seat) if g not in self.stayed]

    @cached_property
    def new(self) -> list[int]:
        """Creatures that were not there before."""
        return [g for seat in self.seats for g in creatures_of(self.after, seat) if g not in self.stayed]

    def _is_same(self, g: int) -> bool:
        """Whether a number still stands for the same creature: its card, or a token over its card."""
        was, now = ([int(state[field][g]) for field in _BORN] for state in (self.before, self.after))
        return was == now or (was[1] == now[1] != NOBODY and self.cards.record[0]["kind"][now[0]] == Kind.TOKEN)

    def name(self, g: int) -> str:
        """Name of a creature, as it was called before if it was there."""
        return full_name(self.after if g in self.new else self.before, self.cards, g)

    def card(self, card: int) -> str:
        """Name of a card."""
        return card_name(self.cards, card)

    def gain(self, field: str, *place: int) -> int:
        """By how much a number has grown; of several parts together."""
        return int(self.after[field][place].sum(dtype=int)) - int(self.before[field][place].sum(dtype=int))

    def came(self, pile: str, seat: int) -> list[int]:
        """Cards that came to a pile or hand."""
        was, now = (Counter(pile_of(state, pile, seat)) for state in (self.before, self.after))
        return list((now - was).elements())

    def answered(self, g: int) -> int:
        """Damage of answers and opportunities that the creature in use took; 0 for all others."""
        if g != self.after["user"] or g >= ALL:
            return 0
        enemy = SEATS - 1 - int(side_of(g))
        return self.gain("answer_damage", enemy) + self.gain("opportunity_damage", enemy)

    def moved_away(self, g: int) -> bool:
        """Whether the damage that the creature in use took is of opportunities."""
        return self.gain("opportunity_damage", SEATS - 1 - int(side_of(g))) > 0


def counted(words: Iterable[str]) -> list[str]:
    """Words with how many there are of each: `Beast Cub`, `2x Spark`."""
    return [word if count == 1 else f"{count}x {word}" for word, count in Counter(words).items()]


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""
