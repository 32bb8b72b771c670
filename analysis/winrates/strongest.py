"""Find the strongest and the weakest entrant in as few games as possible: what `fairfight strongest` shows.

Each entrant plays against all others, with more games where the answer is less certain (see `analysis.stats.allocation`). The
observations are rounds: an entrant's mean win share from every seat over every opponent, or, for teams that share no part, over
a partition of the other teams.

Head-to-head comparison of two entrants by sequential tests (`analysis.stats.betting`).

Plays until one is shown to be stronger or both are shown to be within a margin of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.data.names import entrant_of, names_run, open_game
from analysis.data.rows import Rows, distinct
from analysis.document.model import (
    THIN,
    Format,
    Section,
    Table,
    count,
    draws_words,
    highest,
    limit_words,
    percent,
    percent_range,
    rate_columns,
    table,
    truncated_words,
)
from analysis.document.prose import FAIR, TOO_STRONG, TOO_WEAK, capital
from analysis.document.prose import OPEN as UNDECIDED
from analysis.stats.allocation import borrowed_deviations, chances_best, next_counts, spread_shares
from analysis.stats.betting import (
    ALIKE,
    FIRST,
    OPEN,
    SECOND,
    USUAL_VARIANCE,
    characteristics,
    decisions,
    fixed_pairs,
    log_wealth,
    mean_bounds,
    thresholds,
)
from analysis.stats.intervals import LEVEL
from analysis.stats.sequential import looks, share_sequence
from analysis.winrates.play import Watch, play_until
from analysis.winrates.tables import rates_chart
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

CERTAIN = 0.999  # probabilities above it are printed as "more than"

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
            shares = np.full(self.entrants, 1 / self.entrants)
            if not self.evenly:
                shares = spread_shares(*self._estimates(), both_ends=True)
            self._batch = next_counts(shares, self.rounds, min(left, max(self.entrants, int(STEP * self.rounds.sum()))))
        firsts, ends = self.round_games * self.rounds, self.round_games * (self.rounds + self._batch)
        lines = [one.plan_of(np.arange(*span)) for one, *span in zip(self.against, firsts, ends, strict=True)]
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
        means, deviations = self._estimates()
        errors = deviations / np.sqrt(self.rounds)
        return chances_best(means, errors), chances_best(-means, errors)

    def _estimates(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean share of each entrant in its rounds, and the standard deviation between rounds."""
        return self._total / self.rounds, borrowed_deviations(self.rounds, self._total, self._squares)

    def standings(self) -> pd.DataFrame:
        """All entrants, the strongest first.

        Columns: entrant (index), name, estimate, low, high (confidence sequence that counts the games of a deal as one), n
        (finished games), rounds, strongest, weakest (probabilities), apart: whether simultaneous bounds for all entrants
        separate it from all others.
        """
        seats, names, everyone = self.against[0].seats, distinct(self.against[0].cards.names), np.arange(self.entrants)
        deals = (self.wins / seats, self.finished / seats)
        tuned = max(1.0, float(self.finished.sum()) / seats / self.entrants)
        wider = share_sequence(*deals, tuned, 1 - (1 - LEVEL) / self.entrants)
        low, high = wider["low"].to_numpy(), wider["high"].to_numpy()
        apart = [bool((np.delete(high, one) < low[one]).all() or (np.delete(low, one) > high[one]).all()) for one in everyone]
        strongest, weakest = self.chances()
        frame = share_sequence(*deals, tuned).assign(n=self.finished.astype(np.int64), rounds=self.rounds)
        frame = frame.assign(strongest=strongest, weakest=weakest, entrant=everyone, name=names, apart=apart)
        return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


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

        if play_until(batch, search_for, jobs, report)[1]:
            return INTERRUPTED
        if min(end.max() for end in search_for.chances()) >= search_for.sure:
            return REACHED
    return USED_UP


def strongest_result(experiment: Experiment, found: Search, why: str, command: str) -> Section:
    """Result of `fairfight strongest`: both answers, their certainty and all entrants, the strongest first.

    why: as returned by `search`; command: continues the run.
    """
    frame, cards, game = found.standings(), experiment.cards, experiment.game
    sentences, ends = [], {}
    for which in ("strongest", "weakest"):
        best, others = highest(frame, which), frame.drop(index=frame[which].idxmax())
        rival = highest(others, which)
        sure = f"more than {percent(CERTAIN)}" if best[which] > CERTAIN else percent(best[which])
        rest = f"simultaneous bounds for all {game.entrants_word} separate it from all others."
        sentences.append(
            f"The {which} {game.entrant_word} is {best['name']}, with probability {sure}: win rate {percent(best['estimate'])} "
            f"(95{THIN}% interval {percent_range(best['low'], best['high'])}); "
            + (rest if best["apart"] else f"next comes {rival['name']} with {percent(rival['estimate'])}.")
        )
        ends[which] = {"id": cards.ids[int(best["entrant"])], "name": best["name"], "chance": best[which]}
        ends[which]["apart"] = bool(best["apart"])
    reasons = {
        REACHED: f"Stopped because both answers have a probability of at least {percent(found.sure, 0)}",
        USED_UP: "Stopped because the games were used up",
        INTERRUPTED: "Interrupted",
    }
    sentences += [
        f"{cards.title} (digest {cards.digest}): {count(found.games)} games, each {game.entrant_word} against all others from "
        f"every seat, seed {experiment.seed}, policy {experiment.policy_words}.",
        truncated_words(found.truncated, found.games, limit_words(game.limits_itself)),
        "Entrants whose rank is less certain play more games. Probabilities come from these games alone; intervals are "
        f"confidence sequences at 95{THIN}%, which hold although earlier results decide who plays. {reasons[why]}.",
        f"To continue: {command}",
    ]
    columns = rate_columns(name=game.entrant_word) | {"strongest": "chance strongest", "weakest": "chance weakest"}
    formats: dict[str, Format] = {"chance strongest": "percent", "chance weakest": "percent"}
    entrants = table(frame, "strongest", f"Against all others at {experiment.seats} seats", columns, formats)
    facts = experiment.facts() | {"games": found.games, "truncated": found.truncated, "interrupted": why == INTERRUPTED}
    del facts["design"]
    data = {"facts": facts, **ends, "sure": found.sure, "stopped_because": why, "command": command, "entrants": entrants}
    drawn = frame.assign(seats=experiment.seats, fair=1 / experiment.seats)
    return Section("strongest", tables=(entrants,), lines=tuple(sentences), data=data, draw=lambda: rates_chart(drawn))


SEATS = 2
FIRST_LOOK, GROWTH = 100, 1.05  # pairs at the first look; factor from each look to the next
ROOM = 4.0  # default limit on games, as a multiple of a test of fixed size
USUAL_DEVIATION = USUAL_VARIANCE**0.5  # of the share of a pair of games


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
    searched = [old_game] if old_game else [game_of(cards)] if cards else list(GAMES.usable(lambda _: None))
    unknown = {name: [_unknown(word, *open_game(name, cards)) for word in (first, second)] for name in searched}
    matching = [name for name, messages in unknown.items() if not any(messages)]
    if not matching:
        near = [f" (in {name}, {''.join(messages).rstrip('?')})" for name, messages in unknown.items() if not all(messages)]
        raise ValueError(f"{first!r} and {second!r}: no game has both{near[0] if len(near) == 1 else ''}; {form}")
    if len(matching) > 1:
        choices = " or ".join(f"fairfight compare {name} {first} {second}" for name in matching)
        raise ValueError(f"{first!r} and {second!r} are in several games; write {choices}")
    return matching[0], first, second


def _unknown(word: str, game: Game, cards: CardSet) -> str:
    """Error message for a word that is no entrant; empty if it is one."""
    try:
        entrant_of(word, game, cards)
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
        self._counts: list[Counter[float]] = [Counter()]  # pairs by the share of the first entrant less a half, look by look
        self._half = 0.0  # share of the first entrant in the first game of an incomplete pair; NaN: truncated
        self.games = self.pairs = self.truncated = 0  # played; pairs counted; games stopped at a limit
        self.draws = 0  # games whose win is shared
        self.decision = OPEN

    @property
    def next_look(self) -> int:
        """Number of games at the next look."""
        return self._looks[len(self._counts) - 1]

    def add(self, rows: Rows) -> None:
        """Count a block of rows in order."""
        mine = rows["entrant"][:, 0] == self.experiment.line_up[0]  # type: ignore[index]
        gap = (rows["share"][:, 0].astype(np.float64) - rows["share"][:, 1]) * np.where(mine, 0.25, -0.25)
        gap[rows["status"] != Status.FINISHED] = np.nan
        self.truncated += int(np.isnan(gap).sum())
        self.draws += int(np.count_nonzero(((rows["share"] > 0) & (rows["share"] < 1)).any(axis=1) & np.isfinite(gap)))
        if self.games % SEATS:
            gap = np.concatenate([[self._half], gap])
        whole = len(gap) // SEATS * SEATS
        self._half = float(gap[-1]) if len(gap) > whole else 0.0
        pairs = gap[:whole].reshape(-1, SEATS).sum(axis=1)
        pairs = pairs[np.isfinite(pairs)]
        self._counts[-1].update(pairs.tolist())
        self.pairs += len(pairs)
        self.games += len(rows)

    def reached(self) -> bool:
        """Look at the results: whether they show the stronger entrant, or that both are within the margin."""
        values, counts = self._table()
        self.decision = str(decisions(values, counts, self.margin, self.alpha)["decision"].iloc[0])
        self._counts.append(Counter())
        return self.decision != OPEN

    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of pairs that occurred, and the pairs with each by look, (1, looks, gaps)."""
        values = sorted(set().union(*self._counts))
        return np.array(values), np.array([[[counts[value] for value in values] for counts in self._counts]], np.float64)

    @property
    def evidence(self) -> list[float]:
        """Logarithms of the wealth of the four gamblers so far, see `betting.log_wealth`."""
        return [float(wealth) for wealth in log_wealth(*self._table(), self.margin)[:, 0, -1]]

    @property
    def deviation(self) -> float:
        """Standard deviation of the share of a pair."""
        values, counts = self._table()
        weight = counts.sum(axis=(0, 1)) / max(1, self.pairs)
        return float(np.sqrt(max(weight @ values**2 - (weight @ values) ** 2, 0.0)))

    def share(self) -> pd.Series:
        """Share of the first entrant with bounds that hold at any time, see `mean_bounds`: estimate, low, high, n (pairs)."""
        values, counts = self._table()
        totals = counts.sum(axis=(0, 1))
        tuned = max(1.0, fixed_pairs(self.margin, USUAL_DEVIATION))
        low, high = mean_bounds(values + 0.5, totals, tuned)
        estimate = 0.5 + float(totals @ values) / self.pairs if self.pairs else float("nan")
        return pd.Series({"estimate": estimate, "low": low, "high": high, "n": self.pairs})


def compare_result(duel: Duel, interrupted: bool, command: str) -> Section:
    """Result of `fairfight compare`: the decision, both shares, the tests and what to expect of them.

    command: continues the run; empty once a decision has been reached.
    """
    experiment, game = duel.experiment, duel.experiment.game
    first, second = names = [distinct(experiment.cards.names)[entrant] for entrant in experiment.line_up or ()]
    margin = f"{100 * duel.margin:g}{THIN}point{'' if duel.margin == 0.01 else 's'}"
    alpha = percent(duel.alpha, 0 if round(100 * duel.alpha, 6).is_integer() else 1)
    words = {
        FIRST: f"{first} is stronger than {second}.",
        SECOND: f"{second} is stronger than {first}.",
        ALIKE: f"{first} and {second} are within {margin} of each other.",
        OPEN: f"Not decided between {first} and {second}: the {'run was interrupted' if interrupted else 'games were used up'}.",
    }[duel.decision]
    limit = limit_words(game.limits_itself)
    stopped = truncated_words(0, duel.games, limit)
    if duel.truncated:
        stopped = (
            f"{count(duel.truncated)} of {count(duel.games)} games ({percent(duel.truncated / duel.games, 2)}) were stopped at "
            f"{limit}; the {count(duel.games // SEATS - duel.pairs)} pairs with such a game are left out, and "
            f"{count(duel.pairs)} are counted."
        )
    sentences = [
        words,
        f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(duel.games)} games in pairs, once from each "
        f"seat with the same dice, seed {experiment.seed}, policy {experiment.policy_words}.",
        stopped,
        *draws_words(duel.draws, duel.games - duel.truncated),
        "The share is the mean over pairs; a game without a winner counts as half a win for each. Its bounds are a "
        f"confidence sequence at 95{THIN}%, valid although the run checked its results while playing. The decision has tests "
        f"of its own, which need fewer games than an interval that leaves out 50{THIN}%.",
        f"A decision is wrong in at most {alpha} of such runs: it calls one stronger that is not, or two alike that are "
        f"{margin} or more apart. If they are closer than that, either answer is right.",
        *([f"To continue from these games: {command}"] if command else []),
    ]
    estimate, low, high = duel.share()[["estimate", "low", "high"]].astype(float)
    sides = pd.DataFrame({"name": names, "estimate": [estimate, 1 - estimate], "low": [low, 1 - high], "high": [high, 1 - low]})
    sides = sides.assign(pairs=duel.pairs, n=duel.games, truncated=duel.truncated / max(1, duel.games))
    columns = {"name": game.entrant_word, "estimate": "share", "low": "low", "high": "high"}
    columns |= {"pairs": "pairs", "n": "games", "truncated": "truncated"}
    shares = table(sides, "compare", "Head to head", columns)
    not_ahead, stronger = thresholds(duel.alpha)
    claims = [f"{first} is not stronger", f"{second} is not stronger", *(f"{name} is ahead by {margin}" for name in names)]
    needed = (stronger, stronger, not_ahead, not_ahead)
    evidence = tuple(
        (claim, round(wealth, 2), round(least, 2)) for claim, wealth, least in zip(claims, duel.evidence, needed, strict=True)
    )
    tests = Table("tests", ("claim", "evidence against it", "refuted at"), evidence, "Sequential tests")
    deviation = duel.deviation or USUAL_DEVIATION
    by_gap = characteristics(np.array([0, 0.5, 1, 2]) * duel.margin, duel.margin, deviation, duel.alpha)
    by_gap = by_gap.assign(games=(SEATS * by_gap["pairs"]).round().astype(int))
    fixed = SEATS * fixed_pairs(duel.margin, deviation, duel.alpha)
    says = {FIRST: "says stronger", ALIKE: "says alike", SECOND: "says weaker"}
    expected = table(
        by_gap,
        "expected",
        f"What to expect of such a test; with a fixed number of games it needs {count(fixed)}",
        {"gap": "true gap (points)", "games": "games on average", **says},
        {"true gap (points)": "points", **dict.fromkeys(says.values(), "percent")},
    )
    run = {"games": duel.games, "pairs": duel.pairs, "truncated": duel.truncated, "draws": duel.draws, "interrupted": interrupted}
    data = {"facts": experiment.facts() | run, "decision": duel.decision, "words": words, "margin": duel.margin}
    data |= {"alpha": duel.alpha, "deviation": duel.deviation, "shares": shares, "tests": tests, "expected": expected}
    verdicts = {FIRST: (TOO_STRONG, TOO_WEAK), SECOND: (TOO_WEAK, TOO_STRONG), ALIKE: (FAIR,) * 2, OPEN: (UNDECIDED,) * 2}
    drawn = sides.assign(seats=SEATS, fair=0.5, verdict=verdicts[duel.decision])
    return Section(
        "compare",
        tables=(shares, tests, expected),
        lines=tuple(sentences),
        data=data | {"command": command or None},
        draw=lambda: rates_chart(drawn, band=duel.margin / 0.5),  # the band is the margin
    )
