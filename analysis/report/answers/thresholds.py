"""How often each ability of a part could be used, and was."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.amounts import rates
from analysis.charts import gauges
from analysis.report.answers.fields import ASSUMED, STAR, starred
from analysis.report.answers.members import at, contest, of_parts
from analysis.report.answers.prose import at_seats, capital, interval, listed
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.wording import percent
from sim.engine.fieldpaths import locate
from sim.engine.measures import Question

SELDOM = 0.5  # of the times it was possible: below this an ability is mostly left alone


def thresholds(study: Study, question: Question) -> Section | None:
    """Small multiples, one per part: how often each of its abilities was possible, and how often it was used, per turn.

    Roles: met and used (measures per seat with numbers by member and ability, in the order of the team's abilities), turns
    (measure per game: the turns that there were). Settings: turns (what these are called), note (words for the note), shown
    (table of the card file with the parts, its list of abilities, the number of these that their names tell, and the plural
    of its name: a star marks those that are assumed; may be absent).
    """
    roles = question.roles
    if (
        not {"met", "used", "turns"} <= set(roles)
        or study.teams is None
        or not study.teams.abilities
        or not study.contests
    ):
        return None
    seats = contest(study)
    found = _rates(study, seats, roles)
    found = found[found["base"] > 0]
    if found.empty:
        return None
    turns = question.settings.get("turns", ("turns",))[0]
    found, assumed = _marked(study, found, question.settings.get("shown", ()))
    answer = _said(found, turns, seats)
    drawn = found.rename(columns={"name": "panel", "ability": "name"})
    figure = gauges(drawn, words=("possible", "used"), label=f"the {turns}")
    caption = f"How often each ability of a {study.unit_word} could be used (pale) and was (dark), as shares of all "
    caption += f"{turns} of its games, {at_seats(seats)} with {study.policy} in every seat.{assumed}"
    alt = f"Nested bars of every ability, a panel per {study.unit_word}. {answer}"
    columns = {"name": study.unit_word, "ability": "ability", "possible": "possible", "possible_low": "possible, low"}
    columns |= {"possible_high": "possible, high", "done": "used", "done_low": "used, low", "done_high": "used, high"}
    columns |= {"taken": "used, of possible", "n": "n", **({"source": "source"} if "source" in found else {})}
    formats: dict[str, Format] = dict.fromkeys((heading for heading in columns.values() if "," in heading), "percent")
    formats |= {"possible": "percent", "used": "percent"}
    shown = table(found, question.id, f"Abilities by {turns}", columns, formats)
    note = f"All games count. Shares of the {turns} of a game, in all of which every side is counted; ratios over "
    note += "games. n: games. "
    note += " ".join(question.settings.get("note", ()))
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (shown,), note.strip())


def _rates(study: Study, seats: int, roles: dict[str, str]) -> pd.DataFrame:
    """One line per part and ability: name, ability, possible and done with their bounds, taken (done of possible), base, n."""
    assert study.teams is not None
    things = len(study.measure(roles["met"]).parts) // study.teams.size
    frame = of_parts(study, at(study.seats_frame, seats), {roles["met"]: things, roles["used"]: things})
    games = at(study.games_frame, seats).set_index("game")[roles["turns"]]
    turns = games.loc[frame["game"]].to_numpy(np.float64)
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = range(study.teams.parts)
    parts = []
    for thing in range(things):
        met, used = (
            rates(game, part, frame[f"{roles[role]}_{thing}" if things > 1 else roles[role]].to_numpy(), turns).reindex(
                every
            )
            for role in ("met", "used")
        )
        facts = {"part": every, "thing": thing, "base": met["base"], "n": met["n"].fillna(0).astype(int)}
        for word, table_ in (("possible", met), ("done", used)):
            facts |= {
                word: table_["estimate"],
                f"{word}_low": table_["low"].clip(lower=0),
                f"{word}_high": table_["high"],
            }
        facts |= {"taken": used["sum"] / met["sum"].where(met["sum"] > 0)}
        parts.append(pd.DataFrame(facts))
    whole = pd.concat(parts, ignore_index=True).sort_values(["part", "thing"], kind="stable", ignore_index=True)
    abilities = study.teams.abilities
    has = [thing < len(abilities[part]) for part, thing in zip(whole["part"], whole["thing"], strict=True)]
    whole = whole[has]
    names = [abilities[part][thing] for part, thing in zip(whole["part"], whole["thing"], strict=True)]
    return whole.assign(name=[study.units[part] for part in whole["part"]], ability=names)


def _marked(study: Study, found: pd.DataFrame, shown: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Add the source of the number that an ability's name tells, and a star where it is assumed; words for the caption."""
    if not shown:
        return found, ""
    owners, things, leaf, words = shown
    document, known = study.cards.document, study.cards.provenance
    sources = {locate(document, one.path): one.source for one in known if one.path.startswith(f"{owners}.")}
    places = [(owners, part, things, thing, leaf) for part, thing in zip(found["part"], found["thing"], strict=True)]
    marked = found.assign(source=[sources.get(place, "") for place in places], field=found["ability"])
    assumed = marked["source"].eq(ASSUMED)
    said = f" All {words} shown are assumed." if assumed.all() else f" {STAR} Of the {words} this one is assumed."
    return marked.assign(ability=starred(marked)), said if assumed.any() else ""


def _said(found: pd.DataFrame, turns: str, seats: int) -> str:
    """What is possible most and least often, and what is mostly left alone."""
    top, bottom = highest(found, "possible"), lowest(found, "possible")
    said = [
        f"in {percent(row['possible'])} of the {turns} "
        f"{interval(row['possible_low'], row['possible_high'], row['n'], 'games')}"
        for row in (top, bottom)
    ]
    names = [f"{row['name']}'s {row['ability']}" for row in (top, bottom)]
    text = (
        f"{capital(at_seats(seats))} {names[0]} is possible most often, {said[0]}; {names[1]} least often, {said[1]}."
    )
    left = found[found["taken"] < SELDOM].sort_values("taken", kind="stable")
    seldom = [f"{row['name']}'s {row['ability']} ({percent(row['taken'], 0)})" for _, row in left.iterrows()]
    if not seldom:
        return f"{text} All are used in at least half of the {turns} in which they are possible."
    return f"{text} Used in less than half of the {turns} in which it is possible: {listed(seldom)}."
