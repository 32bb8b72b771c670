"""Links in a run folder: nothing outside of the folder is ever written or deleted."""

import shutil
from pathlib import Path

import pytest

from sim.store import Filled, Run
from tests.store.folders import BLOCK, GAMES, block_files, content, duel_run, full_run, played_bytes, read_bytes, refused

pytestmark = pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="this system has no links")


@pytest.fixture
def run(tmp_path, coin_duel):
    """A complete run."""
    return full_run(tmp_path / "run", coin_duel)


@pytest.fixture
def outside(tmp_path):
    """A folder elsewhere with a file in it, and a check that both stay unchanged."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_bytes(b"mine")
    yield folder
    assert content(folder) == {"file": b"mine"}


def linked(place: Path, target: Path) -> None:
    """Replace a file or folder by a link."""
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(target)


@pytest.mark.parametrize("name", ["blocks", "manifest.json", ".lock", ".holder.json"])
@pytest.mark.parametrize("target", ["file", "nothing"])
def test_a_run_with_a_link_in_it_is_not_continued(run, outside, coin_duel, name, target):
    linked(run.folder / name, outside / target)
    for go_on in (lambda: run.fill(jobs=1), lambda: Run.begin(run.folder, run.experiment)):
        with refused(f"{run.folder / name}: is a link; a run is written to its own folder only"):
            go_on()


def test_blocks_are_not_written_to_another_folder(run, outside, coin_duel):
    linked(run.folder / "blocks", outside)
    with refused(f"{run.folder / 'blocks'}: is a link; a run is written to its own folder only"):
        duel_run(run.folder, coin_duel)


@pytest.mark.slow
def test_links_in_the_place_of_unfinished_files_are_not_followed(run, outside, coin_duel, tmp_path):
    whole = content(run.folder)
    last = block_files(run.folder)[-1]
    last.unlink()
    places = [run.folder / "blocks" / f".{last.name}.part", run.folder / ".manifest.json.part", run.folder / "..holder.json.part"]
    for place in places:
        linked(place, outside / "file")
    assert run.fill(jobs=1) == Filled(GAMES - BLOCK, BLOCK, ())
    assert content(run.folder) == whole
    for place in places:
        linked(place, outside / "file")
    full_run(run.folder, coin_duel, 2 * GAMES)
    assert content(run.folder) == content(full_run(tmp_path / "fresh", coin_duel, 2 * GAMES).folder)


def test_a_new_run_does_not_follow_links_that_were_there_before(outside, coin_duel, tmp_path):
    folder = tmp_path / "new"
    folder.mkdir()
    linked(folder / ".manifest.json.part", outside / "file")
    assert full_run(folder, coin_duel).held == GAMES
    assert not (folder / ".manifest.json.part").is_symlink()


def test_a_block_that_is_a_link_is_replaced_and_not_written_through(run, outside):
    whole = content(run.folder)
    second = block_files(run.folder)[1]
    linked(second, outside / "file")
    assert run.fill(jobs=1) == Filled(
        GAMES - BLOCK, BLOCK, (f"{second.name} is damaged: its content does not match the digest in its name",)
    )
    assert not second.is_symlink()
    assert content(run.folder) == whole


def test_a_block_that_lies_elsewhere_is_read_if_it_verifies(run, tmp_path):
    second = block_files(run.folder)[1]
    elsewhere = second.rename(tmp_path / "elsewhere")
    second.symlink_to(elsewhere)
    assert run.fill(jobs=1) == Filled(GAMES, 0, ())
    assert read_bytes(run) == played_bytes(run.experiment)


def test_a_folder_with_the_name_of_an_unfinished_file_is_reported(run):
    place = run.folder / "blocks" / f".{block_files(run.folder)[0].name}.part"
    place.mkdir()
    with refused(f"{place}: cannot be deleted (is a directory)"):
        run.fill(jobs=1)


def test_a_run_can_be_continued_through_a_link_to_its_folder(run, coin_duel, tmp_path):
    """A user who names the link means the folder."""
    (tmp_path / "link").symlink_to(run.folder)
    assert full_run(tmp_path / "link", coin_duel, 2 * GAMES).held == 2 * GAMES
    assert Run.open(run.folder).held == 2 * GAMES
