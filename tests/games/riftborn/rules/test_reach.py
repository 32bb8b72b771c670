"""RIFT-34 to 38 on the kernels: who is adjacent, clear paths, whom a creature may attack, FLIGHT; G-04, G-22, G-23."""

from itertools import product

import pytest

from sim.games.riftborn.rules.placement import are_adjacent, is_clear
from tests.games.riftborn.positions import A, B, Play, a, table

LAYOUTS = ["{}", "{} / {}", "{}, {}", "{} / {}, {}, {}", "{}, {} / {} / {}, {}", "{}, {}, {}, {} / {}"]


def laid_out(layout: str, card: str = "beast_cub") -> str:
    """A formation of one card alone."""
    return layout.replace("{}", card)


def spots(game: Play, seat: int) -> list[str]:
    """Places of all creatures of a seat."""
    rows = game.who(seat).split(" / ")
    return [f"{'AB'[seat]}{row}.{index}" for row, text in enumerate(rows) for index in range(len(text.split(", ")))]


def targets(game: Play, who: str) -> list[str]:
    """Legal attack targets of a creature."""
    other = "B" if who[0] == "A" else "A"
    return [word for word in game.can(who) if word[0] == other]


def partners(game: Play, who: str) -> list[str]:
    """Creatures that a creature can swap with: its adjacent friends."""
    return [word for word in game.can(who) if word[0] == who[0]]


# ---- adjacent -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "who", "friends"),
    [
        ("{}, {}, {}", "A0.1", ["A0.0", "A0.2"]),
        ("{}, {}, {}", "A0.0", ["A0.1"]),
        ("{}, {} / {}, {}, {}", "A0.0", ["A0.1", "A1.0", "A1.1"]),
        ("{}, {} / {}, {}, {}", "A1.1", ["A0.0", "A0.1", "A1.0", "A1.2"]),
        ("{}, {} / {}, {}, {}", "A1.2", ["A0.1", "A1.1"]),
        ("{} / {}, {}, {}", "A1.0", ["A1.1"]),
        ("{} / {} / {}", "A0.0", ["A1.0"]),
        ("{} / {} / {}", "A1.0", ["A0.0", "A2.0"]),
        ("{}, {} / {}, {}, {} / {}, {}", "A1.1", ["A0.0", "A0.1", "A1.0", "A1.2", "A2.0", "A2.1"]),
    ],
)
def test_rift_34_friends_in_the_same_row_and_in_the_next_ones_if_less_than_a_tile_aside(rows, who, friends):
    assert partners(table(laid_out(rows)), who) == friends


@pytest.mark.parametrize(
    ("own", "other", "pairs"),
    [
        ("{}, {}", "{}", [("A0.0", "B0.0"), ("A0.1", "B0.0")]),
        ("{}, {}, {}", "{}", [("A0.1", "B0.0")]),
        ("{}, {}, {}", "{}, {}", [("A0.0", "B0.0"), ("A0.1", "B0.0"), ("A0.1", "B0.1"), ("A0.2", "B0.1")]),
        ("{} / {}", "{} / {}", [("A0.0", "B0.0")]),
        ("{} / {}, {}, {}", "{}, {}, {}", [("A0.0", "B0.1")]),
    ],
)
def test_rift_34_golden_g04_enemies_in_both_front_rows_if_less_than_a_tile_aside(own, other, pairs):
    game = table(laid_out(own), laid_out(other))
    for one, two in product(spots(game, A), spots(game, B)):
        there, back = game.creature(one), game.creature(two)
        adjacent = are_adjacent(game.state, game.record, there, back)
        assert adjacent == are_adjacent(game.state, game.record, back, there) == ((one, two) in pairs)
        assert not adjacent or is_clear(game.state, game.record, there, back)


@pytest.mark.parametrize(("adjacent", "charms"), [("touching", False), ("contact", True)])
def test_rift_34_with_contact_a_clear_path_is_adjacency_too(adjacent, charms):
    rules = {"adjacent_enemies": adjacent}
    game = table("beast_cub / fae_charmer, beast_cub, beast_cub", laid_out("{}, {}, {}", "beast_troll"), rules=rules)
    assert ("charm" in game.can("A1.0")) == charms


@pytest.mark.parametrize(("adjacent", "damage"), [("touching", 0), ("contact", 2)])
def test_rift_34_with_contact_opportunities_come_over_clear_paths(adjacent, damage):
    own = "beast_cub / beast_boar, beast_cub, beast_cub"
    game = table(own, "beast_troll, beast_cub, beast_cub", rules={"adjacent_enemies": adjacent}).swap("A1.0", "A1.1")
    assert game.of("A1.1", "damage") == damage


# ---- clear paths ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "other"), list(product(LAYOUTS, LAYOUTS)))
def test_rift_35_a_clear_path_is_one_both_ways(own, other):
    game = table(laid_out(own), laid_out(other))
    for one, two in product(spots(game, A), spots(game, B)):
        there, back = game.creature(one), game.creature(two)
        assert is_clear(game.state, game.record, there, back) == is_clear(game.state, game.record, back, there)


def test_rift_35_half_a_column_is_enough():
    game = table("beast_cub / beast_hawk, beast_boar", "beast_troll, beast_troll")
    assert (targets(game, "A1.1"), targets(game, "A0.0")) == (["B0.1"], ["B0.0", "B0.1"])


@pytest.mark.parametrize("blocker", ["beast_cub", "beast_cub [face down]"])
def test_rift_35_every_creature_blocks_face_up_or_down(blocker):
    assert targets(table(f"{blocker} / beast_boar", "beast_troll"), "A1.0") == []
    assert targets(table("beast_boar", f"{blocker} / beast_troll"), "A0.0") == ["B0.0"]


@pytest.mark.parametrize(("path", "reached"), [("half", ["B0.0"]), ("nearest", [])])
def test_rift_35_with_nearest_a_friend_blocks_that_is_less_than_a_tile_aside(path, reached):
    game = table("beast_cub / beast_boar, beast_boar", "beast_troll, beast_troll", rules={"clear_path": path})
    assert targets(game, "A1.0") == reached


@pytest.mark.parametrize(("path", "reached"), [("half", ["B0.0", "B1.0"]), ("nearest", ["B0.0"])])
def test_rift_35_with_nearest_only_the_first_enemy_row_with_somebody_opposite_is_open(path, reached):
    game = table("beast_troll, beast_troll", "beast_cub / beast_boar, beast_boar", rules={"clear_path": path})
    assert targets(game, "A0.0") == reached
    far = table(
        "beast_troll, beast_troll, beast_troll", "beast_cub / beast_boar, beast_boar, beast_boar", rules={"clear_path": path}
    )
    assert targets(far, "A0.0") == ["B1.0"]


@pytest.mark.parametrize(
    ("own", "other", "who", "free"),
    [
        *[("{}", "", "A0.0", True), ("{}, {}", "{}", "A0.0", False), ("{}, {}, {}", "{}", "A0.0", True)],
        *[("{}, {}, {}, {}", "{}", "A0.0", True), ("{}, {}, {}, {}", "{}", "A0.1", False)],
        *[("{} / {}, {}", "", "A1.0", False), ("{} / {}, {}, {}", "", "A1.0", True), ("{} / {}", "", "A1.0", False)],
        *[("{}, {}, {}", "{} / {}, {}", "A0.0", False), ("{}, {}, {}", "{} / {}", "A0.2", True)],
    ],
)
def test_rift_36_the_way_to_the_opponent_is_free_if_both_half_columns_are(own, other, who, free):
    assert ("B" in targets(table(laid_out(own), laid_out(other)), who)) == free


# ---- whom one may attack, and whether it answers --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "who", "answer"),
    [
        ("soldier_archer", "A0.0", 2),  # adjacent, for all its RANGE
        ("beast_cub / soldier_archer", "A1.0", 0),  # RANGE
        ("beast_cub / beast_hawk", "A1.0", 2),  # FLIGHT
        ("beast_cub / beast_cub, beast_boar, beast_cub", "A0.0", 2),
    ],
)
def test_rift_37_88_98_114_golden_g22_adjacent_and_flying_attackers_are_answered_those_out_of_range_not(own, who, answer):
    game = table(own, "soldier_guard")
    attacker = game.creature(who)
    game.attack(who, "B0.0")
    assert game.state["answer_damage"][B] == answer
    assert (game.spot(attacker) is None) == (answer == 2)


@pytest.mark.parametrize(("answered", "damage"), [(True, 2), (False, 0)])
def test_rift_37_an_attack_over_a_clear_path_from_a_rear_row_is_answered(answered, damage):
    own, other = "beast_cub / beast_boar, beast_cub, beast_cub", "soldier_guard, beast_cub, beast_cub"
    game = table(own, other, rules={"contact_retaliation": answered}).attack("A1.0", "B0.0")
    assert (game.of("A1.0", "damage"), game.of("B0.0", "damage")) == (damage, 2)


def test_rift_37_range_comes_before_flight_and_a_clear_path():
    flyer = {"card.soldier_archer.keywords": ["RANGE(2)", "FLIGHT"]}
    game = table("beast_cub / soldier_archer", "soldier_guard", changes=flyer).attack("A1.0", "B0.0")
    assert game.of("A1.0", "damage") == 0
    own = "beast_cub / soldier_archer, beast_cub, beast_cub"
    contact = table(own, "soldier_guard, beast_cub, beast_cub").attack("A1.0", "B0.0")
    assert contact.of("A1.0", "damage") == 0


@pytest.mark.parametrize(("ability", "rows", "far"), [("RANGE(3)", 2, True), ("RANGE(3)", 3, False), ("RANGE(2)", 1, True)])
def test_rift_37_range_reaches_the_opponent_behind_all_rows(ability, rows, far):
    game = table(f"soldier_archer [has {ability}]", laid_out(" / ".join(["{}"] * rows)))
    assert ("B" in targets(game, "A0.0")) == far


@pytest.mark.parametrize(("row", "rows", "far"), [(0, 1, True), (1, 1, False), (0, 2, False)])
def test_rift_37_flight_reaches_the_opponent_two_away(row, rows, far):
    own = " / ".join(["beast_cub"] * row + ["beast_hawk"])
    game = table(own, laid_out(" / ".join(["{}"] * rows)))
    assert ("B" in targets(game, f"A{row}.0")) == far


@pytest.mark.parametrize(("flight", "reached"), [(1, ["B0.0"]), (2, ["B0.0", "B1.0"]), (3, ["B0.0", "B1.0", "B"])])
def test_rift_37_how_far_flight_goes_is_a_rule_of_the_card_file(flight, reached):
    assert targets(table("beast_hawk", "beast_cub / soldier_archer", rules={"flight_range": flight}), "A0.0") == reached


def test_rift_37_an_attacker_out_of_range_reaches_an_enemy_far_aside_too():
    game = table("soldier_crossbow", laid_out("{}, {}, {}, {}, {} / {}"))
    assert targets(game, "A0.0") == ["B0.0", "B0.1", "B0.2", "B0.3", "B0.4", "B1.0", "B"]


# ---- FLIGHT ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "reached"),
    [
        ("beast_hawk", "beast_cub / soldier_archer", ["B0.0", "B1.0"]),
        ("beast_hawk", "fae_sprite / soldier_archer", ["B0.0"]),
        ("beast_hawk", "beast_cub / fae_sprite", ["B0.0"]),
        ("beast_hawk", "beast_cub / beast_cub / fae_sprite", ["B0.0"]),
        ("beast_hawk", "beast_cub / fae_sprite [face down]", ["B0.0", "B1.0"]),
        ("beast_hawk [face down]", "beast_cub / soldier_archer", ["B0.0"]),
        ("beast_hawk", "beast_cub / beast_cub, beast_cub, fae_sprite", ["B0.0", "B1.1"]),
        ("beast_hawk", "beast_cub / fae_sprite, beast_cub", ["B0.0"]),
        ("beast_hawk", "beast_cub / fae_sprite [lost FLIGHT]", ["B0.0", "B1.0"]),
        ("beast_hawk, fae_sprite, beast_cub", "beast_cub / soldier_archer", ["B0.0", "B1.0"]),
        ("beast_hawk", "fae_sprite [has DORMANT] / beast_cub", ["B0.0"]),
        ("beast_hawk", "fae_sprite [has SWARM(2)] / beast_cub", ["B0.0", "B1.0"]),
        ("beast_hawk [has SWARM(2)]", "beast_cub / beast_boar", ["B0.0"]),
    ],
)
def test_rift_38_88_golden_g23_flight_is_off_face_down_and_before_a_face_up_flyer_in_any_row(own, other, reached):
    found = targets(table(own, a(other)), "A0.1" if "," in own else "A0.0")
    assert [word for word in found if word != "B"] == reached
