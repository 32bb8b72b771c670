"""What a changed number or rule does: the same games played with both card sets and compared pair by pair.

Dice are keyed by game, turn and seat, so a change touches only the rolls it bears on and most of the chance is common to
both games of a pair (common random numbers). A capped game counts as a win share of 0 for everybody, in both.

Two card sets that compile to the same numbers play the same games: the change is nothing, for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimates import LEVEL, proportions
from analysis.frames import distinct
from analysis.pairs import paired_changes
from sim.engine.cards import CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.engine.fieldpaths import locate, look_up
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Block, blocks

AT_ONCE = 10_000  # games compared at a time: bounds the memory
SMALL_STEP = 0.1  # of a number that is not whole

Play = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True)
class GamesOf(Experiment):
    """The games of an experiment in which one entrant sits, under their own indexes."""

    entrant: int = 0
    index: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), compare=False)

    @classmethod
    def from_experiment(cls, whole: Experiment, entrant: int) -> GamesOf:
        """Pick the games of an entrant. Raises ValueError if there are none."""
        every = np.arange(whole.games)
        index = every[(whole.entrants_of(every) == entrant).any(axis=1)]
        if not len(index):
            raise ValueError(f"entrant={entrant} sits in none of the {whole.games} games")
        return cls(**{one.name: getattr(whole, one.name) for one in fields(Experiment)}, entrant=entrant, index=index)

    @property
    def games(self) -> int:
        """Games to be played."""
        return len(self.index)

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of the chosen games first..first+count-1, as the whole experiment has them."""
        return self.plan_of(self.index[first : first + count])


@dataclass(frozen=True)
class Step:
    """One field of a card file with another value. cards: None where the card rules refuse it, `refused` says why.

    idle: the change never reaches play (a number printed for information only).
    """

    field: str
    step: int  # -1, +1; 0 for a variant
    before: Any
    value: Any
    cards: CardSet | None
    refused: str = ""
    idle: bool = False


def numeric_steps(game: Game, cards: CardSet, paths: list[str]) -> list[Step]:
    """Each number one step down and one step up: by 1 if it is whole, else by a tenth.

    Raises CardError for a path that does not exist, ValueError for one that holds no number.
    """
    found = []
    for path in paths:
        if path not in numeric_fields(cards.document):
            locate(cards.document, path)
            raise ValueError(f"{path}: holds no number, so there is no step to take")
        _, before = look_up(cards.document, locate(cards.document, path))
        size = 1 if isinstance(before, int) else SMALL_STEP * abs(before)
        found += [_step(game, cards, path, sign, (before, before + sign * size)) for sign in (-1, 1)]
    return found


def variants(game: Game, cards: CardSet, settings: Mapping[str, tuple[str, ...]]) -> list[Step]:
    """Other readings of the rules: every value of every field, one at a time; the value played is left out.

    settings: path of a rule -> values as text ("true", "2", "large"), read as the type of the present value. Raises
    ValueError where the text is no such value, CardError for a rule that does not exist.
    """
    found = []
    for path, texts in settings.items():
        before = _present(cards, path)
        for text in texts:
            value = parsed(text, before, path)
            if value != before:
                found.append(_step(game, cards, path, 0, (before, value)))
    return found


def parsed(text: str, like: Any, path: str = "value") -> Any:
    """Read a text as a value of the type of `like`. Raises ValueError naming the path."""
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{path}={text!r} must be true or false")
        return text == "true"
    if isinstance(like, (int, float)):
        try:
            return type(like)(text)
        except ValueError:
            kind = "a whole number" if isinstance(like, int) else "a number"
            raise ValueError(f"{path}={text!r} must be {kind}") from None
    return text


def change(
    base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None
) -> pd.DataFrame:
    """Play the games of `base` with other cards too and compare, by entrant (see `compare`).

    play: how an experiment is played, all cores if None; before: what `base` gave, if it has been played already. Cards
    that compile to the same numbers give no change without width, and are not played again.
    """
    names = distinct(base.cards.names)
    first = before or Shares.of(base, play)
    if changed_cards.record.tobytes() == base.cards.record.tobytes():
        return compare(first, first, names).assign(low=0.0, high=0.0)
    return compare(first, Shares.of(replace(base, cards=changed_cards), play), names)


@dataclass(frozen=True, eq=False)
class Shares:
    """Win shares of an experiment's games: all that a paired comparison needs."""

    entrant: NDArray[np.int16]  # (games, seats)
    share: NDArray[np.float32]  # (games, seats), all 0 in a capped game
    capped: NDArray[np.bool_]  # (games,)

    @classmethod
    def of(cls, experiment: Experiment, play: Play | None = None) -> Shares:
        """Play the experiment."""
        seats = experiment.seats
        parts = [
            (
                block.rows["entrant"][:, :seats].copy(),
                block.rows["share"][:, :seats].copy(),
                block.rows["status"] == Status.CAPPED,
            )
            for block in (play or blocks)(experiment)
        ]
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def compare(before: Shares, after: Shares, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win shares before and after, and their paired difference, one line per entrant that has at least 2 games.

    Columns: name, before, before_low, before_high, after, after_low, after_high (Wilson), change, low, high, p (see
    `pairs.paired_changes`; p is of this line alone), n (pairs), capped_before and capped_after (games stopped at the limit),
    gain: how many times as many games two unpaired samples would need for the same width (inf where the pairs do not differ
    at all). An entrant on two seats of one game counts with its mean share there. Raises ValueError unless both played the
    same line-ups.
    """
    if not np.array_equal(before.entrant, after.entrant):
        raise ValueError("before and after must be the same games: their line-ups differ")
    columns = ("n", "b", "a", "up", "down", "capped_before", "capped_after", "bb", "aa", "dd")
    sums = {column: np.zeros(len(names)) for column in columns}
    for first in range(0, len(before.entrant), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        sits, b = _by_entrant(before.entrant[part], before.share[part], len(names))
        _, a = _by_entrant(after.entrant[part], after.share[part], len(names))
        d = a - b
        stopped = [sits * one.capped[part, None] for one in (before, after)]
        values = (sits, b, a, d.clip(min=0), (-d).clip(min=0), *stopped, b**2, a**2, d**2)
        for column, value in zip(columns, values, strict=True):
            sums[column] += value.sum(axis=0)
    return _compared(pd.DataFrame({"name": names, **sums}), level)


def _compared(sums: pd.DataFrame, level: float) -> pd.DataFrame:
    """The table of `compare` from sums over pairs."""
    sums = sums[sums["n"] >= 2].reset_index(drop=True)
    n = sums["n"].to_numpy()
    table: dict[str, Any] = {"name": sums["name"]}
    for one, word in (("b", "before"), ("a", "after")):
        rates = proportions(sums[one].to_numpy().clip(max=n), n, level)
        table |= {word: rates["estimate"], f"{word}_low": rates["low"], f"{word}_high": rates["high"]}
    changes = paired_changes(sums["up"], sums["down"], n, level)
    table |= {name: changes[name] for name in ("change", "low", "high", "p", "n")}
    table |= {f"capped_{when}": sums[f"capped_{when}"].astype(np.int64) for when in ("before", "after")}
    return pd.DataFrame({**table, "gain": _gain(sums, n)})


def _gain(sums: pd.DataFrame, n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance of two unpaired samples over that of the pairs; inf where no pair differs, nan where nothing varies."""
    means = {"b": sums["b"] / n, "a": sums["a"] / n, "d": (sums["up"] - sums["down"]) / n}
    spread = {one: (sums[one * 2] / n - mean**2).clip(lower=0).to_numpy() for one, mean in means.items()}
    apart, paired = spread["b"] + spread["a"], np.where(sums["dd"] == 0, 0.0, spread["d"])
    gain: NDArray[np.float64] = np.divide(apart, paired, out=np.where(apart > 0, np.inf, np.nan), where=paired > 0)
    return gain


def _by_entrant(
    entrant: NDArray[np.int16], share: NDArray[np.float32], entrants: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Whether each entrant sits in each game (0 or 1), and its mean share there, both (games, entrants)."""
    games = len(entrant)
    cell = (np.arange(games)[:, None] * entrants + entrant).ravel()
    places = np.bincount(cell, minlength=games * entrants).reshape(games, entrants)
    total = np.bincount(cell, share.ravel(), games * entrants).reshape(games, entrants)
    return (places > 0).astype(np.float64), np.divide(total, places, out=np.zeros_like(total), where=places > 0)


def _step(game: Game, cards: CardSet, path: str, sign: int, values: tuple[Any, Any]) -> Step:
    """One changed field, validated and compiled."""
    before, value = values
    try:
        other = game.from_document(_with(cards, path, value))
    except CardError as error:
        return Step(path, sign, before, value, None, str(error).splitlines()[0])
    return Step(path, sign, before, value, other, idle=other.record.tobytes() == cards.record.tobytes())


def _present(cards: CardSet, path: str) -> Any:
    """Value of a rule in force: as the file has it, else the default."""
    name = path.rpartition(".")[2]
    try:
        return look_up(cards.document, locate(cards.document, path))[1]
    except CardError:
        if name not in cards.switches:
            raise
        return cards.switches[name]


def _with(cards: CardSet, path: str, value: Any) -> dict[str, Any]:
    """The document with another value; a rule that the file leaves to its default is written into its table."""
    try:
        return changed(cards.document, path, value)
    except CardError:
        table, _, name = path.rpartition(".")
        if name not in cards.switches:
            raise
        document: dict[str, Any] = deepcopy(dict(cards.document))
        document.setdefault(table, {})[name] = value
        return document
