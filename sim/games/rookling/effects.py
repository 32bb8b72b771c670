"""The closed list of effects of lines (register section 2.3): what an ability of a Rookling can do besides its points.

Each class is one `do` with its parameters and their ranges; ON says which kind of line may have it. MOST is the largest n,
on either side of the card.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier

ScopeName = Literal["self", "neighbours", "all_own", "self_or_neighbour", "any_own"]
CHOOSING = ("self_or_neighbour", "any_own")  # the player picks one


class OnSpecial(CardModel):
    """An effect of special lines, without a number."""

    ON: ClassVar[str] = "special"
    MOST: ClassVar[int] = 0


class Grant(OnSpecial):
    """ROOK-35. Points for everybody in scope, until the end of the exchange."""

    MOST: ClassVar[int] = 6
    scope: ScopeName
    n: Annotated[int, Field(ge=1, le=MOST)]


class TokenOnHit(CardModel):
    """ROOK-56. Token cards for the Rookling faced, if the attack was not fully blocked."""

    ON: ClassVar[str] = "attack"
    MOST: ClassVar[int] = 2
    do: Literal["token_on_hit"]
    token: Identifier
    n: Annotated[int, Field(ge=1, le=MOST)]


class ShuffleField(OnSpecial):
    """ROOK-31. Copies of the Rookling's field effect go into the Field Deck."""

    MOST: ClassVar[int] = 3
    do: Literal["shuffle_field"]
    field_effect: Identifier
    n: Annotated[int, Field(ge=1, le=MOST)]


class Heal(OnSpecial):
    """ROOK-32. Life, at most to the cap."""

    MOST: ClassVar[int] = 6
    do: Literal["heal"]
    scope: ScopeName
    n: Annotated[int, Field(ge=1, le=MOST)]


class Cleanse(OnSpecial):
    """ROOK-33. All active harmful tokens go."""

    do: Literal["cleanse"]
    scope: ScopeName


class Charge(OnSpecial):
    """ROOK-34. Room for more cards, until the end of the exchange."""

    MOST: ClassVar[int] = 2
    do: Literal["charge"]
    scope: ScopeName
    n: Annotated[int, Field(ge=1, le=MOST)]


class AttackFlat(Grant):
    """ROOK-35, 39. Attack that needs no line."""

    do: Literal["attack_flat"]


class AttackPlus(Grant):
    """ROOK-35, 39. Attack on top of an attack."""

    do: Literal["attack_plus"]


class DefenceFlat(Grant):
    """ROOK-35, 39. Defence that needs no line."""

    do: Literal["defence_flat"]


class DefencePlus(Grant):
    """ROOK-35, 39. Defence on top of a defence."""

    do: Literal["defence_plus"]


class DrawCards(OnSpecial):
    """ROOK-36. Cards for the hand."""

    MOST: ClassVar[int] = 3
    do: Literal["draw"]
    n: Annotated[int, Field(ge=1, le=MOST)]


class TokenSelf(OnSpecial):
    """ROOK-37. Token cards for the Rookling itself."""

    MOST: ClassVar[int] = 2
    do: Literal["token_self"]
    token: Identifier
    n: Annotated[int, Field(ge=1, le=MOST)]


Effect = Annotated[
    TokenOnHit
    | ShuffleField
    | Heal
    | Cleanse
    | Charge
    | AttackFlat
    | AttackPlus
    | DefenceFlat
    | DefencePlus
    | DrawCards
    | TokenSelf,
    Field(discriminator="do"),
]
