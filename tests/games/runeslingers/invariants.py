"""What holds in every position of Runeslingers and from each to the next, including fields that must agree."""

from collections.abc import Iterator

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.record import DECK_MAX, DeckOut, Kind, Op, Stat
from sim.games.runeslingers.rules.objects import derive
from sim.games.runeslingers.state import AREAS, HAND_MAX, INSTANCES, NOBODY, OPTIONS_MAX, SEATS, SLOTS, STACK, Frame, Phase, Stage

PILES = ("deck", "hand", "discard", "void")
GROWING = (
    *("prevented", "blocks", "hits", "hits_stopped", "drawn_cards", "seared", "voided", "to_limit", "light_made"),
    *("light_wasted", "slung", "answers", "answered_cards", "foiled", "inherent_times", "ability_times", "spent"),
    *("passes", "boons_on_enemy", "drawn", "plays", "powers_lost", "drained", "applied", "no_room", "own_turns", "turn"),
)  # numbers that never decrease
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses", "thing_seq", "under_hidden")
TEMPORARY = ("light", "barrier", "boosts", "damage", "guard")  # reset by RUNE-46


def check(states: np.ndarray, cards: CardSet) -> None:
    """Check everything that shows in a single position. states: (n,) STATE. Raises AssertionError with the fault."""
    record = cards.record[0]
    for faults in (_of_places, _of_players, _of_fields, _of_rest):
        for name, bad in faults(states, record):
            _told(states, name, bad)
    _of_derived(states, record)


def check_decks(states: np.ndarray, cards: CardSet) -> None:
    """Check that positions of games, not those written by hand, have the decks of the card file."""
    record = cards.record[0]
    decks = record["deck"][states["deck_of"]]
    inside = np.arange(DECK_MAX) < record["deck_size"][states["deck_of"]][:, :, None]
    other = states["card_of"].reshape(len(states), SEATS, DECK_MAX) != decks
    _told(states, "a card that is not of the deck", _any(inside & other))


def check_steps(states: np.ndarray, cards: CardSet) -> None:
    """Check the positions of one game, in order, for steps that cannot happen."""
    before, after = states[:-1], states[1:]
    _told(after, "a power came back", _any(after["power"] > before["power"]))
    for name in GROWING:
        _told(after, f"{name} fell", _any(after[name] < before[name]))
    _told(after, "a card became another", _any(after["card_of"] != before["card_of"]))
    _told(after, "went on after the end", before["phase"] == Phase.OVER)
    same = (after["turn"] == before["turn"]) & (before["phase"] > Phase.FIRST)
    _told(after, "active player changed in a turn", same & (after["active"] != before["active"]))
    _told(after, "blocks of a turn fell", same & _any(after["blocked"] < before["blocked"]) & (before["stage"] > Stage.BEGIN))


def _told(states: np.ndarray, name: str, bad: np.ndarray) -> None:
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        state = states[at]
        where = f"position {at}, turn {state['turn']}, phase {Phase(state['phase']).name}, stage {state['stage']}"
        raise AssertionError(f"{name} at {where}")


def _any(found: np.ndarray) -> np.ndarray:
    """Any over all axes but the first."""
    return found.reshape(len(found), -1).any(axis=1)


def _numbers(states: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Cards of instances; any card for NOBODY."""
    held = np.maximum(found, 0).astype(int).reshape(len(states), -1)
    return np.take_along_axis(states["card_of"], held, 1).reshape(found.shape)


def placed(states: np.ndarray) -> Iterator[tuple[str, np.ndarray, int]]:
    """Where cards are: name, instances (n, k) with NOBODY for none, and their owner (NOBODY for any)."""
    for seat in range(SEATS):
        for pile in PILES:
            held = states[pile][:, seat]
            there = np.arange(held.shape[1]) < states[f"{pile}_n"][:, seat, None]
            yield f"{pile} of seat {seat}", np.where(there, held, NOBODY), seat
        yield f"concentrations of seat {seat}", states["conc"][:, seat], seat
        yield f"things of seat {seat}", states["thing"][:, seat], NOBODY
        yield f"trapped by seat {seat}", states["under"][:, seat], NOBODY
    busy = np.arange(STACK) < states["depth"][:, None]
    yield "work stack", np.where(busy, states["inst"], NOBODY), NOBODY


def _of_places(states: np.ndarray, record: np.void) -> Iterator[tuple[str, np.ndarray]]:
    """Every instance is in exactly one place; a player's piles and concentrations hold its own cards only."""
    times = np.zeros((len(states), INSTANCES), np.int64)
    rows = np.arange(len(states))[:, None]
    for name, found, owner in placed(states):
        there = found != NOBODY
        if owner != NOBODY:
            yield f"a card of another in {name}", _any(there & (found // DECK_MAX != owner))
        np.add.at(times, (np.broadcast_to(rows, found.shape)[there], found[there]), 1)
    sizes = record["deck_size"][states["deck_of"]]
    wanted = np.arange(DECK_MAX) < sizes[:, :, None]
    yield "a card in no place or several", _any(times.reshape(len(states), SEATS, DECK_MAX) != wanted)
    for pile in PILES:
        beyond = np.arange(states[pile].shape[2]) >= states[f"{pile}_n"][:, :, None]
        yield f"a trace beyond the {pile}", _any(beyond & (states[pile] != 0))


def _of_players(states: np.ndarray, record: np.void) -> Iterator[tuple[str, np.ndarray]]:
    """Power, determination, health, hands, counts of a turn."""
    over, start = states["phase"] == Phase.OVER, record["start_power"]
    yield "power out of range", _any((states["power"] < 0) | (states["power"] > start))
    yield "no power in a game that goes on", ~over & _any(states["power"] == 0)
    determination = start - states["power"] - states["spent"]
    yield "determination", _any((states["determination"] != determination) | (determination < 0))
    yield "powers lost", _any(states["powers_lost"].sum(axis=2) != start - states["power"])
    yield "turns of lost powers", _any((states["lost_turn"] > 0).sum(axis=2) != start - states["power"])
    health, most = states["health"], states["stat"][:, :, Stat.MAX_HEALTH]
    yield "health", ~over & _any((health < 1) | (health > most))
    if record["deck_out"] == DeckOut.IMMEDIATE:
        yield "an empty deck", ~over & _any(states["deck_n"] < 1)
    for name in ("light", "barrier", "guard", "damage", "tokens", "count", "sets_left"):
        yield f"{name} below 0", _any(states[name] < 0)
    yield "too large a hand", _any(states["hand_n"] > HAND_MAX)
    yield "too many blocks", _any(states["blocked"] > record["blocks_per_turn"])
    inside = np.arange(HAND_MAX - 1) < states["hand_n"][:, :, None] - 1
    rank = _numbers(states, states["hand"]).astype(int) * INSTANCES + states["hand"]
    yield "a hand out of order", _any(inside & (rank[:, :, :-1] >= rank[:, :, 1:]))


def _of_fields(states: np.ndarray, record: np.void) -> Iterator[tuple[str, np.ndarray]]:
    """Things lie on concentrations and ailments, types are exposed once, no defence is spent."""
    thing, conc, count = states["thing"], states["conc"], states["count"]
    there = thing != NOBODY
    numbers = _numbers(states, thing)
    kind = record["kind"][numbers]
    yield "a thing on no concentration", _any(there[:, :, :SLOTS] & (conc == NOBODY))
    yield "a boon on no ailment", _any(there[:, :, SLOTS:] & (count == 0))
    yield (
        "a boon on a concentration, or no boon on an area",
        _any(there & ((kind == Kind.BOON) != (np.arange(there.shape[2]) >= SLOTS))),
    )
    yield "too many concentrations", _any((conc != NOBODY).sum(axis=2) > record["concentration_areas"])
    yield "too many areas", _any((count > 0) & (np.arange(AREAS) >= record["ailment_areas"]))
    exposed = (count > 0) & ~there[:, :, SLOTS:]
    for one in range(AREAS):
        for other in range(one):
            twin = states["ailment"][:, :, one] == states["ailment"][:, :, other]
            yield "a type exposed twice", _any(exposed[:, :, one] & exposed[:, :, other] & twin)
    trinket = there & (kind == Kind.TRINKET)
    for one in range(SLOTS):
        for other in range(one):
            same = numbers[:, :, one] == numbers[:, :, other]
            yield "two trinkets of a name", _any(trinket[:, :, one] & trinket[:, :, other] & same)
    yield "a card under no trap", _any((states["under"] != NOBODY) & ~(there & traps(record)[numbers]))
    for name in OF_A_THING:
        left = states[name] if states[name].ndim == 3 else states[name].any(axis=3)
        yield f"{name} of nothing", _any(~there & (left != 0))
    defence = record["defence"][numbers] + states["stat"][:, :, Stat.DEFENCE, None]
    spent = there & (kind >= Kind.CHANT) & (states["damage"] >= defence)
    yield "a defence card without defence", _at_rest(states) & _any(spent)
    yield "a used concentration where none is", _any((states["conc_used"] != 0) & (conc == NOBODY))


def traps(record: np.void) -> np.ndarray:
    """Cards that can hold another: those with `trap` among their effects, bullets and activated effects."""
    found = np.zeros(len(record["kind"]), bool)
    for card in range(len(found)):
        rows = [record["effects"][card], *record["bullet"][card], *record["act_effects"][card]]
        if record["triggers"][card]:
            at = int(record["triggers"][card])
            while record["when"][at]:
                rows.append(record["then"][at])
                at += 1
        for row in rows:
            at = int(row)
            while record["op"][at] != Op.NONE:
                found[card] |= record["op"][at] == Op.TRAP
                at += 1
    return found


def _at_rest(states: np.ndarray) -> np.ndarray:
    return (states["phase"] == Phase.MAIN) | (states["phase"] == Phase.PASS)


def _of_rest(states: np.ndarray, record: np.void) -> Iterator[tuple[str, np.ndarray]]:
    """The work stack, what is left of turns, scratch fields, options."""
    over = states["phase"] == Phase.OVER
    yield "the work stack ran over", states["overflow"] != 0
    yield "something pending at rest", _at_rest(states) & (states["depth"] != 0)
    yield "nothing pending in between", ~over & (states["phase"] > Phase.MAIN) & (states["depth"] == 0)
    yield "scratch of shuffles", _any(states["keys"] != 0) | _any(states["pool"] != 0)
    spells = _any((states["thing"] != NOBODY) & (record["kind"][_numbers(states, states["thing"])] < Kind.CHANT))
    truncated = ~over & (states["turn"] >= record["turn_cap"])
    yield "a runespell before the Play Phase", spells & (states["stage"] < Stage.PLAY) & ~over
    yield "a runespell after the last turn", spells & truncated
    for name in TEMPORARY:
        yield f"{name} after the last turn", truncated & _any(states[name] != 0)
    asked = ~over & ~truncated
    yield "no choice", asked & (states["options_n"] < 2)
    inside = np.arange(OPTIONS_MAX - 1) < states["options_n"][:, None] - 1
    yield "options out of order", asked & _any(inside & (states["options"][:, :-1] >= states["options"][:, 1:]))
    own = (states["phase"] == Phase.MAIN) | (states["phase"] == Phase.PASS) | (states["phase"] == Phase.EACH)
    yield "the wrong player decides", asked & own & (states["seat"] != states["active"])
    cards_asked = np.isin(states["phase"], [Phase.SETUP, Phase.DISCARD])
    last = np.take_along_axis(states["options"], np.maximum(states["options_n"] - 1, 0)[:, None].astype(int), 1)[:, 0]
    held = states["hand_n"][np.arange(len(states)), np.maximum(states["seat"], 0)]
    yield "a card that is not held", asked & cards_asked & (last >= held)
    yield ("a card that is not held in an answer", asked & np.isin(states["phase"], [Phase.ANSWER, Phase.BLOCK]) & (last > held))
    frames = np.arange(STACK) < states["depth"][:, None]
    cards_n = (frames & (states["frame"] == Frame.CARD)).sum(axis=1)
    yield "more cards being played than the ladder holds", cards_n > SEATS * SLOTS + 2


def _of_derived(states: np.ndarray, record: np.void) -> None:
    """Derived fields are what would be derived now."""
    for at, state in enumerate(states):
        if state["phase"] != Phase.OVER and state["turn"] < record["turn_cap"]:
            again = state.copy()
            derive(again, record)
            same = np.array_equal(again["stat"], state["stat"]) and np.array_equal(again["hears"], state["hears"])
            assert same, f"stats at position {at}, turn {state['turn']}, phase {Phase(state['phase']).name}"
