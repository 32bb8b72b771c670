"""RIFT-28, 29 on the kernels: what happens in which order when a card is played."""

import pytest

from sim.games.riftborn.record import ids_of
from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, Play, a, table

RICH = 70000
FULL = " / ".join([", ".join(["beast_cub"] * 5)] * 3)
FLAME = "flame | spell | 1 | 0/0 | 50 | | damage 1, chosen enemy 1; damage 2, same; damage_player 1 enemy"
WISE = "{} | 1 | 1/3 | 100 | {} |"


def spell_of(game: Play) -> str:
    """The Spell card that waits beside the piles."""
    return ids_of(game.cards)[game.state["spell"]] if game.state["spell"] >= 0 else ""


# ---- the order ------------------------------------------------------------------------------------------------------


def test_rift_28_first_budget_and_hand_then_experience_then_the_place():
    game = table("soldier_guard", hand="beast_cub, spark", xp=500).do("play beast_cub")
    assert (game.phase, game.hand(A), game.state["used_levels"][A], game.xp(A)) == (Phase.PLACE, "spark", 1, 600)
    assert game.do("0.1").who(A) == "soldier_guard, beast_cub"


def test_rift_28_a_weapon_and_an_armour_are_attached_fresh():
    own = a(hand="short_sword, chain_armour", weapons="longbow", armour=[{"card": "chain_armour", "points": 2}], xp=RICH)
    game = table(own).play("short_sword").play("chain_armour")
    assert (game.weapons(A), game.armour(A)) == ("longbow 3, short_sword 3", "chain_armour 2, chain_armour 9")
    assert (game.hand(A), game.pile("discard", A)) == ("", "")


def test_rift_28_a_spell_waits_beside_the_piles_until_its_effects_are_done():
    game = table("beast_cub, soldier_guard", hand="spark").do("play spark")
    assert (spell_of(game), game.hand(A), game.pile("discard", A)) == ("spark", "", "")
    game.do("A0.1")
    assert (spell_of(game), game.pile("discard", A)) == ("", "spark")


@pytest.mark.parametrize(("spell", "pile"), [("wither", "discard"), ("awaken", "removed")])
def test_rift_28_a_spell_goes_to_the_discard_pile_or_is_removed_if_depleted(spell, pile):
    game = table("soldier_guard", "soldier_guard", hand=spell, xp=RICH).play(spell)
    assert [game.pile(where, A) for where in ("discard", "removed") if where != pile] == [""]
    assert game.pile(pile, A) == spell


def test_rift_28_when_played_abilities_come_before_the_effects_of_a_spell():
    own = a("beast_cub, beast_boar", hand="tinder", library="wither, recall")
    game = table(own, others="tinder | spell | 1 | 0/0 | 50 | DRAW(1) | damage 1, chosen any 1").do("play tinder")
    assert (game.phase, game.hand(A)) == (Phase.TARGET, "wither")


def test_rift_28_effects_act_in_order_each_with_its_death_check():
    game = table("", "undead_skeleton, beast_troll", hand="flame", others=FLAME).play("flame", "B0.0")
    assert (game.who(B), game.bears("B0.0"), game.life(B)) == ("beast_troll", "beast_troll", 49)
    again = table("", "undead_skeleton [has UNDEATH(2)]", hand="flame", others=FLAME).play("flame")
    assert again.bears("B0.0") == "undead_skeleton, lost UNDEATH"  # one death by each of the two entries


@pytest.mark.parametrize(("card", "trick", "other"), [("spark", "echo", "snare"), ("beast_cub", "snare", "echo")])
def test_rift_28_the_opponents_trick_comes_last(card, trick, other):
    opponent = a("fae_queen", tricks=f"{trick}, {other}", library="recall, wither")
    game = table(a("soldier_guard", hand=card), opponent).do(f"play {card}", "0.0" if card == "beast_cub" else "A0.0")
    assert (game.phase, game.seat, game.tricks(B)) == (Phase.TRICK_FIRE, B, other)
    assert game.pile("discard", A) == ("spark" if card == "spark" else "")
    assert game.do("B0.0 second").hand(B) == "recall"


def test_rift_28_no_creature_is_played_with_fifteen_in_the_formation():
    assert table(FULL, "soldier_guard", hand="beast_cub, spark").options[:2] == ["end", "play spark"]


@pytest.mark.parametrize("card", ["spark", "wither", "curse_row", "chain_burst", "rift_gate", "rift_storm", "multiply"])
def test_rift_28_a_card_may_be_played_for_nothing(card):
    game = table(hand=card, xp=RICH).play(card)
    assert (game.hand(A), game.xp(A) > RICH) == ("", True)
    assert game.pile("discard", A) + game.pile("removed", A) == card


# ---- when-played abilities ------------------------------------------------------------------------------------------


def test_rift_29_the_other_order_looks_first():
    own = a(hand="prophet", library="spark, recall, wither", xp=RICH)
    game = table(own, more=WISE.format("prophet", "SCRY(2), DRAW(1)")).do("play prophet")
    assert (game.phase, game.hand(A)) == (Phase.SCRY, "")
    game.do(1)
    assert (game.hand(A), game.pile("library", A)) == ("recall", "spark, wither")
