"""Report sections on leads and comebacks.

`drama`: how long games are, when they are decided, how often the lead changes, and which deficits are overcome.
`comeback_section`: how often a nearly beaten side still wins. `snowball`: whether leads decide, by size and turn, and what the
first strike is worth. `standings`: win shares by the states of both sides.
"""

from __future__ import annotations

import time
from math import isqrt

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis import charts
from analysis.charts import dumbbell, states, trend
from analysis.data.rows import rates
from analysis.data.study import Study, at, contest, finished, numbers, of_parts
from analysis.document.model import WIN_RATE, Chart, Format, Section, Table, count, highest, lowest, number, percent, table
from analysis.document.prose import amount, at_seats, capital, interval, listed, number_word, quantity, size
from analysis.stats.intervals import Interval, proportion, proportions
from analysis.timeline.courses import Courses, played, scores
from analysis.timeline.leads import (
    AHEAD,
    LOW,
    LeadFit,
    Leads,
    binned,
    comebacks,
    courses,
    decided,
    drama_by_turn,
    fitted,
    flagged,
    led_for_good,
    summary,
    surface,
)
from analysis.timeline.leads import by_turn as snowball_by_turn
from analysis.timeline.tables import (
    INTERVALS,
    doubt,
    endings_table,
    lead_table,
    lengths,
    lengths_table,
    striking_table,
    summary_table,
    trust_table,
    trust_words,
    turns_shown,
    turns_table,
)
from sim.engine.measures import Question

ID, QUESTION = "drama", "How does a game run, when is it decided, and what can still be caught up?"
LEADS, GOOD = "the seat ahead wins", "the winner leads for good"
FOUND, EVEN = "games played", "equal seats, small steps"
STEP = 0.05  # between the chances that a winner was down to


def drama(study: Study) -> Section | None:
    """Length, lead, decision and comebacks at the smallest number of seats with an opponent; None without one."""
    if not study.contests:
        return None
    seats = min(study.contests)
    courses = _played(study, seats)
    tables = [endings_table(courses, f"{ID}-endings"), lengths_table(courses, f"{ID}-lengths")]
    if not (courses.winner >= 0).any():
        answer = f"None of {count(len(courses.index))} games {at_seats(seats)} was won by one seat alone, so there are no "
        return Section(ID, QUESTION, f"{answer}leads and comebacks to report.", (), tuple(tables), _note(study, courses))
    figures_by_name = {line["what"]: _interval(line) for _, line in summary(courses).iterrows()}
    figures = (_lead_chart(study, courses), _comeback_chart(study, courses, figures_by_name["once_low"]))
    tables += [summary_table(courses, f"{ID}-summary"), turns_table(courses, f"{ID}-turns")]
    tables += [lead_table(courses, f"{ID}-leads"), trust_table(courses, f"{ID}-trust")]
    tables += [striking_table(courses, study.main(seats), f"{ID}-watch")]
    answer = " ".join(
        filter(None, (_pace_answer(courses, figures_by_name), _comebacks_answer(courses, figures_by_name), doubt(courses)))
    )
    return Section(ID, QUESTION, answer, figures, tuple(tables), _note(study, courses))


def _played(study: Study, seats: int) -> Courses:
    """The first games of the main experiment, replayed and evaluated."""
    experiment = study.main(seats)
    wanted = min(study.budget.replays, experiment.games)
    began = time.perf_counter()

    def report(done: int) -> None:
        if study.watch:
            study.watch("courses", done, wanted)

    courses = played(experiment, wanted, study.jobs, report)
    study.elapsed_s["courses"] = time.perf_counter() - began
    return courses


def _interval(line: pd.Series) -> Interval:
    return Interval(line["estimate"], line["low"], line["high"], int(line["n"]), 0.95)


def _pace_answer(courses: Courses, figures: dict[str, Interval]) -> str:
    """How long games are, when they are decided, how often the lead changes."""
    half = lengths(courses).set_index("quantile")["turns"][0.5]
    long = f"half of the games are over after {count(half)} turns" if np.isfinite(half) else "most games are stopped"
    since, part, changes, steady = (figures[name] for name in ("since", "part", "changes", "steady"))
    return (
        f"{capital(at_seats(courses.seats))} {long}. In half of the games with a sole winner, the winner leads for good by turn "
        f"{count(since.estimate)}; in half of them {percent(part.estimate, 0)} of the game has passed by then. The lead changes "
        f"{number(round(changes.estimate, 1))} times a game {quantity(changes.low, changes.high, changes.n, 'games')}, and in "
        f"{percent(steady.estimate)} of the games never."
    )


def _comebacks_answer(courses: Courses, figures: dict[str, Interval]) -> str:
    """Size of the deficits that were overcome."""
    low, deep = figures["once_low"], figures["comeback"]
    down = percent(LOW / courses.seats, 0 if courses.seats == 2 else 1)
    return (
        f"In {percent(low.estimate)} of the games {interval(low.low, low.high, low.n)} the winner had once been down to a chance "
        f"of {down} or less; one winner in ten came back from {percent(deep.estimate, 0)} or less."
    )


def _scores(courses: Courses) -> pd.DataFrame:
    return scores(courses.chance, courses.evaluated, courses.game, courses.share, courses.key)


def _lead_chart(study: Study, courses: Courses) -> Chart:
    """By turn: how often the seat ahead wins, and how many games are led for good."""
    caption = "Share of games won by the seat that is ahead at the end of a turn, and share in which the winner leads for "
    caption += f"good by then, with {study.policy} in every seat."
    alt = "Two lines by turn: how often the seat ahead wins, and how many games are led for good."
    return Chart(ID, charts.lines(leads_frame(courses), label="end of turn"), caption, alt)


def leads_frame(courses: Courses) -> pd.DataFrame:
    """Data of the lead chart, for `charts.lines`: by turn, how often the seat ahead wins, and how many games are led for good."""
    turns = turns_shown(courses) or [int(turn) for turn in np.unique(courses.turn)[:1]]
    ahead = drama_by_turn(courses, turns)
    good = decided(courses)
    reached = np.searchsorted(good["turns"], turns, side="right") - 1
    columns = ["estimate", "low", "high", "n"]
    parts = [ahead[columns].assign(line=LEADS, x=turns), good[columns].iloc[reached].assign(line=GOOD, x=turns)]
    return pd.concat(parts, ignore_index=True).assign(panel=f"Leads {at_seats(courses.seats)}")


def _comeback_chart(study: Study, courses: Courses, low: Interval) -> Chart:
    """Share of games whose winner was once down to each chance, beside that of a smooth game of equals."""
    chances = np.round(np.arange(STEP, 1 / courses.seats + STEP / 100, STEP), 6)
    shares = comebacks(courses, chances.tolist())
    columns = ["estimate", "low", "high", "n"]
    x = np.rint(100 * chances).astype(np.int64)
    even = shares.assign(estimate=shares["even"], low=shares["even"], high=shares["even"])
    parts = [shares[columns].assign(line=FOUND, x=x), even[columns].assign(line=EVEN, x=x)]
    frame = pd.concat(parts, ignore_index=True).assign(panel="Games whose winner was once down to a chance")
    figure = charts.lines(frame, label="down to this chance or less, in per cent")
    caption = "Share of games whose winner had once been down to a chance, beside the share in a game of equal seats whose "
    caption += f"chances move in small steps and are evaluated correctly; with {study.policy} in every seat."
    alt = f"Two rising lines: in {percent(low.estimate)} of the games the winner was once down to half of the fair share."
    return Chart(f"{ID}-comebacks", figure, caption, alt)


def _note(study: Study, courses: Courses) -> str:
    """How chances, leads and intervals are made, and what is left out."""
    seats = courses.seats
    note = f"{count(len(courses.index))} games of the main run were replayed. Winning chances come from the game's evaluation "
    note += "at the last decision of a turn, made comparable between seats by a conditional logit fitted to other games. A "
    note += f"seat is ahead with {100 * AHEAD / seats:.0f} points of chance or more over every other, and keeps the lead until "
    note += "another is ahead. Games without a sole winner only count for length and endings. "
    note += f"{INTERVALS} {trust_words(courses)} "
    known = _scores(courses)
    if np.isfinite(known["skill"].iloc[0]):
        brier = [f"{value:.3f}" for value in known["estimate"]]
        note += f"Brier score {brier[0]} (uncalibrated {brier[1]}, even chances {brier[2]}). "
    note += "The tables show how often estimated chances come true; leads in the first turns are the easiest to overrate. "
    return f"{note}More games: fairfight pace {study.game.name}."


BINS, LEAST = 6, 20  # bins of about equal size; seats per bin, at least
ALONE, BOTH = "the other is not yet", "the other is too"


def comeback_section(study: Study, question: Question) -> Section | None:
    """Win share of sides that are nearly beaten, by the turn when that came about and by the state of the other side.

    Roles: turn (measure per seat: when it first got into this state). Settings: never (value of a seat that never did), state
    (words: a side with ...).
    """
    column = question.roles.get("turn")
    if column is None or not study.contests or contest(study) != len((ALONE, BOTH)):
        return None
    frame = finished(study.seats_frame, contest(study))
    measure, never = study.measure(column), int(question.settings.get("never", ("0",))[0])
    state = question.settings.get("state", ("that far behind",))[0]
    when = frame[column].to_numpy(np.int64).reshape(-1, 2)
    share = frame["share"].to_numpy(np.float64)
    when_other, when_own = when[:, ::-1].ravel(), when.ravel()
    down = when_own != never
    if not down.any():
        return None
    both = (when_other != never) & (when_other <= when_own)
    parts = [
        _binned(when_own[down & line], share[down & line]).assign(line=name) for name, line in ((ALONE, ~both), (BOTH, both))
    ]
    whole = pd.concat(parts, ignore_index=True).assign(fair=1 / 2)
    sums = {name: _share(share[down & line]) for name, line in ((ALONE, ~both), (BOTH, both))}
    winners = _share(down[share > 0].astype(np.float64))
    answer = _state_answer(sums, winners, state, contest(study))
    unit = measure.unit or "turns"
    caption = f"Win share of a side with {state}, by the first {unit.removesuffix('s')} in this state, with about "
    caption += "equal numbers of sides per dot, and by whether the other side is in this state by then. "
    caption += f"{capital(at_seats(contest(study)))}, with {study.policy} in every seat."
    chart = trend(whole, lines="line", x_label="first " + unit.removesuffix("s") + " in this state")
    columns = {"line": "other side", "bin": unit, "estimate": WIN_RATE, "low": "low", "high": "high", "n": "n"}
    every = pd.DataFrame([{"line": name, **share_} for name, share_ in sums.items()])
    tables = (
        table(whole, question.id, f"Win share of a side with {state}", columns),
        table(every, f"{question.id}-all", "At any time", {key: words for key, words in columns.items() if key != "bin"}),
    )
    note = f"Finished games. \u201c{capital(BOTH)}\u201d: by the end of that {unit.removesuffix('s')}; if both get into "
    note += "this state at once, both sides count and average one half. Only the first time counts, even if a side "
    note += "recovers later. n: sides; Wilson intervals."
    alt = f"Lines of the win share by {unit}. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, note)


def _share(values: np.ndarray) -> dict[str, float]:
    """Share with its bounds; nan without cases."""
    if not values.size:
        return {"estimate": np.nan, "low": np.nan, "high": np.nan, "n": 0}
    share = proportion(float(values.sum()), values.size)
    return {"estimate": share.estimate, "low": share.low, "high": share.high, "n": share.n}


def _binned(when: np.ndarray, share: np.ndarray) -> pd.DataFrame:
    """Win share by bin: bin (words), middle (median), estimate, low, high, n."""
    if not when.size:
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "bin", "middle"])
    bins = min(BINS, max(1, when.size // LEAST))
    edges = np.unique(np.quantile(when, np.arange(1, bins + 1) / bins, method="inverted_cdf"))
    place = np.searchsorted(edges, when)
    n, wins = np.bincount(place, minlength=edges.size), np.bincount(place, share, edges.size)
    known = [when[place == index] for index in range(edges.size)]
    words = [
        count(values.min()) if values.min() == values.max() else f"{count(values.min())} to {count(values.max())}"
        for values in known
    ]
    return proportions(wins.clip(0, n), n).assign(bin=words, middle=[float(np.median(values)) for values in known])


def _state_answer(sums: dict[str, dict[str, float]], winners: dict[str, float], state: str, seats: int) -> str:
    """How often such a side wins, alone or together with the other, and how many winners had been in this state."""
    alone, both = sums[ALONE], sums[BOTH]
    text = f"{capital(at_seats(seats))} a side with {state} "
    if alone["n"]:
        text += f"still wins {percent(alone['estimate'])} {interval(alone['low'], alone['high'], alone['n'], 'sides')} if "
        text += "the other side is not in this state by then"
    if both["n"]:
        text += f"{' and ' if alone['n'] else 'wins '}{percent(both['estimate'])} "
        text += f"{interval(both['low'], both['high'], both['n'], 'sides')} if "
        text += "it is" if alone["n"] else "the other side is in this state by then"
    if not winners["n"]:
        return f"{text}."
    text = f"{text}; {percent(winners['estimate'])} of the winners had been in this state themselves "
    return text + f"{interval(winners['low'], winners['high'], winners['n'], 'winners')}."


SEATS, SNOWBALL_EVEN, DECIDES = 2, 0.5, 0.75
STILL_ON, SNOWBALL_LEAST = 0.02, 100  # share and number of games that a turn needs to be shown
POINTS, FARTHEST = 60, 0.98  # points of a line; quantile of the leads where it ends
SNOWBALL_AHEAD, SNOWBALL_GOOD = "the side ahead wins", "the winner leads for good"


def snowball(study: Study, question: Question) -> Section | None:
    """Chance of the side ahead by its lead at some turns; heat map by turn and lead; leads by turn; the first strike.

    Turns are counted for each player. Roles: curve (measure per seat with one number per turn, nan after the last), first
    (optional flag per seat: struck first). Settings: turn (word for a turn), at (turn of the sentence and the dots), turns
    (turns of the lines and the table), unit (lead for which odds are given), lead (words for the amount), first (words: the
    side with ...).
    """
    if "curve" not in question.roles or not study.contests or contest(study) != SEATS:
        return None
    frame = finished(study.seats_frame, SEATS)
    leads = _leads(study, question, frame)
    every = snowball_by_turn(leads)
    every = every[every["n"] >= max(SNOWBALL_LEAST, STILL_ON * len(leads.share))]
    if every.empty:
        return None
    turns = [int(turn) for turn in question.settings.get("turns", ("3", "5", "8", "12"))]
    turns = [turn for turn in turns if turn in set(every["turn"])] or [int(every["turn"].iloc[0])]
    main = int(question.settings.get("at", ("5",))[0])
    main = main if main in set(every["turn"]) else turns[0]
    shown = sorted({main, *turns})
    fits = {turn: fitted(leads, turn) for turn in shown}
    words = _words(study, question)
    flag = flagged(*_flags(question, frame), leads.key) if "first" in question.roles else None
    answer = _snowball_answer(every, fits[main], main, words)
    answer += f" {_course_answer(leads, words)}"
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
    return Section(question.id, question.text, answer, figures, tuple(tables), _snowball_note(words))


def _words(study: Study, question: Question) -> dict[str, str]:
    """Words for turns, leads and the first strike, and the unit of the odds."""
    label = study.measure(question.roles["curve"]).label.lower()
    words = {"turn": "turn", "lead": label, "unit": "1", "first": "the first strike"}
    words |= {name: question.settings[name][0] for name in words if name in question.settings}
    return words | {"seats": capital(at_seats(SEATS)), "policy": str(study.policy)}


def _leads(study: Study, question: Question, frame: pd.DataFrame) -> Leads:
    """Leads of the finished games; games that share their dice are a cluster."""
    values = numbers(frame, study.measure(question.roles["curve"]))
    share = frame["share"].to_numpy(np.float64)[::SEATS]
    game = frame["game"].to_numpy(np.int64)[::SEATS]
    return Leads.of(values.reshape(-1, SEATS, values.shape[1]), share, study.main(SEATS).pair_of(game))


def _flags(question: Question, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Flag of the first strike, (games, 2), and win share of seat 0."""
    flag = frame[question.roles["first"]].to_numpy(bool).reshape(-1, SEATS)
    return flag, frame["share"].to_numpy(np.float64)[::SEATS]


def _curve(leads: Leads, fits: dict[int, LeadFit | None], how: tuple[int, dict[str, str], str], answer: str) -> Chart:
    """Smooth lines of several turns and the dots of one. A turn without a fit is drawn through its dots."""
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
    caption = f"Win share of the side that is ahead in {words['lead']}, by its lead at the end of some {words['turn']}s; dots: "
    caption += f"bins of about equal numbers of games at the end of {words['turn']} {main}. "
    caption += f"{words['seats']}, with {words['policy']} in both seats."
    return Chart(id_, figure, caption, f"Rising lines from one half, one per {words['turn']}. {answer}")


def _heat(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Chart:
    """Heat map by turn and lead."""
    cells = surface(leads, [int(turn) for turn in every["turn"]])
    rows = [_range(start, end) for start, end in zip(cells["start"], cells["end"], strict=True)]
    cells = cells.assign(row=rows, column=cells["turn"].astype(str))
    figure = charts.surface(cells, x_label=f"end of {words['turn']}", y_label=f"{words['lead']} ahead")
    caption = f"Win share of the side that is ahead, by {words['turn']} and by its lead. "
    caption += f"{words['seats']}, with {words['policy']} in both seats."
    alt = f"Heat map of the win share of the side ahead by {words['turn']} (columns) and lead (rows)."
    return Chart(f"{id_}-surface", figure, caption, alt)


def _range(start: float, end: float) -> str:
    """A bin in words."""
    if not start:
        return f"up to {number(end)}" if np.isfinite(end) else "any"
    return f"{number(start)} to {number(end)}" if np.isfinite(end) else f"over {number(start)}"


def _course(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Chart:
    """Lines by turn: how often the side ahead wins, and how many games are led for good."""
    settled = led_for_good(leads, list(every["turn"]))
    parts = [every.assign(line=SNOWBALL_AHEAD), settled.assign(line=SNOWBALL_GOOD)]
    columns = ["line", "turn", "estimate", "low", "high", "n"]
    frame = pd.concat([part[columns] for part in parts], ignore_index=True).rename(columns={"turn": "x"})
    frame = frame.assign(panel=f"Who is ahead in {words['lead']}")
    caption = f"Share of games won by the side that is ahead at the end of each {words['turn']}, and share of all games in "
    caption += f"which the winner leads for good by then. {words['seats']}, with {words['policy']} in both seats."
    alt = f"Two lines by {words['turn']}: how often the side ahead wins, and how many games are led for good."
    return Chart(f"{id_}-course", charts.lines(frame, label=f"end of {words['turn']}"), caption, alt)


def _by_turn_table(every: pd.DataFrame, fits: dict[int, LeadFit | None], words: dict[str, str], id_: str) -> Table:
    """How often the side ahead wins at some turns, how well leads predict, and the effect of a unit of lead on the odds."""
    rows = every[every["turn"].isin(list(fits))]
    odds = [fit.odds(float(words["unit"])) if fit else None for fit in fits.values()]
    ends = {
        f"odds{end}": [getattr(interval_, name) if interval_ else np.nan for interval_ in odds] for name, end in _ENDS.items()
    }
    per = f"odds per {words['unit']}"
    columns = {"turn": words["turn"], "on": "games that come to it", "tied": "nobody ahead", "gap": "median lead"}
    columns |= {"estimate": "side ahead wins", "low": "low", "high": "high", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("games that come to it", "nobody ahead", "side ahead wins"), "percent")
    for name, heading in (("auc", "AUC"), ("r", "correlation"), ("odds", per)):
        columns |= {f"{name}{end}": f"{heading}{', ' if end else ''}{end[1:]}" for end in _ENDS.values()}
        formats |= {columns[f"{name}{end}"]: "number" for end in _ENDS.values()}
    return table(rows.assign(**ends), id_, f"What a lead in {words['lead']} is worth", columns, formats)


_ENDS = {"estimate": "", "low": "_low", "high": "_high"}


def _bins_table(leads: Leads, main: int, words: dict[str, str], id_: str) -> Table:
    columns = {"start": "lead from", "end": "to", "middle": "median", "estimate": "side ahead wins", "low": "low", "high": "high"}
    caption = f"By the lead at the end of {words['turn']} {main}"
    return table(binned(leads, main), f"{id_}-bins", caption, {**columns, "n": "n"}, {"side ahead wins": "percent"})


def _course_table(leads: Leads, every: pd.DataFrame, words: dict[str, str], id_: str) -> Table:
    settled = led_for_good(leads, list(every["turn"])).add_prefix("good_")
    rows = pd.concat([every.reset_index(drop=True), settled], axis=1)
    columns = {"turn": words["turn"], "on": "games that come to it", "estimate": "side ahead wins", "low": "low", "high": "high"}
    columns |= {"n": "n", "good_estimate": "winner leads for good", "good_low": "low (for good)", "good_high": "high (for good)"}
    columns |= {"good_n": "n (for good)"}
    shares = ("games that come to it", "side ahead wins", "winner leads for good", "low (for good)", "high (for good)")
    formats: dict[str, Format] = {**dict.fromkeys(shares, "percent"), "n (for good)": "count"}
    return table(rows, f"{id_}-course", f"Leads by {words['turn']}", columns, formats)


def _snowball_answer(every: pd.DataFrame, fit: LeadFit | None, main: int, words: dict[str, str]) -> str:
    """Whether leads decide, at one turn and from which turn on."""
    row, turn = every[every["turn"] == main].iloc[0], words["turn"]
    text = f"{words['seats']} the side that is ahead in {words['lead']} at the end of {turn} {main} wins "
    text += f"{percent(row['estimate'])} {interval(row['low'], row['high'], row['n'], 'games')}: {_verdict(row)}."
    if fit is not None:
        odds = fit.odds(float(words["unit"]))
        text += f" Every {number(float(words['unit']))} ahead multiplies its odds by {amount(odds.estimate)} (95 % interval "
        text += f"{amount(odds.low)} to {amount(odds.high)}, {size(odds.n)} games)."
    better = every[every["low"] > SNOWBALL_EVEN]
    if better.empty:
        return f"{text} Its win share is not significantly above one half at any {turn}."
    text += f" Its win share is significantly above one half from {turn} {count(better['turn'].iloc[0])}, and above three "
    sure = every[every["low"] >= DECIDES]
    return text + (f"quarters from {turn} {count(sure['turn'].iloc[0])}." if len(sure) else "quarters at none.")


def _verdict(row: pd.Series) -> str:
    """What a lead is worth, in words."""
    if row["high"] < SNOWBALL_EVEN:
        return "a lead hurts"
    if row["low"] <= SNOWBALL_EVEN:
        return "a lead means nothing yet"
    return "leads decide" if row["low"] >= DECIDES else "a lead helps but does not decide"


def _course_answer(leads: Leads, words: dict[str, str]) -> str:
    """How often the lead changes sides, and from when on the winner kept it."""
    runs = courses(leads)
    won = runs[(leads.share == 0) | (leads.share == 1)]
    since = np.sort(won["for_good"].fillna(np.inf))
    text = f"The lead changes sides {amount(runs['changes'].mean())} times per game ({size(len(runs))})"
    if not since.size:
        return f"{text}."
    middle = since[(since.size - 1) // 2]
    behind = percent(float(won["behind"].mean()))
    if np.isinf(middle):
        return f"{text}; fewer than half of the winners are ahead at the end, and {behind} were behind once."
    return f"{text}; half of the winners lead for good by {words['turn']} {count(middle)}, and {behind} were behind once."


def _snowball_note(words: dict[str, str]) -> str:
    turn = words["turn"]
    lead = words["lead"]
    note = f"Finished games. A lead is a side's {lead} less the opponent's, both at the end of the same {turn}, if both finish "
    note += f"it. Later {turn}s only include longer games, because the clear ones are over. Both seats of a game are one "
    note += "observation: lines (logistic, without a constant) go through one half at no lead; dots and cells count the side "
    note += "ahead. Games that share their dice are correlated: lines have cluster-robust errors, and Wilson intervals use the "
    note += "effective number of games. AUC: chance that the winner of one game had a greater lead than the loser of another. "
    return note + "The side ahead is often the stronger side, so this does not prove a cause."


BEFORE, AFTER = "front", "siege"


def standings(study: Study, question: Question) -> Section | None:
    """Heat map of the win share by both sides' states; dot pairs of what each part does per turn before and after a change.

    Roles: visited (measure per seat with levels x levels numbers, the seat's level first: 1 if the seat saw it), and,
    optionally, by member, amount_first and turns_first, amount_second and turns_second (what was done in which turns, before
    and after a change of state). Settings: state (what is counted, e.g. `in siege-state`), words (names of the two states),
    amount (words for the amount per turn).
    """
    if "visited" not in question.roles or not study.contests:
        return None
    seats, state = contest(study), question.settings.get("state", ("down",))[0]
    cells = _cells(study, seats, question.roles["visited"])
    if not cells["n"].sum():
        return None
    answer = _standings_answer(cells, seats, study.unit_word, state)
    caption = f"Win share of the seats that began a turn so, by own (rows) and opposing (columns) {study.units_word} {state}; "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    figure = states(cells, rows=f"own {state}", columns=f"opposing {study.units_word} {state}", label="row's side wins, in %")
    charts = [Chart(question.id, figure, caption, f"Heat map of the win share by own and opposing state. {answer}")]
    columns = {"own": f"own {state}", "other": f"opposing {state}", "estimate": WIN_RATE, "low": "low", "high": "high"}
    tables = [table(cells, question.id, f"Win share by {study.units_word} {state}", {**columns, "n": "n"})]
    note = "Finished games; a game counts once in every cell that it visited, so the cells overlap. With equal "
    note += f"numbers {state} on both sides the share is one half by symmetry (n: games). Wilson intervals. "
    note += "The side behind is often the weaker side, so this does not prove a cause."
    if {"amount_first", "turns_first", "amount_second", "turns_second"} <= set(question.roles) and study.teams:
        sentence, chart, more = _pairs(study, question, seats)
        answer, charts, tables = f"{answer} {sentence}", [*charts, chart], [*tables, more]
        note += " Amounts per turn: ratios over games."
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _cells(study: Study, seats: int, field: str) -> pd.DataFrame:
    """Win share by both sides' levels: own, other, row, column, estimate, low, high, n."""
    frame = finished(study.seats_frame, seats)
    seen = numbers(frame, study.measure(field)) > 0
    levels = isqrt(seen.shape[1])
    if levels * levels != seen.shape[1]:
        raise ValueError(f"measure {field!r} has {seen.shape[1]} parts, not levels x levels")
    share = frame["share"].to_numpy(np.float64)
    n, wins = seen.sum(axis=0), share @ seen
    own, other = np.divmod(np.arange(seen.shape[1]), levels)
    table = proportions(wins.clip(0, n), n).assign(own=own, other=other, row=own.astype(str), column=other.astype(str))
    even = (own == other) & (n > 0) & (seats == len(("own", "opposing")))
    table.loc[even, ["low", "high"]] = np.nan
    return table.assign(n=np.where(even, n // 2, n))


def _standings_answer(table_: pd.DataFrame, seats: int, unit: str, state: str) -> str:
    """Win shares of a side that is one or two ahead."""
    cells = {(int(row["own"]), int(row["other"])): row for _, row in table_.iterrows() if row["n"] > 0}
    parts: list[str] = []
    for own, other in ((0, 1), (1, 2), (0, 2)):
        row = cells.get((own, other))
        if row is None:
            continue
        side = f"{number_word(own)} {unit} {state}" if not parts else number_word(own) if own else "none"
        share = f"{percent(row['estimate'])} {interval(row['low'], row['high'], row['n'], 'games')}"
        parts.append(f"a side with {side} wins {share} against a side with {number_word(other)}")
    if not parts:
        return f"{capital(at_seats(seats))} no side was ever ahead."
    return f"{capital(at_seats(seats))} {listed(parts)}."


def _pairs(study: Study, question: Question, seats: int) -> tuple[str, Chart, Table]:
    """Sentence, dot pairs and table of the amount per turn in both states."""
    roles = question.roles
    names = question.settings.get("words", ("before", "after"))
    frame = of_parts(study, at(study.seats_frame, seats), {field: 1 for role, field in roles.items() if role != "visited"})
    game, part = frame["game"].to_numpy(), frame["part"].to_numpy(np.int64)
    every = list(frame["name"].cat.categories)
    columns_: dict[str, object] = {"name": [*every, "all"]}
    for side in ("first", "second"):
        done, turns = (frame[roles[f"{what}_{side}"]].to_numpy() for what in ("amount", "turns"))
        each = rates(game, part, done, turns).reindex(range(len(every)))
        whole = pd.concat([each, rates(game, np.zeros(len(part), np.int64), done, turns)], ignore_index=True)
        columns_ |= {side: whole["estimate"], f"{side}_low": whole["low"], f"{side}_high": whole["high"]}
        columns_ |= {f"{side}_turns": whole["base"], "n": whole["n"]}
    pairs = pd.DataFrame(columns_)
    gap = pairs["second"] - pairs["first"]
    pairs = pairs.assign(gap=gap, all=pairs.index == len(every))
    pairs = pairs.sort_values(["all", "gap"], ascending=[False, False], na_position="last", kind="stable")
    label = question.settings.get("amount", ("amount per turn",))[0]
    figure = dumbbell(pairs, words=names, label=label, shares=False)
    whole_row = pairs.iloc[0]
    text = f"{capital(label)}: {amount(whole_row['first'])} {names[0]} "
    text += f"{quantity(whole_row['first_low'], whole_row['first_high'], whole_row['n'], 'games')}, "
    text += f"{amount(whole_row['second'])} {names[1]} "
    text += f"{quantity(whole_row['second_low'], whole_row['second_high'], whole_row['n'], 'games')}"
    text += _apart(pairs[~pairs["all"]])
    caption = f"{capital(label)} of each {study.unit_word}, {names[0]} and {names[1]}; largest gain first, "
    caption += f"{at_seats(seats)} with "
    caption += f"{study.policy} in every seat."
    columns = {"name": study.unit_word, "first": names[0], "first_low": f"{names[0]}, low", "first_high": f"{names[0]}, high"}
    columns |= {"second": names[1], "second_low": f"{names[1]}, low", "second_high": f"{names[1]}, high", "gap": "gained"}
    columns |= {"first_turns": f"turns {names[0]}", "second_turns": f"turns {names[1]}", "n": "n"}
    formats: dict[str, Format] = {f"turns {name}": "count" for name in names}
    shown = table(pairs, f"{question.id}-amounts", capital(label), columns, formats)
    return (text, Chart(f"{question.id}-amounts", figure, caption, f"Pairs of dots, one per {study.unit_word}. {text}"), shown)


def _apart(parts: pd.DataFrame) -> str:
    """End of a sentence: who gains most and who loses most."""
    known = parts[parts["gap"].notna()]
    if known.empty:
        return "."
    ends = (("gained", highest(known, "gap"), 1), ("lost", lowest(known, "gap"), -1))
    sentences = [
        f"{row['name']} {word} most, from {amount(row['first'])} to {amount(row['second'])}"
        for word, row, sign in ends
        if sign * row["gap"] > 0
    ]
    return "; ".join(["", *sentences]) + "."


def pace_chart(courses: Courses) -> Figure | None:
    """By turn: how often the leader wins, and the share of games led for good; None if no game has a single winner."""
    return charts.lines(leads_frame(courses), label="end of turn") if (courses.winner >= 0).any() else None
