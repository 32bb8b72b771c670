"""What cards do: win rates when drawn or played, and their worth estimated from random decks.

What wins go along with: a card drawn, not drawn, played, and played when.

All of it is CONDITIONAL. A card is drawn more often in long games and played more often by who is ahead or has time for it, so
that a rate when drawn or played tells what company the card keeps, not what it does. What it does is told by the same games
without it: see `card_effects`.

Games of decks two by two, counted by who met whom, and a regression of the winner on what both decks hold.

The logit of a win is the sum of going first and of what the own deck holds less what the other holds. Decks are drawn by lot
and play many games each, so that two games are only as much apart as their decks are: errors take it that every game belongs to
both of its decks (dyadic clusters: Aronow, Samii and Assenova 2015, Political Analysis 23:564-577), and make up for that the
fit follows each of its decks (CR2: Bell and McCaffrey 2002, Survey Methodology 28:169-181), for decks may be few.

What cards and keywords are worth in a pool of random decks: decks are drawn by lot, so that what else they hold is chance.

What a copy of a card is worth in decks made in several ways, and how far the ways agree about the order of the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, stats
from scipy.linalg import block_diag, cholesky, solve_triangular
from scipy.optimize import brentq
from scipy.special import expit

from analysis.data.card_tally import CardTally, Floats
from analysis.data.rows import Rows, distinct
from analysis.stats.intervals import LEVEL, adjust, differences, proportions
from analysis.stats.rank_agreement import Known, agreement, zero_sum
from analysis.teams.ridge import START_SPREAD, STARTS, Contests, Lines, Problem, climb
from sim.engine.decks import NO_CARD, Decks

LEAST_GROUPS = 10  # of games, below which a jackknife says nothing

CONDITIONAL = (
    "Win rates when drawn or played are conditional: a card is drawn more often in long games and played more often by "
    "whoever is ahead or has time for it. They tell what company a card keeps, not what it does."
)


def deck_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One line per entrant and card of its list, in that order.

    Columns: entrant, name, card (number), card_name, n (games); drawn, drawn_low, drawn_high, n_drawn (win rate when drawn:
    see `CardFields`), lack, lack_low, lack_high, n_lack (when not), played, played_low, played_high, n_played (when played):
    Wilson; change, low, high, p, p_holm (drawn less not drawn: see `estimates.differences`; Holm over all lines); turn,
    turn_low, turn_high (mean own turn of the first play, Student's over groups of games). NaN where there are no games.
    """
    entrant, place = np.nonzero(tally.cards.slots != NO_CARD)
    card = tally.cards.slots[entrant, place]
    n, wins = tally.games.sum(axis=0)[entrant], tally.wins.sum(axis=0)[entrant]
    drawn, won = (of.sum(axis=0)[entrant, place] for of in (tally.drawn, tally.drawn_wins))
    had, had_not = proportions(won, drawn, level), proportions((wins - won).clip(0), n - drawn, level)
    if not tally.fields.tell_draws:
        had, had_not = (rates.assign(n=0, estimate=np.nan, low=np.nan, high=np.nan) for rates in (had, had_not))
    played_wins, plays = (of.sum(axis=0)[entrant, place] for of in (tally.played_wins, tally.played))
    played = proportions(played_wins, plays, level)
    names = np.array(tally.experiment.cards.names, object)
    table: dict[str, Any] = {
        "entrant": entrant,
        "name": names[entrant],
        "card": card,
        "card_name": _names(tally)[card],
        "n": n.astype(int),
    }
    for rates, word in ((had, "drawn"), (had_not, "lack"), (played, "played")):
        table |= {
            word: rates["estimate"],
            f"{word}_low": rates["low"],
            f"{word}_high": rates["high"],
            f"n_{word}": rates["n"],
        }
    gaps = differences(had, had_not)
    frame = pd.DataFrame(table).join(gaps).assign(p_holm=adjust(gaps["p"]))
    return frame.join(_mean_turns(tally, level, lambda values: values[entrant, place]))


def pooled_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One line per card that some entrant has, over all entrants.

    Columns as those of `deck_cards` without entrant and name; entrants: how many have the card; n: their games. The
    difference is that within entrants, weighted by their games (Mantel and Haenszel 1959, Journal of the National Cancer
    Institute 22:719-748), so that a strong deck with many copies does not lend its strength to its cards. Both seats of a game
    may have the card: all intervals take groups of games for the observations (see `jackknife`).
    """
    pool = _Pool(tally)
    table: dict[str, Any] = {"card": pool.card, "card_name": _names(tally)[pool.card], "entrants": pool.held[pool.card]}
    n, wins = (np.broadcast_to(of[:, :, None], tally.drawn.shape) for of in (tally.games, tally.wins))
    table["n"] = pool.by_card(n.sum(axis=0)).astype(np.int64)
    drawn = (tally.drawn_wins, tally.drawn)
    pairs = {"drawn": drawn, "lack": (wins - drawn[0], n - drawn[1]), "played": (tally.played_wins, tally.played)}
    for word, (won, games) in pairs.items():
        known = tally.fields.tell_plays if word == "played" else tally.fields.tell_draws
        rates = _rates(pool, won, games * known, level)
        table |= {
            word: rates["estimate"],
            f"{word}_low": rates["low"],
            f"{word}_high": rates["high"],
            f"n_{word}": rates["n"],
        }
    gaps = jackknife(pool.within, (*drawn, wins, n * tally.fields.tell_draws), level)
    apart = [_rates(pool, *pairs[word], level) for word in ("drawn", "lack")]
    flat = gaps["low"] == gaps["high"]  # where all or none is won, which tells nothing of the variance
    bounds = {name: gaps[name].where(~flat, differences(*apart)[name]) for name in ("low", "high", "p")}
    bounds |= {end: bounds[end].clip(-1, 1) for end in ("low", "high")}
    frame = pd.DataFrame({**table, "change": gaps["estimate"], **bounds})
    return frame.assign(p_holm=adjust(frame["p"])).join(_mean_turns(tally, level, pool.by_card))


def turns_played(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """Win rate by the own turn of the first play, one line per entrant, card and turn with games.

    Columns: entrant, name, card, card_name, turn (TURNS_MAX: that or later), estimate, low, high (Wilson), n.
    """
    entrant, place, turn = np.nonzero(tally.by_turn)
    rates = proportions(tally.by_turn_wins[entrant, place, turn], tally.by_turn[entrant, place, turn], level)
    card, names = tally.cards.slots[entrant, place], np.array(tally.experiment.cards.names, object)
    table: dict[str, Any] = {
        "entrant": entrant,
        "name": names[entrant],
        "card": card,
        "card_name": _names(tally)[card],
        "turn": turn,
    }
    frame = pd.DataFrame({**table, **{str(column): rates[column] for column in rates}})
    return frame.loc[frame["turn"] > 0].reset_index(drop=True)


def jackknife(estimator: Callable[..., Floats], sums: Sequence[Floats], level: float = LEVEL) -> pd.DataFrame:
    """Estimates made of sums over games, with intervals from leaving out one group of games after the other.

    estimator: takes the sums without their first axis, returns one row of estimates; sums: (GROUPS, ...), the last of them
    tells which groups have games. Delete-a-group jackknife (Kott 2001, Journal of Official Statistics 17:521-526), Student's t.
    Columns: estimate, low, high, p (against 0). NaN with fewer than LEAST_GROUPS groups, and where an estimate cannot be made
    without one of them.
    """
    used = np.flatnonzero(sums[-1].reshape(len(sums[-1]), -1).any(axis=1))
    whole = [of.sum(axis=0) for of in sums]
    estimate, groups = estimator(*whole), len(used)
    error = np.full(estimate.shape, np.nan)
    if groups >= LEAST_GROUPS:
        left = [estimator(*(total - of[one] for total, of in zip(whole, sums, strict=True))) for one in used]
        error = np.sqrt((groups - 1) * np.var(left, axis=0))
    df = max(1, groups - 1)
    half = stats.t.ppf((1 + level) / 2, df) * error
    away = np.abs(estimate)
    t = np.divide(away, error, out=np.where(away > 0, np.inf, 0.0), where=error > 0)
    p = np.where(np.isnan(error) | np.isnan(estimate), np.nan, 2 * stats.t.sf(t, df))
    return pd.DataFrame({"estimate": estimate, "low": estimate - half, "high": estimate + half, "p": p})


class _Pool:
    """Sums by entrant and place gathered by card."""

    def __init__(self, tally: CardTally) -> None:
        slots = tally.cards.slots
        self._listed = slots != NO_CARD
        self._card, size = slots[self._listed], len(tally.cards.ids)
        self.held = np.bincount(self._card, minlength=size)  # entrants that have a card
        self.card = np.flatnonzero(self.held)

    def by_card(self, values: Floats) -> Floats:
        """Sum over entrants, (cards that some entrant has,)."""
        return np.asarray(np.bincount(self._card, values[self._listed], len(self.held))[self.card], np.float64)

    def ratio(self, over: Floats, under: Floats) -> Floats:
        """Ratio of sums by card."""
        return _ratio(self.by_card(over), self.by_card(under))

    def within(self, won: Floats, drawn: Floats, wins: Floats, n: Floats) -> Floats:
        """Difference of the rates when drawn and when not within entrants, weighted by n1 n0 / n (Mantel and Haenszel)."""
        lack = n - drawn
        gap = _ratio(won * lack - (wins - won) * drawn, n)
        return _ratio(self.by_card(np.nan_to_num(gap)), self.by_card(np.nan_to_num(_ratio(drawn * lack, n))))


def _rates(pool: _Pool, won: Floats, games: Floats, level: float) -> pd.DataFrame:
    """Win rates by card with the jackknife's intervals; Wilson's where all or none is won, which tells nothing of variance."""
    found = jackknife(pool.ratio, (won, games), level)
    n = pool.by_card(games.sum(axis=0)).astype(np.int64)
    wilson = proportions(np.minimum(pool.by_card(won.sum(axis=0)), n) * (n > 0), n, level)
    edge = found["estimate"].isin((0.0, 1.0))
    bounds = {end: found[end].where(~edge, wilson[end]).clip(0, 1) for end in ("low", "high")}
    return pd.DataFrame({"estimate": found["estimate"], **bounds, "n": n})


def _mean_turns(tally: CardTally, level: float, picked: Callable[[Floats], Floats]) -> pd.DataFrame:
    """Mean own turn of the first play; picked: what of (entrants, places) makes the lines."""
    games = tally.played * bool(tally.fields.played_turn)
    found = jackknife(lambda turns, played: _ratio(picked(turns), picked(played)), (tally.turns, games), level)
    return found[["estimate", "low", "high"]].set_axis(["turn", "turn_low", "turn_high"], axis=1)


def _ratio(over: Floats, under: Floats) -> Floats:
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), np.nan), where=under > 0), np.float64)


def _names(tally: CardTally) -> NDArray[np.object_]:
    return np.array(tally.cards.names, object)


Ints = NDArray[np.int64]

LEAST_MORE = 10  # decks beyond the things that they tell apart
LEAST_LEFT = 1e-6  # of what the other decks tell where a deck tells nearly all


class Meetings:
    """Finished games that somebody won, by the decks on both seats and who went first: fed block by block, constant memory.

    n, wins: (decks, decks, STARTS) games, and the win shares of the deck on seat 0.
    """

    def __init__(self, decks: int) -> None:
        self.n, self.wins = np.zeros((2, decks, decks, STARTS))

    @property
    def decks(self) -> int:
        """Number of decks."""
        return len(self.n)

    def add(self, rows: Rows) -> Meetings:
        """Add a block of games of two seats; returns itself."""
        games = Contests.of(rows, np.zeros(len(rows)))
        at = (games.first, games.second, games.started + 1)
        np.add.at(self.n, at, 1.0)
        np.add.at(self.wins, at, games.share)
        return self

    def lines(self) -> Lines:
        """The games gathered by matchup and seat that went first, the lower deck in front; none of a deck with itself."""
        turned = self.n.transpose(1, 0, 2)[:, :, ::-1]
        n = np.triu((self.n + turned).transpose(2, 0, 1), 1)
        back = (self.n - self.wins).transpose(1, 0, 2)[:, :, ::-1]
        wins = np.triu((self.wins + back).transpose(2, 0, 1), 1)
        start, first, second = (of.astype(np.int64) for of in np.nonzero(n))
        none = np.zeros(0, np.int64)
        at = (start, first, second)
        return Lines(first, second, start - 1, n[at], wins[at], none, none.astype(bool), none.astype(float))

    def by_deck(self) -> tuple[Floats, Floats]:
        """Games and wins of each deck, but for those with itself: (decks,) both."""
        lines = self.lines()
        n = np.bincount(lines.first, lines.n, self.decks) + np.bincount(lines.second, lines.n, self.decks)
        wins = np.bincount(lines.first, lines.wins, self.decks)
        return np.asarray(n, np.float64), np.asarray(
            wins + np.bincount(lines.second, lines.n - lines.wins, self.decks), np.float64
        )


@dataclass(frozen=True, eq=False)
class Worth:
    """A fitted regression. effect, se, low, high, p: by thing held, in logits; NaN where all decks hold alike.

    covariance: of the effects, 0 where not known. df: degrees of freedom of the errors. games, decks: that have played.
    """

    effect: Floats
    se: Floats
    low: Floats
    high: Floats
    p: Floats
    covariance: Floats
    df: int
    games: int
    decks: int


def least_decks(held: Floats) -> int:
    """Decks that are needed to tell what the things held are worth. held: see `regress`."""
    return LEAST_MORE + int(np.any(held != held[:1], axis=0).sum())


def regress(meetings: Meetings, held: Floats, level: float = LEVEL) -> Worth:
    """Fit the regression. held: (decks, things) copies of each in each deck.

    Decks of one size cannot tell what all things are worth together: their effects sum to 0, so that each is what a copy is
    worth instead of an average one; the size of decks, where it differs, is a term of its own. A weak penalty keeps effects
    finite where a thing always wins (see `ridge`). Raises ValueError for fewer decks than `least_decks`.
    """
    lines = meetings.lines()
    decks, least = len(np.unique(np.concatenate([lines.first, lines.second]))), least_decks(held)
    if decks < least:
        raise ValueError(f"{decks} decks have played; at least {least} are needed to tell what they hold apart")
    known = np.any(held != held[:1], axis=0)
    size = held.sum(axis=1, keepdims=True)
    sides = sparse.csr_array(np.hstack([size, held]).astype(np.float64))
    columns = [sparse.csr_array(lines.started[:, None].astype(np.float64)), sides[lines.first] - sides[lines.second]]
    basis = _basis(known, bool(np.ptp(size)))
    problem = Problem(lines, sparse.csr_array(sparse.hstack(columns)), basis, np.zeros(basis.shape[1], np.int8))
    nothing = np.zeros(basis.shape[1])
    theta, _, information, penalty = climb(problem, nothing, np.full(2, START_SPREAD), np.ones(2))
    curve = information + np.diag(penalty)
    inverse = np.linalg.inv(curve)
    things = basis[_TERMS:]
    covariance = things @ inverse @ _meat(problem, theta, curve, meetings.decks) @ inverse @ things.T
    df = decks - basis.shape[1]
    effect, se = (
        np.where(known, things @ theta, np.nan),
        np.where(known, np.sqrt(np.diag(covariance).clip(min=0)), np.nan),
    )
    half = float(stats.t.ppf((1 + level) / 2, df)) * se
    score = np.divide(np.abs(effect), se, out=np.full(len(effect), np.inf), where=se > 0)
    p = np.where(known, 2 * stats.t.sf(score, df), np.nan)
    return Worth(effect, se, effect - half, effect + half, p, covariance, df, int(lines.n.sum()), decks)


_TERMS = 2  # in front of the things held: going first, size of the deck


def _basis(known: NDArray[np.bool_], sized: bool) -> Floats:
    """Directions of the terms that games tell of, orthonormal: going first, the size if it differs, things that sum to 0."""
    things = np.zeros((len(known), max(0, int(known.sum()) - 1)))
    things[known] = zero_sum(int(known.sum()))
    return np.asarray(block_diag(np.eye(1), np.eye(1)[:, : int(sized)], things), np.float64)


def _meat(problem: Problem, theta: Floats, curve: Floats, decks: int) -> Floats:
    """Variance of the score over decks, each game in the clusters of both of its decks."""
    lines = problem.lines
    chance = expit(problem.logits(theta))
    rows = np.asarray(problem.design @ problem.basis, np.float64)
    scores = rows * (lines.wins - lines.n * chance)[:, None]
    bent = rows * np.sqrt(lines.n * chance * (1 - chance))[:, None]
    half = cholesky(curve, lower=True)
    leverage = solve_triangular(half, bent.T, lower=True)
    pulled = solve_triangular(half, scores.T, lower=True)
    total = np.zeros_like(curve)
    for deck in range(decks):
        own = (lines.first == deck) | (lines.second == deck)
        if own.any():
            size, turn = np.linalg.eigh(np.eye(len(curve)) - leverage[:, own] @ leverage[:, own].T)
            away = half @ (turn @ ((turn.T @ pulled[:, own].sum(axis=1)) / np.sqrt(size.clip(min=LEAST_LEFT))))
            total += np.outer(away, away)
    _, pair = np.unique(lines.first * decks + lines.second, return_inverse=True)
    pair = pair.ravel()
    met = np.zeros((pair.max(initial=-1) + 1, scores.shape[1]))
    np.add.at(met, pair, scores)
    size, turn = np.linalg.eigh(total - met.T @ met)  # pairs were counted with both of their decks
    return np.asarray((turn * size.clip(min=0)) @ turn.T, np.float64)


EVEN = 0.5
LEAST_EACH = 2  # decks on either side of a comparison
NEARLY = 1e-6
ROUNDING = 1e-12


def pool_statistics(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """One line per card that some deck holds, what a copy is worth, best first.

    Columns: card (number), card_name, level, decks (that hold it), copies (mean of these), held, held_low, held_high (win rate
    of the decks that hold it; each deck one observation, Student's), lack, lack_low, lack_high (of the others), change, low,
    high, p, p_holm (the difference; Welch's); effect (logit), copy, copy_low, copy_high (points of the win rate that one copy
    adds at an even match, instead of an average card of the pool, whatever else both decks hold: see `meetings.regress`; NaN
    with too few decks for that), copy_p, copy_p_holm; n (games of decks that hold it).
    """
    n, wins = meetings.by_deck()
    rate = np.divide(wins, n, out=np.full(len(n), np.nan), where=n > 0)
    found = regress(meetings, decks.counts, level) if int((n > 0).sum()) >= least_decks(decks.counts) else None
    has = (decks.counts > 0) & (n > 0)[:, None]
    seen = np.flatnonzero(has.any(axis=0))
    lines = [_with_and_without(rate, has[:, card], n > 0, level) for card in seen]
    worth = _copies(found, seen)
    table: dict[str, Any] = {
        "card": seen,
        "card_name": np.array(distinct(decks.names), object)[seen],
        "level": decks.level[seen],
    }
    copies = [decks.counts[has[:, card], card].mean() for card in seen]
    table |= {"decks": has[:, seen].sum(axis=0), "copies": copies, "n": [int(n[has[:, card]].sum()) for card in seen]}
    frame = pd.concat([pd.DataFrame(table), pd.DataFrame(lines), pd.DataFrame(worth)], axis=1)
    frame = frame.assign(p_holm=adjust(frame["p"]), copy_p_holm=adjust(frame["copy_p"]))
    return frame.sort_values("copy", ascending=False, na_position="last", kind="stable", ignore_index=True)


def keyword_effects(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """What a copy of a card gains by bearing a keyword, between cards of one level and type; best first.

    Columns: keyword (without its number), cards (that bear it in the pool), decks (that hold one of them), effect (logit),
    value, low, high (points of the win rate at an even match), p, p_holm, n (games of these decks). NaN where no two cards
    differ in nothing but the keyword, as far as this regression sees.

    The worth of a copy of each card (see `pool_statistics`) is regressed on its level, the square of that, its type and its
    keywords: a random effects meta-regression (Berkey, Hoaglin, Mosteller and Colditz 1995, Statistics in Medicine 14:395-411)
    with the errors of the cards, the spread between cards of Paule and Mandel (1982, Journal of Research of the National Bureau
    of Standards 87:377-385) and the intervals of Knapp and Hartung (2003, Statistics in Medicine 22:2693-2710). Cards are the
    observations: what a card does beyond its level and keywords is doubt about them. Raises ValueError for too few decks.
    """
    found = regress(meetings, decks.counts, level)
    cards = np.flatnonzero(np.isfinite(found.effect))
    marks = [frozenset(_bare(mark) for mark in decks.marks[card]) for card in cards]
    known = sorted(set().union(*marks))
    bears = np.array([[mark in of for mark in known] for of in marks], np.float64).reshape(len(cards), len(known))
    cost = decks.level[cards].astype(np.float64)
    kinds = sorted({decks.kinds[card] for card in cards})[1:]
    typed = np.array([[kind == decks.kinds[card] for kind in kinds] for card in cards], np.float64).reshape(
        len(cards), -1
    )
    given = np.column_stack([cost, (cost - cost.mean()) ** 2, typed, bears])
    turn = zero_sum(len(cards))
    fitted = meta_regression(
        turn.T @ found.effect[cards], turn.T @ found.covariance[np.ix_(cards, cards)] @ turn, turn.T @ given
    )
    n, _ = meetings.by_deck()
    holds = decks.counts[:, cards] @ bears > 0
    columns: dict[str, Any] = {"keyword": known, "cards": bears.sum(axis=0).astype(int), "decks": holds.sum(axis=0)}
    effect, error, df = fitted.effect[-len(known) :], fitted.error[-len(known) :], fitted.df
    half = stats.t.ppf((1 + level) / 2, df) * error
    for word, value in (("value", effect), ("low", effect - half), ("high", effect + half)):
        columns[word] = expit(value) - EVEN
    p = 2 * stats.t.sf(np.abs(effect) / error, df)
    columns |= {"effect": effect, "p": p, "p_holm": adjust(p), "n": [int(n[of].sum()) for of in holds.T]}
    frame = pd.DataFrame(columns)
    return frame.sort_values("value", ascending=False, na_position="last", kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class MetaRegression:
    """Effects by column with their standard errors, NaN where they cannot be told apart; df; spread between observations."""

    effect: Floats
    error: Floats
    df: int
    spread: float


def meta_regression(y: Floats, covariance: Floats, given: Floats) -> MetaRegression:
    """Regress y, known up to `covariance`, on the columns of `given`, with a spread between observations of its own.

    See `keyword_effects` for the papers. NaN everywhere with no more observations than columns.
    """
    rank = int(np.linalg.matrix_rank(given))
    df, whole = len(y) - rank, np.full(given.shape[1], np.nan)
    if df < 1 or not given.shape[1]:
        return MetaRegression(whole, whole, max(df, 1), float("nan"))

    def solved(square: float) -> tuple[Floats, Floats, float]:
        weight = np.linalg.inv(covariance + square * np.eye(len(y)))
        bread = np.asarray(np.linalg.pinv(given.T @ weight @ given, rcond=ROUNDING, hermitian=True), np.float64)
        effect = bread @ given.T @ weight @ y
        rest = y - given @ effect
        return effect, bread, float(rest @ weight @ rest)

    top, low = float(y @ y) + NEARLY, NEARLY * float(np.trace(covariance)) / len(y)
    square = low
    if solved(low)[2] > df:
        square = float(brentq(lambda of: solved(of)[2] - df, low, max(top, 2 * low))) if solved(top)[2] < df else top
    effect, bread, rest = solved(square)
    error = np.sqrt(np.diag(bread).clip(min=0) * max(1.0, rest / df))
    told = _told_apart(given)
    return MetaRegression(np.where(told, effect, np.nan), np.where(told, error, np.nan), df, float(np.sqrt(square)))


def _told_apart(given: Floats) -> NDArray[np.bool_]:
    """Which columns are no sum of others."""
    rank = np.linalg.matrix_rank(given)
    return np.array(
        [np.linalg.matrix_rank(np.delete(given, one, axis=1)) < rank for one in range(given.shape[1])], np.bool_
    )


def _bare(mark: str) -> str:
    """A keyword without its number."""
    return mark.partition("(")[0].strip()


def _copies(found: Worth | None, seen: NDArray[np.int64]) -> dict[str, Floats]:
    """What a copy of each card is worth, in points of the win rate at an even match; NaN where nothing could be fitted."""
    if found is None:
        return dict.fromkeys(("effect", "copy", "copy_low", "copy_high", "copy_p"), np.full(len(seen), np.nan))
    table = {"effect": found.effect[seen], "copy": expit(found.effect[seen]) - EVEN}
    table |= {f"copy_{end}": expit(getattr(found, end)[seen]) - EVEN for end in ("low", "high")}
    return table | {"copy_p": found.p[seen]}


def _with_and_without(rate: Floats, has: NDArray[np.bool_], played: NDArray[np.bool_], level: float) -> dict[str, Any]:
    """Mean win rate of the decks that hold a card and of those that do not, and their difference: Welch's t over decks."""
    sides = [rate[has], rate[played & ~has]]
    mean = [float(side.mean()) if len(side) else np.nan for side in sides]
    square = [float(side.var(ddof=1)) / len(side) if len(side) >= LEAST_EACH else np.nan for side in sides]
    line: dict[str, Any] = {}
    for word, side, centre, variance in zip(("held", "lack"), sides, mean, square, strict=True):
        half = float(stats.t.ppf((1 + level) / 2, max(1, len(side) - 1)) * np.sqrt(variance))
        line |= {word: centre, f"{word}_low": max(0.0, centre - half), f"{word}_high": min(1.0, centre + half)}
    change, variance = mean[0] - mean[1], square[0] + square[1]
    line |= {"change": change, "low": np.nan, "high": np.nan, "p": np.nan}
    if not variance > 0:
        return line
    df = variance**2 / sum(of**2 / (len(side) - 1) for of, side in zip(square, sides, strict=True))
    half = float(stats.t.ppf((1 + level) / 2, df) * np.sqrt(variance))
    p = float(2 * stats.t.sf(abs(change) / np.sqrt(variance), df))
    return line | {"low": change - half, "high": change + half, "p": p}


LEAST_HELD = 10  # decks that hold another number of copies than most do: fewer say too little about a card


@dataclass(frozen=True, eq=False)
class Way:
    """Decks made in one way, and what their games against each other say. title: what they are called, without their number.

    n: by deck, its games. worth: see `meetings.regress`.
    """

    title: str
    decks: Decks
    n: Floats
    worth: Worth

    @classmethod
    def of(cls, title: str, decks: Decks, meetings: Meetings, level: float = LEVEL) -> Way:
        """Raises ValueError for too few decks, see `regress`."""
        n, _ = meetings.by_deck()
        return cls(title, decks, n, regress(meetings, decks.counts, level))

    @property
    def told(self) -> NDArray[np.bool_]:
        """By card: whether its copies differ among enough decks."""
        counts = self.decks.counts[self.n > 0]
        usual = np.array([np.bincount(of).max(initial=0) for of in counts.T.astype(np.int64)])
        return np.asarray((len(counts) - usual >= LEAST_HELD) & np.isfinite(self.worth.effect), np.bool_)

    def known(self, cards: NDArray[np.int64]) -> Known:
        """The worth of some cards instead of an average one of them, in logits."""
        return Known.of(self.worth.effect[cards], self.worth.covariance[np.ix_(cards, cards)])


def shared_cards(ways: Sequence[Way]) -> NDArray[np.int64]:
    """Numbers of the cards whose worth all ways tell."""
    return np.flatnonzero(np.all([way.told for way in ways], axis=0))


def way_worths(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One line per way and shared card, in the order of ways and cards.

    Columns: way, card (number), card_name, estimate, low, high (points of the win rate that a copy adds at an even match, instead
    of an average one of the shared cards), decks (that hold the card), n (their games).
    """
    cards, parts = shared_cards(ways), []
    for way in ways:
        known = way.known(cards)
        half = stats.t.ppf((1 + level) / 2, way.worth.df) * _errors(known)
        holds = (way.decks.counts[:, cards] > 0) & (way.n > 0)[:, None]
        table: dict[str, Any] = {"way": way.title, "card": cards, "card_name": _card_ways_names(way, cards)}
        for word, value in (("estimate", known.value), ("low", known.value - half), ("high", known.value + half)):
            table[word] = expit(value) - EVEN
        parts.append(pd.DataFrame(table | {"decks": holds.sum(axis=0), "n": (way.n @ holds).astype(np.int64)}))
    return pd.concat(parts, ignore_index=True)


def way_differences(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One line per pair of ways and shared card: what a copy is worth in the second way less what it is worth in the first.

    Columns: first, second (ways), card, card_name, change, low, high (points of the win rate at an even match; Welch's t, as
    the decks of two ways are different ones), p, p_holm (over all lines).
    """
    cards, parts = shared_cards(ways), []
    for first, second in combinations(ways, 2):
        before, after = first.known(cards), second.known(cards)
        change = after.value - before.value
        square = _errors(before) ** 2, _errors(after) ** 2
        df = sum(square) ** 2 / (square[0] ** 2 / first.worth.df + square[1] ** 2 / second.worth.df)
        error = np.sqrt(sum(square))
        half = stats.t.ppf((1 + level) / 2, df) * error
        table: dict[str, Any] = {"first": first.title, "second": second.title, "card": cards}
        table["card_name"] = _card_ways_names(first, cards)
        for word, value in (("change", change), ("low", change - half), ("high", change + half)):
            table[word] = expit(value) - EVEN
        parts.append(pd.DataFrame(table | {"p": 2 * stats.t.sf(np.abs(change) / error, df)}))
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(p_holm=adjust(frame["p"]))


def way_agreement(ways: Sequence[Way], seed: int) -> pd.DataFrame:
    """One line per pair of ways: first, second, seen, tau, low, high, things (cards); see `agreement.agreement`."""
    cards = shared_cards(ways)
    lines = []
    for first, second in combinations(ways, 2):
        found = agreement(first.known(cards), second.known(cards), seed)
        lines.append({"first": first.title, "second": second.title, **vars(found)})
    return pd.DataFrame(lines)


def _errors(known: Known) -> Floats:
    """Standard errors."""
    return np.asarray(np.sqrt(np.diag(known.covariance).clip(min=0)), np.float64)


def _card_ways_names(way: Way, cards: NDArray[np.int64]) -> NDArray[np.object_]:
    return np.array(distinct(way.decks.names), object)[cards]
