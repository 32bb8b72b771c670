"""Output of `tune`, and its report section: tables, sentences, JSON.

The section proposes the fewest, smallest changes that bring every win rate near its fair share, tested in separate games.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import THIN, Format, count, number, percent
from analysis.answer.prose import at_seats, capital, limit_words, listed, number_word, seated, some, truncated_change
from analysis.answer.tables import SECONDARY, Table, table
from analysis.answer.verdicts import HEADING, LEAST_GAMES
from analysis.charts import dumbbell, lines
from analysis.data.study import OTHER_GAMES, Study
from analysis.tuning.confirm import GOOD, Tuned, free_numbers, tune
from analysis.tuning.goal import Cells, Goal, Knobs, Plan, TooFewGamesError, knobs_of, least_games
from analysis.variants.parameter_effects import found_by, words_of
from analysis.variants.tables import ENDS
from analysis.winrates.section import entrant_rates

DIGITS = 2  # decimals of a distance in points
Z = 1.96  # standard errors on either side
VERDICTS = (
    f"Verdict after the changes: too strong or too weak if {HEADING}, one-sided against the edge of the wanted band and adjusted "
    f"for all rows (Holm), is below 0.05; fair if shown to lie within it in the same way; else, or below {LEAST_GAMES} games, "
    "not decided."
)
QUESTION = "What to change so that all win equally often?"
MOST, FEW = 6, 3  # maximum number of changes, and with a small budget
SMALL = 100_000  # games below which a budget is small
LEAST_UNITS = 2  # least number of units to consider, if not all


def tune_section(tuned: Tuned, file: Path | None = None) -> Section:
    """Result of `tune`: changes, win rates, the outputs of a target, matchups, trade-off. file: the card file written, if any."""
    experiment, knobs = tuned.experiment, tuned.knobs
    columns = {"path": "number", "before": "now", "after": "becomes"}
    tables = [table(tuned.changes, "tuning-changes", "What to change", columns), units_table(tuned)]
    if tuned.goal.target is not None:
        columns = {"name": "what", "low": "wanted from", "high": "wanted to", "before": "before", "after": "after"}
        columns |= {"predicted": "search said", "place": "reached"}
        shares: dict[str, Format] = dict.fromkeys(("wanted from", "wanted to", "search said"), "percent")
        tables.append(table(tuned.aims, "tuning-target", "The target in the games of the re-test", columns, shares))
    if len(tuned.matrix):
        names = [str(name) for name in tuned.matrix.columns]
        columns = {"row": experiment.game.entrant_word, **{name: name for name in names}}
        caption = "Who beats whom after the changes: win rate of the row"
        rows = tuned.matrix.reset_index(drop=True).assign(row=names)
        tables.append(table(rows, "tuning-matchups", caption, columns, dict.fromkeys(names, "percent")))
    tables.append(trade_off_table(tuned))
    said = [*verdict(tuned), *how(tuned)]
    if file is not None:
        words = f"--seats {experiment.seats} --policy {experiment.policy_words} --seed {(experiment.seed + 1) % 2**63}"
        again = f"  fairfight winrates {experiment.game_name} --cards {quote(str(file.parent))} {words} --games {tuned.games}"
        said += [f"{file} written. Test it again:", again]
    elif tuned.steps:
        said.append("Use --out DIR to write the card file with these numbers.")
    band = {"low": tuned.goal.band.low, "high": tuned.goal.band.high, "max_changes": tuned.goal.max_changes}
    data: dict[str, Any] = {**experiment.facts(), "goal": band, "reached": tuned.reached, "sure": tuned.sure}
    frames = {"changes": tuned.changes, "win_rates": tuned.units, "aims": tuned.aims, "trade_off": tuned.trade_off}
    frames |= {"further_changes": tuned.next, "stalled": tuned.stalled}
    data |= {name: frame.to_dict("records") for name, frame in frames.items()}
    data |= {"matchups": {row: line.to_dict() for row, line in tuned.matrix.iterrows()}, "selection_bias": tuned.bias}
    data |= {"unwon": tuned.unwon, "truncated": tuned.truncated, "evaluations": tuned.sets, "search_games": tuned.search_games}
    data |= {"retest_games": tuned.retest_games, "retest_seed": tuned.retest_seed, "left_alone": dict(knobs.left)}
    data |= {"file": None if file is None else str(file), "lines": said}
    return Section(
        "tuning", answer=verdict(tuned)[0], tables=tuple(tables), lines=tuple(said), data=data, draw=lambda: rates_figure(tuned)
    )


def verdict(tuned: Tuned) -> list[str]:
    """Whether the goal is reached, and why not if it is not."""
    changes, aims, target = len(tuned.steps), tuned.aims, tuned.goal.target
    start = capital(some(changes, "changed number")) if changes else "The cards as they are"
    wanted = f"within {100 * tuned.aim.low[0]:g} to {100 * tuned.aim.high[0]:g}{THIN}%"
    if target is not None:
        wanted = f"within {100 * target.tolerance:g} points of the target"
    short, unsure = aims[~aims["place"].isin(GOOD)], aims[aims["place"] == "probably in"]
    if short.empty:
        end = "with their whole intervals" if unsure.empty else f"{listed(unsure['name'].tolist())} not significantly"
        verb = "bring" if changes > 1 else "brings" if changes else "have"
        return [f"{start} {verb} all {len(aims)} {wanted}, {end}, in games that had no part in the search."]
    names = listed([f"{row['name']} ({percent(row['after'])})" for _, row in short.iterrows()])
    better = "" if changes else " The search found no better change."
    reasons = [f"{start} {'leave' if changes != 1 else 'leaves'} {names} outside: not {wanted}.{better}"]
    if changes >= tuned.goal.max_changes:
        reasons.append(f"No more than {tuned.goal.max_changes} changes were allowed (--max-changes).")
    reasons += [_further(tuned, output) for output in short.index.tolist()]
    if (aims["place"] == "probably short").any() and not (aims["place"] == "short").any():
        reasons.append("The gaps are within chance; more --games would decide.")
    return reasons


def _further(tuned: Tuned, output: int) -> str:
    """Effect of one more changed number on an output outside its band."""
    name = str(tuned.aims["name"].iloc[output])
    helpful = tuned.next[tuned.next["name"] == name]
    if len(helpful):
        best = helpful.iloc[0]
        return (
            f"One further change, {best['path']} {best['before']} to {best['after']}, would bring {name} to about "
            f"{percent(best['rate'])} (\u00b1{100 * Z * best['error']:.1f} points, by the search's model, not re-tested)."
        )
    unit = output if tuned.goal.target is None else None
    if not free_numbers(tuned.knobs, tuned.steps, unit):
        return f"{name} has no further number that may be changed."
    has_numbers = unit is not None and any(knob.unit == unit for knob in tuned.knobs.knobs)
    numbers = "its own numbers" if has_numbers else "a number"
    return f"No single further change of {numbers} brings {name} nearer, by the search's model."


def how(tuned: Tuned) -> list[str]:
    """How the changes were found, what was left out of the search, and its selection bias."""
    again = tuned.trade_off[tuned.trade_off["changes"] == len(tuned.steps)]
    rms = float(again["rms"].iloc[0]) if len(again) else float("nan")
    bias = 100 * tuned.bias
    sentences = [
        f"Re-test: {count(tuned.retest_games)} games of seed {tuned.retest_seed}, which had no part in the search. "
        f"Root mean square distance from the middle of the goal, corrected for noise: {100 * rms:.{DIGITS}f} points. "
        f"The search's estimate is {abs(bias):.{DIGITS}f} points {'nearer' if bias < 0 else 'farther'} (selection bias).",
        f"Search: {count(tuned.sets)} card sets, {count(tuned.search_games)} games; {len(tuned.knobs.knobs)} numbers could be "
        f"changed, {len(tuned.knobs.left)} {'was' if len(tuned.knobs.left) == 1 else 'were'} left alone.",
        *([VERDICTS] if tuned.goal.target is None else []),
        truncated_change(*tuned.truncated, limit_words(tuned.experiment.game.limits_itself)),
    ]
    if len(tuned.stalled):
        steps = [f"{path} to {after}" for path, _, after in tuned.stalled.itertuples(index=False, name=None)]
        why = "Left out with larger steps, because significantly more games ended without a winner in the first look"
        sentences.append(f"{why}: {listed(steps)}.")
    if any(tuned.unwon):
        before, after = map(percent, tuned.unwon)
        sentences.append(f"Finished games without a winner, also left out: {before} before, {after} after.")
    return sentences


def units_table(tuned: Tuned) -> Table:
    """Win rates before and after in the games of the re-test."""
    experiment = tuned.experiment
    columns = {"name": experiment.teams.word if experiment.teams else experiment.game.entrant_word}
    columns |= {f"{when}{end}": f"{when}{end.replace('_', ' ')}" for when in ("before", "after") for end in ("", "_low", "_high")}
    columns |= {"change": "change", "low": "change low", "high": "change high", "n": "n", "predicted": "search said"}
    if tuned.goal.target is None:
        columns |= {"p_beyond": HEADING, "verdict": "verdict"}
    shares: dict[str, Format] = dict.fromkeys(("before low", "before high", "after low", "after high", "search said"), "percent")
    caption = f"Win rates in {seated(experiment.seats)} games of the re-test (fair: {percent(tuned.cells.fair)})"
    made = table(tuned.units, "tuning-rates", caption, columns, shares)
    return replace(made, secondary=("search said", "before low", *SECONDARY, "change low"))


def trade_off_table(tuned: Tuned) -> Table:
    """Effect of each further change."""
    frame = tuned.trade_off.assign(proposed=tuned.trade_off["proposed"].map({True: "proposed", False: ""}))
    names = ["rms", "farthest", "predicted_rms"]
    frame[names] = (100 * frame[names]).round(DIGITS)
    columns = {"changes": "changes", "rms": "distance", "farthest": "farthest", "predicted_rms": "search said"}
    caption = "Effect of each further change: root mean square and largest distance from the goal's middle, points, re-tested"
    return table(frame, "tuning-trade-off", caption, columns | {"games": "games", "proposed": ""})


def rates_figure(tuned: Tuned) -> Figure:
    """Win rates before and after the changes, highest before at the top."""
    frame = tuned.units.sort_values("before", ascending=False, kind="stable")
    drawn = frame[["name", "n", "change", *ENDS]].rename(columns=ENDS)
    return dumbbell(drawn, words=("now", "with the changes"), label="win rate", change="change, points")


def tuning(study: Study) -> Section | None:
    """The proposal with win rates before and after, and the effect of each further change; None if nothing can be tuned."""
    if not study.contests or len(study.units) < LEAST_UNITS:
        return None
    games = study.budget.tune_games
    goal = Goal(max_changes=MOST if games >= SMALL else FEW)
    least = least_games(goal.max_changes)
    if games < least:
        return _too_few(study, least)
    experiment = study.experiment(min(study.contests), 1)
    cells = Cells.of(experiment)
    every = knobs_of(study.game, study.cards, cells.ids)
    if not every.knobs:
        return None
    try:
        knobs, units = _affordable(study, every, cells, goal)
        limit = f" The games were only enough for the numbers of {listed(units)}, the farthest from fair." if units else ""
    except TooFewGamesError as error:
        surest = _surest(study, every, cells, goal)
        if surest is None:
            return _too_few(study, error.least)
        knobs = surest
        limit = (
            f" The games were only enough for {number_word(len(knobs.knobs))} numbers: of those tried one by one, the ones with "
            f"the most significant effects. All {count(len(every.knobs))} take {count(error.least)} games."
        )
    tuned = tune(experiment, goal, games, knobs, study.play_as("tuning", games), None, study.retest_seed)
    return _proposed(study, tuned, limit)


def _affordable(study: Study, every: Knobs, cells: Cells, goal: Goal) -> tuple[Knobs, list[str]]:
    """The largest set of numbers that the budget can test: of all units, or of those whose win rates are farthest from fair.

    Returns the numbers and the names of these units, empty for all. Raises TooFewGamesError if even two units are too many.
    """
    frame = entrant_rates(study)
    frame = frame[frame["seats"] == cells.seats]
    gap = (frame["estimate"] - cells.fair).abs().fillna(0.0)
    order = [int(unit) for unit in frame.assign(gap=gap).sort_values("gap", ascending=False, kind="stable")["entrant"]]
    for size in range(cells.units, LEAST_UNITS - 1, -1):
        kept = tuple(knob for knob in every.knobs if size == cells.units or knob.unit in order[:size])
        try:
            Plan.of(study.budget.tune_games, replace(every, knobs=kept), cells, goal.max_changes)
        except TooFewGamesError:
            if size == LEAST_UNITS or all(knob.unit is None for knob in kept):
                raise
        else:
            return replace(every, knobs=kept), [] if size == cells.units else [cells.names[unit] for unit in order[:size]]
    raise AssertionError("two units are affordable or not")


def _surest(study: Study, every: Knobs, cells: Cells, goal: Goal) -> Knobs | None:
    """The largest affordable set of the numbers with the most significant effects when tried alone; None for fewer than two."""
    tried, paths = found_by(study), {knob.path for knob in every.knobs}
    ranked = [] if tried is None or tried.frame.empty else [path for path in tried.frame["path"].unique() if path in paths]
    for size in range(len(ranked), 1, -1):
        knobs = replace(every, knobs=tuple(knob for knob in every.knobs if knob.path in ranked[:size]))
        with suppress(TooFewGamesError):
            Plan.of(study.budget.tune_games, knobs, cells, goal.max_changes)
            return knobs
    return None


def _too_few(study: Study, least: int) -> Section:
    """Section for a budget that is too small to find changes better than chance."""
    answer = (
        f"{count(study.budget.tune_games)} games, the budget of this page, are too few to propose changes better than chance. It "
        f"takes at least {count(least)}; more is better."
    )
    return Section("tuning", QUESTION, answer, note=f"To look for changes: fairfight tune {study.game.name} --games N.")


def _proposed(study: Study, tuned: Tuned, limit: str) -> Section:
    """Proposal, dumbbells and trade-off. limit: sentence on the numbers that were considered, if not all."""
    sentences = [_proposal(study, tuned), *verdict(tuned)]
    answer = " ".join(filter(None, sentences[:3]))
    caption = (
        f"Win rates {at_seats(tuned.experiment.seats)} with {study.policy} in every seat, now and with the changes, in the same "
        f"games. Goal: {100 * tuned.aim.low[0]:g} to {100 * tuned.aim.high[0]:g} %. {OTHER_GAMES}"
    )
    charts = (
        DrawnChart("tuning", rates_figure(tuned), caption, f"Win rates before and after. {answer}"),
        _trade_off_chart(tuned),
    )
    rows = [
        {**change, "changes": row["changes"], "proposed": "proposed" if row["proposed"] else ""}
        for _, row in tuned.trade_off.iterrows()
        for change in row["numbers"]
    ]
    frame = pd.DataFrame(rows, columns=["changes", "proposed", "path", "before", "after"])
    frame = frame.assign(words=[words_of(study, path) for path in frame["path"]])
    columns = {"changes": "changes", "proposed": "proposed", "words": "number", "before": "now", "after": "becomes"}
    columns |= {"path": "field of the card file"}
    changes = table(frame, "tuning-changes", "The best changes of each number", columns)
    note = (
        f"{' '.join([*sentences[3:], *how(tuned)])}{limit} Changes are found with a model of every matchup, or of every win rate "
        "if there are no matchups, that learns from games with the same dice; whole numbers are changed in whole steps."
    )
    return Section("tuning", QUESTION, answer, charts, (changes, units_table(tuned), trade_off_table(tuned)), note)


def _proposal(study: Study, tuned: Tuned) -> str:
    """The changes in words, with a warning if no win rate needs them, or if they did not help."""
    words = [
        f"\u201c{words_of(study, str(path))}\u201d from {number(before)} to {number(after)}"
        for path, before, after in tuned.changes.itertuples(index=False, name=None)
    ]
    if not words:
        return ""
    rms = tuned.trade_off["rms"]
    nearer = rms[tuned.trade_off["proposed"].astype(bool)].iloc[0] < rms[tuned.trade_off["changes"] == 0].iloc[0]
    idle = "" if nearer else " In the re-test they brought the win rates no nearer."
    low, high = tuned.aim.low[0], tuned.aim.high[0]
    if ((tuned.units["before_low"] > high) | (tuned.units["before_high"] < low)).any():
        return f"Change {listed(words)}.{idle}"
    return (
        f"No win rate of the current cards is significantly outside {100 * low:g} to {100 * high:g} %, so no change is "
        f"necessary; the search favours {listed(words)}.{idle}"
    )


def _trade_off_chart(tuned: Tuned) -> DrawnChart:
    """Spread of the win rates by number of changes."""
    frame = tuned.trade_off
    shown = (("re-tested", "spread", "spread_low", "spread_high"), ("search said", *["predicted_spread"] * 3))
    parts = [
        pd.DataFrame({"line": line, "x": frame["changes"], "estimate": frame[at], "low": frame[low], "high": frame[high]})
        for line, at, low, high in shown
    ]
    drawn = pd.concat([part.assign(n=frame["games"]) for part in parts], ignore_index=True)
    drawn = drawn.assign(panel="Spread of the win rates", present=float(len(tuned.steps)))
    caption = (
        "Standard deviation of the true win rates with the best set of each size, by the search and in games of the re-test; "
        f"proposed: {number_word(len(tuned.steps))}."
    )
    return DrawnChart("tuning-trade-off", lines(drawn, label="numbers changed", close=True), caption, caption)
