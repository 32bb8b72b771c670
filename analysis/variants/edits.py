"""Changes of card files, and which ones may be tried.

Changes of a card file as a user writes them, `hero.rhino_guy.move=3`, several of them making one change.

Which numbers of a card file may be tried: those asked for, less fixed ones, refused steps and steps that never reach play.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from analysis.document.cells import as_written
from analysis.variants.variant import Step, numeric_steps, parsed, present, with_value
from sim.engine.cards import CardError, CardSet, numeric_fields
from sim.engine.contract import Game
from sim.engine.fieldpaths import (
    Document,
    address,
    addresses,
    fixed_fields,
    is_number,
    locate,
    look_up,
    matching,
    scalars,
)
from sim.weights import Weights, remade

NAMED = 6  # fields in a line that differ between two card sets; more are counted
UNKNOWN = "default"  # stands for the value of a rule that the file leaves out


@dataclass(frozen=True)
class Edit:
    """One field with another value. None: the file leaves the field out, or the rule to a default that it does not tell."""

    path: str
    before: Any
    value: Any

    def __str__(self) -> str:
        """`move: 4 to 3`."""
        before, after = (UNKNOWN if value is None else as_written(value) for value in (self.before, self.value))
        return f"{self.path}: {before} to {after}"


@dataclass(frozen=True)
class Rival:
    """Another card set that is compared with the one as it is.

    title, digest: of the other set; only: ids of the entrants that one of the two alone has, those of the set as it is first;
    members: where the two have other entrants, or others in another order, the numbers of those that both have, in the set as
    it is and in the other, in one order; weighed: whether positions are judged by other weights.
    """

    title: str
    digest: str
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    weighed: bool = False


@dataclass(frozen=True)
class Change:
    """Edits made at once. cards: the whole set with them; idle: they never reach play.

    rival: where `cards` are another card set; the edits are then the fields in which the two differ.
    """

    edits: tuple[Edit, ...]
    cards: CardSet
    idle: bool
    rival: Rival | None = None

    def __str__(self) -> str:
        """All edits in words; of another card set the first of them."""
        if self.rival is None:
            return "; ".join(map(str, self.edits))
        more = len(self.edits) - NAMED
        named = "; ".join(map(str, self.edits[:NAMED])) + (f"; and {more} more" if more > 0 else "")
        differ = "1 field differs" if len(self.edits) == 1 else f"{len(self.edits)} fields differ"
        words = f"{self.rival.title} (digest {self.rival.digest}): {differ}"
        return f"{words}: {named}" if named else words


def edited(game: Game, cards: CardSet, texts: Sequence[str]) -> Change:
    """Make one change of texts `path=value`; later ones see what earlier ones did.

    A value is read as the type of the present one; `+1` and `-1` are steps from a number, `==-1` is that number itself. A rule
    that the file leaves to its default may be set. Raises ValueError for a text that is no such thing or names a field twice,
    CardError for a path that does not exist (naming the nearest) or a value that the card rules refuse (their message).
    """
    if not texts:
        raise ValueError("no change is named; write --set PATH=VALUE, such as --set hero.rhino_guy.move=3")
    edits: list[Edit] = []
    so_far = cards
    for text in texts:
        edit = _read(so_far, text)
        if any(edit.path == one.path for one in edits):
            raise ValueError(f"{edit.path} is set twice; one value for each field")
        edits.append(edit)
        so_far = replace(so_far, document=with_value(so_far, edit.path, edit.value))
    try:
        found = remade(game, so_far.document, cards)
    except CardError as error:
        lines = str(error).splitlines()
        raise CardError("\n".join(line.removeprefix("document: ") for line in lines)) from None
    return Change(tuple(edits), found, idle=found.record.tobytes() == cards.record.tobytes())


def against(game: Game, cards: CardSet, other: CardSet, seats: int) -> Change:
    """The change from one card set to another of the same game; entrants are matched by their ids.

    Raises ValueError where line-ups cannot be matched: too few entrants are in both, or teams have other parts.
    """
    ours, theirs = list(cards.ids), list(other.ids)
    only = tuple(one for one in ours if one not in theirs), tuple(one for one in theirs if one not in ours)
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if ours != theirs:
        if game.teams_for(cards) is not None:
            named = [f"{_some(ids)} only in {one.title}" for ids, one in zip(only, (cards, other), strict=True) if ids]
            raise ValueError(
                f"--against: line-ups of {game.entrants_word} cannot be matched, because the two sets have other "
                f"{game.entrants_word}: {'; '.join(named) or 'the same in another order'}"
            )
        both = [one for one in ours if one in theirs]
        if len(both) < (1 if game.mirror else max(2, seats)):
            raise ValueError(
                f"--against: line-ups cannot be matched: {len(both)} {game.entrants_word} are in both sets"
                f"{f' ({_some(both)})' if both else ''}, and {seats} seats need {seats}; entrants are matched by id"
            )
        members = tuple(map(ours.index, both)), tuple(map(theirs.index, both))
    weighed = game.features and not Weights.of(cards).same_as(Weights.of(other))
    rival = Rival(other.title or other.path.stem, other.digest, only, members, bool(weighed))
    idle = not any(members) and other.record.tobytes() == cards.record.tobytes()
    return Change(_differing(cards.document, other.document), other, idle, rival)


def _some(ids: Sequence[str]) -> str:
    """The first of some ids, and how many more there are."""
    more = len(ids) - NAMED
    return ", ".join(ids[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _differing(first: Document, second: Document) -> tuple[Edit, ...]:
    """Numbers, texts and switches of two documents that differ, in the order of the first, then those of the second alone."""
    before, after = _by_path(first), _by_path(second)
    edits = [Edit(path, value, after.get(path)) for path, value in before.items() if after.get(path) != value]
    return (*edits, *(Edit(path, None, value) for path, value in after.items() if path not in before))


def _by_path(document: Document) -> dict[str, Any]:
    """Every number, text and switch by its path."""
    found = list(scalars(document))
    paths = addresses(document, [location for location, _ in found])
    return dict(zip(paths, (value for _, value in found), strict=True))


def owner_of(document: Document, path: str, units: Sequence[str]) -> int | None:
    """The unit (entrant, or part of teams) whose own table a field stands in; None if it is nobody's own.

    units: their ids. A table of units is one that has all of them, so that a card of the same id is not taken for one.
    """
    try:
        location = locate(document, path)
    except CardError:
        return None
    if len(location) < 2:
        return None
    table = document[str(location[0])]
    keys = (
        list(table) if isinstance(table, dict) else [one.get("id") if isinstance(one, dict) else None for one in table]
    )
    at = location[1]
    own = at if isinstance(at, str) else keys[at]
    return list(units).index(str(own)) if own in units and set(units) <= set(keys) else None


def _read(cards: CardSet, text: str) -> Edit:
    """One text as an edit of the cards as they are."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not path or not value:
        raise ValueError(f"--set {text!r} must be PATH=VALUE, such as hero.rhino_guy.move=3")
    before = present(cards, path)
    if isinstance(before, dict) or (isinstance(before, list) and any(isinstance(one, (dict, list)) for one in before)):
        raise ValueError(f"{path} is a table, not a value; name a field in it")
    if before is None and value[:1] == "+":
        raise ValueError(
            f"{path}={value}: the file leaves this to its default, so there is no step to take; give the value"
        )
    path = _canonical(cards, path)
    if is_number(before) and value[:1] in "+-":
        return Edit(path, before, before + parsed(value, before, path))
    return Edit(path, before, parsed(value.removeprefix("="), before, path))


def _canonical(cards: CardSet, path: str) -> str:
    """The path as it is always written, so that a field named in two ways is known for one; of a default as it stands."""
    with suppress(CardError):
        return address(cards.document, locate(cards.document, path))
    return path


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
