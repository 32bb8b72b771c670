"""Golden examples about cards, places, exchanges and abilities, by the plain-Python model."""

import pytest

from sim.games.riftborn.state import Wound
from tests.games.riftborn.model.attack import attack, attack_codes, halved, move, use_creature
from tests.games.riftborn.model.placement import abilities, adjacent, hurt, maximum
from tests.games.riftborn.model.placement import attack as attack_of
from tests.games.riftborn.model.players import hit_player
from tests.games.riftborn.model.positions import (
    A,
    B,
    Lots,
    a_table,
    at,
    attach,
    cards_of,
    formation,
    hold,
    ids,
    reference,
    run,
    with_level,
)
from tests.games.riftborn.model.state import ENEMY, PER_ROW, THE_OPPONENT
from tests.games.riftborn.model.turn import END, new_game, play_card, playable, start_step

ENEMIES = [ENEMY + slot for slot in range(15)]  # codes of B's slots as A sees them
ROW_1 = PER_ROW


def test_golden_g01_levels():
    table = a_table()
    reached = []
    for xp in (0, 499, 500, 999, 1000, 2999, 3000, 69999, 70000, 100000):
        table.players[A].xp = xp
        reached.append(table.level(A))
    assert reached == [1, 1, 2, 2, 3, 4, 5, 19, 20, 20]


@pytest.mark.parametrize(
    ("names", "fit"),
    [
        (["wither"], True),
        (["curse_row", "spark"], True),
        (["spark", "awaken", "mending"], True),
        (["wither", "spark"], False),
        (["curse_row", "war_cry"], False),
    ],
)
def test_golden_g02_what_fits_at_level_3(names, fit):
    table = a_table()
    with_level(table, A, 1200)
    hold(table, A, *names)
    while 0 in playable(table, A):
        run(play_card(table, A, 0))
    assert (not table.players[A].hand) is fit


@pytest.mark.parametrize(("name", "kind", "n"), [("undead_wight", "health", 1), ("undead_giant", "decay", 5)])
def test_golden_g03_undeath_returns_with_maximum_health_less_one(name, kind, n):
    table = a_table("beast_charger", f"{name} / beast_cub")
    undead, charger = at(table, B), at(table, A)
    undead.add(kind, n)
    run(attack(table, charger, undead))
    assert (undead.damage, "UNDEATH" in undead.own) == (4, False)
    assert (table.players[A].xp, at(table, B, 1).damage, table.players[B].life) == (0, 0, 50)
    assert charger.damage == {"undead_wight": 1, "undead_giant": 4}[name]


def test_golden_g04_two_against_one_are_all_adjacent():
    table = a_table("beast_cub, beast_cub", "beast_cub")
    one = at(table, B)
    for other in table.players[A].creatures:
        assert adjacent(table, one, other)
        assert adjacent(table, other, one)
        assert attack_codes(table, other) == [ENEMIES[0]]
    assert attack_codes(table, one) == [ENEMIES[0], ENEMIES[1]]


def test_golden_g05_only_range_reaches_the_second_row():
    table = a_table("beast_cub, soldier_archer", "beast_cub / beast_cub")
    assert attack_codes(table, at(table, A, 0, 0)) == [ENEMIES[0]]
    assert attack_codes(table, at(table, A, 0, 1)) == [ENEMIES[0], ENEMIES[ROW_1]]


def test_golden_g06_the_ends_of_the_rear_row_may_attack_the_opponent():
    table = a_table("beast_cub / beast_cub, beast_cub, beast_cub", "beast_cub / beast_cub")
    targets = [attack_codes(table, creature) for creature in table.players[A].creatures]
    assert targets == [[ENEMIES[0]], [THE_OPPONENT], [], [THE_OPPONENT]]


def test_golden_g07_the_ends_of_the_rear_row_may_attack_those_before_them():
    table = a_table("beast_cub / beast_cub, beast_cub, beast_cub", "beast_cub, beast_cub, beast_cub")
    targets = [attack_codes(table, creature) for creature in table.players[A].creatures]
    assert targets == [[ENEMIES[1]], [ENEMIES[0]], [], [ENEMIES[2]]]


def test_golden_g08_drawn_first_then_looked_at():
    table = a_table()
    with_level(table, A, 500)
    hold(table, A, "fae_seer")
    table.players[A].library = cards_of(table, "spark", "recall", "awaken", "war_cry")
    run(play_card(table, A, 0), 1)
    assert ids(table.players[A].hand) == ["spark"]
    assert ids(table.players[A].library) == ["awaken", "recall", "war_cry"]


def test_golden_g09_recall_does_not_shuffle_itself_back():
    table = a_table()
    hold(table, A, "recall")
    table.players[A].discard = cards_of(table, "spark", "war_cry")
    table.chance = Lots(["war_cry", "spark"], cards=table.cards)
    run(play_card(table, A, 0))
    player = table.players[A]
    assert (ids(player.hand), ids(player.library), ids(player.discard)) == (["war_cry"], ["spark"], ["recall"])


def test_golden_g10_three_targets_own_ones_too():
    table = a_table("beast_troll, soldier_guard", "beast_troll")
    with_level(table, A, 2000)
    hold(table, A, "chain_burst")
    run(play_card(table, A, 0))
    assert [creature.damage for creature in table.everybody()] == [3, 3, 3]


@pytest.mark.parametrize("first", [A, B])
def test_golden_g11_the_first_turns(first):
    model = new_game(reference(mulligans=0), ("soldier_line", "fae_tricks"), Lots(first=first))
    for seat, size in ((first, 5), (1 - first, 6)):
        player = model.table.players[seat]
        assert model.table.active == seat
        assert (player.life, model.table.level(seat), player.xp, len(player.hand)) == (50, 1, 300, size)
        model.apply(END)


def test_golden_g16_a_level_gained_in_the_turn_counts_at_once():
    for budget, left in (("live", []), ("snapshot", ["soldier_recruit"])):
        table = a_table(level_budget=budget)
        with_level(table, A, 450)
        hold(table, A, "beast_cub", "soldier_recruit")
        run(play_card(table, A, 0))
        assert (table.players[A].xp, table.level(A)) == (550, 2)
        if playable(table, A):
            run(play_card(table, A, 0), 0)
        assert ids(table.players[A].hand) == left
        assert table.players[A].xp == (550 if left else 650)


def test_golden_g17_half_the_attack_or_all_of_it():
    table = a_table("beast_cub, fae_sprite, soldier_guard")
    cub, sprite, guard = table.players[A].creatures
    cub.rage = guard.rage = 5
    assert [halved(table, one) for one in (cub, sprite, guard)] == [3, 0, 7]


def test_golden_g18_a_killed_defender_answers():
    for answers, damage in ((True, 1), (False, 0)):
        table = a_table("beast_troll", "soldier_pikeman", dead_retaliate=answers)
        run(attack(table, at(table, A), at(table, B)))
        assert (formation(table, B), at(table, A).damage, table.players[A].xp) == ([], damage, 300)


def test_golden_g19_double_attack_on_a_boar():
    table = a_table("beast_clawcat", "beast_boar")
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, B), at(table, A).damage, table.players[A].xp) == ([], 3, 300)


@pytest.mark.parametrize(("name", "damage"), [("soldier_pikeman", 1), ("soldier_knight", 0)])
def test_golden_g20_block_lets_pierce_through(name, damage):
    table = a_table("soldier_shieldbearer", name)
    run(attack(table, at(table, A), at(table, B)))
    assert at(table, A).damage == damage


def test_golden_g21_resistance_and_magic():
    table = a_table("fae_mage", "beast_shellback")
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, B), at(table, A).damage) == ([], 1)
    table = a_table("beast_cub", "beast_shellback")
    run(attack(table, at(table, A), at(table, B)))
    assert (at(table, B).damage, at(table, A).damage) == (1, 1)
    table = a_table("beast_shellback", "soldier_pikeman")
    run(attack(table, at(table, A), at(table, B)))
    assert (at(table, B).damage, at(table, A).damage) == (3, 0)


def test_golden_g22_no_answer_from_afar():
    table = a_table("beast_cub / soldier_archer", "soldier_guard")
    run(attack(table, at(table, A, 1), at(table, B)))
    assert (at(table, B).damage, at(table, A, 1).damage) == (2, 0)
    table = a_table("soldier_archer", "soldier_guard")
    run(attack(table, at(table, A), at(table, B)))
    assert (at(table, B).damage, formation(table, A)) == (2, [])


def test_golden_g23_flight():
    table = a_table("beast_hawk", "beast_cub / soldier_archer")
    assert attack_codes(table, at(table, A)) == [ENEMIES[0], ENEMIES[ROW_1]]
    run(attack(table, at(table, A), at(table, B, 1)))
    assert (formation(table, B), at(table, A).damage, table.players[A].xp) == ([["beast_cub"]], 1, 200)
    table = a_table("beast_hawk", "fae_sprite / soldier_archer")
    assert attack_codes(table, at(table, A)) == [ENEMIES[0]]


def test_golden_g24_relentless_to_the_player():
    table = a_table("beast_charger", "soldier_archer / soldier_crossbow")
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, B), table.players[B].life) == ([], 49)
    assert (table.players[A].xp, at(table, A).damage) == (600, 1)


@pytest.mark.parametrize(("timing", "damage"), [("strike", 2), ("exchange", 1)])
def test_golden_g25_siphon_before_or_after_the_answer(timing, damage):
    table = a_table("undead_leech", "soldier_guard", siphon_timing=timing)
    at(table, A).damage = 2
    run(attack(table, at(table, A), at(table, B)))
    assert (at(table, A).damage, at(table, B).damage) == (damage, 3)


def test_golden_g26_ready_adds_up_and_is_used_once():
    table = a_table("soldier_crossbow")
    lives = []
    for code in (35, 35, 30, 30):
        run(use_creature(table, at(table, A)), code)
        run(start_step(table))
        lives.append(table.players[B].life)
    assert lives == [50, 50, 40, 36]


def test_golden_g27_only_the_mover_suffers():
    table = a_table("beast_troll, beast_cub / beast_cub", "beast_charger")
    run(move(table, at(table, A), at(table, A, 1)))
    assert formation(table, A) == [["beast_cub", "beast_cub"], ["beast_troll"]]
    assert [creature.damage for creature in table.players[A].creatures] == [0, 0, 3]


def test_golden_g28_the_oldest_armour_first():
    table = a_table()
    player = table.players[A]
    attach(table, A, "leather_armour", "chain_armour")
    hit_player(table, A, 6, Wound.EFFECT)
    assert ([armour.points for armour in player.armours], player.life) == ([7], 50)
    assert ids(player.discard) == ["leather_armour"]
    hit_player(table, A, 8, Wound.EFFECT)
    assert (player.armours, player.life) == ([], 49)


def test_golden_g29_shields_first_and_not_for_long():
    table = a_table("soldier_guard")
    at(table, A).shield = 3
    hurt(table, at(table, A), 5)
    run(start_step(table))
    assert (at(table, A).shield, at(table, A).damage) == (0, 2)


def test_golden_g30_morale():
    table = a_table("soldier_recruit, soldier_drummer")
    recruit, drummer = table.players[A].creatures
    assert [(attack_of(table, one), maximum(table, one)) for one in (recruit, drummer)] == [(3, 2), (2, 4)]
    run(use_creature(table, drummer), 33)
    assert [(attack_of(table, one), maximum(table, one)) for one in (recruit, drummer)] == [(2, 3), (2, 4)]


def test_golden_g31_a_banshee_before_three():
    table = a_table("undead_banshee", "beast_cub, beast_cub, beast_cub")
    assert [attack_of(table, cub) for cub in table.players[B].creatures] == [1, 1, 1]


def test_golden_g32_swarm():
    table = a_table("beast_pack, undead_lich")
    pack, lich = table.players[A].creatures
    with_level(table, A, 2000)
    hold(table, A, "multiply")
    run(play_card(table, A, 0), 1)
    assert [(attack_of(table, one), maximum(table, one)) for one in (pack, lich)] == [(3, 3), (12, 16)]
    assert abilities(table, lich) == {"SWARM": 2}
