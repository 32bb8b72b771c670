"""Deck race: a tiny made-up game of decks with exactly computable win rates (see `exact`), for tests of card statistics.

Two players have a deck of five cards each. In its turn a player draws the next card of the shuffled deck, then plays the card
in hand with the highest level not above the number of its turn; a played card scores its points. More points win, ties share.
The first player, drawn at random, starts with one more point. A deck can bring a coach, with whom its cards of one level score
more, and a snack, which gives points at the start. There is nothing to decide, so every policy plays alike.
"""

import sys
from enum import IntEnum
from itertools import product
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import kit
from sim.kit import NO_CARD, Record, kernel

SEATS, LEVELS = 2, 3
DECK_MAX, CARDS_MAX, DECKS_MAX = 6, 40, 64  # cards of a deck, all of which can differ; of a file
TURNS_MAX = 100  # never reached
WORTH = {"SHARP": 2, "DULL(1)": -1, "DULL(2)": -2}  # points that a keyword adds
PACK = 5  # cards of a pool
NOTHING = {"coach": "Nobody", "snack": "Nothing"}  # what a deck can bring, and names for bringing none
Action = IntEnum("Action", ["DRAW_AND_PLAY"], start=0)
Draw = IntEnum("Draw", ["FIRST", "SHUFFLE"], start=kit.Purpose.FIRST_FREE)
_SPREAD = 4.0  # lead in points with an evaluation of 0.75

_SLOT = (SEATS, DECK_MAX)
_PLACES = tuple(f"place {place + 1}" for place in range(DECK_MAX))  # of a card in the deck's list
FACTS = (
    kit.Fact("points", np.int16, (SEATS,), "Points", "points"),
    kit.Fact("drawn_turn", np.int8, _SLOT, "Own turn at which the card was drawn", "turns", "turn", parts=_PLACES),
    kit.Fact("played_turn", np.int8, _SLOT, "Own turn at which the card was played", "turns", "turn", parts=_PLACES),
    kit.Fact("drawn", np.int8, _SLOT, "Copies drawn", "copies", parts=_PLACES),
    kit.Fact("plays", np.int8, _SLOT, "Copies played", "copies", parts=_PLACES),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),  # drawn_turn, played_turn: the seat's turn of the first copy, 0: never
        ("keys", np.uint64, (DECK_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # player turns that are over
        ("first", np.int8),  # seat that goes first
        ("turns", np.int8),  # turns of each seat
        ("size", np.int8, (SEATS,)),  # cards of the deck
        ("library", np.int8, _SLOT),  # places in the deck's list, in the order in which they are drawn
        ("level", np.int8, _SLOT),  # of the card at a place in the list
        ("worth", np.int8, _SLOT),  # its points, keywords added
    ],
    align=True,
)


class Rules(kit.CardModel):
    turns: Annotated[int, Field(ge=1, le=DECK_MAX)]
    head_start: Annotated[int, Field(ge=0, le=5)]
    deck_min: Annotated[int, Field(ge=1, le=DECK_MAX), kit.Apart()]
    deck_max: Annotated[int, Field(ge=1, le=DECK_MAX), kit.Apart()]
    copies: Annotated[int, Field(ge=1, le=DECK_MAX), kit.Apart()]
    source: kit.Source = None


class Card(kit.CardModel):
    id: kit.Identifier
    name: kit.Text
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    points: Annotated[int, Field(ge=0, le=9)]
    keywords: Annotated[list[Literal["SHARP", "DULL(1)", "DULL(2)"]], kit.Apart()] = Field(default_factory=list)
    source: kit.Source = None

    @property
    def worth(self) -> int:
        """Points with those of the keywords."""
        return self.points + sum(WORTH[keyword] for keyword in self.keywords)


class Coach(kit.CardModel):
    """A coach that a deck can bring: cards of one level score more."""

    id: kit.Identifier
    name: kit.Text
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    more: Annotated[int, Field(ge=-5, le=5)]
    source: kit.Source = None


class Snack(kit.CardModel):
    """A snack that a deck can bring: points at the start."""

    id: kit.Identifier
    name: kit.Text
    points: Annotated[int, Field(ge=-5, le=5)]
    source: kit.Source = None


class Deck(kit.CardModel):
    """A deck: copies by card, and the coach and snack that it brings."""

    id: kit.Identifier
    name: kit.Text = ""
    coach: kit.Identifier | None = None
    snack: kit.Identifier | None = None
    cards: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]
    source: kit.Source = None


class DeckRaceFile(kit.CardFile):
    ENTRANTS: ClassVar[str] = "deck"
    game: Literal["deck_race"]
    rules: Rules
    card: Annotated[list[Card], Field(min_length=1, max_length=CARDS_MAX)]
    coach: Annotated[list[Coach], kit.Apart()] = Field(default_factory=list)
    snack: Annotated[list[Snack], kit.Apart()] = Field(default_factory=list)
    deck: Annotated[list[Deck], Field(min_length=1, max_length=DECKS_MAX)]

    AGREEMENT: ClassVar[kit.Agreement] = (kit.Known("deck[].cards{}", "card[].id"),)

    def problems(self):
        """Decks hold neither too many cards nor too few."""
        rules = self.rules
        for number, deck in enumerate(self.deck):
            location = ("deck", number, "cards")
            for card, copies in deck.cards.items():
                if copies > rules.copies:
                    yield kit.Problem((*location, card), "is too large", f"must be at most {rules.copies}")
            if not rules.deck_min <= sum(deck.cards.values()) <= rules.deck_max:
                wrong = f"holds {sum(deck.cards.values())} cards"
                yield kit.Problem(location, wrong, f"must be {rules.deck_min} to {rules.deck_max}")
            for word in NOTHING:
                if getattr(deck, word) not in (None, *(choice.id for choice in getattr(self, word))):
                    yield kit.Problem(("deck", number, word), f"is no {word}")

    def entrants(self):
        """A deck without a name is named after its id."""
        return {deck.id: deck.name or deck.id.replace("_", " ").title() for deck in self.deck}


def derive(table, file):
    """Write what cards are worth, and the decks copy by copy."""
    ids = [card.id for card in file.card]
    table["worth"][: len(ids)] = [card.worth for card in file.card]
    for number, deck in enumerate(file.deck):
        listed = [(ids.index(card), place) for place, card in enumerate(deck.cards) for _ in range(deck.cards[card])]
        table["size"][number] = len(listed)
        table["deck"][number, : len(listed)], table["place"][number, : len(listed)] = zip(*listed, strict=True)
        for coach in file.coach:
            if coach.id == deck.coach:
                table["more"][number, coach.level] = coach.more
        table["snack"][number] = sum(snack.points for snack in file.snack if snack.id == deck.snack)


CARDS = kit.CardFormat.of(
    DeckRaceFile,
    __file__,
    derived=[
        ("worth", np.int8, (CARDS_MAX,)),  # points, keywords added
        ("size", np.int8, (DECKS_MAX,)),
        ("deck", np.int8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("place", np.int8, (DECKS_MAX, DECK_MAX)),  # of each of these in the list
        ("more", np.int8, (DECKS_MAX, LEVELS + 1)),  # points that the deck's coach adds, by level
        ("snack", np.int8, (DECKS_MAX,)),  # points at the start
    ],
    derive=derive,
)


# ---- rules ----


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Shuffle both decks and draw the first player."""
    state["turns"] = cards["turns"]
    state["first"] = kit.below(rng, kit.NATURE, Draw.FIRST, SEATS)
    state["points"][state["first"]] = cards["head_start"]
    for seat in range(SEATS):
        deck = lineup[seat]
        state["size"][seat] = size = cards["size"][deck]
        state["points"][seat] += cards["snack"][deck]
        for copy in range(size):
            state["library"][seat, copy] = copy
        kit.shuffle(rng, seat, Draw.SHUFFLE, state["library"][seat, :size], state["keys"])
        for copy in range(size):
            state["library"][seat, copy] = cards["place"][deck, state["library"][seat, copy]]
            card, place = cards["deck"][deck, copy], cards["place"][deck, copy]
            state["level"][seat, place] = level = cards["level"][card]
            state["worth"][seat, place] = cards["worth"][card] + cards["more"][deck, level]


@kernel
def current_player(state: Record) -> int:
    """Turns alternate."""
    return (state["first"] + state["turn"]) % SEATS


@kernel
def is_over(state: Record) -> bool:
    """Whether both players have had all their turns."""
    return state["turn"] >= SEATS * state["turns"]


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """More points win once all turns are over, ties share the win."""
    out[:] = 0.0
    if is_over(state):
        for seat in range(SEATS):
            out[seat] = share(state, seat)


@kernel
def share(state: Record, seat: int) -> float:
    """Share of the win of a seat."""
    lead = state["points"][seat] - state["points"][1 - seat]
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Drawing and playing is the only action."""
    out[0] = Action.DRAW_AND_PLAY
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
    best, level = NO_CARD, 0
    for place in range(state["size"][seat]):
        in_hand = state["drawn"][seat, place] > state["plays"][seat, place]
        if in_hand and level < state["level"][seat, place] <= own_turn:
            best, level = place, state["level"][seat, place]
    return best


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Lead in points, squashed into 0..1; the share of the win at the end."""
    if is_over(state):
        return share(state, seat)
    lead = (state["points"][seat] - state["points"][1 - seat]) / _SPREAD
    return 0.5 + 0.5 * lead / (1.0 + abs(lead))


# ---- decks ----


def decks_of(cards):
    """See `Decks`."""
    listed, decks = cards.document["card"], cards.document["deck"]
    ids = tuple(card["id"] for card in listed)
    counts, slots = kit.counted([deck["cards"] for deck in decks], ids, DECK_MAX)
    return kit.Decks(
        ids=ids,
        names=tuple(card["name"] for card in listed),
        counts=counts,
        slots=slots,
        level=np.array([card["level"] for card in listed]),
        kinds=("animal",) * len(ids),
        marks=tuple(tuple(card.get("keywords", ())) for card in listed),
        words=tuple({word: deck[word] for word in NOTHING if word in deck} for deck in decks),
    )


def random(document, count, chance):
    """Decks dealt from a box that holds the allowed number of copies of each card."""
    rules = document["rules"]
    box = [card["id"] for card in document["card"] for _ in range(rules["copies"])]
    decks = {}
    for number in range(count):
        dealt = chance.sample(box, chance.randint(rules["deck_min"], rules["deck_max"]))
        decks[f"random_{number + 1}"] = kit.DeckList({card: dealt.count(card) for card in dict.fromkeys(dealt)})
    return kit.Made(decks)


def sealed(document, count, chance):
    """Decks of the first legal cards of a random pool; a pool with too few legal cards is drawn again."""
    rules, ids = document["rules"], [card["id"] for card in document["card"]]
    decks, redrawn = {}, 0
    while len(decks) < count:
        pool = chance.choices(ids, k=PACK)
        legal = [card for index, card in enumerate(pool) if pool[:index].count(card) < rules["copies"]][: rules["deck_min"]]
        if len(legal) < rules["deck_min"]:
            redrawn += 1
            continue
        cards = {card: legal.count(card) for card in dict.fromkeys(legal)}
        decks[f"sealed_{len(decks) + 1}"] = kit.DeckList(cards, {"snack": chance.choice(document["snack"])["id"]})
    return kit.Made(decks, (f"{redrawn} pools drawn again",) if redrawn else ())


def loadouts(document, deck):
    """Every coach with every snack, or without either."""
    own = kit.deck_of(document, deck)
    offered = [{None: none} | {entry["id"]: entry["name"] for entry in document[word]} for word, none in NOTHING.items()]
    return {
        kit.Loadout(
            (("Coach", offered[0][coach]), ("Snack", offered[1][snack])), (own.get("coach"), own.get("snack")) == (coach, snack)
        ): bringing(document, deck, {"coach": coach, "snack": snack})
        for coach, snack in product(*offered)
    }


def bringing(document, deck, words):
    """The document with a deck that brings these under their words; None: nothing under that word."""
    table = {field: value for field, value in {**kit.deck_of(document, deck), **words}.items() if value is not None}
    return {**document, "deck": [table if entry["id"] == deck else entry for entry in document["deck"]]}


def without(word):
    """A function that takes a deck's coach or snack away."""

    def put(document, deck):
        if word not in kit.deck_of(document, deck):
            raise kit.CardError(f"deck.{deck}: brings no {word}")
        return bringing(document, deck, {word: None})

    return put


def name_of(card):
    return card["name"]


def plain(document, deck, card):
    """Replace all copies of a card by one without keywords that scores its level."""
    level = kit.card_of(document, deck, card)["level"]
    twin = {"id": f"plain_{level}", "name": f"Plain {level}", "level": level, "points": level, "source": "assumed"}
    return kit.replaced(document, deck, {card: twin}, name_of)


def bare(document, deck, keyword):
    """Replace the cards with a keyword by copies without it."""
    twins = {}
    for word in kit.deck_of(document, deck)["cards"]:
        card = kit.card_of(document, deck, word)
        kept = [mark for mark in card.get("keywords", ()) if mark.split("(")[0] != keyword]
        if kept != card.get("keywords", kept):
            twins[word] = {**card, "id": f"bare_{word}", "name": f"Bare {card['name']}", "keywords": kept}
    return kit.replaced(document, deck, twins, name_of)


# ---- the game ----

POSITION = kit.Document(
    keys=(
        kit.Number("turn", "player turns that are over", most=TURNS_MAX),
        kit.Number("turns", "turns of each seat", most=DECK_MAX, default=lambda here: here.card("turns")),
        kit.Number("first", "seat that goes first", most=SEATS - 1),
        kit.Rows(
            "decks",
            "one for each seat",
            rows=lambda _: range(SEATS),
            most=SEATS - 1,
            complete=True,
            keys=(
                kit.Number("points", "points", least=-99, most=99),
                kit.Number("size", "cards of the deck", most=DECK_MAX),
                kit.Each("library", "places in the deck's list, in the order in which they are drawn", most=DECK_MAX - 1),
                kit.Each("level", "of the card at each place", most=LEVELS),
                kit.Each("worth", "points of the card at each place", least=-9, most=99),
                *(kit.Each(name, "by place", most=DECK_MAX) for name in ("drawn_turn", "played_turn", "drawn", "plays")),
            ),
        ),
    )
)
GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="deck_race",
    title="Deck race",
    seats=(SEATS,),
    state=STATE,
    options_max=len(Action),
    verbs=kit.Verbs.of(sys.modules[__name__]),
    turn_limit=lambda _: TURNS_MAX,
    questions=(
        kit.WinRates("win-rates", "Which deck wins how often?"),
        kit.Cards("cards", "Which card carries or drags a deck?", by_turn=2),
    ),
    words=kit.PlainWords(POSITION, FACTS, Action),
    decks=kit.Decking(
        of=decks_of,
        generators={
            kit.DEFAULT_GENERATOR: kit.DeckGenerator(random),
            "sealed": kit.DeckGenerator(sealed, "decks from sealed pools", f"each from a pool of {PACK} random cards"),
        },
        plain=plain,
        bare=bare,
        plain_words="a card of the same level that scores its level, without keywords",
        words=tuple(NOTHING),
        loadouts=loadouts,
        blanks={"Coach": kit.Blank(without("coach"), "coaching"), "Snack": kit.Blank(without("snack"), "the snack")},
    ),
)
