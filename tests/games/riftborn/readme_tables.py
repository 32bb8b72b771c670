"""The tables of the README of Riftborn Tactics, computed from cards, code and the mathematics of drawing.

`python -m tests.games.riftborn.readme_tables` prints the tables of weights, with the meanings that the README has: after a change
of weights paste them over the old ones.
"""

import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import ceil, comb
from pathlib import Path
from typing import Any

from sim.engine.scenario import Result, load, play
from sim.games.riftborn import GAME, evaluation
from sim.games.riftborn.cards import Ability
from sim.games.riftborn.cards.schema import word_of
from sim.games.riftborn.record import names_of
from tests.games.readme import line, percent
from tests.games.readme_weights import Weights
from tests.games.riftborn.playing import card_set, placed

SCENARIO = Path(__file__).parent / "scenarios" / "r065_picked.toml"
DECK, HAND = 40, 5
TURNS = 10


def entry_words(entry: dict[str, Any]) -> str:
    """An entry of an effect list: its op, then what the fields hold, `damage 2 chosen any 1`."""
    return " ".join(str(value) for value in entry.values())


def aura_words(aura: dict[str, Any]) -> str:
    """What an AURA gives, and to whom: `friend attack +1`."""
    points = [f"{field} {aura[field]:+}" for field in ("attack", "health") if aura.get(field)]
    return " ".join([aura["side"], *points, *filter(None, [aura.get("keyword")])])


def text_of(card: dict[str, Any]) -> str:
    """Text of a card besides its abilities."""
    parts = [aura_words(card["aura"])] if "aura" in card else []
    parts += [", ".join(map(entry_words, entries)) for entries in card.get("tricks", [])]
    parts += [", ".join(map(entry_words, card.get(field, []))) for field in ("spell_action", "effects")]
    parts += [f"`{card[field]}`" for field in ("summon", "transform") if field in card]
    parts += ["may turn to another target"] if card.get("double_retarget") else []
    return "; ".join(part for part in parts if part)


def creature_line(card: dict[str, Any]) -> str:
    """A creature or token in the table of the reference set."""
    numbers = f"{card['attack']}/{card['health']}"
    return line(f"`{card['id']}`", card.get("level", 0), numbers, card["xp"], ", ".join(card.get("keywords", [])), text_of(card))


def other_line(card: dict[str, Any]) -> str:
    """A Weapon, Armour or Spell in the table of the reference set."""
    numbers = {"weapon": f"{card.get('attack')}/{card.get('health')}", "armour": card.get("health"), "spell": ""}
    text = "; ".join(part for part in (", ".join(card.get("keywords", [])), text_of(card)) if part)
    return line(f"`{card['id']}`", card["type"], card["level"], numbers[card["type"]], card["xp"], text)


def deck_line(deck: dict[str, Any]) -> str:
    """A deck and its list."""
    cards = {word: copies for word, copies in deck["cards"].items() if word != "source"}
    return line(f"`{deck['id']}`", sum(cards.values()), ", ".join(f"{copies} {word}" for word, copies in cards.items()))


def reference_lines(kind: str) -> list[str]:
    """Lines of a table of the reference set. kind: `creatures`, `others` or `decks`."""
    document: Any = card_set().document
    if kind == "decks":
        return [deck_line(deck) for deck in document["deck"]]
    bodies = ("creature", "token")
    written = {"creatures": creature_line, "others": other_line}[kind]
    return [written(card) for card in document["card"] if (card["type"] in bodies) == (kind == "creatures")]


def hand_lines() -> Iterator[str]:
    """Golden G-40. At least one copy in the opening hand, by number of copies."""
    for copies in range(1, 5):
        none = Fraction(comb(DECK - copies, HAND), comb(DECK, HAND))
        yield line(copies, percent(1 - none), percent(1 - none * none))


def growth_lines() -> Iterator[str]:
    """Golden G-12, G-13. Levels by turns alone; experience of a player who spends the whole budget."""
    needed, gain = (card_set().record[0][field] for field in ("level_xp", "turn_xp"))
    reached = [ceil(int(xp) / int(gain)) for xp in needed[1:]]
    yield line("turn of level 2, 3, ... 20", ", ".join(map(str, reached)))
    for words, live in (("experience, budget spent", True), ("with `snapshot`", False)):
        yield line(words, ", ".join(str(xp) for xp in spent(list(map(int, needed)), int(gain), live)))


def spent(needed: list[int], gain: int, live: bool) -> list[int]:
    """Experience after each own turn, the whole budget spent on cards of level 1 worth 100 one after the other."""
    xp, after = 0, []
    for _ in range(TURNS):
        xp += gain
        used, start = 0, level_of(needed, xp)
        while used < (level_of(needed, xp) if live else start):
            used, xp = used + 1, xp + 100
        after.append(xp)
    return after


def level_of(needed: list[int], xp: int) -> int:
    """RIFT-20."""
    return sum(xp >= least for least in needed)


@cache
def example() -> tuple[str, Result]:
    """The worked example: the picture before it, and what came of it."""
    scenario = load(SCENARIO)
    picture = GAME.words.picture(placed(dict(scenario.position)), card_set())
    return picture, play(scenario, GAME, card_set())


def picture_lines() -> list[str]:
    """The two formations of the worked example."""
    lines = [text for text in example()[0].splitlines() if text[:1] in " ·"]
    return [text for text in lines if text and text.split()[0] not in ("seat", "removed", "hand:")]


def event_lines() -> list[str]:
    """What happens in the worked example: decisions, and what follows from them."""
    return [text.removeprefix("seat 1: ") for text in example()[1].log]


def shares() -> str:
    """How much of the reference set is printed."""
    cards = card_set()
    printed = [number.path for number in cards.provenance if number.source == "rulebook"]
    assert all(path.startswith("rules.") for path in printed)
    names, decks = len(names_of(cards)), len(cards.ids)
    return (
        f"Of its {len(cards.provenance)} numbers {len(printed)} are printed in the rulebook: "
        "those of `[rules]` except `turn_cap`. "
        f"No card of the game is published: all {names} cards and {decks} decks below are stand-ins, "
        "and of their names only the family Fae is printed."
    )


WEIGHTS = Weights("riftborn", ("evaluation",))


def ability_lines() -> list[str]:
    """The table of what abilities are worth: one line per worth, the highest first; those worth nothing last."""
    worth = {word_of(ability): float(evaluation.ABILITY_WORTH[ability]) for ability in Ability}
    ordered = sorted(worth, key=lambda word: (-worth[word], word))
    return [f"| {value:g} | {', '.join(words)} |" for value, words in groupby(ordered, key=lambda word: worth[word])]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*WEIGHTS.weight_lines(), "", *ability_lines(), ""]))
