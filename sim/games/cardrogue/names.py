"""What Card Rogue calls its cards and tiles, by the numbers of the CARDS record."""

from collections import Counter
from collections.abc import Iterable

from sim.engine.cards import CardSet
from sim.engine.reading import plain

KEY_ID = "key"
CHEST = "chest"
SPECIAL_TILES = ("fountain", "shop", CHEST)


def types_in_order(colours: Iterable[str], *others: Iterable[str]) -> list[str]:
    """Words for all card types by number: the key, the potion colours, then artifacts, enemies and items."""
    return [KEY_ID, *colours, *(word for words in others for word in words)]


def tiles_in_order(shapes: Iterable[str], traps: Iterable[str]) -> list[str]:
    """Words for all tiles by number: shapes, special tiles, traps."""
    return [*shapes, *SPECIAL_TILES, *traps]


def type_ids(cards: CardSet) -> list[str]:
    """Id of every card type; a potion's is its colour."""
    return types_in_order(cards.document["potions"]["colours"], *_by_kind(cards, "id"))


def type_names(cards: CardSet) -> list[str]:
    """Display name of every card type; types of one name have their id behind it."""
    potions = [f"{colour.replace('_', ' ')} potion" for colour in cards.document["potions"]["colours"]]
    return _told_apart(types_in_order(potions, *_by_kind(cards, "name")), type_ids(cards))


def tile_ids(cards: CardSet) -> list[str]:
    """Id of every tile: the deck's entries of that name, after those of the card types."""
    shapes = [shape["id"] for shape in cards.document["shape"]]
    return tiles_in_order(shapes, [trap["id"] for trap in cards.document.get("trap", [])])


def tile_names(cards: CardSet) -> list[str]:
    """Display name of every tile; tiles of one name have their id behind it."""
    shapes = [shape["id"].replace("_", " ") for shape in cards.document["shape"]]
    return _told_apart(tiles_in_order(shapes, trap_names(cards)), tile_ids(cards))


def trap_names(cards: CardSet) -> list[str]:
    """Display name of every trap, by its number."""
    return [trap["name"] for trap in cards.document.get("trap", [])]


def effect_names(cards: CardSet) -> dict[int, str]:
    """Display name of what a potion can turn out to be, by face of the die."""
    return {effect["face"]: effect["id"].replace("_", " ") for effect in cards.document["potions"]["effect"]}


def _by_kind(cards: CardSet, key: str) -> list[list[str]]:
    return [[card[key] for card in cards.document.get(kind, [])] for kind in ("artifact", "enemy", "item")]


def _told_apart(names: list[str], ids: list[str]) -> list[str]:
    """Names, with the id behind those that another one has too."""
    counts = Counter(plain(name) for name in names)
    return [name if counts[plain(name)] == 1 else f"{name} ({word})" for name, word in zip(names, ids, strict=True)]
