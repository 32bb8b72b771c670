"""The golden examples of the rules of Rookling Heroes as scenario files played through the compiled code."""

from pathlib import Path

import pytest

from sim.engine.contract import offer
from sim.games.rookling import GAME
from tests.games.golden_scenarios import assert_comes_about, assert_is_a_scenario, assert_say_what_they_are_about, told

offer(GAME)
FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
COUNTS = (3, 16, 17)  # examples that count squads, or ways to resolve, or play at random
GOLDEN = [f"G-{number:02}" for number in range(1, 35) if number not in COUNTS]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    assert_comes_about(file, GAME)


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    assert_is_a_scenario(golden, FILES)


def test_every_scenario_says_what_it_is_about():
    assert_say_what_they_are_about(FILES)


def test_an_exchange_is_told_step_by_step():
    """G-34: who attacks whom with what, blocks, spill and flips, tokens, the next attacker."""
    assert told(FOLDER / "g34_left_then_spill_left.toml", GAME) == [
        "Rime attacks Stone for 4 with Frost Bite.",
        "Hiss attacks Rute for 5 with Vent.",
        "Stone can block 2 and Rute can block 2.",
        "Stone blocks 2 of the attack on it.",
        "Stone takes 2 damage.",
        "Rute blocks 2 of the attack on it.",
        "Stone takes 1 spilled damage and flips to siege-state.",
        "2 more damage is lost as excess.",
        "Stone gets Frozen.",
        "Rute gets Confused.",
        "Seat 1 draws no cards, for it has cleared poison.",
        "The exchange ends; seat 2 attacks next.",
    ]
