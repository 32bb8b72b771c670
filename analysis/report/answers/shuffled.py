"""Whether it pays to put something where both sides may draw it: who uses it, and who wins where it was done."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis.amounts import rates
from analysis.charts import dumbbell
from analysis.estimates import adjust, proportions
from analysis.report.answers.members import at, contest, of_parts
from analysis.report.answers.prose import at_seats, capital, interval, number_word, point_interval, some
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.wording import percent, points
from sim.engine.measures import Question

USERS = ("used by its owner", "used by the opponent")
SURE = 0.05  # p-value adjusted over all of them


def shuffled(study: Study, question: Question) -> Section | None:
    """Dumbbells, one per part that shuffles something in: share of the copies used by either side, and the difference in wins.

    Roles, measures per seat and member: shuffled (copies), owner and other (copies used by each), thrown and triggered (copies
    thrown away, tokens spent; may be absent). Settings: thing (what is shuffled in, in the plural), named (table of the card file
    with the parts, and the table that names the things, by whose name, as a key, a part says which is its own; may be absent).
    """
    roles = question.roles
    if not {"shuffled", "owner", "other"} <= set(roles) or study.teams is None or not study.contests:
        return None
    seats = contest(study)
    found = _uses(study, seats, roles)
    found = found[found["copies"] > 0]
    if found.empty:
        return None
    thing = question.settings.get("thing", ("copies",))[0]
    found = found.assign(name=_names(study, found["part"].tolist(), question.settings.get("named", ())))
    p_holm = adjust(found["p"])
    found = found.assign(p_holm=p_holm, sure=p_holm < SURE).sort_values("change", ascending=False, na_position="last")
    answer = _said(found, thing, seats)
    caption = f"Left: of every copy of the {thing} that is shuffled in, how often its owner and the opponent use it. "
    caption += "Right: win "
    caption += f"share of teams with that {study.unit_word} in games in which it was shuffled in, less that in games "
    caption += "in which it was "
    caption += f"not. {capital(at_seats(seats))}, with {study.policy} in every seat."
    figure = dumbbell(
        found, words=USERS, label="share of the copies shuffled in", change="wins if shuffled in, less if not, points"
    )
    alt = f"Pairs of dots of the uses by owner and opponent, and the difference in wins. {answer}"
    note = "The difference is a matter of selection, not of cause: whoever is ahead, lives longer or holds the right "
    note += "cards also "
    note += "shuffles more in, and longer games have more of it. A copy can come back and be shuffled in again; what "
    note += "is neither used "
    note += "nor thrown away stays in the deck or in hands. Uses: all games, ratios over games. Wins: finished games, "
    note += "Newcombe's "
    note += f"interval; coloured where p (Holm) < {SURE}. n: games with that {study.unit_word}."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), (_table(found, roles, thing, question.id),), note)


def _uses(study: Study, seats: int, roles: Mapping[str, str]) -> pd.DataFrame:
    """One line per part: copies, n, first and second (uses per copy by owner and opponent), thrown, triggered, and the wins."""
    assert study.teams is not None
    frame = of_parts(study, at(study.seats_frame, seats), dict.fromkeys(roles.values(), 1))
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = range(study.teams.parts)
    copies = frame[roles["shuffled"]].to_numpy()
    facts: dict[str, Any] = {"part": every}
    for word, role in (("first", "owner"), ("second", "other"), ("thrown", "thrown"), ("triggered", "triggered")):
        if role in roles:
            found = rates(game, part, frame[roles[role]].to_numpy(), copies).reindex(every)
            facts |= {word: found["estimate"], f"{word}_low": found["low"].clip(lower=0), f"{word}_high": found["high"]}
            facts |= {"copies": found["base"].fillna(0), "n": found["n"].fillna(0).astype(int)}
    ended = frame["finished"].to_numpy(bool)
    wins = _wins(part[ended], frame["share"].to_numpy(np.float64)[ended], copies[ended] > 0, study.teams.parts)
    return pd.concat([pd.DataFrame(facts), wins], axis=1)


def _wins(part: np.ndarray, share: np.ndarray, had: np.ndarray, parts: int) -> pd.DataFrame:
    """Win share of the teams of each part with and without, and the difference (Newcombe 1998, method 10; score test)."""
    sides = []
    for side in (had, ~had):
        n = np.bincount(part[side], minlength=parts)
        sides.append(proportions(np.bincount(part[side], share[side], parts).clip(0, n), n))
    have, lack = sides
    change = have["estimate"] - lack["estimate"]
    low = change - np.hypot(have["estimate"] - have["low"], lack["high"] - lack["estimate"])
    high = change + np.hypot(have["high"] - have["estimate"], lack["estimate"] - lack["low"])
    both = (have["estimate"] * have["n"] + lack["estimate"] * lack["n"]) / (have["n"] + lack["n"])
    error = np.sqrt(both * (1 - both) * (1 / have["n"].where(have["n"] > 0) + 1 / lack["n"].where(lack["n"] > 0)))
    p = np.where(
        error > 0,
        2 * stats.norm.sf((change.abs() / error.where(error > 0)).to_numpy()),
        np.where(change.isna(), np.nan, 1),
    )
    wins = {"have": have["estimate"], "lack": lack["estimate"], "n_have": have["n"], "n_lack": lack["n"], "p": p}
    return pd.DataFrame({**wins, "change": change, "change_low": low, "change_high": high})


def _names(study: Study, parts: Sequence[int], named: Sequence[str]) -> list[str]:
    """Names of the parts, and before them of what each shuffles in if the card file tells."""
    if not named:
        return [study.units[part] for part in parts]
    owners, things = named
    words = {line["id"]: str(line.get("name", line["id"])) for line in study.cards.document.get(things, ())}
    lines = study.cards.document.get(owners, ())
    own = [next(_values(lines[part], things), "") if part < len(lines) else "" for part in parts]
    return [
        f"{words[one]} ({study.units[part]})" if one in words else study.units[part]
        for part, one in zip(parts, own, strict=True)
    ]


def _values(node: Any, key: str) -> Any:
    """Values at a key, wherever it stands in a part of a document."""
    if isinstance(node, Mapping):
        if key in node:
            yield node[key]
        node = list(node.values())
    if isinstance(node, (list, tuple)):
        for one in node:
            yield from _values(one, key)


def _table(found: pd.DataFrame, roles: Mapping[str, str], thing: str, name: str) -> Table:
    columns = {
        "name": thing.removesuffix("s"),
        "copies": "shuffled in",
        "first": USERS[0],
        "first_low": "owner, low",
        "first_high": "owner, high",
    }
    columns |= {"second": USERS[1], "second_low": "opponent, low", "second_high": "opponent, high"}
    columns |= {role: f"{role}, per copy" for role in ("thrown", "triggered") if role in roles}
    columns |= {"have": "wins if shuffled in", "lack": "wins if not", "change": "difference"}
    columns |= {
        "change_low": "difference low",
        "change_high": "difference high",
        "p_holm": "p (Holm)",
        "n_have": "n (shuffled in)",
        "n_lack": "n (not)",
        "n": "n",
    }
    formats: dict[str, Format] = {
        heading: "percent" for heading in columns.values() if heading.startswith(("used", "owner", "opp"))
    }
    formats |= {
        "shuffled in": "count",
        "n (shuffled in)": "count",
        "n (not)": "count",
        "wins if shuffled in": "percent",
    }
    formats |= {"wins if not": "percent", "thrown, per copy": "percent"}
    formats |= dict.fromkeys(("difference", "difference low", "difference high"), "points")
    return table(found, name, f"{capital(thing)} and who uses them", columns, formats)


def _said(found: pd.DataFrame, thing: str, seats: int) -> str:
    """Whose is used most by the owner and most by the opponent, and what goes with more and with fewer wins."""
    apart = found.assign(apart=found["first"] - found["second"])
    top, bottom = highest(apart, "apart"), lowest(apart, "apart")
    said = f"{capital(at_seats(seats))}, of the {thing} {top['name']} serves its owner most: {percent(top['first'])} "
    said += "of the copies "
    said += f"{interval(top['first_low'], top['first_high'], top['n'], 'games')} are used by its owner and "
    said += f"{percent(top['second'])} "
    said += "by the opponent"
    if len(found) > 1:
        said += f"; {bottom['name']} serves it least, {percent(bottom['first'])} against {percent(bottom['second'])}"
    known = found[found["change"].notna()]
    if known.empty:
        return f"{said}."
    best = highest(known, "change", size=True)
    said += ". The largest difference in wins between games in which it is shuffled in and games in which it is not is that "
    said += f"of {best['name']}: {points(best['change'])} points "
    said += f"{point_interval(best['change_low'], best['change_high'])}"
    signs = [int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)]
    above, below = (number_word(number) if number else "none" for number in signs)
    said += f". Of {some(len(known), 'difference')} {above} {'is' if signs[0] == 1 else 'are'} surely "
    return f"{said}above and {below} surely below nought (Holm)."
