"""What holds in every position of Card Rogue, whether it comes from a file or from play.

Rules take n positions at once, so that tests can check every position of whole games.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sim.engine.cards import CardSet, Problem
from sim.engine.positions import numbered
from sim.games.cardrogue.cards import tile_ids, type_ids
from sim.games.cardrogue.record import (
    CELLS,
    ENTRIES,
    KEY,
    SLOTS,
    STRIDE,
    TILE_ENTRY,
    TYPES_MAX,
    Category,
    Effect,
    Fill,
    FlipRule,
    Slot,
    Tile,
)
from sim.games.cardrogue.rules.tiles import ALL_OPEN, DOWN_SHIFT, FOE_SHIFT, turned
from sim.games.cardrogue.state import (
    ENEMY_SLOTS,
    LEFT_MAX,
    LYING,
    MONSTER,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    SEATS,
    Down,
    Ending,
    Node,
    Points,
    PutOff,
    Source,
    Step,
)
from sim.games.cardrogue.text.labels import DIRECTIONS, SLOT_NAMES, cell_name

DYING = (Node.KEEP, Node.LEAVE, Node.RESPAWN)
IN_COMBAT = (Step.FIGHT, Step.STRUCK, Step.SURVIVED)
SCORED = {"chest": Points.CHEST, "debt": Points.DEBT, "exit": Points.EXIT}
EACH = "*"  # in a location: the number of an entry
PLAYERS, ENEMIES = ("players", EACH), ("enemies", EACH)
OFFSETS = np.array((STRIDE, 1, -STRIDE, -1))  # N, E, S, W
BY_SEAT = np.arange(SEATS)


class Rule(NamedTuple):
    """What is wrong in some of n positions.

    where: its location; broken: (n,), and a dimension for each EACH or for what `text` names, to which its indices go.
    """

    where: tuple[str, ...]
    broken: np.ndarray
    text: str | Callable[..., str]


def problems(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """What is impossible in a position, whether from a file or from play."""
    for where, broken, text in invariants(np.array([state]), cards):
        for index in np.argwhere(broken[0]).tolist():
            entries = iter(index)
            location = tuple(next(entries) if part == EACH else part for part in where)
            yield Problem(location, text if isinstance(text, str) else text(0, *index))


def invariants(states: np.ndarray, cards: CardSet) -> Iterator[Rule]:
    """What holds in every position, beyond the ranges of KEYS. states: (n,) STATE."""
    record = cards.record[0]
    yield from _of_characters(states, record)
    yield from _of_places(states, record)
    yield from _of_equipment(states, record)
    yield from _of_potions(states, cards)
    yield from _of_points(states, record)
    yield from _of_enemies(states, record)
    yield from _of_combat(states)
    yield from _of_tiles(states, record)
    yield from _of_sides(states, record)
    yield from _of_cards(states, cards)
    yield from _of_turn(states)


def _dying(states: np.ndarray) -> np.ndarray:
    """Who is dead and decides what to keep, or has lost the game alone: (n, SEATS)."""
    decides = np.isin(states["node"], DYING)[:, None] & (states["fallen"][:, None] == BY_SEAT)
    return decides | (states["ending"] == Ending.SOLO_LOST)[:, None]


def _of_characters(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-01, 08, 61, 83, 93, 102. Characters, health and statuses, and cards that a hand cannot hold."""
    character, seated = states["character"], states["seats"][:, None] > BY_SEAT
    chosen = seated & (character != NOBODY)
    for other in range(SEATS - 1):
        twice = chosen & (other < BY_SEAT) & (character == character[:, [other]])
        yield Rule((*PLAYERS, "character"), twice, "sits at the table already; no card is used twice")
    missing = seated & ~chosen & (states["node"] != Node.DRAFT)[:, None]
    yield Rule((*PLAYERS, "character"), missing, 'every seat has one, but for decision = "draft"')
    dead = chosen & (states["out"] == 0) & ~_dying(states) & (states["health"] <= 0)
    yield Rule((*PLAYERS, "health"), dead, "must be at least 1; only the player who is choosing what to keep has less (ROGUE-61)")
    yield Rule((*PLAYERS, "health"), seated & ~chosen & (states["health"] != 0), "must be 0 without a character")
    antidote = (states["antidote"] != 0) & (states["poison"] == 0)
    yield Rule((*PLAYERS, "antidote"), antidote, "must be 0 without poison (ROGUE-83)")
    most = _longest(record, Effect.POISON)
    yield Rule(
        (*PLAYERS, "poison"), states["poison"] > most, f"must be at most {most}, the longest poison of the cards (ROGUE-51)"
    )
    most = max(1, _longest(record, Effect.PARALYZE))
    yield Rule(
        (*PLAYERS, "skip"), states["skip"] > most, f"must be at most {most}, the longest paralysis of the cards (ROGUE-52)"
    )
    cursed = (states["hand"][..., record["cursed"] > 0] > 0).any(-1) & (record["discard_cursed"][character] == 1)
    yield Rule((*PLAYERS, "hand"), chosen & cursed, "this character holds no cursed card (ROGUE-93)")
    for group in range(1, int(record["cancel_group"].max()) + 1):
        cancelled = states["hand"][..., record["cancel_group"] == group].sum(-1, dtype=int) > 1
        text = "two cards of one cancel_group leave the game at once (ROGUE-102); must be one at most"
        yield Rule((*PLAYERS, "hand"), cancelled, text)


def _longest(record: np.void, effect: Effect) -> int:
    """The longest poison or paralysis of any card."""
    sources = (
        ("status_effect", "status_turns"),
        ("trap_effect", "trap_n"),
        ("drink_effect", "drink_n"),
        ("throw_effect", "throw_n"),
    )
    return max(int((record[turns] * (record[kind] == effect)).max()) for kind, turns in sources)


def _of_places(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-19, 33. A cell holds one player or enemy; players stand on face-up tiles on the table."""
    stands = states["cell"] != NOWHERE
    cell, rows = np.where(stands, states["cell"], 0).astype(int), np.arange(len(states))[:, None]
    off = (cell < 0) | (cell % STRIDE >= record["columns"]) | (cell // STRIDE >= record["rows"])
    yield Rule((*PLAYERS, "at"), stands & off, "is off the table")
    down, on, tile = (states[field][rows, cell] for field in ("down", "on", "tile"))
    yield Rule((*PLAYERS, "at"), stands & (down != Down.NO), "is a face-down card; players stand on face-up tiles")
    enemy = stands & (down == Down.NO) & (on >= MONSTER)
    yield Rule((*PLAYERS, "at"), enemy, "is where an enemy is; a cell holds one player or enemy (ROGUE-19)")
    bare = stands & (down == Down.NO) & (on == NOTHING) & (tile == Tile.NONE)
    yield Rule((*PLAYERS, "at"), bare, "is empty; players stand on face-up tiles")
    for other in range(SEATS - 1):
        shared = stands & (other < BY_SEAT) & (cell == cell[:, [other]]) & stands[:, [other]]
        yield Rule((*PLAYERS, "at"), shared, f"is where seat {other} stands; a cell holds one player or enemy (ROGUE-19)")
    waits = (states["put_off"] != PutOff.NOTHING) | _dying(states) | (states["node"] == Node.OVER)[:, None]
    right = 'must be "all" or "after_trap" on a cell with a card, which is picked up next turn (ROGUE-33)'
    yield Rule((*PLAYERS, "put_off"), stands & (on != NOTHING) & (on < MONSTER) & ~waits, right)
    returns = _dying(states) & np.isin(states["node"], (Node.RESPAWN, Node.OVER))[:, None]
    lost = (states["seats"][:, None] > BY_SEAT) & ~stands & (states["out"] == 0) & (states["away"] == 0) & ~returns
    right = 'must be [row, column], "out" or "away"; only the player who decides "respawn" is dead'
    yield Rule((*PLAYERS, "at"), lost, right)


def _of_equipment(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-81, 92. Each worn card fits its slot and its wearer; one of two slots fills both."""
    character = states["character"].astype(int)
    for slot in range(SLOTS):
        worn = states["worn"][:, :, slot].astype(int)
        slots = record["slots"][worn].astype(int)
        offhand = (slot == Slot.SECONDARY) & (worn == record["offhand_type"][character]) & (slots >> slot & 1 == 0)
        fits = (slots >> slot & 1 == 1) & (slots & record["forbidden_slots"][character] == 0)
        text = f"the card in the {SLOT_NAMES[slot]} slot needs a slot that this character may not use (ROGUE-81, 92)"
        yield Rule((*PLAYERS, "worn"), (worn != NO_CARD) & ~offhand & ~fits, text)
        for other in range(SLOTS):
            both = (worn != NO_CARD) & ~offhand & (slots >> other & 1 == 1)
            yield Rule(
                (*PLAYERS, "worn"), both & (states["worn"][:, :, other] != worn), "a two-slot card fills both slots (ROGUE-81)"
            )


def _of_potions(states: np.ndarray, cards: CardSet) -> Iterator[Rule]:
    """ROGUE-87."""
    effect = states["effect"]
    for colour, name in enumerate(cards.document["potions"]["colours"]):
        twice = (effect[:, colour] != 0) & (effect[:, :colour] == effect[:, [colour]]).any(1)
        yield Rule(("potions", name), twice, "is what another colour does; every colour has its own effect (ROGUE-87)")


def _of_points(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-75, 77, 104. Points for good: for each key, for each debt, and for the first one out."""
    debts = record["shop"] * (record["category"] == Category.DEBT)
    most = {
        "chest": record["vp_chest"] * max(1, record["exploration"][KEY]),
        "debt": (debts * record["vp"]).sum(),
        "exit": record["vp_exit"],
    }
    for word, source in SCORED.items():
        scored = states["scored"][:, :, source]
        more = scored.sum(1, dtype=int) > most[word]
        yield Rule((*PLAYERS, "scored"), (scored > 0) & more[:, None], f"the game has {most[word]} points for {word} in all")


def _of_enemies(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-19, 59, 73. Enemies lie where the map has them; an enemy that no player fights is hurt only by traps."""
    lies, rows, slots = states["enemy_cell"] != NOWHERE, np.arange(len(states))[:, None], np.arange(ENEMY_SLOTS)
    cell, kind = np.where(lies, states["enemy_cell"], 0).astype(int), states["enemy_type"].astype(int)
    yield Rule((*ENEMIES, "enemy"), lies & (record["category"][kind] != Category.ENEMY), "is no enemy")
    elsewhere = lies & ((states["on"][rows, cell] != MONSTER + slots) | (states["down"][rows, cell] != Down.NO))
    yield Rule((*ENEMIES, "at"), elsewhere, "is not where the map has it")
    shown = ((states["on"] >= MONSTER) & (states["down"] == Down.NO)).sum(1)
    yield Rule(("enemies",), shown != lies.sum(1), "the map has enemies that are not among them")
    alone = lies & (states["order"][:, :, 0] == NOBODY)
    if not (record["throw_effect"] == Effect.DAMAGE).any():
        lost = record["health"][kind] - states["enemy_health"].astype(int)
        of_traps = np.gcd.reduce(record["trap_n"][record["trap_effect"] == Effect.DAMAGE].astype(int))  # 0: no trap does damage
        unexplained = lost % of_traps != 0 if of_traps else lost != 0
        right = "must be that of its card, less the damage of traps, while no player fights it (ROGUE-59, 73)"
        yield Rule((*ENEMIES, "health"), alone & unexplained, right)


def _of_combat(states: np.ndarray) -> Iterator[Rule]:
    """ROGUE-40. A seat in an order of entry is adjacent to the enemy and in combat with it, and the reverse."""
    order = states["order"]
    named = order != NOBODY
    twice = sum(((order[:, :, :place] == order[:, :, [place]]).any(2) & named[:, :, place]) for place in range(1, SEATS)) > 0
    yield Rule((*ENEMIES, "order"), twice, "names a seat twice")
    yield Rule((*ENEMIES, "order"), (named[:, :, 1:] & ~named[:, :, :-1]).any(2), "has a gap")
    rows, ways = np.arange(len(states))[:, None, None], np.arange(len(OFFSETS))
    stands = states["cell"] != NOWHERE
    here = np.where(stands, states["cell"], 0).astype(int)[:, :, None]
    near = here + OFFSETS
    inside = stands[:, :, None] & (near >= 0) & (near < CELLS)
    near = np.where(inside, near, 0)
    enemy = inside & (states["on"][rows, near] >= MONSTER) & (states["down"][rows, near] == Down.NO)
    slot = np.where(enemy, states["on"][rows, near] - MONSTER, 0)
    joined = enemy & (order[rows, slot] == BY_SEAT[None, :, None, None]).any(3)
    adjacent = (states["mask"][rows, here] >> ways & 1 == 1) & (states["mask"][rows, near] >> (ways ^ 2) & 1 == 1)
    fights = states["combat"][:, :, None] >> ways & 1 == 1
    wrong = (fights != joined) | (fights & ~adjacent)
    yield Rule((*PLAYERS, "combat"), wrong.any(2), "is not with the adjacent enemies whose order has this seat (ROGUE-40)")
    yield Rule(
        ("enemies",),
        fights.sum((1, 2)) != named.sum((1, 2)),
        "an order has a seat that is not in combat with the enemy (ROGUE-40)",
    )


def _of_tiles(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-16, 17. A tile has 1 to 4 paths, as some side of entry turns it; any other card is open to all sides."""
    tiles, mask = states["tile"] != Tile.NONE, states["mask"]
    from_deck = tiles & np.isin(states["source"], (Source.EXPLORATION, Source.PATHING))
    turned_so = rotations(record)[np.where(from_deck, states["laid"], 0), mask & ALL_OPEN]
    wrong = tiles & ((mask == 0) | (mask > ALL_OPEN)) | (from_deck & ~turned_so)
    bare = ~tiles & ((states["down"] != Down.NO) | (states["on"] != NOTHING)) & (mask != ALL_OPEN)
    yield Rule(
        ("map",), wrong | bare, lambda _, cell: f"{cell_name(cell)}: its paths are not those of the card there (ROGUE-16, 17)"
    )


def _of_sides(states: np.ndarray, record: np.void) -> Iterator[Rule]:
    """ROGUE-16, 19, 21, 24, A-04. What `around` has of each cell: the sides that lead to a walkable cell, an enemy, a card."""
    cells, size, found = np.arange(CELLS), (int(record["rows"]), int(record["columns"])), np.zeros(states["around"].shape, int)
    filled, hidden = (states["tile"] != Tile.NONE) | (states["on"] != NOTHING), states["down"] != Down.NO
    for way, offset in enumerate(OFFSETS):
        row, column = (cells + offset) // STRIDE, (cells + offset) % STRIDE
        steps = np.abs(row - cells // STRIDE) + np.abs(column - cells % STRIDE)
        table = (steps == 1) & (row >= 0) & (np.maximum(row, cells // STRIDE) < size[0])
        table &= np.maximum(column, cells % STRIDE) < size[1]
        near = np.where(table, cells + offset, 0)
        leaves = states["mask"] >> way & 1 == 1
        shown = leaves & (states["mask"][:, near] >> (way ^ 2) & 1 == 1) & ~hidden[:, near]
        enemy = states["on"][:, near] >= MONSTER
        flips = hidden[:, near] & (leaves | (record["flip_rule"] == FlipRule.ORTHOGONAL))
        found += ((shown & ~enemy & filled[:, near]) << way) * table
        found += ((shown & enemy) << way + FOE_SHIFT) * table + (flips << way + DOWN_SHIFT) * table
    wrong = found != states["around"]
    yield Rule(("map",), wrong, lambda _, cell: f"{cell_name(cell)}: the field `around` is not what its sides lead to")


def rotations(record: np.void) -> np.ndarray:
    """ROGUE-17. Whether a tile can be turned to have these open sides: (tiles, 16)."""
    fits = np.zeros((len(record["tile_exits"]), ALL_OPEN + 1), bool)
    for tile, exits in enumerate(record["tile_exits"].tolist()):
        fits[tile, [turned(exits, way) for way in range(len(DIRECTIONS))]] = True
    return fits


def _of_cards(states: np.ndarray, cards: CardSet) -> Iterator[Rule]:
    """ROGUE-04, 113. Every card is in exactly one place."""
    words = {entry: word for word, entry in entry_ids(cards).items()}
    for deck in decks(states, cards):

        def text(line: int, entry: int, deck: Deck = deck) -> str:
            piles = {name: int(states[name][line, entry]) for name in (deck.pile, deck.gone)}
            named = [f"{deck.held[line, entry] - sum(piles.values())} on the table and in hands"]
            named += [f"{count} {name}" for name, count in piles.items()]
            return f'of "{words[entry]}" there are {deck.copies[entry]} in all, but {deck.held[line, entry]}: {", ".join(named)}'

        yield Rule((deck.pile,), (deck.held != deck.copies) & deck.own, text)
    yield Rule(("unseen",), states["unseen"].sum(1, dtype=int) != states["unseen_cards"], "is not the number of unseen cards")
    yield Rule(("pathing",), states["pathing"].sum(1, dtype=int) != states["pathing_cards"], "is not the number of pathing cards")
    down = (states["down"] == Down.CARD).sum(1)
    few = (states["stack"] < 0) | (down + states["stack"] != states["unseen_cards"])
    yield Rule(
        ("unseen",), few, lambda line: f"{down[line]} cards lie face-down, but only {states['unseen_cards'][line]} are unseen"
    )
    bits = (states["hand"] > 0).astype(np.uint64) << np.arange(TYPES_MAX, dtype=np.uint64)
    yield Rule((*PLAYERS, "hand"), bits.sum(2, dtype=np.uint64) != states["held"], "is not what the field `held` has")


class Deck(NamedTuple):
    """Cards that are in one pile until they are seen, in another once they left the game.

    own: which entries these are; held: their copies wherever they are, (n, ENTRIES); copies: of the card file.
    """

    pile: str
    gone: str
    own: np.ndarray
    held: np.ndarray
    copies: np.ndarray


def decks(states: np.ndarray, cards: CardSet) -> tuple[Deck, ...]:
    """Where the cards of n positions are: exploration deck, shop and pathing deck."""
    record = cards.record[0]
    of_shop = np.pad(record["shop"], (0, ENTRIES - TYPES_MAX)) > 0
    held, copies = held_cards(states, record), _copies(cards)
    return (
        Deck("unseen", "gone", ~of_shop, held, copies),
        Deck("shop", "gone", of_shop, held, copies),
        Deck("pathing", "pathing_gone", np.ones(ENTRIES, bool), pathing_cards(states), record["pathing"].astype(int)),
    )


def entry_ids(cards: CardSet) -> dict[str, int]:
    """Ids of all entries of the decks: card types, then tiles."""
    return numbered(type_ids(cards)) | {word: TILE_ENTRY + tile for tile, word in enumerate(tile_ids(cards))}


def _copies(cards: CardSet) -> np.ndarray:
    """Cards of the exploration deck, of a fixed layout and of the shop, by entry (ROGUE-107)."""
    record = cards.record[0]
    copies = record["exploration"].astype(int)
    on_map = np.bincount(record["map_on"][record["map_on"] > 0] - 1, minlength=ENTRIES)
    if record["fill"] == Fill.NONE:
        copies = on_map
    elif record["fill"] == Fill.DECK:
        copies = np.maximum(copies, on_map)
    copies[:TILE_ENTRY] += record["shop"]
    return copies


def held_cards(states: np.ndarray, record: np.void) -> np.ndarray:
    """Exploration and shop cards by entry, wherever they are: (n, ENTRIES)."""
    total = states["unseen"].astype(int) + states["gone"]
    total[:, :TYPES_MAX] += states["hand"].sum(1, dtype=int) + states["shop"]
    rows = np.arange(len(states))
    for seat in range(SEATS):
        for slot in range(SLOTS):
            worn = states["worn"][:, seat, slot].astype(int)
            slots = record["slots"][worn].astype(int)
            counts = (worn != NO_CARD) & ~((slots >> slot & 1 == 1) & (slots & ((1 << slot) - 1) != 0))
            np.add.at(total, (rows[counts], worn[counts]), 1)
    at, place = np.nonzero(np.arange(LEFT_MAX) < states["left_cards"][:, None])
    left = states["left_type"][at, place].astype(int)
    np.add.at(total, (at[left < TYPES_MAX], left[left < TYPES_MAX]), 1)
    kept = states["arg"][:, 0].astype(int)
    keeps = (states["node"] == Node.LEAVE) & (kept < TYPES_MAX)
    np.add.at(total, (rows[keeps], kept[keeps]), 1)
    on, down = states["on"].astype(int), states["down"]
    at, cell = np.nonzero((on >= LYING) & (on < MONSTER) & (down == Down.NO))
    np.add.at(total, (at, on[at, cell] - LYING), 1)
    at, cell = np.nonzero((on >= MONSTER) & (down == Down.NO))
    np.add.at(total, (at, states["enemy_type"][at, on[at, cell] - MONSTER].astype(int)), 1)
    at, cell = np.nonzero(down == Down.MAPPED)
    card = record["map_on"][on[at, cell]].astype(int) - 1
    np.add.at(total, (at[card >= 0], card[card >= 0]), 1)
    at, cell = np.nonzero(states["source"] == Source.EXPLORATION)
    np.add.at(total, (at, TILE_ENTRY + states["laid"][at, cell].astype(int)), 1)
    return total


def pathing_cards(states: np.ndarray) -> np.ndarray:
    """Pathing cards by entry, wherever they are: (n, ENTRIES)."""
    total = states["pathing"].astype(int) + states["pathing_gone"]
    at, cell = np.nonzero(states["source"] == Source.PATHING)
    np.add.at(total, (at, TILE_ENTRY + states["laid"][at, cell].astype(int)), 1)
    return total


def _of_turn(states: np.ndarray) -> Iterator[Rule]:
    """ROGUE-20, 41, 103, 112. The step of the turn, the end rush and the end."""
    seats, active, rows = states["seats"], states["active"], np.arange(len(states))
    yield Rule(("rush",), (states["rush"] == 1) & (seats == 1), "a lone player has no end rush")
    begun = (states["stuck_turns"] >= seats) & (seats > 1) & (states["rush"] == 0)
    yield Rule(("stuck_turns",), begun, lambda line: f"must be at most {seats[line] - 1}; with one more the end rush has begun")
    over = (states["node"] == Node.OVER) & (states["ending"] == Ending.RUNNING)
    endings = ", ".join(ending.name.lower() for ending in Ending if ending != Ending.RUNNING)
    yield Rule(("ending",), over, f"must be one of {endings} where the game is over")
    main = states["node"] == Node.MAIN
    yield Rule(("active",), main & (states["cell"][rows, active] == NOWHERE), "is not on the table; must be a seat that is")
    fights, step = states["combat"][rows, active] != 0, states["step"]
    yield Rule(("step",), main & fights & ~np.isin(step, IN_COMBAT), "must be fight, struck or survived in combat (ROGUE-41)")
    quiet = (Step.FLIP, Step.MOVE, Step.INTERACT)
    yield Rule(("step",), main & ~fights & ~np.isin(step, quiet), "must be flip, move or interact out of combat (ROGUE-20)")
