"""What happened to players between two positions of Riftborn Tactics: experience, life, cards, Weapons, Armour, tricks."""

from collections import Counter

from sim.games.riftborn.cards import trick_word
from sim.games.riftborn.labels import pile_of, some, tricks_of
from sim.games.riftborn.record import Ability
from sim.games.riftborn.state import ARMOURS, NOBODY, WEAPONS
from sim.games.riftborn.story_change import Change, counted, joined
from sim.games.riftborn.terms import Gain, Phase, Wound

_FOR = {
    Gain.TURN: "for the turn",
    Gain.PLAY: "for the card",
    Gain.SUMMON: "for the summons",
    Gain.KILL: "for the kill",
    Gain.EFFECT: "by the effect",
}
_BY = {
    Wound.CONTACT: "",
    Wound.RANGE: " from afar",
    Wound.FLIGHT: " from the air",
    Wound.PASS: " that passes through",
    Wound.EFFECT: " by an effect",
}
_ATTACHED = (("weapon", WEAPONS), ("armour", ARMOURS))


def experience(change: Change, seat: int, *sources: Gain) -> list[str]:
    """RIFT-20, 21. Experience from some sources, and the level that all experience together has brought."""
    told = []
    for source in sources:
        points = change.gain("gained", seat, int(source))
        several = "s" if source == Gain.KILL and change.gain("kills", seat) > 1 else ""
        told += [f"Seat {seat + 1} gains {points} experience {_FOR[source]}{several}."] if points else []
    return told


def levels(change: Change, seat: int) -> list[str]:
    """RIFT-20, 23. A new level."""
    return [f"Seat {seat + 1} reaches level {change.after['level'][seat]}."] if change.gain("level", seat) else []


def lives(change: Change) -> list[str]:
    """RIFT-51, 90. Damage to players, what Armour absorbed, and healing."""
    told = []
    for seat in reversed(change.seats):
        lost = 0
        for wound in Wound:
            points = change.gain("wounds", seat, int(wound))
            lost += points
            told += [f"Seat {seat + 1} takes {points} damage{_BY[wound]}."] if points else []
        absorbed, life = change.gain("absorbed", seat), int(change.after["life"][seat])
        if absorbed:
            told.append(f"Armour absorbs {absorbed} of it.")
        if lost > absorbed:
            told.append(f"Seat {seat + 1} has {max(0, life)} life left.")
        if (healed := change.gain("life", seat) + lost - absorbed) > 0:
            told.append(f"Seat {seat + 1} gains {healed} life and has {life} now.")
    return told


def attached(change: Change) -> list[str]:
    """RIFT-51 to 53, 121. Weapons and Armours that broke."""
    told = []
    for seat in change.seats:
        for field, most in _ATTACHED:
            was, now = (
                [int(state[field][seat, slot]) for slot in range(most) if state[field][seat, slot] != NOBODY]
                for state in (change.before, change.after)
            )
            told += [f"{change.card(card)} breaks." for card in (Counter(was) - Counter(now)).elements()]
    return told


def tricks(change: Change) -> list[str]:
    """RIFT-115, 117. TRICK cards laid and set off."""
    told = []
    for seat in change.seats:
        was, now = ({*tricks_of(state, seat)} for state in (change.before, change.after))
        told += [f"{trick_word(trick)} of seat {seat + 1} is set off." for trick in sorted(was - now)]
        if change.phase != Phase.TRICK_SET:
            told += [f"Seat {seat + 1} lays {trick_word(trick)}." for trick in sorted(now - was)]
    return told


def draws(change: Change, seat: int) -> list[str]:
    """RIFT-87, 120. Cards drawn, after the discard pile has become the library where that was needed."""
    told = [f"Seat {seat + 1} shuffles its discard pile into its library."] if change.gain("refills", seat) else []
    drawn, came = change.gain("drawn", seat), change.came("hand", seat)
    if came and drawn <= len(came):
        told.append(f"Seat {seat + 1} draws {joined(counted([change.card(card) for card in came]))}.")
    elif drawn:
        told.append(f"Seat {seat + 1} draws {some(drawn, 'card')}.")
    return told


def mulligans(change: Change) -> list[str]:
    """RIFT-07. Cards that were changed."""
    told = []
    for seat in change.seats:
        if count := change.gain("returned_cards", seat):
            told += [f"Seat {seat + 1} shuffles {some(count, 'card')} back and draws as many."]
    return told


def looks(change: Change) -> list[str]:
    """RIFT-104, 107. What a player sees of a library."""
    told = []
    for seat in change.seats:
        if change.gain("times", seat, Ability.SPY):
            top = pile_of(change.after, "library", 1 - seat)[::-1][: change.after["known_other"][1 - seat]]
            names = joined([change.card(card) for card in top]) or "nothing"
            told.append(f"Seat {seat + 1} sees on top of the other library: {names}.")
    if change.after["phase"] == Phase.SCRY != change.phase:
        seat = int(change.after["seat"])
        top = pile_of(change.after, "library", seat)[::-1][: change.after["scry_n"]]
        told.append(f"Seat {seat + 1} sees on top of its library: {joined([change.card(card) for card in top])}.")
    return told


def piles(change: Change) -> list[str]:
    """RIFT-84, 123. Cards removed from the game, and a discard pile that was shuffled back."""
    told = []
    for seat in change.seats:
        told += [f"{change.card(card)} is removed from the game." for card in change.came("removed", seat)]
        if change.gain("library_n", seat) > 0 and not change.gain("refills", seat) and change.phase != Phase.MULLIGAN:
            told.append(f"Seat {seat + 1} shuffles its discard pile into its library.")
    return told
