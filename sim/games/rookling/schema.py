"""What a card file of Rookling Heroes may hold (register section 2.2): tables and ranges.

`tables.py` has tokens and field effects, `effects.py` the effects of lines; `checks.py` holds the tables against each other.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from sim.engine.cards import CardFile, CardModel, Identifier, Problem, Source, Text
from sim.games.rookling import checks
from sim.games.rookling.effects import Effect
from sim.games.rookling.record import COLOURS_MAX, EFFECTS, FIELD_EFFECTS_MAX, LINES, NUMBERS, ROOKLINGS_MAX, TOKENS
from sim.games.rookling.tables import FieldEffect, Token

LIFE_MAX = 15
HAND_MAX = 6
ROOKLINGS_MIN = 6  # two squads of three must be possible without a Rookling in both

Life = Annotated[int, Field(ge=1, le=LIFE_MAX)]
Hand = Annotated[int, Field(ge=1, le=HAND_MAX)]
Number = Annotated[int, Field(ge=1, le=18)]
Amount = Annotated[int, Field(ge=1, le=12)]
Bonus = Annotated[int, Field(ge=1, le=6)]
Copies = Annotated[
    list[Annotated[int, Field(ge=0, le=9)]],
    Field(max_length=NUMBERS, description="copies of the cards with number 1, 2, ..."),
]
Family = Annotated[  # as `Text`, but may be empty
    str,
    Field(
        max_length=60,
        pattern=r"^[^\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}]*$",
        description="text of at most 60 characters without control characters, or empty",
    ),
]


class Rules(CardModel):
    """`[rules]`: constants, and the variant switches of register section 8."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {"start_life", "heal_cap", "hand", "hand_max", "turn_cap", "second_hand", "source"}
    )  # numbers, which are no switches

    start_life: Life = 6
    heal_cap: Life = 6
    hand: Hand = 4
    hand_max: Hand = 6
    second_hand: Annotated[int, Field(ge=-5, le=5)] = 0
    turn_cap: Annotated[int, Field(ge=20, le=2000)] = 200
    squad_mode: Literal["choose", "random", "draft"] = "choose"
    mirror: bool = False
    first_attacker: Literal["coin", "drafter1", "drafter2"] = "coin"
    opening_row: Literal["defender_first", "random"] = "defender_first"
    draw_mode: Literal["up_to", "new_hand"] = "up_to"
    dump: bool = True
    one_line_per_rookling: bool = False
    charge_colour: Literal["same_colour", "any_match"] = "same_colour"
    siege_chain_blocks: bool = False
    hold_block: Literal["if_more", "free"] = "if_more"
    hit_on_landing: bool = False
    poison_clear_draw: Literal["strict", "lenient"] = "strict"
    e1_order: Literal["heal_first", "damage_first"] = "heal_first"
    source: Source = None


class Counts(CardModel):
    """`[energy.counts]`: by colour, the copies of each number."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Copies]
    source: Source = None

    def by_colour(self) -> dict[str, list[int]]:
        """Copies of number 1, 2, ... by colour."""
        return dict(self.__pydantic_extra__)


class Energy(CardModel):
    """`[energy]`: the energy deck."""

    colours: Annotated[list[Identifier], Field(min_length=2, max_length=COLOURS_MAX, description="colours")]
    counts: Counts
    source: Source = None


class Siege(CardModel):
    """`siege`: the numbers that the other side of the card has instead; 0 stands for those that it shares."""

    number: Number = 0
    amount: Amount = 0
    match_bonus: Bonus = 0
    value: Bonus = 0
    source: Source = None


class Line(CardModel):
    """An ability: its threshold (number, and colour or `any`)."""

    name: Text
    number: Number
    colour: Identifier
    siege: Siege = Siege()
    source: Source = None


class PointsLine(Line):
    """An ability that is worth points, more with a card of the match colour; "" and 0 stand for no match."""

    amount: Amount
    match_colour: Identifier = ""
    match_bonus: Bonus = 0
    effects: Annotated[list[Effect], Field(max_length=EFFECTS)] = Field(default_factory=list)


class Attack(PointsLine):
    """A line that attacks."""

    kind: Literal["attack"]


class Defence(PointsLine):
    """A line that blocks."""

    kind: Literal["defence"]


class Special(Line):
    """A line that does something else."""

    kind: Literal["special"]
    effects: Annotated[list[Effect], Field(min_length=1, max_length=EFFECTS)]


AnyLine = Annotated[Attack | Defence | Special, Field(discriminator="kind")]


class Rookling(CardModel):
    """`[[rookling]]`: a card of two sides. life: 0 stands for `rules.start_life`."""

    id: Identifier
    name: Text
    family: Family = ""
    life: Life = 0
    line: Annotated[list[AnyLine], Field(min_length=3, max_length=LINES, description="[[rookling.line]]")]
    source: Source = None


class RooklingFile(CardFile):
    """A whole card file of Rookling Heroes."""

    game: Literal["rookling"]
    rules: Rules = Rules()
    energy: Energy
    token: Annotated[list[Token], Field(max_length=TOKENS)] = Field(default_factory=list)
    field_effect: Annotated[list[FieldEffect], Field(max_length=FIELD_EFFECTS_MAX)] = Field(default_factory=list)
    rookling: Annotated[list[Rookling], Field(min_length=ROOKLINGS_MIN, max_length=ROOKLINGS_MAX)]

    def problems(self) -> Iterator[Problem]:
        """Everything of register section 2.2 that concerns more than one field."""
        yield from checks.problems(self)
