"""Play games for win rates: a fixed number, or until every win rate is precise enough.

Memory is constant. With a precision, the run looks at its results after fixed numbers of games; its bounds are confidence
sequences, which hold at every look. Observations are single games if games are independent, pairs if games share dice, and rounds
if the parts of teams are compared (see `analysis.stats.sequential`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer.numbers import rounded_up
from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.encounters import PairTally
from analysis.data.looks import until as play_to
from analysis.data.player import Player
from analysis.data.rows import Rows, Tally, distinct
from analysis.stats.intervals import FAIR_BAND, LEVEL, ClusterSums, adjust
from analysis.stats.sequential import (
    LEAST_CLUSTERS,
    Floats,
    games_needed,
    half_widths,
    looks,
    mean_p,
    mean_sequence,
    share_p,
    share_sequence,
)
from analysis.winrates.rates import PartTally, SumsOfGames, Tables, add_sums, incidence, wins_by_unit
from sim.engine.loop import Status
from sim.experiments.experiment import Coupling, Experiment
from sim.run import Block
from sim.store import StoreError


@dataclass(frozen=True)
class Played:
    """Sums over the games of an experiment.

    parts: by part, if entrants are teams; pairs: by pair, if games share their dice; games: that were counted, fewer than wanted
    if `interrupted`; until: precision wanted and reached; team_rows: the games, if a model of teams can be fitted to them, see
    `has_model`.
    """

    experiment: Experiment
    tally: Tally
    games: int
    parts: PartTally | None = None
    pairs: PairTally | None = None
    until: Until | None = None
    interrupted: bool = False
    team_rows: Rows | None = None


def coupled(experiment: Experiment, paired: bool, coupling: str) -> Experiment:
    """Return the experiment with games in pairs, if wanted, and dice keyed by seat or by entrant.

    Raises ValueError for an unknown coupling, and if a line-up cannot be played from every seat.
    """
    words: tuple[Coupling, ...] = ("seat", "entrant")
    if coupling not in words:
        raise ValueError(f"coupling={coupling!r} must be seat or entrant")
    changed = replace(experiment, paired=paired, coupling=words[words.index(coupling)])
    if paired and changed.pair_games == 1:
        formed = f"{changed.game.entrants_word} of these cards are only formed during the game"
        why = formed if changed.seats > 1 else "with one seat there are no seats to swap"
        raise ValueError(f"--paired: {why}, so there are no pairs; leave it out")
    return changed


def play(
    experiment: Experiment,
    player: Player,
    until: Until | None = None,
    rows: Path | None = None,
    each: Callable[[Block], None] | None = None,
) -> Played:
    """Play an experiment and count its games, or add up the sums of a run that keeps no more.

    until: ends early once the win rates are precise enough; the experiment of the result then has the games played. rows: file to
    write every game to; each: called with every block. Raises ValueError if other games than those of the sums are needed.
    """
    counts, kept = SumsOfGames.of(experiment), list[Rows]()
    sums = None if until or rows or each else player.sums(experiment)
    if sums is not None:
        _add_up(counts, sums, player.place)
    elif player.has_only_sums:
        raise ValueError(f"{player.place}: keeps only sums over all of its games: leave games, precision and rows out")
    else:
        with open_rows(rows, experiment) as keep:
            played = player.play(experiment)
            for block in play_to(until, played) if until else played:
                counts.add(block.rows)
                if until is None and has_model(experiment):
                    kept.append(block.rows.copy())
                if keep:
                    keep(block)
                if each:
                    each(block)
    games = int(counts.tally.games.sum())
    interrupted = bool(player.shown)
    if until and not interrupted:
        experiment = replace(experiment, games_wanted=games)
    team_rows = np.concatenate(kept) if kept else None
    return Played(experiment, counts.tally, games, counts.parts, counts.pairs, until, interrupted, team_rows)


def has_model(experiment: Experiment) -> bool:
    """Whether the parts of teams can be judged by a model of the games: a balanced design at two seats, one policy."""
    balanced = experiment.teams is not None and experiment.line_up is None and len(set(experiment.policies)) == 1
    return balanced and experiment.seats == TEAM_SEATS and experiment.games <= MODEL_GAMES


def _add_up(counts: SumsOfGames, sums: Iterator[tuple[int, Tables]], place: str) -> None:
    """Add the sums over blocks of games. place: the run they are of. Raises StoreError for sums that do not fit the games."""
    done = 0
    for games, columns in sums:
        done += games
        try:
            add_sums(counts, columns)
            if counts.tally.games.sum() != done:
                raise StoreError(f"its sums do not cover the {games:,} games given in the file name")
        except StoreError as error:
            raise StoreError(f"{place}: summary of games {done - games}..{done - 1}: {error}") from None


@contextmanager
def open_rows(path: Path | None, experiment: Experiment) -> Iterator[Callable[[Block], None] | None]:
    """Open the file that every game is written to, if a path is given."""
    if path is None:
        yield None
        return
    from analysis.output.games_file import games_file  # noqa: PLC0415 - openpyxl, which few commands need

    with games_file(path, experiment) as rows:
        yield rows.add


POINTS_MIN = 0.001  # percentage points: about 10^10 games of each entrant, which take weeks
POINTS_MAX = 50.0  # percentage points: no win rate is farther from 50 %
FIRST_LOOK, GROWTH = 1000, 1.1  # games at the first look; factor from each to the next: at most a tenth too many are played
PASS_MAX = 1000  # games: looks come after whole passes of the design up to this length, else after whole rounds
TEAM_SEATS, MODEL_GAMES = 2, 200_000  # seats of a model of teams, and games up to which their rows are held
ROOM = 2.0  # default limit on games, as a multiple of the expected number

REACHED, USED_UP, INTERRUPTED = "precision reached", "games used up", "interrupted"


@dataclass(frozen=True)
class Units:
    """Entrants or parts whose win rates are wanted.

    within: (entrants, units), how often an entrant contains a unit; wanted: indices of the units that play.
    """

    words: str
    names: list[str]
    within: Floats
    wanted: list[int]

    @property
    def per_seat(self) -> float:
        """Mean number of times that a unit that plays sits on a seat of a game."""
        return float(self.within.sum(axis=1).mean() / len(self.wanted))

    def level(self, seats: int) -> float:
        """Confidence level of each interval, at which all hold together; of one-player games each interval holds alone."""
        return row_level(len(self.wanted) if seats > 1 else 1)


def checked_precision(points: float) -> float:
    """Convert a half-width from percentage points to a share. Raises ValueError unless POINTS_MIN to POINTS_MAX."""
    words = "above 0 and at most 50: half the width of the intervals in percentage points"
    if 0 < points < POINTS_MIN:
        words = f"at least {POINTS_MIN:g} percentage points: smaller ones take more than 10^10 games"
    if not POINTS_MIN <= points <= POINTS_MAX:
        raise ValueError(f"precision={points:g} must be {words}")
    return points / 100


def units_of(experiment: Experiment) -> Units:
    """Return the parts of teams, if entrants are teams and all of them can meet, else the entrants."""
    teams, entrants = experiment.teams, len(experiment.cards.ids)
    if teams is not None and experiment.line_up is None:
        within = incidence(teams.members, teams.parts).astype(np.float64)
        return Units(teams.words, distinct(teams.names), within, list(range(teams.parts)))
    line_up = experiment.line_up
    wanted = list(range(entrants)) if line_up is None else sorted(set(line_up))
    return Units(experiment.game.entrants_word, distinct(experiment.cards.names), np.eye(entrants), wanted)


def expected_games(experiment: Experiment, half_width: float) -> int:
    """Expected games until every win rate near its fair share is this precise, if games are independent."""
    share = 1 / experiment.seats if experiment.seats > 1 else 0.5
    units = units_of(experiment)
    return ceil(games_needed(half_width, share, units.level(experiment.seats)) / (experiment.seats * units.per_seat))


def most_games(experiment: Experiment, half_width: float) -> int:
    """Return the default limit on games."""
    return ceil(ROOM * expected_games(experiment, half_width))


class Until:
    """Counts the games of a run, block by block in order, until every half-width is small enough: a `looks.Stopper`.

    half_width: a share. looks: numbers of games after which `reached` is called, whole passes or rounds of the design.
    """

    def __init__(self, experiment: Experiment, half_width: float) -> None:
        self.experiment, self.half_width, seats = experiment, half_width, experiment.seats
        self.units = units_of(experiment)
        self.level = self.units.level(seats)
        whole = experiment.pass_games
        unit = whole if whole is not None and whole <= PASS_MAX else experiment.round_games
        self.looks = looks(experiment.games, unit, FIRST_LOOK, GROWTH)
        self.looked: list[int] = []
        self.widest = 1.0  # half-width at the last look
        size, sits_in = self.units.within.shape[1], seats * self.units.per_seat
        self._wins, self._games = np.zeros((2, size))
        self._groups: ClusterSums | None = None  # of games that are correlated
        self.observations = "games"  # what the intervals treat as independent
        # observations of a unit for which its bounds are tightest: those needed for the precision, or all games if fewer
        needed = games_needed(half_width, 1 / seats if seats > 1 else 0.5, self.level)
        self._tuned = max(1.0, min(needed, experiment.games * sits_in))
        if self.of_parts or experiment.pair_games > 1:
            self._groups = ClusterSums(size)
            self.observations = "rounds" if self.of_parts else "pairs" if seats == 2 else "groups of games"
            together = experiment.round_games if self.of_parts else experiment.pair_games
            self._tuned = max(float(LEAST_CLUSTERS), self._tuned / max(1.0, together * sits_in))

    @property
    def of_parts(self) -> bool:
        """Whether the units are parts of teams, not entrants."""
        return self.experiment.teams is not None and self.experiment.line_up is None

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self.looks[len(self.looked)]

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""
        seats = self.experiment.seats
        if self._groups is None:
            finished = (rows["status"] == Status.FINISHED).astype(np.float64)
            entrant = rows["entrant"][:, :seats].astype(np.int64).ravel()
            weight, size = np.repeat(finished, seats), self._games.size
            self._games += np.bincount(entrant, weight, size)
            self._wins += np.bincount(entrant, weight * rows["share"][:, :seats].ravel(), size)
            return
        number = self.experiment.round_of if self.of_parts else self.experiment.pair_of
        self._groups.add(number(rows["game"]), *wins_by_unit(rows, seats, self.units.within))

    def reached(self) -> bool:
        """Look at the results: whether every win rate is precise enough."""
        self.looked.append(self.next_look)
        self.widest = self.widest_now()
        return self.widest <= self.half_width

    def widest_now(self) -> float:
        """Half-width of the least certain win rate, a share; 1 if a unit has no games."""
        return float(half_widths(self.bounds().iloc[self.units.wanted]).max())

    def bounds(self) -> pd.DataFrame:
        """Win rates of all units by index: columns estimate, low, high (simultaneous), n (finished games)."""
        if self._groups is None:
            return share_sequence(self._wins, self._games, self._tuned, self.level)
        return mean_sequence(self._groups.table(), self._tuned, self.level)

    @property
    def sums(self) -> pd.DataFrame:
        """Sums over groups of games, as `ClusterSums.table`. Raises ValueError if games are independent."""
        if self._groups is None:
            raise ValueError("games of this design are independent; there are no groups of games")
        return self._groups.table()

    def rates(self, fair: float, band: float = FAIR_BAND) -> pd.DataFrame:
        """Win rates of the units that played, best first.

        Columns: unit (index), name, estimate, low, high, n, fair, p (against fair), p_holm and verdict. p-values, intervals and
        verdicts are valid whenever the run stops.
        """
        wanted, size = self.units.wanted, self._games.size
        table = self.bounds().assign(name=self.units.names, fair=fair, p=self._p(np.full(size, fair)))
        table = table.rename_axis("unit").reset_index().iloc[wanted]
        table = with_verdicts(table.assign(p_holm=adjust(table["p"])), band)
        columns = ["unit", "name", "estimate", "low", "high", "n", "fair", "p", "p_holm", "verdict"]
        return table[columns].sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _p(self, share: Floats) -> Floats:
        """p-values of all units against shares, (units,), valid whenever the run stops."""
        if self._groups is None:
            return share_p(self._wins, self._games, share, self._tuned, self.level)
        return mean_p(self._groups.table(), share, self._tuned, self.level)


FINER = 2.0  # how many times as precise the suggested next run is, once the precision was reached


def precision_of(played: Played) -> dict[str, Any]:
    """Why a run with a precision ended and how precise it is; empty for an ordinary run.

    An interrupted run has games beyond its last look, which count for its half-width (of the widest interval).
    """
    until = played.until
    if until is None:
        return {}
    reached = until.widest <= until.half_width
    return {
        "wanted": until.half_width,
        "half_width": until.widest_now() if played.interrupted else until.widest,
        "stopped_because": INTERRUPTED if played.interrupted else REACHED if reached else USED_UP,
        "looks": until.looked,
        "level": LEVEL,
        "observations": until.observations,
    }


def next_run(played: Played) -> dict[str, Any]:
    """Arguments of a run that begins with these games and is more precise; empty for a run without a precision."""
    until = played.until
    if until is None:
        return {}
    points = 100 * until.half_width
    if played.interrupted:
        return {"precision": points, "games": until.experiment.games_wanted}
    if until.widest <= until.half_width:
        return {"precision": points / FINER, "games": None}
    by_width = played.games * (until.widest / until.half_width) ** 2
    by_design = expected_games(until.experiment, until.half_width)
    return {"precision": points, "games": rounded_up(ROOM * max(played.games, min(by_width, by_design)))}
