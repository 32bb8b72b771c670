"""What holds for the golden examples of every game that are scenario files, and for its other scenarios."""

import re
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


def assert_names_its_rule(file: Path, rules: str) -> None:
    """A scenario that is no golden example is named after its rule and expects something. rules: RIFT for RIFT-07."""
    rule = re.fullmatch(r"r(\d{3})_\w+", file.stem)
    assert rule, f"{file.name} must be named r, rule, title"
    assert load(file).title.startswith(f"{rules}-{int(rule[1]):02}: "), f"{file.name} is about something else"
    assert load(file).expect, f"{file.name} expects nothing"


def assert_say_what_they_are_about(files: Sequence[Path]) -> None:
    """Every scenario has a title of its own."""
    titles = [load(file).title for file in files]
    assert all(titles), f"no title: {[file.name for file, title in zip(files, titles, strict=True) if not title]}"
    doubled = {title for title in titles if titles.count(title) > 1}
    assert not doubled, f"titles of more than one scenario: {doubled}"


def told(file: Path, game: Game) -> list[str]:
    """What happens in a scenario, line by line, without who decides what."""
    lines = [line.strip() for line in run(file, {game.name: game}).log]
    return [line for line in lines if not line.startswith("seat ")]
