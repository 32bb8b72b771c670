"""Comebacks: how often a side still wins that is nearly beaten, by when it came to that, and where both are."""

import numpy as np
import pandas as pd

from analysis.charts import trend
from analysis.estimates import proportion, proportions
from analysis.report.answers.members import contest
from analysis.report.answers.prose import at_seats, capital, interval
from analysis.report.answers.tables import WIN_RATE, table
from analysis.report.model import Chart, Section
from analysis.study import Study, finished
from analysis.wording import count, percent
from sim.engine.measures import Question

BINS, LEAST = 6, 20  # bins of about equally many seats, at least so many to a bin
ALONE, BOTH = "the other is not yet", "the other is too"


def comebacks(study: Study, question: Question) -> Section | None:
    """Win share of those who are nearly beaten, by when that came about, one line each for whether the other is so by then too.

    Roles: turn (measure per seat: when it first came to that). Settings: never (its value where it never did), state (words: a
    side with ...).
    """
    column = question.roles.get("turn")
    if column is None or not study.contests or contest(study) != len((ALONE, BOTH)):
        return None
    frame = finished(study.seats_frame, contest(study))
    measure, never = study.measure(column), int(question.settings.get("never", ("0",))[0])
    state = question.settings.get("state", ("that far behind",))[0]
    when = frame[column].to_numpy(np.int64).reshape(-1, 2)
    share = frame["share"].to_numpy(np.float64)
    other, own = when[:, ::-1].ravel(), when.ravel()
    down = own != never
    if not down.any():
        return None
    both = (other != never) & (other <= own)
    parts = [
        _binned(own[down & line], share[down & line]).assign(line=name) for name, line in ((ALONE, ~both), (BOTH, both))
    ]
    whole = pd.concat(parts, ignore_index=True).assign(fair=1 / 2)
    sums = {name: _share(share[down & line]) for name, line in ((ALONE, ~both), (BOTH, both))}
    winners = _share(down[share > 0].astype(np.float64))
    answer = _said(sums, winners, state, contest(study))
    unit = measure.unit or "turns"
    caption = f"Win share of a side with {state}, by the {unit.removesuffix('s')} in which it came to that, about "
    caption += "equally many sides to a dot; apart by whether the other side has come to that, too, by then. "
    caption += f"{capital(at_seats(contest(study)))}, with {study.policy} in every seat."
    chart = trend(whole, lines="line", x_label=unit.removesuffix("s") + " in which it came to that")
    columns = {"line": "other side", "bin": unit, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}
    every = pd.DataFrame([{"line": name, **found} for name, found in sums.items()])
    tables = (
        table(whole, question.id, f"Win share of a side with {state}", columns),
        table(
            every, f"{question.id}-all", "At any time", {key: words for key, words in columns.items() if key != "bin"}
        ),
    )
    note = (
        f"Finished games. \u201c{capital(BOTH)}\u201d: by the end of that {unit.removesuffix('s')}; where both come to "
    )
    note += (
        "it at once both sides count, and make a half together. What counts is when a side first came to that, even if "
    )
    note += "it was made good later. n: sides; Wilson intervals."
    alt = f"Lines of the win share by {unit}. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, note)


def _share(values: np.ndarray) -> dict[str, float]:
    """Share with its bounds; nan without cases."""
    if not values.size:
        return {"estimate": np.nan, "low": np.nan, "high": np.nan, "n": 0}
    found = proportion(float(values.sum()), values.size)
    return {"estimate": found.estimate, "low": found.low, "high": found.high, "n": found.n}


def _binned(when: np.ndarray, share: np.ndarray) -> pd.DataFrame:
    """Win share by bin: bin (words), middle (median), estimate, low, high, n."""
    if not when.size:
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "bin", "middle"])
    bins = min(BINS, max(1, when.size // LEAST))
    edges = np.unique(np.quantile(when, np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.searchsorted(edges, when)
    n, wins = np.bincount(place, minlength=edges.size), np.bincount(place, share, edges.size)
    known = [when[place == at] for at in range(edges.size)]
    words = [
        count(one.min()) if one.min() == one.max() else f"{count(one.min())} to {count(one.max())}" for one in known
    ]
    return proportions(wins.clip(0, n), n).assign(bin=words, middle=[float(np.median(one)) for one in known])


def _said(sums: dict[str, dict[str, float]], winners: dict[str, float], state: str, seats: int) -> str:
    """How often such a side wins, alone or with the other, and how many winners had been there."""
    alone, both = sums[ALONE], sums[BOTH]
    said = f"{capital(at_seats(seats))} a side with {state} "
    if alone["n"]:
        said += (
            f"still wins {percent(alone['estimate'])} {interval(alone['low'], alone['high'], alone['n'], 'sides')} if "
        )
        said += "the other has not come to that by then"
    if both["n"]:
        said += f"{' and ' if alone['n'] else 'wins '}{percent(both['estimate'])} "
        said += f"{interval(both['low'], both['high'], both['n'], 'sides')} if "
        said += "it has" if alone["n"] else "the other has come to that by then"
    if not winners["n"]:
        return f"{said}."
    said = f"{said}; {percent(winners['estimate'])} of the winners had come to that themselves "
    return said + f"{interval(winners['low'], winners['high'], winners['n'], 'winners')}."
