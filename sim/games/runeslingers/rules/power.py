"""Power, health, deck: how powers are lost, and the cards of decks, hands and piles.

RUNE-08, 20 to 25, 36, 85, 88, 120 to 124.
"""

import numpy as np

from sim.engine.dice import NOT_SCRIPTED, below, refuse_draw, scripted_draw, shuffle
from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.games.runeslingers.cards import DECK_MAX, DeckOut, HandLimit, Op, Stat
from sim.games.runeslingers.rules.objects import ask, await_downed, lose_game, pop, push, top_of
from sim.games.runeslingers.state import HAND_MAX, POWERS, Cause, Frame, Lost, Phase, Roll, owner_of

NO_BIT, ONE = np.uint64(0), np.uint64(1)
NOTED_MAX = 127  # turns of cards stop counting here


@kernel
def lose_power(state: Record, seat: int, lost: int) -> bool:
    """RUNE-20. Lose a power, gain a determination; without power the encounter is lost. lost: Lost. Returns whether it is."""
    state["power"][seat] -= 1
    state["determination"][seat] += 1
    state["powers_lost"][seat, lost] += 1
    for k in range(POWERS):
        if state["lost_turn"][seat, k] == 0:
            state["lost_turn"][seat, k] = state["turn"] + 1
            break
    if state["power"][seat] > 0:
        return False
    lose_game(state, seat, lost)  # Cause and Lost share these numbers
    return True


@kernel
def lose_health(state: Record, seat: int, n: int, carry: bool, kind: int) -> None:
    """RUNE-22, 85, 88. Take health away. carry: the rest continues after a lost power; kind: Drain."""
    if n < state["health"][seat]:
        state["health"][seat] -= n
        state["drained"][seat, kind] += n
        return
    at = push(state, Frame.DRAIN, seat)
    state["left"][at] = n
    state["pierce"][at] = carry
    state["kind"][at] = kind


@kernel
def step_drain(state: Record, cards: Record) -> None:
    """RUNE-22. At 0 health, lose a power and reset health to its current maximum; then the rest continues if it carries."""
    top = top_of(state)
    seat, n = state["by"][top], state["left"][top]
    taken = min(n, state["health"][seat])
    state["health"][seat] -= taken
    state["drained"][seat, state["kind"][top]] += taken
    if state["health"][seat] > 0:
        pop(state)
        return
    state["left"][top] = n - taken if state["pierce"][top] else 0
    if state["left"][top] == 0:
        pop(state)
    if not lose_power(state, seat, Lost.HEALTH):
        state["health"][seat] = state["stat"][seat, Stat.MAX_HEALTH]
        await_downed(state, cards, seat)


@kernel
def room_to_heal(state: Record, seat: int) -> int:
    """RUNE-23. Health that a player lacks; 0 under no_heal."""
    if state["stat"][seat, Stat.NO_HEAL] > 0:
        return 0
    return state["stat"][seat, Stat.MAX_HEALTH] - state["health"][seat]


@kernel
def to_discard(state: Record, inst: int) -> None:
    """RUNE-05, 124. Put a card on its owner's discard pile."""
    owner = owner_of(inst)
    state["discard"][owner, state["discard_n"][owner]] = inst
    state["discard_n"][owner] += 1


@kernel
def hand_limit(state: Record, cards: Record, seat: int, is_draw: bool) -> int:
    """RUNE-36, A11. Cards that a player's hand can hold when another one comes."""
    if cards["hand_limit"] == HandLimit.DRAWS and not is_draw:
        return HAND_MAX
    return state["stat"][seat, Stat.MAX_HAND]


@kernel
def to_hand(state: Record, cards: Record, inst: int, is_draw: bool) -> bool:
    """RUNE-36. Put a card into its owner's hand, in order; on the discard pile if the hand is full."""
    owner = owner_of(inst)
    at = state["hand_n"][owner]
    if at >= hand_limit(state, cards, owner, is_draw):
        state["to_limit"][owner] += 1
        to_discard(state, inst)
        return False
    insert(state, owner, at, inst)
    state["hand_n"][owner] += 1
    return True


@kernel
def insert(state: Record, seat: int, count: int, inst: int) -> None:
    """Put a card among the first cards of a hand, which are sorted by card, then by instance. count: of those cards."""
    card, at = state["card_of"][inst], count
    while at > 0:
        other = state["hand"][seat, at - 1]
        rival = state["card_of"][other]
        if rival < card or (rival == card and other < inst):
            break
        state["hand"][seat, at] = other
        at -= 1
    state["hand"][seat, at] = inst


@kernel
def leave_hand(state: Record, seat: int, at: int) -> int:
    """Take a card out of a hand and close the gap; returns the instance."""
    inst = state["hand"][seat, at]
    last = state["hand_n"][seat] - 1
    for i in range(at, last):
        state["hand"][seat, i] = state["hand"][seat, i + 1]
    state["hand"][seat, last] = 0
    state["hand_n"][seat] = last
    return inst


@kernel
def throw_away(state: Record, seat: int, at: int) -> None:
    """RUNE-123. Discard a card of a hand."""
    to_discard(state, leave_hand(state, seat, at))


@kernel
def begin_discard(state: Record, seat: int, count: int) -> None:
    """RUNE-12, 123. Have a player discard a number of cards, as far as there are any."""
    if count > 0 and state["hand_n"][seat] > 0:
        at = push(state, Frame.DISCARD, seat)
        state["left"][at] = count


@kernel
def step_discard(state: Record) -> None:
    """RUNE-123. The holder discards one card after another; the whole hand is discarded without asking."""
    top = top_of(state)
    seat = state["by"][top]
    if state["left"][top] >= state["hand_n"][seat]:
        while state["hand_n"][seat] > 0:
            throw_away(state, seat, 0)
        pop(state)
    elif state["left"][top] == 0:
        pop(state)
    else:
        ask(state, Phase.DISCARD, seat)


@kernel
def discard_random(state: Record, rng: Record, seat: int, count: int) -> None:
    """RUNE-123. Discard random cards of a hand, all equally likely, or those named by a scenario."""
    for _ in range(min(count, state["hand_n"][seat])):
        throw_away(state, seat, random_card(state, rng, seat))


@kernel
def random_card(state: Record, rng: Record, seat: int) -> int:
    """Index in a hand of a random card."""
    named = scripted_draw(rng)
    if named != NOT_SCRIPTED:
        for at in range(state["hand_n"][seat]):
            if state["card_of"][state["hand"][seat, at]] == named:
                return at
        refuse_draw(rng)
    return below(rng, seat, Roll.DISCARD, state["hand_n"][seat])


@kernel
def begin_deck(state: Record, seat: int, op: int, count: int) -> None:
    """RUNE-13, 120 to 122. Have a number of cards leave a deck. op: DRAW, SEAR, VOID."""
    if count > 0:
        at = push(state, Frame.DECK, seat)
        state["left"][at] = count
        state["kind"][at] = op


@kernel
def step_deck(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-24. Cards leave a deck one at a time; an empty deck costs a power and pauses the rest."""
    top = top_of(state)
    seat, op = state["by"][top], state["kind"][top]
    while state["left"][top] > 0:
        if state["deck_n"][seat] == 0:  # only where an empty deck costs a power when the next card is needed (A02)
            empty_deck(state, cards, rng, seat)
            return
        state["left"][top] -= 1
        take_top(state, cards, rng, seat, op)
        if state["deck_n"][seat] == 0 and cards["deck_out"] == DeckOut.IMMEDIATE:
            empty_deck(state, cards, rng, seat)
            return
    pop(state)


@kernel
def empty_deck(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """RUNE-24, 25. The deck is empty: lose a power and shuffle the discard pile into it; without one, lose the encounter."""
    if state["discard_n"][seat] == 0:
        lose_game(state, seat, Cause.NO_CARDS)
        return
    if not lose_power(state, seat, Lost.DECK):
        renew_deck(state, rng, seat)
        await_downed(state, cards, seat)


@kernel
def renew_deck(state: Record, rng: Record, seat: int) -> None:
    """RUNE-24. Shuffle the discard pile into the deck. It is sorted by card first, so that changed cards move no others."""
    size = state["discard_n"][seat]
    put_in_order(state["discard"][seat, :size], state["deck"][seat, :size], seat * DECK_MAX)
    state["discard"][seat, :size] = 0
    state["deck_n"][seat] = size
    state["discard_n"][seat] = 0
    mix(state, rng, seat)


@kernel
def put_in_order(items: np.ndarray, out: np.ndarray, least: int) -> None:
    """Write instances of one owner in ascending order into `out`, which can be `items`. least: the owner's lowest instance."""
    held = NO_BIT
    for i in range(len(items)):
        held |= ONE << np.uint64(items[i] - least)
    for i in range(len(items)):
        out[i] = least + lowest_bit(held)
        held = without_lowest(held)


@kernel
def mix(state: Record, rng: Record, seat: int) -> None:
    """RUNE-15. Shuffle a deck."""
    size = state["deck_n"][seat]
    shuffle(rng, seat, Roll.DECK, state["deck"][seat, :size], state["keys"])
    state["keys"][:size] = 0


@kernel
def take_top(state: Record, cards: Record, rng: Record, seat: int, op: int) -> None:
    """RUNE-120 to 122. The top card, or the one named by a scenario, goes from the deck to hand, discard or void pile."""
    last = state["deck_n"][seat] - 1
    at = named_card(state, rng, seat)
    inst = state["deck"][seat, at]
    for i in range(at, last):
        state["deck"][seat, i] = state["deck"][seat, i + 1]
    state["deck"][seat, last] = 0
    state["deck_n"][seat] = last
    if op == Op.DRAW:
        rng["shown"][seat] += 1
        state["drawn_cards"][seat] += 1
        if to_hand(state, cards, inst, True):
            note_copy(state, seat, inst, state["drawn"], state["drawn_turn"])
    elif op == Op.SEAR:
        state["seared"][seat] += 1
        to_discard(state, inst)
    else:
        state["voided"][seat] += 1
        state["void"][seat, state["void_n"][seat]] = inst
        state["void_n"][seat] += 1


@kernel
def named_card(state: Record, rng: Record, seat: int) -> int:
    """Index in the deck of the card that leaves it: the last, or the one named by a scenario."""
    last = state["deck_n"][seat] - 1
    named = scripted_draw(rng)
    if named == NOT_SCRIPTED:
        return last
    for below_top in range(last + 1):
        if state["card_of"][state["deck"][seat, last - below_top]] == named:
            return last - below_top
    refuse_draw(rng)
    return last


@kernel
def note_copy(state: Record, seat: int, inst: int, copies: np.ndarray, first_turn: np.ndarray) -> None:
    """Count a drawn or played copy of a card, and note in which of the player's turns the first one came."""
    slot = state["slot_of"][inst]
    copies[seat, slot] += 1
    if first_turn[seat, slot] == 0:
        first_turn[seat, slot] = max(1, min(state["own_turns"][seat], NOTED_MAX))
