"""The strongest and the weakest entrant in as few games as that takes.

Who is the strongest and who the weakest: games of each against all others, more of them where the answer is less sure.

The observations are rounds: an entrant's mean win share over every opponent (of teams that share no part: over a partition of
the others) from every seat. How they are spread: see `allocation`.

Who is the strongest and who the weakest, as tables and sentences: what `fairfight strongest` shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.rows import Rows, distinct
from analysis.document.cells import THIN, count, limit_words, percent, percent_range, truncated_words
from analysis.document.model import Format, Table
from analysis.stats.allocation import borrowed_deviations, chances_best, next_counts, spread_shares
from analysis.stats.intervals import LEVEL
from analysis.stats.sequential import share_sequence
from analysis.winrates.play import Watch, play_until
from sim.engine.table import Status
from sim.experiment import AgainstAll, Experiment

SURE = 0.95  # chance of being the strongest, and of being the weakest, at which to stop
LEAST_ROUNDS, LEAST_GAMES = 4, 100  # of each entrant before any is preferred
STEP = 0.1  # of the rounds so far are planned at a time
USUAL_GAMES = 2_500  # of each entrant on average, the most if nobody says how many

REACHED, USED_UP, INTERRUPTED = "sure enough", "games used up", "interrupted"


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn(Experiment):
    """Any games, each with its line of the plan (PLAN), one after the other."""

    lines: np.ndarray

    @property
    def games(self) -> int:
        """As many as there are lines."""
        return len(self.lines)

    def plan(self, first: int, count: int) -> np.ndarray:
        """See `Experiment`."""
        return self.lines[first : first + count]


class Search:
    """Rounds of all entrants so far, and who is the strongest by them. A `playing.Stopper` of one batch after the other.

    against: games of each entrant against all others, in the order of their numbers; all have rounds of one size. evenly: give
    all entrants as many rounds, for comparison.
    """

    def __init__(self, against: list[AgainstAll], sure: float = SURE, evenly: bool = False) -> None:
        if not 0 < sure < 1:
            raise ValueError(
                f"sure={sure} must be above 0 and below 1: the chance that the answer is right, such as 0.95"
            )
        self.against, self.sure, self.evenly = against, sure, evenly
        self.round_games, self.entrants = against[0].round_games, len(against)
        self.rounds = np.zeros(self.entrants, np.int64)
        self.wins, self.finished, self._total, self._squares = np.zeros((4, self.entrants))
        self._batch = np.zeros(self.entrants, np.int64)
        self._kept: list[Rows] = []
        self.games = self.truncated = 0

    @property
    def first_games(self) -> int:
        """Games of the first batch."""
        return self._first_rounds * self.round_games * self.entrants

    @property
    def _first_rounds(self) -> int:
        return max(LEAST_ROUNDS, ceil(LEAST_GAMES / self.round_games))

    @property
    def next_look(self) -> int:
        """Games of the batch: it is looked at when it is over."""
        return int(self._batch.sum()) * self.round_games

    def plan(self, games: int) -> Drawn | None:
        """The next batch, `games` at most; None where not even one round is left."""
        left = games // self.round_games
        if not self.games:
            self._batch = np.full(self.entrants, min(self._first_rounds, left // self.entrants))
        elif left < 1:
            return None
        else:
            step = min(left, max(self.entrants, int(STEP * self.rounds.sum())))
            self._batch = next_counts(self._shares(), self.rounds, step)
        lines = [self._lines(entrant, int(rounds)) for entrant, rounds in enumerate(self._batch)]
        base = self.against[0]
        return Drawn(
            base.game_name,
            base.cards,
            base.seats,
            base.policies,
            base.games_wanted,
            base.seed,
            lines=np.concatenate(lines),
        )

    def add(self, rows: Rows) -> None:
        """Keep a block of rows of the batch."""
        self._kept.append(rows)

    def reached(self) -> bool:
        """Count the batch; whether both ends are sure enough."""
        rows, self._kept = np.concatenate(self._kept), []
        owner = np.repeat(np.arange(self.entrants), self._batch * self.round_games)
        seated = rows["entrant"][:, : self.against[0].seats] == owner[:, None]
        counts = (rows["status"] == Status.FINISHED).reshape(-1, self.round_games).sum(axis=1)
        won = (rows["share"][:, : seated.shape[1]] * seated).sum(axis=1, dtype=np.float64)
        won = np.where(rows["status"] == Status.FINISHED, won, 0.0).reshape(-1, self.round_games).sum(axis=1)
        share = np.divide(won, counts, out=np.full(won.size, 1 / seated.shape[1]), where=counts > 0)
        of_round = np.repeat(np.arange(self.entrants), self._batch)
        self.wins += np.bincount(of_round, won, self.entrants)
        self.finished += np.bincount(of_round, counts, self.entrants)
        self._total += np.bincount(of_round, share, self.entrants)
        self._squares += np.bincount(of_round, share**2, self.entrants)
        self.rounds += self._batch
        self.games += len(rows)
        self.truncated += int((rows["status"] != Status.FINISHED).sum())
        ends = self.chances()
        return bool(min(end.max() for end in ends) >= self.sure)

    def chances(self) -> tuple[np.ndarray, np.ndarray]:
        """Chance of each entrant of being the strongest, and of being the weakest."""
        means = self._total / self.rounds
        errors = borrowed_deviations(self.rounds, self._total, self._squares) / np.sqrt(self.rounds)
        return chances_best(means, errors), chances_best(-means, errors)

    def standings(self) -> pd.DataFrame:
        """All entrants, the strongest first.

        Columns: entrant (number), name, estimate, low, high (confidence sequence, for which the games of a deal are one), n
        (finished games), rounds, strongest, weakest (chances), apart: whether bounds for all entrants together part it from
        all others.
        """
        seats, names = self.against[0].seats, distinct(self.against[0].cards.names)
        deals = (self.wins / seats, self.finished / seats)
        tuned = max(1.0, float(self.finished.sum()) / seats / self.entrants)
        found = share_sequence(*deals, tuned)
        wider = share_sequence(*deals, tuned, 1 - (1 - LEVEL) / self.entrants)
        strongest, weakest = self.chances()
        found = found.assign(n=self.finished.astype(np.int64), rounds=self.rounds, strongest=strongest, weakest=weakest)
        low, high = wider["low"].to_numpy(), wider["high"].to_numpy()
        apart = [
            bool((np.delete(high, one) < low[one]).all() or (np.delete(low, one) > high[one]).all())
            for one in range(self.entrants)
        ]
        found.insert(0, "entrant", np.arange(self.entrants))
        found.insert(1, "name", names)
        return found.assign(apart=apart).sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _shares(self) -> np.ndarray:
        """Part of all rounds that each entrant should have."""
        if self.evenly:
            return np.full(self.entrants, 1 / self.entrants)
        means = self._total / self.rounds
        return spread_shares(means, borrowed_deviations(self.rounds, self._total, self._squares), both_ends=True)

    def _lines(self, entrant: int, rounds: int) -> np.ndarray:
        """Lines of the plan of the next rounds of an entrant."""
        first = int(self.rounds[entrant]) * self.round_games
        return self.against[entrant].plan_of(np.arange(first, first + rounds * self.round_games))


def against_each(experiment: Experiment) -> list[AgainstAll]:
    """Games of each entrant of an experiment against all others, with its cards, seats, policies and seed. Raises ValueError."""
    if len(experiment.cards.ids) <= 1:
        raise ValueError("the card set has one entrant; there is nobody to be stronger than")
    shared = {
        name: getattr(experiment, name) for name in ("game_name", "cards", "seats", "policies", "games_wanted", "seed")
    }
    first = AgainstAll(**shared)
    return [replace(first, entrant=entrant) for entrant in range(len(experiment.cards.ids))]


def check_games(search_for: Search, games: int) -> None:
    """Raise ValueError unless there are games for two rounds of each entrant."""
    least = 2 * search_for.round_games * search_for.entrants
    if games < least:
        raise ValueError(
            f"games={games} must be at least {least}: two rounds of {search_for.round_games} games for each of "
            f"{search_for.entrants}"
        )


def search(
    search_for: Search,
    games: int,
    jobs: int | None = None,
    watch: Callable[[str, int, int], None] | Watch | None = None,
) -> str:
    """Play batches until both ends are sure or the games are used up; returns why it stopped.

    Which games are played depends on those before them alone, batch by batch, not on the workers. A batch that Ctrl-C breaks off
    does not count. Raises ValueError unless there are games for two rounds of each entrant.
    """
    check_games(search_for, games)
    while batch := search_for.plan(games - search_for.games):
        before = search_for.games

        def told(_stage: str, done: int, _total: int, before: int = before) -> None:
            if watch:
                watch("games", before + done, games)

        if play_until(batch, search_for, jobs, told):
            return INTERRUPTED
        if min(end.max() for end in search_for.chances()) >= search_for.sure:
            return REACHED
    return USED_UP


CERTAIN = 0.999  # a chance above it is written as such


@dataclass(frozen=True, eq=False)
class Standing:
    """The answer of a search."""

    experiment: Experiment
    search: Search
    stopped_because: str
    command: str  # that goes on

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All entrants, the strongest first (see `Search.standings`)."""
        return self.search.standings()

    @property
    def lines(self) -> tuple[str, ...]:
        """The answer, how sure it is, and what goes on."""
        cards, search = self.experiment.cards, self.search
        why = {
            REACHED: f"Stopped because both are sure to {percent(search.sure, 0)}",
            USED_UP: "Stopped because the games were used up",
            INTERRUPTED: "Interrupted",
        }[self.stopped_because]
        known = (
            f"{cards.title} (digest {cards.digest}): {count(search.games)} games, each {self.experiment.game.entrant_word} "
            f"against all others from every seat, seed {self.experiment.seed}, policy {self.experiment.policy_words}."
        )
        spread = (
            "More games go where the answer is less sure. The chances rest on the games alone, without regard to who was thought "
            f"strong before; intervals are confidence sequences at 95{THIN}%, which hold although games were spread by results."
        )
        stopped = truncated_words(search.truncated, search.games, limit_words(self.experiment.game.limits_itself))
        ends = (self._said("strongest"), self._said("weakest"))
        return (*ends, known, stopped, f"{spread} {why}.", f"To go on: {self.command}")

    def _said(self, which: str) -> str:
        """Who it is, in a sentence."""
        line = self._end(which)
        chance = line[which]
        sure = f"more than {percent(CERTAIN)}" if chance > CERTAIN else percent(chance)
        said = f"The {which} {self.experiment.game.entrant_word} is {line['name']}, with a chance of {sure}: win rate "
        said += f"{percent(line['estimate'])} (95{THIN}% interval {percent_range(line['low'], line['high'])})"
        others = self.frame.drop(index=line.name)
        rival = others.iloc[int(others[which].to_numpy().argmax())]
        if line["apart"]:
            return f"{said}; bounds that hold for all {self.experiment.game.entrants_word} at once part it from all others."
        return f"{said}; next comes {rival['name']} with {percent(rival['estimate'])}."

    def _end(self, which: str) -> pd.Series:
        """The line of the strongest or the weakest: the one of the highest chance."""
        return self.frame.iloc[int(self.frame[which].to_numpy().argmax())]

    def main(self) -> Table:
        """One line per entrant."""
        columns = {
            "name": self.experiment.game.entrant_word,
            "estimate": "win rate",
            "low": "low",
            "high": "high",
            "n": "n",
        }
        columns |= {"strongest": "chance strongest", "weakest": "chance weakest"}
        rows = tuple(self.frame[list(columns)].astype(object).itertuples(index=False, name=None))
        shares = ("win rate", "low", "high", "chance strongest", "chance weakest")
        formats: dict[str, Format] = dict.fromkeys(shares, "percent")
        return Table(
            "strongest", tuple(columns.values()), rows, f"Against all others at {self.experiment.seats} seats", formats
        )

    def tables(self) -> list[Table]:
        """The one table."""
        return [self.main()]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        ends = {}
        for which in ("strongest", "weakest"):
            line = self._end(which)
            name = self.experiment.cards.ids[int(line["entrant"])]
            ends[which] = {"id": name, "name": line["name"], "chance": line[which], "apart": bool(line["apart"])}
        facts = self.experiment.facts()
        del facts["design"], facts["games"]
        return {
            "facts": facts
            | {
                "games": self.search.games,
                "truncated": self.search.truncated,
                "interrupted": self.stopped_because == INTERRUPTED,
            },
            **ends,
            "sure": self.search.sure,
            "stopped_because": self.stopped_because,
            "command": self.command,
            "entrants": self.main(),
        }
