"""Death checks: who leaves, who returns, who is paid for it (RIFT-70 to 75)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.bits import has, with_bit, without
from sim.games.riftborn.piles import discard, is_depleted
from sim.games.riftborn.places import take_out
from sim.games.riftborn.players import gain_xp
from sim.games.riftborn.record import ABILITIES, LENDABLE, Ability, Trick
from sim.games.riftborn.state import ALL, NOBODY, QUEUE, SEATS, side_of
from sim.games.riftborn.stats import health_of, is_deadly_hurt, lend_anew, note, turn_up
from sim.games.riftborn.terms import Gain, Harm, Step


@kernel
def settle(state: Record, cards: Record, striker: int) -> None:
    """RIFT-70 to 75. Death check: remove the dead together, as often as more are found; experience; `wake` tricks.

    striker: creature whose strike it follows, NOBODY elsewhere.
    """
    if state["shaken"] == 0:
        return
    state["shaken"] = 0
    found = find_dead(state, cards)
    if found == 0 and state["crediting"] == 0:
        return
    while found != 0:
        for g in range(ALL):
            if has(found, g) and state["ability"][g, Ability.UNDEATH] == 0:
                remove(state, cards, g)
                found = without(found, g)
        lend_anew(state, cards)
        if found != 0:
            raise_dead(state, cards, found)
        found = find_dead(state, cards)
    state["shaken"] = 0
    state["crediting"] = 0
    for g in range(ALL):
        state["credit"][g] = 0
        state["harm"][g] = Harm.NONE
        state["killer"][g] = 0
    for seat in range(SEATS):
        pay(state, cards, np.int64(seat), striker)
    spring(state, np.int64(1 - state["active"]), Trick.WAKE, np.int64(state["fell"][1 - state["active"]]))
    spring(state, np.int64(state["active"]), Trick.WAKE, np.int64(state["fell"][state["active"]]))
    for seat in range(SEATS):
        state["fell"][seat] = 0


@kernel
def find_dead(state: Record, cards: Record) -> np.uint32:
    """RIFT-70. All creatures with damage of their maximum Health or more, as bits."""
    found = np.uint32(0)
    for g in range(ALL):
        if is_shaken(state, g) and state["card"][g] != NOBODY and is_deadly_hurt(state, cards, g):
            found = with_bit(found, g)
    return found


@kernel
def is_shaken(state: Record, g: int) -> bool:
    """Whether a creature can be deadly hurt at all: printed Health is at least 1."""
    return state["damage"][g] > 0 or state["decay"][g] > 0 or state["bonus_health"][g] < 0


@kernel
def remove(state: Record, cards: Record, g: int) -> None:
    """RIFT-72, 75. A killed creature leaves, its tokens vanish, its card goes to its owner's discard pile."""
    seat, card, origin = side_of(g), np.int64(state["card"][g]), np.int64(state["origin"][g])
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
    """Leave no trace of a creature."""
    state["card"][g] = NOBODY
    state["origin"][g] = NOBODY
    wipe_states(state, g)
    state["swaps"][g] = 0
    state["acted"][g] = 0
    state["entered"][g] = 0
    state["row"][g] = 0
    state["centre"][g] = 0
    for ability in range(ABILITIES):
        state["ability"][g, ability] = 0
    for ability in range(LENDABLE):
        state["lent"][g, ability] = 0
    state["bonus_attack"][g] = 0
    state["bonus_health"][g] = 0


@kernel
def wipe_states(state: Record, g: int) -> None:
    """End all tokens and states of a creature."""
    state["damage"][g] = 0
    state["rage"][g] = 0
    state["health"][g] = 0
    state["shield"][g] = 0
    state["weakness"][g] = 0
    state["decay"][g] = 0
    state["ready"][g] = 0
    state["morale"][g] = 0
    state["face_down"][g] = 0
    state["charm"][g] = 0
    state["pacify"][g] = 0
    state["credit"][g] = 0
    state["harm"][g] = Harm.NONE
    state["killer"][g] = 0


@kernel
def raise_dead(state: Record, cards: Record, found: np.uint32) -> None:
    """RIFT-71. Those with an unused UNDEATH return, at 1 Health. found: creatures as bits."""
    for g in range(ALL):
        if has(found, g):
            state["ability"][g, Ability.UNDEATH] -= 1
            state["harm"][g] = Harm.NONE
            turn_up(state, cards, g)
            note(state, g, Ability.UNDEATH)
    for g in range(ALL):
        if has(found, g):
            state["damage"][g] = max(np.int64(0), health_of(state, cards, g) - 1)


@kernel
def pay(state: Record, cards: Record, seat: int, striker: int) -> None:
    """RIFT-25, 48, 73, RA-15. Experience for the kills of a death check."""
    kills = np.int64(state["owed_kills"][seat])
    paid = cards["mutual_kill_xp"] == 1 or striker == NOBODY or state["card"][striker] != NOBODY
    if kills > 0 and (paid or side_of(striker) != seat):
        gain_xp(state, cards, seat, np.int64(state["owed"][seat]), Gain.KILL)
        state["kills"][seat] += kills
        if state["first_kill"] == NOBODY:
            state["first_kill"] = seat
        if state["first_kill_turn"][seat] == 0:
            state["first_kill_turn"][seat] = state["own_turns"][seat]
    state["owed"][seat] = 0
    state["owed_kills"][seat] = 0


@kernel
def spring(state: Record, owner: int, trick: int, happened: int) -> None:
    """RIFT-117. A condition that concerns no creature is met: its TRICK card leaves play and waits."""
    if happened:
        spring_on(state, owner, trick, np.int64(NOBODY), np.int64(NOBODY))


@kernel
def await_tricks(state: Record, after: int) -> None:
    """RIFT-17, 117. Waiting tricks act before what follows; where none wait, that comes at once. after: Step."""
    state["after_tricks"] = after
    state["step"] = Step.TRICKS if state["queue_n"] > 0 else after


@kernel
def spring_on(state: Record, owner: int, trick: int, trigger: int, subject: int) -> None:
    """RIFT-116, 117. A condition is met: if the owner has laid its TRICK card, it leaves play and waits."""
    bit = np.uint8(1 << trick)
    at = np.int64(state["queue_n"])
    if state["tricks"][owner] & bit and at < QUEUE:
        state["tricks"][owner] &= np.uint8(255) ^ bit
        state["queue_owner"][at] = owner
        state["queue_trigger"][at] = trigger
        state["queue_subject"][at] = subject
        state["queue_n"] = at + 1
