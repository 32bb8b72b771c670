"""Imports of commands: help, typing errors and dice load neither games nor statistics."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

HEAVY = {"numba", "scipy", "pandas", "matplotlib", "pyarrow", "joblib", "statsmodels", "polars", "sim.games"}
PROGRAM = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("modules: " + " ".join(sorted(sys.modules))))
from analysis.cli.start import main
main()
"""
ALL_HELP = "from typer.main import get_command; from analysis.cli.main import app; get_command(app).every(); import sys; "


def imported(program: str, *words: str) -> set[str]:
    """Names of all modules that a command imports."""
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return set(done.stderr.rpartition("modules: ")[2].split())


@pytest.mark.parametrize(
    "words",
    [
        *("--version", "--help", "winrats", "--vers", "dice 2d6", "dice 2d", "winrates arna", "winrates arena --gaems 5"),
        *("winrates arena --games many", "whatif", "upsets --help", "tune --help"),
    ],
)
def test_help_typing_errors_and_dice_import_nothing_heavy(words):
    assert sorted(imported(PROGRAM, *words.split()) & HEAVY) == []


def test_the_help_of_all_commands_imports_nothing_heavy():
    assert sorted(imported(f"{ALL_HELP}sys.stderr.write('modules: ' + ' '.join(sys.modules))") & HEAVY) == []


def test_a_command_for_one_game_imports_only_that_game():
    games = {name for name in imported(PROGRAM, "cards", "arena") if name.startswith("sim.games.")}
    assert {name.split(".")[2] for name in games} == {"arena"}
