"""An ability of the Arena that is under way, by readable names: the part of a position between its decisions."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table, is_whole, plain
from sim.games.arena.board import STEPS, split_offset
from sim.games.arena.labels import ability_names, hex_at, piece_names
from sim.games.arena.record import DICE_MAX, OfflineChooser
from sim.games.arena.state import NO_TARGET, Phase

HEXES_MAX = 39  # of a push: 9 of the card, 6 x 3 of rage, 12 of damage
RAGE_MAX = 6  # tokens paid
SUMMON_MAX = 4

_NEEDS = {  # what a card must have for the decision: field, and words for it
    Phase.PRE_MOVE: ("has_move_before", "no move before its attack"),
    Phase.RAGE: ("rage_spend_max", "nothing to pay rage for"),
    Phase.SUMMON: ("summon_count", "nothing to summon"),
    Phase.STEP: ("range", "no attack"),
    Phase.POST_MOVE: ("move_after", "no move after its attack"),
}
_TARGETED = (Phase.PRE_MOVE, Phase.RAGE, Phase.STEP)


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Tell what is under way as far as anything that follows depends on it; empty between abilities."""
    phase = Phase(state["phase"])
    if phase not in _NEEDS:
        return {}
    told: dict[str, Any] = {"ability": ability_names(cards, state["hero"][state["active"]])[state["ability"]]}
    if phase in _TARGETED and state["target"] != NO_TARGET:
        told["target"] = piece_names(state, cards)[int(state["target"])]
    if phase == Phase.SUMMON:
        told |= {"left": int(state["summon_left"]), "may_stop": not state["summon_first"]}
    if phase == Phase.STEP:
        told |= {"rage_paid": int(state["paid"]), "hits": int(state["hits"]), "blocks": int(state["blocked"][0])}
        told |= {"damage": int(state["dealt"][0]), "hexes": int(state["reach_k"])}
        told["made"] = [int(state["made_u"]), int(state["made_v"])]
    return told


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write an ability under way into a state that holds the rest of the position. Raises ValueError as `place`."""
    phase = Phase(state["phase"])
    if phase in _NEEDS:
        hero, names = state["hero"][state["active"]], ability_names(cards, state["hero"][state["active"]])
        state["ability"] = names.index(table.one_of("ability", names))
        state["target"] = NO_TARGET
        field, lacking = _NEEDS[phase]
        if not cards.record[0][field][hero, state["ability"]]:
            raise table.wrong("ability", f'has {lacking}; phase "{phase.name.lower()}" needs one')
        if phase == Phase.RAGE and state["rage"][state["active"]] == 0:
            raise table.wrong("ability", 'its hero has no rage; phase "rage" needs some')
        if phase in _TARGETED:
            _write_target(table, cards, state)
        if phase == Phase.SUMMON:
            state["summon_left"] = table.whole("left", 1, SUMMON_MAX)
            state["summon_first"] = not table.flag("may_stop", False)
        if phase == Phase.STEP:
            _write_push(table, cards, state)
    table.close()


def _write_target(table: Table, cards: CardSet, state: np.void) -> None:
    if cards.record[0]["area"][state["hero"][state["active"]], state["ability"]]:
        return
    names = {plain(name): piece for piece, name in piece_names(state, cards).items() if piece != state["active"]}
    target = names.get(plain(table.text("target")))
    if target is None:
        raise table.wrong("target", f"must be another piece on the board: {', '.join(names)}")
    state["target"] = target


def _write_push(table: Table, cards: CardSet, state: np.void) -> None:
    """A slanted push or pull whose path is being chosen (ARENA-50 to 56, 71)."""
    state["paid"] = table.whole("rage_paid", 0, RAGE_MAX, 0)
    state["hits"] = table.whole("hits", 0, DICE_MAX)
    state["targets"][0], state["target_count"] = state["target"], 1
    state["blocked"][0] = table.whole("blocks", 0, DICE_MAX, 0)
    state["dealt"][0] = table.whole("damage", 0, DICE_MAX)
    state["net_hit"] = state["hits"] > state["blocked"][0]
    state["reach_k"] = table.whole("hexes", 1, HEXES_MAX)
    made = table.take("made", [0, 0])
    if not isinstance(made, list) or len(made) != 2 or not all(is_whole(steps, 0, HEXES_MAX) for steps in made):
        raise table.wrong("made", "must be two whole numbers, the steps made in either direction")
    if sum(made) >= state["reach_k"]:
        raise table.wrong("made", f"must be fewer steps than hexes = {state['reach_k']}")
    state["made_u"], state["made_v"] = made
    _write_bearing(table, cards, state)
    pulled = cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]
    steps = [(int(state[way]) + 3 * int(pulled)) % len(STEPS) for way in ("u", "v")]
    state["step_a"], state["step_b"] = min(steps), max(steps)
    chooser = int(state["owner"][state["target"]])
    attacker = cards.record[0]["offline_chooser"] == OfflineChooser.ATTACKER
    state["chooser"] = state["active"] if attacker else chooser


def _write_bearing(table: Table, cards: CardSet, state: np.void) -> None:
    """ARENA-50. Find u and v: the way to where the push began for a push, to where the piece stands for a pull."""
    source, here = (hex_at(cards, state["pos"][piece]) for piece in (state["active"], state["target"]))
    dq, dr = here[0] - source[0], here[1] - source[1]
    pulled = cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]
    for u, v, m, n in _bearings(dq, dr, (0, 0) if pulled else (int(state["made_u"]), int(state["made_v"]))):
        if n > 0 and (m == n or not pulled):
            state["u"], state["v"], state["even"] = u, v, m == n
            return
    raise table.wrong("target", "is not pushed at a slant from where it stands; there is no path to choose")


def _bearings(dq: int, dr: int, made: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Every (u, v, m, n) of a way that has come to (dq, dr) after `made` steps in u and v."""
    found = []
    for u, (uq, ur) in enumerate(STEPS):
        for v in ((u + 1) % len(STEPS), (u - 1) % len(STEPS)):
            began = dq - made[0] * uq - made[1] * STEPS[v][0], dr - made[0] * ur - made[1] * STEPS[v][1]
            bearing = split_offset(*began)
            if bearing[:2] == (u, v):
                found.append(bearing)
    return found
