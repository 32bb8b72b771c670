"""Where every card of Rookling Heroes is: deck, discard pile, piles and supply follow from all that is named elsewhere."""

from collections import Counter
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table, is_whole
from sim.games.rookling.labels import card_ids, energy_on, hand_of, ids_of, owner_of, slot_ids
from sim.games.rookling.notation_write import known_words
from sim.games.rookling.state import DECK_MAX, FIELD, KINDS, NOWHERE, POSITIONS, SEATS

MOMENTS_MAX = 2**31 - 1
BEFORE, AFTER = 1, 2  # moments of a position that tells none: every copy went in before any card was drawn


def decks(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Cards by kind in deck and discard pile, how many there are, and the token cards out of play."""
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
    """When cards were drawn and field effects shuffled in, as far as a player who remembers it can tell by it."""
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
    """ROOK-06, 07. Put every card that is named nowhere where it is by default, and check that none is twice.

    Energy goes into the deck, or into the discard pile if the deck is given; field effects go into the pile of their
    owner, into the deck if that is given, into the discard pile if both are.
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
            raise table.wrong(field, f"follows from the rest and is {size}; leave it out or make it so")
    _place_supply(table, cards, state)
    _place_moments(table, cards, state)


def _shares(left: int, given: list[dict[int, int] | None], kind: int, word: str) -> list[int]:
    """How many of the cards that are left lie in each place; the first place of which nothing is said has the rest."""
    shares = [0 if counts is None else counts.get(kind, 0) for counts in given]
    if None in given:
        shares[given.index(None)] += left - sum(shares)
    if min(shares) < 0 or sum(shares) != left:
        told = sum(count for count in shares if count > 0)
        raise ValueError(f"deck: {told} {word} are named in deck, discard and pile; {left} are nowhere else")
    return shares


def _copies(cards: CardSet, state: np.void, kind: int) -> int:
    """Cards of a kind in all."""
    record = cards.record[0]
    return int(record["energy_count"][kind] if kind < FIELD else record["effect_copies"][state["effect"][kind - FIELD]])


def _elsewhere(state: np.void) -> Counter[int]:
    """Cards by kind in hands, on Rooklings, under them and in zones."""
    found: Counter[int] = Counter()
    for seat in range(SEATS):
        found.update(hand_of(state, seat))
        for position in range(POSITIONS):
            found.update(energy_on(state, seat, position))
    for slot, zone in enumerate(state["fixed"]):
        found[FIELD + slot] += int(state["fe_tok"][:, :, slot].sum()) + int(zone != NOWHERE)
    return found


def _counts(table: Table, field: str, words: dict[int, str]) -> dict[int, int] | None:
    """Copies by kind, None if the field is not given."""
    known = {word: kind for kind, word in words.items()}
    counts = Table(table.take(field, {}), table.field(field))
    kinds = known_words([*counts.values], counts.path, known, "card")
    found = {kind: counts.whole(words[kind], 0, DECK_MAX) for kind in kinds}
    return found if table.has(field) else None


def _pile(entry: Table, seat: int, cards: CardSet, state: np.void) -> Counter[int] | None:
    """Field effect cards of a player out of play, by kind; None if nothing is said."""
    own = {word: FIELD + slot for slot, word in slot_ids(state, cards).items() if owner_of(slot) == seat}
    pile = known_words(entry.items("pile", DECK_MAX), entry.field("pile"), own, "field effect of this squad")
    return Counter(pile) if entry.has("pile") else None


def _place_supply(table: Table, cards: CardSet, state: np.void) -> None:
    """ROOK-08. Token cards out of play: all that lie nowhere."""
    supply = Table(table.take("supply", {}), table.field("supply"))
    for kind, word in enumerate(ids_of(cards, "token")):
        placed = int(state["tok"][:, :, kind].sum()) + int(state["tok_new"][:, :, kind].sum())
        left = int(cards.record[0]["supply"][kind]) - placed
        if left < 0:
            raise ValueError(f"players: {placed} {word} tokens are named; there are {left + placed} in all (ROOK-08)")
        if supply.take(word, left) != left:
            raise supply.wrong(word, f"follows from the rest and is {left}; leave it out or make it so")
        state["supply"][kind] = left
    supply.close()


def _place_moments(table: Table, cards: CardSet, state: np.void) -> None:
    """Register section 6. When cards came where nobody sees them; by default all that is hidden may be anywhere."""
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
    """Whether these are so many moments."""
    return (
        isinstance(moments, list)
        and len(moments) == count
        and all(is_whole(moment, 0, MOMENTS_MAX) for moment in moments)
    )
