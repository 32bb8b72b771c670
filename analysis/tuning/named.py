"""Tuning of named entrants: only their numbers change, and only their win rates count.

Single steps come first: if those of one number for each entrant hold in the re-test, they are the proposal. Else sets of several
numbers are searched, made of those whose single steps have the wanted effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.players import SEARCH, games_in
from analysis.data.study import Study
from analysis.tuning.confirm import LEAST_ERROR, STRONG_SETS, Job, Strong, Tuned, asked, confirmed, search_and_retest
from analysis.tuning.goal import FURTHER, Cells, Goal, Knob, Knobs, NoNumberError, Plan, Steps, TooFewGamesError, weighted
from analysis.tuning.numbers import Number
from analysis.tuning.steps import Start, StepSearch, joined_frames, step_searches
from analysis.variants.variant import numeric_steps
from sim.seeds import derived_seed

Floats = NDArray[np.float64]

GAMES = 400_000  # of quick players in a search, at most
TEST_GAMES = 20_000  # of the players whose games decide, at most
QUICK_GAMES = 5_000  # of quick players, of each set in the re-test, at most
SINGLE, TEST = 0.5, 0.5  # shares of the time: single steps, and the re-test
TRIED = 12  # numbers of an entrant in a search for several changes, at most
BEST = 2  # single steps of each of several entrants that are combined
SMALL_STEPS = (1, 2)
PERHAPS = 0.25  # chance to be within the band from which a single step is tested as a proposal
NEAREST, NEAR = 2, 0.02  # single steps tested again if none holds; distance beyond the band up to which no other set is searched
PROPOSAL, SECOND, AGAIN = "proposal", "second proposal", "proposal again"  # re-tests: `Study.retest_seed` chose single steps


def tune_named(
    study: Study,
    goal: Goal,
    seconds: float = SEARCH,
    fields: Sequence[str] | None = None,
    starts: Mapping[int, Start] | None = None,
    *,
    several: bool = True,
) -> tuple[Tuned, pd.DataFrame]:
    """Tune the entrants of `goal.only`; returns the result, and their single steps (see `steps.single_steps`).

    A single step that is the proposal has the win rate of the re-test. seconds: of games, on two cores. If no single step holds,
    the nearest are tested again in other games; if they are clearly outside, a search for several changes takes as many again.
    several: False leaves out both. fields: patterns of the numbers that may change, by default those of the entrants. starts: see
    `steps.single_steps`. Raises NoNumberError if no number has the wanted effect, though an entrant is outside the band.
    """
    tuned, frame = tuned_by_steps(study, goal, seconds, fields, starts, several)
    return tuned, with_retest(tuned, frame)


def with_retest(tuned: Tuned, frame: pd.DataFrame) -> pd.DataFrame:
    """Single steps; the one that is the whole proposal has the win rates of the re-test, which has more games."""
    if len(tuned.changes) != 1 or len(tuned.focus) != 1:
        return frame
    (path, _, after), line = tuned.changes.iloc[0], tuned.rates.iloc[tuned.focus[0]]
    columns = {"now": "before", "rate": "after", "low": "after_low", "high": "after_high", "n": "n"}
    at = frame.index[(frame["path"] == path) & (frame["after"] == after)]
    values = {name: line[other] for name, other in columns.items()}
    reaches = bool(tuned.aim.low[0] <= line["after"] <= tuned.aim.high[0])
    updated = frame.copy()
    for name, value in {**values, "reaches": reaches, "tested": True}.items():
        updated.loc[at, name] = value
    return updated


def tuned_by_steps(
    study: Study, goal: Goal, seconds: float, fields: Sequence[str] | None, starts: Mapping[int, Start] | None, several: bool
) -> tuple[Tuned, pd.DataFrame]:
    """The proposal and the single steps as they were tested: see `tune_named`."""
    for purpose in (PROPOSAL, SECOND):
        searches = step_searches(study, goal.only, goal.band, SINGLE * seconds, starts, fields)
        frame = joined_frames([search.frame() for search in searches])
        job, sets = retest_of(study, goal, searches, frame, seconds, purpose)
        single = confirmed(job, sets, [])
        starts = contradicted(single, job, searches)
        if not starts:
            break
    if single.reached or not sets or not several:
        return single, frame
    nearest = sorted(zip(single.trade_off[distance_column(single)], [(), *sets], strict=False), key=lambda pair: pair[0])
    again = replace(job, retest_seed=derived_seed(study.seed, AGAIN), strong=strong_of(study, TEST * seconds))
    single = confirmed(again, [steps for _, steps in nearest if steps][:NEAREST], [])
    if beyond(single) <= NEAR:
        return single, frame
    better = searched(study, goal, job.knobs, strong_of(study, TEST * seconds), seconds)
    if better is None or not better.steps or beyond(better) >= beyond(single):
        return single, frame
    return better, frame


def retest_of(
    study: Study, goal: Goal, searches: Sequence[StepSearch], frame: pd.DataFrame, seconds: float, purpose: str
) -> tuple[Job, list[Steps]]:
    """The re-test of single steps, in games of a seed for the purpose, and the sets that it tests, the most promising first."""
    numbers = helpful_numbers(study, searches)
    base, cells, aim, knobs = asked(study.experiment(study.contest, 1), goal, numbers)
    sets = [steps for steps in single_sets(frame, searches, knobs) if knobs.compiled(steps) is not None]
    tested = 1 + min(STRONG_SETS, len(sets))
    strong = strong_of(study, TEST * seconds)
    if strong is None:
        games = study.games_in(TEST * seconds, TEST_GAMES) // tested
    else:
        games = min(QUICK_GAMES, study.games_in(TEST * seconds, GAMES) // (2 * tested))
    play = partial(study.player.play, stage="re-test")
    seed = derived_seed(study.seed, purpose)
    earlier = None if goal.target else earlier_outputs(searches, cells)
    return Job(base, goal, cells, aim, knobs, play, max(base.round_games, games), seed, strong, earlier), sets


def earlier_outputs(searches: Sequence[StepSearch], cells: Cells) -> tuple[Floats, Floats]:
    """Win rates with which searches started, among games with a winner, and their standard errors, (entrants,) both."""
    starts = [search.start for search in searches if search.start is not None]
    scale = np.array([cells.fair / start.fair for start in starts])
    return scale * [start.rate for start in starts], scale * [start.error for start in starts]


def contradicted(tuned: Tuned, job: Job, searches: Sequence[StepSearch]) -> dict[int, Start]:
    """Win rates to search from again, if all games show an entrant outside the band whose search took it to be within.

    Empty if they show none. The start of a search has few games, and is off by some points near the edge.
    """
    if job.earlier is None:
        return {}
    rows = tuned.decisive
    rates, errors = weighted(job.earlier, (rows["before"].to_numpy(), rows["error"].clip(lower=LEAST_ERROR).to_numpy()))
    is_outside = job.aim.excess(rates) > 0
    if not any(outside and not search.outside for outside, search in zip(is_outside, searches, strict=True)):
        return {}
    starts = {}
    for search, rate, error in zip(searches, rates.tolist(), errors.tolist(), strict=True):
        assert search.start is not None
        scale = search.start.fair / job.cells.fair
        starts[search.unit] = Start(scale * rate, scale * error, search.start.fair)
    return starts


def distance_column(tuned: Tuned) -> str:
    """The column of `trade_off` with the largest distance from the middle of the band, in the games that decide."""
    return "farthest" if tuned.strong is None else "strong_farthest"


def beyond(tuned: Tuned) -> float:
    """Largest distance of a win rate beyond its band in the re-test that decides, a share."""
    aims = tuned.decisive
    return float((aims["low"] - aims["after"]).clip(lower=0).add((aims["after"] - aims["high"]).clip(lower=0)).max())


def strong_of(study: Study, seconds: float) -> Strong | None:
    """The strong players that decide, if those of the study are quick ones."""
    if study.tester is None:
        return None
    games = games_in(study.game, (study.tester,), study.contest, seconds, TEST_GAMES)
    return Strong(study.tester, games, partial(study.player.play, stage="games of strong players", total=games))


def helpful_numbers(study: Study, searches: Sequence[StepSearch]) -> Knobs:
    """The numbers whose single steps have the wanted effect, with these steps, and small ones in the same direction.

    Raises NoNumberError if there are none, though an entrant is outside the band.
    """
    knobs: dict[str, Knob] = {}
    for search in searches:
        ways = {one.number: one.steps // abs(one.steps) for one in search.helpful}
        order = sorted(search.helpful, key=lambda one: -abs(one.change) / one.error)
        for number in list(dict.fromkeys(one.number for one in order))[:TRIED]:
            sizes = {one.steps for one in search.helpful if one.number == number}
            sizes |= set(small_steps(study, number, ways[number]))
            unit = None if number.others else number.entrant
            knobs.setdefault(number.path, Knob(number.path, number.value, unit, tuple(sorted(sizes))))
    outside = [search for search in searches if search.outside]
    if outside and not knobs:
        names = " and ".join(study.units[search.unit] for search in outside)
        raise NoNumberError(f"no number of {names} has the wanted effect when it changes by a step")
    return Knobs(study.game, study.cards, tuple(knobs.values()), {})


def small_steps(study: Study, number: Number, way: int) -> list[int]:
    """Steps of a number in one direction that are no leaps and that the card rules allow."""
    sizes = [way * size for size in SMALL_STEPS if size == 1 or 2 * size <= abs(number.value)]
    return [step.step for step in numeric_steps(study.game, study.cards, [number.path], sizes) if step.live]


def single_sets(frame: pd.DataFrame, searches: Sequence[StepSearch], knobs: Knobs) -> list[Steps]:
    """Sets of one step for each entrant outside the band, the most promising first."""
    places = {knob.path: number for number, knob in enumerate(knobs.knobs)}
    most = STRONG_SETS if len([search for search in searches if search.outside]) == 1 else BEST
    choices: list[list[tuple[int, int]]] = []
    for search in searches:
        rows = frame[(frame["entrant"] == search.study.unit_ids[search.unit]) & frame["path"].isin(list(places))]
        likely = rows[rows["reaches"] | (rows["chance"] >= PERHAPS)]
        best = likely if len(likely) else rows
        if len(best):
            worth = best["chance"] * FURTHER ** (best["steps"].abs() - 1)
            best = best.assign(worth=-worth).sort_values(["leap", "worth"], kind="stable")
            pairs = zip(best["path"], best["steps"], strict=True)
            choices.append([(places[str(path)], int(by)) for path, by in pairs][:most])
    if not choices:
        return []
    sets = [tuple(sorted(dict(moves).items())) for moves in product(*choices)]
    return [steps for steps in dict.fromkeys(sets) if len(steps) == len(choices)]


def searched(study: Study, goal: Goal, knobs: Knobs, strong: Strong | None, seconds: float) -> Tuned | None:
    """The best set of several numbers; None if the games are too few for any search."""
    games = study.games_in(seconds, GAMES)
    experiment = study.experiment(study.contest, 1)
    for size in range(len(knobs.knobs), 1, -1):
        numbers = replace(knobs, knobs=knobs.knobs[:size])
        few = replace(goal, max_changes=min(goal.max_changes, size))
        try:
            _, cells, _, _ = asked(experiment, few, numbers)
            plan = Plan.of(games, numbers, cells, few.max_changes, focus=True)
        except TooFewGamesError:
            continue
        play = partial(study.player.play, stage="search", total=games)
        return search_and_retest(experiment, few, plan, numbers, play, derived_seed(study.seed, PROPOSAL), strong)
    return None
