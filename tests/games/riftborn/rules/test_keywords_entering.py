"""DEPLETED, DRAW, HASTE, HERO, SCRY, SPY: each alone, and combined with others (RIFT-84, 87, 89, 91, 104, 107)."""

from tests.games.riftborn.positions import A, B, a, table

MORE = """
fae_oracle | 1 | 1/3 | 100 | SCRY(3), DRAW(1) |
fae_diver | 1 | 1/3 | 100 | SPY(2), SCRY(2), TRICK, DRAW(1) | trick draw 1
undead_shade | 1 | 2/2 | 100 | DEPLETED |
beast_bolt | 1 | 2/2 | 100 | HASTE, CHARM |
"""
OTHERS = """
odd_blade | weapon | 1 | 3/1 | 50 | DEPLETED, DRAW(1) |
haste | spell | 1 | 0/0 | 50 | | grant HASTE, chosen friend 1
mirror | spell | 1 | 0/0 | 50 | | grant SWARM(2), chosen any 1
doom | spell | 1 | 0/0 | 50 | | destroy, chosen any 1
"""
CARDS = {"more": MORE, "others": OTHERS}

# DEPLETED


def test_rift_84_110_a_swarm_has_lost_depleted_and_is_discarded():
    game = table("undead_shade", "", hand="mirror, doom", xp=500, **CARDS).play("mirror").play("doom")
    assert (game.pile("removed", A), game.pile("discard", A)) == ("", "mirror, undead_shade, doom")


# DRAW


def test_rift_87_draw_acts_when_the_card_is_played_however_it_is_played():
    own = a("", hand="fae_seer, insight, odd_blade", library="spark, mending, wither, recall, awaken", xp=5000)
    game = table(own, **CARDS).play("odd_blade")
    assert game.hand(A) == "fae_seer, insight, spark"
    game.play("fae_seer", 0)
    assert game.hand(A) == "insight, spark, mending"
    game = table(a("", hand="fae_seer, rift_gate", library="spark", xp=2000)).play("rift_gate", "fae_seer")
    assert game.hand(A) == "spark"


def test_rift_87_110_only_playing_draws():
    """Neither SUMMON nor TRANSFORM nor a return plays a card."""
    own = a("beast_shifter", library="spark")
    assert table(own).act("A0.0", "transform").hand(A) == ""


# HASTE


def test_rift_89_haste_that_is_granted_helps_at_once_and_only_while_the_action_is_left():
    game = table("", "beast_troll", hand="beast_cub, haste", xp=500, **CARDS).play("beast_cub").play("haste")
    assert game.can("A0.0") == ["B0.0"]
    game.attack("A0.0", "B0.0")
    assert game.who(A) == ""
    game = table("beast_boar [acted]", "beast_cub", hand="haste", **CARDS).play("haste")
    assert game.can("A0.0") == []


def test_rift_82_89_haste_serves_every_action():
    game = table("", "beast_cub", hand="beast_bolt", **CARDS).play("beast_bolt")
    assert game.can("A0.0") == ["B0.0", "charm"]


def test_rift_85_89_94_haste_neither_wakes_nor_frees():
    assert table("beast_runner [entered, has DORMANT], beast_cub", "").can("A0.0") == []
    assert table("beast_runner [entered, pacified], beast_cub", "").can("A0.0") == ["A0.1"]


# HERO


def test_rift_91_hero_does_nothing_in_play():
    game = table("soldier_marshal, beast_alpha", "undead_lich").attack("A0.0", "B0.0")
    assert game.bears("A0.0") == "soldier_marshal, 3 damage, acted"


def test_rift_91_110_a_hero_that_swarms_is_none_on_the_table_only():
    game = table("soldier_marshal", "", hand="mirror", **CARDS).play("mirror")
    assert (game.stats("A0.0"), game.bears("A0.0")) == ("10/18", "soldier_marshal, has SWARM(2)")


# SCRY


def test_rift_104_the_cards_looked_at_come_back_in_the_order_chosen():
    own = a("", hand="fae_oracle", library="spark, mending, wither, recall")
    game = table(own, more=MORE).do("play fae_oracle")
    assert (game.seat, game.codes) == (A, [0, 1, 2])
    game.do(2)
    assert game.codes == [0, 1]
    game.do(1)
    assert (game.hand(A), game.pile("library", A)) == ("wither", "mending, spark, recall"), "then DRAW takes the top"
    assert (int(game.state["known_own"][A]), int(game.state["known_other"][A])) == (2, 0)


def test_rift_104_120_looking_never_refills_and_one_card_needs_no_order():
    own = a("", hand="insight", library="spark, mending, wither", discard="recall", xp=500)
    game = table(own).play("insight")
    assert (game.hand(A), game.pile("library", A), game.pile("discard", A)) == ("spark, mending", "wither", "recall, insight")
    own = a("", hand="insight", discard="recall, awaken", xp=500)
    assert table(own).play("insight").pile("library", A) == ""


def test_rift_104_107_scry_ends_what_the_opponent_knew():
    own = a("", hand="fae_oracle", library="spark, mending, wither, recall", known_other=2)
    game = table(own, more=MORE).play("fae_oracle", 0, 0)
    assert int(game.state["known_other"][A]) == 0


# SPY


def test_rift_107_spy_looks_and_changes_nothing():
    game = table("", a(library="spark, mending, wither"), hand="soldier_scout").play("soldier_scout")
    assert (game.pile("library", B), int(game.state["known_other"][B])) == ("spark, mending, wither", 2)
    game.end()
    assert (game.hand(B), int(game.state["known_other"][B])) == ("spark", 1)


def test_rift_29_87_104_107_112_when_played_abilities_act_in_the_order_printed():
    own = a("", hand="fae_diver", library="spark, mending, wither")
    game = table(own, a(library="recall, awaken"), more=MORE).do("play fae_diver")
    assert (game.phase.name, int(game.state["known_other"][B]), game.hand(A)) == ("SCRY", 2, "")
    game.do(1)
    assert (game.phase.name, game.hand(A)) == ("TRICK_SET", "")
    game.do("snare")
    assert (game.tricks(A), game.hand(A)) == ("snare", "mending")
