"""What to change: the fewest, smallest changes that bring every win rate near its fair share, tested in games of their own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dumbbell, lines
from analysis.report.answers.prose import at_seats, listed, number_word
from analysis.report.answers.tables import table
from analysis.report.answers.win_rates import rates
from analysis.report.change.sensitivity import found_by, words_of
from analysis.report.links import OTHER_GAMES
from analysis.report.model import Chart, Section, Table
from analysis.study import Study
from analysis.tuning.cells import Cells
from analysis.tuning.fields import Knobs, knobs_of
from analysis.tuning.goal import Goal
from analysis.tuning.plan import Plan, TooFewGamesError, least_games
from analysis.tuning.result import how, trade_off_table, units_table, verdict
from analysis.tuning.tuned import Tuned, tune
from analysis.wording import count, number

QUESTION = "What to change so that everybody wins as often?"
MOST, FEW = 6, 3  # changes looked for, and with a small budget
SMALL = 100_000  # games below which a budget is small
LEAST_UNITS = 2  # whose numbers are looked at, if not those of all


def tuning(study: Study) -> Section | None:
    """The proposal with win rates before and after, and what each further change buys; None where nothing can be tuned."""
    if not study.contests or len(study.units) < LEAST_UNITS:
        return None
    goal = Goal(max_changes=MOST if study.budget.tune_games >= SMALL else FEW)
    least = least_games(goal.max_changes)
    if study.budget.tune_games < least:
        return _too_few(study, least)
    experiment = study.experiment(min(study.contests), 1)
    cells = Cells.of(experiment)
    every = knobs_of(study.game, study.cards, cells.ids)
    if not every.knobs:
        return None
    try:
        knobs, units = _affordable(study, every, cells, goal)
        limit = (
            f" The games were enough for the numbers of {listed(units)} only, the farthest from fair." if units else ""
        )
    except TooFewGamesError as error:
        surest = _surest(study, every, cells, goal)
        if surest is None:
            return _too_few(study, error.least)
        knobs = surest
        limit = f" The games were enough for {number_word(len(knobs.knobs))} numbers only: of those tried one by one, the ones "
        limit += f"that surest move a win rate. All {count(len(every.knobs))} take {count(error.least)} games."
    tuned = tune(
        experiment,
        goal,
        study.budget.tune_games,
        knobs,
        study.player("tuning", study.budget.tune_games),
        None,
        study.retest_seed,
    )
    return _section(study, tuned, limit)


def _affordable(study: Study, every: Knobs, cells: Cells, goal: Goal) -> tuple[Knobs, list[str]]:
    """As many numbers as the budget can tell of: of all units, or of those whose win rates are farthest from fair.

    Returns them and the names of these units, none for all. Raises TooFewGamesError where two units are too many.
    """
    games = study.budget.tune_games
    order = _farthest(study, cells)
    for size in range(cells.units, LEAST_UNITS - 1, -1):
        kept = tuple(knob for knob in every.knobs if size == cells.units or knob.unit in order[:size])
        knobs = replace(every, knobs=kept)
        try:
            Plan.of(games, knobs, cells, goal.max_changes)
        except TooFewGamesError:
            if size == LEAST_UNITS or not kept or all(knob.unit is None for knob in kept):
                raise
        else:
            return knobs, [] if size == cells.units else [cells.names[unit] for unit in order[:size]]
    raise AssertionError("two units are affordable or not")


def _surest(study: Study, every: Knobs, cells: Cells, goal: Goal) -> Knobs | None:
    """As many numbers as the budget can tell of, those that surest moved a win rate when tried alone; None for fewer than two."""
    found = found_by(study)
    ranked = [] if found is None or found.frame.empty else list(dict.fromkeys(found.frame["path"]))
    order = [knob for path in ranked for knob in every.knobs if knob.path == path]
    for size in range(len(order), 1, -1):
        kept = {knob.path for knob in order[:size]}
        knobs = replace(every, knobs=tuple(knob for knob in every.knobs if knob.path in kept))
        with suppress(TooFewGamesError):
            Plan.of(study.budget.tune_games, knobs, cells, goal.max_changes)
            return knobs
    return None


def _farthest(study: Study, cells: Cells) -> list[int]:
    """Units by how far their win rates are from fair, the farthest first, in the study's own games."""
    frame = rates(study)
    frame = frame[frame["seats"] == cells.seats]
    gap = (frame["estimate"] - cells.fair).abs().fillna(0.0)
    return [int(unit) for unit in frame.assign(gap=gap).sort_values("gap", ascending=False, kind="stable")["entrant"]]


def _too_few(study: Study, least: int) -> Section:
    """What to say where the budget is too small to find changes that are worth more than chance."""
    games = count(study.budget.tune_games)
    answer = f"The {games} games that this page may spend on it are too few to propose changes: chance would choose. It takes at "
    answer += f"least {count(least)}; more is better."
    return Section("tuning", QUESTION, answer, note=f"To look for changes: fairfight tune {study.game.name} --games N.")


def _section(study: Study, tuned: Tuned, limit: str) -> Section:
    """The proposal, the dumbbells, the trade-off. limit: which numbers alone were looked at, if not all."""
    said = [_proposal(study, tuned), *verdict(tuned)]
    answer = " ".join(filter(None, said[:3]))
    charts = (_rates_chart(study, tuned, answer), _trade_off_chart(tuned))
    tables = (_changes(study, tuned), units_table(tuned), trade_off_table(tuned))
    note = " ".join([*said[3:], *how(tuned)]) + limit
    note += " Changes are found with a model of every matchup, or of every win rate where there are no matchups, that learns "
    note += "from games with the same dice; whole numbers are changed in whole steps."
    return Section("tuning", QUESTION, answer, charts, tables, note)


def _proposal(study: Study, tuned: Tuned) -> str:
    """The changes in words; where no win rate surely asks for them, or they did not help, that first."""
    words = [
        f"“{words_of(study, str(path))}” from {number(before)} to {number(after)}"
        for path, before, after in tuned.changes.itertuples(index=False, name=None)
    ]
    if not words:
        return ""
    base, proposed = (tuned.trade_off.loc[which, "rms"].iloc[0] for which in _ends(tuned))
    idle = "" if proposed < base else " In the re-test they brought the win rates no nearer."
    low, high = tuned.aim.low[0], tuned.aim.high[0]
    if ((tuned.units["before_low"] > high) | (tuned.units["before_high"] < low)).any():
        return f"Change {listed(words)}.{idle}"
    said = f"No win rate is surely outside {100 * low:g} to {100 * high:g} % as the cards are, so that nothing surely has to "
    return f"{said}change: the search favours {listed(words)}.{idle}"


def _ends(tuned: Tuned) -> tuple[pd.Series, pd.Series]:
    """Which lines of the trade-off are that of the cards as they are, and that of the proposal."""
    return tuned.trade_off["changes"] == 0, tuned.trade_off["proposed"].astype(bool)


def _rates_chart(study: Study, tuned: Tuned, answer: str) -> Chart:
    """Win rates before and after, farthest from fair before at the top."""
    seats = at_seats(tuned.experiment.seats)
    figure = rates_figure(tuned)
    low, high = tuned.aim.low[0], tuned.aim.high[0]
    caption = (
        f"Win rates {seats} with {study.policy} in every seat, now and with the changes, in the same games. Wanted: "
    )
    caption += f"{100 * low:g} to {100 * high:g} %. {OTHER_GAMES}"
    return Chart("tuning", figure, caption, f"Win rates before and after. {answer}")


def rates_figure(tuned: Tuned) -> Figure:
    """Win rates now and with the changes, the highest now at the top."""
    frame = tuned.units.sort_values("before", ascending=False, kind="stable")
    columns = {"name": "name", "before": "first", "before_low": "first_low", "before_high": "first_high", "n": "n"}
    columns |= {"after": "second", "after_low": "second_low", "after_high": "second_high"}
    columns |= {"change": "change", "low": "change_low", "high": "change_high"}
    drawn = frame[list(columns)].rename(columns=columns)
    return dumbbell(drawn, words=("now", "with the changes"), label="win rate", change="change, points")


def _trade_off_chart(tuned: Tuned) -> Chart:
    """Distance from fair by number of changes."""
    frame = tuned.trade_off
    parts = [
        pd.DataFrame(
            {"line": line, "x": frame["changes"], "estimate": frame[at], "low": frame[low], "high": frame[high]}
        )
        for line, at, low, high in (
            ("re-tested", "spread", "spread_low", "spread_high"),
            ("search said", *["predicted_spread"] * 3),
        )
    ]
    n = pd.concat([frame["games"]] * len(parts), ignore_index=True)
    drawn = pd.concat(parts, ignore_index=True).assign(panel="Spread of the win rates", n=n)
    figure = lines(drawn.assign(present=float(len(tuned.steps))), label="numbers changed", close=True)
    caption = "Standard deviation of the true win rates with the best set of each number of changes, by the search and "
    caption += f"in games of the re-test; proposed: {number_word(len(tuned.steps))}."
    return Chart("tuning-trade-off", figure, caption, caption)


def _changes(study: Study, tuned: Tuned) -> Table:
    """The changed numbers of the best set of each size, the proposed one marked."""
    rows = [
        {**one, "changes": row["changes"], "proposed": "proposed" if row["proposed"] else ""}
        for _, row in tuned.trade_off.iterrows()
        for one in row["numbers"]
    ]
    frame = pd.DataFrame(rows, columns=["changes", "proposed", "path", "before", "after"])
    frame = frame.assign(words=[words_of(study, path) for path in frame["path"]])
    columns = {"changes": "changes", "proposed": "proposed", "words": "number", "before": "now", "after": "becomes"}
    columns |= {"path": "field of the card file"}
    return table(
        frame, "tuning-changes", "The best changes of each number", columns, {"now": "count", "becomes": "count"}
    )
