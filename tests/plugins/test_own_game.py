"""A game of one's own, from `fairfight new-game` to its report, as docs/own-game.md walks through it."""

import re
import shlex
import shutil
import sys
import typing
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import Field, create_model
from typer.testing import CliRunner

from analysis.cli import check
from analysis.cli.main import app
from sim import kit
from sim.engine.cardfiles.agreement import check_rows
from sim.engine.cards import CardError, validate
from tests.conftest import ROOT
from tests.plugins.building import Site, execute
from tests.test_documentation import ELSEWHERE, OWN_GAME, commands

Phase = IntEnum("Phase", ["FIRST", "SECOND_WIND"], start=0)
LINES_MAX = 250  # of Python, in all
QUICKER = {"--games 4000": "--games 200", "--games 30000": "--games 16000", "2000 --out": "60 --out"}


def written(folder: Path, name: str, *options: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["new-game", name, *options])
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.soak
def test_the_commands_of_the_walk_through_work_in_their_order(site: Site):
    """With the installed package; `pip install` is replaced by an installation without a network."""
    done = []
    for command in commands(OWN_GAME):
        if any(word in command for word in (*ELSEWHERE, "...")) or command in done:
            continue
        done.append(command)
        for shown, quicker in QUICKER.items():
            command = command.replace(shown, quicker)  # noqa: PLW2901 - the one that is run
        site.fairfight(*shlex.split(command)[1:])
        if "new-game" in command:
            site.install(site.empty / "my-game")
    assert {"new-game", "check", "winrates", "replay", "scenario", "whatif", "tune", "report", "train"} <= {
        command.split()[1] for command in done
    }
    assert "My Game" in site.fairfight("games")
    page = (site.empty / "my-reports/my_game/index.html").read_text("utf-8")
    for question in ("Who wins how often?", "Who sprints and stumbles how often?", "Which number should change?"):
        assert question in page


@pytest.mark.parametrize("place", [".", "ludo", "ludo/ludo"])
def test_new_game_ludo_is_checked_as_a_game_from_every_folder_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch, place: str):
    """`fairfight check ludo` is a next step that it prints; folders of that name are no card folders."""
    steps = written(folder, "ludo")
    assert "python -m pip install --editable ludo fairfight check ludo fairfight winrates ludo" in steps
    checked: list[str] = []
    monkeypatch.setattr(check, "GAMES", {"ludo"})
    monkeypatch.setattr(check, "game_named", str)
    monkeypatch.setattr(check, "check_game", lambda name, _: checked.append(name))
    monkeypatch.chdir(folder / place)
    result = CliRunner().invoke(app, ["check", "ludo"])
    assert (result.exit_code, checked) == (0, ["ludo"]), result.output


@pytest.mark.slow
def test_the_tests_of_a_new_game_pass_without_installing_it(folder: Path):
    written(folder, "Dice Race 2")
    made = folder / "dice-race-2"
    tested = execute(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"), cwd=made, PYTHONPATH=str(ROOT), NUMBA_DISABLE_JIT="1"
    )
    assert "4 passed" in tested
    python = [file.read_text("utf-8") for file in made.rglob("*.py")]
    assert sum(text.count("\n") for text in python) < LINES_MAX
    assert not [file for file in made.rglob("*") if file.is_file() and file.suffix != ".pyc" and names_the_skeleton(file)]
    assert "class DiceRace2File" in (made / "dice_race_2/__init__.py").read_text("utf-8")


def names_the_skeleton(file: Path) -> bool:
    text = f"{file.name} {file.read_text('utf-8')}".lower()
    return any(word in text for word in ("my_game", "my-game", "my game", "mygame"))


def test_a_new_game_is_tidy(folder: Path):
    """It passes the linter and the formatter with their usual rules and this project's length of a line."""
    written(folder, "my-game")
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    assert ruff
    execute(ruff, "check", "--isolated", "--line-length", "130", "--extend-select", "I", ".", cwd=folder / "my-game")
    tight = ("--config", "format.skip-magic-trailing-comma=true", "--config", "lint.isort.split-on-trailing-comma=false")
    execute(ruff, "format", "--isolated", "--check", "--line-length", "130", *tight, ".", cwd=folder / "my-game")


@pytest.mark.soak
def test_a_faulty_change_is_found_by_check(site: Site, tmp_path: Path):
    """Each is a mistake that is easily made; the message names the verb or the field."""
    site.fairfight("new-game", "slip", "--out", str(tmp_path / "slip"))
    source = tmp_path / "slip/slip/__init__.py"
    right = source.read_text("utf-8")
    place = {"PYTHONPATH": f"{tmp_path / 'slip'}:{site.folder}", "NUMBA_DISABLE_JIT": "1"}
    program = "from slip import GAME; from sim.check import faults; print('\\n'.join(faults(GAME)))"
    for wrong, message in {
        ("    out[:] = 0.0\n", ""): "it must write all of `out`",
        ("    return 2\n", "    out[1] = 0\n    return 2\n"): "legal_actions lists an action twice: [0, 0]",
        ("    options_max=len(Action)", "    options_max=1"): "there must be 1 to options_max=1",
        ('{"facts": ["sprints", "stumbles"]}', '{"facts": ["sprint", "stumbles"]}'): "'sprint' is not a fact with a label",
        ('STATE, "runner", SEATS)', 'STATE, "runner", SEATS, without=("turn",))'): "another turn",
    }.items():
        assert wrong[0] in right, wrong
        source.write_text(right.replace(*wrong), "utf-8")
        assert message in site.python("-B", "-c", program, **place), message
    source.write_text(right, "utf-8")
    assert site.python("-B", "-c", program, **place).strip() == ""


def examples() -> Iterator[str]:
    """The blocks of Python on the page."""
    for block in re.findall(r"^( *)```python\n(.*?)^ *```", OWN_GAME.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield dedent(block[1])


def test_the_examples_of_the_page_work():
    tables, words = examples()
    scope: dict[str, Any] = dict(vars(typing) | {"kit": kit, "Field": Field, "__name__": __name__})
    exec(tables, scope)
    lists = {name: list[scope[name.title()]] for name in ("card", "deck")}
    file: Any = create_model("Cards", __base__=kit.CardFile, game=str, **lists)
    check_rows(file)
    card = {"id": "a", "keywords": ["token"], "tokens": 2, "source": "assumed"}
    deck = {"id": "d", "cards": {"a": 2}, "source": "assumed"}
    document = {"game": "g", "format": 1, "title": "T", "card": [card], "deck": [deck]}
    assert validate(file, document, "cards").deck[0].cards == {"a": 2}
    with pytest.raises(CardError, match="is no card of this file"):
        validate(file, document | {"deck": [deck | {"cards": {"b": 2}}]}, "cards")
    with pytest.raises(CardError, match="tokens = 2: does not go with keywords"):
        validate(file, document | {"card": [card | {"keywords": ["fast"]}]}, "cards")

    state = np.dtype([("phase", np.int8), ("coins", np.int8, (2,)), ("hand", np.int8, (2, 3)), ("hand_n", np.int8, (2,))])
    scope |= {"POSITION": kit.Document(()), "FACTS": (), "Action": Phase, "Phase": Phase}
    exec(words, scope)
    scope["WORDS"].check(state)
    before, after = np.zeros(2, state)
    after["phase"], after["coins"][0], after["hand_n"][1] = 1, 2, 1
    cards = SimpleNamespace(document={"card": [{"name": "Ann"}]})
    assert scope["WORDS"].events(before, after, cards) == ["phase first -> second wind", "seat 1: coins +2", "seat 2: hand + Ann"]


def test_existing_folders_are_left_alone(folder: Path):
    (folder / "my-game").mkdir()
    assert "my-game: exists already and is left as it is; name another folder with --out DIR" in written(
        folder, "my-game", code=2
    )
    assert [*(folder / "my-game").iterdir()] == []
    written(folder, "my-game", "--out", "elsewhere/mine")
    assert (folder / "elsewhere/mine/my_game/__init__.py").is_file()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("9lives", "must have at most 40 letters and digits"),
        ("../escape", "must have at most 40 letters and digits"),
        ("a--b", "with single hyphens between words"),
        ("", "must have at most 40 letters and digits"),
        ("x" * 41, "must have at most 40 letters and digits"),
        ("Arena", "there is a game of this name already"),
        ("class", "has another meaning in Python or fairfight"),
        ("json", "has another meaning in Python or fairfight"),
        ("all", "has another meaning in Python or fairfight"),
        ("sim", "has another meaning in Python or fairfight"),
    ],
)
def test_bad_names_are_refused(folder: Path, name: str, reason: str):
    message = written(folder, name, code=2)
    assert message.startswith(f"error: name={name!r}")
    assert reason in message
    assert [*folder.iterdir()] == []


def test_a_folder_that_cannot_be_written_is_named(folder: Path):
    (folder / "file").write_text("", "utf-8")
    assert "file/mine: cannot be written" in written(folder, "my-game", "--out", "file/mine", code=2)
