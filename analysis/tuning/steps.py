"""Single steps that bring an entrant into the fair band: one number, a step or a few, found by quick players and re-tested.

Strong players give the win rate to start from. Quick players play every number of the entrant one step up and one step down in
the same games with the same dice, then the sizes that seem to reach the band in more games. Their change, on the scale of
logits, added to the win rate of the strong players is the prediction. The best candidates are then played by the strong
players, in games of another seed, with and without the change.

A number moves only in the direction in which a single step has the wanted effect, and not at all if a step in the opposite
direction surely has it too. Leaps (`goal.is_leap`) come after all smaller changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtr

from analysis.data.players import games_in, quicker
from analysis.data.selection import Chosen
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.data.together import laid_over, played
from analysis.tuning.goal import FURTHER, REACH, Band, is_leap, weighted
from analysis.tuning.numbers import Number, entrants_named, numbers_matching, numbers_of
from analysis.variants.compare import Counter
from analysis.variants.sensitivity import words_of
from analysis.variants.variant import Step, difference, numeric_steps, part_of, unit_names
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment

SECONDS = 12.0  # of games, on two cores
START, LOOK, SIZES, TEST = 0.2, 0.3, 0.2, 0.3  # shares of the time: current win rate, single steps, larger steps, re-test
TESTED_LEAST, TESTED_MOST = 3, 8  # candidates of an entrant that the strong players re-test
TEST_GAMES = 200  # games of a re-test for each candidate, if there is time for more than TESTED_LEAST of them
MOST_GAMES = 20_000  # a second, of players that hardly think
LEAST_GAMES = 40  # of an entrant, for any comparison
EFFECT = 0.08  # typical size of the effect of a step on a win rate: shrinks uncertain effects
CARRIED = 0.35  # standard deviation of the effect with strong players around that with quick ones, as a share of it
PERHAPS = 0.1  # chance to reach the band below which a size is not played
Z = 1.96  # standard errors on either side of an interval of 95 %

Floats = NDArray[np.float64]

COLUMNS = (
    *("entrant", "name", "path", "label", "before", "after", "steps", "leap", "now", "rate", "low", "high", "chance", "reaches"),
    *("tested", "n", "quick_before", "quick_after", "other", "other_change", "shared_with", "setting"),
)


@dataclass(frozen=True)
class Start:
    """Win rate of an entrant with the current cards and strong players, its standard error, and the fair share, all 0..1."""

    rate: float
    error: float
    fair: float


@dataclass
class Candidate:
    """A number with another value, and what is known about it.

    change, error: of the win rate with quick players, a share; predicted, spread: win rate with strong players after the change,
    and its standard error; others: changes of the win rates of the others; line: of the entrant in the re-test,
    see `shares.compare`, None before.
    """

    number: Number
    step: Step
    change: float = 0.0
    error: float = 1.0
    quick: tuple[float, float] = (float("nan"), float("nan"))
    predicted: float = float("nan")
    spread: float = 1.0
    others: pd.Series = field(default_factory=lambda: pd.Series(dtype=float))
    line: dict[str, Any] | None = None

    @property
    def steps(self) -> int:
        """Number of steps, negative for down."""
        return self.step.step

    @property
    def is_leap(self) -> bool:
        """Whether the change is a leap, see `goal.is_leap`."""
        return is_leap(self.number.value, self.steps)


def single_steps(
    study: Study,
    entrants: Sequence[str | int],
    band: Band | None = None,
    seconds: float = SECONDS,
    starts: Mapping[int, Start] | None = None,
) -> pd.DataFrame:
    """The steps of single numbers that move each entrant towards the fair band, those that reach it first.

    entrants: ids, names or indices, of the parts if entrants are teams. band: wanted win rates at two seats. seconds: of games on
    two cores, of all entrants together; the number of games follows from the game's declared speed. starts: win rates of the
    strong players, by index of the entrant, where they are known already. Raises ValueError for an unknown entrant.

    An entrant within the band has no rows. Rows of an entrant: those that reach the band first, tested ones before others, small
    ones before leaps, then by number of steps and by the chance to be within the band; all others by that chance. Columns:
    entrant (id), name, path, label (without the entrant), before and after (values), steps (signed), leap, now (win rate
    before), rate, low, high (win rate after: tested, or else predicted, with an interval of 95 %), chance (of being within the
    band, 0..1, by prediction and test), reaches (the estimate is within the band), tested (by the strong players in games of
    another seed), n (their games with the change), quick_before and quick_after (win rates of the quick players), other and
    other_change (the other entrant that moves most, in its win rate over all its games; NaN for an untested number that others
    share), shared_with (names of entrants with the same number), setting.
    """
    runs = step_searches(study, _indices(study, entrants), band or Band(), seconds, starts)
    return joined_frames([run.frame() for run in runs])


def step_searches(
    study: Study,
    units: Sequence[int],
    band: Band,
    seconds: float = SECONDS,
    starts: Mapping[int, Start] | None = None,
    fields: Sequence[str] | None = None,
) -> list[StepSearch]:
    """The search for each entrant, with its part of the time. fields: patterns of numbers, by default those of the entrant."""
    return [StepSearch(study, unit, band, seconds / max(1, len(units)), (starts or {}).get(unit), fields) for unit in units]


def joined_frames(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all entrants."""
    filled = [frame for frame in frames if len(frame)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=[*COLUMNS])


def _indices(study: Study, entrants: Sequence[str | int]) -> list[int]:
    """Indices of entrants given by index, id or name."""
    words = [study.unit_ids[one] if isinstance(one, int) else one for one in entrants]
    return entrants_named(words, study.unit_ids, study.units, study.unit_word)


class StepSearch:
    """The search for one entrant. helpful: candidates with the wanted effect with quick players, after `frame`."""

    def __init__(
        self, study: Study, unit: int, band: Band, seconds: float, start: Start | None = None, fields: Sequence[str] | None = None
    ) -> None:
        self.fields = fields
        self.study, self.unit, self.band, self.seconds = study, unit, band, seconds
        self.start = start
        self.test_share = TEST if start is None else TEST + START
        self.strong: PolicySpec = study.tester or study.policy
        self.quick = quicker(self.strong)
        self.names = unit_names(self.base(self.quick))
        self.helpful: list[Candidate] = []
        self.carried = CARRIED if self.quick != self.strong else 0.0

    def frame(self) -> pd.DataFrame:
        """The rows of `single_steps`."""
        self.start = self.start or self.started()
        if not self.outside:
            return pd.DataFrame(columns=[*COLUMNS])
        self.helpful = self.sized(self.looked())
        tested = self.tested(self.helpful)
        rows = [self.row(candidate) for candidate in tested]
        rows.sort(key=_rank)
        return pd.DataFrame(rows, columns=[*COLUMNS])

    @property
    def low(self) -> float:
        """Lower edge of the band."""
        assert self.start is not None
        return 2 * self.start.fair * self.band.low

    @property
    def high(self) -> float:
        """Upper edge of the band."""
        assert self.start is not None
        return 2 * self.start.fair * self.band.high

    @property
    def outside(self) -> bool:
        """Whether the win rate is outside the band, after `frame`."""
        return self.start is not None and not self.low <= self.start.rate <= self.high

    @property
    def way(self) -> int:
        """Wanted direction of the win rate: 1 for up, -1 for down."""
        assert self.start is not None
        return 1 if self.start.rate < self.low else -1

    def base(self, player: PolicySpec, games: int = 1, seed: int | None = None) -> Experiment:
        """The experiment with the current cards."""
        experiment = replace(self.study.experiment(self.study.contest, games), policies=(player,))
        return experiment if seed is None else replace(experiment, seed=seed)

    @cached_property
    def density(self) -> float:
        """Share of the games in which the entrant plays."""
        teams = self.study.teams
        return min(1.0, self.study.contest * (teams.size if teams else 1) / len(self.names))

    def games_of(self, player: PolicySpec, games: int, seed: int) -> Chosen:
        """About this number of games of the entrant, whole rounds of line-ups if several fit."""
        experiment = self.base(player, seed=seed)
        unit = experiment.pass_games or experiment.round_games
        wanted = max(LEAST_GAMES, games) / self.density
        times = round(wanted / unit)
        return part_of(experiment, 0, times * unit if times >= 1 else round(wanted), self.unit)

    def affordable(self, player: PolicySpec, share: float) -> int:
        """Games that a share of the time is enough for."""
        seconds = share * self.seconds
        return games_in(self.study.game, (player,), self.study.contest, seconds, max(LEAST_GAMES, round(MOST_GAMES * seconds)))

    def play(self, stage: str, experiments: Sequence[Experiment]) -> list[Shares]:
        """Play experiments side by side, with progress."""
        player = self.study.player
        total = sum(experiment.games for experiment in experiments)
        counter = Counter(partial(player.watch, stage), experiments[0], total)
        return list(played(experiments, self.study.jobs, counter))

    def started(self) -> Start:
        """The win rate with the current cards and strong players, and the fair share of games that can end without a winner."""
        games = self.games_of(self.strong, self.affordable(self.strong, START), self.study.fresh_seed)
        (shares,) = self.play("games as they are", [games])
        line, _ = self.compared(games, shares, shares)
        error = float(line["before_high"] - line["before_low"]) / (2 * Z)
        return Start(float(line["before"]), error, fair_share(shares))

    def compared(self, base: Experiment, before: Shares, after: Shares) -> tuple[dict[str, Any], pd.Series]:
        """The line of the entrant, see `shares.compare`, and the changes of the win rates of the others, by their index."""
        table = difference(base, before, after).set_index("name").reindex(self.names).reset_index()
        return dict(zip(table.columns, table.iloc[self.unit], strict=True)), table["change"].drop(self.unit)

    @cached_property
    def together(self) -> Floats:
        """Share of the games of each entrant that it plays with or against this one, (units,)."""
        experiment = self.base(self.quick)
        index = np.arange(max(experiment.pass_games or 0, 50 * experiment.round_games))
        line_ups = experiment.entrants_of(index)
        teams = experiment.teams
        seated = line_ups if teams is None else teams.members[line_ups].reshape(len(index), -1)
        sits = np.zeros((len(index), len(self.names)))
        sits[np.arange(len(index))[:, None], seated] = 1
        both = (sits * sits[:, [self.unit]]).sum(axis=0)
        return np.asarray(both / np.maximum(1, sits.sum(axis=0)))

    def looked(self) -> list[Candidate]:
        """Every number of the entrant one step in each direction; those whose effect has the wanted sign."""
        cards, ids = self.study.cards, self.study.unit_ids
        if self.fields:
            numbers = numbers_matching(cards, ids, self.unit, self.fields)
        else:
            numbers = numbers_of(cards, ids, self.unit, self.study.game.decks is not None)
        budget = self.affordable(self.quick, LOOK)
        numbers = numbers[: max(1, budget // (2 * LEAST_GAMES))]
        candidates = [one for number in numbers for one in self.candidates(number, (-1, 1))]
        if not candidates:
            return []
        self.measure(candidates, budget // (len(candidates) + 1))
        both = [one.number.path for one in candidates if one.change * self.way > Z * one.error]
        both = [path for path in set(both) if both.count(path) > 1]  # more and less of it help alike: not a matter of strength
        return [one for one in candidates if one.change * self.way > 0 and one.number.path not in both]

    def candidates(self, number: Number, steps: Sequence[int]) -> list[Candidate]:
        """The allowed steps of a number that reach play."""
        candidates = numeric_steps(self.study.game, self.study.cards, [number.path], steps)
        return [Candidate(number, step) for step in candidates if step.live]

    def measure(self, candidates: Sequence[Candidate], games: int) -> None:
        """Play candidates with quick players, and predict the win rates of the strong ones."""
        base = self.games_of(self.quick, games, self.study.fresh_seed)
        before, *after = self.play("single steps", [base, *(self.with_cards(base, one) for one in candidates)])
        for candidate, shares in zip(candidates, after, strict=True):
            line, others = self.compared(base, before, shares)
            candidate.change = float(np.nan_to_num(line["change"]))
            candidate.error = max(1 / len(base.index), float(np.nan_to_num(line["high"] - line["low"], nan=2.0)) / (2 * Z))
            candidate.quick = float(line["before"]), float(line["after"])
            candidate.others = others * self.together[others.index]
            self.predict(candidate)

    def with_cards(self, games: Chosen, candidate: Candidate) -> Chosen:
        """The same games with a candidate's cards."""
        assert candidate.step.cards is not None
        return replace(games, cards=candidate.step.cards)

    def predict(self, candidate: Candidate) -> None:
        """Set the predicted win rate: that of the strong players now, moved by the change of the quick ones in logits."""
        assert self.start is not None
        scale = max(EFFECT * abs(candidate.steps), 1e-9)
        weight = scale**2 / (scale**2 + candidate.error**2)
        before, change = candidate.quick[0], weight * candidate.change
        ends = np.clip([before, before + change, self.start.rate], 0.01, 0.99)
        first, last, level = logit(ends)
        candidate.predicted = float(expit(level + last - first))
        own = weight**0.5 * candidate.error
        moved = self.carried * abs(candidate.predicted - self.start.rate)
        candidate.spread = float(np.sqrt(self.start.error**2 + own**2 + moved**2))

    def chance(self, rate: float, error: float) -> float:
        """Probability that the true win rate is within the band."""
        return float(ndtr((self.high - rate) / error) - ndtr((self.low - rate) / error))

    def sized(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Candidates of one step, and those larger steps of the same numbers that may reach the band, in more games."""
        assert self.start is not None
        wanted = list(candidates)
        for one in candidates:
            sizes = [size for size in range(2, REACH + 1) if self.may_reach(one, size)]
            wanted += self.candidates(one.number, [size * one.steps for size in sizes])
        if not wanted:
            return []
        budget = self.affordable(self.quick, SIZES)
        ordered = sorted(wanted, key=self.promise, reverse=True)[: max(TESTED_MOST, budget // (2 * LEAST_GAMES))]
        self.measure(ordered, budget // (len(ordered) + 1))
        return [one for one in ordered if one.change * self.way > 0]

    def promise(self, candidate: Candidate) -> float:
        """Chance of a candidate to reach the band, judged by the effect of a single step for larger ones."""
        if np.isnan(candidate.predicted):
            return 0.5 if not candidate.is_leap else 0.2
        return self.chance(candidate.predicted, candidate.spread)

    def may_reach(self, candidate: Candidate, size: int) -> bool:
        """Whether a number of steps has a chance to reach the band, by the effect of one step."""
        assert self.start is not None
        rate = self.start.rate + size * (candidate.predicted - self.start.rate)
        error = float(np.sqrt(self.start.error**2 + (size * candidate.spread) ** 2))
        return self.chance(float(np.clip(rate, 0, 1)), error) >= PERHAPS

    def tested(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """All candidates; the best ones with the result of the strong players in games of another seed."""
        likely = [one for one in candidates if self.chance(one.predicted, one.spread) >= PERHAPS]
        if not likely:
            return []
        budget = self.affordable(self.strong, self.test_share)
        most = int(np.clip(budget // TEST_GAMES, TESTED_LEAST, TESTED_MOST))
        best = sorted(likely, key=self.preference)[:most]
        has_shared = any(one.number.others for one in best)
        cost = len(best) + (1 / self.density if has_shared else 1)
        base = self.games_of(self.strong, int(budget / cost), self.study.retest_seed)
        own = base.index
        if has_shared:  # the games of the others move too
            base = part_of(self.base(self.strong, seed=self.study.retest_seed), 0, int(own[-1]) + 1)
        plays = [base if one.number.others else replace(base, index=own) for one in best]
        before, *after = self.play(
            "games of strong players", [base, *(self.with_cards(games, one) for games, one in zip(plays, best, strict=True))]
        )
        for one, games, shares in zip(best, plays, after, strict=True):
            with_change = shares
            if games is not base:
                with_change = laid_over(before, np.searchsorted(base.index, games.index), shares)
            one.line, others = self.compared(base, before, with_change)
            one.others = others if has_shared else others * self.together[others.index]
        return [*best, *(one for one in likely if one not in best)]

    def preference(self, candidate: Candidate) -> tuple[bool, float]:
        """Order in which candidates are re-tested: small changes before leaps, then by chance, less for every further step."""
        return candidate.is_leap, -self.chance(candidate.predicted, candidate.spread) * FURTHER ** (abs(candidate.steps) - 1)

    def row(self, candidate: Candidate) -> dict[str, Any]:
        """A row of the frame."""
        assert self.start is not None
        line, others = candidate.line, candidate.others.dropna()
        now, rate, error = self.start.rate, candidate.predicted, candidate.spread
        low, high = max(0.0, rate - Z * error), min(1.0, rate + Z * error)
        chance = self.chance(rate, error)
        if line is not None:
            now, rate, low, high = (float(line[name]) for name in ("before", "after", "after_low", "after_high"))
            chance = self.chance(*weighted((candidate.predicted, error), (rate, max(1e-3, (high - low) / (2 * Z)))))
        helps = (rate - now) * self.way > 0
        moves_known = line is not None or not candidate.number.others
        other = int(others.abs().to_numpy().argmax()) if len(others) and moves_known else None
        words = words_of(self.study, candidate.number.path)
        name = self.names[self.unit]
        return {
            "entrant": self.study.unit_ids[self.unit],
            "name": name,
            "path": candidate.number.path,
            "label": words.removeprefix(f"{name}, ").removeprefix(f"{name}: "),
            "before": candidate.number.value,
            "after": candidate.step.value,
            "steps": candidate.steps,
            "leap": candidate.is_leap,
            "now": now,
            "rate": rate,
            "low": low,
            "high": high,
            "chance": chance,
            "reaches": bool(helps and self.low <= rate <= self.high),
            "tested": line is not None,
            "n": int(line["n"]) if line is not None else 0,
            "quick_before": candidate.quick[0],
            "quick_after": candidate.quick[1],
            "other": "" if other is None else self.names[int(others.index[other])],
            "other_change": float("nan") if other is None else float(others.iloc[other]),
            "shared_with": ", ".join(self.names[unit] for unit in candidate.number.others),
            "setting": f"{candidate.number.path}={candidate.step.value}",
        }


def _rank(row: dict[str, Any]) -> tuple[bool, bool, bool, int, float]:
    """Place of a row: those that reach the band before others, tested ones first, small ones before leaps; others by chance."""
    reaches = bool(row["reaches"])
    return not reaches, not row["tested"], reaches and row["leap"], abs(row["steps"]) if reaches else 0, -row["chance"]


def fair_share(games: Shares) -> float:
    """Mean win share of a seat in finished games: 1 / seats, or less if some end without a winner."""
    over = ~games.truncated
    return float(games.share[over].sum(axis=1, dtype=np.float64).mean()) / games.share.shape[1] if over.any() else 0.0
