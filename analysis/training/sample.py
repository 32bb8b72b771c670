"""What weights are fitted to: positions as seats see them with what came of them, and pairs of decisions of which one won."""

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
    """Seats of positions and pairs of decisions, one a row; rows of one game hang together."""

    features: Floats  # (rows, features); of a pair the difference
    share: Floats  # (rows,) of the win that the seat got in the end, 0..1; of a pair 1 if the first got more, else 0
    game: Ints  # (rows,) number of the game that the row is from; a branch belongs to the game that it left
    weight: Floats  # (rows,) in a fit
    pair: NDArray[np.bool_]  # (rows,) whether it is a pair
    games: int  # played, without branches
    capped: int = 0  # games and branches left out because nobody won
    unweighed: int = 0  # rows left out because the judgement there is not by the weights

    @classmethod
    def plain(cls, features: Floats, share: Floats, game: Ints) -> Sample:
        """A sample of positions that weigh 1 each."""
        rows = len(share)
        return cls(features, share, game, np.ones(rows), np.zeros(rows, bool), len(np.unique(game)))

    @classmethod
    def joined(cls, parts: Sequence[Sample]) -> Sample:
        """Samples of different games as one."""
        return cls(
            features=np.concatenate([part.features for part in parts]),
            share=np.concatenate([part.share for part in parts]),
            game=np.concatenate([part.game for part in parts]),
            weight=np.concatenate([part.weight for part in parts]),
            pair=np.concatenate([part.pair for part in parts]),
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
            pair=self.pair[rows],
        )

    def numbered_from(self, first: int) -> Sample:
        """The same with other numbers of games, so that it can be joined with samples of other games."""
        return replace(self, game=self.game + first)

    @property
    def positions(self) -> Sample:
        """The positions alone."""
        return self.taken(~self.pair)


def chances(features: Floats, weights: Floats) -> Floats:
    """Winning chances as the kernels work them out, see `sim.engine.judgement.chance_of`."""
    return np.asarray(1 / (1 + np.exp(-(features @ weights).clip(-SURE, SURE))))
