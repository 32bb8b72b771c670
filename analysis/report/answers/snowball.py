"""Do leads decide: the chance of the side that is ahead, by how far and since when, and of whoever strikes first."""

import numpy as np
import pandas as pd

from analysis import charts
from analysis.lead_course import courses, led_for_good
from analysis.lead_fit import LeadFit, fitted
from analysis.leads import Leads, binned, by_turn, flagged, surface
from analysis.report.answers.members import contest, numbers
from analysis.report.answers.prose import amount, at_seats, capital, interval, size
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study, finished
from analysis.wording import count, number, percent
from sim.engine.measures import Question

SEATS, EVEN, DECIDES = 2, 0.5, 0.75
STILL_ON, LEAST = 0.02, 100  # share and number of games from which on a turn is shown
POINTS, FARTHEST = 60, 0.98  # of a line; quantile of the leads at which it ends
AHEAD, GOOD = "the side ahead wins", "the winner leads for good"


def snowball(study: Study, question: Question) -> Section | None:
    """Chance of the side ahead by its lead at some own turns; heat map by turn and lead; leads by turn; the first strike.

    Roles: curve (measure per seat with one number per own turn, nan beyond the last), first (flag per seat: struck first; may
    be absent). Settings: turn (what a turn is called), at (own turn of the sentence and the dots), turns (own turns of the
    lines and the table), unit (lead that odds are told of), lead (words for the amount), first (words: the side with ...).
    """
    if "curve" not in question.roles or not study.contests or contest(study) != SEATS:
        return None
    frame = finished(study.seats_frame, SEATS)
    leads = _leads(study, question, frame)
    every = by_turn(leads)
    every = every[every["n"] >= max(LEAST, STILL_ON * len(leads.share))]
    if every.empty:
        return None
    turns = [int(turn) for turn in question.settings.get("turns", ("3", "5", "8", "12"))]
    turns = [turn for turn in turns if turn in set(every["turn"])] or [int(every["turn"].iloc[0])]
    main = int(question.settings.get("at", ("5",))[0])
    main = main if main in set(every["turn"]) else turns[0]
    told = sorted({main, *turns})
    fits = {turn: fitted(leads, turn) for turn in told}
    words = _words(study, question)
    flag = flagged(*_flags(question, frame), leads.key) if "first" in question.roles else None
    answer = _said(every, fits[main], main, words)
    answer += f" {_said_course(leads, words)}"
    if flag is not None and flag.n:
        answer += f" The side with {words['first']} wins {percent(flag.estimate)} "
        answer += f"{interval(flag.low, flag.high, flag.n, 'games')}."
    figures = (
        _curve(leads, fits, (main, words, question.id), answer),
        _heat(leads, every, words, question.id),
        _course(leads, every, words, question.id),
    )
    tables = [_by_turn_table(every, fits, words, question.id), _bins_table(leads, main, words, question.id)]
    if flag is not None and flag.n:
        row = pd.DataFrame([{"name": words["first"], **vars(flag)}])
        columns = {"name": "side with", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
        tables.append(table(row, f"{question.id}-first", "Who strikes first", columns))
    tables += [_course_table(leads, every, words, question.id)]
    return Section(question.id, question.text, answer, figures, tuple(tables), _note(words))


def _words(study: Study, question: Question) -> dict[str, str]:
    """What turns, leads and the first strike are called, and the unit of the odds."""
    label = study.measure(question.roles["curve"]).label.lower()
    words = {"turn": "turn", "lead": label, "unit": "1", "first": "the first strike"}
    words |= {name: question.settings[name][0] for name in words if name in question.settings}
    return words | {"seats": capital(at_seats(SEATS)), "policy": str(study.policy)}


def _leads(study: Study, question: Question, frame: pd.DataFrame) -> Leads:
    """The leads of the finished games; those that share their dice hang together."""
    values = numbers(frame, study.measure(question.roles["curve"]))
    share = frame["share"].to_numpy(np.float64)[::SEATS]
    game = frame["game"].to_numpy(np.int64)[::SEATS]
    return Leads.of(values.reshape(-1, SEATS, values.shape[1]), share, study.main(SEATS).pair_of(game))


def _flags(question: Question, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Who struck first, (games, 2), and the share of the win of seat 0."""
    flag = frame[question.roles["first"]].to_numpy(bool).reshape(-1, SEATS)
    return flag, frame["share"].to_numpy(np.float64)[::SEATS]


def _curve(leads: Leads, fits: dict[int, LeadFit | None], how: tuple[int, dict[str, str], str], answer: str) -> Chart:
    """Smooth lines of all turns told of and the dots of one. Where no line can be fitted the dots of its turn make it."""
    main, words, id_ = how
    lines = []
    for turn, fit in fits.items():
        gap = leads.ahead(turn)[0]
        if fit is not None:
            x = np.linspace(0, np.quantile(gap, FARTHEST), POINTS)
            estimate, low, high = fit.chance(x)
            line = pd.DataFrame({"x": x, "estimate": estimate, "low": low, "high": high, "n": fit.n})
        else:
            line = binned(leads, turn).rename(columns={"middle": "x"}).assign(n=gap.size)
        lines.append(line.assign(line=f"{words['turn']} {turn}"))
    dots = binned(leads, main)
    label = f"{words['lead']} ahead at the end of the {words['turn']}"
    frame = pd.concat(lines, ignore_index=True)
    figure = charts.leads(frame, main=f"{words['turn']} {main}", dots=dots, x_label=label)
    caption = f"Win share of the side that is ahead in {words['lead']}, by how far, at the end of some {words['turn']}s; dots: "
    caption += f"bins of about equally many games at the end of {words['turn']} {main}. "
    caption += f"{words['seats']}, with {words['policy']} in both seats."
    return Chart(id_, figure, caption, f"Rising lines from one half, one per {words['turn']}. {answer}")


def _heat(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Chart:
    """Heat map by own turn and lead."""
    found = surface(leads, [int(turn) for turn in every["turn"]])
    rows = [_range(start, end) for start, end in zip(found["start"], found["end"], strict=True)]
    found = found.assign(row=rows, column=found["turn"].astype(str))
    figure = charts.surface(found, x_label=f"end of {words['turn']}", y_label=f"{words['lead']} ahead")
    caption = f"Win share of the side that is ahead, by {words['turn']} and by how far it is ahead then. "
    caption += f"{words['seats']}, with {words['policy']} in both seats."
    alt = f"Heat map of the win share of the side ahead by {words['turn']} (columns) and lead (rows)."
    return Chart(f"{id_}-surface", figure, caption, alt)


def _range(start: float, end: float) -> str:
    """A bin in words."""
    if not start:
        return f"up to {number(end)}" if np.isfinite(end) else "any"
    return f"{number(start)} to {number(end)}" if np.isfinite(end) else f"over {number(start)}"


def _course(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Chart:
    """Lines by own turn: how often the side ahead wins, and how many games are settled for good."""
    settled = led_for_good(leads, list(every["turn"]))
    parts = [every.assign(line=AHEAD), settled.assign(line=GOOD)]
    columns = ["line", "turn", "estimate", "low", "high", "n"]
    frame = pd.concat([part[columns] for part in parts], ignore_index=True).rename(columns={"turn": "x"})
    frame = frame.assign(panel=f"Who is ahead in {words['lead']}")
    caption = f"Share of the games won by the side that is ahead at the end of each {words['turn']}, and share of all games in "
    caption += f"which the winner leads for good by then. {words['seats']}, with {words['policy']} in both seats."
    alt = f"Two lines by {words['turn']}: how often the side ahead wins, and how many games are led for good."
    return Chart(f"{id_}-course", charts.lines(frame, label=f"end of {words['turn']}"), caption, alt)


def _by_turn_table(every: pd.DataFrame, fits: dict[int, LeadFit | None], words: dict[str, str], id_: str) -> Table:
    """The turns told of: how often the side ahead wins, how well leads tell, what a unit of lead does to the odds."""
    found = every[every["turn"].isin(list(fits))]
    odds = [fit.odds(float(words["unit"])) if fit else None for fit in fits.values()]
    ends = {f"odds{end}": [getattr(one, name) if one else np.nan for one in odds] for name, end in _ENDS.items()}
    per = f"odds per {words['unit']}"
    columns = {"turn": words["turn"], "on": "games that come to it", "tied": "nobody ahead", "gap": "median lead"}
    columns |= {"estimate": "side ahead wins", "low": "low", "high": "high", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("games that come to it", "nobody ahead", "side ahead wins"), "percent")
    for name, heading in (("auc", "AUC"), ("r", "correlation"), ("odds", per)):
        columns |= {f"{name}{end}": f"{heading}{', ' if end else ''}{end[1:]}" for end in _ENDS.values()}
        formats |= {columns[f"{name}{end}"]: "number" for end in _ENDS.values()}
    return table(found.assign(**ends), id_, f"What a lead in {words['lead']} says", columns, formats)


_ENDS = {"estimate": "", "low": "_low", "high": "_high"}


def _bins_table(leads: Leads, main: int, words: dict[str, str], id_: str) -> Table:
    columns = {
        "start": "lead from",
        "end": "to",
        "middle": "median",
        "estimate": "side ahead wins",
        "low": "low",
        "high": "high",
    }
    caption = f"By the lead at the end of {words['turn']} {main}"
    return table(binned(leads, main), f"{id_}-bins", caption, {**columns, "n": "n"}, {"side ahead wins": "percent"})


def _course_table(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Table:
    settled = led_for_good(leads, list(every["turn"])).add_prefix("good_")
    found = pd.concat([every.reset_index(drop=True), settled], axis=1)
    columns = {
        "turn": words["turn"],
        "on": "games that come to it",
        "estimate": "side ahead wins",
        "low": "low",
        "high": "high",
    }
    columns |= {
        "n": "n",
        "good_estimate": "winner leads for good",
        "good_low": "low (for good)",
        "good_high": "high (for good)",
    }
    columns |= {"good_n": "n (for good)"}
    shares = ("games that come to it", "side ahead wins", "winner leads for good", "low (for good)", "high (for good)")
    formats: dict[str, Format] = {**dict.fromkeys(shares, "percent"), "n (for good)": "count"}
    return table(found, f"{id_}-course", f"Leads by {words['turn']}", columns, formats)


def _said(every: pd.DataFrame, fit: LeadFit | None, main: int, words: dict[str, str]) -> str:
    """Whether leads decide, at one turn and since when."""
    row, turn = every[every["turn"] == main].iloc[0], words["turn"]
    said = f"{words['seats']} the side that is ahead in {words['lead']} at the end of {turn} {main} wins "
    said += f"{percent(row['estimate'])} {interval(row['low'], row['high'], row['n'], 'games')}: {_verdict(row)}."
    if fit is not None:
        odds = fit.odds(float(words["unit"]))
        said += (
            f" Every {number(float(words['unit']))} ahead multiply its odds by {amount(odds.estimate)} (95 % interval "
        )
        said += f"{amount(odds.low)} to {amount(odds.high)}, {size(odds.n)} games)."
    better = every[every["low"] > EVEN]
    if better.empty:
        return f"{said} At no {turn} is its win share surely above one half."
    said += f" Its win share is surely above one half first at the end of {turn} {count(better['turn'].iloc[0])}, above three "
    sure = every[every["low"] >= DECIDES]
    return said + (f"quarters first at {turn} {count(sure['turn'].iloc[0])}." if len(sure) else "quarters at none.")


def _verdict(row: pd.Series) -> str:
    """What a lead is worth, in words."""
    if row["high"] < EVEN:
        return "a lead rather hurts"
    if row["low"] <= EVEN:
        return "a lead tells nothing yet"
    return "leads decide" if row["low"] >= DECIDES else "a lead helps but does not decide"


def _said_course(leads: Leads, words: dict[str, str]) -> str:
    """How often the lead changes sides, and from when on the winner had it."""
    found = courses(leads)
    won = found[(leads.share == 0) | (leads.share == 1)]
    since = np.sort(won["for_good"].fillna(np.inf))
    said = f"The lead goes to the other side {amount(found['changes'].mean())} times per game ({size(len(found))})"
    if not since.size:
        return f"{said}."
    middle = since[(since.size - 1) // 2]
    behind = percent(float(won["behind"].mean()))
    if np.isinf(middle):
        return f"{said}; fewer than half of the winners are ahead at the end, and {behind} were behind once."
    return (
        f"{said}; half of the winners lead for good by {words['turn']} {count(middle)}, and {behind} were behind once."
    )


def _note(words: dict[str, str]) -> str:
    turn = words["turn"]
    lead = words["lead"]
    note = f"Finished games. A lead is the own {lead} less the opponent's, both at the end of the same {turn}, where both finish "
    note += f"it: at later {turn}s only the longer games count, the clear ones are over. Both seats of a game are one "
    note += "observation: lines (logistic, without a constant) go through one half at no lead; dots and cells count the side "
    note += "ahead. Games that share their dice hang together: errors of lines by clusters, Wilson intervals of as many games as "
    note += "they are worth. AUC: chance that, of a winner and a loser of two games, the winner had the greater lead. Whoever is "
    return note + "ahead is the stronger side too: this is no proof of a cause."
