"""Games of one policy against another, both ways round, played once for all answers that need them."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from analysis.frames import games_frame
from analysis.study import Play, Study
from sim.engine.measures import Measure
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment

_PLAYED: WeakKeyDictionary[Study, dict[Hashable, pd.DataFrame]] = WeakKeyDictionary()


def results(experiment: Experiment, play: Play, measures: tuple[Measure, ...] = ()) -> pd.DataFrame:
    """One line per game of two seats: those of `frames.games_frame`, and share_0, share_1 (of the win by seat), dice."""
    parts = []
    for block in play(experiment):
        frame = games_frame(block.rows, block.outcomes, measures)
        shares = {f"share_{seat}": block.rows["share"][:, seat].copy() for seat in range(experiment.seats)}
        dice = experiment.plan_of(block.rows["game"].astype(np.int64))["dice"]
        parts.append(frame.assign(**shares, dice=dice))
    return pd.concat(parts, ignore_index=True)


def against(study: Study, seats: int, games: int) -> pd.DataFrame:
    """So many games of the policy (seat `side`) against the one beside it, and as many with the policies on the other seats.

    Both have the same line-ups and dice. Columns: see `results`, and side. Raises ValueError where no policy stands beside.
    """
    if study.beside is None:
        raise ValueError(f"policy={study.policy}: no other policy stands beside it")
    pair = (study.policy, study.beside)

    def play() -> pd.DataFrame:
        base = study.experiment(seats, games)
        player = study.player(f"{pair[0]} against {pair[1]}", 2 * base.games)
        both = [results(replace(base, policies=order), player, _facts(study)) for order in (pair, pair[::-1])]
        return pd.concat([part.assign(side=side) for side, part in enumerate(both)], ignore_index=True)

    return _once(study, ("against", seats, games), play)


def alike(study: Study, seats: int, games: int, policy: PolicySpec) -> pd.DataFrame:
    """So many games with one policy in every seat; see `results`."""

    def play() -> pd.DataFrame:
        base = study.experiment(seats, games, policy)
        return results(base, study.player(f"{policy} in every seat", base.games), _facts(study))

    return _once(study, ("alike", seats, games, str(policy)), play)


def _facts(study: Study) -> tuple[Measure, ...]:
    """The measures per game with one number: what some answer may ask of these games."""
    return tuple(measure for measure in study.measures if measure.per == "game" and not measure.parts)


def _once(study: Study, key: Hashable, make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Games that are made the first time that an answer to this study asks for them."""
    kept = _PLAYED.setdefault(study, {})
    if key not in kept:
        kept[key] = make()
    return kept[key]
