"""The README of Card Rogue agrees with the code: every table in it is computed again."""

import importlib
import re
from typing import Any, get_args

import pytest

from sim.engine.evaluation import read_weights
from sim.games.cardrogue.cards.schema import OF_CARDS, TRAITS
from sim.games.cardrogue.record import FEATURES, MOD_LOWEST
from sim.games.cardrogue.state import Act
from sim.registry import game_named
from tests.games.readme import Readme, line, named, rows

_PAGE = Readme("cardrogue")
README, section = _PAGE.text, _PAGE.section
CARDS = game_named("cardrogue").load(None)
DOCUMENT: Any = CARDS.document
MODIFIERS = range(-1, 4)
BARE = "bare hands"
NO_SWITCHES = {"offers_per_turn", "equip_changes", "max_rounds", "idle_rounds", "repeat_moves", "goals", "lives"}


def effect(table: dict[str, Any]) -> str:
    """An effect in the words of the README, e.g. "rage (at_most 5, n 1)"."""
    facts = []
    for key, value in table.items():
        if isinstance(value, dict):
            facts.append(effect(value))
        elif key != "op" and value is not True:
            facts.append(f"{key} {', '.join(map(str, value)) if isinstance(value, list) else value}")
        elif key != "op":
            facts.append(key)
    return f"{table['op']} ({'; '.join(facts)})" if facts else table["op"]


def character(card: dict[str, Any]) -> str:
    return line(f"`{card['id']}`", card["max_health"], ", ".join(map(effect, card["traits"])))


def enemy(card: dict[str, Any]) -> str:
    attack = f"{card['attack_die']} x die" if "attack_die" in card else card["attack"]
    loot = f"{card['vp']} VP" if card.get("boss") else f"{card['gold']} gold"
    facts = ["boss"] * card.get("boss", False) + ["end_rush"] * card.get("end_rush", False)
    facts += [f"cancel_group {card['cancel_group']}"] if "cancel_group" in card else []
    facts += map(effect, card.get("abilities", []))
    return line(f"`{card['id']}`", card["copies"], attack, card["health"], loot, ", ".join(facts))


def item(card: dict[str, Any]) -> str:
    facts = [*map(effect, card["effects"])] + [f"no {word}" for word in ("sell", "trade") if not card.get(word, True)]
    slots = " + ".join(card.get("slots", []))
    return line(f"`{card['id']}`", card["copies"], card["kind"], card["gold"], slots, ", ".join(facts))


def artifact(card: dict[str, Any]) -> str:
    facts = ["cursed"] * card.get("cursed", False) + [*map(effect, card["effects"])]
    return line(f"`{card['id']}`", card["copies"], ", ".join(facts))


def weapons() -> list[str]:
    """Names of the lines of the table of attacks."""
    return [BARE, *(card["name"] for card in DOCUMENT["item"] if card["kind"] == "weapon")]


def attacks(number: int) -> str:
    """A line of the table of attacks: weapon number, 0 bare hands."""
    means = CARDS.record[0]["attack_mean"][number, MODIFIERS.start - MOD_LOWEST : MODIFIERS.stop - MOD_LOWEST]
    return line(weapons()[number], *(f"{mean:.2f}" for mean in means))


def test_every_switch_is_named_with_its_default_and_its_other_values():
    switches = {named(cells[3])[0]: cells[3] for cells in rows(section("Rule variants"))[2:] if named(cells[3])}
    for name, value in CARDS.switches.items():
        words = next(text for text in switches.values() if f"`{name}`" in text)
        default = "chest" if name == "goals" else str(value).lower()
        if name not in NO_SWITCHES:
            assert re.search(rf"`{name}`: `{default}`", words), f"{name}: {default} is played, the README has {words}"
        assert default in words, f"{name}: {default} is played, the README has {words}"


def test_every_effect_is_listed_with_its_parameters():
    listed = {named(cells[0])[0]: (named(cells[1]), cells[2]) for cells in rows(section("Effects of cards"))[2:]}
    effects = [*OF_CARDS, *TRAITS]
    assert len(listed) == len(effects)
    for one in effects:
        op = get_args(one.model_fields["op"].annotation)[0]
        parameters = {field.alias or name for name, field in one.model_fields.items()} - {"op"}
        assert parameters == set(listed[op][0]), op
        assert listed[op][1] == ", ".join(one.ON), op


def test_the_shares_of_printed_and_assumed_numbers():
    counts = {kind: sum(number.source == kind for number in CARDS.provenance) for kind in ("rulebook", "publisher")}
    assumed = len(CARDS.provenance) - sum(counts.values())
    words = f"Of its {len(CARDS.provenance)} numbers {counts['rulebook']} are printed in the rulebook, {counts['publisher']} on"
    assert f"{words} the publisher's cards and sheets, and {assumed} are assumed" in " ".join(section("Reference set").split())


@pytest.mark.parametrize("kind", ["character", "enemy", "item", "artifact"])
def test_the_cards_of_the_reference_set(kind: str):
    written = {"character": character, "enemy": enemy, "item": item, "artifact": artifact}[kind]
    text = section("Reference set").splitlines()
    missing = [words for words in map(written, DOCUMENT[kind]) if words not in text]
    assert not missing


def test_the_decks_of_the_reference_set():
    for deck in ("exploration", "pathing"):
        assert f"{deck} deck: {CARDS.record[0][deck].sum()} cards" in section("Reference set")
    assert f"shop pile: {sum(card['copies'] for card in DOCUMENT['item'])} cards" in section("Reference set")


def test_rogue_44_the_mean_damage_is_what_the_game_reckons_with():
    text = section("Chance").splitlines()
    assert [attacks(number) for number in range(len(weapons())) if attacks(number) not in text] == []


def test_the_categories_and_their_codes():
    text = " ".join(section("Decisions").split())
    assert ", ".join(f"{act.value} {act.name}" for act in Act) in text


def test_the_constants_of_the_judge_are_those_of_the_code():
    lines = [cells for cells in rows(section("Policies")) if re.fullmatch(r"`\w+\.[A-Z_]+`", cells[0])]
    assert lines
    for cells in lines:
        module, _, name = cells[0].strip("`").partition(".")
        value = getattr(importlib.import_module(f"sim.games.cardrogue.evaluation.{module}"), name)
        assert cells[1] == f"{value:g}", f"{cells[0]}: the code has {value:g}"


def test_the_weights_are_those_of_the_file():
    stored = read_weights(_PAGE.folder / "weights.toml")
    listed = {named(cells[0])[0]: cells[2:] for cells in rows(section("How positions are evaluated"))[2:]}
    assert [*listed] == [*FEATURES]
    for name, cells in listed.items():
        weights = [stored["fitted"][str(seats)][name] for seats in range(1, 5)]
        assert [*cells] == [f"{weight:g}" for weight in (*weights, stored["baseline"]["2"][name])], name
