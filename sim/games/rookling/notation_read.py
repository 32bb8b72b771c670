"""A player of Rookling Heroes by readable names, as `notation_write` reads it: squad, row, tokens, cards, the exchange."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.labels import (
    card_ids,
    energy_on,
    fixed_at,
    hand_of,
    ids_of,
    line_names,
    order_of,
    slot_ids,
)
from sim.games.rookling.record import LINES, SQUAD, TOKENS
from sim.games.rookling.state import NOBODY, NOWHERE, POSITIONS, SLOTS

GRANTS = ("attack_flat", "attack_plus", "defence_flat", "defence_plus")


def squad(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """A seat and its Rooklings in the order of the roster; in a draft those picked so far."""
    ids = ids_of(cards, "rookling")
    return {"seat": seat, "squad": [ids[rook] for rook in state["rook"][seat] if rook != NOBODY]}


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """What else there is to say of a player.

    Lists of three are by position from left to right; before the first row they are in the order of the squad.
    """
    words, ids = card_ids(state, cards), ids_of(cards, "rookling")
    order = order_of(state, seat)
    laid = NOWHERE not in state["at"][seat]
    return {
        "row": [ids[state["rook"][seat, slot]] for slot in order] if laid else [],
        "life": [int(state["life"][seat, slot]) for slot in order],
        "tokens": [_token_cards(state["tok"][seat, slot], cards) for slot in order],
        "coming": [_token_cards(state["tok_new"][seat, slot], cards) for slot in order],
        "slid": [_slid(state, cards, seat, slot) for slot in order],
        "fixed": [[slot_ids(state, cards)[slot] for slot in fixed_at(state, seat, at)] for at in range(POSITIONS)],
        "energy": [[words[kind] for kind in energy_on(state, seat, at)] for at in range(POSITIONS)],
        "hand": [words[kind] for kind in hand_of(state, seat)],
        "pile": _pile(state, cards, seat),
        "skip": bool(state["skip"][seat]),
        "exchange": _exchange(state, cards, seat),
    }


def _token_cards(counts: np.ndarray, cards: CardSet) -> list[str]:
    """Ids of token cards, each as often as it is there. counts: by kind, (TOKENS,)."""
    ids = ids_of(cards, "token")
    return [ids[kind] for kind in range(TOKENS) for _ in range(counts[kind])]


def _slid(state: np.void, cards: CardSet, seat: int, slot: int) -> list[str]:
    """Ids of the field effect cards under a Rookling."""
    under = state["fe_tok"][seat, slot]
    return [word for effect_slot, word in slot_ids(state, cards).items() for _ in range(under[effect_slot])]


def _pile(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Ids of a player's field effect cards out of play (ROOK-07)."""
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    words = slot_ids(state, cards)
    return [words[slot] for slot in range(SLOTS) if slot in own and slot in words for _ in range(state["pile"][slot])]


def _exchange(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """What holds for this exchange only, by position; what is as at its beginning is left out."""
    told: dict[str, Any] = {}
    if (state["capacity"][seat] != 1).any():
        told["capacity"] = state["capacity"][seat].tolist()
    for grant in GRANTS:
        if state[grant][seat].any():
            told[grant] = state[grant][seat].tolist()
    if state["powered"][seat].any():
        told["powered"] = [_powered(state, cards, seat, at) for at in range(POSITIONS)]
    if state["activated"][seat].any():
        told["activated"] = [
            _lines(state, cards, seat, at, int(state["activated"][seat, at])) for at in range(POSITIONS)
        ]
    if (state["line"][seat] != NOBODY).any():
        lines = [int(line) for line in state["line"][seat]]
        told["lines"] = [
            _lines(state, cards, seat, at, 0 if line == NOBODY else 1 << line) for at, line in enumerate(lines)
        ]
    return told


def _powered(state: np.void, cards: CardSet, seat: int, position: int) -> list[str]:
    """ROOK-61. Cards on a Rookling that have powered a line."""
    words, bits = card_ids(state, cards), int(state["powered"][seat, position])
    return [words[kind] for card, kind in enumerate(energy_on(state, seat, position)) if bits >> card & 1]


def _lines(state: np.void, cards: CardSet, seat: int, position: int, bits: int) -> list[str]:
    """Names of some lines of the Rookling at a position. bits: bit k = line k."""
    if bits == 0:
        return []
    names = line_names(cards, int(state["rook"][seat, state["at"][seat, position]]))
    return [names[line] for line in range(LINES) if bits >> line & 1]
