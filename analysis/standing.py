"""Who is the strongest and who the weakest, as tables and sentences: what `fairfight strongest` shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.report.model import Format, Table
from analysis.strongest import INTERRUPTED, REACHED, USED_UP, Search
from analysis.wording import THIN, count, limit_words, percent, percent_range, truncated_words
from sim.experiment import Experiment

CERTAIN = 0.999  # a chance above it is written as such


@dataclass(frozen=True, eq=False)
class Standing:
    """The answer of a search."""

    experiment: Experiment
    search: Search
    stopped_because: str
    command: str  # that goes on

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All entrants, the strongest first (see `Search.standings`)."""
        return self.search.standings()

    @property
    def lines(self) -> tuple[str, ...]:
        """The answer, how sure it is, and what goes on."""
        cards, search = self.experiment.cards, self.search
        why = {
            REACHED: f"Stopped because both are sure to {percent(search.sure, 0)}",
            USED_UP: "Stopped because the games were used up",
            INTERRUPTED: "Interrupted",
        }[self.stopped_because]
        known = (
            f"{cards.title} (digest {cards.digest}): {count(search.games)} games, each {self.experiment.game.entrant_word} "
            f"against all others from every seat, seed {self.experiment.seed}, policy {self.experiment.policy_words}."
        )
        spread = (
            "More games go where the answer is less sure. The chances rest on the games alone, without regard to who was thought "
            f"strong before; intervals are confidence sequences at 95{THIN}%, which hold although games were spread by results."
        )
        stopped = truncated_words(search.truncated, search.games, limit_words(self.experiment.game.limits_itself))
        ends = (self._said("strongest"), self._said("weakest"))
        return (*ends, known, stopped, f"{spread} {why}.", f"To go on: {self.command}")

    def _said(self, which: str) -> str:
        """Who it is, in a sentence."""
        line = self._end(which)
        chance = line[which]
        sure = f"more than {percent(CERTAIN)}" if chance > CERTAIN else percent(chance)
        said = f"The {which} {self.experiment.game.entrant_word} is {line['name']}, with a chance of {sure}: win rate "
        said += f"{percent(line['estimate'])} (95{THIN}% interval {percent_range(line['low'], line['high'])})"
        others = self.frame.drop(index=line.name)
        rival = others.iloc[int(others[which].to_numpy().argmax())]
        if line["apart"]:
            return f"{said}; bounds that hold for all {self.experiment.game.entrants_word} at once part it from all others."
        return f"{said}; next comes {rival['name']} with {percent(rival['estimate'])}."

    def _end(self, which: str) -> pd.Series:
        """The line of the strongest or the weakest: the one of the highest chance."""
        return self.frame.iloc[int(self.frame[which].to_numpy().argmax())]

    def main(self) -> Table:
        """One line per entrant."""
        columns = {
            "name": self.experiment.game.entrant_word,
            "estimate": "win rate",
            "low": "low",
            "high": "high",
            "n": "n",
        }
        columns |= {"strongest": "chance strongest", "weakest": "chance weakest"}
        rows = tuple(self.frame[list(columns)].astype(object).itertuples(index=False, name=None))
        shares = ("win rate", "low", "high", "chance strongest", "chance weakest")
        formats: dict[str, Format] = dict.fromkeys(shares, "percent")
        return Table(
            "strongest", tuple(columns.values()), rows, f"Against all others at {self.experiment.seats} seats", formats
        )

    def tables(self) -> list[Table]:
        """The one table."""
        return [self.main()]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        ends = {}
        for which in ("strongest", "weakest"):
            line = self._end(which)
            name = self.experiment.cards.ids[int(line["entrant"])]
            ends[which] = {"id": name, "name": line["name"], "chance": line[which], "apart": bool(line["apart"])}
        facts = self.experiment.facts()
        del facts["design"], facts["games"]
        return {
            "facts": facts
            | {
                "games": self.search.games,
                "truncated": self.search.truncated,
                "interrupted": self.stopped_because == INTERRUPTED,
            },
            **ends,
            "sure": self.search.sure,
            "stopped_because": self.stopped_because,
            "command": self.command,
            "entrants": self.main(),
        }
