"""Runeslingers: a duel of decks for power, with ailments, boons, blocks and a ladder of answers."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.runeslingers import text
from sim.games.runeslingers.ablation import ablatable, ablation_of
from sim.games.runeslingers.actions import apply_action, legal_actions
from sim.games.runeslingers.cards import cautions, from_document, load
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.evaluation import evaluate, features
from sim.games.runeslingers.hidden import resample_hidden, resample_unseen
from sim.games.runeslingers.outcome import OUTCOME, first_of, returns, write_outcome
from sim.games.runeslingers.questions import MEASURES, QUESTIONS
from sim.games.runeslingers.record import FEATURES
from sim.games.runeslingers.setup import deal
from sim.games.runeslingers.state import OPTIONS_MAX, SEATS, STATE, current_player, is_over

REPORT_GAMES = 4_000  # greedy players finish some hundred games a second and core

GAME = Game(
    name="runeslingers",
    title="Runeslingers",
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
        first_of=first_of,
        features=features,
        resample_unseen=resample_unseen,
        ablation_of=ablation_of,
    ),
    reference=Path(__file__).parent / "cards.toml",
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    questions=QUESTIONS,
    words=text,
    entrant_word="deck",
    entrants_word="decks",
    hidden=("deck", "hand", "conc", "under", "inst", "options", "options_n", "pool", "keys"),
    cautions=cautions,
    decks=DECKING,
    seat_parameters=(
        SeatParameter("rules.second_draw", "cards for the second player", (-2, -1, 0, 1, 2)),
        SeatParameter("rules.first_draw", "cards in the first player's first turn", (0, 1, 2, 3, 4)),
    ),
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
)
