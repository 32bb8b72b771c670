"""The re-test of a proposal, and search and re-test together.

The re-test plays games of a seed that had no part in the search, with the current and the proposed cards, and analyses them as
pairs. `search_and_retest` gathers the results of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.verdicts import FAIR, UNFAIR, row_level, verdicts_within
from analysis.data import rows
from analysis.data.shares import Play, Shares, spread
from analysis.stats.intervals import LEVEL
from analysis.tuning.goal import (
    COMPARED,
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
    won_shares,
)
from analysis.tuning.search import Choice, Search, chosen
from analysis.tuning.surrogate import Games
from sim.engine.cards import CardSet
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from sim.seeds import RETEST, derived_seed

Floats = NDArray[np.float64]

SURELY, PROBABLY, SHORT = "in", "probably in", "short"
SLIGHTLY = "probably short"


def retested(
    base: Experiment, cells: Cells, before: Shares, after: Shares, band: tuple[float, float], level: float = LEVEL
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
        table = rows.shares(*lines, cells.units, row_level(cells.units, level))
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


@dataclass(frozen=True, eq=False)
class StrongTest:
    """A proposal in games of the strong players. units, aims: as in `Tuned`; games: before and after together."""

    player: PolicySpec
    units: pd.DataFrame
    aims: pd.DataFrame
    games: int

    @property
    def reached(self) -> bool:
        """Whether every output is within its band, by its estimate."""
        return bool(self.aims["place"].isin(GOOD).all())


NEXT_BEST = 3  # further single changes that are named if the proposal is outside the goal
GOOD = ("in", "probably in")  # places of outputs that are within the band by their estimate
CHANGED = ["path", "before", "after"]  # columns of a table of changes
Z = 1.96  # standard errors on either side of an output of a target


@dataclass(frozen=True, eq=False)
class Tuned:
    """Result of tuning.

    changes: path, before, after. units: see `retested`, with `predicted` (win rate by the search). aims: one row per output of
    the goal: name, low, high (wanted), before, after, error, predicted, place. trade_off: one row per number of changes:
    changes, predicted and tested root mean square distance (rms) and farthest distance from the middle of the goal, predicted
    and tested spread of the win rates (with its interval, see `spread`), games of the test, proposed, numbers (records of path,
    before, after). matrix: after, row against column, empty without matchups. next: for each output outside its band, the
    further changes (name, path, before, after) that bring it nearer to the middle, if any: rate is the re-tested one plus the
    change by the search's model, error the standard error of that change. bias: search estimate less re-test of the root mean
    square distance. truncated: share of the games that were stopped at a limit, unwon: share of the finished ones without a
    winner, both before and after. sets: card sets played. stalled: changes (path, before, after) that were left out, because
    significantly more games end without a winner.
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

    @property
    def games(self) -> int:
        """Total number of games played."""
        return self.search_games + self.retest_games

    @property
    def reached(self) -> bool:
        """Whether every output is within its band in the re-test, by its estimate."""
        return bool(self.aims["place"].isin(GOOD).all())

    @property
    def sure(self) -> bool:
        """Whether every output is within its band with its whole interval."""
        return bool((self.aims["place"] == "in").all())


def _asked(experiment: Experiment, goal: Goal, fields: Sequence[str] | Knobs | None) -> tuple[Experiment, Cells, Aim, Knobs]:
    """The games to play, their cells, the aim and the numbers that may be changed. Raises ValueError."""
    if experiment.seats < 2:
        raise ValueError(f"seats={experiment.seats}: balance needs an opponent; use 2 or more seats")
    base = experiment if experiment.teams is not None else replace(experiment, paired=True)
    cells = Cells.of(base)
    if cells.units < 2:
        raise ValueError(f"{base.game.title} with these cards has {cells.units} of the {cells.words}; tuning needs at least two")
    aim, knobs = aim_of(goal, cells), fields if isinstance(fields, Knobs) else knobs_of(base.game, base.cards, cells.ids, fields)
    if not knobs.knobs:
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
) -> Tuned:
    """Find the fewest, smallest changes of whole numbers that reach a goal, and re-test them.

    experiment: the current cards, seats, policies, seed; its number of games is ignored. games: in all, or a plan. fields:
    patterns of the numbers that may be changed (see `knobs_of`), or these numbers. retest_seed: if None, derived from the
    experiment's. Raises ValueError if nothing can be tuned, `TooFewGamesError` for too few games.
    """
    goal = goal or Goal()
    base, cells, aim, knobs = _asked(experiment, goal, fields)
    plan = games if isinstance(games, Plan) else Plan.of(games, knobs, cells, goal.max_changes)
    trials = Games(base, knobs, play or blocks, cells)
    search = Search(trials, knobs, aim, goal.max_changes, base.seed)
    best = search.run(plan)
    seed = derived_seed(base.seed, RETEST) if retest_seed is None else retest_seed
    search_games, steps, knobs = trials.spent, chosen(best).steps, search.knobs
    assert search.model is not None
    cards = knobs.compiled(steps)
    assert cards is not None, "sets that the card rules refuse are never tried"
    before = trials.shares(base.cards, seed, plan.retest_games)
    after = trials.shares(cards, seed, plan.retest_games) if steps else before
    less = partial(trials.shares, seed=seed, games=max(1, plan.retest_games // COMPARED))
    trade_off = _trade_off(search, best, {(): before, steps: after}, less)
    units = retested(base, cells, before, after, band_of(goal, cells)).assign(predicted=search.model.rates(steps)[0])
    predicted = search.model.outputs(steps, aim.mixing)[0] + aim.start
    bias = distance(aim, predicted) - distance(aim, *outputs_of(aim, cells, after))
    aims = _aims(goal, aim, cells, units, before, after)
    aims.insert(len(aims.columns) - 1, "predicted", predicted)  # before `place`
    matrix = pd.DataFrame()
    if cells.by_pair:
        matrix = pd.DataFrame(cells.matrix(cells.count(after).rate), index=list(cells.names), columns=list(cells.names))
    stalled = [change for move in search.stalled for change in described(knobs, (move,))]
    return Tuned(
        experiment=base,
        goal=goal,
        cells=cells,
        aim=aim,
        knobs=knobs,
        steps=steps,
        cards=cards,
        changes=pd.DataFrame(described(knobs, steps), columns=CHANGED),
        units=units,
        aims=aims,
        trade_off=trade_off,
        matrix=matrix,
        next=_further(search, steps, aims, by_unit=goal.target is None),
        bias=bias,
        unwon=(_unwon(before), _unwon(after)),
        truncated=(before.truncated_share, after.truncated_share),
        sets=trials.sets,
        search_games=search_games,
        retest_games=trials.spent - search_games,
        retest_seed=seed,
        stalled=pd.DataFrame(stalled, columns=CHANGED),
    )


def tested_by(tuned: Tuned, player: PolicySpec, games: int, play: Play) -> StrongTest:
    """Test a proposal with other players, on dice that had no part in the search. games: before and after together."""
    base = replace(tuned.experiment, policies=(player,))
    trials = Games(base, tuned.knobs, play, tuned.cells)
    games_each_way = games // 2 if tuned.steps else games
    before = trials.shares(base.cards, tuned.retest_seed, games_each_way)
    after = trials.shares(tuned.cards, tuned.retest_seed, games_each_way) if tuned.steps else before
    units = retested(base, tuned.cells, before, after, band_of(tuned.goal, tuned.cells))
    return StrongTest(player, units, _aims(tuned.goal, tuned.aim, tuned.cells, units, before, after), trials.spent)


def band_of(goal: Goal, cells: Cells) -> tuple[float, float]:
    """The wanted win rates at the number of seats of the cells."""
    return goal.band.low * 2 * cells.fair, goal.band.high * 2 * cells.fair


def _aims(goal: Goal, aim: Aim, cells: Cells, units: pd.DataFrame, before: Shares, after: Shares) -> pd.DataFrame:
    """`Tuned.aims` without `predicted`. units: see `retested`."""
    first, (last, error) = outputs_of(aim, cells, before)[0], outputs_of(aim, cells, after)
    if goal.target is None:  # the win rates of their table, not recomputed from matchups
        first, last, places = units["before"].to_numpy(), units["after"].to_numpy(), units["place"].tolist()
    else:
        ends = zip(last, last - Z * error, last + Z * error, aim.low, aim.high, strict=True)
        places = [place(estimate, low, high, (least, most)) for estimate, low, high, least, most in ends]
    columns = {"name": aim.names, "low": aim.low, "high": aim.high, "before": first, "after": last, "error": error}
    return pd.DataFrame({**columns, "place": places})


def _trade_off(
    search: Search, best: Sequence[Choice], known: Mapping[Steps, Shares], play: Callable[[CardSet], Shares]
) -> pd.DataFrame:
    """`Tuned.trade_off`: the best set of each size, by the search and in games of the re-test's seed.

    known: games already played; play: plays fewer games of another set.
    """
    aim, model, cells = search.aim, search.model, search.trials.cells
    assert model is not None
    rows = []
    for choice in best:
        cards = search.knobs.compiled(choice.steps)
        if cards is None:
            continue
        shares = known.get(choice.steps) or play(cards)
        predicted = model.outputs(choice.steps, aim.mixing)[0] + aim.start
        tested, error = outputs_of(aim, cells, shares)
        apart = spread(cells.units_of(shares), cells.units)
        far, farther = (float(np.abs(outputs - aim.middle).max()) for outputs in (predicted, tested))
        facts = {"changes": len(choice.steps), "predicted_rms": distance(aim, predicted), "predicted_farthest": far}
        facts |= {"rms": distance(aim, tested, error), "farthest": farther}
        facts |= {"predicted_spread": float(model.rates(choice.steps)[0].std())}
        facts |= {"spread": apart.estimate, "spread_low": apart.low, "spread_high": apart.high, "games": len(shares.entrant)}
        proposed = choice.steps in known and bool(choice.steps)
        rows.append(facts | {"proposed": proposed, "numbers": described(search.knobs, choice.steps)})
    return pd.DataFrame(rows)


def _further(search: Search, steps: Steps, aims: pd.DataFrame, by_unit: bool) -> pd.DataFrame:
    """`Tuned.next`: changes that bring an output outside its band nearer to the middle. by_unit: outputs are units' win rates."""
    model, aim, knobs = search.model, search.aim, search.knobs
    assert model is not None
    rows = []
    for output in np.flatnonzero(~aims["place"].isin(GOOD)).tolist():
        now, name = float(aims["after"].iloc[output]), aim.names[output]
        candidates = []
        for number in free_numbers(knobs, steps, output if by_unit else None):
            knob = knobs.knobs[number]
            for by in knob.steps:
                more = tuple(sorted((*steps, (number, by))))
                shift, error = (float(value[0]) for value in model.shift(steps, more, aim.mixing[[output]]))
                gap = abs(now + shift - aim.middle[output])
                fit = more not in search.refused and knobs.compiled(more) is not None
                if fit and gap < abs(now - aim.middle[output]):
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
