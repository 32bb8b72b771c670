"""Who is best against players who know the matchups, whether there are counters, and whether the set is an order."""

from __future__ import annotations

import pandas as pd

from analysis.charts import dots, heatmap
from analysis.encounters import DUEL
from analysis.matchup_study import MatchupStudy, encounters_of, refused, study_of, whole_passes
from analysis.matchup_tables import (
    SURE,
    cycle_words,
    equilibrium_table,
    gain_line,
    order_lines,
    p_words,
    pairs_table,
    ratings_table,
)
from analysis.report.answers.prose import at_seats, capital, listed, number_word, plural
from analysis.report.links import OTHER_GAMES
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import percent
from sim.experiment import Experiment

ORDERED = 0.1  # share of the variance of the matchups up to which a set counts as an order
ALL = 0.995  # share from which one entrant is the whole mix
SHOWN = 0.005  # shares of the mix that are named
ID = "matchups"


def matchups(study: Study) -> Section | None:
    """Matrix and equilibrium shares from a paired design at two seats.

    None where nobody plays by two, for teams (`synergy` shows which of their parts counter which), for very many entrants, and
    where some two never met in a game that one of them won.
    """
    found = _played(study)
    if found is None:
        return None
    word = study.game.entrant_word
    answer = " ".join([best(found, word), counters(found), order(found, word)])
    caption = f"Share of the games {at_seats(DUEL)} that the row's {word} wins against the column's, either from both seats with "
    caption += "the same dice, games that nobody won left out. Orange: the row wins more often; blue: less often. "
    caption += OTHER_GAMES
    alt = f"Matrix of the win rates of every {word} against every other. {answer}"
    matrix = Chart(f"{ID}-paired", heatmap(found.pairs), caption, alt)
    caption = "Left: the mix that nobody beats. Middle: how often each holds a population that keeps trying others. Right: what "
    caption += "each wins against the mix. Intervals: what is not known of the matchups, carried through."
    mix = Chart(
        f"{ID}-mix", dots(_panels(found)), caption, f"Dot plots of equilibrium shares with 95 % intervals. {answer}"
    )
    tables = (
        equilibrium_table(found, word, f"{ID}-mix"),
        ratings_table(found, word, f"{ID}-ratings"),
        pairs_table(found, word, f"{ID}-pairs"),
    )
    note = " ".join([*gain_line(found), *order_lines(found), _how(word)])
    question = f"Which {word} is best against players who know the matchups, and are there counters?"
    return Section(ID, question, answer, (matrix, mix), tables, note)


def best(found: MatchupStudy, word: str) -> str:
    """What a clever field would play."""
    mix = found.equilibrium
    if (mix["support"] < 1 - SURE).all():
        likely = mix[mix["support"] >= SURE].sort_values("support", ascending=False, kind="stable")
        said = "These games do not settle what is best against players who know the matchups; chances of being in the mix that"
        return f"{said} nobody beats: {_with(likely, 'support')}."
    top = mix.iloc[0]
    if top["share"] >= ALL:
        return f"Who knows the matchups plays {top['name']}, which no other {word} beats{_rivals(mix)}."
    said = f"Who knows the matchups plays a mix, {_with(mix[mix['share'] >= SHOWN], 'share')}"
    said += f" (95 % interval of {top['name']}: {100 * top['low']:.0f} to {percent(top['high'], 0)})"
    never = int((mix["support"] < SURE).sum())
    if never:
        said += f"; {number_word(never)} {word if never == 1 else plural(word)} would hardly be played at all"
    return f"{said}."


def _rivals(mix: pd.DataFrame) -> str:
    """Who else may belong to the mix, after a single best one."""
    others = mix.iloc[1:]
    likely = others[others["support"] >= SURE].sort_values("support", ascending=False, kind="stable")
    if likely.empty:
        return ""
    return f" in these games (chance that another belongs beside or before it: {_with(likely, 'support')})"


def _with(frame: pd.DataFrame, column: str) -> str:
    """Names with shares in brackets."""
    shares = zip(frame["name"], frame[column], strict=True)
    return listed([f"{name} ({percent(share, 0)})" for name, share in shares])


def counters(found: MatchupStudy) -> str:
    """Whether there are cycles that are sure."""
    if not found.cycles:
        return "No cycle in which each beats the next is sure."
    cycle = found.cycles[0]
    words = cycle_words(cycle.names, cycle.rates)
    if len(found.cycles) == 1:
        return f"One cycle of counters is sure: {words}."
    return f"{capital(number_word(len(found.cycles)))} cycles of counters are sure; the clearest: {words}."


def order(found: MatchupStudy, word: str) -> str:
    """Whether one number for each tells the matchups."""
    if found.order is None or found.fit is None:
        return ""
    share = found.order
    bounds = f"(95 % interval {100 * share.low:.0f} to {percent(share.high, 0)})"
    if share.low == 0 and share.high == 1:
        return "The matchups differ too little in these games to tell whether one is better than another."
    rest = f"{percent(share.estimate, 0)} of the variance of the matchups {bounds}"
    if share.high <= ORDERED:
        return f"The set is an order: a rating for each {word} leaves only {rest} open."
    if share.low > ORDERED:
        return f"The set is no mere order: a rating for each {word} leaves {rest} open, {p_words(found.fit)}."
    return f"How far the set is an order is not decided: a rating for each {word} leaves {rest} open."


def _played(study: Study) -> MatchupStudy | None:
    """Play the paired games; None where there are no matchups to speak of."""
    if refused(study.game, study.cards):
        return None
    experiment = whole_passes(
        Experiment(study.game.name, study.cards, DUEL, (study.policy,), study.budget.pair_games, study.seed)
    )
    found = encounters_of(experiment, study.player("pairs for matchups", experiment.games))
    return study_of(found, study.seed) if found.complete else None


def _panels(found: MatchupStudy) -> pd.DataFrame:
    """What the chart shows: three quantities of each entrant, in per cent."""
    mix, games = found.equilibrium, found.ratings.table.set_index("name")["n"]
    panels = {
        "Share of the mix, %": ("share", "low", "high"),
        "Alpha-rank, %": ("alpha", "alpha_low", "alpha_high"),
        "Wins against the mix, %": ("field", "field_low", "field_high"),
    }
    parts = []
    for title, columns in panels.items():
        values = dict(
            zip(("estimate", "low", "high"), ((100 * mix[column]).round(2) for column in columns), strict=True)
        )
        parts.append(pd.DataFrame({"panel": title, "name": mix["name"], **values, "n": mix["name"].map(games)}))
    return pd.concat(parts, ignore_index=True)


def _how(word: str) -> str:
    """What the words mean."""
    said = (
        "p (Holm) and p (BH): against an even match, adjusted for all matchups. Ratings: Bradley and Terry's, 0 for an "
    )
    said += f"average {word}. The mix: Nash equilibrium of choosing, of several the most even; its intervals come from matchups "
    return said + "drawn anew as well as they are known."
