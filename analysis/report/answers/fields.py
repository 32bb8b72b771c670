"""Numbers of a card file in words: what a field path means, and where the number comes from."""

from collections.abc import Mapping

import pandas as pd

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import Document, locate, look_up

ASSUMED = "assumed"
STAR = "*"


def field_words(document: Document, path: str, places: Mapping[str, tuple[str, ...]], skip: int = 0) -> str:
    """A path as words: `enemy.goblin.attack` is `Goblin: attack`; without its first two steps `Attack`.

    A key that is the id of something else in the file is called by its name: `deck.mine.cards.goblin` ends with `Goblin`.

    places: key of a list -> names of its places; others are numbered. skip: steps at the beginning that go without saying.
    """
    location = locate(document, path)
    owner = ""
    words: list[str] = []
    for depth in range(skip + 1, len(location) + 1):
        at = location[depth - 1]
        _, node = look_up(document, location[:depth])
        if isinstance(node, dict):
            inner = [str(at)] if isinstance(at, str) and depth > 1 and not node.keys() & {"name", "id"} else []
            owner = str(node.get("name") or str(node.get("id", "")).replace("_", " ").capitalize() or owner)
            deed = node.get("op") or node.get("do")  # of an effect
            words = [str(deed)] if deed else words + inner
        elif isinstance(at, int):
            named = places.get(str(location[depth - 2]), ())
            words.append(named[at] if at < len(named) else f"no. {at + 1}")
        elif not isinstance(node, list) or all(isinstance(inner, int) for inner in location[depth:]):
            words.append(_key_words(document, at))
    text = ", ".join(words).replace("_", " ")
    return f"{owner}: {text}" if owner else text[:1].upper() + text[1:]


def _key_words(document: Document, key: str) -> str:
    """A key in words: where it is the id of a table of the file its name, or without one what tells it from its like."""
    for table, entries in document.items():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and entry.get("id") == key:
                told = [f"{table} {key}, {name} {value_words(value)}" for name, value in entry.items() if _texts(value)]
                return str(entry.get("name") or [*told, key][0])
    return key


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def value_words(value: object) -> str:
    """A value of a card file in words: yes and no, and the words of a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        words = [value_words(one) for one in value]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "none"
    return str(value).replace("_", " ")


def source_of(cards: CardSet, path: str) -> str:
    """Where a number comes from; empty where the card file does not say."""
    return next((one.source for one in cards.provenance if one.path == path), "")


def starred(frame: pd.DataFrame) -> pd.Series:
    """The fields of a frame with columns field and source; where some are assumed and some are not, those with a star."""
    assumed = frame["source"].eq(ASSUMED)
    words: pd.Series = frame["field"].astype(str)
    return words if assumed.all() else words + assumed.map({True: STAR, False: ""})


def assumed_note(frame: pd.DataFrame) -> str:
    """What is assumed among the numbers of a frame, with a blank before; nothing where nothing is."""
    assumed = frame["source"].eq(ASSUMED)
    if not assumed.any():
        return ""
    return " All these numbers are assumed." if assumed.all() else f" {STAR} The number as it is now is assumed."
