"""ROGUE-01 to 08 on the compiled kernels: modes, dice, the grid, cards, purse and hand, health."""

from collections import Counter

import pytest

from sim.games.cardrogue import GAME
from tests.games.cardrogue.documents import reference
from tests.games.cardrogue.positions import CROSS, NORTH, SOUTH, WEST, Play, a, an_enemy, dealt, table

SEATS = (1, 2, 3, 4)
# starts, cells with face-down cards: in row 0, in row 1
LAID = {
    1: ([14], [13, 15], [14]),
    2: ([12, 17], [11, 13, 14, 15, 16, 18], [12, 17]),
    3: ([9, 14, 19], [8, 10, 11, 12, 13, 15, 16, 17, 18, 20], [9, 14, 19]),
    4: ([7, 12, 17, 22], [6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 21, 23], [7, 12, 17, 22]),
}


@pytest.mark.parametrize("seats", SEATS)
def test_rogue_01_one_to_four_play_and_everybody_begins_without_points(seats):
    game = dealt(seats)
    assert game.position["seats"] == seats
    assert [player["points"] for player in game.position["players"]] == [0] * seats
    assert not game.over


def test_rogue_01_more_than_four_are_not_supported():
    assert GAME.seats == SEATS
    with pytest.raises(ValueError, match="players"):
        table(*[a(character, "dead") for character in ("warrior", "rogue", "cleric", "explorer", "mage", "bard")[:5]])


@pytest.mark.parametrize("face", range(1, 7))
def test_rogue_02_rolling_a_face_is_about_the_die_and_not_about_a_changed_total(face):
    """The Bard flees on a 6: a 5 with +1 hits for 6 and does not make him flee, a 6 with -1 does."""
    mod = 1 if face < 6 else -1
    game = table(a("bard", potion_attack=mod), enemies=[an_enemy("troll")])
    game.do("attack north", dice=[face])
    if face == 6:
        assert game.options == ["flee east", "flee south", "flee west"]
    else:
        assert (game.health(), game.enemy(NORTH)["health"]) == (10 - 4, 10 - (face + mod))


def test_rogue_03_north_is_the_next_row_and_east_the_next_column():
    where = {way: table(a("warrior"), a("bard", (0, 0)), map=CROSS | {"0,0": "S"}) for way in ("north", "east", "south", "west")}
    assert [game.do(f"move {way}").at(0) for way, game in where.items()] == [(6, 12), (5, 13), (4, 12), (5, 11)]


def test_rogue_03_a_cell_holds_nothing_or_one_card():
    game = table(a("warrior"), map={"5,12": "Pf", "6,12": "?", "5,13": "O:blue", "4,12": "E:imp"})
    assert game.map == {"5,12": "Pf", "6,12": "?", "5,13": "O:blue", "4,12": "E:imp"}


def test_rogue_04_spare_cards_take_no_part_and_face_down_cards_come_out_of_the_exploration_deck():
    game, document = dealt(3), reference()
    assert sum(game.position["unseen"].values()) == 93
    assert game.position["stack"] == 93 - 13
    assert not {"start", "ladder"} & {*document["decks"]["exploration"], *document["decks"]["pathing"]}
    assert [token for token in game.map.values() if token.startswith("L")] == []


@pytest.mark.parametrize("entry", ["key", "blue", "attack_plus", "health_plus", "troll", "golem", "fountain", "dead_end"])
def test_rogue_04_a_face_down_card_can_be_any_that_nobody_has_seen(entry):
    draws = [entry] if entry in ("blue", "troll", "golem", "fountain", "dead_end") else [entry, "four_way"]
    game = table(a("warrior"), map={"5,12": "Pf", "6,12": "?"})
    before = game.position["unseen"][entry]
    game.do("flip north", draws=draws)
    assert game.position["unseen"].get(entry, 0) == before - 1


def test_rogue_04_a_card_that_was_seen_or_discarded_does_not_turn_up_again():
    held = table(a("warrior", hand=["key"]), map={"5,12": "Pf", "6,12": "?"})
    gone = table(a("warrior"), gone={"golem": 1}, map={"5,12": "Pf", "6,12": "?"})
    for game, card in ((held, "key"), (gone, "golem")):
        assert card not in game.position["unseen"]
        with pytest.raises(AssertionError, match="is not left"):
            game.do("flip north", draws=[card, "four_way"])


def test_rogue_04_every_unseen_card_is_equally_likely_wherever_it_lies():
    """Two goblins and an imp are unseen, one of them lies face-down: an imp comes up in a third of all games."""
    game = table(a("warrior"), map={"5,12": "Pf", "6,12": "?"}, unseen={"goblin": 2, "imp": 1})
    game.do("flip")
    before, found, games = game.state.copy(), Counter(), 150
    record = game.workspace.dice[0]
    for number in range(games):
        game.workspace.states[0] = before
        record["scripted"], record["draws_scripted"] = 0, 0
        record["game"], record["block"], record["used"] = number, 0, 0
        game._advance(0)
        found[game.enemy(NORTH)["enemy"]] += 1
    assert abs(found["imp"] - games / 3) < 4 * (games * 2 / 9) ** 0.5


def test_rogue_05_a_purse_counts_as_cards_of_the_largest_denominations():
    """29 gold are 10, 10, 5, 2 and 2; 38 are 10, 10, 10, 5, 2, 1."""
    for gold, cards in ((29, [10, 5, 2]), (38, [10, 5, 2, 1]), (10, [10]), (3, [2, 1])):
        game = table(a("warrior", health=1, gold=gold), a("bard", SOUTH), enemies=[an_enemy("goblin")])
        game.do("attack north", dice=[1])
        assert game.options == [f"keep {card} gold" for card in cards]


def test_rogue_05_loot_is_a_card_and_no_gold_until_it_is_sold():
    game = table(a("warrior"), map=CROSS | {"5,12": "H"}, enemies=[an_enemy("goblin", health=1)])
    game.do("attack north", dice=[1])
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (0, ["goblin"])
    game = table(a("warrior", hand=["goblin"]), map={"5,12": "H", "6,12": "?"}).do("sell goblin")
    assert (game.player(0)["gold"], game.player(0)["hand"], game.position["gone"]) == (3, [], {"goblin": 1})


def test_rogue_06_there_is_no_limit_to_a_hand_and_everybody_sees_it():
    hand = {"cave_bat": 5, "sewer_rat": 5, "imp": 4, "vampire_bat": 4, "goblin": 5, "zombie": 3, "kobold": 3, "blue": 2}
    game = table(a("warrior", hand=hand), a("bard", SOUTH, hand=["red"]), map=CROSS | {"6,12": "O:blue"}, gone={})
    assert len(game.player(0)["hand"]) == sum(hand.values())
    assert game.player(1)["hand"] == ["red"]


def test_rogue_06_what_is_worn_is_not_in_the_hand():
    game = table(a("warrior", hand=["sword"])).do("equip sword")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == ([], {"primary": "sword"})


def test_rogue_07_maximum_health_is_that_of_character_scrolls_and_artifacts():
    facts = {"bonus": 4, "hand": ["health_plus", "health_minus"]}
    assert table(a("bard", **facts)).player(0)["max_health"] == 10 + 4 + 4 - 3


def test_rogue_07_the_attack_modifier_adds_potions_artifacts_equipment_and_rage():
    """2 + 2 (potions) + 2 - 2 (artifacts) + 1 (sword) + 1 (rage at 5 or less) = die + 4."""
    hand, worn = ["attack_plus", "attack_minus"], {"primary": "sword"}
    for health, rage in ((6, 0), (5, 1)):
        game = table(a("warrior", health=health, hand=hand, worn=worn, potion_attack=2), enemies=[an_enemy("golem")])
        game.do("attack north", dice=[2, 1])
        assert game.enemy(NORTH)["health"] == 25 - (2 + 2 + 2 - 2 + 1 + rage)


def flip_artifact(artifact: str, character: str = "bard", **facts: object) -> Play:
    """A player turns an artifact over to the north."""
    return table(a(character, **facts), map=CROSS | {"6,12": "?"}).do("flip north", draws=[artifact, "straight"])


def test_rogue_07_gaining_four_maximum_health_at_7_of_10_gives_11_of_14():
    game = flip_artifact("health_plus", health=7)
    assert (game.player(0)["max_health"], game.health()) == (14, 11)


def test_rogue_07_08_losing_three_maximum_health_leaves_health_alone_and_healing_counts_from_there():
    """Printed: 10 of 10 becomes 10 of 7; healing at 6 lifts to 7, at 9 does nothing."""
    game = flip_artifact("health_minus", health=10)
    assert (game.player(0)["max_health"], game.health()) == (7, 10)
    for health, after in ((6, 7), (9, 9), (7, 7)):
        sick = table(a("bard", health=health, hand=["health_minus", "red"]), potions={"red": "healing"})
        assert sick.do("drink red potion").health() == after


def test_rogue_07_a_scroll_of_maximum_health_adds_to_both():
    game = table(a("bard", health=3, hand=["scroll_max_health"])).do("read Scroll of max health")
    assert (game.player(0)["max_health"], game.health(), game.position["gone"]) == (12, 5, {"scroll_max_health": 1})


def test_rogue_07_an_artifact_counts_while_it_is_in_the_hand_and_takes_no_health_with_it():
    """A stolen artifact: 14 of 14 becomes 14 of 10; the thief has 9 of 14 after 5 of 10."""
    game = table(a("rogue", health=5), a("bard", NORTH, health=14, hand=["health_plus"]))
    game.do("pass", "pass", "steal north", dice=[6], draws=["health_plus"])
    assert (game.player(1)["max_health"], game.health(1)) == (10, 14)
    assert (game.player(0)["max_health"], game.health(0)) == (14, 9)


def test_rogue_07_a_removed_curse_lifts_the_maximum_but_not_health():
    game = table(a("bard", health=6, hand=["health_minus", "scroll_remove_curse"]))
    game.do("read Scroll of remove curse")
    assert (game.player(0)["max_health"], game.health(), game.player(0)["hand"]) == (10, 6, [])


def test_rogue_08_healing_stops_at_the_maximum_and_takes_nothing_away():
    """A fountain heals 2: 7 becomes 9, 9 becomes 10 of 10; 13 of 10 stay."""
    for health, after in ((7, 9), (9, 10), (10, 10), (13, 13)):
        game = table(a("bard", WEST), a("cleric", health=health), map=CROSS | {"5,12": "F"})
        assert game.end_turn(dice=[3]).health(1) == after


def test_rogue_08_who_has_no_health_left_is_dead_or_slain_at_once():
    game = table(a("warrior", health=1), a("bard", SOUTH), map=CROSS | {"0,12": "S", "0,14": "S"}, enemies=[an_enemy("goblin")])
    game.do("attack north", dice=[1])
    assert (game.position["decision"], game.current_player, game.at(0)) == ("respawn", 0, None)
    game = table(a("warrior"), enemies=[an_enemy("goblin", health=2)]).do("attack north", dice=[2])
    assert (game.enemy(NORTH), game.health()) == (None, 12)
