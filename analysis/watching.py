"""A game told move by move: replays of simulated games, and scenario files, in the game's own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis import weighing_words
from analysis.weighing import Weighing
from analysis.wording import seat_word
from sim.engine.scenario import Result, Scenario
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Replay, replay

OF_A_BATCH = {"games", "design"}  # facts that say nothing about one game


def replay_lines(experiment: Experiment, index: int, pictures: bool = True) -> Iterator[str]:
    """Yield the lines of a replay: who plays, every decision with what it led to, who won. pictures: one per turn."""
    yield from told(experiment, index, replay(experiment, index), pictures)


def weighed_lines(weighing: Weighing, pictures: bool = True) -> Iterator[str]:
    """Yield the lines of a replay in which every decision is weighed, and what they come to."""
    yield from told(weighing.experiment, weighing.index, weighing.played, pictures, weighing)
    yield from weighing_words.summary(weighing, seat_names(weighing.experiment, weighing.played))


def told(
    experiment: Experiment, index: int, played: Replay, pictures: bool = True, weighing: Weighing | None = None
) -> Iterator[str]:
    """Yield those lines of a game that was replayed, or of a part of it. weighing: of this very game, told beside them."""
    game, cards = experiment.game, experiment.cards
    seated = seat_names(experiment, played)
    yield f"{game.title}, game {index} of seed {experiment.seed}, policy {experiment.policy_words}"
    yield from (f"  {seat_word(seat)}: {name}" for seat, name in enumerate(seated))
    turn = -1
    for line, move in enumerate(played.moves[:-1]):
        if move["turn"] != turn:
            turn = int(move["turn"])
            yield from ("", f"Turn {turn + 1}")
            if pictures:
                yield from game.words.picture(played.positions[line], cards).splitlines()
        yield decision_words(experiment, played, line, seated)
        yield from weighing_words.alternatives(weighing, line) if weighing else ()
        yield from (
            f"    {event}" for event in game.words.events(played.positions[line], played.positions[line + 1], cards)
        )
        yield from weighing_words.luck_lines(weighing, line, seated) if weighing else ()
    yield ""
    if pictures:
        yield from game.words.picture(played.positions[-1], cards).splitlines()
    yield ending(played.rows[0], seated)


def seat_names(experiment: Experiment, played: Replay) -> list[str]:
    """Names of the entrants by seat."""
    entrants = played.rows["entrant"][0, : experiment.seats].tolist()
    return experiment.game.words.line_up(experiment.cards, entrants)


def decision_words(experiment: Experiment, played: Replay, line: int, seated: list[str]) -> str:
    """Return one decision: who, what, and of how many options."""
    move = played.moves[line]
    words = experiment.game.words.action(played.positions[line], experiment.cards, int(move["action"]))
    choice = "no choice" if move["options"] == 1 else f"{move['options']} options"
    return f"  {seated[move['seat']]} ({seat_word(move['seat'])}): {words}   [{choice}]"


def ending(row: np.void, seated: list[str]) -> str:
    """Return how a game ended."""
    if row["status"] == Status.CAPPED:
        return f"Stopped after {row['turns']} turns: nobody wins."
    if not row["share"].any():
        return f"Over after {row['turns']} turns and {row['decisions']} decisions: nobody wins."
    winners = [f"{name} ({seat_word(seat)})" for seat, name in enumerate(seated) if row["share"][seat] > 0]
    return f"{' and '.join(winners)} won after {row['turns']} turns and {row['decisions']} decisions."


def replay_record(experiment: Experiment, index: int, weighing: Weighing | None = None) -> dict[str, Any]:
    """Return a replay as plain values: the same decisions and events, and the position after the last.

    weighing: of this very game; its values stand beside the decisions and under `weighed`.
    """
    game, cards = experiment.game, experiment.cards
    played = weighing.played if weighing else replay(experiment, index)
    seated = seat_names(experiment, played)
    row, moves = played.rows[0], []
    for line, move in enumerate(played.moves[:-1]):
        before, after = played.positions[line], played.positions[line + 1]
        moves.append(
            {
                "turn": int(move["turn"]) + 1,
                "seat": int(move["seat"]),
                "options": int(move["options"]),
                "decision": game.words.action(before, cards, int(move["action"])),
                "events": game.words.events(before, after, cards),
            }
            | (weighing_words.move_values(weighing, line) if weighing else {})
        )
    told_too = {"weighed": weighing_words.as_values(weighing)} if weighing else {}
    return {
        "facts": {key: value for key, value in experiment.facts().items() if key not in OF_A_BATCH} | {"index": index},
        "line_up": seated,
        "moves": moves,
        "position": game.words.position(played.positions[-1], cards),
        "status": "truncated" if row["status"] == Status.CAPPED else Status(row["status"]).name.lower(),
        "turns": int(row["turns"]),
        "shares": row["share"][: experiment.seats].tolist(),
    } | told_too


def scenario_lines(scenario: Scenario, result: Result) -> Iterator[str]:
    """Yield what a scenario led to: decisions and events, the position as JSON-like lines, and the differences."""
    if scenario.title:
        yield scenario.title
    yield from result.log
    yield "position after, as a scenario file has it (seats counted from 0):"
    yield from _indented(result.position, "  ")
    if result.differences:
        yield "differs from what is expected:"
        yield from (f"  {difference}" for difference in result.differences)
    elif scenario.expect:
        yield "as expected"


def _indented(value: Any, margin: str) -> Iterator[str]:
    """Yield a position line by line: one line per plain field and per item of a list."""
    for key, item in value.items():
        if isinstance(item, list) and item and isinstance(item[0], dict):
            yield f"{margin}{key}:"
            for entry in item:
                yield margin + "  " + ", ".join(f"{name} {plain}" for name, plain in entry.items())
        else:
            yield f"{margin}{key}: {item}"
