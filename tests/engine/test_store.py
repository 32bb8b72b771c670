"""Game rows on disk say the same as in memory."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.registry import game_named
from sim.run import blocks
from sim.store import rows_file


@pytest.fixture
def played():
    experiment = Experiment("arena", game_named("arena").load(None), 3, (PolicySpec.parse("random"),), 60)
    return list(blocks(experiment, jobs=1, block_games=25))


def test_every_field_of_every_game_is_read_back(tmp_path, played):
    path = tmp_path / "games.parquet"
    with rows_file(path) as rows:
        for block in played:
            rows.add(block)
    table = pq.read_table(path)
    assert table.num_rows == sum(len(block.rows) for block in played)
    for records in ("rows", "outcomes"):
        whole = np.concatenate([getattr(block, records) for block in played])
        for name in whole.dtype.names:
            read = np.array(table[name].to_pylist(), whole[name].dtype)
            np.testing.assert_array_equal(read, whole[name], err_msg=name)


def test_a_file_that_is_not_finished_never_appears(tmp_path, played):
    path = tmp_path / "games.parquet"

    def write_half():
        with rows_file(path) as rows:
            rows.add(played[0])
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        write_half()
    assert list(tmp_path.iterdir()) == []
