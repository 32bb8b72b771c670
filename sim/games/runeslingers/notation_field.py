"""What lies on a field of Runeslingers, by readable names: concentrations, things on them, ailments, boons.

Slots and areas are numbered from 1.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table
from sim.games.runeslingers.idle import may_trap
from sim.games.runeslingers.labels import concentrations_of, is_concealed, things_of
from sim.games.runeslingers.names import ids_of, kind_of
from sim.games.runeslingers.notation_cards import ANY, Allotment, card_at
from sim.games.runeslingers.record import ACTIVATED, AILMENT_WORDS, DECK_MAX, Kind
from sim.games.runeslingers.state import AREAS, COUNT_MAX, NOBODY, SEATS, SLOTS, TOKENS_MAX

USES_MAX = 99  # of an activated effect in a turn


def field_of(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """What lies on a player's field."""
    ids = ids_of(cards)
    concentrations = [
        {
            "slot": slot + 1,
            "card": ids[state["card_of"][state["conc"][seat, slot]]],
            "used": bool(state["conc_used"][seat, slot]),
            "laid": int(state["conc_seq"][seat, slot]),
        }
        for slot in concentrations_of(state, seat)
    ]
    ailments = [
        {
            "type": AILMENT_WORDS[state["ailment"][seat, area]],
            "area": area + 1,
            "count": int(state["count"][seat, area]),
        }
        for area in range(AREAS)
        if state["count"][seat, area]
    ]
    places = things_of(state, seat)
    return {
        "concentrations": concentrations,
        "things": [{"slot": p + 1} | _thing(state, ids, seat, p) for p in places if p < SLOTS],
        "ailments": ailments,
        "exposed": exposed(state, seat),
        "boons": [{"area": p - SLOTS + 1} | _thing(state, ids, seat, p) for p in places if p >= SLOTS],
    }


def exposed(state: np.void, seat: int) -> dict[str, int]:
    """RUNE-06. Exposed instances of each ailment."""
    there = dict.fromkeys(AILMENT_WORDS, 0)
    for area in range(AREAS):
        if state["count"][seat, area] and not is_concealed(state, seat, area):
            there[AILMENT_WORDS[state["ailment"][seat, area]]] += int(state["count"][seat, area])
    return there


def _thing(state: np.void, ids: tuple[str, ...], seat: int, place: int) -> dict[str, Any]:
    """A thing in play: a card, and all that can be so of it."""
    inst, under = int(state["thing"][seat, place]), int(state["under"][seat, place])
    told: dict[str, Any] = {"card": ids[state["card_of"][inst]], "owner": inst // DECK_MAX}
    told |= {key: bool(state[field][seat, place]) for key, field in (("used", "used"), ("charged", "charged"))}
    told["new"] = bool(state["turn_played"][seat, place] == state["turn"])
    told |= {key: int(state[field][seat, place]) for key, (field, _) in _THING_NUMBERS.items()}
    told["uses"] = state["uses"][seat, place].tolist()
    trapped = under != NOBODY
    told["under"] = ids[state["card_of"][under]] if trapped else ""
    told["under_owner"] = under // DECK_MAX if trapped else SEATS - 1 - seat
    told["under_hidden"] = bool(state["under_hidden"][seat, place])
    return told | {"laid": int(state["thing_seq"][seat, place])}


_THING_NUMBERS = {  # keys of a thing that are numbers: field of the state, the largest one
    "tokens": ("tokens", TOKENS_MAX),
    "damage": ("damage", COUNT_MAX),
    "barrier": ("guard", COUNT_MAX),
}


def place_field(entry: Table, allotment: Allotment, seat: int) -> None:
    """Write a field into a state in which nothing lies yet. Raises ValueError as `place`."""
    _place_concentrations(entry, allotment, seat)
    _place_ailments(entry, allotment, seat)
    _place_things(entry, allotment, seat, "things", "slot")
    _place_things(entry, allotment, seat, "boons", "area")


def _place_concentrations(entry: Table, allotment: Allotment, seat: int) -> None:
    """RUNE-07, 39, 53. Concentrations: how many, or which; a card not named is one that nobody names."""
    cards, state = allotment.cards, allotment.state
    areas = int(cards.record[0]["concentration_areas"])
    if isinstance(entry.take("concentrations", 0), int):
        found = [
            Table({}, f"{entry.field('concentrations')}") for _ in range(entry.whole("concentrations", 0, areas, 0))
        ]
    else:
        words = entry.items("concentrations", areas)
        named = [{"card": word} if isinstance(word, str) else word for word in words]
        found = Table({"concentrations": named}, entry.path).tables("concentrations", areas)
    for index, table in enumerate(found):
        slot = table.whole("slot", 1, areas, index + 1) - 1
        if state["conc"][seat, slot] != NOBODY:
            raise table.wrong("slot", f"slot {slot + 1} is taken; each slot has one concentration (RUNE-39)")
        card = card_at(table, "card", cards) if table.has("card") else ANY
        table.take("card", None)
        state["conc"][seat, slot] = 0
        state["conc_used"][seat, slot] = table.flag("used", False)
        state["conc_seq"][seat, slot] = table.whole("laid", 1, COUNT_MAX, _next(state))
        state["seq"] = max(state["seq"], state["conc_seq"][seat, slot])
        allotment.ask(seat, card, lambda inst, slot=slot: state["conc"].__setitem__((seat, slot), inst))  # type: ignore[misc]
        table.close()


def _next(state: np.void) -> int:
    """Running number of the next card laid."""
    return int(state["seq"]) + 1


def _place_ailments(entry: Table, allotment: Allotment, seat: int) -> None:
    """RUNE-03. Ailments by area."""
    state, areas = allotment.state, int(allotment.cards.record[0]["ailment_areas"])
    for index, table in enumerate(entry.tables("ailments", areas)):
        area = table.whole("area", 1, areas, index + 1) - 1
        if state["count"][seat, area]:
            raise table.wrong("area", f"area {area + 1} is taken; each area holds one type (RUNE-95)")
        state["ailment"][seat, area] = AILMENT_WORDS.index(table.one_of("type", AILMENT_WORDS))
        state["count"][seat, area] = table.whole("count", 1, COUNT_MAX, 1)
        table.close()


def _place_things(entry: Table, allotment: Allotment, seat: int, key: str, spot: str) -> None:
    """RUNE-53, 106, 108, 110. Cards on concentrations, or boons on ailments, one on each. spot: `slot` or `area`."""
    cards, state = allotment.cards, allotment.state
    first, most = (0, SLOTS) if spot == "slot" else (SLOTS, AREAS)
    for index, table in enumerate(entry.tables(key, most)):
        at = table.whole(spot, 1, most, index + 1) - 1
        if state["thing"][seat, first + at] != NOBODY:
            raise table.wrong(spot, f"{spot} {at + 1} is taken; one card lies there at most (RUNE-06)")
        below = state["conc"][seat, at] != NOBODY if spot == "slot" else state["count"][seat, at] > 0
        if not below:
            what = "a concentration (RUNE-53)" if spot == "slot" else "an ailment (RUNE-106)"
            raise table.wrong(spot, f"nothing lies at {spot} {at + 1}; a card there needs {what}")
        card = card_at(table, "card", cards)
        if (kind_of(cards, card) == Kind.BOON) != (spot == "area"):
            raise table.wrong("card", "boons lie on ailments, all other cards on concentrations (RUNE-53)")
        _place_thing(table, allotment, seat, first + at, card)
        table.close()


def _place_thing(table: Table, allotment: Allotment, seat: int, place: int, card: int) -> None:
    """Write a thing with all that is said of it."""
    state = allotment.state
    state["thing"][seat, place] = 0
    state["used"][seat, place] = table.flag("used", False)
    state["charged"][seat, place] = table.flag("charged", False)
    state["turn_played"][seat, place] = int(state["turn"]) - (not table.flag("new", False))
    for key, (name, largest) in _THING_NUMBERS.items():
        least = int(allotment.cards.record[0]["tokens"][card]) if key == "tokens" else 0
        state[name][seat, place] = table.whole(key, 0, largest, least)
    uses = table.items("uses", ACTIVATED)
    for effect in range(len(uses)):
        each = Table({"uses": uses[effect]}, table.path)
        state["uses"][seat, place, effect] = each.whole("uses", 0, USES_MAX)
    state["thing_seq"][seat, place] = table.whole("laid", 1, COUNT_MAX, _next(state))
    state["seq"] = max(state["seq"], state["thing_seq"][seat, place])
    owner = table.whole("owner", 0, SEATS - 1, seat)
    allotment.ask(owner, card, lambda inst: state["thing"].__setitem__((seat, place), inst))
    other = table.whole("under_owner", 0, SEATS - 1, SEATS - 1 - seat)
    state["under_hidden"][seat, place] = table.flag("under_hidden", False)
    if table.take("under", ""):
        trapped = card_at(table, "under", allotment.cards)
        if not may_trap(allotment.cards.document["card"][card]):
            name = ids_of(allotment.cards)[card]
            raise table.wrong("under", f"lies under {name}, which traps nothing; must be left out (RUNE-126)")
        allotment.ask(other, trapped, lambda inst: state["under"].__setitem__((seat, place), inst))
