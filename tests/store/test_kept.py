"""Games kept for an interrupted command are read exactly as they were played, or not at all."""

import errno
import os
import pickle
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.data.together import played
from sim import run
from sim.run import blocks, keeping_in
from sim.store import disk, kept
from sim.store.kept import DAYS, Keeper, prune
from tests.every_game.play import experiment, joined

GAMES, BLOCK = 60, 10


@pytest.fixture
def duel(coin_duel):
    """A small experiment."""
    return experiment(coin_duel, GAMES)


def keeper(tmp_path: Path, **settings) -> Keeper:
    """The open keeper of a command."""
    opened = Keeper(tmp_path / "kept" / "one", **settings)
    opened.open()
    return opened


def broken_off(tmp_path: Path, duel, after: int = 3) -> bytes:
    """Play some blocks, then stop as if interrupted; returns their bytes."""
    ours, played_blocks = keeper(tmp_path), []
    with keeping_in(ours), closing(blocks(duel, 1, BLOCK)) as under_way:
        for block in under_way:
            played_blocks.append(block)
            if len(played_blocks) == after:
                break
    ours.close()
    ours._hold.release()  # as at the end of a process
    return joined(iter(played_blocks))


def continued(tmp_path: Path, duel, **how) -> tuple[bytes, Keeper]:
    """Play all games that are not kept, and return the bytes of all."""
    ours = keeper(tmp_path)
    with keeping_in(ours):
        return joined(blocks(duel, 1, BLOCK, **how)), ours


def files(tmp_path: Path) -> list[Path]:
    """The files of kept games."""
    return sorted((tmp_path / "kept").glob("*/*.kept"))


def test_a_repeated_command_reads_the_games_that_were_played(tmp_path, duel, monkeypatch):
    broken_off(tmp_path, duel)
    asked = []
    usual = run.play_range
    monkeypatch.setattr(run, "play_range", lambda *given: asked.append(given[1]) or usual(*given))
    found, ours = continued(tmp_path, duel)
    assert ours.recalled >= 3 * BLOCK
    assert min(asked) == ours.recalled
    assert found == joined(blocks(duel, 1, BLOCK))


def test_many_experiments_side_by_side_are_kept_separately(tmp_path, duel):
    many = [replace(duel, seed=seed) for seed in (1, 2, 3)]
    ours = keeper(tmp_path)
    with keeping_in(ours), closing(played(many, 1)) as under_way:
        next(under_way), next(under_way)
    ours.close()
    ours._hold.release()
    ours = keeper(tmp_path)
    with keeping_in(ours):
        found = list(played(many, 1))
    assert ours.recalled >= 2 * GAMES
    for one, other in zip(found, played(many, 1), strict=True):
        assert np.array_equal(one.share, other.share)
        assert np.array_equal(one.turns, other.turns)


@pytest.mark.parametrize("spoil", ["contents", "middle", "cut short", "empty", "another name", "link"])
@pytest.mark.slow
def test_files_that_do_not_verify_are_ignored_and_their_games_played(tmp_path, duel, spoil):
    broken_off(tmp_path, duel)
    (file,) = files(tmp_path)
    content = file.read_bytes()
    head = 8 + int.from_bytes(content[:8], "little")
    match spoil:
        case "contents":
            file.write_bytes(content[:9] + b"x" + content[10:])
        case "middle":
            at = head + 40
            file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        case "cut short":
            file.write_bytes(content[: head + 20])
        case "empty":
            file.write_bytes(b"")
        case "another name":
            file.rename(file.with_name("0" * 32 + ".kept"))
        case "link":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
    before = keeper(tmp_path)
    assert next(before.blocks(duel, 0), None) is None
    before.close()
    if before._hold:
        before._hold.release()
    found, ours = continued(tmp_path, duel)
    assert not ours.recalled or spoil == "middle", "only the damaged games of a file are lost if its table of contents verifies"
    assert found == joined(blocks(duel, 1, BLOCK))


def test_games_in_which_something_else_was_forbidden_are_not_used(tmp_path, duel):
    broken_off(tmp_path, replace(duel, forbidden=("rule.fold",)))
    ours = keeper(tmp_path)
    assert list(ours.blocks(replace(duel, forbidden=("rule.raise",)), 0)) == []
    assert ours.games >= 3 * BLOCK


def test_no_more_games_are_used_than_are_asked_for(tmp_path, duel):
    broken_off(tmp_path, duel)
    ours = keeper(tmp_path)
    assert ours.block(duel, 0, BLOCK - 1) is None
    assert len(ours.block(duel, 0, BLOCK).rows) == BLOCK


@pytest.mark.parametrize("other", ["cards", "seed", "policy", "code"])
def test_games_of_other_cards_players_seeds_or_code_are_not_used(tmp_path, coin_duel, duel, other, monkeypatch):
    broken_off(tmp_path, duel)
    if other == "cards":
        record = duel.cards.record.copy()
        record.view(np.uint8)[..., -1] ^= 1
        changed = replace(duel, cards=replace(duel.cards, record=record))
    elif other == "code":
        monkeypatch.setattr(kept, "sources_digest", lambda _: "other")
        changed = duel
    else:
        changed = replace(duel, seed=8) if other == "seed" else experiment(coin_duel, GAMES, "greedy:1")
    ours = keeper(tmp_path)
    assert list(ours.blocks(changed, 0)) == []
    assert ours.games >= 3 * BLOCK


def test_a_finished_command_leaves_nothing(tmp_path, duel):
    broken_off(tmp_path, duel)
    _, ours = continued(tmp_path, duel)
    ours.flush()
    assert len(files(tmp_path)) == 2
    ours.forget()
    assert list((tmp_path / "kept").iterdir()) == []


def test_short_commands_write_nothing_unless_they_are_interrupted(tmp_path, duel):
    ours = keeper(tmp_path)
    with keeping_in(ours):
        list(blocks(duel, 1, BLOCK))
    ours.close(at_least=100)
    assert not (tmp_path / "kept").exists()
    ours.close()
    assert len(files(tmp_path)) == 1
    assert ours.games == GAMES


def test_longer_commands_write_regularly_so_that_a_kill_loses_little(tmp_path, duel, monkeypatch):
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    ours = keeper(tmp_path)
    with keeping_in(ours):
        list(blocks(duel, 1, BLOCK))
    assert len(files(tmp_path)) == GAMES // BLOCK


def test_the_size_of_kept_games_of_one_command_is_bounded(tmp_path, duel, monkeypatch):
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    monkeypatch.setattr(kept, "FOLDER_BYTES", 1)
    ours = keeper(tmp_path)
    with keeping_in(ours):
        list(blocks(duel, 1, BLOCK))
    assert len(files(tmp_path)) == 1


def test_the_second_of_two_simultaneous_commands_keeps_nothing_and_reports_it_once(tmp_path, duel):
    broken_off(tmp_path, duel)
    first, messages = keeper(tmp_path), []
    assert first.trouble == ""
    second = keeper(tmp_path, tell=messages.append)
    with keeping_in(second):
        assert joined(blocks(duel, 1, BLOCK)) == joined(blocks(duel, 1, BLOCK))
    second.close()
    second.forget()
    assert messages == ["games will not be kept if this command is interrupted: another process runs the same command"]
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize("trouble", ["full", "read-only", "a file in its place"])
def test_a_command_that_cannot_write_plays_on_and_reports_it_once(tmp_path, duel, trouble, monkeypatch):
    if trouble == "a file in its place":
        (tmp_path / "kept").write_text("")
    else:
        number = errno.ENOSPC if trouble == "full" else errno.EROFS

        def refuse(*_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(disk.os, "fsync", refuse)
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    messages = []
    ours = keeper(tmp_path, tell=messages.append)
    with keeping_in(ours):
        found = joined(blocks(duel, 1, BLOCK))
    ours.close()
    monkeypatch.undo()
    assert found == joined(blocks(duel, 1, BLOCK))
    assert len(messages) == 1
    assert messages[0].startswith("games will not be kept if this command is interrupted: ")
    assert files(tmp_path) == []


def test_old_games_and_the_oldest_of_too_many_are_deleted_but_none_that_a_process_holds(tmp_path, monkeypatch):
    now = time.time()
    ages = {"today": 0, "yesterday": 1, "last month": DAYS + 1, "held": DAYS + 1}
    for name, days in ages.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "x.kept").write_bytes(bytes(100))
        os.utime(folder, (now - days * 86_400,) * 2)
    hold = kept.FileLock(tmp_path / "held" / kept.LOCK)
    with hold:
        os.utime(tmp_path / "held", (now - (DAYS + 1) * 86_400,) * 2)
        prune(tmp_path, tmp_path / "today")
        assert {path.name for path in tmp_path.iterdir()} == {"today", "yesterday", "held"}
    monkeypatch.setattr(kept, "ALL_BYTES", 50)
    prune(tmp_path, tmp_path / "today")
    assert {path.name for path in tmp_path.iterdir()} == {"today"}


def test_workers_in_other_processes_keep_nothing(tmp_path):
    assert pickle.loads(pickle.dumps(keeper(tmp_path))) is None
