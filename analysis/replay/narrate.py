"""A game as text, as plain values and as a chart.

Replays of simulated games are printed move by move in the game's own words, with evaluations if wanted, and scenario files with
their result. `figure` draws the course of an evaluated game with `charts.course`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.model import Drawn
from analysis.answer.numbers import THIN, percent, points, seat_word
from analysis.answer.prose import plural
from analysis.data.decks import toml_lines
from analysis.data.players import player_words
from analysis.data.rows import distinct
from analysis.replay.select import AGAIN, LUCKY, MARKS, REROLLS, Decision, GameAnalysis, seat_names, seated_names
from sim.engine.jit import interpreted
from sim.engine.loop import Status
from sim.engine.scenario import Result, Scenario
from sim.experiments.experiment import Experiment
from sim.run import Replay

if TYPE_CHECKING:  # most commands draw no chart
    from matplotlib.figure import Figure

SHOWN = 5  # alternatives of a decision that are shown
BRIEF, WIDTH = 19, 78  # lines of a short story, and columns before its lines are broken
EARLIER = "..."  # turns that a short story leaves out
MARGIN = "      "
SURE = 0.0005  # smaller chances are printed as zero
DRAWN = ("blunder", "mistake")  # marks in the chart; inaccuracies would crowd it


def analysed_lines(analysis: GameAnalysis, pictures: bool = True) -> Iterator[str]:
    """Yield errors and luck of each seat, then the lines of a replay with evaluations."""
    yield from summary(analysis)
    yield ""
    yield from replay_lines(analysis.experiment, analysis.index, analysis.played, pictures, analysis)


def replay_lines(
    experiment: Experiment, index: int, played: Replay, pictures: bool = True, analysis: GameAnalysis | None = None
) -> Iterator[str]:
    """Yield the lines of a replayed game, or of a part of it: line-up, every decision with its events, winner.

    pictures: show one per turn; analysis: of the same game, to show its evaluations too.
    """
    seated = seated_names(experiment, played.rows[0])
    yield from line_up_lines(experiment, index, played)
    turn = -1
    for line, move in enumerate(played.moves[:-1]):
        before, after = played.positions[line], played.positions[line + 1]
        if move["turn"] != turn:
            if analysis and line:
                yield turn_end(analysis, line)
            turn = int(move["turn"])
            yield from ("", f"Turn {turn + 1}", *(drawn(experiment, before) if pictures else ()))
        choice = "no choice" if move["options"] == 1 else f"{move['options']} options"
        yield f"  {seated[move['seat']]}: {decision_words(experiment, before, int(move['action']))}   [{choice}]"
        yield from alternatives(analysis, line) if analysis else ()
        yield from (f"    {event}" for event in event_words(experiment, before, after))
        yield from luck_lines(analysis, line) if analysis else ()
    yield from ("", *(drawn(experiment, played.positions[-1]) if pictures else ()))
    yield result_line(experiment, played)


def result_line(experiment: Experiment, played: Replay) -> str:
    """Who won, and after how many turns and decisions."""
    row, seated = played.rows[0], seated_names(experiment, played.rows[0])
    if row["status"] == Status.TRUNCATED:
        return f"Stopped after {row['turns']} turns: no player wins."
    if not row["share"].any():
        return f"Over after {row['turns']} turns and {row['decisions']} decisions: no player wins."
    winners = " and ".join(name for seat, name in enumerate(seated) if row["share"][seat] > 0)
    return f"{winners} won after {row['turns']} turns and {row['decisions']} decisions."


def line_up_lines(experiment: Experiment, index: int, played: Replay) -> Iterator[str]:
    """Yield which game it is, who plays, and who sits where."""
    players = player_words(experiment.game, experiment.policies)
    yield f"{experiment.game.title}, game {index} of seed {experiment.seed}, {players}"
    yield from (f"  {seat_word(seat)}: {name}" for seat, name in enumerate(seat_names(experiment, played.rows[0])))


def last_turns(experiment: Experiment, index: int, played: Replay) -> Iterator[str]:
    """Yield the line-up and the last turns, without pictures, in BRIEF lines; of a longer last turn its end."""
    head = list(line_up_lines(experiment, index, played))
    story = list(replay_lines(experiment, index, played, pictures=False))[len(head) : -2]  # the result stands above
    starts = [place for place, line in enumerate(story) if line.startswith("Turn ")]
    room = BRIEF - printed(head)
    fitting = [place for place in starts if printed(story[place:]) <= room]
    begin = fitting[0] if fitting else next(place for place in range(len(story)) if printed(story[place:]) <= room)
    yield from head
    yield from ("", *([] if begin == starts[0] else [EARLIER]), *story[begin:])


def worst_decisions(analysis: GameAnalysis) -> Iterator[str]:
    """Yield errors and luck of each seat, and the decisions that gave away most, in BRIEF lines."""
    head = list(summary(analysis))
    yield from head
    marked = [(line, decision) for line, decision in analysis.decisions.items() if decision.mark]
    marked.sort(key=lambda pair: -pair[1].given_away)
    room = BRIEF - printed(head) - 2  # a blank line and a heading
    lines: list[str] = []
    for line, decision in marked:
        turn, action = analysis.played.moves[line]["turn"] + 1, action_words(analysis, line, decision.taken)
        both = [
            f"  Turn {turn}, {analysis.seated[decision.seat]}: {action}",
            f"    {decision.mark}: gives away {_points(decision.given_away)} (best: {action_words(analysis, line, 0)})",
        ]
        if printed([*lines, *both]) > room:
            break
        lines += both
    if lines:
        yield from ("", "Decisions that gave away most:", *lines)


def printed(lines: Iterable[str]) -> int:
    """Number of lines that these take in WIDTH columns."""
    return sum(max(1, ceil(len(line) / WIDTH)) for line in lines)


def drawn(experiment: Experiment, position: Any) -> Iterator[Drawn]:
    """Yield the lines of the picture of a position."""
    yield from map(Drawn, picture_lines(experiment, position))


def picture_lines(experiment: Experiment, position: Any) -> list[str]:
    """Lines of the picture of a position."""
    with interpreted():
        return experiment.game.words.picture(position, experiment.cards).splitlines()


def decision_words(experiment: Experiment, position: Any, action: int) -> str:
    """A decision in the game's words. Its kernels run as plain Python, here and below: compiling them would take longer."""
    with interpreted():
        return experiment.game.words.action(position, experiment.cards, action)


def event_words(experiment: Experiment, before: Any, after: Any) -> list[str]:
    """What happened between two positions, in the game's words."""
    with interpreted():
        return experiment.game.words.events(before, after, experiment.cards)


def move_rows(experiment: Experiment, played: Replay) -> Iterator[dict[str, Any]]:
    """Yield each move as plain values: turn, seat, name, options (their number), decision and events in words."""
    names = seat_names(experiment, played.rows[0])
    for move, before, after in zip(played.moves[:-1], played.positions[:-1], played.positions[1:], strict=True):
        seat = int(move["seat"])
        yield {
            "turn": int(move["turn"]) + 1,
            "seat": seat,
            "name": names[seat],
            "options": int(move["options"]),
            "decision": decision_words(experiment, before, int(move["action"])),
            "events": event_words(experiment, before, after),
        }


def position_words(experiment: Experiment, position: Any) -> dict[str, Any]:
    """A position by the game's readable names."""
    with interpreted():
        return experiment.game.words.position(position, experiment.cards)


def alternatives(analysis: GameAnalysis, line: int) -> Iterator[str]:
    """Yield the worth of the alternatives of a decision, best first, and the chance given away; nothing without alternatives."""
    decision = analysis.decisions.get(line)
    if decision is None:
        return
    places = shown_places(decision)
    words = [f"{percent(decision.chances[place])} {action_words(analysis, line, place)}" for place in places]
    words = [f"[{word}]" if place == decision.taken else word for word, place in zip(words, places, strict=True)]
    more = len(decision.actions) - len(places)
    rest = f" \u00b7 {more} more, down to {percent(decision.chances[-1])}" if more else ""
    yield MARGIN + " \u00b7 ".join(words) + rest
    if decision.mark:
        best = action_words(analysis, line, 0)
        yield f"{MARGIN}{decision.mark.upper()}: gives away {_points(decision.given_away)} (best: {best})"


def shown_places(decision: Decision) -> list[int]:
    """Indexes of the alternatives that are shown: the best ones, and the choice."""
    places = list(range(min(SHOWN, len(decision.actions))))
    return places if decision.taken in places else [*places[:-1], decision.taken]


def turn_end(analysis: GameAnalysis, line: int) -> str:
    """Describe the chances of all seats at the end of a turn. line: of the first decision after it."""
    chances = zip(analysis.seated, analysis.chances[line], strict=True)
    words = ", ".join(f"{name} {percent(chance)}" for name, chance in chances)
    return f"End of turn {analysis.played.moves[line - 1]['turn'] + 1}, chances by the game's evaluation: {words}"


def luck_lines(analysis: GameAnalysis, line: int) -> Iterator[str]:
    """Yield the seats that were lucky or unlucky after a decision."""
    for seat, moved in analysis.lucky(line).items():
        yield f"{MARGIN}{'lucky' if moved > 0 else 'unlucky'} for {analysis.seated[seat]}: {points(moved)} points"


def summary(analysis: GameAnalysis) -> Iterator[str]:
    """Yield the errors and the luck of each seat, and the turning point."""
    for seat, name in enumerate(analysis.seated):
        marks = ", ".join(f"{count} {mark if count == 1 else plural(mark)}" for mark, count in analysis.marked(seat).items())
        lost, luck = _points(analysis.given_away(seat)), points(analysis.luck_in_all[seat])
        yield f"{name}: {marks}; gave away {lost}; luck {luck} points"
    if abs(analysis.of_deal).max() >= SURE:
        deal = ", ".join(f"{name} {points(part)}" for name, part in zip(analysis.names, analysis.of_deal, strict=True))
        yield f"Including the luck of the deal: {deal}"
    yield f"Turning point: {turning_words(analysis)}"


def explanations(analysis: GameAnalysis) -> Iterator[str]:
    """Yield how a game was evaluated, and what the marks mean."""
    yield f"Evaluated by {analysis.policy}, which {analysis.policy.in_words}; luck by the game's own evaluation."
    least = ", ".join(f"{name} {100 * given:g}" for name, given in reversed(MARKS))
    yield "Chances of alternatives: winning chance of the deciding seat, from what it knows; [ ] was chosen."
    yield (
        "Chances at the end of a turn: after its last decision and rolls, by the game's own evaluation, which sees all hidden "
        "information; --interesting and --chart show the same chances."
    )
    yield f"Points given away: {least} or more, confirmed with {AGAIN} times the effort; totals are of marked decisions."
    yield (
        f"Lucky or unlucky: {100 * LUCKY:g} points or more from the mean of {REROLLS} samples of the same chance event. The two "
        "evaluations differ, so their points do not add up."
    )


def turning_words(analysis: GameAnalysis) -> str:
    """Describe where and how the winner got ahead for good."""
    winner, line, row = analysis.winner, analysis.turning_point, analysis.played.rows[0]
    if winner is None and row["status"] == Status.TRUNCATED:
        return "none, because the game was stopped"
    if winner is None:
        return f"none, because {'the win is shared' if row['share'].any() else 'no seat won'}"
    experiment, played, name = analysis.experiment, analysis.played, analysis.names[winner]
    if line is None:
        return f"none, because {name} was ahead from the deal on"
    before, after = analysis.chances[line : line + 2, winner]
    move, chance = played.moves[line], float(analysis.luck[line, winner])
    what = decision_words(experiment, played.positions[line], int(move["action"]))
    luck = f", {points(chance)} of it by chance" if abs(chance) >= SURE else ""
    return (
        f"turn {move['turn'] + 1}, {analysis.seated[move['seat']]}: {what}; from there on {name} was ahead for good "
        f"({percent(before)} to {percent(after)}{luck})"
    )


def action_words(analysis: GameAnalysis, line: int, place: int) -> str:
    """An alternative in the game's words."""
    action = analysis.decisions[line].actions[place]
    return decision_words(analysis.experiment, analysis.played.positions[line], action)


def _points(share: float) -> str:
    """Amount of points, without a sign."""
    return f"{100 * share:.1f}{THIN}points"


def scenario_lines(scenario: Scenario, result: Result) -> Iterator[str]:
    """Yield the result of a scenario: decisions and events, the position as in a scenario file, and the differences."""
    if scenario.title:
        yield scenario.title
    yield from result.log
    yield "position after, as in a scenario file (seats counted from 0):"
    yield "  [position]"
    for key, value in result.position.items():
        yield from (f"  {line}" for line in toml_lines(key, value))
    if result.differences:
        yield "differences from the expected position:"
        yield from (f"  {difference}" for difference in result.differences)
    elif scenario.expect:
        yield "as expected"


def lines_of(analysis: GameAnalysis) -> pd.DataFrame:
    """Chance of every seat before every decision, and at the end: columns line, x, turn, estimate."""
    turn = analysis.played.moves["turn"] + 1
    if len(turn) > 1 and turn[-1] > turn[-2]:  # the end does not open a new turn
        turn[-1] -= 1
    parts = [
        pd.DataFrame({"line": name, "x": range(len(turn)), "turn": turn, "estimate": analysis.chances[:, seat]})
        for seat, name in enumerate(distinct(analysis.names))
    ]
    return pd.concat(parts, ignore_index=True)


def marks_of(analysis: GameAnalysis) -> pd.DataFrame:
    """Blunders, mistakes and luck: columns line, x, kind. Luck is marked where its effect shows, at the next line."""
    names, decisions = distinct(analysis.names), analysis.decisions.items()
    marks = [(names[decision.seat], line, decision.mark) for line, decision in decisions if decision.mark in DRAWN]
    for line in range(len(analysis.luck) - 1):
        moved = analysis.lucky(line)
        gained = [seat for seat, by in moved.items() if by > 0]
        marks += [(names[seat], line + 1, "lucky" if gained else "unlucky") for seat in gained or moved]
    return pd.DataFrame(marks, columns=["line", "x", "kind"])


def figure(analysis: GameAnalysis) -> Figure:
    """Draw a game's course."""
    note = f"Lines: chances by the game's own evaluation, scaled to add up to 1; decisions marked by {analysis.policy}"
    return charts.course(lines_of(analysis), marks_of(analysis), turning=analysis.turning_point, note=note)
