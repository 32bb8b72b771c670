"""The subcommand `fairfight watch`: a game told move by move, weighed if wanted; and which games of many are worth it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis import terminal
from analysis.naming import line_up_of, names_run, policy_of
from analysis.on_runs import OnRuns, planned, stored
from analysis.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    DecksFile,
    Force,
    GameName,
    Jobs,
    LineUp,
    OnlyDecks,
    PolicyNames,
    RandomDecks,
    Seats,
    Seed,
    check_jobs,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw
from analysis.terminal import Ticker, clear_messages
from sim.registry import GAMES

if TYPE_CHECKING:  # it loads the statistics
    from matplotlib.figure import Figure

    from analysis.interesting import Picked
    from analysis.weighing import Weighing
    from sim.engine.policies import PolicySpec
    from sim.experiment import Experiment

WEIGH, JUDGE = "--weigh", "search:200"
GAMES_WANTED = 200  # of which the interesting ones are picked, where no run brings its own
GAMES_MOST = 100_000  # of a run: its first ones, whose rows are held in memory
REPLAYS = 1000  # games whose positions are looked through


class Watch(OnRuns):
    """A command whose `--weigh` may stand without a policy, which is JUDGE then."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write the usual policy behind a `--weigh` that stands alone."""
        filled: list[str] = []
        for at, word in enumerate(args):
            filled.append(word)
            following = args[at + 1] if at + 1 < len(args) else "--"
            if word == WEIGH and (following.startswith("-") or following in GAMES or names_run(following)):
                filled.append(JUDGE)
        return list(super().parse_args(ctx, filled))


def watch_command(
    game: GameName,
    seed: Seed = 1,
    index: Annotated[int, typer.Option("--game", help="Index of the game, 0 for the first.")] = 0,
    weigh: Annotated[
        str | None,
        typer.Option(
            WEIGH,
            metavar="[POLICY]",
            help=f"Show what every alternative was worth, {JUDGE} if no policy is named; mark blunders and lucky rolls.",
        ),
    ] = None,
    chart: ChartFile = None,
    force: Force = False,
    interesting: Annotated[
        bool, typer.Option("--interesting", help="Pick the most typical, most surprising and closest of many games.")
    ] = False,
    show: Annotated[
        str | None,
        typer.Option("--show", metavar="typical|surprising|closest", help="Replay that one of the interesting games."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help=f"{IN_ALL}, to pick from: {GAMES_WANTED} if left out, those of a run."),
    ] = None,
    replays: Annotated[
        int, typer.Option("--replays", help="Of these, games whose positions are looked through at the most.")
    ] = REPLAYS,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    line_up: LineUp = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    cards: Cards = None,
    pictures: Annotated[bool, typer.Option("--pictures/--no-pictures", help="Draw the position at every turn.")] = True,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Replay any simulated game move by move: the same policies, dice and result as in the batch of that seed.

    Example: fairfight watch arena --seed 1 --game 17 --seats 2 --policy greedy

    Example: fairfight watch arena --game 17 --weigh --chart course.png

    Example: fairfight watch arena --interesting --show surprising --weigh
    """
    from analysis.deck_choice import DeckChoice
    from analysis.interesting import checked_kind
    from analysis.weighing import checked
    from sim.experiment import Experiment

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if index < 0:
            raise ValueError(f"game={index} must be at least 0")
        _check_alone(interesting, {"--show": show, "--games": games})
        kind = checked_kind(show) if show else None
        judge = None if weigh is None else checked(policy_of(weigh))
        workers = check_jobs(jobs)
        _check_chart(chart, judge, interesting and not kind)
        check_files(force, chart=chart)
        seated = line_up_of(line_up, found, card_set, seats)
        wanted = index + 1 if not interesting else GAMES_WANTED if games is None else games
        held = stored(game, GAMES_MOST) if interesting and games is None else None
        players = (found.name, card_set, seats, policies_of(policy), wanted, seed)
        experiment = held or planned(game, wanted) or Experiment(*players, line_up=seated)
        for part in ("loop", *(("judge",) if interesting or judge else ()), *(("weigh",) if judge else ())):
            prepare(found, part)
        if interesting:
            picked = _pick(experiment, replays, workers)
            if kind is None:
                _tell_picked(picked, as_json)
                return
            index = picked.index_of(kind)
        _replay(experiment, index, Telling(judge, chart, pictures, as_json))


@dataclass(frozen=True)
class Telling:
    """How a game is told."""

    judge: PolicySpec | None
    chart: Path | None
    pictures: bool
    as_json: bool


def _check_alone(interesting: bool, values: dict[str, object]) -> None:
    """Raise ValueError for options that only say something of many games."""
    for option, value in values.items():
        if value is not None and not interesting:
            raise ValueError(f"{option} {value}: goes with --interesting")


def _check_chart(target: Path | None, judge: PolicySpec | None, none_shown: bool) -> None:
    """Raise ValueError for a chart of no game, or of one that is not weighed."""
    if target is not None and none_shown:
        raise ValueError(f"--chart {target}: is of one game; say which with --show")
    if target is not None and judge is None:
        raise ValueError(f"--chart {target}: goes with {WEIGH}, for it shows what was given away")


def _pick(experiment: Experiment, replays: int, workers: int | None) -> Picked:
    """Look through the games."""
    from analysis.interesting import pick

    with Ticker() as ticker:
        return pick(experiment, replays, workers, ticker)


def _tell_picked(picked: Picked, as_json: bool) -> None:
    """Say which games are worth watching."""
    from analysis.interesting_words import as_values, lines

    if as_json:
        terminal.print_json(as_values(picked))
        return
    for line in lines(picked):
        terminal.tell(line)


def _drawn(weighing: Weighing) -> Figure:
    """The main chart: the course of the winning chances."""
    from analysis.course_chart import figure

    return figure(weighing)


def _replay(experiment: Experiment, index: int, how: Telling) -> None:
    """Tell one game."""
    from analysis.watching import replay_lines, replay_record, weighed_lines
    from analysis.weighing import Weighing

    weighing = None if how.judge is None else Weighing.of(experiment, index, how.judge)
    if weighing is not None:
        draw(how.chart, lambda: _drawn(weighing), "Winning chances through one game")
    if how.as_json:
        terminal.print_json(replay_record(experiment, index, weighing))
        return
    lines = weighed_lines(weighing, how.pictures) if weighing else replay_lines(experiment, index, how.pictures)
    for line in lines:
        terminal.say(line)
