"""Runeslingers: a duel of decks for power, with ailments, boons, blocks and a ladder of answers.

RUNE-144. An encounter is one game; every pair of decks meets from both seats.
"""

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.runeslingers import ablation, actions, evaluation, hidden, outcome, position, setup, state
from sim.games.runeslingers.ablation import ablatable
from sim.games.runeslingers.cards.checks import cautions
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.outcome import QUESTIONS
from sim.games.runeslingers.record import CARD_FORMAT, FEATURES
from sim.games.runeslingers.state import FACTS, FRAMES, OPTIONS_MAX, RECORDED, SEATS, STATE

REPORT_GAMES = 1_500  # greedy players finish some 400 games a second and core

GAME = Game.of(
    CARD_FORMAT,
    FACTS,
    name="runeslingers",
    title="Runeslingers",
    seats=(SEATS,),
    state=STATE,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(ablation, actions, evaluation, hidden, outcome, setup, state),
    questions=QUESTIONS,
    words=position,
    entrant_word="deck",
    entrants_word="decks",
    hidden=("deck", "hand", "conc", "under", "inst", "options", "options_n", "pool", "keys"),
    recorded=RECORDED,
    stacked=("depth", FRAMES),
    cautions=cautions,
    decks=DECKING,
    seat_parameters=(
        SeatParameter("rules.second_draw", "cards for the second player", (-2, -1, 0, 1, 2)),
        SeatParameter("rules.first_draw", "cards in the first player's first turn", (0, 1, 2, 3, 4)),
    ),
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
    player="turn:6:3",
    speed=330,
)
