"""Contents of a card set: tables for `fairfight games`, `cards` and `check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from analysis.answer.numbers import Cell, count
from analysis.answer.prose import capital, some
from analysis.answer.tables import Table
from sim.engine.cardfiles.paths import HEADER, address, did_you_mean, fitting, locate, matching, numeric_fields
from sim.engine.cards import CardSet, slug
from sim.engine.contract import Game
from sim.engine.evaluation import FILE_NAME
from sim.weights import has_own, own_tables

SOURCE = "source"  # key of a card file with the source of its numbers


def games_table(games: Mapping[str, Game]) -> Table:
    """Return one row per game: name, title, seats, number of entrants, numbers in the reference set."""
    rows = []
    for name, game in sorted(games.items()):
        cards = game.load(None)
        rows.append((name, game.title, seats_words(game), f"{len(cards.ids)} {game.entrants_word}", len(cards.provenance)))
    return Table("games", ("game", "title", "seats", "entrants", "numbers"), tuple(rows), "Games")


def seats_words(game: Game) -> str:
    """Numbers of seats, e.g. "2-4"."""
    low, high = min(game.seats), max(game.seats)
    return str(low) if low == high else f"{low}-{high}"


@dataclass(frozen=True)
class CardsShown:
    """A card set for display: the entrants, the cards by kind, the rules; or all numbers of some cards or fields.

    chosen: cards by path, such as hero.rhino_guy, as they are in the file; None for the whole set. fields: patterns of the
    numbers to show, empty for those of the chosen cards.
    """

    game: Game
    cards: CardSet
    chosen: Mapping[str, Mapping[str, Any]] | None = None
    fields: tuple[str, ...] = ()

    @property
    def numbers(self) -> Table:
        """The requested numbers with their sources; all numbers by default."""
        patterns = self.fields or (("*",) if self.chosen is None else tuple(self.chosen))
        paths = {path for pattern in patterns for path in matching(self.cards.document, pattern)}
        if self.chosen is not None:
            paths &= {path for card in self.chosen for path in matching(self.cards.document, card)}
        wanted = [item for item in self.cards.provenance if item.path in paths]
        rows = tuple((item.path, str(item.value), item.source) for item in wanted)
        title = f"Numbers: {sources(self.cards)}" if self.chosen is None and not self.fields else "Numbers"
        return Table("numbers", ("field", "value", "source"), rows, title, main=True)

    def tables(self) -> list[Table]:
        """Tables to print: the entrants, the cards of every kind, the rules; or the numbers of chosen cards or fields."""
        if self.chosen is not None or self.fields:
            return [self.numbers]
        kinds = self._kinds
        entrants = () if self._is_listed(kinds) or self.game.teams_for(self.cards) else (self._entrants(),)
        return [*entrants, *(kind_table(kind, items) for kind, items in kinds.items()), *self._settings()]

    @property
    def summary(self) -> str:
        """The first line: title and size of the set, or what was chosen."""
        if self.chosen is not None:
            return ", ".join(card_title(path, card) for path, card in self.chosen.items())
        if self.fields:
            return f"{capital(some(len(self.numbers.rows), 'number'))} of {self.game.title}: {', '.join(self.fields)}."
        teams, word = self.game.teams_for(self.cards), self.game.entrants_word
        many = f"{count(len(self.cards.ids))} {word}"
        made = f": every {teams.size} of the {teams.parts} {teams.words}" if teams else ""
        return f"{self.game.title}: {self.cards.title or self.cards.path}, {many}{made}."

    @property
    def lines(self) -> list[str]:
        """The chosen cards as they are in the file."""
        chosen = self.chosen or {}
        several = len(chosen) > 1
        return [
            line
            for path, card in chosen.items()
            for line in (*([card_title(path, card)] if several else []), *_inside(card, "  ", {"id", "name"}))
        ]

    @property
    def hints(self) -> list[str]:
        """Sentences below the tables: where the numbers come from, and how to see them."""
        if self.chosen is not None or self.fields:
            return []
        name, first = self.game.name, next(iter(self._kinds.values()), [{}])[0]
        example = first.get("id") or slug(str(first.get("name", "")))
        return [
            f"{count(len(self.cards.provenance))} numbers: {sources(self.cards)}.",
            f"One card with all its numbers: fairfight cards {name} {example}",
            f"Some numbers: fairfight cards {name} --fields 'rules.*'",
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything, or the requested cards and numbers."""
        named = {"game": self.game.name, "title": self.cards.title, "digest": self.cards.digest}
        if self.chosen is not None:
            shown = [{"path": path, "card": dict(card)} for path, card in self.chosen.items()]
            return {**named, "cards": shown, "numbers": self.numbers}
        if self.fields:
            return {**named, "numbers": self.numbers}
        tables = {table.id: table for table in (self._entrants(), *self._settings()[:1])}
        return {**named, **tables, "numbers": self.numbers} | {table.id: table for table in self._settings()[1:]}

    @property
    def _kinds(self) -> dict[str, list[Mapping[str, Any]]]:
        """Lists of cards by kind, starting with the entrants or the parts of teams."""
        teams = self.game.teams_for(self.cards)
        players = self.cards.ids if teams is None else tuple(teams.ids)
        kinds = kinds_of(self.cards.document)
        first = [kind for kind, items in kinds.items() if tuple(item.get("id") for item in items) == players]
        return {kind: kinds[kind] for kind in dict.fromkeys([*first, *kinds])}

    def _is_listed(self, kinds: Mapping[str, Sequence[Mapping[str, Any]]]) -> bool:
        """Whether the entrants are the cards of one kind, so that its table shows them."""
        return any(tuple(item.get("id") for item in items) == self.cards.ids for items in kinds.values())

    def _entrants(self) -> Table:
        """Ids and names of all entrants."""
        entrants = tuple(zip(self.cards.ids, self.cards.names, strict=True))
        title = f"{self.game.title}: {self.cards.title or self.cards.path}"
        return Table("entrants", ("id", "name"), entrants, title)

    def _settings(self) -> list[Table]:
        """Rule switches, and the weights if the set has its own."""
        switches = tuple((name, as_written(value)) for name, value in self.cards.switches.items())
        rules = Table("rules", ("switch", "value"), switches, "Rule switches")
        return [rules, *([_weights(self.game, self.cards)] if has_own(self.cards) else [])]


def cards_shown(game: Game, cards: CardSet, wanted: str | None = None, fields: str | None = None) -> CardsShown:
    """Select what to show of a card set. wanted: id or name of a card or an entrant; fields: comma-separated patterns.

    Raises ValueError for an unknown card, with the nearest ones, and for patterns that match no number.
    """
    patterns = tuple(text.strip() for text in fields.split(",")) if fields is not None else ()
    known = numeric_fields(cards.document) if patterns else []
    for pattern in patterns:
        if not fitting(known, pattern):
            raise ValueError(f"--fields {pattern}: fits no number of the card file; {did_you_mean(pattern, known[:1] + known)}")
    return CardsShown(game, cards, None if wanted is None else _chosen(game, cards, wanted), patterns)


def _chosen(game: Game, cards: CardSet, wanted: str) -> dict[str, Mapping[str, Any]]:
    """Cards that a word stands for, by path. Raises ValueError."""
    paths = paths_of(cards.document)
    by_path = {path: _at(cards.document, path) for path in paths}
    chosen = {path: item for path, item in by_path.items() if slug(wanted) in _called(path, item)}
    if chosen:
        return chosen
    if game.teams_for(cards) is not None and "+" in wanted:
        parts = [_chosen(game, cards, part) for part in wanted.split("+")]
        return {path: item for part in parts for path, item in part.items()}
    words = [*dict.fromkeys(path.rpartition(".")[2] for path in paths)]
    raise ValueError(f"{wanted!r}: is no card of this set; {did_you_mean(slug(wanted), words)}")


def _called(path: str, item: Mapping[str, Any]) -> set[str]:
    """Words for a card: its path, id and name."""
    return {slug(str(word)) for word in (path, path.rpartition(".")[2], item.get("id"), item.get("name")) if word}


def paths_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Words for all cards by their paths: `hero.rhino_guy` -> `rhino_guy`."""
    paths = [address(document, (kind, index)) for kind, items in kinds_of(document).items() for index in range(len(items))]
    return {path: path.rpartition(".")[2] for path in paths}


def _at(document: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Value at a path."""
    node: Any = document
    for step in locate(document, path):
        node = node[step]
    return dict(node)


def kinds_of(document: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Lists of cards in a card file, by their keys."""
    return {
        str(key): value
        for key, value in document.items()
        if key not in HEADER and isinstance(value, list) and value and all(isinstance(card, dict) for card in value)
    }


def kind_table(kind: str, items: Sequence[Mapping[str, Any]]) -> Table:
    """All cards of one kind, one row each: plain fields in columns, a summary of nested tables and lists in the last."""
    keys = [key for key in dict.fromkeys(key for item in items for key in item) if key != SOURCE]
    plain = [key for key in keys if not any(isinstance(item.get(key), (dict, list)) for item in items)]
    rows = []
    for item in items:
        inside = [_names(key, item[key]) for key in keys if key not in plain and key in item]
        rows.append((*(_cell(item.get(key)) for key in plain), "; ".join(filter(None, inside))))
    caption = f"{kind.replace('_', ' ').capitalize()}: {count(len(items))}"
    kept = [index for index in range(len(plain) + 1) if any(row[index] not in (None, "") for row in rows)]
    columns = tuple([*(key.replace("_", " ") for key in plain), "has"][index] for index in kept)
    lines = tuple(tuple(row[index] for index in kept) for row in rows)
    return Table(kind, columns, lines, caption, below="has")


def card_title(path: str, card: Mapping[str, Any]) -> str:
    """Name and path of a card."""
    return f"{card.get('name') or card.get('id') or path} ({path})"


def _inside(table: Mapping[str, Any], margin: str, left_out: Set[str] = frozenset()) -> list[str]:
    """Lines of a table; tables in a list begin with their names."""
    lines = []
    for key, value in table.items():
        if key == SOURCE or key in left_out:
            continue
        if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
            lines.append(f"{margin}{key}:")
            for entry in value:
                flat = ", ".join(_words(entry))
                lines.append(f"{margin}  {flat}")
        elif isinstance(value, dict):
            lines.append(f"{margin}{key}: {', '.join(_words(value))}")
        else:
            lines.append(f"{margin}{key}: {as_written(value)}")
    return lines


def _words(table: Mapping[str, Any]) -> list[str]:
    """A table within a card, for one line: its name, then key and value."""
    words = [str(table["name"])] if "name" in table else []
    for key, value in table.items():
        if key in (SOURCE, "name"):
            continue
        if isinstance(value, dict):
            words.append(f"{key} ({', '.join(_words(value))})")
        elif isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
            words.append(f"{key} ({'; '.join(', '.join(_words(entry)) for entry in value)})")
        else:
            words.append(f"{key} {'/'.join(map(as_written, value)) if isinstance(value, list) else as_written(value)}")
    return words


def _names(key: str, value: Any) -> str:
    """Summary of a nested value: the names of the tables in a list, their number, or a list of values."""
    if isinstance(value, dict):
        whole = all(isinstance(entry, int) for entry in value.values())
        return f"{key} {count(sum(value.values()))}" if whole and value else key
    if not value or isinstance(value[0], list):
        return f"{key} {len(value)}" if value else ""
    if any(isinstance(entry, dict) for entry in value):
        named = [str(entry.get("name") or entry.get("op") or entry.get("do") or "") for entry in value if isinstance(entry, dict)]
        return ", ".join(dict.fromkeys(filter(None, named))) or f"{key} {len(value)}"
    return f"{key} {'/'.join(map(as_written, value))}"


def _cell(value: Any) -> Cell:
    """A plain field as a cell."""
    return as_written(value) if isinstance(value, bool) else value


def _weights(game: Game, cards: CardSet) -> Table:
    """Weights that belong to the card set."""
    tables = own_tables(game, cards) or {}
    rows = [
        (kind.replace("_", " "), int(seats), name, value)
        for kind, by_seats in tables.items()
        for seats, weights in by_seats.items()
        for name, value in weights.items()
    ]
    return Table("weights", ("weights", "seats", "feature", "value"), tuple(rows), f"Its own weights ({FILE_NAME})")


def as_written(value: Any) -> str:
    """Value of a rule, written as in the card file: `true`, `chest, debt`; an empty list is `none`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(as_written, value)) or "none" if isinstance(value, (list, tuple)) else str(value)


def sources(cards: CardSet) -> str:
    """Count numbers by source, e.g. "153 assumed, 28 rulebook"."""
    counts = Counter(item.source for item in cards.provenance)
    return ", ".join(f"{count(many)} {source}" for source, many in counts.most_common())


def sources_under(cards: CardSet, path: str) -> str:
    """Sources of the numbers under a path of the card file, most frequent first; "" if there are none."""
    counts = Counter(item.source for item in cards.provenance if item.path.startswith(f"{path}."))
    return ", ".join(source for source, _ in counts.most_common())


def weights_words(cards: CardSet) -> str:
    """Sentence part on the weights used to evaluate positions; empty for the game's own."""
    return f"evaluated with its own weights ({FILE_NAME})" if has_own(cards) else ""


def findings(game: Game, cards: CardSet) -> dict[str, Any]:
    """Contents of a valid card file, and cautions: values that its author may not have intended."""
    return {
        "game": game.name,
        "path": cards.path,
        "digest": cards.digest,
        "entrants": len(cards.ids),
        "numbers": len(cards.provenance),
        "sources": sources(cards),
        "weights": weights_words(cards),
        "cautions": game.cautions(cards) if game.cautions else [],
    }


def summary(game: Game, cards: CardSet) -> str:
    """Return one sentence about a valid card file, and a line for each of its cautions."""
    facts = findings(game, cards)
    contents = f"{facts['entrants']} {game.entrants_word}, {facts['numbers']} numbers ({facts['sources']})"
    judged = f"; {facts['weights']}" if facts["weights"] else ""
    valid = f"{cards.path}: a valid {game.title} set: {contents}{judged}; digest {cards.digest}"
    return "\n".join([valid, *(f"caution: {caution}" for caution in facts["cautions"])])
