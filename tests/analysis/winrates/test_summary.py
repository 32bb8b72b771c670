"""Sums over blocks, as summary runs keep them: they add up to the counts of all games."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from analysis.winrates.rates import LARGEST, SumsOfGames, add_sums, summarise
from sim.engine.jit import COMPILED
from sim.experiments.experiment import Experiment
from sim.registry import game_named
from sim.run import Block, blocks
from sim.store import Run, StoreError
from sim.store.parts import FIRST, GAMES, RUN, Columns, Part, encoded
from tests.analysis.cli.test_cli import refusal, shown
from tests.conftest import BUILT_IN, in_soak
from tests.every_game.play import experiment
from tests.store.folders import block_files

ROUNDS = 12  # of the experiments of this file
MADE = {  # by what is counted: matchups, thirds of a win, teams, pairs, a single entrant, a real game
    "duel": ("dice_duel", 2, {}),
    "three": ("coin_duel", 3, {}),
    "teams": ("relay_teams", 2, {}),
    "teams of three": ("relay_teams", 3, {"paired": True}),
    "pairs": ("dice_duel", 2, {"paired": True, "coupling": "entrant"}),
    "one line-up": ("dice_duel", 2, {"paired": True, "line_up": (0, 5)}),
    "lone": ("lone_climb", 1, {}),
    "real": ("arena", 4, {}),
}
OFTEN = ("three", "teams of three", "pairs", "lone")  # tried at each commit
KINDS = pytest.mark.parametrize("kind", [kind if kind in OFTEN else in_soak(kind) for kind in MADE if COMPILED or kind != "real"])


def of_kind(kind: str, request: pytest.FixtureRequest) -> Experiment:
    """An experiment of whole rounds."""
    name, seats, more = MADE[kind]
    game = game_named(name) if name in BUILT_IN else request.getfixturevalue(name)
    made = replace(experiment(game, 1, "random", seats), **more)
    return replace(made, games_wanted=ROUNDS * made.round_games)


def played(made: Experiment, rounds: int) -> list[Block]:
    """The games of an experiment in blocks of a number of rounds."""
    return list(blocks(made, jobs=1, block_games=rounds * made.round_games))


@KINDS
@pytest.mark.parametrize("rounds", [5, in_soak(1)])
@pytest.mark.slow
def test_sums_of_blocks_add_up_to_the_counts_of_all_games(kind: str, rounds: int, request):
    made = of_kind(kind, request)
    counts, summed = SumsOfGames.of(made), SumsOfGames.of(made)
    for block in played(made, rounds):
        counts.add(block.rows)
        add_sums(summed, summarise(made, [block]))
    expected = counts.tables()
    assert list(summed.tables()) == list(expected)
    assert expected["games"].sum() == made.games
    for name, table in summed.tables().items():
        assert table.dtype == expected[name].dtype
        np.testing.assert_array_equal(table, expected[name], err_msg=name)  # also for thirds, because shares have few digits


def test_the_counts_depend_on_the_experiment(dice_duel, relay_teams):
    """Games of teams share their dice anyway."""
    alone, of_teams = experiment(dice_duel, 56), experiment(relay_teams, 60)
    usual, teams, pairs = (set(SumsOfGames.of(made).tables()) for made in (alone, of_teams, replace(alone, paired=True)))
    assert pairs - usual == {"pairs", "pair_entrants", "pair_positions", "pair_matchups", "pair_meetings"}
    assert teams - pairs == {"part_rounds"}


def test_a_summary_has_a_line_for_every_nonzero_cell(coin_duel):
    made = experiment(coin_duel, 9)
    columns = summarise(made, played(made, 1))
    kinds = {"quantity": "U", "axis_0": "i", "axis_1": "i", "axis_2": "i", "value": "f"}
    assert {name: column.dtype.kind for name, column in columns.items()} == kinds
    lines = list(zip(*(columns[name].tolist() for name in columns), strict=True))
    assert len(set(lines)) == len(lines)
    assert ("games", made.seats, -1, -1, float(made.games)) in lines
    assert (columns["value"] > 0).all()


@KINDS
@pytest.mark.parametrize("wanted", [7, *map(in_soak, (1, 100))])
@pytest.mark.slow
def test_blocks_of_a_summary_are_whole_rounds_and_so_whole_pairs(kind: str, wanted: int, request, tmp_path):
    made = of_kind(kind, request)
    size = Run.begin(tmp_path / "run", made, "summary", wanted).manifest.block_games
    assert size % made.round_games == 0
    assert size % made.pair_games == 0
    assert wanted <= size < wanted + made.round_games


Spoil = Callable[[Columns], Columns]
SPOILED: dict[str, list[Spoil]] = {  # message -> what it names
    "holds sums of 'gamse', which these games do not have": [
        lambda sums: sums | {"quantity": np.where(sums["quantity"] == "games", "gamse", sums["quantity"])}
    ],
    "holds sums of entrants or seats that these games do not have": [
        lambda sums: sums | {"axis_1": np.where(sums["quantity"] == "seat_wins", 3, sums["axis_1"])},  # an entrant too many
        lambda sums: sums | {"axis_2": np.zeros_like(sums["axis_2"])},  # an axis too many
        lambda sums: sums | {"axis_1": np.full_like(sums["axis_1"], -1)},  # an axis too few
    ],
    "holds a sum twice": [lambda sums: {name: np.concatenate([column, column]) for name, column in sums.items()}],
    "its sums are not numbers from 0 to 2^53": [
        lambda sums: sums | {"value": sums["value"] * np.nan},
        lambda sums: sums | {"value": sums["value"] * np.inf},
        lambda sums: sums | {"value": -sums["value"]},
        lambda sums: sums | {"value": sums["value"] + 2 * LARGEST},
        lambda sums: sums | {"value": sums["value"].astype(str)},
    ],
    "its columns are not those of a summary": [
        lambda sums: sums | {"axis_0": sums["axis_0"].astype(str)},
        lambda sums: sums | {"axis_0": sums["axis_0"].astype(np.float64)},
        lambda sums: {name: column for name, column in sums.items() if name != "axis_2"},
        lambda sums: sums | {"axis_3": sums["axis_2"]},
    ],
}


@pytest.mark.parametrize(("text", "spoil"), [(text, spoil) for text, spoils in SPOILED.items() for spoil in spoils])
@pytest.mark.slow
def test_impossible_sums_are_refused_and_add_nothing(text: str, spoil: Spoil, coin_duel):
    made = experiment(coin_duel, 9)
    columns, counts = summarise(made, played(made, 3)), SumsOfGames.of(made)
    add_sums(SumsOfGames.of(made), columns)
    with pytest.raises(StoreError) as caught:
        add_sums(counts, spoil(columns))
    assert str(caught.value) == text
    assert not any(table.any() for table in counts.tables().values())


def test_a_forged_summary_of_other_games_is_refused(coin_duel, tmp_path):
    run = summary_of(tmp_path / "run", experiment(coin_duel, 60))

    def rewrite(spoil: Callable[[pa.Table], pa.Table]) -> None:  # the first block, as a file named after its new content
        file, *_ = block_files(run.folder)
        table, games = spoil(pq.read_table(file)), run.manifest.block_games
        result = {RUN: run.manifest.identity.encode(), FIRST: b"0", GAMES: str(games).encode()}
        part = Part(run.manifest.identity, 0, games, encoded([table], table.schema, [], result))
        file.unlink()
        file.with_name(f"{0:014d}-{games}-{part.digest}.parquet").write_bytes(part.content)

    rewrite(lambda table: table)
    assert json.loads(shown("winrates", run.folder, "--json"))["facts"]["games"] == 60
    for spoil, text in (
        (
            lambda table: table.filter(pc.not_equal(table["quantity"], "games")),
            "its sums do not cover the 15 games given in the file name",
        ),
        (lambda table: table.rename_columns([*table.column_names[:-1], "sum"]), "its columns are not those of a summary"),
    ):
        rewrite(spoil)
        assert refusal("winrates", run.folder) == f"error: {run.folder}: summary of games 0..14: {text}"


def summary_of(folder: Path, made: Experiment, keep: str = "summary") -> Run:
    """A complete run of several blocks."""
    run = Run.begin(folder, made, keep, 5 * made.round_games)
    run.fill(1, *([summarise] if keep == "summary" else []))
    return run


@pytest.mark.parametrize("kind", OFTEN)
@pytest.mark.slow
def test_win_rates_are_the_same_from_sums_from_rows_and_from_playing(kind: str, request, tmp_path, monkeypatch):
    made = of_kind(kind, request)
    for keep in ("summary", "rows"):
        summary_of(tmp_path / keep, made, keep)
    typed = ["--games", made.games, "--seats", made.seats, "--seed", made.seed, "--coupling", made.coupling]
    typed += ["--paired"] * made.paired
    direct = json.loads(shown("winrates", made.game_name, "--policy", "random", *typed, "--json"))
    monkeypatch.setattr("sim.run.play_range", None)  # nothing must be played from here on
    assert [json.loads(shown("winrates", tmp_path / keep, "--json")) for keep in ("summary", "rows")] == [direct, direct]
