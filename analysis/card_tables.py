"""Card statistics as tables, for the command and for reports alike."""

from __future__ import annotations

import pandas as pd

from analysis.report.model import Cell, Format, Table
from analysis.wording import THIN, points

RATES = (
    "when drawn",
    "when not",
    "when played",
    "drawn from",
    "drawn to",
    "not from",
    "not to",
    "played from",
    "played to",
)
GAPS = ("difference", "difference low", "difference high", "with it", "with it low", "with it high")
HELD = ("decks with", "decks without", "with low", "with high", "without low", "without high")
COPY = ("a copy", "a copy low", "a copy high")

FORMATS: dict[str, Format] = {
    **dict.fromkeys((*RATES, *HELD, "win rate", "low", "high"), "percent"),
    **dict.fromkeys((*GAPS, *COPY, "worth", "worth low", "worth high"), "points"),
    "n": "count",
    **dict.fromkeys(("p drawn (Holm)", "p with it (Holm)", "p copy (Holm)", "p (Holm)"), "p"),
}

_DRAWN = {
    "drawn": "when drawn",
    "lack": "when not",
    "change": "difference",
    "low": "difference low",
    "high": "difference high",
}
_BOUNDS = {
    f"{of}_{end}": f"{word} {way}"
    for of, word in (("drawn", "drawn"), ("lack", "not"), ("played", "played"))
    for end, way in (("low", "from"), ("high", "to"))
}
_COUNTS = {"n_drawn": "n drawn", "n_lack": "n not drawn", "n_played": "n played"}
_TURNS = {"turn": "own turn played", "turn_low": "turn low", "turn_high": "turn high"}
_EFFECT = {
    "effect": "with it",
    "effect_low": "with it low",
    "effect_high": "with it high",
    "effect_p": "p with it (Holm)",
}


def deck_table(frame: pd.DataFrame, id_: str, caption: str, whole: bool = True) -> Table:
    """The table of `card_effects.with_effects`; whole: every bound and count, else what fits a terminal."""
    columns = {"card_name": "card", **({"copies": "copies"} if "copies" in frame else {}), **_DRAWN}
    columns |= {"p_holm": "p drawn (Holm)"} if whole else {}
    columns |= {"played": "when played", "turn": "own turn played"}
    if "effect" in frame:
        columns |= {**_EFFECT, "pairs": "pairs"}
    columns |= {"n": "n"}
    columns |= {**_BOUNDS, **_COUNTS, **_TURNS} if whole else {}
    columns |= {"source": "source"} if whole and "source" in frame else {}
    found = _table(frame, id_, caption, columns)
    return found if whole else _narrow(found)


def pooled_table(frame: pd.DataFrame, id_: str, caption: str, holders: str, whole: bool = True) -> Table:
    """The table of `card_usage.pooled_cards`; holders: what those that have a card are called."""
    columns = {"card_name": "card", "entrants": holders, **_DRAWN, "p_holm": "p drawn (Holm)"}
    columns |= {"played": "when played", "turn": "own turn played", "n": "n"}
    columns |= {**_BOUNDS, **_COUNTS, **_TURNS} if whole else {}
    found = _table(frame, id_, caption, columns)
    return found if whole else _narrow(found)


def pool_table(frame: pd.DataFrame, id_: str, caption: str, whole: bool = True) -> Table:
    """The table of `card_pool.pool_statistics`."""
    columns = {"card_name": "card", "level": "level", "decks": "decks", "copies": "copies in these"}
    columns |= {"copy": "a copy", "copy_low": "a copy low", "copy_high": "a copy high", "copy_p_holm": "p copy (Holm)"}
    columns |= {"held": "decks with", "lack": "decks without", "change": "difference"}
    columns |= {"low": "difference low", "high": "difference high", "p_holm": "p (Holm)", "n": "n"}
    if whole:
        columns |= {
            "held_low": "with low",
            "held_high": "with high",
            "lack_low": "without low",
            "lack_high": "without high",
        }
    found = _table(frame, id_, caption, columns)
    return found if whole else _narrow(found)


def keyword_table(frame: pd.DataFrame, id_: str, caption: str) -> Table:
    """The table of `card_pool.keyword_effects`."""
    columns = {"keyword": "keyword", "cards": "cards", "decks": "decks", "value": "worth", "low": "worth low"}
    return _table(frame, id_, caption, columns | {"high": "worth high", "p_holm": "p (Holm)", "n": "n"})


def turn_table(frame: pd.DataFrame, id_: str, caption: str, deck: str) -> Table:
    """The table of `card_usage.turns_played`."""
    columns = {
        "name": deck,
        "card_name": "card",
        "turn": "own turn",
        "estimate": "win rate",
        "low": "low",
        "high": "high",
    }
    return _table(frame, id_, caption, columns | {"n": "n"})


def _table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str]) -> Table:
    """Some columns of a frame under their headings; those that hold nothing at all are left out.

    By hand and not by the reports' `table`: the command prints tables without loading the charts.
    """
    kept = {name: heading for name, heading in columns.items() if not len(frame) or frame[name].notna().any()}
    lines = frame[list(kept)].astype(object).itertuples(index=False)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in line) for line in lines)
    formats = {heading: form for heading, form in FORMATS.items() if heading in kept.values()}
    return Table(id_, tuple(kept.values()), rows, caption, formats)


def _narrow(table: Table) -> Table:
    """The same with both bounds of an interval in one column."""
    both = {f"{name} low": (name, at) for at, name in enumerate(table.columns) if f"{name} high" in table.columns}
    kept = [at for at, name in enumerate(table.columns) if not name.endswith(" high")]
    columns = tuple(
        f"{both[table.columns[at]][0]} 95{THIN}%" if table.columns[at] in both else table.columns[at] for at in kept
    )
    rows = []
    for row in table.rows:
        ends = {
            at: (row[at], row[table.columns.index(f"{name[:-4]} high")])
            for at, name in enumerate(table.columns)
            if name in both
        }
        rows.append(tuple(_between(*ends[at]) if at in ends else row[at] for at in kept))
    return Table(
        table.id,
        columns,
        tuple(rows),
        table.caption,
        {name: of for name, of in table.formats.items() if name in columns},
    )


def _between(low: Cell, high: Cell) -> Cell:
    """An interval of points as text."""
    return None if low is None or high is None else f"{points(float(low))} to {points(float(high))}"
