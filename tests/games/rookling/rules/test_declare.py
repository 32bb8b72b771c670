"""ROOK-38 to 44: attacks and defences declared, flat and plus, tokens that act; golden examples G-18 to G-21 and G-25."""

import pytest

from sim.games.rookling.rules.attacks import offer
from tests.games.rookling.positions import Play, a, table

SQUAD = "rime rute hiss"
WAITING = a("shadow stone spring", hand="yellow 1")  # a hand, so that the game waits for the defender


def attack(own: dict, *decisions: str, other: dict = WAITING, **position: object) -> Play:
    """A4 of a position in which the energy lies; the defender is asked next."""
    game = table(own, other | {"hand": ["yellow 1"]}, phase="attack", **position).do(*decisions)
    while game.phase == "attack":
        game.do(game.options[0])
    return game


def attacks(own: dict, *decisions: str, **position: object) -> tuple[int, ...]:
    """What is declared."""
    return attack(own, *decisions, **position).amounts("att")


def defend(other: dict, *decisions: str, amounts: tuple[int, ...] = (1, 1, 1), **position: object) -> Play:
    """D3 of a position in which the energy lies and attacks are declared: two or more, so that the order is asked next."""
    own = position.pop("own", a("thorn banner valt"))
    game = table(own, other, phase="defend", attack=amounts, **position).do(*decisions)
    while game.phase == "defend":
        game.do(game.options[0])
    return game


def defences(other: dict, *decisions: str, **position: object) -> tuple[int, ...]:
    """What is declared."""
    return defend(other, *decisions, **position).amounts("dfn")


# attack lines


def test_rook_38_none_or_one_of_the_attack_lines_met_is_used_by_position():
    own = a("hiss rime rute", energy=("red 3", "red 2", "blue 2"))
    game = table(own, WAITING, phase="attack")
    asked = []
    while game.phase == "attack":
        asked.append(game.options)
        game.do(game.options[-1])
    assert asked == [
        ["Hiss does not attack", "attack with Scald", "attack with Vent"],
        ["Rute does not attack", "attack with Sting"],
    ], "Rime's Frost Bite needs 3"
    assert game.amounts("att") == (5, 0, 3)


def test_rook_38_a_line_that_is_met_need_not_be_used():
    assert attacks(a(SQUAD, energy=("red 3", "", "")), "Rime does not attack") == (0, 0, 0)


def test_rook_38_golden_g25_the_numbers_of_the_side_that_is_up_count():
    own = a(SQUAD, life=(0, 6, 6), energy=("red 3", "", ""))
    assert attacks(own, "attack with Frost Bite") == (5, 0, 0)


@pytest.mark.parametrize(
    ("energy", "life", "attack_of"), [("blue 3", 6, 3), ("red 2", 6, 5), ("red 2", 0, 6), ("yellow 2", 0, 3)]
)
def test_rook_38_the_match_bonus_belongs_to_the_own_line(energy, life, attack_of):
    own = a("pulse_red rime rute", energy=(energy, "", ""), life=(life, 6, 6))
    assert attacks(own, "attack with Red Beat") == (attack_of, 0, 0)


def test_rook_38_faq_one_of_the_cards_of_a_charge_is_enough_for_a_colour_match():
    own = a("pulse_red valt rute", energy=("blue 1, red 1", "", ""), capacity=(2, 1, 1))
    assert attacks(own, "attack with Red Beat") == (5, 0, 0)


def test_rook_38_tokens_of_the_attack_turn_are_spent_by_attackers_and_idlers_alike():
    own = a("pulse_red rime rute", slid=("spark", "spark", ""), energy=("red 2", "", ""))
    game = attack(own, "attack with Red Beat")
    assert game.amounts("att") == (6, 1, 0), "Spark is flat: it needs no line"
    assert (game.under(0, "slid"), game.player(0)["pile"].count("spark")) == ([[], [], []], 2)


# flat and plus


@pytest.mark.parametrize(
    ("own", "flat", "plus", "amount"),
    [(0, 1, 1, 2), (0, 0, 1, 0), (3, 1, 1, 5), (3, 0, -2, 1), (1, 0, -2, 0), (0, 0, 0, 0), (0, 2, -3, 0)],
)
def test_rook_39_golden_g18_faq_a_plus_needs_something_to_be_added_to(own, flat, plus, amount):
    assert offer(own, flat, plus) == amount


def test_rook_39_faq_a_flat_attack_stands_alone_and_a_plus_does_not():
    grants = {"attack_flat": (2, 0, 2), "attack_plus": (0, 3, 3)}
    assert attacks(a(SQUAD, **grants)) == (2, 0, 5)
    assert attacks(a(SQUAD, energy=("", "red 2", ""), **grants), "attack with Sting") == (2, 6, 5)


def test_rook_39_faq_a_flat_defence_stands_alone_and_a_plus_does_not():
    grants = {"defence_flat": (2, 0, 2), "defence_plus": (0, 3, 3)}
    assert defences(a(SQUAD, **grants)) == (2, 0, 5)
    assert defences(a(SQUAD, energy=("", "red 2", ""), **grants), "defend with Hide") == (2, 4, 5)


def test_rook_39_grants_tokens_and_the_zone_add_up():
    facts = {"fixed": ("tunnel", "", ""), "slid": ("spark", "", ""), "attack_flat": (1, 0, 0), "attack_plus": (2, 0, 0)}
    own = a("delvi pulse_red rime", energy=("red 2", "", ""), **facts)
    assert attacks(own, "attack with Claw") == (3 + 1 + 1 + 2 + 1, 0, 0)


def test_rook_39_69_golden_g19_a_confused_scald_does_1():
    own = a("hiss rime rute", tokens=("confused", "", ""), energy=("blue 2", "", ""))
    assert attacks(own, "attack with Scald") == (1, 0, 0)


@pytest.mark.parametrize(("tokens", "amount"), [("confused", 1), ("confused, confused", 0)])
def test_rook_39_44_faq_two_confused_take_2_each_but_not_below_0(tokens, amount):
    own = a("rime rute hiss", tokens=("", tokens, ""), energy=("", "red 2", ""))
    assert attacks(own, "attack with Sting") == (0, amount, 0)


# amounts are fixed


def test_rook_40_43_a_defence_stays_as_declared_when_the_card_flips():
    other = a("shadow delvi spring", life=(0, 1, 6), energy=("", "red 2", ""))
    game = defend(other, "defend with Burrow", amounts=(3, 5, 0))
    game.do("resolve the attack on the left first", "let it through")
    assert game.life(1) == (0, 0, 3), "2 of the front block the 5, not 3 of the siege side"


def test_rook_40_an_attack_of_0_triggers_nothing():
    own = a("hiss rime rute", tokens=("", "", "confused, confused"), energy=("", "", "red 2"))
    other = a("shadow stone pulse_blue", tokens=("", "", "hidden"), slid=("", "", "rubble, shell"))
    game = attack(own, "attack with Sting", other=other)
    assert game.amounts("att") == (0, 0, 0)
    assert (game.under(1), game.under(1, "slid")) == ([[], [], ["hidden"]], [[], [], ["rubble", "shell"]])
    game.do("stop placing")
    assert (game.turn, game.life(1)) == (2, (6, 6, 6))


# tokens of those who are faced


def faced(tokens: str = "", slid: str = "") -> Play:
    """Frost Bite for 4 against a Rookling with these tokens."""
    other = a("shadow stone pulse_blue", tokens=(tokens, "", ""), slid=(slid, "", ""))
    return attack(a(SQUAD, energy=("red 3", "", "")), "attack with Frost Bite", other=other)


def test_rook_41_44_golden_g20_faq_two_hidden_cancel_once_and_both_are_spent():
    game = faced("hidden, hidden")
    assert (game.amounts("att"), game.under(1)[0]) == ((0, 0, 0), [])
    assert game.state["lost_hidden"].tolist() == [[4, 0, 0], [0, 0, 0]]
    assert game.position["supply"]["hidden"] == 6


def test_rook_41_hidden_stays_where_nobody_attacks():
    other = a("shadow stone pulse_blue", tokens=("", "hidden", ""))
    game = attack(a(SQUAD, energy=("red 3", "", "")), "attack with Frost Bite", other=other)
    assert (game.amounts("att"), game.under(1)[1]) == ((4, 0, 0), ["hidden"])


def test_rook_41_a_field_effect_and_a_token_card_of_the_same_kind_act_together():
    game = faced("hidden", "dusk")
    assert (game.amounts("att"), game.under(1)[0], game.under(1, "slid")[0]) == ((0, 0, 0), [], [])
    assert (game.position["supply"]["hidden"], game.player(1)["pile"].count("dusk")) == (6, 3)


def test_rook_42_golden_g20_a_cover_gives_2_and_is_spent():
    game = faced(slid="rubble")
    assert (game.amounts("att"), game.amounts("cover"), game.under(1, "slid")[0]) == ((4, 0, 0), (2, 0, 0), [])
    assert game.do("stop placing").life(1) == (4, 6, 6)


def test_rook_42_44_faq_two_covers_add_up_and_both_are_spent():
    game = faced(slid="rubble, rubble")
    assert (game.amounts("cover"), game.under(1, "slid")[0]) == ((4, 0, 0), [])
    assert game.do("stop placing").life(1) == (6, 6, 6)


def test_rook_41_42_cover_waits_while_hidden_cancels_the_attack():
    game = faced("hidden", "rubble")
    assert (game.amounts("att"), game.amounts("cover")) == ((0, 0, 0), (0, 0, 0))
    assert (game.under(1)[0], game.under(1, "slid")[0]) == ([], ["rubble"])


def test_rook_42_a_spill_triggers_no_token_of_the_faced():
    other = a("shadow stone pulse_blue", life=(0, 6, 6), tokens=("", "hidden", ""), slid=("", "rubble", ""))
    game = attack(a(SQUAD, energy=("red 3", "", "")), "attack with Frost Bite", other=other).do("stop placing")
    assert game.life(1) == (0, 2, 6)
    assert (game.under(1)[1], game.under(1, "slid")[1]) == (["hidden"], ["rubble"])


# defence lines


def test_rook_43_none_or_one_of_the_defence_lines_met_is_used_by_position():
    other = a("rime hiss stone", energy=("red 2", "red 2", "red 1"))
    game = table(a("thorn banner valt"), other, phase="defend", attack=(1, 1, 1))
    asked = []
    while game.phase == "defend":
        asked.append(game.options)
        game.do(game.options[-1])
    assert asked == [["Rime does not defend", "defend with Ice Wall"], ["Stone does not defend", "defend with Bulwark"]]
    assert game.amounts("dfn") == (2, 0, 2)


def guarded(amounts: tuple[int, ...], **facts: object) -> Play:
    """Rime under attack with two Guards, in a row with Pulse Blue whose field effect gives them."""
    return defend(a("rime pulse_blue stone", slid=("shell, shell", "", ""), **facts), amounts=amounts)


def test_rook_43_44_faq_two_guards_add_2_each_to_a_defence_and_are_spent():
    other = a("rime pulse_blue stone", slid=("shell, shell", "", ""), energy=("red 2", "", ""))
    game = defend(other, "defend with Ice Wall")
    assert (game.amounts("dfn"), game.under(1, "slid")[0]) == ((2 + 2 + 2, 0, 0), [])
    assert game.player(1)["pile"].count("shell") == 2


def test_rook_43_guard_stays_without_a_defence_to_add_to():
    game = guarded((1, 1, 0))
    assert (game.amounts("dfn"), game.under(1, "slid")[0]) == ((0, 0, 0), ["shell", "shell"])


def test_rook_43_guard_stays_on_a_rookling_that_nobody_attacks():
    game = guarded((0, 1, 1), defence_flat=(1, 0, 0))
    assert (game.amounts("dfn"), game.under(1, "slid")[0]) == ((1, 0, 0), ["shell", "shell"])


def test_rook_43_a_flat_defence_is_enough_for_guard():
    game = guarded((1, 1, 0), defence_flat=(1, 0, 0))
    assert (game.amounts("dfn"), game.under(1, "slid")[0]) == ((5, 0, 0), [])


def test_rook_43_golden_g21_ice_wall_cover_and_guard_make_6():
    other = a("rime pulse_blue stone", slid=("shell, rubble", "", ""), hand="red 2")
    own = a("shadow hiss valt", energy=("red 3", "red 2", ""))
    game = table(own, other, phase="attack").do("attack with Ambush", "attack with Scald")
    game.do("put red 2 on Rime", "defend with Ice Wall")
    assert (game.amounts("att"), game.amounts("dfn"), game.under(1, "slid")[0]) == ((4, 3, 0), (6, 0, 0), [])


# fixed tokens act by any trigger, and stay


def fixed_as(trigger: str, *ops: dict) -> dict:
    """Changes that make Delvi's Tunnel another token."""
    return {"token.tunnel.trigger": trigger, "token.tunnel.ops": [*ops]}


def test_rook_38_71_a_fixed_token_of_the_attack_turn_acts_and_stays():
    own = a("delvi rime rute", fixed=("", "tunnel", ""), energy=("", "red 3", ""))
    changes = fixed_as("attack_turn", {"op": "attack_flat", "n": 2}, {"op": "attack_plus", "n": 1})
    game = attack(own, "attack with Frost Bite", changes=changes)
    assert (game.amounts("att"), game.under(0, "fixed")[1]) == ((0, 7, 0), ["tunnel"])


def test_rook_41_71_a_fixed_hiding_place_cancels_every_attack_and_stays():
    other = a("delvi stone shadow", fixed=("tunnel", "", ""))
    changes = fixed_as("faced", {"op": "cancel_attack"})
    own = a(SQUAD, energy=("red 3", "red 2", ""))
    game = attack(own, "attack with Frost Bite", "attack with Sting", other=other, changes=changes)
    assert (game.amounts("att"), game.under(1, "fixed")[0]) == ((0, 3, 0), ["tunnel"])


def test_rook_42_71_a_fixed_cover_adds_to_others_and_stays():
    other = a("delvi stone shadow", fixed=("tunnel", "", ""), slid=("rubble", "", ""))
    changes = fixed_as("faced", {"op": "defence_flat", "n": 3})
    game = attack(a(SQUAD, energy=("red 3", "", "")), "attack with Frost Bite", other=other, changes=changes)
    assert (game.amounts("cover"), game.under(1, "fixed")[0], game.under(1, "slid")[0]) == ((5, 0, 0), ["tunnel"], [])


@pytest.mark.parametrize(("amounts", "defence"), [((1, 1, 0), (4, 0, 0)), ((0, 1, 1), (1, 0, 0))])
def test_rook_43_71_a_fixed_guard_acts_on_the_attacked_and_stays(amounts, defence):
    other = a("delvi stone shadow", fixed=("tunnel", "", ""), defence_flat=(1, 0, 0))
    game = defend(other, amounts=amounts, changes=fixed_as("defends", {"op": "defence_plus", "n": 3}))
    assert (game.amounts("dfn"), game.under(1, "fixed")[0]) == (defence, ["tunnel"])
