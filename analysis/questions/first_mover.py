"""What going first is worth under each policy and each value of a rule, in the games of a report."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, percent
from analysis.answer.prose import at_seats, bounds_of, capital, listed, value_words
from analysis.answer.tables import table
from analysis.data.rows import at, results
from analysis.data.study import Study
from analysis.stats.intervals import adjust
from analysis.variants.compare import Advantage, advantage
from analysis.variants.variant import Step, each_value
from sim.engine.cards import CardSet
from sim.engine.questions import FirstPlayer

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

TWO_SEATS = 2
SURE = 0.05  # p-value, adjusted over all rows, below which an effect is significant
WORDS = ("goes first", "goes second")
DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
ADVANTAGE_FORMATS: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number", "n (groups)": "count"}


def first_mover(study: Study, question: FirstPlayer) -> Answer:
    """Win share when going first and second, and their difference, one row per policy and value of a rule.

    Raises NoAnswerError without games of two, and if no player goes first.
    """
    if not study.contests or study.contest != TWO_SEATS:
        raise NoAnswerError(f"{study.game.title}: going first and second needs two seats")
    frame = by_policy_and_value(study, question)
    if frame.empty:
        raise NoAnswerError(f"{study.game.title}: no player goes first in any of these games")
    columns = {"rule": "rule", "value": "value", "policy": "policy", "first": WORDS[0], "second": WORDS[1], **DIFFERENCE}
    columns |= {"p_holm": "p (Holm)", "gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(WORDS, "percent"), **ADVANTAGE_FORMATS}
    varied = listed([*dict.fromkeys(frame["rule"][frame["rule"] != ""]), "policy"])
    return Answer(
        summary(frame, study.players),
        (table(frame, "rates", "Going first", columns, formats),),
        (Chart(partial(shares_chart, frame), f"Win share of the first player and of the second, by {varied}."),),
        (
            "Games of a matchup with the same dice are one observation (group): the strength of the teams cancels out.",
            f"Coloured where p (Holm) < {SURE}, adjusted over all rows; truncated games are left out.",
            "Gain: how many times as many games would be needed without shared dice.",
        ),
    )


def summary(frame: pd.DataFrame, players: str) -> str:
    """The sentence: what going first is worth with the report's players and the rules as played."""
    top = frame.iloc[0]
    rule = f" and {top['rule']} \u201c{top['value']}\u201d" if top["rule"] else ""
    change = f"{100 * abs(top['change']):.1f} points {'more' if top['change'] >= 0 else 'less'} than the second"
    return (
        f"{capital(at_seats(TWO_SEATS))} the first player wins {percent(top['first'])} {bounds_of(top, 'first')} with "
        f"{players}{rule}, {change}{'' if top['sure'] else ', which may be chance'}."
    )


def by_policy_and_value(study: Study, question: FirstPlayer) -> pd.DataFrame:
    """Rows of `first_mover`: each policy as played, or with each value of each rule.

    Columns: those of `skill.section.row`, rule, value, policy, p_holm, sure. The policy of the report with the current values
    uses the report's main games.
    """
    steps = [step for path, texts in question.rules.items() for step in each_value(study.game, study.cards, path, texts)]
    tried: list[tuple[Step | None, CardSet]] = [(step, step.cards) for step in steps if step.cards] or [(None, study.cards)]
    rows = []
    for policy in filter(None, (study.policy, study.beside)):
        base = study.experiment(TWO_SEATS, study.games_for(question, study.budget.variant_games), policy)
        play = study.play_as(f"going first, {policy}", base.games * len(tried))
        for step, cards in tried:
            if policy == study.policy and (step is None or step.value == step.before):
                frame = at(study.games_frame, TWO_SEATS).reset_index(drop=True)
                share = at(study.seats_frame, TWO_SEATS)["share"].to_numpy().reshape(-1, TWO_SEATS)
                dice = study.main(TWO_SEATS).plan_of(frame["game"].to_numpy("int64"))["dice"]
                frame = frame.assign(share_0=share[:, 0], share_1=share[:, 1], dice=dice)
            else:
                frame = results(base if cards is base.cards else replace(base, cards=cards), play)
            frame = frame[(frame["first"] >= 0) & frame["finished"]]
            if len(frame):
                value = value_words(step.value) if step else ""
                rule = (question.rule or step.field.rpartition(".")[2].replace("_", " ")) if step else ""
                difference = advantage(frame[["share_0", "share_1"]], frame["first"], frame["dice"])
                name = ", ".join(filter(None, (value, str(policy))))
                rows.append({**row(name, difference), "rule": rule, "value": value, "policy": str(policy)})
    frame = pd.DataFrame(rows)
    return frame if frame.empty else frame.assign(p_holm=adjust(frame["p"]), sure=adjust(frame["p"]) < SURE)


def row(name: str, result: Advantage) -> dict[str, Any]:
    """Row of a dumbbell chart; each share gets half the interval of the difference."""
    first, second, down, up = result.first, result.second, (result.change - result.low) / 2, (result.high - result.change) / 2
    line = {"name": name, "first": first, "first_low": max(0.0, first - down), "first_high": min(1.0, first + up)}
    line |= {"second": second, "second_low": max(0.0, second - up), "second_high": min(1.0, second + down)}
    line |= {"change": result.change, "change_low": result.low, "change_high": result.high, "p": result.p, "gain": result.gain}
    return line | {"pairs": result.n, "n": result.games}


def shares_chart(frame: pd.DataFrame) -> Figure:
    """Pairs of dots, the win share going first and second, and their difference."""
    return charts.dumbbell(frame, words=WORDS, label="win share", change="first less second, points")
