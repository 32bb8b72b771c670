"""Declaring attacks (A4) and defences (D3): lines in use, amounts, tokens that act (ROOK-12, 27, 38 to 44)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.bonuses import attack_flat, attack_plus, defence_flat, defence_plus
from sim.games.rookling.clash import AMOUNT_MAX
from sim.games.rookling.energy import meets, own_amount, power, rook_at, side_at
from sim.games.rookling.record import LINES, SQUAD, Kind, Mask
from sim.games.rookling.state import NOBODY, POSITIONS, defender_of, kinds_at, mover
from sim.games.rookling.tokens import spend, sum_at

NO_LINE = 0  # option of ATTACK and DEFEND


@kernel
def declared_kind(state: Record) -> np.int64:
    """Kind of line that the mover declares."""
    return np.int64(Kind.DEFENCE) if state["defending"] else np.int64(Kind.ATTACK)


@kernel
def list_lines(state: Record, cards: Record, position: int, out: np.ndarray) -> int:
    """ROOK-12, 27. Options of ATTACK and DEFEND at a position: none, or the first or second line of that kind, if met."""
    seat, kind = mover(state), declared_kind(state)
    rook = rook_at(state, seat, position)
    out[0] = NO_LINE
    if cards["one_line_per_rookling"] and state["activated"][seat, position]:
        return 1
    count = 1
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and meets(state, cards, seat, position, np.int64(line)):
            out[count] = cards["place"][rook, line]
            count += 1
    return count


@kernel
def any_line(state: Record, cards: Record, position: int) -> bool:
    """Whether ATTACK or DEFEND has anything to ask at a position."""
    seat, kind = mover(state), declared_kind(state)
    if state["zone_n"][seat, position] == 0:
        return False
    if cards["one_line_per_rookling"] and state["activated"][seat, position]:
        return False
    rook = rook_at(state, seat, position)
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and meets(state, cards, seat, position, np.int64(line)):
            return True
    return False


@kernel
def take_line(state: Record, cards: Record, position: int, place: int) -> None:
    """ROOK-27. Use a line at a position. place: 1, 2 in printed order among its kind, NO_LINE."""
    seat, kind = mover(state), declared_kind(state)
    state["line"][seat, position] = NOBODY
    if place == NO_LINE:
        return
    rook, slot = rook_at(state, seat, position), state["at"][seat, position]
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and cards["place"][rook, line] == place:
            state["line"][seat, position] = line
            state["line_used"][seat, slot, line] += 1
            power(state, cards, seat, position, np.int64(line))


@kernel
def note_met(state: Record, cards: Record) -> None:
    """Register section 11. Count the lines of this half of the exchange that the cards on the table meet.

    A special line that was activated was met, even if the card has turned since and its other side asks for more.
    """
    seat, kind = mover(state), declared_kind(state)
    for position in range(POSITIONS):
        if state["zone_n"][seat, position] == 0:
            continue
        rook, slot = rook_at(state, seat, np.int64(position)), state["at"][seat, position]
        activated = np.int64(state["activated"][seat, position])
        for line in range(LINES):
            of_use = cards["kind"][rook, line] == kind or cards["kind"][rook, line] == Kind.SPECIAL
            if activated >> line & 1 or (of_use and meets(state, cards, seat, np.int64(position), np.int64(line))):
                state["line_met"][seat, slot, line] += 1


@kernel
def offer(own: int, flat: int, plus: int) -> np.int64:
    """ROOK-39. Amount of own points, flat and plus bonuses: nothing to add to, nothing; never below 0."""
    if own + flat <= 0:
        return np.int64(0)
    return np.int64(min(AMOUNT_MAX, max(0, own + flat + plus)))


@kernel
def own_points(state: Record, cards: Record, seat: int, position: int) -> np.int64:
    """ROOK-26. Points of the line that a Rookling uses, 0 without one."""
    line = np.int64(state["line"][seat, position])
    return own_amount(state, cards, seat, position, line) if line != NOBODY else np.int64(0)


@kernel
def attack_amount(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-38, 39. Attack of the attacker's Rookling at a position with the line it uses."""
    own = own_points(state, cards, np.int64(state["attacker"]), position)
    return offer(own, attack_flat(state, cards, position), attack_plus(state, cards, position))


@kernel
def defence_base(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 42. Own defence and all flat ones of the defender's Rookling at a position."""
    return own_points(state, cards, defender_of(state), position) + defence_flat(state, cards, position)


@kernel
def defence_amount(state: Record, cards: Record, position: int) -> np.int64:
    """ROOK-39, 43. Defence of the defender's Rookling at a position; tokens that defend act if it is attacked."""
    return offer(defence_base(state, cards, position), np.int64(0), defence_plus(state, cards, position))


@kernel
def declare_attacks(state: Record, cards: Record) -> None:
    """ROOK-17, 38 to 42. Fix the attacks, each on the position opposite.

    Tokens of the attacking turn are spent; those of the faced act.
    """
    seat = np.int64(state["attacker"])
    for position in range(POSITIONS):
        amount = attack_amount(state, cards, np.int64(position))
        state["att"][position] = amount
        slot, side = state["at"][seat, position], side_at(state, seat, np.int64(position))
        state["declared"][seat, slot, side] += amount
        state["attack_turns"][seat, slot, side] += 1
    for slot in range(SQUAD):
        spend(state, cards, seat, np.int64(slot), np.int64(Mask.ATTACK_TURN))
    for position in range(POSITIONS):
        if state["att"][position] > 0 and kinds_at(state, defender_of(state), np.int64(position)) != 0:
            face(state, cards, np.int64(position))


@kernel
def face(state: Record, cards: Record, position: int) -> None:
    """ROOK-41, 42, 44. Tokens of a defender's Rookling that an attack faces: they cancel it, or give flat defence."""
    seat = defender_of(state)
    slot = np.int64(state["at"][seat, position])
    if kinds_at(state, seat, position) & np.int64(cards["token_mask"][Mask.CANCEL]):
        attacker = state["attacker"]
        state["lost_hidden"][attacker, state["at"][attacker, position]] += state["att"][position]
        state["att"][position] = 0
        spend(state, cards, seat, slot, np.int64(Mask.CANCEL))
        return
    state["cover"][position] = sum_at(state, cards, (seat, position), np.int64(Mask.FACED), cards["defence_flat"])
    spend(state, cards, seat, slot, np.int64(Mask.FACED))


@kernel
def declare_defences(state: Record, cards: Record) -> None:
    """ROOK-43. Fix the defences; tokens that defended an attacked Rookling are spent."""
    seat = defender_of(state)
    for position in range(POSITIONS):
        amount = defence_amount(state, cards, np.int64(position))
        state["dfn"][position] = amount
        if (
            state["att"][position] > 0
            and kinds_at(state, seat, np.int64(position)) & np.int64(cards["token_mask"][Mask.DEFENDS])
            and defence_base(state, cards, np.int64(position)) > 0
        ):
            spend(state, cards, seat, np.int64(state["at"][seat, position]), np.int64(Mask.DEFENDS))
