"""Tables of an answer: a frame, and the headings and formats of the columns that people see."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, BinaryIO

from analysis.answer.numbers import Cell, Format, absent, change, is_number, plain

if TYPE_CHECKING:
    import pandas as pd

LONG, LONG_ENDS = 120, 40  # rows above which a page shows only those from the ends, and their number
DETAILS = (  # columns that a terminal shows only with --all
    *("gain", "rounds", "pairs", "seat *", "standard error", "rating", "z", "F"),
    *("p", "p (*", "p * (*", "truncated*", "n", "n *"),
)

DIFFERENCES = (  # headings of a difference in points, and of the two shares whose difference it is
    ("change", "before", "after"),
    ("change", "before", "leads to"),
    ("change", "without it", "with it"),
    ("worth", "without", "with it"),
    ("worth", "without", "with"),
    ("difference", "when not", "when drawn"),
)


@dataclass(frozen=True, eq=False)
class Table:
    """A frame as people see it: headings, rows and number formats. Made by `table` from a frame.

    id: key of its rows in JSON, name of its CSV file. columns: headings; rows: cells below them. formats: heading -> number
    format, by default by type; `percent` and `points` take shares (0.513 is 51.3 %). Cells that are None or nan are shown as a
    dash. ends: number of rows that a page shows from each end of a long table, 0 for all, but of more than LONG rows only
    LONG_ENDS from each end; a terminal shows what fits, of a table with `ends` from both ends, else the first rows; files always
    have all. details: headings (shell patterns such as `seat *`) of columns that a terminal shows only with --all. below: heading
    of a column of long texts, such as fields and commands, which a terminal prints under each row. main: shown by a terminal
    without --all, as the first table of an answer is. whole: the frame with all columns, for JSON, files and notebooks; by
    default the rows. hidden: only in data, not shown by the terminal or a page.
    """

    id: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    formats: Mapping[str, Format] = field(default_factory=dict)
    ends: int = 0
    details: tuple[str, ...] = DETAILS
    below: str = ""
    main: bool = False
    whole: pd.DataFrame | None = None
    hidden: bool = False

    @property
    def frame(self) -> pd.DataFrame:
        """All rows, with the names of the columns in data."""
        return frame_of(self.rows, self.columns) if self.whole is None else self.whole

    @property
    def seen(self) -> tuple[tuple[Cell, ...], ...]:
        """Rows as people see them: each difference is that of the two shares beside it as they are shown: see `change`."""
        places = [
            tuple(map(self.columns.index, headings))
            for headings in DIFFERENCES
            if set(headings) <= set(self.columns) and tuple(map(self.formats.get, headings)) == ("points", "percent", "percent")
        ]
        return tuple(_with_differences(row, places) for row in self.rows) if places else self.rows

    @property
    def shown_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Rows that a page shows."""
        ends, rows = self.shown_ends, self.seen
        return (*rows[:ends], *rows[-ends:]) if ends else rows

    @property
    def shown_ends(self) -> int:
        """Number of rows that a page shows from each end, 0 for all."""
        ends = self.ends or (LONG_ENDS if len(self.rows) > LONG else 0)
        return ends if len(self.rows) > 2 * ends else 0

    @property
    def brief(self) -> Table:
        """The table without its details."""
        kept = [
            index for index, name in enumerate(self.columns) if not any(fnmatchcase(name, pattern) for pattern in self.details)
        ]
        columns = tuple(self.columns[index] for index in kept)
        return replace(self, columns=columns, rows=tuple(tuple(row[index] for index in kept) for row in self.seen))

    def __post_init__(self) -> None:
        """Raise ValueError unless every row has one cell per column."""
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.id}: row {number} has {len(row)} cells for {len(self.columns)} columns")


def _with_differences(row: tuple[Cell, ...], places: Sequence[tuple[int, ...]]) -> tuple[Cell, ...]:
    """A row with differences of shares as these are shown. places: of each difference and both shares."""
    cells = list(row)
    for at, before, after in places:
        if is_number(row[before]) and is_number(row[after]):
            cells[at] = change(float(row[before]), float(row[after]))  # type: ignore[arg-type]
    return tuple(cells)


def frame_of(rows: Sequence[Sequence[Cell]], columns: Sequence[str]) -> pd.DataFrame:
    """A frame of rows."""
    import pandas as pd  # noqa: PLC0415 - takes half a second to import, which messages and help do not need

    return pd.DataFrame(list(rows), columns=list(columns))


def excel(file: BinaryIO) -> pd.ExcelWriter[Any]:
    """A spreadsheet that frames are written to."""
    import pandas as pd  # noqa: PLC0415 - as above

    return pd.ExcelWriter(file, engine="openpyxl")


def data_only(frame: pd.DataFrame, id_: str) -> Table:
    """A table that only JSON, files and notebooks have."""
    return replace(table(frame, id_, "", {name: name for name in frame.columns}), hidden=True)


def plain_values(value: Any) -> Any:
    """Convert a value for JSON: NumPy values, frames and tables (as lists of rows), mappings, records and paths included."""
    if isinstance(value, Table):
        return [dict(zip(value.columns, map(plain_values, row), strict=True)) for row in value.rows]
    if hasattr(value, "to_dict"):  # a frame
        return plain_rows(value)
    if isinstance(value, Mapping):
        return {str(key): plain_values(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_values(item) for item in value]
    if hasattr(value, "tolist"):
        return plain_values(value.tolist())
    return plain(value) if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame for JSON."""
    rows: list[dict[str, Any]] = plain_values(frame.to_dict("records"))
    return rows


RISKY = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),  # spreadsheets take text that starts with these for a formula
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),  # the same with full-width signs
)
EXCEL = "utf-8-sig"  # encoding of CSV files: with the byte order mark by which Excel knows UTF-8


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


def data_table(table: Table) -> Table:
    """A table with all columns of its frame, by their names in data; lists and mappings become JSON text."""
    frame = table.frame.astype(object)
    rows = tuple(tuple(map(_cell, row)) for row in frame.where(frame.notna(), None).itertuples(index=False, name=None))
    return Table(table.id, tuple(map(str, frame.columns)), rows)


def _cell(value: Any) -> Any:
    value = plain_values(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else json.dumps(value, ensure_ascii=False)


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
    "n": "count",
}


def table(
    frame: pd.DataFrame,
    id_: str,
    caption: str,
    columns: Mapping[str, str],
    formats: Mapping[str, Format] | None = None,
    ends: int = 0,
    **more: Any,
) -> Table:
    """Make a table of a frame. columns: name in the frame -> heading, of the columns that people see; the others are in data.

    formats: by heading, besides FORMATS; ends, more: see `Table`; details are those besides DETAILS.
    """
    chosen = frame[list(columns)].astype(object)
    rows = tuple(chosen.where(chosen.notna(), None).itertuples(index=False, name=None))
    known = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    every = {**known, **(formats or {})}
    more["details"] = (*DETAILS, *more.get("details", ()))
    return Table(id_, tuple(columns.values()), rows, caption, every, ends, **{"whole": frame, **more})


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
