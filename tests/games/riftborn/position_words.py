"""Short words for places, formations and decisions of Riftborn Tactics, for positions of tests (`positions` explains them)."""

import re

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.actions import PLAY, USE, WIELD
from sim.games.riftborn.cards import ids_of
from sim.games.riftborn.record import Trick
from sim.games.riftborn.state import CREATURES, PER_ROW, ROWS, Phase, code_of, creature_at

SIDES = "AB"
PLAYERS = 2 * CREATURES  # code of an attack on the opponent; of the own player as a target, the opponent's is the next
OWN_ACTIONS = ("charm", "heal", "morale", "pacify", "ready", "spell", "summon", "transform")  # codes 31..38
SPOT = re.compile(r"([AB])(\d)\.(\d)")
OUTSIDE_BRACKETS = re.compile(r", (?![^\[]*\])")


def word_of(state: np.void, cards: CardSet, code: int) -> str:
    """Short word of a decision that is open."""
    seat, ids = int(state["seat"]), ids_of(cards)
    told = {
        Phase.MULLIGAN: lambda: ("keep", "return")[code],
        Phase.MAIN: lambda: _main_word(state, ids, seat, code),
        Phase.CREATURE: lambda: _deed_word(state, seat, code),
        Phase.PLACE: lambda: f"{code // PER_ROW}.{code % PER_ROW}",
        Phase.TARGET: lambda: _target_word(state, seat, code),
        Phase.ROW: lambda: f"row {SIDES[seat if code >= ROWS else 1 - seat]}{code % ROWS}",
        Phase.SCRY: lambda: str(code),
        Phase.TRICK_SET: lambda: Trick(code).name.lower() if code else "no trick",
        Phase.TRICK_FIRE: lambda: _slot_word(state, seat, code // 2) + (" second" if code % 2 else ""),
        Phase.HAND: lambda: ids[state["hand"][seat, code]],
    }
    return told[Phase(state["phase"])]()


def _main_word(state: np.void, ids: tuple[str, ...], seat: int, code: int) -> str:
    """`end`, `play spark`, `use A0.1`, `wield longbow`; a second longbow is `longbow 2`."""
    if code < PLAY:
        return "end"
    if code < USE:
        return f"play {ids[state['hand'][seat, code - PLAY]]}"
    if code < WIELD:
        return f"use {_slot_word(state, seat, code - USE)}"
    weapons = [ids[card] for card in state["weapon"][seat, : code - WIELD + 1]]
    count = weapons.count(weapons[-1])
    return f"wield {weapons[-1]}" + (f" {count}" if count > 1 else "")


def _deed_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` a swap or an attack, `B` an attack on that player, else the name of the Action."""
    if code > PLAYERS:
        return OWN_ACTIONS[code - PLAYERS - 1]
    return SIDES[1 - seat] if code == PLAYERS else _slot_word(state, seat, code)


def _target_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` a creature, `A` a player."""
    if code < PLAYERS:
        return _slot_word(state, seat, code)
    return SIDES[seat if code == PLAYERS else 1 - seat]


def _slot_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` of a slot code 0..29 of the seat that decides."""
    return spot_word(state, int(creature_at(state, seat, code)))


def spot_word(state: np.void, g: int) -> str:
    """`A0.1` of a creature that is there."""
    seat = g // CREATURES
    row, index = divmod(int(code_of(state, seat, g)), PER_ROW)
    return f"{SIDES[seat]}{row}.{index}"


def rows_of(text: str) -> list[list[str]]:
    """`soldier_guard, beast_cub [1 damage, acted] / soldier_archer` as rows of creatures of a scenario file."""
    rows = [OUTSIDE_BRACKETS.split(row) for row in text.split(" / ")] if text else []
    return [[creature.replace(" [", ", ").rstrip("]") for creature in row] for row in rows]
