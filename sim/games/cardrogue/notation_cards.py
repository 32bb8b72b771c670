"""The decks of Card Rogue by readable names: what is unseen, for sale and gone. Every card is in one place only."""

from collections import Counter
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import Table
from sim.games.cardrogue.cards import effect_names, tile_ids, type_ids
from sim.games.cardrogue.codes import Fill, Tile
from sim.games.cardrogue.decisions import GOLD_CODE, Node
from sim.games.cardrogue.grid import ALL_OPEN
from sim.games.cardrogue.holding import is_second_half
from sim.games.cardrogue.labels import UNKNOWN, cell_name, effect_name
from sim.games.cardrogue.record import CELLS, ENTRIES, SLOTS, TILE_ENTRY
from sim.games.cardrogue.state import DIRECTIONS, LYING, MONSTER, NO_CARD, NOWHERE, Down, Points, Source
from sim.games.cardrogue.tiles import turned

COPIES_MAX = 255


def entry_ids(cards: CardSet) -> dict[str, int]:
    """Ids of all entries of the decks: card types, then tiles."""
    tiles = {word: TILE_ENTRY + tile for tile, word in enumerate(tile_ids(cards))}
    return tiles | {word: card for card, word in enumerate(type_ids(cards))}


def decks(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Cards that nobody has seen, the shop pile, what has left the game, and what the colours do."""
    named = sorted(entry_ids(cards).items(), key=lambda pair: pair[1])
    held = {
        "unseen": state["unseen"],
        "pathing": state["pathing"],
        "shop": np.concatenate([state["shop"], np.zeros(ENTRIES - len(state["shop"]), np.uint8)]),
        "gone": state["gone"],
        "pathing_gone": state["pathing_gone"],
    }
    colours = cards.document["potions"]["colours"]
    return {
        **{
            field: {word: int(counts[entry]) for word, entry in named if counts[entry]}
            for field, counts in held.items()
        },
        "stack": int(state["stack"]),
        "potions": {colour: effect_name(cards, int(state["effect"][at])) for at, colour in enumerate(colours)},
    }


def place_decks(table: Table, cards: CardSet, state: np.void) -> None:
    """ROGUE-04. Find out where every card is that the rest of the position does not name, and check that none is twice."""
    _place_potions(table, cards, state)
    record, known = cards.record[0], entry_ids(cards)
    given = {field: _counts(table, field, known) for field in ("unseen", "shop", "gone", "pathing", "pathing_gone")}
    words = {entry: word for word, entry in known.items()}
    room = {source: _room(cards, given, source) for source in (Source.EXPLORATION, Source.PATHING)}
    laid = _lay_sources(cards, state, room)
    placed, copies = _placed(state, cards), _copies(cards)
    for entry, word in words.items():
        total = (int(copies[entry]), placed[entry] + laid[Source.EXPLORATION, entry])
        pile = "shop" if entry < TILE_ENTRY and record["shop"][entry] else "unseen"
        kept, state["gone"][entry] = _split(given, (pile, "gone"), word, entry, total)
        state["unseen"][entry] = kept if pile == "unseen" else 0
        if entry < TILE_ENTRY:
            state["shop"][entry] = kept if pile == "shop" else 0
        total = (int(record["pathing"][entry]), laid[Source.PATHING, entry])
        path, state["pathing_gone"][entry] = _split(given, ("pathing", "pathing_gone"), word, entry, total)
        state["pathing"][entry] = path
    _count(table, state)


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


def _place_potions(table: Table, cards: CardSet, state: np.void) -> None:
    """ROGUE-87. What the colours do that somebody has used."""
    faces = {word: face for face, word in effect_names(cards).items()}
    potions = Table(table.take("potions", {}), table.field("potions"))
    for colour, name in enumerate(cards.document["potions"]["colours"]):
        word = potions.one_of(name, [*faces, UNKNOWN], UNKNOWN)
        if not potions.has(name):
            continue  # a fixed layout may have said it
        face = faces.get(word, 0)
        if face and face in np.delete(state["effect"], colour):
            raise potions.wrong(name, "is what another colour does; every colour has its own effect (ROGUE-87)")
        state["effect"][colour] = face
    potions.close()


def _counts(table: Table, field: str, known: dict[str, int]) -> dict[int, int] | None:
    """Copies by entry, None if the field is not given."""
    if not table.has(field):
        table.take(field, None)
        return None
    counts = Table(table.take(field), table.field(field))
    for word in counts.values:
        if word not in known:
            raise counts.wrong(word, f"is no card or tile; {did_you_mean(word, list(known))}")
    return {known[word]: counts.whole(word, 0, COPIES_MAX) for word in counts.values}


def _room(cards: CardSet, given: dict[str, dict[int, int] | None], source: Source) -> dict[int, int]:
    """Most tiles of each entry that can lie on the table out of one deck."""
    exploration = source == Source.EXPLORATION
    unseen, gone = ("unseen", "gone") if exploration else ("pathing", "pathing_gone")
    copies = _copies(cards) if exploration else cards.record[0]["pathing"].astype(int)
    for counts in (given[unseen] or {}, given[gone] or {}):
        for entry, count in counts.items():
            copies[entry] -= count
    return {entry: int(copies[entry]) for entry in range(TILE_ENTRY, TILE_ENTRY + int(cards.record[0]["tiles"]))}


def _lay_sources(cards: CardSet, state: np.void, room: dict[Source, dict[int, int]]) -> Counter[tuple[Source, int]]:
    """Say of every tile on the table which deck's it is; returns how many of each. room: most of each, used up here."""
    laid: Counter[tuple[Source, int]] = Counter()
    record = cards.record[0]
    opened = int(state["scored"][:, Points.CHEST].sum()) > 0
    for cell in sorted(
        np.flatnonzero(state["tile"]).tolist(), key=lambda cell: bool(state["tile"][cell] == Tile.FLOOR)
    ):
        tile, mask = int(state["tile"][cell]), int(state["mask"][cell])
        if tile in (Tile.START, Tile.LADDER):
            state["source"][cell] = Source.BOX
        elif record["map_tile"][cell] == tile and record["map_mask"][cell] == mask:
            state["source"][cell] = Source.MAP
        else:
            source, entry = _deck_of(cards, room, tile, mask, opened)
            if source == Source.NONE:
                raise ValueError(f"map: {cell_name(cell)}: more such tiles lie on the table than the decks hold")
            state["source"][cell] = source
            if source != Source.BANK:
                state["laid"][cell] = entry - TILE_ENTRY
                room[source][entry] -= 1
                laid[source, entry] += 1
    return laid


def _deck_of(
    cards: CardSet, room: dict[Source, dict[int, int]], tile: int, mask: int, opened: bool
) -> tuple[Source, int]:
    """A deck that can have such a tile. opened: a floor may be the chest that somebody has opened (ROGUE-77)."""
    record = cards.record[0]
    for kind in (Tile.CHEST, tile) if opened and tile == Tile.FLOOR else (tile,):
        for source, left in room.items():
            for entry, copies in left.items():
                number = entry - TILE_ENTRY
                exits = int(record["tile_exits"][number])
                fits = mask in [turned(exits, direction) for direction in range(DIRECTIONS)]
                if copies > 0 and record["tile_kind"][number] == kind and fits:
                    return source, entry
    return (Source.BANK, NO_CARD) if tile == Tile.FLOOR and mask == ALL_OPEN else (Source.NONE, NO_CARD)


def _placed(state: np.void, cards: CardSet) -> Counter[int]:
    """Cards in hands, worn, kept or left by the dead, or lying on the table, by type."""
    placed: Counter[int] = Counter()
    if state["node"] == Node.LEAVE and state["arg"][0] < GOLD_CODE:
        placed[int(state["arg"][0])] += 1
    for seat in range(np.int64(state["seats"])):
        placed.update({card: int(state["hand"][seat, card]) for card in np.flatnonzero(state["hand"][seat]).tolist()})
        for slot in range(SLOTS):
            worn = int(state["worn"][seat, slot])
            if worn != NO_CARD and not is_second_half(state, cards.record[0], seat, slot):
                placed[worn] += 1
    placed.update(int(card) for card in state["left_type"][: state["left_cards"]] if card < GOLD_CODE)
    placed.update(
        int(card) for card, cell in zip(state["enemy_type"], state["enemy_cell"], strict=True) if cell != NOWHERE
    )
    for cell in range(CELLS):
        on = int(state["on"][cell])
        if state["down"][cell] == Down.MAPPED:
            placed[int(cards.record[0]["map_on"][on]) - 1] += 1
        elif LYING <= on < MONSTER:
            placed[on - LYING] += 1
    return placed


def _split(
    given: dict[str, dict[int, int] | None],
    fields: tuple[str, str],
    word: str,
    entry: int,
    counts: tuple[int, int],
) -> tuple[int, int]:
    """Cards of an entry that stay in the pile, and those that are gone. counts: of all, of those out on the table.

    fields: what piles and the gone are called. Raises ValueError if there are more than exist.
    """
    copies, out = counts
    pile, gone = (given[field] for field in fields)
    left = copies - out
    kept = left - (gone or {}).get(entry, 0) if pile is None else pile.get(entry, 0)
    lost = left - kept
    if left < 0 or kept < 0 or lost < 0:
        told = [f"{out} on the table and in hands"]
        told += [
            f"{one.get(entry, 0)} {field}" for field, one in zip(fields, (pile, gone), strict=True) if one is not None
        ]
        raise ValueError(f'{fields[0]}: of "{word}" there are {copies} in all, but {", ".join(told)}')
    if gone is not None and gone.get(entry, 0) != lost:
        right = f"{lost} are missing from everywhere else"
        raise ValueError(f'{fields[1]}: {gone.get(entry, 0)} of "{word}": {right}; make it so or leave {fields[0]} out')
    return kept, lost


def _count(table: Table, state: np.void) -> None:
    """ROGUE-113. The stack holds all unseen cards that do not lie on the table."""
    state["unseen_cards"] = int(state["unseen"].sum())
    state["pathing_cards"] = int(state["pathing"].sum())
    down = int((state["down"] == Down.CARD).sum())
    stack = int(state["unseen_cards"]) - down
    if stack < 0:
        raise ValueError(f"unseen: {down} cards lie face-down, but only {state['unseen_cards']} are unseen")
    if table.take("stack", stack) != stack:
        raise table.wrong("stack", f"{stack} cards are left in it; leave it out or make it so")
    state["stack"] = stack
