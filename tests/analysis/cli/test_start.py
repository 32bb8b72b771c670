"""Imports of commands: help and typing errors load neither games nor charts."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, in_soak

HEAVY = {"numba", "scipy", "pandas", "matplotlib", "pyarrow", "joblib", "statsmodels", "polars", "sim.games"}
SLOW = {"matplotlib", "scipy.stats", "scipy.optimize", "statsmodels", "polars", "sim.games"}
PROGRAM = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("modules: " + " ".join(sorted(sys.modules))))
from analysis.cli.start import main
main()
"""


def imported(program: str, *words: str) -> set[str]:
    """Names of all modules that a command imports."""
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return set(done.stderr.rpartition("modules: ")[2].split())


@pytest.mark.parametrize("words", ["--help", "winrats", *map(in_soak, ("--version", "--vers"))])
def test_the_list_of_commands_and_its_typing_errors_import_nothing_heavy(words):
    assert sorted(imported(PROGRAM, words) & HEAVY) == []


@pytest.mark.parametrize(
    "words", ["winrates arna", "tune --help", *map(in_soak, ("dice 2d", "winrates arena --games many", "whatif", "pace --help"))]
)
def test_help_and_typing_errors_of_a_question_import_no_charts_and_no_game(words):
    assert sorted(imported(PROGRAM, *words.split()) & SLOW) == []


def test_an_answer_about_one_game_imports_only_that_game_and_no_charts():
    modules = imported(PROGRAM, "winrates", "arena", "--games", "56", "--policy", "random")
    assert "matplotlib" not in modules
    assert {name.split(".")[2] for name in modules if name.startswith("sim.games.")} == {"arena"}


def started(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess:
    """Run Python in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *words], cwd=cwd, env=environment, text=True, capture_output=True, check=False)


@pytest.mark.parametrize("words", [("-m", "fairfight", "games"), ("-c", "import fairfight; fairfight.main()", "games")])
def test_e7_the_command_works_beside_files_of_the_user_with_the_names_of_its_packages(words, tmp_path):
    for name in ("analysis", "sim"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not mine')")
    done = started(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "arena" in done.stdout


@pytest.mark.parametrize("name", ["analysis", "sim"])
def test_e7_a_script_beside_such_a_file_is_refused_with_its_name(name, tmp_path):
    (tmp_path / f"{name}.py").touch()
    (tmp_path / "script.py").write_text("import fairfight as ff; ff.games()")
    done = started("script.py", cwd=tmp_path)
    assert done.returncode == 1
    assert f"ImportError: {tmp_path / name}.py hides fairfight's package `{name}`; rename it, or take its folder" in done.stderr


def test_e7_a_script_that_imports_a_package_beside_such_a_file_is_refused_too(tmp_path):
    (tmp_path / "sim.py").touch()
    done = started("-c", "import analysis", cwd=tmp_path)
    assert f"ImportError: {tmp_path / 'sim.py'} hides fairfight's package `sim`" in done.stderr


@pytest.mark.parametrize("words", ["dice 2d6 --rolls 9", *map(in_soak, ("games", "cards arena", "match 5 4 3 --json", "--help"))])
def test_e11_a_command_works_without_stdin_and_stdout(words):
    program = shlex.join([sys.executable, "-m", "fairfight", *words.split()])
    done = subprocess.run(["sh", "-c", f"exec {program} <&- >&-"], cwd=ROOT, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "stdout is closed, so that results are not printed\n")


def test_e11_without_any_stream_files_are_written_and_mistakes_are_exit_codes(tmp_path):
    for words, code in ((["dice", "2d6", "--csv", str(tmp_path / "table.csv")], 0), (["dice", "2q"], 2)):
        program = shlex.join([sys.executable, "-m", "fairfight", *words])
        done = subprocess.run(["sh", "-c", f"exec {program} <&- >&- 2>&-"], cwd=ROOT, check=False)
        assert done.returncode == code
    assert (tmp_path / "table.csv").read_text("utf-8-sig").startswith("roll,value,exact")


def test_python_without_docstrings_is_refused_in_one_line():
    done = started("-OO", "-m", "fairfight", "games")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "run it without -OO" in done.stderr
