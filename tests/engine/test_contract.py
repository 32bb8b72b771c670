"""Offering games: what is refused, and that the verbs find the kernels by the type of the state."""

from dataclasses import replace

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.contract import STUBS, Game, Verbs, offer
from sim.registry import GAMES, game_named, register


def other_state() -> np.dtype:
    return np.dtype([("turn", np.int16), ("made_up", np.int8, (3,))])


def test_offering_a_game_twice_changes_nothing(coin_duel: Game):
    assert offer(coin_duel) is coin_duel
    assert register(coin_duel) is game_named("coin_duel")


def test_a_registered_game_is_listed_with_the_built_in_ones(coin_duel: Game):
    assert set(GAMES) >= {"arena", "coin_duel"}
    with pytest.raises(ValueError, match=r"known are arena, .*coin_duel"):
        game_named("chess")


def test_two_games_cannot_share_a_state(coin_duel: Game):
    thief = replace(coin_duel, name="thief", verbs=replace(coin_duel.verbs, deal=coin_duel.verbs.current_player))
    with pytest.raises(ValueError, match="game='thief': another game has the same state dtype"):
        offer(thief)


def test_a_state_counts_its_turns(coin_duel: Game):
    with pytest.raises(ValueError, match="needs a field 'turn'"):
        offer(replace(coin_duel, name="timeless", state=np.dtype([("made_up", np.int8)])))


def test_the_number_of_seats_is_limited(coin_duel: Game):
    with pytest.raises(ValueError, match=r"seats=\(2, 9\) must be at most 4"):
        offer(replace(coin_duel, name="crowd", state=other_state(), seats=(2, 9)))


@pytest.mark.parametrize("verb", [stub.__name__ for stub in STUBS])
def test_verbs_have_the_parameters_of_their_stubs(coin_duel: Game, verb: str):
    def wrong(cards: object, something: object) -> None:
        """Has parameters that no verb has."""

    broken = replace(coin_duel, name="broken", state=other_state(), verbs=replace(coin_duel.verbs, **{verb: wrong}))
    with pytest.raises(ValueError, match=rf"game='broken': {verb}\('cards', 'something'\) must take"):
        offer(broken)
    assert other_state() not in contract._BY_DTYPE


def test_every_verb_has_a_stub():
    assert {stub.__name__ for stub in STUBS} == set(Verbs.__dataclass_fields__)


def test_the_verbs_distinguish_states_by_their_type(coin_duel: Game):
    ends = []
    for game in (coin_duel, GAMES["arena"]):
        shares = np.ones(4)
        contract.returns(np.zeros(1, game.state)[0], shares)
        ends.append(shares.tolist())
    assert ends == [[0.0] * 4] * 2
    with pytest.raises(KeyError):
        contract.current_player(np.zeros(1, np.dtype([("turn", np.int64), ("nobodys", np.int8)]))[0])


def test_hidden_fields_must_exist():
    game = replace(GAMES["arena"], hidden=("pos", "sleeve"))
    with pytest.raises(ValueError, match=r"hidden=\['sleeve'\] are not fields of its state"):
        offer(game)
