"""Card files for positions of tests: the reference set with other loadouts, further cards, other rules."""

import json
from functools import cache
from typing import Any

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import changed
from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import SEATS
from tests.games.runeslingers.model_documents import card_row, effect_list, texts


@cache
def card_set(
    more: tuple[str, ...], heroes: tuple[str, str], stances: tuple[str, str], abilities: tuple[str, str], paths: str
) -> CardSet:
    """The reference set so changed; see `positions.a_duel`. paths: changes as JSON."""
    document = json.loads(json.dumps(GAME.load(None).document))
    document["card"] += [{"source": "assumed"} | card_row(line) for line in more]
    for seat in range(SEATS):
        classes = {entry["id"]: entry["class"] for entry in document["runeslinger"]}
        of = {"class": classes[heroes[seat]], "source": "assumed"}
        document["deck"][seat]["runeslinger"] = heroes[seat]
        document["deck"][seat]["stance"] = _entry(document["stance"], stances[seat], seat, of | texts(stances[seat]))
        cost, _, effects = abilities[seat].partition(" | ")
        odd = {"determination": int(cost), "effects": effect_list(effects)} if effects else {}
        document["deck"][seat]["ability"] = _entry(document["ability"], abilities[seat], seat, of | odd)
    for path, value in json.loads(paths).items():
        document = changed(_with_field(document, path), path, value)
    return GAME.from_document(document)


def _entry(entries: list[dict[str, Any]], word: str, seat: int, odd: dict[str, Any]) -> str:
    """Id of an entry, which is added if there is none of that id."""
    if any(entry["id"] == word for entry in entries):
        return word
    entries.append({"id": f"of_a_test_{seat}"} | odd)
    return f"of_a_test_{seat}"


def _with_field(document: dict[str, Any], path: str) -> dict[str, Any]:
    """The document with a field that may be new: `ailment.curse.ailment_phase`."""
    table, *rest = path.split(".")
    if len(rest) > 1 and isinstance(document[table], list):
        entry = next(entry for entry in document[table] if entry["id"] == rest[0])
        entry.setdefault(rest[1].partition("[")[0], [])
    return document
