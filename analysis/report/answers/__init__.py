"""Answerers by chart name: each makes a section of the report from a study and a question, or None.

None means that the game lacks an ingredient of the answer (no second seat, no rolls with known odds); the question is
then left out. An answerer knows no game: whatever it reads is named by the question's roles and settings.
"""

from collections.abc import Callable

from analysis.report.answers.abilities import abilities
from analysis.report.answers.board import board
from analysis.report.answers.by_flag import by_flag
from analysis.report.answers.card_levers import card_levers
from analysis.report.answers.cards import cards
from analysis.report.answers.causes import causes
from analysis.report.answers.comebacks import comebacks
from analysis.report.answers.contributions import contributions
from analysis.report.answers.deaths import deaths
from analysis.report.answers.dice import dice
from analysis.report.answers.draft import draft
from analysis.report.answers.duels import duels
from analysis.report.answers.edges import edges
from analysis.report.answers.endings import endings
from analysis.report.answers.entrant_curves import entrant_curves
from analysis.report.answers.first_by_pairing import first_by_pairing
from analysis.report.answers.first_mover import first_mover
from analysis.report.answers.flips import flips
from analysis.report.answers.growth import growth
from analysis.report.answers.keywords import keywords
from analysis.report.answers.kits import kits
from analysis.report.answers.league import league
from analysis.report.answers.length import length
from analysis.report.answers.lengths import lengths
from analysis.report.answers.levers import levers
from analysis.report.answers.life_curves import life_curves
from analysis.report.answers.luck import luck
from analysis.report.answers.makers import makers
from analysis.report.answers.matchups import matchups
from analysis.report.answers.milestones import milestones
from analysis.report.answers.per_game import per_game
from analysis.report.answers.policy_lengths import policy_lengths
from analysis.report.answers.readings import readings
from analysis.report.answers.removals import removals
from analysis.report.answers.rule_off import rule_off
from analysis.report.answers.settings import settings
from analysis.report.answers.shared_levers import shared_levers
from analysis.report.answers.shuffled import shuffled
from analysis.report.answers.siege import siege
from analysis.report.answers.skill import skill
from analysis.report.answers.snowball import snowball
from analysis.report.answers.sources import sources
from analysis.report.answers.split import split
from analysis.report.answers.standings import standings
from analysis.report.answers.sweep import sweep
from analysis.report.answers.synergy import synergy
from analysis.report.answers.thresholds import thresholds
from analysis.report.answers.toll import toll
from analysis.report.answers.turn_order import turn_order
from analysis.report.answers.waiting import waiting
from analysis.report.answers.win_rates import win_rates
from analysis.report.answers.worth import worth
from analysis.report.model import Section
from analysis.study import Study
from sim.engine.measures import Question

Answerer = Callable[[Study, Question], Section | None]

ANSWERERS: dict[str, Answerer] = {
    "forest": win_rates,
    "matchups": matchups,
    "turn_order": turn_order,
    "length": length,
    "survival": waiting,
    "causes": causes,
    "abilities": abilities,
    "board": board,
    "tornado": levers,
    "shared_tornado": shared_levers,
    "variants": readings,
    "settings": settings,
    "dice": dice,
    "duels": duels,
    "siege": siege,
    "deaths": deaths,
    "endings": endings,
    "sources": sources,
    "luck": luck,
    "milestones": milestones,
    "worth": worth,
    "contributions": contributions,
    "synergy": synergy,
    "league": league,
    "draft": draft,
    "part_levers": levers,
    "card_levers": card_levers,
    "cards": cards,
    "keywords": keywords,
    "makers": makers,
    "removals": removals,
    "kits": kits,
    "comebacks": comebacks,
    "first_mover": first_mover,
    "flips": flips,
    "life_curves": life_curves,
    "policy_lengths": policy_lengths,
    "shuffled": shuffled,
    "skill": skill,
    "split": split,
    "standings": standings,
    "thresholds": thresholds,
    "snowball": snowball,
    "growth": growth,
    "toll": toll,
    "first_by_pairing": first_by_pairing,
    "lengths": lengths,
    "per_game": per_game,
    "entrant_curves": entrant_curves,
    "edges": edges,
    "by_flag": by_flag,
    "rule_off": rule_off,
    "sweep": sweep,
}

__all__ = ["ANSWERERS", "Answerer", "answer"]


def answer(study: Study, question: Question) -> Section | None:
    """Answer a question. Raises ValueError for a chart name without an answerer."""
    if question.chart not in ANSWERERS:
        known = ", ".join(ANSWERERS)
        raise ValueError(
            f"{study.game.name}: question {question.id!r} wants chart={question.chart!r}; known are {known}"
        )
    return ANSWERERS[question.chart](study, question)
