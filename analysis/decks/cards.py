"""Card statistics: win rates when drawn or played, and the worth of cards estimated from random decks.

`deck_cards`, `pooled_cards` and `turns_played` count wins by whether and when a card was drawn or played. These rates are
CONDITIONAL. A card is drawn more often in long games and played more often by the player who is ahead or has time for it, so
they show what company the card keeps, not what it does. The effect of a card is measured by playing the same games without it:
see `replacement_effects`.

`regress` estimates what a copy of a card is worth from games between random decks, in which the other cards of a deck are
chance. The logit of a win is the sum of going first and of the cards of the player's deck less those of the opponent's. Decks
play many games each, so games are only as independent as their decks: standard errors count every game as part of the clusters
of both its decks (dyadic clusters: Aronow, Samii and Assenova 2015, Political Analysis 23:564-577), with a correction for the
influence of each deck on the fit, because decks can be few (CR2: Bell and McCaffrey 2002, Survey Methodology 28:169-181).

`keyword_effects` derives the worth of keywords from that of cards. `Way` and the functions after it compare the worth of cards
between decks made in different ways.

Win rates of a deck with another loadout (hero, stance, ability), or with a part of it left blank, in the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

from analysis.data.rows import Rows, distinct
from analysis.data.shares import Play, Shares
from analysis.data.usage import CardTally, Floats
from analysis.stats.intervals import LEVEL, adjust, differences, proportions
from analysis.stats.rank_agreement import Known, agreement, zero_sum
from analysis.teams.ridge import START_SPREAD, STARTS, Contests, Lines, Problem, climb
from analysis.variants.variant import Step, deck_game, effects
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import NO_CARD, Decking, Decks, Document, Loadout
from sim.experiments.experiment import Experiment
from sim.weights import remade

LEAST_GROUPS = 10  # groups of games, below which a jackknife is not informative

CONDITIONAL = (
    "Win rates when drawn or played are conditional: a card is drawn more often in long games and played more often by "
    "the player who is ahead or has time for it. They show what company a card keeps, not what it does."
)


def deck_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One row per entrant and card of its list, in that order.

    Columns: entrant, name, card (number), card_name, n (games); drawn, drawn_low, drawn_high, n_drawn (win rate when drawn: see
    `CardFields`), lack, lack_low, lack_high, n_lack (when not), played, played_low, played_high, n_played (when played):
    Wilson; change, low, high, p, p_holm (drawn less not drawn: see `differences`; Holm over all rows); turn, turn_low,
    turn_high (mean turn of the first play, counting the player's turns; Student's over groups of games). NaN without games.
    """
    entrant, place = np.nonzero(tally.cards.slots != NO_CARD)
    card = tally.cards.slots[entrant, place]
    n, wins = tally.games.sum(axis=0)[entrant], tally.wins.sum(axis=0)[entrant]
    drawn, won = (total.sum(axis=0)[entrant, place] for total in (tally.drawn, tally.drawn_wins))
    had, had_not = proportions(won, drawn, level), proportions((wins - won).clip(0), n - drawn, level)
    if not tally.fields.tell_draws:
        had, had_not = (rates.assign(n=0, estimate=np.nan, low=np.nan, high=np.nan) for rates in (had, had_not))
    played_wins, plays = (total.sum(axis=0)[entrant, place] for total in (tally.played_wins, tally.played))
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
        table |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"], f"n_{word}": rates["n"]}
    gaps = differences(had, had_not)
    frame = pd.DataFrame(table).join(gaps).assign(p_holm=adjust(gaps["p"]))
    return frame.join(_mean_turns(tally, level, lambda values: values[entrant, place]))


def pooled_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One row per card that any entrant has, over all entrants.

    Columns as in `deck_cards` without entrant and name; entrants: number that have the card; n: their games. The difference is
    taken within entrants and weighted by their games (Mantel and Haenszel 1959, Journal of the National Cancer Institute
    22:719-748), so that a strong deck with many copies does not lend its strength to its cards. Both seats of a game can have
    the card, so all intervals take groups of games as observations (see `jackknife`).
    """
    pool = _Pool(tally)
    table: dict[str, Any] = {"card": pool.card, "card_name": _names(tally)[pool.card], "entrants": pool.held[pool.card]}
    n, wins = (np.broadcast_to(values[:, :, None], tally.drawn.shape) for values in (tally.games, tally.wins))
    table["n"] = pool.by_card(n.sum(axis=0)).astype(np.int64)
    drawn = (tally.drawn_wins, tally.drawn)
    pairs = {"drawn": drawn, "lack": (wins - drawn[0], n - drawn[1]), "played": (tally.played_wins, tally.played)}
    for word, (won, games) in pairs.items():
        known = tally.fields.tell_plays if word == "played" else tally.fields.tell_draws
        rates = _rates(pool, won, games * known, level)
        table |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"], f"n_{word}": rates["n"]}
    gaps = jackknife(pool.within, (*drawn, wins, n * tally.fields.tell_draws), level)
    apart = [_rates(pool, *pairs[word], level) for word in ("drawn", "lack")]
    flat = gaps["low"] == gaps["high"]  # all or no games are won, and the variance is unknown
    bounds = {name: gaps[name].where(~flat, differences(*apart)[name]) for name in ("low", "high", "p")}
    bounds |= {end: bounds[end].clip(-1, 1) for end in ("low", "high")}
    frame = pd.DataFrame({**table, "change": gaps["estimate"], **bounds})
    return frame.assign(p_holm=adjust(frame["p"])).join(_mean_turns(tally, level, pool.by_card))


def turns_played(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """Win rate by the turn of the first play, one row per entrant, card and turn with games.

    Columns: entrant, name, card, card_name, turn (the player's turns; TURNS_MAX: that or later), estimate, low, high (Wilson),
    n.
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
    """Estimates from sums over games, with intervals from leaving out one group of games at a time.

    estimator: takes the sums without their first axis, returns one row of estimates; sums: (GROUPS, ...), of which the last
    shows which groups have games. Delete-a-group jackknife (Kott 2001, Journal of Official Statistics 17:521-526), Student's t.
    Columns: estimate, low, high, p (against 0). NaN with fewer than LEAST_GROUPS groups, and if an estimate is undefined
    without one of them.
    """
    used = np.flatnonzero(sums[-1].reshape(len(sums[-1]), -1).any(axis=1))
    whole = [total_by_group.sum(axis=0) for total_by_group in sums]
    estimate, groups = estimator(*whole), len(used)
    error = np.full(estimate.shape, np.nan)
    if groups >= LEAST_GROUPS:
        left = [
            estimator(*(total - total_by_group[group] for total, total_by_group in zip(whole, sums, strict=True)))
            for group in used
        ]
        error = np.sqrt((groups - 1) * np.var(left, axis=0))
    df = max(1, groups - 1)
    half = stats.t.ppf((1 + level) / 2, df) * error
    away = np.abs(estimate)
    t = np.divide(away, error, out=np.where(away > 0, np.inf, 0.0), where=error > 0)
    p = np.where(np.isnan(error) | np.isnan(estimate), np.nan, 2 * stats.t.sf(t, df))
    return pd.DataFrame({"estimate": estimate, "low": estimate - half, "high": estimate + half, "p": p})


class _Pool:
    """Sums by entrant and place, gathered by card."""

    def __init__(self, tally: CardTally) -> None:
        slots = tally.cards.slots
        self._listed = slots != NO_CARD
        self._card, size = slots[self._listed], len(tally.cards.ids)
        self.held = np.bincount(self._card, minlength=size)  # number of entrants that have a card
        self.card = np.flatnonzero(self.held)

    def by_card(self, values: Floats) -> Floats:
        """Sum over entrants, (cards that any entrant has,)."""
        return np.asarray(np.bincount(self._card, values[self._listed], len(self.held))[self.card], np.float64)

    def ratio(self, over: Floats, under: Floats) -> Floats:
        """Ratio of sums by card."""
        return _ratio(self.by_card(over), self.by_card(under))

    def within(self, won: Floats, drawn: Floats, wins: Floats, n: Floats) -> Floats:
        """Difference of the rates when drawn and not, within entrants, weighted by n1 n0 / n (Mantel and Haenszel)."""
        lack = n - drawn
        gap = _ratio(won * lack - (wins - won) * drawn, n)
        return _ratio(self.by_card(np.nan_to_num(gap)), self.by_card(np.nan_to_num(_ratio(drawn * lack, n))))


def _rates(pool: _Pool, won: Floats, games: Floats, level: float) -> pd.DataFrame:
    """Win rates by card with jackknife intervals, or Wilson's if all or no games are won, where the variance is unknown."""
    rates = jackknife(pool.ratio, (won, games), level)
    n = pool.by_card(games.sum(axis=0)).astype(np.int64)
    wilson = proportions(np.minimum(pool.by_card(won.sum(axis=0)), n) * (n > 0), n, level)
    edge = rates["estimate"].isin((0.0, 1.0))
    bounds = {end: rates[end].where(~edge, wilson[end]).clip(0, 1) for end in ("low", "high")}
    return pd.DataFrame({"estimate": rates["estimate"], **bounds, "n": n})


def _mean_turns(tally: CardTally, level: float, picked: Callable[[Floats], Floats]) -> pd.DataFrame:
    """Mean turn of the first play. picked: maps an array (entrants, places) to rows."""
    games = tally.played * bool(tally.fields.played_turn)
    means = jackknife(lambda turns, played: _ratio(picked(turns), picked(played)), (tally.turns, games), level)
    return means[["estimate", "low", "high"]].set_axis(["turn", "turn_low", "turn_high"], axis=1)


def _ratio(over: Floats, under: Floats) -> Floats:
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), np.nan), where=under > 0), np.float64)


def _names(tally: CardTally) -> NDArray[np.object_]:
    return np.array(tally.cards.names, object)


Ints = NDArray[np.int64]

LEAST_MORE = 10  # decks beyond the number of things to estimate
LEAST_LEFT = 1e-6  # lower bound of eigenvalues, for a deck that determines the fit nearly alone


class Meetings:
    """Finished games with a winner, by the decks on both seats and the deck that went first.

    Fed block by block, in constant memory. n, wins: (decks, decks, STARTS) games, and the win shares of the deck on seat 0.
    """

    def __init__(self, decks: int) -> None:
        self.n, self.wins = np.zeros((2, decks, decks, STARTS))

    @property
    def decks(self) -> int:
        """Number of decks."""
        return len(self.n)

    def add(self, rows: Rows) -> Meetings:
        """Add a block of games of two seats; returns self."""
        games = Contests.of(rows, np.zeros(len(rows)))
        cell = (games.first, games.second, games.started + 1)
        np.add.at(self.n, cell, 1.0)
        np.add.at(self.wins, cell, games.share)
        return self

    def lines(self) -> Lines:
        """Games by matchup and first seat, the deck with the lower number first; without games of a deck against itself."""
        turned = self.n.transpose(1, 0, 2)[:, :, ::-1]
        n = np.triu((self.n + turned).transpose(2, 0, 1), 1)
        back = (self.n - self.wins).transpose(1, 0, 2)[:, :, ::-1]
        wins = np.triu((self.wins + back).transpose(2, 0, 1), 1)
        start, first, second = (index.astype(np.int64) for index in np.nonzero(n))
        none = np.zeros(0, np.int64)
        cell = (start, first, second)
        return Lines(first, second, start - 1, n[cell], wins[cell], none, none.astype(bool), none.astype(float))

    def by_deck(self) -> tuple[Floats, Floats]:
        """Games and wins of each deck, without games against itself: (decks,) both."""
        lines = self.lines()
        n = np.bincount(lines.first, lines.n, self.decks) + np.bincount(lines.second, lines.n, self.decks)
        wins = np.bincount(lines.first, lines.wins, self.decks)
        return np.asarray(n, np.float64), np.asarray(
            wins + np.bincount(lines.second, lines.n - lines.wins, self.decks), np.float64
        )


@dataclass(frozen=True, eq=False)
class Worth:
    """A fitted regression. effect, se, low, high, p: by thing held, in logits; NaN if all decks hold the same number of it.

    covariance: of the effects, 0 where unknown. df: degrees of freedom of the errors. games, decks: that have played.
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
    """Number of decks needed to estimate the worth of the things held. held: see `regress`."""
    return LEAST_MORE + int(np.any(held != held[:1], axis=0).sum())


def regress(meetings: Meetings, held: Floats, level: float = LEVEL) -> Worth:
    """Fit the regression. held: (decks, things) copies of each thing in each deck.

    Decks of equal size cannot show what all things together are worth. The effects therefore sum to 0: each is what a copy is
    worth instead of an average one. If the size of decks differs, it is a separate term. A weak penalty keeps the effect of a
    thing that always wins finite (see `climb`). Raises ValueError for fewer decks than `least_decks`.
    """
    lines = meetings.lines()
    decks, least = len(np.unique(np.concatenate([lines.first, lines.second]))), least_decks(held)
    if decks < least:
        raise ValueError(f"{decks} decks have played; at least {least} are needed to estimate the worth of their cards")
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
    effect, se = (np.where(known, things @ theta, np.nan), np.where(known, np.sqrt(np.diag(covariance).clip(min=0)), np.nan))
    half = float(stats.t.ppf((1 + level) / 2, df)) * se
    score = np.divide(np.abs(effect), se, out=np.full(len(effect), np.inf), where=se > 0)
    p = np.where(known, 2 * stats.t.sf(score, df), np.nan)
    return Worth(effect, se, effect - half, effect + half, p, covariance, df, int(lines.n.sum()), decks)


_TERMS = 2  # terms before the things held: going first, size of the deck


def _basis(known: NDArray[np.bool_], sized: bool) -> Floats:
    """Orthonormal directions of the estimable terms: going first, the deck size if it differs, things that sum to 0."""
    things = np.zeros((len(known), max(0, int(known.sum()) - 1)))
    things[known] = zero_sum(int(known.sum()))
    return np.asarray(block_diag(np.eye(1), np.eye(1)[:, : int(sized)], things), np.float64)


def _meat(problem: Problem, theta: Floats, curve: Floats, decks: int) -> Floats:
    """Variance of the score over decks; each game belongs to the clusters of both its decks."""
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
        mine = (lines.first == deck) | (lines.second == deck)
        if mine.any():
            size, turn = np.linalg.eigh(np.eye(len(curve)) - leverage[:, mine] @ leverage[:, mine].T)
            away = half @ (turn @ ((turn.T @ pulled[:, mine].sum(axis=1)) / np.sqrt(size.clip(min=LEAST_LEFT))))
            total += np.outer(away, away)
    _, pair = np.unique(lines.first * decks + lines.second, return_inverse=True)
    pair = pair.ravel()
    met = np.zeros((pair.max(initial=-1) + 1, scores.shape[1]))
    np.add.at(met, pair, scores)
    size, turn = np.linalg.eigh(total - met.T @ met)  # pairs were counted in the clusters of both decks
    return np.asarray((turn * size.clip(min=0)) @ turn.T, np.float64)


EVEN = 0.5
LEAST_EACH = 2  # decks on either side of a comparison
NEARLY = 1e-6
ROUNDING = 1e-12


def pool_statistics(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """One row per card that any deck holds, with the worth of a copy, best first.

    Columns: card (number), card_name, level, decks (that hold it), copies (mean number in these), held, held_low, held_high
    (win rate of the decks that hold it; each deck one observation, Student's), lack, lack_low, lack_high (of the others),
    change, low, high, p, p_holm (the difference; Welch's); effect (logit), copy, copy_low, copy_high (points of the win rate
    that one copy adds at an even match instead of an average card of the pool, with the other cards of both decks fixed: see
    `regress`; NaN with too few decks), copy_p, copy_p_holm; n (games of decks that hold it).
    """
    n, wins = meetings.by_deck()
    rate = np.divide(wins, n, out=np.full(len(n), np.nan), where=n > 0)
    fitted = regress(meetings, decks.counts, level) if int((n > 0).sum()) >= least_decks(decks.counts) else None
    has = (decks.counts > 0) & (n > 0)[:, None]
    seen = np.flatnonzero(has.any(axis=0))
    lines = [_with_and_without(rate, has[:, card], n > 0, level) for card in seen]
    worth = _copies(fitted, seen)
    table: dict[str, Any] = {"card": seen, "card_name": np.array(distinct(decks.names), object)[seen], "level": decks.level[seen]}
    copies = [decks.counts[has[:, card], card].mean() for card in seen]
    table |= {"decks": has[:, seen].sum(axis=0), "copies": copies, "n": [int(n[has[:, card]].sum()) for card in seen]}
    frame = pd.concat([pd.DataFrame(table), pd.DataFrame(lines), pd.DataFrame(worth)], axis=1)
    frame = frame.assign(p_holm=adjust(frame["p"]), copy_p_holm=adjust(frame["copy_p"]))
    return frame.sort_values("copy", ascending=False, na_position="last", kind="stable", ignore_index=True)


def keyword_effects(meetings: Meetings, decks: Decks, level: float = LEVEL) -> pd.DataFrame:
    """Worth of a keyword on a copy of a card, between cards of the same level and type; best first.

    Columns: keyword (without its number), cards (of the pool that have it), decks (that hold one of them), effect (logit),
    value, low, high (points of the win rate at an even match), p, p_holm, n (games of these decks). NaN if the keyword is
    confounded with others, or with level and type.

    The worth of a copy of each card (see `pool_statistics`) is regressed on its level, the square of the level, its type and
    its keywords: a random effects meta-regression (Berkey, Hoaglin, Mosteller and Colditz 1995, Statistics in Medicine
    14:395-411) with the errors of the cards, the between-card variance of Paule and Mandel (1982, Journal of Research of the
    National Bureau of Standards 87:377-385) and the intervals of Knapp and Hartung (2003, Statistics in Medicine 22:2693-2710).
    Cards are the observations: what a card does beyond its level and keywords counts as error. Raises ValueError for too few
    decks.
    """
    worth = regress(meetings, decks.counts, level)
    cards = np.flatnonzero(np.isfinite(worth.effect))
    marks = [frozenset(_bare(mark) for mark in decks.marks[card]) for card in cards]
    known = sorted(set().union(*marks))
    bears = np.array([[mark in marked for mark in known] for marked in marks], np.float64).reshape(len(cards), len(known))
    cost = decks.level[cards].astype(np.float64)
    kinds = sorted({decks.kinds[card] for card in cards})[1:]
    typed = np.array([[kind == decks.kinds[card] for kind in kinds] for card in cards], np.float64).reshape(len(cards), -1)
    given = np.column_stack([cost, (cost - cost.mean()) ** 2, typed, bears])
    turn = zero_sum(len(cards))
    fitted = meta_regression(turn.T @ worth.effect[cards], turn.T @ worth.covariance[np.ix_(cards, cards)] @ turn, turn.T @ given)
    n, _ = meetings.by_deck()
    holds = decks.counts[:, cards] @ bears > 0
    columns: dict[str, Any] = {"keyword": known, "cards": bears.sum(axis=0).astype(int), "decks": holds.sum(axis=0)}
    effect, error, df = fitted.effect[-len(known) :], fitted.error[-len(known) :], fitted.df
    half = stats.t.ppf((1 + level) / 2, df) * error
    for word, value in (("value", effect), ("low", effect - half), ("high", effect + half)):
        columns[word] = expit(value) - EVEN
    p = 2 * stats.t.sf(np.abs(effect) / error, df)
    columns |= {"effect": effect, "p": p, "p_holm": adjust(p), "n": [int(n[marked].sum()) for marked in holds.T]}
    frame = pd.DataFrame(columns)
    return frame.sort_values("value", ascending=False, na_position="last", kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class MetaRegression:
    """Effects by column with standard errors, NaN where not estimable; df; standard deviation between observations."""

    effect: Floats
    error: Floats
    df: int
    spread: float


def meta_regression(y: Floats, covariance: Floats, given: Floats) -> MetaRegression:
    """Regress y, known up to `covariance`, on the columns of `given`, with a variance between observations.

    See `keyword_effects` for the papers. NaN everywhere unless there are more observations than independent columns.
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
        square = float(brentq(lambda trial: solved(trial)[2] - df, low, max(top, 2 * low))) if solved(top)[2] < df else top
    effect, bread, rest = solved(square)
    error = np.sqrt(np.diag(bread).clip(min=0) * max(1.0, rest / df))
    estimable = _estimable(given)
    return MetaRegression(np.where(estimable, effect, np.nan), np.where(estimable, error, np.nan), df, float(np.sqrt(square)))


def _estimable(given: Floats) -> NDArray[np.bool_]:
    """Columns that are not a linear combination of others."""
    rank = np.linalg.matrix_rank(given)
    return np.array(
        [np.linalg.matrix_rank(np.delete(given, column, axis=1)) < rank for column in range(given.shape[1])], np.bool_
    )


def _bare(mark: str) -> str:
    """Keyword without its number."""
    return mark.partition("(")[0].strip()


def _copies(worth: Worth | None, seen: NDArray[np.int64]) -> dict[str, Floats]:
    """Worth of a copy of each card, in points of the win rate at an even match; NaN without a fit."""
    if worth is None:
        return dict.fromkeys(("effect", "copy", "copy_low", "copy_high", "copy_p"), np.full(len(seen), np.nan))
    table = {"effect": worth.effect[seen], "copy": expit(worth.effect[seen]) - EVEN}
    table |= {f"copy_{end}": expit(getattr(worth, end)[seen]) - EVEN for end in ("low", "high")}
    return table | {"copy_p": worth.p[seen]}


def _with_and_without(rate: Floats, has: NDArray[np.bool_], played: NDArray[np.bool_], level: float) -> dict[str, Any]:
    """Mean win rates of the decks with and without a card, and their difference: Welch's t over decks."""
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
    df = variance**2 / sum(part**2 / (len(side) - 1) for part, side in zip(square, sides, strict=True))
    half = float(stats.t.ppf((1 + level) / 2, df) * np.sqrt(variance))
    p = float(2 * stats.t.sf(abs(change) / np.sqrt(variance), df))
    return line | {"low": change - half, "high": change + half, "p": p}


LEAST_HELD = 10  # decks that hold another number of copies than most do: fewer are not informative


@dataclass(frozen=True, eq=False)
class Way:
    """Decks made in one way, and the results of their games. title: what they are called, without their number.

    n: games by deck. worth: see `regress`.
    """

    title: str
    decks: Decks
    n: Floats
    worth: Worth

    @classmethod
    def of(cls, title: str, decks: Decks, meetings: Meetings, level: float = LEVEL) -> Way:
        """Fit the games. Raises ValueError for too few decks, see `regress`."""
        n, _ = meetings.by_deck()
        return cls(title, decks, n, regress(meetings, decks.counts, level))

    @property
    def told(self) -> NDArray[np.bool_]:
        """By card: whether enough decks differ in its number of copies."""
        counts = self.decks.counts[self.n > 0]
        usual = np.array([np.bincount(copies).max(initial=0) for copies in counts.T.astype(np.int64)])
        return np.asarray((len(counts) - usual >= LEAST_HELD) & np.isfinite(self.worth.effect), np.bool_)

    def known(self, cards: NDArray[np.int64]) -> Known:
        """Worth of the given cards relative to their average, in logits."""
        return Known.of(self.worth.effect[cards], self.worth.covariance[np.ix_(cards, cards)])


def shared_cards(ways: Sequence[Way]) -> NDArray[np.int64]:
    """Numbers of the cards whose worth can be estimated in all ways."""
    return np.flatnonzero(np.all([way.told for way in ways], axis=0))


def way_worths(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One row per way and shared card, in the order of ways and cards.

    Columns: way, card (number), card_name, estimate, low, high (points of the win rate that a copy adds at an even match,
    instead of an average one of the shared cards), decks (that hold the card), n (their games).
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
    """One row per pair of ways and shared card: worth of a copy in the second way less its worth in the first.

    Columns: first, second (ways), card, card_name, change, low, high (points of the win rate at an even match; Welch's t,
    because the two ways have different decks), p, p_holm (over all rows).
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
    """One row per pair of ways: first, second, seen, tau, low, high, things (cards); see `agreement`."""
    cards = shared_cards(ways)
    lines = []
    for first, second in combinations(ways, 2):
        agreed = agreement(first.known(cards), second.known(cards), seed)
        lines.append({"first": first.title, "second": second.title, **vars(agreed)})
    return pd.DataFrame(lines)


def _errors(known: Known) -> Floats:
    """Standard errors."""
    return np.asarray(np.sqrt(np.diag(known.covariance).clip(min=0)), np.float64)


def _card_ways_names(way: Way, cards: NDArray[np.int64]) -> NDArray[np.object_]:
    return np.array(distinct(way.decks.names), object)[cards]


PATH = "loadout"  # path of the steps to other loadouts, followed by a number


@dataclass(frozen=True)
class LoadoutSteps:
    """Loadouts that a deck could bring instead of its own.

    own: its current loadout; loadouts: all loadouts, including its own; blanks: slots that are left blank in turn. steps: one for
    every other loadout, then one for every blank slot; the card rules refuse a step whose `cards` is None.
    """

    entrant: int
    name: str
    own: Loadout
    loadouts: tuple[Loadout, ...]
    blanks: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def live(self) -> list[Step]:
        """Steps that can be played."""
        return [step for step in self.steps if step.cards is not None]

    @property
    def refused(self) -> list[str]:
        """Steps that the card rules refuse, in words."""
        return [str(step.value) for step in self.steps if step.cards is None]


@dataclass(frozen=True)
class LoadoutEffects:
    """Effects of loadouts on the win rates of decks, and the worth of their parts. Frames are empty if nothing was played.

    loadouts: one row per deck and loadout, in the order of the game: entrant, name, loadout (in words), group (the choice of the
    first slot), own, one column per slot, estimate, estimate_low, estimate_high (win rate, Wilson), change, low, high (against
    the deck's own loadout; paired), p, gain, n (pairs), truncated (share of the games stopped at a limit, left out), p_holm (over
    all decks and loadouts). The deck's own loadout has change, low and high 0, and no p.

    blanks: one row per deck and part that was left blank: entrant, name, slot, choice (its usual content), worth (in words),
    before, after (win rates with the part and without), change, low, high (with it less without), p, p_holm (over all rows), n,
    gain. truncated_before, truncated_after: shares of the games stopped at a limit, left out.
    """

    loadouts: pd.DataFrame
    blanks: pd.DataFrame


def loadout_steps(game: Game, cards: CardSet, entrant: int) -> LoadoutSteps | None:
    """Alternatives to a deck's loadout; None if there is nothing to exchange. Raises ValueError for a game without decks."""
    decking = deck_game(game)
    if decking.loadouts is None:
        return None
    deck = cards.ids[entrant]
    documents = decking.loadouts(cards.document, deck)
    own = next((loadout for loadout in documents if loadout.own), None)
    if own is None:
        return None
    steps = [
        _step(game, cards, f"{PATH}.{number}", loadout.title, document)
        for number, (loadout, document) in enumerate(documents.items())
        if not loadout.own
    ]
    blanks = list(_blanks(game, decking, cards, own, deck))
    slots = tuple(slot for slot, _ in blanks)
    if not steps and not blanks:
        return None
    name = distinct(cards.names)[entrant]
    return LoadoutSteps(entrant, name, own, tuple(documents), slots, (*steps, *(step for _, step in blanks)))


def loadout_effects(
    played: Sequence[tuple[LoadoutSteps, Experiment]], decking: Decking, play: Play | None = None
) -> LoadoutEffects:
    """Play the games of every deck with each loadout and with parts left blank, and compare with its own loadout.

    played: the steps of a deck and the games that it plays (`GamesOf`); the other decks keep their loadouts. All games of a
    deck have the same dice, whatever it brings (common random numbers), and are analysed as pairs, see `effects`. play: as in
    `Shares.of`.
    """
    loadouts, blanks = [], []
    for steps, base in played:
        if not steps.live:
            continue
        before = Shares.of(base, play)
        compared = effects(base, steps.live, steps.name, play, before)
        loadouts.append(_loadouts(steps, compared))
        blanks.append(_blank_worths(steps, compared, decking))
    return LoadoutEffects(_adjusted(loadouts), _adjusted(blanks))


def _blanks(game: Game, decking: Decking, cards: CardSet, own: Loadout, deck: str) -> Iterator[tuple[str, Step]]:
    """Slot and step of the deck without each part that can be left blank."""
    for slot, choice in own.parts:
        if slot in decking.blanks:
            try:
                document = decking.blanks[slot].put(cards.document, deck)
            except CardError:  # there is nothing to leave out
                continue
            yield slot, _step(game, cards, slot, f"without {choice}", document)


def _step(game: Game, cards: CardSet, path: str, words: str, document: Document) -> Step:
    """The card set with a changed deck, as a step of a what-if."""
    try:
        return Step(path, 0, "own", words, remade(game, document, cards))
    except CardError as error:
        return Step(path, 0, "own", words, None, str(error).splitlines()[0])


def _loadouts(steps: LoadoutSteps, compared: pd.DataFrame) -> pd.DataFrame:
    """Rows of the deck's own loadout and of the others that were played."""
    by_path = {row["path"]: row for _, row in compared.iterrows()}
    rows = []
    for number, loadout in enumerate(steps.loadouts):
        row = compared.iloc[0] if loadout.own else by_path.get(f"{PATH}.{number}")
        if row is not None:
            rows.append(_line(steps, loadout, row, own=loadout.own))
    return pd.DataFrame(rows) if len(rows) > 1 else pd.DataFrame()


def _line(steps: LoadoutSteps, loadout: Loadout, row: pd.Series, own: bool) -> dict[str, object]:
    """Row of a loadout in `LoadoutEffects.loadouts`. row: of its paired comparison; for the deck's own loadout, of any."""
    facts = {"entrant": steps.entrant, "name": steps.name, "loadout": loadout.title, "group": loadout.group, "own": own}
    when = "before" if own else "after"
    rate = {f"estimate{end}": row[f"{when}{end}"] for end in ("", "_low", "_high")}
    gap = dict.fromkeys(("change", "low", "high"), 0.0) | {"p": np.nan, "gain": np.nan}
    change = gap if own else {column: row[column] for column in gap}
    return {**facts, **dict(loadout.parts), **rate, **change, "n": int(row["n"]), "truncated": row[f"truncated_{when}"]}


def _blank_worths(steps: LoadoutSteps, compared: pd.DataFrame, decking: Decking) -> pd.DataFrame:
    """Worth of each part that was left blank: with it less without."""
    own = dict(steps.own.parts)
    part = compared[compared["path"].isin(steps.blanks)]
    if part.empty:
        return pd.DataFrame()
    turned = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"]}
    facts = {"entrant": steps.entrant, "name": steps.name, "slot": part["path"], "choice": part["path"].map(own)}
    worth = part["path"].map({slot: blank.worth for slot, blank in decking.blanks.items()})
    kept = part[["before", "after", "p", "n", "gain", "truncated_before", "truncated_after"]]
    return pd.DataFrame({**facts, "worth": worth, **turned}).join(kept)


def _adjusted(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """All rows in one frame, with p adjusted over those that have one (Holm)."""
    known = [part for part in parts if len(part)]
    if not known:
        return pd.DataFrame()
    frame = pd.concat(known, ignore_index=True)
    return frame.assign(p_holm=adjust(frame["p"]))
