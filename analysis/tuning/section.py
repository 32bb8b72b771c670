"""What `tune` and its report section show.

What the command shows of a tuning: tables, sentences, JSON.

What to change: the fewest, smallest changes that bring every win rate near its fair share, tested in games of their own.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dumbbell, lines
from analysis.data.study import OTHER_GAMES, Study
from analysis.document.cells import THIN, count, limit_words, number, percent, truncated_change
from analysis.document.model import SECONDARY, Chart, Format, Section, Table
from analysis.document.prose import at_seats, capital, listed, number_word, seated, some
from analysis.document.tables import table
from analysis.document.verdicts import HEADING, LEAST_GAMES
from analysis.tuning.confirm import GOOD, Tuned, free_numbers, tune
from analysis.tuning.goal import Cells, Goal, Knobs, Plan, TooFewGamesError, knobs_of, least_games
from analysis.variants.section import found_by, words_of
from analysis.winrates.section import entrant_rates

DIGITS = 2  # of a distance in points
VERDICTS = (
    f"Verdict after the changes: too strong or too weak if {HEADING}, one-sided against the edge of the wanted band and adjusted "
    f"for all rows (Holm), is below 0.05; fair if shown to lie within it in the same way; else, or below {LEAST_GAMES} games, "
    "not decided."
)
Z = 1.96  # standard errors either way


@dataclass(frozen=True, eq=False)
class Shown:
    """A tuning as `terminal.Result`. file: the card file written, if any."""

    tuned: Tuned
    file: Path | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences below the tables."""
        return tuple(verdict(self.tuned) + how(self.tuned) + self._next())

    def _next(self) -> list[str]:
        """What to do now."""
        experiment = self.tuned.experiment
        if self.file is None:
            return ["Name a folder with --out DIR to get the card file with these numbers."] if self.tuned.steps else []
        seed = (self.tuned.retest_seed + 1) % 2**63
        words = (
            f"--seats {experiment.seats} --policy {experiment.policy_words} --seed {seed} --games {self.tuned.games}"
        )
        again = f"  fairfight winrates {experiment.game_name} --cards {quote(str(self.file.parent))} {words}"
        return [f"{self.file} written. Test it again:", again]

    def main(self) -> Table:
        """The changed numbers."""
        return changes_table(self.tuned)

    def tables(self) -> list[Table]:
        """Changes, win rates, the goal's outputs if they are others, matchups, trade-off."""
        found = [changes_table(self.tuned), units_table(self.tuned)]
        if self.tuned.goal.target is not None:
            found.append(aims_table(self.tuned))
        if len(self.tuned.matrix):
            found.append(matrix_table(self.tuned))
        return [*found, trade_off_table(self.tuned)]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        tuned = self.tuned
        return {
            **tuned.experiment.facts(),
            "goal": {"low": tuned.goal.band.low, "high": tuned.goal.band.high, "max_changes": tuned.goal.max_changes},
            "reached": tuned.reached,
            "sure": tuned.sure,
            "changes": tuned.changes.to_dict("records"),
            "win_rates": tuned.units.to_dict("records"),
            "aims": tuned.aims.to_dict("records"),
            "matchups": {row: line.to_dict() for row, line in tuned.matrix.iterrows()},
            "trade_off": tuned.trade_off.to_dict("records"),
            "further_changes": tuned.next.to_dict("records"),
            "selection_bias": tuned.bias,
            "unwon": tuned.unwon,
            "truncated": tuned.truncated,
            "evaluations": tuned.sets,
            "search_games": tuned.search_games,
            "retest_games": tuned.retest_games,
            "retest_seed": tuned.retest_seed,
            "stalled": tuned.stalled.to_dict("records"),
            "left_alone": dict(tuned.knobs.left),
            "file": None if self.file is None else str(self.file),
            "lines": list(self.lines),
        }


def verdict(tuned: Tuned) -> list[str]:
    """Whether the goal is reached, and why not if it is not."""
    changes, aims = len(tuned.steps), tuned.aims
    start = capital(some(changes, "changed number")) if changes else "The cards as they are"
    wanted = _wanted(tuned)
    short, unsure = aims[~aims["place"].isin(GOOD)], aims[aims["place"] == "probably in"]
    if short.empty:
        end = "surely" if unsure.empty else f"{listed(unsure['name'].tolist())} not surely"
        verb = "bring" if changes > 1 else "brings" if changes else "have"
        return [f"{start} {verb} all {len(aims)} {wanted}: {end}, in games that had no part in the search."]
    names = listed([f"{row['name']} ({percent(row['after'])})" for _, row in short.iterrows()])
    found = "" if changes else " No change that was found is better."
    return [f"{start} {'leave' if changes != 1 else 'leaves'} {names} outside: not {wanted}.{found}", *_why(tuned)]


def _wanted(tuned: Tuned) -> str:
    """What is wanted, in words."""
    target = tuned.goal.target
    if target is not None:
        return f"within {100 * target.tolerance:g} points of the target"
    return f"within {100 * tuned.aim.low[0]:g} to {100 * tuned.aim.high[0]:g}{THIN}%"


def _why(tuned: Tuned) -> list[str]:
    """Why the goal is not reached: the number of changes, the reach of the numbers, or the number of games."""
    found = []
    if len(tuned.steps) >= tuned.goal.max_changes:
        found.append(f"No more than {tuned.goal.max_changes} changes were allowed (--max-changes).")
    outside = (~tuned.aims["place"].isin(GOOD)).to_numpy().nonzero()[0]
    found += [_further(tuned, output) for output in outside.tolist()]
    slight = tuned.aims["place"] == "probably short"
    if slight.any() and not (tuned.aims["place"] == "short").any():
        found.append("The gaps are within chance: more --games would tell.")
    return found


def _further(tuned: Tuned, output: int) -> str:
    """What one more changed number would do for an output outside its band."""
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
        return f"{name} has no number left that may be changed and is not changed already."
    own = unit is not None and any(knob.unit == unit for knob in tuned.knobs.knobs)
    return f"No single further change of {'its own numbers' if own else 'a number'} brings {name} nearer, by the search's model."


def how(tuned: Tuned) -> list[str]:
    """How it was found, and how far the search flattered itself."""
    again = tuned.trade_off[tuned.trade_off["changes"] == len(tuned.steps)]
    rms = float(again["rms"].iloc[0]) if len(again) else float("nan")
    bias = 100 * tuned.bias
    side = "nearer" if bias < 0 else "farther"
    ends = [
        f"Finished games that nobody won: {percent(tuned.unwon[0])} before, {percent(tuned.unwon[1])} after; left out too."
    ]
    return [
        f"Re-test: {count(tuned.retest_games)} games of seed {tuned.retest_seed}, which had no part in the search. "
        f"Root mean square distance from the middle of the goal, noise taken out: {100 * rms:.{DIGITS}f} points. "
        f"The search's estimate is {abs(bias):.{DIGITS}f} points {side} than that (selection bias).",
        f"Search: {count(tuned.sets)} card sets, {count(tuned.search_games)} games; {len(tuned.knobs.knobs)} numbers could be "
        f"changed, {len(tuned.knobs.left)} {'was' if len(tuned.knobs.left) == 1 else 'were'} left alone.",
        *([VERDICTS] if tuned.goal.target is None else []),
        truncated_change(*tuned.truncated, limit_words(tuned.experiment.game.limits_itself)),
        *_stalled(tuned),
        *(ends if any(tuned.unwon) else []),
    ]


def _stalled(tuned: Tuned) -> list[str]:
    """Which changes were not looked into further."""
    steps = [f"{path} to {after}" for path, _, after in tuned.stalled.itertuples(index=False, name=None)]
    why = "Left out with what lies beyond, because in the first look surely more games ended without a winner"
    return [f"{why}: {listed(steps)}."] if steps else []


def changes_table(tuned: Tuned) -> Table:
    """The changed numbers."""
    columns = {"path": "number", "before": "now", "after": "becomes"}
    return table(tuned.changes, "tuning-changes", "What to change", columns, {"now": "count", "becomes": "count"})


def units_table(tuned: Tuned) -> Table:
    """Win rates before and after in the games of the re-test."""
    word = tuned.experiment.teams.word if tuned.experiment.teams else tuned.experiment.game.entrant_word
    columns = {"name": word, "before": "before", "before_low": "before low", "before_high": "before high"}
    columns |= {"after": "after", "after_low": "after low", "after_high": "after high"}
    columns |= {"change": "change", "low": "change low", "high": "change high", "n": "n", "predicted": "search said"}
    if tuned.goal.target is None:
        columns |= {"p_beyond": HEADING, "verdict": "verdict"}
    shares: dict[str, Format] = dict.fromkeys(
        ("before low", "before high", "after low", "after high", "search said"), "percent"
    )
    seats = tuned.experiment.seats
    caption = f"Win rates in {seated(seats)} games of the re-test (fair: {percent(tuned.cells.fair)})"
    made = table(tuned.units, "tuning-rates", caption, columns, shares)
    return replace(made, secondary=("search said", "before low", *SECONDARY, "change low"))


def aims_table(tuned: Tuned) -> Table:
    """Outputs of a target."""
    columns = {"name": "what", "low": "wanted from", "high": "wanted to", "before": "before", "after": "after"}
    columns |= {"predicted": "search said", "place": "reached"}
    shares: dict[str, Format] = dict.fromkeys(("wanted from", "wanted to", "search said"), "percent")
    return table(tuned.aims, "tuning-target", "The target in the games of the re-test", columns, shares)


def matrix_table(tuned: Tuned) -> Table:
    """Who beats whom after the changes."""
    names = [str(name) for name in tuned.matrix.columns]
    frame = tuned.matrix.reset_index(drop=True)
    frame.insert(0, "row", names)
    columns = {"row": tuned.experiment.game.entrant_word} | {name: name for name in names}
    shares: dict[str, Format] = dict.fromkeys(names, "percent")
    return table(frame, "tuning-matchups", "Who beats whom after the changes: win rate of the row", columns, shares)


def trade_off_table(tuned: Tuned) -> Table:
    """What each further change buys."""
    frame = tuned.trade_off.assign(proposed=tuned.trade_off["proposed"].map({True: "proposed", False: ""}))
    columns = {"changes": "changes", "rms": "distance", "farthest": "farthest", "predicted_rms": "search said"}
    columns |= {"games": "games", "proposed": ""}
    caption = (
        "What each further change buys: root mean square and largest distance from the goal's middle, points, re-tested"
    )
    shown: dict[str, Format] = dict.fromkeys(("distance", "farthest", "search said"), "number")
    for name in ("rms", "farthest", "predicted_rms"):
        frame[name] = (100 * frame[name]).round(DIGITS)
    return table(frame, "tuning-trade-off", caption, columns, shown)


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
    frame = entrant_rates(study)
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
