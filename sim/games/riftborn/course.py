"""The course of a game: opening hands, the coin, start and end of turns (RIFT-06 to 11, 16)."""

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.riftborn.bits import has, with_bit
from sim.games.riftborn.deaths import await_tricks, settle
from sim.games.riftborn.geometry import power
from sim.games.riftborn.harm import heal
from sim.games.riftborn.piles import add_to_library, draw_cards, forget_draw, leave_hand, mix, put_in_order, slot_of
from sim.games.riftborn.players import gain_xp, note_turn
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import ACTIVE, CREATURES, NOBODY, SEATS, WAITING, WEAPONS
from sim.games.riftborn.stats import note, turn_up
from sim.games.riftborn.terms import Draw, Gain, Phase, Step


@kernel
def begin_mulligan(state: Record, cards: Record, rng: Record, first: int) -> None:
    """RIFT-07. Ask the seats from `first` on for their hands, card by card; behind the last seat the coin is tossed."""
    seat = np.int64(first)
    while seat < SEATS and (cards["mulligans"] == 0 or state["hand_n"][seat] == 0):
        seat += 1
    if seat == SEATS:
        toss(state, rng)
        return
    state["seat"] = seat
    state["cursor"] = 0
    state["returned"] = 0
    state["mulligan"] = 0
    state["phase"] = Phase.MULLIGAN


@kernel
def mulligan_card(state: Record, cards: Record, rng: Record, answer: int) -> None:
    """RIFT-07. One card of the hand is kept or returned; after the last one the hand is changed."""
    seat = np.int64(state["seat"])
    state["returned"] |= np.uint16(answer << state["cursor"])
    state["cursor"] += 1
    if state["cursor"] < state["hand_n"][seat]:
        return
    change_hand(state, cards, rng, seat)
    state["mulligan"] += 1
    state["cursor"] = 0
    state["returned"] = 0
    if state["mulligan"] >= cards["mulligans"]:
        begin_mulligan(state, cards, rng, seat + 1)


@kernel
def change_hand(state: Record, cards: Record, rng: Record, seat: int) -> None:
    """RIFT-07. Shuffle the returned cards into the library and draw as many."""
    count, size = 0, np.int64(state["hand_n"][seat])
    for back in range(size):
        at = size - 1 - back  # from the end, so that places before it stay what they are
        if (state["returned"] >> np.uint16(at)) & np.uint16(1):
            card = leave_hand(state, cards, seat, at)
            forget_draw(state, slot_of(state, cards, seat, card), seat)
            add_to_library(state, seat, card)
            count += 1
    if count > 0:
        put_in_order(state, cards, seat)
        mix(state, rng, seat)
        draw_cards(state, cards, rng, seat, count)
        state["returned_cards"][seat] += count


@kernel
def toss(state: Record, rng: Record) -> None:
    """RIFT-08. A fair coin, or what a scenario says."""
    named = scripted_draw(rng)
    if named == NOT_SCRIPTED:
        named = np.int64(below(rng, NATURE, Draw.COIN, SEATS))
    elif named >= SEATS:
        refuse_draw(rng)
        named = np.int64(0)
    state["first"] = named
    state["active"] = named
    state["phase"] = Phase.GOING
    state["step"] = Step.START


@kernel
def start_turn(state: Record, cards: Record, rng: Record) -> None:
    """RIFT-09, 11. Start step of the active player."""
    seat = np.int64(state["active"])
    state["own_turns"][seat] += 1
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        refresh(state, np.int64(g))
    gain_xp(state, cards, seat, turn_xp(state, cards), np.int64(Gain.TURN))
    draw_cards(state, cards, rng, seat, turn_draw(state, cards))
    state["used_levels"][seat] = 0
    state["start_level"][seat] = state["level"][seat]
    state["done_this_turn"] = 0
    for weapon in range(WEAPONS):
        state["weapon_used"][seat, weapon] = 0
    settle(state, cards, np.int64(NOBODY))
    await_tricks(state, np.int64(Step.MAIN))


@kernel
def turn_xp(state: Record, cards: Record) -> np.int64:
    """RIFT-11. Experience of the turn that begins; `second_xp` more in the second turn of the game, at least 0."""
    points = np.int64(cards["turn_xp"])
    if state["turn"] == 1:
        points += np.int64(cards["second_xp"])
    return np.int64(0) if points < 0 else points


@kernel
def turn_draw(state: Record, cards: Record) -> np.int64:
    """RIFT-11. Cards drawn in the turn that begins; `second_draw` more in the second turn of the game, at least 0."""
    if state["turn"] == 0 and state["active"] == state["first"]:
        return np.int64(cards["first_draw"])
    count = np.int64(cards["turn_draw"])
    if state["turn"] == 1:
        count += np.int64(cards["second_draw"])
    return np.int64(0) if count < 0 else count


@kernel
def refresh(state: Record, g: int) -> None:
    """RIFT-11. Shields vanish, Move and Action are fresh, waiting CHARM and PACIFY become active."""
    state["shield"][g] = 0
    state["swaps"][g] = 0
    state["acted"][g] = 0
    state["entered"][g] = 0
    if state["charm"][g] & WAITING:
        state["charm"][g] = ACTIVE
    if state["pacify"][g] & WAITING:
        state["pacify"][g] = ACTIVE


@kernel
def ask_main(state: Record) -> None:
    """RIFT-12. Ask the active player."""
    state["phase"] = Phase.MAIN
    state["seat"] = state["active"]


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """RIFT-16, 100. End step: REGEN, CHARM and PACIFY end, death check."""
    seat, healed = np.int64(state["active"]), np.uint32(0)
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        state["charm"][g] &= WAITING
        state["pacify"][g] &= WAITING
        regen = power(state, np.int64(g), Ability.REGEN)
        if state["card"][g] != NOBODY and regen > 0 and heal(state, np.int64(g), regen) > 0:
            note(state, np.int64(g), Ability.REGEN)
            healed = with_bit(healed, g)
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if has(healed, g):  # only now: a face that shows may lend REGEN to others
            turn_up(state, cards, np.int64(g))
    settle(state, cards, np.int64(NOBODY))
    await_tricks(state, np.int64(Step.ENDED))


@kernel
def pass_turn(state: Record, cards: Record) -> None:
    """RIFT-10, 16, 131. The opponent's turn begins, unless the game is stopped here: then it has no start step any more."""
    note_turn(state, cards, np.int64(state["active"]))
    state["turn"] += 1
    state["active"] = 1 - state["active"]
    state["step"] = Step.START if state["turn"] < cards["turn_cap"] else Step.MAIN
