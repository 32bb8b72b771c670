"""Games of every game: legal, ended, the same again in any order and process; and the policies that play them."""

from collections.abc import Callable
from dataclasses import replace as with_changes
from functools import cache

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import DECISIONS_PER_TURN, ROW, Status
from sim.engine.policies import Policy, PolicySpec
from sim.registry import GAMES
from sim.run import blocks, collect, replay
from tests.conftest import BUILT_IN, FORCED, TINY, in_soak
from tests.every_game.play import WHOLE, digests, enough, experiment, joined, options, shortened, spared
from tests.fixtures import TURNS_UNCOMPILED

pytestmark = pytest.mark.slow

POLICIES = ["random", "greedy:1", "greedy:4", "mixed"]


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
                assert move["seat"] == contract.current_player(position)
                assert 0 <= move["seat"] < seats
                assert not contract.is_over(position)


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


@pytest.mark.parametrize("policy", ["random", "greedy:1"])
def test_same_bytes_for_any_workers_and_block_size(any_game: Game, policy: str):
    for seats in any_game.seats:
        thinks_long = policy != "random" and any_game.report_games
        made = experiment(any_game, spared(any_game, enough(shortened(100 if thinks_long else 200, 4), 12)), policy, seats)
        expected = joined(blocks(made, jobs=1, block_games=10_000))
        for jobs, block_games in ((2, 7), (1, 1), (1, 7), (2, 1), (2, 10_000), (2, None))[: enough(6, 1)]:
            assert joined(blocks(made, jobs, block_games)) == expected, (seats, jobs, block_games)


PLAYED_AGAIN = [f"{name} 2 greedy:2 {shortened(24, 3)} {enough(400, TURNS_UNCOMPILED)}" for name in (*BUILT_IN, *TINY, *FORCED)]


def without_compiler(name: str) -> list[str]:
    """Few games of a game, cut short: without the compiler one game can take minutes."""
    thinks_long = name in GAMES and GAMES[name].report_games
    (chance, greedy), turns = ((6, 3), 80) if thinks_long else ((24, 24), 200)
    return [
        f"{name} ends random {max(1, shortened(chance, 12))} {shortened(10_000, 50)}",
        f"{name} ends greedy:1 {max(1, shortened(greedy, 12))} {shortened(turns, 8)}",
    ]


UNCOMPILED = [asked for name in (*BUILT_IN, *TINY, *FORCED) for asked in without_compiler(name)]
TO_THE_END = tuple(f"{name} ends random" for name in BUILT_IN)  # seconds for a game, without the compiler


Played = Callable[[str], list[str]]


def in_one_process(python, asked: list[str], **environment: str) -> Played:
    """Digests of games that another process plays: one for each built-in game, because its start takes longer than most games."""

    @cache
    def together(game: str) -> dict[str, list[str]]:
        wanted = [words for words in asked if company(words) == game]
        shown = python("-m", "tests.every_game.play", *wanted, timeout_s=3600, **environment)
        return dict(zip(wanted, (line.split() for line in shown.splitlines()), strict=True))

    return lambda words: together(company(words))[words]


def company(words: str) -> str:
    """With what a process plays these games: the name of a built-in game, empty for all tiny games."""
    name = words.split(maxsplit=1)[0]
    return name if name in BUILT_IN else ""


@pytest.fixture(scope="module")
def played_again(python) -> Played:
    """Digests of games of `PLAYED_AGAIN`."""
    return in_one_process(python, PLAYED_AGAIN)


@pytest.fixture(scope="module")
def uncompiled(python) -> Played:
    """Digests of games of `UNCOMPILED` as plain Python."""
    return in_one_process(python, UNCOMPILED, NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize("asked", PLAYED_AGAIN)
@pytest.mark.usefixtures(*TINY, *FORCED)
def test_same_bytes_in_a_second_process(played_again: Played, asked: str):
    assert played_again(asked) == digests(asked)


@pytest.mark.parametrize("asked", [in_soak(asked) if asked.startswith(TO_THE_END) else asked for asked in UNCOMPILED])
@pytest.mark.usefixtures(*TINY, *FORCED)
def test_same_bytes_without_the_compiler(uncompiled: Played, asked: str):
    assert uncompiled(asked) == digests(asked)


def test_games_of_a_range_equal_those_of_the_whole_experiment(any_game: Game):
    batch = collect(experiment(any_game, enough(120, 24), "greedy:1"), jobs=1)
    fewer = collect(experiment(any_game, 1, "greedy:1"), jobs=1)
    again = replay(batch.experiment, 13, 9)
    assert again.rows.tobytes() == batch.rows[13:22].tobytes()
    assert again.outcomes.tobytes() == batch.outcomes[13:22].tobytes()
    assert fewer.rows.tobytes() == batch.rows[: len(fewer.rows)].tobytes()


def test_another_seed_gives_other_games(any_game: Game):
    assert (
        collect(experiment(any_game, 40, seed=1), 1).rows.tobytes() != collect(experiment(any_game, 40, seed=2), 1).rows.tobytes()
    )


@pytest.mark.parametrize("policy", POLICIES)
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


def test_greedy_beats_random(game: Game):
    """On both seats, so that the seat favours neither, in games with a winner; four standard errors above even."""
    if not COMPILED and game.report_games:
        pytest.skip("without the compiler its games are cut before a seat can win")
    games = spared(game, enough(400, 40))
    ahead = collect(experiment(game, games, "greedy:2,random", 2), jobs=2).rows["share"]
    behind = collect(experiment(game, games, "random,greedy:2", 2), jobs=2).rows["share"]
    shares = np.concatenate([ahead[ahead.any(axis=1), 0], behind[behind.any(axis=1), 1]]).astype(float)
    assert len(shares) >= games / 40
    assert shares.mean() - 4 * shares.std(ddof=1) / np.sqrt(len(shares)) > enough(50, 40) / 100
