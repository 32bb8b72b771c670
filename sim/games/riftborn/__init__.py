"""Riftborn Tactics (Blitz): decks of creatures in centred rows, fed by experience that every card and every kill brings."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.riftborn import text
from sim.games.riftborn.ablation import ablatable, ablation_of
from sim.games.riftborn.actions import apply_action, legal_actions
from sim.games.riftborn.cards import cautions, from_document, load
from sim.games.riftborn.decks import DECKING
from sim.games.riftborn.evaluation import evaluate, features
from sim.games.riftborn.hidden import resample_hidden, resample_unseen
from sim.games.riftborn.outcome import OUTCOME, first_of, returns, write_outcome
from sim.games.riftborn.questions import MEASURES, QUESTIONS
from sim.games.riftborn.record import FEATURES
from sim.games.riftborn.setup import deal
from sim.games.riftborn.state import OPTIONS_MAX, SEATS, STATE, current_player, is_over

REPORT_GAMES = 4_000  # greedy players finish some 250 games a second and core

GAME = Game(
    name="riftborn",
    title="Riftborn Tactics",
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
    hidden=("library", "hand", "card", "origin", "ability", "tricks"),
    cautions=cautions,
    decks=DECKING,
    seat_parameters=(
        SeatParameter("rules.second_xp", "experience for the second player", (-300, -200, -100, 0, 100, 200, 300, 500, 800)),
        SeatParameter("rules.second_draw", "cards for the second player", (-1, 0, 1, 2, 3)),
        SeatParameter("rules.first_player_first_draw", "cards in the first player's first turn", (0, 1, 2)),
    ),
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
)
