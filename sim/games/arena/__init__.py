"""The Arena: heroes throw each other off a hexagonal board into the water; the last one standing wins."""

from pathlib import Path

from sim.engine.contract import Game, Verbs
from sim.games.arena import position
from sim.games.arena.ablation import ablatable, ablation_of
from sim.games.arena.actions import apply_action, current_player, is_over, legal_actions
from sim.games.arena.cards import from_document, load
from sim.games.arena.evaluation import evaluate, features
from sim.games.arena.exact import part_names, rolls
from sim.games.arena.outcome import MEASURES, OUTCOME, QUESTIONS, returns, write_outcome
from sim.games.arena.record import FEATURES
from sim.games.arena.setup import deal
from sim.games.arena.state import OPTIONS_MAX, STATE, resample_hidden

GAME = Game(
    name="arena",
    title="Arena",
    seats=(2, 3, 4),
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
        features=features,
        resample_hidden=resample_hidden,
        write_outcome=write_outcome,
        ablation_of=ablation_of,
    ),
    reference=Path(__file__).parent / "cards.toml",
    load=load,
    from_document=from_document,
    turn_limit=lambda cards: int(cards.record["turn_cap"][0]),
    measures=MEASURES,
    questions=QUESTIONS,
    words=position,
    entrant_word="hero",
    entrants_word="heroes",
    part_names=part_names,
    rolls=rolls,
    features=FEATURES,
    ablatable=ablatable,
)
