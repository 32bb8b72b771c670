"""Counts and quantities of a game's facts: means by entrant and part, winners and losers, and the distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import amount, capital, fitting, singular
from analysis.answer.tables import AMOUNTS, Table, estimate_columns, highest, lowest, table, with_bounds
from analysis.data.association import with_more
from analysis.data.facts import ALL, FactGames, Values, by_word, chosen_facts, list_facts, overview_words, own_parts
from analysis.data.rows import rates, shares
from analysis.data.study import Study
from analysis.playtests.sides import amounts as amounts_of_log
from analysis.question import question
from analysis.stats.intervals import adjust
from sim.engine.measures import Measure

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

PER_GAME = "per game"
TOTAL = "total"  # of all parts of a fact
ROWS = 24  # in a chart; if there are more, those with most and fewest
PARTS_DRAWN = 10  # parts of a stacked bar
VALUES_SHOWN = 24  # of a distribution; if there are more, they are in bins
SURE = 0.05  # p-value adjusted over all amounts
ESTIMATE = ["estimate", "low", "high", "n"]
WHO = {"first": "winners", "second": "losers"}


@question(
    log=amounts_of_log,
    reads=True,
    options={"facts": "FACT"},
    about="facts",
    examples=("amounts arena", "amounts arena damage_dealt", "amounts arena falls_caused --per uses"),
)
def amounts(
    study: Study,
    facts: list[str] = (),  # type: ignore[assignment]
    by: str = "entrant",
    per: str = "",
    distribution: bool = False,
    games: int = 2_000,
) -> Answer:
    """Means of what a game counts, by entrant and part; winners and losers.

    A fact is a number that the game keeps for each seat or game; without one, the question lists them.

    Parameters
    ----------
    facts : list of str
        Facts; a single one is divided by its parts.
    by : str
        What the games are split by: entrant, side (winners and losers), position (turn order), seats or all.
    per : str
        Fact that the amounts are divided by, in place of the number of seats and games.
    distribution : bool
        Show how often each value occurs as well.
    games : int
        Games in all.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.amounts("arena", "damage_taken", games=28, policy="random", progress=False)
    >>> list(result.frame["name"][:2])
    ['all together', 'Bow Master']

    """
    if not facts:
        return overview(study)
    chosen = chosen_facts(study, "amounts", facts)
    divisor = chosen_facts(study, "amounts", [per])[0] if per else None
    measures = [*chosen, *([divisor] if divisor else [])]
    played = FactGames.of(study, measures, games, by)
    by_member = any(measure.members for measure in measures)
    values = [played.values(measure, by, by_member) for measure in chosen]
    base = played.values(divisor, by, by_member) if divisor else None
    rows = pd.concat([means(one, base, parts=len(chosen) == 1) for one in values], ignore_index=True)
    words = f"per {singular(divisor.unit) if divisor.unit else divisor.label.lower()}" if divisor else PER_GAME
    columns = estimate_columns("mean", name=by_word(study, by), part="what")
    shown = totals_first(rows) if len(chosen) == 1 else rows
    tables = [table(shown, "amounts", f"Means {words}", columns, AMOUNTS, whole=rows)]
    drawn = [
        Chart(partial(draw, rows, words), f"{capital(title(chosen))} {words}; {study.where(int(played.games['seats'].min()))}.")
    ]
    beside = sides(played, chosen) if divisor is None else None
    if beside is not None:
        tables.append(sides_table(beside, two_seats="more" in beside))
    if beside is not None and len(beside) > 1:
        drawn.append(Chart(partial(draw_sides, beside), f"Winners and losers: {title(chosen)}, means {words}.", "sides"))
    if distribution:
        spread = distributions(values)
        tables.append(table(spread, "distribution", "How often each value occurs", distribution_columns(), {"share": "percent"}))
        drawn.append(Chart(partial(draw_distribution, spread), f"Share of the seats with each value: {title(chosen)}.", "values"))
    return Answer(
        summary(rows, chosen, words),
        tuple(tables),
        tuple(drawn),
        tuple(notes(divisor, beside is not None)),
        {"facts": [measure.field for measure in measures], "games": len(played.games), "by": by},
        shown=study.player.shown,
    )


def overview(study: Study) -> Answer:
    """The facts that can be asked about."""
    known = list_facts(study, "amounts")
    columns = {"fact": "fact", "label": "what it counts", "unit": "unit", "per": "for each", "parts": "parts"}
    return Answer(
        overview_words(study, "amounts", [*known["fact"]], "count or quantity", "counts and quantities", "one or several"),
        (table(known, "facts", "Counts and quantities", columns, details=("parts", "for each")),),
    )


def means(values: Values, base: Values | None, parts: bool) -> pd.DataFrame:
    """Mean of a fact by group and part, the groups together first: name, part, estimate, low, high, n, share, sum, total.

    base: values that divide, part by part if it has the same parts; parts: also a row for every part, before their total. share:
    of the total of the group; total: whether the row is the total of several parts.
    """
    label = values.measure.label
    columns = part_columns(values, base) if parts else {}
    columns[TOTAL if columns else label] = (total(values.value), divisors(values, base, None))
    tables = []
    for part, (value, divisor) in columns.items():
        known = np.isfinite(value) & np.isfinite(divisor)
        game, group, sums = values.cluster[known], values.group[known], (value[known], divisor[known])
        each = rates(game, group, *sums).reindex(range(len(values.names))).assign(name=list(values.names))
        whole = rates(game, np.zeros(group.size, np.int64), *sums).assign(name=ALL)
        both = pd.concat([whole, each[each["n"] > 0]] if len(values.names) > 1 else [whole], ignore_index=True)
        unsure = ~(np.isfinite(both["low"]) & np.isfinite(both["high"]))
        both = both.assign(low=both["low"].mask(unsure), high=both["high"].mask(unsure))
        tables.append(both.assign(part=part, total=part in (TOTAL, label), fact=values.measure.field))
    rows = pd.concat(tables, ignore_index=True)
    totals = rows[rows["total"]].set_index("name")["sum"]
    whole_sums = rows["name"].map(totals)
    rows = rows.assign(share=rows["sum"] / whole_sums.where(whole_sums != 0))
    rows = own_names(rows, values) if values.own and parts else rows
    order = {name: place for place, name in enumerate([ALL, *values.names])}
    rows = rows.sort_values("name", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    return rows[["name", "part", *ESTIMATE, "share", "sum", "total", "fact"]]


def totals_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of `means`: those of all together, then the totals of the groups, the largest first, then their parts."""
    rank = np.select([rows["name"] == ALL, rows["total"]], [0, 1], 2)
    size = rows["estimate"].where(rows["total"] & (rows["name"] != ALL), 0).fillna(0)
    order = pd.DataFrame({"rank": rank, "size": -size}).sort_values(["rank", "size"], kind="stable").index
    return rows.loc[order].reset_index(drop=True)


def part_columns(values: Values, base: Values | None) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Values and divisors by part; empty without parts."""
    return {
        part: (values.value[:, index], divisors(values, base, index)) for index, part in enumerate(values.parts) if values.parts
    }


def total(value: np.ndarray) -> np.ndarray:
    """Sum over the parts; nan if all are unknown."""
    known = np.isfinite(value)
    return np.where(known.any(axis=1), np.where(known, value, 0).sum(axis=1), np.nan)


def divisors(values: Values, base: Values | None, part: int | None) -> np.ndarray:
    """What an amount is divided by: one for each row, or another fact, of the same part if it has the same parts."""
    if base is None:
        return np.ones(len(values.group))
    return base.value[:, part] if part is not None and base.parts == values.parts else total(base.value)


def own_names(rows: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Rows with the names that the parts have with each group; parts that it does not have, and those of all, are left out."""
    named = {
        (name, part): own[index] if index < len(own) else ""
        for name, own in zip(values.names, values.own, strict=True)
        for index, part in enumerate(values.parts)
    }
    parts = [
        part if whole else named.get((name, part), "")
        for name, part, whole in zip(rows["name"], rows["part"], rows["total"], strict=True)
    ]
    return rows.assign(part=parts)[[bool(part) for part in parts]]


def sides(played: FactGames, chosen: Sequence[Measure]) -> pd.DataFrame | None:
    """Means of winners and losers by part, and how the side with more of it fares; None without winners or losers.

    Columns: part, first (winners), second (losers), both with bounds, n (games), and at two seats those of `with_more` with
    p_holm and sure.
    """
    rows = []
    for measure in chosen:
        one = played.values(measure, "all")
        ended = one.chosen(one.finished & (one.seats == played.experiment.seats))
        if measure.per == "game" or not (ended.won.any() and (~ended.won).any()):
            continue
        parts = one.parts if len(chosen) == 1 and not own_parts(played.study, measure) else ()
        for index, name in enumerate([*parts, measure.label]):
            value = ended.value[:, index] if index < len(parts) else total(ended.value)
            known = np.isfinite(value)
            means_ = rates(ended.cluster[known], ended.won[known].astype(np.int64), value[known], np.ones(int(known.sum())))
            if len(means_) == 2 and value[known].any():
                rows.append({"part": name, **pair_columns(means_), **with_more(ended, np.nan_to_num(value), played.experiment)})
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    return frame.assign(p_holm=adjust(frame["p"]), sure=lambda part: part["p_holm"] < SURE) if "p" in frame else frame


def pair_columns(means_: pd.DataFrame) -> dict[str, Any]:
    """Means of winners (first) and losers (second) with their bounds."""
    pair: dict[str, Any] = {}
    for code, name in ((1, "first"), (0, "second")):
        row = means_.loc[code]
        pair |= {name: row["estimate"], f"{name}_low": row["low"], f"{name}_high": row["high"]}
    return pair | {"n": int(means_["n"].max())}


def sides_table(frame: pd.DataFrame, two_seats: bool) -> Table:
    """Table of winners and losers."""
    columns = {"part": "what", **with_bounds("first", "winners"), **with_bounds("second", "losers")}
    formats: dict[str, Format] = {}
    if two_seats:
        columns |= {"more": "side with more wins", "more_low": "low", "more_high": "high", "change": "one more goes with"}
        columns |= {"change_low": "change low", "change_high": "change high", "p_holm": "p (Holm)"}
        formats |= {"side with more wins": "percent", "one more goes with": "points"}
    made = table(frame, "sides", "Winners and losers", {**columns, "n": "n"}, formats)
    names = {f"{side}{end}": f"{who}{end}" for side, who in WHO.items() for end in ("", "_low", "_high")}
    return replace(made, whole=frame.rename(columns=names))


def distributions(values: Sequence[Values]) -> pd.DataFrame:
    """Share of the seats with each value, or in bins: part, value, estimate, low, high, n."""
    tables = []
    for one in values:
        value = total(one.value)
        known = np.isfinite(value)
        words, code = value_bins(value[known])
        for index, word in enumerate(words):
            row = shares(one.cluster[known], np.zeros(code.size, np.int64), (code == index).astype(np.float64)).iloc[0]
            tables.append({"part": one.measure.label, "value": word, **row[ESTIMATE].to_dict()})
    return pd.DataFrame(tables, columns=["part", "value", *ESTIMATE])


def value_bins(value: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Words for the values, ascending, or for bins of equal width; and which one each value is in."""
    distinct = np.unique(value)
    if distinct.size <= VALUES_SHOWN:
        return [number(one) for one in distinct], np.searchsorted(distinct, value)
    whole = bool((value == np.rint(value)).all())
    width = (distinct[-1] - distinct[0]) / VALUES_SHOWN
    width = float(np.ceil(width)) if whole else width
    code = np.minimum(((value - distinct[0]) // width).astype(np.int64), VALUES_SHOWN - 1)
    starts = distinct[0] + width * np.arange(code.max() + 1)
    return [f"{number(start)} to {number(start + width - whole)}" for start in starts], code


def distribution_columns() -> dict[str, str]:
    """Headings of the distribution."""
    return {"part": "what", "value": "value", **estimate_columns("share")}


def summary(rows: pd.DataFrame, chosen: Sequence[Measure], words: str) -> str:
    """The sentence: the mean of the first fact, its largest part, and the groups with most and fewest."""
    label = chosen[0].label
    whole = rows[rows["total"] & (rows["fact"] == chosen[0].field)]
    if whole.empty or not np.isfinite(whole["estimate"].iloc[0]):
        return f"{label}: no game has any."
    first, each = whole.iloc[0], whole[(whole["name"] != ALL) & whole["estimate"].notna()]
    bounds = f" ({amount(first['low'])} to {amount(first['high'])})" if first["low"] < first["high"] else ""
    mean = f"{label} {words}: {amount(first['estimate'])}{bounds}"
    parts = rows[(rows["name"] == ALL) & ~rows["total"]]
    biggest = highest(parts, "share") if parts["share"].notna().any() else None
    largest = f", {percent(biggest['share'], 0)} of it {biggest['part']}" if biggest is not None and words == PER_GAME else ""
    ends = ""
    if len(each) > 1 and each["estimate"].max() > each["estimate"].min():
        top, bottom = highest(each, "estimate"), lowest(each, "estimate")
        ends = (
            f"; most with {top['name']} ({amount(top['estimate'])}), least with {bottom['name']} ({amount(bottom['estimate'])})"
        )
    return fitting(f"{mean}{largest}{ends}.", f"{mean}{ends}.", f"{mean}{largest}.", f"{mean}.")


def title(chosen: Sequence[Measure]) -> str:
    """The facts in words."""
    labels = [measure.label.lower() for measure in chosen]
    return labels[0] if len(labels) == 1 else f"{labels[0]} and {count(len(labels) - 1)} more"


def notes(divisor: Measure | None, with_sides: bool) -> list[str]:
    """How amounts are counted, and what a comparison of sides means."""
    how = f"sums divided by those of “{divisor.label.lower()}”" if divisor else "means for each seat and game"
    lines = [f"All games count, also truncated ones: {how}; intervals are over games, because their seats are correlated."]
    if with_sides:
        lines.append("Winners and losers are of finished games; a side may do more of something because it is winning.")
    return lines


def draw(rows: pd.DataFrame, words: str) -> Figure:
    """Bars stacked by part, or dots with intervals, a panel for each fact."""
    parts = rows[~rows["total"]]
    shared_parts = parts["part"].nunique()
    own = len(parts) > 0 and ALL not in set(parts["name"])
    if own:
        named = parts.assign(name=parts["name"] + ": " + parts["part"], panel=f"Mean {words}")
        return charts.dots(ends_of(named[named["estimate"] > 0]))
    if 1 < shared_parts <= PARTS_DRAWN and words == PER_GAME:
        totals = rows[rows["total"]].set_index("name")
        kept = ends_of(rows[rows["total"]].assign(panel=""))["name"]
        drawn = parts[parts["name"].isin(kept)].rename(columns={"part": "category"})
        bounds = {"total": "estimate", "low": "low", "high": "high", "n": "n"}
        drawn = drawn.assign(panel="", **{new: drawn["name"].map(totals[old]) for new, old in bounds.items()})
        order = {name: place for place, name in enumerate(kept)}
        drawn = drawn.assign(rank=drawn["name"].map(order)).sort_values("rank", kind="stable")
        return charts.amounts(drawn, panels="panel", unit=words)
    if shared_parts > 1 and set(rows["name"]) == {ALL}:
        return charts.dots(parts.assign(name=parts["part"], panel=f"Mean {words}"))
    shown = parts.assign(panel=parts["part"]) if shared_parts > 1 else rows[rows["total"]]
    shown = shown.assign(panel=np.where(shown["total"], shown["part"].replace(TOTAL, f"mean {words}"), shown["part"]))
    shown = shown[np.isfinite(shown["estimate"]) & (shown["estimate"] >= 0)]
    panels = list(dict.fromkeys(shown["panel"]))[:PARTS_DRAWN]
    return charts.dots(ends_of(shown[shown["panel"].isin(panels)]))


def ends_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of the names with most and fewest of the first panel, descending; all of them if they are few."""
    first = frame[frame["panel"] == frame["panel"].iloc[0]].sort_values("estimate", ascending=False, kind="stable")
    names = list(dict.fromkeys(first["name"]))
    kept = names if len(names) <= ROWS else [*names[: ROWS // 2], *names[-(ROWS // 2) :]]
    shown = frame[frame["name"].isin(kept)]
    order = {name: place for place, name in enumerate(kept)}
    panel = {name: place for place, name in enumerate(dict.fromkeys(frame["panel"]))}
    ranked = shown.assign(rank=shown["name"].map(order), order=shown["panel"].map(panel))
    return ranked.sort_values(["order", "rank"], kind="stable")


def draw_sides(frame: pd.DataFrame) -> Figure:
    """Pairs of dots, a row for each part."""
    drawn = frame.rename(columns={"part": "name"}).head(ROWS)
    drawn = drawn.drop(columns=[name for name in ("change", "change_low", "change_high") if name in drawn])
    return charts.dumbbell(drawn, words=("winners", "losers"), label="mean per game", shares=False)


def draw_distribution(frame: pd.DataFrame) -> Figure:
    """Bars of the first fact."""
    first = frame[frame["part"] == frame["part"].iloc[0]]
    return charts.shares(first.rename(columns={"value": "name"}), label=at_first(first))


def at_first(frame: pd.DataFrame) -> str:
    """Words for the axis."""
    return f"share of the seats, by {str(frame['part'].iloc[0]).lower()}"
