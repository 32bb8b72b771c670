"""Training: rounds of play and fitting, and the match that judges them.

A fit in two stages: first what decisions are worth, then how sure all that is.

Positions of sensible players tell what to expect, and little of what to choose: such players hold no card that they could play
and leave no good attack undone, so that nothing shows what holding or leaving costs, and what winners happen to have passes for
what won. Here the ratio of the weights comes from options of one decision alone, which have everything else in common. Positions
then tell one factor for all of them, and the weights of what hardly any decision moves.

How well winning chances foretell games that they were not fitted to: reliability, log loss, Brier score, AUC.

Rows of one game hang together: every interval is over games.

The match: players who judge by new weights against the same players who judge by others, at one table.

Both sit on every seat equally often with the same dice, where the game allows it with the same entrants, so that nothing but the
weights can make a difference.

Training: rounds of self-play and fitting, then games that the fit has not seen, then the match; by number of seats.

Each round plays by the weights of the last, half of its games with those before at some of the seats, and the fit is to the games
of all rounds: players who make the most of a judgement's faults lead to positions in which they show (dataset aggregation: Ross,
Gordon and Bagnell 2011, A reduction of imitation learning and structured prediction to no-regret online learning, AISTATS).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.clustered import rates
from analysis.data.play import played
from analysis.stats import clusters
from analysis.stats.intervals import LEVEL, Interval
from analysis.training.fit import (
    DECIMALS,
    PRECISIONS,
    Fit,
    chosen_precision,
    errors,
    fit_of,
    fitted,
    log_loss,
    penalised,
)
from analysis.training.positions import ROWS_MOST, Sample, Watch, chances, sampled, seated, sides
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.weights import Floats, Weights, weighing

MOVED = 0.01  # of the options: a feature that fewer of them change is no matter of decisions


def staged(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to the options of a sample, then their scale to its positions. before, seed: as in `fitted`."""
    options = sample.taken(sample.option)
    precision = chosen_precision(options, before, seed)
    ratio, still = penalised(options, before, precision), is_still(options)
    ratio[still] = 0.0
    positions = on_scale(sample.positions, ratio, still)
    found = penalised(positions, np.append(1.0, before[still]), PRECISIONS[0])
    doubt = errors(positions, found, PRECISIONS[0])
    weights, error = ratio * found[0], np.hypot(errors(options, ratio, precision) * found[0], ratio * doubt[0])
    weights[still], error[still] = found[1:], doubt[1:]
    return fit_of(sample, weights.round(DECIMALS), error, precision)


def is_still(options: Sample) -> NDArray[np.bool_]:
    """Which features decisions hardly ever move."""
    return np.asarray((options.features != 0).mean(axis=0) < MOVED)


def on_scale(positions: Sample, ratio: Floats, still: NDArray[np.bool_]) -> Sample:
    """Positions by what the ratio makes of them, and by what is still."""
    return replace(positions, features=np.column_stack([positions.features @ ratio, positions.features[:, still]]))


BINS = 10  # of the reliability table, each with as many rows


def scores(guesses: Mapping[str, Floats], sample: Sample, level: float = LEVEL) -> pd.DataFrame:
    """A line for each judgement, the first being what the others are held against.

    guesses: judgement -> chance of each row. Columns: judgement, log_loss, low, high, worse (log loss above that of the first),
    worse_low, worse_high, brier (mean squared error: Brier 1950, Monthly Weather Review 78:1-3), auc (chance that of a won and a
    lost row the won one was judged higher: 0.5 tells nothing), off (mean distance of a bin's share from its mean chance), n
    (games).
    """
    first = log_loss(next(iter(guesses.values())), sample.share)
    lines = []
    for name, chance in guesses.items():
        loss = log_loss(chance, sample.share)
        own, more = (_mean(sample, values, level) for values in (loss, loss - first))
        lines.append(
            {"judgement": name, "log_loss": own["estimate"], "low": own["low"], "high": own["high"]}
            | {"worse": more["estimate"], "worse_low": more["low"], "worse_high": more["high"]}
            | {"brier": float(((chance - sample.share) ** 2).mean()), "auc": auc(chance, sample.share)}
            | {"off": _off(reliability(chance, sample, level)), "n": int(own["n"])}
        )
    return pd.DataFrame(lines)


def reliability(chance: Floats, sample: Sample, level: float = LEVEL, bins: int = BINS) -> pd.DataFrame:
    """How often a chance came true, by tenths of the rows in the order of their chance.

    Columns: chance (mean), estimate, low, high (share of the win; see `amounts.rates`), n (games), rows. A judgement is
    reliable where `chance` lies between low and high; bounds are NaN where one game alone tells. Bins that equal chances leave
    empty are left out.
    """
    edges = np.unique(np.quantile(chance, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, chance, side="right")
    found = rates(sample.game, place, sample.share, np.ones(len(chance)), level)
    rows = np.bincount(place, minlength=len(found)).astype(np.int64)
    mean = np.bincount(place, chance, len(found)) / np.maximum(rows, 1)
    table = found[["estimate", "low", "high", "n"]].assign(chance=mean, rows=rows)
    table[["low", "high"]] = table[["low", "high"]].clip(0, 1)
    return table.loc[rows > 0, ["chance", "estimate", "low", "high", "n", "rows"]].reset_index(drop=True)


def auc(chance: Floats, share: Floats) -> float:
    """Area under the ROC curve by ranks (Mann-Whitney); a shared win counts as won and lost in these parts.

    NaN where all are won, or lost.
    """
    values, place = np.unique(chance, return_inverse=True)
    won, lost = (np.bincount(place, weights, len(values)) for weights in (share, 1 - share))
    below = np.cumsum(lost) - lost
    pairs = won.sum() * lost.sum()
    return float(won @ (below + lost / 2) / pairs) if pairs > 0 else float("nan")


def _mean(sample: Sample, values: Floats, level: float) -> pd.Series:
    """Mean of a value over the rows, with its interval over games."""
    group = np.zeros(len(values), np.int64)
    return rates(sample.game, group, values, np.ones(len(values)), level).iloc[0]


def _off(table: pd.DataFrame) -> float:
    """Mean distance of what came true from what was said, bins weighing as their rows."""
    return float(np.average((table["estimate"] - table["chance"]).abs(), weights=table["rows"]))


EVEN = 0.5


@dataclass(frozen=True)
class Match:
    """What the new weights won of all wins, over the games played; even is one half whatever the number of seats."""

    against: str
    seats: int
    policy: str
    share: Interval  # over games of the same dice, which are one observation

    @property
    def is_won(self) -> bool:
        """Whether the new weights win more than half beyond doubt."""
        return self.share.low > EVEN

    @property
    def verdict(self) -> str:
        """The result in a word."""
        return "wins" if self.is_won else "loses" if self.share.high < EVEN else "not decided"


def play_match(
    experiment: Experiment, new: Floats, old: Floats, against: str, jobs: int | None = None, watch: Watch | None = None
) -> Match:
    """Play new weights against old ones.

    experiment: cards, seats, one policy (that judges), games in all and seed. new, old: (SEATS_MAX, features).
    """
    cards = weighing(experiment.cards, Weights(new, old))
    tables = _tables(replace(experiment, cards=cards))
    pairs = [replace(table, policies=seated(table, side)) for table in tables for side in sides(experiment.seats)]
    done, total = 0, sum(one.games for one in pairs)

    def told(games: int) -> None:
        nonlocal done
        done += games
        if watch:
            watch(f"match {against}, {experiment.seats} seats", done, total)

    won, wins = [], []
    found = played(pairs, jobs, told)
    for _ in tables:
        of_side = [(np.array(side), next(found).share) for side in sides(experiment.seats)]
        won.append(np.sum([share @ side for side, share in of_side], axis=0))
        wins.append(np.sum([share.sum(axis=1) for _, share in of_side], axis=0))
    return Match(
        against, experiment.seats, experiment.policy_words, _interval(np.concatenate(won), np.concatenate(wins))
    )


def games_of(experiment: Experiment) -> int:
    """Games that a match of this experiment takes in all."""
    return sum(table.games for table in _tables(experiment)) * len(sides(experiment.seats))


def _interval(won: Floats, wins: Floats) -> Interval:
    """Share of the wins, games of the same dice being one observation; nothing is known where nobody won."""
    return clusters.share(won, wins)


def _tables(experiment: Experiment) -> list[Experiment]:
    """Experiments of one side each: of every entrant against itself where that may be, else of the balanced design."""
    ways = len(sides(experiment.seats))
    games = max(clusters.LEAST_CLUSTERS, -(-experiment.games_wanted // ways))
    if not experiment.mirror:
        return [replace(experiment, games_wanted=games)]
    entrants = _some(len(experiment.cards.ids), games, experiment.seed)
    seeds = np.random.SeedSequence(experiment.seed).generate_state(len(entrants), np.uint64) >> np.uint64(1)
    each = max(1, -(-games // len(entrants)))
    return [
        replace(experiment, line_up=(int(entrant),) * experiment.seats, games_wanted=each, seed=int(seed))
        for entrant, seed in zip(entrants, seeds, strict=True)
    ]


def _some(entrants: int, games: int, seed: int) -> NDArray[np.int64]:
    """All entrants, or as many by lot as there are games."""
    return np.sort(np.random.default_rng(seed).permutation(entrants)[:games])


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
