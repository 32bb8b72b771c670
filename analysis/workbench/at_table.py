"""Win rates in games that people played, for a column of the workbench beside the simulated ones."""

from __future__ import annotations

import pandas as pd

from analysis.playtests.against import at_table
from analysis.playtests.log import Playtests
from sim.experiments.experiment import Experiment


def rates_at_table(log: Playtests, base: Experiment) -> pd.DataFrame:
    """Win rates by name at the number of seats of an experiment: table, table_low, table_high, table_n (games).

    Raises ValueError if the log is of another game or has no games of as many players, and for games of teams.
    """
    if base.teams:
        raise ValueError(
            f"table={log.path}: the workbench compares parts of teams of {base.game.title}, and a log has whole teams"
        )
    rates = at_table(log.at(base.seats), base.game, base.cards)
    return rates.set_index("name").drop(columns="seats")
