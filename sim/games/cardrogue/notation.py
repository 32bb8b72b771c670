"""Positions of Card Rogue by readable names: what scenario files write and what comes out of them.

Here the position as a whole; `notation_players`, `notation_map` and `notation_cards` tell its parts, `pending` the turn.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table
from sim.games.cardrogue.codes import Fill
from sim.games.cardrogue.course import enter_step
from sim.games.cardrogue.deal import clear_table, lay_map, lay_starts
from sim.games.cardrogue.death import depart, step_aside
from sim.games.cardrogue.decisions import Node, Step
from sim.games.cardrogue.notation_cards import decks, place_decks
from sim.games.cardrogue.notation_loose import enemies, heaps, place_enemies, place_heaps
from sim.games.cardrogue.notation_map import map_cells, place_map
from sim.games.cardrogue.notation_players import place_players, player, stand_players
from sim.games.cardrogue.options import open_acts
from sim.games.cardrogue.pending import IN_COMBAT, place_pending, place_turn, read_pending, turn_facts
from sim.games.cardrogue.points import points_of_source
from sim.games.cardrogue.state import NOBODY, NOTHING, NOWHERE, POINTS, SEATS, Ending, PutOff

ROUNDS_MAX = 10_000
TURNS_MAX = 1_000_000
STAYS = "no"
LEAVING = {"for good": depart, "for a while": step_aside}
ENDINGS = tuple(ending.name.lower() for ending in Ending)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position; `place` reads the same. What was decided so far on the way to a decision is in `pending`."""
    return {
        "seats": int(state["seats"]),
        "turn": int(state["turn"]),
        "round": int(state["round"]),
        "first": int(state["first"]),
        "active": int(state["active"]),
        "ending": Ending(state["ending"]).name.lower(),
        "rush": bool(state["rush"]),
        **turn_facts(state, cards),
        "pending": read_pending(state, cards),
        "players": [player(state, cards, seat) for seat in range(np.int64(state["seats"]))],
        "map": map_cells(state, cards),
        "enemies": enemies(state, cards),
        "left": heaps(state, cards),
        **decks(state, cards),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which comes zeroed.

    Needed are `players` with `character`; everything else has the value of a fresh game in which seat 0 is about to
    begin, with all cards that are named nowhere unseen. Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    players = table.tables("players", SEATS)
    _check_seats(table, len(players), cards)
    clear_table(state, cards.record[0], len(players))
    state["first"] = table.whole("first", 0, len(players) - 1, 0)
    state["active"] = table.whole("active", 0, len(players) - 1, int(state["first"]))
    state["turn"] = table.whole("turn", 0, TURNS_MAX, 0)
    state["round"] = table.whole("round", 1, ROUNDS_MAX, 1)
    _begin_rush(table, state)
    _lay(table, cards, state)
    place_players(players, cards, state)
    place_heaps(table, cards, state)
    stand_players(players, cards, state, fresh=not table.has("map"))
    place_enemies(table, cards, state)
    place_turn(table, cards, state)
    place_pending(table, cards, state)
    place_decks(table, cards, state)
    _let_leave(players, cards, state)
    _settle(table, players, cards, state)
    for part in (*players, table):
        part.close()


def _check_seats(table: Table, seats: int, cards: CardSet) -> None:
    most = SEATS if cards.record[0]["fill"] == Fill.DEAL else 1
    if not 1 <= seats <= most:
        right = f"1 to {most} tables with a character" if most > 1 else "one, for a fixed layout is played alone"
        raise ValueError(f"players: has {seats} entries; must be {right}")
    if table.whole("seats", 1, SEATS, seats) != seats:
        raise table.wrong("seats", f"there are {seats} players")


def _begin_rush(table: Table, state: np.void) -> None:
    """ROGUE-103."""
    state["rush"] = table.flag("rush", False)
    if state["rush"] and state["seats"] == 1:
        raise table.wrong("rush", "a lone player has no end rush")
    state["rush_round"] = state["round"] if state["rush"] else 0


def _lay(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay the map that is given, or that of a fresh game."""
    if table.has("map"):
        place_map(table, cards, state)
        return
    for key in ("map", "corner"):
        table.take(key, None)
    if cards.record[0]["fill"] == Fill.DEAL:
        lay_starts(state, cards.record[0])
    else:
        lay_map(state, cards.record[0])


def _let_leave(players: list[Table], cards: CardSet, state: np.void) -> None:
    """ROGUE-115. Players who `leaves` says have just left: gone from the cell that `at` names, and out of their fights."""
    for seat, entry in enumerate(players):
        way = entry.one_of("leaves", [STAYS, *LEAVING], STAYS)
        if way == STAYS:
            continue
        if state["cell"][seat] == NOWHERE:
            raise entry.wrong("leaves", "the player is not on the table; at must be the cell that it leaves from")
        if seat == state["active"] or state["node"] != Node.MAIN:
            raise entry.wrong("leaves", 'must be "no" for the active seat, and where decision is not "main"')
        LEAVING[way](state, cards.record[0], seat)


def _check_bodies(players: list[Table], state: np.void) -> None:
    """ROGUE-08, 61. Who is in the game lives, has a character, and stands somewhere; only the dying do not."""
    over, draft = state["node"] == Node.OVER, state["node"] == Node.DRAFT
    for seat, entry in enumerate(players):
        dying = seat == state["fallen"] or over
        if state["cell"][seat] != NOWHERE and not dying and not draft and state["health"][seat] <= 0:
            raise entry.wrong("health", "must be at least 1; only who is choosing what to keep has less (ROGUE-61)")
        waits = state["put_off"][seat] != PutOff.NOTHING
        if state["cell"][seat] != NOWHERE and not dying and not waits and state["on"][state["cell"][seat]] != NOTHING:
            right = 'must be "all" or "after_trap" on a cell with a card, which is picked up next turn (ROGUE-33)'
            raise entry.wrong("put_off", right)
        if state["character"][seat] == NOBODY and not draft:
            raise entry.wrong("character", 'every seat has one, but for decision = "draft"')
        lost = state["cell"][seat] == NOWHERE and not state["out"][seat] and not state["away"][seat]
        if lost and not (dying and state["node"] in (Node.RESPAWN, Node.OVER)):
            raise entry.wrong("at", 'only who decides "respawn" is dead; must be [row, column], "out" or "away"')


def _settle(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """What follows from the position: whether the game is over, and what is open in MAIN."""
    record = cards.record[0]
    ending = table.one_of("ending", ENDINGS, ENDINGS[Ending.RUNNING])
    state["ending"] = Ending[ending.upper()]
    if state["node"] == Node.OVER and state["ending"] == Ending.RUNNING:
        raise table.wrong("ending", f"must be one of {', '.join(ENDINGS[1:])} where the game is over")
    if state["ending"] != Ending.RUNNING:
        state["node"] = Node.OVER
        for seat in range(np.int64(state["seats"])):
            for source in range(POINTS):
                state["points"][seat, source] = points_of_source(state, record, seat, source)
    _check_bodies(players, state)
    if state["node"] != Node.MAIN:
        return
    seat = int(state["active"])
    if state["cell"][seat] == NOWHERE:
        raise table.wrong("active", "is not on the table; must be a seat that is")
    if (state["step"] in IN_COMBAT) != (state["combat"][seat] != 0) or state["step"] == Step.DONE:
        right = (
            "must be fight, struck or survived in combat" if state["combat"][seat] else "must be flip, move or interact"
        )
        raise table.wrong("step", f"{right} (ROGUE-20, 41)")
    if state["step"] == Step.MOVE and not table.has("moves_left"):
        enter_step(state, record, seat, int(Step.MOVE))
    state["acts"] = open_acts(state, record, seat)
