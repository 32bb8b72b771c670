"""The turn: mulligan and coin, start and end step, cards played, creatures entering (RIFT-07 to 16, 22 to 30, 108 to 115)."""

import numpy as np

from sim.engine.dice import NATURE, NOT_SCRIPTED, below, refuse_draw, scripted_draw
from sim.engine.jit import Record, kernel
from sim.games.riftborn.cards import ABILITIES, NONE, PLAYED_MAX, Ability, Kind, List, TransformKeeps, Trick
from sim.games.riftborn.rules import damage, placement, players
from sim.games.riftborn.rules.effects import begin_list, begin_scry
from sim.games.riftborn.state import (
    ACTIVE,
    ARMOURS,
    CREATURES,
    NOBODY,
    SEATS,
    WAITING,
    WEAPONS,
    Draw,
    Gain,
    Phase,
    Step,
    has,
    power,
    with_bit,
    write_codes,
)

# Playing a card (RIFT-22 to 29, 115, 116)


@kernel
def is_playable(cards: Record, card: int, budget: int, room: bool) -> bool:
    """RIFT-22, 28. Whether a card can be played. room: whether there is a place for a creature."""
    return cards["level"][card] <= budget and (room or cards["kind"][card] != Kind.CREATURE)


@kernel
def is_first_copy(state: Record, seat: int, at: int) -> bool:
    """Whether no earlier card of the hand is the same."""
    for other in range(at):
        if state["hand"][seat, other] == state["hand"][seat, at]:
            return False
    return True


@kernel
def play(state: Record, cards: Record, at: int) -> None:
    """RIFT-22. The active player plays the card at this place of the hand, using level budget."""
    seat = state["active"]
    state["used_levels"][seat] += cards["level"][state["hand"][seat, at]]
    state["free"] = 0
    bring_in(state, cards, at)


@kernel
def play_free(state: Record, cards: Record, at: int) -> None:
    """RIFT-27. An effect plays a creature card from the hand, without using budget."""
    state["free"] = 1
    bring_in(state, cards, at)


@kernel
def bring_in(state: Record, cards: Record, at: int) -> None:
    """RIFT-24, 28 (1) to (3). The card leaves the hand, gives its experience, and is placed or attached, or waits."""
    seat = state["active"]
    card = players.leave_hand(state, cards, seat, at)
    players.note_play(state, cards, seat, card)
    players.gain_xp(state, cards, seat, cards["xp"][card], Gain.PLAY)
    state["playing"] = card
    state["play_at"] = 0
    state["phase"] = Phase.GOING
    state["step"] = Step.PLAYED
    kind = cards["kind"][card]
    if kind == Kind.CREATURE:
        state["entrant"] = card
        state["phase"] = Phase.PLACE
        state["seat"] = seat
    elif kind == Kind.WEAPON:
        attach_weapon(state, cards, seat, card)
    elif kind == Kind.ARMOUR:
        attach_armour(state, cards, seat, card)
    else:
        state["spell"] = card


@kernel
def attach_weapon(state: Record, cards: Record, seat: int, card: int) -> None:
    """RIFT-52, 53. Attach a Weapon, with all its uses."""
    at = 0
    while at < WEAPONS - 1 and state["weapon"][seat, at] != NOBODY:
        at += 1
    state["weapon"][seat, at] = card
    state["uses"][seat, at] = cards["health"][card]
    state["weapon_used"][seat, at] = 0


@kernel
def attach_armour(state: Record, cards: Record, seat: int, card: int) -> None:
    """RIFT-51, 53. Attach an Armour, with all its points, after the older ones."""
    at = 0
    while at < ARMOURS - 1 and state["armour"][seat, at] != NOBODY:
        at += 1
    state["armour"][seat, at] = card
    state["points"][seat, at] = cards["health"][card]


@kernel
def next_played(state: Record, cards: Record, rng: Record) -> None:
    """RIFT-29. The next when-played ability in printed order; after the last, a Spell's effects or the end of the card."""
    card, at, seat = state["playing"], state["play_at"], state["active"]
    ability = cards["played"][card, at] if at < PLAYED_MAX else NONE
    state["play_at"] += 1
    if ability == NONE:
        finish_played(state, cards, card)
        return
    x = cards["ability"][card, ability]
    if ability == Ability.DRAW:
        state["times"][seat, Ability.DRAW] += 1
        players.draw_cards(state, cards, rng, seat, x)
    elif ability == Ability.SPY:
        players.spy(state, seat, x)
    elif ability == Ability.SCRY:
        begin_scry(state, seat, x, Step.PLAYED)
    else:
        state["phase"] = Phase.TRICK_SET
        state["seat"] = seat


@kernel
def finish_played(state: Record, cards: Record, card: int) -> None:
    """RIFT-28 (5). Continue after the when-played abilities of a card."""
    if cards["kind"][card] == Kind.SPELL:
        state["list_owner"] = state["active"]
        begin_list(state, card, List.MAIN, NOBODY, Step.CARD_DONE)
    else:
        state["step"] = Step.FREE_DONE if state["free"] else Step.CARD_DONE


@kernel
def lay_trick(state: Record, code: int) -> None:
    """RIFT-115. Lay a TRICK card face down, or none. code: Trick, 0 none."""
    state["phase"] = Phase.GOING
    if code > 0:
        state["tricks"][state["active"]] |= np.uint8(1 << code)
        state["laid"][state["active"]] += 1


@kernel
def finish_free(state: Record) -> None:
    """RIFT-27. A creature played by an effect is complete; the opponent's `snare` waits until the Spell is complete."""
    spring_snare(state)
    state["free"] = 0
    state["list_card"] = NOBODY  # this effect is always the last of its list
    state["playing"] = state["spell"]
    state["step"] = Step.CARD_DONE


@kernel
def spring_snare(state: Record) -> None:
    """RIFT-116. The opponent has played a creature card."""
    placed = state["placed"]
    here = state["card"][placed] != NOBODY
    damage.spring_on(state, 1 - state["active"], Trick.SNARE, placed if here else NOBODY, NOBODY)


@kernel
def finish_card(state: Record, cards: Record) -> None:
    """RIFT-28 (6), (8). A Spell leaves; `echo` or `snare`; waiting tricks.

    The death check of (7) would find no creature: one has followed every placement and every entry of a list.
    """
    seat, card = state["active"], state["playing"]
    spell = state["spell"] != NOBODY
    if spell:
        state["spell"] = NOBODY
        players.discard(state, seat, card, players.is_depleted(cards, card))
    if spell:
        damage.spring_on(state, 1 - seat, Trick.ECHO, NOBODY, NOBODY)
    elif cards["kind"][card] == Kind.CREATURE:
        spring_snare(state)
    state["playing"] = NOBODY
    damage.await_tricks(state, Step.MAIN)


# Mulligan, coin, start and end step (RIFT-07 to 16, 100, 131)


@kernel
def begin_mulligan(state: Record, cards: Record, rng: Record, first: int) -> None:
    """RIFT-07. Ask the seats from `first` on about their hands, card by card; after the last seat toss the coin."""
    seat = first
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
    """RIFT-07. Keep or return one card of the hand; after the last one the hand is changed."""
    seat = state["seat"]
    state["returned"] |= np.uint16(answer << int(state["cursor"]))
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
    """RIFT-07. Shuffle the returned cards into the library and draw the same number."""
    count, size = 0, state["hand_n"][seat]
    for back in range(size):
        at = size - 1 - back  # from the end, so that earlier places do not shift
        if (state["returned"] >> np.uint16(at)) & np.uint16(1):
            card = players.leave_hand(state, cards, seat, at)
            players.forget_draw(state, players.slot_of(state, cards, seat, card), seat)
            players.add_to_library(state, seat, card)
            count += 1
    if count > 0:
        players.put_in_order(state, cards, seat)
        players.mix(state, rng, seat)
        players.draw_cards(state, cards, rng, seat, count)
        state["returned_cards"][seat] += count


@kernel
def toss(state: Record, rng: Record) -> None:
    """RIFT-08. A fair coin, or the result that a scenario names."""
    named = scripted_draw(rng)
    if named == NOT_SCRIPTED:
        named = below(rng, NATURE, Draw.COIN, SEATS)
    elif named >= SEATS:
        refuse_draw(rng)
        named = 0
    state["first"] = named
    state["active"] = named
    state["phase"] = Phase.GOING
    state["step"] = Step.START


@kernel
def start_turn(state: Record, cards: Record, rng: Record) -> None:
    """RIFT-09, 11. Start step of the active player."""
    seat = state["active"]
    state["own_turns"][seat] += 1
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if state["card"][g] != NOBODY:
            refresh(state, g)
    players.gain_xp(state, cards, seat, turn_xp(state, cards), Gain.TURN)
    players.draw_cards(state, cards, rng, seat, turn_draw(state, cards))
    state["used_levels"][seat] = 0
    state["start_level"][seat] = state["level"][seat]
    state["done_this_turn"] = 0
    for weapon in range(WEAPONS):
        state["weapon_used"][seat, weapon] = 0
    damage.settle(state, cards, NOBODY)
    damage.await_tricks(state, Step.MAIN)


@kernel
def turn_xp(state: Record, cards: Record) -> int:
    """RIFT-11. Experience of the turn that begins; the second turn of the game adds `second_xp`, at least 0 in total."""
    points = cards["turn_xp"]
    if state["turn"] == 1:
        points += cards["second_xp"]
    return 0 if points < 0 else points


@kernel
def turn_draw(state: Record, cards: Record) -> int:
    """RIFT-11. Cards drawn in the turn that begins; the second turn of the game adds `second_draw`, at least 0 in total."""
    if state["turn"] == 0 and state["active"] == state["first"]:
        return cards["first_draw"]
    count = cards["turn_draw"]
    if state["turn"] == 1:
        count += cards["second_draw"]
    return 0 if count < 0 else count


@kernel
def refresh(state: Record, g: int) -> None:
    """RIFT-11. Shields vanish, Move and Action are available again, waiting CHARM and PACIFY take effect."""
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
    """RIFT-12. Ask the active player for a decision."""
    state["phase"] = Phase.MAIN
    state["seat"] = state["active"]


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """RIFT-16, 100. End step: REGEN, CHARM and PACIFY end, death check."""
    seat, healed = state["active"], np.uint32(0)
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if state["card"][g] == NOBODY:
            continue
        state["charm"][g] &= WAITING
        state["pacify"][g] &= WAITING
        regen = power(state, g, Ability.REGEN)
        if regen > 0 and damage.heal(state, g, regen) > 0:
            damage.note(state, g, Ability.REGEN)
            healed = with_bit(healed, g)
    for g in range(seat * CREATURES, seat * CREATURES + CREATURES):
        if has(healed, g):  # only now: a creature that turns up can lend REGEN to others
            damage.turn_up(state, cards, g)
    damage.settle(state, cards, NOBODY)
    damage.await_tricks(state, Step.ENDED)


@kernel
def pass_turn(state: Record, cards: Record) -> None:
    """RIFT-10, 16, 131. The opponent's turn begins, unless the game is stopped here: then there is no start step."""
    players.note_turn(state, cards, state["active"])
    state["turn"] += 1
    state["active"] = 1 - state["active"]
    state["step"] = Step.START if state["turn"] < cards["turn_cap"] else Step.MAIN


# Creatures entering: placement, SUMMON, TRANSFORM (RIFT-27, 28, 30, 108, 109, 111)


@kernel
def free_creature(state: Record, seat: int) -> int:
    """An unused creature number of a side; there is one whenever there is a place."""
    g = seat * CREATURES
    while state["card"][g] != NOBODY:
        g += 1
    return g


@kernel
def bear(state: Record, cards: Record, g: int, card: int) -> None:
    """Give a creature the abilities printed on a card."""
    state["card"][g] = card
    for ability in range(ABILITIES):
        state["ability"][g, ability] = cards["ability"][card, ability]
    state["printed"][g] = 1


@kernel
def enter(state: Record, cards: Record, place: int) -> None:
    """RIFT-28 (3), 30. The entering card joins the active player's formation. place: row * 5 + index."""
    seat, card = state["active"], state["entrant"]
    g = free_creature(state, seat)
    bear(state, cards, g, card)
    summoned = state["summon_card"] != NOBODY
    state["origin"][g] = NOBODY if summoned else card
    state["entered"][g] = 1
    state["morale"][g] = cards["morale_start"]
    if state["ability"][g, Ability.STEALTH] > 0:
        state["face_down"][g] = 1
        damage.note(state, g, Ability.STEALTH)
    placement.insert(state, seat, place, g)
    placement.lay_out(state, seat)
    if damage.is_emitting(state, g):
        damage.lend(state, cards)
    else:
        damage.lend_anew(state, cards)
    state["placed"] = g
    state["entrant"] = NOBODY
    state["step"] = Step.PLACED


@kernel
def after_placement(state: Record, cards: Record) -> None:
    """RIFT-70. Death check after a placement, then the next token or the rest of the played card."""
    damage.settle(state, cards, NOBODY)
    state["step"] = Step.SUMMON if state["summon_card"] != NOBODY else Step.PLAYED


@kernel
def list_places(state: Record, cards: Record, out: np.ndarray) -> int:
    """RIFT-30, 109. Options of PLACE."""
    seat, beside = state["active"], state["summoner"]
    if state["summon_card"] != NOBODY and beside != NOBODY:
        return write_codes(placement.places_beside(state, cards, seat, beside), 0, out, 0)
    return write_codes(placement.places_of(state, cards, seat), 0, out, 0)


@kernel
def summon_next(state: Record, cards: Record) -> None:
    """RIFT-24, 27, 109. Experience for the next token, then its place; ends when no token, place or summoner is left."""
    seat, summoner = state["active"], state["summoner"]
    gone = summoner != NOBODY and state["card"][summoner] == NOBODY
    if state["summon_left"] == 0 or gone or not placement.has_place(state, cards, seat, summoner):
        state["summon_card"] = NOBODY
        state["step"] = state["after_summon"]
        return
    state["summon_left"] -= 1
    state["entrant"] = state["summon_card"]
    players.gain_xp(state, cards, seat, cards["xp"][state["summon_card"]], Gain.SUMMON)
    state["phase"] = Phase.PLACE
    state["seat"] = seat


@kernel
def transform(state: Record, cards: Record, g: int) -> None:
    """RIFT-111, RA-32. A new token replaces a creature, whose card is set aside under it."""
    damage.note(state, g, Ability.TRANSFORM)
    bear(state, cards, g, cards["transform"][state["card"][g]])
    damage.wipe_states(state, g)
    if cards["transform_keeps"] == TransformKeeps.NOTHING:
        damage.wipe_tokens(state, g)
    else:
        state["shaken"] = 1
    state["entered"][g] = 0
    state["morale"][g] = cards["morale_start"]
    damage.lend(state, cards)
