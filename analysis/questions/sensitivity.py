"""Which numbers move balance most: every number of the card file one step up and down, in one run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import Format, as_written, change, count, percent, points
from analysis.answer.prose import point_interval, source_of, starred
from analysis.answer.tables import Table, data_only, lowest
from analysis.data.commands import more_games
from analysis.data.players import LONG_ANSWER, SEARCH, games_in
from analysis.data.study import Study
from analysis.question import question
from analysis.stats.intervals import adjust
from analysis.variants.sensitivity import Asked, Sensitivity, check_games, least_games, words_of
from analysis.variants.sensitivity import sensitivity as play_steps
from analysis.variants.tables import (
    EVIDENCE,
    SPREAD_WORDS,
    SPREADS,
    TRUNCATED,
    in_steps,
    left_out,
    run_words,
    step_words,
    table,
    truncated_steps,
)
from analysis.variants.variant import SURE, Step, candidates, compare, part_of, tried, unit_names
from analysis.winrates.play import checked_precision

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES = 200_000  # of all steps together, at most by default
CHARTED = 24  # numbers in the chart
TESTED = 3  # steps that the strong players play too


@question(
    searches=True,
    without=("line_up",),
    examples=("sensitivity arena --precision 1", "sensitivity arena --fields hero.*.move"),
    title="Which numbers move balance most?",
)
def sensitivity(
    study: Study,
    fields: list[str] = (),  # type: ignore[assignment]
    games: int | None = None,
    precision: float | None = None,
    with_fixed: bool = False,
) -> Answer:
    """Which numbers move balance most.

    Every number of the card file is changed one step up and one step down, in the same games with the same dice. A first round,
    not used otherwise, decides how many games each step needs. Quick players play, unless others are named; the strong ones play
    the steps that move most again, in games of another seed.

    Parameters
    ----------
    fields : list of str
        Patterns of the numbers to change, such as hero.*.move; by default all.
    games : int, optional
        Games in all, at most; by default those of about 40 seconds, at most 200,000, or the fewest that suffice, if more;
        with a precision as many as necessary. Those of the strong players come on top. At least 400 with the cards unchanged
        and 400 with each step; for a number of one entrant, games in which it sits.
    precision : float, optional
        Play until every change is known to within this many percentage points.
    with_fixed : bool
        Also change numbers that the card file marks as fixed.

    Examples
    --------
    >>> import fairfight as ff
    >>> steps = ff.sensitivity("arena", "hero.rhino_guy.move", 2400, policy="random", progress=False)
    >>> steps.frame[["path", "present", "value"]].sort_values("value").to_numpy().tolist()
    [['hero.rhino_guy.move', 2, 1], ['hero.rhino_guy.move', 2, 3]]

    """
    half_width = None if precision is None else checked_precision(precision)
    steps = candidates(study.game, study.cards, tuple(fields), with_fixed)
    base = study.design(1)
    if games is None and precision is None:
        games = max(study.games_in(SEARCH, GAMES), least_games(base, steps))
    wanted = Asked(half_width, games)
    check_games(base, steps, wanted)
    result = play_steps(base, steps, wanted, study.jobs, study.player.watch)
    frame = described(study, result.frame)
    left, test = result.candidates, tested(study, result, frame)
    return Answer(
        summary(frame, test),
        (
            steps_table(frame) if len(frame) else data_only(frame, "steps"),
            *([tested_table(test)] if len(test) else []),
            data_only(pd.DataFrame({"path": list(left.fixed)}), "fixed"),
            data_only(frame_of_steps(left.refused), "refused"),
            data_only(frame_of_steps(left.idle).drop(columns="why"), "idle"),
        ),
        (Chart(partial(tornado_chart, frame), "Change of win rates by number, one step up and down."),) if len(frame) else (),
        tuple(notes(result, frame)),
        facts(result),
        again=more_games(result.games) if len(frame) and not frame["sure"].any() and precision is None else {},
    )


def described(study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """The steps with two more columns: words for the number, and the source of its present value.

    The largest change comes first, significant ones before all others.
    """
    if frame.empty:
        return frame
    size = frame.assign(sure=frame["sure"].astype(bool), size=frame["change"].abs().fillna(-1))
    frame = frame.loc[size.sort_values(["sure", "size"], ascending=False, kind="stable").index].reset_index(drop=True)
    words = {path: words_of(study, path) for path in frame["path"].unique()}
    return frame.assign(words=frame["path"].map(words), source=[source_of(study.cards, path) for path in frame["path"]])


def tested(study: Study, result: Sensitivity, frame: pd.DataFrame) -> pd.DataFrame:
    """The TESTED steps that move most, played by the strong players in games of another seed; empty if they are not asked.

    Columns: words, path, present, value, and those of `shares.compare` for the win rate that the step was ranked by.
    """
    if study.tester is None or frame.empty:
        return pd.DataFrame()
    rows = frame.head(TESTED)
    base = replace(study.design(1), policies=(study.tester,), seed=study.retest_seed)
    names = unit_names(base)
    games = games_in(study.game, (study.tester,), base.seats, LONG_ANSWER) // (2 * len(rows))
    density = min(1.0, base.seats * (study.teams.size if study.teams else 1) / len(names))
    steps = {(step.field, step.value): step for step in result.candidates.live}
    owned = [part_of(base, 0, round(games / density), names.index(name)) for name in rows["name"]]
    play_all = partial(study.play_all, "games of strong players", total=2 * sum(own.games for own in owned))
    parts = []
    for row, own in zip(rows.to_dict("records"), owned, strict=True):
        line = compare(own, tried(own, [steps[row["path"], row["value"]]]), play_all, unit=row["name"])
        parts.append(line.assign(words=row["words"]))
    return pd.concat(parts, ignore_index=True)


def tested_table(test: pd.DataFrame) -> Table:
    """The steps that the strong players played."""
    columns = {"words": "number", "written": "step", "name": "win rate of", "after": "leads to", "change": "change"}
    columns |= {"low": "change low", "high": "change high", "before": "before", "n": "n"}
    formats: dict[str, Format] = {"leads to": "percent"}
    lines = test.assign(written=in_steps(test))
    return replace(table(lines, "tested", "With strong players", columns, formats, details=("before", "n")), whole=test)


def frame_of_steps(steps: tuple[Step, ...]) -> pd.DataFrame:
    """Steps that were not played, with the reason why the card rules refuse them."""
    return pd.DataFrame(
        [(step.field, step.value, step.refused) for step in steps], columns=["path", "value", "why"], dtype=object
    )


def summary(frame: pd.DataFrame, test: pd.DataFrame) -> str:
    """The sentence: the step that moves a win rate most, with quick players and with strong ones if these played it too."""
    if frame.empty:
        return "No number could be changed."
    top = frame.iloc[0]
    sure = "" if top["sure"] else "; it may be chance"
    words = f"{turned(top)} moves most: {top['name']} wins {percent(top['after'])} instead of {percent(top['before'])} "
    words += f"({moved_by(top)}{sure})"
    if len(test):
        words += f"; with strong players {percent(test.iloc[0]['after'])} ({moved_by(test.iloc[0])})"
    return f"{words}."


def moved_by(row: pd.Series) -> str:
    """The change of a win rate with its interval, such as `+8.0 points, +6.1 to +9.9`."""
    return f"{points(change(row['before'], row['after']))} points, {points(row['low'])} to {points(row['high'])}"


def turned(row: pd.Series) -> str:
    """Write a step, e.g. \u201cKnight: dice\u201d from 2 to 1. row: words, present, value."""
    return f"\u201c{row['words']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"


def facts(result: Sensitivity) -> dict[str, object]:
    """How the games were played, and how precise the changes are."""
    return {
        **result.base.facts(),
        "games": result.games,
        "first_round": result.pilot,
        "final_round": result.span,
        "precision": result.precision,
        "wanted": result.asked.precision,
        "truncated": result.truncated,
    }


def steps_table(frame: pd.DataFrame) -> Table:
    """Every step, the largest significant change first."""
    columns = {
        "words": "number",
        "path": "field",
        "written": "step",
        "name": "win rate of",
        "after": "leads to",
        "change": "change",
        "low": "change low",
        "high": "change high",
        "sure": "sure",
        "before": "before",
        **EVIDENCE,
        **SPREADS,
        **TRUNCATED,
        "source": "source",
    }
    written = frame.assign(written=in_steps(frame), sure=frame["sure"].astype(bool))
    details = ("change low", "change high", "before")
    formats: dict[str, Format] = {"leads to": "percent"}
    made = table(written, "steps", "Every number one step up and down", columns, formats, details=details, below="field")
    return replace(made, whole=frame)


def tornado_chart(frame: pd.DataFrame) -> Figure:
    """The numbers that move a win rate most; a star marks an assumed number."""
    field = starred(frame.assign(field=frame["words"]))
    return charts.tornado(frame.assign(field=field).drop(columns=["name", "words"]), most=CHARTED)


def notes(result: Sensitivity, frame: pd.DataFrame) -> list[str]:
    """Which step makes win rates more equal, how steps are ranked, and which numbers were left alone."""
    left = result.candidates
    return [
        *([most_equal(frame)] if len(frame) else []),
        "The win rate is that of the owner of a number, else the one that moves most, with the interval widened for that choice; "
        "sure: the change is significant (Holm over all rows).",
        f"{count(result.games)} games in all; widest interval: \u00b1{100 * result.precision:.2f} points.",
        ColumnNote(
            "Intervals for each row alone; Holm over all rows; before and after are those of the n games of the row.",
            *("change low", "before", "p (Holm)"),
        ),
        "A first round, not used otherwise, decided how many games each step needs; steps that could be at the top got twice as "
        "many.",
        ColumnNote(SPREAD_WORDS, "spread *"),
        *([truncated_steps(result.truncated, frame["truncated_after"], result.base)] if len(frame) else []),
        *left_out("Numbers marked as fixed, left alone", left.fixed),
        *left_out("Coordinates and board sizes, left alone unless --fields or --with-fixed asks for them", left.places),
        *left_out("Steps refused by the rules of the card file", [step_words(step) for step in left.refused]),
        *left_out("Steps without any effect on play", [step_words(step) for step in left.idle]),
        run_words(result.base),
    ]


def most_equal(frame: pd.DataFrame) -> str:
    """Sentence on the step that significantly reduces the spread of the win rates most."""
    better = frame[(adjust(frame["spread_p"]) < SURE) & (frame["spread_change"] < 0)]
    if better.empty:
        return "No step significantly reduces the spread of the win rates."
    best = lowest(better, "spread_change")
    return (
        f"{turned(best)} reduces the spread of the win rates most, from {percent(best['spread_before'])} by "
        f"{points(best['spread_change'])} points {point_interval(best['spread_change_low'], best['spread_change_high'])}."
    )
