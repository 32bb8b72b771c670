"""Decisions: which ones are open to a seat, how each is carried out, and the phases of a turn in between.

Chapters "Set-up" and "The turn" of the rulebook (RUNE-14 to 17, 30 to 46).
"""

import numpy as np

from sim.engine.dice import FACES, roll
from sim.engine.jit import Record, bit_count, kernel, lowest_bit, without_lowest
from sim.games.runeslingers.cards import ACTIVATED, AILMENTS, AilmentPhaseOrder, First, Op, Stat, When
from sim.games.runeslingers.rules.ailments import (
    announced,
    apply_next,
    fire_leaving,
    is_among,
    is_takeable,
    lay_concentration,
    leave_play,
    lift_concentration,
    step_apply,
    step_check,
    step_leaving,
    step_limit,
    step_order,
    step_remove,
    take_off,
    waits_leaving,
)
from sim.games.runeslingers.rules.damage import block, step_damage, step_each, step_effects
from sim.games.runeslingers.rules.objects import (
    ask,
    await_ailments,
    await_triggers,
    begin_act,
    derive,
    exposed_area,
    exposed_total,
    fire,
    fresh,
    is_defence,
    name_source,
    opening_draw,
    push,
    step_triggers,
    top_of,
)
from sim.games.runeslingers.rules.playing import (
    IN_SLOTS,
    OWN_PLACE,
    aim,
    answer,
    begin_card,
    bullets_open,
    can_activate,
    can_play,
    can_use_ability,
    can_use_inherent,
    finds_targets,
    frame_aims,
    is_exposed,
    make_first_light,
    pay_light,
    ready_light,
    step_aims,
    step_card,
    step_types,
    survey,
    take_place,
    thing_of,
)
from sim.games.runeslingers.rules.power import (
    begin_deck,
    hand_limit,
    leave_hand,
    step_deck,
    step_discard,
    step_drain,
    throw_away,
    to_hand,
)
from sim.games.runeslingers.state import AREAS, CURVE, NOBODY, PLACES, SEATS, SLOTS, TOKENS_MAX, Frame, Part, Phase, Roll, Stage

# codes of MAIN
PLAY = 1
SET = 13
INHERENT = 25
ABILITY = 26
ACTIVATE = 27  # two for each position
CHARGE = 47
MAKE_LIGHT = 57
# codes of PASS
TAKE_BACK = 2
ROLLS_MAX = 64  # rolls for the first turn; then seat 0 wins (probability 1 in 6 to the 64th)
CONCS_TURN = 5  # own turn at the end of which concentrations are counted


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:  # noqa: ARG001 - the verb's parameters
    """Write the decisions open to the seat that decides, in ascending order; returns how many."""
    count = state["options_n"]
    for i in range(count):
        out[i] = state["options"][i]
    return count


@kernel
def count_options(state: Record, cards: Record, out: np.ndarray) -> int:  # noqa: ARG001 - as above
    """Number of decisions open to the seat that decides."""
    return state["options_n"]


@kernel
def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:  # noqa: ARG001 - as above
    """The n-th of the open decisions, which the state lists."""
    return state["options"][n]


@kernel
def add_option(state: Record, code: int) -> None:
    """Add one open decision."""
    state["options"][state["options_n"]] = code
    state["options_n"] += 1


@kernel
def list_options(state: Record, cards: Record) -> None:
    """List the decisions open to the seat that decides."""
    phase, seat, top = state["phase"], state["seat"], top_of(state)
    state["options_n"] = 0
    if phase == Phase.MAIN:
        list_main(state, cards)
    elif phase == Phase.TARGET:
        targets = frame_aims(state, cards, top, state["row"][top] + state["aims_n"][top])
        list_codes(state, without_twins(state, seat, targets, OWN_PLACE))
    elif phase == Phase.BLOCK:
        add_option(state, 0)
        list_hand(state, 1)
    elif phase == Phase.PASS:
        list_pass(state, cards)
    elif phase == Phase.ANSWER:  # RUNE-70, 74
        add_option(state, 0)
        list_playable(state, cards, ready_light(state, seat), 1, True)
    elif phase == Phase.SLOT:
        list_slots(state, 0)
    elif phase in (Phase.SETUP, Phase.DISCARD):
        list_hand(state, 0)
    elif phase == Phase.PLACE:
        list_areas(state, cards, state["card"][top])
    elif phase == Phase.BULLET:
        list_codes(state, bullets_open(state, cards, top))
    elif phase == Phase.AILMENT:
        list_types(state, cards, top)
    elif phase == Phase.TRIGGER:
        list_triggers(state, cards, top)
    elif phase == Phase.ORDER:
        list_order(state, top)
    elif phase == Phase.REMOVE:
        list_removals(state, top)
    else:  # FIRST, EACH
        add_option(state, 0)
        add_option(state, 1)


@kernel
def list_codes(state: Record, bits: int) -> None:
    """Add a decision for each set bit of a number."""
    left = np.uint64(bits)
    while left:
        add_option(state, lowest_bit(left))
        left = without_lowest(left)


@kernel
def list_hand(state: Record, base: int) -> None:
    """Cards of the hand, equal ones once."""
    seat, last = state["seat"], NOBODY
    for at in range(state["hand_n"][seat]):
        card = state["card_of"][state["hand"][seat, at]]
        if card != last:
            add_option(state, base + at)
        last = card


@kernel
def list_main(state: Record, cards: Record) -> None:
    """RUNE-38 to 45. What the active player can do in the Play Phase."""
    seat = state["seat"]
    light = ready_light(state, seat)
    add_option(state, 0)
    list_playable(state, cards, light, PLAY, False)
    if state["sets_left"][seat] > 0 and has_free_area(state, cards, seat):
        list_hand(state, SET)
    if can_use_inherent(state, cards, seat, light):
        add_option(state, INHERENT)
    if can_use_ability(state, cards, seat):
        add_option(state, ABILITY)
    list_activations(state, cards, seat, light)
    if cards["float_light"] and light > state["light"][seat]:
        add_option(state, MAKE_LIGHT)


@kernel
def list_playable(state: Record, cards: Record, light: int, base: int, answers: bool) -> None:
    """RUNE-50. Cards of the hand that can be played, equal ones once. light: see `ready_light`; answers: only Shout."""
    seat, last = state["seat"], NOBODY
    places = survey(state, seat)
    for at in range(state["hand_n"][seat]):
        card = state["card_of"][state["hand"][seat, at]]
        fits = card != last and cards["cost"][card] <= light and (cards["shout"][card] or not answers)
        if fits and can_play(state, cards, seat, card, light, places):
            add_option(state, base + at)
        last = card


@kernel
def has_free_area(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-39. Whether there is a free area for another concentration."""
    for slot in range(cards["concentration_areas"]):
        if state["conc"][seat, slot] == NOBODY:
            return True
    return False


@kernel
def list_activations(state: Record, cards: Record, seat: int, light: int) -> None:
    """RUNE-43 to 45. Activated effects and charges of the things that the player controls. light: see `ready_light`."""
    chargeable = 0
    for place in range(PLACES):
        inst = state["thing"][seat, place]
        if inst == NOBODY:
            continue
        card = state["card_of"][inst]
        for k in range(ACTIVATED):
            if cards["act_effects"][card, k] and can_activate(state, cards, seat, place, k, light):
                add_option(state, ACTIVATE + ACTIVATED * place + k)
        if cards["charge"][card] and state["charged"][seat, place] == 0:
            chargeable |= 1 << place
    for place in range(PLACES):
        if (chargeable >> place) & 1:
            add_option(state, CHARGE + place)


@kernel
def list_pass(state: Record, cards: Record) -> None:
    """RUNE-37, A12. Play on, draw, or take a concentration back if it would stay in the hand."""
    seat = state["seat"]
    add_option(state, 0)
    add_option(state, 1)
    if state["hand_n"][seat] < hand_limit(state, cards, seat, False):
        list_slots(state, TAKE_BACK)


@kernel
def list_slots(state: Record, base: int) -> None:
    """Exposed concentrations of the seat, equal ones once."""
    seat, bits = state["seat"], 0
    for slot in range(SLOTS):
        bits |= int(is_exposed(state, seat, slot)) << slot
    list_codes(state, without_twins(state, seat, bits, 0) << base)


@kernel
def without_twins(state: Record, seat: int, bits: int, base: int) -> int:
    """Drop the player's concentrations that equal one at a lower number: same card, same position.

    bits: bits, that of slot 0 being `base`; returns them without the twins.
    """
    left, here = bits, (bits >> base) & IN_SLOTS
    if here & (here - 1) == 0:  # fewer than two
        return left
    for slot in range(1, SLOTS):
        if (bits >> (base + slot)) & 1 and is_exposed(state, seat, slot):
            for lower in range(slot):
                if (bits >> (base + lower)) & 1 and are_twins(state, seat, lower, slot):
                    left &= ~(1 << (base + slot))
    return left


@kernel
def are_twins(state: Record, seat: int, slot: int, twin: int) -> bool:
    """Whether two exposed concentrations cannot be told apart by their owner."""
    return (
        is_exposed(state, seat, slot)
        and state["conc_used"][seat, slot] == state["conc_used"][seat, twin]
        and state["card_of"][state["conc"][seat, slot]] == state["card_of"][state["conc"][seat, twin]]
    )


@kernel
def list_areas(state: Record, cards: Record, card: int) -> None:
    """RUNE-50, 106. Areas with ailments, on either field, where the effects of a boon have targets."""
    seat = state["seat"]
    for turn in range(SEATS):
        side = seat if turn == 0 else SEATS - 1 - seat
        open_here = finds_targets(state, cards, side, card)
        for area in range(AREAS):
            if open_here and state["count"][side, area] > 0:
                add_option(state, turn * AREAS + area)


@kernel
def list_types(state: Record, cards: Record, top: int) -> None:
    """RUNE-98. Types that can be announced."""
    for kind in range(AILMENTS):
        if not cards["distinct"][state["row"][top]] or not is_among(state, top, kind):
            add_option(state, kind)


@kernel
def list_triggers(state: Record, cards: Record, top: int) -> None:
    """RUNE-77. Waiting triggers of the seat, numbered in the order in which they wait."""
    if state["frame"][top] == Frame.LEAVING:
        count = waits_leaving(state)
    else:
        count = bit_count(np.uint64(fresh(state, cards, top, state["seat"])))
    for number in range(count):
        add_option(state, number)


@kernel
def list_order(state: Record, top: int) -> None:
    """RUNE-98. Types that are still to be applied."""
    for kind in range(AILMENTS):
        if is_among(state, top, kind):
            add_option(state, kind)


@kernel
def list_removals(state: Record, top: int) -> None:
    """RUNE-34, 100. Types of which an instance can be removed."""
    for kind in range(AILMENTS):
        for area in range(AREAS):
            if state["ailment"][state["side"][top], area] == kind and is_takeable(state, top, area):
                add_option(state, kind)


@kernel
def act_in_main(state: Record, cards: Record, seat: int, code: int) -> None:
    """RUNE-38. Carry out a decision of the Play Phase other than ending it."""
    if code < SET:
        begin_card(state, seat, code - 1)
    elif code < INHERENT:
        state["sets_left"][seat] -= 1
        lay_concentration(state, seat, leave_hand(state, seat, code - SET))
    elif code == INHERENT:
        use_inherent(state, cards, seat)
    elif code == ABILITY:
        use_ability(state, cards, seat)
    elif code < CHARGE:
        activate(state, cards, seat, (code - ACTIVATE) // ACTIVATED, (code - ACTIVATE) % ACTIVATED)
    elif code < MAKE_LIGHT:
        charge(state, seat, code - CHARGE)
    else:
        make_first_light(state, seat)


@kernel
def use_inherent(state: Record, cards: Record, seat: int) -> None:
    """RUNE-41. Pay the light of the inherent ability; its effects follow."""
    hero = cards["hero"][state["deck_of"][seat]]
    pay_light(state, seat, cards["inherent_light"][hero], NOBODY)
    state["inherent_uses"][seat] += 1
    state["inherent_times"][seat] += 1
    begin_act(state, seat, cards["inherent"][hero])


@kernel
def use_ability(state: Record, cards: Record, seat: int) -> None:
    """RUNE-28, 42. Pay the determination of the equipped ability; its effects follow."""
    ability = cards["ability"][state["deck_of"][seat]]
    cost = cards["ability_cost"][ability]
    state["determination"][seat] -= cost
    state["spent"][seat] += cost
    state["ability_times"][seat] += 1
    begin_act(state, seat, cards["ability_effects"][ability])


@kernel
def activate(state: Record, cards: Record, seat: int, place: int, k: int) -> None:
    """RUNE-43, 45. Turn the card if the effect is a use, pay light and tokens; the effects follow."""
    card = state["card_of"][state["thing"][seat, place]]
    if cards["act_use"][card, k]:
        state["used"][seat, place] = 1
    pay_light(state, seat, cards["act_light"][card, k], NOBODY)
    state["tokens"][seat, place] -= cards["act_tokens"][card, k]
    state["uses"][seat, place, k] = min(state["uses"][seat, place, k] + 1, TOKENS_MAX)
    at = begin_act(state, seat, cards["act_effects"][card, k])
    name_source(state, at, seat, place)


@kernel
def charge(state: Record, seat: int, place: int) -> None:
    """RUNE-44. Put one more token on a card."""
    state["charged"][seat, place] = 1
    state["tokens"][seat, place] = min(state["tokens"][seat, place] + 1, TOKENS_MAX)


@kernel
def begin_setup(state: Record, cards: Record, rng: Record, first: int) -> None:
    """RUNE-16. Ask each seat from `first` on that holds cards for a concentration; then comes the roll."""
    seat = first
    while seat < SEATS and state["hand_n"][seat] == 0:
        seat += 1
    if seat < SEATS:
        ask(state, Phase.SETUP, seat)
    else:
        decide_first(state, cards, rng)


@kernel
def decide_first(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-17, A29. Each player rolls a die, and again on a tie; the winner chooses."""
    if cards["first"] == First.SEAT0:
        set_first(state, 0)
        return
    state["chooser"] = winner_of_roll(rng)
    if cards["first"] == First.RANDOM:
        set_first(state, state["chooser"])
    else:
        ask(state, Phase.FIRST, state["chooser"])


@kernel
def winner_of_roll(rng: Record) -> int:
    """RUNE-17. Seat that rolls higher."""
    for _ in range(ROLLS_MAX):
        face_0, face_1 = roll(rng, 0, Roll.FIRST, FACES), roll(rng, 1, Roll.FIRST, FACES)
        if face_0 != face_1:
            return int(face_1 > face_0)
    return 0


@kernel
def set_first(state: Record, seat: int) -> None:
    """RUNE-17. The encounter begins with this player's turn."""
    state["first"] = seat
    state["active"] = seat
    state["stage"] = Stage.BEGIN


@kernel
def begin_turn(state: Record, cards: Record) -> None:
    """RUNE-31. Reset the counts per turn of both players."""
    state["own_turns"][state["active"]] += 1
    for seat in range(SEATS):
        state["blocked"][seat] = 0
        state["sets_left"][seat] = cards["sets_per_turn"]
        state["inherent_uses"][seat] = 0
    state["charged"][:] = 0
    state["uses"][:] = 0
    derive(state, cards)  # where effects contradict each other, the active player's wins


@kernel
def ready_all(state: Record, seat: int) -> None:
    """RUNE-32. All exposed used cards that a player controls become ready."""
    for place in range(PLACES):
        if state["thing"][seat, place] != NOBODY:
            state["used"][seat, place] = 0
        elif place < SLOTS:
            state["conc_used"][seat, place] = 0


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """RUNE-46, 145. Boosts, light, damage and barriers end; the enemy's turn begins, unless the turn limit is reached."""
    for seat in range(SEATS):
        state["light_wasted"][seat] += state["light"][seat]
        state["light"][seat] = 0
    state["boosts"][:] = 0
    state["barrier"][:] = 0
    state["damage"][:] = 0
    state["guard"][:] = 0
    note_turn(state, state["active"])
    state["turn"] += 1
    state["active"] = 1 - state["active"]
    state["stage"] = Stage.BEGIN if state["turn"] < cards["turn_cap"] else Stage.PLAY


@kernel
def note_turn(state: Record, seat: int) -> None:
    """Record how a player stands at the end of its turn."""
    turn = state["own_turns"][seat] - 1
    if turn + 1 == CONCS_TURN:
        for slot in range(SLOTS):
            state["concs_at"][seat] += state["conc"][seat, slot] != NOBODY
    if turn < 0 or turn >= CURVE:
        return
    power = state["power"][seat]
    state["power_after"][seat, turn] = power
    state["life_after"][seat, turn] = (power - 1) * state["stat"][seat, Stat.MAX_HEALTH] + state["health"][seat]
    state["ailments_after"][seat, turn] = exposed_total(state, seat)


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out one decision and everything up to the next one. action: a code of `legal_actions`."""
    if state["phase"] != Phase.GOING:  # the position of a scenario just goes on
        decide(state, cards, rng, action)
    pursue(state, cards, rng)


@kernel
def pursue(state: Record, cards: Record, rng: Record) -> None:
    """Go on until a seat must decide between two or more options, or the game is over."""
    while state["phase"] != Phase.OVER:
        if state["phase"] == Phase.GOING:
            if state["depth"] > 0:
                take_step(state, cards, rng)
            else:
                take_stage(state, cards, rng)
            continue
        if state["options_n"] == 0:
            list_options(state, cards)
            if state["phase"] <= Phase.TARGET and state["phase"] != Phase.PASS:
                rng["shown"][SEATS - 1 - state["seat"]] += 1  # how many there are can depend on the hand or concentrations
        if state["options_n"] > 1 or state["turn"] >= cards["turn_cap"]:
            return
        decide(state, cards, rng, state["options"][0])


@kernel
def decide(state: Record, cards: Record, rng: Record, code: int) -> None:
    """Carry out the immediate part of a decision."""
    phase, seat, top = state["phase"], state["seat"], top_of(state)
    state["phase"] = Phase.GOING
    if phase == Phase.MAIN:
        if code == 0:
            state["stage"] = Stage.DISCARD
        else:
            act_in_main(state, cards, seat, code)
    elif phase == Phase.TARGET:
        aim(state, top, thing_of(code, state["by"][top]))
    elif phase == Phase.BLOCK:
        block(state, cards, code)
    elif phase == Phase.PASS:
        decide_pass(state, cards, code)
    elif phase == Phase.ANSWER:
        answer(state, code)
    elif phase == Phase.SLOT:
        state["place"][top] = code
    elif phase == Phase.DISCARD:
        throw_away(state, seat, code)
        state["left"][top] -= 1
    elif phase == Phase.SETUP:  # RUNE-16: the first concentration; then the other player's, then the roll
        lay_concentration(state, seat, leave_hand(state, seat, code))
        begin_setup(state, cards, rng, seat + 1)
    elif phase == Phase.PLACE:
        take_place(state, code)
    elif phase == Phase.BULLET:
        state["row"][top] = cards["bullet"][state["card"][top], code]
    elif phase == Phase.AILMENT:
        announced(state, top, code)
    elif phase == Phase.TRIGGER:
        if state["frame"][top] == Frame.LEAVING:
            fire_leaving(state, cards, code)
        else:
            fire(state, cards, seat, code)
    elif phase == Phase.ORDER:
        apply_next(state, cards, code)
    elif phase == Phase.REMOVE:
        take_off(state, cards, exposed_area(state, state["side"][top], code))
    elif phase == Phase.EACH:
        state["kind"][top] = seat if code == 0 else SEATS - 1 - seat
    else:  # FIRST
        set_first(state, seat if code == 0 else SEATS - 1 - seat)


@kernel
def decide_pass(state: Record, cards: Record, code: int) -> None:
    """RUNE-37. Play on, or pass: draw or take a concentration back."""
    seat = state["seat"]
    if code == 0:
        state["stage"] = Stage.PLAY
        return
    state["stage"] = Stage.PASSED
    state["passes"][seat] += 1
    if code == 1:
        begin_deck(state, seat, Op.DRAW, cards["pass_draw"])
    else:
        to_hand(state, cards, lift_concentration(state, seat, code - TAKE_BACK), False)


@kernel
def take_step(state: Record, cards: Record, rng: Record) -> None:
    """Take the next step of the top frame."""
    top = top_of(state)
    frame = state["frame"][top]
    if frame <= Frame.ACT:
        step_act(state, cards, rng, top)
    elif frame == Frame.DAMAGE:
        step_damage(state, cards)
    elif frame == Frame.DECK:
        step_deck(state, cards, rng)
    elif frame == Frame.APPLY:
        step_apply(state, cards)
    elif frame == Frame.DRAIN:
        step_drain(state, cards)
    elif frame == Frame.TRIGGERS:
        step_triggers(state, cards)
    elif frame == Frame.LEAVING:
        step_leaving(state, cards)
    elif frame == Frame.DISCARD:
        step_discard(state)
    elif frame == Frame.CHECK:
        step_check(state, cards)
    elif frame == Frame.ORDER:
        step_order(state, cards)
    elif frame == Frame.LIMIT:
        step_limit(state, cards)
    elif frame == Frame.EACH:
        step_each(state, cards, rng)
    else:  # REMOVE, CONVERT
        step_remove(state, cards)


@kernel
def step_act(state: Record, cards: Record, rng: Record, top: int) -> None:
    """RUNE-51. Take the steps of a card or a list of effects, one after the other, until the frame pauses or ends."""
    while state["step"][top] < Part.TYPES:
        step_card(state, cards, rng)
        if not goes_on(state, top):
            return
    if state["step"][top] == Part.TYPES:
        step_types(state, cards)
    if goes_on(state, top) and state["step"][top] == Part.AIMS:
        step_aims(state, cards)
    while goes_on(state, top) and state["step"][top] < Part.EFFECTS:
        step_card(state, cards, rng)
    while goes_on(state, top):
        step_effects(state, cards, rng)


@kernel
def goes_on(state: Record, top: int) -> bool:
    """Whether a frame is still the top one and no decision is open."""
    return state["depth"] == top + 1 and state["phase"] == Phase.GOING


@kernel
def take_stage(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-30. Go on with the turn where it stands, through all its stages until a frame is pushed or a seat is asked."""
    seat = state["active"]
    if state["stage"] == Stage.BEGIN:
        state["stage"] = Stage.READY
        begin_turn(state, cards)
        await_triggers(state, cards, When.TURN_START, seat)
    if state["depth"] == 0 and state["stage"] == Stage.READY:
        state["stage"] = Stage.AILMENT
        ready_all(state, seat)
    while is_quiet(state) and Stage.AILMENT <= state["stage"] <= Stage.AILMENT_SECOND:
        take_ailment_phase(state, cards, seat)
    if is_quiet(state) and state["stage"] == Stage.DRAW:
        state["stage"] = Stage.AFTER_DRAW
        opening = state["turn"] == (0 if seat == state["first"] else 1)
        begin_deck(state, seat, Op.DRAW, opening_draw(state, cards, seat) if opening else cards["draw"])
        if state["depth"] > 0:
            step_deck(state, cards, rng)
    if is_quiet(state) and state["stage"] >= Stage.AFTER_DRAW:
        end_stage(state, cards, seat)


@kernel
def end_stage(state: Record, cards: Record, seat: int) -> None:
    """RUNE-36 to 46. The stages of a turn after the draw."""
    if state["stage"] == Stage.AFTER_DRAW:
        state["stage"] = Stage.PASS
        await_ailments(state, cards, When.AFTER_DRAW, seat)
        if state["depth"] > 0:
            return
    stage = state["stage"]
    if stage == Stage.PLAY:
        ask(state, Phase.MAIN, seat)
    elif stage == Stage.PASS:
        state["stage"] = Stage.PLAY
        if state["stat"][seat, Stat.NO_PASS] == 0:
            ask(state, Phase.PASS, seat)
    elif stage == Stage.PASSED:
        state["stage"] = Stage.DISCARD
        await_triggers(state, cards, When.YOU_PASS, seat)
    else:
        clear_runespells(state, cards)


@kernel
def is_quiet(state: Record) -> bool:
    """Whether nothing is going on and no decision is open."""
    return state["depth"] == 0 and state["phase"] == Phase.GOING


@kernel
def take_ailment_phase(state: Record, cards: Record, seat: int) -> None:
    """RUNE-33, 34, A20. Effects of the ailments at level II, and the removal of eight."""
    is_first = state["stage"] == Stage.AILMENT
    state["stage"] = Stage.AILMENT_SECOND if is_first else Stage.DRAW
    if is_first == (cards["ailment_phase_order"] == AilmentPhaseOrder.EFFECTS_FIRST):
        await_ailments(state, cards, When.AILMENT_PHASE, seat)
    else:
        state["kind"][push(state, Frame.LIMIT, seat)] = NOBODY
        step_limit(state, cards)


@kernel
def clear_runespells(state: Record, cards: Record) -> None:
    """RUNE-46. Discard the runespells in play, the active player's first; when there is none left, the turn ends."""
    for turn in range(SEATS):
        seat = state["active"] if turn == 0 else 1 - state["active"]
        for slot in range(SLOTS):
            inst = state["thing"][seat, slot]
            if inst != NOBODY and not is_defence(cards, state["card_of"][inst]):
                leave_play(state, cards, seat, slot, False, False)
                if not is_quiet(state):
                    return
    end_turn(state, cards)
