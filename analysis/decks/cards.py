"""Card statistics: win rates when drawn or played.

`deck_cards`, `pooled_cards` and `turns_played` count wins by whether and when a card was drawn or played. These rates are
CONDITIONAL. A card is drawn more often in long games and played more often by the player who is ahead or has time for it, so
they show what company the card keeps, not what it does. The effect of a card is measured by playing the same games without it:
see `replacement_effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.data.usage import CardTally, Floats
from analysis.stats.intervals import LEVEL, adjust, differences, proportions
from sim.engine.decks import NO_CARD

LEAST_GROUPS = 10  # groups of games, below which a jackknife is not informative
LEAST_GAMES = 30  # behind a number: with fewer, its jackknife is far too narrow


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
    half = scipy.stats.t.ppf((1 + level) / 2, df) * error
    away = np.abs(estimate)
    t = np.divide(away, error, out=np.where(away > 0, np.inf, 0.0), where=error > 0)
    p = np.where(np.isnan(error) | np.isnan(estimate), np.nan, 2 * scipy.stats.t.sf(t, df))
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
