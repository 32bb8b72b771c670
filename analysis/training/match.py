"""The match: players who judge by new weights against the same players who judge by others, at one table.

Both sit on every seat equally often with the same dice, where the game allows it with the same entrants, so that nothing but the
weights can make a difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis import clusters
from analysis.batches import played
from analysis.estimates import Interval
from analysis.training.sample import Watch
from analysis.training.seating import seated, sides
from sim.experiment import Experiment
from sim.weights import Floats, Weights, weighing

EVEN = 0.5


@dataclass(frozen=True)
class Match:
    """What the new weights won of all wins, over the games played; even is one half whatever the number of seats."""

    against: str
    seats: int
    policy: str
    share: Interval  # over games of the same dice, which are one observation

    @property
    def is_won(self) -> bool:
        """Whether the new weights win more than half beyond doubt."""
        return self.share.low > EVEN

    @property
    def verdict(self) -> str:
        """The result in a word."""
        return "wins" if self.is_won else "loses" if self.share.high < EVEN else "not decided"


def play_match(
    experiment: Experiment, new: Floats, old: Floats, against: str, jobs: int | None = None, watch: Watch | None = None
) -> Match:
    """Play new weights against old ones.

    experiment: cards, seats, one policy (that judges), games in all and seed. new, old: (SEATS_MAX, features).
    """
    cards = weighing(experiment.cards, Weights(new, old))
    tables = _tables(replace(experiment, cards=cards))
    pairs = [replace(table, policies=seated(table, side)) for table in tables for side in sides(experiment.seats)]
    done, total = 0, sum(one.games for one in pairs)

    def told(games: int) -> None:
        nonlocal done
        done += games
        if watch:
            watch(f"match {against}, {experiment.seats} seats", done, total)

    won, wins = [], []
    found = played(pairs, jobs, told)
    for _ in tables:
        of_side = [(np.array(side), next(found).share) for side in sides(experiment.seats)]
        won.append(np.sum([share @ side for side, share in of_side], axis=0))
        wins.append(np.sum([share.sum(axis=1) for _, share in of_side], axis=0))
    return Match(
        against, experiment.seats, experiment.policy_words, _interval(np.concatenate(won), np.concatenate(wins))
    )


def _interval(won: Floats, wins: Floats) -> Interval:
    """Share of the wins, games of the same dice being one observation; nothing is known where nobody won."""
    return clusters.share(won, wins)


def _tables(experiment: Experiment) -> list[Experiment]:
    """Experiments of one side each: of every entrant against itself where that may be, else of the balanced design."""
    ways = len(sides(experiment.seats))
    games = max(clusters.LEAST_CLUSTERS, -(-experiment.games_wanted // ways))
    if not experiment.mirror:
        return [replace(experiment, games_wanted=games)]
    entrants = _some(len(experiment.cards.ids), games, experiment.seed)
    seeds = np.random.SeedSequence(experiment.seed).generate_state(len(entrants), np.uint64) >> np.uint64(1)
    each = max(1, -(-games // len(entrants)))
    return [
        replace(experiment, line_up=(int(entrant),) * experiment.seats, games_wanted=each, seed=int(seed))
        for entrant, seed in zip(entrants, seeds, strict=True)
    ]


def _some(entrants: int, games: int, seed: int) -> NDArray[np.int64]:
    """All entrants, or as many by lot as there are games."""
    return np.sort(np.random.default_rng(seed).permutation(entrants)[:games])
