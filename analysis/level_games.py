"""Games with one policy in every seat: win rates with their errors, and the game itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import clustered
from analysis.compare import Shares, by_entrant
from analysis.estimates import LEVEL, mean, proportions
from analysis.matchups import fair_share, win_rates
from analysis.parts import PartTally
from analysis.rows import Rows
from analysis.spread import LEAST_ENTRANTS, spread
from analysis.tally import Tally
from analysis.whatif import unit_names
from sim.experiment import Experiment
from sim.run import Block

Floats = NDArray[np.float64]

LEAST_GAMES = 2  # of which a mean has an interval
NOTHING = (float("nan"),) * 3
WHOLE = ("spread", "first", "turns", "truncated")


@dataclass(frozen=True, eq=False)
class LevelGames:
    """Games of one level, whole rounds of them from the first on. name: the policy in every seat."""

    name: str
    experiment: Experiment
    rows: Rows

    @property
    def shares(self) -> Shares:
        """Their win shares, of the parts where the entrants are teams."""
        teams = self.experiment.teams
        found = Shares.of(self.experiment, lambda _: iter([Block(0, self.rows, self.rows[:0])]))
        return found.of_parts(teams.members) if teams else found


def rates_of(one: LevelGames, level: float = LEVEL) -> pd.DataFrame:
    """Win rate of every unit in its order: level, name, estimate, low, high, n (finished games), fair, p, p_out, p_in."""
    made, seats = one.experiment, one.experiment.seats
    tally = Tally.empty(len(made.cards.ids), seats).add(one.rows)
    if made.teams:
        parts = PartTally(made)
        parts.add(one.rows)
        found = parts.rates(fair_share(seats, float(tally.decided[seats])), level).sort_values("part")
    else:
        found = win_rates(tally, seats, unit_names(made), level).sort_values("entrant")
    found = found.assign(level=one.name)[
        ["level", "name", "estimate", "low", "high", "n", "fair", "p", "p_out", "p_in"]
    ]
    return found.reset_index(drop=True)


def pulls(one: LevelGames) -> Floats:
    """How much each round or game pulls the win rate of each unit, (clusters, units): their squares sum to its variance.

    Clusters are rounds where entrants are teams, whose parts meet again and again in a round, else games; one of an entrant
    without games pulls nothing. Of two levels the same line stands for the same line-ups and dice.
    """
    shares, units = one.shares, len(unit_names(one.experiment))
    sits, won = by_entrant(shares.entrant, shares.share, units)
    sits = sits * ~shares.capped[:, None]
    games = sits.sum(axis=0)
    rate = np.divide(won.sum(axis=0), games, out=np.zeros(units), where=games > 0)
    found = np.divide(won - rate * sits, games, out=np.zeros(sits.shape), where=games > 0)
    if one.experiment.teams:
        number = one.experiment.round_of(one.rows["game"].astype(np.int64))
        found = np.add.reduceat(found, np.flatnonzero(np.diff(number, prepend=-1)))
    return np.asarray(found * np.sqrt(len(found) / max(1, len(found) - 1)), np.float64)


def across(first: Floats, second: Floats) -> Floats:
    """Covariances of the rates of one level (rows) with those of another, by their pulls."""
    both = min(len(first), len(second))
    return np.asarray(first[:both].T @ second[:both], np.float64)


def correlation(first: Floats, second: Floats) -> Floats:
    """Correlation of each unit's rates at two levels; 0 where one of them does not vary."""
    size = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    shared = np.diag(across(first, second))
    found = np.divide(shared, size, out=np.zeros(len(size)), where=size > 0)
    return np.asarray(found.clip(-1, 1), np.float64)


def whole(levels: Sequence[LevelGames], level: float = LEVEL) -> pd.DataFrame:
    """The game itself at each level, one line each.

    Columns: level, games; spread (of the win rates; see `spread.spread`), first (win share of whoever goes first, of finished
    games), turns (mean length; a stopped game counts with its turns until then), truncated (share of the games), each with _low
    and _high; p (of first against the fair share).
    """
    lines = []
    for one in levels:
        shares, units = one.shares, len(unit_names(one.experiment))
        first, p = _first(one, shares, level)
        truncated = proportions([int(shares.capped.sum())], [len(one.rows)], level).iloc[0]
        stopped = (truncated["estimate"], truncated["low"], truncated["high"])
        line: dict[str, Any] = {"level": one.name, "games": len(one.rows), "p": p}
        for what, bounds in zip(
            WHOLE, (_spread(shares, units, level), first, _turns(shares, level), stopped), strict=True
        ):
            line |= dict(zip((what, f"{what}_low", f"{what}_high"), bounds, strict=True))
        lines.append(line)
    return pd.DataFrame(lines)


def _spread(shares: Shares, units: int, level: float) -> tuple[float, ...]:
    """Spread of the win rates; nan where too few units have games."""
    sits, _ = by_entrant(shares.entrant, shares.share, units)
    if (sits.sum(axis=0) >= LEAST_GAMES).sum() < LEAST_ENTRANTS:
        return NOTHING
    found = spread(shares, units, level)
    return found.estimate, found.low, found.high


def _first(one: LevelGames, shares: Shares, level: float) -> tuple[tuple[float, ...], float]:
    """Win share of whoever goes first in finished games, and its p-value against the fair share."""
    share = shares.of_first
    known = ~np.isnan(share) & ~shares.capped
    if not known.any():
        return NOTHING, float("nan")
    seats = one.experiment.seats
    fair = fair_share(seats, float((shares.share.max(axis=1) > 0)[known].mean()))
    pair = one.experiment.pair_of(one.rows["game"].astype(np.int64))[known]
    found = clustered.shares(pair, np.zeros(len(pair), np.int64), share[known], 1, level)
    line = found.iloc[0]
    p = float(clustered.p_against(found, fair)[0]) if 0 < fair < 1 else float("nan")
    return (line["estimate"], line["low"], line["high"]), p


def _turns(shares: Shares, level: float) -> tuple[float, ...]:
    """Mean length."""
    turns = shares.by_pair(shares.turns)
    if len(turns) < LEAST_GAMES:
        return float(turns.mean()), float("nan"), float("nan")
    found = mean(turns, level)
    return found.estimate, found.low, found.high
