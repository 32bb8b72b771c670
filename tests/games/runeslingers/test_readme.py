"""The README of Runeslingers lists the switches, effects, kernels and ailments of the code."""

from typing import get_args

from sim.games.runeslingers.cards import AILMENTS, Ailment, schema
from tests.games.playing import choices_of
from tests.games.readme import Readme, named, rows
from tests.games.runeslingers.playing import card_set

_PAGE = Readme("runeslingers")
section = _PAGE.section


def test_every_switch_is_named_with_its_default_and_its_other_values():
    found = {named(cells[3])[0]: named(cells[3])[1:] for cells in rows(section("Rule variants"))[2:] if named(cells[3])}
    assert {*found} == {*card_set().switches}
    for name, value in card_set().switches.items():
        choices = sorted(choices_of(schema.Rules.model_fields[name]), key=lambda choice: choice != value)
        assert found[name] == [str(choice).lower() for choice in choices], name
        assert choices[0] == value, f"{name}: {value} is played"


def test_every_effect_is_listed_with_its_parameters():
    listed = {named(cells[0])[0]: named(cells[1]) for cells in rows(section("Effects of cards"))[2:]}
    models = get_args(get_args(schema.Effect)[0])
    effects = {word: model for model in models for word in get_args(model.model_fields["op"].annotation)}
    assert {*listed} == {*effects}
    for word, effect in effects.items():
        own = {name for name in effect.model_fields if name not in {"op", "to", "source"}}
        assert {*listed[word]} - {"choose"} == own, word


def test_every_kernel_named_exists():
    _PAGE.assert_kernels_exist("A ladder")


def test_the_ailments_and_their_codes():
    types = [f"{kind.value} {kind.name.lower()}" for kind in Ailment if kind < AILMENTS]
    assert ", ".join(types) in section("Decisions")
