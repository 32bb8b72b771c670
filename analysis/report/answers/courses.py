"""What other readings of the rules do besides the win rates: to the length of games, and to what going first is worth."""

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from analysis import clustered
from analysis.charts import dumbbell
from analysis.compare import Shares
from analysis.estimates import Interval, adjust, mean
from analysis.pairs import grouped_changes, paired_changes, paired_ratio
from analysis.report.answers.prose import NO_BREAK, at_seats, capital, listed, stopped
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Table
from analysis.spread import length_change
from analysis.study import Study
from analysis.wording import percent, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all readings and quantities
WORDS = ("as played", "read differently")


@dataclass(frozen=True)
class Course:
    """One quantity of games. label: of its scale; said: in a sentence; unit: of its changes."""

    label: str
    said: str
    unit: str

    @property
    def shares(self) -> bool:
        """Whether it is a share, told in per cent."""
        return self.unit == "points"


COURSES = {
    "length": Course("mean length of a game, turns", "how long a game lasts", "turns"),
    "first": Course("win share of whoever goes first", "how often whoever goes first wins", "points"),
}


def moved(what: str, before: Shares, after: Shares) -> dict[str, float]:
    """A quantity before and after with intervals, and its paired change: columns for a frame, named after the quantity.

    Raises ValueError for a quantity that is not among COURSES. A truncated game counts with the turns until it was stopped,
    and is left out of win shares, as are games that nobody began.
    """
    if what not in COURSES:
        raise ValueError(f"beside={what!r} must be among {', '.join(COURSES)}")
    found = _of_first(before, after) if what == "first" else _length(before, after)
    return {f"{what}_{key}": value for key, value in found.items()}


def _length(before: Shares, after: Shares) -> dict[str, float]:
    turns = {"before": mean(before.by_pair(before.turns)), "after": mean(after.by_pair(after.turns))}
    bounds = {key: value for when, found in turns.items() for key, value in _bounds(when, found).items()}
    return asdict(length_change(before, after)) | bounds


def _of_first(before: Shares, after: Shares) -> dict[str, float]:
    b, a = (one.of_first.astype(np.float64) for one in (before, after))
    known = np.isfinite(b) & np.isfinite(a)
    if (known & (before.capped | after.capped)).any():
        return _of_first_finished(before, after)
    if not known.any():
        return dict.fromkeys((*_KEYS, "before_low", "before_high", "after_low", "after_high"), np.nan) | {"n": 0}
    b, a = b[known], a[known]
    key = before.pair[known] if before.pair.size else np.arange(len(b))
    _, pair, games = np.unique(key, return_inverse=True, return_counts=True)
    d = np.bincount(pair, a - b) / games
    up, down = d.clip(min=0).sum(), (-d).clip(min=0).sum()
    changes = paired_changes([up], [down], [len(d)])
    if len(d) < len(b):
        changes = grouped_changes([up], [down], [(d**2).sum()], [len(d)])
    found = {name: float(changes[name].iloc[0]) for name in ("change", "low", "high", "p")} | {"n": len(b)}
    found |= {"before": float(b.mean()), "after": float(a.mean())}
    return found | _bounds("before", clustered.share(key, b)) | _bounds("after", clustered.share(key, a))


def _of_first_finished(before: Shares, after: Shares) -> dict[str, float]:
    """`_of_first` where some games are truncated: of the finished ones before, and after."""
    shares = [np.nan_to_num(one.of_first.astype(np.float64)) for one in (before, after)]
    known = [np.isfinite(one.of_first) & ~one.capped for one in (before, after)]
    if not all(part.any() for part in known):
        return dict.fromkeys((*_KEYS, "before_low", "before_high", "after_low", "after_high"), np.nan) | {"n": 0}
    key = before.pair if before.pair.size else np.arange(len(before.share))
    moved = paired_ratio((shares[0], known[0]), (shares[1], known[1]), key)
    found = {name: float(getattr(moved, name)) for name in (*_KEYS, "n")}
    for when, share, part in zip(("before", "after"), shares, known, strict=True):
        found |= _bounds(when, clustered.share(key[part], share[part]))
    return found


_KEYS = ("before", "after", "change", "low", "high", "p")


def _bounds(when: str, found: Interval) -> dict[str, float]:
    """The two ends of an interval, named."""
    return {f"{when}_low": found.low, f"{when}_high": found.high}


def courses(frame: pd.DataFrame, wanted: tuple[str, ...]) -> pd.DataFrame:
    """One line per quantity and reading, the largest change first: what, variant, reading (short), `moved`, p_holm, sure.

    frame: lines with the columns of `moved`, alike for all lines of a reading, and variant, reading.
    """
    one = frame.drop_duplicates("variant")
    tables = []
    for what in wanted:
        own = {name: name.removeprefix(f"{what}_") for name in map(str, one.columns) if name.startswith(f"{what}_")}
        part = one[["variant", "reading", *own]].rename(columns=own).assign(what=what)
        part = part[part["n"] > 0].astype({"n": int})
        order = part["change"].abs().sort_values(ascending=False, kind="stable").index
        tables.append(part.loc[order])
    found = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    if found.empty:
        return found
    p_holm = adjust(found["p"])
    return found.assign(p_holm=p_holm, sure=p_holm < SURE)


def said_of_courses(found: pd.DataFrame, truncated: bool) -> str:
    """Which reading moves each quantity most, if any does for sure. truncated: whether some games were stopped."""
    return " ".join(_said(what, part, truncated) for what, part in found.groupby("what", sort=False))


def _said(what: object, part: pd.DataFrame, truncated: bool) -> str:
    course = COURSES[str(what)]
    sure = part[part["sure"]]
    if sure.empty:
        return f"No reading moves {course.said} beyond chance."
    top = highest(sure, "change", size=True)
    change, low, high = (_signed(course, top[key]) for key in ("change", "low", "high"))
    to = f"from {_plain(course, top['before'])} to {_plain(course, top['after'])}"
    unit = f" {course.unit}"
    bounds = f"(95{NO_BREAK}% interval {low} to {high})"
    counts = stopped(truncated) if course.shares else ""
    said = (
        f"{capital(course.said)} is moved most by \u201c{top['variant']}\u201d: {to}, {change}{unit} {bounds}{counts}"
    )
    return f"{said}; no other reading moves it for sure." if len(sure) == 1 else f"{said}."


def _signed(course: Course, change: float) -> str:
    return points(change if course.shares else change / 100)


def _plain(course: Course, value: float) -> str:
    return percent(value) if course.shares else f"{value:.1f}"


def charts_of(study: Study, question: Question, found: pd.DataFrame) -> list[Chart]:
    """Paired dots of each quantity: every reading beside the rules as played, and the change."""
    charts = []
    for what, part in found.groupby("what", sort=False):
        course = COURSES[str(what)]
        names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
        names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
        shown = part.rename(columns=names).assign(name=part["reading"])
        change = f"change, {course.unit}"
        figure = dumbbell(shown, words=WORDS, label=course.label, change=change, shares=course.shares)
        caption = f"{capital(course.said)} {at_seats(study.seats_for(question))} as the rules are played and with one of them "
        caption += (
            f"read differently, with {study.policy} in every seat; the same games and dice, the largest change first."
        )
        alt = f"Paired dots, one row per reading. {_said(what, part, truncated=False)}"
        charts.append(Chart(f"{question.id}-{what}", figure, caption, alt))
    return charts


def tables_of(question: Question, found: pd.DataFrame) -> list[Table]:
    """Every reading of each quantity."""
    tables = []
    for what, part in found.groupby("what", sort=False):
        course = COURSES[str(what)]
        columns = {"variant": "reading", "before": "before", "after": "after", "change": "change", "low": "change low"}
        columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n"}
        plain: dict[str, Format] = dict.fromkeys(("before", "after", "change", "change low", "change high"), "number")
        title = f"Every reading: {course.said}"
        tables.append(table(part, f"{question.id}-{what}", title, columns, None if course.shares else plain))
    return tables


def note_of(found: pd.DataFrame) -> str:
    """How the quantities were measured, with a blank before."""
    if found.empty:
        return ""
    names = listed([COURSES[what].said for what in dict.fromkeys(found["what"])])
    note = f" For {names} p (Holm) is adjusted over all readings and these quantities."
    return note + " A truncated game counts with the turns until it was stopped." * bool(
        (found["what"] == "length").any()
    )
