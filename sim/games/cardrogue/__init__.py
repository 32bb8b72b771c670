"""Card Rogue: adventurers explore a dungeon, fight what they find, and carry victory points out of it."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.games.cardrogue.ablation import ablatable, ablation_of
from sim.games.cardrogue.actions import apply_action, current_player, is_over, legal_actions
from sim.games.cardrogue.cards import cautions, from_document, load
from sim.games.cardrogue.evaluation.features import evaluate, features
from sim.games.cardrogue.exact.duels import DUELS
from sim.games.cardrogue.hidden import resample_hidden
from sim.games.cardrogue.outcome import (
    MEASURES,
    OUTCOME,
    QUESTIONS,
    entrant_of,
    is_truncated,
    measures_of,
    returns,
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
        features=features,
        ablation_of=ablation_of,
    ),
    reference=Path(__file__).parent / "cards.toml",
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: 2 * SEATS * int(cards.record["max_rounds"][0]) + SEATS,  # every turn may be followed by a second
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
    ablatable=ablatable,
    report_games=REPORT_GAMES,
)
