"""Which decks are played: those of the card set, a user's own, or decks drawn by lot."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Any

from analysis.wording import count
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import read_decks


@dataclass(frozen=True, eq=False)
class ChosenDecks(CardSet):
    """A card set with other decks than its file's. options: of the command, that say which; words: the same for people."""

    options: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class DeckChoice:
    """What a user asks for. file: of decks; only: these instead of the card set's own; random: so many by lot instead.

    seed: of the lot. With both a file and decks by lot, both are played, and none of the card set's own.
    """

    file: Path | None = None
    only: bool = False
    random: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for what cannot be meant."""
        if self.only and self.file is None:
            raise ValueError("--only-decks: needs --decks FILE, the decks to play instead of the card set's own")
        if self.random is not None and self.random < 1:
            raise ValueError(f"--random-decks {self.random} must be at least 1")

    @property
    def is_default(self) -> bool:
        """Whether the card set's own decks are played."""
        return self.file is None and self.random is None

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the command that say the same."""
        words = ["--decks", str(self.file)] if self.file else []
        words += ["--only-decks"] if self.only else []
        return (*words, *(["--random-decks", str(self.random)] if self.random else []))

    @property
    def folder(self) -> tuple[str, ...]:
        """Folder of a report on other decks than the card set's own, below that of the others."""
        return () if self.is_default else (self.file.stem if self.file else "random-decks",)

    @property
    def words(self) -> str:
        """What stands behind the title of the card set."""
        named = [f"the decks of {self.file.name}"] if self.file else []
        named += [f"{count(self.random)} decks by lot (seed {self.seed})"] if self.random else []
        joined = " and ".join(named)
        return joined if self.only or self.random else f"its own decks and {joined}"

    def played(self, game: Game, cards: CardSet) -> CardSet:
        """The card set with these decks; its title says so.

        Raises ValueError for a game without decks, CardError for decks that its rules refuse.
        """
        if self.is_default:
            return cards
        check_deck_game(game, self.options[0])
        assert game.decks is not None
        own = read_decks(self.file) if self.file else {}
        dealt = game.decks.random(cards.document, self.random, Random(self.seed)) if self.random else {}
        if twice := sorted(set(own) & set(dealt)):
            raise CardError(f"{self.file}: deck.{twice[0]}: decks by lot are called so; give yours another id")
        document = dict(cards.document)
        if own and not (self.only or dealt) and (twice := sorted(set(own) & set(cards.ids))):
            raise CardError(
                f"{self.file}: deck.{twice[0]}: the card set has a deck of that id; rename yours, or --only-decks"
            )
        make = game.decks.only if self.only or dealt else game.decks.added
        try:
            found = game.from_document(make(document, {**own, **dealt}))
        except CardError as error:
            raise CardError(f"{self.file or 'decks by lot'}: {_where(error)}") from None
        title = f"{cards.title or cards.path.stem}, {self.words}"
        kept = {one.name: getattr(found, one.name) for one in fields(CardSet)} | {"path": cards.path, "title": title}
        return ChosenDecks(**kept, options=self.options, words=self.words)


def options_of(cards: CardSet) -> tuple[str, ...]:
    """Options of the command that chose the decks of a card set; none where they are its own."""
    return cards.options if isinstance(cards, ChosenDecks) else ()


def check_deck_game(game: Game, option: str) -> Game:
    """Return the game. Raises ValueError for one without decks, naming the option that needs them."""
    if game.decks is None:
        raise ValueError(
            f"{option}: {game.title} is not played with decks; {option} is for games whose entrants are decks"
        )
    return game


def deck_facts(game: Game, cards: CardSet) -> dict[str, Any]:
    """The decks played, by id and card, for JSON; empty for a game without decks."""
    decks = game.decks_for(cards)
    if decks is None:
        return {}
    lists = {}
    for deck, slots, counts in zip(cards.ids, decks.slots.tolist(), decks.counts, strict=True):
        lists[deck] = {decks.ids[card]: int(counts[card]) for card in slots if card >= 0}
    return {"decks": lists}


def _where(error: CardError) -> str:
    """What is wrong with the decks, without the name of the document made of them."""
    return str(error).replace("document: ", "")
