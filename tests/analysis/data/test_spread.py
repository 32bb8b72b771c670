"""The spread of win rates: the jackknife against its definition, its bias, and the coverage of its intervals."""

import numpy as np
import pytest

from analysis.data.shares import Shares, length_change, spread, spread_change

ENTRANTS = 6


def duels(fate: np.ndarray, strength: np.ndarray) -> Shares:
    """Two-seat games of every pair in turn. The first seat wins if the fate (0..1) is below 0.5 plus its lead in strength."""
    number = np.arange(len(fate))
    first = number % ENTRANTS
    second = (first + 1 + (number // ENTRANTS) % (ENTRANTS - 1)) % ENTRANTS
    won = (fate < 0.5 + strength[first] - strength[second]).astype(np.float32)
    entrant, share = np.stack([first, second], 1).astype(np.int16), np.stack([won, 1 - won], 1)
    return Shares(entrant, share, np.zeros(len(fate), bool), (10 + 100 * fate).astype(np.int32))


def true_spread(strength: np.ndarray) -> float:
    rates = [
        np.mean([0.5 + item - strength[other] for other in range(ENTRANTS) if other != index])
        for index, item in enumerate(strength)
    ]
    return float(np.std(rates))


def jackknife(games: Shares) -> float:
    """Variance of the rates without the part of chance, by leaving out each game in turn. The slow reference."""

    def variance(kept: np.ndarray) -> float:
        entrant, share = games.entrant[kept].ravel(), games.share[kept].ravel().astype(float)
        return float(np.var([share[entrant == item].mean() for item in range(ENTRANTS)]))

    n = len(games.share)
    every = np.arange(n)
    return n * variance(every) - (n - 1) * float(np.mean([variance(every != out) for out in every]))


def test_the_spread_is_the_jackknifed_variance_of_the_rates():
    games = duels(np.random.default_rng(2).random(120), np.array([0.3, 0.1, 0, 0, -0.1, -0.3]))
    assert spread(games, ENTRANTS).estimate == pytest.approx(np.sqrt(jackknife(games)))


def test_chance_alone_gives_no_spread():
    """The observed spread would be 1.8 points for any number of runs; the corrected variance is zero on average."""
    rng, even = np.random.default_rng(4), np.zeros(ENTRANTS)
    squares, seen = [], []
    for _ in range(300):
        games = duels(rng.random(720), even)
        squares.append(jackknife_of(games))
        seen.append(np.var([games.share[games.entrant == item].mean() for item in range(ENTRANTS)]))
    assert np.mean(seen) > 8 * abs(np.mean(squares))
    assert abs(np.mean(squares)) < 4 * np.std(squares) / np.sqrt(300)


def jackknife_of(games: Shares) -> float:
    """The signed variance of the spread."""
    from analysis.data.shares import _variance  # noqa: PLC0415 - it can be negative, which the spread does not show

    return float(_variance(games, ENTRANTS)[0].mean())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([0.06, 0.03, 0, -0.02, -0.03, -0.04], [0.05, 0.03, 0, -0.02, -0.03, -0.04]),
        ([0.1, 0, 0, 0, 0, -0.1], [0.02, 0, 0, 0, 0, -0.02]),
        ([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
    ],
)
@pytest.mark.soak
def test_intervals_cover_the_change_of_the_spread_and_the_spread(before, after):
    rng = np.random.default_rng(5)
    first, second = np.array(before), np.array(after)
    right, change = true_spread(first), true_spread(second) - true_spread(first)
    rounds, held, of_spread, claimed = 200, 0, 0, 0
    for _ in range(rounds):
        fate = rng.random(1200)
        again = np.where(rng.random(1200) < 0.7, fate, rng.random(1200))  # three games in ten change by chance
        games = duels(fate, first)
        result, before_spread = spread_change(games, duels(again, second), ENTRANTS), spread(games, ENTRANTS)
        held += result.low <= change <= result.high
        claimed += result.p < 0.05
        of_spread += before_spread.low <= right <= before_spread.high
    assert held >= 0.92 * rounds
    assert of_spread >= 0.92 * rounds
    if change == 0:
        assert claimed <= 0.08 * rounds


def test_interval_and_test_of_a_change_agree():
    rng = np.random.default_rng(6)
    for lead in (0.0, 0.05, 0.2):
        fate = rng.random(600)
        result = spread_change(duels(fate, np.zeros(6)), duels(fate, np.array([lead, 0, 0, 0, 0, -lead])), ENTRANTS)
        assert (result.low > 0 or result.high < 0) == (result.p < 0.05)
        assert result.low <= result.change <= result.high


def test_before_and_change_add_up_to_after_if_one_spread_is_all_chance():
    """The first seat always wins, so all win exactly half of their games: the corrected variance is negative."""
    games = duels(np.full(600, 0.2), np.zeros(ENTRANTS))
    assert jackknife_of(games) < 0
    other = duels(np.random.default_rng(3).random(600), np.array([0.2, 0, 0, 0, 0, -0.2]))
    result = spread_change(games, other, ENTRANTS)
    assert result.before == 0
    assert result.after == spread(other, ENTRANTS).estimate > 0.05
    assert result.change == result.after
    assert result.low <= result.change <= result.high
    back = spread_change(other, games, ENTRANTS)
    assert (back.before, back.after, back.change) == (result.after, 0, -result.change)


def test_no_spread_before_and_after_is_no_change():
    games = duels(np.full(600, 0.2), np.zeros(ENTRANTS))
    other = duels(np.full(600, 0.8), np.zeros(ENTRANTS))
    result = spread_change(games, other, ENTRANTS)
    assert (result.before, result.after, result.change, result.p) == (0, 0, 0, 1)
    assert result.low <= 0 <= result.high


def test_the_same_games_have_the_same_spread_for_certain():
    games = duels(np.random.default_rng(7).random(300), np.array([0.2, 0, 0, 0, 0, -0.2]))
    result = spread_change(games, games, ENTRANTS)
    assert (result.change, result.low, result.high, result.p) == (0, 0, 0, 1)
    assert result.before == result.after == spread(games, ENTRANTS).estimate


def test_truncated_games_and_entrants_without_games_are_left_out():
    games = duels(np.random.default_rng(8).random(300), np.array([0.2, 0, 0, 0, 0, -0.2]))
    none = Shares(games.entrant, np.zeros_like(games.share), np.ones(300, bool), games.turns)
    assert np.isnan(spread(none, ENTRANTS).estimate)
    assert np.isnan(spread_change(games, none, ENTRANTS).change)
    over = np.arange(300) < 200
    some = Shares(games.entrant, games.share * over[:, None], ~over, games.turns)
    kept = Shares(games.entrant[over], games.share[over], np.zeros(200, bool), games.turns[over])
    assert spread(some, ENTRANTS).estimate == pytest.approx(spread(kept, ENTRANTS).estimate, abs=2e-3)
    assert spread(games, ENTRANTS + 3).estimate == spread(games, ENTRANTS).estimate


def test_a_spread_needs_two_entrants():
    games = Shares(np.zeros((5, 1), np.int16), np.ones((5, 1), np.float32), np.zeros(5, bool), np.ones(5, np.int32))
    with pytest.raises(ValueError, match="1 of 3 entrants have 2 games or more"):
        spread(games, 3)


def test_lengths_are_compared_as_pairs():
    games = duels(np.random.default_rng(9).random(300), np.zeros(6))
    longer = Shares(games.entrant, games.share, games.truncated, games.turns + np.arange(300) % 3)
    result = length_change(games, longer)
    assert result.change == pytest.approx(1)
    assert result.before == games.turns.mean()
    assert result.gain > 100
