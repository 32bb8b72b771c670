"""Effects of a change of a card file on a whole game, from paired games: win rates, their spread, the first seat, the length.

Sizes of the steps that are tried, and the entrants on which they are tried if there are too many.

Value of an advantage, such as going first or having the better policy, in games of two seats.

Games that share their dice and differ in which side has the advantage are compared with each other, so that the effects of
teams and dice cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis.data.shares import Shares, by_entrant, length_change, linear_sums, spread_change
from analysis.data.study import Study, joined, laid_over, played_in_pieces
from analysis.document.prose import listed
from analysis.stats.intervals import LEVEL, ClusterSums, adjust, proportions, shares
from analysis.stats.paired import PairedMean, linear_change, paired_changes, paired_ratio
from analysis.stats.sequential import deviations_at_best, half_widths, p_of, sequence_of
from analysis.stats.sequential import looks as looks_of
from analysis.variants.variant import Among, Change, Chosen, Step, difference, numeric_steps, owner_of, part_of, unit_names
from analysis.winrates.section import entrant_rates
from sim.engine.measures import Question
from sim.experiments.experiment import Experiment

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
    base: Experiment, change: Change, jobs: int | None = None, report: Progress | None = None, half_width: float | None = None
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
    moved = (np.abs(after.share - before.share) > 0).any(axis=1) | (after.truncated != before.truncated)
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
    if not (old.truncated.any() or new.truncated.any()):
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
    known = [~np.isnan(share) & ~games.truncated for share, games in zip(first, (before, after), strict=True)]
    if base.seats > 1 and min(part.sum() for part in known) >= LEAST_FIRST:
        values = [(np.nan_to_num(share), part) for share, part in zip(first, known, strict=True)]
        lines.append(_line(FIRST, "share", paired_ratio(values[0], values[1])))
    lines.append(_line(LENGTH, "turns", length_change(before, after)))
    return pd.DataFrame(lines)


def _line(what: str, unit: str, effect: PairedMean) -> dict[str, Any]:
    return {"what": what, "unit": unit, **asdict(effect)}


USUAL = 1


def sizes(question: Question) -> dict[str, int]:
    """Step size by name of the number. Settings: leaves (names), steps (an integer for each; 1 each if absent)."""
    leaves, steps = question.settings.get("leaves", ()), question.settings.get("steps", ())
    return {leaf: int(size) for leaf, size in zip(leaves, steps, strict=bool(steps))}


def sized_steps(study: Study, question: Question, paths: Sequence[str]) -> list[Step]:
    """Steps of each number, one down and one up."""
    known = sizes(question)
    size_of = {path: known.get(leaf_of(path), USUAL) for path in paths}
    steps: dict[str, list[Step]] = {path: [] for path in paths}
    for size in dict.fromkeys(size_of.values()):
        alike = [path for path in paths if size_of[path] == size]
        for step in numeric_steps(study.game, study.cards, alike, (-size, size)):
            steps[step.field].append(step)
    return [step for both in steps.values() for step in both]


def leaf_of(path: str) -> str:
    """Name of a number: the last word of its path, without the place in a list."""
    return path.rpartition(".")[2].partition("[")[0]


def sizes_said(question: Question) -> str:
    """Sentence on step sizes; empty if all are the usual one."""
    large = [f"{leaf.replace('_', ' ')} {size}" for leaf, size in sizes(question).items() if size != USUAL]
    return f"One step is {USUAL}; for {listed(large)}." if large else ""


def decks_tried(study: Study, question: Question, usual: int) -> list[int]:
    """Entrants farthest from a fair share at the seats of a question, strongest first.

    The strongest and the weakest are always included. Setting: decks (how many, else `usual`).
    """
    frame = entrant_rates(study)
    known = frame[(frame["n"] > 0) & (frame["seats"] == study.seats_for(question))]
    known = known.sort_values("estimate", ascending=False, kind="stable")
    far = (known["estimate"] - known["fair"]).abs().to_numpy(copy=True)
    far[:1] = far[-1:] = np.inf
    wanted = int(question.settings.get("decks", (str(usual),))[0])
    chosen = np.sort(np.argsort(-far, kind="stable")[:wanted])
    return [int(entrant) for entrant in known["entrant"].to_numpy()[chosen]]


SEATS = 2


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

    share: (games, 2), win shares by seat, all 0 in a truncated game; side: the seat (0 or 1) with the advantage; dice: any
    integers, equal for games with the same dice. Games of a group count as their mean, so identical games count once. The
    interval is that of `paired_changes`. Raises ValueError without games or if lengths differ.
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
    difference = first - second
    table = paired_changes([difference.clip(min=0).sum()], [(-difference).clip(min=0).sum()], [len(n)], level)
    change, low, high, p = (float(table[name].iloc[0]) for name in ("change", "low", "high", "p"))
    gain = _gain(here - there, high - low, level)
    return Advantage(float(first.mean()), float(second.mean()), change, low, high, p, len(n), len(won), gain)


def _gain(differences: NDArray[Any], width: float, level: float) -> float:
    """Squared ratio of the interval's width as if all games were independent to its actual width."""
    alone = proportions([(1 + float(np.mean(differences))) / 2 * len(differences)], [len(differences)], level).iloc[0]
    return (2 * float(alone["high"] - alone["low"]) / width) ** 2 if width > 0 else float("inf")
