"""Evaluation of a replayed game: worth of every alternative, winning chance given away, and luck.

Two evaluations are used, and they differ. The worth of an alternative is estimated by a policy (`search:200` by default) from
what the deciding seat can know; a decision gives away the difference to the best alternative. The course of the game, and the
effect of rolls and draws on it, come from the game's `evaluate`, which sees all hidden information.

Choice of games worth watching: the most typical, the most surprising and the closest.

The results of all games give facts at little cost: length, decisions, and the game's measures. Who was ahead and by how much
takes a replay, of as many games as the caller allows. A replayed game is evaluated by the game's `evaluate` at the end of every
turn, on the scale and at the moments at which `replay --analyse` shows it. Games without a winner, such as those stopped at a
limit, are never picked.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import THIN, number, percent, seat_word
from analysis.data.player import Player
from analysis.timeline import leads
from analysis.timeline.courses import ROUNDING, Courses, check_opponent, played, shared_out
from sim.engine.loop import Status
from sim.engine.policies import NUMBERS, Policy, PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Replay, Results, evaluations, option_values, play_range, replay

POLICY = "search:200"  # takes a third of a second for a game of two hundred decisions
MARKS = (("blunder", 0.15), ("mistake", 0.07), ("inaccuracy", 0.03))  # least winning chance given away
AGAIN = 10  # factor of samples or playouts for a second look at decisions that would be marked
LUCKY = 0.1  # change of a winning chance that makes a roll or draw lucky or unlucky
REROLLS = 64  # samples of each chance event, with which the actual result is compared
ABSENT = -1  # padding of options


@dataclass(frozen=True)
class Decision:
    """A decision and its alternatives. chances: of winning, for the deciding seat, best first; taken: index of the choice."""

    seat: int
    actions: tuple[int, ...]
    chances: tuple[float, ...]
    taken: int

    @property
    def given_away(self) -> float:
        """Winning chance lost against the best alternative, 0..1."""
        return self.chances[0] - self.chances[self.taken]

    @property
    def mark(self) -> str:
        """Name of the error by the chance given away; empty for a good decision."""
        return next((name for name, least in MARKS if self.given_away >= least - ROUNDING), "")


@dataclass(frozen=True, eq=False)
class GameAnalysis:
    """A game with every decision evaluated.

    decisions: by line of the log, those with at least two options. chances: (lines, seats), results of `evaluate`, scaled to add
    up to 1; the last line is the end. luck: (lines, seats), change by chance after each decision; of_deal: (seats,), luck of
    the deal.
    """

    experiment: Experiment
    index: int
    played: Replay
    policy: PolicySpec
    decisions: dict[int, Decision]
    chances: Floats
    luck: Floats
    of_deal: Floats

    @classmethod
    def of(cls, experiment: Experiment, index: int, policy: PolicySpec) -> GameAnalysis:
        """Replay a game and evaluate it. Raises ValueError for a policy that cannot evaluate."""
        checked(policy)
        seats, played = experiment.seats, replay(experiment, index, rerolls=REROLLS)
        block, _ = play_range(experiment, index, 1, rerolls=REROLLS)
        assert played.luck is not None, "rerolls were requested"
        assert block.luck is not None, "rerolls were requested"
        luck = played.luck[:, :seats]
        course = shared_out(evaluations(experiment, played.positions))
        decisions = decisions_of(experiment, played, policy)
        of_deal = block.luck[0, :seats] - luck.sum(axis=0)
        return cls(experiment, index, played, policy, decisions, course, luck, of_deal)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.experiment.seats

    @cached_property
    def names(self) -> list[str]:
        """See `seat_names`."""
        return seat_names(self.experiment, self.played.rows[0])

    @cached_property
    def seated(self) -> list[str]:
        """See `seated_names`."""
        return seated_names(self.experiment, self.played.rows[0])

    def marked(self, seat: int) -> dict[str, int]:
        """Number of decisions of a seat with each mark."""
        marks = [decision.mark for decision in self.decisions.values() if decision.seat == seat]
        return {name: marks.count(name) for name, _ in MARKS}

    def given_away(self, seat: int) -> float:
        """Winning chance that a seat gave away in marked decisions, added up; smaller losses can be errors of the estimates."""
        return sum(decision.given_away for decision in self.decisions.values() if decision.seat == seat and decision.mark)

    @property
    def luck_in_all(self) -> Floats:
        """Share of the win that each seat owes to chance, including the deal, (seats,); see `sim.engine.aivat`."""
        return np.asarray(self.of_deal + self.luck.sum(axis=0))

    def lucky(self, line: int) -> dict[int, float]:
        """Seats whose chance changed by LUCKY or more through the chance events after a decision, and by how much."""
        moved = self.luck[line]
        return {seat: float(moved[seat]) for seat in range(self.seats) if abs(moved[seat]) >= LUCKY - ROUNDING}

    @cached_property
    def winner(self) -> int | None:
        """Seat that won alone, or None."""
        return sole_winner(self.played, self.seats)

    @cached_property
    def turning_point(self) -> int | None:
        """Last line at which the winner's chance was at or below the fair share.

        None without a sole winner, and if the winner was ahead from the deal on.
        """
        return turning_line(self.chances, self.winner)


def seat_names(experiment: Experiment, row: np.void) -> list[str]:
    """Names of the entrants of a game by seat. row: of the game."""
    return experiment.game.words.line_up(experiment.cards, row["entrant"][: experiment.seats].tolist())


def seated_names(experiment: Experiment, row: np.void) -> list[str]:
    """Names of the entrants with their seats, such as `Pike (seat 1)`."""
    return [f"{name} ({seat_word(seat)})" for seat, name in enumerate(seat_names(experiment, row))]


def sole_winner(log: Replay, seats: int) -> int | None:
    """Seat that won a game alone, or None."""
    share = log.rows["share"][0, :seats]
    return int(share.argmax()) if log.rows["status"][0] == Status.FINISHED and share.max() == 1 else None


def turning_line(course: Floats, winner: int | None) -> int | None:
    """Last line of a course before its end, (lines, seats), at which the winner's chance is at or below the fair share."""
    if winner is None:
        return None
    even = 1 / max(2, course.shape[1])  # with a single seat: one half
    behind = np.flatnonzero(course[:-1, winner] <= even + ROUNDING)
    return int(behind[-1]) if behind.size else None


def checked(policy: PolicySpec) -> PolicySpec:
    """Return a policy that can evaluate. Raises ValueError for one that cannot."""
    if policy.policy == Policy.RANDOM:
        raise ValueError(f"analyst={str(policy)!r}: decides at random and does not evaluate its options; use {POLICY}")
    return policy


def decisions_of(experiment: Experiment, played: Replay, policy: PolicySpec) -> dict[int, Decision]:
    """Evaluate every decision with an alternative, by line.

    Decisions that would be marked are evaluated again with AGAIN times the effort, up to the policy's maximum, and that result
    counts: some of many estimates are far off, and each would look like a blunder.
    """
    (most,) = [number.most for number in NUMBERS[policy.policy] if number.field == "samples"] or [policy.samples]
    stronger = replace(policy, samples=min(most, AGAIN * policy.samples))
    decisions = _decisions(experiment, played, policy, np.flatnonzero(played.moves["options"] > 1))
    doubted = [line for line, decision in decisions.items() if decision.mark]
    return decisions | _decisions(experiment, played, stronger, np.array(doubted, np.int64))


def _decisions(experiment: Experiment, played: Replay, policy: PolicySpec, lines: NDArray[np.int64]) -> dict[int, Decision]:
    """Evaluate the decisions of some lines; their options in order of worth, the choice first among equals."""
    if not lines.size:
        return {}
    entrants, decisions = played.rows["entrant"][0, : experiment.seats], {}
    options, values, _ = option_values(experiment, played.positions[lines], policy, entrants)
    for line, move, actions, chances in zip(lines.tolist(), played.moves[lines], options, values, strict=True):
        known = np.flatnonzero(actions != ABSENT)
        order = known[np.lexsort((actions[known] != move["action"], -chances[known]))]
        listed = actions[order].tolist()
        decisions[line] = Decision(int(move["seat"]), tuple(listed), tuple(chances[order].tolist()), listed.index(move["action"]))
    return decisions


GAME_KINDS = ("typical", "surprising", "closest")
FARTHEST = 3.0  # interquartile ranges: larger distances of a fact are cut to this
NEAREST = 0.5  # share of the replays for games with typical results; the others are spread evenly over all
TOLD = ("turns", "decisions", "changes", "lead")  # facts that are shown of every pick
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Picked:
    """The picked games, and what they were picked from.

    results: all games; won: number with a winner; facts: number of facts of results and replays by which the typical game was
    picked; courses: of the replayed games. games: one row per kind that could be picked: kind, index, turns, decisions, changes
    (of the lead), lead (mean, of the highest chance over the second), least (of the winner), at (turn of that), since (turn of
    the turning point, see `GameAnalysis.turning_point`; nan without one). medians: of TOLD.
    """

    results: Results
    won: int
    facts: int
    courses: Courses
    games: pd.DataFrame
    medians: dict[str, float]

    def index_of(self, kind: str) -> int:
        """Index of a pick. Raises ValueError if there is none of that kind."""
        rows = self.games[self.games["kind"] == kind]
        if rows.empty:
            raise ValueError(f"show={kind!r}: no game of that kind was found")
        return int(rows["index"].iloc[0])


def checked_kind(kind: str) -> str:
    """Return a valid kind. Raises ValueError that lists all kinds."""
    if kind not in GAME_KINDS:
        raise ValueError(f"show={kind!r} must be {', '.join(GAME_KINDS[:-1])} or {GAME_KINDS[-1]}")
    return kind


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn(Experiment):
    """Games given by their lines of the plan (PLAN), one after the other."""

    lines: np.ndarray

    @property
    def games(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def plan(self, first: int, count: int) -> np.ndarray:
        """See `Experiment`."""
        return self.lines[first : first + count]


def pick(experiment: Experiment, replays: int, player: Player) -> Picked:
    """Pick games of an experiment. replays: maximum number of games to replay; player: plays the games, or reads them.

    Raises ValueError without an opponent, without a game that was won, or if `replays` is below 1.
    """
    check_opponent(experiment.seats)
    if replays < 1:
        raise ValueError(f"replays={replays} must be at least 1")
    results = collected(experiment, player)
    won = np.flatnonzero(results.rows["share"].sum(axis=1) > 0)
    if not won.size:
        raise ValueError(f"games={experiment.games}: none of them was won, so there is none to pick")
    known = facts_of(results).iloc[won].reset_index(drop=True)
    near, even = to_replay(distances(known, known), replays)
    chosen = np.union1d(near, even)
    shared = {field.name: getattr(experiment, field.name) for field in fields(Experiment)}
    drawn, total = Drawn(**shared, lines=experiment.plan_of(won[chosen])), len(chosen)
    courses = played(drawn, total, player.jobs, lambda done: player.watch("replays", done, total), settled=True)
    told = told_of(courses, known.iloc[chosen])
    sample, more = told[np.isin(chosen, even)], ["changes", "lead"]
    medians = {name: float((known if name in known else sample)[name].median()) for name in TOLD}
    facts = pd.concat([known.iloc[chosen].reset_index(drop=True), told[more]], axis=1)
    games = picks(told, distances(facts, pd.concat([known, sample[more]], axis=1)), medians["turns"])
    games["since"] = [_turning(experiment, index) for index in games["index"]]
    return Picked(results, won.size, known.shape[1] + 2, courses, games, medians)


def collected(experiment: Experiment, player: Player) -> Results:
    """All games of an experiment."""
    whole = replace(player, partial=False)  # picks among fewer games would have other indexes
    blocks = list(whole.play(experiment))
    return Results(
        experiment, np.concatenate([block.rows for block in blocks]), np.concatenate([block.outcomes for block in blocks]), 0.0
    )


def facts_of(results: Results) -> pd.DataFrame:
    """Facts of every game as numbers: turns, decisions, and the measures that are numbers or flags.

    A measure by seat gives two: the mean of the winners, and of the others. Measures by part and categories are left out,
    because they have no values in between.
    """
    rows, seats = results.rows, results.experiment.seats
    table: dict[str, Floats] = {name: rows[name].astype(np.float64) for name in ("turns", "decisions")}
    wins = rows["share"][:, :seats] > 0
    for measure in results.experiment.game.measures_for(results.experiment.cards):
        values, whole = results.outcomes[measure.field].astype(np.float64), measure.per == "game"
        if measure.kind == "category" or measure.parts or values.ndim != (1 if whole else 2):
            continue
        if whole:
            table[measure.field] = values
        for who, which in () if whole else (("winner", wins), ("others", ~wins)):  # means by game; 0 if there are none
            table[f"{measure.field}, {who}"] = (values[:, :seats] * which).sum(axis=1) / np.maximum(which.sum(axis=1), 1)
    return pd.DataFrame(table)


def distances(facts: pd.DataFrame, sample: pd.DataFrame) -> Floats:
    """Distance of each game from the medians of a sample: mean over the facts, in interquartile ranges, each at most FARTHEST."""
    spread = (sample.quantile(0.75) - sample.quantile(0.25)).replace(0, 1)
    far = ((facts - sample.median()) / spread).abs().clip(upper=FARTHEST)
    return far.mean(axis=1).to_numpy(np.float64)


def to_replay(far: Floats, replays: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Indexes of the games to replay: the most typical ones, and others spread evenly over all."""
    if far.size <= replays:
        return np.arange(far.size), np.arange(far.size)
    near = np.argsort(far, kind="stable")[: int(NEAREST * replays)]
    even = np.linspace(0, far.size - 1, replays - near.size).astype(np.int64)
    return near, np.unique(even)


def told_of(courses: Courses, facts: pd.DataFrame) -> pd.DataFrame:
    """One row per replayed game: index, turns, decisions, changes, lead, least, at, since; nan without a sole winner.

    at: turn at whose end the winner's chance was lowest; nan if it was lowest at the start.
    """
    game, games, winner = courses.game, len(courses.index), courses.winner
    ordered = np.sort(courses.chance, axis=1)
    gap, lines = ordered[:, -1] - ordered[:, -2], np.bincount(game, minlength=games)
    held = leads.holding(courses)
    taken = (game[1:] == game[:-1]) & (held[1:] != held[:-1]) & (held[:-1] >= 0)
    lowest, chance = np.full(games, np.nan), courses.chance[np.arange(game.size), winner[game]]
    for line in np.lexsort((courses.turn, chance))[::-1]:
        lowest[game[line]] = courses.turn[line]
    columns = {"index": courses.index, "turns": courses.turns, "decisions": facts["decisions"].to_numpy(np.int64)}
    columns |= {"changes": np.bincount(game[1:][taken], minlength=games)}
    columns |= {"lead": np.bincount(game, gap, games) / np.where(lines > 0, lines, np.nan)}
    frame = pd.DataFrame({**columns, "at": np.where(winner >= 0, lowest, np.nan)})
    return frame.merge(leads.by_game(courses)[["index", "least", "since"]], on="index", how="left")


def _turning(experiment: Experiment, index: int) -> float:
    """Turn of a game in which the winner got ahead for good; nan without a sole winner, or if the winner was always ahead."""
    log = replay(experiment, index)
    line = turning_line(shared_out(evaluations(experiment, log.positions)), sole_winner(log, experiment.seats))
    return np.nan if line is None else float(log.moves["turn"][line]) + 1


def picks(told: pd.DataFrame, far: Floats, length: float) -> pd.DataFrame:
    """The pick of each kind, the first among equals: a row of `told` each, and its kind.

    far: distance of each game from the typical one; length: median, because the closest game must last at least as long.
    """
    places = {"typical": int(np.argmin(far))}
    if told["least"].notna().any():
        places["surprising"] = int(np.nanargmin(told["least"].to_numpy(np.float64)))
    lead, since = (told[name].fillna(nothing).to_numpy(np.float64) for name, nothing in (("lead", np.inf), ("since", 0)))
    long = np.flatnonzero(told["turns"] >= length)
    if long.size:
        places["closest"] = int(long[np.lexsort((-since[long], lead[long]))[0]])
    rows = told.loc[list(places.values())].reset_index(drop=True)
    rows.insert(0, "kind", list(places))
    return rows


def result_words(picked: Picked, line: dict[str, Any]) -> str:
    """Who won against whom, and how long it took."""
    row = picked.results.rows[line["index"]]
    seated = [*enumerate(seated_names(picked.results.experiment, row))]
    won, lost = (" and ".join(name for seat, name in seated if (row["share"][seat] > 0) == wins) for wins in (True, False))
    return f"{won} won{f' against {lost}' if lost else ''}, {line['turns']} turns, {line['decisions']} decisions."


def why(picked: Picked, line: dict[str, Any]) -> str:
    """Reason why a game was picked."""
    if line["kind"] == "typical":
        turns, decisions, changes, lead = (f"{_fact(name, line[name])} ({_fact(name, picked.medians[name])})" for name in TOLD)
        return (
            f"Nearest to the medians of {picked.facts} facts; of these, medians in brackets: {turns} turns, {decisions} "
            f"decisions, {changes} changes of the lead, the first ahead of the second by {lead} on average."
        )
    if line["kind"] == "surprising":
        start = np.isnan(line["at"]) or line["least"] >= 1 / picked.results.experiment.seats
        when = "at the start" if start else f"at the end of turn {line['at']:.0f}"
        return f"The win that was least likely: the winner's chance was down to {percent(line['least'])} {when}."
    since = "" if np.isnan(line["since"]) else f"; the winner was ahead for good from turn {line['since']:.0f} on"
    return (
        f"Of the games that lasted {number(picked.medians['turns'])} turns or more, the chances of the first and the second were "
        f"nearest: {_fact('lead', line['lead'])} apart on average; {line['changes']} changes of the lead{since}."
    )


def _fact(name: str, value: float) -> str:
    """A fact of a game; leads are in points of chance."""
    return f"{100 * value:.1f}{THIN}points" if name == "lead" else number(value)
