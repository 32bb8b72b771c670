"""Report sections on the parts of teams, pairs and counters, the league of teams and drafts, and headline findings."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.charts import picks, ranked, terms
from analysis.data.study import Study
from analysis.document import prose
from analysis.document.model import Chart, Finding, Format, Section, Table, Tone, count, percent, points, table
from analysis.document.prose import LISTED, article, capital, interval, listed, number_word, point_interval, size, some
from analysis.stats.intervals import FAIR_BAND
from analysis.teams.league import Drafted, drafting, selection_bias
from analysis.teams.model import Contributions
from analysis.variants.rules import Played, draft_cards, played_drafts
from sim.engine.measures import Question
from sim.engine.teams import Teams

EVEN = 0.5
BAND = (EVEN * (1 - FAIR_BAND), EVEN * (1 + FAIR_BAND))


def part_verdicts(study: Study) -> pd.DataFrame:
    """Contributions of the parts, best first; empty if entrants are not teams or never meet at two seats.

    Columns: those of `Contributions.parts`; other, other_low, other_high: the estimate under the second policy, NaN without
    one.
    """
    model = study.team_study.contributions if study.team_study else None
    if model is None or study.team_study is None:
        return pd.DataFrame()
    frame = model.parts.reset_index(drop=True)
    beside = study.team_study.contributions_beside
    for name in ("estimate", "low", "high"):
        column = {"estimate": "other"}.get(name, f"other_{name}")
        known = frame["part"].map(beside.parts.set_index("part")[name]) if beside else np.nan
        frame[column] = known
    return frame.sort_values("estimate", ascending=False, na_position="last", kind="stable", ignore_index=True)


def contributions(study: Study, question: Question) -> Section | None:
    """Dots of what every part contributes, under both policies; None if entrants are not teams or games are few.

    The tables add raw win shares and the calibration of the model.
    """
    frame = part_verdicts(study)
    if frame.empty or study.team_study is None or study.team_study.contributions is None:
        return None
    model = study.team_study.contributions
    answer = _extremes(study, frame)
    team, part = study.game.entrant_word, study.unit_word
    caption = f"Probability that {article(team)} with this {part} beats the same {team} with an average {part} instead, "
    caption += f"with {study.policy} in every seat, best first"
    caption += f"; below it with {study.beside}." if frame["other"].notna().any() else "."
    caption += f" The pale band extends {prose.BAND_WORDS} of an even chance to both sides."
    figure = ranked(frame, words=(str(study.policy), str(study.beside or "")), band=BAND)
    alt = f"Dot chart of what every {part} contributes, with 95 % intervals. {answer}"
    chart = Chart(question.id, figure, caption, alt)
    tables = (_numbers(study, question, frame), _calibration(question, model))
    return Section(question.id, question.text, answer, (chart,), tables, _note(study, model))


def _extremes(study: Study, frame: pd.DataFrame) -> str:
    """Sentences on the largest and smallest contribution and on parts outside the fair band."""
    known = frame.dropna(subset=["estimate"])
    best, worst = known.iloc[0], known.iloc[-1]
    sentence = f"{best['name']} contributes most: of two otherwise equal {study.game.entrants_word}, the one with "
    sentence += f"{best['name']} instead of an average {study.unit_word} wins {percent(best['estimate'])} "
    sentence += f"{interval(best['low'], best['high'], best['n'], 'games')}; "
    sentence += f"the one with {worst['name']} wins {percent(worst['estimate'])} "
    sentence += f"({100 * worst['low']:.1f} to {percent(worst['high'])}). "
    out = {word: listed(list(known[known["verdict"] == word]["name"])) for word in prose.UNFAIR}
    sure = [f"{names} {word}" for word, names in out.items() if names]
    if not sure:
        return f"{sentence}Of {some(len(known), study.unit_word)}, none is significantly beyond the fair band."
    fair = int((known["verdict"] == "fair").sum())
    within = number_word(fair) if fair else "none"
    return f"{sentence}Significantly beyond the fair band: {'; '.join(sure)}. Significantly within it: {within}."


def _numbers(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Table of every part, modelled and raw."""
    columns = {"name": study.unit_word, "estimate": "modelled", "low": "low", "high": "high", "raw": "raw win share"}
    columns |= {"n": "n", "p_beyond": prose.HEADING, "verdict": "verdict"}
    formats: dict[str, Format] = {"modelled": "percent", "raw win share": "percent"}
    if frame["other"].notna().any():
        names = {"other": str(study.beside), "other_low": f"low ({study.beside})", "other_high": f"high ({study.beside})"}
        columns |= names
        formats |= dict.fromkeys(names.values(), "percent")
    return table(frame, question.id, f"What every {study.unit_word} contributes, with {study.policy}", columns, formats)


def _calibration(question: Question, model: Contributions) -> Table:
    """Table of predicted and observed win shares in games left out of the fit."""
    columns = {"predicted": "predicted", "estimate": "seen", "low": "low", "high": "high", "n": "n"}
    caption = "Predicted and observed wins of the first seat, by tenths of the prediction, in games left out of the fit"
    return table(
        model.fit.calibration, f"{question.id}-calibration", caption, columns, {"predicted": "percent", "seen": "percent"}
    )


def _note(study: Study, model: Contributions) -> str:
    """Sentences on the model and its verdicts."""
    teams, parts = study.game.entrants_word, study.units_word
    sentences = (
        f"A logistic regression of the winner on the {parts} of both {teams},",
        f"on every pair of them within and across the {teams}, and on who goes first;",
        "pairs and counters are shrunk by an amount estimated from the games.",
        f"Intervals and p-values treat the {count(model.fit.rounds)} rounds of the design as observations,",
        f"not the {count(model.fit.games)} games.",
        f"A raw win share covers all games of a {study.unit_word}, with any partners and opponents;",
        "games without a winner do not count.",
        prose.MEANING.replace("the fair share", "an even chance"),
        _fit(model, parts),
    )
    return " ".join(sentences) + _remarks(model)


def _fit(model: Contributions, parts: str) -> str:
    """Sentence on the fit in games left out."""
    losses = model.fit.losses.set_index("model")["log_loss"]
    sentence = f"Fit: on games left out, its log loss is {losses['parts, pairs, counters']:.4f} nats per game, "
    sentence += f"with {parts} alone {losses['parts']:.4f}, for a coin {losses['coin']:.4f}; given a won and a lost game, it "
    return f"{sentence}gives the won game the higher probability in {percent(model.fit.auc)} of cases."


def _remarks(model: Contributions) -> str:
    """Sentences on shortcomings of the model, starting with a blank; empty if there are none."""
    calibration, sentences = model.fit.calibration, ""
    off = int(((calibration["predicted"] < calibration["low"]) | (calibration["predicted"] > calibration["high"])).sum())
    if off:
        groups = f"{number_word(off)} of {some(len(calibration), 'group')} of games with similar predictions"
        sentences += f" In {groups} the predicted share is outside the 95 % interval of the observed one; "
        sentences += "by chance that happens in one of 20."
    unknown = list(model.parts[model.parts["estimate"].isna()]["name"])
    return sentences + (f" There are no games with {listed(unknown)}." if unknown else "")


SURE = 0.05  # p-value adjusted (Benjamini and Hochberg) over all pairs, or over all counters
LEAST_P = 0.001  # smaller p-values are printed as "< 0.001"
SLOPE = 0.25  # derivative of a probability by its logit, in an even match
NAMED = 3  # most pairs or counters named in the answer


def synergy(study: Study, question: Question) -> Section | None:
    """Two maps of parts by parts: pairs in a team, and row against column; None if entrants are not teams."""
    model = study.team_study.contributions if study.team_study else None
    if model is None:
        return None
    frames = {"pairs": _with_p_holm(model.pairs), "counters": _with_p_holm(model.counters)}
    answer = f"{_of_pairs(study, frames['pairs'])} {_of_counters(study, frames['counters'])}"
    charts = tuple(_chart(study, question, model, frame, what) for what, frame in frames.items())
    tables = tuple(_table(question, frame, what) for what, frame in frames.items())
    return Section(question.id, question.text, answer, charts, tables, _synergy_note(study, model))


def _with_p_holm(frame: pd.DataFrame) -> pd.DataFrame:
    """Add `sure` and sort by absolute effect, largest first."""
    frame = frame.assign(sure=frame["p_bh"] < SURE, size=frame["estimate"].abs())
    return frame.sort_values("size", ascending=False, na_position="last", kind="stable", ignore_index=True)


def _of_pairs(study: Study, frame: pd.DataFrame) -> str:
    """Sentence on significant pairs."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No two {study.units_word} are significantly better or worse together than each is separately."
    clauses = [f"{row['first']} and {row['second']} {_effect(row)}" for _, row in sure[:NAMED].iterrows()]
    more = f", and {number_word(len(sure) - NAMED)} more" if len(sure) > NAMED else ""
    return f"Significantly better (or worse) together than each separately: {_all(clauses)}{more}."


def _of_counters(study: Study, frame: pd.DataFrame) -> str:
    """Sentence on significant counters."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"No {study.unit_word} significantly counters another."
    clauses = [f"{a} counters {b} {_effect(row)}" for row, a, b in _turned(sure[:NAMED])]
    more = f", and {number_word(len(sure) - NAMED)} more pairs" if len(sure) > NAMED else ""
    return f"{_all(clauses)[:1].upper()}{_all(clauses)[1:]}{more}."


def _all(clauses: Sequence[str]) -> str:
    """Join a few clauses."""
    assert len(clauses) <= LISTED
    return "; ".join(clauses)


def _turned(frame: pd.DataFrame) -> list[tuple[pd.Series, str, str]]:
    """Counters, turned so that the effect favours the first."""
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
    """Effect in points, with its interval."""
    return f"{points(row['estimate'])} points {point_interval(row['low'], row['high'])}"


def _chart(study: Study, question: Question, model: Contributions, frame: pd.DataFrame, what: str) -> Chart:
    """One map, with parts in the order of their contributions."""
    names = list(model.parts["name"])
    sign = -1 if what == "counters" else 1
    back = frame.assign(first=frame["second"], second=frame["first"], estimate=sign * frame["estimate"])
    both = pd.concat([frame, back], ignore_index=True)
    cells = pd.DataFrame(
        {"row": both["first"], "column": both["second"], "value": both["estimate"], "sure": both["sure"], "n": both["n"]}
    )
    cells = cells.sort_values("row", key=lambda column: column.map(names.index), kind="stable", ignore_index=True)
    team, significant = (
        study.game.entrant_word,
        f"Of {number_word(len(frame))} pairs {number_word(int(frame['sure'].sum()))} are significant.",
    )
    if what == "pairs":
        label, corner = f"change in win probability with both in one {team}, in points", f"together in one {team}"
        caption = f"What two {study.units_word} in one {team} add to its win probability in an even match, beyond what each adds "
        caption += "with all its mates. Orange: they work together; blue: they get in each other's way; grey: may be chance."
    else:
        label, corner = "change in the row's win probability, in points", "rows against columns"
        caption = f"What the row's {study.unit_word} gains against the column's in an even match, beyond what it does against "
        caption += "all. Orange: the row does better than usual; blue: worse; grey: may be chance."
    alt = f"Map of what every two {study.units_word} do {corner}. {significant}"
    return Chart(f"{question.id}-{what}", terms(cells, label=label, corner=corner), caption, alt)


def _table(question: Question, frame: pd.DataFrame, what: str) -> Table:
    """Table of every pair of one map."""
    second = {"pairs": "with", "counters": "against"}[what]
    columns = {"first": "one", "second": second, "estimate": "effect", "low": "effect low", "high": "effect high"}
    columns |= {"p_bh": "p (BH)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(("effect", "effect low", "effect high"), "points"), "p (BH)": "p"}
    caption = {"pairs": "Every pair, the largest effect first", "counters": "Every counter, the largest effect first"}
    return table(frame, f"{question.id}-{what}", caption[what], columns, formats)


def _synergy_note(study: Study, model: Contributions) -> str:
    """Sentences on the meaning of the terms and on their joint tests."""
    sentences = (
        "Both are terms of the model behind the contributions, shrunk towards 0 by an amount estimated from the games,",
        "so that the largest are not just lucky in few games.",
        f"A term is significant, and coloured, if p (BH) < {SURE}: Benjamini and Hochberg, over all cells of its map,",
        "before shrinkage; up to one in twenty of the coloured terms may be chance.",
        *(_group(term, row) for term, row in model.fit.groups.set_index("term").iterrows()),
        f"Intervals rest on {count(model.fit.rounds)} rounds of the design;",
        f"n in the tables counts games in which both {study.units_word} played in the way the map shows.",
    )
    return " ".join(sentences)


def _group(term: object, row: pd.Series) -> str:
    """Sentence on the joint test of all pairs, or of all counters."""
    there = "more than chance" if row["p"] < SURE else "consistent with chance"
    p = "< 0.001" if row["p"] < LEAST_P else f"= {row['p']:.3f}"
    size = f"spread {100 * row['spread'] * SLOPE:.1f} points"
    return f"All {term} together: {there} (F = {row['f']:.2f}, p {p}; {size})."


SHOWN = 20  # teams from each end in the chart and in the table on the page


def league(study: Study, question: Question) -> Section | None:
    """Ranked dots of the best and the worst teams, first estimate and retest; the table's CSV holds all teams.

    None if entrants are not teams, and with too few games.
    """
    if study.team_study is None or len(study.team_study.league) < 2:
        return None
    frame, again = study.team_study.league, study.team_study.retested
    answer = _league_answer(study, frame, again)
    teams = study.game.entrants_word
    caption = f"Win share of the best and the worst of {count(len(frame))} {teams} against all possible opponents, with "
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


def _league_answer(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> str:
    """Sentences on the first and the last team, and their results in new games."""
    known = frame.dropna(subset=["estimate"])
    if again.empty:
        best, worst = known.iloc[0], known.iloc[-1]
        sentence = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads with "
        sentence += f"{percent(best['estimate'])} {_bounds(best)}; "
        return f"{sentence}last is {worst['name']} with {percent(worst['estimate'])} {_bounds(worst)}."
    best, worst = again.iloc[0], again.iloc[-1]
    sentence = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads and wins {percent(best['retest'])} "
    sentence += f"in new games {interval(best['retest_low'], best['retest_high'], best['retest_n'], 'games')}; "
    sentence += f"last is {worst['name']} with {percent(worst['retest'])} "
    sentence += f"{_bounds(worst, 'retest_')}. "
    return sentence + _shrunk(again)


def _shrunk(again: pd.DataFrame) -> str:
    """Sentence on the raw and shrunk win shares of both ends, and on those in new games."""
    clauses = []
    for _, row in selection_bias(again).iterrows():
        clause = f"the {number_word(row['teams'])} {row['end']} won {percent(row['raw'])} of their first games, "
        clause += f"shrunk {percent(row['estimate'])}, and win {percent(row['retest'])} of the new ones"
        clauses.append(clause)
    return f"{capital('; '.join(clauses))}."


def _drawn(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """Both ends of the league, in the form of the chart."""
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
    """Table of the whole league."""
    columns = {"rank": "rank", "name": study.game.entrant_word, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    return table(frame, question.id, f"All {study.game.entrants_word}, best first", columns, formats, ends=SHOWN)


def _again(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """Table of the teams that played again."""
    columns = {"rank": "rank", "name": study.game.entrant_word, "raw": "raw", "estimate": "shrunken", "retest": "new games"}
    columns |= {"retest_low": "low", "retest_high": "high", "retest_n": "n", "p_beyond": prose.HEADING}
    columns |= {"verdict": "verdict", "gap": "shrunken less new"}
    formats: dict[str, Format] = {"raw": "percent", "shrunken": "percent", "new games": "percent", "shrunken less new": "points"}
    return table(again, f"{question.id}-retest", "The ends of the league in new games", columns, formats)


def _flattered(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """Table of selection bias."""
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
    return table(selection_bias(again), f"{question.id}-bias", "Selection bias, on average", columns, formats)


def _league_note(study: Study, again: pd.DataFrame) -> str:
    """Sentences on the estimates and the new games."""
    word = study.game.entrant_word
    text = f"Shrunken: the prediction of the model of the {study.units_word} against all possible opponents of a {word}, plus "
    text += "the part of the deviation in its own games that is not chance; intervals are for each alone. "
    if len(again):
        least = points(float(again["gap"].abs().max()))[1:]
        text += f"Coloured marks: the same {study.game.entrants_word} in {count(again['retest_n'].min())} games each of seed "
        text += f"{study.retest_seed}, which were not used to choose them, against all opponents equally often; rounds of the "
        text += f"design are the observations. First estimate and new games differ by at most {least} points. A team "
        text += "chosen for its results was partly lucky, or unlucky: in new games the raw win shares of both ends should move "
        text += "towards an even chance, while shrunken estimates should not change. "
    return text + prose.MEANING.replace("the fair share", "an even chance")


def _bounds(row: pd.Series, prefix: str = "") -> str:
    """Interval in brackets. prefix: of its columns."""
    return f"({100 * row[f'{prefix}low']:.1f} to {percent(row[f'{prefix}high'])})"


MODELS = 50  # drawn from the estimated distribution of the model, for intervals
PERFECT = "perfect drafting"


def draft(study: Study, question: Question) -> Section | None:
    """Value of every first pick and mean pick number of every part, perfect and played; None without a draft.

    Roles: picked (pick number by member of the team, from 1). Settings: the rule under which teams are drafted and its value
    (`rules.mode: ("draft",)`); games (in multiples of the usual number). Without them only the solved draft is shown.
    """
    model = study.team_study.contributions if study.team_study else None
    teams = _teams(study, question)
    if model is None or teams is None or not teams.picks:
        return None
    solved = _solved(study, teams, model)
    if solved is None:
        return None
    policies = [study.policy, *([study.beside] if study.beside else [])]
    seen = [played for policy in policies if (played := played_drafts(study, question, policy))]
    frame = _frame(solved, seen)
    answer = _draft_answer(solved, seen)
    caption = f"Left: win probability of the first drafter if this {study.unit_word} is picked first and both then draft "
    caption += f"perfectly, by the model of {study.policy} in every seat. Right: mean pick number, over the drafts in which "
    caption += f"it is picked: filled with {PERFECT}"
    caption += f", hollow as picked by {seen[0].policy}, with the share of its drafts." if seen else "."
    words = (PERFECT, f"seen with {seen[0].policy}" if seen else "")
    figure = picks(frame, last=len(teams.picks), words=words)
    chart = Chart(question.id, figure, caption, f"Value of the first pick, and when every {study.unit_word} is picked. {answer}")
    tables = [_draft_table(study, question, frame, seen), *([_firsts(question, solved, seen)] if seen else [])]
    return Section(question.id, question.text, answer, (chart,), tuple(tables), _draft_note(study, solved, seen))


def _teams(study: Study, question: Question) -> Teams | None:
    """Teams with their draft, from the cards under which they are drafted if the question names a rule."""
    cards = draft_cards(study, question)
    return study.game.teams_for(cards) if cards else study.teams


def _solved(study: Study, teams: Teams, model: Contributions) -> Drafted | None:
    """Solve the draft; None if it is too large, or if parts have no games."""
    try:
        return drafting(teams, model.table(), model.resampled(MODELS, study.seed))
    except ValueError:
        return None


def _frame(solved: Drafted, seen: list[Played]) -> pd.DataFrame:
    """Data of the chart and the table, best opening first."""
    if not seen:
        return solved.openings.assign(seen=np.nan, taken=np.nan, n=0)
    frame = solved.openings.merge(seen[0].picks, on="part", how="left", validate="one_to_one")
    for other in seen[1:]:
        more = other.picks.rename(columns={"seen": "other_seen", "taken": "other_taken", "n": "other_n"})
        frame = frame.merge(more, on="part", how="left", validate="one_to_one")
    return frame


def _draft_answer(solved: Drafted, seen: list[Played]) -> str:
    """Sentences on the value of picking first, the best pick and the drafts played."""
    best = [str(name) for name in solved.openings[solved.openings["best"]]["name"]]
    sentences = f"If both draft perfectly, the first drafter wins {percent(solved.value)}"
    if solved.interval:
        sentences += f" (95 % interval {100 * solved.interval.low:.1f} to {percent(solved.interval.high)})"
    sentences += f", {points(solved.value - EVEN)} points against an even chance, with {listed(best)} first"
    worst = solved.openings.iloc[-1]
    sentences += f"; opening with {worst['name']} instead costs {points(worst['behind'])[1:] or '0.0'} points. "
    sentences += f"Perfect against random drafting is worth {points(solved.against_random - EVEN)} points to the first drafter."
    for played in seen:
        if played.first:
            sentences += f" In drafts played by {played.policy} the first drafter wins {percent(played.first.estimate)} "
            sentences += f"{interval(played.first.low, played.first.high, played.first.n, 'drafts')}."
    return sentences + (_early(solved, seen[0]) if seen else "")


def _early(solved: Drafted, seen: Played) -> str:
    """Sentence on the parts that are picked first."""
    early = seen.picks.assign(name=seen.picks["part"].map(solved.openings.set_index("part")["name"]))
    early = early[early["taken"] > 0].sort_values("seen", kind="stable")
    if early.empty:
        return ""
    names = [f"{row['name']} ({row['seen']:.1f})" for _, row in early[:3].iterrows()]
    return f" Earliest picks of {seen.policy}, by their mean number: {listed(names)}."


def _draft_table(study: Study, question: Question, frame: pd.DataFrame, seen: list[Played]) -> Table:
    """Table of every part as a first pick, and its mean pick number."""
    columns = {"name": study.unit_word, "value": "value of picking it first", "behind": "behind the best"}
    columns |= {"chance_best": "models in which it is best", "picked": "picked, perfect", "pick": "pick, perfect"}
    formats: dict[str, Format] = {"value of picking it first": "percent", "behind the best": "points", "pick, perfect": "number"}
    formats |= {"models in which it is best": "percent", "picked, perfect": "percent"}
    for played, prefix in zip(seen, ("", "other_"), strict=False):
        columns |= {f"{prefix}taken": f"picked, {played.policy}", f"{prefix}seen": f"pick, {played.policy}"}
        formats |= {f"picked, {played.policy}": "percent", f"pick, {played.policy}": "number"}
    if seen:
        columns |= {"n": "n (drafts played)"}
    return table(frame, question.id, "Every first pick, the best first", columns, formats)


def _firsts(question: Question, solved: Drafted, seen: list[Played]) -> Table:
    """Table of the first drafter's wins, by how both draft."""
    rows = [
        {"who": "both perfect, by the model", "estimate": solved.value, "low": np.nan, "high": np.nan, "n": None},
        {"who": "first perfect, second random, by the model", "estimate": solved.against_random},
        {"who": "first random, second perfect, by the model", "estimate": solved.random_against},
        {"who": "both random, by the model", "estimate": solved.random},
    ]
    if solved.interval:
        rows[0] |= {"low": solved.interval.low, "high": solved.interval.high}
    for played in seen:
        if played.first:
            bounds = {name: getattr(played.first, name) for name in ("estimate", "low", "high", "n")}
            rows.append({"who": f"drafted and played by {played.policy}", **bounds})
    columns = {"who": "who drafts how", "estimate": "first drafter wins", "low": "low", "high": "high", "n": "n"}
    caption = "What the first drafter wins"
    return table(pd.DataFrame(rows), f"{question.id}-first", caption, columns, {"first drafter wins": "percent", "n": "count"})


def _draft_note(study: Study, solved: Drafted, seen: list[Played]) -> str:
    """Sentences on how the draft was solved and played."""
    sentences = (
        f"The draft is a game of perfect information: its {count(solved.outcomes)} different pairs of",
        f"{study.game.entrants_word}, reached by {count(solved.orders)} orders of picking, are solved backwards from the win",
        "probabilities of the model (mean of going first and second); equally good picks are taken equally often.",
        f"Intervals come from the same draft in {MODELS} models drawn from the uncertainty of the fit, each of which the",
        "drafters are assumed to know.",
    )
    played = f" Drafts were played with seed {study.fresh_seed}, {size(seen[0].games)} by each policy." if seen else ""
    return " ".join(sentences) + played


TONES: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
HEADLINE_SHOWN = 6  # parts with a sentence each


def of_teams(study: Study) -> list[Finding]:
    """Findings on parts and teams, the most important first; a single remark if there are too few games."""
    frame = part_verdicts(study)
    if frame.empty:
        return [Finding(f"There are too few games to estimate what {article(study.unit_word)} contributes.", "open")]
    return [_fair(study), *_unfair(study, frame), *_others(study, frame), *_first(study), *_headline_teams(study)]


def _fair(study: Study) -> Finding:
    """Finding on the meaning of fair."""
    team = study.game.entrant_word
    sentence = f"Fair means: {article(team)} with the {study.unit_word} instead of an average one wins {prose.band(EVEN)} "
    return Finding(f"{sentence}against one that is otherwise equal.")


def _unfair(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Findings on parts significantly beyond the band, the farthest out first."""
    sure = frame[frame["verdict"].isin(prose.UNFAIR)].assign(far=lambda part: (part["estimate"] - EVEN).abs())
    sure = sure.sort_values("far", ascending=False, kind="stable")
    for _, row in sure[:HEADLINE_SHOWN].iterrows():
        sentence = f"{row['name']} is {row['verdict']}: {study.game.entrants_word} with it win {percent(row['estimate'])} "
        yield Finding(f"{sentence}{_bounds(row)}.", TONES[row["verdict"]])
    rest = sure[HEADLINE_SHOWN:]
    for verdict, part in rest.groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed(list(part['name']))}.", TONES[str(verdict)])
    if len(sure):
        sentence = "With 95 % confidence, all those named as too strong or too weak are beyond the fair band "
        yield Finding(f"{sentence}(Holm); intervals are for each {study.unit_word} alone.")


def _others(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Findings on parts within the band, and on undecided ones."""
    known = frame.dropna(subset=["estimate"])
    fair = list(known[known["verdict"] == "fair"]["name"])
    if len(fair) == len(known):
        yield Finding(f"Every {study.unit_word} is within the fair band.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} within the fair band.", "fair")
    undecided = list(known[known["verdict"] == prose.OPEN]["name"])
    if undecided:
        yield Finding(f"Not decided, more games are needed: {listed(undecided)}.", "open")


def _first(study: Study) -> Iterator[Finding]:
    """Finding on the value of going first in an even match."""
    model = study.team_study.contributions if study.team_study else None
    if model is not None and model.first.n:
        low, high = model.first.low - EVEN, model.first.high - EVEN
        sentence = f"Going first in an even match: {points(model.first.share - EVEN)} points "
        sentence += f"({points(low)} to {points(high)}) against an even chance."
        yield Finding(sentence)


def _headline_teams(study: Study) -> Iterator[Finding]:
    """Finding on the best and the worst team, if a question has them play again."""
    asked = any(question.chart == "league" for question in study.game.questions)
    if study.team_study is None or not asked:
        return
    again = study.team_study.retested
    if again.empty:
        return
    word = study.game.entrant_word
    best, worst = again.iloc[0], again.iloc[-1]
    sentence = f"First of the {word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
    sentence += f"{_bounds(best, 'retest_')}; last is {worst['name']} with {percent(worst['retest'])} "
    sentence += f"{_bounds(worst, 'retest_')}."
    yield Finding(sentence)
