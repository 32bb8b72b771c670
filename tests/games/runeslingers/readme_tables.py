"""The tables of the README of Runeslingers, computed from cards, code and combinatorics.

`python -m tests.games.runeslingers.readme_tables` prints the tables of weights, with the meanings that the README has:
after a change of weights they can replace the old ones.
"""

import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

from sim.engine.evaluation import BASELINE, FILE_NAME, FITTED, read_weights
from sim.engine.scenario import Result, load, play
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import ids_of, titled
from sim.games.runeslingers.record import FEATURES
from tests.games.readme import line, percent
from tests.games.readme_weights import Weights
from tests.games.runeslingers import card_words
from tests.games.runeslingers.playing import card_set, placed

SCENARIO = Path(__file__).parent / "scenarios" / "r070_a_trap_as_an_answer.toml"
DECK = 30
SEEN = (5, 7, 10, 15)  # cards from the top
SPELLS = ("spirit", "attack", "utility")


def _titled(entry: dict[str, Any]) -> str:
    return entry.get("name") or titled(entry["id"])


def _entries(table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = card_set().document[table]
    return entries


def ailment_lines() -> list[str]:
    """The six ailments."""
    return [line(f"`{one['id']}`", one["threshold"], card_words.ailment_text(one)) for one in _entries("ailment")]


def hero_lines() -> list[str]:
    """Runeslingers."""
    return [
        line(f"`{one['id']}`", one["class"], one["health"], one["block"], card_words.inherent_text(one))
        for one in _entries("runeslinger")
    ]


def equip_lines() -> list[str]:
    """Stances and abilities."""
    stances = [line(f"`{one['id']}`", one["class"], card_words.stance_text(one)) for one in _entries("stance")]
    return stances + [line(f"`{one['id']}`", one["class"], card_words.ability_text(one)) for one in _entries("ability")]


def spell_lines() -> list[str]:
    """Runespells."""
    return [
        line(f"`{one['id']}`", one["type"], one["cost"], one["rarity"], card_words.card_text(one))
        for one in _entries("card")
        if one["type"] in SPELLS
    ]


def defence_lines() -> list[str]:
    """Defence cards."""
    return [
        line(f"`{one['id']}`", one["type"], one["cost"], one["defence"], one["rarity"], card_words.card_text(one))
        for one in _entries("card")
        if one["type"] not in SPELLS
    ]


def deck_lines() -> list[str]:
    """Decks with their loadouts."""
    return [
        line(
            f"`{deck['id']}`",
            ", ".join(deck[part] for part in ("runeslinger", "stance", "ability")),
            ", ".join(f"{copies} {word}" for word, copies in deck["cards"].items() if word != "source"),
        )
        for deck in _entries("deck")
    ]


def reference_lines() -> list[str]:
    """All tables of the reference set."""
    tables = (ailment_lines, hero_lines, equip_lines, spell_lines, defence_lines, deck_lines)
    return [text for table in tables for text in table()]


def hand_lines() -> Iterator[str]:
    """Chance of at least one copy among the first cards of a deck."""
    for copies in (1, 2, 3, 4):
        yield line(copies, *(percent(1 - Fraction(comb(DECK - copies, seen), comb(DECK, seen))) for seen in SEEN))


@cache
def example() -> tuple[str, Result]:
    """The worked example: the picture before it, and the result."""
    scenario = load(SCENARIO)
    picture = GAME.words.picture(placed(dict(scenario.position)), card_set())
    return picture, play(scenario, GAME, card_set())


def picture_lines() -> list[str]:
    """Both fields of the worked example."""
    return example()[0].splitlines()


def event_lines() -> list[str]:
    """What happens in the worked example: decisions, and what follows from them."""
    return list(example()[1].log)


def shares() -> str:
    """How much of the reference set is printed."""
    cards = card_set()
    printed = [number for number in cards.provenance if number.source == "rulebook"]
    rules = [number for number in printed if number.path.startswith("rules.")]
    return (
        f"Of its {len(cards.provenance)} numbers {len(printed)} are printed in the rulebook, {len(rules)} of them in "
        f"`[rules]`. Most texts of its {len(ids_of(cards))} cards, and all of its {len(cards.ids)} decks, are a stand-in "
        "in which every rule occurs."
    )


WEIGHTS = Weights("runeslingers", ("evaluation", "record"))
SEATS = "2"
ROW = re.compile(r"^\| `(\w+)` \| (-?[\d.]+) \| (-?[\d.]+) \| ([^|]+) \|$", re.MULTILINE)


def features() -> dict[str, tuple[str, str]]:
    """Fitted and hand-set weight of every feature, formatted as in the table."""
    weights = read_weights(WEIGHTS.page.folder / FILE_NAME)
    return {name: (f"{weights[FITTED][SEATS][name]:.2f}", f"{weights[BASELINE][SEATS][name]:.2f}") for name in FEATURES}


def listed() -> dict[str, tuple[str, str, str]]:
    """Both weights and the meaning of every feature in the README."""
    return {name: (fitted, baseline, words) for name, fitted, baseline, words in ROW.findall(WEIGHTS.page.text)}


def feature_lines() -> list[str]:
    """The table of features as it should be; "?" for a feature that the README does not have."""
    known = listed()
    return [line(f"`{name}`", *weights, known.get(name, "???")[-1]) for name, weights in features().items()]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*feature_lines(), "", *WEIGHTS.weight_lines(), ""]))
