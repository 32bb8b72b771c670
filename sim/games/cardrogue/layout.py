"""Fixed layouts (ROGUE-107): `[map] rows`, one text per row of the table, the farthest row first.

A row is a list of cell tokens with blanks between them. The last text is row 0, the first token of each is column 0;
cells of the table beyond them are empty. Masks are hex digits, the sum of N 1, E 2, S 4, W 8.

    .            nothing                              T:id  T:id/mask   trap
    S            start, exactly one, four paths       E:id              enemy
    P<mask>      plain tile                           O:id              potion of a colour
    L<mask>      ladder down                          A:id              artifact
    H  F  C      shop, fountain, chest; all four      K                 key
                 paths, or with a mask: Hb            ?                 before any other than S: lies face-down

Enemies, potions, artifacts and the key may lie on a plain tile: E:goblin/P5. Without one they are replaced when they go.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sim.engine.cards import Problem
from sim.engine.fieldpaths import did_you_mean

ALL_PATHS = 0xF
TILES = {"P": "floor", "S": "start", "L": "ladder", "H": "shop", "F": "fountain", "C": "chest", "T": "trap"}
LOOSE = {"E": "enemy", "O": "potion", "A": "artifact", "K": "key"}
KNOWN = "one of . S P<mask> L<mask> T:<trap> H F C E:<enemy> O:<colour> A:<artifact> K, or ? before one of these"
STEPS = ((1, 0, 0b0001), (0, 1, 0b0010), (-1, 0, 0b0100), (0, -1, 0b1000))  # rows, columns, path: N, E, S, W

_HEX = "([0-9a-fA-F])"
_TILE = re.compile(rf"(\?)?(?:(S)|([PL]){_HEX}|([HFC]){_HEX}?|(T):(\w+)(?:/{_HEX})?)")
_LOOSE = re.compile(rf"(\?)?(?:(K)|([EOA]):(\w+))(?:/P{_HEX})?")

Place = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Cell:
    """What a token says. tile: a value of TILES, "" for none. mask: paths of the tile; without one 15.

    card: id of the card that lies there ("key" for the key), "" for none; letter: of the token. trap: id of the trap.
    """

    letter: str
    tile: str
    mask: int
    trap: str = ""
    card: str = ""
    down: bool = False


def read_token(token: str) -> Cell | None:
    """The cell of a token, None for an empty one. Raises ValueError for a token that is none, saying why."""
    if token == ".":
        return None
    if found := _TILE.fullmatch(token):
        down, start, plain, plain_mask, special, special_mask, trap, trap_id, trap_mask = found.groups()
        letter = start or plain or special or trap
        digits = plain_mask or special_mask or trap_mask
        cell = Cell(letter, TILES[letter], _mask(digits), trap=trap_id or "", down=bool(down))
        if cell.down and start:
            raise ValueError("is a start that lies face-down; must be S")
    elif found := _LOOSE.fullmatch(token):
        down, key, letter, name, digits = found.groups()
        letter = key or letter
        cell = Cell(letter, TILES["P"] if digits else "", _mask(digits), card=name or "key", down=bool(down))
    else:
        raise ValueError(f"is no cell token; must be {KNOWN}")
    if cell.mask == 0:
        raise ValueError("has no path; the mask must be 1 to f")
    return cell


def _mask(digit: str | None) -> int:
    return int(digit, 16) if digit else ALL_PATHS


def cells_of(rows: list[str]) -> dict[Place, Cell]:
    """The cells of valid rows that hold something, by row and column of the table."""
    found = {}
    for row, text in enumerate(reversed(rows)):
        for column, token in enumerate(text.split()):
            cell = read_token(token)
            if cell is not None:
                found[row, column] = cell
    return found


def layout_problems(rows: list[str], fill: str, table: Place, known: Mapping[str, list[str]]) -> Iterator[Problem]:
    """What is wrong with the rows of a layout. table: its rows and columns; known: ids that a letter may name."""
    found = [*_row_problems(rows, table), *_token_problems(rows, known)]
    found = found or [*_start_problems(cells_of(rows), fill, table)]
    yield from (Problem(("map", "rows", *place), wrong, right) for place, wrong, right in found)


def _row_problems(rows: list[str], table: Place) -> Iterator[tuple[tuple[int, ...], str, str]]:
    if len(rows) > table[0]:
        yield (), f"are {len(rows)} rows", f"the table has {table[0]} (table.rows)"
    width = len(rows[0].split())
    for index, text in enumerate(rows):
        tokens = len(text.split())
        if tokens != width:
            yield (index,), f"has {tokens} cells", f"must have {width} like the first row"
        elif not 0 < tokens <= table[1]:
            yield (index,), f"has {tokens} cells", f"must have 1 to {table[1]} (table.columns)"


def _token_problems(rows: list[str], known: Mapping[str, list[str]]) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Tokens that cannot be read, or name what is not in the file."""
    for index, text in enumerate(rows):
        for column, token in enumerate(text.split()):
            place = f'token "{token}" (row {len(rows) - 1 - index}, column {column})'
            try:
                cell = read_token(token)
            except ValueError as error:
                wrong, _, right = str(error).partition("; ")
                yield (index,), f"{place} {wrong}", right
                continue
            named = (cell.trap or cell.card) if cell else ""
            if cell and named and named not in (names := known[cell.letter]):
                what = TILES.get(cell.letter) or LOOSE[cell.letter]
                yield (index,), f"{place} names no {what} of this file", did_you_mean(named, names)


def _start_problems(cells: dict[Place, Cell], fill: str, table: Place) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """A start that is missing, shut in, or without a way to the ladder."""
    starts = [place for place, cell in cells.items() if cell.tile == "start"]
    if len(starts) != 1:
        yield (), f"have {len(starts)} starts", "exactly one cell must be S"
        return
    if not any(_beside(starts[0], cells, fill, table, flip=True)):
        yield (), "leave the start without an adjacent card", "a cell beside it must be open towards it"
    elif any(cell.tile == "ladder" for cell in cells.values()):
        reached = _reached(starts[0], cells, fill, table)
        if not any(place in reached and cell.tile == "ladder" for place, cell in cells.items()):
            right = "paths must lead from S to L, through enemies and face-down cards if need be"
            yield (), "leave the ladder out of reach of the start", right


def _reached(start: Place, cells: dict[Place, Cell], fill: str, table: Place) -> set[Place]:
    """Cells to which paths lead, whatever lies there; cells that the deck will fill can be anything."""
    seen, queue = {start}, [start]
    for here in queue:
        for place in _beside(here, cells, fill, table):
            if place not in seen:
                seen.add(place)
                queue.append(place)
    return seen


def _beside(here: Place, cells: dict[Place, Cell], fill: str, table: Place, flip: bool = False) -> Iterator[Place]:
    """Cells of the table to which a path leads from a cell. flip: a face-down card counts as open (ROGUE-16)."""
    own = cells[here].mask if here in cells else ALL_PATHS
    for step, (rows, columns, path) in enumerate(STEPS):
        place = (here[0] + rows, here[1] + columns)
        cell = cells.get(place)
        back = STEPS[(step + 2) % len(STEPS)][2]
        if not own & path or not (0 <= place[0] < table[0] and 0 <= place[1] < table[1]):
            continue
        if (cell is None and fill == "deck") or (cell and (cell.mask & back or (flip and cell.down))):
            yield place


def cards_used(cells: dict[Place, Cell]) -> Counter[str]:
    """Copies of loose cards and of special tiles that a layout takes out of the decks, by deck entry."""
    special = {"shop", "fountain", "chest"}
    return Counter(
        cell.card or cell.trap or cell.tile for cell in cells.values() if cell.card or cell.trap or cell.tile in special
    )
