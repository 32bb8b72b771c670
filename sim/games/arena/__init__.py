"""The Arena: heroes throw each other off a hexagonal board into the water; the last one standing wins."""

from sim.engine.contract import Game, Verbs
from sim.games.arena import ablation, actions, evaluation, outcome, position, setup, state
from sim.games.arena.ablation import ablatable
from sim.games.arena.exact import part_names, rolls
from sim.games.arena.outcome import QUESTIONS
from sim.games.arena.record import CARD_FORMAT, FEATURES
from sim.games.arena.state import FACTS, OPTIONS_MAX, STATE

GAME = Game.of(
    CARD_FORMAT,
    FACTS,
    name="arena",
    title="Arena",
    seats=(2, 3, 4),
    state=STATE,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(ablation, actions, evaluation, outcome, setup, state),
    questions=QUESTIONS,
    words=position,
    entrant_word="hero",
    entrants_word="heroes",
    part_names=part_names,
    rolls=rolls,
    features=FEATURES,
    ablatable=ablatable,
    player="turn:4:8:1",
    speed=140,
)
