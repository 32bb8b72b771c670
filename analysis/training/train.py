"""Training: rounds of self-play and fitting, then games that the fit has not seen, then the match; by number of seats.

Each round plays by the weights of the last, half of its games with those before at some of the seats, and the fit is to the games
of all rounds: players who make the most of a judgement's faults lead to positions in which they show (dataset aggregation: Ross,
Gordon and Bagnell 2011, A reduction of imitation learning and structured prediction to no-regret online learning, AISTATS).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.training.logistic import Fit, fitted
from analysis.training.match import Match, games_of, play_match
from analysis.training.positions import ROWS_MOST, sampled
from analysis.training.sample import Sample, Watch, chances
from analysis.training.scores import reliability, scores
from analysis.training.stages import staged
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.weights import Floats, Weights, weighing

UNSEEN = 0.25  # games of the check, as a part of those of a round
EMPHASES = (1.0, 10.0, 100.0)  # times that an option counts what a game does
TRIAL = 0.1  # games of the match by which one of them is chosen, as a part of those of a round
MATCH = "greedy:4"  # how both sides of a match play
MATCH_GAMES = 0.5  # of each match, as a part of those of a round
FITTED, BEFORE, BY_HAND = "fitted", "before", "by hand"


@dataclass(frozen=True, eq=False)
class Trained:
    """What was learnt for one number of seats."""

    experiment: Experiment  # of the games of a round; its cards have the weights before
    rounds: tuple[Fit, ...]
    sample: Sample  # of the games that no fit has seen, played by the last weights
    scores: pd.DataFrame  # see `scores.scores`
    reliability: pd.DataFrame  # see `scores.reliability`, with a column judgement
    matches: tuple[Match, ...]
    games: int = 0  # played in all: rounds, trials, check and matches; branches of games not counted

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.experiment.seats

    @property
    def fit(self) -> Fit:
        """The last fit."""
        return self.rounds[-1]

    @property
    def is_better(self) -> bool:
        """Whether the fitted weights win every match."""
        return all(match.is_won for match in self.matches)


def train(experiment: Experiment, rounds: int, jobs: int | None = None, watch: Watch | None = None) -> Trained:
    """Fit the weights for an experiment's number of seats and hold them against those before and those set by hand.

    experiment: the games of a round: cards, policies, seed. Every round, the check and each match have games of their own. Raises
    ValueError where there is nothing to learn from.
    """
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    row, before = experiment.seats - 1, Weights.of(experiment.cards)
    seeds = iter(_seeds(experiment, 2 * rounds + 3))
    fits: list[Fit] = []
    samples: list[Sample] = []
    games_played = _check_games(experiment).games + _match_games(experiment, before)
    weights = before
    for number in range(rounds):
        table = Weights(weights.fitted, before.fitted)  # those before play along, so that new habits meet old ones
        games = replace(experiment, cards=weighing(experiment.cards, table), seed=next(seeds))
        stage = _staged(watch, f"round {number + 1} of {rounds}")
        sample = sampled(games, jobs, stage, ROWS_MOST // rounds, mixed=number > 0)
        samples.append(sample.numbered_from(number * games.games))
        trial = replace(_trial(experiment), seed=next(seeds))
        games_played += games.games + (_trial_games(trial) if samples[-1].option.any() else 0)
        fits.append(_best(Sample.joined(samples), trial, before, jobs, _staged(watch, "trials")))
        weights = Weights(_laid(before.fitted, row, fits[-1].weights), before.by_hand)
    unseen = _check(experiment, weights, next(seeds), jobs, _staged(watch, "check"))
    judgements = {FITTED: weights.fitted} | _others(before, row)
    guesses = {name: chances(unseen.features, table[row]) for name, table in judgements.items()}
    bins = [reliability(chance, unseen).assign(judgement=name) for name, chance in guesses.items()]
    matches = _matches(experiment, weights, before, (next(seeds), next(seeds)), jobs, watch)
    return Trained(
        experiment,
        tuple(fits),
        unseen,
        scores(guesses, unseen),
        pd.concat(bins, ignore_index=True),
        matches,
        games_played,
    )


def games_in_all(experiment: Experiment, rounds: int) -> int:
    """Games that a training plays at the most: rounds, trials, check and matches; branches of games not counted."""
    each = experiment.games + _trial_games(_trial(experiment))
    return rounds * each + _check_games(experiment).games + _match_games(experiment, Weights.of(experiment.cards))


def afforded(experiments: Sequence[Experiment], rounds: int, games: int) -> list[Experiment]:
    """The same with as many games in a round as `games` in all allow. Raises ValueError for fewer than one in each."""

    def of_round(each: int) -> list[Experiment]:
        return [replace(one, games_wanted=each) for one in experiments]

    def in_all(each: int) -> int:
        return sum(games_in_all(one, rounds) for one in of_round(each))

    if games < (least := in_all(1)):
        raise ValueError(
            f"games={games} must be at least {least}: {rounds} round{'s' if rounds > 1 else ''}, trials, check and matches of "
            "one game each, in whole rounds of line-ups; name fewer --rounds, or one number of --seats"
        )
    low, high = 1, games
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if in_all(middle) <= games else (low, middle - 1)
    return of_round(low)


def _trial(experiment: Experiment) -> Experiment:
    """The games of a trial of one fit."""
    return replace(experiment, games_wanted=max(1, round(TRIAL * experiment.games_wanted)))


def _trial_games(trial: Experiment) -> int:
    """Games of the trials of one round: one for each emphasis, and one for the fit in two stages."""
    return (len(EMPHASES) + 1) * games_of(trial)


def _check_games(experiment: Experiment) -> Experiment:
    """The games of the check."""
    return replace(experiment, games_wanted=max(1, round(UNSEEN * experiment.games_wanted)))


def _match_games(experiment: Experiment, before: Weights) -> int:
    """Games of the matches."""
    one = replace(experiment, games_wanted=max(1, round(MATCH_GAMES * experiment.games_wanted)))
    return len(_others(before, experiment.seats - 1)) * games_of(one)


def _best(sample: Sample, trial: Experiment, before: Weights, jobs: int | None, watch: Watch | None) -> Fit:
    """Of fits that heed options more or less, and that in two stages, the one that wins most against the weights before.

    Positions tell what to expect, options what to choose; where features do not tell all, no weights do both best.
    """
    row = trial.seats - 1
    if not sample.option.any():
        return fitted(sample, before.fitted[row], trial.seed)
    fits = [fitted(sample.weighted(one), before.fitted[row], trial.seed) for one in EMPHASES]
    fits.append(staged(sample, before.fitted[row], trial.seed))
    tables = [_laid(before.fitted, row, fit.weights) for fit in fits]
    won = [play_match(trial, table, before.fitted, BEFORE, jobs, watch).share.estimate for table in tables]
    return fits[int(np.argmax(won))]


def _check(experiment: Experiment, weights: Weights, seed: int, jobs: int | None, watch: Watch | None) -> Sample:
    """Positions of games that no fit has seen."""
    cards = weighing(experiment.cards, weights)
    return sampled(replace(_check_games(experiment), cards=cards, seed=seed), jobs, watch).positions


def _matches(
    experiment: Experiment,
    new: Weights,
    before: Weights,
    seeds: tuple[int, int],
    jobs: int | None,
    watch: Watch | None,
) -> tuple[Match, ...]:
    """The match against the weights before, and that against those set by hand, where they are others."""
    games = max(1, round(MATCH_GAMES * experiment.games_wanted))
    table = replace(experiment, policies=(PolicySpec.parse(MATCH),), games_wanted=games)
    others = _others(before, experiment.seats - 1)
    return tuple(
        play_match(replace(table, seed=seed), new.fitted, old, name, jobs, watch)
        for seed, (name, old) in zip(seeds, others.items(), strict=False)
    )


def _others(before: Weights, row: int) -> dict[str, Floats]:
    """What new weights are held against: those before and those set by hand, once where they are the same."""
    others = {BEFORE: before.fitted, BY_HAND: before.by_hand}
    if np.array_equal(before.fitted[row], before.by_hand[row]):
        del others[BEFORE]
    return others


def _laid(table: Floats, row: int, weights: Floats) -> Floats:
    """A table of weights with one row changed."""
    found = table.copy()
    found[row] = weights
    return found


def _seeds(experiment: Experiment, count: int) -> list[int]:
    """Seeds of games that have nothing in common, from the experiment's."""
    words = np.random.SeedSequence([experiment.seed, experiment.seats]).generate_state(count, np.uint64)
    return [int(word >> np.uint64(1)) for word in words]


def _staged(watch: Watch | None, stage: str) -> Watch | None:
    """A watch that is told of a stage."""
    if watch is None:
        return None
    return lambda seats, done, total: watch(f"{seats}, {stage}", done, total)
