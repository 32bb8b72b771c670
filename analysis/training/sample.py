"""What weights are fitted to: positions as seats see them, options of decisions, and what came of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.judgement import SURE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Sample:
    """Seats of positions and options of decisions, one a row; rows of one game hang together."""

    features: Floats  # (rows, features); of an option what it has above the mean of the options beside it
    share: Floats  # (rows,) of the win that the seat got in the end, 0..1
    game: Ints  # (rows,) number of the game that the row is from; a branch belongs to the game that it left
    weight: Floats  # (rows,) in a fit
    option: NDArray[np.bool_]  # (rows,) whether it is an option of a decision
    offset: Floats  # (rows,) log-odds that are no matter of the weights: of an option those that all beside it have in common
    games: int  # played, without branches
    capped: int = 0  # games and branches left out because nobody won
    unweighed: int = 0  # rows left out because the judgement there is not by the weights

    @classmethod
    def plain(cls, features: Floats, share: Floats, game: Ints) -> Sample:
        """A sample of positions that weigh 1 each."""
        rows = len(share)
        return cls(features, share, game, np.ones(rows), np.zeros(rows, bool), np.zeros(rows), len(np.unique(game)))

    @classmethod
    def joined(cls, parts: Sequence[Sample]) -> Sample:
        """Samples of different games as one."""
        return cls(
            features=np.concatenate([part.features for part in parts]),
            share=np.concatenate([part.share for part in parts]),
            game=np.concatenate([part.game for part in parts]),
            weight=np.concatenate([part.weight for part in parts]),
            option=np.concatenate([part.option for part in parts]),
            offset=np.concatenate([part.offset for part in parts]),
            games=sum(part.games for part in parts),
            capped=sum(part.capped for part in parts),
            unweighed=sum(part.unweighed for part in parts),
        )

    def taken(self, rows: NDArray[Any]) -> Sample:
        """Some of the rows."""
        return replace(
            self,
            features=self.features[rows],
            share=self.share[rows],
            game=self.game[rows],
            weight=self.weight[rows],
            option=self.option[rows],
            offset=self.offset[rows],
        )

    def numbered_from(self, first: int) -> Sample:
        """The same with other numbers of games, so that it can be joined with samples of other games."""
        return replace(self, game=self.game + first)

    @property
    def positions(self) -> Sample:
        """The positions alone."""
        return self.taken(~self.option)

    def weighted(self, emphasis: float) -> Sample:
        """The same with options weighing so many times as much as they do."""
        return replace(self, weight=np.where(self.option, emphasis, 1.0) * self.weight)

    def chances(self, weights: Floats) -> Floats:
        """Chance of each row by some weights."""
        return _logistic(self.offset + self.features @ weights)


def chances(features: Floats, weights: Floats) -> Floats:
    """Winning chances as the kernels work them out, see `sim.engine.judgement.chance_of`."""
    return _logistic(features @ weights)


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds.clip(-SURE, SURE))))
