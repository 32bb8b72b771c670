"""`fairfight train`: fit how players evaluate positions."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from analysis.cli.asking import source_of
from analysis.cli.kept import keeping
from analysis.cli.options import (
    AsJson,
    Cards,
    ChartFile,
    CsvFile,
    DecksFile,
    Everything,
    Force,
    GameName,
    Jobs,
    NoColor,
    Notes,
    OnlyDecks,
    RandomDecks,
    Seed,
    check_jobs,
)
from analysis.data.decks import options_of
from analysis.data.names import policies_of, words_for
from analysis.games import cards_of
from analysis.output import terminal
from analysis.output.answers import show
from analysis.output.compiled import prepare
from analysis.output.files import check_files, wrote
from analysis.training import result
from analysis.training.train import afforded
from analysis.training.train import train as fitted
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.evaluation import FILE_NAME
from sim.engine.policies import BASELINE
from sim.experiments.experiment import Experiment

ROUND_GAMES = 20_000  # of a round, by default
COMPILED = ("loop", "step", "evaluation")

Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        help="Games played in all, at most, for all numbers of seats: rounds, trials of fits, check and matches. Branches played "
        "from positions of a game do not count. By default, --round-games decides.",
    ),
]
RoundGames = Annotated[
    int | None,
    typer.Option("--round-games", help=f"Instead: games of a round, for each number of seats; default {ROUND_GAMES:,}."),
]
Rounds = Annotated[int, typer.Option("--rounds", help="Rounds of playing and fitting, each with the weights of the last.")]
Numbers = Annotated[str | None, typer.Option("--seats", metavar="N[,N...]", help="Numbers of seats; by default all of the game.")]
Policies = Annotated[str, typer.Option("--policy", metavar="P[,P...]", help="Policies in the games for training.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="File to write; with --cards, by default weights.toml beside the card file."),
]
Anyway = Annotated[bool, typer.Option("--anyway", help="Also write weights that do not surely win.")]


@keeping
def train(
    game: GameName,
    games: Games = None,
    round_games: RoundGames = None,
    rounds: Rounds = 2,
    seats: Numbers = None,
    policy: Policies = "greedy:1",
    out: Out = None,
    anyway: Anyway = False,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
    csv: CsvFile = None,
    chart: ChartFile = None,
    force: Force = False,
    everything: Everything = False,
    notes: Notes = False,
    no_color: NoColor = False,
) -> None:
    """Fit the weights with which players evaluate positions to self-play games, and test them.

    Weights are written if they surely win against both the previous weights and those set by hand, with the same seats and dice,
    separately for each number of seats.

    Example: fairfight train arena --cards my-arena --round-games 5000
    """
    source = cards_of(source_of(game, cards, decks, only_decks, random_decks, seed))
    played, card_set = source.game, source.card_set
    if games is not None and round_games is not None:
        raise ValueError(f"--games {games} and --round-games {round_games}: name one of the two")
    is_users = card_set.path.suffix == ".toml" and card_set.path != played.reference
    target = out or (card_set.path.with_name(FILE_NAME) if is_users else None)
    of_round = ROUND_GAMES if round_games is None else round_games
    experiments = planned(played, card_set, seats, policy, of_round, seed, rounds)
    experiments = experiments if games is None else afforded(experiments, rounds, games)
    terminal.check_file(target)
    result.check(target)
    check_jobs(jobs)
    check_files(force, csv=csv, chart=chart)
    for part in COMPILED:
        prepare(played, part)
    with terminal.Ticker() as ticker:
        trained = tuple(fitted(experiment, rounds, jobs, ticker) for experiment in experiments)
    taken = [training for training in trained if training.is_better or anyway]
    command = command_of(experiments, rounds, out)
    if target is not None and taken:
        result.write(target, played, card_set, taken, command)
        wrote(target)
    answer = result.answer_of(played, card_set, trained, command, taken, target)
    with terminal.printing(everything=everything, notes=notes, no_color=no_color):
        show(answer, "", as_json=as_json, csv=csv, chart=chart, out=None, force=force)


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
    if not game.features:
        raise ValueError(f"{game.title}: its evaluation has no features; there is nothing to fit")
    if rounds < 1:
        raise ValueError(f"rounds={rounds} must be at least 1")
    policies = policies_of(policy)
    if any(spec.baseline for spec in policies):
        raise ValueError(f"policy={policy!r}: players here evaluate with the fitted weights; leave {BASELINE} out")
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
    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(experiment.seats) for experiment in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])
