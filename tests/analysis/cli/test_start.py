"""Imports of commands: help, typing errors and dice load neither games nor statistics."""

import subprocess
import sys

import pytest

from analysis.cli.main import SUMMARIES
from tests.conftest import ROOT

HEAVY = ("numba", "scipy", "pandas", "matplotlib", "pyarrow", "joblib", "statsmodels", "polars", "sim.games")
PROGRAM = """
import atexit, os, sys
def report():
    sys.stderr.write("modules: " + " ".join(sorted(sys.modules)))
atexit.register(report)
sys.argv = ["fairfight", *sys.argv[1:]]
from analysis.cli.start import main
main()
"""


def imported(*words: str) -> set[str]:
    """Names of all modules that a command imports."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return set(done.stderr.rpartition("modules: ")[2].split())


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("winrats",),
        ("--vers",),
        ("dice", "2d6"),
        ("dice", "2d"),
        ("winrates", "arna"),
        ("winrates", "arena", "--gaems", "5"),
        ("winrates", "arena", "--games", "many"),
        ("whatif",),
    ],
    ids=" ".join,
)
def test_help_typing_errors_and_dice_import_nothing_heavy(words):
    assert sorted(imported(*words) & {*HEAVY}) == []


@pytest.mark.parametrize("command", SUMMARIES)
def test_the_help_of_a_command_imports_nothing_heavy(command):
    assert sorted(imported(command, "--help") & {*HEAVY}) == []


def test_a_command_for_one_game_imports_only_that_game():
    games = {name for name in imported("cards", "arena") if name.startswith("sim.games.")}
    assert {name.split(".")[2] for name in games} == {"arena"}
