"""The subcommand that proposes changes: `fairfight tune`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from analysis import terminal
from analysis.naming import open_game
from analysis.options import (
    AsJson,
    Cards,
    GameName,
    Jobs,
    PolicyNames,
    Seats,
    Seed,
    check_jobs,
    policies_of,
    prepare,
)
from analysis.terminal import Ticker, clear_messages
from sim.experiment import Experiment
from sim.run import blocks
from sim.stopping import writing


def tune_command(
    game: GameName,
    band: Annotated[
        str,
        typer.Option("--band", metavar="LOW:HIGH", help="Win rates wanted at two seats, in per cent; scaled at more."),
    ] = "45:55",
    target: Annotated[
        Path | None,
        typer.Option(
            "--target", metavar="FILE", help="TOML file with matchups and a first_seat share, instead of a band."
        ),
    ] = None,
    max_changes: Annotated[int, typer.Option("--max-changes", help="Numbers that may be changed, at most.")] = 8,
    fields: Annotated[
        str | None,
        typer.Option(
            "--fields", metavar="PATTERN[,PATTERN]", help="Which numbers, such as hero.*.move; else the entrants'."
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", help="Games in all, the re-test included.")] = 400_000,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    cards: Cards = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the changed card file.")] = None,
    as_json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the changed numbers to a CSV file.")
    ] = None,
) -> None:
    """The fewest, smallest changes of whole numbers that bring every win rate into a band, or the matchups to a target.

    Numbers that the card file marks as fixed are left alone. The proposal is re-tested with games of another seed.

    Example: fairfight tune arena --band 45:55 --out my-arena
    """
    from analysis.training.file import keep_weights
    from analysis.tuning.cardfile import check_folder, text_of, values_of, write_changed
    from analysis.tuning.goal import Band, Goal, read_target
    from analysis.tuning.result import Shown
    from analysis.tuning.tuned import tune

    with clear_messages():
        found, card_set = open_game(game, cards)
        goal = Goal(Band.parse(band), max_changes, None if target is None else read_target(target))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        terminal.check_file(csv)
        if out is not None:
            check_folder(out)
        prepare(found)
        with Ticker("steps") as ticker:
            patterns = fields.split(",") if fields else None
            tuned = tune(experiment, goal, games, patterns, partial(blocks, jobs=workers), ticker)
        file = None
        if out is not None:
            with writing():  # both or none
                file = write_changed(text_of(found, card_set), out, values_of(tuned.changes))
                keep_weights(found, card_set, file)
        terminal.show(Shown(tuned, file), as_json, csv)
