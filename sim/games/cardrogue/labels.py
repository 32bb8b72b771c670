"""What Card Rogue calls its players, cards, cells and directions in words: short, and never the same for two of them."""

import re
from functools import lru_cache

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.cardrogue.codes import POTION, Slot, Tile
from sim.games.cardrogue.decisions import GOLD_CODE
from sim.games.cardrogue.names import effect_names, trap_names, type_ids, type_names
from sim.games.cardrogue.record import STRIDE
from sim.games.cardrogue.state import NOBODY, SEATS

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
