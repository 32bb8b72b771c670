"""Scenario files of every game: the golden examples of its rules, played by the kernels."""

from functools import cache
from pathlib import Path

import pytest

from sim.engine.scenario import Scenario, load, run
from sim.registry import GAMES

FOLDER = Path(__file__).parent
FILES = {name: sorted((FOLDER / name / "scenarios").glob("*.toml")) for name in GAMES}
CASES = [(game, file) for game, files in FILES.items() for file in files]
GOLDEN = {  # golden examples that are positions: not those of many turns, counts of squads or chances
    "arena": ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8a", "G8b", "G8c", "G8d", "G8e", "G8f"],
    "cardrogue": [f"G-{number:02}" for number in range(1, 17)],
    "riftborn": [f"G-{number:02}" for number in range(2, 39) if number not in (12, 13, 14, 15)],
    "rookling": [f"G-{number:02}" for number in range(1, 35) if number not in (3, 16, 17)],
    "runeslingers": [f"G-{number:02}" for number in range(1, 36) if number != 32],
}


@cache
def scenarios(game: str) -> dict[str, Scenario]:
    """The scenarios of a game by the names of their files."""
    return {file.stem: load(file) for file in FILES[game]}


def example_of(game: str, name: str) -> str:
    """The golden example after which a file is named."""
    (example,) = (golden for golden in GOLDEN[game] if name.startswith(golden.replace("-", "").lower()))
    return example


@pytest.mark.parametrize(("game", "file"), CASES, ids=lambda part: getattr(part, "stem", part))
def test_what_the_scenario_expects_comes_about(game: str, file: Path):
    result = run(file, GAMES)
    assert not result.differences, "\n".join([*result.differences, "", *result.log])


@pytest.mark.parametrize("game", GAMES)
def test_every_scenario_has_a_title_of_its_own_and_expects_something(game: str):
    titles = [scenario.title for scenario in scenarios(game).values()]
    assert all(titles)
    assert len({*titles}) == len(titles)
    assert [name for name, scenario in scenarios(game).items() if scenario.game != game or not scenario.expect] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_scenarios_are_the_golden_examples(game: str):
    """One or more files for each, named after it; anything else about a rule is a test with the id of the rule."""
    assert {example_of(game, name) for name in scenarios(game)} == {*GOLDEN[game]}
    for name, scenario in scenarios(game).items():
        assert scenario.title.startswith(example_of(game, name)), f"{name} is about something else"
