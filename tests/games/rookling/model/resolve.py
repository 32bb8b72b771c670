"""Resolving in the Rookling Heroes model (D4 and E1b), and the best response by brute force."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from sim.games.rookling.state import Phase

Ask = Callable[[Phase, list[int]], int]
Decision = tuple[Phase, int]
Taken = tuple[Phase, list[int], int]  # a decision, its options in canonical order, the place of the one taken

ENDS = (0, 2)
MIDDLE = 1
STANDING_BONUS = 2  # of the reference objective: what a Rookling with life is worth beyond its life


@dataclass(frozen=True)
class Switches:
    """The rule variants that change how packets resolve."""

    siege_chain_blocks: bool = False
    hold_block: str = "if_more"
    hit_on_landing: bool = False


class Packet(NamedTuple):
    """What became of one packet. amount = blocked + dealt + excess."""

    struck: int
    amount: int
    landed: int | None  # position that lost life by it or could have; None: fully blocked by those in siege-state
    blocked: int
    dealt: int
    excess: int
    flipped: bool
    blocks: tuple[int, ...]  # positions that blocked it


@dataclass
class Clash:
    """Packets against one row, by position. Changed by every step."""

    life: list[int]
    attacks: list[int]
    defences: list[int]
    switches: Switches = field(default_factory=Switches)
    open: set[int] = field(default_factory=set)  # positions of unresolved packets
    used: set[int] = field(default_factory=set)  # positions that have blocked
    hits: dict[int, int] = field(default_factory=dict)  # struck position -> position of the Rookling that was hit
    log: list[Packet] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open = {position for position, amount in enumerate(self.attacks) if amount > 0}

    @property
    def lost(self) -> bool:
        """ROOK-55."""
        return not any(self.life)

    def resolve(self, ask: Ask) -> None:
        """ROOK-45. One packet after the other, until none is left or all is lost."""
        while self.open and not self.lost:
            self.step(ask)

    def step(self, ask: Ask) -> None:
        """One packet, completely."""
        struck = _pick(ask, Phase.NEXT, sorted(self.open))
        self.open.remove(struck)
        amount = left = self.attacks[struck]
        blockers: list[int] = []
        target: int | None = struck
        if self.life[struck] == 0:
            left = self._block_in_siege(struck, left, blockers, ask)
            if left and not self.switches.hit_on_landing:
                self.hits[struck] = struck
            target = self._spill(struck, ask) if left else None
            if target is not None and self._passes_over_the_middle(struck, target):
                left = self._block_in_chain(left, blockers, ask)
                target = target if left else None
        if target is None:
            self.log.append(Packet(struck, amount, None, amount, 0, 0, False, tuple(blockers)))
            return
        left = self._block_with_life(target, left, blockers, ask)
        if left and (target == struck or self.switches.hit_on_landing):
            self.hits[struck] = target
        dealt = min(left, self.life[target])
        self.life[target] -= dealt
        flipped = dealt > 0 and self.life[target] == 0
        self.log.append(Packet(struck, amount, target, amount - left, dealt, left - dealt, flipped, tuple(blockers)))

    def more_may_come(self, position: int) -> bool:
        """ROOK-53. Whether another packet may still reach a position."""
        return position in self.open or any(self.life[other] == 0 for other in self.open if other != position)

    def _may_block(self, position: int) -> bool:
        return self.defences[position] > 0 and position not in self.used

    def _block(self, position: int, left: int, blockers: list[int]) -> int:
        """ROOK-52. The whole defence against this packet; what is left of it is gone."""
        self.used.add(position)
        blockers.append(position)
        return max(0, left - self.defences[position])

    def _block_in_siege(self, position: int, left: int, blockers: list[int], ask: Ask) -> int:
        """ROOK-48. Must block; A-11 lets it choose if another packet may come."""
        if not self._may_block(position):
            return left
        if self.switches.siege_chain_blocks and self.more_may_come(position) and not _pick(ask, Phase.BLOCK, [0, 1]):
            return left
        return self._block(position, left, blockers)

    def _block_in_chain(self, left: int, blockers: list[int], ask: Ask) -> int:
        """ROOK-50; A-11 lets the middle one block what passes over it."""
        return self._block_in_siege(MIDDLE, left, blockers, ask) if self.switches.siege_chain_blocks else left

    def _block_with_life(self, position: int, left: int, blockers: list[int], ask: Ask) -> int:
        """ROOK-46, 51, 53. Blocks unless it may and does hold back; A-13 lets it always hold back."""
        if not self._may_block(position):
            return left
        may_hold = self.more_may_come(position) or self.switches.hold_block == "free"
        if may_hold and not _pick(ask, Phase.BLOCK, [0, 1]):
            return left
        return self._block(position, left, blockers)

    def _spill(self, struck: int, ask: Ask) -> int:
        """ROOK-49. Where a spill lands."""
        if struck == MIDDLE:
            sides = [side for side, end in enumerate(ENDS) if self.life[end] > 0]
            return ENDS[_pick(ask, Phase.SIDE, sides)]
        return MIDDLE if self.life[MIDDLE] > 0 else 2 - struck

    @staticmethod
    def _passes_over_the_middle(struck: int, target: int) -> bool:
        return {struck, target} == set(ENDS)


def _pick(ask: Ask, phase: Phase, options: list[int]) -> int:
    """Nothing is asked when only one option is legal."""
    return options[0] if len(options) == 1 else ask(phase, options)


class Way(NamedTuple):
    """One way to resolve: what was decided, how likely that is if everything is decided at random, what came of it."""

    decisions: tuple[Decision, ...]
    chance: Fraction
    clash: Clash

    @property
    def value(self) -> tuple[bool, int, int]:
        """The reference objective, to be compared from the left: larger is better."""
        life = self.clash.life
        standing = sum(1 for points in life if points > 0)
        return not self.clash.lost, sum(life) + STANDING_BONUS * standing, -len(self.clash.hits)


def ways(
    life: Sequence[int], attacks: Sequence[int], defences: Sequence[int] = (0, 0, 0), switches: Switches | None = None
) -> Iterator[Way]:
    """All ways to resolve in canonical order: positions ascending, left before right, block before hold.

    Each is played again from the start with the decisions of the one before, except that the last decision with a further
    option takes it.
    """
    script: list[int] = []  # for each decision the place of what is taken in the canonical order
    while True:
        taken: list[Taken] = []

        def ask(phase: Phase, options: list[int], script: list[int] = script, taken: list[Taken] = taken) -> int:
            canonical = options[::-1] if phase == Phase.BLOCK else options
            place = script[len(taken)] if len(taken) < len(script) else 0
            taken.append((phase, canonical, place))
            return canonical[place]

        clash = Clash(list(life), list(attacks), list(defences), switches or Switches())
        clash.resolve(ask)
        chance = Fraction(1)
        for _, options, _ in taken:
            chance /= len(options)
        yield Way(tuple((phase, options[place]) for phase, options, place in taken), chance, clash)
        while taken and taken[-1][2] == len(taken[-1][1]) - 1:
            taken.pop()
        if not taken:
            return
        script = [place for _, _, place in taken]
        script[-1] += 1


def best_response(
    life: Sequence[int], attacks: Sequence[int], defences: Sequence[int] = (0, 0, 0), switches: Switches | None = None
) -> Way:
    """The best way; the first in canonical order among equals."""
    best: Way | None = None
    for way in ways(life, attacks, defences, switches):
        if best is None or way.value > best.value:
            best = way
    assert best is not None
    return best
