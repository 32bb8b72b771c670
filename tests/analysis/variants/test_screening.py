"""Screens: samples on grids, indices of functions with known indices, noise, and the joint effect of two numbers."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from analysis.data.shares import Shares
from analysis.variants.interactions import (
    BATCHES,
    DEVIATIONS,
    MANY_ROWS,
    RESAMPLED,
    Grid,
    allowed,
    check_fields,
    corners,
    grid_of,
    method_of,
    morris_effects,
    morris_paths,
    noise,
    outcomes,
    saltelli_rows,
    screen,
    sobol_shares,
    surest,
    surface,
    unit_of,
)
from analysis.variants.parameter_effects import answer_of
from sim.engine.cards import CardError, changed
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from tests.analysis.covering import error
from tests.every_game.dice_duel import GAME as DUEL
from tests.every_game.dice_duel import exact
from tests.every_game.play import shortened

CARDS, ARENA = DUEL.load(None), GAMES["arena"]
LEVELS = np.array([3, 3, 3])
KNIGHT = ("fighter.knight.dice", "fighter.knight.hit_on")
PLAYED = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")


def base(games: int = 1120) -> Experiment:
    return Experiment(DUEL.name, CARDS, 2, (PolicySpec.parse("random"),), games, 4)


def known(rows: np.ndarray) -> np.ndarray:
    """Three numbers: x + y / 2 + x y with x and y in -1, 0, 1, and a third one without effect."""
    x, y = rows[:, 0] - 1.0, rows[:, 1] - 1.0
    return x + y / 2 + x * y


def variance_shares() -> tuple[np.ndarray, np.ndarray]:
    """First and total order of `known`, from all points of the grid: variances 2/3, 1/6 and, of the product, 4/9."""
    parts = np.array([2 / 3, 1 / 6, 4 / 9])
    first = np.array([parts[0], parts[1], 0]) / parts.sum()
    return first, first + np.array([parts[2], parts[2], 0]) / parts.sum()


def test_paths_move_every_field_once_by_one_step_and_stay_on_the_grid():
    levels = np.array([2, 3, 5])
    paths = morris_paths(levels, 3, 40).reshape(40, 4, 3)
    moves = np.diff(paths, axis=1)
    assert (np.abs(moves).sum(axis=2) == 1).all()
    assert (np.abs(moves).sum(axis=1) == 1).all()
    assert paths.min() == 0
    assert (paths.max(axis=(0, 1)) == levels - 1).all()
    assert np.array_equal(morris_paths(levels, 3, 40), paths.reshape(-1, 3))
    rows = saltelli_rows(LEVELS, 1)
    assert rows.shape == (MANY_ROWS * 8, 3)
    assert (rows.min(), rows.max()) == (0, 2)
    assert np.bincount(rows[:, 0]).min() > 0.3 * len(rows)


def test_elementary_effects_of_a_plane_are_its_slopes():
    rows = morris_paths(LEVELS, 2)
    result = morris_effects(rows, (rows @ np.array([0.5, -0.25, 0.0]))[:, None], None)
    assert result["mu"][:, 0] == pytest.approx([0.5, -0.25, 0])
    assert result["mu_star"][:, 0] == pytest.approx([0.5, 0.25, 0])
    assert result["sigma"][:, 0] == pytest.approx([0, 0, 0], abs=1e-12)
    result = morris_effects(rows, known(rows)[:, None], None)  # interacting numbers have effects that vary
    assert (result["sigma"][0, 0] > 0.4, result["sigma"][2, 0]) == (True, 0)


def test_shares_of_the_variance_are_those_of_a_known_function():
    rows = saltelli_rows(LEVELS, 1)
    result = sobol_shares(rows, known(rows)[:, None], None)
    first, total = variance_shares()
    assert result["s1"][:, 0] == pytest.approx(first, abs=0.08)
    assert result["st"][:, 0] == pytest.approx(total, abs=0.08)
    assert result["s2"][0, 1, 0] == pytest.approx(total[0] - first[0], abs=0.12)


@pytest.mark.parametrize(("kind", "runs"), [("mu", shortened(300, 2)), ("s1", shortened(50, 2))])
def test_intervals_of_indices_contain_the_truth(kind: str, runs: int):
    """Intervals as `screen` computes them, with new samples and noise in each run."""
    morris, many = kind == "mu", morris_paths(LEVELS, 99, 20_000)
    truth = morris_effects(many, known(many)[:, None], None)["mu"][:, 0] if morris else variance_shares()[0]
    indices, sample = (morris_effects, morris_paths) if morris else (sobol_shares, saltelli_rows)
    random, held = np.random.default_rng(8), np.zeros(len(truth))
    for run in range(runs):
        rows = sample(LEVELS, run)
        points, place = np.unique(rows, axis=0, return_inverse=True)
        values = (known(points)[:, None] + random.normal(0, 0.3, (len(points), BATCHES)))[place.ravel()]
        estimate = indices(rows, values.mean(axis=1)[:, None], None)[kind][:, 0]
        again = values[:, random.integers(BATCHES, size=(RESAMPLED, BATCHES))].mean(axis=2)
        half = DEVIATIONS["morris" if morris else "sobol"] * indices(rows, again, random)[kind].std(axis=-1)
        held += np.abs(estimate - truth) <= half + 1e-12
    assert (held / runs)[:2].min() > 0.95 - 3 * error(runs)


def test_noise_is_its_share_of_the_variance_between_points():
    random = np.random.default_rng(1)
    points, common = random.normal(0, 1, (4000, 1)), random.normal(0, 5, (1, BATCHES))
    for deviation in (0.5, 2.0, 8.0):
        result = noise(points + common + random.normal(0, deviation, (4000, BATCHES)))
        noise_variance = deviation**2 / BATCHES
        assert result == pytest.approx(noise_variance / (noise_variance + 1), rel=0.15)
    assert noise(np.ones((5, BATCHES))) == 1.0


def test_the_mean_outcome_of_batches_is_the_outcome_of_all_games():
    random = np.random.default_rng(2)
    entrant = np.array([random.permutation(4)[:2] for _ in range(800)], np.int16)
    share = np.eye(2, dtype=np.float32)[(entrant[:, 0] < entrant[:, 1]).astype(int)]
    games = Shares(entrant, share, np.zeros(800, bool), np.ones(800, np.int32))
    batch = np.arange(800) * BATCHES // 800
    mine = (entrant == 1).any(axis=1)
    rate = float(share[entrant == 1].mean())
    assert outcomes(games, 1, (batch, BATCHES, 4)).mean() == pytest.approx(rate)
    assert 0 < rate < 1
    assert mine.sum() > 300
    assert outcomes(games, None, (batch, BATCHES, 4)).mean() == pytest.approx(0.37, abs=0.05)


def test_too_few_or_too_many_fields_are_refused():
    with pytest.raises(ValueError, match="1 fields have steps that can be played: morris takes 2 to 20"):
        check_fields(["a"], "morris")
    with pytest.raises(ValueError, match="7 fields have steps that can be played: sobol takes 2 to 6; name those"):
        check_fields(list("abcdefg"), "sobol")
    with pytest.raises(ValueError, match="method='fast' must be morris or sobol"):
        method_of("fast")


def test_a_grid_holds_the_allowed_values(dice_duel):
    grid, refused = grid_of(base(), [*KNIGHT, "rules.turn_cap"], 2)
    record = CARDS.document["fighter"][0]
    assert grid.paths[:2] == KNIGHT
    assert grid.present[:2] == (record["dice"], record["hit_on"])
    assert all(list(values) == sorted(values) and now in values for values, now in zip(grid.values, grid.present, strict=True))
    assert {step.field for step in refused} >= {"rules.turn_cap"}
    low = grid.cards_at([0, 0, 0]).document["fighter"][0]
    assert (low["dice"], low["hit_on"]) == (grid.values[0][0], grid.values[1][0])
    with pytest.raises(ValueError, match="steps=0 must be at least 1"):
        grid_of(base(), KNIGHT, 0)
    with pytest.raises(CardError, match="nearest"):
        grid_of(base(), ["fighter.knight.dise"])
    with pytest.raises(ValueError, match="entrant='nite': did you mean \"knight\""):
        unit_of(base(), "nite")


CHARGE = "hero.rhino_guy.ability.charge"  # its knockback by zone, 1, 3, 4, must not decrease


def arena_grid(*names: str) -> Grid:
    arena = Experiment("arena", ARENA.load(None), 2, "greedy", 56)
    return grid_of(arena, [f"{CHARGE}.{name}" for name in names])[0]


@pytest.mark.parametrize("sample", [morris_paths, saltelli_rows])
def test_a_grid_keeps_only_values_that_the_card_rules_allow_together(sample):
    grid = arena_grid("attack", "knockback[0]", "knockback[1]", "knockback[2]")
    with pytest.raises(CardError, match="decreases"):
        grid.cards_at([1, 1, 2, 0])
    result, rows, clashes = allowed(grid, lambda levels: sample(levels, 1))
    (clash,) = clashes
    assert (clash.path, clash.value) == (f"{CHARGE}.knockback[2]", 3)
    assert clash.others == ((f"{CHARGE}.knockback[1]", 4),)
    assert "decreases" in clash.why
    assert not clash.why.startswith("document")
    assert result.values == (*grid.values[:3], (4, 5))
    levels = np.array([3, 3, 3, 2])
    assert np.array_equal(rows, sample(levels, 1))
    for point in product(*map(range, levels)):
        result.cards_at(point)


def test_a_field_without_other_values_is_left_out_and_named():
    grid = replace(arena_grid("knockback[1]", "knockback[2]"), values=((3, 4), (3, 4)))
    result, _, clashes = allowed(grid, lambda levels: morris_paths(levels, 1))
    assert result.paths == (f"{CHARGE}.knockback[1]",)
    with pytest.raises(ValueError, match=r"1 fields .* takes 2 to 20; .*; .*knockback\[2\] = 3 with .* is refused: hero"):
        check_fields(result.paths, "morris", clashes)


@PLAYED
def test_a_screen_is_near_the_exact_effects(dice_duel):
    grid, _ = grid_of(base(), KNIGHT)
    result = screen(base(2240), grid, "sobol", 0, 2)
    rate = {point: exact.win_rates(grid.cards_at(point))[0] for point in product(*(range(len(item)) for item in grid.values))}
    table = np.array(list(rate.values())).reshape([len(item) for item in grid.values])
    whole = table.var()
    first = [table.mean(axis=1 - index).var() / whole for index in range(2)]
    effects = result.effects
    assert result.points == table.size
    assert result.noise < 0.05
    for index in range(2):
        assert effects["s1_low"][index] - 0.05 <= first[index] <= effects["s1_high"][index] + 0.05
    assert result.pairs["s2"][0] == pytest.approx(1 - sum(first), abs=0.15)


@PLAYED
def test_workers_change_nothing_in_a_screen(dice_duel):
    grid, _ = grid_of(base(), KNIGHT)
    single, several = (screen(base(560), grid, "morris", None, jobs) for jobs in (1, 3))
    assert single.effects.equals(several.effects)
    assert (single.outcome, single.noise) == ("spread", several.noise)


def test_joint_effects_are_covered_at_their_level():
    """All four pairs of changes at once, 300 games, no interaction: 95 % of 400 runs."""
    random, held = np.random.default_rng(11), 0
    grid = Grid(DUEL, CARDS, ("a", "b"), (1, 1), ((0, 1, 2), (0, 1, 2)), ("x",))
    for _ in range(400):
        sides = random.normal(0, 1, (300, 3, 1)) + random.normal(0, 1, (300, 1, 3))
        result = corners(grid, random.random((300, 1, 1)) + sides + random.normal(0, 0.5, (300, 3, 3)))
        held += bool(((result["low"] <= 0) & (result["high"] >= 0)).all())
    assert 0.92 < held / 400 < 0.98


def test_headline_and_number_come_from_the_same_interval():
    """The most significant corner is named, and numbers interact exactly if its interval excludes zero."""
    random, claimed = np.random.default_rng(5), 0
    grid = Grid(DUEL, CARDS, ("a", "b"), (1, 1), ((0, 1, 2), (0, 1, 2)), ("x",))
    where, words = "at two seats", ("A: x", "B: y")
    for run in range(60):
        strength = 0.05 * (run % 3)
        values = np.outer([-1, 0, 1], [-1, 0, 1]) * strength + random.normal(0, 0.5, (300, 3, 3))
        joint = corners(grid, values)
        top = surest(joint)
        sure = bool(top["low"] > 0 or top["high"] < 0)
        any_sure = ((joint["low"] > 0) | (joint["high"] < 0)).any()
        assert sure == any_sure
        assert ("They do work together" in answer_of(joint, "A", words, where)) == sure
        claimed += sure
    assert 10 < claimed < 50


@PLAYED
def test_the_joint_effect_of_two_changes_is_near_the_exact_one(dice_duel):
    grid, _ = grid_of(base(), KNIGHT)
    cells, joint = surface(base(6720), grid, 0, 2)
    rates, missed = {}, 0
    for _, cell in cells.iterrows():
        document = changed(changed(CARDS.document, KNIGHT[0], int(cell["first"])), KNIGHT[1], int(cell["second"]))
        rate = rates[cell["first"], cell["second"]] = exact.win_rates(dice_duel.from_document(document))[0]
        missed += not cell["low"] <= rate <= cell["high"]
    assert missed <= 2
    now = rates[grid.present]
    for _, corner in joint.iterrows():
        a, b = corner["first"], corner["second"]
        both = rates[a, b] - now
        alone = rates[a, grid.present[1]] + rates[grid.present[0], b] - 2 * now
        assert corner["low"] <= both - alone <= corner["high"]
    assert surest(joint)["low"] > 0 or surest(joint)["high"] < 0
