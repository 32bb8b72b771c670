"""Scenario files of every game, played through the compiled code: the golden examples of its rules, and further cases."""

from pathlib import Path

import pytest

from sim.engine.scenario import load, run
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
RULES = {"riftborn": "RIFT", "runeslingers": "RUNE"}  # games whose other scenarios are named after their rule


@pytest.mark.parametrize(
    ("game", "file"),
    [(game, file) for game, files in FILES.items() for file in files],
    ids=lambda part: getattr(part, "stem", part),
)
@pytest.mark.slow
def test_what_the_scenario_expects_comes_about(game: str, file: Path):
    result = run(file, GAMES)
    assert load(file).game == game
    assert not result.differences, "\n".join([*result.differences, "", *result.log])


@pytest.mark.parametrize(("game", "golden"), [(game, golden) for game, all_ in GOLDEN.items() for golden in all_])
@pytest.mark.slow
def test_every_golden_example_is_a_scenario(game: str, golden: str):
    """One or more files of its name are about it and expect something."""
    files = [file for file in FILES[game] if file.stem.startswith(golden.replace("-", "").lower())]
    assert files, f"no scenario file for {golden}"
    assert files == [file for file in FILES[game] if load(file).title.startswith(golden)]
    assert [file.name for file in files if not load(file).expect] == []


@pytest.mark.parametrize("game", RULES)
def test_every_other_scenario_names_its_rule(game: str):
    """A file r037_title is about rule 37 and expects something."""
    for file in FILES[game]:
        if file.stem[0] != "g":
            rule = int(file.stem[1:4])
            assert file.stem.startswith(f"r{rule:03}_"), file.name
            assert load(file).title.startswith(f"{RULES[game]}-{rule:02}: "), f"{file.name} is about something else"
            assert load(file).expect, f"{file.name} expects nothing"


@pytest.mark.parametrize("game", GAMES)
def test_every_scenario_has_a_title_of_its_own(game: str):
    titles = [load(file).title for file in FILES[game]]
    assert all(titles)
    assert len({*titles}) == len(titles)


TOLD = {  # what happens in a scenario, line by line, without who decides what
    # whom the blow killed, what it left for the opponent, the answer, the experience
    "riftborn/scenarios/g24_relentless.toml": [
        "Soldier Archer is killed by the strike.",
        "Soldier Crossbow is killed by what passes through.",
        "Beast Charger takes 1 damage in return.",
        "Seat 2 takes 1 damage that passes through.",
        "Seat 2 has 49 life left.",
        "Seat 1 gains 600 experience for the kills.",
        "Seat 1 reaches level 2.",
    ],
    # who attacks whom with what, blocks, spill and flips, tokens, the next attacker
    "rookling/scenarios/g34_left_then_spill_left.toml": [
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
        "Seat 1 draws no cards because it cleared poison.",
        "The exchange ends; seat 2 attacks next.",
    ],
    # what was laid where, what became of it
    "runeslingers/scenarios/g18_stone_trap.toml": [
        "Seat 1 makes 3 light.",
        "Flaming Fists lies in slot 1 of seat 1.",
        "Seat 2 makes 1 light.",
        "Stone Trap lies in slot 1 of seat 2.",
        "Flaming Fists lies under Stone Trap of seat 2.",
    ],
}


@pytest.mark.parametrize("file", TOLD)
def test_a_scenario_is_told_step_by_step(file: str):
    lines = [line.strip() for line in run(FOLDER / file, GAMES).log]
    assert [line for line in lines if not line.startswith("seat ")] == TOLD[file]
