"""A decision carried out, and all that follows until the next one; the phases of a turn (RUNE-30 to 46, register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.actions import act_in_main, take_back
from sim.games.runeslingers.ailments import (
    announced,
    apply_next,
    begin_limit,
    step_apply,
    step_limit,
    step_order,
    step_remove,
    take_off,
)
from sim.games.runeslingers.course import begin_turn, end_turn, place_setup, ready_all, set_first
from sim.games.runeslingers.damage import block, step_damage
from sim.games.runeslingers.effects import step_each, step_effects
from sim.games.runeslingers.health import step_drain
from sim.games.runeslingers.leaving import fire_leaving, leave_play, step_check, step_leaving
from sim.games.runeslingers.options import list_options
from sim.games.runeslingers.piles import begin_deck, step_deck, step_discard, throw_away
from sim.games.runeslingers.playing import answer, step_aims, step_card, step_types, take_aim, take_place
from sim.games.runeslingers.record import Op, Stat, When
from sim.games.runeslingers.stack import ask, top_of
from sim.games.runeslingers.state import NOBODY, SEATS, SLOTS
from sim.games.runeslingers.stats import exposed_area, is_defence, opening_draw
from sim.games.runeslingers.switches import AilmentPhaseOrder
from sim.games.runeslingers.terms import Frame, Part, Phase, Stage
from sim.games.runeslingers.triggers import await_ailments, await_triggers, fire, step_triggers


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry one decision out, up to the next one. action: a code of register section 5."""
    if state["phase"] != Phase.GOING:  # a position of a scenario just goes on
        decide(state, cards, rng, np.int64(action))
    pursue(state, cards, rng)


@kernel
def pursue(state: Record, cards: Record, rng: Record) -> None:
    """Register section 5. Go on until somebody must decide between two or more options, or the game stands still."""
    while state["phase"] != Phase.OVER:
        if state["phase"] == Phase.GOING:
            if state["depth"] > 0:
                take_step(state, cards, rng)
            else:
                take_stage(state, cards)
            continue
        if state["options_n"] == 0:
            list_options(state, cards)
        if state["options_n"] > 1 or state["turn"] >= cards["turn_cap"]:
            return
        decide(state, cards, rng, np.int64(state["options"][0]))


@kernel
def decide(state: Record, cards: Record, rng: Record, code: int) -> None:
    """Register section 5. What a decision does at once."""
    phase, seat = state["phase"], np.int64(state["seat"])
    state["phase"] = Phase.GOING
    if phase == Phase.MAIN:
        if code == 0:
            state["stage"] = Stage.DISCARD
        else:
            act_in_main(state, cards, seat, code)
    elif phase == Phase.TARGET:
        take_aim(state, code)
    elif phase == Phase.BLOCK:
        block(state, cards, code)
    elif phase == Phase.PASS:
        decide_pass(state, cards, code)
    elif phase == Phase.ANSWER:
        answer(state, code)
    elif phase == Phase.SLOT:
        state["place"][top_of(state)] = code
    elif phase == Phase.DISCARD:
        throw_away(state, seat, code)
        state["left"][top_of(state)] -= 1
    elif phase == Phase.SETUP:
        place_setup(state, cards, rng, code)
    else:
        decide_rarely(state, cards, phase, code)


@kernel
def decide_rarely(state: Record, cards: Record, phase: int, code: int) -> None:
    """The rarer decisions."""
    top = top_of(state)
    if phase == Phase.PLACE:
        take_place(state, code)
    elif phase == Phase.BULLET:
        state["row"][top] = cards["bullet"][state["card"][top], code]
    elif phase == Phase.AILMENT:
        announced(state, top, code)
    elif phase == Phase.TRIGGER:
        if state["frame"][top] == Frame.LEAVING:
            fire_leaving(state, cards, code)
        else:
            fire(state, cards, np.int64(state["seat"]), code)
    elif phase == Phase.ORDER:
        apply_next(state, cards, code)
    elif phase == Phase.REMOVE:
        take_off(state, cards, exposed_area(state, np.int64(state["side"][top]), code))
    elif phase == Phase.EACH:
        state["kind"][top] = state["seat"] if code == 0 else SEATS - 1 - np.int64(state["seat"])
    else:  # FIRST
        set_first(state, np.int64(state["seat"]) if code == 0 else SEATS - 1 - np.int64(state["seat"]))


@kernel
def decide_pass(state: Record, cards: Record, code: int) -> None:
    """RUNE-37. Play on, or pass: draw or take a concentration back."""
    seat = np.int64(state["seat"])
    if code == 0:
        state["stage"] = Stage.PLAY
        return
    state["stage"] = Stage.PASSED
    state["passes"][seat] += 1
    if code == 1:
        begin_deck(state, seat, Op.DRAW, np.int64(cards["pass_draw"]))
    else:
        take_back(state, cards, seat, code)


@kernel
def take_step(state: Record, cards: Record, rng: Record) -> None:
    """Take the next step of the top frame."""
    top = top_of(state)
    frame, step = state["frame"][top], state["step"][top]
    if frame <= Frame.ACT:
        if step == Part.EFFECTS:
            step_effects(state, cards, rng)
        elif step == Part.AIMS:
            step_aims(state, cards)
        elif step == Part.TYPES:
            step_types(state, cards)
        else:
            step_card(state, cards)
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
    else:
        step_rarely(state, cards, rng)


@kernel
def step_rarely(state: Record, cards: Record, rng: Record) -> None:
    """The rarer frames."""
    frame = state["frame"][top_of(state)]
    if frame == Frame.LEAVING:
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
def take_stage(state: Record, cards: Record) -> None:
    """RUNE-30. What comes next in the turn."""
    stage, seat = state["stage"], np.int64(state["active"])
    if stage == Stage.PLAY:
        ask(state, Phase.MAIN, seat)
    elif stage == Stage.BEGIN:
        state["stage"] = Stage.READY
        begin_turn(state, cards)
        await_triggers(state, cards, When.TURN_START, seat)
    elif stage == Stage.READY:
        state["stage"] = Stage.AILMENT
        ready_all(state, seat)
    elif stage <= Stage.AILMENT_SECOND:
        take_ailment_phase(state, cards, seat)
    elif stage == Stage.DRAW:
        state["stage"] = Stage.AFTER_DRAW
        opening = state["turn"] == (0 if seat == state["first"] else 1)
        begin_deck(state, seat, Op.DRAW, opening_draw(state, cards, seat) if opening else np.int64(cards["draw"]))
    elif stage == Stage.AFTER_DRAW:
        state["stage"] = Stage.PASS
        await_ailments(state, cards, When.AFTER_DRAW, seat)
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
def take_ailment_phase(state: Record, cards: Record, seat: int) -> None:
    """RUNE-33, 34, A20. Effects of the ailments at level II, and the removal of eight."""
    is_first = state["stage"] == Stage.AILMENT
    state["stage"] = Stage.AILMENT_SECOND if is_first else Stage.DRAW
    if is_first == (cards["ailment_phase_order"] == AilmentPhaseOrder.EFFECTS_FIRST):
        await_ailments(state, cards, When.AILMENT_PHASE, seat)
    else:
        begin_limit(state, seat)


@kernel
def clear_runespells(state: Record, cards: Record) -> None:
    """RUNE-46. The next runespell in play is discarded, the active player's first; without any the turn ends."""
    for turn in range(SEATS):
        seat = np.int64(state["active"]) if turn == 0 else np.int64(1 - state["active"])
        for slot in range(SLOTS):
            inst = state["thing"][seat, slot]
            if inst != NOBODY and not is_defence(cards, np.int64(state["card_of"][inst])):
                leave_play(state, cards, seat, slot, False, False)
                return
    end_turn(state, cards)
