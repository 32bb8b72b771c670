"""Report sections on the parts of teams, pairs and counters, the league of teams and drafts, and headline findings."""

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import pandas as pd

from analysis.answer import verdicts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.page import Finding, Tone
from analysis.answer.prose import (
    article,
    bounds_of,
    capital,
    interval_of,
    listed,
    number_word,
    point_interval,
    share_of,
    size,
    some,
)
from analysis.answer.tables import table
from analysis.charts import dots, ranked, terms
from analysis.data.study import Study
from analysis.stats.intervals import FAIR_BAND
from analysis.teams.league import selection_bias, team_study
from analysis.teams.model import Contributions
from analysis.variants.rules import Played, played_drafts
from sim.engine.questions import Draft, Question, TeamResults

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))
SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
MEANING = verdicts.MEANING.replace("the fair share", "an even chance")


def part_verdicts(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty if entrants are not teams or never meet at two seats.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the second policy, NaN without
    one.
    """
    teams = team_study(study)
    if teams is None or teams.contributions is None:
        return pd.DataFrame()
    frame, beside = teams.contributions.parts, teams.contributions_beside
    for name, other in (("estimate", "other"), ("low", "other_low"), ("high", "other_high")):
        frame = frame.assign(**{other: frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan})
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _model(study: Study) -> Contributions | None:
    teams = team_study(study)
    return teams.contributions if teams else None


def contributions(study: Study, question: Question) -> Section | None:
    """Dots of what every part contributes, under both policies; None if entrants are not teams or games are few.

    The tables add raw win shares and the calibration of the model.
    """
    frame, model = part_verdicts(study), _model(study)
    if model is None:
        return None
    team, part, parts, teams = study.game.entrant_word, study.unit_word, study.units_word, study.game.entrants_word
    known, fit = frame.dropna(subset=["estimate"]), model.fit
    best, worst = known.iloc[0], known.iloc[-1]
    named = {word: listed([*known.loc[known["verdict"] == word, "name"]]) for word in verdicts.UNFAIR}
    beyond, fair = "; ".join(f"{names} {word}" for word, names in named.items() if names), (known["verdict"] == "fair").sum()
    answer = (
        f"{best['name']} contributes most: of two otherwise equal {teams}, the one with {best['name']} instead of an average "
        f"{part} wins {share_of(best, 'games')}; the one with {worst['name']} wins {percent(worst['estimate'])} "
        f"{bounds_of(worst)}. "
        + (
            f"Significantly beyond the fair band: {beyond}. Significantly within it: {number_word(fair) if fair else 'none'}."
            if beyond
            else f"Of {some(len(known), part)}, none is significantly beyond the fair band."
        )
    )
    two = bool(frame["other"].notna().any())
    caption = (
        f"Probability that {article(team)} with this {part} beats the same {team} with an average {part} instead, with "
        f"{study.policy} in every seat, best first{f'; below it with {study.beside}' if two else ''}. The pale band extends "
        f"{verdicts.BAND_WORDS} of an even chance to both sides."
    )
    figure = ranked(frame, words=(str(study.policy), str(study.beside or "")), band=BAND)
    chart = DrawnChart(question.id, figure, caption, f"Dot chart of what every {part} contributes, with 95 % intervals. {answer}")
    other = {"other": str(study.beside), "other_low": f"low ({study.beside})", "other_high": f"high ({study.beside})"}
    other = other if two else {}
    columns = {"name": part, "estimate": "modelled", "low": "low", "high": "high", "raw": "raw win share", "n": "n"}
    columns |= {"p_beyond": verdicts.HEADING, "verdict": "verdict", **other}
    formats: dict[str, Format] = dict.fromkeys(("modelled", "raw win share", *other.values()), "percent")
    tenths = {"predicted": "predicted", "estimate": "seen", "low": "low", "high": "high", "n": "n"}
    words = "Predicted and observed wins of the first seat, by tenths of the prediction, in games left out of the fit"
    tested = fit.calibration
    tables = (
        table(frame, question.id, f"What every {part} contributes, with {study.policy}", columns, formats),
        table(tested, f"{question.id}-calibration", words, tenths, {"predicted": "percent", "seen": "percent"}),
    )
    off = int(((tested["predicted"] < tested["low"]) | (tested["predicted"] > tested["high"])).sum())
    unknown = [*model.parts.loc[model.parts["estimate"].isna(), "name"]]
    note = (
        f"A logistic regression of the winner on the {parts} of both {teams}, on every pair of them within and across the "
        f"{teams}, and on who goes first; pairs and counters are shrunk by an amount estimated from the games. Intervals and "
        f"p-values treat the {count(fit.rounds)} rounds of the design as observations, not the {count(fit.games)} games. A raw "
        f"win share covers all games of a {part}, with any partners and opponents; games without a winner do not count. "
        f"{MEANING} Fit: on games left out, its log loss is {fit.losses['parts, pairs, counters']:.4f} nats per game, with "
        f"{parts} alone {fit.losses['parts']:.4f}, for a coin {fit.losses['coin']:.4f}; given a won and a lost game, it gives "
        f"the won game the higher probability in {percent(fit.auc)} of cases."
    )
    if off:
        note += f" In {number_word(off)} of {some(len(tested), 'group')} of games with similar predictions the predicted share "
        note += "is outside the 95 % interval of the observed one; by chance that happens in one of 20."
    note += f" There are no games with {listed(unknown)}." if unknown else ""
    return Section(question.id, question.text, answer, (chart,), tables, note)


LEAST_P = 0.001  # smaller p-values are printed as "< 0.001"
SLOPE = 0.25  # derivative of a probability by its logit, in an even match
NAMED = 3  # most pairs or counters named in the answer


def synergy(study: Study, question: Question) -> Section | None:
    """Two maps of parts by parts: pairs in a team, and row against column; None if entrants are not teams."""
    model = _model(study)
    if model is None:
        return None
    team, part, parts, groups = study.game.entrant_word, study.unit_word, study.units_word, []
    for row in model.fit.groups.to_dict("records"):
        there = "more than chance" if row["p"] < SURE else "consistent with chance"
        p = f"< {LEAST_P}" if row["p"] < LEAST_P else f"= {row['p']:.3f}"
        spread = f"spread {100 * row['spread'] * SLOPE:.1f} points"
        groups.append(f"All {row['term']} together: {there} (F = {row['f']:.2f}, p {p}; {spread}).")
    answers, charts, tables, names = [], [], [], [*model.parts["name"]]  # in the order of their contributions
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    for what, found, sign in (("pairs", model.pairs, 1), ("counters", model.counters, -1)):
        if what == "pairs":
            second, corner, none = "with", f"together in one {team}", "are significantly better or worse together than each is"
            label, none = f"change in win probability with both in one {team}, in points", f"No two {parts} {none} separately."
            caption = f"What two {parts} in one {team} add to its win probability in an even match, beyond what each adds with "
            caption += "all its mates. Orange: they work together; blue: they get in each other's way; grey: may be chance."
        else:
            second, corner, none = "against", "rows against columns", f"No {part} significantly counters another."
            label = "change in the row's win probability, in points"
            caption = f"What the row's {part} gains against the column's in an even match, beyond what it does against all. "
            caption += "Orange: the row does better than usual; blue: worse; grey: may be chance."
        frame = found.assign(sure=found["p_bh"] < SURE)
        frame = frame.sort_values("estimate", key=abs, ascending=False, na_position="last", kind="stable", ignore_index=True)
        answers.append(_terms_answer(frame[frame["sure"]], sign) or none)
        back = frame.assign(first=frame["second"], second=frame["first"], estimate=sign * frame["estimate"])
        cells = pd.concat([frame, back]).rename(columns={"first": "row", "second": "column", "estimate": "value"})
        cells = cells.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)
        alt = f"Map of what every two {parts} do {corner}. Of {number_word(len(frame))} pairs "
        alt += f"{number_word(int(frame['sure'].sum()))} are significant."
        charts.append(DrawnChart(f"{question.id}-{what}", terms(cells, label=label, corner=corner), caption, alt))
        columns = {"first": "one", "second": second, "estimate": "effect", "low": "effect low", "high": "effect high"}
        columns |= {"p_bh": "p (BH)", "n": "n"}
        heading = f"Every {what[:-1]}, the largest effect first"
        tables.append(table(frame, f"{question.id}-{what}", heading, columns, formats))
    note = (
        "Both are terms of the model behind the contributions, shrunk towards 0 by an amount estimated from the games, so that "
        f"the largest are not just lucky in few games. A term is significant, and coloured, if p (BH) < {SURE}: Benjamini and "
        "Hochberg, over all cells of its map, before shrinkage; up to one in twenty of the coloured terms may be chance. "
        f"{' '.join(groups)} Intervals rest on {count(model.fit.rounds)} rounds of the design; n in the tables counts games in "
        f"which both {parts} played in the way the map shows."
    )
    return Section(question.id, question.text, " ".join(answers), tuple(charts), tuple(tables), note)


def _terms_answer(sure: pd.DataFrame, sign: int) -> str:
    """Sentence on significant pairs, or with sign -1 on counters, turned so that the effect favours the first; may be empty."""
    clauses = []
    for row in sure[:NAMED].to_dict("records"):
        first, second, value, low, high = (row[name] for name in ("first", "second", "estimate", "low", "high"))
        if sign < 0 and value < 0:
            first, second, value, low, high = second, first, -value, -high, -low
        between = "and" if sign > 0 else "counters"
        clauses.append(f"{first} {between} {second} {points(value)} points {point_interval(low, high)}")
    text, left = "; ".join(clauses), len(sure) - NAMED
    text += f", and {number_word(left)} more{'' if sign > 0 else ' pairs'}" if left > 0 else ""
    begin = "Significantly better (or worse) together than each separately: "
    return f"{begin + text if sign > 0 else capital(text)}." if text else ""


SHOWN = 20  # teams from each end in the chart and in the table on the page


def league(study: Study, question: Question) -> Section | None:
    """Ranked dots of the best and the worst teams, first estimate and retest; the table's CSV holds all teams.

    None if entrants are not teams, and with too few games.
    """
    found = team_study(study)
    if found is None or len(found.league) < 2:
        return None
    frame, again, id_ = found.league, found.retested, question.id
    known, team, teams = frame.dropna(subset=["estimate"]), study.game.entrant_word, study.game.entrants_word
    columns = {"rank": "rank", "name": team, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    tables = [table(frame, id_, f"All {teams}, best first", columns, formats, ends=SHOWN)]
    note = (
        f"Shrunken: the prediction of the model of the {study.units_word} against all possible opponents of a {team}, plus the "
        "part of the deviation in its own games that is not chance; intervals are for each alone. "
    )
    ends = min(SHOWN, len(known) // 2)
    panels = {f"Best {ends} of {count(len(frame))} {teams}": known.head(ends), f"Worst {ends}": known.tail(ends)}
    drawn = pd.concat([part.assign(panel=panel) for panel, part in panels.items()], ignore_index=True).drop(columns="n")
    drawn = drawn.rename(columns={"estimate": "other", "low": "other_low", "high": "other_high"})
    best, worst, tried, moved = known.iloc[0], known.iloc[-1], ".", ""
    if again.empty:
        wins = f"with {percent(best['estimate'])} {bounds_of(best)}"
        drawn = drawn.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0, verdict="")
    else:
        bias, tried = selection_bias(again), f"; the {number_word(len(again) // 2)} at each end again in new games."
        names = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n"}
        fresh = again[["entrant", "name", "verdict", *names]].rename(columns=names)
        drawn = drawn.merge(fresh.drop(columns="name"), on="entrant", how="left").fillna({"verdict": ""})
        best, worst = fresh.iloc[0], fresh.iloc[-1]
        wins = f"and wins {percent(best['estimate'])} in new games {interval_of(best, 'games')}"
        moves = [
            f"the {number_word(row['teams'])} {row['end']} won {percent(row['raw'])} of their first games, shrunk "
            f"{percent(row['estimate'])}, and win {percent(row['retest'])} of the new ones"
            for row in bias.to_dict("records")
        ]
        moved = f" {capital('; '.join(moves))}."
        note += (
            f"Coloured marks: the same {teams} in {count(again['retest_n'].min())} games each of seed {study.retest_seed}, which "
            "were not used to choose them, against all opponents equally often; rounds of the design are the observations. "
            f"First estimate and new games differ by at most {points(float(again['gap'].abs().max()))[1:]} points. A team chosen "
            "for its results was partly lucky, or unlucky: in new games the raw win shares of both ends should move towards an "
            "even chance, while shrunken estimates should not change. "
        )
        shares = {"raw": "raw", "estimate": "shrunken", "retest": "new games"}
        columns = {"rank": "rank", "name": team, **shares, "retest_low": "low", "retest_high": "high", "retest_n": "n"}
        columns |= {"p_beyond": verdicts.HEADING, "verdict": "verdict", "gap": "shrunken less new"}
        on_average = {"end": "end", "teams": f"n ({teams})", **shares, "raw_gap": "raw less new", "gap": "shrunken less new"}
        formats = {**dict.fromkeys(shares.values(), "percent"), "raw less new": "points", "shrunken less new": "points"}
        tables.append(table(again, f"{id_}-retest", "The ends of the league in new games", columns, formats))
        tables.append(table(bias, f"{id_}-bias", "Selection bias, on average", on_average, formats))
    answer = (
        f"Of {count(len(frame))} {teams} {best['name']} leads {wins}; last is {worst['name']} with {percent(worst['estimate'])} "
        f"{bounds_of(worst)}.{moved}"
    )
    caption = f"Win share of the best and the worst of {count(len(frame))} {teams} against all possible opponents, with "
    caption += f"{study.policy} in every seat, in the order of their first games{tried}"
    alt = f"Ranked dots of the best and the worst {teams} with 95 % intervals. {answer}"
    chart = DrawnChart(id_, ranked(drawn, words=("new games", "first games"), band=BAND), caption, alt)
    return Section(id_, question.text, answer, (chart,), tuple(tables), note + MEANING)


EARLY = 3  # picks named in the answer


def draft(study: Study, question: Draft) -> Section | None:
    """Dots of how often and how early every part is picked, in drafts that were played; None without such drafts."""
    if study.teams is None or not study.contests:
        return None
    policies = [policy for policy in (study.policy, study.beside) if policy]
    drafts = [played for policy in policies if (played := played_drafts(study, question, policy))]
    if not drafts:
        return None
    names = pd.Series(study.teams.names, name="name")
    frames = [played.picks.join(names, on="part").sort_values(["seen", "part"], ignore_index=True) for played in drafts]
    answer = " ".join(_draft_answer(played, frame) for played, frame in zip(drafts, frames, strict=True))
    number = frames[0].assign(panel="Mean number of the pick", estimate=frames[0]["seen"])
    share = frames[0].assign(panel="Picked in % of the drafts", estimate=100 * frames[0]["taken"])
    figure = dots(pd.concat([number, share], ignore_index=True).assign(low=np.nan, high=np.nan))
    caption = f"When each {study.unit_word} is picked, and in how many of the drafts, with {study.policy} in every seat."
    chart = DrawnChart(question.id, figure, caption, f"Dots of pick numbers and shares. {answer}")
    columns = {"policy": "players", "name": study.unit_word, "seen": "mean pick", "taken": "picked", "n": "n (drafts)"}
    every = pd.concat([frame.assign(policy=str(played.policy)) for played, frame in zip(drafts, frames, strict=True)])
    formats: dict[str, Format] = {"mean pick": "number", "picked": "percent", "n (drafts)": "count"}
    shown = table(every, question.id, "Every part, the earliest pick first", columns, formats)
    note = f"Drafts were played with seed {study.fresh_seed}, {size(drafts[0].games)} by each policy."
    return Section(question.id, question.text, answer, (chart,), (shown,), note)


def _draft_answer(played: Played, picks: pd.DataFrame) -> str:
    """What the first drafter wins with one policy, and which parts are picked first. picks: the earliest first."""
    early = picks[picks["taken"] > 0].head(EARLY)
    earliest = listed([f"{row['name']} ({row['seen']:.1f})" for row in early.to_dict("records")])
    first = f"the first drafter wins {share_of(asdict(played.first), 'drafts')}; " if played.first else ""
    return f"With {played.policy} {first}the earliest picks, by their mean number, are {earliest}."


TONES: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
HEADLINE_SHOWN = 6  # parts with a sentence each


def of_teams(study: Study) -> list[Finding]:
    """Findings on parts and teams, the most important first; a single remark if there are too few games."""
    frame = part_verdicts(study)
    if frame.empty:
        return [Finding(f"There are too few games to estimate what {article(study.unit_word)} contributes.", "open")]
    return [*_of_parts(study, frame), *_of_league(study)]


def _of_parts(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """The meaning of fair, parts beyond the band, the farthest out first, parts within it and undecided ones, going first."""
    team, part, model = study.game.entrant_word, study.unit_word, _model(study)
    fair = (
        f"Fair means: {article(team)} with the {part} instead of an average one wins {verdicts.band(EVEN)} against one that is "
    )
    yield Finding(f"{fair}otherwise equal.")
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)]
    sure = sure.sort_values("estimate", key=lambda estimate: (estimate - EVEN).abs(), ascending=False, kind="stable")
    for _, row in sure[:HEADLINE_SHOWN].iterrows():
        wins = f"{study.game.entrants_word} with it win {percent(row['estimate'])} {bounds_of(row)}"
        yield Finding(f"{row['name']} is {row['verdict']}: {wins}.", TONES[row["verdict"]])
    for verdict, rest in sure[HEADLINE_SHOWN:].groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed([*rest['name']])}.", TONES[str(verdict)])
    if len(sure):
        named = "With 95 % confidence, all those named as too strong or too weak are beyond the fair band (Holm); intervals are "
        yield Finding(f"{named}for each {part} alone.")
    known = frame.dropna(subset=["estimate"])
    within, undecided = ([*known.loc[known["verdict"] == word, "name"]] for word in ("fair", verdicts.OPEN))
    if within:
        every = f"Every {part} is" if len(within) == len(known) else f"{listed(within)} {'is' if len(within) == 1 else 'are'}"
        yield Finding(f"{every} within the fair band.", "fair")
    if undecided:
        yield Finding(f"Not decided, more games are needed: {listed(undecided)}.", "open")
    if model is not None and model.first.n:
        shift, low, high = (points(value - EVEN) for value in (model.first.estimate, model.first.low, model.first.high))
        yield Finding(f"Going first in an even match: {shift} points ({low} to {high}) against an even chance.")


def _of_league(study: Study) -> Iterator[Finding]:
    """The best and the worst team, if a question has them play again."""
    asked = any(isinstance(question, TeamResults) and question.by == "team" for question in study.game.questions)
    found = team_study(study)
    if found is None or not asked or found.retested.empty:
        return
    best, worst = (found.retested.iloc[end] for end in (0, -1))
    yield Finding(
        f"First of the {study.game.entrant_word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
        f"{bounds_of(best, 'retest')}; last is {worst['name']} with {percent(worst['retest'])} {bounds_of(worst, 'retest')}."
    )
