"""Dice duel: a tiny made-up game with exactly computable win rates, for tests of balance statistics; see `exact`.

Two different fighters. In each round the first seat strikes, then the second seat if it still stands. The striker rolls its
six-sided dice. Each die that shows `hit_on` or more takes health from the opponent: the face plus the striker's `damage` minus
the opponent's `armour`, but at least 1. A fighter without health has lost. `second_health` is added to the health of the
second seat (negative: less health, but at least 1). There is nothing to decide, so every policy plays alike.
"""

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from tests.every_game.dice_duel import describe
from tests.every_game.dice_duel.cards import FEATURES, REFERENCE, from_document, load
from tests.every_game.dice_duel.play import (
    apply_action,
    current_player,
    deal,
    evaluate,
    features,
    is_over,
    legal_actions,
    resample_hidden,
)
from tests.every_game.dice_duel.score import MEASURES, OUTCOME, QUESTIONS, returns, write_outcome
from tests.every_game.dice_duel.state import OPTIONS_MAX, SEATS, STATE

GAME = Game(
    name="dice_duel",
    title="Dice duel",
    seats=(SEATS,),
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
        features=features,
    ),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    questions=QUESTIONS,
    words=describe,
    entrant_word="fighter",
    entrants_word="fighters",
    features=FEATURES,
    seat_parameters=(SeatParameter("rules.second_health", "extra health of the second player", (-4, 0, 4, 8, 12, 16)),),
)
