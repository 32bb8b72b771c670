"""Decks to draw from: lists of cards such as "4x Lightning Bolt", tables, deck files, and the decks of a game.

A text has a card on each line, with its number before or after the name. Lines that end with a colon, and those that begin with
// or #, are headings, which name the cards below them: "at least 2 of lands" means the cards under "Lands:". In a table (CSV, TSV
or XLSX) one column has the names, one the numbers, and the words of the other columns name kinds of cards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.answer.files import reason
from analysis.answer.numbers import word
from analysis.answer.prose import listed, some
from analysis.cardsheets.reading import decoded
from analysis.data.decks import check_deck_game
from analysis.data.names import open_game
from analysis.playtests.tables import read_rows
from sim.engine.decks import COPIES_MAX, Decks, read_decks
from sim.registry import GAMES

FILE_MAX = 1_000_000  # bytes
CARDS_MAX = 1000  # of a deck, all copies counted
TABLES = (".csv", ".tsv", ".xlsx")
LEFT_OUT = {"sideboard", "side", "side deck", "maybeboard", "considering", "commander", "companion", "tokens", "extra deck"}
HEADINGS = {  # of sections, known without a colon
    *("deck", "main", "main deck", "mainboard", "pokemon", "pok\u00e9mon", "trainer", "energy"),
    *("creatures", "lands", "spells", "artifacts", "enchantments", "instants", "sorceries", "planeswalkers"),
    *LEFT_OUT,
}
NAMES = {"name", "card", "cards", "card name", "title", "karte"}  # headings of a table
NUMBERS = {"number", "count", "copies", "quantity", "qty", "amount", "n", "no", "#", "anzahl"}

_BEFORE = re.compile(r"(?P<number>\d+)\s*(?:[x\u00d7]\s+|\s)\s*(?P<name>\S.*)", re.IGNORECASE)
_BEHIND = re.compile(r"(?P<name>.*\S)\s+[x\u00d7]\s*(?P<number>\d+)", re.IGNORECASE)
_HEADING = re.compile(r"(?P<marks>(?://|#|==|\[)*)\s*(?P<name>.*?)\s*(?:[:(]\s*\d*\s*\)?)?\s*(?P<end>[:\])=]*)")
_PRINTING = re.compile(r"\s+(?:\([A-Za-z0-9]{2,6}\)(?:\s+\S+)?|\[[^\]]*\]|\*[A-Za-z]\*|[A-Z]{2,3}\s\d+)$")  # set and number


@dataclass(frozen=True)
class Card:
    """Cards of one name in a deck. kinds: further names under which they can be asked about."""

    name: str
    copies: int
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deck:
    """A deck to draw from. left_out: what of the file does not belong to it, in words."""

    title: str
    cards: tuple[Card, ...]
    left_out: str = ""

    @property
    def copies(self) -> list[int]:
        """Copies of each card."""
        return [card.copies for card in self.cards]

    @property
    def size(self) -> int:
        """Cards of the deck."""
        return sum(self.copies)

    @property
    def names(self) -> list[str]:
        """Names of cards and kinds, in lower case."""
        return [*self._named]

    @cached_property
    def _named(self) -> Mapping[str, frozenset[int]]:
        names = _indices((card.name, place) for place, card in enumerate(self.cards))
        kinds = _indices((kind, place) for place, card in enumerate(self.cards) for kind in card.kinds)
        return {**kinds, **names}

    @cached_property
    def kinds(self) -> Mapping[str, frozenset[int]]:
        """Indices of cards by name or kind, in lower case, also with and without a final s; names go before kinds."""
        both = self._named
        other = {name.removesuffix("s") if name.endswith("s") else f"{name}s": cards for name, cards in both.items()}
        return {**other, **both}


def _indices(pairs: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    cards: dict[str, frozenset[int]] = {}
    for name, place in pairs:
        key = " ".join(name.split()).casefold().replace("\u2019", "'")
        bare = "".join(mark for mark in unicodedata.normalize("NFKD", key) if not unicodedata.combining(mark))
        for spelling in {key, bare}:  # with and without accents
            cards[spelling] = cards.get(spelling, frozenset()) | {place}
    return cards


def decks_of(where: str | Path, cards: Path | None = None) -> list[Deck]:
    """The decks of a file, or of a game by its name. cards: those of the game, instead of the reference set.

    Raises ValueError, with file and line, for what cannot be read.
    """
    if str(where) in GAMES:
        game, card_set = open_game(str(where), cards)
        decking = check_deck_game(game, "--deck")
        return [*_decks_of_game(decking.of(card_set), card_set.names)]
    if cards is not None:
        raise ValueError(f"cards={cards}: only works with decks of a game, such as --deck riftborn; leave it out")
    path = Path(where)
    if path.suffix.lower() == ".toml":
        return _decks_of_file(path)
    deck = Deck(path.stem, *(_table(path) if path.suffix.lower() in TABLES else read_list(_text(path), str(path))))
    if not 1 <= deck.size <= CARDS_MAX:
        raise ValueError(f"{path}: has {deck.size:,} cards; a deck to draw from has 1 to {CARDS_MAX:,}")
    return [deck]


def _decks_of_game(decks: Decks, titles: Sequence[str]) -> Iterator[Deck]:
    """The decks of a card set, with types, keywords and levels as kinds."""
    for title, counts in zip(titles, decks.counts, strict=True):
        yield Deck(title, tuple(_card_of(decks, card, int(counts[card])) for card in counts.nonzero()[0]))


def _card_of(decks: Decks, card: int, copies: int) -> Card:
    kinds = (decks.ids[card].replace("_", " "), decks.kinds[card], *decks.marks[card], f"level {decks.level[card]}")
    return Card(decks.names[card], copies, kinds)


def _decks_of_file(path: Path) -> list[Deck]:
    """The decks of a deck file. Cards have the names and kinds of the game that knows them all, else their ids."""
    games = [game for game in GAMES.usable(lambda _: None).values() if game.decks]
    lists = read_decks(path, {name for game in games if game.decks for name in game.decks.words})
    card_sets = [game.decks.of(game.load(None)) for game in games if game.decks]
    return [Deck(_spelled(id_), tuple(_cards_of_list(deck.cards, card_sets))) for id_, deck in lists.items()]


def _cards_of_list(copies: Mapping[str, int], card_sets: Iterable[Decks]) -> list[Card]:
    """The cards of a list of ids."""
    for decks in card_sets:
        if set(copies) <= set(decks.ids):
            return [_card_of(decks, decks.ids.index(id_), number) for id_, number in copies.items()]
    return [Card(_spelled(id_), number) for id_, number in copies.items()]


def _spelled(id_: str) -> str:
    return id_.replace("_", " ").title()


def _text(path: Path) -> str:
    """The text of a file."""
    try:
        with path.open("rb") as stream:
            content = stream.read(FILE_MAX + 1)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({reason(error)}); name a list of cards, a deck file or a game") from None
    if len(content) > FILE_MAX:
        raise ValueError(f"{path}: is larger than {FILE_MAX:,} bytes; a list of cards has about 1,000")
    try:
        return decoded(content)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not text in UTF-8; save it as UTF-8") from None


def read_list(text: str, file: str) -> tuple[tuple[Card, ...], str]:
    """The cards of a text list, and what is left out. Raises ValueError with the line that cannot be read."""
    cards: list[Card] = []
    section, aside = "", 0
    lines = [(number, line.strip(), _numbered(line.strip())) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    plain = not any(numbered for _, _, numbered in lines)
    for number, line, numbered in lines:
        heading = _heading(line)
        if numbered is None and heading is not None:
            section = heading
            continue
        if numbered is None and not plain:
            right = f"write 1x {word(line)}, or {word(line)}: for a heading"
            raise ValueError(f"{file}: line {number}: {word(line)!r} has no number; {right}")
        if numbered is None and (copied := re.fullmatch(r"(.*\S)\s+(\d+)", line)):
            right = f"write {copied[2]}x {word(copied[1])}, or 1x {word(line)}"
            raise ValueError(f"{file}: line {number}: {word(line)!r} can be {copied[2]} copies or a name; {right}")
        name, copies = numbered or (line, 1)
        if copies > COPIES_MAX:
            raise ValueError(
                f"{file}: line {number}: {copies:,} copies of {word(name)} are too many; at most {COPIES_MAX} are allowed"
            )
        if section.casefold() in LEFT_OUT or line.lower().startswith("sb:"):
            aside += copies
        elif copies:
            cards.append(Card(name, copies, tuple(filter(None, (section, _without_printing(name))))))
    left_out = f"{some(aside, 'card')} of the sideboard or another section are left out" if aside else ""
    return _joined(cards), left_out


def _numbered(line: str) -> tuple[str, int] | None:
    """Name and number of a line of a card; None for other lines."""
    text = re.sub(r"^(?:SB:|[-*\u2022])\s*", "", line, flags=re.IGNORECASE)
    match = _BEFORE.fullmatch(text) or (_BEHIND.fullmatch(text) if _heading(line) is None else None)
    if match is None:
        return None
    return " ".join(match["name"].split()), int(match["number"][:6])


def _without_printing(name: str) -> str:
    """A name without the set and number that deck builders write behind it, such as (M10) 146."""
    while (shorter := _PRINTING.sub("", name)) != name:
        name = shorter
    return name


def _heading(line: str) -> str | None:
    """The name of a section; None for a line that is no heading."""
    match = _HEADING.fullmatch(line)
    assert match is not None  # it matches anything
    marked = match["marks"] or re.search(r":$|:\s*\d+$|\(\d+\)$", line) or match["name"].casefold() in HEADINGS
    return match["name"] if marked else None


def _joined(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards of the same name as one."""
    joined: dict[str, Card] = {}
    for card in cards:
        key = card.name.casefold()
        before = joined.get(key, Card(card.name, 0))
        joined[key] = Card(before.name, before.copies + card.copies, tuple(dict.fromkeys((*before.kinds, *card.kinds))))
    return tuple(joined.values())


def _table(path: Path) -> tuple[tuple[Card, ...], str]:
    """The cards of a table, and the sheets that are left out."""
    lines, sheet = read_rows(path, "a table of cards has a column name and a column number")
    (_, headings), *rows = [(line, [" ".join(cell.split()) for cell in cells]) for line, cells in lines]
    columns = {heading.casefold(): place for place, heading in enumerate(headings)}
    name, number = (next((columns[one] for one in columns if one in wanted), None) for wanted in (NAMES, NUMBERS))
    if name is None:
        raise ValueError(f"{path}: has no column of names among {listed(list(map(word, headings)))}; give it the heading name")
    cards: list[Card] = []
    for line, cells in rows:
        row = [*cells, *[""] * (len(headings) - len(cells))]
        if not row[name]:
            continue
        copies = "1" if number is None else row[number]
        if not re.fullmatch(r"\d{1,3}(?:\.0+)?", copies):
            place = f"line {line}, column {word(headings[number or 0])}"
            raise ValueError(f"{path}: {place}: {word(copies)!r} must be a whole number in 0..{COPIES_MAX}")
        others = [(place, cell) for place, cell in enumerate(row[: len(headings)]) if place not in (name, number)]
        parts = [(headings[place], part.strip()) for place, cell in others for part in re.split("[;,/]", cell)]
        kinds = [_kind(heading, part) for heading, part in parts if part]
        if int(float(copies)):
            cards.append(Card(row[name], int(float(copies)), tuple(kinds)))
    return _joined(cards), f"only the sheet {word(sheet)} is read" if sheet else ""


def _kind(heading: str, cell: str) -> str:
    """A cell as the name of a kind; a number after its heading, such as cost 3."""
    return f"{heading.strip()} {cell.removesuffix('.0')}" if re.fullmatch(r"-?\d+(?:\.\d+)?", cell) else cell
