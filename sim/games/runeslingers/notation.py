"""Positions of Runeslingers by readable names: what scenario files write and what comes out of them.

Here the position as a whole; `notation_player` tells a player, `notation_field` what lies on a field, `notation_cards` which
copy lies where, `pending` what is under way.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import DICE
from sim.engine.reading import Table
from sim.games.runeslingers.deal import clear_table
from sim.games.runeslingers.labels import is_concealed, thing_name, things_of
from sim.games.runeslingers.names import kind_of
from sim.games.runeslingers.notation_cards import Allotment
from sim.games.runeslingers.notation_player import check_player, place_player, place_rest, player
from sim.games.runeslingers.options import list_options
from sim.games.runeslingers.pending import IDLE, read_pending, write_pending
from sim.games.runeslingers.record import Kind
from sim.games.runeslingers.state import AREAS, COUNT_MAX, NOBODY, SEATS, STATE
from sim.games.runeslingers.stats import defence_of, derive
from sim.games.runeslingers.switches import First
from sim.games.runeslingers.terms import Cause, Phase, Stage
from sim.games.runeslingers.turn import pursue

PHASES = tuple(phase.name.lower() for phase in Phase)
STAGES = tuple(stage.name.lower() for stage in Stage)
CAUSES = tuple(cause.name.lower() for cause in Cause)
_BEFORE = (Phase.SETUP, Phase.FIRST)  # the first turn has not begun


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position; `place` reads the same."""
    told: dict[str, Any] = {
        "turn": int(state["turn"]),
        "phase": PHASES[state["phase"]],
        "stage": STAGES[state["stage"]],
    }
    for key in ("active", "first", "chooser", "winner"):
        if state[key] != NOBODY:
            told[key] = int(state[key])
    told["laid"] = int(state["seq"])
    if state["phase"] == Phase.OVER:
        told["cause"] = CAUSES[state["cause"]]
    players = [player(state, cards, seat) for seat in range(SEATS)]
    return {**told, "players": players, "pending": read_pending(state, cards)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which comes zeroed.

    Everything may be left out: it is as in an encounter in whose first turn seat 0 is in its Play Phase, with empty hands and
    nothing in play. Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    clear_table(state)
    phase = Phase(PHASES.index(table.one_of("phase", PHASES, "going")))
    state["phase"] = phase
    state["stage"] = STAGES.index(table.one_of("stage", STAGES, "play"))
    _place_turn(table, cards, state)
    allotment = Allotment(cards, state)
    for seat, entry in enumerate(players):
        state["deck_of"][seat] = cards.ids.index(
            entry.one_of("deck", cards.ids, cards.ids[min(seat, len(cards.ids) - 1)])
        )
    for seat, entry in enumerate(players):
        place_player(entry, allotment, seat)
    state["seq"] = table.whole("laid", int(state["seq"]), COUNT_MAX, int(state["seq"]))
    write_pending(Table(table.take("pending", {}), "pending"), allotment)
    for seat, entry in enumerate(players):
        place_rest(entry, state, seat, allotment.hand_out(seat, entry.path))
    state["brittle"] = 1
    derive(state, cards.record[0])
    for seat, entry in enumerate(players):
        check_player(entry, cards, state, seat, phase == Phase.OVER)
        _check_things(entry, cards, state, seat)
    for part in (*players, table):
        part.close()
    _open_decision(table, cards, state)


def _by_seat(table: Table) -> list[Table]:
    """RUNE-01. Sort the players by seat; without `seat` they sit in the order of the list."""
    players = table.tables("players", SEATS) or [Table({}, f"players[{seat}]") for seat in range(SEATS)]
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise ValueError(f"players: must be {SEATS} tables, one for each seat; {len(players)} are given")
    return [seated[seat] for seat in range(SEATS)]


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Whose turn it is. Who went first follows from it, for turns alternate (RUNE-30)."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["active"] = table.whole("active", 0, SEATS - 1, 0)
    begun = state["phase"] not in _BEFORE
    first = int(state["active"]) ^ int(state["turn"]) % SEATS
    if begun and table.has("first") and table.whole("first", 0, SEATS - 1) != first:
        raise table.wrong("first", f"follows from turn and active and is {first}; leave it out or make it so (RUNE-30)")
    table.take("first", None)
    state["first"] = first if begun else NOBODY
    rolls = cards.record[0]["first"] != First.SEAT0
    if table.has("chooser") and not rolls:
        raise table.wrong("chooser", 'must be left out; nobody rolls with rules.first = "seat0" (RUNE-17)')
    chooser = table.has("chooser") or (begun and rolls)
    state["chooser"] = table.whole("chooser", 0, SEATS - 1, first) if chooser else NOBODY
    table.take("chooser", None)
    for seat in range(SEATS):
        turns = (int(state["turn"]) + SEATS - (seat != first)) // SEATS if begun else 0
        state["own_turns"][seat] = turns - (begun and seat == state["active"] and state["stage"] == Stage.BEGIN)
    if not begun:
        state["active"] = 0
    state["winner"] = table.whole("winner", 0, SEATS - 1) if table.has("winner") else NOBODY
    table.take("winner", None)
    state["cause"] = CAUSES.index(table.one_of("cause", CAUSES, "not_decided"))


def _check_things(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RUNE-54, 62, 101. What could not lie there."""
    names = []
    for spot in things_of(state, seat):
        card = int(state["card_of"][state["thing"][seat, spot]])
        name, kind = thing_name(state, cards, seat, spot), kind_of(cards, card)
        least = int(state["damage"][seat, spot])
        if kind >= Kind.CHANT and not state["depth"] and least >= defence_of(state, cards.record[0], seat, spot):
            most = int(defence_of(state, cards.record[0], seat, spot))
            who = f"{name} has {least} damage and a defence of {most}"
            raise ValueError(f"{entry.path}: {who}; it would be destroyed (RUNE-62)")
        if kind == Kind.TRINKET and card in names:
            raise ValueError(f"{entry.field('things')}: {name} is there twice; a trinket is controlled once (RUNE-54)")
        names.append(card)
    shown = [
        int(state["ailment"][seat, area])
        for area in range(AREAS)
        if state["count"][seat, area] and not is_concealed(state, seat, area)
    ]
    if len(set(shown)) != len(shown):
        raise ValueError(f"{entry.field('ailments')}: a type is exposed on two areas; they would merge (RUNE-101)")


def _open_decision(table: Table, cards: CardSet, state: np.void) -> None:
    """List the options of the decision at hand; a Play Phase that begins is gone on with as far as nothing happens."""
    state["options_n"] = 0
    if state["phase"] not in IDLE:
        list_options(state, cards.record[0])
        if state["options_n"] == 0:
            raise table.wrong("phase", "nobody has anything to decide there")
    elif state["phase"] == Phase.GOING:
        state["seat"] = state["active"]
        state["options_n"], state["options"][0] = 1, 0  # "go on"
        if state["stage"] == Stage.PLAY and not state["depth"]:
            ahead = state.copy()
            pursue(ahead, cards.record[0], np.zeros(1, DICE)[0])
            if ahead["phase"] == Phase.MAIN and ahead["turn"] == state["turn"]:
                for field in STATE.names or ():
                    state[field] = ahead[field]
