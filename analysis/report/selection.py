"""Which questions stand on the first page of a game, and which in its appendix.

The first page has one section for each of SLOTS: who wins, who beats whom, what going first is worth, which number to change,
what carries an entrant, and how long a game takes. Each slot takes the first question that fits, by its order of kinds and then
in the order in which the game names them. All other questions are answered in the appendix.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.data.facts import LENGTH, is_length
from analysis.data.study import Study
from sim.engine import questions as ask
from sim.engine.questions import Ask, Question

SLOTS: tuple[tuple[str, ...], ...] = (
    ("winrates", "teams by part"),
    ("matchups", "teams by pair"),
    ("first player",),
    ("parameters", "card_parameters", "shared_parameters"),
    ("cardstats", "keywords", "worth", "amounts", "categories"),
    ("length",),
)
WHY: ask.Chapter = "why"  # chapter of the questions about what carries an entrant
KINDS: dict[type[Question], str] = {
    ask.WinRates: "winrates",
    ask.Matchups: "matchups",
    ask.FirstPlayer: "first player",
    ask.Cards: "cardstats",
}


def first_page(study: Study, questions: Sequence[Question]) -> list[Question]:
    """Questions of the first page, in their order, with those that continue them."""
    lengths = {LENGTH.field, *(measure.field for measure in study.measures if is_length(measure))}
    kinds = {question.id: kind(question, lengths) for question in questions if not question.continues}
    chosen = set()
    for slot in SLOTS:
        fitting = [(slot.index(kinds[id_]), place) for place, id_ in enumerate(kinds) if kinds[id_] in slot]
        if fitting:
            _, place = min(fitting)
            chosen.add([*kinds][place])
    return [question for question in questions if (question.continues or question.id) in chosen]


def kind(question: Question, lengths: set[str]) -> str:
    """Kind of a question, as SLOTS names it; empty for one that the first page never has. lengths: facts that are lengths."""
    if not isinstance(question, Ask):
        return KINDS.get(type(question), "")
    if question.question == "teams":
        return f"teams by {question.arguments.get('by', 'part')}"
    if question.question == "times":
        return "length" if lengths & {*question.arguments.get("facts", ())} else ""
    if question.question in {"amounts", "categories"} and question.chapter != WHY:
        return ""
    return question.question
