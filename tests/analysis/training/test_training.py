"""Training: known truths are recovered, errors cover, samples are fair, and predictions of the exact duel are right."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.training import positions as taker
from analysis.training.positions import Sample, Table, chances, sampled, sides
from analysis.training.train import (
    BASELINE,
    FITTED,
    PRECISIONS,
    auc,
    chosen_precision,
    errors,
    fitted,
    folds,
    log_loss,
    penalised,
    play_match,
    reliability,
    scores,
    staged,
    train,
)
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import features_of, replay
from sim.weights import Weights, with_weights
from tests.every_game.dice_duel import exact
from tests.every_game.play import enough

WEAK = 1e-6  # precision of an uninformative prior
TRUTH = np.array([0.8, -0.5, 0.0, 1.5])

compiled = pytest.mark.skipif(not COMPILED, reason="some thousand games")


def made_up(games: int, rows: int, seed: int, truth: np.ndarray = TRUTH, alike: bool = False) -> Sample:
    """Rows of a logistic truth. alike: all rows of a game are equal and have a common result."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(games, 1 if alike else rows, len(truth)))
    won = rng.random(features.shape[:2]) < 1 / (1 + np.exp(-(features @ truth)))
    if alike:
        features, won = features.repeat(rows, axis=1), won.repeat(rows, axis=1)
    game = np.arange(games).repeat(rows)
    return Sample.plain(features.reshape(-1, len(truth)), won.reshape(-1).astype(float), game)


def at_table(game: Game, games: int, seats: int = 2, policy: str = "greedy:1", seed: int = 1) -> Experiment:
    return Experiment(game.name, game.load(None), seats, (PolicySpec.parse(policy),), games, seed)


def test_known_weights_are_recovered_and_unseen_features_keep_their_prior():
    sample = made_up(3000, 4, 1)
    seen = replace(sample, features=np.column_stack([sample.features, np.zeros(len(sample.share))]))
    fit = fitted(seen, np.array([0, 0, 0, 0, 0.7]), 1)
    assert np.abs((fit.weights[:4] - TRUTH) / fit.error[:4]).max() < 3.5
    assert fit.error[:4].max() < 0.05
    assert (fit.weights[4], np.isnan(fit.error[4])) == (0.7, True)
    assert (fit.rows, fit.games) == (12_000, 3000)
    overconfident = fitted(made_up(2000, 3, 5), np.array([0.8, -0.5, 0.0, 400.0]), 1).weights
    assert np.isfinite(overconfident).all()
    assert overconfident[3] < 399  # as far as the prior allows


def test_shared_wins_count_as_half_a_win_and_half_a_loss():
    sample = made_up(200, 2, 3)
    shared = replace(sample, share=np.full(400, 0.5))
    doubled = Sample.joined([sample, sample])
    doubled = replace(doubled, share=np.repeat([1.0, 0.0], 400))
    assert penalised(shared, np.zeros(4), 1.0) == pytest.approx(penalised(doubled, np.zeros(4), 2.0), abs=1e-4)


def sensible_play(games: int, shown: float, seed: int = 4) -> Sample:
    """Positions and pairs of options. Every feature adds 1, the last 0.3; in positions the first one seems to add `shown`."""
    rng = np.random.default_rng(seed)
    seen = np.column_stack([rng.normal(size=(games, 2)), np.ones(games)])
    moved = np.repeat(rng.normal(size=(games, 2)) / 2, 2, axis=0) * np.tile([[1.0], [-1.0]], (games, 1))
    won = rng.random(games) < 1 / (1 + np.exp(-(seen @ [shown, 1.0, 0.3])))
    chosen = rng.random(2 * games) < 1 / (1 + np.exp(-moved.sum(axis=1)))
    positions = Sample.plain(seen, won.astype(float), np.arange(games))
    options = Sample.plain(np.pad(moved, ((0, 0), (0, 1))), chosen.astype(float), np.arange(games).repeat(2))
    return Sample.joined([positions, replace(options, option=np.ones(2 * games, bool))])


def test_in_two_stages_options_fit_the_ratios_and_positions_the_scale():
    sample = sensible_play(10_000, shown=1.0)
    smaller = replace(sample, features=sample.features * np.where(sample.option, 1.0, 0.1)[:, None])
    fit = staged(smaller, np.zeros(3), 1)  # a tenth of every feature in positions: every weight is ten times as large
    assert np.abs((fit.weights - [10.0, 10.0, 3.0]) / fit.error).max() < 3.5
    assert fit.error.max() < 0.6
    assert (fit.rows, fit.options, fit.games) == (10_000, 20_000, 10_000)
    confounded = sensible_play(10_000, shown=0.0)
    assert fitted(confounded.positions, np.zeros(3), 1).weights[0] == pytest.approx(0.0, abs=0.1)
    first, second, _ = staged(confounded, np.zeros(3), 1).weights
    assert first == pytest.approx(second, rel=0.1)


@pytest.mark.soak
def test_in_two_stages_standard_errors_cover():
    off = []
    for seed in range(enough(60, 10)):
        fit = staged(sensible_play(600, shown=1.0, seed=seed), np.zeros(3), 1)
        off.append(np.abs(fit.weights - [1.0, 1.0, 0.3]) < 1.96 * fit.error)
    assert 0.9 <= np.mean(off) <= 1


@pytest.mark.soak
def test_standard_errors_cover_if_the_rows_of_a_game_are_correlated():
    """Nominal 95 %; it would be 58 % if the six rows of a game were treated as independent."""
    covered = 0.0
    for seed in range(120):
        sample = made_up(150, 6, seed, TRUTH[:2], alike=True)
        weights = penalised(sample, np.zeros(2), WEAK)
        covered += (np.abs(weights - TRUTH[:2]) < 1.96 * errors(sample, weights, WEAK)).mean() / 120
    assert 0.91 < covered < 0.985


def test_cross_validation_keeps_right_weights_and_drops_wrong_ones():
    sample = made_up(150, 3, 4)
    assert chosen_precision(sample, TRUTH, 1) == max(PRECISIONS)
    assert chosen_precision(sample, -TRUTH, 1) == min(PRECISIONS)
    away, near = (np.abs(penalised(sample, np.zeros(4), item)).sum() for item in (1.0, 10_000.0))
    assert near < 0.1 * away


def test_all_rows_of_a_game_are_in_one_fold_and_folds_have_equal_sizes():
    game = np.array([5, 1, 1, 7, 5, 9, 3, 3, 8, 8, 2, 4, 6, 0])
    result = folds(game, 1)
    assert all(len(set(result[game == item])) == 1 for item in game)
    sizes = np.bincount([result[game == item][0] for item in set(game)], minlength=5)
    assert sizes.tolist() == [2, 2, 2, 2, 2]


def test_scores_by_hand():
    sample = Sample.plain(np.zeros((4, 1)), np.array([1.0, 0.0, 0.5, 0.0]), np.array([0, 0, 1, 2]))
    fitted_chances, even = np.array([0.8, 0.2, 0.5, 0.5]), np.full(4, 0.5)
    table = scores({"fitted": fitted_chances, "even": even}, sample).set_index("evaluation")
    loss = -(2 * np.log(0.8) + 2 * np.log(0.5)) / 4
    assert table["log_loss"].to_numpy() == pytest.approx([loss, np.log(2)])
    assert table["worse"].to_numpy() == pytest.approx([0, np.log(2) - loss])
    assert table["brier"].to_numpy() == pytest.approx([(0.04 + 0.04 + 0 + 0.25) / 4, (0.25 * 3) / 4])
    assert table["n"].tolist() == [3, 3]
    # won 1 at 0.8 and 0.5 at 0.5; lost 1 at 0.2, 1.5 at 0.5: (1 x 2.5 + 0.5 x (1 + 0.75)) / (1.5 x 2.5)
    assert table.loc["fitted", "auc"] == pytest.approx(3.375 / 3.75)
    assert table.loc["even", "auc"] == 0.5
    assert np.isnan(auc(fitted_chances, np.ones(4)))
    assert log_loss(np.array([0.0, 1.0]), np.array([0.0, 1.0])) == pytest.approx([0, 0], abs=1e-9)


def test_bins_hold_equally_many_rows_and_equal_chances_stay_together():
    sample = made_up(500, 2, 5)
    for chance, rows, means in (
        (np.arange(1000) / 1000, [100] * 10, np.arange(10) / 10 + 0.0495),
        (np.repeat([0.2, 0.7], 500), [500, 500], [0.2, 0.7]),
    ):
        table = reliability(chance, sample)
        assert table["rows"].tolist() == rows
        assert table["chance"].to_numpy() == pytest.approx(means)


def exactly_judged(game: Game, games: int) -> tuple[np.ndarray, Sample]:
    """Positions of the duel with the exact chance of the next striker, and their results."""
    experiment = at_table(game, games, policy="random", seed=9)
    played = replay(experiment, 0, games)
    lines = played.moves["action"] >= 0
    result, row, seat = played.positions[lines], played.moves["row"][lines], played.moves["seat"][lines]
    features = features_of(experiment, result)[np.arange(len(result)), seat]
    share = played.rows["share"][row, seat].astype(float)
    return exact.striker_wins(experiment.cards, result), Sample.plain(features, share, row.astype(np.int64))


@compiled
@pytest.mark.slow
def test_exact_chances_of_the_duel_are_reliable_and_fitted_ones_near_them(dice_duel: Game):
    chance, other = exactly_judged(dice_duel, 560)
    table = reliability(chance, other)
    assert ((table["low"] <= table["chance"]) & (table["chance"] <= table["high"])).sum() >= len(table) - 1
    baseline = dice_duel.load(None).record["weight_baseline"][0, 1]
    fit = fitted(sampled(at_table(dice_duel, 2000), 1), baseline, 1)
    guess, before = (chances(other.features, weights) for weights in (fit.weights, baseline))
    tenth = np.argsort(np.argsort(guess)) * 10 // len(guess)
    assert max(abs((guess - chance)[tenth == item].mean()) for item in range(10)) < 0.045
    assert ((guess - chance) ** 2).mean() < 0.6 * ((before - chance) ** 2).mean()


@compiled
@pytest.mark.slow
def test_a_sample_depends_on_the_seed_and_not_on_the_workers(coin_duel: Game):
    item, two, other = (sampled(at_table(coin_duel, 60, 3, seed=seed), jobs) for seed, jobs in ((1, 1), (1, 2), (2, 1)))
    for name in ("features", "share", "game"):
        assert getattr(item, name).tobytes() == getattr(two, name).tobytes()
    assert item.features.tobytes() != other.features.tobytes()
    assert item.positions.share.reshape(-1, 3).sum(axis=1) == pytest.approx(1)
    options = item.taken(item.option)
    assert len(options.share) > 60
    assert np.abs(options.features.sum(axis=0)).max() < 1e-9
    assert len(np.unique(item.game)) + item.truncated >= 60


def test_options_give_the_weights_of_features_despite_common_positions():
    """Positions with much of feature 0 are won anyway, but an option with more of it loses."""
    rng = np.random.default_rng(6)
    hidden, game = rng.normal(size=6000), np.arange(6000)
    option_features = rng.normal(size=(6000, 3, 2)) * 0.5
    features = option_features + hidden[:, None, None] * [1.0, 0.0]
    dice = rng.random((6000, 1))  # common to all options of a decision
    share = (dice < 1 / (1 + np.exp(-(2 * hidden[:, None] + option_features @ [-0.8, 0.8])))).astype(float)
    misled = penalised(Sample.plain(features[:, 0], share[:, 0], game), np.zeros(2), 1.0)
    assert misled[0] > 0.8
    above = (features - features.mean(axis=1, keepdims=True)).reshape(-1, 2)
    options = replace(Sample.plain(above, share.reshape(-1), game.repeat(3)), offset=2 * hidden.repeat(3))
    weights = penalised(options, np.zeros(2), 1.0)
    assert np.abs((weights - [-0.8, 0.8]) / errors(options, weights, 1.0)).max() < 3.5
    unsure = penalised(replace(options, offset=hidden.repeat(3)), np.zeros(2), 1.0)
    assert unsure[0] / unsure[1] == pytest.approx(-1, abs=0.1)  # which option is better does not depend on the other features


@compiled
def test_options_of_a_decision_are_compared_with_their_mean(coin_duel: Game):
    experiment = at_table(coin_duel, 6)
    result = replay(experiment, 0, 6).positions[[0, 2, 4]]
    took = taker.Taker(experiment, 1.0)
    took.take_options(3, 1, result, np.array([1.0, 0.5, 0.0]))
    sample = took.sample(6)
    seen = features_of(experiment, result)[:, 1]
    assert sample.features == pytest.approx(seen - seen.mean(axis=0))
    assert sample.offset == pytest.approx([seen.mean(axis=0) @ experiment.cards.record["weight"][0, 1]] * 3)
    assert (sample.share.tolist(), sample.game.tolist(), sample.games) == ([1, 0.5, 0], [3] * 3, 6)
    assert sample.option.all()
    assert sample.weighted(10).weight.tolist() == [10] * 3


@compiled
@pytest.mark.soak
def test_a_mixed_sample_includes_players_with_other_weights(coin_duel: Game):
    held = Weights.of(coin_duel.load(None))
    cards = with_weights(coin_duel.load(None), Weights(held.fitted, -held.fitted))
    experiment = replace(at_table(coin_duel, 200), cards=cards)
    plain, mixed = (sampled(experiment, 1, mixed=item) for item in (False, True))
    assert plain.features.tobytes() == sampled(at_table(coin_duel, 200), 1).features.tobytes()
    assert mixed.features.tobytes() != plain.features.tobytes()
    lead = [abs(item.positions.features[:, 0]).mean() for item in (plain, mixed)]
    assert lead[1] > 1.02 * lead[0]  # players with random weights fall behind


@compiled
@pytest.mark.soak
def test_a_sample_respects_its_bound_and_takes_more_of_long_games(coin_duel: Game):
    free = sampled(at_table(coin_duel, 300), 1).positions
    bound = sampled(at_table(coin_duel, 300), 1, rows_most=2400).positions
    assert len(bound.share) == pytest.approx(2400, rel=0.15)
    assert len(free.share) > 3 * len(bound.share)
    played = replay(at_table(coin_duel, 300), 0, 300)
    lengths = np.bincount(played.moves["row"])
    taken = np.bincount(free.game, minlength=300)[:300]
    short, long = (taken[part].mean() / lengths[part].mean() for part in np.array_split(np.argsort(lengths), 2))
    assert long == pytest.approx(short, rel=0.25)


@compiled
def test_a_branch_continues_from_its_position_with_the_given_decision(coin_duel: Game):
    experiment = at_table(coin_duel, 12)
    table = Table(experiment)
    played = table.play(np.arange(6))
    assert set(played.rows["status"]) <= {Status.FINISHED, Status.TRUNCATED}
    start = played.positions[played.lines_of(2)[3]]
    straight = table.branch(2, start, 7)
    assert straight.positions[0] == start
    for action in table.options(start):
        branch = table.branch(2, start, 7, int(action))
        assert branch.positions[0] != start
        assert branch.rows["share"][0].sum() == pytest.approx(1)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_both_sides_play_every_seat_equally_often(seats: int):
    result = np.array(sides(seats))
    assert (result.sum(axis=0) * 2 == len(result)).all()
    assert set(result.sum(axis=1)) == {seats // 2, seats - seats // 2}


@compiled
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.slow
def test_a_match_against_itself_is_even_and_against_bad_weights_is_won(coin_duel: Game, dice_duel: Game, seats: int):
    experiment = at_table(coin_duel, 600, seats, "greedy:2")
    held = Weights.of(experiment.cards).fitted
    level = play_match(experiment, held, held, "itself", 1)
    assert (level.share.low, level.share.estimate, level.share.high, level.verdict) == (0.5, 0.5, 0.5, "not decided")
    won, lost = play_match(experiment, held, -held, "nonsense", 1), play_match(experiment, -held, held, "sense", 1)
    assert won.is_won
    assert won.share.estimate > 0.55
    assert lost.verdict == "loses"
    assert won.share.estimate + lost.share.estimate == pytest.approx(1, abs=1e-6)
    held = Weights.of(dice_duel.load(None)).fitted  # no mirror matches, and no decisions: both sides play the same games
    match = play_match(at_table(dice_duel, 224), held, -held, "nonsense", 1)
    assert (match.share.estimate, match.verdict) == (0.5, "not decided")


@compiled
@pytest.mark.soak
def test_training_is_reproducible_and_recovers_from_bad_weights(coin_duel: Game):
    experiment = at_table(coin_duel, 240)
    lost = Weights.of(experiment.cards)
    lost.fitted[:] = -lost.fitted
    from_nonsense = replace(experiment, cards=with_weights(experiment.cards, lost))
    trained, again = (train(from_nonsense, 2, jobs) for jobs in (1, 2))
    assert [fit.weights.tolist() for fit in trained.rounds] == [fit.weights.tolist() for fit in again.rounds]
    assert trained.matches == again.matches
    assert trained.fit.weights[0] > 0.5
    assert [match.against for match in trained.matches] == ["before", BASELINE]
    assert trained.matches[0].is_won
    assert trained.scores["evaluation"].tolist() == [FITTED, "before", BASELINE]
    assert trained.scores["worse_low"][1] > 0


@compiled
@pytest.mark.slow
def test_uninformative_games_are_refused(coin_duel: Game, monkeypatch):
    experiment = at_table(coin_duel, 30)
    with pytest.raises(ValueError, match="rounds=0 must be at least 1"):
        train(experiment, 0, 1)
    document = dict(coin_duel.load(None).document)
    document["rules"] = document["rules"] | {"turn_cap": 1, "goal": 50}
    endless = replace(experiment, cards=coin_duel.from_document(document))
    with pytest.raises(ValueError, match="Coin duel at 2 seats: none of 30 games was won; play more with --games"):
        sampled(endless, 1)
    monkeypatch.setattr(taker, "evaluations", lambda _, positions: np.full((len(positions), 2), 0.123))
    with pytest.raises(ValueError, match="Coin duel: its evaluation does not follow its weights"):
        sampled(experiment, 1)
