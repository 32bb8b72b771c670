"""What the page of the workbench shows, as HTML: win rates, matchups, lengths; and its files. Numbers come from `Standing`.

The templates escape every text. Colours follow the scheme, light or dark, of the browser or the notebook.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from functools import cache
from math import ceil, floor
from pathlib import Path
from shlex import join
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analysis.answer.cards import as_written
from analysis.answer.model import Answer
from analysis.answer.numbers import DASH, THIN, count, decimal, percent, percent_range, points, seats_word
from analysis.answer.tables import Table, csv_file
from analysis.answer.verdicts import FAIR, OPEN, TOO_STRONG, TOO_WEAK, edges
from analysis.data.card_text import edited_text
from analysis.data.decks import options_of, toml_of
from analysis.data.names import words_for
from analysis.data.players import player_words
from analysis.stats.sequential import LEAST_CLUSTERS
from analysis.variants.variant import owner_of, unit_names
from analysis.workbench.bench import Bench, Standing, counts_cells
from sim.engine.cardfiles.paths import slug
from sim.engine.cards import FILE_NAME
from sim.engine.evaluation import FILE_NAME as WEIGHTS_NAME
from sim.weights import own_tables

TONES = {TOO_STRONG: "strong", TOO_WEAK: "weak", FAIR: "fair", OPEN: "undecided"}  # verdict -> its class in the style sheet
BINS = 48  # bars of the lengths
LONGEST = 0.97  # share of the games that the drawing of lengths covers
STOPPED, UNWON = 0.05, 0.10  # shares of games above which win rates mislead: see the head of a report
STEPS = (0.02, 0.05, 0.1, 0.2)  # of an axis of win rates
TICKS_MOST = 7
FULL = 0.30  # distance from even at which a cell of the matchups has its full colour
MATRIX_FRAME = "2.5rem"  # padding and border of the panel of the matrix
MIX_MOST = 78  # per cent of the full colour, so that numbers stay readable
TEMPLATES = Path(__file__).parent / "templates"


def style(name: str = "style.css") -> str:
    """A style sheet of the page: of what is drawn here, or `widgets.css`."""
    return (TEMPLATES / name).read_text("utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("analysis.workbench"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def drawn(part: str, facts: dict[str, Any]) -> str:
    """One part of the page, by the name of its macro."""
    module: Any = _environment().get_template("parts.html.j2").module
    return str(getattr(module, part)(facts))


def masthead(bench: Bench) -> dict[str, Any]:
    """Game, card set, seats, players and seed."""
    base = bench.base
    cards = base.cards.title or base.cards.path.stem
    return {
        "title": base.game.title,
        "words": f"{cards} · {seats_word(base.seats)} · {player_words(base.game, base.policies)} · seed {base.seed}",
    }


def tiles(bench: Bench, standing: Standing | None) -> dict[str, Any]:
    """How much is known, and effects on whole games."""
    if bench.error:
        state, value = "stopped", "cannot be played"
    elif standing is None or standing.playing:
        state, value = "playing", "playing"
    else:
        state, value = "settled", "settled"
    if standing is None:
        known = [_tile("games", "State", value, bench.error or "first games", state=state)]
        return {"warnings": _warnings(bench, None), "tiles": known}
    games = (
        f"{count(standing.games)} games, {count(standing.replayed)} again with changes"
        if bench.edits
        else f"{count(standing.games)} games"
    )
    shown = [
        _tile("games", "State", value, games, state=state),
        _tile("precision", "Win rates known to", _width(standing.half_width[0]), "points, widest of all"),
    ]
    if bench.edits:
        share = standing.moved / standing.games
        shown += [
            _tile("change_precision", "Changes known to", _width(standing.half_width[1]), "points, widest of all"),
            _tile("moved", "End differently", percent(share), f"{count(standing.moved)} of the games"),
        ]
    if bench.base.seats > 1 and standing.first["n"]:
        line = standing.first
        more, tone = _moved(line) if bench.edits else (f"95{THIN}%: {percent_range(line['after_low'], line['after_high'])}", "")
        shown.append(_tile("first", "The first player wins", percent(line["after"]), more, tone))
    return {"warnings": _warnings(bench, standing), "tiles": shown}


def _tile(name: str, heading: str, value: str, more: str, tone: str = "", state: str = "") -> dict[str, Any]:
    return {"id": name, "name": heading, "value": value, "more": more, "tone": tone, "state": state}


def _width(half_width: float) -> str:
    return f"± {decimal(100 * half_width, 1 if half_width >= TENTHS else 2)}" if half_width < HALF else DASH


TENTHS, HALF = 0.0095, 0.5  # half-widths: below, two decimals; from here on, nothing is known


def _moved(line: pd.Series) -> tuple[str, str]:
    """A change in words, and its tone: `up` and `down` only if it is certain."""
    sure = bool(line["sure"])
    tone = ("up" if line["change"] > 0 else "down") if sure else ""
    return f"{points(line['change'])} points{', certain' if sure else ''}", tone


def _warnings(bench: Bench, standing: Standing | None) -> list[str]:
    """What a reader must know before the numbers."""
    said = []
    if bench.error:
        said.append(f"These games cannot be played: {bench.error}")
    if bench.edits and bench.change.idle:
        said.append("These changes never reach play: the games are the same, and no win rate can change.")
    if standing is None:
        return said
    if (share := max(standing.truncated)) > STOPPED:
        said.append(
            f"{percent(share)} of the games were stopped at a limit. They count for nobody, so these win rates can mislead."
        )
    if (share := max(standing.unwon)) > UNWON:
        said.append(f"{percent(share)} of the finished games have no winner, so these win rates can mislead.")
    return said


def rates(bench: Bench, standing: Standing, linked: bool = False) -> dict[str, Any]:
    """Win rates before and after, one row for each unit. linked: names are links, which ask for an explanation."""
    frame, changed = standing.rates, bool(bench.edits)
    band = (float(edges(standing.fair)[0]), float(edges(standing.fair)[1]))
    low, high, step = _scale(frame, band)
    document = bench.base.cards.document
    owners = {owner_of(document, path, list(frame["id"])) for path in bench.edits}
    rows = []
    for index, line in enumerate(_lines(frame)):
        tone = ("up" if line["change"] > 0 else "down") if line["sure"] else "open"
        verdict = TONES.get(line["verdict"], "")
        marks = [_mark(line, "before", "before", low, high)] if changed else []
        marks.append(_mark(line, "after", f"after {verdict}", low, high))
        rows.append(
            {
                "id": line["id"],
                "name": line["name"],
                "edited": index in owners,
                "marks": [mark for mark in marks if mark],
                "title": _title(line, changed),
                "before": percent(line["before"]),
                "after": percent(line["after"]),
                "change": _change(line),
                "verdict": line["verdict"],
                "hue": verdict,
                "tone": tone,
                "mark": {"up": "▲ certain", "down": "▼ certain"}.get(tone, _open(line, bench)),
                **_at_table(bench, line["name"]),
            }
        )
    word = (bench.base.teams.word if bench.base.teams else bench.base.game.entrant_word).lower()
    dice = "Both sets play the same line-ups with the same dice. " if changed else ""
    is_contest = bool(np.isfinite(standing.fair))
    even = f"Dashed: an even share, {percent(standing.fair)}; " if is_contest else ""
    even += f"pale: the fair band, {percent_range(*band)}{THIN}%. " if is_contest else ""
    even += "Too strong: all of the interval lies above the band; too weak: below; fair: within. " if _has_verdicts(frame) else ""
    if is_contest and bench.base.teams:
        even += f"A {word} is judged by what it contributes, which `fairfight winrates` shows. "
    sure = f"Certain: the change is significant over all {len(frame)} rows (Holm, 5{THIN}%). " if changed else ""
    return {
        "heading": f"Win rate of each {word}",
        "word": word,
        "changed": changed,
        "ticks": _ticks(low, high, step),
        "fair": None if not low <= standing.fair <= high else _at(standing.fair, low, high),
        "band": {"low": _at(band[0], low, high), "width": round(_at(band[1], low, high) - _at(band[0], low, high), 2)}
        if is_contest
        else None,
        "judged": _has_verdicts(frame),
        "linked": linked,
        "has_table": bench.table is not None,
        "rows": rows,
        "note": f"{even}{dice}{sure}{_table_note(bench)}"
        f"Bounds are 95{THIN}% confidence sequences, those of all rows together: they hold however "
        "often you look. They are for one set of changes each; if you try many sets and keep the best one, test it again with "
        "another seed.",
    }


def _at_table(bench: Bench, name: str) -> dict[str, str]:
    """What people won with an entrant: its win rate, the interval, and both in words; dashes if they never played it."""
    if bench.table is None:
        return {}
    if name not in bench.table.index:
        return {"table": DASH, "table_range": "", "table_title": f"{name} is not in the log"}
    line = bench.table.loc[name].to_dict()
    interval = percent_range(line["table_low"], line["table_high"])
    title = f"{name} at the table: {percent(line['table'])}, 95{THIN}%: {interval}; {count(line['table_n'])} games"
    return {"table": percent(line["table"]), "table_range": interval, "table_title": title}


def _table_note(bench: Bench) -> str:
    """What the column of games that people played shows."""
    if bench.table is None:
        return ""
    games = round(float(bench.table["table_n"].sum()) / bench.base.seats)
    return (
        f"At the table: {count(games)} games that people played, adjusted for opponents and, where the log names them, for "
        f"players and turn order; 95{THIN}% intervals, those of all rows together. "
    )


def _has_verdicts(frame: pd.DataFrame) -> bool:
    """Whether the rows are compared with the fair band."""
    return bool((frame["verdict"] != "").any())


def _lines(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in line.items()} for line in frame.to_dict("records")]


def _open(line: dict[str, Any], bench: Bench) -> str:
    if bench.change.idle or not bench.edits:
        return ""
    return "open" if np.isfinite(line["change"]) and line["n"] else ""


def _change(line: dict[str, Any]) -> str:
    half = (line["high"] - line["low"]) / 2
    return points(line["change"]) + (f" ± {decimal(100 * half, 1)}" if half < HALF else "")


def _title(line: dict[str, Any], changed: bool) -> str:
    now = f"now {percent(line['after'])}, 95{THIN}%: {percent_range(line['after_low'], line['after_high'])}"
    before = f"unchanged {percent(line['before'])}, 95{THIN}%: {percent_range(line['before_low'], line['before_high'])}"
    return f"{line['name']}: {now}{f'; {before}' if changed else ''}; {count(line['n'])} games"


def _scale(frame: pd.DataFrame, band: tuple[float, float]) -> tuple[float, float, float]:
    """Axis of win rates: from, to, step. It covers the fair band, all estimates with some room, and narrow bounds."""
    values = frame[["before", "after"]].to_numpy().ravel()
    for low, high in (("before_low", "before_high"), ("after_low", "after_high")):
        narrow = (frame[high] - frame[low]) < HALF / 2
        values = np.concatenate([values, frame.loc[narrow, low], frame.loc[narrow, high]])
    values = np.append(values[np.isfinite(values)], [edge for edge in band if np.isfinite(edge)])
    if not values.size:
        return 0.0, 1.0, STEPS[-1]
    low, high = max(0.0, values.min() - 0.02), min(1.0, values.max() + 0.02)
    step = next((step for step in STEPS if ceil(high / step) - floor(low / step) <= TICKS_MOST), STEPS[-1])
    return max(0.0, floor(low / step + 1e-9) * step), min(1.0, ceil(high / step - 1e-9) * step), step


def _ticks(low: float, high: float, step: float) -> list[dict[str, Any]]:
    values = np.arange(round((high - low) / step) + 1) * step + low
    return [{"at": _at(value, low, high), "text": f"{decimal(100 * value, 0)}{THIN}%"} for value in values]


def _at(value: float, low: float, high: float) -> float:
    """Place on an axis in per cent."""
    return round(100 * (value - low) / max(high - low, 1e-9), 2)


def _mark(line: dict[str, Any], word: str, kind: str, low: float, high: float) -> dict[str, Any] | None:
    """Band and dot of an estimate; None without one."""
    if not np.isfinite(line[word]):
        return None
    start, end = (min(max(line[f"{word}_{side}"], low), high) for side in ("low", "high"))
    left = _at(start, low, high)
    return {"kind": kind.strip(), "low": left, "width": round(_at(end, low, high) - left, 2), "at": _at(line[word], low, high)}


def matrix(bench: Bench, standing: Standing) -> dict[str, Any]:
    """Who beats whom: the row's win rate against the column, and certain changes below it."""
    base, names, cells = bench.base, list(standing.rates["name"]), standing.cells
    word = base.teams.words if base.teams else base.game.entrants_word
    if base.seats < 2 or cells is None:
        why = "alone, nobody meets" if base.seats < 2 else f"not counted for {len(names)} {word}"
        return {"heading": "Who beats whom", "words": why, "names": [], "rows": [], "least": 0}
    by_place = {(line["row"], line["column"]): line for line in _lines(cells)}
    rows = []
    for row, name in enumerate(names):
        line = [
            _cell(by_place.get((row, column)), name, names[column], standing.fair, bool(bench.edits))
            for column in range(len(names))
        ]
        rows.append({"name": name, "cells": line})
    versus = "the row's win rate against the column" if base.seats == 2 else "the row's win rate when the column is at the table"
    marked = "; framed: certain change, in points" if bench.edits else ""
    return {
        "heading": "Who beats whom",
        "words": f"{versus}, in{THIN}%{marked}",
        "names": names,
        "rows": rows,
        "least": _least_width(names),
    }


def matrix_width(bench: Bench) -> str:
    """Width of the panel of the matrix at which nothing is cut off, as CSS."""
    names = unit_names(bench.base) if counts_cells(bench.base) else []
    return f"max(30rem, {_least_width(names):g}rem + {MATRIX_FRAME})"


def _least_width(names: list[str]) -> float:
    """Least width of the matrix in rem: the names of its rows, and its cells."""
    return 7.2 + 2.9 * len(names)


def _cell(line: dict[str, Any] | None, row: str, column: str, fair: float, changed: bool) -> dict[str, Any] | None:
    if line is None or not np.isfinite(line["after"]):
        return None
    away = (line["after"] - fair) / FULL
    sure = changed and bool(line["sure"])
    title = f"{row} against {column}: {percent(line['after'])}, 95{THIN}%: {percent_range(line['after_low'], line['after_high'])}"
    if changed:
        title += f"; unchanged {percent(line['before'])}, change {_change(line)} points"
    return {
        "rate": decimal(100 * line["after"], 0),
        "change": points(line["change"], 0) if sure else "",
        "sure": sure,
        "hue": "strong" if away > 0 else "weak",
        "mix": round(MIX_MOST * min(1.0, abs(away))),
        "title": f"{title}; {count(line['n'])} games",
    }


def length(bench: Bench, standing: Standing) -> dict[str, Any]:
    """Turns of a game, before and after."""
    line, changed = standing.length, bool(bench.edits)
    counts = standing.lengths
    covered = np.cumsum(counts.sum(axis=0)) / max(1, counts.sum())
    longest = int(np.argmax(covered >= LONGEST)) + 1
    width = max(1, ceil(longest / BINS))
    bins = ceil(longest / width)
    bars = np.stack([np.bincount(np.minimum(np.arange(counts.shape[1]) // width, bins), one, bins + 1)[:bins] for one in counts])
    top = max(1.0, float(bars.max()))
    old, now = (_outline(one / top, closed) for one, closed in ((bars[0], True), (bars[1], False)))
    tone = ("up" if line["change"] > 0 else "down") if line["sure"] else ""
    half = (line["high"] - line["low"]) / 2
    known = np.isfinite(half) and line["n"] >= LEAST_CLUSTERS
    words = "unchanged: grey; now: line" if changed else "games by their turns"
    margin = f" ± {decimal(half, 2)}" if known else ""
    change = f"unchanged {decimal(line['before'], 1)}; {decimal(line['change'], 2, signed=True)}{margin} turns"
    if known and not bench.change.idle:
        change += ", certain" if line["sure"] else ", open"
    ends = sorted({0, longest // 2 // width * width, bins * width})
    return {
        "words": words,
        "after": decimal(line["after"], 1),
        "bounds": f"on average, 95{THIN}%: {decimal(line['after_low'], 1)}{DASH}{decimal(line['after_high'], 1)}"
        if known
        else "on average",
        "change": change if changed else "",
        "tone": tone,
        "alt": f"games by length; {decimal(line['after'], 1)} turns on average",
        "old": old,
        "now": now if changed else "",
        "ticks": [{"at": round(100 * end / (bins * width), 2), "text": count(end)} for end in ends],
    }


def _outline(heights: np.ndarray, closed: bool) -> str:
    """Steps of a histogram, in a square of 100; closed: down to the base at both ends."""
    edges = np.repeat(np.linspace(0, 100, len(heights) + 1), 2)[1:-1]
    tops = np.repeat(99.6 - 97 * heights, 2)
    points_ = [(0.0, 99.6), *zip(edges, tops, strict=True), (100.0, 99.6)]
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in (points_ if closed else points_[1:-1]))


def explanation(answer: Answer) -> dict[str, Any]:
    """The answer of `explain`: its sentence, opponents and what carries the entrant; steps are in the table, see `steps`."""
    has_steps = len(answer.frames["steps"]) > 0
    story = answer.story[: answer.story.index("")] if has_steps else answer.story
    return {"lines": [answer.summary, *filter(None, story)], "is_waiting": False}


def steps(frame: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Steps of an entrant in words, the win rate that each leads to, and its change, in points."""
    lines = []
    for line in frame.to_dict("records"):
        words = f"{line['label']} {as_written(line['before'])} to {as_written(line['after'])}"
        change = line["rate"] - line["now"] if "change" not in line else line["change"]
        half = (line["high"] - line["low"]) / 2
        margin = f" ± {decimal(100 * half, 1)}" if half < HALF else ""
        lines.append((words, percent(line["rate"]), f"{points(change)}{margin}"))
    return lines


def command(bench: Bench) -> str:
    """The command that plays the same comparison again; empty without changes."""
    if not bench.edits:
        return ""
    base = bench.base
    game, cards = words_for(base.game, base.cards)
    words = [
        "fairfight",
        "whatif",
        game,
        *cards,
        *options_of(base.cards),
        "--seats",
        str(base.seats),
        "--policy",
        base.policy_words,
    ]
    for path, value in bench.edits.items():
        text = "+".join(value) if isinstance(value, list) else as_written(value)
        words += ["--set", f"{path}={'=' if text[:1] in '+-' else ''}{text}"]
    return join([*words, "--seed", str(base.seed)])


def report(bench: Bench, standing: Standing) -> str:
    """A page with what is known now, in one file without scripts."""
    edits = [
        {"path": edit.path, "before": as_written(edit.before), "value": as_written(edit.value)} for edit in bench.change.edits
    ]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            style=Markup(style()),  # our own file, no text of a user
            masthead=masthead(bench),
            edits=edits,
            command=command(bench),
            tiles=tiles(bench, standing),
            rates=rates(bench, standing),
            matrix=matrix(bench, standing),
            length=length(bench, standing),
        )
    )


# Files that leave the workbench: the changed card set as a folder, the table of win rates, a report.

TITLE_MAX = 60
SUFFIX = ", changed"
DATE = (2026, 1, 1, 0, 0, 0)  # in archives, so that the same cards give the same bytes
_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)
COLUMNS = {  # columns of the table of win rates -> their headings
    "id": "id",
    "name": "name",
    "before": "win rate unchanged",
    "before_low": "unchanged low",
    "before_high": "unchanged high",
    "after": "win rate now",
    "after_low": "now low",
    "after_high": "now high",
    "verdict": "verdict now",
    "change": "change",
    "low": "change low",
    "high": "change high",
    "p_holm": "p (Holm)",
    "sure": "certain",
    "n": "games",
}
TABLE_COLUMNS = {"table": "at the table", "table_low": "table low", "table_high": "table high", "table_n": "table games"}


def card_text(bench: Bench) -> str:
    """The changed card file, with its comments if only whole numbers are changed."""
    base, edits = bench.base, bench.edits
    text = edited_text(base.game, base.cards, edits, bench.cards.document)
    return _TITLE.sub(_titled, text, count=1) if edits else text


def _titled(found: re.Match[str]) -> str:
    title = json.loads(f'"{found[1]}"')
    return "title = " + json.dumps(
        title if title.endswith(SUFFIX) else title[: TITLE_MAX - len(SUFFIX)] + SUFFIX, ensure_ascii=False
    )


def card_folder(bench: Bench) -> bytes:
    """A zip archive with the folder of the changed card set, for `--cards`, with its own weights if it has any."""
    base = bench.base
    folder = f"{slug(base.game.name)}-workbench"
    files = {FILE_NAME: card_text(bench)}
    if weights := own_tables(base.game, base.cards):
        files[WEIGHTS_NAME] = toml_of(weights)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, text.encode())
    return archive.getvalue()


def table(bench: Bench) -> bytes:
    """Win rates as CSV, shares 0..1, one line for each entrant or part."""
    standing = bench.standing()
    columns = COLUMNS if bench.table is None else COLUMNS | TABLE_COLUMNS
    lines: Iterable[tuple[Any, ...]] = ()
    if standing is not None:
        frame = standing.rates if bench.table is None else standing.rates.join(bench.table, on="name")
        lines = frame[list(columns)].itertuples(index=False, name=None)
    return csv_file(Table("rates", tuple(columns.values()), tuple(tuple(_plain(cell) for cell in line) for line in lines)))


def _plain(cell: Any) -> Any:
    return cell.item() if hasattr(cell, "item") else cell


def report_file(bench: Bench) -> bytes:
    """A page with what is known now. Raises ValueError before the first games."""
    standing = bench.standing()
    if standing is None:
        raise ValueError("no games are played yet; try again in a moment")
    return report(bench, standing).encode()
