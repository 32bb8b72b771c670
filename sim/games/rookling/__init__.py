"""Rookling Heroes: two squads of three trade attacks and defences, powered by one shared deck of energy."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.engine.measures import SeatParameter
from sim.games.rookling.ablation import ablatable, ablation_of
from sim.games.rookling.actions import apply_action, current_player, is_over, legal_actions
from sim.games.rookling.cards import cautions, from_document, load
from sim.games.rookling.evaluation.features import evaluate, features
from sim.games.rookling.hidden import resample_hidden
from sim.games.rookling.outcome import MEASURES, OUTCOME, entrant_of, first_of, measures_of, returns, write_outcome
from sim.games.rookling.position import place, position
from sim.games.rookling.questions import QUESTIONS
from sim.games.rookling.record import FEATURES
from sim.games.rookling.setup import deal
from sim.games.rookling.state import OPTIONS_MAX, SEATS, STATE
from sim.games.rookling.teams import part_names_of, teams_of
from sim.games.rookling.text import action, draw, events, line_up, picture

REPORT_GAMES = 15_000  # greedy players finish about 700 games per second and core


class Words:
    """How the game speaks (the protocols `Words` and `DrawWords` of the engine)."""

    line_up = staticmethod(line_up)
    action = staticmethod(action)
    draw = staticmethod(draw)
    events = staticmethod(events)
    picture = staticmethod(picture)
    position = staticmethod(position)
    place = staticmethod(place)


GAME = Game(
    name="rookling",
    title="Rookling Heroes",
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
        entrant_of=entrant_of,
        first_of=first_of,
        features=features,
        ablation_of=ablation_of,
    ),
    reference=Path(__file__).parent / "cards.toml",
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    measures_of=measures_of,
    questions=QUESTIONS,
    words=Words(),
    entrant_word="squad",
    entrants_word="squads",
    hidden=("hand", "deck"),
    part_names=part_names_of,
    cautions=cautions,
    teams_of=teams_of,
    seat_parameters=(SeatParameter("rules.second_hand", "cards in the first defender's first hand", (-2, -1, 0, 1, 2)),),
    features=FEATURES,
    ablatable=ablatable,
    report_games=REPORT_GAMES,
)
