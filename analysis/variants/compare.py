"""Effects of a change of a card file on a whole game, from paired games: win rates, their spread, the first seat, the length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.play import joined, laid_over, played_in_pieces
from analysis.data.shares import Shares, by_entrant, length_change, linear_sums, spread_change
from analysis.stats.clusters import ClusterSums, shares
from analysis.stats.intervals import adjust
from analysis.stats.paired import PairedMean, linear_change, paired_ratio
from analysis.stats.sequential import deviations_at_best, half_widths, p_of, sequence_of
from analysis.stats.sequential import looks as looks_of
from analysis.variants.edits import Change, owner_of
from analysis.variants.variant import Among, Chosen, difference, part_of, unit_names
from sim.experiment import Experiment

SURE = 0.05
SPREAD, FIRST, LENGTH = "spread of the win rates", "first seat's win share", "length of a game"
LEAST_FIRST = 2  # games with a first player
AT_ONCE = 10_000  # games counted at a time
PIECE = 2_000  # games played one way before they are played the other
FIRST_LOOK, GROWTH = 1000, 1.25  # games at the first look; factor from each look to the next
PASS_MOST = 1000  # games: looks come after whole passes of the design up to this length, else after whole rounds
TUNED_VARIANCE = 0.1  # assumed variance of a change, which sets the games for which bounds are tightest

Progress = Callable[[int, int], None]  # called with games done and games in all


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Effects of a change.

    rates: one line per entrant (per part of teams): columns of `compare`, p_holm over all of them, sure. whole: spread, first
    seat's share (if there is a first player) and length: what, unit ("share" or "turns"), before, after, change, low, high, p,
    n, gain. moved: games out of `games` that ended differently; played: games of both ways; half_width: the requested one,
    None: all games were played. truncated: shares of games stopped at a limit, before and after; they are left out of win
    rates, not of lengths.
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

    @property
    def paired(self) -> bool:
        """Whether games were compared pair by pair."""
        return bool(self.rates["paired"].all())


def seated(base: Experiment, change: Change) -> Experiment:
    """Restrict `base` to the entrants that are in both card sets of a change."""
    if change.rival is None or not any(change.rival.members):
        return base
    kept = {item.name: getattr(base, item.name) for item in fields(Experiment)}
    return Among(**kept, members=change.rival.members[0])


def afforded(base: Experiment, change: Change, games: int) -> Experiment:
    """Reduce `base` (see `seated`) to the whole rounds that `games` games allow, before and after together.

    Raises ValueError if that is less than one round.
    """
    least = sum(part.games for part in _experiments(base, change, 0, base.round_games))
    if games < least:
        again = least - base.round_games
        raise ValueError(
            f"games={games} must be at least {least}: a round of {base.round_games} line-ups before the change, {again} after"
        )
    return replace(base, games_wanted=games // least * base.round_games)


def what_if(
    base: Experiment,
    change: Change,
    jobs: int | None = None,
    report: Progress | None = None,
    half_width: float | None = None,
) -> WhatIf:
    """Play the games of `base` (see `seated`) with unchanged cards and with the change.

    half_width: a share; play only until the change of every win rate has at most this half-width. Intervals and p-values are
    then valid at every look (see `mean_sequence`). Games without the owner of the changed fields are played once. A change that
    never reaches play has no effect by definition; its games are played once too. KeyboardInterrupt ends the run with the games
    that were played both ways, and is raised if there are none.
    """
    unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
    looks = [base.games] if half_width is None or change.idle else looks_of(base.games, unit, FIRST_LOOK, GROWTH)
    both: list[tuple[Shares, Shares]] = []
    done = total = looked = 0

    def count(games: int) -> None:
        nonlocal done
        done += games
        if report:
            report(done, 0 if half_width else total)

    for look in looks:
        ends = pieces(looked, look, unit)
        ways = [_experiments(base, change, *piece) for piece in ends]
        total += sum(part.games for piece in ways for part in piece)
        results = played_in_pieces(ways, jobs, count)
        both += map(partial(_both_ways, change), ends, ways, results)  # stops at the last finished piece
        looked = ends[len(results) - 1][1] if results else looked
        if not both:
            raise KeyboardInterrupt
        before, after = (joined(parts) for parts in zip(*both, strict=True))
        after = before if change.idle else after
        if half_width is not None and not change.idle:
            bounds = sequence(base, before, after, half_width)
            if half_widths(bounds).max() <= half_width:
                break
        if looked < look:
            break
    rates = difference(base, before, after)
    if half_width is not None and not change.idle:
        rates = _replaced(rates, bounds)
    p_holm = adjust(rates["p"])
    moved = (np.abs(after.share - before.share) > 0).any(axis=1) | (after.capped != before.capped)
    rates = rates.assign(p_holm=p_holm, sure=p_holm < SURE)
    whole = _whole(base, before, after)
    truncated, interrupted = (before.truncated_share, after.truncated_share), looked < look
    return WhatIf(base, change, rates, whole, int(moved.sum()), looked, done, half_width, truncated, interrupted)


def pieces(first: int, last: int, unit: int, wanted: int = PIECE) -> list[tuple[int, int]]:
    """Cut games first..last-1 into pieces (first, end) of whole units, each played in every way before the next.

    wanted: games of a piece. An interruption loses only the last piece.
    """
    size = -(-wanted // unit) * unit
    starts = range(first, last, size)
    return [(start, min(start + size, last)) for start in starts]


def sequence(base: Experiment, before: Shares, after: Shares, half_width: float) -> pd.DataFrame:
    """Changes of the win rates with bounds that hold at every look: columns name, estimate, low, high, p.

    A change d of an observation lies in -1..1, so that (1 + d) / 2 is a share. Observations are games, or pairs of games that
    share their dice, or rounds for parts of teams. For an entrant with truncated games, which are left out, the change is the
    difference of two ratios (see `compare`), which is nearly a mean over the observations, so bounds are asymptotically valid.
    """
    names, teams = unit_names(base), base.teams
    old, new = (games.of_parts(teams.members) if teams else games for games in (before, after))
    index = np.arange(len(old.entrant))
    group = base.round_of(index) if teams else base.pair_of(index)
    sums = ClusterSums(len(names))
    for first in range(0, len(index), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        sits, b = by_entrant(old.entrant[part], old.share[part], len(names))
        _, a = by_entrant(new.entrant[part], new.share[part], len(names))
        sums.add(group[part], (sits + a - b) / 2, sits)
    tuned = TUNED_VARIANCE * (deviations_at_best() / half_width) ** 2
    table = _left_out(shares(sums.table()), old, new, group)
    frame = sequence_of(table, tuned)
    p = p_of(table, 0.5, tuned)
    for column in ("estimate", "low", "high"):
        frame[column] = 2 * frame[column] - 1
    return frame.assign(name=names, p=p)


def _left_out(table: pd.DataFrame, old: Shares, new: Shares, group: NDArray[np.int64]) -> pd.DataFrame:
    """Lines of `clusters.shares`; for entrants with truncated games, replaced by changes that leave these games out."""
    if not (old.capped.any() or new.capped.any()):
        return table
    sums = linear_sums(old, new, group, len(table))
    some, changes = sums[["x_b", "x_a"]].min(axis=1) < table["n"], linear_change(sums)
    estimate, error = np.where(some, (1 + changes["change"]) / 2, table["estimate"]), changes["error"] / 2
    return table.assign(estimate=estimate, error=np.where(some, error, table["error"]))


def _replaced(rates: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
    """Win rates with the bounds of the sequence instead of those for a fixed number of games."""
    known = bounds.set_index("name").loc[rates["name"]]
    return rates.assign(**{name: known[name].to_numpy() for name in ("low", "high", "p")})


def _experiments(base: Experiment, change: Change, first: int, last: int) -> list[Chosen]:
    """Games first..last-1 with unchanged cards, and again those that the change can affect."""
    as_is = part_of(base, first, last)
    if change.idle:
        return [as_is]
    members = change.rival.members[1] if change.rival else ()
    return [as_is, replace(part_of(base, first, last, _owner(base, change)), cards=change.cards, members=members)]


def _renumbered(games: Shares, change: Change) -> Shares:
    """Games of another card set, with entrants renumbered as in the current cards."""
    if change.rival is None or not any(change.rival.members):
        return games
    ours, theirs = change.rival.members
    number = np.full(len(change.cards.ids), -1, np.int16)
    number[list(theirs)] = ours
    return replace(games, entrant=number[games.entrant])


def _both_ways(
    change: Change, piece: tuple[int, int], ways: Sequence[Chosen], results: Sequence[Shares]
) -> tuple[Shares, Shares]:
    """Games of a piece without and with the change, from those of `_experiments`."""
    before, *others = results
    return before, laid_over(before, ways[1].index - piece[0], _renumbered(others[0], change)) if others else before


def _owner(base: Experiment, change: Change) -> int | None:
    """The unit to which all edits belong; None if there is no such unit."""
    if change.rival and (change.rival.weighed or any(change.rival.members)):
        return None
    ids = base.teams.ids if base.teams else base.cards.ids
    owners = {owner_of(base.cards.document, edit.path, ids) for edit in change.edits}
    return owners.pop() if len(owners) == 1 else None


def _whole(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes other than the win rates of single entrants."""
    lines: list[dict[str, Any]] = []
    teams = base.teams
    units = len(teams.names if teams else base.cards.ids)
    old, new = (games.of_parts(teams.members) if teams else games for games in (before, after))
    if units > 1 and base.seats > 1:
        lines.append(_line(SPREAD, "share", spread_change(old, new, units)))
    first = [games.of_first for games in (before, after)]
    known = [~np.isnan(share) & ~games.capped for share, games in zip(first, (before, after), strict=True)]
    if base.seats > 1 and min(part.sum() for part in known) >= LEAST_FIRST:
        values = [(np.nan_to_num(share), part) for share, part in zip(first, known, strict=True)]
        lines.append(_line(FIRST, "share", paired_ratio(values[0], values[1])))
    lines.append(_line(LENGTH, "turns", length_change(before, after)))
    return pd.DataFrame(lines)


def _line(what: str, unit: str, effect: PairedMean) -> dict[str, Any]:
    return {"what": what, "unit": unit, **asdict(effect)}
