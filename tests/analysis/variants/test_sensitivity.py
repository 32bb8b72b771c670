"""Sensitivity: the steps tried, the allocation of games, coverage despite it, and the results."""

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.stats import allocation
from analysis.stats.paired import paired_changes
from analysis.variants.sensitivity import Asked, sensitivity
from analysis.variants.variant import board_fields, candidates, owner_of, paths_of
from sim.engine.cards import CardError, changed
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from tests.conftest import in_soak
from tests.every_game.dice_duel import GAME as DUEL
from tests.every_game.dice_duel import exact
from tests.every_game.play import shortened

CARDS = DUEL.load(None)
HEALTH = "fighter.*.health"
PLAYED = pytest.mark.skipif(not COMPILED, reason="some hundred thousand games")

RUNS, PILOT, BATCH, TARGET, LEVEL = shortened(800, 4), 400, 56, 0.02, 0.95
LEAST_COVERED = LEVEL - 3 * (LEVEL * (1 - LEVEL) / RUNS) ** 0.5


def base(seed: int = 1) -> Experiment:
    return Experiment(DUEL.name, CARDS, 2, (PolicySpec.parse("random"),), 1, seed)


def drawn(random: np.random.Generator, n: np.ndarray, chances: tuple[float, float]) -> np.ndarray:
    """Gains and losses of `n` pairs, (2, runs)."""
    up = random.binomial(n, chances[0])
    return np.array([up, random.binomial(n - up, chances[1] / (1 - chances[0]))])


@pytest.mark.parametrize("chances", [(0.05, 0.03), *(in_soak((other,)) for other in [(0.004, 0.002), (0.2, 0.2), (0.45, 0.05)])])
@pytest.mark.slow
def test_intervals_cover_despite_adaptive_allocation(chances: tuple[float, float]):
    """All stages: first round, contenders, final round, extensions by width; many runs of each chance of gain and loss."""
    random = np.random.default_rng(5)
    first = paired_changes(*drawn(random, np.full(RUNS, PILOT), chances), np.full(RUNS, PILOT))
    half = ((first["high"] - first["low"]) / 2).to_numpy()
    top = first["change"].abs().to_numpy() > abs(chances[0] - chances[1])  # the largest possible bias by luck
    weight, every = np.where(top, allocation.TWICE, 1.0), np.ones(RUNS)
    span = allocation.spans(allocation.Plan(PILOT, half, weight, every, every, BATCH), TARGET)
    counts = drawn(random, span, chances)
    for _ in range(3):
        result = paired_changes(*counts, span)
        half = ((result["high"] - result["low"]) / 2).to_numpy()
        extra = allocation.more(half, span, TARGET, BATCH)
        counts, span = counts + drawn(random, extra, chances), span + extra
    result = paired_changes(*counts, span)
    covered = result["low"].le(chances[0] - chances[1]) & result["high"].ge(chances[0] - chances[1])
    assert covered.mean() >= LEAST_COVERED
    assert ((result["high"] - result["low"]) / 2 <= TARGET).mean() >= 0.99


def test_contenders_are_the_largest_that_can_be_among_the_first_ten():
    change = np.array([0.5, *np.linspace(0.2, 0.1, 12), 0.0])
    sure, unsure = np.full(14, 0.001), np.full(14, 0.2)
    assert allocation.contenders(change, sure).sum() == 10
    assert allocation.contenders(change, unsure).sum() == 13  # not the step that changed nothing
    many = np.linspace(0.1, 0.2, 50)
    assert np.flatnonzero(allocation.contenders(many, np.full(50, 0.2))).tolist() == list(range(30, 50))


def test_affordable_half_widths_are_as_small_as_possible():
    density = np.array([0.25, 1.0])
    plan = allocation.Plan(400, np.array([0.05, 0.02]), np.ones(2), density, np.array([0.25, 0.25]), 10)
    target = allocation.affordable(plan, 20_000)
    spans = allocation.spans(plan, target)
    assert allocation.cost(spans, density) == spans.max() + 0.25 * spans[0] + spans[1]
    assert 19_500 < allocation.cost(spans, density) <= 20_000
    assert allocation.affordable(plan, 20) == np.inf
    plan = allocation.Plan(400, np.array([0.0096]), np.ones(1), np.ones(1), np.array([0.25]), 10)
    assert allocation.spans(plan, 0.05).tolist() == [310]  # 3.85 / 0.05 = 77 games of the owner, a quarter of all
    extra = allocation.more(np.array([0.02, 0.01]), np.array([560, 560]), 0.01, 56)
    assert extra.tolist() == [36 * 56, 0]  # only the wide one: 4 x 1.15 - 1 = 3.6 times as many


def test_numbers_are_separated_by_whether_they_can_be_tried():
    document = {**CARDS.document, "fixed": ["fighter.*.health"]}
    cards = DUEL.from_document(document)
    result = candidates(DUEL, cards)
    assert result.fixed == tuple(paths_of(cards, ["fighter.*.health"]))
    assert "rules.turn_cap" in {step.field for step in result.refused}
    assert not {step.field for step in result.live} & set(result.fixed)
    assert {step.field for step in candidates(DUEL, cards, [HEALTH], with_fixed=True).live} == set(result.fixed)
    with pytest.raises(ValueError, match="all 8 requested numbers are marked as fixed"):
        candidates(DUEL, cards, [HEALTH])
    arena = GAMES["arena"]
    never = candidates(arena, arena.load(None), ["hero.*.printed_energy"])
    assert (never.live, len(never.idle) + len(never.refused)) == ((), 4)


@pytest.mark.slow
def test_positions_and_board_sizes_are_tried_only_on_request():
    arena = GAMES["arena"]
    document = arena.load(None).document
    cards = arena.from_document({**document, "hero": document["hero"][:3]})
    boards = board_fields(cards.document)
    assert {"board.standard.radius", "board.standard.starts[5][0]", "board.pit.holes[0][1]"} <= boards
    assert not any(path.startswith(("hero.", "rules.")) for path in boards)
    assert board_fields(GAMES["cardrogue"].load(None).document) == {"table.columns", "table.rows", "table.gap"}
    result = candidates(arena, cards)
    assert set(result.places) == boards
    tried = {step.field for step in (*result.live, *result.refused, *result.idle)}
    assert not tried & boards
    asked = candidates(arena, cards, ["board.standard.*"])
    assert "board.standard.starts[5][0]" in {step.field for step in (*asked.live, *asked.refused)}
    assert not asked.places
    assert not candidates(arena, cards, with_fixed=True).places


def test_patterns_without_a_match_are_refused():
    with pytest.raises(CardError, match=r"nearest: fighter\.knight\.health"):
        paths_of(CARDS, ["fighter.knight.helth"])
    with pytest.raises(ValueError, match=r"fighter\.\*\.wings: matches no number"):
        paths_of(CARDS, ["fighter.*.wings"])


def test_only_tables_of_units_own_numbers():
    ids = CARDS.ids
    assert owner_of(CARDS.document, f"fighter.{ids[3]}.health", ids) == 3
    assert owner_of(CARDS.document, "rules.turn_cap", ids) is None
    card = {"card": [{"id": ids[0], "cost": 2}], **CARDS.document}
    assert owner_of(card, f"card.{ids[0]}.cost", ids) is None
    assert owner_of(CARDS.document, "rules.left_to_its_default", ids) is None


def test_missing_or_too_small_budgets_are_refused(dice_duel):
    with pytest.raises(ValueError, match="give at least one of them"):
        Asked()
    with pytest.raises(ValueError, match="precision=60 must be above 0"):
        Asked(precision=0.6)
    with pytest.raises(ValueError, match="games=0 must be at least 1"):
        Asked(games=0)
    with pytest.raises(ValueError, match=r"games=100 are too few for 16 steps: at least \d+"):
        sensitivity(base(), candidates(dice_duel, CARDS, [HEALTH]), Asked(games=100), 1)


@PLAYED
@pytest.mark.slow
def test_every_step_has_the_requested_precision_and_is_near_the_exact_change(dice_duel):
    result = sensitivity(base(), candidates(dice_duel, CARDS, [HEALTH, "rules.second_health"]), Asked(precision=0.01), 2)
    frame = result.frame
    assert len(frame) == 18
    assert result.precision <= 0.01
    rates = exact.win_rates(CARDS)
    missed = 0
    for _, row in frame.iterrows():
        after = exact.win_rates(dice_duel.from_document(changed(CARDS.document, row["path"], row["value"])))
        who = CARDS.names.index(row["name"])
        missed += not row["low"] <= after[who] - rates[who] <= row["high"]
        spread = float(after.std() - rates.std())
        assert abs(row["spread_change"] - spread) < 4 * (row["spread_change_high"] - row["spread_change_low"]) / 3.92
    assert missed <= 3  # of 18, with 0.9 expected
    own_lines = frame[frame["own"]]
    assert all(row["name"] in CARDS.names and row["gain"] >= 2 for _, row in own_lines.iterrows())
    assert (np.sign(own_lines["change"]) == own_lines["step"]).mean() > 0.9
    assert frame["bound"].is_monotonic_decreasing  # the largest significant change comes first
    assert frame["rank"].tolist() == list(range(1, 19))


@PLAYED
@pytest.mark.slow
def test_the_budget_is_kept_and_workers_change_nothing(dice_duel):
    result = [sensitivity(base(), candidates(dice_duel, CARDS, [HEALTH]), Asked(games=12_000), jobs) for jobs in (1, 2)]
    pd.testing.assert_frame_equal(result[0].frame, result[1].frame)
    assert result[0].games <= 12_000
    assert result[0].games > 9_600


@PLAYED
@pytest.mark.slow
def test_the_steps_that_move_most_are_played_by_the_strong_players_too(dice_duel):
    answer = ff.sensitivity("dice_duel", [HEALTH], 16_000, progress=False)
    steps, test = answer.frame, answer.frames["tested"]
    assert answer.facts["policy"] == "greedy:4"
    assert test[["path", "value"]].to_numpy().tolist() == steps[["path", "value"]].head(3).to_numpy().tolist()
    assert f"with strong players {100 * test['after'].iloc[0]:.1f}" in answer.summary
    for _, row in test.iterrows():  # nobody decides in this game, so players make no difference
        right = exact.win_rates(dice_duel.from_document(changed(CARDS.document, row["path"], row["value"])))
        assert abs(right[CARDS.names.index(row["name"])] - row["after"]) < 3 * (row["after_high"] - row["after_low"]) / 3.92
    alone = ff.sensitivity("dice_duel", [HEALTH], 16_000, policy="greedy:4", progress=False)
    assert "tested" not in alone.frames
    assert "strong" not in alone.summary
