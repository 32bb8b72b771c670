"""What players do: several quantities per game, or per time that they could be done, by entrant."""

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import dots
from analysis.report.answers.members import at, contest, numbers
from analysis.report.answers.prose import amount, at_seats, capital, listed, size
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from sim.engine.measures import Question

ALL = "all together"
ROWS = 24  # entrants in the chart; where there are more, those with most and fewest of the first quantity
SMALL = 0.1  # below it a third digit behind the point
FORMATS: dict[str, Format] = {"low": "number", "high": "number"}


def per_game(study: Study, question: Question) -> Section | None:
    """Dots of several quantities by entrant, a panel each, at the fewest seats with an opponent.

    Roles: words for a quantity (`blocks per game`) -> measure per seat; of one with several numbers their sum counts.
    Settings: words of a role -> the measure by which it is divided (`damage prevented per block`), which must stand among the
    roles too; hidden (roles that only divide others); told (roles of the sentences, all if absent); note (words for the note).
    """
    if not question.roles or not study.contests:
        return None
    found = quantities(study, question)
    if found.empty:
        return None
    answer = said(question, found)
    note = note_of(question)
    return Section(
        question.id,
        question.text,
        answer,
        (chart_of(study, question, found),),
        (table_of(study, question, found),),
        note,
    )


def quantities(study: Study, question: Question) -> pd.DataFrame:
    """One line per quantity and entrant, all entrants together last: panel, name, estimate, low, high, n, sum, base."""
    frame = at(study.seats_frame, contest(study))
    if frame.empty:
        return pd.DataFrame()
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    names = study.names
    found = []
    for words, field in question.roles.items():
        if words in question.settings.get("hidden", ()):
            continue
        over = question.settings.get(words)
        value = _of(study, frame, field)
        base = _of(study, frame, over[0]) if over else np.ones(len(frame))
        each = rates(game, entrant, value, base).reindex(range(len(names))).assign(name=names)
        whole = rates(game, np.zeros(len(frame), np.int64), value, base).assign(name=ALL)
        both = pd.concat([each[each["n"] > 0], whole], ignore_index=True)
        open_ = ~(np.isfinite(both["low"]) & np.isfinite(both["high"]))
        both = both.assign(low=both["low"].clip(lower=0).mask(open_), high=both["high"].mask(open_))
        found.append(both.assign(panel=words))
    return pd.concat(found, ignore_index=True)


def _of(study: Study, frame: pd.DataFrame, field: str) -> np.ndarray:
    """A measure by seat; of one with several numbers their sum."""
    return np.asarray(np.nan_to_num(numbers(frame, study.measure(field))).sum(axis=1))


def chart_of(study: Study, question: Question, found: pd.DataFrame, id_: str = "") -> Chart:
    """The dots of all quantities."""
    each = found[found["name"] != ALL]
    first = each[each["panel"] == each["panel"].iloc[0]].sort_values("estimate", ascending=False, kind="stable")
    kept = list(first["name"])
    kept = kept if len(kept) <= ROWS else [*kept[: ROWS // 2], *kept[-(ROWS // 2) :]]
    rank = {name: place for place, name in enumerate(kept)}
    drawn = each[each["name"].isin(kept)].assign(rank=lambda part: part["name"].map(rank))
    drawn = drawn.assign(order=pd.factorize(drawn["panel"])[0]).sort_values(["order", "rank"], kind="stable")
    caption = f"{capital(listed(list(dict.fromkeys(each['panel']))))}, by {study.game.entrant_word}, "
    caption += f"{at_seats(contest(study))} with {study.policy} in every seat; scales of their own, from nought."
    caption += f" Only the {ROWS} with most and fewest of the first." if len(first) > ROWS else ""
    alt = f"Dots with intervals, a panel per quantity, a row per {study.game.entrant_word}. {said(question, found)}"
    return Chart(id_ or question.id, dots(drawn), caption, alt)


def table_of(study: Study, question: Question, found: pd.DataFrame, id_: str = "") -> Table:
    """Every quantity by entrant."""
    columns = {"panel": "what", "name": study.game.entrant_word, "estimate": "mean", "low": "low", "high": "high"}
    return table(found, id_ or question.id, "What is done", {**columns, "n": "n"}, FORMATS)


def said(question: Question, found: pd.DataFrame) -> str:
    """Each quantity over all entrants, and who has most and least of it."""
    wanted = question.settings.get("told", tuple(dict.fromkeys(found["panel"])))
    told = []
    for words, part in found.groupby("panel", sort=False):
        if words not in wanted or not np.isfinite(part["estimate"].iloc[-1]):
            continue
        whole, each = part.iloc[-1], part.iloc[:-1]
        line = f"{capital(str(words))}: {_short(whole['estimate'])} "
        bounds = f"95 % interval {_bounds(whole)}, " if whole["low"] <= whole["high"] else ""
        line += f"({bounds}{size(whole['n'])} games)"
        known = each[each["estimate"].notna()]
        if len(known) > 1 and known["estimate"].max() > known["estimate"].min():
            top, bottom = highest(known, "estimate"), lowest(known, "estimate")
            line += (
                f"; most with {top['name']}, {_short(top['estimate'])} ({_bounds(top)}), least with {bottom['name']}, "
            )
            line += f"{_short(bottom['estimate'])} ({_bounds(bottom)})"
        told.append(f"{line}.")
    return " ".join(told)


def _bounds(row: pd.Series) -> str:
    """The interval of a mean, if it is known."""
    return f"{_short(row['low'])} to {_short(row['high'])}" if row["low"] <= row["high"] else "no interval"


def _short(value: float) -> str:
    """A quantity with three significant digits at most, a small one with two."""
    return amount(value) if not 0 < abs(value) < SMALL else f"{value:.3f}"


def note_of(question: Question) -> str:
    """How the quantities were counted."""
    note = "All games, those that were stopped as far as they went. Means are per seat and game; what is divided by something "
    note += "is the sum of the one over the sum of the other. Intervals are those of ratios over games, since the seats of a "
    note += "game hang together; n: games. " + " ".join(question.settings.get("note", ()))
    return note.strip()
