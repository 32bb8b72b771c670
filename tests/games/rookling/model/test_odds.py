"""Chances (G-03, G-35 to G-40): exact fractions by counting, thresholds by the plain-Python model."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from tests.games.rookling.model.abilities import activate
from tests.games.rookling.model.cards import Card, is_met, read_cards
from tests.games.rookling.model.documents import reference_document
from tests.games.rookling.model.game import new_table, set_up
from tests.games.rookling.model.positions import Answers, a_table, every_lot, first_option, power, reference

Hand = tuple[Card, ...]
SET = reference()
SQUADS = [frozenset(squad) for squad in combinations(range(12), 3)]
MATCHUPS = [(one, other) for one in SQUADS for other in SQUADS if not one & other]


def chance_of(wanted: Callable[[Hand], bool], deck: Iterable[Card], size: int = 4) -> Fraction:
    """Chance that a hand from this deck is a wanted one."""
    copies = Counter(deck)
    hands = combinations_with_replacement(copies, size)
    ways = sum(prod(comb(copies[card], count) for card, count in Counter(hand).items()) for hand in hands if wanted(hand))
    return Fraction(ways, comb(copies.total(), size))


def line(rookling: str, name: str):
    """A line of the reference set."""
    return next(line for line in SET.rookling(rookling).lines if line.name == name)


def meets(rookling: str, name: str) -> Callable[[Hand], bool]:
    """Hands that hold a card for a line."""
    return lambda hand: any(is_met(line(rookling, name), [card], False, SET.rules) for card in hand)


def allows_bolt(hand: Hand) -> bool:
    """A first card for Charge, with a second one enough for Bolt."""
    charge, bolt = line("valt", "Charge"), line("valt", "Bolt")
    for first in range(len(hand)):
        for second in range(len(hand)):
            cards = [hand[first], hand[second]]
            charged = first != second and is_met(charge, cards[:1], False, SET.rules)
            if charged and is_met(bolt, cards, False, SET.rules):
                return True
    return False


def test_section_2_4_the_energy_deck_has_48_cards_of_mean_17_in_6():
    numbers = [card.number for card in SET.energy]
    assert [sum(number >= least for number in numbers) for least in (1, 2, 3, 4)] == [48, 36, 24, 16]
    assert Fraction(sum(numbers), len(numbers)) == Fraction(17, 6)


def test_golden_g03_220_squads_and_18480_matchups():
    assert len(SQUADS) == 220
    assert len(MATCHUPS) == 220 * 84 == 18_480


@pytest.mark.parametrize(
    ("rookling", "name", "chance"),
    [
        pytest.param("hiss", "Vent", Fraction(2755, 6486), id="g35"),
        pytest.param("stone", "Boulder", Fraction(7931, 9729), id="g36"),
    ],
)
def test_golden_g35_g36_an_opening_hand_holds_a_card_for_a_line(rookling, name, chance):
    assert chance_of(meets(rookling, name), SET.energy) == chance


def test_golden_g37_an_opening_hand_of_1s():
    assert chance_of(lambda hand: all(card.number == 1 for card in hand), SET.energy) == Fraction(11, 4324)


def test_golden_g38_a_tunnel_comes_after_digging():
    table = a_table("delvi rute hiss")
    table.deck = table.deck[:40]
    power(table, 0, 0, "yellow 2")
    activate(table, 0, 0, 2)
    tunnel = table.effect_card(0)
    assert Counter(table.deck)[tunnel] == 2
    assert table.piles[0] == 0
    assert chance_of(lambda hand: tunnel in hand, table.deck) == Fraction(158, 861)


def test_golden_g39_an_opening_hand_allows_a_bolt_by_charge():
    assert chance_of(allows_bolt, SET.energy) == Fraction(35387, 48645)


def test_golden_g40_who_meets_whom():
    first = Fraction(sum(0 in own for own, _ in MATCHUPS), len(MATCHUPS))
    mates = Fraction(sum({0, 1} <= own or {0, 1} <= other for own, other in MATCHUPS), len(MATCHUPS))
    opponents = Fraction(sum(len({0, 1} & own) == 1 == len({0, 1} & other) for own, other in MATCHUPS), len(MATCHUPS))
    assert (first, mates, opponents) == (Fraction(1, 4), Fraction(1, 11), Fraction(3, 22))


def test_rook_03_a_deal_is_uniform_over_ordered_pairs_of_disjoint_squads():
    document = reference_document(squad_mode="random", opening_row="random", hand=0)  # hand 0: deals nothing further
    document["rookling"] = document["rookling"][:6]
    cards = read_cards(document)

    def deal(chance):
        def first_of_the_rest(draw, results, seat):
            return chance(draw, results, seat) if draw.name == "SQUADS" else results[0]

        table = new_table(cards, Answers(), first_of_the_rest)
        set_up(table)
        return tuple(frozenset(rook.card.place for rook in squad) for squad in table.squads)

    found: dict[tuple, Fraction] = {}
    for squads, chance in every_lot(deal):
        found[squads] = found.get(squads, Fraction(0)) + chance
    assert len(found) == 20
    assert set(found.values()) == {Fraction(1, 20)}


def test_rook_09_each_seat_attacks_first_with_even_chance_whoever_drafted_first():
    cards = reference(squad_mode="draft", opening_row="random", hand=0)

    def coins(chance):
        def coin(draw, results, seat):
            return chance(draw, results, seat) if draw.name in ("DRAFTER", "ATTACKER") else results[0]

        table = new_table(cards, first_option, coin)
        set_up(table)
        return table.drafter, table.first

    assert dict(every_lot(coins)) == dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], Fraction(1, 4))
