"""The border between the simulator's rows (see `rows`) and tables: one line per game, per game and seat, or per part of a team.

`Tally` sums up the same rows where a table of them all would be too large.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.rows import Rows, check_entrants, check_rows
from analysis.tally import Tally
from sim.engine.measures import Measure
from sim.engine.table import Status

__all__ = ["Rows", "Tally", "categorical", "distinct", "games_frame", "parts_frame", "seats_frame"]

Columns = dict[str, Any]


def games_frame(rows: Rows, outcomes: Rows, measures: Sequence[Measure]) -> pd.DataFrame:
    """One line per game: game, seats, first, turns, decisions, finished, and every measure per game.

    Measures with parts give columns field_0, field_1, ... Raises ValueError if rows, outcomes and measures do not fit.
    """
    _check(rows, outcomes)
    table: Columns = {name: rows[name] for name in ("game", "seats", "first", "turns", "decisions")}
    table["finished"] = rows["status"] == Status.FINISHED
    for measure in measures:
        if measure.per == "game":
            values = _field(outcomes, measure, widths=())
            table |= dict(_columns(measure, values))
    return pd.DataFrame(table)


def seats_frame(rows: Rows, outcomes: Rows, measures: Sequence[Measure], names: Sequence[str]) -> pd.DataFrame:
    """One line per game and seat, in that order: identity, result, and every measure per seat.

    Columns: game, seats, seat, position (0 moved first, -1 where that means nothing), entrant (index into `names`),
    name (categorical), share, won (has part in the win of a finished game), finished, turns, then the measures, those
    with parts as field_0, field_1, ... Raises ValueError if rows, outcomes, measures and names do not fit.
    """
    _check(rows, outcomes)
    width = rows["entrant"].shape[1]
    widths = range(width, int(rows["seats"].max(initial=1)) - 1, -1)
    used = np.arange(width) < rows["seats"][:, None]
    line, seat = np.nonzero(used)
    seats, first, entrant = rows["seats"][line], rows["first"][line], rows["entrant"][used]
    check_entrants(entrant, len(names))
    position = np.where(first < 0, -1, (seat - first) % np.maximum(seats, 1))
    finished = rows["status"][line] == Status.FINISHED
    table: Columns = {
        "game": rows["game"][line],
        "seats": seats,
        "seat": seat.astype(np.int8),
        "position": position.astype(np.int8),
        "entrant": entrant,
        "name": categorical(entrant, names),
        "share": rows["share"][used],
        "won": finished & (rows["share"][used] > 0),
        "finished": finished,
        "turns": rows["turns"][line],
    }
    for measure in measures:
        if measure.per == "seat":
            values = _field(outcomes, measure, widths)
            table |= dict(_columns(measure, values[used[:, : values.shape[1]]]))
    return pd.DataFrame(table)


def parts_frame(
    seats: pd.DataFrame, members: NDArray[Any], names: Sequence[str], fields: Mapping[str, int]
) -> pd.DataFrame:
    """One line per game, seat and part of its team, in that order: the seat's result and what the part did.

    seats: see `seats_frame`, of entrants that are teams; members: (entrants, size) numbers of parts; names: of the parts.
    fields: measures per seat that count by member and, within it, by so many things each: columns field_0, field_1, ... of
    member 0, then of member 1, ... Columns: game, seat, entrant, share, won, finished, part (index into `names`), name
    (categorical), then each field, where it counts several things as field_0, field_1, ... Raises ValueError for a measure
    that has no columns for all members.
    """
    size = members.shape[1]
    part = members[seats["entrant"].to_numpy(np.int64)].ravel()
    kept = ("game", "seat", "entrant", "share", "won", "finished")
    table: Columns = {name: np.repeat(seats[name].to_numpy(), size) for name in kept}
    table |= {"part": part, "name": categorical(part, names)}
    for field, things in fields.items():
        columns = [f"{field}_{at}" for at in range(size * things)]
        if not set(columns) <= set(seats):
            raise ValueError(f"measure {field!r} must have the columns {columns[0]}..{columns[-1]}, {size} x {things}")
        values = seats[columns].to_numpy().reshape(-1, things)
        table |= {field: values[:, 0]} if things == 1 else {f"{field}_{at}": values[:, at] for at in range(things)}
    return pd.DataFrame(table)


def categorical(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Codes 0, 1, 2, ... as the names; a code beyond them becomes missing. Equal names get their number behind them."""
    signed = codes.astype(np.int32)
    known = np.where((signed >= 0) & (signed < len(names)), signed, np.int32(-1))
    return pd.Categorical.from_codes(known, pd.Index(distinct(names)))


def distinct(names: Sequence[str]) -> list[str]:
    """Names in which those that occur twice are told apart by their number, e.g. "Archer (2)"."""
    seen: set[str] = set()
    result = []
    for name in names:
        candidate, number = name, 1
        while candidate in seen:
            number += 1
            candidate = f"{name} ({number})"
        seen.add(candidate)
        result.append(candidate)
    return result


def _check(rows: Rows, outcomes: Rows) -> None:
    check_rows(rows)
    if len(rows) != len(outcomes):
        raise ValueError(f"{len(rows)} rows and {len(outcomes)} outcomes must belong to the same games")


def _field(outcomes: Rows, measure: Measure, widths: Sequence[int]) -> NDArray[Any]:
    """Values of a measure, their shape checked: (N,) or (N, width), then the parts if it has any.

    widths: numbers of seats that a field per seat may have room for, the usual one first; empty per game. A field may also
    have room for more parts than the card set names.
    """
    if measure.field not in (outcomes.dtype.names or ()):
        raise ValueError(f"measure {measure.field!r} is not among the outcomes {outcomes.dtype.names}")
    values = outcomes[measure.field]
    if measure.parts and values.ndim > 1:
        values = values[..., : len(measure.parts)]
    parts = (len(measure.parts),) if measure.parts else ()
    expected = [(width, *parts) for width in widths] or [parts]
    if values.shape[1:] not in expected:
        raise ValueError(
            f"measure {measure.field!r} per {measure.per} has shape {values.shape[1:]}, expected {expected[0]}"
        )
    return values


def _columns(measure: Measure, values: NDArray[Any]) -> Iterator[tuple[str, Any]]:
    """Columns of a measure of shape (lines,) or (lines, k)."""
    if measure.parts:
        for part in range(values.shape[1]):
            yield f"{measure.field}_{part}", _typed(measure, values[:, part])
    else:
        yield measure.field, _typed(measure, values)


def _typed(measure: Measure, values: NDArray[Any]) -> Any:
    if measure.kind == "category":
        return categorical(values, measure.categories)
    return values != 0 if measure.kind == "flag" else np.ascontiguousarray(values)
