"""What a thing is worth: the same games with it and without it.

How often what can be forbidden is used: counted over the decisions of some replayed games.

What an ability, a card or a rule is worth: the same games with it and without it, compared pair by pair.

Who may not use a thing knows that it may not, and so do all who think ahead at that table: it is the worth of having it, not of
being surprised by its loss. Where nothing else is open it may be used after all. The games of a pair have the same line-up and
dice; how they are compared: see `compare`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.play import joined, laid_over, played_in_pieces
from analysis.data.shares import Shares
from analysis.stats.intervals import Adjustment, adjust
from analysis.variants.compare import PIECE, pieces
from analysis.variants.variant import Chosen, difference, part_of, unit_names
from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING, Game, uses
from sim.experiment import Experiment
from sim.run import Replay, replay

LOOKED_AT = 200  # games
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Usages:
    """Decisions with an alternative, by entrant, and those of them that used a thing.

    games, decisions: (entrants,), games in which an entrant sat, and its decisions. used, in_games: (things, entrants), decisions
    that used a thing, and games in which it was used at least once. looked_at: games in all.
    """

    things: tuple[str, ...]
    games: Ints
    decisions: Ints
    used: Ints
    in_games: Ints
    looked_at: int

    def users(self, thing: str) -> list[int]:
        """Numbers of the entrants that used a thing."""
        return [int(one) for one in np.flatnonzero(self.used[self.things.index(thing)])]

    def shares(self, thing: str, entrants: list[int]) -> tuple[float, float]:
        """Share of the decisions of some entrants that used a thing, and of the games with any of them in which it was used.

        A game with two of them counts twice. NaN where they decided nothing.
        """
        row = self.things.index(thing)
        counts = ((self.used, self.decisions), (self.in_games, self.games))
        found = [(int(part[row, entrants].sum()), int(whole[entrants].sum())) for part, whole in counts]
        decisions, games = (part / whole if whole else float("nan") for part, whole in found)
        return decisions, games


def things_of(game: Game, cards: CardSet) -> tuple[str, ...]:
    """Names of what can be forbidden. Raises ValueError where nothing can."""
    things = game.usable(cards) if game.usable else ()
    if not things:
        raise ValueError(f"game={game.name!r}: nothing can be forbidden in {game.title}")
    return things


def usages(experiment: Experiment, games: int = LOOKED_AT) -> Usages:
    """Replay the first games of an experiment, at most so many, and count."""
    things, entrants = things_of(experiment.game, experiment.cards), len(experiment.cards.ids)
    wanted = min(games, experiment.games)
    single, double = (entrants,), (len(things), entrants)
    counts = [np.zeros(shape, np.int64) for shape in (single, single, double, double)]
    found = Usages(things, counts[0], counts[1], counts[2], counts[3], wanted)
    for index in range(wanted):
        _count(experiment, replay(experiment, index), found)
    return found


def _count(experiment: Experiment, played: Replay, into: Usages) -> None:
    """Add one game."""
    seated = played.rows["entrant"][0, : experiment.seats].astype(np.int64)
    sat = np.unique(seated)
    lines = np.flatnonzero(played.moves["options"] > 1)
    who = seated[played.moves["seat"][lines]]
    record = experiment.cards.record[0]
    what = [int(uses(played.positions[line], record, int(played.moves["action"][line]))) for line in lines]
    table = pd.DataFrame({"thing": what, "who": who})
    into.games[sat] += 1
    np.add.at(into.decisions, who, 1)
    table = table[table["thing"] != NOTHING]
    np.add.at(into.used, (table["thing"].to_numpy(np.int64), table["who"].to_numpy(np.int64)), 1)
    table = table.drop_duplicates()
    np.add.at(into.in_games, (table["thing"].to_numpy(np.int64), table["who"].to_numpy(np.int64)), 1)


SURE = 0.05
LEAST_PIECE = 200  # games played in every way before the next ones, where there are many ways
PASS_MOST = 1000  # games: a pass of all line-ups up to here is not broken
ENDS = {"worth": "change", "low": "high", "high": "low"}  # of what a thing is worth: a change with the sign turned
Told = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Ban:
    """A thing, and the number of the entrant that may not use it, None: nobody may."""

    thing: str
    entrant: int | None = None

    def name(self, ids: Sequence[str]) -> str:
        """As `Experiment.forbidden` has it."""
        return self.thing if self.entrant is None else f"{ids[self.entrant]}:{self.thing}"


@dataclass(frozen=True, eq=False)
class Worth:
    """What things are worth.

    lines: one per thing and whoever is concerned: thing, entrant (number of whom it is forbidden to, -1: everybody), name (whose
    win rate), before, after (with it and without), worth (their difference), low, high, p, p_adjusted, sure, n, gain,
    of_decisions, of_games (see `Usages.shares`), moved (games of `games` that ended otherwise). method: of the adjustment.
    unused: things that nobody used in the games looked at, and that were not asked for by name. played: games in all.
    truncated: share of the games as they are that were stopped at a limit; such games are left out.
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
    """Read [ENTRANT:]THING, each forbidden for itself; entrant: to whom those are that name nobody.

    Raises ValueError, see `Experiment.bans`, and for a thing that is named twice.
    """
    things_of(base.game, base.cards)
    found = []
    for name in names:
        whole = f"{entrant}:{name}" if entrant is not None and ":" not in name else name
        _ = replace(base, forbidden=(whole,)).bans
        whom, colon, thing = whole.rpartition(":")
        found.append(Ban(thing, base.cards.ids.index(whom) if colon else None))
        if found.count(found[-1]) > 1:
            raise ValueError(f"{name}: is named twice")
    return found


def worth(base: Experiment, bans: Sequence[Ban], jobs: int | None = None, told: Told | None = None) -> Worth:
    """Play the games of an experiment as they are, and again with each ban. p-values are adjusted over all lines (Holm)."""
    return _played(base, bans, usages(base), ("holm", ()), (jobs, told))


def everything(base: Experiment, games: int, jobs: int | None = None, told: Told | None = None) -> Worth:
    """What each thing is worth to each entrant that uses it: forbidden to that one alone, in the games in which it sits.

    Parts of teams have no bans of their own: what is theirs is forbidden to everybody. games: in all, at the most; those of
    `base` count for nothing. Left out is what nobody used in the games looked at. Adjusted after Benjamini and Hochberg.
    Raises ValueError where the games do not suffice for two rounds of each, or nobody uses anything.
    """
    looking = max(LOOKED_AT, base.round_games)  # so that everybody sits in some of these games
    looked = usages(replace(base, games_wanted=looking), looking)
    if base.teams:
        bans = [Ban(thing) for thing in looked.things if looked.users(thing)]
    else:
        bans = [Ban(thing, one) for thing in looked.things for one in looked.users(thing)]
    unused = tuple(thing for thing in looked.things if not looked.users(thing))
    if not bans:
        raise ValueError(f"--all: nobody used anything that can be forbidden in {looked.looked_at} games")
    chosen = replace(base, games_wanted=affordable(base, bans, games))
    return _played(chosen, bans, looked, ("bh", unused), (jobs, told))


def affordable(base: Experiment, bans: Sequence[Ban], games: int) -> int:
    """Games of each ban that may be played with so many in all. Raises ValueError where that are fewer than two rounds."""
    unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
    units = [_unit(base, ban) for ban in bans]
    cost = unit + sum(part_of(base, 0, unit, one).games for one in units)
    times = games // cost
    if times * unit < 2 * base.round_games:
        least = cost * -(-2 * base.round_games // unit)
        trials = f"{len(bans)} trial{'s' if len(bans) > 1 else ''}"
        raise ValueError(
            f"games={games} are too few for {trials}: at least {least}, whole rounds of line-ups with and without each"
        )
    return times * unit


def _unit(base: Experiment, ban: Ban) -> int | None:
    """Number of the entrant without which a ban touches no game; None: it may touch any, as where entrants are teams."""
    return None if base.teams else ban.entrant


def _owner(base: Experiment, thing: str) -> int | None:
    """Number of the unit whose id is a part of a thing's name, such as hero.rhino_guy.charge; None where there is none."""
    ids = base.teams.ids if base.teams else base.cards.ids
    return next((ids.index(word) for word in thing.split(".") if word in ids), None)


def _played(
    base: Experiment,
    bans: Sequence[Ban],
    looked: Usages,
    kind: tuple[Adjustment, tuple[str, ...]],
    how: tuple[int | None, Told | None],
) -> Worth:
    """Play everything and compare."""
    (method, unused), (jobs, told) = kind, how
    unit = base.pass_games if base.pass_games and base.pass_games <= PASS_MOST else base.round_games
    ends = pieces(0, base.games, unit, max(LEAST_PIECE, PIECE // len(bans)))
    ways = [[part_of(base, *piece), *(_without(base, ban, piece) for ban in bans)] for piece in ends]
    total, done = sum(one.games for piece in ways for one in piece), 0

    def count(games: int) -> None:
        nonlocal done
        done += games
        if told:
            told("games", done, total)

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
    return Worth(base, lines, looked, method, unused, looked_at, done, before.truncated)


def _without(base: Experiment, ban: Ban, piece: tuple[int, int]) -> Chosen:
    """The games of a piece (first, end) that a ban may touch, with it."""
    forbidden = (*base.forbidden, ban.name(base.cards.ids))
    return replace(part_of(base, *piece, _unit(base, ban)), forbidden=forbidden)


def _lines(base: Experiment, ban: Ban, looked: Usages, games: tuple[Shares, Shares], touched: int) -> pd.DataFrame:
    """The lines of one ban."""
    before, after = games
    table = difference(base, before, after)
    names = unit_names(base)
    units = _concerned(base, ban, looked)
    moved = (np.abs(after.share - before.share) > 0).any(axis=1) | (after.capped != before.capped)
    table = table.set_index("name").reindex([names[unit] for unit in units]).reset_index()
    users = units if not base.teams else list(range(len(base.cards.ids)))
    shares = [looked.shares(ban.thing, [unit] if not base.teams else users) for unit in units]
    facts: dict[str, Any] = {"thing": ban.thing, "entrant": -1 if ban.entrant is None else ban.entrant}
    facts |= {"of_decisions": [one for one, _ in shares], "of_games": [one for _, one in shares]}
    turned = {name: -table[of] for name, of in ENDS.items()}
    return table.assign(**turned, **facts, moved=int(moved.sum()), touched=touched).drop(columns="change")


def _concerned(base: Experiment, ban: Ban, looked: Usages) -> list[int]:
    """Whose win rates are told: whom it is forbidden to, else whose it is by its name, else whoever used it, else everybody."""
    everybody = list(range(len(base.teams.ids if base.teams else base.cards.ids)))
    own = ban.entrant if ban.entrant is not None and not base.teams else _owner(base, ban.thing)
    if own is not None:
        return [own]
    return everybody if base.teams else looked.users(ban.thing) or everybody
