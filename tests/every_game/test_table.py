"""The compiled loop and single steps from outside play the same games."""

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.loop import ROW, Status, advance, new_buffers, play_block
from sim.run import bench_for, needs_of, play_sheet, replay
from tests.every_game.play import enough, experiment, fields, shortened, spared


@pytest.mark.slow
def test_stepping_by_advance_gives_the_games_of_the_loop(game: Game):
    cards = game.load(None)
    made = experiment(game, 48, "greedy:1", game.seats[-1])
    workspace, plan = bench_for(game), made.plan(0, 48)
    for i in range(spared(game, enough(shortened(24, 4), 4))):
        log, deal_only = replay(made, i), new_buffers(plan[i : i + 1], game.state, game.outcome)
        play_block(workspace, made.evaluators, made.player_table, deal_only, 0, *needs_of(made))
        count = advance(workspace, cards.record, -1)
        for move, position in zip(log.moves[:-1], log.positions[:-1], strict=True):
            assert fields(workspace.states[0]) == fields(position)
            assert count == move["options"]
            assert move["action"] in workspace.options[:count]
            # draws of a policy have a separate purpose, so the game's draws do not depend on them
            count = advance(workspace, cards.record, move["action"])
        assert fields(workspace.states[0]) == fields(log.positions[-1])
        assert log.moves[-1]["action"] == -1
        assert count == 0 or log.rows[0]["status"] == Status.TRUNCATED


def test_a_log_that_is_too_short_keeps_its_beginning(coin_duel: Game):
    made = experiment(coin_duel, 6)
    long, lines = play_sheet(made, 0, 6, log=4000)
    short, kept = play_sheet(made, 0, 6, log=10)
    assert kept == 10 < lines
    assert short.moves.tobytes() == long.moves[:10].tobytes()
    assert short.rows.tobytes() == long.rows.tobytes()


def test_a_game_depends_on_its_line_of_the_plan_alone(coin_duel: Game):
    made = experiment(coin_duel, 90, "greedy:1")
    whole, _ = play_sheet(made, 0, 90, log=0)
    for first in (0, 41, 89):
        alone, _ = play_sheet(made, first, 1, log=0)
        assert alone.rows.tobytes() == whole.rows[first : first + 1].tobytes()


def test_rows_hold_the_entrants_and_the_first_seat(coin_duel: Game):
    made = experiment(coin_duel, 90, seats=3)
    buffers, _ = play_sheet(made, 0, 90, log=0)
    assert np.array_equal(buffers.rows["entrant"], made.plan(0, 90)["entrant"])
    assert set(buffers.rows["first"]) == {0, 1, 2}
    assert (buffers.rows["turns"] == buffers.outcomes["rounds"]).all()
    assert (buffers.rows["decisions"] > 0).all()


def test_a_row_stays_small():
    """Ten million games in memory take half a gigabyte of rows."""
    assert ROW.itemsize == 48
