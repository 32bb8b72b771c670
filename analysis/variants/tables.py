"""Results of `fairfight whatif`, `sensitivity` and `ablate`, and what the tables of all paired changes share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.answer import tables
from analysis.answer.model import ColumnNote
from analysis.answer.numbers import Format, as_written, percent, seats_word
from analysis.answer.prose import limit_words
from analysis.answer.tables import Table
from analysis.data.players import player_words
from analysis.variants.variant import Step
from sim.experiments.experiment import Experiment

CHARTED = 24  # numbers in a chart
NAMED = 6  # steps listed by name; further ones are counted
CHANGES = {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
EVIDENCE = {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
PAIRED = CHANGES | EVIDENCE
SPREADS = {"spread_change": "spread change", "spread_change_low": "spread low", "spread_change_high": "spread high"}
TRUNCATED = {"truncated_before": "truncated before", "truncated_after": "truncated after"}
WAYS = ("with it", "without it", "with", "without")
PERCENT = ("games that end otherwise", "of decisions", "in games", *WAYS, *(f"truncated {way}" for way in WAYS))
POINTS = (
    *("mean change, either way", "largest change", "one by one", "together", "through both"),
    *("worth", "worth low", "worth high", "per copy", *SPREADS.values()),
)
FORMATS: dict[str, Format] = {**dict.fromkeys(PERCENT, "percent"), **dict.fromkeys(POINTS, "points"), "p": "p", "p (BH)": "p"}
DETAILS = ("rank", "of decisions", "in games", "spread change", "spread low", "spread high", "source", "strong *", "holds for")
ENDS = {"before": "first", "after": "second", "low": "change_low", "high": "change_high"}
ENDS |= {f"{old}_{end}": f"{ENDS[old]}_{end}" for old in ("before", "after") for end in ("low", "high")}
SPREAD_WORDS = (
    "The spread is the standard deviation of the win rates, minus what chance alone adds to it; 0 if chance explains all of it."
)
PAIR_WORDS = "Both ways play the same line-ups and dice."
GAIN_WORDS = ColumnNote("Gain: how many times as many games two separate runs would need.", "gain")


def table(
    frame: pd.DataFrame,
    id_: str,
    caption: str,
    columns: Mapping[str, str],
    formats: Mapping[str, Format] | None = None,
    ends: int = 0,
    **more: Any,
) -> Table:
    """`tables.table` with the formats and details of paired changes."""
    known = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    more["details"] = (*DETAILS, *more.get("details", ()))
    return tables.table(frame, id_, caption, columns, {**known, **(formats or {})}, ends, **more)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as dicts of plain values."""
    return [{str(name): value for name, value in line.items()} for line in frame.to_dict("records")]


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
    return f"{cards}, {seats_word(base.seats)}, {player_words(base.game, base.policies, exact=True)}, seed {base.seed}."


def in_steps(frame: pd.DataFrame) -> list[str]:
    """Write the steps of a frame as `2 \u2192 3`. frame: present and value."""
    return [
        f"{as_written(present)} \u2192 {as_written(value)}"
        for present, value in zip(frame["present"], frame["value"], strict=True)
    ]


def step_words(step: Step) -> str:
    """Describe a step by path and direction, or by value if it is more than one step."""
    way = {-1: "down", 1: "up"}.get(step.step, f"to {as_written(step.value)}")
    return f"{step.field} {way}"


def left_out(why: str, names: Sequence[str]) -> list[str]:
    """Sentence on what was not played; none without names."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"{why} ({len(names)}): {', '.join(names[:NAMED])}{more}."] if names else []
