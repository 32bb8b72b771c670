"""The README of Riftborn Tactics lists the switches, effects, kernels and words of the code."""

from typing import get_args

from sim.games.riftborn.cards import Trick, schema
from sim.games.riftborn.position.creatures import COUNTERS, FLAGS
from tests.games.readme import Readme, named, rows
from tests.games.riftborn.playing import card_set

_PAGE = Readme("riftborn")
section = _PAGE.section


def test_every_switch_is_named_with_its_default_and_its_other_values():
    found = {named(cells[3])[0]: named(cells[3])[1:] for cells in rows(section("Rule variants"))[2:] if named(cells[3])}
    assert found == {name: [*values] for name, values in schema.Rules.variants().items()}
    assert {name: values[0] for name, values in found.items()} == {
        name: str(value).lower() for name, value in card_set().switches.items()
    }


def test_every_effect_is_listed_with_its_parameters():
    listed = {named(cells[0])[0]: named(cells[1]) for cells in rows(section("Effects of cards"))[2:]}
    models = get_args(get_args(schema.Effect)[0])
    effects = {word: model for model in models for word in get_args(model.model_fields["op"].annotation)}
    assert {*listed} == {*effects}
    for word, effect in effects.items():
        own = [name for name in effect.model_fields if name not in {"op", "target", "side", "count", "where"}]
        assert listed[word] == own, word


def test_every_kernel_named_exists():
    _PAGE.assert_kernels_exist("An attack")


def test_the_kinds_of_tricks_and_their_codes():
    tricks = next(cells[3] for cells in rows(section("Decisions")) if cells[1] == "TRICK_SET")
    assert [f"{trick.value} `{trick.name.lower()}`" in tricks for trick in Trick] == [True] * len(Trick)


def test_every_word_for_creatures_is_listed():
    listed = {word for cells in rows(section("Positions in scenario files")) for word in named(cells[0])}
    last_words = {word.split()[-1] for word in listed}
    assert {*FLAGS} <= listed
    assert {*COUNTERS, "swap"} <= last_words
