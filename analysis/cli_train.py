"""The subcommand that fits how players judge positions: `fairfight train`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import terminal
from analysis.naming import words_for
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
    RandomDecks,
    Seed,
    check_jobs,
    open_decks,
    policies_of,
    prepare,
)
from analysis.output_files import check_files, draw, wrote
from analysis.terminal import Ticker, clear_messages

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
    from analysis.deck_choice import DeckChoice
    from analysis.training import file
    from analysis.training.result import Result, notes
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
        file.check(target)
        prepare(found)
        prepare(found, "step")
        prepare(found, "judge")
        with Ticker() as ticker:
            trained = tuple(train(one, rounds, workers, ticker) for one in experiments)
        result = Result(found, card_set, trained, command_of(experiments, rounds, out), anyway, target)
        if target is not None and result.taken:
            told = notes(result.taken)
            file.write(target, file.text_of(found, result.weights, result.command, told))
            wrote(target)
        draw(chart, lambda: _drawn(trained), "Winning chances as judged and as they came true")
        terminal.show(result, as_json, csv)


def default_target(game: Game, cards: CardSet) -> Path | None:
    """Beside a user's card file; nowhere for the reference set and for the cards of a run."""
    from analysis.training import file
    from sim.store import is_run

    own = not is_run(cards.path) and cards.path != game.reference
    return file.beside(cards.path) if own else None


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
    from analysis.deck_choice import options_of

    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(one.seats) for one in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])


def _drawn(trained: Sequence[Trained]) -> Figure:
    """The main chart: how reliable the judgements are."""
    from analysis.main_charts import trained as reliable

    return reliable(trained)
