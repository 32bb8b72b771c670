"""Keyed dice: every draw is a hash of its place in the game, not the next number of a stream.

A draw is the Philox4x32-10 block (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011)
of the key `seed` and a counter that encodes (game, turn, stream, purpose, index). Philox is a bijection of its counter, so
no two draws of a seed share a block: streams cannot overlap in up to 2**48 games. A changed card changes only the draws that
it affects, which makes paired comparisons precise.

`stream` is the owner of the dice: the seat or its entrant, depending on the experiment. `index` counts the draws of a
(turn, seat, purpose) and is kept here, so a game cannot draw the same number twice.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from sim.engine.jit import Record, inlined, kernel, scratch, unlikely

SEATS_MAX = 4  # seats at a table, over all games
PURPOSES = 16  # most kinds of draws that a game can distinguish
NATURE = SEATS_MAX  # "seat" of draws that belong to no player: first player, weather, a common deck
OWNERS = SEATS_MAX + 1
SCRIPT_MAX = 256  # size of a script; a scenario uses at most one value less
DRAW_MAX = 32_767  # largest value of a scripted draw
NOT_SCRIPTED = -1  # returned by `scripted_draw`: draw at random
FACES = 6  # of an ordinary die
NATURE_STREAM = 0xFFFFFF  # stream of NATURE; seats and entrants are numbered from 0


class Purpose(IntEnum):
    """Purposes used by the engine; a game numbers its own from `FIRST_FREE`."""

    POLICY = 0
    DEAL = 1
    FIRST_FREE = 2


DICE = np.dtype(
    [
        ("seed", np.uint64),  # key of the experiment
        ("game", np.uint64),  # index of the game, 0..2**48 - 1
        # latest block of each kind of draw: its number in its turn, from 1, the turn above it, and its 4 words of 32 random bits
        ("block", np.uint64, (OWNERS, PURPOSES)),
        ("words", np.uint32, (OWNERS, PURPOSES, 4)),
        ("turn", np.uint32),  # turn that the draws belong to, 0..2**16 - 1
        ("role", np.uint32),  # 0: dice of the game; 1, 2: disjoint dice, for AIVAT samples and for playouts
        ("drawn", np.uint32),  # total draws, to detect whether a move used chance
        ("shown", np.uint32, (SEATS_MAX,)),  # by seat, how often what it could not see came to matter, if the game counts it
        ("open", np.uint8),  # 1: in games with a player that sees hidden cards, what lies face-down is settled (`settled_below`)
        ("stream", np.uint32, (OWNERS,)),  # by seat, the owner of its dice: number of the seat or of its entrant
        ("used", np.uint32, (OWNERS, PURPOSES)),  # draws made this turn
        ("scripted", np.int16),  # length of the script, 0: dice are random
        ("script_at", np.int16),  # values of the script used so far; above `scripted`: the script was too short
        ("script", np.int16, (SCRIPT_MAX,)),  # faces, in the order in which they are rolled
        ("draws_scripted", np.int16),  # length of the script of draws, 0: draws are random
        ("draws_at", np.int16),  # values of it used so far; above `draws_scripted`: it was too short
        ("draw_refused", np.int16),  # number of the first draw that was not possible, 1-based; 0: none
        ("draws", np.int16, (SCRIPT_MAX,)),  # scripted draws, in the game's numbers 0..DRAW_MAX
    ],
    align=True,
)

_MULTIPLIER_0 = np.uint64(0xD2511F53)  # Philox4x32, table 2 of the paper
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)  # golden ratio
_WEYL_1 = np.uint64(0xBB67AE85)  # sqrt(3) - 1
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ROUNDS = 10
_LANES = 4  # words of a block
_NONE, _ONE = np.uint64(0), np.uint64(1)
BATCH_MOST = np.uint64(1 << 28)  # most orders that one word selects from; more would be rejected too often
_TURN_BITS = np.uint64(16)
_ROUGH_LEAST, _ROUGH_MOST = 12, 64  # items for which `shuffle` sorts in two passes
_BUCKETS, _BUCKET_SHIFT = 64, 26  # by the 6 highest bits of a key

_ROUGH = np.dtype(  # what `sort_roughly` needs
    [("place", np.int64, (_BUCKETS,)), ("item", np.int64, (_ROUGH_MOST,)), ("key", np.uint32, (_ROUGH_MOST,))], align=True
)
_SETTLED = np.dtype([("words", np.uint64, (4,))])  # a block of `settled_below`
_LAST_TURN = np.uint64(0xFFFF)  # a settled place takes this minus its number for a turn; no game lasts that long
_PURPOSE_SHIFT = np.uint64(24)
_ROLE_SHIFT = np.uint64(30)


@kernel
def philox(low: int, high: int, key: int, words: np.ndarray) -> None:
    """Compute Philox4x32-10 of a 128-bit counter (`low`, `high`, uint64 each) and a 64-bit key; overwrites words[0..3]."""
    c0, c1 = low & _LOW, low >> _HALF
    c2, c3 = high & _LOW, high >> _HALF
    k0, k1 = key & _LOW, key >> _HALF
    for _ in range(_ROUNDS):
        product_0 = _MULTIPLIER_0 * c0
        product_1 = _MULTIPLIER_1 * c2
        c0 = (product_1 >> _HALF) ^ c1 ^ k0
        c2 = (product_0 >> _HALF) ^ c3 ^ k1
        c1 = product_1 & _LOW
        c3 = product_0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    words[0] = c0
    words[1] = c1
    words[2] = c2
    words[3] = c3


@kernel
def open_dice(dice: Record, seed: int, game: int, streams: np.ndarray) -> None:
    """Initialise the dice of a game. dice: one DICE record, overwritten; streams: (SEATS_MAX,), owner of each seat's dice."""
    dice["seed"] = seed
    dice["game"] = game
    dice["role"] = 0
    dice["drawn"] = 0
    dice["shown"][:] = 0
    dice["open"] = 0
    dice["scripted"] = 0
    dice["script_at"] = 0
    dice["draws_scripted"] = 0
    dice["draws_at"] = 0
    dice["draw_refused"] = 0
    for seat in range(SEATS_MAX):
        dice["stream"][seat] = streams[seat]
    dice["stream"][NATURE] = NATURE_STREAM
    dice["block"][:] = 0
    turn_dice(dice, 0)


@kernel
def turn_dice(dice: Record, turn: int) -> None:
    """Key all further draws by `turn` (0..65535); restarts their indexes at 0."""
    dice["turn"] = turn
    dice["used"][:] = 0


@kernel
def note_used(dice: Record, used: np.ndarray) -> None:
    """Write into `used` how many draws were made this turn. used: (OWNERS, PURPOSES)."""
    for owner in range(OWNERS):
        for purpose in range(PURPOSES):
            used[owner, purpose] = dice["used"][owner, purpose]


@kernel
def skip_draws(dice: Record, used: np.ndarray, draws: int) -> None:
    """Continue `draws` draws after those in `used`, written by `note_used`."""
    for owner in range(OWNERS):
        for purpose in range(PURPOSES):
            dice["used"][owner, purpose] = used[owner, purpose] + np.uint32(draws)


@kernel
def word(dice: Record, seat: int, purpose: int) -> np.uint64:
    """Return the next 32 random bits of (turn, seat, purpose), as uint64. seat: 0..SEATS_MAX-1 or NATURE."""
    inlined()
    owner = np.uint64(seat)  # an unsigned index is not tested for counting from the end
    index = np.uint64(dice["used"][owner, purpose])
    dice["used"][owner, purpose] += 1
    dice["drawn"] += 1
    number = index // np.uint64(_LANES)
    block = (np.uint64(dice["turn"]) << _HALF | number) + _ONE
    if unlikely(dice["block"][owner, purpose] != block):
        dice["block"][owner, purpose] = block
        compute_block(dice, seat, purpose, number, dice["words"][owner, purpose])
    return np.uint64(dice["words"][owner, purpose, index % np.uint64(_LANES)])


@kernel
def compute_block(dice: Record, seat: int, purpose: int, number: np.uint64, words: np.ndarray) -> None:
    """Write the 4 words of a block. number: 0 for the first of (turn, seat, purpose)."""
    low, high = counter_of(dice, seat, purpose, number)
    philox(low, high, dice["seed"], words)


@kernel
def prepare_draws(dice: Record, seat: int, purpose: int) -> None:
    """Compute the first block of a turn before it is needed: the processor can do so while it waits for something else."""
    block = (np.uint64(dice["turn"]) << _HALF) + _ONE
    dice["block"][np.uint64(seat), purpose] = block
    compute_block(dice, seat, purpose, _NONE, dice["words"][np.uint64(seat), purpose])


@kernel
def counter_of(dice: Record, seat: int, purpose: int, number: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both halves of the counter of a block: role, purpose, stream and number; game and turn."""
    owner = np.uint64(dice["stream"][seat]) | np.uint64(purpose) << _PURPOSE_SHIFT | np.uint64(dice["role"]) << _ROLE_SHIFT
    return np.uint64(number | owner << _HALF), dice["game"] << _TURN_BITS | np.uint64(dice["turn"])


@kernel
def draw_words(dice: Record, seat: int, purpose: int, out: np.ndarray, count: int) -> None:
    """Write the next `count` results of `word`, whole blocks at once."""
    i = 0
    while i < count:
        index = np.uint64(dice["used"][seat, purpose])
        if index % np.uint64(_LANES) != _NONE or count - i < _LANES:
            out[i] = word(dice, seat, purpose)
            i += 1
        else:
            compute_block(dice, seat, purpose, index // np.uint64(_LANES), out[i : i + _LANES])
            dice["used"][seat, purpose] += _LANES
            dice["drawn"] += _LANES
            i += _LANES


@kernel
def below(dice: Record, seat: int, purpose: int, n: int) -> np.int64:
    """Draw a whole number 0..n-1 with exactly equal probabilities. n: 1..2**31.

    Multiply and reject (Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).
    """
    inlined()
    wide = np.uint64(n)
    while True:
        product = word(dice, seat, purpose) * wide
        remainder = product & _LOW
        if remainder >= wide or remainder >= (_LOW + _ONE - wide) % wide:
            return np.int64(product >> _HALF)


@kernel
def settled_below(dice: Record, purpose: int, place: int, attempt: int, n: int) -> np.int64:
    """Return the number 0..n-1 that was settled for a place when the game began: the same in every turn, for dice of every role.

    For what already lies face-down, in games that draw a card when it is turned over: if dice["open"], it must not depend on when
    that happens, and a player that sees hidden cards has to find the same card in its samples. It is no draw: it is not counted.
    place: 0..2**12 - 1, of a cell or in a deck; attempt: 0..2**30 - 1; n: below 2**12, so the probabilities are equal to 1e-6.
    """
    words = scratch(_SETTLED)["words"]
    low = np.uint64(attempt) | (np.uint64(NATURE_STREAM) | np.uint64(purpose) << _PURPOSE_SHIFT) << _HALF
    philox(low, dice["game"] << _TURN_BITS | (_LAST_TURN - np.uint64(place)), dice["seed"], words)
    return np.int64(np.uint64(words[0]) * np.uint64(n) >> _HALF)


@kernel
def roll(dice: Record, seat: int, purpose: int, faces: int) -> np.int64:
    """Roll one die: 1..faces. With a script, return its next value; past its end, 1, and `script_at` exceeds `scripted`."""
    if dice["scripted"] > 0:
        index = dice["script_at"]
        dice["script_at"] = min(index + 1, SCRIPT_MAX + 1)
        return np.int64(dice["script"][index]) if index < dice["scripted"] else np.int64(1)
    return below(dice, seat, purpose, faces) + 1


@kernel
def scripted_draw(dice: Record) -> np.int64:
    """Return the next draw of a scenario's script, 0..DRAW_MAX in the game's numbers, or NOT_SCRIPTED for a random draw.

    Every kernel that draws a card (tile, token) calls this first. Past the end of the script, `draws_at` exceeds its length.
    """
    if dice["draws_scripted"] == 0:
        return np.int64(NOT_SCRIPTED)
    index = dice["draws_at"]
    dice["draws_at"] = min(index + 1, SCRIPT_MAX + 1)
    return np.int64(dice["draws"][index]) if index < dice["draws_scripted"] else np.int64(NOT_SCRIPTED)


@kernel
def refuse_draw(dice: Record) -> None:
    """Record that the latest scripted draw is impossible (no such card is left), so that the scenario is refused."""
    if dice["draw_refused"] == 0:
        dice["draw_refused"] = dice["draws_at"]


@kernel
def roll_hits(dice: Record, seat: int, purpose: int, count: int, faces_that_hit: int) -> int:
    """Roll `count` six-sided dice and return how many show one of the `faces_that_hit` highest faces, 0..count."""
    hits, missing = 0, FACES - faces_that_hit
    if dice["scripted"] > 0:
        for _ in range(count):
            hits += roll(dice, seat, purpose, FACES) > missing
    else:  # without a look at the script for each die
        for _ in range(count):
            hits += below(dice, seat, purpose, FACES) >= missing
    return hits


@kernel
def uniform(dice: Record, seat: int, purpose: int) -> float:
    """Draw a number in [0, 1) with 32 random bits."""
    return word(dice, seat, purpose) / 4294967296.0


@kernel
def mix(dice: Record, seat: int, purpose: int, items: np.ndarray) -> None:
    """Shuffle `items` in place with exactly equal probabilities: faster than `shuffle`, but without a key for each item.

    Used in playouts, where no two deals are compared. Up to 2**16 items. One word serves several swaps (Brackett-Rozinsky
    and Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55, 2025).
    """
    left = np.int64(len(items))
    while left > 1:
        swaps, orders = np.int64(1), np.uint64(left)
        while swaps < left - 1 and orders * np.uint64(left - swaps) <= BATCH_MOST:
            orders *= np.uint64(left - swaps)
            swaps += 1
        rest = fair_word(dice, seat, purpose, orders, left, swaps)
        for _ in range(swaps):
            product = rest * np.uint64(left)
            index, rest = np.int64(product >> _HALF), product & _LOW
            left -= 1
            items[left], items[index] = items[index], items[left]


@kernel
def fair_word(dice: Record, seat: int, purpose: int, orders: int, left: int, swaps: int) -> np.uint64:
    """Draw 32 bits that give `swaps` uniform numbers below left, left - 1, ...; orders: the product of those bounds."""
    threshold = (_LOW + _ONE - orders) % orders
    while True:
        drawn = word(dice, seat, purpose)
        rest = drawn
        for k in range(swaps):
            rest = (rest * np.uint64(left - k)) & _LOW
        if rest >= threshold:
            return drawn


@kernel
def shuffle(dice: Record, seat: int, purpose: int, items: np.ndarray, keys: np.ndarray) -> None:
    """Shuffle `items` in place: draw a key for each in order, then sort by key (stable).

    keys: scratch of at least the same length, overwritten. Pass the items in a fixed order (by card, then copy): if a card is
    replaced, the other copies keep their keys and their relative order.
    """
    draw_words(dice, seat, purpose, keys, len(items))
    if _ROUGH_LEAST <= len(items) <= _ROUGH_MOST:
        sort_roughly(items, keys)
    for i in range(1, len(items)):
        item, key, j = items[i], keys[i], i
        while j > 0 and keys[j - 1] > key:
            items[j], keys[j] = items[j - 1], keys[j - 1]
            j -= 1
        items[j], keys[j] = item, key


@kernel
def reshuffle(dice: Record, seat: int, purpose: int, items: np.ndarray, keys: np.ndarray) -> None:
    """Sort numbers, then shuffle them in place: the result does not depend on their present order, which a seat must not see.

    keys: as for `shuffle`.
    """
    for i in range(1, len(items)):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    shuffle(dice, seat, purpose, items, keys)


@kernel
def sort_roughly(items: np.ndarray, keys: np.ndarray) -> None:
    """Sort items and their keys by the highest bits of the keys (stable): the insertion sort then moves hardly anything."""
    rough = scratch(_ROUGH)
    for bucket in range(_BUCKETS):
        rough["place"][bucket] = 0
    for i in range(len(items)):
        rough["item"][i] = items[i]
        rough["key"][i] = keys[i]
        rough["place"][np.int64(keys[i]) >> _BUCKET_SHIFT] += 1
    begin = 0
    for bucket in range(_BUCKETS):
        size = rough["place"][bucket]
        rough["place"][bucket] = begin
        begin += size
    for i in range(len(items)):
        part = np.int64(rough["key"][i]) >> _BUCKET_SHIFT
        at = rough["place"][part]
        rough["place"][part] += 1
        items[at], keys[at] = rough["item"][i], rough["key"][i]
