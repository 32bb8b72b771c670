"""How Rookling Heroes speaks (the protocol `Words` of the engine): decisions and draws here, the rest in the modules named by it.

`story` tells what happened, `notation` reads and writes positions, `picture` draws them, `labels` names things.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.rookling.clash import blocker_of
from sim.games.rookling.energy import STOP
from sim.games.rookling.labels import (
    PLACES,
    card_names,
    energy_words,
    ids_of,
    line_names,
    names_of,
    own_name,
)
from sim.games.rookling.record import FIELD_EFFECTS_MAX, LINES, Kind
from sim.games.rookling.rows import ROW_ORDERS
from sim.games.rookling.state import FIELD, HAND_MAX, SEATS, Phase, mover


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's squad."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
    match Phase(state["phase"]):
        case Phase.DRAFT:
            words = f"draft {names_of(cards, 'rookling')[action]}"
        case Phase.ROW:
            rooks = state["rook"][mover(state)]
            words = f"row: {', '.join(names_of(cards, 'rookling')[rooks[slot]] for slot in ROW_ORDERS[action])}"
        case Phase.CLEAR:
            words = _clear(state, cards, action)
        case Phase.ASSIGN:
            words = _assign(state, cards, action)
        case Phase.ACTIVATE:
            words = f"activate {_special(state, cards)}" if action else f"leave {_special(state, cards)} unused"
        case Phase.TARGET:
            words = f"{_special(state, cards)} for {own_name(state, cards, int(mover(state)), action)}"
        case Phase.ATTACK | Phase.DEFEND:
            words = _declare(state, cards, action)
        case phase:
            words = _resolve(state, phase, action)
    return words


def _clear(state: np.void, cards: CardSet, action: int) -> str:
    if action == STOP:
        return "stop clearing"
    slot, card = divmod(action - 1, HAND_MAX)
    seat = int(mover(state))
    who = names_of(cards, "rookling")[state["rook"][seat, slot]]
    return f"clear {who} with {card_names(state, cards)[int(state['hand'][seat, card])]}"


def _assign(state: np.void, cards: CardSet, action: int) -> str:
    if action == STOP:
        return "stop placing"
    position, card = divmod(action - 1, HAND_MAX)
    seat = int(mover(state))
    return f"put {card_names(state, cards)[int(state['hand'][seat, card])]} on {own_name(state, cards, seat, position)}"


def _special(state: np.void, cards: CardSet) -> str:
    """Name of the special line that the decision is about."""
    seat = int(mover(state))
    return line_names(cards, int(state["rook"][seat, state["at"][seat, state["focus"]]]))[state["cursor"]]


def _declare(state: np.void, cards: CardSet, action: int) -> str:
    seat, at = int(mover(state)), int(state["cursor"])
    verb, kind = ("attack", Kind.ATTACK) if state["phase"] == Phase.ATTACK else ("defend", Kind.DEFENCE)
    if action == 0:
        return f"{own_name(state, cards, seat, at)} does not {verb}"
    rook, record = int(state["rook"][seat, state["at"][seat, at]]), cards.record[0]
    chosen = [
        line for line in range(LINES) if record["kind"][rook, line] == kind and record["place"][rook, line] == action
    ]
    return f"{verb} with {line_names(cards, rook)[chosen[0]]}"


def _resolve(state: np.void, phase: Phase, action: int) -> str:
    """Decisions of D4 and E1b."""
    if phase == Phase.NEXT:
        return f"resolve the {'poison' if state['poison'] else 'attack'} on the {PLACES[action]} first"
    if phase == Phase.SIDE:
        return f"spill to the {'right' if action else 'left'}"
    return f"block with {state['dfn'][blocker_of(state['clash'])]}" if action else "let it through"


def draw(words: str, cards: CardSet) -> int:
    """What a drawn card is to `pick_card`: the kind of an energy card, or a number for a field effect.

    words: as in "red 4", or name or id of a field effect; with two sets (`rules.mirror`) also whose, as in "tunnel (seat 1)".
    Raises ValueError saying what would be right.
    """
    record, tables = cards.record[0], (ids_of(cards, "field_effect"), names_of(cards, "field_effect"))
    effects = {plain(word): FIELD + row for words_of in tables for row, word in enumerate(words_of)}
    known = {plain(word): kind for kind, word in energy_words(cards).items() if record["energy_count"][kind]}
    if not record["mirror"]:
        known |= effects
    else:
        for seat in range(SEATS):
            known |= {f"{word} (seat {seat})": row + FIELD_EFFECTS_MAX * (1 + seat) for word, row in effects.items()}
    if record["mirror"] and plain(words) in effects:
        right = " or ".join(f'"{plain(words)} (seat {seat})"' for seat in range(SEATS))
        raise ValueError(f"could be of either player, because rules.mirror = true; must be {right} (ROOK-02)")
    if plain(words) not in known:
        raise ValueError(f"is no card; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]
