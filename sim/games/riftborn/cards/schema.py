"""A card file of Riftborn Tactics: its tables, and the checks that concern more than one field.

The columns of the CARDS record derive from these classes (`record.py`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import ConfigDict, Field

from sim.engine.cardfiles.columns import Apart, Column, Numbered, RowCount, Word
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import (
    Agreement,
    CardFile,
    CardModel,
    Identifier,
    Known,
    Needs,
    Only,
    OptionalText,
    Problem,
    RuleSwitches,
    Source,
    Text,
    Unique,
    within,
)
from sim.games.riftborn.cards import (
    CARDS_MAX,
    DECK_MAX,
    DECKS_MAX,
    ENTRIES,
    LENDABLE,
    LEVELS,
    TRICK_LISTS,
    Ability,
    AdjacentEnemies,
    ClearPath,
    KillXp,
    Kind,
    LevelBudget,
    List,
    MoraleStart,
    Op,
    RelentlessOn,
    Side,
    SiphonCounts,
    SiphonTiming,
    StealthCover,
    Target,
    TransformKeeps,
    WeaponUses,
    Where,
)
from sim.games.riftborn.cards import Token as TokenOf

X_MAX = 9
LOOK_MAX = 5  # cards that SCRY and SPY show
KEYWORDS_MAX = 12  # of a card
NUMBERED = frozenset(
    {
        *(Ability.AURA, Ability.DASH, Ability.DRAW, Ability.HEAL, Ability.MORALE, Ability.PIERCE, Ability.RAGE),
        *(Ability.RANGE, Ability.READY, Ability.REGEN, Ability.SCRY, Ability.SPY, Ability.SUMMON, Ability.SWARM),
    }
)  # abilities with an X
REPEATED = frozenset({Ability.TRICK, Ability.UNDEATH})  # can stand on a card more than once
WHEN_PLAYED = (Ability.DRAW, Ability.SCRY, Ability.SPY, Ability.TRICK)  # RIFT-29
LENT = frozenset(ability for ability in Ability if ability < LENDABLE)  # abilities that an AURA can give
_PILES = (Ability.DEPLETED, Ability.DRAW, Ability.SCRY, Ability.SPY)
ALLOWED = {
    "weapon": frozenset({Ability.RANGE, Ability.MAGIC, *_PILES}),
    "armour": frozenset(_PILES),
    "spell": frozenset(_PILES),
    "token": frozenset(Ability) - {*_PILES, Ability.HERO, Ability.STEALTH, Ability.TRICK},
    "creature": frozenset(Ability),
}
GRANTED = frozenset(Ability) - {
    *(Ability.AURA, Ability.HERO, Ability.SPELL, Ability.STEALTH, Ability.SUMMON, Ability.TRANSFORM, Ability.TRICK),
    *_PILES,
}
LOST = frozenset(Ability) - {Ability.SWARM}

KeywordText = Annotated[
    str,
    Field(pattern=r"^[A-Z]+(?: [A-Z]+)?(?:\([0-9]{1,3}\))?$", description='an ability in capitals such as "BLOCK" or "RANGE(2)"'),
]
Place = tuple[str | int, ...]
_PARTS = re.compile(r"(?P<word>[A-Z ]+)(?:\((?P<x>\d+)\))?")


class Keyword(NamedTuple):
    """An ability and its X; 1 if it has none."""

    ability: Ability
    x: int


def word_of(ability: Ability) -> str:
    """An ability as card files write it, without X."""
    return ability.name.replace("_", " ")


_BY_WORD = {word_of(ability): ability for ability in Ability}


def parsed(text: str) -> Keyword:
    """Ability and X of a valid text."""
    word, x = _split(text)
    return Keyword(_BY_WORD[word], x or 1)


def known(texts: Iterable[str]) -> list[Ability]:
    """The abilities of some texts, in their order; unknown ones are left out."""
    words = (_split(text)[0] for text in texts)
    return [_BY_WORD[word] for word in words if word in _BY_WORD]


def _split(text: str) -> tuple[str, int | None]:
    """Word and number of a well-formed text."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return text, None
    return found["word"], None if found["x"] is None else int(found["x"])


def text_problems(place: Place, text: str, *, bare: bool = False) -> Iterator[Problem]:
    """An unknown ability, or an X that is missing, superfluous or out of range. bare: no ability has an X here."""
    word, x = _split(text)
    if word not in _BY_WORD:
        yield Problem(place, "is no ability", did_you_mean(word, [*_BY_WORD]))
        return
    ability = _BY_WORD[word]
    most = LOOK_MAX if ability in (Ability.SCRY, Ability.SPY) else X_MAX
    if bare or ability not in NUMBERED:
        if x is not None:
            yield Problem(place, "has a number", f'must be "{word}"')
    elif x is None:
        yield Problem(place, "has no number", f'must be "{word}(1)" to "{word}({most})"')
    elif not 1 <= x <= most:
        yield Problem(place, f"is too {'small' if x < 1 else 'large'}", f'must be "{word}(1)" to "{word}({most})"')


def one_of_problems(place: Place, text: str, choices: frozenset[Ability], wrong: str) -> Iterator[Problem]:
    """An ability that is not among the choices. wrong: the message in that case."""
    for ability in known([text]):
        if ability not in choices:
            words = ", ".join(word_of(choice) for choice in sorted(choices))
            yield Problem(place, wrong, f"must be one of {words}")


def keyword_problems(texts: list[str], kind: str) -> Iterator[Problem]:
    """Problems in the `keywords` of a card. kind: its type."""
    for index, text in enumerate(texts):
        place = ("keywords", index)
        yield from text_problems(place, text)
        yield from one_of_problems(place, text, ALLOWED[kind], f"is not for cards of type {kind}")
    abilities = known(texts)
    for ability, times in Counter(abilities).items():
        if times > 1 and ability not in REPEATED:
            yield Problem(("keywords",), f"have {word_of(ability)} {times} times", "only TRICK, UNDEATH are repeated")
    if (tricks := abilities.count(Ability.TRICK)) > TRICK_LISTS:
        yield Problem(("keywords",), f"have TRICK {tricks} times", f"at most {TRICK_LISTS} are allowed")
    if Ability.SWARM in abilities and len(texts) > 1:
        right = "a creature with SWARM has no other ability (RIFT-110)"
        yield Problem(("keywords",), "have SWARM together with other abilities", right)
    if kind == "token" and {Ability.HASTE, Ability.SUMMON} <= {*abilities}:
        right = "tokens that summon in the turn in which they enter could go on forever"
        yield Problem(("keywords",), "have HASTE and SUMMON on a token", right)


CHOSEN_MAX = 5
POINTS_MAX = 60  # of damage and healing
TOKENS_MAX = 20
XP_MAX = 5000
SIDED = ("chosen", "each", "row")  # targets that need `side`

_N = Column("n", np.int16)  # the number of any effect
Points = Annotated[int, Field(ge=1, le=POINTS_MAX), _N]


def tokens_of(file: Any) -> list[str]:
    """Return the ids of the tokens of a card file."""
    return [card.id for card in file.card if card.type == "token"]


class OnCreatures(CardModel):
    """An effect on creatures."""

    target: Annotated[Literal["self", "chosen", "each", "row", "trigger", "subject", "same"], Numbered(Target)]
    side: Annotated[Literal["friend", "enemy", "any"], Numbered(Side)] = "friend"
    count: Annotated[int, Field(ge=1, le=CHOSEN_MAX), Apart()] = 1
    where: Annotated[Literal["any", "adjacent"], Numbered(Where, "adjacent")] = "any"

    AGREEMENT: ClassVar[Agreement] = (
        Needs("side", target=SIDED),
        Only("side", target=SIDED),
        Only("count", target="chosen"),
        Only("where", target="chosen"),
    )


class Hurt(OnCreatures):
    """RIFT-15, 63, 64. Damage that is not an attack, or remove damage tokens."""

    op: Annotated[Literal["damage", "heal"], Numbered(Op)]
    n: Points


class Mark(OnCreatures):
    """RIFT-66 to 68. Add or remove tokens."""

    op: Annotated[Literal["add", "clear"], Numbered(Op)]
    kind: Annotated[Literal["rage", "health", "shield", "weakness", "decay"], Numbered(TokenOf, "token")]
    n: Annotated[int, Field(ge=1, le=TOKENS_MAX), _N]


class Teach(OnCreatures):
    """RIFT-60. Gain or lose an ability permanently."""

    op: Annotated[Literal["grant", "lose"], Numbered(Op)]
    keyword: KeywordText


class Afflict(OnCreatures):
    """RIFT-70, 82, 94. Raise damage tokens to the maximum Health; the same as CHARM or PACIFY."""

    op: Annotated[Literal["destroy", "charm", "pacify"], Numbered(Op)]


class DamagePlayer(CardModel):
    """RIFT-51. Damage to players."""

    op: Annotated[Literal["damage_player"], Numbered(Op)]
    n: Points
    who: Annotated[Literal["own", "enemy", "both"], Numbered(Side, "side")]


class HealPlayer(CardModel):
    """Heal the player, at most to the life at the start."""

    op: Annotated[Literal["heal_player"], Numbered(Op)]
    n: Points


class DrawCards(CardModel):
    """RIFT-87. The same as DRAW."""

    op: Annotated[Literal["draw"], Numbered(Op)]
    n: Annotated[int, Field(ge=1, le=X_MAX), _N]


class Look(CardModel):
    """RIFT-104, 107. The same as SCRY or SPY."""

    op: Annotated[Literal["scry", "spy"], Numbered(Op)]
    n: Annotated[int, Field(ge=1, le=LOOK_MAX), _N]


class Recall(CardModel):
    """RIFT-123. Shuffle the player's discard pile into the library."""

    op: Annotated[Literal["recall"], Numbered(Op)]


class GainXp(CardModel):
    """RIFT-21. Gain experience."""

    op: Annotated[Literal["gain_xp"], Numbered(Op)]
    n: Annotated[int, Field(ge=1, le=XP_MAX), _N]


class Summon(CardModel):
    """RIFT-27. Place tokens in any legal places."""

    op: Annotated[Literal["summon"], Numbered(Op)]
    token: Identifier
    n: Annotated[int, Field(ge=1, le=X_MAX), _N]

    AGREEMENT: ClassVar[Agreement] = (Known("token", tokens_of, noun="token"),)


class PlayFree(CardModel):
    """RIFT-27. Play a creature from the hand without using the level budget."""

    op: Annotated[Literal["play_free"], Numbered(Op)]
    max_level: Annotated[int, Field(ge=1, le=LEVELS), _N]


Effect = Annotated[
    Hurt | Mark | Teach | Afflict | DamagePlayer | HealPlayer | DrawCards | Look | Recall | GainXp | Summon | PlayFree,
    Field(discriminator="op"),
]

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


def titled(word: str) -> str:
    """Display name made from an id: `beast_cub` is `Beast Cub`, `tok_bones` is `Bones`."""
    return word.removeprefix("tok_").replace("_", " ").title()


class Aura(CardModel):
    """`aura`: what an AURA gives, at least one of attack, health and keyword."""

    side: Annotated[Literal["friend", "enemy", "all"], Numbered(Side, "aura_side")]
    attack: Annotated[Bonus, Column("aura_attack")] = 0
    health: Annotated[Bonus, Column("aura_health")] = 0
    keyword: KeywordText = ""
    source: Source = None


class Named(CardModel):
    """A card or a deck. name: optional, made from the id by `titled` if missing."""

    id: Identifier
    name: Text = ""

    @property
    def title(self) -> str:
        """Name as it is shown."""
        return self.name or titled(self.id)


WITH_FIELD = {  # abilities with a field of the card
    Ability.AURA: "aura",
    Ability.SPELL: "spell_action",
    Ability.SUMMON: "summon",
    Ability.TRANSFORM: "transform",
    Ability.TRICK: "tricks",
}


class Card(Named):
    """Fields of all cards."""

    family: OptionalText = ""
    xp: Annotated[int, Field(ge=0, le=XP_MAX)]
    keywords: Keywords = Field(default_factory=list)
    source: Source = None

    @cached_property
    def abilities(self) -> list[str]:
        """The abilities of `keywords`, without X."""
        return [word_of(ability) for ability in known(self.keywords)]

    def lists(self) -> dict[List, list[Effect]]:
        """Effect lists of the card."""
        return {}


def _of_ability(field: str, ability: Ability) -> Agreement:
    """Return the rows of a field that a card has if it has the ability, and only then."""
    return (Needs(field, abilities=word_of(ability)), Only(field, abilities=word_of(ability)))


class Body(Card):
    """A card that stands in a formation. An omitted field means that it has none: see `model_fields_set`."""

    attack: Attack
    health: Health
    aura: Aura = Aura(side="friend")
    double_retarget: bool = False
    summon: Identifier = ""
    transform: Identifier = ""
    spell_action: Annotated[Effects, Apart()] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (
        *_of_ability("aura", Ability.AURA),
        *_of_ability("spell_action", Ability.SPELL),
        *_of_ability("summon", Ability.SUMMON),
        *_of_ability("transform", Ability.TRANSFORM),
        Only("double_retarget", abilities=word_of(Ability.DOUBLE_ATTACK)),
        Known("summon", tokens_of, noun="token"),
        Known("transform", tokens_of, noun="token"),
    )

    def lists(self) -> dict[List, list[Effect]]:
        """Effect lists of the card."""
        return {List.MAIN: self.spell_action}


class Creature(Body):
    """A creature. tricks: one effect list for each TRICK."""

    type: Annotated[Literal["creature"], Numbered(Kind, "kind")]
    level: Level
    tricks: Annotated[list[Effects], Field(min_length=1, max_length=TRICK_LISTS), Apart()] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = _of_ability("tricks", Ability.TRICK)

    def lists(self) -> dict[List, list[Effect]]:
        """Effect lists of the card."""
        return {**super().lists(), **dict(zip((List.TRICK_1, List.TRICK_2), self.tricks, strict=False))}


class Token(Body):
    """A creature that only other cards bring into play."""

    type: Annotated[Literal["token"], Numbered(Kind, "kind")]
    level: Nothing = 0


class Weapon(Card):
    """A Weapon. health: uses."""

    type: Annotated[Literal["weapon"], Numbered(Kind, "kind")]
    level: Level
    attack: Attack
    health: Annotated[int, Field(ge=1, le=USES_MAX)]


class Armour(Card):
    """An Armour. health: points."""

    type: Annotated[Literal["armour"], Numbered(Kind, "kind")]
    level: Level
    attack: Nothing = 0
    health: Health


class Spell(Card):
    """A Spell."""

    type: Annotated[Literal["spell"], Numbered(Kind, "kind")]
    level: Level
    attack: Nothing = 0
    health: Nothing = 0
    effects: Annotated[list[Effect], Field(max_length=ENTRIES, description="effects"), Apart()] = Field(default_factory=list)

    def lists(self) -> dict[List, list[Effect]]:
        """Effect lists of the card."""
        return {List.MAIN: self.effects}


AnyCard = Annotated[Creature | Weapon | Armour | Spell | Token, Field(discriminator="type")]


DECK_LEAST = 10  # cards; as many as the largest starting hand
XP_MOST = 10_000_000
LEVEL_XP = (
    *(0, 500, 1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000),
    *(25000, 30000, 35000, 40000, 45000, 50000, 55000, 60000, 65000, 70000),
)

Copies = Annotated[int, Field(ge=0, le=DECK_MAX), Apart()]
DeckSize = Annotated[int, Field(ge=DECK_LEAST, le=DECK_MAX), Apart()]


class Rules(RuleSwitches):
    """`[rules]`: constants and rule variants."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("start_life", "start_hand", "mulligans", "turn_xp", "turn_draw", "first_player_first_draw"),
            *("second_draw", "second_xp"),
            *("retaliation_divisor", "flight_range", "max_rows", "max_per_row", "turn_cap", "level_xp", "deck_min"),
            *("deck_max", "copies_hero", "copies_weapon", "copies_armour", "copies_spell", "copies_other"),
        }
    )  # numbers, not switches

    start_life: Annotated[int, Field(ge=1, le=500)] = 50
    start_hand: Annotated[int, Field(ge=0, le=10)] = 5
    mulligans: Annotated[int, Field(ge=0, le=3)] = 1
    turn_xp: Annotated[int, Field(ge=0, le=5000)] = 300
    turn_draw: Annotated[int, Field(ge=0, le=5)] = 1
    first_player_first_draw: Annotated[int, Field(ge=0, le=5), Column("first_draw")] = 0
    second_draw: Annotated[int, Field(ge=-1, le=5)] = 0
    second_xp: Annotated[int, Field(ge=-5000, le=5000)] = 0
    retaliation_divisor: Annotated[int, Field(ge=1, le=10), Column("divisor")] = 2
    flight_range: Annotated[int, Field(ge=1, le=9)] = 2
    max_rows: Annotated[int, Field(ge=1, le=3)] = 3
    max_per_row: Annotated[int, Field(ge=1, le=5)] = 5
    turn_cap: Annotated[int, Field(ge=40, le=2000)] = 400
    level_xp: Annotated[
        list[Annotated[int, Field(ge=0, le=XP_MOST)]],
        Field(min_length=LEVELS, max_length=LEVELS, description="experience for level 1, 2, ..."),
    ] = Field(default_factory=lambda: [*LEVEL_XP])
    deck_min: DeckSize = 40
    deck_max: DeckSize = 60
    copies_hero: Copies = 1
    copies_weapon: Copies = 2
    copies_armour: Copies = 2
    copies_spell: Copies = 3
    copies_other: Copies = 0
    level_budget: Annotated[LevelBudget, Word()] = LevelBudget.LIVE
    aoo_xp: bool = False
    adjacent_enemies: Annotated[AdjacentEnemies, Word()] = AdjacentEnemies.TOUCHING
    clear_path: Annotated[ClearPath, Word()] = ClearPath.HALF
    contact_retaliation: bool = True
    dead_retaliate: bool = True
    rage_before_retaliation: bool = True
    mutual_kill_xp: bool = True
    kill_xp: Annotated[KillXp, Word()] = KillXp.ATTACKS
    siphon_timing: Annotated[SiphonTiming, Word()] = SiphonTiming.STRIKE
    siphon_counts: Annotated[SiphonCounts, Word()] = SiphonCounts.FULL
    relentless_on: Annotated[RelentlessOn, Word()] = RelentlessOn.ANY
    stealth_cover: Annotated[StealthCover, Word()] = StealthCover.ALWAYS
    morale_start: Annotated[MoraleStart, Word()] = MoraleStart.ATTACK
    weapon_uses: Annotated[WeaponUses, Word()] = WeaponUses.ONCE
    transform_keeps: Annotated[TransformKeeps, Word()] = TransformKeeps.NOTHING


class DeckCards(CardModel):
    """`cards` of a deck: card id -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]

    def copies(self) -> dict[str, int]:
        """Copies by card id, in the order of the list."""
        return dict(self.__pydantic_extra__)


class Deck(Named):
    """`[[deck]]`: an entrant."""

    cards: Annotated[DeckCards, Apart()]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (Known("cards{}", "card[].id"),)


SPELL_CARD, ACTION, TRICK = "a Spell card", "a SPELL action", "a trick"


def list_problems(entries: list[Effect], of: str) -> Iterator[Problem]:
    """Problems of an effect list. of: SPELL_CARD, ACTION or TRICK."""
    for index, entry in enumerate(entries):
        before = entries[index - 1] if index else None
        yield from within((index,), _entry_problems(entry, before, of))
        if isinstance(entry, Summon | PlayFree) and (of != SPELL_CARD or index < len(entries) - 1):
            right = "may only be the last entry of the effects of a Spell card"
            yield Problem((index, "op"), f"is not the last entry of {SPELL_CARD}", right)


def _entry_problems(entry: Effect, before: Effect | None, of: str) -> Iterator[Problem]:
    """Problems of one entry. before: the entry before it."""
    if isinstance(entry, OnCreatures):
        yield from _target_problems(entry, before, of)
    if isinstance(entry, Teach):
        lost = entry.op == "lose"
        choices, wrong = (LOST, "cannot be lost") if lost else (GRANTED, "cannot be granted")
        yield from text_problems(("keyword",), entry.keyword, bare=lost)
        yield from one_of_problems(("keyword",), entry.keyword, choices, wrong)


def _target_problems(entry: OnCreatures, before: Effect | None, of: str) -> Iterator[Problem]:
    """Targets that do not exist there."""
    target = entry.target
    field = "target" if target == "self" else "where" if entry.where == "adjacent" else ""
    if of == SPELL_CARD and field:
        right = f'"{getattr(entry, field)}" belongs to spell_action and tricks'
        yield Problem((field,), f"needs an acting creature, which {of} does not have", right)
    if target in ("trigger", "subject") and of != TRICK:
        yield Problem(("target",), f"is unknown to {of}", "belongs to tricks, which something has set off")
    if target == "same" and before is None:
        yield Problem(("target",), "stands in the first entry", "means the targets of the entry before")
    elif target == "same" and not isinstance(before, OnCreatures):
        yield Problem(("target",), "follows an entry without creatures", "means the targets of the entry before")


RESERVED = ("source",)  # not the id of a card: the list of a deck has a field of this name
EQUIPMENT_MAX = 8  # most Weapons of a deck, and most Armours: no more can be attached
LIMITED = ("hero", "weapon", "armour", "spell")  # card classes with a copy limit of their own; all others are `other`


def _rule_problems(rules: Rules) -> Iterator[Problem]:
    """Levels that do not rise, and limits that allow no deck size."""
    if rules.level_xp[0]:
        yield Problem(("rules", "level_xp", 0), "is not 0", "players begin at level 1 without experience")
    for index, (before, xp) in enumerate(zip(rules.level_xp, rules.level_xp[1:], strict=False), 1):
        if xp <= before:
            right = "every level must need more experience than the one before"
            yield Problem(("rules", "level_xp", index), f"is not more than {before}", right)
    if rules.deck_min > rules.deck_max:
        wrong = f"is more than deck_max = {rules.deck_max}"
        yield Problem(("rules", "deck_min"), wrong, "must be at most deck_max")


def _card_problems(card: AnyCard) -> Iterator[Problem]:
    """Problems of one card."""
    yield from keyword_problems(card.keywords, card.type)
    if isinstance(card, Spell):
        yield from within(("effects",), list_problems(card.effects, SPELL_CARD))
    elif isinstance(card, Body):
        yield from _body_problems(card)


def _body_problems(card: Body) -> Iterator[Problem]:
    """Problems in the fields of a creature or token."""
    if "aura" in card.model_fields_set:
        yield from _aura_problems(card.aura)
    yield from within(("spell_action",), list_problems(card.spell_action, ACTION))
    if not isinstance(card, Creature):
        return
    tricks = known(card.keywords).count(Ability.TRICK)
    if tricks and card.tricks and tricks != len(card.tricks):
        wrong = f"hold {len(card.tricks)} lists of effects for {tricks} TRICK"
        yield Problem(("tricks",), wrong, "every TRICK needs one list")
    for index, entries in enumerate(card.tricks):
        yield from within(("tricks", index), list_problems(entries, TRICK))


def _aura_problems(aura: Aura) -> Iterator[Problem]:
    """An AURA that gives nothing, or something that no AURA can give."""
    if aura.keyword:
        place = ("aura", "keyword")
        yield from text_problems(place, aura.keyword)
        yield from one_of_problems(place, aura.keyword, LENT, "cannot be given by an AURA")
    elif not (aura.attack or aura.health):
        yield Problem(("aura",), "gives nothing", "needs attack, health or keyword")


def class_of(card: AnyCard) -> str:
    """The copy limit that applies to a card: a word of LIMITED, or other (RIFT-03)."""
    if Ability.HERO in known(card.keywords):
        return "hero"
    return card.type if card.type in LIMITED else "other"


def _deck_problems(deck: Deck, cards: dict[str, AnyCard], rules: Rules) -> Iterator[Problem]:
    """RIFT-02 to 04. Problems of one deck."""
    copies = deck.cards.copies()
    for word, count in copies.items():
        if word in cards:
            yield from within(("cards", word), _copy_problems(cards[word], count, rules))
    size = sum(copies.values())
    if not rules.deck_min <= size <= rules.deck_max:
        right = f"must be {rules.deck_min} to {rules.deck_max} together (rules.deck_min, rules.deck_max)"
        yield Problem(("cards",), f"hold {size} cards", right)
    for kind in ("weapon", "armour"):
        held = sum(count for word, count in copies.items() if word in cards and cards[word].type == kind)
        if held > EQUIPMENT_MAX:
            right = f"must be at most {EQUIPMENT_MAX}, because no more can be attached"
            yield Problem(("cards",), f"hold {held} cards of type {kind}", right)


def _copy_problems(card: AnyCard, count: int, rules: Rules) -> Iterator[Problem]:
    """RIFT-03, 04. Problems of one card in a deck."""
    if card.type == "token":
        yield Problem((), "is a token", "tokens are never in a deck; they come by SUMMON, TRANSFORM and Spells")
    else:
        group = class_of(card)
        limit = getattr(rules, f"copies_{group}")
        if limit and count > limit:
            what = {"hero": "a Hero", "other": "such a card"}.get(group, f"a card of type {group}")
            right = f"a deck holds at most {limit} of {what} (rules.copies_{group})"
            yield Problem((), "are too many copies", right)


class RiftbornFile(CardFile):
    """A whole card file of Riftborn Tactics. Its entrants are the decks."""

    game: Literal["riftborn"]
    rules: Rules = Rules()
    card: Annotated[list[AnyCard], Field(min_length=1, max_length=CARDS_MAX, description="[[card]]"), RowCount("cards")]
    deck: Annotated[list[Deck], Field(min_length=2, max_length=DECKS_MAX, description="[[deck]]"), RowCount("decks")]

    AGREEMENT: ClassVar[Agreement] = (
        Unique("card[].id", reserved=RESERVED),
        Unique("card[].name"),
        Unique("deck[].id"),
        Unique("deck[].name"),
    )

    def entrants(self) -> dict[str, str]:
        """Return the name of each deck by its id, in the order of the file."""
        return {deck.id: deck.title for deck in self.deck}

    def problems(self) -> Iterator[Problem]:
        """Every problem that concerns more than one field."""
        yield from _rule_problems(self.rules)
        cards = {card.id: card for card in self.card}
        for index, card in enumerate(self.card):
            yield from within(("card", index), _card_problems(card))
        for index, deck in enumerate(self.deck):
            yield from within(("deck", index), _deck_problems(deck, cards, self.rules))
