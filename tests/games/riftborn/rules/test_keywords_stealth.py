"""STEALTH (RIFT-108): who enters face down, what turns it up, who gets at it; with every ability that acts while it is down."""

import pytest

from tests.games.riftborn.positions import A, a, table

MORE = "fae_ghost | 1 | 2/6 | 100 | STEALTH, TRICK | trick draw 1"
OTHERS = """
mirror | spell | 1 | 0/0 | 50 | | grant SWARM(2), chosen enemy 1
praise | spell | 1 | 0/0 | 50 | | add rage 2, chosen enemy 1
lantern | spell | 1 | 0/0 | 50 | | lose STEALTH, chosen enemy 1
"""
COVERED = "beast_troll / soldier_archer"  # the troll stands beside the stalker, the archer does not


def hidden(*bears: str) -> str:
    """A stalker face down that bears this."""
    return f"fae_stalker [{', '.join(('face down', *bears))}]"


def test_rift_108_it_enters_face_down_with_its_level_and_experience_known():
    game = table("", "", hand="fae_stalker", xp=1000).play("fae_stalker")
    assert (game.bears("A0.0"), game.xp(A)) == ("fae_stalker, face down, entered", 1300)


@pytest.mark.parametrize("ability", ["READY(1)", "HEAL(1)", "MORALE(1)"])
def test_rift_15_108_it_turns_up_before_any_other_action(ability):
    action = ability.split("(")[0].lower()
    assert table(hidden(f"has {ability}")).act("A0.0", action).of("A0.0", "face_down") == 0


@pytest.mark.parametrize(
    ("bears", "spell", "up"),
    [
        ((), "spark", False),
        (("has RAGE(1)",), "spark", True),
        (("has RESISTANCE",), "spark", False),  # it does not act against effects
        (("has UNDEATH", "2 damage"), "spark", True),
        ((), "wither", False),
        (("has UNDEATH", "1 damage"), "wither", True),
        ((), "mirror", True),  # SWARM
        ((), "praise", False),
    ],
)
def test_rift_108_effects_hit_it_and_turn_it_up_only_where_an_ability_acts(bears, spell, up):
    game = table("", hidden(*bears), hand=spell, xp=5000, others=OTHERS)
    before = game.bears("B0.0")
    assert game.play(spell).bears("B0.0") != before
    assert game.of("B0.0", "face_down") == (0 if up else 1)


def test_rift_102_108_resistance_turns_it_up_when_it_halves():
    game = table("beast_charger", f"beast_cub / {hidden('has RESISTANCE')}").attack("A0.0", "B0.0")
    assert game.bears("B0.0") == "fae_stalker, 2 damage, has RESISTANCE"


def test_rift_108_118_its_trick_turns_it_up():
    game = table("beast_charger", a("fae_ghost [face down] / beast_cub", tricks="pitfall"), more=MORE)
    assert game.attack("A0.0", "B0.0").of("B0.0", "face_down") == 0
    other = a("fae_ghost [face down]", tricks="echo")
    assert table("", other, hand="spark", more=MORE).play("spark").of("B0.0", "face_down") == 0
    assert table("", a("fae_ghost [face down]"), hand="spark", more=MORE).play("spark").of("B0.0", "face_down") == 1


@pytest.mark.parametrize(
    ("variant", "face_down", "reaches"),
    [("always", True, False), ("always", False, False), ("face_down", True, False), ("face_down", False, True)],
)
def test_rift_108_only_adjacent_creatures_attack_it_and_no_weapon(variant, face_down, reaches):
    enemy = hidden() if face_down else "fae_stalker"
    game = table(COVERED, enemy, weapons="rune_staff", rules={"stealth_cover": variant})
    assert "B0.0" in game.can("A0.0")
    assert ("B0.0" in game.can("A1.0")) == reaches
    assert (game.hits("rune_staff") == ["B0.0"]) == reaches


@pytest.mark.parametrize("flyer", ["beast_hawk", "beast_cub [has RANGE(2)]"])
def test_rift_88_98_108_neither_flight_nor_range_leads_to_it(flyer):
    enemy = "beast_cub, fae_stalker{}, beast_cub"
    assert "B0.1" not in table(f"beast_cub / beast_cub, {flyer}", enemy.format("")).can("A1.1")
    assert "B0.1" in table(f"beast_cub / beast_cub, {flyer}", enemy.format(" [lost STEALTH]")).can("A1.1")


@pytest.mark.parametrize(("variant", "options"), [("touching", []), ("contact", ["B0.2"])])
def test_rift_34_108_a_clear_path_may_count_as_beside(variant, options):
    game = table(
        "beast_cub / beast_cub, beast_cub, beast_boar", "beast_cub, beast_cub, fae_stalker", rules={"adjacent_enemies": variant}
    )
    assert [word for word in game.can("A1.2") if word[0] == "B"] == options


def test_rift_60_108_without_stealth_there_is_no_cover():
    game = table(COVERED, "fae_stalker", hand="lantern", others=OTHERS)
    assert "B0.0" not in game.can("A1.0")
    assert "B0.0" in game.play("lantern").can("A1.0")


def test_rift_97_108_its_own_strike_and_rage_from_the_answer():
    """Up before its Action, so the answer finds nothing left to turn."""
    game = table(hidden("has RAGE(2)", "9 health"), "beast_troll").attack("A0.0", "B0.0")
    assert game.bears("A0.0") == "fae_stalker, 2 damage, 2 rage, 9 health, has RAGE(2), acted"


def test_rift_111_who_transforms_is_up():
    more = "fae_shade | 1 | 2/4 | 100 | STEALTH, TRANSFORM | transform tok_dire_beast"
    game = table("fae_shade [face down]", "", more=more).act("A0.0", "transform")
    assert game.bears("A0.0") == "tok_dire_beast over fae_shade, acted"
