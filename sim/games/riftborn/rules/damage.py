"""Statistics, damage and deaths of creatures (RIFT-60 to 64, 70 to 75), with AURA and MORALE (RIFT-80, 93)."""

import numpy as np

from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.games.riftborn.cards import LENDABLE, NONE, Ability, MoraleStart, Side, Trick
from sim.games.riftborn.rules.placement import distance, lay_out, take_out
from sim.games.riftborn.rules.players import discard, gain_xp, is_depleted, slot_of
from sim.games.riftborn.state import (
    ALL,
    NOBODY,
    QUEUE,
    ROWS,
    SEATS,
    Gain,
    Harm,
    Step,
    has,
    note_printed,
    power,
    saturated,
    side_of,
    with_bit,
    without,
)

LENDING = 1  # bits of `lending`
LENDING_HEALTH = 2  # maximum Health may have changed, so that the next death check looks


# Attack, Health and abilities: printed, tokens, AURA and MORALE (RIFT-60 to 62, 80, 93, 108, 110)


@kernel
def rebuild(state: Record, cards: Record) -> None:
    """Derive rows, columns, loans, bonuses and whether abilities are the printed ones from formations, abilities and faces.

    For positions that were changed by hand; the rules update only what they change.
    """
    for seat in range(SEATS):
        lay_out(state, seat)
    for g in range(ALL):
        if state["card"][g] != NOBODY:
            note_printed(state, cards, g)
    lend(state, cards)
    state["shaken"] = 1


@kernel
def is_emitting(state: Record, g: int) -> bool:
    """RIFT-80, 93. Whether a creature's AURA or MORALE acts on others."""
    if state["ability"][g, Ability.AURA] == 0 and state["ability"][g, Ability.MORALE] == 0:
        return False
    return state["face_down"][g] == 0


@kernel
def lend_anew(state: Record, cards: Record) -> None:
    """RIFT-80, 93. Update the loans after creatures moved or left. None of them has become an emitter, so no loans stay none."""
    if state["lending"]:
        lend(state, cards)


@kernel
def lend(state: Record, cards: Record) -> None:
    """RIFT-80, 93. Derive what AURA and MORALE give to each creature."""
    if state["lending"]:
        state["lent"][:] = 0
        state["bonus_attack"][:] = 0
        state["bonus_health"][:] = 0
        state["shaken"] |= state["lending"] >> 1
        state["lending"] = 0
    for seat in range(SEATS):
        for row in range(ROWS):
            for index in range(state["row_len"][seat, row]):
                g = state["grid"][seat, row, index]
                if is_emitting(state, g):
                    state["lending"] |= LENDING
                    emit(state, cards, g)


@kernel
def emit(state: Record, cards: Record, emitter: int) -> None:
    """RIFT-80, 93. Add what one creature gives to all others."""
    aura, morale = state["ability"][emitter, Ability.AURA] > 0, state["ability"][emitter, Ability.MORALE] > 0
    card = state["card"][emitter]
    if (aura and cards["aura_health"][card] != 0) or (morale and state["morale"][emitter] == MoraleStart.HEALTH):
        state["lending"] |= LENDING_HEALTH
        state["shaken"] = 1
    for seat in range(SEATS):
        friends = seat == side_of(emitter)
        if not (aura and is_on_side(friends, cards["aura_side"][card])) and not (morale and friends):
            continue
        for row in range(ROWS):
            for index in range(state["row_len"][seat, row]):
                g = state["grid"][seat, row, index]
                if g != emitter:
                    emit_to(state, cards, emitter, g)


@kernel
def lend_swapped(state: Record, cards: Record, a: int, b: int) -> None:
    """RIFT-80, 93. Update the loans after a swap; if neither creature is an emitter, only their own loans change."""
    if state["lending"] == 0:
        return
    if is_emitting(state, a) or is_emitting(state, b):
        lend(state, cards)
        return
    state["shaken"] |= state["lending"] >> 1
    give_back(state, a)
    give_back(state, b)
    for seat in range(SEATS):
        for row in range(ROWS):
            for index in range(state["row_len"][seat, row]):
                emitter = state["grid"][seat, row, index]
                if is_emitting(state, emitter):
                    emit_to(state, cards, emitter, a)
                    emit_to(state, cards, emitter, b)


@kernel
def give_back(state: Record, g: int) -> None:
    """RIFT-80, 93. Clear the loans of a creature."""
    state["lent"][g, :] = 0
    state["bonus_attack"][g] = 0
    state["bonus_health"][g] = 0


@kernel
def emit_to(state: Record, cards: Record, emitter: int, g: int) -> None:
    """RIFT-80, 93. Add what one creature gives to one other."""
    apart, friend = distance(state, emitter, g), side_of(emitter) == side_of(g)
    card = state["card"][emitter]
    if friend and apart == 1:
        cheer(state, emitter, g)
    if apart <= state["ability"][emitter, Ability.AURA] and is_on_side(friend, cards["aura_side"][card]):
        borrow(state, cards, g, card)


@kernel
def cheer(state: Record, emitter: int, g: int) -> None:
    """RIFT-93. MORALE for one adjacent friend."""
    if state["morale"][emitter] == MoraleStart.ATTACK:
        state["bonus_attack"][g] += state["ability"][emitter, Ability.MORALE]
    else:
        state["bonus_health"][g] += state["ability"][emitter, Ability.MORALE]


@kernel
def is_on_side(friend: bool, side: int) -> bool:
    """Whether a friend, or an enemy, belongs to a Side."""
    return side == Side.ANY or (side == Side.FRIEND) == friend


@kernel
def borrow(state: Record, cards: Record, g: int, card: int) -> None:
    """RIFT-80. Receive the bonuses and the ability of an AURA; the largest X counts; a creature with SWARM gets no ability."""
    state["bonus_attack"][g] += cards["aura_attack"][card]
    state["bonus_health"][g] += cards["aura_health"][card]
    ability = cards["aura_ability"][card]
    if ability == NONE or ability >= LENDABLE or state["ability"][g, Ability.SWARM] > 0:
        return
    state["lent"][g, ability] = max(state["lent"][g, ability], cards["aura_x"][card])


@kernel
def size_of(state: Record, g: int) -> int:
    """RIFT-110. Factor of the printed Attack and Health."""
    return max(1, state["ability"][g, Ability.SWARM])


@kernel
def attack_of(state: Record, cards: Record, g: int) -> int:
    """RIFT-61. Attack of a creature, at least 0."""
    return max(0, strength_of(state, cards, g))


@kernel
def strength_of(state: Record, cards: Record, g: int) -> int:
    """RIFT-61. Attack of a creature before it is limited to 0 and more."""
    printed = int(cards["attack"][state["card"][g]]) * size_of(state, g)
    tokens = int(state["rage"][g]) - state["weakness"][g]
    return printed + tokens + state["bonus_attack"][g]


@kernel
def health_of(state: Record, cards: Record, g: int) -> int:
    """RIFT-62. Maximum Health of a creature; it can be 0 or less."""
    printed = int(cards["health"][state["card"][g]]) * size_of(state, g)
    tokens = int(state["health"][g]) - state["decay"][g]
    return printed + tokens + state["bonus_health"][g]


@kernel
def is_deadly_hurt(state: Record, cards: Record, g: int) -> bool:
    """RIFT-70. Whether a creature has damage of at least its maximum Health."""
    return state["damage"][g] >= health_of(state, cards, g)


@kernel
def is_doomed(state: Record, cards: Record, g: int) -> bool:
    """RIFT-73. Whether a creature is deadly hurt without an unused UNDEATH."""
    return power(state, g, Ability.UNDEATH) == 0 and is_deadly_hurt(state, cards, g)


@kernel
def note(state: Record, g: int, ability: int) -> None:
    """Count that an ability of a creature acted."""
    state["times"][side_of(g), ability] += 1


@kernel
def turn_up(state: Record, cards: Record, g: int) -> None:
    """RIFT-108. Turn a creature face up."""
    if state["face_down"][g]:
        state["face_down"][g] = 0
        if is_emitting(state, g):
            lend(state, cards)


# Damage, healing, and whose kill it is (RIFT-63, 64, 73, 97, 102)


@kernel
def heal(state: Record, g: int, points: int) -> int:
    """RIFT-64. Remove up to this much damage from a creature; returns how much was removed."""
    healed = min(points, state["damage"][g])
    state["damage"][g] -= healed
    return healed


@kernel
def hit(state: Record, cards: Record, g: int, points: int, harm: int) -> int:
    """RIFT-63, 97. Damage a creature; RAGE turns it up. harm: Harm. Returns the excess."""
    excess = wound(state, cards, g, points)
    if points > 0:
        if power(state, g, Ability.RAGE) > 0:
            turn_up(state, cards, g)
        mark(state, cards, g, harm)
    return excess


@kernel
def wound(state: Record, cards: Record, g: int, points: int) -> int:
    """RIFT-63, 97. Damage a creature: Shield tokens, damage tokens, RAGE. Returns the excess."""
    shields = min(points, state["shield"][g])
    state["shield"][g] -= shields
    rest = points - shields
    room = max(0, health_of(state, cards, g) - state["damage"][g])
    state["damage"][g] = saturated(state["damage"][g] + rest)
    rage = power(state, g, Ability.RAGE)
    if points > 0 and rage > 0:
        state["rage"][g] = saturated(state["rage"][g] + rage)
        note(state, g, Ability.RAGE)
    return max(0, rest - room)


@kernel
def mark(state: Record, cards: Record, g: int, harm: int) -> None:
    """Record what a creature will die of, if this has just left it deadly hurt. harm: Harm."""
    if is_deadly_hurt(state, cards, g):
        state["shaken"] = 1
        if state["harm"][g] == Harm.NONE:
            state["harm"][g] = harm
            state["crediting"] = 1


@kernel
def resisted(state: Record, cards: Record, g: int, points: int, magic: bool) -> int:
    """RIFT-92, 102, 124. Damage after RESISTANCE; not for damage of effects."""
    if points == 0 or power(state, g, Ability.RESISTANCE) == 0:
        return points
    if magic:
        state["times"][SEATS - 1 - side_of(g), Ability.MAGIC] += 1
        return points
    turn_up(state, cards, g)
    note(state, g, Ability.RESISTANCE)
    return points // 2


@kernel
def credit_blow(state: Record, cards: Record, g: int, by: tuple[int, int], points: int, earns: bool) -> None:
    """RIFT-73. Record whose kill creature g will be after a blow. by: seat, card of the blow (NOBODY)."""
    seat, card = by
    note_damage(state, cards, by, points)
    if points == 0 or side_of(g) == seat or not is_doomed(state, cards, g):
        return
    state["crediting"] = 1
    if earns and state["credit"][g] == 0:
        state["credit"][g] = 1 + seat
    if state["killer"][g] == 0:
        slot = slot_of(state, cards, seat, card) if card != NOBODY else NONE
        state["killer"][g] = NONE if slot == NONE else 1 + slot


@kernel
def note_damage(state: Record, cards: Record, by: tuple[int, int], points: int) -> None:
    """Count damage to a creature or player for the card that dealt it. by: seat, card (NOBODY)."""
    seat, card = by
    slot = slot_of(state, cards, seat, card) if card != NOBODY else NONE
    if slot != NONE:
        state["card_damage"][seat, slot] = saturated(state["card_damage"][seat, slot] + points)


# Deaths and what they set off (RIFT-70 to 75, 116, 117)


@kernel
def settle(state: Record, cards: Record, striker: int) -> None:
    """RIFT-70 to 75. Death check: remove the dead together until none is found; experience; `wake` tricks.

    striker: creature whose strike it follows, NOBODY otherwise.
    """
    if state["shaken"] == 0:
        return
    state["shaken"] = 0
    found = find_dead(state, cards)
    if found == 0 and state["crediting"] == 0:
        return
    while found != 0:
        found = remove_killed(state, cards, found)
        lend_anew(state, cards)  # marks the state as shaken if Health can have changed
        raised = found != 0
        if raised:
            raise_dead(state, cards, found)
        found = find_dead(state, cards) if raised or state["shaken"] else np.uint32(0)
    state["shaken"] = 0
    state["crediting"] = 0
    state["credit"][:] = 0
    state["harm"][:] = 0  # Harm.NONE
    state["killer"][:] = 0
    for seat in range(SEATS):
        pay(state, cards, seat, striker)
    for number in range(SEATS):
        owner = (state["active"] + 1 + number) % SEATS  # the active player last
        if state["fell"][owner]:
            spring_on(state, owner, Trick.WAKE, NOBODY, NOBODY)
            state["fell"][owner] = 0


@kernel
def remove_killed(state: Record, cards: Record, found: np.uint32) -> np.uint32:
    """RIFT-71, 72. Remove the killed of those that were found, as bits; returns the others, which have an unused UNDEATH."""
    left = np.uint64(found)
    while left:
        g = lowest_bit(left)
        left = without_lowest(left)
        if state["ability"][g, Ability.UNDEATH] == 0:
            remove(state, cards, g)
            found = without(found, g)
        elif health_of(state, cards, g) > 0:
            state["harm"][g] = Harm.NONE  # a maximum of 0 or less kills it again when it has returned
    return found


@kernel
def find_dead(state: Record, cards: Record) -> np.uint32:
    """RIFT-70. All deadly hurt creatures, as bits."""
    found, shaken = np.uint32(0), np.uint32(0)
    for g in range(ALL):  # without a branch, so that the compiler looks at several creatures at once
        shaken |= np.uint32(is_shaken(state, g)) << np.uint32(g)
    left = np.uint64(shaken)
    while left:
        g = lowest_bit(left)
        left = without_lowest(left)
        if is_deadly_hurt(state, cards, g):
            found = with_bit(found, g)
    return found


@kernel
def is_shaken(state: Record, g: int) -> bool:
    """Whether a creature can be deadly hurt at all, given that printed Health is at least 1."""
    return bool((state["damage"][g] > 0) | (state["decay"][g] > 0) | (state["bonus_health"][g] < 0))


@kernel
def remove(state: Record, cards: Record, g: int) -> None:
    """RIFT-72, 75. Remove a killed creature: its tokens vanish, its card goes to its owner's discard pile."""
    seat, card, origin = side_of(g), state["card"][g], state["origin"][g]
    state["deaths"][seat, state["harm"][g]] += 1
    state["fell"][seat] = 1
    if state["credit"][g] > 0:
        state["owed"][state["credit"][g] - 1] += cards["xp"][card]
        state["owed_kills"][state["credit"][g] - 1] += 1
    if state["killer"][g] > 0:
        state["card_kills"][SEATS - 1 - seat, state["killer"][g] - 1] += 1
    if origin != NOBODY:
        transformed = origin != card
        depleted = is_depleted(cards, origin) if transformed else state["ability"][g, Ability.DEPLETED] > 0
        discard(state, seat, origin, depleted)
    take_out(state, g)
    wipe(state, g)


@kernel
def wipe(state: Record, g: int) -> None:
    """Clear all fields of a creature."""
    state["card"][g] = NOBODY
    state["origin"][g] = NOBODY
    wipe_tokens(state, g)
    wipe_states(state, g)
    state["morale"][g] = 0
    state["swaps"][g] = 0
    state["acted"][g] = 0
    state["entered"][g] = 0
    state["row"][g] = 0
    state["centre"][g] = 0
    state["ability"][g, :] = 0
    state["printed"][g] = 0
    give_back(state, g)


@kernel
def wipe_tokens(state: Record, g: int) -> None:
    """Clear all tokens of a creature."""
    state["damage"][g] = 0
    state["rage"][g] = 0
    state["health"][g] = 0
    state["shield"][g] = 0
    state["weakness"][g] = 0
    state["decay"][g] = 0


@kernel
def wipe_states(state: Record, g: int) -> None:
    """Clear stored READY, the face, CHARM, PACIFY, and what a death check would need of a creature."""
    state["ready"][g] = 0
    state["face_down"][g] = 0
    state["charm"][g] = 0
    state["pacify"][g] = 0
    state["credit"][g] = 0
    state["harm"][g] = Harm.NONE
    state["killer"][g] = 0


@kernel
def raise_dead(state: Record, cards: Record, found: np.uint32) -> None:
    """RIFT-71. Return those with an unused UNDEATH, at 1 Health. found: creatures as bits."""
    for g in range(ALL):
        if has(found, g):
            state["ability"][g, Ability.UNDEATH] -= 1
            note_printed(state, cards, g)
            turn_up(state, cards, g)
            note(state, g, Ability.UNDEATH)
    for g in range(ALL):
        if has(found, g):
            state["damage"][g] = max(0, health_of(state, cards, g) - 1)


@kernel
def pay(state: Record, cards: Record, seat: int, striker: int) -> None:
    """RIFT-25, 48, 73, RA-15. Experience for the kills of a death check."""
    kills = state["owed_kills"][seat]
    paid = cards["mutual_kill_xp"] == 1 or striker == NOBODY or state["card"][striker] != NOBODY
    if kills > 0 and (paid or side_of(striker) != seat):
        gain_xp(state, cards, seat, state["owed"][seat], Gain.KILL)
        state["kills"][seat] += kills
        if state["first_kill"] == NOBODY:
            state["first_kill"] = seat
        if state["first_kill_turn"][seat] == 0:
            state["first_kill_turn"][seat] = state["own_turns"][seat]
    state["owed"][seat] = 0
    state["owed_kills"][seat] = 0


@kernel
def await_tricks(state: Record, after: int) -> None:
    """RIFT-17, 117. Waiting tricks act before what follows. after: Step that follows, at once if none waits."""
    state["after_tricks"] = after
    state["step"] = Step.TRICKS if state["queue_n"] > 0 else after


@kernel
def spring_on(state: Record, owner: int, trick: int, trigger: int, subject: int) -> None:
    """RIFT-116, 117. A condition is met: if the owner has laid its TRICK card, the card leaves play and waits."""
    bit = np.uint8(1 << trick)
    at = state["queue_n"]
    if state["tricks"][owner] & bit and at < QUEUE:
        state["tricks"][owner] &= np.uint8(255) ^ bit
        state["queue_owner"][at] = owner
        state["queue_trigger"][at] = trigger
        state["queue_subject"][at] = subject
        state["queue_n"] = at + 1
