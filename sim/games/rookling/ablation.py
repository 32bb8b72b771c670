"""What can be switched off: optional steps of the rules, field effects, and every line of every Rookling."""

from enum import IntEnum
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import address
from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import LINES, Kind
from sim.games.rookling.rules.attacks import HOLD
from sim.games.rookling.rules.energy import STOP, rook_at
from sim.games.rookling.setup import ROW_ORDERS
from sim.games.rookling.state import FIELD, HAND_MAX, NOWHERE, POSITIONS, Phase, mover


class Step(IntEnum):
    """Optional steps of the rules: the first things that can be switched off."""

    CLEAR = 0  # discarding a card to clear a token
    REARRANGE = 1  # changing the row
    HOLD_BLOCK = 2  # letting a packet through that could be blocked


STEPS = len(Step)


def write_things(row: np.void) -> None:
    """Number the lines of a written card record, in printed order after the steps and the field effects."""
    number = STEPS + np.count_nonzero(row["effect_number"])
    for rook in range(int(row["rooklings"])):
        for line in np.flatnonzero(row["kind"][rook]):
            row["thing"][rook, line] = number
            number += 1


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """Names of what can be forbidden, e.g. `rule.clear`, `field_effect.dusk` or `rookling.rime.ice_wall`; see `ablation_of`."""
    document = cards.document
    effects = [address(document, ("field_effect", at)) for at in range(len(document.get("field_effect", [])))]
    lines = [
        line_name(document, rook, line) for rook, card in enumerate(document["rookling"]) for line in range(len(card["line"]))
    ]
    return (*(f"rule.{step.name.lower()}" for step in Step), *effects, *lines)


def line_name(document: Any, rook: int, line: int) -> str:
    """Name of a line with its Rookling: its path without the name of the list."""
    card = address(document, ("rookling", rook))
    path = address(document, ("rookling", rook, "line", line))
    return card + path.removeprefix(f"{card}.line")


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int | np.int64:
    """The entry of `ablatable` that a decision uses, or NOTHING."""
    phase = state["phase"]
    if phase == Phase.ASSIGN:
        return effect_placed(state, action)
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return line_declared(state, cards, action)
    if phase == Phase.ACTIVATE and action:
        rook = rook_at(state, mover(state), state["focus"])
        return cards["thing"][rook, state["cursor"]]
    if phase == Phase.CLEAR and action != STOP:
        return np.int64(Step.CLEAR)
    if phase == Phase.BLOCK and action == HOLD:
        return np.int64(Step.HOLD_BLOCK)
    if phase == Phase.ROW and not keeps_row(state, action):
        return np.int64(Step.REARRANGE)
    return NOTHING


@kernel
def effect_placed(state: Record, option: int) -> int:
    """The field effect that an option of ASSIGN places, or NOTHING."""
    if option == STOP:
        return NOTHING
    kind = state["hand"][mover(state), (option - 1) % HAND_MAX]
    return STEPS + state["effect"][kind - FIELD] if kind >= FIELD else NOTHING


@kernel
def line_declared(state: Record, cards: Record, place: int) -> int:
    """The line that an option of ATTACK or DEFEND uses, or NOTHING."""
    kind = Kind.DEFENCE if state["defending"] else Kind.ATTACK
    rook = rook_at(state, mover(state), state["cursor"])
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and cards["place"][rook, line] == place:
            return cards["thing"][rook, line]
    return NOTHING


@kernel
def keeps_row(state: Record, order: int) -> bool:
    """Whether an option of ROW changes nothing. The first row does not count as a change, as it has to be chosen."""
    seat = mover(state)
    for position in range(POSITIONS):
        stands = np.int64(state["at"][seat, position])
        if stands not in (NOWHERE, np.int64(ROW_ORDERS[order, position])):
            return False
    return True
