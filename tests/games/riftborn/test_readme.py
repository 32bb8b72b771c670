"""The README of Riftborn Tactics is up to date: every table in it is computed again from the code."""

from typing import get_args

import pytest

from sim.games.riftborn.cards import Trick, schema
from sim.games.riftborn.evaluation import FEATURES
from sim.games.riftborn.position.creatures import COUNTERS, FLAGS
from tests.games.readme import Readme, blocks, named, rows
from tests.games.riftborn import readme_tables
from tests.games.riftborn.playing import card_set
from tests.games.riftborn.readme_tables import WEIGHTS, ability_lines

_PAGE = Readme("riftborn")
README, section = _PAGE.text, _PAGE.section
FEATURE_CELLS = 5  # of a line of the table of features


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


@pytest.mark.parametrize("kind", ["creatures", "others", "decks"])
def test_section_2_4_the_reference_set(kind: str):
    text = section("Reference set").splitlines()
    assert [words for words in readme_tables.reference_lines(kind) if words not in text] == []


def test_the_shares_of_printed_and_assumed_numbers():
    assert readme_tables.shares() in " ".join(section("Reference set").split())


def test_golden_g12_g13_g40_the_chances_are_exact():
    text = section("Chance").splitlines()
    assert [words for words in (*readme_tables.hand_lines(), *readme_tables.growth_lines()) if words not in text] == []


def test_the_worked_example_is_what_the_kernels_do():
    picture, events = blocks(section("An attack"))
    assert picture == readme_tables.picture_lines()
    assert events == readme_tables.event_lines()


def test_every_kernel_named_exists():
    _PAGE.assert_kernels_exist("An attack")


def test_the_kinds_of_tricks_and_their_codes():
    tricks = next(cells[3] for cells in rows(section("Decisions")) if cells[1] == "TRICK_SET")
    assert [f"{trick.value} `{trick.name.lower()}`" in tricks for trick in Trick] == [True] * len(Trick)


def test_every_weight_of_the_judge_is_listed_as_it_is():
    """After a change of weights: `python -m tests.games.riftborn.readme_tables` prints the new tables."""
    assert {name: value for name, (value, _) in WEIGHTS.listed().items()} == WEIGHTS.weights()


def test_every_weight_of_the_judge_has_a_meaning():
    assert [name for name, (_, words) in WEIGHTS.listed().items() if words.strip("? ") == ""] == []


def test_the_worth_of_every_ability_is_listed_as_it_is():
    table = section("Policies").partition("| worth |")[2].splitlines()
    assert [line for line in table[2:] if line[:1] == "|"] == ability_lines()


def test_every_feature_is_listed_with_its_weights():
    table = [cells for cells in rows(section("Policies")) if len(cells) == FEATURE_CELLS and named(cells[0])]
    listed = {named(name)[0]: (float(fitted), float(baseline)) for name, _, _, fitted, baseline in table}
    record = card_set().record[0]
    weights = zip(record["weight"][1].tolist(), record["weight_baseline"][1].tolist(), strict=True)
    assert listed == dict(zip(FEATURES, weights, strict=True))


def test_every_word_for_creatures_is_listed():
    listed = {word for cells in rows(section("Positions in scenario files")) for word in named(cells[0])}
    last_words = {word.split()[-1] for word in listed}
    assert {*FLAGS} <= listed
    assert {*COUNTERS, "swap"} <= last_words
