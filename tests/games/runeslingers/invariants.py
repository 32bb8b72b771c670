"""What holds in every position of Runeslingers and from each to the next; single positions have `problems` of the game too."""

from collections.abc import Iterable

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.position import POSITION
from sim.games.runeslingers.state import FACTS, OPTIONS_MAX, SEATS, Phase, Stage

GROWING = ("turn", *(fact.name for fact in FACTS if not fact.derived))  # numbers that never decrease
WITH_A_CARD = {
    Phase.SETUP: 0,
    Phase.DISCARD: 0,
    Phase.ANSWER: 1,
    Phase.BLOCK: 1,
}  # decisions about the hand: code of its first card


def check(states: Iterable[np.void], cards: CardSet) -> None:
    """Check everything that shows in a single position. Raises AssertionError with the fault."""
    for at, state in enumerate(states):
        where = f"position {at}, turn {state['turn']}, phase {Phase(state['phase']).name}, stage {state['stage']}"
        found = POSITION.violations(state, cards)
        assert not found, f"{where}: {found}"
        if state["phase"] != Phase.OVER and state["turn"] < cards.record[0]["turn_cap"]:
            check_options(state, where)


def check_options(state: np.void, where: str) -> None:
    """Check the open decisions: two or more, in order, and about cards that are held."""
    count, phase = int(state["options_n"]), Phase(state["phase"])
    assert 2 <= count <= OPTIONS_MAX, f"{where}: no choice"
    options = state["options"][:count].tolist()
    assert options == sorted({*options}), f"{where}: options out of order"
    held = int(state["hand_n"][state["seat"]])
    assert phase not in WITH_A_CARD or options[-1] < held + WITH_A_CARD[phase], f"{where}: a card that is not held"


def check_decks(states: np.ndarray, cards: CardSet) -> None:
    """Check that positions of games, not those written by hand, have the decks of the card file."""
    record = cards.record[0]
    decks = record["deck"][states["deck_of"]]
    inside = np.arange(DECK_MAX) < record["deck_size"][states["deck_of"]][:, :, None]
    other = states["card_of"].reshape(len(states), SEATS, DECK_MAX) != decks
    _told(states, "a card that is not of the deck", _any(inside & other))


def check_steps(states: np.ndarray, cards: CardSet) -> None:
    """Check the positions of one game, in order, for steps that cannot happen."""
    before, after = states[:-1], states[1:]
    _told(after, "a power came back", _any(after["power"] > before["power"]))
    for name in GROWING:
        _told(after, f"{name} fell", _any(after[name] < before[name]))
    _told(after, "a card became another", _any(after["card_of"] != before["card_of"]))
    _told(after, "went on after the end", before["phase"] == Phase.OVER)
    same = (after["turn"] == before["turn"]) & (before["phase"] > Phase.FIRST)
    _told(after, "active player changed in a turn", same & (after["active"] != before["active"]))
    _told(after, "blocks of a turn fell", same & _any(after["blocked"] < before["blocked"]) & (before["stage"] > Stage.BEGIN))


def _told(states: np.ndarray, name: str, bad: np.ndarray) -> None:
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        state = states[at]
        where = f"position {at}, turn {state['turn']}, phase {Phase(state['phase']).name}, stage {state['stage']}"
        raise AssertionError(f"{name} at {where}")


def _any(found: np.ndarray) -> np.ndarray:
    """Any over all axes but the first."""
    return found.reshape(len(found), -1).any(axis=1)
