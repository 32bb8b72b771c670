"""The commands that propose something better: `tune` and `train`.

The subcommand that proposes changes: `fairfight tune`.

The subcommand that fits how players judge positions: `fairfight train`.
"""

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
            with writing():  # both or none
                file = write_changed(text_of(found, card_set), out, values_of(tuned.changes), force)
                keep_weights(found, card_set, file)
            wrote(file)
        draw(chart, lambda: _drawn(tuned), f"Win rates of {found.title} now and with the changes")
        terminal.show(Shown(tuned, file), as_json, csv)


def _drawn(tuned: Tuned) -> Figure:
    """The main chart."""
    from analysis.cli.main_charts import tuned_rates

    return tuned_rates(tuned)


if TYPE_CHECKING:  # the other commands need no statistics
    from matplotlib.figure import Figure

    from analysis.training.train import Trained
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.experiment import Experiment

ROUND_GAMES = 20_000  # of a round, if nobody says how many


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
            help=f"{IN_ALL}, at the most, for all numbers of seats: rounds, trials of fits, check and matches; branches that are "
            "played on from positions of a game are no games of their own. By --round-games if left out.",
        ),
    ] = None,
    round_games: Annotated[
        int | None,
        typer.Option(
            "--round-games", help=f"Instead: games of a round, by number of seats; {ROUND_GAMES:,} if left out."
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", help="Rounds of playing and fitting, each by the weights of the last.")
    ] = 2,
    seats: Annotated[
        str | None, typer.Option("--seats", metavar="N[,N...]", help="Numbers of seats; all of the game if left out.")
    ] = None,
    policy: Annotated[
        str, typer.Option("--policy", metavar="P[,P...]", help="Players of the games that are learnt from.")
    ] = "greedy:1",
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="File to write; with --cards judgement.toml beside the card file."),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Write weights that do not surely win, too.")] = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Fit the weights by which players judge positions to games that they play against themselves, and try them.

    Weights are written if they surely win against those before and those set by hand, at one table, with the same seats and dice;
    each number of seats for itself.

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
            trained = tuple(train(one, rounds, workers, ticker) for one in experiments)
        result = Result(found, card_set, trained, command_of(experiments, rounds, out), anyway, target)
        if target is not None and result.taken:
            told = notes(result.taken)
            section.write(target, section.text_of(found, result.weights, result.command, told))
            wrote(target)
        draw(chart, lambda: _train_drawn(trained), "Winning chances as judged and as they came true")
        terminal.show(result, as_json, csv)


def default_target(game: Game, cards: CardSet) -> Path | None:
    """Beside a user's card file; nowhere for the reference set and for the cards of a run."""
    from analysis.training import section
    from sim.store import is_run

    own = not is_run(cards.path) and cards.path != game.reference
    return section.beside(cards.path) if own else None


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
    from sim.engine.policies import BY_HAND
    from sim.experiment import Experiment

    if not game.features:
        raise ValueError(f"{game.title}: its judgement weighs no features; there is nothing to fit")
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    policies = policies_of(policy)
    if any(one.by_hand for one in policies):
        raise ValueError(f"policy={policy!r}: players here judge by the weights that are fitted; leave {BY_HAND} out")
    numbers = game.seats_for(cards) if seats is None else numbers_of(str(seats))
    return [Experiment(game.name, cards, number, policies, games, seed) for number in numbers]


def numbers_of(text: str) -> list[int]:
    """Numbers of seats, with commas between them. Raises ValueError."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        raise ValueError(f"seats={text!r}: must be numbers of seats with commas between them, such as 2 or 2,3")
    return list(dict.fromkeys(map(int, words)))


def command_of(experiments: list[Experiment], rounds: int, out: Path | None) -> str:
    """The command that makes the same weights again, with all that they depend on."""
    from analysis.data.decks import options_of

    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(one.seats) for one in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])


def _train_drawn(trained: Sequence[Trained]) -> Figure:
    """The main chart: how reliable the judgements are."""
    from analysis.cli.main_charts import trained as reliable

    return reliable(trained)
