"""Golden examples, and further rules, as scenario files played by the compiled code."""

from pathlib import Path

import pytest

from sim.engine.contract import offer
from sim.games.cardrogue import GAME
from tests.games.golden_scenarios import assert_comes_about, assert_is_a_scenario, assert_say_what_they_are_about

offer(GAME)
FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
GOLDEN = [f"G-{number:02}" for number in range(1, 17)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    assert_comes_about(file, GAME)


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    assert_is_a_scenario(golden, FILES)


def test_every_scenario_says_what_it_is_about():
    assert_say_what_they_are_about(FILES)
