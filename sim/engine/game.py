"""The `Game` record: what a game must offer, and what it may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.decks import Decking, Decks
from sim.engine.exact import Duels, Roll
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure, Question, SeatParameter
from sim.engine.teams import Teams
from sim.engine.words import Words

NOTHING = -1  # of `ablation_of`


@kernel
def never_truncated(state: Record) -> bool:
    """`is_truncated` of a game that has no limit of its own."""
    return False


@kernel
def as_planned(state: Record, seat: int, planned: int) -> int:
    """`entrant_of` of a game in which every seat plays whom the line-up says."""
    return planned


@kernel
def first_to_decide(state: Record, decided: int) -> int:
    """`first_of` of a game in which going first is to decide first."""
    return decided


@kernel
def no_features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """`features` of a game whose `evaluate` weighs none."""
    return (0.0,)


@kernel
def nothing_unseen(state: Record, cards: Record, rng: Record) -> None:
    """`resample_unseen` of a game in which all chance is in the dice."""


@kernel
def ablates_nothing(state: Record, cards: Record, action: int) -> int:
    """`ablation_of` of a game in which nothing can be forbidden."""
    return NOTHING


@dataclass(frozen=True)
class Verbs:
    """The kernels of a game, by verb. `state` is one STATE record, `cards` the CARDS record, `rng` one DICE record.

    Those with a default are only for games that need them.
    """

    deal: Callable[..., None]  # (state, cards, lineup, rng): set up; lineup: entrants by seat, length = seats
    current_player: Callable[..., int]  # (state): seat that must decide now
    legal_actions: Callable[..., int]  # (state, cards, out): fill out[0..n-1] with the decisions open, return n >= 1
    apply_action: Callable[..., None]  # (state, cards, action, rng): carry one out, up to the next decision
    is_over: Callable[..., bool]  # (state)
    returns: Callable[..., None]  # (state, out): share of the win by seat; all 0 while undecided
    evaluate: Callable[..., float]  # (state, cards, seat): estimate of the winning chance, 0..1
    resample_hidden: Callable[..., None]  # (state, cards, seat, rng): re-sample what the seat cannot see
    write_outcome: Callable[..., None]  # (state, outcome): facts of the finished game
    is_truncated: Callable[..., bool] = never_truncated  # (state): asked once it is over: a limit of its own stopped it
    entrant_of: Callable[..., int] = as_planned  # (state, seat, planned): whom the seat played in the end
    first_of: Callable[..., int] = first_to_decide  # (state, decided): seat that went first, asked at the end
    features: Callable[..., tuple[float, ...]] = (
        no_features  # (state, cards, seat): what `evaluate` weighs, not at the end
    )
    resample_unseen: Callable[..., None] = (
        nothing_unseen  # (state, cards, rng): re-sample what nobody has seen, as likely as it was
    )
    ablation_of: Callable[..., int] = (
        ablates_nothing  # (state, cards, action): which of `ablatable` a decision uses, NOTHING
    )


@dataclass(frozen=True)
class Game:
    """A game as the generic code sees it. Everything above `sim/games` works from this record alone."""

    name: str  # folder name, e.g. "arena"
    title: str
    seats: tuple[int, ...]  # numbers of seats that it can be played with
    state: np.dtype[Any]  # STATE record; has a field `turn`: turns finished
    outcome: np.dtype[Any]  # OUTCOME record
    options_max: int  # most decisions ever open at once
    verbs: Verbs
    reference: Path  # the reference card file
    load: Callable[[Path | None], CardSet]  # card file -> CardSet; None: the reference set. Raises CardError
    from_document: Callable[[dict[str, Any]], CardSet]
    turn_limit: Callable[[CardSet], int]  # turns after which a game is stopped as capped
    measures: tuple[Measure, ...]  # what the OUTCOME fields mean, with every card set; see `measures_for`
    questions: tuple[Question, ...]
    words: Words
    entrant_word: str = "entrant"  # what is compared: hero, squad, deck, character
    entrants_word: str = "entrants"  # of several
    mirror: bool = False  # may an entrant sit on two seats
    hidden: tuple[str, ...] = ()  # STATE fields that a seat may not see in whole: all that `resample_hidden` may change
    part_names: Callable[[CardSet], list[tuple[str, ...]]] | None = None  # by entrant: what its parts are called
    rolls: Callable[[CardSet], list[Roll]] | None = None  # rolls whose odds can be worked out
    seats_of: Callable[[CardSet], tuple[int, ...]] | None = None  # of `seats`, those that a card set can be played with
    measures_of: Callable[[CardSet], tuple[Measure, ...]] | None = None  # more, named by the cards
    duels: Duels | None = None  # fights whose odds can be worked out
    cautions: Callable[[CardSet], list[str]] | None = None  # what a valid card file may not mean to say, in words
    teams_of: Callable[[CardSet], Teams] | None = None  # entrants that are made of parts
    decks: Decking | None = None  # entrants that are decks
    seat_parameters: tuple[SeatParameter, ...] = ()  # what the rules offer to make going first fair
    features: tuple[
        str, ...
    ] = ()  # names of what the verb `features` gives; CARDS then has `weight` and `weight_baseline`
    ablatable: Callable[[CardSet], tuple[str, ...]] | None = (
        None  # what can be forbidden, by the numbers of the verb `ablation_of`
    )
    report_games: int | None = None  # of a report, per number of seats; fewer than usual where policies think slowly

    def __repr__(self) -> str:
        """One line: its records are long."""
        return f"Game({self.name!r}, {len(self.measures)} measures, {len(self.questions)} questions)"

    @property
    def limits_itself(self) -> bool:
        """Whether the game has a limit of its own besides `turn_limit`."""
        return self.verbs.is_truncated is not never_truncated

    def seats_for(self, cards: CardSet) -> tuple[int, ...]:
        """Numbers of seats that this card set can be played with."""
        return self.seats_of(cards) if self.seats_of else self.seats

    def teams_for(self, cards: CardSet) -> Teams | None:
        """What the entrants of this card set are made of; None where they are no teams."""
        return self.teams_of(cards) if self.teams_of else None

    def decks_for(self, cards: CardSet) -> Decks | None:
        """What the decks of this card set hold; None where the entrants are no decks."""
        return self.decks.of(cards) if self.decks else None

    def measures_for(self, cards: CardSet) -> tuple[Measure, ...]:
        """All measures of games with this card set."""
        return self.measures + (self.measures_of(cards) if self.measures_of else ())
