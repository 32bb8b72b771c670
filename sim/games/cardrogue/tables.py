"""The cards, tiles, decks and the fixed layout of a card file of Card Rogue (register section 2.1), table by table."""

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from sim.engine.cards import CardModel, Identifier, Problem, Source, Text
from sim.games.cardrogue import effects
from sim.games.cardrogue.effects import Face
from sim.games.cardrogue.record import COLOURS_MAX, DIE_FACES, ROWS_MAX
from sim.games.cardrogue.rules import Points, Price, Small
from sim.games.cardrogue.traits import Effect, Effects, SlotName, effect_problems, misplaced, twice

KEY_ID = "key"
CHEST = "chest"
SPECIAL_TILES = ("fountain", "shop", CHEST)


Copies = Annotated[int, Field(ge=0, le=96)]
Row = Annotated[str, Field(min_length=1, max_length=1600, description="cell tokens with blanks between them")]


class Character(CardModel):
    """`[[character]]`: a character card. max_health: 0 means left out, as the rules say."""

    id: Identifier
    name: Text
    max_health: Annotated[int, Field(ge=1, le=30)] = 0
    traits: Effects = Field(default_factory=list)
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Effects that are no traits, or stand twice."""
        yield from effect_problems("traits", self.traits, effects.CHARACTER)


class Enemy(CardModel):
    """`[[enemy]]`: a kind of enemy. attack_die: 0, or the attack is this times a die."""

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

    def problems(self) -> Iterator[Problem]:
        """Attack given twice or not at all, loot of bosses, points of others, abilities of other cards."""
        attacks = {"attack", "attack_die"} & self.model_fields_set
        if len(attacks) != 1:
            wrong = "is given besides attack" if attacks else "is missing, and so is attack"
            yield Problem(("attack_die",), wrong, "an enemy has either attack or attack_die")
        if self.boss and self.gold:
            yield Problem(("gold",), "is the price of a boss card, which nobody can sell", "must be 0 if boss = true")
        if self.vp and not self.boss:
            yield Problem(("vp",), "is given to an enemy that is no boss", "must be 0, or boss = true")
        yield from effect_problems("abilities", self.abilities, effects.ENEMY)


class Item(CardModel):
    """`[[item]]`: a card of the shop."""

    CARRIER: ClassVar[dict[str, str]] = {
        "weapon": effects.WEAPON,
        "armour": effects.ARMOUR,
        "scroll": effects.SCROLL,
        "debt": effects.DEBT,
    }
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

    def problems(self) -> Iterator[Problem]:
        """Slots, flags and effects that do not go with the kind."""
        yield from twice(("slots",), self.slots)
        yield from self._slot_problems()
        if self.throw:
            yield Problem(("throw",), "is said of an item", "must be false: only potions say what a throw does")
        for flag in ("sell", "trade"):
            if self.kind == "debt" and getattr(self, flag):
                yield Problem((flag,), "is said of the debt, which is nobody's card", "must be false")
        yield from effect_problems("effects", self.effects, self.CARRIER[self.kind])
        if self.kind in ("scroll", "debt") and len(self.effects) != 1:
            right = "a scroll has exactly one" if self.kind == "scroll" else 'the debt has exactly one, "vp"'
            yield Problem(("effects",), f"are {len(self.effects)} effects", right)
        for index, effect in enumerate(self.effects):
            if self.kind == "scroll" and effect.op == "max_health" and effect.n < 0:
                yield Problem(("effects", index, "n"), "is too small", "must be a whole number from 0 to 20")

    def _slot_problems(self) -> Iterator[Problem]:
        if self.kind in ("scroll", "debt"):
            if self.slots:
                yield Problem(("slots",), f"is given to a card of kind {self.kind}", "only weapons and armour are worn")
        elif not self.slots:
            yield Problem(("slots",), f"leaves the {self.kind} without a slot", "must name at least one")
        elif self.kind == "weapon" and set(self.slots) not in ({"primary"}, {"primary", "secondary"}):
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

    def problems(self) -> Iterator[Problem]:
        """Effects of other cards, or twice."""
        yield from effect_problems("effects", self.effects, effects.ARTIFACT)


class PotionEffect(CardModel):
    """`[[potions.effect]]`: what a potion can turn out to be."""

    face: Face
    id: Identifier
    drink: Effect
    throw: Effect
    source: Source = None


class Potions(CardModel):
    """`[potions]`: the colours, and what they can do."""

    colours: Annotated[list[Identifier], Field(min_length=1, max_length=COLOURS_MAX)]
    copies: Small
    gold: Price
    effect: Annotated[list[PotionEffect], Field(min_length=1, max_length=DIE_FACES)]
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Fewer effects than colours, faces or ids twice, effects of other cards."""
        if len(self.effect) < len(self.colours):
            wrong = f"are only {len(self.effect)} for {len(self.colours)} colours"
            yield Problem(("effect",), wrong, "every colour needs an effect of its own")
        for key in ("face", "id"):
            values = [getattr(effect, key) for effect in self.effect]
            for index, value in enumerate(values):
                if value in values[:index]:
                    yield Problem(("effect", index, key), "stands twice", f"every effect needs a {key} of its own")
        for index, effect in enumerate(self.effect):
            yield from misplaced(("effect", index, "drink", "op"), effect.drink, effects.DRINK)
            yield from misplaced(("effect", index, "throw", "op"), effect.throw, effects.THROW)


class Trap(CardModel):
    """`[[trap]]`: a tile with an effect."""

    id: Identifier
    name: Text
    effect: Effect
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """An effect of other cards."""
        yield from misplaced(("effect", "op"), self.effect, effects.TRAP)


class Shape(CardModel):
    """`[[shape]]`: a plain tile; exits as seen by somebody walking in (ROGUE-17)."""

    id: Identifier
    exits: Annotated[list[Literal["F", "L", "R"]], Field(max_length=3)]
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Exits that stand twice."""
        yield from twice(("exits",), self.exits)


class Deck(CardModel):
    """A deck: id of a card or tile -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Copies]
    source: Source = None

    def copies(self) -> dict[str, int]:
        """Copies by id."""
        return dict(self.__pydantic_extra__)


class Decks(CardModel):
    """`[decks]`: what lies face-down, and what replaces it (ROGUE-18)."""

    exploration: Deck
    pathing: Deck
    source: Source = None


class Map(CardModel):
    """`[map]`: a fixed layout (ROGUE-107), see `layout.py`. rows: the farthest one first; none: there is no layout."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=ROWS_MAX, description="the farthest first")]
    fill: Literal["none", "deck"] = "none"
    potions: dict[str, Identifier] = Field(default_factory=dict)
    source: Source = None


def types_in_order(colours: Iterable[str], *others: Iterable[str]) -> list[str]:
    """Words for all card types by number: the key, the potion colours, then artifacts, enemies and items."""
    return [KEY_ID, *colours, *(word for words in others for word in words)]


def tiles_in_order(shapes: Iterable[str], traps: Iterable[str]) -> list[str]:
    """Words for all tiles by number: shapes, special tiles, traps."""
    return [*shapes, *SPECIAL_TILES, *traps]
