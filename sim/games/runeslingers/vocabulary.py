"""The closed list of effects, statics and triggers of Runeslingers (register section 2.1).

Each effect class is one `op` with what it needs and the ranges of that; its `to` says whom it may reach. Health, ailments, decks
and hands belong to Runeslingers; damage and barriers land on defence cards too.
"""

from typing import Annotated, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Source

N_MAX = 60
ANNOUNCED_MAX = 4  # types that one effect announces
HITS_MAX = 2
STATIC_MAX = 60
TARGETS = ("any", "runeslinger", "enemy", "own", "defence", "runespell", "concentration", "card")
SUMS = ("block", "max_health", "damage", "damage_spirit", "damage_attack", "defence")  # statics that add up
FLAGS = ("attack_any", "no_heal", "no_pass", "no_ability")
PIERCING = ("pierce_spirit", "pierce_attack")  # boosts without a number
OWN_MOMENTS = ("destroyed", "leaves")  # of this very card

Points = Annotated[int, Field(ge=0, le=N_MAX)]
OnPlayer = Literal["runeslinger", "enemy", "self", "same", "each"]
OnThing = Literal["any", "runeslinger", "enemy", "own", "defence", "self", "each"]
AilmentName = Literal["burn", "debilitate", "curse", "fragment", "weaken", "insanity"]
AilmentOrChoose = Literal["burn", "debilitate", "curse", "fragment", "weaken", "insanity", "choose"]


class Numbered(CardModel):
    """An effect with a number."""

    n: Points
    source: Source = None


class PlayerEffect(Numbered):
    """An effect on Runeslingers: the controller unless it says otherwise."""

    to: OnPlayer = "self"


class Lose(PlayerEffect):
    """RUNE-88. Health is lost."""

    op: Literal["lose"]


class Heal(PlayerEffect):
    """RUNE-23. Health is gained, up to the maximum."""

    op: Literal["heal"]


class Apply(PlayerEffect):
    """RUNE-95 to 99. Instances of an ailment."""

    op: Literal["apply"]
    ailment: AilmentOrChoose
    distinct: bool = False


class Remove(PlayerEffect):
    """RUNE-100. Exposed instances go."""

    op: Literal["remove"]


class Convert(PlayerEffect):
    """RUNE-104. Exposed instances become another type."""

    op: Literal["convert"]
    into: AilmentOrChoose


class Draw(PlayerEffect):
    """RUNE-120."""

    op: Literal["draw"]


class Sear(PlayerEffect):
    """RUNE-121."""

    op: Literal["sear"]


class Void(PlayerEffect):
    """RUNE-122."""

    op: Literal["void"]


class Discard(PlayerEffect):
    """RUNE-123. Cards of the hand, chosen by their holder."""

    op: Literal["discard"]


class DiscardRandom(PlayerEffect):
    """RUNE-123. Cards of the hand, by chance."""

    op: Literal["discard_random"]


HitEffect = Annotated[
    Lose | Heal | Apply | Remove | Convert | Draw | Sear | Void | Discard | DiscardRandom, Field(discriminator="op")
]


class Damage(Numbered):
    """RUNE-80 to 90. `per` is given or not: see `model_fields_set`."""

    op: Literal["damage"]
    to: OnThing
    direct: bool = False
    per: Literal["target_ailments"] = "target_ailments"
    hit: Annotated[list[HitEffect], Field(max_length=HITS_MAX, description="effects of a hit")] = Field(
        default_factory=list
    )


class Barrier(Numbered):
    """RUNE-83."""

    op: Literal["barrier"]
    to: OnThing


class Destroy(CardModel):
    """RUNE-124."""

    op: Literal["destroy"]
    to: Literal["defence", "runespell", "concentration", "card"]
    source: Source = None


class Trap(CardModel):
    """RUNE-126."""

    op: Literal["trap"]
    to: Literal["defence", "runespell", "concentration", "card"]
    source: Source = None


class Release(CardModel):
    """RUNE-126. The card under this one returns to its owner's hand."""

    op: Literal["release"]
    to: Literal["self"] = "self"
    source: Source = None


class Light(Numbered):
    """RUNE-40. Light for the pool."""

    op: Literal["light"]
    to: Literal["self"] = "self"


class ExtraSet(Numbered):
    """RUNE-39. More concentrations may be set this turn."""

    op: Literal["extra_set"]
    to: Literal["self"] = "self"


class BoostStat(CardModel):
    """RUNE-46. A stat is raised until the Discard Phase. n: not of the pierce boosts."""

    op: Literal["boost"]
    stat: Literal["block", "damage", "damage_spirit", "damage_attack", "pierce_spirit", "pierce_attack"]
    n: Points = 1
    to: Literal["self"] = "self"
    source: Source = None


Effect = Annotated[
    Damage
    | Lose
    | Heal
    | Apply
    | Remove
    | Convert
    | Draw
    | Sear
    | Void
    | Discard
    | DiscardRandom
    | Destroy
    | Trap
    | Release
    | Barrier
    | Light
    | ExtraSet
    | BoostStat,
    Field(discriminator="op"),
]


class Static(CardModel):
    """What holds while its card, stance or ailment does. n: not of flags."""

    stat: Literal[
        "block",
        "max_health",
        "damage",
        "damage_spirit",
        "damage_attack",
        "defence",
        "max_hand",
        "attack_any",
        "no_heal",
        "no_pass",
        "no_ability",
    ]
    n: Annotated[int, Field(ge=-STATIC_MAX, le=STATIC_MAX)] = 1
    scope: Literal["self", "enemy", "each"] = "self"
    if_: Literal["always", "owned", "not_owned"] = Field("always", alias="if")
    source: Source = None


class Trigger(CardModel):
    """RUNE-76. What happens when something else happens."""

    when: Literal[
        "turn_start",
        "sling_spirit",
        "sling_attack",
        "sling_utility",
        "you_block",
        "you_pass",
        "you_downed",
        "enemy_downed",
        "destroyed",
        "leaves",
    ]
    if_: Literal["always", "owned", "not_owned"] = Field("always", alias="if")
    effects: Annotated[list[Effect], Field(min_length=1, max_length=2, description="effects")]
    source: Source = None
