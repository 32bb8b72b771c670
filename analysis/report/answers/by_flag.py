"""What it is worth to have had something: the win rate of those with a flag beside that of those without it."""

import numpy as np
import pandas as pd

from analysis import clustered
from analysis.charts import dumbbell
from analysis.estimates import adjust, differences
from analysis.report.answers.members import contest
from analysis.report.answers.prose import at_seats, capital, interval, number_word, point_interval
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import percent, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all entrants
ALL = "all together"
ROWS = 30  # entrants in the chart; where there are more, those that it matters most to


def by_flag(study: Study, question: Question) -> Section | None:
    """Paired dots of the win rate with and without a flag by entrant, and the difference; what those with it did.

    Roles: flag (per seat), did (a second flag per seat, may be absent). Settings: words (with the flag, without it, as in `won
    the roll` and `lost it`), did (words for the second flag, as in `goes first`).
    """
    if "flag" not in question.roles or not study.contests:
        return None
    seats = contest(study)
    frame = finished(study.seats_frame, seats)
    flag = frame[question.roles["flag"]].to_numpy(bool)
    if not flag.any() or flag.all():
        return None
    key = study.main(seats).pair_of(frame["game"].to_numpy(np.int64))
    words = question.settings.get("words", ("with it", "without it"))
    found = _measured(frame, (key, flag), study.names)
    answer = _said(found, words, seats)
    tables = [_table(study, question, found, words)]
    if "did" in question.roles:
        did = _did(frame, (key, flag), question.roles["did"])
        deed = question.settings.get("did", ("does it",))[0]
        answer += f" {_said_did(did, words[0], deed)}"
        tables.append(_did_table(question, did, (words[0], deed)))
    figure = dumbbell(_drawn(found), words=words, label="win rate", change="difference, points")
    caption = (
        f"Win rate of each {study.game.entrant_word} where it {words[0]} and where it {words[1]}, and the difference; "
    )
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    caption += f" Only the {ROWS} with the largest differences." if len(found) - 1 > ROWS else ""
    alt = f"Paired dots, a row per {study.game.entrant_word}. {answer}"
    note = "Finished games; a draw is half a win. Wilson intervals; games that share their dice and agree more than chance has "
    note += "it count as fewer. Differences: intervals of Newcombe, from the two. Sure, and coloured: p (Holm) < "
    note += f"{SURE}, over all {study.game.entrants_word}; all together: against their fair share. n: seats."
    chart = Chart(question.id, figure, caption, alt)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _measured(frame: pd.DataFrame, of: tuple[np.ndarray, np.ndarray], names: list[str]) -> pd.DataFrame:
    """All together, then each entrant: name, first and second (with and without the flag, with bounds), change, n, p_holm, sure.

    All together are compared with their fair share, each entrant with itself: the two sides of a game are no two samples.
    """
    key, flag = of
    share, entrant = frame["share"].to_numpy(np.float64), frame["entrant"].to_numpy(np.int64)
    parts = []
    for group, called in ((np.zeros(len(frame), np.int64), [ALL]), (entrant, names)):
        both = [clustered.shares(key[one], group[one], share[one], len(called)) for one in (flag, ~flag)]
        gap = differences(*(one.assign(n=one["effective"]) for one in both))
        part = pd.DataFrame({"name": called})
        for word, one in zip(("first", "second"), both, strict=True):
            part = part.assign(**{word: one["estimate"], f"{word}_low": one["low"], f"{word}_high": one["high"]})
            part = part.assign(**{f"{word}_n": one["n"]})
        gap = gap.rename(columns={"low": "change_low", "high": "change_high"})
        part = pd.concat([part, gap], axis=1).assign(n=part["first_n"] + part["second_n"])
        part = part.assign(p=clustered.p_against(both[0], 1 / frame["seats"].iloc[0])) if called == [ALL] else part
        parts.append(part[(part["first_n"] > 0) & (part["second_n"] > 0)])
    whole, each = parts
    nothing = dict.fromkeys(("change", "change_low", "change_high"), np.nan)
    whole = whole.assign(**nothing, p_holm=whole["p"])
    each = each.assign(p_holm=adjust(each["p"]) if len(each) else np.nan)
    found = pd.concat([whole, each], ignore_index=True)
    return found.assign(sure=found["p_holm"] < SURE)


def _drawn(found: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chart: the entrants that it matters most to, in their order; all together where there are none."""
    each = found.iloc[1:]
    far = each["change"].abs().nlargest(ROWS).index
    return each.loc[sorted(far)] if len(each) else found


def _did(frame: pd.DataFrame, of: tuple[np.ndarray, np.ndarray], field: str) -> pd.DataFrame:
    """Of those with the flag: how many did it, and how often those win that did and that did not."""
    key, flag = of
    did, share = frame[field].to_numpy(bool), frame["share"].to_numpy(np.float64)
    often = clustered.share(key[flag], did[flag].astype(np.float64))
    lines = [{"name": "share that does", **vars(often)}]
    for name, chosen in (("wins, having done so", flag & did), ("wins, not having done so", flag & ~did)):
        lines.append({"name": name, **vars(clustered.share(key[chosen], share[chosen]))})
    return pd.DataFrame(lines)


def _table(study: Study, question: Question, found: pd.DataFrame, words: tuple[str, ...]) -> Table:
    columns = {"name": study.game.entrant_word}
    for name, word in zip(("first", "second"), words, strict=True):
        columns |= {name: word, f"{name}_low": f"{word}, low", f"{name}_high": f"{word}, high"}
    columns |= {
        "change": "change",
        "change_low": "change low",
        "change_high": "change high",
        "p_holm": "p (Holm)",
        "n": "n",
    }
    shares = [heading for name, heading in columns.items() if name.startswith(("first", "second"))]
    formats: dict[str, Format] = dict.fromkeys(shares, "percent")
    return table(found, question.id, f"Win rate where it {words[0]} and where it {words[1]}", columns, formats)


def _did_table(question: Question, did: pd.DataFrame, words: tuple[str, str]) -> Table:
    columns = {"name": "what", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    known = did[did["n"] > 0]
    return table(known, f"{question.id}-did", f"Whoever {words[0]}: how often it {words[1]}", columns)


def _said(found: pd.DataFrame, words: tuple[str, ...], seats: int) -> str:
    """All together, and to whom it matters most and least."""
    whole, each = found.iloc[0], found.iloc[1:]
    said = f"{capital(at_seats(seats))} whoever {words[0]} wins {percent(whole['first'])} "
    said += f"{interval(whole['first_low'], whole['first_high'], whole['first_n'], 'games')}"
    said += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{said}."
    top, bottom, sure = highest(each, "change"), lowest(each, "change"), int(each["sure"].sum())
    said += f". It helps {top['name']} most, by {points(top['change'])} points "
    said += f"{point_interval(top['change_low'], top['change_high'])}, and {bottom['name']} least, by "
    said += f"{points(bottom['change'])} {point_interval(bottom['change_low'], bottom['change_high'])}; beyond chance it is for "
    return said + f"{number_word(sure) if sure else 'none'} of {number_word(len(each))}."


def _said_did(did: pd.DataFrame, who: str, deed: str) -> str:
    """How many did it, and how those fare that did and that did not."""
    often, yes, no = (did.iloc[at] for at in range(len(did)))
    said = f"Whoever {who} {deed} in {percent(often['estimate'])} of the games "
    said += interval(often["low"], often["high"], often["n"], "games")
    told = [
        f"{percent(row['estimate'])} of {words} {interval(row['low'], row['high'], row['n'], 'games')}"
        for words, row in (("those", yes), ("the others", no))
        if row["n"] > 0
    ]
    return f"{said} and wins {' and '.join(told)}."
