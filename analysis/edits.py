"""Changes of a card file as a user writes them, `hero.rhino_guy.move=3`, several of them making one change."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from analysis.whatif import parsed, present, with_value
from analysis.wording import as_written
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.fieldpaths import Document, address, is_number, locate
from sim.weights import remade

UNKNOWN = "default"  # stands for the value of a rule that the file leaves out


@dataclass(frozen=True)
class Edit:
    """One field with another value. before: None where the file leaves the rule to a default that it does not tell."""

    path: str
    before: Any
    value: Any

    def __str__(self) -> str:
        """`move: 4 to 3`."""
        return f"{self.path}: {UNKNOWN if self.before is None else as_written(self.before)} to {as_written(self.value)}"


@dataclass(frozen=True)
class Change:
    """Edits made at once. cards: the whole set with them; idle: they never reach play."""

    edits: tuple[Edit, ...]
    cards: CardSet
    idle: bool

    def __str__(self) -> str:
        """All edits in words."""
        return "; ".join(map(str, self.edits))


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
