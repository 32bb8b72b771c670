"""ROOK-20 to 29: placing energy and what it meets (G-22 to 24, G-26, G-30), and the chances of a hand (G-35 to 39)."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
import pytest

from sim.games.rookling.cards import ANY, ENERGY_KINDS, GREY, LINES, NUMBERS, Kind
from sim.games.rookling.record import ATTACKING, CARD_KINDS, DEFENDING
from sim.games.rookling.rules.energy import meets, place_card, reaches
from sim.games.rookling.state import TOTALS
from sim.games.rookling.text import energy_words, line_names
from tests.games.rookling.positions import Play, a, card_set, others, table

COLOURS = ("red", "blue", "green", "yellow")
WORDS = {kind: words for kind, words in energy_words(card_set()).items() if card_set().record[0]["energy_count"][kind]}


def lines_met(game: Play, seat: int = 0, at: int = 0) -> list[str]:
    """Lines that the cards on a Rookling meet."""
    rook = int(game.state["rook"][seat, game.state["at"][seat, at]])
    names = line_names(game.cards, rook)
    return [name for line, name in enumerate(names) if meets(game.state, game.record, seat, at, line)]


def attacking(own: dict, **position: object) -> Play:
    """The attacker about to declare; the defender has a card to place after that."""
    return table(own, others(own, hand="yellow 1"), phase="attack", **position)


def holding(rook: str, cards: str, life: int = 6, **rules: object) -> Play:
    """That Rookling on the left with these cards on it, the attacker about to declare."""
    row = " ".join([rook, *[other for other in ("rime", "rute", "delvi") if other != rook][:2]])
    energy, capacity = (cards, "", ""), (max(1, len(cards.split(", "))), 1, 1)
    return attacking(a(row, energy=energy, capacity=capacity, life=(life, 6, 6)), rules=rules)


# ---- placing --------------------------------------------------------------------------------------------------------


def test_rook_20_cards_are_placed_one_at_a_time_on_own_rooklings_until_the_player_stops():
    game = table(a("rime rute hiss", hand="red 1, blue 1, red 1"))
    assert game.codes == [0, 1, 2, 7, 8, 13, 14]  # 1 + position * 6 + place in the hand; of equal cards the lowest
    game.do("put blue 1 on Rute")
    assert (game.hand(0), game.player(0)["energy"]) == (["red 1", "red 1"], [[], ["blue 1"], []])
    assert game.options == ["stop placing", "put red 1 on Rime", "put red 1 on Hiss"]  # and nothing is taken back
    assert game.do("stop placing").current_player == 1


def test_rook_20_the_attacker_declares_before_the_defender_places():
    own, other = a("delvi rute hiss", hand="red 2"), a("stone valt banner", hand="red 2")
    game = table(own, other).do("put red 2 on Delvi", "attack with Claw")
    assert (game.current_player, game.phase, game.amounts("att")) == (1, "assign", (3, 0, 0))
    assert "put red 2 on Stone" in game.options


def test_rook_20_no_card_or_no_room_is_no_decision():
    own, other = a("delvi rute hiss", tokens=("frozen",) * 3, hand="red 2"), a("stone valt banner")
    assert table(own, other, phase="row").do(0).turn == 2


def test_rook_21_a_rookling_holds_one_card():
    game = table(a("rime rute hiss", hand="red 1, blue 1")).do("put red 1 on Rute")
    assert game.options == ["stop placing", "put blue 1 on Rime", "put blue 1 on Hiss"]


def test_rook_21_charge_makes_room_but_never_for_more_than_four():
    own = a("valt rute hiss", hand="red 3, red 1", capacity=(3, 1, 1), life=(0, 6, 6))  # Charge in siege-state: 2
    game = table(own).do("put red 3 on Valt", "activate Charge", "Charge for Valt")
    assert game.state["capacity"][0].tolist() == [4, 1, 1]
    own = a("valt rute hiss", hand="red 3, red 1", capacity=(4, 1, 1))
    assert table(own).do("put red 3 on Valt", "activate Charge").state["capacity"][0].tolist() == [4, 2, 1]


def test_rook_21_golden_g30_frozen_bars_energy_in_the_next_exchange_only():
    own = a("rime rute hiss", energy=("red 3", "", ""), hand="red 1, red 2, red 4, red 5")
    other = a("stone delvi banner", hand="blue 1, blue 2, blue 4, blue 5")
    game = table(own, other, phase="attack").do("attack with Frost Bite", "stop placing")
    assert (game.turn, game.under(1)) == (2, [["frozen"], [], []])
    game.do(0)
    assert not any("Stone" in words for words in game.options)
    assert any("Delvi" in words for words in game.options)
    game.do("stop placing").idle()
    assert (game.turn, game.under(1)) == (3, [[], [], []])
    game.do(0, "stop placing")
    assert any("Stone" in words for words in game.options)


# ---- thresholds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("charge_colour", ["same_colour", "any_match"])
def test_rook_22_23_a_card_meets_the_lines_whose_number_and_colour_it_has(charge_colour):
    """Every energy card against every line of the set, on both sides."""
    cards = card_set({"charge_colour": charge_colour})
    for rook, entry in enumerate(cards.document["rookling"]):
        for (place, line), side, kind in product(enumerate(entry["line"]), range(2), WORDS):
            colour, number = WORDS[kind].split()
            shown = np.zeros(TOTALS, np.int8)
            shown[[COLOURS.index(colour), ANY]] = int(number)
            needed = line["siege"].get("number", line["number"]) if side else line["number"]
            met = line["colour"] in ("any", colour) and int(number) >= needed
            assert reaches(cards.record[0], rook, place, side, shown) == met


def test_rook_22_a_line_is_met_by_its_number_and_by_more():
    met = {cards: lines_met(holding("rime", cards)) for cards in ("red 1", "red 2", "red 3", "red 4")}
    assert met == {"red 1": [], "red 2": ["Ice Wall"], "red 3": ["Frost Bite", "Ice Wall"], "red 4": ["Frost Bite", "Ice Wall"]}


def test_rook_22_the_side_that_is_up_counts():
    assert lines_met(holding("stone", "red 3")) == ["Bulwark"]
    assert lines_met(holding("stone", "red 3", life=0)) == ["Boulder", "Bulwark"]


def test_rook_23_no_number_makes_up_for_a_wrong_colour():
    assert lines_met(holding("hiss", "red 3")) == ["Scald", "Vent", "Steam Veil"]
    assert lines_met(holding("hiss", "blue 6")) == ["Scald", "Steam Veil"]


def test_rook_22_golden_g22_red_4_on_hiss():
    assert lines_met(holding("hiss", "red 4")) == ["Scald", "Vent", "Steam Veil", "Pressure"]
    assert holding("hiss", "red 4").options == ["Hiss does not attack", "attack with Scald", "attack with Vent"]


def with_tunnel(row: str) -> Play:
    """The Rookling on the left has taken the grey 3 of Delvi's field effect; the defender has a card to place."""
    own = a(row, hand="tunnel")
    game = table(own, others(own, hand="yellow 1"))
    return game.do(f"put Tunnel on {game.options[1].split(' on ')[1]}")


def test_rook_24_golden_g22_a_grey_number_counts_for_lines_of_any_colour_only():
    game = with_tunnel("hiss delvi rute")
    assert lines_met(game) == ["Scald", "Steam Veil"]
    assert game.options == ["Hiss does not attack", "attack with Scald"]
    assert lines_met(with_tunnel("stone delvi rute")) == ["Bulwark"]  # Boulder: any 4


def test_rook_24_a_grey_number_never_matches_a_colour():
    assert with_tunnel("pulse_red delvi rute").do("attack with Red Beat").amounts("att") == (3, 0, 0)


@pytest.mark.parametrize(
    ("cards", "met"),
    [
        ("red 1, red 2", ["Scald", "Vent", "Steam Veil"]),
        ("red 1, red 3", ["Scald", "Vent", "Steam Veil", "Pressure"]),
        ("red 1, blue 6", ["Scald", "Steam Veil"]),
        ("red 1, red 1, blue 1, yellow 1", ["Scald", "Steam Veil"]),
        ("blue 1", []),
    ],
)
def test_rook_25_several_cards_show_the_sum_of_those_that_count(cards, met):
    assert lines_met(holding("hiss", cards)) == met


def test_rook_25_golden_g24_faq_cards_of_two_colours_meet_bolt():
    game = holding("valt", "red 4, blue 3")
    assert "Bolt" in lines_met(game)
    assert game.do("attack with Bolt").amounts("att") == (8, 0, 0)


def test_rook_25_without_a_card_that_counts_nothing_is_met():
    assert lines_met(table(a("stone rime rute"), phase="attack")) == []  # Bulwark: any 1
    assert "Dig" not in lines_met(holding("delvi", "red 6", life=0))  # yellow 1 in siege-state
    assert "Dig" in lines_met(holding("delvi", "yellow 1", life=0))


@pytest.mark.parametrize(("rule", "met"), [("same_colour", ["Scald"]), ("any_match", ["Scald", "Vent", "Pressure"])])
def test_rook_25_one_card_of_the_colour_suffices_with_the_switch(rule, met):
    game = holding("hiss", "red 1, blue 3", charge_colour=rule)
    assert [name for name in lines_met(game) if name != "Steam Veil"] == met
    assert lines_met(holding("hiss", "green 6, blue 3", charge_colour=rule)) == ["Scald", "Steam Veil"]


@pytest.mark.parametrize(
    ("rook", "cards", "life", "amount"),
    [
        pytest.param("pulse_red", "blue 3", 6, 3, id="g23-blue-3"),
        pytest.param("pulse_red", "red 2", 6, 5, id="g23-red-2"),
        pytest.param("pulse_red", "red 2", 0, 6, id="in-siege-state"),
        pytest.param("pulse_red", "blue 6, red 1", 6, 5, id="faq-one-of-the-charged-cards"),
        pytest.param("pulse_red", "red 1, red 1", 6, 5, id="once"),
        pytest.param("pulse_blue", "red 1, blue 1", 6, 4, id="any-number"),
    ],
)
def test_rook_26_golden_g23_faq_a_card_of_the_match_colour_raises_the_amount_once(rook, cards, life, amount):
    game = holding(rook, cards, life).do(1)
    assert game.amounts("att") == (amount, 0, 0)


def test_rook_27_the_same_card_powers_every_line_that_it_meets():
    own = a("hiss rute rime", hand="red 4, red 1")
    game = table(own, others(own, hand="red 1")).do("put red 4 on Hiss", "activate Pressure", "stop placing")
    assert game.do("attack with Vent").amounts("att") == (5, 0, 0)  # one attack line: Scald adds nothing


def test_rook_27_each_special_line_once_in_an_exchange():
    own = a("hiss rute rime", hand="red 4, red 5", capacity=(2, 1, 1))
    game = table(own).do("put red 4 on Hiss", "activate Pressure", draws=["blue 1", "blue 2"])
    assert game.do("put red 5 on Hiss").phase == "assign"
    game = table(own).do("put red 4 on Hiss", "leave Pressure unused", "put red 5 on Hiss")
    assert game.options == ["leave Pressure unused", "activate Pressure"]


@pytest.mark.parametrize(("one_line", "attacks"), [(False, True), (True, False)])
def test_rook_27_with_the_switch_a_rookling_uses_one_line_of_any_kind(one_line, attacks):
    rules = {"one_line_per_rookling": one_line}
    game = table(a("valt rute rime", hand="red 4, red 5"), rules=rules)
    game.do("put red 4 on Valt", "activate Charge", "Charge for Rute", "stop placing")
    assert (game.phase == "attack") == attacks
    game = table(a("shadow rute rime", hand="green 4"), rules=rules).do("put green 4 on Shadow", "activate Fade")
    assert (game.options == ["leave Nightfall unused", "activate Nightfall"]) == attacks
    other = a("stone rute rime", hand="blue 2")
    game = table(a("delvi valt banner"), other, defending=True, rules=rules)
    assert game.do("put blue 2 on Stone", "leave Crumble unused").phase == "defend"
    game = table(a("delvi valt banner"), other, defending=True, rules=rules)
    assert (game.do("put blue 2 on Stone", "activate Crumble").phase == "defend") == attacks


def test_rook_28_a_card_that_meets_nothing_is_cycled_into_the_discard_pile():
    game = table(a("rime rute hiss", hand="red 1")).do("put red 1 on Rime").idle(draws=["blue 1"] * 3 + ["blue 2"])
    assert game.position["discard"] == {"red 1": 1}


def test_rook_28_with_the_switch_it_goes_only_where_it_meets_a_line_of_this_half():
    own, other = a("rime rute hiss", hand="red 2, red 1, blue 5"), a("shadow stone spring", hand="red 1, blue 2")
    assert table(own, other, rules={"dump": False}).codes == [0, 3, 7, 9, 13, 15]  # red 2: Sting, Scald; blue 5: all
    assert table(own, other, defending=True, rules={"dump": False}).codes == [0, 7, 8, 13, 14]  # nothing on Shadow
    game = table(a("rime stone hiss", hand="red 1, blue 1"), a("delvi valt spring"), phase="row", rules={"dump": False})
    assert game.do(0).turn == 2  # nothing to place: nothing is asked


def test_rook_29_golden_g26_a_field_effect_is_placed_like_energy_and_becomes_a_token_if_it_powers_a_line():
    own = a("delvi stone rime", hand="tunnel")
    game = table(own, a("valt banner spring")).do("put Tunnel on Delvi", "attack with Claw").idle()
    assert (game.under(0, "fixed"), game.position["discard"]) == ([["tunnel"], [], []], {})
    game = table(own, a("valt banner spring")).do("put Tunnel on Stone").idle()
    assert (game.under(0, "fixed"), game.position["discard"]) == ([[], [], []], {"tunnel": 1})


def shows(game: Play, *kinds: int) -> np.ndarray:
    """What these cards show on the Rookling on the left, placed by the game itself."""
    state = game.state
    for field in ("hand", "hand_n", "zone_n", "shown"):
        state[field][0] = 0
    state["hand"][0, : len(kinds)], state["hand_n"][0] = kinds, len(kinds)
    for _ in kinds:
        place_card(state, game.record, 0, 0, 0)
    return state["shown"][0, 0]


def is_met(rook: str, line: str) -> Callable[..., bool]:
    """Whether cards together meet a line of a Rookling on its front side."""
    game = table(a(f"{rook} rime rute"))
    number = int(game.state["rook"][0, 0])
    place = line_names(game.cards, number).index(line)
    return lambda *kinds: reaches(game.record, number, place, 0, shows(game, *kinds))


def chance_of(wanted: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """Chance that an opening hand of four is a wanted one."""
    copies = card_set().record[0]["energy_count"]
    ways = sum(
        prod(comb(int(copies[kind]), count) for kind, count in Counter(hand).items())
        for hand in combinations_with_replacement(WORDS, 4)
        if wanted(hand)
    )
    return Fraction(ways, comb(48, 4))


@pytest.mark.parametrize(
    ("rook", "line", "chance"),
    [("hiss", "Vent", Fraction(2755, 6486)), ("stone", "Boulder", Fraction(7931, 9729))],
    ids=["g35", "g36"],
)
def test_rook_22_23_golden_g35_g36_an_opening_hand_holds_a_card_for_a_line(rook, line, chance):
    fitting = {*filter(is_met(rook, line), WORDS)}
    assert chance_of(lambda hand: not fitting.isdisjoint(hand)) == chance


@pytest.mark.parametrize("charge_colour", ["same_colour", "any_match"])
def test_rook_22_to_26_the_record_has_what_one_card_does_by_itself(charge_colour: str):
    record = card_set({"charge_colour": charge_colour}).record[0]
    cards = (*WORDS, *range(ENERGY_KINDS, ENERGY_KINDS + np.count_nonzero(record["effect_number"])))
    assert max(cards) < CARD_KINDS
    for rook, side, card in product(range(record["rooklings"]), range(2), cards):
        colour, number = int(record["card_colour"][card]), int(record["card_number"][card])
        shown = np.zeros(TOTALS, np.int8)
        shown[ANY] = number
        if colour != GREY:
            shown[colour] = number
        lines = [line for line in range(LINES) if record["kind"][rook, line] and reaches(record, rook, line, side, shown)]
        assert record["met_alone"][rook, side, card] == sum(1 << line for line in lines)
        for half, kind in ((ATTACKING, Kind.ATTACK), (DEFENDING, Kind.DEFENCE)):
            points = [
                record["amount"][rook, line, side]
                + record["match_bonus"][rook, line, side] * (colour == record["match_colour"][rook, line] != GREY)
                for line in lines
                if record["kind"][rook, line] == kind
            ]
            assert record["points_alone"][rook, side, half, card] == max(points, default=0)


def test_rook_22_golden_g37_an_opening_hand_of_ones():
    assert chance_of(lambda hand: all(kind % NUMBERS == 0 for kind in hand)) == Fraction(11, 4324)


def test_rook_25_golden_g39_an_opening_hand_allows_bolt_by_charge():
    first = filter(is_met("valt", "Charge"), WORDS)
    bolt = is_met("valt", "Bolt")
    pairs = {pair for pair in product(first, WORDS) if bolt(*pair)}

    def allows(hand: tuple[int, ...]) -> bool:
        return any((hand[i], hand[j]) in pairs for i, j in product(range(4), repeat=2) if i != j)

    assert chance_of(allows) == Fraction(35387, 48645)


def test_rook_31_golden_g38_a_tunnel_comes_after_digging():
    own = a("delvi rime rute", hand="yellow 2, red 1, red 1, red 1")
    game = table(own, a("stone valt banner", hand="blue 1, blue 1, blue 1, blue 2"))
    assert game.position["deck_size"] == 40
    game.do("put yellow 2 on Delvi", "activate Dig")
    deck, tunnels = game.position["deck_size"], game.position["deck"]["tunnel"]
    assert 1 - Fraction(comb(deck - tunnels, 4), comb(deck, 4)) == Fraction(158, 861)
