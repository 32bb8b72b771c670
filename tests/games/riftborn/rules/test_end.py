"""RIFT-130, 131: a life at 0 ends the game at once, and so does the limit of turns."""

import numpy as np
import pytest

from sim.engine.contract import returns
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.state import SEATS, Phase
from sim.run import replay
from tests.games.riftborn.positions import A, B, Play, a, card_set, cast, table


def shares(game: Play) -> list[float]:
    """Share of the win by seat."""
    out = np.zeros(SEATS, np.float32)
    returns(game.state, out)
    return out.tolist()


@pytest.mark.parametrize(("life", "over"), [(7, False), (6, True), (1, True)])
def test_rift_130_whose_life_is_0_or_less_has_lost(life, over):
    game = table("beast_charger", a("", life=life)).attack("A0.0", "B")
    assert (game.over, game.life(B), game.winner, game.codes == []) == (over, life - 6, A if over else None, over)
    assert shares(game) == ([1.0, 0.0] if over else [0.0, 0.0])


def test_rift_130_nothing_further_resolves_in_a_spell():
    game = cast("damage_player 3 enemy; draw 1; gain_xp 100", a("", library="spark"), a("", life=3))
    assert (game.winner, game.hand(A), game.xp(A), game.pile("discard", A)) == (A, "", 50, "")


def test_rift_130_no_second_strike_no_answer_and_no_death_after_the_end():
    assert table("beast_clawcat", a("", life=3)).attack("A0.0", "B").life(B) == 0
    game = table("beast_charger [5 damage]", a("beast_cub", life=4)).attack("A0.0", "B0.0")
    assert (game.winner, game.of("A0.0", "damage"), game.who(B), game.xp(A)) == (A, 5, "beast_cub", 0)


def test_rift_47_130_an_answer_that_passes_through_may_win():
    game = table(a("beast_cub", life=1), "beast_charger").attack("A0.0", "B0.0")
    assert (game.winner, game.life(A), game.who(A)) == (B, 0, "beast_cub")


def test_rift_43_130_an_opportunity_that_passes_through_may_win():
    game = table(a("beast_cub, beast_troll / beast_boar", life=1), "beast_charger").swap("A0.0", "A1.0")
    assert (game.winner, game.life(A)) == (B, 0)


def test_rift_130_who_takes_the_own_last_life_loses():
    game = cast("damage_player 3 own", a("", life=3))
    assert (game.winner, shares(game)) == (B, [0.0, 1.0])


def test_rift_130_a_trick_may_win():
    more = "fae_imp | 1 | 1/9 | 100 | TRICK | trick damage_player 2 enemy"
    game = table(a("beast_troll", life=2), a("fae_imp", tricks="ambush"), more=more).attack("A0.0", "B0.0")
    assert (game.winner, game.of("B0.0", "damage")) == (B, 0)


def test_rift_51_130_armour_saves_a_life():
    game = table("beast_charger", a("", life=1, armour="leather_armour, leather_armour")).attack("A0.0", "B")
    assert (game.over, game.life(B), game.armour(B)) == (False, 1, "leather_armour 2")


@pytest.mark.parametrize(
    ("lives", "winner", "share"),
    [((3, 3), None, [0.5, 0.5]), ((1, 2), None, [0.5, 0.5]), ((4, 3), A, [1.0, 0.0]), ((3, 4), B, [0.0, 1.0])],
)
def test_rift_130_both_may_fall_together_only_by_damage_to_both(lives, winner, share):
    game = cast("damage_player 3 both", a("", life=lives[A]), a("", life=lives[B]))
    assert (game.over, game.winner, shares(game)) == (True, winner, share)


def test_rift_130_one_after_the_other_is_no_draw():
    game = cast("damage_player 3 enemy; damage_player 3 own", a("", life=3), a("", life=3))
    assert (game.winner, game.life(A)) == (A, 3)


def test_rift_131_after_the_last_turn_the_game_has_no_winner_and_no_further_turn_begins():
    cards = card_set({"turn_cap": 40})
    game = table("beast_cub", "", turn=38, rules={"turn_cap": 40}).end()
    assert (game.turn < GAME.turn_limit(cards), game.phase, game.xp(B)) == (True, Phase.MAIN, 300)
    game.end()
    assert (game.turn == GAME.turn_limit(cards), game.over, game.winner) == (True, False, None)
    assert (shares(game), game.xp(A)) == ([0.0, 0.0], 0)


def test_rift_131_a_capped_game_counts_for_nobody():
    """With 500 lives no player loses within 40 turns."""
    cards = card_set({"turn_cap": 40, "start_life": 500})
    game = replay(Experiment("riftborn", cards, SEATS, (PolicySpec.parse("random"),), 4, seed=1), 0)
    rows, outcomes = game.rows, game.outcomes
    assert rows["status"].tolist() == [Status.TRUNCATED]
    assert ((rows["turns"] == 40).all(), rows["share"].any()) == (True, False)
    assert (outcomes["player_turns"].tolist(), outcomes["drawn_game"].any()) == ([40], False)


def test_rift_130_131_a_life_lost_in_the_last_turn_counts():
    game = table("beast_charger", a("", life=6), turn=39, rules={"turn_cap": 40}).attack("A0.0", "B")
    assert (game.over, game.winner, game.turn) == (True, A, 39)
