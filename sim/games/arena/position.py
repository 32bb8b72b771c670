"""Positions by readable names, as scenario files write them: `position` reads a state, `place` writes one.

With the names imported from `text`, this module is the protocol `Words` of the engine.
"""

from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, is_whole, plain
from sim.engine.cards import CardSet
from sim.games.arena.actions import has_neighbour, legal_actions
from sim.games.arena.record import DICE_MAX, STEPS, OfflineChooser, split_offset
from sim.games.arena.rules.attack import hexes_of, is_displaced
from sim.games.arena.rules.knockback import HALF_TURN, may_step, pick_step, take_bearing
from sim.games.arena.state import DRAGONLING, EMPTY, NO_TARGET, NOBODY, NOWHERE, OPTIONS_MAX, PIECES, SEATS, STRAIGHT, Phase
from sim.games.arena.text import ability_names, action, events, hex_at, land, line_up, picture, piece_names, zones

__all__ = ["action", "events", "line_up", "picture", "place", "position"]

OUT = "out"  # in place of a hex: fallen
WAITING = "waiting"  # in place of a hex: not placed yet
PROTECTION_MAX = 12
SLOW_MAX = 6
PHASES = tuple(phase.name.lower() for phase in Phase)
PUSH_HEXES_MAX = 39  # largest K of a push: 9 by the card, 6 x 3 by rage, 12 by damage
RAGE_MAX = 6  # tokens paid for an attack
SUMMON_MAX = 4  # dragonlings placed by an ability

_NEEDS = {  # what an ability must have for the decision: field, and what to say if it is missing
    Phase.PRE_MOVE: ("has_move_before", "no move before its attack"),
    Phase.RAGE: ("rage_spend_max", "nothing to pay rage for"),
    Phase.SUMMON: ("summon_count", "nothing to summon"),
    Phase.STEP: ("range", "no attack"),
    Phase.POST_MOVE: ("move_after", "no move after its attack"),
}
_TARGETED = (Phase.PRE_MOVE, Phase.RAGE, Phase.STEP)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dictionary that `place` accepts. `pending` describes an ability in progress."""
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

    Only `heroes` with `hero` and `at` are required; everything else defaults to a new game in which seat 0 is about to use an
    ability. Raises ValueError with the field, its value and what would be right.
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
    """Empty the board, and set the number of seats to that of the heroes."""
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
    """Sort the heroes by seat, which defaults to the index in the list."""
    heroes = table.tables("heroes", SEATS)
    seated: dict[int, Table] = {}
    for index, hero in enumerate(heroes):
        seat = hero.whole("seat", 0, len(heroes) - 1, index)
        if seat in seated:
            raise ValueError(f"{hero.field('seat')} = {seat}: is already taken; every hero needs its own seat")
        seated[seat] = hero
    return [seated[seat] for seat in sorted(seated)]


def _place_hero(hero: Table, cards: CardSet, state: np.void, seat: int) -> None:
    card = cards.ids.index(hero.one_of("hero", cards.ids))
    if card in state["hero"][:seat]:
        raise hero.wrong("hero", "is already in the game; no card is used twice")
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
    """Put a piece on the hex given as `at`. off: what the table can have in place of a hex."""
    point, other = table.take("at"), f' or "{off}"' if off else ""
    if not isinstance(point, list) or len(point) != 2 or not all(is_whole(number, -99, 99) for number in point):
        raise table.wrong("at", f"must be a hex [q, r]{other}")
    here = land(cards).get((point[0], point[1]))
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
        raise table.wrong("piece", "is already on the board; every dragonling needs its own number")
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
    """ARENA-03. Check that no more tokens are in use than there are."""
    tokens = int(cards.record[0]["tokens"])
    left = tokens - int(state["rage"].sum()) - int((state["pos"][DRAGONLING:] >= 0).sum())
    if left < 0:
        raise ValueError(f"pool: {tokens - left} rage and dragonlings are in use; there are {tokens} tokens")
    if table.take("pool", left) != left:
        raise table.wrong("pool", f"{left} of {tokens} tokens are left; leave it out or correct it")


def _check_game(state: np.void) -> None:
    """ARENA-80 to 82. Check that heroes in play, phase and active seat agree, and set or check the places of the others."""
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
    """ARENA-05. During setup, heroes stand on start hexes, from the first seat up to the one before the active seat."""
    seats, starts = int(state["seats"]), list(cards.record[0]["start_hex"][: cards.record[0]["starts"]])
    placed = (state["active"] - state["first"]) % seats
    for order in range(seats):
        seat = (state["first"] + order) % seats
        place = state["pos"][seat]
        if (place >= 0) != (order < placed):
            right = "must be a start hex" if order < placed else f'must be "{WAITING}"'
            raise ValueError(f"heroes, seat {seat}: at: {right}, because seat {state['active']} is placing its hero")
        if place >= 0:
            if place not in starts:
                names = ", ".join(str(list(hex_at(cards, start))) for start in starts)
                here = list(hex_at(cards, place))
                raise ValueError(f"heroes, seat {seat}: at = {here}: must be a start hex: {names}")
            state["start_taken"][starts.index(place)] = 1


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The ability in progress, as far as what follows depends on it; empty if there is none."""
    phase = Phase(state["phase"])
    if phase not in _NEEDS:
        return {}
    pending: dict[str, Any] = {"ability": ability_names(cards, state["hero"][state["active"]])[state["ability"]]}
    if phase in _TARGETED and state["target"] != NO_TARGET:
        pending["target"] = piece_names(state, cards)[int(state["target"])]
    if phase == Phase.SUMMON:
        pending |= {"left": int(state["summon_left"]), "may_stop": not state["summon_first"]}
    if phase == Phase.STEP:
        pending |= {"rage_paid": int(state["paid"]), "hits": int(state["hits"]), "blocks": int(state["blocked"][0])}
        pending |= {"damage": int(state["dealt"][0]), "hexes": int(state["reach_k"])}
        pending["made"] = [int(state["made_u"]), int(state["made_v"])]
        if not cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]:
            pending["from"] = _began(cards, state)
    return pending


def _began(cards: CardSet, state: np.void) -> list[int]:
    """Hex on which the target of a push stood before its first step."""
    here = hex_at(cards, state["pos"][state["target"]])
    ways = STEPS[state["u"]], STEPS[state["v"]]
    return [here[axis] - int(state["made_u"]) * ways[0][axis] - int(state["made_v"]) * ways[1][axis] for axis in (0, 1)]


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write an ability in progress into a state that holds the rest of the position. Raises ValueError as `place`."""
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
            raise table.wrong("ability", "attacks adjacent pieces, and there are none (ARENA-70)")
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
    """ARENA-50 to 56, 71. Write a slanted push or pull whose path is being chosen."""
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
        raise table.wrong("hits", f"with {blocks} blocks moves no piece; a push must be in progress (ARENA-42, 43)")
    for key, follows in (("damage", damage), ("hexes", hexes)):
        if table.take(key, follows) != follows:
            raise table.wrong(key, f"follows from the rest and is {follows}; leave it out or correct it")
    state["dealt"][0], state["reach_k"] = damage, hexes
    state["made_u"], state["made_v"] = _made(table, hexes)
    _write_bearing(table, cards, state)
    chooser = int(state["owner"][target])
    state["chooser"] = state["active"] if record["offline_chooser"] == OfflineChooser.ATTACKER else chooser


def _made(table: Table, hexes: int) -> list[int]:
    """Read the steps made in directions u and v."""
    made = table.take("made", [0, 0])
    if not isinstance(made, list) or len(made) != 2 or not all(is_whole(steps, 0, PUSH_HEXES_MAX) for steps in made):
        raise table.wrong("made", "must be two whole numbers, the steps made in either direction")
    if sum(made) >= hexes:
        raise table.wrong("made", f"must be fewer steps than hexes = {hexes}")
    return made


def _write_bearing(table: Table, cards: CardSet, state: np.void) -> None:
    """ARENA-50 to 56, 71. Write the two directions of the push, and the two steps to choose from."""
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
        raise table.wrong("target", "has no choice of path where it stands: only one next step is possible (ARENA-51 to 56)")


def _made_lawfully(cards: CardSet, state: np.void) -> bool:
    """ARENA-52, 53. Whether the steps made can be ordered so that each of them is legal."""
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
    """ARENA-50. u, v and whether m = n for the way from the user to the hex `from`, where the target stood at first.

    Without `from`, the hex is derived from the steps made. Raises ValueError if several hexes are possible.
    """
    source, here = (hex_at(cards, state["pos"][piece]) for piece in (state["active"], state["target"]))
    reach = cards.record[0]["range"][state["hero"][state["active"]], state["ability"]]
    given = table.take("from", None)
    if given is not None and given not in [list(place) for place in land(cards)]:
        raise table.wrong("from", "must be the land hex [q, r] where the target stood when the push began")
    bearings = []
    for u, v, m, n in _bearings(here[0] - source[0], here[1] - source[1], (int(state["made_u"]), int(state["made_v"]))):
        began = source[0] + m * STEPS[u][0] + n * STEPS[v][0], source[1] + m * STEPS[u][1] + n * STEPS[v][1]
        state["u"], state["v"], state["even"] = u, v, m == n
        if n > 0 and m + n <= reach and given in (None, list(began)) and _made_lawfully(cards, state):
            bearings.append((u, v, m == n, began))
    if not bearings and given is not None:
        raise table.wrong(
            "from", "cannot be where the push began: a slanted push with the steps made would not lead to where the target stands"
        )
    if not bearings:
        raise table.wrong("target", "is not pushed at a slant; there is no path to choose")
    if len(bearings) > 1:
        places = " and ".join(str(list(bearing[3])) for bearing in bearings)
        raise table.wrong("made", f"fits pushes that began at {places}; give one of these hexes as from")
    return bearings[0][:3]


def _bearings(dq: int, dr: int, made: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """All (u, v, m, n) from which `made` steps in u and v lead to an offset of (dq, dr) from the user."""
    bearings = []
    for u, (uq, ur) in enumerate(STEPS):
        for v in ((u + 1) % len(STEPS), (u - 1) % len(STEPS)):
            began = dq - made[0] * uq - made[1] * STEPS[v][0], dr - made[0] * ur - made[1] * STEPS[v][1]
            bearing = split_offset(*began)
            if bearing[:2] == (u, v):
                bearings.append(bearing)
    return bearings


# the protocol `Words` of the engine
