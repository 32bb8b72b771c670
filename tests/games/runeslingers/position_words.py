"""Short words for objects and decisions of Runeslingers, for positions of tests (`positions` explains them)."""

from collections.abc import Callable

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.actions import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.cards import ids_of
from sim.games.runeslingers.record import ACTIVATED, AILMENT_WORDS
from sim.games.runeslingers.rules.playing import thing_of
from sim.games.runeslingers.state import AREAS, SEATS, SLOTS, Phase, place_of, seat_of

SIDES = "AB"


def word_of(state: np.void, cards: CardSet, code: int) -> str:
    """Short word of a decision that is open."""
    seat, ids = int(state["seat"]), ids_of(cards)
    told: dict[Phase, Callable[[], str]] = {
        Phase.SETUP: lambda: _held(state, ids, seat, code),
        Phase.FIRST: lambda: ("go first", "go second")[code],
        Phase.PASS: lambda: ("play on", "draw")[code] if code < TAKE_BACK else f"take back {code - TAKE_BACK}",
        Phase.MAIN: lambda: _main_word(state, ids, seat, code),
        Phase.SLOT: lambda: f"slot {code}",
        Phase.PLACE: lambda: spot_word(seat if code < AREAS else SEATS - 1 - seat, SLOTS + code % AREAS),
        Phase.DISCARD: lambda: _held(state, ids, seat, code),
        Phase.BULLET: lambda: f"bullet {code}",
        Phase.TARGET: lambda: object_word(int(thing_of(code, seat))),
        Phase.ANSWER: lambda: _held(state, ids, seat, code - 1) if code else "no",
        Phase.BLOCK: lambda: _held(state, ids, seat, code - 1) if code else "no",
        Phase.TRIGGER: lambda: f"trigger {code}",
        Phase.EACH: lambda: f"{SIDES[seat if code == 0 else SEATS - 1 - seat]} first",
    }
    phase = Phase(state["phase"])
    if phase not in told:  # AILMENT, ORDER, REMOVE
        return AILMENT_WORDS[code]
    return told[phase]()


def object_word(thing: int) -> str:
    """`A` a Runeslinger, else as `spot_word`."""
    side = int(seat_of(thing))
    return SIDES[side] if thing < SEATS else spot_word(side, int(place_of(thing)))


def spot_word(seat: int, place: int) -> str:
    """`A0` a slot, `B area 1` an area."""
    return f"{SIDES[seat]}{place}" if place < SLOTS else f"{SIDES[seat]} area {place - SLOTS}"


def place_at(word: str) -> tuple[int, int]:
    """Seat and position of `A0` or `B area 1`."""
    side, _, area = word.partition(" area ")
    return SIDES.index(side[0]), SLOTS + int(area) if area else int(side[1:])


def _held(state: np.void, ids: tuple[str, ...], seat: int, at: int) -> str:
    return ids[int(state["card_of"][state["hand"][seat, at]])]


def _main_word(state: np.void, ids: tuple[str, ...], seat: int, code: int) -> str:
    """`end`, `play fireball`, `set fireball`, `inherent`, `ability`, `activate A0` (its second: `activate A0 again`), ..."""
    if code < PLAY:
        return "end"
    if code < SET:
        return f"play {_held(state, ids, seat, code - PLAY)}"
    if code < INHERENT:
        return f"set {_held(state, ids, seat, code - SET)}"
    if code <= ABILITY:
        return "inherent" if code == INHERENT else "ability"
    if code < CHARGE:
        place, k = divmod(code - ACTIVATE, ACTIVATED)
        return f"activate {spot_word(seat, place)}" + (" again" if k else "")
    return f"charge {spot_word(seat, code - CHARGE)}" if code < MAKE_LIGHT else "light"
