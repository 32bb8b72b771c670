"""Report sections on parts, pairs, teams and drafts.

The parts of teams as a report judges them: their contributions against the fair band, how sure, and what is said of them.

Which part of the teams wins too often: what each contributes to winning, whoever stands beside it or against it.

Which parts of teams belong together, and which counter which: what two add beyond what each does by itself.

Which teams are best and worst, of all that there are: a league by shrunken estimates, its ends tried again in new games.

What drafting is worth: the value of the first pick if both draft perfectly, and how drafters were seen to pick.

The headline of a game of teams: which parts are out of the fair band and how sure, going first, the best and worst teams.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.charts import picks, ranked, terms
from analysis.data.study import Study
from analysis.document import verdicts
from analysis.document.cells import count, percent, points
from analysis.document.model import Chart, Finding, Format, Section, Table, Tone
from analysis.document.prose import LISTED, article, capital, interval, listed, number_word, point_interval, size, some
from analysis.document.tables import table
from analysis.stats.intervals import FAIR_BAND
from analysis.teams.draft import Drafted, drafting
from analysis.teams.league import selection_bias
from analysis.teams.model import Contributions
from analysis.variants.rules import Played, draft_cards, played_drafts
from sim.engine.measures import Question
from sim.engine.teams import Teams

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))


def judged(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty where the entrants are no teams or never meet two by two.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the
    policy beside, NaN where there is none.
    """
    found = study.team_study.contributions if study.team_study else None
    if found is None or study.team_study is None:
        return pd.DataFrame()
    frame = found.parts.reset_index(drop=True)
    beside = study.team_study.contributions_beside
    for name in ("estimate", "low", "high"):
        column = {"estimate": "other"}.get(name, f"other_{name}")
        known = frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan
        frame[column] = known
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def contributions(study: Study, question: Question) -> Section | None:
    """Sorted dots of what every part contributes, beside the policy of comparison; left out where entrants are no teams.

    The tables add raw win shares, and how well the model's chances come true. Left out, too, with very few games.
    """
    frame = judged(study)
    if frame.empty or study.team_study is None or study.team_study.contributions is None:
        return None
    found = study.team_study.contributions
    answer = _said(study, frame)
    team, part = study.game.entrant_word, study.unit_word
    caption = (
        f"Chance that {article(team)} with this {part} beats one that is alike but for an average {part} in its place, "
    )
    caption += f"with {study.policy} in every seat, best first"
    caption += f"; below it with {study.beside}." if frame["other"].notna().any() else "."
    caption += f" The pale band reaches {verdicts.BAND_WORDS} of an even chance to both sides."
    figure = ranked(frame, words=(str(study.policy), str(study.beside or "")), band=BAND)
    alt = f"Dot chart of what every {part} contributes, with 95 % intervals. {answer}"
    chart = Chart(question.id, figure, caption, alt)
    tables = (_numbers(study, question, frame), _calibration(question, found))
    return Section(question.id, question.text, answer, (chart,), tables, _note(study, found))


def _said(study: Study, frame: pd.DataFrame) -> str:
    """Who contributes most and least, and how many are beyond the fair band for sure."""
    known = frame.dropna(subset=["estimate"])
    best, worst = known.iloc[0], known.iloc[-1]
    said = (
        f"{best['name']} contributes most: between {study.game.entrants_word} that are otherwise alike, the one with "
    )
    said += f"{best['name']} instead of an average {study.unit_word} wins {percent(best['estimate'])} "
    said += f"{interval(best['low'], best['high'], best['n'], 'games')}; "
    said += f"the one with {worst['name']} wins {percent(worst['estimate'])} "
    said += f"({100 * worst['low']:.1f} to {percent(worst['high'])}). "
    out = {word: listed(list(known[known["verdict"] == word]["name"])) for word in verdicts.UNFAIR}
    sure = [f"{names} {word}" for word, names in out.items() if names]
    if not sure:
        return f"{said}Of {some(len(known), study.unit_word)}, none is beyond the fair band for sure."
    fair = int((known["verdict"] == "fair").sum())
    return f"{said}Beyond the fair band for sure: {'; '.join(sure)}. Within it for sure: {number_word(fair) if fair else 'none'}."


def _numbers(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Every part, modelled and raw."""
    columns = {"name": study.unit_word, "estimate": "modelled", "low": "low", "high": "high", "raw": "raw win share"}
    columns |= {"n": "n", "p_beyond": verdicts.HEADING, "verdict": "verdict"}
    formats: dict[str, Format] = {"modelled": "percent", "raw win share": "percent"}
    if frame["other"].notna().any():
        names = {
            "other": str(study.beside),
            "other_low": f"low ({study.beside})",
            "other_high": f"high ({study.beside})",
        }
        columns |= names
        formats |= dict.fromkeys(names.values(), "percent")
    return table(frame, question.id, f"What every {study.unit_word} contributes, with {study.policy}", columns, formats)


def _calibration(question: Question, found: Contributions) -> Table:
    """How often what the model said came true, in games that it had not seen."""
    columns = {"predicted": "predicted", "estimate": "seen", "low": "low", "high": "high", "n": "n"}
    caption = "Predicted and seen: wins of the first seat, by tenths of their chance, in games left out of the fit"
    return table(
        found.fit.calibration,
        f"{question.id}-calibration",
        caption,
        columns,
        {"predicted": "percent", "seen": "percent"},
    )


def _note(study: Study, found: Contributions) -> str:
    """What the model is and how it judges."""
    teams, parts = study.game.entrants_word, study.units_word
    said = (
        f"A logistic regression of the winner on the {parts} of both {teams},",
        f"on every pair of them within and across the {teams}, and on who goes first;",
        "pairs and counters are shrunken by as much as the games ask for.",
        f"Intervals and p-values take {count(found.fit.rounds)} rounds of the design for the observations,",
        f"not their {count(found.fit.games)} games.",
        f"A raw win share is that of all games in which a {study.unit_word} sat, whoever sat beside it or against it;",
        "games that nobody won do not count.",
        verdicts.MEANING.replace("the fair share", "an even chance"),
        _fit(found, parts),
    )
    return " ".join(said) + _remarks(found)


def _fit(found: Contributions, parts: str) -> str:
    """How well the model does on games that it has not seen."""
    losses = found.fit.losses.set_index("model")["log_loss"]
    said = (
        f"How well it fits: on games that it has not seen it loses {losses['parts, pairs, counters']:.4f} nats a game, "
    )
    said += f"with {parts} alone {losses['parts']:.4f}, a coin {losses['coin']:.4f}; of two games, one won and one lost, it "
    return f"{said}gives the one won the better chance in {percent(found.fit.auc)}."


def _remarks(found: Contributions) -> str:
    """Where the model falls short, with a blank before; nothing where it does not."""
    calibration, said = found.fit.calibration, ""
    off = int(
        ((calibration["predicted"] < calibration["low"]) | (calibration["predicted"] > calibration["high"])).sum()
    )
    if off:
        groups = f"{number_word(off)} of {some(len(calibration), 'group')} of games with like chances"
        said += f" In {groups} the share predicted is outside the 95 % interval of the one seen; by chance it is in one of 20."
    unknown = list(found.parts[found.parts["estimate"].isna()]["name"])
    return said + (f" No games tell of {listed(unknown)}." if unknown else "")


SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
LEAST_P = 0.001  # smaller p-values are not spelt out in a sentence
SLOPE = 0.25  # of a chance by its logit, in an even match
NAMED = 3  # pairs or counters told one by one


def synergy(study: Study, question: Question) -> Section | None:
    """Two maps, parts by parts: worth together, and row against column; left out where the entrants are no teams."""
    found = study.team_study.contributions if study.team_study else None
    if found is None:
        return None
    frames = {"pairs": _judged(found.pairs), "counters": _judged(found.counters)}
    answer = f"{_of_pairs(study, frames['pairs'])} {_of_counters(study, frames['counters'])}"
    charts = tuple(_chart(study, question, found, frame, what) for what, frame in frames.items())
    tables = tuple(_table(question, frame, what) for what, frame in frames.items())
    return Section(question.id, question.text, answer, charts, tables, _synergy_note(study, found))


def _judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add sure; the largest effect, either way, first."""
    frame = frame.assign(sure=frame["p_bh"] < SURE, size=frame["estimate"].abs())
    return frame.sort_values("size", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _of_pairs(study: Study, frame: pd.DataFrame) -> str:
    """The pairs that are surely worth more or less than their parts."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No two {study.units_word} are surely worth more or less together than each is by itself."
    said = [f"{row['first']} and {row['second']} {_effect(row)}" for _, row in sure[:NAMED].iterrows()]
    more = f", and {number_word(len(sure) - NAMED)} more" if len(sure) > NAMED else ""
    return f"Worth surely more (or less) together than each by itself: {_all(said)}{more}."


def _of_counters(study: Study, frame: pd.DataFrame) -> str:
    """Who surely does better, or worse, against whom than against others."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No {study.unit_word} surely counters another."
    said = [f"{a} counters {b} {_effect(row)}" for row, a, b in _turned(sure[:NAMED])]
    more = f", and {number_word(len(sure) - NAMED)} more pairs" if len(sure) > NAMED else ""
    return f"{_all(said)[:1].upper()}{_all(said)[1:]}{more}."


def _all(said: Sequence[str]) -> str:
    """Some clauses in one."""
    assert len(said) <= LISTED
    return "; ".join(said)


def _turned(frame: pd.DataFrame) -> list[tuple[pd.Series, str, str]]:
    """Counters read so that the effect is in favour of the first."""
    rows = []
    for _, row in frame.iterrows():
        if row["estimate"] >= 0:
            rows.append((row, str(row["first"]), str(row["second"])))
        else:
            other = row.copy()
            other["estimate"], other["low"], other["high"] = -row["estimate"], -row["high"], -row["low"]
            rows.append((other, str(row["second"]), str(row["first"])))
    return rows


def _effect(row: pd.Series) -> str:
    """An effect in points, with its interval."""
    return f"{points(row['estimate'])} points {point_interval(row['low'], row['high'])}"


def _chart(study: Study, question: Question, found: Contributions, frame: pd.DataFrame, what: str) -> Chart:
    """One map; parts stand in the order of what they contribute."""
    names = list(found.parts["name"])
    sign = -1 if what == "counters" else 1
    back = frame.assign(first=frame["second"], second=frame["first"], estimate=sign * frame["estimate"])
    both = pd.concat([frame, back], ignore_index=True)
    cells = pd.DataFrame(
        {
            "row": both["first"],
            "column": both["second"],
            "value": both["estimate"],
            "sure": both["sure"],
            "n": both["n"],
        }
    )
    cells = cells.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)
    team, most = (
        study.game.entrant_word,
        f"Of {number_word(len(frame))} pairs {number_word(int(frame['sure'].sum()))} are sure.",
    )
    if what == "pairs":
        label, corner = f"change of the winning chance by both in one {team}, in points", f"together in one {team}"
        caption = f"What two {study.units_word} in one {team} add to its chance in an even match, beyond what each adds with all "
        caption += "its mates. Orange: they belong together; blue: they get in each other's way; grey: may be chance."
    else:
        label, corner = "change of the row's winning chance, in points", "rows against columns"
        caption = f"What the row's {study.unit_word} gains against the column's in an even match, beyond what it does against "
        caption += "all. Orange: the row does better than elsewhere; blue: worse; grey: may be chance."
    alt = f"Map of what every two {study.units_word} do {corner}. {most}"
    return Chart(f"{question.id}-{what}", terms(cells, label=label, corner=corner), caption, alt)


def _table(question: Question, frame: pd.DataFrame, what: str) -> Table:
    """Every pair of one map."""
    second = {"pairs": "with", "counters": "against"}[what]
    columns = {"first": "one", "second": second, "estimate": "effect", "low": "effect low", "high": "effect high"}
    columns |= {"p_bh": "p (BH)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    caption = {"pairs": "Every pair, the largest effect first", "counters": "Every counter, the largest effect first"}
    return table(frame, f"{question.id}-{what}", caption[what], columns, formats)


def _synergy_note(study: Study, found: Contributions) -> str:
    """How the terms are meant, and whether there are any."""
    said = (
        "Both are terms of the model behind the contributions, shrunken towards none by as much as the games ask for,",
        "so that the largest are not the luck of few games.",
        f"A term is sure, and coloured, if p (BH) < {SURE}: Benjamini and Hochberg, over all cells of its map,",
        "without the shrinking; up to one in twenty of those coloured may be chance.",
        *(_group(term, row) for term, row in found.fit.groups.set_index("term").iterrows()),
        f"Intervals rest on {count(found.fit.rounds)} rounds of the design;",
        f"n in the tables counts games in which both {study.units_word} sat as the map says.",
    )
    return " ".join(said)


def _group(term: object, row: pd.Series) -> str:
    """Whether there are pairs, or counters, at all."""
    there = "there are some beyond chance" if row["p"] < SURE else "there may be none"
    p = "< 0.001" if row["p"] < LEAST_P else f"= {row['p']:.3f}"
    size = f"spread {100 * row['spread'] * SLOPE:.1f} points"
    return f"All {term} together: {there} (F = {row['f']:.2f}, p {p}; {size})."


SHOWN = 20  # teams from each end in the chart and in the table on the page


def league(study: Study, question: Question) -> Section | None:
    """Ranked dots of the best and the worst teams, first estimate and re-test; all are in the table's CSV.

    Left out where the entrants are no teams, and with too few games to say.
    """
    if study.team_study is None or len(study.team_study.league) < 2:
        return None
    frame, again = study.team_study.league, study.team_study.retested
    answer = _league_said(study, frame, again)
    teams = study.game.entrants_word
    caption = (
        f"Win share of the best and the worst of {count(len(frame))} {teams} against all that they can meet, with "
    )
    caption += f"{study.policy} in every seat, in the order of their first games"
    tried = f"; the {number_word(len(again) // 2)} at each end again in new games." if len(again) else "."
    alt = f"Ranked dots of the best and the worst {teams} with 95 % intervals. {answer}"
    figure = ranked(_drawn(study, frame, again), words=("new games", "first games"), band=BAND)
    chart = Chart(question.id, figure, caption + tried, alt)
    tables = [
        _league_all(study, question, frame),
        *([_again(study, question, again), _flattered(study, question, again)] if len(again) else []),
    ]
    return Section(question.id, question.text, answer, (chart,), tuple(tables), _league_note(study, again))


def _league_said(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> str:
    """Who leads and who is last, and what is left of that in new games."""
    known = frame.dropna(subset=["estimate"])
    if again.empty:
        best, worst = known.iloc[0], known.iloc[-1]
        said = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads with "
        said += f"{percent(best['estimate'])} {_bounds(best)}; "
        return f"{said}last is {worst['name']} with {percent(worst['estimate'])} {_bounds(worst)}."
    best, worst = again.iloc[0], again.iloc[-1]
    said = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads and wins {percent(best['retest'])} "
    said += f"in new games {interval(best['retest_low'], best['retest_high'], best['retest_n'], 'games')}; "
    said += f"last is {worst['name']} with {percent(worst['retest'])} "
    said += f"{_bounds(worst, 'retest_')}. "
    return said + _shrunk(again)


def _shrunk(again: pd.DataFrame) -> str:
    """What the ends won when they were chosen, before and after shrinking, and what they win since."""
    said = []
    for _, row in selection_bias(again).iterrows():
        clause = f"the {number_word(row['teams'])} {row['end']} won {percent(row['raw'])} of their first games, "
        clause += f"shrunken {percent(row['estimate'])}, and win {percent(row['retest'])} of the new ones"
        said.append(clause)
    return f"{capital('; '.join(said))}."


def _drawn(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """Both ends of the league as the chart takes them."""
    known = frame.dropna(subset=["estimate"])
    ends = min(SHOWN, len(known) // 2)
    words = study.game.entrants_word
    panels = {f"Best {ends} of {count(len(frame))} {words}": known.head(ends), f"Worst {ends}": known.tail(ends)}
    both = pd.concat([part.assign(panel=panel) for panel, part in panels.items()], ignore_index=True)
    both = both.rename(columns={"estimate": "other", "low": "other_low", "high": "other_high"}).drop(columns="n")
    names = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n"}
    if again.empty:
        return both.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0, verdict="")
    fresh = again[["entrant", "verdict", *names]].rename(columns=names)
    return both.merge(fresh, on="entrant", how="left").fillna({"verdict": ""})


def _league_all(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """The whole league."""
    columns = {"rank": "rank", "name": study.game.entrant_word, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    return table(frame, question.id, f"All {study.game.entrants_word}, best first", columns, formats, ends=SHOWN)


def _again(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """Those tried again."""
    columns = {
        "rank": "rank",
        "name": study.game.entrant_word,
        "raw": "raw",
        "estimate": "shrunken",
        "retest": "new games",
    }
    columns |= {"retest_low": "low", "retest_high": "high", "retest_n": "n", "p_beyond": verdicts.HEADING}
    columns |= {"verdict": "verdict", "gap": "shrunken less new"}
    formats: dict[str, Format] = {
        "raw": "percent",
        "shrunken": "percent",
        "new games": "percent",
        "shrunken less new": "points",
    }
    return table(again, f"{question.id}-retest", "The ends of the league in new games", columns, formats)


def _flattered(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """How far choosing flattered."""
    columns = {
        "end": "end",
        "teams": f"n ({study.game.entrants_word})",
        "raw": "raw",
        "estimate": "shrunken",
        "retest": "new games",
    }
    columns |= {"raw_gap": "raw less new", "gap": "shrunken less new"}
    formats: dict[str, Format] = dict.fromkeys(("raw", "shrunken", "new games"), "percent")
    formats |= {"raw less new": "points", "shrunken less new": "points"}
    return table(
        selection_bias(again), f"{question.id}-bias", "How far choosing flattered, on average", columns, formats
    )


def _league_note(study: Study, again: pd.DataFrame) -> str:
    """How teams are estimated and tried again."""
    word = study.game.entrant_word
    said = f"Shrunken: what the model of the {study.units_word} predicts against all that a {word} can meet, and as much of "
    said += "what its own games show beyond that as is not chance; intervals are of each alone. "
    if len(again):
        least = points(float(again["gap"].abs().max()))[1:]
        said += f"Coloured marks: the same {study.game.entrants_word} in {count(again['retest_n'].min())} games each of seed "
        said += (
            f"{study.retest_seed}, which had no part in choosing them, against opponents drawn evenly; rounds of the "
        )
        said += (
            f"design are the observations. First estimate and new games differ by at most {least} points. Whoever is "
        )
        said += (
            "chosen for what it won was in part lucky, or unlucky: new games are expected to bring what both ends won "
        )
        said += "nearer to an even chance, while shrunken estimates should stay. "
    return said + verdicts.MEANING.replace("the fair share", "an even chance")


def _bounds(row: pd.Series, of: str = "") -> str:
    """An interval in brackets. of: what its columns begin with."""
    return f"({100 * row[f'{of}low']:.1f} to {percent(row[f'{of}high'])})"


MODELS = 50  # drawn from the distribution of the fitted one, for intervals
PERFECT = "perfect drafting"


def draft(study: Study, question: Question) -> Section | None:
    """Value of every first pick and mean number of every pick, perfect beside played; left out where nothing is drafted.

    Roles: picked (number of the pick by member of the team, from 1). Settings: the rule with which teams are drafted and its
    value (`rules.mode: ("draft",)`); games (in multiples of the usual number). Without them the solved draft stands alone.
    """
    found = study.team_study.contributions if study.team_study else None
    teams = _teams(study, question)
    if found is None or teams is None or not teams.picks:
        return None
    solved = _solved(study, teams, found)
    if solved is None:
        return None
    policies = [study.policy, *([study.beside] if study.beside else [])]
    seen = [one for one in (played_drafts(study, question, policy) for policy in policies) if one]
    frame = _frame(solved, seen)
    answer = _draft_said(solved, seen)
    caption = f"Left: chance of the first drafter if this {study.unit_word} is picked first and both draft perfectly from then "
    caption += (
        f"on, by the model of {study.policy} in every seat. Right: mean number of the pick, over those drafts in which "
    )
    caption += f"it is picked: filled with {PERFECT}" + (
        f", hollow as {seen[0].policy} was seen to pick, and in how many of its drafts." if seen else "."
    )
    words = (PERFECT, f"seen with {seen[0].policy}" if seen else "")
    figure = picks(frame, last=len(teams.picks), words=words)
    chart = Chart(
        question.id, figure, caption, f"Value of the first pick, and when every {study.unit_word} goes. {answer}"
    )
    tables = [_draft_table(study, question, frame, seen), *([_firsts(question, solved, seen)] if seen else [])]
    return Section(question.id, question.text, answer, (chart,), tuple(tables), _draft_note(study, solved, seen))


def _teams(study: Study, question: Question) -> Teams | None:
    """The teams with the draft: of the cards with which they are drafted, if the question says so."""
    cards = draft_cards(study, question)
    return study.game.teams_for(cards) if cards else study.teams


def _solved(study: Study, teams: Teams, found: Contributions) -> Drafted | None:
    """The draft solved; None where it is too large, or where parts are drafted that no games tell of."""
    try:
        return drafting(teams, found.table(), found.resampled(MODELS, study.seed))
    except ValueError:
        return None


def _frame(solved: Drafted, seen: list[Played]) -> pd.DataFrame:
    """What the chart and the table take, best opening first."""
    if not seen:
        return solved.openings.assign(seen=np.nan, taken=np.nan, n=0)
    frame = solved.openings.merge(seen[0].picks, on="part", how="left", validate="one_to_one")
    for other in seen[1:]:
        more = other.picks.rename(columns={"seen": "other_seen", "taken": "other_taken", "n": "other_n"})
        frame = frame.merge(more, on="part", how="left", validate="one_to_one")
    return frame


def _draft_said(solved: Drafted, seen: list[Played]) -> str:
    """What picking first is worth, with what, and what came of it in games."""
    best = [str(name) for name in solved.openings[solved.openings["best"]]["name"]]
    said = f"If both draft perfectly, who picks first wins {percent(solved.value)}"
    if solved.interval:
        said += f" (95 % interval {100 * solved.interval.low:.1f} to {percent(solved.interval.high)})"
    said += f", {points(solved.value - EVEN)} points against an even chance, with {listed(best)} first"
    worst = solved.openings.iloc[-1]
    said += f"; to open with {worst['name']} instead costs {points(worst['behind'])[1:] or '0.0'} points. "
    said += (
        f"Perfect against random drafting is worth {points(solved.against_random - EVEN)} points to the first drafter."
    )
    for one in seen:
        if one.first:
            said += f" In drafts played by {one.policy} the first drafter wins {percent(one.first.estimate)} "
            said += f"{interval(one.first.low, one.first.high, one.first.n, 'drafts')}."
    return said + (_early(solved, seen[0]) if seen else "")


def _early(solved: Drafted, seen: Played) -> str:
    """Which parts the drafters take first."""
    early = seen.picks.assign(name=seen.picks["part"].map(solved.openings.set_index("part")["name"]))
    early = early[early["taken"] > 0].sort_values("seen", kind="stable")
    if early.empty:
        return ""
    names = [f"{row['name']} ({row['seen']:.1f})" for _, row in early[:3].iterrows()]
    return f" Earliest picks of {seen.policy}, by their mean number: {listed(names)}."


def _draft_table(study: Study, question: Question, frame: pd.DataFrame, seen: list[Played]) -> Table:
    """Every part as a first pick, and when it goes."""
    columns = {"name": study.unit_word, "value": "value of picking it first", "behind": "behind the best"}
    columns |= {"chance_best": "models in which it is best", "picked": "picked, perfect", "pick": "pick, perfect"}
    formats: dict[str, Format] = {
        "value of picking it first": "percent",
        "behind the best": "points",
        "pick, perfect": "number",
    }
    formats |= {"models in which it is best": "percent", "picked, perfect": "percent"}
    for one, prefix in zip(seen, ("", "other_"), strict=False):
        columns |= {f"{prefix}taken": f"picked, {one.policy}", f"{prefix}seen": f"pick, {one.policy}"}
        formats |= {f"picked, {one.policy}": "percent", f"pick, {one.policy}": "number"}
    if seen:
        columns |= {"n": "n (drafts played)"}
    return table(frame, question.id, "Every first pick, the best first", columns, formats)


def _firsts(question: Question, solved: Drafted, seen: list[Played]) -> Table:
    """What the first drafter wins, by who drafts how."""
    rows = [
        {"who": "both perfect, by the model", "estimate": solved.value, "low": np.nan, "high": np.nan, "n": None},
        {"who": "first perfect, second random, by the model", "estimate": solved.against_random},
        {"who": "first random, second perfect, by the model", "estimate": solved.random_against},
        {"who": "both random, by the model", "estimate": solved.random},
    ]
    if solved.interval:
        rows[0] |= {"low": solved.interval.low, "high": solved.interval.high}
    for one in seen:
        if one.first:
            bounds = {"estimate": one.first.estimate, "low": one.first.low, "high": one.first.high, "n": one.first.n}
            rows.append({"who": f"drafted and played by {one.policy}", **bounds})
    columns = {"who": "who drafts how", "estimate": "first drafter wins", "low": "low", "high": "high", "n": "n"}
    caption = "What the first drafter wins"
    return table(
        pd.DataFrame(rows), f"{question.id}-first", caption, columns, {"first drafter wins": "percent", "n": "count"}
    )


def _draft_note(study: Study, solved: Drafted, seen: list[Played]) -> str:
    """How the draft was solved and played."""
    said = (
        f"The draft is a game of perfect information: its {count(solved.outcomes)} different pairs of",
        f"{study.game.entrants_word}, reached by {count(solved.orders)} orders of picking, are solved backwards from the model's",
        "chances, the mean of going first and second; where several picks are equally good they are taken equally often.",
        f"Intervals are those of the same draft in {MODELS} models drawn from what the games leave open, which the drafters",
        "are taken to know.",
    )
    played = f" Drafts were played with seed {study.fresh_seed}, {size(seen[0].games)} by each policy." if seen else ""
    return " ".join(said) + played


TONES: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
HEADLINE_SHOWN = 6  # parts named one by one


def of_teams(study: Study) -> list[Finding]:
    """Findings on parts and teams, the most important first; says so where there are too few games for any."""
    frame = judged(study)
    if frame.empty:
        return [Finding(f"Too few games to tell what {article(study.unit_word)} contributes.", "open")]
    return [_fair(study), *_unfair(study, frame), *_others(study, frame), *_first(study), *_headline_teams(study)]


def _fair(study: Study) -> Finding:
    """What fair means."""
    team = study.game.entrant_word
    said = f"Fair means: {article(team)} with the {study.unit_word} instead of an average one wins {verdicts.band(EVEN)} against "
    return Finding(f"{said}one that is otherwise alike.")


def _unfair(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Parts that are beyond the band for sure, the farthest out first."""
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)].assign(far=lambda part: (part["estimate"] - EVEN).abs())
    sure = sure.sort_values("far", ascending=False, kind="stable")
    for _, row in sure[:HEADLINE_SHOWN].iterrows():
        said = f"{row['name']} is {row['verdict']}: {study.game.entrants_word} with it win {percent(row['estimate'])} "
        yield Finding(f"{said}{_bounds(row)}.", TONES[row["verdict"]])
    rest = sure[HEADLINE_SHOWN:]
    for verdict, part in rest.groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed(list(part['name']))}.", TONES[str(verdict)])
    if len(sure):
        said = "Those named as too strong or too weak are beyond the fair band with 95 % confidence in all of them together "
        yield Finding(f"{said}(Holm); intervals are of each {study.unit_word} alone.")


def _others(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Who is within the band, and who is not decided."""
    known = frame.dropna(subset=["estimate"])
    fair = list(known[known["verdict"] == "fair"]["name"])
    if len(fair) == len(known):
        yield Finding(f"Every {study.unit_word} is within the fair band.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} within the fair band.", "fair")
    undecided = list(known[known["verdict"] == verdicts.OPEN]["name"])
    if undecided:
        yield Finding(f"Not decided, more games would tell: {listed(undecided)}.", "open")


def _first(study: Study) -> Iterator[Finding]:
    """What going first is worth in an even match."""
    found = study.team_study.contributions if study.team_study else None
    if found is not None and found.first.n:
        low, high = found.first.low - EVEN, found.first.high - EVEN
        said = f"Going first in an even match: {points(found.first.share - EVEN)} points "
        said += f"({points(low)} to {points(high)}) against an even chance."
        yield Finding(said)


def _headline_teams(study: Study) -> Iterator[Finding]:
    """The best and the worst team, where some question had them tried again."""
    asked = any(question.chart == "league" for question in study.game.questions)
    if study.team_study is None or not asked:
        return
    again = study.team_study.retested
    if again.empty:
        return
    word = study.game.entrant_word
    best, worst = again.iloc[0], again.iloc[-1]
    said = f"First of the {word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
    said += f"{_bounds(best, 'retest_')}; last is {worst['name']} with {percent(worst['retest'])} {_bounds(worst, 'retest_')}."
    yield Finding(said)
