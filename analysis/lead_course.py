"""How a lead runs over a game: how often it changes sides, and from when on the winner had it for good."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis import clustered
from analysis.estimates import LEVEL
from analysis.leads import Leads

COLUMNS = ["turn", "estimate", "low", "high", "n"]


def courses(leads: Leads) -> pd.DataFrame:
    """One line per game, in their order.

    Columns: changes (how often the lead goes to the other side, turns without a leader passed over), last (last own turn that is
    known, 0 none), for_good (own turn from the end of which on the winner is ahead until the last one known; NaN where it is
    not ahead by then, or the win is shared), behind (whether the winner ever was).
    """
    side = np.sign(np.nan_to_num(leads.lead)).astype(np.int8)
    known = np.isfinite(leads.lead)
    winner = np.sign(2 * leads.share - 1).astype(np.int8)
    games = len(winner)
    before, changes = np.zeros(games, np.int8), np.zeros(games, np.int64)
    for now in side.T:
        changes += now * before < 0
        before = np.where(now != 0, now, before)
    for_good, holds = np.full(games, np.nan), winner != 0
    for turn in range(leads.turns, 0, -1):
        here = known[:, turn - 1]
        holds = holds & (~here | (side[:, turn - 1] == winner))
        for_good = np.where(holds & here, turn, for_good)
    last = np.where(known, np.arange(1, leads.turns + 1), 0).max(axis=1, initial=0)
    behind = ((side * winner[:, None]) < 0).any(axis=1)
    return pd.DataFrame({"changes": changes, "last": last, "for_good": for_good, "behind": behind})


def led_for_good(leads: Leads, turns: Sequence[int], level: float = LEVEL) -> pd.DataFrame:
    """Share of the games that somebody won alone in which the winner was ahead for good by the end of each own turn.

    Looks back from the end: a game that was over before counts by then. Columns: turn, estimate, low, high, n.
    """
    won = (leads.share == 0) | (leads.share == 1)
    since, key = courses(leads)["for_good"].to_numpy()[won], leads.key[won]
    every = np.repeat(np.arange(len(turns)), since.size)
    by_then = np.concatenate([since <= turn for turn in turns]) if len(turns) else np.zeros(0)
    found = clustered.shares(np.tile(key, len(turns)), every, by_then, len(turns), level)
    return found.assign(turn=list(turns))[COLUMNS]
