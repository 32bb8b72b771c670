"""The sheets of a card set, and back.

The schema of the card file determines the sheets:

- `card_set`: the header of the card file.
- A table, such as `rules`: a row for each field, with its value and source.
- A list of tables, such as `hero`: a row for each entry and a column for each field; fields of a table in it have a dot in their
  names (`inherent.light`). The column `source` has one source for the whole row, or `move = assumed, energy = rulebook`.
- A list of tables in an entry, such as `hero.ability`: a row for each ability, with the id of its hero in the first column.
- A table with arbitrary keys in an entry, such as `deck.cards`: a row for each key, with its value.

All other values are cells in a short notation (`Notation`): `1, 3, 5` or `no_damage, slow {n = 2}`. Sheets and columns whose
names begin with # are for reading only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analysis.cardsheets.notation import SOURCE, SOURCE_NODE, Location, Node, Notation, Schema, key_text
from sim.engine.cardfiles.paths import HEADER, CardError, Problem, address, did_you_mean, key_words, look_up, shown
from sim.engine.cardfiles.validation import SOURCES, sourced_numbers
from sim.weights import remade

if TYPE_CHECKING:
    from sim.engine.contract import Game

CARD_SET = "card_set"
NOTE = "#"  # first character of sheets and columns for reading only
FIELD, VALUE, KEY = "field", "value", "key"
ALLOWED = f"{NOTE} allowed"
EMPTY = "{}"  # a table without fields
FAULTS_MAX = 100  # of a spreadsheet, looked for


@dataclass
class Sheet:
    """Cells by row, None where empty; the first row has the headings.

    By (row, column): sources, of the number in a cell. By column: nodes, the schema of its fields; notes, in words.
    formulas: row and column of the cells whose values were stored beside formulas.
    """

    name: str
    rows: list[list[Any]]
    sources: dict[tuple[int, int], str] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    formulas: list[tuple[int, int]] = field(default_factory=list)

    def cell(self, row: int, column: int) -> Any:
        """Return the value of a cell, None if it is empty."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell, without blanks around it; "" if it is empty."""
        cell = self.cell(row, column)
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)
        return "" if cell is None else str(getattr(cell, "text", cell)).strip()

    def filled(self) -> Iterator[int]:
        """Yield the rows below the headings that are not empty."""
        return (row for row, cells in enumerate(self.rows) if row and any(cell is not None for cell in cells))


def path_text(location: Location) -> str:
    """Return a location as text of a cell, such as `counts.red`."""
    return ".".join(key_text(str(step)) for step in location)


def _steps(text: str) -> Location | None:
    """The location that `path_text` wrote; None if the text is not well formed."""
    try:
        words = [match[0] for match in re.finditer(r'[\w-]+|"(?:[^"\\]|\\.)*"', text)]
        steps = tuple(json.loads(word) if word.startswith('"') else word for word in words)
    except ValueError:
        return None
    return steps if steps and path_text(steps) == text else None


def _is_header(schema: Schema, name: str, node: Node) -> bool:
    """Whether a field of the file stands in the sheet `card_set`."""
    return name in HEADER or not (schema.is_list_of_tables(node) or schema.is_table(node) or schema.is_map(node))


def _has_own_sheet(schema: Schema, path: Location, node: Node) -> bool:
    """Whether a field of the entries of a list has its own sheet. path: of the list."""
    return len(path) == 1 and (schema.has_own_rows(node) or schema.is_map(node))


def _fields_in(schema: Schema, node: Node, table: Any, above: Location = ()) -> Iterator[tuple[Location, Node]]:
    """Yield the fields of a table and of tables in it: those of the schema, and the keys that a table has besides."""
    if schema.is_map(node):
        for key in table if isinstance(table, Mapping) else ():
            yield (*above, key), SOURCE_NODE if key == SOURCE else schema.entry(node)
        return
    for name, part in schema.fields(node).items():
        inner = table.get(name) if isinstance(table, Mapping) else None
        if (schema.is_table(part) or schema.is_map(part)) and inner != {}:
            yield from _fields_in(schema, part, inner, (*above, name))
        else:
            yield (*above, name), part


def _columns_of(schema: Schema, node: Node) -> dict[str, tuple[Location, Node]]:
    """All columns that a sheet of a list can have, by their names: id and name first, source last."""
    columns: dict[str, tuple[Location, Node]] = {}
    for name, part in schema.fields(node).items():
        columns[path_text((name,))] = (name,), part
        if schema.is_table(part):
            columns |= {path_text((name, inner)): ((name, inner), deep) for inner, deep in schema.fields(part).items()}
    order = {"id": 0, "name": 1, SOURCE: 3}
    return dict(sorted(columns.items(), key=lambda column: order.get(column[0], 2)))


# ---- From a card set to sheets ----------------------------------------------------------------------------------------


def sheets_of(game: Game, document: Mapping[str, Any]) -> list[Sheet]:
    """Return the sheets of a valid card file. Raises ValueError if the game declares no schema."""
    return _Writer(game, document).sheets


class _Writer:
    """Makes the sheets of a card file."""

    def __init__(self, game: Game, document: Mapping[str, Any]) -> None:
        self.schema = Schema(game)
        self.notation = Notation(self.schema)
        self.document = document
        self.source_of: dict[Location, str] = {}  # of the first number at a location or below
        for location, _, source in sourced_numbers(document):
            for length in range(1, len(location) + 1):
                if source is not None:
                    self.source_of.setdefault(location[:length], source)
        header = Sheet(CARD_SET, [[FIELD, VALUE, ALLOWED]])
        self.sheets = [header]
        for name, node in self.schema.fields(self.schema.root).items():
            if _is_header(self.schema, name, node):
                header.rows.append([name, self._cell(self.document, (name,), node), self.schema.allowed(node)])
            elif self.schema.is_list_of_tables(node):
                self._list((name,), node)
            else:
                self._table(name, node)

    def _cell(self, table: Any, location: Location, node: Node) -> Any:
        """Return a field of a table as a cell, None if it is not given."""
        exists, value = look_up(table, location)
        return self.notation.written(value, node) if exists else None

    def _sheet(self, name: str, heads: list[str]) -> Sheet:
        sheet = Sheet(name, [heads])
        self.sheets.append(sheet)
        return sheet

    def _add(self, sheet: Sheet, row: list[Any], locations: Mapping[int, Location]) -> None:
        """Add a row. locations: of the fields in the document, by column; the sources of their first numbers are kept."""
        for column, location in locations.items():
            if location in self.source_of:
                sheet.sources[len(sheet.rows), column] = self.source_of[location]
        sheet.rows.append(row)

    def _table(self, name: str, node: Node) -> None:
        """Add a sheet with a row for each field of a table."""
        sheet, table = self._sheet(name, [FIELD, VALUE, SOURCE, ALLOWED]), self.document.get(name, {})
        sheet.nodes[2] = {"enum": list(SOURCES)}
        fields = dict(_fields_in(self.schema, node, table))
        if name in self.document and not table:
            sheet.rows.append([name, EMPTY, None, ""])
        for location, part in fields.items():
            exists, value = look_up(table, location)
            if location[-1] == SOURCE:  # except what the column of that name shows
                left = (
                    {key: entry for key, entry in value.items() if (*location[:-1], key) not in fields}
                    if isinstance(value, dict)
                    else value
                )
                if not exists or value is None or (value and not left):
                    continue
                sheet.rows.append([path_text(location), self.notation.written(left, part), None, self.schema.allowed(part)])
                continue
            if self.schema.has_own_rows(part):
                self._list((name, *location), part)
                if value != []:
                    continue
            source = look_up(table, (*location[:-1], SOURCE, location[-1]))[1]
            known = source if isinstance(source, str) else None
            row = [path_text(location), self._cell(table, location, part), known, self.schema.allowed(part)]
            self._add(sheet, row, {1: (name, *location)})

    def _list(self, path: Location, node: Node) -> None:
        """Add a sheet with a row for each entry of a list, and the sheets of lists and of tables with any keys in the entries."""
        inner, name = self.schema.items(node), path_text(path)
        entries: list[tuple[Location, Mapping[str, Any]]] = [
            ((*path, index), entry) for index, entry in enumerate(look_up(self.document, path)[1] or ())
        ]
        self._entries(name, path, inner, [(place, entry, None) for place, entry in entries])
        labelled = [(place, entry, entry.get("id", index)) for index, (place, entry) in enumerate(entries, 1)]
        for field_, part in self.schema.fields(inner).items():
            if not _has_own_sheet(self.schema, path, part):
                continue
            if self.schema.is_map(part):
                self._keys(
                    f"{name}.{field_}",
                    name,
                    part,
                    [((*place, field_), entry.get(field_), label) for place, entry, label in labelled],
                )
            else:
                below = [
                    ((*place, field_, index), child, label)
                    for place, entry, label in labelled
                    for index, child in enumerate(entry.get(field_, ()))
                ]
                self._entries(f"{name}.{field_}", (*path, field_), self.schema.items(part), below, name)

    def _entries(
        self, name: str, path: Location, inner: Node, entries: list[tuple[Location, Mapping[str, Any], Any]], parent: str = ""
    ) -> None:
        """Add a sheet of entries: location, table, label of the entry above. parent: heading of the column of these labels."""
        columns = []
        for location, part in _columns_of(self.schema, inner).values():
            # a field with its own sheet or columns has a cell only where it is empty
            apart = len(location) == 1 and (_has_own_sheet(self.schema, path, part) or self.schema.is_table(part))
            if not apart or any(look_up(entry, location)[1] in ([], {}) for _, entry, _ in entries):
                columns.append((location, part, apart))
        labels = [parent] if parent else []
        sheet = self._sheet(name, [*labels, *(self.schema.heading(path_text(location), part) for location, part, _ in columns)])
        required = self.schema.required(inner)
        for column, (location, part, _) in enumerate(columns, len(labels)):
            sheet.nodes[column] = part
            allowed = self.schema.allowed(part) or f"{', '.join(SOURCES)}; or field = source, ..."
            sheet.notes[column] = f"{allowed}; {'required' if location[0] in required and len(location) == 1 else 'may be empty'}"
        for place, entry, label in entries:
            cells = [
                None if apart and look_up(entry, location)[1] not in ([], {}) else self._cell(entry, location, part)
                for location, part, apart in columns
            ]
            locations = {number: (*place, *location) for number, (location, _, _) in enumerate(columns, len(labels))}
            self._add(sheet, [*([label] if parent else []), *cells], locations)

    def _keys(self, name: str, parent: str, node: Node, tables: list[tuple[Location, Any, Any]]) -> None:
        """Add a sheet with a row for each key of tables. tables: location, table, label of the entry above, called `parent`."""
        entry = self.schema.entry(node)
        sheet = self._sheet(name, [parent, KEY, self.schema.heading(VALUE, entry)])
        sheet.nodes[2] = entry
        for place, table, label in tables:
            if table == {}:
                sheet.rows.append([label, EMPTY, None])
            for key in table or ():
                part = SOURCE_NODE if key == SOURCE else entry
                self._add(sheet, [label, key, self._cell(table, (key,), part)], {2: (*place, key)})


# ---- From sheets to a card file ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """Something wrong in a sheet. where: "cell C3 (move) = 9", "row 4", or "" for the sheet; right: what would be right."""

    sheet: str
    where: str
    wrong: str
    right: str = ""


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell: `B3` for row 2, column 1, both from 0."""
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def assembled(game: Game, sheets: Iterable[Sheet]) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Return the document of a card file from its sheets, validated; what is wrong with it; and the sheets that are ignored.

    At most FAULTS_MAX faults are looked for. Raises CardError if it is wrong as a whole, ValueError if the game declares no
    schema.
    """
    reader = _Assembler(game, sheets)
    with suppress(_TooManyFaultsError):
        reader.read()
    if CARD_SET not in reader.sheets:
        return reader.document, reader.faults, []
    own = reader.document.get("game") == game.name
    if not reader.faults or not own:
        try:
            remade(game, reader.document, game.load(None))
        except CardError as error:
            if not error.problems:
                raise
            reader.faults += map(reader.fault_of, error.problems[:FAULTS_MAX])
    only = [fault for fault in reader.faults if "(game)" in fault.where]
    return reader.document, reader.faults if own or not only else only, reader.ignored


class _TooManyFaultsError(Exception):
    """There are FAULTS_MAX faults: others are not looked for."""


class _Assembler:
    """Makes the document of a card file from sheets, and remembers the place of each field."""

    def __init__(self, game: Game, sheets: Iterable[Sheet]) -> None:
        self.game = game
        self.schema = Schema(game)
        self.notation = Notation(self.schema)
        self.sheets = {sheet.name: sheet for sheet in sheets}
        self.document: dict[str, Any] = {}
        self.places: dict[Location, tuple[str, str]] = {}  # sheet, cell or row
        self.faults: list[Fault] = []
        self.known: set[str] = set()  # names of sheets
        self.ignored: list[str] = []

    def read(self) -> None:
        """Read all sheets."""
        fields = self.schema.fields(self.schema.root)
        header = {name: node for name, node in fields.items() if _is_header(self.schema, name, node)}
        sheet = self._find((CARD_SET,), f'it has the rows game = "{self.game.name}" and format = 1', needed=True)
        if sheet:
            self._header(sheet, header)
        if self.document.get("game") != self.game.name:
            return
        for name, node in fields.items():
            if name not in header:
                read = self._list if self.schema.is_list_of_tables(node) else self._table
                read((name,), node, needed=name in self.schema.required(self.schema.root))
        absent = sorted(self.known - self.sheets.keys())
        for name, sheet in self.sheets.items():
            if name in self.known or not any(True for _ in sheet.filled()):
                continue
            hint = did_you_mean(name, absent)
            if hint.startswith("did"):
                right = f"{hint} A name that begins with {NOTE} makes it a note."
                self._add(Fault(name, "", "is not a sheet of this game", right))
            else:
                self.ignored.append(name)

    def _add(self, fault: Fault) -> None:
        """Note a fault. Raises _TooManyFaultsError."""
        self.faults.append(fault)
        if len(self.faults) >= FAULTS_MAX:
            raise _TooManyFaultsError

    def fault_of(self, problem: Problem) -> Fault:
        """Return a problem of the document as a fault of the cell that has the field, or of what holds it."""
        place = problem.location
        while place and place not in self.places:
            place = place[:-1]
        sheet, where = self.places.get(place, (str(problem.location[0]), ""))
        exists, value = look_up(self.document, problem.location)
        field_ = address(self.document, problem.location, by_name=False)
        named = f"{where} ({field_})".strip() + (f" = {shown(value)}" if exists else "")
        return Fault(sheet if sheet in self.sheets else CARD_SET, named, problem.wrong, problem.right)

    def _wrong(self, sheet: Sheet, row: int, column: int, wrong: str, right: str = "", label: str = "") -> None:
        """Note what is wrong with a cell. label: its field."""
        cell = sheet.cell(row, column)
        value = "" if cell is None else f" = {shown(getattr(cell, 'text', cell))}"
        where = f"cell {cell_name(row, column)}{f' ({label})' if label else ''}{value}"
        self._add(Fault(sheet.name, where, wrong, right))

    def _find(self, path: Location, why: str, *, needed: bool) -> Sheet | None:
        """Return the sheet of a table or list; None, and a fault if it is needed, if there is none."""
        name = path_text(path)
        self.known.add(name)
        if name in self.sheets:
            self.places[path] = name, ""
        elif needed:
            self._add(Fault(name, "", "is missing", why))
        return self.sheets.get(name)

    def _heads(self, sheet: Sheet, known: Sequence[str], needed: Iterable[str]) -> dict[str, int]:
        """Return the columns of a sheet by name; empty if one that is needed is missing. Unknown and repeated ones are faults."""
        found: dict[str, int] = {}
        for column in range(max(map(len, sheet.rows), default=0)):
            name = sheet.text(0, column).partition(" (")[0].strip()
            if not name:
                if row := next((row for row in sheet.filled() if sheet.cell(row, column) is not None), None):
                    self._wrong(sheet, row, column, "has no heading above it", "remove it, or name its column")
            elif name in found:
                self._wrong(sheet, 0, column, "is a column twice", f"{cell_name(0, found[name])} has it too")
            elif name in known:
                found[name] = column
            elif not name.startswith(NOTE):
                self._wrong(sheet, 0, column, "is not a column of this sheet", did_you_mean(name, [*known]))
        missing = [name for name in needed if name not in found]
        for name in missing:
            self._add(Fault(sheet.name, "", f"has no column {name}", "it is required, with its name in the first row"))
        return {} if missing else found

    def _put(self, location: Location, value: Any) -> None:
        """Set a field of the document, with the tables above it."""
        node: Any = self.document
        for step in location[:-1]:
            node = node.setdefault(step, {}) if isinstance(node, dict) else node[step]
        node[location[-1]] = value

    def _take(self, sheet: Sheet, row: int, column: int, location: Location, node: Node) -> None:
        """Set a field from a cell, unless that is empty."""
        cell = sheet.cell(row, column)
        self.places[location] = sheet.name, f"cell {cell_name(row, column)}"
        if cell is None:
            return
        if len(location) > 1 and not isinstance(look_up(self.document, location[:-1])[1], dict | None):
            above = key_words(location[-2])
            self._wrong(sheet, row, column, f"belongs to {above}, which has a value of its own", "keep one of them")
            return
        try:
            self._put(location, self.notation.read(cell, node))
        except ValueError as error:
            self._wrong(sheet, row, column, str(error), label=key_words(location[-1]))

    def _names(self, sheet: Sheet, column: int) -> Iterator[tuple[int, str]]:
        """Yield rows and the fields that they name. Rows without a name, and repeated names, are faults."""
        seen: dict[str, int] = {}
        for row in sheet.filled():
            name = sheet.text(row, column)
            if not name:
                self._wrong(sheet, row, column, "is empty, and its row has values", "the name of a field is needed")
            elif name in seen:
                self._wrong(sheet, row, column, "is there twice", f"{cell_name(seen[name], column)} has it too")
            else:
                seen[name] = row
                yield row, name

    def _header(self, sheet: Sheet, fields: Mapping[str, Node]) -> None:
        """Read the sheet `card_set`."""
        heads = self._heads(sheet, (FIELD, VALUE), (FIELD, VALUE))
        for row, name in self._names(sheet, heads[FIELD]) if heads else ():
            if name in fields:
                self._take(sheet, row, heads[VALUE], (name,), fields[name])
            else:
                self._wrong(sheet, row, heads[FIELD], "is not a field of this sheet", did_you_mean(name, [*fields]))

    def _table(self, path: Location, node: Node, *, needed: bool) -> None:
        """Read a sheet with a row for each field of a table, and the sheets of lists in the table."""
        if sheet := self._find(path, "the card file needs it", needed=needed):
            self._settings(sheet, path, node)
        for location, part in _fields_in(self.schema, node, {}):
            if self.schema.has_own_rows(part):
                self._list((*path, *location), part, needed=False)

    def _settings(self, sheet: Sheet, path: Location, node: Node) -> None:
        """Read the fields of a table, each with its source."""
        heads = self._heads(sheet, (FIELD, VALUE, SOURCE), (FIELD, VALUE))
        known = [path_text(location) for location, _ in _fields_in(self.schema, node, {})]
        sourced = []
        for row, name in self._names(sheet, heads[FIELD]) if heads else ():
            location, part = ((), {"type": "object"}) if (name,) == path else self._field(name, node)
            if part is None:
                self._wrong(sheet, row, heads[FIELD], "is not a field of this sheet", did_you_mean(name, known))
                continue
            self._take(sheet, row, heads[VALUE], (*path, *location), part)
            if SOURCE in heads and sheet.cell(row, heads[SOURCE]) is not None:
                sourced.append((row, (*path, *location[:-1], SOURCE, *location[-1:])))
        for row, location in sourced:  # after the rows that are sources
            self._take(sheet, row, heads[SOURCE], location, {"type": "string"})

    def _field(self, name: str, node: Node) -> tuple[Location, Node | None]:
        """Return the location and the schema of a field of a table; no schema if there is no such field."""
        part: Node | None = node
        location = _steps(name) or ()
        for step in location:
            fields = self.schema.fields(part) if part and self.schema.is_table(part) else {}
            if step == SOURCE:
                part = SOURCE_NODE
            elif part and self.schema.is_map(part):
                part = self.schema.entry(part)
            else:
                part = fields.get(str(step))
        return location, part if location else None

    def _list(self, path: Location, node: Node, *, needed: bool) -> None:
        """Read a sheet with a row for each entry of a list, and the sheets of lists and of tables in the entries."""
        sheet, inner = self._find(path, "the card file needs it", needed=needed), self.schema.items(node)
        below = {name: part for name, part in self.schema.fields(inner).items() if _has_own_sheet(self.schema, path, part)}
        self.known |= {path_text((*path, name)) for name in below}
        if sheet is None:
            return
        columns = _columns_of(self.schema, inner)
        heads = self._heads(sheet, [*columns], self._needed(path, inner))
        if not heads:
            return
        entries: list[dict[str, Any]] = []
        self._put(path, entries)
        for row in sheet.filled():
            entries.append({})
            self._entry(sheet, row, heads, columns, (*path, len(entries) - 1))
        parents = self._labels(sheet, heads.get("id", 0), entries)
        for name, part in below.items():
            child = self._find((*path, name), f"every {path_text(path)} needs it", needed=name in self.schema.required(inner))
            if child and self.schema.is_map(part):
                self._keys(child, part, path, name, parents)
            elif child:
                self._children(child, self.schema.items(part), path, name, parents)

    def _needed(self, path: Location, inner: Node) -> list[str]:
        """Columns that the sheet of a list must have."""
        fields = self.schema.fields(inner)
        apart = {name for name, part in fields.items() if self.schema.is_table(part) or _has_own_sheet(self.schema, path, part)}
        return [name for name in fields if name in self.schema.required(inner) - apart]

    def _entry(
        self, sheet: Sheet, row: int, heads: Mapping[str, int], columns: Mapping[str, tuple[Location, Node]], place: Location
    ) -> None:
        """Read the fields of an entry."""
        self.places[place] = sheet.name, f"row {row + 1}"
        for name, (location, part) in columns.items():
            if name in heads:
                self._take(sheet, row, heads[name], (*place, *location), part)

    def _labels(self, sheet: Sheet, column: int, entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
        """Return entries by the id that rows of other sheets give, else by their number from 1. Repeated ids are faults."""
        parents: dict[str, int] = {}
        rows = [*sheet.filled()]
        for index, entry in enumerate(entries):
            label = str(entry.get("id", index + 1))
            if label in parents:
                first = cell_name(rows[parents[label]], column)
                right = f"{first} has it too; every {sheet.name} needs an id of its own"
                self._wrong(sheet, rows[index], column, "is used more than once", right, "id")
            parents.setdefault(label, index)
        return parents

    def _parent(self, sheet: Sheet, row: int, column: int, parents: Mapping[str, int], kind: str) -> int | None:
        """Return the entry to which a row of another sheet belongs; None, and a fault, if there is none."""
        label = sheet.text(row, column)
        if label not in parents and label.removesuffix(".0") in parents:  # the number of an entry, as some programs write it
            label = label.removesuffix(".0")
        if label not in parents:
            wrong = f"is no {kind} of this set" if label else "is empty"
            self._wrong(sheet, row, column, wrong, did_you_mean(label, [*parents]), kind)
        return parents.get(label)

    def _children(self, sheet: Sheet, inner: Node, path: Location, name: str, parents: Mapping[str, int]) -> None:
        """Read a sheet whose rows belong to the entries of the list at `path`, in their field `name`."""
        kind, columns = path_text(path), _columns_of(self.schema, inner)
        heads = self._heads(sheet, [kind, *columns], [kind, *self._needed((*path, name), inner)])
        for row in sheet.filled() if heads else ():
            index = self._parent(sheet, row, heads[kind], parents, kind)
            if index is not None:
                entries = look_up(self.document, path)[1][index].setdefault(name, [])
                entries.append({})
                self._entry(sheet, row, heads, columns, (*path, index, name, len(entries) - 1))

    def _keys(self, sheet: Sheet, node: Node, path: Location, name: str, parents: Mapping[str, int]) -> None:
        """Read a sheet with a row for each key of tables: the field `name` of the entries of the list at `path`."""
        kind, entry = path_text(path), self.schema.entry(node)
        heads = self._heads(sheet, (kind, KEY, VALUE), (kind, KEY, VALUE))
        for row in sheet.filled() if heads else ():
            key, index = sheet.text(row, heads[KEY]), self._parent(sheet, row, heads[kind], parents, kind)
            if index is None:
                continue
            place = (*path, index, name)
            self.places.setdefault(place, (sheet.name, f"row {row + 1}"))
            if not key:
                self._wrong(sheet, row, heads[KEY], "is empty", "a word is needed", KEY)
            elif key == EMPTY:
                self._put(place, {})
            elif look_up(self.document, (*place, key))[0]:
                self._wrong(sheet, row, heads[KEY], f"is there twice for this {kind}", "keep one of the rows")
            elif sheet.cell(row, heads[VALUE]) is None:
                self._wrong(sheet, row, heads[VALUE], "is empty", f"must be {self.schema.allowed(entry)}", VALUE)
            else:
                self._take(sheet, row, heads[VALUE], (*place, key), SOURCE_NODE if key == SOURCE else entry)
