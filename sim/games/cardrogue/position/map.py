"""The map of a Card Rogue position: a token for each cell, both ways."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.engine.positions import Here, numbered
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.cards.checks import LOOSE, TILES, Cell, read_token
from sim.games.cardrogue.record import KEY, STRIDE, Category, Fill, Tile
from sim.games.cardrogue.rules.combat import reveal
from sim.games.cardrogue.rules.tiles import ALL_OPEN, note_tile, survey_all
from sim.games.cardrogue.setup import lay_map, lay_starts
from sim.games.cardrogue.state import GOLD_CODE, LEFT_MAX, LYING, MONSTER, NO_CARD, NOTHING, NOWHERE, Down
from sim.games.cardrogue.text.labels import row_and_column

COUNT_MAX = 10_000  # entries of a list, and counters


def place_of(cell: int) -> list[int]:
    """Row and column of a cell."""
    return list(row_and_column(cell))


def cell_at(at: object, cards: CardSet, field: str) -> int:
    """Cell of [row, column]. Raises ValueError if `at` has another form, or is off the table (ROGUE-03)."""
    rows, columns = int(cards.record[0]["rows"]), int(cards.record[0]["columns"])
    right = f"must be [row, column], row 0 to {rows - 1} and column 0 to {columns - 1}"
    if not isinstance(at, list) or len(at) != 2 or not all(is_whole(part, -STRIDE * 2, STRIDE * 2) for part in at):
        raise ValueError(f"{field} = {shown(at)}: {right}")
    if not (0 <= at[0] < rows and 0 <= at[1] < columns):
        raise ValueError(f"{field} = {shown(at)}: is off the table; {right}")
    return int(at[0] * STRIDE + at[1])


def words_at(table: Table, key: str, known: Iterable[str], default: Iterable[str] = ()) -> list[str]:
    """Read a list of known words."""
    words = table.items(key, COUNT_MAX) if table.has(key) else [*default]
    table.take(key, None)
    for word in words:
        if word not in known:
            raise table.wrong(key, f"{shown(word)} is not known there; {did_you_mean(word, [*known])}")
    return words


# The map.

EMPTY = "."
UNSEEN = "?"  # a face-down card of the deck; before another token: a face-down card of a fixed layout
_LETTERS = {tile: letter for letter, tile in TILES.items()}
_LOOSE = {Category[word.upper()]: letter for letter, word in LOOSE.items()}


def read_map(here: Here) -> dict[str, str]:
    """Token of every cell that holds something, by "row,column", the farthest row first."""
    state = here.state
    occupied = np.flatnonzero((state["down"] != 0) | (state["tile"] != 0) | (state["on"] != 0)).tolist()
    occupied.sort(key=lambda cell: (-row_and_column(cell)[0], cell))
    return {",".join(map(str, row_and_column(cell))): _token(state, here.cards, cell) for cell in occupied}


def _token(state: np.void, cards: CardSet, cell: int) -> str:
    """One cell as a token; an enemy on a special tile is listed in `enemies` only."""
    if state["down"][cell] == Down.CARD:
        return UNSEEN
    tile, mask, card = int(state["tile"][cell]), int(state["mask"][cell]), NO_CARD
    if state["down"][cell] == Down.MAPPED:
        tile, mask, card = (int(cards.record[0][field][state["on"][cell]]) for field in ("map_tile", "map_mask", "map_on"))
        card -= 1
    elif state["on"][cell] >= MONSTER:
        card = int(state["enemy_type"][state["on"][cell] - MONSTER])
    elif state["on"][cell] >= LYING:
        card = int(state["on"][cell]) - LYING
    down = UNSEEN if state["down"][cell] else ""
    if card == NO_CARD or tile not in (Tile.NONE, Tile.FLOOR):
        return down + _tile_token(cards, tile, mask)
    letter = _LOOSE[Category(cards.record[0]["category"][card])]
    return down + (letter if card == KEY else f"{letter}:{type_ids(cards)[card]}") + (f"/P{mask:x}" if tile else "")


def _tile_token(cards: CardSet, tile: int, mask: int) -> str:
    if tile == Tile.START:
        return "S"
    if tile >= Tile.TRAP:
        return f"T:{cards.document['trap'][tile - Tile.TRAP]['id']}" + (f"/{mask:x}" if mask != ALL_OPEN else "")
    bare = mask == ALL_OPEN and tile in (Tile.SHOP, Tile.FOUNTAIN, Tile.CHEST)
    return _LETTERS[Tile(tile).name.lower()] + ("" if bare else f"{mask:x}")


def write_map(table: Table, here: Here) -> None:
    """Lay the cells of `map`: a table of tokens by "row,column", or rows of tokens as in a fixed layout, starting at `corner`."""
    if not table.has("map"):
        table.take("map", None)
        (lay_starts if here.card("fill") == Fill.DEAL else lay_map)(here.state, here.cards.record[0])
        return
    for field, cell, token in _tokens(table, here.cards):
        try:
            _lay(here.cards, here.state, cell, token)
        except ValueError as error:
            raise ValueError(f"{field} = {shown(token)}: {error}") from None
    survey_all(here.state, here.cards.record[0])


def _tokens(table: Table, cards: CardSet) -> list[tuple[str, int, str]]:
    """Field, cell and token of all cells that are not empty."""
    given, tokens = table.take("map"), []
    if isinstance(given, dict):
        for key, token in given.items():
            place = [int(part) if part.strip().isdecimal() else NOWHERE for part in str(key).split(",")]
            tokens.append((f'map."{key}"', cell_at(place, cards, f'map."{key}"'), token))
    elif isinstance(given, list) and all(isinstance(row, str) for row in given):
        row, column = row_and_column(cell_at(table.take("corner", [0, 0]), cards, "corner"))
        for up, text in enumerate(reversed(given)):
            field = f"map[{len(given) - 1 - up}]"
            for right, token in enumerate(text.split()):
                tokens.append((field, cell_at([row + up, column + right], cards, field), token))
    else:
        raise table.wrong("map", 'must be a table like { "0,12" = "S" } or a list of rows of tokens')
    return [entry for entry in tokens if entry[-1] != EMPTY]


def _lay(cards: CardSet, state: np.void, cell: int, token: object) -> None:
    """Lay the content of a token on a cell."""
    if not isinstance(token, str):
        raise ValueError("must be text, a cell token")
    if token == UNSEEN:
        state["down"][cell], state["mask"][cell] = Down.CARD, ALL_OPEN
        return
    if (what := read_token(token)) is None:
        return
    tile, card = _meaning(what, cards)
    if what.down:
        state["on"][cell] = _origin(cards, state, cell, (tile, what.mask if tile else 0, card + 1))
        state["down"][cell], state["mask"][cell] = Down.MAPPED, ALL_OPEN
        return
    state["tile"][cell], state["mask"][cell] = tile, what.mask
    note_tile(state, cell)
    if what.letter == "E":
        reveal(state, cards.record[0], cell, card)
    elif what.card:
        state["on"][cell] = LYING + card


def _meaning(what: Cell, cards: CardSet) -> tuple[int, int]:
    """Tile and card type of a token, Tile.NONE and NO_CARD for none."""
    tile = int(Tile[what.tile.upper()]) if what.tile else int(Tile.NONE)
    if what.trap:
        traps = [trap["id"] for trap in cards.document["trap"]]
        if what.trap not in traps:
            raise ValueError(f"names no trap; {did_you_mean(what.trap, traps)}")
        tile += traps.index(what.trap)
    if not what.card:
        return tile, NO_CARD
    known = of_category(cards, Category[LOOSE[what.letter].upper()])
    if what.card not in known:
        raise ValueError(f"names no {LOOSE[what.letter]}; {did_you_mean(what.card, [*known])}")
    return tile, known[what.card]


def of_category(cards: CardSet, category: Category) -> dict[str, int]:
    """Card types of a category by id."""
    return {word: card for card, word in enumerate(type_ids(cards)) if cards.record[0]["category"][card] == category}


def _origin(cards: CardSet, state: np.void, cell: int, content: tuple[int, int, int]) -> int:
    """ROGUE-107. A face-down cell of the card file's layout with this content, preferably the same cell."""
    record, taken = cards.record[0], state["on"][state["down"] == Down.MAPPED]
    fits = [
        origin
        for origin in np.flatnonzero(record["map_down"]).tolist()
        if origin not in taken and tuple(record[field][origin] for field in ("map_tile", "map_mask", "map_on")) == content
    ]
    if not fits:
        raise ValueError("is not face-down on the map of the card file (or not that often); ? alone is a card of the deck")
    return cell if cell in fits else fits[0]


def read_left(here: Here) -> list[dict[str, Any]]:
    """Cards of the dead by cell, in the order in which they were laid down."""
    by_cell: dict[int, list[str]] = {}
    words = {code: word for word, code in cards_and_coins(here).items()}
    for cell, code in zip(*(here.state[field][: here.state["left_cards"]] for field in ("left_cell", "left_type")), strict=True):
        by_cell.setdefault(int(cell), []).append(words[code])
    return [{"at": place_of(cell), "cards": words} for cell, words in by_cell.items()]


def cards_and_coins(here: Here) -> dict[str, int]:
    """Codes of cards by id, and of gold cards by "5 gold"."""
    coins = here.cards.record[0]["denomination"][: here.card("denominations")].tolist()
    return numbered(type_ids(here.cards)) | {f"{coin} gold": GOLD_CODE + place for place, coin in enumerate(coins)}


def write_left(table: Table, here: Here) -> None:
    """Lay down what was left on cells."""
    state, known = here.state, cards_and_coins(here)
    for entry in table.tables("left", LEFT_MAX):
        cell = cell_at(entry.take("at"), here.cards, entry.field("at"))
        if state["down"][cell] != Down.NO or (state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING):
            raise entry.wrong("at", "is no face-up tile or card; the dead lay on one")
        for word in entry.items("cards", LEFT_MAX):
            if word not in known:
                raise ValueError(f"{entry.field('cards')} = {shown(word)}: {did_you_mean(word, [*known])}")
            if state["left_cards"] == LEFT_MAX:
                raise entry.wrong("cards", f"more than {LEFT_MAX} cards are left on the table")
            state["left_cell"][state["left_cards"]], state["left_type"][state["left_cards"]] = cell, known[word]
            state["left_cards"] += 1
        entry.close()
