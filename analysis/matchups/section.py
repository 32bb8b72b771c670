"""Study of matchups from one paired experiment at two seats: win rates, ratings, cycles and equilibrium.

Results of `fairfight matchups` and report sections on matchups: matrix, ratings, counters and equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dots, heatmap
from analysis.data.decks import deck_facts, making_lines
from analysis.data.encounters import DUEL, Encounters, EncounterTally
from analysis.data.names import forbidden_lines
from analysis.data.shares import Play
from analysis.data.study import OTHER_GAMES, Study
from analysis.document.model import (
    SECONDARY,
    THIN,
    Chart,
    Format,
    Section,
    Table,
    as_shown,
    count,
    counted,
    limit_words,
    number,
    percent,
    rate_columns,
    table,
    truncated_words,
)
from analysis.document.prose import NO_BREAK, at_seats, capital, interval, listed, number_word, plural, some
from analysis.matchups.ratings import (
    DRAWS,
    Cycle,
    Fit,
    Intransitivity,
    Ratings,
    equilibrium,
    goodness_of_fit,
    intransitivity,
    ratings,
    sure_cycles,
)
from analysis.stats.intervals import LEVEL
from analysis.winrates import rates
from analysis.winrates.rates import Matchups, matrix, pairs
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.measures import Question
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks

LEAST = 2  # entrants
ENTRANTS_MAX = 64  # with more, each pair would meet too rarely


@dataclass(frozen=True, eq=False)
class MatchupStudy:
    """Results on the matchups of a set of entrants.

    fit and order are None if there are too few entrants; cycles: significant ones, the clearest first; equilibrium: see
    `equilibrium.equilibrium`.
    """

    encounters: Encounters
    matchups: Matchups
    ratings: Ratings
    fit: Fit | None
    order: Intransitivity | None
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


def matchup_study(experiment: Experiment, play: Play | None = None, level: float = LEVEL) -> MatchupStudy:
    """Play an experiment (see `paired`) and analyse it. Raises ValueError if two entrants never met."""
    return study_of(encounters_of(experiment, play), experiment.seed, level)


def encounters_of(experiment: Experiment, play: Play | None = None) -> Encounters:
    """Play an experiment at two seats and count the results of every pair. Raises ValueError for other numbers of seats."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in (play or blocks)(experiment):
        tally.add(block.rows)
    return tally.encounters()


def study_of(encounters: Encounters, seed: int = 1, level: float = LEVEL) -> MatchupStudy:
    """Analyse encounters. seed: of the random samples. Raises ValueError if two entrants never met."""
    encounters.require_complete()
    table = rates.of_encounters(encounters, level)
    return MatchupStudy(
        encounters,
        table,
        ratings(encounters, level),
        goodness_of_fit(encounters, seed=seed),
        intransitivity(encounters, level),
        tuple(sure_cycles(table)),
        equilibrium(encounters, seed=seed, level=level),
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


SURE = 0.05
MATRIX_MAX = 20  # entrants up to which the matrix is printed; with more, the most uneven matchups
ENDS = 15  # matchups
SHARES = ("share", "share low", "share high", "in the mix", "alpha-rank", "alpha low", "alpha high")
RATES = ("win rate", "low", "high", "ratings expect", "against the mix", "mix low", "mix high")
FORMATS: dict[str, Format] = {
    **dict.fromkeys((*SHARES, *RATES), "percent"),
    **dict.fromkeys(("Elo", "Elo low", "Elo high", "n"), "count"),
    **dict.fromkeys(("rating", "standard error"), "number"),
    **dict.fromkeys(("p (Holm)", "p (BH)"), "p"),
}
RATING_COLUMNS = {"name": "", "elo": "Elo", "elo_low": "Elo low", "elo_high": "Elo high", "rating": "rating"}
RATING_COLUMNS |= {"error": "standard error", "n": "n"}
MIX_COLUMNS = {"name": "", "share": "share", "low": "share low", "high": "share high", "support": "in the mix"}
MIX_COLUMNS |= {"alpha": "alpha-rank", "alpha_low": "alpha low", "alpha_high": "alpha high"}
MIX_COLUMNS |= {"field": "against the mix", "field_low": "mix low", "field_high": "mix high"}
PAIR_COLUMNS = {"name": "", "opponent": "against", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
PAIR_COLUMNS |= {"p_holm": "p (Holm)", "p_bh": "p (BH)", "expected": "ratings expect"}


@dataclass(frozen=True)
class MatchupTables:
    """Study of matchups, as tables and plain values."""

    facts: dict[str, Any]
    pairs: Table
    seen: Table  # printed: the matrix or the most uneven pairs
    ratings: Table
    equilibrium: Table
    lines: tuple[str, ...]

    def main(self) -> Table:
        """Return the table of the CSV file: every pair, from both sides."""
        return self.pairs

    def tables(self) -> list[Table]:
        """Return the tables in reading order."""
        return [self.seen, self.ratings, self.equilibrium]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"facts": self.facts, "pairs": self.pairs, "ratings": self.ratings, "equilibrium": self.equilibrium}


def matchup_tables(experiment: Experiment, study: MatchupStudy) -> MatchupTables:
    """Make the tables and sentences of a study."""
    game = experiment.game
    tests = {"fit": study.fit, "intransitivity": study.order}
    facts = experiment.facts() | deck_facts(game, experiment.cards) | {"gain": study.encounters.gain}
    facts |= {"truncated": study.encounters.truncated}
    facts |= {name: asdict(test) if test else None for name, test in tests.items()}
    facts |= {"sure_cycles": [asdict(cycle) for cycle in study.cycles]}
    word = game.entrant_word
    few = len(study.encounters.names) <= MATRIX_MAX
    return MatchupTables(
        facts,
        pairs_table(study, word),
        matrix_table(study, word) if few else _most_uneven(study, word),
        ratings_table(study, word),
        equilibrium_table(study, word),
        _lines(experiment, study),
    )


def pairs_table(study: MatchupStudy, word: str, id_: str = "pairs") -> Table:
    """Table of every pair from both sides, with interval, n and p-values. word: for an entrant."""
    return _table(study.pairs, id_, "Every pair, from both sides", PAIR_COLUMNS, word)


def ratings_table(study: MatchupStudy, word: str, id_: str = "ratings") -> Table:
    """Table of ratings with intervals, best first."""
    caption = f"Ratings: Bradley and Terry, in Elo points relative to an average {word}"
    return _table(study.ratings.table, id_, caption, RATING_COLUMNS, word)


def equilibrium_table(study: MatchupStudy, word: str, id_: str = "equilibrium") -> Table:
    """Table of equilibrium shares with intervals, largest first."""
    caption = "What players who know the matchups would choose: shares of the equilibrium mix, and alpha-rank"
    return _table(study.equilibrium, id_, caption, MIX_COLUMNS, word)


def matrix_table(study: MatchupStudy, word: str) -> Table:
    """Table of the win rate of the row against the column, with marks, strongest first."""
    frame = study.pairs
    names = study.ratings.table["name"].tolist()
    keys = zip(frame["name"], frame["opponent"], strict=True)
    texts = (f"{as_shown(rate, 'percent')}{mark}" for rate, mark in zip(frame["estimate"], marks(frame), strict=True))
    cells = dict(zip(keys, texts, strict=True))
    rows = tuple((name, *(cells.get((name, other)) for other in names)) for name in names)
    return Table("matchups", (word, *names), rows, "Who beats whom: win rate of the row against the column")


def marks(frame: pd.DataFrame) -> list[str]:
    """** if a matchup is significantly uneven after Holm, * if only after Benjamini and Hochberg."""
    return [str(mark) for mark in np.select([frame["p_holm"] < SURE, frame["p_bh"] < SURE], ["**", "*"], "")]


def _most_uneven(study: MatchupStudy, word: str) -> Table:
    frame = study.pairs.sort_values(["low", "estimate"], ascending=False, kind="stable").head(ENDS)
    return _table(frame, "uneven", f"The {ENDS} most uneven matchups; all are in the CSV file and in JSON", PAIR_COLUMNS, word)


def _table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str], word: str) -> Table:
    """Table from columns of a frame: name in the frame -> heading, which is `word` if empty."""
    cells = frame[list(columns)].astype(object).itertuples(index=False)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in cells)
    headings = tuple(heading or word for heading in columns.values())
    formats = {name: form for name, form in FORMATS.items() if name in headings}
    return Table(id_, headings, rows, caption, formats, secondary=("alpha low", "ratings expect", *SECONDARY))


def _lines(experiment: Experiment, study: MatchupStudy) -> tuple[str, ...]:
    """Sentences on the run and on how to read the tables."""
    cards = experiment.cards
    made = f"{cards.title} (digest {cards.digest}): {count(experiment.games)} games, seed {experiment.seed}, policy "
    made += f"{experiment.policy_words}; line-ups: {experiment.design}."
    marked = f"** significantly uneven (p < {SURE}, Holm over all matchups), * after Benjamini and Hochberg only "
    marked += f"(at most {percent(SURE, 0)} of such marks are false on average). {_precision(study)}"
    mix = "Share: of the mix that no choice beats (Nash); in the mix: probability that the share is above zero, given the "
    mix += (
        "uncertainty of the matchups. Alpha-rank: share of time that each dominates a population that keeps trying others. "
        f"Intervals: 95{THIN}%."
    )
    return (
        made,
        *making_lines(cards),
        *forbidden_lines(experiment.forbidden),
        truncated_words(study.encounters.truncated, study.encounters.played, limit_words(experiment.game.limits_itself)),
        *gain_line(study),
        marked,
        *order_lines(study),
        *_of_cycles(study),
        mix,
    )


def _precision(study: MatchupStudy) -> str:
    """Sentence on the precision of the matchups."""
    widest = 100 * float((study.pairs["high"] - study.pairs["low"]).max()) / 2
    sentence = f"Each matchup: {counted(study.pairs['n'].tolist())} games with a winner, win rates known to ±{widest:.1f} points "
    return sentence + f"or better at 95{THIN}%; all intervals are in the CSV file and in JSON."


def gain_line(study: MatchupStudy) -> list[str]:
    """Sentence on the games saved by pairs; empty without pairs."""
    gain = study.encounters.gain
    if not study.encounters.paired or np.isnan(gain):
        return []
    design = "Every two play from both seats with the same dice, and pairs are the observations"
    if np.isinf(gain):
        return [f"{design}; all pairs agree, so the dice decide nothing."]
    return [f"{design}: without pairs, {number(gain)} times as many games would be needed."]


def order_lines(study: MatchupStudy) -> list[str]:
    """Sentences on the fit of the ratings and the variance they leave unexplained."""
    lines = []
    if study.fit:
        fit = study.fit
        verdict = "do not fit the matchups" if fit.p < SURE else "are consistent with the matchups"
        line = f"Ratings {verdict}: X² = {fit.statistic:.1f} on {fit.freedom} degrees of freedom, {p_words(fit)}; farthest off: "
        line += f"{fit.name} against {fit.opponent}, {percent(fit.estimate)} instead of the expected {percent(fit.expected)}."
        lines.append(line)
    if study.order:
        order = study.order
        line = f"Variance of the matchups that no ratings explain: {percent(order.estimate)} (95{THIN}% interval "
        line += f"{100 * order.low:.1f} to {percent(order.high)}), corrected for noise."
        lines.append(line)
    return lines


def p_words(fit: Fit) -> str:
    """Format `p = 0.120`, or `p ≤ 0.001` at the resolution of the bootstrap."""
    return f"p {'≤' if fit.p <= 1 / (DRAWS + 1) else '='} {fit.p:.3f}"


def _of_cycles(study: MatchupStudy) -> list[str]:
    if not study.order:
        return []
    if not study.cycles:
        return ["No cycle of three is significant."]
    cycle = study.cycles[0]
    many = f"{count(len(study.cycles))} cycles of three are" if len(study.cycles) > 1 else "One cycle of three is"
    return [f"{many} significant; the clearest: {cycle_words(cycle.names, cycle.rates)}."]


def cycle_words(names: tuple[str, str, str], rates: tuple[float, float, float]) -> str:
    """Write `A beats B (60 %), B beats C (58 %) and C beats A (55 %)`."""
    links = [f"{names[link]} beats {names[(link + 1) % 3]} ({percent(rates[link])})" for link in range(3)]
    return f"{links[0]}, {links[1]} and {links[2]}"


ORDERED = 0.1  # unexplained share of the variance up to which a set counts as ordered
ALL = 0.995  # share above which one entrant counts as the whole mix
SHOWN = 0.005  # least share of the mix that is named
ID = "matchups"


def matchups(study: Study) -> Section | None:
    """Matrix and equilibrium shares from a paired design at two seats.

    None without games of two, for teams (`synergy` shows which of their parts counter which), for very many entrants, and if
    two entrants never met in a game with a winner.
    """
    result = _played(study)
    if result is None:
        return None
    word = study.game.entrant_word
    answer = " ".join([best(result, word), counters(result), order(result, word)])
    caption = f"Share of the games {at_seats(DUEL)} that the row's {word} wins against the column's, from both seats with "
    caption += "the same dice, without games that had no winner. Orange: the row wins more often; blue: less often. "
    caption += OTHER_GAMES
    alt = f"Matrix of the win rates of every {word} against every other. {answer}"
    matrix = Chart(f"{ID}-paired", heatmap(result.pairs), caption, alt)
    caption = "Left: the mix that no choice beats. Middle: share of time that each dominates a population that keeps trying "
    caption += "others. Right: win rate of each against the mix. Intervals reflect the uncertainty of the matchups."
    mix = Chart(f"{ID}-mix", dots(_panels(result)), caption, f"Dot plots of equilibrium shares with 95 % intervals. {answer}")
    tables = (
        equilibrium_table(result, word, f"{ID}-mix"),
        ratings_table(result, word, f"{ID}-ratings"),
        pairs_table(result, word, f"{ID}-pairs"),
    )
    note = " ".join([*gain_line(result), *order_lines(result), _how(word)])
    question = f"Which {word} is best against players who know the matchups, and are there counters?"
    return Section(ID, question, answer, (matrix, mix), tables, note)


def best(result: MatchupStudy, word: str) -> str:
    """Sentence on the equilibrium: the best entrant or the mix."""
    mix = result.equilibrium
    if (mix["support"] < 1 - SURE).all():
        likely = mix[mix["support"] >= SURE].sort_values("support", ascending=False, kind="stable")
        sentence = "These games do not settle what is best against players who know the matchups; probability of being in the mix"
        return f"{sentence} that no choice beats: {_with(likely, 'support')}."
    top = mix.iloc[0]
    if top["share"] >= ALL:
        return f"Players who know the matchups choose {top['name']}, which no other {word} beats{_rivals(mix)}."
    sentence = f"Players who know the matchups choose a mix, {_with(mix[mix['share'] >= SHOWN], 'share')}"
    sentence += f" (95 % interval of {top['name']}: {100 * top['low']:.0f} to {percent(top['high'], 0)})"
    never = int((mix["support"] < SURE).sum())
    if never:
        sentence += f"; {number_word(never)} {word if never == 1 else plural(word)} would hardly ever be chosen"
    return f"{sentence}."


def _rivals(mix: pd.DataFrame) -> str:
    """Clause on others that may belong to the mix besides a single best entrant."""
    others = mix.iloc[1:]
    likely = others[others["support"] >= SURE].sort_values("support", ascending=False, kind="stable")
    if likely.empty:
        return ""
    return f" in these games (probability that another belongs to the mix: {_with(likely, 'support')})"


def _with(frame: pd.DataFrame, column: str) -> str:
    """Names with shares in brackets."""
    shares = zip(frame["name"], frame[column], strict=True)
    return listed([f"{name} ({percent(share, 0)})" for name, share in shares])


def counters(result: MatchupStudy) -> str:
    """Sentence on significant cycles."""
    if not result.cycles:
        return "No cycle in which each beats the next is significant."
    cycle = result.cycles[0]
    words = cycle_words(cycle.names, cycle.rates)
    if len(result.cycles) == 1:
        return f"One cycle of counters is significant: {words}."
    return f"{capital(number_word(len(result.cycles)))} cycles of counters are significant; the clearest: {words}."


def order(result: MatchupStudy, word: str) -> str:
    """Sentence on whether one rating for each explains the matchups."""
    if result.order is None or result.fit is None:
        return ""
    share = result.order
    bounds = f"(95 % interval {100 * share.low:.0f} to {percent(share.high, 0)})"
    if share.low == 0 and share.high == 1:
        return "The matchups differ too little in these games to decide whether one entrant is better than another."
    rest = f"{percent(share.estimate, 0)} of the variance of the matchups {bounds}"
    if share.high <= ORDERED:
        return f"The set is ordered: a rating for each {word} leaves only {rest} unexplained."
    if share.low > ORDERED:
        return f"The set is not simply ordered: a rating for each {word} leaves {rest} unexplained, {p_words(result.fit)}."
    return f"How far the set is ordered is not decided: a rating for each {word} leaves {rest} unexplained."


def _played(study: Study) -> MatchupStudy | None:
    """Play the paired games; None if there are no matchups or they are incomplete."""
    if refused(study.game, study.cards):
        return None
    experiment = whole_passes(
        Experiment(study.game.name, study.cards, DUEL, (study.policy,), study.budget.pair_games, study.seed)
    )
    encounters = encounters_of(experiment, study.player("pairs for matchups", experiment.games))
    return study_of(encounters, study.seed) if encounters.complete else None


def _panels(result: MatchupStudy) -> pd.DataFrame:
    """Data of the chart: three quantities of each entrant, in percent."""
    mix, games = result.equilibrium, result.ratings.table.set_index("name")["n"]
    panels = {
        "Share of the mix, %": ("share", "low", "high"),
        "Alpha-rank, %": ("alpha", "alpha_low", "alpha_high"),
        "Wins against the mix, %": ("field", "field_low", "field_high"),
    }
    parts = []
    for title, columns in panels.items():
        values = dict(zip(("estimate", "low", "high"), ((100 * mix[column]).round(2) for column in columns), strict=True))
        parts.append(pd.DataFrame({"panel": title, "name": mix["name"], **values, "n": mix["name"].map(games)}))
    return pd.concat(parts, ignore_index=True)


def _how(word: str) -> str:
    """Sentences on the terms used."""
    sentences = "p (Holm) and p (BH): against an even match, adjusted for all matchups. Ratings: Bradley and Terry, 0 for an "
    sentences += f"average {word}. The mix: Nash equilibrium of the choice, the most even one if there are several; its "
    return sentences + "intervals come from matchups resampled within their uncertainty."


LOPSIDED = 0.7  # win rate above which a pair counts as lopsided


def matchup_matrix(study: Study, question: Question) -> Section | None:
    """Heat map of all pairs, rows and columns by strength; None without games of two, and for teams.

    Teams are too many and meet too rarely; `synergy` shows which of their parts counter which.
    """
    if 2 not in study.seats or len(study.names) < 2 or study.teams:
        return None
    frame = pairs(matrix(study.tally, study.names))
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    top = known.sort_values(["low", "estimate"], ascending=False, kind="stable").iloc[
        0
    ]  # by the lower bound, so that pairs with few games do not lead by luck
    answer = f"The most lopsided pair: {top['name']} beats {top['opponent']} in {percent(top['estimate'])} of their games "
    answer += f"{interval(top['low'], top['high'], top['n'])}. {_uneven(known)}"
    word = study.game.entrant_word
    caption = f"Share of the games that the row's {word} wins against the column's, both seatings together, without games that "
    caption += "had no winner. Orange: the row wins more often; blue: less often; pale: the interval includes 50 %."
    columns = {**rate_columns(name=word, opponent="against"), "p_holm": "p (Holm)"}
    ordered = frame.sort_values(["name", "estimate"], ascending=[True, False], kind="stable")
    numbers = table(ordered, "matchups", "Every pair", columns)
    note = "p (Holm): against an even match, adjusted for all pairs."
    alt = f"Matrix of the win rates of every {word} against every other at two seats. {answer}"
    chart = Chart(question.id, heatmap(frame), caption, alt)
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _uneven(frame: pd.DataFrame) -> str:
    """Sentence on the numbers of significantly uneven and of lopsided pairs."""
    apart = frame["p_holm"] < SURE
    uneven, lopsided = int(apart.sum()) // 2, int((apart & (frame["estimate"] > LOPSIDED)).sum())
    sure = f"significantly uneven (p{NO_BREAK}<{NO_BREAK}{SURE} after Holm's adjustment)"
    sentence = f"Of {some(len(frame) // 2, 'pair')}, {number_word(uneven)} {'is' if uneven == 1 else 'are'} {sure}"
    if not uneven:
        return sentence.replace(", no ", ", none ") + "."
    lopsided_words = number_word(lopsided) if lopsided else "none"
    return f"{sentence}; in {lopsided_words} of them one side wins more than {percent(LOPSIDED, 0)}."


def matchups_chart(study: MatchupStudy) -> Figure:
    """Who beats whom."""
    return heatmap(study.pairs)
