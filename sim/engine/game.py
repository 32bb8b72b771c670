"""The `Game` record: what a game must provide, and what it can provide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardFile, CardFormat, CardSet
from sim.engine.decks import Decking, Decks
from sim.engine.exact import Duels, Roll
from sim.engine.facts import Fact, measures_of, outcome_of
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure, SeatParameter
from sim.engine.questions import Ask, Matchups, Question, WinRates
from sim.engine.teams import Teams
from sim.engine.words import Words

WANTED = -2.0  # in the chances of `evaluate_seats`
USUAL_QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom?"),
    Ask("length", "How long does a game last?", "run", "times", {"facts": ["length"], "by": "seats"}),
)
NOTHING = -1  # returned by `ablation_of`: the action uses nothing of `ablatable`


@kernel
def never_truncated(state: Record) -> bool:
    """`is_truncated` of a game without a limit of its own."""
    return False


@kernel
def as_planned(state: Record, seat: int, planned: int) -> int:
    """`entrant_of` of a game in which every seat plays its entrant in the line-up."""
    return planned


@kernel
def first_to_decide(state: Record, decided: int) -> int:
    """`first_of` of a game in which the first player decides first."""
    return decided


@kernel
def no_features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """`features` of a game whose `evaluate` uses no weights."""


@kernel
def nothing_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """`resample_hidden` of a game of perfect information."""


@kernel
def nothing_unseen(state: Record, cards: Record, rng: Record) -> None:
    """`resample_unseen` of a game whose only chance is in the dice."""


@kernel
def only_copied(state: Record, outcome: Record) -> None:
    """`write_outcome` of a game without derived facts."""


@kernel
def ablates_nothing(state: Record, cards: Record, action: int) -> int:
    """`ablation_of` of a game in which nothing can be forbidden."""
    return NOTHING


@kernel
def one_by_one(state: Record, cards: Record, seat: int, options: np.ndarray, count: int, values: np.ndarray) -> bool:
    """`evaluate_options` of a game that evaluates each option on its own."""
    return False


@kernel
def seat_by_seat(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """`evaluate_seats` of a game that evaluates each seat on its own."""
    return False


@kernel
def never_half_made(state: Record) -> bool:
    """`is_half_made` of a game whose decisions are all rated as they are."""
    return False


@kernel
def can_depend(state: Record, after: Record, cards: Record, seat: int, shown: int) -> bool:
    """`depends_on_hidden` of a game that does not know better."""
    return True


@kernel
def as_listed(state: Record, cards: Record, out: np.ndarray, n: int) -> int:
    """`nth_option` after `legal_actions`."""
    return int(out[n])


@dataclass(frozen=True)
class Verbs:
    """The kernels of a game, by verb. `state` is one STATE record, `cards` the CARDS record, `rng` one DICE record.

    Verbs with a default are optional.
    """

    deal: Callable[..., None]  # (state, cards, lineup, rng): set up; lineup: entrants by seat, one for each seat
    current_player: Callable[..., int]  # (state): seat that decides now
    legal_actions: Callable[..., int]  # (state, cards, out): fill out[0..n-1] with the legal actions, return n >= 1
    apply_action: Callable[..., None]  # (state, cards, action, rng): apply it, continue to the next decision
    is_over: Callable[..., bool]  # (state)
    returns: Callable[..., None]  # (state, out): share of the win by seat; all 0 while undecided
    # (state, cards, seat): estimate of the winning chance, 0..1; None: the logistic model of the features, see `by_features`
    evaluate: Callable[..., float] | None = None
    resample_hidden: Callable[..., None] = nothing_hidden  # (state, cards, seat, rng): resample what the seat cannot see
    write_outcome: Callable[..., None] = only_copied  # (state, outcome): facts that are not copied from the state
    is_truncated: Callable[..., bool] = never_truncated  # (state): whether a limit of its own stopped a finished game
    entrant_of: Callable[..., int] = as_planned  # (state, seat, planned): entrant that the seat actually played
    first_of: Callable[..., int] = first_to_decide  # (state, decided): seat that went first, called at the end
    features: Callable[..., None] = no_features  # (state, cards, seat, out): write the inputs of `evaluate`
    resample_unseen: Callable[..., None] = nothing_unseen  # (state, cards, rng): resample what no player has seen
    ablation_of: Callable[..., int] = ablates_nothing  # (state, cards, action): index in `ablatable`, or NOTHING
    # (state, cards, seat, options, count, values): write what `evaluate` gives after each of options[0..count-1], return True;
    # or write some values, leave `state` as it was and return False: then the other options, whose values stay negative, are
    # applied and evaluated one by one. For options that no chance follows, or whose exact mean over the chance is known.
    # `state` is a copy.
    evaluate_options: Callable[..., bool] = one_by_one
    # (state, after, cards, seat, shown): whether the way to the position `after`, its options or `evaluate` can depend on what
    # the seat cannot see. If not, `greedy` values the option in one sample only, and `turn` takes its next decision for legal in
    # all samples. shown: by how much rng["shown"][seat] has grown, where `apply_action` can count what was hidden from the seat
    # and came to matter.
    depends_on_hidden: Callable[..., bool] = can_depend
    # (state): whether the decision at hand only continues a compound one, such as the target of a spell. `greedy` rates what
    # leads there by the best that can come of it, or by `evaluate` if that gives more.
    is_half_made: Callable[..., bool] = never_half_made
    # (state, cards, chances): write `evaluate` of every seat whose entry is WANTED, return True; or False, as above
    evaluate_seats: Callable[..., bool] = seat_by_seat
    # The two let a random decision be taken without writing the list of options, where that is faster; both or none.
    count_options: Callable[..., int] | None = None  # (state, cards, out): their number; out: what `nth_option` may need
    nth_option: Callable[..., int] = as_listed  # (state, cards, out, n): what `legal_actions` would list as number n

    def __post_init__(self) -> None:
        if self.count_options is None:
            object.__setattr__(self, "count_options", self.legal_actions)

    @classmethod
    def of(cls, *modules: Any) -> Verbs:
        """Return the verbs that modules define under their own names. Raises ValueError naming those that are missing."""
        names = {name: value for module in modules for name, value in vars(module).items()}
        if missing := [verb.name for verb in fields(cls) if verb.default is MISSING and verb.name not in names]:
            where = ", ".join(module.__name__ for module in modules)
            raise ValueError(f"{where}: has no {' and no '.join(missing)}; every game needs a kernel of this name")
        return cls(**{verb.name: names[verb.name] for verb in fields(cls) if verb.name in names})


def turn_cap(cards: CardSet) -> int:
    """Return the turn limit of games whose cards name it `turn_cap`."""
    return int(cards.record["turn_cap"][0])


@dataclass(frozen=True)
class Game:
    """A game as generic code sees it. All code outside `sim/games` uses only this record."""

    name: str  # folder name, e.g. "arena"
    title: str
    seats: tuple[int, ...]  # supported numbers of seats
    state: np.dtype[Any]  # STATE record, with a field `turn`: turns finished
    outcome: np.dtype[Any]  # OUTCOME record
    options_max: int  # most legal actions at any decision
    verbs: Verbs
    reference: Path  # the reference card file
    load: Callable[[Path | None], CardSet]  # card file -> CardSet; None: the reference set. Raises CardError
    from_document: Callable[[dict[str, Any]], CardSet]
    turn_limit: Callable[[CardSet], int]  # turns after which a game is truncated
    measures: tuple[Measure, ...]  # meaning of the OUTCOME fields with every card set; see `measures_for`
    questions: tuple[Question, ...]
    words: Words
    facts: tuple[Fact, ...] = ()  # the fields of OUTCOME; those that the state holds are copied to it
    entrant_word: str = "entrant"  # the game's word: hero, squad, deck, character
    entrants_word: str = "entrants"  # plural
    mirror: bool = False  # whether an entrant can sit on two seats
    hidden: tuple[str, ...] = ()  # STATE fields not fully visible to a seat: `resample_hidden` changes only these
    recorded: tuple[str, ...] = ()  # STATE fields that no rule and no `evaluate` reads: `copy_trial` leaves them out
    # STATE fields that the rules read and `evaluate` does not, where plans of a turn often meet again: equal positions are then
    # evaluated once; the state must be a multiple of 4 bytes
    unrated: tuple[str, ...] = ()
    stacked: tuple[str, tuple[str, ...]] | None = None  # int8 field, and fields that mean nothing while it is 0: likewise
    part_names: Callable[[CardSet], list[tuple[str, ...]]] | None = None  # by entrant: names of its parts
    rolls: Callable[[CardSet], list[Roll]] | None = None  # rolls with computable odds
    seats_of: Callable[[CardSet], tuple[int, ...]] | None = None  # numbers of seats that a card set supports
    measures_of: Callable[[CardSet], tuple[Measure, ...]] | None = None  # more measures, named by the cards
    duels: Duels | None = None  # fights with computable odds
    cautions: Callable[[CardSet], list[str]] | None = None  # oddities of a valid card file, in words
    teams_of: Callable[[CardSet], Teams] | None = None  # entrants that are made of parts
    decks: Decking | None = None  # entrants that are decks
    seat_parameters: tuple[SeatParameter, ...] = ()  # numbers of the rules that can make going first fair
    features: tuple[str, ...] = ()  # names for the verb `features`; CARDS then has `weight` and `weight_baseline`
    ablatable: Callable[[CardSet], tuple[str, ...]] | None = None  # what can be forbidden; indexed by `ablation_of`
    report_games: int | None = None  # games per number of seats in a report; fewer than usual if policies are slow
    schema: type[CardFile] | None = None  # model of the card file, for spreadsheets of it
    player: str = "turn:4:4"  # policy of all answers: the strongest that plays enough games while a user waits
    speed: int = 200  # games of `player` at two seats per second of one core: how many games an answer has time for

    @classmethod
    def of(cls, cards: CardFormat, facts: tuple[Fact, ...], **more: Any) -> Game:
        """Return a game whose cards and facts are declared. What derives from them, and the following, can be given in `more`.

        turn_limit: by default `turn_cap` of the cards; questions: win rates, matchups, first player and length; entrant_word: the
        list of entrants in the card file; entrants_word: `entrant_word` with an s.
        """
        word = more.get("entrant_word") or cards.schema.ENTRANTS or cls.entrant_word
        derived: dict[str, Any] = {
            "reference": cards.reference,
            "load": cards.load,
            "from_document": cards.from_document,
            "schema": cards.schema,
            "outcome": outcome_of(facts),
            "measures": measures_of(facts),
            "facts": facts,
            "turn_limit": turn_cap,
            "questions": USUAL_QUESTIONS,
            "entrant_word": word,
            "entrants_word": f"{word}s",
            "measures_of": (lambda cards: measures_of(facts, cards)) if any(fact.by_cards for fact in facts) else None,
        }
        return cls(**derived | more)

    def __repr__(self) -> str:
        """Return one line; the records are too long to show."""
        return f"Game({self.name!r}, {len(self.measures)} measures, {len(self.questions)} questions)"

    @property
    def limits_itself(self) -> bool:
        """Whether the game has its own limit besides `turn_limit`."""
        return self.verbs.is_truncated is not never_truncated

    def seats_for(self, cards: CardSet) -> tuple[int, ...]:
        """Return the numbers of seats that this card set supports."""
        return self.seats_of(cards) if self.seats_of else self.seats

    def teams_for(self, cards: CardSet) -> Teams | None:
        """Return the teams of this card set, or None if its entrants are not teams."""
        return self.teams_of(cards) if self.teams_of else None

    def decks_for(self, cards: CardSet) -> Decks | None:
        """Return the decks of this card set, or None if its entrants are not decks."""
        return self.decks.of(cards) if self.decks else None

    def measures_for(self, cards: CardSet) -> tuple[Measure, ...]:
        """Return all measures of games with this card set."""
        return self.measures + (self.measures_of(cards) if self.measures_of else ())
