"""Positions by readable names, as scenario files write them: the keys of POSITION.

Lists of three are by position from left to right; before the first row they are in the order of the squad. With the names
imported from `text`, this module is the protocols `Words` and `DrawWords` of the engine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.engine.positions import (
    ABSENT,
    Case,
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
    When,
    Word,
    numbered,
    words_of,
)
from sim.engine.words import line_up
from sim.games.rookling.cards import LIFE_MAX, LINES, SQUAD, Kind
from sim.games.rookling.position.invariants import copies_in_all, copies_of, derive, hidden_copies, problems
from sim.games.rookling.rules import attacks
from sim.games.rookling.rules.attacks import AMOUNT_MAX, Stage
from sim.games.rookling.rules.energy import power
from sim.games.rookling.setup import PICKS
from sim.games.rookling.state import (
    CAPACITY_MAX,
    DECK_MAX,
    FIELD,
    HAND_MAX,
    KINDS,
    NOBODY,
    NOWHERE,
    POSITIONS,
    RESOLVING,
    SEATS,
    SLOTS,
    Phase,
    energy_on,
    fixed_at,
    hand_of,
    mover,
    order_of,
    owner_of,
    zone_of,
)
from sim.games.rookling.story import events
from sim.games.rookling.text import PLACES, action, card_ids, draw, ids_of, line_names, picture, slot_ids

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]

COVER_MAX = 2_880  # 16 kinds of 12 token cards with up to 15 points
GRANT_MAX = 99  # points granted for an exchange
UNDER_MAX = 192  # tokens under a Rookling: 16 kinds of 12 cards
MOMENTS_MAX = 2**31 - 1
EFFECT = "field effect of these squads"
BEFORE, AFTER = 1, 2  # default moments: all copies went into the deck before any card was drawn


def _is_dealt(here: Here) -> bool:
    """Whether there is more on the table than the squads of a draft."""
    return bool(here.state["phase"] != Phase.DRAFT)


def _numbers(words: Sequence[Any], path: str, known: Mapping[int, str], what: str) -> list[int]:
    """Return words as numbers. Raises ValueError that names the entry and the nearest known word."""
    numbers = {word: number for number, word in known.items()}
    for index, word in enumerate(words):
        if not isinstance(word, str) or word not in numbers:
            right = did_you_mean(word, [*numbers]) or "there is none"
            raise ValueError(f"{path}[{index}] = {shown(word)}: is no {what}; {right}")
    return [numbers[word] for word in words]


# What lies at a position.


@dataclass(frozen=True)
class Places(Key):
    """A list of words for each position of a player's row.

    what: the words stand for; known: words by their numbers; numbers: those at a position; put: writes them there and returns
    what is wrong with them, if anything; most: words at a position; sparse: three empty lists are left out.
    """

    what: str
    known: Callable[[Here, int], Mapping[int, str]]
    numbers: Callable[[Here, int], Iterable[int]]
    put: Callable[[Here, int, list[int]], str | None]
    most: int
    sparse: bool = False

    def read(self, here: Here) -> list[list[str]]:
        """Return the three lists, or ABSENT."""
        lists = [[self.known(here, at)[number] for number in self.numbers(here, at)] for at in range(POSITIONS)]
        return ABSENT if self.sparse and not any(lists) else lists

    def write(self, table: Table, here: Here) -> None:
        """Write what is at each position."""
        lists = table.items(self.key, POSITIONS) or [[] for _ in range(POSITIONS)]
        if len(lists) != POSITIONS or not all(isinstance(words, list) for words in lists):
            raise table.wrong(self.key, f"must be {POSITIONS} lists, for left, middle and right")
        for at, words in enumerate(lists):
            path = f"{table.field(self.key)}[{at}]"
            if len(words) > self.most:
                raise ValueError(f"{path}: has {len(words)} entries; at most {self.most} are allowed")
            if wrong := self.put(here, at, _numbers(words, path, self.known(here, at), self.what)):
                raise table.wrong(self.key, wrong)


def _slot(here: Here, at: int) -> int:
    """Roster slot of the player's Rookling at a position."""
    return order_of(here.state, *here.at)[at]


def _under(key: str, meaning: str, field: str, what: str, known: Callable[[Here, int], Mapping[int, str]]) -> Places:
    """ROOK-67. A key for what lies under a player's Rooklings. field: of STATE, copies by seat, roster slot and number."""

    def put(here: Here, at: int, numbers: list[int]) -> None:
        for number in numbers:
            here.state[field][(*here.at, _slot(here, at), number)] += 1

    def under(here: Here, at: int) -> list[int]:
        counts = here.state[field][(*here.at, _slot(here, at))]
        return np.repeat(np.arange(len(counts)), counts).tolist()

    return Places(key, meaning, what, known, under, put, UNDER_MAX, shown="none")


def _tokens(here: Here, _at: int) -> dict[int, str]:
    return dict(enumerate(ids_of(here.cards, "token")))


def _effects(here: Here, _at: int) -> dict[int, str]:
    return slot_ids(here.state, here.cards)


def _cards(here: Here, _at: int) -> dict[int, str]:
    return card_ids(here.state, here.cards)


def _fixed(here: Here, at: int) -> list[int]:
    return fixed_at(here.state, here.at[0], at)


def _put_fixed(here: Here, at: int, slots: list[int]) -> str | None:
    for slot in slots:
        if here.state["fixed"][slot] != NOWHERE:
            return "has one that already lies in a zone; an owner has only one of a kind (ROOK-62)"
        here.state["fixed"][slot] = zone_of(here.at[0], at)
    return None


def _energy(here: Here, at: int) -> list[int]:
    return energy_on(here.state, here.at[0], at)


def _put_energy(here: Here, at: int, kinds: list[int]) -> None:
    here.state["zone"][(*here.at, at)][: len(kinds)] = kinds
    here.state["zone_n"][(*here.at, at)] = len(kinds)


def _powered(here: Here, at: int) -> list[int]:
    bits = here.number("powered", at)
    return [kind for card, kind in enumerate(_energy(here, at)) if bits >> card & 1]


def _put_powered(here: Here, at: int, kinds: list[int]) -> str | None:
    left = Counter(kinds)
    for card, kind in enumerate(_energy(here, at)):
        if left[kind] > 0:
            left[kind] -= 1
            here.state["powered"][(*here.at, at)] |= 1 << card
    return "names a card that is not among the energy there" if left.total() else None


def _lines(here: Here, seat: int, at: int, special: bool) -> dict[int, str]:
    """Special lines, or attack and defence lines, of the Rookling at a position; none before the first row."""
    if here.state["at"][seat, at] == NOWHERE:
        return {}
    rook = int(here.state["rook"][seat, here.state["at"][seat, at]])
    kinds, names = here.cards.record[0]["kind"][rook], line_names(here.cards, rook)
    return {line: name for line, name in enumerate(names) if (kinds[line] == Kind.SPECIAL) == special}


def _specials(here: Here, at: int) -> dict[int, str]:
    return _lines(here, here.at[0], at, special=True)


def _others(here: Here, at: int) -> dict[int, str]:
    return _lines(here, here.at[0], at, special=False)


def _activated(here: Here, at: int) -> list[int]:
    return [line for line in range(LINES) if here.number("activated", at) >> line & 1]


def _put_activated(here: Here, at: int, lines: list[int]) -> None:
    for line in lines:
        here.state["activated"][(*here.at, at)] |= 1 << line


def _in_use(here: Here, at: int) -> list[int]:
    return [line for line in [here.number("line", at)] if line != NOBODY]


def _put_in_use(here: Here, at: int, lines: list[int]) -> None:
    for line in lines:
        here.state["line"][(*here.at, at)] = line


# Players.


def _read_squad(here: Here) -> list[str]:
    ids = ids_of(here.cards, "rookling")
    return [ids[rook] for rook in here.state["rook"][here.at] if rook != NOBODY]


def _write_squad(table: Table, here: Here) -> None:
    """ROOK-02, 04, 07. Write a squad in the order of its roster, with field effects and life at the start."""
    state, record, ids, (seat,) = here.state, here.cards.record[0], ids_of(here.cards, "rookling"), here.at
    squad = table.take("squad", table.values.get("row", []))
    if not isinstance(squad, list) or not (SQUAD if _is_dealt(here) else 0) <= len(squad) <= SQUAD:
        raise table.wrong("squad", f"must be a list of {SQUAD} Rooklings")
    for slot, rook in enumerate(_numbers(squad, table.field("squad"), dict(enumerate(ids)), "Rookling")):
        if rook in state["rook"][seat]:
            raise table.wrong("squad", f"has {ids[rook]} twice; must be three different Rooklings (ROOK-01)")
        if rook in state["rook"][1 - seat] and not record["mirror"]:
            raise table.wrong("squad", f"{ids[rook]} is in the other squad too; this needs rules.mirror = true (ROOK-02)")
        state["rook"][seat, slot] = rook
        if _is_dealt(here):
            state["effect"][seat * SQUAD + slot] = record["field_effect"][rook]
            state["life"][seat, slot] = record["life"][rook]


def _read_row(here: Here) -> list[str]:
    laid = NOWHERE not in here.state["at"][here.at]
    return [_read_squad(here)[slot] for slot in order_of(here.state, *here.at)] if laid else []


def _write_row(table: Table, here: Here) -> None:
    """ROOK-16. Write a row. The default is the order of the squad."""
    squad = _read_squad(here)
    row = table.take("row", squad)
    if row != [] and not (isinstance(row, list) and len(row) == SQUAD and all(word in row for word in squad)):
        raise table.wrong("row", f"must be the squad from left to right: {', '.join(squad)} in any order")
    for at, word in enumerate(row):
        here.state["at"][(*here.at, at)] = squad.index(word)


def _read_life(here: Here) -> list[int]:
    return [here.number("life", slot) for slot in order_of(here.state, *here.at)]


def _write_life(table: Table, here: Here) -> None:
    """ROOK-05. Write life by position. The default is that of the start."""
    lives = table.take("life", _read_life(here))
    if not isinstance(lives, list) or len(lives) != SQUAD or not all(is_whole(life, 0, LIFE_MAX) for life in lives):
        raise table.wrong("life", f"must be {SQUAD} whole numbers from 0 to {LIFE_MAX}, from left to right")
    here.state["life"][(*here.at, order_of(here.state, *here.at))] = lives


def _read_hand(here: Here) -> list[str]:
    return [card_ids(here.state, here.cards)[kind] for kind in hand_of(here.state, *here.at)]


def _write_hand(table: Table, here: Here) -> None:
    hand = _numbers(table.items("hand", HAND_MAX), table.field("hand"), card_ids(here.state, here.cards), "card")
    here.state["hand"][here.at][: len(hand)] = hand
    here.state["hand_n"][here.at] = len(hand)


def _own_effects(here: Here) -> dict[int, str]:
    """Ids of a player's own field effects by slot."""
    return {slot: word for slot, word in slot_ids(here.state, here.cards).items() if (owner_of(slot),) == here.at}


def _read_pile(here: Here) -> list[str]:
    return [word for slot, word in _own_effects(here).items() for _ in range(here.state["pile"][slot])]


def _write_pile(table: Table, here: Here) -> None:
    """ROOK-07. Write own field effects out of play. Without `pile` these are all that `discard` finds nowhere else."""
    for slot in _numbers(table.items("pile", DECK_MAX), table.field("pile"), _own_effects(here), "field effect of this squad"):
        here.state["pile"][slot] += 1


def _after_the_draft(*keys: Key) -> tuple[Key, ...]:
    """Keys that a position has once the squads are complete."""
    return tuple(replace(key, when=_is_dealt) for key in keys)


def _of_exchange(key: str, meaning: str, least: int = 0, most: int = GRANT_MAX) -> Each:
    """A key for three numbers of this exchange."""
    return Each(key, meaning, count=POSITIONS, least=least, most=most, default=least, sparse=True, shown=str(least))


EXCHANGE: tuple[Key, ...] = (
    _of_exchange("capacity", "cards that each Rookling can hold", 1, CAPACITY_MAX),
    _of_exchange("attack_flat", "granted points of attack"),
    _of_exchange("attack_plus", "granted points of attack that need a base"),
    _of_exchange("defence_flat", "granted points of defence"),
    _of_exchange("defence_plus", "granted points of defence that need a base"),
    Places("powered", "cards that powered a line", "card", _cards, _powered, _put_powered, CAPACITY_MAX, True, shown="`lines`"),
    Places("activated", "special lines", "special line there", _specials, _activated, _put_activated, LINES, True, shown="none"),
    Places(
        "lines",
        "attack or defence lines in use",
        "attack or defence line there",
        _others,
        _in_use,
        _put_in_use,
        1,
        True,
        shown="none",
    ),
)
PLAYER: tuple[Key, ...] = (
    Custom("squad", "ids in the order of the roster", shown="the row", reader=_read_squad, writer=_write_squad),
    *_after_the_draft(
        Custom("row", "ids; `[]`: before the first row", shown="the squad", reader=_read_row, writer=_write_row),
        Custom("life", "0: in siege-state", shown="as at the start", reader=_read_life, writer=_write_life),
        _under("tokens", 'active token cards: `[["frozen"], [], []]`', "tok", "token", _tokens),
        _under("coming", "pending token cards", "tok_new", "token", _tokens),
        _under("slid", "field effects as tokens under a Rookling", "fe_tok", EFFECT, _effects),
        Places("fixed", "field effects as fixed tokens in a zone", EFFECT, _effects, _fixed, _put_fixed, SLOTS, shown="none"),
        Places(
            "energy", 'cards: `[["red 4"], [], ["tunnel"]]`', "card", _cards, _energy, _put_energy, CAPACITY_MAX, shown="none"
        ),
        Custom("hand", 'cards: `["red 4", "black_ice"]`', shown="none", reader=_read_hand, writer=_write_hand),
        Custom(
            "pile", "own field effects out of play", shown="all that are named nowhere", reader=_read_pile, writer=_write_pile
        ),
        Flag("skip", "no draw at the end of this exchange"),
        Group("exchange", "facts of this exchange only", shown="nothing", keys=EXCHANGE),
    ),
)


# The decision at hand (ROOK-45).


_STAGES = {Phase.NEXT: Stage.NEXT, Phase.SIDE: Stage.SIDE, Phase.BLOCK: Stage.BLOCK}
PLACE = numbered(PLACES)


def _clash_key(key: str, meaning: str, value: Callable[[int], Any], shown: str = "") -> Custom:
    """A key of the packed resolution, which `_settle_clash` writes."""
    return Custom(key, meaning, shown=shown, reader=lambda here: value(here.number("clash")))


def _all_that(holds: Callable[[int, int], Any]) -> Callable[[int], list[str]]:
    return lambda clash: [place for place, at in PLACE.items() if holds(clash, at)]


def _read_hits(clash: int) -> dict[str, str]:
    bearers = {place: int(attacks.bearer_of(clash, at)) for place, at in PLACE.items()}
    return {place: PLACES[bearer] for place, bearer in bearers.items() if bearer != NOWHERE}


def _settle_target(_table: Table, here: Here) -> None:
    """ROOK-30. Mark the special line whose target is picked as activated."""
    state, seat, at, line = here.state, int(mover(here.state)), here.number("focus"), here.number("cursor")
    state["activated"][seat, at] |= 1 << line
    power(state, here.cards.record[0], seat, at, line)


def _settle_clash(table: Table, here: Here) -> None:
    """ROOK-45. Write a resolution. Defaults are those before its first packet."""
    state, phase = here.state, Phase(here.state["phase"])
    attacked = [place for place, at in PLACE.items() if state["att"][at] > 0]
    waiting = _places(table, "open") if table.has("open") else attacked if phase == Phase.NEXT else []
    if strange := [place for place in waiting if place not in attacked]:
        raise table.wrong("open", f"there is no attack on the {strange[0]}")
    if phase == Phase.NEXT and not waiting:
        raise table.wrong("open", 'no attack is left to resolve; phase "next" needs one of 1 or more in attack')
    amounts = np.array([state["att"][at] if place in waiting else 0 for place, at in PLACE.items()])
    seat = int(attacks.hurt_seat(state))
    clash = int(
        attacks.begin_clash(
            attacks.force_of(amounts, state["dfn"]), *(int(state["life"][seat, slot]) for slot in state["at"][seat])
        )
    )
    for place in _places(table, "used"):
        clash |= 1 << (attacks.USED_AT + PLACE[place])
    hits = Table(table.take("hits", {}), table.field("hits"))
    for place, at in PLACE.items():
        if hits.has(place):
            clash |= (1 + PLACE[hits.one_of(place, PLACES)]) << (attacks.BEARER_AT + attacks.BEARER_BITS * at)
        hits.take(place, None)
    hits.close()
    clash = int(attacks.to_stage(clash, int(_STAGES[phase])))
    if phase != Phase.NEXT:
        struck = table.one_of("struck", PLACES)
        landing = table.one_of("landing", PLACES, struck) if phase == Phase.BLOCK else struck
        clash |= (
            PLACE[struck] << attacks.STRUCK_AT
            | table.whole("left", 1, AMOUNT_MAX) << attacks.LEFT_AT
            | PLACE[landing] << attacks.LANDING_AT
        )
        if phase == Phase.BLOCK:
            clash |= PLACE[table.one_of("blocker", PLACES, landing)] << attacks.BLOCKER_AT
    state["clash"] = clash


def _places(table: Table, key: str) -> list[str]:
    """A list of positions by their names."""
    places = table.items(key, POSITIONS)
    return [PLACES[at] for at in _numbers(places, table.field(key), dict(enumerate(PLACES)), "position")]


def _special_lines(here: Here) -> dict[str, int]:
    return {name: line for line, name in _lines(here, int(mover(here.state)), here.number("focus"), special=True).items()}


AT = "position that it is about: `left`, `middle`, `right`"
OF_A_LINE = (
    Word("at", AT, field="focus", words=lambda _: PLACE),
    Word("line", "name of the special line", field="cursor", words=_special_lines),
)
RESOLUTION = (
    Flag("poison", "whether the poison of the attacker is resolved"),
    _clash_key("open", "attacks to be resolved", _all_that(attacks.is_open), "in `next`, all"),
    _clash_key("used", "blocks used", _all_that(attacks.is_used), "none"),
    _clash_key("hits", 'position of the Rookling that an attack hit: `{ left = "left" }`', _read_hits, "none"),
)
PACKET = (
    _clash_key("struck", "position of the attack under way", lambda clash: PLACES[attacks.struck_of(clash)]),
    _clash_key("left", f"its points left, 1..{AMOUNT_MAX}", lambda clash: int(attacks.left_of(clash))),
)
BLOCK = (
    _clash_key("landing", "where the packet lands", lambda clash: PLACES[attacks.landing_of(clash)], "`struck`"),
    _clash_key("blocker", "position that is asked to block", lambda clash: PLACES[attacks.blocker_of(clash)], "`landing`"),
)
DECLARED = Case((Word("at", AT, field="cursor", words=lambda _: PLACE, default=PLACES[0], shown="`left` in `attack`, `defend`"),))
PENDING = {
    Phase.ACTIVATE: Case(OF_A_LINE),
    Phase.TARGET: Case(OF_A_LINE, _settle_target),
    Phase.ATTACK: DECLARED,
    Phase.DEFEND: DECLARED,
    Phase.NEXT: Case(RESOLUTION, _settle_clash),
    Phase.SIDE: Case((*RESOLUTION, *PACKET), _settle_clash),
    Phase.BLOCK: Case((*RESOLUTION, *PACKET, *BLOCK), _settle_clash),
}


# Where every card is (ROOK-06 to 08).


def _by_word(here: Here, counts: np.ndarray) -> dict[str, int]:
    words = card_ids(here.state, here.cards)
    return {word: int(counts[kind]) for kind, word in words.items() if counts[kind]}


def _given(table: Table, key: str, here: Here) -> np.ndarray:
    """Cards by kind as a document gives them by words, shape (KINDS,)."""
    counts, copies = Table(table.take(key, {}), table.field(key)), copies_in_all(here.state, here.cards)
    given = np.zeros(KINDS, int)
    for kind, word in card_ids(here.state, here.cards).items():
        given[kind] = counts.whole(word, 0, int(copies[kind]), 0)
    counts.close()
    return given


def _add_to_deck(state: np.void, counts: np.ndarray) -> None:
    kinds = np.repeat(np.arange(KINDS), counts)
    state["deck"][state["deck_n"] : state["deck_n"] + len(kinds)] = kinds
    state["deck_n"] += len(kinds)


def _write_deck(table: Table, here: Here) -> None:
    _add_to_deck(here.state, _given(table, "deck", here))


def _write_discard(table: Table, here: Here) -> None:
    """ROOK-06, 07. Write the discard pile, and put the cards that are nowhere into their default places.

    Energy goes into the deck, or into the discard pile if the deck is given. Field effects go into the pile of their owner; if
    that is given, into the deck; if both are, into the discard pile.
    """
    state = here.state
    state["disc"] = _given(table, "discard", here)
    left = np.maximum(0, copies_in_all(state, here.cards) - copies_of(state))
    for slot in range(SLOTS):
        if not here.tables["players", owner_of(slot)].has("pile"):
            state["pile"][slot] += left[FIELD + slot]
            left[FIELD + slot] = 0
    if not table.has("deck"):
        _add_to_deck(state, left)
    elif not table.has("discard"):
        state["disc"] += left
    state["disc_n"] = state["disc"].sum()


def _read_supply(here: Here) -> dict[str, int]:
    supply = here.state["supply"]
    return {word: int(supply[kind]) for kind, word in enumerate(ids_of(here.cards, "token")) if supply[kind]}


def _write_supply(table: Table, here: Here) -> None:
    """ROOK-08. Write the token cards out of play, which are all that are not on the table."""
    supply, state = Table(table.take("supply", {}), table.field("supply")), here.state
    state["supply"] = here.cards.record[0]["supply"] - state["tok"].sum(axis=(0, 1)) - state["tok_new"].sum(axis=(0, 1))
    for kind, word in enumerate(ids_of(here.cards, "token")):
        if supply.take(word, left := int(state["supply"][kind])) != left:
            raise supply.wrong(word, f"must be {left}, which follows from the rest, or left out")
    supply.close()


# When cards were drawn and field effects shuffled in (ROOK-13).


def _are_moments(moments: object, count: int) -> bool:
    return isinstance(moments, list) and len(moments) == count and all(is_whole(moment, 1, MOMENTS_MAX) for moment in moments)


def _read_drawn(here: Here) -> list[list[int]]:
    return [here.state["drawn_at"][seat, : here.state["hand_n"][seat]].tolist() for seat in range(SEATS)]


def _write_drawn(table: Table, here: Here) -> None:
    held = here.state["hand_n"].tolist()
    drawn = table.take("drawn", [[AFTER] * count for count in held])
    if not isinstance(drawn, list) or len(drawn) != SEATS or not all(map(_are_moments, drawn, held)):
        raise table.wrong("drawn", "must be a list for each seat with a whole number of 1 or more for each card in hand")
    for seat, count in enumerate(held):
        here.state["drawn_at"][seat, :count] = drawn[seat]


def _read_entered(here: Here) -> dict[str, list[int]]:
    entered = {word: here.state["entered"][slot] for slot, word in slot_ids(here.state, here.cards).items()}
    return {word: moments[moments > 0].tolist() for word, moments in entered.items() if moments.any()}


def _write_entered(table: Table, here: Here) -> None:
    entered = Table(table.take("entered", {}), table.field("entered"))
    for slot, word in slot_ids(here.state, here.cards).items():
        hidden = hidden_copies(here.state, slot)
        moments = entered.take(word, [BEFORE] * hidden)
        if not _are_moments(moments, hidden):
            raise entered.wrong(word, f"must be {hidden} whole numbers of 1 or more, for its copies in deck and hands")
        here.state["entered"][slot, :hidden] = moments
    entered.close()


MOMENTS: tuple[Key, ...] = (
    Number("now", "of the last draw or shuffling in", field="draws", least=1, most=MOMENTS_MAX, default=AFTER),
    Custom("drawn", "of each card in hand, by seat", shown="after all others", reader=_read_drawn, writer=_write_drawn),
    Custom(
        "entered",
        "of each copy of a field effect in deck and hands: `{ tunnel = [3, 7] }`",
        shown="at the start",
        reader=_read_entered,
        writer=_write_entered,
    ),
)


# The position.


def _write_defending(table: Table, here: Here) -> None:
    """ROOK-11. By default the defender's half begins with its lines, and ends with poison, which the attacker resolves."""
    pending, phase = table.values.get("pending"), here.number("phase")
    poison = isinstance(pending, Mapping) and pending.get("poison") is True
    here.state["defending"] = table.flag("defending", (phase == Phase.DEFEND or phase in RESOLVING) and not poison)


def _optional_seat(key: str, meaning: str, default: str) -> Custom:
    def write(table: Table, here: Here) -> None:
        here.state[key] = table.whole(key, 0, SEATS - 1, NOBODY)

    def read(here: Here) -> int:
        return ABSENT if here.number(key) == NOBODY else here.number(key)

    return Custom(key, meaning, shown=default, reader=read, writer=write)


KEYS: tuple[Key, ...] = (
    Number("turn", "exchanges finished; after the first one the defender draws too", most=lambda here: here.card("turn_cap")),
    Word("phase", ", ".join(f"`{phase.name.lower()}`" for phase in Phase), words=words_of(Phase), default="row"),
    Number("attacker", "seat that attacks", most=SEATS - 1),
    Number(
        "first", "seat that attacked first", most=SEATS - 1, default=lambda here: here.number("attacker"), shown="the attacker"
    ),
    _optional_seat("drafter", "seat that picks first in a draft", "0 in a draft"),
    _optional_seat("winner", "seat that has won", "follows in `over`"),
    *_after_the_draft(
        Custom(
            "defending",
            "whether it is the defender's half; with `phase = \"row\"` the first defender's row before any card is drawn",
            shown="`true` from `defend` on, but for poison",
            reader=lambda here: bool(here.state["defending"]),
            writer=_write_defending,
        )
    ),
    Rows("players", "2", index="seat", by_key=True, rows=lambda _: range(SEATS), most=SEATS - 1, keys=PLAYER),
    *_after_the_draft(
        Each("attack", "declared attacks, or poison under way", field="att", count=POSITIONS, most=AMOUNT_MAX, shown="0"),
        Each("defence", "declared defences", field="dfn", count=POSITIONS, most=AMOUNT_MAX, shown="0"),
        Each("cover", "flat defence of tokens that acted because they were faced", count=POSITIONS, most=COVER_MAX, shown="0"),
        When("pending", "what the decision is about, by phase", shown="before the first packet", field="phase", cases=PENDING),
        Custom(
            "deck",
            'cards by number of copies: `{ "red 4" = 2 }`',
            shown="all energy that is not named elsewhere",
            reader=lambda here: _by_word(here, np.bincount(here.state["deck"][: here.state["deck_n"]], minlength=KINDS)),
            writer=_write_deck,
        ),
        Follows("deck_size", "number of cards in the deck", value=lambda here: here.number("deck_n")),
        Custom(
            "discard",
            "cards by number of copies",
            shown="none; with `deck` all that are not named elsewhere",
            reader=lambda here: _by_word(here, here.state["disc"]),
            writer=_write_discard,
        ),
        Follows("discard_size", "number of discarded cards", value=lambda here: here.number("disc_n")),
        Custom("supply", "token cards out of play", shown="follows from the rest", reader=_read_supply, writer=_write_supply),
        Group("moments", "when cards moved, for sampling hidden cards", shown="unknown", keys=MOMENTS),
    ),
)


def _begin(table: Table, here: Here) -> None:
    """Write an empty table."""
    if (players := len(table.items("players", SEATS))) != SEATS:
        raise ValueError(f"players: has {players} entries; must be {SEATS} tables with squad")
    for field in ("rook", "squad", "line", "effect", "at", "fixed", "life_after"):
        here.state[field] = NOBODY
    here.state["capacity"] = 1


def _settle(_table: Table, here: Here) -> None:
    """Write what follows: the picks of a draft; the winner, cards that power lines in use, and fields derived from others."""
    state, record = here.state, here.cards.record[0]
    if state["phase"] == Phase.DRAFT:
        state["drafter"] = max(0, state["drafter"])
        state["cursor"] = (state["rook"] != NOBODY).sum()
        for seat in range(SEATS):
            turns = np.flatnonzero(PICKS[: state["cursor"]] ^ state["drafter"] == seat)
            state["picked"][seat, : len(turns)] = turns + 1
        return
    if state["phase"] == Phase.OVER and state["winner"] == NOBODY:
        state["winner"] = state["life"].any(axis=1).argmax()
    for seat, at in np.argwhere(state["line"] != NOBODY):
        power(state, record, int(seat), int(at), int(state["line"][seat, at]))
    derive(state, here.cards)


POSITION = Document(keys=KEYS, problems=problems, begin=_begin, settle=_settle)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position as a dictionary that `place` accepts."""
    return POSITION.read(state, cards)


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into a zeroed `state`.

    Only `players` with `squad` or `row` is required. Everything else defaults to a fresh game in which seat 0 is about to
    arrange its row, with all energy that is not named elsewhere in the deck. Raises ValueError with the field, its value and
    what would be right.
    """
    POSITION.write(position, cards, state)
