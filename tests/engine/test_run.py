"""Blocks on workers: order, interruption, collecting, replaying, processes instead of threads."""

import time
from dataclasses import replace

import numpy as np
import pytest

from sim import run
from sim.engine.contract import ablation_of, evaluate
from sim.engine.jit import interpreted, kernel
from sim.engine.loop import Status
from sim.registry import GAMES, register
from sim.run import LOG_LINES, ContractError, Pace, blocks, collect, evaluations, play_range, replay
from tests.every_game.play import enough, experiment, joined

SLOW = f"greedy:{enough(1000, 2)}"  # a policy that keeps the workers busy


@pytest.fixture
def duel(coin_duel):
    """An experiment of small games."""
    return lambda games, policy="random", **more: experiment(coin_duel, games, policy, **more)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("block_games", [1, 7, None])
def test_blocks_come_in_the_order_of_the_games(duel, jobs, block_games):
    expected = 0
    for block in blocks(duel(60), jobs, block_games):
        assert block.first == expected
        assert block.rows["game"].tolist() == list(range(expected, expected + len(block.rows)))
        assert len(block.outcomes) == len(block.rows)
        expected += len(block.rows)
        assert block_games is None or len(block.rows) <= block_games
    assert expected == 60


@pytest.mark.parametrize("wrong", [{"jobs": 0}, {"jobs": -1}, {"block_games": 0}])
def test_wrong_numbers_of_workers_and_games_are_refused(duel, wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name}={value} must be at least 1"):
        next(blocks(duel(10), **wrong))


@pytest.mark.parametrize("jobs", [1, 2])
def test_closing_early_stops_the_workers_at_once(duel, jobs):
    """Of millions of games, each worker only finishes its current one."""
    collect(duel(1), jobs=1)  # compile first
    played = blocks(duel(10_000_000, SLOW), jobs, block_games=5)
    next(played)
    began = time.perf_counter()
    played.close()
    assert time.perf_counter() - began < 2


def test_an_exception_in_the_consumer_stops_the_workers(duel):
    collect(duel(1), jobs=1)
    began = []

    def consume() -> None:
        for _ in blocks(duel(10_000_000, SLOW), 2, 5):
            began.append(time.perf_counter())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consume()
    assert time.perf_counter() - began[0] < 2


def test_a_stopped_block_leaves_the_rest_unplayed(duel):
    block, _ = play_range(duel(9), 0, 9, stop=np.ones(1, np.uint8))
    assert set(block.rows["status"]) == {Status.UNPLAYED}


def test_collect_keeps_every_row_and_reports_its_progress(duel):
    seen: list[int] = []
    results = collect(duel(90), jobs=2, watch=seen.append)
    assert results.rows["game"].tolist() == list(range(90))
    assert (results.rows["status"] == Status.FINISHED).all()
    assert seen == sorted(seen)
    assert seen[-1] == 90
    assert results.elapsed_s > 0


def test_a_replay_grows_its_log_until_the_games_fit(duel, monkeypatch):
    whole = replay(duel(30), 0, 30)
    assert len(whole.moves) < LOG_LINES
    for lines in (1, 3, len(whole.moves), len(whole.moves) + 1):
        monkeypatch.setattr(run, "LOG_LINES", lines)
        again = replay(duel(30), 0, 30)
        assert again.moves.tobytes() == whole.moves.tobytes()
        assert again.rows.tobytes() == whole.rows.tobytes()
        assert len(again.positions) == len(again.moves)


def test_each_replayed_game_ends_with_a_final_line(duel):
    log = replay(duel(12), 3, 5)
    assert log.moves["row"][log.moves["action"] == -1].tolist() == [0, 1, 2, 3, 4]
    assert log.rows["game"].tolist() == [3, 4, 5, 6, 7]


def test_a_plan_for_a_turn_is_forgotten_before_the_next_game(duel, monkeypatch):
    made = duel(2)
    bench = run.bench_of(made)
    bench.kept["length"] = 3
    monkeypatch.setattr(run, "bench_of", lambda _: bench)
    play_range(made, 0, 2)
    assert bench.kept["length"].tolist() == [0]


def uses(position: np.void, cards: np.void, action: int) -> int:
    with interpreted():
        return int(ablation_of(position, cards, action))


@pytest.mark.parametrize("policy", ["random", "greedy:1"])
def test_what_is_forbidden_to_an_entrant_its_opponent_does(duel, policy):
    made = replace(duel(30, policy), line_up=(0, 1), forbidden=("pike:rule.raise",))
    log, (cards,) = replay(made, 0, made.games), made.cards.record
    done = {
        made.cards.ids[log.rows["entrant"][move["row"], move["seat"]]]
        for move, position in zip(log.moves, log.positions, strict=True)
        if move["action"] >= 0 and uses(position, cards, move["action"]) == 1
    }
    assert done == {*made.cards.ids[:2]} - {"pike"}


def test_blocks_follow_the_pace():
    pace = Pace()
    cuts = pace.cut(100_000, None)
    assert next(cuts) == (0, run.BLOCK_MIN)
    pace.learn(games=16, seconds=0.001)
    assert next(cuts) == (16, int(16_000 * run.BLOCK_SECONDS))
    pace.learn(games=1000, seconds=0.0)
    assert next(cuts)[1] == run.BLOCK_MAX
    pace.learn(games=1, seconds=60.0)
    assert next(cuts)[1] == run.BLOCK_MIN
    assert list(Pace().cut(10, 4)) == [(0, 4), (4, 4), (8, 2)]


IN_PROCESSES = """
from joblib import parallel_config
from sim.registry import GAMES
from sim.run import blocks
from tests.every_game.play import experiment, joined
made = experiment(GAMES["arena"], 24, "greedy:1", 2)
in_threads = joined(blocks(made, jobs=1))  # first, so that the processes find everything compiled
with parallel_config(backend="loky"):
    print(joined(blocks(made, jobs=2, block_games=8)) == in_threads)
"""


@pytest.mark.slow
def test_processes_play_the_same_games_as_threads(python):
    assert python("-c", IN_PROCESSES).strip() == "True"


@pytest.mark.slow
def test_a_game_without_end_is_reported_as_a_bug_of_its_code(python):
    output = python("-m", "tests.every_game.stuck_game", NUMBA_DISABLE_JIT="1")
    assert output.strip() == (
        "Stuck: game 0 of seed 7 asks for decisions without end; this is a bug in the game's code, not in the cards; "
        "`fairfight check stuck` looks for it"
    )


@kernel
def no_actions(state, cards, out):
    return 0


def test_a_decision_without_a_legal_action_is_reported_as_a_bug_of_the_games_code(coin_duel, monkeypatch):
    fields = np.dtype([*((name, coin_duel.state[name]) for name in coin_duel.state.names), ("idle", np.int8)])
    verbs = replace(coin_duel.verbs, legal_actions=no_actions, count_options=no_actions)
    monkeypatch.setattr(GAMES, "_games", dict(GAMES._games))
    idle = register(replace(coin_duel, name="idle", title="Idle", state=fields, verbs=verbs))
    with interpreted(), pytest.raises(ContractError, match=r"^Idle: game 0 of seed \d+ has a decision without a legal action; "):
        replay(experiment(idle, 4), 0)


@pytest.mark.slow
def test_blocks_of_any_size_hold_the_same_bytes(duel):
    whole = joined(blocks(duel(enough(500, 60)), 1, 10_000))
    for size in (1, 3, 64):
        assert joined(blocks(duel(enough(500, 60)), 2, size)) == whole


def test_evaluations_are_those_of_evaluate_for_each_position(duel):
    made = duel(4)
    played = replay(made, 0, 4)
    found = evaluations(made, played.positions)
    assert found.shape == (len(played.positions), made.seats)
    with interpreted():
        one_by_one = [[evaluate(state, made.cards.record[0], seat) for seat in range(made.seats)] for state in played.positions]
    assert found == pytest.approx(np.array(one_by_one))
    assert evaluations(made, played.positions[:0]).shape == (0, made.seats)
