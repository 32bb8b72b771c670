"""Sensitivity of balance to every number of a card file, one step up and down, with games allocated where they are needed.

A number in the table of one entrant (or of one part of teams) is judged by its owner's win rate, in the owner's games; any other
by the win rate that moves most, with the interval widened for the choice (Bonferroni over the units). All steps play the same
games with the same dice (common random numbers); the games with unchanged cards are played once. For the allocation of games,
and why the intervals stay valid, see `analysis.stats.allocation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer.prose import field_words
from analysis.data.player import Watch
from analysis.data.selection import Chosen
from analysis.data.shares import Shares, compare, compare_apart, spread_change
from analysis.data.study import Study
from analysis.data.together import joined, laid_over, played, taken
from analysis.stats import allocation
from analysis.stats.intervals import LEVEL, adjust
from analysis.variants.compare import Counter, unit_games
from analysis.variants.variant import SURE, Candidates, Step, by_unit, owner_of, part_of, unit_names
from sim.engine.questions import Ask
from sim.experiments.experiment import Experiment

PILOT = 400  # games of an owner in the first round
BATCH = 200  # base games added at a time, rounded up to whole rounds of line-ups
PASS_MOST = 400  # games: passes of all line-ups up to this length are played as a whole
PILOT_SHARE = 0.25  # largest share of the games for the first round
EXTENSIONS = 3  # times that games are added if an interval is too wide
CELLS_MOST = 40_000_000  # games times units up to which the spread is computed


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
    spread_change_low, spread_change_high, spread_p of the standard deviation of the win rates (NaN with too many units).
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


def least_games(base: Experiment, found: Candidates) -> int:
    """The fewest games that `sensitivity` can do with."""
    return _Run(base, found, Asked(games=1), None, None).least if found.live else 1


class _Run:
    """A run: its rounds of games and results."""

    def __init__(self, base: Experiment, found: Candidates, asked: Asked, jobs: int | None, watch: Watch | None) -> None:
        self.base, self.found, self.asked, self.jobs, self.watch = base, found, asked, jobs, watch
        self.names = unit_names(base)
        ids = base.teams.ids if base.teams else base.cards.ids
        self.trials = [_Trial(step, owner_of(base.cards.document, step.field, ids)) for step in found.live]
        unit = unit_games(base, PASS_MOST)
        self.batch = unit * max(1, -(-BATCH // unit))
        owners = {trial.owner for trial in self.trials}
        share = {owner: part_of(base, 0, self.batch, owner).games / self.batch for owner in owners}
        self.density = np.array([share[trial.owner] for trial in self.trials])
        self.games = 0
        self.before: Shares | None = None  # of games `pilot` and later

        wanted = PILOT / float(np.median(self.density).clip(min=1e-9)) if self.trials else 0.0
        if asked.games:
            wanted = min(wanted, PILOT_SHARE * asked.games / (1 + float(self.density.sum())))
        self.pilot = self.batch * max(1, round(wanted / self.batch))  # games of the first round

    def result(self) -> Sensitivity:
        """Play the first round, then the final one, extended while intervals are too wide and games are left."""
        if not self.trials:
            return Sensitivity(pd.DataFrame(), self.found, self.base, self.asked, 0, 0, 0)
        span, target = self._plan()
        self._extend(span)
        assert self.before is not None
        for _ in range(EXTENSIONS):
            half = np.array([self._line(trial)["half"] for trial in self.trials])
            now = np.array([trial.span for trial in self.trials])
            extra = allocation.more(half, now, target, self.batch)
            wanted = np.maximum(now + extra, now)
            price = max(0, int(wanted.max()) - len(self.before.share)) + float(((wanted - now) * self.density).sum())
            if not extra.any() or (self.asked.games and self.games + price > self.asked.games):
                break
            self._extend(wanted)
        lines = []
        for trial in self.trials:
            step = trial.step
            facts = {"path": step.field, "step": step.step, "present": step.before, "value": step.value}
            lines.append({**facts, **self._line(trial), **self._spread(trial)})
        frame = pd.DataFrame(lines)
        for name in ("present", "value"):  # whole numbers stay whole beside fractions of other fields
            values = pd.Series([line[name] for line in lines], dtype=object)
            frame[name] = values if len(set(map(type, values))) > 1 else values.infer_objects()
        bound, p_holm = least_change(frame), adjust(frame["p"])
        frame = by_least_change(frame.assign(bound=bound, p_holm=p_holm, p_bh=adjust(frame["p"], "bh"), sure=p_holm < SURE))
        frame.insert(0, "rank", np.arange(1, len(frame) + 1))
        played, truncated = len(self.before.share), self.before.truncated_share
        return Sensitivity(frame, self.found, self.base, self.asked, self.pilot, played, self.games, truncated)

    @property
    def least(self) -> int:
        """Games with the shortest first round, and a final batch of every step."""
        return ceil(self.batch * 2 * (1 + float(self.density.sum())))

    def check_games(self) -> None:
        """Raise ValueError if the games do not suffice for the first round and a final batch of every step."""
        pilot, least = np.full(len(self.trials), self.pilot), np.full(len(self.trials), self.batch)
        need = round(allocation.cost(pilot, self.density) + allocation.cost(least, self.density))
        if self.asked.games and need > self.asked.games:
            raise ValueError(
                f"games={self.asked.games} are too few for {len(self.trials)} steps: at least {self.least:,}; play more, or "
                "name fewer numbers with --fields"
            )

    def _plan(self) -> tuple[Any, float]:
        """Play the first round; return base games of the final round by step, and the target half-width."""
        self.check_games()
        before = next(self._played("first round", [part_of(self.base, 0, self.pilot)]))
        after = self._played("first round", [self._games(trial, 0, self.pilot) for trial in self.trials])
        first = [self._compared(trial, before, 0, [games]) for trial, games in zip(self.trials, after, strict=True)]
        half = np.array([line["half"] for line in first])
        top = allocation.contenders(np.nan_to_num([line["change"] for line in first]), half)
        size = self.base.teams.size if self.base.teams else 1
        sits = np.full(len(self.trials), min(1.0, self.base.seats * size / len(self.names)))  # games with the unit concerned
        plan = allocation.Plan(self.pilot, half, np.where(top, allocation.TWICE, 1.0), self.density, sits, self.batch)
        target = self.asked.precision or 0.0
        if self.asked.games:
            target = max(target, allocation.affordable(plan, self.asked.games - self.games))
        return allocation.spans(plan, target), target

    def _extend(self, wanted: Any) -> None:
        """Extend the final round; wanted: base games of each step."""
        have = 0 if self.before is None else len(self.before.share)
        if int(wanted.max()) > have:
            ends = (self.pilot + have, self.pilot + int(wanted.max()))
            new = next(self._played("games as they are", [part_of(self.base, *ends)]))
            self.before = new if self.before is None else joined([self.before, new])
        on = [(trial, int(span)) for trial, span in zip(self.trials, wanted, strict=True) if span > trial.span]
        longer = [self._games(trial, self.pilot + trial.span, self.pilot + span) for trial, span in on]
        for (trial, span), after in zip(on, self._played("final round", longer), strict=True):
            trial.parts.append(after)
            trial.span = span

    def _games(self, trial: _Trial, first: int, last: int) -> Chosen:
        """Games first..last-1 of a step: those of its owner."""
        assert trial.step.cards is not None
        return replace(part_of(self.base, first, last, trial.owner), cards=trial.step.cards)

    def _played(self, stage: str, experiments: Sequence[Chosen]) -> Iterator[Shares]:
        """Play experiments, report progress and count games."""
        total = sum(experiment.games for experiment in experiments)
        self.games += total
        return played(experiments, self.jobs, Counter(partial(self.watch, stage) if self.watch else None, self.base, total))

    def _compared(self, trial: _Trial, before: Shares, start: int, after: Sequence[Shares]) -> dict[str, Any]:
        """Compare a step with the unchanged games from `start`: line of its owner, or of the win rate that moves most."""
        index = part_of(self.base, start, start + (trial.span or len(before.share)), trial.owner).index
        units = len(self.names) if trial.owner is None else 1
        old, new = (by_unit(self.base, games) for games in (taken(before, index - start), joined(after)))
        alike = np.array_equal(old.entrant, new.entrant)
        table = (compare if alike else compare_apart)(old, new, self.names, 1 - (1 - LEVEL) / units)
        if trial.owner is not None:
            table = table.loc[table["name"] == self.names[trial.owner]]
        if table.empty:
            return {"name": "", "change": np.nan, "half": 1.0}
        line = table.iloc[int(np.argmax(table["change"].abs().fillna(-1.0).to_numpy()))]
        facts = {**line, "p": min(1.0, float(line["p"]) * units), "own": trial.owner is not None}
        return facts | {"half": float(line["high"] - line["low"]) / 2}

    def _line(self, trial: _Trial) -> dict[str, Any]:
        """Line of a step from the final round."""
        assert self.before is not None
        return self._compared(trial, self.before, self.pilot, trial.parts)

    def _spread(self, trial: _Trial) -> dict[str, float]:
        """Effect of a step on the spread of the win rates; NaN with too many units."""
        names = {"before": "before", "change": "change", "low": "change_low", "high": "change_high", "p": "p"}
        if trial.span * len(self.names) > CELLS_MOST or len(self.names) < 2:
            return {f"spread_{name}": float("nan") for name in names.values()}
        assert self.before is not None
        index = part_of(self.base, self.pilot, self.pilot + trial.span, trial.owner).index - self.pilot
        before = taken(self.before, np.arange(trial.span))
        after = laid_over(before, index, joined(trial.parts))
        effect = spread_change(by_unit(self.base, before), by_unit(self.base, after), len(self.names))
        return {f"spread_{name}": getattr(effect, field) for field, name in names.items()}


def least_change(frame: pd.DataFrame) -> pd.Series:
    """Lower bound of the absolute change, 0 if the interval contains 0. frame: low, high."""
    return pd.Series(np.maximum(0.0, np.maximum(frame["low"], -frame["high"])), index=frame.index)


def by_least_change(frame: pd.DataFrame) -> pd.DataFrame:
    """Sort by the lower bound of the absolute change, then by the absolute change, largest first."""
    keys = pd.DataFrame({"bound": least_change(frame), "size": frame["change"].abs()}).reset_index(drop=True)
    return frame.iloc[keys.sort_values(["bound", "size"], ascending=False, kind="stable").index].reset_index(drop=True)


def words_of(study: Study, path: str) -> str:
    """Describe a number in words, with its owner's name; items of lists are named as in the game's questions."""
    asked = (question for question in study.game.questions if isinstance(question, Ask))
    places = {key: names for question in asked for key, names in question.arguments.get("names", {}).items()}
    words = field_words(study.cards.document, path, places)
    owner = owner_of(study.cards.document, path, study.unit_ids)
    if owner is None:
        return words
    name = study.units[owner]
    return name + words[len(name) :] if words.lower().startswith(name.lower()) else f"{name}, {words}"
