"""Chances (G-39 to G-42): exact fractions by counting, compared with the model."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from tests.games.riftborn.model.cards import Cards
from tests.games.riftborn.model.facts import outcome
from tests.games.riftborn.model.players import shuffle
from tests.games.riftborn.model.positions import A, B, a_table, at, formation, reference, run
from tests.games.riftborn.model.state import Table, laid_out
from tests.games.riftborn.model.turn import END, Model, mulligan


def test_golden_g39_rows_of_three_creatures_placed_anywhere():
    def lay(table: Table, left: int, weight: Fraction) -> Counter[tuple[int, ...]]:
        if not left:
            return Counter({tuple(len(row) for row in table.players[A].rows): weight})
        found: Counter[tuple[int, ...]] = Counter()
        for code in table.gaps(A):
            more = a_table(" / ".join(", ".join(row) for row in formation(table, A)))
            creature = at(a_table("beast_cub"), A)
            more.insert(creature, code)
            found.update(lay(more, left - 1, weight / len(table.gaps(A))))
        return found

    chances = lay(a_table(), 3, Fraction(1))
    assert chances == {(3,): Fraction(1, 2), (2, 1): Fraction(3, 10), (1, 2): Fraction(2, 15), (1, 1, 1): Fraction(1, 15)}


def few_or_none(left: int, wanted: int, drawn: int) -> list[Fraction]:
    """Chance that k of `drawn` cards are wanted ones, k = 0, 1, ..., by counting hands."""
    ways = [comb(wanted, k) * comb(left - wanted, drawn - k) for k in range(drawn + 1)]
    return [Fraction(way, comb(left, drawn)) for way in ways]


def final_hand(deck: int, wanted: int, hand: int, keep: bool) -> list[Fraction]:
    """Wanted cards in the hand after the mulligan. keep: those are kept and all others returned; else all five are
    returned if there is none, and nothing otherwise."""
    chances = [Fraction(0)] * (hand + 1)
    for held, chance in enumerate(few_or_none(deck, wanted, hand)):
        if not keep and held:
            chances[held] += chance
            continue
        for more, further in enumerate(few_or_none(deck - held, wanted - held, hand - held)):
            chances[held + more] += chance * further
    return chances


@pytest.mark.parametrize(
    ("copies", "at_once", "redrawn"),
    [
        (1, Fraction(1, 8), Fraction(15, 64)),
        (2, Fraction(37, 156), Fraction(10175, 24336)),
        (3, Fraction(667, 1976), Fraction(2191095, 3904576)),
        (4, Fraction(3903, 9139), Fraction(56105625, 83521321)),
    ],
)
def test_golden_g40_one_copy_at_least(copies, at_once, redrawn):
    assert 1 - few_or_none(40, copies, 5)[0] == at_once
    assert 1 - final_hand(40, copies, 5, keep=False)[0] == redrawn


def test_golden_g42_level_1_cards_after_the_mulligan():
    assert final_hand(40, 12, 5, keep=True) == [
        Fraction(11025, 494209),
        Fraction(73500, 494209),
        Fraction(168168, 494209),
        Fraction(2134440, 6424717),
        Fraction(7944860, 57822453),
        Fraction(1102552, 57822453),
    ]


class Arranged:
    """Chance that lays the cubs of a library at given places: first those of the deal, then those of the mulligan."""

    def __init__(self, cards: Cards, *orders: Callable[[int, int], tuple[int, ...]]):
        self.orders = list(orders)
        self.cub, self.other = cards.card("beast_cub").place, cards.card("beast_boar").place

    def library(self, _seat: int, cards: list[int], /) -> list[int]:
        places = self.orders.pop(0)(len(cards), cards.count(self.cub))
        return [self.cub if place in places else self.other for place in range(len(cards))]


@pytest.mark.parametrize("keep", [True, False])
def test_golden_g40_g42_the_mulligan_of_the_model_gives_these_chances(keep):
    size, cubs, hand = 7, 3, 3
    document = {"start_hand": hand}
    cards = reference(**document)
    deck = (cards.card("beast_cub"),) * cubs + (cards.card("beast_boar"),) * (size - cubs)
    found: Counter[int] = Counter()
    for first in combinations(range(size), cubs):
        held = sum(place < hand for place in first)
        back = hand - held if keep else hand * (not held)
        library, left = size - hand + back, cubs - held
        for second in combinations(range(library), left) if back else [()]:
            table = a_table(cards=cards)
            table.chance = Arranged(cards, lambda *_, first=first: first, lambda *_, second=second: second)
            shuffle(table, A, list(deck))
            table.players[A].hand = [table.players[A].library.pop(0) for _ in range(hand)]
            answers = [int(card.id != "beast_cub" and bool(back)) for card in table.players[A].hand]
            run(mulligan(table, A), *answers)
            in_hand = sum(card.id == "beast_cub" for card in table.players[A].hand)
            ways = comb(library, left) if back else 1
            found[in_hand] += Fraction(1, comb(size, cubs) * ways)
    assert [found[k] for k in range(hand + 1)] == final_hand(size, cubs, hand, keep)


@pytest.mark.parametrize(("first", "seen"), [(A, 4), (B, 5)])
def test_golden_g41_a_single_copy_is_drawn_by_own_turn_t(first, seen):
    cards = reference(mulligans=0, turn_cap=40)
    names = {"plain": 39 * (cards.card("undead_giant"),) + (cards.card("undead_lich"),)}
    drawn = [drawn_turn(cards, names["plain"], first, place) for place in range(40)]
    for turn in range(1, 21):
        by_then = sum(0 < one <= turn for one in drawn)
        assert Fraction(by_then, 40) == Fraction(seen + turn, 40)
    assert sum(0 < one <= 10 for one in drawn) == {A: 14, B: 15}[first]


def drawn_turn(cards: Cards, deck, first: int, place: int) -> int:
    """Own turn in which A draws the lich that lies at this place of the library."""

    class Laid:
        def library(self, _seat: int, given: list[int], /) -> list[int]:
            others = [card for card in given if card != cards.card("undead_lich").place]
            return [*others[:place], cards.card("undead_lich").place, *others[place:]]

        def coin(self) -> int:
            return first

    cards = Cards(cards.rules, cards.cards, {"a": deck, "b": deck})
    game = Model(laid_out(cards, ("a", "b"), Laid()))
    while game.codes:
        game.apply(END)
    return outcome(game.table)["drawn_turn"][A][1]
