"""The map of Card Rogue by readable names: every cell as a token of `layout`, and back."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table, is_whole
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.codes import Category, Tile
from sim.games.cardrogue.engage import reveal
from sim.games.cardrogue.grid import ALL_OPEN
from sim.games.cardrogue.labels import row_and_column
from sim.games.cardrogue.layout import TILES, Cell, read_token
from sim.games.cardrogue.record import CELLS, STRIDE
from sim.games.cardrogue.state import LYING, MONSTER, NOTHING, NOWHERE, Down
from sim.games.cardrogue.tiles import note_tile

EMPTY = "."
UNSEEN = "?"  # a face-down card of the deck; before other tokens: what a fixed layout has face-down
CORNER = (0, 0)
_LETTERS = {tile: letter for letter, tile in TILES.items()}
_PLAIN = (Tile.NONE, Tile.FLOOR)  # what a card can lie on in one token


def map_cells(state: np.void, cards: CardSet) -> dict[str, str]:
    """Token of every cell that holds something, by "row,column", the farthest row first."""
    taken = [cell for cell in range(CELLS) if state["down"][cell] or state["tile"][cell] or state["on"][cell]]
    taken.sort(key=lambda cell: (-row_and_column(cell)[0], cell))
    return {",".join(map(str, row_and_column(cell))): _token(state, cards, cell) for cell in taken}


def _token(state: np.void, cards: CardSet, cell: int) -> str:
    """One cell as a token; an enemy on a special tile is told by `enemies` alone."""
    if state["down"][cell] == Down.CARD:
        return UNSEEN
    tile, mask, card = int(state["tile"][cell]), int(state["mask"][cell]), NOTHING - 1
    if state["down"][cell] == Down.MAPPED:
        record, origin = cards.record[0], state["on"][cell]
        tile, mask, card = (int(record[field][origin]) for field in ("map_tile", "map_mask", "map_on"))
        card -= 1
    elif state["on"][cell] >= MONSTER:
        card = int(state["enemy_type"][state["on"][cell] - MONSTER])
    elif state["on"][cell] >= LYING:
        card = int(state["on"][cell]) - LYING
    down = UNSEEN if state["down"][cell] else ""
    if card < 0 or tile not in _PLAIN:
        return down + _tile_token(cards, tile, mask)
    letter = {Category.KEY: "K", Category.POTION: "O", Category.ARTIFACT: "A"}.get(
        cards.record[0]["category"][card], "E"
    )
    name = letter if letter == "K" else f"{letter}:{type_ids(cards)[card]}"
    return down + name + (f"/P{mask:x}" if tile else "")


def _tile_token(cards: CardSet, tile: int, mask: int) -> str:
    if tile == Tile.START:
        return "S"
    if tile >= Tile.TRAP:
        return f"T:{cards.document['trap'][tile - Tile.TRAP]['id']}" + (f"/{mask:x}" if mask != ALL_OPEN else "")
    bare = mask == ALL_OPEN and tile in (Tile.SHOP, Tile.FOUNTAIN, Tile.CHEST)
    return _LETTERS[Tile(tile).name.lower()] + ("" if bare else f"{mask:x}")


def place_map(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay the cells of `map`: a table of tokens by "row,column", or rows of tokens as in a fixed layout, from `corner` on."""
    for field, cell, token in _tokens(table, cards):
        try:
            _lay(cards, state, cell, token)
        except ValueError as error:
            raise ValueError(f"{field} = {shown(token)}: {error}") from None


def _tokens(table: Table, cards: CardSet) -> list[tuple[str, int, str]]:
    """Field, cell and token of everything that lies on the table."""
    given = table.take("map")
    found = []
    if isinstance(given, dict):
        table.take("corner", None)
        for key, token in given.items():
            place = [int(part) if part.strip().isdecimal() else NOWHERE for part in str(key).split(",")]
            found.append((f'map."{key}"', cell_at(place, cards, f'map."{key}"'), token))
    elif isinstance(given, list) and all(isinstance(row, str) for row in given):
        row, column = row_and_column(cell_at(table.take("corner", list(CORNER)), cards, "corner"))
        for up, text in enumerate(reversed(given)):
            field = f"map[{len(given) - 1 - up}]"
            found += [
                (field, cell_at([row + up, column + right], cards, field), token)
                for right, token in enumerate(text.split())
            ]
    else:
        raise table.wrong("map", 'must be a table like { "0,12" = "S" } or a list of rows of tokens')
    return [entry for entry in found if entry[-1] != EMPTY]


def cell_at(at: object, cards: CardSet, field: str) -> int:
    """Cell of [row, column]. Raises ValueError if it is none, or off the table (ROGUE-03)."""
    rows, columns = int(cards.record[0]["rows"]), int(cards.record[0]["columns"])
    right = f"must be [row, column], row 0 to {rows - 1} and column 0 to {columns - 1}"
    if not isinstance(at, list) or len(at) != 2 or not all(is_whole(part, -STRIDE * 2, STRIDE * 2) for part in at):
        raise ValueError(f"{field} = {shown(at)}: {right}")
    if not (0 <= at[0] < rows and 0 <= at[1] < columns):
        raise ValueError(f"{field} = {shown(at)}: is off the table; {right}")
    return at[0] * STRIDE + at[1]


def _lay(cards: CardSet, state: np.void, cell: int, token: object) -> None:
    """Lay what a token says on a cell."""
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
    """Tile and card type of a token, Tile.NONE and -1 for none."""
    tile = int(Tile[what.tile.upper()]) if what.tile else int(Tile.NONE)
    if what.trap:
        traps = [trap["id"] for trap in cards.document["trap"]]
        if what.trap not in traps:
            raise ValueError(f"names no trap; {did_you_mean(what.trap, traps)}")
        tile += traps.index(what.trap)
    if not what.card:
        return tile, NOWHERE
    kinds = {"E": Category.ENEMY, "O": Category.POTION, "A": Category.ARTIFACT, "K": Category.KEY}
    known = [
        word for card, word in enumerate(type_ids(cards)) if cards.record[0]["category"][card] == kinds[what.letter]
    ]
    if what.card not in known:
        raise ValueError(f"names no {kinds[what.letter].name.lower()}; {did_you_mean(what.card, known)}")
    return tile, type_ids(cards).index(what.card)


def _origin(cards: CardSet, state: np.void, cell: int, content: tuple[int, int, int]) -> int:
    """ROGUE-107. A face-down cell of the card file's layout with that content, this one rather than another."""
    record = cards.record[0]
    taken = {int(state["on"][other]) for other in range(CELLS) if state["down"][other] == Down.MAPPED}
    fits = [
        origin
        for origin in np.flatnonzero(record["map_down"]).tolist()
        if origin not in taken
        and tuple(record[field][origin] for field in ("map_tile", "map_mask", "map_on")) == content
    ]
    if not fits:
        raise ValueError(
            "is not face-down on the map of the card file (or not that often); ? alone is a card of the deck"
        )
    return cell if cell in fits else fits[0]
