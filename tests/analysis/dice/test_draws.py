"""Cards drawn from a deck: exact chances against every hand of a small deck, mulligans, errors, simulation."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

import fairfight as ff
from analysis.dice.draws import read
from analysis.dice.exact import DiceError, compare, of_expression
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


@pytest.mark.parametrize(
    "text",
    [
        "draw 7 from 60: at least 1 of 4 bolts and at least 2 of 24 lands; mulligan to 6, 5",
        "draw 5 from 52: exactly 2 of 13 hearts or none of 4 aces",
        "draw 7 from 60: 24 lands",
    ],
)
def test_simulated_draws_agree(text):
    rolled = of_expression(text, 20_000, 1)
    assert compare(rolled.exact, rolled.counts).p_value > 1e-3


ERRORS = {
    "draw": (4, "expected the number of cards in 1..1000, found the end"),
    "draw 7 of 60": (7, "expected 'from', found 'of'"),
    "draw 7 from 6: at least 1 of 4": (5, "7 cards cannot be drawn from 6"),
    "draw 7 from 60: least 1 of 4": (16, "expected at least, at most, exactly or none of"),
    "draw 7 from 60: at least 1 of 40 and at most 2 of 40": (0, "give a kind that is used twice a name"),
    "draw 7 from 60: at least 1 of 4 bolts and none of 5 bolts": (50, "bolts are 4 cards above and 5 here"),
    "draw 7 from 60: at least 1 of 4 lands 3": (38, "expected and, or, ; mulligan to ..., or the end"),
    "draw 7 from 60: 24 lands; mulligan to 6": (39, "a mulligan needs a condition"),
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
