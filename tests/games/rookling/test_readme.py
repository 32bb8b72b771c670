"""The README of Rookling Heroes lists the switches, effects and tokens of the code."""

import re
from typing import Any, get_args

from sim.games.rookling.cards import Effect, Rules, Token, TokenOp
from sim.registry import game_named
from tests.games.playing import switch_values
from tests.games.readme import Readme, named, rows

_PAGE = Readme("rookling")
section = _PAGE.section
CARDS = game_named("rookling").load(None)
DOCUMENT: Any = CARDS.document


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


def test_what_is_printed_is_listed_by_name():
    def is_printed(card: dict[str, Any]) -> bool:
        source = card.get("source")
        return source == "rulebook" or (isinstance(source, dict) and source.get("name") == "rulebook")

    text = re.search(r"Printed are[^:]*: (.+?)\n\n", section("Reference set"), re.DOTALL)
    assert text
    for kind in ("rookling", "token", "field_effect"):
        for card in DOCUMENT[kind]:
            assert not is_printed(card) or card["name"] in text[1], card["name"]
