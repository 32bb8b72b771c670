"""A game of Card Rogue on a table laid out for a test: the position in words, the dice and draws given.

    game = table(a("warrior", (0, 12), health=5), map={"0,12": "S", "1,12": "?"})
    game.do("flip north", draws=["key", "spike"])
    assert game.player(0)["health"] == 3

Positions are those of scenario files (`sim.games.cardrogue.position`). A test fails if a decision is not open, or uses more or
fewer dice and draws than given. Below are positions that many tests begin with: `lone`, `around`, `hero`, `meeting`.
"""

from functools import cache
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet
from sim.engine.contract import offer, returns
from sim.engine.dice import NATURE_STREAM, SEATS_MAX
from sim.engine.policies import Workspace
from sim.games.cardrogue import GAME
from sim.games.cardrogue.record import STRIDE
from sim.games.cardrogue.state import Ending
from tests.games.cardrogue.documents import reference, with_layout
from tests.model import play

offer(GAME)
FORCED_MAX = 300  # decisions without a choice in a row
FOUR = "Pf"  # a plain tile with four paths
CROSS = {"5,12": FOUR, "6,12": FOUR, "5,13": FOUR, "4,12": FOUR, "5,11": FOUR}  # around row 5, column 12
MIDDLE = (5, 12)
NORTH, EAST, SOUTH, WEST = (6, 12), (5, 13), (4, 12), (5, 11)  # of the middle


class Play(play.Play):
    """One game, stepped by decisions in words."""

    game = GAME

    def __init__(self, cards: CardSet, workspace: Workspace) -> None:
        """Continue the game in the workspace."""
        self.cards, self.workspace = cards, workspace
        self._read_from = b""
        self._position: dict[str, Any] = {}
        self._script((), ())
        super().__init__(cards, workspace)

    def do(self, *decisions: str, dice: tuple[int, ...] | list[int] = (), draws: tuple[str, ...] | list[str] = ()) -> "Play":
        """Take decisions in words. dice, draws: all that they use.

        Decisions without a choice may be left out, and so may the category before what it leads to: "flip" before "flip north".
        """
        self._script(dice, draws)
        for words in decisions:
            self._take(words)
        self._check_script(decisions, len(dice), len(draws))
        return self

    def end_turn(self, dice: tuple[int, ...] | list[int] = (), draws: tuple[str, ...] | list[str] = ()) -> "Play":
        """Pass until the turn is over. What is rolled at the start of the next turn counts too."""
        self._script(dice, draws)
        turn = int(self.state["turn"])
        while self.state["turn"] == turn and not self.over:
            self._take("pass" if "pass" in self.options else "no second turn")
        self._check_script(("end of the turn",), len(dice), len(draws))
        return self

    def walk(self, way: str, **script: Any) -> "Play":
        """Pass until a move is open, and go that way."""
        turn = int(self.state["turn"])
        while "move" not in self.options and self.state["turn"] == turn:
            self.do("pass")
        return self.do(f"move {way}", **script)

    @property
    def position(self) -> dict[str, Any]:
        """The position in words. Reading it takes milliseconds, so it is kept until the state changes."""
        if self._read_from != self.state.tobytes():
            self._read_from, self._position = self.state.tobytes(), super().position
        return {**self._position}

    @property
    def codes(self) -> dict[str, int]:
        """Decisions open, in words, and their numbers."""
        return {**self._open}

    @property
    def ending(self) -> str:
        """How the game ended."""
        return Ending(self.state["ending"]).name.lower()

    @property
    def map(self) -> dict[str, str]:
        """Cell tokens by "row,column"."""
        return self.position["map"]

    @property
    def shares(self) -> list[float]:
        """Share of the win by seat."""
        out = np.full(SEATS_MAX, -1.0)
        returns(self.state, out)
        return out[: int(self.state["seats"])].tolist()

    def at(self, seat: int) -> tuple[int, int] | None:
        """Row and column of a player, None off the table."""
        cell = int(self.state["cell"][seat])
        return divmod(cell, STRIDE) if cell >= 0 else None

    def health(self, seat: int = 0) -> int:
        """Health of a player."""
        return int(self.state["health"][seat])

    def enemy(self, at: tuple[int, int]) -> dict[str, Any] | None:
        """The enemy on a cell in words, None if there is none."""
        return next((enemy for enemy in self.position["enemies"] if enemy["at"] == list(at)), None)

    def paths(self, at: tuple[int, int]) -> str:
        """Open sides of a cell: some of NESW."""
        mask = int(self.state["mask"][at[0] * STRIDE + at[1]])
        return "".join(side for bit, side in enumerate("NESW") if mask >> bit & 1)

    def _script(self, dice: tuple[int, ...] | list[int], draws: tuple[str, ...] | list[str]) -> None:
        """Hand faces and cards to the dice; without any a script that has run out."""
        record = self.workspace.dice[0]
        record["stream"] = [*range(SEATS_MAX), NATURE_STREAM]
        record["script"][: len(dice)] = dice
        record["scripted"], record["script_at"] = max(1, len(dice)), 0 if dice else 1
        record["draws"][: len(draws)] = [GAME.words.draw(words, self.cards) for words in draws]
        record["draws_scripted"], record["draws_at"] = max(1, len(draws)), 0 if draws else 1
        record["draw_refused"] = 0

    def _check_script(self, decisions: tuple[str, ...], dice: int, draws: int) -> None:
        record = self.workspace.dice[0]
        assert record["draw_refused"] == 0, f"{decisions}: draw {record['draw_refused']} is not left"
        assert int(record["script_at"]) == max(dice, 0 if dice else 1), f"{decisions}: {record['script_at']} of {dice} dice"
        assert int(record["draws_at"]) == max(draws, 0 if draws else 1), f"{decisions}: {record['draws_at']} of {draws} draws"

    def _take(self, words: str) -> None:
        for _ in range(FORCED_MAX):
            open_now = {plain(known): action for known, action in self._open.items()}
            if plain(words) in open_now:
                self._advance(open_now[plain(words)])
                return
            category = next((known for known in open_now if plain(words).startswith(f"{known} ")), None)
            assert category or len(open_now) == 1, f"{words} is not open: {self.options}"
            self._advance(open_now[category] if category else next(iter(open_now.values())))
        raise AssertionError(f"{words} did not come")


def a(character: str, at: tuple[int, int] | str = MIDDLE, **facts: Any) -> dict[str, Any]:
    """One player of a position. at: row and column, or "out", "away", "dead"; facts as in scenario files."""
    return {"character": character, "at": list(at) if isinstance(at, tuple) else at, **facts}


def an_enemy(enemy: str, at: tuple[int, int] = NORTH, **facts: Any) -> dict[str, Any]:
    """One enemy of a position; it lies on the tile that the map has there, if any."""
    return {"enemy": enemy, "at": list(at), **facts}


def table(*players: dict[str, Any], **position: Any) -> Play:
    """A position, by default seat 0 about to begin on the middle of a cross of five plain tiles.

    rules: {"switch": value} of the card file; changes: {"enemy.goblin.attack": 3, "decks.exploration.shop": 1}, by path;
    anything else as in scenario files.
    """
    rules, changes = position.pop("rules", {}), position.pop("changes", {})
    position.setdefault("map", CROSS)
    return placed(card_set(rules, changes), {"players": list(players), **position})


def placed(cards: CardSet, position: dict[str, Any]) -> Play:
    """A position in a new workspace."""
    return Play.placed(cards, position)


def dealt(seats: int, game: int = 0, cards: CardSet | None = None) -> Play:
    """A game just dealt, the characters 0, 1, ... of the file on the seats. game: which one, each has its own dice."""
    return Play.dealt(cards or card_set(), range(seats), game)


def layout(*rows: str, position: dict[str, Any] | None = None, character: str = "warrior", **rules: Any) -> Play:
    """A fixed layout about to be played alone, without goals. rows: the farthest first; rules: fill, potions, other rules."""
    rules.setdefault("goals", [])
    cards = GAME.from_document(with_layout(*rows, **rules))
    return placed(cards, {"players": [{"character": character}], **(position or {})})


def card_set(rules: dict[str, Any] | None = None, changes: dict[str, Any] | None = None) -> CardSet:
    """The reference cards, with some rules and fields at other values."""
    return _card_set(tuple(sorted((rules or {}).items(), key=str)), tuple((changes or {}).items()))


@cache
def _card_set(rules: tuple[tuple[str, Any], ...], changes: tuple[tuple[str, Any], ...]) -> CardSet:
    document: Any = reference(**{name: list(value) if isinstance(value, tuple) else value for name, value in rules})
    for field, value in changes:
        *way, last = field.split(".")
        place = document
        for key in way:
            place = next(line for line in place if line["id"] == key) if isinstance(place, list) else place[key]
        place[last] = value
    return GAME.from_document(document)


ASIDE = {"9,9": "S", "9,10": FOUR, "0,12": "S", "0,14": "S"}  # where others wait, and starting tiles to come back to
OTHER = a("bard", (9, 9))
FAR = (7, 12)  # north of the north
AROUND = (MIDDLE, (6, 13), FAR, (6, 11))  # south, east, north and west of the enemy that `around` has in the north
RING = {"5,12": FOUR, "6,13": FOUR, "7,12": FOUR, "6,11": FOUR}
BEHIND = {"4,12": FOUR, "6,14": FOUR, "8,12": FOUR, "6,10": FOUR}  # to flee to
STARTS = {"0,12": "S", "0,14": "S", "0,16": "S", "0,18": "S"}
OF_THE_POSITION = ("rules", "left", "enemies", "rush", "potions", "done")


def lone(*others: dict[str, Any], cells: dict[str, str], character: str = "warrior", **facts: Any) -> Play:
    """Seat 0 in the middle about to take a step of its turn, by default step 2; others wait far away.

    cells: what lies on the table besides; facts: of the player, or `step` and others of the position.
    """
    turn = {"step": facts.pop("step", "move")} | {key: facts.pop(key) for key in OF_THE_POSITION if key in facts}
    return table(a(character, **facts), *(others or (OTHER,)), map={"5,12": FOUR} | cells | ASIDE, **turn)


def around(*health: int, enemy: str = "kobold", **position: Any) -> Play:
    """One seat for each health, standing south, east, north and west of an enemy; a cell to flee to behind each."""
    characters = ("rogue", "cleric", "explorer", "mage")
    seats = [a(characters[seat], AROUND[seat], health=points) for seat, points in enumerate(health)]
    return table(*seats, map=RING | BEHIND | STARTS, **{"enemies": [an_enemy(enemy)]} | position)


AWAY = (9, 9)
GROUND = CROSS | {"9,9": "Pf", "0,12": "S"}
BARE = {cell: token for cell, token in GROUND.items() if cell not in ("6,12", "5,13")}  # enemies there lie on no tile
HALL = CROSS | {"7,12": "Pf", "6,11": "Pf", "6,13": "Pf"}  # with cells around the north
WAITING = a("cleric", AWAY, hand=["green"])
HERO_POSITION = ("rush", "map", "enemies", "step", "potions", "rules", "changes", "active", "left", "done")


def hero(character: str, *others: dict[str, Any], **facts: Any) -> Play:
    """A player in the middle who is about to begin or in combat. others: the other players, by default one far off.

    facts: of the player, or of the position (`map`, `enemies`, `rules`, ...), as in scenario files.
    """
    position = {key: facts.pop(key) for key in HERO_POSITION if key in facts}
    waiting = WAITING if character != "cleric" else WAITING | {"character": "mage"}
    return table(a(character, **facts), *(others or (waiting,)), **{"map": GROUND} | position)


def meeting(own: dict[str, Any] | None = None, other: dict[str, Any] | None = None, **position: Any) -> Play:
    """A warrior in the middle in step 3, a cleric to the north.

    own, other: facts of the two, which may be another `character` or elsewhere; `others` of the position: who else plays.
    """
    one, two = {"character": "warrior"} | (own or {}), {"character": "cleric", "at": NORTH} | (other or {})
    players = [a(one.pop("character"), **one), a(two.pop("character"), two.pop("at"), **two)]
    return table(*players, *position.pop("others", []), **{"step": "interact"} | position)


EFFECTS = ["healing", "poison", "strength", "weakness", "teleportation", "paralysis"]  # by face of the die


def drunk(effect: str, **facts: Any) -> Play:
    """A warrior in the middle has drunk a potion known to have an effect."""
    game = hero("warrior", hand=["red", "pink"], **{"potions": {"red": effect}} | facts)
    return game.do("drink red potion")


def thrown_at_player(effect: str, position: dict[str, Any] | None = None, **facts: Any) -> Play:
    """A warrior in the middle has thrown a potion at a mage to the north. facts: of the mage."""
    target = a("mage", NORTH, **{"hand": ["green"]} | facts)
    game = hero("warrior", target, hand=["red", "pink"], potions={"red": effect}, **position or {})
    return game.do("throw red potion", "throw north")


def thrown_at_enemy(effect: str, enemy: str = "troll", position: dict[str, Any] | None = None, **facts: Any) -> Play:
    """A rogue in combat has thrown a potion at the enemy to the north, of which are the facts."""
    place = {"map": BARE, "potions": {"red": effect}, "enemies": [an_enemy(enemy, **facts)]} | (position or {})
    game = hero("rogue", hand=["red", "pink"], resume="move", **place)
    return game.do("throw red potion", "throw north")
