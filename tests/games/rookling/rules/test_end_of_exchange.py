"""ROOK-59 to 66: the attacker's end tokens, cleanup, drawing, swapped roles, games stopped at the cap."""

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import returns
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.rookling.state import Cause
from sim.run import collect
from tests.games.rookling.positions import Play, a, card_set, table

SQUAD = "rime rute hiss"


def finished(own: dict, other: dict | None = None, **position: object) -> Play:
    """An exchange in which no Rookling attacks or defends, played to its end."""
    return table(own, other, phase="attack", **position).idle()


def poisoned(own: dict) -> Play:
    """The same, gone as far as the order of poison is asked for."""
    return table(own, phase="attack").idle("next")


# E1a: healing


@pytest.mark.parametrize(("life", "after"), [(0, 2), (3, 5), (5, 6), (6, 6)])
def test_rook_59_regrowth_heals_2_at_most_to_the_cap_and_is_spent_even_if_nothing_changes(life, after):
    game = finished(a("spring rute hiss", life=(life, 6, 6), slid=("dew", "", "")))
    assert (game.life(0), game.under(0, "slid")[0], game.player(0)["pile"].count("dew")) == ((after, 6, 6), [], 2)


def test_rook_44_59_faq_two_of_them_act_together():
    game = finished(a("spring rute hiss", life=(6, 0, 6), slid=("", "dew, dew", "")))
    assert (game.life(0), game.under(0, "slid")) == ((6, 4, 6), [[], [], []])


def test_rook_59_only_those_of_the_attacker_act():
    game = finished(a(SQUAD), a("spring stone delvi", life=(3, 6, 6), slid=("dew", "", "")))
    assert (game.life(1), game.under(1, "slid")[0]) == ((3, 6, 6), ["dew"])
    game.idle()
    assert (game.life(1), game.under(1, "slid")[0]) == ((5, 6, 6), [])


def test_rook_59_71_a_fixed_spring_heals_whoever_stands_there_and_stays():
    changes = {"token.tunnel.trigger": "end_attack", "token.tunnel.ops": [{"op": "heal", "n": 1}]}
    own = a("rute delvi hiss", life=(3, 3, 3), fixed=("tunnel", "", ""))
    game = finished(own, changes=changes)
    assert (game.life(0), game.under(0, "fixed")[0]) == ((4, 3, 3), ["tunnel"])


# E1b: poison


def test_rook_60_golden_g31_faq_poison_on_siege_state_spills_and_stays():
    game = finished(a(SQUAD, life=(0, 4, 6), tokens=("poisoned", "", "")))
    assert (game.life(0), game.under(0)) == ((0, 3, 6), [["poisoned"], [], []])


def test_rook_60_one_packet_for_each_rookling_of_as_many_points_as_it_bears_tokens():
    own = a("thorn rute hiss", tokens=("poisoned, poisoned", "", "poisoned"), slid=("seed", "", ""))
    game = poisoned(own)
    assert (game.phase, game.current_player, game.amounts("att")) == ("next", 0, (3, 0, 1))
    assert game.idle().life(0) == (3, 6, 5)


def test_rook_60_order_and_side_are_picked_by_the_owner():
    own = a(SQUAD, life=(2, 0, 6), tokens=("poisoned, poisoned", "poisoned", ""))
    game = poisoned(own)
    assert (game.current_player, {way.life(0) for way in game.every_way()}) == (0, {(0, 0, 5), (0, 0, 6)})
    assert game.do("resolve the poison on the middle first").options == ["spill to the left", "spill to the right"]
    assert game.do("spill to the left").life(0) == (0, 0, 6), "1 by the spill, 1 of 2 by its own: the rest is excess"


def test_rook_60_nothing_blocks_poison():
    own = a("delvi rute hiss", fixed=("tunnel", "", ""), tokens=("poisoned", "", ""), defence_flat=(3, 0, 0))
    other = a("stone shadow spring", defence_flat=(3, 3, 3))
    assert finished(own, other).life(0) == (5, 6, 6)


def test_rook_60_poison_triggers_nothing():
    own = a("shadow stone pulse_blue", tokens=("hidden, poisoned", "poisoned", ""), slid=("", "rubble, shell", ""))
    game = finished(own, a(SQUAD))
    assert (game.life(0), game.under(0), game.under(0, "slid")) == (
        (5, 5, 6),
        [["poisoned", "hidden"], ["poisoned"], []],
        [[], ["rubble", "shell"], []],
    )


def test_rook_60_only_the_attacker_is_poisoned():
    game = finished(a(SQUAD), a("stone shadow spring", tokens=("poisoned", "", "")))
    assert game.life(1) == (6, 6, 6)


@pytest.mark.parametrize("life", [(1, 0, 0), (0, 0, 1)])
def test_rook_01_60_the_attacker_can_lose_here(life):
    game = finished(a(SQUAD, life=life, tokens=("poisoned", "", "")), a("stone shadow spring", life=(0, 0, 1)))
    assert (game.over, game.winner, game.state["last_blow"], game.life(0)) == (True, 1, Cause.POISON, (0, 0, 0))


# the order of both


@pytest.mark.parametrize(
    ("order", "life", "after"),
    [
        ("heal_first", (0, 4, 6), (1, 4, 6)),  # healed out of siege-state, it takes its poison itself
        ("damage_first", (0, 4, 6), (2, 3, 6)),  # the poison spills, then it is healed
        ("heal_first", (6, 6, 6), (5, 6, 6)),
        ("damage_first", (6, 6, 6), (6, 6, 6)),
    ],
)
def test_rook_59_60_switch_e1_order_healing_or_poison_first(order, life, after):
    own = a("spring rute hiss", life=life, tokens=("poisoned", "", ""), slid=("dew", "", ""))
    assert finished(own, rules={"e1_order": order}).life(0) == after


@pytest.mark.parametrize(("order", "winner"), [("heal_first", None), ("damage_first", 1)])
def test_rook_59_60_switch_e1_order_can_decide_a_game(order, winner):
    own = a("spring rute hiss", life=(1, 0, 0), tokens=("poisoned", "", ""), slid=("dew", "", ""))
    game = finished(own, rules={"e1_order": order})
    assert (game.winner, game.life(0)) == (winner, (0, 0, 0) if winner else (2, 0, 0))


# E2: cards


def test_rook_61_energy_goes_to_the_discard_pile_used_or_not():
    own, other = a(SQUAD, energy=("red 3", "blue 1", "")), a("stone shadow spring", energy=("red 1", "", "green 1"))
    game = table(own, other, phase="attack").do("attack with Frost Bite", "defend with Bulwark", "defend with Bubble")
    assert game.position["discard"] == {"red 1": 1, "red 3": 1, "blue 1": 1, "green 1": 1}
    assert game.player(0)["energy"] == game.player(1)["energy"] == [[], [], []]


@pytest.mark.parametrize(
    ("decision", "fixed", "discard"), [("attack with Claw", ["tunnel"], {}), ("Delvi does not attack", [], {"tunnel": 1})]
)
def test_rook_61_golden_g26_a_field_effect_becomes_a_token_only_by_powering_a_line(decision, fixed, discard):
    game = table(a("delvi rute hiss", energy=("tunnel", "", "")), phase="attack").do(decision)
    assert (game.under(0, "fixed")[0], game.position["discard"]) == (fixed, discard)


def test_rook_61_it_slides_under_the_rookling_that_used_it_whoever_owns_it():
    own = a("rime rute hiss", energy=("", "dusk", ""))
    game = table(own, a("shadow stone spring"), phase="attack").do("attack with Sting")
    assert (game.under(0, "slid"), game.under(1, "slid")) == ([[], ["dusk"], []], [[], [], []])


def test_rook_61_all_cards_count_for_an_any_line_those_of_its_colour_for_a_coloured_one():
    facts = {"energy": ("spark, shell", "", ""), "capacity": (2, 1, 1)}
    own = a("pulse_red pulse_blue hiss", **facts)
    assert table(own, phase="attack").do("attack with Red Beat").under(0, "slid")[0] == ["spark", "shell"]
    changes = {"rookling.pulse_red.line.red_beat.colour": "blue"}
    game = table(own, phase="attack", changes=changes).do("attack with Red Beat")
    assert game.under(0, "slid")[0] == ["shell"], "that the red of Spark matches does not count"
    assert (game.position["discard"], game.life(1)) == ({"spark": 1}, (1, 6, 6))


def test_rook_61_for_a_special_line_only_cards_attached_before_it_was_activated():
    own = a("thorn spring hiss", life=(3, 6, 6), hand="red 3, dew", capacity=(1, 2, 1))
    game = table(own, changes={"rookling.spring.line.mend.colour": "any"})
    game.do("put red 3 on Spring", "activate Mend", "put Dew on Spring").idle()
    assert (game.life(0), game.under(0, "slid"), game.position["discard"]) == ((5, 6, 6), [[], [], []], {"red 3": 1, "dew": 1})


def test_rook_61_a_special_line_that_a_field_effect_powers_makes_it_a_token():
    own = a("spring rute hiss", life=(5, 6, 6), hand="seed")
    game = table(own, a("thorn stone shadow")).do("put Seed on Rute", "activate Antidote").idle()
    assert game.under(0, "slid")[1] == ["seed"]


def test_rook_35_61_what_holds_for_the_exchange_only_is_gone_with_it():
    grants = dict.fromkeys(("attack_flat", "attack_plus", "defence_flat", "defence_plus"), (1, 2, 3))
    facts = {"capacity": (2, 4, 1), "energy": ("green 3", "", ""), "powered": ("green 3", "", "")} | grants
    own, other = a("spring rute hiss", activated=("Mend", "", ""), **facts), a("stone shadow delvi", **facts)
    game = finished(own, other, cover=(1, 1, 1))
    assert (game.player(0)["exchange"], game.player(1)["exchange"]) == ({}, {})
    assert (game.amounts("att"), game.amounts("dfn"), game.amounts("cover")) == ((0, 0, 0),) * 3


# E2: fixed tokens


def test_rook_62_golden_g27_faq_a_second_tunnel_makes_the_older_one_collapse():
    own = a("delvi rute hiss", energy=("tunnel", "", ""), fixed=("", "", "tunnel"))
    game = table(own, phase="attack").do("attack with Claw")
    assert (game.under(0, "fixed"), game.player(0)["pile"].count("tunnel")) == ([["tunnel"], [], []], 1)


def test_rook_62_of_two_made_at_once_the_defenders_or_the_right_one_stays():
    own = a("delvi rute hiss", energy=("tunnel", "tunnel", ""))
    game = table(own, phase="attack").do("attack with Claw", "attack with Sting")
    game.idle()
    assert (game.under(0, "fixed"), game.player(0)["pile"].count("tunnel")) == ([[], ["tunnel"], []], 1)
    own = a("delvi rute hiss", energy=("", "", "tunnel"))
    game = table(own, a("rime stone shadow", energy=("tunnel", "", "")), phase="attack")
    game.do("attack with Scald", "defend with Ice Wall")
    assert (game.under(0, "fixed"), game.under(1, "fixed")) == ([[], [], []], [["tunnel"], [], []])
    assert game.player(0)["pile"].count("tunnel") == 1


def test_rook_62_each_owner_has_one():
    own, other = (
        a("delvi rute hiss", energy=("tunnel (seat 0)", "", "")),
        a("delvi stone rime", fixed=("tunnel (seat 1)", "", "")),
    )
    game = table(own, other, phase="attack", rules={"mirror": True}).do("attack with Claw")
    assert game.under(0, "fixed")[0] == ["tunnel (seat 0)"]
    assert game.under(1, "fixed")[0] == ["tunnel (seat 1)"]


# E2: tokens


def test_rook_63_tokens_go_then_pending_ones_act_then_slid_cards():
    own = a(SQUAD, tokens=("frozen", "", ""), coming=("frozen", "confused", ""), energy=("", "black_ice", ""))
    game = table(own, phase="attack").do("attack with Sting")
    assert game.under(0) == [["frozen"], ["confused"], []], "the Frozen of this exchange made room for the next one"
    assert (game.under(0, "coming"), game.under(0, "slid")) == ([[], [], []], [[], ["black_ice"], []])
    game.idle()
    assert (game.under(0), game.under(0, "slid")) == ([[], ["confused"], []], [[], [], []])


@pytest.mark.parametrize(("seat", "left"), [(0, []), (1, ["confused"])])
def test_rook_63_tokens_until_the_owners_attack_go_from_the_attacker_only(seat, left):
    players = [a(SQUAD), a("stone shadow spring")]
    players[seat] |= {"tokens": [["confused"], [], []]}
    assert finished(*players).under(seat)[0] == left


def test_rook_63_what_is_removed_returns_at_once_to_the_supply_or_to_the_pile_of_its_owner():
    game = finished(a("delvi rute hiss", tokens=("frozen", "", "")), a("rime stone shadow", slid=("", "", "black_ice")))
    assert (game.position["supply"]["frozen"], game.player(1)["pile"].count("black_ice")) == (6, 2)
    game = finished(a("delvi rute hiss", slid=("black_ice", "", "")), a("rime stone shadow"))
    assert (game.player(0)["pile"], game.player(1)["pile"].count("black_ice")) == (["tunnel", "tunnel"], 2)


@pytest.mark.parametrize(("turn", "hands"), [(0, (4, 4)), (1, (4, 2))])
def test_rook_64_the_attacker_draws_up_to_4_in_the_first_exchange_the_defender_too(turn, hands):
    game = table(a(SQUAD, hand="red 1"), a("stone shadow spring", hand="red 2, red 3"), turn=turn).idle()
    assert (len(game.hand(0)), len(game.hand(1))) == hands


@pytest.mark.parametrize(("mode", "hand"), [("up_to", 6), ("new_hand", 4)])
def test_rook_64_switch_draw_mode_a_full_hand_is_kept_or_replaced(mode, hand):
    own = a(SQUAD, hand="red 1, red 2, red 3, red 4, red 5, red 6")
    game = table(own, rules={"draw_mode": mode}).idle()
    assert (len(game.hand(0)), sum(game.position["discard"].values())) == (hand, 6 if mode == "new_hand" else 0)


@pytest.mark.parametrize("mode", ["up_to", "new_hand"])
@pytest.mark.parametrize(("price", "hand"), [("strict", 1), ("lenient", 4)])
def test_rook_15_64_switch_poison_clear_draw_the_price_of_clearing_when_attacking(price, hand, mode):
    own = a(SQUAD, hand="red 1, red 2", tokens=("poisoned", "", ""))
    game = table(own, phase="clear", rules={"poison_clear_draw": price, "draw_mode": mode})
    game.do("clear Rime with red 1").idle()
    assert (game.turn, len(game.hand(0)), game.player(0)["skip"]) == (2, hand, False)
    assert len(game.idle().idle().hand(0)) == 4, "the next attack ends with a draw again"


def test_rook_64_65_the_discard_pile_is_shuffled_when_a_card_is_needed_and_not_earlier():
    own, other = a(SQUAD, hand="red 1, red 2, red 3"), a("stone shadow spring")
    game = table(own, other, deck={"blue 1": 1}).idle()
    assert (game.position["deck_size"], game.position["discard_size"]) == (0, 44)
    game.idle()
    assert (game.position["deck_size"], game.position["discard_size"]) == (40, 0)


def test_rook_36_65_if_deck_and_discard_pile_are_empty_fewer_cards_are_drawn():
    """The smallest deck, all of it on the table but for one card: only an effect can ask for more than there are."""
    least = {f"energy.counts.{colour}": [1] * 6 for colour in ("red", "blue", "green", "yellow")}
    lie = ("red 4, red 1, red 2, red 3", "blue 1, blue 2, blue 3, blue 4", "green 1, green 2, green 3, green 4")
    own = a("hiss rime rute", energy=lie, capacity=(4, 4, 4), hand="red 5, red 6, blue 5")
    other = a("stone shadow spring", energy=("blue 6", "green 5", ""), hand=", ".join(f"yellow {n}" for n in range(1, 7)))
    pending = {"at": "left", "line": "Pressure"}
    game = table(own, other, phase="activate", pending=pending, changes=least, deck={"green 6": 1}, discard={})
    assert game.do("activate Pressure").hand(0) == ["red 5", "red 6", "blue 5", "green 6"]


@pytest.mark.parametrize("first", [0, 1])
def test_rook_66_the_defender_becomes_the_attacker(first):
    game = table(a(SQUAD), attacker=first).idle()
    assert (game.position["attacker"], game.current_player, game.phase) == (1 - first, 1 - first, "row")


def harmless() -> CardSet:
    """Cards with which these six never do any damage: no attack line can be met, so no Rookling is ever in siege-state."""
    attacks = {"rime": ["frost_bite"], "rute": ["sting"], "hiss": ["scald", "vent"], "delvi": ["claw"]}
    attacks |= {"stone": ["boulder"], "banner": ["lance"]}
    paths = [f"rookling.{rookling}.line.{line}.number" for rookling, lines in attacks.items() for line in lines]
    return card_set({"turn_cap": 20}, dict.fromkeys(paths, 18))


def test_rook_66_a_game_that_reaches_the_cap_is_stopped_without_a_winner_and_counted_apart():
    cards = harmless()
    line_up = (cards.ids.index("rime+rute+hiss"), cards.ids.index("delvi+stone+banner"))
    made = Experiment("rookling", cards, 2, (PolicySpec.parse("random"),), 4, seed=1, line_up=line_up)
    rows, outcomes = (found := collect(made, jobs=1)).rows, found.outcomes
    assert rows["status"].tolist() == [Status.TRUNCATED] * len(rows)
    assert (rows["turns"] == 20).all()
    assert not rows["share"].any()
    assert (outcomes["last_blow"] == Cause.NONE).all()
    assert (outcomes["exchanges"] == 20).all()


def test_rook_66_nobody_has_won_before_somebody_has_lost():
    game, shares = table(a(SQUAD, life=(1, 0, 0)), turn=199).idle(), np.full(SEATS_MAX, -1.0)
    returns(game.state, shares)
    assert (game.turn, game.over, game.winner, shares.tolist()) == (200, False, None, [0.0] * SEATS_MAX)


def test_rook_55_66_a_game_decided_in_the_last_exchange_is_won():
    own = a(SQUAD, energy=("red 3", "", ""))
    game = table(own, a("stone shadow spring", life=(1, 0, 0)), phase="attack", turn=199).do("attack with Frost Bite")
    assert (game.turn, game.over, game.winner) == (200, True, 0)
