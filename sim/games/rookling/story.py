"""What happened between two positions of Rookling Heroes, told from the two state records alone.

Here the exchange from its first step to the draw; `story_tokens` tells of tokens and cards.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.labels import joined, line_names, place_of, some
from sim.games.rookling.record import Kind
from sim.games.rookling.state import NOBODY, POSITIONS, SEATS, Cause, Phase
from sim.games.rookling.story_change import Change
from sim.games.rookling.story_tokens import draws, placements, reshuffles, shuffles, tokens

_ENDED = {Cause.ATTACK: "by an attack", Cause.SPILL: "by a spill", Cause.POISON: "by poison"}
_BY = {Cause.ATTACK: "damage", Cause.SPILL: "spilled damage", Cause.POISON: "damage by poison"}


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it mostly happens."""
    change = Change(before, after, cards)
    if change.phase == Phase.DRAFT:
        return _drafted(change)
    return [
        *_row(change),
        *placements(change),
        *_specials(change),
        *shuffles(change),
        *_attacks(change),
        *_defences(change),
        *_blows(change),
        *_healing(change),
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
        f"seat {seat} has {joined([change.name(seat, slot) for slot in range(POSITIONS)])}" for seat in range(SEATS)
    ]
    return [f"The draft is over: {'; '.join(squads)}.", f"Seat {after['attacker']} attacks first.", *draws(change)]


def _row(change: Change) -> list[str]:
    """ROOK-10, 16. How a row was arranged; nothing where it stays as it was."""
    seat = change.seat
    row = change.after["at"][seat]
    if change.phase != Phase.ROW or (row == change.before["at"][seat]).all():
        return []
    told = [f"Seat {seat} lines up {joined([change.name(seat, int(slot)) for slot in row])}."]
    return [*told, f"Seat {change.attacker} attacks first."] if change.before["defending"] else told


def _specials(change: Change) -> list[str]:
    """ROOK-30 to 35. Special lines that were activated, and what they grant."""
    told = []
    for seat, slot in change.rooklings:
        told += [f"{change.name(seat, slot)} uses {line}." for line in change.lines(seat, slot, Kind.SPECIAL)]
    if change.ended or change.after["defending"] != change.before["defending"]:
        return told  # what was granted meanwhile shows in the amounts
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
            told += [f"{change.at(seat, at)} has {joined(grants)} in this exchange."] if grants else []
            room = change.gain("capacity", seat, at)
            told += [f"{change.at(seat, at)} can hold {some(room, 'more card')}."] if room > 0 else []
    return told


def _attacks(change: Change) -> list[str]:
    """ROOK-38 to 41. The attacks as declared, and those that met Hidden."""
    seat = change.attacker
    if change.phase == Phase.ROW or not change.gain("attack_turns", seat):
        return []
    told = []
    for at in range(POSITIONS):
        slot, faced = int(change.after["at"][seat, at]), change.at(1 - seat, at)
        amount = change.gain("declared", seat, slot)
        if amount > 0:
            told.append(f"{change.name(seat, slot)} attacks {faced} for {amount}{_with(change, seat, at)}.")
        if change.gain("lost_hidden", seat, slot) > 0:
            told.append(f"{faced} is hidden: that attack is cancelled.")
    return told or [f"Seat {seat} does not attack."]


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
    """ROOK-43. The defence lines that the defender has chosen."""
    seat = 1 - change.attacker
    return [
        f"{change.name(seat, slot)} defends with {line}."
        for owner, slot in change.rooklings
        if owner == seat
        for line in change.lines(seat, slot, Kind.DEFENCE)
    ]


def _blows(change: Change) -> list[str]:
    """ROOK-46 to 52, 60. What struck each Rookling: blocks that it used, damage by how it came, its flip."""
    told = []
    for seat, slot in change.rooklings:
        told += [*_blocks(change, seat, slot), *_damage(change, seat, slot)]
    lost = change.gain("lost_excess", change.attacker)
    return told + ([f"{lost} damage more is lost as excess."] if lost > 0 else [])


def _blocks(change: Change, seat: int, slot: int) -> list[str]:
    """ROOK-46, 48, 52. Blocks that a Rookling used."""
    at = place_of(change.before, seat, slot)
    amount = max(int(state["dfn"][at]) for state in (change.before, change.after))
    with_ = f" with {amount}" if amount else ""
    return [
        f"{change.name(seat, slot)} blocks {what}{with_}."
        for field, what in (("blocks_own", "the attack on it"), ("blocks_spill", "a spill"))
        if change.gain(field, seat, slot) > 0
    ]


def _damage(change: Change, seat: int, slot: int) -> list[str]:
    """ROOK-46 to 51, 60. Damage that a Rookling took by how it came, and its flip to the siege-state side."""
    told = []
    for cause in (Cause.ATTACK, Cause.SPILL, Cause.POISON):
        taken = change.gain("taken", seat, slot, cause)
        flips = " and flips to siege-state" if change.gain("flips", seat, slot, cause) else ""
        if taken > 0:
            told.append(f"{change.name(seat, slot)} takes {taken} {_BY[cause]}{flips}.")
    return told


def _healing(change: Change) -> list[str]:
    """ROOK-32, 58, 59. Life gained, and Rooklings that leave siege-state."""
    told = []
    for seat, slot in change.rooklings:
        healed = change.gain("life", seat, slot) + change.gain("taken", seat, slot)
        back = " and leaves siege-state" if change.gain("healed_back", seat, slot) else ""
        if healed > 0:
            told.append(f"{change.name(seat, slot)} heals {healed}, to {change.after['life'][seat, slot]}{back}.")
    return told


def _end(change: Change) -> list[str]:
    """ROOK-55, 66. The end of the exchange or of the game."""
    after = change.after
    if change.over:
        loser = 1 - int(after["winner"])
        blow = _ENDED.get(Cause(after["last_blow"]), "")
        squad = f"All Rooklings of seat {loser} are in siege-state, the last one {blow}".rstrip()
        return [f"{squad}: seat {after['winner']} wins."]
    if not change.ended or after["winner"] != NOBODY:
        return []
    skipped = [seat for seat in range(SEATS) if change.gain("draws_skipped", seat)]
    told = [f"Seat {seat} draws no cards, for it has cleared poison." for seat in skipped]
    return [*told, f"Exchange {after['turn']} ends; seat {after['attacker']} attacks next."]
