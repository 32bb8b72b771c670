"""Dice expressions: exact distributions against icepool, enumeration and the published tables; errors; simulation."""

import math
from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairfight as ff
from analysis.answer import numbers
from analysis.dice.exact import DiceError, Distribution, compare, hits, parse, simulate
from tests.every_game.play import shortened


def exact(text):
    distribution = parse(text).distribution
    return dict(zip(distribution.values.tolist(), distribution.fractions(), strict=True))


def oracle(die):
    return {int(value): Fraction(die.probability(value)) for value in die.outcomes() if die.probability(value)}


def d(faces):
    return icepool.d(faces)


ORACLES = {
    "3d6": lambda: 3 @ d(6),
    "4d6kh3": lambda: d(6).highest(4, 3),
    "5d8kl2": lambda: d(8).lowest(5, 2),
    "6d10kh1": lambda: d(10).highest(6, 1),
    "5d6>=5 - 2d8==1": lambda: 5 @ (d(6) >= 5) - 2 @ (d(8) == 1),
    "max(2d6, 1d12)": lambda: icepool.map(max, 2 @ d(6), d(12), star=False),
    "min(3d4, 2*1d6) + 1": lambda: icepool.map(min, 3 @ d(4), 2 * d(6), star=False) + 1,
    "2*3d6<=2 - (1d6 - 1d4 floor 0)": lambda: 2 * (3 @ (d(6) <= 2)) - icepool.map(max, d(6) - d(4), 0, star=False),
}


@pytest.mark.parametrize("text", ORACLES)
def test_distribution_equals_icepool(text):
    assert exact(text) == oracle(ORACLES[text]())


def test_max_with_0_and_the_suffix_floor_0_are_the_same_and_floor_binds_last():
    assert exact("max(0, 2d6>=4 - 3d6>=4)") == exact("2d6>=4 - 3d6>=4 floor 0")
    assert exact("1d4 - 3 floor 0") == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    assert exact("1d4 - (3 floor 0)") == {value: Fraction(1, 4) for value in (-2, -1, 0, 1)}
    assert exact("1d4 floor -1") == exact("1d4")


# Random expressions over few small dice, as text and as the set of all results by enumeration


def pool(dice, faces, rule):
    kind, k = rule
    every = list(product(range(1, faces + 1), repeat=dice))
    if kind in (">=", "<=", "=="):
        holds, k = {">=": int.__ge__, "<=": int.__le__, "==": int.__eq__}[kind], min(max(k, 1), faces)
        return f"{dice}d{faces}{kind}{k}", [sum(holds(die, k) for die in dice_) for dice_ in every]
    if kind in ("kh", "kl"):
        keep = min(k, dice) or 1
        ordered = [sorted(dice_, reverse=kind == "kh")[:keep] for dice_ in every]
        return f"{dice}d{faces}{kind}{keep}", [sum(dice_) for dice_ in ordered]
    return f"{dice}d{faces}", [sum(dice_) for dice_ in every]


rules = st.tuples(st.sampled_from([">=", "<=", "==", "kh", "kl", "sum"]), st.integers(0, 5))
pools = st.builds(pool, st.integers(1, 3), st.integers(2, 4), rules)
constants = st.integers(0, 9).map(lambda value: (str(value), [value]))


def combine(left, right, operation):
    text, function = {
        "+": ("({} + {})", int.__add__),
        "-": ("({} - {})", int.__sub__),
        "max": ("max({},{})", max),
        "min": ("min({}, {})", min),
        "floor": ("({} - {} floor 0)", lambda a, b: max(0, a - b)),
        "*": ("(3*({}) + {})", lambda a, b: 3 * a + b),
    }[operation]
    return text.format(left[0], right[0]), [function(a, b) for a in left[1] for b in right[1]]


operations = st.sampled_from(["+", "-", "max", "min", "floor", "*"])
small = pools | constants
expressions = st.builds(combine, small, st.builds(combine, small, constants, operations) | small, operations)


@settings(max_examples=150, deadline=None)
@given(expressions)
@pytest.mark.slow
def test_distribution_equals_enumeration(expression):
    text, results = expression
    counted = {value: Fraction(results.count(value), len(results)) for value in set(results)}
    assert exact(text) == counted
    distribution = parse(text).distribution
    assert distribution.probabilities.sum() == pytest.approx(1)
    assert distribution.mean == pytest.approx(np.mean(results))
    assert distribution.sd == pytest.approx(np.std(results), abs=1e-9)
    assert distribution.quantile(0.5) == sorted(results)[math.ceil(len(results) / 2) - 1]


@settings(max_examples=shortened(300))
@given(st.text(alphabet="0123456789dkhlmaxinflor+-*()<>=, ", max_size=40) | st.text(max_size=30))
@pytest.mark.slow
def test_any_text_is_an_expression_or_a_dice_error_that_points_into_it(text):
    message, position = "dice expression, position 1: \n\n^", 0
    try:
        parse(text)
    except DiceError as error:
        message, position = str(error), error.position
    first, shown, caret = message.split("\n")
    assert first.startswith(f"dice expression, position {position + 1}: ")
    assert caret.index("^") <= len(shown)


ERRORS = {
    "": (0, "expected dice such as 3d6"),
    "3d6 +": (5, "found the end"),
    "3d6 + x": (6, "unknown word 'x'"),
    "5d6>4": (3, "comparisons are >=, <= and =="),
    "d6": (0, "before d, such as 1d6"),
    "0d6": (0, "number of dice must be in 1..200"),
    "201d6": (0, "number of dice must be in 1..200"),
    "1d1": (2, "number of faces must be in 2..1000"),
    "2d1001": (2, "number of faces must be in 2..1000"),
    "1d6kh2": (5, "dice to keep must be in 1..1"),
    "(1d6": (4, "expected ')'"),
    "max(1d6)": (7, "expected ','"),
    "1d6 1d6": (4, "expected + or - or the end"),
    "2d6>=7": (5, ">=7 counts the dice that show such a face, and the faces of a d6 are 1..6; to compare the sum, leave >=7 out"),
    "1d8+1d6>=10": (9, "the faces of a d6 are 1..6"),
    "5d6<=0": (5, "the faces of a d6 are 1..6"),
    "(1d6 + 1)>=4": (9, "must follow it directly"),
    "3d6*2": (3, "write the number of a multiple first"),
    "1.5": (1, "is not allowed here"),
    "__import__('os')": (0, "is not allowed here"),
    "2000000": (0, "a number must be in 0..1000000"),
    "9" * 480: (0, "a number must be in 0..1000000"),
    "1d6" + "+1d6" * 200: (499, "at most 500"),
    "(" * 60 + "1" + ")" * 60: (30, "more than 30 nested brackets"),
    "200d1000": (0, "at most 100000 are allowed"),
    "1d6 + 1000000*1d1000": (6, "at most 100000 are allowed"),
    "1000*(1000*(1000*(1000*1)))": (0, "at most 1000000000 is allowed"),
    "99d99kh20": (0, "too expensive to compute exactly"),
}


@pytest.mark.parametrize("text", ERRORS)
def test_invalid_expressions_are_refused_with_the_position(text):
    position, problem = ERRORS[text]
    with pytest.raises(DiceError) as caught:
        parse(text)
    assert problem in str(caught.value)
    assert caught.value.position == position
    assert str(caught.value).splitlines()[2].index("^") == position + 2


def test_a_possible_result_is_never_printed_as_impossible():
    result = ff.dice("5d6==6", rolls=1000)
    _, value, chance, at_least, simulated = result.frame.iloc[-1]
    assert (value, chance) == (5, pytest.approx(1 / 7776))
    shown = [numbers.as_shown(cell, "percent") for cell in (chance, at_least, simulated)]
    assert shown == ["0.013\u202f%", "0.013\u202f%", "0.0\u202f%"]  # a thousand rolls had none
    assert numbers.percent(6.0**-20) == "< 0.0001\u202f%"
    assert [numbers.percent(share, 0) for share in (0.5, 0.005, 0.0)] == ["50\u202f%", "0.50\u202f%", "0\u202f%"]


def test_white_space_and_capitals_do_not_matter():
    assert exact(" 4 D 6 KH 3\n+ 1 ") == exact("4d6kh3+1")


@pytest.mark.parametrize("text", ["100d1000", "+".join(["9d999"] * 10), "+".join(["1d99"] * 100), "100d6kh50"])
@pytest.mark.slow
def test_the_largest_expressions_are_computed_and_sum_to_one(text):
    distribution = parse(text).distribution
    assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert distribution.values.size <= 100_000
    if "k" not in text:
        dice, faces = (int(number) for number in text.split("+")[0].split("d"))
        dice *= text.count("d")
        assert distribution.mean == pytest.approx(dice * (faces + 1) / 2)
        assert distribution.sd == pytest.approx(math.sqrt(dice * (faces**2 - 1) / 12))


def test_counts_too_long_for_fractions_are_reported_and_probabilities_remain():
    distribution = parse("100d1000").distribution
    assert distribution.counts is None
    with pytest.raises(ValueError, match="use probabilities"):
        distribution.fractions()
    assert distribution.at_least(50_050) == pytest.approx(0.5, abs=1e-4)
    assert distribution.quantile(0) >= 100
    assert distribution.maximum(Distribution.constant(50_050)).at_least(50_050) == pytest.approx(1)


def test_from_counts_reduces_drops_zeros_and_refuses_invalid_counts():
    distribution = Distribution.from_counts({3: 4, 1: 2, 2: 0})
    assert distribution.values.tolist() == [1, 3]
    assert distribution.counts == (1, 2)
    assert not distribution.values.flags.writeable
    for wrong in ({}, {1: 0}, {1: -1, 2: 3}):
        with pytest.raises(ValueError, match="whole numbers"):
            Distribution.from_counts(wrong)


def test_quantile_of_a_die_is_its_ordered_face():
    die = parse("1d6").distribution
    assert [die.quantile(q) for q in (0, 0.1, 0.17, 0.5, 0.51, 1)] == [1, 1, 2, 3, 4, 6]
    with pytest.raises(ValueError, match=r"q=1.1"):
        die.quantile(1.1)


def test_hits_without_dice_is_0_and_wrong_faces_are_refused():
    assert hits(0, 3).values.tolist() == [0]
    assert hits(2, 6).fractions() == (Fraction(1),)
    with pytest.raises(ValueError, match="faces_that_hit=7"):
        hits(2, 7)


@pytest.mark.parametrize("text", ["5d6>=4 - 3d6>=4 floor 0", "4d6kh3", "5d8kl2 + 2*1d6", "max(2d6, 1d12) - 3d6==6"])
def test_simulation_agrees_with_the_exact_distribution(text):
    term = parse(text)
    agreement = compare(term.distribution, simulate(term, 100_000, seed=1))
    assert abs(agreement.z) < 4
    assert agreement.p_value > 1e-4
    assert agreement.n == 100_000


def test_simulation_repeats_with_its_seed_beyond_the_size_of_a_block():
    expression = parse("200d6")
    counts = simulate(expression, 20_000, seed=7)
    assert counts == simulate(expression, 20_000, seed=7)
    assert counts != simulate(expression, 20_000, seed=8)
    assert sum(counts.values()) == 20_000
    with pytest.raises(ValueError, match="n=0"):
        simulate(expression, 0, seed=1)
    with pytest.raises(ValueError, match="seed=-1"):
        simulate(expression, 1, seed=-1)


def test_agreement_of_a_die_by_hand():
    counts = {1: 20, 2: 10, 3: 10, 4: 10, 5: 5, 6: 5}  # mean 165/60 = 2.75, each face expects 10
    agreement = compare(parse("1d6").distribution, counts)
    assert agreement.chi2 == pytest.approx((100 + 25 + 25) / 10)
    assert agreement.dof == 5
    assert agreement.z == pytest.approx((2.75 - 3.5) / math.sqrt(35 / 12 / 60))
    assert agreement.p_value == pytest.approx(0.0103623, rel=1e-4)  # upper tail of chi-square(5) at 15


def test_agreement_pools_cells_with_fewer_than_5_expected():
    agreement = compare(hits(4, 3), dict.fromkeys(range(5), 2))  # expected 0.6, 2.5, 3.8 | 2.5, 0.6: 3.1 are too few
    assert agreement.dof == 0
    assert math.isnan(agreement.p_value)
    assert compare(hits(4, 3), dict.fromkeys(range(5), 4)).dof == 2  # expected 1.25, 5 | 7.5 | 5, 1.25


def test_agreement_detects_an_impossible_value_a_wrong_die_and_no_results():
    die = parse("1d6").distribution
    assert compare(die, {7: 1, 3: 99}).p_value == 0
    assert compare(die, simulate(parse("1d6 floor 2"), 10_000, seed=1)).p_value < 1e-6
    always = Distribution.constant(2)
    assert compare(always, {2: 5}).z == 0
    assert compare(always, {3: 5}).z == math.inf
    with pytest.raises(ValueError, match="at least one above 0"):
        compare(die, {})
