"""Tables of a card file of Riftborn Tactics: abilities, effects, cards, rules, decks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, Field

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardModel, Identifier, Problem, Source, Text
from sim.games.riftborn.record import DECK_MAX, ENTRIES, LENDABLE, LEVELS, TRICK_LISTS, Ability

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


def list_problems(texts: list[str], kind: str) -> Iterator[Problem]:
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

Points = Annotated[int, Field(ge=1, le=POINTS_MAX)]
Looked = Annotated[int, Field(ge=1, le=LOOK_MAX)]
TokenKind = Literal["rage", "health", "shield", "weakness", "decay"]


class OnCreatures(CardModel):
    """An effect on creatures. `side` belongs to chosen, each, row; `count` and `where` belong to chosen."""

    target: Literal["self", "chosen", "each", "row", "trigger", "subject", "same"]
    side: Literal["friend", "enemy", "any"] = "any"
    count: Annotated[int, Field(ge=1, le=CHOSEN_MAX)] = 1
    where: Literal["any", "adjacent"] = "any"


class Damage(OnCreatures):
    """RIFT-15, 63. Damage that is not an attack."""

    op: Literal["damage"]
    n: Points


class Heal(OnCreatures):
    """RIFT-64. Remove damage tokens."""

    op: Literal["heal"]
    n: Points


class Add(OnCreatures):
    """RIFT-66 to 68. Add tokens."""

    op: Literal["add"]
    kind: TokenKind
    n: Annotated[int, Field(ge=1, le=TOKENS_MAX)]


class Clear(OnCreatures):
    """RIFT-66 to 68. Remove tokens."""

    op: Literal["clear"]
    kind: TokenKind
    n: Annotated[int, Field(ge=1, le=TOKENS_MAX)]


class Grant(OnCreatures):
    """RIFT-60. Gain an ability permanently."""

    op: Literal["grant"]
    keyword: KeywordText


class Lose(OnCreatures):
    """RIFT-60. Lose an ability permanently."""

    op: Literal["lose"]
    keyword: KeywordText


class Destroy(OnCreatures):
    """RIFT-70. Raise damage tokens to the maximum Health."""

    op: Literal["destroy"]


class Charm(OnCreatures):
    """RIFT-82. The same as CHARM."""

    op: Literal["charm"]


class Pacify(OnCreatures):
    """RIFT-94. The same as PACIFY."""

    op: Literal["pacify"]


class DamagePlayer(CardModel):
    """RIFT-51. Damage to players."""

    op: Literal["damage_player"]
    n: Points
    who: Literal["own", "enemy", "both"]


class HealPlayer(CardModel):
    """Heal the player, at most to the life at the start."""

    op: Literal["heal_player"]
    n: Points


class DrawCards(CardModel):
    """RIFT-87. The same as DRAW."""

    op: Literal["draw"]
    n: Annotated[int, Field(ge=1, le=X_MAX)]


class Scry(CardModel):
    """RIFT-104. The same as SCRY."""

    op: Literal["scry"]
    n: Looked


class Spy(CardModel):
    """RIFT-107. The same as SPY."""

    op: Literal["spy"]
    n: Looked


class Recall(CardModel):
    """RIFT-123. Shuffle the player's discard pile into the library."""

    op: Literal["recall"]


class GainXp(CardModel):
    """RIFT-21. Gain experience."""

    op: Literal["gain_xp"]
    n: Annotated[int, Field(ge=1, le=XP_MAX)]


class Summon(CardModel):
    """RIFT-27. Place tokens in any legal places."""

    op: Literal["summon"]
    token: Identifier
    n: Annotated[int, Field(ge=1, le=X_MAX)]


class PlayFree(CardModel):
    """RIFT-27. Play a creature from the hand without using the level budget."""

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
Family = Annotated[  # as `Text`, but it can be empty
    str,
    Field(
        max_length=60,
        pattern=r"^[^\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}]*$",
        description="text of at most 60 characters without control characters, or empty",
    ),
]


def titled(word: str) -> str:
    """Display name made from an id: `beast_cub` is `Beast Cub`, `tok_bones` is `Bones`."""
    return word.removeprefix("tok_").replace("_", " ").title()


class Aura(CardModel):
    """`aura`: what an AURA gives, at least one of attack, health and keyword."""

    side: Literal["friend", "enemy", "all"]
    attack: Bonus = 0
    health: Bonus = 0
    keyword: KeywordText = ""
    source: Source = None


class Card(CardModel):
    """Fields of all cards. name: optional, made from the id by `titled` if missing."""

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
    """A card that stands in a formation. An omitted field means that it has none: see `model_fields_set`."""

    attack: Attack
    health: Health
    aura: Aura = Aura(side="friend")
    double_retarget: bool = False
    summon: Identifier = ""
    transform: Identifier = ""
    spell_action: Effects = Field(default_factory=list)


class Creature(Body):
    """A creature. tricks: one effect list for each TRICK."""

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


DECK_LEAST = 10  # cards; as many as the largest starting hand
XP_MOST = 10_000_000
LEVEL_XP = (
    *(0, 500, 1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000),
    *(25000, 30000, 35000, 40000, 45000, 50000, 55000, 60000, 65000, 70000),
)

Copies = Annotated[int, Field(ge=0, le=DECK_MAX)]
DeckSize = Annotated[int, Field(ge=DECK_LEAST, le=DECK_MAX)]


class Rules(CardModel):
    """`[rules]`: constants and rule variants."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("start_life", "start_hand", "mulligans", "turn_xp", "turn_draw", "first_player_first_draw"),
            *("second_draw", "second_xp"),
            *("retaliation_divisor", "flight_range", "max_rows", "max_per_row", "turn_cap", "level_xp", "deck_min"),
            *("deck_max", "copies_hero", "copies_weapon", "copies_armour", "copies_spell", "copies_other", "source"),
        }
    )  # numbers, not switches

    start_life: Annotated[int, Field(ge=1, le=500)] = 50
    start_hand: Annotated[int, Field(ge=0, le=10)] = 5
    mulligans: Annotated[int, Field(ge=0, le=3)] = 1
    turn_xp: Annotated[int, Field(ge=0, le=5000)] = 300
    turn_draw: Annotated[int, Field(ge=0, le=5)] = 1
    first_player_first_draw: Annotated[int, Field(ge=0, le=5)] = 0
    second_draw: Annotated[int, Field(ge=-1, le=5)] = 0
    second_xp: Annotated[int, Field(ge=-5000, le=5000)] = 0
    retaliation_divisor: Annotated[int, Field(ge=1, le=10)] = 2
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
    level_budget: Literal["live", "snapshot"] = "live"
    aoo_xp: bool = False
    adjacent_enemies: Literal["touching", "contact"] = "touching"
    clear_path: Literal["half", "nearest"] = "half"
    contact_retaliation: bool = True
    dead_retaliate: bool = True
    rage_before_retaliation: bool = True
    mutual_kill_xp: bool = True
    kill_xp: Literal["attacks", "any_own_damage"] = "attacks"
    siphon_timing: Literal["strike", "exchange"] = "strike"
    siphon_counts: Literal["full", "effective"] = "full"
    relentless_on: Literal["any", "attack"] = "any"
    stealth_cover: Literal["always", "face_down"] = "always"
    morale_start: Literal["attack", "health"] = "attack"
    weapon_uses: Literal["once", "unlimited"] = "once"
    transform_keeps: Literal["nothing", "tokens"] = "nothing"
    source: Source = None


class DeckCards(CardModel):
    """`cards` of a deck: card id -> copies."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, Field(ge=1, le=DECK_MAX)]]

    def copies(self) -> dict[str, int]:
        """Copies by card id, in the order of the list."""
        return dict(self.__pydantic_extra__)


class Deck(CardModel):
    """`[[deck]]`: an entrant. name: optional, made from the id if missing."""

    id: Identifier
    name: Text = ""
    cards: DeckCards
    source: Source = None

    @property
    def title(self) -> str:
        """Name as it is shown."""
        return self.name or titled(self.id)
