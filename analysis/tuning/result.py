"""What the command shows of a tuning: tables, sentences, JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from analysis.report.answers.prose import capital, listed, seated, some
from analysis.report.answers.tables import table
from analysis.report.model import SECONDARY, Format, Table
from analysis.tuning.tuned import GOOD, Tuned, free_numbers
from analysis.verdicts import HEADING, LEAST_GAMES
from analysis.wording import THIN, count, limit_words, percent, truncated_change

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
