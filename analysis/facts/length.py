"""Report sections on how long games last and how they end.

`length`: length and truncation by number of seats, by pairing or by policies. `endings`: how games end, and how those that each
entrant loses end. `waiting`: how early players are out, and how long the first waits for the end. `milestones`: when things
first happen. Truncated games count as longer than any length shown.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import DrawnChart, Section, answered
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import (
    amount,
    at_seats,
    bounds_of,
    capital,
    in_order,
    interval_of,
    listed,
    rounded,
    seated,
    share_of,
    size,
)
from analysis.answer.tables import Table, estimate_columns, highest, lowest, table, thinned
from analysis.charts.style import CATEGORIES
from analysis.data.study import Study, against, alike, at, contest, finished, of_pairings
from analysis.data.usage import category_shares, happened, length_distribution, quantiles, reached, truncated_share
from analysis.data.usage import survival as survival_table
from analysis.stats.intervals import mean, proportion, ratio
from sim.engine.questions import Endings, Harm, Length, Milestones, Waiting

WANTED = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
NOTE = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics"
PANELS = 12  # pairings in the chart; if there are more, the shortest and the longest
ALL = "all pairings"
STOPPED, OTHER = "stopped at a limit", "other"
RARE = 0.05  # of all games with a loser: endings below this are not named in the answer
SHOWN = 60  # table rows per curve


def course(study: Study) -> Table:
    """How the games went at each number of seats: length, truncated games, games without a winner, deaths, endings."""
    questions = study.game.questions
    length_ = next((question.length for question in questions if isinstance(question, Length) and question.length), "turns")
    unit = _unit(study, length_)
    harm = [question.counts[0] for question in questions if isinstance(question, Harm)][:1]
    ending = [question for question in questions if isinstance(question, Endings)][:1]
    columns = ["seats", "games", f"{unit}, median", "10 to 90 %", "truncated", "no winner"]
    columns += [f"{field.replace('_', ' ')} per game" for field in harm] + ["how they end, most often"] * len(ending)
    shares, rows = truncated_share(study.games_frame).set_index("seats"), []
    for seats in study.seats:
        games, tally = at(study.games_frame, seats), study.tally
        low, middle, high = np.quantile(games[length_], [0.1, 0.5, 0.9], method="inverted_cdf")
        unwon = tally.lost[seats] / tally.finished[seats] if tally.finished[seats] else None
        row = [seats, len(games), int(middle), f"{low:.0f}\u2013{high:.0f}", shares["estimate"][seats], unwon]
        for field in harm:
            parts = at(study.seats_frame, seats).filter(regex=rf"^{field}(_\d+)*$")
            row.append(float(parts.to_numpy().sum()) / len(games))
        rows.append((*row, *(_most_frequent(games, question) for question in ending)))
    formats: dict[str, Format] = {"truncated": "percent", "no winner": "percent"}
    return Table("course", tuple(columns), tuple(rows), "How the games went", formats)


def _most_frequent(games: pd.DataFrame, question: Endings) -> str:
    """The three most frequent endings with their shares of all games."""
    words = pd.Series(np.where(games["finished"], games[question.ending].astype(str), STOPPED))
    return ", ".join(f"{word} {percent(share, 0)}" for word, share in words.value_counts(normalize=True).head(3).items())


def length(study: Study, question: Length) -> Section | None:
    """Cumulative distributions of the length, a line per number of seats or pair of policies, or a small panel per pairing.

    Games of policies: in multiples of the usual number, except for the main policy against itself.
    """
    unit = _unit(study, question.length or "turns")
    if question.by == "seats":
        return _by_seats(study, question, unit)
    if question.by == "policy":
        return _by_policy(study, question, unit) if study.contests else None
    games = of_pairings(study)
    return None if games is None else _by_pairing(study, question, unit, _measured(question, games))


def _unit(study: Study, field: str) -> str:
    """Word for what a length counts. field: of the outcomes, or `turns`."""
    return "turns" if field == "turns" else study.measure(field).unit or "turns"


def _measured(question: Length, games: pd.DataFrame) -> pd.DataFrame:
    """Games with their lengths in the column `turns`."""
    return games.assign(turns=games[question.length]) if question.length else games


def _by_seats(study: Study, question: Length, unit: str) -> Section:
    games = _measured(question, study.games_frame)
    times, stopped = quantiles(games, WANTED), truncated_share(games)
    stopped["middle"] = [float(part.loc[part["finished"], "turns"].median()) for _, part in games.groupby("seats")]
    sentences = []
    for _, row in stopped.iterrows():
        late, text = times[times["seats"] == row["seats"]].set_index("quantile")["turns"], capital(at_seats(row["seats"]))
        if pd.notna(late[0.5]):
            text += f" half of the games are over after {count(late[0.5])} {unit}"
            text += f", nine in ten after {count(late[0.9])}" if pd.notna(late[0.9]) else ""
        else:
            text += " fewer than half of the games come to an end"
            text += f"; those that do take {count(row['middle'])} {unit} (median)" if row["n"] > row["truncated"] else ""
        sentences.append(f"{text}.")
    some = stopped[stopped["truncated"] > 0]
    shares = [f"{percent(row['estimate'], 2)} {at_seats(row['seats'])}" for _, row in some.iterrows()]
    answer = f"{' '.join(sentences)} Stopped at {study.limit_words}: {listed(shares) or 'none'}."
    figure = charts.ecdf(_curves(length_distribution(games), stopped, "seats"), label=unit)
    caption = f"Share of games that are over, by number of {unit}, with {study.policy} in every seat."
    caption += " A turn is one seat's." if unit == "turns" else ""
    middle = {"middle": f"median of the others, {unit}"} if len(some) else {}
    tables = _length_tables(question, times, stopped, {"seats": "seats"}, unit, middle)
    return answered(question, answer, figure, caption, "Cumulative distribution of the length of games.", tables, f"{NOTE}.")


def _by_policy(study: Study, question: Length, unit: str) -> Section:
    seats = contest(study)
    played = {f"{study.policy} \u2013 {study.policy}": at(study.games_frame, seats)}
    if study.beside is not None:
        games = study.games_for(question, study.budget.variant_games)
        played[f"{study.policy} \u2013 {study.beside}"] = against(study, seats, games)
        played[f"{study.beside} \u2013 {study.beside}"] = alike(study, seats, games, study.beside)
    frames = {name: _measured(question, part) for name, part in played.items()}
    curves, times, stopped = (
        pd.concat([frame_of(part).assign(name=name) for name, part in frames.items()], ignore_index=True)
        for frame_of in (length_distribution, lambda part: quantiles(part, WANTED), truncated_share)
    )
    medians = []
    for name, part in times.groupby("name", sort=False):
        late = part.set_index("quantile")["turns"]
        nine = f", nine in ten after {count(late[0.9])}" if pd.notna(late[0.9]) else ""
        never = f"never ({name}, of which fewer than half come to an end)"
        medians.append(f"{count(late[0.5])} ({name}{nine})" if pd.notna(late[0.5]) else never)
    some = stopped["truncated"].any()
    parts = [
        f"{percent(row['estimate'], 2)} {interval_of(row)} of {row['name']}"
        if some
        else f"{row['name']} (95 % interval 0 to {percent(row['high'], 2)}, {size(row['n'])})"
        for _, row in stopped.iterrows()
    ]
    answer = f"{capital(at_seats(seats))} half of the games are over after this number of {unit}: {listed(medians)}. "
    answer += f"Stopped at {study.limit_words}: {'' if some else 'none of '}{listed(parts)}."
    figure = charts.ecdf(_curves(curves, stopped, "name"), lines="name", label=unit)
    caption = f"Share of games that are over, by number of {unit}, {at_seats(seats)}, for the policies in both seats."
    alt = "Cumulative distributions of the length of games, one per pair of policies."
    tables = _length_tables(question, times, stopped, {"name": "policies"}, unit)
    return answered(question, answer, figure, caption, alt, tables, f"{NOTE}, of shares Wilson's.")


def _curves(curves: pd.DataFrame, stopped: pd.DataFrame, key: str) -> pd.DataFrame:
    """Curves with the share of stopped games of each line."""
    return curves.assign(truncated=curves[key].map(stopped.set_index(key)["estimate"]))


def _length_tables(
    question: Length, times: pd.DataFrame, stopped: pd.DataFrame, keys: dict[str, str], unit: str, more: Mapping[str, str] = {}
) -> tuple[Table, Table]:
    """Quantiles, and games stopped at the limit. keys: columns that identify a line; more: columns of the stopped games."""
    of_times = keys | {"turns": unit, "quantile": "share of games over", "low": f"{unit}, low", "high": f"{unit}, high", "n": "n"}
    of_stopped = {**estimate_columns("share", **keys, truncated="stopped"), **more}
    return (
        table(times, question.id, "Lengths", of_times, {"share of games over": "percent"}),
        table(stopped, f"{question.id}-truncated", "Games stopped at the limit", of_stopped, {"stopped": "count"}),
    )


def _by_pairing(study: Study, question: Length, unit: str, games: pd.DataFrame) -> Section:
    parts = {name: games[games["pairing"] == name] for name in games["pairing"].cat.categories}
    lines = []
    for name, part in {ALL: games, **parts}.items():
        times, stop = quantiles(part, (0.1, 0.5, 0.9)), truncated_share(part).iloc[0]
        line = {"name": name, "early": times["turns"][0], "late": times["turns"][2]}
        line |= {"median": times["turns"][1], "m_low": times["low"][1], "m_high": times["high"][1]}
        lines.append(line | {column: stop[column] for column in ("truncated", "estimate", "low", "high", "n")})
    every = pd.DataFrame(lines).astype({"truncated": int, "n": int})
    rows = every.iloc[1:]
    caption = f"Length of the games in {unit}, a panel per pairing, with {study.policy} in both seats."
    shown = list(parts)
    if len(parts) > PANELS:
        shown = list(rows.fillna({"median": np.inf}).sort_values("median", kind="stable")["name"])
        shown = [*shown[: PANELS // 2], *shown[-PANELS // 2 :]]
        caption += f" Shown are the {PANELS // 2} shortest and the {PANELS // 2} longest."
    stopped = every.set_index("name")["estimate"]
    drawn = [length_distribution(parts[name]).assign(panel=name, truncated=stopped[name]) for name in shown]
    figure = charts.lengths(pd.concat(drawn, ignore_index=True), label=unit)
    columns = {"name": "pairing", "median": f"median, {unit}", "m_low": "low", "m_high": "high", "early": "10 % over by"}
    columns |= {"late": "90 % over by", "truncated": "stopped", "estimate": "share"}
    columns |= {"low": "share, low", "high": "share, high", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "stopped": "count"}
    formats |= {"share, low": "percent", "share, high": "percent"}
    tables = [table(every if len(parts) > 1 else rows, question.id, "Lengths by pairing", columns, formats)]
    alt = "Histograms with cumulative curves of the length of games, one panel per pairing."
    return answered(question, _pairing_answer(study, every, unit), figure, caption, alt, tables, f"{NOTE}, of shares Wilson's.")


def _pairing_answer(study: Study, every: pd.DataFrame, unit: str) -> str:
    """Quantiles over all pairings, the shortest and the longest pairing, and games stopped at the limit."""
    whole, known = every.iloc[0], every.iloc[1:].dropna(subset=["median"])
    if pd.isna(whole["median"]):
        text = f"Fewer than half of the games come to an end ({size(whole['n'])})"
    else:
        bounds = f"{count(whole['m_low'])} to {count(whole['m_high'])}"
        text = f"Half of the games are over after {count(whole['median'])} {unit} (95 % interval {bounds}, {size(whole['n'])})"
        text += f", one in ten after {count(whole['early'])}"
        text += f", nine in ten after {count(whole['late'])}" if pd.notna(whole["late"]) else ""
    if len(known) > 1:
        short, long = lowest(known, "median"), highest(known, "median")
        differ = f"the shortest pairing is {short['name']} (median {count(short['median'])}), the longest {long['name']} "
        differ += f"({count(long['median'])})"
        text += f"; {differ}" if long["median"] > short["median"] else "; all pairings have the same median"
    share = f"{percent(whole['estimate'], 2)} {interval_of(whole)}"
    none = f"none (95 % interval 0 to {percent(whole['high'], 2)})"
    return f"{text}. Stopped at {study.limit_words}: {share if whole['truncated'] else none}."


def endings(study: Study, question: Endings) -> Section | None:
    """Stacked bars of the endings, one per number of seats; stopped games are a separate ending."""
    games, column = study.games_frame, question.ending
    if games.empty:
        return None
    words, known = games[column].astype(str), [str(word) for word in games[column].cat.categories]
    if question.apart:
        added = question.apart_words or f"with {question.apart.replace('_', ' ')}"
        words = words.where(games[question.apart].to_numpy() == 0, words + f" {added}")
        known += [f"{word} {added}" for word in known]
    kinds = [*(word for word in known if word != STOPPED), STOPPED]
    ending = pd.Categorical(np.where(games["finished"], words, STOPPED), kinds).remove_unused_categories()
    seats = {seated(int(number)): int(number) for number in sorted(games["seats"].unique())}
    named = pd.DataFrame({"name": pd.Categorical(games["seats"].map(seated), list(seats)), "ending": ending})
    shares = category_shares(named, ["ending"])
    shares = shares.assign(seats=shares["name"].astype(str).map(seats))
    answer = _endings_answer(shares, max(study.seats), (*question.always, STOPPED))
    caption = f"How games end by number of seats, with {study.policy} in every seat; all games, including stopped ones."
    drawn = _drawn(shares).assign(name=lambda part: part["name"].astype(str) + " games")
    alt = f"Stacked bars of the endings of games, one per number of seats. {answer}"
    figures = [DrawnChart(question.id, charts.stacked(drawn, unit="games", order="given"), caption, alt)]
    columns = estimate_columns("share", seats="seats", category="ending", count="games")
    tables = [table(shares[shares["count"] > 0], "endings", "How games end", columns, {"games": "count"})]
    if question.losers and (more := _of_losers(study, column, question.id)):
        answer, figures, tables = f"{answer} {more[0]}", [*figures, more[1]], [*tables, more[2]]
    note = f"\u201c{capital(STOPPED)}\u201d: by {study.limit_words}; such games have no winner. Wilson intervals."
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _drawn(shares: pd.DataFrame) -> pd.DataFrame:
    """Data of the bars, most frequent ending first; endings beyond the available colours are combined."""
    totals = shares.groupby("category", observed=True)["count"].sum().sort_values(ascending=False, kind="stable")
    order = [str(word) for word in totals.index]
    kept = order if len(order) <= len(CATEGORIES) else order[: len(CATEGORIES) - 1]
    words = shares["category"].astype(str)
    frame = shares.assign(rank=words.map(order.index), category=words.where(words.isin(kept), OTHER))
    if len(kept) < len(order):
        sums = frame.groupby(["name", "category"], observed=True).agg({"estimate": "sum", "rank": "max"})
        frame = sums.reset_index().merge(frame.drop_duplicates(["name"])[["name", "n"]], on="name")
    return frame.sort_values(["rank", "name"], kind="stable", ignore_index=True)


def _endings_answer(shares: pd.DataFrame, most: int, always: tuple[str, ...]) -> str:
    """Endings at most seats, the most frequent one at fewer seats, and those that are always named."""

    def quoted(row: pd.Series) -> str:
        return f"\u201c{row['category']}\u201d {rounded(row['estimate'])} {bounds_of(row)}"

    def top(row: pd.Series) -> str:
        bounds = interval_of(row)
        return (
            f"{capital(at_seats(most))} {percent(row['estimate'])} of the games end with \u201c{row['category']}\u201d {bounds}"
        )

    sentences = [in_order(shares[(shares["seats"] == most) & (shares["count"] > 0)], top, quoted)]
    fewer = shares[shares["seats"] < most].sort_values("estimate", ascending=False, kind="stable")
    tops = fewer.drop_duplicates("seats").sort_values("seats")
    if len(tops):
        sentences.append(f"Most frequent {listed([f'{at_seats(row.seats)} {quoted(row)}' for _, row in tops.iterrows()])}.")
    parts = []
    for word in always:
        part = shares[(shares["category"] == word) & (shares["count"] > 0)]
        where = [f"{rounded(row['estimate'])} {bounds_of(row)} {at_seats(row['seats'])}" for _, row in part.iterrows()]
        parts.append(f"\u201c{word}\u201d {listed(where) or 'never'}")
    return " ".join([*sentences, f"{capital('; '.join(parts))}."])


def _of_losers(study: Study, column: str, id_: str) -> tuple[str, DrawnChart, Table] | None:
    """Sentence, stacked bars and table of a category per game among the games that each entrant lost; None without any.

    Uses finished games with one winner, at the smallest number of seats with an opponent.
    """
    if not study.contests:
        return None
    seats = contest(study)
    games, lost = at(study.games_frame, seats).set_index("game")[column], finished(study.seats_frame, seats)
    lost = lost[lost["share"] == 0]
    if lost.empty:
        return None
    frame = pd.DataFrame({"name": lost["name"].to_numpy(), "ending": games.loc[lost["game"]].to_numpy()})
    frame["name"] = pd.Categorical(frame["name"], [name for name in study.names if (frame["name"] == name).any()])
    frame["ending"] = pd.Categorical(frame["ending"], games.cat.categories).remove_unused_categories()
    shares = category_shares(frame, ["ending"])
    sentences = []
    for ending, part in shares.groupby("category", sort=False, observed=True):
        known = part[part["n"] > 0]
        if known["count"].sum() < RARE * known["n"].sum():
            continue
        top, bottom = highest(known, "estimate"), lowest(known, "estimate")
        bounds = interval_of(top, "games")
        line = (
            f"\u201c{capital(str(ending))}\u201d ends {percent(top['estimate'])} of the games that {top['name']} loses {bounds}"
        )
        fewest = f", the most, and {percent(bottom['estimate'])} of those that {bottom['name']} loses, the fewest"
        sentences.append(f"{line}{fewest if len(known) > 1 else ''}.")
    answer, word = " ".join(sentences), study.game.entrant_word
    caption = f"Endings of the games each {word} loses, {study.where(seats)}; finished games with one winner."
    figure = charts.stacked(shares, unit="games lost")
    columns = estimate_columns("share", name=f"{word} that lost", category="ending", count="games")
    shown = table(shares[shares["n"] > 0], f"{id_}-losers", "Endings of lost games", columns, {"games": "count"})
    return answer, DrawnChart(f"{id_}-losers", figure, caption, f"Stacked bars of endings by loser. {answer}"), shown


def waiting(study: Study, question: Waiting) -> Section | None:
    """Survival curves per place; when the first player is out, and for how long it waits, in the table."""
    turn, never, whole = question.turn, question.never, study.seats_frame
    curves = survival_table(whole[whole["seats"] > 1], turn, never)
    if curves.empty:  # without opponents too
        return None
    waits = pd.DataFrame([_first_out(whole, seats, turn, never) for seats in study.contests])
    sentences = []
    for _, row in waits.iterrows():
        fell = f"after {count(row['fell'])} turns" if pd.notna(row["fell"]) else "never"
        text = f"{capital(at_seats(row['seats']))} the first is out {fell} in half of the games, in round 1 in "
        wait = f", and then waits {amount(row['wait'])} turns on average, {percent(row['share'], 0)} of the game"
        sentences.append(f"{text}{percent(row['early'])}{wait if pd.notna(row['wait']) else ''}.")
    answer = " ".join(sentences)
    caption = f"Share of games in which the first, second, ... player to go is still in, by turn, with {study.policy} "
    caption += "in every seat."
    columns = {"seats": "seats", "early": "first out in round 1", "early_low": "low", "early_high": "high", "n": "n"}
    columns |= {"fell": "median turn of the first fall", "wait": "mean turns waited", "wait_low": "turns, low"}
    columns |= {"wait_high": "turns, high", "share": "share of the game waited", "finished": "finished games"}
    formats: dict[str, Format] = {"first out in round 1": "percent", "share of the game waited": "percent"}
    parts = [part.iloc[:: max(1, -(-len(part) // SHOWN))] for _, part in curves.groupby(["seats", "faller"])]
    curve_columns = estimate_columns("share", seats="seats", faller="to fall as number", turns="turns")
    tables = (
        table(waits, "waiting", "The first to be out", columns, formats),
        table(pd.concat(parts, ignore_index=True), "survival", "The curves", curve_columns),
    )
    note = "Round 1: before any second turn. Waiting: turns from the first fall to the end, finished games only."
    alt = "Falling curves, one per place, a panel per number of seats."
    return answered(question, answer, charts.survival(curves), caption, alt, tables, note)


def _first_out(whole: pd.DataFrame, seats: int, turn: str, never: int) -> dict[str, object]:
    """When the first player falls and how long it waits, at a number of seats."""

    def falls(frame: pd.DataFrame) -> np.ndarray:
        """Turn of the first fall in each game, infinite without one."""
        out = frame[turn].to_numpy(np.float64).reshape(-1, seats)
        return np.asarray(np.where(out == never, np.inf, out).min(axis=1))

    first, done = falls(at(whole, seats)), finished(whole, seats)
    gone, ends = falls(done), done["turns"].to_numpy(np.float64)[::seats]
    early = proportion(float((first <= seats).sum()), first.size)
    median = float(np.quantile(first, 0.5, method="inverted_cdf")) if first.size else np.inf
    row: dict[str, object] = {"seats": seats, "early": early.estimate, "early_low": early.low, "early_high": early.high}
    row |= {"n": first.size, "fell": median if np.isfinite(median) else np.nan, "finished": gone.size}
    row |= dict.fromkeys(("wait", "wait_low", "wait_high", "share"), np.nan)
    fell = np.isfinite(gone)
    if seats > 2 and fell.sum() >= 2:
        waited = mean(ends[fell] - gone[fell])
        row |= {"wait": waited.estimate, "wait_low": waited.low, "wait_high": waited.high}
        row["share"] = ratio(ends[fell] - gone[fell], ends[fell]).estimate
    return row


def milestones(study: Study, question: Milestones) -> Section | None:
    """Cumulative curves of when things first happen, one line each, a panel per number of seats."""
    if study.games_frame.empty:
        return None
    measures, most = {words: study.measure(field) for words, field in question.turns.items()}, max(study.seats)
    parts = [
        happened(at(study.games_frame, seats).assign(name=name), measure.field, "name", question.never).assign(seats=seats)
        for seats in study.seats
        for name, measure in measures.items()
    ]
    curves = pd.concat(parts, ignore_index=True)
    rows = []  # one per number of seats and milestone: share of games that ever see it, and when
    for _, part in curves.groupby(["seats", "name"], sort=False):
        last = part.iloc[-1]
        when = reached(part, last["estimate"] / 2) if last["estimate"] > 0 else float("nan")
        rows.append({**last, "median": reached(part), "when": when, "label": measures[last["name"]].label})
    summary = pd.DataFrame(rows)
    unit = next((measure.unit for measure in measures.values() if measure.unit), "turns")
    here = summary[summary["seats"] == most]
    usual = here[here["median"].notna()].sort_values("median", kind="stable")
    rare = here[here["median"].isna()].sort_values("estimate", kind="stable")
    seen = [f"\u201c{row['name']}\u201d by {count(row['median'])}" for _, row in usual.iterrows()]
    seldom = listed([f"\u201c{row['name']}\u201d happens in {share_of(row)}" for _, row in rare.iterrows()])
    sentences = [f"{capital(at_seats(most))} half of the games have seen, in {unit}: {listed(seen)}."] if seen else []
    sentences += [f"{capital(seldom)}."] if seldom else []
    if len(study.seats) > 1:
        rarest = summary.groupby("name", sort=False)["estimate"].mean().idxmin()
        ends = summary[summary["name"] == rarest].sort_values("seats").iloc[[0, -1]]
        where = [f"{percent(row['estimate'])} {at_seats(row['seats'])} {interval_of(row)}" for _, row in ends.iterrows()]
        sentences.append(f"The rarest is \u201c{rarest}\u201d, seen in {listed(where)}.")
    answer = " ".join(sentences)
    caption = f"Share of games in which each has happened, by number of {unit}, with {study.policy} in every seat. The line of "
    caption += "something that does not happen in every game stays below the top."
    columns = {"seats": "seats", "name": "what", "label": "counted", "estimate": "ever", "low": "low", "high": "high"}
    columns |= {"median": f"half of the games by ({unit})", "when": f"median where it happens ({unit})", "n": "n"}
    lines = estimate_columns("share", seats="seats", name="what", turns=unit)
    tables = (
        table(summary, "milestones", "What happens, and when first", columns, {"ever": "percent"}),
        table(thinned(curves, ["seats", "name"]), "milestones-curves", "The curves", lines),
    )
    note = "All games count, including stopped ones; a game that ends first counts as one in which it did not happen. "
    note += "Pointwise Wilson intervals."
    alt = "Rising curves, one per thing that happens, a panel per number of seats."
    return answered(question, answer, charts.curves(curves, label=unit), caption, alt, tables, note)
