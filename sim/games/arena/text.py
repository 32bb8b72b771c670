"""The words of the game: names, decisions, and the picture of a position."""

import re

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet
from sim.games.arena.state import EMPTY, NO_TARGET, NOBODY, PASS, SEATS, STOP_SUMMON, TARGET_CODES, Phase, Zone

DIRECTIONS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
ON = " on "  # between the names of an ability and its target
_MARKED = re.compile(r"\((seat|ability) ")  # in names that were made unique; a name that has it from the card is made unique too
_DRAGONLING = "dragonling"


def hero_names(state: np.void, cards: CardSet) -> list[str]:
    """Name of each seat's hero, with its seat where the name alone is ambiguous."""
    names = [cards.names[hero] if hero != NOBODY else "" for hero in state["hero"][: state["seats"]]]
    return made_unique(names, "seat", first=1)


def made_unique(names: list[str], what: str, first: int = 0) -> list[str]:
    """Make names unique: one that occurs twice or looks like another word of the game gets `what` and its number."""
    words = [plain(name) for name in names]
    reserved = (_DRAGONLING, "pass")
    marked = []
    for index, (name, word) in enumerate(zip(names, words, strict=True), first):
        strange = not word or word.startswith(reserved) or ON.strip() in word.split() or _MARKED.search(word)
        marked.append(f"{name} ({what} {index})" if strange or words.count(word) > 1 else name)
    return marked


def ability_names(cards: CardSet, hero: int) -> list[str]:
    """Name of each ability of a hero's card."""
    return made_unique([ability["name"] for ability in cards.document["hero"][hero]["ability"]], "ability")


def piece_name(state: np.void, cards: CardSet, piece: int) -> str:
    """Name of a piece: a hero's name, or a dragonling with its number 4..15."""
    return hero_names(state, cards)[piece] if piece < SEATS else f"{_DRAGONLING} {piece}"


def piece_names(state: np.void, cards: CardSet) -> dict[int, str]:
    """Name of every piece on the board, by piece."""
    return {piece: piece_name(state, cards, piece) for piece in range(len(state["pos"])) if state["pos"][piece] >= 0}


def hex_name(cards: CardSet, place: int) -> str:
    """Name of a land hex: its coordinates."""
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
    """ARENA-44. Name of the zone that an energy marker is in."""
    green, yellow, _ = zones(cards, hero)
    return Zone((marker >= green) + (marker >= green + yellow)).name.lower()


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's hero."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among the options in `state`."""
    match Phase(state["phase"]):
        case Phase.START:
            words = f"start {hex_name(cards, cards.record[0]['start_hex'][action])}"
        case Phase.ABILITY:
            words = _ability(state, cards, action)
        case Phase.RAGE:
            words = f"pay {action} rage"
        case Phase.SUMMON:
            words = "stop" if action == STOP_SUMMON else f"dragonling at {hex_name(cards, action)}"
        case Phase.STEP:
            words = f"{_pushing(state, cards)} {DIRECTIONS[action]}"
        case phase:
            verb = "step to" if phase == Phase.PRE_MOVE else "move to"
            stays = action == state["pos"][state["active"]]
            words = "stay" if stays else f"{verb} {hex_name(cards, action)}"
    return words


def _ability(state: np.void, cards: CardSet, action: int) -> str:
    if action == PASS:
        return "pass"
    ability, target = divmod(action - 1, TARGET_CODES)
    name = ability_names(cards, state["hero"][state["active"]])[ability]
    return name if target == NO_TARGET else f"{name}{ON}{piece_name(state, cards, target)}"


def _pushing(state: np.void, cards: CardSet) -> str:
    pulled = cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]
    return "pull" if pulled else "push"


CELL = 4  # characters of a column
LAND = "·"
TRACK = ("○", "●")  # energy spaces: before the marker, and the one it stands on


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: the board below its column numbers q, and a line for every hero.

    A hero is shown as its initial and seat (B1), a dragonling as those of its owner in lower case (d2). `*` marks the active
    hero.
    """
    return "\n".join([*_board(state, cards), "", *_legend(state, cards)])


def _board(state: np.void, cards: CardSet) -> list[str]:
    """Lines of the board, half a hex high: hex (q, r) is in column q of line 2r + q. The columns are numbered above."""
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
    """Initial and seat of every hero; H instead of an initial that is no ASCII letter."""
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
    """Where a hero is, its energy track, rage, protection and slow."""
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
    """The energy track: spaces of the three zones, with the marker."""
    zones_drawn, first = [], 0
    for count in spaces:
        zones_drawn.append("".join(TRACK[place == marker] for place in range(first, first + count)))
        first += count
    return "|".join(zones_drawn)
