"""What happened between two positions of Rookling Heroes, told from the two state records alone.

Here the exchange from its first step to the draw; `story_tokens` tells of tokens and cards.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.labels import joined, line_names, some
from sim.games.rookling.record import Kind
from sim.games.rookling.state import NOBODY, POSITIONS, RESOLVING, SEATS, Cause, Phase
from sim.games.rookling.story_change import Change
from sim.games.rookling.story_tokens import draws, reshuffles, shuffles, tokens

_ENDED = {Cause.ATTACK: "by an attack", Cause.SPILL: "by a spill", Cause.POISON: "by poison"}
_BY = {Cause.ATTACK: "damage", Cause.SPILL: "spilled damage", Cause.POISON: "poison damage"}
_BLOCKED = {Cause.ATTACK: ("blocks_own", "the attack on it"), Cause.SPILL: ("blocks_spill", "a spill")}
_SPECIAL = (Phase.ACTIVATE, Phase.TARGET)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it mostly happens.

    What the decision itself says is not said again.
    """
    change = Change(before, after, cards)
    if change.phase == Phase.DRAFT:
        return _drafted(change)
    return [
        *_first_row(change),
        *shuffles(change),
        *_grants(change),
        *_mended(change),
        *_attacks(change),
        *_defences(change),
        *_blows(change),
        *_late_effects(change),
        *tokens(change),
        *reshuffles(change),
        *draws(change),
        *_end(change),
    ]


def _drafted(change: Change) -> list[str]:
    """ROOK-04. The end of the draft."""
    after = change.after
    if after["phase"] == Phase.DRAFT:
        return []
    squads = [
        f"seat {seat + 1} has {joined([change.name(seat, slot) for slot in range(POSITIONS)])}" for seat in range(SEATS)
    ]
    return [f"The draft is over: {'; '.join(squads)}.", f"Seat {after['attacker'] + 1} attacks first.", *draws(change)]


def _first_row(change: Change) -> list[str]:
    """ROOK-09, 10. Who attacks first, told after the first defender's row."""
    if change.phase != Phase.ROW or not change.before["defending"]:
        return []
    return [f"Seat {change.attacker + 1} attacks first."]


def _grants(change: Change) -> list[str]:
    """ROOK-34, 35. What special lines grant for the exchange."""
    if change.ended or change.after["defending"] != change.before["defending"]:
        return []  # what was granted meanwhile shows in the amounts
    told = []
    for seat in range(SEATS):
        for at in range(POSITIONS):
            grants = [
                f"+{change.gain(field, seat, at)} {what}"
                for field, what in (
                    ("attack_flat", "flat attack"),
                    ("attack_plus", "attack"),
                    ("defence_flat", "flat defence"),
                    ("defence_plus", "defence"),
                )
                if change.gain(field, seat, at) > 0
            ]
            told += [f"{change.at(seat, at)} gets {joined(grants)} in this exchange."] if grants else []
            room = change.gain("capacity", seat, at)
            told += [f"{change.at(seat, at)} can hold {some(room, 'more card')}."] if room > 0 else []
    return told


def _attacks(change: Change) -> list[str]:
    """ROOK-38 to 41. The attacks as declared, and those that met Hidden."""
    seat = change.attacker
    if not change.gain("attack_turns", seat):
        return []
    told = []
    for at in range(POSITIONS):
        slot, faced = int(change.after["at"][seat, at]), change.at(1 - seat, at)
        amount, with_ = change.gain("declared", seat, slot), _with(change, seat, at)
        if amount > 0 or with_:
            told.append(f"{change.name(seat, slot)} attacks {faced} for {amount}{with_}.")
        if change.gain("lost_hidden", seat, slot) > 0:
            told.append(f"{faced} is hidden: that attack is cancelled.")
    unasked = change.phase != Phase.ATTACK  # where players were asked, their decisions have said that nobody attacks
    return told or [f"Seat {seat + 1} has nothing to attack with."] * unasked


def _with(change: Change, seat: int, position: int) -> str:
    """The attack line in use at a position, chosen by this decision or before it."""
    slot = int(change.after["at"][seat, position])
    for state in (change.before, change.after):
        line = int(state["line"][seat, position])
        if line != NOBODY:
            return f" with {line_names(change.cards, int(state['rook'][seat, slot]))[line]}"
    lines = change.lines(seat, slot, Kind.ATTACK)
    return f" with {lines[0]}" if lines else ""


def _defences(change: Change) -> list[str]:
    """ROOK-43. Defences, while there is something to decide about them; later the blocks tell of them."""
    if change.phase in RESOLVING or change.after["phase"] not in RESOLVING or change.after["poison"]:
        return []
    seat = 1 - change.attacker
    able = [f"{change.at(seat, at)} can block {amount}" for at, amount in enumerate(change.after["dfn"]) if amount > 0]
    return [f"{joined(able)}."] if able else []


def _blows(change: Change) -> list[str]:
    """ROOK-46 to 52. What struck each Rookling of the defender: attacks before spills, but what flips it last."""
    seat = 1 - change.attacker
    slots = [slot for owner, slot in change.rooklings if owner == seat]
    flipped = [slot for slot in slots if change.gain("flips", seat, slot, Cause.ATTACK)]
    others = [slot for slot in slots if slot not in flipped]
    told = []
    for cause, struck in ((Cause.SPILL, flipped), (Cause.ATTACK, slots), (Cause.SPILL, others)):
        for slot in struck:
            told += [*_block(change, seat, slot, cause), *_damage(change, seat, slot, cause)]
    lost = change.gain("lost_excess", change.attacker)
    return told + ([f"{lost} more damage is lost as excess."] if lost > 0 else [])


def _block(change: Change, seat: int, slot: int, cause: Cause) -> list[str]:
    """ROOK-46, 48, 52. The block that a Rookling used on the attack on it, or on a spill."""
    field, what = _BLOCKED[cause]
    if not change.gain(field, seat, slot):
        return []
    return [f"{change.name(seat, slot)} blocks {change.gain('blocked', seat, slot)} of {what}."]


def _damage(change: Change, seat: int, slot: int, cause: Cause) -> list[str]:
    """ROOK-46 to 51, 60. Damage that a Rookling took in one way, and its flip to the siege-state side."""
    taken = change.gain("taken", seat, slot, cause)
    flips = " and flips to siege-state" if change.gain("flips", seat, slot, cause) else ""
    return [f"{change.name(seat, slot)} takes {taken} {_BY[cause]}{flips}."] if taken > 0 else []


def _mended(change: Change) -> list[str]:
    """ROOK-32. Life gained by a special line, before anything is resolved."""
    return _healing(change, change.seat, late=False) if change.phase in _SPECIAL else []


def _late_effects(change: Change) -> list[str]:
    """ROOK-59, 60. E1: life gained by tokens, and poison, in the order in which they act."""
    seat = change.attacker
    poison = [
        line for owner, slot in change.rooklings if owner == seat for line in _damage(change, seat, slot, Cause.POISON)
    ]
    if change.phase in _SPECIAL and change.seat == seat:
        return poison
    healing = _healing(change, seat, late=not change.heals_first)
    return [*healing, *poison] if change.heals_first else [*poison, *healing]


def _healing(change: Change, seat: int, late: bool) -> list[str]:
    """ROOK-32, 58, 59. Life gained by a player's Rooklings, and those that leave siege-state. late: after all damage."""
    told = []
    for owner, slot in change.rooklings:
        healed = change.gain("life", seat, slot) + change.gain("taken", seat, slot)
        if owner == seat and healed > 0:
            life = int(change.after["life"][seat, slot]) if late else int(change.before["life"][seat, slot]) + healed
            back = " and leaves siege-state" if change.gain("healed_back", seat, slot) else ""
            told.append(f"{change.name(seat, slot)} heals {healed}, to {life}{back}.")
    return told


def _end(change: Change) -> list[str]:
    """ROOK-55, 66. The end of the exchange or of the game."""
    after = change.after
    if change.over:
        loser = 1 - int(after["winner"])
        blow = _ENDED.get(Cause(after["last_blow"]), "")
        squad = f"All Rooklings of seat {loser + 1} are in siege-state, the last one {blow}".rstrip()
        return [f"{squad}: seat {after['winner'] + 1} wins."]
    if not change.ended or after["winner"] != NOBODY:
        return []
    skipped = [seat for seat in range(SEATS) if change.gain("draws_skipped", seat)]
    told = [f"Seat {seat + 1} draws no cards, for it has cleared poison." for seat in skipped]
    return [*told, f"The exchange ends; seat {after['attacker'] + 1} attacks next."]
