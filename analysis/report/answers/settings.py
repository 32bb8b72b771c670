"""How often each entrant wins, or succeeds alone, under each value of a setting: goals, lives, any rule of the card file."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import grid
from analysis.compare import Shares, by_entrant
from analysis.estimates import proportions
from analysis.report.answers.fields import value_words
from analysis.report.answers.prose import at_seats, capital, interval, listed
from analysis.report.answers.tables import WIN_RATE, highest, lowest, table
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.whatif import Step, each_value
from analysis.wording import count, percent
from sim.engine.measures import Question

ALL = -1  # stands for all entrants together


def settings(study: Study, question: Question) -> Section | None:
    """Heat maps, one per setting, of every entrant's win rate under each value.

    Settings: path of a rule -> values as text, the one played among them or not, a list written `a+b` (see `whatif.parsed`); a
    key without a dot is an option: seats (how many, if not the fewest there are), games (in multiples of the usual number).
    Each value plays the same games.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    named = question.settings.get("seats")
    seats = int(named[0]) if named else min(study.seats)
    if seats not in study.seats or not rules:
        return None
    steps = [step for path, texts in rules.items() for step in each_value(study.game, study.cards, path, texts)]
    games = study.games_for(question, study.budget.variant_games)
    frame = _measured(study, seats, games, [step for step in steps if step.cards])
    if frame.empty:
        return None
    frame = frame if seats == 1 else frame[frame["entrant"] != ALL]  # in a contest all together always win all
    cells = frame[frame["entrant"] != ALL]
    word = "success" if seats == 1 else "wins"
    answer = _said(study, frame, seats)
    caption = (
        f"{'Success' if seats == 1 else 'Win rate'} by {study.unit_word} under each value, {at_seats(seats)}, with "
    )
    caption += f"{study.policy} in every seat. Best first, by all values together."
    several = len(set(cells["setting"])) > 1
    drawn = cells.rename(columns={"name": "row", "shown": "column"})
    figure = grid(drawn, panels="setting" if several else None, label=f"{word}, in % of the games")
    chart = Chart(question.id, figure, caption, f"Heat map of {study.unit_word} against value of the setting. {answer}")
    columns = {
        "setting": "setting",
        "value": "value",
        "name": study.unit_word,
        "estimate": _rate(seats),
        "low": "low",
    }
    columns |= {"high": "high", "n": "n", "truncated": "truncated", "turns": "mean turns"}
    numbers = table(frame, question.id, "Every value", columns, {_rate(seats): "percent"})
    refused = [f"{_name(step)} {value_words(step.value)}" for step in steps if not step.cards]
    return Section(question.id, question.text, answer, (chart,), (numbers,), _note(frame, refused))


def _measured(study: Study, seats: int, games: int, steps: list[Step]) -> pd.DataFrame:
    """Rates by setting, value and entrant (and of all together), entrants best first over all values."""
    base = study.experiment(seats, games)
    play = study.player("settings", base.games * len(steps))
    parts = []
    for step in steps:
        assert step.cards is not None
        shares = Shares.of(replace(base, cards=step.cards), play)
        played = step.value == step.before
        words = value_words(step.value)
        facts = {
            "setting": _name(step),
            "value": words,
            "shown": f"{words} (as played)" if played else words,
            "played": played,
        }
        parts.append(_rates(study, shares).assign(**facts))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    strength = frame.groupby("entrant")["estimate"].mean().sort_values(ascending=False, kind="stable")
    order = [ALL, *(entrant for entrant in strength.index if entrant != ALL)]
    rank = frame["entrant"].map({entrant: at for at, entrant in enumerate(order)})
    return frame.iloc[np.lexsort((rank, np.repeat(np.arange(len(parts)), [len(part) for part in parts])))]


def _rates(study: Study, games: Shares) -> pd.DataFrame:
    """Win rates of all together, then by entrant, of finished games; truncated: share of the games, turns: mean over all."""
    units = study.by_unit(games)
    sits, _ = by_entrant(units.entrant, units.share, len(study.units))
    counted, share = units.counted(len(study.units))
    turns = (sits * games.turns[:, None]).sum(axis=0)
    over = float((~games.capped).sum())
    together = (float(games.share.sum()), over, float(len(games.share)), float(games.turns.sum()))
    each = (share.sum(axis=0), counted.sum(axis=0), sits.sum(axis=0), turns)
    won, n, played, lasted = (np.concatenate([[one], more]) for one, more in zip(together, each, strict=True))
    rates = proportions(won.clip(max=n), n)
    stopped, mean = (
        np.divide(one, played, out=np.full(played.size, np.nan), where=played > 0) for one in (played - n, lasted)
    )
    facts: dict[str, Any] = {"entrant": [ALL, *range(len(study.units))], "name": ["all", *study.units]}
    return rates.assign(**facts, truncated=stopped, turns=mean)


def _said(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """At one seat the easiest and the hardest value, and who is best and worst as played; at more who moves between values."""
    said = []
    for setting, part in frame.groupby("setting", sort=False):
        if seats == 1:
            said.append(_easiest(part[part["entrant"] == ALL], study.units_word))
        cells = part[(part["entrant"] != ALL) & (part["n"] > 0)]
        for value, line in cells.groupby("value", sort=False):
            if len(line) > 1 and (line["played"].all() or not cells["played"].any()):
                said.append(_best(line, f"{str(setting).lower()} \u201c{value}\u201d", seats))
                break
    return " ".join(filter(None, said))


def _easiest(whole: pd.DataFrame, everybody: str) -> str:
    """Which value a lone player reaches most and least often, all entrants together."""
    whole = whole[whole["n"] > 0]
    if whole.empty:
        return "Alone, none of the games came to an end."
    top, low = highest(whole, "estimate"), lowest(whole, "estimate")
    reached = f"{percent(top['estimate'])} {interval(top['low'], top['high'], top['n'])}"
    said = (
        f"Alone, all {everybody} together succeed with {top['setting'].lower()} \u201c{top['value']}\u201d in {reached}"
    )
    if len(whole) == 1:
        return said + "."
    least = f"{percent(low['estimate'])} ({100 * low['low']:.1f} to {percent(low['high'])})"
    return f"{said}, the most, and \u201c{low['value']}\u201d in {least}, the fewest."


def _best(line: pd.DataFrame, value: str, seats: int) -> str:
    """Who is best and who is worst under one value."""
    top, low = highest(line, "estimate"), lowest(line, "estimate")
    does = "succeeds in" if seats == 1 else "wins"
    said = f"With {value} {at_seats(seats)} {top['name']} {does} {percent(top['estimate'])} "
    said += f"{interval(top['low'], top['high'], top['n'])}, {low['name']} {percent(low['estimate'])} "
    return said + f"({100 * low['low']:.1f} to {percent(low['high'])})."


def _note(frame: pd.DataFrame, refused: list[str]) -> str:
    """How the values were measured."""
    note = f"Every value plays the same line-ups with the same dice, up to {count(frame['n'].max())} games that came to an end; "
    note += (
        "intervals are Wilson's, of each rate alone. Truncated games, stopped at a limit, are left out of win rates."
    )
    return note + (f" Refused by the rules of the card file: {listed(refused)}." if refused else "")


def _rate(seats: int) -> str:
    return "success" if seats == 1 else WIN_RATE


def _name(step: Step) -> str:
    """A setting in words: the last step of its path."""
    return capital(step.field.rpartition(".")[2].replace("_", " "))
