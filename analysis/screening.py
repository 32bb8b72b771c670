"""Which chosen numbers work together: elementary effects (Morris) or shares of the variance (Sobol) on a grid of whole steps.

All points of the grid play the same games with the same dice (common random numbers), each point once however often the design
asks for it. Morris: elementary effects along paths of single steps (Morris 1991, Technometrics 33:161-174; Campolongo, Cariboni
and Saltelli 2007, Environmental Modelling and Software 22:1509-1518); a field whose effect depends on the others has a large
sigma. Sobol: first-order, total and second-order indices (Saltelli et al. 2010, Computer Physics Communications 181:259-270);
what the total has beyond the first order is interaction. Indices and Sobol's samples are SALib's.

How much of the variance between points is chance is found from batches of games: what happens to all points of a batch alike
is no noise between them, what differs from batch to batch is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from SALib.analyze import sobol as sobol_indices
from SALib.sample import sobol as sobol_sample
from scipy import stats

from analysis.batches import played
from analysis.compare import Shares
from analysis.points import Clash, Grid, allowed, outcomes
from analysis.whatif import part_of
from sim.experiment import Experiment

Floats = NDArray[np.float64]
Method = Literal["morris", "sobol"]

LEAST_FIELDS = 2
MOST_FIELDS = {"morris": 20, "sobol": 6}
PATHS = 16  # of single steps
ROWS, MANY_ROWS = 64, 512  # of a Saltelli sample; many where the grid is small, for no point is played twice
SMALL_GRID = 300  # points
BATCHES = 20  # of games, from which the noise is found
RESAMPLED = 200
DEVIATIONS = {  # of the resampled indices, either way: Student's for the few paths, normal
    "morris": float(stats.t.ppf(0.975, PATHS - 1) * np.sqrt(PATHS / (PATHS - 1))),
    "sobol": float(stats.norm.ppf(0.975)),
}
SIZES = ("mu_star", "sigma")  # of effects: never below 0
NOISY = 0.5  # share of noise from which on one is warned


@dataclass(frozen=True, eq=False)
class Screen:
    """What a screen found.

    effects: one line per field: path, low, present, high (values of the grid), and for morris mu, mu_star, sigma (change of the
    outcome per step: mean, mean size, standard deviation), for sobol s1 and st, each with _low and _high. pairs (sobol): path,
    other, s2, s2_low, s2_high. noise: share of the variance between points that is chance, 0..1; points: of the grid that were
    played; games: of each point before those are left out in which the unit does not sit; played: in all. truncated: least and
    largest share of a point's games that were stopped at a limit; they are left out. clashes: values that were
    left out, because the card rules refuse them together with others.
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

    @property
    def noisy(self) -> bool:
        """Whether most of what is seen may be chance."""
        return self.noise > NOISY


def method_of(name: str) -> Method:
    """The method of a name. Raises ValueError if there is none."""
    for known in get_args(Method):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise ValueError(f"method={name!r} must be morris or sobol")


def check_fields(paths: Sequence[str], method: Method, clashes: Sequence[Clash] = ()) -> None:
    """Raise ValueError for too few or too many fields. clashes: why there are no more of them."""
    most = MOST_FIELDS[method]
    if not LEAST_FIELDS <= len(paths) <= most:
        why = "".join(f"; {clash_words(clash)} is refused: {clash.why}" for clash in clashes[:1])
        raise ValueError(
            f"{len(paths)} fields whose steps can be played: {method} takes {LEAST_FIELDS} to {most}; name those that "
            f"`fairfight sensitivity` ranks first{why}"
        )


def designed(grid: Grid, method: Method, seed: int) -> tuple[Grid, NDArray[np.int64], list[Clash]]:
    """The part of a grid that the card rules allow, its design (places of values, (rows, fields)), and the values left out.

    A point of the grid may come several times in the design.
    """
    sample = morris_paths if method == "morris" else saltelli_rows
    return allowed(grid, lambda levels: sample(levels, seed))


def afforded(base: Experiment, grid: Grid, method: Method, unit: int | None, games: int) -> Experiment:
    """As many whole rounds of `base` for each point as all points together have with so many games.

    Raises ValueError for fewer games than BATCHES, or one round, of each point, and for too few fields that may change.
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
    """Which value is refused beside which."""
    beside = " and ".join(f"{path} = {value}" for path, value in clash.others)
    return f"{clash.path} = {clash.value}" + (f" with {beside}" if beside else "")


def screen(
    base: Experiment,
    grid: Grid,
    method: Method = "morris",
    unit: int | None = None,
    jobs: int | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Screen:
    """Play the grid and analyse it. base: the games of each point.

    unit: entrant (part of teams) whose win rate is the outcome, None: the spread of all win rates. Values that the card rules
    refuse together are left out of the grid, so that the design holds on what is left: see `points.allowed`. Raises ValueError
    for fields that are too few or too many.
    """
    check_fields(grid.paths, method)
    grid, rows, clashes = designed(grid, method, base.seed)
    check_fields(grid.paths, method, clashes)
    points, place = np.unique(rows, axis=0, return_inverse=True)
    found, truncated = _played(base, grid, points, unit, (jobs, told))
    found = found[place.ravel()]
    indices = morris_effects if method == "morris" else sobol_shares
    random = np.random.default_rng(base.seed)
    estimate = indices(rows, found.mean(axis=1)[:, None], None)
    drawn = indices(rows, found[:, random.integers(BATCHES, size=(RESAMPLED, BATCHES))].mean(axis=2), random)
    error = {name: DEVIATIONS[method] * values.std(axis=-1) for name, values in drawn.items()}
    ends = {"path": grid.paths, "low": [v[0] for v in grid.values], "present": grid.present}
    effects = pd.DataFrame({**ends, "high": [v[-1] for v in grid.values]})
    for name, values in estimate.items():
        if name != "s2":
            value, half = values[:, 0], error[name]
            low = (value - half).clip(min=0.0 if name in SIZES else -np.inf)
            effects = effects.assign(**{name: value, f"{name}_low": low, f"{name}_high": value + half})
    pairs = _pairs(grid, estimate["s2"][..., 0], error["s2"]) if "s2" in estimate else pd.DataFrame()
    value = found.mean(axis=1)
    outcome = "spread" if unit is None else grid.units[unit]
    spread = float(value.std())
    return Screen(
        method,
        grid,
        base,
        outcome,
        effects,
        pairs,
        float(value.mean()),
        spread,
        noise(found),
        len(points),
        base.games,
        truncated,
        len(points) * part_of(base, 0, base.games, unit).games,
        tuple(clashes),
    )


def noise(found: Floats) -> float:
    """Share of the variance between points that is chance, 0..1. found: outcome by row and batch of games, (rows, batches).

    Two-way layout without replication: what is left of a row in a batch after the means of both is noise, and its variance over
    the number of batches is that of a row's mean.
    """
    batches = found.shape[1]
    rest = found - found.mean(axis=1, keepdims=True) - found.mean(axis=0, keepdims=True) + found.mean()
    whole = float(found.mean(axis=1).var())
    chance = float((rest**2).sum(axis=1).mean() / (batches * (batches - 1)))
    return min(1.0, chance / whole) if whole > 0 else 1.0


def morris_paths(levels: NDArray[np.int64], seed: int, paths: int = PATHS) -> NDArray[np.int64]:
    """Paths through a grid, each field moved once by one step in an order drawn by lot: (paths x (fields + 1), fields)."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(paths):
        now = random.integers(levels)
        rows.append(now.copy())
        for one in random.permutation(levels.size):
            up = now[one] == 0 or (now[one] < levels[one] - 1 and random.random() < 0.5)
            now[one] += 1 if up else -1
            rows.append(now.copy())
    return np.array(rows)


def morris_effects(rows: NDArray[np.int64], outcome: Floats, random: np.random.Generator | None) -> dict[str, Floats]:
    """Elementary effects per step: mu, mu_star, sigma, each (fields, columns). outcome: (rows, columns).

    random: paths are drawn again with replacement for each column; None: they are taken as they are.
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
    """A Saltelli sample on a grid: places of values, (rows x (2 fields + 2), fields)."""
    rows = MANY_ROWS if np.prod(levels) <= SMALL_GRID else ROWS
    problem = {
        "num_vars": levels.size,
        "names": [str(at) for at in range(levels.size)],
        "bounds": [[0, 1]] * levels.size,
    }
    sample = sobol_sample.sample(problem, rows, calc_second_order=True, scramble=True, seed=seed % 2**32)
    places: NDArray[np.int64] = np.minimum((sample * levels).astype(np.int64), levels - 1)
    return places


def sobol_shares(rows: NDArray[np.int64], outcome: Floats, random: np.random.Generator | None) -> dict[str, Floats]:
    """Indices s1 and st, (fields, columns), and s2, (fields, fields, columns), of which j < k count; see `morris_effects`."""
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
    for j in range(fields):
        for k in range(j + 1, fields):
            s2[j, k] = sobol_indices.second_order(a, ab[:, j], ab[:, k], ba[:, j], b)
    return {"s1": s1, "st": st, "s2": s2}


def _pairs(grid: Grid, value: Floats, half: Floats) -> pd.DataFrame:
    """Second-order indices, the largest first."""
    at = [(j, k) for j in range(len(grid.paths)) for k in range(j + 1, len(grid.paths))]
    lines = [
        (grid.paths[j], grid.paths[k], value[j, k], value[j, k] - half[j, k], value[j, k] + half[j, k]) for j, k in at
    ]
    frame = pd.DataFrame(lines, columns=["path", "other", "s2", "s2_low", "s2_high"])
    return frame.sort_values("s2", ascending=False, kind="stable", ignore_index=True)


def _played(
    base: Experiment,
    grid: Grid,
    points: NDArray[np.int64],
    unit: int | None,
    how: tuple[int | None, Callable[[int, int], None] | None],
) -> tuple[Floats, tuple[float, float]]:
    """Outcome of each point by batch of games, (points, BATCHES), and `Screen.truncated`.

    how: workers, and a callback for games done and in all.
    """
    jobs, told = how
    games = part_of(base, 0, base.games, unit)
    experiments = [replace(games, cards=grid.cards_at(point)) for point in points]
    total, done = games.games * len(points), 0

    def count(number: int) -> None:
        nonlocal done
        done += number
        if told:
            told(done, total)

    batch = games.index * BATCHES // base.games
    sizes = (batch, BATCHES, len(grid.units))
    found, stopped = [], []
    for one in played(experiments, jobs, count):
        found.append(outcomes(_by_unit(base, one), unit, sizes))
        stopped.append(one.truncated)
    return np.array(found), (min(stopped), max(stopped))


def _by_unit(base: Experiment, shares: Shares) -> Shares:
    return shares.of_parts(base.teams.members) if base.teams else shares
