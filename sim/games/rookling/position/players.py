"""The players and the decks of a position in readable form, in both directions.

Deck, discard pile, piles and supply are derived from the cards and tokens that are named elsewhere.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.games.rookling.record import ANY, GREY, LINES, NONE, NUMBERS, SQUAD, TOKENS, Kind, Until
from sim.games.rookling.state import (
    CAPACITY_MAX,
    DECK_MAX,
    FIELD,
    HAND_MAX,
    KINDS,
    NOBODY,
    NOWHERE,
    POSITIONS,
    SEATS,
    SLOTS,
    Phase,
    energy_on,
    fixed_at,
    hand_of,
    order_of,
    owner_of,
    zone_of,
)
from sim.games.rookling.text import card_ids, ids_of, line_names, slot_ids

# From a state to a document.


GRANTS = ("attack_flat", "attack_plus", "defence_flat", "defence_plus")


def squad(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """A seat and its Rooklings in the order of the roster; in a draft, those picked so far."""
    ids = ids_of(cards, "rookling")
    return {"seat": seat, "squad": [ids[rook] for rook in state["rook"][seat] if rook != NOBODY]}


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """The other facts of a player.

    Lists of three are by position from left to right; before the first row they are in the order of the squad.
    """
    words, ids = card_ids(state, cards), ids_of(cards, "rookling")
    order = order_of(state, seat)
    laid = NOWHERE not in state["at"][seat]
    return {
        "row": [ids[state["rook"][seat, slot]] for slot in order] if laid else [],
        "life": [int(state["life"][seat, slot]) for slot in order],
        "tokens": [_token_cards(state["tok"][seat, slot], cards) for slot in order],
        "coming": [_token_cards(state["tok_new"][seat, slot], cards) for slot in order],
        "slid": [_slid(state, cards, seat, slot) for slot in order],
        "fixed": [[slot_ids(state, cards)[slot] for slot in fixed_at(state, seat, at)] for at in range(POSITIONS)],
        "energy": [[words[kind] for kind in energy_on(state, seat, at)] for at in range(POSITIONS)],
        "hand": [words[kind] for kind in hand_of(state, seat)],
        "pile": _copies_in_pile(state, cards, seat),
        "skip": bool(state["skip"][seat]),
        "exchange": _exchange(state, cards, seat),
    }


def _token_cards(counts: np.ndarray, cards: CardSet) -> list[str]:
    """Ids of token cards, repeated by their counts. counts: by kind, shape (TOKENS,)."""
    ids = ids_of(cards, "token")
    return [ids[kind] for kind in range(TOKENS) for _ in range(counts[kind])]


def _slid(state: np.void, cards: CardSet, seat: int, slot: int) -> list[str]:
    """Ids of the field effect cards under a Rookling."""
    under = state["fe_tok"][seat, slot]
    return [word for effect_slot, word in slot_ids(state, cards).items() for _ in range(under[effect_slot])]


def _copies_in_pile(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Ids of a player's field effect cards out of play (ROOK-07)."""
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    words = slot_ids(state, cards)
    return [words[slot] for slot in range(SLOTS) if slot in own and slot in words for _ in range(state["pile"][slot])]


def _exchange(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """Facts of this exchange only, by position. Values as at its start are left out."""
    facts: dict[str, Any] = {}
    if (state["capacity"][seat] != 1).any():
        facts["capacity"] = state["capacity"][seat].tolist()
    for grant in GRANTS:
        if state[grant][seat].any():
            facts[grant] = state[grant][seat].tolist()
    if state["powered"][seat].any():
        facts["powered"] = [_powered(state, cards, seat, at) for at in range(POSITIONS)]
    if state["activated"][seat].any():
        facts["activated"] = [_lines(state, cards, seat, at, int(state["activated"][seat, at])) for at in range(POSITIONS)]
    if (state["line"][seat] != NOBODY).any():
        lines = [int(line) for line in state["line"][seat]]
        facts["lines"] = [_lines(state, cards, seat, at, 0 if line == NOBODY else 1 << line) for at, line in enumerate(lines)]
    return facts


def _powered(state: np.void, cards: CardSet, seat: int, position: int) -> list[str]:
    """ROOK-61. Cards on a Rookling that powered a line."""
    words, bits = card_ids(state, cards), int(state["powered"][seat, position])
    return [words[kind] for card, kind in enumerate(energy_on(state, seat, position)) if bits >> card & 1]


def _lines(state: np.void, cards: CardSet, seat: int, position: int, bits: int) -> list[str]:
    """Names of some lines of the Rookling at a position. bits: bit k = line k."""
    if bits == 0:
        return []
    names = line_names(cards, int(state["rook"][seat, state["at"][seat, position]]))
    return [names[line] for line in range(LINES) if bits >> line & 1]


# From a document to a state.


LIFE_MAX = 15
TOKENS_MAX = 12  # token cards of a kind
POINTS_MAX = 99  # of a grant
EXCHANGE = "exchange"


def place_squad(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-02, 04, 07. Write a squad in the order of its roster, with field effects and life at the start."""
    ids = ids_of(cards, "rookling")
    squad = entry.take("squad", entry.values.get("row", []))
    most = SQUAD if state["phase"] == Phase.DRAFT else 0  # Rooklings that can be missing
    if not isinstance(squad, list) or not SQUAD - most <= len(squad) <= SQUAD:
        raise entry.wrong("squad", f"must be a list of {SQUAD} Rooklings")
    for slot, word in enumerate(squad):
        if word not in ids:
            raise ValueError(f"{entry.field('squad')}[{slot}] = {shown(word)}: is no Rookling; {_near(word, ids)}")
        rook = ids.index(word)
        if rook in state["rook"][seat]:
            raise entry.wrong("squad", f"has {word} twice; must be three different Rooklings (ROOK-01)")
        if seat == 1 and rook in state["rook"][0] and not cards.record[0]["mirror"]:
            raise entry.wrong("squad", f"{word} is in the other squad too; this needs rules.mirror = true (ROOK-02)")
        state["rook"][seat, slot] = rook
        state["effect"][seat * SQUAD + slot] = cards.record[0]["field_effect"][rook]
        state["life"][seat, slot] = cards.record[0]["life"][rook]


def place_player(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Write the other facts of a player into a state that has both squads."""
    _place_row(entry, cards, state, seat)
    _place_lives(entry, cards, state, seat)
    _place_tokens(entry, cards, state, seat)
    _place_fixed(entry, cards, state, seat)
    exchange = Table(entry.take(EXCHANGE, {}), entry.field(EXCHANGE))
    _place_cards(entry, exchange, cards, state, seat)
    _place_exchange(exchange, cards, state, seat)
    state["skip"][seat] = entry.flag("skip", False)


def _place_row(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-16. Write a row. The default is the order of the squad."""
    ids = ids_of(cards, "rookling")
    squad = [ids[rook] for rook in state["rook"][seat]]
    row = entry.take("row", squad)
    if row != [] and not (isinstance(row, list) and len(row) == SQUAD and all(word in row for word in squad)):
        raise entry.wrong("row", f"must be the squad from left to right: {', '.join(squad)} in any order")
    for at, word in enumerate(row):
        state["at"][seat, at] = squad.index(word)


def _place_lives(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-05. Write life by position. The default is that of the start."""
    lives = entry.items("life", SQUAD)
    if lives and (len(lives) != SQUAD or not all(is_whole(life, 0, LIFE_MAX) for life in lives)):
        raise entry.wrong("life", f"must be {SQUAD} whole numbers from 0 to {LIFE_MAX}, from left to right")
    for slot, life in zip(order_of(state, seat), lives, strict=False):
        most = max(int(cards.record[0]["heal_cap"]), int(cards.record[0]["life"][state["rook"][seat, slot]]))
        if life > most:
            raise entry.wrong("life", f"must be at most {most}, the larger of life at the start and rules.heal_cap")
        state["life"][seat, slot] = life


def _place_tokens(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-67. Write active and pending token cards, and field effect cards under Rooklings."""
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
                    raise entry.wrong(key, "becomes a fixed token, which lies in a zone; see fixed (ROOK-62)")
                state[field][seat, order[at], kind] += 1


def is_fixed(cards: CardSet, state: np.void, effect_slot: int) -> bool:
    """Whether the cards of a field effect slot become fixed tokens (ROOK-62)."""
    record = cards.record[0]
    return bool(record["until"][record["effect_token"][state["effect"][effect_slot]]] == Until.REPLACED)


def _place_fixed(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-62. Write the fixed tokens in the zones of a player."""
    effects = {word: slot for slot, word in slot_ids(state, cards).items()}
    for at, slots in enumerate(by_position(entry, "fixed", effects, "field effect of these squads")):
        for slot in slots:
            if not is_fixed(cards, state, slot):
                raise entry.wrong("fixed", "becomes no fixed token, but lies under a Rookling; see slid (ROOK-63)")
            if state["fixed"][slot] != NOWHERE:
                raise entry.wrong("fixed", "already lies in a zone; an owner has only one of a kind (ROOK-62)")
            state["fixed"][slot] = zone_of(seat, at)


def _place_cards(entry: Table, exchange: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROOK-20, 21. Write the cards in hand and on Rooklings."""
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
    """ROOK-22 to 25. Write the sums of the numbers on a Rookling by colour and in total, and its colours."""
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
    """Write the facts of this exchange only."""
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
            for line in _line_numbers(table, key, words, cards, (state, seat, at)):
                if key == "lines":
                    state["line"][seat, at] = line
                else:
                    state["activated"][seat, at] |= 1 << line
    table.close()


def _line_numbers(table: Table, key: str, words: list[Any], cards: CardSet, where: tuple[np.void, int, int]) -> list[int]:
    """Numbers of lines by their names. key: `activated` for special lines, `lines` for attack or defence lines."""
    state, seat, at = where
    if not words:
        return []
    if state["at"][seat, at] == NOWHERE:
        raise table.wrong(key, "no Rookling stands there yet")
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
    """Return lists of words by position as numbers. known: number by word; what: what the words stand for."""
    return [known_words(words, f"{table.field(key)}[{at}]", known, what) for at, words in enumerate(_threes(table, key))]


def _threes(table: Table, key: str) -> list[list[Any]]:
    """Return a list for each position; the default, like an empty list, is three empty lists."""
    lists = table.items(key, POSITIONS) or [[] for _ in range(POSITIONS)]
    if len(lists) != POSITIONS or not all(isinstance(words, list) for words in lists):
        raise table.wrong(key, f"must be {POSITIONS} lists, for left, middle and right")
    return lists


def known_words(words: Sequence[Any], path: str, known: Mapping[str, int], what: str) -> list[int]:
    """Return words as numbers. Raises ValueError that names the entry and the nearest known word."""
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


# Where every card is.


MOMENTS_MAX = 2**31 - 1
BEFORE, AFTER = 1, 2  # default moments: all copies went into the deck before any card was drawn


def decks(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Cards by kind in deck and discard pile, their numbers, and the token cards out of play."""
    words = card_ids(state, cards)
    deck = np.bincount(state["deck"][: state["deck_n"]], minlength=KINDS)
    tokens = ids_of(cards, "token")
    return {
        "deck": {word: int(deck[kind]) for kind, word in words.items() if deck[kind]},
        "deck_size": int(state["deck_n"]),
        "discard": {word: int(state["disc"][kind]) for kind, word in words.items() if state["disc"][kind]},
        "discard_size": int(state["disc_n"]),
        "supply": {word: int(state["supply"][kind]) for kind, word in enumerate(tokens) if state["supply"][kind]},
        "moments": _moments(state, cards),
    }


def _moments(state: np.void, cards: CardSet) -> dict[str, Any]:
    """When cards were drawn and field effects shuffled in, which determines what a player can know."""
    words = slot_ids(state, cards)
    return {
        "now": int(state["draws"]),
        "drawn": [state["drawn_at"][seat, : state["hand_n"][seat]].tolist() for seat in range(SEATS)],
        "entered": {
            word: [int(moment) for moment in state["entered"][slot] if moment]
            for slot, word in words.items()
            if state["entered"][slot].any()
        },
    }


def place_decks(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """ROOK-06, 07. Put the cards that are not named into their default places, and check that none is named twice.

    Energy goes into the deck, or into the discard pile if the deck is given. Field effects go into the pile of their
    owner; if that is given, into the deck; if both are, into the discard pile.
    """
    words, elsewhere = card_ids(state, cards), _elsewhere(state)
    deck, discard = (_counts(table, field, words) for field in ("deck", "discard"))
    piles = [_pile(entry, seat, cards, state) for seat, entry in enumerate(players)]
    for kind, word in words.items():
        left = _copies(cards, state, kind) - elsewhere[kind]
        if left < 0:
            raise ValueError(f"players: {elsewhere[kind]} {word} are named; there are {left + elsewhere[kind]} in all")
        given = [deck, discard] if kind < FIELD else [piles[owner_of(kind - FIELD)], deck, discard]
        *pile, in_deck, discarded = _shares(left, given, kind, word)
        if pile:
            state["pile"][kind - FIELD] = pile[0]
        state["deck"][state["deck_n"] : state["deck_n"] + in_deck] = kind
        state["deck_n"] += in_deck
        state["disc"][kind] = discarded
        state["disc_n"] += discarded
    for field, size in (("deck_size", int(state["deck_n"])), ("discard_size", int(state["disc_n"]))):
        if table.take(field, size) != size:
            raise table.wrong(field, f"must be {size}, which follows from the rest, or left out")
    _place_supply(table, cards, state)
    _place_moments(table, cards, state)


def _shares(left: int, given: list[dict[int, int] | None], kind: int, word: str) -> list[int]:
    """Number of the remaining cards in each place; the first place that is not given has the rest."""
    shares = [0 if counts is None else counts.get(kind, 0) for counts in given]
    if None in given:
        shares[given.index(None)] += left - sum(shares)
    if min(shares) < 0 or sum(shares) != left:
        named = sum(count for count in shares if count > 0)
        raise ValueError(f"deck: {named} {word} are named in deck, discard and pile; {left} are nowhere else")
    return shares


def _copies(cards: CardSet, state: np.void, kind: int) -> int:
    """Total number of cards of a kind."""
    record = cards.record[0]
    return int(record["energy_count"][kind] if kind < FIELD else record["effect_copies"][state["effect"][kind - FIELD]])


def _elsewhere(state: np.void) -> Counter[int]:
    """Number of cards of each kind in hands, on and under Rooklings, and in zones."""
    copies: Counter[int] = Counter()
    for seat in range(SEATS):
        copies.update(hand_of(state, seat))
        for position in range(POSITIONS):
            copies.update(energy_on(state, seat, position))
    for slot, zone in enumerate(state["fixed"]):
        copies[FIELD + slot] += int(state["fe_tok"][:, :, slot].sum()) + int(zone != NOWHERE)
    return copies


def _counts(table: Table, field: str, words: dict[int, str]) -> dict[int, int] | None:
    """Copies by kind, or None if the field is not given."""
    known = {word: kind for kind, word in words.items()}
    counts = Table(table.take(field, {}), table.field(field))
    kinds = known_words([*counts.values], counts.path, known, "card")
    copies = {kind: counts.whole(words[kind], 0, DECK_MAX) for kind in kinds}
    return copies if table.has(field) else None


def _pile(entry: Table, seat: int, cards: CardSet, state: np.void) -> Counter[int] | None:
    """Field effect cards of a player out of play, by kind, or None if not given."""
    own = {word: FIELD + slot for slot, word in slot_ids(state, cards).items() if owner_of(slot) == seat}
    pile = known_words(entry.items("pile", DECK_MAX), entry.field("pile"), own, "field effect of this squad")
    return Counter(pile) if entry.has("pile") else None


def _place_supply(table: Table, cards: CardSet, state: np.void) -> None:
    """ROOK-08. Write the token cards out of play, which are all that are not on the table."""
    supply = Table(table.take("supply", {}), table.field("supply"))
    for kind, word in enumerate(ids_of(cards, "token")):
        placed = int(state["tok"][:, :, kind].sum()) + int(state["tok_new"][:, :, kind].sum())
        left = int(cards.record[0]["supply"][kind]) - placed
        if left < 0:
            raise ValueError(f"players: {placed} {word} tokens are named; there are {left + placed} in all (ROOK-08)")
        if supply.take(word, left) != left:
            raise supply.wrong(word, f"must be {left}, which follows from the rest, or left out")
        state["supply"][kind] = left
    supply.close()


def _place_moments(table: Table, cards: CardSet, state: np.void) -> None:
    """ROOK-13. Write when cards were drawn and shuffled in. By default every hidden card can be anywhere."""
    moments = Table(table.take("moments", {}), table.field("moments"))
    drawn = moments.take("drawn", [[AFTER] * int(cards_held) for cards_held in state["hand_n"]])
    entered = Table(moments.take("entered", {}), moments.field("entered"))
    state["draws"] = moments.whole("now", 0, MOMENTS_MAX, AFTER)
    for seat in range(SEATS):
        held = int(state["hand_n"][seat])
        if not isinstance(drawn, list) or len(drawn) != SEATS or not _are_moments(drawn[seat], held):
            raise moments.wrong("drawn", "must be a list for each seat with a whole number for each card in hand")
        state["drawn_at"][seat, :held] = drawn[seat]
    for slot, word in slot_ids(state, cards).items():
        hidden = int((state["deck"][: state["deck_n"]] == FIELD + slot).sum())
        hidden += sum(hand_of(state, seat).count(FIELD + slot) for seat in range(SEATS))
        moment = entered.take(word, [BEFORE] * hidden)
        if not _are_moments(moment, hidden):
            raise entered.wrong(word, f"must be {hidden} whole numbers, for its copies in deck and hands")
        state["entered"][slot, :hidden] = moment
    entered.close()
    moments.close()


def _are_moments(moments: object, count: int) -> bool:
    """Whether a value is a list of `count` moments."""
    return isinstance(moments, list) and len(moments) == count and all(is_whole(moment, 0, MOMENTS_MAX) for moment in moments)
