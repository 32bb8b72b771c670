"""The Arena drawn as text: flat-top hexes, a column for every q, half a line down for every step to the east."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.arena.labels import hero_names, hex_at, land, zone_name, zones
from sim.games.arena.state import EMPTY, Phase

CELL = 4  # characters of a column
LAND = "·"
TRACK = ("○", "●")  # energy spaces: before the marker, and the one it stands on


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: the board under its column numbers q, and a line for every hero with its (q, r).

    A hero is its initial and seat (B0), a dragonling the same of its owner in lower case (d1).
    `*` marks whose turn it is.
    """
    return "\n".join([*_board(state, cards), "", *_legend(state, cards)])


def _board(state: np.void, cards: CardSet) -> list[str]:
    """Rows by half steps: hex (q, r) stands in column q of row 2r + q; the columns are numbered above."""
    places = land(cards)
    columns = range(min(q for q, _ in places), max(q for q, _ in places) + 1)
    rows = range(min(2 * r + q for q, r in places), max(2 * r + q for q, r in places) + 1)
    cells = {(q, r): _cell(state, cards, place) for (q, r), place in places.items()}
    lines = ["".join(f"{q}".center(CELL) for q in columns)]
    for row in rows:
        line = [cells.get((q, (row - q) // 2), "") if (row - q) % 2 == 0 else "" for q in columns]
        lines.append("".join(cell.center(CELL) for cell in line))
    return [line.rstrip() for line in lines]


def _cell(state: np.void, cards: CardSet, place: int) -> str:
    piece = state["occ"][place]
    if piece == EMPTY:
        return LAND
    owner = int(state["owner"][piece])
    mark = _marks(state, cards)[owner]
    if piece != owner:
        return mark.lower()
    return f"{mark}*" if owner == state["active"] and state["phase"] != Phase.OVER else mark


def _marks(state: np.void, cards: CardSet) -> list[str]:
    """Initial and seat of every hero; H where the name begins with something that takes other room."""
    initials = [name[:1].upper() for name in hero_names(state, cards)]
    return [f"{i if i.isascii() and i.isalpha() else 'H'}{seat + 1}" for seat, i in enumerate(initials)]


def _legend(state: np.void, cards: CardSet) -> list[str]:
    names, marks = hero_names(state, cards), _marks(state, cards)
    width = max(map(len, names))
    lines = []
    for seat, (mark, name) in enumerate(zip(marks, names, strict=True)):
        turn = "*" if seat == state["active"] and state["phase"] != Phase.OVER else " "
        lines.append(f"{turn} {mark}  {name:<{width}}  {_standing(state, cards, seat)}".rstrip())
    return lines


def _standing(state: np.void, cards: CardSet, seat: int) -> str:
    """Where a hero is, its energy track, and what else its player needs to know."""
    if state["pos"][seat] < 0:
        return "not placed yet" if state["phase"] == Phase.START else f"out, place {state['place'][seat]}"
    hero, marker = int(state["hero"][seat]), int(state["marker"][seat])
    q, r = hex_at(cards, state["pos"][seat])
    words = [f"({q:>2},{r:>2})  {_track(zones(cards, hero), marker)} {zone_name(cards, hero, marker):<6}"]
    if state["rage"][seat]:
        words.append(f"{state['rage'][seat]} rage")
    if state["protection"][seat]:
        words.append(f"+{state['protection'][seat]} Defence")
    if state["slow"][seat]:
        words.append(f"slowed by {state['slow'][seat]}")
    return "  ".join(words)


def _track(spaces: list[int], marker: int) -> str:
    """The energy track, its three zones apart, the marker on its space."""
    zones_drawn, first = [], 0
    for count in spaces:
        zones_drawn.append("".join(TRACK[place == marker] for place in range(first, first + count)))
        first += count
    return "|".join(zones_drawn)
