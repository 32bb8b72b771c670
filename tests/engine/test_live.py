"""A game in play: the same games as in a batch, decisions that are taken back, and what a seat cannot see."""

import pytest

from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.live import LiveGame
from sim.registry import game_named
from sim.run import replay
from tests.conftest import BUILT_IN

FEW = 40  # decisions
HIDDEN = [name for name in BUILT_IN if game_named(name).hidden]
QUICK = PolicySpec.parse("greedy:4")


def live_game(name, policy="random", index=0, **more):
    game = game_named(name)
    seats = 2 if 2 in game.seats else min(game.seats)
    return LiveGame(Experiment(name, game.load(None), seats, (PolicySpec.parse(policy),), index + 1, seed=11, **more), index)


def values(position):
    """The fields of a position; the bytes between them are not defined."""
    if position.dtype.names is None:
        return position.tolist()
    return {field: values(position[field]) for field in position.dtype.names}


@pytest.mark.parametrize("name", BUILT_IN)
def test_random_players_play_the_game_of_the_batch(name):
    live = live_game(name, index=1)
    batch = replay(live.experiment, 1)
    while not live.over and len(live.moves) < FEW:
        live.take(live.choice())
    played = live.replay()
    lines = len(live.moves)
    assert lines == FEW or lines == len(batch.moves) - 1
    for column in ("turn", "action", "options", "seat"):
        assert (played.moves[column][:lines] == batch.moves[column][:lines]).all()
    for position, other in zip(played.positions[: lines + 1], batch.positions, strict=False):
        assert values(position) == values(other)


def test_a_finished_game_has_the_row_and_the_outcome_of_the_batch():
    live = live_game("arena")
    while not live.over:
        live.take(live.choice())
    batch, played = replay(live.experiment, 0), live.replay()
    assert played.rows.tobytes() == batch.rows.tobytes()
    assert played.outcomes.tobytes() == batch.outcomes.tobytes()
    assert len(played.moves) == len(batch.moves)


@pytest.mark.parametrize("name", BUILT_IN)
def test_decisions_that_are_taken_back_leave_no_trace(name):
    live = live_game(name)
    first = values(live.position)
    for _ in range(FEW):
        if not live.over:
            live.take(live.options[-1])
    actions, last = [move[1] for move in live.moves], values(live.position)
    while live.moves:
        live.take_back()
    assert values(live.position) == first
    for action in actions:
        live.take(action)
    assert values(live.position) == last
    with pytest.raises(ValueError, match="no decision to take back"):
        live_game(name).take_back()


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing():
    live = live_game("arena")
    before = values(live.position)
    with pytest.raises(ValueError, match="action=-7: is not legal here; legal are"):
        live.take(-7)
    assert values(live.position) == before
    assert not live.moves


@pytest.mark.parametrize("name", HIDDEN)
def test_samples_differ_from_the_position_in_hidden_fields_only(name):
    live = live_game(name)
    while not live.over and len(live.moves) < FEW:
        live.take(live.choice())
    position = live.position
    fields = set()
    for sample in live.seen(position, live.seat, 8):
        fields |= {field for field in position.dtype.names if values(sample[field]) != values(position[field])}
    assert fields <= set(live.game.hidden)
    assert values(live.position) == values(position)


@pytest.mark.parametrize("name", BUILT_IN)
def test_advice_values_every_option_and_uses_no_dice_of_the_game(name):
    live, other = live_game(name), live_game(name)
    while len(live.options) < 2:
        live.take(live.choice())
        other.take(other.choice())
    chosen, chances = live.advice(QUICK)
    assert set(chances) == set(live.options)
    assert chosen in chances
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert list(chances.values()) == sorted(chances.values(), reverse=True)
    live.outcomes(chosen, 3)
    for _ in range(FEW):
        if not live.over:
            live.take(live.options[0])
            other.take(other.options[0])
    assert values(live.position) == values(other.position)


def test_what_is_forbidden_is_not_offered():
    abilities = tuple(
        thing for thing in game_named("arena").ablatable(game_named("arena").load(None)) if thing.startswith("hero.")
    )
    banned = live_game("arena", forbidden=abilities)
    while not banned.over and len(banned.moves) < 4 * FEW:
        banned.take(banned.choice())
    assert banned.position["attacks"].sum() == 0
    free = live_game("arena")
    while not free.over and len(free.moves) < 4 * FEW:
        free.take(free.choice())
    assert free.position["attacks"].sum() > 0
