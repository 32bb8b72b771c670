"""A decision carried out, and all that follows until the next one (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.actions import act_on_target, ask_target, finish_action, use
from sim.games.riftborn.blows import (
    THE_OPPONENT,
    aim_at,
    answer,
    close_exchange,
    creature_of,
    follow_blow,
    give_opportunity,
    pass_on,
    strike,
)
from sim.games.riftborn.course import ask_main, end_turn, mulligan_card, pass_turn, start_turn
from sim.games.riftborn.entering import after_placement, enter, summon_next
from sim.games.riftborn.geometry import power
from sim.games.riftborn.listing import PLAY, USE, WIELD
from sim.games.riftborn.lists import fire, next_entry, next_trick, take_row, take_target
from sim.games.riftborn.piles import put_next
from sim.games.riftborn.playing import finish_card, finish_free, lay_trick, next_played, play, play_free
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import NOBODY, THE_PLAYER, creature_at
from sim.games.riftborn.stats import note
from sim.games.riftborn.terms import Aim, Phase, Step
from sim.games.riftborn.uses import has_prey
from sim.games.riftborn.weapons import wield


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry one decision out, up to the next one. action: a code of register section 5."""
    decide(state, cards, rng, np.int64(action))
    while state["phase"] == Phase.GOING:
        take_step(state, cards, rng)


@kernel
def decide(state: Record, cards: Record, rng: Record, code: int) -> None:
    """Register section 5. What a decision does at once."""
    phase = state["phase"]
    if phase == Phase.MAIN:
        decide_main(state, cards, code)
    elif phase == Phase.CREATURE:
        use(state, cards, code)
    elif phase == Phase.PLACE:
        state["phase"] = Phase.GOING
        enter(state, cards, code)
    elif phase == Phase.TARGET:
        decide_target(state, cards, code)
    elif phase == Phase.MULLIGAN:
        mulligan_card(state, cards, rng, code)
    else:
        decide_detail(state, cards, code)


@kernel
def decide_detail(state: Record, cards: Record, code: int) -> None:
    """The rarer decisions, which belong to a card or a trick."""
    phase = state["phase"]
    if phase == Phase.ROW:
        take_row(state, cards, code)
    elif phase == Phase.SCRY:
        order_card(state, code)
    elif phase == Phase.TRICK_SET:
        lay_trick(state, code)
    elif phase == Phase.TRICK_FIRE:
        fire(state, cards, code)
    else:
        play_free(state, cards, code)


@kernel
def decide_main(state: Record, cards: Record, code: int) -> None:
    """RIFT-12. End the turn, play a card, take a creature or a Weapon in hand."""
    state["phase"] = Phase.GOING
    if code == 0:
        end_turn(state, cards)
        return
    state["done_this_turn"] += 1
    if code < USE:
        play(state, cards, code - PLAY)
    elif code < WIELD:
        state["user"] = creature_at(state, np.int64(state["active"]), code - USE)
        state["phase"] = Phase.CREATURE
        state["seat"] = state["active"]
    else:
        state["user"] = code - WIELD
        ask_target(state, Aim.WEAPON)


@kernel
def decide_target(state: Record, cards: Record, code: int) -> None:
    """TARGET, whatever it is for."""
    aim = state["aim"]
    if aim == Aim.EFFECT:
        take_target(state, cards, code)
        return
    state["phase"] = Phase.GOING
    if aim == Aim.WEAPON:
        wield(state, cards, code)
    elif aim == Aim.PASS:
        pass_on(state, cards, creature_at(state, np.int64(state["seat"]), code))
    elif aim == Aim.RETARGET:
        target = np.int64(THE_PLAYER) if code == THE_OPPONENT else creature_of(state, code)
        aim_at(state, cards, np.int64(state["user"]), target)
        begin_second(state)
    else:
        act_on_target(state, cards, code)


@kernel
def order_card(state: Record, pick: int) -> None:
    """RIFT-104. One more card is put back; the last one goes of itself."""
    put_next(state, np.int64(state["seat"]), np.int64(state["scry_at"]), pick)
    state["scry_at"] += 1
    if state["scry_at"] == state["scry_n"] - 1:
        state["phase"] = Phase.GOING


@kernel
def take_step(state: Record, cards: Record, rng: Record) -> None:
    """Take the step that comes next; each names its follower, asks somebody, or ends the game."""
    step = state["step"]
    if step == Step.MAIN:
        ask_main(state)
    elif step == Step.TRICKS:
        next_trick(state)
    elif step == Step.PLAYED:
        next_played(state, cards, rng)
    elif step == Step.LIST:
        next_entry(state, cards, rng)
    elif step == Step.START:
        start_turn(state, cards, rng)
    elif step == Step.ENDED:
        pass_turn(state, cards)
    elif step == Step.ACTED:
        finish_action(state, cards)
    elif step <= Step.FREE_DONE:
        step_of_card(state, cards)
    else:
        step_of_attack(state, cards)


@kernel
def step_of_card(state: Record, cards: Record) -> None:
    """Steps of cards that are played and of creatures that enter."""
    step = state["step"]
    if step == Step.PLACED:
        after_placement(state, cards)
    elif step == Step.SUMMON:
        summon_next(state, cards)
    elif step == Step.FREE_DONE:
        finish_free(state)
    else:
        finish_card(state, cards)


@kernel
def step_of_attack(state: Record, cards: Record) -> None:
    """Steps of an attack and of attacks of opportunity."""
    step = state["step"]
    if step == Step.STRIKE:
        strike(state, cards)
    elif step == Step.BLOW:
        follow_blow(state, cards)
    elif step == Step.ANSWER:
        answer(state, cards)
    elif step == Step.EXCHANGED:
        close_exchange(state, cards)
    elif step == Step.SECOND:
        seek_second(state, cards)
    else:
        give_opportunity(state, cards)


@kernel
def seek_second(state: Record, cards: Record) -> None:
    """RIFT-49. The second strike of DOUBLE ATTACK, or the end of the attack."""
    attacker, target = np.int64(state["user"]), np.int64(state["target"])
    state["step"] = Step.MAIN  # deaths and tricks have been seen to
    if state["strike"] > 1 or state["card"][attacker] == NOBODY or power(state, attacker, Ability.DOUBLE_ATTACK) == 0:
        return
    if cards["double_retarget"][state["card"][attacker]]:
        if has_prey(state, cards, attacker):
            ask_target(state, Aim.RETARGET)
    elif target == THE_PLAYER or state["card"][target] != NOBODY:
        begin_second(state)


@kernel
def begin_second(state: Record) -> None:
    """RIFT-49. Strike once more."""
    note(state, np.int64(state["user"]), Ability.DOUBLE_ATTACK)
    state["strike"] += 1
    state["step"] = Step.STRIKE
