"""Every kind of target, on Spells, SPELL actions and tricks, and the order of an effect list (RIFT-70, 118, 122)."""

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, a, cast, spells, tricked

# whom an entry reaches


def test_rift_122_n_targets_are_n_different_ones_of_either_side():
    game = cast("damage 1, chosen any 3", "beast_troll, beast_boar", "beast_troll, beast_boar")
    assert game.options == ["A0.0", "A0.1", "B0.0", "B0.1"]
    assert game.do("B0.1").options == ["A0.0", "A0.1", "B0.0"]
    game.do("A0.0", "B0.0")
    spots = ("A0.0", "A0.1", "B0.0", "B0.1")
    assert [game.of(spot, "damage") for spot in spots] == [1, 0, 1, 1]


@pytest.mark.parametrize(("side", "hit"), [("friend", "AA"), ("enemy", "BB"), ("any", "AABB")])
def test_rift_122_with_no_more_there_than_must_be_chosen_all_are_hit_unasked(side, hit):
    count = 4 if side == "any" else 2
    game = cast(f"damage 1, chosen {side} {count}", "beast_troll, beast_boar", "beast_troll, beast_boar")
    spots = ("A0.0", "A0.1", "B0.0", "B0.1")
    assert "".join(spot[0] for spot in spots if game.of(spot, "damage")) == hit
    assert game.phase == Phase.MAIN


def test_rift_122_a_spell_without_a_target_is_played_for_its_experience():
    game = cast("damage 3, chosen enemy 1; add rage 1, same; draw 1", a("", library="spark"))
    assert (game.xp(A), game.hand(A), game.pile("discard", A)) == (50, "spark", "charge")


@pytest.mark.parametrize(("side", "hit"), [("friend", "AA"), ("enemy", "BB"), ("any", "AABB")])
def test_rift_122_each_means_all_the_acting_creature_included(side, hit):
    game = spells(f"add rage 1, each {side}", "caster, beast_boar", "beast_troll / beast_boar")
    spots = ("A0.0", "A0.1", "B0.0", "B1.0")
    assert "".join(spot[0] for spot in spots if game.of(spot, "rage")) == hit


@pytest.mark.parametrize(
    ("side", "rows"),
    [("friend", ["row A0", "row A1"]), ("enemy", ["row B0", "row B1"]), ("any", ["row B0", "row B1", "row A0", "row A1"])],
)
def test_rift_122_a_row_is_one_that_is_not_empty_and_all_in_it_are_hit(side, rows):
    game = cast(f"add weakness 1, row {side}", "beast_cub, beast_boar / beast_cub", "beast_cub / beast_cub, beast_boar")
    assert game.options == rows
    long = "A0" if side == "friend" else "B1"
    game.do(f"row {long}")
    assert [game.of(spot, "weakness") for spot in (f"{long}.0", f"{long}.1", "A1.0", "B0.0")] == [1, 1, 0, 0]


def test_rift_122_self_is_whoever_acts():
    game = spells("add rage 2, self; damage 1, self", "caster, beast_cub")
    assert (game.bears("A0.0"), game.bears("A0.1")) == ("caster, 1 damage, 2 rage, acted", "beast_cub")


def test_rift_34_122_adjacent_ones_are_those_beside_the_acting_creature():
    rows = "caster, beast_boar, beast_boar / beast_boar, beast_boar"
    game = spells("damage 1, chosen any 1 adjacent", rows, "beast_troll, beast_troll, beast_troll")
    assert game.options == ["A0.1", "A1.0", "B0.0"]
    game = spells("damage 1, chosen friend 2 adjacent", "caster, beast_boar, beast_boar")
    assert [game.of(f"A0.{index}", "damage") for index in range(3)] == [0, 1, 0]


def test_rift_122_same_means_the_targets_before_as_far_as_they_are_left():
    game = cast("damage 2, chosen enemy 2; add decay 1, same; heal 1, same", "", "beast_cub, beast_troll")
    assert (game.who(B), game.bears("B0.0")) == ("beast_troll", "beast_troll, 1 damage, 1 decay")


def test_rift_118_122_trigger_and_subject_of_a_trick():
    game = tricked("damage 1, trigger; add shield 3, subject; add rage 1, same; add weakness 2, self")
    assert game.bears("A0.0") == "beast_troll, 1 damage, acted"
    assert game.bears("B0.0") == "fae_imp, 1 damage, 1 rage, 2 weakness"


def test_rift_118_122_a_trick_speaks_of_friends_and_enemies_of_its_owner():
    game = tricked("damage 1, each enemy; add shield 1, each friend; damage_player 2 enemy; heal_player 1")
    assert (game.of("A0.0", "damage"), game.life(A), game.life(B)) == (1, 48, 50)


# order


def test_rift_70_122_an_entry_hits_all_at_the_same_time_and_the_dead_leave_before_the_next():
    """The light and the cub that lives by it fall one after the other, so the second entry finds the troll alone."""
    more = "fae_light | 1 | 1/2 | 100 | AURA(1) | aura friend health 2"
    game = cast("damage 2, each enemy; damage 2, each enemy", "", "fae_light, beast_cub, beast_troll", more=more)
    assert (game.who(B), game.of("B0.0", "damage"), game.pile("discard", B)) == ("beast_troll", 4, "fae_light, beast_cub")


def test_rift_122_choices_of_an_entry_are_made_when_its_turn_comes():
    game = cast("damage 2, chosen enemy 1; damage 2, chosen enemy 1", "", "beast_cub, beast_boar, beast_troll", "B0.0")
    assert (game.who(B), game.options) == ("beast_boar, beast_troll", ["B0.0", "B0.1"])


def test_rift_118_122_a_list_goes_on_without_its_creature():
    """Then `self` and `adjacent` have no targets, everything else does."""
    game = spells(
        "destroy, self; add rage 1, self; damage 1, chosen any 1 adjacent; damage 1, each enemy",
        "caster, beast_boar",
        "beast_troll",
    )
    assert (game.who(A), game.of("A0.0", "damage"), game.of("B0.0", "damage")) == ("beast_boar", 0, 1)
