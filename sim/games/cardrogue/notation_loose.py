"""What lies and lurks on the map of Card Rogue, by readable names: enemies, and cards that the dead have left."""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table, is_whole
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.checks import MODIFIERS_MAX
from sim.games.cardrogue.codes import Category, Tile
from sim.games.cardrogue.decisions import GOLD_CODE
from sim.games.cardrogue.engage import reveal
from sim.games.cardrogue.grid import ALL_OPEN, monster_at, monster_sides, neighbour, opens, player_at
from sim.games.cardrogue.labels import amount_of_gold, row_and_column, seats_of
from sim.games.cardrogue.notation_map import cell_at
from sim.games.cardrogue.state import DIRECTIONS, ENEMY_SLOTS, LEFT_MAX, MONSTER, NOBODY, NOTHING, NOWHERE, SEATS, Down

TURNS_MAX = 200  # of poison and paralysis
_BY_SLOT = (
    *("enemy_cell", "enemy_health", "enemy_type", "enemy_mod"),
    *("enemy_poison", "enemy_poisoner", "enemy_paralysed", "order"),
)


def enemies(state: np.void, cards: CardSet) -> list[dict[str, Any]]:
    """The enemies on the table, in the order in which they came up."""
    ids = type_ids(cards)
    return [
        {
            "enemy": ids[state["enemy_type"][slot]],
            "at": list(row_and_column(state["enemy_cell"][slot])),
            "health": int(state["enemy_health"][slot]),
            "strength": int(state["enemy_mod"][slot]),
            "poison": int(state["enemy_poison"][slot]),
            "poisoner": int(state["enemy_poisoner"][slot]) if state["enemy_poison"][slot] else NOBODY,
            "paralysed": int(state["enemy_paralysed"][slot]),
            "order": seats_of(state["order"][slot]),
        }
        for slot in range(np.int64(state["enemies"]))
        if state["enemy_cell"][slot] != NOWHERE
    ]


def heaps(state: np.void, cards: CardSet) -> list[dict[str, Any]]:
    """What the dead have left, cell by cell, in the order in which it was laid down."""
    ids, coins = type_ids(cards), cards.record[0]["denomination"]
    found: dict[int, list[str]] = {}
    for cell, card in zip(*(state[field][: state["left_cards"]] for field in ("left_cell", "left_type")), strict=True):
        word = f"{coins[card - GOLD_CODE]} gold" if card >= GOLD_CODE else ids[card]
        found.setdefault(int(cell), []).append(word)
    return [{"at": list(row_and_column(cell)), "cards": words} for cell, words in found.items()]


def place_heaps(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay what the dead have left: `left`, tables with `at` and `cards`."""
    ids = type_ids(cards)
    coins = [f"{coin} gold" for coin in cards.record[0]["denomination"][: cards.record[0]["denominations"]]]
    for entry in table.tables("left", LEFT_MAX):
        cell = cell_at(entry.take("at"), cards, entry.field("at"))
        if state["down"][cell] != Down.NO or (state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING):
            raise entry.wrong("at", "is no face-up tile or card; the dead lay on one")
        for word in entry.items("cards", LEFT_MAX):
            if word not in (known := [*coins, *ids]):
                raise ValueError(f"{entry.field('cards')} = {shown(word)}: {did_you_mean(word, known)}")
            if state["left_cards"] == LEFT_MAX:
                raise entry.wrong("cards", f"more than {LEFT_MAX} cards are left on the table")
            code = ids.index(word) if amount_of_gold(word) is None else GOLD_CODE + coins.index(word)
            state["left_cell"][state["left_cards"]], state["left_type"][state["left_cards"]] = cell, code
            state["left_cards"] += 1
        entry.close()


def place_enemies(table: Table, cards: CardSet, state: np.void) -> None:
    """Give the enemies their health and whom they fight; those that `map` does not show are put on the table."""
    known = [word for card, word in enumerate(type_ids(cards)) if cards.record[0]["category"][card] == Category.ENEMY]
    named: list[int] = []
    for entry in table.tables("enemies", ENEMY_SLOTS):
        card = type_ids(cards).index(entry.one_of("enemy", known))
        slot = _slot(entry, cards, state, card)
        if slot in named:
            raise entry.wrong("at", "is named twice; a cell holds one enemy")
        named.append(slot)
        _place_enemy(entry, cards, state, slot)
        entry.close()
    for slot in range(np.int64(state["enemies"])):
        if slot not in named:
            _engage(state, cards, slot, _default_order(state, cards, slot))
            named.append(slot)
    _renumber(state, named)


def _renumber(state: np.void, slots: list[int]) -> None:
    """Let the enemies have come up in this order."""
    count = len(slots)
    for field in _BY_SLOT:
        state[field][:count] = state[field][slots]
    for slot in range(count):
        state["on"][state["enemy_cell"][slot]] = MONSTER + slot


def _slot(entry: Table, cards: CardSet, state: np.void, card: int) -> int:
    """Slot of the enemy on a cell, which is put there if the map has none."""
    cell = cell_at(entry.take("at"), cards, entry.field("at"))
    slot = int(monster_at(state, cell))
    if slot != NOBODY:
        if state["enemy_type"][slot] != card:
            there = type_ids(cards)[state["enemy_type"][slot]]
            raise entry.wrong("enemy", f'the map has "{there}" there; must be the same')
        return slot
    if player_at(state, cell) != NOBODY:
        raise entry.wrong("at", f"is where seat {player_at(state, cell)} stands; a cell holds one player or enemy")
    if state["down"][cell] != Down.NO or state["on"][cell] != NOTHING:
        raise entry.wrong("at", "is taken by another card; must be an empty cell or a tile")
    if state["enemies"] == ENEMY_SLOTS:
        raise entry.wrong("at", f"there are {ENEMY_SLOTS} enemies already")
    if state["tile"][cell] == Tile.NONE:
        state["mask"][cell] = ALL_OPEN
    return int(reveal(state, cards.record[0], cell, card))


def _place_enemy(entry: Table, cards: CardSet, state: np.void, slot: int) -> None:
    """ROGUE-48, 53, 55, 89. Health and what was thrown at it, and the players that it fights."""
    full = int(cards.record[0]["health"][state["enemy_type"][slot]])
    state["enemy_health"][slot] = entry.whole("health", 1, full, full)
    state["enemy_mod"][slot] = entry.whole("strength", -MODIFIERS_MAX, MODIFIERS_MAX, 0)
    state["enemy_poison"][slot] = entry.whole("poison", 0, TURNS_MAX, 0)
    state["enemy_paralysed"][slot] = entry.whole("paralysed", 0, TURNS_MAX, 0)
    state["enemy_poisoner"][slot] = entry.whole("poisoner", NOBODY, int(state["seats"]) - 1, NOBODY)
    if (state["enemy_poison"][slot] > 0) != (state["enemy_poisoner"][slot] != NOBODY):
        raise entry.wrong("poisoner", "a poisoned enemy has one, the seat that poisoned it, and no other has")
    order = entry.take("order", None)
    if order is None:
        order = _default_order(state, cards, slot)
    seats = range(np.int64(state["seats"]))
    if not isinstance(order, list) or not all(is_whole(seat, 0, seats[-1]) for seat in order):
        raise entry.wrong("order", f"must be a list of seats, 0 to {seats[-1]}")
    if len(set(order)) < len(order):
        raise entry.wrong("order", "names a seat twice")
    for seat in order:
        if _side(state, cards, slot, seat) is None:
            raise entry.wrong(
                "order", f"seat {seat} is not adjacent to it; combat lasts as long as both are (ROGUE-40)"
            )
    _engage(state, cards, slot, order)


def _default_order(state: np.void, cards: CardSet, slot: int) -> list[int]:
    """ROGUE-21. Who has begun its turn next to an enemy is in combat with it."""
    seat = int(state["active"])
    return [] if _side(state, cards, slot, seat) is None else [seat]


def _side(state: np.void, cards: CardSet, slot: int, seat: int) -> int | None:
    """Direction in which an enemy is adjacent to a seat, None if it is not."""
    cell = int(state["cell"][seat])
    if cell == NOWHERE:
        return None
    sides = monster_sides(state, cards.record[0], cell)
    return next(
        (
            direction
            for direction in range(DIRECTIONS)
            if opens(sides, direction) and state["on"][neighbour(cards.record[0], cell, direction)] == MONSTER + slot
        ),
        None,
    )


def _engage(state: np.void, cards: CardSet, slot: int, order: list[int]) -> None:
    """Write an order of entry, and its other side: the directions of one's enemies."""
    state["order"][slot] = [*order, *[NOBODY] * (SEATS - len(order))]
    for seat in order:
        state["combat"][seat] |= 1 << int(_side(state, cards, slot, seat) or 0)
