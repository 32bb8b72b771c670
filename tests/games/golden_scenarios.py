"""What holds for the golden examples of every game that are scenario files."""

from collections.abc import Sequence
from pathlib import Path

from sim.engine.contract import Game
from sim.engine.scenario import load, run


def assert_comes_about(file: Path, game: Game) -> None:
    """What a scenario expects comes about; else its log is shown."""
    result = run(file, {game.name: game})
    assert not result.differences, "\n".join([*result.differences, "", *result.log])


def assert_is_a_scenario(golden: str, files: Sequence[Path]) -> None:
    """A golden example has a file of its name that expects something. golden: as in G-07."""
    found = [file for file in files if load(file).title.startswith(golden)]
    assert found, f"no scenario file for {golden}"
    for file in found:
        assert load(file).expect, f"{file.name} expects nothing"
        assert file.stem.startswith(golden.replace("-", "").lower()), f"{file.name} is about something else"
