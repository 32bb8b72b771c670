"""The closed list of effects (register section 2.3): what Spells, SPELL actions and TRICK cards do.

Each class is one `op` with its parameters and their ranges; those that have creatures as targets are OnCreatures.
"""

from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier
from sim.games.riftborn.keywords import LOOK_MAX, X_MAX, KeywordText
from sim.games.riftborn.record import LEVELS

CHOSEN_MAX = 5
POINTS_MAX = 60  # of damage and healing
TOKENS_MAX = 20
XP_MAX = 5000
SIDED = ("chosen", "each", "row")  # targets of a side

Points = Annotated[int, Field(ge=1, le=POINTS_MAX)]
Looked = Annotated[int, Field(ge=1, le=LOOK_MAX)]
TokenKind = Literal["rage", "health", "shield", "weakness", "decay"]


class OnCreatures(CardModel):
    """An effect on creatures. side: of chosen, each, row; count, where: of chosen."""

    target: Literal["self", "chosen", "each", "row", "trigger", "subject", "same"]
    side: Literal["friend", "enemy", "any"] = "any"
    count: Annotated[int, Field(ge=1, le=CHOSEN_MAX)] = 1
    where: Literal["any", "adjacent"] = "any"


class Damage(OnCreatures):
    """RIFT-15, 63. Damage that is no attack."""

    op: Literal["damage"]
    n: Points


class Heal(OnCreatures):
    """RIFT-64. Damage tokens go."""

    op: Literal["heal"]
    n: Points


class Add(OnCreatures):
    """RIFT-66 to 68. Tokens come."""

    op: Literal["add"]
    kind: TokenKind
    n: Annotated[int, Field(ge=1, le=TOKENS_MAX)]


class Clear(OnCreatures):
    """RIFT-66 to 68. Tokens go."""

    op: Literal["clear"]
    kind: TokenKind
    n: Annotated[int, Field(ge=1, le=TOKENS_MAX)]


class Grant(OnCreatures):
    """RIFT-60. An ability for good."""

    op: Literal["grant"]
    keyword: KeywordText


class Lose(OnCreatures):
    """RIFT-60. An ability less, for good."""

    op: Literal["lose"]
    keyword: KeywordText


class Destroy(OnCreatures):
    """RIFT-70. Damage tokens up to the maximum Health."""

    op: Literal["destroy"]


class Charm(OnCreatures):
    """RIFT-82. As CHARM."""

    op: Literal["charm"]


class Pacify(OnCreatures):
    """RIFT-94. As PACIFY."""

    op: Literal["pacify"]


class DamagePlayer(CardModel):
    """RIFT-51. Damage to players."""

    op: Literal["damage_player"]
    n: Points
    who: Literal["own", "enemy", "both"]


class HealPlayer(CardModel):
    """Own life, at most to where it started."""

    op: Literal["heal_player"]
    n: Points


class DrawCards(CardModel):
    """RIFT-87. As DRAW."""

    op: Literal["draw"]
    n: Annotated[int, Field(ge=1, le=X_MAX)]


class Scry(CardModel):
    """RIFT-104. As SCRY."""

    op: Literal["scry"]
    n: Looked


class Spy(CardModel):
    """RIFT-107. As SPY."""

    op: Literal["spy"]
    n: Looked


class Recall(CardModel):
    """RIFT-123. The own discard pile is shuffled into the own library."""

    op: Literal["recall"]


class GainXp(CardModel):
    """RIFT-21. Own experience."""

    op: Literal["gain_xp"]
    n: Annotated[int, Field(ge=1, le=XP_MAX)]


class Summon(CardModel):
    """RIFT-27. Tokens on any legal places."""

    op: Literal["summon"]
    token: Identifier
    n: Annotated[int, Field(ge=1, le=X_MAX)]


class PlayFree(CardModel):
    """RIFT-27. A creature from the hand without using budget."""

    op: Literal["play_free"]
    max_level: Annotated[int, Field(ge=1, le=LEVELS)]


Effect = Annotated[
    Damage
    | Heal
    | Add
    | Clear
    | Grant
    | Lose
    | Destroy
    | Charm
    | Pacify
    | DamagePlayer
    | HealPlayer
    | DrawCards
    | Scry
    | Spy
    | Recall
    | GainXp
    | Summon
    | PlayFree,
    Field(discriminator="op"),
]
