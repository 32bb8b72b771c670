"""ROGUE-61, 62, 115, 116 on the compiled kernels: what the dead keep and leave, where they come back; leaving the game."""

import pytest

from sim.games.cardrogue.rules.turn import depart, step_aside
from sim.games.cardrogue.state import LEFT_MAX
from tests.games.cardrogue.positions import ASIDE, CROSS, EAST, MIDDLE, NORTH, SOUTH, Play, a, an_enemy, table


def dying(character: str = "rogue", **facts: object) -> Play:
    """Seat 0 with 1 health beside a goblin, to whom it falls."""
    game = table(a(character, health=1, **facts), a("bard", (9, 9)), map=CROSS | ASIDE, enemies=[an_enemy("goblin")])
    game.do("attack north", dice=[1])
    if "pass" in game.options:
        game.do("pass")
    return game


def test_rogue_61_one_card_of_hand_equipment_and_purse_is_kept():
    game = dying(hand=["key", "imp"], worn={"primary": "sword", "head": "helm"}, gold=12)
    assert game.position["decision"] == "keep"
    assert sorted(game.options) == ["keep 10 gold", "keep 2 gold", "keep Helm", "keep Imp", "keep Sword", "keep key"]


def test_rogue_61_what_was_worn_and_is_kept_goes_to_the_hand():
    game = dying(worn={"primary": "sword"}).do("keep Sword", "come back at row 0 column 12")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["sword"], {})


def test_rogue_61_then_one_of_the_others_is_left_on_the_cell():
    game = dying(hand=["imp", "goblin"], gold=5).do("keep Imp")
    assert (game.position["decision"], game.options) == ("leave", ["leave Goblin", "leave 5 gold"])
    game.do("leave 5 gold", "come back at row 0 column 12")
    assert game.position["left"] == [{"at": list(MIDDLE), "cards": ["5 gold"]}]
    assert (game.player(0)["hand"], game.player(0)["gold"]) == (["imp"], 0)


def test_rogue_61_a_gold_card_can_be_kept():
    game = dying(gold=29).do("keep 10 gold", "leave 10 gold", "come back at row 0 column 12")
    assert (game.player(0)["gold"], game.position["left"]) == (10, [{"at": list(MIDDLE), "cards": ["10 gold"]}])


def test_rogue_61_both_are_musts_and_neither_can_be_passed():
    assert "pass" not in dying(hand=["imp"]).options
    game = dying(hand=["imp"]).do("keep Imp")
    assert game.position["decision"] == "respawn"  # nothing is left to leave
    assert dying().position["decision"] == "respawn"


def test_rogue_61_unsellable_cards_are_left_too_and_the_rest_is_discarded():
    hand = ["key", "basilisk_green", "health_plus", "imp", "blue", "goblin"]
    game = dying(hand=hand, worn={"primary": "sword"}, gold=7)
    game.do("keep Goblin", "leave blue potion", "come back at row 0 column 12")
    (heap,) = game.position["left"]
    assert sorted(heap["cards"]) == sorted(["blue", "key", "basilisk_green", "health_plus"])
    assert game.position["gone"] == {"imp": 1, "sword": 1}
    assert (game.player(0)["hand"], game.player(0)["gold"]) == (["goblin"], 0)


def test_rogue_61_an_unsellable_card_can_be_kept():
    game = dying(hand=["golem", "key"]).do("keep Golem", "leave key", "come back at row 0 column 12")
    assert (game.player(0)["hand"], game.player(0)["points"]) == (["golem"], 2)


def test_rogue_61_bonuses_and_statuses_are_reset_and_scored_points_stay():
    facts = {"bonus": 4, "potion_attack": 2, "poison": 3, "antidote": 2, "cooldown": 2, "scored": {"chest": 1, "debt": 1}}
    game = dying("mage", **facts).do("come back at row 0 column 12")
    player = game.player(0)
    assert [player[status] for status in ("bonus", "potion_attack", "poison", "antidote", "skip", "cooldown")] == [0] * 6
    assert (player["points"], player["health"], player["max_health"]) == (2, 8, 8)


def test_rogue_61_skips_are_reset_when_an_enemy_kills_in_a_skipped_turn():
    enemies = [an_enemy("goblin", order=[1])]
    longer = {"trap.paralysis.effect.turns": 2}
    game = table(a("bard", (9, 9)), a("rogue", health=1, skip=2), map=CROSS | ASIDE, enemies=enemies, changes=longer).end_turn()
    assert game.do("come back at row 0 column 12").player(1)["skip"] == 0


def test_rogue_61_the_dead_leave_combat_and_their_turn_ends():
    game = dying().do("come back at row 0 column 14")
    assert (game.enemy(NORTH)["order"], game.current_player, game.position["turn"]) == ([], 1, 1)
    assert game.map.get("5,10") is None  # no step 4


def test_rogue_61_who_dies_in_another_s_turn_does_not_end_it():
    """A victim in combat strikes back at the tripper and kills; dying in one's own turn ends it, an ally's death does not."""
    enemies = [an_enemy("goblin", (6, 13), order=[1])]
    game = table(a("rogue", health=3), a("bard", EAST, hand=["imp"]), map=CROSS | ASIDE | {"6,13": "Pf"}, enemies=enemies)
    game.do("pass", "pass", "trip east", dice=[1, 5])  # fails, and is struck for 5
    assert (game.position["decision"], game.current_player) == ("respawn", 0)
    assert game.do("come back at row 0 column 12").current_player == 1


def test_rogue_62_he_chooses_a_free_starting_tile_and_has_full_health():
    game = dying(hand=["health_plus"]).do("keep Health Plus")
    assert game.options == ["come back at row 0 column 12", "come back at row 0 column 14"]  # the bard stands on the third
    game.do("come back at row 0 column 14")
    assert (game.at(0), game.health()) == ((0, 14), 14)


def test_rogue_62_coming_back_is_no_move_and_he_plays_on_in_his_next_turn():
    """Cards that lie on the start stay there, and an enemy next to it is met in the next turn."""
    left = [{"at": [0, 12], "cards": ["key"]}]
    enemies = [an_enemy("goblin"), an_enemy("imp", (1, 12), order=[])]
    game = table(a("rogue", health=1), a("bard", (9, 9)), map=CROSS | ASIDE, enemies=enemies, left=left)
    game.do("attack north", "come back at row 0 column 12", dice=[1])
    assert (game.player(0)["hand"], game.enemy((1, 12))["order"], game.current_player) == ([], [], 1)
    game.end_turn()
    assert (game.current_player, game.enemy((1, 12))["order"], game.player(0)["hand"]) == (0, [0], [])


def leave(kernel: object, **facts: object) -> Play:
    """Seat 1 leaves the table between two turns."""
    enemies = [an_enemy("goblin", (6, 13), order=[1], health=3)]
    seats = (a("rogue"), a("bard", EAST, hand=["imp", "key"], worn={"primary": "sword"}, gold=13, **facts), a("mage", SOUTH))
    game = table(*seats, map=CROSS | ASIDE | {"6,13": "Pf"}, enemies=enemies)
    kernel(game.state, game.cards.record[0], 1)  # type: ignore[operator]
    return game


@pytest.mark.slow
def test_rogue_115_who_leaves_for_good_leaves_everything_on_the_cell_and_is_out():
    game = leave(depart)
    (heap,) = game.position["left"]
    assert (heap["at"], sorted(heap["cards"])) == (list(EAST), sorted(["imp", "key", "sword", "10 gold", "2 gold", "1 gold"]))
    player = game.player(1)
    assert (player["at"], player["hand"], player["worn"], player["gold"]) == ("out", [], {}, 0)
    assert (game.enemy((6, 13))["order"], game.enemy((6, 13))["health"]) == ([], 8)
    turns = [game.current_player, game.end_turn().current_player, game.end_turn().current_player]
    assert turns == [0, 2, 0]


def test_rogue_115_what_he_left_is_picked_up_by_who_walks_there():
    game = leave(depart).do("pass", "move east")
    assert (sorted(game.player(0)["hand"]), game.player(0)["gold"]) == (["imp", "key", "sword"], 13)


def test_rogue_115_who_leaves_for_a_while_comes_back_to_his_cell_when_it_is_free():
    game = leave(step_aside)
    assert (game.at(1), game.player(1)["hand"], game.enemy((6, 13))["order"]) == (None, ["key", "imp"], [])
    game.do("pass", "move east", "attack north", dice=[1])  # seat 0 takes his cell: seat 1's turn passes
    assert (game.current_player, game.at(1)) == (2, None)
    game.end_turn()
    game.do("flee", "flee west", dice=[5])
    assert (game.current_player, game.at(1), game.player(1)["worn"]) == (1, EAST, {"primary": "sword"})


def test_rogue_115_his_turns_pass_without_any_effect():
    away = a("bard", "away", back=list(MIDDLE), poison=2, health=5)
    game = table(a("rogue", EAST), away, a("mage", MIDDLE), map=CROSS | ASIDE).end_turn()
    assert (game.current_player, game.position["turn"], game.player(1)["poison"], game.health(1)) == (2, 2, 2, 5)


def test_rogue_116_a_character_is_never_lost():
    game = dying(hand=["imp"]).do("keep Imp", "come back at row 0 column 12")
    assert game.player(0)["character"] == "rogue"


@pytest.mark.parametrize(("character", "health"), [("warrior", 12), ("mage", 8), ("bard", 10)])
def test_rogue_116_card_text_beats_general_rules(character, health):
    """A maximum of its own instead of the common 10."""
    assert table(a(character), map=CROSS).player(0)["max_health"] == health


def test_rogue_61_80_what_may_not_be_sold_is_left_whatever_its_price():
    owner, enemies = a("rogue", health=1, hand=["imp", "goblin", "shield"]), [an_enemy("goblin")]
    changes = {"item.shield.sell": False}
    game = table(owner, a("bard", (9, 9)), map=CROSS | ASIDE, enemies=enemies, changes=changes)
    game.do("attack north", "keep Imp", "leave Goblin", dice=[1])
    assert game.position["left"] == [{"at": list(MIDDLE), "cards": ["goblin", "shield"]}]


def test_rogue_19_62_nobody_comes_back_onto_an_enemy():
    """An enemy can be teleported onto a starting tile where every tile will do (A-23)."""
    enemies, rules = [an_enemy("goblin"), an_enemy("imp", (0, 12), order=[])], {"teleport_targets": "any_revealed"}
    game = table(a("rogue", health=1), a("bard", (9, 9)), map=CROSS | ASIDE, enemies=enemies, rules=rules)
    game.do("attack north", dice=[1])
    assert game.options == ["come back at row 0 column 14"]


def test_rogue_19_115_nobody_comes_back_to_a_cell_with_an_enemy():
    away, cells = a("bard", "away", back=list(MIDDLE)), CROSS | ASIDE | {"5,14": "Pf"}
    players, enemies = (a("rogue", EAST, hand=["blue"]), away, a("mage", (9, 9))), [an_enemy("goblin", (5, 14))]
    game = table(*players, map=cells, enemies=enemies, potions={"blue": "teleportation"})
    game.do("throw blue potion", "teleport to row 5 column 12").end_turn()
    assert (game.position["turn"], game.at(1), game.map["5,12"]) == (3, None, "E:goblin/Pf")


def test_rogue_61_more_gold_cards_than_can_lie_about_go_to_the_bank():
    game = table(a("rogue", gold=2000), a("bard", (9, 9)), map=CROSS | ASIDE)
    depart(game.state, game.cards.record[0], 0)
    assert (int(game.state["left_cards"]), int(game.state["gold"][0])) == (LEFT_MAX, 0)
