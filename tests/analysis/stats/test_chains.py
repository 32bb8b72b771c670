"""Duels solved exactly: compared with fractions, closed forms and a dense solver; invalid chains are refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.markov import TURNS_MAX, compare, optimise, solve
from sim.engine.exact import UNDECIDED, Chain, Decisions, Fights
from tests.every_game.play import shortened

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
WON, LOST = ("won", 1), ("lost", 0)


def chain(edges, start=0, endings=("won", "lost")) -> Chain:
    """A chain of (situation, situation or (ending, left), chance)."""
    states = 1 + max([start, *(step for edge in edges for step in edge[:2] if isinstance(step, int))])
    ends = sorted({to for _, to, _ in edges if not isinstance(to, int)})
    return Chain(
        states=states,
        start=start,
        source=np.array([item for item, _, _ in edges], np.int32),
        target=np.array([to if isinstance(to, int) else states + ends.index(to) for _, to, _ in edges], np.int32),
        chance=np.array([float(chance) for _, _, chance in edges]),
        ending=np.array([endings.index(ending) for ending, _ in ends], np.int8),
        left=np.array([left for _, left in ends], np.int16),
        endings=endings,
    )


def fractions(edges, start=0):
    """Chance of every end and mean turns, by Gaussian elimination over fractions on the fundamental equations."""
    states = sorted({item for item, _, _ in edges})
    ends = sorted({to for _, to, _ in edges if not isinstance(to, int)})
    rows = {item: {item: Fraction(1)} for item in states}
    right = {item: dict.fromkeys([*ends, "turns"], Fraction(0)) | {"turns": Fraction(1)} for item in states}
    for item, to, chance in edges:
        if isinstance(to, int):
            rows[item][to] = rows[item].get(to, Fraction(0)) - chance
        else:
            right[item][to] += chance
    for pivot in states:
        scale = rows[pivot][pivot]
        rows[pivot] = {index: value / scale for index, value in rows[pivot].items()}
        right[pivot] = {index: value / scale for index, value in right[pivot].items()}
        for other in states:
            factor = rows[other].get(pivot, Fraction(0))
            if other != pivot and factor:
                for index, value in rows[pivot].items():
                    rows[other][index] = rows[other].get(index, Fraction(0)) - factor * value
                for index, value in right[pivot].items():
                    right[other][index] -= factor * value
    return right[start]


def agree(edges, start=0):
    """Assert that the solver and the fractions agree."""
    exact, result = fractions(edges, start), solve(chain(edges, start))
    for (ending, left), chance in ((end, chance) for end, chance in exact.items() if end != "turns"):
        number = result.endings.index(ending)
        joint = result.chance[number] * result.left[number].get(left, 0.0)
        assert joint == pytest.approx(float(chance), abs=1e-13)
    assert result.mean_turns == pytest.approx(float(exact["turns"]), rel=1e-12)
    lengths = np.arange(1, len(result.turns) + 1)
    assert result.turns.sum() + result.rest == pytest.approx(1, abs=1e-12)
    assert result.rest <= 1e-12
    assert lengths @ result.turns == pytest.approx(result.mean_turns, rel=1e-9)
    assert result.sd_turns == pytest.approx(math.sqrt(max(0.0, lengths**2 @ result.turns - result.mean_turns**2)), abs=1e-5)
    return result


def ruin(top: int, win: Fraction) -> list:
    """A gambler's ruin: situation i holds i + 1 coins and plays for one coin a turn until it has 0 or `top`."""
    edges = []
    for coins in range(1, top):
        edges.append((coins - 1, ("won", top) if coins + 1 == top else coins, win))
        edges.append((coins - 1, ("lost", 0) if coins == 1 else coins - 2, 1 - win))
    return edges


def test_a_fight_of_one_turn():
    result = agree([(0, ("won", 3), SIXTH), (0, ("won", 1), 2 * SIXTH), (0, LOST, HALF)])
    assert result.chance == pytest.approx([1 / 2, 1 / 2])
    assert result.left[0] == pytest.approx({1: 2 / 3, 3: 1 / 3})
    assert result.left[1] == {0: 1.0}
    assert result.mean_left() == pytest.approx(5 / 3)
    assert (result.mean_turns, result.sd_turns) == (1, 0)
    assert result.turns == pytest.approx([1])


def test_a_loop_on_the_spot_is_a_geometric_wait():
    result = agree([(0, 0, Fraction(2, 3)), (0, WON, Fraction(1, 3))])
    assert result.chance.tolist() == [1, 0]
    assert result.left[1] == {}
    assert math.isnan(result.mean_left(1))
    assert result.mean_turns == pytest.approx(3)
    assert result.sd_turns == pytest.approx(math.sqrt(6))
    assert result.turns[:4] == pytest.approx([(2 / 3) ** turn / 3 for turn in range(4)])


def test_a_cycle_of_three_situations():
    edges = [(0, 1, HALF), (0, WON, HALF), (1, 2, Fraction(1)), (2, 0, Fraction(3, 4)), (2, LOST, Fraction(1, 4))]
    assert agree(edges).win == pytest.approx(0.8)


def test_several_edges_between_the_same_two_add_up():
    assert agree([(0, 0, SIXTH)] * 3 + [(0, WON, SIXTH)] * 2 + [(0, LOST, SIXTH)]).win == pytest.approx(2 / 3)


@pytest.mark.parametrize("win", [HALF, Fraction(2, 5), Fraction(18, 37)])
@pytest.mark.parametrize("coins", [1, 3, 9])
def test_gamblers_ruin_has_its_closed_form(win, coins):
    top, odds = 10, (1 - win) / win
    result = agree(ruin(top, win), coins - 1)
    fair = odds == 1
    wins = Fraction(coins, top) if fair else (1 - odds**coins) / (1 - odds**top)
    turns = coins * (top - coins) if fair else (coins - top * wins) / (1 - 2 * win)
    assert result.win == pytest.approx(float(wins), rel=1e-12)
    assert result.mean_turns == pytest.approx(float(turns), rel=1e-12)


def test_unreachable_situations_do_not_matter_even_if_they_never_end():
    assert solve(chain([(0, WON, 1.0), (1, 1, 1.0), (2, 0, 1.0)])).win == 1


def test_a_duel_that_can_last_forever_is_refused():
    with pytest.raises(ValueError, match="situation 1 is reachable but leads to no end"):
        solve(chain([(0, WON, 0.5), (0, 1, 0.5), (1, 2, 1.0), (2, 1, 1.0)]))


def test_a_very_long_duel_reports_the_remaining_chance():
    result = solve(chain([(0, 0, 0.9999), (0, WON, 0.0001)]))
    assert len(result.turns) == TURNS_MAX
    assert result.rest == pytest.approx(0.9999**TURNS_MAX)
    assert result.mean_turns == pytest.approx(10_000)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, WON, 0.5), (0, LOST, 0.4)], "leaving situation 0 sum to 0.9, not to 1"),
        ([(0, 1, 1.0), (0, WON, 0.5), (1, WON, 1.0)], "leaving situation 0 sum to 1.5"),
        ([(0, 1, 1.0)], "ending empty must lie in 0..1"),
        ([(0, WON, 1.5), (0, LOST, -0.5)], "chance -0.5 must be above 0"),
        ([(-1, WON, 1.0)], "source -1..-1 must lie in"),
    ],
)
def test_invalid_chains_are_refused(edges, message):
    with pytest.raises(ValueError, match=message):
        solve(chain(edges))


@st.composite
def chains(draw) -> list:
    """Random chains with integer weights and any cycles and loops; an end is reachable from every situation."""
    states = draw(st.integers(1, 6))
    edges = []
    for item in range(states):
        out = (draw(st.sampled_from(["won", "lost"])), draw(st.integers(0, 3)))
        to = draw(st.lists(st.integers(0, states - 1), max_size=4))
        weights = draw(st.lists(st.integers(1, 9), min_size=len(to) + 1, max_size=len(to) + 1))
        edges += [(item, end, Fraction(weight, sum(weights))) for end, weight in zip([out, *to], weights, strict=True)]
    return edges


@settings(max_examples=shortened(100))
@given(chains())
@pytest.mark.slow
def test_random_chains_agree_with_fractions_and_with_a_dense_solver(edges):
    result, built = agree(edges), chain(edges)
    whole = np.zeros((built.states, built.states + built.ends))
    np.add.at(whole, (built.source, built.target), built.chance)
    ends = np.linalg.solve(np.eye(built.states) - whole[:, : built.states], whole[:, built.states :])[0]
    assert result.chance == pytest.approx(np.bincount(built.ending, ends, 2), abs=1e-12)


def fights(ending, left=None, turns=None) -> Fights:
    n = len(ending)
    lasted = np.ones(n) if turns is None else turns
    return Fights(np.array(ending, np.int8), np.array(left or [0] * n, np.int16), np.array(lasted, np.int32))


def test_agreement_is_reported_in_standard_errors():
    odds = solve(chain([(0, 0, HALF), (0, WON, Fraction(1, 4)), (0, LOST, Fraction(1, 4))]))
    result = compare(odds, fights([0] * 60 + [1] * 40, [1] * 60 + [0] * 40, [2] * 100))
    assert [item.estimate for item in result.shares] == [0.6, 0.4]
    assert result.shares[0].low < 0.6 < result.shares[0].high
    assert result.z == pytest.approx((2, -2))
    assert result.z_turns == pytest.approx(0)
    assert abs(result.z_max) == pytest.approx(2)
    assert result.p_value == pytest.approx(stats.chi2.sf(4, 1))
    assert (result.n, result.undecided) == (100, 0)


def test_agreement_includes_the_remaining_health():
    odds = solve(chain([(0, ("won", 1), HALF), (0, ("won", 2), HALF)]))
    result = compare(odds, fights([0] * 100, [1] * 100))
    assert result.z_max == 0
    assert result.p_value < 1e-20


def test_impossible_results_and_stopped_duels_are_detected():
    odds = solve(chain([(0, WON, Fraction(1))]))
    assert compare(odds, fights([0, 0], [1, 1])).z_max == 0
    lost = compare(odds, fights([0, 1], [1, 0]))
    assert (lost.z, lost.p_value) == ((-math.inf, math.inf), 0)
    stopped = compare(odds, fights([0, UNDECIDED], [1, 7]))
    assert (stopped.undecided, stopped.p_value) == (1, 0)
    assert compare(odds, fights([0], [2])).p_value == 0


def test_simulated_chains_agree_with_the_exact_odds():
    edges = ruin(6, Fraction(2, 5))
    odds, rng, n = solve(chain(edges, 2)), np.random.default_rng(5), 40_000
    coins, ending, turns = np.full(n, 3), np.full(n, UNDECIDED), np.zeros(n, int)
    while (ending == UNDECIDED).any():
        going = ending == UNDECIDED
        turns += going
        coins += np.where(going, np.where(rng.random(n) < 0.4, 1, -1), 0)
        ending[going & (coins == 6)], ending[going & (coins == 0)] = 0, 1
    result = compare(odds, fights(ending, coins.tolist(), turns))
    assert abs(result.z_max) < 4
    assert result.p_value > 1e-4


def test_fights_that_cannot_be_compared_are_refused():
    odds = solve(chain([(0, WON, Fraction(1))]))
    with pytest.raises(ValueError, match="at least one"):
        compare(odds, fights([]))
    with pytest.raises(ValueError, match=r"ending 0..2 must be 0..1"):
        compare(odds, fights([0, 2]))


# decisions


def two_ways(again: float) -> Decisions:
    """One situation. Wait: again with this chance, else won or lost by 3 to 1. Gamble: won by a coin."""
    first = [(0, 0, again), (0, 1, 0.75 * (1 - again)), (0, 2, 0.25 * (1 - again))]
    option, target, chance = map(
        np.array, zip(*[*(edge for edge in first if edge[2] > 0), (1, 1, 0.5), (1, 2, 0.5)], strict=True)
    )
    one = np.ones(1, np.int16)
    state, action, ending = np.zeros(2, np.int32), np.array([0, 1], np.int8), np.array([0, 1], np.int8)
    return Decisions(
        1, 0, state, action, option, target, chance, ending, ("won", "lost"), None, ("wait", "gamble"), 3 * one, 2 * one, 0 * one
    )


@pytest.mark.parametrize("again", [0.0, 0.5, 0.99])
def test_the_best_decision_counts_what_comes_after_a_loop(again):
    best = optimise(two_ways(again), (1, 0))
    assert best.value == pytest.approx(0.75, abs=1e-12)
    assert best.action.tolist() == [0]
    assert best.reached.tolist() == [True]
    assert optimise(two_ways(again), (0, 1)).value == pytest.approx(0.5, abs=1e-12)


def test_a_loop_without_end_is_worth_nothing_and_equal_actions_are_decided_by_their_order():
    assert optimise(two_ways(1.0), (1, 0)).action.tolist() == [1]
    assert optimise(two_ways(1.0), (0, 0)).action.tolist() == [0]


def test_values_that_do_not_settle_are_refused(monkeypatch):
    monkeypatch.setattr("analysis.stats.markov.STEPS_MAX", 1000)
    with pytest.raises(ValueError, match="have not settled after"):
        optimise(two_ways(1 - 1e-6), (1, 0))
