"""The README of Runeslingers agrees with the code: every table in it is computed again."""

from typing import get_args

from sim.games.runeslingers.cards import AILMENTS, Ailment, schema
from tests.games.playing import choices_of
from tests.games.readme import Readme, blocks, named, rows
from tests.games.runeslingers import readme_tables
from tests.games.runeslingers.playing import card_set
from tests.games.runeslingers.readme_tables import WEIGHTS

_PAGE = Readme("runeslingers")
README, section = _PAGE.text, _PAGE.section


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


def test_section_2_2_the_reference_set():
    text = section("Reference set").splitlines()
    assert [words for words in readme_tables.reference_lines() if words not in text] == []


def test_the_shares_of_printed_and_assumed_numbers():
    assert readme_tables.shares() in " ".join(section("Reference set").split())


def test_the_chances_are_exact():
    """RUNE-15, 16. Opening hands."""
    text = section("Chance").splitlines()
    lines = [*readme_tables.hand_lines()]
    assert [words for words in lines if words not in text] == []
    assert "| 9/29 " in lines[1]
    assert "| 182/435 " in lines[1]
    assert lines[0].startswith("| 1 | 1/6 ")


def test_the_worked_example_is_what_the_kernels_do():
    picture, result = readme_tables.example()
    assert blocks(section("A ladder")) == [picture.splitlines(), [*result.log]]


def test_every_kernel_named_exists():
    _PAGE.assert_kernels_exist("A ladder")


def test_the_ailments_and_their_codes():
    types = [f"{kind.value} {kind.name.lower()}" for kind in Ailment if kind < AILMENTS]
    assert ", ".join(types) in section("Decisions")


def test_every_weight_of_the_judge_is_listed_as_it_is():
    """After a change of weights: `python -m tests.games.runeslingers.readme_tables` prints the table."""
    assert {name: value for name, (value, _) in WEIGHTS.listed().items()} == WEIGHTS.weights()


def test_every_weight_of_the_judge_has_a_meaning():
    assert [name for name, (_, words) in WEIGHTS.listed().items() if words.strip("? ") == ""] == []


def test_every_feature_of_the_judge_is_listed_with_its_weights():
    """After `fairfight train`: `python -m tests.games.runeslingers.readme_tables` prints this table too."""
    listed = readme_tables.listed()
    assert {name: (fitted, baseline) for name, (fitted, baseline, _) in listed.items()} == readme_tables.features()
    assert [name for name, (*_, words) in listed.items() if words.strip("? ") == ""] == []
