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
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from analysis.data.usage import CardTally, Floats
from analysis.stats.intervals import LEVEL, adjust, differences, proportions
from analysis.stats.rank_agreement import Known, agreement, zero_sum
from analysis.teams.ridge import START_SPREAD, STARTS, Contests, Lines, Problem, climb
from sim.engine.decks import NO_CARD, Decks

LEAST_GROUPS = 10  # groups of games, below which a jackknife is not informative
LEAST_GAMES = 30  # behind a number: with fewer, its jackknife is far too narrow

CONDITIONAL = (
    "Win rates when drawn or played are conditional: a card is drawn more often in long games and played more often by the "
    "player who is ahead or has time for it. They show what company a card keeps, not what it does."
)


def deck_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One row per entrant and card of its list, in that order.

    Columns: entrant, name, card (number), card_name, n (games); drawn, drawn_low, drawn_high, n_drawn (win rate when drawn: see
    `CardFields`), lack, lack_low, lack_high, n_lack (when not), played, played_low, played_high, n_played (when played):
    Wilson; change, low, high, p, p_holm (drawn less not drawn: see `differences`; Holm over all rows); turn, turn_low,
    turn_high (mean turn of the first play, counting the player's turns; Student's over groups of games, NaN for fewer than
    LEAST_GAMES). NaN without games.
    """
    entrant, place = np.nonzero(tally.cards.slots != NO_CARD)
    n, wins = tally.games.sum(axis=0)[entrant], tally.wins.sum(axis=0)[entrant]
    sums = (tally.drawn_wins, tally.drawn, tally.played_wins, tally.played)
    won, drawn, played_wins, plays = (total.sum(axis=0)[entrant, place] for total in sums)
    rates = {"drawn": proportions(won, drawn, level), "lack": proportions((wins - won).clip(0), n - drawn, level)}
    if not tally.fields.tell_draws:
        rates = {side: frame.assign(n=0, estimate=np.nan, low=np.nan, high=np.nan) for side, frame in rates.items()}
    gaps = differences(rates["drawn"], rates["lack"])
    columns = {"n": n.astype(int), **_by_side({**rates, "played": proportions(played_wins, plays, level)})}
    frame = _listed(tally, entrant, place).assign(**columns).join(gaps).assign(p_holm=adjust(gaps["p"]))
    return frame.join(_mean_turns(tally, level, lambda values: values[entrant, place]))


def pooled_cards(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """One row per card that any entrant has, over all entrants.

    Columns as in `deck_cards` without entrant and name; entrants: number that have the card; n: their games. The difference is
    taken within entrants and weighted by their games (Mantel and Haenszel 1959, Journal of the National Cancer Institute
    22:719-748), so that a strong deck with many copies does not lend its strength to its cards. Both seats of a game can have
    the card, so all intervals take groups of games as observations (see `jackknife`). Numbers of fewer than LEAST_GAMES games
    have none; a difference needs them on both sides.
    """
    fields, slots = tally.fields, tally.cards.slots
    listed, size = slots != NO_CARD, len(tally.cards.ids)
    held = np.bincount(slots[listed], minlength=size)  # number of entrants that have a card
    card = np.flatnonzero(held)

    def by_card(values: Floats) -> Floats:
        """Sum over entrants, (cards that any entrant has,)."""
        return np.asarray(np.bincount(slots[listed], values[listed], size)[card], np.float64)

    def within(won: Floats, drawn: Floats, wins: Floats, n: Floats) -> Floats:
        """Difference of the rates when drawn and not, within entrants, weighted by n1 n0 / n (Mantel and Haenszel)."""
        lack = n - drawn
        gap = _ratio(won * lack - (wins - won) * drawn, n)
        return _ratio(by_card(np.nan_to_num(gap)), by_card(np.nan_to_num(_ratio(drawn * lack, n))))

    n, wins = (np.broadcast_to(values[:, :, None], tally.drawn.shape) for values in (tally.games, tally.wins))
    drawn = (tally.drawn_wins, tally.drawn)
    sums = {"drawn": drawn, "lack": (wins - drawn[0], n - drawn[1]), "played": (tally.played_wins, tally.played)}
    known = {"drawn": fields.tell_draws, "lack": fields.tell_draws, "played": fields.tell_plays}
    rates = {side: _rates(by_card, won, games * known[side], level) for side, (won, games) in sums.items()}
    gaps = jackknife(within, (*drawn, wins, n * fields.tell_draws), level)
    apart = differences(*(_rates(by_card, *sums[side], level) for side in ("drawn", "lack")))
    flat = gaps["low"] == gaps["high"]  # all or no games are won, and the variance is unknown
    bounds = {name: gaps[name].where(~flat, apart[name]) for name in ("low", "high", "p")}
    bounds |= {end: bounds[end].clip(-1, 1) for end in ("low", "high")}
    few = np.minimum(rates["drawn"]["n"], rates["lack"]["n"]) < LEAST_GAMES
    bounds = {name: values.mask(few) for name, values in bounds.items()}
    facts: dict[str, Any] = {"card": card, "card_name": _names(tally)[card], "entrants": held[card]}
    facts |= {"n": by_card(n.sum(axis=0)).astype(np.int64), **_by_side(rates), "change": gaps["estimate"], **bounds}
    frame = pd.DataFrame(facts).assign(p_holm=adjust(bounds["p"]))
    return frame.join(_mean_turns(tally, level, by_card))


def turns_played(tally: CardTally, level: float = LEVEL) -> pd.DataFrame:
    """Win rate by the turn of the first play, one row per entrant, card and turn with games.

    Columns: entrant, name, card, card_name, turn (the player's turns; TURNS_MAX: that or later), estimate, low, high (Wilson),
    n.
    """
    entrant, place, turn = np.nonzero(tally.by_turn)
    rates = proportions(tally.by_turn_wins[entrant, place, turn], tally.by_turn[entrant, place, turn], level)
    frame = _listed(tally, entrant, place).assign(turn=turn).join(rates)
    return frame.loc[frame["turn"] > 0].reset_index(drop=True)


def _listed(tally: CardTally, entrant: NDArray[np.intp], place: NDArray[np.intp]) -> pd.DataFrame:
    """Entrants and cards, by number and name, of these places in lists."""
    card, names = tally.cards.slots[entrant, place], np.array(tally.experiment.cards.names, object)
    return pd.DataFrame({"entrant": entrant, "name": names[entrant], "card": card, "card_name": _names(tally)[card]})


def _by_side(rates: Mapping[str, pd.DataFrame]) -> dict[str, pd.Series]:
    """Columns such as drawn, drawn_low, drawn_high and n_drawn of win rates when drawn, not drawn (lack) and played."""
    ends = {"estimate": "{}", "low": "{}_low", "high": "{}_high", "n": "n_{}"}
    return {end.format(side): frame[name] for side, frame in rates.items() for name, end in ends.items()}


def jackknife(estimator: Callable[..., Floats], sums: Sequence[Floats], level: float = LEVEL) -> pd.DataFrame:
    """Estimates from sums over games, with intervals from leaving out one group of games at a time.

    estimator: takes the sums without their first axis, returns one row of estimates; sums: (GROUPS, ...), of which the last
    shows which groups have games. Delete-a-group jackknife (Kott 2001, Journal of Official Statistics 17:521-526), Student's t.
    Columns: estimate, low, high, p (against 0). NaN with fewer than LEAST_GROUPS groups, and if an estimate is undefined
    without one of them.
    """
    used = np.flatnonzero(sums[-1].reshape(len(sums[-1]), -1).any(axis=1))
    whole = [by_group.sum(axis=0) for by_group in sums]
    estimate, groups = estimator(*whole), len(used)
    error = np.full(estimate.shape, np.nan)
    if groups >= LEAST_GROUPS:
        left = [estimator(*(total - by_group[group] for total, by_group in zip(whole, sums, strict=True))) for group in used]
        error = np.sqrt((groups - 1) * np.var(left, axis=0))
    df = max(1, groups - 1)
    half = stats.t.ppf((1 + level) / 2, df) * error
    away = np.abs(estimate)
    t = np.divide(away, error, out=np.where(away > 0, np.inf, 0.0), where=error > 0)
    p = np.where(np.isnan(error) | np.isnan(estimate), np.nan, 2 * stats.t.sf(t, df))
    return pd.DataFrame({"estimate": estimate, "low": estimate - half, "high": estimate + half, "p": p})


def _rates(by_card: Callable[[Floats], Floats], won: Floats, games: Floats, level: float) -> pd.DataFrame:
    """Win rates by card with jackknife intervals, or Wilson's if all or no games are won, where the variance is unknown."""
    rates = jackknife(lambda over, under: _ratio(by_card(over), by_card(under)), (won, games), level)
    n = by_card(games.sum(axis=0)).astype(np.int64)
    wilson = proportions(np.minimum(by_card(won.sum(axis=0)), n) * (n > 0), n, level)
    edge = rates["estimate"].isin((0.0, 1.0))
    bounds = {end: rates[end].where(~edge, wilson[end]).clip(0, 1) for end in ("low", "high")}
    return _without_few(pd.DataFrame({"estimate": rates["estimate"], **bounds, "n": n}), n)


def _without_few(table: pd.DataFrame, n: NDArray[Any]) -> pd.DataFrame:
    """The table with bounds low and high only where there are LEAST_GAMES games."""
    return table.assign(low=table["low"].mask(n < LEAST_GAMES), high=table["high"].mask(n < LEAST_GAMES))


def _mean_turns(tally: CardTally, level: float, picked: Callable[[Floats], Floats]) -> pd.DataFrame:
    """Mean turn of the first play. picked: maps an array (entrants, places) to rows."""
    games = tally.played * bool(tally.fields.played_turn)
    means = jackknife(lambda turns, played: _ratio(picked(turns), picked(played)), (tally.turns, games), level)
    means = _without_few(means, picked(games.sum(axis=0)))
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

    def add(self, rows: Rows) -> Meetings:
        """Add a block of games of two seats; returns self."""
        games = Contests.of(rows, np.zeros(len(rows)))
        cell = (games.first, games.second, games.started + 1)
        np.add.at(self.n, cell, 1.0)
        np.add.at(self.wins, cell, games.share)
        return self

    def lines(self) -> Lines:
        """Games by matchup and first seat, the deck with the lower number first; without games of a deck against itself."""
        turned = (part.transpose(1, 0, 2)[:, :, ::-1] for part in (self.n, self.n - self.wins))
        n, wins = (np.triu((own + back).transpose(2, 0, 1), 1) for own, back in zip((self.n, self.wins), turned, strict=True))
        cell = start, first, second = [index.astype(np.int64) for index in np.nonzero(n)]
        none = np.zeros(0, np.int64)
        return Lines(
            first, second, start - 1, n[tuple(cell)], wins[tuple(cell)], none, none.astype(bool), none.astype(float), 0, none
        )

    def by_deck(self) -> tuple[Floats, Floats]:
        """Games and wins of each deck, without games against itself: (decks,) both."""
        lines = self.lines()
        sides = ((lines.first, lines.n, lines.wins), (lines.second, lines.n, lines.n - lines.wins))
        n, wins = (sum(np.bincount(side[0], side[part], len(self.n)) for side in sides) for part in (1, 2))
        return np.asarray(n, np.float64), np.asarray(wins, np.float64)


@dataclass(frozen=True, eq=False)
class Worth:
    """A fitted regression. effect, p: by thing held, in logits; NaN if all decks hold the same number of it.

    half: half the width of the interval of the effect. covariance: of the effects, 0 where unknown. df: degrees of freedom of
    the errors. decks: number that have played.
    """

    effect: Floats
    half: Floats
    p: Floats
    covariance: Floats
    df: int
    decks: int


def enough_decks(meetings: Meetings, held: Floats) -> bool:
    """Whether enough decks have met to estimate the worth of the things they hold. held: see `regress`."""
    return bool(np.count_nonzero(meetings.by_deck()[0]) >= _least_decks(held))


def _least_decks(held: Floats) -> int:
    """Number of decks needed: some more than things of which decks hold different numbers."""
    return LEAST_MORE + int(np.any(held != held[:1], axis=0).sum())


def regress(meetings: Meetings, held: Floats, level: float = LEVEL) -> Worth:
    """Fit the regression. held: (decks, things) copies of each thing in each deck.

    Decks of equal size cannot show what all things together are worth. The effects therefore sum to 0: each is what a copy is
    worth instead of an average one. If the size of decks differs, it is a separate term. A weak penalty keeps the effect of a
    thing that always wins finite (see `climb`). Raises ValueError for too few decks, see `enough_decks`.
    """
    lines = meetings.lines()
    decks, least = len(np.unique(np.concatenate([lines.first, lines.second]))), _least_decks(held)
    if decks < least:
        raise ValueError(f"{decks} decks have played; at least {least} are needed to estimate the worth of their cards")
    known = np.any(held != held[:1], axis=0)
    size = held.sum(axis=1, keepdims=True)
    sides = sparse.csr_array(np.hstack([size, held]).astype(np.float64))
    columns = [sparse.csr_array(lines.started[:, None].astype(np.float64)), sides[lines.first] - sides[lines.second]]
    things = np.zeros((len(known), max(0, int(known.sum()) - 1)))
    things[known] = zero_sum(int(known.sum()))
    sized = np.eye(1)[:, : int(np.ptp(size) > 0)]
    basis = np.asarray(block_diag(np.eye(1), sized, things), np.float64)  # orthonormal directions
    problem = Problem(lines, sparse.csr_array(sparse.hstack(columns)), basis, np.zeros(basis.shape[1], np.int8))
    nothing = np.zeros(basis.shape[1])
    theta, _, information, penalty = climb(problem, nothing, np.full(2, START_SPREAD), np.ones(2))
    curve = information + np.diag(penalty)
    inverse = np.linalg.inv(curve)
    things = basis[2:]  # without going first and the size of the deck
    covariance = things @ inverse @ _meat(problem, theta, curve, len(meetings.n)) @ inverse @ things.T
    df = decks - basis.shape[1]
    effect, se = (np.where(known, values, np.nan) for values in (things @ theta, np.sqrt(np.diag(covariance).clip(min=0))))
    score = np.divide(np.abs(effect), se, out=np.full(len(effect), np.inf), where=se > 0)
    p = np.where(known, 2 * stats.t.sf(score, df), np.nan)
    return Worth(effect, float(stats.t.ppf((1 + level) / 2, df)) * se, p, covariance, df, decks)


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
    has = (decks.counts > 0) & (n > 0)[:, None]
    seen = np.flatnonzero(has.any(axis=0))
    has, counts = has[:, seen], decks.counts[:, seen]
    number = has.sum(axis=0)
    table: dict[str, Any] = {"card": seen, "card_name": np.array(distinct(decks.names), object)[seen], "level": decks.level[seen]}
    table |= {"decks": number, "copies": (counts * has).sum(axis=0) / number, "n": (n @ has).astype(np.int64)}
    copies = ("copy", "copy_low", "copy_high")
    if enough_decks(meetings, decks.counts):
        worth = regress(meetings, decks.counts, level)
        effect = worth.effect[seen]
        table |= {"effect": effect, **_in_points(copies, effect, worth.half[seen]), "copy_p": worth.p[seen]}
    else:
        table |= dict.fromkeys(("effect", *copies, "copy_p"), np.nan)
    frame = pd.DataFrame(table).join(pd.DataFrame([_with_and_without(rate, held, n > 0, level) for held in has.T]))
    frame = frame.assign(p_holm=adjust(frame["p"]), copy_p_holm=adjust(frame["copy_p"]))
    return frame.sort_values("copy", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _in_points(columns: tuple[str, str, str], value: Floats, half: Floats) -> dict[str, Floats]:
    """Estimate and bounds, under these names, in points of the win rate at an even match. value, half: in logits."""
    bounds = (value, value - half, value + half)
    return {column: expit(logits) - EVEN for column, logits in zip(columns, bounds, strict=True)}


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
    marks = [{mark.partition("(")[0].strip() for mark in decks.marks[card]} for card in cards]  # without their numbers
    known, kinds = sorted(set().union(*marks)), sorted({decks.kinds[card] for card in cards})[1:]
    bears = np.array([[mark in marked for mark in known] for marked in marks], np.float64).reshape(len(cards), len(known))
    typed = np.array([[kind == decks.kinds[card] for kind in kinds] for card in cards], np.float64).reshape(len(cards), -1)
    cost, turn = decks.level[cards].astype(np.float64), zero_sum(len(cards))
    given = np.column_stack([cost, (cost - cost.mean()) ** 2, typed, bears])
    covariance = turn.T @ worth.covariance[np.ix_(cards, cards)] @ turn
    effects, errors, df = meta_regression(turn.T @ worth.effect[cards], covariance, turn.T @ given)
    n, holds = meetings.by_deck()[0], decks.counts[:, cards] @ bears > 0
    effect, error = effects[-len(known) :], errors[-len(known) :]
    p = 2 * stats.t.sf(np.abs(effect) / error, df)
    columns: dict[str, Any] = {"keyword": known, "cards": bears.sum(axis=0).astype(int), "decks": holds.sum(axis=0)}
    columns |= _in_points(("value", "low", "high"), effect, stats.t.ppf((1 + level) / 2, df) * error)
    columns |= {"effect": effect, "p": p, "p_holm": adjust(p), "n": (n @ holds).astype(np.int64)}
    return pd.DataFrame(columns).sort_values("value", ascending=False, na_position="last", kind="stable", ignore_index=True)


def meta_regression(y: Floats, covariance: Floats, given: Floats) -> tuple[Floats, Floats, int]:
    """Regress y, known up to `covariance`, on the columns of `given`, with a variance between observations.

    Returns effects by column, their standard errors, and degrees of freedom; NaN where not estimable, and everywhere unless there
    are more observations than independent columns. See `keyword_effects` for the papers.
    """
    rank_of = np.linalg.matrix_rank
    rank = int(rank_of(given))
    df, whole = len(y) - rank, np.full(given.shape[1], np.nan)
    if df < 1 or not given.shape[1]:
        return whole, whole, max(df, 1)

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
    estimable = np.array([rank_of(np.delete(given, column, axis=1)) < rank for column in range(given.shape[1])], np.bool_)
    return np.where(estimable, effect, np.nan), np.where(estimable, error, np.nan), df


def _with_and_without(rate: Floats, has: NDArray[np.bool_], played: NDArray[np.bool_], level: float) -> dict[str, Any]:
    """Mean win rates of the decks with and without a card, and their difference: Welch's t over decks."""
    line: dict[str, Any] = {}
    squares, freedom = [], []
    for word, side in (("held", rate[has]), ("lack", rate[played & ~has])):
        mean, df = float(side.mean()) if len(side) else np.nan, max(1, len(side) - 1)
        square = float(side.var(ddof=1)) / len(side) if len(side) >= LEAST_EACH else np.nan
        half = float(stats.t.ppf((1 + level) / 2, df) * np.sqrt(square))
        line |= {word: mean, f"{word}_low": max(0.0, mean - half), f"{word}_high": min(1.0, mean + half)}
        squares.append(square)
        freedom.append(df)
    change = line["held"] - line["lack"]
    half, p = _welch(change, squares, freedom, level) if sum(squares) > 0 else (np.nan, np.nan)
    return line | {"change": change, "low": change - half, "high": change + half, "p": p}


def _welch(change: Any, squares: Sequence[Any], freedom: Sequence[int], level: float) -> tuple[Any, Any]:
    """Half the width of the interval of a difference, and its p-value. squares, freedom: of the errors of both sides."""
    total = squares[0] + squares[1]
    df = total**2 / sum(square**2 / free for square, free in zip(squares, freedom, strict=True))
    return stats.t.ppf((1 + level) / 2, df) * np.sqrt(total), 2 * stats.t.sf(np.abs(change) / np.sqrt(total), df)


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
        return cls(title, decks, meetings.by_deck()[0], regress(meetings, decks.counts, level))

    @property
    def known(self) -> NDArray[np.bool_]:
        """By card: whether enough decks differ in its number of copies."""
        counts = self.decks.counts[self.n > 0]
        usual = np.array([np.bincount(copies).max(initial=0) for copies in counts.T.astype(np.int64)])
        return np.asarray((len(counts) - usual >= LEAST_HELD) & np.isfinite(self.worth.effect), np.bool_)

    def named(self, cards: NDArray[np.int64]) -> dict[str, Any]:
        """Columns card and card_name."""
        return {"card": cards, "card_name": np.array(distinct(self.decks.names), object)[cards]}

    def worths(self, cards: NDArray[np.int64]) -> tuple[Known, Floats]:
        """Worth of the given cards relative to their average, in logits, and its standard errors."""
        known = Known.of(self.worth.effect[cards], self.worth.covariance[np.ix_(cards, cards)])
        return known, np.asarray(np.sqrt(np.diag(known.covariance).clip(min=0)), np.float64)


def shared_cards(ways: Sequence[Way]) -> NDArray[np.int64]:
    """Numbers of the cards whose worth can be estimated in all ways."""
    return np.flatnonzero(np.all([way.known for way in ways], axis=0))


def way_worths(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One row per way and shared card, in the order of ways and cards.

    Columns: way, card (number), card_name, estimate, low, high (points of the win rate that a copy adds at an even match,
    instead of an average one of the shared cards), decks (that hold the card), n (their games).
    """
    cards, parts = shared_cards(ways), []
    for way in ways:
        known, error = way.worths(cards)
        holds = (way.decks.counts[:, cards] > 0) & (way.n > 0)[:, None]
        worth = _in_points(("estimate", "low", "high"), known.value, stats.t.ppf((1 + level) / 2, way.worth.df) * error)
        counts = {"decks": holds.sum(axis=0), "n": (way.n @ holds).astype(np.int64)}
        parts.append(pd.DataFrame({"way": way.title, **way.named(cards), **worth, **counts}))
    return pd.concat(parts, ignore_index=True)


def way_differences(ways: Sequence[Way], level: float = LEVEL) -> pd.DataFrame:
    """One row per pair of ways and shared card: worth of a copy in the second way less its worth in the first.

    Columns: first, second (ways), card, card_name, change, low, high (points of the win rate at an even match; Welch's t,
    because the two ways have different decks), p, p_holm (over all rows).
    """
    cards, parts = shared_cards(ways), []
    for first, second in combinations(ways, 2):
        (before, error), (after, other) = first.worths(cards), second.worths(cards)
        change = after.value - before.value
        half, p = _welch(change, (error**2, other**2), (first.worth.df, second.worth.df), level)
        facts = {"first": first.title, "second": second.title, **first.named(cards)}
        parts.append(pd.DataFrame({**facts, **_in_points(("change", "low", "high"), change, half), "p": p}))
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(p_holm=adjust(frame["p"]))


def way_agreement(ways: Sequence[Way], seed: int) -> pd.DataFrame:
    """One row per pair of ways: first, second, seen, tau, low, high, things (cards); see `agreement`."""
    worths = {way.title: way.worths(shared_cards(ways))[0] for way in ways}
    pairs = combinations(worths.items(), 2)
    return pd.DataFrame([{"first": a, "second": b, **vars(agreement(first, second, seed))} for (a, first), (b, second) in pairs])
