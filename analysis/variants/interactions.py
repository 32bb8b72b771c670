"""Interactions of numbers: a screening of several fields, and a surface of win rates over two.

All points of a grid play the same games with the same dice (common random numbers), each point once even if the design repeats
it; truncated games are left out.

`screen`: elementary effects along paths of single steps (Morris 1991, Technometrics 33:161-174; Campolongo, Cariboni and Saltelli
2007, Environmental Modelling and Software 22:1509-1518), where a large sigma means that the effect depends on the other fields;
or first-order, total and second-order Sobol indices (Saltelli et al. 2010, Computer Physics Communications 181:259-270), where
total minus first order is interaction. Indices and Sobol samples are SALib's. The share of noise in the variance between points
is estimated from batches of games: effects common to all points of a batch are not noise, differences between batches are.

`surface`: the joint effect of each pair of changes minus the sum of their separate effects, with an interval adjusted for the
number of pairs (Bonferroni). The numbers interact if such an interval excludes zero. Games that share dice are one observation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from SALib.analyze import sobol as sobol_indices
from SALib.sample import sobol as sobol_sample
from scipy import stats

from analysis.data.shares import Shares, by_entrant, spread
from analysis.data.study import played, taken
from analysis.stats.intervals import LEVEL, proportions
from analysis.variants.compare import Counter
from analysis.variants.variant import Step, by_unit, numeric_steps, part_of, unit_names, with_value
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.weights import remade

Change = tuple[str, Any]  # path and value other than the present one


@dataclass(frozen=True, eq=False)
class Grid:
    """Grid of all combinations of values of some fields. values: ascending, by field; units: names of those that can win."""

    game: Game
    cards: CardSet
    paths: tuple[str, ...]
    present: tuple[Any, ...]
    values: tuple[tuple[Any, ...], ...]
    units: tuple[str, ...]

    def cards_at(self, point: Sequence[int] | NDArray[np.int64]) -> CardSet:
        """Cards of a point, given by value indices. Raises CardError if the card rules refuse them."""
        return self.cards_with(self.changes(point))

    def cards_with(self, changes: Sequence[Change]) -> CardSet:
        """Cards with some values changed. Raises CardError if the card rules refuse them together."""
        now = self.cards
        for path, value in changes:
            now = replace(now, document=with_value(now, path, value))
        return remade(self.game, now.document, self.cards)

    def changes(self, point: Sequence[int] | NDArray[np.int64]) -> list[tuple[str, Any]]:
        """Paths and values of a point that are not the present ones."""
        every = zip(self.paths, self.values, self.present, point, strict=True)
        return [(path, values[int(index)]) for path, values, now, index in every if values[int(index)] != now]

    def without(self, path: str, value: Any) -> Grid:
        """Remove a value of a field, and the field itself if only its present value remains."""
        position = self.paths.index(path)
        left = tuple(other for other in self.values[position] if other != value)
        values = (*self.values[:position], left, *self.values[position + 1 :])
        kept = [number for number, some in enumerate(values) if len(some) > 1 or number != position]
        paths, present = tuple(self.paths[number] for number in kept), tuple(self.present[number] for number in kept)
        return replace(self, paths=paths, present=present, values=tuple(values[number] for number in kept))

    @property
    def middle(self) -> tuple[int, ...]:
        """The point of the present values."""
        return tuple(values.index(now) for values, now in zip(self.values, self.present, strict=True))


def grid_of(base: Experiment, paths: Sequence[str], steps: int = 1) -> tuple[Grid, list[Step]]:
    """Grid of each field from `steps` down to `steps` up, and the steps that the card rules refuse.

    Fields without another value that is allowed and reaches play are left out. Raises ValueError below 1 step, CardError for a
    path that does not exist.
    """
    if steps < 1:
        raise ValueError(f"steps={steps} must be at least 1")
    by = [step for step in range(-steps, steps + 1) if step]
    refused, live = [], dict[str, list[Step]]()
    for path in paths:
        every = numeric_steps(base.game, base.cards, [path], by)
        refused += [step for step in every if step.cards is None]
        if some := [step for step in every if step.live]:
            live[path] = some
    present = tuple(some[0].before for some in live.values())
    values = tuple(tuple(sorted([some[0].before, *(step.value for step in some)])) for some in live.values())
    return Grid(base.game, base.cards, tuple(live), present, values, tuple(unit_names(base))), refused


@dataclass(frozen=True)
class Clash:
    """A value left out of a grid because the card rules refuse it together with `others`; why: their message."""

    path: str
    value: Any
    others: tuple[Change, ...]
    why: str


def every_point(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """All points of a grid, from the number of values of each field: (points, fields)."""
    return np.array(list(product(*map(range, levels))))


def allowed(grid: Grid, sample: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> tuple[Grid, NDArray[np.int64], list[Clash]]:
    """Reduce a grid until the card rules allow every point of a sample; returns grid, sample and the values left out.

    sample: from the number of values of each field to points, (points, fields), so that the sample keeps its design on the
    reduced grid. Of values that are refused together, the one from the field with the most values left is removed, on ties the
    last field; a field with only its present value left is removed.
    """
    whole, known, clashes = grid, dict[frozenset[Change], str](), list[Clash]()

    def refusal(changes: Sequence[Change]) -> str:
        """Why the card rules refuse changes together; empty if they allow them."""
        key = frozenset(changes)
        if key not in known:
            known[key] = ""
            try:
                whole.cards_with(changes)
            except CardError as error:
                known[key] = str(error).splitlines()[0].removeprefix("document: ")
        return known[key]

    while grid.paths:
        rows = sample(np.array([len(values) for values in grid.values]))
        refused = next(filter(refusal, map(grid.changes, np.unique(rows, axis=0))), None)
        if refused is None:
            return grid, rows, clashes
        together = list(refused)  # a minimal subset that is still refused
        for change in refused:
            rest = [other for other in together if other != change]
            together = rest if rest and refusal(rest) else together
        room = [len(grid.values[grid.paths.index(path)]) for path, _ in together]
        chosen = max(range(len(together)), key=lambda number: (room[number], number))
        (path, value), others = together[chosen], tuple(together[:chosen] + together[chosen + 1 :])
        clashes.append(Clash(path, value, others, refusal(together)))
        grid = grid.without(path, value)
    return grid, np.zeros((0, 0), np.int64), clashes


def outcomes(games: Shares, unit: int | None, batches: tuple[NDArray[np.int64], int, int]) -> Floats:
    """Outcome by batch, (batches,), with the mean of all finished games. batches: batch of each game, their number, units.

    unit: whose win rate; None: the spread of all, by the jackknife over batches.
    """
    batch, number, units = batches
    if unit is None:
        whole = spread(games, units).estimate
        left = [spread(taken(games, np.flatnonzero(batch != left_out)), units).estimate for left_out in range(number)]
        return number * whole - (number - 1) * np.array(left)
    sits, share = (values[:, unit] for values in games.counted(units))
    won, sat = np.bincount(batch, share, number), np.bincount(batch, sits, number)
    rate = won.sum() / max(1.0, sat.sum())
    return np.asarray(rate + (won - rate * sat) * number / max(1.0, sat.sum()))


def unit_of(base: Experiment, name: str) -> int:
    """Index of an entrant, or of a part if entrants are teams, by id. Raises ValueError if unknown."""
    ids = list(base.teams.ids if base.teams else base.cards.ids)
    if name not in ids:
        raise ValueError(f"entrant={name!r}: {did_you_mean(name, ids)}")
    return ids.index(name)


Floats = NDArray[np.float64]
Method = Literal["morris", "sobol"]

LEAST_FIELDS = 2
MOST_FIELDS = {"morris": 20, "sobol": 6}
PATHS = 16  # number of Morris paths
ROWS, MANY_ROWS = 64, 512  # of a Saltelli sample; many for small grids, because no point is played twice
SMALL_GRID = 300  # points
BATCHES = 20  # batches of games, from which the noise is estimated
RESAMPLED = 200
DEVIATIONS = {  # half-width in standard deviations of the resampled indices: Student's for the few paths, else normal
    "morris": float(stats.t.ppf(0.975, PATHS - 1) * np.sqrt(PATHS / (PATHS - 1))),
    "sobol": float(stats.norm.ppf(0.975)),
}
SIZES = ("mu_star", "sigma")  # of effects: never below 0
NOISY = 0.5  # share of noise above which a warning is printed


@dataclass(frozen=True, eq=False)
class Screen:
    """Result of a screen.

    effects: one line per field: path, low, present, high (values of the grid), and for morris mu, mu_star, sigma (change of the
    outcome per step: mean, mean size, standard deviation), for sobol s1 and st, each with _low and _high. pairs (sobol): path,
    other, s2, s2_low, s2_high. noise: share of the variance between points that is chance, 0..1; points: number played; games:
    of each point, including those without the unit, which are not played; played: in all. truncated: smallest and largest share
    of a point's games that were stopped at a limit; they are left out. clashes: values left out because the card rules refuse
    them together with others.
    """

    method: Method
    grid: Grid
    base: Experiment
    outcome: str
    effects: pd.DataFrame
    pairs: pd.DataFrame
    mean: float
    deviation: float
    noise: float
    points: int
    games: int
    truncated: tuple[float, float] = (0.0, 0.0)
    played: int = 0
    clashes: tuple[Clash, ...] = ()


def method_of(name: str) -> Method:
    """Check the name of a method. Raises ValueError if unknown."""
    if name not in get_args(Method):
        raise ValueError(f"method={name!r} must be morris or sobol")
    return name  # type: ignore[return-value]


def check_fields(paths: Sequence[str], method: Method, clashes: Sequence[Clash] = ()) -> None:
    """Raise ValueError for too few or too many fields. clashes: values left out, for the message."""
    most = MOST_FIELDS[method]
    if not LEAST_FIELDS <= len(paths) <= most:
        why = "".join(f"; {clash_words(clash)} is refused: {clash.why}" for clash in clashes[:1])
        raise ValueError(
            f"{len(paths)} fields have steps that can be played: {method} takes {LEAST_FIELDS} to {most}; name those that "
            f"`fairfight sensitivity` ranks first{why}"
        )


def designed(grid: Grid, method: Method, seed: int) -> tuple[Grid, NDArray[np.int64], list[Clash]]:
    """Reduce the grid to what the card rules allow; returns grid, design (value indices, (rows, fields)) and values left out.

    A point can occur several times in the design.
    """
    sample = morris_paths if method == "morris" else saltelli_rows
    return allowed(grid, lambda levels: sample(levels, seed))


def afforded(base: Experiment, grid: Grid, method: Method, unit: int | None, games: int) -> Experiment:
    """Reduce `base` to the whole rounds of each point that `games` games in all allow.

    Raises ValueError for fewer games than BATCHES, or one round, of each point, and for too few fields with other values.
    """
    grid, rows, clashes = designed(grid, method, base.seed)
    check_fields(grid.paths, method, clashes)
    points = len(np.unique(rows, axis=0))
    least = -(-BATCHES // base.round_games)
    cost = points * part_of(base, 0, base.round_games, unit).games
    if games < least * cost:
        raise ValueError(
            f"games={games} must be at least {least * cost}: {points} points of {least * cost // points} games each; name fewer "
            "--fields, or fewer --steps"
        )
    return replace(base, games_wanted=games // cost * base.round_games)


def clash_words(clash: Clash) -> str:
    """Describe which values are refused together."""
    beside = " and ".join(f"{path} = {value}" for path, value in clash.others)
    return f"{clash.path} = {clash.value}" + (f" with {beside}" if beside else "")


def screen(
    base: Experiment,
    grid: Grid,
    method: Method = "morris",
    unit: int | None = None,
    jobs: int | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Screen:
    """Play the grid and analyse it. base: the games of each point.

    unit: entrant (part of teams) whose win rate is the outcome; None: the spread of all win rates. Values that the card rules
    refuse together are removed from the grid first: see `allowed`. Raises ValueError for too few or too many fields.
    """
    check_fields(grid.paths, method)
    grid, rows, clashes = designed(grid, method, base.seed)
    check_fields(grid.paths, method, clashes)
    points, place = np.unique(rows, axis=0, return_inverse=True)
    games = part_of(base, 0, base.games, unit)
    counter = Counter(report, games.games * len(points))
    batches = (games.index * BATCHES // base.games, BATCHES, len(grid.units))
    by_point, stopped = [], []
    for shares in played([replace(games, cards=grid.cards_at(point)) for point in points], jobs, counter):
        by_point.append(outcomes(by_unit(base, shares), unit, batches))
        stopped.append(shares.truncated_share)
    by_batch = np.array(by_point)[place.ravel()]  # (rows, BATCHES)
    value = by_batch.mean(axis=1)
    indices = morris_effects if method == "morris" else sobol_shares
    random = np.random.default_rng(base.seed)
    estimate = indices(rows, value[:, None], None)
    drawn = indices(rows, by_batch[:, random.integers(BATCHES, size=(RESAMPLED, BATCHES))].mean(axis=2), random)
    error = {name: DEVIATIONS[method] * values.std(axis=-1) for name, values in drawn.items()}
    ends = {"path": grid.paths, "low": [v[0] for v in grid.values], "present": grid.present}
    effects = pd.DataFrame({**ends, "high": [v[-1] for v in grid.values]})
    for name, values in estimate.items():
        if name != "s2":
            low = (values[:, 0] - error[name]).clip(min=0.0 if name in SIZES else -np.inf)
            effects = effects.assign(**{name: values[:, 0], f"{name}_low": low, f"{name}_high": values[:, 0] + error[name]})
    pairs = pd.DataFrame()
    if "s2" in estimate:
        lines = [
            (grid.paths[j], grid.paths[k], share := estimate["s2"][j, k, 0], share - error["s2"][j, k], share + error["s2"][j, k])
            for j, k in combinations(range(len(grid.paths)), 2)
        ]
        pairs = pd.DataFrame(lines, columns=["path", "other", "s2", "s2_low", "s2_high"])
        pairs = pairs.sort_values("s2", ascending=False, kind="stable", ignore_index=True)
    return Screen(
        method,
        grid,
        base,
        outcome="spread" if unit is None else grid.units[unit],
        effects=effects,
        pairs=pairs,
        mean=float(value.mean()),
        deviation=float(value.std()),
        noise=noise(by_batch),
        points=len(points),
        games=base.games,
        truncated=(min(stopped), max(stopped)),
        played=counter.total,
        clashes=tuple(clashes),
    )


def noise(found: Floats) -> float:
    """Share of the variance between points that is chance, 0..1. found: outcome by row and batch of games, (rows, batches).

    Two-way layout without replication: the residual after row and batch means is noise, and its variance divided by the number
    of batches is the variance of a row's mean.
    """
    batches = found.shape[1]
    rest = found - found.mean(axis=1, keepdims=True) - found.mean(axis=0, keepdims=True) + found.mean()
    whole = float(found.mean(axis=1).var())
    chance = float((rest**2).sum(axis=1).mean() / (batches * (batches - 1)))
    return min(1.0, chance / whole) if whole > 0 else 1.0


def morris_paths(levels: NDArray[np.int64], seed: int, paths: int = PATHS) -> NDArray[np.int64]:
    """Random paths through a grid that move each field once by one step: (paths x (fields + 1), fields)."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(paths):
        now = random.integers(levels)
        rows.append(now.copy())
        for moved in random.permutation(levels.size):
            up = now[moved] == 0 or (now[moved] < levels[moved] - 1 and random.random() < 0.5)
            now[moved] += 1 if up else -1
            rows.append(now.copy())
    return np.array(rows)


def morris_effects(rows: NDArray[np.int64], outcome: Floats, random: np.random.Generator | None) -> dict[str, Floats]:
    """Elementary effects per step: mu, mu_star, sigma, each (fields, columns). outcome: (rows, columns).

    random: resample paths with replacement for each column; None: no resampling.
    """
    fields, columns = rows.shape[1], outcome.shape[1]
    paths = rows.reshape(-1, fields + 1, fields)
    values = outcome.reshape(len(paths), fields + 1, columns)
    moved = np.diff(paths, axis=1)  # (paths, fields moved, fields)
    effect = np.einsum("pmf,pmc->pfc", moved, np.diff(values, axis=1))
    if random is not None:
        drawn = random.integers(len(paths), size=(len(paths), columns))
        effect = np.take_along_axis(effect, drawn[:, None, :].repeat(fields, axis=1), axis=0)
    return {"mu": effect.mean(axis=0), "mu_star": np.abs(effect).mean(axis=0), "sigma": effect.std(axis=0, ddof=1)}


def saltelli_rows(levels: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Saltelli sample on a grid: value indices, (rows x (2 fields + 2), fields)."""
    rows = MANY_ROWS if np.prod(levels) <= SMALL_GRID else ROWS
    problem = {"num_vars": levels.size, "names": [str(number) for number in range(levels.size)], "bounds": [[0, 1]] * levels.size}
    sample = sobol_sample.sample(problem, rows, calc_second_order=True, scramble=True, seed=seed % 2**32)
    places: NDArray[np.int64] = np.minimum((sample * levels).astype(np.int64), levels - 1)
    return places


def sobol_shares(rows: NDArray[np.int64], outcome: Floats, random: np.random.Generator | None) -> dict[str, Floats]:
    """Indices s1 and st, (fields, columns), and s2, (fields, fields, columns) with entries j < k. See `morris_effects`."""
    fields, columns = rows.shape[1], outcome.shape[1]
    whole = outcome - outcome.mean(axis=0)
    table = whole.reshape(-1, 2 * fields + 2, columns)
    if random is not None:
        drawn = random.integers(len(table), size=(len(table), columns))
        table = np.take_along_axis(table, drawn[:, None, :].repeat(2 * fields + 2, axis=1), axis=0)
    a, b = table[:, 0], table[:, -1]
    ab, ba = table[:, 1 : fields + 1], table[:, fields + 1 : 2 * fields + 1]
    s1 = np.array([sobol_indices.first_order(a, ab[:, j], b) for j in range(fields)])
    st = np.array([sobol_indices.total_order(a, ab[:, j], b) for j in range(fields)])
    s2 = np.full((fields, fields, columns), np.nan)
    for j, k in combinations(range(fields), 2):
        s2[j, k] = sobol_indices.second_order(a, ab[:, j], ab[:, k], ba[:, j], b)
    return {"s1": s1, "st": st, "s2": s2}


FIELDS = 2


def surest(joint: pd.DataFrame) -> pd.Series:
    """The line of `corners` whose interval is farthest from zero; if all contain it, the one with the largest change."""
    bound = np.maximum(0.0, np.maximum(joint["low"], -joint["high"]))
    return joint.iloc[int(np.lexsort((-joint["change"].abs(), -bound))[0])]


def surface(
    base: Experiment, grid: Grid, unit: int, jobs: int | None = None, report: Callable[[int], None] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Play every point of a grid of two fields. unit: whose win rate. Raises ValueError for another number of fields.

    Returns the win rate of each point: first, second (values), estimate, low, high (Wilson), n; and the joint effects: `corners`.
    """
    if len(grid.paths) != FIELDS:
        raise ValueError(f"{len(grid.paths)} fields: a surface needs {FIELDS}")
    games = part_of(base, 0, base.games, unit)
    sizes = [len(values) for values in grid.values]
    points = list(product(*map(range, sizes)))
    group = base.round_of(games.index) if base.teams else base.pair_of(games.index)
    values, counts = [], []
    for shares in played([replace(games, cards=grid.cards_at(point)) for point in points], jobs, report):
        seated = by_unit(base, shares)
        sits = by_entrant(seated.entrant, seated.share, len(grid.units))[0][:, unit]
        counted, share = (column[:, unit] for column in seated.counted(len(grid.units)))
        values.append(np.where(sits > 0, _valued(share, counted, sits), np.nan))
        counts.append(counted.sum())
    table = np.array(values).T
    known = np.isfinite(table).all(axis=1)
    table, group = table[known].reshape(-1, *sizes), group[known]
    n = np.minimum(np.array(counts), len(table)).round().astype(np.int64)
    rates = proportions((table.mean(axis=0).ravel() * n).clip(0, n), n)
    cells = pd.DataFrame(list(product(*grid.values)), columns=["first", "second"]).join(rates)
    starts = np.flatnonzero(np.diff(group, prepend=-1))  # of games that share their dice
    size = np.diff([*starts.tolist(), len(group)])[:, None, None]
    return cells, corners(grid, np.add.reduceat(table, starts) / size)


def _valued(share: Floats, counted: Floats, sits: Floats) -> Floats:
    """Value of each game whose mean over the unit's games is wins / finished games; the win share if all are finished.

    share, counted, sits: (games,), of the unit: win share, finished, plays in it. The ratio is linearised.
    """
    games, finished = float(sits.sum()), float(counted.sum())
    if games == finished:
        return share
    rate = float(share.sum()) / finished if finished else float("nan")
    return np.asarray(rate + (share - rate * counted) * games / max(1.0, finished))


def corners(grid: Grid, means: Floats) -> pd.DataFrame:
    """Joint effects minus the sums of separate effects, one line for each point with two changed values.

    means: value of each observation at each point, (observations, rows, columns). Columns: first, second, alone (sum of the
    separate effects), both (effect of both together), change (both minus alone), low, high (Student's t, Bonferroni over the
    lines), n.
    """
    now = grid.middle
    sizes = means.shape[1:]
    places = [(a, b) for a, b in product(*map(range, sizes)) if a != now[0] and b != now[1]]
    z = float(stats.t.ppf(1 - (1 - LEVEL) / 2 / max(1, len(places)), len(means) - 1))
    lines = []
    for a, b in places:
        start = means[:, now[0], now[1]]
        alone, both = means[:, a, now[1]] + means[:, now[0], b] - 2 * start, means[:, a, b] - start
        half, change = z * float((both - alone).std(ddof=1)) / np.sqrt(len(both)), float((both - alone).mean())
        facts = {
            "first": grid.values[0][a],
            "second": grid.values[1][b],
            "alone": float(alone.mean()),
            "both": float(both.mean()),
        }
        lines.append({**facts, "change": change, "low": change - half, "high": change + half, "n": len(both)})
    return pd.DataFrame(lines)
