"""CHARM, PACIFY, PACIFIST, HEAL, MORALE and SPELL: each alone, and combined with others (RIFT-82, 90, 93 to 95, 106)."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

MORE = """
fae_dove | 1 | 1/4 | 100 | AURA(2) | aura enemy keyword PACIFIST
fae_witch | 1 | 2/5 | 100 | SPELL, PACIFIST | action damage 5, chosen enemy 1
"""

# CHARM


def test_rift_82_who_is_charmed_does_not_attack_in_the_next_own_turn():
    game = table("fae_charmer", "soldier_crossbow [9 health], beast_cub").act("A0.0", "charm", "B0.0")
    assert (game.bears("B0.0"), game.of("A0.0", "acted")) == ("soldier_crossbow, 9 health, charm waits", 1)
    game.end()
    assert game.can("B0.0") == ["B0.1", "ready"]
    assert "A0.0" in game.can("B0.1")
    game.end()
    assert game.bears("B0.0") == "soldier_crossbow, 9 health"
    assert game.end().can("B0.0") == ["B0.1", "A0.0", "A", "ready"]


def test_rift_82_99_who_is_charmed_may_make_ready():
    game = table("fae_charmer", "soldier_crossbow").act("A0.0", "charm").end().act("B0.0", "ready")
    assert (game.of("B0.0", "ready"), game.can("B0.0")) == (3, [])


def test_rift_82_111_a_charm_ends_with_the_old_creature():
    game = table("fae_charmer", "beast_shifter").act("A0.0", "charm").end().act("B0.0", "transform").end()
    assert game.end().can("B0.0") == ["A0.0"]


def test_rift_82_108_charm_turns_its_user_up_and_leaves_the_charmed_one_down():
    own = "fae_charmer [has STEALTH, face down]"
    game = table(own, "fae_stalker [face down]").act("A0.0", "charm")
    assert (game.of("A0.0", "face_down"), game.of("B0.0", "face_down")) == (0, 1)


# PACIFY


def test_rift_94_who_is_pacified_has_no_action_in_the_next_own_turn_but_its_move():
    game = table("fae_peacekeeper", "soldier_crossbow, beast_cub").act("A0.0", "pacify", "B0.0").end()
    assert game.can("B0.0") == ["B0.1"]
    game.end()
    assert "ready" in game.end().can("B0.0")


def test_rift_83_94_pacify_does_not_end_a_dash():
    game = table("fae_peacekeeper", "soldier_scout, beast_cub").act("A0.0", "pacify", "B0.0").end()
    game.swap("B0.0", "B0.1").swap("B0.1", "B0.0")
    assert game.can("B0.0") == []


def test_rift_82_94_one_that_comes_while_another_acts_waits_for_the_turn_after():
    """A trick charms the attacker in its own turn."""
    more = "fae_imp | 1 | 1/9 | 100 | TRICK, TRICK | trick charm, trigger + pacify, same; trick draw 1"
    game = table("beast_cub", a("fae_imp", tricks="ambush"), more=more).attack("A0.0", "B0.0", "B0.0")
    assert game.bears("A0.0") == "beast_cub, acted, charm waits, pacify waits"
    game.end().end()
    assert (game.bears("A0.0"), game.can("A0.0")) == ("beast_cub, charmed, pacified", [])
    assert game.end().end().can("A0.0") == ["B0.0"]


# PACIFIST


def test_rift_80_95_peace_may_be_lent_to_enemies():
    game = table("beast_cub / soldier_crossbow", "fae_dove / beast_cub", more=MORE)
    assert (game.can("A0.0"), game.can("A1.0")) == (["A1.0"], ["A0.0", "ready"])
    game = table("beast_cub / beast_boar / soldier_crossbow", "fae_dove / beast_cub", more=MORE)
    assert game.can("A2.0") == ["A1.0", "B0.0", "ready"]


def test_rift_95_106_a_pacifist_may_do_harm_that_is_no_attack():
    game = table("fae_witch", "beast_charger [2 shield]", more=MORE).act("A0.0", "spell")
    assert (game.bears("B0.0"), game.of("A0.0", "damage")) == ("beast_charger, 3 damage", 0)


# HEAL


def test_rift_90_heal_reaches_neighbours_and_from_the_last_row_the_player():
    game = table(a("soldier_medic, beast_troll [5 damage] / beast_cub", life=40)).do("use A0.0", "heal")
    assert game.options == ["A0.1", "A1.0"]
    assert game.do("A0.1").bears("A0.1") == "beast_troll, 2 damage"
    game = table(a("beast_cub / soldier_medic", life=40)).do("use A1.0", "heal")
    assert game.options == ["A0.0", "A"]
    assert game.do("A").life(A) == 43


@pytest.mark.parametrize(("life", "healed"), [(48, 50), (50, 50)])
def test_rift_90_no_life_goes_beyond_that_of_the_start(life, healed):
    assert table(a("soldier_medic", life=life)).act("A0.0", "heal").life(A) == healed


def test_rift_64_90_heal_removes_no_more_than_there_is_and_is_allowed_for_nothing():
    game = table("soldier_medic, beast_cub [1 damage]").act("A0.0", "heal", "A0.1")
    assert (game.bears("A0.1"), game.of("A0.0", "acted")) == ("beast_cub", 1)
    game = table("soldier_medic, beast_cub").act("A0.0", "heal", "A0.1")
    assert game.of("A0.0", "acted") == 1


def test_rift_89_90_who_entered_heals_at_once_with_haste_only():
    assert table("soldier_medic [entered], beast_cub").can("A0.0") == ["A0.1"]
    assert table("soldier_medic [entered, has HASTE], beast_cub").can("A0.0") == ["A0.1", "heal"]


# MORALE


@pytest.mark.parametrize(("variant", "stats"), [("attack", "3/2"), ("health", "2/3")])
def test_rift_93_morale_enters_as_attack_or_as_health(variant, stats):
    rules = {"morale_start": variant}
    game = table("soldier_recruit", "", hand="soldier_drummer", xp=1000, rules=rules).play("soldier_drummer", "0.1")
    assert (game.stats("A0.0"), game.stats("A0.1")) == (stats, "2/4")


def test_rift_93_the_action_switches_it_and_back():
    game = table("soldier_recruit, soldier_drummer").act("A0.1", "morale")
    assert (game.stats("A0.0"), game.bears("A0.1")) == ("2/3", "soldier_drummer, morale health, acted")
    assert game.end().end().act("A0.1", "morale").stats("A0.0") == "3/2"


def test_rift_70_93_who_lived_by_morale_dies_when_it_leaves():
    own = "soldier_recruit [2 damage], soldier_drummer [morale health, 3 damage]"
    game = table(own, "soldier_guard").attack("A0.1", "B0.0")
    assert (game.who(A), game.pile("discard", A)) == ("", "soldier_drummer, soldier_recruit")


def test_rift_93_morale_of_several_adds_up_for_neighbours_of_the_own_side():
    game = table("soldier_drummer, soldier_drummer / soldier_recruit / soldier_recruit", "beast_cub")
    assert [game.stats(spot) for spot in ("A0.0", "A0.1", "A1.0", "A2.0", "B0.0")] == ["3/4", "3/4", "4/2", "2/2", "2/2"]


def test_rift_93_108_morale_is_silent_face_down():
    game = table("soldier_drummer [face down, has STEALTH], soldier_recruit", "beast_cub")
    assert game.stats("A0.1") == "2/2"
    game.attack("A0.0", "B0.0")
    assert game.stats("A0.1") == "3/2"


def test_rift_85_93_morale_of_the_dormant_acts():
    game = table("soldier_drummer [has DORMANT], soldier_recruit")
    assert (game.stats("A0.1"), game.can("A0.0")) == ("3/2", [])


def test_rift_93_110_who_swarms_has_no_morale_but_takes_that_of_others():
    game = table("soldier_drummer [has SWARM(2)], soldier_marshal")
    assert (game.stats("A0.0"), game.stats("A0.1"), game.can("A0.0")) == ("6/8", "5/9", ["A0.1", "B"])


# SPELL


def test_rift_106_spell_does_what_its_card_says_and_is_no_attack():
    game = table("undead_plaguebearer", "beast_cub [1 damage]").act("A0.0", "spell")
    assert (game.who(B), game.xp(A), game.of("A0.0", "damage"), game.can("A0.0")) == ("", 0, 0, [])


def test_rift_106_without_a_target_the_action_is_spent_for_nothing():
    assert table("undead_plaguebearer").act("A0.0", "spell").bears("A0.0") == "undead_plaguebearer, acted"


def test_rift_11_106_shields_of_a_queen_last_until_the_next_own_turn():
    game = table("fae_queen, beast_cub").act("A0.0", "spell").end()
    assert (game.of("A0.0", "shield"), game.of("A0.1", "shield")) == (2, 2)
    assert game.end().of("A0.1", "shield") == 0


def test_rift_99_106_a_spell_does_not_use_what_is_ready():
    game = table("fae_witch [3 ready]", "beast_charger", more=MORE).act("A0.0", "spell")
    assert (game.of("B0.0", "damage"), game.of("A0.0", "ready")) == (5, 3)
