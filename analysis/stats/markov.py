"""Duels as absorbing Markov chains: exact odds of each ending, and how well simulated fights agree with them.

The formulas are those of Kemeny and Snell, Finite Markov Chains (1960), chapter III, for one starting state. With Q the
transition probabilities between situations, the expected visits to each situation are v = (I - Q')^-1 e. They give the
probability of every end and the mean and variance of the number of turns. One sparse factorisation serves all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from analysis.stats.distribution import Distribution
from analysis.stats.distribution import compare as compare_counts
from analysis.stats.intervals import LEVEL, Interval, proportion
from sim.engine.exact import UNDECIDED, Chain, Decisions, Fights

Floats = NDArray[np.float64]

REST = 1e-12  # the distribution of turns is cut off where the probability of a longer fight falls below this
TURNS_MAX = 10_000  # turns after which it is cut off in any case
STILL = 1e-15  # value iteration ends when no value changes by more
STEPS_MAX = 100_000  # of value iteration
TIE = 1e-12  # options that differ by less are equally good
OFF = 1e-9  # tolerance for the sum of the probabilities of leaving a situation


@dataclass(frozen=True, eq=False)
class DuelOdds:
    """Exact odds of a duel.

    turns: probability that the fight lasts exactly 1, 2, 3, ... turns; rest: probability that it lasts longer. mean_turns and
    sd_turns are those of the whole distribution, including the rest.
    """

    endings: tuple[str, ...]
    chance: Floats  # by ending, sum 1
    left: tuple[dict[int, float], ...]  # by ending: chance of each amount left, given that ending; empty if impossible
    mean_turns: float
    sd_turns: float
    turns: Floats
    rest: float

    @property
    def win(self) -> float:
        """Probability of the first ending, a win of the fighter."""
        return float(self.chance[0])

    def mean_left(self, ending: int = 0) -> float:
        """Mean amount left given an ending, NaN if it is impossible."""
        amounts = self.left[ending]
        return sum(amount * chance for amount, chance in amounts.items()) if amounts else math.nan


@dataclass(frozen=True)
class DuelAgreement:
    """Agreement of simulated duels with the exact odds. z: simulated minus exact, in standard errors.

    z_max: the largest z in absolute value, over all endings and the turns. p_value: chi-square test over every pair of ending
    and amount left, rare ones pooled; nan if only one is possible, 0 if an impossible one was observed.
    """

    n: int
    undecided: int  # duels stopped before their end; they count in n
    shares: tuple[Interval, ...]  # by ending
    z: tuple[float, ...]  # by ending
    mean_turns: float
    z_turns: float
    z_max: float
    p_value: float


def solve(chain: Chain) -> DuelOdds:
    """Compute the odds of a duel. Unreachable situations are left out; loops and cycles are allowed.

    Raises ValueError for an invalid chain (see `Chain`), and for one that may never end: a reachable situation leads to no end.
    """
    check(chain)
    size, ends = chain.states, chain.ends
    steps = scipy.sparse.csr_matrix((chain.chance, (chain.source, chain.target)), shape=(size + ends, size + ends))
    kept = _reachable(steps, chain)
    inner, exits = steps[kept][:, kept], steps[kept][:, size:]
    start = (kept == chain.start).astype(np.float64)
    system = scipy.sparse.linalg.splu(scipy.sparse.identity(len(kept), format="csc") - inner.T.tocsc())
    visits = system.solve(start)
    remaining = system.solve(np.ones(len(kept)), "T")  # type: ignore[call-overload] # mean turns to go, by situation
    absorbed = np.clip(exits.T @ visits, 0, None)
    absorbed /= absorbed.sum()  # rounding only: absorption is certain
    mean = float(visits.sum())
    variance = 2 * float(visits @ remaining) - mean - mean**2
    here, onward, out = start, inner.T.tocsr(), exits @ np.ones(ends)
    turns = list[float]()
    while here.sum() > REST and len(turns) < TURNS_MAX:
        turns.append(float(out @ here))
        here = onward @ here
    ending = np.asarray(chain.ending, np.int64)
    chance = np.bincount(ending, absorbed, len(chain.endings)).astype(np.float64)
    left = []
    for number in range(len(chain.endings)):
        chosen = ending == number
        amounts, place = np.unique(np.asarray(chain.left)[chosen], return_inverse=True)
        chances = np.bincount(place, absorbed[chosen], len(amounts)) / max(float(absorbed[chosen].sum()), math.ulp(0))
        left.append({int(amount): float(each) for amount, each in zip(amounts, chances, strict=True) if each > 0})
    sd = math.sqrt(max(0.0, variance))
    return DuelOdds(chain.endings, chance, tuple(left), mean, sd, np.array(turns), float(here.sum()))


@dataclass(frozen=True, eq=False)
class BestDecisions:
    """Decisions that maximise the expected worth of the ending."""

    value: float  # expected worth from the start
    action: NDArray[np.int64]  # (states,): index into the actions
    reached: NDArray[np.bool_]  # (states,): situations that can come up under these decisions


def optimise(decisions: Decisions, worth: Sequence[float]) -> BestDecisions:
    """Find the best decisions by value iteration from 0 (Puterman, Markov Decision Processes, 1994, section 7.2).

    worth: of each ending, at least 0; a duel that never ends is worth 0. Among equally good actions the first is
    taken that can bring the duel closer to an end of some worth. Raises ValueError if the values have not settled after
    STEPS_MAX steps.
    """
    states, options = decisions.states, len(decisions.state)
    shape = (options, states + len(decisions.ending))
    steps = scipy.sparse.csr_matrix((decisions.chance, (decisions.option, decisions.target)), shape=shape)
    inner, gain = steps[:, :states], steps[:, states:] @ np.asarray(worth, np.float64)[decisions.ending]
    first = np.flatnonzero(np.diff(decisions.state, prepend=-1))  # option of each situation
    values = np.zeros(states)
    for _ in range(STEPS_MAX):
        better = np.maximum.reduceat(inner @ values + gain, first)
        settled = np.abs(better - values).max() <= STILL
        values = better
        if settled:
            break
    else:
        raise ValueError(f"decisions: the values have not settled after {STEPS_MAX:,} steps")
    good = inner @ values + gain >= values[decisions.state] - TIE
    # waiting forever looks as good as what it waits for: take only options that can come closer to an end of some worth
    kept, root = good[decisions.option], shape[1]
    valued = states + np.flatnonzero(np.asarray(worth)[decisions.ending] > 0)
    source = np.concatenate([decisions.target[kept], np.full(len(valued), root)])
    target = np.concatenate([decisions.state[decisions.option[kept]], valued])
    back = scipy.sparse.csr_array((np.ones(len(source)), (source, target)), shape=(root + 1, root + 1))
    # turns to such an end, at least; inf: out of reach
    away = scipy.sparse.csgraph.dijkstra(back, indices=[root], unweighted=True)[0]
    closest = np.full(options, np.inf)
    np.minimum.at(closest, decisions.option, away[decisions.target])
    good &= (closest < away[decisions.state]) | np.isinf(away[decisions.state])
    chosen = np.minimum.reduceat(np.where(good, np.arange(options), options), first)
    graph = scipy.sparse.csr_matrix(inner[chosen])
    reached = np.zeros(states, bool)
    reached[scipy.sparse.csgraph.breadth_first_order(graph, decisions.start, return_predecessors=False)] = True
    return BestDecisions(float(values[decisions.start]), decisions.action[chosen].astype(np.int64), reached)


def compare(odds: DuelOdds, fights: Fights, level: float = LEVEL) -> DuelAgreement:
    """Compare simulated duels with the exact odds. Raises ValueError without duels or with an unknown ending."""
    n, known = len(fights.ending), len(odds.endings)
    ending = np.asarray(fights.ending, np.int64)
    if n < 1:
        raise ValueError("fights: empty; at least one duel is needed")
    if ending.min() < UNDECIDED or ending.max() >= known:
        raise ValueError(f"fights: ending {ending.min()}..{ending.max()} must be 0..{known - 1}, or {UNDECIDED} if stopped")
    counts = np.bincount(ending[ending >= 0], minlength=known)
    z = tuple(_z(count / n - p, p * (1 - p), n) for count, p in zip(counts.tolist(), odds.chance.tolist(), strict=True))
    mean_turns = float(np.mean(fights.turns))
    z_turns = _z(mean_turns - odds.mean_turns, odds.sd_turns**2, n)
    cells = {(number, amount): chance for number, amounts in enumerate(odds.left) for amount, chance in amounts.items()}
    exact = Distribution(np.arange(len(cells)), np.array([odds.chance[number] * chance for (number, _), chance in cells.items()]))
    place = {cell: index for index, cell in enumerate(cells)}
    left = np.where(ending >= 0, np.asarray(fights.left, np.int64), 0)
    seen = [place.get(cell, -1) for cell in zip(ending.tolist(), left.tolist(), strict=True)]  # -1: impossible, or stopped
    observed = dict(zip(*(values.tolist() for values in np.unique(seen, return_counts=True)), strict=True))
    return DuelAgreement(
        n=n,
        undecided=n - int(counts.sum()),
        shares=tuple(proportion(count, n, level) for count in counts.tolist()),
        z=z,
        mean_turns=mean_turns,
        z_turns=z_turns,
        z_max=max((*z, z_turns), key=abs),
        p_value=compare_counts(exact, observed).p_value,
    )


def check(chain: Chain) -> None:
    """Raise ValueError unless the arrays of a chain fit together and the probabilities of each situation sum to 1."""
    edges, size = len(chain.source), chain.states
    if not (len(chain.target) == len(chain.chance) == edges):
        raise ValueError(
            f"chain: {edges} sources, {len(chain.target)} targets and {len(chain.chance)} chances must be equally many"
        )
    if len(chain.left) != chain.ends:
        raise ValueError(f"chain: {chain.ends} endings and {len(chain.left)} amounts left must be equally many")
    bounds = (
        ("start", [chain.start], size),
        ("source", chain.source, size),
        ("target", chain.target, size + chain.ends),
        ("ending", chain.ending, len(chain.endings)),
    )
    for name, values, beyond in bounds:
        known = np.asarray(values)
        if known.size == 0 or known.min() < 0 or known.max() >= beyond:
            given = f"{known.min()}..{known.max()}" if known.size else "empty"
            raise ValueError(f"chain: {name} {given} must lie in 0..{beyond - 1}")
    if not np.all(chain.chance > 0):
        raise ValueError(f"chain: chance {np.min(chain.chance)} must be above 0")
    sums = np.bincount(chain.source, chain.chance, size)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > OFF:
        raise ValueError(f"chain: the chances of leaving situation {worst} sum to {sums[worst]:.12g}, not to 1")


def _reachable(steps: scipy.sparse.csr_matrix, chain: Chain) -> NDArray[np.int64]:
    """Situations reachable from the start, ascending. Raises ValueError if one of them leads to no end."""
    seen = scipy.sparse.csgraph.breadth_first_order(steps, chain.start, return_predecessors=False)
    kept: NDArray[np.int64] = np.sort(seen[seen < chain.states]).astype(np.int64)
    root = chain.states + chain.ends  # an extra node, from which all edges are followed backwards
    source = np.concatenate([chain.target, np.full(chain.ends, root)])
    target = np.concatenate([chain.source, np.arange(chain.states, root)])
    back = scipy.sparse.csr_array((np.ones(len(source)), (source, target)), shape=(root + 1, root + 1))
    ending = scipy.sparse.csgraph.breadth_first_order(back, root, return_predecessors=False)
    stuck = np.setdiff1d(kept, ending)
    if stuck.size:
        raise ValueError(f"chain: situation {stuck[0]} is reachable but leads to no end: the duel may never end")
    return kept


def _z(gap: float, variance: float, n: int) -> float:
    """A gap in standard errors. For a certain outcome: 0 if it occurred (up to rounding), else infinite."""
    if variance > REST:
        return gap / math.sqrt(variance / n)
    return 0.0 if abs(gap) < OFF else math.copysign(math.inf, gap)
