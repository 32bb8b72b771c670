"""ROOK-30 to 37 on the compiled kernels: when special lines are offered, and what they do; G-27, G-28."""

from typing import Any

import pytest

from sim.games.rookling.rules.energy import meets
from tests.games.rookling.positions import Play, a, others, table

MEND = ["leave Mend unused", "activate Mend"]


def defending(own: dict[str, Any], **position: Any) -> Play:
    """Seat 1 with this squad about to place cards for its defence."""
    return table(others(own), own, defending=True, **position)


def effect(line: str, do: str, n: int, **rest: Any) -> dict[str, Any]:
    """Changes to the card file: another effect of a special line. line: as in `banner.line.rally`."""
    return {f"rookling.{line}.effects": [{"do": do, "n": n, **rest}]}


# ---- when -----------------------------------------------------------------------------------------------------------


def test_rook_30_special_lines_are_offered_right_after_a_card_in_printed_order_and_may_be_kept():
    game = table(a("shadow rute rime", hand="green 4, red 1")).do("put green 4 on Shadow")
    assert game.options == ["leave Fade unused", "activate Fade"]
    game.do("leave Fade unused")
    assert game.options == ["leave Nightfall unused", "activate Nightfall"]
    assert game.do("activate Nightfall").position["deck"]["dusk"] == 3  # at once
    assert game.do("put red 1 on Rute").phase == "attack"  # and not again after a card on another Rookling


def test_rook_30_all_cards_attached_now_count():
    game = table(a("hiss rute rime", hand="red 1, red 3, red 5", capacity=(2, 1, 1)))
    assert game.do("put red 1 on Hiss").phase == "assign"
    assert game.do("put red 3 on Hiss").options == ["leave Pressure unused", "activate Pressure"]


@pytest.mark.parametrize(("life", "offered"), [(6, False), (0, True)])
def test_rook_30_the_side_that_is_up_counts(life, offered):
    game = table(a("rime rute hiss", hand="blue 2, red 1", life=(life, 6, 6))).do("put blue 2 on Rime")  # blue 3; 2
    assert (game.phase == "activate") == offered


@pytest.mark.parametrize(("tokens", "coming", "offered"), [("confused", "", False), ("", "confused", True)])
def test_rook_30_active_confused_bars_special_lines(tokens, coming, offered):
    own = a("rime rute hiss", hand="blue 3, red 1", tokens=(tokens, "", ""), coming=(coming, "", ""))
    assert (table(own).do("put blue 3 on Rime").phase == "activate") == offered


def test_rook_30_what_would_change_nothing_is_not_offered():
    full = table(a("spring rute rime", hand="green 3, red 1")).do("put green 3 on Spring")
    assert full.phase == "assign"
    hurt = table(a("spring rute rime", hand="green 3, red 1", life=(6, 5, 6))).do("put green 3 on Spring")
    assert hurt.options == MEND


@pytest.mark.parametrize(("order", "room"), [(["cleanse", "charge"], 2), (["charge", "cleanse"], 1)])
def test_rook_30_effects_of_one_line_happen_in_printed_order(order, room):
    """Who is Frozen cannot be charged."""
    parts = {"cleanse": {"do": "cleanse", "scope": "any_own"}, "charge": {"do": "charge", "scope": "any_own", "n": 1}}
    changes = {
        "rookling.rute.line.antidote.effects": [parts[do] for do in order],
        "rookling.rute.line.antidote.siege": {"number": 2},
    }
    own = a("rime rute hiss", hand="green 3, red 1", tokens=("frozen", "", ""))
    game = table(own, changes=changes).do("put green 3 on Rute", "activate Antidote", "Antidote for Rime")
    assert (game.under(0)[0], game.state["capacity"][0].tolist()) == ([], [room, 1, 1])


# ---- shuffle_field --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pile", "shuffled"), [("dusk, dusk, dusk", 3), ("dusk", 1), ("", 0)])
def test_rook_31_as_many_copies_as_lie_in_the_own_pile_are_shuffled_into_the_deck(pile, shuffled):
    own = a("shadow rute rime", hand="green 2, red 1", pile=pile)
    game = table(own).do("put green 2 on Shadow")
    assert (game.phase == "activate") == (shuffled > 0)
    before = game.position["deck"].get("dusk", 0)
    if shuffled:
        game.do("activate Nightfall")
    assert game.position["deck"].get("dusk", 0) - before == shuffled
    assert "dusk" not in game.player(0)["pile"]


def test_rook_31_no_more_copies_than_the_line_says():
    changes = {"rookling.shadow.line.nightfall.effects[0].n": 2}
    game = table(a("shadow rute rime", hand="green 2, red 1"), changes=changes)
    game.do("put green 2 on Shadow", "activate Nightfall")
    assert (game.position["deck"]["dusk"], game.player(0)["pile"].count("dusk")) == (2, 1)


def test_rook_31_copies_can_be_drawn_at_once_by_either_player():
    own = a("delvi hiss rime", hand="yellow 2, red 4")
    game = table(own).do("put yellow 2 on Delvi", "activate Dig", "put red 4 on Hiss")
    game.do("activate Pressure", draws=["tunnel", "tunnel"])
    assert game.hand(0) == ["tunnel", "tunnel"]
    game = table(a("delvi hiss rime", hand="yellow 2"), turn=0).do("put yellow 2 on Delvi")
    game.do("activate Dig", 0, draws=[*["blue 1"] * 3, "blue 2", "tunnel", "tunnel", "blue 2", "blue 2"])
    assert game.hand(1)[:2] == ["tunnel", "tunnel"]


# ---- heal, cleanse --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("life", "after"), [(0, 2), (3, 5), (5, 6)])
def test_rook_32_golden_g28_faq_healing_goes_to_the_cap_and_out_of_siege_state(life, after):
    game = table(a("spring stone rime", hand="green 3, red 1", life=(6, life, 6))).do("put green 3 on Spring")
    assert game.do("activate Mend").life(0) == (6, after, 6)
    assert game.state["healed_back"][0].tolist() == [0, int(life == 0), 0]


def test_rook_32_front_numbers_count_again_at_once():
    own = a("spring stone rime", hand="green 3, red 3", life=(6, 0, 6))  # Boulder: any 4, in siege-state any 3
    game = table(own).do("put red 3 on Stone")
    assert meets(game.state, game.record, 0, 1, 0)
    game.do("put green 3 on Spring", "activate Mend")
    assert not meets(game.state, game.record, 0, 1, 0)


def test_rook_32_healing_in_siege_state_is_stronger_and_the_cap_is_a_number_of_the_card_file():
    game = table(a("spring stone rime", hand="green 3, red 1", life=(0, 6, 6))).do("put green 3 on Spring")
    assert game.do("activate Mend").life(0) == (3, 6, 6)
    game = table(a("spring stone rime", hand="green 3, red 1"), rules={"heal_cap": 7}).do("put green 3 on Spring")
    assert game.do("activate Mend", "Mend for Stone").life(0) == (6, 7, 6)


def test_rook_32_only_targets_in_scope_below_the_cap_may_be_picked():
    own = a("spring stone rime", hand="green 3, red 1", life=(4, 5, 1))
    assert table(own).do("put green 3 on Spring", "activate Mend").options == ["Mend for Spring", "Mend for Stone"]
    own = a("stone spring rime", hand="green 3, red 1", life=(4, 6, 1))
    assert table(own).do("put green 3 on Spring", "activate Mend").options == ["Mend for Stone", "Mend for Rime"]


def test_rook_33_all_active_harmful_tokens_go_back_where_they_belong_helpful_and_pending_ones_stay():
    own = a(
        "thorn rute spring",
        hand="green 3, red 1",
        tokens=("frozen, poisoned, poisoned, hidden", "", ""),
        coming=("confused", "", ""),
        slid=("seed, dew", "", ""),
    )
    game = table(own).do("put green 3 on Rute", "activate Antidote")
    assert [game.under(0, which)[0] for which in ("tokens", "coming", "slid")] == [["hidden"], ["confused"], ["dew"]]
    assert game.position["supply"] == {"frozen": 6, "poisoned": 6, "confused": 5, "hidden": 5}
    assert sorted(game.player(0)["pile"]) == ["dew", "seed", "seed"]


@pytest.mark.parametrize(
    ("facts", "targets"),
    [
        pytest.param({}, [], id="no-rookling"),
        pytest.param({"tokens": ("hidden", "", ""), "coming": ("", "", "frozen")}, [], id="helpful or pending"),
        pytest.param({"tokens": ("frozen", "", "confused")}, ["Rime", "Hiss"], id="harmful tokens"),
        pytest.param({"tokens": ("frozen", "", ""), "life": (6, 5, 6)}, ["Rime", "Rute"], id="either effect"),
    ],
)
def test_rook_33_a_target_is_allowed_if_either_effect_would_change_something(facts, targets):
    game = table(a("rime rute hiss", hand="green 3, red 1", **facts)).do("put green 3 on Rute")
    assert (game.phase == "activate") == bool(targets)
    if targets:
        assert game.do("activate Antidote").options == [f"Antidote for {target}" for target in targets]


def test_rook_33_what_is_cleansed_is_then_healed():
    own = a("rime rute hiss", hand="green 3, red 1", life=(0, 6, 6), tokens=("frozen", "", ""))
    game = table(own).do("put green 3 on Rute", "activate Antidote")
    assert (game.under(0)[0], game.life(0)) == ([], (1, 6, 6))
    assert "put red 1 on Rime" in game.options


# ---- charge, grants -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("life", "room"), [(6, 2), (0, 3)])
def test_rook_34_charge_makes_room_for_this_exchange(life, room):
    own = a("valt rute hiss", hand="red 3, red 1, blue 1, blue 2", life=(life, 6, 6))
    game = table(own).do("put red 3 on Valt", "activate Charge", "Charge for Rute")
    assert game.state["capacity"][0].tolist() == [1, room, 1]
    for card in ("red 1", "blue 1", "blue 2")[:room]:
        game.do(f"put {card} on Rute")
    assert not any("Rute" in words for words in game.options)
    game.do(0)
    assert game.idle("assign").idle().state["capacity"].tolist() == [[1, 1, 1]] * 2


def test_rook_34_targets_are_in_scope_and_not_frozen():
    own = a("valt rute hiss", hand="red 3, red 1", tokens=("", "frozen", ""))
    game = table(own).do("put red 3 on Valt", "activate Charge")  # one target: not asked
    assert (game.phase, game.state["capacity"][0].tolist()) == ("assign", [2, 1, 1])
    own = a("rute valt hiss", hand="red 3, red 1", tokens=("", "", "frozen"))
    assert table(own).do("put red 3 on Valt", "activate Charge").options == ["Charge for Rute", "Charge for Valt"]


def test_rook_34_charge_is_offered_only_with_a_card_in_hand():
    assert table(a("valt rute hiss", hand="red 3, red 1")).do("put red 3 on Valt").phase == "activate"
    assert table(a("valt rute hiss", hand="red 3")).do("put red 3 on Valt").phase == "attack"


@pytest.mark.parametrize("grant", ["attack_flat", "attack_plus", "defence_flat", "defence_plus"])
def test_rook_35_attack_grants_are_for_the_attacker_defence_grants_for_the_defender(grant):
    own, changes = a("rime banner rute", hand="red 2, red 1"), effect("banner.line.rally", grant, 2, scope="neighbours")
    for seat, game in enumerate((table(own, changes=changes), defending(own, changes=changes))):
        game.do("put red 2 on Banner")
        offered = grant.startswith("defence" if seat else "attack")
        assert (game.phase == "activate") == offered
        if offered:
            assert game.do("activate Rally").state[grant][seat].tolist() == [2, 0, 2]


def test_rook_35_grants_add_up_and_end_with_the_exchange():
    own = a("rime banner rute", hand="red 2, red 3", attack_plus=(1, 0, 0))
    game = table(own, others(own, hand="red 1")).do("put red 2 on Banner", "activate Rally", "put red 3 on Rime")
    game.do("attack with Frost Bite", "attack with Lance")
    assert game.amounts("att") == (6, 3, 0)  # Frost Bite 4 + 1 + 1; Lance; a plus without an attack is lost
    assert game.do("stop placing").idle("row").state["attack_plus"].tolist() == [[0] * 3] * 2


def test_rook_35_a_flat_grant_defends_alone():
    own = a("rime banner rute", hand="yellow 2")
    game = defending(own, attack=(3, 0, 3)).do("put yellow 2 on Banner", "activate Shelter")
    game.do("Banner does not defend")
    assert (game.phase, game.amounts("dfn")) == ("next", (1, 0, 1))


# ---- draw, token_self -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "most", "drawn"),
    [
        ("red 4", 6, 2),
        ("red 4, red 1, red 1, red 1, blue 1, blue 1", 6, 1),
        ("red 4, red 1, red 1", 4, 2),
        ("red 4, red 1, red 1, red 1", 4, 1),
    ],
)
def test_rook_36_cards_are_drawn_but_never_above_the_largest_hand(hand, most, drawn):
    game = table(a("hiss rute rime", hand=hand), rules={"hand_max": most}).do("put red 4 on Hiss")
    before = len(game.hand(0))
    game.do("activate Pressure", draws=["green 1", "green 2"][:drawn])
    assert len(game.hand(0)) == before + drawn
    assert "put green 1 on Rute" in game.options  # it may be placed at once


def test_rook_36_a_draw_is_not_offered_with_a_full_hand():
    changes = effect("banner.line.rally", "draw", 3) | effect("banner.line.shelter", "draw", 1)
    changes |= {"rookling.banner.line.shelter.colour": "red"}
    for most, offered in ((4, False), (6, True)):
        game = table(a("banner rute rime", hand="red 2, red 1"), changes=changes, rules={"hand_max": most})
        game.do("put red 2 on Banner", "activate Rally")
        assert (game.phase == "activate") == offered


@pytest.mark.parametrize(("discarded", "offered"), [(0, False), (1, True)])
def test_rook_36_a_draw_is_offered_while_there_are_cards_in_deck_or_discard_pile(discarded, offered):
    game = table(a("hiss rute rime", hand="red 4, red 1"))
    for field in ("deck_n", "disc_n", "disc"):
        game.state[field] = 0
    game.state["disc"][0] = game.state["disc_n"] = discarded
    game.do("put red 4 on Hiss")
    assert (game.phase == "activate") == offered
    if offered:
        assert game.do("activate Pressure").hand(0) == ["red 1", "red 1"]


def test_rook_37_a_token_for_oneself_is_pending_until_the_next_exchange():
    game = table(a("shadow rute rime", hand="green 4")).do("put green 4 on Shadow", "activate Fade")
    assert (game.under(0)[0], game.under(0, "coming")[0]) == ([], ["hidden"])
    game.idle()
    assert (game.turn, game.under(0)[0], game.under(0, "coming")[0]) == (2, ["hidden"], [])


@pytest.mark.parametrize(("lying", "given"), [(4, 2), (5, 1), (6, 0)])
def test_rook_37_it_is_offered_unless_the_supply_is_empty(lying, given):
    own = a("shadow rute rime", hand="green 4, red 1", tokens=("", ", ".join(["hidden"] * lying), ""))
    game = table(own, changes={"rookling.shadow.line.fade.effects[0].n": 2}).do("put green 4 on Shadow")
    assert (game.options[1] == "activate Fade") == (given > 0)
    if given:
        assert game.do("activate Fade").under(0, "coming")[0] == ["hidden"] * given


# ---- what a special line leads to -----------------------------------------------------------------------------------


def test_rook_62_golden_g27_faq_a_second_tunnel_replaces_the_older_one():
    own = a("rime delvi rute", hand="tunnel", fixed=("tunnel", "", ""))
    game = table(own).do("put Tunnel on Delvi", "attack with Claw").idle()
    assert (game.under(0, "fixed"), game.player(0)["pile"].count("tunnel")) == ([[], ["tunnel"], []], 1)
