"""Duels as absorbing Markov chains: exact odds of how a fight ends, and how well fights as played agree with them.

The formulas are those of Kemeny and Snell, Finite Markov Chains (1960), chapter III, for one starting state. With Q the
chances from situation to situation, the expected visits to each situation from the start are v = (I - Q')^-1 e; from these
follow the chance of every end and the mean and variance of the turns. One sparse factorisation serves all of them.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import splu

from analysis.stats.distribution import Distribution
from analysis.stats.distribution import compare as compare_counts
from analysis.stats.intervals import LEVEL, Interval, proportion
from sim.engine.duels import UNDECIDED, Chain, Fights

Floats = NDArray[np.float64]

REST = 1e-12  # chance of a longer fight at which the distribution of its turns is cut off
TURNS_MAX = 10_000  # turns after which it is cut off in any case
OFF = 1e-9  # by how much the chances of leaving a situation may differ from 1 in sum


@dataclass(frozen=True, eq=False)
class DuelOdds:
    """Exact odds of a duel.

    turns: chance that the fight lasts exactly 1, 2, 3, ... turns; rest: chance that it lasts longer than these. mean_turns
    and sd_turns are of the whole distribution, the rest included.
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
        """Chance of the first ending, the fighter's win."""
        return float(self.chance[0])

    def mean_left(self, ending: int = 0) -> float:
        """Mean of what is left given an ending, NaN if it is impossible."""
        amounts = self.left[ending]
        return sum(amount * chance for amount, chance in amounts.items()) if amounts else math.nan


@dataclass(frozen=True)
class DuelAgreement:
    """How well simulated duels agree with the exact odds. z: simulated less exact, in standard errors.

    z_max: the z of largest size, of all endings and of the turns. p_value: chi-square test over every ending with what is
    left in it, rare ones pooled; nan where there is but one, 0 where something impossible was seen.
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
    """Work the odds of a duel out. Situations that cannot be reached are left out; loops and cycles are no matter.

    Raises ValueError for a chain that is none (see `Chain`) or that may go on for ever: some situation can be reached from
    which no end can.
    """
    check(chain)
    size, ends = chain.states, chain.ends
    steps = sparse.csr_matrix((chain.chance, (chain.source, chain.target)), shape=(size + ends, size + ends))
    kept = _reachable(steps, chain)
    inner, exits = steps[kept][:, kept], steps[kept][:, size:]
    start = (kept == chain.start).astype(np.float64)
    system = splu(sparse.identity(len(kept), format="csc") - inner.T.tocsc())
    visits = system.solve(start)
    remaining = system.solve(np.ones(len(kept)), "T")  # type: ignore[call-overload] # mean turns to come, by situation
    absorbed = np.clip(exits.T @ visits, 0, None)
    absorbed /= absorbed.sum()  # rounding only: absorption is certain
    mean = float(visits.sum())
    variance = 2 * float(visits @ remaining) - mean - mean**2
    turns, rest = _lengths(inner.T.tocsr(), exits @ np.ones(ends), start)
    ending = np.asarray(chain.ending, np.int64)
    chance = np.bincount(ending, absorbed, len(chain.endings)).astype(np.float64)
    left = tuple(_left(chain, absorbed, number) for number in range(len(chain.endings)))
    return DuelOdds(chain.endings, chance, left, mean, math.sqrt(max(0.0, variance)), turns, rest)


def compare(odds: DuelOdds, fights: Fights, level: float = LEVEL) -> DuelAgreement:
    """Compare simulated duels with the exact odds. Raises ValueError without any duel or with an ending that there is not."""
    n, known = len(fights.ending), len(odds.endings)
    ending = np.asarray(fights.ending, np.int64)
    if n < 1:
        raise ValueError("fights: at least one must have been fought")
    if ending.min() < UNDECIDED or ending.max() >= known:
        raise ValueError(
            f"fights: ending {ending.min()}..{ending.max()} must be 0..{known - 1}, or {UNDECIDED}: stopped"
        )
    counts = np.bincount(ending[ending >= 0], minlength=known)
    z = tuple(_z(count / n - p, p * (1 - p), n) for count, p in zip(counts.tolist(), odds.chance.tolist(), strict=True))
    mean_turns = float(np.mean(fights.turns))
    z_turns = _z(mean_turns - odds.mean_turns, odds.sd_turns**2, n)
    return DuelAgreement(
        n=n,
        undecided=n - int(counts.sum()),
        shares=tuple(proportion(count, n, level) for count in counts.tolist()),
        z=z,
        mean_turns=mean_turns,
        z_turns=z_turns,
        z_max=max((*z, z_turns), key=abs),
        p_value=_fit(odds, ending, np.asarray(fights.left, np.int64)),
    )


def check(chain: Chain) -> None:
    """Raise ValueError unless the arrays of a chain fit together and the chances of leaving each situation sum to 1."""
    edges, size = len(chain.source), chain.states
    if not (len(chain.target) == len(chain.chance) == edges):
        raise ValueError(
            f"chain: {edges} sources, {len(chain.target)} targets, {len(chain.chance)} chances: not one each"
        )
    if len(chain.left) != chain.ends:
        raise ValueError(f"chain: {chain.ends} endings and {len(chain.left)} amounts left: not one of each per end")
    bounds = (
        ("start", [chain.start], size),
        ("source", chain.source, size),
        ("target", chain.target, size + chain.ends),
        ("ending", chain.ending, len(chain.endings)),
    )
    for name, values, beyond in bounds:
        known = np.asarray(values)
        if known.size == 0 or known.min() < 0 or known.max() >= beyond:
            found = f"{known.min()}..{known.max()}" if known.size else "empty"
            raise ValueError(f"chain: {name} {found} must lie in 0..{beyond - 1}")
    if not np.all(chain.chance > 0):
        raise ValueError(f"chain: chance {np.min(chain.chance)} must be above 0")
    sums = np.bincount(chain.source, chain.chance, size)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > OFF:
        raise ValueError(f"chain: the chances of leaving situation {worst} sum to {sums[worst]:.12g}, not to 1")


def _reachable(steps: sparse.csr_matrix, chain: Chain) -> NDArray[np.int64]:
    """Situations that can be reached from the start, ascending. Raises ValueError if one of them leads to no end."""
    seen = csgraph.breadth_first_order(steps, chain.start, return_predecessors=False)
    kept: NDArray[np.int64] = np.sort(seen[seen < chain.states]).astype(np.int64)
    root = chain.states + chain.ends  # one more node, from which all edges are walked backwards
    source = np.concatenate([chain.target, np.full(chain.ends, root)])
    target = np.concatenate([chain.source, np.arange(chain.states, root)])
    back = sparse.csr_matrix((np.ones(len(source)), (source, target)), shape=(root + 1, root + 1))
    ending = csgraph.breadth_first_order(back, root, return_predecessors=False)
    stuck = np.setdiff1d(kept, ending)
    if stuck.size:
        raise ValueError(f"chain: situation {stuck[0]} can be reached, but no end from it: the duel may go on for ever")
    return kept


def _lengths(onward: sparse.csr_matrix, out: Floats, start: Floats) -> tuple[Floats, float]:
    """Chance of each number of turns, from 1 on, and of more. out: chance to end in one turn, by situation."""
    here, chances = start, list[float]()
    while here.sum() > REST and len(chances) < TURNS_MAX:
        chances.append(float(out @ here))
        here = onward @ here
    return np.array(chances), float(here.sum())


def _left(chain: Chain, absorbed: Floats, ending: int) -> dict[int, float]:
    """Chance of each amount left given an ending, by amount."""
    found = np.asarray(chain.ending) == ending
    total = float(absorbed[found].sum())
    amounts, place = np.unique(np.asarray(chain.left)[found], return_inverse=True)
    chances = np.bincount(place, absorbed[found], len(amounts))
    return {int(amount): float(chance) / total for amount, chance in zip(amounts, chances, strict=True) if chance > 0}


def _z(gap: float, variance: float, n: int) -> float:
    """Standard errors; of a certain thing 0 if it came so (but for rounding), else infinite."""
    if variance > REST:
        return gap / math.sqrt(variance / n)
    return 0.0 if abs(gap) < OFF else math.copysign(math.inf, gap)


def _fit(odds: DuelOdds, ending: NDArray[np.int64], left: NDArray[np.int64]) -> float:
    """p-value over all cells of an ending and an amount left; of stopped fights all together, which are impossible."""
    cells = [(number, amount) for number, amounts in enumerate(odds.left) for amount in amounts]
    chances = [odds.chance[number] * odds.left[number][amount] for number, amount in cells]
    exact = Distribution(np.arange(len(cells)), np.array(chances))
    at = {cell: place for place, cell in enumerate(cells)}
    found, times = np.unique(np.stack([ending, np.where(ending >= 0, left, 0)]), axis=1, return_counts=True)
    counts: dict[int, int] = {}
    for (number, amount), count in zip(found.T.tolist(), times.tolist(), strict=True):
        place = at.get((number, amount), -1)  # -1: impossible
        counts[place] = counts.get(place, 0) + count
    return compare_counts(exact, counts).p_value
