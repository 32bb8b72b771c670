"""The table of Card Rogue by readable names: cells as tokens (see `cards.checks`), enemies, cards of the dead, decks.

Every card is in one place only.
"""

from collections import Counter
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.games.cardrogue.cards import effect_names, tile_ids, type_ids
from sim.games.cardrogue.cards.checks import MODIFIERS_MAX, TILES, Cell, read_token
from sim.games.cardrogue.record import CELLS, ENTRIES, SLOTS, STRIDE, TILE_ENTRY, Category, Fill, Tile
from sim.games.cardrogue.rules.basics import is_second_half
from sim.games.cardrogue.rules.combat import reveal
from sim.games.cardrogue.rules.tiles import ALL_OPEN, monster_at, monster_sides, neighbour, note_tile, opens, player_at, turned
from sim.games.cardrogue.state import (
    DIRECTIONS,
    ENEMY_SLOTS,
    GOLD_CODE,
    LEFT_MAX,
    LYING,
    MONSTER,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    SEATS,
    Down,
    Node,
    Points,
    Source,
)
from sim.games.cardrogue.text.labels import UNKNOWN, amount_of_gold, cell_name, effect_name, row_and_column, seats_of

# cells

EMPTY = "."
UNSEEN = "?"  # a face-down card of the deck; before another token: a face-down card of a fixed layout
CORNER = (0, 0)
_LETTERS = {tile: letter for letter, tile in TILES.items()}
_PLAIN = (Tile.NONE, Tile.FLOOR)  # what a card can lie on in one token


def map_cells(state: np.void, cards: CardSet) -> dict[str, str]:
    """Token of every cell that holds something, by "row,column", the farthest row first."""
    taken = [cell for cell in range(CELLS) if state["down"][cell] or state["tile"][cell] or state["on"][cell]]
    taken.sort(key=lambda cell: (-row_and_column(cell)[0], cell))
    return {",".join(map(str, row_and_column(cell))): _token(state, cards, cell) for cell in taken}


def _token(state: np.void, cards: CardSet, cell: int) -> str:
    """One cell as a token; an enemy on a special tile is listed in `enemies` only."""
    if state["down"][cell] == Down.CARD:
        return UNSEEN
    tile, mask, card = int(state["tile"][cell]), int(state["mask"][cell]), NOTHING - 1
    if state["down"][cell] == Down.MAPPED:
        record, origin = cards.record[0], state["on"][cell]
        tile, mask, card = (int(record[field][origin]) for field in ("map_tile", "map_mask", "map_on"))
        card -= 1
    elif state["on"][cell] >= MONSTER:
        card = int(state["enemy_type"][state["on"][cell] - MONSTER])
    elif state["on"][cell] >= LYING:
        card = int(state["on"][cell]) - LYING
    down = UNSEEN if state["down"][cell] else ""
    if card < 0 or tile not in _PLAIN:
        return down + _tile_token(cards, tile, mask)
    letter = {Category.KEY: "K", Category.POTION: "O", Category.ARTIFACT: "A"}.get(cards.record[0]["category"][card], "E")
    name = letter if letter == "K" else f"{letter}:{type_ids(cards)[card]}"
    return down + name + (f"/P{mask:x}" if tile else "")


def _tile_token(cards: CardSet, tile: int, mask: int) -> str:
    if tile == Tile.START:
        return "S"
    if tile >= Tile.TRAP:
        return f"T:{cards.document['trap'][tile - Tile.TRAP]['id']}" + (f"/{mask:x}" if mask != ALL_OPEN else "")
    bare = mask == ALL_OPEN and tile in (Tile.SHOP, Tile.FOUNTAIN, Tile.CHEST)
    return _LETTERS[Tile(tile).name.lower()] + ("" if bare else f"{mask:x}")


def place_map(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay the cells of `map`: a table of tokens by "row,column", or rows of tokens as in a fixed layout, starting at `corner`."""
    for field, cell, token in _tokens(table, cards):
        try:
            _lay(cards, state, cell, token)
        except ValueError as error:
            raise ValueError(f"{field} = {shown(token)}: {error}") from None


def _tokens(table: Table, cards: CardSet) -> list[tuple[str, int, str]]:
    """Field, cell and token of all cells that are not empty."""
    given = table.take("map")
    tokens = []
    if isinstance(given, dict):
        table.take("corner", None)
        for key, token in given.items():
            place = [int(part) if part.strip().isdecimal() else NOWHERE for part in str(key).split(",")]
            tokens.append((f'map."{key}"', cell_at(place, cards, f'map."{key}"'), token))
    elif isinstance(given, list) and all(isinstance(row, str) for row in given):
        row, column = row_and_column(cell_at(table.take("corner", list(CORNER)), cards, "corner"))
        for up, text in enumerate(reversed(given)):
            field = f"map[{len(given) - 1 - up}]"
            tokens += [
                (field, cell_at([row + up, column + right], cards, field), token) for right, token in enumerate(text.split())
            ]
    else:
        raise table.wrong("map", 'must be a table like { "0,12" = "S" } or a list of rows of tokens')
    return [entry for entry in tokens if entry[-1] != EMPTY]


def cell_at(at: object, cards: CardSet, field: str) -> int:
    """Cell of [row, column]. Raises ValueError if `at` has another form, or is off the table (ROGUE-03)."""
    rows, columns = int(cards.record[0]["rows"]), int(cards.record[0]["columns"])
    right = f"must be [row, column], row 0 to {rows - 1} and column 0 to {columns - 1}"
    if not isinstance(at, list) or len(at) != 2 or not all(is_whole(part, -STRIDE * 2, STRIDE * 2) for part in at):
        raise ValueError(f"{field} = {shown(at)}: {right}")
    if not (0 <= at[0] < rows and 0 <= at[1] < columns):
        raise ValueError(f"{field} = {shown(at)}: is off the table; {right}")
    return at[0] * STRIDE + at[1]


def _lay(cards: CardSet, state: np.void, cell: int, token: object) -> None:
    """Lay the content of a token on a cell."""
    if not isinstance(token, str):
        raise ValueError("must be text, a cell token")
    if token == UNSEEN:
        state["down"][cell], state["mask"][cell] = Down.CARD, ALL_OPEN
        return
    if (what := read_token(token)) is None:
        return
    tile, card = _meaning(what, cards)
    if what.down:
        state["on"][cell] = _origin(cards, state, cell, (tile, what.mask if tile else 0, card + 1))
        state["down"][cell], state["mask"][cell] = Down.MAPPED, ALL_OPEN
        return
    state["tile"][cell], state["mask"][cell] = tile, what.mask
    note_tile(state, cell)
    if what.letter == "E":
        reveal(state, cards.record[0], cell, card)
    elif what.card:
        state["on"][cell] = LYING + card


def _meaning(what: Cell, cards: CardSet) -> tuple[int, int]:
    """Tile and card type of a token, Tile.NONE and -1 for none."""
    tile = int(Tile[what.tile.upper()]) if what.tile else int(Tile.NONE)
    if what.trap:
        traps = [trap["id"] for trap in cards.document["trap"]]
        if what.trap not in traps:
            raise ValueError(f"names no trap; {did_you_mean(what.trap, traps)}")
        tile += traps.index(what.trap)
    if not what.card:
        return tile, NOWHERE
    kinds = {"E": Category.ENEMY, "O": Category.POTION, "A": Category.ARTIFACT, "K": Category.KEY}
    known = [word for card, word in enumerate(type_ids(cards)) if cards.record[0]["category"][card] == kinds[what.letter]]
    if what.card not in known:
        raise ValueError(f"names no {kinds[what.letter].name.lower()}; {did_you_mean(what.card, known)}")
    return tile, type_ids(cards).index(what.card)


def _origin(cards: CardSet, state: np.void, cell: int, content: tuple[int, int, int]) -> int:
    """ROGUE-107. A face-down cell of the card file's layout with this content, preferably the same cell."""
    record = cards.record[0]
    taken = {int(state["on"][other]) for other in range(CELLS) if state["down"][other] == Down.MAPPED}
    fits = [
        origin
        for origin in np.flatnonzero(record["map_down"]).tolist()
        if origin not in taken and tuple(record[field][origin] for field in ("map_tile", "map_mask", "map_on")) == content
    ]
    if not fits:
        raise ValueError("is not face-down on the map of the card file (or not that often); ? alone is a card of the deck")
    return cell if cell in fits else fits[0]


# enemies, and cards of the dead

TURNS_MAX = 200  # of poison and paralysis
_BY_SLOT = (
    *("enemy_cell", "enemy_health", "enemy_type", "enemy_mod"),
    *("enemy_poison", "enemy_poisoner", "enemy_paralysed", "order"),
)


def enemies(state: np.void, cards: CardSet) -> list[dict[str, Any]]:
    """The enemies on the table, in the order in which they were revealed."""
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
    """Cards of the dead by cell, in the order in which they were laid down."""
    ids, coins = type_ids(cards), cards.record[0]["denomination"]
    by_cell: dict[int, list[str]] = {}
    for cell, card in zip(*(state[field][: state["left_cards"]] for field in ("left_cell", "left_type")), strict=True):
        word = f"{coins[card - GOLD_CODE]} gold" if card >= GOLD_CODE else ids[card]
        by_cell.setdefault(int(cell), []).append(word)
    return [{"at": list(row_and_column(cell)), "cards": words} for cell, words in by_cell.items()]


def place_heaps(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay the cards of the dead: `left`, tables with `at` and `cards`."""
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
    """Write health, statuses and opponents of the enemies; those that `map` does not show are put on the table."""
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
    """Number the enemies in this order."""
    count = len(slots)
    for field in _BY_SLOT:
        state[field][:count] = state[field][slots]
    for slot in range(count):
        state["on"][state["enemy_cell"][slot]] = MONSTER + slot


def _slot(entry: Table, cards: CardSet, state: np.void, card: int) -> int:
    """Slot of the enemy on a cell; it is put there if the map has none."""
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
    """ROGUE-48, 53, 55, 89. Write health and statuses of an enemy, and the players that it fights."""
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
            raise entry.wrong("order", f"seat {seat} is not adjacent to it; combat lasts as long as both are (ROGUE-40)")
    _engage(state, cards, slot, order)


def _default_order(state: np.void, cards: CardSet, slot: int) -> list[int]:
    """ROGUE-21. By default the active player is in combat with an adjacent enemy."""
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
    """Write an order of entry, and for each of its seats the direction of the enemy."""
    state["order"][slot] = [*order, *[NOBODY] * (SEATS - len(order))]
    for seat in order:
        state["combat"][seat] |= 1 << int(_side(state, cards, slot, seat) or 0)


# decks

COPIES_MAX = 255


def entry_ids(cards: CardSet) -> dict[str, int]:
    """Ids of all entries of the decks: card types, then tiles."""
    tiles = {word: TILE_ENTRY + tile for tile, word in enumerate(tile_ids(cards))}
    return tiles | {word: card for card, word in enumerate(type_ids(cards))}


def decks(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Unseen cards, the shop pile, cards that left the game, and the effects of the colours."""
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
        **{field: {word: int(counts[entry]) for word, entry in named if counts[entry]} for field, counts in held.items()},
        "stack": int(state["stack"]),
        "potions": {colour: effect_name(cards, int(state["effect"][at])) for at, colour in enumerate(colours)},
    }


def place_decks(table: Table, cards: CardSet, state: np.void) -> None:
    """ROGUE-04. Work out where the cards are that the rest of the position does not name; no card can be in two places."""
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
    """ROGUE-87. Write the known effects of the colours."""
    faces = {word: face for face, word in effect_names(cards).items()}
    potions = Table(table.take("potions", {}), table.field("potions"))
    for colour, name in enumerate(cards.document["potions"]["colours"]):
        word = potions.one_of(name, [*faces, UNKNOWN], UNKNOWN)
        if not potions.has(name):
            continue  # a fixed layout can have set it
        face = faces.get(word, 0)
        if face and face in np.delete(state["effect"], colour):
            raise potions.wrong(name, "is what another colour does; every colour has its own effect (ROGUE-87)")
        state["effect"][colour] = face
    potions.close()


def _counts(table: Table, field: str, known: dict[str, int]) -> dict[int, int] | None:
    """Read copies by entry; None if the field is missing."""
    if not table.has(field):
        table.take(field, None)
        return None
    counts = Table(table.take(field), table.field(field))
    for word in counts.values:
        if word not in known:
            raise counts.wrong(word, f"is no card or tile; {did_you_mean(word, list(known))}")
    return {known[word]: counts.whole(word, 0, COPIES_MAX) for word in counts.values}


def _room(cards: CardSet, given: dict[str, dict[int, int] | None], source: Source) -> dict[int, int]:
    """The most tiles of each entry of one deck that can lie on the table."""
    exploration = source == Source.EXPLORATION
    unseen, gone = ("unseen", "gone") if exploration else ("pathing", "pathing_gone")
    copies = _copies(cards) if exploration else cards.record[0]["pathing"].astype(int)
    for counts in (given[unseen] or {}, given[gone] or {}):
        for entry, count in counts.items():
            copies[entry] -= count
    return {entry: int(copies[entry]) for entry in range(TILE_ENTRY, TILE_ENTRY + int(cards.record[0]["tiles"]))}


def _lay_sources(cards: CardSet, state: np.void, room: dict[Source, dict[int, int]]) -> Counter[tuple[Source, int]]:
    """Assign every tile on the table to a deck; returns the number of each. room: the most of each, reduced here."""
    laid: Counter[tuple[Source, int]] = Counter()
    record = cards.record[0]
    opened = int(state["scored"][:, Points.CHEST].sum()) > 0
    for cell in sorted(np.flatnonzero(state["tile"]).tolist(), key=lambda cell: bool(state["tile"][cell] == Tile.FLOOR)):
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


def _deck_of(cards: CardSet, room: dict[Source, dict[int, int]], tile: int, mask: int, opened: bool) -> tuple[Source, int]:
    """A deck and entry that such a tile can come from. opened: a floor can be the opened chest (ROGUE-77)."""
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
    """Cards in hands, worn, kept or left by the dead, or on the table, by type."""
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
    placed.update(int(card) for card, cell in zip(state["enemy_type"], state["enemy_cell"], strict=True) if cell != NOWHERE)
    for cell in range(CELLS):
        on = int(state["on"][cell])
        if state["down"][cell] == Down.MAPPED:
            placed[int(cards.record[0]["map_on"][on]) - 1] += 1
        elif LYING <= on < MONSTER:
            placed[on - LYING] += 1
    return placed


def _split(
    given: dict[str, dict[int, int] | None], fields: tuple[str, str], word: str, entry: int, counts: tuple[int, int]
) -> tuple[int, int]:
    """Cards of an entry that are in the pile, and those that are gone. counts: all copies, copies on the table and in hands.

    fields: names of the pile and of the gone cards. Raises ValueError for more cards than exist.
    """
    copies, out = counts
    pile, gone = (given[field] for field in fields)
    left = copies - out
    kept = left - (gone or {}).get(entry, 0) if pile is None else pile.get(entry, 0)
    lost = left - kept
    if left < 0 or kept < 0 or lost < 0:
        named = [f"{out} on the table and in hands"]
        named += [
            f"{given.get(entry, 0)} {field}" for field, given in zip(fields, (pile, gone), strict=True) if given is not None
        ]
        raise ValueError(f'{fields[0]}: of "{word}" there are {copies} in all, but {", ".join(named)}')
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
