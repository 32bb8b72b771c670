"""Positions of the Arena by readable names: what scenario files write and what comes out of them."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table, is_whole
from sim.games.arena.describe import action, line_up
from sim.games.arena.labels import hex_at, land, piece_names, zones
from sim.games.arena.pending import read_pending, write_pending
from sim.games.arena.picture import picture
from sim.games.arena.state import DRAGONLING, EMPTY, NOBODY, NOWHERE, OPTIONS_MAX, PIECES, SEATS, Phase
from sim.games.arena.story import events
from sim.games.arena.turn import legal_actions

__all__ = ["action", "events", "line_up", "picture", "place", "position"]  # the protocol `Words` of the engine

OUT = "out"  # instead of a hex: fallen
WAITING = "waiting"  # not placed yet
PROTECTION_MAX = 12
SLOW_MAX = 6
PHASES = tuple(phase.name.lower() for phase in Phase)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position; `place` reads the same. An ability that is under way is told in `pending`."""
    phase = Phase(state["phase"])
    brood = [piece for piece in range(DRAGONLING, PIECES) if state["pos"][piece] >= 0]
    return {
        "seats": int(state["seats"]),
        "turn": int(state["turn"]),
        "round": int(state["round"]),
        "first": int(state["first"]),
        "active": int(state["active"]),
        "phase": phase.name.lower(),
        "heroes": [_hero(state, cards, seat) for seat in range(state["seats"])],
        "dragonlings": [
            {"piece": piece, "owner": int(state["owner"][piece]), "at": list(hex_at(cards, state["pos"][piece]))}
            for piece in brood
        ],
        "pool": int(cards.record[0]["tokens"]) - int(state["rage"].sum()) - len(brood),
        "pending": read_pending(state, cards),
    }


def _hero(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    place = int(state["pos"][seat])
    off = WAITING if state["phase"] == Phase.START else OUT
    return {
        "seat": seat,
        "hero": cards.ids[state["hero"][seat]],
        "at": list(hex_at(cards, place)) if place >= 0 else off,
        "marker": int(state["marker"][seat]),
        "rage": int(state["rage"][seat]),
        "protection": int(state["protection"][seat]),
        "slow": int(state["slow"][seat]),
        "place": int(state["place"][seat]),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which comes zeroed.

    Needed are `heroes` with `hero` and `at`; everything else has the value of a fresh game, seat 0 about to use an
    ability. Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    phase = Phase[table.one_of("phase", PHASES, Phase.ABILITY.name.lower()).upper()]
    _clear(state, table)
    state["phase"] = phase
    for seat, hero in enumerate(_by_seat(table)):
        _place_hero(hero, cards, state, seat)
    for dragonling in table.tables("dragonlings", PIECES - DRAGONLING):
        _place_dragonling(dragonling, cards, state)
    _place_turn(table, cards, state)
    _check_pool(table, cards, state)
    _check_game(state)
    if phase == Phase.START:
        _place_starts(cards, state)
    write_pending(Table(table.take("pending", {}), "pending"), cards, state)
    if phase != Phase.OVER and legal_actions(state, cards.record[0], np.zeros(OPTIONS_MAX, np.int32)) == 0:
        raise ValueError(f'phase = "{PHASES[phase]}": leaves nothing to decide in this position')
    table.close()


def _clear(state: np.void, table: Table) -> None:
    """Set an empty board for as many seats as heroes are given."""
    seats = len(table.items("heroes", SEATS))
    if seats < 2:
        raise ValueError(f"heroes: has {seats} entries; must be 2 to {SEATS} tables with hero and at")
    if table.whole("seats", 2, SEATS, seats) != seats:
        raise table.wrong("seats", f"there are {seats} heroes")
    for field in ("pos", "fall_hex"):
        state[field][:] = NOWHERE
    for field in ("owner", "hero", "fall_by"):
        state[field][:] = NOBODY
    state["occ"][:] = EMPTY
    state["seats"] = seats


def _by_seat(table: Table) -> list[Table]:
    """Sort the heroes by seat; without `seat` they sit in the order of the list."""
    heroes = table.tables("heroes", SEATS)
    seated: dict[int, Table] = {}
    for index, hero in enumerate(heroes):
        seat = hero.whole("seat", 0, len(heroes) - 1, index)
        if seat in seated:
            raise ValueError(f"{hero.field('seat')} = {seat}: is taken already; every hero needs a seat of its own")
        seated[seat] = hero
    return [seated[seat] for seat in sorted(seated)]


def _place_hero(hero: Table, cards: CardSet, state: np.void, seat: int) -> None:
    card = cards.ids.index(hero.one_of("hero", cards.ids))
    if card in state["hero"][:seat]:
        raise hero.wrong("hero", "sits at the table already; no card is used twice")
    record = cards.record[0]
    state["hero"][seat], state["owner"][seat] = card, seat
    off = WAITING if state["phase"] == Phase.START else OUT
    on_board = hero.take("at") != off
    if on_board:
        _stand(hero, cards, state, seat, off)
    state["marker"][seat] = hero.whole("marker", 0, sum(zones(cards, card)) - 1, 0)
    most = {"rage": int(record["rage_cap"][card]), "protection": PROTECTION_MAX, "slow": SLOW_MAX}
    for field, limit in most.items():
        state[field][seat] = hero.whole(field, 0, limit, 0)
        if not on_board and state[field][seat] > 0:
            raise hero.wrong(field, f"must be 0, the hero is {off}")
    state["place"][seat] = hero.whole("place", 0, SEATS, 0)
    hero.close()


def _stand(table: Table, cards: CardSet, state: np.void, piece: int, off: str = "") -> None:
    """Put a piece on the hex that its table names."""
    at, other = table.take("at"), f' or "{off}"' if off else ""
    if not isinstance(at, list) or len(at) != 2 or not all(is_whole(number, -99, 99) for number in at):
        raise table.wrong("at", f"must be a hex [q, r]{other}")
    here = land(cards).get((at[0], at[1]))
    if here is None:
        board = cards.switches.get("board")
        raise table.wrong("at", f'is water on the board "{board}"; must be a land hex{other}')
    if state["occ"][here] != EMPTY:
        raise table.wrong("at", f"is taken by {piece_names(state, cards)[int(state['occ'][here])]}; must be a free hex")
    state["pos"][piece], state["occ"][here] = here, piece


def _place_dragonling(table: Table, cards: CardSet, state: np.void) -> None:
    free = [piece for piece in range(DRAGONLING, PIECES) if state["pos"][piece] < 0]
    piece = table.whole("piece", DRAGONLING, PIECES - 1, free[0])
    if piece not in free:
        raise table.wrong("piece", "stands on the board already; every dragonling needs a number of its own")
    owner = table.whole("owner", 0, int(state["seats"]) - 1)
    if state["pos"][owner] < 0:
        raise table.wrong("owner", "is not on the board; dragonlings leave with their owner")
    _stand(table, cards, state, piece)
    state["owner"][piece] = owner
    brood = int((state["owner"][DRAGONLING:] == owner).sum())
    most = int(cards.record[0]["dragonling_cap"][state["hero"][owner]])
    if brood > most:
        raise table.wrong("owner", f"has {brood} dragonlings; its card allows {most}")
    table.close()


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    seats = int(state["seats"])
    turns = int(cards.record[0]["turn_cap"])
    state["turn"] = table.whole("turn", 0, turns, 0)
    state["round"] = table.whole("round", 1, turns + 1, 1)
    state["first"] = table.whole("first", 0, seats - 1, 0)
    state["active"] = table.whole("active", 0, seats - 1, 0)


def _check_pool(table: Table, cards: CardSet, state: np.void) -> None:
    """ARENA-03. All tokens come from one pool."""
    tokens = int(cards.record[0]["tokens"])
    left = tokens - int(state["rage"].sum()) - int((state["pos"][DRAGONLING:] >= 0).sum())
    if left < 0:
        raise ValueError(f"pool: {tokens - left} rage and dragonlings are in use; there are {tokens} tokens")
    if table.take("pool", left) != left:
        raise table.wrong("pool", f"{left} of {tokens} tokens are left; leave it out or make it so")


def _check_game(state: np.void) -> None:
    """ARENA-80 to 82. Who is in play, who is active, and the places of the others."""
    seats, phase = range(state["seats"]), Phase(state["phase"])
    standing = [seat for seat in seats if state["pos"][seat] >= 0]
    if phase == Phase.START:
        return
    if (len(standing) == 1) != (phase == Phase.OVER) or not standing:
        right = "exactly one hero on the board" if phase == Phase.OVER else "two heroes or more on the board"
        raise ValueError(f'heroes: {len(standing)} on the board; phase "{PHASES[phase]}" needs {right}')
    if phase != Phase.OVER and state["active"] not in standing:
        right = " or ".join(map(str, standing))
        raise ValueError(f"active = {state['active']}: that hero is out; must be {right}")
    for seat in seats:
        fallen = seat not in standing
        least, most = (len(standing) + 1, len(seats)) if fallen else (int(phase == Phase.OVER),) * 2
        if state["place"][seat] == 0:
            state["place"][seat] = least
        if not least <= state["place"][seat] <= most:
            raise ValueError(f"heroes, seat {seat}: place = {state['place'][seat]}: must be {_span(least, most)}")


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _place_starts(cards: CardSet, state: np.void) -> None:
    """ARENA-05. In the set-up, heroes stand on start hexes, from the first seat up to the one before the active."""
    seats, starts = int(state["seats"]), list(cards.record[0]["start_hex"][: cards.record[0]["starts"]])
    placed = (state["active"] - state["first"]) % seats
    for order in range(seats):
        seat = (state["first"] + order) % seats
        place = state["pos"][seat]
        if (place >= 0) != (order < placed):
            right = "stands on a start hex already" if order < placed else f'must be "{WAITING}"'
            raise ValueError(f"heroes, seat {seat}: at: {right}, for seat {state['active']} is placing its hero")
        if place >= 0:
            if place not in starts:
                names = ", ".join(str(list(hex_at(cards, start))) for start in starts)
                here = list(hex_at(cards, place))
                raise ValueError(f"heroes, seat {seat}: at = {here}: must be a start hex: {names}")
            state["start_taken"][starts.index(place)] = 1
