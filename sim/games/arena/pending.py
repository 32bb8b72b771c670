"""An ability of the Arena that is under way, by readable names: the part of a position between its decisions."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table, is_whole, plain
from sim.games.arena.board import STEPS, split_offset
from sim.games.arena.labels import ability_names, hex_at, land, piece_names
from sim.games.arena.options import has_neighbour
from sim.games.arena.push import HALF_TURN, may_step, pick_step, take_bearing
from sim.games.arena.record import DICE_MAX, OfflineChooser
from sim.games.arena.resolve import hexes_of, is_displaced
from sim.games.arena.state import NO_TARGET, SEATS, STRAIGHT, Phase

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
        if not cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]:
            told["from"] = _began(cards, state)
    return told


def _began(cards: CardSet, state: np.void) -> list[int]:
    """Hex where the target of a push stood before its steps in u and v."""
    here = hex_at(cards, state["pos"][state["target"]])
    ways = STEPS[state["u"]], STEPS[state["v"]]
    return [here[axis] - int(state["made_u"]) * ways[0][axis] - int(state["made_v"]) * ways[1][axis] for axis in (0, 1)]


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
    record, user = cards.record[0], int(state["active"])
    if record["area"][state["hero"][user], state["ability"]]:
        if not has_neighbour(state, record):
            raise table.wrong("ability", "hits all around its hero, and nobody is there (ARENA-70)")
        return
    names = {plain(name): piece for piece, name in piece_names(state, cards).items() if piece != state["active"]}
    target = names.get(plain(table.text("target")))
    if target is None:
        raise table.wrong("target", f"must be another piece on the board: {', '.join(names)}")
    state["target"] = target
    reach = int(record["range"][state["hero"][user], state["ability"]])
    if state["phase"] == Phase.RAGE and record["distance"][state["pos"][user], state["pos"][target]] > reach:
        raise table.wrong("target", f"is out of range: the ability reaches {reach} (ARENA-32)")


def _write_push(table: Table, cards: CardSet, state: np.void) -> None:
    """A slanted push or pull whose path is being chosen (ARENA-50 to 56, 71)."""
    record, target = cards.record[0], int(state["target"])
    hero, ability = state["hero"][state["active"]], state["ability"]
    state["paid"] = table.whole("rage_paid", 0, RAGE_MAX, 0)
    hits = state["hits"] = table.whole("hits", 0, DICE_MAX)
    blocks = table.whole("blocks", 0, DICE_MAX, 0)
    state["targets"][0], state["target_count"], state["blocked"][0] = target, 1, blocks
    state["net_hit"] = hits > blocks
    spared = record["no_damage"][hero, ability] or target >= SEATS
    damage = 0 if spared else max(0, hits - blocks)
    hexes = int(hexes_of(state, record, target, damage)) if is_displaced(record, hits, blocks) else 0
    if hexes == 0:
        raise table.wrong("hits", f"with {blocks} blocks moves nobody; a push must be under way (ARENA-42, 43)")
    for key, follows in (("damage", damage), ("hexes", hexes)):
        if table.take(key, follows) != follows:
            raise table.wrong(key, f"follows from the rest and is {follows}; leave it out or make it so")
    state["dealt"][0], state["reach_k"] = damage, hexes
    state["made_u"], state["made_v"] = _made(table, hexes)
    _write_bearing(table, cards, state)
    chooser = int(state["owner"][target])
    state["chooser"] = state["active"] if record["offline_chooser"] == OfflineChooser.ATTACKER else chooser


def _made(table: Table, hexes: int) -> list[int]:
    """Steps made in directions u and v."""
    made = table.take("made", [0, 0])
    if not isinstance(made, list) or len(made) != 2 or not all(is_whole(steps, 0, HEXES_MAX) for steps in made):
        raise table.wrong("made", "must be two whole numbers, the steps made in either direction")
    if sum(made) >= hexes:
        raise table.wrong("made", f"must be fewer steps than hexes = {hexes}")
    return made


def _write_bearing(table: Table, cards: CardSet, state: np.void) -> None:
    """ARENA-50 to 56, 71. The two directions of the push, and the two steps between which its path is chosen."""
    record, target = cards.record[0], int(state["target"])
    pulled = bool(record["pull"][state["hero"][state["active"]], state["ability"]])
    if pulled:
        take_bearing(state, record, state["pos"][state["active"]], target)
        ways = (int(state["u"]) + HALF_TURN) % len(STEPS), (int(state["v"]) + HALF_TURN) % len(STEPS)
        open_now = state["even"] and state["made_v"] == 0
    else:
        state["u"], state["v"], state["even"] = _bearing(table, cards, state)
        ways = int(state["u"]), int(state["v"])
        open_now = _made_lawfully(cards, state) and all(may_step(state, record, *step) for step in ((1, 0), (0, 1)))
    if not open_now or pick_step(state, record, target, *ways) != STRAIGHT:
        raise table.wrong(
            "target", "has no path to choose from where it stands: its next step is given (ARENA-51 to 56)"
        )


def _made_lawfully(cards: CardSet, state: np.void) -> bool:
    """ARENA-52, 53. Whether some order of the steps made keeps every one of them legal."""
    record, made = cards.record[0], (int(state["made_u"]), int(state["made_v"]))
    trial = state.copy()
    reached = {(0, 0)}
    for _ in range(sum(made)):
        ahead = {(a + step_a, b + step_b) for a, b in reached for step_a, step_b in ((1, 0), (0, 1))}
        reached = set()
        for a, b in ahead:
            trial["made_u"], trial["made_v"] = a, b
            if a <= made[0] and b <= made[1] and may_step(trial, record, 0, 0):
                reached.add((a, b))
    return made in reached


def _bearing(table: Table, cards: CardSet, state: np.void) -> tuple[int, int, bool]:
    """ARENA-50. u, v and whether m = n of the way from the user to where a push began: the hex `from`.

    Without `from` it is sought by the steps made in u and v, which may fit more than one way.
    """
    source, here = (hex_at(cards, state["pos"][piece]) for piece in (state["active"], state["target"]))
    reach = cards.record[0]["range"][state["hero"][state["active"]], state["ability"]]
    given = table.take("from", None)
    if given is not None and given not in [list(place) for place in land(cards)]:
        raise table.wrong("from", "must be the land hex [q, r] where the target stood when the push began")
    found = []
    for u, v, m, n in _bearings(here[0] - source[0], here[1] - source[1], (int(state["made_u"]), int(state["made_v"]))):
        began = source[0] + m * STEPS[u][0] + n * STEPS[v][0], source[1] + m * STEPS[u][1] + n * STEPS[v][1]
        state["u"], state["v"], state["even"] = u, v, m == n
        if n > 0 and m + n <= reach and given in (None, list(began)) and _made_lawfully(cards, state):
            found.append((u, v, m == n, began))
    if not found and given is not None:
        raise table.wrong("from", "is not where a slanted push to where the target stands, by the steps made, began")
    if not found:
        raise table.wrong("target", "is not pushed at a slant from where it stands; there is no path to choose")
    if len(found) > 1:
        places = " and ".join(str(list(way[3])) for way in found)
        raise table.wrong("made", f"fits pushes that began at {places}; give one of them as from")
    return found[0][:3]


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
