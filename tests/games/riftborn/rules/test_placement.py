"""RIFT-30 to 33 on the kernels: places for new creatures, centred rows, gaps that close, distances."""

import pytest

from sim.games.riftborn.rules.placement import distance
from sim.games.riftborn.state import NOBODY
from tests.games.riftborn.positions import A, B, Play, a, table

ROW_OF_FIVE = ", ".join(["beast_cub"] * 5)


def places(rows: str, **rules: int) -> list[str]:
    """Where a creature can be placed."""
    return table(rows, hand="beast_hawk", xp=500, rules=rules).follows("play beast_hawk")


def row_of(count: int) -> str:
    """A row of cubs."""
    return ", ".join(["beast_cub"] * count)


def apart(game: Play, one: str, other: str) -> int:
    """Distance of two creatures, which is the same from both."""
    there, back = game.creature(one), game.creature(other)
    assert distance(game.state, there, back) == distance(game.state, back, there)
    return int(distance(game.state, there, back))


# ---- places ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "open_places"),
    [
        *[("beast_cub", ["0.0", "0.1", "1.0"]), ("beast_cub, beast_cub", ["0.0", "0.1", "0.2", "1.0"])],
        *[(ROW_OF_FIVE, ["1.0"]), ("beast_cub / beast_cub / beast_cub", ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"])],
        (f"{ROW_OF_FIVE} / beast_cub / {ROW_OF_FIVE}", ["1.0", "1.1"]),
    ],
)
def test_rift_30_any_gap_of_a_row_with_room_or_a_new_row_behind_the_last(rows, open_places):
    assert places(rows) == open_places


@pytest.mark.parametrize(
    ("place", "rows"),
    [
        *[("0.0", "beast_hawk, beast_cub, beast_cub / beast_boar"), ("0.1", "beast_cub, beast_hawk, beast_cub / beast_boar")],
        *[("0.2", "beast_cub, beast_cub, beast_hawk / beast_boar"), ("1.0", "beast_cub, beast_cub / beast_hawk, beast_boar")],
        *[("1.1", "beast_cub, beast_cub / beast_boar, beast_hawk"), ("2.0", "beast_cub, beast_cub / beast_boar / beast_hawk")],
    ],
)
def test_rift_30_the_controller_chooses_the_gap(place, rows):
    game = table("beast_cub, beast_cub / beast_boar", hand="beast_hawk", xp=500)
    assert game.play("beast_hawk", place).who(A) == rows


def test_rift_30_the_first_creature_makes_the_front_row():
    assert places("") == ["0.0"]
    assert table(hand="beast_cub").play("beast_cub").who(A) == "beast_cub"


@pytest.mark.parametrize(
    ("rows", "limits", "open_places"),
    [
        ("beast_cub / beast_cub", {"max_rows": 2}, ["0.0", "0.1", "1.0", "1.1"]),
        ("beast_cub, beast_cub", {"max_per_row": 2}, ["1.0"]),
        ("beast_cub", {"max_rows": 1}, ["0.0", "0.1"]),
    ],
)
def test_rift_30_the_limits_are_rules_of_the_card_file(rows, limits, open_places):
    assert places(rows, **limits) == open_places


# ---- rows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "centres"), [(1, [0]), (2, [-1, 1]), (3, [-2, 0, 2]), (4, [-3, -1, 1, 3]), (5, [-4, -2, 0, 2, 4])]
)
@pytest.mark.parametrize("row", [0, 1, 2])
def test_rift_31_rows_are_centred_and_a_creature_covers_two_half_columns(count, centres, row):
    game = table(" / ".join(["beast_hawk"] * row + [row_of(count)]))
    assert [game.of(f"A{row}.{index}", "centre") for index in range(count)] == centres
    covered = {column + 5 for centre in centres for column in (centre - 1, centre)}
    front = {k for k in range(10) if game.state["front"][A, k] != NOBODY}
    assert front == covered | ({4, 5} if row else set())


def test_rift_31_the_front_most_creature_of_a_half_column_is_that_of_the_first_row_that_covers_it():
    game = table("beast_cub / beast_cub, beast_cub / beast_cub, beast_cub, beast_cub")
    spots = [game.spot(g) for g in game.state["front"][A]]
    assert spots == [None, None, "A2.0", "A1.0", "A0.0", "A0.0", "A1.1", "A2.2", None, None]


def test_rift_31_rows_stay_centred_when_somebody_enters():
    game = table("beast_boar, beast_troll", hand="beast_cub").play("beast_cub", "0.1")
    assert [game.of(f"A0.{index}", "centre") for index in range(3)] == [-2, 0, 2]


def test_rift_32_gaps_close_at_once():
    game = table("undead_giant", "beast_boar, beast_cub, beast_troll").attack("A0.0", "B0.1")
    assert (game.who(B), game.of("B0.0", "centre"), game.of("B0.1", "centre")) == ("beast_boar, beast_troll", -1, 1)


def test_rift_32_rows_behind_an_empty_one_step_forward_in_their_order():
    game = table("undead_giant [lost RELENTLESS]", "beast_cub / beast_boar, beast_troll / beast_hawk")
    assert game.attack("A0.0", "B0.0").who(B) == "beast_boar, beast_troll / beast_hawk"
    middle = table(
        "fae_mage", "beast_boar / beast_cub / beast_troll, beast_hawk", changes={"card.fae_mage.keywords": ["RANGE(4)"]}
    )
    assert middle.attack("A0.0", "B1.0").who(B) == "beast_boar / beast_troll, beast_hawk"


def test_rift_32_stepping_forward_is_no_move():
    game = table("undead_giant [lost RELENTLESS]", "beast_cub / beast_boar").attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.bears("A0.0")) == ("beast_boar", "undead_giant, 1 damage, lost RELENTLESS, acted")


# ---- distances ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "tiles"),
    [
        *[("A0.0", "A0.1", 1), ("A0.0", "A0.2", 2), ("A0.0", "A1.0", 1), ("A0.0", "A1.1", 2), ("A0.2", "A1.0", 2)],
        *[("A0.0", "A2.0", 3), ("A0.1", "A2.0", 2), ("A1.0", "A2.0", 1)],
        *[("A0.1", "B0.0", 1), ("A0.0", "B0.0", 2), ("A1.0", "B0.0", 2), ("A2.0", "B0.0", 3)],
        *[("A0.1", "B1.0", 3), ("A0.1", "B1.3", 3), ("A0.0", "B1.0", 2), ("A0.0", "B1.3", 4), ("A2.0", "B1.0", 5)],
    ],
)
def test_rift_33_rows_apart_and_whole_tiles_aside(one, other, tiles):
    game = table(f"{row_of(3)} / {row_of(2)} / {row_of(1)}", a(f"{row_of(1)} / {row_of(4)}"))
    assert apart(game, one, other) == tiles


def test_rift_33_a_creature_is_at_distance_0_from_itself():
    game = table("beast_cub, beast_cub")
    assert apart(game, "A0.1", "A0.1") == 0
