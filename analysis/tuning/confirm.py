"""The re-test of sets of changes, the choice of a proposal among them, and search and re-test together.

The re-test plays games of a seed that had no part in the search, with the current cards and with the best set of each size, and
analyses them as pairs. If quick players have searched, the strong ones play the most promising sets, too, and their games decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.verdicts import FAIR, UNFAIR, row_level, verdicts_within
from analysis.data import rows
from analysis.data.shares import Play, Shares, spread
from analysis.stats.intervals import LEVEL
from analysis.tuning.goal import (
    FURTHER,
    Aim,
    Cells,
    Goal,
    Knobs,
    NoNumberError,
    Plan,
    Steps,
    aim_of,
    described,
    knobs_of,
    weighted,
    won_shares,
)
from analysis.tuning.search import Choice, Search, chosen, hopeful
from analysis.tuning.surrogate import Games, Surrogate
from sim.engine.cards import CardSet
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from sim.seeds import RETEST, derived_seed

Floats = NDArray[np.float64]

SURELY, PROBABLY, SHORT = "in", "probably in", "short"
SLIGHTLY = "probably short"


def retested(
    base: Experiment,
    cells: Cells,
    before: Shares,
    after: Shares,
    band: tuple[float, float],
    level: float = LEVEL,
    judged: int = 0,
) -> pd.DataFrame:
    """Win rates of the units before and after in the same games, one row each in the order of the card file.

    band: lowest and highest wanted win rate. Columns: id, name, before, before_low, before_high, after, after_low, after_high
    (`rows.shares` over pairs; simultaneous), n (games after), change, low, high (paired: mean difference by unit over pairs of
    games, linearised, see `rows.rates`), verdict (against the wanted band: see `verdicts.verdicts_within`), place: "in"
    (fair), "short" (too strong, too weak), else "probably in" or "probably short" by the estimate. Games without a winner are
    left out.
    """
    b, won_before = won_shares(before)
    a, won_after = won_shares(after)
    index = np.arange(len(b))  # clusters: rounds of teams, else pairs of games with the same dice
    key = base.round_of(index) if base.teams is not None else base.pair_of(index)
    columns: dict[str, object] = {"entrant": list(cells.ids), "name": list(cells.names)}
    for word, share, won, games in (("before", b, won_before, before), ("after", a, won_after, after)):
        lines = _lines(cells, games, share, won, key)
        table = rows.shares(*lines, cells.units, row_level(judged or cells.units, level))
        verdicts = verdicts_within(table, *band)
        columns |= {word: table["estimate"], f"{word}_low": table["low"], f"{word}_high": table["high"], "n": table["n"]}
    if np.array_equal(before.entrant, after.entrant):
        both = won_before & won_after
        keys, units, change = _lines(cells, before, a - b, both, key)
        table = rows.rates(keys, units, change, np.ones(len(change)), level).reindex(range(cells.units))
        columns |= {"change": table["estimate"], "low": table["low"], "high": table["high"]}
    else:
        columns |= dict.fromkeys(("change", "low", "high"), np.nan)
    frame = pd.DataFrame(columns)
    inside = (frame["after"] >= band[0]) & (frame["after"] <= band[1])
    known = [verdicts == FAIR, np.isin(verdicts, UNFAIR), inside]
    where = np.select(known, [SURELY, SHORT, PROBABLY], SLIGHTLY)
    return frame.assign(verdict=verdicts, place=where)


def place(estimate: float, low: float, high: float, band: tuple[float, float]) -> str:
    """Position of an interval relative to a band."""
    if band[0] <= low and high <= band[1]:
        return SURELY
    if high < band[0] or low > band[1]:
        return SHORT
    return PROBABLY if band[0] <= estimate <= band[1] else SLIGHTLY


def _lines(
    cells: Cells, games: Shares, value: Floats, kept: NDArray[np.bool_], key: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Cluster, unit and value of every place of the given games."""
    units = cells.units_of(replace(games, share=value.astype(np.float32)))
    places = units.entrant.shape[1]
    spread_out = np.repeat(value[kept], places // value.shape[1], axis=1)
    return np.repeat(key[kept], places), units.entrant[kept].astype(np.int64).ravel(), spread_out.ravel()


def outputs_of(aim: Aim, cells: Cells, shares: Shares) -> tuple[Floats, Floats]:
    """Outputs of an aim in some games and their standard errors for independent games, (outputs,) both."""
    counts = cells.count(shares)
    rate = np.nan_to_num(counts.rate, nan=0.5)
    variance = rate * (1 - rate) / np.maximum(counts.n - 1, 1)
    return aim.outputs(rate), np.sqrt((aim.mixing**2) @ variance)


def distance(aim: Aim, outputs: Floats, error: Floats | float = 0.0) -> float:
    """Root mean square distance of outputs from the middle of the aim, corrected for their errors."""
    return float(np.sqrt(max(0.0, float(np.mean((outputs - aim.middle) ** 2 - np.asarray(error) ** 2)))))


GOOD = ("in", "probably in")  # places of outputs that are within the band by their estimate
CHANGED = ["path", "before", "after"]  # columns of a table of changes
Z = 1.96  # standard errors on either side of an output of a target
NEXT_BEST = 3  # further single changes that are named if the proposal is outside the goal
VAGUE = 0.05  # half-width of an interval above which a further change is not named
ROUNDS = 50  # of line-ups, to count how often units meet
STRONG_SETS = 4  # sets that the strong players re-test, at most
CHECK = 0.1  # share of the strong players' games, of the current cards in the search and of each check
WORTH_A_CHANGE = 0.005  # a longer set must be nearer to the band by more than this share
LEAST_ERROR = 1e-3  # standard error of a win rate, for games that all end alike
HOLDS = 0.8  # chance to be within the band from which no further set with the same number of changes is tested


@dataclass(frozen=True, eq=False)
class Strong:
    """The strong players that decide, if quick ones search. games: of theirs in all; play: see `Shares.of`."""

    player: PolicySpec
    games: int
    play: Play


@dataclass(frozen=True, eq=False)
class StrongTest:
    """A proposal in games of the strong players. units, aims: as in `Tuned`; games: of all sets together."""

    player: PolicySpec
    units: pd.DataFrame
    aims: pd.DataFrame
    games: int

    @property
    def reached(self) -> bool:
        """Whether every output is within its band, by its estimate."""
        return bool(self.aims["place"].isin(GOOD).all())


@dataclass(frozen=True, eq=False)
class Tuned:
    """Result of tuning.

    changes: path, before, after. units: see `retested`, with `predicted` (win rate by the search). aims: one row per output of
    the goal: name, low, high (wanted), before, after, error, predicted, place. trade_off: one row per set of changes that was
    re-tested, the best of each size: see `trade_off_of`. matrix: after, row against column, empty without matchups. next: for
    each output outside its band, the further changes (name, path, before, after) that bring it nearer to the middle, if any:
    rate is the re-tested one plus the change by the search's model, error the standard error of that change, if it is below
    VAGUE. bias: search estimate less re-test of the root mean square distance; NaN without a model. truncated: share of the games
    that were stopped at a limit, unwon: share of the finished ones without a winner, both before and after. sets: card sets
    played. stalled: changes (path, before, after) that were left out, because significantly more games end without a winner.
    strong: the test of the strong players, if quick ones have searched. focus: units whose games were played, all if empty.
    """

    experiment: Experiment
    goal: Goal
    cells: Cells
    aim: Aim
    knobs: Knobs
    steps: Steps
    cards: CardSet
    changes: pd.DataFrame
    units: pd.DataFrame
    aims: pd.DataFrame
    trade_off: pd.DataFrame
    matrix: pd.DataFrame
    next: pd.DataFrame
    bias: float
    unwon: tuple[float, float]
    truncated: tuple[float, float]
    sets: int
    search_games: int
    retest_games: int
    retest_seed: int
    stalled: pd.DataFrame
    strong: StrongTest | None = None
    focus: tuple[int, ...] = ()

    @property
    def games(self) -> int:
        """Total number of games played, without those of the strong players."""
        return self.search_games + self.retest_games

    @property
    def rates(self) -> pd.DataFrame:
        """`units` of the strong players, if they have tested the proposal, else of the re-test."""
        return self.units if self.strong is None else self.strong.units

    @property
    def decisive(self) -> pd.DataFrame:
        """`aims` of the strong players, if they have tested the proposal, else of the re-test."""
        return self.aims if self.strong is None else self.strong.aims

    @property
    def reached(self) -> bool:
        """Whether every output is within its band in the re-test that decides, by its estimate."""
        return bool(self.decisive["place"].isin(GOOD).all())

    @property
    def sure(self) -> bool:
        """Whether every output is within its band with its whole interval."""
        return bool((self.decisive["place"] == "in").all())


def asked(experiment: Experiment, goal: Goal, fields: Sequence[str] | Knobs | None) -> tuple[Experiment, Cells, Aim, Knobs]:
    """The games to play, their cells, the aim and the numbers that may be changed. Raises ValueError."""
    if experiment.seats < 2:
        raise ValueError(f"seats={experiment.seats}: balance needs an opponent; use 2 or more seats")
    base = experiment if experiment.teams is not None else replace(experiment, paired=True)
    cells = Cells.of(base)
    if cells.units < 2:
        raise ValueError(f"{base.game.title} with these cards has {cells.units} of the {cells.words}; tuning needs at least two")
    aim, knobs = aim_of(goal, cells), fields if isinstance(fields, Knobs) else knobs_of(base.game, base.cards, cells.ids, fields)
    if not knobs.knobs and not isinstance(fields, Knobs):
        reasons = [f"{path}: {why}" for path, why in list(knobs.left.items())[:3]]
        raise NoNumberError(f"no number may be changed: {'; '.join(reasons)}")
    return base, cells, aim, knobs


def search_and_retest(
    experiment: Experiment,
    goal: Goal | None = None,
    games: int | Plan = 400_000,
    fields: Sequence[str] | Knobs | None = None,
    play: Play | None = None,
    retest_seed: int | None = None,
    strong: Strong | None = None,
) -> Tuned:
    """Find the fewest, smallest changes of whole numbers that reach a goal, and re-test them.

    experiment: the current cards, seats, policies, seed; its number of games is ignored. games: in all, or a plan. fields:
    patterns of the numbers that may be changed (see `knobs_of`), or these numbers. retest_seed: if None, derived from the
    experiment's. strong: players with whom the goal is to be reached, if those of the experiment are only quick. Raises
    ValueError if nothing can be tuned, `TooFewGamesError` for too few games.
    """
    goal = goal or Goal()
    base, cells, aim, knobs = asked(experiment, goal, fields)
    plan = games if isinstance(games, Plan) else Plan.of(games, knobs, cells, goal.max_changes, bool(goal.only))
    seed = derived_seed(base.seed, RETEST) if retest_seed is None else retest_seed
    job = Job(base, goal, cells, aim, knobs, play or blocks, plan.retest_games, seed, strong)
    strong_games = 0 if strong is None else max(1, round(CHECK * strong.games))
    search = Search(job.trials, knobs, aim, goal.max_changes, base.seed, job.strong_trials, strong_games)
    best = search.run(plan)
    favourites = (hopeful(best), chosen(best), *sorted(best, key=lambda choice: choice.risk))
    order = [choice.steps for choice in favourites]
    return confirmed(job, order, best, search)


@dataclass(frozen=True, eq=False)
class Job:
    """What is re-tested, and by whom.

    play: as in `Shares.of`, for the players that search; retest_games: of each set. earlier: outputs of the current cards, and
    their standard errors, in other games of the players that decide.
    """

    base: Experiment
    goal: Goal
    cells: Cells
    aim: Aim
    knobs: Knobs
    play: Play
    retest_games: int
    retest_seed: int
    strong: Strong | None = None
    earlier: tuple[Floats, Floats] | None = None

    @cached_property
    def trials(self) -> Games:
        """Games of the players that search."""
        return Games(self.base, self.knobs, self.play, self.cells, self.goal.only, quick=self.strong is not None)

    @cached_property
    def strong_trials(self) -> Games | None:
        """Games of the strong players, if others search."""
        if self.strong is None:
            return None
        base = replace(self.base, policies=(self.strong.player,))
        return Games(base, self.knobs, self.strong.play, self.cells, self.goal.only)

    @cached_property
    def together(self) -> Floats:
        """Share of the games of each unit that it plays with or against a unit of the goal, (units,); 1 if all units count."""
        only = list(self.goal.only or range(self.cells.units))
        index = np.arange(max(self.base.pass_games or 0, ROUNDS * self.base.round_games))
        seated = self.base.entrants_of(index)
        units = seated if self.cells.members is None else self.cells.members[seated].reshape(len(index), -1)
        sits = np.zeros((len(index), self.cells.units))
        sits[np.arange(len(index))[:, None], units] = 1
        both = (sits * sits[:, only].max(axis=1, keepdims=True)).sum(axis=0)
        return np.asarray(both / np.maximum(1, sits.sum(axis=0)))

    def focused(self, units: pd.DataFrame, steps: Steps) -> pd.DataFrame:
        """A table of `retested` if only games of some units were played: of the others only the change over all of their games.

        That is NaN if a changed number is not one of the units alone, because then their other games change, too.
        """
        if not self.goal.only:
            return units
        others = ~units.index.isin(self.goal.only)
        shared = any(self.knobs.knobs[number].unit is None for number, _ in steps)
        scale = float("nan") if shared else self.together[others]
        units = units.copy()
        for name in ("change", "low", "high"):
            units.loc[others, name] = units.loc[others, name] * scale
        for name in map(str, units.columns):
            if name.startswith(("before", "after")):
                units[name] = units[name].where(~others)
        for name in ("verdict", "place"):
            units[name] = units[name].where(~others, "")
        return units

    def tested(self, trials: Games, sets: Sequence[Steps], games: int) -> dict[Steps, Shares]:
        """Games of the re-test with each set that the card rules allow."""
        compiled = {steps: self.knobs.compiled(steps) for steps in sets}
        return {steps: trials.shares(cards, self.retest_seed, games) for steps, cards in compiled.items() if cards is not None}

    def decisive(self, steps: Steps, shares: Shares) -> tuple[Floats, Floats]:
        """Outputs in games of the players that decide, and their standard errors; of the current cards with the earlier games.

        Without these, chance in the re-test could take for fair what several stages before it saw outside the band.
        """
        outputs, error = outputs_of(self.aim, self.cells, shares)
        if steps or self.earlier is None:
            return outputs, error
        return weighted(self.earlier, (outputs, np.maximum(error, LEAST_ERROR)))


def confirmed(job: Job, order: Sequence[Steps], best: Sequence[Choice], search: Search | None = None) -> Tuned:
    """Re-test sets of changes and choose one.

    order: sets in the order in which strong players test them, see `_strong_tests`; best: sets that the other players re-test, of
    each size. search: by which they were found, None if all of `order` were.
    """
    trials, knobs = job.trials, job.knobs
    search_games = trials.spent
    sets = list(dict.fromkeys(((), *(choice.steps for choice in best), *order[:STRONG_SETS])))
    tests = job.tested(trials, sets, job.retest_games)
    theirs = _strong_tests(job, [steps for steps in dict.fromkeys(order) if steps in tests])
    model = search.model if search else None
    trade_off = trade_off_of(job, tests, theirs, model)
    steps = proposed(trade_off, [*tests])
    trade_off["proposed"] = [bool(steps) and one == steps for one in tests]
    before, after = tests[()], tests[steps]
    judged = len(job.goal.only)
    band, cards = band_of(job.goal, job.cells), knobs.compiled(steps)
    assert cards is not None, "only sets that the card rules allow are tested"
    units = job.focused(retested(job.base, job.cells, before, after, band, judged=judged), steps)
    aims = _aims(job, units, before, after)
    bias = float("nan")
    if model is not None:
        rates = model.rates(steps)[0]
        units = units.assign(predicted=rates if not job.goal.only else np.where(units.index.isin(job.goal.only), rates, np.nan))
        predicted = model.outputs(steps, job.aim.mixing)[0] + job.aim.start
        bias = distance(job.aim, predicted) - distance(job.aim, *outputs_of(job.aim, job.cells, theirs.get(steps, after)))
        aims.insert(len(aims.columns) - 1, "predicted", predicted)  # before `place`
    test = None
    if job.strong is not None and job.strong_trials is not None:
        first, last = theirs[()], theirs[steps]
        tested = job.focused(retested(job.strong_trials.base, job.cells, first, last, band, judged=judged), steps)
        test = StrongTest(job.strong.player, tested, _aims(job, tested, first, last), job.strong_trials.spent)
    matrix = pd.DataFrame()
    if job.cells.by_pair and not job.goal.only:
        names = list(job.cells.names)
        matrix = pd.DataFrame(job.cells.matrix(job.cells.count(theirs.get(steps, after)).rate), index=names, columns=names)
    stalled = [change for move in (search.stalled if search else ()) for change in described(knobs, (move,))]
    return Tuned(
        experiment=job.base,
        goal=job.goal,
        cells=job.cells,
        aim=job.aim,
        knobs=knobs,
        steps=steps,
        cards=cards,
        changes=pd.DataFrame(described(knobs, steps), columns=CHANGED),
        units=units,
        aims=aims,
        trade_off=trade_off,
        matrix=matrix,
        next=_further(job, search, steps, aims if test is None else test.aims),
        bias=bias,
        unwon=(_unwon(before), _unwon(after)),
        truncated=(before.truncated_share, after.truncated_share),
        sets=trials.sets,
        search_games=search_games,
        retest_games=trials.spent - search_games,
        retest_seed=job.retest_seed,
        stalled=pd.DataFrame(stalled, columns=CHANGED),
        strong=test,
        focus=job.goal.only,
    )


def _strong_tests(job: Job, order: Sequence[Steps]) -> dict[Steps, Shares]:
    """Games of the strong players without a change, and with each set until none left can be better."""
    if job.strong is None or job.strong_trials is None:
        return {}
    wanted = [steps for steps in order if steps][:STRONG_SETS]
    left = job.strong.games - job.strong_trials.spent
    games = max(job.base.round_games, left // (1 + len(wanted)))
    tests = job.tested(job.strong_trials, [()], games)
    for number, steps in enumerate(wanted):
        tests |= job.tested(job.strong_trials, [steps], games)
        outputs, error = job.decisive(steps, tests[steps])
        holds = job.aim.chance(outputs, error) >= HOLDS
        others = wanted[number + 1 :]
        better = [other for other in others if size_of(other) < size_of(steps) or (not holds and len(other) == len(steps))]
        if job.aim.excess(outputs).max() == 0 and not better:
            break
    return tests


def size_of(steps: Steps) -> tuple[int, int]:
    """Number of changes, and of steps of all of them together."""
    return len(steps), sum(abs(by) for _, by in steps)


def proposed(trade_off: pd.DataFrame, sets: Sequence[Steps]) -> Steps:
    """The proposal: the fewest changes with which all is within the band, else a set that no shorter one matches.

    Among sets with the same number of changes, that with the best chance to be within the band, reduced for every further step: a
    step whose estimate lies barely within it is as likely as not outside. trade_off: see `trade_off_of`, a row for each of
    `sets`. The games of the strong players decide, if they have played any.
    """
    strong = trade_off["strong_games"] > 0
    outside = trade_off["strong_outside"] if strong.any() else trade_off["outside"]
    farthest = trade_off["strong_farthest"] if strong.any() else trade_off["farthest"]
    chance = trade_off["strong_chance"] if strong.any() else trade_off["chance"]
    rows = [number for number in range(len(sets)) if strong[number] or not strong.any()]
    rows.sort(key=lambda number: (*size_of(sets[number]), farthest[number]))
    within = [number for number in rows if outside[number] == 0]
    if within:
        fewest = [number for number in within if len(sets[number]) == len(sets[within[0]])]
        return sets[max(fewest, key=lambda number: chance[number] * FURTHER ** size_of(sets[number])[1])]
    best = rows[0]
    for number in rows[1:]:
        if outside[number] < outside[best] - WORTH_A_CHANGE * (len(sets[number]) > len(sets[best])):
            best = number
    return sets[best]


def trade_off_of(
    job: Job, tests: Mapping[Steps, Shares], theirs: Mapping[Steps, Shares], model: Surrogate | None
) -> pd.DataFrame:
    """What each set of changes reaches in games of the re-test's seed, one row per set.

    tests, theirs: games of the players that search, and of the strong ones, by set. Columns: changes (their number), steps (all
    together), predicted_rms and predicted_farthest (distances from the middle of the goal, as shares), rms, farthest, outside
    (largest distance beyond the band), within (number of outputs within their band), chance (that all are),
    predicted_spread, spread of the win rates (with its interval, see `spread`; NaN if only the games of some units were played),
    games, strong_farthest, strong_outside, strong_within, strong_chance, strong_games (NaN and 0 for sets that the strong players
    have not tested), numbers (records of path, before, after).
    """
    aim, cells, nan = job.aim, job.cells, float("nan")
    rows = []
    for steps, shares in tests.items():
        tested, error = outputs_of(aim, cells, shares)
        facts = {"changes": len(steps), "steps": sum(abs(by) for _, by in steps), "predicted_rms": nan}
        facts |= {"predicted_farthest": nan, "predicted_spread": nan}
        if model is not None:
            outputs = model.outputs(steps, aim.mixing)[0] + aim.start
            facts |= {"predicted_rms": distance(aim, outputs), "predicted_farthest": float(np.abs(outputs - aim.middle).max())}
            facts |= {"predicted_spread": float(model.rates(steps)[0].std())}
        decisive = job.decisive(steps, shares) if job.strong is None else (tested, error)
        facts |= {"rms": distance(aim, tested, error), **_distances(aim, *decisive, len(shares.entrant), "")}
        apart = None if job.goal.only else spread(cells.units_of(shares), cells.units)
        ends = (nan, nan, nan) if apart is None else (apart.estimate, apart.low, apart.high)
        facts |= dict(zip(("spread", "spread_low", "spread_high"), ends, strict=True))
        facts |= {"strong_farthest": nan, "strong_outside": nan, "strong_within": nan, "strong_chance": nan, "strong_games": 0}
        if steps in theirs:
            facts |= _distances(aim, *job.decisive(steps, theirs[steps]), len(theirs[steps].entrant), "strong_")
        rows.append(facts | {"numbers": described(job.knobs, steps)})
    return pd.DataFrame(rows)


def _distances(aim: Aim, outputs: Floats, error: Floats, games: int, level: str) -> dict[str, float]:
    """The columns farthest, outside, within, chance and games of `trade_off_of`. level: prefix of their names."""
    gap = np.abs(outputs - aim.middle)
    values: dict[str, float] = {"farthest": float(gap.max()), "outside": float(aim.excess(outputs).max())}
    values |= {"within": int((gap <= aim.reach).sum()), "chance": aim.chance(outputs, error), "games": games}
    return {f"{level}{name}": value for name, value in values.items()}


def band_of(goal: Goal, cells: Cells) -> tuple[float, float]:
    """The wanted win rates at the number of seats of the cells."""
    return goal.band.low * 2 * cells.fair, goal.band.high * 2 * cells.fair


def _aims(job: Job, units: pd.DataFrame, before: Shares, after: Shares) -> pd.DataFrame:
    """`Tuned.aims` without `predicted`. units: see `retested`."""
    aim = job.aim
    first, (last, error) = outputs_of(aim, job.cells, before)[0], outputs_of(aim, job.cells, after)
    if aim.units:  # the win rates of their table, not recomputed from matchups
        part = units.iloc[list(aim.units)]
        first, last, places = part["before"].to_numpy(), part["after"].to_numpy(), part["place"].tolist()
    else:
        ends = zip(last, last - Z * error, last + Z * error, aim.low, aim.high, strict=True)
        places = [place(estimate, low, high, (least, most)) for estimate, low, high, least, most in ends]
    columns = {"name": aim.names, "low": aim.low, "high": aim.high, "before": first, "after": last, "error": error}
    return pd.DataFrame({**columns, "place": places})


def _further(job: Job, search: Search | None, steps: Steps, aims: pd.DataFrame) -> pd.DataFrame:
    """`Tuned.next`: changes that bring an output outside its band nearer to the middle."""
    rows: list[dict[str, Any]] = []
    aim, knobs = job.aim, search.knobs if search else job.knobs
    model = search.model if search else None
    outputs = np.flatnonzero(~aims["place"].isin(GOOD)).tolist()
    for output in outputs if model else []:
        assert search is not None
        assert model is not None
        now, name = float(aims["after"].iloc[output]), aim.names[output]
        candidates = []
        for number in free_numbers(knobs, steps, aim.units[output] if aim.units else None):
            knob = knobs.knobs[number]
            for by in knob.steps:
                more = tuple(sorted((*steps, (number, by))))
                shift, error = (float(value[0]) for value in model.shift(steps, more, aim.mixing[[output]]))
                gap = abs(now + shift - aim.middle[output])
                fit = more not in search.refused and knobs.compiled(more) is not None
                if fit and gap < abs(now - aim.middle[output]) and Z * error <= VAGUE:
                    ends = {"path": knob.path, "before": knob.before, "after": knob.before + by}
                    candidates.append({"name": name, **ends, "rate": now + shift, "error": error, "gap": gap})
        rows += sorted(candidates, key=lambda value: (value["gap"], value["path"], value["after"]))[:NEXT_BEST]
    return pd.DataFrame(rows, columns=["name", *CHANGED, "rate", "error"])


def free_numbers(knobs: Knobs, steps: Steps, unit: int | None) -> list[int]:
    """Numbers that are not changed yet: those of the unit, or all if there is no unit or it has none."""
    taken, every = {number for number, _ in steps}, range(len(knobs.knobs))
    of_unit = [number for number in every if unit is not None and knobs.knobs[number].unit == unit]
    return [number for number in of_unit or every if number not in taken]


def _unwon(shares: Shares) -> float:
    """Share of the finished games without a winner."""
    over = ~shares.truncated
    return float((shares.share[over].sum(axis=1) <= 0).mean()) if over.any() else 0.0


def values_of(changes: pd.DataFrame) -> dict[str, int]:
    """Paths and new values of a table of changes (columns path, after)."""
    return {str(path): int(after) for path, after in zip(changes["path"], changes["after"], strict=True)}
