"""Riftborn Tactics (Blitz): decks of creatures in centred rows, fed by experience that every card and every kill brings."""

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.riftborn import ablation, actions, evaluation, hidden, outcome, setup, state, story
from sim.games.riftborn.ablation import ablatable
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.outcome import QUESTIONS
from sim.games.riftborn.record import CARD_FORMAT, cautions
from sim.games.riftborn.state import FACTS, OPTIONS_MAX, RECORDED, SEATS, STATE

GAME = Game.of(
    CARD_FORMAT,
    FACTS,
    name="riftborn",
    title="Riftborn Tactics",
    seats=(SEATS,),
    state=STATE,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(ablation, actions, evaluation, hidden, outcome, setup, state),
    questions=QUESTIONS,
    words=story,
    entrant_word="deck",
    entrants_word="decks",
    hidden=("library", "hand", "card", "origin", "ability", "tricks"),
    recorded=RECORDED,
    cautions=cautions,
    decks=DECKING,
    seat_parameters=(
        SeatParameter("rules.second_xp", "experience for the second player", (-300, -200, -100, 0, 100, 200, 300, 500, 800)),
        SeatParameter("rules.second_draw", "cards for the second player", (-1, 0, 1, 2, 3)),
        SeatParameter("rules.first_player_first_draw", "cards in the first player's first turn", (0, 1, 2)),
    ),
    features=evaluation.FEATURES,
    ablatable=ablatable,
    speed={2: 240},
)
