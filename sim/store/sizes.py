"""How many games a block has."""

from __future__ import annotations

from sim.engine.policies import Policy
from sim.experiments.experiment import Experiment
from sim.store.disk import StoreError
from sim.store.manifest import KEEPS

RANDOM_GAMES, GREEDY_GAMES = 10_000, 2_000  # greedy by samples per option: a second or a few on one core
SUMMED = 10  # times as many games where sums are kept: their files are small
BLOCKS_LEAST = 16  # of a short run, so that all cores have a share in it ...
GAMES_LEAST = 20  # ... unless blocks get so small that writing them takes longer than playing
FILES_MAX = 10_000  # of a run, if nobody says otherwise: file systems and readers get slow with more
ROWS_MAX = 1_000_000  # games of a block that keeps rows: it is encoded in memory


def checked_block_games(experiment: Experiment, keep: str, wanted: int | None = None) -> int:
    """Games of a block: as wanted or as usual, in whole rounds. Raises StoreError for a number that cannot be.

    Usual is what takes about a second on one core, or ten where sums are kept; fewer in a short run, that all cores have a share
    in it, and more in a very long one, that there are at most FILES_MAX files.
    """
    if wanted is not None and wanted < 1:
        raise StoreError(f"block_games={wanted} must be at least 1")
    size = _usual_block_games(experiment, keep) if wanted is None else wanted
    rounds = -(-size // experiment.round_games)
    size = rounds * experiment.round_games
    if keep == KEEPS[0] and size > ROWS_MAX:
        raise StoreError(
            f"block_games={size:,}: a block that keeps rows has at most {ROWS_MAX:,}; keep a summary of so many games"
        )
    return size


def _usual_block_games(experiment: Experiment, keep: str) -> int:
    """Games of a block, if nobody says how many."""
    sizes = [
        RANDOM_GAMES if one.policy == Policy.RANDOM else max(1, GREEDY_GAMES // one.samples)
        for one in experiment.policies
    ]
    short = max(GAMES_LEAST, -(-experiment.games // BLOCKS_LEAST))
    size = max(min(min(sizes) * (1 if keep == KEEPS[0] else SUMMED), short), -(-experiment.games // FILES_MAX))
    return size if keep != KEEPS[0] else min(size, max(1, ROWS_MAX // experiment.round_games * experiment.round_games))
