"""Parts of a report page: frozen records, filled by the answerers and written by `analysis.report.write`.

Files of a report: folders are checked before long work, and files are written in one step.

Formatting of numbers and table cells.

Terminals, messages, pages and charts use the same format: 7,740 games, 53.8 %. Data (JSON, CSV, Parquet, card files) holds
plain numbers. `analysis.output.encoding` replaces characters that an output cannot encode.

Conversion of frames to tables of a page, with readable headings.
"""

from __future__ import annotations

import csv
import io
import math
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sim.engine.cardfiles.paths import shown
from sim.stopping import make_folder, write_file, writing

if TYPE_CHECKING:  # commands that print no tables start without these
    import pandas as pd
    from matplotlib.figure import Figure

    from sim.engine.questions import Question

Tone = Literal["verdict", "strong", "weak", "fair", "open", "note"]
Format = Literal["text", "count", "number", "percent", "points", "p"]
Cell = str | int | float | bool | None

LONG, LONG_ENDS = 120, 40  # rows above which a page shows only those from the ends, and their number

SECONDARY = (  # columns that a narrow terminal leaves out, in this order; --wide shows them
    *("gain", "rounds", "pairs", "seat *", "search said", "standard error", "rating"),
    *("p", "p (*", "p * (*", "truncated*", "n *", "n"),
)


@dataclass(frozen=True)
class Finding:
    """One sentence of the headline. tone: its mark (above, below, within the fair band...).

    The verdict, which sums up the report in one line, comes first and has no mark.
    """

    text: str
    tone: Tone = "note"


@dataclass(frozen=True)
class Chart:
    """A figure with its texts. id: unique on the page, names the files; alt: description of the chart.

    narrow: version for narrow screens.
    """

    id: str
    figure: Figure
    caption: str
    alt: str
    narrow: Figure | None = None


@dataclass(frozen=True)
class Table:
    """Rows below a chart. formats: column -> number format, by default by type.

    `percent` and `points` take shares (0.513 is 51.3 %). Cells that are None or nan are shown as a dash. ends: number of rows
    that the page shows from each end of a long table, 0 for all, but of more than LONG rows only LONG_ENDS from each end; the
    CSV always has all. secondary: columns (shell patterns such as `seat *`) that a narrow terminal leaves out, in this order.
    """

    id: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    formats: Mapping[str, Format] = field(default_factory=dict)
    ends: int = 0
    secondary: tuple[str, ...] = SECONDARY

    @property
    def on_page(self) -> tuple[tuple[Cell, ...], ...]:
        """Rows shown on the page."""
        ends = self.shown_ends
        return (*self.rows[:ends], *self.rows[-ends:]) if ends else self.rows

    @property
    def shown_ends(self) -> int:
        """Number of rows that the page shows from each end, 0 for all."""
        ends = self.ends or (LONG_ENDS if len(self.rows) > LONG else 0)
        return ends if len(self.rows) > 2 * ends else 0

    def __post_init__(self) -> None:
        """Raise ValueError unless every row has one cell per column."""
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.id}: row {number} has {len(row)} cells for {len(self.columns)} columns")


@dataclass(frozen=True)
class Section:
    """A question with its answer in one to three sentences, and everything behind it: the result of every study.

    A report shows question, answer, figures, tables and note. A command prints the tables and `lines`, sentences that explain
    them. printed: the tables that it prints instead, if some are too long for a terminal; main: the table that --csv writes, by
    default the first; data: what --json prints, tables included; draw: the figure that --chart writes, None if there is nothing
    to draw. chapter: heading of the group of sections that it belongs to on a page, if any.
    """

    id: str
    question: str = ""
    answer: str = ""
    figures: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    note: str = ""
    lines: tuple[str, ...] = ()
    printed: tuple[Table, ...] | None = None
    main: Table | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    draw: Callable[[], Figure | None] | None = None
    chapter: str = ""


def answered(
    question: Question, answer: str, figure: Figure, caption: str, alt: str, tables: Sequence[Table], note: str = ""
) -> Section:
    """A section with one chart, whose description ends with the answer."""
    chart = Chart(question.id, figure, caption, f"{alt} {answer}")
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


@dataclass(frozen=True)
class Fact:
    """A line on how the report was made: policies, seed, games, command. code: shown as text to copy."""

    label: str
    text: str
    code: bool = False


@dataclass(frozen=True)
class Link:
    """A link from a page to another of the same game. href: relative to the page; empty for the page itself."""

    label: str
    href: str = ""


@dataclass(frozen=True)
class Page:
    """A report. game: name of its folder; headline: most important first; provenance: sources of the numbers.

    course: how the games went, below the headline.

    part: folder within that of the game, empty for the game's first page; links: to all pages of the game, including this one.
    """

    title: str
    subtitle: str
    game: str
    headline: tuple[Finding, ...]
    sections: tuple[Section, ...]
    provenance: tuple[Table, ...] = ()
    facts: tuple[Fact, ...] = ()
    part: str = ""
    links: tuple[Link, ...] = ()
    course: Table | None = None

    @property
    def index(self) -> str:
        """Path from the page to the index of all reports."""
        return "../../index.html" if self.part else "../index.html"


@dataclass(frozen=True)
class Entry:
    """Entry of the index: a page and its headline. links: to further pages of the game, relative to the index."""

    game: str
    title: str
    subtitle: str
    headline: tuple[Finding, ...]
    facts: tuple[Fact, ...] = ()
    links: tuple[Link, ...] = ()


NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


class Notice(UserWarning):
    """Something that the user should know about a result. Commands print it as a note."""


class ReportError(Exception):
    """The report cannot be written; the message gives the place and the reason in one line."""


def check_folder(folder: Path) -> Path:
    """Check that files can be written to `folder`, creating it if necessary, and return it.

    Raises ReportError. Call it before long computations.
    """
    try:
        make_folder(folder)
        with writing(), tempfile.NamedTemporaryFile(dir=folder, prefix=".fairfight-"):
            pass
    except OSError as error:
        raise ReportError(
            f"{folder}: cannot write the report here ({reason(error)}); name a writable folder with --out"
        ) from error
    return folder


def reason(error: OSError) -> str:
    """Return the system's error message without number and path."""
    return (error.strerror or type(error).__name__).lower()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file completely or not at all, see `write_file`. Raises ReportError."""
    try:
        write_file(path, content)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({reason(error)})") from error


def write_text(path: Path, content: str) -> None:
    """Write text as UTF-8 without changing line ends. See `write_bytes`."""
    write_bytes(path, content.encode("utf-8"))


def file_name(name: str, what: str) -> str:
    """Return `name` if it is a valid file name on every system, else raise ValueError. what: its name in the message."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{what}={name!r} must be lower-case letters, digits, _ or -, at most 80")
    return name


THIN = "\u202f"  # narrow no-break space between a number and its unit
MINUS = "\u2212"
DASH = "\u2013"  # no value, or from one number to another
LEAST_PERCENT = 0.0001  # smaller percentages are written as "< 0.0001 %"
WORD_MAX = 100  # characters of user input quoted in a message


def word(text: str) -> str:
    """Write user input in a message: unchanged, or quoted if it is long or not printable."""
    return text if text.isprintable() and len(text) <= WORD_MAX else shown(text)


def seat_word(seat: int) -> str:
    """Write a seat for people, counting from 1; data, card and scenario files and the Python API count from 0."""
    return f"seat {int(seat) + 1}"


def seats_word(seats: int) -> str:
    """Write a number of seats: `1 seat`, `2 seats`."""
    return f"{seats} seat{'' if seats == 1 else 's'}"


def decimal(value: float, digits: int, signed: bool = False) -> str:
    """Write a number with `digits` decimals and thousands separators; zero has no sign. signed: write plus signs too."""
    if math.isnan(value):
        return DASH
    text = f"{abs(value):,.{digits}f}"
    if not any(digit in "123456789" for digit in text):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def percent(share: float, digits: int = 1) -> str:
    """Write a share 0..1 in per cent; a dash for nan. A small one gets further decimals rather than appear as 0."""
    if math.isnan(share):
        return DASH
    per_cent = 100 * share
    if per_cent <= 0 or round(per_cent, digits) > 0:
        return f"{decimal(per_cent, digits)}{THIN}%"
    if per_cent < LEAST_PERCENT:
        return f"< {LEAST_PERCENT}{THIN}%"
    return f"{decimal(per_cent, 1 - math.floor(math.log10(per_cent)))}{THIN}%"  # two significant digits


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares in per cent as `51.2-53.9`; the heading gives the unit."""
    if math.isnan(low) or math.isnan(high):
        return DASH
    return f"{decimal(100 * low, digits)}{DASH}{decimal(100 * high, digits)}"


def points(change: float, digits: int = 1) -> str:
    """Write a change of a share in percentage points, always signed."""
    return decimal(100 * change, digits, signed=True)


def count(number: float) -> str:
    """Write a whole number with thousands separators."""
    return decimal(round(number), 0) if math.isfinite(number) else DASH if math.isnan(number) else infinite(number)


def infinite(number: float) -> str:
    """Write plus or minus infinity."""
    return ("" if number > 0 else MINUS) + "\u221e"


def number(value: float) -> str:
    """Write a number with up to three significant digits; whole from 1000 on."""
    if not math.isfinite(value) or abs(value) >= 1000:
        return count(value)
    return f"{value + 0.0:.3g}".replace("-", MINUS)  # minus zero plus zero is zero


def as_written(value: object) -> str:
    """Write a value of a card file: numbers with all digits (3 for 3.0), anything else unchanged."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return decimal(value, max(0, len(f"{value:.12f}".rstrip("0").partition(".")[2])))


def limit_words(limits_itself: bool) -> str:
    """Name the limit that truncates games. limits_itself: the game has its own limit besides the turn limit."""
    return "a limit" if limits_itself else "the turn limit"


def truncated_words(truncated: int, games: int, limit: str) -> str:
    """Sentence on the number of truncated games. limit: see `limit_words`."""
    if not truncated:
        return f"No game of {count(games)} was stopped at {limit}."
    share = percent(truncated / games, 2)
    was, is_ = ("was", "is") if truncated == 1 else ("were", "are")
    return f"{count(truncated)} of {count(games)} games ({share}) {was} stopped at {limit} and {is_} left out."


def draws_words(draws: int, games: int) -> list[str]:
    """Sentence on games whose win is shared, if there are any. games: that came to an end."""
    if not draws:
        return []
    was = "was" if draws == 1 else "were"
    return [
        f"{count(draws)} of {count(games)} finished games ({percent(draws / games, 2)}) {was} shared: each share counts as that "
        "part of a win, and intervals use the smaller variance of such games."
    ]


def truncated_change(before: float, after: float, limit: str) -> str:
    """Sentence on the shares of truncated games before and after a change. limit: see `limit_words`."""
    if not before and not after:
        return f"No game was stopped at {limit}, before or after."
    return (
        f"Truncated games, stopped at {limit}, are left out of win rates: {percent(before, 2)} of the games before, "
        f"{percent(after, 2)} after."
    )


def counted(numbers: list[float]) -> str:
    """`n = 2,000`, or the range where the counts differ."""
    known = [value for value in numbers if not math.isnan(value)]
    if not known:
        return "n = 0"
    least, most = min(known), max(known)
    return f"n = {count(least)}" if least == most else f"n = {count(least)}{DASH}{count(most)}"


RISKY = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),  # spreadsheets take text that starts with these for a formula
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),  # the same with full-width signs
)
LEAST_P = 0.0001
EXCEL = "utf-8-sig"  # encoding of CSV files: with the byte order mark by which Excel knows UTF-8


def absent(value: Any) -> bool:
    """Return whether the cell is empty (None or nan)."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_number(value: Any) -> bool:
    """Return whether the cell is a number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_shown(value: Cell, form: Format | None = None) -> str:
    """Write a cell for display. form: None chooses by the type of the value."""
    if absent(value):
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not is_number(value):
        return str(value)
    quantity = float(value)  # type: ignore[arg-type]
    if math.isinf(quantity):
        return infinite(quantity)
    form = form or ("count" if isinstance(value, Integral) else "number")
    if form == "p":
        return f"< {LEAST_P}" if quantity < LEAST_P else f"{quantity:.4f}"
    writers: dict[str, Callable[[float], str]] = {"percent": percent, "points": points, "count": count, "number": number}
    return writers[form](quantity) if form in writers else str(value)


def glue(text: str) -> str:
    """Keep a number and its per cent sign on one line, with a narrow space between them."""
    return re.sub(r"(?<=\d) ?%", f"{THIN}%", text)


def plain(value: Cell) -> Any:
    """Return a cell for JSON and CSV: a plain Python value, None if absent or not finite."""
    if absent(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    if isinstance(value, (bool, str)):
        return value
    return int(value) if isinstance(value, Integral) else float(value)  # type: ignore[arg-type]


def defused(value: Cell) -> Any:
    """Return a cell that spreadsheets do not take for a formula; numbers stay numbers."""
    clear = plain(value)
    if clear is None:
        return ""
    risky = isinstance(clear, str) and (clear.startswith(RISKY) or clear.lstrip().startswith(RISKY))
    return f"'{clear}" if risky else clear


def csv_of(table: Table) -> str:
    """Return a table as CSV (RFC 4180, with a heading line)."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([defused(name) for name in table.columns])
    writer.writerows([[defused(cell) for cell in row] for row in table.rows])
    return buffer.getvalue()


def csv_file(table: Table) -> bytes:
    """Return the content of a CSV file, see `csv_of`."""
    return csv_of(table).encode(EXCEL)


def numeric(table: Table) -> list[bool]:
    """Return which columns hold only numbers, so that they are right-aligned and sorted by value."""
    columns = [[cell for cell in column if not absent(cell)] for column in zip(*table.rows, strict=True)]
    return [bool(cells) and all(map(is_number, cells)) for cells in columns] or [False] * len(table.columns)


WIN_RATE = "win rate"
SHOWN = 60  # rows of a curve in a table, at most
FORMATS: dict[str, Format] = {
    WIN_RATE: "percent",
    "share": "percent",
    "share of uses": "percent",
    "low": "percent",
    "high": "percent",
    "uses low": "percent",
    "uses high": "percent",
    "fair share": "percent",
    "truncated": "percent",
    "truncated before": "percent",
    "truncated after": "percent",
    "before": "percent",
    "after": "percent",
    "change": "points",
    "change low": "points",
    "change high": "points",
    "p (Holm)": "p",
    "p (beyond band)": "p",
    "n": "count",
}


def table(
    frame: pd.DataFrame,
    id_: str,
    caption: str,
    columns: Mapping[str, str],
    formats: Mapping[str, Format] | None = None,
    ends: int = 0,
) -> Table:
    """Make a table of some columns of a frame. columns: name in the frame -> heading; formats: by heading, besides FORMATS.

    ends: see `Table`.
    """
    chosen = frame[list(columns)].astype(object)
    rows = tuple(chosen.where(chosen.notna(), None).itertuples(index=False, name=None))
    known = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    return Table(id_, tuple(columns.values()), rows, caption, {**known, **(formats or {})}, ends)


AMOUNTS: dict[str, Format] = {"low": "number", "high": "number"}  # of bounds that are not shares


def estimate_columns(heading: str, **more: str) -> dict[str, str]:
    """Columns of a table of estimates with intervals and n; those in `more` come first. heading: of the estimate."""
    return {**more, "estimate": heading, "low": "low", "high": "high", "n": "n"}


def rate_columns(**more: str) -> dict[str, str]:
    """Columns of a table of win rates with intervals; those in `more` come first."""
    return estimate_columns(WIN_RATE, **more)


def with_bounds(name: str, heading: str) -> dict[str, str]:
    """Columns `name`, `name_low` and `name_high` of an estimate and its bounds, with their headings."""
    return {name: heading, f"{name}_low": f"{heading}, low", f"{name}_high": f"{heading}, high"}


def thinned(curves: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Pick at most SHOWN rows of each curve, evenly and including the last. keys: columns that identify a curve."""
    last = curves.groupby(list(keys), observed=True).cumcount(ascending=False)
    size = curves.groupby(list(keys), observed=True)[curves.columns[0]].transform("size")
    picked: pd.DataFrame = curves[last % -(-size // SHOWN) == 0]
    return picked


def highest(frame: pd.DataFrame, column: str, size: bool = False) -> pd.Series:
    """The row with the largest value, or with `size` the largest absolute value; at least one must not be nan."""
    values = frame[column].astype(float)
    return frame.iloc[(values.abs() if size else values).argmax()]


def lowest(frame: pd.DataFrame, column: str) -> pd.Series:
    """The row with the smallest value."""
    return frame.iloc[frame[column].astype(float).argmin()]


ENDS = 15  # rows shown from each end of a long chart


def both_ends(frame: pd.DataFrame) -> pd.DataFrame:
    """The first and the last ENDS rows of a long frame; a short one as it is."""
    return frame if len(frame) <= 2 * ENDS else frame.iloc[[*range(ENDS), *range(-ENDS, 0)]]
