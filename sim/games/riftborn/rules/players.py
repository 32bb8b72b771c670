"""Players: their piles, experience and level, damage and healing, the end of the game (RIFT-06, 20 to 26, 51, 120, 130)."""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, refuse_draw, scripted_draw, shuffle
from sim.engine.jit import Record, bit_count, kernel
from sim.games.riftborn.cards import LEVELS, NONE, Ability, LevelBudget
from sim.games.riftborn.state import ARMOURS, CURVE, NOBODY, SEATS, Draw, Gain, Phase, saturated

NOTED_MAX = 127  # own turns are recorded in int8; later ones are recorded as this


# Piles (RIFT-06, 07, 84, 87, 104, 107, 120, 121)


@kernel
def slot_of(state: Record, cards: Record, seat: int, card: int) -> int:
    """Index of a card among the different cards of a seat's deck."""
    return cards["deck_slot"][state["deck"][seat], card]


@kernel
def fill_library(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """RIFT-06. Make the library the whole deck, shuffled."""
    deck = state["deck"][seat]
    size = cards["deck_size"][deck]
    for i in range(size):
        state["library"][seat, i] = cards["deck"][deck, i]
    state["library_n"][seat] = size
    mix(state, rng, seat)


@kernel
def mix(state: Record, rng: Record, seat: int) -> None:
    """Shuffle a library that is in the order of the deck list; no player knows its order any more."""
    size = state["library_n"][seat]
    shuffle(rng, seat, Draw.LIBRARY, state["library"][seat, :size], state["keys"])
    state["keys"][:] = 0
    state["known_own"][seat] = 0
    state["known_other"][seat] = 0


@kernel
def put_in_order(state: Record, cards: Record, seat: int) -> None:
    """Sort a library by the deck list, so that the same dice shuffle the same cards alike."""
    for i in range(1, state["library_n"][seat]):
        card = state["library"][seat, i]
        slot, j = slot_of(state, cards, seat, np.int64(card)), i
        while j > 0 and slot_of(state, cards, seat, np.int64(state["library"][seat, j - 1])) > slot:
            state["library"][seat, j] = state["library"][seat, j - 1]
            j -= 1
        state["library"][seat, j] = card


@kernel
def add_to_library(state: Record, seat: int, card: int) -> None:
    """Put a card on a library that is shuffled afterwards."""
    state["library"][seat, state["library_n"][seat]] = card
    state["library_n"][seat] += 1


@kernel
def take_back_discard(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """RIFT-120, effect `recall`. Shuffle the discard pile into the library."""
    for i in range(state["discard_n"][seat]):
        add_to_library(state, seat, np.int64(state["discard"][seat, i]))
        state["discard"][seat, i] = 0
    state["discard_n"][seat] = 0
    put_in_order(state, cards, seat)
    mix(state, rng, seat)


@kernel
def draw_cards(state: Record, cards: Record, rng: Record, seat: int, count: int) -> None:
    """RIFT-120. Draw a number of cards; an empty library is refilled from the discard pile; if both are empty, stop."""
    for _ in range(count):
        if state["library_n"][seat] == 0:
            if state["discard_n"][seat] == 0:
                return
            state["refills"][seat] += 1
            take_back_discard(state, cards, rng, seat)
        draw_card(state, cards, rng, seat)


@kernel
def draw_card(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """Draw the top card, or the one that a scenario names. The library must not be empty."""
    last = state["library_n"][seat] - 1
    at = named_card(state, rng, seat)
    card = np.int64(state["library"][seat, at])
    for i in range(at, last):
        state["library"][seat, i] = state["library"][seat, i + 1]
    state["library"][seat, last] = 0
    state["library_n"][seat] = last
    state["known_own"][seat] = max(0, state["known_own"][seat] - 1)
    state["known_other"][seat] = max(0, state["known_other"][seat] - 1)
    state["hand"][seat, state["hand_n"][seat]] = card
    state["hand_n"][seat] += 1
    note_draw(state, slot_of(state, cards, seat, card), seat)


@kernel
def named_card(state: Record, rng: Record, seat: int) -> int:
    """Place in the library of the card to be drawn: the top, or the card that a scenario names."""
    last = state["library_n"][seat] - 1
    named = scripted_draw(rng)
    if named == NOT_SCRIPTED:
        return last
    for below in range(last + 1):
        if state["library"][seat, last - below] == named:
            return last - below
    refuse_draw(rng)
    return last


@kernel
def note_draw(state: Record, slot: int, seat: int) -> None:
    """Count that a card came to the hand."""
    if slot == NONE:  # a card that is not in the deck: possible in a position written by hand
        return
    state["drawn"][seat, slot] = saturated(state["drawn"][seat, slot] + 1)
    state["held"][seat, slot] += 1
    if state["drawn_turn"][seat, slot] == 0:
        state["drawn_turn"][seat, slot] = max(1, min(state["own_turns"][seat], NOTED_MAX))


@kernel
def forget_draw(state: Record, slot: int, seat: int) -> None:
    """Undo `note_draw` for a card returned before the game begins."""
    if slot == NONE:
        return
    state["drawn"][seat, slot] -= 1
    if state["drawn"][seat, slot] == 0:
        state["drawn_turn"][seat, slot] = 0


@kernel
def leave_hand(state: Record, cards: Record, seat: int, at: int) -> np.int64:
    """Take a card from a hand and close the gap; returns the card."""
    card = np.int64(state["hand"][seat, at])
    last = state["hand_n"][seat] - 1
    for i in range(at, last):
        state["hand"][seat, i] = state["hand"][seat, i + 1]
    state["hand"][seat, last] = 0
    state["hand_n"][seat] = last
    slot = slot_of(state, cards, seat, card)
    if slot != NONE:
        state["held"][seat, slot] -= 1
    return card


@kernel
def note_play(state: Record, cards: Record, seat: int, card: int) -> None:
    """Count that a card was played."""
    slot = slot_of(state, cards, seat, card)
    if slot == NONE:
        return
    state["plays"][seat, slot] = saturated(state["plays"][seat, slot] + 1)
    if state["played_turn"][seat, slot] == 0:
        state["played_turn"][seat, slot] = max(1, min(state["own_turns"][seat], NOTED_MAX))


@kernel
def discard(state: Record, seat: int, card: int, depleted: bool) -> None:
    """RIFT-84, 121. Put a card on its owner's discard pile, or remove it from the game."""
    if depleted:
        state["removed"][seat, state["removed_n"][seat]] = card
        state["removed_n"][seat] += 1
        state["times"][seat, Ability.DEPLETED] += 1
    else:
        state["discard"][seat, state["discard_n"][seat]] = card
        state["discard_n"][seat] += 1


@kernel
def is_depleted(cards: Record, card: int) -> bool:
    """RIFT-84. Whether DEPLETED is printed on a card."""
    return cards["ability"][card, Ability.DEPLETED] > 0


@kernel
def spy(state: Record, seat: int, count: int) -> None:
    """RIFT-107. Look at the top cards of the opponent's library."""
    enemy = SEATS - 1 - seat
    seen = min(count, state["library_n"][enemy])
    state["known_other"][enemy] = max(state["known_other"][enemy], seen)
    state["times"][seat, Ability.SPY] += 1


@kernel
def put_next(state: Record, seat: int, done: int, pick: int) -> None:
    """RIFT-104. Move one of the cards looked at to the next place from the top. pick: its place below the `done` cards."""
    top = state["library_n"][seat] - 1 - done
    card = state["library"][seat, top - pick]
    for i in range(top - pick, top):
        state["library"][seat, i] = state["library"][seat, i + 1]
    state["library"][seat, top] = card


@kernel
def tricks_laid(state: Record, seat: int) -> int:
    """RIFT-115. TRICK cards that a seat has in play; their number is public."""
    return bit_count(np.uint64(state["tricks"][seat]))


# Experience, life, the end (RIFT-20 to 26, 51, 90, 130)


@kernel
def gain_xp(state: Record, cards: Record, seat: int, points: int, source: int) -> None:
    """RIFT-20, 21, 26. Gain experience, and the levels that follow. source: Gain."""
    state["xp"][seat] += points
    state["gained"][seat, source] += points
    level = state["level"][seat]
    while level < LEVELS and state["xp"][seat] >= cards["level_xp"][level]:
        state["level_turn"][seat, level] = state["own_turns"][seat]
        level += 1
    state["level"][seat] = level


@kernel
def budget_of(state: Record, cards: Record, seat: int) -> int:
    """RIFT-22, 23, RA-02. Levels that can still be played this turn."""
    snapshot = cards["level_budget"] == LevelBudget.SNAPSHOT
    level = state["start_level"][seat] if snapshot else state["level"][seat]
    return level - state["used_levels"][seat]


@kernel
def hurt_player(state: Record, cards: Record, seat: int, points: int, wound: int) -> int:
    """RIFT-51. Damage a player: the oldest Armour absorbs first. wound: Wound. Returns the life lost."""
    rest = points
    state["wounds"][seat, wound] += rest
    while rest > 0 and state["armour"][seat, 0] != NOBODY:
        absorbed = min(rest, int(state["points"][seat, 0]))
        rest -= absorbed
        state["absorbed"][seat] += absorbed
        state["points"][seat, 0] -= absorbed
        if state["points"][seat, 0] == 0:
            break_armour(state, cards, seat)
    before = state["life"][seat]
    state["life"][seat] -= rest
    if rest > 0 and state["life"][seat] <= 0:
        state["ended_by"] = wound
    return min(rest, max(0, before))


@kernel
def break_armour(state: Record, cards: Record, seat: int) -> None:
    """RIFT-51, 121. Discard the oldest Armour."""
    card = state["armour"][seat, 0]
    for i in range(ARMOURS - 1):
        state["armour"][seat, i] = state["armour"][seat, i + 1]
        state["points"][seat, i] = state["points"][seat, i + 1]
    state["armour"][seat, ARMOURS - 1] = NOBODY
    state["points"][seat, ARMOURS - 1] = 0
    discard(state, seat, card, is_depleted(cards, card))


@kernel
def heal_player(state: Record, cards: Record, seat: int, points: int) -> None:
    """RIFT-90. Raise the life of a player, at most to that of the start."""
    state["life"][seat] = min(cards["start_life"], state["life"][seat] + points)


@kernel
def end_if_lost(state: Record, cards: Record) -> bool:
    """RIFT-130. End the game if a life is 0 or less; returns whether it has ended."""
    if state["life"][0] > 0 and state["life"][1] > 0:
        return False
    for seat in range(SEATS):
        if state["life"][seat] > 0:
            state["winner"] = seat
    state["phase"] = Phase.OVER
    note_turn(state, cards, state["active"])
    return True


@kernel
def note_turn(state: Record, cards: Record, seat: int) -> None:
    """Record a player's progress at the end of an own turn."""
    turn = state["own_turns"][seat] - 1
    state["longest_turn"][seat] = max(state["longest_turn"][seat], state["done_this_turn"])
    if 0 <= turn < CURVE:
        state["xp_after"][seat, turn] = state["xp"][seat]
        state["played_after"][seat, turn] = state["gained"][seat, Gain.PLAY] + state["gained"][seat, Gain.SUMMON]
        state["killed_after"][seat, turn] = state["gained"][seat, Gain.KILL]
        state["level_after"][seat, turn] = state["level"][seat]
        state["unused_after"][seat, turn] = budget_of(state, cards, seat)
