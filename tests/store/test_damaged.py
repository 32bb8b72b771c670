"""Damaged, moved or replaced block files are always noticed, never counted, and their games are played again."""

import os
import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sim.run import Block, play_range
from sim.store import Filled, Run
from sim.store.columns import Layout
from sim.store.parts import FIRST, GAMES, RUN, Part, encoded
from tests.every_game.play import experiment, shortened
from tests.store.folders import BLOCK, FILES, block_files, content, full_run, played_bytes, read_bytes, refused
from tests.store.folders import GAMES as OF_A_RUN

FLIPS = shortened(200)
DAMAGED = "is damaged: its content does not match the digest in its name"


@pytest.fixture
def run(tmp_path, coin_duel):
    """A complete run."""
    return full_run(tmp_path / "run", coin_duel)


@pytest.fixture
def whole(run):
    """The content of the run before any damage."""
    return content(run.folder)


def spoilt(run: Run, index: int, change) -> Path:
    """Change the content of a block file."""
    path = block_files(run.folder)[index]
    path.write_bytes(change(path.read_bytes()))
    return path


CHANGES = {
    "empty": lambda _: b"",
    "half": lambda content: content[: len(content) // 2],
    "without its last byte": lambda content: content[:-1],
    "another kind of file": lambda _: b"game,turns\n1,2\n",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.slow
def test_a_damaged_file_is_not_read_and_its_games_are_played_again(run, whole, change):
    path = spoilt(run, 2, CHANGES[change])
    found = run.read()
    assert [next(found).first, next(found).first] == [0, BLOCK]
    with refused(f"{path}: {DAMAGED}; `fairfight run {run.folder}` plays its games again"):
        next(found)
    assert run.check() == (OF_A_RUN - BLOCK, [f"{path.name} {DAMAGED}"])
    assert run.fill(jobs=1) == Filled(OF_A_RUN - BLOCK, BLOCK, (f"{path.name} {DAMAGED}",))
    assert content(run.folder) == whole


@pytest.mark.slow
def test_every_bit_counts(run, whole):
    """After one bit is flipped anywhere in a file, only the games before that file are read."""
    path, chance = block_files(run.folder)[1], random.Random(8)
    right = path.read_bytes()
    for _ in range(FLIPS):
        wrong, place = bytearray(right), chance.randrange(8 * len(right))
        wrong[place // 8] ^= 1 << place % 8
        path.write_bytes(wrong)
        found = run.read()
        assert next(found).first == 0
        with refused(f"{path}: {DAMAGED}; `fairfight run {run.folder}` plays its games again"):
            next(found)
    assert run.fill(jobs=1).damaged == (f"{path.name} {DAMAGED}",)
    assert content(run.folder) == whole


def test_several_damaged_files_are_all_reported(run, whole):
    paths = [spoilt(run, index, CHANGES["half"]) for index in (0, 3, 5)]
    done = run.fill(jobs=2)
    assert done == Filled(OF_A_RUN - 3 * BLOCK, 3 * BLOCK, tuple(f"{path.name} {DAMAGED}" for path in paths))
    assert content(run.folder) == whole


def renamed(path: Path, first: int, games: int = BLOCK) -> Path:
    """Give a block file the name of other games."""
    digest = path.name.split("-")[-1]
    return path.rename(path.with_name(f"{first:014d}-{games}-{digest}"))


def test_a_file_in_the_place_of_another_is_noticed(run, whole):
    first, second = block_files(run.folder)[1:3]
    second.unlink()
    moved = renamed(first, 2 * BLOCK)
    first.write_bytes(moved.read_bytes())
    with refused(f"{moved}: does not hold games 18..26, despite its name; `fairfight run {run.folder}` plays its games again"):
        list(run.read())
    assert run.fill(jobs=1).damaged == (f"{moved.name} does not hold games 18..26, despite its name",)
    assert content(run.folder) == whole


@pytest.mark.slow
def test_a_file_that_claims_other_numbers_of_games_does_not_count(run, whole):
    last = block_files(run.folder)[-1]
    for first, games in ((5 * BLOCK, BLOCK - 1), (5 * BLOCK - 1, BLOCK), (0, OF_A_RUN), (9 * BLOCK, BLOCK), (0, 0)):
        claiming = renamed(last, first, games)
        last.write_bytes(claiming.read_bytes())
        assert read_bytes(run) == played_bytes(run.experiment)
        assert run.fill(jobs=1) == Filled(OF_A_RUN, 0, ())
        assert content(run.folder) == whole


@pytest.fixture
def other_run(tmp_path, coin_duel):
    """A run of another seed."""
    other = Run.begin(tmp_path / "other", experiment(coin_duel, OF_A_RUN, seed=8), block_games=BLOCK)
    other.fill(jobs=1)
    return other


@pytest.mark.slow
def test_games_of_another_run_are_never_accepted(run, other_run):
    """Two folders copied into one. Nothing is deleted: the user may want it back."""
    ours, theirs = block_files(run.folder)[1], block_files(other_run.folder)[1]
    ours.unlink()
    strange = Path(shutil.copy(theirs, ours.parent))
    before = content(run.folder)
    message = f"{strange}: belongs to another run than manifest.json describes; move it out of the folder"
    with refused(message):
        list(run.read())
    with refused(message):
        run.fill(jobs=1)
    assert content(run.folder) == before


@pytest.mark.slow
def test_a_manifest_of_another_run_than_the_blocks_is_noticed(run, other_run):
    """The two runs differ in their seed."""
    shutil.copy(other_run.folder / "manifest.json", run.folder)
    before, wrong = content(run.folder), Run.open(run.folder)
    message = f"{block_files(run.folder)[0]}: belongs to another run than manifest.json describes; move it out of the folder"
    with refused(message):
        list(wrong.read())
    with refused(message):
        wrong.fill(jobs=1)
    assert content(run.folder) == before


def forged(run: Run, index: int, table: pa.Table) -> Path:
    """Replace a block by a file that is valid in every way except for its games."""
    old = block_files(run.folder)[index]
    identity = run.manifest.identity
    labels = {RUN: identity.encode(), FIRST: str(index * BLOCK).encode(), GAMES: str(BLOCK).encode()}
    part = Part(identity, index * BLOCK, BLOCK, encoded([table], table.schema, [], labels))
    new = old.with_name(f"{index * BLOCK:014d}-{BLOCK}-{part.digest}.parquet")
    new.write_bytes(part.content)
    old.unlink()
    return new


def block_table(run: Run, first: int, games: int) -> pa.Table:
    """Games of the run as a table."""
    return Layout.of(run.experiment).table(play_range(run.experiment, first, games)[0])


def test_a_file_with_fewer_lines_than_games_does_not_count(run, whole):
    path = forged(run, 1, block_table(run, BLOCK, BLOCK - 1))
    with refused(f"{path}: holds 8 lines for 9 games; `fairfight run {run.folder}` plays its games again"):
        list(run.read())
    assert run.fill(jobs=1).damaged == (f"{path.name} holds 8 lines for 9 games",)
    assert content(run.folder) == whole


def test_a_file_with_other_columns_does_not_count(run, whole):
    path = forged(run, 1, block_table(run, BLOCK, BLOCK).drop_columns(["turns"]))
    with refused(f"{path}: its columns are not those of the run's games; `fairfight run {run.folder}` plays its games again"):
        list(run.read())
    assert run.fill(jobs=1).damaged == (f"{path.name} its columns are not those of the run's games",)
    assert content(run.folder) == whole


def test_games_that_are_not_in_order_are_not_read(run):
    block, _ = play_range(run.experiment, BLOCK, BLOCK)
    turned = Block(BLOCK, np.flip(block.rows), np.flip(block.outcomes))
    path = forged(run, 1, Layout.of(run.experiment).table(turned))
    with refused(f"{path}: does not hold games 9..17 in order"):
        list(run.read())


def test_a_file_that_vanishes_while_the_run_is_read_is_reported(run):
    found, last = run.read(), block_files(run.folder)[-1]
    next(found)
    last.unlink()
    with refused(f"{last}: is gone; `fairfight run {run.folder}` plays its games again"):
        list(found)


def test_a_folder_in_the_place_of_a_file_is_reported(run):
    path = block_files(run.folder)[1]
    path.unlink()
    path.mkdir()
    with refused(f"{path}: cannot be read (is a directory); `fairfight run {run.folder}` plays its games again"):
        list(run.read())
    with refused(f"{path}: cannot be written (is a directory)"):
        run.fill(jobs=1)
    path.rmdir()
    assert run.fill(jobs=1) == Filled(OF_A_RUN - BLOCK, BLOCK, ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(run, whole):
    path = block_files(run.folder)[1]
    path.unlink()
    os.mkfifo(path)
    with refused(f"{path}: cannot be read (not a regular file); `fairfight run {run.folder}` plays its games again"):
        list(run.read())
    assert run.fill(jobs=1).damaged == (f"{path.name} cannot be read (not a regular file)",)
    assert content(run.folder) == whole


def test_a_file_in_the_place_of_the_block_folder_is_reported(run, coin_duel):
    shutil.rmtree(run.folder / "blocks")
    (run.folder / "blocks").write_text("mine")
    with refused(f"{run.folder}/blocks: is a file; name a folder"):
        run.fill(jobs=1)
    assert (run.folder / "blocks").read_text() == "mine"


def test_other_files_among_the_blocks_are_left_alone_and_not_counted(run, whole):
    names = ("notes.txt", "copy.parquet", f"{0:014d}-{BLOCK}-{'G' * 16}.parquet", f"{0:013d}-{BLOCK}-{'a' * 16}.parquet")
    for name in names:
        (run.folder / "blocks" / name).write_text("mine")
    assert (run.held, run.stored) == (OF_A_RUN, OF_A_RUN)
    assert read_bytes(run) == played_bytes(run.experiment)
    assert run.fill(jobs=1) == Filled(OF_A_RUN, 0, ())
    assert content(run.folder) == whole | {f"blocks/{name}": b"mine" for name in names}


def test_of_several_files_of_a_block_the_right_one_stays(run, whole):
    right = block_files(run.folder)[1]
    wrong = [right.with_name(f"{BLOCK:014d}-{BLOCK}-{digit * 16}.parquet") for digit in "0f"]
    for path in wrong:
        path.write_bytes(right.read_bytes())
    assert run.fill(jobs=1) == Filled(OF_A_RUN, 0, (f"{wrong[0].name} {DAMAGED}",))
    assert content(run.folder) == whole
    assert len(block_files(run.folder)) == FILES
