"""The card file of Rookling Heroes: its enums and sizes, its tables with their ranges, and checks of several fields.

Each effect of a line is a table with its parameters: `ON` is the kind of line that can have it, `MOST` the largest n on either
side of the card. Each op of a token is one too: `ON` lists the triggers that it works with.
"""

from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field

from sim.engine.cardfiles.columns import Apart, ByTag, Column, Numbered, RowCount, Word
from sim.engine.cards import (
    Agreement,
    CardFile,
    CardModel,
    Identifier,
    Known,
    Needs,
    Only,
    OnlyOn,
    OptionalText,
    Problem,
    RuleSwitches,
    Source,
    Text,
    Unique,
    effect_model,
    one_of,
    within,
)

ROOKLINGS_MAX = 32
SQUAD = 3  # Rooklings of a squad
SQUADS_MAX = comb(ROOKLINGS_MAX, SQUAD)
LINES = 4  # most lines of a Rookling
EFFECTS = 2  # most effects of a line
SIDES = 2  # of a Rookling card: front, siege-state
TOKENS = 16  # most kinds of tokens
FIELD_EFFECTS_MAX = 16
COLOURS_MAX = 6
NUMBERS = 9  # numbers on energy cards: 1..9
ENERGY_KINDS = COLOURS_MAX * NUMBERS  # kind of an energy card: colour * NUMBERS + number - 1
GREY = -1  # colour of a field effect that counts for `any` lines only
ANY = COLOURS_MAX  # colour of a line that every card counts for; also the column of `shown` that sums all colours
NONE = -1  # no token, no field effect, no match colour


class Kind(IntEnum):
    """Kinds of lines. NONE: the Rookling has no such line."""

    NONE = 0
    ATTACK = 1
    DEFENCE = 2
    SPECIAL = 3


class Op(IntEnum):
    """Effects of lines. NONE: no effect."""

    NONE = 0
    TOKEN_ON_HIT = 1
    SHUFFLE_FIELD = 2
    HEAL = 3
    CLEANSE = 4
    CHARGE = 5
    ATTACK_FLAT = 6
    ATTACK_PLUS = 7
    DEFENCE_FLAT = 8
    DEFENCE_PLUS = 9
    DRAW = 10
    TOKEN_SELF = 11


class Scope(IntEnum):
    """Which Rooklings an effect reaches; from SELF_OR_NEIGHBOUR on, the player picks one."""

    SELF = 0
    NEIGHBOURS = 1
    ALL_OWN = 2
    SELF_OR_NEIGHBOUR = 3
    ANY_OWN = 4


class Trigger(IntEnum):
    """When a token acts."""

    STANDING = 0
    ATTACK_TURN = 1
    FACED = 2
    DEFENDS = 3
    END_ATTACK = 4


class Until(IntEnum):
    """When a token goes. REPLACED: fixed tokens."""

    EXCHANGE = 0
    OWNER_ATTACK = 1
    TRIGGER = 2
    CLEARED = 3
    REPLACED = 4


class Mask(IntEnum):
    """Sets of token kinds: rows of `token_mask`, bit k = kind k. Named by words of the card file, from which they derive."""

    NO_ENERGY = 0  # standing, bars energy
    NO_SPECIAL = 1  # standing, bars special lines
    STANDING = 2  # standing, changes attack or defence
    ATTACK_TURN = 3
    CANCEL_ATTACK = 4  # faced, cancels the attack
    FACED = 5  # faced, gives flat defence
    DEFENDS = 6
    DAMAGE = 7  # end of the attack
    HEAL = 8  # end of the attack
    CLEARED = 9  # until cleared
    HARMFUL = 10
    EXCHANGE = 11  # until the end of the exchange
    OWNER_ATTACK = 12  # until the end of the owner's attacking turn
    TRIGGER = 13  # until triggered
    FIXED = 14


GREY_WORD, ANY_WORD = "grey", "any"  # colours that no energy card has
RESERVED = (GREY_WORD, ANY_WORD, "source")  # no names of colours, as they have another meaning

# Rule switches.

SquadMode = IntEnum("SquadMode", "CHOOSE RANDOM DRAFT", start=0)  # ROOK-02 to 04: how squads are formed
FirstAttacker = IntEnum("FirstAttacker", "COIN DRAFTER1 DRAFTER2", start=0)  # who attacks first
OpeningRow = IntEnum("OpeningRow", "DEFENDER_FIRST RANDOM", start=0)  # how the first defender's row is arranged
DrawMode = IntEnum("DrawMode", "UP_TO NEW_HAND", start=0)  # draw up to a full hand, or draw a new hand
ChargeColour = IntEnum("ChargeColour", "SAME_COLOUR ANY_MATCH", start=0)  # how several cards meet a coloured line
HoldBlock = IntEnum("HoldBlock", "IF_MORE FREE", start=0)  # when a block can be held back
PoisonClearDraw = IntEnum("PoisonClearDraw", "STRICT LENIENT", start=0)  # price of clearing poison in the attacking turn
E1Order = IntEnum("E1Order", "HEAL_FIRST DAMAGE_FIRST", start=0)  # which tokens act first at the end of an attack


ScopeName = Annotated[Literal["self", "neighbours", "all_own", "self_or_neighbour", "any_own"], Numbered(Scope)]
CHOOSING = ("self_or_neighbour", "any_own")  # the player picks one


_TOKEN: Agreement = (Known("token", "token[].id"),)
_FIELD_EFFECT: Agreement = (Known("field_effect", "field_effect[].id"),)


def _effect(word: str, meaning: str, most: int = 0, on: str = "special", agreement: Agreement = (), **parameters: Any) -> Any:
    """Return the model of an effect. most: the largest n, on either side of the card; 0: it has no n."""
    if most:
        parameters["n"] = Annotated[int, Field(ge=1, le=most), Apart()]
    model = effect_model(word, meaning, on, ("do", (Numbered(Op, "op"),)), agreement, **parameters)
    model.MOST = most
    return model


LINE_EFFECTS = (
    _effect(
        "token_on_hit",
        "ROOK-56. Token cards for the attacked Rookling, if the attack was not fully blocked.",
        2,
        "attack",
        agreement=_TOKEN,
        token=Identifier,
    ),
    _effect(
        "shuffle_field",
        "ROOK-31. Copies of its field effect go into the Field Deck.",
        3,
        agreement=_FIELD_EFFECT,
        field_effect=Identifier,
    ),
    _effect("heal", "ROOK-32. Adds life, up to the cap.", 6, scope=ScopeName),
    _effect("cleanse", "ROOK-33. Removes all active harmful tokens.", scope=ScopeName),
    _effect("charge", "ROOK-34. Room for more cards, until the end of the exchange.", 2, scope=ScopeName),
    _effect("attack_flat", "ROOK-35, 39. Attack that needs no line, in this exchange.", 6, scope=ScopeName),
    _effect("attack_plus", "ROOK-35, 39. Attack added to an attack, in this exchange.", 6, scope=ScopeName),
    _effect("defence_flat", "ROOK-35, 39. Defence that needs no line, in this exchange.", 6, scope=ScopeName),
    _effect("defence_plus", "ROOK-35, 39. Defence added to a defence, in this exchange.", 6, scope=ScopeName),
    _effect("draw", "ROOK-36. Draws cards.", 3),
    _effect("token_self", "ROOK-37. Token cards for the Rookling itself.", 2, agreement=_TOKEN, token=Identifier),
)
GIVING = ("token_on_hit", "token_self")  # effects that give token cards
if TYPE_CHECKING:
    Effect = Any
else:
    Effect = one_of(LINE_EFFECTS, "do")


STANDING, ATTACK_TURN, FACED, DEFENDS, END_ATTACK = "standing", "attack_turn", "faced", "defends", "end_attack"
TRIGGERED = (ATTACK_TURN, FACED, DEFENDS, END_ATTACK)
ENDS = ("exchange", "owner_attack", "trigger", "cleared")  # of tokens that are not fixed
OPS_MAX = 2
_FLAGS = ("no_energy", "no_special", "cancel_attack")  # ops without a number
SUPPLY_MAX = 12
COPIES_MAX = 3

Points = Annotated[int, Field(ge=1, le=6)]


TOKEN_OPS = (
    effect_model("no_energy", "ROOK-68. Bars energy from the Rookling.", (STANDING,)),
    effect_model("no_special", "ROOK-69. Bars special lines.", (STANDING,)),
    effect_model("attack_flat", "ROOK-39. Attack that needs no line.", (STANDING, ATTACK_TURN), n=Points),
    effect_model(
        "attack_plus",
        "ROOK-39, 69. Added to an attack, or subtracted.",
        (STANDING, ATTACK_TURN),
        n=Annotated[int, Field(ge=-6, le=6)],
    ),
    effect_model("defence_flat", "ROOK-39, 42. Defence that needs no line.", (STANDING, FACED), n=Points),
    effect_model("defence_plus", "ROOK-39, 43. Defence added to a defence.", (STANDING, DEFENDS), n=Points),
    effect_model("cancel_attack", "ROOK-41. Cancels the attack that the Rookling faces.", (FACED,)),
    effect_model("damage", "ROOK-60. Damage that cannot be blocked.", (END_ATTACK,), n=Points),
    effect_model("heal", "ROOK-59. Adds life, up to the cap.", (END_ATTACK,), n=Points),
)
if TYPE_CHECKING:
    TokenOp = Any
else:
    TokenOp = one_of(TOKEN_OPS)


class Token(CardModel):
    """`[[token]]`: a token kind. fixed: it lies in a zone of the row; supply: token cards out of play."""

    id: Identifier
    name: Text
    trigger: Annotated[Literal["standing", "attack_turn", "faced", "defends", "end_attack"], Numbered(Trigger)]
    ops: Annotated[list[TokenOp], Field(min_length=1, max_length=OPS_MAX), ByTag("op", apart=_FLAGS)]
    until: Annotated[Literal["exchange", "owner_attack", "trigger", "cleared", "replaced"], Numbered(Until)]
    harmful: Annotated[bool, Apart()] = False
    fixed: Annotated[bool, Apart()] = False
    supply: Annotated[int, Field(ge=0, le=SUPPLY_MAX)] = 0
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        OnlyOn("ops[].op", by="trigger", noun="tokens with trigger {}"),
        Unique("ops[].op"),
        Only("until", "replaced", fixed=True),
        Only("until", ENDS, fixed=False, why='a fixed token is "replaced"'),
        Only("until", "trigger", trigger=TRIGGERED),
        Only("supply", fixed=False, why="a fixed token has no token cards"),
    )

    def problems(self) -> Iterator[Problem]:
        """Tokens that can only be cleared, although they do no damage."""
        if self.until == "cleared" and not self.fixed and "damage" not in {op.op for op in self.ops}:
            yield Problem(("until",), "does not fit a token without damage", 'needs the op "damage"')


class FieldEffect(CardModel):
    """`[[field_effect]]`: a card that is shuffled into the Field Deck, is used as energy and becomes a token."""

    id: Identifier
    name: Text
    number: Annotated[int, Field(ge=1, le=NUMBERS), Column("effect_number")]
    colour: Identifier
    copies: Annotated[int, Field(ge=1, le=COPIES_MAX), Column("effect_copies")]
    token: Identifier
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Known("colour", "energy.colours[]", also=(GREY_WORD,), noun="colour"),
        Known("token", "token[].id"),
    )


LIFE_MAX = 15
HAND_MAX = 6
ROOKLINGS_MIN = 6  # two squads of three must be possible without a Rookling in both

Life = Annotated[int, Field(ge=1, le=LIFE_MAX)]
Hand = Annotated[int, Field(ge=1, le=HAND_MAX)]
Number = Annotated[int, Field(ge=1, le=18)]
Amount = Annotated[int, Field(ge=1, le=12)]
Bonus = Annotated[int, Field(ge=1, le=6)]
Copies = Annotated[
    list[Annotated[int, Field(ge=0, le=9)]], Field(max_length=NUMBERS, description="copies of the cards with number 1, 2, ...")
]


Wide = Column(type=np.int64)


class Rules(RuleSwitches):
    """`[rules]`: constants, and the switches for rule variants."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset({"start_life", "heal_cap", "hand", "hand_max", "turn_cap", "second_hand"})

    start_life: Annotated[Life, Apart()] = 6
    heal_cap: Annotated[Life, Wide] = 6  # largest life that healing reaches
    hand: Annotated[Hand, Wide] = 4  # cards after drawing up
    hand_max: Annotated[Hand, Wide] = 6  # largest hand
    second_hand: Annotated[int, Field(ge=-5, le=5), Wide] = 0  # extra cards in the first defender's first hand
    turn_cap: Annotated[int, Field(ge=20, le=2000), Wide] = 200  # exchanges after which a game is stopped
    squad_mode: Annotated[SquadMode, Word()] = SquadMode.CHOOSE
    mirror: bool = False  # a Rookling can be in both squads
    first_attacker: Annotated[FirstAttacker, Word()] = FirstAttacker.COIN
    opening_row: Annotated[OpeningRow, Word()] = OpeningRow.DEFENDER_FIRST
    draw_mode: Annotated[DrawMode, Word()] = DrawMode.UP_TO
    dump: bool = True  # useless cards can be placed
    one_line_per_rookling: bool = False  # one line of any kind per Rookling and exchange
    charge_colour: Annotated[ChargeColour, Word()] = ChargeColour.SAME_COLOUR
    siege_chain_blocks: bool = False  # siege-state Rooklings can block a spill that passes over them
    hold_block: Annotated[HoldBlock, Word()] = HoldBlock.IF_MORE
    hit_on_landing: bool = False  # tokens go where the damage lands
    poison_clear_draw: Annotated[PoisonClearDraw, Word()] = PoisonClearDraw.STRICT
    e1_order: Annotated[E1Order, Word()] = E1Order.HEAL_FIRST

    AGREEMENT: ClassVar[Agreement] = (Only("first_attacker", ("drafter1", "drafter2"), squad_mode="draft"),)


class Counts(CardModel):
    """`[energy.counts]`: the copies of each number, by colour."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Copies]
    source: Source = None

    def by_colour(self) -> dict[str, list[int]]:
        """Copies of number 1, 2, ... by colour."""
        return dict(self.__pydantic_extra__)


class Energy(CardModel):
    """`[energy]`: the energy deck."""

    colours: Annotated[list[Identifier], Field(min_length=2, max_length=COLOURS_MAX, description="colours"), RowCount("colours")]
    counts: Counts
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Unique("colours[]", reserved=RESERVED),
        Known("counts{}", "energy.colours[]", noun="colour"),
    )


class Siege(CardModel):
    """`siege`: numbers that replace those of the front on the siege-state side; 0 means unchanged."""

    number: Number = 0
    amount: Amount = 0
    match_bonus: Bonus = 0
    value: Bonus = 0
    source: Source = None


class Line(CardModel):
    """A line with its threshold: a number, and a colour or `any`."""

    name: Text
    number: Annotated[Number, Apart()]
    colour: Identifier
    siege: Annotated[Siege, Apart()] = Siege()
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (
        Known("colour", "energy.colours[]", also=(ANY_WORD,), noun="colour"),
        OnlyOn("effects[].do", by="kind", noun="{} lines"),
    )


class PointsLine(Line):
    """A line that attacks or blocks with points, more of them with a card of the match colour; "" and 0 mean no match colour."""

    kind: Annotated[Literal["attack", "defence"], Numbered(Kind)]
    amount: Annotated[Amount, Apart()]
    match_colour: Identifier = ""
    match_bonus: Annotated[Bonus, Apart()] = 0
    effects: Annotated[list[Effect], Field(max_length=EFFECTS)] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (
        Known("match_colour", "energy.colours[]", noun="colour"),
        Needs("match_bonus", match_colour=True),
        Needs("match_colour", match_bonus=True),
    )


class Special(Line):
    """A special line."""

    kind: Annotated[Literal["special"], Numbered(Kind)]
    effects: Annotated[list[Effect], Field(min_length=1, max_length=EFFECTS)]


AnyLine = Annotated[PointsLine | Special, Field(discriminator="kind")]


class Rookling(CardModel):
    """`[[rookling]]`: a card of two sides. life: 0 means `rules.start_life`."""

    id: Identifier
    name: Text
    family: OptionalText = ""
    life: Life = 0
    line: Annotated[list[AnyLine], Field(min_length=3, max_length=LINES, description="[[rookling.line]]")]
    source: Source = None

    AGREEMENT: ClassVar[Agreement] = (Unique("line[].name"),)


class RooklingFile(CardFile):
    """A whole card file of Rookling Heroes."""

    game: Literal["rookling"]
    rules: Rules = Rules()
    energy: Energy
    token: Annotated[list[Token], Field(max_length=TOKENS), RowCount("tokens")] = Field(default_factory=list)
    field_effect: Annotated[list[FieldEffect], Field(max_length=FIELD_EFFECTS_MAX)] = Field(default_factory=list)
    rookling: Annotated[list[Rookling], Field(min_length=ROOKLINGS_MIN, max_length=ROOKLINGS_MAX), RowCount("rooklings")]

    AGREEMENT: ClassVar[Agreement] = (
        Unique("token[].id"),
        Unique("field_effect[].id"),
        Unique("rookling[].id"),
        Unique("rookling[].name"),
    )

    def problems(self) -> Iterator[Problem]:
        """Everything that involves more than one field."""
        yield from _rule_problems(self)
        yield from _energy_problems(self)
        for index, token in enumerate(self.token):
            yield from within(("token", index), token.problems())
        yield from _field_effect_problems(self)
        yield from _supply_problems(self)
        for index, rookling in enumerate(self.rookling):
            yield from within(("rookling", index), _rookling_problems(self, rookling))

    def entrants(self) -> dict[str, str]:
        """Id -> name of all squads of three Rooklings, in lexicographic order."""
        return squad_names(tuple(one.id for one in self.rookling), tuple(one.name for one in self.rookling))


@lru_cache(16)  # what-if analysis makes hundreds of card sets with the same names
def squad_names(ids: tuple[str, ...], names: tuple[str, ...]) -> dict[str, str]:
    """Id -> name of every squad in lexicographic order. ids, names: of the Rooklings in the order of the file."""
    words = ("+".join(members) for members in combinations(ids, SQUAD))
    return dict(zip(words, (" + ".join(members) for members in combinations(names, SQUAD)), strict=True))


# Checks that involve more than one field.


DECK_MIN, DECK_MAX = 24, 78
OF_A_KIND = 2  # most lines of one kind on a card
LINE_KINDS = ("attack", "defence", "special")

Where = tuple[str | int, ...]


def _effects_of(file: RooklingFile) -> Iterator[tuple[Where, Rookling, AnyLine, Effect]]:
    """Every effect of every line, as place, Rookling, line and effect."""
    for number, rookling in enumerate(file.rookling):
        for slot, line in enumerate(rookling.line):
            for index, effect in enumerate(line.effects):
                yield ("rookling", number, "line", slot, "effects", index), rookling, line, effect


def _rule_problems(file: RooklingFile) -> Iterator[Problem]:
    """Life above the cap, a hand above its limit."""
    rules = file.rules
    if rules.heal_cap < rules.start_life:
        wrong = f"is less than start_life = {rules.start_life}"
        yield Problem(("rules", "heal_cap"), wrong, "must be at least start_life")
    if rules.hand > rules.hand_max:
        yield Problem(("rules", "hand"), f"is more than hand_max = {rules.hand_max}", "must be at most hand_max")
    for index, rookling in enumerate(file.rookling):
        if rookling.life > rules.heal_cap:
            wrong = f"is more than rules.heal_cap = {rules.heal_cap}"
            yield Problem(("rookling", index, "life"), wrong, "must be at most rules.heal_cap")


def _energy_problems(file: RooklingFile) -> Iterator[Problem]:
    """Colours without a list of copies; a deck that is too small or too large."""
    counts = file.energy.counts.by_colour()
    for colour in file.energy.colours:
        if colour not in counts and colour not in RESERVED:
            right = "every colour needs a list of copies by number"
            yield Problem(("energy", "counts", colour), "is missing", right)
    total = sum(sum(copies) for copies in counts.values())
    if not DECK_MIN <= total <= DECK_MAX:
        right = f"must be {DECK_MIN} to {DECK_MAX} cards together"
        yield Problem(("energy", "counts"), f"hold {total} cards", right)


def _field_effect_problems(file: RooklingFile) -> Iterator[Problem]:
    """Field effects that are not shuffled in by exactly one Rookling."""
    owners: dict[str, dict[str, None]] = {effect.id: {} for effect in file.field_effect}
    for _, rookling, _, effect in _effects_of(file):
        if effect.do == "shuffle_field" and effect.field_effect in owners:
            owners[effect.field_effect][rookling.id] = None
    for index, card in enumerate(file.field_effect):
        if len(owners[card.id]) != 1:
            wrong = f"is shuffled in by {' and '.join(owners[card.id]) or 'no Rookling'}"
            yield Problem(("field_effect", index, "id"), wrong, "exactly one Rookling must name it in shuffle_field")


def _supply_problems(file: RooklingFile) -> Iterator[Problem]:
    """Tokens that lines give although there are no token cards of them."""
    givers: dict[str, str] = {}
    for _, rookling, line, effect in _effects_of(file):
        if effect.do in GIVING:
            givers.setdefault(effect.token, f"{rookling.name}'s {line.name}")
    for index, token in enumerate(file.token):
        if token.id in givers and not token.supply and not token.fixed:
            wrong = f"is too small: {givers[token.id]} gives this token"
            yield Problem(("token", index, "supply"), wrong, "must be at least 1")


def _rookling_problems(file: RooklingFile, rookling: Rookling) -> Iterator[Problem]:
    """What is wrong with one card."""
    kinds = Counter[str](line.kind for line in rookling.line)
    for kind in LINE_KINDS:
        if not 1 <= kinds[kind] <= OF_A_KIND:
            wrong = f"have {kinds[kind]} of kind {kind}"
            yield Problem(("line",), wrong, f"a Rookling has 1 to {OF_A_KIND} lines of each kind: {', '.join(LINE_KINDS)}")
    if not any(_overridden(line) for line in rookling.line):
        right = "the siege-state side must change at least one, as in siege = { amount = 5 }"
        yield Problem(("line",), "have no siege number", right)
    own: dict[str, None] = {}
    for slot, line in enumerate(rookling.line):
        yield from within(("line", slot), _line_problems(file, line, own))


def _overridden(line: AnyLine) -> list[str]:
    """Numbers that the siege-state side of a line changes."""
    return [field for field in type(line.siege).model_fields if field != "source" and getattr(line.siege, field)]


def _line_problems(file: RooklingFile, line: AnyLine, own: dict[str, None]) -> Iterator[Problem]:
    """What is wrong with one line. own: field effects of the lines before it on the card, added to."""
    for index, effect in enumerate(line.effects):
        yield from within(("effects", index), _effect_problems(file, effect, own))
    scopes = [getattr(effect, "scope", "") for effect in line.effects]
    choosing = [scope for scope in scopes if scope in CHOOSING]
    if len({*choosing}) > 1:
        wrong = f'is not that of the effect before it, "{scopes[0]}"'
        yield Problem(("effects", 1, "scope"), wrong, "the player picks one Rookling for both, so both have one scope")
    yield from within(("siege",), _siege_problems(file, line))


def _effect_problems(file: RooklingFile, effect: Effect, own: dict[str, None]) -> Iterator[Problem]:
    """What is wrong with one effect. own: see `_line_problems`."""
    if effect.do in GIVING and any(token.fixed for token in file.token if token.id == effect.token):
        yield Problem(("token",), "is a fixed token, which has no token cards", "must be a token that is not fixed")
    if effect.do == "shuffle_field":
        known = {card.id: card.copies for card in file.field_effect}
        own.setdefault(effect.field_effect)
        if effect.field_effect in known and effect.n > known[effect.field_effect]:
            yield Problem(("n",), *_too_many_copies(effect.field_effect, known[effect.field_effect]))
        if effect.field_effect != (first := next(iter(own))):
            yield Problem(("field_effect",), "is another field effect of the same Rookling", f"it has at most one, {first}")


def _siege_problems(file: RooklingFile, line: AnyLine) -> Iterator[Problem]:
    """Siege numbers without a number on the front, and those out of the range of the front."""
    effect = line.effects[-1] if line.effects else None
    front = {"number"}
    if line.kind != "special":
        front |= {"amount", "match_bonus"} if line.match_bonus else {"amount"}
    if effect is not None and effect.MOST:
        front.add("value")
    for field in _overridden(line):
        if field not in front:
            what = "n in the last of its effects" if field == "value" else field
            yield Problem((field,), f"changes a number that the front does not have: {what}", "must be left out")
    if effect is None or not line.siege.value:
        return
    if effect.MOST and line.siege.value > effect.MOST:
        right = f"must be a whole number from 1 to {effect.MOST}"
        yield Problem(("value",), f'is too large for "{effect.do}"', right)
    elif effect.do == "shuffle_field":
        copies = {card.id: card.copies for card in file.field_effect}.get(effect.field_effect, line.siege.value)
        if line.siege.value > copies:
            yield Problem(("value",), *_too_many_copies(effect.field_effect, copies))


def _too_many_copies(field_effect: str, copies: int) -> tuple[str, str]:
    return f"is more than field_effect.{field_effect}.copies = {copies}", f"must be at most {copies}"
