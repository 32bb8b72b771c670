"""RIFT-52, 53 on the kernels: Weapons in use, several Weapons and Armours; G-35."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

# ---- whom a Weapon hits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "hit"),
    [
        ("", "beast_cub, beast_boar / beast_hawk", ["B0.0", "B0.1"]),
        ("soldier_guard", "beast_cub, beast_boar", []),
        ("soldier_guard", "beast_cub, beast_boar, beast_troll", ["B0.0", "B0.2"]),
        ("soldier_guard", "beast_cub", []),
        ("", "beast_cub / beast_boar, beast_hawk", ["B0.0"]),
        ("", "beast_cub / beast_boar, beast_hawk, beast_troll", ["B0.0", "B1.0", "B1.2"]),
        ("beast_cub / beast_cub, beast_cub", "beast_boar, beast_boar, beast_boar", []),
        ("beast_cub / beast_cub", "beast_boar, beast_boar, beast_boar", ["B0.0", "B0.2"]),
    ],
)
def test_rift_52_golden_g35_a_weapon_hits_whom_nobody_stands_before(own, other, hit):
    assert table(own, other, weapons="short_sword").hits("short_sword") == hit


@pytest.mark.parametrize(
    ("own", "other", "hit"),
    [
        ("", "beast_cub / beast_boar / beast_hawk", ["B0.0", "B1.0", "B2.0"]),
        ("beast_cub", "beast_cub / beast_boar / beast_hawk", ["B0.0", "B1.0"]),
        ("beast_cub / beast_cub", "beast_cub / beast_boar", ["B0.0"]),
        ("beast_cub / beast_cub / beast_cub", "beast_cub", []),
        ("beast_cub / beast_cub / beast_cub", "beast_cub, beast_boar, beast_hawk", ["B0.0", "B0.2"]),
    ],
)
def test_rift_52_with_range_it_reaches_over_own_rows_and_theirs(own, other, hit):
    assert table(own, other, weapons="longbow").hits("longbow") == hit


@pytest.mark.parametrize("weapon", ["short_sword", "rune_staff"])
@pytest.mark.parametrize("cover", ["always", "face_down"])
def test_rift_52_never_one_with_stealth(weapon, cover):
    rules = {"stealth_cover": cover}
    assert table("", "fae_stalker [face down]", weapons=weapon, rules=rules).hits(weapon) == []
    face_up = ["B0.0"] if cover == "face_down" else []
    assert table("", "fae_stalker", weapons=weapon, rules=rules).hits(weapon) == face_up


def test_rift_52_weapons_never_attack_players():
    assert table("", "", weapons="rune_staff, short_sword").options == ["end"]


# ---- what it does ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "target", "bears"),
    [
        ("short_sword", "beast_troll", "beast_troll, 2 damage"),
        ("longbow", "beast_shellback", "beast_shellback, 1 damage"),
        ("rune_staff", "beast_shellback [1 health]", "beast_shellback, 4 damage, 1 health"),
        ("longbow", "beast_troll [2 shield]", "beast_troll, 1 damage"),
        ("short_sword", "beast_boar", "beast_boar, 2 damage, 1 rage"),
        ("short_sword", "beast_boar [5 shield]", "beast_boar, 1 rage, 3 shield"),
        ("longbow", "undead_wight [1 damage]", "undead_wight, 3 damage, lost UNDEATH"),
        ("short_sword", "beast_troll [face down]", "beast_troll, 2 damage"),
    ],
)
def test_rift_52_its_attack_is_halved_by_resistance_unless_magic_and_meets_shields_and_rage(weapon, target, bears):
    game = table("", target, weapons=weapon).wield(weapon)
    assert game.bears("B0.0") == bears


def test_rift_52_nobody_answers_and_nothing_passes_on():
    game = table("soldier_marshal", "soldier_knight [6 damage] / beast_cub", weapons="longbow").wield("longbow", "B0.0")
    assert (game.who(B), game.life(A), game.life(B), game.bears("A0.0")) == ("beast_cub", 50, 50, "soldier_marshal")
    assert game.of("B0.0", "damage") == 0


@pytest.mark.parametrize(("target", "xp"), [("beast_cub", 100), ("beast_troll", 0), ("undead_skeleton", 0)])
def test_rift_52_a_kill_is_paid_for(target, xp):
    assert table("", target, weapons="short_sword").wield("short_sword").xp(A) == xp


def test_rift_52_each_use_takes_a_point_of_its_health_and_at_0_it_goes_to_the_discard_pile():
    game = table(a(weapons="short_sword, longbow", library="wither, wither, wither"), "undead_giant")
    for left in ("short_sword 2, longbow 3", "short_sword 1, longbow 3", "longbow 3"):
        game.wield("short_sword")
        assert game.weapons(A) == left
        game.end().end()
    assert (game.pile("discard", A), "wield longbow" in game.options) == ("short_sword", True)


def test_rift_52_a_depleted_weapon_is_removed():
    stick = "stick | weapon | 1 | 1/1 | 50 | DEPLETED |"
    game = table("", "beast_troll", weapons="stick", others=stick).wield("stick")
    assert (game.weapons(A), game.pile("removed", A), game.pile("discard", A)) == ("", "stick", "")


def test_rift_52_a_used_one_stays_used_when_another_breaks():
    stick = "stick | weapon | 1 | 1/1 | 50 | |"
    game = table("", "undead_giant", weapons="stick, short_sword", others=stick).wield("short_sword").wield("stick")
    assert (game.weapons(A), game.options) == ("short_sword 2", ["end"])


@pytest.mark.parametrize(("uses", "again"), [("once", False), ("unlimited", True)])
def test_rift_52_each_may_be_used_once_a_turn(uses, again):
    game = table(a(weapons="short_sword, short_sword"), "undead_giant", rules={"weapon_uses": uses})
    game.wield("short_sword")
    assert [f"wield {word}" in game.options for word in ("short_sword", "short_sword 2")] == [again, True]
    assert game.wield("short_sword 2").weapons(A) == "short_sword 2, short_sword 2"
    assert ("wield short_sword" in game.options) == again


def test_rift_52_with_unlimited_uses_it_lasts_as_long_as_its_health():
    game = table("", "undead_giant", weapons="short_sword", rules={"weapon_uses": "unlimited"})
    game.wield("short_sword").wield("short_sword").wield("short_sword")
    assert (game.of("B0.0", "damage"), game.options) == (6, ["end"])


def test_rift_52_it_is_fresh_in_the_next_own_turn_and_rests_in_the_opponents():
    game = table("", "undead_giant", weapons="short_sword").wield("short_sword").end()
    assert game.options == ["end", "use B0.0"]
    assert game.end().options == ["end", "wield short_sword"]


def test_rift_52_it_may_be_used_in_the_turn_it_was_played():
    game = table("", "beast_troll", hand="short_sword").play("short_sword")
    assert game.wield("short_sword").of("B0.0", "damage") == 2


# ---- several --------------------------------------------------------------------------------------------------------


def test_rift_53_any_number_of_weapons_and_armours_may_be_attached():
    weapons = ["short_sword", "short_sword", "longbow", "longbow", "rune_staff", "rune_staff"]
    armours = ["plate_armour", "chain_armour", "chain_armour", "leather_armour", "leather_armour"]
    game = table(hand=", ".join(weapons + armours), xp=70000, changes={f"card.{card}.level": 1 for card in weapons + armours})
    for card in weapons + armours:
        game.play(card)
    assert game.weapons(A) == "short_sword 3, short_sword 3, longbow 3, longbow 3, rune_staff 3, rune_staff 3"
    assert game.armour(A) == "plate_armour 15, chain_armour 9, chain_armour 9, leather_armour 4, leather_armour 4"


def test_rift_53_there_is_room_for_all_that_a_deck_may_hold():
    blade = "blade | weapon | 1 | 1/1 | 50 | |\nmail | armour | 1 | 0/1 | 50 | |"
    own = a(hand="blade, mail", weapons=", ".join(["blade"] * 7), armour=", ".join(["mail"] * 7), xp=500)
    game = table(own, others=blade).play("blade").play("mail")
    assert (game.weapons(A).count("blade"), game.armour(A).count("mail")) == (8, 8)
