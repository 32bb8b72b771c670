"""Details of turns, cards and places in the Riftborn Tactics model."""

import pytest

from tests.games.riftborn.model.attack import creature_codes
from tests.games.riftborn.model.cards import Effect, ability
from tests.games.riftborn.model.documents import odd_cards
from tests.games.riftborn.model.effects import Acting, run_list
from tests.games.riftborn.model.placement import abilities
from tests.games.riftborn.model.placement import attack as attack_of
from tests.games.riftborn.model.positions import (
    A,
    B,
    Lots,
    a_table,
    at,
    at_main,
    attach,
    cards_of,
    formation,
    hold,
    ids,
    run,
    with_level,
)
from tests.games.riftborn.model.state import ACTIVE, ENEMY, WAITING, GameOver
from tests.games.riftborn.model.turn import CREATURE, END, main_codes, mulligan, play_card, playable, start_step

LEVEL_20 = 70000


def test_rift_07_kept_cards_stay_in_order_and_returned_ones_may_come_back():
    table = a_table()
    hold(table, A, "spark", "recall", "awaken")
    table.players[A].library = cards_of(table, "wither")
    table.chance = Lots(["spark", "awaken", "wither"], cards=table.cards)
    run(mulligan(table, A), 1, 0, 1)
    assert ids(table.players[A].hand) == ["recall", "spark", "awaken"]
    assert ids(table.players[A].library) == ["wither"]


def test_rift_12_a_card_that_is_twice_in_hand_is_one_choice():
    table = a_table()
    hold(table, A, "spark", "recall", "spark", "wither")
    assert playable(table, A) == [0, 1]


@pytest.mark.parametrize(("name", "codes"), [("beast_cub", [1]), ("beast_runner", [1, 15])])
def test_rift_14_who_has_entered_may_move_and_with_haste_act(name, codes):
    table = a_table("soldier_guard", "soldier_guard, soldier_guard")
    with_level(table, A, LEVEL_20)
    hold(table, A, name)
    run(play_card(table, A, 0), 0)
    assert creature_codes(table, at(table, A)) == codes


def test_rift_16_a_charm_on_a_creature_that_bears_one_waits_for_the_next_turn():
    table = a_table("beast_cub", "beast_cub")
    cub = at(table, A)
    cub.charm = ACTIVE | WAITING
    game = at_main(table)  # it cannot attack: A's turn goes by
    assert (table.active, cub.charm) == (B, WAITING)
    game.apply(END)  # and so does the next
    assert (table.active, cub.charm, table.turn) == (B, 0, 3)
    game.apply(END)
    assert (table.active, game.codes) == (A, [END, CREATURE])


@pytest.mark.parametrize(("rows", "codes"), [("", [0]), ("beast_cub", [0, 1, 5])])
def test_rift_30_places(rows, codes):
    assert a_table(rows).gaps(A) == codes


def test_rift_30_no_place_among_fifteen():
    row = ", ".join(["beast_cub"] * 5)
    table = a_table(" / ".join([row] * 3))
    with_level(table, A, LEVEL_20)
    hold(table, A, "beast_cub", "spark")
    assert table.gaps(A) == []
    assert playable(table, A) == [1]


def test_rift_32_rows_step_forward():
    table = a_table("beast_cub / soldier_archer, beast_hawk")
    table.remove(at(table, A))
    assert formation(table, A) == [["soldier_archer", "beast_hawk"]]


def test_rift_27_free_play_brings_experience_and_uses_no_budget_and_snare_comes_before_echo():
    table = a_table("", "fae_queen")
    with_level(table, A, 1000)
    hold(table, A, "rift_gate", "undead_giant", "beast_boar")
    table.players[B].tricks = {"snare", "echo"}
    table.players[B].library = cards_of(table, "spark", "spark")
    run(play_card(table, A, 0), 0, 0)  # Weakness on the boar by snare, then by echo without a target
    assert (table.players[A].xp, table.players[A].used_levels) == (1450, 3)
    assert (at(table, A).card.id, at(table, A).weakness) == ("beast_boar", 2)
    assert ids(table.players[A].hand) == ["undead_giant"]
    assert (table.players[B].tricks, ids(table.players[B].hand)) == (set(), [])


def test_rift_28_weapons_may_be_used_at_once():
    table = a_table("", "beast_troll")
    hold(table, A, "short_sword")
    run(play_card(table, A, 0))
    assert main_codes(table) == [0, 76]


def test_rift_52_a_used_weapon_rests_unless_uses_are_unlimited():
    for uses, codes in (("once", [0]), ("unlimited", [0, 76])):
        table = a_table("", "beast_troll", weapon_uses=uses)
        attach(table, A, "short_sword")
        game = at_main(table)
        game.apply(76)
        if uses == "unlimited":
            assert game.codes == codes
        else:
            assert at(table, B).damage == 2
            assert table.players[A].weapons[0].uses == 2


def test_rift_52_a_worn_weapon_goes_to_the_discard_pile_and_its_kill_earns():
    table = a_table("", "beast_cub")
    attach(table, A, "short_sword")
    table.players[A].weapons[0].uses = 1
    game = at_main(table)
    game.apply(76)
    assert (table.players[A].weapons, ids(table.players[A].discard)) == ([], ["short_sword"])
    assert table.facts.gained[A]["kill"] == 100


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ("RANGE(3)", "soldier_archer", {"RANGE": 3}),
        ("RANGE(1)", "soldier_archer", {"RANGE": 2}),
        ("UNDEATH", "undead_wight", {"UNDEATH": 2}),
        ("SWARM(2)", "beast_pack", {"SWARM": 3}),
        ("MAGIC", "beast_pack", {"SWARM": 3}),
        ("SWARM(4)", "beast_pack", {"SWARM": 4}),
    ],
)
def test_rift_60_what_is_granted(given, name, expected):
    table = a_table(name)
    entry = Effect("grant", keyword=ability(given), target="each", side="friend")
    run(run_list(table, (entry,), Acting(A)))
    assert abilities(table, at(table, A)) == expected


def test_rift_61_only_the_sum_is_floored():
    table = a_table("beast_cub")
    cub = at(table, A)
    cub.weakness = 5
    assert attack_of(table, cub) == 0
    cub.rage = 4
    assert attack_of(table, cub) == 1


def test_rift_130_both_may_fall_together_only_by_one_effect():
    table = a_table(cards=odd_cards())
    table.players[A].life = table.players[B].life = 3
    hold(table, A, "odd_quake")
    with pytest.raises(GameOver):
        run(play_card(table, A, 0))
    assert (table.over, table.winner) == (True, None)
    assert ids(table.players[A].waiting) == ["odd_quake"]  # nothing further resolves


def test_rift_131_a_game_without_end_is_stopped():
    table = a_table("beast_cub", turn_cap=40)
    game = at_main(table)
    while game.codes:
        game.apply(END)
    assert (table.turn, table.over, table.winner) == (40, False, None)


def test_rift_09_the_first_turn_brings_experience_and_no_card():
    table = a_table()
    table.players[A].library = cards_of(table, "spark", "recall")
    run(start_step(table))
    assert (table.players[A].hand, table.players[A].xp) == ([], 300)
    table.turn = 2
    run(start_step(table))
    assert ids(table.players[A].hand) == ["spark"]


def test_target_codes_are_those_of_the_chooser():
    table = a_table("beast_cub", "beast_cub, beast_troll")
    hold(table, A, "spark")
    game = at_main(table)
    game.apply(1)
    assert game.codes == [0, ENEMY, ENEMY + 1]
