"""Games as columns: every byte is restored, for every game and number of seats."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.registry import GAMES, game_named
from sim.run import play_range
from sim.store.columns import Layout
from sim.store.parts import encoded
from tests.conftest import BUILT_IN
from tests.every_game.play import enough, experiment, joined
from tests.store.folders import full_run, refused

TABLES = [(name, seats) for name in BUILT_IN for seats in GAMES[name].seats_for(GAMES[name].load(None))]
PLAYED = enough(20, 1)


@pytest.fixture(scope="module", params=TABLES, ids=str)
def table(request):
    """A game and a number of seats: the experiment, and some of its games."""
    name, seats = request.param
    made = experiment(game_named(name), 2 * PLAYED, "random", seats)
    return made, play_range(made, 3, PLAYED)[0]


def through_parquet(table: pa.Table, layout: Layout) -> pa.Table:
    return pq.read_table(pa.BufferReader(encoded([table], layout.schema, layout.whole_numbers, {})))


@pytest.mark.slow
def test_games_come_back_with_every_byte(table):
    """Empty seats are left out, so this also shows that they hold nothing but the usual fill."""
    made, played = table
    layout = Layout.of(made)
    columns = layout.table(played)
    assert columns.num_rows == PLAYED
    for read in (columns, through_parquet(columns, layout)):
        again = layout.block(read)
        assert again.first == 3
        assert joined(iter([again])) == joined(iter([played]))


@pytest.mark.slow
def test_columns_have_unique_names_and_empty_seats_have_no_columns(table):
    made, _ = table
    names = [column.name for column in Layout.of(made).columns]
    assert len(set(names)) == len(names)
    assert {f"entrant_{seat}" for seat in range(4)} & set(names) == {f"entrant_{seat}" for seat in range(made.seats)}
    assert {f"share_{seat}" for seat in range(4)} & set(names) == {f"share_{seat}" for seat in range(made.seats)}


def test_columns_have_the_types_of_the_records(table):
    made, played = table
    layout = Layout.of(made)
    columns = layout.table(played)
    for column in layout.columns:
        records = played.outcomes if column.of_outcome else played.rows
        np.testing.assert_array_equal(columns[column.name].to_numpy(), records[column.field][column.where], strict=True)


def test_turns_of_the_rows_and_of_the_outcome_are_different_columns():
    """In Runeslingers, the outcome counts the turns of both players, and the row counts the finished turns."""
    made = experiment(game_named("runeslingers"), 4)
    layout, played = Layout.of(made), play_range(made, 0, 4)[0]
    table = layout.table(played)
    assert table["turns"].to_pylist() == played.rows["turns"].tolist()
    assert table["outcome_turns"].to_pylist() == played.outcomes["turns"].tolist()
    assert table["turns"].to_pylist() != table["outcome_turns"].to_pylist()


@pytest.fixture
def duel(coin_duel):
    """Layout and games of a small experiment."""
    made = experiment(coin_duel, 9)
    return Layout.of(made), play_range(made, 0, 9)[0]


def test_columns_of_other_games_are_refused(duel, coin_duel):
    layout, played = duel
    table = layout.table(played)
    at_three = Layout.of(experiment(coin_duel, 9, seats=3))
    turns = table.column_names.index("turns")
    for other in (
        table.drop_columns(["turns"]),
        table.append_column("more", table["turns"]),
        table.select(table.column_names[::-1]),
        table.rename_columns({"turns": "Turns"}),
        table.set_column(turns, "turns", table["turns"].cast(pa.int64())),
    ):
        with refused("its columns are not those of the run's games", ValueError):
            layout.block(other)
    with refused("its columns are not those of the run's games", ValueError):
        at_three.block(table)


def test_missing_values_are_refused(duel):
    layout, played = duel
    table = layout.table(played)
    shares = pa.array([None, *table["share_1"].to_pylist()[1:]], pa.float32())
    columns = [shares if name == "share_1" else table[name] for name in table.column_names]
    with refused("its column share_1 has missing values", ValueError):
        layout.block(pa.Table.from_arrays(columns, schema=layout.schema))


def test_a_table_of_no_games_is_a_block_of_none(duel):
    layout, played = duel
    empty = layout.block(layout.table(played).slice(0, 0))
    assert (empty.first, len(empty.rows), len(empty.outcomes)) == (0, 0, 0)


@pytest.fixture
def on_disk(tmp_path, coin_duel):
    """The block folder of a complete run, and its blocks."""
    run = full_run(tmp_path / "run", coin_duel)
    return tmp_path / "run" / "blocks", list(run.read())


def sums(blocks) -> dict[str, float]:
    """Sums over some columns, from the records."""
    rows, outcomes = (np.concatenate([getattr(block, kind) for block in blocks]) for kind in ("rows", "outcomes"))
    return {
        "game": float(rows["game"].sum()),
        "turns": float(rows["turns"].sum()),
        "share_1": float(rows["share"][:, 1].sum()),
        "coins_0": float(outcomes["coins"][:, 0].sum()),
    }


def test_pandas_reads_a_run(on_disk):
    folder, blocks = on_disk
    frame = pd.read_parquet(folder)
    assert frame["game"].tolist() == list(range(len(frame)))
    assert {name: float(frame[name].sum()) for name in sums(blocks)} == sums(blocks)


def test_polars_reads_a_run(on_disk):
    folder, blocks = on_disk
    frame = pl.read_parquet(folder / "*.parquet")
    assert frame["game"].to_list() == list(range(len(frame)))
    assert {name: float(frame[name].sum()) for name in sums(blocks)} == sums(blocks)


def test_duckdb_reads_a_run(on_disk):
    folder, blocks = on_disk
    expected = sums(blocks)
    chosen = ", ".join(f"sum({name})" for name in expected)
    found = duckdb.sql(f"select count(*), {chosen} from '{folder}/*.parquet'").fetchall()
    assert found == [(sum(len(block.rows) for block in blocks), *expected.values())]
