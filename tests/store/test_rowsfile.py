"""A single file of games holds what was played, and appears completely or not at all."""

import pyarrow.parquet as pq
import pytest

from analysis.output.games_file import games_file
from sim.registry import game_named
from sim.run import blocks
from sim.store.columns import Layout
from tests.every_game.play import experiment, joined

GAMES = 64  # rounds of 8


@pytest.fixture(scope="module")
def made():
    return experiment(game_named("arena"), GAMES, seats=3)


@pytest.fixture(scope="module")
def played(made):
    return list(blocks(made, jobs=1, block_games=25))


def test_every_field_of_every_game_is_read_back(tmp_path, made, played):
    path = tmp_path / "games.parquet"
    with games_file(path, made) as rows:
        for block in played:
            rows.add(block)
    assert pq.ParquetFile(path).num_row_groups == len(played)
    layout = Layout.of(made)
    read = layout.block(pq.read_table(path).select(layout.schema.names))
    assert joined(iter([read])) == joined(iter(played))


def test_its_columns_are_flat_and_hold_the_fields_of_their_names(tmp_path, made, played):
    path = tmp_path / "games.parquet"
    with games_file(path, made) as rows:
        for block in played:
            rows.add(block)
    table = pq.read_table(path)
    assert table.num_rows == GAMES
    assert table.column_names[:12] == [
        *("game", "share_0", "share_1", "share_2", "turns", "decisions", "entrant_0", "entrant_1", "entrant_2"),
        *("seats", "status", "first"),
    ]
    for seat in range(3):
        shares = [share for block in played for share in block.rows["share"][:, seat].tolist()]
        assert table[f"share_{seat}"].to_pylist() == shares
        entrants = [entrant for block in played for entrant in block.rows["entrant"][:, seat].tolist()]
        assert table[f"entrant_{seat}"].to_pylist() == entrants
        assert table[f"entrant_id_{seat}"].to_pylist() == [made.cards.ids[entrant] for entrant in entrants]


def test_a_file_that_is_not_finished_never_appears(tmp_path, made, played):
    path = tmp_path / "games.parquet"

    def write_half():
        with games_file(path, made) as rows:
            rows.add(played[0])
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        write_half()
    assert list(tmp_path.iterdir()) == []


def test_no_file_appears_where_no_game_was_played(tmp_path, made):
    with games_file(tmp_path / "games.parquet", made):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_replaces_an_older_one_once_it_is_complete(tmp_path, made, played):
    path = tmp_path / "games.parquet"
    path.write_bytes(b"older")
    with games_file(path, made) as rows:
        rows.add(played[0])
        assert path.read_bytes() == b"older"
    assert pq.read_table(path).num_rows == len(played[0].rows)
    assert [file.name for file in tmp_path.iterdir()] == ["games.parquet"]
