"""Output of `train`: tables, sentences, JSON, and the file of weights.

The file is written completely or not at all, and contains the command that makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import reliability
from analysis.document.model import Format, ReportError, Table, count, decimal, percent, table, write_text
from analysis.document.prose import at_seats, capital, listed
from analysis.training.train import BASELINE, BEFORE, FITTED, MATCH, Trained
from sim.engine.cardfiles.paths import CardError
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.evaluation import BASELINE as FILE_BY_HAND
from sim.engine.evaluation import FILE_NAME
from sim.engine.evaluation import FITTED as FILE_FITTED
from sim.weights import Weights, has_own, read_weights

LOSS_DIGITS = 4
AGAINST = {BEFORE: "those before", BASELINE: "those set by hand"}
OF_MATCH: dict[str, Format] = {"won": "percent", "low": "percent", "high": "percent"}
OF_BINS: dict[str, Format] = {"chance": "percent", "came true": "percent", "n": "count", "rows": "count"}


@dataclass(frozen=True, eq=False)
class Result:
    """A training in the form of `terminal.Result`.

    command: makes it again; anyway: whether weights that do not win are accepted.
    """

    game: Game
    cards: CardSet
    trained: tuple[Trained, ...]
    command: str
    anyway: bool = False
    target: Path | None = None

    @property
    def taken(self) -> tuple[Trained, ...]:
        """Trainings whose weights are to be written."""
        return tuple(trained_ for trained_ in self.trained if trained_.is_better or self.anyway)

    @property
    def weights(self) -> Weights:
        """The card set's weights with the accepted new ones."""
        result = Weights.of(self.cards)
        for trained_ in self.taken:
            result.fitted[trained_.seats - 1] = trained_.fit.weights
        return result

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences below the tables."""
        played = count(sum(trained_.games for trained_ in self.trained))
        made = f"{played} games in total: rounds, trials of fits, check and matches."
        return (*notes(self.trained), made, *self._written())

    def _written(self) -> list[str]:
        """Describe which weights were written."""
        left = [at_seats(trained_.seats) for trained_ in self.trained if trained_ not in self.taken]
        sentences = []
        if left:
            kept = "" if self.target is None else "; --anyway writes them"
            sentences.append(f"The weights {listed(left)} do not win significantly, so the previous ones stay{kept}.")
        if self.target is None:
            return [*sentences, "Name a file with --out FILE to get the weights."] if self.taken else sentences
        return [*sentences, f"{self.target} {'written' if self.taken else 'not written'}."]

    def main(self) -> Table:
        """The weights."""
        return weights_table(self.game, self.trained)

    def tables(self) -> list[Table]:
        """Weights, reliability, scores, matches."""
        return [
            self.main(),
            *(bins_table(trained_) for trained_ in self.trained),
            scores_table(self.trained),
            matches_table(self.trained),
        ]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "game": self.game.name,
            "cards": self.cards.title,
            "cards_digest": self.cards.digest,
            "command": self.command,
            "seats": {str(trained_.seats): _as_json(self.game, trained_) for trained_ in self.trained},
            "written": [trained_.seats for trained_ in self.taken] if self.target else [],
            "file": None if self.target is None or not self.taken else str(self.target),
            "lines": list(notes(self.trained)),
        }


def _as_json(game: Game, trained: Trained) -> dict[str, Any]:
    """One number of seats as JSON."""
    experiment, fit, sample = trained.experiment, trained.fit, trained.sample
    return {
        "policy": experiment.policy_words,
        "seed": experiment.seed,
        "games": experiment.games,
        "games_in_all": trained.games,
        "weights": weights_frame(game, (trained,)).drop(columns="seats").to_dict("records"),
        "rounds": [
            {"games": fit_.games, "rows": fit_.rows, "options": fit_.options, "precision": fit_.precision}
            | {"weights": _named(game, fit_.weights)}
            for fit_ in trained.rounds
        ],
        "precision": fit.precision,
        "check": {"games": sample.games, "truncated": sample.truncated, "rows": len(sample.share)}
        | {"not_evaluated": sample.unweighed},
        "scores": trained.scores.to_dict("records"),
        "reliability": trained.reliability.to_dict("records"),
        "matches": matches_frame((trained,)).drop(columns="seats").to_dict("records"),
        "better": trained.is_better,
    }


def _named(game: Game, weights: np.ndarray) -> dict[str, float]:
    return dict(zip(game.features, map(float, weights), strict=True))


def weights_frame(game: Game, trained: Sequence[Trained]) -> pd.DataFrame:
    """One row per weight: seats, feature, baseline, before, fitted, error."""
    lines = []
    for training in trained:
        held, row = Weights.of(training.experiment.cards), training.seats - 1
        columns = (held.baseline[row], held.fitted[row], training.fit.weights, training.fit.error)
        for name, *values in zip(game.features, *columns, strict=True):
            cells = dict(zip(("baseline", "before", "fitted", "error"), map(float, values), strict=True))
            lines.append({"seats": training.seats, "feature": name, **cells})
    return pd.DataFrame(lines)


def weights_table(game: Game, trained: Sequence[Trained]) -> Table:
    """Table of the weights."""
    columns = {"seats": "seats", "feature": "feature", "baseline": "by hand", "before": "before ", "fitted": "fitted"}
    columns |= {"error": "standard error"}
    caption = f"{game.title}: weights, in log-odds for 1 of each feature"
    return table(weights_frame(game, trained), "weights", caption, columns)


def bins_table(trained: Trained) -> Table:
    """Reliability of the fitted weights: chances, and how often they came true."""
    frame = trained.reliability
    frame = frame[frame["evaluation"] == FITTED]
    columns = {"chance": "chance", "estimate": "came true", "low": "low", "high": "high", "n": "n", "rows": "rows"}
    caption = f"Reliability of the fitted weights {at_seats(trained.seats)}, in games that the fit has not seen"
    return table(frame, f"reliability-{trained.seats}", caption, columns, OF_BINS)


def scores_table(trained: Sequence[Trained]) -> Table:
    """Log loss, Brier score and AUC of the evaluations."""
    frame = pd.concat([training.scores.assign(seats=training.seats) for training in trained], ignore_index=True)
    for name in ("log_loss", "worse", "worse_low", "worse_high", "brier", "auc"):
        frame[name] = frame[name].map(lambda value: decimal(value, LOSS_DIGITS))
    columns = {"seats": "seats", "evaluation": "weights", "log_loss": "log loss", "worse": "above fitted"}
    columns |= {"worse_low": "from", "worse_high": "to", "brier": "Brier score", "auc": "AUC"}
    columns |= {"off": "off by", "n": "n"}
    return table(frame, "scores", "Predictions of games that the fit has not seen", columns, {"off by": "percent"})


def matches_frame(trained: Sequence[Trained]) -> pd.DataFrame:
    """One row per match."""
    return pd.DataFrame(
        [
            {"seats": training.seats, "against": match.against, "policy": match.policy, "verdict": match.verdict}
            | {"estimate": match.share.estimate, "low": match.share.low, "high": match.share.high, "n": match.share.n}
            for training in trained
            for match in training.matches
        ]
    )


def matches_table(trained: Sequence[Trained]) -> Table:
    """Share of all wins that the fitted weights won."""
    columns = {"seats": "seats", "against": "against", "policy": "policy of all", "estimate": "won", "low": "low"}
    columns |= {"high": "high", "n": "n", "verdict": "verdict"}
    return table(
        matches_frame(trained), "matches", "Wins of the fitted weights as a share of all wins", columns, OF_MATCH
    )


def notes(trained: Sequence[Trained]) -> list[str]:
    """A sentence or two for each number of seats: what was fitted, and the results."""
    return [_note(training) for training in trained]


def _note(trained: Trained) -> str:
    """Size of the fit, quality of its predictions, and results of the matches."""
    fit, lines = trained.fit, trained.scores.set_index("evaluation")
    loss = {str(name): decimal(value, LOSS_DIGITS) for name, value in lines["log_loss"].items()}
    sentence = (
        f"{capital(at_seats(trained.seats))}: fitted to {count(fit.rows)} evaluations of positions and {count(fit.options)} "
        f"options of decisions of {count(fit.games)} games; "
        f"log loss {loss.pop(FITTED)} in {count(trained.sample.games)} others, "
        f"{listed([f'{value} by {AGAINST[name]}' for name, value in loss.items()])}."
    )
    won = [
        f"{percent(match.share.estimate)} ({percent(match.share.low)} to {percent(match.share.high)}) against "
        f"{AGAINST[match.against]}"
        for match in trained.matches
    ]
    return f"{sentence} Wins as {MATCH}: {listed(won)}."


PACKAGE = "fairfight"
HEAD = (
    "Weights by which positions are judged, in log-odds for 1 of each feature, by number of seats.",
    "Fitted ones are made by the command below, which writes this file anew; those set by hand are kept as they are.",
)


def beside(cards: Path) -> Path:
    """Path of the weights of a card file."""
    return cards.with_name(FILE_NAME)


def text_of(game: Game, weights: Weights, command: str, notes: Iterable[str]) -> str:
    """Content of a file. command: that made the weights; notes: how they were made."""
    lines = [f"# {line}" for line in (*HEAD, *notes)]
    lines += ["", f"made_by = {_quoted(command)}", f"version = {_quoted(f'fairfight {version(PACKAGE)}')}"]
    return "\n".join([*lines, *_tables(game, weights)]) + "\n"


def keep_weights(game: Game, cards: CardSet, file: Path) -> None:
    """Write a card set's own weights, if it has any, beside a card file made from it. Raises ReportError."""
    if has_own(cards):
        lines = ["# Weights by which positions are judged, taken over with the cards that these were made from."]
        write_text(beside(file), "\n".join([*lines, *_tables(game, Weights.of(cards))]) + "\n")


def _tables(game: Game, weights: Weights) -> list[str]:
    """The weights as lines of TOML."""
    lines, tables = [], weights.tables(game)
    for kind in (FILE_FITTED, FILE_BY_HAND):
        for seats, row in tables[kind].items():
            lines += ["", f"[{kind}.{seats}]", *(f"{name} = {value!r}" for name, value in row.items())]
    return lines


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


def write(path: Path, content: str) -> None:
    """Write the file. Raises ReportError."""
    write_text(path, content)


def _quoted(text: str) -> str:
    """Text as a TOML string."""
    return json.dumps(text, ensure_ascii=True)


def reliability_chart(results: Sequence[Trained]) -> Figure:
    """Reliability of the evaluations of positions."""
    return reliability(
        pd.concat([result.reliability.assign(seats=result.seats) for result in results], ignore_index=True)
    )
