"""A player of Runeslingers by readable names: power and health, light, counts of the turn, piles, and what follows from them."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table
from sim.games.runeslingers.labels import cards_in
from sim.games.runeslingers.names import ids_of
from sim.games.runeslingers.notation_cards import Allotment, cards_at
from sim.games.runeslingers.notation_field import exposed, field_of, place_field
from sim.games.runeslingers.record import DECK_MAX, Boost, Stat
from sim.games.runeslingers.state import COUNT_MAX, HAND_MAX, POWERS
from sim.games.runeslingers.terms import Lost

PILES = {"hand": "hand", "draw_pile": "deck", "discard": "discard", "void": "void"}  # keys: fields of the state
RESTS = ("draw_pile", "discard", "void")  # where cards may be that nobody names
BOOST_MAX = 1000
_COUNTS = {"light": COUNT_MAX, "barrier": COUNT_MAX, "blocked": COUNT_MAX, "inherent_uses": 99}  # the largest numbers
_BOOSTS = tuple(boost.name.lower() for boost in Boost)


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """All there is to say of a player. The draw pile has the top card first, the other piles the oldest."""
    ids = ids_of(cards)
    piles = {key: [ids[card] for card in cards_in(state, pile, seat)] for key, pile in PILES.items()}
    return {
        "seat": seat,
        "deck": cards.ids[state["deck_of"][seat]],
        **{key: int(state[key][seat]) for key in ("power", "determination", "health", *_COUNTS, "sets_left")},
        "boosts": dict(zip(_BOOSTS, state["boosts"][seat].tolist(), strict=True)),
        "stats": stats(state, seat),
        **field_of(state, cards, seat),
        **piles | {"draw_pile": piles["draw_pile"][::-1]},
    }


def stats(state: np.void, seat: int) -> dict[str, int]:
    """RUNE-10, 23, 82. Numbers of a Runeslinger as effects in play make them; flags are 0 or 1."""
    return {stat.name.lower(): int(state["stat"][seat, stat]) for stat in Stat}


def place_player(entry: Table, allotment: Allotment, seat: int) -> None:
    """Write a player whose deck is known into a state; what is in piles is only asked for. Raises ValueError as `place`."""
    cards, state = allotment.cards, allotment.state
    rules = cards.record[0]
    most = int(rules["start_power"])
    power = entry.whole("power", 0, most, most)
    state["power"][seat] = power
    state["determination"][seat] = entry.whole("determination", 0, most - power, most - power)
    state["spent"][seat] = most - power - state["determination"][seat]
    state["powers_lost"][seat, Lost.HEALTH] = most - power
    state["lost_turn"][seat, : min(POWERS, most - power)] = max(1, int(state["turn"]))
    for key, largest in (_COUNTS | {"blocked": int(rules["blocks_per_turn"])}).items():
        state[key][seat] = entry.whole(key, 0, largest, 0)
    state["sets_left"][seat] = entry.whole("sets_left", 0, COUNT_MAX, int(rules["sets_per_turn"]))
    boosts = Table(entry.take("boosts", {}), entry.field("boosts"))
    for boost, word in enumerate(_BOOSTS):
        state["boosts"][seat, boost] = boosts.whole(word, 0, BOOST_MAX, 0)
    boosts.close()
    place_field(entry, allotment, seat)
    for key, pile in PILES.items():
        _ask_for_pile(entry, key, pile, allotment, seat)


def _ask_for_pile(entry: Table, key: str, pile: str, allotment: Allotment, seat: int) -> None:
    """RUNE-03. Ask for the cards of a pile; the draw pile is named from its top."""
    state = allotment.state
    found = cards_at(entry, key, allotment.cards, HAND_MAX if pile == "hand" else DECK_MAX)
    state[f"{pile}_n"][seat] = len(found)
    for at, card in enumerate(found):
        allotment.ask(seat, card, lambda inst, at=at: state[pile].__setitem__((seat, at), inst))  # type: ignore[misc]


def place_rest(entry: Table, state: np.void, seat: int, left: list[int]) -> None:
    """Cards that nobody names go under the draw pile, or where `rest` says; hands are put in order."""
    pile = PILES[entry.one_of("rest", RESTS, RESTS[0])]
    count = int(state[f"{pile}_n"][seat])
    state[pile][seat, count : count + len(left)] = left
    state[f"{pile}_n"][seat] = count + len(left)
    deck = int(state["deck_n"][seat])
    state["deck"][seat, :deck] = state["deck"][seat, :deck][::-1].copy()  # the top one is last
    held = int(state["hand_n"][seat])
    hand = state["hand"][seat, :held].tolist()
    state["hand"][seat, :held] = sorted(hand, key=lambda inst: (int(state["card_of"][inst]), inst))


def check_player(entry: Table, cards: CardSet, state: np.void, seat: int, over: bool) -> None:
    """RUNE-20, 22, 23. Health, and what follows from the rest. over: whether the encounter has ended."""
    most = max(0, int(state["stat"][seat, Stat.MAX_HEALTH]))
    state["health"][seat] = entry.whole("health", 0, COUNT_MAX, most)
    if not over and state["power"][seat] == 0:
        raise entry.wrong("power", 'ends the encounter at 0; phase must be "over" (RUNE-20)')
    if not over and most == 0:
        raise ValueError(f"{entry.path}: has a maximum health of 0 or less, which ends the encounter (RUNE-26)")
    if not over and not 1 <= state["health"][seat] <= most:
        raise entry.wrong("health", f"must be 1 to {most}, the maximum health (RUNE-22, 23)")
    if not over and state["deck_n"][seat] == 0 and not cards.record[0]["deck_out"]:
        raise ValueError(f"{entry.field('draw_pile')}: is empty; the last card costs a power at once (RUNE-24)")
    for key, now in (("stats", stats(state, seat)), ("exposed", exposed(state, seat))):
        if entry.take(key, now) != now:
            raise entry.wrong(key, f"follow from the rest and are {now}; leave them out or make them so (RUNE-06, 10)")
