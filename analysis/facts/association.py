"""Report sections on what is associated with winning: flags of a seat, amounts, and the turn in which something happens to it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis import charts
from analysis.answer.model import DrawnChart, Section, answered
from analysis.answer.numbers import Format, count, decimal, percent
from analysis.answer.prose import amount, at_seats, capital, change_of, interval_of, listed, number_word, share_of, size, some
from analysis.answer.tables import Table, estimate_columns, highest, lowest, rate_columns, table, with_bounds
from analysis.data import rows as clustered
from analysis.data.rows import rates
from analysis.data.study import Study, contest, finished, numbers
from analysis.stats.intervals import LEVEL, adjust, differences, proportions
from analysis.stats.paired import rank_correlation
from analysis.winrates.rates import fair_share
from sim.engine.questions import Association

SURE = 0.05  # p-value adjusted over all entrants, or all things
ALL = "all together"
ROWS = 30  # entrants in the chart; if there are more, those with the largest differences
SEATS, EVEN = 2, 0.5
LEAST = 30  # games in which the sides differ, at least
NEVER = "never"
LEAST_BIN = 20  # seats in a bin
ENOUGH = 400  # with this number of finished games, the sentence prefers more seats

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def association(study: Study, question: Association) -> Section | None:
    """The section on what the question names: a flag, a turn or amounts."""
    if question.turn:
        return _by_turn(study, question)
    if not study.contests:
        return None
    return _by_flag(study, question) if question.flag else _by_amounts(study, question)


def _by_flag(study: Study, question: Association) -> Section | None:
    """Paired dots of the win rate with and without a flag, by entrant, and the difference; also what seats with the flag did."""
    seats, entrant, words = contest(study), study.game.entrant_word, question.words
    frame = finished(study.seats_frame, seats)
    flag = frame[question.flag].to_numpy(bool)
    if not flag.any() or flag.all():
        return None
    key = study.main(seats).pair_of(frame["game"].to_numpy(np.int64))
    found = _by_entrant(frame, key, flag, study.names)
    whole, each = found.iloc[0], found.iloc[1:]
    answer = f"{capital(at_seats(seats))} the side that {words[0]} wins {percent(whole['first'])} "
    answer += interval_of({**whole, "n": whole["first_n"]}, "games", "first")
    answer += "" if whole["sure"] else ", which may be chance"
    if len(each) > 1:
        top, bottom, sure = highest(each, "change"), lowest(each, "change"), int(each["sure"].sum())
        answer += f". It helps {top['name']} most, by {change_of(top)}, and {bottom['name']} least, by "
        answer += f"{change_of(bottom, unit='')}; it is significant for {number_word(sure) if sure else 'none'} of "
        answer += number_word(len(each))
    answer += "."
    shares = with_bounds("first", words[0]) | with_bounds("second", words[1])
    columns = {"name": entrant, **shares, "change": "change", "change_low": "change low", "change_high": "change high"}
    columns |= {"p_holm": "p (Holm)", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(shares.values(), "percent")
    tables = [table(found, question.id, f"Win rate if it {words[0]} and if it {words[1]}", columns, formats)]
    if question.did:
        sentence, shown = _did(frame, key, flag, question)
        answer, tables = f"{answer} {sentence}", [*tables, shown]
    drawn = each.loc[sorted(each["change"].abs().nlargest(ROWS).index)] if len(each) else found
    figure = charts.dumbbell(drawn, words=words, label="win rate", change="difference, points")
    caption = f"Win rate of each {entrant} if it {words[0]} and if it {words[1]}, and the difference; {study.where(seats)}."
    caption += f" Only the {ROWS} with the largest differences." if len(each) > ROWS else ""
    note = "Finished games; a draw is half a win. Wilson intervals; games with shared dice that agree more than by chance "
    note += "count as fewer. Differences: Newcombe's intervals. Significant, and coloured: p (Holm) < "
    note += f"{SURE}, over all {study.game.entrants_word}; all together: against their fair share. n: seats."
    return answered(question, answer, figure, caption, f"Paired dots, a row per {entrant}.", tables, note)


def _by_entrant(frame: pd.DataFrame, key: Ints, flag: NDArray[np.bool_], names: list[str]) -> pd.DataFrame:
    """Overall rates, then those of each entrant: name, first and second (with and without the flag), change, n, p_holm, sure.

    All together are compared with their fair share, each entrant with itself, because the two sides of a game are not two
    samples. first, second and change have bounds.
    """
    share, entrant, parts = frame["share"].to_numpy(np.float64), frame["entrant"].to_numpy(np.int64), []
    for group, called in ((np.zeros(len(frame), np.int64), [ALL]), (entrant, names)):
        both = [clustered.shares(key[side], group[side], share[side], len(called)) for side in (flag, ~flag)]
        gap = differences(*(side.assign(n=side["effective"]) for side in both))
        part = gap.rename(columns={"low": "change_low", "high": "change_high"}).assign(name=called, n=both[0]["n"] + both[1]["n"])
        for word, side in zip(("first", "second"), both, strict=True):
            part = part.join(side[["estimate", "low", "high", "n"]].set_axis([word, *(f"{word}_{end}" for end in _ENDS)], axis=1))
        if called == [ALL]:
            part = part.assign(p=clustered.p_against(both[0], 1 / frame["seats"].iloc[0]), change=np.nan)
            part = part.assign(change_low=np.nan, change_high=np.nan, p_holm=part["p"])
        part = part[(part["first_n"] > 0) & (part["second_n"] > 0)]
        parts.append(part if called == [ALL] else part.assign(p_holm=adjust(part["p"]) if len(part) else np.nan))
    found = pd.concat(parts, ignore_index=True)
    return found.assign(sure=found["p_holm"] < SURE)


_ENDS = ("low", "high", "n")


def _did(frame: pd.DataFrame, key: Ints, flag: NDArray[np.bool_], question: Association) -> tuple[str, Table]:
    """Of seats with the flag: how many have the second one too, and the win rates with and without it."""
    did, share, who = frame[question.did].to_numpy(bool), frame["share"].to_numpy(np.float64), question.words[0]
    often = vars(clustered.share(key[flag], did[flag].astype(np.float64)))
    yes, no = (vars(clustered.share(key[chosen], share[chosen])) for chosen in (flag & did, flag & ~did))
    wins = [
        f"{percent(row['estimate'])} of {words} {interval_of(row, 'games')}"
        for words, row in (("those", yes), ("the others", no))
        if row["n"] > 0
    ]
    text = f"The side that {who} {question.doing} in {percent(often['estimate'])} of the games {interval_of(often, 'games')} "
    rows = {"share that does": often, "wins, having done so": yes, "wins, not having done so": no}
    lines = pd.DataFrame([{"name": name, **row} for name, row in rows.items() if row["n"] > 0])
    title = f"If it {who}: how often it {question.doing}"
    return f"{text}and wins {' and '.join(wins)}.", table(
        lines, f"{question.id}-did", title, estimate_columns("share", name="what")
    )


@dataclass(frozen=True)
class Duels:
    """Finished games of two seats. pairing: number of the two entrants that met, in a fixed order."""

    key: Ints  # games that share their dice have the same key
    share: Floats  # of the win of seat 0
    pairing: Ints
    turned: NDArray[np.bool_]  # the later entrant of the pairing has seat 0


def _by_amounts(study: Study, question: Association) -> Section | None:
    """Scatter of the amount of each thing against the win rate of the side with more of it, and the change per unit more."""
    if contest(study) != SEATS:
        return None
    frame = finished(study.seats_frame, SEATS)
    things = _things(study, question, frame) if len(frame) else pd.DataFrame()
    known = things[things["estimate"].notna() & things["change"].notna()] if len(things) else things
    if known.empty:
        return None
    answer = _edges_answer(known, study.game.entrants_word)
    where = f"{capital(at_seats(SEATS))}, with {study.policy} in both seats."
    drawn = known.rename(columns={"name": "label", "panel": "group", "estimate": "y", "low": "y_low", "high": "y_high"})
    words = {"x_label": "per seat and game", "y_label": "the side with more of it wins"}
    cloud = charts.scatter(drawn, **words, x_percent=False, y_percent=True)
    rows = known[["panel", "name", "change", "change_low", "change_high", "games", "sure"]].assign(n=known["games"])
    rows = rows.rename(columns={"change_low": "low", "change_high": "high"}).assign(order=pd.factorize(rows["panel"])[0])
    rows = rows.sort_values(["order", "change"], ascending=[True, False], kind="stable", ignore_index=True)
    beside = charts.gains(rows, counts=("games", "Games: all finished ones, compared within pairings."), bars=True)
    first = f"Amount of each thing, and how often the side with more of it wins. {where}"
    second = f"Change of the win share, in points, for each one that a side has more than the other. {where}"
    figures = (
        DrawnChart(question.id, cloud, first, f"Labelled dots of amount against win share of the side with more. {answer}"),
        DrawnChart(f"{question.id}-each", beside, second, f"Bars of points of the win share per unit. {answer}"),
    )
    columns = {"panel": "kind", "name": "thing", "unit": "unit", "x": "per seat and game", "x_low": "from", "x_high": "to"}
    columns |= {"tied": "both alike", **estimate_columns("side with more wins"), "change": "one more goes with"}
    columns |= {"change_low": "change low", "change_high": "change high", "p_holm": "p (Holm)", "games": "n (change)"}
    formats: dict[str, Format] = {"from": "number", "to": "number", "both alike": "percent", "n (change)": "count"}
    formats |= {"side with more wins": "percent", "one more goes with": "points"}
    shown = table(things, question.id, "Who has more of it, and who wins", columns, formats)
    note = "Finished games. Side with more of it: games in which both have the same amount are left out; games with shared dice "
    note += "that agree more than by chance count as fewer (Wilson intervals). One more goes with: least squares of the win "
    note += "share on the difference between the sides, within pairings of the same two entrants, so that the strength of an "
    note += "entrant that does much of it does not count; errors by clusters. A side may do more of something because it is "
    note += f"winning, or less because it has no time. Significant, and coloured: p (Holm) < {SURE}, over all things; "
    note += f"intervals are not adjusted. {' '.join(question.note)}"
    return Section(question.id, question.text, answer, figures, (shown,), note.strip())


def _things(study: Study, question: Association, frame: pd.DataFrame) -> pd.DataFrame:
    """One row per thing; see the columns of `_line`. p adjusted over all (Holm)."""
    lines = []
    entrant = frame["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    pairing = entrant.min(axis=1) * len(study.names) + entrant.max(axis=1)
    key = study.main(SEATS).pair_of(frame["game"].to_numpy(np.int64)[::SEATS])
    games = Duels(key, frame["share"].to_numpy(np.float64)[::SEATS], pairing, entrant[:, 0] > entrant[:, 1])
    for group, field in question.amounts.items():
        measure = study.measure(field)
        names = measure.parts or (question.names.get(group, measure.label),)
        for name, values in zip(names, np.nan_to_num(numbers(frame, measure)).T, strict=True):
            both = values.reshape(-1, SEATS)[:, :: -1 if group in question.against else 1]
            if name and both.any():
                lines.append({"panel": group, "name": name, "unit": measure.unit, **_line(both, games)})
    things = pd.DataFrame(lines)
    return things.assign(p_holm=adjust(things["p"]), sure=lambda rows: rows["p_holm"] < SURE) if lines else things


def _line(both: Floats, games: Duels) -> dict[str, float]:
    """Amount per seat (x), win rate of the side with more (estimate), and change of the win share per unit more (change).

    both: amounts of the two seats, (games, 2).
    """
    whole = rates(games.key, np.zeros(len(both), np.int64), both.sum(axis=1), np.full(len(both), float(SEATS))).iloc[0]
    gap = both[:, 0] - both[:, 1]
    apart = gap != 0
    facts = {"x": whole["estimate"], "x_low": whole["low"], "x_high": whole["high"], "games": len(both), "tied": 1 - apart.mean()}
    if apart.sum() < LEAST:
        nothing = dict.fromkeys(("estimate", "low", "high", "change", "change_low", "change_high", "p"), np.nan)
        return {**facts, **nothing, "n": int(apart.sum())}
    won = clustered.share(games.key[apart], np.where(gap > 0, games.share, 1 - games.share)[apart])
    change, error = _slope(gap, games)
    half = float(stats.norm.ppf((1 + LEVEL) / 2)) * error
    p = float(2 * stats.norm.sf(abs(change) / error)) if error > 0 else 1.0
    slope = {"change": change, "change_low": change - half, "change_high": change + half, "p": p}
    return {**facts, "estimate": won.estimate, "low": won.low, "high": won.high, "n": won.n, **slope}


def _slope(gap: Floats, games: Duels) -> tuple[float, float]:
    """Least squares slope of the win share on the gap within pairings, and its error by clusters (Liang and Zeger 1986).

    Every game is viewed from the side of the earlier entrant of its pairing, and both variables are centred within pairings, so
    that the strength of the entrants has no effect.
    """
    side = np.where(games.turned, -1.0, 1.0)
    pairing = np.unique(games.pairing, return_inverse=True)[1]
    size = np.bincount(pairing)
    x, y = (values - (np.bincount(pairing, values) / size)[pairing] for values in (side * gap, side * (games.share - EVEN)))
    whole = float(x @ x)
    if not whole:
        return float("nan"), float("nan")
    slope = float(x @ y) / whole
    scores = np.bincount(np.unique(games.key, return_inverse=True)[1], x * (y - slope * x))
    return slope, float(np.sqrt(scores @ scores)) / whole


def _edges_answer(known: pd.DataFrame, words: str) -> str:
    """By kind: the things most and least associated with winning; and those that are significant. words: noun for entrants."""

    def one(row: pd.Series, how: str) -> str:
        text = f"{row['name']} ({amount(row['x'])} per seat and game) goes {how} with winning: " if how else ""
        text += (
            f"the side with more of it wins {share_of(row, 'games')}, and between the same two {words} each one more goes with "
        )
        return text + change_of(row)

    sentences = []
    for kind, part in known.groupby("panel", sort=False):
        line = one(highest(part, "change"), "most" if len(part) > 1 else "")
        line += f"; {one(lowest(part, 'change'), 'least')}" if len(part) > 1 else ""
        sentences.append(f"{capital(str(kind))}: {line}.")
    sure = known[known["sure"]]
    good, bad = (listed(list(sure.loc[sure["change"] * sign > 0, "name"])) for sign in (1, -1))
    text = f"Of {some(len(known), 'thing')}, more goes with significantly more wins for {good or 'none'}"
    text += f", and with fewer for {bad}" if bad else ""
    return f"{' '.join(sentences)} {text}. These are associations, not causes."


def _by_turn(study: Study, question: Association) -> Section | None:
    """Win share by the turn of the first occurrence, in bins, one line per number of seats; rank correlation."""
    measure, parts, ties = study.measure(question.turn), [], {}
    for seats in study.seats:
        frame = finished(study.seats_frame, seats)
        when = frame[question.turn].to_numpy(np.float64)
        if (when != question.never).any():
            when = np.where(when == question.never, np.inf, when)
            binned = binned_wins(when, frame["share"].to_numpy(np.float64), question.bins)
            parts.append(binned.assign(seats=seats, fair=fair_share(seats, float(study.tally.decided[seats]))))
            ties[seats] = rank_correlation(frame, when)
    if not parts:
        return None
    whole = pd.concat(parts, ignore_index=True)
    most = max(ties, key=lambda seats: (min(ties[seats].n, ENOUGH), seats))
    label, unit = measure.label.lower(), measure.unit or "turns"
    here = whole[whole["seats"] == most]
    dated, without = here[here["bin"] != NEVER], here[here["bin"] == NEVER]
    answer = f"{capital(at_seats(most))} the win share is {percent(dated['estimate'].iloc[0])} if the {label} is "
    answer += f"{dated['bin'].iloc[0]} {interval_of(dated.iloc[0])}"
    cases = [(dated.iloc[-1], f"it is {dated['bin'].iloc[-1]}")] if len(dated) > 1 else []
    cases += [(row, "it never happens") for _, row in without.iterrows()]
    answer += "".join(f", {percent(row['estimate'])} if {words} {interval_of(row)}" for row, words in cases) + "."
    signed = []
    for seats, tie in ties.items():
        ends = [decimal(value, 2, signed=True) for value in (tie.estimate, tie.low, tie.high)]
        bounds = f"95 % interval {ends[1]} to {ends[2]}, " if np.isfinite(tie.low) else ""
        signed += [f"{ends[0]} {at_seats(seats)} ({bounds}{size(tie.n)})"] if np.isfinite(tie.estimate) else []
    answer += f" Rank correlation of the win share and how late it happens: {listed(signed)}." if signed else ""
    caption = f"Win share of the seats by {label}, with about equal numbers of seats per dot and {study.policy} in every seat."
    figure = charts.trend(whole, x_label=label if unit.removesuffix("s") in label else f"{label}, {unit}")
    correlations = pd.DataFrame([{"seats": seats, **vars(tie)} for seats, tie in ties.items()])
    plain: dict[str, Format] = dict.fromkeys(("rank correlation", "low", "high"), "number")
    of_bins = {**rate_columns(seats="seats", bin=label), "fair": "fair share"}
    of_ties = estimate_columns("rank correlation", seats="seats")
    tables = (
        table(whole, "luck", f"Win share by {label}", of_bins),
        table(correlations, "luck-correlation", f"Win share and {label}", of_ties, plain),
    )
    note = "This does not prove a cause: a player who lives longer and plays better also sees more, so \u201cnever\u201d means "
    note += "little. Rank correlation: Spearman's, with \u201cnever\u201d after all rounds; below zero, early goes with "
    note += "winning. Its interval is a jackknife over groups of whole games, because seats of a game share one win. n: seats "
    note += "of finished games."
    alt = f"Lines of the win share by {label}, one per number of seats."
    return answered(question, answer, figure, caption, alt, tables, note)


def binned_wins(when: Floats, share: Floats, bins: int, least: int = LEAST_BIN) -> pd.DataFrame:
    """Win share by bins of a turn that hold about equal numbers of seats, of at least `least` if there are several.

    when: turn, infinite if never; share: of the win, by seat. Columns: bin (words; NEVER is the last), middle (median turn of the
    bin, NaN for NEVER), estimate, low, high (Wilson), n. Bins without seats are left out.
    """
    dated = np.isfinite(when)
    bins = min(bins, max(1, int(dated.sum()) // least))
    edges = np.zeros(0)
    if dated.any():
        edges = np.unique(np.quantile(when[dated], np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place, size = np.searchsorted(edges, when), len(edges) + 1
    n, wins = np.bincount(place, minlength=size), np.bincount(place, share, size)
    facts: dict[str, list[Any]] = {"bin": [], "middle": []}
    for part in (when[place == index] for index in range(size - 1)):
        low, high = count(part.min()), count(part.max())
        facts["bin"].append(low if low == high else f"{low} to {high}")
        facts["middle"].append(float(np.median(part)))
    found = proportions(wins.clip(0, n), n).assign(bin=[*facts["bin"], NEVER], middle=[*facts["middle"], np.nan])
    return found[found["n"] > 0].reset_index(drop=True)
