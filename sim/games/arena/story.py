"""What happened between two positions of the Arena, told from the two state records alone."""

from dataclasses import dataclass

import numpy as np

from sim.engine.cards import CardSet
from sim.games.arena.labels import (
    ability_names,
    hex_name,
    piece_name,
    some,
    zone_name,
    zones,
)
from sim.games.arena.state import DRAGONLING, PIECES, Cause, Phase

_CAUSES = {
    Cause.KNOCKBACK: "knocked back by {}",
    Cause.COLLISION: "struck by what {} set going",
    Cause.PULL: "pulled by {}",
    Cause.RETALIATION: "shoved by {}",
}
_CHOSEN = (Phase.START, Phase.MOVE, Phase.POST_MOVE)
_OPENING = (Phase.ABILITY, Phase.PRE_MOVE, Phase.RAGE)  # decisions that an attack may be rolled after


@dataclass(frozen=True)
class _Change:
    """Two consecutive states of a game, and how to name what is in them."""

    before: np.void
    after: np.void
    cards: CardSet

    @property
    def user(self) -> int:
        """Seat whose turn it was."""
        return int(self.before["active"])

    @property
    def seats(self) -> range:
        return range(self.before["seats"])

    @property
    def phase(self) -> Phase:
        """What was decided."""
        return Phase(self.before["phase"])

    def name(self, piece: int) -> str:
        return piece_name(self.after, self.cards, piece)

    def place(self, piece: int, state: np.void) -> str:
        return hex_name(self.cards, state["pos"][piece])

    def gain(self, field: str, seat: int) -> int:
        """By how much a number of a seat has grown; of several parts together."""
        return int(self.after[field][seat].sum()) - int(self.before[field][seat].sum())

    def card(self, field: str) -> int:
        """Return a number of the ability in use."""
        return int(self.cards.record[0][field][self.after["hero"][self.user], self.after["ability"]])

    @property
    def rolled(self) -> bool:
        """Whether an attack was rolled."""
        return self.phase in _OPENING and (self.after["phase"] == Phase.STEP or self.gain("attacks", self.user) > 0)

    @property
    def attacked(self) -> bool:
        """Whether an attack was under way, rolled now or before."""
        return self.rolled or self.phase == Phase.STEP

    @property
    def swapped(self) -> bool:
        """Whether user and target have changed places (ARENA-72): where the ability begins, before rage is paid."""
        begins = self.phase == Phase.PRE_MOVE or (
            self.phase == Phase.ABILITY and self.after["phase"] != Phase.PRE_MOVE and self.gain("uses", self.user) > 0
        )
        return begins and self.card("swap") > 0

    @property
    def retaliators(self) -> list[int]:
        """Seats that have shoved the user (ARENA-73): the only ones that push in another's turn."""
        fields = ("hexes_pushed", "collisions_caused", "falls_caused", "dragonlings_felled")
        return [seat for seat in self.seats if seat != self.user and any(self.gain(field, seat) for field in fields)]


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it happened."""
    change = _Change(before, after, cards)
    return [
        *_moves(change),
        *_help(change),
        *_payment(change),
        *_dice(change),
        *_shifts(change),
        *_falls(change),
        *_damage(change),
        *_tokens(change),
        *_turn(change),
    ]


def _moves(change: _Change) -> list[str]:
    """What the user did with its own feet."""
    user, before, after = change.user, change.before, change.after
    name = change.name(user)
    if change.phase == Phase.START:
        return [f"{name} starts on {change.place(user, after)}."]
    if change.phase in _CHOSEN:
        if before["pos"][user] == after["pos"][user]:
            return [f"{name} stays on {change.place(user, after)}."]
        return [f"{name} moves from {change.place(user, before)} to {change.place(user, after)}."]
    if change.phase == Phase.PRE_MOVE and before["pos"][user] != after["pos"][user]:
        goal = "" if change.retaliators or change.swapped else f" to {change.place(user, after)}"
        return [f"{name} steps from {change.place(user, before)}{goal}."]
    if change.phase == Phase.ABILITY and change.gain("passes", user):
        return [f"{name} uses no ability."]
    return []


def _help(change: _Change) -> list[str]:
    """Swap, summoning, protection and recovery."""
    user, before, after = change.user, change.before, change.after
    name, told = change.name(user), []
    if change.swapped:
        told.append(f"{name} changes places with {change.name(int(after['target']))}.")
    hatched = [piece for piece in range(DRAGONLING, PIECES) if before["pos"][piece] < 0 <= after["pos"][piece]]
    told += [f"{name} hatches {change.name(piece)} on {change.place(piece, after)}." for piece in hatched]
    if after["protection"][user] > before["protection"][user]:
        told.append(f"{name} has +{after['protection'][user]} Defence until its next turn.")
    if after["marker"][user] < before["marker"][user]:
        told.append(f"{name} recovers: marker from {before['marker'][user]} to {after['marker'][user]}.")
    return told


def _dice(change: _Change) -> list[str]:
    """The attack roll and each target's Defence roll."""
    if not change.rolled:
        return []
    after = change.after
    ability = ability_names(change.cards, int(after["hero"][change.user]))[after["ability"]]
    if change.card("auto_hit"):
        attack = f"{ability} hits without a roll ({after['hits']})"
    else:
        attack = f"{ability} rolls {some(int(after['hits']), 'hit')}"
    if change.card("no_defence_roll"):
        return [f"{attack}; there is no Defence roll."]
    targets = after["targets"][: after["target_count"]]
    blocks = [f"{change.name(piece)} blocks {after['blocked'][slot]}" for slot, piece in enumerate(targets)]
    return [f"{attack}; {', '.join(blocks)}."]


def _shifts(change: _Change) -> list[str]:
    """Where pieces were moved against their will, and what they ran into."""
    if not change.attacked:
        return []
    origin = _origin(change)
    after, targets = change.after, change.after["targets"][: change.after["target_count"]]
    told, collisions_told = [], 0
    for piece in sorted(range(PIECES), key=lambda piece: (piece not in targets, piece)):
        struck = piece not in targets and piece != change.user
        bumped = piece in change.seats and change.gain("collisions_suffered", piece) > 0
        here, there = int(origin[piece]), int(after["pos"][piece])
        if piece == change.user or here < 0 or there < 0:
            collisions_told += bumped
        elif here != there:
            verb = "is struck and thrown" if struck else "is pulled" if change.card("pull") else "is pushed"
            way = f"from {hex_name(change.cards, here)} to {hex_name(change.cards, there)}"
            told.append(f"{change.name(piece)} {verb} {way}.")
            collisions_told += struck
        elif bumped:
            told.append(f"{change.name(piece)} is struck and passes the push on.")
            collisions_told += 1
    collisions = sum(change.gain("collisions_caused", seat) for seat in change.seats)
    if collisions > collisions_told:
        told.append(f"{some(collisions, 'piece')} struck in all.")
    return told + _shoves(change, int(origin[change.user]))


def _origin(change: _Change) -> np.ndarray:
    """Where the pieces stood when the attack was rolled, (PIECES,)."""
    origin: np.ndarray = change.before["pos"].copy()
    if change.swapped:
        target = change.after["target"]
        origin[[change.user, target]] = origin[[target, change.user]]
    return origin


def _shoves(change: _Change, origin: int) -> list[str]:
    user, after = change.user, change.after
    told = []
    for seat in change.retaliators:
        known = "" if change.phase == Phase.PRE_MOVE else f" from {hex_name(change.cards, origin)}"
        goal = f" to {change.place(user, after)}" if after["pos"][user] >= 0 else ""
        told.append(f"{change.name(seat)} shoves {change.name(user)}{known}{goal}.")
    return told


def _falls(change: _Change) -> list[str]:
    """Who fell into the water, why, and to whose credit; and who left with its owner."""
    before, after = change.before, change.after
    fallen = [seat for seat in change.seats if after["fall_turn"][seat] > 0 == before["fall_turn"][seat]]
    told = []
    for seat in fallen:
        why = _CAUSES[Cause(after["fall_cause"][seat])].format(change.name(int(after["fall_by"][seat])))
        edge = hex_name(change.cards, after["fall_hex"][seat])
        told.append(f"{change.name(seat)} falls into the water beyond {edge}, {why}.")
    gone = [piece for piece in range(DRAGONLING, PIECES) if after["pos"][piece] < 0 <= before["pos"][piece]]
    for piece in gone:
        owner = int(before["owner"][piece])
        end = f"leaves the board with {change.name(owner)}" if owner in fallen else "falls into the water"
        told.append(f"{change.name(piece)} {end}.")
    return told


def _damage(change: _Change) -> list[str]:
    """Energy lost, and zones entered."""
    told = []
    for seat in change.seats:
        damage = change.gain("damage_taken", seat)
        if damage == 0:
            continue
        hero, was, now = int(change.after["hero"][seat]), change.before["marker"][seat], change.after["marker"][seat]
        zone_was, zone = zone_name(change.cards, hero, was), zone_name(change.cards, hero, now)
        end = ", the end of the track" if now == sum(zones(change.cards, hero)) - 1 else ""
        entered = f" and enters {zone}" if zone != zone_was else ""
        told.append(f"{change.name(seat)} takes {damage} damage: marker from {was} to {now}{end}{entered}.")
    return told


def _payment(change: _Change) -> list[str]:
    """Rage paid, before the roll (ARENA-31 e)."""
    paid = [(seat, change.gain("rage_spent", seat)) for seat in change.seats]
    return [f"{change.name(seat)} pays {spent} rage." for seat, spent in paid if spent]


def _tokens(change: _Change) -> list[str]:
    """Rage gained, and slow."""
    told = []
    for seat in change.seats:
        gained = change.gain("rage_gained", seat)
        if gained:
            told.append(f"{change.name(seat)} gains {gained} rage.")
        if change.after["slow"][seat] > change.before["slow"][seat]:
            told.append(f"{change.name(seat)} is slowed by {change.after['slow'][seat]} on its next turn.")
    return told


def _turn(change: _Change) -> list[str]:
    """The end of a turn, and of the game."""
    before, after = change.before, change.after
    if after["phase"] == Phase.OVER != before["phase"]:
        winner = next(seat for seat in change.seats if after["place"][seat] == 1)
        return [f"Turn {after['turn']} ends the game: {change.name(winner)} is the last hero standing."]
    if after["phase"] != Phase.MOVE or before["phase"] == Phase.OVER:
        return []
    told = []
    following = int(after["active"])
    if after["turn"] > before["turn"]:
        told.append(f"Turn {after['turn']} ends; {change.name(following)} is next.")
    if before["protection"][following] > 0:
        told.append(f"The protection of {change.name(following)} ends.")
    return told
