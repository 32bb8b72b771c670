"""Results of games by card drawn and played: sums over games, added block by block in constant memory.

Sums are kept separately for GROUPS groups of games, so that a jackknife can leave out each group in turn. Games that share
their dice are in the same group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.rows import Rows, check_rows, distinct
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.decks import NO_CARD
from sim.engine.measures import Measure, Question
from sim.engine.table import Status
from sim.experiment import Experiment

if TYPE_CHECKING:
    from analysis.data.study import Study

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

GROUPS = 50  # of games, each left out once by the jackknife
TURNS_MAX = 20  # own turns of the first play that are counted separately; later ones count as this one
CHART = "cards"  # of the question that names a game's card fields
ROLES = ("drawn_turn", "played_turn", "drawn", "plays")


@dataclass(frozen=True, eq=False)
class CardPlaces:
    """Cards by entrant and slot, for outcomes that count cards by slot.

    ids, names: of the cards. slots: (entrants, places) index of the card, NO_CARD beyond the last. shared: cards can occur in
    the lists of several entrants, so that pooling over entrants is meaningful.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    slots: NDArray[np.int64]
    shared: bool = True

    @classmethod
    def of(cls, game: Game, cards: CardSet, measure: Measure) -> CardPlaces:
        """Cards of decks; else the parts of teams if the measure counts by member; else the parts of the measure.

        If part names differ by entrant, every entrant has separate cards. Raises ValueError for a measure without parts.
        """
        if decks := game.decks_for(cards):
            return cls(decks.ids, tuple(distinct(decks.names)), decks.slots.astype(np.int64))
        parts, entrants = len(measure.parts), len(cards.ids)
        if not parts:
            raise ValueError(f"{game.name}: measure {measure.field!r} does not count by card")
        teams = game.teams_for(cards)
        if teams and teams.size == parts:
            return cls(teams.ids, tuple(distinct(teams.names)), teams.members.astype(np.int64))
        if game.part_names is None:
            slots = np.broadcast_to(np.arange(parts), (entrants, parts))
            return cls(
                measure.parts, tuple(distinct(measure.parts)), np.where(np.array(measure.parts) != "", slots, NO_CARD)
            )
        named = [(*names, *("",) * parts)[:parts] for names in game.part_names(cards)]
        slots = np.where(np.array(named) != "", np.arange(entrants * parts).reshape(entrants, parts), NO_CARD)
        every = tuple(name for names in named for name in names)
        return cls(every, tuple(distinct(every)), slots, shared=False)


@dataclass(frozen=True)
class CardFields:
    """Fields of the outcomes that count by card, "" if the game has none: see `ROLES`. by_turn: None is the whole game.

    A card counts as drawn if its first copy was drawn by own turn `by_turn`; without `drawn_turn`, if any copy was drawn.
    """

    drawn_turn: str = ""
    played_turn: str = ""
    drawn: str = ""
    plays: str = ""
    by_turn: int | None = None

    @classmethod
    def of(cls, roles: Mapping[str, str], by_turn: int | None = None) -> CardFields:
        """Pick the roles of a question. Raises ValueError if none is named, or if `by_turn` is invalid or not recorded."""
        named = {role: roles[role] for role in ROLES if role in roles}
        if not named:
            raise ValueError(f"roles={sorted(roles)} must name one of {', '.join(ROLES)}")
        if by_turn is not None and by_turn < 1:
            raise ValueError(f"by_turn={by_turn} must be at least 1")
        if by_turn is not None and "drawn_turn" not in named:
            raise ValueError(f"by_turn={by_turn}: the outcomes do not record when a card was drawn")
        return cls(**named, by_turn=by_turn)

    @property
    def any(self) -> str:
        """One of the fields."""
        return next(field for field in (self.drawn_turn, self.drawn, self.played_turn, self.plays) if field)

    @property
    def tell_draws(self) -> bool:
        """Whether the outcomes record which cards were drawn."""
        return bool(self.drawn_turn or self.drawn)

    @property
    def tell_plays(self) -> bool:
        """Whether the outcomes record which cards were played."""
        return bool(self.played_turn or self.plays)

    def was_drawn(self, outcomes: Rows, seat: int, places: int) -> Bools:
        """By game and place; all False where nothing is known."""
        if self.drawn_turn:
            turn = outcomes[self.drawn_turn][:, seat, :places]
            return np.asarray((turn > 0) & (turn <= (self.by_turn or np.iinfo(np.int16).max)))
        return self._counted(self.drawn, outcomes, seat, places)

    def was_played(self, outcomes: Rows, seat: int, places: int) -> Bools:
        """By game and place; all False where nothing is known."""
        return self._counted(self.played_turn or self.plays, outcomes, seat, places)

    @staticmethod
    def _counted(field: str, outcomes: Rows, seat: int, places: int) -> Bools:
        if not field:
            return np.zeros((len(outcomes), places), np.bool_)
        return np.asarray(outcomes[field][:, seat, :places] > 0)


def card_question(game: Game) -> Question:
    """The question that names a game's card fields. Raises ValueError if there is none."""
    for question in game.questions:
        if question.chart == CHART:
            return question
    raise ValueError(f"{game.name}: {game.title} does not record draws and plays of single cards")


def fields_of(question: Question, by_turn: int | None = None) -> CardFields:
    """Card fields of a question. by_turn: if None the question's setting, else the whole game."""
    setting = int(question.settings["by_turn"][0]) if "by_turn" in question.settings else None
    return CardFields.of(question.roles, setting if by_turn is None else by_turn)


def card_tally(study: Study) -> CardTally | None:
    """An empty tally for the games of a study; None if its game has no question about cards or no opponents."""
    found = next((question for question in study.game.questions if question.chart == CHART), None)
    return CardTally(study.main(study.seats_for(found)), fields_of(found)) if found and study.contests else None


class CardTally:
    """Finished games at one number of seats by entrant and slot. Games of an entrant against itself do not count.

    games, wins: (GROUPS, entrants). drawn, drawn_wins, played, played_wins: (GROUPS, entrants, places) games in which the card
    was drawn (played), and the win shares in these games. turns: sums of the own turns of the first play. by_turn,
    by_turn_wins: (entrants, places, TURNS_MAX + 1) games by that turn.
    """

    def __init__(self, experiment: Experiment, fields: CardFields) -> None:
        game, cards = experiment.game, experiment.cards
        measures = {measure.field: measure for measure in game.measures_for(cards)}
        if unknown := [name for name in _named(fields) if name not in measures]:
            raise ValueError(f"{game.name}: {', '.join(unknown)}: unknown measures; known are {', '.join(measures)}")
        self.experiment, self.fields = experiment, fields
        self.cards = CardPlaces.of(game, cards, measures[fields.any])
        entrants, places = self.cards.slots.shape
        self.seen = self.truncated = 0  # games added, and how many of them were truncated
        self.games, self.wins = np.zeros((2, GROUPS, entrants))
        self.drawn, self.drawn_wins, self.played, self.played_wins, self.turns = np.zeros((5, GROUPS, entrants, places))
        self.by_turn, self.by_turn_wins = np.zeros((2, entrants, places, TURNS_MAX + 1))

    def add(self, rows: Rows, outcomes: Rows) -> CardTally:
        """Add a block of games; returns itself. Raises ValueError if rows and outcomes do not match."""
        check_rows(rows)
        if len(rows) != len(outcomes):
            raise ValueError(f"{len(rows)} rows and {len(outcomes)} outcomes must belong to the same games")
        seats = self.experiment.seats
        self.seen += len(rows)
        self.truncated += int((rows["status"] != Status.FINISHED).sum())
        entrant = rows["entrant"][:, :seats].astype(np.int64)
        apart = np.diff(np.sort(entrant, axis=1), axis=1).all(axis=1)
        kept = (rows["status"] == Status.FINISHED) & (rows["seats"] == seats) & apart
        group = self.experiment.pair_of(rows["game"][kept].astype(np.int64)) % GROUPS
        for seat in range(seats):
            self._add((group, entrant[kept, seat]), rows["share"][kept, seat].astype(np.float64), outcomes[kept], seat)
        return self

    def _add(self, at: tuple[Any, Any], share: Floats, outcomes: Rows, seat: int) -> None:
        """Add one seat of games. at: group and entrant of each."""
        places = self.cards.slots.shape[1]
        np.add.at(self.games, at, 1.0)
        np.add.at(self.wins, at, share)
        drawn, played = (was(outcomes, seat, places) for was in (self.fields.was_drawn, self.fields.was_played))
        for seen, count, wins in ((drawn, self.drawn, self.drawn_wins), (played, self.played, self.played_wins)):
            line, place = np.nonzero(seen)
            cell = (at[0][line], at[1][line], place)
            np.add.at(count, cell, 1.0)
            np.add.at(wins, cell, share[line])
        if self.fields.played_turn:
            line, place = np.nonzero(played)
            turn = outcomes[self.fields.played_turn][line, seat, place].astype(np.int64)
            np.add.at(self.turns, (at[0][line], at[1][line], place), turn)
            cell = (at[1][line], place, turn.clip(max=TURNS_MAX))
            np.add.at(self.by_turn, cell, 1.0)
            np.add.at(self.by_turn_wins, cell, share[line])


def _named(fields: CardFields) -> list[str]:
    """Names of the fields in use."""
    return [name for name in (getattr(fields, role) for role in ROLES) if name]
