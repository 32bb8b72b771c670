"""Whether the simulation plays like people: games that were played at a table against simulated ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import THIN, Format, count, percent
from analysis.answer.prose import capital, fitting, listed, plural
from analysis.answer.tables import AMOUNTS, Table, table
from analysis.data.commands import command
from analysis.data.names import policy_of
from analysis.data.players import LONG_ANSWER, QUICK, games_in, level_words
from analysis.data.rows import distinct
from analysis.data.study import Study, in_passes
from analysis.playtests.against import Matched, compared, log_losses, matched, named_like, ranking
from analysis.playtests.log import Playtests
from analysis.playtests.rates import raw_rates
from analysis.playtests.reading import read_playtests
from analysis.playtests.strengths import Strengths, games_by_seats, strengths_of
from analysis.question import Log, question
from analysis.stats.intervals import mean
from sim.engine.policies import PolicySpec

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SURE = 0.05  # p-value, adjusted over all rows, below which a difference is significant
RANDOM = "random"
SHARES: dict[str, Format] = {"table": "percent", "simulated": "percent"}
ROUNDS = "rounds"  # a turn of every player
LENGTHS = ("turns", ROUNDS)  # headings of a log that tell how long games were, and fields of simulated games


@question(
    without=("seats", "policy", "line_up", "forbid"),
    needs=("loop",),
    seconds=LONG_ANSWER,
    options={"playtests": "LOG", "columns": "--columns"},
    examples=("calibrate arena playtests.csv", "calibrate arena playtests.csv --players random,greedy:4"),
)
def calibrate(
    study: Study, playtests: Log, *, columns: list[str] | None = None, players: list[str] | None = None, games: int | None = None
) -> Answer:
    """Which players of the program play most like people at a table, and which entrants differ.

    Parameters
    ----------
    playtests : Playtests or Path
        File of games that people played (.csv, .xlsx, ...).
    columns : list of str, optional
        Headings of the file where they are not usual ones, such as entrant=Hero,won=Result.
    players : list of str, optional
        Policies to compare; by default random, greedy:4 and the strong players of the game.
    games : int, optional
        Games in all that each kind of players plays, at most; by default those of about twelve seconds.

    """
    log = playtests if isinstance(playtests, Playtests) else read_playtests(playtests, columns or ())
    names = distinct(study.cards.names)
    played = matched(log, study.game, study.cards)
    policies = [policy_of(one) for one in players or dict.fromkeys((RANDOM, QUICK, study.game.player))]
    simulated = {policy: simulate(study, policy, played, games) for policy in policies}
    words = dict(zip(policies, level_words(study.game, [str(policy) for policy in policies]), strict=True))
    levels = ranking({words[policy]: log_losses(played, one.models, names) for policy, one in simulated.items()})
    best = next(policy for policy in policies if words[policy] == levels["players"].iloc[0])
    named = named_like(played, names)
    strengths = strengths_of(named)
    frame = compared(strengths, simulated[best].rates(strengths.entrants, strengths.seat_games))
    raw = raw_rates(named).loc[frame["name"]]
    frame = frame.assign(raw=raw["won"].to_numpy(), n=raw["n"].to_numpy())
    course, length = courses(strengths, simulated[best]), lengths(played, simulated[best])
    return Answer(
        summary(levels, frame),
        (
            players_table(levels, played),
            entrants_table(frame, study, words[best]),
            *([beside_table(course, "course", "Turn order, between equals at the table", SHARES)] if len(course) else []),
            *([beside_table(length, "length", "Length of games", AMOUNTS)] if len(length) else []),
        ),
        (Chart(partial(drawn, frame, words[best]), f"Win rates at the table against those of {words[best]} players."),),
        tuple(notes(frame, strengths, played)),
        {
            "log": str(log.path),
            "games": played.log.games,
            "players": words[best],
            "simulated": {words[policy]: one.games for policy, one in simulated.items()},
            "left_out": [*log.left_out, *played.left_out],
        },
        shown=study.player.shown,
        warnings=(log.summary, *advice(frame, study), *(f"Left out: {phrase}." for phrase in played.left_out)),
    )


# ---- simulated games -------------------------------------------------------------------------------------------------


class Simulated:
    """Games of one policy, by number of players: entrants, turn positions and shares of the win (games, seats), and turns."""

    def __init__(self, entrants: int, names: list[str]) -> None:
        """Make it without games."""
        self.entrants, self.names = entrants, names
        self.blocks: dict[int, list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]] = {}

    def add(self, seats: int, rows: np.ndarray) -> None:
        """Add finished games."""
        rows = rows[rows["share"][:, :seats].sum(axis=1) > 0]
        first = rows["first"].astype(np.int64)
        position = np.where(first[:, None] >= 0, (np.arange(seats) - first[:, None]) % seats, -1)
        entrant, share = rows["entrant"][:, :seats].astype(np.int64), rows["share"][:, :seats].astype(np.float64)
        self.blocks.setdefault(seats, []).append((entrant, position, share, rows["turns"].astype(np.float64)))

    def of(self, seats: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """All games of a number of players."""
        entrant, position, share, turns = (np.concatenate(part) for part in zip(*self.blocks[seats], strict=True))
        return entrant, position, share, turns

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(len(part[0]) for parts in self.blocks.values() for part in parts)

    @property
    def models(self) -> dict[int, Strengths]:
        """Strengths, by number of players."""
        return {seats: strengths_of(self.as_log(seats)) for seats in self.blocks}

    def as_log(self, seats: int) -> Playtests:
        """The games of a number of players as a log without people."""
        entrant, position, share, _ = self.of(seats)
        names = np.array(self.names, object)[entrant.ravel()]
        columns = {"position": position.ravel(), "entrant": names, "share": share.ravel()}
        rows = pd.DataFrame({"game": np.repeat(np.arange(len(entrant)), seats), "seats": seats, "player": "", **columns})
        return Playtests(Path("simulated games"), rows, {}, ())

    def rates(self, names: tuple[str, ...], seat_games: Mapping[int, int]) -> pd.DataFrame:
        """Win rates among these entrants, in games of as many players as in a log: name, estimate, n (games they are worth)."""
        index = np.array([self.names.index(name) for name in names])
        total = sum(seat_games.values())
        rate, variance = np.zeros(len(names)), np.zeros(len(names))
        for seats, wanted in seat_games.items():
            entrant, _, share, _ = self.of(seats)
            use = np.isin(entrant, index).all(axis=1)
            flat, won = entrant[use].ravel(), share[use].ravel()
            n = np.bincount(flat, minlength=self.entrants)[index]
            part = np.bincount(flat, won, self.entrants)[index] / np.maximum(n, 1)
            rate += part * wanted / total
            variance += part * (1 - part) / np.maximum(n, 1) * (wanted / total) ** 2
        worth = np.divide(rate * (1 - rate), variance, out=np.ones(len(names)), where=variance > 0)
        return pd.DataFrame({"name": names, "estimate": rate, "n": worth})


def simulate(study: Study, policy: PolicySpec, played: Matched, games: int | None) -> Simulated:
    """Play games of one policy at the numbers of players of the log, in proportion to its games."""
    counts = games_by_seats(played.log.rows)
    base = study.base
    if base is None:
        raise NoAnswerError("calibrate: needs a log, which a report is given with --table")
    result = Simulated(len(study.cards.ids), distinct(study.cards.names))
    for seats, number in counts.items():
        share = number / sum(counts.values())
        most = round(games * share) if games else games_in(study.game, (policy,), seats, LONG_ANSWER * share)
        experiment = in_passes(replace(base, seats=seats, policies=(policy,), games_wanted=max(1, most)))
        for block in study.blocks(experiment, f"{policy}, {seats} players"):
            result.add(seats, block.rows)
    return result


def courses(strengths: Strengths, simulated: Simulated) -> pd.DataFrame:
    """What the first player wins, adjusted: columns what, table, low, high, n, simulated."""
    lines = []
    orders = strengths.orders() if strengths.positions else pd.DataFrame(columns=["seats", "position"])
    for seats in sorted(simulated.blocks):
        _, position, share, _ = simulated.of(seats)
        row = orders[(orders["seats"] == seats) & (orders["position"] == 0)]
        if len(row) and (position == 0).any():
            ends = row.iloc[0][["estimate", "low", "high"]].tolist()
            lines.append((f"first of {seats} wins", *ends, strengths.seat_games[seats], share[position == 0].mean()))
    return pd.DataFrame(lines, columns=["what", "table", "low", "high", "n", "simulated"])


def lengths(played: Matched, simulated: Simulated) -> pd.DataFrame:
    """How long games are, if the log tells: columns what, table, low, high, n, simulated (means at the numbers of players)."""
    log, lines = played.log, []
    games = log.rows.drop_duplicates("game")
    for fact in log.facts:
        if fact.casefold() not in LENGTHS:
            continue
        for seats in sorted(simulated.blocks):
            values = games.loc[games["seats"] == seats, fact].dropna()
            turns = float(simulated.of(seats)[3].mean()) / (seats if fact.casefold() == ROUNDS else 1)
            if len(values) > 1:
                at_table = mean(values)
                line = (f"{fact}, {seats} players", at_table.estimate, at_table.low, at_table.high, len(values), turns)
                lines.append(line)
    return pd.DataFrame(lines, columns=["what", "table", "low", "high", "n", "simulated"])


# ---- tables, chart and sentences -------------------------------------------------------------------------------------


def players_table(levels: pd.DataFrame, played: Matched) -> Table:
    """Policies, the most alike first."""
    columns = {"players": "players", "loss": "log loss", "worse": "worse by", "low": "worse, low", "high": "worse, high"}
    columns |= {"p_holm": "p (Holm)", "n": "games"}
    caption = f"Who predicts the winners of {count(played.log.games)} games best"
    formats: dict[str, Format] = {"p (Holm)": "p"}
    rounded = levels.round({"worse": 4, "low": 4, "high": 4})
    return table(rounded, "players", caption, columns, formats, details=("games",), whole=levels)


def entrants_table(frame: pd.DataFrame, study: Study, players: str) -> Table:
    """Entrants, the largest difference first."""
    word = study.game.entrant_word
    columns = {"name": word, "n": "played", "estimate": "table", "simulated": "simulated", "difference": "difference"}
    columns |= {"difference_low": "low", "difference_high": "high", "p_holm": "p, all rows", "combined": "combined"}
    columns |= {"combined_low": "combined, low", "combined_high": "combined, high", "low": "table, low", "high": "table, high"}
    shares = ("table", "simulated", "combined", "combined, low", "combined, high", "table, low", "table, high")
    formats: dict[str, Format] = {**dict.fromkeys(shares, "percent"), **dict.fromkeys(("difference", "low", "high"), "points")}
    caption = f"{capital(plural(word))} at the table, adjusted, and in games of {players} players"
    details = ("combined*", "table, *")
    return table(frame, "entrants", caption, columns, {**formats, "p, all rows": "p"}, details=details, main=True)


def beside_table(frame: pd.DataFrame, id_: str, caption: str, formats: Mapping[str, Format]) -> Table:
    """What was measured at the table beside the simulation: see `courses` and `lengths`."""
    columns = {"what": "what", "table": "table", "low": "low", "high": "high", "simulated": "simulated", "n": "games"}
    return table(frame, id_, caption, columns, formats)


def drawn(frame: pd.DataFrame, players: str) -> Figure:
    """Table against simulation."""
    return charts.agreement(frame, words=(f"{players} players", "at the table"))


def summary(levels: pd.DataFrame, frame: pd.DataFrame) -> str:
    """Who plays most like the people, and who differs most."""
    best = levels.iloc[0]
    others = levels.iloc[1:]
    like = others.loc[~(others["p_holm"] < SURE), "players"].tolist()
    who = f"{capital(best['players'])} players are most like your table"
    who += f" ({listed(like)} ones may be as close)" if like else "" if others.empty else ", the others clearly less"
    if others.empty:
        who = f"Compared with {best['players']} players only"
    top = frame.iloc[0]
    gap = f"{percent(top['estimate'])} at the table, {percent(top['simulated'])} simulated"
    if top["p_holm"] < SURE:
        p = f"p = {top['p_holm']:.2g}"
        return fitting(f"{who}; {top['name']} differs: {gap} ({p}).", f"{who}; {top['name']} differs ({p}).")
    return fitting(f"{who}; no entrant surely differs, most {top['name']}: {gap}.", f"{who}; no entrant surely differs.")


def advice(frame: pd.DataFrame, study: Study) -> list[str]:
    """What to look at for entrants that differ."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return []
    ids = dict(zip(distinct(study.cards.names), study.cards.ids, strict=True))
    top = str(sure["name"].iloc[0])
    other = next(one for name, one in ids.items() if name != top)
    see = command(study, "replay", "--line-up", f"{ids[top]},{other}")
    return [f"Look at how people read the card of {listed(sure['name'].tolist())}, and at simulated games: {see}."]


def notes(frame: pd.DataFrame, strengths: Strengths, played: Matched) -> list[str]:
    """What the columns mean."""
    worth = float(frame["worth"].median())
    people = "players, " if strengths.people else ""
    return [
        f"Table: win rate adjusted for {people}opponents and turn order; difference with its 95{THIN}% interval.",
        "Log loss: minus the logarithm of the chance given to the winner, per game; equal chances for all players give "
        f"{float(np.log(played.log.rows.groupby('game')['seats'].first()).mean()):.3f}.",
        f"Combined: the simulation counts as {count(worth)} games of each, as many as its disagreement with the table allows.",
    ]
