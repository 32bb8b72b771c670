"""Who beats whom, whether that is an order, and what a clever field would play: all from one paired experiment at two seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.data.encounters import DUEL, Encounters, EncounterTally
from analysis.data.shares import Play
from analysis.matchups.equilibrium import equilibrium
from analysis.matchups.ratings import (
    Cycle,
    Fit,
    Intransitivity,
    Ratings,
    goodness_of_fit,
    intransitivity,
    ratings,
    sure_cycles,
)
from analysis.stats.intervals import LEVEL
from analysis.winrates import rates
from analysis.winrates.rates import Matchups
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.run import blocks

LEAST = 2  # entrants
ENTRANTS_MAX = 64  # of more, every two would meet too seldom to tell anything


@dataclass(frozen=True, eq=False)
class MatchupStudy:
    """All that is known of the matchups of a set of entrants.

    fit and order are None where there are too few entrants to tell; cycles: those that are sure, the clearest first;
    equilibrium: see `equilibrium.equilibrium`.
    """

    encounters: Encounters
    matchups: Matchups
    ratings: Ratings
    fit: Fit | None
    order: Intransitivity | None
    cycles: tuple[Cycle, ...]
    equilibrium: pd.DataFrame

    @property
    def pairs(self) -> pd.DataFrame:
        """Both views of every two entrants, in the order of the ratings: columns of `matchups.pairs`, and expected (by them)."""
        place = {name: at for at, name in enumerate(self.ratings.table["name"])}
        number = {name: at for at, name in enumerate(self.encounters.names)}
        frame = rates.pairs(self.matchups)
        row, column = (frame[side].map(number).to_numpy() for side in ("name", "opponent"))
        frame = frame.assign(expected=self.ratings.expected[row, column])
        return frame.sort_values(["name", "opponent"], key=lambda names: names.map(place), ignore_index=True)


def matchup_study(experiment: Experiment, play: Play | None = None, level: float = LEVEL) -> MatchupStudy:
    """Play an experiment (see `paired`) and work out all that it says. Raises ValueError where some two never met."""
    return study_of(encounters_of(experiment, play), experiment.seed, level)


def encounters_of(experiment: Experiment, play: Play | None = None) -> Encounters:
    """Play an experiment at two seats and count how every two fared. Raises ValueError for other numbers of seats."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in (play or blocks)(experiment):
        tally.add(block.rows)
    return tally.encounters()


def study_of(found: Encounters, seed: int = 1, level: float = LEVEL) -> MatchupStudy:
    """Work out all that encounters say. seed: of the samples that are drawn. Raises ValueError where some two never met."""
    found.require_complete()
    table = rates.of_encounters(found, level)
    return MatchupStudy(
        found,
        table,
        ratings(found, level),
        goodness_of_fit(found, seed=seed),
        intransitivity(found, level),
        tuple(sure_cycles(table)),
        equilibrium(found, seed=seed, level=level),
    )


def paired(game: Game, cards: CardSet, policies: Sequence[PolicySpec], games: int, seed: int = 1) -> Experiment:
    """The experiment behind matchups: every two from both seats with the same dice, in whole passes.

    Raises ValueError for what `refused` tells of, and for fewer games than let every two meet.
    """
    if why := refused(game, cards):
        raise ValueError(why)
    found = whole_passes(Experiment(game.name, cards, DUEL, tuple(policies), games, seed))
    least = found.pass_games or 1
    if games < least:
        raise ValueError(f"games={games} must be at least {least}, so that every two meet from both seats")
    return found


def as_played(experiment: Experiment) -> Experiment:
    """An experiment whose games are there already, if these tell matchups.

    Raises ValueError for what `refused` tells, and for games of other numbers of seats or of one line-up.
    """
    if why := refused(experiment.game, experiment.cards):
        raise ValueError(why)
    if experiment.seats != DUEL:
        raise ValueError(f"{experiment.cards.path}: matchups are of two seats, and its games have {experiment.seats}")
    if experiment.line_up is not None:
        raise ValueError(f"{experiment.cards.path}: matchups are of all entrants, and its games have one line-up")
    return experiment


def whole_passes(experiment: Experiment) -> Experiment:
    """The experiment in pairs, with so many games that every two meet equally often."""
    found = replace(experiment, paired=True)
    least = found.pass_games or 1
    return replace(found, games_wanted=-(-experiment.games_wanted // least) * least)


def refused(game: Game, cards: CardSet) -> str:
    """Why there are no matchups: never played by two, teams, a single entrant or very many; empty where there are."""
    teams, entrants = game.teams_for(cards), len(cards.ids)
    if teams is not None:
        words = f"the {entrants} {game.entrants_word} are made of {teams.parts} {teams.words} and meet too seldom"
        return f"{game.title}: {words}; matchups are for games in which entrants are no teams"
    if DUEL not in game.seats_for(cards):
        return f"{game.title}: matchups are of two seats, and it is never played by two"
    if not LEAST <= entrants <= ENTRANTS_MAX:
        return f"{game.title}: {entrants} {game.entrants_word}; matchups are of {LEAST} to {ENTRANTS_MAX}"
    return ""
