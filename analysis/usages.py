"""How often what can be forbidden is used: counted over the decisions of some replayed games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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
