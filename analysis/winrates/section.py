"""Report sections on win rates: by entrant, by turn position, and how precise they are."""

from __future__ import annotations

from shlex import join

import numpy as np
import pandas as pd

from analysis.answer import verdicts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import THIN, Format, count, percent
from analysis.answer.prose import at_seats, capital, distance_words, listed, plural, rate_words
from analysis.answer.tables import Table, highest, rate_columns, table
from analysis.answer.verdicts import OPEN, sequence, with_verdicts
from analysis.charts import bars, forest
from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.rows import Tally
from analysis.data.study import OF_TEAMS, Study
from analysis.stats.intervals import FAIR_BAND, shares
from analysis.stats.sequential import half_widths, share_p, share_sequence
from analysis.winrates.play import Until
from analysis.winrates.rates import by_entrant_and_place, by_place, fair_at, win_rates
from analysis.winrates.tables import best_and_worst
from sim.engine.policies import Policy, PolicySpec
from sim.engine.questions import Question

ID = "sure"
QUESTION = "How precise is each win rate, and how many games would make it more precise?"
POINTS = (1.0, 0.5, 0.25)  # half-widths of the table of games needed, in percentage points
DIGITS = 2  # significant digits of an expected number of games
ROWS = 24  # most entrants in the chart; the least precise if there are more


def entrant_rates(study: Study) -> pd.DataFrame:
    """Win rates at all numbers of seats, of the entrants or, for teams, of their parts; judged together."""
    return with_verdicts(_rates(study, study.tally))


def _rates(study: Study, tally: Tally) -> pd.DataFrame:
    """Win rates of a tally at all numbers of seats (see `rates.win_rates`)."""
    members = study.teams.members if study.teams else None
    return pd.concat([win_rates(tally, seats, study.units, members=members) for seats in study.seats], ignore_index=True)


def win_rate_section(study: Study, question: Question, elsewhere: bool = False) -> Section:
    """Dot plot per number of seats; the tables add p-values, truncated games and the rates under the second policy.

    For teams it shows the parts, over all games of teams with the part. elsewhere: they are judged by their contributions, so
    their raw win rates are not judged as well.
    """
    frame, word, policy = entrant_rates(study), study.unit_word, str(study.policy)
    frame = frame.assign(verdict="") if elsewhere else frame
    lost = any(study.tally.lost[seats] for seats in study.contests)
    answers = [*(best_and_worst(part, int(str(seats))) for seats, part in frame.groupby("seats")), unwon(study)]
    answer = " ".join(filter(None, answers))
    caption = f"Win rates with {policy} in every seat, per number of seats, best first. "
    if study.contests:
        caption += f"Vertical line: fair share, {'an equal part of all wins' if lost else '1 in k'}. "
        caption += f"The pale band extends {percent(FAIR_BAND, 0)} of it to both sides."
    caption += " At one seat a win is a success, and there is no fair share." if 1 in study.seats else ""
    notes = [f"{verdicts.MEANING} Intervals are for each row alone."] if study.contests else []
    if elsewhere:
        judged = f"whether a {word} is too strong or too weak is judged by its contribution."
        notes = [f"These rates are raw, partners and opponents included: {judged}"]
    if lost:
        notes.append(
            "A game that ends by the rules without a winner counts as not won for every player, and lowers all rates alike; the "
            "fair share is therefore the mean of all rates, an equal part of the games with a winner."
        )
    limit = "a" if study.game.limits_itself else "the turn"
    notes.append(f"Games stopped at {limit} limit are left out; truncated is their share of the games of the row.")
    columns = rate_columns(seats="seats", name=word) | ({"fair": "fair share"} if study.contests else {})
    columns |= {"p_beyond": verdicts.HEADING, "verdict": "verdict"} if study.contests and not elsewhere else {}
    shown = frame.assign(verdict=frame["verdict"].where(frame["verdict"] != "", None))
    tables = [table(shown, "win-rates", f"Win rates with {policy}", columns | {"truncated": "truncated"})]
    if study.tally_beside is not None:
        numbers, difference = _beside(study, frame, study.tally_beside)
        tables.append(numbers)
        notes += difference
    alt = f"Dot plot of the win rates of all {plural(word)} with 95 % intervals. {answer}"
    chart = DrawnChart(question.id, forest(frame), caption, alt, forest(frame, narrow=True))
    return Section(question.id, question.text, answer, (chart,), tuple(tables), " ".join(notes))


def _beside(study: Study, frame: pd.DataFrame, tally: Tally) -> tuple[Table, list[str]]:
    """Win rates beside those under the second policy, and a sentence on their differences."""
    policy, beside, word = str(study.policy), str(study.beside), study.unit_word
    other = _rates(study, tally).rename(columns={"estimate": "other"})[["seats", "entrant", "other", "low", "high", "n"]]
    both = frame[["seats", "entrant", "name", "estimate"]].merge(other, on=["seats", "entrant"], how="left")
    both = both.assign(difference=both["other"] - both["estimate"])
    bounds = {name: f"{name} ({beside})" for name in ("low", "high", "n")}
    columns = {"seats": "seats", "name": word, "estimate": policy, "other": beside, **bounds, "difference": "difference"}
    formats: dict[str, Format] = dict.fromkeys((policy, beside, bounds["low"], bounds["high"]), "percent")
    formats |= {bounds["n"]: "count", "difference": "points"}
    shown = table(both, "win-rates-beside", f"The same compared with {beside}", columns, formats)
    known = both.dropna(subset=["estimate", "other"])
    if known.empty:
        return shown, []
    most = highest(known, "difference", size=True)
    return shown, [
        f"Win rates depend on the policy: under {beside} they differ by {100 * known['difference'].abs().mean():.1f} points on "
        f"average, most for {most['name']} {at_seats(most['seats'])} ({percent(most['estimate'])} under {policy}, "
        f"{percent(most['other'])} under {beside})."
    ]


def unwon(study: Study) -> str:
    """Sentence on games stopped at a limit, without a winner or with several; empty if there are none."""
    tally, sentences = study.tally, []
    for words, seats, part, whole in (
        ("stopped at a limit and left out, of all games", study.seats, tally.truncated, tally.games),
        ("ended without a winner, of those that came to an end", study.contests, tally.lost, tally.finished),
        ("ended in a shared win, of those that came to an end", study.contests, tally.draws, tally.finished),
    ):
        where = [f"{percent(int(part[index]) / int(whole[index]))} {at_seats(index)}" for index in seats if part[index]]
        sentences += [f"{words}: {listed(where)}"] if where else []
    return f"{capital('; '.join(sentences))}." if sentences else ""


def places(study: Study) -> pd.DataFrame:
    """Win rates by turn position at all numbers of seats from two up; empty if no game has a first mover."""
    tables = [by_place(study.tally, seats) for seats in study.contests]
    tables = [part for part in tables if part["n"].sum() > 0]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def turn_order(study: Study, question: Question) -> Section | None:
    """Bars per number of seats; None if there is no first mover or only one seat."""
    frame, word = places(study), study.unit_word
    if frame.empty:
        return None
    answer = " ".join(first_words(part, int(str(seats))) for seats, part in frame.groupby("seats"))
    caption = f"Win rate by turn position with {study.policy} in every seat, all {plural(study.game.entrant_word)} together."
    members = study.teams.members if study.teams else None
    each = pd.concat([by_entrant_and_place(study.tally, seats, study.units, members=members) for seats in study.contests])
    each = each[each["n"] > 0]
    each = each.assign(position=each["position"] + 1)
    holm, whole = {"p_holm": "p (Holm)"}, rate_columns(seats="seats", position="position") | {"fair": "fair share"}
    by_name = rate_columns(seats="seats", name=word, position="position") | holm
    tables = (
        table(frame.assign(position=frame["position"] + 1), "turn-order", "Turn positions", whole | holm),
        table(each, "turn-order-by-entrant", f"Turn positions by {word}", by_name),
    )
    note = (
        f"Every {word} sits in every seat equally often and therefore, even if the first player is drawn, plays every position "
        "equally often on average: differences between positions come from the order of play. p (Holm): against the fair share, "
        "adjusted within each number of seats."
    )
    chart = DrawnChart(question.id, bars(frame), caption, f"Bars of the win rate by turn position. {answer}")
    return Section(question.id, question.text, answer, (chart,), tables, note)


def first_words(part: pd.DataFrame, seats: int) -> str:
    """Sentence on the win rates of the first and the last player. part: rows of `places` at one number of seats."""
    first, last = part.iloc[0], part.iloc[-1]
    sure = first["low"] > first["fair"] or first["high"] < first["fair"]
    far = distance_words(first["estimate"], first["fair"], sure, f"the fair {percent(first['fair'])}")
    sentence = f"{capital(at_seats(seats))} the first player wins {rate_words(first)}, {far}"
    return f"{sentence}; the last player wins {percent(last['estimate'])}." if len(part) > 2 else f"{sentence}."


def sure(study: Study) -> Section | None:
    """Dot plot of win rates with confidence sequences, and the games and commands for more precise ones.

    For teams it shows the parts, at two seats.
    """
    found = [sequence_rates(study, seats) for seats in study.contests]
    frames = [frame for frame in found if frame is not None and (frame["n"] > 0).any()]
    if not frames:
        return None
    frame = with_verdicts(pd.concat(frames, ignore_index=True))
    answers, drawn, needed = [], [], []
    for index, part in frame.groupby("seats", sort=False):
        seats, played = int(str(index)), int(study.tally.games[int(str(index))])
        widest, undecided = float(part["half"].max()), part.loc[part["verdict"] == OPEN, "name"].tolist()
        still = f"whether it is fair is still open for {listed(undecided)}"
        answers.append(
            f"{capital(at_seats(seats))} every win rate is known to {100 * widest:.2f} points or better after "
            f"{count(played)} games ({100 * part['fixed'].max():.2f} if that number had been fixed beforehand); "
            f"{still if undecided else f'whether it is fair is decided for every {study.unit_word}'}."
        )
        drawn.append(part.sort_values("half", ascending=False, kind="stable").head(ROWS) if len(part) > ROWS else part)
        for points in POINTS:
            games = played * (100 * widest / points) ** 2
            size = 10.0 ** (np.floor(np.log10(max(games, 1.0))) + 1 - DIGITS)
            wanted = (f"\u00b1{points:g}{THIN}points", int(np.ceil(games / size) * size))
            needed.append((seats, *wanted, _command(study, seats, points)))
    answer, shown = " ".join(answers), pd.concat(drawn, ignore_index=True)
    caption = (
        f"Win rates with {study.policy} in every seat. Intervals are confidence sequences at 95{THIN}%: they hold at every "
        "number of games at once, so you can look while playing and stop at any time."
    )
    caption += f" Only the {ROWS} with the widest intervals are shown." if len(shown) < len(frame) else ""
    alt = f"Dot plot of win rates with confidence sequences. {answer}"
    chart = DrawnChart(ID, forest(shown), caption, alt, forest(shown, narrow=True))
    columns = rate_columns(seats="seats", name=study.unit_word) | {"half": "half-width", "fixed": "half-width, fixed games"}
    formats: dict[str, Format] = {"half-width": "percent", "half-width, fixed games": "percent"}
    headings = ("seats", "every win rate to", "games, about", "command")
    tables = (
        table(frame, "how-sure", "Win rates with confidence sequences", columns, formats, ends=ROWS),
        Table("games-needed", headings, tuple(needed), "Games until every win rate has this half-width"),
    )
    note = (
        "A confidence sequence is about 1.5 times as wide as an interval for a number of games fixed beforehand; that is the "
        "price of looking. An ordinary interval that is checked sixty times misses the true rate at some check in more than a "
        "third of all runs. Games needed are those of a run with --precision, which stops by itself; the games of a shorter run "
        "are the first games of a longer one with the same seed."
    )
    return Section(ID, QUESTION, answer, (chart,), tables, note)


def sequence_rates(study: Study, seats: int) -> pd.DataFrame | None:
    """Win rates at this number of seats, best first; None for teams unless there are two seats.

    Columns: seats, name, estimate, low, high (confidence sequence: beta-binomial for entrants, whose games are independent, over
    rounds for parts of teams), n, fair, those of `verdicts.with_verdicts`, fixed (half-width for a fixed number of games), half
    (half-width of the confidence sequence).
    """
    fair = fair_at(study.tally, seats)
    if study.teams is None:
        fixed = win_rates(study.tally, seats, study.names)
        counts, tuned = (fixed["wins"], fixed["n"]), max(1.0, float(fixed["n"].mean()))
        frame = share_sequence(*counts, tuned).assign(name=fixed["name"], fixed=half_widths(fixed), fair=fair)
        frame = with_verdicts(frame, sequence(frame["estimate"], lambda share: share_p(*counts, share, tuned)))
    elif seats == OF_TEAMS and study.rows_of_teams:
        counted = Until(study.main(seats), min(POINTS) / 100)
        counted.add(np.concatenate(study.rows_of_teams))
        widths = pd.Series(half_widths(shares(counted.sums)).clip(max=1.0), study.units)
        frame = counted.rates(fair)
        frame = frame.assign(fixed=widths.loc[frame["name"]].to_numpy())
    else:
        return None
    frame = frame.assign(seats=seats, half=half_widths(frame))
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _command(study: Study, seats: int, points: float) -> str:
    """Command that plays until every win rate has this half-width."""
    name, options = words_for(study.game, study.cards)
    words = ["fairfight", "winrates", name, "--seats", str(seats), "--precision", f"{points:g}"]
    words += ["--policy", str(study.policy)] if study.policy != PolicySpec(Policy.GREEDY) else []
    words += ["--seed", str(study.seed)] if study.seed != 1 else []
    return join([*words, *options, *options_of(study.cards)])
