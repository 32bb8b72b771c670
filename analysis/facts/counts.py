"""Report sections on how often things happen, by entrant, source and place.

`abilities`: which parts of an entrant are used, and what a use achieves. `per_game`: several quantities per game or per
opportunity. `shuffled`: who uses what is shuffled into a shared deck, and who wins then. `split`: the parts of a whole.
`sources`: where points come from. `board`: places where entrants fall and where their turns end.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.charts import amounts, dots, dumbbell, scatter, shares
from analysis.charts import board as board_chart
from analysis.charts.style import CATEGORIES
from analysis.data.rows import TOTAL, means, rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import use_and_effect
from analysis.document.model import Chart, Format, Section, Table, count, highest, lowest, percent, points, table
from analysis.document.prose import (
    amount,
    article,
    at_seats,
    capital,
    interval,
    listed,
    number_word,
    point_interval,
    quantity,
    rounded,
    size,
    some,
)
from analysis.stats.intervals import adjust, proportions, ratio, ratios
from sim.engine.measures import Measure, Question
from sim.run import Replay

SELDOM = 0.05  # of the uses of an entrant: a part below this is hardly used
LEAST_USES = 30  # uses that an effect per use needs to be named in the answer


def abilities(study: Study, question: Question) -> Section | None:
    """Scatter of use rate against effect per use, one chart per effect, at most seats.

    Roles: uses, effect and optionally second: measures with one value per part. Settings: part (word for a part).
    """
    roles = question.roles
    if "uses" not in roles or "effect" not in roles:
        return None
    most = max(study.seats)
    effects = [study.measure(roles[role]) for role in ("effect", "second") if role in roles]
    charts, tables, answers = [], [], []
    for place, measure in enumerate(effects):
        whole = pd.concat([_used(study, seats, roles["uses"], measure) for seats in study.seats], ignore_index=True)
        frame = whole[(whole["seats"] == most) & (whole["uses"] > 0)].reset_index(drop=True)
        if frame.empty:
            return None
        answers.append(_said(frame, measure, most))
        label = f"{measure.label.lower()} per use"
        dots = frame.rename(columns={"use_rate": "x", "effect": "y", "effect_low": "y_low", "effect_high": "y_high"})
        dots = dots.drop(columns="n").assign(label=frame["part_name"], group=frame["name"].astype(str), n=frame["uses"])
        x_label = f"share of the {study.game.entrant_word}'s uses"
        name = question.id if place == 0 else f"{question.id}-{measure.field.replace('_', '-')}"
        caption = f"{measure.label} per use of {article(_part_word(question))} by how often its "
        caption += f"{study.game.entrant_word} uses it, {at_seats(most)} with {study.policy} in every seat."
        chart = scatter(dots, x_label=x_label, y_label=label)
        charts.append(Chart(name, chart, caption, f"Scatter of use rate and {label}. {answers[-1]}"))
        tables.append(_table(study, question, whole, measure, name))
    answers.append(_seldom(frame, study, most))
    note = "Intervals are those of ratios over games, because the uses in a game are correlated. "
    note += "Parts that are never used by choice (passives) are not shown."
    return Section(question.id, question.text, " ".join(filter(None, answers)), tuple(charts), tuple(tables), note)


def _used(study: Study, seats: int, uses: str, measure: Measure) -> pd.DataFrame:
    """Use and effect at a number of seats, with the names of parts on the entrant's card."""
    parts = len(measure.parts)
    frame = use_and_effect(finished(study.seats_frame, seats), uses, measure.field, measure.parts)
    named = [study.part_names(entrant, parts)[part] for entrant, part in zip(frame["entrant"], frame["part"], strict=True)]
    return frame.assign(seats=seats, part_name=named)


def _table(study: Study, question: Question, whole: pd.DataFrame, measure: Measure, name: str) -> Table:
    unit = f"{measure.unit} per use" if measure.unit else "per use"
    columns = {"seats": "seats", "name": study.game.entrant_word, "part_name": _part_word(question), "uses": "uses"}
    columns |= {"use_rate": "share of uses", "use_low": "uses low", "use_high": "uses high", "effect": unit}
    columns |= {"effect_low": "effect low", "effect_high": "effect high", "n": "n"}
    formats: dict[str, Format] = {"uses": "count", "effect low": "number", "effect high": "number"}
    return table(whole, name, f"Use and {measure.label.lower()}", columns, formats)


def _part_word(question: Question) -> str:
    """Word for a part of an entrant, e.g. ability or card."""
    return question.settings.get("part", ("option",))[0]


def _said(frame: pd.DataFrame, measure: Measure, seats: int) -> str:
    """Part with the largest effect per use, and the median of all."""
    enough = frame[frame["uses"] >= LEAST_USES]
    known = enough if len(enough) else frame
    top = highest(known, "effect")
    text = f"{measure.label} {at_seats(seats)}: most per use by {top['name']}'s {top['part_name']}, {amount(top['effect'])} "
    text += f"(95 % interval {amount(top['effect_low'])} to {amount(top['effect_high'])}), which makes up "
    text += f"{percent(top['use_rate'], 0)} of {top['name']}'s uses"
    middle = float(known["effect"].median())
    return text + f"; the median of all is {amount(middle)}."


def _seldom(frame: pd.DataFrame, study: Study, seats: int) -> str:
    """Parts that are hardly used."""
    rare = frame[frame["use_rate"] < SELDOM].sort_values("use_rate")
    if rare.empty:
        text = f"Every part has at least {percent(SELDOM, 0)} of the uses of its {study.game.entrant_word}"
        return f"{text} {at_seats(seats)}."
    names = [f"{row['name']}'s {row['part_name']} ({percent(row['use_rate'])})" for _, row in rare.iterrows()]
    return f"Hardly used {at_seats(seats)}, below {percent(SELDOM, 0)} of the uses: {listed(names)}."


ALL = "all together"
ROWS = 24  # entrants in the chart; if there are more, those with most and fewest of the first quantity
SMALL = 0.1  # smaller values get a third decimal
FORMATS: dict[str, Format] = {"low": "number", "high": "number"}


def per_game(study: Study, question: Question) -> Section | None:
    """Dots of several quantities by entrant, one panel each, at the smallest number of seats with an opponent.

    Roles: words for a quantity (`blocks per game`) -> measure per seat, summed if it has several numbers. Settings: words of a
    role -> the measure to divide by (`damage prevented per block`), which must be among the roles too; hidden (roles that only
    divide others); told (roles in the sentences, default all); note (words for the note).
    """
    if not question.roles or not study.contests:
        return None
    rows = quantities(study, question)
    if rows.empty:
        return None
    answer = said(question, rows)
    note = note_of(question)
    return Section(
        question.id, question.text, answer, (chart_of(study, question, rows),), (table_of(study, question, rows),), note
    )


def quantities(study: Study, question: Question) -> pd.DataFrame:
    """One row per quantity and entrant, with the total over entrants last: panel, name, estimate, low, high, n, sum, base."""
    frame = at(study.seats_frame, contest(study))
    if frame.empty:
        return pd.DataFrame()
    game, entrant = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64)
    names = study.names
    tables = []
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
        tables.append(both.assign(panel=words))
    return pd.concat(tables, ignore_index=True)


def _of(study: Study, frame: pd.DataFrame, field: str) -> np.ndarray:
    """Values of a measure by seat, summed if it has several numbers."""
    return np.asarray(np.nan_to_num(numbers(frame, study.measure(field))).sum(axis=1))


def chart_of(study: Study, question: Question, rows: pd.DataFrame, id_: str = "") -> Chart:
    """Dots of all quantities."""
    each = rows[rows["name"] != ALL]
    first = each[each["panel"] == each["panel"].iloc[0]].sort_values("estimate", ascending=False, kind="stable")
    kept = list(first["name"])
    kept = kept if len(kept) <= ROWS else [*kept[: ROWS // 2], *kept[-(ROWS // 2) :]]
    rank = {name: place for place, name in enumerate(kept)}
    drawn = each[each["name"].isin(kept)].assign(rank=lambda part: part["name"].map(rank))
    drawn = drawn.assign(order=pd.factorize(drawn["panel"])[0]).sort_values(["order", "rank"], kind="stable")
    caption = f"{capital(listed(list(dict.fromkeys(each['panel']))))}, by {study.game.entrant_word}, "
    caption += f"{at_seats(contest(study))} with {study.policy} in every seat; separate scales, from zero."
    caption += f" Shown are the {ROWS} with most and fewest of the first quantity." if len(first) > ROWS else ""
    alt = f"Dots with intervals, a panel per quantity, a row per {study.game.entrant_word}. {said(question, rows)}"
    return Chart(id_ or question.id, dots(drawn), caption, alt)


def table_of(study: Study, question: Question, rows: pd.DataFrame, id_: str = "") -> Table:
    """Table of every quantity by entrant."""
    columns = {"panel": "what", "name": study.game.entrant_word, "estimate": "mean", "low": "low", "high": "high"}
    return table(rows, id_ or question.id, "What is done", {**columns, "n": "n"}, FORMATS)


def said(question: Question, rows: pd.DataFrame) -> str:
    """Each quantity over all entrants, and the entrants with most and least of it."""
    wanted = question.settings.get("told", tuple(dict.fromkeys(rows["panel"])))
    sentences = []
    for words, part in rows.groupby("panel", sort=False):
        if words not in wanted or not np.isfinite(part["estimate"].iloc[-1]):
            continue
        whole, each = part.iloc[-1], part.iloc[:-1]
        line = f"{capital(str(words))}: {_short(whole['estimate'])} "
        bounds = f"95 % interval {_bounds(whole)}, " if whole["low"] <= whole["high"] else ""
        line += f"({bounds}{size(whole['n'])} games)"
        known = each[each["estimate"].notna()]
        if len(known) > 1 and known["estimate"].max() > known["estimate"].min():
            top, bottom = highest(known, "estimate"), lowest(known, "estimate")
            line += f"; most with {top['name']}, {_short(top['estimate'])} ({_bounds(top)}), least with {bottom['name']}, "
            line += f"{_short(bottom['estimate'])} ({_bounds(bottom)})"
        sentences.append(f"{line}.")
    return " ".join(sentences)


def _bounds(row: pd.Series) -> str:
    """Interval of a mean, if known."""
    return f"{_short(row['low'])} to {_short(row['high'])}" if row["low"] <= row["high"] else "no interval"


def _short(value: float) -> str:
    """Quantity with at most three significant digits, a small one with three decimals."""
    return amount(value) if not 0 < abs(value) < SMALL else f"{value:.3f}"


def note_of(question: Question) -> str:
    """How the quantities were counted."""
    note = "All games, including stopped ones. Means are per seat and game; a quantity per something is the sum of one over "
    note += "the sum of the other. Intervals are those of ratios over games, because the seats of a game are correlated; "
    note += "n: games. " + " ".join(question.settings.get("note", ()))
    return note.strip()


USERS = ("used by its owner", "used by the opponent")
SURE = 0.05  # p-value adjusted over all parts


def shuffled(study: Study, question: Question) -> Section | None:
    """Dumbbells, one per part that shuffles something in: share of copies used by either side, and the difference in wins.

    Roles, measures per seat and member: shuffled (copies), owner and other (copies used by each), thrown and triggered
    (optional: copies thrown away, tokens spent). Settings: thing (what is shuffled in, plural), named (optional: table of the
    card file with the parts, and the table with the names of the things; each part has a key with that table's name for its
    thing).
    """
    roles = question.roles
    if not {"shuffled", "owner", "other"} <= set(roles) or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    uses = _uses(study, seats, roles)
    uses = uses[uses["copies"] > 0]
    if uses.empty:
        return None
    thing = question.settings.get("thing", ("copies",))[0]
    uses = uses.assign(name=_names(study, uses["part"].tolist(), question.settings.get("named", ())))
    p_holm = adjust(uses["p"])
    uses = uses.assign(p_holm=p_holm, sure=p_holm < SURE).sort_values("change", ascending=False, na_position="last")
    answer = _shuffled_said(uses, thing, seats)
    caption = f"Left: how often the owner and the opponent use a copy of the {thing} that is shuffled in. "
    caption += f"Right: win share of teams with that {study.unit_word} in games in which it was shuffled in, less their win "
    caption += f"share in the other games. {capital(at_seats(seats))}, with {study.policy} in every seat."
    figure = dumbbell(
        uses, words=USERS, label="share of copies shuffled in", change="wins if shuffled in less wins if not, points"
    )
    alt = f"Pairs of dots of the uses by owner and opponent, and the difference in wins. {answer}"
    note = "The difference shows selection, not cause: a player who is ahead, lives longer or holds the right cards also "
    note += "shuffles more in, and longer games have more of it. A copy can come back and be shuffled in again; copies "
    note += "that are neither used nor thrown away stay in the deck or in hands. Uses: all games, ratios over games. "
    note += f"Wins: finished games, Newcombe's interval; coloured where p (Holm) < {SURE}. "
    note += f"n: games with that {study.unit_word}."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (_shuffled_table(uses, roles, thing, question.id),), note)


def _uses(study: Study, seats: int, roles: Mapping[str, str]) -> pd.DataFrame:
    """One row per part: copies, n, first and second (uses per copy by owner and opponent), thrown, triggered, and the wins."""
    assert study.teams is not None
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(roles.values(), 1))
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = range(study.teams.parts)
    copies = frame[roles["shuffled"]].to_numpy()
    facts: dict[str, Any] = {"part": every}
    for word, role in (("first", "owner"), ("second", "other"), ("thrown", "thrown"), ("triggered", "triggered")):
        if role in roles:
            per_copy = rates(game, part, frame[roles[role]].to_numpy(), copies).reindex(every)
            facts |= {word: per_copy["estimate"], f"{word}_low": per_copy["low"].clip(lower=0), f"{word}_high": per_copy["high"]}
            facts |= {"copies": per_copy["base"].fillna(0), "n": per_copy["n"].fillna(0).astype(int)}
    ended = frame["finished"].to_numpy(bool)
    wins = _wins(part[ended], frame["share"].to_numpy(np.float64)[ended], copies[ended] > 0, study.teams.parts)
    return pd.concat([pd.DataFrame(facts), wins], axis=1)


def _wins(part: np.ndarray, share: np.ndarray, had: np.ndarray, parts: int) -> pd.DataFrame:
    """Win share of the teams of each part with and without it, and the difference (Newcombe 1998, method 10; score test)."""
    sides = []
    for side in (had, ~had):
        n = np.bincount(part[side], minlength=parts)
        sides.append(proportions(np.bincount(part[side], share[side], parts).clip(0, n), n))
    have, lack = sides
    change = have["estimate"] - lack["estimate"]
    low = change - np.hypot(have["estimate"] - have["low"], lack["high"] - lack["estimate"])
    high = change + np.hypot(have["high"] - have["estimate"], lack["estimate"] - lack["low"])
    both = (have["estimate"] * have["n"] + lack["estimate"] * lack["n"]) / (have["n"] + lack["n"])
    error = np.sqrt(both * (1 - both) * (1 / have["n"].where(have["n"] > 0) + 1 / lack["n"].where(lack["n"] > 0)))
    p = np.where(
        error > 0, 2 * stats.norm.sf((change.abs() / error.where(error > 0)).to_numpy()), np.where(change.isna(), np.nan, 1)
    )
    wins = {"have": have["estimate"], "lack": lack["estimate"], "n_have": have["n"], "n_lack": lack["n"], "p": p}
    return pd.DataFrame({**wins, "change": change, "change_low": low, "change_high": high})


def _names(study: Study, parts: Sequence[int], named: Sequence[str]) -> list[str]:
    """Names of the parts, preceded by the name of what each shuffles in if the card file has it."""
    if not named:
        return [study.units[part] for part in parts]
    owners, things = named
    words = {line["id"]: str(line.get("name", line["id"])) for line in study.cards.document.get(things, ())}
    lines = study.cards.document.get(owners, ())
    things_of_parts = [next(_values(lines[part], things), "") if part < len(lines) else "" for part in parts]
    return [
        f"{words[thing]} ({study.units[part]})" if thing in words else study.units[part]
        for part, thing in zip(parts, things_of_parts, strict=True)
    ]


def _values(node: Any, key: str) -> Any:
    """Values of a key anywhere in a part of a document."""
    if isinstance(node, Mapping):
        if key in node:
            yield node[key]
        node = list(node.values())
    if isinstance(node, (list, tuple)):
        for child in node:
            yield from _values(child, key)


def _shuffled_table(uses: pd.DataFrame, roles: Mapping[str, str], thing: str, name: str) -> Table:
    columns = {
        "name": thing.removesuffix("s"),
        "copies": "shuffled in",
        "first": USERS[0],
        "first_low": "owner, low",
        "first_high": "owner, high",
    }
    columns |= {"second": USERS[1], "second_low": "opponent, low", "second_high": "opponent, high"}
    columns |= {role: f"{role}, per copy" for role in ("thrown", "triggered") if role in roles}
    columns |= {"have": "wins if shuffled in", "lack": "wins if not", "change": "difference"}
    columns |= {
        "change_low": "difference low",
        "change_high": "difference high",
        "p_holm": "p (Holm)",
        "n_have": "n (shuffled in)",
        "n_lack": "n (not)",
        "n": "n",
    }
    formats: dict[str, Format] = {
        heading: "percent" for heading in columns.values() if heading.startswith(("used", "owner", "opp"))
    }
    formats |= {"shuffled in": "count", "n (shuffled in)": "count", "n (not)": "count", "wins if shuffled in": "percent"}
    formats |= {"wins if not": "percent", "thrown, per copy": "percent"}
    formats |= dict.fromkeys(("difference", "difference low", "difference high"), "points")
    return table(uses, name, f"{capital(thing)} and who uses them", columns, formats)


def _shuffled_said(uses: pd.DataFrame, thing: str, seats: int) -> str:
    """Parts whose copies are used most by the owner and least, and the largest difference in wins."""
    apart = uses.assign(apart=uses["first"] - uses["second"])
    top, bottom = highest(apart, "apart"), lowest(apart, "apart")
    text = f"{capital(at_seats(seats))}, of the {thing} {top['name']} serves its owner most: {percent(top['first'])} "
    text += f"of the copies {interval(top['first_low'], top['first_high'], top['n'], 'games')} are used by the owner and "
    text += f"{percent(top['second'])} by the opponent"
    if len(uses) > 1:
        text += f"; {bottom['name']} serves it least, {percent(bottom['first'])} against {percent(bottom['second'])}"
    known = uses[uses["change"].notna()]
    if known.empty:
        return f"{text}."
    best = highest(known, "change", size=True)
    text += ". The win share differs most between games with and without the shuffling for "
    text += f"{best['name']}: {points(best['change'])} points "
    text += f"{point_interval(best['change_low'], best['change_high'])}"
    signs = [int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)]
    above, below = (number_word(number) if number else "none" for number in signs)
    text += f". Of {some(len(known), 'difference')}, {above} {'is' if signs[0] == 1 else 'are'} significantly "
    return f"{text}above and {below} significantly below zero (Holm)."


PARTS = "parts"


def split(study: Study, question: Question) -> Section | None:
    """Bars of the share of each part in the whole, with intervals, at the smallest number of seats with an opponent.

    Roles: parts (measure per game or per seat, each number of which is a part of the whole); any other role is the name of a
    further part and its measure, per seat or game like the first, summed over its numbers. Settings: whole (e.g. `the damage`),
    verb (before the name of a part, as in `of the damage is blocked`), note (words for the note).
    """
    if PARTS not in question.roles or not study.contests:
        return None
    seats, main = contest(study), study.measure(question.roles[PARTS])
    whole = study.games_frame if main.per == "game" else study.seats_frame
    frame = at(whole, seats)
    more = {words.replace("_", " "): field for words, field in question.roles.items() if words != PARTS}
    values = np.column_stack(
        [numbers(frame, main), *(numbers(frame, study.measure(field)).sum(axis=1) for field in more.values())]
    )
    names = [*main.parts, *more]
    total = values.sum(axis=1)
    if not total.sum():
        return None
    game, group = frame["game"].to_numpy(), np.zeros(len(frame), np.int64)
    shares_ = pd.concat([rates(game, group, values[:, part], total) for part in range(len(names))], ignore_index=True)
    shares_ = shares_.assign(name=names, low=shares_["low"].clip(lower=0), high=shares_["high"].clip(upper=1))
    thing = question.settings.get("whole", (f"the {main.unit or main.label.lower()}",))[0]
    answer = _split_said(shares_, seats, f"{thing} {question.settings.get('verb', (_verb(thing),))[0]}")
    caption = f"Shares of {thing}, {at_seats(seats)} with {study.policy} in every seat; all games together."
    chart = shares(shares_, label=f"share of {thing}")
    columns = {"name": "part", "sum": main.unit or "number", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    shown = table(shares_, question.id, f"Shares of {thing}", columns, {main.unit or "number": "count"})
    note = "All games count, including stopped ones. Intervals are those of ratios over games, because events in a game "
    note += "are correlated; n: games. " + " ".join(question.settings.get("note", ()))
    alt = f"Bars of the shares of {thing}. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note.strip())


def _split_said(shares_: pd.DataFrame, seats: int, whole: str) -> str:
    """All shares, the largest first. whole: words for the whole, and the verb."""
    ordered = shares_.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    text = f"{capital(at_seats(seats))} {percent(top['estimate'])} of {whole} {top['name']} "
    text += interval(top["low"], top["high"], top["n"], "games")
    rest = [
        f"{rounded(row['estimate'])} {row['name']} ({100 * row['low']:.1f} to {percent(row['high'])})"
        for _, row in ordered.iloc[1:].iterrows()
    ]
    return f"{text}; {listed(rest)}." if rest else f"{text}."


def _verb(thing: str) -> str:
    return "are" if thing.endswith("s") else "is"


SIDES = ("losers", "winners")  # a seat that shares in the win is a winner
OTHER = "other"


def sources(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean points by source, winners and losers, a panel per number of seats.

    Roles: points (measure per seat with one value per source).
    """
    field = question.roles.get("points")
    if field is None:
        return None
    means_ = [_means(study, seats, field) for seats in study.seats]
    whole = pd.concat(means_, ignore_index=True)
    if whole.empty:
        return None
    measure = study.measure(field)
    unit = measure.unit or measure.label.lower()
    shown = sorted({max(study.seats), *({1} & set(study.seats))}, reverse=True)  # a single player's points are shown too
    answer = " ".join(
        _sources_said(whole[whole["seats"] == seats], seats, unit) for seats in shown if (whole["seats"] == seats).any()
    )
    caption = f"{measure.label} of winners and losers, by source, with {study.policy} in every seat."
    alt = f"Stacked bars of {unit} by source, winners and losers, per number of seats. {answer}"
    columns = {"seats": "seats", "side": "who", "part": "source", "estimate": f"mean {unit}", "low": "low"}
    formats: dict[str, Format] = {"low": "number", "high": "number"}
    numbers = table(whole, "sources", f"{measure.label} by source", {**columns, "high": "high", "n": "n"}, formats)
    note = "Finished games only; a seat that shares a win is a winner. Intervals are those of ratios over games, because the "
    note += "seats of a game are correlated; n: games with such a seat. Winners have more because points decide the win: the "
    note += "sources show what they won with, not what would help a loser."
    chart = Chart(question.id, amounts(_drawn(whole), unit=f"mean {unit}"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _means(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Means by side and source at a number of seats, winners first."""
    frame = finished(study.seats_frame, seats)
    frame = frame.assign(side=np.where(frame["won"], SIDES[1], SIDES[0]))
    means_ = means(frame, ["side"], field, study.measure(field).parts).assign(seats=seats)
    return means_.sort_values("side", ascending=False, kind="stable", ignore_index=True)


def _drawn(whole: pd.DataFrame) -> pd.DataFrame:
    """Data of the bars: the source of most points first."""
    parts, totals = whole[whole["part"] != TOTAL], whole[whole["part"] == TOTAL]
    order = [str(name) for name in parts.groupby("part")["sum"].sum().abs().sort_values(ascending=False).index]
    kept = order if len(order) <= len(CATEGORIES) else order[: len(CATEGORIES) - 1]
    frame = parts.assign(name=parts["side"], category=parts["part"].where(parts["part"].isin(kept), OTHER))
    frame = frame.groupby(["seats", "name", "category"], sort=False)["estimate"].sum().reset_index()
    ends = totals.rename(columns={"estimate": "total", "side": "name"})[["seats", "name", "total", "low", "high", "n"]]
    frame = frame.merge(ends, on=["seats", "name"])
    rank = {name: place for place, name in enumerate([*kept, OTHER])}
    return frame.sort_values("category", key=lambda names: names.map(rank), kind="stable").sort_values(
        ["seats", "name"], ascending=[True, False], kind="stable", ignore_index=True
    )


def _sources_said(part: pd.DataFrame, seats: int, unit: str) -> str:
    """Points of winners and losers, the winners' sources, and the source with the largest difference."""
    totals = {str(row["side"]): row for _, row in part[part["part"] == TOTAL].iterrows()}
    parts = [
        f"{side} have {amount(row['estimate'])} {quantity(row['low'], row['high'], row['n'], 'games')}"
        for side, row in totals.items()
    ]
    text = f"{capital(unit)} {at_seats(seats)}: {' and '.join(parts)}"
    winners, losers = (part[(part["part"] != TOTAL) & (part["side"] == side)] for side in reversed(SIDES))
    if not len(winners) or not winners["sum"].sum() > 0:
        return f"{text}."
    ordered = winners[winners["estimate"] > 0].sort_values("estimate", ascending=False, kind="stable")
    whole = totals[SIDES[1]]["estimate"]
    named = [f"{row['part']} {percent(row['estimate'] / whole, 0)}" for _, row in ordered.iterrows()]
    text += f"; those of winners are {listed(named)}"
    both = winners.merge(losers, on="part", suffixes=("", "_lost"))
    if len(both):
        top = highest(both.assign(apart=both["estimate"] - both["estimate_lost"]), "apart")
        text += f"; winners are ahead most by {top['part']}, {amount(top['apart'])} more"
    return f"{text}."


NEAR = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # axial offsets of neighbours
Ints = NDArray[np.int64]


def board(study: Study, question: Question) -> Section | None:
    """Two maps at most seats: where entrants fell from, and where they stand at the end of their turns.

    Roles: fell (measure per seat, hex or -1), stood (field of STATE, hex by seat), q, r (fields of CARDS, by hex), hexes (field
    of CARDS, number of hexes).
    """
    roles = question.roles
    if not {"fell", "stood", "q", "r", "hexes"} <= set(roles):
        return None
    seats, cards = max(study.seats), study.cards.record[0]
    hexes = int(cards[roles["hexes"]])
    place = np.array([cards[roles["q"]][:hexes], cards[roles["r"]][:hexes]], np.int64)
    fell = _fallen(study, seats, roles["fell"], hexes)
    stood = _stood(study, seats, roles["stood"], hexes)
    kinds = {"Fell from": (fell, "falls"), "Stood at the end of their turns": (stood, "turns")}
    frame = pd.concat(
        [_shares(cases, place).assign(panel=kind, unit=unit) for kind, (cases, unit) in kinds.items()], ignore_index=True
    )
    answer = f"{_near_water(stood, _shore(place), seats)} {_peaks(frame)}"
    falls, turns = count(frame["n"].iloc[0]), count(frame["n"].iloc[-1])
    caption = f"Shares of {falls} falls, by the last land hex, and of {turns} turns {at_seats(seats)}, with "
    caption += f"{study.policy} in every seat. Blank: none."
    columns = {"panel": "what", "q": "q", "r": "r", "value": "share", "low": "low", "high": "high"}
    columns |= {"cases": "cases", "n": "n"}
    numbers = table(frame, "board", "Every hex", columns, {"cases": "count", "q": "number", "r": "number"})
    games = min(study.budget.replays, study.main(seats).games)
    note = f"Coordinates (q, r): q grows to the east, r to the south. Turns' ends come from {count(games)} replayed games. "
    note += "Intervals are those of ratios over games, because the cases of a game are correlated."
    drawn = frame.assign(value=frame["value"].where(frame["cases"] > 0))
    chart = Chart(question.id, board_chart(drawn, shared=False, unit="of the panel"), caption, f"Hex maps. {answer}")
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _fallen(study: Study, seats: int, field: str, hexes: int) -> NDArray[np.float64]:
    """Falls by game and hex, (games, hexes)."""
    frame = study.seats_frame[study.seats_frame["seats"] == seats]
    places = frame[field].to_numpy(np.int64)
    game = np.repeat(np.arange(len(frame) // seats), seats)
    return _counted(game, places, (len(frame) // seats, hexes))


def _stood(study: Study, seats: int, field: str, hexes: int) -> NDArray[np.float64]:
    """Ends of the seats' own turns by game and hex, (games, hexes)."""
    parts = []
    for log in study.replays(seats):
        game, place = zip(*turn_ends(log, field), strict=True)
        parts.append(_counted(np.array(game), np.array(place), (len(log.rows), hexes)))
    return np.concatenate(parts)


def turn_ends(log: Replay, field: str) -> Iterator[tuple[int, int]]:
    """Game (within the log) and place, at the end of each turn, of the seat that was first to decide in it."""
    game, turn = log.moves["row"], log.moves["turn"]
    starts = np.flatnonzero(np.append(True, (np.diff(game) != 0) | (np.diff(turn) != 0)))
    for place, start in enumerate(starts):
        after = starts[place + 1] if place + 1 < len(starts) else len(game)
        end = after if after < len(game) and game[after] == game[start] else after - 1
        if end > start:
            yield int(game[start]), int(log.positions[end][field][log.moves["seat"][start]])


def _counted(game: Ints, place: Ints, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Number of times that each place (-1: none) occurs in each game."""
    known = place >= 0
    cell = game[known] * shape[1] + place[known]
    return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _shares(cases: NDArray[np.float64], place: Ints) -> pd.DataFrame:
    """Share of all cases by hex, with intervals from games."""
    x = cases.sum(axis=1)
    sums = {"y": cases.sum(axis=0), "x": x.sum(), "yy": (cases**2).sum(axis=0), "xy": x @ cases, "xx": x @ x, "n": len(x)}
    table_of = ratios(pd.DataFrame(sums))
    shares = {"value": table_of["estimate"], "low": table_of["low"].clip(0), "high": table_of["high"].clip(upper=1)}
    counts = {"cases": cases.sum(axis=0).astype(np.int64), "n": int(x.sum())}
    return pd.DataFrame({"q": place[0], "r": place[1], **shares, **counts})


def _shore(place: Ints) -> NDArray[np.bool_]:
    """Hexes next to water."""
    land = {(int(q), int(r)) for q, r in place.T}
    return np.array([any((q + dq, r + dr) not in land for dq, dr in NEAR) for q, r in place.T.tolist()])


def _near_water(stood: NDArray[np.float64], shore: NDArray[np.bool_], seats: int) -> str:
    """Share of turns that end next to the water."""
    rim = ratio(stood[:, shore].sum(axis=1), stood.sum(axis=1))
    text = f"{capital(at_seats(seats))} {percent(rim.estimate)} of the turns end on one of the {count(shore.sum())} hexes "
    text += f"next to the water, of {count(shore.size)} in all "
    return text + f"(95 % interval {100 * max(0.0, rim.low):.1f} to {percent(rim.high)}, {size(rim.n)} games)."


def _peaks(frame: pd.DataFrame) -> str:
    """The most frequent hex of each map, and the share of a hex if all were equally frequent."""
    sentences = []
    for kind, part in frame.groupby("panel", sort=False):
        top = highest(part, "value")
        sentences.append(
            f"{kind}: most often ({top['q']}, {top['r']}), {percent(top['value'])}; evenly over all {count(len(part))} hexes "
            f"it would be {percent(1 / len(part))}."
        )
    return " ".join(sentences)
