"""What holds in every position of Card Rogue: register section 10. `invariants_steps` tells what holds from one to the next.

Written for many positions at once: `states` are (n,) STATE, `cards` one CARDS record. Messages begin with what failed.
"""

import numpy as np

from sim.games.cardrogue.record import CELLS, KEY, SLOTS, STRIDE, Category, Effect, Slot, Tile
from sim.games.cardrogue.state import (
    MONSTER,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    SEATS,
    Down,
    Node,
    Points,
    PutOff,
    Source,
)
from tests.games.cardrogue.invariants_cards import check_cards

OFFSETS = (STRIDE, 1, -STRIDE, -1)  # N, E, S, W
DYING = (Node.KEEP, Node.LEAVE, Node.RESPAWN)


def check(states: np.ndarray, cards: np.void) -> None:
    """Hold positions to everything that can be seen in one of them."""
    check_cards(states, cards)
    check_worn(states, cards)
    check_places(states, cards)
    check_players(states, cards)
    check_enemies(states, cards)
    check_combat(states, cards)
    check_points(states, cards)


def check_worn(states: np.ndarray, cards: np.void) -> None:
    """Each worn card fits its slot and its wearer; one of two slots fills both."""
    character = states["character"].astype(int)
    for slot in range(SLOTS):
        worn = states["worn"][:, :, slot].astype(int)
        slots = cards["slots"][worn].astype(int)
        offhand = (slot == Slot.SECONDARY) & (worn == cards["offhand_type"][character]) & (slots >> slot & 1 == 0)
        fits = (slots >> slot & 1 == 1) & (slots & cards["forbidden_slots"][character] == 0)
        assert ((worn == NO_CARD) | offhand | fits).all(), (
            f"worn: something does not fit into the {Slot(slot).name} slot"
        )
        for other in range(SLOTS):
            both = (worn != NO_CARD) & ~offhand & (slots >> other & 1 == 1)
            assert (~both | (states["worn"][:, :, other] == worn)).all(), "worn: a two-slot card fills one slot"


def check_places(states: np.ndarray, cards: np.void) -> None:
    """One player or enemy a cell; players on face-up tiles on the table; masks of tiles."""
    cell, rows = states["cell"].astype(int), np.arange(len(states))
    for seat in range(SEATS):
        stands = cell[:, seat] != NOWHERE
        at, here = rows[stands], cell[stands, seat]
        assert ((here % STRIDE < cards["columns"]) & (here // STRIDE < cards["rows"])).all(), "places: off the table"
        assert (states["down"][at, here] == Down.NO).all(), "places: a player stands on a face-down card"
        assert (states["on"][at, here] < MONSTER).all(), "places: a player stands on an enemy"
        bare = states["tile"][at, here] == Tile.NONE
        waits = states["put_off"][at, seat] != PutOff.NOTHING  # a scroll has brought it onto a potion (ROGUE-33)
        assert (~bare | (waits & (states["on"][at, here] != NOTHING))).all(), "places: a player stands on a bare card"
        for other in range(seat):
            assert (cell[stands, other] != here).all(), "places: two players on a cell"
    tiles = states["tile"] != Tile.NONE
    assert ((states["mask"][tiles] > 0) & (states["mask"][tiles] < 16)).all(), "masks: a tile has 1 to 4 paths"
    decks = tiles & ((states["source"] == Source.EXPLORATION) | (states["source"] == Source.PATHING))
    fits = _rotations(cards)[states["laid"][decks], states["mask"][decks]]
    assert fits.all(), "masks: a tile is not turned as any side can turn it"
    bare = ~tiles & ((states["down"] != Down.NO) | (states["on"] != NOTHING))
    assert (states["mask"][bare] == 15).all(), "masks: a card that is no tile is open to all sides"


def _rotations(cards: np.void) -> np.ndarray:
    """Whether a mask is a tile turned by somebody: (tiles, 16)."""
    fits = np.zeros((len(cards["tile_exits"]), 16), bool)
    for tile, exits in enumerate(cards["tile_exits"].astype(int)):
        for side in range(4):  # where the entrance is
            ahead, left, right = (side + 2) % 4, (side + 1) % 4, (side + 3) % 4
            ways = (side, *(way for bit, way in ((1, ahead), (2, left), (4, right)) if exits & bit))
            fits[tile, sum(1 << way for way in ways)] = True
    return fits


def most_health(states: np.ndarray, cards: np.void) -> np.ndarray:
    """ROGUE-07. Maximum health by seat: (n, SEATS)."""
    total = cards["own_max_health"][states["character"]].astype(int) + states["bonus"]
    return np.maximum(1, total + states["hand"] @ cards["max_health"].astype(int))


def check_players(states: np.ndarray, cards: np.void) -> None:
    """Health, statuses, gold and what hands may not hold."""
    seated = np.arange(SEATS) < states["seats"][:, None]
    dying = np.isin(states["node"], DYING)[:, None] & (np.arange(SEATS) == states["fallen"][:, None])
    over = (states["node"] == Node.OVER)[:, None] & (np.arange(SEATS) == states["fallen"][:, None])
    lives = seated & (states["out"] == 0) & ~dying & ~over & (states["character"] != NOBODY)
    assert (states["health"][lives] > 0).all(), "health: a player in the game has none"
    assert (states["gold"] >= 0).all(), "gold is negative"
    poison = _longest(cards, Effect.POISON)
    assert (states["poison"] <= poison).all(), f"poison: more than {poison} turns"
    assert (states["skip"] <= max(1, _longest(cards, Effect.PARALYZE))).all(), "skip: too many turns"
    assert (states["cooldown"] <= cards["spell_cooldown"][states["character"]]).all(), "cooldown"
    assert ((states["antidote"] == 0) | (states["poison"] > 0)).all(), "antidote without poison"
    curses = states["hand"] @ (cards["cursed"] == 1).astype(int)
    assert (curses[cards["discard_cursed"][states["character"]] == 1] == 0).all(), "a cursed card where none can be"
    for group in range(1, int(cards["cancel_group"].max()) + 1):
        assert (states["hand"] @ (cards["cancel_group"] == group).astype(int) <= 1).all(), (
            "two cards that cancel each other"
        )
    known = np.sort(states["effect"], 1)
    assert ((known[:, 1:] == 0) | (known[:, 1:] != known[:, :-1])).all(), "two colours have one effect"


def _longest(cards: np.void, effect: Effect) -> int:
    """Most turns for which anything poisons or paralyses."""
    sources = (("status_effect", "status_turns"), ("trap_effect", "trap_n"), ("drink_effect", "drink_n"))
    sources += (("throw_effect", "throw_n"),)
    return max(int((cards[turns] * (cards[kind] == effect)).max()) for kind, turns in sources)


def check_enemies(states: np.ndarray, cards: np.void) -> None:
    """Enemies lie where the map has them, with as much health as they can have."""
    at, slot = np.nonzero(states["enemy_cell"] != NOWHERE)
    cell, kind = states["enemy_cell"][at, slot].astype(int), states["enemy_type"][at, slot].astype(int)
    assert (cards["category"][kind] == Category.ENEMY).all(), "enemies: another card"
    assert (states["on"][at, cell] == MONSTER + slot).all(), "enemies: the map has another one there"
    assert ((states["on"] >= MONSTER).sum(1) - _mapped_over(states) == (states["enemy_cell"] != NOWHERE).sum(1)).all()
    health = states["enemy_health"][at, slot]
    assert ((health > 0) & (health <= cards["health"][kind])).all(), "enemies: health"
    alone = states["order"][at, slot, 0] == NOBODY
    trapped = states["tile"][at, cell] >= Tile.TRAP
    thrown = (cards["throw_effect"] == Effect.DAMAGE).any()
    assert (~alone | trapped | thrown | (health == cards["health"][kind])).all(), (
        "enemies: hurt, though nobody fights it"
    )


def _mapped_over(states: np.ndarray) -> np.ndarray:
    """Face-down cells of a layout whose number looks like an enemy's."""
    return ((states["on"] >= MONSTER) & (states["down"] == Down.MAPPED)).sum(1)


def check_combat(states: np.ndarray, cards: np.void) -> None:
    """Who is in an order of entry is adjacent to that enemy, and the other way round; nobody twice."""
    at, slot, place = np.nonzero(states["order"] != NOBODY)
    seat = states["order"][at, slot, place].astype(int)
    pairs = np.stack([at, slot, seat], 1)
    assert len(np.unique(pairs, axis=0)) == len(pairs), "combat: a seat is twice in an order"
    assert (np.diff((states["order"] != NOBODY).astype(int), axis=2) <= 0).all(), "combat: a gap in an order"
    fights = sum(states["combat"].astype(int) >> way & 1 for way in range(4)).sum()
    assert fights == len(pairs), f"combat: {fights} sides, {len(pairs)} places in orders"
    joined = np.zeros(len(pairs), bool)
    for way, offset in enumerate(OFFSETS):
        here = states["cell"][at, seat].astype(int)
        there = here + offset
        side = (here != NOWHERE) & (there == states["enemy_cell"][at, slot]) & (there >= 0) & (there < CELLS)
        near = np.where(side, there, 0)
        both = (states["mask"][at, here] >> way & 1) & (states["mask"][at, near] >> (way ^ 2) & 1)
        joined |= side & (both == 1) & (states["combat"][at, seat] >> way & 1 == 1)
    assert joined.all(), "combat: with an enemy that is not adjacent"


def check_points(states: np.ndarray, cards: np.void) -> None:
    """Points scored for good: as often as there are keys and debts, and one first out (reference: 1 + 1 + 1)."""
    scored = states["scored"].sum(1, dtype=int)
    debts = cards["shop"] * (cards["category"] == Category.DEBT)
    assert (scored[:, Points.CHEST] <= cards["vp_chest"] * max(1, cards["exploration"][KEY])).all(), "points: chest"
    assert (scored[:, Points.DEBT] <= debts @ cards["vp"]).all(), "points: debt"
    assert (scored[:, Points.EXIT] <= cards["vp_exit"]).all(), "points: first out"
