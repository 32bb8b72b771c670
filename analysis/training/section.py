"""Output of `train`: tables, sentences, JSON, and the file of weights.

The file is written completely or not at all, and contains the command that makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.answer.files import ReportError, write_text
from analysis.answer.model import Section
from analysis.answer.numbers import Format, count, decimal, percent
from analysis.answer.prose import at_seats, capital, listed
from analysis.answer.tables import estimate_columns, table
from analysis.charts import reliability
from analysis.data.card_text import weight_lines
from analysis.training.train import BASELINE, BEFORE, FITTED, MATCH, Trained
from sim.engine.cardfiles.paths import CardError
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.evaluation import FITTED as FILE_FITTED
from sim.weights import Weights, read_weights

LOSS_DIGITS = 4
AGAINST = {BEFORE: "those before", BASELINE: "those set by hand"}


def trained_section(
    game: Game, cards: CardSet, trained: Sequence[Trained], command: str, taken: Sequence[Trained], target: Path | None = None
) -> Section:
    """Weights, reliability, scores and matches.

    command: makes the weights again; taken: the trainings whose weights are accepted; target: file that they are written to.
    """
    weights, matches = [], []
    for training in trained:
        held, row = Weights.of(training.experiment.cards), training.seats - 1
        columns = {"baseline": held.baseline[row], "before": held.fitted[row]}
        columns |= {"fitted": training.fit.weights, "error": training.fit.error}
        weights.append(pd.DataFrame({"seats": training.seats, "feature": game.features, **columns}))
        played = [
            {"against": match.against, "policy": match.policy, "verdict": match.verdict}
            | {name: getattr(match.share, name) for name in ("estimate", "low", "high", "n")}
            for match in training.matches
        ]
        matches.append(pd.DataFrame(played))
    shown = {"seats": "seats", "feature": "feature", "baseline": "by hand", "before": "before ", "fitted": "fitted"}
    caption = f"{game.title}: weights, in log-odds for 1 of each feature"
    tables = [table(pd.concat(weights, ignore_index=True), "weights", caption, {**shown, "error": "standard error"})]
    shown = estimate_columns("came true", chance="chance") | {"rows": "rows"}
    formats: dict[str, Format] = {"chance": "percent", "came true": "percent", "rows": "count"}
    for training in trained:
        bins = training.reliability[training.reliability["evaluation"] == FITTED]
        caption = f"Reliability of the fitted weights {at_seats(training.seats)}, in games that the fit has not seen"
        tables.append(table(bins, f"reliability-{training.seats}", caption, shown, formats))
    scores = pd.concat([training.scores.assign(seats=training.seats) for training in trained], ignore_index=True)
    for name in ("log_loss", "worse", "worse_low", "worse_high", "brier", "auc"):
        scores[name] = scores[name].map(lambda value: decimal(value, LOSS_DIGITS))
    shown = {"seats": "seats", "evaluation": "weights", "log_loss": "log loss", "worse": "above fitted"}
    shown |= {"worse_low": "from", "worse_high": "to", "brier": "Brier score", "auc": "AUC", "off": "off by", "n": "n"}
    tables.append(table(scores, "scores", "Predictions of games that the fit has not seen", shown, {"off by": "percent"}))
    every = [frame.assign(seats=training.seats) for training, frame in zip(trained, matches, strict=True)]
    shown = estimate_columns("won", seats="seats", against="against", policy="policy of all") | {"verdict": "verdict"}
    caption = "Wins of the fitted weights as a share of all wins"
    tables.append(table(pd.concat(every, ignore_index=True), "matches", caption, shown, {"won": "percent"}))
    sentences, written = notes(trained), [training.seats for training in taken] if target else []
    by_seats = {
        str(training.seats): _data(game, training)
        | {"weights": frame.drop(columns="seats").to_dict("records"), "matches": results.to_dict("records")}
        for training, frame, results in zip(trained, weights, matches, strict=True)
    }
    data: dict[str, Any] = {
        "game": game.name,
        "cards": cards.title,
        "cards_digest": cards.digest,
        "command": command,
        "seats": by_seats,
    }
    data |= {"written": written, "file": str(target) if written else None, "lines": sentences}
    made = f"{count(sum(training.games for training in trained))} games in total: rounds, trials of fits, check and matches."
    lines = [*sentences, made]
    if left := [at_seats(training.seats) for training in trained if training not in taken]:
        kept = "" if target is None else "; --anyway writes them"
        lines.append(f"The weights {listed(left)} do not win significantly, so the previous ones stay{kept}.")
    if target is not None:
        lines.append(f"{target} {'written' if taken else 'not written'}.")
    elif taken:
        lines.append("Name a file with --out FILE to get the weights.")

    def draw() -> Any:
        frames = [training.reliability.assign(seats=training.seats) for training in trained]
        return reliability(pd.concat(frames, ignore_index=True))

    return Section("train", tables=tuple(tables), lines=tuple(lines), data=data, draw=draw)


def _data(game: Game, trained: Trained) -> dict[str, Any]:
    """One number of seats as JSON, besides weights and matches."""
    experiment, sample = trained.experiment, trained.sample
    return {
        "policy": experiment.policy_words,
        "seed": experiment.seed,
        "games": experiment.games,
        "games_in_all": trained.games,
        "rounds": [
            {"games": fit.games, "rows": fit.rows, "options": fit.options, "precision": fit.precision}
            | {"weights": dict(zip(game.features, map(float, fit.weights), strict=True))}
            for fit in trained.rounds
        ],
        "precision": trained.fit.precision,
        "check": {"games": sample.games, "truncated": sample.truncated, "rows": len(sample.share)}
        | {"not_evaluated": sample.unweighed},
        "scores": trained.scores.to_dict("records"),
        "reliability": trained.reliability.to_dict("records"),
        "better": trained.is_better,
    }


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
