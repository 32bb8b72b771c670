"""Who beats whom, whether that is an order, and what a clever field would play: all from one paired experiment at two seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis import matchups
from analysis.compare import Play
from analysis.encounters import DUEL, Encounters, EncounterTally
from analysis.equilibrium import equilibrium
from analysis.estimates import LEVEL
from analysis.intransitivity import Cycle, Intransitivity, intransitivity, sure_cycles
from analysis.matchups import Matchups
from analysis.ratings import Fit, Ratings, goodness_of_fit, ratings
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.run import blocks

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
        frame = matchups.pairs(self.matchups)
        row, column = (frame[side].map(number).to_numpy() for side in ("name", "opponent"))
        frame = frame.assign(expected=self.ratings.expected[row, column])
        return frame.sort_values(["name", "opponent"], key=lambda names: names.map(place), ignore_index=True)


def matchup_study(experiment: Experiment, play: Play | None = None, level: float = LEVEL) -> MatchupStudy:
    """Play a paired experiment (see `paired`) and work out all that it says. Raises ValueError where some two never met."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in (play or blocks)(experiment):
        tally.add(block.rows)
    return study_of(tally.encounters(), experiment.seed, level)


def study_of(found: Encounters, seed: int = 1, level: float = LEVEL) -> MatchupStudy:
    """Work out all that encounters say. seed: of the samples that are drawn. Raises ValueError where some two never met."""
    found.require_complete()
    table = matchups.of_encounters(found, level)
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
    """The experiment behind matchups: every two from both seats with the same dice, in whole passes where these fit.

    Raises ValueError for what `check_matchups` refuses, and for fewer games than let every two meet.
    """
    check_matchups(game, cards)
    found = Experiment(game.name, cards, DUEL, tuple(policies), games, seed, paired=True)
    whole = found.pass_games or 1
    if games < whole:
        raise ValueError(f"games={games} must be at least {whole}, so that every two meet from both seats")
    return replace(found, games_wanted=-(-games // whole) * whole)


def check_matchups(game: Game, cards: CardSet) -> None:
    """Raise ValueError for a game that is never played by two, for teams, and for fewer than two or very many entrants."""
    teams, entrants = game.teams_for(cards), len(cards.ids)
    if DUEL not in game.seats_for(cards):
        raise ValueError(f"{game.title}: matchups are of two seats, and it is never played by two")
    if teams is not None:
        words = f"the {entrants} {game.entrants_word} are made of {teams.parts} {teams.words}"
        raise ValueError(
            f"{game.title}: {words} and meet too seldom; matchups are for games in which entrants are no teams"
        )
    if not 2 <= entrants <= ENTRANTS_MAX:
        raise ValueError(f"{game.title}: {entrants} {game.entrants_word}; matchups are of 2 to {ENTRANTS_MAX}")
