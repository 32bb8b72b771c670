"""The golden examples of Card Rogue's rules, and further rules, as scenario files played through the compiled code."""

from pathlib import Path

import pytest

from sim.engine.contract import offer
from sim.engine.scenario import load, run
from sim.games.cardrogue import GAME

offer(GAME)
FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.toml"))
GOLDEN = [f"G-{number:02}" for number in range(1, 17)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_scenario_expects_comes_about(file: Path):
    result = run(file, {GAME.name: GAME})
    assert not result.differences, "\n".join([*result.differences, "", *result.log])


@pytest.mark.parametrize("golden", GOLDEN)
def test_every_golden_example_is_a_scenario(golden: str):
    files = [file for file in FILES if load(file).title.startswith(golden)]
    assert files, f"no scenario file for {golden}"
    for file in files:
        assert load(file).expect, f"{file.name} expects nothing"
        assert file.stem.startswith(golden.replace("-", "").lower()), f"{file.name} is about something else"


def test_every_scenario_says_what_it_is_about():
    titles = [load(file).title for file in FILES]
    assert all(titles)
    assert len(set(titles)) == len(titles)
