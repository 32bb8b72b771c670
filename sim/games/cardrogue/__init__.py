"""Card Rogue: adventurers explore a dungeon, fight what they find, and carry victory points out of it."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.games.cardrogue.ablation import usable, uses
from sim.games.cardrogue.actions import apply_action, is_over, legal_actions, to_act
from sim.games.cardrogue.cards import cautions, from_document, load
from sim.games.cardrogue.evaluation.features import evaluate, features
from sim.games.cardrogue.exact.duels import DUELS
from sim.games.cardrogue.hidden import redeal
from sim.games.cardrogue.outcome import (
    MEASURES,
    OUTCOME,
    QUESTIONS,
    entrant_of,
    is_capped,
    measures_of,
    standing,
    write_outcome,
)
from sim.games.cardrogue.record import FEATURES, Fill
from sim.games.cardrogue.setup import deal
from sim.games.cardrogue.state import OPTIONS_MAX, SEATS, STATE
from sim.games.cardrogue.text import story

REPORT_GAMES = 2_000  # per number of seats: four greedy players finish about forty games per second and core

SEATS_AT_A_TABLE = (1, 2, 3, 4)
SEATS_OF_A_MAP = (1,)  # a fixed layout is for a lone player (ROGUE-107)

GAME = Game(
    name="cardrogue",
    title="Card Rogue",
    seats=SEATS_AT_A_TABLE,
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs(
        deal=deal,
        to_act=to_act,
        legal_actions=legal_actions,
        apply_action=apply_action,
        is_over=is_over,
        standing=standing,
        evaluate=evaluate,
        redeal=redeal,
        write_outcome=write_outcome,
        is_capped=is_capped,
        entrant_of=entrant_of,
        features=features,
        uses=uses,
    ),
    reference=Path(__file__).parent / "cards.toml",
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: (
        2 * SEATS * int(cards.record["max_rounds"][0]) + SEATS
    ),  # every turn may be followed by a second
    seats_of=lambda cards: SEATS_OF_A_MAP if cards.record["fill"][0] != Fill.DEAL else SEATS_AT_A_TABLE,
    measures=MEASURES,
    measures_of=measures_of,
    questions=QUESTIONS,
    words=story,
    entrant_word="character",
    entrants_word="characters",
    hidden=("on",),  # face-down cards of a fixed layout; any other unseen card is drawn when it is turned over
    duels=DUELS,
    cautions=cautions,
    features=FEATURES,
    usable=usable,
    report_games=REPORT_GAMES,
)
