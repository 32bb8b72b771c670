"""Report sections on the parts of teams, pairs and counters, the league of teams and drafts, and headline findings."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pandas as pd

from analysis.charts import picks, ranked, terms
from analysis.data.study import Study
from analysis.document import prose
from analysis.document.model import Chart, Finding, Format, Section, Table, Tone, count, percent, points, table
from analysis.document.prose import article, capital, interval, listed, number_word, point_interval, size, some
from analysis.stats.intervals import FAIR_BAND
from analysis.teams.league import Drafted, drafting, selection_bias
from analysis.teams.model import Contributions
from analysis.variants.rules import Played, draft_cards, played_drafts
from sim.engine.questions import Draft, Question, TeamResults

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))
SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
MEANING = prose.MEANING.replace("the fair share", "an even chance")


def part_verdicts(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty if entrants are not teams or never meet at two seats.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the second policy, NaN without
    one.
    """
    teams = study.team_study
    if teams is None or teams.contributions is None:
        return pd.DataFrame()
    frame, beside = teams.contributions.parts, teams.contributions_beside
    for name, other in (("estimate", "other"), ("low", "other_low"), ("high", "other_high")):
        frame = frame.assign(**{other: frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan})
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _model(study: Study) -> Contributions | None:
    return study.team_study.contributions if study.team_study else None


def _range(row: pd.Series, prefix: str = "") -> str:
    """Interval in brackets. prefix: of its columns."""
    return f"({100 * row[f'{prefix}low']:.1f} to {percent(row[f'{prefix}high'])})"


def contributions(study: Study, question: Question) -> Section | None:
    """Dots of what every part contributes, under both policies; None if entrants are not teams or games are few.

    The tables add raw win shares and the calibration of the model.
    """
    frame, model = part_verdicts(study), _model(study)
    if model is None:
        return None
    team, part, parts = study.game.entrant_word, study.unit_word, study.units_word
    known, fit = frame.dropna(subset=["estimate"]), model.fit
    best, worst = known.iloc[0], known.iloc[-1]
    named = {word: listed([*known.loc[known["verdict"] == word, "name"]]) for word in prose.UNFAIR}
    beyond = "; ".join(f"{names} {word}" for word, names in named.items() if names)
    fair = int((known["verdict"] == "fair").sum())
    answer = (
        f"{best['name']} contributes most: of two otherwise equal {study.game.entrants_word}, the one with {best['name']} "
        f"instead of an average {part} wins {percent(best['estimate'])} "
        f"{interval(best['low'], best['high'], best['n'], 'games')}; the one with {worst['name']} wins "
        f"{percent(worst['estimate'])} {_range(worst)}. "
    )
    if beyond:
        answer += (
            f"Significantly beyond the fair band: {beyond}. Significantly within it: {number_word(fair) if fair else 'none'}."
        )
    else:
        answer += f"Of {some(len(known), part)}, none is significantly beyond the fair band."
    two = bool(frame["other"].notna().any())
    caption = (
        f"Probability that {article(team)} with this {part} beats the same {team} with an average {part} instead, with "
        f"{study.policy} in every seat, best first{f'; below it with {study.beside}' if two else ''}. The pale band extends "
        f"{prose.BAND_WORDS} of an even chance to both sides."
    )
    figure = ranked(frame, words=(str(study.policy), str(study.beside or "")), band=BAND)
    chart = Chart(question.id, figure, caption, f"Dot chart of what every {part} contributes, with 95 % intervals. {answer}")
    columns = {"name": part, "estimate": "modelled", "low": "low", "high": "high", "raw": "raw win share"}
    columns |= {"n": "n", "p_beyond": prose.HEADING, "verdict": "verdict"}
    other = {"other": str(study.beside), "other_low": f"low ({study.beside})", "other_high": f"high ({study.beside})"}
    other = other if two else {}
    formats: dict[str, Format] = dict.fromkeys(("modelled", "raw win share", *other.values()), "percent")
    tenths = {"predicted": "predicted", "estimate": "seen", "low": "low", "high": "high", "n": "n"}
    words = "Predicted and observed wins of the first seat, by tenths of the prediction, in games left out of the fit"
    tables = (
        table(frame, question.id, f"What every {part} contributes, with {study.policy}", columns | other, formats),
        table(fit.calibration, f"{question.id}-calibration", words, tenths, {"predicted": "percent", "seen": "percent"}),
    )
    losses, tested = fit.losses.set_index("model")["log_loss"], fit.calibration
    off = int(((tested["predicted"] < tested["low"]) | (tested["predicted"] > tested["high"])).sum())
    unknown = [*model.parts.loc[model.parts["estimate"].isna(), "name"]]
    note = (
        f"A logistic regression of the winner on the {parts} of both {study.game.entrants_word}, on every pair of them within "
        f"and across the {study.game.entrants_word}, and on who goes first; pairs and counters are shrunk by an amount estimated "
        f"from the games. Intervals and p-values treat the {count(fit.rounds)} rounds of the design as observations, not the "
        f"{count(fit.games)} games. A raw win share covers all games of a {part}, with any partners and opponents; games without "
        f"a winner do not count. {MEANING} Fit: on games left out, its log loss is {losses['parts, pairs, counters']:.4f} nats "
        f"per game, with {parts} alone {losses['parts']:.4f}, for a coin {losses['coin']:.4f}; given a won and a lost game, it "
        f"gives the won game the higher probability in {percent(fit.auc)} of cases."
    )
    if off:
        note += (
            f" In {number_word(off)} of {some(len(tested), 'group')} of games with similar predictions the predicted share is "
        )
        note += "outside the 95 % interval of the observed one; by chance that happens in one of 20."
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
    frames = {}
    for what, found in (("pairs", model.pairs), ("counters", model.counters)):
        frame = found.assign(sure=found["p_bh"] < SURE, size=found["estimate"].abs())
        frames[what] = frame.sort_values("size", ascending=False, na_position="last", kind="stable", ignore_index=True)
    groups = []
    for term, row in model.fit.groups.set_index("term").iterrows():
        there = "more than chance" if row["p"] < SURE else "consistent with chance"
        p = f"< {LEAST_P}" if row["p"] < LEAST_P else f"= {row['p']:.3f}"
        spread = f"spread {100 * row['spread'] * SLOPE:.1f} points"
        groups.append(f"All {term} together: {there} (F = {row['f']:.2f}, p {p}; {spread}).")
    note = (
        "Both are terms of the model behind the contributions, shrunk towards 0 by an amount estimated from the games, so that "
        f"the largest are not just lucky in few games. A term is significant, and coloured, if p (BH) < {SURE}: Benjamini and "
        "Hochberg, over all cells of its map, before shrinkage; up to one in twenty of the coloured terms may be chance. "
        f"{' '.join(groups)} Intervals rest on {count(model.fit.rounds)} rounds of the design; n in the tables counts games in "
        f"which both {study.units_word} played in the way the map shows."
    )
    answer = " ".join(_terms_answer(study, frame, what) for what, frame in frames.items())
    charts = tuple(_terms_chart(study, question, model, frame, what) for what, frame in frames.items())
    columns = {"first": "one", "estimate": "effect", "low": "effect low", "high": "effect high", "p_bh": "p (BH)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    tables = [
        table(
            frames[what],
            f"{question.id}-{what}",
            f"Every {what[:-1]}, the largest effect first",
            {"first": "one", "second": second, **columns},
            formats,
        )
        for what, second in (("pairs", "with"), ("counters", "against"))
    ]
    return Section(question.id, question.text, answer, charts, tuple(tables), note)


def _terms_answer(study: Study, frame: pd.DataFrame, what: str) -> str:
    """Sentence on significant pairs or counters. A counter is turned so that its effect favours the first."""
    sure, clauses = frame[frame["sure"]], []
    if sure.empty and what == "pairs":
        return f"No two {study.units_word} are significantly better or worse together than each is separately."
    if sure.empty:
        return f"No {study.unit_word} significantly counters another."
    for _, row in sure[:NAMED].iterrows():
        value, low, high, first, second = row[["estimate", "low", "high", "first", "second"]]
        if what == "counters" and value < 0:
            value, low, high, first, second = -value, -high, -low, second, first
        joined = f"{first} {'and' if what == 'pairs' else 'counters'} {second}"
        clauses.append(f"{joined} {points(value)} points {point_interval(low, high)}")
    left = len(sure) - NAMED
    more = f", and {number_word(left)} more{'' if what == 'pairs' else ' pairs'}" if left > 0 else ""
    begin = "Significantly better (or worse) together than each separately: " if what == "pairs" else ""
    return f"{begin}{'; '.join(clauses) if begin else capital('; '.join(clauses))}{more}."


def _terms_chart(study: Study, question: Question, model: Contributions, frame: pd.DataFrame, what: str) -> Chart:
    """One map, with parts in the order of their contributions."""
    names, sign = [*model.parts["name"]], -1 if what == "counters" else 1
    back = frame.assign(first=frame["second"], second=frame["first"], estimate=sign * frame["estimate"])
    cells = pd.concat([frame, back], ignore_index=True).drop(columns="size")
    cells = cells.rename(columns={"first": "row", "second": "column", "estimate": "value"})
    cells = cells.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)
    team = study.game.entrant_word
    if what == "pairs":
        label, corner = f"change in win probability with both in one {team}, in points", f"together in one {team}"
        caption = f"What two {study.units_word} in one {team} add to its win probability in an even match, beyond what each adds "
        caption += "with all its mates. Orange: they work together; blue: they get in each other's way; grey: may be chance."
    else:
        label, corner = "change in the row's win probability, in points", "rows against columns"
        caption = f"What the row's {study.unit_word} gains against the column's in an even match, beyond what it does against "
        caption += "all. Orange: the row does better than usual; blue: worse; grey: may be chance."
    sure = f"Of {number_word(len(frame))} pairs {number_word(int(frame['sure'].sum()))} are significant."
    alt = f"Map of what every two {study.units_word} do {corner}. {sure}"
    return Chart(f"{question.id}-{what}", terms(cells, label=label, corner=corner), caption, alt)


SHOWN = 20  # teams from each end in the chart and in the table on the page


def league(study: Study, question: Question) -> Section | None:
    """Ranked dots of the best and the worst teams, first estimate and retest; the table's CSV holds all teams.

    None if entrants are not teams, and with too few games.
    """
    if study.team_study is None or len(study.team_study.league) < 2:
        return None
    frame, again = study.team_study.league, study.team_study.retested
    known, team, teams = frame.dropna(subset=["estimate"]), study.game.entrant_word, study.game.entrants_word
    tables = [_league_table(frame, question.id, team, teams)]
    note = (
        f"Shrunken: the prediction of the model of the {study.units_word} against all possible opponents of a {team}, plus the "
    )
    note += "part of the deviation in its own games that is not chance; intervals are for each alone. "
    tried = "."
    if again.empty:
        best, worst = known.iloc[0], known.iloc[-1]
        answer = f"Of {count(len(frame))} {teams} {best['name']} leads with {percent(best['estimate'])} {_range(best)}; last is "
        answer += f"{worst['name']} with {percent(worst['estimate'])} {_range(worst)}."
    else:
        best, worst, bias = again.iloc[0], again.iloc[-1], selection_bias(again)
        tried = f"; the {number_word(len(again) // 2)} at each end again in new games."
        ends = [
            f"the {number_word(row['teams'])} {row['end']} won {percent(row['raw'])} of their first games, shrunk "
            f"{percent(row['estimate'])}, and win {percent(row['retest'])} of the new ones"
            for _, row in bias.iterrows()
        ]
        answer = (
            f"Of {count(len(frame))} {teams} {best['name']} leads and wins {percent(best['retest'])} in new games "
            f"{interval(best['retest_low'], best['retest_high'], best['retest_n'], 'games')}; last is {worst['name']} with "
            f"{percent(worst['retest'])} {_range(worst, 'retest_')}. {capital('; '.join(ends))}."
        )
        note += (
            f"Coloured marks: the same {teams} in {count(again['retest_n'].min())} games each of seed {study.retest_seed}, which "
            "were not used to choose them, against all opponents equally often; rounds of the design are the observations. "
            f"First estimate and new games differ by at most {points(float(again['gap'].abs().max()))[1:]} points. A team chosen "
            "for its results was partly lucky, or unlucky: in new games the raw win shares of both ends should move towards an "
            "even chance, while shrunken estimates should not change. "
        )
        tables += _retest_tables(again, bias, question.id, team, teams)
    ends_shown = min(SHOWN, len(known) // 2)
    panels = {
        f"Best {ends_shown} of {count(len(frame))} {teams}": known.head(ends_shown),
        f"Worst {ends_shown}": known.tail(ends_shown),
    }
    drawn = pd.concat([part.assign(panel=panel) for panel, part in panels.items()], ignore_index=True).drop(columns="n")
    drawn = drawn.rename(columns={"estimate": "other", "low": "other_low", "high": "other_high"})
    names = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n"}
    if again.empty:
        drawn = drawn.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0, verdict="")
    else:
        fresh = again[["entrant", "verdict", *names]].rename(columns=names)
        drawn = drawn.merge(fresh, on="entrant", how="left").fillna({"verdict": ""})
    caption = f"Win share of the best and the worst of {count(len(frame))} {teams} against all possible opponents, with "
    caption += f"{study.policy} in every seat, in the order of their first games{tried}"
    alt = f"Ranked dots of the best and the worst {teams} with 95 % intervals. {answer}"
    chart = Chart(question.id, ranked(drawn, words=("new games", "first games"), band=BAND), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note + MEANING)


def _league_table(frame: pd.DataFrame, id_: str, team: str, teams: str) -> Table:
    """Table of the whole league."""
    columns = {"rank": "rank", "name": team, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    return table(frame, id_, f"All {teams}, best first", columns, formats, ends=SHOWN)


def _retest_tables(again: pd.DataFrame, bias: pd.DataFrame, id_: str, team: str, teams: str) -> list[Table]:
    """Tables of the teams that played again, and of selection bias."""
    shares = {"raw": "raw", "estimate": "shrunken", "retest": "new games"}
    columns = {"rank": "rank", "name": team, **shares, "retest_low": "low", "retest_high": "high", "retest_n": "n"}
    columns |= {"p_beyond": prose.HEADING, "verdict": "verdict", "gap": "shrunken less new"}
    on_average = {"end": "end", "teams": f"n ({teams})", **shares, "raw_gap": "raw less new", "gap": "shrunken less new"}
    formats: dict[str, Format] = {**dict.fromkeys(shares.values(), "percent"), "raw less new": "points"}
    formats |= {"shrunken less new": "points"}
    return [
        table(again, f"{id_}-retest", "The ends of the league in new games", columns, formats),
        table(bias, f"{id_}-bias", "Selection bias, on average", on_average, formats),
    ]


MODELS = 50  # drawn from the estimated distribution of the model, for intervals
PERFECT = "perfect drafting"


def draft(study: Study, question: Draft) -> Section | None:
    """Value of every first pick and mean pick number of every part, perfect and played; None without a draft.

    Roles: picked (pick number by member of the team, from 1). Settings: the rule under which teams are drafted and its value
    (`rules.mode: ("draft",)`); games (in multiples of the usual number). Without them only the solved draft is shown.
    """
    model, cards, part = _model(study), draft_cards(study, question), study.unit_word
    teams = study.game.teams_for(cards) if cards else study.teams
    if model is None or teams is None or not teams.picks:
        return None
    try:
        solved = drafting(teams, model.table(), model.resampled(MODELS, study.seed))
    except ValueError:  # too large, or parts have no games
        return None
    policies = [study.policy, *([study.beside] if study.beside else [])]
    seen = [played for policy in policies if (played := played_drafts(study, question, policy))]
    frame = solved.openings if seen else solved.openings.assign(seen=np.nan, taken=np.nan, n=0)
    for prefix, played in zip(("", "other_"), seen, strict=False):
        own = played.picks.rename(columns={name: f"{prefix}{name}" for name in ("seen", "taken", "n")})
        frame = frame.merge(own, on="part", how="left", validate="one_to_one")
    answer = _draft_answer(solved, seen)
    by_eye = f", hollow as picked by {seen[0].policy}, with the share of its drafts" if seen else ""
    caption = (
        f"Left: win probability of the first drafter if this {part} is picked first and both then draft perfectly, by the model "
        f"of {study.policy} in every seat. Right: mean pick number, over the drafts in which it is picked: filled with "
        f"{PERFECT}{by_eye}."
    )
    figure = picks(frame, last=len(teams.picks), words=(PERFECT, f"seen with {seen[0].policy}" if seen else ""))
    chart = Chart(question.id, figure, caption, f"Value of the first pick, and when every {part} is picked. {answer}")
    columns = {"name": part, "value": "value of picking it first", "behind": "behind the best"}
    columns |= {"chance_best": "models in which it is best", "picked": "picked, perfect", "pick": "pick, perfect"}
    formats: dict[str, Format] = {"value of picking it first": "percent", "behind the best": "points", "pick, perfect": "number"}
    formats |= {"models in which it is best": "percent", "picked, perfect": "percent"}
    for prefix, played in zip(("", "other_"), seen, strict=False):
        columns |= {f"{prefix}taken": f"picked, {played.policy}", f"{prefix}seen": f"pick, {played.policy}"}
        formats |= {f"picked, {played.policy}": "percent", f"pick, {played.policy}": "number"}
    columns |= {"n": "n (drafts played)"} if seen else {}
    tables = [table(frame, question.id, "Every first pick, the best first", columns, formats)]
    tables += [_first_table(solved, seen, f"{question.id}-first")] if seen else []
    note = (
        f"The draft is a game of perfect information: its {count(solved.outcomes)} different pairs of "
        f"{study.game.entrants_word}, reached by {count(solved.orders)} orders of picking, are solved backwards from the win "
        "probabilities of the model (mean of going first and second); equally good picks are taken equally often. Intervals "
        f"come from the same draft in {MODELS} models drawn from the uncertainty of the fit, each of which the drafters are "
        "assumed to know."
        + (f" Drafts were played with seed {study.fresh_seed}, {size(seen[0].games)} by each policy." if seen else "")
    )
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _draft_answer(solved: Drafted, seen: list[Played]) -> str:
    """Value of picking first, the best pick, the drafts played, and the parts that are picked first in them."""
    best, worst = [*solved.openings.loc[solved.openings["best"], "name"]], solved.openings.iloc[-1]
    bounds = solved.interval
    within = f" (95 % interval {100 * bounds.low:.1f} to {percent(bounds.high)})" if bounds else ""
    answer = (
        f"If both draft perfectly, the first drafter wins {percent(solved.value)}{within}, {points(solved.value - EVEN)} points "
        f"against an even chance, with {listed(best)} first; opening with {worst['name']} instead costs "
        f"{points(worst['behind'])[1:] or '0.0'} points. Perfect against random drafting is worth "
        f"{points(solved.against_random - EVEN)} points to the first drafter."
    )
    for played in seen:
        if played.first:
            answer += f" In drafts played by {played.policy} the first drafter wins {percent(played.first.estimate)} "
            answer += f"{interval(played.first.low, played.first.high, played.first.n, 'drafts')}."
    if not seen:
        return answer
    names = solved.openings.set_index("part")["name"]
    early = seen[0].picks[seen[0].picks["taken"] > 0].sort_values("seen", kind="stable")
    earliest = listed([f"{names[int(row['part'])]} ({row['seen']:.1f})" for _, row in early[:3].iterrows()])
    return answer + (f" Earliest picks of {seen[0].policy}, by their mean number: {earliest}." if earliest else "")


def _first_table(solved: Drafted, seen: list[Played], id_: str) -> Table:
    """Table of the first drafter's wins, by how both draft."""
    ways = {
        "both perfect, by the model": solved.value,
        "first perfect, second random, by the model": solved.against_random,
        "first random, second perfect, by the model": solved.random_against,
        "both random, by the model": solved.random,
    }
    rows = [{"who": way, "estimate": value, "low": np.nan, "high": np.nan, "n": None} for way, value in ways.items()]
    rows[0] |= {"low": solved.interval.low, "high": solved.interval.high} if solved.interval else {}
    for played in seen:
        if played.first:
            bounds = {name: getattr(played.first, name) for name in ("estimate", "low", "high", "n")}
            rows.append({"who": f"drafted and played by {played.policy}", **bounds})
    columns = {"who": "who drafts how", "estimate": "first drafter wins", "low": "low", "high": "high", "n": "n"}
    return table(pd.DataFrame(rows), id_, "What the first drafter wins", columns, {"first drafter wins": "percent"})


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
    fair = f"Fair means: {article(team)} with the {part} instead of an average one wins {prose.band(EVEN)} against one that is "
    yield Finding(f"{fair}otherwise equal.")
    sure = frame[frame["verdict"].isin(prose.UNFAIR)].assign(far=lambda part: (part["estimate"] - EVEN).abs())
    sure = sure.sort_values("far", ascending=False, kind="stable")
    for _, row in islice(sure.iterrows(), HEADLINE_SHOWN):
        wins = f"{study.game.entrants_word} with it win {percent(row['estimate'])} {_range(row)}"
        yield Finding(f"{row['name']} is {row['verdict']}: {wins}.", TONES[row["verdict"]])
    for verdict, rest in sure[HEADLINE_SHOWN:].groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed([*rest['name']])}.", TONES[str(verdict)])
    if len(sure):
        named = "With 95 % confidence, all those named as too strong or too weak are beyond the fair band (Holm); intervals are "
        yield Finding(f"{named}for each {part} alone.")
    known = frame.dropna(subset=["estimate"])
    within, undecided = ([*known.loc[known["verdict"] == word, "name"]] for word in ("fair", prose.OPEN))
    if within:
        every = f"Every {part} is" if len(within) == len(known) else f"{listed(within)} {'is' if len(within) == 1 else 'are'}"
        yield Finding(f"{every} within the fair band.", "fair")
    if undecided:
        yield Finding(f"Not decided, more games are needed: {listed(undecided)}.", "open")
    if model is not None and model.first.n:
        shift, low, high = (points(value - EVEN) for value in (model.first.share, model.first.low, model.first.high))
        yield Finding(f"Going first in an even match: {shift} points ({low} to {high}) against an even chance.")


def _of_league(study: Study) -> Iterator[Finding]:
    """The best and the worst team, if a question has them play again."""
    asked = any(isinstance(question, TeamResults) and question.by == "team" for question in study.game.questions)
    if study.team_study is None or not asked or study.team_study.retested.empty:
        return
    best, worst = (study.team_study.retested.iloc[end] for end in (0, -1))
    sentence = (
        f"First of the {study.game.entrant_word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
    )
    sentence += f"{_range(best, 'retest_')}; last is {worst['name']} with {percent(worst['retest'])} {_range(worst, 'retest_')}."
    yield Finding(sentence)
