"""Report sections on how often things are done, by entrant and part, and where.

`abilities`: which parts of an entrant are used, and what a use achieves. `thresholds`: how often each ability could be used, and
was. `per_game`: several quantities per game or per opportunity. `shuffled`: who uses what is shuffled into a shared deck, and who
wins then. `board`: places where entrants fall and where their turns end.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.answer.model import DrawnChart, Section, answered
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import (
    ASSUMED,
    STAR,
    amount,
    article,
    at_seats,
    capital,
    change_of,
    interval_of,
    listed,
    number_word,
    size,
    some,
    starred,
)
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, lowest, table, with_bounds
from analysis.data.rows import rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.data.usage import use_and_effect
from analysis.stats.intervals import adjust, differences, proportions, ratio, ratios
from sim.engine.cardfiles.paths import locate
from sim.engine.questions import Abilities, Board, PerGame, RuleOff, Shuffled, Thresholds
from sim.run import Replay

SELDOM = 0.05  # of the uses of an entrant: a part below this is hardly used
LEAST_USES = 30  # uses that an effect per use needs to be named in the answer
HALF = 0.5  # of the times it was possible: abilities below this are mostly not used
ALL = "all together"
ROWS = 24  # entrants in the chart; if there are more, those with most and fewest of the first quantity
SMALL = 0.1  # smaller values get a third decimal
USERS = ("used by its owner", "used by the opponent")
SURE = 0.05  # p-value adjusted over all parts
NEAR = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # axial offsets of neighbours

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def abilities(study: Study, question: Abilities) -> Section | None:
    """Scatter of use rate against effect per use, one chart per effect, at most seats."""
    most, word, sentences = max(study.seats), study.game.entrant_word, []
    figures: list[DrawnChart] = []
    tables: list[Table] = []
    for measure in map(study.measure, question.effects):
        names = [study.part_names(entrant, len(measure.parts)) for entrant in range(len(study.names))]
        used = [
            use_and_effect(finished(study.seats_frame, seats), question.uses, measure.field, measure.parts).assign(seats=seats)
            for seats in study.seats
        ]
        whole = pd.concat(used, ignore_index=True)
        whole["part_name"] = [names[entrant][part] for entrant, part in zip(whole["entrant"], whole["part"], strict=True)]
        frame = at(whole[whole["uses"] > 0], most).reset_index(drop=True)
        if frame.empty:
            return None
        known = frame[frame["uses"] >= LEAST_USES] if (frame["uses"] >= LEAST_USES).any() else frame
        top = highest(known, "effect")
        sentences.append(
            f"{measure.label} {at_seats(most)}: most per use by {top['name']}'s {top['part_name']}, {amount(top['effect'])} "
            f"(95 % interval {amount(top['effect_low'])} to {amount(top['effect_high'])}), which makes up "
            f"{percent(top['use_rate'], 0)} of {top['name']}'s uses; the median of all is "
            f"{amount(float(known['effect'].median()))}."
        )
        label, id_ = f"{measure.label.lower()} per use", question.id
        id_ += f"-{measure.field.replace('_', '-')}" if figures else ""
        drawn = frame.rename(columns={"use_rate": "x", "effect": "y", "effect_low": "y_low", "effect_high": "y_high"})
        drawn = drawn.assign(label=frame["part_name"], group=frame["name"].astype(str), n=frame["uses"])
        figure = charts.scatter(drawn, x_label=f"share of the {word}'s uses", y_label=label)
        caption = f"{measure.label} per use of {article(question.part)} by how often its {word} uses it, {study.where(most)}."
        figures.append(DrawnChart(id_, figure, caption, f"Scatter of use rate and {label}. {sentences[-1]}"))
        columns = {"seats": "seats", "name": word, "part_name": question.part, "uses": "uses", "use_rate": "share of uses"}
        columns |= {"use_low": "uses low", "use_high": "uses high"}
        columns |= {"effect": f"{measure.unit} per use" if measure.unit else "per use"}
        columns |= {"effect_low": "effect low", "effect_high": "effect high", "n": "n"}
        formats: dict[str, Format] = {"uses": "count", "effect low": "number", "effect high": "number"}
        tables.append(table(whole, id_, f"Use and {measure.label.lower()}", columns, formats))
    rare = frame[frame["use_rate"] < SELDOM].sort_values("use_rate")
    named = [f"{row['name']}'s {row['part_name']} ({percent(row['use_rate'])})" for _, row in rare.iterrows()]
    sentences.append(
        f"Hardly used {at_seats(most)}, below {percent(SELDOM, 0)} of the uses: {listed(named)}."
        if named
        else f"Every part has at least {percent(SELDOM, 0)} of the uses of its {word} {at_seats(most)}."
    )
    note = "Intervals are those of ratios over games, because the uses in a game are correlated. Parts that are never used by "
    note += "choice (passives) are not shown."
    return Section(question.id, question.text, " ".join(sentences), tuple(figures), tuple(tables), note)


def thresholds(study: Study, question: Thresholds) -> Section | None:
    """Small multiples, one per part: how often each of its abilities was possible, and how often it was used, per turn.

    Abilities are in the order of the team's; assumed numbers in their names get a star.
    """
    seats = contest(study) if study.contests else 0
    if study.teams is None or not study.teams.abilities or not seats:
        return None
    rows = _opportunities(study, seats, question)
    rows = rows[rows["base"] > 0]
    if rows.empty:
        return None
    turns, unit = question.turns_word, study.unit_word
    rows, assumed = with_sources(study, rows, question.shown)
    ends = [
        f"{row['name']}'s {row['ability']} is possible {how} often, in {percent(row['possible'])} of the {turns} "
        + interval_of(row, "games", "possible")
        for how, row in (("most", highest(rows, "possible")), ("least", lowest(rows, "possible")))
    ]
    left = rows[rows["taken"] < HALF].sort_values("taken", kind="stable")
    seldom = [f"{row['name']}'s {row['ability']} ({percent(row['taken'], 0)})" for _, row in left.iterrows()]
    answer = f"{capital(at_seats(seats))} {'; '.join(ends)}. " + (
        f"Used in less than half of the {turns} in which it is possible: {listed(seldom)}."
        if seldom
        else f"All are used in at least half of the {turns} in which they are possible."
    )
    figure = charts.gauges(
        rows.rename(columns={"name": "panel", "ability": "name"}), words=("possible", "used"), label=f"the {turns}"
    )
    caption = f"How often each ability of a {unit} could be used (pale) and was (dark), as shares of all {turns} of its games, "
    caption += f"{study.where(seats)}.{assumed}"
    shares = with_bounds("possible", "possible") | with_bounds("done", "used")
    columns = {"name": unit, "ability": "ability", **shares, "taken": "used, of possible", "n": "n"}
    columns |= {"source": "source"} if "source" in rows else {}
    formats: dict[str, Format] = dict.fromkeys([*shares.values(), "used, of possible"], "percent")
    shown = table(rows, question.id, f"Abilities by {turns}", columns, formats)
    note = f"All games count. Shares are of all {turns} of a game, counted for every side; ratios over games. n: games. "
    alt = f"Nested bars of every ability, a panel per {unit}."
    return answered(question, answer, figure, caption, alt, [shown], (note + question.note).strip())


def _opportunities(study: Study, seats: int, question: Thresholds) -> pd.DataFrame:
    """One row per part and ability: name, ability, possible and done with their bounds, taken (done of possible), base, n."""
    assert study.teams is not None
    lists, every = study.teams.abilities, range(study.teams.parts)
    things = len(study.measure(question.met).parts) // study.teams.size
    frame = of_parts(study, at(study.seats_frame, seats), {question.met: things, question.used: things})
    turns = at(study.games_frame, seats).set_index("game")[question.turns].loc[frame["game"]].to_numpy(np.float64)
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    tables = []
    for thing in range(things):
        met, used = (
            rates(game, part, frame[f"{field}_{thing}" if things > 1 else field].to_numpy(), turns).reindex(every)
            for field in (question.met, question.used)
        )
        facts = {"part": every, "thing": thing, "base": met["base"], "n": met["n"].fillna(0).astype(int)}
        for word, found in (("possible", met), ("done", used)):
            facts |= {word: found["estimate"], f"{word}_low": found["low"].clip(lower=0), f"{word}_high": found["high"]}
        tables.append(pd.DataFrame(facts | {"taken": used["sum"] / met["sum"].where(met["sum"] > 0)}))
    whole = pd.concat(tables, ignore_index=True).sort_values(["part", "thing"], kind="stable", ignore_index=True)
    whole = whole[[thing < len(lists[part]) for part, thing in zip(whole["part"], whole["thing"], strict=True)]]
    names = [lists[part][thing] for part, thing in zip(whole["part"], whole["thing"], strict=True)]
    return whole.assign(name=[study.units[part] for part in whole["part"]], ability=names)


def with_sources(study: Study, rows: pd.DataFrame, shown: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Add the source of the number in an ability's name, and a star if it is assumed; also returns words for the caption.

    rows: part, thing, ability; shown: see `Thresholds`.
    """
    if not shown:
        return rows, ""
    owners, things, leaf, words = shown
    document, known = study.cards.document, study.cards.provenance
    sources = {locate(document, entry.path): entry.source for entry in known if entry.path.startswith(f"{owners}.")}
    places = [(owners, part, things, thing, leaf) for part, thing in zip(rows["part"], rows["thing"], strict=True)]
    marked = rows.assign(source=[sources.get(place, "") for place in places], field=rows["ability"])
    assumed = marked["source"].eq(ASSUMED)
    text = f" All {words} shown are assumed." if assumed.all() else f" {STAR} Of the {words} this one is assumed."
    return marked.assign(ability=starred(marked)), text if assumed.any() else ""


def per_game(study: Study, question: PerGame) -> Section | None:
    """Dots of several quantities by entrant, one panel each, at the smallest number of seats with an opponent."""
    rows = quantities(study, question) if study.contests else pd.DataFrame()
    if rows.empty:
        return None
    figure, shown = chart_of(study, question, rows), table_of(study, question, rows)
    return Section(question.id, question.text, said(question, rows), (figure,), (shown,), note_of(question))


def quantities(study: Study, question: PerGame | RuleOff) -> pd.DataFrame:
    """One row per quantity and entrant, with the total over entrants last: panel, name, estimate, low, high, n, sum, base."""
    frame = at(study.seats_frame, contest(study))
    if frame.empty or not question.quantities:
        return pd.DataFrame()
    game, entrant, names = frame["game"].to_numpy(), frame["entrant"].to_numpy(np.int64), study.names

    def of(field: str) -> Floats:
        """Values of a measure by seat, summed if it has several numbers."""
        return np.asarray(np.nan_to_num(numbers(frame, study.measure(field))).sum(axis=1))

    tables = []
    for words, field in question.quantities.items():
        value, base = of(field), of(question.per[words]) if words in question.per else np.ones(len(frame))
        each = rates(game, entrant, value, base).reindex(range(len(names))).assign(name=names)
        whole = rates(game, np.zeros(len(frame), np.int64), value, base).assign(name=ALL)
        both = pd.concat([each[each["n"] > 0], whole], ignore_index=True)
        open_ = ~(np.isfinite(both["low"]) & np.isfinite(both["high"]))
        tables.append(both.assign(low=both["low"].clip(lower=0).mask(open_), high=both["high"].mask(open_), panel=words))
    return pd.concat(tables, ignore_index=True)


def chart_of(study: Study, question: PerGame | RuleOff, rows: pd.DataFrame, id_: str = "") -> DrawnChart:
    """Dots of all `quantities`."""
    each, word = rows[rows["name"] != ALL], study.game.entrant_word
    panels = list(dict.fromkeys(each["panel"]))
    kept = list(each[each["panel"] == panels[0]].sort_values("estimate", ascending=False, kind="stable")["name"])
    many = len(kept) > ROWS
    kept = [*kept[: ROWS // 2], *kept[-(ROWS // 2) :]] if many else kept
    drawn = each[each["name"].isin(kept)]
    drawn = drawn.assign(rank=drawn["name"].map(kept.index), order=drawn["panel"].map(panels.index))
    caption = f"{capital(listed(panels))}, by {word}, {study.where(contest(study))}; separate scales, from zero."
    caption += f" Shown are the {ROWS} with most and fewest of the first quantity." if many else ""
    alt = f"Dots with intervals, a panel per quantity, a row per {word}. {said(question, rows)}"
    return DrawnChart(id_ or question.id, charts.dots(drawn.sort_values(["order", "rank"], kind="stable")), caption, alt)


def table_of(study: Study, question: PerGame | RuleOff, rows: pd.DataFrame, id_: str = "") -> Table:
    """Table of every quantity by entrant."""
    columns = estimate_columns("mean", panel="what", name=study.game.entrant_word)
    return table(rows, id_ or question.id, "What is done", columns, AMOUNTS)


def said(question: PerGame | RuleOff, rows: pd.DataFrame) -> str:
    """Each quantity over all entrants, and the entrants with most and least of it."""

    def short(value: float) -> str:
        return amount(value) if not 0 < abs(value) < SMALL else f"{value:.3f}"

    def with_interval(row: pd.Series) -> str:
        known = f"{short(row['low'])} to {short(row['high'])}" if row["low"] <= row["high"] else "no interval"
        return f"{short(row['estimate'])} ({known})"

    sentences = []
    for words, part in rows.groupby("panel", sort=False):
        whole, each = part.iloc[-1], part.iloc[:-1]
        if (question.told and words not in question.told) or not np.isfinite(whole["estimate"]):
            continue
        bounds = f"95 % interval {short(whole['low'])} to {short(whole['high'])}, " if whole["low"] <= whole["high"] else ""
        line = f"{capital(str(words))}: {short(whole['estimate'])} ({bounds}{size(whole['n'])} games)"
        known = each[each["estimate"].notna()]
        if len(known) > 1 and known["estimate"].max() > known["estimate"].min():
            top, bottom = highest(known, "estimate"), lowest(known, "estimate")
            line += f"; most with {top['name']}, {with_interval(top)}, least with {bottom['name']}, {with_interval(bottom)}"
        sentences.append(f"{line}.")
    return " ".join(sentences)


def note_of(question: PerGame | RuleOff) -> str:
    """How the quantities were counted."""
    note = "All games, including stopped ones. Means are per seat and game; a quantity per something is the sum of one over "
    note += "the sum of the other. Intervals are those of ratios over games, because the seats of a game are correlated; "
    return f"{note}n: games. {question.note}".strip()


def shuffled(study: Study, question: Shuffled) -> Section | None:
    """Dumbbells, one per part that shuffles something in: share of copies used by either side, and the difference in wins.

    named: each part has a key with the name of the table of things for its thing.
    """
    if study.teams is None or not study.contests:
        return None
    seats, thing, unit = contest(study), question.thing, study.unit_word
    uses = _uses(study, seats, question)
    uses = uses[uses["copies"] > 0]
    if uses.empty:
        return None
    uses = uses.assign(name=_names(study, uses["part"].tolist(), question.named), p_holm=adjust(uses["p"]))
    uses = uses.assign(sure=uses["p_holm"] < SURE, apart=uses["first"] - uses["second"])
    uses = uses.sort_values("change", ascending=False, na_position="last")
    figure = charts.dumbbell(
        uses, words=USERS, label="share of copies shuffled in", change="wins if shuffled in less wins if not, points"
    )
    caption = f"Left: how often the owner and the opponent use a copy of the {thing} that is shuffled in. Right: win share of "
    caption += f"teams with that {unit} in games in which it was shuffled in, less their win share in the other games. "
    caption += f"{capital(study.where(seats))}."
    rows = {"first": USERS[0], "first_low": "owner, low", "first_high": "owner, high", "second": USERS[1]}
    rows |= {"second_low": "opponent, low", "second_high": "opponent, high"}
    more = {role: f"{role}, per copy" for role in ("thrown", "triggered") if role in uses}
    wins = {"have": "wins if shuffled in", "lack": "wins if not"}
    gaps = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
    counts = {"n_have": "n (shuffled in)", "n_lack": "n (not)"}
    columns = {"name": thing.removesuffix("s"), "copies": "shuffled in", **rows, **more, **wins, **gaps}
    columns |= {"p_holm": "p (Holm)", **counts, "n": "n"}
    formats: dict[str, Format] = dict.fromkeys([*rows.values(), *wins.values(), "thrown, per copy"], "percent")
    formats |= dict.fromkeys(gaps.values(), "points")
    formats |= dict.fromkeys(["shuffled in", *counts.values()], "count")
    shown = table(uses, question.id, f"{capital(thing)} and who uses them", columns, formats)
    note = (
        "The difference shows selection, not cause: a player who is ahead, lives longer or holds the right cards also shuffles "
        "more in, and longer games have more of it. A copy can come back and be shuffled in again; copies that are neither used "
        "nor thrown away stay in the deck or in hands. Uses: all games, ratios over games. Wins: finished games, Newcombe's "
        f"interval; coloured where p (Holm) < {SURE}. n: games with that {unit}."
    )
    alt = "Pairs of dots of the uses by owner and opponent, and the difference in wins."
    return answered(question, _shuffled_answer(uses, thing, seats), figure, caption, alt, [shown], note)


def _shuffled_answer(uses: pd.DataFrame, thing: str, seats: int) -> str:
    """What serves its owner most and least, and whose win shares differ most."""
    top, bottom, known = highest(uses, "apart"), lowest(uses, "apart"), uses[uses["change"].notna()]
    text = f"{capital(at_seats(seats))}, of the {thing} {top['name']} serves its owner most: {percent(top['first'])} of the "
    text += f"copies {interval_of(top, 'games', 'first')} are used by the owner and {percent(top['second'])} by the opponent"
    if len(uses) > 1:
        text += f"; {bottom['name']} serves it least, {percent(bottom['first'])} against {percent(bottom['second'])}"
    if known.empty:
        return f"{text}."
    best = highest(known, "change", size=True)
    signs = [int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)]
    above, below = (number_word(number) if number else "none" for number in signs)
    return (
        f"{text}. The win share differs most between games with and without the shuffling for {best['name']}: "
        f"{change_of(best)}. Of {some(len(known), 'difference')}, {above} {'is' if signs[0] == 1 else 'are'} significantly above "
        f"and {below} significantly below zero (Holm)."
    )


def _uses(study: Study, seats: int, question: Shuffled) -> pd.DataFrame:
    """One row per part: copies, n, first and second (uses per copy by owner and opponent), thrown, triggered, and the wins.

    Wins are the win shares of teams with and without a copy, and the difference (Newcombe 1998, method 10; score test).
    """
    assert study.teams is not None
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(question.measures, 1))
    game, part, parts = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64), study.teams.parts
    copies = frame[question.shuffled].to_numpy()
    fields = {"first": question.owner, "second": question.other, "thrown": question.thrown, "triggered": question.triggered}
    facts: dict[str, Any] = {"part": range(parts)}
    for word, field in fields.items():
        if field:
            per_copy = rates(game, part, frame[field].to_numpy(), copies).reindex(range(parts))
            facts |= {word: per_copy["estimate"], f"{word}_low": per_copy["low"].clip(lower=0), f"{word}_high": per_copy["high"]}
            facts |= {"copies": per_copy["base"].fillna(0), "n": per_copy["n"].fillna(0).astype(int)}
    ended, share, sides = frame["finished"].to_numpy(bool), frame["share"].to_numpy(np.float64), []
    for chosen in (ended & (copies > 0), ended & ~(copies > 0)):
        n = np.bincount(part[chosen], minlength=parts)
        sides.append(proportions(np.bincount(part[chosen], share[chosen], parts).clip(0, n), n))
    have, lack = sides
    facts |= {"have": have["estimate"], "lack": lack["estimate"], "n_have": have["n"], "n_lack": lack["n"]}
    gaps = differences(have, lack).rename(columns={"low": "change_low", "high": "change_high"})
    return pd.DataFrame(facts).join(gaps)


def _names(study: Study, parts: Sequence[int], named: Sequence[str]) -> list[str]:
    """Names of the parts, preceded by the name of what each shuffles in if the card file has it."""
    if not named:
        return [study.units[part] for part in parts]
    owners, things = named

    def values(node: Any) -> Iterator[Any]:
        """Values of the key `things` anywhere in a part of a document."""
        if isinstance(node, Mapping):
            if things in node:
                yield node[things]
            node = list(node.values())
        for child in node if isinstance(node, (list, tuple)) else ():
            yield from values(child)

    words = {line["id"]: str(line.get("name", line["id"])) for line in study.cards.document.get(things, ())}
    lines, names = study.cards.document.get(owners, ()), []
    for part in parts:
        thing = next(values(lines[part]), "") if part < len(lines) else ""
        names.append(f"{words[thing]} ({study.units[part]})" if thing in words else study.units[part])
    return names


def board(study: Study, question: Board) -> Section | None:
    """Two maps at most seats: where entrants fell from, and where they stand at the end of their turns."""
    seats, cards = max(study.seats), study.cards.record[0]
    hexes = int(cards[question.hexes])
    place = np.array([cards[question.q][:hexes], cards[question.r][:hexes]], np.int64)
    seated = at(study.seats_frame, seats)
    game = np.repeat(np.arange(len(seated) // seats), seats)
    fell = _counted(game, seated[question.fell].to_numpy(np.int64), (len(seated) // seats, hexes))
    logs = []
    for log in study.replays(seats):
        games_, places = zip(*turn_ends(log, question.stood), strict=True)
        logs.append(_counted(np.array(games_), np.array(places), (len(log.rows), hexes)))
    stood = np.concatenate(logs)
    kinds = {"Fell from": (fell, "falls"), "Stood at the end of their turns": (stood, "turns")}
    maps = {kind: _hex_shares(cases, place).assign(panel=kind, unit=unit) for kind, (cases, unit) in kinds.items()}
    frame = pd.concat(maps.values(), ignore_index=True)
    land = {(int(q), int(r)) for q, r in place.T}
    shore = np.array([any((q + dq, r + dr) not in land for dq, dr in NEAR) for q, r in place.T.tolist()])
    rim = ratio(stood[:, shore].sum(axis=1), stood.sum(axis=1))
    answer = f"{capital(at_seats(seats))} {percent(rim.estimate)} of the turns end on one of the {count(shore.sum())} hexes "
    answer += f"next to the water, of {count(hexes)} in all (95 % interval {100 * max(0.0, rim.low):.1f} to {percent(rim.high)}, "
    answer += f"{size(rim.n)} games)."
    for kind, part in maps.items():
        top = highest(part, "value")
        answer += f" {kind}: most often ({top['q']}, {top['r']}), {percent(top['value'])}; evenly over all {count(hexes)} hexes "
        answer += f"it would be {percent(1 / hexes)}."
    falls, turns = count(frame["n"].iloc[0]), count(frame["n"].iloc[-1])
    caption = f"Shares of {falls} falls, by the last land hex, and of {turns} turns {study.where(seats)}. Blank: none."
    columns = {"panel": "what", "q": "q", "r": "r", "value": "share", "low": "low", "high": "high", "cases": "cases", "n": "n"}
    shown = table(frame, "board", "Every hex", columns, {"cases": "count", "q": "number", "r": "number"})
    games = min(study.budget.replays, study.main(seats).games)
    note = f"Coordinates (q, r): q grows to the east, r to the south. Turns' ends come from {count(games)} replayed games. "
    note += "Intervals are those of ratios over games, because the cases of a game are correlated."
    figure = charts.board(frame.assign(value=frame["value"].where(frame["cases"] > 0)), shared=False, unit="of the panel")
    return answered(question, answer, figure, caption, "Hex maps.", [shown], note)


def turn_ends(log: Replay, field: str) -> Iterator[tuple[int, int]]:
    """Game (within the log) and place, at the end of each turn, of the seat that was first to decide in it."""
    game, turn = log.moves["row"], log.moves["turn"]
    starts = np.flatnonzero(np.append(True, (np.diff(game) != 0) | (np.diff(turn) != 0)))
    for place, start in enumerate(starts):
        after = starts[place + 1] if place + 1 < len(starts) else len(game)
        end = after if after < len(game) and game[after] == game[start] else after - 1
        if end > start:
            yield int(game[start]), int(log.positions[end][field][log.moves["seat"][start]])


def _counted(game: Ints, place: Ints, shape: tuple[int, int]) -> Floats:
    """Number of times that each place (-1: none) occurs in each game, (games, places)."""
    known = place >= 0
    cell = game[known] * shape[1] + place[known]
    return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _hex_shares(cases: Floats, place: Ints) -> pd.DataFrame:
    """Share of all cases by hex, with intervals from games. cases: (games, hexes); place: (2, hexes) coordinates."""
    x = cases.sum(axis=1)
    sums = {"y": cases.sum(axis=0), "x": x.sum(), "yy": (cases**2).sum(axis=0), "xy": x @ cases, "xx": x @ x, "n": len(x)}
    found = ratios(pd.DataFrame(sums))
    shares = {"value": found["estimate"], "low": found["low"].clip(0), "high": found["high"].clip(upper=1)}
    counts = {"cases": cases.sum(axis=0).astype(np.int64), "n": int(x.sum())}
    return pd.DataFrame({"q": place[0], "r": place[1], **shares, **counts})
