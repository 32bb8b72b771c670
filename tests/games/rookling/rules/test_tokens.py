"""ROOK-67 to 72: each token of the reference set, several under one Rookling, fixed ones of any kind, other ends of tokens."""

import pytest

from tests.games.rookling.positions import Play, a, table

SQUAD = "rime rute hiss"
HAND = "red 3"


def exchanges(own: dict, other: dict | None = None, count: int = 1, **position: object) -> Play:
    """Exchanges in which no Rookling attacks or defends."""
    game = table(own, other, phase="attack", **position)
    for _ in range(count):
        game.idle()
    return game


def places(game: Play) -> set[str]:
    """Rooklings on which a card may be placed."""
    return {words.split(" on ")[1] for words in game.options if words.startswith("put")}


# any number of tokens


def test_rook_67_faq_several_tokens_of_several_kinds_and_of_both_players_lie_under_one_rookling():
    own = a("thorn rute hiss", tokens=("hidden, confused, confused", "", ""), slid=("seed, dusk, dusk, rubble", "", ""))
    game = table(own | {"hand": ["red 1"]}, a("shadow stone delvi"), phase="row").do("row: Hiss, Rute, Thorn")
    assert game.under(0) == [[], [], ["confused", "confused", "hidden"]]
    assert game.under(0, "slid") == [[], [], ["seed", "dusk", "dusk", "rubble"]]


def test_rook_44_67_each_kind_acts_by_its_own_trigger():
    """The attack of the stacked Rookling is 3 + 1 by Spark - 2 by Confused; then its poison takes 1 and the dew gives 2."""
    own = a("pulse_red spring hiss", life=(3, 6, 6), tokens=("confused, poisoned, hidden", "", ""), energy=("red 2", "", ""))
    own |= {"slid": [["spark", "dew"], [], []]}
    game = table(own, phase="attack", changes={"rookling.pulse_red.line.red_beat.match_colour": "blue"})
    game.do("attack with Red Beat")
    assert (game.life(1), game.life(0)) == ((6 - (3 + 1 - 2), 6, 6), (3 + 2 - 1, 6, 6))
    assert (game.under(0)[0], game.under(0, "slid")[0]) == (["poisoned", "hidden"], [])


def test_rook_42_43_67_cover_and_guard_under_one_rookling_act_in_the_same_exchange():
    own = a(SQUAD, energy=("", "", "red 3"))
    other = a("stone pulse_blue spring", slid=("", "", "rubble, rubble, shell"), hand="red 1")
    game = table(own, other, phase="attack").do("attack with Vent").do("stop placing")
    assert (game.life(1), game.under(1, "slid")) == ((6, 6, 6), [[], [], []]), "2 + 2 flat + 2 plus block the 5"


# Frozen


def test_rook_68_golden_g30_frozen_bars_energy_in_the_exchange_after_it_was_given_only():
    game = table(a(SQUAD, energy=("red 3", "", "")), a("stone shadow spring", hand="red 1"), phase="attack")
    game.do("attack with Frost Bite")
    assert places(game) == {"Stone", "Shadow", "Spring"}
    game.idle().do("row: Stone, Shadow, Spring")
    assert (game.under(1)[0], places(game)) == (["frozen"], {"Shadow", "Spring"})
    game.idle().idle("assign")
    assert (game.under(1)[0], game.position["supply"]["frozen"]) == ([], 6)


def test_rook_68_a_field_effect_freezes_likewise():
    own = a("rime stone hiss", slid=("black_ice", "", ""), hand=HAND)
    assert places(table(own)) == {"Stone", "Hiss"}


def test_rook_68_a_fixed_frost_bars_whoever_stands_there_as_long_as_it_lies_there():
    changes = {"token.tunnel.trigger": "standing", "token.tunnel.ops": [{"op": "no_energy"}]}
    own = a("rime delvi hiss", fixed=("tunnel", "", ""), hand=HAND)
    game = table(own, phase="row", changes=changes).do("row: Hiss, Rime, Delvi")
    assert places(game) == {"Rime", "Delvi"}


def test_rook_68_flat_grants_and_tokens_work_for_a_frozen_rookling():
    own = a("pulse_red delvi hiss", tokens=("frozen", "frozen", ""), slid=("spark", "", ""), fixed=("tunnel", "", ""))
    game = table(own | {"exchange": {"attack_flat": [0, 2, 0]}}, a("stone shadow spring", hand="red 1"), phase="attack")
    while game.phase == "attack":
        game.do(game.options[0])
    assert game.amounts("att") == (1 + 1, 2, 0), "Spark and the Tunnel on top of it; a grant"


# Confused


def test_rook_69_confused_takes_2_per_token_and_bars_special_lines():
    own = a("hiss rime rute", tokens=("confused, confused", "", ""), hand="red 4")
    game = table(own, a("stone shadow spring", hand="red 1")).do("put red 4 on Hiss")
    assert game.phase == "attack", "Pressure was not offered"
    assert game.do("attack with Vent").amounts("att") == (5 - 4, 0, 0)


def test_rook_69_it_bars_them_when_defending_too_and_stays_until_the_owners_attack_is_over():
    other = a("hiss stone shadow", tokens=("confused", "", ""), hand="red 4")
    game = table(a("rime rute delvi"), other, phase="attack").idle("assign").do("put red 4 on Hiss")
    assert game.phase == "defend", "Pressure was not offered"
    assert game.idle().under(1)[0] == ["confused"]
    assert (game.idle().under(1)[0], game.position["supply"]["confused"]) == ([], 6)


def test_rook_69_a_pending_one_does_nothing_yet():
    own = a("hiss rime rute", coming=("confused", "", ""), hand="red 4")
    assert table(own).do("put red 4 on Hiss").options == ["leave Pressure unused", "activate Pressure"]


def test_rook_69_a_fixed_confusion_acts_on_whoever_stands_there():
    changes = {"token.tunnel.ops": [{"op": "no_special"}, {"op": "attack_plus", "n": -1}]}
    own = a("delvi hiss rime", fixed=("", "tunnel", ""), hand="red 4")
    game = table(own, a("stone shadow spring", hand="red 1"), changes=changes).do("put red 4 on Hiss")
    assert game.do("attack with Scald").amounts("att") == (0, 2, 0)


# Poisoned


def test_rook_70_poisoned_stays_exchange_after_exchange_and_acts_only_when_its_owner_attacks():
    game = table(a(SQUAD, tokens=("poisoned", "", ""), life=(6, 6, 6)), phase="row")
    lives = [game.idle().life(0)[0] for _ in range(6)]
    assert (lives, game.under(0)[0]) == ([5, 5, 4, 4, 3, 3], ["poisoned"])


def test_rook_70_a_card_removes_an_active_one_and_a_token_card_first():
    own = a("thorn rute hiss", tokens=("poisoned", "", ""), slid=("seed", "", ""), hand="red 1, red 1, red 1")
    game = table(own, phase="clear").do("clear Thorn with red 1")
    assert (game.under(0)[0], game.under(0, "slid")[0], game.phase) == ([], ["seed"], "clear")
    game.do("clear Thorn with red 1")
    assert (game.under(0, "slid")[0], game.player(0)["pile"], game.phase) == ([], ["seed", "seed"], "row")


def test_rook_33_70_so_does_a_cleansing_line_all_of_them():
    own = a("thorn rute hiss", tokens=("poisoned, poisoned", "", ""), slid=("seed", "", ""), hand="green 3")
    game = table(own).do("put green 3 on Rute", "activate Antidote")
    assert (game.under(0)[0], game.under(0, "slid")[0], game.position["supply"]["poisoned"]) == ([], [], 6)


def test_rook_70_a_pending_one_can_be_neither_cleared_nor_cleansed():
    own = a(SQUAD, coming=("poisoned", "", ""), hand="green 3, red 1")
    game = table(own, phase="clear")
    assert game.options == ["stop clearing"]
    game = table(own).do("put green 3 on Rute")
    assert game.phase == "assign", "Antidote would change nothing"


def test_rook_70_a_fixed_poison_can_be_neither_and_harms_whoever_stands_there():
    bog = {"id": "tunnel", "name": "Bog", "harmful": True, "fixed": True, "until": "replaced", "supply": 0}
    bog |= {"trigger": "end_attack", "ops": [{"op": "damage", "n": 2}], "source": "assumed"}
    own = a("rime rute delvi", fixed=("tunnel", "", ""), hand="green 3")
    game = table(own, phase="row", changes={"token.tunnel": bog}).do("row: Delvi, Rute, Rime")
    assert game.do("put green 3 on Rute").phase == "attack", "Antidote would change nothing"
    assert (game.idle().life(0), game.under(0, "fixed")[0]) == ((4, 6, 6), ["tunnel"])
    assert game.idle().phase == "row", "and there is nothing to clear"


# Tunnel


@pytest.mark.parametrize("row", ["Rime, Delvi, Hiss", "Hiss, Rime, Delvi", "Delvi, Hiss, Rime"])
def test_rook_71_the_tunnel_serves_whoever_stands_in_its_zone_as_long_as_it_exists(row):
    own, other = a("rime delvi hiss", fixed=("tunnel", "", "")), a("stone shadow spring", hand="red 1")
    game = table(own, other, phase="row")
    game.state["attack_flat"][0] = 1  # as if granted: a position with it comes after the row
    game.do(f"row: {row}").idle("assign")
    assert (game.current_player, game.amounts("att")) == (1, (2, 1, 1))
    assert game.idle().under(0, "fixed") == [["tunnel"], [], []]


def test_rook_71_it_gives_a_flat_defence_but_no_attack_of_its_own():
    own = a("delvi rime hiss", fixed=("tunnel", "", ""))
    game = exchanges(own, a("stone shadow spring", attack_flat=(2, 0, 0)), attacker=1)
    assert game.life(0) == (5, 6, 6)
    assert exchanges(own).life(1) == (6, 6, 6)


def test_rook_71_it_serves_only_the_player_of_the_zone_whoever_made_it():
    other = a("stone shadow spring", fixed=("tunnel", "", ""))
    game = table(a("delvi rime hiss", attack_flat=(2, 2, 0)), other, phase="attack").idle("next")
    assert (game.amounts("att"), game.amounts("dfn")) == ((2, 2, 0), (1, 0, 0))


# once each, by their trigger


@pytest.mark.parametrize(("effect", "owner", "lives"), [("spark", "pulse_red", (2, 5)), ("dew", "spring", (4, 6))])
def test_rook_72_spark_and_regrowth_act_once_in_the_owners_attack(effect, owner, lives):
    own = a(f"{owner} rime hiss", slid=(effect, "", ""), life=(2, 6, 6))
    game = exchanges(own, a("stone shadow delvi"), count=3)
    assert (game.life(0)[0], game.life(1)[0]) == lives, "two own attacks, but one token"
    assert (game.under(0, "slid")[0], game.player(0)["pile"].count(effect)) == ([], 2)


@pytest.mark.parametrize(
    ("effect", "owner", "copies"), [("shell", "pulse_blue", 2), ("dusk", "shadow", 3), ("rubble", "stone", 3)]
)
def test_rook_72_guard_hidden_and_cover_act_once_when_attacked(effect, owner, copies):
    """An attack of 3 against a flat defence of 1, which needs the help of the token, twice."""
    other = a(f"{owner} rime hiss", slid=(effect, "", ""))
    game = table(a("delvi banner valt"), other, phase="attack")
    for life in (6, 6 - 2):
        game.state["attack_flat"][0, 0], game.state["defence_flat"][1, 0] = 3, 1
        game.idle()
        assert (game.life(1)[0], game.under(1, "slid")[0]) == (life, [])
        game.idle()
    assert game.player(1)["pile"].count(effect) == copies


# other ends of tokens


def test_rook_41_63_a_token_until_the_end_of_the_exchange_is_not_spent_by_its_trigger():
    own, other = a(SQUAD, energy=("red 3", "", "")), a("stone shadow spring", tokens=("hidden", "", ""), hand="red 1")
    game = table(own, other, phase="attack", changes={"token.hidden.until": "exchange"}).do("attack with Frost Bite")
    assert (game.amounts("att"), game.under(1)[0]) == ((0, 0, 0), ["hidden"])
    assert game.idle().under(1)[0] == []


def test_rook_60_63_poison_until_triggered_goes_when_it_has_acted():
    changes = {"token.poisoned.until": "trigger"}
    game = exchanges(a(SQUAD, tokens=("poisoned, poisoned", "", "")), changes=changes)
    assert (game.life(0), game.under(0)[0], game.position["supply"]["poisoned"]) == ((4, 6, 6), [], 6)


def test_rook_44_69_a_token_with_two_ops_does_both():
    ops = [{"op": "attack_flat", "n": 2}, {"op": "attack_plus", "n": 3}]
    own = a("pulse_red rime hiss", slid=("spark, spark", "", ""))
    game = exchanges(own, changes={"token.spark.ops": ops})
    assert game.life(1) == (0, 6, 6), "2 + 2 flat, 3 + 3 plus"
