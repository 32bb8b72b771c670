"""Settings of the questions that `facts` and `timeline` answer: one record per family of questions, with defaults."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from sim.engine.measures import Question


@dataclass(frozen=True)
class LengthSettings:
    """Settings of the questions on how long games last and how they end."""

    never: int = 0  # value of a measure of turns if the event did not happen
    always: tuple[str, ...] = ()  # endings named at every number of seats, even if they are rare or never happen
    apart: str = ""  # words added to an ending with the flag of the role `apart`
    losers: bool = False  # also show the endings of the games that each entrant loses


@dataclass(frozen=True)
class EventSettings:
    """Settings of the questions on what happens in games, and how often."""

    leave_out: tuple[str, ...] = ()  # categories that are not events
    chain: tuple[str, ...] = ()  # causes that act through another piece
    rare: float = 0.02  # share of the events below which causes are combined
    never: int = 0  # value of a measure of turns if the event did not happen
    event: str = "events"  # what the causes bring about, plural
    last: str = "last ones"  # the last event of a game
    some: str = ""  # the share by period
    spans: str = ""  # word before the name of a period
    part: str = "option"  # a part of an entrant, such as ability
    turns: str = "turns"
    shown: tuple[str, ...] = ()  # table with the parts, its list of abilities, the number in their names, and its plural
    thing: str = "copies"  # what is shuffled in, plural
    named: tuple[str, ...] = ()  # table of the card file with the parts, and the table with the names of the things
    whole: str = ""  # the whole that is split, such as `the damage`
    verb: str = ""  # before the name of a part, as in `of the damage is blocked`
    hidden: tuple[str, ...] = ()  # roles that only divide others
    told: tuple[str, ...] = ()  # roles in the sentences, by default all
    note: tuple[str, ...] = ()  # sentences for the note
    of_role: dict[str, str] = field(default_factory=dict)  # role -> the measure that divides it


@dataclass(frozen=True)
class CurveSettings:
    """Settings of the questions on how amounts develop."""

    turn: str = "turn"
    rest: str = "other"  # name of the total that is in no part
    levels: tuple[str, ...] = ()  # levels in the sentence, by default all
    never: float = 0.0  # value of a level that was not reached


@dataclass(frozen=True)
class AssociationSettings:
    """Settings of the questions on what is associated with winning."""

    words: tuple[str, ...] = ("with it", "without it")  # with the flag and without, as in `wins the roll`, `loses the roll`
    did: str = "does it"  # the second flag, as in `goes first`
    against: tuple[str, ...] = ()  # roles that count what a seat suffers, which belong to the other side
    never: int = 0  # value of a seat to which it did not happen
    bins: int = 5  # bins of about equal numbers of seats, without those to which it did not happen
    note: tuple[str, ...] = ()  # sentences for the note
    of_role: dict[str, str] = field(default_factory=dict)  # role -> words for the thing, if it is one number


@dataclass(frozen=True)
class LeadSettings:
    """Settings of the questions on leads and comebacks."""

    turn: str = "turn"
    at: int = 5  # turn of the sentence and the dots
    turns: tuple[int, ...] = (3, 5, 8, 12)  # turns of the lines and the table
    unit: str = "1"  # lead for which odds are given
    lead: str = ""  # what is compared; by default the label of the measure
    first: str = "the first strike"  # what the side with the flag has
    never: int = 0  # value of a seat that never was that far behind
    state: str = ""  # of a side that is behind, as in `a side with two Rooklings in siege-state`; what is counted
    words: tuple[str, ...] = ("before", "after")  # names of the two states
    amount: str = "amount per turn"


Settings = TypeVar("Settings", LengthSettings, EventSettings, CurveSettings, AssociationSettings, LeadSettings)


def settings_of(kind: type[Settings], question: Question, **defaults: Any) -> Settings:
    """The settings of a question that belong to a family; those that it does not name have the defaults.

    Numbers are read from words. defaults: instead of those of the family. Raises ValueError for a word that is not a number
    where one is expected.
    """
    known: dict[str, Any] = dict(defaults)
    for entry in fields(kind):
        if entry.name == "of_role":
            known["of_role"] = {role: question.settings[role][0] for role in question.roles if role in question.settings}
        elif entry.name in question.settings:
            known[entry.name] = _as(entry.default, question.settings[entry.name])
    return kind(**known)


def _as(default: Any, words: tuple[str, ...]) -> Any:
    """Words as a value of the same type as the default."""
    if isinstance(default, tuple):
        return tuple(int(word) for word in words) if default and isinstance(default[0], int) else words
    return True if isinstance(default, bool) else type(default)(words[0])
