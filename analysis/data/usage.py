"""Usage of abilities and other parts, and the length of games.

Shares of categories, use of each part and its effect, length of games, turns of elimination and of first events. Frames are
those of `rows.seats_frame`; remove truncated games first if they should not count. Cards of decks, often dozens, are counted
without frames: see `card_tally`. A truncated game counts as longer than any number of turns shown.

Results of games by card drawn and played: sums over games, added block by block in constant memory.

Sums are kept separately for GROUPS groups of games, so that a jackknife can leave out each group in turn. Games that share
their dice are in the same group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.data.rows import Rows, check_rows, distinct
from analysis.stats.intervals import LEVEL, cluster_sums, proportions, ratios
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.decks import NO_CARD
from sim.engine.loop import Status
from sim.engine.measures import Measure
from sim.engine.questions import Cards
from sim.experiments.experiment import Experiment


def use_and_effect(frame: pd.DataFrame, uses: str, effect: str, parts: Sequence[str]) -> pd.DataFrame:
    """Share of each part (an ability, a card) in an entrant's uses, and its effect per use.

    uses, effect: measures with these parts, in columns uses_0, uses_1, ... and effect_0, ... Result, one row per entrant and
    part: entrant, name, part (index), part_name, uses (number), use_rate (share of all uses), use_low, use_high, effect (per
    use), effect_low, effect_high, n (games of the entrant). Uses in the same game are correlated; the intervals are those of
    ratios over games. NaN if nothing was used. Raises ValueError for a column that does not exist.
    """
    size = len(parts)
    for field in (uses, effect):
        if not size or not {f"{field}_{part}" for part in range(size)} <= set(frame):
            raise ValueError(f"the table must hold the columns {field}_0..{field}_{size - 1}, at least one")
    used, done = (frame[[f"{field}_{part}" for part in range(size)]].to_numpy(np.float64) for field in (uses, effect))
    entrant, names, row = frame["entrant"].to_numpy(np.int64), _categories(frame, "name"), np.arange(len(frame))
    tables = []
    for part, name in enumerate(parts):
        rate = ratios(cluster_sums(row, entrant, used[:, part], used.sum(axis=1), len(names)))
        worth = ratios(cluster_sums(row, entrant, done[:, part], used[:, part], len(names)))
        columns = {
            "entrant": np.arange(len(names)),
            "name": pd.Categorical(names, categories=names),
            "part": part,
            "part_name": name,
            "uses": np.bincount(entrant, used[:, part], len(names)).astype(np.int64),
            "use_rate": rate["estimate"],
            "use_low": rate["low"].clip(lower=0),
            "use_high": rate["high"].clip(upper=1),
            "effect": worth["estimate"],
            "effect_low": worth["low"],
            "effect_high": worth["high"],
            "n": worth["n"],
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True).sort_values(["entrant", "part"], ignore_index=True)


def _categories(frame: pd.DataFrame, column: str) -> list[Any]:
    if column not in frame or not isinstance(frame[column].dtype, pd.CategoricalDtype):
        raise ValueError(f"column {column!r} must exist and be categorical")
    return list(frame[column].cat.categories)


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def quantiles(games: pd.DataFrame, wanted: Sequence[float] = QUANTILES, level: float = LEVEL) -> pd.DataFrame:
    """Quantiles of the length by number of seats: the smallest number of turns by which that share of games finished.

    Columns: seats, quantile, turns, low, high (order statistics, Conover 1999, Practical Nonparametric Statistics,
    section 3.2), n (all games). NaN if the value falls among the truncated games or before the first game. Raises ValueError
    for a quantile outside 0..1.
    """
    shares = np.asarray(wanted, np.float64)
    if not np.all((shares > 0) & (shares < 1)):
        raise ValueError(f"quantiles {list(wanted)} must lie between 0 and 1")
    columns = ["seats", "quantile", "turns", "low", "high", "n"]
    tables = [pd.DataFrame(columns=columns)]
    for seats, frame in games.groupby("seats"):
        n, ordered = len(frame), np.sort(frame.loc[frame["finished"], "turns"].to_numpy(np.float64))
        low, high = (scipy.stats.binom.ppf(tail, n, shares) for tail in ((1 - level) / 2, (1 + level) / 2))
        table: dict[str, Any] = {"seats": int(str(seats)), "quantile": shares}
        for name, rank in (("turns", np.ceil(shares * n)), ("low", low), ("high", high + 1)):
            place = np.asarray(rank, np.int64) - 1
            inside = (place >= 0) & (place < ordered.size)
            table[name] = np.where(inside, np.append(ordered, np.nan)[np.where(inside, place, -1)], np.nan)
        tables.append(pd.DataFrame({**table, "n": n}))
    return pd.concat(tables[1:] or tables, ignore_index=True)[columns]


def truncated_share(games: pd.DataFrame) -> pd.DataFrame:
    """Share of truncated games: columns seats, estimate, low, high, n (all games), truncated (number)."""
    by_seats = games.groupby("seats")["finished"].agg(["size", "sum"])
    n = by_seats["size"].to_numpy(np.int64)
    truncated = n - by_seats["sum"].to_numpy(np.int64)
    table = proportions(truncated, n).assign(truncated=truncated)
    table.insert(0, "seats", by_seats.index.to_numpy())
    return table


def happened(frame: pd.DataFrame, column: str, key: str, never: int = 0) -> pd.DataFrame:
    """Share of rows in which an event has happened by each turn (or round), by the groups of one column.

    column: turn of the first event, `never` if there was none, also because the game ended before.
    Result: key, turns (0 and every turn with a first event, ascending), estimate, low, high (Wilson, pointwise), n (rows of the
    group), so that a curve ends at the share in which it ever happened.
    """
    tables = []
    for group, part in frame.groupby(key, observed=True, sort=False):
        when = part[column].to_numpy(np.int64)
        tables.append(_by_turn(when[when != never], when.size, from_zero=True).assign(**{key: group}))
    return _stacked(tables, key)


def _by_turn(when: NDArray[Any], n: int, from_zero: bool = False, still: bool = False) -> pd.DataFrame:
    """Share of n games in which something has happened by each turn: columns turns, estimate, low, high, n.

    when: turn in each game in which it happened. from_zero: with a row for turn 0; still: share in which it has not happened.
    """
    turns, counts = np.unique(when, return_counts=True)
    if from_zero and (not turns.size or turns[0] > 0):
        turns, counts = np.append(0, turns), np.append(0, counts)
    past = counts.cumsum()
    table = proportions(n - past if still else past, np.full(turns.size, n))
    table.insert(0, "turns", turns)
    return table


def _stacked(tables: list[pd.DataFrame], *keys: str) -> pd.DataFrame:
    """Concatenate tables of `_by_turn` with leading columns `keys`; an empty table if there are none."""
    columns = [*keys, "turns", "estimate", "low", "high", "n"]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


if TYPE_CHECKING:
    from analysis.data.study import Study

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

GROUPS = 50  # of games, each left out once by the jackknife
TURNS_MAX = 20  # own turns of the first play that are counted separately; later ones count as this one
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
            return cls(measure.parts, tuple(distinct(measure.parts)), np.where(np.array(measure.parts) != "", slots, NO_CARD))
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
        turn = outcomes[self.drawn_turn or self.drawn][:, seat, :places] if self.tell_draws else np.zeros((len(outcomes), places))
        latest = self.by_turn if self.drawn_turn and self.by_turn else np.inf
        return np.asarray((turn > 0) & (turn <= latest))

    def was_played(self, outcomes: Rows, seat: int, places: int) -> Bools:
        """By game and place; all False where nothing is known."""
        field = self.played_turn or self.plays
        return outcomes[field][:, seat, :places] > 0 if field else np.zeros((len(outcomes), places), np.bool_)


def card_question(game: Game) -> Cards:
    """The question that names a game's card fields. Raises ValueError if there is none."""
    for question in game.questions:
        if isinstance(question, Cards):
            return question
    raise ValueError(f"{game.name}: {game.title} does not record draws and plays of single cards")


def fields_of(question: Cards, by_turn: int | None = None) -> CardFields:
    """Card fields of a question. by_turn: if None that of the question, else the whole game."""
    roles = {role: field for role in ROLES if (field := getattr(question, role))}
    return CardFields.of(roles, question.by_turn if by_turn is None else by_turn)


def card_tally(study: Study) -> CardTally | None:
    """An empty tally for the games of a study; None if its game has no question about cards or no opponents."""
    found = next((question for question in study.game.questions if isinstance(question, Cards)), None)
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
        named = [name for name in (getattr(fields, role) for role in ROLES) if name]
        if unknown := [name for name in named if name not in measures]:
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
        places, outcomes = self.cards.slots.shape[1], outcomes[kept]
        for seat in range(seats):
            owner, share = entrant[kept, seat], rows["share"][kept, seat].astype(np.float64)
            np.add.at(self.games, (group, owner), 1.0)
            np.add.at(self.wins, (group, owner), share)
            drawn, played = (was(outcomes, seat, places) for was in (self.fields.was_drawn, self.fields.was_played))
            for seen, count, wins in ((drawn, self.drawn, self.drawn_wins), (played, self.played, self.played_wins)):
                line, place = np.nonzero(seen)
                np.add.at(count, (group[line], owner[line], place), 1.0)
                np.add.at(wins, (group[line], owner[line], place), share[line])
            if self.fields.played_turn:  # line and place are those of the cards played
                turn = outcomes[self.fields.played_turn][line, seat, place].astype(np.int64)
                np.add.at(self.turns, (group[line], owner[line], place), turn)
                cell = (owner[line], place, turn.clip(max=TURNS_MAX))
                np.add.at(self.by_turn, cell, 1.0)
                np.add.at(self.by_turn_wins, cell, share[line])
        return self
