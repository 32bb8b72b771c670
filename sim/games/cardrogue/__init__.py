"""Card Rogue: adventurers explore a dungeon, fight what they find, and carry victory points out of it."""

from sim.engine.contract import Game, Verbs
from sim.games.cardrogue import ablation, actions, hidden, outcome, setup
from sim.games.cardrogue.ablation import ablatable
from sim.games.cardrogue.cards import CARD_FORMAT, cautions
from sim.games.cardrogue.evaluation import features
from sim.games.cardrogue.exact.duels import DUELS
from sim.games.cardrogue.outcome import QUESTIONS
from sim.games.cardrogue.record import FEATURES, Fill
from sim.games.cardrogue.state import FACTS, OPTIONS_MAX, SEATS, STATE
from sim.games.cardrogue.text import story

REPORT_GAMES = 300  # per number of seats: four greedy players finish about fifty games per second and core

SEATS_AT_A_TABLE = (1, 2, 3, 4)
SEATS_OF_A_MAP = (1,)  # a fixed layout is for a lone player (ROGUE-107)

GAME = Game.of(
    CARD_FORMAT,
    FACTS,
    name="cardrogue",
    title="Card Rogue",
    seats=SEATS_AT_A_TABLE,
    state=STATE,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(ablation, actions, features, hidden, outcome, setup),
    turn_limit=lambda cards: 2 * SEATS * int(cards.record["max_rounds"][0]) + SEATS,  # every turn may be followed by a second
    seats_of=lambda cards: SEATS_OF_A_MAP if cards.record["fill"][0] != Fill.DEAL else SEATS_AT_A_TABLE,
    questions=QUESTIONS,
    words=story,
    entrant_word="character",
    entrants_word="characters",
    hidden=("on",),  # face-down cards of a fixed layout; any other unseen card is drawn when it is turned over
    duels=DUELS,
    cautions=cautions,
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
    player="greedy:4",
    speed=60,
)
