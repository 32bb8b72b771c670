"""A whole card file of Card Rogue: fixed layouts, and checks between tables.

`[map] rows` of a fixed layout (ROGUE-107) are texts, one per row of the table, the farthest row first. A row is a list of
cell tokens with blanks between them. The last text is row 0, the first token of each is column 0; cells of the table
beyond them are empty. Masks are hex digits, the sum of N 1, E 2, S 4, W 8.

    .            nothing                              T:id  T:id/mask   trap
    S            start, exactly one, four paths       E:id              enemy
    P<mask>      plain tile                           O:id              potion of a colour
    L<mask>      ladder down                          A:id              artifact
    H  F  C      shop, fountain, chest; all four      K                 key
                 paths, or with a mask: Hb            ?                 before any other than S: lies face-down

Enemies, potions, artifacts and the key may lie on a plain tile: E:goblin/P5. Without one they are replaced when they go.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cardfiles.columns import Apart
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import Agreement, CardFile, Problem, Unique, within
from sim.games.cardrogue.cards.schema import (
    CHEST,
    KEY_ID,
    SPECIAL_TILES,
    Artifact,
    Character,
    Decks,
    Enemy,
    Gold,
    Item,
    Map,
    Potions,
    Rules,
    Shape,
    Table,
    Trap,
    tiles_in_order,
    types_in_order,
)
from sim.games.cardrogue.record import (
    CHARACTERS_MAX,
    ENEMIES_MAX,
    GOALS_MAX,
    ITEMS_MAX,
    TILES_MAX,
    TRAPS_MAX,
    TYPES_MAX,
    WEAPONS_MAX,
)

# fixed layouts

ALL_PATHS = 0xF
TILES = {"P": "floor", "S": "start", "L": "ladder", "H": "shop", "F": "fountain", "C": "chest", "T": "trap"}
LOOSE = {"E": "enemy", "O": "potion", "A": "artifact", "K": "key"}
KNOWN = "one of . S P<mask> L<mask> T:<trap> H F C E:<enemy> O:<colour> A:<artifact> K, or ? before one of these"
STEPS = ((1, 0, 0b0001), (0, 1, 0b0010), (-1, 0, 0b0100), (0, -1, 0b1000))  # rows, columns, path: N, E, S, W

_HEX = "([0-9a-fA-F])"
_TILE = re.compile(rf"(\?)?(?:(S)|([PL]){_HEX}|([HFC]){_HEX}?|(T):(\w+)(?:/{_HEX})?)")
_LOOSE = re.compile(rf"(\?)?(?:(K)|([EOA]):(\w+))(?:/P{_HEX})?")

Place = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Cell:
    """A cell token. tile: a value of TILES, "" for none. mask: paths of the tile; 15 without a tile.

    card: id of the card that lies there ("key" for the key), "" for none; letter: of the token. trap: id of the trap.
    """

    letter: str
    tile: str
    mask: int
    trap: str = ""
    card: str = ""
    down: bool = False


def read_token(token: str) -> Cell | None:
    """The cell of a token, None for an empty one. Raises ValueError with the reason if the token is invalid."""
    if token == ".":
        return None
    if match := _TILE.fullmatch(token):
        down, start, plain, plain_mask, special, special_mask, trap, trap_id, trap_mask = match.groups()
        letter = start or plain or special or trap
        digits = plain_mask or special_mask or trap_mask
        cell = Cell(letter, TILES[letter], _mask(digits), trap=trap_id or "", down=bool(down))
        if cell.down and start:
            raise ValueError("is a start that lies face-down; must be S")
    elif match := _LOOSE.fullmatch(token):
        down, key, letter, name, digits = match.groups()
        letter = key or letter
        cell = Cell(letter, TILES["P"] if digits else "", _mask(digits), card=name or "key", down=bool(down))
    else:
        raise ValueError(f"is no cell token; must be {KNOWN}")
    if cell.mask == 0:
        raise ValueError("has no path; the mask must be 1 to f")
    return cell


def _mask(digit: str | None) -> int:
    return int(digit, 16) if digit else ALL_PATHS


def cells_of(rows: list[str]) -> dict[Place, Cell]:
    """The cells of valid rows that hold something, by row and column of the table."""
    cells = {}
    for row, text in enumerate(reversed(rows)):
        for column, token in enumerate(text.split()):
            cell = read_token(token)
            if cell is not None:
                cells[row, column] = cell
    return cells


def _row_problems(rows: list[str], table: Place) -> Iterator[tuple[tuple[int, ...], str, str]]:
    if len(rows) > table[0]:
        yield (), f"are {len(rows)} rows", f"the table has {table[0]} (table.rows)"
    width = len(rows[0].split())
    for index, text in enumerate(rows):
        tokens = len(text.split())
        if tokens != width:
            yield (index,), f"has {tokens} cells", f"must have {width} like the first row"
        elif not 0 < tokens <= table[1]:
            yield (index,), f"has {tokens} cells", f"must have 1 to {table[1]} (table.columns)"


def _token_problems(rows: list[str], known: Mapping[str, list[str]]) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Problems for tokens that cannot be read, or name something that is not in the file."""
    for index, text in enumerate(rows):
        for column, token in enumerate(text.split()):
            place = f'token "{token}" (row {len(rows) - 1 - index}, column {column})'
            try:
                cell = read_token(token)
            except ValueError as error:
                wrong, _, right = str(error).partition("; ")
                yield (index,), f"{place} {wrong}", right
                continue
            named = (cell.trap or cell.card) if cell else ""
            if cell and named and named not in (names := known[cell.letter]):
                what = TILES.get(cell.letter) or LOOSE[cell.letter]
                yield (index,), f"{place} names no {what} of this file", did_you_mean(named, names)


def _start_problems(cells: dict[Place, Cell], fill: str, table: Place) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Problems for a start that is missing, shut in, or without a way to the ladder."""
    starts = [place for place, cell in cells.items() if cell.tile == "start"]
    if len(starts) != 1:
        yield (), f"have {len(starts)} starts", "exactly one cell must be S"
        return
    if not any(_beside(starts[0], cells, fill, table, flip=True)):
        yield (), "leave the start without an adjacent card", "a cell beside it must be open towards it"
    elif any(cell.tile == "ladder" for cell in cells.values()):
        reached = _reached(starts[0], cells, fill, table)
        if not any(place in reached and cell.tile == "ladder" for place, cell in cells.items()):
            right = "paths must lead from S to L, through enemies and face-down cards if need be"
            yield (), "leave the ladder out of reach of the start", right


def _reached(start: Place, cells: dict[Place, Cell], fill: str, table: Place) -> set[Place]:
    """Cells to which paths lead, whether or not something lies there; cells that the deck will fill can be anything."""
    seen, queue = {start}, [start]
    for here in queue:
        for place in _beside(here, cells, fill, table):
            if place not in seen:
                seen.add(place)
                queue.append(place)
    return seen


def _beside(here: Place, cells: dict[Place, Cell], fill: str, table: Place, flip: bool = False) -> Iterator[Place]:
    """Cells of the table to which a path leads from a cell. flip: a face-down card counts as open (ROGUE-16)."""
    mask = cells[here].mask if here in cells else ALL_PATHS
    for step, (rows, columns, path) in enumerate(STEPS):
        place = (here[0] + rows, here[1] + columns)
        cell = cells.get(place)
        back = STEPS[(step + 2) % len(STEPS)][2]
        if not mask & path or not (0 <= place[0] < table[0] and 0 <= place[1] < table[1]):
            continue
        if (cell is None and fill == "deck") or (cell and (cell.mask & back or (flip and cell.down))):
            yield place


# the whole file

SHAPES_MAX = TILES_MAX - len(SPECIAL_TILES) - TRAPS_MAX


SEATS_MAX = 4
EXPLORATION_MAX, PATHING_MAX, SHOP_MAX, ENEMY_CARDS_MAX = 128, 96, 32, 48
KEYS_MAX = 9
BOSSES_MAX = GOALS_MAX - 2  # each can be a goal, besides the chest and the debt
MODIFIERS_MAX = 100  # attack that all potions together can add or take away
DEBT_GOAL = "debt"
RESERVED = (KEY_ID, *SPECIAL_TILES, "ladder", "start", "source")
_IDS = ("enemy[].id", "artifact[].id", "trap[].id", "shape[].id", "potions.colours[]")

Where = tuple[str | int, ...]


class RogueFile(CardFile):
    """A whole card file of Card Rogue."""

    ENTRANTS: ClassVar[str] = "character"

    game: Literal["cardrogue"]
    # the record's columns go by card type, tile and cell, not by the places of these lists; `derive` writes them
    rules: Annotated[Rules, Apart()] = Rules()
    table: Annotated[Table, Apart()] = Table()
    gold: Annotated[Gold, Apart()] = Gold()
    character: Annotated[list[Character], Field(min_length=1, max_length=CHARACTERS_MAX), Apart()]
    enemy: Annotated[list[Enemy], Field(min_length=1, max_length=ENEMIES_MAX), Apart()]
    item: Annotated[list[Item], Field(max_length=ITEMS_MAX), Apart()] = Field(default_factory=list)
    artifact: Annotated[list[Artifact], Field(max_length=TYPES_MAX), Apart()] = Field(default_factory=list)
    potions: Annotated[Potions, Apart()]
    trap: Annotated[list[Trap], Field(max_length=TRAPS_MAX), Apart()] = Field(default_factory=list)
    shape: Annotated[list[Shape], Field(min_length=1, max_length=SHAPES_MAX), Apart()]
    decks: Annotated[Decks, Apart()]
    map: Annotated[Map, Apart()] = Map.model_construct(rows=[], fill="none", potions={})

    AGREEMENT: ClassVar[Agreement] = (
        Unique("item[].id", *_IDS, reserved=RESERVED, noun="card, tile and colour"),
        Unique(*_IDS, reserved=(DEBT_GOAL,)),
    )

    def type_ids(self) -> list[str]:
        """Ids of the card types, by number."""
        others = ([card.id for card in kind] for kind in (self.artifact, self.enemy, self.item))
        return types_in_order(self.potions.colours, *others)

    def tile_ids(self) -> list[str]:
        """Ids of the tiles, by number."""
        return tiles_in_order([shape.id for shape in self.shape], [trap.id for trap in self.trap])

    def own_copies(self) -> dict[str, tuple[str, int]]:
        """Cards of the exploration deck that have a field `copies`: by id, the name of that field and its value."""
        copies = dict.fromkeys(self.potions.colours, ("potions.copies", self.potions.copies))
        for kind, cards in (("artifact", self.artifact), ("enemy", self.enemy)):
            copies |= {card.id: (f"{kind}.{card.id}.copies", card.copies) for card in cards}
        return copies

    def exploration(self) -> dict[str, int]:
        """Copies in the exploration deck by entry: those of `decks.exploration`, and of the cards that it leaves out."""
        return {entry: copies for entry, (_, copies) in self.own_copies().items()} | self.decks.exploration.copies()

    def goal_ids(self) -> list[str]:
        """Possible goals of a lone player (ROGUE-106), in the order of the bits."""
        return [CHEST, DEBT_GOAL, *(enemy.id for enemy in self.enemy if enemy.boss)]

    def on_map(self) -> Counter[str]:
        """Copies of loose cards and special tiles on the fixed layout, which takes them out of the decks, by deck entry."""
        cells = cells_of(self.map.rows).values()
        words = (cell.card or cell.trap or (cell.tile if cell.tile in SPECIAL_TILES else "") for cell in cells)
        return Counter(word for word in words if word)

    def problems(self) -> Iterator[Problem]:
        """Problems that concern more than one field."""
        for key in ("gold", "potions"):
            yield from within((key,), getattr(self, key).problems())
        for key in ("character", "enemy", "item", "artifact"):
            for index, table in enumerate(getattr(self, key)):
                yield from within((key, index), table.problems())
        yield from _deck_problems(self)
        yield from _limit_problems(self)
        yield from _end_rush_problems(self)
        broken = [*_map_problems(self)] if self.map.rows else []
        yield from broken
        used = Counter[str]() if broken else self.on_map()
        yield from _character_problems(self, used)
        yield from _potion_problems(self, used)
        if not broken:
            yield from _supply_problems(self, used)


def _deck_problems(file: RogueFile) -> Iterator[Problem]:
    """Problems for copies that the deck and the card give differently."""
    exploration = file.decks.exploration.copies()
    for entry, (field, copies) in file.own_copies().items():
        if exploration.get(entry, copies) != copies:
            right = "the two must be the same; left out, the deck holds that many"
            yield Problem(("decks", "exploration", entry), f"but {field} = {copies}", right)


def _limit_problems(file: RogueFile) -> Iterator[Problem]:
    """Problems for more cards or kinds than there is room for, or fewer than are laid out."""
    exploration, pathing = (sum(copies.values()) for copies in (file.exploration(), file.decks.pathing.copies()))
    bosses = sum(enemy.boss for enemy in file.enemy)
    weapons = sum(item.kind == "weapon" for item in file.item)
    keys = file.decks.exploration.copies().get(KEY_ID, 0)
    counts: list[tuple[Where, int, int, str]] = [
        (("decks", "exploration"), exploration, EXPLORATION_MAX, "cards"),
        (("decks", "exploration"), sum(enemy.copies for enemy in file.enemy), ENEMY_CARDS_MAX, "enemies"),
        (("decks", "exploration", KEY_ID), keys, KEYS_MAX, "keys"),
        (("decks", "pathing"), pathing, PATHING_MAX, "cards"),
        (("item",), sum(item.copies for item in file.item), SHOP_MAX, "cards"),
        (("item",), weapons, WEAPONS_MAX - 1, "kinds of weapons"),
        (("enemy",), bosses, BOSSES_MAX, "kinds of bosses"),
        (("artifact",), len(file.type_ids()), TYPES_MAX, "kinds of cards with those of the other tables"),
    ]
    for place, count, most, what in counts:
        if count > most:
            yield Problem(place, f"{count} {what} are too many", f"at most {most}")
    laid = file.table.gap * (SEATS_MAX - 1) + SEATS_MAX + 2
    columns = (file.table.gap + 1) * (SEATS_MAX - 1) + 3
    if not file.map.rows and exploration < laid:
        yield Problem(("decks", "exploration"), f"{exploration} cards are too few", f"four players lay out {laid}")
    if not file.map.rows and file.table.columns < columns:
        right = f"four players with a gap of {file.table.gap} need at least {columns}"
        yield Problem(("table", "columns"), "is too small", right)


def _character_problems(file: RogueFile, used: Counter[str]) -> Iterator[Problem]:
    """Problems for characters that artifacts could leave without health.

    used: copies on the layout.
    """
    lost = sum(
        -effect.n * max(artifact.copies, used[artifact.id])
        for artifact in file.artifact
        for effect in artifact.effects
        if effect.op == "max_health" and effect.n < 0
    )
    for index, character in enumerate(file.character):
        health = character.max_health or file.rules.base_max_health
        if health <= lost:
            wrong = f"leaves no health ({health}) when artifacts take {lost} away"
            yield Problem(("character", index, "max_health"), wrong, f"must be at least {lost + 1}")


def _end_rush_problems(file: RogueFile) -> Iterator[Problem]:
    """ROGUE-103. One card begins the end rush."""
    rush = [index for index, enemy in enumerate(file.enemy) if enemy.end_rush]
    if len(rush) != 1:
        wrong = f"have {len(rush)} with end_rush = true"
        yield Problem(("enemy",), wrong, "exactly one begins the end rush (ROGUE-103)")
    elif file.enemy[rush[0]].copies != 1:
        right = "must be 1: exactly one card begins the end rush (ROGUE-103)"
        yield Problem(("enemy", rush[0], "copies"), "is given to the enemy with end_rush = true", right)


def _potion_problems(file: RogueFile, used: Counter[str]) -> Iterator[Problem]:
    """Problem if all potions together could change an attack by more than a state can hold. used: copies on the layout."""
    copies = max([file.potions.copies, *(used[colour] for colour in file.potions.colours)])
    for use in ("drink", "throw"):
        effects = [getattr(effect, use) for effect in file.potions.effect]
        changes = [effect.n for effect in effects if effect.op == "attack_mod"]
        most = max(sum(max(0, sign * n) for n in changes) for sign in (1, -1)) * copies
        if most > MODIFIERS_MAX:
            wrong = f"could change an attack by {most}"
            right = f"copies of a colour times the sum of n is at most {MODIFIERS_MAX}"
            yield Problem(("potions", "copies"), wrong, right)
            return


def _map_problems(file: RogueFile) -> Iterator[Problem]:
    """Problems of the fixed layout."""
    known = {
        "T": [trap.id for trap in file.trap],
        "E": [enemy.id for enemy in file.enemy],
        "O": file.potions.colours,
        "A": [artifact.id for artifact in file.artifact],
        "K": [KEY_ID],
    }
    table = (file.table.rows, file.table.columns)
    broken = [*_row_problems(file.map.rows, table), *_token_problems(file.map.rows, known)]
    broken = broken or [*_start_problems(cells_of(file.map.rows), file.map.fill, table)]
    yield from (Problem(("map", "rows", *place), wrong, right) for place, wrong, right in broken)
    if not broken:
        yield from _map_card_problems(file)


def _map_card_problems(file: RogueFile) -> Iterator[Problem]:
    """Problems for more cards on the layout than there are in the decks, or than a game can hold."""
    used, place = file.on_map(), ("map", "rows")
    if file.map.fill == "deck":
        decks = [file.exploration(), file.decks.pathing.copies()]
        for entry, count in used.items():
            if count > (there := sum(deck.get(entry, 0) for deck in decks)):
                wrong = f"hold {count} of {entry}, and the decks {there}"
                yield Problem(place, wrong, 'with fill = "deck" cards of the layout come out of the decks')
    enemies = sum(used[enemy.id] for enemy in file.enemy)
    for count, most, what in (
        (used.total(), EXPLORATION_MAX, "cards"),
        (enemies, ENEMY_CARDS_MAX, "enemies"),
        (used[KEY_ID], KEYS_MAX, "keys"),
    ):
        if count > most:
            yield Problem(place, f"hold {count} {what}", f"at most {most}")


def _supply_problems(file: RogueFile, used: Counter[str]) -> Iterator[Problem]:
    """Problems for a key without a chest or the reverse, and for goals that cannot be reached. used: copies on the layout."""
    supply = Counter(file.decks.pathing.copies())  # copies that can come up in a game
    if not file.map.rows or file.map.fill == "deck":
        supply.update(file.exploration())
    if file.map.fill == "none":
        supply += used
    box = used + Counter(file.exploration()) + Counter(file.decks.pathing.copies())
    if bool(box[KEY_ID]) != bool(box[CHEST]):
        there, other = (KEY_ID, CHEST) if box[KEY_ID] else (CHEST, KEY_ID)
        yield Problem(("decks",), f"hold a {there} but no {other}", "there must be both or neither")
    debts = [item.id for item in file.item if item.kind == "debt" and item.copies]
    needs = {enemy.id: supply[enemy.id] for enemy in file.enemy if enemy.boss}
    needs |= {CHEST: supply[KEY_ID] and supply[CHEST], DEBT_GOAL: len(debts) and supply["shop"]}
    for index, goal in enumerate(file.rules.goals):
        if goal in needs and not needs[goal]:
            right = "must be within reach; a fixed layout with a ladder needs no goal at all"
            yield Problem(("rules", "goals", index), "is a goal whose cards are not in the game", right)
    ladder = any(cell.tile == "ladder" for cell in cells_of(file.map.rows).values())
    if not file.rules.goals and not ladder:
        yield Problem(("rules", "goals"), "leaves a lone player nothing to do", "must name at least one goal")
