"""Everything from which a game is made, to be imported from this one place.

    from sim.kit import CardFile, Game, kernel, roll

A game of another distribution needs nothing else; `docs/own-game.md` walks through one. `sim.check` checks a finished game.
"""

from sim.engine.cardfiles.columns import columns
from sim.engine.cards import CardFile, CardFormat, CardModel, Identifier, Problem, RuleSwitches, Source, Text, repeated_ids
from sim.engine.contract import NOTHING, Game, Verbs
from sim.engine.dice import FACES, NATURE, SEATS_MAX, Purpose, below, roll, shuffle, uniform
from sim.engine.evaluation import chance_of, weights_dtype, write_weights
from sim.engine.facts import Fact, held
from sim.engine.jit import Record, kernel, scratch
from sim.engine.measures import SeatParameter
from sim.engine.positions import Document, Each, Flag, Number, Rows, Word, numbered, seated, words_of
from sim.engine.questions import (
    Abilities,
    Association,
    Endings,
    FirstPlayer,
    Length,
    Matchups,
    Milestones,
    Parameters,
    PerGame,
    RuleVariants,
    Sweep,
    WinRates,
)
from sim.engine.words import Change, PlainWords

__all__ = [
    "FACES",
    "NATURE",
    "NOTHING",
    "SEATS_MAX",
    "Abilities",
    "Association",
    "CardFile",
    "CardFormat",
    "CardModel",
    "Change",
    "Document",
    "Each",
    "Endings",
    "Fact",
    "FirstPlayer",
    "Flag",
    "Game",
    "Identifier",
    "Length",
    "Matchups",
    "Milestones",
    "Number",
    "Parameters",
    "PerGame",
    "PlainWords",
    "Problem",
    "Purpose",
    "Record",
    "Rows",
    "RuleSwitches",
    "RuleVariants",
    "SeatParameter",
    "Source",
    "Sweep",
    "Text",
    "Verbs",
    "WinRates",
    "Word",
    "below",
    "chance_of",
    "columns",
    "held",
    "kernel",
    "numbered",
    "repeated_ids",
    "roll",
    "scratch",
    "seated",
    "shuffle",
    "uniform",
    "weights_dtype",
    "words_of",
    "write_weights",
]
