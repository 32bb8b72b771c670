"""What a card file of Runeslingers may hold (register section 2.1): rules, ailments, Runeslingers with equips, cards, decks.

`tables.py` has the tables, `vocabulary.py` their effects; `checks.py` and `sense.py` hold them against each other.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from sim.engine.cards import CardModel, Identifier, Source
from sim.games.runeslingers.record import DECK_MAX
from sim.games.runeslingers.tables import Named

DECK_LEAST = 20  # cards

Copies = Annotated[int, Field(ge=1, le=4)]


class Rules(CardModel):
    """`[rules]`: constants, and the variant switches of register section 8."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {
            *(
                "start_power",
                "start_hand",
                "start_concentrations",
                "deck_size",
                "max_copies",
                "max_copies_x",
                "max_hand",
            ),
            *("concentration_areas", "ailment_areas", "ailment_limit", "draw", "first_draw", "pass_draw"),
            "second_draw",
            *("sets_per_turn", "blocks_per_turn", "turn_cap", "source"),
        }
    )  # numbers, which are no switches

    start_power: Annotated[int, Field(ge=1, le=9)] = 5
    start_hand: Annotated[int, Field(ge=1, le=8)] = 5
    start_concentrations: Annotated[int, Field(ge=1, le=1)] = 1
    deck_size: Annotated[int, Field(ge=DECK_LEAST, le=DECK_MAX)] = 30
    max_copies: Copies = 2
    max_copies_x: Copies = 1
    max_hand: Annotated[int, Field(ge=1, le=12)] = 8
    concentration_areas: Annotated[int, Field(ge=1, le=6)] = 6
    ailment_areas: Annotated[int, Field(ge=1, le=4)] = 4
    ailment_limit: Annotated[int, Field(ge=2, le=20)] = 8
    draw: Annotated[int, Field(ge=1, le=4)] = 2
    first_draw: Annotated[int, Field(ge=0, le=4)] = 1
    second_draw: Annotated[int, Field(ge=-4, le=4)] = 0
    pass_draw: Annotated[int, Field(ge=1, le=4)] = 1
    sets_per_turn: Annotated[int, Field(ge=1, le=3)] = 1
    blocks_per_turn: Annotated[int, Field(ge=1, le=3)] = 1
    turn_cap: Annotated[int, Field(ge=20, le=1000)] = 200
    answer_on: Literal["runespell", "any_card", "nothing"] = "runespell"
    deck_out: Literal["immediate", "on_need"] = "immediate"
    concealed_type: Literal["free_area", "blocked"] = "free_area"
    pierce_barrier: Literal["stops", "ignores"] = "stops"
    hand_limit: Literal["all", "draws"] = "all"
    double_loss: Literal["draw", "active_wins", "active_loses"] = "draw"
    slot_choice: Literal["distinct", "full", "auto"] = "distinct"
    float_light: bool = False
    ailment_phase_order: Literal["effects_first", "removal_first"] = "effects_first"
    draft_copies: Literal["free", "constructed"] = "free"
    first: Literal["choose", "random", "seat0"] = "choose"
    own_targets: bool = True
    source: Source = None


class DeckCards(CardModel):
    """`cards` of a deck: card id -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]

    def copies(self) -> dict[str, int]:
        """Copies by card id, in the order of the list."""
        return dict(self.__pydantic_extra__)


class Deck(Named):
    """`[[deck]]`: an entrant. runeslinger, stance, ability: its loadout. mode: how it was put together (RUNE-140 to 142)."""

    runeslinger: Identifier
    stance: Identifier
    ability: Identifier
    mode: Literal["constructed", "sealed", "draft"] = "constructed"
    cards: DeckCards
