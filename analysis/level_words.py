"""What levels of play say, in sentences: steps of the ladder, and which conclusions hold for better players."""

from __future__ import annotations

import pandas as pd

from analysis.encounters import DUEL
from analysis.ladder import STEP, Ladder
from analysis.level_balance import FLIPS, HOLDS, MOVES, Balance
from analysis.report.answers.prose import at_seats, capital, interval, listed, number_word
from analysis.wording import MINUS, THIN, count, decimal, percent, points

TOLD = 4  # entrants by name with their rates; of more only how many there are
SURE = 0.05

CAVEAT = (
    "A level is how a program decides, not how a person plays: better players than the highest level may move these numbers "
    "further."
)


def steps(found: Ladder) -> str:
    """How every level does against the one below, and how many clear steps that makes."""
    said = []
    for _, row in found.rates[found.rates["higher"] - found.rates["lower"] == 1].iterrows():
        rate = f"{row['name']} wins {percent(row['estimate'])} of the games against {row['below']}"
        said.append(f"{rate} {interval(row['low'], row['high'], row['n'])}")
    return f"{capital(at_seats(DUEL))} {listed(said)}. {depth(found)}"


def depth(found: Ladder) -> str:
    """The clear steps and the span of the ratings."""
    got = found.depth
    chain = " \u2013 ".join(found.names[at] for at in got.chain)
    number = f"{number_word(got.steps)} clear step{'' if got.steps == 1 else 's'}"
    said = f"That makes {number} of {percent(STEP, 0)} or more" + (f" ({chain})" if got.steps else "")
    if got.low != got.high:
        said += f", by the intervals {number_word(got.low)} to {number_word(got.high)}"
    if found.spread is None:
        return f"{said}."
    span = found.spread
    said += f"; {found.names[-1]} is rated {elo(span.estimate)} Elo points above {found.names[0]}"
    return f"{said} (95{THIN}% interval {elo(span.low)} to {elo(span.high)})."


def elo(value: float) -> str:
    """Elo points, whole."""
    return count(value)


def between(found: Balance, first: str, second: str) -> str:
    """What becomes of the conclusions on all entrants from one level to another."""
    rows = found.changes[(found.changes["first"] == first) & (found.changes["second"] == second)]
    said = [_kept(found, rows, first, second), _flips(found, rows), _holds(rows), _moves(found, rows)]
    said.append(_order(found, first, second))
    return " ".join(words for words in said if words)


def _kept(found: Balance, rows: pd.DataFrame, first: str, second: str) -> str:
    """How many conclusions of one level are sure at the other too."""
    sure = rows[rows["side_before"] != 0]
    if sure.empty:
        none = f"Under {first} none of {number_word(len(found.units))} is surely off its share"
        return f"{none}, so that there is nothing for {second} to turn over."
    same = int((sure["side_before"] == sure["side_after"]).sum())
    flipped = int((sure["verdict"] == FLIPS).sum())
    whom = f"Of {number_word(len(sure))} that {'is' if len(sure) == 1 else 'are'} surely off their share under {first}"
    rest = len(sure) - same - flipped
    told = [_number(same, "stays", "stay") + " on the same side", _number(flipped, "changes", "change") + " sides"]
    told += [_number(rest, "is", "are") + " no longer surely off it"] if rest else []
    return f"{whom}, under {second} {listed(told)}."


def _number(number: int, one: str, many: str) -> str:
    """Write a number with its verb: `none stays`, `two stay`."""
    return f"{number_word(number) if number else 'none'} {many if number > 1 else one}"


def _flips(found: Balance, rows: pd.DataFrame) -> str:
    flips = _largest(rows[rows["verdict"] == FLIPS])
    if flips.empty:
        return ""
    told = [became(found, row) for _, row in flips.head(TOLD).iterrows()]
    rest = len(flips) - len(told)
    more = f" {capital(number_word(rest))} more turn{'s' if rest == 1 else ''} over likewise." if rest else ""
    return f"{'. '.join(told)}.{more}"


def became(found: Balance, row: pd.Series) -> str:
    """One entrant at two levels: `Fox is the strongest under greedy:4 (61.0 %) and average under search:200 (50.1 %)`."""
    before, after = (_standing(found, row["name"], row[level]) for level in ("first", "second"))
    rates = [f"{percent(row[when])}" for when in ("before", "after")]
    return f"{row['name']} is {before} under {row['first']} ({rates[0]}) and {after} under {row['second']} ({rates[1]})"


def _standing(found: Balance, name: str, level: str) -> str:
    """How an entrant stands at a level, in words."""
    here = found.rates[found.rates["level"] == level]
    row = here[here["name"] == name].iloc[0]
    if row["side"] == 0:
        return "average" if row["verdict"] == "fair" else "not surely off its share"
    if row["side"] > 0:
        return "the strongest" if row["estimate"] == here["estimate"].max() else "above its share"
    return "the weakest" if row["estimate"] == here["estimate"].min() else "below its share"


def _holds(rows: pd.DataFrame) -> str:
    holds = rows[rows["verdict"] == HOLDS]
    said = []
    for side, words in ((1, "above their share"), (-1, "below it"), (0, "within a tenth of it")):
        names = list(holds.loc[(holds["side_before"] + holds["side_after"]).clip(-1, 1) == side, "name"])
        said += [f"{words}: {listed(names)}"] if names else []
    return f"Surely at both levels {'; '.join(said)}." if said else ""


def _moves(found: Balance, rows: pd.DataFrame) -> str:
    moves = _largest(rows[rows["verdict"] == MOVES])
    if moves.empty:
        return ""
    told = [became(found, row) for _, row in moves.head(1).iterrows()]
    others = [f"{row['name']} ({points(row['change'])})" for _, row in moves.iloc[1:].iterrows()]
    return f"{told[0]}." + (f" Beyond chance moved also {listed(others)} points." if others else "")


def _largest(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.sort_values("change", key=lambda change: -change.abs(), kind="stable")


def _order(found: Balance, first: str, second: str) -> str:
    rows = found.orders[(found.orders["first"] == first) & (found.orders["second"] == second)]
    if rows.empty:
        return ""
    row = rows.iloc[0]
    said = f"Kendall's tau of the two orders is {tau(row['tau'])} (95{THIN}% interval {tau(row['low'])} to {tau(row['high'])}; "
    return f"{said}1: the same order, 0: nothing in common, {MINUS}1: reversed)."


def tau(value: float) -> str:
    """A rank correlation."""
    return decimal(value, 2)


def strongest(found: Balance) -> str:
    """Who wins most at each level."""
    best: dict[str, list[str]] = {}
    for level in found.names:
        rows = found.rates[(found.rates["level"] == level) & found.rates["estimate"].notna()]
        if len(rows):
            top = rows.iloc[int(rows["estimate"].argmax())]
            best.setdefault(top["name"], []).append(f"{level} ({percent(top['estimate'])})")
    said = [f"{name} under {listed(levels)}" for name, levels in best.items()]
    return f"Strongest is {listed(said)}." if said else ""


def course(found: Balance) -> str:
    """How the game itself moves: the spread of the win rates, who goes first, length, stopped games."""
    rows = found.whole
    spread = [f"{100 * row['spread']:.1f} under {row['level']}" for _, row in rows.iterrows() if row["spread"] >= 0]
    said = [f"Win rates lie so many points apart (standard deviation): {listed(spread)}."] if spread else []
    if rows["first"].notna().any():
        marks = [
            f"{percent(row['first'])}{'' if row['p'] < SURE else ' (may be chance)'}" for _, row in rows.iterrows()
        ]
        said.append(f"Whoever goes first wins {listed(marks)}, level by level.")
    said.append(f"A game lasts {listed([f'{turns:.1f}' for turns in rows['turns']])} turns on average.")
    if rows["truncated"].any():
        said.append(f"Truncated games, left out: {listed([percent(share) for share in rows['truncated']])}.")
    else:
        said.append("No game was stopped at a limit.")
    return " ".join(said)
