"""Study of matchups from one paired experiment at two seats: win rates, ratings, cycles and equilibrium."""

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
ENTRANTS_MAX = 64  # with more, each pair would meet too rarely


@dataclass(frozen=True, eq=False)
class MatchupStudy:
    """Results on the matchups of a set of entrants.

    fit and order are None if there are too few entrants; cycles: significant ones, the clearest first; equilibrium: see
    `equilibrium.equilibrium`.
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
        """Every pair from both sides, in the order of the ratings: columns of `rates.pairs`, and expected (by ratings)."""
        place = {name: index for index, name in enumerate(self.ratings.table["name"])}
        number = {name: index for index, name in enumerate(self.encounters.names)}
        frame = rates.pairs(self.matchups)
        row, column = (frame[side].map(number).to_numpy() for side in ("name", "opponent"))
        frame = frame.assign(expected=self.ratings.expected[row, column])
        return frame.sort_values(["name", "opponent"], key=lambda names: names.map(place), ignore_index=True)


def matchup_study(experiment: Experiment, play: Play | None = None, level: float = LEVEL) -> MatchupStudy:
    """Play an experiment (see `paired`) and analyse it. Raises ValueError if two entrants never met."""
    return study_of(encounters_of(experiment, play), experiment.seed, level)


def encounters_of(experiment: Experiment, play: Play | None = None) -> Encounters:
    """Play an experiment at two seats and count the results of every pair. Raises ValueError for other numbers of seats."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in (play or blocks)(experiment):
        tally.add(block.rows)
    return tally.encounters()


def study_of(encounters: Encounters, seed: int = 1, level: float = LEVEL) -> MatchupStudy:
    """Analyse encounters. seed: of the random samples. Raises ValueError if two entrants never met."""
    encounters.require_complete()
    table = rates.of_encounters(encounters, level)
    return MatchupStudy(
        encounters,
        table,
        ratings(encounters, level),
        goodness_of_fit(encounters, seed=seed),
        intransitivity(encounters, level),
        tuple(sure_cycles(table)),
        equilibrium(encounters, seed=seed, level=level),
    )


def paired(game: Game, cards: CardSet, policies: Sequence[PolicySpec], games: int, seed: int = 1) -> Experiment:
    """Experiment for matchups: every pair from both seats with the same dice, in whole passes.

    Raises ValueError for the reasons of `refused`, and if there are too few games for every pair to meet.
    """
    if why := refused(game, cards):
        raise ValueError(why)
    experiment = whole_passes(Experiment(game.name, cards, DUEL, tuple(policies), games, seed))
    least = experiment.pass_games or 1
    if games < least:
        raise ValueError(f"games={games} must be at least {least}, so that every pair meets from both seats")
    return experiment


def as_played(experiment: Experiment) -> Experiment:
    """Check that the games of a stored run can be used for matchups, and return its experiment.

    Raises ValueError for the reasons of `refused`, for other numbers of seats, and for games of one line-up.
    """
    if why := refused(experiment.game, experiment.cards):
        raise ValueError(why)
    if experiment.seats != DUEL:
        raise ValueError(f"{experiment.cards.path}: matchups need two seats, but its games have {experiment.seats}")
    if experiment.line_up is not None:
        raise ValueError(f"{experiment.cards.path}: matchups need all entrants, but its games have one line-up")
    return experiment


def whole_passes(experiment: Experiment) -> Experiment:
    """Return the experiment in pairs, with games rounded up so that all pairs meet equally often."""
    in_pairs = replace(experiment, paired=True)
    least = in_pairs.pass_games or 1
    return replace(in_pairs, games_wanted=-(-experiment.games_wanted // least) * least)


def refused(game: Game, cards: CardSet) -> str:
    """Reason why there are no matchups (no two seats, teams, one or very many entrants); empty if there are."""
    teams, entrants = game.teams_for(cards), len(cards.ids)
    if teams is not None:
        words = f"the {entrants} {game.entrants_word} are made of {teams.parts} {teams.words} and meet too rarely"
        return f"{game.title}: {words}; matchups are for games in which entrants are not teams"
    if DUEL not in game.seats_for(cards):
        return f"{game.title}: matchups need two seats, and the game is never played by two"
    if not LEAST <= entrants <= ENTRANTS_MAX:
        return f"{game.title}: {entrants} {game.entrants_word}; matchups need {LEAST} to {ENTRANTS_MAX}"
    return ""
