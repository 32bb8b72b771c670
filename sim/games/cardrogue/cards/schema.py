"""The tables of a card file of Card Rogue: effects, rules, cards, decks.

Each effect is a table with its `op` and its parameters, declared with their ranges and the kinds of card that can have it.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from sim.engine.cardfiles.columns import Word
from sim.engine.cards import (
    Agreement,
    CardModel,
    Identifier,
    Known,
    Needs,
    Only,
    OnlyOn,
    Problem,
    RuleSwitches,
    Source,
    Text,
    Unique,
    effect_model,
    one_of,
)
from sim.games.cardrogue.record import (
    COLOURS_MAX,
    DENOMINATIONS_MAX,
    DIE_FACES,
    GOALS_MAX,
    ROWS_MAX,
    STRIDE,
    BardSix,
    Characters,
    EnemyRestore,
    FlipRule,
    ImpDodge,
    ParalysisInCombat,
    ReplacementTrap,
    ResumeAfterFlip,
    ShieldScope,
    SoldItems,
    TeleportTargets,
)

# effects of cards

CHARACTER, ENEMY, ARTIFACT = "characters", "enemies", "artifacts"
WEAPON, ARMOUR, SCROLL, DEBT = "weapons", "armour", "scrolls", "the debt"
DRINK, THROW, TRAP = "potions drunk", "potions thrown", "traps"
STRIKE = "the effect of on_roll"
WORN = (WEAPON, ARMOUR)
POTION = (DRINK, THROW)

Face = Annotated[int, Field(ge=1, le=6)]
Faces = Annotated[list[Face], Field(min_length=1, max_length=6, description="faces of the die")]
SomeFaces = Annotated[list[Face], Field(min_length=1, max_length=5, description="faces of the die, not all")]
Turns = Annotated[int, Field(ge=1, le=9)]
Health = Annotated[int, Field(ge=0, le=20)]
Change = Annotated[int, Field(ge=-5, le=5)]


SlotName = Literal["head", "chest", "feet", "primary", "secondary"]
Threshold = Annotated[int, Field(ge=1, le=30)]
Excepted = Annotated[list[Literal["boss", "no_chase"]], Field(max_length=2, alias="except")]


def _amount(least: int, most: int) -> Any:
    return Annotated[int, Field(ge=least, le=most)]


def _effect(word: str, meaning: str, on: tuple[str, ...], agreement: Agreement = (), **parameters: Any) -> Any:
    """Return the model of an effect. Its faces, if it has any, are all different."""
    faces = (Unique("faces[]"),) if "faces" in parameters else ()
    return effect_model(word, meaning, on, agreement=(*faces, *agreement), **parameters)


_STRIKES = (
    _effect("poison", "ROGUE-22, 48. Takes 1 health a turn.", (*POTION, TRAP, STRIKE), turns=Turns),
    _effect("paralyze", "ROGUE-52, 53. The target skips turns.", (*POTION, TRAP, STRIKE), turns=Turns),
    _effect("dodge", "ROGUE-46. The attack does no damage.", (STRIKE,)),
)
OF_CARDS = (
    _effect(
        "attack_mod",
        "ROGUE-07, 44. Added to the damage of an attack after everything else.",
        (*WORN, CHARACTER, ARTIFACT, *POTION),
        n=Change,
    ),
    _effect("min_attack", "ROGUE-44. The least damage of an attack.", (WEAPON,), n=_amount(1, 20)),
    _effect("multiply", "ROGUE-44. Multiplies the total of the dice.", (WEAPON,), n=_amount(1, 5)),
    _effect("miss_on", "ROGUE-45. Faces on which the attack does no damage.", (WEAPON,), faces=Faces),
    _effect("reroll_on", "ROGUE-43. Faces that count as 0 and add dice.", (WEAPON,), faces=SomeFaces, dice=(_amount(1, 4), 2)),
    _effect("block_on", "ROGUE-45. Faces on which the enemies do nothing in this turn.", WORN, faces=Faces),
    _effect("damage_taken", "ROGUE-82. Reduces the damage of every attack on the wearer.", (*WORN, CHARACTER), n=_amount(0, 9)),
    _effect("flee_faces", "ROGUE-57. Further faces on which a flight succeeds.", (*WORN, CHARACTER), faces=Faces),
    _effect("avoid_trap", "ROGUE-72. Faces on which a trap has no effect.", (*WORN, CHARACTER), faces=Faces),
    _effect("movement", "ROGUE-82. Further tiles a turn, out of combat.", (*WORN, CHARACTER), n=_amount(0, 4)),
    _effect("max_health", "ROGUE-07. Raises the maximum; an artifact can lower it.", (ARTIFACT, SCROLL), n=_amount(-20, 20)),
    _effect("identify", "ROGUE-83. Reveals the effect of a colour in the reader's hand.", (SCROLL,)),
    _effect("move_any", "ROGUE-83. Moves the reader one step in any direction, through walls.", (SCROLL,)),
    _effect("antidote", "ROGUE-83. Poison gives this much health instead of taking 1.", (SCROLL,), n=_amount(1, 9)),
    _effect("remove_curses", "ROGUE-83. Discards the reader's cursed cards.", (SCROLL,)),
    _effect("vp", "ROGUE-75. Victory points for buying the card.", (DEBT,), n=_amount(0, 5)),
    _effect("heal_full", "ROGUE-88, 89. Heals to the maximum.", POTION),
    _effect("teleport", "ROGUE-90. Moves the target to another tile.", POTION),
    _effect("damage", "ROGUE-71. Takes health; armour does not help.", (*POTION, TRAP), n=Health),
    *_STRIKES,
    _effect("on_roll", "ROGUE-46, 49. An ability that works on these faces.", (ENEMY,), faces=Faces, effect=one_of(_STRIKES)),
    _effect("heal_each_turn", "ROGUE-49. Heals the enemy every turn.", (ENEMY,), n=Health),
    _effect("no_chase", "ROGUE-57. Players flee from it without a roll.", (ENEMY,)),
    _effect("single_turn", "ROGUE-54. Restores the enemy's health at the end of every turn.", (ENEMY,)),
)


def _offhand_weapons(file: Any) -> list[str]:
    """Return the weapons that are worn in the primary slot alone."""
    return [item.id for item in file.item if item.kind == "weapon" and item.slots == ["primary"]]


def _trait(word: str, meaning: str, agreement: Agreement = (), **parameters: Any) -> Any:
    return _effect(word, meaning, (CHARACTER,), agreement, **parameters)


TRAITS = (
    _trait("rage", "ROGUE-91. Adds to attacks at low health.", at_most=Threshold, n=Change),
    _trait(
        "no_flee", "ROGUE-57. Cannot flee, except from these kinds of enemies.", excepted=(Excepted, Field(default_factory=list))
    ),
    _trait(
        "offhand",
        "ROGUE-92. Can also wear this weapon in the secondary slot, where it adds to attacks.",
        (Known("item", _offhand_weapons, noun="weapon", why="of the primary slot alone"),),
        item=Identifier,
        attack_mod=Change,
    ),
    _trait("free_buy", "ROGUE-92. Faces on which a card of the shop costs nothing.", faces=Faces),
    _trait("forbid_slot", "ROGUE-92. Wears nothing in this slot except an off-hand weapon.", slot=SlotName),
    _trait("discard_cursed", "ROGUE-93. Cursed cards are discarded before they have an effect."),
    _trait("sacrifice", "ROGUE-93. Heals after a kill at low health.", at_most=Threshold, heal=Health),
    _trait("no_trip", "ROGUE-93. Cannot trip."),
    _trait("second_turn", "ROGUE-94. Can take a second turn after exploring."),
    _trait("no_sell_items", "ROGUE-94. Sells loot only."),
    _trait(
        "spells",
        "ROGUE-95. Damage to an enemy, a move, health for a potion; 0 or false: without this spell.",
        cooldown=_amount(1, 9),
        damage=(Health, 0),
        move=(bool, False),
        potion_heal=(Health, 0),
    ),
    _trait("buy_multiplier", "ROGUE-96. Pays n times the gold value at the shop.", n=_amount(1, 9)),
    _trait("no_trade_shop", "ROGUE-96. Trades no cards of the shop."),
    _trait("song", "ROGUE-96. Heals when a player on an adjacent cell slays an enemy.", heal=Health),
    _trait("must_flee_on", "ROGUE-96. Faces of the attack after which the character must flee.", faces=Faces),
)
if TYPE_CHECKING:
    Effect = Any
else:
    Effect = one_of((*OF_CARDS, *TRAITS))
Effects = Annotated[list[Effect], Field(max_length=20)]


def repeated_effects(field: str, effects: list[Effect]) -> Iterator[Problem]:
    """Yield effects that a card has twice."""
    seen = set()
    for index, effect in enumerate(effects):
        detail = ""
        if effect.op == "forbid_slot":
            detail = effect.slot
        elif effect.op == "on_roll":
            detail = "dodge" if effect.effect.op == "dodge" else "status"
        if (effect.op, detail) in seen:
            right = "once to poison or paralyse, once to dodge" if effect.op == "on_roll" else "once"
            yield Problem((field, index, "op"), "is repeated", f"a card may have it {right}")
        seen.add((effect.op, detail))


# rules

OFFERS_MAX = 3  # offers are compared with the two that a state remembers
GAP_MAX = 8  # the widest table holds four starting tiles with 8 cells between them

AnyFaces = Annotated[list[Face], Field(max_length=DIE_FACES, description="faces of the die, empty for never")]
Points = Annotated[int, Field(ge=0, le=5)]
Small = Annotated[int, Field(ge=0, le=20)]
Price = Annotated[int, Field(ge=0, le=50)]


class Rules(RuleSwitches):
    """`[rules]`: the constants that the rulebook prints, and the rule variants."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {"base_max_health", "flee_faces", "trip_faces", "steal_faces", "fountain_heal", "fountain_drain_faces"}
        | {"buy_multiplier", "mole_fee", "vp_chest", "vp_exit"}
    )  # printed in the rulebook, so they are no switches

    base_max_health: Annotated[int, Field(ge=1, le=30)] = 10
    flee_faces: AnyFaces = Field(default_factory=lambda: [4, 5, 6])
    trip_faces: AnyFaces = Field(default_factory=lambda: [4, 5, 6])
    steal_faces: AnyFaces = Field(default_factory=lambda: [6])
    fountain_heal: Small = 2
    fountain_drain_faces: AnyFaces = Field(default_factory=lambda: [6])
    buy_multiplier: Annotated[int, Field(ge=1, le=9)] = 2
    mole_fee: Price = 10
    vp_chest: Points = 1
    vp_exit: Points = 1
    offers_per_turn: Annotated[int, Field(ge=0, le=OFFERS_MAX)] = 2
    equip_changes: Small = 6
    max_rounds: Annotated[int, Field(ge=1, le=10_000)] = 400
    idle_rounds: Annotated[int, Field(ge=1, le=1_000)] = 30
    repeat_moves: Annotated[int, Field(ge=0, le=8)] = 1
    goals: Annotated[list[Identifier], Field(max_length=GOALS_MAX)] = Field(default_factory=lambda: ["chest"])
    lives: Annotated[int, Field(ge=1, le=9)] = 1
    characters: Annotated[Characters, Word()] = Characters.RANDOM
    flip_rule: Annotated[FlipRule, Word()] = FlipRule.PATH
    replacement_trap: Annotated[ReplacementTrap, Word()] = ReplacementTrap.TRIGGERS
    resume_after_flip: Annotated[ResumeAfterFlip, Word()] = ResumeAfterFlip.MOVE
    imp_dodge: Annotated[ImpDodge, Word()] = ImpDodge.ALWAYS
    paralysis_in_combat: Annotated[ParalysisInCombat, Word()] = ParalysisInCombat.ENEMY_ACTS
    bard_six: Annotated[BardSix, Word()] = BardSix.FLEE_FREE
    shield_scope: Annotated[ShieldScope, Word()] = ShieldScope.ALL
    enemy_restore: Annotated[EnemyRestore, Word()] = EnemyRestore.LAST_LEAVES
    equip_in_combat: bool = False
    sold_items: Annotated[SoldItems, Word()] = SoldItems.DISCARDED
    teleport_targets: Annotated[TeleportTargets, Word()] = TeleportTargets.PLAIN_AND_TRAPS

    AGREEMENT: ClassVar[Agreement] = (
        *(Unique(f"{faces}[]") for faces in ("flee_faces", "trip_faces", "steal_faces", "fountain_drain_faces")),
        Unique("goals[]"),
        Known("goals[]", lambda file: file.goal_ids(), noun="goal"),
    )


class Table(CardModel):
    """`[table]`: its size in cells, and the face-down cards between starting tiles."""

    columns: Annotated[int, Field(ge=8, le=STRIDE)] = 30
    rows: Annotated[int, Field(ge=4, le=ROWS_MAX)] = 18
    gap: Annotated[int, Field(ge=4, le=GAP_MAX)] = 4
    source: Source = None


class Gold(CardModel):
    """`[gold]`: values of the gold cards."""

    denominations: Annotated[list[Annotated[int, Field(ge=1, le=100)]], Field(min_length=1, max_length=DENOMINATIONS_MAX)] = (
        Field(default_factory=lambda: [10, 5, 2, 1])
    )
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Problems for denominations that are not descending, or cannot make up every amount."""
        if any(value <= following for value, following in zip(self.denominations, self.denominations[1:], strict=False)):
            yield Problem(("denominations",), "are not descending", "each must be smaller than the one before it")
        elif self.denominations[-1] != 1:
            yield Problem(("denominations",), "cannot make up every amount", "must end with 1")


# cards, decks and the fixed layout

KEY_ID = "key"
CHEST = "chest"
SPECIAL_TILES = ("fountain", "shop", CHEST)


Copies = Annotated[int, Field(ge=0, le=96)]
Row = Annotated[str, Field(min_length=1, max_length=1600, description="cell tokens with blanks between them")]


class Character(CardModel):
    """`[[character]]`: a character card. max_health: 0 means left out, the value of the rules."""

    id: Identifier
    name: Text
    max_health: Annotated[int, Field(ge=1, le=30)] = 0
    traits: Effects = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (OnlyOn("traits[].op", CHARACTER),)

    def problems(self) -> Iterator[Problem]:
        """Problems for traits that stand twice."""
        yield from repeated_effects("traits", self.traits)


class Enemy(CardModel):
    """`[[enemy]]`: a kind of enemy. attack_die: the attack is this number times a die, 0: it is `attack`."""

    id: Identifier
    name: Text
    copies: Small
    health: Annotated[int, Field(ge=1, le=99)]
    attack: Small = 0
    attack_die: Annotated[int, Field(ge=1, le=5)] = 0
    gold: Small = 0
    vp: Points = 0
    boss: bool = False
    cancel_group: Annotated[str, Field(pattern=r"^([a-z][a-z0-9_]{0,39})?$", description="a word or empty")] = ""
    end_rush: bool = False
    abilities: Effects = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Only("gold", boss=False, why="a boss card cannot be sold"),
        Only("vp", boss=True),
        OnlyOn("abilities[].op", ENEMY),
    )

    def problems(self) -> Iterator[Problem]:
        """Problems for attack given twice or not at all, and abilities that stand twice."""
        attacks = {"attack", "attack_die"} & self.model_fields_set
        if len(attacks) != 1:
            wrong = "is given besides attack" if attacks else "is missing, and so is attack"
            yield Problem(("attack_die",), wrong, "an enemy has either attack or attack_die")
        yield from repeated_effects("abilities", self.abilities)


class Item(CardModel):
    """`[[item]]`: a card of the shop."""

    CARRIERS: ClassVar[dict[str, str]] = {"weapon": WEAPON, "armour": ARMOUR, "scroll": SCROLL, "debt": DEBT}
    id: Identifier
    name: Text
    copies: Annotated[int, Field(ge=0, le=10)]
    kind: Literal["weapon", "armour", "scroll", "debt"]
    gold: Price
    slots: Annotated[list[SlotName], Field(max_length=5)] = Field(default_factory=list)
    throw: bool = False
    sell: bool = True
    trade: bool = True
    effects: Effects = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Unique("slots[]"),
        Needs("slots", kind=("weapon", "armour")),
        Only("slots", kind=("weapon", "armour")),
        Known("throw", (False,), why="only potions have an effect when thrown"),
        OnlyOn("effects[].op", by="carrier"),
    )

    @property
    def carrier(self) -> str:
        """The word for cards of this kind in the class variable ON of effects."""
        return self.CARRIERS[self.kind]

    def problems(self) -> Iterator[Problem]:
        """Problems for slots, flags and effects that do not go with the kind."""
        yield from self._slot_problems()
        for flag in ("sell", "trade"):
            if self.kind == "debt" and getattr(self, flag):
                yield Problem((flag,), "is set for the debt, which no player holds", "must be false")
        yield from repeated_effects("effects", self.effects)
        if self.kind in ("scroll", "debt") and len(self.effects) != 1:
            right = "a scroll has exactly one" if self.kind == "scroll" else 'the debt has exactly one, "vp"'
            yield Problem(("effects",), f"are {len(self.effects)} effects", right)
        for index, effect in enumerate(self.effects):
            if self.kind == "scroll" and effect.op == "max_health" and effect.n < 0:
                yield Problem(("effects", index, "n"), "is too small", "must be a whole number from 0 to 20")

    def _slot_problems(self) -> Iterator[Problem]:
        if self.kind == "weapon" and self.slots and set(self.slots) not in ({"primary"}, {"primary", "secondary"}):
            right = 'must be ["primary"] or ["primary", "secondary"]'
            yield Problem(("slots",), "is not where a weapon is worn", right)
        elif self.kind == "armour" and "primary" in self.slots:
            yield Problem(("slots",), "holds the slot of weapons", 'must not name "primary"')


class Artifact(CardModel):
    """`[[artifact]]`: a card that works from the hand."""

    id: Identifier
    name: Text
    copies: Small
    cursed: bool = False
    effects: Effects = Field(default_factory=list)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (OnlyOn("effects[].op", ARTIFACT),)

    def problems(self) -> Iterator[Problem]:
        """Problems for effects that stand twice."""
        yield from repeated_effects("effects", self.effects)


class PotionEffect(CardModel):
    """`[[potions.effect]]`: an effect that a colour can turn out to have."""

    face: Face
    id: Identifier
    drink: Effect
    throw: Effect
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (OnlyOn("drink.op", DRINK), OnlyOn("throw.op", THROW))


class Potions(CardModel):
    """`[potions]`: the colours, and their possible effects."""

    colours: Annotated[list[Identifier], Field(min_length=1, max_length=COLOURS_MAX)]
    copies: Small
    gold: Price
    effect: Annotated[list[PotionEffect], Field(min_length=1, max_length=DIE_FACES)]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (Unique("effect[].face"), Unique("effect[].id"))

    def problems(self) -> Iterator[Problem]:
        """Problem for fewer effects than colours."""
        if len(self.effect) < len(self.colours):
            wrong = f"are only {len(self.effect)} for {len(self.colours)} colours"
            yield Problem(("effect",), wrong, "every colour needs an effect of its own")


class Trap(CardModel):
    """`[[trap]]`: a tile with an effect."""

    id: Identifier
    name: Text
    effect: Effect
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (OnlyOn("effect.op", TRAP),)


class Shape(CardModel):
    """`[[shape]]`: a plain tile; exits as seen when walking in (ROGUE-17)."""

    id: Identifier
    exits: Annotated[list[Literal["F", "L", "R"]], Field(max_length=3)]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (Unique("exits[]"),)


class Deck(CardModel):
    """A deck: id of a card or tile -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Copies]
    source: Source = None

    def copies(self) -> dict[str, int]:
        """Copies by id."""
        return dict(self.__pydantic_extra__)


class Decks(CardModel):
    """`[decks]`: cards that lie face-down, and tiles that replace them (ROGUE-18)."""

    exploration: Deck
    pathing: Deck
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Known("exploration{}", lambda file: [*file.tile_ids(), KEY_ID, *file.own_copies()], noun="card or tile"),
        Known("pathing{}", lambda file: file.tile_ids(), noun="tile", why="it replaces a card"),
    )


class Map(CardModel):
    """`[map]`: a fixed layout (ROGUE-107), see `checks`. rows: the farthest first; empty: no layout."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=ROWS_MAX, description="the farthest first")]
    fill: Literal["none", "deck"] = "none"
    potions: dict[str, Identifier] = Field(default_factory=dict)
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Known("potions{}", "potions.colours[]", noun="colour"),
        Known("potions[]", "potions.effect[].id", noun="potion effect"),
        Unique("potions[]"),
    )


def types_in_order(colours: Iterable[str], *others: Iterable[str]) -> list[str]:
    """Words for all card types by number: the key, the potion colours, then artifacts, enemies and items."""
    return [KEY_ID, *colours, *(word for words in others for word in words)]


def tiles_in_order(shapes: Iterable[str], traps: Iterable[str]) -> list[str]:
    """Words for all tiles by number: shapes, special tiles, traps."""
    return [*shapes, *SPECIAL_TILES, *traps]
