"""Questions about an entrant that a page of the workbench asks: answered in a thread of their own, while the page goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.players import games_in, quicker
from analysis.data.study import Study
from analysis.data.together import played
from analysis.tuning.numbers import numbers_of
from analysis.variants.compare import Counter
from analysis.variants.sensitivity import words_of
from analysis.variants.variant import Step, difference, numeric_steps, part_of, unit_names
from sim.engine.cards import CardSet
from sim.experiments.experiment import Experiment

SECONDS = 6.0  # of games for all steps of an entrant, on two cores
LEAST_GAMES, GAMES_MOST = 100, 2_000  # of the entrant, for each step
COLUMNS = ("path", "label", "before", "after", "now", "rate", "change", "low", "high", "n")


class Abandoned(Exception):  # noqa: N818 - not an error: the page is closed, or asks something else
    """Raised in the thread of an inquiry that is no longer wanted."""


class Inquiry:
    """A question that is being answered.

    base: seats, players and seed; cards: with the edits of the page; ask: returns the answer for a study. answer: once `is_done`,
    unless `error` has a message instead. progress: in words. began: called before the first game, in its thread.
    """

    def __init__(self, base: Experiment, cards: CardSet, ask: Callable[[Study], Any], jobs: int | None = None) -> None:
        self.answer: Any = None
        self.error = self.progress = ""
        self.is_done = self._is_abandoned = False
        self._study = Study.of(replace(base, cards=cards), jobs, self._watch)
        self._ask = ask
        self._thread = threading.Thread(target=self._run, name="inquiry", daemon=True)
        self._thread.start()

    def abandon(self) -> None:
        """Stop after the games that are being played; the answer is no longer wanted."""
        self._is_abandoned = True

    def wait(self, seconds: float) -> bool:
        """Wait for the answer; returns whether it is there."""
        self._thread.join(seconds)
        return self.is_done

    def _watch(self, stage: str, done: int, total: int, results: Callable[[], str] = str, /) -> None:
        """Note how many games of a stage are played, and what they say so far."""
        if self._is_abandoned:
            raise Abandoned
        self.progress = f"{stage}: {100 * done // max(1, total)} %"
        self.progress += f"; {words}" if (words := results()) else ""

    def _run(self) -> None:
        try:
            self.answer = self._ask(self._study)
        except Abandoned:
            self.error = "stopped"
        except KeyboardInterrupt:  # Ctrl-C ends the workbench
            self.error = "interrupted"
        except Exception as error:  # a game that cannot be played must not end the page
            self.error = str(error) or type(error).__name__
        finally:
            self.is_done = True


def all_steps(study: Study, entrant: str, seconds: float = SECONDS) -> pd.DataFrame:
    """Every whole number of an entrant one step down and up, and the win rate that each leads to with quick players.

    entrant: id, of the part if entrants are teams. The order is that of the card file. The same games with the same dice are
    played with each. Columns: path, label, before and after (values), now and rate (win rates), change, low, high (paired), n.
    """
    unit = list(study.unit_ids).index(entrant)
    player = quicker(study.policy)
    steps = steps_of(study, unit)
    base = replace(study.design(1), policies=(player,))
    affordable = games_in(study.game, (player,), base.seats, seconds, GAMES_MOST * (len(steps) + 1)) // (len(steps) + 1)
    wanted = int(np.clip(affordable, LEAST_GAMES, GAMES_MOST))
    density = min(1.0, base.seats * (study.teams.size if study.teams else 1) / len(study.units))
    own = part_of(base, 0, round(wanted / density), unit)
    plays = [own, *(replace(own, cards=step.cards) for step in steps if step.cards is not None)]
    counter = Counter(partial(study.player.watch, "single steps"), own, len(plays) * own.games)
    before, *others = played(plays, study.jobs, counter)
    name, rows = unit_names(own)[unit], []
    for step, after in zip(steps, others, strict=True):
        table = difference(own, before, after)
        lines = table.loc[table["name"] == name, ["before", "after", "change", "low", "high", "n"]]
        words = words_of(study, step.field).removeprefix(f"{name}, ").removeprefix(f"{name}: ")
        rows += [(step.field, words, step.before, step.value, *line) for line in lines.itertuples(index=False)]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def steps_of(study: Study, unit: int) -> list[Step]:
    """The steps of an entrant's numbers that the card rules allow and that reach play."""
    numbers = numbers_of(study.cards, study.unit_ids, unit, study.game.decks is not None)
    steps = numeric_steps(study.game, study.cards, [number.path for number in numbers])
    return [step for step in steps if step.live]
