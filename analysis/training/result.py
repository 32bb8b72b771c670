"""What the command shows of a training: weights, reliability, scores, matches; sentences; JSON; and the file it writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.report.answers.prose import at_seats, capital, listed
from analysis.report.answers.tables import table
from analysis.report.model import Format, Table
from analysis.training.train import BEFORE, BY_HAND, FITTED, MATCH, Trained
from analysis.wording import count, decimal, percent
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.weights import Weights

LOSS_DIGITS = 4
AGAINST = {BEFORE: "those before", BY_HAND: "those set by hand"}
OF_MATCH: dict[str, Format] = {"won": "percent", "low": "percent", "high": "percent"}
OF_BINS: dict[str, Format] = {"chance": "percent", "came true": "percent", "n": "count", "rows": "count"}


@dataclass(frozen=True, eq=False)
class Result:
    """A training as `terminal.Result`. command: that makes it again; anyway: whether weights that do not win are taken."""

    game: Game
    cards: CardSet
    trained: tuple[Trained, ...]
    command: str
    anyway: bool = False
    target: Path | None = None

    @property
    def taken(self) -> tuple[Trained, ...]:
        """Those whose weights are to be written."""
        return tuple(one for one in self.trained if one.is_better or self.anyway)

    @property
    def weights(self) -> Weights:
        """The card set's weights with those that are taken."""
        found = Weights.of(self.cards)
        for one in self.taken:
            found.fitted[one.seats - 1] = one.fit.weights
        return found

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences below the tables."""
        return (*notes(self.trained), *self._written())

    def _written(self) -> list[str]:
        """What became of the weights."""
        left = [at_seats(one.seats) for one in self.trained if one not in self.taken]
        found = []
        if left:
            kept = "" if self.target is None else "; --anyway writes them"
            found.append(f"The weights {listed(left)} do not surely win: those before stay{kept}.")
        if self.target is None:
            return [*found, "Name a file with --out FILE to get the weights."] if self.taken else found
        return [*found, f"{self.target} {'written' if self.taken else 'not written'}."]

    def main(self) -> Table:
        """The weights."""
        return weights_table(self.game, self.trained)

    def tables(self) -> list[Table]:
        """Weights, reliability, scores, matches."""
        return [
            self.main(),
            *(bins_table(one) for one in self.trained),
            scores_table(self.trained),
            matches_table(self.trained),
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        return {
            "game": self.game.name,
            "cards": self.cards.title,
            "cards_digest": self.cards.digest,
            "command": self.command,
            "seats": {str(one.seats): _told(self.game, one) for one in self.trained},
            "written": [one.seats for one in self.taken] if self.target else [],
            "file": None if self.target is None or not self.taken else str(self.target),
            "lines": list(notes(self.trained)),
        }


def _told(game: Game, trained: Trained) -> dict[str, Any]:
    """One number of seats as JSON."""
    experiment, fit, sample = trained.experiment, trained.fit, trained.sample
    return {
        "policy": experiment.policy_words,
        "seed": experiment.seed,
        "games": experiment.games,
        "weights": weights_frame(game, (trained,)).drop(columns="seats").to_dict("records"),
        "rounds": [
            {"games": one.games, "rows": one.rows, "options": one.options, "precision": one.precision}
            | {"weights": _named(game, one.weights)}
            for one in trained.rounds
        ],
        "precision": fit.precision,
        "check": {"games": sample.games, "truncated": sample.capped, "rows": len(sample.share)}
        | {"not_weighed": sample.unweighed},
        "scores": trained.scores.to_dict("records"),
        "reliability": trained.reliability.to_dict("records"),
        "matches": matches_frame((trained,)).drop(columns="seats").to_dict("records"),
        "better": trained.is_better,
    }


def _named(game: Game, weights: np.ndarray) -> dict[str, float]:
    return dict(zip(game.features, map(float, weights), strict=True))


def weights_frame(game: Game, trained: Sequence[Trained]) -> pd.DataFrame:
    """A line for each weight: seats, feature, by_hand, before, fitted, error."""
    lines = []
    for one in trained:
        held, row = Weights.of(one.experiment.cards), one.seats - 1
        columns = (held.by_hand[row], held.fitted[row], one.fit.weights, one.fit.error)
        for name, *values in zip(game.features, *columns, strict=True):
            told = dict(zip(("by_hand", "before", "fitted", "error"), map(float, values), strict=True))
            lines.append({"seats": one.seats, "feature": name, **told})
    return pd.DataFrame(lines)


def weights_table(game: Game, trained: Sequence[Trained]) -> Table:
    """The weights."""
    columns = {"seats": "seats", "feature": "feature", "by_hand": "by hand", "before": "before ", "fitted": "fitted"}
    columns |= {"error": "standard error"}
    caption = f"{game.title}: weights, in log-odds for 1 of each feature"
    return table(weights_frame(game, trained), "weights", caption, columns)


def bins_table(trained: Trained) -> Table:
    """How often the fitted chance came true, beside the chances by the weights before for the same number of rows."""
    frame = trained.reliability
    frame = frame[frame["judgement"] == FITTED]
    columns = {"chance": "chance", "estimate": "came true", "low": "low", "high": "high", "n": "n", "rows": "rows"}
    caption = f"Reliability of the fitted weights {at_seats(trained.seats)}, in games that the fit has not seen"
    return table(frame, f"reliability-{trained.seats}", caption, columns, OF_BINS)


def scores_table(trained: Sequence[Trained]) -> Table:
    """Log loss, Brier score and AUC of the judgements."""
    frame = pd.concat([one.scores.assign(seats=one.seats) for one in trained], ignore_index=True)
    for name in ("log_loss", "worse", "worse_low", "worse_high", "brier", "auc"):
        frame[name] = frame[name].map(lambda value: decimal(value, LOSS_DIGITS))
    columns = {"seats": "seats", "judgement": "weights", "log_loss": "log loss", "worse": "above fitted"}
    columns |= {"worse_low": "from", "worse_high": "to", "brier": "Brier score", "auc": "AUC"}
    columns |= {"off": "off by", "n": "n"}
    return table(
        frame, "scores", "How well they foretell games that the fit has not seen", columns, {"off by": "percent"}
    )


def matches_frame(trained: Sequence[Trained]) -> pd.DataFrame:
    """A line for each match."""
    return pd.DataFrame(
        [
            {"seats": one.seats, "against": match.against, "policy": match.policy, "verdict": match.verdict}
            | {"estimate": match.share.estimate, "low": match.share.low, "high": match.share.high, "n": match.share.n}
            for one in trained
            for match in one.matches
        ]
    )


def matches_table(trained: Sequence[Trained]) -> Table:
    """What the fitted weights won of all wins."""
    columns = {"seats": "seats", "against": "against", "policy": "policy of all", "estimate": "won", "low": "low"}
    columns |= {"high": "high", "n": "n", "verdict": "verdict"}
    return table(matches_frame(trained), "matches", "Wins of the fitted weights, of all wins", columns, OF_MATCH)


def notes(trained: Sequence[Trained]) -> list[str]:
    """A sentence or two for each number of seats: what was fitted and what it is worth."""
    return [_note(one) for one in trained]


def _note(trained: Trained) -> str:
    """What was fitted to, how well it foretells, what it wins."""
    fit, lines = trained.fit, trained.scores.set_index("judgement")
    loss = {str(name): decimal(value, LOSS_DIGITS) for name, value in lines["log_loss"].items()}
    found = (
        f"{capital(at_seats(trained.seats))}: fitted to {count(fit.rows)} judgements of positions and {count(fit.options)} "
        f"options of decisions of {count(fit.games)} games; "
        f"log loss {loss.pop(FITTED)} in {count(trained.sample.games)} others, "
        f"{listed([f'{value} by {AGAINST[name]}' for name, value in loss.items()])}."
    )
    won = [
        f"{percent(one.share.estimate)} ({percent(one.share.low)} to {percent(one.share.high)}) against "
        f"{AGAINST[one.against]}"
        for one in trained.matches
    ]
    return f"{found} Wins as {MATCH}: {listed(won)}."
