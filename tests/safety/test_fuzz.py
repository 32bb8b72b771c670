"""Spoiled inputs of every format are usable, or refused with their name. `python -m tests.safety.fuzz` tries more."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from analysis.cli.main import app
from sim.engine.jit import interpreted
from sim.registry import GAMES
from tests.conftest import BUILT_IN, in_soak
from tests.every_game.play import shortened
from tests.safety import fuzz_options
from tests.safety.form import Format, tiny_games
from tests.safety.formats import formats
from tests.safety.fuzz import INPUTS, fuzz, wrong_words
from tests.safety.mutations import spoiled
from tests.safety.watch import noting

FEWER = shortened(1_000, 20)  # of formats that take milliseconds to read
SHARE_ACCEPTED = 0.02  # at least; with fewer, only the first checks would be tested
SAMPLE = 8  # inputs of a format that are passed to the command


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with tiny_games():
        yield


def of(name: str) -> Format:
    return formats()[name]()


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *((name, shortened(INPUTS, 20)) for name in ("target", "dice", "report", "manifest")),
        *((name, shortened(INPUTS, 20)) for name in ("cards:coin_duel", "decks:deck_race")),
        ("scenario:arena", FEWER),
        ("weights", FEWER),
        ("sheets:csv", FEWER),
        ("sheets:xlsx", FEWER),
        *(in_soak((f"cards:{name}", 500)) for name in BUILT_IN),
    ],
)
@pytest.mark.slow
def test_spoiled_inputs_are_refused_with_their_name_or_usable(name: str, count: int):
    found = fuzz(of(name), count)
    assert not found.faults, str(found)
    assert SHARE_ACCEPTED * count < found.accepted < count / 2


@pytest.mark.soak
def test_spoiled_block_files_are_refused_with_their_name_or_can_be_counted(python: Callable[..., str]):
    """In a separate process: the Parquet reader is not written in Python, and might crash the process."""
    told = python("-m", "tests.safety.fuzz", "1000", "blocks").splitlines()
    assert [line.split()[0] for line in told] == ["blocks:rows", "blocks:summary"]
    assert all(line.endswith(" 0 faults") for line in told)


# through the command


def commands(name: str, place: Path) -> tuple[str, ...]:
    """The command that reads an input of a format, with little work if it is accepted."""
    of_game = name.partition(":")[2]
    return {
        "cards": ("check", str(place)),
        "sheets": ("check", str(place)),
        "scenario": ("scenario", str(place)),
        "decks": ("winrates", of_game, "--policy", "random", "--games", "8", "--decks", str(place)),
        "target": ("tune", "coin_duel", "--policy", "random", "--target", str(place)),
        "manifest": ("winrates", str(place)),
        "blocks": ("winrates", str(place)),
    }[name.partition(":")[0]]


@pytest.mark.parametrize(
    "name",
    [
        *("target", "manifest", "blocks:rows", "cards:coin_duel", "sheets:csv", "sheets:xlsx"),
        *("decks:deck_race", "scenario:arena"),
    ],
)
@pytest.mark.slow
def test_the_command_refuses_them_with_exit_code_2_and_without_a_traceback(name: str, tmp_path: Path):
    form, number, refused = of(name), 0, 0
    folder = tmp_path / "chosen"
    folder.mkdir()
    form.prepare(folder)
    while refused < SAMPLE:
        number += 1
        chance = Random(f"command {number}")
        place = form.place(folder, spoiled(form.inputs[0], form.inputs, chance, form.structure))
        try:
            form.read(place)
            continue
        except ValueError as error:
            told = str(error)
        refused += 1
        with interpreted():
            done = CliRunner().invoke(app, commands(name, place))
        assert done.exit_code == 2, (number, told, done.output)
        assert isinstance(done.exception, SystemExit), number
        assert done.stderr.startswith("error: ")
        assert done.stdout == ""
    assert not (folder / "out").exists()


def test_an_invalid_dice_expression_ends_with_exit_code_2():
    for text in ("", "\x1b[31m", "3d", "__import__('os')", "9" * 600, "(" * 40 + "1"):
        done = CliRunner().invoke(app, ["dice", "--", text])
        assert done.exit_code == 2, text
        assert "\x1b" not in done.stderr


@pytest.mark.parametrize("count", [30, in_soak(1_000)])
def test_hostile_arguments_and_options_get_a_result_or_one_message(count: int):
    made = [fuzz_options.call(number) for number in range(count)]
    assert not [str(each) for each in made if each.faults]


# whether faults would be noticed


def test_forbidden_actions_of_a_reader_are_noticed(tmp_path: Path):
    with noting() as noted:
        (tmp_path / "made").mkdir()
        (tmp_path / "file").write_text("written", encoding="utf-8")
        exec("1")
    assert [one.split()[0] for one in noted] == ["os.mkdir", "open", "compile", "exec"]
    with noting() as noted:
        (tmp_path / "file").read_text(encoding="utf-8")
    assert noted == []


def faults(read: Callable[[Path], object], use: Callable[[object], object] = repr) -> list[str]:
    """Faults of a reader that three spoiled inputs reveal."""
    form = Format("spoiled", (b"valid",), lambda file: 1 if file.read_bytes() == b"valid" else read(file), use, None)
    return [fault.what for fault in fuzz(form, 3).faults]


@pytest.mark.soak
def test_a_reader_that_fails_hangs_or_gives_a_bad_message_is_noticed(monkeypatch: pytest.MonkeyPatch):
    def failing(_file: Path) -> None:
        raise KeyError("one")

    def silent(_file: Path) -> None:
        raise ValueError("wrong")

    assert "KeyError: 'one'" in faults(failing)[0]
    assert faults(silent)[0] == "is refused with 'wrong'"
    assert faults(lambda _: 0, lambda used: 1 / int(str(used)))[0].startswith("is accepted, but cannot be used")
    writing = faults(lambda file: file.with_name("more").write_bytes(b""))
    assert writing[0].startswith("open")
    assert writing[-1] == "files beside the input have changed"
    monkeypatch.setattr("tests.safety.fuzz.HANGING_SECONDS", 1)
    assert faults(_endless)[0] == "still reads after 1 s"


def _endless(_file: Path) -> None:
    while True:
        pass


def test_refusals_begin_with_the_file_and_can_be_printed():
    assert wrong_words("a.toml: x is wrong\na.toml: y is too", ("a.toml: ",)) == []
    assert wrong_words("x is wrong", ("a.toml: ",))
    assert wrong_words("a.toml: x\ny", ("a.toml: ",))
    assert wrong_words("a.toml: \x1b[31m", ("a.toml: ",))


def test_every_game_has_its_formats():
    known = set(formats())
    for game in GAMES.values():
        assert f"cards:{game.name}" in known
        assert (f"decks:{game.name}" in known) == (game.decks is not None)
