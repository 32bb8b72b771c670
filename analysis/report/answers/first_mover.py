"""What it is worth to go first: the same games with the sides changed, by policy and under each value of some rules."""

from dataclasses import replace

import pandas as pd

from analysis.charts import dumbbell
from analysis.estimates import adjust
from analysis.report.answers.fields import value_words
from analysis.report.answers.members import at, contest
from analysis.report.answers.policy_games import results
from analysis.report.answers.prose import at_seats, capital, interval, listed, point_interval
from analysis.report.answers.skill import DIFFERENCE, row
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.swaps import advantage
from analysis.whatif import Step, each_value
from analysis.wording import percent, points
from sim.engine.cards import CardSet
from sim.engine.measures import Question
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment

SURE = 0.05  # p-value adjusted over all lines
WORDS = ("goes first", "goes second")


def first_mover(study: Study, question: Question) -> Section | None:
    """Dots of the win share going first and second, and their difference, one line per policy and value of a rule.

    Settings: path of a rule -> values as text, the one played among them or not (see `whatif.parsed`); a key without a dot is an
    option: games (in multiples of the usual number), rule (words for it, if there is one).
    """
    if not study.contests or contest(study) != len(WORDS):
        return None
    seats, policies = contest(study), [study.policy, *([study.beside] if study.beside else [])]
    lines = [_line(study, question, seats, policy) for policy in policies]
    frame = pd.DataFrame([line for each in lines for line in each])
    if frame.empty:
        return None
    p_holm = adjust(frame["p"])
    frame = frame.assign(p_holm=p_holm, sure=p_holm < SURE)
    answer = _said(frame, seats)
    figure = dumbbell(frame, words=WORDS, label="win share", change="first less second, points")
    caption = f"Win share of the side that goes first and of the other, {at_seats(seats)}"
    caption += f", by {listed([*dict.fromkeys(frame['rule'][frame['rule'] != '']), 'policy'])}; right: the difference."
    columns = {
        "rule": "rule",
        "value": "value",
        "policy": "policy",
        "first": WORDS[0],
        "second": WORDS[1],
        **DIFFERENCE,
    }
    columns |= {"p_holm": "p (Holm)", "gain": "gain"}
    formats: dict[str, Format] = {**dict.fromkeys(WORDS, "percent"), **dict.fromkeys(DIFFERENCE.values(), "points")}
    formats |= {"gain": "number", "n (groups)": "count"}
    shown = table(frame, question.id, "Going first", {**columns, "pairs": "n (groups)", "n": "n"}, formats)
    note = "A matchup is played with both teams on either seat and the same dice, and such games are one observation "
    note += "(groups), so "
    note += "that the strength of the teams falls out; where the rules deal or draft the teams, the dice do, and "
    note += "games are single. "
    note += "Gain says how many times as many games without shared dice would be needed. Truncated games are left out. "
    note += f"Coloured where p (Holm) < {SURE}, adjusted over all lines. n: games."
    alt = f"Pairs of dots, the win share going first and second. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (shown,), note)


def _line(study: Study, question: Question, seats: int, policy: PolicySpec) -> list[dict[str, object]]:
    """Lines of one policy: as played, or under each value of each rule."""
    rules = {path: values for path, values in question.settings.items() if "." in path}
    games = study.games_for(question, study.budget.variant_games)
    base, lines = study.experiment(seats, games, policy), []
    steps = [step for path, texts in rules.items() for step in each_value(study.game, study.cards, path, texts)]
    rounds: list[tuple[Step | None, CardSet]] = [(step, step.cards) for step in steps if step.cards] or [
        (None, study.cards)
    ]
    play = study.player(f"going first, {policy}", base.games * len(rounds))
    for step, cards in rounds:
        played = (
            _played(study, seats) if policy == study.policy and (step is None or step.value == step.before) else None
        )
        frame = results(_with(base, cards), play) if played is None else played
        frame = frame[(frame["first"] >= 0) & frame["finished"]]
        if len(frame):
            found = advantage(frame[["share_0", "share_1"]], frame["first"], frame["dice"])
            value = value_words(step.value) if step else ""
            rule = question.settings.get("rule", (step.field.rpartition(".")[2].replace("_", " "),))[0] if step else ""
            name = ", ".join(filter(None, (value, str(policy))))
            lines.append({**row(name, found), "rule": rule, "value": value, "policy": str(policy)})
    return lines


def _with(base: Experiment, cards: CardSet) -> Experiment:
    """The same games with other cards."""
    return base if cards is base.cards else replace(base, cards=cards)


def _played(study: Study, seats: int) -> pd.DataFrame:
    """The games of the report itself, as `policy_games.results` gives them."""
    games = at(study.games_frame, seats).reset_index(drop=True)
    share = at(study.seats_frame, seats)["share"].to_numpy().reshape(-1, seats)
    dice = study.main(seats).plan_of(games["game"].to_numpy("int64"))["dice"]
    return games.assign(share_0=share[:, 0], share_1=share[:, 1], dice=dice)


def _said(frame: pd.DataFrame, seats: int) -> str:
    """The first line in full, the others by their difference."""
    top = frame.iloc[0]
    said = f"{capital(at_seats(seats))} whoever goes first wins {percent(top['first'])} "
    more = "more" if top["change"] >= 0 else "less"
    said += f"{interval(top['first_low'], top['first_high'], top['n'], 'games')} {_where(top)}, "
    said += f"{100 * abs(top['change']):.1f} points {more} than the other "
    said += point_interval(top["change_low"], top["change_high"])
    said += "" if top["sure"] else ", which may be chance"
    rest = [
        f"{points(one['change'])} points {_where(one)} {point_interval(one['change_low'], one['change_high'])}"
        for _, one in frame.iloc[1:].iterrows()
    ]
    return f"{said}. The difference is {listed(rest)}." if rest else f"{said}."


def _where(line: pd.Series) -> str:
    """With which policy, and under which value of the rule."""
    rule = f" and {line['rule']} \u201c{line['value']}\u201d" if line["rule"] else ""
    return f"with {line['policy']}{rule}"
