"""Contributions of parts, pairs and counters: recovered from games with known effects, with intervals at their level."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit
from scipy.stats import binom

from analysis.teams.model import contributions
from analysis.teams.ridge import Contests, Lines, Problem, Terms, fit
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks, collect
from tests.analysis.made_rows import game, games
from tests.analysis.made_teams import effects, played, teams
from tests.every_game.play import shortened

TWELVE = teams()
SETS, SET_ROUNDS = shortened(300), 40


@pytest.fixture(scope="module")
def known():
    """A fit to 18,000 games, and their true effects."""
    values = effects(TWELVE, going_first=0.2, parts=0.3, pairs=0.15, counters=0.1)
    return contributions(played(TWELVE, 1500, values), TWELVE), values


@pytest.fixture(scope="module")
def alike():
    """Fits to many small sets of games of twelve equal parts."""
    rng = np.random.default_rng(2)
    return [contributions(played(TWELVE, SET_ROUNDS, rng=rng), TWELVE) for _ in range(SETS)]


def within(frame, truth):
    """Share of the intervals (in logits) that contain the truth, in the order of the frame."""
    shift = 0.0 if "part" in frame else 0.5
    return float(((frame["low"] + shift <= expit(truth)) & (expit(truth) <= frame["high"] + shift)).mean())


@pytest.mark.slow
def test_known_effects_are_recovered(known):
    result, values = known
    terms = Terms(TWELVE)
    parts = result.parts.sort_values("part")
    assert np.abs(parts["effect"] - values[terms.part]).max() < 0.1
    assert np.all(np.abs(parts["effect"] - values[terms.part]) < 4 * parts["se"])
    assert parts["effect"].sum() == pytest.approx(0, abs=1e-9)
    assert within(parts, values[terms.part]) >= 10 / 12
    assert within(result.pairs, values[terms.pair]) > 0.85
    assert within(result.counters, values[terms.counter]) > 0.85
    assert result.first.low < expit(0.2) < result.first.high
    assert np.corrcoef(result.pairs["effect"], values[terms.pair])[0, 1] > 0.9


@pytest.mark.slow
def test_frames_show_the_number_of_games_of_each_term(known):
    result, _ = known
    assert result.parts["n"].tolist() == [9000] * 12
    assert [result.pairs["n"].sum(), result.counters["n"].sum(), result.first.n] == [18_000 * 6, 18_000 * 9, 18_000]
    assert result.parts["raw"].mean() == pytest.approx(0.5)
    assert result.parts["effect"].is_monotonic_decreasing
    assert (result.parts["p_holm"] >= result.parts["p"]).all()


@pytest.mark.slow
def test_the_contribution_of_parts_is_compared_with_the_fair_band(known):
    parts, freedom = known[0].parts, known[0].fit.rounds - 1
    half = stats.t.ppf(1 - 0.05 / 2 / len(parts), freedom) * parts["se"]
    assert expit(parts["effect"] - half).to_numpy() == pytest.approx(parts["low"])
    assert expit(parts["effect"] + half).to_numpy() == pytest.approx(parts["high"])
    for line in parts.to_dict("records"):
        side = "too strong" if line["low"] > 0.55 else "too weak" if line["high"] < 0.45 else ""
        inside = "fair" if line["low"] >= 0.45 and line["high"] <= 0.55 else "not decided"
        assert line["verdict"] == (side or inside)
    assert len(set(parts["verdict"])) > 2


def test_the_fit_reports_what_parts_and_pairs_explain_of_left_out_games(known):
    fitted = known[0].fit
    coin, parts, whole = fitted.losses.values()
    assert whole < parts < coin == pytest.approx(np.log(2))
    assert 0.6 < fitted.auc < 0.8
    assert (fitted.groups["p"] < 1e-6).all()
    assert fitted.groups["spread"].to_numpy() == pytest.approx([0.15, 0.1], rel=0.25)
    table = fitted.calibration
    assert table["n"].sum() == fitted.games == 18_000
    assert ((table["low"] <= table["predicted"]) & (table["predicted"] <= table["high"])).sum() >= 8
    assert table["predicted"].is_monotonic_increasing


def chosen(contests, kept):
    """Some of the games."""
    return Contests(*(column[kept] for name, column in vars(contests).items() if name != "rounds"))


@pytest.mark.slow
def test_one_step_without_a_fold_equals_the_fit_without_it(known):
    contests = played(TWELVE, 500, known[1])
    kept = contests.rounds[1] % 5 != 0
    rest = chosen(contests, ~kept)
    chance = contributions(chosen(contests, kept), TWELVE).predict(rest.first, rest.second, rest.started)
    loss = -np.mean(rest.share * np.log(chance) + (1 - rest.share) * np.log(1 - chance))
    assert loss == pytest.approx([*contributions(contests, TWELVE).fit.losses.values()][-1], abs=0.02)


@pytest.mark.soak
def test_intervals_of_twelve_equal_parts_cover_at_their_level(alike):
    outside = [((result.parts["low"] > 0.5) | (result.parts["high"] < 0.5)).any() for result in alike]
    assert sum(outside) <= binom.ppf(0.999, SETS, 0.05)
    wrong = sum((result.parts["p_holm"] < 0.05).any() for result in alike)
    assert wrong <= binom.ppf(0.999, SETS, 0.05)


@pytest.mark.soak
def test_going_first_is_covered_if_games_share_dice(alike):
    missed = sum(not result.first.low <= expit(0.2) <= result.first.high for result in alike)
    assert missed <= binom.ppf(0.999, SETS, 0.05)


@pytest.mark.soak
def test_without_pairs_and_counters_false_discoveries_keep_their_level(alike, known):
    bound = binom.ppf(0.999, SETS, 0.05)
    for frame in ("pairs", "counters"):
        assert sum((getattr(result, frame)["p_bh"] < 0.05).any() for result in alike) <= bound
    groups = np.array([result.fit.groups["p"].to_numpy() < 0.05 for result in alike])
    assert groups.sum(axis=0).max() <= bound
    freedom = np.mean([result.fit.groups["freedom"] for result in alike], axis=0)  # effects shrink to almost zero
    assert (freedom < 0.3 * np.array([54, 55])).all()
    assert (known[0].fit.groups["freedom"] > 0.7 * np.array([54, 55])).all()


@pytest.mark.soak
def test_false_discoveries_are_few_if_some_pairs_are_real():
    terms, values = Terms(TWELVE), effects(TWELVE)
    real = terms.number(np.array([0, 1, 2, 0]), np.array([1, 2, 3, 3]))
    values[terms.pair.start + real] = [0.5, -0.5, 0.5, -0.5]  # sums to 0 for every part
    rng, false, found_real = np.random.default_rng(4), [], 0
    for _ in range(20):
        result = contributions(played(TWELVE, 500, values, rng), TWELVE).pairs
        hits = np.flatnonzero(result["p_bh"] < 0.05)
        false.append(np.isin(hits, real, invert=True).sum() / max(1, len(hits)))
        found_real += np.isin(real, hits).sum()
    assert found_real > 0.8 * 4 * 20
    assert np.mean(false) < 0.05 + 3 * np.std(false) / np.sqrt(20)


def test_a_copy_with_an_advantage_ranks_first_and_is_above_even():
    values = effects(TWELVE)
    values[1 + 5] = 0.25  # otherwise the same as all others
    best = contributions(played(TWELVE, 300, values), TWELVE).parts.iloc[0]
    assert best["part"] == 5
    assert best["low"] > 0.5
    assert best["p_holm"] < 0.05


def test_parts_alone_agree_with_a_generalised_linear_model_and_its_clustered_errors():
    contests = played(TWELVE, 450, effects(TWELVE, parts=0.3))
    terms, lines = Terms(TWELVE), Lines.of(contests, len(TWELVE.members))
    basis, kinds = terms.basis(np.ones(terms.columns, bool))
    free = kinds == 0
    result = fit(Problem(lines, terms.design(lines.first, lines.second, lines.started), basis[:, free], kinds[free]))
    rows = terms.design(contests.first, contests.second, contests.started) @ basis[:, free]
    model = sm.GLM(contests.share, rows, sm.families.Binomial())
    theirs = model.fit(cov_type="cluster", cov_kwds={"groups": contests.cluster, "use_correction": False})
    assert result.theta == pytest.approx(theirs.params, abs=1e-3)
    assert np.sqrt(np.diag(result.covariance)) == pytest.approx(theirs.bse * np.sqrt(450 / 449), rel=2e-3)


def test_chances_of_both_sides_sum_to_one_and_are_those_of_the_predictions(known):
    table, shared = known[0].table(), (known[0].holds @ known[0].holds.T) > 0
    assert np.array_equal(np.isnan(table), shared)
    assert (table + table.T)[~shared] == pytest.approx(1)
    ahead, behind = (known[0].predict(np.array([0]), np.array([219]), np.array([side])) for side in (1, -1))
    assert table[0, 219] == pytest.approx((ahead + behind) / 2)


@pytest.mark.slow
def test_the_names_of_the_seats_do_not_matter():
    contests = played(TWELVE, 50)
    turned = replace(contests, first=contests.second, second=contests.first, share=1 - contests.share, started=-contests.started)
    left, right = (contributions(games, TWELVE) for games in (contests, turned))
    assert np.allclose(left.parts["effect"], right.parts["effect"])
    assert np.allclose(left.pairs["p"], right.pairs["p"])
    assert left.fit.auc == pytest.approx(right.fit.auc)


def test_a_part_that_always_wins_has_a_finite_effect_and_a_wide_interval():
    contests = played(TWELVE, 40)
    has = (TWELVE.members == 3).any(axis=1)
    share = np.where(has[contests.first], 1.0, np.where(has[contests.second], 0.0, contests.share))
    best = contributions(replace(contests, share=share), TWELVE).parts.iloc[0]
    assert (best["part"], best["raw"]) == (3, 1)
    assert np.isfinite(best["effect"])
    assert best["se"] > 1
    assert 0.5 < best["low"] < best["high"] <= 1


def test_games_with_common_luck_settle_equal_parts_exactly():
    result = contributions(played(TWELVE, 50, tie=1.0), TWELVE)
    assert result.parts["effect"].to_numpy() == pytest.approx(0)
    assert (result.parts["p"] == 1).all()
    assert (result.parts["high"] - result.parts["low"]).max() < 0.01


def test_unseen_parts_and_pairs_have_no_estimate():
    contests = played(TWELVE, 60)
    without = ~(TWELVE.members == 3).any(axis=1)
    part = chosen(contests, without[contests.first] & without[contests.second])
    result = contributions(replace(part, started=part.started * 0), TWELVE)
    last = result.parts.iloc[-1]
    assert (last["part"], last["n"], last["verdict"]) == (3, 0, "not decided")
    assert np.isnan(last["effect"])
    assert result.parts["effect"].iloc[:-1].notna().all()
    assert result.pairs.loc[(result.pairs["i"] == 3) | (result.pairs["j"] == 3), "p"].isna().all()
    assert np.isnan(result.table()[~without]).all()
    assert np.isnan(result.first.estimate)
    assert result.first.n == 0


@pytest.mark.parametrize(("parts", "size"), [(6, 1), (6, 2), (8, 4)])
def test_teams_of_other_sizes(parts, size):
    team_set = teams(parts, size)
    values = effects(team_set)
    values[1] += 0.8
    result = contributions(played(team_set, 120, values), team_set)
    assert result.parts["part"].iloc[0] == 0


def test_parts_can_be_on_both_sides_if_the_game_allows_it():
    team_set = teams(disjoint=False)
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 220, (2, 3000))
    result = contributions(
        Contests(first, second, np.tile([0.0, 1.0], 1500), np.ones(3000, int), np.arange(3000) // 10), team_set
    )
    assert np.diag(result.table()) == pytest.approx(0.5)
    assert not np.isnan(result.table()).any()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: contributions(played(TWELVE, 9), TWELVE), "108 games in 9 rounds must be at least 60 in 10 for 12 parts"),
        (lambda: contributions(played(TWELVE, 20), teams(6, 2)), "invalid entry"),
        (lambda: contributions(played(TWELVE, 9), TWELVE, 1.0), "level=1"),
        (lambda: Terms(teams(60, 1)), "3601 terms, more than the 2500"),
        (lambda: Contests.of(games(game([0, 1, 2], [1, 0, 0])), np.zeros(1)), "games of 3 seats"),
    ],
)
def test_too_few_or_invalid_games_are_refused(made, message):
    with pytest.raises(ValueError, match=message):
        made()


def test_contests_of_an_experiment_are_its_games_by_round(relay_teams):
    whole = Experiment(relay_teams.name, relay_teams.load(None), 2, (PolicySpec.parse("random"),), 240)
    result, rows = Contests.from_experiment(whole), collect(whole).rows
    wanted = Contests.of(rows, np.arange(whole.games) // whole.round_games)
    assert len(result) == whole.games
    assert all(np.array_equal(getattr(result, name), column) for name, column in vars(wanted).items())
    once = Contests.from_experiment(whole, {whole: list(blocks(whole, 1))}.__getitem__)
    assert np.array_equal(once.share, result.share)


def test_contests_are_the_finished_games_with_a_winner():
    rows = games(
        game([4, 2], [1, 0]),
        game([1, 3], [0.25, 0.25], first=1),
        game([0, 5], [0, 0]),
        game([0, 5], None),
        game([6, 0], [0, 1], first=-1),
    )
    result = Contests.of(rows, np.array([7, 7, 8, 8, 9]))
    assert result.first.tolist() == [4, 1, 6]
    assert result.second.tolist() == [2, 3, 0]
    assert result.share.tolist() == [1, 0.5, 0]
    assert result.started.tolist() == [1, -1, 0]
    assert result.cluster.tolist() == [7, 7, 9]
