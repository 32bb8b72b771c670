"""A compiled game with the interface of a plain model, and dice that show both the same faces.

A game's bridge subclasses `Kernels` with its own `snapshot`: plain values that the model's snapshot has too.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet
from sim.engine.contract import Game, apply_action, is_over, legal_actions, write_outcome
from sim.engine.dice import DICE, FACES, SEATS_MAX, roll
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.policies import new_workspace
from sim.engine.scenario import NO_DECISION
from sim.engine.workspace import Workspace
from sim.run import bench_for


class Kernels:
    """A game in the compiled kernels, with the methods of a model: options, apply, snapshot."""

    game: ClassVar[Game]

    def __init__(self, cards: CardSet, workspace: Workspace | None = None) -> None:
        """workspace: used and overwritten; None: a new one."""
        self.cards = cards
        self.workspace = workspace or bench_for(self.game)
        self._count = 0

    @property
    def state(self) -> np.void:
        """The STATE record."""
        return self.workspace.states[0]

    @property
    def dice(self) -> np.void:
        """The DICE record that the game rolls."""
        return self.workspace.dice[0]

    def listed(self) -> Self:
        """List the options of the current state."""
        self._count = int(advance(self.workspace, self.cards.record, NO_DECISION))
        return self

    def options(self) -> list[int]:
        """Codes of the options, ascending; none if the game is over or truncated."""
        over = is_over(self.state) or self.state["turn"] >= self.game.turn_limit(self.cards)
        return [] if over else sorted(self.workspace.options[: self._count].tolist())

    def apply(self, code: int) -> None:
        """Carry out one decision with the dice laid out, or real ones."""
        self._count = int(advance(self.workspace, self.cards.record, code))

    def script(self, faces: Sequence[int]) -> None:
        """Lay out the faces that the next dice show; none: real dice."""
        dice = self.dice
        dice["scripted"], dice["script_at"] = len(faces), 0
        dice["script"][: len(faces)] = faces

    def snapshot(self) -> dict[str, Any]:
        """Everything that the model has too, as plain values."""
        raise NotImplementedError

    # positions and decisions in words

    def read(self, position: dict[str, Any]) -> Self:
        """Set up a position by its readable names."""
        self.workspace.states[0] = np.zeros(1, self.game.state)[0]
        self.game.words.place(position, self.cards, self.workspace.states[0])
        return self.listed()

    def position(self) -> dict[str, Any]:
        """The position by its readable names."""
        return self.game.words.position(self.state, self.cards)

    def again(self, workspace: Workspace) -> Self:
        """The same position, read back from its names into another workspace, about to roll the same dice."""
        copy = type(self)(self.cards, workspace).read(self.position())
        copy.workspace.dice[:] = self.workspace.dice
        return copy.listed()

    def words(self) -> dict[str, int]:
        """Codes of the options by their words, without regard to case and spaces."""
        return {plain(self.game.words.action(self.state, self.cards, code)): code for code in self.options()}


class RunningOn:
    """A game in the kernels that runs on to the next decision with a choice. Its dice are not keyed by turns.

    phases: names of the decisions; rest: a phase at which a run can stop even if there is no choice.
    """

    game: ClassVar[Game]
    phases: ClassVar[type[IntEnum]]
    rest: ClassVar[int] = NO_DECISION

    def __init__(self, cards: CardSet) -> None:
        """An empty table. cards: of the game."""
        self.cards, self.workspace = cards, new_workspace(self.game.state, self.game.options_max, SEATS_MAX)
        self.state, self.dice = self.workspace.states[0], self.workspace.dice[0]
        self.turns = self.game.turn_limit(cards)
        self.codes: list[int] = []

    def lay(self, entrants: Sequence[int], number: int) -> None:
        """Deal a game. number: fixes all random choices."""
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = len(entrants), number, number
        plan["stream"], plan["entrant"][: len(entrants)] = np.arange(SEATS_MAX), entrants
        set_table(self.workspace, self.cards.record[0], plan)

    @property
    def phase(self) -> IntEnum:
        """The open decision."""
        return self.phases(self.state["phase"])

    def run(self, *, resting: bool = False) -> None:
        """Run to the next decision with a choice. resting: at most to `rest`."""
        while len(options := self._open()) == 1 and not (resting and self.phase == self.rest):
            apply_action(self.state, self.cards.record[0], options[0], self.dice)
        self.codes = options

    def apply(self, code: int, *, resting: bool = False) -> None:
        """Decide, and run on."""
        apply_action(self.state, self.cards.record[0], code, self.dice)
        self.run(resting=resting)

    def _open(self) -> list[int]:
        if is_over(self.state) or self.state["turn"] >= self.turns:
            return []
        count = legal_actions(self.state, self.cards.record[0], self.workspace.options)
        return self.workspace.options[:count].tolist()

    def outcome(self) -> np.void:
        """The OUTCOME record."""
        row: np.void = np.zeros(1, self.game.outcome)[0]
        write_outcome(self.state, row)
        return row


class LaidOut:
    """Faces given beforehand, in the order in which they are rolled. used: number of faces shown."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = faces
        self.used = 0

    def roll(self, seat: int, purpose: int, n: int) -> Sequence[int]:  # noqa: ARG002 - as `Keyed.roll`
        """The next n faces."""
        self.used += n
        return self._faces[self.used - n : self.used]


class Keyed:
    """The faces that a game in the kernels is about to roll, keyed by turn, seat and purpose."""

    def __init__(self, dice: np.void, turn: int) -> None:
        self._dice = np.array(dice, DICE).reshape(1)[0]
        if self._dice["turn"] != turn:
            self._dice["turn"], self._dice["block"], self._dice["used"] = turn, 0, 0

    def roll(self, seat: int, purpose: int, n: int) -> Sequence[int]:
        """The faces of n dice of a seat."""
        return [roll(self._dice, seat, purpose, FACES) for _ in range(n)]

    @property
    def used(self) -> np.ndarray:
        """Number of draws in this turn, by seat and purpose."""
        return self._dice["used"]


def streams() -> np.ndarray:
    """Dice streams by seat, for `open_dice`."""
    return np.arange(SEATS_MAX, dtype=np.uint32)
