"""All questions by name, imported when they are asked for: the commands, the Python interface and reports find them here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.question import Question

QUESTIONS = {  # name -> module, in the order of the help
    "winrates": "analysis.questions.winrates",
    "explain": "analysis.questions.explain",
    "compare": "analysis.questions.compare",
    "match": "analysis.questions.match",
    "whatif": "analysis.questions.whatif",
    "sensitivity": "analysis.questions.sensitivity",
    "variants": "analysis.questions.variants",
    "parameters": "analysis.questions.parameters",
    "card_parameters": "analysis.questions.card_parameters",
    "shared_parameters": "analysis.questions.shared_parameters",
    "ablate": "analysis.questions.ablate",
    "cardstats": "analysis.questions.cardstats",
    "keywords": "analysis.questions.keywords",
    "loadouts": "analysis.questions.loadouts",
    "worth": "analysis.questions.worth",
    "pace": "analysis.questions.pace",
    "skill": "analysis.questions.skill",
    "amounts": "analysis.questions.amounts",
    "categories": "analysis.questions.categories",
    "times": "analysis.questions.times",
    "replay": "analysis.questions.replay",
    "dice": "analysis.questions.dice",
    "duel": "analysis.questions.duel",
    "duels": "analysis.questions.duels",
    "siege": "analysis.questions.siege",
    "matchups": "analysis.questions.matchups",
    "teams": "analysis.questions.teams",
    "draft": "analysis.questions.draft",
    "seats": "analysis.questions.seats",
    "calibrate": "analysis.questions.calibrate",
    "plan": "analysis.questions.plan",
    "matrix": "analysis.questions.matrix",
    "tune": "analysis.questions.tune",
}


def find(name: str) -> Question:
    """The question of a name. Raises KeyError for an unknown one."""
    found: Question = getattr(import_module(QUESTIONS[name]), name)
    return found
