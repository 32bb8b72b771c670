"""Positions of Rookling Heroes in readable form, as scenario files write them: `position` writes one, `place` reads it."""

from enum import IntEnum
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.games.rookling.position.players import decks, place_decks, place_player, place_squad, player, squad
from sim.games.rookling.record import LINES, SQUAD, Kind, Mask
from sim.games.rookling.rules.abilities import is_offered, note_bearing, note_zones
from sim.games.rookling.rules.attacks import (
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
    hurt_seat,
    is_open,
    is_used,
    landing_of,
    left_of,
    struck_of,
    to_stage,
)
from sim.games.rookling.rules.energy import power, reaches
from sim.games.rookling.setup import PICKS, squad_of
from sim.games.rookling.state import NOBODY, NOWHERE, POSITIONS, RESOLVING, SEATS, Phase, kinds_at, mover
from sim.games.rookling.text import PLACES, ids_of, line_names, own_name

PHASES = tuple(phase.name.lower() for phase in Phase)
AMOUNTS = {"attack": "att", "defence": "dfn", "cover": "cover"}  # key of the document -> field of the state
_SEATS_OF_TURN = ("attacker", "first")


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position as `place` reads it. Lists of three are by position, from left to right."""
    document: dict[str, Any] = {"turn": int(state["turn"]), "phase": PHASES[state["phase"]]}
    for field in (*_SEATS_OF_TURN, "drafter", "winner"):
        if state[field] != NOBODY:
            document[field] = int(state[field])
    if state["phase"] == Phase.DRAFT:
        return document | {"players": [squad(state, cards, seat) for seat in range(SEATS)]}
    return {
        **document,
        "defending": bool(state["defending"]),
        "players": [squad(state, cards, seat) | player(state, cards, seat) for seat in range(SEATS)],
        **{word: state[field].tolist() for word, field in AMOUNTS.items()},
        "pending": read_pending(state, cards),
        **decks(state, cards),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into a zeroed `state`.

    Only `players` with `squad` or `row` is required. Everything else defaults to a fresh game in which seat 0 is about to
    arrange its row, with all energy that is not named elsewhere in the deck. Raises ValueError with the field, its value and
    what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    _clear(state)
    state["phase"] = phase = Phase[table.one_of("phase", PHASES, PHASES[Phase.ROW]).upper()]
    for seat, entry in enumerate(players):
        place_squad(entry, cards, state, seat)
    _place_turn(table, cards, state)
    if phase == Phase.DRAFT:
        _place_draft(table, players, state)
    else:
        _place_game(table, players, cards, state)
    for part in (*players, table):
        part.close()


def _place_game(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """Write everything that a draft does not have."""
    for seat, entry in enumerate(players):
        place_player(entry, cards, state, seat)
    _place_exchange(table, state)
    _note(cards, state)
    place_decks(table, players, cards, state)
    _check(table, players, state)
    write_pending(Table(table.take("pending", {}), "pending"), cards, state)
    _check_exchange(table, players, cards, state)


def _place_draft(table: Table, players: list[Table], state: np.void) -> None:
    """ROOK-04. Write a draft. The squads determine which seat picks next."""
    state["drafter"] = table.whole("drafter", 0, SEATS - 1, 0)
    picks = (state["rook"] != NOBODY).sum(axis=1)
    state["cursor"] = picks.sum()
    made = [int(seat) ^ int(state["drafter"]) for seat in PICKS[: state["cursor"]]]
    if state["cursor"] == len(PICKS) or any(made.count(seat) != picks[seat] for seat in range(SEATS)):
        raise players[0].wrong("squad", "the squads do not fit a draft in progress with the order 1-2-2-1-1-2 (ROOK-04)")
    for slot in range(SQUAD):
        for seat in range(SEATS):
            turns = [number for number, picker in enumerate(made) if picker == seat]
            state["picked"][seat, slot] = turns[slot] + 1 if slot < len(turns) else 0
    state["effect"] = NOBODY
    state["life"] = 0


def _by_seat(table: Table) -> list[Table]:
    """The players by seat; the default of `seat` is the place in the list."""
    players = table.tables("players", SEATS)
    if len(players) != SEATS:
        raise ValueError(f"players: has {len(players)} entries; must be {SEATS} tables with squad")
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise players[1].wrong("seat", "is already taken; each player needs a different seat")
    return [seated[seat] for seat in range(SEATS)]


def _clear(state: np.void) -> None:
    """Write an empty table."""
    for field in ("rook", "squad", "line", "effect", "drafter", "winner"):
        state[field] = NOBODY
    for field in ("at", "fixed"):
        state[field] = NOWHERE
    state["capacity"] = 1
    state["life_after"] = NOBODY


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the number of the exchange and the roles of the seats."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["attacker"] = table.whole("attacker", 0, SEATS - 1, 0)
    state["first"] = table.whole("first", 0, SEATS - 1, int(state["attacker"]))
    for field in ("drafter", "winner"):
        if table.has(field):
            state[field] = table.whole(field, 0, SEATS - 1)
        table.take(field, None)


def _place_exchange(table: Table, state: np.void) -> None:
    """Write the half of the exchange and the declared amounts."""
    phase = Phase(state["phase"])
    resolves = phase in (Phase.DEFEND, Phase.NEXT, Phase.SIDE, Phase.BLOCK)
    poison = resolves and Table(table.take("pending", {}), "pending").flag("poison", False)
    state["defending"] = table.flag("defending", resolves and not poison)
    for word, field in AMOUNTS.items():
        amounts = table.take(word, [0] * POSITIONS)
        if not isinstance(amounts, list) or len(amounts) != POSITIONS or not all(_is_amount(n) for n in amounts):
            raise table.wrong(word, f"must be {POSITIONS} whole numbers from 0 to {AMOUNT_MAX}, from left to right")
        state[field] = amounts


def _is_amount(value: object) -> bool:
    return is_whole(value, 0, AMOUNT_MAX)


def _note(cards: CardSet, state: np.void) -> None:
    """Write the fields that are derived from others: numbers of squads, and kinds of tokens."""
    for seat in range(SEATS):
        state["squad"][seat] = squad_of(state, cards.record[0], seat)
        for slot in range(SQUAD):
            note_bearing(state, cards.record[0], seat, slot)
            kinds = np.flatnonzero(state["tok_new"][seat, slot])
            state["pending"][seat, slot] = sum(1 << int(kind) for kind in kinds)
    note_zones(state, cards.record[0])


def _check(table: Table, players: list[Table], state: np.void) -> None:
    """ROOK-01, 10, 55. Check that no player has lost unless the game is over, and that rows are given."""
    phase, lost = Phase(state["phase"]), [not state["life"][seat].any() for seat in range(SEATS)]
    for seat, entry in enumerate(players):
        if lost[seat] and phase != Phase.OVER:
            raise entry.wrong("life", 'all three are in siege-state, which ends the game; phase must be "over" (ROOK-01)')
        begins = phase == Phase.ROW and (state["defending"] or seat == state["attacker"])  # the seat arranges its first row
        if NOWHERE in state["at"][seat] and not begins and phase != Phase.OVER:
            raise entry.wrong("row", f'must be the squad from left to right in phase "{PHASES[phase]}"')
    if phase == Phase.OVER and state["winner"] != NOBODY and lost[state["winner"]]:
        raise table.wrong("winner", "has all three Rooklings in siege-state; must be the other seat")


def _check_exchange(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """ROOK-11 to 45. Check that phase, energy, lines and amounts fit the step of the exchange."""
    phase, poison = Phase(state["phase"]), bool(state["poison"])
    if phase == Phase.OVER:
        return
    halves = {Phase.ATTACK: False, Phase.DEFEND: True, **dict.fromkeys(RESOLVING, not poison)}
    if halves.get(phase, state["defending"]) != state["defending"]:
        raise table.wrong("defending", f'must be {str(halves[phase]).lower()} in phase "{PHASES[phase]}" (ROOK-11)')
    if phase == Phase.ROW and state["defending"] and state["turn"]:
        right = "must be false; the defender arranges a row only before the first exchange (ROOK-10, 19)"
        raise table.wrong("defending", right)
    step = _step(state)
    for word, field in AMOUNTS.items():
        if state[field].any() and step < _Step.ATTACKS:
            raise table.wrong(word, f'must be 0 everywhere; nothing is declared in phase "{PHASES[phase]}" (ROOK-11)')
    for seat, entry in enumerate(players):
        attacks = seat == state["attacker"]
        _check_energy(entry, cards, state, seat, step >= _Step.ATTACK_ENERGY)
        _check_lines(entry, cards, state, seat, step >= (_Step.ATTACKS if attacks else _Step.DEFENCES))
        if state["skip"][seat] and not attacks:
            raise entry.wrong("skip", "must be false; only the attacker pays for clearing with its draw (ROOK-15)")
    if step >= _Step.CLEAR_AGAIN and not poison:
        _check_faced(players[1 - int(state["attacker"])], cards, state)
    if phase in OF_A_LINE:
        _check_line_at_hand(cards, state)


class _Step(IntEnum):
    """ROOK-11. Steps of an exchange with decisions: A1 to A4, D1 to D3, then D4 and E1."""

    CLEAR = 0
    ROW = 1
    ATTACK_ENERGY = 2
    ATTACKS = 3
    CLEAR_AGAIN = 4
    DEFENCE_ENERGY = 5
    DEFENCES = 6
    RESOLVE = 7


def _step(state: np.void) -> _Step:
    """ROOK-11. The current step of the exchange."""
    phase, defending = Phase(state["phase"]), bool(state["defending"])
    if phase in RESOLVING:
        return _Step.RESOLVE
    if phase == Phase.CLEAR:
        return _Step.CLEAR_AGAIN if defending else _Step.CLEAR
    if phase == Phase.ROW:
        return _Step.ROW
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return _Step.DEFENCES if defending else _Step.ATTACKS
    return _Step.DEFENCE_ENERGY if defending else _Step.ATTACK_ENERGY


def _check_energy(entry: Table, cards: CardSet, state: np.void, seat: int, placing: bool) -> None:
    """ROOK-20, 21, 35. Check the energy on Rooklings. placing: whether the exchange has reached the placing of energy.

    The defender's energy can be given before its half begins, so that a scenario can start with the attack.
    """
    used = state["powered"][seat].any() or state["activated"][seat].any()
    if not placing and (state["zone_n"][seat].any() or used or (state["capacity"][seat] != 1).any()):
        key = "energy" if state["zone_n"][seat].any() else "exchange"
        phase = PHASES[state["phase"]]
        raise entry.wrong(key, f'must be left out; energy is placed later than phase "{phase}" (ROOK-11, 20)')
    for at in range(POSITIONS):
        if state["at"][seat, at] == NOWHERE:
            continue
        kinds, masks = int(kinds_at(state, seat, at)), cards.record[0]["token_mask"]
        for mask, there, what in (
            (Mask.NO_ENERGY, state["zone_n"][seat, at], "takes no energy (ROOK-68)"),
            (Mask.NO_SPECIAL, state["activated"][seat, at], "activates no special line (ROOK-69)"),
        ):
            if there and (barring := kinds & int(masks[mask])):
                who, word = own_name(state, cards, seat, at), ids_of(cards, "token")[barring.bit_length() - 1]
                key = "energy" if mask == Mask.NO_ENERGY else "exchange"
                raise entry.wrong(key, f"{who} on the {PLACES[at]} bears {word} and {what}")


def _check_lines(entry: Table, cards: CardSet, state: np.void, seat: int, declaring: bool) -> None:
    """ROOK-12, 22, 27, 61. Check that used and activated lines are met, and mark the energy that powers used ones.

    declaring: whether the player has reached the declaring of its attacks or defences.
    """
    record, lines = cards.record[0], Table(entry.values.get("exchange", {}), entry.field("exchange"))
    kind = Kind.ATTACK if seat == state["attacker"] else Kind.DEFENCE
    for at in range(POSITIONS):
        in_use, activated = int(state["line"][seat, at]), int(state["activated"][seat, at])
        for line in range(LINES):
            if line != in_use and not activated >> line & 1:
                continue
            key, rook = "lines" if line == in_use else "activated", int(state["rook"][seat, state["at"][seat, at]])
            name = line_names(cards, rook)[line]
            if line == in_use and not declaring:
                raise lines.wrong(key, f'{name} is in use; lines are declared later than phase "{PHASES[state["phase"]]}"')
            if line == in_use and record["kind"][rook, line] != kind:
                raise lines.wrong(key, f"{name} is no {kind.name.lower()} line, which this player declares now (ROOK-12)")
            if not any(reaches(record, rook, line, side, state["shown"][seat, at]) for side in range(2)):
                raise lines.wrong(key, f"{name} is not met by the energy on the {PLACES[at]} (ROOK-22 to 25)")
            if line == in_use:
                power(state, record, seat, at, line)
        if record["one_line_per_rookling"] and activated.bit_count() + (in_use != NOBODY) > 1:
            raise lines.wrong("activated", "has more than one line of a Rookling (rules.one_line_per_rookling)")


def _check_faced(entry: Table, cards: CardSet, state: np.void) -> None:
    """ROOK-41, 42. Check that no attacked Rookling has a token that would have acted and been spent."""
    seat, masks = 1 - int(state["attacker"]), cards.record[0]["token_mask"].astype(int)
    acting = int(masks[Mask.CANCEL] | (masks[Mask.FACED] & masks[Mask.TRIGGER]))
    for at in range(POSITIONS):
        if state["att"][at] and (left := int(kinds_at(state, seat, at)) & acting):
            who, word = own_name(state, cards, seat, at), ids_of(cards, "token")[left.bit_length() - 1]
            raise entry.wrong(
                "tokens", f"{who} on the {PLACES[at]} is attacked; {word} would have acted and been spent (ROOK-41, 42)"
            )


def _check_line_at_hand(cards: CardSet, state: np.void) -> None:
    """ROOK-30. Check the special line that ACTIVATE or TARGET is about. At TARGET, mark it as activated."""
    seat, at, line, record = int(mover(state)), int(state["focus"]), int(state["cursor"]), cards.record[0]
    if state["phase"] == Phase.ACTIVATE:
        fits = bool(is_offered(state, record, seat, at, line))
    else:
        rook = int(state["rook"][seat, state["at"][seat, at]])
        fits = any(reaches(record, rook, line, side, state["shown"][seat, at]) for side in range(2))
    if not fits:
        name = line_names(cards, int(state["rook"][seat, state["at"][seat, at]]))[line]
        raise ValueError(
            f'pending.line = "{name}": cannot be activated now: not met, already activated, barred or without effect (ROOK-30)'
        )
    if state["phase"] == Phase.TARGET:
        state["activated"][seat, at] |= 1 << line
        power(state, record, seat, at, line)


# The current decision and the packet under way.


OF_A_LINE = (Phase.ACTIVATE, Phase.TARGET)
DECLARING = (Phase.ATTACK, Phase.DEFEND)
_STAGES = {Phase.NEXT: Stage.NEXT, Phase.SIDE: Stage.SIDE, Phase.BLOCK: Stage.BLOCK}


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return what the current decision is about; empty if the phase alone determines it."""
    phase = Phase(state["phase"])
    if phase in DECLARING:
        return {"at": PLACES[state["cursor"]]}
    if phase in OF_A_LINE:
        at = int(state["focus"])
        return {"at": PLACES[at], "line": line_names(cards, _rookling(state, at))[state["cursor"]]}
    return _resolution(state) if phase in RESOLVING else {}


def _rookling(state: np.void, position: int) -> int:
    """Row of the card file of the mover's Rookling at a position."""
    seat = int(mover(state))
    return int(state["rook"][seat, state["at"][seat, position]])


def _resolution(state: np.void) -> dict[str, Any]:
    """ROOK-45. Open attacks, used blocks, hits so far, and the packet under way."""
    clash = int(state["clash"])
    hits = {PLACES[at]: int(bearer_of(clash, at)) for at in range(POSITIONS)}
    pending: dict[str, Any] = {
        "poison": bool(state["poison"]),
        "open": [place for at, place in enumerate(PLACES) if is_open(clash, at)],
        "used": [place for at, place in enumerate(PLACES) if is_used(clash, at)],
        "hits": {place: PLACES[bearer] for place, bearer in hits.items() if bearer != NOWHERE},
    }
    if state["phase"] != Phase.NEXT:
        pending |= {"struck": PLACES[struck_of(clash)], "left": int(left_of(clash))}
    if state["phase"] == Phase.BLOCK:
        pending |= {"landing": PLACES[landing_of(clash)], "blocker": PLACES[blocker_of(clash)]}
    return pending


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the current decision into a state that has the rest of the position. Raises ValueError as `place` does."""
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
    """A position by its name; required if there is no default."""
    return PLACES.index(table.one_of(key, PLACES) if default is None else table.one_of(key, PLACES, default))


def _place_resolution(table: Table, state: np.void) -> None:
    """ROOK-45. Write a resolution. Defaults are those before its first packet."""
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
    """The clash, with the packet that SIDE or BLOCK is about."""
    if phase == Phase.NEXT:
        return clash
    struck = _place(table, "struck")
    clash |= struck << STRUCK_AT | table.whole("left", 1, AMOUNT_MAX) << LEFT_AT
    landing = _place(table, "landing", PLACES[struck]) if phase == Phase.BLOCK else struck
    blocker = _place(table, "blocker", PLACES[landing]) if phase == Phase.BLOCK else 0
    return clash | landing << LANDING_AT | blocker << BLOCKER_AT


def _places(table: Table, key: str, default: list[str]) -> list[str]:
    """A list of positions by their names."""
    places = table.items(key, POSITIONS) if table.has(key) else default
    table.take(key, None)
    return _known(places, table.field(key))


def _known(places: list[str], path: str) -> list[str]:
    """Check names of positions. Raises ValueError that names the field."""
    for place in places:
        if place not in PLACES:
            raise ValueError(f"{path}: {shown(place)} is no position; {did_you_mean(place, list(PLACES))}")
    return places
