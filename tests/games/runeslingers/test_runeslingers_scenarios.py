"""The golden examples of the rules of Runeslingers, and further cases, as scenario files played through the compiled code."""

from pathlib import Path

import pytest

from sim.engine.contract import offer
from sim.games.runeslingers import GAME
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
DRAFT = 32  # the example that is no position of a game
GOLDEN = [f"G-{number:02}" for number in range(1, 36) if number != DRAFT]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    assert_comes_about(file, GAME)


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    assert_is_a_scenario(golden, FILES)


@pytest.mark.parametrize("file", [file for file in FILES if file.stem[0] != "g"], ids=lambda file: file.stem)
def test_every_other_scenario_names_its_rule(file: Path):
    assert_names_its_rule(file, "RUNE")


def test_every_scenario_says_what_it_is_about():
    assert_say_what_they_are_about(FILES)


def test_a_ladder_is_told_step_by_step():
    """G-18. What was laid where, what became of it."""
    assert told(FOLDER / "g18_stone_trap.toml", GAME) == [
        "Seat 1 makes 3 light.",
        "Flaming Fists lies in slot 1 of seat 1.",
        "Seat 2 makes 1 light.",
        "Stone Trap lies in slot 1 of seat 2.",
        "Flaming Fists lies under Stone Trap of seat 2.",
    ]
