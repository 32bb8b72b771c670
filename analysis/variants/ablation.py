"""Ablation: the value of an ability, card or rule, from the same games with it and without it.

The games of a pair have the same line-up and dice and are compared pair by pair (see `analysis.variants.variant`). All players
know about a ban and plan accordingly: the result is the value of having the thing, not the cost of losing it by surprise. A
banned action is still taken if there is no other. How often things are used is counted over the decisions of replayed games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.shares import Shares
from analysis.data.study import joined, laid_over, played_in_pieces
from analysis.stats.intervals import Adjustment, adjust
from analysis.variants.compare import PIECE, pieces
from analysis.variants.variant import Chosen, difference, part_of, unit_names
from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING, Game, ablation_of
from sim.experiments.experiment import Experiment
from sim.run import Replay, replay

LOOKED_AT = 200  # games replayed to count uses
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Usages:
    """Decisions with an alternative, by entrant, and how many of them used a thing.

    games, decisions: (entrants,), games and decisions of an entrant. used, in_games: (things, entrants), decisions that used a
    thing, and games in which it was used at least once. looked_at: number of games replayed.
    """

    things: tuple[str, ...]
    games: Ints
    decisions: Ints
    used: Ints
    in_games: Ints
    looked_at: int

    def users(self, thing: str) -> list[int]:
        """Indices of the entrants that used a thing."""
        return [int(entrant) for entrant in np.flatnonzero(self.used[self.things.index(thing)])]

    def shares(self, thing: str, entrants: list[int]) -> tuple[float, float]:
        """Share of the entrants' decisions that used a thing, and share of their games in which they used it.

        A game with two of the entrants counts twice. NaN without decisions.
        """
        row = self.things.index(thing)
        counts = ((self.used, self.decisions), (self.in_games, self.games))
        sums = [(int(part[row, entrants].sum()), int(whole[entrants].sum())) for part, whole in counts]
        decisions, games = (part / whole if whole else float("nan") for part, whole in sums)
        return decisions, games


def things_of(game: Game, cards: CardSet) -> tuple[str, ...]:
    """Names of the things that can be banned. Raises ValueError if there are none."""
    things = game.ablatable(cards) if game.ablatable else ()
    if not things:
        raise ValueError(f"game={game.name!r}: nothing can be forbidden in {game.title}")
    return things


def usages(experiment: Experiment, games: int = LOOKED_AT) -> Usages:
    """Count uses in the first `games` games of an experiment, by replaying them."""
    things, entrants = things_of(experiment.game, experiment.cards), len(experiment.cards.ids)
    wanted = min(games, experiment.games)
    single, double = (entrants,), (len(things), entrants)
    counts = [np.zeros(shape, np.int64) for shape in (single, single, double, double)]
    counted = Usages(things, counts[0], counts[1], counts[2], counts[3], wanted)
    for index in range(wanted):
        _count(experiment, replay(experiment, index), counted)
    return counted


def _count(experiment: Experiment, played: Replay, into: Usages) -> None:
    """Add one game to the counts."""
    seated = played.rows["entrant"][0, : experiment.seats].astype(np.int64)
    sat = np.unique(seated)
    lines = np.flatnonzero(played.moves["options"] > 1)
    entrants = seated[played.moves["seat"][lines]]
    record = experiment.cards.record[0]
    used = [int(ablation_of(played.positions[line], record, int(played.moves["action"][line]))) for line in lines]
    table = pd.DataFrame({"thing": used, "entrant": entrants})
    into.games[sat] += 1
    np.add.at(into.decisions, entrants, 1)
    table = table[table["thing"] != NOTHING]
    np.add.at(into.used, (table["thing"].to_numpy(np.int64), table["entrant"].to_numpy(np.int64)), 1)
    table = table.drop_duplicates()
    np.add.at(into.in_games, (table["thing"].to_numpy(np.int64), table["entrant"].to_numpy(np.int64)), 1)


SURE = 0.05
LEAST_PIECE = 200  # smallest number of games played with every ban before the next games, if there are many bans
PASS_MOST = 1000  # games: passes of all line-ups up to this length are played as a whole
ENDS = {"worth": "change", "low": "high", "high": "low"}  # the value of a thing is the change by its ban, with opposite sign
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Ban:
    """A banned thing. entrant: index of the entrant that must not use it, None: all."""

    thing: str
    entrant: int | None = None

    def name(self, ids: Sequence[str]) -> str:
        """Name in the form of `Experiment.forbidden`."""
        return self.thing if self.entrant is None else f"{ids[self.entrant]}:{self.thing}"


@dataclass(frozen=True, eq=False)
class Worth:
    """Values of things.

    lines: one per thing and affected entrant: thing, entrant (index of the entrant under the ban, -1: all), name (whose win
    rate), before, after (with it and without), worth (their difference), low, high, p, p_adjusted, sure, n, gain,
    of_decisions, of_games (see `Usages.shares`), moved (games out of `games` that ended differently). method: of the adjustment.
    unused: things that were not requested by name and not used in the replayed games. played: games in all.
    truncated: share of the unchanged games that were stopped at a limit; such games are left out.
    """

    base: Experiment
    lines: pd.DataFrame
    usages: Usages
    method: Adjustment
    unused: tuple[str, ...]
    games: int
    played: int
    truncated: float = 0.0


def bans_of(base: Experiment, names: Sequence[str], entrant: str | None = None) -> list[Ban]:
    """Parse [ENTRANT:]THING, each a separate ban. entrant: default for those without an entrant.

    Raises ValueError as `Experiment.bans` does, and for a thing named twice.
    """
    things_of(base.game, base.cards)
    bans = []
    for name in names:
        whole = f"{entrant}:{name}" if entrant is not None and ":" not in name else name
        _ = replace(base, forbidden=(whole,)).bans
        whom, colon, thing = whole.rpartition(":")
        bans.append(Ban(thing, base.cards.ids.index(whom) if colon else None))
        if bans.count(bans[-1]) > 1:
            raise ValueError(f"{name}: named twice")
    return bans


def worth(base: Experiment, bans: Sequence[Ban], jobs: int | None = None, report: Progress | None = None) -> Worth:
    """Play the games of an experiment unchanged, and again with each ban. p-values are adjusted over all lines (Holm)."""
    return _played(base, bans, usages(base), ("holm", ()), (jobs, report))


def everything(base: Experiment, games: int, jobs: int | None = None, report: Progress | None = None) -> Worth:
    """Value of each thing to each entrant that uses it: banned for that entrant only, in its games.

    Parts of teams cannot be banned separately: their things are banned for all. games: limit on all games; the number in `base`
    is ignored. Things not used in the replayed games are left out. Adjusted after Benjamini and Hochberg. Raises ValueError if
    the games do not suffice for two rounds of each ban, or nothing is used.
    """
    looking = max(LOOKED_AT, base.round_games)  # so that every entrant plays in some of these games
    looked = usages(replace(base, games_wanted=looking), looking)
    if base.teams:
        bans = [Ban(thing) for thing in looked.things if looked.users(thing)]
    else:
        bans = [Ban(thing, entrant) for thing in looked.things for entrant in looked.users(thing)]
    unused = tuple(thing for thing in looked.things if not looked.users(thing))
    if not bans:
        raise ValueError(f"--all: nothing that can be forbidden was used in {looked.looked_at} games")
    chosen = replace(base, games_wanted=affordable(base, bans, games))
    return _played(chosen, bans, looked, ("bh", unused), (jobs, report))


def affordable(base: Experiment, bans: Sequence[Ban], games: int) -> int:
    """Games of each ban that `games` games in all allow. Raises ValueError if that is less than two rounds."""
    unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
    units = [_unit(base, ban) for ban in bans]
    cost = unit + sum(part_of(base, 0, unit, owner).games for owner in units)
    times = games // cost
    if times * unit < 2 * base.round_games:
        least = cost * -(-2 * base.round_games // unit)
        trials = f"{len(bans)} trial{'s' if len(bans) > 1 else ''}"
        raise ValueError(
            f"games={games} are too few for {trials}: at least {least}, for whole rounds of line-ups with and without each"
        )
    return times * unit


def _unit(base: Experiment, ban: Ban) -> int | None:
    """Index of the entrant in whose games a ban can matter; None: in any game, always so for teams."""
    return None if base.teams else ban.entrant


def _owner(base: Experiment, thing: str) -> int | None:
    """Index of the unit whose id is in the name of a thing, such as hero.rhino_guy.charge; None if there is none."""
    ids = base.teams.ids if base.teams else base.cards.ids
    return next((ids.index(word) for word in thing.split(".") if word in ids), None)


def _played(
    base: Experiment,
    bans: Sequence[Ban],
    looked: Usages,
    kind: tuple[Adjustment, tuple[str, ...]],
    how: tuple[int | None, Progress | None],
) -> Worth:
    """Play with and without each ban and compare."""
    (method, unused), (jobs, report) = kind, how
    unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
    ends = pieces(0, base.games, unit, max(LEAST_PIECE, PIECE // len(bans)))
    ways = [[part_of(base, *piece), *(_without(base, ban, piece) for ban in bans)] for piece in ends]
    total, done = sum(part.games for piece in ways for part in piece), 0

    def count(games: int) -> None:
        nonlocal done
        done += games
        if report:
            report("games", done, total)

    parts = played_in_pieces(ways, jobs, count)
    if not parts:
        raise KeyboardInterrupt
    looked_at = ends[len(parts) - 1][1]
    before, *after = (joined(each) for each in zip(*parts, strict=True))
    tables = []
    for number, (ban, games) in enumerate(zip(bans, after, strict=True), 1):
        index = np.concatenate([piece[number].index for piece in ways[: len(parts)]])
        tables.append(_lines(base, ban, looked, (before, laid_over(before, index, games)), len(index)))
    lines = pd.concat(tables, ignore_index=True)
    adjusted = adjust(lines["p"], method)
    lines = lines.assign(p_adjusted=adjusted, sure=adjusted < SURE)
    return Worth(base, lines, looked, method, unused, looked_at, done, before.truncated_share)


def _without(base: Experiment, ban: Ban, piece: tuple[int, int]) -> Chosen:
    """Games of a piece (first, end) in which a ban can matter, with the ban."""
    forbidden = (*base.forbidden, ban.name(base.cards.ids))
    return replace(part_of(base, *piece, _unit(base, ban)), forbidden=forbidden)


def _lines(base: Experiment, ban: Ban, looked: Usages, games: tuple[Shares, Shares], touched: int) -> pd.DataFrame:
    """Lines of one ban."""
    before, after = games
    table = difference(base, before, after)
    names = unit_names(base)
    units = _concerned(base, ban, looked)
    moved = (np.abs(after.share - before.share) > 0).any(axis=1) | (after.truncated != before.truncated)
    table = table.set_index("name").reindex([names[unit] for unit in units]).reset_index()
    users = units if not base.teams else list(range(len(base.cards.ids)))
    shares = [looked.shares(ban.thing, [unit] if not base.teams else users) for unit in units]
    facts: dict[str, Any] = {"thing": ban.thing, "entrant": -1 if ban.entrant is None else ban.entrant}
    facts |= {"of_decisions": [decisions for decisions, _ in shares], "of_games": [games_ for _, games_ in shares]}
    turned = {name: -table[source] for name, source in ENDS.items()}
    return table.assign(**turned, **facts, moved=int(moved.sum()), touched=touched).drop(columns="change")


def _concerned(base: Experiment, ban: Ban, looked: Usages) -> list[int]:
    """Units whose win rates are reported: the one under the ban, else the owner by name, else the users, else all."""
    everyone = list(range(len(base.teams.ids if base.teams else base.cards.ids)))
    owner = ban.entrant if ban.entrant is not None and not base.teams else _owner(base, ban.thing)
    if owner is not None:
        return [owner]
    return everyone if base.teams else looked.users(ban.thing) or everyone
