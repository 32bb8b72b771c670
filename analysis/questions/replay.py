"""A simulated game move by move, with the worth of every alternative if wanted; and which of many games are worth watching."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, count, percent
from analysis.answer.prose import capital, listed, some
from analysis.answer.tables import Table, table
from analysis.data.names import policy_of
from analysis.data.players import player_words
from analysis.data.study import Study
from analysis.question import question
from analysis.replay.narrate import (
    action_words,
    analysed_lines,
    explanations,
    figure,
    last_turns,
    move_rows,
    position_words,
    replay_lines,
    worst_decisions,
)
from analysis.replay.select import (
    LUCKY,
    MARKS,
    NEAREST,
    POLICY,
    GameAnalysis,
    Picked,
    checked,
    checked_kind,
    pick,
    result_words,
    seat_names,
    seated_names,
    why,
)
from analysis.timeline.courses import replay_command
from analysis.timeline.leads import in_data
from analysis.variants.tables import records
from sim.engine.loop import Status
from sim.experiments.experiment import GAMES_MAX, Experiment
from sim.run import Replay
from sim.run import replay as replayed

PICKED_FROM = 200  # games from which the interesting ones are picked, unless a run brings its own
MOST = 100_000  # first games of a run from which they are picked; their rows are held in memory
OF_A_BATCH = {"games", "design"}  # facts that do not apply to a single game
KIND_WORDS = {"typical": "the most typical", "surprising": "the most surprising", "closest": "the closest"}


def parts(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Parts of a game to compile for these arguments."""
    analyse = bool(arguments.get("analyse") or arguments.get("analyst"))
    evaluation = ("evaluation",) if analyse or arguments.get("interesting") else ()
    return (*evaluation, *(("analysis",) if analyse else ()))


@question(
    needs=parts,
    reads=True,
    options={"index": "--game"},
    examples=(
        "replay arena --seed 1 --game 17 --seats 2 --quick",
        "replay arena --game 17 --analyse --chart course.png",
        "replay arena --interesting --show surprising --analyst search:800",
    ),
)
def replay(
    study: Study,
    index: int = 0,
    *,
    analyse: bool = False,
    analyst: str = "",
    interesting: bool = False,
    show: str = "",
    games: int | None = None,
    replays: int = 1000,
    pictures: bool = True,
) -> Answer:
    """Replay any simulated game move by move: the same policies, dice and result as in the batch of that seed.

    A terminal shows the last turns, of an analysed game the worst decisions; with --all the whole game.

    Parameters
    ----------
    index : int
        Index of the game, 0 for the first.
    analyse : bool
        Evaluate every alternative: blunders, lucky rolls, winning chances.
    analyst : str
        Analyse with this policy, such as search:800; by default search:200.
    interesting : bool
        Pick the most typical, most surprising and closest of many games.
    show : str
        Replay this one of the interesting games: typical, surprising or closest.
    games : int, optional
        Games in all, to pick from; by default 200, or those of a run.
    replays : int
        Of these, the largest number of games whose positions are examined.
    pictures : bool
        Draw the position at every turn of the whole game.

    Returns
    -------
    Answer
        `story` has the game in words; `frame` has a row per move, forced ones too. `plot` needs `analyse` or `analyst`.

    Examples
    --------
    >>> import fairfight as ff
    >>> first = ff.replay("arena", policy="random", progress=False)
    >>> list(first.frame.columns)
    ['turn', 'seat', 'entrant', 'name', 'options', 'decision', 'events']

    """
    if not 0 <= index < GAMES_MAX:
        raise ValueError(f"game={index} must be from 0 to {GAMES_MAX - 1:,}")
    kind = checked_kind(show) if show else ""
    if kind and not interesting:
        raise ValueError(f"show={show!r}: needs interesting=True")
    if games is not None and not interesting and study.given is None:
        raise ValueError(f"games={games}: needs interesting=True")
    policy = checked(policy_of(analyst or POLICY)) if analyse or analyst else None
    if not interesting:
        experiment = study.experiment(study.seats[0], index + 1)
    else:
        experiment = study.experiment(study.seats[0], picked_from(study, games))
        picked = pick(experiment, replays, study.player)
        if not kind:
            return picks_answer(picked)
        index = picked.index_of(kind)
    analysis = None if policy is None else GameAnalysis.of(experiment, index, policy)
    game = replayed(experiment, index) if analysis is None else analysis.played
    lines = replay_lines(experiment, index, game, pictures) if analysis is None else analysed_lines(analysis, pictures)
    brief = last_turns(experiment, index, game) if analysis is None else worst_decisions(analysis)
    return Answer(
        summary(experiment, index, game) if analysis is None else verdict(analysis),
        (moves_table(moves(experiment, game, analysis)),),
        () if analysis is None else (Chart(partial(figure, analysis), "Winning chances through one game."),),
        () if analysis is None else tuple(explanations(analysis)),
        facts=facts(experiment, index, game, analysis),
        story=tuple(lines),
        brief=tuple(brief),
    )


def picked_from(study: Study, games: int | None) -> int:
    """Number of games to pick from: of a run at most MOST, in whole rounds."""
    if study.given is None or games is None:
        return PICKED_FROM if games is None else games
    round_games = study.given.round_games
    return min(games, max(1, MOST // round_games) * round_games)


def summary(experiment: Experiment, index: int, game: Replay) -> str:
    """Who won, and how long it took."""
    decisions = int((game.moves["options"][:-1] > 1).sum())  # as in the column `decisions` of `play`
    return f"Game {index} of {experiment.game.title}: {ended(experiment, game)} and {count(decisions)} decisions."


def ended(experiment: Experiment, game: Replay) -> str:
    """Who won, and after how many turns."""
    row, names = game.rows[0], seated_names(experiment, game.rows[0])
    winners = " and ".join(name for seat, name in enumerate(names) if row["share"][seat] > 0)
    if row["status"] == Status.TRUNCATED:
        return f"stopped at a limit, no player wins, after {count(row['turns'])} turns"
    wins = f"{winners} wins" if winners else "no player wins"
    return f"{wins} after {count(row['turns'])} turns"


def verdict(analysis: GameAnalysis) -> str:
    """Who won, on which turn that was decided, and who gave away most."""
    line, game = analysis.turning_point, analysis.played
    decided = "" if line is None else f", ahead for good from turn {game.moves[line]['turn'] + 1}"
    lost = [analysis.given_away(seat) for seat in range(analysis.seats)]
    seat = lost.index(max(lost))
    worst = next(((number, mark) for mark, number in analysis.marked(seat).items() if number), None)
    error = "no decision gave away much"
    if worst is not None:
        error = f"{analysis.seated[seat]} gave away most, {100 * lost[seat]:.1f}{THIN}points, with {some(*worst)}"
    return capital(f"{ended(analysis.experiment, game)}{decided}; {error}.")


def moves(experiment: Experiment, game: Replay, analysis: GameAnalysis | None) -> pd.DataFrame:
    """One row per move: turn, seat, name, options (their number), decision and events in words; and what `evaluated` adds."""
    rows = enumerate(move_rows(experiment, game))
    return pd.DataFrame([row | (evaluated(analysis, line) if analysis else {}) for line, row in rows])


def moves_table(frame: pd.DataFrame) -> Table:
    """The moves as people see them: events in one text."""
    columns = {"turn": "turn", "name": "who", "decision": "decision", "events": "events"}
    if "mark" in frame:
        columns |= {"given_away": "gives away", "mark": "mark"}
    shown = frame.assign(events=[" ".join(events) for events in frame["events"]])
    return replace(table(shown, "moves", "Moves", columns, {"gives away": "points"} if "mark" in frame else None), whole=frame)


def evaluated(analysis: GameAnalysis, line: int) -> dict[str, Any]:
    """Evaluation of one decision: chances of all seats, all alternatives, and the luck after it."""
    moved, decision = analysis.lucky(line), analysis.decisions.get(line)
    values: dict[str, Any] = {"chances": analysis.chances[line].tolist(), "luck": analysis.luck[line].tolist()}
    values |= {"lucky": [seat for seat, by in moved.items() if by > 0], "unlucky": [seat for seat, by in moved.items() if by < 0]}
    if decision is None:
        return values | {"alternatives": [], "given_away": None, "mark": None}
    alternatives = [
        {"decision": action_words(analysis, line, place), "chance": chance, "chosen": place == decision.taken}
        for place, chance in enumerate(decision.chances)
    ]
    return values | {"alternatives": alternatives, "given_away": decision.given_away, "mark": decision.mark or None}


def facts(experiment: Experiment, index: int, game: Replay, analysis: GameAnalysis | None) -> dict[str, Any]:
    """How the game was played and how it ended, with its last position; and the evaluation added up."""
    row = game.rows[0]
    values = {key: value for key, value in experiment.facts().items() if key not in OF_A_BATCH} | {
        "index": index,
        "line_up": seat_names(experiment, row),
        "status": Status(row["status"]).name.lower(),
        "turns": int(row["turns"]),
        "shares": row["share"][: experiment.seats].tolist(),
        "position": position_words(experiment, game.positions[-1]),
    }
    if analysis is None:
        return values
    seats, point = range(analysis.seats), analysis.turning_point
    summed = {
        "analysed_by": str(analysis.policy),
        "thresholds": dict(MARKS) | {"lucky": LUCKY},
        "marks": [analysis.marked(seat) for seat in seats],
        "given_away": [analysis.given_away(seat) for seat in seats],
        "luck": analysis.luck_in_all.tolist(),
        "luck_of_deal": analysis.of_deal.tolist(),
        "winner": analysis.winner,
        "turning_point": None if point is None else {"move": point, "turn": int(game.moves[point]["turn"]) + 1},
    }
    return values | {"analysis": summed}


def picks_answer(picked: Picked) -> Answer:
    """The picks in words, with the commands that replay them, and as a table."""
    experiment, games = picked.results.experiment, []
    for line in records(picked.games):
        names = seat_names(experiment, picked.results.rows[line["index"]])
        command = replay_command(experiment, line["index"])
        games.append(line | {"line_up": names, "why": why(picked, line), "command": command})
    named = [f"game {line['index']} is {KIND_WORDS[line['kind']]}" for line in games]
    frame = in_data(pd.DataFrame(games))
    shown = frame.assign(why=[f"{result_words(picked, game)} {game['why']}" for game in games])
    columns = {"kind": "game", "game": "number", "why": "why", "command": "command"}
    return Answer(
        f"Of {count(len(picked.results.rows))} games, {listed(named)}.",
        (table(shown, "games", "Games worth watching", columns, below="command", whole=frame),),
        notes=tuple(picks_notes(picked)),
        facts=experiment.facts()
        | {
            "games": len(picked.results.rows),
            "won": picked.won,
            "replayed": len(picked.courses.index),
            "facts_of_the_typical": picked.facts,
            "medians": picked.medians,
        },
    )


def picks_notes(picked: Picked) -> Iterator[str]:
    """What was picked from, and whose chances these are."""
    experiment, replays = picked.results.experiment, len(picked.courses.index)
    spread = (
        f"{count(replays)} of these were replayed: {percent(NEAREST, 0)} of the replays are of the games with the most typical "
        "results, the others are spread evenly (--replays allows more)."
    )
    yield (
        f"{experiment.game.title}: {count(len(picked.results.rows))} games, seed {experiment.seed}, "
        f"{player_words(experiment.game, experiment.policies, exact=True)}; {count(picked.won)} had a winner, and "
        f"{'all of these were replayed.' if replays == picked.won else spread}"
    )
    yield (
        "Chances: by the game's own evaluation at the end of a turn, after its last decision and rolls, as `replay --analyse` "
        "shows them; --analyse evaluates alternatives in another way, by its policy."
    )
