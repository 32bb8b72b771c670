"""What wins go along with: a card drawn, not drawn, played, and played when.

All of it is CONDITIONAL. A card is drawn more often in long games and played more often by who is ahead or has time for it, so
that a rate when drawn or played tells what company the card keeps, not what it does. What it does is told by the same games
without it: see `card_effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.card_tally import CardTally, Floats
from analysis.estimates import LEVEL, adjust, differences, proportions
from sim.engine.decks import NO_CARD

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
