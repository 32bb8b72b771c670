"""The compiled Arena with the interface of the plain model: positions, snapshots and dice are the same for both.

Where they record facts differently, the snapshot follows the model: the kernel counts the turn in which the last
opponent falls, its fall turns begin at 1, and at the turn cap it has begun the next turn already.
"""

from typing import Any, Self

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import current_player
from sim.engine.dice import FACES, SEATS_MAX
from sim.engine.loop import Status
from sim.engine.policies import Workspace
from sim.experiments.experiment import Experiment
from sim.games.arena.state import DRAGONLING, EMPTY, NOBODY, NOWHERE, Draw, Phase
from sim.registry import game_named
from tests.games.arena.model.board import Board, board_of
from tests.games.arena.model.model import Model
from tests.games.arena.model.table import FIRST_DRAGONLING, NO_SEAT
from tests.model import kernels
from tests.model.kernels import Keyed, LaidOut
from tests.model.lockstep import Bridge

GAME = game_named("arena")
BY_SEAT = ("marker", "protection", "slow", "rage", "place")


class Successes:
    """Dice as the model asks for them: hits and blocks among faces. faces: `LaidOut` or `Keyed`."""

    def __init__(self, rules: dict, faces: LaidOut | Keyed) -> None:
        self._rules, self._faces = rules, faces

    def hits(self, seat: int, n: int) -> int:
        """ARENA-40. Number of hits among n dice."""
        return sum(face > FACES - self._rules["hit_faces"] for face in self._faces.roll(seat, Draw.ATTACK, n))

    def blocks(self, owner: int, n: int) -> int:
        """ARENA-40. Number of blocks among n dice."""
        return sum(face > FACES - self._rules["block_faces"] for face in self._faces.roll(owner, Draw.DEFENCE, n))

    @property
    def used(self) -> Any:
        """Dice rolled."""
        return self._faces.used


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


class Kernels(kernels.Kernels):
    """A game of the Arena in the compiled kernels."""

    game = GAME

    def __init__(self, cards: CardSet, workspace: Workspace | None = None) -> None:
        super().__init__(cards, workspace)
        self.board = board_named(cards)

    def place(self, position: dict) -> Self:
        """Set up a position as `positions.py` makes it."""
        self.workspace.states[0] = state_of(self.cards, self.board, position)
        return self.listed()

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
        state["taken"][number >> 6] |= np.uint64(1 << (number & 63))
        state["standing"] |= np.uint64(1 << piece)
    for name in BY_SEAT:
        state[name][:seats] = position.get(name, [0] * seats)
    state["turn"], state["first"] = position.get("turn", 0), position.get("first", 0)
    state["active"] = active = position["active"]
    state["phase"] = Phase[position.get("phase", "ABILITY")]
    if state["phase"] == Phase.MOVE:
        state["protection"][active] = 0  # the turn has begun
    return state


def snapshot_of(state: np.void, cards: CardSet, board: Board) -> dict:
    """Snapshot of a STATE record, in the form of `model_snapshot`. Also checks that `occ` and `pos` agree."""
    seats = range(state["seats"])
    pos, owner, active = state["pos"].tolist(), state["owner"].tolist(), int(state["active"])
    where = {piece: board.land[place] for piece, place in enumerate(pos) if place >= 0}
    occ = state["occ"].tolist()
    assert {occ[place]: place for place in range(len(occ)) if occ[place] != EMPTY} == {
        piece: place for piece, place in enumerate(pos) if place >= 0
    }, "occ and pos differ"
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
    here = {piece for piece in facts["positions"] if piece < FIRST_DRAGONLING}
    if facts["phase"] == "OVER":
        here.discard(facts["active"])
    for name in ("protection", "slow"):
        facts[name] = [n if seat in here else 0 for seat, n in enumerate(facts[name])]
    return facts


def model_of(game: Kernels, experiment: Experiment) -> Model:
    """The model of a game that was just dealt in the kernels: the same first player and dealt starts."""
    model = Model(dict(experiment.cards.document), [game.cards.ids[entrant] for entrant in experiment.line_up])
    starts = None
    if model.rules["start_choice"] == "spread":
        places = game.snapshot()["positions"]
        starts = [model.board.starts.index(places[seat]) for seat in model.seats]
    model.deal(int(game.state["first"]), starts)
    return model


def row_of(model: Model) -> dict:
    """Fields of ROW at the end of a game."""
    return {
        "status": Status.TRUNCATED if model.truncated() else Status.FINISHED,
        "turns": model.turn + (not model.truncated()),
        "share": [1.0 if seat == model.winner() else 0.0 for seat in range(SEATS_MAX)],
        "first": model.first,
    }


def facts_of(model: Model) -> dict:
    """Facts that the model knows, by seat; `follow` compares them with OUTCOME."""
    falls = {fall.piece: fall for fall in model.falls if fall.piece < FIRST_DRAGONLING}
    return {
        "place": model.places(),
        "fall_turn": [falls[seat].turn + 1 if seat in falls else 0 for seat in model.seats],
        "fall_cause": [falls[seat].cause if seat in falls else 0 for seat in model.seats],
        "fall_by": [falls[seat].credit if seat in falls else NO_SEAT for seat in model.seats],
    }


BRIDGE = Bridge(
    kernels=Kernels,
    dealt=model_of,
    snapshot=model_snapshot,
    dice=lambda model, dice: Successes(model.rules, Keyed(dice, model.turn)),
    row=row_of,
    facts=facts_of,
)
