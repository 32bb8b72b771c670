"""Which number to change: win rates of the outliers with each of their numbers one step up and down."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pandas as pd

from analysis.charts import tornado
from analysis.estimates import adjust
from analysis.matchups import fair_share
from analysis.report.answers.prose import at_seats, interval, listed, point_interval, seated, stopped
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.answers.win_rates import rates
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.whatif import GamesOf, Shares, Step, change, numeric_steps
from analysis.wording import percent, points
from sim.engine.cards import numeric_fields
from sim.engine.fieldpaths import locate, look_up
from sim.engine.measures import Question

SHOWN = 12  # numbers of an outlier in the chart
SURE = 0.05  # p-value adjusted over all steps of the section


@dataclass(frozen=True)
class Lever:
    """An outlier and what may be turned on it."""

    entrant: int
    name: str
    steps: list[Step]


def levers(study: Study, question: Question) -> Section | None:
    """Tornado charts of the entrant farthest above and the one farthest below the fair share, measured at fewest seats.

    Settings: fields (how paths of an entrant's numbers begin, before its id), seats (how many, if not the fewest from two
    on), and for a field that is a list the names of its places.
    """
    prefixes = question.settings.get("fields", ())
    if not study.contests or not prefixes:
        return None
    seats = study.seats_for(question)
    found = [lever for lever in _outliers(study, seats, prefixes) if lever.steps]
    if not found:
        return None
    frame = pd.concat([_measured(study, seats, lever, question) for lever in found], ignore_index=True)
    p_holm = adjust(frame["p"])
    frame = frame.assign(p_holm=p_holm, sure=p_holm < SURE)
    answers = [_said(part, seats) for _, part in frame.groupby("name", sort=False)]
    caption = f"Change of the win rate {at_seats(seats)} if one number is changed by one step and all else stays, with "
    caption += (
        f"{study.policy} in every seat. At most {SHOWN} numbers each, those that move it most; the table has all."
    )
    shown = _strongest(frame.assign(value=frame["value"].astype(str)))
    alt = f"Tornado chart of the numbers of the outliers. {' '.join(answers)}"
    chart = Chart(question.id, tornado(shown, most=SHOWN), caption, alt)
    columns = {
        "name": study.game.entrant_word,
        "field": "number",
        "present": "now",
        "value": "becomes",
        "before": "before",
    }
    columns |= {
        "after": "after",
        "change": "change",
        "low": "change low",
        "high": "change high",
        "p_holm": "p (Holm)",
        "n": "n",
        "gain": "gain",
    }
    numbers = table(frame, "levers", "Every step", columns | {"path": "field of the card file"}, {"gain": "number"})
    note = _note(study, found, question)
    return Section(question.id, question.text, " ".join(answers), (chart,), (numbers,), note)


def _note(study: Study, found: list[Lever], question: Question) -> str:
    """How the steps were measured, and which were not."""
    steps = [step for lever in found for step in lever.steps]
    refused = [f"{_label(study, step, question)} {_way(step)}" for step in steps if not step.cards]
    idle = sorted({_label(study, step, question) for step in steps if step.idle})
    note = "Both card sets play the same games with the same dice (common random numbers), and the differences are analysed as "
    note += "pairs; gain says how many times as many games two separate samples would need. A capped game counts as not won. "
    note += f"These games have seed {study.fresh_seed}: those with which the outliers were found would show them too far out. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps; intervals are of "
    note += "each step alone."
    note += f" The rules of the card file refuse {listed(refused)}." if refused else ""
    return note + (f" Without effect on play: {listed(idle)}." if idle else "")


def _outliers(study: Study, seats: int, prefixes: tuple[str, ...]) -> Iterator[Lever]:
    """The strongest and the weakest entrant over all numbers of seats that is not fair at this one, with its steps."""
    frame = rates(study)
    frame = frame[frame["n"] > 0].assign(ratio=frame["estimate"] / frame["fair"])
    unfair = frame.loc[(frame["seats"] == seats) & (frame["verdict"] != "fair"), "entrant"]
    chosen = frame[frame["entrant"].isin(unfair)] if len(unfair) else frame
    if chosen["ratio"].isna().all():
        return
    paths = numeric_fields(study.cards.document)
    for entrant in dict.fromkeys([int(highest(chosen, "ratio")["entrant"]), int(lowest(chosen, "ratio")["entrant"])]):
        own = tuple(f"{prefix}{study.cards.ids[entrant]}." for prefix in prefixes)
        steps = numeric_steps(study.game, study.cards, [path for path in paths if path.startswith(own)])
        yield Lever(entrant, study.names[entrant], steps)


def _measured(study: Study, seats: int, lever: Lever, question: Question) -> pd.DataFrame:
    """Change of the outlier's win rate by every step that can be taken."""
    wanted = -(-study.budget.step_games * len(study.names) // seats)
    fresh = replace(study.experiment(seats, wanted), seed=study.fresh_seed)
    base = GamesOf.from_experiment(fresh, lever.entrant)
    live = [step for step in lever.steps if step.cards and not step.idle]
    play = study.player(f"numbers of {lever.name}", base.games * (len(live) + 1))
    before = Shares.of(base, play)
    rows = []
    for step in live:
        assert step.cards is not None
        row = change(base, step.cards, play, before).set_index("name").loc[lever.name]
        facts = {"name": lever.name, "field": _label(study, step, question), "path": step.field, "step": step.step}
        rows.append({**facts, "present": step.before, "value": step.value, **{str(key): row[key] for key in row.index}})
    return pd.DataFrame(rows).astype({"n": int})


def _strongest(frame: pd.DataFrame) -> pd.DataFrame:
    """The lines of the SHOWN fields of each outlier that move its win rate most."""
    size = frame.assign(size=frame["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = size.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    return frame[frame.set_index(["name", "field"]).index.isin(kept)]


def _label(study: Study, step: Step, question: Question) -> str:
    """A path as words: `hero.rhino_guy.ability.charge.knockback[1]` is `Charge: knockback, yellow`."""
    location = locate(study.cards.document, step.field)
    owner = ""
    words: list[str] = []
    for depth in range(3, len(location) + 1):  # the first two steps name the entrant
        at = location[depth - 1]
        _, node = look_up(study.cards.document, location[:depth])
        if isinstance(node, dict):
            owner = str(node.get("name", owner))
            words = [str(node["op"])] if "op" in node else words
        elif isinstance(at, int):
            places = question.settings.get(str(location[depth - 2]), ())
            words.append(places[at] if at < len(places) else f"no. {at + 1}")
        elif not isinstance(node, list) or depth == len(location) - 1:
            words.append(str(at))
    text = ", ".join(words).replace("_", " ")
    return f"{owner}: {text}" if owner else text[:1].upper() + text[1:]


def _way(step: Step) -> str:
    return "one step down" if step.step < 0 else "one step up"


def _said(part: pd.DataFrame, seats: int) -> str:
    """The strongest sure lever of an outlier, and the sure step that brings it nearest to its fair share."""
    fair = fair_share(seats)
    name, before, n = part["name"].iloc[0], part["before"].iloc[0], part["n"].iloc[0]
    said = f"{name} wins {percent(before)} of its {seated(seats)} games{stopped(part['capped_before'].iloc[0])} "
    said += f"{interval(part['before_low'].iloc[0], part['before_high'].iloc[0], n)}. "
    sure = part[part["sure"]]
    if sure.empty:
        return f"{said}No single step moves that beyond chance."
    top = highest(sure, "change", size=True)
    said += f"Its strongest lever is {_turned(top)}, which moves that by {points(top['change'])} points "
    said += f"{point_interval(top['low'], top['high'])}{_stopped_now(top)}"
    near = lowest(sure.assign(gap=(sure["after"] - fair).abs()), "gap")
    if abs(near["after"] - fair) >= abs(before - fair):
        return f"{said}; no single step surely brings it nearer to the fair {percent(fair)}."
    if near.name == top.name:
        return f"{said} to {percent(top['after'])}, as near to the fair {percent(fair)} as any single step brings it."
    said += f"; nearest to the fair {percent(fair)} brings it {_turned(near)}: {points(near['change'])} points "
    return f"{said}{point_interval(near['low'], near['high'])}, to {percent(near['after'])}{_stopped_now(near)}."


def _stopped_now(step: pd.Series) -> str:
    """Say how capped games count if it is the step that brings them about."""
    return stopped(step["capped_after"] if not step["capped_before"] else 0)


def _turned(row: pd.Series) -> str:
    return f"\u201c{row['field']}\u201d from {row['present']} to {row['value']}"
