"""Card Rogue drawn as text: the known map with its corridors, what lies and lurks there, and a line for every player."""

import textwrap
from collections import Counter

import numpy as np

from sim.engine.cards import CardSet
from sim.games.cardrogue.codes import Tile
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.grid import EAST, NORTH, SOUTH, WEST, opens
from sim.games.cardrogue.holding import is_second_half, max_health
from sim.games.cardrogue.labels import (
    card_name,
    card_or_coin,
    counted,
    effect_name,
    joined,
    player_names,
    potion_name,
    row_and_column,
    seats_of,
    some,
    tile_name,
    tile_with_article,
)
from sim.games.cardrogue.points import points_of
from sim.games.cardrogue.record import CELLS, SLOTS, STRIDE
from sim.games.cardrogue.state import LYING, MONSTER, NO_CARD, NOBODY, NOWHERE, Down, Ending

WIDTH = 100  # columns of a terminal
CELL = 3  # characters of a cell
MARGIN = 4  # characters before the first
GAP = "  "  # between two facts
FACE_DOWN = "[?]"
CORRIDORS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by open sides N 1, E 2, S 4, W 8
ENEMIES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
START, LADDER, SHOP, FOUNTAIN, CHEST, TRAP, CARD, LEFT = "<>$~=^!%"
_TILES = {Tile.START: START, Tile.LADDER: LADDER, Tile.SHOP: SHOP, Tile.FOUNTAIN: FOUNTAIN, Tile.CHEST: CHEST}


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: the known map under its column numbers, row 0 at the bottom, then all that is on it.

    Lines are paths, a half line ends at a wall. A player is the number of its seat, an enemy a letter; [?] lies face-down.
    `*` marks whose turn it is.
    """
    marks = _enemy_marks(state)
    lines = [*_map(state, marks), "", *_players(state, cards, marks)]
    for parts in (_enemies(state, cards, marks), _things(state, cards), _symbols(state), _table(state, cards)):
        lines += _packed(" " * (MARGIN - len(GAP)), parts) if parts else []
    return "\n".join(lines)


def _enemy_marks(state: np.void) -> dict[int, str]:
    """A letter for every enemy on the table, by slot, in the order in which they came up."""
    slots = [slot for slot in range(np.int64(state["enemies"])) if state["enemy_cell"][slot] != NOWHERE]
    return dict(zip(slots, ENEMIES, strict=False))


def _map(state: np.void, marks: dict[int, str]) -> list[str]:
    """Rows from the farthest to row 0, with a line between two of them for the paths that lead across."""
    taken = [row_and_column(cell) for cell in range(CELLS) if _is_known(state, cell)]
    rows = range(max((row for row, _ in taken), default=0), min((row for row, _ in taken), default=0) - 1, -1)
    columns = range(
        min((column for _, column in taken), default=0), max((column for _, column in taken), default=0) + 1
    )
    lines = [" " * MARGIN + "".join(f"{column:^{CELL}}" for column in columns)]
    for row in rows:
        if row != rows[0]:
            across = (_across(state, (row + 1) * STRIDE + column, row * STRIDE + column) for column in columns)
            lines.append(" " * MARGIN + "".join(f" {path} " for path in across))
        cells = (_cell(state, row * STRIDE + column, marks) for column in columns)
        lines.append(f"{row:>{MARGIN - 2}}  " + "".join(cells))
    return [line.rstrip() for line in lines]


def _is_known(state: np.void, cell: int) -> bool:
    """Whether anything lies on a cell."""
    return bool(state["down"][cell] or state["tile"][cell] or state["on"][cell])


def _paths(state: np.void, cell: int) -> int:
    """Open sides of what lies face-up on a cell."""
    return int(state["mask"][cell]) if _is_known(state, cell) and not state["down"][cell] else 0


def _across(state: np.void, upper: int, lower: int) -> str:
    """The path between a cell and the one below it: whole, or half where the other side is a wall or unseen."""
    return CORRIDORS[opens(_paths(state, upper), SOUTH) << NORTH | opens(_paths(state, lower), NORTH) << SOUTH]


def _cell(state: np.void, cell: int, marks: dict[int, str]) -> str:
    """Three characters: what is on a cell between its paths to the west and to the east."""
    if state["down"][cell] != Down.NO:
        return FACE_DOWN
    if not _is_known(state, cell):
        return " " * CELL
    paths = _paths(state, cell)
    west, east = (CORRIDORS[opens(paths, side) << EAST | opens(paths, side) << WEST] for side in (WEST, EAST))
    return west + _middle(state, cell, marks) + east


def _middle(state: np.void, cell: int, marks: dict[int, str]) -> str:
    """What is most worth seeing on a cell: player, enemy, card, tile, or the paths of a bare floor."""
    on, tile = int(state["on"][cell]), int(state["tile"][cell])
    for seat in range(np.int64(state["seats"])):
        if state["cell"][seat] == cell:
            return str(seat + 1)
    if on >= MONSTER:
        return marks.get(on - MONSTER, "&")
    if on >= LYING:
        return CARD
    if cell in state["left_cell"][: state["left_cards"]]:
        return LEFT
    return TRAP if tile >= Tile.TRAP else _TILES.get(Tile(tile), CORRIDORS[_paths(state, cell)])


def _place(cell: int) -> str:
    row, column = row_and_column(cell)
    return f"({row},{column})"


def _players(state: np.void, cards: CardSet, marks: dict[int, str]) -> list[str]:
    """What every player is and has, on a line of its own or more."""
    names = player_names(state, cards)
    width = max(map(len, names))
    lines = []
    for seat, name in enumerate(names):
        turn = "*" if seat == state["active"] and state["node"] != Node.OVER else " "
        lines += _packed(f"{turn} {seat + 1}  {name:<{width}}", _facts(state, cards, seat, marks))
    return lines


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters, the parts two blanks apart; further lines begin below the first part."""
    lines = [head]
    for part in parts:
        pieces = textwrap.wrap(part, WIDTH - len(head) - len(GAP))
        if len(lines[-1]) + len(GAP) + len(part) > WIDTH and lines != [head]:
            lines.append(" " * len(head))
        lines[-1] += GAP + pieces[0]
        lines += [" " * len(head) + GAP + piece for piece in pieces[1:]]
    return lines


def _facts(state: np.void, cards: CardSet, seat: int, marks: dict[int, str]) -> list[str]:
    """What a player is, has and suffers from."""
    if state["character"][seat] == NOBODY:
        return ["no character yet"]
    points = some(int(points_of(state, cards.record[0], seat)), "point")
    if state["out"][seat]:
        return ["out of the game", points]
    parts = [f"{state['health'][seat]}/{max_health(state, cards.record[0], seat)} health", points]
    parts += [f"{state['gold'][seat]} gold"] if state["gold"][seat] else []
    parts += [_whereabouts(state, cards, seat)]
    fought = [mark for slot, mark in marks.items() if seat in seats_of(state["order"][slot])]
    parts += [f"fights {joined(fought)}"] if fought else []
    parts += _statuses(state, seat)
    worn = counted(cards, Counter(_worn(state, cards, seat)))
    parts += [f"wears {joined(worn)}"] if worn else []
    hand = counted(
        cards, {card: int(state["hand"][seat, card]) for card in np.flatnonzero(state["hand"][seat]).tolist()}
    )
    return parts + ([f"holds {joined(hand)}"] if hand else [])


def _whereabouts(state: np.void, cards: CardSet, seat: int) -> str:
    cell = int(state["cell"][seat])
    if cell == NOWHERE:
        return "away" if state["away"][seat] else "dead"
    tile = int(state["tile"][cell])
    special = "" if tile in (Tile.NONE, Tile.FLOOR) else f" on {tile_with_article(cards, tile)}"
    return f"{_place(cell)}{special}"


def _statuses(state: np.void, seat: int) -> list[str]:
    """Poison, lost turns, spells that have to wait, and what potions have done to the attack."""
    words = {
        "poison": f"poisoned for {some(int(state['poison'][seat]), 'turn')}",
        "antidote": "antidote",
        "skip": f"skips {some(int(state['skip'][seat]), 'turn')}",
        "cooldown": f"spell in {some(int(state['cooldown'][seat]), 'turn')}",
        "potion_mod": f"attack {state['potion_mod'][seat]:+}",
    }
    return [word for field, word in words.items() if state[field][seat]]


def _worn(state: np.void, cards: CardSet, seat: int) -> list[int]:
    """Cards that a player wears, each once."""
    worn = state["worn"][seat]
    slots = [slot for slot in range(SLOTS) if worn[slot] != NO_CARD]
    return [int(worn[slot]) for slot in slots if not is_second_half(state, cards.record[0], seat, slot)]


def _enemies(state: np.void, cards: CardSet, marks: dict[int, str]) -> list[str]:
    """Every enemy on the map with its letter and what is left of its health."""
    told = []
    for slot, mark in marks.items():
        kind = int(state["enemy_type"][slot])
        words = f"{mark} {card_name(cards, kind)} {state['enemy_health'][slot]}/{cards.record[0]['health'][kind]}"
        words += f" attack {state['enemy_mod'][slot]:+}" if state["enemy_mod"][slot] else ""
        words += " poisoned" if state["enemy_poison"][slot] else ""
        words += " paralysed" if state["enemy_paralysed"][slot] else ""
        told.append(words)
    return told


def _things(state: np.void, cards: CardSet) -> list[str]:
    """Cards that lie open, cards of the dead, and traps, each kind with its places."""
    lying: dict[str, list[str]] = {}
    for cell in range(CELLS):
        on, tile = int(state["on"][cell]), int(state["tile"][cell])
        if state["down"][cell] == Down.NO and LYING <= on < MONSTER:
            lying.setdefault(f"{CARD} {card_name(cards, on - LYING)}", []).append(_place(cell))
        if state["down"][cell] == Down.NO and tile >= Tile.TRAP:
            lying.setdefault(f"{TRAP} {tile_name(cards, tile)}", []).append(_place(cell))
    for cell, code in zip(*(state[field][: state["left_cards"]] for field in ("left_cell", "left_type")), strict=True):
        lying.setdefault(f"{LEFT} left at {_place(cell)}:", []).append(card_or_coin(cards, int(code)))
    return [f"{what} {joined(where)}" for what, where in sorted(lying.items())]


def _symbols(state: np.void) -> list[str]:
    """What the signs of the tiles on the map mean."""
    tiles = {int(tile) for tile in state["tile"]}
    told = [f"{sign} {tile.name.lower()}" for tile, sign in _TILES.items() if tile in tiles]
    return told + ([f"{FACE_DOWN} face-down"] if (state["down"] != Down.NO).any() else [])


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The round, the end rush, the decks, and the potions that are known."""
    parts = [f"round {state['round']}"]
    parts += ["END RUSH"] if state["rush"] else []
    parts += [Ending(state["ending"]).name.lower().replace("_", " ")] if state["ending"] else []
    parts += [f"stack {state['stack']}", f"pathing deck {state['pathing_cards']}"]
    known = [colour for colour in range(cards.record[0]["colours"]) if state["effect"][colour]]
    return parts + [
        f"{potion_name(cards, colour)}: {effect_name(cards, int(state['effect'][colour]))}" for colour in known
    ]
