"""How much the open readings of the rules matter: win rates under each of them, one at a time."""

import numpy as np
import pandas as pd

from analysis.charts import slope
from analysis.compare import Shares
from analysis.estimates import adjust
from analysis.report.answers.courses import charts_of, courses, moved, note_of, said_of_courses, tables_of
from analysis.report.answers.fields import value_words
from analysis.report.answers.orders import orders
from analysis.report.answers.prose import at_seats, capital, listed, number_word, point_interval, some, stopped
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.whatif import Step, both, difference, variants
from analysis.wording import count, percent, points
from sim.engine.measures import Question

DEFAULT = "as played"
SURE = 0.05  # p-value adjusted over all win rates of the section
LARGE = 0.05  # mean change of the win rates from which on a reading matters much
DRAWN = 12  # readings at most


def readings(study: Study, question: Question) -> Section | None:
    """Slope charts of all win rates under each other value of a rule that surely moves one, at fewest seats; tables of all.

    Settings: path of a rule -> other values as text; a key without a dot is an option: seats (how many, if not the fewest
    from two on), games (in multiples of the usual number), beside (what is told besides the win rates: see `courses`), ranks
    (any value: the ranks of all are told too).
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    seats = study.seats_for(question)
    found = variants(study.game, study.cards, rules)
    live = [step for step in found if step.cards and not step.idle]
    beside = question.settings.get("beside", ())
    frame = _measured(study, seats, study.games_for(question, study.budget.variant_games), live, beside)
    if frame.empty:
        return None
    more = courses(frame, beside)
    truncated = bool(frame[["truncated_before", "truncated_after"]].to_numpy().any())
    answer = " ".join([_said(frame, seats), *([said_of_courses(more, truncated)] if len(more) else [])])
    summary = _summary(frame)
    moving = summary[summary["sure"] > 0]
    drawn = list((moving if len(moving) else summary[:1])["variant"][:DRAWN])
    caption = f"Win rates {at_seats(seats)} as the rules are played (left) and with one of them read differently (right), with "
    caption += f"{study.policy} in every seat; beside each name the change in points. "
    only = "Only readings that surely move a win rate, those that move them most first."
    caption += only if len(moving) else "No reading surely moves a win rate; this one moves them most."
    figure = slope(_lines(frame, drawn), default=DEFAULT)
    chart = Chart(question.id, figure, caption, f"Slope charts, one per reading. {answer}")
    note = _note(study, found, frame, [variant for variant in summary["variant"] if variant not in drawn])
    charts, tables = [chart], [*_tables(study, frame)]
    if len(more):
        charts, tables = [*charts, *charts_of(study, question, more)], [*tables, *tables_of(question, more)]
    if "ranks" in question.settings:
        said, ranked, listed_ = orders(study, question, frame, DEFAULT)
        answer, charts, tables = f"{answer} {said}", [*charts, ranked], [*tables, *listed_]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note + note_of(more))


def _note(study: Study, found: list[Step], frame: pd.DataFrame, hidden: list[str]) -> str:
    """How the readings were measured, and which were not, or are not drawn."""
    note = "Both readings play the same games with the same dice, and the differences are analysed as pairs; gain says how many "
    note += "times as many games two separate samples would need. Truncated games are left out. "
    note += f"Win rates as played are those of {count(frame['n'].max())} games of each {study.unit_word}, "
    note += "so they differ a little from those of the first question."
    note += f" A change is sure, and coloured, if p (Holm) < {SURE}, adjusted over all "
    note += f"{study.units_word} and readings; intervals are of each change alone."
    apart = list(dict.fromkeys(frame["variant"][~frame["paired"]]))
    refused = [_label(step) for step in found if not step.cards]
    idle = [_label(step) for step in found if step.idle]
    for readings_, words in (
        (hidden, "Not drawn, but in the tables"),
        (refused, "Refused by the rules of the card file, and left out"),
        (idle, "Without effect on play with these cards, and left out"),
        (apart, "Seats come to play others than as the rules are played, so that these games are no pairs"),
    ):
        note += f" {words}: {_all(readings_)}." if readings_ else ""
    return note


def _all(readings_: list[str]) -> str:
    """All of some readings, however many."""
    return "; ".join(f"\u201c{one}\u201d" for one in readings_)


def _tables(study: Study, frame: pd.DataFrame) -> tuple[Table, Table]:
    """How much each reading moves, and every win rate under it."""
    overview = {"variant": "reading", "mean": "mean change, either way", "most": "largest change", "name": "of"}
    moved: dict[str, Format] = {"mean change, either way": "points", "largest change": "points"}
    columns = {
        "variant": "reading",
        "name": study.unit_word,
        "before": "before",
        "after": "after",
        "change": "change",
    }
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    return (
        table(
            _summary(frame),
            "readings-overview",
            "How much each reading moves",
            {**overview, "sure": "sure changes"},
            moved,
        ),
        table(frame, "readings", "Every reading", columns, {"gain": "number"}),
    )


def _measured(study: Study, seats: int, games: int, steps: list[Step], beside: tuple[str, ...] = ()) -> pd.DataFrame:
    """Paired comparison of every reading with the default, below each other; beside: quantities whose columns are added."""
    base = study.experiment(seats, games)
    play = study.player("readings of the rules", base.games * (len(steps) + 1))
    before = Shares.of(base, play)
    parts = []
    for step in steps:
        if step.cards is not None:
            _, after = both(base, step.cards, play, before)
            more = {key: value for what in beside for key, value in moved(what, before, after).items()}
            parts.append(difference(base, before, after).assign(variant=_label(step), reading=_short(step), **more))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def _label(step: Step) -> str:
    """A reading in words, e.g. `hit faces: 2 instead of 3`."""
    name = step.field.rpartition(".")[2].replace("_", " ")
    return f"{name}: {value_words(step.value)} instead of {value_words(step.before)}"


def _short(step: Step) -> str:
    """A reading in few words, e.g. `hit faces: 2`."""
    return _label(step).partition(" instead of ")[0]


def _lines(frame: pd.DataFrame, drawn: list[str]) -> pd.DataFrame:
    """The frame of the slope chart: the default first, then each reading that is drawn, in that order."""
    frame = pd.concat([frame[frame["variant"] == variant] for variant in drawn], ignore_index=True)
    first = frame[frame["variant"] == frame["variant"].iloc[0]]
    both = []
    for part, side in ((first.assign(variant=DEFAULT), "before"), (frame, "after")):
        shown = {"variant": part["variant"], "name": part["name"], "estimate": part[side], "n": part["n"]}
        both.append(pd.DataFrame({**shown, "low": part[f"{side}_low"], "high": part[f"{side}_high"]}))
    changes = {
        "change": frame["change"],
        "change_low": frame["low"],
        "change_high": frame["high"],
        "sure": frame["sure"],
    }
    both[1] = both[1].assign(**changes)
    return pd.concat(both, ignore_index=True)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per reading: mean and largest change, and how many are sure. Largest mean first."""
    rows = []
    for variant, part in frame.groupby("variant", sort=False):
        top = highest(part, "change", size=True)
        sure = int(part["sure"].sum())
        mean = float(np.mean(part["change"].abs()))
        facts = {
            "variant": variant,
            "mean": mean,
            "most": top["change"],
            "name": top["name"],
            "sure": sure,
            "truncated": part[["truncated_before", "truncated_after"]].to_numpy().sum(),
        }
        rows.append({**facts, "low": top["low"], "high": top["high"], "before": top["before"], "after": top["after"]})
    return pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _said(frame: pd.DataFrame, seats: int) -> str:
    """The reading that matters most, and those that do not."""
    summary = _summary(frame)
    if not frame["sure"].any():
        return _none_sure(summary, seats)
    top = summary.iloc[0]
    said = f"{at_seats(seats).capitalize()} \u201c{top['variant']}\u201d matters most: win rates move by "
    said += f"{100 * top['mean']:.1f} points on average, that of {top['name']} by {points(top['most'])} "
    said += f"{point_interval(top['low'], top['high'])} from {percent(top['before'])} to {percent(top['after'])}"
    said += f"{stopped(top['truncated'])}."
    quiet = [f"\u201c{row['variant']}\u201d" for _, row in summary.iterrows() if row["sure"] == 0]
    still = f" {listed(quiet)} {'changes' if len(quiet) == 1 else 'change'} no win rate beyond chance." if quiet else ""
    return f"{said}{still} {_all_told(summary)}"


def _none_sure(summary: pd.DataFrame, seats: int) -> str:
    """No reading moves anything for sure: how much at most, by what can be seen."""
    top = summary.iloc[0]
    said = (
        f"{at_seats(seats).capitalize()} none of {some(len(summary), 'reading')} changes a win rate beyond chance; the "
    )
    said += f"largest mean change, {100 * top['mean']:.1f} points, is that of \u201c{top['variant']}\u201d"
    return f"{said}{stopped(top['truncated'])}."


def _all_told(summary: pd.DataFrame) -> str:
    large = int((summary["mean"] >= LARGE).sum())
    said = (
        f"{number_word(large)} of {some(len(summary), 'reading')}"
        if large < len(summary)
        else f"all {some(large, 'reading')}"
    )
    verb = "moves" if large == 1 else "move"
    return f"{capital(said)} {verb} win rates by {100 * LARGE:.0f} points or more on average."
