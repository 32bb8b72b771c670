"""The card file of Deck race: its schema and the CARDS record that the kernels read."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Problem, Source, Text, read_document, validate
from tests.every_game.deck_race.state import CARDS_MAX, DECK_MAX, DECKS_MAX

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
