"""Tables of a card file of Runeslingers (register section 2.1): ailments, Runeslingers, stances, abilities, cards."""

from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier, Source, Text
from sim.games.runeslingers.record import ACTIVATED, BULLETS, LIST_MAX
from sim.games.runeslingers.vocabulary import AilmentName, Effect, Static, Trigger

HEALTH_MAX = 60
DEFENCE_MAX = 30
COST_MAX = 9
TOKENS_MAX = 20

LightCost = Annotated[int, Field(ge=0, le=6)]
PerTurn = Annotated[int, Field(ge=0, le=9)]  # 0: no limit
Statics = Annotated[list[Static], Field(max_length=2, description="statics")]
CardStatics = Annotated[list[Static], Field(max_length=3, description="statics")]
FewEffects = Annotated[list[Effect], Field(max_length=2, description="effects")]
OneOrTwo = Annotated[list[Effect], Field(min_length=1, max_length=2, description="effects")]
Keyword = Literal["pierce", "shout", "choice", "fate", "token", "charge", "use", "distract"]


def titled(word: str) -> str:
    """Name of what has none of its own, by its id: `small_bolt` is `Small Bolt`."""
    return word.replace("_", " ").title()


class Named(CardModel):
    """What has an id and a name. name: by the id unless it is given, see `titled`."""

    id: Identifier
    name: Text = ""
    source: Source = None

    @property
    def title(self) -> str:
        """Name as it is shown."""
        return self.name or titled(self.id)


class AilmentTable(Named):
    """`[[ailment]]`: what its instances do, and from `threshold` exposed ones on (level II) the last three fields."""

    id: AilmentName
    on_apply: FewEffects = Field(default_factory=list)
    per_instance: Statics = Field(default_factory=list)
    while_any: Statics = Field(default_factory=list)
    threshold: Annotated[int, Field(ge=1, le=20)]
    level2: Statics = Field(default_factory=list)
    ailment_phase: FewEffects = Field(default_factory=list)
    after_draw: FewEffects = Field(default_factory=list)


class Inherent(CardModel):
    """The inherent ability of a Runeslinger (RUNE-41)."""

    light: LightCost
    per_turn: PerTurn = 0
    effects: OneOrTwo
    source: Source = None


class Classed(Named):
    """What belongs to a class of Runeslingers."""

    class_: Text = Field(alias="class")


class Runeslinger(Classed):
    """`[[runeslinger]]`."""

    health: Annotated[int, Field(ge=1, le=HEALTH_MAX)]
    block: Annotated[int, Field(ge=0, le=12)]
    inherent: Inherent


class Stance(Classed):
    """`[[stance]]`: always on."""

    statics: CardStatics = Field(default_factory=list)
    triggers: Annotated[list[Trigger], Field(max_length=2, description="triggers")] = Field(default_factory=list)


class Ability(Classed):
    """`[[ability]]`: paid with determination (RUNE-42)."""

    determination: Annotated[int, Field(ge=1, le=4)]
    effects: Annotated[list[Effect], Field(min_length=1, max_length=3, description="effects")]


class ExtraCost(CardModel):
    """`extra_cost`: cards of the hand that are discarded when the card is paid."""

    discard: Annotated[int, Field(ge=0, le=3)]
    source: Source = None


class Activated(CardModel):
    """An activated effect of a defence card (RUNE-43, 45)."""

    light: LightCost = 0
    tokens: Annotated[int, Field(ge=0, le=TOKENS_MAX)] = 0
    use: bool = False
    per_turn: PerTurn = 0
    effects: OneOrTwo
    source: Source = None


class Card(Named):
    """`[[card]]`. `checks.py` says which fields go with which type and keyword."""

    type: Literal["spirit", "attack", "utility", "chant", "trinket", "boon"]
    affiliation: Text = "Basic"
    cost: Annotated[int, Field(ge=0, le=COST_MAX)]
    defence: Annotated[int, Field(ge=0, le=DEFENCE_MAX)] = 0
    x: bool = False
    rarity: Literal["common", "uncommon", "rare"]
    keywords: Annotated[list[Keyword], Field(max_length=3, description="keywords")] = Field(default_factory=list)
    tokens: Annotated[int, Field(ge=1, le=TOKENS_MAX)] = 1
    extra_cost: ExtraCost = ExtraCost(discard=0)
    effects: Annotated[list[Effect], Field(max_length=LIST_MAX, description="effects")] = Field(default_factory=list)
    bullets: Annotated[list[OneOrTwo], Field(min_length=2, max_length=BULLETS, description="lists of effects")] = Field(
        default_factory=list
    )
    statics: CardStatics = Field(default_factory=list)
    triggers: Annotated[list[Trigger], Field(max_length=3, description="triggers")] = Field(default_factory=list)
    activated: Annotated[list[Activated], Field(max_length=ACTIVATED, description="activated effects")] = Field(
        default_factory=list
    )
