"""Positions of Card Rogue in scenario files: positions come about as described, and impossible ones are refused."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.games.cardrogue.actions import DEALS_MAX
from tests.conftest import sampled
from tests.games.cardrogue.documents import SWITCHES
from tests.games.cardrogue.positions import (
    CROSS,
    EAST,
    FOUR,
    MIDDLE,
    NORTH,
    Play,
    a,
    an_enemy,
    card_set,
    dealt,
    layout,
    placed,
    table,
)

COPIES = {"exploration": 93, "pathing": 61, "shop": 23}  # of the box


def again(game: Play) -> Play:
    """The same position, placed again from its words."""
    return placed(game.cards, game.position)


def wander(game: Play, rng: Random, decisions: int) -> Play:
    """Take random decisions, with the dice of the game."""
    for _ in range(decisions):
        if not game.options:
            break
        game.workspace.dice[0]["scripted"] = game.workspace.dice[0]["draws_scripted"] = 0
        game._advance(game._open[rng.choice(game.options)])
    return game


# ---- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", ["none", "deck"])
def test_fixed_layouts_can_be_placed_again(fill: str):
    rows = (". ?E:goblin L4 ?O:red/P5", "T:spike Pf ?F P3", "S Pd O:blue/Pb ?K")
    rng = Random(5)
    game = layout(*rows, fill=fill)
    for _ in range(10):
        assert again(game).position == game.position
        wander(game, rng, 9)


LEFT_OUT = {  # facts of the game so far, scratch, and the deck that a tile on the table came from
    *("fight", "source", "laid", "gone", "pathing_gone", "stuck", "worn_item", "points"),
    *("damage_dealt", "damage_taken", "combat_turns", "steps_walked", "flips", "gold_earned", "gold_spent", "own_turns"),
    *("flights", "flights_won", "trips", "trips_won", "steals", "steals_won", "offers_made", "offers_taken", "moles"),
    *("potions", "kills", "fights", "deaths", "bought", "first_death", "first_cause", "first_shop", "shop_seen"),
    *("key_seen", "chest_seen", "golem_seen", "rush_round", "rush_by_stuck", "progress", "quiet"),
}
IN_WORDS = {  # compared as words: enemies without the slain, parts that mean something in some decisions only
    *("on", "enemies", "enemy_cell", "enemy_health", "enemy_type", "enemy_mod", "enemy_poison", "enemy_poisoner"),
    *("enemy_paralysed", "order", "left_cell", "left_type", "offered", "resume", "arg", "acts"),
}
EVERY = 30  # decisions of a game
DECISIONS = 300


def in_words(game: Play) -> dict[str, Any]:
    """The position, without the deck of tiles out of the game, which positions do not record for tiles on the table."""
    position = game.position
    return position | {"gone": Counter(position.pop("gone")) + Counter(position.pop("pathing_gone"))}


@pytest.mark.parametrize("number", sampled(range(24), 6))
def test_play_goes_on_from_a_written_position_as_it_did(number: int):
    """Under random values of all switches: the same fields, and the same position after the same decision with the same dice."""
    rng = Random(number)
    rules = {switch: rng.choice(values) for switch, values in SWITCHES.items()}
    game = dealt(2 + number // 6 % 3, number, card_set(rules))
    for place in range(DECISIONS):
        if not game.options:
            break
        decision = game._open[rng.choice(game.options)]
        game.workspace.dice[0]["scripted"] = game.workspace.dice[0]["draws_scripted"] = 0
        if place % EVERY:
            game._advance(decision)
            continue
        copy = again(game)
        for field in {*game.state.dtype.names} - LEFT_OUT - IN_WORDS:
            assert np.array_equal(copy.state[field], game.state[field]), field
        assert copy.position == game.position
        copy.workspace.dice[:] = game.workspace.dice
        game._advance(decision)
        copy._advance(decision)
        assert in_words(copy) == in_words(game)
        assert copy.options == game.options


def test_only_characters_are_needed():
    """Everything else is that of a game just dealt."""
    fresh = dealt(3)
    named = [{"character": word} for word in card_set().ids[:3]]
    game = placed(fresh.cards, {"players": named, "first": int(fresh.state["first"])})
    assert game.position == fresh.position
    assert game.options == fresh.options


def test_rows_of_tokens_are_a_map_too():
    rows = table(a("bard", (1, 3)), a("mage", (0, 2)), map=["? P5 .", "S  Pf E:imp"], corner=[0, 2])
    cells = {"1,2": "?", "1,3": "P5", "0,2": "S", "0,3": "Pf", "0,4": "E:imp"}
    assert rows.map == table(a("bard", (1, 3)), a("mage", (0, 2)), map=cells).map == cells


def test_hands_are_lists_or_counts():
    counts = table(a("bard", hand={"blue": 2, "key": 1}))
    assert counts.player(0)["hand"] == table(a("bard", hand=["key", "blue", "blue"])).player(0)["hand"]


def test_two_slot_cards_fill_both():
    game = table(a("bard", worn={"primary": "maul"}))
    assert game.player(0)["worn"] == {"primary": "maul"}
    assert (game.state["worn"][0] == game.state["worn"][0].max()).sum() == 2


def test_what_is_named_nowhere_is_unseen():
    game = table(a("bard", hand=["goblin", "key", "sword"]), enemies=[an_enemy("goblin")], gone={"goblin": 1})
    assert "key" not in game.position["unseen"]
    assert (game.position["unseen"]["goblin"], game.position["gone"]) == (2, {"goblin": 1})
    assert "sword" not in game.position["shop"]


def test_what_is_missing_from_a_given_pile_is_gone():
    game = table(a("bard"), unseen={"golem": 1}, shop={"debt": 1}, pathing={"chest": 1})
    assert (game.position["unseen"], game.position["stack"]) == ({"golem": 1}, 1)
    assert game.position["gone"]["goblin"] == 5
    assert game.position["gone"]["dagger"] == 2
    assert game.position["pathing_gone"]["shop"] == 3


def test_no_card_is_made_or_lost_by_placing():
    game = wander(dealt(4, 3), Random(1), 300)
    facts = again(game).position
    state = again(game).state
    held = int(state["hand"].sum()) + int((state["worn"] >= 0).sum())
    lying = int((state["on"] > 0).sum()) + int((state["left_type"][: state["left_cards"]] < 64).sum())
    laid = int(np.isin(state["source"], [2, 3]).sum())
    piles = sum(int(state[field].sum()) for field in ("unseen", "pathing", "gone", "pathing_gone", "shop"))
    two_slot = sum(player["worn"].get("primary") == "maul" for player in facts["players"])
    assert held - two_slot + lying + laid + piles == sum(COPIES.values())


def test_who_stands_next_to_an_enemy_in_its_turn_fights_it():
    game = table(a("bard"), a("mage", (7, 12)), map={**CROSS, "7,12": FOUR}, enemies=[an_enemy("troll")])
    assert (game.position["step"], game.position["enemies"][0]["order"]) == ("fight", [0])


def test_what_follows_from_a_position_is_told():
    """G-07, G-08: maximum health; attack and points from cards held."""
    bard = table(a("bard", hand=["health_plus", "attack_plus", "golem"], scored={"chest": 1}, worn={"primary": "sword"})).player(
        0
    )
    assert (bard["max_health"], bard["health"], bard["attack"], bard["points"]) == (14, 14, 3, 3)


def test_what_was_dealt_with_the_shop_is_part_of_a_position():
    """ROGUE-75, 76. Sixty purchases and sales in a turn, no more."""
    shop = {"map": CROSS | {"5,12": "H"}, "rules": {"sold_items": "back_to_shop"}}
    game = table(a("bard", gold=20, hand=["sword"]), deals=DEALS_MAX - 2, **shop)
    assert again(game).position == game.position
    game.do("sell Sword")
    assert (game.position["deals"], "buy" in game.options, "buy" in again(game).options) == (DEALS_MAX - 1, True, True)
    game.do("buy Sword")
    assert not {"buy", "sell"} & {*game.options, *again(game).options}


AWAY = {"9,9": "S", "9,10": "Pf"}


@pytest.mark.parametrize(("way", "back"), [("for good", []), ("for a while", [5, 13])])
def test_rogue_115_a_position_says_who_has_just_left(way: str, back: list[int]):
    """For good everything stays on the cell; for a while he keeps it and comes back. Either way his enemy is whole again."""
    bard = a("bard", EAST, hand=["imp", "key"], worn={"primary": "sword"}, gold=13, leaves=way)
    goblin = an_enemy("goblin", (6, 13), order=[1], health=3)
    game = table(a("rogue"), bard, a("mage", (9, 9)), map=CROSS | AWAY | {"6,13": "Pf"}, enemies=[goblin])
    player, (enemy,) = game.player(1), game.position["enemies"]
    assert (player["at"], player["back"], enemy["order"], enemy["health"]) == ("away" if back else "out", back, [], 8)
    heaps = [] if back else [{"at": [5, 13], "cards": ["10 gold", "2 gold", "1 gold", "key", "imp", "sword"]}]
    assert [heap | {"cards": sorted(heap["cards"])} for heap in game.position["left"]] == [
        heap | {"cards": sorted(heap["cards"])} for heap in heaps
    ]
    assert again(game).position == game.position
    assert game.end_turn().current_player == (1 if back else 2)


def test_rogue_33_61_what_the_dead_leave_may_lie_on_a_bare_card():
    """A scroll leads onto a potion, and poison kills before it is picked up."""
    cells = {"6,12": "P1", "7,12": "P4", "5,12": "O:blue", "5,11": "P5", **AWAY}
    warrior = a("warrior", (6, 12), health=1, poison=2, hand=["scroll_move", "imp", "key"])
    game = table(warrior, a("bard", (9, 10)), map=cells).do("read Scroll of move", "move south").end_turn()
    game.do("keep Imp", "come back at row 9 column 9")
    assert game.position["left"] == [{"at": [5, 12], "cards": ["key"]}]
    assert again(game).position == game.position


# ---- positions that cannot be ---------------------------------------------------------------------------------------

PLAYER = {"character": "bard", "at": list(MIDDLE)}
OTHER = {"character": "mage", "at": list(NORTH)}
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"players": []}, "players: has 0 entries"),
    ({"players": [PLAYER, PLAYER]}, r'players\[1\].character = "bard": sits at the table'),
    ({"players": [PLAYER | {"character": "brad"}]}, r'players\[0\].character = "brad": did you mean "bard"'),
    ({"players": [PLAYER, OTHER | {"at": list(MIDDLE)}]}, r"players\[1\].at = \[5, 12\]: is where seat 0 stands"),
    (
        {"players": [PLAYER | {"at": "dead"}]},
        r'players\[0\].at = "dead": must be .*; only the player who decides "respawn" is dead',
    ),
    ({"map": CROSS | {"5,12": "?"}}, r"players\[0\].at = \[5, 12\]: is a face-down card"),
    ({"players": [PLAYER | {"max_health": 11}]}, r"players\[0\].max_health = 11: follows from the rest and is 10"),
    ({"players": [PLAYER | {"hand": ["sword", "sword"]}]}, 'of "sword" there are 1 in all, but 2'),
    ({"players": [PLAYER | {"hand": ["basilisk_green", "basilisk_yellow"]}]}, r"players\[0\].hand = .*cancel_group"),
    ({"players": [PLAYER | {"worn": {"head": "sword"}}]}, r'players\[0\].worn.head = "sword": is not worn there'),
    ({"players": [PLAYER | {"antidote": 2}]}, r"players\[0\].antidote = 2: must be 0 without poison"),
    ({"map": {"5,12": "?S"}}, r'map."5,12" = "\?S": is a start that lies face-down'),
    ({"map": CROSS | {f"9,{n}": "H" for n in range(4)}}, "map: row 9 column 3: more such tiles"),
    ({"enemies": [an_enemy("troll"), an_enemy("imp")]}, r'enemies\[1\].enemy = "imp": the map has "troll" there'),
    ({"enemies": [an_enemy("troll", (9, 9), order=[0])]}, r"enemies\[0\].order = \[0\]: seat 0 is not adjacent"),
    ({"enemies": [an_enemy("troll")], "step": "move"}, 'step = "move": must be fight'),
    ({"left": [{"at": [9, 9], "cards": ["key"]}]}, r"left\[0\].at = \[9, 9\]: is no face-up tile"),
    ({"potions": {"blue": "healing", "red": "healing"}}, 'potions.red = "healing": is what another colour does'),
    ({"unseen": {}, "map": CROSS | {"9,9": "?"}}, "unseen = {}: 1 cards lie face-down, but only 0 are unseen"),
    (
        {"unseen": {"goblin": 4}, "gone": {"goblin": 0}},
        'unseen = .*: of "key" there are 1 in all, but 0: 0 on the table and in hands, 0 unseen, 0 gone',
    ),
    ({"deals": 61}, "deals = 61: must be a whole number from 0 to 60"),
    ({"players": [PLAYER, OTHER], "stuck_turns": 2}, "stuck_turns = 2: must be at most 1; with one more the end rush"),
    ({"map": CROSS | {"5,12": "O:blue"}}, r'players\[0\].put_off: must be "all" or "after_trap" on a cell with a card'),
    ({"players": [PLAYER | {"leaves": "for good"}, OTHER]}, r'leaves = "for good": must be "no" for the active seat'),
    ({"rush": True}, "rush = true: a lone player has no end rush"),
    ({"decision": "throw_at"}, "pending.potion: is missing"),
]


@pytest.mark.parametrize(("wrong", "message"), IMPOSSIBLE, ids=lambda part: part if isinstance(part, str) else None)
def test_positions_that_cannot_be_are_refused(wrong: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(card_set(), {"players": [PLAYER], "map": CROSS} | wrong)
