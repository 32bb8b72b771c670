"""Effects of a change of a card file on a whole game, from paired games: win rates, their spread, the first seat, the length.

Also the value of an advantage, such as going first or having the better policy, in games of two seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from analysis.data.leading import Leading
from analysis.data.rows import Rows
from analysis.data.selection import Among, Chosen, fields_of
from analysis.data.shares import Shares, by_entrant, length_change, linear_sums, spread_change
from analysis.data.study import Study
from analysis.data.together import joined, laid_over, played_in_pieces
from analysis.stats.intervals import LEVEL, ClusterSums, proportions, shares
from analysis.stats.paired import linear_change, paired_changes, paired_ratio
from analysis.stats.sequential import deviations_at_best, half_widths, looks, p_of, sequence_of
from analysis.variants.variant import Change, adjusted, by_unit, difference, moved, owner_of, part_of, unit_names
from analysis.winrates.study_rates import entrant_rates
from sim.experiments.experiment import Experiment

SPREAD, FIRST, LENGTH = "spread of the win rates", "first seat's win share", "length of a game"
LEAST_FIRST = 2  # games with a first player
AT_ONCE = 10_000  # games counted at a time
PIECE = 2_000  # games played one way before they are played the other
FIRST_LOOK, GROWTH = 1000, 1.25  # games at the first look; factor from each look to the next
PASS_MOST = 1000  # games: passes of all line-ups up to this length are played as a whole
TUNED_VARIANCE = 0.1  # assumed variance of a change, which sets the games for which bounds are tightest
SEATS = 2

Progress = Callable[[int, int, Callable[[], str]], None]  # takes games done, games in all, 0 if unknown, and results in words


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Effects of a change.

    rates: one line per entrant (per part of teams): columns of `shares.compare`, p_holm over all of them, sure. whole: spread,
    first seat's share (if there is a first player) and length: what, unit ("share" or "turns") and the fields of `PairedMean`.
    moved: games out of `games` that ended differently; played: games of both ways; half_width: the requested one, None: all
    games were played. truncated: shares of games stopped at a limit, before and after; they are left out of win rates.
    """

    base: Experiment
    change: Change
    rates: pd.DataFrame
    whole: pd.DataFrame
    moved: int
    games: int
    played: int
    half_width: float | None = None
    truncated: tuple[float, float] = (0.0, 0.0)
    interrupted: bool = False  # before all games were played
    fair: float = float("nan")  # mean share of a seat in finished games after the change; NaN at one seat


@dataclass
class Counter:
    """Adds up games as they are played, and reports their number, with the leading entrants of the games without a change.

    base: the games without a change; total: games in all.
    """

    report: Progress | None
    base: Experiment
    total: int = 0
    done: int = 0
    known: bool = True  # whether the total is final

    def __post_init__(self) -> None:
        self.leading = Leading(self.base)

    def __call__(self, experiment: Experiment, rows: Rows) -> None:
        """Add some games of an experiment."""
        self.done += len(rows)
        same = (experiment.cards, experiment.policies, experiment.forbidden)
        if same == (self.base.cards, self.base.policies, self.base.forbidden):
            self.leading.add(rows)
        if self.report:
            self.report(self.done, self.total if self.known else 0, partial(self.leading.words, "without a change"))


def seated(base: Experiment, change: Change) -> Experiment:
    """Restrict `base` to the entrants that are in both card sets of a change."""
    if change.rival is None or not any(change.rival.members):
        return base
    return Among(**fields_of(base), members=change.rival.members[0])


def afforded(base: Experiment, change: Change, games: int) -> Experiment:
    """Reduce `base` (see `seated`) to the whole rounds that `games` games allow, before and after together.

    Raises ValueError if that is less than one round.
    """
    least = sum(way(0, base.round_games).games for way in _ways(base, change))
    if games < least:
        again = least - base.round_games
        raise ValueError(
            f"games={games} must be at least {least}: a round of {base.round_games} line-ups before the change, {again} after"
        )
    return replace(base, games_wanted=games // least * base.round_games)


def what_if(
    base: Experiment, change: Change, jobs: int | None = None, report: Progress | None = None, half_width: float | None = None
) -> WhatIf:
    """Play the games of `base` (see `seated`) with unchanged cards and with the change.

    half_width: a share; play only until the change of every win rate has at most this half-width. Intervals and p-values are
    then valid at every look (see `mean_sequence`). Games without the owner of the changed fields are played once. A change that
    never reaches play has no effect by definition; its games are played once too. KeyboardInterrupt ends the run with the games
    that were played both ways, and is raised if there are none.
    """
    whole = half_width is None or change.idle
    unit = unit_games(base)
    ends_of_looks = [base.games] if whole else looks(base.games, unit, FIRST_LOOK, GROWTH)
    counter = Counter(report, base, known=not half_width)
    both: list[list[Shares]] = []
    looked, bounds = 0, pd.DataFrame()
    for look in ends_of_looks:
        ends = pieces(looked, look, unit)
        finished = in_pieces(_ways(base, change), ends, counter, jobs, lambda games: _renumbered(games, change))
        both += finished
        looked = ends[len(finished) - 1][1] if finished else looked
        if not both:
            raise KeyboardInterrupt
        before, *others = (joined(parts) for parts in zip(*both, strict=True))
        after = others[0] if others else before
        if half_width is not None and not whole:
            bounds = sequence(base, before, after, half_width)
            if half_widths(bounds).max() <= half_width:
                break
        if looked < look:
            break
    rates = difference(base, before, after)
    if len(bounds):  # those of the sequence, instead of those for a fixed number of games
        known = bounds.set_index("name").loc[rates["name"]]
        rates = rates.assign(**{name: known[name].to_numpy() for name in ("low", "high", "p")})
    return WhatIf(
        base,
        change,
        adjusted(rates),
        _whole(base, before, after),
        moved=int(moved(before, after).sum()),
        games=looked,
        played=counter.done,
        half_width=half_width,
        truncated=(before.truncated_share, after.truncated_share),
        interrupted=looked < look,
        fair=float(after.share[~after.truncated].mean()) if base.seats > 1 and not after.truncated.all() else float("nan"),
    )


def unit_games(base: Experiment, most: int = PASS_MOST) -> int:
    """Games that are played as a whole: a pass of all line-ups if it has at most `most` games, else a round."""
    return base.pass_games if base.pass_games and base.pass_games <= most else base.round_games


def pieces(first: int, last: int, unit: int, wanted: int = PIECE) -> list[tuple[int, int]]:
    """Cut games first..last-1 into pieces (first, end) of whole units, each played in every way before the next.

    wanted: games of a piece. An interruption loses only the last piece.
    """
    size = -(-wanted // unit) * unit
    return [(start, min(start + size, last)) for start in range(first, last, size)]


def in_pieces(
    ways: Sequence[Callable[[int, int], Chosen]],
    ends: Sequence[tuple[int, int]],
    counter: Counter,
    jobs: int | None = None,
    fit: Callable[[Shares], Shares] = lambda games: games,
) -> list[list[Shares]]:
    """Play pieces of games in every way: by finished piece the games of each way; fewer pieces than given after an interrupt.

    ways: from a piece (first, end) to its games; the first way plays all of them unchanged, another one those that its change
    can affect, which replace the unchanged ones. fit: applied to games with a change.
    """
    parts = [[way(*piece) for way in ways] for piece in ends]
    counter.total += sum(part.games for piece in parts for part in piece)
    finished = played_in_pieces(parts, jobs, counter)
    return [
        [before, *(laid_over(before, part.index - first, fit(games)) for part, games in zip(piece[1:], others, strict=True))]
        for (first, _), piece, (before, *others) in zip(ends, parts, finished, strict=False)
    ]


def sequence(base: Experiment, before: Shares, after: Shares, half_width: float) -> pd.DataFrame:
    """Changes of the win rates with bounds that hold at every look: columns name, estimate, low, high, p.

    A change d of an observation lies in -1..1, so that (1 + d) / 2 is a share. Observations are games, or pairs of games that
    share their dice, or rounds for parts of teams. For an entrant with truncated games, which are left out, the change is the
    difference of two ratios (see `shares.compare`), which is nearly a mean over the observations, so bounds are asymptotically
    valid.
    """
    names, old, new = unit_names(base), by_unit(base, before), by_unit(base, after)
    index = np.arange(len(old.entrant))
    group = base.round_of(index) if base.teams else base.pair_of(index)
    sums = ClusterSums(len(names))
    for first in range(0, len(index), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        sits, b = by_entrant(old.entrant[part], old.share[part], len(names))
        _, a = by_entrant(new.entrant[part], new.share[part], len(names))
        sums.add(group[part], (sits + a - b) / 2, sits)
    table = shares(sums.table())
    if old.truncated.any() or new.truncated.any():
        linear = linear_sums(old, new, group, len(table))
        some, changes = linear[["x_b", "x_a"]].min(axis=1) < table["n"], linear_change(linear)
        estimate, error = np.where(some, (1 + changes["change"]) / 2, table["estimate"]), changes["error"] / 2
        table = table.assign(estimate=estimate, error=np.where(some, error, table["error"]))
    tuned = TUNED_VARIANCE * (deviations_at_best() / half_width) ** 2
    frame, p = sequence_of(table, tuned), p_of(table, 0.5, tuned)
    for column in ("estimate", "low", "high"):
        frame[column] = 2 * frame[column] - 1
    return frame.assign(name=names, p=p)


def _ways(base: Experiment, change: Change) -> list[Callable[[int, int], Chosen]]:
    """Games with unchanged cards, and again those that the change can affect: see `in_pieces`.

    These are the games of the unit to which all edits belong; all games if there is no such unit.
    """
    if change.idle:
        return [lambda first, last: part_of(base, first, last)]
    owners: set[int | None] = {None}
    members: tuple[int, ...] = change.rival.members[1] if change.rival else ()
    if change.rival is None or not (change.rival.weighed or any(change.rival.members)):
        ids = base.teams.ids if base.teams else base.cards.ids
        owners = {owner_of(base.cards.document, edit.path, ids) for edit in change.edits}
    owner = owners.pop() if len(owners) == 1 else None
    return [
        lambda first, last: part_of(base, first, last),
        lambda first, last: replace(part_of(base, first, last, owner), cards=change.cards, members=members),
    ]


def _renumbered(games: Shares, change: Change) -> Shares:
    """Games of another card set, with entrants renumbered as in the current cards."""
    if change.rival is None or not any(change.rival.members):
        return games
    ours, theirs = change.rival.members
    number = np.full(len(change.cards.ids), -1, np.int16)
    number[list(theirs)] = ours
    return replace(games, entrant=number[games.entrant])


def _whole(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes other than the win rates of single entrants: `WhatIf.whole`."""
    units, changes = len(unit_names(base)), {}
    if units > 1 and base.seats > 1:
        changes[SPREAD] = spread_change(by_unit(base, before), by_unit(base, after), units)
    first = [games.of_first for games in (before, after)]
    known = [~np.isnan(share) & ~games.truncated for share, games in zip(first, (before, after), strict=True)]
    if base.seats > 1 and min(part.sum() for part in known) >= LEAST_FIRST:
        changes[FIRST] = paired_ratio((np.nan_to_num(first[0]), known[0]), (np.nan_to_num(first[1]), known[1]))
    changes[LENGTH] = length_change(before, after)
    unit = {LENGTH: "turns"}
    return pd.DataFrame([{"what": what, "unit": unit.get(what, "share"), **vars(one)} for what, one in changes.items()])


def decks_tried(study: Study, seats: int, most: int) -> list[int]:
    """At most `most` entrants, those farthest from a fair share at this number of seats, strongest first.

    The strongest and the weakest come first.
    """
    frame = entrant_rates(study)
    known = frame[(frame["n"] > 0) & (frame["seats"] == seats)]
    known = known.sort_values("estimate", ascending=False, kind="stable")
    far = (known["estimate"] - known["fair"]).abs().to_numpy(copy=True)
    far[:1] = far[-1:] = np.inf
    chosen = np.sort(np.argsort(-far, kind="stable")[:most])
    return [int(entrant) for entrant in known["entrant"].to_numpy()[chosen]]


@dataclass(frozen=True)
class Advantage:
    """Win shares of both sides, and their difference with its interval and p-value (against zero).

    n: groups of games that share their dice, the observations; games: number of games. gain: how many times as many games
    without shared dice would give an interval of this width.
    """

    first: float
    second: float
    change: float
    low: float
    high: float
    p: float
    n: int
    games: int
    gain: float


def advantage(share: ArrayLike, side: ArrayLike, dice: ArrayLike, level: float = LEVEL) -> Advantage:
    """Win share of the seats with an advantage minus that of their opponents, over games of two seats.

    Games that share their dice and differ in which side has the advantage are compared with each other, so that the effects of
    teams and dice cancel. share: (games, 2), win shares by seat, all 0 in a truncated game; side: the seat (0 or 1) with the
    advantage; dice: any integers, equal for games with the same dice. Games of a group count as their mean, so identical games
    count once. The interval is that of `paired_changes`. Raises ValueError without games or if lengths differ.
    """
    won, seat, key = np.asarray(share, np.float64), np.asarray(side, np.int64), np.asarray(dice)
    if won.ndim != SEATS or won.shape[1] != SEATS or not len(won) or seat.shape != (len(won),) or key.shape != seat.shape:
        raise ValueError(
            f"share {won.shape} must be (games, 2), with games; side {seat.shape} and dice {key.shape} must be (games,)"
        )
    if not np.isin(seat, (0, 1)).all():
        raise ValueError(f"side must be 0 or 1, found {seat.min()}..{seat.max()}")
    here, there = (np.take_along_axis(won, side[:, None], axis=1)[:, 0] for side in (seat, 1 - seat))
    _, group = np.unique(key, return_inverse=True)
    n = np.bincount(group)
    first, second = (np.bincount(group, values) / n for values in (here, there))
    gap = first - second
    table = paired_changes([gap.clip(min=0).sum()], [(-gap).clip(min=0).sum()], [len(n)], level)
    change, low, high, p = (float(table[name].iloc[0]) for name in ("change", "low", "high", "p"))
    alone = proportions([(1 + float(np.mean(here - there))) / 2 * len(won)], [len(won)], level).iloc[0]  # all independent
    gain = (2 * float(alone["high"] - alone["low"]) / (high - low)) ** 2 if high > low else float("inf")
    return Advantage(float(first.mean()), float(second.mean()), change, low, high, p, len(n), len(won), gain)
