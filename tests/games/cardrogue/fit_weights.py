"""How the weights in `weights.toml` were fitted: logistic regression on outcomes of self-play, with some ratios fixed.

    python -m tests.games.cardrogue.fit_weights [games] [rounds] [seed] [seats ...]

A plain regression predicts results better, but players who use it win far less often. A player with equipment has survived so
far, so equipment is overrated and no longer risked; where few games have a winner, standing still looks safe; and the worth of a
single decision does not show in a game of two thousand. So the features that a decision changes keep the ratio of the weights set
by hand, times PARTS, which matches of greedy:4 against greedy:4/baseline confirmed. FIXED holds the other features that decisions
change at the values of a first fit of two seats, because they swing from round to round: players who avoid cards win less, and in
their games cards look better. Fitted are the scale of all these, the constant, and the features of the game's progress. Every
game counts, also those without a winner.
"""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.cardrogue import GAME
from sim.games.cardrogue.record import FEATURES
from sim.run import features_of, replay
from sim.weights import Weights, with_weights
from tests.model.self_play import WORKERS, Floats, likeliest

MATCH = {"cards": 0.5, "gear": 0.5, "attack": 0.7}
PARTS: dict[int, dict[str, float]] = {  # of the ratio set by hand, by number of seats
    1: {"fight": 2.0, "plan": 3.0, "health": 0.7, "attack": 0.7},
    2: MATCH,
    3: MATCH,
    4: MATCH,
}
RIVALS = {"idle": -0.8, "late": 0.7, "rush": 0.3, "rush_lead": 0.3, "rush_race": 0.35, "rush_death": -0.1}
FIXED: dict[int, dict[str, float]] = {  # weights of what a decision changes that the ratio has not
    1: {"idle": 0.0, "late": 0.0},
    2: RIVALS,
    3: RIVALS,
    4: RIVALS,
}
QUICK = 4  # in every fourth game players look at one sample only, so that more kinds of positions come up
POSITIONS, CHUNK = 12, 20
SPREAD = 3.0  # of the prior of what is fitted, for 1 of a feature


def ratio(experiment: Experiment) -> Floats:
    """The weights set by hand, times PARTS."""
    baseline: Floats = Weights.of(experiment.cards).baseline[experiment.seats - 1].copy()
    for name, part in PARTS[experiment.seats].items():
        baseline[FEATURES.index(name)] *= part
    return baseline


def positions(experiment: Experiment) -> tuple[Floats, Floats, Floats]:
    """Features of positions from all seats' points of view, (n, features), share of the win, (n,), and game, (n,)."""
    quick = replace(experiment, policies=(PolicySpec.parse("greedy:1"),))

    def task(first: int) -> list[Any]:
        return [of_game(quick if game % QUICK == 0 else experiment, game) for game in range(first, first + CHUNK)]

    firsts = range(0, experiment.games - CHUNK + 1, CHUNK)
    parts = [one for part in Parallel(n_jobs=WORKERS, prefer="threads")(delayed(task)(first) for first in firsts) for one in part]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]


def of_game(experiment: Experiment, game: int) -> tuple[Floats, Floats, Floats]:
    """The same for one game."""
    log, rng = replay(experiment, game), np.random.default_rng([experiment.seed, game])
    lines = rng.choice(np.flatnonzero(log.moves["action"] >= 0), POSITIONS)
    found = features_of(experiment, log.positions[lines]).reshape(-1, len(FEATURES))
    return found, np.tile(log.rows["share"][0, : experiment.seats], POSITIONS), np.full(len(found), float(game))


def fitted(x: Floats, share: Floats, held: Floats, fixed: dict[str, float]) -> Floats:
    """Weights: a multiple of `held`, and free ones where it is 0, by logistic regression with a normal prior."""
    free, given = (held == 0) & x.any(axis=0), np.array([fixed.get(name, 0.0) for name in FEATURES])
    free &= np.array([name not in fixed for name in FEATURES])
    columns = np.column_stack([x @ held, x[:, free]])
    count = columns.shape[1]
    scale, *found = likeliest(columns, share, np.zeros(count), np.full(count, SPREAD), offset=x @ given)
    weights = scale * held + given
    weights[free] = found
    return np.asarray(weights.round(4) + 0.0)


def reliability(x: Floats, share: Floats, weights: Floats) -> str:
    """Predicted and actual share of wins, by tenths of the positions."""
    predicted = 1 / (1 + np.exp(-x @ weights))
    tenths = np.array_split(np.argsort(predicted), 10)
    return "  ".join(f"{predicted[rows].mean():.3f} {share[rows].mean():.3f}" for rows in tenths)


def main(games: int, rounds: int, seed: int, seats: tuple[int, ...]) -> None:
    """Fit for each number of seats, in rounds of games played with the weights of the round before, and print the result."""
    cards = GAME.load(None)
    for number in seats:
        made = Experiment(GAME.name, cards, number, (PolicySpec.parse("greedy:4"),), games, seed)
        held = ratio(made)
        weights = held
        for extra in range(rounds + 1):
            table = np.tile(weights, (4, 1))
            last = extra == rounds
            wanted = games // 4 if last else games
            x, share, _ = positions(
                replace(made, cards=with_weights(cards, Weights(table, table)), games_wanted=wanted, seed=seed + extra)
            )
            if last:
                print(f"# reliability in {wanted} other games: {reliability(x, share, weights)}", flush=True)  # noqa: T201
            else:
                weights = fitted(x, share, held, FIXED[number])
        print(f"[fitted.{number}]")  # noqa: T201
        for name, weight in zip(FEATURES, weights.tolist(), strict=True):
            print(f"{name} = {weight}", flush=True)  # noqa: T201


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    wanted, turns, dice = [*given[:3], *(4000, 2, 1)[len(given) :]]
    main(wanted, turns, dice, tuple(given[3:]) or (1, 2, 3, 4))
