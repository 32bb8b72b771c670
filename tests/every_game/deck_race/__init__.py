"""Deck race: a tiny made-up game of decks with exactly computable win rates (see `exact`), for tests of card statistics.

Two players have a deck of five cards each. In its turn a player draws the next card of the shuffled deck, then plays the card
in hand with the highest level not above the number of its turn; a played card scores its points. More points win, ties share.
The first player, drawn at random, starts with one more point. A deck can bring a coach, with whom its cards of one level score
more, and a snack, which gives points at the start. There is nothing to decide, so every policy plays alike.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from enum import IntEnum
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardError, CardFile, CardModel, CardSet, Identifier, Problem, Source, Text, read_document, validate
from sim.engine.contract import Game, Verbs
from sim.engine.decks import (
    DEFAULT_GENERATOR,
    NO_CARD,
    Blank,
    DeckGenerator,
    Decking,
    DeckList,
    Decks,
    Loadout,
    Made,
    deck_tables,
)
from sim.engine.dice import NATURE, SEATS_MAX, Purpose, below, shuffle
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import Cards, Keywords, WinRates
from sim.engine.words import line_up  # noqa: F401 - this module is the game's words

# ---- state ----

SEATS = 2
DECK_MAX = 6  # cards of a deck, all of which can differ
CARDS_MAX = 40
DECKS_MAX = 64
OPTIONS_MAX = 1


class Draw(IntEnum):
    """What chance is drawn for."""

    FIRST = Purpose.FIRST_FREE
    SHUFFLE = Purpose.FIRST_FREE + 1


_SEAT = (SEATS,)
_SLOT = (SEATS, DECK_MAX)

STATE = np.dtype(
    [
        ("keys", np.uint64, (DECK_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # player turns that are over
        ("points", np.int16, _SEAT),
        ("first", np.int8),  # seat that goes first
        ("turns", np.int8),  # turns of each seat
        ("size", np.int8, _SEAT),  # cards of the deck
        ("library", np.int8, _SLOT),  # places in the deck's list, in the order in which they are drawn
        ("level", np.int8, _SLOT),  # of the card at a place in the list
        ("worth", np.int8, _SLOT),  # its points, keywords added
        ("drawn_turn", np.int8, _SLOT),  # the seat's turn of the first copy, by place in the deck's list; 0: never
        ("played_turn", np.int8, _SLOT),
        ("drawn", np.int8, _SLOT),  # copies
        ("plays", np.int8, _SLOT),
    ],
    align=True,
)


# ---- cards ----

REFERENCE = Path(__file__).with_name("cards.toml")
LEVELS = 3
WORTH = {"SHARP": 2, "DULL(1)": -1, "DULL(2)": -2}  # points that a keyword adds

CARDS = np.dtype(
    [
        ("turns", np.int8),
        ("head_start", np.int8),
        ("level", np.int8, (CARDS_MAX,)),
        ("points", np.int8, (CARDS_MAX,)),  # keywords added
        ("size", np.int8, (DECKS_MAX,)),
        ("deck", np.int8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("place", np.int8, (DECKS_MAX, DECK_MAX)),  # of each of these in the list
        ("more", np.int8, (DECKS_MAX, LEVELS + 1)),  # points that the deck's coach adds, by level
        ("snack", np.int8, (DECKS_MAX,)),  # points at the start
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself."""

    turns: Annotated[int, Field(ge=1, le=DECK_MAX)]
    head_start: Annotated[int, Field(ge=0, le=5)]
    deck_min: Annotated[int, Field(ge=1, le=DECK_MAX)]
    deck_max: Annotated[int, Field(ge=1, le=DECK_MAX)]
    copies: Annotated[int, Field(ge=1, le=DECK_MAX)]
    source: Source = None


class Card(CardModel):
    """A card."""

    id: Identifier
    name: Text
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    points: Annotated[int, Field(ge=0, le=9)]
    keywords: Annotated[list[Literal["SHARP", "DULL(1)", "DULL(2)"]], Field(default_factory=list)]
    source: Source = None


class Coach(CardModel):
    """A coach that a deck can bring: cards of one level score more."""

    id: Identifier
    name: Text
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    more: Annotated[int, Field(ge=-5, le=5)]
    source: Source = None


class Snack(CardModel):
    """A snack that a deck can bring: points at the start."""

    id: Identifier
    name: Text
    points: Annotated[int, Field(ge=-5, le=5)]
    source: Source = None


class Deck(CardModel):
    """A deck: copies by card, and the coach and snack that it brings."""

    id: Identifier
    name: Text = ""
    coach: Identifier | None = None
    snack: Identifier | None = None
    cards: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]
    source: Source = None


class DeckRaceFile(CardFile):
    """A whole file."""

    game: Literal["deck_race"]
    rules: Rules
    card: Annotated[list[Card], Field(min_length=1, max_length=CARDS_MAX)]
    coach: Annotated[list[Coach], Field(default_factory=list)]
    snack: Annotated[list[Snack], Field(default_factory=list)]
    deck: Annotated[list[Deck], Field(min_length=1, max_length=DECKS_MAX)]

    def problems(self) -> Iterator[Problem]:
        """Decks hold known cards, and neither too many nor too few."""
        known, rules = [card.id for card in self.card], self.rules
        for number, deck in enumerate(self.deck):
            location = ("deck", number, "cards")
            for card, copies in deck.cards.items():
                if card not in known:
                    yield Problem((*location, card), "is no card", f"known are {', '.join(known)}")
                elif copies > rules.copies:
                    yield Problem((*location, card), "is too large", f"must be at most {rules.copies}")
            if not rules.deck_min <= sum(deck.cards.values()) <= rules.deck_max:
                wrong = f"holds {sum(deck.cards.values())} cards"
                yield Problem(location, wrong, f"must be {rules.deck_min} to {rules.deck_max}")
            for word, brought, choices in (("coach", deck.coach, self.coach), ("snack", deck.snack, self.snack)):
                if brought is not None and brought not in [choice.id for choice in choices]:
                    yield Problem(("deck", number, word), f"is no {word}")


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(DeckRaceFile, document, where)
    ids = [card.id for card in file.card]
    record = np.zeros(1, CARDS)
    record["turns"], record["head_start"] = file.rules.turns, file.rules.head_start
    for number, card in enumerate(file.card):
        record["level"][0, number] = card.level
        record["points"][0, number] = card.points + sum(WORTH[keyword] for keyword in card.keywords)
    for number, deck in enumerate(file.deck):
        listed = [(ids.index(card), place) for place, card in enumerate(deck.cards) for _ in range(deck.cards[card])]
        record["size"][0, number] = len(listed)
        for copy, (card, place) in enumerate(listed):
            record["deck"][0, number, copy], record["place"][0, number, copy] = card, place
        for coach in file.coach:
            if coach.id == deck.coach:
                record["more"][0, number, coach.level] = coach.more
        record["snack"][0, number] = sum(snack.points for snack in file.snack if snack.id == deck.snack)
    entrants = {deck.id: deck.name or deck.id.replace("_", " ").title() for deck in file.deck}
    return CardSet.of(record, entrants, {}, document, where)


# ---- outcome ----

_OF_A_SLOT = (SEATS_MAX, DECK_MAX)

OUTCOME = np.dtype(
    [
        ("points", np.int16, (SEATS_MAX,)),
        ("drawn_turn", np.int8, _OF_A_SLOT),  # by place in the deck's list
        ("played_turn", np.int8, _OF_A_SLOT),
        ("drawn", np.int8, _OF_A_SLOT),
        ("plays", np.int8, _OF_A_SLOT),
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """More points win once all turns are over, ties share the win."""
    out[:] = 0.0
    if state["turn"] < SEATS * state["turns"]:
        return
    lead = np.int64(state["points"][0]) - np.int64(state["points"][1])
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    for seat in range(SEATS):
        outcome["points"][seat] = state["points"][seat]
        for place in range(DECK_MAX):
            outcome["drawn_turn"][seat, place] = state["drawn_turn"][seat, place]
            outcome["played_turn"][seat, place] = state["played_turn"][seat, place]
            outcome["drawn"][seat, place] = state["drawn"][seat, place]
            outcome["plays"][seat, place] = state["plays"][seat, place]


_PLACES = tuple(f"place {place + 1}" for place in range(DECK_MAX))

MEASURES = (
    Measure("points", "Points", "points", "seat", "count"),
    Measure("drawn_turn", "Own turn at which the card was drawn", "turns", "seat", "turn", parts=_PLACES),
    Measure("played_turn", "Own turn at which the card was played", "turns", "seat", "turn", parts=_PLACES),
    Measure("drawn", "Copies drawn", "copies", "seat", "count", parts=_PLACES),
    Measure("plays", "Copies played", "copies", "seat", "count", parts=_PLACES),
)

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often?"),
    Cards(
        "cards",
        "Which card carries or drags a deck?",
        drawn_turn="drawn_turn",
        played_turn="played_turn",
        drawn="drawn",
        plays="plays",
        by_turn=2,
    ),
    Keywords("keywords", "What is a keyword worth?", decks=40),
)


# ---- rules ----

_SPREAD = 4.0  # lead in points with an evaluation of 0.75


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Shuffle both decks and draw the first player."""
    state["turns"] = cards["turns"]
    state["first"] = below(rng, NATURE, Draw.FIRST, SEATS)
    state["points"][state["first"]] = cards["head_start"]
    for seat in range(SEATS):
        size = cards["size"][lineup[seat]]
        state["points"][seat] += cards["snack"][lineup[seat]]
        state["size"][seat] = size
        for copy in range(size):
            state["library"][seat, copy] = copy
        shuffle(rng, seat, Draw.SHUFFLE, state["library"][seat, :size], state["keys"])
        for copy in range(size):
            state["library"][seat, copy] = cards["place"][lineup[seat], state["library"][seat, copy]]
            card, place = cards["deck"][lineup[seat], copy], cards["place"][lineup[seat], copy]
            level = cards["level"][card]
            state["level"][seat, place] = level
            state["worth"][seat, place] = cards["points"][card] + cards["more"][lineup[seat], level]


@kernel
def current_player(state: Record) -> int:
    """Turns alternate."""
    return (state["first"] + state["turn"]) % SEATS


@kernel
def first_of(state: Record, decided: int) -> int:
    """The player who was drawn to go first."""
    return np.int64(state["first"])


@kernel
def is_over(state: Record) -> bool:
    """Whether both players have had all their turns."""
    return state["turn"] >= SEATS * state["turns"]


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Drawing and playing is action 0, the only one."""
    out[0] = 0
    return 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Draw the next card, if there is one, then play one."""
    seat = current_player(state)
    own_turn = state["turn"] // SEATS + 1
    if own_turn <= state["size"][seat]:
        place = state["library"][seat, own_turn - 1]
        state["drawn"][seat, place] += 1
        if state["drawn_turn"][seat, place] == 0:
            state["drawn_turn"][seat, place] = own_turn
    place = dearest(state, seat, own_turn)
    if place != NO_CARD:
        state["plays"][seat, place] += 1
        state["points"][seat] += state["worth"][seat, place]
        if state["played_turn"][seat, place] == 0:
            state["played_turn"][seat, place] = own_turn
    state["turn"] += 1


@kernel
def dearest(state: Record, seat: int, own_turn: int) -> int:
    """Place of the highest card in hand up to the level `own_turn`, the first in the list in a tie; NO_CARD if there is none."""
    best, level = np.int64(NO_CARD), 0
    for place in range(state["size"][seat]):
        in_hand = state["drawn"][seat, place] > state["plays"][seat, place]
        if in_hand and level < state["level"][seat, place] <= own_turn:
            best, level = np.int64(place), np.int64(state["level"][seat, place])
    return best


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Lead in points, squashed into 0..1; the share of the win at the end."""
    lead = 1.0 * state["points"][seat] - state["points"][1 - seat]
    if is_over(state):
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return 0.5 + 0.5 * (lead / _SPREAD) / (1.0 + abs(lead / _SPREAD))


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden: the order of the decks is public."""


# ---- words ----

_BY_SEAT = ("points", "size", "library", "level", "worth", "drawn_turn", "played_turn", "drawn", "plays")
_OF_GAME = ("turn", "turns", "first")


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    return "draw and play"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if after["turn"] == before["turn"]:
        return []
    return [f"scores {int((after['points'] - before['points']).sum())} points"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    return {field: state[field].tolist() for field in (*_OF_GAME, *_BY_SEAT)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state."""
    for field, value in position.items():
        state[field] = value


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    return f"turn {state['turn'] + 1}: {' to '.join(map(str, state['points'].tolist()))} points"


# ---- decks ----

Document = Mapping[str, Any]
WORDS = ("coach", "snack")
NOTHING = {"coach": "Nobody", "snack": "Nothing"}
PACK = 5  # cards of a pool


def decks_of(cards: CardSet) -> Decks:
    """See `Decks`."""
    listed, decks = cards.document["card"], cards.document["deck"]
    ids = [card["id"] for card in listed]
    counts = np.zeros((len(decks), len(ids)), np.int64)
    slots = np.full((len(decks), DECK_MAX), NO_CARD, np.int64)
    for number, deck in enumerate(decks):
        for slot, (card, copies) in enumerate(deck["cards"].items()):
            counts[number, ids.index(card)] = copies
            slots[number, slot] = ids.index(card)
    return Decks(
        ids=tuple(ids),
        names=tuple(card["name"] for card in listed),
        counts=counts,
        slots=slots,
        level=np.array([card["level"] for card in listed]),
        kinds=("animal",) * len(ids),
        marks=tuple(tuple(card.get("keywords", ())) for card in listed),
        words=tuple({word: deck[word] for word in WORDS if word in deck} for deck in decks),
    )


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks after its own."""
    return {**document, "deck": [*document["deck"], *deck_tables(decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks only."""
    return {**document, "deck": deck_tables(decks)}


def random(document: Document, count: int, chance: Random) -> Made:
    """Decks dealt from a box that holds the allowed number of copies of each card."""
    rules = document["rules"]
    box = [card["id"] for card in document["card"] for _ in range(rules["copies"])]
    decks = {}
    for number in range(count):
        dealt = chance.sample(box, chance.randint(rules["deck_min"], rules["deck_max"]))
        decks[f"random_{number + 1}"] = DeckList({card: dealt.count(card) for card in dict.fromkeys(dealt)})
    return Made(decks)


def sealed(document: Document, count: int, chance: Random) -> Made:
    """Decks of the first legal cards of a random pool; a pool with too few legal cards is drawn again."""
    rules, ids = document["rules"], [card["id"] for card in document["card"]]
    decks: dict[str, DeckList] = {}
    redrawn = 0
    while len(decks) < count:
        pool = chance.choices(ids, k=PACK)
        legal = [card for index, card in enumerate(pool) if pool[:index].count(card) < rules["copies"]][: rules["deck_min"]]
        if len(legal) < rules["deck_min"]:
            redrawn += 1
            continue
        cards = {card: legal.count(card) for card in dict.fromkeys(legal)}
        decks[f"sealed_{len(decks) + 1}"] = DeckList(cards, {"snack": chance.choice(document["snack"])["id"]})
    return Made(decks, (f"{redrawn} pools drawn again",) if redrawn else ())


def loadouts(document: Document, deck: str) -> dict[Loadout, dict[str, Any]]:
    """Every coach with every snack, or without either."""
    (table,) = (entry for entry in document["deck"] if entry["id"] == deck)
    offered = {word: {None: NOTHING[word]} | {entry["id"]: entry["name"] for entry in document[word]} for word in WORDS}
    documents = {}
    for coach, snack in product(*offered.values()):
        loadout = Loadout(
            (("Coach", offered["coach"][coach]), ("Snack", offered["snack"][snack])),
            (table.get("coach"), table.get("snack")) == (coach, snack),
        )
        documents[loadout] = _bringing(document, deck, {"coach": coach, "snack": snack})
    return documents


def without(word: str) -> Callable[[Document, str], dict[str, Any]]:
    """A function that takes a deck's coach or snack away."""

    def put(document: Document, deck: str) -> dict[str, Any]:
        (table,) = (entry for entry in document["deck"] if entry["id"] == deck)
        if word not in table:
            raise CardError(f"deck.{deck}: brings no {word}")
        return _bringing(document, deck, {word: None})

    return put


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """Replace all copies of a card by one without keywords that scores its level."""
    changed = deepcopy(dict(document))
    level = next(card_table["level"] for card_table in changed["card"] if card_table["id"] == card)
    substitute = {"id": f"plain_{level}", "name": f"Plain {level}", "level": level, "points": level}
    if substitute["id"] not in [card_table["id"] for card_table in changed["card"]]:
        changed["card"].append(substitute | {"source": "assumed"})
    return _replaced(changed, deck, {card: substitute["id"]})


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """Replace the cards with a keyword by copies without it."""
    changed, stands_for = deepcopy(dict(document)), {}
    for card_table in document["card"]:
        kept = [mark for mark in card_table.get("keywords", []) if mark.split("(")[0] != keyword]
        if len(kept) < len(card_table.get("keywords", [])):
            stands_for[card_table["id"]] = f"bare_{card_table['id']}"
            changed["card"].append(
                {**card_table, "id": f"bare_{card_table['id']}", "name": f"Bare {card_table['name']}", "keywords": kept}
            )
    return _replaced(changed, deck, stands_for)


def _bringing(document: Document, deck: str, words: Mapping[str, str | None]) -> dict[str, Any]:
    """The document with a deck that brings these under their words; None: nothing under that word."""
    brought = {word: choice for word, choice in words.items() if choice is not None}

    def changed(table: dict[str, Any]) -> dict[str, Any]:
        kept = {field: value for field, value in table.items() if field not in words}
        return kept | brought if table["id"] == deck else table

    return {**document, "deck": [changed(table) for table in document["deck"]]}


def _replaced(document: dict[str, Any], deck: str, stands_for: Mapping[str, str]) -> dict[str, Any]:
    """Replace cards of a deck at the same places of its list."""
    for table in document["deck"]:
        if table["id"] == deck:
            table["cards"] = {stands_for.get(card, card): copies for card, copies in table["cards"].items()}
    return document


DECKING = Decking(
    of=decks_of,
    added=added,
    only=only,
    generators={
        DEFAULT_GENERATOR: DeckGenerator(random),
        "sealed": DeckGenerator(sealed, "decks from sealed pools", f"each from a pool of {PACK} random cards"),
    },
    plain=plain,
    bare=bare,
    plain_words="a card of the same level that scores its level, without keywords",
    words=WORDS,
    loadouts=loadouts,
    blanks={"Coach": Blank(without("coach"), "coaching"), "Snack": Blank(without("snack"), "the snack")},
)


TURNS_MAX = 100  # never reached

GAME = Game(
    name="deck_race",
    title="Deck race",
    seats=(2,),
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(sys.modules[__name__]),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=sys.modules[__name__],
    entrant_word="deck",
    entrants_word="decks",
    decks=DECKING,
)
