"""A run as a folder: it is begun, continued, grown and read, and refused if it would become another run."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest

from sim import run as playing
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import AgainstAll
from sim.run import blocks, reading_from
from sim.store import Filled, Run, StoreError, is_run, manifest
from sim.store.manifest import FILES_MOST, sources_digest
from tests.every_game.play import experiment, joined
from tests.store.folders import (
    BLOCK,
    FILES,
    GAMES,
    block_files,
    content,
    duel_run,
    full_run,
    played_bytes,
    read_bytes,
    refused,
    wins,
)

GROWN = GAMES + 2 * BLOCK
UNEVEN = 48  # games: the last block has three


@pytest.fixture
def made(coin_duel):
    """The experiment of the runs here."""
    return experiment(coin_duel, GAMES)


@pytest.fixture
def whole(tmp_path, coin_duel):
    """A run that was never stopped."""
    return full_run(tmp_path / "whole", coin_duel)


def stopped(after: int):
    """A `watch` that stops a run after a number of blocks."""
    seen = []

    def watch(*_) -> None:
        seen.append(1)
        if len(seen) == after:
            raise KeyboardInterrupt

    return watch


def test_a_run_is_a_manifest_and_a_file_per_block(whole, made):
    names = [path.name for path in block_files(whole.folder)]
    assert len(names) == FILES
    for index, name in enumerate(names):
        assert name.startswith(f"{index * BLOCK:014d}-{BLOCK}-")
    assert sorted(content(whole.folder)) == sorted(["manifest.json", *(f"blocks/{name}" for name in names)])
    document = json.loads((whole.folder / "manifest.json").read_text(encoding="utf-8"))
    assert document["cards"] == made.cards.document
    assert [document[key] for key in ("game", "seats", "policy", "seed", "games")] == ["coin_duel", 2, "random", 7, GAMES]
    assert document["sources"] == sources_digest("coin_duel")
    assert repr(whole) == f"Run({str(whole.folder)!r}, 54 of 54 games)"


def test_the_games_read_are_those_that_would_be_played(whole, made):
    assert read_bytes(whole) == played_bytes(made)
    assert read_bytes(Run.open(str(whole.folder))) == played_bytes(made)


@pytest.mark.parametrize("after", [1, 3, FILES])
@pytest.mark.slow
def test_a_run_that_was_stopped_and_continued_is_the_same_bytes(tmp_path, coin_duel, whole, after):
    run = duel_run(tmp_path / "run", coin_duel)
    with pytest.raises(KeyboardInterrupt):
        run.fill(jobs=1, watch=stopped(after))
    assert run.held == after * BLOCK
    assert Run.open(run.folder).fill(jobs=1) == Filled(after * BLOCK, GAMES - after * BLOCK, ())
    assert content(run.folder) == content(whole.folder)


@pytest.mark.parametrize("jobs", [2, 3])
@pytest.mark.slow
def test_any_number_of_workers_writes_the_same_bytes(tmp_path, coin_duel, whole, jobs):
    run = duel_run(tmp_path / "run", coin_duel)
    calls = []
    run.fill(jobs, watch=lambda *seen: calls.append(seen))
    assert calls == [("games", BLOCK * (number + 1), GAMES) for number in range(FILES)]
    assert content(run.folder) == content(whole.folder)


def test_a_complete_run_is_left_unchanged(coin_duel, whole):
    before = content(whole.folder)
    times = {path: path.stat().st_mtime_ns for path in block_files(whole.folder)}
    assert duel_run(whole.folder, coin_duel).fill(jobs=1) == Filled(GAMES, 0, ())
    assert content(whole.folder) == before
    assert {path: path.stat().st_mtime_ns for path in block_files(whole.folder)} == times


def test_gaps_are_filled_and_only_games_before_them_count(coin_duel, whole, made):
    before = content(whole.folder)
    for index in (1, 4):
        block_files(whole.folder)[index].unlink()
    assert (whole.held, whole.stored) == (BLOCK, GAMES - 2 * BLOCK)
    assert read_bytes(whole) == played_bytes(replace(made, games_wanted=BLOCK))
    assert whole.fill(jobs=1) == Filled(GAMES - 2 * BLOCK, 2 * BLOCK, ())
    assert (whole.held, whole.stored) == (GAMES, GAMES)
    assert content(whole.folder) == before


# growing


def test_a_run_that_grows_is_the_same_as_a_new_one(tmp_path, coin_duel):
    """Its last block had three games of nine, and a full one replaces it."""
    grown, fresh = full_run(tmp_path / "grown", coin_duel, UNEVEN), full_run(tmp_path / "fresh", coin_duel, GROWN)
    assert grown.held == UNEVEN
    grown = duel_run(grown.folder, coin_duel, GROWN)
    assert (grown.held, grown.experiment.games) == (UNEVEN, GROWN)
    assert grown.fill(jobs=2) == Filled(UNEVEN // BLOCK * BLOCK, GROWN - UNEVEN // BLOCK * BLOCK, ())
    assert content(grown.folder) == content(fresh.folder)


@pytest.mark.slow
def test_a_run_that_is_stopped_while_it_grows_loses_no_finished_block(tmp_path, coin_duel):
    run = full_run(tmp_path / "run", coin_duel, UNEVEN)
    run = duel_run(run.folder, coin_duel, GROWN)
    fresh = full_run(tmp_path / "fresh", coin_duel, GROWN)
    held = []

    def watch(*_) -> None:
        held.append(Run.open(run.folder).held)
        if len(held) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.fill(jobs=1, watch=watch)
    assert held == [UNEVEN // BLOCK * BLOCK + BLOCK, UNEVEN // BLOCK * BLOCK + 2 * BLOCK]
    Run.open(run.folder).fill(jobs=1)
    assert content(run.folder) == content(fresh.folder)


def test_the_short_block_of_a_grown_run_counts_until_the_long_one_is_there(tmp_path, coin_duel, monkeypatch):
    """Killed after the longer file was written and before the shorter one was deleted, games count once."""
    run = full_run(tmp_path / "run", coin_duel, UNEVEN)
    run = duel_run(run.folder, coin_duel, GROWN)
    monkeypatch.setattr("sim.store.blockfiles.remove", lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        run.fill(jobs=1, watch=stopped(1))
    assert len(block_files(run.folder)) == UNEVEN // BLOCK + 2
    assert run.held == UNEVEN // BLOCK * BLOCK + BLOCK
    assert read_bytes(run) == played_bytes(experiment(coin_duel, run.held))
    monkeypatch.undo()
    run.fill(jobs=1)
    assert content(run.folder) == content(full_run(tmp_path / "fresh", coin_duel, GROWN).folder)


def test_a_run_does_not_shrink(coin_duel, whole):
    before = content(whole.folder)
    with refused(f"{whole.folder}: is a run of 54 games, not 27; a run can only grow. Analyse fewer of its games with --games"):
        duel_run(whole.folder, coin_duel, 27)
    assert content(whole.folder) == before


def test_a_run_that_grew_meanwhile_is_not_cut_back(coin_duel, whole):
    """A process that opened it earlier would delete the new games."""
    full_run(whole.folder, coin_duel, GROWN)
    before = content(whole.folder)
    with refused(f"{whole.folder}: manifest.json has changed since this run was opened; open it again"):
        whole.fill(jobs=1)
    assert content(whole.folder) == before


def test_a_run_does_not_grow_beyond_the_limit_of_files(coin_duel, whole):
    most = FILES_MOST * BLOCK
    with refused(f"block_games = 9: {most + 3:,} games would be more than 1,000,000 files; use blocks of at least 10 games"):
        duel_run(whole.folder, coin_duel, most + 1)


# refused: another run


def changed_cards(game, **numbers):
    """The game's cards with some numbers of the rules changed."""
    cards = game.load(None)
    document = copy.deepcopy(cards.document)
    document["rules"] |= numbers
    return replace(game.from_document(document), title=cards.title)


OTHERS = {
    "seed": (lambda made: replace(made, seed=8), "seed is 7, not 8"),
    "seats": (lambda made: replace(made, seats=3), "seats is 2, not 3"),
    "policies": (
        lambda made: replace(made, policies=(PolicySpec.parse("greedy:2"), PolicySpec.parse("random"))),
        'policy is "random", not "greedy:2,random"',
    ),
    "coupling": (lambda made: replace(made, coupling="entrant"), 'coupling is "seat", not "entrant"'),
    "pairs": (lambda made: replace(made, paired=True), "paired is false, not true"),
    "line-up": (lambda made: replace(made, line_up=(2, 0)), "line_up is absent, not needle,pike"),
    "entrant": (
        lambda made: AgainstAll(made.game_name, made.cards, 2, made.policies, GAMES, 7, entrant=1),
        'entrant is absent, not "maul"',
    ),
    "cards": (lambda made: replace(made, cards=changed_cards(made.game, goal=9)), "cards: rules.goal is 8, not 9"),
    "several": (
        lambda made: replace(made, seed=1, cards=changed_cards(made.game, goal=9, stake_max=2)),
        "seed is 7, not 1; cards: rules.goal is 8, not 9; cards: rules.stake_max is 3, not 2",
    ),
}


@pytest.mark.parametrize("which", OTHERS)
@pytest.mark.slow
def test_another_experiment_is_refused_with_the_difference_named(whole, made, which):
    other, difference = OTHERS[which]
    before = content(whole.folder)
    with refused(f"{whole.folder}: holds another run: {difference}. Name another folder with --out"):
        Run.begin(whole.folder, other(made))
    assert content(whole.folder) == before
    assert whole.read(other(made)) is None


def test_of_another_game_only_the_name_is_reported(whole, dice_duel):
    with refused(f'{whole.folder}: holds another run: game is "coin_duel", not "dice_duel". Name another folder with --out'):
        Run.begin(whole.folder, experiment(dice_duel, GAMES))


@pytest.mark.slow
def test_the_first_differences_of_the_cards_are_named_and_the_others_counted(whole, made):
    document = copy.deepcopy(made.cards.document)
    for fighter in document["fighter"]:
        fighter["faces"] += 1
        fighter["bonus"] += 1
    other = replace(made, cards=replace(made.game.from_document(document), title=made.cards.title))
    with refused(
        f"{whole.folder}: holds another run: cards: fighter.pike.faces is 6, not 7; cards: fighter.pike.bonus is 0, not 1; "
        "cards: fighter.maul.faces is 8, not 9; 3 more of the cards. Name another folder with --out"
    ):
        Run.begin(whole.folder, other)


def test_other_ways_of_keeping_games_are_refused(whole, made):
    another = f"{whole.folder}: holds another run: "
    with refused(f'{another}keep is "rows", not "summary". Name another folder with --out'):
        Run.begin(whole.folder, made, keep="summary")
    with refused(f"{another}block_games is 9, not 12. Name another folder with --out"):
        Run.begin(whole.folder, made, block_games=10)
    assert Run.begin(whole.folder, made, keep="rows", block_games=BLOCK - 1).held == GAMES


def test_a_title_is_no_difference(whole, made):
    """The user chose it for the card file; no result depends on it."""
    assert Run.begin(whole.folder, replace(made, cards=replace(made.cards, title="mine"))).held == GAMES


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"keep": "all"}, "keep='all': must be rows or summary"),
        ({"block_games": 0}, "block_games=0 must be at least 1"),
        (
            {"block_games": 1_000_000},
            "block_games=1,000,002: a block that keeps rows has at most 1,000,000 games; keep a summary instead",
        ),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_made(tmp_path, made, wrong, message):
    with refused(message):
        Run.begin(tmp_path / "above" / "run", made, **wrong)
    assert list(tmp_path.iterdir()) == []


def test_blocks_are_whole_rounds_and_as_large_as_a_second_allows(tmp_path, made):
    def size(name, **more):
        return Run.begin(tmp_path / name, replace(made, **more)).manifest.block_games

    assert made.round_games == 3
    many = {"games_wanted": 3_000_000}
    assert size("random", **many) == 10_002
    assert size("greedy", policies=(PolicySpec.parse("greedy:4"),), **many) == 501
    assert size("long", games_wanted=600_000_000) == 60_000
    assert size("short", games_wanted=48_000) == 3_000, "16 blocks, so that every core gets some"
    assert size("tiny", games_wanted=30) == 21, "not so small that writing takes longer than playing"
    assert Run.begin(tmp_path / "sums", replace(made, **many), keep="summary").manifest.block_games == 100_002


# refused: other code


@pytest.fixture
def other_code(monkeypatch):
    """Change the installation after the runs here began."""
    monkeypatch.setattr(manifest, "sources_digest", lambda _: "f" * 64)


def test_other_code_does_not_continue_a_run(coin_duel, whole, made, other_code):
    began = sources_digest("coin_duel")
    message = (
        f"manifest.json: sources = {began[:12]}..., but this installation has ffffffffffff... "
        "(begun by fairfight 0.1.0): different code may play different games. "
        "Continue with the fairfight that began the run, or begin a new run in another folder"
    )
    with refused(message):
        duel_run(whole.folder, coin_duel)
    with refused(message):
        whole.fill(jobs=1)
    assert whole.has_other_sources


def test_other_code_can_read_a_run_but_not_play_more_of_it(whole, made, other_code):
    assert read_bytes(Run.open(whole.folder)) == played_bytes(made)
    assert joined(whole.read(made)) == played_bytes(made)
    with pytest.raises(StoreError, match=r"^manifest\.json: sources = "):
        whole.read(replace(made, games_wanted=GAMES + 1))


def test_the_code_that_began_a_run_can_continue_it(whole):
    assert not whole.has_other_sources


# refused: folders that are no place for a run


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path, made):
    for name in ("letter.txt", ".mine.part", "sub"):
        (tmp_path / name).mkdir() if name == "sub" else (tmp_path / name).write_text("mine")
    with refused(f"{tmp_path}: holds other files (.mine.part); name a new folder or that of a run"):
        Run.begin(tmp_path, made)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mine.part", "letter.txt", "sub"]


def test_unfinished_files_of_others_stay_in_a_run_folder(whole):
    theirs = whole.folder / ".mine.part"
    theirs.write_text("mine")
    (whole.folder / "blocks" / ".other.parquet.part").write_text("mine")
    whole.fill(jobs=1)
    assert theirs.read_text() == "mine"
    assert (whole.folder / "blocks" / ".other.parquet.part").read_text() == "mine"


def test_a_file_is_no_folder(tmp_path, made):
    (tmp_path / "file").write_text("mine")
    for place in ("file", "file/run"):
        with refused(f"{tmp_path / place}: is a file; name a folder"):
            Run.begin(tmp_path / place, made)
        assert not is_run(tmp_path / place)
    with refused(f"{tmp_path}/file/manifest.json: cannot be read (not a directory)"):
        Run.open(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["none", "empty"])
def test_a_folder_without_a_manifest_is_no_run(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with refused(f"{tmp_path / name}: holds no manifest.json; `fairfight run GAME --out DIR` creates a run folder"):
        Run.open(tmp_path / name)
    assert not is_run(tmp_path / name)


@pytest.mark.parametrize(("name", "why"), [("a\0b", "embedded null byte"), ("a" * 300, "file name too long")])
def test_an_impossible_folder_name_is_reported(tmp_path, made, name, why):
    with refused(f"{tmp_path / name}: cannot be read ({why})"):
        Run.begin(tmp_path / name, made)
    assert not is_run(tmp_path / name)


# summaries


@pytest.mark.slow
def test_a_summary_is_the_same_for_any_number_of_workers_and_after_a_stop(tmp_path, made):
    folders = [tmp_path / name for name in ("one", "two", "stopped")]
    for folder, jobs in zip(folders, (1, 2, 1), strict=True):
        Run.begin(folder, made, keep="summary", block_games=BLOCK).fill(jobs, wins)
    stopped_run = Run.open(folders[2])
    for path in block_files(folders[2])[2:]:
        path.unlink()
    assert stopped_run.held == 2 * BLOCK
    assert stopped_run.fill(1, wins) == Filled(2 * BLOCK, GAMES - 2 * BLOCK, ())
    assert content(folders[0]) == content(folders[1]) == content(folders[2])


def test_sums_of_the_blocks_add_up_to_those_of_the_games(tmp_path, made):
    run = Run.begin(tmp_path / "run", made, keep="summary", block_games=BLOCK)
    run.fill(2, wins)
    assert not run.has_rows
    assert run.read() is None
    sums = list(run.sums())
    assert [games for games, _ in sums] == [BLOCK] * FILES
    expected = wins(made, blocks(made, jobs=1))
    for name in ("share", "games"):
        np.testing.assert_allclose(sum(columns[name] for _, columns in sums), expected[name])
    assert [columns["seat"].tolist() for _, columns in sums] == [[0, 1]] * FILES


def test_sums_are_returned_for_the_same_experiment_only(tmp_path, made):
    run = Run.begin(tmp_path / "run", made, keep="summary", block_games=BLOCK)
    run.fill(1, wins)
    assert sum(games for games, _ in run.sums(made)) == GAMES
    assert run.sums(replace(made, seed=8)) is None
    assert run.sums(replace(made, games_wanted=BLOCK)) is None


def test_a_run_must_be_filled_with_what_it_keeps(tmp_path, made, whole):
    with refused(f"{whole.folder}: keeps rows"):
        whole.fill(1, wins)
    assert whole.sums() is None
    summary = Run.begin(tmp_path / "sums", made, keep="summary")
    with refused(f"{summary.folder}: keeps summary"):
        summary.fill(1)


def test_stopping_a_summary_raises_no_error_of_the_workers(tmp_path, made):
    """Stopped workers have no games to sum up; the error that this causes is not raised."""

    def of_some(made, played):
        return {"turns": np.concatenate([block.rows["turns"] for block in played])}

    run = Run.begin(tmp_path / "run", replace(made, games_wanted=200 * BLOCK), keep="summary", block_games=BLOCK)
    with pytest.raises(KeyboardInterrupt):
        run.fill(2, of_some, stopped(1))
    assert run.stored == BLOCK


# read instead of played


@pytest.fixture
def played_now(monkeypatch):
    """First games of the blocks that are played instead of read."""
    seen = []
    usual = playing.play_range

    def noted(made, first, count, stop=None):
        seen.append(first)
        return usual(made, first, count, stop)

    monkeypatch.setattr(playing, "play_range", noted)
    return seen


def test_games_of_a_run_are_read_instead_of_played(whole, made, played_now):
    with reading_from(whole):
        found = joined(blocks(made, jobs=1))
        fewer = joined(blocks(replace(made, games_wanted=BLOCK + 3), jobs=1))
    assert played_now == []
    assert found == played_bytes(made)
    assert fewer == played_bytes(replace(made, games_wanted=BLOCK + 3))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.slow
def test_games_that_a_run_does_not_hold_are_played(whole, made, played_now, jobs):
    block_files(whole.folder)[3].unlink()
    more = replace(made, games_wanted=2 * GAMES)
    with reading_from(whole):
        found = list(blocks(more, jobs, block_games=10))
    assert sorted(played_now) == list(range(3 * BLOCK, 2 * GAMES, 10))
    assert [block.first for block in found[:4]] == [0, BLOCK, 2 * BLOCK, 3 * BLOCK]
    assert joined(iter(found)) == played_bytes(more)


def test_other_experiments_are_played_while_a_run_is_read(whole, made, played_now):
    other = replace(made, seed=8)
    with reading_from(whole):
        found = joined(blocks(other, jobs=1, block_games=GAMES))
    assert played_now == [0]
    assert found == played_bytes(other)
    played_now.clear()
    assert list(blocks(made, jobs=1, block_games=GAMES))
    assert played_now == [0], "the source is in use within its block only"
