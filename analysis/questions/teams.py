"""What makes a team win: what each part contributes, which parts work together, which teams are best and worst."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.prose import article, bounds_of, capital, listed, number_word, point_interval, some
from analysis.answer.tables import Table, table
from analysis.data.players import LONG_ANSWER
from analysis.data.study import OF_TEAMS, Study
from analysis.question import question
from analysis.stats.intervals import FAIR_BAND
from analysis.teams.findings import part_verdicts
from analysis.teams.league import EVEN, RETESTED, TeamStudy, selection_bias, team_study
from analysis.teams.model import Contributions, Fit

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

KINDS = ("part", "pair", "team")
AGAIN = 5  # one game in this number is for the re-test of the best and the worst teams
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))
SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
SLOPE = 0.25  # derivative of a probability by its logit, in an even match
SHOWN = 20  # teams from each end in the chart and in the table on the page


@question(
    without=("seats", "line_up"),
    seconds=LONG_ANSWER,
    examples=("teams rookling", "teams rookling --by pair", "teams rookling --by team --games 50000"),
)
def teams(study: Study, by: str = "part", games: int = 20_000) -> Answer:
    """What each part of teams contributes, which parts work together, and which teams are best and worst.

    Teams of two seats play in balanced rounds, and one model of all games has effects of parts, pairs and counters.

    Parameters
    ----------
    by : str
        part (contributions), pair (pairs in a team, and counters), or team (all teams; the best and the worst play again).
    games : int
        Games in all.
        By default at most those of about twelve seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.teams("rookling", games=400, policy="random", progress=False)
    >>> list(result.frames)
    ['parts', 'calibration', 'models']

    """
    if by not in KINDS:
        raise ValueError(f"by={by!r} must be one of {', '.join(KINDS)}")
    study = study if study.base is None else with_games(study, by, games)
    found = team_study(study)
    if found is None:
        raise NoAnswerError(f"{study.game.title}: the entrants are not teams of {number_word(OF_TEAMS)} seats")
    model = found.contributions
    if model is None:
        raise NoAnswerError(f"{len(found.games)} games are too few, or the parts too many, for a model; play more games")
    answer = {"part": by_part, "pair": by_pair, "team": by_team}[by](study, found, model)
    facts = study.main(OF_TEAMS).facts() if study.base is not None else {}
    return replace(answer, facts={**facts, "fitted": model.fit.games, "rounds": model.fit.rounds}, shown=study.player.shown)


def with_games(study: Study, by: str, games: int) -> Study:
    """The study of a command with its games, some of them kept for the best and the worst teams. Raises ValueError."""
    if len({*study.policies}) > 1:
        raise ValueError(f"policy={','.join(map(str, study.policies))}: teams are compared with one policy in every seat")
    again = games // AGAIN if by == "team" else 0
    return replace(study, budget=replace(study.budget, games=games - again, retest_games=max(1, again // (2 * RETESTED))))


# Contributions of parts


def by_part(study: Study, _: TeamStudy, model: Contributions) -> Answer:
    """What each part adds to a team, under both policies of a report."""
    parts = part_verdicts(study)
    two = bool(parts["other"].notna().any())
    below = f"; hollow, with {study.beside}" if two else ""
    words = (study.players, str(study.beside or ""))
    team, part = study.game.entrant_word, study.unit_word
    title = f"Chance that {article(team)} beats the same {team} with an average {part}, {study.players}{below}."
    return Answer(
        part_summary(parts, team, part),
        (parts_table(study, parts, two), calibration_table(model.fit), models_table(model.fit)),
        (Chart(lambda: charts.ranked(parts, words=words, band=BAND), title),),
        tuple(part_notes(study, parts, model)),
    )


def part_summary(parts: pd.DataFrame, team: str, part: str) -> str:
    """The sentence: the parts that contribute most and least."""
    known = parts.dropna(subset=["estimate"])
    best, worst = known.iloc[0], known.iloc[-1]
    return (
        f"{best['name']} contributes most: {article(team)} with it instead of an average {part} wins "
        f"{percent(best['estimate'])} {bounds_of(best)}; with {worst['name']}, the least, {percent(worst['estimate'])} "
        f"{bounds_of(worst)}."
    )


def parts_table(study: Study, parts: pd.DataFrame, two: bool) -> Table:
    """Every part, best first. two: whether there is a second policy."""
    other = {"other": str(study.beside), "other_low": f"low ({study.beside})", "other_high": f"high ({study.beside})"}
    columns = {"name": study.unit_word, "estimate": "modelled", "low": "low", "high": "high", "raw": "raw win share", "n": "n"}
    columns |= {"verdict": "verdict", **(other if two else {})}
    formats: dict[str, Format] = dict.fromkeys(("modelled", "raw win share", *other.values()), "percent")
    return table(
        parts.drop(columns="part"), "parts", f"What every {study.unit_word} contributes, with {study.players}", columns, formats
    )


def calibration_table(fit: Fit) -> Table:
    """Predictions beside results, by tenths of the prediction."""
    columns = {"predicted": "predicted", "estimate": "seen", "low": "low", "high": "high", "n": "n"}
    caption = "Predicted and observed wins of the first seat, by tenths of the prediction, in games left out of the fit"
    return table(fit.calibration, "calibration", caption, columns, {"predicted": "percent", "seen": "percent"})


def models_table(fit: Fit) -> Table:
    """Log loss of the model and of simpler ones, on games left out of the fit."""
    losses = pd.DataFrame({"model": [*fit.losses], "log_loss": [*fit.losses.values()], "n": fit.games})
    columns = {"model": "terms of the model", "log_loss": "log loss, nats per game", "n": "n"}
    return table(losses, "models", "Predictions of games left out of the fit", columns)


def part_notes(study: Study, parts: pd.DataFrame, model: Contributions) -> list[str]:
    """Verdicts, how the model is made, and how well it fits."""
    known, fit = parts.dropna(subset=["estimate"]), model.fit
    tested = fit.calibration
    off = int(((tested["predicted"] < tested["low"]) | (tested["predicted"] > tested["high"])).sum())
    unknown = [*model.parts.loc[model.parts["estimate"].isna(), "name"]]
    return [
        verdict_words(known, study.unit_word),
        verdicts.MEANING,
        f"A logistic regression on the {study.units_word} of both {study.game.entrants_word}, on every pair of them and on who "
        f"goes first; the {count(fit.rounds)} rounds of the design are the observations.",
        f"A raw win share has all games of {article(study.unit_word)}, with any partners and opponents.",
        f"Given a won and a lost game left out of the fit, the model gives the won one the higher probability in "
        f"{percent(fit.auc)} of cases.",
        *(
            [f"In {number_word(off)} of {some(len(tested), 'group')} of games the prediction is outside the 95 % interval."]
            if off
            else []
        ),
        *([f"There are no games with {listed(unknown)}."] if unknown else []),
    ]


def verdict_words(known: pd.DataFrame, part: str) -> str:
    """Sentence on the parts that are significantly beyond the fair band, and within it."""
    named = {word: listed([*known.loc[known["verdict"] == word, "name"]]) for word in verdicts.UNFAIR}
    beyond = "; ".join(f"{names} {word}" for word, names in named.items() if names)
    if not beyond:
        return f"Of {some(len(known), part)}, none is significantly beyond the fair band."
    fair = int((known["verdict"] == verdicts.FAIR).sum())
    return f"Significantly beyond the fair band: {beyond}; significantly within it: {number_word(fair) if fair else 'none'}."


# Pairs and counters


def by_pair(study: Study, _: TeamStudy, model: Contributions) -> Answer:
    """Which two parts are worth more together than apart, and which does better against which."""
    team, part, parts = study.game.entrant_word, study.unit_word, study.units_word
    pairs, counters = by_size(model.pairs), by_size(model.counters)
    names = [*model.parts["name"]]  # in the order of their contributions
    return Answer(
        pair_summary(pairs, counters, parts),
        (terms_table(pairs, "pairs", "with"), terms_table(counters, "counters", "against"), groups_table(model.fit)),
        (
            Chart(
                partial(
                    terms_map,
                    cells(pairs, names, 1),
                    f"change in win probability with both in one {team}, in points",
                    f"together in one {team}",
                ),
                f"What two {parts} in one {team} add beyond what each adds with all its mates; grey: may be chance.",
                "pairs",
            ),
            Chart(
                partial(
                    terms_map,
                    cells(counters, names, -1),
                    "change in the row's win probability, in points",
                    "rows against columns",
                ),
                f"What the row's {part} gains against the column's beyond what it does against all; grey: may be chance.",
                "counters",
            ),
        ),
        (
            f"Significant, and coloured: p (BH) < {SURE}, Benjamini and Hochberg over all cells of a map; up to one in twenty "
            "of these may be chance.",
            "Effects are shrunk towards 0 by an amount estimated from the games, so that the largest are not just lucky in few "
            "games; p is of the effects before.",
            f"Intervals rest on {count(model.fit.rounds)} rounds of the design; n counts games in which both {parts} played.",
        ),
    )


def by_size(terms: pd.DataFrame) -> pd.DataFrame:
    """Terms with the column sure, the largest effect first."""
    terms = terms.assign(sure=terms["p_bh"] < SURE)
    return terms.sort_values("estimate", key=abs, ascending=False, na_position="last", kind="stable", ignore_index=True)


def pair_summary(pairs: pd.DataFrame, counters: pd.DataFrame, parts: str) -> str:
    """The sentence: the largest significant pair and counter, and the numbers of significant ones."""
    clauses = []
    for kind, terms, none in (
        ("pairs", pairs, f"no two {parts} are significantly better or worse together"),
        ("counters", counters, "none significantly counters another"),
    ):
        sure = terms[terms["sure"]]
        largest = f"{term_words(sure.iloc[0], kind)}, one of {some(len(sure), f'significant {kind[:-1]}')}" if len(sure) else none
        clauses.append(largest)
    return f"{capital('; '.join(clauses))}."


def term_words(row: pd.Series, kind: str) -> str:
    """A pair or a counter with its effect; a counter is turned so that the effect favours the first."""
    first, second, value, low, high = (row[name] for name in ("first", "second", "estimate", "low", "high"))
    if kind == "counters" and value < 0:
        first, second, value, low, high = second, first, -value, -high, -low
    between = "counters" if kind == "counters" else "and"
    together = "" if kind == "counters" else " together"
    return f"{first} {between} {second}{together} {points(value)} points {point_interval(low, high)}"


def terms_table(terms: pd.DataFrame, id_: str, second: str) -> Table:
    """Every pair or counter, the largest effect first."""
    sides = terms.rename(columns={"first": "name", "second": "opponent_name"}).drop(columns=["i", "j"])
    columns = {"name": "one", "opponent_name": second, "estimate": "effect", "low": "effect low", "high": "effect high"}
    columns |= {"p_bh": "p (BH)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    return table(sides, id_, f"Every {id_[:-1]}, the largest effect first", columns, formats)


def groups_table(fit: Fit) -> Table:
    """Tests of all pairs, and of all counters, together."""
    groups = fit.groups.assign(points=fit.groups["spread"] * SLOPE, n=fit.games)
    columns = {"term": "all", "f": "F", "p": "p", "points": "spread", "n": "n"}
    return table(groups, "groups", "All pairs and all counters together", columns, {"p": "p", "spread": "points"})


def cells(terms: pd.DataFrame, names: list[str], sign: int) -> pd.DataFrame:
    """Cells of a map of parts by parts. sign: 1 if a term is the same from both sides, -1 if it is the opposite."""
    back = terms.assign(first=terms["second"], second=terms["first"], estimate=sign * terms["estimate"])
    both = pd.concat([terms, back]).rename(columns={"first": "row", "second": "column", "estimate": "value"})
    return both.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)


def terms_map(frame: pd.DataFrame, label: str, corner: str) -> Figure:
    """Map of parts by parts."""
    return charts.terms(frame, label=label, corner=corner)


# The league of teams


def by_team(study: Study, found: TeamStudy, _: Contributions) -> Answer:
    """All teams, and the best and the worst in games that did not choose them."""
    league = found.league
    if len(league) < 2:
        raise NoAnswerError(f"{study.game.title}: one team has no league")
    again = found.retested
    ends = min(SHOWN, len(league.dropna(subset=["estimate"])) // 2)
    title = f"Win share of the {count(ends)} best and worst of {count(len(league))} {study.game.entrants_word}, {study.players}"
    seen = " in their first games" if again.empty else ", in their first games and in new ones"
    return Answer(
        team_summary(league, again, study.game.entrants_word),
        tuple(team_tables(study, league, again)),
        (Chart(partial(league_chart, league, again), f"{title}{seen}."),),
        tuple(team_notes(study, again)),
    )


def team_summary(league: pd.DataFrame, again: pd.DataFrame, teams: str) -> str:
    """The sentence: the best and the worst team, by new games where there are some."""
    shown = league.dropna(subset=["estimate"]) if again.empty else again
    name, prefix, where = ("estimate", "", "") if again.empty else ("retest", "retest", " in new games")
    best, worst = shown.iloc[0], shown.iloc[-1]
    bounds = f" {bounds_of(best, prefix)}" if np.isfinite(best[f"{prefix}_low" if prefix else "low"]) else ""
    return (
        f"Of {count(len(league))} {teams} {best['name']} wins most, {percent(best[name])}{bounds}{where}; last is "
        f"{worst['name']} with {percent(worst[name])}."
    )


def team_tables(study: Study, league: pd.DataFrame, again: pd.DataFrame) -> list[Table]:
    """All teams, the ends of the league in new games, and how much the first games flattered them."""
    team, teams = study.game.entrant_word, study.game.entrants_word
    league, again = (frame.assign(entrant=[study.cards.ids[index] for index in frame["entrant"]]) for frame in (league, again))
    columns = {"rank": "rank", "name": team, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    tables = [table(league, "league", f"All {teams}, best first", columns, formats, ends=SHOWN)]
    if again.empty:
        return tables
    shares = {"raw": "raw", "estimate": "shrunken", "retest": "new games"}
    columns = {"rank": "rank", "name": team, **shares, "retest_low": "low", "retest_high": "high", "retest_n": "n"}
    columns |= {"verdict": "verdict", "gap": "shrunken less new"}
    on_average = {"end": "end", "teams": f"n ({teams})", **shares, "raw_gap": "raw less new", "gap": "shrunken less new"}
    formats = {**dict.fromkeys(shares.values(), "percent"), "raw less new": "points", "shrunken less new": "points"}
    return [
        *tables,
        table(again, "retest", "The ends of the league in new games", columns, formats),
        table(selection_bias(again), "bias", "Selection bias, on average", on_average, formats),
    ]


def team_notes(study: Study, again: pd.DataFrame) -> list[str]:
    """Shrinkage, and the new games."""
    shrunken = (
        f"Shrunken: the model's prediction against all possible opponents of {article(study.game.entrant_word)}, plus the part "
        "of the deviation in its own games that is not chance."
    )
    if again.empty:
        return [shrunken, verdicts.MEANING]
    size = count(int(again["retest_n"].min()))
    return [
        shrunken,
        f"New games: {size} of each of the best and the worst, of seed {study.retest_seed}, which did not choose them.",
        "In new games raw win shares of both ends should move towards an even chance, and shrunken ones should not change.",
        verdicts.MEANING,
    ]


def league_chart(league: pd.DataFrame, again: pd.DataFrame) -> Figure:
    """Ranked dots of both ends: new games, and hollow the first estimate."""
    known = league.dropna(subset=["estimate"])
    ends = min(SHOWN, len(known) // 2)
    panels = {f"Best {ends} of {count(len(league))}": known.head(ends), f"Worst {ends}": known.tail(ends)}
    drawn = pd.concat([part.assign(panel=panel) for panel, part in panels.items()], ignore_index=True).drop(columns="n")
    drawn = drawn.rename(columns={"estimate": "other", "low": "other_low", "high": "other_high"})
    if again.empty:
        drawn = drawn.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0, verdict="")
    else:
        names = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n"}
        fresh = again[["entrant", "verdict", *names]].rename(columns=names)
        drawn = drawn.merge(fresh, on="entrant", how="left").fillna({"verdict": ""})
    return charts.ranked(drawn, words=("new games", "first games"), band=BAND)
