"""Positions of Runeslingers by readable names: written for scenario files and read from them.

Slots and areas are numbered from 1. Every card is in exactly one place. A field of a frame is written only where it differs from
that of a fresh frame. A card that is nowhere else while it is being played, or after what lay on it has left, is `[seat, card]`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.engine.dice import DICE
from sim.games.runeslingers.actions import list_options, pursue
from sim.games.runeslingers.cards import card_name, ids_of, kind_of
from sim.games.runeslingers.cards.checks import may_trap
from sim.games.runeslingers.record import (
    ACTIVATED,
    AILMENT_WORDS,
    AILMENTS,
    DECK_MAX,
    EFFECTS_MAX,
    LIST_MAX,
    Boost,
    First,
    Kind,
    Picker,
    Stat,
    To,
    When,
)
from sim.games.runeslingers.rules.objects import defence_of, derive
from sim.games.runeslingers.setup import clear_table
from sim.games.runeslingers.state import (
    AREAS,
    COUNT_MAX,
    HAND_MAX,
    NOBODY,
    OBJECTS,
    PLACES,
    POWERS,
    SEATS,
    SLOTS,
    STACK,
    STATE,
    TOKENS_MAX,
    Cause,
    Frame,
    Lost,
    Part,
    Phase,
    Stage,
    seat_of,
)

ANY = -1  # a card that the position does not name
Put = Callable[[int], None]
USES_MAX = 99  # most uses of an activated effect in a turn
_THING_NUMBERS = {  # keys of a thing with a number: field of the state, largest value
    "tokens": ("tokens", TOKENS_MAX),
    "damage": ("damage", COUNT_MAX),
    "barrier": ("guard", COUNT_MAX),
}
PILES = {"hand": "hand", "draw_pile": "deck", "discard": "discard", "void": "void"}  # key: field of the state
RESTS = ("draw_pile", "discard", "void")  # where cards that are not named can be
BOOST_MAX = 1000
_COUNTS = {"light": COUNT_MAX, "barrier": COUNT_MAX, "blocked": COUNT_MAX, "inherent_uses": 99}  # of a player: largest value
_BOOSTS = tuple(boost.name.lower() for boost in Boost)
IDLE = (Phase.GOING, Phase.OVER)  # phases without a decision
KINDS = max(*When, AILMENTS)  # largest number of `kind`
WAITING_MAX = 2**62
_NEEDED = {  # kinds of the top frame that a decision needs
    **dict.fromkeys((Phase.SLOT, Phase.PLACE, Phase.BULLET, Phase.ANSWER), (Frame.CARD,)),
    **dict.fromkeys((Phase.AILMENT, Phase.TARGET), (Frame.CARD, Frame.ACT)),
    Phase.DISCARD: (Frame.DISCARD,),
    Phase.BLOCK: (Frame.DAMAGE,),
    Phase.TRIGGER: (Frame.TRIGGERS, Frame.LEAVING),
    Phase.ORDER: (Frame.ORDER,),
    Phase.REMOVE: (Frame.REMOVE, Frame.CONVERT, Frame.LIMIT),
    Phase.EACH: (Frame.EACH,),
}
FRAMES = tuple(frame.name.lower() for frame in Frame)
_FRAME_NUMBERS = {  # fields of a frame with a number: least, most, value in a fresh frame
    "step": (0, max(Part), 0),
    "by": (0, SEATS - 1, 0),
    "side": (0, SEATS - 1, 0),
    "place": (NOBODY, PLACES - 1, NOBODY),
    "place_seq": (0, COUNT_MAX, 0),
    "row": (0, EFFECTS_MAX - 1, 0),
    "at": (0, LIST_MAX, 0),
    "left": (0, COUNT_MAX, 0),
    "kind": (NOBODY, KINDS, 0),
    "direct": (0, 1, 0),
    "pierce": (0, 1, 0),
    "answered": (0, 1, 0),
    "target": (NOBODY, OBJECTS - 1, NOBODY),
    "target_seq": (NOBODY, COUNT_MAX, 0),
}
_LISTS = {  # fields of a frame with a list: field of its length, least, most
    "types": ("types_n", NOBODY, AILMENTS),
    "aims": ("aims_n", NOBODY, OBJECTS - 1),
    "aim_seqs": ("aims_n", NOBODY, COUNT_MAX),
}
PHASES = tuple(phase.name.lower() for phase in Phase)
STAGES = tuple(stage.name.lower() for stage in Stage)
CAUSES = tuple(cause.name.lower() for cause in Cause)
_BEFORE = (Phase.SETUP, Phase.FIRST)  # the first turn has not begun


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a table that `place` can read."""
    document: dict[str, Any] = {"turn": int(state["turn"]), "phase": PHASES[state["phase"]], "stage": STAGES[state["stage"]]}
    for key in ("active", "first", "chooser", "winner"):
        if state[key] != NOBODY:
            document[key] = int(state[key])
    document["laid"] = int(state["seq"])
    if state["phase"] == Phase.OVER:
        document["cause"] = CAUSES[state["cause"]]
    players = [player(state, cards, seat) for seat in range(SEATS)]
    return {**document, "players": players, "pending": read_pending(state, cards)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which must be zeroed.

    Every key is optional. Without any it is the first turn of seat 0 in its Play Phase, with empty hands and nothing in play.
    Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    clear_table(state)
    phase = Phase(PHASES.index(table.one_of("phase", PHASES, "going")))
    state["phase"] = phase
    state["stage"] = STAGES.index(table.one_of("stage", STAGES, "play"))
    _place_turn(table, cards, state)
    allotment = Allotment(cards, state)
    for seat, entry in enumerate(players):
        state["deck_of"][seat] = cards.ids.index(entry.one_of("deck", cards.ids, cards.ids[min(seat, len(cards.ids) - 1)]))
    for seat, entry in enumerate(players):
        place_player(entry, allotment, seat)
    state["seq"] = table.whole("laid", int(state["seq"]), COUNT_MAX, int(state["seq"]))
    write_pending(Table(table.take("pending", {}), "pending"), allotment)
    for seat, entry in enumerate(players):
        place_rest(entry, state, seat, allotment.hand_out(seat, entry.path))
    state["brittle"] = 1
    derive(state, cards.record[0])
    for seat, entry in enumerate(players):
        check_player(entry, cards, state, seat, phase == Phase.OVER)
        _check_things(entry, cards, state, seat)
    for part in (*players, table):
        part.close()
    _open_decision(table, cards, state)


def _by_seat(table: Table) -> list[Table]:
    """RUNE-01. Sort the players by seat; without `seat` they sit in the order of the list."""
    players = table.tables("players", SEATS) or [Table({}, f"players[{seat}]") for seat in range(SEATS)]
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise ValueError(f"players: must be {SEATS} tables, one for each seat; {len(players)} are given")
    return [seated[seat] for seat in range(SEATS)]


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Whose turn it is. Who went first follows from it, because turns alternate (RUNE-30)."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["active"] = table.whole("active", 0, SEATS - 1, 0)
    begun = state["phase"] not in _BEFORE
    first = int(state["active"]) ^ int(state["turn"]) % SEATS
    if begun and table.has("first") and table.whole("first", 0, SEATS - 1) != first:
        raise table.wrong("first", f"follows from turn and active and is {first}; leave it out or give this (RUNE-30)")
    table.take("first", None)
    state["first"] = first if begun else NOBODY
    rolls = cards.record[0]["first"] != First.SEAT0
    if table.has("chooser") and not rolls:
        raise table.wrong("chooser", 'must be left out; no player rolls with rules.first = "seat0" (RUNE-17)')
    chooser = table.has("chooser") or (begun and rolls)
    state["chooser"] = table.whole("chooser", 0, SEATS - 1, first) if chooser else NOBODY
    table.take("chooser", None)
    for seat in range(SEATS):
        turns = (int(state["turn"]) + SEATS - (seat != first)) // SEATS if begun else 0
        state["own_turns"][seat] = turns - (begun and seat == state["active"] and state["stage"] == Stage.BEGIN)
    if not begun:
        state["active"] = 0
    state["winner"] = table.whole("winner", 0, SEATS - 1) if table.has("winner") else NOBODY
    table.take("winner", None)
    state["cause"] = CAUSES.index(table.one_of("cause", CAUSES, "not_decided"))


def _check_things(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RUNE-54, 62, 101. Check for cards and ailments that could not lie there."""
    names = []
    for spot in things_of(state, seat):
        card = int(state["card_of"][state["thing"][seat, spot]])
        name, kind = thing_name(state, cards, seat, spot), kind_of(cards, card)
        least = int(state["damage"][seat, spot])
        if kind >= Kind.CHANT and not state["depth"] and least >= defence_of(state, cards.record[0], seat, spot):
            most = int(defence_of(state, cards.record[0], seat, spot))
            who = f"{name} has {least} damage and a defence of {most}"
            raise ValueError(f"{entry.path}: {who}; it would be destroyed (RUNE-62)")
        if kind == Kind.TRINKET and card in names:
            raise ValueError(f"{entry.field('things')}: {name} is there twice; a player controls a trinket once (RUNE-54)")
        names.append(card)
    shown = [
        int(state["ailment"][seat, area])
        for area in range(AREAS)
        if state["count"][seat, area] and not is_concealed(state, seat, area)
    ]
    if len(set(shown)) != len(shown):
        raise ValueError(f"{entry.field('ailments')}: a type is exposed on two areas; they would merge (RUNE-101)")


def _open_decision(table: Table, cards: CardSet, state: np.void) -> None:
    """List the options of the open decision. A Play Phase that begins goes on as far as nothing happens."""
    state["options_n"] = 0
    if state["phase"] not in IDLE:
        list_options(state, cards.record[0])
        if state["options_n"] == 0:
            raise table.wrong("phase", "no seat has a decision there")
    elif state["phase"] == Phase.GOING:
        state["seat"] = state["active"]
        state["options_n"], state["options"][0] = 1, 0  # "go on"
        if state["stage"] == Stage.PLAY and not state["depth"]:
            ahead = state.copy()
            pursue(ahead, cards.record[0], np.zeros(1, DICE)[0])
            if ahead["phase"] == Phase.MAIN and ahead["turn"] == state["turn"]:
                for field in STATE.names or ():
                    state[field] = ahead[field]


def name_of(state: np.void, cards: CardSet, inst: int) -> str:
    """Name of the card that an instance is."""
    return card_name(cards, int(state["card_of"][inst]))


def things_of(state: np.void, seat: int) -> list[int]:
    """Places 0..9 of a field on which things lie."""
    return [place for place in range(PLACES) if state["thing"][seat, place] != NOBODY]


def concentrations_of(state: np.void, seat: int) -> list[int]:
    """Slots of a player's concentrations, the concealed ones too."""
    return [slot for slot in range(SLOTS) if state["conc"][seat, slot] != NOBODY]


def is_concealed(state: np.void, seat: int, area: int) -> bool:
    """RUNE-06, 107. Whether a boon lies on an ailment area."""
    return bool(state["thing"][seat, SLOTS + area] != NOBODY)


def exposed_of(state: np.void, seat: int) -> int:
    """Number of exposed ailments of a player."""
    return int(sum(count for area, count in enumerate(state["count"][seat]) if not is_concealed(state, seat, area)))


def spot_words(place: int) -> str:
    """Name of a position of a field, numbered from 1."""
    return f"slot {place + 1}" if place < SLOTS else f"area {place - SLOTS + 1}"


def thing_name(state: np.void, cards: CardSet, seat: int, place: int) -> str:
    """Name of a thing, unique on its side: with its position, `Echo Chant (slot 2)`, where there are several."""
    names = {other: name_of(state, cards, int(state["thing"][seat, other])) for other in things_of(state, seat)}
    several = list(names.values()).count(names[place]) > 1
    return names[place] + (f" ({spot_words(place)})" if several else "")


def concentration_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of a player's concentration; equal cards in equal position have the same name."""
    used = " (used)" if state["conc_used"][seat, slot] else ""
    return name_of(state, cards, int(state["conc"][seat, slot])) + used


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Instances of `hand`, `deck`, `discard` or `void` in the order of the state; the top of a deck is last."""
    return [int(inst) for inst in state[pile][seat, : state[f"{pile}_n"][seat]]]


def cards_in(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of a pile, in its order."""
    return [int(state["card_of"][inst]) for inst in pile_of(state, pile, seat)]


@dataclass
class Allotment:
    """Cards that a position asks for, by the seat from whose deck they come. `hand_out` picks the copy for each.

    wanted: by seat, the card (ANY: one that the position does not name) and a function that places its instance.
    """

    cards: CardSet
    state: np.void
    wanted: dict[int, list[tuple[int, Put]]] = field(default_factory=lambda: {seat: [] for seat in range(SEATS)})

    def ask(self, owner: int, card: int, put: Put) -> None:
        """Ask for a copy of a card of a player's deck."""
        self.wanted[owner].append((card, put))

    def hand_out(self, seat: int, path: str) -> list[int]:
        """Give every card its instance; returns the instances that were not asked for, in the order of the deck's list.

        ANY, and a card of which the deck has no copy left, replace the last copies on the list. Raises ValueError if more cards
        are asked for than the deck holds. path: the player in messages.
        """
        deck, record = self.state["deck_of"][seat], self.cards.record[0]
        size, wanted = int(record["deck_size"][deck]), self.wanted[seat]
        if len(wanted) > size:
            raise ValueError(f"{path}: {len(wanted)} cards are named in all places together; the deck has {size} (RUNE-05)")
        free = {seat * DECK_MAX + copy: int(record["deck"][deck, copy]) for copy in range(size)}
        for inst, card in free.items():
            self.state["card_of"][inst] = card
            self.state["slot_of"][inst] = record["deck_slot"][deck, inst % DECK_MAX]
        strangers = [request for request in wanted if not self._give(free, *request)]
        for card, put in strangers:
            inst = max(free)
            if card != ANY:
                self.state["card_of"][inst] = card
            del free[inst]
            put(inst)
        return list(free)

    def _give(self, free: dict[int, int], card: int, put: Put) -> bool:
        """Give the first free copy of a card. Returns whether there is one."""
        inst = next((inst for inst, there in free.items() if there == card), None)
        if inst is None:
            return False
        del free[inst]
        put(inst)
        return True


def card_at(entry: Table, key: str, cards: CardSet) -> int:
    """The card that a field names by its id."""
    return ids_of(cards).index(entry.one_of(key, ids_of(cards)))


def cards_at(entry: Table, key: str, cards: CardSet, most: int) -> list[int]:
    """Cards that a list names by their ids. Raises ValueError naming the entry, and the nearest id."""
    ids, words = ids_of(cards), entry.items(key, most)
    for index, word in enumerate(words):
        if word not in ids:
            path = f"{entry.field(key)}[{index}]"
            raise ValueError(f"{path} = {shown(word)}: is no card; {did_you_mean(word, list(ids))}")
    return [ids.index(word) for word in words]


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
        {"type": AILMENT_WORDS[state["ailment"][seat, area]], "area": area + 1, "count": int(state["count"][seat, area])}
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
    """A thing in play with all its fields."""
    inst, under = int(state["thing"][seat, place]), int(state["under"][seat, place])
    entry: dict[str, Any] = {"card": ids[state["card_of"][inst]], "owner": inst // DECK_MAX}
    entry |= {key: bool(state[field][seat, place]) for key, field in (("used", "used"), ("charged", "charged"))}
    entry["new"] = bool(state["turn_played"][seat, place] == state["turn"])
    entry |= {key: int(state[field][seat, place]) for key, (field, _) in _THING_NUMBERS.items()}
    entry["uses"] = state["uses"][seat, place].tolist()
    trapped = under != NOBODY
    entry["under"] = ids[state["card_of"][under]] if trapped else ""
    entry["under_owner"] = under // DECK_MAX if trapped else SEATS - 1 - seat
    entry["under_hidden"] = bool(state["under_hidden"][seat, place])
    return entry | {"laid": int(state["thing_seq"][seat, place])}


def place_field(entry: Table, allotment: Allotment, seat: int) -> None:
    """Write a field into a state in which nothing lies yet. Raises ValueError like `place`."""
    _place_concentrations(entry, allotment, seat)
    _place_ailments(entry, allotment, seat)
    _place_things(entry, allotment, seat, "things", "slot")
    _place_things(entry, allotment, seat, "boons", "area")


def _place_concentrations(entry: Table, allotment: Allotment, seat: int) -> None:
    """RUNE-07, 39, 53. Concentrations, as a number or a list; an entry without a card takes any that is not named."""
    cards, state = allotment.cards, allotment.state
    areas = int(cards.record[0]["concentration_areas"])
    if isinstance(entry.take("concentrations", 0), int):
        tables = [Table({}, f"{entry.field('concentrations')}") for _ in range(entry.whole("concentrations", 0, areas, 0))]
    else:
        words = entry.items("concentrations", areas)
        named = [{"card": word} if isinstance(word, str) else word for word in words]
        tables = Table({"concentrations": named}, entry.path).tables("concentrations", areas)
    for index, table in enumerate(tables):
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
    """Write a thing with all its fields."""
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


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """A player. The draw pile has the top card first, the other piles the oldest."""
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
    """RUNE-10, 23, 82. Numbers of a Runeslinger, including effects in play; flags are 0 or 1."""
    return {stat.name.lower(): int(state["stat"][seat, stat]) for stat in Stat}


def place_player(entry: Table, allotment: Allotment, seat: int) -> None:
    """Write a player whose deck is known into a state, and ask for the cards of its piles. Raises ValueError like `place`."""
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
    """RUNE-03. Ask for the cards of a pile; the draw pile is listed from its top."""
    state = allotment.state
    named = cards_at(entry, key, allotment.cards, HAND_MAX if pile == "hand" else DECK_MAX)
    state[f"{pile}_n"][seat] = len(named)
    for at, card in enumerate(named):
        allotment.ask(seat, card, lambda inst, at=at: state[pile].__setitem__((seat, at), inst))  # type: ignore[misc]


def place_rest(entry: Table, state: np.void, seat: int, left: list[int]) -> None:
    """Put cards that are not named under the draw pile, or where `rest` says, and sort the hand."""
    pile = PILES[entry.one_of("rest", RESTS, RESTS[0])]
    count = int(state[f"{pile}_n"][seat])
    state[pile][seat, count : count + len(left)] = left
    state[f"{pile}_n"][seat] = count + len(left)
    deck = int(state["deck_n"][seat])
    state["deck"][seat, :deck] = state["deck"][seat, :deck][::-1].copy()  # the top card is last
    held = int(state["hand_n"][seat])
    hand = state["hand"][seat, :held].tolist()
    state["hand"][seat, :held] = sorted(hand, key=lambda inst: (int(state["card_of"][inst]), inst))


def check_player(entry: Table, cards: CardSet, state: np.void, seat: int, over: bool) -> None:
    """RUNE-20, 22, 23. Check health, and what follows from the rest. over: whether the encounter has ended."""
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
            raise entry.wrong(key, f"follow from the rest and are {now}; leave them out or give these (RUNE-06, 10)")


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """What is under way; empty in the Play Phase with an empty stack, and at the end."""
    if state["phase"] in IDLE or (state["phase"] == Phase.MAIN and not state["depth"]):
        return {}
    return {"seat": int(state["seat"]), "frames": [_frame(state, cards, at) for at in range(state["depth"])]}


def _frame(state: np.void, cards: CardSet, at: int) -> dict[str, Any]:
    """A frame as a table."""
    entry: dict[str, Any] = {"frame": FRAMES[state["frame"][at]]}
    entry |= {
        key: int(state[key][at])
        for key in _FRAME_NUMBERS
        if state[key][at] != _fresh(state, key, at) and _matters(state, key, at)
    }
    if (card := int(state["card"][at])) != NOBODY:
        entry["card"] = ids_of(cards)[card]
    if (inst := int(state["inst"][at])) != NOBODY:
        entry["inst"] = [inst // DECK_MAX, ids_of(cards)[state["card_of"][inst]]]
    for key, (count, _, _) in _LISTS.items():
        if state[count][at]:
            entry[key] = state[key][at, : state[count][at]].tolist()
    entry |= {key: _aimed(state, cards, at, entry[key]) for key in ("aims", "aim_seqs") if key in entry}
    if state["waiting"][at].any() and state["frame"][at] in (Frame.TRIGGERS, Frame.LEAVING):
        entry["waiting"] = state["waiting"][at].tolist()
    return entry


def _aimed(state: np.void, cards: CardSet, at: int, values: list[int]) -> list[int]:
    """Announced targets of a list; NOBODY for effects without target, where the state can hold anything."""
    to = cards.record[0]["to"][state["row"][at] : state["row"][at] + len(values)]
    return [value if goal <= To.CARD else NOBODY for value, goal in zip(values, to, strict=True)]


def _fresh(state: np.void, key: str, at: int) -> int:
    """Value of a field in a fresh frame. `kind` of a card, the player who plays it, is usually `by`, its controller."""
    if key == "kind" and state["frame"][at] == Frame.CARD:
        return int(state["by"][at])
    return _FRAME_NUMBERS[key][2]


def _matters(state: np.void, key: str, at: int) -> bool:
    """Whether a field belongs to the frame; if not, it can hold what an older frame has left there."""
    frame = Frame(state["frame"][at])
    match key:
        case "direct":
            return frame == Frame.DAMAGE
        case "pierce":
            return frame in (Frame.DAMAGE, Frame.DRAIN)
        case "target_seq":
            return bool(state["target"][at] != NOBODY)
        case "place_seq":
            waits = frame == Frame.CARD and state["step"][at] <= Part.LAY
            return frame == Frame.TRIGGERS or (bool(state["place"][at] != NOBODY) and not waits)
        case _:
            return True


def write_pending(table: Table, allotment: Allotment) -> None:
    """Write what is under way, and ask for cards that are nowhere else. Raises ValueError like `place`."""
    state = allotment.state
    state["seat"] = table.whole("seat", 0, SEATS - 1, max(0, int(state["active"])))
    frames = table.tables("frames", STACK)
    state["depth"] = len(frames)
    for at, frame in enumerate(frames):
        state["frame"][at] = FRAMES.index(frame.one_of("frame", FRAMES))
        for key, (least, most, _) in _FRAME_NUMBERS.items():
            state[key][at] = frame.whole(key, least, most, _fresh(state, key, at))
        ids = ids_of(allotment.cards)
        state["card"][at] = ids.index(frame.one_of("card", ids)) if frame.has("card") else NOBODY
        frame.take("card", None)
        state["waiting"][at] = _numbers(frame, "waiting", 0, WAITING_MAX, SEATS) or 0
        for key, (count, least, most) in _LISTS.items():
            values = _numbers(frame, key, least, most, LIST_MAX)
            state[count][at] = len(values)
            state[key][at, : len(values)] = values
        state["inst"][at] = NOBODY
        if frame.has("inst"):
            _ask_for_inst(frame, allotment, at)
        frame.take("inst", None)
        _check_frame(frame, state, at)
        frame.close()
    _check_top(table, state)
    _check_seat(table, allotment.cards, state)
    table.close()


def _check_frame(frame: Table, state: np.void, at: int) -> None:
    """Check that a frame has what its kind needs."""
    kind = state["frame"][at]
    if kind in (Frame.CARD, Frame.LEAVING) and state["card"][at] == NOBODY:
        raise frame.wrong("card", "is missing; such a frame needs a card")
    if kind == Frame.CARD and state["step"][at] > Part.LAY and state["place"][at] == NOBODY:
        raise frame.wrong("place", "is missing; a card that has been laid has a place")
    if kind == Frame.DAMAGE and state["target"][at] == NOBODY:
        raise frame.wrong("target", "is missing; damage has a target")


def _check_top(table: Table, state: np.void) -> None:
    """Check that the decision is about the top frame."""
    needed = _NEEDED.get(Phase(state["phase"]), ())
    if needed and (state["depth"] == 0 or state["frame"][state["depth"] - 1] not in needed):
        words = " or ".join(FRAMES[frame] for frame in needed)
        raise ValueError(f"{table.field('frames')}: the top one must be {words}, because the decision is about it")


def _check_seat(table: Table, cards: CardSet, state: np.void) -> None:
    """Check that the decision belongs to the seat that decides."""
    phase, top = Phase(state["phase"]), int(state["depth"]) - 1
    seat, by = int(state["seat"]), int(state["by"][top])
    if phase in (Phase.MAIN, Phase.PASS, Phase.EACH, Phase.ORDER):
        right = [int(state["active"])]
    elif phase == Phase.FIRST and state["chooser"] != NOBODY:
        right = [int(state["chooser"])]
    elif phase == Phase.ANSWER:
        right = [SEATS - 1 - int(state["kind"][top])]
    elif phase == Phase.BLOCK:
        right = [int(seat_of(int(state["target"][top])))]
    elif phase == Phase.BULLET:
        right = [by if cards.record[0]["picker"][state["card"][top]] == Picker.PLAYER else SEATS - 1 - by]
    elif phase == Phase.TRIGGER and state["frame"][top] == Frame.TRIGGERS:
        right = [side for side in range(SEATS) if state["waiting"][top, side]]
    else:
        right = [by] if phase in _NEEDED else [seat]
    if seat not in right:
        raise table.wrong("seat", f"must be {' or '.join(map(str, right)) or 'a seat whose triggers wait'}, which decides there")


def _numbers(frame: Table, key: str, least: int, most: int, count: int) -> list[int]:
    """A list of whole numbers."""
    values = frame.items(key, count)
    if not all(is_whole(value, least, most) for value in values) or (key == "waiting" and len(values) not in (0, count)):
        raise frame.wrong(key, f"must be a list of at most {count} whole numbers, each from {least} to {most}")
    return values


def _ask_for_inst(frame: Table, allotment: Allotment, at: int) -> None:
    """Ask for the card of a frame that is nowhere else."""
    state, ids, value = allotment.state, ids_of(allotment.cards), frame.take("inst")
    if not (isinstance(value, list) and len(value) == len(("seat", "card")) and is_whole(value[0], 0, SEATS - 1)):
        raise frame.wrong("inst", "must be [seat, card]: the seat from whose deck it comes, and its id")
    owner, word = value
    if word not in ids:
        raise ValueError(f"{frame.field('inst')} = {shown(value)}: is no card; {did_you_mean(word, list(ids))}")
    allotment.ask(owner, ids.index(word), lambda inst: state["inst"].__setitem__(at, inst))
