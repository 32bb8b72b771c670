"""Games of every game: legal, ended, the same again in any order and process; and the policies that play them."""

from dataclasses import replace as with_changes

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import DECISIONS_PER_TURN, ROW, Status
from sim.engine.policies import Policy, PolicySpec
from sim.registry import GAMES
from sim.run import blocks, collect, replay
from tests.conftest import BUILT_IN, FORCED, SLOW, TINY, in_soak
from tests.every_game.play import (
    WHOLE,
    chance_of,
    digests,
    enough,
    experiment,
    is_over,
    joined,
    options,
    seat_at,
    shortened,
    spared,
    visited,
)

pytestmark = pytest.mark.slow

POLICIES = ["random", "greedy:1", "greedy:4", "mixed"]
DECIDING = (*BUILT_IN, *TINY)  # games in which seats decide
EVERY_GAME = (*DECIDING, *FORCED)


def policy_for(name: str, seats: int) -> str:
    """`mixed`: policies that differ from seat to seat."""
    return ",".join(["greedy:2", "random", "greedy:1", "random"][:seats]) if name == "mixed" else name


def test_random_play_is_legal_and_ends(any_game: Game):
    cards = any_game.load(None)
    for seats in any_game.seats:
        for index in range(8):
            log = replay(experiment(any_game, 32, "random", seats), index)
            assert log.rows["status"][0] in {Status.FINISHED, Status.TRUNCATED}
            assert (log.moves["action"] == -1).sum() == 1
            for move, position in list(zip(log.moves, log.positions, strict=True))[: -1 : enough(1 if WHOLE else 7, 10)]:
                open_now = options(any_game, position, cards.record)
                assert move["action"] in open_now
                assert move["options"] == len(open_now) == len(set(open_now))
                assert move["seat"] == seat_at(position)
                assert 0 <= move["seat"] < seats
                assert not is_over(position)


def test_rows_have_room_for_the_longest_game_and_every_entrant(any_game: Game):
    cards = any_game.load(None)
    turns = any_game.turn_limit(cards)
    most = {"turns": turns, "decisions": turns * DECISIONS_PER_TURN, "entrant": len(cards.ids)}
    assert [name for name, number in most.items() if np.iinfo(ROW[name].base).max < number] == []


def test_a_game_at_the_turn_limit_is_truncated_and_has_no_winner(any_game: Game, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(GAMES, any_game.name, with_changes(any_game, turn_limit=lambda _: 2))
    rows = collect(experiment(any_game, 40), jobs=1).rows
    truncated = rows[rows["status"] == Status.TRUNCATED]
    assert len(truncated) > len(rows) / 2
    assert (truncated["turns"] == 2).all()
    assert (truncated["share"] == 0).all()


@pytest.mark.parametrize(
    ("any_game", "policy"),
    [*((name, "random") for name in EVERY_GAME), *((name, "greedy:1") for name in DECIDING)],
    indirect=["any_game"],
)
def test_same_bytes_for_any_workers_and_block_size(any_game: Game, policy: str):
    for seats in any_game.seats:
        thinks_long = policy != "random" and any_game.name in SLOW
        made = experiment(any_game, spared(any_game, enough(shortened(100 if thinks_long else 200, 4), 12)), policy, seats)
        expected = joined(blocks(made, jobs=1, block_games=10_000))
        for jobs, block_games in ((2, 7), (1, 1), (2, None), (1, 7), (2, 1), (2, 10_000))[: enough(6 if WHOLE else 3, 1)]:
            assert joined(blocks(made, jobs, block_games)) == expected, (seats, jobs, block_games)


def cut_short(name: str) -> list[str]:
    """Few games of a game, stopped early: without the compiler one game can take minutes."""
    thinks_long = name in SLOW
    turns = 40 if thinks_long else 100
    random = f"{name} most random 1 {turns}"
    return [random] if name in FORCED else [random, f"{name} most greedy:1 1 {turns // 25}"]


@pytest.mark.usefixtures(*TINY, *FORCED)
@pytest.mark.parametrize(
    "games",
    [
        [asked for name in EVERY_GAME for asked in cut_short(name)],
        in_soak([f"{name} ends {policy} 6 10000" for name in EVERY_GAME for policy in ("random", "greedy:1")]),
    ],
    ids=["cut short", "to the end"],
)
def test_same_bytes_without_the_compiler_in_another_process(python, games: list[str]):
    played = python("-m", "tests.every_game.play", *games, timeout_s=3 * 3600, NUMBA_DISABLE_JIT="1")
    plain = [line.split() for line in played.splitlines()]
    assert dict(zip(games, plain, strict=True)) == {asked: digests(asked) for asked in games}


def test_games_of_a_range_equal_those_of_the_whole_experiment(any_game: Game):
    batch = collect(experiment(any_game, enough(120, 24)), jobs=1)
    fewer = collect(experiment(any_game, 1), jobs=1)
    again = replay(batch.experiment, 13, 9)
    assert again.rows.tobytes() == batch.rows[13:22].tobytes()
    assert again.outcomes.tobytes() == batch.outcomes[13:22].tobytes()
    assert fewer.rows.tobytes() == batch.rows[: len(fewer.rows)].tobytes()


def test_another_seed_gives_other_games(any_game: Game):
    assert (
        collect(experiment(any_game, 40, seed=1), 1).rows.tobytes() != collect(experiment(any_game, 40, seed=2), 1).rows.tobytes()
    )


@pytest.mark.parametrize("policy", ["greedy:1", "mixed"])
def test_replay_equals_batch(game: Game, policy: str):
    for seats in game.seats:
        made = experiment(game, enough(spared(game, 60), 8), policy_for(policy, seats), seats)
        batch = collect(made, jobs=2)
        for first in (0, 5):
            log = replay(made, first)
            assert log.rows.tobytes() == batch.rows[first : first + 1].tobytes()
            assert log.outcomes.tobytes() == batch.outcomes[first : first + 1].tobytes()
            assert (log.moves["options"] > 1).sum() == batch.rows[first]["decisions"]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_is_dispatched_and_repeats(game: Game, policy: str):
    made = experiment(game, 12, policy_for(policy, game.seats[0]))
    first, second = replay(made, 0, 6), replay(made, 0, 6)
    assert first.moves.tobytes() == second.moves.tobytes()
    assert set(first.rows["status"]) <= {Status.FINISHED, Status.TRUNCATED}
    if policy != "random":
        chance = replay(experiment(game, 12, "random"), 0, 6)
        assert chance.moves.tobytes() != first.moves.tobytes()


def test_every_policy_can_be_named():
    assert {PolicySpec.parse(policy.name.lower()).policy for policy in Policy} == set(Policy)


def shares_against(game: Game, games: int, policy: str, opponent: str) -> np.ndarray:
    """Shares of a policy in games with a winner, with the policy in either seat."""
    ahead = collect(experiment(game, games, f"{policy},{opponent}", 2), jobs=2).rows["share"]
    behind = collect(experiment(game, games, f"{opponent},{policy}", 2), jobs=2).rows["share"]
    return np.concatenate([ahead[ahead.any(axis=1), 0], behind[behind.any(axis=1), 1]]).astype(float)


def test_greedy_beats_random(game: Game):
    """On both seats, so that the seat favours neither, in games with a winner; four standard errors above even."""
    if not COMPILED and game.name in SLOW:
        pytest.skip("without the compiler its games are cut before a seat can win")
    games = spared(game, enough(400, 40))
    shares = shares_against(game, games, "greedy:2", "random")
    assert len(shares) >= games / 40
    assert shares.mean() - 4 * shares.std(ddof=1) / np.sqrt(len(shares)) > enough(50, 40) / 100


# ---- ends and facts -------------------------------------------------------------------------------------------------


def test_shares_sum_to_one_or_zero_in_finished_games(any_game: Game):
    ended = 0
    for seats in any_game.seats:
        rows = collect(experiment(any_game, enough(300, 12), "random", seats), jobs=2).rows
        finished = rows["status"] == Status.FINISHED
        ended += finished.sum()
        assert set(rows["share"][finished].sum(axis=1)) <= {0, 1}  # 0: no winner
        assert (rows["share"][~finished] == 0).all()
        assert (rows["share"][:, seats:] == 0).all()
    assert ended or (not COMPILED and any_game.name in SLOW)  # those are cut before a seat can win


def test_evaluate_is_a_chance_and_exact_at_the_end(any_game: Game):
    cards = any_game.load(None)
    for seats in any_game.seats:
        for state, _ in visited(any_game, seats):
            for seat in range(seats):
                assert 0 <= chance_of(state, cards.record, seat) <= 1
        for index in range(spared(any_game, 12)):
            log = replay(experiment(any_game, 32, "random", seats), index)
            if log.rows["status"][0] == Status.FINISHED:
                values = [chance_of(log.positions[-1], cards.record, seat) for seat in range(seats)]
                assert np.float32(values).tolist() == log.rows["share"][0, :seats].tolist()


def test_categories_cover_what_is_written(any_game: Game):
    outcomes = collect(experiment(any_game, enough(300, 20), "random", any_game.seats[-1]), jobs=2).outcomes
    for measure in any_game.measures_for(any_game.load(None)):
        if measure.kind == "category":
            assert -1 <= outcomes[measure.field].min() <= outcomes[measure.field].max() < len(measure.categories)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "policy", "games"),
    [
        *(("riftborn", "turn:4:2", 60), ("runeslingers", "turn:4:2", 60)),
        *(("rookling", "turn:16:2", 300), ("arena", "turn:4:8:1", 400)),
    ],
)
def test_planning_beats_looking_one_decision_ahead(name: str, policy: str, games: int):
    """In both seats, by three standard errors."""
    game = GAMES[name]
    shares = shares_against(game, games, policy, "greedy:4")
    assert shares.mean() > 0.5 + 3 * shares.std(ddof=1) / np.sqrt(len(shares)), shares.mean()


def test_coin_duel_shares_a_win(coin_duel: Game):
    """Tied seats share the win: the contract returns shares, not winners."""
    rows = collect(experiment(coin_duel, 2000, "random", 2), jobs=1).rows
    assert set(rows["share"][rows["status"] == 1].ravel().tolist()) == {0.0, 0.5, 1.0}
    assert (rows["share"][rows["status"] == 1].sum(axis=1) == 1).all()
