"""Where every card of Card Rogue is, in many positions at once: the conservation of register section 10."""

import numpy as np

from sim.games.cardrogue.record import ENTRIES, SLOTS, TILE_ENTRY, TYPES_MAX
from sim.games.cardrogue.state import LYING, MONSTER, NO_CARD, SEATS, Down, Node, Source


def held_cards(states: np.ndarray, cards: np.void) -> np.ndarray:
    """Exploration and shop cards by entry, wherever they are: (n, ENTRIES)."""
    total = states["unseen"].astype(int) + states["gone"]
    total[:, :TYPES_MAX] += states["hand"].sum(1, dtype=int) + states["shop"]
    rows = np.arange(len(states))
    for seat in range(SEATS):
        for slot in range(SLOTS):
            worn = states["worn"][:, seat, slot].astype(int)
            slots = cards["slots"][worn].astype(int)
            counts = (worn != NO_CARD) & ~((slots >> slot & 1 == 1) & (slots & ((1 << slot) - 1) != 0))
            np.add.at(total, (rows[counts], worn[counts]), 1)
    at, place = np.nonzero(np.arange(states["left_type"].shape[1]) < states["left_cards"][:, None])
    left = states["left_type"][at, place].astype(int)
    np.add.at(total, (at[left < TYPES_MAX], left[left < TYPES_MAX]), 1)
    kept = states["arg"][:, 0].astype(int)
    keeps = (states["node"] == Node.LEAVE) & (kept < TYPES_MAX)
    np.add.at(total, (rows[keeps], kept[keeps]), 1)
    _add_table(total, states, cards)
    return total


def _add_table(total: np.ndarray, states: np.ndarray, cards: np.void) -> None:
    """Add the cards that lie on the table."""
    on, down = states["on"].astype(int), states["down"]
    at, cell = np.nonzero((on >= LYING) & (on < MONSTER) & (down == Down.NO))
    np.add.at(total, (at, on[at, cell] - LYING), 1)
    at, cell = np.nonzero((on >= MONSTER) & (down == Down.NO))
    np.add.at(total, (at, states["enemy_type"][at, on[at, cell] - MONSTER].astype(int)), 1)
    at, cell = np.nonzero(down == Down.MAPPED)
    card = cards["map_on"][on[at, cell]].astype(int) - 1
    np.add.at(total, (at[card >= 0], card[card >= 0]), 1)
    at, cell = np.nonzero(states["source"] == Source.EXPLORATION)
    np.add.at(total, (at, TILE_ENTRY + states["laid"][at, cell].astype(int)), 1)


def pathing_cards(states: np.ndarray) -> np.ndarray:
    """Pathing cards by entry, wherever they are: (n, ENTRIES)."""
    total = states["pathing"].astype(int) + states["pathing_gone"]
    at, cell = np.nonzero(states["source"] == Source.PATHING)
    np.add.at(total, (at, TILE_ENTRY + states["laid"][at, cell].astype(int)), 1)
    return total


def check_cards(states: np.ndarray, cards: np.void) -> None:
    """Every card is in exactly one place."""
    held = held_cards(states, cards)
    assert (held == held[0]).all(), f"conservation: {_changed(held)}"
    pathing = pathing_cards(states)
    assert (pathing == cards["pathing"]).all(), f"conservation of pathing cards: {_changed(pathing)}"
    assert (states["unseen"].sum(1, dtype=int) == states["unseen_cards"]).all(), "unseen cards"
    assert (states["pathing"].sum(1, dtype=int) == states["pathing_cards"]).all(), "pathing cards"
    down = (states["down"] == Down.CARD).sum(1)
    assert (down + states["stack"] == states["unseen_cards"]).all(), "unseen cards are the stack and those face-down"
    bits = (states["hand"] > 0).astype(np.uint64) << np.arange(TYPES_MAX, dtype=np.uint64)
    assert (bits.sum(2, dtype=np.uint64) == states["held"]).all(), "held bits"


def _changed(totals: np.ndarray) -> str:
    """The first position in which a total differs, and where."""
    line = int(np.flatnonzero((totals != totals[0]).any(1))[0]) if (totals != totals[0]).any() else 0
    entries = np.flatnonzero(totals[line] != totals[0])
    return f"position {line}: entries {entries.tolist()} are {totals[line][entries]}, were {totals[0][entries]}"


def totals(states: np.ndarray, cards: np.void) -> tuple[int, int, int]:
    """Exploration cards, pathing cards and shop cards of a position, wherever they are: 93, 61 and 23 of the reference."""
    held = held_cards(states[:1], cards)[0]
    shop = np.zeros(ENTRIES, int)
    shop[:TYPES_MAX] = cards["shop"]
    return int(held[shop == 0].sum()), int(pathing_cards(states[:1]).sum()), int(held[shop > 0].sum())
