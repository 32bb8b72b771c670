"""Ablation: the value of an ability, card or rule, from the same games with it and without it.

The games of a pair have the same line-up and dice and are compared pair by pair (see `analysis.variants.variant`). All players
know about a ban and plan accordingly: the result is the value of having the thing, not the cost of losing it by surprise. A
banned action is still taken if there is no other. How often things are used is counted over the decisions of replayed games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.prose import capital
from analysis.data.selection import Chosen
from analysis.data.together import joined
from analysis.stats.intervals import Adjustment, adjust
from analysis.variants.compare import PIECE, Counter, in_pieces, pieces, unit_games
from analysis.variants.variant import SURE, difference, moved, part_of, unit_names
from sim.engine.cardfiles.paths import fitting
from sim.engine.cards import CardSet, slug
from sim.engine.contract import NOTHING, Game, ablation_of
from sim.engine.jit import interpreted
from sim.experiments.experiment import Experiment
from sim.run import replay

LOOKED_AT = 200  # games replayed to count uses
Ints = NDArray[np.int64]


def thing_words(base: Experiment, thing: str) -> str:
    """A thing by its name in the card file, without its owner: `Charge` is hero.rhino_guy.charge, `Rule: move` rule.move."""
    kind, *ids = thing.split(".")
    named = names_in(base.cards.document)
    decks = base.game.decks_for(base.cards)
    named |= {} if decks is None else dict(zip(decks.ids, decks.names, strict=True))
    own = ids[1:] if ids[0] in (base.teams.ids if base.teams else base.cards.ids) else ids
    words = ", ".join(named.get(id_, id_.replace("_", " ")) for id_ in own)
    return capital(words) if own[0] in named or own != ids else f"{capital(kind.replace('_', ' '))}: {words}"


def names_in(document: Any) -> dict[str, str]:
    """Names of all entries of a card file by their ids; without an id, by the slug of the name."""
    items = document.values() if isinstance(document, Mapping) else document if isinstance(document, list) else ()
    named = {id_: name for item in items for id_, name in names_in(item).items()}
    if isinstance(document, Mapping) and isinstance(document.get("name"), str):
        named[str(document.get("id", slug(document["name"])))] = document["name"]
    return named


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
        return np.flatnonzero(self.used[self.things.index(thing)]).tolist()

    def shares(self, thing: str, entrants: list[int]) -> tuple[float, float]:
        """Share of the entrants' decisions that used a thing, and share of their games in which they used it.

        A game with two of the entrants counts twice. NaN without decisions.
        """
        row = self.things.index(thing)
        parts = [self.used[row, entrants].sum(), self.in_games[row, entrants].sum()]
        wholes = [self.decisions[entrants].sum(), self.games[entrants].sum()]
        decisions, games = (int(part) / int(whole) if whole else float("nan") for part, whole in zip(parts, wholes, strict=True))
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
    sat, decisions = np.zeros((2, entrants), np.int64)
    used, in_games = np.zeros((2, len(things), entrants), np.int64)
    record = experiment.cards.record[0]
    for index in range(wanted):
        played = replay(experiment, index)
        seated = played.rows["entrant"][0, : experiment.seats].astype(np.int64)
        sat[np.unique(seated)] += 1
        moves = np.flatnonzero(played.moves["options"] > 1)
        entrant = seated[played.moves["seat"][moves]]
        np.add.at(decisions, entrant, 1)
        with interpreted():  # of few decisions; compiling the kernel would take longer
            thing = [int(ablation_of(played.positions[move], record, int(played.moves["action"][move]))) for move in moves]
        uses = pd.DataFrame({"thing": thing, "entrant": entrant}, dtype=np.int64)
        uses = uses[uses["thing"] != NOTHING]
        np.add.at(used, (uses["thing"], uses["entrant"]), 1)
        once = uses.drop_duplicates()
        np.add.at(in_games, (once["thing"], once["entrant"]), 1)
    return Usages(things, sat, decisions, used, in_games, wanted)


LEAST_PIECE = 200  # smallest number of games played with every ban before the next games, if there are many bans
ENDS = {"worth": "change", "low": "high", "high": "low"}  # the value of a thing is the change by its ban, with opposite sign
Progress = Callable[[str, int, int, Callable[[], str]], None]


@dataclass(frozen=True)
class Ban:
    """A banned thing. entrant: index of the entrant that must not use it, None: all."""

    thing: str
    entrant: int | None = None

    def games(self, base: Experiment, first: int, last: int) -> Chosen:
        """Games first..last-1 in which the ban can matter, with the ban: those of the entrant, for teams all."""
        name = self.thing if self.entrant is None else f"{base.cards.ids[self.entrant]}:{self.thing}"
        return replace(part_of(base, first, last, None if base.teams else self.entrant), forbidden=(*base.forbidden, name))


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

    A `*` in a thing matches any text: all things that fit are banned, one at a time. Raises ValueError as `Experiment.bans`
    does, for a pattern that fits nothing, and for a thing named twice.
    """
    known = things_of(base.game, base.cards)
    bans: list[Ban] = []
    for name in (one for pattern in names for one in fitting_things(pattern, known)):
        whole = f"{entrant}:{name}" if entrant is not None and ":" not in name else name
        _ = replace(base, forbidden=(whole,)).bans
        whom, colon, thing = whole.rpartition(":")
        bans.append(Ban(thing, base.cards.ids.index(whom) if colon else None))
        if bans.count(bans[-1]) > 1:
            raise ValueError(f"{name}: named twice")
    return bans


def fitting_things(name: str, known: Sequence[str]) -> list[str]:
    """The things that [ENTRANT:]THING names: several if it has a `*`. Raises ValueError if none fits."""
    whom, colon, thing = name.rpartition(":")
    if "*" not in thing:
        return [name]
    things = fitting(known, thing)
    if not things:
        raise ValueError(f"{name}: fits nothing that can be forbidden; `fairfight ablate GAME --list` shows all")
    return [f"{whom}{colon}{one}" for one in things]


def everything(base: Experiment, games: int, jobs: int | None = None, report: Progress | None = None) -> Worth:
    """Value of each thing to each entrant that uses it: banned for that entrant only, in its games.

    Parts of teams cannot be banned separately: their things are banned for all. games: limit on all games; the number in `base`
    is ignored. Things not used in the replayed games are left out. Adjusted after Benjamini and Hochberg. Raises ValueError if
    the games do not suffice for two rounds of each ban, or nothing is used.
    """
    looking = max(LOOKED_AT, base.round_games)  # so that every entrant plays in some of these games
    looked = usages(replace(base, games_wanted=looking), looking)
    users = {thing: looked.users(thing) for thing in looked.things}
    bans = [Ban(thing, entrant) for thing, ids in users.items() for entrant in ([None] if base.teams and ids else ids)]
    if not bans:
        raise ValueError(f"ablate: nothing that can be forbidden was used in {looked.looked_at} games")
    unused = tuple(thing for thing, ids in users.items() if not ids)
    return worth(replace(base, games_wanted=affordable(base, bans, games)), bans, jobs, report, looked, "bh", unused)


def affordable(base: Experiment, bans: Sequence[Ban], games: int) -> int:
    """Games of each ban that `games` games in all allow. Raises ValueError if that is less than two rounds."""
    unit = unit_games(base)
    cost = unit + sum(ban.games(base, 0, unit).games for ban in bans)
    times = games // cost
    if times * unit < 2 * base.round_games:
        least = cost * -(-2 * base.round_games // unit)
        trials = f"{len(bans)} trial{'s' if len(bans) > 1 else ''}"
        raise ValueError(
            f"games={games} are too few for {trials}: at least {least}, for whole rounds of line-ups with and without each"
        )
    return times * unit


def worth(
    base: Experiment,
    bans: Sequence[Ban],
    jobs: int | None = None,
    report: Progress | None = None,
    looked: Usages | None = None,
    method: Adjustment = "holm",
    unused: tuple[str, ...] = (),
) -> Worth:
    """Play the games of an experiment unchanged, and again with each ban. p-values are adjusted over all lines.

    Win rates are those of the unit under the ban, else of the owner by name, else of the users, else of all.
    looked: counted uses, None: count them first. unused: see `Worth`. An interruption keeps the games played with every ban;
    KeyboardInterrupt is raised if there are none.
    """
    looked = looked or usages(base)
    counter = Counter(partial(report, "games") if report else None, base)
    ends = pieces(0, base.games, unit_games(base), max(LEAST_PIECE, PIECE // len(bans)))
    finished = in_pieces([partial(part_of, base), *(partial(ban.games, base) for ban in bans)], ends, counter, jobs)
    if not finished:
        raise KeyboardInterrupt
    games = ends[len(finished) - 1][1]
    before, *others = (joined(each) for each in zip(*finished, strict=True))
    names, ids = unit_names(base), list(base.teams.ids if base.teams else base.cards.ids)
    tables = []
    for ban, after in zip(bans, others, strict=True):
        owner = next((ids.index(word) for word in ban.thing.split(".") if word in ids), None)  # hero.rhino_guy.charge
        if ban.entrant is not None and not base.teams:
            units = [ban.entrant]
        elif owner is not None:
            units = [owner]
        else:
            units = ([] if base.teams else looked.users(ban.thing)) or list(range(len(names)))
        users = [list(range(len(base.cards.ids))) if base.teams else [unit] for unit in units]
        uses = [looked.shares(ban.thing, by) for by in users]
        table = difference(base, before, after).set_index("name").reindex([names[unit] for unit in units]).reset_index()
        facts: dict[str, Any] = {"thing": ban.thing, "entrant": -1 if ban.entrant is None else ban.entrant}
        facts |= {"of_decisions": [decisions for decisions, _ in uses], "of_games": [share for _, share in uses]}
        facts |= {"moved": int(moved(before, after).sum()), "touched": ban.games(base, 0, games).games}
        turned = {name: -table[source] for name, source in ENDS.items()}
        tables.append(table.assign(**turned, **facts).drop(columns="change"))
    lines = pd.concat(tables, ignore_index=True)
    p_adjusted = adjust(lines["p"], method)
    lines = lines.assign(p_adjusted=p_adjusted, sure=p_adjusted < SURE)
    return Worth(base, lines, looked, method, unused, games, counter.done, before.truncated_share)
