"""Set-up: decks, starting tiles or fixed layout, characters, the first player (ROGUE-10 to 15, 107)."""

import numpy as np

from sim.engine.dice import NATURE, below
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.actions import go_on
from sim.games.cardrogue.hidden import Draw
from sim.games.cardrogue.record import CELLS, ENTRIES, KEY, TYPES_MAX, Category, Characters, Fill, Tile
from sim.games.cardrogue.rules.basics import seat_character
from sim.games.cardrogue.rules.combat import reveal
from sim.games.cardrogue.rules.tiles import ALL_OPEN, NORTH, UNKNOWN, neighbour, note_tile, survey_all
from sim.games.cardrogue.rules.turn import begin_turn
from sim.games.cardrogue.state import LYING, NO_CARD, NOBODY, NOWHERE, Down, Node, Source, Step


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """ROGUE-01. Set up a game for one to four players: decks, starting tiles or the fixed layout, a random first player."""
    seats = len(lineup)
    clear_table(state, cards, seats)
    state["first"] = below(rng, NATURE, Draw.FIRST, seats)
    if cards["fill"] == Fill.DEAL:
        lay_starts(state, cards)
    else:
        lay_map(state, cards)
    if cards["characters_mode"] == Characters.DRAFT:
        state["node"], state["asked"] = Node.DRAFT, state["first"]
        return
    for seat in range(seats):
        seat_character(state, cards, seat, lineup[seat])
    begin_turn(state, cards, state["first"], rng)
    go_on(state, cards, rng)


@kernel
def clear_table(state: Record, cards: Record, seats: int) -> None:
    """An empty table, full decks and the shop pile. state must be zeroed."""
    state["seats"] = seats
    state["round"] = 1
    state["fallen"] = NOBODY
    state["cell"][:] = NOWHERE
    state["character"][:] = NOBODY
    state["worn"][:, :] = NO_CARD
    state["enemy_cell"][:] = NOWHERE
    state["enemy_poisoner"][:] = NOBODY
    state["order"][:, :] = NOBODY
    state["step"] = Step.FLIP
    state["deaths_left"] = cards["lives"] - 1
    state["stuck"][:] = UNKNOWN
    for entry in range(ENTRIES):
        state["unseen"][entry] = cards["exploration"][entry]
        state["unseen_cards"] += cards["exploration"][entry]
        state["pathing"][entry] = cards["pathing"][entry]
        state["pathing_cards"] += cards["pathing"][entry]
    for card in range(TYPES_MAX):
        state["shop"][card] = cards["shop"][card]
    state["stack"] = state["unseen_cards"]


@kernel
def lay_starts(state: Record, cards: Record) -> None:
    """ROGUE-12, 13. Starting tiles in row 0, the first player on the last of them, and the cards around them."""
    seats, apart = state["seats"], cards["gap"] + 1
    leftmost = (cards["columns"] - (apart * (seats - 1) + 1)) // 2
    for place in range(seats):
        seat = (state["first"] + seats - 1 - place) % seats
        cell = leftmost + apart * place
        state["tile"][cell], state["mask"][cell], state["source"][cell] = Tile.START, ALL_OPEN, Source.BOX
        state["cell"][seat] = cell
    for column in range(leftmost - 1, leftmost + apart * (seats - 1) + 2):
        lay_down_card(state, column)
    for place in range(seats):
        lay_down_card(state, neighbour(cards, leftmost + apart * place, NORTH))
    survey_all(state, cards)


@kernel
def lay_down_card(state: Record, cell: int) -> None:
    """ROGUE-13. Lay a face-down exploration card on a cell, unless something lies there."""
    if state["tile"][cell] == Tile.NONE and state["down"][cell] == Down.NO and state["stack"] > 0:
        state["down"][cell], state["mask"][cell] = Down.CARD, ALL_OPEN
        state["stack"] -= 1


@kernel
def lay_map(state: Record, cards: Record) -> None:
    """ROGUE-107. Lay the fixed layout: tiles and cards, face-up or face-down as given."""
    for cell in range(CELLS):
        lay_mapped(state, cards, cell)
    for colour in range(cards["colours"]):
        state["effect"][colour] = cards["map_colour"][colour]
    for seat in range(state["seats"]):
        state["cell"][seat] = cards["map_start"]
    if cards["fill"] == Fill.NONE:
        state["unseen"][:] = 0
        state["unseen_cards"], state["stack"] = 0, 0
    survey_all(state, cards)


@kernel
def lay_mapped(state: Record, cards: Record, cell: int) -> None:
    """ROGUE-107. Lay one cell of the fixed layout; its card is taken out of the deck."""
    tile, card = cards["map_tile"][cell], cards["map_on"][cell] - 1
    if tile == Tile.NONE and card == NO_CARD:
        return
    if card != NO_CARD and state["unseen"][card] > 0:
        state["unseen"][card] -= 1
        state["unseen_cards"] -= 1
        state["stack"] -= 1
    if cards["map_down"][cell]:
        state["down"][cell], state["mask"][cell], state["on"][cell] = Down.MAPPED, ALL_OPEN, cell
        return
    state["tile"][cell] = tile
    state["mask"][cell] = cards["map_mask"][cell] if tile != Tile.NONE else ALL_OPEN
    if tile != Tile.NONE:
        state["source"][cell] = Source.BOX if tile in (Tile.START, Tile.LADDER) else Source.MAP
        note_tile(state, cell)
    if card != NO_CARD and cards["category"][card] == Category.ENEMY:
        reveal(state, cards, cell, card)
    elif card != NO_CARD:
        state["on"][cell] = LYING + card
        state["key_seen"] = state["round"] if card == KEY else state["key_seen"]
