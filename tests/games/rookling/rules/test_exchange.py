"""ROOK-11 to 19 on the compiled kernels: the steps of an exchange, clearing poison, rows and neighbours; G-04, G-32, G-33."""

from itertools import pairwise

import pytest

from sim.engine.contract import resample_hidden
from sim.games.rookling import GAME
from sim.games.rookling.rules.energy import draw_cards
from sim.games.rookling.state import Phase, mover
from tests.games.playing import AS_PRINTED
from tests.games.rookling.playing import game_at_random
from tests.games.rookling.positions import Play, a, clash, table


def after_the_attack(own: dict, other: dict | None = None, **position: object) -> Play:
    """The defender about to place cards."""
    return table(own, other, defending=True, **position)


# ---- the steps ------------------------------------------------------------------------------------------------------


def test_rook_11_steps_come_in_order_first_those_of_the_attacker():
    own = a("spring rime hiss", life=(5, 4, 6), tokens=("poisoned", "poisoned", ""), hand="green 3, red 4, red 1")
    other = a("stone rute banner", tokens=("poisoned", "", ""), hand="blue 2, yellow 2, red 2")
    game, seen = table(own, other, phase="clear"), []
    for words in (
        *("stop clearing", "row: Spring, Rime, Hiss"),
        *("put green 3 on Spring", "activate Mend", "Mend for Spring"),
        *("put red 4 on Hiss", "leave Pressure unused", "put red 1 on Rime"),
        *("attack with Splash", "attack with Vent"),
        *("stop clearing", "put yellow 2 on Stone", "put blue 2 on Rute", "put red 2 on Banner"),
        *("defend with Bulwark", "defend with Hide", "defend with Buckler"),
        *("resolve the attack on the left first", "resolve the poison on the left first"),
    ):
        seen.append((game.current_player, game.phase))
        game.do(words)
    attacker = ["clear", "row", "assign", "activate", "target", "assign", "activate", "assign", "attack", "attack"]
    defender = ["clear", "assign", "assign", "assign", "defend", "defend", "defend", "next"]
    assert seen == [*((0, step) for step in attacker), *((1, step) for step in defender), (0, "next")]
    assert (game.turn, game.current_player, game.phase, game.state["attacker"]) == (2, 1, "row", 1)


def test_rook_11_cards_leave_the_rooklings_before_the_attacker_draws():
    game = after_the_attack(a("rime rute hiss", energy=("red 6", "", "")), deck={})
    assert game.do("stop placing", draws=["red 6", "red 1", "red 1", "red 1"]).hand(0)[0] == "red 6"


def test_rook_11_golden_g04_in_the_first_exchange_both_draw():
    own = a("rime rute hiss", hand="red 1", energy=("red 1", "red 1", "blue 1"))
    other = a("delvi valt banner", hand="blue 1, blue 1, green 1", energy=("green 1", "", ""))
    draws = ["yellow 2", "yellow 3", "yellow 4", "yellow 5"]
    game = after_the_attack(own, other, turn=0).do("stop placing", draws=draws)
    assert [game.hand(0), game.hand(1)[3:]] == [["red 1", *draws[:3]], draws[3:]]
    assert game.position["deck_size"] == 36


def test_rook_11_golden_g04_later_only_the_attacker_draws():
    own = a("rime rute hiss", hand="red 1", energy=("red 1", "red 1", "blue 1"))
    other = a("delvi valt banner", hand="blue 1, blue 1, green 1", energy=("green 1", "", ""))
    game = after_the_attack(own, other, turn=1).do("stop placing", draws=["yellow 2", "yellow 3", "yellow 4"])
    assert (game.state["hand_n"].tolist(), game.position["deck_size"]) == ([4, 3], 37)


@pytest.mark.parametrize(("mode", "kept"), [("up_to", ["red 1", "blue 5"]), ("new_hand", [])])
def test_rook_11_the_rest_of_a_hand_is_kept_or_discarded_as_the_draw_mode_says(mode, kept):
    game = after_the_attack(a("rime rute hiss", hand="red 1, blue 5"), rules={"draw_mode": mode})
    draws = ["green 1", "green 2", "green 3", "green 4"][len(kept) :]
    game.do("stop placing", draws=draws)
    assert (game.hand(0), game.position["discard_size"]) == ([*kept, *draws], 2 - len(kept))


@pytest.mark.parametrize(("mode", "hand"), [("up_to", 6), ("new_hand", 4)])
def test_rook_11_a_hand_of_more_than_four_is_not_discarded_down_but_for_a_new_one(mode, hand):
    own = a("rime rute hiss", hand="red 1, red 2, red 3, red 4, blue 1, blue 2")
    game = after_the_attack(own, rules={"draw_mode": mode}).do("stop placing")
    assert game.state["hand_n"][0] == hand


def test_rook_11_golden_g33_the_discard_pile_is_shuffled_when_a_card_is_needed():
    game = table(a("rime rute hiss", hand="red 1, red 2"))
    state = game.state
    state["deck_n"], state["disc_n"], state["disc"][:] = 1, 6, 0
    state["disc"][:6] = 1
    draw_cards(state, game.workspace.dice[0], 0, 4)
    assert [int(state[field]) for field in ("deck_n", "disc_n")] == [5, 0]
    assert (state["hand_n"][0], state["disc"].sum()) == (4, 0)


# ---- which lines, what is open --------------------------------------------------------------------------------------


def test_rook_12_attack_lines_are_for_the_attacker():
    game = table(a("hiss valt rime", energy=("red 4", "red 4", "blue 4")), phase="attack")
    assert game.options == ["Hiss does not attack", "attack with Scald", "attack with Vent"]
    assert game.do("attack with Vent").options == ["Valt does not attack", "attack with Arc"]
    assert game.do("attack with Arc").options == ["Rime does not attack", "attack with Frost Bite"]


def test_rook_12_defence_lines_are_for_the_defender():
    other = a("hiss valt rime", energy=("red 4", "red 4", "blue 4"))
    game = table(a("delvi stone banner"), other, phase="defend", attack=(1, 1, 1))
    assert game.options == ["Hiss does not defend", "defend with Steam Veil"]
    assert game.do("defend with Steam Veil").options == ["Valt does not defend", "defend with Static"]
    assert game.do("defend with Static").options == ["Rime does not defend", "defend with Ice Wall"]


def test_rook_12_faq_special_lines_are_for_either_turn():
    squad = a("spring rime hiss", life=(4, 6, 6), hand="green 3")
    for seat, game in enumerate((table(squad), after_the_attack(a("delvi stone banner"), squad))):
        game.do("put green 3 on Spring")
        assert (game.current_player, game.options) == (seat, ["leave Mend unused", "activate Mend"])
        assert game.do("activate Mend").life(seat) == (6, 6, 6)


def test_rook_13_only_hands_and_the_order_of_the_deck_are_hidden():
    """A fair re-deal of what a seat cannot see leaves everything else as it is, and the cards in all."""
    assert GAME.hidden == ("hand", "deck")
    game = table(a("rime rute hiss", hand="red 4, blue 3", life=(0, 3, 5)), a("stone delvi banner", hand="red 1, red 1"))
    for seat in range(2):
        again = game.fork()
        resample_hidden(again.state, game.record, seat, again.workspace.dice[0])
        original, seen = game.position, again.position
        held, left = seen["players"][1 - seat].pop("hand"), seen.pop("deck")
        hidden, deck = original["players"][1 - seat].pop("hand"), original.pop("deck")
        assert seen == original
        assert len(held) == len(hidden)
        cards = [*deck, *hidden]
        assert all(left.get(card, 0) + held.count(card) == deck.get(card, 0) + hidden.count(card) for card in {*cards, *held})


# ---- clearing poison ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_rook_14_faq_any_card_clears_one_poison_as_often_as_wished(seat):
    """A token card goes before a field effect; each returns to where it belongs, the card to the discard pile."""
    bearer = a("thorn rute hiss", hand="red 1, seed, green 2", tokens=("poisoned", "", ""), slid=("seed", "", ""))
    sides = [bearer, a("delvi stone banner")]
    game = table(*(sides if seat == 0 else sides[::-1]), phase="clear", defending=seat == 1)
    assert (game.current_player, game.codes) == (seat, [0, 1, 2, 3])
    game.do("clear Thorn with Seed")
    assert (game.under(seat)[0], game.under(seat, "slid")[0], game.player(seat)["pile"]) == ([], ["seed"], [])
    assert game.position["supply"]["poisoned"] == 6
    assert game.position["discard"] == {"seed": 1}
    game.do("clear Thorn with red 1")
    assert (game.under(seat, "slid")[0], game.player(seat)["pile"], game.hand(seat)) == ([], ["seed"], ["green 2"])
    assert game.phase == ("row" if seat == 0 else "assign")


def test_rook_14_only_active_poison_of_the_own_rooklings_is_cleared():
    own = a("rime rute hiss", hand="red 1", tokens=("frozen, confused", "", ""), coming=("", "poisoned", ""))
    other = a("delvi stone banner", hand="red 2", tokens=("", "poisoned", ""))
    game = after_the_attack(a("valt spring thorn"), own).do("stop placing")
    assert (game.phase, game.turn, game.under(1)[1]) == ("clear", 2, ["poisoned"])  # it has become active
    game = table(own, other).do("stop placing")
    assert (game.current_player, game.options) == (1, ["stop clearing", "clear Stone with red 2"])


def test_rook_14_without_poison_or_cards_nothing_is_asked():
    poisoned = a("rime rute hiss", tokens=("poisoned", "", ""))
    assert table(a("delvi stone banner"), poisoned).do("stop placing").phase != "clear"
    healthy = a("rime rute hiss", hand="red 1")
    assert table(a("delvi stone banner"), healthy).do("stop placing").phase == "assign"


def cleared(seat: int, **rules: object) -> Play:
    """The second exchange, in which a seat has cleared a poison; both have one card left, none is placed."""
    sides = [a("rime rute hiss", hand="red 1"), a("delvi stone banner", hand="red 1")]
    sides[seat] |= {"hand": ["red 1", "blue 6"], "tokens": [[], ["poisoned"], []]}
    game = table(*sides, phase="clear", defending=seat == 1, rules=rules)
    return game.do(f"clear {'Rute' if seat == 0 else 'Stone'} with blue 6")


def test_rook_15_golden_g32_faq_who_clears_when_attacking_does_not_draw_in_this_exchange():
    game = cleared(0).idle(draws=[])
    assert (game.turn, game.hand(0), game.state["skip"].tolist()) == (2, ["red 1"], [0, 0])
    game.idle()
    assert (game.turn, game.hand(0), len(game.hand(1))) == (3, ["red 1"], 4)  # nor in the next, in which the other attacks
    assert len(game.idle().hand(0)) == 4


def test_rook_15_golden_g32_clearing_when_defending_costs_only_the_card():
    game = cleared(1).idle()
    assert (game.turn, len(game.hand(0)), game.hand(1)) == (2, 4, ["red 1"])
    assert len(game.idle().hand(1)) == 4


def test_rook_15_with_the_lenient_switch_clearing_costs_only_the_card():
    assert len(cleared(0, poison_clear_draw="lenient").idle().hand(0)) == 4


def test_rook_15_draws_by_an_effect_are_not_affected():
    own = a("hiss rute rime", hand="red 4, blue 6", tokens=("poisoned", "", ""))
    game = table(own, phase="clear").do("clear Hiss with blue 6", "row: Hiss, Rute, Rime")
    game.do("put red 4 on Hiss", "activate Pressure", draws=["green 1", "green 2"])
    assert game.idle(draws=[]).hand(0) == ["green 1", "green 2"]


# ---- rows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", range(6))
def test_rook_16_the_attacker_takes_any_order_life_and_tokens_move_fixed_tokens_stay(order):
    own = a(
        "delvi rime rute",
        life=(1, 2, 3),
        tokens=("frozen", "poisoned", ""),
        coming=("", "", "confused"),
        fixed=("tunnel", "", ""),
        hand="red 1",
    )
    game = table(own, phase="row")
    assert (game.current_player, len(game.options)) == (0, 6)
    row = game.do(order).row(0)
    goes_with = {"delvi": (1, ["frozen"], []), "rime": (2, ["poisoned"], []), "rute": (3, [], ["confused"])}
    found = zip(game.life(0), game.under(0), game.under(0, "coming"), strict=True)
    assert [*found] == [goes_with[rook] for rook in row]
    assert (game.under(0, "fixed"), game.hand(0)) == ([["tunnel"], [], []], ["red 1"])


@pytest.mark.parametrize("place", range(3))
def test_rook_17_a_rookling_attacks_the_one_opposite(place):
    rows = ["delvi rime rute", "rime delvi rute", "rime rute delvi"]
    energy = tuple("red 2" if at == place else "" for at in range(3))
    game = table(a(rows[place], energy=energy), a("stone valt banner"), phase="attack").do("attack with Claw")
    struck = tuple(3 if at == place else 6 for at in range(3))
    assert game.idle().life(1) == struck


@pytest.mark.parametrize(
    ("row", "reached"), [("banner rime rute", (0, 1, 0)), ("rime banner rute", (1, 0, 1)), ("rime rute banner", (0, 1, 0))]
)
def test_rook_18_faq_neighbours_stand_next_to_each_other(row, reached):
    game = table(a(row, hand="red 2, red 1")).do("put red 2 on Banner", "activate Rally")
    assert tuple(game.state["attack_plus"][0].tolist()) == reached


def test_rook_18_a_row_does_not_wrap():
    game = table(a("spring rime hiss", life=(3, 3, 3), hand="green 3, red 1")).do("put green 3 on Spring")
    assert game.do("activate Mend").options == ["Mend for Spring", "Mend for Rime"]


def test_rook_19_a_row_changes_only_when_its_player_arranges_it_at_set_up_or_as_the_attacker():
    for before, after in pairwise(state for state, _, _ in game_at_random(AS_PRINTED)):
        arranged = before["phase"] == Phase.ROW
        assert not (arranged and before["defending"] and before["hand_n"].any())
        for seat in range(2):
            if not (arranged and seat == mover(before)):
                assert (after["at"][seat] == before["at"][seat]).all()


def test_rook_19_a_defender_is_not_asked_for_a_row():
    game = clash((6, 6, 6), (1, 0, 0), phase="assign", defending=True)
    assert (game.phase, game.current_player) == ("assign", 1)
    assert game.row(1) == game.idle().row(1)
