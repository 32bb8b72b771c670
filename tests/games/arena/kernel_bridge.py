"""The compiled Arena with the interface of the plain model: positions, snapshots and dice are the same for both.

Where they record facts differently, the snapshot follows the model: the kernel counts the turn in which the last
opponent falls, its fall turns begin at 1, and at the turn cap it has begun the next turn already.
"""

from collections.abc import Sequence

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import current_player
from sim.engine.dice import DICE, FACES, SEATS_MAX, roll
from sim.engine.loop import advance
from sim.engine.policies import Workspace
from sim.games.arena.state import DRAGONLING, EMPTY, NOBODY, NOWHERE, Draw, Phase
from sim.registry import game_named
from sim.run import bench_for
from tests.games.arena.invariants import returns
from tests.games.arena.model.board import Board, board_of
from tests.games.arena.model.model import Model
from tests.games.arena.model.table import FIRST_DRAGONLING, NO_SEAT

GAME = game_named("arena")
BY_SEAT = ("marker", "protection", "slow", "rage", "place")


class Faces:
    """Dice that show given faces one after the other, as the model asks for them. used: number of faces shown."""

    def __init__(self, rules: dict, faces: Sequence[int]) -> None:
        self._rules, self._faces = rules, faces
        self.used = 0

    def hits(self, _seat: int, n: int) -> int:
        """ARENA-40. Number of hits among n dice."""
        return self._count(n, self._rules["hit_faces"])

    def blocks(self, _owner: int, n: int) -> int:
        """ARENA-40. Number of blocks among n dice."""
        return self._count(n, self._rules["block_faces"])

    def _count(self, n: int, good: int) -> int:
        read = self._faces[self.used : self.used + n]
        self.used += n
        return sum(face > FACES - good for face in read)


class KeyedFaces:
    """The dice that a game in the kernels is about to roll, for the model: keyed by turn, seat and purpose."""

    def __init__(self, rules: dict, dice: np.void, turn: int) -> None:
        self._rules = rules
        self._dice = np.array(dice, DICE).reshape(1)[0]
        if self._dice["turn"] != turn:
            self._dice["turn"], self._dice["block"], self._dice["used"] = turn, 0, 0

    def hits(self, seat: int, n: int) -> int:
        """ARENA-40. Number of hits among n dice."""
        return self._count(seat, Draw.ATTACK, n, self._rules["hit_faces"])

    def blocks(self, owner: int, n: int) -> int:
        """ARENA-40. Number of blocks among n dice."""
        return self._count(owner, Draw.DEFENCE, n, self._rules["block_faces"])

    @property
    def used(self) -> np.ndarray:
        """Number of draws in this turn, by seat and purpose."""
        return self._dice["used"]

    def _count(self, seat: int, purpose: int, n: int, good: int) -> int:
        return sum(roll(self._dice, seat, purpose, FACES) > FACES - good for _ in range(n))


def sourced(document: dict) -> dict:
    """A made-up card file with the provenance that the loader asks for."""
    everywhere = {"source": "assumed"}
    return document | {
        "rules": everywhere | document["rules"],
        "board": [everywhere | board for board in document["board"]],
        "hero": [everywhere | hero for hero in document["hero"]],
    }


def card_set(document: dict, board: str | None = None) -> CardSet:
    """The compiled cards of a document, played on one of its boards (None: the one named by its rules)."""
    rules = document["rules"] | ({"board": board} if board else {})
    return GAME.from_document(sourced(document | {"rules": rules}))


class Kernels:
    """A game in the compiled kernels, with the methods of the model: options, apply, snapshot."""

    def __init__(self, cards: CardSet, workspace: Workspace | None = None) -> None:
        """workspace: used and overwritten; None: a new one."""
        self.cards = cards
        self.workspace = workspace or bench_for(GAME)
        self.board = board_named(cards)
        self._count = 0

    @property
    def state(self) -> np.void:
        """The STATE record."""
        return self.workspace.states[0]

    @property
    def dice(self) -> np.void:
        """The DICE record that the game rolls."""
        return self.workspace.dice[0]

    def place(self, position: dict) -> "Kernels":
        """Set up a position as `positions.py` makes it."""
        self.workspace.states[0] = state_of(self.cards, self.board, position)
        return self.listed()

    def listed(self) -> "Kernels":
        """List the options of the current state."""
        self._count = int(advance(self.workspace, self.cards.record, -1))
        return self

    def options(self) -> list[int]:
        """Codes of the options, ascending; none if the game is over or truncated."""
        truncated = self.state["turn"] >= self.cards.record[0]["turn_cap"]
        return [] if truncated else sorted(self.workspace.options[: self._count].tolist())

    def apply(self, code: int) -> None:
        """Carry out one decision with the dice laid out, or real ones."""
        self._count = int(advance(self.workspace, self.cards.record, code))

    def script(self, faces: Sequence[int]) -> None:
        """Lay out the faces that the next dice show; none: real dice."""
        dice = self.dice
        dice["scripted"], dice["script_at"] = len(faces), 0
        dice["script"][: len(faces)] = faces

    def snapshot(self) -> dict:
        """The snapshot, in the form of `model_snapshot`."""
        return snapshot_of(self.state, self.cards, self.board)


def board_named(cards: CardSet) -> Board:
    """The model's board of a card set."""
    wanted = cards.switches["board"]
    return board_of(next(board for board in cards.document["board"] if board["id"] == wanted))


def state_of(cards: CardSet, board: Board, position: dict) -> np.void:
    """A model position as a STATE record."""
    seats = len(position["heroes"])
    state = np.zeros(1, GAME.state)[0]
    for field, empty in (("pos", NOWHERE), ("occ", EMPTY), ("owner", NOBODY), ("hero", NOBODY), ("fall_by", NOBODY)):
        state[field][:] = empty
    state["fall_hex"][:] = NOWHERE
    state["seats"], state["round"] = seats, 1
    state["hero"][:seats] = [cards.ids.index(hero) for hero in position["heroes"]]
    state["owner"][:seats] = range(seats)
    for piece, owner in position.get("owner", {}).items():
        state["owner"][piece] = owner
    for piece, place in position["positions"].items():
        number = board.number[place]
        state["pos"][piece], state["occ"][number] = number, piece
    for name in BY_SEAT:
        state[name][:seats] = position.get(name, [0] * seats)
    state["turn"], state["first"] = position.get("turn", 0), position.get("first", 0)
    state["active"] = active = position["active"]
    state["phase"] = Phase[position.get("phase", "ABILITY")]
    if state["phase"] == Phase.MOVE:
        state["protection"][active] = 0  # the turn has begun
    return state


def snapshot_of(state: np.void, cards: CardSet, board: Board) -> dict:
    """Snapshot of a STATE record, in the form of `model_snapshot`. Also checks that `occ` and `pos` agree (invariant 1)."""
    seats = range(state["seats"])
    pos, owner, active = state["pos"].tolist(), state["owner"].tolist(), int(state["active"])
    where = {piece: board.land[place] for piece, place in enumerate(pos) if place >= 0}
    occ = state["occ"].tolist()
    assert {occ[place]: place for place in range(len(occ)) if occ[place] != EMPTY} == {
        piece: place for piece, place in enumerate(pos) if place >= 0
    }, "1: occ and pos differ"
    turn, phase = int(state["turn"]), Phase(state["phase"])
    over = phase == Phase.OVER
    truncated = not over and turn >= cards.record[0]["turn_cap"]
    by_seat = {name: state[name].tolist()[: len(seats)] for name in BY_SEAT}
    turns, causes, thrower = (state[name].tolist() for name in ("fall_turn", "fall_cause", "fall_by"))
    falls = [(seat, turns[seat] - 1, causes[seat], thrower[seat]) for seat in seats if turns[seat]]
    last = {piece: (turns[piece] - 1, causes[piece], thrower[piece]) for piece in range(DRAGONLING, len(pos)) if turns[piece]}
    tokens = int(cards.record[0]["tokens"])
    facts = {
        "positions": where,
        "owner": {piece: owner[piece] for piece in where},
        **{name: by_seat[name] for name in ("marker", "protection", "slow", "rage")},
        "pool": tokens - sum(by_seat["rage"]) - sum(piece >= DRAGONLING for piece in where),
        "places": by_seat["place"],
        "falls": falls,
        "felled": state["dragonlings_felled"].tolist()[: len(seats)],
        "brood_falls": last,
        "turn": turn - over,
        "active": active,
        "phase": "OVER" if over or truncated else phase.name,
        "current_player": NO_SEAT if over or truncated else int(current_player(state)),
    }
    return _settled(facts)


def model_snapshot(model: Model) -> dict:
    """Snapshot of a model, with its falls split: heroes by turn; dragonlings by credited seat, and the last fall of each."""
    facts = model.snapshot()
    falls = facts["falls"]
    heroes = [fall for fall in falls if fall[0] < FIRST_DRAGONLING]
    by = [fall[3] for fall in falls if fall[0] >= FIRST_DRAGONLING]
    last = {piece: tuple(fall) for piece, *fall in falls if piece >= FIRST_DRAGONLING}
    return _settled(facts | {"falls": heroes, "felled": [by.count(seat) for seat in model.seats], "brood_falls": last})


def _settled(facts: dict) -> dict:
    """Sort the falls, and clear what only one of the two keeps: the numbers of fallen heroes, and of the last turn."""
    facts["falls"] = sorted(facts["falls"], key=lambda fall: (fall[1], fall[0]))
    here = set(returns(facts))
    if facts["phase"] == "OVER":
        here.discard(facts["active"])
    for name in ("protection", "slow"):
        facts[name] = [n if seat in here else 0 for seat, n in enumerate(facts[name])]
    return facts


def streams() -> np.ndarray:
    """Dice streams by seat, for `open_dice`."""
    return np.arange(SEATS_MAX, dtype=np.uint32)
