"""Coin duel: a tiny made-up game that shows that the contract is general. It lives in the tests, outside `sim`.

Two or three fighters, six cards 1..6. Each round every seat is dealt a card that only it sees. In turn each seat folds, holds
or raises the stake by one coin; the last seat left cannot fold. Seats that stay roll their die and add their card and bonus:
the highest sum gains the stake (each of them, in a tie), the other seats that stayed lose it, down to 0 coins. The game ends
when a seat reaches the goal. The seat with the most coins wins; ties share the win. No seat wins after `turn_cap` rounds.
"""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from tests.every_game.coin_duel import describe
from tests.every_game.coin_duel.ablation import ablatable, ablation_of
from tests.every_game.coin_duel.cards import FEATURES, REFERENCE, from_document, load
from tests.every_game.coin_duel.fights import DUELS
from tests.every_game.coin_duel.play import apply_action, current_player, deal, is_over, legal_actions
from tests.every_game.coin_duel.score import MEASURES, OUTCOME, QUESTIONS, returns, write_outcome
from tests.every_game.coin_duel.state import OPTIONS_MAX, STATE
from tests.every_game.coin_duel.think import evaluate, features, resample_hidden

FOLDER = Path(__file__).parent

GAME = Game(
    name="coin_duel",
    title="Coin duel",
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
        features=features,
        ablation_of=ablation_of,
    ),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    questions=QUESTIONS,
    words=describe,
    entrant_word="fighter",
    mirror=True,
    features=FEATURES,
    ablatable=ablatable,
    hidden=("keys", "deck"),
    duels=DUELS,
)
