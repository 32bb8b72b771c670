"""Deck race: a tiny made-up game of decks with exactly computable win rates (see `exact`), for tests of card statistics.

Two players have a deck of five cards each. In its turn a player draws the next card of the shuffled deck, then plays the card
in hand with the highest level not above the number of its turn; a played card scores its points. More points win, ties share.
The first player, drawn at random, starts with one more point. A deck can bring a coach, with whom its cards of one level score
more, and a snack, which gives points at the start. There is nothing to decide, so every policy plays alike.
"""

from sim.engine.contract import Game, Verbs
from tests.every_game.deck_race import describe
from tests.every_game.deck_race.cards import REFERENCE, from_document, load
from tests.every_game.deck_race.decks import DECKING
from tests.every_game.deck_race.play import (
    apply_action,
    current_player,
    deal,
    evaluate,
    first_of,
    is_over,
    legal_actions,
    resample_hidden,
)
from tests.every_game.deck_race.score import MEASURES, OUTCOME, QUESTIONS, returns, write_outcome
from tests.every_game.deck_race.state import OPTIONS_MAX, STATE

TURNS_MAX = 100  # never reached

GAME = Game(
    name="deck_race",
    title="Deck race",
    seats=(2,),
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
        first_of=first_of,
    ),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=describe,
    entrant_word="deck",
    entrants_word="decks",
    decks=DECKING,
)
