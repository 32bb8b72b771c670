"""The README of Runeslingers agrees with the code: every table in it is computed again."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from sim.engine.decks import read_decks
from sim.games.runeslingers.cards import schema
from sim.games.runeslingers.position import STAGES
from sim.games.runeslingers.record import AILMENTS, Ailment
from sim.games.runeslingers.state import STATE, Phase, Roll
from tests.games.readme import Readme, blocks, named, rows
from tests.games.runeslingers import readme_tables
from tests.games.runeslingers.playing import GAME, card_set, placed, table
from tests.games.runeslingers.readme_tables import WEIGHTS

_PAGE = Readme("runeslingers")
README, section = _PAGE.text, _PAGE.section
ASSUMPTIONS = 31


def test_every_rule_is_explained_once_and_in_order():
    ids = (Path(__file__).parent / "rule_ids.txt").read_text(encoding="utf-8").split()
    assert re.findall(r"^- \*\*(RUNE-\d+)\*\*", README, re.MULTILINE) == ids


def test_every_assumption_is_listed():
    listed = [cells[0] for cells in rows(section("Rule variants"))[2:]]
    assert listed == [f"A{number:02}" for number in range(1, ASSUMPTIONS + 1)]


def test_every_switch_is_named_with_its_default_and_its_other_values():
    found = {named(cells[3])[0]: named(cells[3])[1:] for cells in rows(section("Rule variants"))[2:] if named(cells[3])}
    assert {*found} == {*card_set().switches}
    for name, value in card_set().switches.items():
        choices = get_args(schema.Rules.model_fields[name].annotation) or (value, not value)
        assert found[name] == [str(choice).lower() for choice in choices], name
        assert choices[0] == value, f"{name}: {value} is played"


def test_every_constant_of_the_rules_is_named():
    listed = {word for cells in rows(section("Card file"))[:3] for word in named(cells[1])}
    assert schema.Rules.CONSTANTS - {"source"} <= listed


def test_every_effect_is_listed_with_its_parameters():
    listed = {named(cells[0])[0]: named(cells[1]) for cells in rows(section("Effects of cards"))[2:]}
    effects = get_args(get_args(schema.Effect)[0])
    words = [get_args(effect.model_fields["op"].annotation)[0] for effect in effects]
    assert [*listed] == words
    for effect, word in zip(effects, words, strict=True):
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


def test_every_use_of_chance_is_listed_once():
    listed = [cells[0].strip("`") for cells in rows(section("Chance")) if cells[0].startswith("`")]
    assert listed == [use.name for use in Roll]


def test_the_worked_example_is_what_the_kernels_do():
    picture, events = blocks(section("A ladder"))
    assert picture == readme_tables.picture_lines()
    assert events == readme_tables.event_lines()


def test_every_kernel_named_exists():
    _PAGE.assert_kernels_exist("A ladder")


def test_the_decisions_and_their_codes():
    listed = {cells[1]: cells[0] for cells in rows(section("Decisions"))[2:]}
    assert listed == {phase.name: str(phase.value) for phase in Phase}
    types = [f"{kind.value} {kind.name.lower()}" for kind in Ailment if kind < AILMENTS]
    assert ", ".join(types) in section("Decisions")


def test_every_field_of_the_state_is_listed_once():
    listed = [name for cells in rows(section("State"))[2:] for name in named(cells[0])]
    assert sorted(listed) == sorted(STATE.names or ())
    assert f"{STATE.itemsize:,} bytes" in section("State")


def test_the_deck_of_the_example_is_legal(tmp_path: Path):
    file = tmp_path / "my-decks.toml"
    file.write_text("\n".join(blocks(section("Playing other decks"))[0][1:]), encoding="utf-8")
    assert GAME.decks is not None
    cards = GAME.from_document(GAME.decks.added(card_set().document, read_decks(file, GAME.decks.words)))
    assert cards.ids[-1] == "my_fire"


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


def test_every_key_of_positions_is_listed():
    thing: dict[str, Any] = {"things": [{"card": "ward_stone"}], "ailments": [{"type": "burn"}], "boons": []}
    position: Any = GAME.words.position(placed(table(thing | {"boons": [{"card": "binding"}]})), card_set())
    listed = {word for cells in rows(section("Positions in scenario files")) for word in named(cells[0])}
    assert {*position, "winner", "cause"} <= listed
    for player in position["players"]:
        assert {*player} <= listed
        assert {key for entry in player["things"] + player["boons"] for key in entry} <= listed


def test_every_stage_is_listed():
    (words,) = [cells[1] for cells in rows(section("Positions in scenario files")) if cells[0] == "`stage`"]
    assert {*named(words)} - {"go on"} == {*STAGES} - {"ailment_second", "passed"}


@pytest.mark.parametrize("title", ["Rules", "Policies", "Card file", "Effects of cards"])
def test_every_module_named_exists(title: str):
    _PAGE.assert_modules_exist(section(title))


def test_links_lead_to_headings():
    _PAGE.assert_links_lead_to_headings()
