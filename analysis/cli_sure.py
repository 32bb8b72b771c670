"""The subcommands that play until something is sure: `fairfight compare` and `fairfight strongest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analysis import interrupts, terminal
from analysis.again import again
from analysis.naming import open_game
from analysis.options import AsJson, Cards, GameName, Jobs, Seats, Seed, check_jobs, policies_of, prepare
from analysis.terminal import Ticker, clear_messages
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment

CsvFile = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the first table to a CSV file.")]
OnePolicy = Annotated[
    str, typer.Option("--policy", metavar="P", help="random, greedy:k, flat:n or search:n, for all seats.")
]


def compare_command(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="An entrant (id); a team by its parts, such as a+b+c.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another of the same game.")],
    margin: Annotated[
        float,
        typer.Option("--margin", metavar="POINTS", help="Differences below it do not matter, in percentage points."),
    ] = 1.0,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="A game or a run folder, where several games have entrants of these names."
        ),
    ] = None,
    cards: Cards = None,
    policy: OnePolicy = "greedy",
    alpha: Annotated[float, typer.Option("--alpha", help="Chance of a wrong decision.")] = 0.05,
    games: Annotated[
        int | None, typer.Option("--games", help="The most that may be played; by default enough for the margin.")
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
) -> None:
    """Which of two is stronger, or are they within a margin of each other: plays in pairs until that is sure.

    Example: fairfight compare rhino_guy mirror_mage --margin 2
    """
    from analysis.head_to_head import Duel, Verdict, find, pairing
    from analysis.playing import play_until
    from analysis.sprt import OPEN, bounds, checked_margin

    with clear_messages():
        found, card_set, two = find(first, second, game, cards)
        gap = checked_margin(margin)
        bounds(alpha)
        experiment = pairing(found, card_set, two, _one(policy), games, seed, gap)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        duel = Duel(experiment, gap, alpha)
        with Ticker() as ticker:
            interrupted = play_until(experiment, duel, workers, ticker)
        if duel.pairs:
            more = experiment.games_wanted if interrupted else 2 * experiment.games
            command = again(context, games=more) if duel.decision == OPEN else ""
            terminal.show(Verdict(duel, interrupted, command), as_json, csv)
    if interrupted:
        interrupts.leave(f"shown: {duel.games:,} games" if duel.pairs else "")


def strongest_command(
    context: typer.Context,
    game: GameName,
    cards: Cards = None,
    games: Annotated[
        int | None, typer.Option("--games", help="The most that may be played; by default 2500 for each entrant.")
    ] = None,
    sure: Annotated[float, typer.Option("--sure", help="Chance of a right answer at which to stop.")] = 0.95,
    seats: Seats = 2,
    policy: OnePolicy = "greedy",
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
) -> None:
    """Who is the strongest and who the weakest, and how sure is that: games go where the answer is least sure.

    Example: fairfight strongest arena --sure 0.99
    """
    from analysis.standing import Standing
    from analysis.strongest import INTERRUPTED, REACHED, USUAL_GAMES, Search, against_each, search

    with clear_messages():
        found, card_set = open_game(game, cards)
        most = USUAL_GAMES * len(card_set.ids) if games is None else games
        experiment = Experiment(found.name, card_set, seats, (_one(policy),), most, seed)
        looked_for = Search(against_each(experiment), sure)
        most = max(most, 2 * looked_for.first_games) if games is None else most
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        prepare(found)
        with Ticker() as ticker:
            why = search(looked_for, most, workers, ticker)
        if looked_for.games:
            surer = 1 - (1 - sure) / 5
            command = (
                again(context, sure=surer, games=None)
                if why == REACHED
                else again(context, games=most if why == INTERRUPTED else 4 * most)
            )
            terminal.show(Standing(experiment, looked_for, why, command), as_json, csv)
    if why == INTERRUPTED:
        interrupts.leave(f"shown: {looked_for.games:,} games" if looked_for.games else "")


def _one(policy: str) -> PolicySpec:
    """Read the policy of all seats. Raises ValueError where several are named."""
    found = policies_of(policy)
    if len(found) > 1:
        raise ValueError(f"policy={policy!r}: entrants are compared with one policy for all seats")
    return found[0]
