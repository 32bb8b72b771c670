"""Find the strongest and the weakest entrant in as few games as possible: what `fairfight strongest` shows.

Each entrant plays against all others, with more games where the answer is less certain (see `analysis.stats.allocation`). The
observations are rounds: an entrant's mean win share from every seat over every opponent, or, for teams that share no part, over
a partition of the other teams.
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

SURE = 0.95  # probability of each answer at which to stop
LEAST_ROUNDS, LEAST_GAMES = 4, 100  # of each entrant in the first batch, which treats all alike
STEP = 0.1  # size of a batch, as a fraction of the rounds so far
USUAL_GAMES = 2_500  # default limit on games, per entrant on average

REACHED, USED_UP, INTERRUPTED = "sure enough", "games used up", "interrupted"


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn(Experiment):
    """Games given by their lines of the plan (PLAN), one after the other."""

    lines: np.ndarray

    @property
    def games(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def plan(self, first: int, count: int) -> np.ndarray:
        """See `Experiment`."""
        return self.lines[first : first + count]


class Search:
    """Rounds of all entrants so far and the chances computed from them: a `Stopper` for one batch after the other.

    against: games of each entrant against all others, by index; all have rounds of the same size. evenly: give all entrants the
    same number of rounds, for comparison.
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
        """Games of the batch; results are looked at when it is over."""
        return int(self._batch.sum()) * self.round_games

    def plan(self, games: int) -> Drawn | None:
        """Plan the next batch of at most `games` games; None if that is less than one round."""
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
        """Count the batch; whether both answers are certain enough."""
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
        """Probabilities that each entrant is the strongest, and the weakest."""
        means = self._total / self.rounds
        errors = borrowed_deviations(self.rounds, self._total, self._squares) / np.sqrt(self.rounds)
        return chances_best(means, errors), chances_best(-means, errors)

    def standings(self) -> pd.DataFrame:
        """All entrants, the strongest first.

        Columns: entrant (index), name, estimate, low, high (confidence sequence that counts the games of a deal as one), n
        (finished games), rounds, strongest, weakest (probabilities), apart: whether simultaneous bounds for all entrants
        separate it from all others.
        """
        seats, names = self.against[0].seats, distinct(self.against[0].cards.names)
        deals = (self.wins / seats, self.finished / seats)
        tuned = max(1.0, float(self.finished.sum()) / seats / self.entrants)
        frame = share_sequence(*deals, tuned)
        wider = share_sequence(*deals, tuned, 1 - (1 - LEVEL) / self.entrants)
        strongest, weakest = self.chances()
        frame = frame.assign(n=self.finished.astype(np.int64), rounds=self.rounds, strongest=strongest, weakest=weakest)
        low, high = wider["low"].to_numpy(), wider["high"].to_numpy()
        apart = [
            bool((np.delete(high, entrant) < low[entrant]).all() or (np.delete(low, entrant) > high[entrant]).all())
            for entrant in range(self.entrants)
        ]
        frame.insert(0, "entrant", np.arange(self.entrants))
        frame.insert(1, "name", names)
        return frame.assign(apart=apart).sort_values("estimate", ascending=False, kind="stable", ignore_index=True)

    def _shares(self) -> np.ndarray:
        """Fraction of all rounds that each entrant should have."""
        if self.evenly:
            return np.full(self.entrants, 1 / self.entrants)
        means = self._total / self.rounds
        return spread_shares(means, borrowed_deviations(self.rounds, self._total, self._squares), both_ends=True)

    def _lines(self, entrant: int, rounds: int) -> np.ndarray:
        """Lines of the plan for the next rounds of an entrant."""
        first = int(self.rounds[entrant]) * self.round_games
        return self.against[entrant].plan_of(np.arange(first, first + rounds * self.round_games))


def against_each(experiment: Experiment) -> list[AgainstAll]:
    """Games of each entrant against all others, otherwise as the experiment. Raises ValueError for a single entrant."""
    if len(experiment.cards.ids) <= 1:
        raise ValueError("the card set has only one entrant; there must be at least two to compare")
    shared = {
        name: getattr(experiment, name) for name in ("game_name", "cards", "seats", "policies", "games_wanted", "seed")
    }
    first = AgainstAll(**shared)
    return [replace(first, entrant=entrant) for entrant in range(len(experiment.cards.ids))]


def check_games(search_for: Search, games: int) -> None:
    """Raise ValueError unless there are enough games for two rounds of each entrant."""
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
    """Play batches until both answers are certain enough or the games are used up; returns why it stopped.

    Each batch depends only on the results of earlier batches, not on the workers. A batch interrupted by Ctrl-C does not count.
    Raises ValueError unless there are enough games for two rounds of each entrant.
    """
    check_games(search_for, games)
    while batch := search_for.plan(games - search_for.games):
        before = search_for.games

        def report(_stage: str, done: int, _total: int, before: int = before) -> None:
            if watch:
                watch("games", before + done, games)

        if play_until(batch, search_for, jobs, report):
            return INTERRUPTED
        if min(end.max() for end in search_for.chances()) >= search_for.sure:
            return REACHED
    return USED_UP


CERTAIN = 0.999  # probabilities above it are printed as "more than"


@dataclass(frozen=True, eq=False)
class Standing:
    """Result of a search."""

    experiment: Experiment
    search: Search
    stopped_because: str
    command: str  # that continues the run

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All entrants, the strongest first (see `Search.standings`)."""
        return self.search.standings()

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences on the answer, its certainty and how to continue."""
        cards, search = self.experiment.cards, self.search
        why = {
            REACHED: f"Stopped because both answers have a probability of at least {percent(search.sure, 0)}",
            USED_UP: "Stopped because the games were used up",
            INTERRUPTED: "Interrupted",
        }[self.stopped_because]
        known = (
            f"{cards.title} (digest {cards.digest}): {count(search.games)} games, each {self.experiment.game.entrant_word} "
            f"against all others from every seat, seed {self.experiment.seed}, policy {self.experiment.policy_words}."
        )
        spread = (
            "Entrants whose rank is less certain play more games. Probabilities come from these games alone; "
            f"intervals are confidence sequences at 95{THIN}%, which hold although earlier results decide who plays."
        )
        stopped = truncated_words(search.truncated, search.games, limit_words(self.experiment.game.limits_itself))
        ends = (self._answer("strongest"), self._answer("weakest"))
        return (*ends, known, stopped, f"{spread} {why}.", f"To continue: {self.command}")

    def _answer(self, which: str) -> str:
        """Sentence on the strongest or weakest entrant."""
        line = self._end(which)
        chance = line[which]
        sure = f"more than {percent(CERTAIN)}" if chance > CERTAIN else percent(chance)
        sentence = (
            f"The {which} {self.experiment.game.entrant_word} is {line['name']}, with probability {sure}: win rate "
        )
        sentence += f"{percent(line['estimate'])} (95{THIN}% interval {percent_range(line['low'], line['high'])})"
        others = self.frame.drop(index=line.name)
        rival = others.iloc[int(others[which].to_numpy().argmax())]
        if line["apart"]:
            return f"{sentence}; simultaneous bounds for all {self.experiment.game.entrants_word} separate it from all others."
        return f"{sentence}; next comes {rival['name']} with {percent(rival['estimate'])}."

    def _end(self, which: str) -> pd.Series:
        """Row of the entrant most likely to be the strongest or the weakest."""
        return self.frame.iloc[int(self.frame[which].to_numpy().argmax())]

    def main(self) -> Table:
        """Table with one row per entrant."""
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
        """Return the only table."""
        return [self.main()]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
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
