"""What Card Rogue calls its players, cards, cells and directions in words: short, and never the same for two of them."""

import re
from functools import lru_cache

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.cardrogue.cards import effect_names, tile_ids, tile_names, trap_names, type_ids, type_names
from sim.games.cardrogue.codes import POTION, Slot, Tile
from sim.games.cardrogue.decisions import FLIP_CODE, GOLD_CODE, LEAP_STAY, OFFHAND_CODE, STAY_CODE, Act, Node, Spell
from sim.games.cardrogue.record import STRIDE, TILE_ENTRY
from sim.games.cardrogue.state import NOBODY, SEATS

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
    """Name of each seat's character; "seat n" before it has one, and behind a name that another seat has too."""
    seats = range(np.int64(state["seats"]))
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
    """Display name of every card type, with its id where it could mean gold or an off-hand weapon."""
    named = zip(type_names(cards), type_ids(cards), strict=True)
    return tuple(f"{name} ({word})" if _is_misleading(name) else name for name, word in named)


def _is_misleading(name: str) -> bool:
    return bool(_GOLD.fullmatch(plain(name))) or OFFHAND in plain(name)


def card_name(cards: CardSet, card: int) -> str:
    """Display name of one card type."""
    return card_names(cards)[card]


def potion_name(cards: CardSet, colour: int) -> str:
    """What a potion of a colour is called."""
    return card_name(cards, POTION + colour)


def effect_name(cards: CardSet, face: int) -> str:
    """What a potion does whose effect has that face; `unknown` for face 0."""
    return effect_names(cards)[face] if face else UNKNOWN


def card_or_gold(cards: CardSet, code: int) -> str:
    """One side of a trade: a card, or 64 + an amount of gold."""
    return f"{code - GOLD_CODE} gold" if code >= GOLD_CODE else card_name(cards, code)


def card_or_coin(cards: CardSet, code: int) -> str:
    """A card of the dead: a card, or 64 + the index of a denomination."""
    if code < GOLD_CODE:
        return card_name(cards, code)
    return f"{cards.record[0]['denomination'][code - GOLD_CODE]} gold"


def amount_of_gold(words: str) -> int | None:
    """How much gold "5 gold" is; None for words that mean something else."""
    found = _GOLD.fullmatch(plain(words))
    return int(found[1]) if found else None


def row_and_column(cell: int) -> tuple[int, int]:
    """Row and column of a cell."""
    return divmod(int(cell), STRIDE)


def cell_name(cell: int) -> str:
    """A cell in words."""
    row, column = row_and_column(cell)
    return f"row {row} column {column}"


def tile_name(cards: CardSet, tile: int) -> str:
    """What a face-up tile is: floor, start, shop, ..., or the name of a trap."""
    return trap_names(cards)[tile - Tile.TRAP] if tile >= Tile.TRAP else Tile(tile).name.lower()


def tile_with_article(cards: CardSet, tile: int) -> str:
    """What a face-up tile is, in a sentence: a shop, the chest, Trap of Spikes."""
    name = tile_name(cards, tile)
    if tile in (Tile.CHEST, Tile.LADDER):
        return f"the {name}"
    return name if tile >= Tile.TRAP else "a starting tile" if tile == Tile.START else f"a {name}"


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def joined(words: list[str]) -> str:
    """Words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def counted(cards: CardSet, counts: dict[int, int]) -> list[str]:
    """Card types with how many there are of each: `Key`, `2x blue potion`."""
    names = card_names(cards)
    return [names[card] if count == 1 else f"{count}x {names[card]}" for card, count in sorted(counts.items())]


def seats_of(order: np.ndarray) -> list[int]:
    """Seats of an enemy's order of entry."""
    return [int(seat) for seat in order[:SEATS] if seat != NOBODY]


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's character."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
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
    """Decisions that have words of their own."""
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
    """What a drawn card is: a card type, or 64 + the number of a tile; for a theft 64 + the index of a gold card.

    words: name or id of a card or tile, or as in "5 gold" (ROGUE-05, 69). Raises ValueError saying what would be right.
    """
    if (gold := amount_of_gold(words)) is not None:
        record = cards.record[0]
        denominations = [int(value) for value in record["denomination"][: record["denominations"]]]
        if gold not in denominations:
            raise ValueError(f"there is no such gold card; there are {', '.join(map(str, denominations))}")
        return GOLD_CODE + denominations.index(gold)
    known = {
        plain(word): TILE_ENTRY + tile for words_ in (tile_names, tile_ids) for tile, word in enumerate(words_(cards))
    }
    known |= {plain(word): card for words_ in (card_names, type_ids) for card, word in enumerate(words_(cards))}
    if plain(words) not in known:
        raise ValueError(f"is neither a card nor a tile; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]
