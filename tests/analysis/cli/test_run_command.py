"""The command `fairfight run`: starting, continuing, growing, refusals, interrupts, full disks; and SIGTERM elsewhere."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sim.engine.jit import COMPILED
from sim.registry import game_named
from sim.store import Run, lock
from sim.store.manifest import NAME
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.every_game.play import WHOLE, experiment
from tests.store.folders import block_files, content

DUEL = ("dice_duel", "--policy", "random", "--block-games", 16, "--jobs", 1)
GAMES = 56
OTHER = "Name another folder with --out"


@pytest.fixture(autouse=True)
def place(dice_duel, deck_race, tmp_path: Path, monkeypatch) -> Path:
    """Register the games and start in an empty folder, because messages show paths as typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines_of(text: str) -> list[str]:
    """Lines of output without times and speeds."""
    text = re.sub(r"in \d+\.\d s \([\d,]+ games/s\)", "in TIME", text)
    return re.sub(r"\d+\.\d\u202f[kM]B", "SIZE", text).replace("\u202f", " ").splitlines()


@pytest.mark.slow
def test_a_run_shows_its_experiment_what_was_played_and_the_next_command():
    assert lines_of(shown("run", *DUEL, "--games", 1000, "--seed", 7, "--out", "my run")) == [
        "my run: 1,000 games of Dice duel, 2 seats, policy random, seed 7; SIZE in blocks of 16 games.",
        "1,000 games played in TIME.",
        "Who wins how often: fairfight winrates 'my run'",
    ]


def test_the_same_command_continues_and_reports_earlier_games():
    command = ("run", *DUEL, "--games", GAMES, "--out", "run")
    shown(*command)
    assert lines_of(shown(*command))[1:] == ["All of them had been played before.", "Who wins how often: fairfight winrates run"]
    before = content(Path("run"))
    block_files(Path("run"))[1].unlink()
    assert lines_of(shown(*command))[1] == "16 games played in TIME; 40 had been played before."
    assert content(Path("run")) == before


@pytest.mark.slow
def test_stderr_is_empty_if_nothing_is_wrong():
    shown("run", *DUEL, "--games", GAMES, "--out", "before")  # already compiled
    code, _, err = fairfight("run", *DUEL, "--games", GAMES, "--out", "run")
    assert (code, err) == (0, "")


@pytest.mark.slow
def test_a_run_continues_by_its_folder_and_grows_to_the_bytes_of_a_longer_one():
    shown("run", *DUEL, "--games", GAMES, "--out", "run")
    block_files(Path("run"))[0].unlink()
    assert lines_of(shown("run", "run"))[1] == "16 games played in TIME; 40 had been played before."
    assert lines_of(shown("run", "run", "--games", 2 * GAMES))[:2] == [
        "run: 112 games of Dice duel, 2 seats, policy random, seed 1; SIZE in blocks of 16 games.",
        "64 games played in TIME; 48 had been played before.",
    ]
    shown("run", *DUEL, "--games", 2 * GAMES, "--out", "long")
    assert content(Path("run")) == content(Path("long"))
    assert lines_of(shown("run", "run", "--out", "./run"))[1] == "All of them had been played before."


def test_damaged_files_are_reported_and_played_again():
    shown("run", *DUEL, "--games", GAMES, "--out", "run")
    before = content(Path("run"))
    first, *_ = block_files(Path("run"))
    first.write_bytes(first.read_bytes()[:-1])
    assert lines_of(shown("run", "run"))[1:-1] == [
        "A damaged file was found and its games played again:",
        f"  {first.name} is damaged: its content does not match the digest in its name",
        "16 games played in TIME; 40 had been played before.",
    ]
    assert content(Path("run")) == before
    for file in block_files(Path("run")):
        file.write_bytes(b"")
    lines = lines_of(shown("run", "run"))
    assert lines[1] == "4 damaged files were found and their games played again:"
    assert len(lines[2:6]) == 4
    assert lines[5] == "  ..."
    assert content(Path("run")) == before


def test_the_result_is_available_as_json():
    data = json.loads(shown("run", *DUEL, "--games", GAMES, "--out", "run", "--json"))
    assert data.pop("elapsed_s") > 0
    assert data.pop("bytes") == sum(file.stat().st_size for file in block_files(Path("run")))
    facts = json.loads(shown("winrates", "run", "--json"))["facts"]
    names = ("game", "cards", "cards_digest", "seats", "policy", "games", "seed", "coupling", "design")
    expected = {name: facts[name] for name in names} | {"keep": "rows", "block_games": 16}
    assert data == {"facts": expected, "folder": "run", "kept": 0, "played": GAMES, "damaged": []}


def test_every_option_affects_the_run():
    options = ("--seats", 2, "--seed", 3, "--line-up", "Ogre,knight", "--paired", "--coupling", "entrant")
    shown("run", "dice_duel", *options, "--policy", "random,greedy:2", "--games", 10, "--keep", "summary", "--out", "run")
    run = Run.open("run")
    made = run.experiment
    assert (made.seed, made.policy_words, made.paired, made.coupling) == (3, "random,greedy:2", True, "entrant")
    assert [made.cards.ids[item] for item in made.line_up] == ["ogre", "knight"]
    assert (run.manifest.keep, run.held) == ("summary", 10)


def test_a_run_keeps_its_random_decks():
    shown("run", "deck_race", "--random-decks", "5:sealed", "--policy", "random", "--games", 20, "--out", "run")
    made = Run.open("run").experiment
    assert made.cards.ids == tuple(f"sealed_{number}" for number in range(1, 6))
    assert made.cards.title == "Deck race reference set, 5 decks from sealed pools (seed 1)"


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        (("--seed", 2), "seed is 1, not 2"),
        (("--policy", "greedy"), 'policy is "random", not "greedy:4"'),
        (("--paired",), "paired is false, not true"),
        (("--coupling", "entrant"), 'coupling is "seat", not "entrant"'),
        (("--line-up", "knight,ogre"), "--line-up is absent, not knight,ogre"),
        (("--keep", "summary"), 'keep is "rows", not "summary"'),
        (("--block-games", 8), "--block-games is 16, not 8"),
        (("--cards", "mine"), "cards: fighter.knight.health is 45, not 50"),
    ],
    ids=lambda part: str(part[0]),
)
@pytest.mark.slow
def test_another_run_in_the_same_folder_is_refused_with_the_difference(changed, difference):
    shown("new", "dice_duel", "mine")
    cards = Path("mine/cards.toml")
    cards.write_text(cards.read_text().replace("health = 45", "health = 50", 1))
    shown("run", *DUEL, "--games", GAMES, "--out", "run")
    before = content(Path("run"))
    message = refusal("run", *DUEL, "--games", GAMES, *changed, "--out", "run")
    assert message == f"error: run: holds another run: {difference}. {OTHER}"
    assert content(Path("run")) == before


def test_a_run_never_shrinks():
    shown("run", *DUEL, "--games", 2 * GAMES, "--out", "run")
    for command in (("run", "run", "--games", GAMES), ("run", *DUEL, "--games", GAMES, "--out", "run")):
        assert refusal(*command) == (
            "error: run: is a run of 112 games, not 56; a run can only grow. Analyse fewer of its games with --games"
        )


REFUSED = [
    (("dice_duel",), "--out: name a folder for the run, as in fairfight run dice_duel --out my-run"),
    (("run", "--policy", "random"), "--policy: run determines what is played; leave it out"),
    (("run", "--paired"), "--paired: run determines what is played; leave it out"),
    (("run", "--block-games", 16), "--block-games: run determines what is played; leave it out"),
    (("run", "--out", "new"), "--out new: run is a run, which continues in its own folder; leave --out out"),
    (("run", "--jobs", 0), "--jobs 0 must be at least 1"),
    (("dice_duel", "--out", "new", "--jobs", 0), "--jobs 0 must be at least 1"),
    (("dice_duel", "--out", "new", "--keep", "all"), "--keep all: must be rows or summary"),
    (("dice_duel", "--out", "new", "--block-games", 0), "--block-games 0 must be at least 1"),
    (("dice_duel", "--out", "new", "--coupling", "dice"), "--coupling dice must be seat or entrant"),
    (("dice_duel", "--out", "new", "--games", 0), "--games 0 must be at least 1"),
    (("dice_duel", "--out", "a file"), "a file: is a file; name a folder"),
    (("dice_duel", "--out", "full"), "full: holds other files (notes.txt); name a new folder or that of a run"),
    (("chess", "--out", "new"), "'chess' is neither a game nor a run folder; games are arena, "),
    (("full", "--out", "new"), "full: is a folder, but no run; name a game or a run (your own cards go with --cards DIR)"),
]


@pytest.mark.parametrize(("arguments", "expected"), REFUSED, ids=lambda part: " ".join(map(str, part[:3])))
@pytest.mark.slow
def test_invalid_arguments_are_refused_before_anything_is_created(arguments, expected, place):
    (place / "a file").touch()
    (place / "full").mkdir()
    (place / "full" / "notes.txt").touch()
    Run.begin("run", experiment(game_named("dice_duel"), GAMES), block_games=16)
    assert refusal("run", *arguments).startswith(f"error: {expected}")
    assert {path.name for path in place.iterdir()} == {"a file", "full", "run"}


@pytest.mark.slow
def test_a_game_takes_precedence_over_a_run_of_the_same_name():
    command = ("run", *DUEL, "--games", GAMES, "--out", "dice_duel")
    assert lines_of(shown(*command))[2] == "Who wins how often: fairfight winrates ./dice_duel"
    assert lines_of(shown(*command))[1] == "All of them had been played before."
    assert lines_of(shown("run", "./dice_duel"))[1] == "All of them had been played before."
    typed = ("--json", "--policy", "random")
    by_name, by_path = (
        json.loads(shown("winrates", *which, *typed)) for which in (("dice_duel", "--games", 24), ("./dice_duel",))
    )
    assert (by_name["facts"]["games"], by_path["facts"]["games"]) == (24, GAMES)


def test_a_run_is_not_continued_by_other_sources():
    shown("run", *DUEL, "--games", GAMES, "--out", "run")
    file = Path("run") / NAME
    manifest = json.loads(file.read_text())
    file.write_text(json.dumps(manifest | {"sources": 64 * "0"}))
    block_files(Path("run"))[0].unlink()
    for command in (("run", "run"), ("run", "run", "--games", 112), ("run", *DUEL, "--games", GAMES, "--out", "run")):
        message = refusal(*command)
        assert "sources = 000000000000..., but this installation has" in message
        assert message.endswith("Continue with the fairfight that began the run, or begin a new run in another folder")
        assert len(block_files(Path("run"))) == 3


def test_a_full_disk_is_reported_with_safe_games_and_how_to_continue(monkeypatch):
    def room_for_two(handle: int, settle: Callable[[int], None] = os.fsync) -> None:
        if len(block_files(Path("run"))) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        settle(handle)

    shown("run", *DUEL, "--games", GAMES, "--out", "long")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", room_for_two)
        message = refusal("run", *DUEL, "--games", GAMES, "--out", "run")
    path = re.search(r"run/blocks/[-.0-9a-z]+.parquet", message)[0]
    full = f"error: {path}: cannot be written (no space left on device)"
    assert message == f"{full}. 32 of 56 games are safe; continue with: fairfight run run"
    assert not list(Path("run").rglob("*.part"))
    assert lines_of(shown("run", "run"))[1] == "24 games played in TIME; 32 had been played before."
    assert content(Path("run")) == content(Path("long"))


def test_a_second_process_is_refused_with_the_owner_of_the_run():
    shown("run", *DUEL, "--games", GAMES, "--out", "run")
    block_files(Path("run"))[0].unlink()
    with lock.held(Path("run")):
        message = refusal("run", "run")
    assert message.startswith(f"error: run: process {os.getpid()} on ")
    assert "is writing to this run; wait for it, or stop it first. 40 of 56 games are safe" in message


LONG = ("arena", "--games", 5600, "--policy", "random", "--jobs", 1, "--block-games", 100)
SLOW_DISK = """
import os, time
settle = os.fsync
os.fsync = lambda handle: (time.sleep(0.05), settle(handle))[1]
from analysis.cli.start import main
main()
"""


def started(*arguments, slow: bool = False) -> subprocess.Popen:
    """Start the command in its own process, as a shell does. slow: simulate a slow disk."""
    how = ("-c", SLOW_DISK) if slow else ("-m", "analysis.cli.start")
    words = [sys.executable, *how, *map(str, arguments)]
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        words, env=os.environ | {"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def stopped(process: subprocess.Popen, number: int, ready: Callable[[], bool]) -> tuple[str, str]:
    """Send a signal once `ready` holds; returns the output of the process."""
    began = time.monotonic()
    while not ready() and process.poll() is None and time.monotonic() - began < 200:
        time.sleep(0.005)
    process.send_signal(number)
    return process.communicate(timeout=60)


@pytest.mark.skipif(not COMPILED, reason="some ten thousand games")
@pytest.mark.slow
def test_a_run_that_was_stopped_and_continued_has_the_bytes_of_an_uninterrupted_one(place):
    folder = place / "my run"
    stops = ((signal.SIGINT, 130, (*LONG, "--out", folder), "Ctrl-C"), (signal.SIGTERM, 143, (folder,), "a scheduler"))
    for number, code, command, name in stops if WHOLE else stops[:1]:
        before = len(block_files(folder))
        process = started("run", *command, slow=True)
        out, err = stopped(process, number, lambda before=before: len(block_files(folder)) > before)
        assert (process.returncode, out) == (code, ""), (name, err)
        (texts,) = [line for line in err.splitlines() if not line.startswith(("compiling", "games:"))]
        safe = sum(int(file.name.split("-")[1]) for file in block_files(folder))
        assert 0 < safe < 5600
        assert texts == f"interrupted; {safe:,} of 5,600 games are safe in {folder}; continue with: fairfight run '{folder}'"
        assert not list(folder.rglob("*.part"))
        assert not (folder / ".holder.json").exists()
    shown("run", folder)
    shown("run", *LONG, "--jobs", 2, "--out", "whole")
    assert content(folder) == content(place / "whole")


@pytest.mark.skipif(not COMPILED, reason="games until a signal comes")
@pytest.mark.soak
def test_sigterm_ends_win_rates_like_ctrl_c(place):
    file = place / "games.parquet"
    process = started("winrates", "arena", "--games", 50_000_000, "--policy", "random", "--rows", file)
    out, err = stopped(process, signal.SIGTERM, lambda: any(item.stat().st_size > 100_000 for item in place.iterdir()))
    assert process.returncode == 143, err
    (texts,) = [line for line in err.splitlines() if not line.startswith(("compiling", "2 seats:", str(file)))]
    kept = re.match(r"interrupted; shown: the first ([\d,]+) of 50,000,000 games; [\d,]+ games are kept; `fairfight", texts)
    assert kept
    assert "of its two-seat games" in out
    assert "Temple Guard" in out
    assert [path.name for path in place.iterdir()] == ["games.parquet"]
    assert pq.read_metadata(file).num_rows == int(kept[1].replace(",", ""))
