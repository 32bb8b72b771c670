"""Choice of the decks to play: from the card set, from a file, or random.

Also writes a card file's document as TOML again, for cards that come from a run: comments are lost, everything else is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any

from analysis.answer.numbers import count, word
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import DECKS_MAX, DEFAULT_GENERATOR, Decking, Made, read_decks
from sim.weights import remade


@dataclass(frozen=True, eq=False)
class ChosenDecks(CardSet):
    """A card set with other decks than those of its file. options: command options that select them; words: the same in words.

    making: facts on how random decks were made, in words.
    """

    options: tuple[str, ...] = ()
    words: str = ""
    making: tuple[str, ...] = ()


@dataclass(frozen=True)
class RandomDecks:
    """Random decks to make: their number, and which of the game's deck generators to use (`Decking.generators`)."""

    count: int
    generator: str = DEFAULT_GENERATOR

    @classmethod
    def parse(cls, text: str) -> RandomDecks:
        """Read "24" or "24:sealed". Raises ValueError for anything else."""
        number, colon, generator = text.partition(":")
        try:
            wanted = cls(int(number), generator if colon else DEFAULT_GENERATOR)
        except ValueError:
            raise ValueError(f'--random-decks {word(text)}: must be a number of decks, as in "24" or "24:random"') from None
        if wanted.count < 1:
            raise ValueError(f"--random-decks {text} must be at least 1")
        if wanted.count > DECKS_MAX:
            raise ValueError(f"--random-decks {word(text)}: at most {DECKS_MAX} decks can be played")
        return wanted

    def __str__(self) -> str:
        """Value of the option."""
        return str(self.count) if self.generator == DEFAULT_GENERATOR else f"{self.count}:{self.generator}"


@dataclass(frozen=True)
class DeckChoice:
    """Decks that a user asks for. file: of decks; only: play these instead of the card set's own; random: random decks instead.

    random: number of decks or value of the option, see `RandomDecks.parse`; seed: of the random decks. With both a file and
    random decks, both are played without the card set's own.
    """

    file: Path | None = None
    only: bool = False
    random: int | str | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for invalid combinations."""
        if self.only and self.file is None:
            raise ValueError("--only-decks: needs --decks FILE, the decks to play instead of the card set's own")
        if self.file and not self.file.name.isprintable():
            raise ValueError(f"--decks {word(str(self.file))}: give the file a printable name; it appears in titles")
        _ = self.wanted

    @property
    def wanted(self) -> RandomDecks | None:
        """Random decks to make. Raises ValueError for an invalid number of decks."""
        return None if self.random is None else RandomDecks.parse(str(self.random))

    @property
    def is_default(self) -> bool:
        """Whether the card set's own decks are played."""
        return self.file is None and self.random is None

    @property
    def options(self) -> tuple[str, ...]:
        """Command options for the same choice."""
        words = ["--decks", str(self.file)] if self.file else []
        words += ["--only-decks"] if self.only else []
        return (*words, *(["--random-decks", str(self.wanted)] if self.wanted else []))

    @property
    def folder(self) -> tuple[str, ...]:
        """Subfolder for a report on other decks than the card set's own."""
        if self.is_default:
            return ()
        if self.file:
            return (self.file.stem.strip(".") or "decks",)  # "...toml" has the stem "..", the parent folder
        return (f"{self.wanted.generator if self.wanted else DEFAULT_GENERATOR}-decks",)

    def played(self, game: Game, cards: CardSet) -> CardSet:
        """The card set with these decks, which its title mentions.

        Raises ValueError for a game without decks, CardError for decks that break its rules.
        """
        if self.is_default:
            return cards
        decking = check_deck_game(game, self.options[0])
        from_file = read_decks(self.file, decking.words) if self.file else {}
        made, generator = Made({}), None
        if self.wanted:
            try:
                generator = decking.generator(self.wanted.generator)
            except ValueError as error:
                raise ValueError(f"--random-decks {word(str(self.wanted))}: {error}") from None
            made = generator.make(cards.document, self.wanted.count, Random(self.seed))
            if self.wanted.generator != DEFAULT_GENERATOR:
                made = replace(made, facts=(generator.words, *made.facts))
        instead = self.only or bool(made.decks)
        if not from_file and len(made.decks) == 1:
            raise ValueError(f"{' '.join(self.options)}: plays 1 deck; at least 2 are needed")
        if twice := sorted(set(from_file) & set(made.decks)):
            raise CardError(f"{self.file}: deck.{twice[0]}: a random deck has this id; give yours another one")
        if not instead and (twice := sorted(set(from_file) & set(cards.ids))):
            raise CardError(
                f"{self.file}: deck.{twice[0]}: the card set has a deck of that id; rename yours, or use --only-decks"
            )
        make = decking.only if instead else decking.added
        try:
            loaded = remade(game, make(dict(cards.document), {**from_file, **made.decks}), cards)
        except CardError as error:  # with the source of the decks in place of the merged document on every line
            source = f"{self.file or 'random decks'}: "
            raise CardError("\n".join(source + line.removeprefix("document: ") for line in str(error).split("\n"))) from None
        named = [f"the decks of {self.file.name}"] if self.file else []
        if self.wanted and generator:
            named += [f"{count(self.wanted.count)} {generator.title} (seed {self.seed})"]
        words = " and ".join(named)
        words = words if self.only or self.wanted else f"its own decks and {words}"
        title = f"{cards.title or cards.path.stem}, {words}"
        kept = {field.name: getattr(loaded, field.name) for field in fields(CardSet)} | {"path": cards.path, "title": title}
        return ChosenDecks(**kept, options=self.options, words=words, making=made.facts)


def options_of(cards: CardSet) -> tuple[str, ...]:
    """Command options that chose the decks of a card set; empty for its own decks."""
    return cards.options if isinstance(cards, ChosenDecks) else ()


def making_of(cards: CardSet) -> tuple[str, ...]:
    """Facts on how the random decks of a card set were made; empty if there are none."""
    return cards.making if isinstance(cards, ChosenDecks) else ()


def making_lines(cards: CardSet) -> tuple[str, ...]:
    """The facts of `making_of` as a line below a table, if there are any."""
    made = making_of(cards)
    return (f"Random decks: {'; '.join(made)}.",) if made else ()


def check_deck_game(game: Game, option: str) -> Decking:
    """Return how a game makes its decks. Raises ValueError for a game without decks, naming the option that needs them."""
    if game.decks is None:
        raise ValueError(f"{option}: {game.title} is not played with decks; {option} is for games whose entrants are decks")
    return game.decks


def deck_facts(game: Game, cards: CardSet) -> dict[str, Any]:
    """The decks played, by id and card, for JSON; empty for a game without decks.

    Includes what they bring besides cards, and how random decks were made, if anything.
    """
    decks = game.decks_for(cards)
    if decks is None:
        return {}
    lists = {}
    for deck, slots, counts in zip(cards.ids, decks.slots.tolist(), decks.counts, strict=True):
        lists[deck] = {decks.ids[card]: int(counts[card]) for card in slots if card >= 0}
    facts: dict[str, Any] = {"decks": lists}
    if any(decks.words):
        facts["deck_words"] = {deck: dict(words) for deck, words in zip(cards.ids, decks.words, strict=True)}
    return facts | ({"making": list(made)} if (made := making_of(cards)) else {})


LISTED = 10  # entries of a list on one line; longer lists get a line per entry, because readers refuse very long lines
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_of(document: Mapping[str, Any]) -> str:
    """Write a document as TOML. document: values of JSON types except None."""
    return "\n".join(_lines(document, "")).strip() + "\n"


def toml_lines(key: str, value: Any) -> Iterator[str]:
    """Yield a key and its value as lines of TOML: a list of tables with a line for each, any other value on one line."""
    if isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
        yield f"{_key(key)} = ["
        yield from (f"  {_inline(entry)}," for entry in value)
        yield "]"
    else:
        yield from f"{_key(key)} = {_inline(value)}".splitlines()


def _lines(table: Mapping[str, Any], path: str) -> Iterator[str]:
    """Lines of a table: plain values first, then its subtables and lists of tables under headings."""
    below = {}
    for key, value in table.items():
        tables = value if isinstance(value, list) and value else [value]
        if all(isinstance(entry, Mapping) for entry in tables):
            below[key] = tables
        else:
            yield f"{_key(key)} = {_inline(value)}"
    for key, tables in below.items():
        name = f"{path}.{_key(key)}" if path else _key(key)
        for subtable in tables:
            yield from ("", f"[[{name}]]" if isinstance(table[key], list) else f"[{name}]")
            yield from _lines(subtable, name)


def _inline(value: Any) -> str:
    """A value as written after its key."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return f"[{(', ' if len(value) <= LISTED else ',' + chr(10)).join(map(_inline, value))}]"
    text = json.dumps(value, ensure_ascii=not isinstance(value, str))
    return text.replace("\x7f", "\\u007f")  # TOML needs one more escape than JSON


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _inline(key)
