"""Players of Rookling Heroes written into a state by readable names: squad, row, tokens, cards, the exchange."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table, is_whole
from sim.games.rookling.labels import card_ids, energy_on, ids_of, line_names, order_of, slot_ids, zone_of
from sim.games.rookling.notation_read import GRANTS
from sim.games.rookling.record import ANY, GREY, LINES, NONE, NUMBERS, SQUAD, Kind, Until
from sim.games.rookling.state import (
    CAPACITY_MAX,
    FIELD,
    HAND_MAX,
    NOWHERE,
    POSITIONS,
    Phase,
)

LIFE_MAX = 15
TOKENS_MAX = 12  # token cards of a kind
POINTS_MAX = 99  # of a grant
EXCHANGE = "exchange"


def place_squad(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-02, 04, 07. Write a squad in the order of its roster, and what its Rooklings have."""
    ids = ids_of(cards, "rookling")
    squad = entry.take("squad", entry.values.get("row", []))
    most = SQUAD if state["phase"] == Phase.DRAFT else 0  # that may be missing
    if not isinstance(squad, list) or not SQUAD - most <= len(squad) <= SQUAD:
        raise entry.wrong("squad", f"must be a list of {SQUAD} Rooklings")
    for slot, word in enumerate(squad):
        if word not in ids:
            raise ValueError(f"{entry.field('squad')}[{slot}] = {shown(word)}: is no Rookling; {_near(word, ids)}")
        rook = ids.index(word)
        if rook in state["rook"][seat]:
            raise entry.wrong("squad", f"has {word} twice; must be three different Rooklings (ROOK-01)")
        if seat == 1 and rook in state["rook"][0] and not cards.record[0]["mirror"]:
            raise entry.wrong("squad", f"{word} is in the other squad too; that takes rules.mirror = true (ROOK-02)")
        state["rook"][seat, slot] = rook
        state["effect"][seat * SQUAD + slot] = cards.record[0]["field_effect"][rook]
        state["life"][seat, slot] = cards.record[0]["life"][rook]


def place_player(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Write everything else of a player into a state that has both squads."""
    _place_row(entry, cards, state, seat)
    _place_lives(entry, cards, state, seat)
    _place_tokens(entry, cards, state, seat)
    _place_fixed(entry, cards, state, seat)
    exchange = Table(entry.take(EXCHANGE, {}), entry.field(EXCHANGE))
    _place_cards(entry, exchange, cards, state, seat)
    _place_exchange(exchange, cards, state, seat)
    state["skip"][seat] = entry.flag("skip", False)


def _place_row(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-16. Who stands where; a row that is not given is the squad."""
    ids = ids_of(cards, "rookling")
    squad = [ids[rook] for rook in state["rook"][seat]]
    row = entry.take("row", squad)
    if row != [] and not (isinstance(row, list) and len(row) == SQUAD and all(word in row for word in squad)):
        raise entry.wrong("row", f"must be the squad from left to right: {', '.join(squad)} in any order")
    for at, word in enumerate(row):
        state["at"][seat, at] = squad.index(word)


def _place_lives(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-05. Lives by position; those that are not given are as at the start."""
    lives = entry.items("life", SQUAD)
    if lives and (len(lives) != SQUAD or not all(is_whole(life, 0, LIFE_MAX) for life in lives)):
        raise entry.wrong("life", f"must be {SQUAD} whole numbers from 0 to {LIFE_MAX}, from left to right")
    for slot, life in zip(order_of(state, seat), lives, strict=False):
        most = max(int(cards.record[0]["heal_cap"]), int(cards.record[0]["life"][state["rook"][seat, slot]]))
        if life > most:
            raise entry.wrong("life", f"must be at most {most}: the start, and rules.heal_cap")
        state["life"][seat, slot] = life


def _place_tokens(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-67. Token cards, those that become active with the next exchange, and field effect cards slid under."""
    tokens = {word: kind for kind, word in enumerate(ids_of(cards, "token"))}
    effects = {word: slot for slot, word in slot_ids(state, cards).items()}
    order = order_of(state, seat)
    for key, field, known, what in (
        ("tokens", "tok", tokens, "token"),
        ("coming", "tok_new", tokens, "token"),
        ("slid", "fe_tok", effects, "field effect of these squads"),
    ):
        for at, kinds in enumerate(by_position(entry, key, known, what)):
            for kind in kinds:
                if field == "fe_tok" and is_fixed(cards, state, kind):
                    raise entry.wrong(key, "has a fixed token; that lies in a zone, see fixed (ROOK-62)")
                state[field][seat, order[at], kind] += 1


def is_fixed(cards: CardSet, state: np.void, effect_slot: int) -> bool:
    """Whether the cards of a field effect slot become fixed tokens (ROOK-62)."""
    record = cards.record[0]
    return bool(record["until"][record["effect_token"][state["effect"][effect_slot]]] == Until.REPLACED)


def _place_fixed(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-62. Fixed tokens in the zones of a player."""
    effects = {word: slot for slot, word in slot_ids(state, cards).items()}
    for at, slots in enumerate(by_position(entry, "fixed", effects, "field effect of these squads")):
        for slot in slots:
            if not is_fixed(cards, state, slot):
                raise entry.wrong("fixed", "has no fixed token; that slides under a Rookling, see slid (ROOK-63)")
            if state["fixed"][slot] != NOWHERE:
                raise entry.wrong("fixed", "lies in a zone already; an owner has one of a kind (ROOK-62)")
            state["fixed"][slot] = zone_of(seat, at)


def _place_cards(entry: Table, exchange: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-20, 21. Cards in hand and on Rooklings."""
    kinds = {word: kind for kind, word in card_ids(state, cards).items()}
    most = min(HAND_MAX, int(cards.record[0]["hand_max"]))
    hand = known_words(entry.items("hand", most), entry.field("hand"), kinds, "card")
    state["hand"][seat, : len(hand)] = hand
    state["hand_n"][seat] = len(hand)
    state["capacity"][seat] = _numbers(exchange, "capacity", 1, CAPACITY_MAX, 1)
    for at, placed in enumerate(by_position(entry, "energy", kinds, "card")):
        if len(placed) > state["capacity"][seat, at]:
            where = f"{entry.field('energy')}[{at}]: has {len(placed)} cards"
            raise ValueError(f"{where}; exchange.capacity allows {state['capacity'][seat, at]} there (ROOK-21)")
        state["zone"][seat, at, : len(placed)] = placed
        state["zone_n"][seat, at] = len(placed)
        _show(cards, state, seat, at)


def _show(cards: CardSet, state: np.void, seat: int, position: int) -> None:
    """ROOK-22 to 25. Sums of the numbers on a Rookling by colour and in all, and which colours there are."""
    record = cards.record[0]
    for kind in energy_on(state, seat, position):
        effect = int(state["effect"][kind - FIELD]) if kind >= FIELD else NONE
        colour = int(record["effect_colour"][effect]) if kind >= FIELD else kind // NUMBERS
        number = int(record["effect_number"][effect]) if kind >= FIELD else kind % NUMBERS + 1
        state["shown"][seat, position, ANY] += number
        if colour != GREY:
            state["shown"][seat, position, colour] += number
            state["matched"][seat, position] |= 1 << colour


def _place_exchange(table: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """What holds for this exchange only."""
    for grant in GRANTS:
        state[grant][seat] = _numbers(table, grant, 0, POINTS_MAX, 0)
    kinds = {word: kind for kind, word in card_ids(state, cards).items()}
    for at, powered in enumerate(by_position(table, "powered", kinds, "card")):
        left = Counter(powered)
        for card, kind in enumerate(energy_on(state, seat, at)):
            if left[kind] > 0:
                left[kind] -= 1
                state["powered"][seat, at] |= 1 << card
        if left.total() > 0:
            raise table.wrong("powered", "names a card that is not among the energy there")
    for key in ("activated", "lines"):
        for at, words in enumerate(_threes(table, key)):
            for line in _lines(table, key, words, cards, (state, seat, at)):
                if key == "lines":
                    state["line"][seat, at] = line
                else:
                    state["activated"][seat, at] |= 1 << line
    table.close()


def _lines(table: Table, key: str, words: list[Any], cards: CardSet, where: tuple[np.void, int, int]) -> list[int]:
    """Numbers of lines by their names: special ones that are activated, attack or defence lines that are in use."""
    state, seat, at = where
    if not words:
        return []
    if state["at"][seat, at] == NOWHERE:
        raise table.wrong(key, "nobody stands there yet")
    rook = int(state["rook"][seat, state["at"][seat, at]])
    kinds, names = cards.record[0]["kind"][rook], line_names(cards, rook)
    fitting = {
        names[line]: line
        for line in range(LINES)
        if kinds[line] != Kind.NONE and (kinds[line] == Kind.SPECIAL) == (key == "activated")
    }
    if key == "lines" and len(words) > 1:
        raise table.wrong(key, "must have at most one line in use at each position (ROOK-27)")
    return known_words(words, f"{table.field(key)}[{at}]", fitting, "such line of that Rookling")


def by_position(table: Table, key: str, known: Mapping[str, int], what: str) -> list[list[int]]:
    """Return three lists of words, by position, as numbers. known: number by word; what: what the words should be."""
    return [
        known_words(words, f"{table.field(key)}[{at}]", known, what) for at, words in enumerate(_threes(table, key))
    ]


def _threes(table: Table, key: str) -> list[list[Any]]:
    """Return a list for each position; nothing given, or an empty list, is nothing anywhere."""
    lists = table.items(key, POSITIONS) or [[] for _ in range(POSITIONS)]
    if len(lists) != POSITIONS or not all(isinstance(words, list) for words in lists):
        raise table.wrong(key, f"must be {POSITIONS} lists, for left, middle and right")
    return lists


def known_words(words: Sequence[Any], path: str, known: Mapping[str, int], what: str) -> list[int]:
    """Return words as numbers. Raises ValueError naming the entry, and the nearest word."""
    for index, word in enumerate(words):
        if not isinstance(word, str) or word not in known:
            raise ValueError(f"{path}[{index}] = {shown(word)}: is no {what}; {_near(word, known)}")
    return [known[word] for word in words]


def _near(word: object, known: Sequence[str] | Mapping[str, int]) -> str:
    return did_you_mean(word, list(known)) or "there is none"


def _numbers(table: Table, key: str, least: int, most: int, default: int) -> list[int]:
    """Return a whole number for each position."""
    numbers = table.take(key, [default] * POSITIONS)
    if not isinstance(numbers, list) or len(numbers) != POSITIONS or not all(is_whole(n, least, most) for n in numbers):
        raise table.wrong(key, f"must be {POSITIONS} whole numbers from {least} to {most}, from left to right")
    return numbers
