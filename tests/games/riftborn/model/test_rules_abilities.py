"""Details of abilities and tricks in the Riftborn Tactics model."""

import pytest

from tests.games.riftborn.model.attack import attack, attack_codes, creature_codes, use_creature
from tests.games.riftborn.model.documents import odd_cards
from tests.games.riftborn.model.effects import death_check, work_off
from tests.games.riftborn.model.placement import abilities, maximum
from tests.games.riftborn.model.placement import attack as attack_of
from tests.games.riftborn.model.players import draw
from tests.games.riftborn.model.positions import A, B, a_table, at, cards_of, formation, hold, ids, run, with_level
from tests.games.riftborn.model.turn import play_card

LEVEL_20 = 70000


def test_rift_80_auras_reach_friends_and_enemies_and_not_themselves():
    table = a_table("beast_alpha, beast_cub, beast_cub", "undead_banshee")
    assert [attack_of(table, one) for one in table.players[A].creatures] == [5, 2, 1]
    at(table, B).face_down = True
    assert [attack_of(table, one) for one in table.players[A].creatures] == [6, 3, 2]


def test_rift_84_depleted_cards_leave_the_game():
    table = a_table("undead_sleeper")
    hold(table, A, "awaken")
    run(play_card(table, A, 0))
    assert (ids(table.players[A].discard), ids(table.players[A].removed)) == ([], ["awaken"])
    assert abilities(table, at(table, A)) == {}


def test_rift_85_who_was_woken_may_act_this_turn():
    table = a_table("undead_sleeper, beast_cub", "soldier_guard")
    assert creature_codes(table, at(table, A)) == []
    assert creature_codes(table, at(table, A, 0, 1)) == [15]  # nor be swapped
    del at(table, A).own["DORMANT"]
    assert creature_codes(table, at(table, A)) == [1, 15]


def test_rift_90_heal_reaches_the_player_from_the_last_row_only():
    table = a_table("soldier_medic, beast_cub / beast_cub")
    medic = at(table, A)
    table.players[A].life = 48
    assert 32 in creature_codes(table, medic)
    at(table, A, 1).damage = 1
    run(use_creature(table, medic), 32, 5)
    assert at(table, A, 1).damage == 0
    table = a_table("beast_cub / soldier_medic")
    table.players[A].life = 48
    run(use_creature(table, at(table, A, 1)), 32, 30)
    assert table.players[A].life == 50


def test_rift_104_looking_orders_the_library():
    table = a_table(cards=odd_cards())
    with_level(table, A, LEVEL_20)
    hold(table, A, "odd_armour")
    table.players[A].library = cards_of(table, "spark", "recall", "awaken", "wither")
    run(play_card(table, A, 0), 2, 1)
    assert ids(table.players[A].library) == ["awaken", "recall", "spark", "wither"]


def test_rift_108_a_hidden_creature_is_attacked_from_nearby_only():
    for cover, codes in (("always", []), ("face_down", [15])):
        table = a_table("beast_cub / soldier_archer", "fae_stalker", stealth_cover=cover)
        assert attack_codes(table, at(table, A, 1)) == codes
        at(table, B).face_down = True
        assert attack_codes(table, at(table, A, 1)) == []
        assert attack_codes(table, at(table, A)) == [15]


def test_rift_109_as_many_tokens_as_fit_beside_the_summoner():
    table = a_table("odd_bearer", cards=odd_cards(max_rows=1, max_per_row=3))
    run(use_creature(table, at(table, A)), 37, 0, 1)
    assert formation(table, A) == [["tok_eggs", "tok_eggs", "odd_bearer"]]
    assert table.players[A].xp == 40


def test_rift_110_multiply_ends_all_other_abilities_and_turns_up():
    table = a_table("fae_stalker")
    stalker = at(table, A)
    stalker.face_down = True
    with_level(table, A, 2000)
    hold(table, A, "multiply")
    run(play_card(table, A, 0))
    assert (abilities(table, stalker), stalker.face_down, maximum(table, stalker)) == ({"SWARM": 2}, False, 8)


@pytest.mark.parametrize(("keeps", "left"), [("nothing", (0, 0)), ("tokens", (3, 1))])
def test_rift_111_what_the_token_keeps(keeps, left):
    table = a_table("beast_shifter", transform_keeps=keeps)
    shifter = at(table, A)
    shifter.damage, shifter.rage, shifter.swaps = 3, 1, 1
    run(use_creature(table, shifter), 38)
    token = at(table, A)
    assert (token.damage, token.rage, token.swaps, token.acted) == (*left, 1, True)


def test_rift_115_a_trick_card_lies_there_once():
    table = a_table()
    with_level(table, A, LEVEL_20)
    table.players[A].tricks = {"ambush", "wake"}
    hold(table, A, "fae_queen")
    run(play_card(table, A, 0), 2, 0)
    assert table.players[A].tricks == {"ambush", "wake", "pitfall"}


def test_rift_117_who_is_killed_by_the_ambush_does_not_strike():
    table = a_table("beast_runner", "fae_trickster")
    table.players[B].tricks = {"ambush"}
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, A), at(table, B).damage, table.players[B].xp) == ([], 0, 0)


def test_rift_117_the_tricks_of_the_other_player_come_first():
    table = a_table("beast_runner, fae_queen", "beast_runner, fae_queen")
    for player in table.players:
        player.tricks = {"wake"}
    for seat in (A, B):
        at(table, seat).damage = 1
    death_check(table)
    assert [waiting.owner for waiting in table.queue] == [B, A]
    table.players[A].library = cards_of(table, "spark")
    run(work_off(table), 0, 1)
    assert ids(table.players[A].hand) == ["spark"]


def test_rift_118_without_a_creature_with_trick_nothing_happens():
    table = a_table("beast_cub", "beast_troll")
    table.players[B].tricks = {"ambush"}
    run(attack(table, at(table, A), at(table, B)))
    assert (table.players[B].tricks, at(table, B).damage) == (set(), 2)


def test_rift_120_the_discard_pile_refills_the_library_and_looking_does_not():
    table = a_table()
    player = table.players[A]
    player.library, player.discard = cards_of(table, "spark"), cards_of(table, "recall")
    draw(table, A, 3)
    assert (ids(player.hand), player.discard, table.facts.refills[A]) == (["spark", "recall"], [], 1)
