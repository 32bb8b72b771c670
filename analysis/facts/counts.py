"""How often things happen, by entrant, source and place.

Which parts of an entrant (abilities, cards) are used, and what a use brings.

What players do: several quantities per game, or per time that they could be done, by entrant.

Whether it pays to put something where both sides may draw it: who uses it, and who wins where it was done.

What a whole is made of: where damage lands, how many exchanges see how many flips.

Where points come from, those of winners beside those of losers.

Where on the board things happen: hexes that entrants fell from, hexes on which their turns end.
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
from analysis.data.clustered import TOTAL, means, rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import use_and_effect
from analysis.document.cells import count, percent, points
from analysis.document.model import Chart, Format, Section, Table
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
from analysis.document.tables import highest, lowest, table
from analysis.stats.intervals import adjust, proportions, ratio, ratios
from sim.engine.measures import Measure, Question
from sim.run import Replay

SELDOM = 0.05  # of the uses of an entrant: below this a part is hardly ever the better choice
LEAST_USES = 30  # uses from which on an effect per use is worth a sentence


def abilities(study: Study, question: Question) -> Section | None:
    """Scatter of use rate against effect per use, one per effect, at most seats.

    Roles: uses, effect and, if there is one, second: measures with one value per part. Settings: part (what the parts are).
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
        caption = f"{measure.label} per use of {article(_part_word(question))}, against how often its "
        caption += f"{study.game.entrant_word} uses it, {at_seats(most)} with {study.policy} in every seat."
        chart = scatter(dots, x_label=x_label, y_label=label)
        charts.append(Chart(name, chart, caption, f"Scatter of use rate and {label}. {answers[-1]}"))
        tables.append(_table(study, question, whole, measure, name))
    answers.append(_seldom(frame, study, most))
    note = "Intervals are those of ratios over games, since the uses of one game hang together. "
    note += "What is never used by choice (passives) is not shown."
    return Section(question.id, question.text, " ".join(filter(None, answers)), tuple(charts), tuple(tables), note)


def _used(study: Study, seats: int, uses: str, measure: Measure) -> pd.DataFrame:
    """Use and effect at so many seats, the parts by their names on the entrant's card."""
    parts = len(measure.parts)
    frame = use_and_effect(finished(study.seats_frame, seats), uses, measure.field, measure.parts)
    named = [
        study.part_names(entrant, parts)[part] for entrant, part in zip(frame["entrant"], frame["part"], strict=True)
    ]
    return frame.assign(seats=seats, part_name=named)


def _table(study: Study, question: Question, whole: pd.DataFrame, measure: Measure, name: str) -> Table:
    unit = f"{measure.unit} per use" if measure.unit else "per use"
    columns = {"seats": "seats", "name": study.game.entrant_word, "part_name": _part_word(question), "uses": "uses"}
    columns |= {"use_rate": "share of uses", "use_low": "uses low", "use_high": "uses high", "effect": unit}
    columns |= {"effect_low": "effect low", "effect_high": "effect high", "n": "n"}
    formats: dict[str, Format] = {"uses": "count", "effect low": "number", "effect high": "number"}
    return table(whole, name, f"Use and {measure.label.lower()}", columns, formats)


def _part_word(question: Question) -> str:
    """What a part of an entrant is: an ability, a card."""
    return question.settings.get("part", ("option",))[0]


def _said(frame: pd.DataFrame, measure: Measure, seats: int) -> str:
    """Which part brings most per use, and the median of all."""
    enough = frame[frame["uses"] >= LEAST_USES]
    known = enough if len(enough) else frame
    top = highest(known, "effect")
    said = f"{measure.label} {at_seats(seats)}: most per use by {top['name']}'s {top['part_name']}, {amount(top['effect'])} "
    said += f"(95 % interval {amount(top['effect_low'])} to {amount(top['effect_high'])}), which makes up "
    said += f"{percent(top['use_rate'], 0)} of {top['name']}'s uses"
    middle = float(known["effect"].median())
    return said + f"; the median of all is {amount(middle)}."


def _seldom(frame: pd.DataFrame, study: Study, seats: int) -> str:
    """What is hardly used."""
    rare = frame[frame["use_rate"] < SELDOM].sort_values("use_rate")
    if rare.empty:
        said = f"Nothing is used for less than {percent(SELDOM, 0)} of the uses of its {study.game.entrant_word}"
        return f"{said} {at_seats(seats)}."
    names = [f"{row['name']}'s {row['part_name']} ({percent(row['use_rate'])})" for _, row in rare.iterrows()]
    return f"Hardly used {at_seats(seats)}, below {percent(SELDOM, 0)} of the uses: {listed(names)}."


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


USERS = ("used by its owner", "used by the opponent")
SURE = 0.05  # p-value adjusted over all of them


def shuffled(study: Study, question: Question) -> Section | None:
    """Dumbbells, one per part that shuffles something in: share of the copies used by either side, and the difference in wins.

    Roles, measures per seat and member: shuffled (copies), owner and other (copies used by each), thrown and triggered (copies
    thrown away, tokens spent; may be absent). Settings: thing (what is shuffled in, in the plural), named (table of the card file
    with the parts, and the table that names the things, by whose name, as a key, a part says which is its own; may be absent).
    """
    roles = question.roles
    if not {"shuffled", "owner", "other"} <= set(roles) or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    found = _uses(study, seats, roles)
    found = found[found["copies"] > 0]
    if found.empty:
        return None
    thing = question.settings.get("thing", ("copies",))[0]
    found = found.assign(name=_names(study, found["part"].tolist(), question.settings.get("named", ())))
    p_holm = adjust(found["p"])
    found = found.assign(p_holm=p_holm, sure=p_holm < SURE).sort_values("change", ascending=False, na_position="last")
    answer = _shuffled_said(found, thing, seats)
    caption = f"Left: of every copy of the {thing} that is shuffled in, how often its owner and the opponent use it. "
    caption += "Right: win "
    caption += f"share of teams with that {study.unit_word} in games in which it was shuffled in, less that in games "
    caption += "in which it was "
    caption += f"not. {capital(at_seats(seats))}, with {study.policy} in every seat."
    figure = dumbbell(
        found, words=USERS, label="share of the copies shuffled in", change="wins if shuffled in, less if not, points"
    )
    alt = f"Pairs of dots of the uses by owner and opponent, and the difference in wins. {answer}"
    note = "The difference is a matter of selection, not of cause: whoever is ahead, lives longer or holds the right "
    note += "cards also "
    note += "shuffles more in, and longer games have more of it. A copy can come back and be shuffled in again; what "
    note += "is neither used "
    note += "nor thrown away stays in the deck or in hands. Uses: all games, ratios over games. Wins: finished games, "
    note += "Newcombe's "
    note += f"interval; coloured where p (Holm) < {SURE}. n: games with that {study.unit_word}."
    chart = Chart(question.id, figure, caption, alt)
    return Section(
        question.id, question.text, answer, (chart,), (_shuffled_table(found, roles, thing, question.id),), note
    )


def _uses(study: Study, seats: int, roles: Mapping[str, str]) -> pd.DataFrame:
    """One line per part: copies, n, first and second (uses per copy by owner and opponent), thrown, triggered, and the wins."""
    assert study.teams is not None
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(roles.values(), 1))
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = range(study.teams.parts)
    copies = frame[roles["shuffled"]].to_numpy()
    facts: dict[str, Any] = {"part": every}
    for word, role in (("first", "owner"), ("second", "other"), ("thrown", "thrown"), ("triggered", "triggered")):
        if role in roles:
            found = rates(game, part, frame[roles[role]].to_numpy(), copies).reindex(every)
            facts |= {word: found["estimate"], f"{word}_low": found["low"].clip(lower=0), f"{word}_high": found["high"]}
            facts |= {"copies": found["base"].fillna(0), "n": found["n"].fillna(0).astype(int)}
    ended = frame["finished"].to_numpy(bool)
    wins = _wins(part[ended], frame["share"].to_numpy(np.float64)[ended], copies[ended] > 0, study.teams.parts)
    return pd.concat([pd.DataFrame(facts), wins], axis=1)


def _wins(part: np.ndarray, share: np.ndarray, had: np.ndarray, parts: int) -> pd.DataFrame:
    """Win share of the teams of each part with and without, and the difference (Newcombe 1998, method 10; score test)."""
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
        error > 0,
        2 * stats.norm.sf((change.abs() / error.where(error > 0)).to_numpy()),
        np.where(change.isna(), np.nan, 1),
    )
    wins = {"have": have["estimate"], "lack": lack["estimate"], "n_have": have["n"], "n_lack": lack["n"], "p": p}
    return pd.DataFrame({**wins, "change": change, "change_low": low, "change_high": high})


def _names(study: Study, parts: Sequence[int], named: Sequence[str]) -> list[str]:
    """Names of the parts, and before them of what each shuffles in if the card file tells."""
    if not named:
        return [study.units[part] for part in parts]
    owners, things = named
    words = {line["id"]: str(line.get("name", line["id"])) for line in study.cards.document.get(things, ())}
    lines = study.cards.document.get(owners, ())
    own = [next(_values(lines[part], things), "") if part < len(lines) else "" for part in parts]
    return [
        f"{words[one]} ({study.units[part]})" if one in words else study.units[part]
        for part, one in zip(parts, own, strict=True)
    ]


def _values(node: Any, key: str) -> Any:
    """Values at a key, wherever it stands in a part of a document."""
    if isinstance(node, Mapping):
        if key in node:
            yield node[key]
        node = list(node.values())
    if isinstance(node, (list, tuple)):
        for one in node:
            yield from _values(one, key)


def _shuffled_table(found: pd.DataFrame, roles: Mapping[str, str], thing: str, name: str) -> Table:
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
    formats |= {
        "shuffled in": "count",
        "n (shuffled in)": "count",
        "n (not)": "count",
        "wins if shuffled in": "percent",
    }
    formats |= {"wins if not": "percent", "thrown, per copy": "percent"}
    formats |= dict.fromkeys(("difference", "difference low", "difference high"), "points")
    return table(found, name, f"{capital(thing)} and who uses them", columns, formats)


def _shuffled_said(found: pd.DataFrame, thing: str, seats: int) -> str:
    """Whose is used most by the owner and most by the opponent, and what goes with more and with fewer wins."""
    apart = found.assign(apart=found["first"] - found["second"])
    top, bottom = highest(apart, "apart"), lowest(apart, "apart")
    said = f"{capital(at_seats(seats))}, of the {thing} {top['name']} serves its owner most: {percent(top['first'])} "
    said += "of the copies "
    said += f"{interval(top['first_low'], top['first_high'], top['n'], 'games')} are used by its owner and "
    said += f"{percent(top['second'])} "
    said += "by the opponent"
    if len(found) > 1:
        said += f"; {bottom['name']} serves it least, {percent(bottom['first'])} against {percent(bottom['second'])}"
    known = found[found["change"].notna()]
    if known.empty:
        return f"{said}."
    best = highest(known, "change", size=True)
    said += ". The largest difference in wins between games in which it is shuffled in and games in which it is not is that "
    said += f"of {best['name']}: {points(best['change'])} points "
    said += f"{point_interval(best['change_low'], best['change_high'])}"
    signs = [int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)]
    above, below = (number_word(number) if number else "none" for number in signs)
    said += f". Of {some(len(known), 'difference')} {above} {'is' if signs[0] == 1 else 'are'} surely "
    return f"{said}above and {below} surely below nought (Holm)."


PARTS = "parts"


def split(study: Study, question: Question) -> Section | None:
    """Bars of the share of each part in the whole, with intervals, at the fewest seats with an opponent.

    Roles: parts (measure per game or per seat, each of whose numbers is a part of the whole); any other role is the name of a
    further part and its measure, per seat or game like the first, all of whose numbers are added up. Settings: whole (what it
    is, e.g. `the damage`), verb (between it and the name of a part, as in `of the damage is blocked`), note (words for the note).
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
    game, one = frame["game"].to_numpy(), np.zeros(len(frame), np.int64)
    found = pd.concat([rates(game, one, values[:, part], total) for part in range(len(names))], ignore_index=True)
    found = found.assign(name=names, low=found["low"].clip(lower=0), high=found["high"].clip(upper=1))
    thing = question.settings.get("whole", (f"the {main.unit or main.label.lower()}",))[0]
    answer = _split_said(found, seats, f"{thing} {question.settings.get('verb', (_verb(thing),))[0]}")
    caption = f"Shares of {thing}, {at_seats(seats)} with {study.policy} in every seat; all games together."
    chart = shares(found, label=f"share of {thing}")
    columns = {
        "name": "part",
        "sum": main.unit or "number",
        "estimate": "share",
        "low": "low",
        "high": "high",
        "n": "n",
    }
    shown = table(found, question.id, f"Shares of {thing}", columns, {main.unit or "number": "count"})
    note = "All games count, those that were stopped as far as they went. Intervals are those of ratios over games, since what "
    note += "happens in one game hangs together; n: games. " + " ".join(question.settings.get("note", ()))
    alt = f"Bars of the shares of {thing}. {answer}"
    return Section(
        question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note.strip()
    )


def _split_said(found: pd.DataFrame, seats: int, whole: str) -> str:
    """All shares, the largest first. whole: what they are shares of, and the verb."""
    ordered = found.sort_values("estimate", ascending=False, kind="stable")
    top = ordered.iloc[0]
    said = f"{capital(at_seats(seats))} {percent(top['estimate'])} of {whole} {top['name']} "
    said += interval(top["low"], top["high"], top["n"], "games")
    rest = [
        f"{rounded(row['estimate'])} {row['name']} ({100 * row['low']:.1f} to {percent(row['high'])})"
        for _, row in ordered.iloc[1:].iterrows()
    ]
    return f"{said}; {listed(rest)}." if rest else f"{said}."


def _verb(thing: str) -> str:
    return "are" if thing.endswith("s") else "is"


SIDES = ("losers", "winners")  # by whether a seat has part in the win
OTHER = "other"


def sources(study: Study, question: Question) -> Section | None:
    """Stacked bars of the mean points by source, winners and losers, a panel per number of seats.

    Roles: points (measure per seat with one value per source).
    """
    field = question.roles.get("points")
    if field is None:
        return None
    found = [_means(study, seats, field) for seats in study.seats]
    whole = pd.concat(found, ignore_index=True)
    if whole.empty:
        return None
    measure = study.measure(field)
    unit = measure.unit or measure.label.lower()
    told = sorted(
        {max(study.seats), *({1} & set(study.seats))}, reverse=True
    )  # a lone player's points are another matter
    answer = " ".join(
        _sources_said(whole[whole["seats"] == seats], seats, unit) for seats in told if (whole["seats"] == seats).any()
    )
    caption = f"{measure.label} of those who win and those who do not, by source, with {study.policy} in every seat."
    alt = f"Stacked bars of {unit} by source, winners and losers, per number of seats. {answer}"
    columns = {"seats": "seats", "side": "who", "part": "source", "estimate": f"mean {unit}", "low": "low"}
    formats: dict[str, Format] = {"low": "number", "high": "number"}
    numbers = table(whole, "sources", f"{measure.label} by source", {**columns, "high": "high", "n": "n"}, formats)
    note = "Finished games only; whoever shares a win is a winner. Intervals are those of ratios over games, since the seats of "
    note += "one game hang together; n: games with such a seat. Winners have more because that is what wins: the sources tell "
    note += "what they won with, not what would help a loser."
    chart = Chart(question.id, amounts(_drawn(whole), unit=f"mean {unit}"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _means(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Means by side and source at so many seats, winners first."""
    frame = finished(study.seats_frame, seats)
    frame = frame.assign(side=np.where(frame["won"], SIDES[1], SIDES[0]))
    found = means(frame, ["side"], field, study.measure(field).parts).assign(seats=seats)
    return found.sort_values("side", ascending=False, kind="stable", ignore_index=True)


def _drawn(whole: pd.DataFrame) -> pd.DataFrame:
    """The frame of the bars: the source of most points first."""
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
    """What winners and losers have, the winners' sources, and the source that sets them apart."""
    totals = {str(row["side"]): row for _, row in part[part["part"] == TOTAL].iterrows()}
    said = [
        f"{side} have {amount(row['estimate'])} {quantity(row['low'], row['high'], row['n'], 'games')}"
        for side, row in totals.items()
    ]
    text = f"{capital(unit)} {at_seats(seats)}: {' and '.join(said)}"
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


NEAR = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # differences of neighbours, axial
Ints = NDArray[np.int64]


def board(study: Study, question: Question) -> Section | None:
    """Two maps at most seats: where entrants fell from, and where they stand at the end of their own turns.

    Roles: fell (measure per seat, hex or -1), stood (field of STATE, hex by seat), q, r (fields of CARDS, by hex), hexes
    (field of CARDS, how many there are).
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
        [_shares(cases, place).assign(panel=kind, unit=unit) for kind, (cases, unit) in kinds.items()],
        ignore_index=True,
    )
    answer = f"{_near_water(stood, _shore(place), seats)} {_peaks(frame)}"
    falls, turns = count(frame["n"].iloc[0]), count(frame["n"].iloc[-1])
    caption = (
        f"Shares of {falls} falls, by the land hex that was left last, and of {turns} turns {at_seats(seats)}, with "
    )
    caption += f"{study.policy} in every seat. Blank: none."
    columns = {"panel": "what", "q": "q", "r": "r", "value": "share", "low": "low", "high": "high"}
    columns |= {"cases": "cases", "n": "n"}
    numbers = table(frame, "board", "Every hex", columns, {"cases": "count", "q": "number", "r": "number"})
    games = min(study.budget.replays, study.main(seats).games)
    note = f"Coordinates (q, r): q grows to the east, r to the south. Turns' ends come from {count(games)} replayed games. "
    note += "Intervals are those of ratios over games, since the cases of one game hang together."
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
    """Own turns' ends by game and hex, (games, hexes)."""
    parts = []
    for log in study.replays(seats):
        game, place = zip(*turn_ends(log, field), strict=True)
        parts.append(_counted(np.array(game), np.array(place), (len(log.rows), hexes)))
    return np.concatenate(parts)


def turn_ends(log: Replay, field: str) -> Iterator[tuple[int, int]]:
    """Game (within the log) and place of whoever was first to decide in a turn, at the end of that turn."""
    game, turn = log.moves["row"], log.moves["turn"]
    starts = np.flatnonzero(np.append(True, (np.diff(game) != 0) | (np.diff(turn) != 0)))
    for place, start in enumerate(starts):
        after = starts[place + 1] if place + 1 < len(starts) else len(game)
        end = after if after < len(game) and game[after] == game[start] else after - 1
        if end > start:
            yield int(game[start]), int(log.positions[end][field][log.moves["seat"][start]])


def _counted(game: Ints, place: Ints, shape: tuple[int, int]) -> NDArray[np.float64]:
    """How often each place (-1: none) occurs in each game."""
    known = place >= 0
    cell = game[known] * shape[1] + place[known]
    return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _shares(cases: NDArray[np.float64], place: Ints) -> pd.DataFrame:
    """Share of all cases by hex, with intervals from games."""
    x = cases.sum(axis=1)
    sums = {
        "y": cases.sum(axis=0),
        "x": x.sum(),
        "yy": (cases**2).sum(axis=0),
        "xy": x @ cases,
        "xx": x @ x,
        "n": len(x),
    }
    table_of = ratios(pd.DataFrame(sums))
    shares = {"value": table_of["estimate"], "low": table_of["low"].clip(0), "high": table_of["high"].clip(upper=1)}
    counts = {"cases": cases.sum(axis=0).astype(np.int64), "n": int(x.sum())}
    return pd.DataFrame({"q": place[0], "r": place[1], **shares, **counts})


def _shore(place: Ints) -> NDArray[np.bool_]:
    """Hexes with water on some side."""
    land = {(int(q), int(r)) for q, r in place.T}
    return np.array([any((q + dq, r + dr) not in land for dq, dr in NEAR) for q, r in place.T.tolist()])


def _near_water(stood: NDArray[np.float64], shore: NDArray[np.bool_], seats: int) -> str:
    """How many turns end next to the water."""
    rim = ratio(stood[:, shore].sum(axis=1), stood.sum(axis=1))
    said = (
        f"{capital(at_seats(seats))} {percent(rim.estimate)} of the turns end on one of the {count(shore.sum())} hexes "
    )
    said += f"next to the water, of {count(shore.size)} in all "
    return said + f"(95 % interval {100 * max(0.0, rim.low):.1f} to {percent(rim.high)}, {size(rim.n)} games)."


def _peaks(frame: pd.DataFrame) -> str:
    """The fullest hex of each map, and what it would be if all hexes were alike."""
    said = []
    for kind, part in frame.groupby("panel", sort=False):
        top = highest(part, "value")
        said.append(
            f"{kind}: most often ({top['q']}, {top['r']}), {percent(top['value'])}; evenly over all {count(len(part))} hexes "
            f"it would be {percent(1 / len(part))}."
        )
    return " ".join(said)
