"""Questions of a game's report: one frozen record per kind of answer, listed by a game in its QUESTIONS.

A question names fields of the OUTCOME record, "" or () where the game has none, and gives plain values where the usual ones do
not fit. `analysis.report` has one function for each type. The chapter of a type is its place on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

Field = str  # a field of OUTCOME; "" if the game has none
Fields = tuple[str, ...]
NamedFields = Mapping[str, str]  # words for a quantity -> field of OUTCOME
StateField = str  # a field of STATE
CardsField = str  # a field of CARDS
Values = Mapping[str, tuple[str, ...]]  # path in the card file -> values to try, as text; a list is written `a+b`
Chapter = Literal["unfair", "why", "change", "run", "details"]


@dataclass(frozen=True)
class Question:
    """A designer's question. seats: at which games are played for it; games: in multiples of the usual number."""

    id: str
    text: str
    seats: int = field(default=0, kw_only=True)  # 0: the fewest with an opponent
    games: float = field(default=1, kw_only=True)
    continues: str = field(default="", kw_only=True)  # id of the question whose section the answer is added to
    chapter: ClassVar[Chapter] = "details"

    @property
    def measures(self) -> tuple[str, ...]:
        """Fields of OUTCOME that the question reads."""
        names: list[str] = []
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.type == "Field":
                names.append(value)
            elif entry.type in ("Fields", "NamedFields"):
                names += value.values() if isinstance(value, Mapping) else value
        return tuple(filter(None, names))


@dataclass(frozen=True)
class Ask(Question):
    """A question by its name in `analysis.catalogue`, with its arguments.

    Columns for the facts that the arguments name are kept for the report.
    """

    chapter: Chapter = "details"  # type: ignore[misc]
    question: str = "pace"
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        """Words among the arguments; those that are no fields of OUTCOME are ignored."""
        values = [value if isinstance(value, (list, tuple)) else [value] for value in self.arguments.values()]
        return tuple(word for words in values for word in words if isinstance(word, str))


# ---- what is unfair --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WinRates(Question):
    """Win rate of every entrant."""

    chapter = "unfair"


@dataclass(frozen=True)
class Matchups(Question):
    """Win rate of every entrant against every other."""

    chapter = "unfair"


@dataclass(frozen=True)
class FirstPlayer(Question):
    """Worth of going first: by turn position, by pairing of entrants, or by policy and value of a rule."""

    by: Literal["seat", "pairing", "policy"] = "seat"
    rules: Values = field(default_factory=dict)  # by policy: rules under which it is measured
    rule: str = ""  # words for the rule; by default from its path
    chapter = "unfair"


@dataclass(frozen=True)
class TeamResults(Question):
    """For teams: contributions of their parts, pairs of parts that work together or counter each other, or a league."""

    by: Literal["part", "pair", "team"] = "part"
    chapter = "unfair"


@dataclass(frozen=True)
class Draft(Question):
    """How often the first drafter wins, and which parts of teams are picked early."""

    rules: Values  # the rule under which teams are drafted
    picked: Field = ""  # by member: number of the pick, 0 if none
    chapter = "unfair"


# ---- why -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Causes(Question):
    """What throws entrants out of the game, and with whose abilities."""

    cause: Field  # category per seat
    state: Field = ""  # second category per seat
    credit: Field = ""  # seat that caused it, -1: none
    ability: Field = ""  # which ability of that seat, -1: none
    leave_out: tuple[str, ...] = ()  # causes that are no fall
    chain: tuple[str, ...] = ()  # causes that act through another piece
    chapter = "why"


@dataclass(frozen=True)
class Harm(Question):
    """Amounts by cause and entrant. One kind of harm: at every number of seats; several: a chart each, at the fewest seats."""

    counts: Fields  # per seat, with one number per cause
    beside: Fields = ()  # plain numbers per seat, shown in a table
    turn: Field = ""  # of one kind: round or turn of the first, per seat
    rare: float = 0.02  # share below which causes are combined
    never: int = 0  # value of `turn` if it did not happen
    chapter = "why"


@dataclass(frozen=True)
class Flips(Question):
    """What brings each part of a team down, what causes the last event, and the share of an amount by period."""

    causes: NamedFields  # words for a cause -> number of events by member
    last: Field = ""  # category per game: cause of the last event
    whole: Field = ""  # amount per game and period
    some: Field = ""  # the part of it of interest
    leave_out: tuple[str, ...] = ()  # categories that are not events
    event: str = "events"  # plural
    last_event: str = "last ones"  # plural
    share: str = ""  # words for the share by period; by default the labels of `some` and `whole`
    span: str = ""  # word before the name of a period
    chapter = "why"


@dataclass(frozen=True)
class Shares(Question):
    """The parts of a whole: their shares, or their means for winners and losers."""

    parts: Field  # per game or seat, with one number per part
    by: Literal["part", "side"] = "part"
    more: NamedFields = field(default_factory=dict)  # name of a further part -> its field
    whole: str = ""  # such as `the damage`
    verb: str = ""  # before the name of a part, as in `of the damage is blocked`
    note: str = ""
    chapter = "why"


@dataclass(frozen=True)
class Abilities(Question):
    """How often each ability of an entrant is used, and what a use achieves."""

    uses: Field  # per seat and ability
    effects: Fields  # per seat and ability, one chart each
    part: str = "option"  # word for an ability
    chapter = "why"


@dataclass(frozen=True)
class _Quantities(Question):
    quantities: NamedFields = field(default_factory=dict)  # words for a quantity, as in `blocks per game` -> field per seat
    per: NamedFields = field(default_factory=dict)  # words for a quantity -> field that divides it; by default games
    told: tuple[str, ...] = ()  # quantities in the sentences, by default all
    note: str = ""


@dataclass(frozen=True)
class PerGame(_Quantities):
    """Quantities per game, or per something, by entrant."""

    chapter = "why"


@dataclass(frozen=True)
class Shuffled(Question):
    """Who uses what parts of teams shuffle into a deck, and who wins then. Fields count by member."""

    shuffled: Field
    owner: Field  # copies used by the owner
    other: Field  # copies used by the opponent
    thrown: Field = ""  # copies thrown away
    triggered: Field = ""  # tokens spent
    thing: str = "copies"  # what is shuffled in, plural
    named: tuple[str, ...] = ()  # table of the card file with the parts, and the table with the names of the things
    chapter = "why"


@dataclass(frozen=True)
class Association(Question):
    """Whether winning is associated with a flag of a seat, the turn in which something first happens to it, or amounts."""

    amounts: NamedFields = field(default_factory=dict)  # words for a group of things -> amounts per seat
    against: tuple[str, ...] = ()  # groups that count what a seat suffers, which belong to the other side
    names: Mapping[str, str] = field(default_factory=dict)  # words for a group -> word for the thing, if it is one number
    note: str = ""
    flag: Field = ""  # per seat
    words: tuple[str, str] = ("with it", "without it")  # with the flag and without, as in `wins the roll`, `loses the roll`
    did: Field = ""  # second flag per seat
    doing: str = "does it"  # words for it, as in `goes first`
    turn: Field = ""  # per seat
    never: int = 0  # value of `turn` if it did not happen
    bins: int = 5  # of about equal numbers of seats
    chapter = "why"


@dataclass(frozen=True)
class Cards(Question):
    """Worth of single cards of decks. Fields count by seat and card; "" for what a game does not count."""

    drawn_turn: Field = "drawn_turn"  # own turn in which it was drawn first
    played_turn: Field = "played_turn"
    drawn: Field = "drawn"  # copies
    plays: Field = "plays"
    by_turn: int | None = None  # a card counts as drawn if it was drawn by then
    decks: int = 0  # decks whose cards are replaced; 0: the usual number
    chapter = "why"


@dataclass(frozen=True)
class Keywords(Question):
    """Worth of keywords to a deck, measured by removing them."""

    decks: int = 0  # 0: the usual number
    leave_out: tuple[str, ...] = ()  # keywords that are not removed
    chapter = "why"


@dataclass(frozen=True)
class Loadouts(Question):
    """Win rate of decks with other loadouts, and the worth of each part of their own."""

    decks: int = 0  # 0: the usual number
    chapter = "why"


@dataclass(frozen=True)
class Standings(Question):
    """Win share by the states of both sides, and what is done before and after a change of state."""

    visited: Field  # levels x levels numbers per seat, its own level first: 1 if the seat saw it
    amount_first: Field = ""  # by member: amount before the change, and turns of it
    turns_first: Field = ""
    amount_second: Field = ""  # after the change
    turns_second: Field = ""
    state: str = "down"  # what the levels count, as in `in siege-state`
    words: tuple[str, str] = ("before", "after")  # names of the two states
    amount: str = "amount per turn"
    chapter = "why"


@dataclass(frozen=True)
class Snowball(Question):
    """What a lead is worth, from which turn leads decide, and how often the lead changes."""

    curve: Field  # per seat and own turn, nan after the last
    first: Field = ""  # flag per seat: struck first
    first_words: str = "the first strike"
    turn: str = "turn"  # word for a turn
    at: int = 5  # turn of the sentence and the dots
    turns: tuple[int, ...] = (3, 5, 8, 12)  # of the lines and the table
    unit: int = 1  # lead for which odds are given
    lead: str = ""  # what is compared; by default the label of the measure
    chapter = "why"


# ---- what to change --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameters(Question):
    """Which number should change: of the strongest and weakest entrants, of the cards of decks, or one that belongs to none."""

    by: Literal["entrant", "card", "shared"] = "entrant"
    fields: tuple[str, ...] = ()  # starts of the paths of the numbers, before the id of an entrant
    leaves: tuple[str, ...] = ()  # ends of the paths, by default any
    steps: tuple[int, ...] = ()  # step size by leaf, by default 1
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # key of a list -> names of its items
    table: str = "card"  # of the card file, with the cards of decks
    decks: int = 0  # farthest from a fair share; 0: the usual number
    kept: int = 0  # numbers of each deck that are played again; 0: the usual number
    screen: float = 0  # games of the first look, in multiples of the usual number; 0: the usual share
    chapter = "change"


@dataclass(frozen=True)
class RuleVariants(Question):
    """Win rates under other rules."""

    rules: Values = field(default_factory=dict)
    beside: tuple[Literal["length", "first"], ...] = ()  # quantities shown besides win rates
    ranks: bool = False  # show the order of the entrants too
    chapter = "change"


@dataclass(frozen=True)
class RuleOff(_Quantities):
    """Games that end differently without a rule, and how often it is used."""

    rules: Values = field(default_factory=dict)  # path of a rule -> the value that disables it
    words: tuple[str, str] = ("with it", "without it")
    chapter = "change"


@dataclass(frozen=True)
class Sweep(Question):
    """Win rates over values of numbers, as lines, or of any settings, as cells by entrant, also of games for one."""

    rules: Values = field(default_factory=dict)
    by: Literal["line", "cell"] = "line"
    chapter = "change"


# ---- how the game runs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Length(Question):
    """How long games last: by number of seats, by pairing of entrants or by policies."""

    length: Field = ""  # per game; by default turns
    by: Literal["seats", "pairing", "policy"] = "seats"
    chapter = "run"


@dataclass(frozen=True)
class Endings(Question):
    """How games end."""

    ending: Field  # category per game
    apart: Field = ""  # flag per game: games with it have an ending of their own
    apart_words: str = ""  # added to the ending with the flag
    always: tuple[str, ...] = ()  # endings named at every number of seats
    losers: bool = False  # also show the endings of the games that each entrant loses
    chapter = "run"


@dataclass(frozen=True)
class Waiting(Question):
    """How early players are out, and how long they wait for the end."""

    turn: Field  # per seat: turn in which it went out
    never: int = -1  # value of a seat that did not
    chapter = "run"


@dataclass(frozen=True)
class Milestones(Question):
    """When things first happen."""

    turns: NamedFields  # words for what happens -> turn or round per game
    never: int = 0  # value if it did not happen
    chapter = "run"


@dataclass(frozen=True)
class Growth(Question):
    """How a level grows by turn, from what, and what is left unused. Fields have one number per own turn, nan after the last."""

    level: Field
    total: Field = ""  # what levels are made of
    parts: NamedFields = field(default_factory=dict)  # words for a source -> its part of the total
    rest: str = "other"  # name of the total that is in no part
    unused: Field = ""  # what was left over in a turn
    reached: Field = ""  # per level: turn in which it was first reached
    levels: tuple[str, ...] = ()  # levels in the sentence, by default all
    never: int = 0  # value of a level that was not reached
    turn: str = "turn"  # word for a turn
    chapter = "run"


@dataclass(frozen=True)
class Curve(Question):
    """An amount by turn: of winners and losers, or of each entrant."""

    curve: Field  # per seat and turn, nan after the last
    by: Literal["side", "entrant"] = "side"
    turn: str = "turn"  # word for a turn
    chapter = "run"


@dataclass(frozen=True)
class Comebacks(Question):
    """How often a side that is nearly beaten still wins."""

    turn: Field  # per seat: when it first got into this state
    never: int = 0  # value of a seat that did not
    state: str = "that far behind"
    chapter = "run"


@dataclass(frozen=True)
class Skill(Question):
    """How strong good play is."""

    chapter = "run"


# ---- details ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Thresholds(Question):
    """How often each ability of a team's parts could be used, and was."""

    met: Field  # per seat: numbers by member and ability
    used: Field
    turns: Field  # per game
    turns_word: str = "turns"
    shown: tuple[str, ...] = ()  # table with the parts, its list of abilities, the number in their names, and its plural
    note: str = ""


@dataclass(frozen=True)
class Board(Question):
    """Where entrants fall, and where their turns end."""

    fell: Field  # hex per seat, -1: none
    stood: StateField  # hex by seat
    q: CardsField  # coordinates by hex
    r: CardsField
    hexes: CardsField  # number of hexes


@dataclass(frozen=True)
class Dice(Question):
    """Exact and simulated chances of every roll."""

    result: str = "result"  # what a roll counts


@dataclass(frozen=True)
class Duels(Question):
    """Exact odds of duels, and the fights that came about."""

    fights: Field = ""  # per seat and opponent
    kills: Field = ""


@dataclass(frozen=True)
class Helpers(Question):
    """How many helpers an opponent needs."""
