"""Two consecutive positions of Runeslingers, and how to name what is in them."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.labels import name_of, pile_of, things_of
from sim.games.runeslingers.record import AILMENTS
from sim.games.runeslingers.state import NOBODY, SEATS
from sim.games.runeslingers.terms import Phase

Spot = tuple[int, int]  # seat and place 0..9


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
    def seats(self) -> tuple[int, int]:
        """Both seats, the one whose turn it was first; seat 0 where there was no turn."""
        active = max(0, int(self.before["active"]))
        return active, SEATS - 1 - active

    @property
    def began(self) -> bool:
        """Whether the first turn has begun."""
        return bool(self.before["first"] == NOBODY != self.after["first"])

    @property
    def over(self) -> bool:
        """Whether the encounter has ended."""
        return bool(self.after["phase"] == Phase.OVER != self.before["phase"])

    @cached_property
    def _numbers(self) -> tuple[dict[int, Spot], dict[int, Spot]]:
        """Where the things of both positions lie, by running number."""
        before, after = (
            {
                int(state["thing_seq"][seat, place]): (seat, place)
                for seat in self.seats
                for place in things_of(state, seat)
            }
            for state in (self.before, self.after)
        )
        return before, after

    @property
    def stayed(self) -> list[Spot]:
        """Things that were there and still are."""
        before, after = self._numbers
        return [spot for number, spot in before.items() if number in after]

    @property
    def gone(self) -> list[Spot]:
        """Things that were there and are no more."""
        before, after = self._numbers
        return [spot for number, spot in before.items() if number not in after]

    @property
    def new(self) -> list[Spot]:
        """Things that were not there before."""
        before, after = self._numbers
        return [spot for number, spot in after.items() if number not in before]

    def name(self, inst: int) -> str:
        """Name of the card that an instance is."""
        return name_of(self.after, self.cards, inst)

    def gain(self, field: str, *place: int) -> int:
        """By how much a number has grown; of several parts together."""
        return int(self.after[field][place].sum(dtype=int)) - int(self.before[field][place].sum(dtype=int))

    def came(self, pile: str, seat: int) -> list[int]:
        """Instances that are in a pile or hand now and were not before."""
        was = pile_of(self.before, pile, seat)
        return [inst for inst in pile_of(self.after, pile, seat) if inst not in was]

    def names(self, instances: list[int]) -> list[str]:
        """Names of cards with how many there are of each."""
        return [
            name if count == 1 else f"{count}x {name}" for name, count in Counter(map(self.name, instances)).items()
        ]

    def ailments(self, seat: int, kind: int) -> int:
        """By how many instances an ailment has grown, wherever it lies."""
        now, was = (int(_of_kind(state, seat, kind)) for state in (self.after, self.before))
        return now - was

    @property
    def kinds(self) -> range:
        """All types of ailments."""
        return range(AILMENTS)


def _of_kind(state: np.void, seat: int, kind: int) -> int:
    """Instances of a type of ailment, concealed ones too."""
    return int(sum(state["count"][seat][state["ailment"][seat] == kind]))
