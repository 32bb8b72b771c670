"""The only module that imports numba: compiled code is never stale, and the user's own numba code is left alone."""

import json
import os
import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from sim.engine import jit
from tests.conftest import ROOT

needs_compiler = pytest.mark.skipif(not jit.COMPILED, reason="the compiler is off")

DEAL = """
import numpy as np
from sim.engine import contract, jit
from sim.engine.dice import DICE, open_dice
from sim.registry import register
from tests.every_game.lone_climb import GAME

register(GAME)
state, dice = np.zeros(1, GAME.state), np.zeros(1, DICE)
open_dice(dice[0], np.uint64(1), np.uint64(2), np.arange(4, dtype=np.uint32))
contract.deal(state[0], GAME.load(None).record[0], np.arange(2), dice[0])
print(state["heap"][0].tolist(), jit.cache_folder().name, sum(GAME.verbs.deal.entry.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the simulator and of the tiny game that a test can change."""
    for folder in ("sim", "tests/every_game"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")


@needs_compiler
def test_a_constant_changed_in_another_file_changes_the_numbers(package: Path, python):
    """`deal` is in play.py; the test changes the generator in sim/engine/dice.py, then the purpose of the shuffle in state.py."""

    def run() -> list[str]:
        return python("-c", DEAL, root=package, FAIRFIGHT_CACHE=str(package / "cache")).rsplit(maxsplit=2)

    first, again = run(), run()
    assert again[:2] == first[:2]
    assert (first[2], again[2]) == ("0", "1")  # the second time, from the disk
    edit(package / "sim/engine/dice.py", "0xD2511F53", "0xD2511F55")
    other_dice = run()
    edit(package / "tests/every_game/lone_climb/state.py", "HEAP = Purpose.FIRST_FREE\n", "HEAP = Purpose.FIRST_FREE + 2\n")
    other_purpose = run()
    runs = (first, other_dice, other_purpose)
    assert len({tuple(sorted(json.loads(heap))) for heap, _, _ in runs}) == 1
    assert len({heap for heap, _, _ in runs}) == len({folder for _, folder, _ in runs}) == 3
    assert {hits for _, _, hits in runs} == {"0"}


FOLDER = "from sim.engine.jit import cache_folder; print(cache_folder())"


def test_code_with_checked_bounds_has_a_separate_folder(tmp_path: Path, python):
    folders = {python("-c", FOLDER, FAIRFIGHT_CACHE=str(tmp_path), NUMBA_BOUNDSCHECK=flag) for flag in ("0", "1")}
    assert len(folders) == 2


def test_the_cache_home_can_be_chosen(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "new"))
    assert jit.cache_folder().parent == tmp_path / "new"
    monkeypatch.delenv("FAIRFIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert jit.cache_folder().parent == tmp_path / "xdg" / "fairfight"


@pytest.mark.parametrize("variable", ["FAIRFIGHT_CACHE", "XDG_CACHE_HOME"])
def test_a_cache_home_that_cannot_be_written_is_replaced(variable, tmp_path: Path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.delenv("FAIRFIGHT_CACHE", raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "file"))
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path / "temporary"))
    assert jit.cache_folder().parent.parent == tmp_path / "temporary"


def test_a_read_only_cache_home_is_replaced(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "mine"))
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(jit.os, "access", lambda place, _: "mine" not in str(place))
    assert jit.cache_folder().parent.parent == tmp_path / "temporary"


def test_a_covered_folder_changes_the_cache_folder_with_its_sources(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(jit, "_covered", [jit.SOURCES])
    monkeypatch.setattr(jit, "_kernels", [])
    monkeypatch.setattr(jit, "_folder", jit.cache_folder())
    plain = jit.cache_folder()
    game = tmp_path / "rooms" / "rules.py"
    game.parent.mkdir()
    game.write_text("DECK = 6")
    jit.cover(tmp_path)
    first = jit.cache_folder()
    jit.cover(tmp_path)
    jit.cover(jit.SOURCES / "games")
    assert len(jit._covered) == 2
    assert jit.cache_folder() == jit._folder == first != plain
    game.write_text("DECK = 5")
    changed = jit.cache_folder()
    game.rename(game.with_name("other.py"))
    assert len({plain, first, changed, jit.cache_folder()}) == 4


FILED = """
import sys
from pathlib import Path
from sim.engine import jit, loop
from sim.registry import GAMES
kernels = [loop.play_block, *(game.verbs.deal for game in GAMES.values())]
before = [kernel.entry._cache.cache_path for kernel in kernels]
jit.cover(Path(sys.argv[1]))
print({kernel.entry._cache.cache_path == path for kernel, path in zip(kernels[1:], before[1:])}, end=" ")
print(loop.play_block.entry._cache.cache_path == before[0])
"""


@needs_compiler
def test_built_in_games_are_not_compiled_again_for_a_game_from_outside(tmp_path: Path, python):
    """The loop is compiled again, because it plays both."""
    (tmp_path / "rules.py").write_text("DECK = 6")
    assert python("-c", FILED, str(tmp_path)).split() == ["{True}", "False"]


def test_the_users_cache_setting_is_left_alone(monkeypatch):
    monkeypatch.setattr(jit.config, "CACHE_DIR", "of the user")

    @jit.kernel
    def nothing() -> int:
        return 0

    assert nothing() == 0
    assert jit.config.CACHE_DIR == "of the user"


@needs_compiler
def test_kernels_divide_as_numpy_does_and_leave_the_interpreter_lock():
    @jit.kernel
    def ratio(a: float, b: float) -> float:
        return a / b

    assert ratio(1.0, 0.0) == np.inf
    assert ratio.targetoptions["nogil"]
    assert not ratio.targetoptions.get("fastmath")


def test_warmed_parts_are_known_even_after_another_game_was_registered(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(jit, "_folder", tmp_path / "not there yet")
    jit.note_warm("duel")
    assert jit.is_warm("duel")
    assert jit.is_warm("arena") != jit.COMPILED


def test_compiled_code_unused_for_a_month_is_deleted(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    old, used, other = tmp_path / ("a" * 20), tmp_path / ("b" * 20), tmp_path / "my photographs"
    long_ago = time.time() - 40 * 86_400
    for folder in (old, used, other):
        folder.mkdir()
        (folder / "arena.warm").touch()
    for path in (old / "arena.warm", old, used, other):
        os.utime(path, (long_ago, long_ago))
    assert jit.prune() == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b" * 20, "my photographs"]


def test_two_copies_of_the_package_do_not_share_a_folder(package: Path, python):
    """numba files code by the path of its source, so code compiled in one copy is of no use to the other."""
    here, there = (python("-c", FOLDER, root=root, FAIRFIGHT_CACHE=str(package / "cache")) for root in (ROOT, package))
    assert here != there


@needs_compiler
def test_processes_take_turns_at_the_cache_of_a_kernel(tmp_path: Path, monkeypatch):
    """Saving waits while another process holds the lock, so that no index names code that another process wrote."""
    monkeypatch.setattr(jit, "_folder", tmp_path)

    @jit.kernel
    def double(x: float) -> float:
        return x * 2

    lock = FileLock(Path(double.entry._cache.cache_path).with_suffix(".lock"))
    worker = threading.Thread(target=double, args=(2.5,))
    with lock:
        worker.start()
        worker.join(3)
        assert worker.is_alive()  # compiled or compiling, but waiting for the cache
        assert not list(tmp_path.rglob("*.nbi"))
    worker.join(60)
    assert not worker.is_alive()
    assert list(tmp_path.rglob("*.nbi"))


@needs_compiler
def test_compiling_counts_each_kernel_once_and_cached_kernels_not_at_all(tmp_path: Path, python):
    count = """
from sim.engine import jit
import numpy as np

@jit.kernel
def inner(x):
    return x + 1

@jit.kernel
def outer(x):
    return inner(x)

seen = []
with jit.compiling(lambda done, known: seen.append((done, known))):
    outer(1), outer(2), outer(np.float64(1))
print(seen[-1] if seen else None)
"""
    program = tmp_path / "program.py"
    program.write_text(count, encoding="utf-8")
    first, again = (python(str(program), FAIRFIGHT_CACHE=str(tmp_path / "cache")).strip() for _ in range(2))
    done, known = json.loads(f"[{first[1:-1]}]")
    assert (done, again) == (2, "None")
    assert known >= done
