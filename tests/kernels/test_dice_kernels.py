"""The keyed dice: the published generator, exact rolls, disjoint streams, shuffles, scripts."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim.engine.dice import (
    DICE,
    DRAW_MAX,
    NATURE,
    NATURE_STREAM,
    NOT_SCRIPTED,
    PURPOSES,
    SCRIPT_MAX,
    SEATS_MAX,
    below,
    counter_of,
    mix,
    open_dice,
    philox,
    refuse_draw,
    reshuffle,
    roll,
    roll_hits,
    scripted_draw,
    settled_below,
    shuffle,
    turn_dice,
    uniform,
    word,
)
from sim.engine.jit import kernel

WORD = 2**32
P_LEAST = 1e-4  # with fixed seeds, a fair generator passes all of about 40 such tests for ever
ROLLS = 4_000
SHUFFLES = 2_400

# Random123, kat_vectors: counter, key, result
KNOWN = [
    ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([WORD - 1] * 4, [WORD - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


def model(low: int, high: int, key: int) -> list[int]:
    """Philox4x32-10 in Python's integers, straight from the paper."""
    c, k = [low % WORD, low // WORD, high % WORD, high // WORD], [key % WORD, key // WORD]
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [second // WORD ^ c[1] ^ k[0], second % WORD, first // WORD ^ c[3] ^ k[1], first % WORD]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return c


def dice_of(game: int = 0, seed: int = 5, streams: tuple[int, ...] = (0, 1, 2, 3)) -> np.void:
    """Fresh dice."""
    dice = np.zeros(1, DICE)
    open_dice(dice[0], np.uint64(seed), np.uint64(game), np.array(streams, np.uint32))
    return dice[0]


def loaded(*words: int) -> np.void:
    """Dice whose next words of (seat 0, purpose 2) are given, as if the block had been drawn already."""
    dice = dice_of()
    word(dice, 0, 2)
    dice["used"][0, 2] = 0
    dice["words"][0, 2, : len(words)] = words
    return dice


# ---- the generator --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
@pytest.mark.parametrize("form", ["as played", "plain"])
def test_philox_gives_the_published_answers(counter, key, result, form):
    play = philox if form == "as played" else getattr(philox, "py_func", philox)
    words = np.zeros(4, np.uint32)
    pairs = (counter[:2], counter[2:], key)
    play(*(np.uint64(first + second * WORD) for first, second in pairs), words)
    assert words.tolist() == result
    assert model(*(first + second * WORD for first, second in pairs)) == result


@given(low=st.integers(0, 2**64 - 1), high=st.integers(0, 2**64 - 1), key=st.integers(0, 2**64 - 1))
def test_philox_equals_the_model_everywhere(low, high, key):
    words = np.zeros(4, np.uint32)
    philox(np.uint64(low), np.uint64(high), np.uint64(key), words)
    assert words.tolist() == model(low, high, key)


@pytest.mark.parametrize("game", [0, 1, 10**12, 2**48 - 1])
@pytest.mark.slow
def test_a_draw_is_the_word_at_its_address(game):
    """Counter as documented: index / 4, stream, purpose and role below; turn and game above."""
    dice = dice_of(game, seed=2**63 - 1, streams=(9, 8, 7, 6))
    dice["role"] = 1
    turn_dice(dice, 65_535)
    for index in range(9):
        low = index // 4 + (7 + (15 << 24) + (1 << 30)) * WORD
        assert word(dice, 2, 15) == model(low, game * 2**16 + 65_535, 2**63 - 1)[index % 4]


ADDRESS = st.tuples(
    st.integers(0, 2**48 - 1),
    st.integers(0, 2**16 - 1),
    st.integers(0, NATURE_STREAM),
    st.integers(0, PURPOSES - 1),
    st.integers(0, 2),
    st.integers(0, 2**32 - 1).map(lambda index: index - index % 4),  # of a block's first word
)


def counter_at(address: tuple[int, ...]) -> tuple[int, int]:
    """The counter that the kernels hash for (game, turn, stream, purpose, role, index)."""
    game, turn, stream, purpose, role, index = address
    dice = dice_of(game, streams=(stream, 0, 0, 0))
    turn_dice(dice, turn)
    dice["role"], dice["used"][0, purpose] = role, index
    drawn = int(word(dice, 0, purpose))
    low, high = (int(half) for half in counter_of(dice, 0, purpose, np.uint64(index // 4)))
    assert drawn == model(low, high, 5)[0]
    return low, high


@given(first=ADDRESS, second=ADDRESS, mixed=st.lists(st.booleans(), min_size=6, max_size=6))
def test_different_draws_have_different_counters(first, second, mixed):
    """Philox is a bijection of its counter, so two draws of a seed never share a block."""
    near = tuple(b if other else a for a, b, other in zip(first, second, mixed, strict=True))
    assert (counter_at(first) == counter_at(near)) == (first == near)


# ---- pairing --------------------------------------------------------------------------------------------------------


def test_more_draws_of_one_seat_leave_all_others_unchanged():
    def elsewhere(extra: int) -> list[int]:
        dice, drawn = dice_of(77), []
        for turn in range(3):
            turn_dice(dice, turn)
            for _ in range(extra):
                word(dice, 1, 4)
            drawn += [int(word(dice, *at)) for at in ((0, 4), (2, 4), (NATURE, 4), (1, 3), (0, 4))]
        return drawn

    assert elsewhere(0) == elsewhere(1) == elsewhere(9)
    assert len(set(elsewhere(0))) == 15


def test_draws_do_not_depend_on_the_order_in_which_they_are_made():
    one, other = dice_of(), dice_of()
    seats = [0, 1, 2, 3, NATURE] * 6
    forth = {(seat, i): int(word(one, seat, 2)) for i, seat in enumerate(sorted(seats))}
    turns = {(seat, i): int(word(other, seat, 2)) for i, seat in enumerate(seats)}
    for seat in range(5):
        assert [v for (s, _), v in forth.items() if s == seat] == [v for (s, _), v in turns.items() if s == seat]


def test_dice_keyed_by_entrant_follow_it_to_another_seat():
    here, there = dice_of(streams=(10, 11, 2, 3)), dice_of(streams=(11, 10, 2, 3))
    assert [int(word(here, 0, 2)) for _ in range(6)] == [int(word(there, 1, 2)) for _ in range(6)]


def test_imagined_dice_are_not_those_of_the_game():
    real, imagined = dice_of(), dice_of()
    imagined["role"] = 1
    assert not {int(word(real, 0, 2)) for _ in range(50)} & {int(word(imagined, 0, 2)) for _ in range(50)}


# ---- rolls ----------------------------------------------------------------------------------------------------------


@kernel
def tally(dice: np.ndarray, faces: int, rolls: int, counts: np.ndarray) -> None:
    """Count the faces of rolls, half of them from one stream and half the first rolls of many games."""
    for i in range(rolls):
        if i % 2 == 0:
            counts[roll(dice, 0, 2, faces) - 1] += 1
        else:
            dice["game"] += 1
            dice["block"][:] = 0
            dice["used"][1, 3] = 0
            counts[roll(dice, 1, 3, faces) - 1] += 1


@pytest.mark.parametrize("faces", range(2, 21))
@pytest.mark.slow
def test_rolls_are_unbiased(faces):
    counts = np.zeros(faces, np.int64)
    tally(dice_of(1000, seed=faces), faces, ROLLS, counts)
    assert counts.sum() == ROLLS
    assert stats.chisquare(counts).pvalue > P_LEAST


def values_around(n: int) -> list[int]:
    return sorted({0, 1, n // 3, n // 2, n - 2, n - 1})  # n: at least 30


def decided(first: int, n: int, value: int) -> bool:
    """Whether `below` takes the word `first` for `value`, or rejects it and takes the next word, of another value."""
    other = 0 if value else n - 1
    fallback = -(-other * WORD // n) + 1  # not the first word of its interval, so never rejected
    drawn = below(loaded(first, fallback, fallback, fallback), 0, 2, n)
    assert drawn in (value, other)
    return drawn == value


@pytest.mark.parametrize("n", [2**31, 2**31 - 1, 2**31 - 2, 2**30 + 1, 3 * 2**29 + 7, 10**9])
@pytest.mark.slow
def test_below_accepts_the_same_number_of_words_for_each_value(n):
    """Of all words of a value's interval, exactly 2**32 // n are accepted."""
    for value in values_around(n):
        start, end = -(-value * WORD // n), -(-(value + 1) * WORD // n)
        assert sum(decided(start + i, n, value) for i in range(end - start)) == WORD // n


@pytest.mark.parametrize("n", [*range(2, 21), 100, 65_537])
def test_below_rejects_at_most_the_first_word_of_a_value(n):
    """For a small n the intervals are long, and only their first word is rejected, if any: the rest has the same length."""
    for value in range(n) if n < 30 else values_around(n):
        start, end = -(-value * WORD // n), -(-(value + 1) * WORD // n)
        rejected = sum(not decided(start + i, n, value) for i in range(3))
        assert decided(end - 1, n, value)
        assert decided((start + end) // 2, n, value)
        assert end - start - rejected == WORD // n


def test_below_one_is_always_zero():
    dice = dice_of()
    assert {int(below(dice, 0, 2, 1)) for _ in range(20)} == {0}


def test_roll_hits_counts_the_highest_faces():
    dice = dice_of()
    faces = [1, 2, 3, 4, 5, 6]
    for hitting in range(7):
        dice["scripted"], dice["script_at"] = 6, 0
        dice["script"][:6] = faces
        assert roll_hits(dice, 0, 2, 6, hitting) == sum(face > 6 - hitting for face in faces)


def test_uniform_stays_below_one():
    assert uniform(loaded(0), 0, 2) == 0.0
    assert uniform(loaded(2**32 - 1), 0, 2) == 1 - 2**-32
    assert uniform(loaded(2**31), 0, 2) == 0.5


# ---- shuffles -------------------------------------------------------------------------------------------------------


@kernel
def shuffled_often(dice: np.ndarray, times: int, counts: np.ndarray, items: np.ndarray, keys: np.ndarray) -> None:
    """Count the orders of four items, as numbers to base 4."""
    for _ in range(times):
        for i in range(4):
            items[i] = i
        shuffle(dice, 0, 2, items, keys)
        counts[((items[0] * 4 + items[1]) * 4 + items[2]) * 4 + items[3]] += 1


@pytest.mark.slow
def test_every_order_of_a_shuffle_is_equally_likely():
    counts = np.zeros(256, np.int64)
    shuffled_often(dice_of(3), SHUFFLES, counts, np.zeros(4, np.int64), np.zeros(4, np.uint32))
    orders = [((a * 4 + b) * 4 + c) * 4 + d for a, b, c, d in itertools.permutations(range(4))]
    assert counts[orders].sum() == SHUFFLES
    assert stats.chisquare(counts[orders]).pvalue > P_LEAST


@pytest.mark.slow
def test_a_reshuffle_does_not_depend_on_the_present_order():
    """It is the shuffle of the sorted items, which can repeat."""
    orders = ([2, 1, 3, 1, 2], [1, 2, 1, 3, 2], [1, 1, 2, 2, 3])
    arrays = [np.array(items, np.int8) for items in orders]
    for array in arrays:
        reshuffle(dice_of(5), NATURE, 2, array, np.zeros(len(array), np.uint32))
        assert array.tolist() == shuffled([1, 1, 2, 2, 3], 5)


def shuffled(items: list[int], game: int) -> list[int]:
    array = np.array(items)
    shuffle(dice_of(game), NATURE, 2, array, np.zeros(len(items), np.uint32))
    return array.tolist()


@given(game=st.integers(0, 2**48 - 1), at=st.integers(0, 9))
@pytest.mark.slow
def test_a_replaced_item_leaves_the_others_in_their_order(game, at):
    before = shuffled(list(range(10)), game)
    after = shuffled([99 if i == at else i for i in range(10)], game)
    assert after == [99 if i == at else i for i in before]
    assert sorted(before) == list(range(10))


def test_items_added_at_the_end_leave_the_others_in_their_order():
    longer = shuffled(list(range(12)), 8)
    assert [i for i in longer if i < 10] == shuffled(list(range(10)), 8)


@pytest.mark.slow
def test_shuffles_of_zero_items_and_of_one_item():
    assert shuffled([], 1) == []
    assert shuffled([4], 1) == [4]


@kernel
def mixed_often(dice: np.ndarray, times: int, counts: np.ndarray, items: np.ndarray) -> None:
    """Count the positions of each item and, in `counts[-1]`, the orders of the last three of four items."""
    for _ in range(times):
        for i in range(len(items)):
            items[i] = i
        mix(dice, 0, 2, items)
        for i in range(len(items)):
            counts[i, items[i]] += 1
        if len(items) == 4:
            counts[4, (items[0] * 4 + items[1]) * 4 + items[2]] += 1


@pytest.mark.slow
def test_every_order_of_a_mix_is_equally_likely():
    counts = np.zeros((5, 64), np.int64)
    mixed_often(dice_of(3), SHUFFLES, counts, np.zeros(4, np.int64))
    orders = [(a * 4 + b) * 4 + c for a, b, c, _ in itertools.permutations(range(4))]
    assert counts[4, orders].sum() == SHUFFLES
    assert stats.chisquare(counts[4, orders]).pvalue > P_LEAST


def test_a_mix_that_takes_several_words_puts_every_item_everywhere():
    times = SHUFFLES // 12
    counts = np.zeros((40, 40), np.int64)
    mixed_often(dice_of(4), times, counts, np.zeros(40, np.int8))
    assert (counts.sum(axis=0) == times).all()
    squares = ((counts - times / 40) ** 2).sum() / (times / 40)
    assert stats.chi2.sf(squares, 39 * 39) > P_LEAST


@pytest.mark.parametrize("length", [0, 1, 2, 3, 13, 80, 400])
@pytest.mark.slow
def test_a_mix_loses_nothing(length):
    items = np.arange(length, dtype=np.int16)
    mix(dice_of(5), NATURE, 2, items)
    assert sorted(items.tolist()) == list(range(length))


def test_a_mix_rejects_words_that_would_favour_an_order():
    dice = loaded(0, 1)  # six does not divide 2**32: word 0 must be rejected, word 1 not
    mix(dice, 0, 2, np.arange(3))
    assert dice["used"][0, 2] == 2


# ---- scripts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 3, SCRIPT_MAX])
def test_a_script_is_rolled_in_order_and_reports_when_it_was_too_short(length):
    dice = dice_of()
    faces = [1 + i % 6 for i in range(length)]
    dice["scripted"], dice["script"][:length] = length, faces
    assert [int(roll(dice, i % SEATS_MAX, 2, 6)) for i in range(length)] == faces
    assert dice["script_at"] == dice["scripted"]
    for _ in range(3):
        assert roll(dice, 0, 2, 6) == 1
        assert dice["script_at"] > dice["scripted"]


def test_a_script_of_draws_is_used_in_order_and_reports_when_it_was_too_short():
    dice = dice_of()
    assert [scripted_draw(dice) for _ in range(3)] == [NOT_SCRIPTED] * 3
    assert dice["draws_at"] == 0
    dice["draws_scripted"], dice["draws"][:2] = 2, (DRAW_MAX, 0)
    assert [scripted_draw(dice), scripted_draw(dice)] == [DRAW_MAX, 0]
    assert dice["draws_at"] == dice["draws_scripted"]
    assert scripted_draw(dice) == NOT_SCRIPTED
    assert dice["draws_at"] == 3
    for _ in range(2 * SCRIPT_MAX):
        scripted_draw(dice)
    assert dice["draws_at"] == SCRIPT_MAX + 1
    assert dice["drawn"] == dice["script_at"] == 0


def test_the_first_impossible_draw_is_remembered():
    dice = dice_of()
    dice["draws_scripted"], dice["draws"][:3] = 3, (4, 5, 6)
    for refused in (False, True, True):
        scripted_draw(dice)
        if refused:
            refuse_draw(dice)
    assert dice["draw_refused"] == 2


def test_fresh_dice_have_no_script():
    dice = dice_of()
    for field in ("scripted", "script_at", "draws_scripted", "draws_at", "draw_refused"):
        dice[field] = 1
    open_dice(dice, np.uint64(5), np.uint64(0), np.arange(SEATS_MAX, dtype=np.uint32))
    assert scripted_draw(dice) == NOT_SCRIPTED
    assert dice["script_at"] == dice["scripted"] == dice["draws_at"] == dice["draw_refused"] == 0


def test_a_script_leaves_other_draws_random():
    """Scripts are for dice rolls only, not for shuffles and policies."""
    scripted, free = dice_of(), dice_of()
    scripted["scripted"], scripted["script"][0] = 1, 6
    assert below(scripted, 0, 2, 1000) == below(free, 0, 2, 1000)
    assert scripted["script_at"] == 0


def test_opening_the_dice_clears_them():
    dice = dice_of(4)
    dice["scripted"], dice["script_at"] = 3, 2
    word(dice, 0, 2)
    turn_dice(dice, 9)
    open_dice(dice, np.uint64(5), np.uint64(4), np.arange(4, dtype=np.uint32))
    fresh = dice_of(4)
    for field in ("turn", "block", "drawn", "used", "scripted", "script_at", "role", "stream"):
        assert dice[field].tobytes() == fresh[field].tobytes(), field


def test_a_settled_number_depends_on_its_place_alone():
    dice, seen = dice_of(0), Counter()
    for place in range(200):
        numbers = []
        for role, turn in ((0, 0), (0, 7), (2, 7)):
            dice["role"] = role
            turn_dice(dice, turn)
            numbers.append(int(settled_below(dice, 3, place, 1, 1000)))
        assert len(set(numbers)) == 1
        seen[numbers[0]] += 1
    assert dice["drawn"] == 0
    assert len(seen) > 100


def test_settled_numbers_are_equally_likely():
    dice = dice_of(1)
    numbers = Counter(int(settled_below(dice, 3, place, attempt, 7)) for place in range(100) for attempt in range(60))
    assert set(numbers) == set(range(7))
    assert stats.chisquare(list(numbers.values())).pvalue > P_LEAST
