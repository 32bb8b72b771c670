"""Report sections on what is associated with winning.

`by_flag`: win rates of seats with and without a flag. `edges`: whether the side with more of something wins. `flips`: what
brings each part down, what causes the last event of a game, and the share of an amount by period.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.charts import dumbbell, gains, scatter, shares, stacked
from analysis.charts.style import AMBER
from analysis.data import rows as clustered
from analysis.data.rows import rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import category_shares
from analysis.document.model import Chart, Format, Section, Table, highest, lowest, percent, points, table
from analysis.document.prose import amount, at_seats, capital, interval, listed, number_word, point_interval, rounded, some
from analysis.stats.intervals import LEVEL, adjust, differences
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all entrants
ALL = "all together"
ROWS = 30  # entrants in the chart; if there are more, those with the largest differences


def by_flag(study: Study, question: Question) -> Section | None:
    """Paired dots of the win rate with and without a flag, by entrant, and the difference; also what seats with the flag did.

    Roles: flag (per seat), did (optional second flag per seat). Settings: words (with the flag, without it, as in `won the
    roll` and `lost it`), did (words for the second flag, as in `goes first`).
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
    rates_ = _measured(frame, (key, flag), study.names)
    answer = _said(rates_, words, seats)
    tables = [_table(study, question, rates_, words)]
    if "did" in question.roles:
        did = _did(frame, (key, flag), question.roles["did"])
        deed = question.settings.get("did", ("does it",))[0]
        answer += f" {_said_did(did, words[0], deed)}"
        tables.append(_did_table(question, did, (words[0], deed)))
    figure = dumbbell(_drawn(rates_), words=words, label="win rate", change="difference, points")
    caption = f"Win rate of each {study.game.entrant_word} if it {words[0]} and if it {words[1]}, and the difference; "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    caption += f" Only the {ROWS} with the largest differences." if len(rates_) - 1 > ROWS else ""
    alt = f"Paired dots, a row per {study.game.entrant_word}. {answer}"
    note = "Finished games; a draw is half a win. Wilson intervals; games with shared dice that agree more than by chance "
    note += "count as fewer. Differences: Newcombe's intervals. Significant, and coloured: p (Holm) < "
    note += f"{SURE}, over all {study.game.entrants_word}; all together: against their fair share. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _measured(frame: pd.DataFrame, keyed: tuple[np.ndarray, np.ndarray], names: list[str]) -> pd.DataFrame:
    """Overall rates, then those of each entrant: name, first and second (with and without the flag), change, n, p_holm, sure.

    All together are compared with their fair share, each entrant with itself, because the two sides of a game are not two
    samples. first, second and change have bounds.
    """
    key, flag = keyed
    share, entrant = frame["share"].to_numpy(np.float64), frame["entrant"].to_numpy(np.int64)
    parts = []
    for group, called in ((np.zeros(len(frame), np.int64), [ALL]), (entrant, names)):
        both = [clustered.shares(key[side], group[side], share[side], len(called)) for side in (flag, ~flag)]
        gap = differences(*(side.assign(n=side["effective"]) for side in both))
        part = pd.DataFrame({"name": called})
        for word, side in zip(("first", "second"), both, strict=True):
            part = part.assign(**{word: side["estimate"], f"{word}_low": side["low"], f"{word}_high": side["high"]})
            part = part.assign(**{f"{word}_n": side["n"]})
        gap = gap.rename(columns={"low": "change_low", "high": "change_high"})
        part = pd.concat([part, gap], axis=1).assign(n=part["first_n"] + part["second_n"])
        part = part.assign(p=clustered.p_against(both[0], 1 / frame["seats"].iloc[0])) if called == [ALL] else part
        parts.append(part[(part["first_n"] > 0) & (part["second_n"] > 0)])
    whole, each = parts
    nothing = dict.fromkeys(("change", "change_low", "change_high"), np.nan)
    whole = whole.assign(**nothing, p_holm=whole["p"])
    each = each.assign(p_holm=adjust(each["p"]) if len(each) else np.nan)
    rates_ = pd.concat([whole, each], ignore_index=True)
    return rates_.assign(sure=rates_["p_holm"] < SURE)


def _drawn(rates_: pd.DataFrame) -> pd.DataFrame:
    """Rows of the chart: the entrants with the largest differences, in their order; all together if there are no others."""
    each = rates_.iloc[1:]
    far = each["change"].abs().nlargest(ROWS).index
    return each.loc[sorted(far)] if len(each) else rates_


def _did(frame: pd.DataFrame, keyed: tuple[np.ndarray, np.ndarray], field: str) -> pd.DataFrame:
    """Of seats with the flag: how many have the second one too, and the win rates with and without it."""
    key, flag = keyed
    did, share = frame[field].to_numpy(bool), frame["share"].to_numpy(np.float64)
    often = clustered.share(key[flag], did[flag].astype(np.float64))
    lines = [{"name": "share that does", **vars(often)}]
    for name, chosen in (("wins, having done so", flag & did), ("wins, not having done so", flag & ~did)):
        lines.append({"name": name, **vars(clustered.share(key[chosen], share[chosen]))})
    return pd.DataFrame(lines)


def _table(study: Study, question: Question, rates_: pd.DataFrame, words: tuple[str, ...]) -> Table:
    columns = {"name": study.game.entrant_word}
    for name, word in zip(("first", "second"), words, strict=True):
        columns |= {name: word, f"{name}_low": f"{word}, low", f"{name}_high": f"{word}, high"}
    columns |= {"change": "change", "change_low": "change low", "change_high": "change high", "p_holm": "p (Holm)", "n": "n"}
    shares = [heading for name, heading in columns.items() if name.startswith(("first", "second"))]
    formats: dict[str, Format] = dict.fromkeys(shares, "percent")
    return table(rates_, question.id, f"Win rate if it {words[0]} and if it {words[1]}", columns, formats)


def _did_table(question: Question, did: pd.DataFrame, words: tuple[str, str]) -> Table:
    columns = {"name": "what", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    known = did[did["n"] > 0]
    return table(known, f"{question.id}-did", f"If it {words[0]}: how often it {words[1]}", columns)


def _said(rates_: pd.DataFrame, words: tuple[str, ...], seats: int) -> str:
    """Overall win rate with the flag, and the entrants that it helps most and least."""
    whole, each = rates_.iloc[0], rates_.iloc[1:]
    text = f"{capital(at_seats(seats))} the side that {words[0]} wins {percent(whole['first'])} "
    text += f"{interval(whole['first_low'], whole['first_high'], whole['first_n'], 'games')}"
    text += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{text}."
    top, bottom, sure = highest(each, "change"), lowest(each, "change"), int(each["sure"].sum())
    text += f". It helps {top['name']} most, by {points(top['change'])} points "
    text += f"{point_interval(top['change_low'], top['change_high'])}, and {bottom['name']} least, by "
    text += f"{points(bottom['change'])} {point_interval(bottom['change_low'], bottom['change_high'])}; it is significant for "
    return text + f"{number_word(sure) if sure else 'none'} of {number_word(len(each))}."


def _said_did(did: pd.DataFrame, who: str, deed: str) -> str:
    """How many seats with the flag have the second one, and their win rates."""
    often, yes, no = (did.iloc[row_] for row_ in range(len(did)))
    text = f"The side that {who} {deed} in {percent(often['estimate'])} of the games "
    text += interval(often["low"], often["high"], often["n"], "games")
    shares_ = [
        f"{percent(row['estimate'])} of {words} {interval(row['low'], row['high'], row['n'], 'games')}"
        for words, row in (("those", yes), ("the others", no))
        if row["n"] > 0
    ]
    return f"{text} and wins {' and '.join(shares_)}."


SEATS, EVEN, EDGES_SURE = 2, 0.5, 0.05  # p-value adjusted over all things
LEAST = 30  # games in which the sides differ, at least
POINT = 100


@dataclass(frozen=True)
class Duels:
    """Finished games of two seats. pairing: number of the two entrants that met, in a fixed order."""

    key: np.ndarray  # games that share their dice have the same key
    share: np.ndarray  # of the win of seat 0
    pairing: np.ndarray
    turned: np.ndarray  # the later entrant of the pairing has seat 0


def edges(study: Study, question: Question) -> Section | None:
    """Scatter of the amount of each thing against the win rate of the side with more of it, and the change per unit more.

    Roles: words for a group of things -> measure per seat, each number of which is a thing. Settings: against (words of the
    roles that count what a seat suffers, which belong to the other side); words of a role -> words for the thing, if it is one
    number; note (words for the note).
    """
    if not question.roles or not study.contests or contest(study) != SEATS:
        return None
    frame = finished(study.seats_frame, SEATS)
    if frame.empty:
        return None
    things = _edges_measured(study, question, frame)
    known = things[things["estimate"].notna() & things["change"].notna()] if len(things) else things
    if known.empty:
        return None
    answer = _edges_said(known, study.game.entrants_word)
    return Section(
        question.id,
        question.text,
        answer,
        _charts(study, question, known, answer),
        (_edges_table(question, things),),
        _note(question),
    )


def _edges_measured(study: Study, question: Question, frame: pd.DataFrame) -> pd.DataFrame:
    """One row per thing; see the columns of `_line`. p adjusted over all (Holm)."""
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
    things = pd.DataFrame(lines)
    if things.empty:
        return things
    p_holm = adjust(things["p"])
    return things.assign(p_holm=p_holm, sure=p_holm < EDGES_SURE)


def _duels(study: Study, frame: pd.DataFrame) -> Duels:
    entrant = frame["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    game = frame["game"].to_numpy(np.int64)[::SEATS]
    pairing = entrant.min(axis=1) * len(study.names) + entrant.max(axis=1)
    share = frame["share"].to_numpy(np.float64)[::SEATS]
    return Duels(study.main(SEATS).pair_of(game), share, pairing, entrant[:, 0] > entrant[:, 1])


def _line(both: np.ndarray, duels: Duels) -> dict[str, float]:
    """Amount per seat (x), win rate of the side with more (estimate), and change of the win share per unit more (change)."""
    mean = rates(duels.key, np.zeros(len(both), np.int64), both.sum(axis=1), np.full(len(both), float(SEATS))).iloc[0]
    gap = both[:, 0] - both[:, 1]
    apart = gap != 0
    facts = {"x": mean["estimate"], "x_low": mean["low"], "x_high": mean["high"], "games": len(both), "tied": 1 - apart.mean()}
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
    """Least squares slope of the win share on the gap within pairings, and its error by clusters (Liang and Zeger 1986).

    Every game is viewed from the side of the earlier entrant of its pairing, and both variables are centred within pairings, so
    that the strength of the entrants has no effect.
    """
    side = np.where(duels.turned, -1.0, 1.0)
    x, y = side * gap, side * (duels.share - EVEN)
    pairing = np.unique(duels.pairing, return_inverse=True)[1]
    games = np.bincount(pairing)
    x, y = (values - (np.bincount(pairing, values) / games)[pairing] for values in (x, y))
    whole = float(x @ x)
    if not whole:
        return float("nan"), float("nan")
    slope = float(x @ y) / whole
    cluster = np.unique(duels.key, return_inverse=True)[1]
    scores = np.bincount(cluster, x * (y - slope * x))
    return slope, float(np.sqrt(scores @ scores)) / whole


def _charts(study: Study, question: Question, known: pd.DataFrame, answer: str) -> tuple[Chart, ...]:
    """Scatter of all things, and dots of the change per unit more of each."""
    drawn = known.rename(columns={"name": "label", "panel": "group", "estimate": "y", "low": "y_low", "high": "y_high"})
    cloud = scatter(drawn, x_label="per seat and game", y_label="the side with more of it wins", x_percent=False, y_percent=True)
    where = f"{capital(at_seats(SEATS))}, with {study.policy} in both seats."
    first = f"Amount of each thing, and how often the side with more of it wins. {where}"
    columns = {"change_low": "low", "change_high": "high"}
    rows = known[["panel", "name", "change", "change_low", "change_high", "games", "sure"]].rename(columns=columns)
    rows = rows.assign(n=rows["games"]).sort_values("change", ascending=False, kind="stable")
    rows = pd.concat([rows[rows["panel"] == panel] for panel in dict.fromkeys(known["panel"])], ignore_index=True)
    beside = gains(rows, counts=("games", "Games: all finished ones, compared within pairings."), bars=True)
    second = f"Change of the win share, in points, for each one that a side has more than the other. {where}"
    alts = ("Labelled dots of amount against win share of the side with more.", "Bars of points of the win share per unit.")
    figures = ((question.id, cloud, first, alts[0]), (f"{question.id}-each", beside, second, alts[1]))
    return tuple(Chart(id_, figure, caption, f"{alt} {answer}") for id_, figure, caption, alt in figures)


def _edges_table(question: Question, things: pd.DataFrame) -> Table:
    columns = {"panel": "kind", "name": "thing", "unit": "unit", "x": "per seat and game", "x_low": "from", "x_high": "to"}
    columns |= {"tied": "both alike", "estimate": "side with more wins", "low": "low", "high": "high", "n": "n"}
    columns |= {"change": "one more goes with", "change_low": "change low", "change_high": "change high"}
    columns |= {"p_holm": "p (Holm)", "games": "n (change)"}
    formats: dict[str, Format] = {"from": "number", "to": "number", "both alike": "percent", "n (change)": "count"}
    formats |= {"side with more wins": "percent", "one more goes with": "points"}
    return table(things, question.id, "Who has more of it, and who wins", columns, formats)


def _edges_said(known: pd.DataFrame, words: str) -> str:
    """By kind: the things most and least associated with winning; and those that are significant."""
    sentences = []
    for kind, part in known.groupby("panel", sort=False):
        top, bottom = highest(part, "change"), lowest(part, "change")
        line = _one(top, "most" if len(part) > 1 else "", words)
        line += f"; {_one(bottom, 'least', words)}" if len(part) > 1 else ""
        sentences.append(f"{capital(str(kind))}: {line}.")
    sure = known[known["sure"]]
    good, bad = sure[sure["change"] > 0], sure[sure["change"] < 0]
    text = f"Of {some(len(known), 'thing')}, more goes with significantly more wins for {listed(list(good['name'])) or 'none'}"
    text += f", and with fewer for {listed(list(bad['name']))}" if len(bad) else ""
    return f"{' '.join(sentences)} {text}. These are associations, not causes."


def _one(row: pd.Series, how: str, words: str) -> str:
    """One thing in words. how: compared with the others of its kind; words: noun for entrants."""
    text = f"{row['name']} ({amount(row['x'])} per seat and game) goes {how} with winning: " if how else ""
    text += f"the side with more of it wins {percent(row['estimate'])} "
    text += f"{interval(row['low'], row['high'], row['n'], 'games')}, and between the same two {words} each one more goes with "
    return text + f"{points(row['change'])} points {point_interval(row['change_low'], row['change_high'])}"


def _note(question: Question) -> str:
    """What the numbers mean, and what they do not."""
    note = "Finished games. Side with more of it: games in which both have the same amount are left out; games with shared dice "
    note += "that agree more than by chance count as fewer (Wilson intervals). One more goes with: least squares of the win "
    note += "share on the difference between the sides, within pairings of the same two entrants, so that the strength of an "
    note += "entrant that does much of it does not count; errors by clusters. A side may do more of something because it is "
    note += f"winning, or less because it has no time. Significant, and coloured: p (Holm) < {EDGES_SURE}, over all things; "
    note += "intervals are not adjusted. " + " ".join(question.settings.get("note", ()))
    return note.strip()


BY = "by "
PERIODS = {"whole", "some"}  # roles of a share by period
EACH = "cases"
FLIPS_LEAST = 20  # games with data on a period that the answer names, at least


def flips(study: Study, question: Question) -> Section | None:
    """Stacked bars of events by cause: of all parts, of the last events, of each part; and a share by period of the game.

    Roles: `by CAUSE` (measures per seat and member: number of events by that cause), last (optional category per game, of the
    same causes), whole and some (optional measures per game with one number per period: an amount, and the part of it of
    interest). Settings: event (what the causes bring about, plural), last (words for the last one of a game), leave_out
    (categories of `last` that are not events), some (words for that share), spans (word before the name of a period).
    """
    causes = {role.removeprefix(BY): field for role, field in question.roles.items() if role.startswith(BY)}
    if not causes or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    event = question.settings.get("event", ("events",))[0]
    shares_ = _causes(study, seats, causes, event)
    if not shares_["sum"].sum():
        return None
    last = _last(study, question, seats, list(causes))
    answer = _flips_said(shares_[shares_["part"] < 0], seats, event) + _said_last(last)
    word = study.teams.word
    caption = f"Causes of the {event} of all {study.teams.words} together"
    caption += f", the {_last_words(question)}" if len(last) else ""
    caption += f", and the {event} of each {word}; {at_seats(seats)} with {study.policy} in every seat."
    bars = pd.concat([shares_[shares_["part"] < 0], last, shares_[shares_["part"] >= 0]], ignore_index=True)
    drawn = bars.assign(n=bars["base"])
    alt = f"Stacked bars of the {event} by cause. {answer}"
    charts = [Chart(question.id, stacked(drawn, unit=EACH, order="given"), caption, alt)]
    tables = [_flips_table(question, bars, event)]
    if PERIODS.issubset(question.roles):
        sentence, chart, more = _periods(study, question, seats)
        answer, charts, tables = f"{answer} {sentence}", [*charts, chart], [*tables, more]
    note = f"All games count. Shares of the {event} are ratios over games, because those of a game are correlated"
    note += f"; the {_last_words(question)} have Wilson intervals over games. n: games"
    note += "; for a period, those with any of the whole amount." if PERIODS.issubset(question.roles) else "."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _causes(study: Study, seats: int, causes: dict[str, str], event: str) -> pd.DataFrame:
    """Share of each cause by part: all together (part -1) first, then those with most of the first cause."""
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
    shares_ = pd.concat(lines, ignore_index=True)
    shares_ = shares_[shares_["base"] > 0].assign(low=shares_["low"].clip(lower=0), high=shares_["high"].clip(upper=1))
    first = shares_[(shares_["category"] == next(iter(causes))) & (shares_["part"] >= 0)]
    rank = dict(zip(first["part"], first["estimate"].rank(ascending=False, method="first"), strict=True))
    order = shares_["part"].map(lambda number_: 0.0 if number_ < 0 else rank[number_])
    return shares_.assign(order=order).sort_values("order", kind="stable", ignore_index=True)


def _last(study: Study, question: Question, seats: int, causes: list[str]) -> pd.DataFrame:
    """Share of each cause among the last events of the games; empty without them."""
    field = question.roles.get("last")
    if field is None:
        return pd.DataFrame()
    games = at(study.games_frame, seats)
    named = pd.Categorical([_last_words(question)] * len(games))
    shares_ = category_shares(games.assign(name=named), [field], question.settings.get("leave_out", ()))
    shares_ = shares_[shares_["n"] > 0].assign(category=shares_["category"].astype(str), name=shares_["name"].astype(str))
    rank = {cause: place for place, cause in enumerate(causes)}
    shares_ = shares_.sort_values("category", key=lambda words: words.map(rank), kind="stable")
    return shares_.rename(columns={"count": "sum"}).assign(base=shares_["n"], part=-1)


def _last_words(question: Question) -> str:
    return question.settings.get("last", ("last ones",))[0]


def _flips_table(question: Question, bars: pd.DataFrame, event: str) -> Table:
    columns = {"name": "of", "category": "cause", "sum": "number", "estimate": "share", "low": "low", "high": "high"}
    return table(bars, question.id, f"{capital(event)} by cause", {**columns, "n": "n"}, {"number": "count"})


def _flips_said(whole: pd.DataFrame, seats: int, event: str) -> str:
    """Causes in order of their share."""
    ordered = whole.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    text = f"{capital(at_seats(seats))} {percent(top['estimate'])} of the {event} are by {top['category']} "
    text += interval(top["low"], top["high"], top["n"], "games")
    rest = [f"{rounded(row['estimate'])} by {row['category']}" for _, row in ordered.iloc[1:].iterrows()]
    return text + (f"; {listed(rest)}." if rest else ".")


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
    some_base = base.ravel() > 0  # other games have no data on that period
    game = np.repeat(games["game"].to_numpy(), len(whole.parts))[some_base]
    period = np.tile(np.arange(len(whole.parts)), len(games))[some_base]
    shares_ = rates(game, period, amount.ravel()[some_base], base.ravel()[some_base])
    shares_ = shares_.reindex(range(len(whole.parts))).fillna({"n": 0, "sum": 0, "base": 0}).assign(name=list(whole.parts))
    shares_ = shares_.assign(low=shares_["low"].clip(lower=0), high=shares_["high"].clip(upper=1))
    words = question.settings.get("some", (f"{some.label.lower()} of {whole.label.lower()}",))[0]
    known = shares_[shares_["n"] >= FLIPS_LEAST] if (shares_["n"] >= FLIPS_LEAST).any() else shares_[shares_["base"] > 0]
    spans = "".join(f"{word} " for word in question.settings.get("spans", ()))
    text = f"{capital(words)}: "
    named = [
        f"{percent(row['estimate'])} in {spans}{row['name']} {interval(row['low'], row['high'], row['n'], 'games')}"
        for _, row in known.iloc[[0, -1]].iterrows()
    ]
    text += " and ".join(dict.fromkeys(named)) + "."
    caption = f"{capital(words)} by period of the game, {at_seats(seats)} with {study.policy} in every seat."
    chart = shares(shares_.assign(n=shares_["n"].where(shares_["n"] > 0)), label=words, colour=AMBER)
    columns = {"name": "period", "sum": some.label.lower(), "base": whole.label.lower(), "estimate": "share", "low": "low"}
    formats: dict[str, Format] = {some.label.lower(): "count", whole.label.lower(): "count"}
    shown = table(shares_, f"{question.id}-periods", capital(words), {**columns, "high": "high", "n": "n"}, formats)
    return text, Chart(f"{question.id}-periods", chart, caption, f"Bars by period of the game. {text}"), shown
