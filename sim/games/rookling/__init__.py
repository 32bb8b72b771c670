"""Rookling Heroes: two squads of three trade attacks and defences, powered by one shared deck of energy."""

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.rookling import ablation, actions, hidden, outcome, position, setup
from sim.games.rookling.ablation import ablatable
from sim.games.rookling.evaluation import features
from sim.games.rookling.outcome import measures_of
from sim.games.rookling.questions import QUESTIONS
from sim.games.rookling.record import CARD_FORMAT, FEATURES, cautions
from sim.games.rookling.state import FACTS, OPTIONS_MAX, RECORDED, SEATS, STATE, UNRATED
from sim.games.rookling.teams import part_names_of, teams_of

REPORT_GAMES = 5_000  # greedy players finish about 2,000 games per second and core


GAME = Game.of(
    CARD_FORMAT,
    FACTS,
    name="rookling",
    title="Rookling Heroes",
    seats=(SEATS,),
    state=STATE,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(ablation, actions, features, hidden, outcome, setup),
    measures_of=measures_of,
    questions=QUESTIONS,
    words=position,
    entrant_word="squad",
    entrants_word="squads",
    hidden=("hand", "deck"),
    recorded=RECORDED,
    unrated=UNRATED,  # the same cards on the same Rooklings, in another order
    part_names=part_names_of,
    cautions=cautions,
    teams_of=teams_of,
    seat_parameters=(SeatParameter("rules.second_hand", "cards in the first defender's first hand", (-2, -1, 0, 1, 2)),),
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
    player="turn:24:2",
    speed=370,
)
