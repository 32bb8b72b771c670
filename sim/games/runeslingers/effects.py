"""Effects, one by one (register section 2.1), and how a list of them resolves (RUNE-51 step 7, 59)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.ailments import begin_apply, begin_convert, begin_order, begin_remove
from sim.games.runeslingers.damage import add_barrier, deal_damage
from sim.games.runeslingers.health import heal, lose_health
from sim.games.runeslingers.leaving import destroy, release, trap
from sim.games.runeslingers.piles import begin_deck, begin_discard, discard_random
from sim.games.runeslingers.record import Ailment, Op, To
from sim.games.runeslingers.stack import ask, hand_on, pop, push, top_of
from sim.games.runeslingers.state import NOBODY, SEATS, place_of, seat_of, seq_of
from sim.games.runeslingers.stats import is_defence
from sim.games.runeslingers.terms import Drain, Frame, Phase


@kernel
def step_effects(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-51 step 7, 59. The next effect of the top frame's list resolves; one whose target has left fizzles."""
    top = top_of(state)
    at = np.int64(state["at"][top])
    row = np.int64(state["row"][top]) + at
    if cards["op"][row] == Op.NONE:
        note_fizzled(state, cards, top)
        pop(state)
        return
    state["at"][top] = at + 1
    to, goal = cards["to"][row], np.int64(state["by"][top])
    if to <= To.CARD:
        goal = np.int64(state["aims"][top, at])
        if goal == NOBODY or seq_of(state, goal) != state["aim_seqs"][top, at]:
            return
    elif to == To.SAME:
        goal = np.int64(state["target"][top])
    if state["frame"][top] == Frame.CARD:
        state["left"][top] += 1
    if to == To.EACH:
        begin_each(state, top, row)
        return
    act(state, cards, rng, row, goal)


@kernel
def note_fizzled(state: Record, cards: Record, top: int) -> None:
    """RUNE-59, register section 11. Count a runespell of which no effect has acted."""
    if (
        state["frame"][top] == Frame.CARD
        and state["left"][top] == 0
        and not is_defence(cards, np.int64(state["card"][top]))
    ):
        state["foiled"][state["kind"][top]] += 1


@kernel
def begin_each(state: Record, lower: int, row: int) -> None:
    """RUNE-11. An effect on both Runeslingers, one after the other, as the active player likes."""
    at = push(state, Frame.EACH, np.int64(state["by"][lower]))
    hand_on(state, lower, at)
    state["row"][at] = row


@kernel
def step_each(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-11. Ask who is first; then the one, then the other."""
    top = top_of(state)
    step = np.int64(state["step"][top])
    state["step"][top] = step + 1
    if step == 0:
        ask(state, Phase.EACH, np.int64(state["active"]))
    elif step <= SEATS:
        seat = np.int64(state["kind"][top])
        act(state, cards, rng, np.int64(state["row"][top]), seat if step == 1 else SEATS - 1 - seat)
    else:
        pop(state)


@kernel
def act(state: Record, cards: Record, rng: Record, row: int, goal: int) -> None:
    """RUNE-12. An effect of the top frame acts on an object, as far as it can."""
    op, n, top = cards["op"][row], np.int64(cards["n"][row]), top_of(state)
    if op == Op.DAMAGE:
        deal_damage(state, cards, top, row, goal)
    elif op == Op.LOSE:
        if n > 0:
            lose_health(state, goal, n, True, Drain.LOSS)
    elif op == Op.HEAL:
        heal(state, goal, n)
    elif op == Op.APPLY:
        if cards["ailment"][row] == Ailment.CHOOSE:
            begin_order(state, cards, top, goal, n)
        else:
            begin_apply(state, goal, np.int64(cards["ailment"][row]), n)
    elif Op.DRAW <= op <= Op.VOID:
        begin_deck(state, goal, op, n)
    else:
        act_rarely(state, cards, rng, row, goal)


@kernel
def act_rarely(state: Record, cards: Record, rng: Record, row: int, goal: int) -> None:
    """The other effects."""
    op, n, top = cards["op"][row], np.int64(cards["n"][row]), top_of(state)
    if op == Op.REMOVE:
        begin_remove(state, np.int64(state["by"][top]), goal, n)
    elif op == Op.CONVERT:
        into = np.int64(cards["ailment"][row])
        if into == Ailment.CHOOSE:
            into = np.int64(state["types"][top, 0])
        begin_convert(state, np.int64(state["by"][top]), goal, into, n)
    elif op == Op.DISCARD:
        begin_discard(state, goal, n)
    elif op >= Op.BARRIER:
        give(state, cards, row, goal)
    elif op == Op.DISCARD_RANDOM:
        discard_random(state, rng, goal, n)
    elif op == Op.DESTROY:
        destroy(state, cards, seat_of(goal), place_of(goal))
    elif op == Op.TRAP:
        trap(state, cards, top, seat_of(goal), place_of(goal))
    else:
        release(state, cards, np.int64(state["left"][top]) - 1)


@kernel
def give(state: Record, cards: Record, row: int, goal: int) -> None:
    """What an effect gives for this turn: a barrier, light, a set, a boost."""
    op, n = cards["op"][row], np.int64(cards["n"][row])
    if op == Op.BARRIER:
        add_barrier(state, goal, n)
    elif op == Op.LIGHT:
        state["light"][goal] += n
        state["light_made"][goal] += n
    elif op == Op.EXTRA_SET:
        state["sets_left"][goal] += n
    else:
        state["boosts"][goal, cards["boost"][row]] += n
