"""Games kept for a command that was interrupted: read as they were played, or not at all."""

import errno
import os
import pickle
import time
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from analysis.data.study import played
from sim import run
from sim.run import blocks, keeping_in
from sim.store import disk, kept
from sim.store.kept import DAYS, Keeper, prune
from tests.every_game.play import experiment, joined

GAMES, BLOCK = 60, 10


@pytest.fixture
def duel(coin_duel):
    """Some games."""
    return experiment(coin_duel, GAMES)


def keeper(tmp_path: Path, **told) -> Keeper:
    """What a command begins with."""
    found = Keeper(tmp_path / "kept" / "one", **told)
    found.open()
    return found


def broken_off(tmp_path: Path, duel, after: int = 3, rerolls: int = 0) -> bytes:
    """Play some blocks and be interrupted; returns their bytes."""
    ours, found = keeper(tmp_path), []
    with keeping_in(ours), closing(blocks(duel, 1, BLOCK, rerolls)) as under_way:
        for block in under_way:
            found.append(block)
            if len(found) == after:
                break
    ours.close()
    ours._hold.release()  # as the end of a process does
    return joined(iter(found))


def continued(tmp_path: Path, duel, **how) -> tuple[bytes, Keeper]:
    """Play all games with what is kept; returns their bytes."""
    ours = keeper(tmp_path)
    with keeping_in(ours):
        return joined(blocks(duel, 1, BLOCK, **how)), ours


def files(tmp_path: Path) -> list[Path]:
    """What is kept."""
    return sorted((tmp_path / "kept").glob("*/*.kept"))


def test_a_command_that_is_typed_again_reads_the_games_that_were_played(tmp_path, duel, monkeypatch):
    broken_off(tmp_path, duel)
    asked = []
    usual = run.play_range
    monkeypatch.setattr(run, "play_range", lambda *given: asked.append(given[1]) or usual(*given))
    found, ours = continued(tmp_path, duel)
    assert ours.recalled >= 3 * BLOCK
    assert min(asked) == ours.recalled
    assert found == joined(blocks(duel, 1, BLOCK))


def test_what_was_told_of_luck_is_kept_too(tmp_path, duel):
    broken_off(tmp_path, duel, rerolls=2)
    _, ours = continued(tmp_path, duel)
    assert not ours.recalled, "games without luck are other games"
    ours._hold.release()
    ours = keeper(tmp_path)
    with keeping_in(ours):
        found = list(blocks(duel, 1, BLOCK, rerolls=2))
    assert ours.recalled >= 3 * BLOCK
    alone = list(blocks(duel, 1, BLOCK, rerolls=2))
    assert np.array_equal(np.concatenate([one.luck for one in found]), np.concatenate([one.luck for one in alone]))


def test_many_experiments_side_by_side_are_kept_each_for_itself(tmp_path, duel):
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
    assert not ours.recalled or spoil == "middle", "of a file whose contents are known only what is damaged is missing"
    assert found == joined(blocks(duel, 1, BLOCK))


@pytest.mark.parametrize("other", ["cards", "seed", "policy", "code"])
def test_games_of_other_cards_players_dice_or_code_are_not_taken(tmp_path, coin_duel, duel, other, monkeypatch):
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


def test_a_command_that_ends_leaves_nothing(tmp_path, duel):
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


def test_longer_ones_write_now_and_then_so_that_a_kill_loses_little(tmp_path, duel, monkeypatch):
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    ours = keeper(tmp_path)
    with keeping_in(ours):
        list(blocks(duel, 1, BLOCK))
    assert len(files(tmp_path)) == GAMES // BLOCK


def test_what_is_kept_of_one_command_is_bounded(tmp_path, duel, monkeypatch):
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    monkeypatch.setattr(kept, "FOLDER_BYTES", 1)
    ours = keeper(tmp_path)
    with keeping_in(ours):
        list(blocks(duel, 1, BLOCK))
    assert len(files(tmp_path)) == 1


def held_elsewhere(folder: Path, found) -> None:
    """Hold a folder until it is told to let go."""
    other = Keeper(folder)
    other.open()
    found.send(other.trouble)
    found.recv()


def test_the_second_of_two_commands_at_once_keeps_nothing_and_says_so_once(tmp_path, duel):
    broken_off(tmp_path, duel)
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=held_elsewhere, args=(tmp_path / "kept" / "one", there))
    process.start()
    assert here.recv() == ""
    said = []
    ours = keeper(tmp_path, tell=said.append)
    with keeping_in(ours):
        assert joined(blocks(duel, 1, BLOCK)) == joined(blocks(duel, 1, BLOCK))
    ours.close()
    ours.forget()
    assert said == ["games will not be kept if this command is interrupted: another process runs the same command"]
    assert len(files(tmp_path)) == 1
    here.send("enough")
    process.join()


@pytest.mark.parametrize("trouble", ["full", "read-only", "a file in its place"])
def test_where_nothing_can_be_written_the_command_plays_on_and_says_so_once(tmp_path, duel, trouble, monkeypatch):
    if trouble == "a file in its place":
        (tmp_path / "kept").write_text("")
    else:
        number = errno.ENOSPC if trouble == "full" else errno.EROFS

        def refuse(*_):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(disk.os, "fsync", refuse)
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    said = []
    ours = keeper(tmp_path, tell=said.append)
    with keeping_in(ours):
        found = joined(blocks(duel, 1, BLOCK))
    ours.close()
    monkeypatch.undo()
    assert found == joined(blocks(duel, 1, BLOCK))
    assert len(said) == 1
    assert said[0].startswith("games will not be kept if this command is interrupted: ")
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


def test_workers_in_other_processes_keep_nothing_and_need_nothing_of_it(tmp_path):
    assert pickle.loads(pickle.dumps(keeper(tmp_path))) is None
