"""Positions by readable names, as scenario files write them: the keys of POSITION, and the invariants of every position.

With the names imported from `text`, this module is the protocol `Words` of the engine.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, is_whole, plain
from sim.engine.cards import CardSet, Problem
from sim.engine.positions import ABSENT, Case, Custom, Document, Follows, Here, Key, Number, Rows, When, Word, numbered, words_of
from sim.games.arena.actions import has_neighbour, legal_actions
from sim.games.arena.cards import DICE_MAX, STEPS, OfflineChooser
from sim.games.arena.record import split_offset
from sim.games.arena.rules.attack import hexes_of, is_displaced
from sim.games.arena.rules.knockback import HALF_TURN, may_step, pick_step, take_bearing
from sim.games.arena.state import (
    DRAGONLING,
    EMPTY,
    LAST_BIT,
    NO_TARGET,
    NOBODY,
    NOWHERE,
    OPTIONS_MAX,
    PIECES,
    SEATS,
    STRAIGHT,
    WORD_SHIFT,
    Phase,
)
from sim.games.arena.story import events
from sim.games.arena.text import ability_names, action, hex_at, land, line_up, picture, piece_names, zones

__all__ = ["POSITION", "action", "events", "line_up", "picture", "place", "position"]

OUT = "out"  # in place of a hex: fallen
WAITING = "waiting"  # in place of a hex: not placed yet
PROTECTION_MAX = 12
SLOW_MAX = 6
PUSH_HEXES_MAX = 39  # largest K of a push: 9 by the card, 6 x 3 by rage, 12 by damage
RAGE_MAX = 6  # tokens paid for an attack
SUMMON_MAX = 4  # dragonlings placed by an ability
REQUIRED = None


# What is where.


def _off_board(state: np.void) -> str:
    return WAITING if state["phase"] == Phase.START else OUT


def _read_at(here: Here) -> list[int] | str:
    place = here.number("pos")
    return list(hex_at(here.cards, place)) if place >= 0 else _off_board(here.state)


def _write_at(table: Table, here: Here) -> None:
    """Put a piece on the hex given as `at`; a hero can be off the board."""
    (piece,), state, point = here.at, here.state, table.take("at")
    other = f' or "{_off_board(state)}"' if piece < SEATS else ""
    if piece < SEATS and point == _off_board(state):
        return
    if not isinstance(point, list) or len(point) != 2 or not all(is_whole(number, -99, 99) for number in point):
        raise table.wrong("at", f"must be a hex [q, r]{other}")
    place = land(here.cards).get((point[0], point[1]))
    if place is None:
        board = here.cards.switches.get("board")
        raise table.wrong("at", f'is water on the board "{board}"; must be a land hex{other}')
    if state["occ"][place] != EMPTY:
        raise table.wrong("at", f"is taken by {piece_names(state, here.cards)[int(state['occ'][place])]}; must be a free hex")
    state["pos"][piece], state["occ"][place] = place, piece
    state["taken"][place >> WORD_SHIFT] |= np.uint64(1 << (place & LAST_BIT))
    state["standing"] |= np.uint64(1 << piece)


def _brood(here: Here) -> list[int]:
    """Dragonlings on the board."""
    return [piece for piece in range(DRAGONLING, PIECES) if here.state["pos"][piece] >= 0]


def _pool(here: Here) -> int:
    """ARENA-03. Tokens left."""
    return here.card("tokens") - int(here.state["rage"].sum()) - len(_brood(here))


def _standing(state: np.void) -> list[int]:
    return [seat for seat in range(state["seats"]) if state["pos"][seat] >= 0]


def _least_place(state: np.void, seat: int) -> int:
    """ARENA-81, 82. Best place that a hero can have: 0 while it is in play."""
    if state["pos"][seat] >= 0:
        return int(state["phase"] == Phase.OVER)
    return len(_standing(state)) + 1 if state["phase"] != Phase.START else 0


# An ability in progress.

_NEEDS = {  # what an ability must have for the decision: column of the cards, and what to say if it is missing
    Phase.PRE_MOVE: ("move_before_max", "no move before its attack"),
    Phase.RAGE: ("rage_spend_max", "nothing to pay rage for"),
    Phase.SUMMON: ("summon_count", "nothing to summon"),
    Phase.STEP: ("range", "no attack"),
    Phase.POST_MOVE: ("move_after", "no move after its attack"),
}


def _of_ability(here: Here, column: str) -> int:
    """A number of the ability in use."""
    return here.card(column, here.state["hero"][here.state["active"]], here.state["ability"])


def _abilities(here: Here) -> dict[str, int]:
    return numbered(ability_names(here.cards, here.state["hero"][here.state["active"]]))


def _read_target(here: Here) -> str:
    return ABSENT if here.number("target") == NO_TARGET else piece_names(here.state, here.cards)[here.number("target")]


def _write_target(table: Table, here: Here) -> None:
    """ARENA-32, 70. Write what is attacked, after the ability."""
    state, record = here.state, here.cards.record[0]
    if _of_ability(here, "area"):
        if not has_neighbour(state, record):
            raise table.wrong("ability", "attacks adjacent pieces, and there are none (ARENA-70)")
        return
    names = {plain(name): piece for piece, name in piece_names(state, here.cards).items() if piece != state["active"]}
    target = names.get(plain(table.text("target")))
    if target is None:
        raise table.wrong("target", f"must be another piece on the board: {', '.join(names)}")
    state["target"], reach = target, _of_ability(here, "range")
    if state["phase"] == Phase.RAGE and record["distance"][state["pos"][state["active"]], state["pos"][target]] > reach:
        raise table.wrong("target", f"is out of range: the ability reaches {reach} (ARENA-32)")


def _settle_ability(table: Table, here: Here) -> None:
    """Check that the ability leads to the decision."""
    phase = Phase(here.state["phase"])
    column, lacking = _NEEDS[phase]
    if not _of_ability(here, column):
        raise table.wrong("ability", f'has {lacking}; phase "{phase.name.lower()}" needs one')
    if phase == Phase.RAGE and here.state["rage"][here.state["active"]] == 0:
        raise table.wrong("ability", 'its hero has no rage; phase "rage" needs some')


def _write_may_stop(table: Table, here: Here) -> None:
    here.state["summon_first"] = not table.flag("may_stop", False)


ABILITY = Word("ability", "name of the ability in use", words=_abilities)
TARGET = Custom("target", "name of the piece that it attacks, without an area", reader=_read_target, writer=_write_target)
LEFT = Number("left", "dragonlings that can still be placed", field="summon_left", least=1, most=SUMMON_MAX, default=REQUIRED)
MAY_STOP = Custom(
    "may_stop",
    "whether one is placed already",
    shown="false",
    reader=lambda here: not here.number("summon_first"),
    writer=_write_may_stop,
)


def _made_so_far(here: Here) -> tuple[int, int]:
    return here.number("made_u"), here.number("made_v")


def _read_from(here: Here) -> list[int]:
    """Hex on which the target of a push stood before its first step."""
    if _of_ability(here, "pull"):
        return ABSENT
    place, made = hex_at(here.cards, here.state["pos"][here.number("target")]), _made_so_far(here)
    ways = STEPS[here.number("u")], STEPS[here.number("v")]
    return [place[axis] - made[0] * ways[0][axis] - made[1] * ways[1][axis] for axis in (0, 1)]


PUSH = (
    Number("rage_paid", "rage paid for the attack", field="paid", most=RAGE_MAX),
    Number("hits", "hits rolled", most=DICE_MAX, default=REQUIRED),
    Number("blocks", "blocks rolled by the target", field="blocked", index=(0,), most=DICE_MAX),
    Follows("damage", "damage of the attack", value=lambda here: here.number("dealt", 0)),
    Follows("hexes", "K of the push or pull", value=lambda here: here.number("reach_k")),
    Custom(
        "made",
        "steps made in either direction",
        shown="[0, 0]",
        reader=lambda here: [here.number("made_u"), here.number("made_v")],
    ),
    Custom("from", "hex where the push of the target began", shown="follows, unless `made` fits several", reader=_read_from),
)


def _settle_push(table: Table, here: Here) -> None:
    """ARENA-50 to 56, 71. Write a slanted push or pull whose path is being chosen."""
    _settle_ability(table, here)
    state, record, target = here.state, here.cards.record[0], here.number("target")
    hits, blocks = here.number("hits"), here.number("blocked", 0)
    state["targets"][0], state["target_count"], state["net_hit"] = target, 1, hits > blocks
    damage = 0 if _of_ability(here, "no_damage") or target >= SEATS else max(0, hits - blocks)
    hexes = int(hexes_of(state, record, target, damage)) if is_displaced(record, hits, blocks) else 0
    if hexes == 0:
        raise table.wrong("hits", f"with {blocks} blocks moves no piece; a push must be in progress (ARENA-42, 43)")
    state["dealt"][0], state["reach_k"] = damage, hexes
    state["made_u"], state["made_v"] = _made(table, hexes)
    _write_bearing(table, here.cards, state)
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


# The position.


def _hero_cap(column: str) -> Any:
    return lambda here: here.card(column, here.number("hero"))


def _turn_cap(here: Here) -> int:
    return here.card("turn_cap")


def _last_seat(here: Here) -> int:
    return int(here.state["seats"]) - 1


HERO: tuple[Key, ...] = (
    Word("hero", "id of its card", words=lambda here: numbered(here.cards.ids)),
    Custom("at", f'hex [q, r]; "{OUT}": fallen; "{WAITING}": not placed yet', reader=_read_at, writer=_write_at),
    Number("marker", "energy marker", most=lambda here: sum(zones(here.cards, here.number("hero"))) - 1),
    Number("rage", "tokens", most=_hero_cap("rage_cap")),
    Number("protection", "extra Defence dice until its next turn", most=PROTECTION_MAX),
    Number("slow", "steps by which its next Move is shorter", most=SLOW_MAX),
    Number("place", "its place, once it is out", most=SEATS, shown="fallen heroes: the one after those in play"),
)
DRAGONLINGS: tuple[Key, ...] = (
    Number("owner", "seat", most=_last_seat, default=REQUIRED),
    Custom("at", "hex [q, r]", reader=_read_at, writer=_write_at),
)
KEYS: tuple[Key, ...] = (
    Follows("seats", "number of heroes", value=lambda here: int(here.state["seats"])),
    Number("turn", "turns finished", most=_turn_cap),
    Number("round", "round", least=1, most=lambda here: _turn_cap(here) + 1, default=1),
    Number("first", "seat of the first player", most=_last_seat),
    Number("active", "seat whose turn it is", most=_last_seat),
    Word("phase", ", ".join(f"`{phase.name.lower()}`" for phase in Phase), words=words_of(Phase), default="ability"),
    Rows("heroes", "2 to 4", index="seat", rows=lambda here: range(here.state["seats"]), most=_last_seat, keys=HERO),
    Rows("dragonlings", "on the board", index="piece", rows=_brood, first=DRAGONLING, most=PIECES - 1, keys=DRAGONLINGS),
    Follows("pool", "tokens left", value=_pool),
)
PENDING = {
    Phase.PRE_MOVE: Case((ABILITY, TARGET), _settle_ability),
    Phase.RAGE: Case((ABILITY, TARGET), _settle_ability),
    Phase.SUMMON: Case((ABILITY, LEFT, MAY_STOP), _settle_ability),
    Phase.STEP: Case((ABILITY, TARGET, *PUSH), _settle_push),
    Phase.POST_MOVE: Case((ABILITY,), _settle_ability),
}


def _begin(table: Table, here: Here) -> None:
    """Empty the board, and set the number of seats to that of the heroes."""
    state, seats = here.state, len(table.items("heroes", SEATS))
    if seats < 2:
        raise ValueError(f"heroes: has {seats} entries; must be 2 to {SEATS} tables with hero and at")
    state["pos"], state["occ"], state["hero"], state["owner"] = NOWHERE, EMPTY, NOBODY, NOBODY
    for field in ("fall_hex", "fall_by", "fall_ability"):
        state[field][:seats] = NOBODY
    state["seats"], state["target"] = seats, NO_TARGET


def _settle(_table: Table, here: Here) -> None:
    """Write what follows: owners, places of fallen heroes, and start hexes in use."""
    state, record = here.state, here.cards.record[0]
    for seat in range(state["seats"]):
        state["owner"][seat] = seat
        state["place"][seat] = state["place"][seat] or _least_place(state, seat)
    if state["phase"] == Phase.START:
        starts = record["start_hex"][: record["starts"]]
        state["start_taken"][: len(starts)] = np.isin(starts, state["pos"][:SEATS])


# The invariants.


def problems(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """What is impossible in a position, whether from a file or from play."""
    yield from _wrong_pieces(state, cards)
    yield from _wrong_tokens(state, cards)
    if state["phase"] == Phase.START:
        yield from _wrong_starts(state, cards)
    else:
        yield from _wrong_course(state)


def _wrong_pieces(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """ARENA-01, 02. Cards used twice, and pieces that are not where the board has them."""
    heroes = state["hero"][: state["seats"]].tolist()
    for seat, hero in enumerate(heroes):
        if hero in heroes[:seat]:
            yield Problem(("heroes", seat, "hero"), "is already in the game; no card is used twice")
    where = {int(place): piece for piece, place in enumerate(state["pos"]) if place >= 0}
    on_board = {place: int(piece) for place, piece in enumerate(state["occ"]) if piece != EMPTY}
    standing = sum(1 << piece for piece in where.values())
    if where != on_board or max(where, default=0) >= cards.record[0]["hexes"] or int(state["standing"]) != standing:
        yield Problem(("heroes",), "two pieces are on one hex, or a piece is not on land (ARENA-02)")


def _wrong_tokens(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """ARENA-03, 11, 64, 75. More tokens than there are, tokens of fallen heroes, and protection that should have ended."""
    here, record, off = Here(state, cards), cards.record[0], _off_board(state)
    if (left := _pool(here)) < 0:
        tokens = int(record["tokens"])
        yield Problem(("pool",), f"{tokens - left} rage and dragonlings are in use; there are {tokens} tokens")
    for seat in range(state["seats"]):
        out = state["pos"][seat] < 0
        for name in ("rage", "protection", "slow"):
            if out and state[name][seat] > 0:
                yield Problem(("heroes", seat, name), f"must be 0, the hero is {off}")
    for piece in _brood(here):
        owner = int(state["owner"][piece])
        brood = [other for other in _brood(here) if state["owner"][other] == owner]
        if state["pos"][owner] < 0:
            yield Problem(("dragonlings", piece, "owner"), "is not on the board; dragonlings leave with their owner")
        elif len(brood) > (most := int(record["dragonling_cap"][state["hero"][owner]])):
            yield Problem(("dragonlings", brood[-1], "owner"), f"has {len(brood)} dragonlings; its card allows {most}")
    if state["phase"] in (Phase.MOVE, Phase.ABILITY, Phase.PRE_MOVE) and state["protection"][state["active"]] > 0:
        right = "must be 0, its protection ended when its turn began (ARENA-11)"
        yield Problem(("heroes", int(state["active"]), "protection"), right)


def _wrong_course(state: np.void) -> Iterator[Problem]:
    """ARENA-10, 80 to 82. Heroes in play, phase, active seat and places that do not agree."""
    standing, phase = _standing(state), Phase(state["phase"])
    if (len(standing) == 1) != (phase == Phase.OVER) or not standing:
        right = "exactly one hero" if phase == Phase.OVER else "two heroes or more"
        yield Problem(("heroes",), f'{len(standing)} on the board; phase "{phase.name.lower()}" needs {right}')
    if phase != Phase.OVER and state["active"] not in standing:
        yield Problem(("active",), f"that hero is out; must be {' or '.join(map(str, standing))}")
    if state["round"] > state["turn"] + 1:
        yield Problem(("round",), f"cannot be reached in {state['turn']} turns; must be at most {state['turn'] + 1} (ARENA-10)")
    for seat in range(state["seats"]):
        least = _least_place(state, seat)
        most = least if seat in standing else int(state["seats"])
        if not least <= state["place"][seat] <= most:
            yield Problem(("heroes", seat, "place"), f"must be {least if least == most else f'{least} to {most}'}")


def _wrong_starts(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """ARENA-05. During setup, heroes stand on start hexes, from the first seat up to the one before the active seat."""
    seats, starts = int(state["seats"]), cards.record[0]["start_hex"][: cards.record[0]["starts"]].tolist()
    placed = (state["active"] - state["first"]) % seats
    for order in range(seats):
        seat = int(state["first"] + order) % seats
        place = int(state["pos"][seat])
        if (place >= 0) != (order < placed):
            right = "must be a start hex" if order < placed else f'must be "{WAITING}"'
            yield Problem(("heroes", seat, "at"), f"{right}, because seat {state['active']} is placing its hero")
        elif place >= 0 and place not in starts:
            names = ", ".join(str(list(hex_at(cards, start))) for start in starts)
            yield Problem(("heroes", seat, "at"), f"must be a start hex: {names}")


POSITION = Document(
    keys=KEYS,
    problems=problems,
    begin=_begin,
    settle=_settle,
    pending=When("pending", "an ability in progress", field="phase", cases=PENDING),
)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dictionary that `place` accepts."""
    return POSITION.read(state, cards)


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into a zeroed `state`. Only `heroes` with `hero` and `at` are required.

    Raises ValueError with the field, its value and what would be right.
    """
    POSITION.write(position, cards, state)
    if state["phase"] != Phase.OVER and legal_actions(state, cards.record[0], np.zeros(OPTIONS_MAX, np.int32)) == 0:
        raise ValueError(f'phase = "{Phase(state["phase"]).name.lower()}": leaves nothing to decide in this position')
