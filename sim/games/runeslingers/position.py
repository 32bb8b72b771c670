"""Positions by readable names, as scenario files write them: the keys of POSITION, and the invariants of every position.

Slots and areas are numbered from 1. With the names imported from `text`, this module is the protocol `Words` of the engine.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim.engine.cardfiles.paths import Location, Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet, Problem
from sim.engine.dice import DICE
from sim.engine.positions import (
    ABSENT,
    Custom,
    Document,
    Each,
    Flag,
    Follows,
    Group,
    Here,
    Key,
    Number,
    Rows,
    Word,
    numbered,
    words_of,
)
from sim.engine.words import line_up
from sim.games.runeslingers.actions import list_options, pursue
from sim.games.runeslingers.cards import (
    ACTIVATED,
    AILMENT_WORDS,
    AILMENTS,
    DECK_MAX,
    EFFECTS_MAX,
    LIST_MAX,
    Boost,
    DeckOut,
    First,
    Kind,
    Picker,
    Stat,
    To,
    When,
    ids_of,
    kind_of,
)
from sim.games.runeslingers.cards.checks import may_trap
from sim.games.runeslingers.rules.ailments import is_spent
from sim.games.runeslingers.rules.objects import defence_of, derive, exposed_count
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
from sim.games.runeslingers.story import events
from sim.games.runeslingers.text import action, cards_in, draw, name_of, picture, pile_of, things_of

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]

ANY = -1  # a card that the position does not name
NOTHING = -2  # no card
REQUIRED = -3  # a card that must be named
USES_MAX = 99  # of an effect in a turn
BOOST_MAX = 1000
LADDER_MAX = SEATS * SLOTS + 2  # cards being played
WAITING_MAX = 2**62
KINDS = max(*When, AILMENTS)  # largest number of `kind`
PILES = {"hand": "hand", "draw_pile": "deck", "discard": "discard", "void": "void"}  # key: field of the state
RESTS = ("draw_pile", "discard", "void")  # where cards that are not named can be
IDLE = (Phase.GOING, Phase.OVER)  # phases without a decision
BEFORE = (Phase.SETUP, Phase.FIRST)  # the first turn has not begun
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
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses", "thing_seq", "under_hidden")
UNTIL_THE_END = ("light", "barrier", "boosts", "damage", "guard")  # RUNE-46


# Cards. A writer asks for a copy of a card; once all are asked for, `_hand_out` gives each its instance.


class Wanted(NamedTuple):
    """A card that a position names, and the field of the state to which its instance goes. card: ANY, any other one."""

    owner: int
    card: int
    field: str
    place: tuple[int, ...]


def _hand_out(here: Here, seat: int) -> list[int]:
    """RUNE-05. Give each card its instance; returns those not asked for, in the order of the deck's list.

    ANY, and a card of which the deck has no copy left, replace the last copies on the list.
    """
    state, record, deck = here.state, here.cards.record[0], here.state["deck_of"][seat]
    size, wanted = int(record["deck_size"][deck]), [request for request in here.notes if request.owner == seat]
    if len(wanted) > size:
        path = here.tables["players", seat].path
        raise ValueError(f"{path}: {len(wanted)} cards are named in all places together; the deck has {size} (RUNE-05)")
    free = {seat * DECK_MAX + copy: int(record["deck"][deck, copy]) for copy in range(size)}
    for copy, (inst, card) in enumerate(free.items()):
        state["card_of"][inst], state["slot_of"][inst] = card, record["deck_slot"][deck, copy]
    strangers = []
    for request in wanted:
        inst = next((inst for inst, card in free.items() if card == request.card), NOBODY)
        if inst == NOBODY:
            strangers.append(request)
        else:
            del free[inst]
            state[request.field][request.place] = inst
    for request in strangers:
        inst = max(free)
        del free[inst]
        state["card_of"][inst] = state["card_of"][inst] if request.card == ANY else request.card
        state[request.field][request.place] = inst
    return [*free]


def _id(here: Here, inst: int) -> str:
    """Id of the card that an instance is."""
    return ids_of(here.cards)[here.state["card_of"][inst]]


def _named(path: str, word: Any, here: Here) -> int:
    """The card of an id."""
    ids = ids_of(here.cards)
    if word not in ids:
        raise ValueError(f"{path} = {shown(word)}: is no card; {did_you_mean(word, list(ids))}")
    return ids.index(word)


@dataclass(frozen=True, kw_only=True)
class Card(Key):
    """The id of a card that lies somewhere. owner: the key of its owner; left_out: the card without the key."""

    field: str
    owner: str = ""
    left_out: int = REQUIRED

    def read(self, here: Here) -> str:
        """Return the id."""
        inst = here.number(self.field)
        return _id(here, inst) if inst != NOBODY else ""

    def write(self, table: Table, here: Here) -> None:
        """Ask for the card."""
        owner = table.whole(self.owner, 0, SEATS - 1, _owner(self.field, here)) if self.owner else here.at[0]
        word = table.take(self.key) if self.left_out == REQUIRED else table.take(self.key, "")
        optional = word == "" and self.left_out != REQUIRED
        card = self.left_out if optional else _named(table.field(self.key), word, here)
        if card != NOTHING:
            here.state[self.field][here.at] = 0  # until it is handed out
            here.notes.append(Wanted(owner, card, self.field, here.at))


def _owner(name: str, here: Here) -> int:
    """RUNE-05. Owner of a card that lies somewhere; where none lies, the usual one: cards under traps are the enemy's."""
    inst = here.number(name)
    return inst // DECK_MAX if inst != NOBODY else here.at[0] ^ (name == "under")


def _tokens(here: Here) -> int:
    """Tokens with which the thing that is written comes."""
    return here.card("tokens", here.notes[-1].card)


def _is_new(here: Here) -> bool:
    return here.number("turn_played") == int(here.state["turn"])


def _write_new(table: Table, here: Here) -> None:
    here.state["turn_played"][here.at] = int(here.state["turn"]) - (not table.flag("new", False))


def _read_inst(here: Here) -> list[Any]:
    return [here.number("inst") // DECK_MAX, _id(here, here.number("inst"))]


def _write_inst(table: Table, here: Here) -> None:
    here.state["inst"][here.at], value = NOBODY, table.take("inst", None)
    if table.has("inst"):
        if not (isinstance(value, list) and len(value) == 2 and is_whole(value[0], 0, SEATS - 1)):
            raise table.wrong("inst", "must be [seat, card]: the seat from whose deck it comes, and its id")
        here.notes.append(Wanted(value[0], _named(table.field("inst"), value[1], here), "inst", here.at))


def _cards(here: Here) -> dict[str, int]:
    """Cards by their ids, and no card."""
    return numbered(ids_of(here.cards)) | {"": NOBODY}


@dataclass(frozen=True, kw_only=True)
class Pile(Key):
    """RUNE-03. Ids of the cards of a pile, the oldest first; of a deck the top card, which is the last in the state."""

    shown: str = "none"
    most: int = DECK_MAX

    def read(self, here: Here) -> list[str]:
        """Return the ids."""
        pile = PILES[self.key]
        ids = [ids_of(here.cards)[card] for card in cards_in(here.state, pile, here.at[0])]
        return ids[::-1] if pile == "deck" else ids

    def write(self, table: Table, here: Here) -> None:
        """Ask for the cards."""
        pile, words = PILES[self.key], table.items(self.key, self.most)
        for at, word in enumerate(words):
            card = _named(f"{table.field(self.key)}[{at}]", word, here)
            here.notes.append(Wanted(here.at[0], card, pile, (*here.at, at)))
        here.state[f"{pile}_n"][here.at] = len(words)


class Concentrations(Rows):
    """RUNE-07, 39, 53. Concentrations: also as a number, or with ids in place of tables."""

    def write(self, table: Table, here: Here) -> None:
        """Write each on its slot."""
        areas = here.card("concentration_areas")
        if isinstance(table.take(self.key, 0), int):
            entries: list[Any] = [{}] * table.whole(self.key, 0, areas, 0)
        else:
            entries = [{"card": entry} if isinstance(entry, str) else entry for entry in table.items(self.key, areas)]
        super().write(Table({self.key: entries}, table.path), here)


class Ailments(Rows):
    """RUNE-03. Ailments by area, the type first."""

    def read(self, here: Here) -> list[dict[str, Any]]:
        """Return the tables."""
        return [{"type": entry.pop("type"), **entry} for entry in super().read(here)]


class Aims(Each):
    """Announced targets; NOBODY for effects without target, where the state can hold anything."""

    def read(self, here: Here) -> list[int]:
        """Return the values."""
        values, row = super().read(here), here.number("row")
        to = here.cards.record[0]["to"][row : row + len(values)]
        return [value if goal <= To.CARD else NOBODY for value, goal in zip(values, to, strict=True)]


# What follows from the rest.


def _begun(here: Here) -> bool:
    return here.state["phase"] not in BEFORE


def _first(here: Here) -> Any:
    """RUNE-30. Who went first, because turns alternate."""
    return here.number("active") ^ here.number("turn") % SEATS if _begun(here) else ABSENT


def _chooser(here: Here) -> int:
    """RUNE-17. Usually the winner of the roll goes first."""
    return _first(here) if _begun(here) and here.card("first") != First.SEAT0 else NOBODY


def _goes_on(here: Here) -> bool:
    return bool(here.state["phase"] != Phase.OVER)


def _lost(here: Here) -> int:
    """Powers lost."""
    return here.card("start_power") - here.number("power")


def _next(here: Here) -> int:
    """Running number of the next card laid."""
    return 1 + max(int(here.state[name].max()) for name in ("conc_seq", "thing_seq"))


def _stats(here: Here) -> dict[str, int]:
    """RUNE-10, 23, 82. Numbers of a Runeslinger, including effects in play; flags are 0 or 1."""
    return {stat.name.lower(): here.number("stat", stat) for stat in Stat}


def _exposed(here: Here) -> dict[str, int]:
    """RUNE-06. Exposed instances of each ailment."""
    there = dict.fromkeys(AILMENT_WORDS, 0)
    for area in range(AREAS):
        there[AILMENT_WORDS[here.number("ailment", area)]] += int(exposed_count(here.state, here.at[0], area))
    return there


# What is under way. A field of a frame is written only where it differs from that of a fresh frame.


def _idle(here: Here) -> bool:
    return here.state["phase"] in IDLE or (here.state["phase"] == Phase.MAIN and not here.state["depth"])


def _player(here: Here) -> int:
    """The player who plays the card of a frame is usually its controller."""
    return here.number("by") if here.number("frame") == Frame.CARD else 0


def _matters(key: str, here: Here) -> bool:
    """Whether a field belongs to the frame; if not, it can hold what an older frame has left there."""
    frame = here.number("frame")
    match key:
        case "direct":
            return frame == Frame.DAMAGE
        case "pierce":
            return frame in (Frame.DAMAGE, Frame.DRAIN)
        case "target_seq":
            return here.number("target") != NOBODY
        case "place_seq":
            waits = frame == Frame.CARD and here.number("step") <= Part.LAY
            return frame == Frame.TRIGGERS or (here.number("place") != NOBODY and not waits)
        case _:
            return True


def _of_frame(key: str, meaning: str, least: int, most: int, fresh: int | Callable[[Here], int] = 0, default: str = "") -> Number:
    """A number of a frame. fresh: in a fresh frame."""

    def absent(here: Here) -> bool:
        return here.number(key) == (fresh if isinstance(fresh, int) else fresh(here)) or not _matters(key, here)

    return Number(key, meaning, shown=default, absent=absent, least=least, most=most, default=fresh)


def _lacks(name: str, nothing: int = NOBODY) -> Callable[[Here], bool]:
    return lambda here: here.number(name) == nothing


def _none_wait(here: Here) -> bool:
    return here.number("frame") not in (Frame.TRIGGERS, Frame.LEAVING) or not here.state["waiting"][here.at].any()


def _aims(here: Here) -> int:
    return here.number("aims_n")


# The position.


def _rule(name: str) -> Callable[[Here], int]:
    return lambda here: here.card(name)


def _of_turn(name: str) -> Callable[[Here], int]:
    return lambda here: int(here.state[name])


def _laid(name: str) -> Number:
    meaning = "running number; newer cards have higher ones"
    return Number("laid", meaning, shown="the next", field=name, least=1, most=COUNT_MAX, default=_next)


CONCENTRATION: tuple[Key, ...] = (
    Card("card", "id", shown="any card that is not named", field="conc", left_out=ANY),
    Flag("used", "turned", field="conc_used"),
    _laid("conc_seq"),
)
THING: tuple[Key, ...] = (
    Card("card", "id", field="thing", owner="owner"),
    Custom("owner", "seat from whose deck it comes", shown="the player's", reader=lambda here: _owner("thing", here)),
    Flag("used", "turned"),
    Flag("charged", "charged this turn"),
    Custom("new", "played this turn", shown="false", reader=_is_new, writer=_write_new),
    Number("tokens", "tokens", shown="those it comes with", most=TOKENS_MAX, default=_tokens),
    Number("damage", "damage of this turn", most=COUNT_MAX),
    Number("barrier", "its barrier", field="guard", most=COUNT_MAX),
    Each("uses", "list: uses of its activated effects this turn", shown="0", count=ACTIVATED, most=USES_MAX),
    Card("under", "id of the card trapped under it", shown="none", field="under", owner="under_owner", left_out=NOTHING),
    Custom("under_owner", "seat from whose deck that comes", shown="the enemy's", reader=lambda here: _owner("under", here)),
    Flag("under_hidden", "that was a concentration"),
    _laid("thing_seq"),
)
AILMENT: tuple[Key, ...] = (
    Word("type", ", ".join(f"`{word}`" for word in AILMENT_WORDS), field="ailment", words=lambda _: numbered(AILMENT_WORDS)),
    Number("count", "instances", least=1, most=COUNT_MAX, default=1),
)


def _on_field(rows: type[Rows], key: str, meaning: str, field: str, index: str, keys: tuple[Key, ...], base: int = -1) -> Rows:
    """What lies on a player's slots or areas, which are numbered from 1. field: that shows where; base: see `Rows`."""
    rule, most = ("concentration_areas", SLOTS) if index == "slot" else ("ailment_areas", AREAS)
    free = 0 if field == "count" else NOBODY

    def there(here: Here) -> list[int]:
        places = here.state[field][here.at].tolist()
        return [number for number in range(1, most + 1) if places[number + base] != free]

    return rows(key, meaning, shown="none", keys=keys, index=index, rows=there, first=1, most=_rule(rule), base=base)


BOOSTS = tuple(Number(boost.name.lower(), "points", field="boosts", index=(boost,), most=BOOST_MAX) for boost in Boost)
PLAYER: tuple[Key, ...] = (
    Word(
        "deck",
        "id",
        shown="the first of the card file, the second for seat 1",
        field="deck_of",
        words=lambda here: numbered(here.cards.ids),
        default=lambda here: here.cards.ids[min(here.at[0], len(here.cards.ids) - 1)],
    ),
    Number("power", "powers", shown="full power", most=_rule("start_power"), default=_rule("start_power")),
    Number("determination", "determination", shown="one for each power lost", most=_lost, default=_lost),
    Custom("health", "health", shown="the maximum", reader=lambda here: here.number("health")),
    Number("light", "light in the pool", most=COUNT_MAX),
    Number("barrier", "barrier of the Runeslinger", most=COUNT_MAX),
    Number("blocked", "blocks this turn", most=_rule("blocks_per_turn")),
    Number("inherent_uses", "uses of the inherent ability this turn", most=USES_MAX),
    Number("sets_left", "sets left this turn", shown="`sets_per_turn`", most=COUNT_MAX, default=_rule("sets_per_turn")),
    Group("boosts", "table, until the Discard Phase", keys=BOOSTS),
    Follows("stats", "numbers of the Runeslinger including effects", value=_stats),
    _on_field(Concentrations, "concentrations", "also as a number or as ids", "conc", "slot", CONCENTRATION),
    _on_field(Rows, "things", "cards on concentrations", "thing", "slot", THING),
    _on_field(Ailments, "ailments", "on the ailment areas", "count", "area", AILMENT),
    Follows("exposed", "exposed instances of each ailment", value=_exposed),
    _on_field(Rows, "boons", "cards on ailments", "thing", "area", THING, SLOTS - 1),
    Pile("hand", "ids", most=HAND_MAX),
    Pile("draw_pile", "ids, the top card first", shown="only the rest"),
    Pile("discard", "ids"),
    Pile("void", "ids"),
    Custom("rest", f"where cards that are not named go: {', '.join(RESTS)}", shown=f"`{RESTS[0]}`", reader=lambda _: ABSENT),
)
FRAME: tuple[Key, ...] = (
    Word("frame", "its kind", words=words_of(Frame)),
    _of_frame("step", "step of a card, an effect list or damage", 0, max(Part)),
    _of_frame("by", "seat that controls it", 0, SEATS - 1),
    _of_frame("side", "seat on whose field the source lies, or whom it concerns", 0, SEATS - 1),
    _of_frame("place", "position of the source", NOBODY, PLACES - 1, NOBODY),
    _of_frame("place_seq", "running number of the source", 0, COUNT_MAX),
    _of_frame("row", "row of the effects", 0, EFFECTS_MAX - 1),
    _of_frame("at", "effects done", 0, LIST_MAX),
    _of_frame("left", "what is still to be done", 0, COUNT_MAX),
    _of_frame("kind", "type of ailment, moment, or player of a card", NOBODY, KINDS, _player, "0; of a card `by`"),
    _of_frame("direct", "direct damage", 0, 1),
    _of_frame("pierce", "pierce damage", 0, 1),
    _of_frame("answered", "the card was answered", 0, 1),
    _of_frame("target", "object of damage", NOBODY, OBJECTS - 1, NOBODY),
    _of_frame("target_seq", "running number of the target", NOBODY, COUNT_MAX),
    Word("card", "id of the card that acts", absent=_lacks("card"), words=_cards, default=lambda _: ""),
    Custom("inst", "[seat, id] of a card that is nowhere else", absent=_lacks("inst"), reader=_read_inst, writer=_write_inst),
    Each("types", "announced", absent=_lacks("types_n", 0), count=LIST_MAX, length="types_n", least=NOBODY, most=AILMENTS),
    Aims("aims", "announced", absent=_lacks("aims_n", 0), count=LIST_MAX, length="aims_n", least=NOBODY, most=OBJECTS - 1),
    Aims("aim_seqs", "running numbers", absent=_lacks("aims_n", 0), count=_aims, least=NOBODY, most=COUNT_MAX, default=None),
    Each("waiting", "triggers that wait, by seat", absent=_none_wait, count=SEATS, most=WAITING_MAX),
)
UNDER_WAY: tuple[Key, ...] = (
    Number("seat", "who decides", shown="`active`", absent=_idle, most=SEATS - 1, default=_of_turn("active")),
    Rows("frames", "the work stack, the top frame last", absent=_idle, keys=FRAME, most=STACK - 1, length="depth"),
)
STAGES = ", ".join(f"`{stage.name.lower()}`" for stage in Stage)
KEYS: tuple[Key, ...] = (
    Number("turn", "turns finished, of both players", most=_rule("turn_cap")),
    Word("phase", "`going`, `over`, or a decision by its name, with `pending`", words=words_of(Phase), default="going"),
    Word("stage", f"where the turn stands: {STAGES}; the decision `go on` goes on there", words=words_of(Stage), default="play"),
    Number("active", "seat whose turn it is", most=SEATS - 1),
    Follows("first", "seat that went first", shown="follows from `turn` and `active`", value=_first),
    Number("chooser", "seat that won the roll", shown="`first`", absent=_lacks("chooser"), most=SEATS - 1, default=_chooser),
    Number("winner", "seat that has won", shown="none", absent=_lacks("winner"), most=SEATS - 1, default=NOBODY),
    Custom("laid", "running number of the last card laid", shown="the highest in play", reader=_of_turn("seq")),
    Word("cause", "what ended the game", words=words_of(Cause), default="not_decided", absent=_goes_on),
    Rows("players", "one for each seat", index="seat", keys=PLAYER, rows=lambda _: range(SEATS), most=SEATS - 1),
    Group("pending", "table, what is under way", keys=UNDER_WAY),
)


def _begin(table: Table, here: Here) -> None:
    """Clear the table. RUNE-01. There are two players."""
    if (given := len(table.items("players", SEATS))) != SEATS:
        raise ValueError(f"players: must be {SEATS} tables, one for each seat; {given} are given")
    clear_table(here.state)


def _settle(table: Table, here: Here) -> None:
    """Write what follows: the course of the game, powers lost, where each card is, health."""
    state, begun = here.state, _begun(here)
    state["first"] = first = NOBODY if (known := _first(here)) is ABSENT else known
    state["seq"] = table.whole("laid", _next(here) - 1, COUNT_MAX, _next(here) - 1)
    for seat in range(SEATS):
        turns = (int(state["turn"]) + SEATS - (seat != first)) // SEATS if begun else 0
        state["own_turns"][seat] = turns - (begun and seat == state["active"] and state["stage"] == Stage.BEGIN)
        lost = _lost(here.inside(index=(seat,)))
        state["spent"][seat], state["powers_lost"][seat, Lost.HEALTH] = lost - state["determination"][seat], lost
        state["lost_turn"][seat, : min(POWERS, lost)] = max(1, int(state["turn"]))
    for seat in range(SEATS):
        _fill_piles(here.tables["players", seat], state, seat, _hand_out(here, seat))
    state["brittle"] = 1
    derive(state, here.cards.record[0])
    for seat in range(SEATS):
        most = max(0, int(state["stat"][seat, Stat.MAX_HEALTH]))
        state["health"][seat] = here.tables["players", seat].whole("health", 0, COUNT_MAX, most)


def _fill_piles(entry: Table, state: np.void, seat: int, left: list[int]) -> None:
    """Put cards that are not named under the draw pile, or where `rest` says, and sort the hand."""
    pile = PILES[entry.one_of("rest", RESTS, RESTS[0])]
    count = int(state[f"{pile}_n"][seat])
    state[pile][seat, count : count + len(left)] = left
    state[f"{pile}_n"][seat] = count + len(left)
    deck, held = int(state["deck_n"][seat]), int(state["hand_n"][seat])
    state["deck"][seat, :deck] = state["deck"][seat, :deck][::-1].copy()  # the top card is last
    state["hand"][seat, :held] = _sorted(state, pile_of(state, "hand", seat))


def _sorted(state: np.void, hand: list[int]) -> list[int]:
    return sorted(hand, key=lambda inst: (int(state["card_of"][inst]), inst))


# The invariants.


def problems(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """What is impossible in a position, whether from a file or from play."""
    yield from _wrong_course(state, cards)
    yield from _wrong_cards(state, cards)
    for seat in range(SEATS):
        yield from _wrong_player(state, cards, seat)
        yield from _wrong_field(state, cards, seat)
        for place in things_of(state, seat):
            yield from _wrong_thing(state, cards, seat, place)
    if state["phase"] != Phase.OVER:
        yield from _wrong_stats(state, cards)
        yield from _wrong_frames(state)
        yield from _wrong_decision(state, cards)


def _ended(state: np.void, cards: CardSet) -> bool:
    """RUNE-145. Whether the turn limit is reached."""
    return bool(state["phase"] != Phase.OVER and state["turn"] >= cards.record[0]["turn_cap"])


def _wrong_course(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """RUNE-17, 20, 30, 46. Whose turn it is, what a turn leaves behind, and scratch fields."""
    here = Here(state, cards)
    if not _begun(here) and state["active"] != 0:
        yield Problem(("active",), "must be 0 before the first turn")
    if _begun(here) and state["first"] != _first(here):
        yield Problem(("first",), f"must be {_first(here)}, because turns alternate (RUNE-30)")
    if state["chooser"] != NOBODY and cards.record[0]["first"] == First.SEAT0:
        yield Problem(("chooser",), 'must be left out; no player rolls with rules.first = "seat0" (RUNE-17)')
    if _goes_on(here) and state["winner"] != NOBODY:
        yield Problem(("winner",), 'must be left out; phase is not "over"')
    if _ended(state, cards) and any(state[name].any() for name in UNTIL_THE_END):
        yield Problem(("turn",), f"the last turn is over; {', '.join(UNTIL_THE_END)} must be 0 (RUNE-46)")
    if state["overflow"] or state["keys"].any() or state["pool"].any():
        yield Problem(("pending",), "has an overflow of the work stack, or scratch memory that is not empty")


def _wrong_cards(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """RUNE-03, 05. Every card is in one place; piles and concentrations hold their player's own cards."""
    found = state["inst"][: max(0, int(state["depth"]))].tolist()
    for seat in range(SEATS):
        own = {"concentrations": [inst for inst in state["conc"][seat].tolist() if inst != NOBODY]}
        own |= {key: pile_of(state, pile, seat) for key, pile in PILES.items()}
        for key, there in own.items():
            found += there
            if any(inst // DECK_MAX != seat for inst in there):
                yield Problem(("players", seat, key), "has a card of the other player's deck (RUNE-05)")
            if key in PILES and state[PILES[key]][seat, len(there) :].any():
                yield Problem(("players", seat, key), "has a trace of a card beyond its end")
        found += [*state["thing"][seat].tolist(), *state["under"][seat].tolist()]
    sizes = cards.record[0]["deck_size"][state["deck_of"]].tolist()
    every = [seat * DECK_MAX + copy for seat in range(SEATS) for copy in range(sizes[seat])]
    if sorted(inst for inst in found if inst != NOBODY) != every:
        yield Problem(("players",), "a card is in no place or in several (RUNE-03)")


def _wrong_player(state: np.void, cards: CardSet, seat: int) -> Iterator[Problem]:
    """RUNE-10, 20 to 26. Power, determination, health, the deck, the order of the hand."""
    lost, hand = _lost(Here(state, cards, (seat,))), pile_of(state, "hand", seat)
    most, health = int(state["stat"][seat, Stat.MAX_HEALTH]), int(state["health"][seat])
    if lost != state["powers_lost"][seat].sum() or lost != (state["lost_turn"][seat] > 0).sum():
        yield Problem(("players", seat, "power"), "differs from the record of powers lost")
    if state["determination"][seat] != lost - state["spent"][seat]:
        yield Problem(("players", seat, "determination"), f"must be {lost}, less what was spent (RUNE-20, 28)")
    if hand != _sorted(state, hand):
        yield Problem(("players", seat, "hand"), "is out of order")
    if state["phase"] == Phase.OVER:
        return
    if state["power"][seat] == 0:
        yield Problem(("players", seat, "power"), 'ends the encounter at 0; phase must be "over" (RUNE-20)')
    if most < 1:
        yield Problem(("players", seat, "health"), "the maximum health is 0 or less, which ends the encounter (RUNE-26)")
    elif not 1 <= health <= most:
        yield Problem(("players", seat, "health"), f"must be 1 to {most}, the maximum health (RUNE-22, 23)")
    if state["deck_n"][seat] == 0 and cards.record[0]["deck_out"] == DeckOut.IMMEDIATE:
        yield Problem(("players", seat, "draw_pile"), "is empty; the last card costs a power at once (RUNE-24)")


def _wrong_stats(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """RUNE-10. Numbers including effects that are not what they would be now."""
    now = state.copy()
    if not _ended(state, cards):
        derive(now, cards.record[0])
    for seat in range(SEATS):
        if state["hears"][seat] != now["hears"][seat] or (state["stat"][seat] != now["stat"][seat]).any():
            yield Problem(("players", seat, "stats"), "are not those that follow from the rest (RUNE-10)")


def _wrong_field(state: np.void, cards: CardSet, seat: int) -> Iterator[Problem]:
    """RUNE-03, 39, 101. Areas that do not exist, types exposed twice, and values where nothing lies."""
    record, at = cards.record[0], ("players", seat)
    kinds = state["ailment"][seat].tolist()
    exposed = [kinds[area] for area in range(AREAS) if exposed_count(state, seat, area)]
    if len({*exposed}) != len(exposed):
        yield Problem((*at, "ailments"), "a type is exposed on two areas; they would merge (RUNE-101)")
    if state["count"][seat, record["ailment_areas"] :].any():
        yield Problem((*at, "ailments"), f"there are {record['ailment_areas']} areas (RUNE-03)")
    free, none = state["thing"][seat] == NOBODY, state["conc"][seat] == NOBODY
    if (~none[record["concentration_areas"] :]).any():
        yield Problem((*at, "concentrations"), f"there are {record['concentration_areas']} slots (RUNE-39)")
    if any(state[name][seat][free].any() for name in OF_A_THING) or (state["under"][seat][free] != NOBODY).any():
        yield Problem((*at, "things"), "a position without a card has tokens, damage or the like")
    if state["conc_used"][seat][none].any():
        yield Problem((*at, "concentrations"), "a slot without a concentration is used")


def _wrong_thing(state: np.void, cards: CardSet, seat: int, place: int) -> Iterator[Problem]:
    """RUNE-46, 53, 62, 110, 126. A card that could not lie where it does, or not any more."""
    card = int(state["card_of"][state["thing"][seat, place]])
    kind, is_boon, below = kind_of(cards, card), place >= SLOTS, place - SLOTS
    number = below + 1 if is_boon else place + 1
    at: Location = ("players", seat, "boons" if is_boon else "things", number)
    if is_boon and state["count"][seat, below] == 0:
        yield Problem((*at, "area"), f"nothing lies at area {number}; a card there needs an ailment (RUNE-106)")
    if not is_boon and state["conc"][seat, place] == NOBODY:
        yield Problem((*at, "slot"), f"nothing lies at slot {number}; a card there needs a concentration (RUNE-53)")
    if (kind == Kind.BOON) != is_boon:
        yield Problem((*at, "card"), "boons lie on ailments, all other cards on concentrations (RUNE-53)")
    if state["under"][seat, place] != NOBODY and not may_trap(cards.document["card"][card]):
        yield Problem((*at, "under"), f"lies under {ids_of(cards)[card]}, which traps nothing; must be left out (RUNE-126)")
    if state["phase"] == Phase.OVER:
        return
    if kind < Kind.CHANT and (state["stage"] < Stage.PLAY or _ended(state, cards)):
        yield Problem((*at, "card"), "is a runespell; it left play when its turn ended (RUNE-46)")
    if not state["depth"] and is_spent(state, cards.record[0], seat, place):
        most = defence_of(state, cards.record[0], seat, place)
        wrong = f"{name_of(state, cards, state['thing'][seat, place])} has a defence of {most}; it would be destroyed (RUNE-62)"
        yield Problem((*at, "damage"), wrong)


def _wrong_frames(state: np.void) -> Iterator[Problem]:
    """Frames that lack what their kind needs."""
    depth = int(state["depth"])
    for at in range(depth):
        kind, location = state["frame"][at], ("pending", "frames", at)
        if kind in (Frame.CARD, Frame.LEAVING) and state["card"][at] == NOBODY:
            yield Problem((*location, "card"), "is missing; such a frame needs a card")
        if kind == Frame.CARD and state["step"][at] > Part.LAY and state["place"][at] == NOBODY:
            yield Problem((*location, "place"), "is missing; a card that has been laid has a place")
        if kind == Frame.DAMAGE and state["target"][at] == NOBODY:
            yield Problem((*location, "target"), "is missing; damage has a target")
    if (state["frame"][:depth] == Frame.CARD).sum() > LADDER_MAX:
        yield Problem(("pending", "frames"), f"has more than {LADDER_MAX} cards, which the slots cannot hold")


def _wrong_decision(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """A decision that is not about the top frame, or belongs to the other seat."""
    phase, top = Phase(state["phase"]), int(state["depth"]) - 1
    needed = _NEEDED.get(phase, ())
    if needed and (top < 0 or state["frame"][top] not in needed):
        words = " or ".join(Frame(frame).name.lower() for frame in needed)
        yield Problem(("pending", "frames"), f"the top one must be {words}, because the decision is about it")
    elif phase in (Phase.MAIN, Phase.PASS) and top >= 0:
        yield Problem(("pending", "frames"), f'must be left out; in phase "{phase.name.lower()}" nothing is under way')
    elif state["seat"] not in (right := _deciders(state, cards, phase, top)):
        words = " or ".join(map(str, right)) or "a seat whose triggers wait"
        yield Problem(("pending", "seat"), f"must be {words}, which decides there")


def _deciders(state: np.void, cards: CardSet, phase: Phase, top: int) -> list[int]:
    """Seats to which a decision can belong."""
    seat, by = int(state["seat"]), int(state["by"][top])
    if phase in (Phase.MAIN, Phase.PASS, Phase.EACH, Phase.ORDER):
        return [int(state["active"])]
    if phase == Phase.FIRST and state["chooser"] != NOBODY:
        return [int(state["chooser"])]
    if phase == Phase.ANSWER:
        return [SEATS - 1 - int(state["kind"][top])]
    if phase == Phase.BLOCK:
        return [int(seat_of(int(state["target"][top])))]
    if phase == Phase.BULLET:
        return [by if cards.record[0]["picker"][state["card"][top]] == Picker.PLAYER else SEATS - 1 - by]
    if phase == Phase.TRIGGER and state["frame"][top] == Frame.TRIGGERS:
        return [side for side in range(SEATS) if state["waiting"][top, side]]
    return [by] if phase in _NEEDED else [seat]


POSITION = Document(keys=KEYS, problems=problems, begin=_begin, settle=_settle)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a table that `place` accepts."""
    return POSITION.read(state, cards)


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into a zeroed `state`. Every key is optional.

    A Play Phase that begins goes on as far as nothing happens. Raises ValueError: field, value, what would be right.
    """
    POSITION.write({"players": [{}] * SEATS} | position, cards, state)
    state["options_n"] = 0
    if state["phase"] not in IDLE:
        list_options(state, cards.record[0])
        if state["options_n"] == 0:
            raise ValueError(f'phase = "{Phase(state["phase"]).name.lower()}": no seat has a decision there')
    elif state["phase"] == Phase.GOING:
        state["seat"] = state["active"]
        state["options_n"], state["options"][0] = 1, 0  # "go on"
        if state["stage"] == Stage.PLAY and not state["depth"]:
            ahead = state.copy()
            pursue(ahead, cards.record[0], np.zeros(1, DICE)[0])
            if ahead["phase"] == Phase.MAIN and ahead["turn"] == state["turn"]:
                for field in STATE.names or ():
                    state[field] = ahead[field]
