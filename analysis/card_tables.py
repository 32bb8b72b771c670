"""Card statistics as tables, for the command and for reports alike."""

from __future__ import annotations

import pandas as pd

from analysis.report.model import SECONDARY, Format, Table

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
DETAILS = (
    "own turn played",
    "copies",
    "level",
    "copies in these",
    "pairs",
    "when played",
    "when not",
)  # see `Table.secondary`
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
    return _table(frame, id_, caption, columns)


def pooled_table(frame: pd.DataFrame, id_: str, caption: str, holders: str, whole: bool = True) -> Table:
    """The table of `card_usage.pooled_cards`; holders: what those that have a card are called."""
    columns = {"card_name": "card", "entrants": holders, **_DRAWN, "p_holm": "p drawn (Holm)"}
    columns |= {"played": "when played", "turn": "own turn played", "n": "n"}
    columns |= {**_BOUNDS, **_COUNTS, **_TURNS} if whole else {}
    return _table(frame, id_, caption, columns)


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
    return _table(frame, id_, caption, columns)


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
    return Table(id_, tuple(kept.values()), rows, caption, formats, secondary=(*DETAILS, *SECONDARY))
