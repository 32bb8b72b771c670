"""Study of matchups from one paired experiment at two seats: win rates, ratings, cycles and equilibrium.

`matchups_result` shows it as the result of `fairfight matchups`, `matchups` as a section of a report. `matchup_matrix` is a
section from the main games of a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd

from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import THIN, Format, as_shown, count, counted, number, percent
from analysis.answer.prose import (
    NO_BREAK,
    at_seats,
    capital,
    draws_words,
    interval_of,
    limit_words,
    listed,
    number_word,
    some,
    truncated_words,
)
from analysis.answer.tables import SECONDARY, Table, rate_columns, table
from analysis.charts import dots, heatmap
from analysis.data.decks import deck_facts, making_lines
from analysis.data.encounters import DUEL, Encounters, EncounterTally
from analysis.data.names import forbidden_lines
from analysis.data.shares import Play
from analysis.data.study import OTHER_GAMES, Study
from analysis.matchups.ratings import SURE, Cycle, Fit, Ratings, equilibrium, goodness_of_fit, ratings, sure_cycles
from analysis.winrates import rates
from analysis.winrates.rates import Matchups, matrix, pairs
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.questions import Question
from sim.experiments.experiment import Experiment
from sim.run import blocks

LEAST = 2  # entrants
ENTRANTS_MAX = 64  # with more, each pair would meet too rarely


@dataclass(frozen=True, eq=False)
class MatchupStudy:
    """Results on the matchups of a set of entrants.

    fit is None for two entrants; cycles: significant ones, the clearest first; equilibrium: see `ratings.equilibrium`.
    """

    encounters: Encounters
    matchups: Matchups
    ratings: Ratings
    fit: Fit | None
    cycles: tuple[Cycle, ...]
    equilibrium: pd.DataFrame

    @property
    def pairs(self) -> pd.DataFrame:
        """Every pair from both sides, in the order of the ratings: columns of `rates.pairs`, and expected (by ratings)."""
        place = {name: index for index, name in enumerate(self.ratings.table["name"])}
        number = {name: index for index, name in enumerate(self.encounters.names)}
        frame = rates.pairs(self.matchups)
        row, column = (frame[side].map(number).to_numpy() for side in ("name", "opponent"))
        frame = frame.assign(expected=self.ratings.expected[row, column])
        return frame.sort_values(["name", "opponent"], key=lambda names: names.map(place), ignore_index=True)


def matchup_study(experiment: Experiment, play: Play | None = None) -> MatchupStudy:
    """Play an experiment (see `paired`) and analyse it. Raises ValueError if two entrants never met."""
    return study_of(encounters_of(experiment, play), experiment.seed)


def encounters_of(experiment: Experiment, play: Play | None = None) -> Encounters:
    """Play an experiment at two seats and count the results of every pair. Raises ValueError for other numbers of seats."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in (play or blocks)(experiment):
        tally.add(block.rows)
    return tally.encounters()


def study_of(encounters: Encounters, seed: int = 1) -> MatchupStudy:
    """Analyse encounters. seed: of the random samples. Raises ValueError if two entrants never met."""
    encounters.require_complete()
    found = rates.of_encounters(encounters)
    return MatchupStudy(
        encounters,
        found,
        ratings(encounters),
        goodness_of_fit(encounters, seed=seed),
        tuple(sure_cycles(found)),
        equilibrium(encounters, seed=seed),
    )


def paired(game: Game, cards: CardSet, policies: Sequence[PolicySpec], games: int, seed: int = 1) -> Experiment:
    """Experiment for matchups: every pair from both seats with the same dice, in whole passes.

    Raises ValueError for the reasons of `refused`, and if there are too few games for every pair to meet.
    """
    if why := refused(game, cards):
        raise ValueError(why)
    experiment = whole_passes(Experiment(game.name, cards, DUEL, tuple(policies), games, seed))
    least = experiment.pass_games or 1
    if games < least:
        raise ValueError(f"games={games} must be at least {least}, so that every pair meets from both seats")
    return experiment


def as_played(experiment: Experiment) -> Experiment:
    """Check that the games of a stored run can be used for matchups, and return its experiment.

    Raises ValueError for the reasons of `refused`, for other numbers of seats, and for games of one line-up.
    """
    if why := refused(experiment.game, experiment.cards):
        raise ValueError(why)
    if experiment.seats != DUEL:
        raise ValueError(f"{experiment.cards.path}: matchups need two seats, but its games have {experiment.seats}")
    if experiment.line_up is not None:
        raise ValueError(f"{experiment.cards.path}: matchups need all entrants, but its games have one line-up")
    return experiment


def whole_passes(experiment: Experiment) -> Experiment:
    """Return the experiment in pairs, with games rounded up so that all pairs meet equally often."""
    in_pairs = replace(experiment, paired=True)
    least = in_pairs.pass_games or 1
    return replace(in_pairs, games_wanted=-(-experiment.games_wanted // least) * least)


def refused(game: Game, cards: CardSet) -> str:
    """Reason why there are no matchups (no two seats, teams, one or very many entrants); empty if there are."""
    teams, entrants = game.teams_for(cards), len(cards.ids)
    if teams is not None:
        words = f"the {entrants} {game.entrants_word} are made of {teams.parts} {teams.words} and meet too rarely"
        return f"{game.title}: {words}; matchups are for games in which entrants are not teams"
    if DUEL not in game.seats_for(cards):
        return f"{game.title}: matchups need two seats, and the game is never played by two"
    if not LEAST <= entrants <= ENTRANTS_MAX:
        return f"{game.title}: {entrants} {game.entrants_word}; matchups need {LEAST} to {ENTRANTS_MAX}"
    return ""


MATRIX_MAX = 20  # entrants up to which the matrix is printed; with more, the most uneven matchups
ENDS = 15  # matchups
ID = "matchups"
PAIR_COLUMNS = rate_columns(opponent="against") | {"p_holm": "p (Holm)", "p_bh": "p (BH)", "expected": "ratings expect"}
COLUMNS = {  # of the other tables
    "ratings": {
        "elo": "Elo",
        "elo_low": "Elo low",
        "elo_high": "Elo high",
        "rating": "rating",
        "error": "standard error",
        "n": "n",
    },
    "equilibrium": {"share": "share", "low": "share low", "high": "share high", "support": "in the mix"}
    | {"field": "against the mix", "field_low": "mix low", "field_high": "mix high"},
}
FORMATS: dict[str, Format] = {
    **dict.fromkeys((*COLUMNS["equilibrium"].values(), "ratings expect"), "percent"),
    **dict.fromkeys(("Elo", "Elo low", "Elo high"), "count"),
    **dict.fromkeys(("rating", "standard error"), "number"),
    "p (BH)": "p",
}


def matchups_result(experiment: Experiment, study: MatchupStudy) -> Section:
    """Result of `fairfight matchups`: the matrix or the most uneven pairs, ratings and equilibrium; the CSV has every pair."""
    game, cards, encounters = experiment.game, experiment.cards, study.encounters
    word, tables = game.entrant_word, _tables(study, game.entrant_word)
    facts = experiment.facts() | deck_facts(game, cards) | {"gain": encounters.gain, "truncated": encounters.truncated}
    facts |= {"draws": encounters.shared}
    facts |= {"fit": asdict(study.fit) if study.fit else None}
    facts |= {"sure_cycles": [asdict(cycle) for cycle in study.cycles]}
    seen = matrix_table(study, word)
    if len(encounters.names) > MATRIX_MAX:
        most = study.pairs.sort_values(["low", "estimate"], ascending=False, kind="stable").head(ENDS)
        caption = f"The {ENDS} most uneven matchups; all are in the CSV file and in JSON"
        seen = _table(most, "uneven", caption, word, PAIR_COLUMNS)
    widest = 100 * float((study.pairs["high"] - study.pairs["low"]).max()) / 2
    sentences = (
        f"{cards.title} (digest {cards.digest}): {count(experiment.games)} games, seed {experiment.seed}, policy "
        f"{experiment.policy_words}; line-ups: {experiment.design}.",
        *making_lines(cards),
        *forbidden_lines(experiment.forbidden),
        truncated_words(encounters.truncated, encounters.played, limit_words(game.limits_itself)),
        *draws_words(encounters.shared, encounters.played - encounters.truncated),
        *_gain(study),
        f"** significantly uneven (p < {SURE}, Holm over all matchups), * after Benjamini and Hochberg only (at most "
        f"{percent(SURE, 0)} of such marks are false on average). Each matchup: {counted(study.pairs['n'].tolist())} games won "
        f"or shared, win rates known to ±{widest:.1f} points or better at 95{THIN}%; all intervals are in the CSV file and in "
        "JSON.",
        *_fit_in_figures(study),
        *([counters(study)] if study.fit else []),
        "Share: of the mix that no choice beats (Nash); in the mix: probability that the share is above zero, given the "
        f"uncertainty of the matchups. Intervals: 95{THIN}%.",
    )
    return Section(
        ID,
        answer=" ".join([best(study, word), *([counters(study)] if study.fit else [])]),
        tables=(seen, tables["ratings"], tables["equilibrium"]),
        main=tables["pairs"],
        lines=sentences,
        data={"facts": facts, **tables},
        draw=lambda: heatmap(study.pairs),
    )


def _tables(study: MatchupStudy, word: str) -> dict[str, Table]:
    """Every pair, the ratings and the equilibrium, by their names in JSON. word: for an entrant."""
    ranks = f"Ratings: Bradley and Terry, in Elo points relative to an average {word}"
    mix = "What players who know the matchups would choose: shares of the equilibrium mix"
    return {
        "pairs": _table(study.pairs, "pairs", "Every pair, from both sides", word, PAIR_COLUMNS),
        "ratings": _table(study.ratings.table, "ratings", ranks, word, COLUMNS["ratings"]),
        "equilibrium": _table(study.equilibrium, "equilibrium", mix, word, COLUMNS["equilibrium"]),
    }


def _table(frame: pd.DataFrame, id_: str, caption: str, word: str, columns: dict[str, str]) -> Table:
    """Table whose first column has the names."""
    shown = table(frame, id_, caption, {"name": word, **columns}, FORMATS)
    return replace(shown, secondary=("ratings expect", *SECONDARY))


def matrix_table(study: MatchupStudy, word: str) -> Table:
    """Table of the win rate of the row against the column, with marks, strongest first."""
    frame, names = study.pairs, study.ratings.table["name"].tolist()
    texts = [f"{as_shown(rate, 'percent')}{mark}" for rate, mark in zip(frame["estimate"], marks(frame), strict=True)]
    cells = dict(zip(zip(frame["name"], frame["opponent"], strict=True), texts, strict=True))
    rows = tuple((name, *(cells.get((name, other)) for other in names)) for name in names)
    return Table("matchups", (word, *names), rows, "Who beats whom: win rate of the row against the column")


def marks(frame: pd.DataFrame) -> list[str]:
    """** if a matchup is significantly uneven after Holm, * if only after Benjamini and Hochberg."""
    return [str(mark) for mark in np.select([frame["p_holm"] < SURE, frame["p_bh"] < SURE], ["**", "*"], "")]


def _gain(study: MatchupStudy) -> list[str]:
    """Sentence on the games saved by pairs; none without pairs."""
    gain = study.encounters.gain
    if not study.encounters.paired or np.isnan(gain):
        return []
    saved = "; all pairs agree, so the dice decide nothing"
    saved = saved if np.isinf(gain) else f": without pairs, {number(gain)} times as many games would be needed"
    return [f"Every two play from both seats with the same dice, and pairs are the observations{saved}."]


def _fit_in_figures(study: MatchupStudy) -> list[str]:
    """Sentence on the fit of the ratings; none for two entrants."""
    fit = study.fit
    if fit is None:
        return []
    return [
        f"Ratings {'do not fit' if fit.p < SURE else 'are consistent with'} the matchups: X² = {fit.statistic:.1f} on "
        f"{fit.freedom} degrees of freedom, {fit.p_words}; farthest off: {fit.name} against {fit.opponent}, "
        f"{percent(fit.estimate)} instead of the expected {percent(fit.expected)}."
    ]


def matchups(study: Study) -> Section | None:
    """Matrix and equilibrium shares from a paired design at two seats.

    None without games of two, for teams (`synergy` shows which of their parts counter which), for very many entrants, and if
    two entrants never met in a game with a winner.
    """
    if refused(study.game, study.cards):
        return None
    games, word = study.budget.pair_games, study.game.entrant_word
    experiment = whole_passes(Experiment(study.game.name, study.cards, DUEL, (study.policy,), games, study.seed))
    encounters = encounters_of(experiment, study.play_as("pairs for matchups", experiment.games))
    if not encounters.complete:
        return None
    result = study_of(encounters, study.seed)
    answer = f"{best(result, word)} {counters(result)}"
    caption = (
        f"Share of the games {at_seats(DUEL)} that the row's {word} wins against the column's, from both seats with the same "
        "dice, without games that had no winner. Orange: the row wins more often; blue: less often. "
    )
    alt = f"Matrix of the win rates of every {word} against every other. {answer}"
    heat = DrawnChart(f"{ID}-paired", heatmap(result.pairs), caption + OTHER_GAMES, alt)
    frame, panels = result.equilibrium, []
    n = frame["name"].map(result.ratings.table.set_index("name")["n"])
    for title, columns in (
        ("Share of the mix, %", ["share", "low", "high"]),
        ("Wins against the mix, %", ["field", "field_low", "field_high"]),
    ):
        shown = (100 * frame[columns]).round(2).set_axis(["estimate", "low", "high"], axis=1)
        panels.append(shown.assign(panel=title, name=frame["name"], n=n))
    caption = (
        "Left: the mix that no choice beats. Right: win rate of each against the mix. Intervals reflect the uncertainty of the "
        "matchups."
    )
    alt = f"Dot plots of equilibrium shares with 95 % intervals. {answer}"
    mix = DrawnChart(f"{ID}-mix", dots(pd.concat(panels, ignore_index=True)), caption, alt)
    parts = _tables(result, word)
    ids = {"equilibrium": f"{ID}-mix", "ratings": f"{ID}-ratings", "pairs": f"{ID}-pairs"}
    how = (
        "p (Holm) and p (BH): against an even match, adjusted for all matchups. Ratings: Bradley and Terry, 0 for an average "
        f"{word}. The mix: Nash equilibrium of the choice, the most even one if there are several; its intervals come from "
        "matchups resampled within their uncertainty."
    )
    return Section(
        ID,
        f"Which {word} is best against players who know the matchups, and are there counters?",
        answer,
        (heat, mix),
        tuple(replace(parts[name], id=id_) for name, id_ in ids.items()),
        " ".join([*_gain(result), *_fit_in_figures(result), how]),
    )


def best(result: MatchupStudy, word: str) -> str:
    """Sentence on the equilibrium: the best entrant or the mix."""
    mix = result.equilibrium

    def named(frame: pd.DataFrame, column: str) -> str:
        return listed([f"{name} ({percent(share, 0)})" for name, share in zip(frame["name"], frame[column], strict=True)])

    likely, top = mix[mix["support"] >= SURE].sort_values("support", ascending=False, kind="stable"), mix.iloc[0]
    if (mix["support"] < 1 - SURE).all():
        sentence = "These games do not settle what is best against players who know the matchups; probability of being in the "
        return f"{sentence}mix that no choice beats: {named(likely, 'support')}."
    sentence = "Players who know the matchups choose"
    if top["share"] >= 0.995:
        rivals = likely.drop(index=0, errors="ignore")
        maybe = f" in these games (probability that another belongs to the mix: {named(rivals, 'support')})"
        return f"{sentence} {top['name']}, which no other {word} beats{maybe if len(rivals) else ''}."
    never = int((mix["support"] < SURE).sum())
    rest = f"; {some(never, word)} would hardly ever be chosen" if never else ""
    sentence += f" a mix, {named(mix[mix['share'] >= 0.005], 'share')} (95 % interval of {top['name']}: "
    return f"{sentence}{100 * top['low']:.0f} to {percent(top['high'], 0)}){rest}."


def counters(result: MatchupStudy) -> str:
    """Sentence on significant cycles."""
    if not result.cycles:
        return "No cycle in which each beats the next is significant."
    names, rates_ = result.cycles[0].names, result.cycles[0].rates
    links = listed([f"{names[link]} beats {names[(link + 1) % 3]} ({percent(rates_[link])})" for link in range(3)])
    if len(result.cycles) == 1:
        return f"One cycle of counters is significant: {links}."
    return f"{capital(number_word(len(result.cycles)))} cycles of counters are significant; the clearest: {links}."


def matchup_matrix(study: Study, question: Question) -> Section | None:
    """Heat map of all pairs, rows and columns by strength; None without games of two, and for teams.

    Teams are too many and meet too rarely; `synergy` shows which of their parts counter which.
    """
    if DUEL not in study.seats or len(study.names) < LEAST or study.teams:
        return None
    frame, word = pairs(matrix(study.tally, study.names)), study.game.entrant_word
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    # by the lower bound, so that pairs with few games do not lead by luck
    top = known.sort_values(["low", "estimate"], ascending=False, kind="stable").iloc[0]
    apart, much = known["p_holm"] < SURE, 0.7
    uneven, lopsided = int(apart.sum()) // 2, int((apart & (known["estimate"] > much)).sum())
    answer = (
        f"The most lopsided pair: {top['name']} beats {top['opponent']} in {percent(top['estimate'])} of their games "
        f"{interval_of(top)}. Of {some(len(known) // 2, 'pair')}, {number_word(uneven) if uneven else 'none'} "
        f"{'is' if uneven == 1 else 'are'} significantly uneven (p{NO_BREAK}<{NO_BREAK}{SURE} after Holm's adjustment)"
    )
    if uneven:
        answer += f"; in {number_word(lopsided) if lopsided else 'none'} of them one side wins more than {percent(much, 0)}"
    caption = (
        f"Share of the games that the row's {word} wins against the column's, both seatings together, without games that had no "
        "winner. Orange: the row wins more often; blue: less often; pale: the interval includes 50 %."
    )
    ordered = frame.sort_values(["name", "estimate"], ascending=[True, False], kind="stable")
    numbers = table(ordered, "matchups", "Every pair", rate_columns(name=word, opponent="against") | {"p_holm": "p (Holm)"})
    alt = f"Matrix of the win rates of every {word} against every other at two seats. {answer}."
    chart = DrawnChart(question.id, heatmap(frame), caption, alt)
    note = "p (Holm): against an even match, adjusted for all pairs."
    return Section(question.id, question.text, f"{answer}.", (chart,), (numbers,), note)
