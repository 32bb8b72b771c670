"""What is under way in Riftborn Tactics, by readable names: the decision at hand and all that follows from it.

Every field of the state that still matters is written, as a word where it is one, unless it is as in an idle moment of the
turn. Creatures are `[seat, row, index]`, from 0, rows from the front; one that is gone is `[seat]`.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table
from sim.games.riftborn.cards import ids_of, kind_of
from sim.games.riftborn.labels import is_here, spot_of
from sim.games.riftborn.notation_creature import free_creature
from sim.games.riftborn.notation_player import is_spot
from sim.games.riftborn.record import DECK_MAX, Kind, List
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, QUEUE, SEATS, THE_PLAYER, TOKENS_MAX, WEAPONS
from sim.games.riftborn.terms import Aim, Blow, Phase, Reach, Step

OPPONENT = "opponent"
IDLE = (Phase.MAIN, Phase.OVER)  # phases in which nothing is under way

_NUMBERS = {  # fields that are numbers, and the largest one
    **dict.fromkeys(("seat", "list_owner"), SEATS - 1),
    **dict.fromkeys(("cursor", "scry_at", "scry_n"), DECK_MAX),
    **dict.fromkeys(("raged", "siphoned", "excess"), TOKENS_MAX),
    **dict.fromkeys(("free", "answers"), 1),
    **dict.fromkeys(("mulligan", "play_at", "entry", "summon_left"), 9),
    "returned": 2**16 - 1,
    "strike": 2,
    "to_choose": ALL,
}
_CHOICES: dict[str, Any] = {
    **dict.fromkeys(("step", "after_summon", "after_list", "after_tricks"), Step),
    "aim": Aim,
    "reached": Reach,
    "blow": Blow,
    "list": List,
}
_CARDS = ("playing", "entrant", "spell", "summon_card", "list_card")
_SETS = ("chosen", "previous", "givers")
_CREATURES = ("placed", "summoner", "user", "target", "giver", "hurt", "source", "trigger", "subject")
_WAITING = ("trigger", "subject")  # of a TRICK card in the queue

_MULLIGAN = ("seat", "cursor", "mulligan", "returned")
_CHOICE = ("to_choose", "chosen")
_SCRY = ("scry_at", "scry_n")
_PLAY = ("playing", "play_at", "spell", "free")
_SUMMON = ("summoner", "summon_card", "summon_left", "after_summon")
_LIST = ("list_owner", "list_card", "list", "entry", "source", "previous", "after_list")
_TRICKED = ("list_owner", "trigger", "subject")
_MOVE = ("user", "givers")
_ATTACK = ("user", "target", "strike", "answers", "reached")
_BLOW = ("blow", "giver", "hurt", "excess")
_EXCHANGE = ("raged", "siphoned")
_LINKS = {Step.LIST: "after_list", Step.SUMMON: "after_summon", Step.TRICKS: "after_tricks"}
_ATTACKING = frozenset((Step.STRIKE, Step.BLOW, Step.ANSWER, Step.EXCHANGED, Step.SECOND, Step.OPPORTUNITY))


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Tell what is under way; empty in the main step of a turn and at the end."""
    if state["phase"] in IDLE:
        return {}
    told = {field: _told(state, cards, field) for field in _live(state, cards)}
    told = {field: value for field, value in told.items() if value not in (None, 0, []) or field in ("seat", "user")}
    if state["queue_n"] and state["phase"] != Phase.MULLIGAN:
        told["queue"] = [_waiting(state, place) for place in range(state["queue_n"])]
    return told


def _live(state: np.void, cards: CardSet) -> list[str]:
    """Fields that still matter; what is over stays in the others until the next of its kind."""
    phase = Phase(state["phase"])
    if phase == Phase.MULLIGAN:
        return [*_MULLIGAN]
    if phase == Phase.CREATURE:
        return ["user"]
    steps = _ahead(state)
    aim = Aim(state["aim"]) if phase == Phase.TARGET else Aim.NONE
    fields = ["seat", "step"]
    fields += ("aim",) if phase == Phase.TARGET else ()
    fields += _CHOICE if aim == Aim.EFFECT else ()
    fields += ("entrant",) if phase == Phase.PLACE else ()
    fields += _SCRY if phase == Phase.SCRY else ()
    fields += _PLAY if state["playing"] != NOBODY else ()
    fields += ("placed",) if phase != Phase.PLACE and _plays_creature(state, cards) else ()
    fields += _SUMMON if Step.SUMMON in steps else ()
    fields += _LIST if Step.LIST in steps else ()
    fields += _TRICKED if phase == Phase.TRICK_FIRE or (Step.LIST in steps and state["list"] != List.MAIN) else ()
    fields += ("after_tricks",) if Step.TRICKS in steps else ()
    fields += _BLOW if aim == Aim.PASS else ()
    if aim == Aim.PASS and state["blow"] == Blow.OPPORTUNITY:
        fields += _MOVE
    elif aim == Aim.PASS:
        fields += (*_ATTACK, *_EXCHANGE)
    elif aim == Aim.RETARGET or _ATTACKING & {*steps}:
        fields += _ATTACK
    elif aim not in (Aim.NONE, Aim.EFFECT):
        fields.append("user")
    return fields


def _plays_creature(state: np.void, cards: CardSet) -> bool:
    """Whether a creature card is being played."""
    return bool(state["playing"] != NOBODY and kind_of(cards, int(state["playing"])) == Kind.CREATURE)


def _ahead(state: np.void) -> list[Step]:
    """The step that follows, and those after it as far as they are known."""
    steps = [Step(state["step"])]
    while steps[-1] in _LINKS and len(steps) <= len(_LINKS):
        steps.append(Step(state[_LINKS[steps[-1]]]))
    return steps


def _told(state: np.void, cards: CardSet, field: str) -> Any:
    """A field in words; None where nothing is said."""
    value = int(state[field])
    if field in _CHOICES:
        return _CHOICES[field](value).name.lower() if value else None
    if field in _CARDS:
        return None if value == NOBODY else ids_of(cards)[value]
    if field in _SETS:
        return _spots(state, value << CREATURES * int(1 - state["active"]) if field == "givers" else value)
    if field not in _CREATURES or (field == "user" and _wields(state)):
        return value
    return None if value == NOBODY else OPPONENT if value == THE_PLAYER else _spot(state, value)


def _wields(state: np.void) -> bool:
    """Whether a Weapon is in use, by its number, not a creature."""
    return bool(state["phase"] == Phase.TARGET and state["aim"] == Aim.WEAPON)


def _spot(state: np.void, g: int) -> list[int]:
    return list(spot_of(state, g)) if is_here(state, g) else [g // CREATURES]


def _spots(state: np.void, bits: int) -> list[list[int]]:
    """Creatures of a set that are still there."""
    return sorted(_spot(state, g) for g in range(ALL) if bits >> g & 1 and is_here(state, g))


def _waiting(state: np.void, place: int) -> dict[str, Any]:
    """A TRICK card that waits."""
    creatures = {what: int(state[f"queue_{what}"][place]) for what in _WAITING}
    told = {what: _spot(state, g) for what, g in creatures.items() if g != NOBODY}
    return {"owner": int(state["queue_owner"][place])} | told


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write what is under way into a state that holds the rest of the position. Raises ValueError as `place`."""
    phase = Phase(state["phase"])
    state["seat"] = state["active"]
    if phase == Phase.CREATURE:
        state["user"] = _read_creature(table, "user", state, table.take("user"))
    elif phase not in IDLE:
        fields = _MULLIGAN if phase == Phase.MULLIGAN else (*_CHOICES, *_CARDS, *_NUMBERS, *_CREATURES, *_SETS)
        for field in fields:
            if table.has(field):
                state[field] = _read(table, field, cards, state)
            table.take(field, None)
        _write_queue(table, state)
    table.close()


def _read(table: Table, field: str, cards: CardSet, state: np.void) -> int:
    """A field by what `_told` says of it. Aims come first, for they say what else means."""
    if field in _CHOICES:
        words = _CHOICES[field]
        return int(words[table.one_of(field, [word.name.lower() for word in words]).upper()])
    if field in _CARDS:
        return ids_of(cards).index(table.one_of(field, ids_of(cards)))
    if field in _SETS:
        bits = sum({1 << _read_creature(table, field, state, value) for value in table.items(field, ALL)})
        return bits >> CREATURES * int(1 - state["active"]) if field == "givers" else bits
    if field in _NUMBERS:
        return table.whole(field, 0, _NUMBERS[field])
    if field == "user" and _wields(state):
        return table.whole(field, 0, WEAPONS - 1)
    value = table.take(field)
    return THE_PLAYER if field == "target" and value == OPPONENT else _read_creature(table, field, state, value)


def _read_creature(table: Table, field: str, state: np.void, value: object) -> int:
    """A creature by its place, or any that is gone by its seat."""
    if isinstance(value, list) and value in [[seat] for seat in range(SEATS)]:
        return free_creature(state, value[0])
    if is_spot(value) and isinstance(value, list) and (g := int(state["grid"][tuple(value)])) != NOBODY:
        return g
    raise table.wrong(
        field, "must be a creature that is there, [seat, row, index] from 0, or [seat] for one that is gone"
    )


def _write_queue(table: Table, state: np.void) -> None:
    """RIFT-117. TRICK cards that wait."""
    waiting = table.tables("queue", QUEUE)
    state["queue_n"] = len(waiting)
    for place, entry in enumerate(waiting):
        state["queue_owner"][place] = entry.whole("owner", 0, SEATS - 1)
        for what in _WAITING:
            there = entry.take(what, None)
            state[f"queue_{what}"][place] = NOBODY if there is None else _read_creature(entry, what, state, there)
        entry.close()
