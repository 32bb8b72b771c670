"""Sensitivity of balance to every number of a card file, one step up and down, with games allocated where they are needed.

A number in the table of one entrant (or of one part of teams) is judged by its owner's win rate, in the owner's games; any other
by the win rate that moves most, with the interval widened for the choice (Bonferroni over the units). All steps play the same
games with the same dice (common random numbers); the games with unchanged cards are played once. For the allocation of games,
and why the intervals stay valid, see `analysis.stats.allocation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.shares import Shares, compare, compare_apart, spread_change
from analysis.data.study import joined, laid_over, played, taken
from analysis.stats import allocation
from analysis.stats.intervals import LEVEL, adjust
from analysis.variants.variant import Candidates, Chosen, Step, owner_of, part_of, unit_names
from sim.experiments.experiment import Experiment

PILOT = 400  # games of an owner in the first round
BATCH = 200  # base games added at a time, rounded up to whole rounds of line-ups
PASS_MOST = 400  # games: passes of all line-ups up to this length are played as a whole
PILOT_SHARE = 0.25  # largest share of the games for the first round
EXTENSIONS = 3  # times that games are added if an interval is too wide
CELLS_MOST = 40_000_000  # games times units up to which the spread is computed
SURE = 0.05

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Asked:
    """Requested precision and games, at least one of them.

    precision: half-width of every interval, a share (0.01 is one point), None: as small as the games allow. games: in all,
    None: as many as the precision needs.
    """

    precision: float | None = None
    games: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless the request is possible."""
        if self.precision is None and self.games is None:
            raise ValueError("precision and games are both None: give at least one of them")
        if self.precision is not None and not 0 < self.precision <= 0.5:
            raise ValueError(f"precision={100 * self.precision:g} must be above 0 and at most 50 percentage points")
        if self.games is not None and self.games < 1:
            raise ValueError(f"games={self.games} must be at least 1")


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Effect of one step of each number.

    frame: one line per step, the largest lower bound of |change| first: rank, path, step, present, value, name (whose win rate),
    own (whether the number belongs to it), before, after, change, low, high, bound (of |change|, 0 if the interval contains 0),
    half (half-width), p, p_holm, p_bh, sure, n, gain, truncated_before, truncated_after, and spread_before, spread_change,
    spread_low, spread_high, spread_p of the standard deviation of the win rates (NaN with too many units).
    base: line-ups, seats, policies and seed; its first `pilot` games are the first round, the next `span` the final one. games:
    in all. truncated: share of the games with unchanged cards that were stopped at a limit; such games are left out.
    """

    frame: pd.DataFrame
    candidates: Candidates
    base: Experiment
    asked: Asked
    pilot: int
    span: int
    games: int
    truncated: float = 0.0

    @property
    def precision(self) -> float:
        """Largest half-width."""
        return float(self.frame["half"].max()) if len(self.frame) else float("nan")


@dataclass(eq=False)
class _Trial:
    """A step and its games in the final round. owner: index of the unit to which the field belongs."""

    step: Step
    owner: int | None
    span: int = 0
    parts: list[Shares] = field(default_factory=list)


def sensitivity(
    base: Experiment, found: Candidates, asked: Asked, jobs: int | None = None, watch: Watch | None = None
) -> Sensitivity:
    """Play the requested steps. base: line-ups, seats, policies, cards and seed; its number of games is ignored.

    Raises ValueError if the games do not suffice for two batches of every step.
    """
    return _Run(base, found, asked, jobs, watch).result()


def check_games(base: Experiment, found: Candidates, asked: Asked) -> None:
    """Raise ValueError if the games do not suffice for `sensitivity`, before anything is played."""
    run = _Run(base, found, asked, None, None)
    if run.trials:
        run.check_games()


class _Run:
    """A run: its rounds of games and results."""

    def __init__(self, base: Experiment, found: Candidates, asked: Asked, jobs: int | None, watch: Watch | None) -> None:
        self.base, self.found, self.asked, self.jobs, self.watch = base, found, asked, jobs, watch
        self.names = unit_names(base)
        ids = base.teams.ids if base.teams else base.cards.ids
        self.trials = [_Trial(step, owner_of(base.cards.document, step.field, ids)) for step in found.live]
        unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
        self.batch = unit * max(1, -(-BATCH // unit))
        owners = {trial.owner for trial in self.trials}
        share = {owner: part_of(base, 0, self.batch, owner).games / self.batch for owner in owners}
        self.density = np.array([share[trial.owner] for trial in self.trials])
        self.games = 0
        self.before: Shares | None = None  # of games `pilot` and later

    def result(self) -> Sensitivity:
        """Play all rounds and return the result."""
        if not self.trials:
            return Sensitivity(pd.DataFrame(), self.found, self.base, self.asked, 0, 0, 0)
        self.pilot = self._pilot_games()
        span, target = self._plan()
        self._extend(span)
        for _ in range(EXTENSIONS):
            half = np.array([line["half"] for line in map(self._line, self.trials)])
            now = np.array([trial.span for trial in self.trials])
            extra = allocation.more(half, now, target, self.batch)
            wanted = np.maximum(now + extra, now)
            if not extra.any() or (self.asked.games and self.games + self._price(now, wanted) > self.asked.games):
                break
            self._extend(wanted)
        assert self.before is not None
        return Sensitivity(
            self._frame(),
            self.found,
            self.base,
            self.asked,
            self.pilot,
            len(self.before.share),
            self.games,
            self.before.truncated_share,
        )

    def _pilot_games(self) -> int:
        """Number of base games of the first round."""
        wanted = PILOT / float(np.median(self.density).clip(min=1e-9))
        if self.asked.games:
            wanted = min(wanted, PILOT_SHARE * self.asked.games / (1 + float(self.density.sum())))
        return self.batch * max(1, round(wanted / self.batch))

    def check_games(self) -> None:
        """Raise ValueError if the games do not suffice for the first round and a final batch of every step."""
        pilot, least = np.full(len(self.trials), self._pilot_games()), np.full(len(self.trials), self.batch)
        need = round(allocation.cost(pilot, self.density) + allocation.cost(least, self.density))
        if self.asked.games and need > self.asked.games:
            fewer = self.batch * 2 * (1 + float(self.density.sum()))  # with the shortest first round
            raise ValueError(
                f"games={self.asked.games} are too few for {len(self.trials)} steps: at least {ceil(fewer):,}; play more, or "
                "name fewer numbers with --fields"
            )

    def _plan(self) -> tuple[Any, float]:
        """Play the first round; return base games of the final round by step, and the target half-width."""
        self.check_games()
        before = next(self._played("first round", [part_of(self.base, 0, self.pilot)]))
        after = self._played("first round", [self._experiment(trial, 0, self.pilot) for trial in self.trials])
        first = [self._compared(trial, before, 0, [games]) for trial, games in zip(self.trials, after, strict=True)]
        half = np.array([line["half"] for line in first])
        top = allocation.contenders(np.nan_to_num([line["change"] for line in first]), half)
        weight = np.where(top, allocation.TWICE, 1.0)
        plan = allocation.Plan(self.pilot, half, weight, self.density, self._sits(), self.batch)
        target = self.asked.precision or 0.0
        if self.asked.games:
            target = max(target, allocation.affordable(plan, self.asked.games - self.games))
        return allocation.spans(plan, target), target

    def _sits(self) -> Any:
        """Share of the base games with the unit that a step is judged by."""
        teams = self.base.teams
        seats = self.base.seats * (teams.size if teams else 1)
        return np.full(len(self.trials), min(1.0, seats / len(self.names)))

    def _price(self, now: Any, wanted: Any) -> float:
        """Number of games that an extension takes."""
        assert self.before is not None
        further = max(0, int(wanted.max()) - len(self.before.share))
        return further + float(((wanted - now) * self.density).sum())

    def _extend(self, wanted: Any) -> None:
        """Extend the final round; wanted: base games of each step."""
        have = 0 if self.before is None else len(self.before.share)
        if int(wanted.max()) > have:
            ends = (self.pilot + have, self.pilot + int(wanted.max()))
            new = next(self._played("games as they are", [part_of(self.base, *ends)]))
            self.before = new if self.before is None else joined([self.before, new])
        on = [(trial, int(span)) for trial, span in zip(self.trials, wanted, strict=True) if span > trial.span]
        games = self._played(
            "final round", [self._experiment(trial, self.pilot + trial.span, self.pilot + span) for trial, span in on]
        )
        for (trial, span), after in zip(on, games, strict=True):
            trial.parts.append(after)
            trial.span = span

    def _experiment(self, trial: _Trial, first: int, last: int) -> Chosen:
        """Games first..last-1 of a step: those of its owner."""
        assert trial.step.cards is not None
        return replace(part_of(self.base, first, last, trial.owner), cards=trial.step.cards)

    def _played(self, stage: str, experiments: Sequence[Chosen]) -> Iterator[Shares]:
        """Play experiments, report progress and count games."""
        total, done = sum(experiment.games for experiment in experiments), 0

        def report(games: int) -> None:
            nonlocal done
            done += games
            if self.watch:
                self.watch(stage, done, total)

        self.games += total
        return played(experiments, self.jobs, report)

    def _compared(self, trial: _Trial, before: Shares, start: int, after: Sequence[Shares]) -> dict[str, Any]:
        """Compare a step with the unchanged games from `start`: line of its owner, or of the win rate that moves most."""
        games = joined(after)
        index = part_of(self.base, start, start + (trial.span or len(before.share)), trial.owner).index
        pairs = taken(before, index - start), games
        units = len(self.names) if trial.owner is None else 1
        old, new = (self._by_unit(games_) for games_ in pairs)
        alike = np.array_equal(old.entrant, new.entrant)
        table = (compare if alike else compare_apart)(old, new, self.names, 1 - (1 - LEVEL) / units)
        if trial.owner is not None:
            table = table.loc[table["name"] == self.names[trial.owner]]
        if table.empty:
            return {"name": "", "change": np.nan, "half": 1.0}
        line = table.iloc[int(np.argmax(table["change"].abs().fillna(-1.0).to_numpy()))]
        facts = {**line, "p": min(1.0, float(line["p"]) * units), "own": trial.owner is not None}
        return facts | {"half": float(line["high"] - line["low"]) / 2}

    def _by_unit(self, games: Shares) -> Shares:
        """Games with teams replaced by their parts."""
        return games.of_parts(self.base.teams.members) if self.base.teams else games

    def _line(self, trial: _Trial) -> dict[str, Any]:
        """Line of a step from the final round."""
        assert self.before is not None
        return self._compared(trial, self.before, self.pilot, trial.parts)

    def _spread(self, trial: _Trial) -> dict[str, float]:
        """Effect of a step on the spread of the win rates."""
        names = ("before", "change", "low", "high", "p")
        if trial.span * len(self.names) > CELLS_MOST or len(self.names) < 2:
            return {f"spread_{name}": float("nan") for name in names}
        assert self.before is not None
        index = part_of(self.base, self.pilot, self.pilot + trial.span, trial.owner).index - self.pilot
        before = taken(self.before, np.arange(trial.span))
        after = laid_over(before, index, joined(trial.parts))
        effect = spread_change(self._by_unit(before), self._by_unit(after), len(self.names))
        return {f"spread_{name}": getattr(effect, name) for name in names}

    def _frame(self) -> pd.DataFrame:
        """All lines, ranked."""
        lines = []
        for trial in self.trials:
            step = trial.step
            facts = {"path": step.field, "step": step.step, "present": step.before, "value": step.value}
            lines.append({**facts, **self._line(trial), **self._spread(trial)})
        return ranked(pd.DataFrame(lines))


def ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """Add rank, bound, p_holm, p_bh and sure to lines with change, low, high and p; sort by the lower bound of |change|."""
    bound = np.maximum(0.0, np.maximum(frame["low"], -frame["high"]))
    p_holm = adjust(frame["p"])
    table = frame.assign(bound=bound, p_holm=p_holm, p_bh=adjust(frame["p"], "bh"), sure=p_holm < SURE)
    size = table["change"].abs()
    table = table.assign(_size=size).sort_values(["bound", "_size"], ascending=False, kind="stable")
    table = table.drop(columns="_size").reset_index(drop=True)
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    return table
