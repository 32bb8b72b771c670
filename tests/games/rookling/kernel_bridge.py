"""The compiled Rookling Heroes as the plain model sees it: one game in the kernels, told under the model's names.

The kernels run ahead of the model: they have drawn and thrown the coin by the time the model asks for it. So the model's
chance is read off the kernels' state.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import is_over, to_act
from sim.engine.dice import SEATS_MAX
from sim.engine.table import PLAN, advance, set_table
from sim.games.rookling import GAME
from sim.games.rookling.clash import bearer_of, is_open, is_used
from sim.games.rookling.state import Draw, Phase
from sim.run import bench_for
from tests.games.rookling.model_exchange import ORDERS
from tests.games.rookling.model_table import POSITIONS, SEATS, Table

NO_DECISION = -1
OF_A_DRAFT = ("rook", "drafter", "phase", "cursor", "seat")  # nothing else lies on the table yet
OF_A_CLASH = {"open": is_open, "used": is_used, "hit": bearer_of}
AT_THE_END = ("turn", "phase", "defending", "seat", "cursor", "focus", "poison", *OF_A_CLASH)  # kept differently
AT_THE_CAP = ("attacker", *AT_THE_END)  # the kernels have begun another exchange


class Kernels:
    """One game in the kernels."""

    def __init__(self, cards: CardSet, squads: Sequence[int], number: int) -> None:
        """Deal a game. squads: entrants by seat; number: of the game, it fixes all chance."""
        self.cards, self.bench = cards, bench_for(GAME)
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = len(SEATS), number, number
        plan["stream"], plan["entrant"][: len(SEATS)] = np.arange(SEATS_MAX), squads
        set_table(self.bench, cards.record[0], plan)
        self.apply(NO_DECISION)

    @property
    def state(self) -> np.void:
        """The STATE record."""
        return self.bench.states[0]

    def options(self) -> list[int]:
        """Codes open now; none when the game is over."""
        return [] if is_over(self.state) else self.bench.options[: self._count].tolist()

    def apply(self, code: int) -> None:
        """Carry out one decision, and whatever follows that is none because only one option is open."""
        self._count = int(advance(self.bench, self.cards.record, code))
        while self._count == 1:
            self._count = int(advance(self.bench, self.cards.record, int(self.bench.options[0])))

    def lot(self, table: Table, draw: Draw, seat: int) -> int:
        """What chance has brought that the model asks for now."""
        state = self.state
        if draw == Draw.CARD:
            return int(state["hand"][seat, len(table.hands[seat])])
        if draw == Draw.OPENING_ROW:
            return ORDERS.index(tuple(state["at"][seat].tolist()))
        return int(state["first" if draw == Draw.ATTACKER else "drafter"])

    def snapshot(self) -> dict[str, Any]:
        """What `model_state` says of a model."""
        state = self.state
        told: dict[str, Any] = {name: state[name].tolist() for name in state.dtype.names if name != "clash"}
        told["deck"] = sorted(told["deck"][: state["deck_n"]])
        told["hand"] = [told["hand"][seat][: state["hand_n"][seat]] for seat in SEATS]
        told["zone"] = [
            [told["zone"][seat][position][: state["zone_n"][seat, position]] for position in POSITIONS] for seat in SEATS
        ]
        told["seat"] = int(to_act(state))
        return told | {
            name: [int(tell(state["clash"], position)) for position in POSITIONS] for name, tell in OF_A_CLASH.items()
        }


def differing(game: Kernels, told: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Where kernels and model differ: kernels' and model's value by name. told: `model_state` of the model."""
    names = set(told)
    if told["phase"] == Phase.DRAFT:
        names = set(OF_A_DRAFT)
    elif told["phase"] == Phase.OVER:
        names -= set(AT_THE_END) if told["winner"] >= 0 else set(AT_THE_CAP)
    elif told["turn"] == 0 and told["phase"] == Phase.ROW:
        names -= {"defending"}  # the first defender arranges as such in the kernels
    seen = game.snapshot()
    meant = [name for name in sorted(names) if told[name] is not None]
    return {name: (seen[name], told[name]) for name in meant if seen[name] != told[name]}
