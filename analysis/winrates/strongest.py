"""Find the strongest and the weakest entrant in as few games as possible: what `fairfight strongest` shows.

Each entrant plays against all others, with more games where the answer is less certain (see `analysis.stats.allocation`). The
observations are rounds: an entrant's mean win share from every seat over every opponent, or, for teams that share no part, over
a partition of the other teams.

Head-to-head comparison of two entrants by sequential probability ratio tests (`analysis.stats.sequential`).

Plays until one is shown to be stronger or both are shown to be within a margin of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.names import entrant_of, names_run, open_game
from analysis.data.rows import Rows, distinct
from analysis.document.model import THIN, Format, Table, count, limit_words, percent, percent_range, truncated_words
from analysis.document.prose import capital
from analysis.stats.allocation import borrowed_deviations, chances_best, next_counts, spread_shares
from analysis.stats.intervals import LEVEL
from analysis.stats.sequential import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    bounds,
    characteristics,
    decisions,
    fixed_pairs,
    log_ratios,
    looks,
    mean_sequence,
    share_sequence,
)
from analysis.winrates.play import Watch, play_until
from sim.engine.cards import CardSet, game_of
from sim.engine.contract import Game
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import AgainstAll, Experiment
from sim.registry import GAMES

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
            raise ValueError(f"sure={sure} must be above 0 and below 1: the chance that the answer is right, such as 0.95")
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
            base.game_name, base.cards, base.seats, base.policies, base.games_wanted, base.seed, lines=np.concatenate(lines)
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
    shared = {name: getattr(experiment, name) for name in ("game_name", "cards", "seats", "policies", "games_wanted", "seed")}
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
    search_for: Search, games: int, jobs: int | None = None, watch: Callable[[str, int, int], None] | Watch | None = None
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
        sentence = f"The {which} {self.experiment.game.entrant_word} is {line['name']}, with probability {sure}: win rate "
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
        columns = {"name": self.experiment.game.entrant_word, "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
        columns |= {"strongest": "chance strongest", "weakest": "chance weakest"}
        rows = tuple(self.frame[list(columns)].astype(object).itertuples(index=False, name=None))
        shares = ("win rate", "low", "high", "chance strongest", "chance weakest")
        formats: dict[str, Format] = dict.fromkeys(shares, "percent")
        return Table("strongest", tuple(columns.values()), rows, f"Against all others at {self.experiment.seats} seats", formats)

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


SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs at the first look; factor from each look to the next
ROOM = 4.0  # default limit on games, as a multiple of a test of fixed size
USUAL_DEVIATION = 0.125**0.5  # of the share of a pair of two even, independent games


def find(first: str, second: str, game: Game, cards: CardSet) -> tuple[int, int]:
    """Look up the indices of two entrants. Raises ValueError for an unknown entrant, with suggestions, or the same one twice."""
    entrants = entrant_of(first, game, cards), entrant_of(second, game, cards)
    if entrants[0] == entrants[1]:
        raise ValueError(f"{first!r} and {second!r} are the same; name two different ones")
    return entrants


def without_game(game: str, first: str, second: str | None, old_game: str | None, cards: Path | None) -> tuple[str, str, str]:
    """Find game and entrants for the old form `compare A B`, which names no game.

    Searches all games or, with `cards`, the game of the card file. Raises ValueError if no game or several games have both,
    and, with the new form, for arguments that are not of the old form.
    """
    form = "name the game and two of its entrants, as in: fairfight compare arena rhino_guy mirror_mage"
    if second is not None:
        raise ValueError(f"--game {old_game}: the game is now the first argument; {form}")
    if old_game is None and (game in GAMES or names_run(game)):
        found, card_set = open_game(game, cards)
        entrant_of(first, found, card_set)
        raise ValueError(f"compare {game} {first}: the second entrant is missing. {capital(form)}")
    first, second = game, first
    searched = [old_game] if old_game else [game_of(cards)] if cards else list(GAMES)
    opened = {name: open_game(name, cards) for name in searched}
    matching = [
        name for name, (found, card_set) in opened.items() if _has(first, found, card_set) and _has(second, found, card_set)
    ]
    if not matching:
        near = [f" (in {name}, {why.rstrip('?')})" for name in searched if (why := _mismatch(first, second, opened[name]))]
        hint = near[0] if len(near) == 1 else ""
        raise ValueError(f"{first!r} and {second!r}: no game has both{hint}; {form}")
    if len(matching) > 1:
        choices = " or ".join(f"fairfight compare {name} {first} {second}" for name in matching)
        raise ValueError(f"{first!r} and {second!r} are in several games; write {choices}")
    return matching[0], first, second


def _has(word: str, game: Game, cards: CardSet) -> bool:
    try:
        entrant_of(word, game, cards)
    except ValueError:
        return False
    return True


def _mismatch(first: str, second: str, opened: tuple[Game, CardSet]) -> str:
    """Error message for the unknown word if the game has exactly one of the two; else empty."""
    if _has(first, *opened) == _has(second, *opened):
        return ""
    try:
        entrant_of(second if _has(first, *opened) else first, *opened)
    except ValueError as error:
        return str(error)
    return ""


def pairing(
    game: Game, cards: CardSet, entrants: tuple[int, int], policy: PolicySpec, games: int | None, seed: int, margin: float
) -> Experiment:
    """Both entrants at two seats, each deal from both seats with the same dice. games: limit; None: enough for the margin."""
    most = ceil(ROOM * SEATS * fixed_pairs(margin, USUAL_DEVIATION)) if games is None else games
    return Experiment(game.name, cards, SEATS, (policy,), most, seed, line_up=entrants, paired=True)


class Duel:
    """Counts pairs of games and runs the sequential tests: a `Stopper` (see `analysis.winrates.play`).

    A game without a winner counts half for each. A pair with a truncated game (stopped at a limit) is left out.
    """

    def __init__(self, experiment: Experiment, margin: float, alpha: float = 0.05) -> None:
        self.experiment, self.margin, self.alpha = experiment, margin, alpha
        self._looks = looks(experiment.games, SEATS, FIRST_LOOK * SEATS, GROWTH)
        self._sums: list[tuple[float, ...]] = []  # per look: sum of shares minus a half, sum of their squares, pairs
        self._now = np.zeros(2)
        self._half = 0.0  # share of the first entrant in the first game of an incomplete pair; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self._looks[len(self._sums)]

    def add(self, rows: Rows) -> None:
        """Count a block of rows in order."""
        mine = rows["entrant"][:, 0] == self.experiment.line_up[0]  # type: ignore[index]
        gap = (rows["share"][:, 0].astype(np.float64) - rows["share"][:, 1]) * np.where(mine, 0.25, -0.25)
        gap[rows["status"] != Status.FINISHED] = np.nan
        self.truncated += int(np.isnan(gap).sum())
        if self.games % SEATS:
            gap = np.concatenate([[self._half], gap])
        whole = len(gap) // SEATS * SEATS
        self._half = float(gap[-1]) if len(gap) > whole else 0.0
        pairs = gap[:whole].reshape(-1, SEATS).sum(axis=1)
        pairs = pairs[np.isfinite(pairs)]
        self._now += (pairs.sum(), (pairs * pairs).sum())
        self.pairs += len(pairs)
        self.games += len(rows)

    def reached(self) -> bool:
        """Look at the results: whether a test found the stronger entrant or both tests have ended."""
        self._sums.append((*self._now.tolist(), max(1.0, float(self.pairs))))
        total, squares, pairs = (np.array(column)[None, :] for column in zip(*self._sums, strict=True))
        self.decision = str(decisions(total, squares, pairs[0], self.margin, self.alpha)["decision"].iloc[0])
        return self.decision != OPEN

    @property
    def ratios(self) -> tuple[float, float]:
        """Current log likelihood ratios: first entrant stronger by the margin against even, and the same for the second."""
        total, squares = self._now.tolist()
        up, down = log_ratios(total, squares, max(1, self.pairs), self.margin)
        return float(up), float(down)

    @property
    def deviation(self) -> float:
        """Standard deviation of the share of a pair."""
        total, squares = self._now.tolist()
        n = max(1, self.pairs)
        return float(np.sqrt(max(squares / n - (total / n) ** 2, 0.0)))

    def share(self) -> pd.Series:
        """Share of the first entrant with its confidence sequence over pairs: estimate, low, high, n (games)."""
        (total, squares), n = self._now.tolist(), max(1, self.pairs)
        if not self.pairs:
            return pd.Series({"estimate": float("nan"), "low": 0.0, "high": 1.0, "n": 0})
        wins, both = total + n / 2, squares + total + n / 4
        sums = pd.DataFrame({"y": [wins], "x": n, "yy": both, "xy": wins, "xx": n, "n": n})
        return mean_sequence(sums, max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))).iloc[0]


@dataclass(frozen=True)
class Verdict:
    """Result of a head-to-head comparison, as tables and as plain values."""

    duel: Duel
    interrupted: bool
    command: str  # that continues the run; empty once a decision has been reached

    @property
    def names(self) -> tuple[str, str]:
        """Names of both entrants."""
        experiment = self.duel.experiment
        first, second = (distinct(experiment.cards.names)[entrant] for entrant in experiment.line_up or ())
        return first, second

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        first, second = self.names
        margin = _points(self.duel.margin)
        return {
            FIRST: f"{first} is stronger than {second}.",
            SECOND: f"{second} is stronger than {first}.",
            ALIKE: f"{first} and {second} are within {margin} of each other.",
            OPEN: f"Not decided between {first} and {second}: "
            + ("the run was interrupted." if self.interrupted else "the games were used up."),
        }[self.duel.decision]

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        duel, experiment = self.duel, self.duel.experiment
        alpha = percent(duel.alpha, 0) if round(100 * duel.alpha, 6).is_integer() else percent(duel.alpha)
        margin = _points(duel.margin)
        sentences = [
            self.words,
            f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(duel.games)} games in pairs, once from each "
            f"seat with the same dice, seed {experiment.seed}, policy {experiment.policy_words}.",
            self._truncated,
            "The share is the mean over pairs; a game without a winner counts as half a win for each. Its bounds are a "
            f"confidence sequence at 95{THIN}%, valid although the run checked its results while playing.",
            f"A decision is wrong in at most {alpha} of such runs: it calls one stronger that is not, or two alike that are "
            f"{margin} or more apart. If they are closer than that, either answer is right.",
        ]
        return tuple([*sentences, f"To continue from these games: {self.command}"] if self.command else sentences)

    @property
    def _truncated(self) -> str:
        """Sentence on how many games were stopped and how many pairs remain."""
        duel = self.duel
        limit = limit_words(duel.experiment.game.limits_itself)
        if not duel.truncated:
            return truncated_words(0, duel.games, limit)
        stopped = f"{count(duel.truncated)} of {count(duel.games)} games ({percent(duel.truncated / duel.games, 2)})"
        lost = count(duel.games // SEATS - duel.pairs)
        sentence = f"{stopped} were stopped at {limit}; the {lost} pairs with such a game are left out"
        return f"{sentence}, and {count(duel.pairs)} are counted."

    def main(self) -> Table:
        """Table of both shares."""
        line = self.duel.share()
        known = (float(line["estimate"]), float(line["low"]), float(line["high"]))
        sides = (known, (1 - known[0], 1 - known[2], 1 - known[1]))
        rows = tuple(
            (name, *side, self.duel.pairs, self.duel.games, self._share_truncated)
            for name, side in zip(self.names, sides, strict=True)
        )
        columns = (self.duel.experiment.game.entrant_word, "share", "low", "high", "pairs", "games", "truncated")
        shares: dict[str, Format] = dict.fromkeys(("share", "low", "high", "truncated"), "percent")
        return Table("compare", columns, rows, "Head to head", shares)

    @property
    def _share_truncated(self) -> float:
        """Share of games that were stopped."""
        return self.duel.truncated / max(1, self.duel.games)

    def evidence(self) -> Table:
        """Table of both tests."""
        lower, upper = bounds(self.duel.alpha)
        rows = []
        for name, ratio in zip(self.names, self.duel.ratios, strict=True):
            claim = f"{name} is ahead by {_points(self.duel.margin)}"
            rows.append((claim, round(ratio, 2), round(lower, 2), round(upper, 2)))
        columns = ("claim, against even", "log likelihood ratio", "refuted at", "accepted at")
        return Table("tests", columns, tuple(rows), "Sequential probability ratio tests")

    def expected(self) -> Table:
        """Expected number of games and probability of each decision, by the true gap."""
        duel = self.duel
        by_gap = characteristics(
            np.array([0, 0.5, 1, 2]) * duel.margin, duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha
        )
        rows = tuple(
            (line["gap"], round(SEATS * line["pairs"]), line[FIRST], line[ALIKE], line[SECOND])
            for line in by_gap.to_dict("records")
        )
        fixed = SEATS * fixed_pairs(duel.margin, duel.deviation or USUAL_DEVIATION, duel.alpha)
        columns = ("true gap (points)", "games on average", "says stronger", "says alike", "says weaker")
        formats: dict[str, Format] = {columns[0]: "points", **dict.fromkeys(columns[2:], "percent")}
        caption = f"What to expect of such a test; with a fixed number of games it needs {count(fixed)}"
        return Table("expected", columns, rows, caption, formats)

    def tables(self) -> list[Table]:
        """Return all tables in reading order."""
        return [self.main(), self.evidence(), self.expected()]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        duel = self.duel
        return {
            "facts": duel.experiment.facts()
            | {"games": duel.games, "pairs": duel.pairs, "truncated": duel.truncated, "interrupted": self.interrupted},
            "decision": duel.decision,
            "words": self.words,
            "margin": duel.margin,
            "alpha": duel.alpha,
            "deviation": duel.deviation,
            "shares": self.main(),
            "tests": self.evidence(),
            "expected": self.expected(),
            "command": self.command or None,
        }


def _points(margin: float) -> str:
    """A margin in percentage points."""
    return f"{100 * margin:g}{THIN}point{'' if margin == 0.01 else 's'}"
