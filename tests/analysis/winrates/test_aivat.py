"""Win rates with luck removed (AIVAT): unbiased, with intervals that cover, from fewer games."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.winrates.aivat import DEGREES_MIN, OWN, WINS_MIN, WON, LuckSums, luck_of, net_words, win_rates
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import ROW, Status
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks
from tests.every_game.dice_duel import exact
from tests.every_game.play import experiment

RUNS, GAMES = 600, 200
PAIRS = [(0, 2), (4, 5)]  # a strong one, and near equals


def counted(made: Experiment, rerolls: int = 8) -> LuckSums:
    """The sums of an experiment."""
    sums = LuckSums.of(made)
    for block in blocks(made, jobs=1, block_games=100_000, rerolls=rerolls):
        sums.add(block)
    return sums


@pytest.mark.skipif(not COMPILED, reason="240,000 games")
@pytest.mark.parametrize("pair", PAIRS)
def test_it_is_unbiased_and_covers_on_a_duel_with_exact_win_rates(dice_duel: Game, pair: tuple[int, int]):
    """600 runs of 200 games each: the mean within 3 standard errors, 93 to 97 of 100 intervals contain the truth."""
    cards = dice_duel.load(None)
    truth = exact.first_seat_win(cards)[pair]
    made = replace(experiment(dice_duel, RUNS * GAMES), line_up=pair)
    result, held, gains = np.zeros(RUNS), 0, []
    for run, block in enumerate(blocks(made, jobs=2, block_games=GAMES, rerolls=8)):
        sums = LuckSums.of(made)
        sums.add(block)
        frame = win_rates(sums, cards.names)
        line = frame[frame["entrant"] == pair[0]].iloc[0]
        result[run], gains = line["estimate"], [*gains, sums.gain]
        held += line["low"] <= truth <= line["high"]
    assert abs(result.mean() - truth) < 3 * result.std(ddof=1) / RUNS**0.5
    assert 0.93 <= held / RUNS <= 0.97
    assert np.mean(gains) > 3
    assert result.var(ddof=1) < truth * (1 - truth) / GAMES / 3  # the reported gain is real


def test_the_weights_of_each_half_are_fitted_on_the_other_half(dice_duel: Game):
    """Otherwise results would correct themselves."""
    sums = counted(experiment(dice_duel, 400))
    before = sums.weights.copy()
    spoiled = replace(sums, sums=sums.sums.copy())
    spoiled.sums[0, ..., OWN, WON] *= 3
    after = spoiled.weights
    assert np.array_equal(after[0], before[0])
    assert not np.array_equal(after[1], before[1])


def test_truncated_games_do_not_count(dice_duel: Game):
    made = experiment(dice_duel, 56)
    (block,) = blocks(made, jobs=1, block_games=1000, rerolls=2)
    block.rows["status"][:6] = Status.TRUNCATED
    sums = LuckSums.of(made)
    sums.add(block)
    assert win_rates(sums, made.cards.names)["n"].sum() == 2 * 50


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
    truth = float(many.rows["share"][done, 0].mean())
    assert many.luck is not None
    assert abs(many.luck[done, 0].mean()) > 0.02
    result, held = np.zeros(RUNS), 0
    for run in range(RUNS):
        sums = LuckSums.of(made)
        sums.add(blocks_stopped_by_luck(400, rng))
        line = win_rates(sums, made.cards.names).set_index("entrant").loc[0]
        result[run] = line["estimate"]
        held += line["low"] <= truth <= line["high"]
    assert abs(result.mean() - truth) < 3 * result.std(ddof=1) / RUNS**0.5
    assert 0.93 <= held / RUNS <= 0.97


def test_the_net_gain_warns_below_one():
    assert net_words(3.0, 1.5).endswith(
        "the net gain is 2, that is, plain games of the same precision would take that many times as long."
    )
    assert "the net gain is 0.955. Below 1, --aivat costs more time than it saves" in net_words(1.71, 1.79)


def test_few_games_give_no_interval_but_a_note(dice_duel: Game):
    made = replace(experiment(dice_duel, DEGREES_MIN), line_up=(0, 1))
    frame = win_rates(counted(made), made.cards.names)
    assert frame[["estimate", "low", "high", "gain"]].isna().all(axis=None)
    assert frame["plain"].notna().sum() == 2


@pytest.mark.parametrize(("wins", "known"), [(WINS_MIN - 1, False), (WINS_MIN, True)])
def test_a_rate_near_zero_or_one_has_no_interval(dice_duel: Game, wins: int, known: bool):
    """Without a win in 60 games the interval would be 0 to 0, because nothing varies."""
    made = replace(experiment(dice_duel, 400), line_up=(0, 1))
    block = blocks_stopped_by_luck(60, np.random.default_rng(3))
    block.rows["status"], block.rows["share"][:, 0] = Status.FINISHED, np.arange(60) < wins
    block.rows["share"][:, 1] = 1 - block.rows["share"][:, 0]
    sums = LuckSums.of(made)
    sums.add(block)
    frame = win_rates(sums, made.cards.names).set_index("entrant").loc[[0, 1]]
    assert frame[["estimate", "low", "high"]].notna().all(axis=None) == known
    assert frame["plain"].notna().all()


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
