"""Lone climb: a tiny made-up game for one or two that uses the optional parts of the contract. It lives outside `sim`.

Every seat first picks its climber, regardless of the line-up. In turn a seat climbs, which turns over the next stone of a
common, hidden heap, or camps, which secures its height. A stone carries the climber a number of steps up, one more if it is
nimble; a rockfall throws it back to its camp and costs a rope. The climber that reaches the summit wins. A climber without
ropes is out: a loss when alone, a win for the other of two. At nightfall the game is truncated and no seat wins.
"""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from tests.every_game.lone_climb import describe
from tests.every_game.lone_climb.cards import REFERENCE, from_document, load
from tests.every_game.lone_climb.play import apply_action, current_player, deal, entrant_of, is_over, is_truncated, legal_actions
from tests.every_game.lone_climb.score import MEASURES, OUTCOME, QUESTIONS, measures_of, returns, write_outcome
from tests.every_game.lone_climb.state import OPTIONS_MAX, STATE
from tests.every_game.lone_climb.think import evaluate, resample_hidden

FOLDER = Path(__file__).parent
TURNS_MAX = 1000  # never reached: night falls before

GAME = Game(
    name="lone_climb",
    title="Lone climb",
    seats=(1, 2),
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
        is_truncated=is_truncated,
        entrant_of=entrant_of,
    ),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=describe,
    entrant_word="climber",
    entrants_word="climbers",
    hidden=("keys", "heap"),
    measures_of=measures_of,
)
