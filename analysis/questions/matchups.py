"""Who beats whom at two seats: win rates of all pairs, ratings, cycles, and the equilibrium of players who know the matchups."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote, NoAnswerError
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import SENTENCE_GAMES, bounds_of, capital, limit_words, listed, number_word, truncated_words
from analysis.answer.tables import Table, rate_columns, table
from analysis.data.commands import more_games
from analysis.data.decks import deck_facts
from analysis.data.encounters import DUEL, Encounters, EncounterTally
from analysis.data.names import forbidden_lines
from analysis.data.players import LONG_ANSWER
from analysis.data.shares import Play
from analysis.data.study import Study
from analysis.matchups.ratings import SURE, Cycle, Fit, Ratings, equilibrium, goodness_of_fit, ratings, sure_cycles
from analysis.playtests.pairs import matchups as matchups_of_log
from analysis.question import question
from analysis.winrates import rates
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

LEAST, MOST = 2, 64  # entrants; with more, each pair would meet too rarely
MATRIX_MAX = 20  # entrants up to which there is a matrix
ALONE = 0.995  # share of the mix from which an entrant is called the only choice
MUCH = 0.5  # share of the mix from which players choose mostly one entrant
WORTH_TELLING = 1.05  # gain by pairs

PAIR_COLUMNS = rate_columns() | {"uneven": "uneven", "p_holm": "p (Holm)", "p_bh": "p (BH)", "expected": "ratings expect"}
RATING_COLUMNS = {
    "elo": "Elo",
    "elo_low": "Elo low",
    "elo_high": "Elo high",
    "rating": "rating",
    "error": "standard error",
    "n": "n",
}
MIX_COLUMNS = {
    "estimate": "share",
    "low": "share low",
    "high": "share high",
    "support": "in the mix",
    "field": "against the mix",
    "field_low": "mix low",
    "field_high": "mix high",
}
FORMATS: dict[str, Format] = {
    **dict.fromkeys((*MIX_COLUMNS.values(), "ratings expect"), "percent"),
    **dict.fromkeys(("Elo", "Elo low", "Elo high"), "count"),
    **dict.fromkeys(("rating", "standard error"), "number"),
    "p (BH)": "p",
}


@question(
    log=matchups_of_log,
    without=("seats", "line_up"),
    reads=True,
    seconds=LONG_ANSWER,
    examples=("matchups arena --games 50000 --policy random",),
    title="Who beats whom, and what would players choose who know it?",
)
def matchups(study: Study, games: int = 20_000) -> Answer:
    """Who beats whom at two seats, ratings, cycles, and what informed players would choose.

    All pairs of entrants play from both seats with the same dice, and the two games are one observation.

    Parameters
    ----------
    games : int
        Games played in all, rounded up so that all pairs of entrants meet equally often.
        By default at most those of about twelve seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.matchups("arena", 112, policy="random", progress=False)
    >>> len(result.frame), list(result.frames)
    (56, ['pairs', 'matrix', 'ratings', 'equilibrium'])

    """
    experiment = as_played(study.given) if study.given else paired(study, games)
    encounters = encounters_of(experiment, partial(study.player.play, stage="matchups", total=experiment.games))
    found = Meetings.of(encounters, experiment.seed)
    word = experiment.game.entrant_word
    played = study.player.counted(experiment, encounters.played)
    facts = {
        **played.facts(),
        **deck_facts(played.game, played.cards),
        "gain": encounters.gain,
        "truncated": encounters.truncated,
        "draws": encounters.shared,
        "fit": asdict(found.fit) if found.fit else None,
        "sure_cycles": [asdict(cycle) for cycle in found.cycles],
    }
    return Answer(
        summary(found),
        (pairs_table(found, word), *matrix_tables(found, word), ratings_table(found, word), mix_table(found, word)),
        (
            Chart(lambda: charts.heatmap(found.pairs), f"Games that the row's {word} wins against the column's, in pairs."),
            Chart(partial(mix_chart, found), "The mix that no choice beats, and how each fares against it.", "mix"),
        ),
        (*notes(found, limit_words(played.game.limits_itself)), *forbidden_lines(played.forbidden)),
        facts,
        again=more_games(games) if not study.given and not settled(found) else {},
        shown=study.player.shown,
    )


def paired(study: Study, games: int) -> Experiment:
    """Every pair from both seats with the same dice, in whole passes: games rounded up so that all pairs meet equally often.

    Raises NoAnswerError for the reasons of `refused`, and ValueError if there are too few games for every pair to meet.
    """
    if why := refused(study.game, study.cards):
        raise NoAnswerError(why)
    base = study.base or Experiment(study.game.name, study.cards, DUEL, (study.policy,), games, study.seed)
    experiment = replace(base, paired=True, games_wanted=games)
    least = experiment.pass_games or 1
    if study.base is not None and games < least:  # a report of few games has matchups nevertheless
        raise ValueError(f"games={games} must be at least {least}, so that every pair meets from both seats")
    return replace(experiment, games_wanted=-(-games // least) * least)


def as_played(experiment: Experiment) -> Experiment:
    """Check that games that exist can be used for matchups, and return their experiment.

    Raises NoAnswerError for the reasons of `refused`, for other numbers of seats, and for games of one line-up.
    """
    if why := refused(experiment.game, experiment.cards):
        raise NoAnswerError(why)
    if experiment.seats != DUEL:
        raise NoAnswerError(f"{experiment.cards.path}: matchups need two seats, but its games have {experiment.seats}")
    if experiment.line_up is not None:
        raise NoAnswerError(f"{experiment.cards.path}: matchups need all entrants, but its games have one line-up")
    return experiment


def refused(game: Game, cards: CardSet) -> str:
    """Reason why there are no matchups (no two seats, teams, one or very many entrants); empty if there are."""
    teams, entrants = game.teams_for(cards), len(cards.ids)
    if teams is not None:
        words = f"the {entrants} {game.entrants_word} are made of {teams.parts} {teams.words} and meet too rarely"
        return f"{game.title}: {words}; matchups are for games in which entrants are not teams"
    if DUEL not in game.seats_for(cards):
        return f"{game.title}: matchups need two seats, and the game is never played by two"
    if not LEAST <= entrants <= MOST:
        return f"{game.title}: {entrants} {game.entrants_word}; matchups need {LEAST} to {MOST}"
    return ""


def encounters_of(experiment: Experiment, play: Play) -> Encounters:
    """Play an experiment at two seats and count the results of every pair. Raises ValueError for other numbers of seats."""
    tally = EncounterTally(experiment.cards.names, experiment.pair_games)
    for block in play(experiment):
        tally.add(block.rows)
    return tally.encounters()


@dataclass(frozen=True, eq=False)
class Meetings:
    """Encounters and what follows from them.

    pairs: see `every_pair`; fit: None for two entrants; cycles: significant ones, the clearest first; equilibrium: see
    `ratings.equilibrium`.
    """

    encounters: Encounters
    pairs: pd.DataFrame
    ratings: Ratings
    fit: Fit | None
    cycles: tuple[Cycle, ...]
    equilibrium: pd.DataFrame

    @classmethod
    def of(cls, encounters: Encounters, seed: int = 1) -> Meetings:
        """Analyse encounters. seed: of the random samples. Raises NoAnswerError if two entrants never met."""
        encounters.require_complete()
        win_rates = rates.of_encounters(encounters)
        fitted = ratings(encounters)
        return cls(
            encounters,
            every_pair(win_rates, fitted),
            fitted,
            goodness_of_fit(encounters, seed=seed),
            tuple(sure_cycles(win_rates)),
            equilibrium(encounters, seed=seed),
        )


def every_pair(win_rates: rates.Matchups, fitted: Ratings) -> pd.DataFrame:
    """Every pair from both sides, in the order of the ratings: columns of `rates.pairs`, and expected (by ratings)."""
    frame = rates.pairs(win_rates)
    row, column = (frame[side].map({name: at for at, name in enumerate(win_rates.names)}) for side in ("name", "opponent_name"))
    place = {name: at for at, name in enumerate(fitted.table["name"])}
    frame = frame.assign(expected=fitted.expected[row.to_numpy(), column.to_numpy()])
    return frame.sort_values(["name", "opponent_name"], key=lambda names: names.map(place), ignore_index=True)


def summary(found: Meetings) -> str:
    """The sentence: the most lopsided pair, and what players would choose."""
    if not (found.pairs["p_holm"] < SURE).any():
        return f"{most_lopsided(found.pairs)}."
    return f"{most_lopsided(found.pairs)}; {choice(found.equilibrium)}."


def settled(found: Meetings) -> bool:
    """Whether a matchup is significantly uneven, and what players would choose is certain."""
    return bool((found.pairs["p_holm"] < SURE).any()) and not unsettled(found.equilibrium)


def most_lopsided(pairs: pd.DataFrame) -> str:
    """Words for the most lopsided pair, by the lower bound, so that pairs with few games do not lead by luck."""
    known = pairs[pairs["n"] > 0]
    top = uneven_first(known).iloc[0]
    if not (known["p_holm"] < SURE).any():
        return f"None of {count(len(known) // 2)} matchups is significantly uneven"
    return f"{top['name']} beats {top['opponent_name']} in {percent(top['estimate'])} {bounds_of(top)} of their games"


def uneven_first(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs by the lower bound of their win rate, the largest first."""
    return pairs.sort_values(["low", "estimate"], ascending=False, kind="stable")


def choice(mix: pd.DataFrame) -> str:
    """Words for the equilibrium: the best entrant or the mix."""
    top = mix.iloc[0]
    if unsettled(mix):
        return "these games do not settle what players who know the matchups would choose"
    if top["estimate"] >= ALONE and top["low"] < MUCH:
        return f"players who know the matchups would probably choose {top['name']}"
    if top["estimate"] >= ALONE:
        return f"players who know the matchups choose {top['name']} alone"
    how = "mostly" if top["estimate"] >= MUCH else "a mix led by"
    return f"players who know the matchups choose {how} {top['name']} ({percent(top['estimate'], 0)})"


def unsettled(mix: pd.DataFrame) -> bool:
    """Whether no entrant surely belongs to the mix."""
    return bool((mix["support"] < 1 - SURE).all())


def pairs_table(found: Meetings, word: str) -> Table:
    """Every pair once, see `each_once`; the data has both sides. word: for an entrant."""
    once = each_once(found.pairs)
    once = once.assign(uneven=uneven_words(once))
    lopsided = _table(
        once, "pairs", "Who beats whom, by the lower end of the interval", word, {"opponent_name": "beats", **PAIR_COLUMNS}
    )
    return replace(lopsided, whole=found.pairs)


def matrix_tables(found: Meetings, word: str) -> list[Table]:
    """Win rate of the row against the column, strongest first; none with many entrants."""
    names = found.ratings.table["name"].tolist()
    if len(names) > MATRIX_MAX:
        return []
    rates_ = found.pairs.pivot_table("estimate", "name", "opponent_name").reindex(index=names, columns=names)
    frame = rates_.rename_axis(index=None, columns=None).rename_axis("name").reset_index()
    caption = "Win rate of the row against the column"
    return [table(frame, "matrix", caption, {"name": word, **{name: name for name in names}}, dict.fromkeys(names, "percent"))]


def each_once(pairs: pd.DataFrame) -> pd.DataFrame:
    """Every pair once, from the side that wins more, in the order of `uneven_first`."""
    ordered = uneven_first(pairs)
    met = [tuple(sorted(both)) for both in zip(ordered["name"], ordered["opponent_name"], strict=True)]
    once: pd.DataFrame = ordered[~pd.Index(met).duplicated()]
    return once


def uneven_words(pairs: pd.DataFrame) -> pd.Series:
    """Whether a matchup is uneven: surely, after Holm; probably, after Benjamini and Hochberg only."""
    words = np.select([pairs["p_holm"] < SURE, pairs["p_bh"] < SURE], ["surely", "probably"], "")
    return pd.Series(words, pairs.index, object).where(words != "")


def ratings_table(found: Meetings, word: str) -> Table:
    """Ratings of all entrants."""
    caption = f"Ratings: Bradley and Terry, in Elo points relative to an average {word}"
    return _table(found.ratings.table, "ratings", caption, word, RATING_COLUMNS)


def mix_table(found: Meetings, word: str) -> Table:
    """Shares of the equilibrium mix."""
    caption = "What players who know the matchups would choose: shares of the equilibrium mix"
    return _table(found.equilibrium, "equilibrium", caption, word, MIX_COLUMNS)


def _table(frame: pd.DataFrame, id_: str, caption: str, word: str, columns: dict[str, str]) -> Table:
    """Table whose first column has the names."""
    return table(frame, id_, caption, {"name": word, **columns}, FORMATS, details=("ratings expect",))


def notes(found: Meetings, limit: str) -> list[str]:
    """Counters, fit of the ratings, the mix, and which games count. limit: that stops games, in words."""
    encounters = found.encounters
    truncated = encounters.truncated
    return [
        *([counters(found.cycles)] if found.fit else []),
        *([ColumnNote(fit_words(found.fit), "Elo", "ratings expect")] if found.fit else []),
        f"Uneven: surely if p < {SURE} after Holm over all matchups, probably if after Benjamini and Hochberg only.",
        "Intervals hold for each matchup alone.",
        ColumnNote("In the mix: probability that a share of the mix that no choice beats (Nash) is above zero.", "in the mix"),
        *gain_words(encounters),
        *([truncated_words(truncated, encounters.played, limit)] if truncated else []),
    ]


def counters(cycles: tuple[Cycle, ...]) -> str:
    """Sentence on significant cycles."""
    if not cycles:
        return "No cycle in which each beats the next is significant."
    names, win_rates = cycles[0].names, cycles[0].rates
    links = listed([f"{names[link]} beats {names[(link + 1) % 3]} ({percent(win_rates[link])})" for link in range(3)])
    if len(cycles) == 1:
        return f"One cycle of counters is significant: {links}."
    return f"{capital(number_word(len(cycles)))} cycles of counters are significant; the clearest: {links}."


def fit_words(fit: Fit) -> str:
    """Sentence on the fit of the ratings."""
    verdict = "do not fit" if fit.p < SURE else "are consistent with"
    return (
        f"Ratings {verdict} the matchups (X² = {fit.statistic:.1f} on {fit.freedom} degrees of freedom, {fit.p_words}); farthest "
        f"off: {fit.name} against {fit.opponent}, {percent(fit.estimate)} instead of {percent(fit.expected)}."
    )


def gain_words(encounters: Encounters) -> list[str]:
    """Sentence on the games saved by pairs; none without pairs."""
    gain = encounters.gain
    if not encounters.paired or np.isnan(gain):
        return []
    saved = ""
    if np.isinf(gain):
        saved = "; all pairs agree, so the dice decide nothing"
    elif gain >= WORTH_TELLING:
        saved = f"; without pairs, {number(gain)} times as many games would be needed"
    return [f"The two games of a pair, from both seats with the same dice, are one observation{saved}."]


def mix_chart(found: Meetings) -> Figure:
    """Dots of the equilibrium shares and of the win rates against the mix."""
    frame, panels = found.equilibrium, []
    n = frame["name"].map(found.ratings.table.set_index("name")["n"])
    for title, columns in (
        ("Share of the mix, %", ["estimate", "low", "high"]),
        ("Wins against the mix, %", ["field", "field_low", "field_high"]),
    ):
        per_cent = (100 * frame[columns]).round(2).set_axis(["estimate", "low", "high"], axis=1)
        panels.append(per_cent.assign(panel=title, name=frame["name"], n=n))
    return charts.dots(pd.concat(panels, ignore_index=True))


def lopsided_with_games(pairs: pd.DataFrame) -> str:
    """Words for the most lopsided pair; if it has too few games for a sentence, for that of the pairs with enough."""
    known = pairs[pairs["n"] > 0]
    enough = known[known["n"] >= SENTENCE_GAMES]
    if enough.empty or uneven_first(known).iloc[0]["n"] >= SENTENCE_GAMES or not (enough["p_holm"] < SURE).any():
        return most_lopsided(known)
    return f"Of the pairs with {SENTENCE_GAMES} games or more, {most_lopsided(enough)}"


def of_main_games(study: Study) -> Answer:
    """Who beats whom in the main games of a report, both seatings together.

    Raises NoAnswerError without games of two, and for teams, which meet too rarely; `synergy` shows which of their parts counter
    which.
    """
    if DUEL not in study.seats or len(study.names) < LEAST or study.teams:
        raise NoAnswerError(f"{study.game.title}: matchups need two seats and two entrants that are not teams")
    pairs, word = rates.pairs(rates.matrix(study.tally, study.names)), study.game.entrant_word
    known = pairs[pairs["n"] > 0]
    if known.empty:
        raise NoAnswerError(f"{study.game.title}: no game of two had a winner")
    uneven = int((known["p_holm"] < SURE).sum()) // 2
    ordered = pairs.sort_values(["name", "estimate"], ascending=[True, False], kind="stable")
    columns = rate_columns(name=word, opponent_name="against") | {"p_holm": "p (Holm)"}
    others = f"; {count(uneven)} of {count(len(known) // 2)} matchups are significantly uneven" if uneven else ""
    return Answer(
        f"{lopsided_with_games(pairs)}{others}.",
        (table(ordered, "pairs", "Every pair", columns),),
        (Chart(lambda: charts.heatmap(pairs), f"Games that the row's {word} wins against the column's."),),
        ("p (Holm): against an even match, adjusted for all pairs.",),
    )
