"""Names and the picture: what Card Rogue calls its players, cards, cells and decisions, and the position drawn as text.

Names are short, and no two things in one position have the same.
"""

import re
import textwrap
from collections import Counter
from functools import lru_cache

import numpy as np

from sim.engine import words
from sim.engine.cardfiles.paths import did_you_mean, plain
from sim.engine.cards import CardSet
from sim.engine.words import joined, some
from sim.games.cardrogue.cards import effect_names, tile_ids, tile_names, trap_names, type_ids, type_names
from sim.games.cardrogue.record import CELLS, POTION, SLOTS, STRIDE, TILE_ENTRY, Slot, Tile
from sim.games.cardrogue.rules.basics import is_second_half, max_health
from sim.games.cardrogue.rules.tiles import EAST, NORTH, SOUTH, WEST, opens
from sim.games.cardrogue.rules.turn import points_of
from sim.games.cardrogue.state import (
    FLIP_CODE,
    GOLD_CODE,
    LEAP_STAY,
    LYING,
    MONSTER,
    NO_CARD,
    NOBODY,
    NOWHERE,
    OFFHAND_CODE,
    SEATS,
    STAY_CODE,
    Act,
    Down,
    Ending,
    Node,
    Spell,
)

ACTS = {act: act.name.lower() for act in Act} | {
    Act.SCROLL: "read",
    Act.SPELL: "cast",
    Act.UNEQUIP: "take off",
    Act.MOLE: "call the mole",
}
_TOWARDS = {  # decisions that name a direction, by their verb
    Node.FLIP: "flip",
    Node.MOVE: "move",
    Node.ATTACK: "attack",
    Node.THROW_AT: "throw",
    Node.SCROLL_MOVE: "move",
    Node.SPELL_AT: "cast",
    Node.SPELL_MOVE: "move",
    Node.TRADE_WITH: "trade",
    Node.TRIP: "trip",
    Node.STEAL: "steal",
    Node.BARD_FLEE: "flee",
}
_CARD = {Node.SCROLL: "read", Node.BUY: "buy", Node.SELL: "sell", Node.MOLE_PAY: "sell"}
_COLOUR = {Node.DRINK: "drink", Node.THROW: "throw", Node.IDENTIFY: "identify", Node.SPELL_POTION: "spend"}
_CELL = {Node.TELEPORT: "teleport to", Node.MOLE_TILE: "dig at", Node.RESPAWN: "come back at"}
_SPELLS = {Spell.DAMAGE: "cast damage", Spell.MOVE: "cast move", Spell.POTION: "cast healing"}
_ANSWERS = {Node.TRADE_ANSWER: ("refuse", "accept"), Node.SECOND_TURN: ("no second turn", "second turn")}


DIRECTIONS = ("north", "east", "south", "west")
SLOT_NAMES = tuple(slot.name.lower() for slot in Slot)
OFFHAND = "off-hand"
UNKNOWN = "unknown"  # effect of a colour
_GOLD = re.compile(r"(\d{1,5}) gold")


def player_names(state: np.void, cards: CardSet) -> list[str]:
    """Name of each seat's character, "seat n" before it has one; "(seat n)" follows a name that two seats share."""
    seats = range(state["seats"])
    names = [cards.names[state["character"][seat]] if state["character"][seat] != NOBODY else "" for seat in seats]
    words = [plain(name) for name in names]
    marked = [f"{name} (seat {seat + 1})" if words.count(plain(name)) > 1 else name for seat, name in enumerate(names)]
    return [marked[seat] if names[seat] else f"seat {seat + 1}" for seat in seats]


def character_name(cards: CardSet, character: int) -> str:
    """Name of a character, with its id where another has the same name."""
    words = [plain(name) for name in cards.names]
    alike = words.count(words[character]) > 1
    return f"{cards.names[character]} ({cards.ids[character]})" if alike else cards.names[character]


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def card_names(cards: CardSet) -> tuple[str, ...]:
    """Display name of every card type, with its id where the name could mean gold or an off-hand weapon."""
    named = zip(type_names(cards), type_ids(cards), strict=True)
    misleading = [bool(_GOLD.fullmatch(plain(name))) or OFFHAND in plain(name) for name in type_names(cards)]
    return tuple(f"{name} ({word})" if wrong else name for (name, word), wrong in zip(named, misleading, strict=True))


def card_name(cards: CardSet, card: int) -> str:
    """Display name of one card type."""
    return card_names(cards)[card]


def potion_name(cards: CardSet, colour: int) -> str:
    """Name of a potion of a colour."""
    return card_name(cards, POTION + colour)


def effect_name(cards: CardSet, face: int) -> str:
    """Name of the potion effect of a face; `unknown` for face 0."""
    return effect_names(cards)[face] if face else UNKNOWN


def card_or_gold(cards: CardSet, code: int) -> str:
    """Name of one side of a trade: a card, or 64 + an amount of gold."""
    return f"{code - GOLD_CODE} gold" if code >= GOLD_CODE else card_name(cards, code)


def card_or_coin(cards: CardSet, code: int) -> str:
    """Name of a card of the dead: a card, or 64 + the index of a denomination."""
    if code < GOLD_CODE:
        return card_name(cards, code)
    return f"{cards.record[0]['denomination'][code - GOLD_CODE]} gold"


def amount_of_gold(words: str) -> int | None:
    """The amount of gold in "5 gold"; None for other words."""
    match = _GOLD.fullmatch(plain(words))
    return int(match[1]) if match else None


def row_and_column(cell: int) -> tuple[int, int]:
    """Row and column of a cell."""
    return divmod(int(cell), STRIDE)


def cell_name(cell: int) -> str:
    """Name of a cell."""
    row, column = row_and_column(cell)
    return f"row {row} column {column}"


def tile_name(cards: CardSet, tile: int) -> str:
    """Name of a face-up tile: floor, start, shop, ..., or the name of a trap."""
    return trap_names(cards)[tile - Tile.TRAP] if tile >= Tile.TRAP else Tile(tile).name.lower()


def tile_with_article(cards: CardSet, tile: int) -> str:
    """Name of a face-up tile for a sentence: a shop, the chest, Trap of Spikes."""
    name = tile_name(cards, tile)
    if tile in (Tile.CHEST, Tile.LADDER):
        return f"the {name}"
    return name if tile >= Tile.TRAP else "a starting tile" if tile == Tile.START else f"a {name}"


def counted(cards: CardSet, counts: Counter[int]) -> list[str]:
    """Names of card types with their counts: `Key`, `2x blue potion`."""
    return words.counted(card_name(cards, card) for card in sorted(counts.elements()))


def held(state: np.void, seat: int) -> Counter[int]:
    """Cards in a player's hand, by type."""
    return Counter({card: int(state["hand"][seat, card]) for card in np.flatnonzero(state["hand"][seat]).tolist()})


def worn(state: np.void, cards: CardSet, seat: int) -> Counter[int]:
    """Cards that a player wears, by type, each once."""
    slots = [slot for slot in range(SLOTS) if state["worn"][seat, slot] != NO_CARD]
    return Counter(int(state["worn"][seat, slot]) for slot in slots if not is_second_half(state, cards.record[0], seat, slot))


def seats_of(order: np.ndarray) -> list[int]:
    """Seats of an enemy's order of entry."""
    return [int(seat) for seat in order[:SEATS] if seat != NOBODY]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One action in words, unique among those open in `state`."""
    node = Node(state["node"])
    if node in _TOWARDS:
        return f"{_TOWARDS[node]} {DIRECTIONS[action]}"
    if node in _CARD:
        return f"{_CARD[node]} {card_name(cards, action)}"
    if node in _COLOUR:
        return f"{_COLOUR[node]} {potion_name(cards, action)}"
    if node in _CELL:
        return f"{_CELL[node]} {cell_name(action)}"
    if node in _ANSWERS:
        return _ANSWERS[node][action]
    return _other(state, cards, node, action)


def _other(state: np.void, cards: CardSet, node: Node, action: int) -> str:
    """Actions of decisions with words of their own."""
    match node:
        case Node.MAIN:
            words = ACTS[Act(action)]
        case Node.DRAFT:
            words = f"choose {character_name(cards, action)}"
        case Node.FLEE_STEP:
            flips = FLIP_CODE <= action < STAY_CODE
            words = "stay" if action == STAY_CODE else _way("flip" if flips else "flee", action % FLIP_CODE)
        case Node.LEAP:
            words = "stay" if action == LEAP_STAY else _way("leap", action)
        case Node.SPELL:
            words = _SPELLS[Spell(action)]
        case Node.EQUIP:
            offhand = action >= OFFHAND_CODE
            words = f"equip {card_name(cards, action % OFFHAND_CODE)}" + (f" {OFFHAND}" if offhand else "")
        case Node.UNEQUIP:
            worn = card_name(cards, state["worn"][state["active"], action])
            words = f"take off {worn} ({SLOT_NAMES[action]})"
        case Node.TRADE_GIVE | Node.TRADE_WANT:
            words = f"{'offer' if node == Node.TRADE_GIVE else 'ask for'} {card_or_gold(cards, action)}"
        case _:
            words = f"{node.name.lower()} {card_or_coin(cards, action)}"
    return words


def _way(verb: str, direction: int) -> str:
    return f"{verb} {DIRECTIONS[direction]}"


def draw(words: str, cards: CardSet) -> int:
    """Code of a drawn card: a card type, or 64 + the number of a tile; for a theft 64 + the index of a gold card.

    words: name or id of a card or tile, or as in "5 gold" (ROGUE-05, 69). Raises ValueError with the possible words.
    """
    if (gold := amount_of_gold(words)) is not None:
        record = cards.record[0]
        denominations = [int(value) for value in record["denomination"][: record["denominations"]]]
        if gold not in denominations:
            raise ValueError(f"there is no such gold card; there are {', '.join(map(str, denominations))}")
        return GOLD_CODE + denominations.index(gold)
    known = {plain(word): TILE_ENTRY + tile for names in (tile_names, tile_ids) for tile, word in enumerate(names(cards))}
    known |= {plain(word): card for names in (card_names, type_ids) for card, word in enumerate(names(cards))}
    if plain(words) not in known:
        raise ValueError(f"is neither a card nor a tile; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]


# the picture

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
    """The position as text: the known map under its column numbers, row 0 at the bottom, then players, enemies and cards.

    Lines are paths; a half line ends at a wall. A player is the number of its seat, an enemy a letter, [?] a face-down card.
    `*` marks the active player.
    """
    slots = [slot for slot in range(state["enemies"]) if state["enemy_cell"][slot] != NOWHERE]
    marks = dict(zip(slots, ENEMIES, strict=False))  # a letter for each enemy, in the order in which they were revealed
    lines = [*_map(state, marks), "", *_players(state, cards, marks)]
    for parts in (_enemies(state, cards, marks), _things(state, cards), _symbols(state), _table(state, cards)):
        lines += _packed(" " * (MARGIN - len(GAP)), parts) if parts else []
    return "\n".join(lines)


def _map(state: np.void, marks: dict[int, str]) -> list[str]:
    """Lines of the map from the farthest row to row 0, with a line between two rows for the paths that join them."""
    taken = [row_and_column(cell) for cell in range(CELLS) if _is_known(state, cell)]
    rows = range(max((row for row, _ in taken), default=0), min((row for row, _ in taken), default=0) - 1, -1)
    columns = range(min((column for _, column in taken), default=0), max((column for _, column in taken), default=0) + 1)
    lines = [" " * MARGIN + "".join(f"{column:^{CELL}}" for column in columns)]
    for row in rows:
        if row != rows[0]:
            pairs = ((_paths(state, (row + 1) * STRIDE + at), _paths(state, row * STRIDE + at)) for at in columns)
            # half a line if one side is a wall or unseen
            across = (CORRIDORS[opens(upper, SOUTH) << NORTH | opens(lower, NORTH) << SOUTH] for upper, lower in pairs)
            lines.append(" " * MARGIN + "".join(f" {path} " for path in across))
        cells = (_cell(state, row * STRIDE + column, marks) for column in columns)
        lines.append(f"{row:>{MARGIN - 2}}  " + "".join(cells))
    return [line.rstrip() for line in lines]


def _is_known(state: np.void, cell: int) -> bool:
    """Whether anything lies on a cell."""
    return bool(state["down"][cell] or state["tile"][cell] or state["on"][cell])


def _paths(state: np.void, cell: int) -> int:
    """Open sides of the face-up card on a cell."""
    return int(state["mask"][cell]) if _is_known(state, cell) and not state["down"][cell] else 0


def _cell(state: np.void, cell: int, marks: dict[int, str]) -> str:
    """Three characters: the path to the west, the symbol of the cell, the path to the east."""
    if state["down"][cell] != Down.NO:
        return FACE_DOWN
    if not _is_known(state, cell):
        return " " * CELL
    paths = _paths(state, cell)
    west, east = (CORRIDORS[opens(paths, side) << EAST | opens(paths, side) << WEST] for side in (WEST, EAST))
    return west + _middle(state, cell, marks) + east


def _middle(state: np.void, cell: int, marks: dict[int, str]) -> str:
    """Symbol of the most important thing on a cell: player, enemy, card, tile, or the paths of a bare floor."""
    on, tile = int(state["on"][cell]), int(state["tile"][cell])
    for seat in range(state["seats"]):
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
    """One or more lines for every player."""
    names = player_names(state, cards)
    width = max(map(len, names))
    lines = []
    for seat, name in enumerate(names):
        turn = "*" if seat == state["active"] and state["node"] != Node.OVER else " "
        lines += _packed(f"{turn} {seat + 1}  {name:<{width}}", _facts(state, cards, seat, marks))
    return lines


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters with two blanks between parts; further lines begin below the first part."""
    lines = [head]
    for part in parts:
        pieces = textwrap.wrap(part, WIDTH - len(head) - len(GAP))
        if len(lines[-1]) + len(GAP) + len(part) > WIDTH and lines != [head]:
            lines.append(" " * len(head))
        lines[-1] += GAP + pieces[0]
        lines += [" " * len(head) + GAP + piece for piece in pieces[1:]]
    return lines


def _facts(state: np.void, cards: CardSet, seat: int, marks: dict[int, str]) -> list[str]:
    """Facts about a player: health, points, gold, place, fights, statuses, cards."""
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
    lists = {"wears": worn(state, cards, seat), "holds": held(state, seat)}
    return parts + [f"{verb} {joined(counted(cards, own))}" for verb, own in lists.items() if own]


def _whereabouts(state: np.void, cards: CardSet, seat: int) -> str:
    cell = int(state["cell"][seat])
    if cell == NOWHERE:
        return "away" if state["away"][seat] else "dead"
    tile = int(state["tile"][cell])
    special = "" if tile in (Tile.NONE, Tile.FLOOR) else f" on {tile_with_article(cards, tile)}"
    return f"{_place(cell)}{special}"


def _statuses(state: np.void, seat: int) -> list[str]:
    """Poison, lost turns, the wait for the next spell, and the attack modifier from potions."""
    words = {
        "poison": f"poisoned for {some(int(state['poison'][seat]), 'turn')}",
        "antidote": "antidote",
        "skip": f"skips {some(int(state['skip'][seat]), 'turn')}",
        "cooldown": f"spell in {some(int(state['cooldown'][seat]), 'turn')}",
        "potion_mod": f"attack {state['potion_mod'][seat]:+}",
    }
    return [word for field, word in words.items() if state[field][seat]]


def _enemies(state: np.void, cards: CardSet, marks: dict[int, str]) -> list[str]:
    """Every enemy on the map with its letter and health."""
    parts = []
    for slot, mark in marks.items():
        kind = int(state["enemy_type"][slot])
        words = f"{mark} {card_name(cards, kind)} {state['enemy_health'][slot]}/{cards.record[0]['health'][kind]}"
        words += f" attack {state['enemy_mod'][slot]:+}" if state["enemy_mod"][slot] else ""
        words += " poisoned" if state["enemy_poison"][slot] else ""
        words += " paralysed" if state["enemy_paralysed"][slot] else ""
        parts.append(words)
    return parts


def _things(state: np.void, cards: CardSet) -> list[str]:
    """Face-up cards, cards of the dead, and traps, each kind with its cells."""
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
    """Legend of the tile symbols on the map."""
    tiles = {int(tile) for tile in state["tile"]}
    parts = [f"{sign} {tile.name.lower()}" for tile, sign in _TILES.items() if tile in tiles]
    return parts + ([f"{FACE_DOWN} face-down"] if (state["down"] != Down.NO).any() else [])


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The round, the end rush, the decks, and the known potions."""
    parts = [f"round {state['round']}"]
    parts += ["END RUSH"] if state["rush"] else []
    parts += [Ending(state["ending"]).name.lower().replace("_", " ")] if state["ending"] else []
    parts += [f"stack {state['stack']}", f"pathing deck {state['pathing_cards']}"]
    known = [colour for colour in range(cards.record[0]["colours"]) if state["effect"][colour]]
    return parts + [f"{potion_name(cards, colour)}: {effect_name(cards, int(state['effect'][colour]))}" for colour in known]
