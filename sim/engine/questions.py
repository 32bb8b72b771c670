"""Questions of a game's report: one frozen record per kind of answer, listed by a game in its QUESTIONS.

A question names fields of the OUTCOME record, "" or () where the game has none, and gives plain values where the usual ones do
not fit. `analysis.report` has one function for each type. The chapter of a type is its place on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, get_args

from sim.engine.cardfiles.paths import did_you_mean

Field = str  # a field of OUTCOME; "" if the game has none
Values = Mapping[str, tuple[str, ...]]  # path in the card file -> values to try, as text; a list is written `a+b`
Chapter = Literal["unfair", "why", "change", "run", "details"]
ASKED = (  # questions of `Ask`, in the order of the help; `analysis.catalogue` finds each
    *("winrates", "explain", "compare", "match", "whatif", "sensitivity", "variants"),
    *("parameters", "card_parameters", "shared_parameters", "ablate", "cardstats", "keywords", "loadouts", "worth"),
    *("pace", "skill", "amounts", "categories", "times", "replay"),
    *("dice", "duel", "duels", "siege", "matchups", "teams", "draft", "seats", "matrix", "tune"),
)


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
        names = [getattr(self, entry.name) for entry in fields(self) if entry.type == "Field"]
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


def mistakes_in(questions: Sequence[Question]) -> Iterator[str]:
    """Yield what is wrong with the questions of a game: ids that occur twice, and words for what does not exist."""
    ids = Counter(question.id for question in questions)
    chapters = get_args(Chapter)
    for id_, number in ids.items():
        if number > 1:
            yield f"question {id_!r}: {number} questions have this id; each needs one of its own"
    for question in questions:
        where = f"question {question.id!r}"
        if question.chapter not in chapters:
            yield f"{where}: chapter = {question.chapter!r} is not known; {did_you_mean(question.chapter, [*chapters])}"
        if question.continues and question.continues not in ids:
            yield f"{where}: continues = {question.continues!r} is no question; {did_you_mean(question.continues, [*ids])}"
        if isinstance(question, Ask) and question.question not in ASKED:
            yield f"{where}: question = {question.question!r} is not known; {did_you_mean(question.question, [*ASKED])}"


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
    """Worth of going first by pairing of entrants, or by policy and value of a rule."""

    by: Literal["pairing", "policy"] = "pairing"
    rules: Values = field(default_factory=dict)  # by policy: rules under which it is measured
    rule: str = ""  # words for the rule; by default from its path
    chapter = "unfair"


# ---- why -------------------------------------------------------------------------------------------------------------


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
class Loadouts(Question):
    """Win rate of decks with other loadouts, and the worth of each part of their own."""

    decks: int = 0  # 0: the usual number
    chapter = "why"


# ---- details ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dice(Question):
    """Exact and simulated chances of every roll."""

    result: str = "result"  # what a roll counts
