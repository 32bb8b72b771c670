"""Measuring luck changes no game. Luck adds up line by line, is zero on average, and is zero without chance."""

import numpy as np
import pytest

from sim import run
from sim.engine.contract import Game
from sim.engine.workspace import IMAGINED, REROLLED, ROLLED
from sim.run import blocks, evaluations, play_range, replay
from tests.every_game.play import enough, experiment, joined


def luck_of(game: Game, games: int, policy: str = "random", seats: int = 2, rerolls: int = 8):
    """The games of an experiment: rows, and luck by seat."""
    block, _ = play_range(experiment(game, games, policy, seats), 0, games, rerolls=rerolls)
    return block.rows, block.luck


def test_measuring_luck_changes_no_game(coin_duel: Game):
    made = experiment(coin_duel, enough(90, 18), "greedy:1", 3)
    measured, _ = play_range(made, 0, made.games, rerolls=4)
    assert joined([measured]) == joined(blocks(made, jobs=1))


def test_luck_does_not_depend_on_the_games_played_with_a_game(coin_duel: Game):
    made = experiment(coin_duel, enough(90, 18), "greedy:1", 3)
    together, _ = play_range(made, 0, made.games, rerolls=4)
    last, _ = play_range(made, made.games - 7, 7, rerolls=4)
    assert np.array_equal(together.luck[-7:], last.luck)


def test_the_game_luck_and_players_have_dice_of_their_own(coin_duel: Game, monkeypatch: pytest.MonkeyPatch):
    made = experiment(coin_duel, 1, "greedy:1", 3)
    bench = run.bench_of(made)
    monkeypatch.setattr(run, "bench_of", lambda _: bench)
    play_range(made, 0, 1, rerolls=4)
    assert bench.dice["role"].tolist() == [ROLLED, REROLLED, IMAGINED]


def test_luck_is_not_measured_unless_requested(coin_duel: Game):
    assert next(blocks(experiment(coin_duel, 4), jobs=1)).luck is None
    assert replay(experiment(coin_duel, 4), 0).luck is None


def test_the_luck_of_a_game_is_the_sum_over_its_deal_and_its_lines(dice_duel: Game):
    """The dice duel has no deal, so all of its luck is in the log."""
    made = experiment(dice_duel, 6)
    _, luck = luck_of(dice_duel, 6, rerolls=16)
    for index in range(6):
        log = replay(made, index, rerolls=16)
        assert log.luck is not None
        assert log.luck.shape == (len(log.moves), 4)
        assert not log.luck[-1].any()
        assert np.allclose(log.luck.sum(axis=0), luck[index])


def test_luck_explains_the_change_of_chances_from_the_first_position_to_the_end(dice_duel: Game):
    """Without decisions, the remainder comes from errors of `evaluate` only, and is small if that is calibrated."""
    made = experiment(dice_duel, enough(400, 60))
    rows, luck = luck_of(dice_duel, made.games, rerolls=16)
    first = np.array([replay(made, index).positions[0] for index in range(len(rows))], dice_duel.state)
    start = evaluations(made, first)
    moved = rows["share"][:, :2] - start
    left = (moved - luck[:, :2])[:, 0]
    assert left.var() < 0.5 * moved[:, 0].var()


@pytest.mark.parametrize("policy", ["random", "greedy:1"])
def test_luck_is_zero_on_average_for_every_policy(coin_duel: Game, policy: str):
    _, luck = luck_of(coin_duel, enough(3000, 300), policy)
    for seat in range(2):
        assert abs(luck[:, seat].mean()) < 4 * luck[:, seat].std() / len(luck) ** 0.5
    assert (luck[:, 2:] == 0).all()
    assert luck[:, :2].std() > 0.05
