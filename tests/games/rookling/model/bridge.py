"""The compiled Rookling Heroes as the plain model sees it: one game in the kernels, described with the model's names.

The kernels run ahead of the model: they have drawn and thrown the coin by the time the model asks for it. So the model's
chance is read off the kernels' state; the cards drawn are noted after every step, as a hand may be gone by then.
"""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import current_player, is_over
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.scenario import NO_DECISION
from sim.games.rookling import GAME
from sim.games.rookling.cards import DrawMode
from sim.games.rookling.rules.attacks import bearer_of, is_open, is_used
from sim.games.rookling.state import Cause, Draw, Phase
from sim.run import bench_for
from tests.games.rookling.model.game import ORDERS
from tests.games.rookling.model.table import POSITIONS, SEATS

OF_A_DRAFT = ("rook", "drafter", "phase", "cursor", "seat")  # nothing else lies on the table yet
OF_A_CLASH = {"open": is_open, "used": is_used, "hit": bearer_of}
OF_THE_POISON = ("att", "dfn", "defending")  # the kernels lay the packets of E1b there, and the attacker moves
AT_THE_END = ("turn", "phase", "defending", "seat", "cursor", "focus", "poison", *OF_A_CLASH)  # kept differently
AT_THE_CAP = ("attacker", *AT_THE_END)  # the kernels have begun another exchange


class Kernels:
    """One game in the kernels."""

    def __init__(self, cards: CardSet, squads: Sequence[int], number: int) -> None:
        """Deal a game. squads: entrants by seat; number: of the game, it fixes all chance."""
        self.cards, self.workspace = cards, bench_for(GAME)
        self.drawn: list[deque[int]] = [deque() for _ in SEATS]  # cards by seat that the model has not asked for yet
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = len(SEATS), number, number
        plan["stream"], plan["entrant"][: len(SEATS)] = np.arange(SEATS_MAX), squads
        before = self._snapshot()
        set_table(self.workspace, cards.record[0], plan)
        for seat in SEATS:
            self.drawn[seat] += self._drawn_since(before, seat)
        self.apply(NO_DECISION)

    @property
    def state(self) -> np.void:
        """The STATE record."""
        return self.workspace.states[0]

    def options(self) -> list[int]:
        """Codes open now; none when the game is over."""
        return [] if is_over(self.state) else self.workspace.options[: self._count].tolist()

    def apply(self, code: int) -> None:
        """Carry out one decision, and all that follow with only one option."""
        self._step(code)
        while self._count == 1:
            self._step(int(self.workspace.options[0]))

    def _step(self, code: int) -> None:
        """Advance once and note the cards drawn.

        With `new_hand` a card that an effect draws may be discarded within the step. Then the step is taken once more under
        `up_to`, which differs only after that draw: there the card stays in the hand.
        """
        before = self._snapshot()
        self._count = int(advance(self.workspace, self.cards.record, code))
        seen = [self._drawn_since(before, seat) for seat in SEATS]
        drawn = self.state["cards_drawn"] - before[0]["cards_drawn"][0]
        missed = [int(drawn[seat]) - len(seen[seat]) for seat in SEATS]
        if any(missed):
            after = self._snapshot()
            keeping = self.cards.record.copy()
            keeping["draw_mode"] = DrawMode.UP_TO
            self._put_back(before)
            advance(self.workspace, keeping, code)
            seen = [self._drawn_since(before, seat)[: missed[seat]] + seen[seat] for seat in SEATS]
            self._put_back(after)
        for seat in SEATS:
            self.drawn[seat] += seen[seat]

    def _snapshot(self) -> tuple[np.ndarray, ...]:
        """State, dice and open options as they are now."""
        return self.workspace.states[:1].copy(), self.workspace.dice[:1].copy(), self.workspace.options.copy()

    def _put_back(self, snapshot: tuple[np.ndarray, ...]) -> None:
        self.workspace.states[:1], self.workspace.dice[:1], self.workspace.options[:] = snapshot

    def _drawn_since(self, before: tuple[np.ndarray, ...], seat: int) -> list[int]:
        """Cards of a hand that were drawn after a state, in that order."""
        count = self.state["hand_n"][seat]
        held = zip(self.state["drawn_at"][seat][:count].tolist(), self.state["hand"][seat][:count].tolist(), strict=True)
        return [kind for drawn_at, kind in sorted(held) if drawn_at > before[0]["draws"][0]]

    def lot(self, draw: Draw, seat: int) -> int:
        """The chance event that the model asks for now."""
        if draw == Draw.CARD:
            return self.drawn[seat].popleft()
        if draw == Draw.OPENING_ROW:
            return ORDERS.index(tuple(self.state["at"][seat].tolist()))
        return int(self.state["first" if draw == Draw.ATTACKER else "drafter"])

    def value_of(self, name: str) -> Any:
        """The value of this name in `model_state`."""
        state = self.state
        if name == "seat":
            return int(current_player(state))
        if name in OF_A_CLASH:
            return [int(OF_A_CLASH[name](state["clash"], position)) for position in POSITIONS]
        values = state[name].tolist()
        if name == "deck":
            return sorted(values[: state["deck_n"]])
        if name == "hand":
            return [cards[:count] for cards, count in zip(values, state["hand_n"], strict=True)]
        if name == "zone":
            return [[values[seat][at][: state["zone_n"][seat, at]] for at in POSITIONS] for seat in SEATS]
        return values


def differing(game: Kernels, expected: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Where kernels and model differ: kernels' and model's value by name. expected: `model_state` of the model."""
    names = set(expected)
    if expected["phase"] == Phase.DRAFT:
        names = set(OF_A_DRAFT)
    elif expected["phase"] == Phase.OVER:
        names -= set(AT_THE_END) if expected["winner"] >= 0 else set(AT_THE_CAP)
    elif expected["turn"] == 0 and expected["phase"] == Phase.ROW:
        names -= {"defending"}  # the first defender arranges as such in the kernels
    if expected["poison"] or expected["last_blow"] == Cause.POISON:
        names -= set(OF_THE_POISON)
    seen = {name: game.value_of(name) for name in sorted(names) if expected[name] is not None}
    return {name: (value, expected[name]) for name, value in seen.items() if value != expected[name]}


def two_squads(rng: Random, cards: CardSet) -> list[int]:
    """Two squads; with one set of cards they share no Rookling."""
    while True:
        squads = [rng.randrange(len(cards.ids)) for _ in SEATS]
        members = [{*cards.ids[squad].split("+")} for squad in squads]
        if cards.switches["mirror"] or not members[0] & members[1]:
            return squads
