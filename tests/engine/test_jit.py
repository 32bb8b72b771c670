"""Kernels: compiled code is neither stale nor damaged, and numba is as documented where its private parts are missing."""

import errno
import importlib
import json
import os
import shutil
import time
from itertools import pairwise
from pathlib import Path

import numba
import numpy as np
import pytest

from sim.engine import codecache, jit, sources
from sim.engine.jit import COMPILED, KernelError, kernel, verb
from sim.engine.numba_messages import in_short
from tests.conftest import BUILT_IN, ROOT, TINY, in_soak
from tests.every_game.play import digests

pytestmark = pytest.mark.compiles

needs_compiler = pytest.mark.skipif(not COMPILED, reason="the compiler is off")
needs_code_on_disk = pytest.mark.skipif(not jit.KEEPS_CODE, reason="compiled code is not kept")

DEAL = """
import numpy as np
from sim.engine import codecache, contract, jit
from sim.engine.dice import DICE, open_dice
from sim.registry import register
from tests.every_game.lone_climb import GAME

register(GAME)
state, dice = np.zeros(1, GAME.state), np.zeros(1, DICE)
open_dice(dice[0], np.uint64(1), np.uint64(2), np.arange(4, dtype=np.uint32))
contract.deal(state[0], GAME.load(None).record[0], np.arange(2), dice[0])
folder = codecache.cache_folder(jit._games[jit.record_type(GAME.state)])
print(state["heap"][0].tolist(), folder.name, sum(GAME.verbs.deal.entry.stats.cache_hits.values()))
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
@pytest.mark.slow
def test_a_constant_changed_in_another_file_changes_the_numbers(package: Path, python):
    """The test changes the generator in sim/engine/dice.py, then the purpose of the shuffle in the game that deals."""

    def run() -> list[str]:
        return python("-c", DEAL, root=package, FAIRFIGHT_CACHE=str(package / "cache")).rsplit(maxsplit=2)

    first, again = run(), run()
    assert again[:2] == first[:2]
    assert (first[2], again[2]) == ("0", "1")  # the second time, from the disk
    edit(package / "sim/engine/dice.py", "0xD2511F53", "0xD2511F55")
    other_dice = run()
    edit(
        package / "tests/every_game/lone_climb/__init__.py",
        "HEAP = kit.Purpose.FIRST_FREE\n",
        "HEAP = kit.Purpose.FIRST_FREE + 2\n",
    )
    other_purpose = run()
    runs = (first, other_dice, other_purpose)
    assert len({tuple(sorted(json.loads(heap))) for heap, _, _ in runs}) == 1
    assert len({heap for heap, _, _ in runs}) == len({folder for _, folder, _ in runs}) == 3
    assert {hits for _, _, hits in runs} == {"0"}


FOLDER = "from sim.engine.codecache import cache_folder; print(cache_folder())"


@pytest.mark.slow
def test_code_with_checked_bounds_has_a_separate_folder(tmp_path: Path, python):
    folders = {python("-c", FOLDER, FAIRFIGHT_CACHE=str(tmp_path), NUMBA_BOUNDSCHECK=flag) for flag in ("0", "1")}
    assert len(folders) == 2


def test_the_cache_home_can_be_chosen(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "new"))
    assert codecache.cache_folder().parent == tmp_path / "new"
    monkeypatch.delenv("FAIRFIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert codecache.cache_folder().parent == tmp_path / "xdg" / "fairfight"


@pytest.mark.parametrize("variable", ["FAIRFIGHT_CACHE", "XDG_CACHE_HOME"])
def test_a_cache_home_that_cannot_be_written_is_replaced(variable, tmp_path: Path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.delenv("FAIRFIGHT_CACHE", raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "file"))
    monkeypatch.setattr(codecache.tempfile, "tempdir", str(tmp_path / "temporary"))
    assert codecache.cache_folder().parent.parent == tmp_path / "temporary"


def test_a_read_only_cache_home_is_replaced(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "mine"))
    monkeypatch.setattr(codecache.tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(codecache.os, "access", lambda place, _: "mine" not in str(place))
    assert codecache.cache_folder().parent.parent == tmp_path / "temporary"


FOLDERS = """
import sys
from pathlib import Path
from sim.engine import codecache, sources
for root in (sources.ENGINE, sources.SOURCES / "games/arena", sources.SOURCES / "games/rookling", Path(sys.argv[1])):
    print(codecache.cache_folder(root).name)
"""


@pytest.mark.slow
def test_only_games_whose_sources_changed_are_compiled_again(package: Path, python):
    game = package / "tests/every_game/lone_climb"

    def folders() -> list[str]:
        return python("-c", FOLDERS, str(game), root=package).split()

    first = folders()
    edit(game / "__init__.py", "HEAP = kit.Purpose.FIRST_FREE\n", "HEAP = kit.Purpose.FIRST_FREE + 2\n")
    other_game = folders()
    edit(package / "sim/games/arena/state.py", "The STATE record: one", "The STATE record, one")
    other_arena = folders()
    edit(package / "sim/engine/dice.py", "0xD2511F53", "0xD2511F55")
    other_engine = folders()
    changed = [[a != b for a, b in zip(*pair, strict=True)] for pair in pairwise([first, other_game, other_arena, other_engine])]
    assert changed == [[False, False, False, True], [False, True, False, False], [True] * 4]
    (game / "__init__.py").rename(game / "other.py")
    assert folders()[3] != other_engine[3]


def test_the_sources_of_a_kernel_are_its_package(tmp_path: Path):
    inner = tmp_path / "rooms" / "rules"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    assert sources.root_of(inner / "walls.py") == inner.parent
    assert sources.root_of(tmp_path / "alone.py") == tmp_path / "alone.py"
    assert sources.root_of(sources.SOURCES / "games/arena/rules/attack.py") == sources.SOURCES / "games/arena"
    assert sources.root_of(sources.SOURCES / "engine/dice.py") == sources.ENGINE


KEPT_WITH = """
import numba
from sim.engine import loop
from sim.registry import GAMES, register
from sim.run import bench_for
from tests.every_game.lone_climb import GAME
register(GAME)
for game in (GAMES["arena"], GAME):
    state = numba.typeof(bench_for(game))
    print(*[entry._cache.file_of((state,)) for entry in (loop.play_block.entry, game.verbs.deal.entry)])
"""


@needs_compiler
@pytest.mark.slow
def test_the_loop_of_a_game_is_kept_with_the_game(python):
    for line in python("-c", KEPT_WITH).splitlines():
        loop, deal = (Path(path).parents[1] for path in line.split())
        assert loop == deal != codecache.cache_folder()


def test_the_users_cache_setting_is_left_alone(monkeypatch):
    monkeypatch.setattr(codecache.config, "CACHE_DIR", "of the user")

    @jit.kernel
    def nothing() -> int:
        return 0

    assert nothing() == 0
    assert codecache.config.CACHE_DIR == "of the user"


@needs_compiler
def test_kernels_divide_as_numpy_does_and_leave_the_interpreter_lock():
    @jit.kernel
    def ratio(a: float, b: float) -> float:
        return a / b

    assert ratio(1.0, 0.0) == np.inf
    assert ratio.part.targetoptions["nogil"]
    assert not ratio.part.targetoptions.get("fastmath")


def test_plain_kernels_pass_integers_on_as_wide_as_compiled_ones():
    fields = np.array([(7, -3)], [("bit", np.int8), ("n", np.int16)])[0]
    assert jit._plain(lambda bit: 1 << bit)(fields["bit"]) == 128  # in an int8 it would be -128
    assert type(jit._plain(lambda record: record["n"])(fields)) is int
    assert type(jit._plain(lambda word: word)(np.uint64(1))) is np.uint64


def test_warmed_parts_are_known(tmp_path: Path, monkeypatch, lone_climb, coin_duel):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "not there yet"))
    jit.note_warm(lone_climb.state, "duel")
    assert jit.is_warm(lone_climb.state, "duel")
    assert jit.is_warm(lone_climb.state, "loop") != COMPILED
    assert jit.is_warm(coin_duel.state, "duel") != COMPILED


def test_compiled_code_unused_for_a_month_is_deleted(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    old, used, other = tmp_path / ("a" * 20), tmp_path / ("b" * 20), tmp_path / "my photographs"
    long_ago = time.time() - 40 * 86_400
    for folder in (old, used, other):
        folder.mkdir()
        (folder / "arena.warm").touch()
    for path in (old / "arena.warm", old, used, other):
        os.utime(path, (long_ago, long_ago))
    assert codecache.prune() == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b" * 20, "my photographs"]


@needs_compiler
@pytest.mark.soak
def test_copies_of_the_package_share_compiled_code(package: Path, python):
    runs = [python("-c", DEAL, root=root, FAIRFIGHT_CACHE=str(package / "cache")).rsplit(maxsplit=2) for root in (ROOT, package)]
    assert [hits for _, _, hits in runs] == ["0", "1"]
    assert runs[0][:2] == runs[1][:2]


def double(x: float) -> float:
    return x * 2


def triple(x: float) -> float:
    return x * 3


def swapped(file: Path) -> None:
    """Put the code of another kernel in its place."""
    assert kernel(triple)(2.5) == 7.5
    (other,) = file.parent.glob("*triple*.nbc")
    file.write_bytes(other.read_bytes())


def of_another_numba(file: Path) -> None:
    """Put the code in its place that another version of numba wrote."""
    folder = file.parents[1].with_name("0" * codecache.DIGITS)
    other = folder / file.relative_to(file.parents[1])
    codecache.write_code(other, file.read_bytes()[codecache.CHECKSUM_BYTES :])
    file.write_bytes(other.read_bytes())


DAMAGED, FOREIGN = "is damaged", "does not load (UnpicklingError: invalid load key, '?'.)"
DAMAGE = {
    "empty": (lambda file: file.write_bytes(b""), DAMAGED),
    "cut": (lambda file: file.write_bytes(file.read_bytes()[:-1]), DAMAGED),
    "zeroed": (lambda file: file.write_bytes(bytes(len(file.read_bytes()))), DAMAGED),
    "flipped": (lambda file: file.write_bytes(file.read_bytes()[:999] + b"?" + file.read_bytes()[1000:]), DAMAGED),
    "swapped": (swapped, DAMAGED),
    "of another numba": (of_another_numba, DAMAGED),
    "no code": (lambda file: codecache.write_code(file, b"?"), FOREIGN),
}


@needs_code_on_disk
@pytest.mark.parametrize(("damage", "reason"), DAMAGE.values(), ids=DAMAGE)
def test_code_that_cannot_be_used_is_set_aside_and_compiled_again(damage, reason, tmp_path: Path, monkeypatch, caplog):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    assert kernel(double)(2.5) == 5
    (file,) = tmp_path.rglob("*double*.nbc")
    damage(file)
    assert kernel(double)(2.5) == 5
    aside = file.with_suffix(".damaged")
    assert caplog.messages == [f"{file}: compiled code {reason}; set aside as {aside.name}, compiling it again"]
    assert aside.exists()
    third = kernel(double)
    assert third(2.5) == 5
    assert third.entry.stats.cache_hits
    assert len(caplog.messages) == 1


def tripled(x: float) -> float:
    return x + double_of(x)


@kernel
def double_of(x: float) -> float:
    return x * 2


def doubled(x: float) -> float:
    return double_of(x)


def compile_together(*calls: tuple) -> None:
    with jit.together():
        for entry, value in calls:
            entry(value)


def modules(folder: Path) -> list[Path]:
    return [*folder.rglob("modules/*.nbc")]


@needs_code_on_disk
def test_entry_points_compiled_together_are_in_one_module_and_not_run(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    first, second = kernel(tripled), kernel(doubled)
    with jit.together():
        assert first(2.5) is first(2.5) is second(2.5) is True
    assert (first(2.5), second(2.5), second(np.int64(3))) == (7.5, 5, 6)  # the last is compiled on its own
    assert len(modules(tmp_path)) == 1
    again = kernel(tripled), kernel(doubled)
    assert [entry(2.5) for entry in again] == [7.5, 5]
    assert [sum(entry.entry.stats.cache_hits.values()) for entry in again] == [1, 1]


@needs_code_on_disk
@pytest.mark.parametrize("damage", [damage for name, (damage, _) in DAMAGE.items() if name not in ("swapped", "no code")])
def test_a_module_that_cannot_be_used_is_set_aside_and_its_entry_points_are_compiled_again(
    damage, tmp_path: Path, monkeypatch, caplog
):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(jit.private, "_modules", {})
    compile_together((kernel(tripled), 2.5), (kernel(doubled), 2.5))
    (file,) = modules(tmp_path)
    damage(file)
    for _ in range(2):
        assert (kernel(tripled)(2.5), kernel(doubled)(2.5)) == (7.5, 5)
    assert caplog.messages == [f"{file}: compiled code {DAMAGED}; set aside as {file.stem}.damaged, compiling it again"]


@needs_code_on_disk
def test_after_an_error_in_a_block_no_entry_point_of_it_is_compiled(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    first, second = kernel(tripled), kernel(allocating)
    with pytest.raises(KernelError):
        compile_together((first, 2.5), (second, np.zeros(1, SMALL)[0]))
    assert not [*tmp_path.rglob("*.nbc")]
    assert first(2.5) == 7.5


def test_every_flipped_bit_of_a_file_of_code_is_noticed(tmp_path: Path):
    file = tmp_path / "folder" / "package" / "kernel.nbc"
    codecache.write_code(file, b"code")
    whole = file.read_bytes()
    assert codecache.read_code(file) == b"code"
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        file.write_bytes(flipped)
        assert codecache.read_code(file) is None
        assert not file.exists()


def test_code_is_flushed_under_a_temporary_name_before_it_is_renamed(tmp_path: Path, monkeypatch):
    """A power cut leaves the whole file or none."""
    file = tmp_path / "folder" / "package" / "kernel.nbc"
    codecache.write_code(file, b"old")
    usual, written = os.fsync, []

    def fsync(handle: int) -> None:
        usual(handle)
        written.append((codecache.read_code(file), sorted(path.suffix for path in file.parent.iterdir())))

    monkeypatch.setattr(os, "fsync", fsync)
    codecache.write_code(file, b"new")
    assert written == [(b"old", [".nbc", ".part"]), (b"new", [".nbc"])]  # the file, then its folder


@needs_compiler
def test_a_full_disk_costs_the_cache_and_one_line_but_not_the_result(tmp_path: Path, monkeypatch, caplog, coin_duel):
    def full(*_) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(codecache, "write_file", full)
    assert [kernel(double)(2.5) for _ in range(2)] == [5, 5]
    folder = codecache.cache_folder(sources.root_of(Path(__file__).resolve()))
    reason = "no space left on device"
    assert caplog.messages == [f"{folder}: compiled code cannot be kept ({reason}); each command compiles it again"]


@needs_compiler
def test_e2_without_any_writable_folder_kernels_are_compiled_in_each_process(tmp_path: Path, monkeypatch, caplog, coin_duel):
    (tmp_path / "file").touch()

    def no_folder() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setenv("FAIRFIGHT_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(codecache.tempfile, "gettempdir", no_folder)
    assert kernel(double)(2.5) == 5
    assert caplog.messages == ["compiled code cannot be kept (no folder for it can be written); each command compiles it again"]
    jit.note_warm(coin_duel.state, "loop")
    assert not jit.is_warm(coin_duel.state, "loop")
    assert codecache.prune() == 0


def test_numba_has_the_private_names_that_faster_compilation_needs():
    """After a failure, see "A new version of numba" in sim/engine/README.md."""
    numba_private = importlib.import_module("sim.engine.numba_private")  # raises ImportError with the missing ones
    assert numba_private.missing_names() == []
    readme = (ROOT / "sim/engine/README.md").read_text(encoding="utf-8")
    names = [name for names in numba_private.PRIVATE.values() for name in names]
    assert [name for name in names if f"{name}`" not in readme] == []


WITHOUT = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
from numba.core.compiler import CompileResult
del CompileResult._rebuild
from sim.engine.jit import kernel
double = kernel(lambda x: x * 2)
print(kernel(lambda x: double(x))(2.5))
"""


@needs_compiler
@pytest.mark.slow
def test_without_a_private_name_numba_compiles_as_documented_after_one_line(python):
    reason = f"numba {numba.__version__} has no CompileResult._rebuild"
    line = f"compiling takes longer, and each command compiles again, with this version of numba ({reason})"
    assert python("-c", WITHOUT).splitlines() == [line, "5.0"]


@needs_compiler
@pytest.mark.slow
@pytest.mark.usefixtures("coin_duel")
@pytest.mark.parametrize(
    "games",
    [
        ["coin_duel most random 20 100"],
        in_soak([f"{name} ends {policy} 6 10000" for name in (*BUILT_IN, *TINY) for policy in ("random", "greedy:1")]),
    ],
    ids=["coin_duel", "all"],
)
def test_same_bytes_with_documented_numba_only(games: list[str], python):
    played = python("-m", "tests.every_game.play", *games, timeout_s=3600, FAIRFIGHT_NUMBA="plain").splitlines()
    assert dict(zip(games, map(str.split, played), strict=True)) == {asked: digests(asked) for asked in games}


@needs_compiler
@pytest.mark.slow
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


SMALL = np.dtype([("turn", np.int16), ("pos", np.int16, (4,))], align=True)


def misnamed(state):
    return state["spce"]


def allocating(state):
    return np.zeros(3).sum() + state["turn"]


def reducing(state):
    return state["pos"].max()


def writing_text(state):
    return f"{state['turn']:d}"


def test_an_argument_that_is_nothing_is_explained_by_a_kernel_that_returns_nothing():
    message = "No implementation of function Function(<built-in function not_>) found for signature:\n >>> not_(none)"
    assert in_short(message) == (
        "no implementation of not_(none); a kernel seems to return nothing: `fairfight check GAME` names it"
    )


@pytest.mark.skipif(not COMPILED, reason="without the compiler, kernels are plain functions")
@pytest.mark.parametrize(
    ("function", "reason", "hint"),
    [
        (misnamed, "Field 'spce' was not found in record with fields ('turn', 'pos')", ""),
        (allocating, "no implementation of zeros(3)", "; kernels cannot make new arrays, lists or texts"),
        (reducing, "no implementation of npy_max(nestedarray(int16, (4,)))", "; kernels cannot make new arrays, lists or texts"),
        (writing_text, "format spec in f-strings not supported yet.", ""),
    ],
)
@pytest.mark.slow
def test_a_kernel_that_does_not_compile_is_reported_in_one_line(function, reason: str, hint: str):
    inner = kernel(function)
    outer = kernel(lambda state: inner(state))  # noqa: PLW0108 - a caller is wanted

    def stub(state):
        """A verb, which numba reports with all fields of the record and the caller's line."""

    verb(stub, lambda _: inner)
    through_a_verb = kernel(lambda state: stub(state))  # noqa: PLW0108 - as above
    line = function.__code__.co_firstlineno + 1
    for called in (inner, outer, through_a_verb):
        with pytest.raises(KernelError) as caught:
            called(np.zeros(1, SMALL)[0])
        assert str(caught.value).endswith(f" does not compile: {reason} ({__file__}, line {line}){hint}")
