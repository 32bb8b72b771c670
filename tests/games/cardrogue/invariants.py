"""What holds in every position of Card Rogue and from each to the next.

Checks take many positions at once: `states` are (n,) STATE, `cards` one CARDS record. Messages begin with what failed.
"""

import numpy as np

from sim.games.cardrogue.record import CELLS, ENTRIES, KEY, SLOTS, STRIDE, TILE_ENTRY, TYPES_MAX, Category, Effect, Slot, Tile
from sim.games.cardrogue.state import LYING, MONSTER, NO_CARD, NOBODY, NOTHING, NOWHERE, SEATS, Down, Node, Points, PutOff, Source


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


OFFSETS = (STRIDE, 1, -STRIDE, -1)  # N, E, S, W
DYING = (Node.KEEP, Node.LEAVE, Node.RESPAWN)


def check(states: np.ndarray, cards: np.void) -> None:
    """Check everything that holds in a single position."""
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
        assert ((worn == NO_CARD) | offhand | fits).all(), f"worn: something does not fit into the {Slot(slot).name} slot"
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
    """Whether a mask is a rotation of a tile: (tiles, 16)."""
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
    """Health, statuses, gold and cards that a hand cannot hold."""
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
        assert (states["hand"] @ (cards["cancel_group"] == group).astype(int) <= 1).all(), "two cards that cancel each other"
    known = np.sort(states["effect"], 1)
    assert ((known[:, 1:] == 0) | (known[:, 1:] != known[:, :-1])).all(), "two colours have one effect"


def _longest(cards: np.void, effect: Effect) -> int:
    """The longest poison or paralysis of any card."""
    sources = (("status_effect", "status_turns"), ("trap_effect", "trap_n"), ("drink_effect", "drink_n"))
    sources += (("throw_effect", "throw_n"),)
    return max(int((cards[turns] * (cards[kind] == effect)).max()) for kind, turns in sources)


def check_enemies(states: np.ndarray, cards: np.void) -> None:
    """Enemies lie where the map has them, with at most their maximum health."""
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
    assert (~alone | trapped | thrown | (health == cards["health"][kind])).all(), "enemies: hurt, though no player fights it"


def _mapped_over(states: np.ndarray) -> np.ndarray:
    """Face-down cells of a layout whose number looks like an enemy's."""
    return ((states["on"] >= MONSTER) & (states["down"] == Down.MAPPED)).sum(1)


def check_combat(states: np.ndarray, cards: np.void) -> None:
    """A seat in an order of entry is adjacent to the enemy and in combat with it, and the reverse; no seat twice."""
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
    """Points for good: at most one per key and debt, and one for the first out (reference: 1 + 1 + 1)."""
    scored = states["scored"].sum(1, dtype=int)
    debts = cards["shop"] * (cards["category"] == Category.DEBT)
    assert (scored[:, Points.CHEST] <= cards["vp_chest"] * max(1, cards["exploration"][KEY])).all(), "points: chest"
    assert (scored[:, Points.DEBT] <= debts @ cards["vp"]).all(), "points: debt"
    assert (scored[:, Points.EXIT] <= cards["vp_exit"]).all(), "points: first out"


WALKS = (Node.MOVE, Node.SPELL_MOVE, Node.BARD_FLEE, Node.FLEE_STEP)
DECISIONS_PER_TURN = 200


def check_steps(states: np.ndarray, actions: np.ndarray, cards: np.void) -> None:
    """Check each position of one game against the next. actions: (n,), taken in each position; the last is ignored."""
    before, after = states[:-1], states[1:]
    assert (after["scored"] >= before["scored"]).all(), "points: scored ones fall"
    assert ((before["effect"] == 0) | (after["effect"] == before["effect"])).all(), "potions: a known effect changes"
    change = np.abs(after["hand"].astype(int) - before["hand"]) @ np.abs(cards["max_health"].astype(int))
    fall = change + np.maximum(0, before["bonus"].astype(int) - after["bonus"])
    most = [one["health"].astype(int) - most_health(one, cards) for one in (before, after)]
    assert (most[1] <= np.maximum(0, most[0]) + fall).all(), "health: lifted above the maximum"
    check_walks(before, actions[:-1])
    check_laid(before, after)
    in_turn = np.bincount(states["turn"])
    assert in_turn.max() < DECISIONS_PER_TURN, f"turn {in_turn.argmax()}: {in_turn.max()} decisions"
    walking = before["node"] == Node.MOVE
    movement = int(cards["movement"].clip(0).max()) * SLOTS + int(cards["own_movement"].max())
    most_moves = 1 + movement + int(cards["repeat_moves"])
    assert np.bincount(before["turn"][walking], minlength=1).max() <= most_moves, "moves: too many in a turn"


def check_walks(before: np.ndarray, actions: np.ndarray) -> None:
    """Moves end on free face-up adjacent cells."""
    walks = np.isin(before["node"], WALKS) & (actions < 4)
    line, way = np.flatnonzero(walks), actions[walks]
    here = before["cell"][line, before["active"][line]].astype(int)
    there = here + np.array(OFFSETS)[way]
    open_ = (before["mask"][line, here] >> way & 1) & (before["mask"][line, there] >> (way ^ 2) & 1)
    assert (open_ == 1).all(), "moves: through a wall"
    assert (before["down"][line, there] == Down.NO).all(), "moves: onto a face-down card"
    on, tile = before["on"][line, there], before["tile"][line, there]
    assert ((on < MONSTER) & ((on != NOTHING) | (tile != Tile.NONE))).all(), "moves: onto an enemy or nothing"
    assert (before["cell"][line] != there[:, None]).all(), "moves: onto a player"


def check_laid(before: np.ndarray, after: np.ndarray) -> None:
    """A face-down card is laid next to where a player stood or stands."""
    at, cell = np.nonzero((after["down"] == Down.CARD) & (before["down"] != Down.CARD))
    beside = np.zeros(len(at), bool)
    for places in (before["cell"], after["cell"]):
        for offset in OFFSETS:
            beside |= (places[at].astype(int) + offset == cell[:, None]).any(1)
    assert beside.all(), "cards are laid where no player stands"
