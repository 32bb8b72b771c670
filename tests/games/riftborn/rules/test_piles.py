"""RIFT-120 to 124: drawing, looking, discarding, card texts and halving."""

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, cast, table

# drawing


def test_rift_120_an_empty_library_is_filled_from_the_discard_pile_first():
    own = a("", library="spark", discard="mending, wither")
    game = cast("draw 3", own, draws="spark, wither, mending")
    assert (game.hand(A), game.pile("library", A), game.pile("discard", A)) == ("spark, wither, mending", "", "charge")
    assert int(game.state["refills"][A]) == 1


def test_rift_120_with_both_piles_empty_there_is_no_card_and_no_penalty():
    game = cast("draw 3; gain_xp 100", a("", library="spark"))
    assert (game.hand(A), game.life(A), game.xp(A), int(game.state["refills"][A])) == ("spark", 50, 150, 0)


def test_rift_11_120_the_draw_of_a_turn_fills_the_library_too():
    game = table("", a("", discard="mending")).end()
    assert (game.hand(B), game.pile("discard", B), int(game.state["refills"][B])) == ("mending", "", 1)


def test_rift_120_filling_forgets_what_was_known_of_the_library():
    own = a("", library="spark", discard="mending, wither", known_own=1, known_other=1)
    game = cast("draw 2", own, draws="spark, mending")
    assert (int(game.state["known_own"][A]), int(game.state["known_other"][A])) == (0, 0)


def test_rift_120_filling_shuffles_whatever_the_order_of_the_pile():
    """The chance that twelve cards stay as they lay is 1 in 479 million. Equal dice shuffle equal piles alike."""
    names = "beast_cub, beast_runner, beast_pack, beast_hawk, beast_boar, beast_shellback, beast_shifter, beast_clawcat"
    pile = [*names.split(", "), "beast_troll", "beast_charger", "beast_alpha", "beast_hydra"]
    piles = [pile, pile[::-1]]
    filled = [cast("recall", a("", deck="beast_rush", discard=", ".join(order))).pile("library", A) for order in piles]
    assert filled[0] == filled[1]
    assert sorted(filled[0].split(", ")) == sorted(pile)
    assert filled[0].split(", ") not in (sorted(pile), *piles)


@pytest.mark.parametrize("looking", ["scry 3", "spy 3"])
def test_rift_120_looking_never_fills(looking):
    piles = a("", discard="mending, wither")
    game = cast(looking, piles, a("", discard="mending, wither"))
    assert [game.pile("library", seat) for seat in (A, B)] == ["", ""]
    assert (game.pile("discard", B), game.phase) == ("mending, wither", Phase.MAIN)


def test_rift_120_a_hand_has_no_limit():
    hand = ", ".join(["beast_cub"] * 30)
    own = a("", hand=hand, library=", ".join(["beast_troll"] * 12))
    game = cast("draw 9", own).end().end()
    assert int(game.state["hand_n"][A]) == 30 + 9 + 1


# what goes where


def test_rift_121_what_is_used_up_killed_or_played_goes_to_the_pile_of_its_owner():
    own = a("beast_troll", hand="spark", weapons=[{"card": "longbow", "uses": 1}], xp=500)
    game = table(own, a("beast_cub, soldier_archer / beast_boar", armour="leather_armour"))
    game.wield("longbow", "B0.0").play("spark", "B0.0")
    assert (game.pile("discard", A), game.pile("discard", B)) == ("longbow, spark", "beast_cub, soldier_archer")
    game = table("beast_charger", a("", armour="leather_armour, chain_armour")).attack("A0.0", "B")
    assert (game.pile("discard", B), game.armour(B)) == ("leather_armour", "chain_armour 7")


def test_rift_121_removed_cards_never_return():
    own = a("", removed="awaken, awaken", discard="spark")
    game = cast("recall; draw 2", own)
    assert (game.hand(A), game.pile("removed", A)) == ("spark", "awaken, awaken")


# texts


def test_rift_122_a_text_is_carried_out_in_its_order():
    own = a("beast_troll [3 damage]", hand="mending", life=49)
    game = table(own).play("mending")
    assert (game.bears("A0.0"), game.stats("A0.0"), game.life(A)) == ("beast_troll, 1 damage, 2 health", "4/9", 50)
    assert cast("damage 2, each friend; add health 2, each friend", "beast_cub").who(A) == ""
    assert cast("add health 2, each friend; damage 2, each friend", "beast_cub").who(A) == "beast_cub"


def test_rift_120_123_nor_does_its_own_draw_find_it():
    game = cast("draw 1", "")
    assert (game.hand(A), game.pile("discard", A)) == ("", "charge")


# halving


@pytest.mark.parametrize(("attack", "half"), [(1, 0), (2, 1), (3, 1), (7, 3)])
def test_rift_124_every_halving_rounds_down(attack, half):
    """Of an opportunity, an answer, and a strike at RESISTANCE."""
    giver = f"beast_cub [9 health, {abs(attack - 2)} {'rage' if attack > 2 else 'weakness'}]"
    game = table("beast_troll, beast_cub / beast_cub", giver)
    assert game.fork().swap("A0.0", "A1.0").of("A1.0", "damage") == half
    assert game.fork().attack("A0.0", "B0.0").of("A0.0", "damage") == half
    assert table(giver, "beast_shellback").attack("A0.0", "B0.0").of("B0.0", "damage") == half


def test_rift_124_two_halvings_round_twice():
    """7 is 3 and then 1; 3 is 1 and then 0, where rounding to the nearest or up would leave 1."""
    game = table("beast_shellback, beast_cub / beast_cub", "beast_charger [1 rage]").swap("A0.0", "A1.0")
    assert game.of("A1.0", "damage") == 1
    assert table("beast_shellback", "soldier_pikeman").attack("A0.0", "B0.0").of("A0.0", "damage") == 0


def test_rift_65_124_what_passes_through_is_halved_at_each_stop():
    """Half of 12 is 6, of which 4 fill the first; half of the 2 left over is 1."""
    game = table("beast_charger [6 rage]", "beast_shellback / beast_shellback").attack("A0.0", "B0.0")
    assert game.of("B0.0", "damage") == 1
