"""What is in a card set: tables for `fairfight games`, `cards` and `check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from analysis.report.model import Table
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.judgement import FILE_NAME
from sim.weights import has_own, own_tables


def games_table(games: Mapping[str, Game]) -> Table:
    """Return one line per game: name, title, seats, what is compared, how many there are in the reference set."""
    rows = []
    for name, game in sorted(games.items()):
        cards = game.load(None)
        rows.append(
            (name, game.title, seats_words(game), f"{len(cards.ids)} {game.entrants_word}", len(cards.provenance))
        )
    return Table("games", ("game", "title", "seats", "entrants", "numbers"), tuple(rows), "Games")


def seats_words(game: Game) -> str:
    """Numbers of seats, e.g. "2-4"."""
    low, high = min(game.seats), max(game.seats)
    return str(low) if low == high else f"{low}-{high}"


def cards_tables(game: Game, cards: CardSet) -> dict[str, Table]:
    """Return the entrants, the rule switches and every number with its source."""
    entrants = tuple(zip(cards.ids, cards.names, strict=True))
    switches = tuple((name, as_written(value)) for name, value in cards.switches.items())
    numbers = tuple((item.path, str(item.value), item.source) for item in cards.provenance)
    return {
        "entrants": Table("entrants", ("id", "name"), entrants, f"{game.title}: {cards.title or cards.path}"),
        "rules": Table("rules", ("switch", "value"), switches, "Rule switches"),
        "numbers": Table("numbers", ("field", "value", "source"), numbers, f"Numbers: {sources(cards)}"),
        **({"weights": _weights(game, cards)} if has_own(cards) else {}),
    }


def _weights(game: Game, cards: CardSet) -> Table:
    """The weights of a card set's own."""
    tables = own_tables(game, cards) or {}
    rows = [
        (kind.replace("_", " "), int(seats), name, value)
        for kind, by_seats in tables.items()
        for seats, weights in by_seats.items()
        for name, value in weights.items()
    ]
    return Table("weights", ("weights", "seats", "feature", "value"), tuple(rows), f"Weights of its own ({FILE_NAME})")


def as_written(value: Any) -> str:
    """A value of a rule much as the card file has it: `true`, `chest, debt`; a list of nothing is `none`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(as_written, value)) or "none" if isinstance(value, (list, tuple)) else str(value)


def sources(cards: CardSet) -> str:
    """Return how many numbers come from where, e.g. "153 assumed, 28 rulebook"."""
    counts = Counter(item.source for item in cards.provenance)
    return ", ".join(f"{count} {source}" for source, count in counts.most_common())


def sources_under(cards: CardSet, path: str) -> str:
    """Return where the numbers under a path of the card file come from, the most frequent first; "" where there is none."""
    counts = Counter(item.source for item in cards.provenance if item.path.startswith(f"{path}."))
    return ", ".join(source for source, _ in counts.most_common())


def weights_words(cards: CardSet) -> str:
    """Whose weights positions are judged by, where they are not the game's; else nothing."""
    return f"judged by weights of its own ({FILE_NAME})" if has_own(cards) else ""


def findings(game: Game, cards: CardSet) -> dict[str, Any]:
    """Return what is in a valid card file, and its cautions: what its author may not mean to say."""
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
    told = findings(game, cards)
    found = f"{told['entrants']} {game.entrants_word}, {told['numbers']} numbers ({told['sources']})"
    judged = f"; {told['weights']}" if told["weights"] else ""
    valid = f"{cards.path}: a valid {game.title} set: {found}{judged}; digest {cards.digest}"
    return "\n".join([valid, *(f"caution: {caution}" for caution in told["cautions"])])
