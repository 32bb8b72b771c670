"""Every effect on creatures and players (RIFT-15, 21, 27, 51, 60, 63 to 74, 82, 87, 94)."""

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, cast

# what is done to creatures


def test_rift_60_what_an_aura_gives_is_not_lost():
    own = "beast_shellback, fae_treant"
    game = cast("lose RESISTANCE, each any", own, "beast_charger").end().attack("B0.0", "A0.0")
    assert game.of("A0.0", "damage") == 3


def test_rift_70_71_destroy_heeds_no_shields_but_undeath():
    game = cast("destroy, each enemy", "", "beast_hydra [9 shield], undead_wight, beast_boar")
    assert (game.who(B), game.bears("B0.0")) == ("undead_wight", "undead_wight, 3 damage, lost UNDEATH")


def test_rift_82_94_charm_and_pacify_wait_for_the_next_own_turn_of_whoever_bears_them():
    game = cast("charm, each any; pacify, same", "beast_cub", "beast_cub")
    assert game.bears("B0.0") == game.bears("A0.0") == "beast_cub, charm waits, pacify waits"
    assert game.can("A0.0") == ["B0.0"]
    assert game.end().bears("B0.0") == "beast_cub, charmed, pacified"
    assert game.end().bears("A0.0") == "beast_cub, charmed, pacified"


# what is done to players


@pytest.mark.parametrize(("life", "healed"), [(40, 44), (48, 50)])
def test_rift_90_heal_player_heals_the_own_player_up_to_the_start(life, healed):
    game = cast("heal_player 4", a("", life=life), a("", life=20))
    assert (game.life(A), game.life(B)) == (healed, 20)


def test_rift_87_104_107_draw_scry_and_spy_are_those_of_the_abilities():
    own = a("", library="spark, mending, wither, recall")
    game = cast("draw 1; scry 3; spy 2", own, a("", library="awaken"), 2, 0)
    assert (game.hand(A), game.pile("library", A)) == ("spark", "recall, mending, wither")
    assert (int(game.state["known_own"][A]), int(game.state["known_other"][B])) == (3, 1)


def test_rift_120_123_recall_shuffles_the_discard_pile_in_without_the_spell_itself():
    own = a("", library="spark", discard="mending, wither")
    game = cast("recall", own)
    assert (sorted(game.pile("library", A).split(", ")), game.pile("discard", A)) == (["mending", "spark", "wither"], "charge")


def test_rift_27_summon_places_tokens_anywhere_and_gains_their_experience():
    game = cast("summon tok_bones 3", "beast_cub, beast_cub", "", "0.1")
    assert game.options == ["0.0", "0.1", "0.2", "0.3", "1.0"]
    game.do("1.0", "1.1")
    assert game.who(A) == "beast_cub, tok_bones, beast_cub / tok_bones, tok_bones"
    assert (game.xp(A), int(game.state["used_levels"][A]), game.can("A0.1")) == (50 + 150, 1, ["A0.0", "A0.2", "A1.0", "A1.1"])


def test_rift_30_summon_ends_where_there_is_no_room():
    game = cast("summon tok_bones 9", "beast_cub", "", rules={"max_rows": 1, "max_per_row": 3}).do("0.0", "0.0")
    assert (game.who(A), game.xp(A), game.phase) == ("tok_bones, tok_bones, beast_cub", 150, Phase.MAIN)


def test_rift_27_play_free_plays_a_creature_of_the_hand_up_to_its_level_without_budget():
    own = a("", hand="beast_cub, beast_troll, spark, beast_boar, fae_seer", library="mending")
    game = cast("play_free 3", own)
    assert game.options == ["beast_cub", "beast_boar", "fae_seer"]
    game.do("fae_seer")
    assert (game.who(A), game.hand(A)) == ("fae_seer", "beast_cub, beast_troll, spark, beast_boar, mending")
    assert (game.xp(A), int(game.state["used_levels"][A]), game.pile("discard", A)) == (50 + 200, 1, "charge")


def test_rift_28_122_play_free_without_such_a_creature_or_room_does_nothing():
    game = cast("play_free 1", a("", hand="beast_troll, spark"))
    assert (game.hand(A), game.pile("discard", A)) == ("beast_troll, spark", "charge")
    rules = {"max_rows": 1, "max_per_row": 1}
    assert cast("play_free 1", a("beast_boar", hand="beast_cub"), rules=rules).hand(A) == "beast_cub"
