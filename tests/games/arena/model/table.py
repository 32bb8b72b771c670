"""The table of the Arena model: cards, pieces, markers, tokens, the record of falls.

Plain dictionaries and lists, read straight from a card file as `tomllib` returns it. Pieces 0..3 are the heroes by
seat, 4..15 dragonlings.
"""

from collections.abc import Generator
from typing import NamedTuple

from tests.games.arena.model.board import Hex, board_of, distance

DEFAULT_RULES = {
    "tokens": 12,
    "dice": 12,
    "dragonling_defence": 0,
    "turn_cap": 400,
    "hit_faces": 3,
    "block_faces": 3,
    "knockback_trigger": "net_hit",
    "knockback_plus_damage": False,
    "board": "standard",
    "offline_path": "each_step",
    "offline_chooser": "defender",
    "pass_ability": "allowed",
    "start_choice": "choose",
}

FIRST_DRAGONLING = 4
LAST_DRAGONLING = 15
NO_SEAT = -1

# ARENA-85
KNOCKBACK, COLLISION, PULL, RETALIATION = 1, 2, 3, 4


class Decision(NamedTuple):
    """A decision of one seat: its name, the seat, the sorted codes."""

    phase: str
    seat: int
    options: list[int]


class Fall(NamedTuple):
    """ARENA-85. turn: turns completed before the one in which the piece fell; credit: a seat."""

    piece: int
    turn: int
    cause: int
    credit: int


Asking = Generator[Decision, int, int]  # yields decisions, is sent their codes, returns the last one
Flow = Generator[Decision, int, None]


def ask(phase: str, seat: int, options: list[int]) -> Asking:
    """Ask a seat for a decision and return the code it chooses."""
    return (yield Decision(phase, seat, sorted(options)))


def effect(ability: dict, op: str, when: str | None = None) -> dict | None:
    """The effect of this name on an ability, or None; `when` distinguishes the three kinds of `rage_gain`."""
    for entry in ability.get("effects", []):
        if entry["op"] == op and when in (None, entry.get("when")):
            return entry
    return None


def passive(hero: dict, op: str, when: str | None = None) -> dict | None:
    """ARENA-16. The effect of this name on any passive of a hero, or None."""
    for ability in hero["ability"]:
        found = effect(ability, op, when) if ability["kind"] == "passive" else None
        if found:
            return found
    return None


def entry_of(entries: list[dict], name: str, what: str) -> dict:
    """The table with `id = name`; raises ValueError when there is none."""
    for entry in entries:
        if entry["id"] == name:
            return entry
    raise ValueError(f"{what} {name!r} is not in the document, which has {[entry['id'] for entry in entries]}")


class Table:
    """State of one game and the small questions that rules ask about it."""

    def __init__(self, document: dict, heroes: list[str], board: str | None = None) -> None:
        self.rules = DEFAULT_RULES | document.get("rules", {})
        self.board = board_of(entry_of(document["board"], board or self.rules["board"], "board"))
        self.cards = [entry_of(document["hero"], name, "hero") for name in heroes]
        self.seats = range(len(heroes))
        self.positions: dict[int, Hex] = {}
        self.owner: dict[int, int] = {seat: seat for seat in self.seats}
        self.marker = [0 for _ in self.seats]
        self.protection = [0 for _ in self.seats]
        self.slow = [0 for _ in self.seats]
        self.rage = [0 for _ in self.seats]
        self.place = [0 for _ in self.seats]
        self.falls: list[Fall] = []
        self.turn = 0
        self.first = 0
        self.active = 0
        self.finished = False
        self.pending: dict = {}
        self.dice = None

    # who and what is where

    def in_play(self) -> list[int]:
        """Seats whose hero stands on the board."""
        return [seat for seat in self.seats if seat in self.positions]

    def taken(self) -> set[Hex]:
        """Hexes with a piece."""
        return set(self.positions.values())

    def piece_on(self, place: Hex) -> int | None:
        """The piece on a hex, or None."""
        for piece, where in self.positions.items():
            if where == place:
                return piece
        return None

    def dragonlings(self, seat: int) -> list[int]:
        """A seat's dragonlings on the board, by number."""
        return sorted(p for p in self.positions if p >= FIRST_DRAGONLING and self.owner[p] == seat)

    def adjacent(self, one: int, other: int) -> bool:
        """Whether two pieces on the board are next to each other."""
        return distance(self.positions[one], self.positions[other]) == 1

    # cards and tokens

    def pool(self) -> int:
        """ARENA-03. Tokens neither on a card nor on the board."""
        out = [piece for piece in self.positions if piece >= FIRST_DRAGONLING]
        return self.rules["tokens"] - sum(self.rage) - len(out)

    def gain_rage(self, seat: int, n: int) -> None:
        """ARENA-75. Take tokens as far as card and pool allow."""
        room = self.cards[seat].get("rage_cap", 0) - self.rage[seat]
        self.rage[seat] += max(0, min(n, room, self.pool()))

    def zone(self, piece: int) -> int:
        """ARENA-44. 0 green, 1 yellow, 2 red; a dragonling counts as green."""
        if piece >= FIRST_DRAGONLING:
            return 0
        green, yellow, _ = self.cards[piece]["energy"]
        marker = self.marker[piece]
        if marker < green:
            return 0
        return 1 if marker < green + yellow else 2

    def mode(self, seat: int) -> str:
        """ARENA-22, 23. How a hero moves by choice."""
        found = passive(self.cards[seat], "move_mode")
        return found["mode"] if found else "walk"

    def destinations(self, seat: int, most: int) -> dict[Hex, int]:
        """Hexes that a hero may go to by choice, with the fewest steps; its own hex at 0."""
        return self.board.steps_from(self.positions[seat], most, self.mode(seat), self.taken())

    def hex_codes(self, places: list[Hex]) -> list[int]:
        """Decision codes (hex ids) of hexes."""
        return [self.board.number[place] for place in places]

    def fall(self, piece: int, cause: int, credit: int) -> None:
        """ARENA-62, 64, 85. Off the board at once; a dragonling's token is then in the pool, as pool() counts."""
        del self.positions[piece]
        self.falls.append(Fall(piece, self.turn, cause, credit))
