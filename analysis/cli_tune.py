"""The subcommand that proposes changes: `fairfight tune`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import terminal
from analysis.options import (
    IN_ALL,
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Force,
    GameName,
    Jobs,
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
from analysis.output_files import check_files, draw, wrote
from analysis.terminal import Ticker, clear_messages
from sim.stopping import writing

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.tuning.tuned import Tuned

PER_CHANGE, PER_NUMBER = 3_200, 2_286  # games at the least, see `tuning.plan`; in the help, which loads nothing


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
    games: Annotated[
        int,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at the most, the re-test included. At least {PER_CHANGE:,} for each of --max-changes, and about "
            f"{PER_NUMBER:,} for each number that may be changed; for one of an entrant's own, of eight, a quarter of that.",
        ),
    ] = 400_000,
    seats: Seats = 2,
    policy: PolicyNames = "greedy",
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the changed card file.")] = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
) -> None:
    """The fewest, smallest changes of whole numbers that bring every win rate into a band, or the matchups to a target.

    Numbers that the card file marks as fixed are left alone. The proposal is re-tested with games of another seed.

    Example: fairfight tune arena --band 45:55 --out my-arena
    """
    from analysis.deck_choice import DeckChoice
    from analysis.training.file import keep_weights
    from analysis.tuning.cardfile import check_folder, text_of, values_of, write_changed
    from analysis.tuning.goal import Band, Goal, read_target
    from analysis.tuning.result import Shown
    from analysis.tuning.tuned import planned, tune
    from sim.experiment import Experiment
    from sim.run import blocks

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        goal = Goal(Band.parse(band), max_changes, None if target is None else read_target(target))
        experiment = Experiment(found.name, card_set, seats, policies_of(policy), 1, seed)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        if out is not None:
            check_folder(out, force)
        plan, numbers = planned(experiment, goal, games, fields.split(",") if fields else None)
        prepare(found)
        with Ticker("steps") as ticker:
            tuned = tune(experiment, goal, plan, numbers, partial(blocks, jobs=workers), ticker)
        file = None
        if out is not None:
            with writing():  # both or none
                file = write_changed(text_of(found, card_set), out, values_of(tuned.changes), force)
                keep_weights(found, card_set, file)
            wrote(file)
        draw(chart, lambda: _drawn(tuned), f"Win rates of {found.title} now and with the changes")
        terminal.show(Shown(tuned, file), as_json, csv)


def _drawn(tuned: Tuned) -> Figure:
    """The main chart."""
    from analysis.main_charts import tuned_rates

    return tuned_rates(tuned)
