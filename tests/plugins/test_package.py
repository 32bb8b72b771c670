"""The package as users install it: from the wheel, in a folder without the sources."""

import re
import sys
import sysconfig
import tarfile
import tomllib
import venv
from importlib.metadata import Distribution

import pytest

from tests.house import tracked
from tests.plugins.building import ROOT, Site, execute

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
pytestmark = pytest.mark.soak  # the package is built, which takes ten seconds


def test_the_version_is_the_same_everywhere(site: Site):
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.M) == [PROJECT["version"]]
    assert site.fairfight("--version").split() == ["fairfight", PROJECT["version"]]


def test_the_wheel_is_used_and_plays_the_built_in_games(site: Site):
    assert site.python("-c", "import sim, analysis; print(sim.__file__, analysis.__file__)").count(str(site.folder)) == 2
    rates = site.answer("winrates", "arena", "--games", "50", "--policy", "random")
    assert rates["facts"]["games"] >= 50
    assert len(rates["win_rates"]) == 8


def test_every_file_that_is_no_source_is_in_the_wheel(site: Site):
    """Card sets, weights, templates and the skeleton of a new game."""
    data = [file.relative_to(ROOT) for file in tracked() if file.relative_to(ROOT).parts[0] in {"fairfight", "sim", "analysis"}]
    assert len(data) > 300
    assert [file for file in data if not (site.folder / file).is_file()] == []
    assert not (site.folder / "tests").exists()


def test_type_checkers_see_the_types(site: Site, tmp_path):
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "installed.pth").write_text(f"{site.folder}\n{sysconfig.get_path('purelib')}\n", "utf-8")
    script = tmp_path / "script.py"
    script.write_text("import fairfight as ff\nreveal_type(ff.winrates('arena').frame)\nreveal_type(ff.load('arena'))\n", "utf-8")
    python = tmp_path / "env" / "bin" / "python"
    said = execute(sys.executable, "-m", "mypy", "--python-executable", python, "--cache-dir", tmp_path, script, cwd=tmp_path)
    assert re.findall(r'Revealed type is "(.+)"', said) == ["pandas.core.frame.DataFrame", "analysis.results.Cards"]
    assert site.python("-c", "import fairfight; print(fairfight.__version__)").strip() == PROJECT["version"]


def test_extras_are_declared(site: Site):
    (info,) = site.folder.glob("fairfight-*.dist-info")
    assert {*Distribution.at(info).metadata.get_all("Provides-Extra")} == {*PROJECT["optional-dependencies"]} >= {"cluster"}


def test_the_source_distribution_has_the_tests_and_what_make_quick_needs(archive):
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    missing = {file.relative_to(ROOT).as_posix() for file in tracked()} - names
    assert missing == set()


@pytest.mark.parametrize(
    ("words", "offered"),
    [("fairfight winr", "winrates"), ("fairfight winrates pi", "pig"), ("fairfight run arena --ga", "--games")],
)
def test_the_shell_completes_commands_games_and_options(site: Site, words: str, offered: str):
    at = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    assert site.fairfight(_FAIRFIGHT_COMPLETE="complete_bash", **at).split() == [offered]


def test_completion_is_installed_for_the_shell(site: Site, tmp_path):
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # else it asks for the shell that started it
    site.fairfight("--install-completion", "bash", HOME=str(tmp_path), **named)
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert str(script) in (tmp_path / ".bashrc").read_text("utf-8")
    assert "_FAIRFIGHT_COMPLETE=complete_bash" in script.read_text("utf-8")
