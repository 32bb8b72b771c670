"""What a change of a card file does to a game as a whole: win rates, their spread, the first seat, the length; all in pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.batches import laid_over, played
from analysis.compare import Shares
from analysis.edits import Change, owner_of
from analysis.estimates import adjust
from analysis.pairs import PairedMean, paired_mean
from analysis.spread import length_change, spread_change
from analysis.whatif import difference, part_of
from sim.experiment import Experiment

SURE = 0.05
SPREAD, FIRST, LENGTH = "spread of the win rates", "first seat's win share", "length of a game"
LEAST_FIRST = 2  # games with a first seat

Told = Callable[[int, int], None]  # called with games done and games in all


@dataclass(frozen=True, eq=False)
class WhatIf:
    """What a change does.

    rates: one line per entrant (per part of teams): columns of `compare.compare`, p_holm over all of them, sure. whole: spread,
    first seat's share (where somebody goes first) and length: what, unit ("share" or "turns"), before, after, change, low, high,
    p, n, gain. moved: games that ended otherwise; played: games played, both ways together; paired: whether the same line-ups
    sat in both.
    """

    base: Experiment
    change: Change
    rates: pd.DataFrame
    whole: pd.DataFrame
    moved: int
    played: int

    @property
    def paired(self) -> bool:
        """Whether the games were compared pair by pair."""
        return bool(self.rates["paired"].all())


def what_if(base: Experiment, change: Change, jobs: int | None = None, told: Told | None = None) -> WhatIf:
    """Play the games of `base` with the cards as they are and with the change.

    Games in which nobody sits whom the change belongs to are played once. A change that never reaches play is no change for
    certain; its games are played once too.
    """
    unit = _owner(base, change)
    again = replace(part_of(base, 0, base.games, unit), cards=change.cards)
    experiments = [part_of(base, 0, base.games), *([] if change.idle else [again])]
    total, done = sum(one.games for one in experiments), 0

    def count(games: int) -> None:
        nonlocal done
        done += games
        if told:
            told(done, total)

    before, *others = played(experiments, jobs, count)
    after = laid_over(before, again.index, others[0]) if others else before
    rates = difference(base, before, after)
    p_holm = adjust(rates["p"])
    moved = (np.abs(after.share - before.share) > 0).any(axis=1) | (after.capped != before.capped)
    rates = rates.assign(p_holm=p_holm, sure=p_holm < SURE)
    return WhatIf(base, change, rates, _whole(base, before, after), int(moved.sum()), total)


def _owner(base: Experiment, change: Change) -> int | None:
    """The one unit that all edits belong to, None if there is none."""
    ids = base.teams.ids if base.teams else base.cards.ids
    owners = {owner_of(base.cards.document, edit.path, ids) for edit in change.edits}
    return owners.pop() if len(owners) == 1 else None


def _whole(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """What changes beside the win rates of single entrants."""
    lines: list[dict[str, Any]] = []
    teams = base.teams
    units = len(teams.names if teams else base.cards.ids)
    old, new = (one.of_parts(teams.members) if teams else one for one in (before, after))
    if units > 1 and base.seats > 1:
        lines.append(_line(SPREAD, "share", spread_change(old, new, units)))
    first = [one.of_first for one in (before, after)]
    known = ~np.isnan(first[0]) & ~np.isnan(first[1])
    if base.seats > 1 and known.sum() >= LEAST_FIRST:
        lines.append(_line(FIRST, "share", paired_mean(first[0][known], first[1][known])))
    lines.append(_line(LENGTH, "turns", length_change(before, after)))
    return pd.DataFrame(lines)


def _line(what: str, unit: str, found: PairedMean) -> dict[str, Any]:
    return {"what": what, "unit": unit, **asdict(found)}
