"""Does more of something go with winning: the side that has more of it, and what each more of it goes along with."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis import clustered
from analysis.amounts import rates
from analysis.charts import gains, scatter
from analysis.estimates import LEVEL, adjust
from analysis.report.answers.members import contest, numbers
from analysis.report.answers.prose import amount, at_seats, capital, interval, listed, point_interval, some
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import percent, points
from sim.engine.measures import Question

SEATS, EVEN, SURE = 2, 0.5, 0.05  # p-value adjusted over all things
LEAST = 30  # games in which the sides differ
POINT = 100


@dataclass(frozen=True)
class Duels:
    """Finished games of two seats. pairing: number of the two entrants that met, the same ones in the same order."""

    key: np.ndarray  # games that share their dice have one key
    share: np.ndarray  # of the win of seat 0
    pairing: np.ndarray
    turned: np.ndarray  # the later entrant of the pairing has seat 0


def edges(study: Study, question: Question) -> Section | None:
    """Scatter of how much there is of each thing against how often the side with more of it wins, and what one more goes with.

    Roles: words for a group of things -> measure per seat, each of whose numbers is a thing. Settings: against (words of the
    roles that count what a seat suffers: they are the other side's); words of a role -> words for the thing, if it is one
    number; note (words for the note).
    """
    if not question.roles or not study.contests or contest(study) != SEATS:
        return None
    frame = finished(study.seats_frame, SEATS)
    if frame.empty:
        return None
    found = _measured(study, question, frame)
    known = found[found["estimate"].notna() & found["change"].notna()] if len(found) else found
    if known.empty:
        return None
    answer = _said(known, study.game.entrants_word)
    return Section(
        question.id,
        question.text,
        answer,
        _charts(study, question, known, answer),
        (_table(question, found),),
        _note(question),
    )


def _measured(study: Study, question: Question, frame: pd.DataFrame) -> pd.DataFrame:
    """One line per thing; see the columns of `_line`. p adjusted over all (Holm)."""
    duels = _duels(study, frame)
    lines = []
    for role, field in question.roles.items():
        measure = study.measure(field)
        values = np.nan_to_num(numbers(frame, measure))
        names = measure.parts or question.settings.get(role, (measure.label,))
        for at, name in enumerate(names):
            both = values[:, at].reshape(-1, SEATS)
            both = both[:, ::-1] if role in question.settings.get("against", ()) else both
            if name and both.any():
                lines.append({"panel": role, "name": name, "unit": measure.unit, **_line(both, duels)})
    found = pd.DataFrame(lines)
    if found.empty:
        return found
    p_holm = adjust(found["p"])
    return found.assign(p_holm=p_holm, sure=p_holm < SURE)


def _duels(study: Study, frame: pd.DataFrame) -> Duels:
    entrant = frame["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    game = frame["game"].to_numpy(np.int64)[::SEATS]
    pairing = entrant.min(axis=1) * len(study.names) + entrant.max(axis=1)
    share = frame["share"].to_numpy(np.float64)[::SEATS]
    return Duels(study.main(SEATS).pair_of(game), share, pairing, entrant[:, 0] > entrant[:, 1])


def _line(both: np.ndarray, duels: Duels) -> dict[str, float]:
    """How much there is per seat (x), how often the side with more wins (estimate), what one more goes with (change)."""
    mean = rates(duels.key, np.zeros(len(both), np.int64), both.sum(axis=1), np.full(len(both), float(SEATS))).iloc[0]
    gap = both[:, 0] - both[:, 1]
    apart = gap != 0
    facts = {
        "x": mean["estimate"],
        "x_low": mean["low"],
        "x_high": mean["high"],
        "games": len(both),
        "tied": 1 - apart.mean(),
    }
    if apart.sum() < LEAST:
        nothing = dict.fromkeys(("estimate", "low", "high", "change", "change_low", "change_high", "p"), np.nan)
        return {**facts, **nothing, "n": int(apart.sum())}
    more = np.where(gap > 0, duels.share, 1 - duels.share)[apart]
    won = clustered.share(duels.key[apart], more)
    change, error = _slope(gap, duels)
    half = float(stats.norm.ppf((1 + LEVEL) / 2)) * error
    p = float(2 * stats.norm.sf(abs(change) / error)) if error > 0 else 1.0
    slope = {"change": change, "change_low": change - half, "change_high": change + half, "p": p}
    return {**facts, "estimate": won.estimate, "low": won.low, "high": won.high, "n": won.n, **slope}


def _slope(gap: np.ndarray, duels: Duels) -> tuple[float, float]:
    """Least squares of the win share on the gap within pairings, and its error by clusters (Liang and Zeger 1986).

    Every game is looked at from the side of the earlier entrant of its pairing, and both are taken less their means over the
    pairing: who is the stronger entrant has no part in it.
    """
    side = np.where(duels.turned, -1.0, 1.0)
    x, y = side * gap, side * (duels.share - EVEN)
    pairing = np.unique(duels.pairing, return_inverse=True)[1]
    games = np.bincount(pairing)
    x, y = (one - (np.bincount(pairing, one) / games)[pairing] for one in (x, y))
    whole = float(x @ x)
    if not whole:
        return float("nan"), float("nan")
    slope = float(x @ y) / whole
    cluster = np.unique(duels.key, return_inverse=True)[1]
    scores = np.bincount(cluster, x * (y - slope * x))
    return slope, float(np.sqrt(scores @ scores)) / whole


def _charts(study: Study, question: Question, known: pd.DataFrame, answer: str) -> tuple[Chart, ...]:
    """The scatter of all things, and dots of what one more of each goes with."""
    drawn = known.rename(columns={"name": "label", "panel": "group", "estimate": "y", "low": "y_low", "high": "y_high"})
    cloud = scatter(
        drawn, x_label="per seat and game", y_label="the side with more of it wins", x_percent=False, y_percent=True
    )
    where = f"{capital(at_seats(SEATS))}, with {study.policy} in both seats."
    first = f"How much there is of each thing, and how often the side with more of it than the other wins. {where}"
    columns = {"change_low": "low", "change_high": "high"}
    rows = known[["panel", "name", "change", "change_low", "change_high", "games", "sure"]].rename(columns=columns)
    rows = rows.assign(n=rows["games"]).sort_values("change", ascending=False, kind="stable")
    rows = pd.concat([rows[rows["panel"] == panel] for panel in dict.fromkeys(known["panel"])], ignore_index=True)
    beside = gains(rows, counts=("games", "Games: all finished ones, compared within pairings."), bars=True)
    second = f"By how many points the win share is higher for each one that a side has more than the other. {where}"
    alts = (
        "Labelled dots of amount against win share of the side with more.",
        "Bars of points of the win share per unit.",
    )
    figures = ((question.id, cloud, first, alts[0]), (f"{question.id}-each", beside, second, alts[1]))
    return tuple(Chart(id_, figure, caption, f"{alt} {answer}") for id_, figure, caption, alt in figures)


def _table(question: Question, found: pd.DataFrame) -> Table:
    columns = {
        "panel": "kind",
        "name": "thing",
        "unit": "unit",
        "x": "per seat and game",
        "x_low": "from",
        "x_high": "to",
    }
    columns |= {"tied": "both alike", "estimate": "side with more wins", "low": "low", "high": "high", "n": "n"}
    columns |= {"change": "one more goes with", "change_low": "change low", "change_high": "change high"}
    columns |= {"p_holm": "p (Holm)", "games": "n (change)"}
    formats: dict[str, Format] = {"from": "number", "to": "number", "both alike": "percent", "n (change)": "count"}
    formats |= {"side with more wins": "percent", "one more goes with": "points"}
    return table(found, question.id, "Who has more of it, and who wins", columns, formats)


def _said(known: pd.DataFrame, words: str) -> str:
    """By kind: the thing that goes with winning most and least; which differ surely."""
    told = []
    for kind, part in known.groupby("panel", sort=False):
        top, bottom = highest(part, "change"), lowest(part, "change")
        line = _one(top, "most" if len(part) > 1 else "", words)
        line += f"; {_one(bottom, 'least', words)}" if len(part) > 1 else ""
        told.append(f"{capital(str(kind))}: {line}.")
    sure = known[known["sure"]]
    good, bad = sure[sure["change"] > 0], sure[sure["change"] < 0]
    said = f"Of {some(len(known), 'thing')}, more goes with more wins beyond chance for {listed(list(good['name'])) or 'none'}"
    said += f", and with fewer for {listed(list(bad['name']))}" if len(bad) else ""
    return f"{' '.join(told)} {said}. That is what goes together, not what causes what."


def _one(row: pd.Series, how: str, words: str) -> str:
    """One thing in words. how: as compared with the others of its kind; words: what entrants are called."""
    said = f"{row['name']} ({amount(row['x'])} per seat and game) goes {how} with winning: " if how else ""
    said += f"the side with more of it wins {percent(row['estimate'])} "
    said += f"{interval(row['low'], row['high'], row['n'], 'games')}, and between the same two {words} each one more goes with "
    return said + f"{points(row['change'])} points {point_interval(row['change_low'], row['change_high'])}"


def _note(question: Question) -> str:
    """What the numbers are, and what they are not."""
    note = "Finished games. The side with more of it: games in which both have as much are left out; games that share their dice "
    note += "and agree more than chance has it count as fewer (Wilson intervals). One more goes with: least squares of the win "
    note += "share on the difference between the sides, within pairings of the same two entrants, so that a strong entrant that "
    note += "does much of it does not count for it; errors by clusters. A side that wins may do more of something because it is "
    note += f"winning, and lose for want of time to do it. Sure, and coloured: p (Holm) < {SURE}, over all things; intervals are "
    note += "of each alone. " + " ".join(question.settings.get("note", ()))
    return note.strip()
