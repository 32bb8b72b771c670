"""Cards of a card file of Riftborn Tactics by their type (register section 2.2): fields and ranges."""

from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier, Source, Text
from sim.games.riftborn.keywords import KEYWORDS_MAX, KeywordText
from sim.games.riftborn.record import ENTRIES, LEVELS, TRICK_LISTS
from sim.games.riftborn.vocabulary import XP_MAX, Effect

ATTACK_MAX = 50
HEALTH_MAX = 60
USES_MAX = 20
BONUS_MAX = 10

Level = Annotated[int, Field(ge=1, le=LEVELS)]
Nothing = Annotated[int, Field(ge=0, le=0)]
Attack = Annotated[int, Field(ge=0, le=ATTACK_MAX)]
Health = Annotated[int, Field(ge=1, le=HEALTH_MAX)]
Bonus = Annotated[int, Field(ge=-BONUS_MAX, le=BONUS_MAX)]
Effects = Annotated[list[Effect], Field(min_length=1, max_length=ENTRIES, description="effects")]
Keywords = Annotated[list[KeywordText], Field(max_length=KEYWORDS_MAX, description="abilities")]
Family = Annotated[  # as `Text`, but may be empty
    str,
    Field(
        max_length=60,
        pattern=r"^[^\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}]*$",
        description="text of at most 60 characters without control characters, or empty",
    ),
]


def titled(word: str) -> str:
    """Name of what has none of its own, by its id: `beast_cub` is `Beast Cub`, `tok_bones` is `Bones`."""
    return word.removeprefix("tok_").replace("_", " ").title()


class Aura(CardModel):
    """`aura`: what an AURA gives, at least one of attack, health and keyword."""

    side: Literal["friend", "enemy", "all"]
    attack: Bonus = 0
    health: Bonus = 0
    keyword: KeywordText = ""
    source: Source = None


class Card(CardModel):
    """What all cards have. name: by the id unless it is given, see `titled`."""

    id: Identifier
    name: Text = ""
    family: Family = ""
    xp: Annotated[int, Field(ge=0, le=XP_MAX)]
    keywords: Keywords = Field(default_factory=list)
    source: Source = None

    @property
    def title(self) -> str:
        """Name as it is shown."""
        return self.name or titled(self.id)


class Body(Card):
    """What stands in a formation. A field that is not given stands for none: see `model_fields_set`."""

    attack: Attack
    health: Health
    aura: Aura = Aura(side="friend")
    double_retarget: bool = False
    summon: Identifier = ""
    transform: Identifier = ""
    spell_action: Effects = Field(default_factory=list)


class Creature(Body):
    """A creature. tricks: an effect list for each TRICK."""

    type: Literal["creature"]
    level: Level
    tricks: Annotated[list[Effects], Field(min_length=1, max_length=TRICK_LISTS)] = Field(default_factory=list)


class Token(Body):
    """A creature that only other cards bring into play."""

    type: Literal["token"]
    level: Nothing = 0


class Weapon(Card):
    """A Weapon. health: uses."""

    type: Literal["weapon"]
    level: Level
    attack: Attack
    health: Annotated[int, Field(ge=1, le=USES_MAX)]


class Armour(Card):
    """An Armour. health: points."""

    type: Literal["armour"]
    level: Level
    attack: Nothing = 0
    health: Health


class Spell(Card):
    """A Spell."""

    type: Literal["spell"]
    level: Level
    attack: Nothing = 0
    health: Nothing = 0
    effects: Annotated[list[Effect], Field(max_length=ENTRIES, description="effects")] = Field(default_factory=list)


AnyCard = Annotated[Creature | Weapon | Armour | Spell | Token, Field(discriminator="type")]
