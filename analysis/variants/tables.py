"""Results of `fairfight whatif`, `sensitivity` and `ablate`, and what the tables of all paired changes share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.answer import tables
from analysis.answer.model import Section
from analysis.answer.numbers import THIN, Format, as_written, count, percent, points, seats_word
from analysis.answer.prose import limit_words, listed, point_interval, size
from analysis.answer.tables import SECONDARY, Table
from analysis.charts import gains, tornado
from analysis.variants.ablation import Worth
from analysis.variants.sensitivity import Sensitivity
from analysis.variants.variant import SURE, Step
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment

SHOWN = 40  # rows on a terminal
CHARTED, WORTH_CHARTED = 24, 30  # numbers, and things, in a chart
NAMED = 6  # steps listed by name; further ones are counted
PAIRED = {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
PAIRED |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
SPREADS = {"spread_change": "spread", "spread_low": "spread low", "spread_high": "spread high"}
TRUNCATED = {"truncated_before": "truncated before", "truncated_after": "truncated after"}
WAYS = ("with it", "without it", "with", "without")
PERCENT = ("games that end otherwise", "of decisions", "in games", *WAYS, *(f"truncated {way}" for way in WAYS))
POINTS = (
    *("mean change, either way", "largest change", "one by one", "together", "through both"),
    *("worth", "worth low", "worth high", "per copy", *SPREADS.values()),
)
FORMATS: dict[str, Format] = {**dict.fromkeys(PERCENT, "percent"), **dict.fromkeys(POINTS, "points"), "p": "p", "p (BH)": "p"}
DETAILS = ("gain", "spread low", "rank", "of decisions", "in games", "spread", *SECONDARY, "before", "with it", "after")
ENDS = {"before": "first", "after": "second", "low": "change_low", "high": "change_high"}
ENDS |= {f"{old}_{end}": f"{ENDS[old]}_{end}" for old in ("before", "after") for end in ("low", "high")}
SPREAD_WORDS = (
    "The spread is the standard deviation of the win rates, minus what chance alone adds to it; 0 if chance explains all of it."
)
PAIR_WORDS = "Both ways play the same line-ups and dice; gain: how many times as many games two separate runs would need."
ADJUSTED = {"holm": "p (Holm)", "bh": "p (BH)"}


def table(
    frame: pd.DataFrame,
    id_: str,
    caption: str,
    columns: Mapping[str, str],
    formats: Mapping[str, Format] | None = None,
    ends: int = 0,
) -> Table:
    """`tables.table` with the formats of paired changes, and the order in which a narrow terminal leaves their columns out."""
    known = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    return replace(tables.table(frame, id_, caption, columns, {**known, **(formats or {})}, ends), secondary=DETAILS)


def paired_note(ways: str) -> str:
    """Sentences on how paired changes are measured. ways: the two ways in which the games are played, as a subject."""
    return (
        f"{ways} play the same games with the same dice (common random numbers), and the differences are analysed as pairs; gain "
        "is how many times as many games two separate samples would need. Truncated games are left out."
    )


def sure_note(over: str, what: str = "A change is significant, and coloured,") -> str:
    """Sentence on what is called significant. over: what p-values are adjusted over."""
    return f" {what} if p (Holm) < {SURE}, adjusted over all {over}; intervals are for each alone."


def change_words(row: pd.Series, with_n: bool = False) -> str:
    """Write a change of a win rate with its interval: `+1.2 points (95 % interval +0.2 to +2.2)`. row: change, low, high, n."""
    end = f", {size(row['n'])})" if with_n else ")"
    return f"{points(row['change'])} points {point_interval(row['low'], row['high'])[:-1]}{end}"


def remarks(*items: tuple[str, Sequence[str]]) -> str:
    """Sentences `words: names.`, each after a blank, for those with names."""
    return "".join(f" {words}: {listed(names)}." for words, names in items if names)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as dicts of plain values."""
    return [{str(name): value for name, value in line.items()} for line in frame.to_dict("records")]


def sensitivity_section(found: Sensitivity) -> Section:
    """Result of `sensitivity`: every step, of which a terminal shows the first rows."""
    frame, left = found.frame, found.candidates
    columns = {"rank": "rank", "path": "number", "present": "now", "value": "becomes", "name": "win rate of"}
    every, first = _shortened(frame, "sensitivity", "Every number one step up and down", columns | PAIRED | SPREADS | TRUNCATED)
    lines = (
        f"{count(found.games)} games in all. {run_words(found.base)} Widest interval: \u00b1{100 * found.precision:.2f} points.",
        "Ranked by the lower bound of the size of the change. Win rate: that of the owner of a number, else the one that "
        "moves most, with the interval widened for that choice. Intervals for each row alone; Holm over all rows.",
        "A first round, not used otherwise, decided how many games each step needs; steps that could be at the top got twice "
        f"as many. Before and after are those of the n games of the row. {SPREAD_WORDS}",
        *([truncated_steps(found.truncated, frame["truncated_after"], found.base)] if len(frame) else []),
        *left_out("Numbers marked as fixed, left alone", left.fixed),
        *left_out("Coordinates and board sizes, left alone unless --fields or --with-fixed asks for them", left.places),
        *left_out("Steps refused by the rules of the card file", list(map(step_words, left.refused))),
        *left_out("Steps without any effect on play", list(map(step_words, left.idle))),
    )
    facts = found.base.facts() | {"games": found.games, "first_round": found.pilot, "final_round": found.span}
    facts |= {"precision": found.precision, "wanted": found.asked.precision, "truncated": found.truncated}
    data = {"facts": facts, "steps": records(frame), "fixed": list(left.fixed), "refused": refused_steps(left.refused)}
    data["idle"] = [{"path": step.field, "value": step.value} for step in left.idle]
    shown = frame.rename(columns={"path": "field"}).drop(columns="name", errors="ignore")
    draw = (lambda: tornado(shown, most=CHARTED)) if len(frame) else (lambda: None)
    answer = "No number could be changed."
    if len(frame):
        top = frame.iloc[0]
        answer = (
            f"{top['path']} from {as_written(top['present'])} to {as_written(top['value'])} moves most: the win rate of "
            f"{top['name']} by {points(top['change'])} points ({points(top['low'])} to {points(top['high'])})."
        )
    printed = (first,) if len(frame) else ()
    return Section("sensitivity", answer=answer, tables=(every,), printed=printed, lines=lines, data=data, draw=draw)


def worth_section(found: Worth, ranked: bool = False) -> Section:
    """Result of `ablate`: the worth of every thing. ranked: sort by absolute worth, largest first."""
    base, frame = found.base, worths(found, ranked)
    word, p_words = base.teams.word if base.teams else base.game.entrant_word, ADJUSTED[found.method]
    columns = {"thing": "what", "forbidden_to": "forbidden to", "name": f"win rate of ({word})", "before": "with it"}
    columns |= {"after": "without", "worth": "worth", "low": "low", "high": "high", "p_adjusted": p_words}
    columns |= {"of_decisions": "of decisions", "of_games": "in games", "n": "n", "gain": "gain"}
    columns |= {"truncated_before": "truncated with it", "truncated_after": "truncated without"}
    every, first = _shortened(frame, "worth", "What it is worth", columns, {"low": "points", "high": "points"})
    games = "for each, played again without it if the ban can affect them" if ranked else "with it, and again without it those "
    lines = (
        f"{count(found.games)} games {games}{'' if ranked else 'that it can affect'}; {count(found.played)} in all. "
        f"{run_words(base)}",
        "Worth: win rate with it minus that without it, in the same line-ups with the same dice. All players know about the "
        "ban and plan accordingly; a banned action is still taken if there is no other.",
        "Use: share of the decisions with an alternative and of the games, for the row's win rate, in "
        f"{count(found.usages.looked_at)} unchanged games. Gain: how many times as many games two separate runs would need.",
        truncated_steps(found.truncated, frame["truncated_after"], base),
        f"Intervals at 95{THIN}%, for each row alone; {p_words} over all rows.",
        *left_out("Left out, because not used in the replayed games", found.unused),
    )
    facts = base.facts() | {"games": found.games, "played": found.played, "looked_at": found.usages.looked_at}
    facts |= {"adjusted": found.method, "unused": list(found.unused), "truncated": found.truncated}
    data = {"facts": facts, "worth": records(frame.drop(columns=["entrant", "paired"]))}
    rest = f" {len(frame) - WORTH_CHARTED} more are worth less." if len(frame) > WORTH_CHARTED else ""
    counts = ("games", f"Games with it, and the same number without.{rest}")
    return Section(
        "worth",
        answer=_worth_answer(frame),
        tables=(every,),
        printed=(first,),
        lines=lines,
        data=data,
        draw=lambda: gains(chart_frame(frame), counts=counts),
    )


def _worth_answer(frame: pd.DataFrame) -> str:
    """Sentence on the thing with the largest worth."""
    known = frame.dropna(subset=["worth"])
    if known.empty:
        return "Nothing could be compared."
    most = tables.highest(known, "worth", size=True)
    sure = "" if most["p_adjusted"] < SURE else "; it may be chance"
    return (
        f"{most['thing']} is worth most: {points(most['worth'])} points of the win rate of {most['name']} "
        f"({points(most['low'])} to {points(most['high'])}{sure})."
    )


def worths(found: Worth, ranked: bool = False) -> pd.DataFrame:
    """Lines of `Worth` with the id of the entrant under the ban. ranked: see `worth_section`."""
    ids = found.base.cards.ids
    whom = ["everybody" if entrant < 0 else ids[entrant] for entrant in found.lines["entrant"].astype(int)]
    frame = found.lines.assign(forbidden_to=whom)
    size_ = frame["worth"].abs().fillna(-1)
    return frame.loc[size_.sort_values(ascending=False, kind="stable").index].reset_index(drop=True) if ranked else frame


def chart_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Data of the chart of worths: the first rows, in panels by entrant if the bans differ by entrant."""
    rows = frame.head(WORTH_CHARTED).assign(change=lambda part: part["worth"])
    several = rows["name"].duplicated().any() and rows["thing"].duplicated().any()
    if several or len(set(rows["forbidden_to"])) > 1:
        return rows.assign(panel=rows["name"], name=rows["thing"])
    return rows.assign(name=rows["name" if len(set(rows["thing"])) == 1 else "thing"])


def list_table(game: Game, things: tuple[str, ...]) -> Table:
    """Table of what can be forbidden."""
    caption = f"What can be forbidden in {game.title}: {count(len(things))}"
    return Table("things", ("what",), tuple((thing,) for thing in things), caption)


def _shortened(
    frame: pd.DataFrame, id_: str, caption: str, columns: Mapping[str, str], formats: Mapping[str, Format] | None = None
) -> tuple[Table, Table]:
    """The table of all rows, and of those that fit a terminal."""
    frame = frame.reindex(columns=list(columns)) if frame.empty else frame
    rest = f" (the first {SHOWN} of {len(frame)}; --csv and --json hold all)" if len(frame) > SHOWN else ""
    first = table(frame.head(SHOWN), id_, f"{caption}{rest}", columns, formats)
    return table(frame, id_, caption, columns, formats), first


def truncated_steps(before: float, after: pd.Series, base: Experiment) -> str:
    """Sentence on the shares of truncated games, unchanged and, by row, with a change."""
    limit, most = limit_words(base.game.limits_itself), float(after.max())
    if not before and not most:
        return f"No game was stopped at {limit}."
    return (
        f"Truncated games, stopped at {limit}, are left out of win rates: {percent(before, 2)} of the unchanged games, up to "
        f"{percent(most, 2)} of the games of a row."
    )


def run_words(base: Experiment) -> str:
    """Sentence on cards, seats, policy and seed of a run."""
    cards = f"{base.cards.title} (digest {base.cards.digest})"
    return f"{cards}, {seats_word(base.seats)}, policy {base.policy_words}, seed {base.seed}."


def refused_steps(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Steps that the card rules refuse, with the reasons."""
    return [{"path": step.field, "value": step.value, "why": step.refused} for step in steps]


def step_words(step: Step) -> str:
    """Describe a step by path and direction, or by value if it is more than one step."""
    way = {-1: "down", 1: "up"}.get(step.step, f"to {as_written(step.value)}")
    return f"{step.field} {way}"


def left_out(why: str, names: Sequence[str]) -> list[str]:
    """Sentence on what was not played; none without names."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"{why} ({len(names)}): {', '.join(names[:NAMED])}{more}."] if names else []
