"""SUMMON, TRANSFORM and TRICK on creatures: each alone, and combined with others (RIFT-109, 111, 112)."""

import pytest

from tests.games.riftborn.positions import A, B, a, table

MORE = """
undead_mother | 1 | 2/3 | 100 | SUMMON(3), HASTE | summon tok_bones
undead_mourner | 1 | 2/3 | 100 | SUMMON(3) | summon tok_gloom
fae_puppet | 1 | 2/4 | 100 | TRANSFORM, DASH(2), READY(2), UNDEATH | transform tok_puff
undead_fog | 1 | 1/4 | 100 | AURA(2) | aura all health -1
tok_gloom | 0 | 1/4 | 20 | AURA(1) | aura friend health -2
tok_puff | 0 | 1/2 | 30 | MORALE(1), HASTE, READY(1) |
"""
OTHERS = """
mirror | spell | 1 | 0/0 | 50 | | grant SWARM(2), chosen any 1
stun | spell | 1 | 0/0 | 50 | | lose TRICK, chosen any 1
"""
CARDS = {"more": MORE, "others": OTHERS}

# SUMMON


@pytest.mark.parametrize(
    ("rows", "who", "open_places"),
    [
        (
            "undead_gravecaller, beast_cub, beast_cub, beast_cub",
            "A0.0",
            ["0.0", "0.1"],
        ),  # nothing behind is less than a tile aside
        ("undead_gravecaller, beast_cub / beast_cub", "A0.0", ["0.0", "0.1", "1.0"]),
        ("beast_cub / undead_gravecaller", "A1.0", ["0.0", "0.1", "1.0", "1.1", "2.0"]),
    ],
)
def test_rift_109_only_places_that_are_adjacent_after_centring_count(rows, who, open_places):
    assert table(rows).do(f"use {who}", "summon").options == open_places


def test_rift_109_as_many_tokens_as_fit():
    rules = {"max_rows": 1, "max_per_row": 3}
    game = table("undead_mother", "", rules=rules, **CARDS).do("use A0.0", "summon", "0.0", "0.1")
    assert (game.who(A), game.xp(A)) == ("tok_bones, tok_bones, undead_mother", 100)
    assert "summon" not in game.end().end().can("A0.2"), "without room it is not open"


def test_rift_109_a_summoner_that_falls_ends_the_summoning():
    """Its own first token takes 2 of its Health."""
    game = table("undead_mourner [1 damage]", "", **CARDS).do("use A0.0", "summon", "0.0")
    assert (game.who(A), game.xp(A), game.pile("discard", A)) == ("tok_gloom", 20, "undead_mourner")


def test_rift_27_75_109_tokens_that_die_as_they_enter_are_placed_one_after_the_other():
    game = table("undead_mother", "undead_fog", **CARDS).do("use A0.0", "summon", "0.0", "0.0", "0.0")
    assert (game.who(A), game.xp(A), game.xp(B), game.pile("discard", A)) == ("undead_mother", 150, 0, "")


def test_rift_14_89_109_haste_of_the_summoner_is_not_that_of_its_tokens():
    game = table("undead_mother [entered]", "beast_cub", **CARDS).do("use A0.0", "summon", "0.0", "0.1", "0.2")
    assert (game.who(A), game.can("A0.1")) == ("tok_bones, tok_bones, tok_bones, undead_mother", ["A0.0", "A0.2"])


def test_rift_95_109_a_pacifist_summons_and_a_swarm_does_not():
    assert "summon" in table("undead_gravecaller [has PACIFIST]").can("A0.0")
    assert "summon" not in table("undead_gravecaller [has SWARM(2)]").can("A0.0")


# TRANSFORM


def test_rift_99_111_the_token_takes_the_place_and_all_of_the_old_creature_ends():
    own = "beast_cub, beast_shifter [3 damage, 1 rage, 2 health, 1 decay, charm waits, has RANGE(2), 3 ready]"
    game = table(own).act("A0.1", "transform")
    assert game.bears("A0.1") == "tok_dire_beast over beast_shifter, acted"
    assert (game.stats("A0.1"), game.xp(A), game.can("A0.1")) == ("5/6", 0, ["A0.0"])


@pytest.mark.parametrize(("variant", "left"), [("nothing", ""), ("tokens", ", 3 damage, 1 rage, 2 health, 1 weakness")])
def test_rift_111_tokens_on_it_stay_by_another_variant(variant, left):
    own = "beast_shifter [3 damage, 1 rage, 2 health, 1 weakness, charm waits]"
    game = table(own, rules={"transform_keeps": variant}).act("A0.0", "transform")
    assert game.bears("A0.0") == f"tok_dire_beast over beast_shifter{left}, acted"


@pytest.mark.parametrize(("variant", "who"), [("nothing", "tok_puff"), ("tokens", "")])
def test_rift_70_111_a_token_that_keeps_deadly_damage_dies_at_once(variant, who):
    """And the UNDEATH of the old creature does not save it."""
    game = table("fae_puppet [3 damage]", rules={"transform_keeps": variant}, **CARDS).act("A0.0", "transform")
    assert (game.who(A), game.pile("discard", A)) == (who, "" if who else "fae_puppet")


def test_rift_83_111_swaps_made_count_for_the_token():
    game = table("fae_puppet, beast_cub", "", **CARDS)
    assert game.fork().swap("A0.0", "A0.1").act("A0.1", "transform").can("A0.1") == []
    assert game.fork().act("A0.0", "transform").can("A0.0") == ["A0.1"]


def test_rift_89_111_a_token_with_haste_has_no_action_left():
    game = table("fae_puppet, beast_cub", "", **CARDS).act("A0.0", "transform")
    assert (game.can("A0.0"), game.stats("A0.1")) == (["A0.1"], "3/2")
    assert "ready" in game.end().end().can("A0.0")


def test_rift_110_111_who_swarms_does_not_transform_and_a_token_may_swarm():
    assert "transform" not in table("beast_shifter [has SWARM(2)]").can("A0.0")
    game = table("tok_dire_beast over beast_shifter", "", hand="mirror", **CARDS).play("mirror")
    assert game.stats("A0.0") == "10/12"


# TRICK


def test_rift_112_115_each_trick_of_a_card_played_may_lay_one():
    game = table("", "", hand="fae_queen", xp=10000).do("play fae_queen", "0.0")
    assert game.options == ["no trick", "ambush", "pitfall", "echo", "wake", "snare"]
    game.do("wake")
    assert game.options == ["no trick", "ambush", "pitfall", "echo", "snare"]
    assert game.do("no trick").tricks(A) == "wake"


def test_rift_108_112_a_creature_face_down_lays_tricks():
    game = table("", "", hand="fae_illusionist", xp=2000).play("fae_illusionist", "ambush")
    assert (game.tricks(A), game.of("A0.0", "face_down")) == ("ambush", 1)


def test_rift_110_112_118_who_has_lost_trick_carries_none_out():
    other = a("fae_trickster, beast_cub", tricks="echo, wake")
    game = table("", other, hand="stun, spark", xp=1000, **CARDS).play("stun", "B0.0")
    assert game.tricks(B) == "wake", "laid is laid, but nothing came of it"
    game.play("spark", "B0.1")
    assert (game.tricks(B), game.of("B0.0", "damage")) == ("", 0)


def test_rift_111_112_a_token_of_transform_has_no_trick():
    more = "fae_mummer | 1 | 1/5 | 100 | TRICK, TRANSFORM | trick damage 2, trigger; transform tok_bones"
    other = a("tok_bones over fae_mummer", tricks="ambush")
    game = table("beast_troll", other, more=more).attack("A0.0", "B0.0")
    assert (game.tricks(B), game.of("A0.0", "damage")) == ("", 1)
