"""The golden examples of the rules of Riftborn Tactics, and further cases, as scenario files played through the compiled code."""

from pathlib import Path

import pytest

from sim.engine.contract import offer
from sim.games.riftborn import GAME
from tests.games.golden_scenarios import (
    assert_comes_about,
    assert_is_a_scenario,
    assert_names_its_rule,
    assert_say_what_they_are_about,
    told,
)

offer(GAME)
FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
COUNTS = (12, 13, 14, 15)  # examples that follow a course of many turns by numbers alone
GOLDEN = [f"G-{number:02}" for number in range(2, 39) if number not in COUNTS]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    assert_comes_about(file, GAME)


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    assert_is_a_scenario(golden, FILES)


@pytest.mark.parametrize("file", [file for file in FILES if file.stem[0] != "g"], ids=lambda file: file.stem)
def test_every_other_scenario_names_its_rule(file: Path):
    assert_names_its_rule(file, "RIFT")


def test_every_scenario_says_what_it_is_about():
    assert_say_what_they_are_about(FILES)


def test_an_attack_that_passes_through_is_told_step_by_step():
    """G-24. Whom the blow killed, what it left for the opponent, the answer, the experience."""
    assert told(FOLDER / "g24_relentless.toml", GAME) == [
        "Soldier Archer is killed by the strike.",
        "Soldier Crossbow is killed by what passes through.",
        "Beast Charger takes 1 damage in return.",
        "Seat 2 takes 1 damage that passes through.",
        "Seat 2 has 49 life left.",
        "Seat 1 gains 600 experience for the kills.",
        "Seat 1 reaches level 2.",
    ]
