"""The README of Rookling Heroes describes the code: every table in it is computed again."""

import importlib
import re
from fractions import Fraction
from math import comb
from typing import Any, get_args

import numpy as np
import pytest

from sim.engine.evaluation import BASELINE, FILE_NAME, FITTED, read_weights
from sim.games.rookling.cards import NUMBERS, Effect, Rules, Token, TokenOp
from sim.games.rookling.record import FEATURES
from sim.registry import game_named
from tests.games.playing import switch_values
from tests.games.readme import Readme, line, named, rows
from tests.games.rookling import clashes

_PAGE = Readme("rookling")
README, section = _PAGE.text, _PAGE.section
CARDS = game_named("rookling").load(None)
DOCUMENT: Any = CARDS.document
RECORD = CARDS.record[0]
HAND = 4
THRESHOLDS = range(1, 7)
G34 = ((3, 0, 4), (4, 5, 0), (2, 2, 0))  # lives, attacks, defences of the worked example


def in_words(table: dict[str, Any]) -> str:
    """An effect or op with its numbers, e.g. "heal any_own 1"."""
    return " ".join(str(value) for value in table.values())


def ability(card: dict[str, Any], rookling: str = "") -> str:
    """A line of a Rookling as the README has it."""
    does = [str(card["amount"])] if "amount" in card else []
    if "match_colour" in card:
        does[0] += f", {card['match_colour']} +{card['match_bonus']}"
    does += map(in_words, card.get("effects", []))
    siege = ", ".join(f"{field} {number}" for field, number in card["siege"].items())
    return line(rookling, card["name"], card["kind"], f"{card['colour']} {card['number']}", "; ".join(does), siege)


def rookling(card: dict[str, Any]) -> list[str]:
    """A Rookling's lines in the table of the reference set, its name on the first."""
    return [ability(one, "" if place else card["name"]) for place, one in enumerate(card["line"])]


def token(card: dict[str, Any]) -> str:
    facts = [word for word in ("harmful", "fixed") if card.get(word)]
    ops = ", ".join(map(in_words, card["ops"]))
    return line(card["name"], card["trigger"], ops, card["until"], ", ".join(facts), card["supply"])


def field_effect(card: dict[str, Any]) -> str:
    owners = [
        one["name"]
        for one in DOCUMENT["rookling"]
        if card["id"] in {effect.get("field_effect") for ability in one["line"] for effect in ability.get("effects", [])}
    ]
    given = next(one["name"] for one in DOCUMENT["token"] if one["id"] == card["token"])
    return line(card["name"], owners[0], f"{card['colour']} {card['number']}", card["copies"], given)


def fitting(number: int, colours: int) -> int:
    """Energy cards of at least this number in this number of colours."""
    kinds = RECORD["energy_count"].reshape(-1, NUMBERS)[:colours]
    return int(kinds[:, number - 1 :].sum())


def in_hand(cards: int) -> Fraction:
    """Chance that an opening hand holds at least one of this number of cards."""
    deck = int(RECORD["energy"])
    return 1 - Fraction(comb(deck - cards, HAND), comb(deck, HAND))


def percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.1f} %"


def threshold(number: int) -> str:
    """A line of the table of thresholds: a card, and an opening hand, for `any` and for one colour."""
    counts = [fitting(number, colours) for colours in (int(RECORD["colours"]), 1)]
    cells = [cell for cards in counts for cell in (cards, f"{in_hand(cards)} ({percent(in_hand(cards))})")]
    return line(number, *cells)


def constants() -> list[list[str]]:
    """The lines of the table of the evaluation's constants."""
    return [cells for cells in rows(section("Policies")) if re.fullmatch(r"`[\w.]+\.[A-Z_]+`", cells[0])]


def test_every_switch_is_named_with_its_default_and_its_other_values():
    text = section("Rule variants")
    found = {named(cells[3])[0]: named(cells[3])[1:] for cells in rows(text)[2:] if named(cells[3])}
    found |= {name: named(values) for name, values in re.findall(r"`(squad_mode)` is ([^.]+)\.", text)}
    for name, value in CARDS.switches.items():
        choices = [str(choice).lower() for switch, choice in switch_values(Rules) if switch == name]
        assert sorted(found[name]) == sorted(choices), name
        assert found[name][0] == str(value).lower(), f"{name}: {value} is played"


def words_of_effects(columns: int) -> dict[str, list[str]]:
    """Rows of the table of effects, triggers or ends with this number of columns, by the word that they explain."""
    found = [cells for cells in rows(section("Effects of cards")) if len(cells) == columns and named(cells[0])]
    return {named(cells[0])[0]: cells for cells in found}


def test_every_effect_is_listed_with_its_parameters():
    listed, effects = words_of_effects(4), get_args(get_args(Effect)[0])
    assert len(listed) == len(effects)
    for effect in effects:
        word = get_args(effect.model_fields["do"].annotation)[0]
        _, parameters, on, _ = listed[word]
        assert named(parameters) == [name for name in effect.model_fields if name != "do"], word
        assert on == effect.ON
        assert not effect.MOST or f"1..{effect.MOST}" in parameters or word == "shuffle_field"


def test_every_op_of_tokens_is_listed_with_its_trigger():
    listed = words_of_effects(3)
    assert [*listed] == [*get_args(Token.model_fields["trigger"].annotation)]
    for trigger, cells in listed.items():
        ops = [op for op in get_args(get_args(TokenOp)[0]) if trigger in op.ON]
        assert {*named(cells[2])} == {get_args(op.model_fields["op"].annotation)[0] for op in ops}


def test_every_end_of_tokens_is_listed():
    assert [*words_of_effects(2)] == [*get_args(Token.model_fields["until"].annotation)]


def test_the_shares_of_printed_and_assumed_numbers():
    printed = sum(number.source == "rulebook" for number in CARDS.provenance)
    assert f"Of its {len(CARDS.provenance)} numbers {printed} are printed in the rulebook" in section("Reference set")


def test_what_is_printed_is_listed_by_name():
    def is_printed(card: dict[str, Any]) -> bool:
        source = card.get("source")
        return source == "rulebook" or (isinstance(source, dict) and source.get("name") == "rulebook")

    text = re.search(r"Printed are[^:]*: (.+?)\n\n", section("Reference set"), re.DOTALL)
    assert text
    for kind in ("rookling", "token", "field_effect"):
        for card in DOCUMENT[kind]:
            assert not is_printed(card) or card["name"] in text[1], card["name"]


@pytest.mark.parametrize("card", DOCUMENT["rookling"], ids=lambda card: card["id"])
def test_the_rooklings_of_the_reference_set(card: dict[str, Any]):
    assert "\n".join(rookling(card)) in section("Reference set")


@pytest.mark.parametrize("kind", ["token", "field_effect"])
def test_the_tokens_and_field_effects_of_the_reference_set(kind: str):
    written = {"token": token, "field_effect": field_effect}[kind]
    text = section("Reference set").splitlines()
    assert [words for words in map(written, DOCUMENT[kind]) if words not in text] == []


def test_section_2_4_the_energy_deck():
    text = section("Reference set")
    colours, counts = DOCUMENT["energy"]["colours"], DOCUMENT["energy"]["counts"]
    numbers = [number for number, copies in enumerate(counts[colours[0]], 1) for _ in range(copies)]
    assert all(counts[colour] == counts[colours[0]] for colour in colours)
    assert f"{', '.join(colours[:-1])} and {colours[-1]}, each with {', '.join(map(str, numbers))}" in text
    assert f"{len(numbers) * len(colours)} cards, mean {Fraction(sum(numbers), len(numbers))}" in text


@pytest.mark.parametrize("number", THRESHOLDS)
def test_golden_g35_g36_the_table_of_thresholds_is_exact(number: int):
    assert threshold(number) in section("Chance").splitlines()


def test_golden_g37_to_g40_other_chances():
    text, deck = section("Chance"), int(RECORD["energy"])
    ones = Fraction(comb(deck - fitting(2, int(RECORD["colours"])), HAND), comb(deck, HAND))
    tunnels = 1 - Fraction(comb(40, HAND), comb(42, HAND))
    bolt = Fraction(35387, 48645)  # counted hand by hand in rules/test_energy.py
    for chance in (ones, tunnels, bolt, Fraction(1, 4), Fraction(1, 11), Fraction(3, 22)):
        assert f"| {chance} ({percent(chance)}) |" in text


@pytest.mark.slow
def test_golden_g34_the_worked_example_is_what_the_kernels_do():
    text = section("Resolving an attack")
    ends = re.findall(r"\((\d), (\d), (\d)\)", text.split("```")[3])
    found = clashes.endings(*G34)
    assert [tuple(map(int, end)) for end in ends] == [ending.life for ending in found]
    best = clashes.best(*G34)
    assert f"ends with {best.life}" in " ".join(text.split())


def test_golden_g16_the_number_of_ways_to_resolve():
    widest = len(clashes.endings((6, 0, 3), (2, 7, 2), (1, 0, 1)))
    assert f"{widest} ways" in section("Resolving an attack")


def test_the_constants_of_the_evaluation_are_those_of_the_code():
    assert constants()
    for cells in constants():
        module, _, name = cells[0].strip("`").rpartition(".")
        values = np.atleast_1d(getattr(importlib.import_module(f"sim.games.rookling.{module}"), name))
        assert cells[1] == ", ".join(f"{value:g}" for value in values), cells[0]


def test_the_weights_of_the_evaluation_are_those_of_its_file():
    stored = read_weights(_PAGE.folder / FILE_NAME)
    listed = [cells for cells in rows(section("Policies")) if cells[0].strip("`") in FEATURES]
    assert [cells[0] for cells in listed] == [f"`{name}`" for name in FEATURES]
    for name, baseline, fitted, _ in listed:
        weights = [stored[kind]["2"][name.strip("`")] for kind in (BASELINE, FITTED)]
        assert [baseline, fitted] == [f"{weight:g}" for weight in weights], name


def test_the_worth_of_the_reference_set():
    worth = RECORD["worth"][: RECORD["rooklings"]]
    names = [card["name"] for card in DOCUMENT["rookling"]]
    ends = [f"{names[at]} ({worth[at]:.1f})" for at in (int(worth.argmin()), int(worth.argmax()))]
    assert f"from {ends[0]} to {ends[1]}" in " ".join(section("Policies").split())
