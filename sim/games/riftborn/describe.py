"""How Riftborn Tactics speaks (the protocol `Words` of the engine): decisions and draws here, the rest in modules of its own.

`story` tells what happened, `notation` reads and writes positions, `picture` draws them, `labels` names things.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.riftborn.actions import OWN_PLAYER
from sim.games.riftborn.blows import THE_OPPONENT
from sim.games.riftborn.cards import card_name, ids_of, kind_of, names_of, trick_word
from sim.games.riftborn.geometry import power
from sim.games.riftborn.labels import ROW_WORDS, full_name, own_name
from sim.games.riftborn.listing import PLAY, USE, WIELD
from sim.games.riftborn.notation import place, position
from sim.games.riftborn.picture import picture
from sim.games.riftborn.record import Ability, Kind
from sim.games.riftborn.state import CREATURES, PER_ROW, ROWS, SEATS, creature_at
from sim.games.riftborn.story import events
from sim.games.riftborn.terms import Aim, Phase
from sim.games.riftborn.uses import ATTACK, ATTACK_PLAYER

__all__ = ["action", "draw", "events", "line_up", "picture", "place", "position"]

OPPONENT = "the opponent"
_ACTIONS = (  # of CREATURE, after the attack on the opponent
    *("charm with", "heal with", "switch the morale of", "pacify with"),
    *("ready", "use the spell of", "summon with", "transform"),
)
_AIMS = {
    Aim.EFFECT: "choose",
    Aim.CHARM: "charm",
    Aim.PACIFY: "pacify",
    Aim.HEAL: "heal",
    Aim.WEAPON: "hit",
    Aim.RETARGET: "strike",
    Aim.PASS: "let the rest hit",
}


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's deck."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
    seat = int(state["seat"])
    match Phase(state["phase"]):
        case Phase.MULLIGAN:
            words = f"{'return' if action else 'keep'} {_held(state, cards, int(state['cursor']))}"
        case Phase.MAIN:
            words = _main(state, cards, seat, action)
        case Phase.CREATURE:
            words = _deed(state, cards, action)
        case Phase.PLACE:
            words = f"place it {gap_words(state, seat, *divmod(action, PER_ROW))}"
        case Phase.TARGET:
            words = _target(state, cards, seat, action)
        case Phase.ROW:
            words = f"choose {'the own' if action >= ROWS else 'the enemy'} {ROW_WORDS[action % ROWS]} row"
        case Phase.SCRY:
            words = f"put {_looked_at(state, cards, seat, action)} next"
        case Phase.TRICK_SET:
            words = f"lay {trick_word(action)}" if action else "lay no trick"
        case Phase.TRICK_FIRE:
            words = _trick(state, cards, seat, *divmod(action, 2))
        case _:
            words = f"play {_held(state, cards, action)} for free"
    return words


def _main(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """A step of the main step."""
    if action == 0:
        return "end the turn"
    if action < USE:
        card = int(state["hand"][seat, action - PLAY])
        return f"play {card_name(cards, card)} (level {cards.record[0]['level'][card]})"
    if action < WIELD:
        return f"use {own_name(state, cards, int(creature_at(state, seat, action - USE)))}"
    return f"use {_weapon(state, cards, seat, action - WIELD)}"


def _weapon(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of an attached Weapon, with its number where there are two of a kind."""
    weapons = state["weapon"][seat].tolist()
    number = weapons[: slot + 1].count(weapons[slot])
    return card_name(cards, weapons[slot]) + (f" (number {number})" if weapons.count(weapons[slot]) > 1 else "")


def _deed(state: np.void, cards: CardSet, action: int) -> str:
    """What the creature in use does: a Move, an attack or another Action."""
    user = int(state["user"])
    seat, name = user // CREATURES, own_name(state, cards, user)
    if action < ATTACK:
        return f"swap {name} with {own_name(state, cards, int(creature_at(state, seat, action)))}"
    if action < ATTACK_PLAYER:
        return f"attack {own_name(state, cards, int(creature_at(state, seat, action)))} with {name}"
    if action == ATTACK_PLAYER:
        return f"attack {OPPONENT} with {name}"
    return f"{_ACTIONS[action - ATTACK_PLAYER - 1]} {name}"


def _target(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """Whom an effect, an Action, a Weapon or the rest of a blow is for."""
    verb = _AIMS[Aim(state["aim"])]
    if action == OWN_PLAYER:
        return f"{verb} the own player"
    if action == THE_OPPONENT:
        return f"{verb} {OPPONENT}"
    return f"{verb} {full_name(state, cards, int(creature_at(state, seat, action)))}"


def _trick(state: np.void, cards: CardSet, seat: int, slot: int, list_: int) -> str:
    """A TRICK effect, with its number where the creature has two."""
    g = int(creature_at(state, seat, slot))
    number = f" {list_ + 1}" if power(state, g, int(Ability.TRICK)) > 1 else ""
    return f"use trick{number} of {own_name(state, cards, g)}"


def _held(state: np.void, cards: CardSet, at: int) -> str:
    """A card of the hand, with its number where there are several of a kind."""
    hand = state["hand"][state["seat"], : state["hand_n"][state["seat"]]].tolist()
    return _copy(cards, hand, at)


def _looked_at(state: np.void, cards: CardSet, seat: int, at: int) -> str:
    """A card of those looked at that are not put back yet, from the top."""
    top = int(state["library_n"][seat]) - int(state["scry_at"])
    left = int(state["scry_n"]) - int(state["scry_at"])
    return _copy(cards, state["library"][seat, top - left : top].tolist()[::-1], at)


def _copy(cards: CardSet, among: list[int], at: int) -> str:
    """Name of a card, with its number where there are several of a kind."""
    number = among[: at + 1].count(among[at])
    return card_name(cards, among[at]) + (f" (number {number})" if among.count(among[at]) > 1 else "")


def draw(words: str, cards: CardSet) -> int:
    """What is drawn next: a card, or the seat that has the first turn.

    words: id or name of a card that decks may hold, drawn from wherever it lies in the library; `seat 0` or `seat 1` for the
    coin (RIFT-08). Raises ValueError saying what would be right.
    """
    rows = [row for row in range(len(ids_of(cards))) if kind_of(cards, row) != Kind.TOKEN]
    known = {plain(f"seat {seat}"): seat for seat in range(SEATS)}
    known |= {plain(names_of(cards)[row]): row for row in rows} | {plain(ids_of(cards)[row]): row for row in rows}
    if plain(words) not in known:
        raise ValueError(f"is no card; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]


def gap_words(state: np.void, seat: int, row: int, index: int) -> str:
    """A place for a new creature: gap `index` of a row, or a new row behind the last."""
    length = int(state["row_len"][seat, row]) if row < ROWS else 0
    if length == 0:
        return "in a new row behind" if row else "in the front row"
    if index in (0, length):
        return f"in the {ROW_WORDS[row]} row at the {'right' if index else 'left'} end"
    return f"in the {ROW_WORDS[row]} row as number {index + 1}"
