"""Logistic regression on rows clustered by game, with a penalty that keeps weights near the previous ones.

The likelihood is that of statsmodels' GLM; a row can have a share of a win. What a feature adds where it is not 0 has a normal
prior around its value under the previous weights, with a precision chosen by cross-validation over games. Standard errors
combine scores summed by game (sandwich of Liang and Zeger 1986, Longitudinal data analysis using generalized linear models,
Biometrika 73:13-22) with the mean bias of the prior (Nychka 1988, JASA 83:1134-1143).

Training: rounds of self-play and fitting, a check on unseen games, and a match, for one number of seats.

Each round plays by the weights of the last one, half of its games with the previous weights on some of the seats, and the fit
uses the games of all rounds. Players who exploit the faults of an evaluation lead to positions in which these show (dataset
aggregation: Ross, Gordon and Bagnell 2011, A reduction of imitation learning and structured prediction to no-regret online
learning, AISTATS).

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import statsmodels.api as sm
from numpy.typing import NDArray

from analysis.data.rows import rates
from analysis.data.study import played
from analysis.stats import intervals
from analysis.stats.intervals import LEVEL, Interval
from analysis.training.positions import ROWS_MOST, Sample, Watch, chances, sampled, seated, sides
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.weights import Floats, Weights, with_weights

PRECISIONS = (
    1.0,
    10.0,
    100.0,
    1000.0,
    10_000.0,
)  # of the prior, on log-odds: the information of four times as many even games
FOLDS = 5
STEPS = 100
LONGEST_STEP = 2.0  # log-odds, root mean square over the rows: longer steps can overshoot
FARTHEST = 15.0  # maximum of initial log-odds: beyond it the gradient vanishes
CLOSE = 1e-7  # log-odds
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


def fitted(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to a sample. before: the previous weights; seed: for the folds of the cross-validation."""
    precision = chosen_precision(sample, before, seed)
    weights = penalised(sample, before, precision).round(DECIMALS)
    return fit_of(sample, weights, errors(sample, weights, precision), precision)


def fit_of(sample: Sample, weights: Floats, error: Floats, precision: float) -> Fit:
    """Weights together with the size of the sample that they were fitted to."""
    options = int(sample.option.sum())
    return Fit(weights, error, precision, len(sample.share) - options, options, len(np.unique(sample.game)))


def penalised(sample: Sample, before: Floats, precision: float) -> Floats:
    """Most likely weights under a prior of the given precision."""
    used = sample.features.any(axis=0)
    x = sample.features[:, used]
    model = sm.GLM(
        sample.share,
        x,
        family=sm.families.Binomial(),
        offset=(sample.offset + sample.features @ before).clip(-FARTHEST, FARTHEST),
        var_weights=sample.weight,
    )
    weights = np.array(before, np.float64)
    weights[used] += _climbed(model, x, _penalty(x, precision))
    return weights


def _climbed(model: sm.GLM, x: Floats, penalty: Floats) -> Floats:
    """Maximum of a penalised likelihood, from 0, by Newton's method; ten times as fast as `fit_regularized`."""
    theta = np.zeros(x.shape[1])
    for _ in range(STEPS):
        curve = np.diag(penalty) - model.hessian(theta, scale=1.0)
        step = np.linalg.solve(curve, model.score(theta, scale=1.0) - penalty * theta)
        longest = float(np.sqrt(((x @ step) ** 2).mean()))
        theta = theta + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return np.asarray(theta, np.float64)


def chosen_precision(sample: Sample, before: Floats, seed: int) -> float:
    """Precision whose fits predict other games best, leaving out whole games in turn. The highest among equals."""
    fold = folds(sample.game, seed)
    if len(sample.share) > CHOOSING_MOST:
        kept = _some_games(sample.game, CHOOSING_MOST / len(sample.share), seed)
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


def errors(sample: Sample, weights: Floats, precision: float) -> Floats:
    """Sandwich standard errors, nan for features that are 0 in every row.

    The bread is the curvature including the penalty, which is also part of the meat.
    """
    penalty = _penalty(sample.features, precision)
    used = sample.features.any(axis=0)
    x, chance = sample.features[:, used], sample.chances(weights)
    bread = np.linalg.inv((x * (sample.weight * chance * (1 - chance))[:, None]).T @ x + np.diag(penalty[used]))
    games, owner = np.unique(sample.game, return_inverse=True)
    residual = sample.weight * (sample.share - chance)
    score = np.stack([np.bincount(owner, residual * column, len(games)) for column in x.T], axis=1)
    meat = score.T @ score * len(games) / max(1, len(games) - 1)
    result = np.full(len(weights), np.nan)
    result[used] = np.sqrt(np.diag(bread @ (meat + np.diag(penalty[used])) @ bread))
    return result


def log_loss(chance: Floats, share: Floats) -> Floats:
    """Cross-entropy of each row: 0 is perfect, an even chance costs log 2."""
    sure = chance.clip(CLOSEST, 1 - CLOSEST)
    return np.asarray(-share * np.log(sure) - (1 - share) * np.log1p(-sure))


def folds(game: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Fold of each row; all rows of a game are in the same fold."""
    games, owner = np.unique(game, return_inverse=True)
    return np.random.default_rng(seed).permutation(np.arange(len(games)) % FOLDS)[owner]


def _some_games(game: NDArray[np.int64], part: float, seed: int) -> NDArray[np.bool_]:
    """Mark the rows of a random part of the games."""
    games, owner = np.unique(game, return_inverse=True)
    return np.asarray((np.random.default_rng(seed).random(len(games)) < part)[owner])


def _penalty(features: Floats, precision: float) -> Floats:
    """Prior precision of each weight, scaled by the mean square of the feature where it is not 0."""
    there = np.count_nonzero(features, axis=0)
    return np.asarray(precision * (features**2).sum(axis=0) / np.maximum(there, 1))


MOVED = 0.01  # of the options: decisions do not depend on a feature that fewer of them change


def staged(sample: Sample, before: Floats, seed: int) -> Fit:
    """Fit weights to the options of a sample, then their scale to its positions. before, seed: as in `fitted`."""
    options = sample.taken(sample.option)
    precision = chosen_precision(options, before, seed)
    ratio, still = penalised(options, before, precision), is_still(options)
    ratio[still] = 0.0
    positions = on_scale(sample.positions, ratio, still)
    scale = penalised(positions, np.append(1.0, before[still]), PRECISIONS[0])
    scale_error = errors(positions, scale, PRECISIONS[0])
    weights, error = ratio * scale[0], np.hypot(errors(options, ratio, precision) * scale[0], ratio * scale_error[0])
    weights[still], error[still] = scale[1:], scale_error[1:]
    return fit_of(sample, weights.round(DECIMALS), error, precision)


def is_still(options: Sample) -> NDArray[np.bool_]:
    """Features that decisions hardly ever change."""
    return np.asarray((options.features != 0).mean(axis=0) < MOVED)


def on_scale(positions: Sample, ratio: Floats, still: NDArray[np.bool_]) -> Sample:
    """Positions with the evaluation by the ratio as one feature, and the features that decisions do not change."""
    return replace(positions, features=np.column_stack([positions.features @ ratio, positions.features[:, still]]))


BINS = 10  # of the reliability table, with equal numbers of rows


def scores(guesses: Mapping[str, Floats], sample: Sample, level: float = LEVEL) -> pd.DataFrame:
    """One row per evaluation; the others are compared with the first.

    guesses: evaluation -> chance of each row. Columns: evaluation, log_loss, low, high, worse (log loss above that of the first),
    worse_low, worse_high, brier (mean squared error: Brier 1950, Monthly Weather Review 78:1-3), auc (chance that a won row was
    rated above a lost one: 0.5 is no better than chance), off (mean distance of a bin's share from its mean chance), n (games).
    """
    first = log_loss(next(iter(guesses.values())), sample.share)
    lines = []
    for name, chance in guesses.items():
        loss = log_loss(chance, sample.share)
        mean, more = (_mean(sample, values, level) for values in (loss, loss - first))
        lines.append(
            {"evaluation": name, "log_loss": mean["estimate"], "low": mean["low"], "high": mean["high"]}
            | {"worse": more["estimate"], "worse_low": more["low"], "worse_high": more["high"]}
            | {"brier": float(((chance - sample.share) ** 2).mean()), "auc": auc(chance, sample.share)}
            | {"off": _off(reliability(chance, sample, level)), "n": int(mean["n"])}
        )
    return pd.DataFrame(lines)


def reliability(chance: Floats, sample: Sample, level: float = LEVEL, bins: int = BINS) -> pd.DataFrame:
    """How often a chance came true, by tenths of the rows in the order of their chance.

    Columns: chance (mean), estimate, low, high (share of the win; see `rates`), n (games), rows. Chances are reliable if
    `chance` lies between low and high; bounds are NaN for a single game. Bins that are empty because of equal chances are left
    out.
    """
    edges = np.unique(np.quantile(chance, np.arange(1, bins) / bins))
    place = np.searchsorted(edges, chance, side="right")
    shares = rates(sample.game, place, sample.share, np.ones(len(chance)), level)
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


def _mean(sample: Sample, values: Floats, level: float) -> pd.Series:
    """Mean of a value over the rows, with its interval over games."""
    group = np.zeros(len(values), np.int64)
    return rates(sample.game, group, values, np.ones(len(values)), level).iloc[0]


def _off(table: pd.DataFrame) -> float:
    """Mean distance of the results from the chances, with bins weighted by their rows."""
    return float(np.average((table["estimate"] - table["chance"]).abs(), weights=table["rows"]))


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

    def report(games: int) -> None:
        nonlocal done
        done += games
        if watch:
            watch(f"match {against}, {experiment.seats} seats", done, total)

    won, wins = [], []
    results = played(pairs, jobs, report)
    for _ in tables:
        of_side = [(np.array(side), next(results).share) for side in sides(experiment.seats)]
        won.append(np.sum([share @ side for side, share in of_side], axis=0))
        wins.append(np.sum([share.sum(axis=1) for _, share in of_side], axis=0))
    return Match(
        against, experiment.seats, experiment.policy_words, _interval(np.concatenate(won), np.concatenate(wins))
    )


def games_of(experiment: Experiment) -> int:
    """Number of games that a match of this experiment takes in all."""
    return sum(table.games for table in _tables(experiment)) * len(sides(experiment.seats))


def _interval(won: Floats, wins: Floats) -> Interval:
    """Share of the wins, with games of the same dice as one observation; unknown without wins."""
    return intervals.cluster_share(won, wins)


def _tables(experiment: Experiment) -> list[Experiment]:
    """Experiments of one side each: of every entrant against itself if allowed, else of the balanced design."""
    ways = len(sides(experiment.seats))
    games = max(intervals.LEAST_CLUSTERS, -(-experiment.games_wanted // ways))
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
    """All entrants, or a random choice of one per game if there are more."""
    return np.sort(np.random.default_rng(seed).permutation(entrants)[:games])


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
    seeds = iter(_seeds(experiment, 2 * rounds + 3))
    fits: list[Fit] = []
    samples: list[Sample] = []
    games_played = _check_games(experiment).games + _match_games(experiment, before)
    weights = before
    for number in range(rounds):
        table = Weights(
            weights.fitted, before.fitted
        )  # the previous weights play too, so that new habits meet old ones
        games = replace(experiment, cards=with_weights(experiment.cards, table), seed=next(seeds))
        stage = _staged(watch, f"round {number + 1} of {rounds}")
        sample = sampled(games, jobs, stage, ROWS_MOST // rounds, mixed=number > 0)
        samples.append(sample.numbered_from(number * games.games))
        trial = replace(_trial(experiment), seed=next(seeds))
        games_played += games.games + (_trial_games(trial) if samples[-1].option.any() else 0)
        fits.append(_best(Sample.joined(samples), trial, before, jobs, _staged(watch, "trials")))
        weights = Weights(_laid(before.fitted, row, fits[-1].weights), before.baseline)
    unseen = _check(experiment, weights, next(seeds), jobs, _staged(watch, "check"))
    evaluations = {FITTED: weights.fitted} | _others(before, row)
    guesses = {name: chances(unseen.features, table[row]) for name, table in evaluations.items()}
    bins = [reliability(chance, unseen).assign(evaluation=name) for name, chance in guesses.items()]
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
    """Maximum number of games of a training: rounds, trials, check and matches, without branches."""
    each = experiment.games + _trial_games(_trial(experiment))
    return rounds * each + _check_games(experiment).games + _match_games(experiment, Weights.of(experiment.cards))


def afforded(experiments: Sequence[Experiment], rounds: int, games: int) -> list[Experiment]:
    """The experiments with as many games per round as `games` in all allow. Raises ValueError if they are too few."""

    def of_round(each: int) -> list[Experiment]:
        return [replace(experiment, games_wanted=each) for experiment in experiments]

    def in_all(each: int) -> int:
        return sum(games_in_all(experiment, rounds) for experiment in of_round(each))

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
    """Games of a trial of one fit."""
    return replace(experiment, games_wanted=max(1, round(TRIAL * experiment.games_wanted)))


def _trial_games(trial: Experiment) -> int:
    """Number of games of the trials of one round: one for each emphasis, and one for the fit in two stages."""
    return (len(EMPHASES) + 1) * games_of(trial)


def _check_games(experiment: Experiment) -> Experiment:
    """Games of the check."""
    return replace(experiment, games_wanted=max(1, round(UNSEEN * experiment.games_wanted)))


def _match_games(experiment: Experiment, before: Weights) -> int:
    """Number of games of the matches."""
    match = replace(experiment, games_wanted=max(1, round(MATCH_GAMES * experiment.games_wanted)))
    return len(_others(before, experiment.seats - 1)) * games_of(match)


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


def _check(experiment: Experiment, weights: Weights, seed: int, jobs: int | None, watch: Watch | None) -> Sample:
    """Positions of games that no fit has seen."""
    cards = with_weights(experiment.cards, weights)
    return sampled(replace(_check_games(experiment), cards=cards, seed=seed), jobs, watch).positions


def _matches(
    experiment: Experiment,
    new: Weights,
    before: Weights,
    seeds: tuple[int, int],
    jobs: int | None,
    watch: Watch | None,
) -> tuple[Match, ...]:
    """Matches against the previous weights and against the baseline, if they differ."""
    games = max(1, round(MATCH_GAMES * experiment.games_wanted))
    table = replace(experiment, policies=(PolicySpec.parse(MATCH),), games_wanted=games)
    others = _others(before, experiment.seats - 1)
    return tuple(
        play_match(replace(table, seed=seed), new.fitted, old, name, jobs, watch)
        for seed, (name, old) in zip(seeds, others.items(), strict=False)
    )


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


def _seeds(experiment: Experiment, count: int) -> list[int]:
    """Independent seeds derived from the experiment's."""
    words = np.random.SeedSequence([experiment.seed, experiment.seats]).generate_state(count, np.uint64)
    return [int(word >> np.uint64(1)) for word in words]


def _staged(watch: Watch | None, stage: str) -> Watch | None:
    """A watch with the name of a stage."""
    if watch is None:
        return None
    return lambda seats, done, total: watch(f"{seats}, {stage}", done, total)
