"""Scenario files, played by the compiled code: the golden examples of the rules, and further rules."""

from pathlib import Path

import pytest

from sim.engine.scenario import load, run
from sim.registry import GAMES
from tests.games.golden_scenarios import assert_say_what_they_are_about

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
GOLDEN = ("g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8a", "g8b", "g8c", "g8d", "g8e", "g8f")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    result = run(file, GAMES)
    assert not result.differences, "\n".join([*result.differences, "", *result.log])


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    files = [file for file in FILES if file.stem == golden or file.stem.startswith((f"{golden}_", f"{golden}a"))]
    assert files, f"no scenario file for {golden}"
    for file in files:
        scenario = load(file)
        assert scenario.expect, f"{file.name} expects nothing"
        assert scenario.title.lower().startswith(golden), f"{file.name} is about something else"


def test_every_scenario_describes_itself():
    assert_say_what_they_are_about(FILES)
