"""What the Arena calls its heroes, abilities, pieces and hexes in words: short, and never the same for two of them."""

import re

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import plain
from sim.games.arena.state import NOBODY, SEATS, Zone

DIRECTIONS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
ON = " on "  # between an ability and its target
_MARKED = re.compile(r"\((seat|ability) ")  # what tells two of a name apart; a name that holds it is told apart too
_DRAGONLING = "dragonling"


def hero_names(state: np.void, cards: CardSet) -> list[str]:
    """Display name of each seat's hero; with its seat where the name alone could mean something else."""
    names = [cards.names[hero] if hero != NOBODY else "" for hero in state["hero"][: state["seats"]]]
    return told_apart(names, "seat", first=1)


def told_apart(names: list[str], what: str, first: int = 0) -> list[str]:
    """Names, with `what` and their number, from `first` on, where they are not unique or look like other words of the game."""
    words = [plain(name) for name in names]
    reserved = (_DRAGONLING, "pass")
    marked = []
    for index, (name, word) in enumerate(zip(names, words, strict=True), first):
        strange = not word or word.startswith(reserved) or ON.strip() in word.split() or _MARKED.search(word)
        marked.append(f"{name} ({what} {index})" if strange or words.count(word) > 1 else name)
    return marked


def ability_names(cards: CardSet, hero: int) -> list[str]:
    """Name of each ability of a hero's card."""
    return told_apart([ability["name"] for ability in cards.document["hero"][hero]["ability"]], "ability")


def piece_name(state: np.void, cards: CardSet, piece: int) -> str:
    """What a piece is called: a hero by its name, a dragonling by its number 4..15."""
    return hero_names(state, cards)[piece] if piece < SEATS else f"{_DRAGONLING} {piece}"


def piece_names(state: np.void, cards: CardSet) -> dict[int, str]:
    """What every piece on the board is called."""
    return {piece: piece_name(state, cards, piece) for piece in range(len(state["pos"])) if state["pos"][piece] >= 0}


def hex_name(cards: CardSet, place: int) -> str:
    """Coordinates of a land hex."""
    q, r = hex_at(cards, place)
    return f"({q},{r})"


def hex_at(cards: CardSet, place: int) -> tuple[int, int]:
    """Axial coordinates of a land hex."""
    record = cards.record[0]
    return int(record["q"][place]), int(record["r"][place])


def land(cards: CardSet) -> dict[tuple[int, int], int]:
    """Hex id of every land hex, by axial coordinates."""
    return {hex_at(cards, place): place for place in range(cards.record[0]["hexes"])}


def zones(cards: CardSet, hero: int) -> list[int]:
    """Spaces of a hero's green, yellow and red zone."""
    return [int(spaces) for spaces in cards.record[0]["energy"][hero]]


def zone_name(cards: CardSet, hero: int, marker: int) -> str:
    """ARENA-44 in words: the zone that an energy marker is in."""
    green, yellow, _ = zones(cards, hero)
    return Zone((marker >= green) + (marker >= green + yellow)).name.lower()


def some(count: int, what: str) -> str:
    """Put a number before a word, which gets its plural: `1 hit`, `2 hits`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
