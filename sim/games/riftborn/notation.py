"""Positions of Riftborn Tactics by readable names: what scenario files write and what comes out of them.

Here the position as a whole; `notation_player` tells a player, `notation_creature` a creature, `pending` what is under way.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table
from sim.games.riftborn.deal import clear_table
from sim.games.riftborn.labels import creatures_of, own_name
from sim.games.riftborn.listing import legal_actions
from sim.games.riftborn.notation_player import place_player, player, stats
from sim.games.riftborn.pending import read_pending, write_pending
from sim.games.riftborn.state import ACTIVE, NOBODY, OPTIONS_MAX, SEATS, side_of
from sim.games.riftborn.stats import health_of, rebuild
from sim.games.riftborn.terms import Gain, Phase

PHASES = tuple(phase.name.lower() for phase in Phase if phase != Phase.GOING)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position; `place` reads the same."""
    told: dict[str, Any] = {"turn": int(state["turn"]), "phase": PHASES[state["phase"]], "active": int(state["active"])}
    for field in ("first", "winner"):
        if state[field] != NOBODY:
            told[field] = int(state[field])
    players = [player(state, cards, seat) for seat in range(SEATS)]
    return {**told, "players": players, "pending": read_pending(state, cards)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which comes zeroed.

    Everything may be left out: it is as in a fresh game in whose first turn seat 0 is in its main step, with empty hands and
    nothing in play. Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    clear_table(state)
    state["phase"] = Phase[table.one_of("phase", PHASES, PHASES[Phase.MAIN]).upper()]
    _place_turn(table, cards, state)
    for seat, entry in enumerate(players):
        place_player(entry, cards, state, seat)
    rebuild(state, cards.record[0])
    _note(cards, state)
    _check(players, cards, state)
    _place_end(table, state)
    write_pending(Table(table.take("pending", {}), "pending"), cards, state)
    for part in (*players, table):
        part.close()
    _check_decision(cards, state)


def _by_seat(table: Table) -> list[Table]:
    """Sort the players by seat; without `seat` they sit in the order of the list."""
    players = table.tables("players", SEATS) or [Table({}, f"players[{seat}]") for seat in range(SEATS)]
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise ValueError(f"players: must be {SEATS} tables, one for each seat; {len(players)} are given")
    return [seated[seat] for seat in range(SEATS)]


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Whose turn it is. Who went first follows from it, for turns alternate (RIFT-10)."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["active"] = table.whole("active", 0, SEATS - 1, 0)
    first = int(state["active"]) ^ int(state["turn"]) % SEATS
    begun = state["phase"] != Phase.MULLIGAN
    if table.has("first") and table.whole("first", 0, SEATS - 1) != first:
        raise table.wrong("first", f"follows from turn and active and is {first}; leave it out or make it so (RIFT-10)")
    table.take("first", None)
    state["first"] = first if begun else NOBODY
    for seat in range(SEATS):
        state["own_turns"][seat] = (int(state["turn"]) + SEATS - (seat != first)) // SEATS if begun else 0


def _note(cards: CardSet, state: np.void) -> None:
    """What follows from the rest; what outcomes count is as if all experience had come from turns and cards."""
    state["crediting"] = bool(state["credit"].any() or state["harm"].any())
    for seat in range(SEATS):
        xp = int(state["xp"][seat])
        by_turns = min(xp, int(cards.record[0]["turn_xp"]) * int(state["own_turns"][seat]))
        state["gained"][seat, Gain.TURN] = by_turns
        state["gained"][seat, Gain.PLAY] = xp - by_turns
        state["level_turn"][seat, : state["level"][seat]] = max(1, int(state["own_turns"][seat]))


def _check(players: list[Table], cards: CardSet, state: np.void) -> None:
    """RIFT-70, 130. Who has lost, what would be dead, and what a creature cannot be in this turn."""
    phase = Phase(state["phase"])
    for seat, entry in enumerate(players):
        now = stats(state, cards, seat)
        if entry.take("stats", now) != now:
            raise entry.wrong(
                "stats", f"follow from the rest and are {now}; leave them out or make them so (RIFT-61, 62)"
            )
        if state["life"][seat] <= 0 and phase != Phase.OVER:
            raise entry.wrong("life", 'ends the game at 0 or less; phase must be "over" (RIFT-130)')
        for g in creatures_of(state, seat) if phase in (Phase.MAIN, Phase.CREATURE) else ():
            if state["damage"][g] >= (most := int(health_of(state, cards.record[0], g))):
                who = f"{own_name(state, cards, g)} has {state['damage'][g]} damage and a maximum Health of {most}"
                raise ValueError(f"{entry.field('rows')}: {who}; it would be dead (RIFT-70)")
        for g in creatures_of(state, seat):
            if wrong := _wrong_mark(state, seat, g):
                raise ValueError(f"{entry.field('rows')}: {own_name(state, cards, g)} {wrong}")


def _place_end(table: Table, state: np.void) -> None:
    """RIFT-130. Who has won follows from the lives."""
    over, alive = state["phase"] == Phase.OVER, [seat for seat in range(SEATS) if state["life"][seat] > 0]
    if over and len(alive) == SEATS:
        raise table.wrong("phase", "needs a player with a life of 0 or less (RIFT-130)")
    state["winner"] = alive[0] if over and alive else NOBODY
    if table.take("winner", state["winner"]) != state["winner"]:
        right = f"follows from the lives and is {alive[0]}" if over and alive else "is that of nobody"
        raise table.wrong("winner", f"{right}; leave it out or make it so (RIFT-130)")


def _wrong_mark(state: np.void, seat: int, g: int) -> str:
    """RIFT-11, 16, 73, 82. What a creature is said to be and cannot be now; empty where nothing is wrong."""
    for field, active in (("charm", "charmed"), ("pacify", "pacified")):
        if state[field][g] & ACTIVE and seat != state["active"]:
            return f'is {active} in the turn of its enemy; must be "{field} waits" (RIFT-11, 16)'
    if state["credit"][g] == 1 + seat:
        return f"is earned by seat {seat}, its own side; only the other side earns by its death (RIFT-73)"
    if (state["credit"][g] or state["harm"][g]) and state["phase"] in (Phase.MAIN, Phase.CREATURE):
        return (
            f'is hurt or earned in phase "{PHASES[state["phase"]]}", where nothing is under way; leave it out (RIFT-73)'
        )
    return ""


def _check_decision(cards: CardSet, state: np.void) -> None:
    """Register section 5. Somebody has something to decide, in CREATURE with a creature of its own."""
    if state["phase"] == Phase.OVER:
        return
    foreign = state["phase"] == Phase.CREATURE and side_of(int(state["user"])) != state["active"]
    if foreign or legal_actions(state, cards.record[0], np.zeros(OPTIONS_MAX, np.int32)) == 0:
        word = PHASES[state["phase"]]
        raise ValueError(f'phase = "{word}": nobody has anything to decide there; see pending (register section 5)')
