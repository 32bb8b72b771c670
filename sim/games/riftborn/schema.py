"""What a card file of Riftborn Tactics may hold (register sections 2.1, 2.2, 2.5): rules, cards, decks.

`tables.py` has the cards, `vocabulary.py` their effects, `keywords.py` their abilities; `checks.py` holds the tables against
each other.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from sim.engine.cards import CardModel, Identifier, Source, Text
from sim.games.riftborn.record import DECK_MAX, LEVELS
from sim.games.riftborn.tables import titled

DECK_LEAST = 10  # cards; the largest hand has so many
XP_MOST = 10_000_000
LEVEL_XP = (
    *(0, 500, 1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000),
    *(25000, 30000, 35000, 40000, 45000, 50000, 55000, 60000, 65000, 70000),
)

Copies = Annotated[int, Field(ge=0, le=DECK_MAX)]
DeckSize = Annotated[int, Field(ge=DECK_LEAST, le=DECK_MAX)]


class Rules(CardModel):
    """`[rules]`: constants, and the variant switches of register section 8."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("start_life", "start_hand", "mulligans", "turn_xp", "turn_draw", "first_player_first_draw"),
            *("second_draw", "second_xp"),
            *("retaliation_divisor", "flight_range", "max_rows", "max_per_row", "turn_cap", "level_xp", "deck_min"),
            *("deck_max", "copies_hero", "copies_weapon", "copies_armour", "copies_spell", "copies_other", "source"),
        }
    )  # numbers, which are no switches

    start_life: Annotated[int, Field(ge=1, le=500)] = 50
    start_hand: Annotated[int, Field(ge=0, le=10)] = 5
    mulligans: Annotated[int, Field(ge=0, le=3)] = 1
    turn_xp: Annotated[int, Field(ge=0, le=5000)] = 300
    turn_draw: Annotated[int, Field(ge=0, le=5)] = 1
    first_player_first_draw: Annotated[int, Field(ge=0, le=5)] = 0
    second_draw: Annotated[int, Field(ge=-1, le=5)] = 0
    second_xp: Annotated[int, Field(ge=-5000, le=5000)] = 0
    retaliation_divisor: Annotated[int, Field(ge=1, le=10)] = 2
    flight_range: Annotated[int, Field(ge=1, le=9)] = 2
    max_rows: Annotated[int, Field(ge=1, le=3)] = 3
    max_per_row: Annotated[int, Field(ge=1, le=5)] = 5
    turn_cap: Annotated[int, Field(ge=40, le=2000)] = 400
    level_xp: Annotated[
        list[Annotated[int, Field(ge=0, le=XP_MOST)]],
        Field(min_length=LEVELS, max_length=LEVELS, description="experience for level 1, 2, ..."),
    ] = Field(default_factory=lambda: [*LEVEL_XP])
    deck_min: DeckSize = 40
    deck_max: DeckSize = 60
    copies_hero: Copies = 1
    copies_weapon: Copies = 2
    copies_armour: Copies = 2
    copies_spell: Copies = 3
    copies_other: Copies = 0
    level_budget: Literal["live", "snapshot"] = "live"
    aoo_xp: bool = False
    adjacent_enemies: Literal["touching", "contact"] = "touching"
    clear_path: Literal["half", "nearest"] = "half"
    contact_retaliation: bool = True
    dead_retaliate: bool = True
    rage_before_retaliation: bool = True
    mutual_kill_xp: bool = True
    kill_xp: Literal["attacks", "any_own_damage"] = "attacks"
    siphon_timing: Literal["strike", "exchange"] = "strike"
    siphon_counts: Literal["full", "effective"] = "full"
    relentless_on: Literal["any", "attack"] = "any"
    stealth_cover: Literal["always", "face_down"] = "always"
    morale_start: Literal["attack", "health"] = "attack"
    weapon_uses: Literal["once", "unlimited"] = "once"
    transform_keeps: Literal["nothing", "tokens"] = "nothing"
    source: Source = None


class DeckCards(CardModel):
    """`cards` of a deck: card id -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]

    def copies(self) -> dict[str, int]:
        """Copies by card id, in the order of the list."""
        return dict(self.__pydantic_extra__)


class Deck(CardModel):
    """`[[deck]]`: an entrant. name: by the id unless it is given."""

    id: Identifier
    name: Text = ""
    cards: DeckCards
    source: Source = None

    @property
    def title(self) -> str:
        """Name as it is shown."""
        return self.name or titled(self.id)
