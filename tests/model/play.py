"""A compiled game on a table laid out for a test, stepped by decisions in words."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import Game, current_player, is_over
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.policies import Workspace, new_workspace
from sim.engine.scenario import NO_DECISION

NOBODY = -1


class Play:
    """One game. The `positions.py` of a game subclasses it with its ways to decide and what its tests look at."""

    game: ClassVar[Game]

    def __init__(self, cards: CardSet, workspace: Workspace) -> None:
        """Continue the game in the workspace."""
        self.cards, self.workspace, self.state, self.record = cards, workspace, workspace.states[0], cards.record[0]
        self._advance(NO_DECISION)

    @classmethod
    def placed(cls, cards: CardSet, position: dict[str, Any]) -> Self:
        """A position of scenario files in a new workspace."""
        workspace = bench(cls.game)
        cls.game.words.place(position, cards, workspace.states[0])
        return cls(cards, workspace)

    @classmethod
    def dealt(cls, cards: CardSet, entrants: Sequence[int], number: int) -> Self:
        """A game just dealt. entrants: by seat; number: of the game, which determines its dice."""
        workspace, plan = bench(cls.game), np.zeros(1, PLAN)
        plan["seats"], plan["game"], plan["dice"], plan["stream"] = len(entrants), number, number, np.arange(SEATS_MAX)
        plan["entrant"][0, : len(entrants)] = entrants
        set_table(workspace, cards.record[0], plan[0])
        return cls(cards, workspace)

    def fork(self) -> Self:
        """The same position in a new workspace, with the same dice to come."""
        workspace = bench(self.game)
        workspace.states[0], workspace.dice[0] = self.workspace.states[0], self.workspace.dice[0]
        return type(self)(self.cards, workspace)

    @property
    def options(self) -> list[str]:
        """Decisions open, in words."""
        return [*self._open]

    @property
    def current_player(self) -> int:
        """Seat that decides."""
        return int(current_player(self.state))

    @property
    def turn(self) -> int:
        """Turns finished."""
        return int(self.state["turn"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(is_over(self.state))

    @property
    def winner(self) -> int | None:
        """Seat that has won; None during the game and in a draw."""
        return None if self.state["winner"] == NOBODY else int(self.state["winner"])

    @property
    def position(self) -> dict[str, Any]:
        """The position in words."""
        return self.game.words.position(self.state, self.cards)

    def player(self, seat: int) -> dict[str, Any]:
        """One player in words."""
        found: dict[str, Any] = self.position["players"][seat]
        return found

    def _advance(self, action: int) -> None:
        count = advance(self.workspace, self.cards.record, action)
        self._open = {self.game.words.action(self.state, self.cards, int(a)): int(a) for a in self.workspace.options[:count]}
        assert len(self._open) == count, "two decisions have the same words"


def bench(game: Game) -> Workspace:
    """An empty workspace for games without search."""
    return new_workspace(game.state, game.options_max, SEATS_MAX)
