"""Damage: its amount, the block option, barriers, pierce (RUNE-80 to 90); and effects, resolved one by one (RUNE-51, 59)."""

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.cards import NO_ROW, Ailment, Boost, Kind, Op, PierceBarrier, Stat, To, When
from sim.games.runeslingers.rules.ailments import begin_apply, begin_order, begin_remove, destroy, leave_play, release, trap
from sim.games.runeslingers.rules.objects import (
    ask,
    await_triggers,
    block_of,
    defence_of,
    exposed_total,
    hand_on,
    is_defence,
    pop,
    push,
    top_of,
)
from sim.games.runeslingers.rules.power import begin_deck, begin_discard, discard_random, lose_health, room_to_heal, throw_away
from sim.games.runeslingers.state import NOBODY, SEATS, Blow, Drain, Frame, Part, Phase, place_of, seat_of, seq_of


@kernel
def amount_of(state: Record, cards: Record, at: int, row: int, goal: int) -> int:
    """RUNE-80. Points of a frame's damage effect at an object."""
    n = cards["n"][row]
    if cards["per"][row]:
        n *= exposed_total(state, goal) if goal < SEATS else 0
    if n == 0:
        return n
    seat, card = state["by"][at], state["card"][at]
    n += state["stat"][seat, Stat.DAMAGE] + state["boosts"][seat, Boost.DAMAGE]
    if card != NOBODY:
        if cards["kind"][card] == Kind.SPIRIT:
            n += state["stat"][seat, Stat.DAMAGE_SPIRIT]
            n += state["boosts"][seat, Boost.DAMAGE_SPIRIT]
        elif cards["kind"][card] == Kind.ATTACK:
            n += state["stat"][seat, Stat.DAMAGE_ATTACK]
            n += state["boosts"][seat, Boost.DAMAGE_ATTACK]
    return max(0, n)


@kernel
def pierces(state: Record, cards: Record, at: int) -> bool:
    """RUNE-87, 127. Whether the damage of a frame has pierce."""
    seat, card = state["by"][at], state["card"][at]
    if card == NOBODY:
        return False
    if cards["pierce"][card]:
        return True
    if cards["kind"][card] == Kind.SPIRIT:
        return state["boosts"][seat, Boost.PIERCE_SPIRIT] > 0
    return cards["kind"][card] == Kind.ATTACK and state["boosts"][seat, Boost.PIERCE_ATTACK] > 0


@kernel
def deal_damage(state: Record, cards: Record, lower: int, row: int, goal: int) -> None:
    """RUNE-80, 90. A damage effect of a frame hits an object, as an event of its own."""
    n = amount_of(state, cards, lower, row, goal)
    if n == 0:
        return
    at = push(state, Frame.DAMAGE, state["by"][lower])
    hand_on(state, lower, at)
    state["left"][at] = n
    state["direct"][at] = cards["direct"][row]
    state["pierce"][at] = pierces(state, cards, lower)
    state["row"][at] = cards["hit"][row]
    state["kind"][at] = Drain.DAMAGE
    state["target"][at] = goal
    state["target_seq"][at] = seq_of(state, goal)


@kernel
def can_block(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-81. Whether a player can still block this turn."""
    return state["blocked"][seat] < cards["blocks_per_turn"] and state["hand_n"][seat] > 0


@kernel
def barrier_of(state: Record, thing: int) -> int:
    """RUNE-83. Barrier on an object."""
    if thing < SEATS:
        return state["barrier"][thing]
    return state["guard"][seat_of(thing), place_of(thing)]


@kernel
def add_barrier(state: Record, thing: int, n: int) -> None:
    """RUNE-83. Add to the barrier of an object, or subtract from it."""
    if thing < SEATS:
        state["barrier"][thing] += n
    else:
        state["guard"][seat_of(thing), place_of(thing)] += n


@kernel
def step_damage(state: Record, cards: Record) -> None:
    """RUNE-81 to 89. The next step of a damage event."""
    top = top_of(state)
    step = state["step"][top]
    if step == Blow.OPEN:
        if may_block(state, cards, top):
            ask(state, Phase.BLOCK, seat_of(state["target"][top]))
        else:
            strike(state, cards, top)
    elif step == Blow.GUARD:
        if is_there(state, top):  # the barrier of the block goes up, with the block value as it is now
            thing = state["target"][top]
            add_barrier(state, thing, block_of(state, seat_of(thing)))
        strike(state, cards, top)
    elif step == Blow.STRIKE:
        strike(state, cards, top)
    elif step == Blow.CARRY:
        carry_on(state, top)
    else:  # RUNE-89: on-hit effects follow once the damage event is finished; its frame becomes theirs
        state["frame"][top] = Frame.ACT
        state["step"][top] = Part.EFFECTS
        state["at"][top] = 0


@kernel
def may_block(state: Record, cards: Record, top: int) -> bool:
    """RUNE-81. Whether the player whose object is about to be hurt can block."""
    thing = state["target"][top]
    seat = seat_of(thing)
    return (
        seat != state["by"][top]
        and not state["direct"][top]
        and can_block(state, cards, seat)
        and state["left"][top] > barrier_of(state, thing)
        and block_of(state, seat) > 0
    )


@kernel
def block(state: Record, cards: Record, code: int) -> None:
    """RUNE-82. BLOCK: 0 lets the damage through; else a card of the hand is discarded and triggers on blocking act."""
    top = top_of(state)
    if code == 0:
        state["step"][top] = Blow.STRIKE
        return
    seat = seat_of(state["target"][top])
    throw_away(state, seat, code - 1)
    state["blocked"][seat] += 1
    state["blocks"][seat] += 1
    state["step"][top] = Blow.GUARD
    await_triggers(state, cards, When.YOU_BLOCK, seat)


@kernel
def is_there(state: Record, top: int) -> bool:
    """RUNE-59. Whether the target of a damage event still is the same object."""
    return seq_of(state, state["target"][top]) == state["target_seq"][top]


@kernel
def strike(state: Record, cards: Record, top: int) -> None:
    """RUNE-83 to 87. Damage meets the barrier, then its object."""
    if not is_there(state, top):
        pop(state)
        return
    thing, n = state["target"][top], state["left"][top]
    seat = seat_of(thing)
    passes = state["direct"][top] or (state["pierce"][top] and cards["pierce_barrier"] == PierceBarrier.IGNORES)
    if not passes:
        absorbed = min(n, barrier_of(state, thing))
        add_barrier(state, thing, -absorbed)
        state["prevented"][seat] += absorbed
        n -= absorbed
    if n == 0:
        if thing < SEATS and seat != state["by"][top] and state["kind"][top] == Drain.DAMAGE:
            state["hits_stopped"][state["by"][top]] += 1
        pop(state)
    elif thing < SEATS:
        strike_runeslinger(state, top, seat, n)
    else:
        strike_thing(state, cards, top, n)


@kernel
def strike_runeslinger(state: Record, top: int, seat: int, n: int) -> None:
    """RUNE-85, 87, 89. Damage takes health; with pierce it continues after a lost power."""
    pierce, kind = state["pierce"][top] > 0, state["kind"][top]
    if seat != state["by"][top] and kind == Drain.DAMAGE:
        state["hits"][state["by"][top]] += 1
    if state["row"][top] == NO_ROW:
        pop(state)
    else:
        state["step"][top] = Blow.HIT
    lose_health(state, seat, n, pierce, kind)


@kernel
def strike_thing(state: Record, cards: Record, top: int, n: int) -> None:
    """RUNE-86, 87. Damage adds up on a defence card until it is destroyed; with pierce the rest is carried on."""
    thing = state["target"][top]
    seat, place = seat_of(thing), place_of(thing)
    room = max(0, defence_of(state, cards, seat, place) - state["damage"][seat, place])
    taken = min(n, room)
    state["damage"][seat, place] += taken
    state["left"][top] = n - taken
    if taken < room:
        pop(state)
        return
    if state["pierce"][top] and n > taken:
        state["step"][top] = Blow.CARRY
        state["side"][top] = seat
    else:
        pop(state)
    leave_play(state, cards, seat, place, True, False)


@kernel
def carry_on(state: Record, top: int) -> None:
    """RUNE-87. Pierce damage left over at a defence card hits its controller's Runeslinger."""
    state["target"][top] = state["side"][top]
    state["target_seq"][top] = 0
    state["row"][top] = NO_ROW  # carried damage is no hit (RUNE-89)
    state["kind"][top] = Drain.CARRIED
    state["step"][top] = Blow.OPEN


@kernel
def step_effects(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-51 step 7, 59. Resolve the next effect of the top frame's list; an effect whose target has left fizzles."""
    top = top_of(state)
    at = state["at"][top]
    row = state["row"][top] + at
    if cards["op"][row] == Op.NONE:
        if state["frame"][top] == Frame.CARD and state["left"][top] == 0 and not is_defence(cards, state["card"][top]):
            state["foiled"][state["kind"][top]] += 1  # a runespell none of whose effects has acted
        pop(state)
        return
    state["at"][top] = at + 1
    to, goal = cards["to"][row], state["by"][top]
    if to <= To.CARD:
        goal = state["aims"][top, at]
        if goal == NOBODY or seq_of(state, goal) != state["aim_seqs"][top, at]:
            return
    elif to == To.SAME:
        goal = state["target"][top]
    if state["frame"][top] == Frame.CARD:
        state["left"][top] += 1
    if to == To.EACH:  # RUNE-11: on both Runeslingers, one after the other
        each = push(state, Frame.EACH, state["by"][top])
        hand_on(state, top, each)
        state["row"][each] = row
        return
    act(state, cards, rng, row, goal)


@kernel
def step_each(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-11. Ask who is first; then the effect acts on that player, then on the other."""
    top = top_of(state)
    step = state["step"][top]
    state["step"][top] = step + 1
    if step == 0:
        ask(state, Phase.EACH, state["active"])
    elif step <= SEATS:
        seat = state["kind"][top]
        act(state, cards, rng, state["row"][top], seat if step == 1 else SEATS - 1 - seat)
    else:
        pop(state)


@kernel
def act(state: Record, cards: Record, rng: Record, row: int, goal: int) -> None:
    """RUNE-12. An effect of the top frame acts on an object, as far as possible."""
    op, n, top = cards["op"][row], cards["n"][row], top_of(state)
    if op == Op.DAMAGE:
        deal_damage(state, cards, top, row, goal)
    elif op == Op.LOSE:
        if n > 0:
            lose_health(state, goal, n, True, Drain.LOSS)
    elif op == Op.HEAL:
        state["health"][goal] += min(n, room_to_heal(state, goal))
    elif op == Op.APPLY:
        if cards["ailment"][row] == Ailment.CHOOSE:
            begin_order(state, cards, top, goal, n)
        else:
            begin_apply(state, goal, cards["ailment"][row], n)
    elif Op.DRAW <= op <= Op.VOID:
        begin_deck(state, goal, op, n)
    elif op == Op.REMOVE:
        begin_remove(state, state["by"][top], goal, n, NOBODY)
    elif op == Op.CONVERT:
        into = cards["ailment"][row]
        if into == Ailment.CHOOSE:
            into = state["types"][top, 0]
        begin_remove(state, state["by"][top], goal, n, into)
    elif op == Op.DISCARD:
        begin_discard(state, goal, n)
    elif op == Op.DISCARD_RANDOM:
        discard_random(state, rng, goal, n)
    elif op == Op.DESTROY:
        destroy(state, cards, seat_of(goal), place_of(goal))
    elif op == Op.TRAP:
        trap(state, cards, top, seat_of(goal), place_of(goal))
    elif op == Op.RELEASE:
        release(state, cards, state["left"][top] - 1)
    elif op == Op.BARRIER:
        add_barrier(state, goal, n)
    elif op == Op.LIGHT:
        state["light"][goal] += n
        state["light_made"][goal] += n
    elif op == Op.EXTRA_SET:
        state["sets_left"][goal] += n
    else:  # BOOST
        state["boosts"][goal, cards["boost"][row]] += n
