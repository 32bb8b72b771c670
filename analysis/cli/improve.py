"""The commands `tune`, which proposes changes, and `train`, which fits how players evaluate positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.cli.options import (
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
from analysis.data.names import words_for
from analysis.output import terminal
from analysis.output.files import check_files, draw, wrote
from analysis.output.terminal import Ticker, clear_messages
from sim.stopping import writing

if TYPE_CHECKING:  # they load the statistics
    from matplotlib.figure import Figure

    from analysis.tuning.confirm import Tuned

PER_CHANGE, PER_NUMBER = 3_200, 2_286  # least games, see `tuning.plan`; copied because the help imports nothing


def tune_command(
    game: GameName,
    band: Annotated[
        str,
        typer.Option("--band", metavar="LOW:HIGH", help="Target win rates at two seats, in per cent; scaled for more."),
    ] = "45:55",
    target: Annotated[
        Path | None,
        typer.Option(
            "--target", metavar="FILE", help="TOML file with target matchups and a first_seat share, instead of a band."
        ),
    ] = None,
    max_changes: Annotated[int, typer.Option("--max-changes", help="Largest number of changes.")] = 8,
    fields: Annotated[
        str | None,
        typer.Option(
            "--fields",
            metavar="PATTERN[,PATTERN]",
            help="Numbers to change, such as hero.*.move; by default those of the entrants.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, including the re-test. At least {PER_CHANGE:,} for each of --max-changes, and about "
            f"{PER_NUMBER:,} for each number that can change; a quarter of that for a number of one entrant out of eight.",
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
    from analysis.data.decks import DeckChoice
    from analysis.training.section import keep_weights
    from analysis.tuning.cardfile import check_folder, text_of, values_of, write_changed
    from analysis.tuning.confirm import planned, tune
    from analysis.tuning.goal import Band, Goal, read_target
    from analysis.tuning.section import Shown
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
            with writing():  # both files or none
                file = write_changed(text_of(found, card_set), out, values_of(tuned.changes), force)
                keep_weights(found, card_set, file)
            wrote(file)
        draw(chart, lambda: _drawn(tuned), f"Win rates of {found.title} now and with the changes")
        terminal.show(Shown(tuned, file), as_json, csv)


def _drawn(tuned: Tuned) -> Figure:
    """The main chart of `tune`."""
    from analysis.cli.main_charts import tuned_rates

    return tuned_rates(tuned)


if TYPE_CHECKING:  # the other commands need no statistics
    from matplotlib.figure import Figure

    from analysis.training.train import Trained
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.experiment import Experiment

ROUND_GAMES = 20_000  # of a round, by default


def train_command(
    game: GameName,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"{IN_ALL}, at most, for all numbers of seats: rounds, trials of fits, check and matches. Branches played from "
            "positions of a game do not count. By default, --round-games decides.",
        ),
    ] = None,
    round_games: Annotated[
        int | None,
        typer.Option(
            "--round-games", help=f"Instead: games of a round, for each number of seats; default {ROUND_GAMES:,}."
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", help="Rounds of playing and fitting, each with the weights of the last.")
    ] = 2,
    seats: Annotated[
        str | None, typer.Option("--seats", metavar="N[,N...]", help="Numbers of seats; by default all of the game.")
    ] = None,
    policy: Annotated[
        str, typer.Option("--policy", metavar="P[,P...]", help="Policies in the games for training.")
    ] = "greedy:1",
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="File to write; with --cards, by default judgement.toml beside the card file."
        ),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also write weights that do not surely win.")] = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Fit the weights with which players evaluate positions to self-play games, and test them.

    Weights are written if they surely win against both the previous weights and those set by hand, with the same seats and dice,
    separately for each number of seats.

    Example: fairfight train arena --cards my-arena --round-games 5000
    """
    from analysis.data.decks import DeckChoice
    from analysis.training import section
    from analysis.training.section import Result, notes
    from analysis.training.train import afforded, train

    with clear_messages():
        found, card_set = open_decks(game, cards, DeckChoice(decks, only_decks, random_decks, seed))
        if games is not None and round_games is not None:
            raise ValueError(f"--games {games} and --round-games {round_games}: name one of the two")
        target = out or default_target(found, card_set)
        of_round = ROUND_GAMES if round_games is None else round_games
        experiments = planned(found, card_set, seats, policy, of_round, seed, rounds)
        experiments = experiments if games is None else afforded(experiments, rounds, games)
        workers = check_jobs(jobs)
        check_files(force, csv=csv, chart=chart)
        terminal.check_file(target)
        section.check(target)
        prepare(found)
        prepare(found, "step")
        prepare(found, "judge")
        with Ticker() as ticker:
            trained = tuple(train(experiment, rounds, workers, ticker) for experiment in experiments)
        result = Result(found, card_set, trained, command_of(experiments, rounds, out), anyway, target)
        if target is not None and result.taken:
            comments = notes(result.taken)
            section.write(target, section.text_of(found, result.weights, result.command, comments))
            wrote(target)
        draw(chart, lambda: _train_drawn(trained), "Winning chances, predicted and actual")
        terminal.show(result, as_json, csv)


def default_target(game: Game, cards: CardSet) -> Path | None:
    """File beside a user's card file; None for the reference set and for the cards of a run."""
    from analysis.training import section
    from sim.store import is_run

    is_users = not is_run(cards.path) and cards.path != game.reference
    return section.beside(cards.path) if is_users else None


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
    from sim.engine.policies import BY_HAND
    from sim.experiment import Experiment

    if not game.features:
        raise ValueError(f"{game.title}: its evaluation has no features; there is nothing to fit")
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    policies = policies_of(policy)
    if any(spec.by_hand for spec in policies):
        raise ValueError(f"policy={policy!r}: players here evaluate with the fitted weights; leave {BY_HAND} out")
    numbers = game.seats_for(cards) if seats is None else numbers_of(str(seats))
    return [Experiment(game.name, cards, number, policies, games, seed) for number in numbers]


def numbers_of(text: str) -> list[int]:
    """Read comma-separated numbers of seats. Raises ValueError."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        raise ValueError(f"seats={text!r}: must be numbers of seats separated by commas, such as 2 or 2,3")
    return list(dict.fromkeys(map(int, words)))


def command_of(experiments: list[Experiment], rounds: int, out: Path | None) -> str:
    """Command that makes the same weights again, with all options that they depend on."""
    from analysis.data.decks import options_of

    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(experiment.seats) for experiment in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])


def _train_drawn(trained: Sequence[Trained]) -> Figure:
    """The main chart of `train`: reliability of the evaluations."""
    from analysis.cli.main_charts import trained as reliable

    return reliable(trained)
