"""How Runeslingers speaks (the protocol `Words` of the engine): decisions and draws here, the rest in modules of its own.

`story` tells what happened, `notation` reads and writes positions, `picture` draws them, `labels` names things.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.runeslingers.aims import ENEMY_BOON, ENEMY_PLACE, OWN_BOON, OWN_PLACE
from sim.games.runeslingers.labels import concentration_name, name_of, spot_words, thing_name
from sim.games.runeslingers.names import ids_of, names_of
from sim.games.runeslingers.notation import place, position
from sim.games.runeslingers.options import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.picture import picture
from sim.games.runeslingers.record import ACTIVATED, AILMENT_WORDS
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, SLOTS
from sim.games.runeslingers.story import events
from sim.games.runeslingers.terms import Phase
from sim.games.runeslingers.waiting import trigger_words

__all__ = ["action", "draw", "events", "line_up", "picture", "place", "position"]

_FIXED = {
    (Phase.FIRST, 0): "go first",
    (Phase.FIRST, 1): "go second",
    (Phase.PASS, 0): "play on",
    (Phase.PASS, 1): "pass and draw a card",
    (Phase.MAIN, 0): "end the turn",
    (Phase.MAIN, INHERENT): "use the inherent ability",
    (Phase.MAIN, ABILITY): "use the equipped ability",
    (Phase.MAIN, MAKE_LIGHT): "make light",
    (Phase.TARGET, 0): "target the own Runeslinger",
    (Phase.TARGET, 1): "target the enemy Runeslinger",
    (Phase.ANSWER, 0): "do not answer",
    (Phase.BLOCK, 0): "do not block",
    (Phase.EACH, 0): "begin with the own Runeslinger",
    (Phase.EACH, 1): "begin with the enemy Runeslinger",
    (Phase.GOING, 0): "go on",
}
_VERBS = {  # decisions about a type of ailment
    Phase.AILMENT: "announce {}",
    Phase.ORDER: "apply {} next",
    Phase.REMOVE: "remove {}",
}
_HELD = {  # decisions about a card of the hand: words, and the code of its first card
    Phase.SETUP: ("set", 0),
    Phase.DISCARD: ("discard", 0),
    Phase.ANSWER: ("answer with", 1),
    Phase.BLOCK: ("block with", 1),
}


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """RUNE-144. Names of the decks that meet, by seat."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
    phase, seat = Phase(state["phase"]), int(state["seat"])
    if (phase, action) in _FIXED:
        return _FIXED[phase, action]
    if phase in _VERBS:
        return _VERBS[phase].format(AILMENT_WORDS[action])
    if phase in _HELD:
        verb, first = _HELD[phase]
        return f"{verb} {_held(state, cards, seat, action - first)}"
    match phase:
        case Phase.MAIN:
            words = _main(state, cards, seat, action)
        case Phase.PASS:
            words = f"pass and take back {concentration_name(state, cards, seat, action - TAKE_BACK)}"
        case Phase.SLOT:
            words = f"lay it on {concentration_name(state, cards, seat, action)}"
        case Phase.PLACE:
            words = f"lay it on {_area(state, cards, seat, action)}"
        case Phase.TARGET:
            words = f"target {_target(state, cards, seat, action)}"
        case Phase.TRIGGER:
            words = trigger_words(state, cards, action)
        case _:
            words = f"choose bullet {action + 1}"
    return words


def _held(state: np.void, cards: CardSet, seat: int, at: int) -> str:
    """A card of the hand; equal ones are one decision."""
    return name_of(state, cards, int(state["hand"][seat, at]))


def _main(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """RUNE-39, 43 to 45, 50, 75. A step of the Play Phase with a card of the hand, Shout or not, or in play."""
    if action < SET:
        return f"play {_held(state, cards, seat, action - PLAY)}"
    if action < INHERENT:
        return f"set {_held(state, cards, seat, action - SET)}"
    if action >= CHARGE:
        return f"charge {thing_name(state, cards, seat, action - CHARGE)}"
    spot, effect = divmod(action - ACTIVATE, ACTIVATED)
    name = thing_name(state, cards, seat, spot)
    several = (cards.record[0]["act_effects"][state["card_of"][state["thing"][seat, spot]]] > 0).sum() > 1
    return f"activate effect {effect + 1} of {name}" if several else f"activate {name}"


def _area(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """RUNE-106. An area for a boon: its ailment where that is exposed, else its boon."""
    whose, side = ("enemy", SEATS - 1 - seat) if action >= AREAS else ("own", seat)
    area = action % AREAS
    if state["thing"][side, SLOTS + area] != NOBODY:
        return f"{whose} {thing_name(state, cards, side, SLOTS + area)}"
    return f"{whose} {AILMENT_WORDS[state['ailment'][side, area]]}"


def _target(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """A thing or concentration. Concentrations of the enemy are known by their slot only."""
    own = action < ENEMY_PLACE or OWN_BOON <= action < ENEMY_BOON
    first = ((ENEMY_PLACE, OWN_PLACE) if action < OWN_BOON else (ENEMY_BOON - SLOTS, OWN_BOON - SLOTS))[own]
    side, spot = seat if own else SEATS - 1 - seat, action - first
    if state["thing"][side, spot] != NOBODY:
        return f"{'own' if own else 'enemy'} {thing_name(state, cards, side, spot)}"
    if own:
        return f"own concentration {concentration_name(state, cards, side, spot)}"
    return f"enemy concentration in {spot_words(spot)}"


def draw(words: str, cards: CardSet) -> int:
    """What leaves a deck next, or is discarded at random: a card by its id or name.

    It is taken from wherever it lies in the deck or hand. Raises ValueError saying what would be right.
    """
    known = {plain(names_of(cards)[card]): card for card in range(len(ids_of(cards)))}
    known |= {plain(id_): card for card, id_ in enumerate(ids_of(cards))}
    if plain(words) not in known:
        raise ValueError(f"is no card; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]
