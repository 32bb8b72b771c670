"""Win rates with luck removed (AIVAT): unbiased, with intervals that cover, from fewer games."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.winrates.aivat import DEGREES_MIN, OWN, WINS_MIN, WON, LuckSums, luck_of, net_words, win_rates
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import ROW, Status
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from tests.analysis.covering import error
from tests.every_game.dice_duel import exact
from tests.every_game.play import experiment, shortened

RUNS, GAMES = shortened(600, 4), 200
PAIRS = [(0, 2), (4, 5)]  # a strong one, and near equals


def added(made: Experiment, *played: Block) -> LuckSums:
    """The sums of some blocks of an experiment."""
    sums = LuckSums.of(made)
    for block in played:
        sums.add(block)
    return sums


def assert_unbiased_and_covering(frames: list[pd.DataFrame], entrant: int, truth: float) -> np.ndarray:
    """The mean and the coverage of the intervals are within 3 standard errors of the truth; returns the estimates."""
    lines = pd.concat([frame[frame["entrant"] == entrant] for frame in frames])
    result = lines["estimate"].to_numpy()
    assert abs(result.mean() - truth) < 3 * result.std(ddof=1) / len(frames) ** 0.5
    assert abs(((lines["low"] <= truth) & (truth <= lines["high"])).mean() - 0.95) <= 3 * error(len(frames))
    return result


@pytest.mark.skipif(not COMPILED, reason="240,000 games")
@pytest.mark.parametrize("pair", PAIRS)
def test_it_is_unbiased_and_covers_on_a_duel_with_exact_win_rates(dice_duel: Game, pair: tuple[int, int]):
    """Many runs of 200 games each."""
    cards = dice_duel.load(None)
    truth = exact.first_seat_win(cards)[pair]
    made = replace(experiment(dice_duel, RUNS * GAMES), line_up=pair)
    sums = [added(made, block) for block in blocks(made, jobs=2, block_games=GAMES, rerolls=8)]
    result = assert_unbiased_and_covering([win_rates(one, cards.names) for one in sums], pair[0], truth)
    assert np.mean([one.gain for one in sums]) > 3
    assert result.var(ddof=1) < truth * (1 - truth) / GAMES / 3  # the reported gain is real


def test_the_weights_of_each_half_are_fitted_on_the_other_half(dice_duel: Game):
    """Otherwise results would correct themselves."""
    made = experiment(dice_duel, 400)
    sums = added(made, *blocks(made, jobs=1, rerolls=8))
    before = sums.weights.copy()
    spoiled = replace(sums, sums=sums.sums.copy())
    spoiled.sums[0, ..., OWN, WON] *= 3
    after = spoiled.weights
    assert np.array_equal(after[0], before[0])
    assert not np.array_equal(after[1], before[1])


def blocks_stopped_by_luck(games: int, rng: np.random.Generator) -> Block:
    """Two-seat games decided by luck, and truncated half as often if seat 0 was lucky."""
    luck = rng.normal(0, 0.25, games)
    won = rng.random(games) < np.clip(0.6 + luck, 0, 1)
    rows = np.zeros(games, ROW)
    rows["game"], rows["seats"], rows["entrant"][:, :2] = np.arange(games), 2, (0, 1)
    rows["status"] = np.where(rng.random(games) < np.where(luck > 0, 0.3, 0.6), Status.TRUNCATED, Status.FINISHED)
    rows["share"][:, 0], rows["share"][:, 1] = won, ~won
    return Block(0, rows, rows, np.column_stack([luck, -luck]))


def test_win_rates_are_right_if_lucky_games_finish_more_often(dice_duel: Game):
    """A control over finished games only is wrong by several points, because their mean luck is not zero."""
    rng, made = np.random.default_rng(6), replace(experiment(dice_duel, 400), line_up=(0, 1))
    many = blocks_stopped_by_luck(1_000_000, rng)
    done = many.rows["status"] == Status.FINISHED
    assert many.luck is not None
    assert abs(many.luck[done, 0].mean()) > 0.02
    frames = [win_rates(added(made, blocks_stopped_by_luck(400, rng)), made.cards.names) for _ in range(RUNS)]
    assert_unbiased_and_covering(frames, 0, float(many.rows["share"][done, 0].mean()))


def test_the_net_gain_warns_below_one():
    assert net_words(3.0, 1.5).endswith(
        "the net gain is 2, that is, plain games of the same precision would take that many times as long."
    )
    assert "the net gain is 0.955. Below 1, --aivat costs more time than it saves" in net_words(1.71, 1.79)


@pytest.mark.parametrize(("wins", "games", "known"), [(WINS_MIN - 1, 60, 0), (WINS_MIN, 60, 1), (5, DEGREES_MIN, 0)])
def test_a_rate_near_zero_or_one_or_of_few_games_has_no_interval(dice_duel: Game, wins: int, games: int, known: bool):
    """Without a win in 60 games the interval would be 0 to 0, because nothing varies."""
    made = replace(experiment(dice_duel, 400), line_up=(0, 1))
    block = blocks_stopped_by_luck(games + 6, np.random.default_rng(3))
    block.rows["status"], block.rows["share"][:, 0] = Status.FINISHED, np.arange(games + 6) < wins
    block.rows["share"][:, 1] = 1 - block.rows["share"][:, 0]
    block.rows["status"][-6:] = Status.TRUNCATED  # these do not count
    frame = win_rates(added(made, block), made.cards.names).set_index("entrant").loc[[0, 1]]
    assert frame[["estimate", "low", "high"]].notna().all(axis=None) == known
    assert frame["plain"].notna().all()
    assert frame["n"].tolist() == [games, games]


def test_games_without_luck_and_conflicting_options_are_refused(dice_duel: Game, lone_climb: Game):
    made = experiment(dice_duel, 8)
    (block,) = blocks(made, jobs=1, block_games=1000)
    with pytest.raises(ValueError, match="the block holds no luck; play its games with rerolls"):
        LuckSums.of(made).add(block)
    with pytest.raises(ValueError, match="seats=1 must be at least 2 to take luck out of win rates"):
        LuckSums.of(experiment(lone_climb, 8, seats=1))
    with pytest.raises(ValueError, match="--aivat and --paired: games of a pair already share their luck"):
        luck_of(replace(made, paired=True), until=False)
    with pytest.raises(ValueError, match="--aivat and --precision: the precision is measured on plain win"):
        luck_of(made, until=True)
