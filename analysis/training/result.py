"""The answer of `train`: tables, sentences and chart; and the file of weights.

The file is written completely or not at all, and contains the command that makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.files import ReportError, write_text
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, decimal, percent
from analysis.answer.prose import at_seats, capital, listed, number_word
from analysis.answer.tables import Table, data_only, estimate_columns, table
from analysis.data.card_text import weight_lines
from analysis.training.train import BASELINE, BEFORE, FITTED, MATCH, Trained
from sim.engine.cardfiles.paths import CardError
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.evaluation import FITTED as FILE_FITTED
from sim.weights import Weights, read_weights

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

LOSS_DIGITS = 4
AGAINST = {BEFORE: "those before", BASELINE: "those set by hand"}


def answer_of(
    game: Game, cards: CardSet, trained: Sequence[Trained], command: str, taken: Sequence[Trained], target: Path | None = None
) -> Answer:
    """Weights, charts.reliability, scores and matches.

    command: makes the weights again; taken: the trainings whose weights are accepted; target: file that they are written to.
    """
    written = [training.seats for training in taken] if target else []
    made = f"{count(sum(training.games for training in trained))} games in total: rounds, trials of fits, check and matches."
    first = trained[0].experiment
    facts: dict[str, Any] = {"game": game.name, "cards": cards.title, "cards_digest": cards.digest, "command": command}
    facts |= {"policy": first.policy_words, "seed": first.seed, "games": sum(training.games for training in trained)}
    facts |= {"written": written, "file": str(target) if written else None}
    return Answer(
        summary(trained, taken, target),
        tables(game, trained),
        (Chart(partial(reliability_chart, trained), "Winning chances, predicted by the weights, and how often they came true."),),
        (*notes(trained), made),
        facts,
        warnings=tuple(left_words(trained, taken, target)),
    )


def summary(trained: Sequence[Trained], taken: Sequence[Trained], target: Path | None) -> str:
    """How often the fitted weights win, or at how many numbers of seats they do, and whether they are written."""
    end = "are not written" if not taken or target is None else "are written"
    if len(trained) == 1:
        (training,) = trained
        won = [f"{percent(match.share.estimate)} against {AGAINST[match.against]}" for match in training.matches]
        return f"{capital(at_seats(training.seats))} the fitted weights win {listed(won)}; they {end}."
    better = sum(training.is_better for training in trained)
    surely = f"at {number_word(better)} of {number_word(len(trained))} numbers of seats"
    return f"The fitted weights surely win {surely}; {'those accepted' if taken else 'they'} {end}."


def left_words(trained: Sequence[Trained], taken: Sequence[Trained], target: Path | None) -> list[str]:
    """What was not written, and how to write it."""
    result = []
    if left := [at_seats(training.seats) for training in trained if training not in taken]:
        kept = "" if target is None else "; --anyway writes them"
        result.append(f"The weights {listed(left)} do not win significantly, so the previous ones stay{kept}.")
    if target is None and taken:
        result.append("Name a file with --out FILE to get the weights.")
    return result


def tables(game: Game, trained: Sequence[Trained]) -> tuple[Table, ...]:
    """Weights, scores and matches; reliability of the fitted weights by number of seats; rounds and checks as data."""
    shown = {"seats": "seats", "feature": "feature", "baseline": "by hand", "before": "before ", "fitted": "fitted"}
    caption = f"{game.title}: weights, in log-odds for 1 of each feature"
    built = [table(by_seats(trained, partial(weights_of, game)), "weights", caption, {**shown, "error": "standard error"})]
    bins = by_seats(trained, lambda training: training.reliability)
    shown = estimate_columns("came true", seats="seats", chance="chance") | {"rows": "rows"}
    formats: dict[str, Format] = {"chance": "percent", "came true": "percent", "rows": "count"}
    caption = "Reliability of the fitted weights, in games that the fit has not seen"
    fitted = bins[bins["evaluation"] == FITTED]
    built.append(replace(table(fitted, "reliability", caption, shown, formats), whole=bins))
    scores = by_seats(trained, lambda training: training.scores)
    losses = ("log_loss", "worse", "worse_low", "worse_high", "brier", "auc")
    words = scores.assign(**{name: scores[name].map(lambda value: decimal(value, LOSS_DIGITS)) for name in losses})
    shown = {"seats": "seats", "evaluation": "weights", "log_loss": "log loss", "worse": "above fitted"}
    shown |= {"worse_low": "from", "worse_high": "to", "brier": "Brier score", "auc": "AUC", "off": "off by", "n": "n"}
    caption = "Predictions of games that the fit has not seen"
    built.append(replace(table(words, "scores", caption, shown, {"off by": "percent"}), whole=scores))
    shown = estimate_columns("won", seats="seats", against="against", policy="policy of all") | {"verdict": "verdict"}
    caption = "Wins of the fitted weights as a share of all wins"
    built.append(table(by_seats(trained, matches_of), "matches", caption, shown, {"won": "percent"}, main=True))
    rounds = by_seats(trained, partial(rounds_of, game))
    return (*built, data_only(rounds, "rounds"), data_only(by_seats(trained, check_of), "checks"))


def by_seats(trained: Sequence[Trained], frame_of: Callable[[Trained], pd.DataFrame]) -> pd.DataFrame:
    """Frames of all numbers of seats as one, with a column seats."""
    return pd.concat([frame_of(training).assign(seats=training.seats) for training in trained], ignore_index=True)


def weights_of(game: Game, training: Trained) -> pd.DataFrame:
    """Weights of every feature: set by hand, before and fitted, with standard errors."""
    held, row = Weights.of(training.experiment.cards), training.seats - 1
    columns = {"baseline": held.baseline[row], "before": held.fitted[row]}
    return pd.DataFrame({"feature": game.features, **columns, "fitted": training.fit.weights, "error": training.fit.error})


def matches_of(training: Trained) -> pd.DataFrame:
    """Results of the matches."""
    names = ("estimate", "low", "high", "n")
    rows = [
        {"against": match.against, "policy": match.policy, "verdict": match.verdict}
        | {name: getattr(match.share, name) for name in names}
        for match in training.matches
    ]
    return pd.DataFrame(rows)


def rounds_of(game: Game, training: Trained) -> pd.DataFrame:
    """Size, penalty and weights of the fit of every round."""
    rows = [
        {"games": fit.games, "rows": fit.rows, "options": fit.options, "precision": fit.precision}
        | {"weights": dict(zip(game.features, map(float, fit.weights), strict=True))}
        for fit in training.rounds
    ]
    return pd.DataFrame(rows)


def check_of(training: Trained) -> pd.DataFrame:
    """The games that no fit has seen, and whether the weights are better."""
    sample = training.sample
    row = {"round_games": training.experiment.games, "games_in_all": training.games, "better": training.is_better}
    row |= {"games": sample.games, "truncated": sample.truncated, "rows": len(sample.share), "not_evaluated": sample.unweighed}
    return pd.DataFrame([row])


def reliability_chart(trained: Sequence[Trained]) -> Figure:
    """Predicted chances, and how often they came true."""
    return charts.reliability(by_seats(trained, lambda training: training.reliability))


def notes(trained: Sequence[Trained]) -> list[str]:
    """Sentences for each number of seats: size of the fit, quality of its predictions, and results of the matches."""
    result = []
    for training in trained:
        fit, scores = training.fit, training.scores.set_index("evaluation")
        loss = {str(name): decimal(value, LOSS_DIGITS) for name, value in scores["log_loss"].items()}
        won = [
            f"{percent(match.share.estimate)} ({percent(match.share.low)} to {percent(match.share.high)}) against "
            f"{AGAINST[match.against]}"
            for match in training.matches
        ]
        result.append(
            f"{capital(at_seats(training.seats))}: fitted to {count(fit.rows)} evaluations of positions and {count(fit.options)} "
            f"options of decisions of {count(fit.games)} games; "
            f"log loss {loss.pop(FITTED)} in {count(training.sample.games)} others, "
            f"{listed([f'{value} by {AGAINST[name]}' for name, value in loss.items()])}. Wins as {MATCH}: {listed(won)}."
        )
    return result


PACKAGE = "fairfight"
HEAD = (
    "Weights by which positions are judged, in log-odds for 1 of each feature, by number of seats.",
    "Fitted ones are made by the command below, which writes this file anew; those set by hand are kept as they are.",
)


def write(path: Path, game: Game, cards: CardSet, taken: Sequence[Trained], command: str) -> None:
    """Write the card set's weights with the accepted new ones. command: that made them. Raises ReportError."""
    weights = Weights.of(cards)
    for training in taken:
        weights.fitted[training.seats - 1] = training.fit.weights
    lines = [f"# {line}" for line in (*HEAD, *notes(taken))]
    lines += ["", f"made_by = {json.dumps(command)}", f'version = "fairfight {version(PACKAGE)}"']
    write_text(path, "\n".join([*lines, *weight_lines(game, weights)]) + "\n")


def check(path: Path | None) -> None:
    """Raise ReportError if the file exists and is not a file of weights, which would be lost."""
    if path is None or not path.exists():
        return
    try:
        tables = read_weights(path)
    except CardError:
        tables = {}
    if FILE_FITTED not in tables:
        raise ReportError(f"{path}: exists and is not a file of weights; name a file of weights, or a new one")
