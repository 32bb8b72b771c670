"""Training: rounds of self-play and fitting, a check on unseen games, and a match, for one number of seats.

Each round plays by the weights of the last one, half of its games with the previous weights on some of the seats, and the fit
uses the games of all rounds. Players who exploit the faults of an evaluation lead to positions in which these show (dataset
aggregation: Ross, Gordon and Bagnell 2011, A reduction of imitation learning and structured prediction to no-regret online
learning, AISTATS).

`fitted` is a logistic regression with games as clusters (`stats.logit`). What a feature adds where it is not 0 has a normal
prior around its value under the previous weights, with a precision chosen by cross-validation over games.

`staged` fits in two stages: first the worth of decisions, then how certain it is. Positions of sensible players show what to
expect, but little of what to choose. Such players hold no card that they could play and leave no good attack undone, so nothing
shows what holding or leaving costs, and what winners happen to have looks like the reason why they won. The ratio of the
weights therefore comes from options of the same decision, which have everything else in common. Positions then give one factor
for all of them, and the weights of features that decisions hardly move.

`scores` and `reliability` measure how well winning chances predict games that they were not fitted to. Rows of one game are
correlated, so every interval is over games.

`play_match` plays new weights against others at one table. Both sit on every seat equally often with the same dice and, if the
game allows it, the same entrants, so that only the weights can make a difference.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import seats_word
from analysis.data.rows import Rows, rates
from analysis.data.together import played
from analysis.stats.intervals import LEAST_CLUSTERS, Interval, cluster_share
from analysis.stats.logit import logit, sandwich
from analysis.training.positions import ROWS_MOST, Sample, Watch, chances, sampled, seated, sides
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.weights import Floats, Weights, with_weights

PRECISIONS = (1.0, 10.0, 100.0, 1000.0, 10_000.0)  # of the prior, on log-odds: the information of four times as many even games
FOLDS = 5
FARTHEST = 15.0  # maximum of initial log-odds: beyond it the gradient vanishes
CHOOSING_MOST = 20_000  # rows for choosing the precision, which does not depend on their number
DECIMALS = 4  # of fitted weights: more would be below any standard error
CLOSEST = 1e-12  # clips chances: a wrong chance of 0 or 1 would cost infinitely much


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted weights. error: nan for a feature that was 0 in every row, whose weight is unchanged."""

    weights: Floats  # (features,)
    error: Floats  # (features,) standard errors, clustered by game
    precision: float  # of the prior
    rows: int  # seats of positions
    options: int  # of decisions
    games: int

    @classmethod
    def of(cls, sample: Sample, weights: Floats, error: Floats, precision: float) -> Fit:
        """Weights together with the size of the sample that they were fitted to."""
        options = int(sample.option.sum())
        return cls(weights, error, precision, len(sample.share) - options, options, len(np.unique(sample.game)))


def fitted(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to a sample. before: the previous weights; seed: for the folds of the cross-validation."""
    precision = chosen_precision(sample, before, seed)
    weights = rounded(penalised(sample, before, precision))
    return Fit.of(sample, weights, errors(sample, weights, precision), precision)


def rounded(weights: Floats) -> Floats:
    """Weights with DECIMALS decimals and without minus zero, whose sign would depend on the order of summation."""
    return np.asarray(weights.round(DECIMALS) + 0.0)


def penalised(sample: Sample, before: Floats, precision: float) -> Floats:
    """Most likely weights under a prior of the given precision."""
    used = sample.features.any(axis=0)
    offset = (sample.offset + sample.features @ before).clip(-FARTHEST, FARTHEST)
    penalty = _penalty(sample.features, precision)[used]
    weights = np.array(before, np.float64)
    weights[used] += logit(sample.features[:, used], sample.share, sample.weight, offset, penalty).coefficients
    return weights


def errors(sample: Sample, weights: Floats, precision: float) -> Floats:
    """Sandwich standard errors over games, nan for features that are 0 in every row."""
    used, penalty = sample.features.any(axis=0), _penalty(sample.features, precision)
    parts = (sample.features[:, used], sample.share, sample.chances(weights), sample.weight, np.diag(penalty[used]), sample.game)
    result = np.full(len(weights), np.nan)
    result[used] = np.sqrt(np.diag(sandwich(*parts)))
    return result


def _penalty(features: Floats, precision: float) -> Floats:
    """Prior precision of each weight, scaled by the mean square of the feature where it is not 0."""
    there = np.count_nonzero(features, axis=0)
    return np.asarray(precision * (features**2).sum(axis=0) / np.maximum(there, 1))


def chosen_precision(sample: Sample, before: Floats, seed: int) -> float:
    """Precision whose fits predict other games best, leaving out whole games in turn. The highest among equals."""
    fold = folds(sample.game, seed)
    if len(sample.share) > CHOOSING_MOST:
        games, owner = np.unique(sample.game, return_inverse=True)
        kept = (np.random.default_rng(seed).random(len(games)) < CHOOSING_MOST / len(sample.share))[owner]
        sample, fold = sample.taken(kept), fold[kept]
    costs = []
    for precision in PRECISIONS:
        cost = 0.0
        for number in range(FOLDS):
            here = fold == number
            if here.any() and not here.all():
                weights = penalised(sample.taken(~here), before, precision)
                loss = log_loss(sample.chances(weights)[here], sample.share[here])
                cost += float(loss @ sample.weight[here])
        costs.append(cost)
    return max(precision for precision, cost in zip(PRECISIONS, costs, strict=True) if cost <= min(costs))


def log_loss(chance: Floats, share: Floats) -> Floats:
    """Cross-entropy of each row: 0 is perfect, an even chance costs log 2."""
    sure = chance.clip(CLOSEST, 1 - CLOSEST)
    return np.asarray(-share * np.log(sure) - (1 - share) * np.log1p(-sure))


def folds(game: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Fold of each row; all rows of a game are in the same fold."""
    games, owner = np.unique(game, return_inverse=True)
    return np.random.default_rng(seed).permutation(np.arange(len(games)) % FOLDS)[owner]


MOVED = 0.01  # of the options: decisions do not depend on a feature that fewer of them change


def staged(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to the options of a sample, then their scale to its positions. before, seed: as in `fitted`."""
    options = sample.taken(sample.option)
    precision = chosen_precision(options, before, seed)
    ratio = penalised(options, before, precision)
    still = np.asarray((options.features != 0).mean(axis=0) < MOVED)  # decisions hardly ever change these
    ratio[still] = 0.0
    # positions with the evaluation by the ratio as one feature, and the features that decisions do not change
    features = sample.positions.features
    positions = replace(sample.positions, features=np.column_stack([features @ ratio, features[:, still]]))
    scale = penalised(positions, np.append(1.0, before[still]), PRECISIONS[0])
    scale_error = errors(positions, scale, PRECISIONS[0])
    weights, error = ratio * scale[0], np.hypot(errors(options, ratio, precision) * scale[0], ratio * scale_error[0])
    weights[still], error[still] = scale[1:], scale_error[1:]
    return Fit.of(sample, rounded(weights), error, precision)


BINS = 10  # of the reliability table, with equal numbers of rows
SCORES = ["evaluation", "log_loss", "low", "high", "worse", "worse_low", "worse_high", "brier", "auc", "off", "n"]


def scores(guesses: Mapping[str, Floats], sample: Sample) -> pd.DataFrame:
    """One row per evaluation; the others are compared with the first.

    guesses: evaluation -> chance of each row. Columns: evaluation, log_loss, low, high, worse (log loss above that of the first),
    worse_low, worse_high, brier (mean squared error: Brier 1950, Monthly Weather Review 78:1-3), auc (chance that a won row was
    rated above a lost one: 0.5 is no better than chance), off (mean distance of a bin's share from its mean chance), n (games).
    """
    together, ones, lines = np.zeros_like(sample.game), np.ones(len(sample.game)), []
    losses = {name: log_loss(chance, sample.share) for name, chance in guesses.items()}
    first = next(iter(losses.values()))
    for name, chance in guesses.items():
        bins = reliability(chance, sample)
        line: dict[str, Any] = {"evaluation": name, "auc": auc(chance, sample.share)}
        for column, prefix, values in (("log_loss", "", losses[name]), ("worse", "worse_", losses[name] - first)):
            mean = rates(sample.game, together, values, ones).iloc[0]
            line |= {column: mean["estimate"], f"{prefix}low": mean["low"], f"{prefix}high": mean["high"], "n": int(mean["n"])}
        off = np.average((bins["estimate"] - bins["chance"]).abs(), weights=bins["rows"])
        lines.append(line | {"brier": float(((chance - sample.share) ** 2).mean()), "off": float(off)})
    return pd.DataFrame(lines, columns=SCORES)


def reliability(chance: Floats, sample: Sample, bins: int = BINS) -> pd.DataFrame:
    """How often a chance came true, by tenths of the rows in the order of their chance.

    Columns: chance (mean), estimate, low, high (share of the win; see `rates`), n (games), rows. Chances are reliable if
    `chance` lies between low and high; bounds are NaN for a single game. Bins that are empty because of equal chances are left
    out.
    """
    edges = np.unique(np.quantile(chance, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, chance, side="right")
    shares = rates(sample.game, place, sample.share, np.ones(len(chance)))
    rows = np.bincount(place, minlength=len(shares)).astype(np.int64)
    mean = np.bincount(place, chance, len(shares)) / np.maximum(rows, 1)
    table = shares[["estimate", "low", "high", "n"]].assign(chance=mean, rows=rows)
    table[["low", "high"]] = table[["low", "high"]].clip(0, 1)
    return table.loc[rows > 0, ["chance", "estimate", "low", "high", "n", "rows"]].reset_index(drop=True)


def auc(chance: Floats, share: Floats) -> float:
    """Area under the ROC curve by ranks (Mann-Whitney); a shared win counts as partly won and partly lost.

    NaN if all are won, or all lost.
    """
    values, place = np.unique(chance, return_inverse=True)
    won, lost = (np.bincount(place, weights, len(values)) for weights in (share, 1 - share))
    below = np.cumsum(lost) - lost
    pairs = won.sum() * lost.sum()
    return float(won @ (below + lost / 2) / pairs) if pairs > 0 else float("nan")


EVEN = 0.5


@dataclass(frozen=True)
class Match:
    """Share of all wins that the new weights won; one half is even at any number of seats."""

    against: str
    seats: int
    policy: str
    share: Interval  # games of the same dice are one observation

    @property
    def is_won(self) -> bool:
        """Whether the new weights win significantly more than half."""
        return self.share.low > EVEN

    @property
    def verdict(self) -> str:
        """The result in a word."""
        return "wins" if self.is_won else "loses" if self.share.high < EVEN else "not decided"


def play_match(
    experiment: Experiment, new: Floats, old: Floats, against: str, jobs: int | None = None, watch: Watch | None = None
) -> Match:
    """Play new weights against old ones.

    experiment: cards, seats, one policy (that uses the evaluation), games in all and seed. new, old: (SEATS_MAX, features).
    """
    cards = with_weights(experiment.cards, Weights(new, old))
    tables = _tables(replace(experiment, cards=cards))
    pairs = [replace(table, policies=seated(table, side)) for table in tables for side in sides(experiment.seats)]
    done, total = 0, sum(pair.games for pair in pairs)

    def report(_: Experiment, rows: Rows) -> None:
        nonlocal done
        done += len(rows)
        if watch:
            watch(f"match {against}, {seats_word(experiment.seats)}", done, total)

    won, wins = [], []
    results = played(pairs, jobs, report)
    for _ in tables:
        of_side = [(np.array(side), next(results).share) for side in sides(experiment.seats)]
        won.append(np.sum([share @ side for side, share in of_side], axis=0))
        wins.append(np.sum([share.sum(axis=1) for _, share in of_side], axis=0))
    return Match(against, experiment.seats, experiment.policy_words, cluster_share(np.concatenate(won), np.concatenate(wins)))


def games_of(experiment: Experiment) -> int:
    """Number of games that a match of this experiment takes in all."""
    return sum(table.games for table in _tables(experiment)) * len(sides(experiment.seats))


def _tables(experiment: Experiment) -> list[Experiment]:
    """Experiments of one side each: of every entrant against itself if allowed, else of the balanced design."""
    ways = len(sides(experiment.seats))
    games = max(LEAST_CLUSTERS, -(-experiment.games_wanted // ways))
    if not experiment.mirror:
        return [replace(experiment, games_wanted=games)]
    # all entrants, or a random choice of one per game if there are more
    entrants = np.sort(np.random.default_rng(experiment.seed).permutation(len(experiment.cards.ids))[:games])
    seeds = np.random.SeedSequence(experiment.seed).generate_state(len(entrants), np.uint64) >> np.uint64(1)
    each = max(1, -(-games // len(entrants)))
    return [
        replace(experiment, line_up=(int(entrant),) * experiment.seats, games_wanted=each, seed=int(seed))
        for entrant, seed in zip(entrants, seeds, strict=True)
    ]


UNSEEN = 0.25  # games of the check, as a share of those of a round
EMPHASES = (1.0, 10.0, 100.0)  # weights of an option relative to a game
TRIAL = 0.1  # games of the match that chooses among them, as a share of those of a round
MATCH = "greedy:4"  # policy of both sides of a match
MATCH_GAMES = 0.5  # of each match, as a share of those of a round
FITTED, BEFORE, BASELINE = "fitted", "before", "by hand"


@dataclass(frozen=True, eq=False)
class Trained:
    """Result of training for one number of seats."""

    experiment: Experiment  # the games of a round; its cards have the previous weights
    rounds: tuple[Fit, ...]
    sample: Sample  # games that no fit has seen, played by the last weights
    scores: pd.DataFrame  # see `scores`
    reliability: pd.DataFrame  # see `reliability`, with a column evaluation
    matches: tuple[Match, ...]
    games: int = 0  # rounds, trials, check and matches, without branches

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
    """Fit the weights for an experiment's number of seats and compare them with the previous and the baseline weights.

    experiment: the games of a round: cards, policies, seed. Every round, the check and each match have separate games. Raises
    ValueError if there is nothing to learn from.
    """
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    row, before = experiment.seats - 1, Weights.of(experiment.cards)
    words = np.random.SeedSequence([experiment.seed, experiment.seats]).generate_state(2 * rounds + 3, np.uint64)
    seeds = iter([int(word >> np.uint64(1)) for word in words])
    fits: list[Fit] = []
    samples: list[Sample] = []
    games_played, weights = games_in_all(experiment, 0), before
    for number in range(rounds):
        table = Weights(weights.fitted, before.fitted)  # the previous weights play too, so that new habits meet old ones
        games = replace(experiment, cards=with_weights(experiment.cards, table), seed=next(seeds))
        stage = _staged(watch, f"round {number + 1} of {rounds}")
        sample = sampled(games, jobs, stage, ROWS_MOST // rounds, mixed=number > 0)
        samples.append(replace(sample, game=sample.game + number * games.games))
        trial = replace(_sized(experiment, TRIAL), seed=next(seeds))
        games_played += games.games + (_trial_games(experiment) if sample.option.any() else 0)
        fits.append(_best(Sample.joined(samples), trial, before, jobs, _staged(watch, "trials")))
        weights = Weights(_laid(before.fitted, row, fits[-1].weights), before.baseline)
    check = replace(_sized(experiment, UNSEEN), cards=with_weights(experiment.cards, weights), seed=next(seeds))
    unseen, others = sampled(check, jobs, _staged(watch, "check")).positions, _others(before, row)
    guesses = {name: chances(unseen.features, table[row]) for name, table in ({FITTED: weights.fitted} | others).items()}
    bins = [reliability(chance, unseen).assign(evaluation=name) for name, chance in guesses.items()]
    match = replace(_sized(experiment, MATCH_GAMES), policies=(PolicySpec.parse(MATCH),))
    matches = tuple(
        play_match(replace(match, seed=seed), weights.fitted, other, name, jobs, watch)
        for seed, (name, other) in zip(seeds, others.items(), strict=False)
    )
    quality = (scores(guesses, unseen), pd.concat(bins, ignore_index=True))
    return Trained(experiment, tuple(fits), unseen, *quality, matches, games_played)


def games_in_all(experiment: Experiment, rounds: int) -> int:
    """Maximum number of games of a training: rounds, trials, check and matches, without branches."""
    match = _sized(experiment, MATCH_GAMES)
    matches = len(_others(Weights.of(experiment.cards), experiment.seats - 1)) * games_of(match)
    return rounds * (experiment.games + _trial_games(experiment)) + _sized(experiment, UNSEEN).games + matches


def afforded(experiments: Sequence[Experiment], rounds: int, games: int) -> list[Experiment]:
    """The experiments with as many games per round as `games` in all allow. Raises ValueError if they are too few."""

    def in_all(each: int) -> int:
        return sum(games_in_all(replace(experiment, games_wanted=each), rounds) for experiment in experiments)

    if games < (least := in_all(1)):
        raise ValueError(
            f"games={games} must be at least {least}: {rounds} round{'s' if rounds > 1 else ''}, trials, check and matches of "
            "one game each, in whole rounds of line-ups; name fewer --rounds, or one number of --seats"
        )
    most = bisect_right(range(games + 1), games, lo=1, key=in_all) - 1
    return [replace(experiment, games_wanted=most) for experiment in experiments]


def _sized(experiment: Experiment, share: float) -> Experiment:
    """The experiment with a share of its games."""
    return replace(experiment, games_wanted=max(1, round(share * experiment.games_wanted)))


def _trial_games(experiment: Experiment) -> int:
    """Number of games of the trials of one round: one for each emphasis, and one for the fit in two stages."""
    return (len(EMPHASES) + 1) * games_of(_sized(experiment, TRIAL))


def _best(sample: Sample, trial: Experiment, before: Weights, jobs: int | None, watch: Watch | None) -> Fit:
    """The fit that wins most against the previous weights.

    The fits give options more or less weight; one is in two stages. Positions show what to expect, options what to choose. If
    the features are incomplete, no weights do both best.
    """
    row = trial.seats - 1
    if not sample.option.any():
        return fitted(sample, before.fitted[row], trial.seed)
    fits = [fitted(sample.weighted(emphasis), before.fitted[row], trial.seed) for emphasis in EMPHASES]
    fits.append(staged(sample, before.fitted[row], trial.seed))
    tables = [_laid(before.fitted, row, fit.weights) for fit in fits]
    won = [play_match(trial, table, before.fitted, BEFORE, jobs, watch).share.estimate for table in tables]
    return fits[int(np.argmax(won))]


def _others(before: Weights, row: int) -> dict[str, Floats]:
    """Weights that new ones are compared with: the previous ones and the baseline, once if they are equal."""
    others = {BEFORE: before.fitted, BASELINE: before.baseline}
    if np.array_equal(before.fitted[row], before.baseline[row]):
        del others[BEFORE]
    return others


def _laid(table: Floats, row: int, weights: Floats) -> Floats:
    """A table of weights with one row replaced."""
    result = table.copy()
    result[row] = weights
    return result


def _staged(watch: Watch | None, stage: str) -> Watch | None:
    """A watch with the name of a stage."""
    if watch is None:
        return None
    return lambda seats, done, total: watch(f"{seats}, {stage}", done, total)
