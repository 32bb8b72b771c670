"""RIFT-10 to 17 on the kernels: the steps of a turn, Moves and Actions, what is decided in the opponent's turn."""

import pytest

from sim.games.riftborn.rules.turn import start_turn
from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, table

HASTY = "hasty_shifter | 1 | 1/3 | 100 | HASTE, TRANSFORM | transform tok_dire_beast"


# ---- start, main and end step ---------------------------------------------------------------------------------------


def test_rift_10_players_alternate():
    game = table("beast_cub", "beast_cub")
    seen = [(game.end().active, game.turn) for _ in range(4)]
    assert seen == [(B, 5), (A, 6), (B, 7), (A, 8)]


@pytest.mark.parametrize(("xp", "cards"), [(300, 1), (0, 0), (1000, 3)])
def test_rift_11_the_start_step_brings_300_experience_and_a_card(xp, cards):
    other = a(library="spark, wither, recall, awaken", xp=100)
    game = table("", other, rules={"turn_xp": xp, "turn_draw": cards}).end()
    assert (game.xp(B), game.xp(A)) == (100 + xp, 0)
    assert game.hand(B) == ", ".join(["spark", "wither", "recall"][:cards])


def test_rift_11_the_start_step_makes_moves_actions_weapon_uses_and_the_budget_fresh():
    weapon = [{"card": "longbow", "uses": 2, "used": True}]
    other = a("soldier_scout [acted, 2 swaps], beast_cub [entered]", hand="beast_cub", weapons=weapon, used_levels=1)
    game = table("soldier_guard", other).end()
    assert game.options == ["end", "play beast_cub", "use B0.0", "use B0.1", "wield longbow"]
    assert (game.can("B0.0"), game.can("B0.1")) == (["B0.1", "A0.0"], ["B0.0", "A0.0"])


def test_rift_11_the_start_step_counts_decisions_anew():
    game = table("soldier_guard", a("soldier_scout, beast_cub"))
    game.state["done_this_turn"] = 7
    assert game.end().state["done_this_turn"] == 0


def test_rift_11_the_start_step_ends_with_a_death_check():
    game = table("beast_cub", "beast_boar / beast_hawk")
    game.state["damage"][game.creature("B0.0")] = 5
    game.state["active"] = B
    start_turn(game.state, game.record, game.workspace.dice[0])
    assert (game.who(B), game.pile("discard", B)) == ("beast_hawk", "beast_boar")


def test_rift_12_cards_moves_actions_and_weapons_come_in_any_order_until_the_end():
    game = table("soldier_guard, soldier_scout", "undead_giant", hand="spark, beast_cub", weapons="longbow", xp=500)
    game.wield("longbow").swap("A0.1", "A0.0").play("spark", "B0.0").attack("A0.1", "B0.0")
    game.play("beast_cub", "1.0").swap("A0.0", "A0.1")
    assert (game.who(A), game.of("B0.0", "damage")) == ("soldier_guard, soldier_scout / beast_cub", 3 + 2 + 2)
    assert game.options == ["end", "use A0.0", "use A0.1", "use A1.0"]
    assert game.end().active == B


def test_rift_12_the_turn_may_always_be_ended():
    game = table("beast_cub", "beast_troll", hand="spark", weapons="short_sword")
    assert game.codes[0] == 0
    game.play("spark", "A0.0")
    assert game.options[0] == "end"


def test_rift_12_a_card_that_is_twice_in_hand_is_one_choice():
    assert table(hand="spark, recall, spark, wither").codes == [0, 1, 2]


# ---- Moves and Actions ----------------------------------------------------------------------------------------------


def test_rift_13_one_move_and_one_action_in_either_order():
    game = table("soldier_guard, soldier_shieldbearer", "beast_troll")
    first = game.fork().swap("A0.0", "A0.1")
    assert first.can("A0.1") == ["B0.0"]
    assert first.attack("A0.1", "B0.0").can("A0.1") == []
    second = game.attack("A0.0", "B0.0")
    assert second.can("A0.0") == ["A0.1"]
    assert second.swap("A0.0", "A0.1").can("A0.1") == []


def test_rift_13_what_is_not_used_is_not_saved_up():
    game = table("soldier_guard, soldier_shieldbearer", "beast_troll").end().end()
    game.swap("A0.0", "A0.1").attack("A0.1", "B0.0")
    assert game.can("A0.1") == []


def test_rift_13_only_creatures_of_the_active_player_have_them():
    game = table("soldier_guard, soldier_archer", "beast_troll, beast_cub")
    assert game.options == ["end", "use A0.0", "use A0.1"]
    assert game.end().options == ["end", "use B0.0", "use B0.1"]


@pytest.mark.parametrize(("card", "uses"), [("beast_cub", ["A0.1"]), ("beast_runner", ["A0.1", "B0.0"])])
def test_rift_14_who_was_played_this_turn_may_move_and_has_an_action_only_with_haste(card, uses):
    game = table("soldier_guard", "beast_troll", hand=card, xp=500).play(card, "0.0")
    assert game.can("A0.0") == uses


def test_rift_14_a_transform_token_has_no_action_but_the_swaps_that_are_left():
    game = table("beast_cub", "beast_troll", hand="hasty_shifter", more=HASTY).play("hasty_shifter", "0.0")
    game.act("A0.0", "transform")
    assert (game.who(A), game.can("A0.0")) == ("tok_dire_beast, beast_cub", ["A0.1"])


@pytest.mark.parametrize(
    ("creature", "action", "more"),
    [
        *[("fae_charmer", "charm", []), ("soldier_drummer", "morale", []), ("fae_peacekeeper", "pacify", [])],
        *[("soldier_crossbow", "ready", []), ("undead_plaguebearer", "spell", []), ("beast_shifter", "transform", [])],
        *[("soldier_medic", "heal", ["A"]), ("undead_gravecaller", "summon", ["0.1"])],
    ],
)
def test_rift_15_an_alternative_action_takes_the_place_of_the_attack_and_is_not_answered(creature, action, more):
    game = table(creature, "soldier_knight")
    assert action in game.can("A0.0")
    game.act("A0.0", action, *more)
    assert (game.of("A0.0", "acted"), game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (1, 0, 0)
    assert not {"B0.0", action} & {*game.can("A0.0")}


@pytest.mark.parametrize("action", ["ready", "B0.0"])
def test_rift_15_any_action_turns_a_creature_face_up_first(action):
    game = table("soldier_crossbow [face down]", "beast_troll").act("A0.0", action)
    assert game.of("A0.0", "face_down") == 0


def test_rift_15_a_move_does_not_turn_it_up():
    game = table("soldier_crossbow [face down], beast_cub").swap("A0.0", "A0.1")
    assert game.of("A0.1", "face_down") == 1


def test_rift_15_double_attack_is_no_second_action():
    ready = {"card.beast_clawcat.keywords": ["DOUBLE ATTACK", "READY(1)"]}
    game = table("beast_clawcat", "undead_sleeper", changes=ready).attack("A0.0", "B0.0")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "acted"), game.can("A0.0")) == (6, 1, [])


# ---- the end of a turn ----------------------------------------------------------------------------------------------


def test_rift_16_charm_and_pacify_that_were_active_end_and_those_that_wait_go_on_waiting():
    own = "beast_cub [charmed], beast_cub [pacified], beast_boar [charmed, charm waits], beast_boar [pacify waits]"
    game = table(own, "soldier_guard").end()
    assert [game.bears(f"A0.{index}") for index in range(4)] == [
        *("beast_cub", "beast_cub"),
        *("beast_boar, charm waits", "beast_boar, pacify waits"),
    ]


def test_rift_16_the_end_step_ends_with_a_death_check_before_the_opponents_turn():
    game = table("beast_boar", "undead_banshee")
    game.state["damage"][game.creature("A0.0")] = 5
    game.end()
    assert (game.who(A), game.active) == ("", B)


# ---- the opponent's turn --------------------------------------------------------------------------------------------


def test_rift_17_a_player_decides_on_the_opponents_turn_where_the_own_pass_through_goes():
    game = table("beast_cub / beast_boar, beast_troll", "beast_charger").attack("A0.0", "B0.0")
    assert (game.seat, game.active, game.phase, game.options) == (B, A, Phase.TARGET, ["A1.0", "A1.1"])


def test_rift_17_everything_else_on_that_turn_is_the_active_players():
    game = table("beast_troll / beast_cub", "soldier_guard, soldier_pikeman", hand="spark, beast_cub")
    for decisions in (["use A0.0", "B0.0"], ["play spark", "B0.1"], ["end"]):
        assert game.seat == game.active == A
        game.do(*decisions)
    assert game.seat == game.active == B
