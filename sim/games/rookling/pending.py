"""What is under way in an exchange of Rookling Heroes, by readable names: the decision at hand and the packet in the air."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table
from sim.games.rookling.battle import hurt_seat
from sim.games.rookling.clash import (
    AMOUNT_MAX,
    BEARER_AT,
    BEARER_BITS,
    BLOCKER_AT,
    LANDING_AT,
    LEFT_AT,
    STRUCK_AT,
    USED_AT,
    Stage,
    bearer_of,
    begin_clash,
    blocker_of,
    force_of,
    is_open,
    is_used,
    landing_of,
    left_of,
    struck_of,
    to_stage,
)
from sim.games.rookling.labels import PLACES, line_names
from sim.games.rookling.record import Kind
from sim.games.rookling.state import NOWHERE, POSITIONS, RESOLVING, Phase, mover

OF_A_LINE = (Phase.ACTIVATE, Phase.TARGET)
DECLARING = (Phase.ATTACK, Phase.DEFEND)
_STAGES = {Phase.NEXT: Stage.NEXT, Phase.SIDE: Stage.SIDE, Phase.BLOCK: Stage.BLOCK}


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Tell what the decision at hand is about; empty where the phase says it all."""
    phase = Phase(state["phase"])
    if phase in DECLARING:
        return {"at": PLACES[state["cursor"]]}
    if phase in OF_A_LINE:
        at = int(state["focus"])
        return {"at": PLACES[at], "line": line_names(cards, _rookling(state, at))[state["cursor"]]}
    return _resolution(state) if phase in RESOLVING else {}


def _rookling(state: np.void, position: int) -> int:
    """Card of the mover's Rookling at a position."""
    seat = int(mover(state))
    return int(state["rook"][seat, state["at"][seat, position]])


def _resolution(state: np.void) -> dict[str, Any]:
    """ROOK-45. Attacks still open, blocks used, hits so far, and the packet under way."""
    clash = int(state["clash"])
    hits = {PLACES[at]: int(bearer_of(clash, at)) for at in range(POSITIONS)}
    told: dict[str, Any] = {
        "poison": bool(state["poison"]),
        "open": [place for at, place in enumerate(PLACES) if is_open(clash, at)],
        "used": [place for at, place in enumerate(PLACES) if is_used(clash, at)],
        "hits": {place: PLACES[bearer] for place, bearer in hits.items() if bearer != NOWHERE},
    }
    if state["phase"] != Phase.NEXT:
        told |= {"struck": PLACES[struck_of(clash)], "left": int(left_of(clash))}
    if state["phase"] == Phase.BLOCK:
        told |= {"landing": PLACES[landing_of(clash)], "blocker": PLACES[blocker_of(clash)]}
    return told


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the decision at hand into a state that holds the rest of the position. Raises ValueError as `place`."""
    phase = Phase(state["phase"])
    if phase in DECLARING:
        state["cursor"] = _place(table, "at", PLACES[0])
    if phase in OF_A_LINE:
        state["focus"] = _place(table, "at")
        rook = _rookling(state, int(state["focus"]))
        names, kinds = line_names(cards, rook), cards.record[0]["kind"][rook]
        special = [name for line, name in enumerate(names) if kinds[line] == Kind.SPECIAL]
        state["cursor"] = names.index(table.one_of("line", special))
    if phase in RESOLVING:
        _place_resolution(table, state)
    table.close()


def _place(table: Table, key: str, default: str | None = None) -> int:
    """A position by its name; required where there is no default."""
    return PLACES.index(table.one_of(key, PLACES) if default is None else table.one_of(key, PLACES, default))


def _place_resolution(table: Table, state: np.void) -> None:
    """ROOK-45. Pack a resolution; what is not said is as before its first packet."""
    state["poison"] = table.flag("poison", False)
    seat, phase = int(hurt_seat(state)), Phase(state["phase"])
    attacked = [place for at, place in enumerate(PLACES) if state["att"][at] > 0]
    waiting = _places(table, "open", attacked if phase == Phase.NEXT else [])
    for place in waiting:
        if place not in attacked:
            raise table.wrong("open", f"there is no attack on the {place}")
    if phase == Phase.NEXT and not waiting:
        raise table.wrong("open", 'no attack is left to resolve; phase "next" needs one of 1 or more in attack')
    attacks = [int(state["att"][at]) if place in waiting else 0 for at, place in enumerate(PLACES)]
    lives = [int(state["life"][seat, slot]) for slot in state["at"][seat]]
    clash = int(begin_clash(force_of(np.array(attacks), state["dfn"]), *lives))
    for place in _places(table, "used", []):
        clash |= 1 << (USED_AT + PLACES.index(place))
    hits = Table(table.take("hits", {}), table.field("hits"))
    for place in _known(list(hits.values), hits.path):
        clash |= (1 + _place(hits, place)) << (BEARER_AT + BEARER_BITS * PLACES.index(place))
    state["clash"] = _with_packet(table, phase, int(to_stage(clash, int(_STAGES[phase]))))


def _with_packet(table: Table, phase: Phase, clash: int) -> int:
    """The clash with the packet that waits for SIDE or BLOCK."""
    if phase == Phase.NEXT:
        return clash
    struck = _place(table, "struck")
    clash |= struck << STRUCK_AT | table.whole("left", 1, AMOUNT_MAX) << LEFT_AT
    landing = _place(table, "landing", PLACES[struck]) if phase == Phase.BLOCK else struck
    blocker = _place(table, "blocker", PLACES[landing]) if phase == Phase.BLOCK else 0
    return clash | landing << LANDING_AT | blocker << BLOCKER_AT


def _places(table: Table, key: str, default: list[str]) -> list[str]:
    """Some of the positions by their names."""
    places = table.items(key, POSITIONS) if table.has(key) else default
    table.take(key, None)
    return _known(places, table.field(key))


def _known(places: list[str], path: str) -> list[str]:
    """Names of positions, checked. Raises ValueError naming the field."""
    for place in places:
        if place not in PLACES:
            raise ValueError(f"{path}: {shown(place)} is no position; {did_you_mean(place, list(PLACES))}")
    return places
