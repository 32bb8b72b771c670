"""The skill ladder: pairs of games that differ only in the policies of the seats, scores, steps and ratings."""

import numpy as np
import pandas as pd
import pytest

from analysis.answer.numbers import rounded_up
from analysis.matchups.ratings import ratings
from analysis.questions.skill import ladder_notes
from analysis.skill.balance import Meeting
from analysis.skill.ladder import KNOWN, Score, depth, elo_span, encounters, ladder, pairings, seed_of
from sim.engine.policies import PolicySpec
from sim.run import collect
from tests.analysis.covering import assert_covers
from tests.analysis.made_rows import game as row
from tests.analysis.made_rows import games as rows_of

LOWER, HIGHER = PolicySpec.parse("random"), PolicySpec.parse("greedy:2")
THREE = ("low", "middle", "high")


def met(game, games, two=(LOWER, HIGHER), seed=3):
    return Meeting(game.name, game.load(None), 2, two, games, seed)


def wins(rate, pairs, chance):
    """A score over pairs of games. The higher level wins each game with chance `rate`; games of a pair are independent."""
    won = chance.binomial(2, rate, pairs)
    return Score(float((won == 2).sum()), float((won == 0).sum()), float(pairs), 2 * pairs, 0)


def test_a_pair_of_games_differs_only_in_the_policies_of_the_seats(dice_duel, coin_duel):
    experiment = met(dice_duel, 112)
    plan = experiment.plan(0, experiment.games)
    first, second = plan[::2], plan[1::2]
    assert (first["dice"] == second["dice"]).all()
    assert len(set(first["dice"].tolist())) == len(first)
    assert (first["entrant"] == second["entrant"]).all()
    assert (first["player"][:, :2] == [0, 1]).all()
    assert (second["player"][:, :2] == [1, 0]).all()
    with pytest.raises(ValueError, match="policies='random': two policies meet at two seats"):
        met(coin_duel, 24, (LOWER,))


def test_both_policies_play_every_entrant_on_each_seat_equally_often(dice_duel, coin_duel):
    experiment = met(dice_duel, 1)
    plan = experiment.plan(0, experiment.games)
    seated = [np.stack([plan["entrant"][:, seat], plan["player"][:, seat], np.full(len(plan), seat)]) for seat in (0, 1)]
    seen, counts = np.unique(np.concatenate(seated, axis=1), axis=1, return_counts=True)
    assert (seen.shape[1], set(counts)) == (4 * len(experiment.cards.ids), {1})
    mirror = met(coin_duel, 24)
    plan = mirror.plan(0, mirror.games)
    assert (plan["entrant"][:, 0] == plan["entrant"][:, 1]).all()
    assert set(np.bincount(plan["entrant"][:, 0])) == {mirror.games // len(mirror.cards.ids)}


def test_without_decisions_every_pair_is_split_and_all_levels_are_even(dice_duel, coin_duel):
    score = Score.of(collect(met(dice_duel, 224), jobs=1).rows)
    assert (score.up, score.down, score.weight, score.games, score.unwon) == (0, 0, 112, 224, 0)
    result = ladder(THREE, dict.fromkeys(pairings(3), score))
    assert (result.rates[["estimate", "p"]] == [0.5, 1]).all(axis=None)
    assert (result.rates["low"] < 0.5).all()
    assert result.rated is not None
    assert result.rated["elo"].abs().max() < 1e-9
    assert (result.depth.steps, result.depth.high) == (0, 0)
    ahead = Score.of(collect(met(coin_duel, 1200), jobs=1).rows)
    (line,) = ladder(("random", "greedy:2"), {(0, 1): ahead}).rates.to_dict("records")
    assert (line["low"] > 0.5, line["p"] < 0.001) == (True, True)  # looking ahead wins


def test_a_score_counts_pairs_and_leaves_out_games_without_a_winner():
    rows = rows_of(
        *(row([0, 1], [0, 1]), row([0, 1], [1, 0])),  # the higher level wins from both seats
        *(row([0, 1], [1, 0]), row([0, 1], [1, 0])),  # one each
        *(row([0, 1], [1, 0]), row([0, 1])),  # lost; truncated
        *(row([0, 1], [0.5, 0.5]), row([0, 1], [0, 1])),  # shared, lost
    )
    score = Score.of(rows)
    assert (score.up, score.down, score.weight, score.games, score.unwon) == (1, 1, 3.5, 7, 1)
    assert score.rate == 0.5


def test_the_rate_of_a_score_is_that_of_its_games():
    chance = np.random.default_rng(5)
    score = wins(0.7, 400, chance)
    (line,) = ladder(("low", "high"), {(0, 1): score}).rates.to_dict("records")
    won = 2 * score.up + (score.weight - score.up - score.down)
    assert line["estimate"] == pytest.approx(won / score.games)
    assert line["low"] < 0.7 < line["high"]


@pytest.mark.parametrize(
    ("rates", "steps", "chain"),
    [
        ({(0, 1): 0.9, (1, 2): 0.61, (0, 2): 0.95}, 2, (0, 1, 2)),
        ({(0, 1): 0.9, (1, 2): 0.59, (0, 2): 0.95}, 1, (0, 1)),
        ({(0, 1): 0.55, (1, 2): 0.55, (0, 2): 0.6}, 1, (0, 2)),  # two unclear steps make a clear one
        ({(0, 1): 0.5, (1, 2): 0.3, (0, 2): 0.2}, 0, (0,)),
    ],
)
def test_clear_steps_are_the_longest_chain_of_wins_of_60_per_cent(rates, steps, chain):
    lines = [{"lower": a, "higher": b, "estimate": r, "low": r - 0.05, "high": r + 0.05} for (a, b), r in rates.items()]
    result = depth(3, pd.DataFrame(lines))
    assert (result.steps, result.chain) == (steps, chain)
    assert result.low <= result.steps <= result.high


def test_levels_without_all_matchups_have_no_ratings():
    score = Score(30, 10, 50, 100, 0)
    assert ladder(THREE, {(0, 1): score, (1, 2): score}).rated is None
    with pytest.raises(ValueError, match="a ladder needs at least two levels"):
        ladder(("low",), {})


def test_the_dice_of_two_levels_do_not_depend_on_the_levels_above():
    few, many = ([seed_of(7, *two) for two in pairings(levels)] for levels in (3, 5))
    assert many[: len(few)] == few
    assert len(set(many)) == len(many) == 10


@pytest.mark.soak
def test_intervals_of_the_elo_points_cover_the_true_ones():
    chance, true = np.random.default_rng(11), np.array([0.0, 0.8, 1.1])
    runs, held = 300, 0
    for _ in range(runs):
        scores = {(a, b): wins(1 / (1 + np.exp(true[a] - true[b])), 100, chance) for a, b in pairings(3)}
        span = elo_span(ratings(encounters(THREE, scores)))
        held += span.low <= 400 / np.log(10) * 1.1 <= span.high
    assert_covers(held / runs, 0.91, 0.99)


def test_the_highest_level_is_rated_as_many_points_above_the_lowest_as_below_it_if_it_loses_as_often():
    above, below = (
        next(ladder_notes(ladder(("random", "greedy:4"), {(0, 1): Score(won, lost, 3000, 6000, 0)}))).rpartition("; ")[2]
        for won, lost in ((900, 600), (600, 900))
    )
    assert "Elo points above random (95" in above
    assert below == above.replace("above", "below")


def test_a_step_is_shown_only_if_it_is_known_to_two_and_a_half_points():
    """Of 60 and of 6,000 games: an interval of about 12 points either way, and of 1.2."""
    names = ("random", "greedy:4", "turn:4:4")
    scores = {(0, 1): Score(900, 300, 3000, 6000, 0), (1, 2): Score(9, 3, 30, 60, 0)}
    built = ladder(names, scores)
    assert built.neighbours["known"].tolist() == [True, False]
    row = built.neighbours.iloc[1]
    needed = int(np.ceil(60 * (row["reach"] / KNOWN) ** 2))
    left_out = f"It would take about {rounded_up(needed):,} games to know to 2.5 points: turn:4:4 against greedy:4."
    assert list(ladder_notes(built))[-1] == left_out
