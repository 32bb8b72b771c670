"""Cards drawn from a deck: exact chances against every hand of a small deck, mulligans, errors, simulation."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

import fairfight as ff
from analysis.dice.draw_language import read
from analysis.dice.exact import DiceError, compare, of_draw
from tests.every_game.play import shortened

SIGNS = {"at least": int.__ge__, "at most": int.__le__, "exactly": int.__eq__}


def test_d20a_at_least_one_of_4_in_7_of_60():
    assert read("draw 7 from 60: at least 1 of 4").chances()[1] == Fraction(38962, 97527)


def random_draw(seed):
    """A draw from a deck of up to nine cards: text, and its chance by looking at every hand."""
    random = Random(seed)
    deck = random.randint(4, 9)
    cards = random.randint(1, deck)
    kinds = {"bolts": random.randint(0, 2), "lands": random.randint(0, 2)}
    every = [name for name, number in kinds.items() for _ in range(number)]
    every += ["other"] * (deck - len(every))
    clauses, texts = [], []
    for _ in range(random.randint(1, 2)):
        parts = [
            (random.choice(list(SIGNS)), random.randint(0, 2), random.choice(list(kinds))) for _ in range(random.randint(1, 3))
        ]
        clauses.append(parts)
        texts.append(" and ".join(f"{sign} {number} of {kinds[kind]} {kind}" for sign, number, kind in parts))
    hands = list(combinations(every, cards))
    good = sum(
        any(all(SIGNS[sign](hand.count(kind), number) for sign, number, kind in parts) for parts in clauses) for hand in hands
    )
    return f"draw {cards} from {deck}: {' or '.join(texts)}", Fraction(good, len(hands))


def test_random_draws_equal_every_hand():
    for seed in range(shortened(500)):
        text, chance = random_draw(seed)
        assert read(text).chances().get(1, 0) == chance, (seed, text)


def test_number_of_cards_of_a_kind():
    hands = list(combinations([1] * 3 + [0] * 5, 4))
    chances = read("Draw 4 from 8: 3 lands").chances()
    assert chances == {k: Fraction(sum(sum(hand) == k for hand in hands), len(hands)) for k in range(4)}


def test_a_mulligan_replaces_a_hand_that_fails():
    first, second = (read(f"draw {size} from 60: at least 2 of 24").chances()[1] for size in (7, 6))
    assert read("draw 7 from 60: at least 2 of 24; mulligan to 6").chances()[1] == first + (1 - first) * second


DECK = ("unit",) * 3 + ("land",) * 4 + ("other",) * 3  # ten cards


def good(hand):
    return hand.count("unit") >= 1 and hand.count("land") >= 2


def hands_of(cards, deck=DECK):
    return [*combinations(deck, cards)]


def share(hands, wanted):
    return Fraction(sum(wanted(hand) for hand in hands), len(hands))


def test_a_mulligan_with_a_condition_of_its_own():
    """Hands with no unit go; the next one is kept in any case."""
    kept = Fraction(sum(good(hand) for hand in hands_of(4) if "unit" in hand), len(hands_of(4)))
    gone = share(hands_of(4), lambda hand: "unit" not in hand)
    text = "draw 4 from 10: at least 1 of 3 units and at least 2 of 4 lands; mulligan to 3 if none of 3 units"
    assert read(text).chances()[1] == kept + gone * share(hands_of(3), good)


def test_a_london_mulligan_puts_the_worst_cards_back():
    def best(hand, size):
        return any(good(one) for one in combinations(hand, size))

    first, second, third = (share(hands_of(4), lambda hand, size=size: best(hand, size)) for size in (4, 3, 2))
    text = "draw 4 from 10: at least 1 of 3 units and at least 2 of 4 lands; london mulligan to 3, 2"
    assert third == 0
    assert read(text).chances()[1] == first + (1 - first) * (second + (1 - second) * third)


def test_mulligans_until_a_hand_is_kept():
    """As in the Pokemon card game: hands without a basic do not count."""
    hands = [hand for hand in hands_of(4) if "unit" in hand]
    text = "draw 4 from 10: at least 2 of 4 lands; mulligan until at least 1 of 3 units"
    assert read(text).chances()[1] == share(hands, lambda hand: hand.count("land") >= 2)
    numbers = read("draw 4 from 10: 4 lands; mulligan until at least 1 of 3 units").chances()
    assert numbers == {k: share(hands, lambda hand, k=k: hand.count("land") == k) for k in range(4)}


def test_other_cards_are_replaced_once_and_do_not_come_back():
    """As in Hearthstone: one of two copies after three cards and their replacements, 53/145."""
    assert read("draw 3 from 30: at least 1 of 2; replace others").chances()[1] == Fraction(53, 145)
    total = Fraction(0)
    places = range(len(DECK))
    for held in combinations(places, 3):
        stay = [DECK[place] for place in held if DECK[place] == "unit"]
        left = [DECK[place] for place in places if place not in held]
        total += share([(*stay, *new) for new in combinations(left, 3 - len(stay))], lambda hand: hand.count("unit") >= 2)
    assert read("draw 3 from 10: at least 2 of 3 units; replace others").chances()[1] == total / len(hands_of(3))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("draw 7 from 60: 2 to 5 of 24 lands", "draw 7 from 60: at least 2 of 24 lands and at most 5 of 24 lands"),
        ("draw 7 from 60: between 2 and 5 of 24 lands", "draw 7 from 60: at least 2 of 24 lands and at most 5 of 24 lands"),
        ("draw 7 from 60: 0 of 8 basics", "draw 7 from 60: none of 8"),
        ("draw 7 from 60: no 8 basics", "draw 7 from 60: none of 8"),
        ("draw 6 from 60: all of 2", "draw 6 from 60: exactly 2 of 2"),
    ],
)
def test_other_words_for_numbers_of_cards(text, plain):
    assert read(text).chances() == read(plain).chances()


def test_many_kinds_are_counted_if_the_hand_is_small():
    """A pair or better in five cards of 52: 2053 of 4165 have one."""
    ranks = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
    text = f"draw 5 from 52: {' or '.join(f'at least 2 of 4 {rank}' for rank in ranks)}"
    assert read(text).chances()[1] == Fraction(2053, 4165)


@pytest.mark.parametrize(
    "text",
    [
        "draw 4 from 10: at least 1 of 3 units and at least 2 of 4 lands; mulligan to 3 if none of 3 units",
        "draw 4 from 10: at least 1 of 3 units and at least 2 of 4 lands; london mulligan to 3, 2",
        "draw 4 from 10: 4 lands; mulligan until at least 1 of 3 units",
        "draw 3 from 10: at least 2 of 3 units; replace others",
        "draw 7 from 60: at least 1 of 4 bolts and at least 2 of 24 lands; mulligan to 6, 5",
        "draw 5 from 52: exactly 2 of 13 hearts or none of 4 aces",
        "draw 7 from 60: 24 lands",
    ],
)
def test_simulated_draws_agree(text):
    rolled = of_draw(text, 20_000, 1)
    assert compare(rolled.exact, rolled.counts).p_value > 1e-3


ERRORS = {
    "draw": (4, "expected the number of cards in 1..1000, found the end"),
    "draw 7 of 60": (7, "write from and the cards of the deck, such as draw 7 from 60"),
    "draw 7 from 6: at least 1 of 4": (5, "7 cards cannot be drawn from 6"),
    "draw 7 from 60: least 1 of 4": (16, "expected at least, at most, exactly or none of"),
    "draw 7 from 60: at least 1 of 40 and at most 2 of 41": (0, "give a kind that is used twice a name"),
    "draw 7 from 60: at least 2 of 24 and at most 4 of 24": (50, "name the cards, such as 24 lands"),
    "draw 7 from 60": (14, "expected a colon and what is asked about, such as draw 7 from 60: at least 1 of 4, found the end"),
    "draw 7 from 60: 2-4 of 24": (17, "write at least 2 of 24 lands, at most 4 of 24 lands, or 2 to 4 of 24 lands"),
    "draw 7 from 60: 1 or more of 4": (16, "write at least 1 of for 1 or more"),
    "draw 7 from 60: at least one of 4": (25, "write numbers as digits, such as 1"),
    "draw 7 from 60: more than 1 of 4": (16, "write at least 3 of 4 aces for more than 2"),
    "draw 7 from 60: no lands": (19, "expected the number of these cards in the deck, such as 24 lands"),
    "draw 7 from 60: at least 1 of 4; mulligan": (41, "such as mulligan to 6, found the end"),
    "draw 7 from 60: at least 1 of 4 lands, at least 1 of 3": (37, "join conditions by and or or"),
    "draw 7 from 60: at least 1 of 4 bolts and none of 5 bolts": (50, "bolts are 4 cards above and 5 here"),
    "draw 7 from 60: at least 1 of 4 lands 3": (38, "expected and, or, ; mulligan to ..., or the end"),
    "draw 7 from 60: 24 lands; mulligan to 6": (39, "a mulligan needs a condition"),
    "draw 7 from 60: 24 lands; london mulligan to 6 if none of 24 lands": (26, "which cards are put back depends"),
    "draw 7 from 60: at least 1 of 4; london mulligan to 8": (52, "the cards of the next hand must be in 1..7, found 8"),
    "draw 7 from 60: at least 1 of 4; mulligan until at least 8 of 8 basics": (0, "comes never; it must come once in 1,000"),
    "draw 7 from 12: at least 1 of 4; replace others": (33, "12 cards are too few to draw 7 and to replace all of them"),
    "draw 7 from 60: 1 of 3": (16, "write at least 1 of 3 or exactly 1 of 3"),
    "draw 7 from 60: at least 1 of 3 and (at least 1 of 4)": (36, "write every alternative out"),
    "draw 7 from 60: 5 to 2 of 24": (16, "5 to 2 is empty"),
    "draw 7 from 60: at least 1 of 4?": (31, "'?' is not allowed in a draw"),
    "draw 2000 from 60: 4": (5, "the number of cards must be in 1..1000"),
}


@pytest.mark.parametrize("text", ERRORS)
def test_invalid_draws_are_refused_with_the_position(text):
    position, problem = ERRORS[text]
    with pytest.raises(DiceError) as caught:
        read(text)
    assert problem in str(caught.value)
    assert caught.value.position == position


def test_the_command_says_what_was_drawn():
    result = ff.dice("draw 7 from 60: at least 1 of 4", rolls=100)
    assert result.summary == "Chance that at least 1 of the 4 are among 7 cards drawn from 60: 39.9\u202f%."
