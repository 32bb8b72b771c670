"""Report sections on how long games last and how they end.

`length`, `lengths` and `policy_lengths`: length and truncation by number of seats, by pairing and by policies. `endings` and
`of_losers`: how games end, and how those that each entrant loses end. `waiting`: how early players are out, and how long the
first waits for the end. `milestones`: when things first happen.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import charts
from analysis.charts import curves, ecdf, stacked, survival
from analysis.charts.style import CATEGORIES
from analysis.data.study import Study, against, alike, at, contest, finished, of_pairings
from analysis.data.usage import category_shares, happened, length_distribution, quantiles, reached, truncated_share
from analysis.data.usage import survival as survival_table
from analysis.document.model import Chart, Format, Section, Table, count, highest, lowest, percent, table, thinned
from analysis.document.prose import amount, at_seats, capital, interval, listed, rounded, seated, size
from analysis.stats.intervals import mean, proportion, ratio
from sim.engine.measures import Measure, Question

WANTED = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


def length(study: Study, question: Question) -> Section:
    """Cumulative distribution of the length, by number of seats.

    Roles: length (optional measure per game; default: turns).
    """
    games, unit = _lengths(study, question)
    frame = length_distribution(games)
    truncated = truncated_share(games).assign(middle=_middles(games))
    frame = frame.merge(truncated[["seats", "estimate"]].rename(columns={"estimate": "truncated"}), on="seats")
    reached = quantiles(games, WANTED)
    answers = [_typical(reached, row, unit) for _, row in truncated.iterrows()]
    stopped = [f"{percent(row['estimate'], 2)} {at_seats(row['seats'])}" for _, row in truncated.iterrows() if row["truncated"]]
    answer = f"{' '.join(answers)} Stopped at {study.limit_words}: {listed(stopped) or 'none'}."
    columns = {"turns": unit, "quantile": "share of games over", "low": f"{unit}, low", "high": f"{unit}, high"}
    middle = {"middle": f"median of the others, {unit}"} if truncated["truncated"].any() else {}
    tables = (
        table(reached, "length", "Lengths", {"seats": "seats", **columns, "n": "n"}, {"share of games over": "percent"}),
        table(
            truncated,
            "length-truncated",
            "Games stopped at the limit",
            {"seats": "seats", "truncated": "stopped", "estimate": "share", "low": "low", "high": "high", "n": "n"} | middle,
            {"stopped": "count"},
        ),
    )
    caption = f"Share of games that are over, by number of {unit}, with {study.policy} in every seat."
    caption += " A turn is one seat's." if unit == "turns" else ""
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics."
    chart = Chart(question.id, ecdf(frame, label=unit), caption, f"Cumulative distribution of the length of games. {answer}")
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _lengths(study: Study, question: Question) -> tuple[pd.DataFrame, str]:
    """Games with their lengths in the column `turns`, and the unit of the lengths."""
    field = question.roles.get("length")
    if field is None:
        return study.games_frame, "turns"
    return study.games_frame.assign(turns=study.games_frame[field]), study.measure(field).unit or "turns"


def _middles(games: pd.DataFrame) -> list[float]:
    """Median length of finished games, by number of seats; NaN without any."""
    return [float(part.loc[part["finished"], "turns"].median()) for _, part in games.groupby("seats")]


def _typical(reached: pd.DataFrame, row: pd.Series, unit: str) -> str:
    """Median and 90 % quantile at a number of seats; if most games are stopped, the median of the others."""
    seats = int(row["seats"])
    part = reached[reached["seats"] == seats].set_index("quantile")["turns"]
    if pd.isna(part[0.5]):
        text = f"{capital(at_seats(seats))} fewer than half of the games come to an end"
        return text + (f"; those that do take {count(row['middle'])} {unit} (median)." if row["n"] > row["truncated"] else ".")
    text = f"{capital(at_seats(seats))} half of the games are over after {count(part[0.5])} {unit}"
    return text + (f", nine in ten after {count(part[0.9])}." if pd.notna(part[0.9]) else ".")


ENDS = (0.1, 0.5, 0.9)
PANELS = 12  # pairings in the chart; if there are more, the shortest and the longest
ALL = "all pairings"


def lengths(study: Study, question: Question) -> Section | None:
    """Histogram and cumulative curve of the length, one small panel per pairing of entrants.

    Roles: length (optional measure per game; default: turns).
    """
    games = of_pairings(study)
    if games is None:
        return None
    field = question.roles.get("length")
    unit = study.measure(field).unit or "turns" if field else "turns"
    games = games if field is None else games.assign(turns=games[field])
    names = list(games["pairing"].cat.categories)
    by_pairing = pd.DataFrame([_line(name, games[games["pairing"] == name]) for name in names])
    whole = pd.Series(_line(ALL, games))
    answer = _said(whole, by_pairing, unit, study.limit_words)
    shown = _ends(by_pairing) if len(names) > PANELS else names
    drawn = [
        length_distribution(part).assign(panel=name, truncated=truncated_share(part)["estimate"].iloc[0])
        for name in shown
        for part in [games[games["pairing"] == name]]
    ]
    caption = f"Length of the games in {unit}, a panel per pairing, with {study.policy} in both seats."
    caption += f" Shown are the {PANELS // 2} shortest and the {PANELS // 2} longest." if len(names) > PANELS else ""
    alt = f"Histograms with cumulative curves of the length of games, one panel per pairing. {answer}"
    columns = {"name": "pairing", "median": f"median, {unit}", "m_low": "low", "m_high": "high"}
    columns |= {"early": "10 % over by", "late": "90 % over by", "truncated": "stopped", "share": "share"}
    columns |= {"s_low": "share, low", "s_high": "share, high", "n": "n"}
    formats: dict[str, Format] = {"low": "number", "high": "number", "stopped": "count"}
    formats |= {"share, low": "percent", "share, high": "percent"}
    every = pd.concat([whole.to_frame().T.infer_objects(), by_pairing], ignore_index=True) if len(names) > 1 else by_pairing
    rows = table(every, question.id, "Lengths by pairing", columns, formats)
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics, of shares Wilson's."
    figure = charts.lengths(pd.concat(drawn, ignore_index=True), label=unit)
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (rows,), note)


def _line(name: str, games: pd.DataFrame) -> dict[str, object]:
    """Median with bounds, 10 % and 90 % quantiles, and stopped games."""
    reached = quantiles(games, ENDS).set_index("quantile")
    stopped = truncated_share(games).iloc[0]
    line: dict[str, object] = {"name": name, "early": reached["turns"][ENDS[0]], "late": reached["turns"][ENDS[2]]}
    line |= {"median": reached["turns"][ENDS[1]], "m_low": reached["low"][ENDS[1]], "m_high": reached["high"][ENDS[1]]}
    line |= {"truncated": int(stopped["truncated"]), "share": stopped["estimate"], "n": int(stopped["n"])}
    return line | {"s_low": stopped["low"], "s_high": stopped["high"]}


def _ends(rows: pd.DataFrame) -> list[str]:
    """Pairings with the shortest and the longest games, by median; unknown medians are long."""
    order = rows.assign(median=rows["median"].fillna(np.inf)).sort_values("median", kind="stable")["name"]
    return [*order.iloc[: PANELS // 2], *order.iloc[-PANELS // 2 :]]


def _said(whole: pd.Series, rows: pd.DataFrame, unit: str, limit: str) -> str:
    """Median and 10 to 90 % of all games, the shortest and the longest pairing, and stopped games."""
    if pd.isna(whole["median"]):
        text = f"Fewer than half of the games come to an end ({size(whole['n'])})"
    else:
        text = f"Half of the games are over after {count(whole['median'])} {unit} (95 % interval {count(whole['m_low'])} to "
        text += f"{count(whole['m_high'])}, {size(whole['n'])}), "
        text += f"one in ten after {count(whole['early'])}"
        text += f", nine in ten after {count(whole['late'])}" if pd.notna(whole["late"]) else ""
    known = rows[rows["median"].notna()]
    if len(known) > 1:
        short, long = lowest(known, "median"), highest(known, "median")
        differ = f"the shortest pairing is {short['name']} (median {count(short['median'])}), the longest {long['name']} "
        differ += f"({count(long['median'])})"
        text += f"; {differ}" if long["median"] > short["median"] else "; all pairings have the same median"
    stopped = f"Stopped at {limit}: {percent(whole['share'], 2)} {interval(whole['s_low'], whole['s_high'], whole['n'])}"
    if not whole["truncated"]:
        stopped = f"Stopped at {limit}: none (95 % interval 0 to {percent(whole['s_high'], 2)})"
    return f"{text}. {stopped}."


def policy_lengths(study: Study, question: Question) -> Section | None:
    """Cumulative distributions of the length, one line per pair of policies, and the share of stopped games.

    Roles: length (optional measure per game; default: turns). Settings: games (in multiples of the usual number, for each pair
    except the main policy against itself).
    """
    if not study.contests:
        return None
    seats = contest(study)
    parts = _games(study, question, seats)
    unit = study.measure(question.roles["length"]).unit or "turns" if "length" in question.roles else "turns"
    tables = {name: (length_distribution(part), quantiles(part, WANTED), truncated_share(part)) for name, part in parts.items()}
    lines, reached, truncated = (
        pd.concat([frames[at_].assign(name=name) for name, frames in tables.items()], ignore_index=True) for at_ in range(3)
    )
    stopped = dict(zip(truncated["name"], truncated["estimate"], strict=True))
    figure = ecdf(lines.assign(truncated=lines["name"].map(stopped)), lines="name", label=unit)
    answer = _policy_lengths_said(reached, truncated, unit, seats, study.limit_words)
    caption = f"Share of games that are over, by number of {unit}, {at_seats(seats)}, for the policies in both seats."
    columns = {
        "name": "policies",
        "quantile": "share of games over",
        "turns": unit,
        "low": f"{unit}, low",
        "high": f"{unit}, high",
    }
    ends: dict[str, Format] = {"share of games over": "percent"}
    stops = {"name": "policies", "truncated": "stopped", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    shown = (
        table(reached, question.id, "Lengths", {**columns, "n": "n"}, ends),
        table(truncated, f"{question.id}-truncated", "Games stopped at the limit", stops, {"stopped": "count"}),
    )
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics, of shares Wilson's."
    alt = f"Cumulative distributions of the length of games, one per pair of policies. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), shown, note)


def _games(study: Study, question: Question, seats: int) -> dict[str, pd.DataFrame]:
    """Games by the names of their policies, with lengths in the column `turns`."""
    measures = (study.measure(question.roles["length"]),) if "length" in question.roles else ()
    by_policies = {f"{study.policy} \u2013 {study.policy}": at(study.games_frame, seats)}
    if study.beside is not None:
        games = study.games_for(question, study.budget.variant_games)
        mixed = against(study, seats, games)
        by_policies[f"{study.policy} \u2013 {study.beside}"] = mixed
        by_policies[f"{study.beside} \u2013 {study.beside}"] = alike(study, seats, games, study.beside)
    if not measures:
        return by_policies
    return {name: frame.assign(turns=frame[measures[0].field]) for name, frame in by_policies.items()}


def _policy_lengths_said(reached: pd.DataFrame, truncated: pd.DataFrame, unit: str, seats: int, limit: str) -> str:
    """Medians and 90 % quantiles by policies, and the share of stopped games."""
    medians: list[str] = []
    for name, part in reached.groupby("name", sort=False):
        lengths = part.set_index("quantile")["turns"]
        if pd.isna(lengths[0.5]):
            medians.append(f"never ({name}, of which fewer than half come to an end)")
            continue
        late = f", nine in ten after {count(lengths[0.9])}" if pd.notna(lengths[0.9]) else ""
        medians.append(f"{count(lengths[0.5])} ({name}{late})")
    text = f"{capital(at_seats(seats))} half of the games are over after this number of {unit}: {listed(medians)}."
    if not truncated["truncated"].any():
        none = [
            f"{row['name']} (95 % interval 0 to {percent(row['high'], 2)}, {size(row['n'])})" for _, row in truncated.iterrows()
        ]
        return f"{text} Stopped at {limit}: none of {listed(none)}."
    some = [
        f"{percent(row['estimate'], 2)} {interval(row['low'], row['high'], row['n'])} of {row['name']}"
        for _, row in truncated.iterrows()
    ]
    return f"{text} Stopped at {limit}: {listed(some)}."


RARE = 0.05  # of all games with a loser: endings below this are not named in the answer


def of_losers(study: Study, column: str, id_: str) -> tuple[str, Chart, Table] | None:
    """Sentence, stacked bars and table of a category per game among the games that each entrant lost; None without any.

    Uses finished games with one winner, at the smallest number of seats with an opponent.
    """
    if not study.contests:
        return None
    seats = contest(study)
    games = at(study.games_frame, seats).set_index("game")[column]
    lost = at(study.seats_frame, seats)
    lost = lost[lost["finished"] & (lost["share"] == 0)]
    if lost.empty:
        return None
    frame = pd.DataFrame({"name": lost["name"].to_numpy(), "ending": games.loc[lost["game"]].to_numpy()})
    frame["name"] = pd.Categorical(frame["name"], [name for name in study.names if (frame["name"] == name).any()])
    known = [word for word in games.cat.categories if (frame["ending"] == word).any()]
    frame["ending"] = pd.Categorical(frame["ending"], known)
    shares = category_shares(frame, ["ending"])
    answer = _losers_said(shares)
    caption = f"Endings of the games each {study.game.entrant_word} loses, {at_seats(seats)} with {study.policy} in all seats; "
    caption += "finished games with one winner."
    chart = Chart(f"{id_}-losers", stacked(shares, unit="games lost"), caption, f"Stacked bars of endings by loser. {answer}")
    columns = {"name": f"{study.game.entrant_word} that lost", "category": "ending", "count": "games", "estimate": "share"}
    columns |= {"low": "low", "high": "high", "n": "n"}
    shown = shares[shares["n"] > 0]
    return answer, chart, table(shown, f"{id_}-losers", "Endings of lost games", columns, {"games": "count"})


def _losers_said(shares: pd.DataFrame) -> str:
    """For each ending, the entrants whose losses it makes up most and least."""
    sentences = []
    for ending, part in shares.groupby("category", sort=False, observed=True):
        known = part[part["n"] > 0]
        if known["count"].sum() < RARE * known["n"].sum():
            continue
        top, bottom = highest(known, "estimate"), lowest(known, "estimate")
        line = f"\u201c{capital(str(ending))}\u201d ends {percent(top['estimate'])} of the games that {top['name']} loses "
        line += interval(top["low"], top["high"], top["n"], "games")
        if len(known) > 1:
            line += f", the most, and {percent(bottom['estimate'])} of those that {bottom['name']} loses, the fewest"
        sentences.append(f"{line}.")
    return " ".join(sentences)


STOPPED = "stopped at a limit"
OTHER = "other"


def endings(study: Study, question: Question) -> Section | None:
    """Stacked bars of the endings, one per number of seats; stopped games are a separate ending.

    Roles: ending (a category per game), apart (optional flag per game: games with the flag have a separate ending). Settings:
    always (endings named at every number of seats, even if they are rare or never happen), apart (words added to an ending with
    the flag), losers (any value: also show the endings of the games that each entrant loses).
    """
    column = question.roles.get("ending")
    if column is None or study.games_frame.empty:
        return None
    frame = _ended(_apart(study.games_frame, question), column)
    shares = category_shares(frame, ["ending"])
    seats = pd.Series({seated(number): number for number in study.seats})
    shares = shares.assign(seats=shares["name"].astype(str).map(seats))
    always = question.settings.get("always", ())
    answer = _endings_said(shares, max(study.seats), (*always, STOPPED))
    caption = f"How games end by number of seats, with {study.policy} in every seat; all games, including stopped ones."
    drawn = _drawn(shares).assign(name=lambda part: part["name"].astype(str) + " games")
    chart = stacked(drawn, unit="games", order="given")
    columns = {"seats": "seats", "category": "ending", "count": "games", "estimate": "share", "low": "low"}
    numbers = table(
        shares[shares["count"] > 0], "endings", "How games end", {**columns, "high": "high", "n": "n"}, {"games": "count"}
    )
    note = f"\u201c{capital(STOPPED)}\u201d: by {study.limit_words}; such games have no winner. Wilson intervals."
    alt = f"Stacked bars of the endings of games, one per number of seats. {answer}"
    charts, tables = [Chart(question.id, chart, caption, alt)], [numbers]
    if "losers" in question.settings and (more := of_losers(study, column, question.id)):
        sentence, of_each, shown = more
        answer, charts, tables = f"{answer} {sentence}", [*charts, of_each], [*tables, shown]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _apart(games: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Games with a separate ending for those with the flag of the role `apart`."""
    column, flag = question.roles["ending"], question.roles.get("apart")
    if flag is None:
        return games
    added = question.settings.get("apart", (f"with {flag.replace('_', ' ')}",))[0]
    known = [str(word) for word in games[column].cat.categories]
    words = games[column].astype(str)
    marked = words.where(games[flag].to_numpy() == 0, words + f" {added}")
    return games.assign(**{column: pd.Categorical(marked, [*known, *(f"{word} {added}" for word in known)])})


def _ended(games: pd.DataFrame, column: str) -> pd.DataFrame:
    """Ending of each game, STOPPED if stopped, and the number of seats in words as the name. Only categories that occur."""
    known = [str(word) for word in games[column].cat.categories if word != STOPPED]
    words = np.where(games["finished"], games[column].astype(str), STOPPED)
    ending = pd.Categorical(words, [*known, STOPPED])
    order = [seated(int(number)) for number in sorted(games["seats"].unique())]
    names = pd.Categorical(games["seats"].map(seated), order)
    return pd.DataFrame({"name": names, "ending": ending}).assign(ending=lambda frame: _used(frame["ending"]))


def _used(ending: pd.Series) -> Any:
    return ending.cat.remove_unused_categories()


def _drawn(shares: pd.DataFrame) -> pd.DataFrame:
    """Data of the bars, most frequent ending first; endings beyond the available colours are combined."""
    totals = shares.groupby("category", observed=True)["count"].sum().sort_values(ascending=False, kind="stable")
    order = [str(word) for word in totals.index]
    kept = order if len(order) <= len(CATEGORIES) else order[: len(CATEGORIES) - 1]
    rank = {word: place for place, word in enumerate(order)}
    words = shares["category"].astype(str)
    frame = shares.assign(rank=words.map(rank), category=words.where(words.isin(kept), OTHER))
    if len(kept) < len(order):
        sums = frame.groupby(["name", "category"], observed=True)[["estimate", "rank"]].agg({"estimate": "sum", "rank": "max"})
        ends = frame.drop_duplicates(["name"])[["name", "n"]]
        frame = sums.reset_index().merge(ends, on="name")
    return frame.sort_values(["rank", "name"], kind="stable", ignore_index=True)


def _endings_said(shares: pd.DataFrame, most: int, always: tuple[str, ...]) -> str:
    """Endings at most seats, the most frequent one at fewer seats, and those that are always named."""
    part = shares[(shares["seats"] == most) & (shares["count"] > 0)]
    ordered = part.sort_values("estimate", ascending=False, kind="stable")
    top, text = ordered.iloc[0], capital(at_seats(most))
    text += f" {percent(top['estimate'])} of the games end with \u201c{top['category']}\u201d "
    text += interval(top["low"], top["high"], top["n"])
    named = [_share(row) for _, row in ordered.iloc[1:].iterrows()]
    text += f"; {listed(named)}." if named else "."
    fewer = shares[shares["seats"] < most].sort_values("estimate", ascending=False, kind="stable")
    tops = fewer.drop_duplicates("seats").sort_values("seats")
    others = [f"{at_seats(row['seats'])} {_share(row)}" for _, row in tops.iterrows()]
    text += f" Most frequent {listed(others)}." if others else ""
    return f"{text} {_always(shares, always)}".strip()


def _always(shares: pd.DataFrame, always: tuple[str, ...]) -> str:
    """Frequency of the given endings at every number of seats."""
    parts = []
    for word in always:
        part = shares[(shares["category"] == word) & (shares["count"] > 0)]
        where = [f"{_bounded(row)} {at_seats(row['seats'])}" for _, row in part.iterrows()]
        parts.append(f"\u201c{word}\u201d {listed(where) if where else 'never'}")
    return f"{capital('; '.join(parts))}." if parts else ""


def _share(row: pd.Series) -> str:
    return f"\u201c{row['category']}\u201d {_bounded(row)}"


def _bounded(row: pd.Series) -> str:
    return f"{rounded(row['estimate'])} ({100 * row['low']:.1f} to {percent(row['high'])})"


SHOWN = 60  # table rows per curve


def waiting(study: Study, question: Question) -> Section | None:
    """Survival curves per place; when the first player is out, and for how long it waits, in the table.

    Roles: turn (measure per seat, the turn in which it went out). Settings: never (value of a seat that did not).
    """
    turn = question.roles.get("turn")
    if turn is None or not study.contests:
        return None
    never = int(question.settings.get("never", ("-1",))[0])
    whole = study.seats_frame
    frame = survival_table(whole[whole["seats"] > 1], turn, never)
    if frame.empty:
        return None
    waits = pd.DataFrame([_first_out(whole, seats, turn, never) for seats in study.contests])
    answer = " ".join(_waiting_said(row) for _, row in waits.iterrows())
    caption = f"Share of games in which the first, second, ... player to go is still in, by turn, with {study.policy} "
    caption += "in every seat."
    note = "Round 1: before any second turn. Waiting: turns from the first fall to the end, finished games only."
    tables = (_first_table(waits), _curves(frame))
    alt = f"Falling curves, one per place, a panel per number of seats. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, survival(frame), caption, alt),), tables, note)


def _first_table(waits: pd.DataFrame) -> Table:
    """When the first player is out, and how long it waits."""
    columns = {"seats": "seats", "early": "first out in round 1", "early_low": "low", "early_high": "high", "n": "n"}
    columns |= {"fell": "median turn of the first fall", "wait": "mean turns waited", "wait_low": "turns, low"}
    columns |= {"wait_high": "turns, high", "share": "share of the game waited", "finished": "finished games"}
    formats: dict[str, Format] = {"first out in round 1": "percent", "share of the game waited": "percent"}
    return table(waits, "waiting", "The first to be out", columns, formats)


def _curves(frame: pd.DataFrame) -> Table:
    """Table of the curves, with at most SHOWN evenly spaced rows of each."""
    parts = [part.iloc[:: max(1, -(-len(part) // SHOWN))] for _, part in frame.groupby(["seats", "faller"])]
    columns = {"seats": "seats", "faller": "to fall as number", "turns": "turns", "estimate": "share"}
    return table(
        pd.concat(parts, ignore_index=True), "survival", "The curves", {**columns, "low": "low", "high": "high", "n": "n"}
    )


def _first_out(whole: pd.DataFrame, seats: int, turn: str, never: int) -> dict[str, object]:
    """When the first player falls and how long it waits, at a number of seats."""
    first, _ = _first_falls(whole[whole["seats"] == seats], seats, turn, never)
    early = proportion(float((first <= seats).sum()), first.size)
    row: dict[str, object] = {"seats": seats, "early": early.estimate, "early_low": early.low, "early_high": early.high}
    done = finished(whole, seats)
    gone, ends = _first_falls(done, seats, turn, never)
    median = float(np.quantile(first, 0.5, method="inverted_cdf")) if first.size else np.nan
    row |= {"n": first.size, "fell": median if np.isfinite(median) else np.nan, "finished": gone.size}
    fell = np.isfinite(gone)
    if seats > 2 and fell.sum() >= 2:
        waited = mean(ends[fell] - gone[fell])
        row |= {"wait": waited.estimate, "wait_low": waited.low, "wait_high": waited.high}
        row["share"] = ratio(ends[fell] - gone[fell], ends[fell]).estimate
    return {"wait": np.nan, "wait_low": np.nan, "wait_high": np.nan, "share": np.nan, **row}


def _first_falls(frame: pd.DataFrame, seats: int, turn: str, never: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn of the first fall (infinite without one) and number of turns, one per game."""
    out = frame[turn].to_numpy(np.float64).reshape(-1, seats)
    return np.where(out == never, np.inf, out).min(axis=1), frame["turns"].to_numpy(np.float64).reshape(-1, seats)[:, 0]


def _waiting_said(row: pd.Series) -> str:
    """One sentence per number of seats."""
    seats = int(row["seats"])
    fell = f"after {count(row['fell'])} turns" if pd.notna(row["fell"]) else "never"
    text = f"{capital(at_seats(seats))} the first is out {fell} in half of the games, in round 1 in {percent(row['early'])}"
    if pd.notna(row["wait"]):
        text += f", and then waits {amount(row['wait'])} turns on average, {percent(row['share'], 0)} of the game"
    return text + "."


def milestones(study: Study, question: Question) -> Section | None:
    """Cumulative curves of when things first happen, one line each, a panel per number of seats.

    Roles: event in words -> measure per game, the turn or round in which it first happened. Settings: never (value of a game in
    which it did not).
    """
    if not question.roles or study.games_frame.empty:
        return None
    measures = {words.replace("_", " "): study.measure(field) for words, field in question.roles.items()}
    never = int(question.settings.get("never", ("0",))[0])
    frame = pd.concat([_milestones_curves(study, seats, measures, never) for seats in study.seats], ignore_index=True)
    summary = _summary(frame)
    most = max(study.seats)
    unit = next((measure.unit for measure in measures.values() if measure.unit), "turns")
    answer = _milestones_said(summary[summary["seats"] == most], most, unit)
    if len(study.seats) > 1:
        answer += f" {_rarest(summary)}"
    caption = f"Share of games in which each has happened, by number of {unit}, with {study.policy} in every seat. The line of "
    caption += "something that does not happen in every game stays below the top."
    shares: dict[str, Format] = {"ever": "percent"}
    summary = summary.assign(label=[measures[name].label for name in summary["name"]])
    columns = {"seats": "seats", "name": "what", "label": "counted", "estimate": "ever", "low": "low", "high": "high"}
    columns |= {"median": f"half of the games by ({unit})", "when": f"median where it happens ({unit})", "n": "n"}
    lines = {"seats": "seats", "name": "what", "turns": unit, "estimate": "share", "low": "low", "high": "high", "n": "n"}
    tables = (
        table(summary, "milestones", "What happens, and when first", columns, shares),
        table(thinned(frame, ["seats", "name"]), "milestones-curves", "The curves", lines),
    )
    note = "All games count, including stopped ones; a game that ends first counts as one in which it did not happen. "
    note += "Pointwise Wilson intervals."
    alt = f"Rising curves, one per thing that happens, a panel per number of seats. {answer}"
    chart = Chart(question.id, curves(frame, label=unit), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _milestones_curves(study: Study, seats: int, measures: Mapping[str, Measure], never: int) -> pd.DataFrame:
    """Curves of all milestones at a number of seats, concatenated."""
    games = study.games_frame[study.games_frame["seats"] == seats]
    parts = [
        happened(games[[measure.field]].assign(name=name), measure.field, "name", never) for name, measure in measures.items()
    ]
    return pd.concat(parts, ignore_index=True).assign(seats=seats)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per number of seats and milestone: share of games that ever see it, and when."""
    rows = []
    for _, part in frame.groupby(["seats", "name"], sort=False):
        last = part.iloc[-1]
        when = reached(part, last["estimate"] / 2) if last["estimate"] > 0 else float("nan")
        rows.append({**last.to_dict(), "median": reached(part), "when": when})
    return pd.DataFrame(rows)


def _milestones_said(summary: pd.DataFrame, seats: int, unit: str) -> str:
    """When each has happened in half of the games, and how often those happen that are not seen in half."""
    usual, rare = (summary[summary["median"].notna()].sort_values("median", kind="stable"), summary[summary["median"].isna()])
    parts = [f"\u201c{row['name']}\u201d by {count(row['median'])}" for _, row in usual.iterrows()]
    text = f"{capital(at_seats(seats))} half of the games have seen, in {unit}: {listed(parts)}." if parts else ""
    seldom = [
        f"\u201c{row['name']}\u201d happens in {percent(row['estimate'])} {interval(row['low'], row['high'], row['n'])}"
        for _, row in rare.sort_values("estimate", kind="stable").iterrows()
    ]
    return f"{text} {capital(listed(seldom))}." if seldom and text else text or f"{capital(listed(seldom))}."


def _rarest(summary: pd.DataFrame) -> str:
    """The milestone that most often never happens, at fewest and at most seats."""
    name = summary.groupby("name", sort=False)["estimate"].mean().idxmin()
    part = summary[summary["name"] == name].sort_values("seats").iloc[[0, -1]]
    shares = [
        f"{percent(row['estimate'])} {at_seats(row['seats'])} {interval(row['low'], row['high'], row['n'])}"
        for _, row in part.iterrows()
    ]
    return f"The rarest is \u201c{name}\u201d, seen in {listed(shares)}."
