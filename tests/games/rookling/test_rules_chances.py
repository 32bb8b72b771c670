"""Chances of the reference set, every hand counted through the compiled thresholds: G-35 to 39."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
import pytest

from sim.games.rookling.record import NUMBERS
from sim.games.rookling.rules.energy import place_card, reaches
from sim.games.rookling.text import energy_words, line_names
from tests.games.rookling.positions import Play, a, card_set, table

WORDS = {kind: words for kind, words in energy_words(card_set()).items() if card_set().record[0]["energy_count"][kind]}


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
