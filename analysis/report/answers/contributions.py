"""Which part of the teams wins too often: what each contributes to winning, whoever stands beside it or against it."""

import pandas as pd

from analysis import verdicts
from analysis.charts import ranked
from analysis.contributions import Contributions
from analysis.report.answers.prose import article, interval, listed, number_word, some
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.report.parts import BAND, judged
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question


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
