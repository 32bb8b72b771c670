"""Everything from which a game is made, to be imported from this one place.

    from sim.kit import CardFile, Game, kernel, roll

A game of another distribution needs nothing else; `docs/own-game.md` walks through one. `sim.check` checks a finished game.
"""

from sim.engine.cardfiles.columns import Apart, ByTag, Column, Numbered, RowCount, columns
from sim.engine.cardfiles.paths import did_you_mean, plain
from sim.engine.cards import (
    Agreement,
    CardError,
    CardFile,
    CardFormat,
    CardModel,
    CardSet,
    Identifier,
    Known,
    Needs,
    Only,
    OnlyOn,
    Problem,
    RuleSwitches,
    Source,
    Text,
    Unique,
)
from sim.engine.contract import NOTHING, Game, Verbs
from sim.engine.decks import (
    DEFAULT_GENERATOR,
    NO_CARD,
    Blank,
    DeckGenerator,
    Decking,
    DeckList,
    Decks,
    Loadout,
    Made,
    card_of,
    counted,
    deck_of,
    replaced,
)
from sim.engine.dice import (
    FACES,
    NATURE,
    NOT_SCRIPTED,
    SEATS_MAX,
    Purpose,
    below,
    refuse_draw,
    reshuffle,
    roll,
    scripted_draw,
    shuffle,
    uniform,
)
from sim.engine.evaluation import chance_of, weights_dtype, write_weights
from sim.engine.exact import Roll
from sim.engine.facts import Fact, held
from sim.engine.jit import Record, kernel, scratch
from sim.engine.measures import Measure, SeatParameter
from sim.engine.positions import Document, Each, Flag, Here, LineUp, Number, Rows, Word, numbered, words_of
from sim.engine.questions import Ask, Cards, Dice, FirstPlayer, Loadouts, Matchups, WinRates
from sim.engine.story import Change, Pile, Rise, Value, events
from sim.engine.teams import Teams
from sim.engine.words import PlainWords, card_drawn, line_up
