"""Offering games: what is refused, and that the verbs find the kernels by the type of the state."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.cards import CardError, changed
from sim.engine.contract import STUBS, Game, Verbs, offer
from sim.engine.evaluation import weights_dtype, write_weights
from sim.engine.game import nothing_hidden
from sim.registry import GAMES, game_named, register
from sim.run import replay
from tests.every_game.play import experiment


def other_state() -> np.dtype:
    return np.dtype([("turn", np.int16), ("seats", np.int8), ("made_up", np.int8, (3,))])


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
        offer(replace(coin_duel, name="timeless", state=np.dtype([("seats", np.int8), ("made_up", np.int8)])))


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_evaluate_follows_from_the_features(coin_duel: Game):
    """Its own `evaluate` is the same model, written by hand."""
    cards, ends = coin_duel.load(None).record[0], 0
    for seats in coin_duel.seats:
        for log in (replay(experiment(coin_duel, 4, "random", seats), index) for index in range(2)):
            for state in log.positions:
                ends += contract.is_over(state)
                for seat in range(seats):
                    assert contract.by_features(state, cards, seat) == contract.evaluate(state, cards, seat)
    assert ends == 4


def test_a_game_without_evaluate_gets_the_one_of_its_features(coin_duel: Game):
    state = np.dtype([*((name, coin_duel.state[name]) for name in coin_duel.state.names), ("another", np.int8)], align=True)
    plain = replace(coin_duel, name="plain", state=state, verbs=replace(coin_duel.verbs, evaluate=None))
    assert offer(plain).verbs.evaluate is contract.by_features


@pytest.mark.parametrize(
    ("changes", "verbs", "message"),
    [
        ({"features": ()}, {"evaluate": None}, "needs a kernel evaluate, or a kernel features whose numbers"),
        ({"state": np.dtype([("turn", np.int16), ("seatless", np.int8)])}, {"evaluate": None}, "needs a field 'seats'"),
        ({}, {"resample_hidden": nothing_hidden}, r"hidden=\['turn'\] needs a kernel resample_hidden"),
        ({"features": ("x",) * 257}, {}, "257 features must be at most 256"),
    ],
)
def test_what_a_half_finished_game_lacks_is_named(coin_duel: Game, changes: dict, verbs: dict, message: str):
    half = replace(coin_duel, **{"name": "half", "state": other_state(), "hidden": ("turn",)} | changes)
    with pytest.raises(ValueError, match=message):
        offer(replace(half, verbs=replace(half.verbs, **verbs)))


def test_missing_kernels_are_named_together():
    module = ModuleType("my_game")
    module.deal = module.is_over = module.apply_action = print  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="my_game: has no current_player and no legal_actions and no returns; every game needs"):
        Verbs.of(module)


def test_repeated_ids_of_entrants_are_refused(coin_duel: Game):
    document = changed(coin_duel.load(None).document, "fighter.maul.id", "pike")
    with pytest.raises(
        CardError, match=r"fighter\[1\]\.id = \"pike\": is used more than once; every fighter needs an id of its own"
    ):
        coin_duel.from_document(document)


def test_weights_that_were_never_fitted_are_the_baseline(tmp_path: Path):
    (tmp_path / "weights.toml").write_text("[baseline.2]\nlead = 3.0\n", "utf-8")
    record = np.zeros(1, np.dtype(weights_dtype(("lead",))))
    write_weights(record[0], tmp_path, ("lead",))
    assert record["weight"][0, 1].tolist() == record["weight_baseline"][0, 1].tolist() == [3.0]
    write_weights(record[0], tmp_path / "missing", ())  # a game without features needs no file
