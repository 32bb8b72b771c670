"""Frames of win rates for the command: with intervals between pairs where games share their dice, else those of single games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis import matchups, seats
from analysis.estimates import LEVEL
from analysis.frames import distinct
from analysis.matchups import fair_share
from analysis.paired_rates import PairTally, SeatStrata, against_fair, overall_gain
from analysis.playing import Played
from analysis.tally import Tally
from analysis.verdicts import judged, score
from analysis.wording import THIN, count, number
from sim.experiment import Coupling, Experiment

NO_GAIN = 0.1  # about one either way is none
TOGETHER = {2: "pairs", 3: "threes", 4: "fours"}  # games with the same dice


def coupled(experiment: Experiment, paired: bool, coupling: str) -> Experiment:
    """The experiment with games in pairs, if wanted, and dice keyed by seat or by entrant.

    Raises ValueError for another word, and where no games can share their line-up from every seat.
    """
    words: tuple[Coupling, ...] = ("seat", "entrant")
    if coupling not in words:
        raise ValueError(f"coupling={coupling!r} must be seat or entrant")
    found = replace(experiment, paired=paired, coupling=words[words.index(coupling)])
    if paired and found.pair_games == 1:
        alone = found.seats == 1
        why = (
            "alone nobody changes seats"
            if alone
            else f"{found.game.entrants_word} of these cards come about in the game"
        )
        raise ValueError(f"--paired: {why}, so that there are no pairs; leave it out")
    return found


def win_rates(played: Played) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `matchups.win_rates`; with pairs also pairs, effective and gain."""
    names, tally = list(played.experiment.cards.names), played.tally
    strata = played.pairs or _seats_apart(played)
    if strata is None:
        return matchups.win_rates(tally, played.experiment.seats, names)
    return _win_rates(strata, tally, names)


def by_position(played: Played) -> pd.DataFrame:
    """Win share of each turn position: columns as `seats.by_place`; with pairs also pairs, effective and gain."""
    if played.pairs is None:
        return seats.by_place(played.tally, played.experiment.seats)
    return _by_position(played.pairs, played.tally)


def met(played: Played, names: list[str]) -> pd.DataFrame:
    """Both views of every pair of entrants at two seats: columns as `matchups.pairs`; with pairs also pairs, effective, gain."""
    strata = played.pairs or _seats_apart(played)
    if strata is None or not strata.has_matchups:
        return matchups.pairs(matchups.matrix(played.tally, names))
    return _matchups(strata, names)


def _seats_apart(played: Played) -> SeatStrata | None:
    """Sums with the variance within seats, where these do not play alike and take turns among the entrants; else None."""
    experiment = played.experiment
    if len(set(experiment.policies)) == 1 or experiment.line_up is not None:
        return None
    return SeatStrata.of(played.tally, experiment.seats)


def intervals(played: Played) -> str:
    """How intervals are made, in a sentence."""
    if played.pairs is None:
        within = " with as many games as the variance within seats makes them worth" if _seats_apart(played) else ""
        return f"intervals are Wilson's at 95{THIN}%{within}."
    return f"intervals are Wilson's at 95{THIN}% with as many games as the variance between pairs makes them worth."


def lines(played: Played) -> list[str]:
    """What pairs are and what they save; nothing where there are none."""
    return [] if played.pairs is None else [_words(played.pairs)]


def facts(played: Played) -> dict[str, Any]:
    """The number of pairs and the gain, by name; nothing where there are none."""
    if played.pairs is None:
        return {}
    return {"pairs": played.pairs.pairs, "gain": overall_gain(played.pairs.of_entrants)}


def _win_rates(pairs: PairTally | SeatStrata, tally: Tally, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `matchups.win_rates`, and pairs, effective, gain."""
    fair = fair_share(pairs.seats, float(tally.decided[pairs.seats]))
    found = against_fair(pairs.of_entrants, fair, level)
    played = tally.games_of[pairs.seats] + tally.capped_of[pairs.seats]
    truncated = tally.capped_of[pairs.seats]
    found = judged(found, score(found["estimate"], found["effective"])).assign(
        wins=pairs.of_entrants["y"],
        truncated=np.divide(truncated, played, out=np.full(played.size, np.nan), where=played > 0),
    )
    found.insert(0, "seats", pairs.seats)
    found.insert(1, "entrant", np.arange(len(names)))
    found.insert(2, "name", distinct(names))
    return found.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _by_position(pairs: PairTally, tally: Tally, level: float = LEVEL) -> pd.DataFrame:
    """Win share of each turn position, 0 moved first: columns as `seats.by_place`, and pairs, effective, gain."""
    found = against_fair(pairs.of_positions, fair_share(pairs.seats, float(tally.decided[pairs.seats])), level)
    found.insert(0, "seats", pairs.seats)
    found.insert(1, "position", np.arange(pairs.seats))
    return found


def _matchups(pairs: PairTally | SeatStrata, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Both views of every pair of entrants at two seats: columns as `matchups.pairs`, and pairs, effective, gain.

    p_holm: against an even match, adjusted over all pairs played. Games that nobody won are left out.
    """
    row, column = np.nonzero(~np.eye(pairs.entrants, dtype=bool))
    cells = row * pairs.entrants + column
    half = row < column  # each pair is one test
    tested = against_fair(pairs.of_matchups.iloc[cells[half]], 0.5, level)["p_holm"]
    other = np.where(half, cells, column * pairs.entrants + row)
    found = against_fair(pairs.of_matchups.iloc[cells].reset_index(drop=True), 0.5, level)
    who = np.array(distinct(names), object)
    facts: dict[str, Any] = {"name": who[row], "opponent": who[column]}
    return pd.DataFrame(facts).join(found.assign(p_holm=tested.loc[other].to_numpy()))


def _words(pairs: PairTally) -> str:
    name = TOGETHER.get(pairs.pair_games, "groups")
    gain = overall_gain(pairs.of_entrants)
    said = f"Games come in {name} with the same entrants and dice, once from every seat: {count(pairs.pairs)} {name} are the "
    said += "observations. "
    if np.isnan(gain):
        return said + "Nothing varies, so that there is nothing to gain."
    if np.isinf(gain):
        return said + "All are alike, which single games would never show for certain."
    if abs(gain - 1) < NO_GAIN:
        return said + f"Single games would be about as precise (gain {number(gain)})."
    if gain < 1:
        return said + f"Their games agree: single games would be as precise with {number(gain)} times as many."
    return said + f"As single games {number(gain)} times as many would be needed for win rates as precise."
