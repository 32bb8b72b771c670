"""Cards, abilities and optional rules that can be switched off; see `Experiment.forbidden`."""

from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from sim.games.runeslingers.actions import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.cards import ACTIVATED, NO_ROW, NONE
from sim.games.runeslingers.state import Phase

FLOAT_LIGHT = "rule.float_light"


class Rule(IntEnum):
    """Optional rules, in the order in which `ablatable` names them."""

    INHERENT = 0  # RUNE-41
    ABILITY = 1  # RUNE-42
    SET = 2  # RUNE-39
    PASS = 3  # RUNE-37, to draw
    TAKE_BACK = 4  # RUNE-37
    BLOCK = 5  # RUNE-81


RULES = len(Rule)


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """Names of what can be switched off, in the order of `ablation_of`: rules, cards, then activated effects and charges.

    `rule.float_light` is among them where the rule variant of that name is on.
    """
    row, ids = cards.record[0], [card["id"] for card in cards.document["card"]]
    names = [f"rule.{rule.name.lower()}" for rule in Rule] + [f"card.{word}" for word in ids]
    names += [f"card.{word}.activated" for card, word in enumerate(ids) if row["thing_activated"][card] != NONE]
    names += [f"card.{word}.charge" for card, word in enumerate(ids) if row["thing_charged"][card] != NONE]
    return (*names, FLOAT_LIGHT) if row["float_light"] else tuple(names)


def write_usable(row: np.void) -> None:
    """Number the activated effects and charges of cards, after rules and cards."""
    count = int(row["cards"])
    number = RULES + count
    activated, charged = row["act_effects"][:, 0] != NO_ROW, row["charge"] != 0
    for field, those in (("thing_activated", activated), ("thing_charged", charged)):
        row[field] = NONE
        for card in np.flatnonzero(those[:count]):
            row[field][card] = number
            number += 1
    row["things"] = number


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> np.int64:
    """Index in `ablatable` of what a decision uses, or NOTHING. Playing a card as an answer counts as playing it."""
    phase, seat = state["phase"], state["seat"]
    if phase == Phase.MAIN and action > 0:
        return used_in_main(state, cards, seat, action)
    if phase == Phase.ANSWER and action > 0:
        return card_thing(state, seat, action - 1)
    if phase == Phase.BLOCK and action > 0:
        return np.int64(Rule.BLOCK)
    if phase == Phase.PASS and action > 0:
        return np.int64(Rule.TAKE_BACK) if action >= TAKE_BACK else np.int64(Rule.PASS)
    return np.int64(NOTHING)


@kernel
def used_in_main(state: Record, cards: Record, seat: int, code: int) -> np.int64:
    """What a decision of the Play Phase uses, other than ending it."""
    if code < SET:
        return card_thing(state, seat, code - PLAY)
    if code < INHERENT:
        return np.int64(Rule.SET)
    if code == INHERENT:
        return np.int64(Rule.INHERENT)
    if code == ABILITY:
        return np.int64(Rule.ABILITY)
    if code == MAKE_LIGHT:
        return cards["things"]
    if code >= CHARGE:
        return cards["thing_charged"][state["card_of"][state["thing"][seat, code - CHARGE]]]
    place = (code - ACTIVATE) // ACTIVATED
    return cards["thing_activated"][state["card_of"][state["thing"][seat, place]]]


@kernel
def card_thing(state: Record, seat: int, at: int) -> int:
    """Index in `ablatable` of a card of a hand."""
    return RULES + state["card_of"][state["hand"][seat, at]]
