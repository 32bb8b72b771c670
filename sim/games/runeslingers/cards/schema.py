"""Tables of a card file of Runeslingers: rules, ailments, Runeslingers, equips, cards, decks, and the closed list of effects.

Each effect class is one `op` with its fields and their ranges; its `to` names what it can reach. Only Runeslingers have health,
ailments, decks and hands; damage and barriers reach defence cards too.
"""

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field

from sim.engine.cardfiles.columns import Apart, Column, Numbered, Word
from sim.engine.cards import Agreement, CardModel, Identifier, Known, Needs, Only, RuleSwitches, Source, Text
from sim.games.runeslingers.cards import (
    ACTIVATED,
    BULLETS,
    DECK_MAX,
    LIST_MAX,
    AilmentPhaseOrder,
    AnswerOn,
    ConcealedType,
    DeckOut,
    DoubleLoss,
    DraftCopies,
    First,
    HandLimit,
    Kind,
    PierceBarrier,
    SlotChoice,
    titled,
)

N_MAX = 60
ANNOUNCED_MAX = 4  # most types that one effect announces
HITS_MAX = 2
STATIC_MAX = 60
TARGETS = ("any", "runeslinger", "enemy", "own", "defence", "runespell", "concentration", "card")
SUMS = ("block", "max_health", "damage", "damage_spirit", "damage_attack", "defence")  # statics that add up
NUMBERED = (*SUMS, "max_hand")
FLAGS = ("attack_any", "no_heal", "no_pass", "no_ability")
RAISED = ("block", "damage", "damage_spirit", "damage_attack")  # boosts with a number
RUNESPELLS = ("spirit", "attack", "utility")
LAYING = ("chant", "trinket")  # defence cards that lie on concentrations; only they trap
DEFENCE_CARDS = (*LAYING, "boon")
PICKED = ("choice", "fate")
STANDING = ("token", "charge", "use")  # keywords of defence cards
CHOOSE = "choose"
OWNED_CARDS = "only cards can lie on the field of a player who is not their owner"

Points = Annotated[int, Field(ge=0, le=N_MAX)]
OnPlayer = Literal["runeslinger", "enemy", "self", "same", "each"]
OnThing = Literal["any", "runeslinger", "enemy", "own", "defence", "self", "each"]
AilmentName = Literal["burn", "debilitate", "curse", "fragment", "weaken", "insanity"]
AilmentOrChoose = Literal["burn", "debilitate", "curse", "fragment", "weaken", "insanity", "choose"]


class Sourced(CardModel):
    """A table whose numbers have a source."""

    source: Source = None


class PlayerEffect(Sourced):
    """An effect on Runeslingers: on the controller by default."""

    n: Points
    to: OnPlayer = "self"


class Simple(PlayerEffect):
    """RUNE-23, 88, 100, 120 to 123. Health lost or gained, exposed ailments removed; cards drawn, seared, voided, discarded."""

    op: Literal["lose", "heal", "remove", "draw", "sear", "void", "discard", "discard_random"]


class Apply(PlayerEffect):
    """RUNE-95 to 99. Instances of an ailment."""

    op: Literal["apply"]
    ailment: AilmentOrChoose
    distinct: bool = False

    AGREEMENT: ClassVar[Agreement] = (Only("distinct", ailment=CHOOSE),)


class Convert(PlayerEffect):
    """RUNE-104. Exposed instances become another type."""

    op: Literal["convert"]
    into: AilmentOrChoose


HitEffect = Annotated[Simple | Apply | Convert, Field(discriminator="op")]


class Damage(Sourced):
    """RUNE-80 to 90. Whether `per` is given shows in `model_fields_set`."""

    op: Literal["damage"]
    n: Points
    to: OnThing
    direct: bool = False
    per: Literal["target_ailments"] = "target_ailments"
    hit: Annotated[list[HitEffect], Field(max_length=HITS_MAX, description="effects of a hit")] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (Known("hit[].to", ("same",), why="the Runeslinger that was hit"),)


class Barrier(Sourced):
    """RUNE-83."""

    op: Literal["barrier"]
    n: Points
    to: OnThing


class Take(Sourced):
    """RUNE-124, 126. Destroy a card, or trap it under this one."""

    op: Literal["destroy", "trap"]
    to: Literal["defence", "runespell", "concentration", "card"]


class Release(Sourced):
    """RUNE-126. The card under this one returns to its owner's hand."""

    op: Literal["release"]
    to: Literal["self"] = "self"


class Supply(Sourced):
    """RUNE-39, 40. Light for the pool, or more concentrations that can be set this turn."""

    op: Literal["light", "extra_set"]
    n: Points
    to: Literal["self"] = "self"


class BoostStat(Sourced):
    """RUNE-46. A stat is raised until the Discard Phase. n: not for the pierce boosts."""

    op: Literal["boost"]
    stat: Literal["block", "damage", "damage_spirit", "damage_attack", "pierce_spirit", "pierce_attack"]
    n: Points = 1
    to: Literal["self"] = "self"

    AGREEMENT: ClassVar[Agreement] = (Needs("n", stat=RAISED), Only("n", stat=RAISED, why="Pierce has no number"))


Effect = Annotated[Damage | Simple | Apply | Convert | Take | Release | Barrier | Supply | BoostStat, Field(discriminator="op")]


class Static(Sourced):
    """What holds while its card, stance or ailment does. n: not for flags."""

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

    AGREEMENT: ClassVar[Agreement] = (Needs("n", stat=NUMBERED), Only("n", stat=NUMBERED, why="a flag has no number"))


Moment = Literal[
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
OWN_MOMENTS = ("destroyed", "leaves")  # of this very card
STANCE_MOMENTS = tuple(moment for moment in get_args(Moment) if moment not in OWN_MOMENTS)


class Trigger(Sourced):
    """RUNE-76. What happens when something else happens."""

    when: Moment
    if_: Literal["always", "owned", "not_owned"] = Field("always", alias="if")
    effects: Annotated[list[Effect], Field(min_length=1, max_length=2, description="effects"), Apart()]


HEALTH_MAX = 60
DEFENCE_MAX = 30
COST_MAX = 9
TOKENS_MAX = 20

LightCost = Annotated[int, Field(ge=0, le=6)]
PerTurn = Annotated[int, Field(ge=0, le=9)]  # 0: no limit
Statics = Annotated[list[Static], Field(max_length=2, description="statics"), Apart()]
CardStatics = Annotated[list[Static], Field(max_length=3, description="statics"), Apart()]
FewEffects = Annotated[list[Effect], Field(max_length=2, description="effects"), Apart()]
OneOrTwo = Annotated[list[Effect], Field(min_length=1, max_length=2, description="effects"), Apart()]
Keyword = Literal["pierce", "shout", "choice", "fate", "token", "charge", "use", "distract"]


class Named(Sourced):
    """An entry with an id and a name. name: by default made from the id, see `titled`."""

    id: Identifier
    name: Text = ""

    @property
    def title(self) -> str:
        """Display name."""
        return self.name or titled(self.id)


class AilmentTable(Named):
    """`[[ailment]]`: what its instances do. The last three fields act at level II: from `threshold` exposed ones on."""

    id: AilmentName
    on_apply: FewEffects = Field(default_factory=list)
    per_instance: Statics = Field(default_factory=list)
    while_any: Statics = Field(default_factory=list)
    threshold: Annotated[int, Field(ge=1, le=20)]
    level2: Statics = Field(default_factory=list)
    ailment_phase: FewEffects = Field(default_factory=list)
    after_draw: FewEffects = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (
        Known("per_instance[].stat", SUMS, why="instances add up"),
        *(Known(f"{statics}[].if_", ("always",), why=OWNED_CARDS) for statics in ("per_instance", "while_any", "level2")),
    )


class Inherent(Sourced):
    """The inherent ability of a Runeslinger (RUNE-41)."""

    light: Annotated[LightCost, Column("inherent_light")]
    per_turn: Annotated[PerTurn, Column("inherent_per_turn")] = 0
    effects: OneOrTwo


class Classed(Named):
    """An entry that belongs to a class of Runeslingers."""

    class_: Text = Field(alias="class")


class Runeslinger(Classed):
    """`[[runeslinger]]`."""

    health: Annotated[int, Field(ge=1, le=HEALTH_MAX), Column("hero_health")]
    block: Annotated[int, Field(ge=0, le=12), Column("hero_block")]
    inherent: Inherent


class Stance(Classed):
    """`[[stance]]`: always on."""

    statics: CardStatics = Field(default_factory=list)
    triggers: Annotated[list[Trigger], Field(max_length=2, description="triggers"), Apart()] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (
        Known("statics[].if_", ("always",), why=OWNED_CARDS),
        Known("triggers[].if_", ("always",), why=OWNED_CARDS),
        Known("triggers[].when", STANCE_MOMENTS, why="a stance never leaves"),
    )


class Ability(Classed):
    """`[[ability]]`: paid with determination (RUNE-42)."""

    determination: Annotated[int, Field(ge=1, le=4), Column("ability_cost")]
    effects: Annotated[list[Effect], Field(min_length=1, max_length=3, description="effects"), Apart()]


class ExtraCost(Sourced):
    """`extra_cost`: cards of the hand that are discarded when the card is paid."""

    discard: Annotated[int, Field(ge=0, le=3), Column("extra_discard")]


class Activated(Sourced):
    """An activated effect of a defence card (RUNE-43, 45)."""

    light: Annotated[LightCost, Column("act_light")] = 0
    tokens: Annotated[int, Field(ge=0, le=TOKENS_MAX), Column("act_tokens")] = 0
    use: Annotated[bool, Column("act_use")] = False
    per_turn: Annotated[PerTurn, Column("act_per_turn")] = 0
    effects: OneOrTwo


class Card(Named):
    """`[[card]]`."""

    type: Annotated[Literal["spirit", "attack", "utility", "chant", "trinket", "boon"], Numbered(Kind, "kind")]
    affiliation: Text = "Basic"
    cost: Annotated[int, Field(ge=0, le=COST_MAX)]
    defence: Annotated[int, Field(ge=0, le=DEFENCE_MAX)] = 0
    x: Annotated[bool, Apart()] = False
    rarity: Literal["common", "uncommon", "rare"]
    keywords: Annotated[list[Keyword], Field(max_length=3, description="keywords")] = Field(default_factory=list)
    tokens: Annotated[int, Field(ge=1, le=TOKENS_MAX), Apart()] = 1
    extra_cost: ExtraCost = ExtraCost(discard=0)
    effects: Annotated[list[Effect], Field(max_length=LIST_MAX, description="effects"), Apart()] = Field(default_factory=list)
    bullets: Annotated[list[OneOrTwo], Field(min_length=2, max_length=BULLETS, description="lists of effects"), Apart()] = Field(
        default_factory=list
    )
    statics: CardStatics = Field(default_factory=list)
    triggers: Annotated[list[Trigger], Field(max_length=3, description="triggers"), Apart()] = Field(default_factory=list)
    activated: Annotated[list[Activated], Field(max_length=ACTIVATED, description="activated effects")] = Field(
        default_factory=list
    )

    AGREEMENT: ClassVar[Agreement] = (
        Needs("defence", type=DEFENCE_CARDS),
        *(Only(field, type=DEFENCE_CARDS) for field in ("defence", "statics", "triggers", "activated")),
        Only("keywords[]", STANDING, type=DEFENCE_CARDS),
        Only("keywords[]", "distract", type=(*RUNESPELLS, *LAYING)),
        Needs("tokens", keywords="token"),
        Only("tokens", keywords="token"),
        Needs("bullets", keywords=PICKED),
        Only("bullets", keywords=PICKED),
        Only("effects", bullets=False),
        Only("activated[].use", keywords="use"),
    )


DECK_LEAST = 20  # cards

Copies = Annotated[int, Field(ge=1, le=4)]


class Rules(RuleSwitches):
    """`[rules]`: constants, which are numbers, and the rule variants."""

    start_power: Annotated[int, Field(ge=1, le=9)] = 5
    start_hand: Annotated[int, Field(ge=1, le=8)] = 5
    start_concentrations: Annotated[int, Field(ge=1, le=1)] = 1
    deck_size: Annotated[int, Field(ge=DECK_LEAST, le=DECK_MAX), Apart()] = 30
    max_copies: Annotated[Copies, Apart()] = 2
    max_copies_x: Annotated[Copies, Apart()] = 1
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
    answer_on: Annotated[AnswerOn, Word()] = AnswerOn.RUNESPELL
    deck_out: Annotated[DeckOut, Word()] = DeckOut.IMMEDIATE
    concealed_type: Annotated[ConcealedType, Word()] = ConcealedType.FREE_AREA
    pierce_barrier: Annotated[PierceBarrier, Word()] = PierceBarrier.STOPS
    hand_limit: Annotated[HandLimit, Word()] = HandLimit.ALL
    double_loss: Annotated[DoubleLoss, Word()] = DoubleLoss.DRAW
    slot_choice: Annotated[SlotChoice, Word()] = SlotChoice.DISTINCT
    float_light: bool = False
    ailment_phase_order: Annotated[AilmentPhaseOrder, Word()] = AilmentPhaseOrder.EFFECTS_FIRST
    draft_copies: Annotated[DraftCopies, Word(), Apart()] = DraftCopies.FREE
    first: Annotated[First, Word()] = First.CHOOSE
    own_targets: bool = True


Rules.CONSTANTS = frozenset(name for name, field in Rules.model_fields.items() if field.annotation is int)


class DeckCards(CardModel):
    """`cards` of a deck: card id -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]

    def copies(self) -> dict[str, int]:
        """Copies by card id, in the order of the list."""
        return dict(self.__pydantic_extra__)


class Deck(Named):
    """`[[deck]]`: an entrant. runeslinger, stance, ability: its loadout. mode: how it was made (RUNE-140 to 142)."""

    runeslinger: Identifier
    stance: Identifier
    ability: Identifier
    mode: Literal["constructed", "sealed", "draft"] = "constructed"
    cards: DeckCards

    AGREEMENT: ClassVar[Agreement] = (
        Known("runeslinger", "runeslinger[].id"),
        Known("stance", "stance[].id"),
        Known("ability", "ability[].id"),
        Known("cards{}", "card[].id"),
    )
