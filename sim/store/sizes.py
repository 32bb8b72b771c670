"""The number of games in a block."""

from __future__ import annotations

from sim.engine.policies import Policy
from sim.experiments.experiment import Experiment
from sim.store.disk import StoreError
from sim.store.manifest import KEEPS

RANDOM_GAMES, GREEDY_GAMES = 10_000, 2_000  # a few seconds on one core; greedy: divided by the samples per option
SUMMED = 10  # times as many games if sums are kept, whose files are small
BLOCKS_LEAST = 16  # of a short run, so that every core gets some ...
GAMES_LEAST = 20  # ... unless blocks get so small that writing them takes longer than playing
FILES_MAX = 10_000  # of a run, by default: file systems and readers get slow with more
ROWS_MAX = 1_000_000  # games of a block that keeps rows, because it is encoded in memory


def checked_block_games(experiment: Experiment, keep: str, wanted: int | None = None) -> int:
    """Games of a block: the wanted number or a default, rounded up to whole rounds. Raises StoreError for an invalid number.

    By default, a block takes about a second on one core, or ten if sums are kept. It is smaller in a short run, so that every
    core gets some blocks, and larger in a very long run, so that there are at most FILES_MAX files.
    """
    if wanted is not None and wanted < 1:
        raise StoreError(f"block_games={wanted} must be at least 1")
    size = _default_block_games(experiment, keep) if wanted is None else wanted
    rounds = -(-size // experiment.round_games)
    size = rounds * experiment.round_games
    if keep == KEEPS[0] and size > ROWS_MAX:
        raise StoreError(f"block_games={size:,}: a block that keeps rows has at most {ROWS_MAX:,} games; keep a summary instead")
    return size


def _default_block_games(experiment: Experiment, keep: str) -> int:
    """Default number of games of a block."""
    sizes = [
        RANDOM_GAMES if player.policy == Policy.RANDOM else max(1, GREEDY_GAMES // player.samples)
        for player in experiment.policies
    ]
    short = max(GAMES_LEAST, -(-experiment.games // BLOCKS_LEAST))
    size = max(min(min(sizes) * (1 if keep == KEEPS[0] else SUMMED), short), -(-experiment.games // FILES_MAX))
    return size if keep != KEEPS[0] else min(size, max(1, ROWS_MAX // experiment.round_games * experiment.round_games))
