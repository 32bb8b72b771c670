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

from sim.engine.evaluation import BASELINE, FILE_NAME, FITTED, read_weights
from sim.engine.scenario import Result, load, play
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import ids_of
from sim.games.runeslingers.record import FEATURES
from tests.games.readme import line, percent
from tests.games.readme_weights import Weights
from tests.games.runeslingers import card_words
from tests.games.runeslingers.playing import card_set, placed

SCENARIO = Path(__file__).parent / "scenarios" / "r070_a_trap_as_an_answer.toml"
DECK = 30
SEEN = (5, 7, 10, 15)  # cards from the top
SPELLS = ("spirit", "attack", "utility")


TABLES = (  # table of the card file, columns, words of an entry
    ("ailment", ("threshold",), card_words.ailment_text),
    ("runeslinger", ("class", "health", "block"), lambda hero: card_words.activated_text(hero["inherent"])),
    ("stance", ("class",), card_words.card_text),
    ("ability", ("class",), card_words.ability_text),
)


def reference_lines() -> Iterator[str]:
    """All tables of the reference set; runespells, defence cards and decks after the others."""
    document = card_set().document
    for table, columns, words in TABLES:
        yield from (line(f"`{one['id']}`", *(one[column] for column in columns), words(one)) for one in document[table])
    for card in document["card"]:
        columns = ("type", "cost", "rarity") if card["type"] in SPELLS else ("type", "cost", "defence", "rarity")
        yield line(f"`{card['id']}`", *(card[column] for column in columns), card_words.card_text(card))
    for deck in document["deck"]:
        loadout = ", ".join(deck[part] for part in ("runeslinger", "stance", "ability"))
        cards = ", ".join(f"{copies} {word}" for word, copies in deck["cards"].items() if word != "source")
        yield line(f"`{deck['id']}`", loadout, cards)


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
