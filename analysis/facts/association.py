"""What goes along with winning.

What it is worth to have had something: the win rate of those with a flag beside that of those without it.

Does more of something go with winning: the side that has more of it, and what each more of it goes along with.

What decides games: what brings each part down, what strikes the last blow, and how much of the damage comes round a corner.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.charts import dumbbell, gains, scatter, shares, stacked
from analysis.charts.style import AMBER
from analysis.data import clustered
from analysis.data.clustered import rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import category_shares
from analysis.document.cells import percent, points
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import (
    amount,
    at_seats,
    capital,
    interval,
    listed,
    number_word,
    point_interval,
    rounded,
    some,
)
from analysis.document.tables import highest, lowest, table
from analysis.stats.intervals import LEVEL, adjust, differences
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all entrants
ALL = "all together"
ROWS = 30  # entrants in the chart; where there are more, those that it matters most to


def by_flag(study: Study, question: Question) -> Section | None:
    """Paired dots of the win rate with and without a flag by entrant, and the difference; what those with it did.

    Roles: flag (per seat), did (a second flag per seat, may be absent). Settings: words (with the flag, without it, as in `won
    the roll` and `lost it`), did (words for the second flag, as in `goes first`).
    """
    if "flag" not in question.roles or not study.contests:
        return None
    seats = contest(study)
    frame = finished(study.seats_frame, seats)
    flag = frame[question.roles["flag"]].to_numpy(bool)
    if not flag.any() or flag.all():
        return None
    key = study.main(seats).pair_of(frame["game"].to_numpy(np.int64))
    words = question.settings.get("words", ("with it", "without it"))
    found = _measured(frame, (key, flag), study.names)
    answer = _said(found, words, seats)
    tables = [_table(study, question, found, words)]
    if "did" in question.roles:
        did = _did(frame, (key, flag), question.roles["did"])
        deed = question.settings.get("did", ("does it",))[0]
        answer += f" {_said_did(did, words[0], deed)}"
        tables.append(_did_table(question, did, (words[0], deed)))
    figure = dumbbell(_drawn(found), words=words, label="win rate", change="difference, points")
    caption = (
        f"Win rate of each {study.game.entrant_word} where it {words[0]} and where it {words[1]}, and the difference; "
    )
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    caption += f" Only the {ROWS} with the largest differences." if len(found) - 1 > ROWS else ""
    alt = f"Paired dots, a row per {study.game.entrant_word}. {answer}"
    note = "Finished games; a draw is half a win. Wilson intervals; games that share their dice and agree more than chance has "
    note += "it count as fewer. Differences: intervals of Newcombe, from the two. Sure, and coloured: p (Holm) < "
    note += f"{SURE}, over all {study.game.entrants_word}; all together: against their fair share. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _measured(frame: pd.DataFrame, of: tuple[np.ndarray, np.ndarray], names: list[str]) -> pd.DataFrame:
    """All together, then each entrant: name, first and second (with and without the flag, with bounds), change, n, p_holm, sure.

    All together are compared with their fair share, each entrant with itself: the two sides of a game are no two samples.
    """
    key, flag = of
    share, entrant = frame["share"].to_numpy(np.float64), frame["entrant"].to_numpy(np.int64)
    parts = []
    for group, called in ((np.zeros(len(frame), np.int64), [ALL]), (entrant, names)):
        both = [clustered.shares(key[one], group[one], share[one], len(called)) for one in (flag, ~flag)]
        gap = differences(*(one.assign(n=one["effective"]) for one in both))
        part = pd.DataFrame({"name": called})
        for word, one in zip(("first", "second"), both, strict=True):
            part = part.assign(**{word: one["estimate"], f"{word}_low": one["low"], f"{word}_high": one["high"]})
            part = part.assign(**{f"{word}_n": one["n"]})
        gap = gap.rename(columns={"low": "change_low", "high": "change_high"})
        part = pd.concat([part, gap], axis=1).assign(n=part["first_n"] + part["second_n"])
        part = part.assign(p=clustered.p_against(both[0], 1 / frame["seats"].iloc[0])) if called == [ALL] else part
        parts.append(part[(part["first_n"] > 0) & (part["second_n"] > 0)])
    whole, each = parts
    nothing = dict.fromkeys(("change", "change_low", "change_high"), np.nan)
    whole = whole.assign(**nothing, p_holm=whole["p"])
    each = each.assign(p_holm=adjust(each["p"]) if len(each) else np.nan)
    found = pd.concat([whole, each], ignore_index=True)
    return found.assign(sure=found["p_holm"] < SURE)


def _drawn(found: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chart: the entrants that it matters most to, in their order; all together where there are none."""
    each = found.iloc[1:]
    far = each["change"].abs().nlargest(ROWS).index
    return each.loc[sorted(far)] if len(each) else found


def _did(frame: pd.DataFrame, of: tuple[np.ndarray, np.ndarray], field: str) -> pd.DataFrame:
    """Of those with the flag: how many did it, and how often those win that did and that did not."""
    key, flag = of
    did, share = frame[field].to_numpy(bool), frame["share"].to_numpy(np.float64)
    often = clustered.share(key[flag], did[flag].astype(np.float64))
    lines = [{"name": "share that does", **vars(often)}]
    for name, chosen in (("wins, having done so", flag & did), ("wins, not having done so", flag & ~did)):
        lines.append({"name": name, **vars(clustered.share(key[chosen], share[chosen]))})
    return pd.DataFrame(lines)


def _table(study: Study, question: Question, found: pd.DataFrame, words: tuple[str, ...]) -> Table:
    columns = {"name": study.game.entrant_word}
    for name, word in zip(("first", "second"), words, strict=True):
        columns |= {name: word, f"{name}_low": f"{word}, low", f"{name}_high": f"{word}, high"}
    columns |= {
        "change": "change",
        "change_low": "change low",
        "change_high": "change high",
        "p_holm": "p (Holm)",
        "n": "n",
    }
    shares = [heading for name, heading in columns.items() if name.startswith(("first", "second"))]
    formats: dict[str, Format] = dict.fromkeys(shares, "percent")
    return table(found, question.id, f"Win rate where it {words[0]} and where it {words[1]}", columns, formats)


def _did_table(question: Question, did: pd.DataFrame, words: tuple[str, str]) -> Table:
    columns = {"name": "what", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    known = did[did["n"] > 0]
    return table(known, f"{question.id}-did", f"Whoever {words[0]}: how often it {words[1]}", columns)


def _said(found: pd.DataFrame, words: tuple[str, ...], seats: int) -> str:
    """All together, and to whom it matters most and least."""
    whole, each = found.iloc[0], found.iloc[1:]
    said = f"{capital(at_seats(seats))} whoever {words[0]} wins {percent(whole['first'])} "
    said += f"{interval(whole['first_low'], whole['first_high'], whole['first_n'], 'games')}"
    said += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{said}."
    top, bottom, sure = highest(each, "change"), lowest(each, "change"), int(each["sure"].sum())
    said += f". It helps {top['name']} most, by {points(top['change'])} points "
    said += f"{point_interval(top['change_low'], top['change_high'])}, and {bottom['name']} least, by "
    said += f"{points(bottom['change'])} {point_interval(bottom['change_low'], bottom['change_high'])}; beyond chance it is for "
    return said + f"{number_word(sure) if sure else 'none'} of {number_word(len(each))}."


def _said_did(did: pd.DataFrame, who: str, deed: str) -> str:
    """How many did it, and how those fare that did and that did not."""
    often, yes, no = (did.iloc[at] for at in range(len(did)))
    said = f"Whoever {who} {deed} in {percent(often['estimate'])} of the games "
    said += interval(often["low"], often["high"], often["n"], "games")
    told = [
        f"{percent(row['estimate'])} of {words} {interval(row['low'], row['high'], row['n'], 'games')}"
        for words, row in (("those", yes), ("the others", no))
        if row["n"] > 0
    ]
    return f"{said} and wins {' and '.join(told)}."


SEATS, EVEN, EDGES_SURE = 2, 0.5, 0.05  # p-value adjusted over all things
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
    found = _edges_measured(study, question, frame)
    known = found[found["estimate"].notna() & found["change"].notna()] if len(found) else found
    if known.empty:
        return None
    answer = _edges_said(known, study.game.entrants_word)
    return Section(
        question.id,
        question.text,
        answer,
        _charts(study, question, known, answer),
        (_edges_table(question, found),),
        _note(question),
    )


def _edges_measured(study: Study, question: Question, frame: pd.DataFrame) -> pd.DataFrame:
    """One line per thing; see the columns of `_line`. p adjusted over all (Holm)."""
    duels = _duels(study, frame)
    lines = []
    for role, field in question.roles.items():
        measure = study.measure(field)
        values = np.nan_to_num(numbers(frame, measure))
        names = measure.parts or question.settings.get(role, (measure.label,))
        for place, name in enumerate(names):
            both = values[:, place].reshape(-1, SEATS)
            both = both[:, ::-1] if role in question.settings.get("against", ()) else both
            if name and both.any():
                lines.append({"panel": role, "name": name, "unit": measure.unit, **_line(both, duels)})
    found = pd.DataFrame(lines)
    if found.empty:
        return found
    p_holm = adjust(found["p"])
    return found.assign(p_holm=p_holm, sure=p_holm < EDGES_SURE)


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


def _edges_table(question: Question, found: pd.DataFrame) -> Table:
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


def _edges_said(known: pd.DataFrame, words: str) -> str:
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
    note += (
        f"winning, and lose for want of time to do it. Sure, and coloured: p (Holm) < {EDGES_SURE}, over all things; "
    )
    note += "intervals are "
    note += "of each alone. " + " ".join(question.settings.get("note", ()))
    return note.strip()


BY = "by "
PERIODS = {"whole", "some"}  # roles of a share by period
EACH = "cases"
FLIPS_LEAST = 20  # games that tell of a period named in the answer


def flips(study: Study, question: Question) -> Section | None:
    """Stacked bars of what happened by cause: of all parts, of the last blows, of each part; a share by period of the game.

    Roles: `by CAUSE` (measures per seat and member: how often that cause did it), last (category per game, of the same causes,
    may be absent), whole and some (measures per game with one number per period: an amount, and what of it is looked at; may be
    absent). Settings: event (what the causes bring about, in the plural), last (the last one of a game), leave_out (categories
    of `last` that are none), some (words for that share), spans (word before a period's name).
    """
    causes = {role.removeprefix(BY): field for role, field in question.roles.items() if role.startswith(BY)}
    if not causes or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    event = question.settings.get("event", ("events",))[0]
    found = _causes(study, seats, causes, event)
    if not found["sum"].sum():
        return None
    last = _last(study, question, seats, list(causes))
    answer = _flips_said(found[found["part"] < 0], seats, event) + _said_last(last)
    word = study.teams.word
    caption = f"What brings about the {event} of all {study.teams.words} together"
    caption += f", the {_last_words(question)}" if len(last) else ""
    caption += f", and the {event} of each {word}; {at_seats(seats)} with {study.policy} in every seat."
    bars = pd.concat([found[found["part"] < 0], last, found[found["part"] >= 0]], ignore_index=True)
    drawn = bars.assign(n=bars["base"])
    alt = f"Stacked bars of the {event} by cause. {answer}"
    charts = [Chart(question.id, stacked(drawn, unit=EACH, order="given"), caption, alt)]
    tables = [_flips_table(question, bars, event)]
    if PERIODS.issubset(question.roles):
        said, chart, more = _periods(study, question, seats)
        answer, charts, tables = f"{answer} {said}", [*charts, chart], [*tables, more]
    note = f"All games count. Shares of the {event} are ratios over games, since those of one game hang together"
    note += f"; of the {_last_words(question)} Wilson intervals over games. n: games"
    note += "; of a period, those that have any of what it is a share of." if PERIODS.issubset(question.roles) else "."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _causes(study: Study, seats: int, causes: dict[str, str], event: str) -> pd.DataFrame:
    """Share of each cause by part, of all together (part -1) first, then those with most of the first cause."""
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(causes.values(), 1))
    values = frame[list(causes.values())].to_numpy(np.float64)
    total, game, part = values.sum(axis=1), frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    names = list(frame["name"].cat.categories)
    lines = []
    for number, cause in enumerate(causes):
        whole = rates(game, np.zeros(len(frame), np.int64), values[:, number], total)
        each = rates(game, part, values[:, number], total)
        lines.append(whole.assign(part=-1, name=f"all {event}", category=cause))
        lines.append(each.assign(part=np.arange(len(each)), name=names[: len(each)], category=cause))
    found = pd.concat(lines, ignore_index=True)
    found = found[found["base"] > 0].assign(low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    first = found[(found["category"] == next(iter(causes))) & (found["part"] >= 0)]
    rank = dict(zip(first["part"], first["estimate"].rank(ascending=False, method="first"), strict=True))
    order = found["part"].map(lambda one: 0.0 if one < 0 else rank[one])
    return found.assign(order=order).sort_values("order", kind="stable", ignore_index=True)


def _last(study: Study, question: Question, seats: int, causes: list[str]) -> pd.DataFrame:
    """Share of each cause among the last ones of the games; empty without them."""
    field = question.roles.get("last")
    if field is None:
        return pd.DataFrame()
    games = at(study.games_frame, seats)
    named = pd.Categorical([_last_words(question)] * len(games))
    found = category_shares(games.assign(name=named), [field], question.settings.get("leave_out", ()))
    found = found[found["n"] > 0].assign(category=found["category"].astype(str), name=found["name"].astype(str))
    rank = {cause: at for at, cause in enumerate(causes)}
    found = found.sort_values("category", key=lambda words: words.map(rank), kind="stable")
    return found.rename(columns={"count": "sum"}).assign(base=found["n"], part=-1)


def _last_words(question: Question) -> str:
    return question.settings.get("last", ("last ones",))[0]


def _flips_table(question: Question, bars: pd.DataFrame, event: str) -> Table:
    columns = {"name": "of", "category": "cause", "sum": "number", "estimate": "share", "low": "low", "high": "high"}
    return table(bars, question.id, f"{capital(event)} by cause", {**columns, "n": "n"}, {"number": "count"})


def _flips_said(whole: pd.DataFrame, seats: int, event: str) -> str:
    """The causes in order of their share."""
    ordered = whole.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    said = f"{capital(at_seats(seats))} {percent(top['estimate'])} of the {event} come by {top['category']} "
    said += interval(top["low"], top["high"], top["n"], "games")
    rest = [f"{rounded(row['estimate'])} by {row['category']}" for _, row in ordered.iloc[1:].iterrows()]
    return said + (f"; {listed(rest)}." if rest else ".")


def _said_last(last: pd.DataFrame) -> str:
    if last.empty:
        return ""
    ordered = last.sort_values("estimate", ascending=False, kind="stable")
    named = [
        f"{rounded(row['estimate'])} by {row['category']} ({100 * row['low']:.1f} to {percent(row['high'])})"
        for _, row in ordered.iterrows()
    ]
    return f" Of the {ordered['name'].iloc[0]}: {listed(named)}."


def _periods(study: Study, question: Question, seats: int) -> tuple[str, Chart, Table]:
    """Sentence, bars and table of a share by period."""
    whole, some = (study.measure(question.roles[role]) for role in ("whole", "some"))
    games = at(study.games_frame, seats)
    amount, base = numbers(games, some), numbers(games, whole)
    some_base = base.ravel() > 0  # the other games do not tell of that period
    game = np.repeat(games["game"].to_numpy(), len(whole.parts))[some_base]
    period = np.tile(np.arange(len(whole.parts)), len(games))[some_base]
    found = rates(game, period, amount.ravel()[some_base], base.ravel()[some_base])
    found = found.reindex(range(len(whole.parts))).fillna({"n": 0, "sum": 0, "base": 0}).assign(name=list(whole.parts))
    found = found.assign(low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    words = question.settings.get("some", (f"{some.label.lower()} of {whole.label.lower()}",))[0]
    known = found[found["n"] >= FLIPS_LEAST] if (found["n"] >= FLIPS_LEAST).any() else found[found["base"] > 0]
    spans = "".join(f"{one} " for one in question.settings.get("spans", ()))
    said = f"{capital(words)}: "
    named = [
        f"{percent(row['estimate'])} in {spans}{row['name']} {interval(row['low'], row['high'], row['n'], 'games')}"
        for _, row in known.iloc[[0, -1]].iterrows()
    ]
    said += " and ".join(dict.fromkeys(named)) + "."
    caption = f"{capital(words)} by period of the game, {at_seats(seats)} with {study.policy} in every seat."
    chart = shares(found.assign(n=found["n"].where(found["n"] > 0)), label=words, colour=AMBER)
    columns = {
        "name": "period",
        "sum": some.label.lower(),
        "base": whole.label.lower(),
        "estimate": "share",
        "low": "low",
    }
    formats: dict[str, Format] = {some.label.lower(): "count", whole.label.lower(): "count"}
    shown = table(found, f"{question.id}-periods", capital(words), {**columns, "high": "high", "n": "n"}, formats)
    return said, Chart(f"{question.id}-periods", chart, caption, f"Bars by period of the game. {said}"), shown
