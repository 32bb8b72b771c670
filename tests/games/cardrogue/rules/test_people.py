"""ROGUE-65 to 69: trades, trips, leaps, counter-attacks and thefts."""

from collections import Counter

import pytest

from sim.engine.dice import turn_dice
from sim.games.cardrogue.rules.items import pick_loot
from tests.games.cardrogue.positions import CROSS, EAST, HALL, MIDDLE, NORTH, SOUTH, WEST, a, an_enemy, meeting, table


def test_rogue_65_only_in_step_3_and_only_with_an_adjacent_player():
    game = table(a("warrior", gold=1), a("cleric", NORTH, hand=["key"]))
    social = {"trade", "trip", "steal"}
    assert not social & set(game.options)
    game.do("pass")
    assert (game.position["step"], social & set(game.options)) == ("move", set())
    game.do("pass")
    assert (game.position["step"], game.options) == ("interact", ["pass", "trade", "trip", "steal"])


@pytest.mark.parametrize("wall", [{"6,12": "Pb"}, {"5,12": "Pe"}])
def test_rogue_16_65_a_wall_on_either_side_keeps_players_apart(wall):
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]}, map=CROSS | wall)
    assert game.options == ["pass", "drink"]


def test_rogue_65_not_in_combat():
    fighter = meeting({"character": "rogue"}, {"at": EAST, "hand": ["key"]}, enemies=[an_enemy("goblin", SOUTH)], step="survived")
    assert not {"trade", "trip", "steal"} & set(fighter.options)


def test_rogue_65_one_trip_and_one_theft_a_turn_whoever_is_met():
    others = [a("mage", EAST, hand=["key"])]
    game = meeting({}, {"hand": ["red"]}, others=others)
    assert game.do("trip").options == ["trip north", "trip east"]
    game.do("trip east", dice=[1])
    assert game.options == ["pass", "steal"]
    game.do("steal north", dice=[1])
    assert game.current_player == 1, "nothing is left to do"


def test_rogue_65_66_the_next_turn_has_another_trip_and_the_same_offers():
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]}).do("trip north", dice=[1])
    game.do("trade north", "offer blue potion", "ask for key", "refuse")
    assert not {"trade", "trip"} & set(game.options)
    game.end_turn().end_turn().do("pass", "pass")
    assert game.current_player == 0
    assert {"trade", "trip"} <= set(game.options)


def test_rogue_67_a_tripped_player_skips_its_next_turn():
    game = meeting({"hand": ["blue"]}, {}).do("trip north", dice=[4])
    assert (game.player(1)["skip"], game.options) == (1, ["pass", "drink", "throw"]), "there is nowhere to leap to"
    game.end_turn()
    assert (game.current_player, game.player(1)["skip"]) == (0, 0), "its turn has passed without a decision"


@pytest.mark.parametrize(("face", "skip"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)])
def test_rogue_67_a_trip_succeeds_on_4_5_and_6(face, skip):
    game = meeting({"hand": ["blue"]}, {}, map=HALL).do("trip north", dice=[face])
    assert game.player(1)["skip"] == skip
    leaps = ["leap north", "leap east", "leap west", "stay"]
    assert game.options == (leaps if skip else ["pass", "drink", "throw"])
    if skip:
        assert (game.do("stay").at(0), game.options) == (MIDDLE, ["pass", "drink", "throw"])


def test_rogue_67_a_longer_skip_stays():
    game = meeting({"hand": ["blue"]}, {"skip": 2}, changes={"trap.paralysis.effect.turns": 2})
    assert game.do("trip north", dice=[6]).player(1)["skip"] == 2


def test_rogue_67_the_leap_goes_to_a_free_face_up_cell_next_to_the_victim():
    """G-14: victim north of the tripper; free cells around it, an enemy's, a face-down card, a wall."""
    around = CROSS | {"7,12": "Pf", "6,13": "?", "6,11": "Pd"}
    game = meeting({}, {}, map=around).do("trip north", dice=[4])
    assert game.options == ["leap north", "stay"]
    game.do("leap north")
    assert game.at(0) == (7, 12)


def test_rogue_67_g_14_two_leaps_out_of_four_sides():
    """Victim on a three_fl entered from the south; west the tripper, north a three_lr open south, east a straight N-S."""
    junction = {"5,12": "Pd", "5,11": "Pa", "6,12": "Pe", "5,13": "P5", "4,12": "P9"}
    players = (a("warrior", WEST), a("cleric", MIDDLE))
    game = table(*players, map=junction, step="interact").do("trip east", dice=[5])
    assert game.options == ["leap north", "leap south", "stay"]
    alone = table(a("cleric", MIDDLE), map=junction).do("pass", "move")
    assert alone.options == ["move north", "move south", "move west"]


def test_rogue_27_67_a_leap_has_arrival_effects():
    trap = meeting({}, {}, map=HALL | {"7,12": "T:spike"}).do("trip north", "leap north", dice=[4])
    assert trap.health(0) == 10
    potion = meeting({}, {}, map=HALL | {"7,12": "O:blue"})
    potion.do("trip north", "leap north", dice=[4], draws=["four_way"])
    assert potion.player(0)["hand"] == ["blue"]
    fight = meeting({"character": "rogue"}, {}, map=HALL, enemies=[an_enemy("goblin", (8, 12))])
    fight.do("trip north", "leap north", dice=[4])
    assert (fight.options, fight.enemy((8, 12))["order"]) == (["attack"], [0])


def test_rogue_67_104_a_leap_onto_a_starting_tile_ends_the_end_rush():
    game = meeting({}, {}, map=CROSS | {"7,12": "S"}, rush=True)
    game.do("trip north", "leap north", dice=[4])
    assert (game.over, game.position["ending"], game.player(0)["scored"]["exit"]) == (True, "exit", 1)


def test_rogue_67_after_a_leap_step_3_goes_on():
    game = meeting({}, {"hand": ["key"]}, map=HALL).do("trip north", "leap east", dice=[4])
    assert (game.at(0), game.options) == ((6, 13), ["pass", "steal"])


FRONT = an_enemy("goblin", (7, 12), order=[1])


def test_rogue_68_a_victim_in_combat_stays_in_it():
    game = meeting({"hand": ["blue"]}, {}, map=HALL, enemies=[FRONT]).do("trip north", "stay", dice=[4])
    assert (game.player(1)["skip"], game.enemy((7, 12))["order"]) == (1, [1])


def test_rogue_68_a_failed_trip_on_somebody_in_combat_earns_a_counter_attack():
    """Sword and armour: 5 + 1 less 1 of the helm."""
    tripper, victim = {"worn": {"head": "helm"}}, {"worn": {"primary": "sword"}}
    game = meeting(tripper, victim, map=HALL, enemies=[FRONT]).do("trip north", dice=[3, 5])
    assert (game.health(0), game.enemy((7, 12))["health"]) == (12 - 5, 8)


def test_rogue_68_out_of_combat_a_failed_trip_costs_nothing():
    assert meeting({}, {}).do("trip north", dice=[3]).health(0) == 12


@pytest.mark.parametrize(
    ("victim", "dice", "loss"),
    [
        ({"worn": {"primary": "dagger"}}, (1, 4, 3), 7),
        ({"worn": {"primary": "maul"}}, (5,), 10),
        ({"worn": {"primary": "maul"}}, (6,), 0),
        ({"character": "warrior", "health": 5}, (3,), 4),
        ({"potion_attack": -1}, (1,), 0),
        ({"worn": {"secondary": "shield"}}, (1,), 1),
        ({"character": "bard"}, (6,), 6),
    ],
)
def test_rogue_68_the_counter_attack_is_an_attack_of_the_victim(victim, dice, loss):
    """Its weapon, modifiers and rage count; a block has nothing to block and the bard does not flee."""
    game = meeting({"character": "rogue"}, victim, map=HALL, enemies=[FRONT])
    game.do("trip north", dice=[1, *dice])
    assert (game.health(0), game.at(1), game.enemy((7, 12))["order"]) == (10 - loss, NORTH, [1])


def test_rogue_61_68_a_counter_attack_can_kill():
    game = meeting({"health": 3, "hand": ["key"]}, {}, map=HALL | {"0,12": "S"}, enemies=[FRONT])
    game.do("trip north", dice=[2, 3])
    assert game.options == ["keep key"]
    game.do("keep key", "come back at row 0 column 12")
    assert (game.health(0), game.current_player) == (12, 1)


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5])
def test_rogue_69_a_theft_needs_a_6(face):
    game = meeting({}, {"hand": ["key"]}).do("steal north", dice=[face])
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [[], ["key"]]


def test_rogue_69_a_6_takes_one_hand_card():
    game = meeting({}, {"hand": ["key", "red"], "gold": 3}).do("steal north", dice=[6], draws=["red"])
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [["red"], ["key"]]
    assert [game.player(seat)["gold"] for seat in (0, 1)] == [0, 3]


@pytest.mark.parametrize("coin", [2, 1])
def test_rogue_05_69_or_one_gold_card_of_the_purse(coin):
    """D-18: 3 gold are a card of 2 and a card of 1."""
    game = meeting({"gold": 1}, {"hand": ["key"], "gold": 3})
    game.do("steal north", dice=[6], draws=[f"{coin} gold"])
    assert [game.player(seat)["gold"] for seat in (0, 1)] == [1 + coin, 3 - coin]


def loot(purse: int, hand: list[str], thefts: int = 400) -> Counter[int]:
    """What is picked, over many thefts with dice of their own."""
    game = meeting({}, {"hand": hand, "gold": purse})
    dice = game.workspace.dice[0]
    dice["scripted"], dice["draws_scripted"], dice["seed"] = 0, 0, 18
    found: Counter[int] = Counter()
    for theft in range(thefts):
        turn_dice(dice, theft)
        found[int(pick_loot(game.state, game.cards.record[0], 1, dice))] += 1
    return found


@pytest.mark.parametrize(
    ("purse", "hand", "kinds", "cards"),
    [(3, ["key"], 3, 3), (0, ["key"], 1, 1), (29, [], 3, 5), (12, ["blue", "blue", "sword"], 4, 5)],
)
@pytest.mark.slow
def test_rogue_05_69_every_card_of_hand_and_purse_is_equally_likely(purse, hand, kinds, cards):
    """D-18: the key and 3 gold: a third each. 29 gold are 10, 10, 5, 2, 2. Each share within 4 standard errors."""
    found = loot(purse, hand)
    assert len(found) == kinds
    for count in found.values():
        share = round(count * cards / 400)  # of one, two, ... cards
        p = max(1, share) / cards
        assert abs(count - 400 * p) <= 4 * (400 * p * (1 - p)) ** 0.5


def test_rogue_69_worn_cards_are_safe_and_nobody_robs_the_poor():
    game = meeting({"hand": ["blue"]}, {"worn": {"primary": "sword"}})
    assert "steal" not in game.options


def test_rogue_69_victims_in_combat_can_be_robbed():
    game = meeting({}, {"hand": ["key"]}, map=HALL, enemies=[FRONT])
    game.do("steal north", dice=[6], draws=["key"])
    assert game.player(0)["hand"] == ["key"]


@pytest.mark.parametrize("card", ["attack_plus", "golem", "key", "basilisk_green"])
def test_rogue_69_101_unsellable_and_untradable_cards_can_be_stolen(card):
    game = meeting({}, {"hand": [card]}).do("steal north", dice=[6], draws=[card])
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [[card], []]


def test_rogue_69_102_the_second_basilisk_stolen_makes_both_vanish():
    game = meeting({"hand": ["basilisk_green"]}, {"hand": ["basilisk_yellow"]})
    game.do("steal north", dice=[6], draws=["basilisk_yellow"])
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [[], []]
    assert game.position["gone"] == {"basilisk_green": 1, "basilisk_yellow": 1}
    assert [game.player(seat)["points"] for seat in (0, 1)] == [0, 0]


@pytest.mark.parametrize("what", ["sword", "10 gold", "four_way"])
def test_rogue_69_a_scripted_theft_of_what_is_not_there_is_refused(what):
    game = meeting({}, {"hand": ["key"], "gold": 3})
    with pytest.raises(AssertionError, match="is not left"):
        game.do("steal north", dice=[6], draws=[what])


def test_rogue_66_an_accepted_offer_changes_hands():
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]})
    game.do("trade north", "offer blue potion", "ask for key")
    assert (game.current_player, game.options) == (1, ["refuse", "accept"])
    game.do("accept")
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [["key"], ["blue"]]
    assert game.current_player == 0


def test_rogue_66_a_refused_offer_changes_nothing_and_counts():
    game = meeting({"hand": ["blue", "red"]}, {"hand": ["key"]})
    game.do("trade north", "offer blue potion", "ask for key", "refuse")
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [["blue", "red"], ["key"]]
    assert game.position["offers"] == [{"partner": 1, "give": "blue", "want": "key"}]
    assert game.do("trade north").options == ["offer red potion"], "blue for the key was offered"


@pytest.mark.parametrize(("gives", "wants"), [("3 gold", "key"), ("key", "3 gold")])
def test_rogue_66_gold_buys_cards_either_way(gives, wants):
    rich, owner = {"gold": 5}, {"hand": ["key"]}
    game = meeting(*((rich, owner) if "gold" in gives else (owner, rich)))
    game.do("trade north", f"offer {gives}", f"ask for {wants}", "accept")
    buyer = 0 if "gold" in gives else 1
    assert (game.player(buyer)["gold"], game.player(buyer)["hand"]) == (2, ["key"])
    assert (game.player(1 - buyer)["gold"], game.player(1 - buyer)["hand"]) == (3, [])


def test_rogue_66_one_to_16_gold_and_never_gold_for_gold():
    game = meeting({"gold": 40, "hand": ["blue"]}, {"gold": 20, "hand": ["key"]})
    game.do("trade north")
    amounts = [f"{gold} gold" for gold in range(1, 17)]
    assert game.options == ["offer blue potion", *(f"offer {amount}" for amount in amounts)]
    game.do("offer 7 gold")
    assert game.options == ["ask for key"]
    other = meeting({"gold": 40, "hand": ["blue"]}, {"gold": 2, "hand": ["key"]})
    other.do("trade north", "offer blue potion")
    assert other.options == ["ask for key", "ask for 1 gold", "ask for 2 gold"]


def test_rogue_66_only_gold_on_both_sides_is_no_trade():
    assert "trade" not in meeting({"gold": 9}, {"gold": 9}).options


def test_rogue_66_only_cards_with_the_trade_symbol():
    """Loot, potions, the key and shop cards; no bosses, no artifacts; nothing that is worn."""
    hand = ["key", "blue", "attack_plus", "attack_minus", "goblin", "golem", "basilisk_green", "sword", "scroll_move"]
    game = meeting({"hand": hand, "worn": {"head": "helm"}}, {"gold": 1})
    game.do("trade north")
    wares = ["key", "blue potion", "Goblin", "Sword", "Scroll of move"]
    assert game.options == [f"offer {ware}" for ware in wares]


def test_rogue_66_not_with_somebody_in_combat():
    goblin = an_enemy("goblin", (7, 12), order=[1])
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]}, map=CROSS | {"7,12": "Pf"}, enemies=[goblin])
    assert game.options == ["pass", "drink", "throw", "trip", "steal"]


def test_rogue_66_two_offers_a_turn_and_none_twice():
    game = meeting({"hand": ["blue"]}, {"hand": ["key", "red"], "gold": 0})
    game.do("trade", "trade north", "offer blue potion", "ask for key", "refuse", "trade", "trade north", "offer blue potion")
    assert game.options == ["ask for red potion"]
    game.do("ask for red potion", "refuse")
    assert "trade" not in game.options


@pytest.mark.parametrize("offers", [0, 1, 3])
def test_rogue_66_offers_per_turn_are_a_rule_of_the_file(offers):
    game = meeting({"hand": ["blue"]}, {"hand": ["key", "red", "pink"]}, rules={"offers_per_turn": offers})
    for ware in ("key", "red potion", "pink potion")[:offers]:
        game.do("trade north", "offer blue potion", f"ask for {ware}", "refuse")
    assert "trade" not in game.options


def test_rogue_66_gold_that_bought_one_thing_may_be_offered_for_what_is_left():
    """The offer made before is another one, also when only one thing is left to ask for."""
    game = meeting({"gold": 9}, {"hand": ["key", "blue"]})
    game.do("trade north", "offer 3 gold", "ask for key", "accept")
    game.do("trade north", "offer 3 gold", "ask for blue potion", "accept")
    assert (game.player(0)["hand"], game.player(0)["gold"]) == (["key", "blue"], 3)
