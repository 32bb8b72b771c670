"""Win rate of the first player by pairing of entrants, in the main games of a report."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import percent
from analysis.answer.prose import bounds_of, distance_words, number_word
from analysis.answer.tables import highest, lowest, rate_columns, table
from analysis.data import rows as clustered
from analysis.data.rows import at
from analysis.data.study import Study
from analysis.stats.intervals import adjust

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

EVEN = 0.5
SURE = 0.05  # p-value, adjusted over all pairings, below which an effect is significant
PAIRINGS = 30  # in the chart: where there are more, those farthest from one half


def first_by_pairing(study: Study) -> Answer:
    """The first player's win rate in each pairing of entrants, against one half.

    Raises NoAnswerError for teams, without games of two, and if no player goes first.
    """
    games = of_pairings(study)
    games = None if games is None else games[games["finished"] & (games["ahead"] >= 0)]
    if games is None or games.empty:
        raise NoAnswerError(f"{study.game.title}: no pairing of two in which a player goes first")
    rates, word = by_pairing(games), study.game.entrant_word
    columns = rate_columns(name=f"{word} that goes first", opponent_name="against")
    shown = f"; the {PAIRINGS} farthest from one half" if len(rates) - 1 > PAIRINGS else ""
    return Answer(
        summary(rates),
        (
            table(rates, "pairings", "Going first by pairing", rate_columns(name="pairing") | {"p_holm": "p (Holm)"}),
            table(by_entrant(games, study.names), "by_entrant", "Who wins going first", columns),
        ),
        (Chart(partial(pairings_chart, rates), f"Win rate of the first player by pairing, {study.players}{shown}."),),
        tuple(notes(rates, study.game.entrants_word)),
    )


def by_pairing(games: pd.DataFrame) -> pd.DataFrame:
    """Win rate of the first player: a row for all pairings together, then one per pairing.

    games: see `of_pairings`. Columns: those of `rows.shares`, name, whole (the first row), p_holm, sure.
    """
    key, won = games["key"].to_numpy(), games["won"].to_numpy()
    pairing = games["pairing"].cat.remove_unused_categories()
    each = clustered.shares(key, pairing.cat.codes, won, len(pairing.cat.categories))
    each = each.assign(name=list(pairing.cat.categories), whole=False, p_holm=adjust(clustered.p_against(each, EVEN)))
    together = clustered.shares(key, np.zeros(len(games), np.int64), won)
    together = together.assign(name="all pairings", whole=True, p_holm=clustered.p_against(together, EVEN))
    rates = pd.concat([together, each], ignore_index=True)
    return rates.assign(sure=rates["p_holm"] < SURE)


def by_entrant(games: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Win rate of each entrant that goes first against each other one: columns of `rows.shares`, name, opponent_name."""
    size = len(names)
    ahead, behind = np.divmod(np.arange(size * size), size)
    met = (games["ahead"] * size + games["behind"]).to_numpy(np.int64)
    rates = clustered.shares(games["key"].to_numpy(), met, games["won"].to_numpy(), size * size)
    named = np.array(names, object)
    rates = rates.assign(name=named[ahead], opponent_name=named[behind])
    return rates[rates["n"] > 0]


def summary(rates: pd.DataFrame) -> str:
    """The sentence: what going first is worth over all pairings, and where most."""
    top, each = rates.iloc[0], rates.iloc[1:]
    far = distance_words(top["estimate"], EVEN, top["sure"])
    most = highest(each, "estimate")
    where = f"; most in {most['name']} ({percent(most['estimate'])})" if len(each) > 1 else ""
    return f"The first player wins {percent(top['estimate'])} {bounds_of(top)}, {far}{where}."


def notes(rates: pd.DataFrame, entrants: str) -> list[str]:
    """Where going first helps least and in how many pairings it matters, and which games count."""
    each = rates.iloc[1:]
    words = []
    if len(each) > 1:
        least = lowest(each, "estimate")
        words.append(
            f"Going first helps least in {least['name']} ({percent(least['estimate'])}); the difference from one half is "
            f"significant in {number_word(int(each['sure'].sum()))} of {number_word(len(each))} pairings."
        )
    return [
        *words,
        f"p (Holm): against one half, adjusted over the pairings; coloured if below {SURE}.",
        f"Both {entrants} of a pairing go first about equally often, so it does not matter which of them is stronger.",
        "Finished games; a draw is half a win for both.",
    ]


def pairings_chart(rates: pd.DataFrame) -> Figure:
    """Bars to either side of one half, one per pairing, with all together first if there are several."""
    each = rates.iloc[1:]
    if len(each) > 1:
        farthest = (each["estimate"] - EVEN).abs().nlargest(PAIRINGS).index
        each = pd.concat([rates.iloc[:1], each.loc[sorted(farthest)]])
    return charts.halves(each, label="first wins")


SEATS = 2


def of_pairings(study: Study) -> pd.DataFrame | None:
    """`games_frame` at two seats with the entrants of each game; None without such games, or if entrants are teams.

    Additional columns: key (games with the same key share their dice), pairing (ordered categorical `A - B`, in the order of the
    cards), ahead (entrant that went first, -1 unknown), behind (the other one), won (share of the win of the one that went
    first).
    """
    if study.teams is not None or SEATS not in study.contests:
        return None
    games = at(study.games_frame, SEATS).reset_index(drop=True)
    seats = at(study.seats_frame, SEATS)
    if games.empty:
        return None
    entrant = seats["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    share = seats["share"].to_numpy(np.float64).reshape(-1, SEATS)
    first = games["first"].to_numpy(np.int64)
    seat, line = first.clip(0), np.arange(len(games))
    names, pairs = study.names, [*combinations_with_replacement(range(len(study.names)), SEATS)]
    code = {pair: number for number, pair in enumerate(pairs)}
    met = [code[low, high] for low, high in np.sort(entrant, axis=1).tolist()]
    words = [f"{names[low]} \u2013 {names[high]}" for low, high in pairs]
    pairing = pd.Categorical.from_codes(met, pd.Index(words)).remove_unused_categories()
    return games.assign(
        key=study.main(SEATS).pair_of(games["game"].to_numpy(np.int64)),
        pairing=pairing,
        ahead=np.where(first >= 0, entrant[line, seat], -1),
        behind=entrant[line, 1 - seat],
        won=share[line, seat],
    )
