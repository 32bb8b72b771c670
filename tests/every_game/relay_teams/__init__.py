"""Relay teams: a tiny made-up game of teams with known strengths, for tests of team statistics; see `exact`.

Two or three teams of two runners each, out of up to eight; no runner is in two teams unless twins are allowed. In turn each
team sends a runner, who rolls its die and adds its pace. The first team, drawn at random, gains a few steps, and so does a
team whose runners have a bond. The longest way wins; ties share the win. There is nothing to decide, so every policy plays
alike, unless the teams are drafted: then the seats pick their runners in turn, there and back again.
"""

from sim.engine.contract import Game, Verbs
from tests.every_game.relay_teams import describe
from tests.every_game.relay_teams.cards import REFERENCE, from_document, load, teams_of
from tests.every_game.relay_teams.play import (
    apply_action,
    current_player,
    deal,
    entrant_of,
    evaluate,
    first_of,
    is_over,
    legal_actions,
    resample_hidden,
)
from tests.every_game.relay_teams.score import MEASURES, OUTCOME, QUESTIONS, returns, write_outcome
from tests.every_game.relay_teams.state import OPTIONS_MAX, STATE

TURNS_MAX = 100  # never reached

GAME = Game(
    name="relay_teams",
    title="Relay teams",
    seats=(2, 3),
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs(
        deal=deal,
        current_player=current_player,
        legal_actions=legal_actions,
        apply_action=apply_action,
        is_over=is_over,
        returns=returns,
        evaluate=evaluate,
        resample_hidden=resample_hidden,
        write_outcome=write_outcome,
        entrant_of=entrant_of,
        first_of=first_of,
    ),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=describe,
    entrant_word="relay",
    entrants_word="relays",
    teams_of=teams_of,
)
