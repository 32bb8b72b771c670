"""The command that fits how players evaluate positions: `train`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from analysis.cli.options import Asked, common
from analysis.data.names import policies_of, words_for
from analysis.output import terminal
from analysis.output.answers import show
from analysis.output.files import wrote

if TYPE_CHECKING:
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.experiments.experiment import Experiment

ROUND_GAMES = 20_000  # of a round, by default


@common("seats", "policy")
def train_command(
    asked: Asked,
    games: int | None = None,
    round_games: int | None = None,
    rounds: int = 2,
    seats: str | None = None,
    policy: str = "greedy:1",
    out: Path | None = None,
    anyway: bool = False,
) -> None:
    """Fit the weights with which players evaluate positions to self-play games, and test them.

    Weights are written if they surely win against both the previous weights and those set by hand, with the same seats and dice,
    separately for each number of seats.

    --games: Games played in all, at most, for all numbers of seats: rounds, trials of fits, check and matches. Branches played
        from positions of a game do not count. By default, --round-games decides.
    --round-games: Instead: games of a round, for each number of seats; default {ROUND_GAMES:,}.
    --rounds: Rounds of playing and fitting, each with the weights of the last.
    --seats N[,N...]: Numbers of seats; by default all of the game.
    --policy P[,P...]: Policies in the games for training.
    --out FILE: File to write; with --cards, by default weights.toml beside the card file.
    --anyway: Also write weights that do not surely win.

    Example: fairfight train arena --cards my-arena --round-games 5000
    """
    from analysis.training import result
    from analysis.training.train import afforded, train
    from sim.engine.evaluation import FILE_NAME

    game, cards = asked.opened
    if games is not None and round_games is not None:
        raise ValueError(f"--games {games} and --round-games {round_games}: name one of the two")
    is_users = cards.path.suffix == ".toml" and cards.path != game.reference
    target = out or (cards.path.with_name(FILE_NAME) if is_users else None)
    of_round = ROUND_GAMES if round_games is None else round_games
    experiments = planned(game, cards, seats, policy, of_round, asked.seed, rounds)
    experiments = experiments if games is None else afforded(experiments, rounds, games)
    terminal.check_file(target)
    result.check(target)
    with asked.playing("loop", "step", "evaluation") as ticker:
        trained = tuple(train(experiment, rounds, asked.jobs, ticker) for experiment in experiments)
    taken = [training for training in trained if training.is_better or anyway]
    command = command_of(experiments, rounds, out)
    if target is not None and taken:
        result.write(target, game, cards, taken, command)
        wrote(target)
    answer = result.answer_of(game, cards, trained, command, taken, target)
    show(answer, "", as_json=asked.as_json, csv=asked.csv, chart=asked.chart, out=None, force=asked.force)


def planned(
    game: Game, cards: CardSet, seats: str | int | None, policy: str, games: int, seed: int, rounds: int
) -> list[Experiment]:
    """The games of a round, by number of seats. Raises ValueError."""
    from sim.engine.policies import BASELINE
    from sim.experiments.experiment import Experiment

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
    from analysis.data.decks import options_of

    first = experiments[0]
    word, options = words_for(first.game, first.cards)
    seats = ",".join(str(experiment.seats) for experiment in experiments)
    options += [*options_of(first.cards), "--seats", seats, "--round-games", str(first.games_wanted)]
    options += ["--rounds", str(rounds)]
    options += ["--policy", first.policy_words, "--seed", str(first.seed)]
    options += ["--out", str(out)] if out else []
    return " ".join(["fairfight", "train", *map(quote, [word, *options])])
