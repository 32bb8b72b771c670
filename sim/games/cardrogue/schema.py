"""A whole card file of Card Rogue (register section 2.1); `checks.py` holds its tables against each other."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardFile, Problem
from sim.games.cardrogue import checks, layout
from sim.games.cardrogue.names import CHEST, SPECIAL_TILES, tiles_in_order, types_in_order
from sim.games.cardrogue.record import CHARACTERS_MAX, ENEMIES_MAX, ITEMS_MAX, TILES_MAX, TRAPS_MAX, TYPES_MAX
from sim.games.cardrogue.rules import Gold, Rules, Table
from sim.games.cardrogue.tables import Artifact, Character, Decks, Enemy, Item, Map, Potions, Shape, Trap

SHAPES_MAX = TILES_MAX - len(SPECIAL_TILES) - TRAPS_MAX


class RogueFile(CardFile):
    """A whole card file of Card Rogue."""

    game: Literal["cardrogue"]
    rules: Rules = Rules()
    table: Table = Table()
    gold: Gold = Gold()
    character: Annotated[list[Character], Field(min_length=1, max_length=CHARACTERS_MAX)]
    enemy: Annotated[list[Enemy], Field(min_length=1, max_length=ENEMIES_MAX)]
    item: Annotated[list[Item], Field(max_length=ITEMS_MAX)] = Field(default_factory=list)
    artifact: Annotated[list[Artifact], Field(max_length=TYPES_MAX)] = Field(default_factory=list)
    potions: Potions
    trap: Annotated[list[Trap], Field(max_length=TRAPS_MAX)] = Field(default_factory=list)
    shape: Annotated[list[Shape], Field(min_length=1, max_length=SHAPES_MAX)]
    decks: Decks
    map: Map = Map.model_construct(rows=[], fill="none", potions={})

    def type_ids(self) -> list[str]:
        """Ids of the card types, by number."""
        others = ([card.id for card in kind] for kind in (self.artifact, self.enemy, self.item))
        return types_in_order(self.potions.colours, *others)

    def tile_ids(self) -> list[str]:
        """Ids of the tiles, by number."""
        return tiles_in_order([shape.id for shape in self.shape], [trap.id for trap in self.trap])

    def own_copies(self) -> dict[str, tuple[str, int]]:
        """Cards of the exploration deck whose own table says how many there are: by id, that field and its value."""
        found = dict.fromkeys(self.potions.colours, ("potions.copies", self.potions.copies))
        for kind, cards in (("artifact", self.artifact), ("enemy", self.enemy)):
            found |= {card.id: (f"{kind}.{card.id}.copies", card.copies) for card in cards}
        return found

    def exploration(self) -> dict[str, int]:
        """Copies in the exploration deck by entry: of `decks.exploration`, and of the cards that it leaves out."""
        return {entry: copies for entry, (_, copies) in self.own_copies().items()} | self.decks.exploration.copies()

    def goal_ids(self) -> list[str]:
        """What a lone player may be asked to do (ROGUE-106), in the order of the bits."""
        return [CHEST, checks.DEBT_GOAL, *(enemy.id for enemy in self.enemy if enemy.boss)]

    def on_map(self) -> Counter[str]:
        """Copies of cards and special tiles that lie on the fixed layout, by deck entry."""
        return layout.cards_used(layout.cells_of(self.map.rows))

    def problems(self) -> Iterator[Problem]:
        """Everything of register section 2.1 that concerns more than one field."""
        yield from checks.problems(self)
