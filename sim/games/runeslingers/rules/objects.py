"""Objects and triggers: the work stack, the numbers that effects change, and triggered effects.

The work stack holds what is going on, the top frame first (RUNE-10, 20, 23, 26, 76 to 78, 82, 99).
"""

import numpy as np

from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.games.runeslingers.cards import LIST_MAX, NO_ROW, STATS, Boost, DoubleLoss, Kind, Owned, Scope, Stat, When
from sim.games.runeslingers.state import AREAS, HAND_MAX, NOBODY, PLACES, SEATS, SLOTS, STACK, Cause, Frame, Part, Phase, owner_of

OF_CARD, OF_STANCE, OF_AILMENT = 1, 2, 3  # levels of priority (RUNE-10)
RANK_LEVEL = 1 << 40
RANK_ACTIVE = 1 << 38
PER_SOURCE = 3  # most triggers of a card
FIRST_AREA = PLACES + 1  # sources are numbered: the stance, the things by position, the ailment areas


@kernel
def push(state: Record, frame: int, by: int) -> int:
    """Push a fresh frame, controlled by a seat; the frame below pauses. Returns its number."""
    at = state["depth"]
    if at == STACK:
        state["overflow"] = 1
        finish(state, NOBODY, Cause.NOT_DECIDED)
        return at - 1
    state["depth"] = at + 1
    state["frame"][at] = frame
    state["step"][at] = 0
    state["by"][at] = by
    state["side"][at] = by
    state["place"][at] = NOBODY
    state["card"][at] = NOBODY
    state["inst"][at] = NOBODY
    state["row"][at] = NO_ROW
    state["at"][at] = 0
    state["left"][at] = 0
    state["kind"][at] = 0
    state["answered"][at] = 0
    state["target"][at] = NOBODY
    state["types_n"][at] = 0
    state["aims_n"][at] = 0
    return at


@kernel
def top_of(state: Record) -> int:
    """Number of the top frame. There must be one."""
    return state["depth"] - 1


@kernel
def pop(state: Record) -> None:
    """Remove the top frame."""
    state["depth"] -= 1


@kernel
def hand_on(state: Record, lower: int, upper: int) -> None:
    """Copy a frame's source and announced types to another frame."""
    state["place"][upper] = state["place"][lower]
    state["side"][upper] = state["side"][lower]
    state["place_seq"][upper] = state["place_seq"][lower]
    state["card"][upper] = state["card"][lower]
    state["types_n"][upper] = state["types_n"][lower]
    for i in range(LIST_MAX):
        state["types"][upper, i] = state["types"][lower, i]


@kernel
def ask(state: Record, phase: int, seat: int) -> None:
    """Ask a seat for a decision. Its options are listed when everything has come to rest."""
    if state["phase"] != Phase.OVER:
        state["phase"] = phase
        state["seat"] = seat
        state["options_n"] = 0


@kernel
def finish(state: Record, winner: int, cause: int) -> None:
    """RUNE-20. The encounter ends at once; nothing pending resolves."""
    if state["phase"] != Phase.OVER:
        state["phase"] = Phase.OVER
        state["winner"] = winner
        state["cause"] = cause


@kernel
def lose_game(state: Record, seat: int, cause: int) -> None:
    """RUNE-25, 26. A player loses the encounter."""
    finish(state, SEATS - 1 - seat, cause)


@kernel
def opening_draw(state: Record, cards: Record, seat: int) -> int:
    """RUNE-35. Cards drawn in a player's first turn: `first_draw`, or `second_draw` more than usual for the other player."""
    if seat == state["first"]:
        return cards["first_draw"]
    count = cards["draw"] + cards["second_draw"]
    return 0 if count < 0 else count


@kernel
def derive(state: Record, cards: Record) -> None:
    """RUNE-10, 23, 82. Derive all stats, and who waits for which moment. Call it after anything came, left or was covered."""
    before_0, before_1 = state["stat"][0, Stat.DEFENCE], state["stat"][1, Stat.DEFENCE]
    for seat in range(SEATS):
        reset_stats(state, cards, seat)
    for seat in range(SEATS):
        stance = cards["stance"][state["deck_of"][seat]]
        row = cards["stance_statics"][stance]
        if row:
            add_statics(state, cards, row, seat, 1, rank_of(OF_STANCE, 0, True))
        add_things(state, cards, seat)
        add_ailments(state, cards, seat)
    fell = state["stat"][0, Stat.DEFENCE] < before_0 or state["stat"][1, Stat.DEFENCE] < before_1
    if fell or state["stat"][0, Stat.DEFENCE] < 0 or state["stat"][1, Stat.DEFENCE] < 0:
        state["brittle"] = 1


@kernel
def reset_stats(state: Record, cards: Record, seat: int) -> None:
    """Stats of a Runeslinger with nothing in play."""
    deck = state["deck_of"][seat]
    hero = cards["hero"][deck]
    for stat in range(STATS):
        state["stat"][seat, stat] = 0
    state["stat"][seat, Stat.BLOCK] = cards["hero_block"][hero]
    state["stat"][seat, Stat.MAX_HEALTH] = cards["hero_health"][hero]
    state["stat"][seat, Stat.MAX_HAND] = cards["max_hand"]
    state["hand_rank"][seat] = 0
    state["hears"][seat] = cards["stance_hears"][cards["stance"][deck]]


@kernel
def add_things(state: Record, cards: Record, seat: int) -> None:
    """Add statics and triggers of the things on a player's field."""
    for place in range(PLACES):
        inst = state["thing"][seat, place]
        if inst != NOBODY:
            card = state["card_of"][inst]
            state["hears"][seat] |= cards["hears"][card]
            row = cards["statics"][card]
            if row:
                newness = state["thing_seq"][seat, place]
                add_statics(state, cards, row, seat, 1, rank_of(OF_CARD, newness, owner_of(inst) == seat))


@kernel
def add_ailments(state: Record, cards: Record, seat: int) -> None:
    """RUNE-99. Add statics of the exposed ailments of a player."""
    for area in range(AREAS):
        count = exposed_count(state, seat, area)
        if count > 0:
            kind, rank = state["ailment"][seat, area], rank_of(OF_AILMENT, AREAS - area, True)
            if cards["per_instance"][kind]:
                add_statics(state, cards, cards["per_instance"][kind], seat, count, rank)
            if cards["while_any"][kind]:
                add_statics(state, cards, cards["while_any"][kind], seat, 1, rank)
            if count >= cards["threshold"][kind] and cards["level2"][kind]:
                add_statics(state, cards, cards["level2"][kind], seat, 1, rank)


@kernel
def rank_of(level: int, newness: int, owned: bool) -> int:
    """RUNE-10. Priority of an effect that sets a stat, ignoring whose turn it is; the last bit: its controller owns it."""
    return level * RANK_LEVEL + newness * 2 + int(owned)


@kernel
def add_statics(state: Record, cards: Record, row: int, seat: int, times: int, rank: int) -> None:
    """RUNE-10. Apply a list of statics of a controller, each `times` times. rank: see `rank_of`."""
    at, owned = row, rank % 2 == 1
    if seat == state["active"]:
        rank += RANK_ACTIVE
    while cards["stat"][at] >= 0:
        if holds(cards["stat_if"][at], owned):
            scope = cards["scope"][at]
            if scope != Scope.ENEMY:
                add_static(state, cards, at, seat, times, rank)
            if scope != Scope.SELF:
                add_static(state, cards, at, SEATS - 1 - seat, times, rank)
        at += 1


@kernel
def add_static(state: Record, cards: Record, at: int, seat: int, times: int, rank: int) -> None:
    """RUNE-10. Apply one static to one player."""
    stat, n = cards["stat"][at], cards["stat_n"][at]
    if stat < Stat.MAX_HAND:
        state["stat"][seat, stat] += n * times
    elif stat > Stat.MAX_HAND:
        state["stat"][seat, stat] = 1
    elif rank >= state["hand_rank"][seat]:
        state["hand_rank"][seat] = rank
        state["stat"][seat, stat] = min(n, HAND_MAX)


@kernel
def holds(condition: int, owned: bool) -> bool:
    """Whether the `if` of a static or trigger holds."""
    return condition == Owned.ALWAYS or (condition == Owned.OWNED) == owned


@kernel
def sways(cards: Record, card: int, place: int) -> bool:
    """Whether stats or triggers can change when a card comes to a position or leaves it. A boon also covers ailments."""
    return place >= SLOTS or cards["statics"][card] != NO_ROW or cards["hears"][card] > 0


@kernel
def settle(state: Record, cards: Record, changed: bool) -> None:
    """RUNE-23, 26, 27. After any change: derive the stats, cut health down to its maximum, see who has no maximum left.

    changed: False if no statics or triggers came or left, so that the stats are what they were.
    """
    if changed:
        derive(state, cards)
    elif state["stat"][0, Stat.DEFENCE] < 0 or state["stat"][1, Stat.DEFENCE] < 0:
        state["brittle"] = 1
    for seat in range(SEATS):
        if state["health"][seat] > state["stat"][seat, Stat.MAX_HEALTH]:
            state["health"][seat] = max(0, state["stat"][seat, Stat.MAX_HEALTH])
    out_0 = state["stat"][0, Stat.MAX_HEALTH] <= 0
    out_1 = state["stat"][1, Stat.MAX_HEALTH] <= 0
    if out_0 and out_1:
        winner = NOBODY
        if cards["double_loss"] == DoubleLoss.ACTIVE_WINS:
            winner = state["active"]
        elif cards["double_loss"] == DoubleLoss.ACTIVE_LOSES:
            winner = 1 - state["active"]
        finish(state, winner, Cause.MAX_HEALTH)
    elif out_0 or out_1:
        lose_game(state, 0 if out_0 else 1, Cause.MAX_HEALTH)


@kernel
def check_later(state: Record) -> None:
    """RUNE-62. Have the defence cards checked after what is pushed from now on, if any can have spent its defence."""
    if state["brittle"]:
        push(state, Frame.CHECK, state["active"])


@kernel
def block_of(state: Record, seat: int) -> int:
    """RUNE-82. Block value of a player."""
    return max(0, state["stat"][seat, Stat.BLOCK] + state["boosts"][seat, Boost.BLOCK])


@kernel
def is_defence(cards: Record, card: int) -> bool:
    """RUNE-110. Whether a card is a defence card; boons are."""
    return cards["kind"][card] >= Kind.CHANT


@kernel
def defence_of(state: Record, cards: Record, seat: int, place: int) -> int:
    """RUNE-62. Defence of a defence card in play, including what effects add or subtract."""
    card = state["card_of"][state["thing"][seat, place]]
    return cards["defence"][card] + state["stat"][seat, Stat.DEFENCE]


@kernel
def exposed_count(state: Record, seat: int, area: int) -> int:
    """RUNE-06, 107. Exposed instances on an area: none under a boon."""
    return state["count"][seat, area] if state["thing"][seat, SLOTS + area] == NOBODY else 0


@kernel
def exposed_area(state: Record, seat: int, kind: int) -> int:
    """RUNE-06. Area where a type of ailment is exposed, or NOBODY."""
    for area in range(AREAS):
        if exposed_count(state, seat, area) > 0 and state["ailment"][seat, area] == kind:
            return area
    return NOBODY


@kernel
def exposed_total(state: Record, seat: int) -> np.int64:
    """RUNE-06. Number of exposed ailments of a player."""
    total = np.int64(0)  # more than 16 bits hold, without the compiler
    for area in range(AREAS):
        total += exposed_count(state, seat, area)
    return total


@kernel
def await_triggers(state: Record, cards: Record, moment: int, seat: int) -> None:
    """RUNE-77. Let one player's triggers for a moment act before anything else goes on. moment: When."""
    begin_triggers(state, moment, seat, waiting_for(state, cards, moment, seat), 0)


@kernel
def await_downed(state: Record, cards: Record, seat: int) -> None:
    """RUNE-22, 24. Let both players' triggers on losing a power act."""
    mine = waiting_for(state, cards, When.YOU_DOWNED, seat)
    theirs = waiting_for(state, cards, When.ENEMY_DOWNED, SEATS - 1 - seat)
    begin_triggers(state, When.YOU_DOWNED, seat, mine, theirs)


@kernel
def begin_triggers(state: Record, moment: int, seat: int, own: int, enemy: int) -> None:
    """RUNE-77. Let waiting triggers act, if there are any. own, enemy: of the seat and of the other player, see `waiting_for`."""
    if own or enemy:
        at = push(state, Frame.TRIGGERS, seat)
        state["waiting"][at, seat] = own
        state["waiting"][at, SEATS - 1 - seat] = enemy
        state["place_seq"][at] = state["seq"]
        state["kind"][at] = moment


@kernel
def waiting_for(state: Record, cards: Record, moment: int, seat: int) -> int:
    """Triggers of a player for a moment of cards or stances, as bits source * PER_SOURCE + number."""
    bits = 0
    if not (np.int64(state["hears"][seat]) >> moment) & 1:
        return bits
    stance = cards["stance"][state["deck_of"][seat]]
    bits |= listed(cards, cards["stance_triggers"][stance], moment, True)
    for place in range(PLACES):
        inst = state["thing"][seat, place]
        if inst != NOBODY:
            row = cards["triggers"][state["card_of"][inst]]
            if row:
                owned = owner_of(inst) == seat
                bits |= listed(cards, row, moment, owned) << ((place + 1) * PER_SOURCE)
    return bits


@kernel
def listed(cards: Record, row: int, moment: int, owned: bool) -> int:
    """Triggers of a list that wait for a moment, as bits."""
    bits, k = 0, 0
    while cards["when"][row + k] != When.NONE:
        if cards["when"][row + k] == moment and holds(cards["when_if"][row + k], owned):
            bits |= 1 << k
        k += 1
    return bits


@kernel
def await_ailments(state: Record, cards: Record, moment: int, seat: int) -> None:
    """RUNE-33, 35. Let the effects of a player's ailments at level II act. moment: AILMENT_PHASE or AFTER_DRAW."""
    waiting = 0
    for area in range(AREAS):
        if is_severe(state, cards, seat, area) and row_of_ailment(state, cards, moment, seat, area) != NO_ROW:
            waiting |= 1 << ((FIRST_AREA + area) * PER_SOURCE)
    begin_triggers(state, moment, seat, waiting, 0)


@kernel
def is_severe(state: Record, cards: Record, seat: int, area: int) -> bool:
    """RUNE-99. Whether the ailment of an area is exposed and at level II."""
    return exposed_count(state, seat, area) >= cards["threshold"][state["ailment"][seat, area]]


@kernel
def row_of_ailment(state: Record, cards: Record, moment: int, seat: int, area: int) -> int:
    """Effects of the ailment of an area at a moment of the turn."""
    kind = state["ailment"][seat, area]
    if moment == When.AILMENT_PHASE:
        return cards["ailment_phase"][kind]
    return cards["after_draw"][kind]


@kernel
def step_triggers(state: Record, cards: Record) -> None:
    """RUNE-77. Let the next waiting trigger act: the active player's first, in the order that each player likes."""
    top = top_of(state)
    for turn in range(SEATS):
        seat = state["active"] if turn == 0 else 1 - state["active"]
        waiting = fresh(state, cards, top, seat)
        state["waiting"][top, seat] = waiting
        if waiting:
            if waiting & (waiting - 1):
                ask(state, Phase.TRIGGER, seat)
            else:
                fire(state, cards, seat, 0)
            return
    pop(state)


@kernel
def fresh(state: Record, cards: Record, top: int, seat: int) -> int:
    """RUNE-77. Waiting triggers of a player whose sources are still there."""
    waiting = state["waiting"][top, seat]
    left, unseen = waiting, np.uint64(waiting) >> np.uint64(PER_SOURCE) << np.uint64(PER_SOURCE)  # a stance does not leave
    while unseen:
        bit = lowest_bit(unseen)
        unseen = without_lowest(unseen)
        source = bit // PER_SOURCE
        if source >= FIRST_AREA:
            there = is_severe(state, cards, seat, source - FIRST_AREA)
        else:
            there = state["thing"][seat, source - 1] != NOBODY and state["thing_seq"][seat, source - 1] <= state["place_seq"][top]
        if not there:
            left &= ~(1 << bit)
    return left


@kernel
def fire(state: Record, cards: Record, seat: int, number: int) -> None:
    """RUNE-76. Let a waiting trigger act: the one with this number among those of the player."""
    top = top_of(state)
    moment, bit, skipped = state["kind"][top], 0, number
    while skipped > 0 or not (state["waiting"][top, seat] >> bit) & 1:
        skipped -= (state["waiting"][top, seat] >> bit) & 1
        bit += 1
    state["waiting"][top, seat] &= ~(1 << bit)
    if state["waiting"][top, 0] == 0 and state["waiting"][top, 1] == 0:
        pop(state)  # it was the last: the frame is not needed below it
    source = bit // PER_SOURCE
    at = begin_act(state, seat, row_of_trigger(state, cards, seat, bit, moment))
    if 0 < source < FIRST_AREA:
        name_source(state, at, seat, source - 1)


@kernel
def row_of_trigger(state: Record, cards: Record, seat: int, bit: int, moment: int) -> int:
    """Effects of a waiting trigger, by its bit; NO_ROW where its source has left."""
    source, k = bit // PER_SOURCE, bit % PER_SOURCE
    if source == 0:
        stance = cards["stance"][state["deck_of"][seat]]
        return cards["then"][cards["stance_triggers"][stance] + k]
    if source >= FIRST_AREA:
        return row_of_ailment(state, cards, moment, seat, source - FIRST_AREA)
    inst = state["thing"][seat, source - 1]
    return cards["then"][cards["triggers"][state["card_of"][inst]] + k] if inst != NOBODY else NO_ROW


@kernel
def begin_act(state: Record, seat: int, row: int) -> int:
    """Begin a list of effects other than a card being played; returns its frame."""
    at = push(state, Frame.ACT, seat)
    state["row"][at] = row
    state["step"][at] = Part.TYPES
    return at


@kernel
def name_source(state: Record, at: int, seat: int, place: int) -> None:
    """Write the thing that a frame comes from."""
    state["side"][at] = seat
    state["place"][at] = place
    state["place_seq"][at] = state["thing_seq"][seat, place]
    state["card"][at] = state["card_of"][state["thing"][seat, place]]
