"""What happened to the players of Card Rogue: where they went, what hurt and helped them, what changed hands."""

from collections import Counter

import numpy as np

from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.holding import max_health
from sim.games.cardrogue.labels import (
    card_name,
    card_or_coin,
    cell_name,
    counted,
    effect_name,
    joined,
    potion_name,
    some,
)
from sim.games.cardrogue.record import TILE_ENTRY
from sim.games.cardrogue.state import CAUSES, NOBODY, NOWHERE, Death, Points
from sim.games.cardrogue.story_change import Change

_WALKS = {  # how the acting player got to another cell, by the decision
    Node.MOVE: "walks",
    Node.FLEE_STEP: "flees",
    Node.BARD_FLEE: "flees",
    Node.LEAP: "leaps",
    Node.SCROLL_MOVE: "moves by the scroll",
    Node.SPELL_MOVE: "moves by a spell",
}
_LOSES = {  # how the acting player got rid of a card
    Node.DRINK: "drinks",
    Node.THROW_AT: "throws",
    Node.SCROLL: "reads",
    Node.IDENTIFY: "reads",
    Node.SCROLL_MOVE: "reads",
    Node.SPELL_POTION: "gives up",
    Node.SELL: "sells",
    Node.MOLE_PAY: "sells",
}
_GAINS = {Node.BUY: "buys", Node.STEAL: "steals"}
_CAUSES = {
    Death.TRAP: "a trap",
    Death.POISON: "poison",
    Death.COUNTER: "the blow of whom it tried to trip",
    Death.POTION: "a potion",
}
_POINTS = {Points.CHEST: "opening the chest", Points.DEBT: "buying the debt"}


def walks(change: Change) -> list[str]:
    """Who stands elsewhere now, and how it got there."""
    told = []
    for seat in change.seats:
        was, now = int(change.before["cell"][seat]), int(change.after["cell"][seat])
        if now in (was, NOWHERE):
            continue
        own = seat == change.seat or change.node == Node.RESPAWN
        verb = _WALKS.get(change.node, "is carried") if own and was != NOWHERE else "is carried"
        told.append(f"{change.name(seat)} {'comes back at' if was == NOWHERE else f'{verb} to'} {cell_name(now)}.")
    return told


def bodies(change: Change, seats: list[int]) -> list[str]:
    """Health, poison, lost turns and the like of some seats."""
    return [line for seat in seats for line in (*_health(change, seat), *_afflictions(change, seat))]


def _health(change: Change, seat: int) -> list[str]:
    before, after, name = change.before, change.after, change.name(seat)
    if (
        NOBODY in (before["character"][seat], after["character"][seat])
        or before["cell"][seat] == NOWHERE
        or seat == before["fallen"]
    ):
        return []
    record = change.cards.record[0]
    most, most_before = (int(max_health(state, record, seat)) for state in (after, before))
    lost = change.gain("damage_taken", seat)
    gained = change.gain("health", seat) + lost
    alive, left = change.gain("deaths", seat) == 0, f"{after['health'][seat]} of {most}"
    told = [f"{name} has a maximum health of {most} now."] if most != most_before and alive else []
    if lost:
        told.append(f"{name} loses {lost} health" + (f", {left} left." if alive else "."))
    if gained > 0 and alive:
        told.append(f"{name} gains {gained} health, {left} now.")
    return told


def _afflictions(change: Change, seat: int) -> list[str]:
    """Poison, lost turns, potions and spells."""
    after, name = change.after, change.name(seat)
    told: list[str] = []
    if change.gain("deaths", seat):
        return told
    if change.gain("poison", seat) > 0:
        told.append(f"{name} is poisoned for {some(int(after['poison'][seat]), 'turn')}.")
    if change.gain("antidote", seat) > 0:
        told.append(f"The antidote turns the poison of {name} into {after['antidote'][seat]} health a turn.")
    if skipped := change.gain("skip", seat):
        told.append(
            f"{name} must skip {some(int(after['skip'][seat]), 'turn')}." if skipped > 0 else f"{name} skips a turn."
        )
    if change.gain("potion_mod", seat):
        told.append(f"Potions give {name} {after['potion_mod'][seat]:+} to its attack.")
    return told


def deaths(change: Change) -> list[str]:
    """Who died, and of what."""
    told = []
    for seat in change.seats:
        for cause in range(CAUSES):
            if change.gain("deaths", seat, cause):
                number = cause - Death.ENEMY
                enemies = change.cards.record[0]["enemy_type"]
                killer = _CAUSES[Death(cause)] if number < 0 else card_name(change.cards, int(enemies[number]))
                told.append(f"{change.name(seat)} dies, killed by {killer}.")
        if change.gain("out", seat):
            told.append(f"{change.name(seat)} is out of the game.")
    return told


def uses(change: Change) -> list[str]:
    """What the acting player does with a card or spell of its own, and what a potion turns out to be."""
    seat = change.seat
    told = [f"{change.name(seat)} casts a spell."] if change.gain("cooldown", seat) > 0 else []
    if change.node in _LOSES:
        lost = change.belongings(change.before, seat) - change.belongings(change.after, seat)
        told += _sentence(change, change.name(seat), _LOSES[change.node], lost)
    return told + [
        f"The {potion_name(change.cards, colour)} is {effect_name(change.cards, int(change.after['effect'][colour]))}."
        for colour in range(change.cards.record[0]["colours"])
        if change.gain("effect", colour)
    ]


def belongings(change: Change) -> list[str]:
    """Cards and gold that changed hands, equipment, and points."""
    told = [line for seat in change.seats for line in (*_cards(change, seat), *_equipment(change, seat))]
    told += [line for seat in change.seats for line in _purse(change, seat)]
    for place in range(int(change.before["left_cards"]), int(change.after["left_cards"])):
        cell, code = (int(change.after[field][place]) for field in ("left_cell", "left_type"))
        told.append(f"{card_or_coin(change.cards, code)} is left at {cell_name(cell)}.")
    cursed = np.flatnonzero(
        (change.after["unseen"] < change.before["unseen"]) & (change.after["gone"] > change.before["gone"])
    )
    return told + [f"{card_name(change.cards, card)} is discarded." for card in cursed.tolist() if card < TILE_ENTRY]


def _cards(change: Change, seat: int) -> list[str]:
    """Cards gained and lost. What the dead keep is out of their hand until they have left something."""
    name, own = change.name(seat), seat == change.seat
    was, now = (change.belongings(state, seat) for state in (change.before, change.after))
    if seat == change.before["fallen"]:
        return _sentence(change, name, "keeps" if change.node == Node.KEEP else "loses", was - now)
    told = _sentence(change, name, _GAINS.get(change.node, "gains") if own else "gains", now - was)
    return told if own and change.node in _LOSES else _sentence(change, name, "loses", was - now) + told


def _equipment(change: Change, seat: int) -> list[str]:
    """Cards put on and taken off; the dead take everything off, which goes without saying."""
    if change.gain("deaths", seat):
        return []
    name, own = change.name(seat), change.belongings(change.after, seat)
    was, now = (change.worn(state, seat) for state in (change.before, change.after))
    return _sentence(change, name, "takes off", (was - now) & own) + _sentence(change, name, "puts on", now - was)


def _sentence(change: Change, name: str, verb: str, cards: Counter[int]) -> list[str]:
    return [f"{name} {verb} {joined(counted(change.cards, cards))}."] if cards else []


def _purse(change: Change, seat: int) -> list[str]:
    """Gold, and points that stay. The dead lose whatever they have not kept."""
    name, gold = change.name(seat), change.gain("gold", seat)
    if seat == change.before["fallen"]:
        gold = -int(change.before["gold"][seat]) if change.node == Node.LEAVE else 0
    verb = "gains" if gold > 0 else "loses" if change.node == Node.LEAVE else "pays"
    told = [f"{name} {verb} {abs(gold)} gold."] if gold else []
    scored = {source: change.gain("scored", seat, source) for source in _POINTS}
    return told + [f"{name} scores {some(n, 'point')} for {_POINTS[source]}." for source, n in scored.items() if n > 0]
