"""The subcommand that fits how players judge positions: `fairfight train`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import terminal
from analysis.naming import open_game, words_for
from analysis.options import AsJson, Cards, GameName, Jobs, Seed, check_jobs, policies_of, prepare
from analysis.terminal import Ticker, clear_messages
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.policies import BY_HAND
from sim.experiment import Experiment
from sim.store import is_run

if TYPE_CHECKING:  # the other commands need no statistics
    from analysis.training.train import Trained


def train_command(
    game: GameName,
    cards: Cards = None,
    games: Annotated[int, typer.Option("--games", help="Games of a round, by number of seats.")] = 20_000,
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
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE", help="Draw how reliable they are as PNG or SVG.")
    ] = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Fit the weights by which players judge positions to games that they play against themselves, and try them.

    Weights are written if they surely win against those before and those set by hand, at one table, with the same seats and dice;
    each number of seats for itself.

    Example: fairfight train arena --cards my-arena --games 20000
    """
    from analysis.rolling import check_chart
    from analysis.training import file
    from analysis.training.result import Result, notes
    from analysis.training.train import train

    with clear_messages():
        found, card_set = open_game(game, cards)
        target = out or default_target(found, card_set)
        experiments = planned(found, card_set, seats, policy, games, seed, rounds)
        workers, picture = check_jobs(jobs), check_chart(chart)
        for path in (target, picture):
            terminal.check_file(path)
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
        if picture:
            draw(trained, picture)
        terminal.show(result, as_json, None)


def default_target(game: Game, cards: CardSet) -> Path | None:
    """Beside a user's card file; nowhere for the reference set and for the cards of a run."""
    from analysis.training import file

    own = not is_run(cards.path) and cards.path != game.reference
    return file.beside(cards.path) if own else None


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
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
    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(one.seats) for one in experiments)
    options += ["--seats", seats, "--games", str(first.games_wanted), "--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])


def draw(trained: Sequence[Trained], path: Path) -> None:
    """Draw how reliable the judgements are. Raises ReportError."""
    import pandas as pd

    from analysis.charts import render
    from analysis.charts.reliability import reliability
    from analysis.report.files import write_bytes, write_text

    frame = pd.concat([one.reliability.assign(seats=one.seats) for one in trained], ignore_index=True)
    figure = reliability(frame)
    if path.suffix.lower() == ".png":
        write_bytes(path, render.png(figure))
    else:
        write_text(
            path, render.svg_file(render.svg(figure, "reliability", "Winning chances as judged and as they came true"))
        )
