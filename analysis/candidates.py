"""Which numbers of a card file may be tried: those asked for, less fixed ones, refused steps and steps that never reach play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.whatif import Step, numeric_steps
from sim.engine.cards import CardSet, numeric_fields
from sim.engine.contract import Game
from sim.engine.fieldpaths import Document, fixed_fields, is_number, locate, look_up, matching


@dataclass(frozen=True)
class Candidates:
    """The steps of all numbers asked for: those to be played, and those left out, with why."""

    live: tuple[Step, ...]
    refused: tuple[Step, ...] = ()
    idle: tuple[Step, ...] = ()
    fixed: tuple[str, ...] = ()  # paths
    places: tuple[str, ...] = ()  # paths of places and sizes of boards


def candidates(game: Game, cards: CardSet, patterns: Sequence[str] = (), with_fixed: bool = False) -> Candidates:
    """Find the steps. Without patterns, and unless fixed ones are wanted too, places and sizes of boards are left alone.

    Raises CardError for a path that does not exist, ValueError where no number is left to change.
    """
    paths = paths_of(cards, patterns)
    marked = set() if with_fixed else fixed_fields(cards.document)
    laid = set() if with_fixed or patterns else board_fields(cards.document) - marked
    steps = numeric_steps(game, cards, [path for path in paths if path not in marked | laid])
    fixed = tuple(path for path in paths if path in marked)
    if not steps:
        raise ValueError(
            f"all {len(fixed)} numbers asked for are marked as fixed in the card file; ask for fixed ones too"
        )
    refused = tuple(step for step in steps if step.cards is None)
    live = tuple(step for step in steps if step.cards is not None and not step.idle)
    idle = tuple(step for step in steps if step.idle)
    return Candidates(live, refused, idle, fixed, tuple(path for path in paths if path in laid))


def board_fields(document: Document) -> set[str]:
    """Paths of the numbers that say where things stand and how large a board is, which are no numbers to balance with.

    They stand in a table that has a list of coordinates (a list of lists of numbers), or both `rows` and `columns`.
    """
    return {path for path in numeric_fields(document) if _of_board(document, locate(document, path))}


def _of_board(document: Document, location: Sequence[str | int]) -> bool:
    """Whether the innermost table round a number lays out a board."""
    depth = max(number for number, key in enumerate(location) if isinstance(key, str))
    _, table = look_up(document, tuple(location[:depth]))
    if not isinstance(table, dict):
        return False
    return {"rows", "columns"} <= table.keys() or any(map(_coordinates, table.values()))


def _coordinates(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, list) and one and all(map(is_number, one)) for one in value)
    )


def paths_of(cards: CardSet, patterns: Sequence[str]) -> list[str]:
    """The numbers that patterns mean, in the order of the file; all if there is no pattern. Errors: see `candidates`."""
    if not patterns:
        return numeric_fields(cards.document)
    wanted: set[str] = set()
    for pattern in patterns:
        found = matching(cards.document, pattern)
        if not found:
            if "*" not in pattern:
                locate(cards.document, pattern)
            raise ValueError(f"{pattern}: no number of the card file is meant by that")
        wanted |= set(found)
    return [path for path in numeric_fields(cards.document) if path in wanted]
