"""Full and read-only disks: the error names the file in one line, and nothing is lost or half written."""

import errno
import io
import os
import stat
import subprocess
from pathlib import Path

import pytest

from sim.store import Run, StoreError, disk
from tests.conftest import in_soak
from tests.every_game.play import experiment
from tests.store.folders import (
    BLOCK,
    FILES,
    block_files,
    content,
    duel_run,
    full_run,
    played_bytes,
    read_bytes,
    refused,
    unfinished,
)

pytestmark = pytest.mark.slow

usual_open, usual_mkdir, usual_os_open = Path.open, Path.mkdir, os.open
# The order in which files are written: `Run.begin` writes its holder and the manifest, `Run.fill` its holder and the blocks.
FIRST_HOLDER, MANIFEST, SECOND_HOLDER, FIRST_BLOCK = range(4)


class Full(io.BufferedWriter):
    """A file of which the disk accepts only half."""

    def write(self, written) -> int:
        super().write(written[: len(written) // 2])
        self.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def whole(tmp_path, coin_duel):
    """A run without any error."""
    return full_run(tmp_path / "whole", coin_duel)


@pytest.fixture
def full_after(monkeypatch):
    """Make the disk full after a number of files."""

    def prepare(files: int) -> None:
        written = []

        def opened(path, mode="r", *more, **named):
            if mode != "xb":
                return usual_open(path, mode, *more, **named)
            written.append(path)
            return Full(io.FileIO(path, "x")) if len(written) > files else usual_open(path, mode, *more, **named)

        monkeypatch.setattr(Path, "open", opened)

    return prepare


@pytest.mark.parametrize("files", [*range(FIRST_BLOCK + 1), *map(in_soak, range(FIRST_BLOCK + 1, FIRST_BLOCK + FILES))])
def test_a_full_disk_is_reported_with_the_file_and_the_run_can_be_continued(
    tmp_path, coin_duel, whole, full_after, monkeypatch, files
):
    folder = tmp_path / "run"
    names = [".holder.json", "manifest.json", ".holder.json", *(f"blocks/{path.name}" for path in block_files(whole.folder))]
    full_after(files)
    with refused(f"{folder / names[files]}: cannot be written (no space left on device)"):
        full_run(folder, coin_duel)
    assert unfinished(folder) == []
    assert sorted(content(folder)) == sorted(set(names[:files]) - {".holder.json"})
    monkeypatch.undo()
    assert full_run(folder, coin_duel).held == whole.held
    assert content(folder) == content(whole.folder)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_disk_that_reports_being_full_only_on_flushing_is_noticed(tmp_path, coin_duel, whole, monkeypatch, jobs):
    """Network file systems accept everything at first."""
    run = duel_run(tmp_path / "run", coin_duel)
    usual, flushed = os.fsync, []

    def fsync(handle: int) -> None:
        usual(handle)
        flushed.append(handle)
        if len(flushed) > 7:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr(disk.os, "fsync", fsync)
    with pytest.raises(StoreError, match=r"\.parquet: cannot be written \(disk quota exceeded\)$"):
        run.fill(jobs)
    assert unfinished(run.folder) == []
    monkeypatch.undo()
    run.fill(jobs)
    assert content(run.folder) == content(whole.folder)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_file_systems_that_cannot_flush_a_folder_hold_runs_too(tmp_path, coin_duel, whole, monkeypatch, number):
    usual = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        usual(handle)

    monkeypatch.setattr(disk.os, "fsync", fsync)
    assert content(full_run(tmp_path / "run", coin_duel).folder) == content(whole.folder)


def denied(number: int):
    """A function that fails as if the system had denied the operation."""

    def deny(*_, **__):
        raise OSError(number, os.strerror(number))

    return deny


@pytest.fixture
def read_only(monkeypatch):
    """Make every write, creation and deletion fail. Permissions would not do, because root can ignore them."""

    def prepare(number: int) -> None:
        def opened(path, mode="r", *more, **named):
            return (denied(number) if mode == "xb" else usual_open)(path, mode, *more, **named)

        def os_opened(path, flags, *more, **named):
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            return (denied(number) if writes else usual_os_open)(path, flags, *more, **named)

        monkeypatch.setattr(Path, "open", opened)
        monkeypatch.setattr(os, "open", os_opened)
        for name in ("mkdir", "unlink", "replace"):
            monkeypatch.setattr(os, name, denied(number))

    return prepare


@pytest.mark.parametrize(("number", "why"), [(errno.EACCES, "permission denied"), (errno.EROFS, "read-only file system")])
def test_a_folder_that_cannot_be_written_is_reported_and_can_be_read(tmp_path, coin_duel, whole, read_only, number, why):
    before = content(whole.folder)
    read_only(number)
    with refused(f"{tmp_path / 'new'}: cannot be created ({why}); name a folder that is writable"):
        duel_run(tmp_path / "new", coin_duel)
    for go_on in (lambda: duel_run(whole.folder, coin_duel), lambda: whole.fill(jobs=1)):
        with refused(f"{whole.folder}: cannot be written ({why}); name a folder that can"):
            go_on()
    assert read_bytes(Run.open(whole.folder)) == played_bytes(whole.experiment)
    assert content(whole.folder) == before


def test_a_disk_that_fails_during_a_run_is_reported_with_the_file_that_could_not_be_written(
    tmp_path, coin_duel, whole, read_only, monkeypatch
):
    """Not with the file that could not be deleted afterwards."""
    run, third = duel_run(tmp_path / "run", coin_duel), block_files(whole.folder)[2].name
    seen = []

    def watch(*_) -> None:
        seen.append(1)
        if len(seen) == 2:
            read_only(errno.EROFS)

    with refused(f"{run.folder / 'blocks' / third}: cannot be written (read-only file system)"):
        run.fill(jobs=1, watch=watch)
    monkeypatch.undo()
    assert run.fill(jobs=1).kept == 2 * BLOCK
    assert content(run.folder) == content(whole.folder)


def test_a_folder_that_cannot_be_listed_is_reported(whole, coin_duel, monkeypatch):
    monkeypatch.setattr(Path, "iterdir", denied(errno.EACCES))
    with refused(f"{whole.folder}/blocks: cannot be read (permission denied)"):
        list(whole.read())
    monkeypatch.undo()
    monkeypatch.setattr(Path, "is_symlink", denied(errno.EACCES))
    with refused(f"{whole.folder}: cannot be read (permission denied)"):
        duel_run(whole.folder, coin_duel)


@pytest.fixture
def small_disk(tmp_path):
    """A separate file system of 64 kB, and a function to remount it with other options; needs root."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(options: str) -> int:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        return subprocess.run(command, capture_output=True, check=False).returncode

    if os.name != "posix" or os.geteuid() or mount("size=64k"):
        pytest.skip("no file system can be mounted here")
    yield place, mount
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_real_disk_fills_up_and_becomes_read_only(small_disk, tmp_path, coin_duel):
    place, mount = small_disk
    folder, games = place / "run", 40 * BLOCK
    fresh = full_run(tmp_path / "fresh", coin_duel, games)
    with pytest.raises(StoreError, match=r"\.parquet: cannot be written \(no space left on device\)$"):
        full_run(folder, coin_duel, games)
    run = Run.open(folder)
    assert BLOCK <= run.held < games
    assert unfinished(folder) == []
    assert mount("remount,ro") == 0
    with refused(f"{folder}: cannot be written (read-only file system); name a folder that can"):
        run.fill(jobs=1)
    with refused(f"{place / 'new'}: cannot be created (read-only file system); name a folder that is writable"):
        duel_run(place / "new", coin_duel)
    assert read_bytes(run) == played_bytes(experiment(coin_duel, run.held))
    assert mount("remount,rw,size=10m") == 0
    run.fill(jobs=1)
    assert content(folder) == content(fresh.folder)
