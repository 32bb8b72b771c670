"""Changes of card files.

Parses edits such as `hero.rhino_guy.move=3` (several make one change) and lists the steps that can be tried: those of the
requested numbers, without fixed numbers, refused steps and steps that never reach play.
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

NAMED = 6  # fields listed by name; further ones are counted
UNKNOWN = "default"  # printed for a rule that the file leaves out


@dataclass(frozen=True)
class Edit:
    """One field with another value. None: the file does not contain the field, or leaves the rule to its default."""

    path: str
    before: Any
    value: Any

    def __str__(self) -> str:
        """`move: 4 to 3`."""
        before, after = (UNKNOWN if value is None else as_written(value) for value in (self.before, self.value))
        return f"{self.path}: {before} to {after}"


@dataclass(frozen=True)
class Rival:
    """Another card set that is compared with the current one.

    title, digest: of the other set; only: ids of entrants in only one of the sets, (current, other); members: if entrants or
    their order differ, indices of the common entrants in both sets, (current, other); weighed: whether evaluation weights
    differ.
    """

    title: str
    digest: str
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    weighed: bool = False


@dataclass(frozen=True)
class Change:
    """Edits made together. cards: the whole set with them; idle: they never reach play.

    rival: set if `cards` is another card set; the edits are then the fields in which the two differ.
    """

    edits: tuple[Edit, ...]
    cards: CardSet
    idle: bool
    rival: Rival | None = None

    def __str__(self) -> str:
        """All edits in words; for another card set only the first ones."""
        if self.rival is None:
            return "; ".join(map(str, self.edits))
        more = len(self.edits) - NAMED
        named = "; ".join(map(str, self.edits[:NAMED])) + (f"; and {more} more" if more > 0 else "")
        differ = "1 field differs" if len(self.edits) == 1 else f"{len(self.edits)} fields differ"
        words = f"{self.rival.title} (digest {self.rival.digest}): {differ}"
        return f"{words}: {named}" if named else words


def edited(game: Game, cards: CardSet, texts: Sequence[str]) -> Change:
    """Make one change from texts `path=value`; later ones apply after earlier ones.

    A value is read as the type of the present one; `+1` and `-1` are steps from a number, `==-1` is the number -1. A rule that
    the file leaves to its default can be set. Raises ValueError for any other text or a field named twice, CardError for a path
    that does not exist (with suggestions) or a value that the card rules refuse (with their message).
    """
    if not texts:
        raise ValueError("no change is given; write --set PATH=VALUE, such as --set hero.rhino_guy.move=3")
    edits: list[Edit] = []
    so_far = cards
    for text in texts:
        edit = _read(so_far, text)
        if any(edit.path == earlier.path for earlier in edits):
            raise ValueError(f"{edit.path} is set twice; give one value for each field")
        edits.append(edit)
        so_far = replace(so_far, document=with_value(so_far, edit.path, edit.value))
    try:
        changed_cards = remade(game, so_far.document, cards)
    except CardError as error:
        lines = str(error).splitlines()
        raise CardError("\n".join(line.removeprefix("document: ") for line in lines)) from None
    return Change(tuple(edits), changed_cards, idle=changed_cards.record.tobytes() == cards.record.tobytes())


def against(game: Game, cards: CardSet, other: CardSet, seats: int) -> Change:
    """Return the change from one card set to another of the same game; entrants are matched by id.

    Raises ValueError if line-ups cannot be matched: too few common entrants, or teams that differ.
    """
    ours, theirs = list(cards.ids), list(other.ids)
    only = tuple(id_ for id_ in ours if id_ not in theirs), tuple(id_ for id_ in theirs if id_ not in ours)
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if ours != theirs:
        if game.teams_for(cards) is not None:
            named = [
                f"{_some(ids)} only in {cards_.title}" for ids, cards_ in zip(only, (cards, other), strict=True) if ids
            ]
            raise ValueError(
                f"--against: line-ups of {game.entrants_word} cannot be matched, because the two sets have different "
                f"{game.entrants_word}: {'; '.join(named) or 'the same in another order'}"
            )
        both = [id_ for id_ in ours if id_ in theirs]
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
    """The first few ids, and how many more there are."""
    more = len(ids) - NAMED
    return ", ".join(ids[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _differing(first: Document, second: Document) -> tuple[Edit, ...]:
    """Numbers, texts and switches that differ, in the order of the first document, then those only in the second."""
    before, after = _by_path(first), _by_path(second)
    edits = [Edit(path, value, after.get(path)) for path, value in before.items() if after.get(path) != value]
    return (*edits, *(Edit(path, None, value) for path, value in after.items() if path not in before))


def _by_path(document: Document) -> dict[str, Any]:
    """Every number, text and switch by its path."""
    fields = list(scalars(document))
    paths = addresses(document, [location for location, _ in fields])
    return dict(zip(paths, (value for _, value in fields), strict=True))


def owner_of(document: Document, path: str, units: Sequence[str]) -> int | None:
    """Index of the unit (entrant, or part of teams) whose table contains a field; None if it belongs to no unit.

    units: their ids. A table counts only if it has all units, so that a card with the id of a unit is not mistaken for one.
    """
    try:
        location = locate(document, path)
    except CardError:
        return None
    if len(location) < 2:
        return None
    table = document[str(location[0])]
    keys = (
        list(table) if isinstance(table, dict) else [row.get("id") if isinstance(row, dict) else None for row in table]
    )
    key = location[1]
    owner = key if isinstance(key, str) else keys[key]
    return list(units).index(str(owner)) if owner in units and set(units) <= set(keys) else None


def _read(cards: CardSet, text: str) -> Edit:
    """Parse one text into an edit of the cards."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not path or not value:
        raise ValueError(f"--set {text!r} must be PATH=VALUE, such as hero.rhino_guy.move=3")
    before = present(cards, path)
    if isinstance(before, dict) or (
        isinstance(before, list) and any(isinstance(item, (dict, list)) for item in before)
    ):
        raise ValueError(f"{path} is a table, not a value; name a field in it")
    if before is None and value[:1] == "+":
        raise ValueError(
            f"{path}={value}: the file leaves this rule to its default, so a step is not possible; give the value"
        )
    path = _canonical(cards, path)
    if is_number(before) and value[:1] in "+-":
        return Edit(path, before, before + parsed(value, before, path))
    return Edit(path, before, parsed(value.removeprefix("="), before, path))


def _canonical(cards: CardSet, path: str) -> str:
    """Canonical form of a path, so that a field named in two ways is recognised; paths of defaults are unchanged."""
    with suppress(CardError):
        return address(cards.document, locate(cards.document, path))
    return path


@dataclass(frozen=True)
class Candidates:
    """Steps of all requested numbers: those to play, and those left out by reason."""

    live: tuple[Step, ...]
    refused: tuple[Step, ...] = ()
    idle: tuple[Step, ...] = ()
    fixed: tuple[str, ...] = ()  # paths
    places: tuple[str, ...] = ()  # paths of coordinates and board sizes


def candidates(game: Game, cards: CardSet, patterns: Sequence[str] = (), with_fixed: bool = False) -> Candidates:
    """Find the steps. Coordinates and board sizes are left out unless patterns or with_fixed ask for them.

    Raises CardError for a path that does not exist, ValueError if no number is left to change.
    """
    paths = paths_of(cards, patterns)
    marked = set() if with_fixed else fixed_fields(cards.document)
    laid = set() if with_fixed or patterns else board_fields(cards.document) - marked
    steps = numeric_steps(game, cards, [path for path in paths if path not in marked | laid])
    fixed = tuple(path for path in paths if path in marked)
    if not steps:
        raise ValueError(
            f"all {len(fixed)} requested numbers are marked as fixed in the card file; add --with-fixed to include them"
        )
    refused = tuple(step for step in steps if step.cards is None)
    live = tuple(step for step in steps if step.cards is not None and not step.idle)
    idle = tuple(step for step in steps if step.idle)
    return Candidates(live, refused, idle, fixed, tuple(path for path in paths if path in laid))


def board_fields(document: Document) -> set[str]:
    """Paths of coordinates and board sizes, which are not used for balancing.

    They are in tables with a list of coordinates (a list of lists of numbers), or with both `rows` and `columns`.
    """
    return {path for path in numeric_fields(document) if _of_board(document, locate(document, path))}


def _of_board(document: Document, location: Sequence[str | int]) -> bool:
    """Whether the innermost table around a number describes a board."""
    depth = max(number for number, key in enumerate(location) if isinstance(key, str))
    _, table = look_up(document, tuple(location[:depth]))
    if not isinstance(table, dict):
        return False
    return {"rows", "columns"} <= table.keys() or any(map(_coordinates, table.values()))


def _coordinates(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, list) and item and all(map(is_number, item)) for item in value)
    )


def paths_of(cards: CardSet, patterns: Sequence[str]) -> list[str]:
    """Paths of the numbers that match the patterns, in the order of the file; all without patterns. Errors: see `candidates`."""
    if not patterns:
        return numeric_fields(cards.document)
    wanted: set[str] = set()
    for pattern in patterns:
        matches = matching(cards.document, pattern)
        if not matches:
            if "*" not in pattern:
                locate(cards.document, pattern)
            raise ValueError(f"{pattern}: matches no number of the card file")
        wanted |= set(matches)
    return [path for path in numeric_fields(cards.document) if path in wanted]
