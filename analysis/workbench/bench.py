"""The workbench without its page: a card set, edits of its numbers, and games of both that are played while a user looks.

A `Bench` plays the same games with the unchanged card set and with the present edits: the same line-ups and dice, in chunks of
whole rounds. Games of the unchanged set are kept, and of a changed set only those are played that an edit can affect, so a new
edit begins with the games that are known already. A `Crew` of threads plays for all benches of a process.

A user looks at the numbers all the time and stops when they please, so every interval is a confidence sequence, see
`analysis.stats.sequential`; those of changes are paired. A chunk is added only after all chunks before it, so that how long a
game takes does not decide which games have been counted.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.cards import as_written
from analysis.answer.verdicts import row_level, with_verdicts
from analysis.data.shares import Shares, linear_sums
from analysis.data.together import laid_over
from analysis.stats.intervals import LEVEL, adjust, shares
from analysis.stats.paired import linear_change
from analysis.stats.sequential import (
    LEAST_CLUSTERS,
    deviations,
    deviations_at_best,
    games_needed,
    half_widths,
    mean_sequence,
    p_of,
    sequence_of,
)
from analysis.variants.variant import (
    RULES,
    SURE,
    Change,
    Edit,
    board_fields,
    by_unit,
    moved,
    owner_of,
    parsed,
    part_of,
    present,
    recompiled,
    unit_names,
)
from analysis.variants.variant import with_value as set_in
from sim.engine.cardfiles.paths import address, addresses, did_you_mean, is_number, locate, scalars, shown
from sim.engine.cards import CardError, CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import cores, play_range

CHUNK_SECONDS = 0.15  # of playing: an edit waits for at most one chunk of every worker
CHUNK_FIRST, CHUNK_MOST = 48, 4_000  # games of a chunk
MOST = 400_000  # games each way: 20 bytes of each are kept
LOOK_GROWTH = 1.04  # games at which estimates are computed again, in multiples of those at the last time
GOAL = 0.005  # half-width of every win rate and every change at which playing ends, a share
TUNED = 0.01  # half-width at which the bounds are narrowest
TUNED_VARIANCE = 0.1  # assumed variance of the change of a game
CELLS_UNITS = 16  # entrants or parts up to which matchups are counted
RUNS_KEPT = 64  # changed sets whose results are kept, for undo and variants
VARIANTS_MOST, NAME_MOST = 100, 60  # saved variants, and characters of a name
RULE_STEPS = 2  # of the path of a rule
TEXT_MOST = 100  # characters of a typed value
LENGTHS_MOST = 5_000  # turns; longer games are counted there

Floats = NDArray[np.float64]
Edits = dict[str, Any]  # path -> value, in the order in which they were made


@dataclass(frozen=True)
class Work:
    """What a user has made: the present edits, those that undo and redo bring back (the last one is the next), saved variants.

    policies: the players that the user has chosen.
    """

    edits: Edits
    past: tuple[Edits, ...]
    future: tuple[Edits, ...]
    variants: dict[str, Edits]
    policies: tuple[PolicySpec, ...]


class Crew:
    """Threads that play for all benches of a process; the bench that has played least for its present edits comes first.

    workers: number of threads, all cores if None. They start with the first bench and end with the process.
    """

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"jobs={workers} must be at least 1")
        self.workers = workers or cores()
        self._benches: list[Bench] = []
        self._turn = threading.Condition()
        self._threads: list[threading.Thread] = []

    def join(self, bench: Bench) -> None:
        """Play for a bench, until `leave`."""
        with self._turn:
            self._benches.append(bench)
            while len(self._threads) < self.workers:
                self._threads.append(threading.Thread(target=self._work, name="workbench", daemon=True))
                self._threads[-1].start()
            self._turn.notify_all()

    def leave(self, bench: Bench) -> None:
        """Play no more for a bench."""
        with self._turn:
            self._benches = [other for other in self._benches if other is not bench]

    def wake(self) -> None:
        """Look again for something to play."""
        with self._turn:
            self._turn.notify_all()

    def _work(self) -> None:
        while True:
            with self._turn:
                while (job := self._next()) is None:
                    self._turn.wait()
            job()

    def _next(self) -> Callable[[], None] | None:
        """Something to play, or None."""
        jobs = (bench.job() for bench in sorted(self._benches, key=lambda bench: bench.spent))
        return next((job for job in jobs if job is not None), None)


@dataclass(eq=False)
class Chunk:
    """Games first..last-1, whole rounds, and their results with the unchanged cards once they are played."""

    first: int
    last: int
    before: Shares | None = None


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over some games from which all estimates are computed.

    units, cells, first, length: see `linear_sums`, for win rates of units, for matchups (row x units + column), for the seat
    that goes first, and for turns. lengths: (2, LENGTHS_MOST + 1) games by length, before and after. games: each way; moved:
    ended differently; truncated, unwon (finished without a winner): (before, after).
    """

    units: pd.DataFrame
    cells: pd.DataFrame | None
    first: pd.DataFrame
    length: pd.DataFrame
    lengths: NDArray[np.int64]
    games: int
    moved: int
    truncated: tuple[int, int]
    unwon: tuple[int, int]

    @classmethod
    def of(cls, base: Experiment, start: int, before: Shares, after: Shares) -> Sums:
        """Sums of the same games, from game `start` on, with unchanged and with changed cards."""
        units, index = len(unit_names(base)), start + np.arange(len(before.turns))
        group = base.round_of(index) if base.teams else base.pair_of(index)
        old, new = by_unit(base, before), by_unit(base, after)
        cells = None
        if counts_cells(base):
            cells = linear_sums(_met(old, base.seats, units), _met(new, base.seats, units), group, units * units)
        return cls(
            units=linear_sums(old, new, group, units),
            cells=cells,
            first=linear_sums(_firsts(before), _firsts(after), group, 1),
            length=linear_sums(_turns(before), _turns(after), group, 1),
            lengths=np.stack(
                [np.bincount(np.minimum(one.turns, LENGTHS_MOST), minlength=LENGTHS_MOST + 1) for one in (before, after)]
            ),
            games=len(index),
            moved=int(moved(before, after).sum()),
            truncated=(int(before.truncated.sum()), int(after.truncated.sum())),
            unwon=(_unwon(before), _unwon(after)),
        )

    def __add__(self, other: Sums) -> Sums:
        """Sums over the games of both."""
        return Sums(
            self.units + other.units,
            None if self.cells is None or other.cells is None else self.cells + other.cells,
            self.first + other.first,
            self.length + other.length,
            self.lengths + other.lengths,
            self.games + other.games,
            self.moved + other.moved,
            (self.truncated[0] + other.truncated[0], self.truncated[1] + other.truncated[1]),
            (self.unwon[0] + other.unwon[0], self.unwon[1] + other.unwon[1]),
        )


def _unwon(games: Shares) -> int:
    """Finished games in which no seat wins."""
    return int(((games.share.sum(axis=1) <= 0) & ~games.truncated).sum())


def counts_cells(base: Experiment) -> bool:
    """Whether matchups are counted: at two seats or more, and not too many of them."""
    return base.seats > 1 and 1 < len(unit_names(base)) <= CELLS_UNITS


def _met(games: Shares, seats: int, units: int) -> Shares:
    """Every seat against every seat of an opponent as an entry of its own, row x units + column."""
    places = games.entrant.shape[1]
    seat = np.arange(places) * seats // places
    row, column = np.nonzero(seat[:, None] != seat[None, :])
    unit = games.entrant.astype(np.int64)
    return replace(games, entrant=(unit[:, row] * units + unit[:, column]).astype(np.int16), share=games.share[:, row])


def _firsts(games: Shares) -> Shares:
    """The seat that went first as the only entry; a game without one counts as truncated."""
    share = games.of_first[:, None]
    unknown = np.isnan(share[:, 0])
    entrant = np.zeros(share.shape, np.int16)
    return replace(games, entrant=entrant, share=np.nan_to_num(share), truncated=games.truncated | unknown)


def _turns(games: Shares) -> Shares:
    """The turns as the share of a single entry; truncated games count with the turns until they were stopped."""
    turns = games.turns[:, None].astype(np.float32)
    return replace(games, entrant=np.zeros(turns.shape, np.int16), share=turns, truncated=np.zeros(len(turns), np.bool_))


@dataclass(eq=False)
class Run:
    """Results of one changed card set, as far as they are played. owner: unit whose games an edit can affect, None: all.

    done: chunks summed, all before the others; taken: chunks given to a worker; missing: taken ones that were abandoned.
    """

    experiment: Experiment
    unchanged: bool
    owner: int | None
    sums: Sums | None = None
    done: int = 0
    taken: int = 0
    missing: list[int] = field(default_factory=list)
    waiting: dict[int, tuple[Sums, int]] = field(default_factory=dict)
    replayed: int = 0  # games played with changed cards
    stop: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, np.uint8))
    reached: bool = False  # every estimate is known to the goal
    next_look: int = 1  # chunks


@dataclass(frozen=True, eq=False)
class Standing:
    """What is known so far.

    rates: a line per unit: id, name, verdict (with the changes; empty for parts of teams, which are judged by what they
    contribute), before, before_low, before_high, after, after_low, after_high, change, low, high, p, p_holm
    (over the lines), sure (the change is certain), n (games, each way). The bounds of win rates hold for all lines together.
    cells: None, or the same columns by row and column.
    first, length: the win share of the seat that goes first and the turns of a game, as one line each, with n = 0 and NaN if
    unknown. lengths: (2, turns) games by length. fair: even share of the games with a winner, NaN alone. half_width: widest
    bound of a win rate and of a change. Shares are 0..1; bounds hold at every look.
    """

    rates: pd.DataFrame
    cells: pd.DataFrame | None
    first: pd.Series
    length: pd.Series
    lengths: NDArray[np.int64]
    fair: float
    games: int
    replayed: int
    moved: int
    truncated: tuple[float, float]
    unwon: tuple[float, float]  # of the finished games
    half_width: tuple[float, float]
    playing: bool


class Bench:
    """A card set with edits, whose games a crew plays. Safe to use from several threads.

    base: seats, policies, seed and the unchanged cards; its number of games does not matter. crew: plays; None: the caller
    takes every `job`. most: games each way at which playing ends, MOST if None; goal: half-width at which it ends. work: of
    another bench of the same cards, to go on with, by its players. table: win rates in games that people played, by name, to be
    shown beside those of the games (see `at_table.rates_at_table`).
    """

    def __init__(
        self,
        base: Experiment,
        crew: Crew | None = None,
        most: int | None = None,
        goal: float = GOAL,
        work: Work | None = None,
        table: pd.DataFrame | None = None,
    ) -> None:
        self.base = replace(base, policies=work.policies) if work else base
        self.table = table
        self.crew = crew
        self.most, self.goal = MOST if most is None else most, goal
        self.spent = 0.0  # seconds played for the present edits
        self.error = ""  # why games cannot be played, if so
        self.variants: dict[str, Edits] = {}
        self._keys: dict[str, bytes] = {}  # of the cards of each variant
        self._lock = threading.RLock()
        self._stop = np.zeros(1, np.uint8)
        self._chunks: list[Chunk] = []
        self._pace = CHUNK_FIRST / CHUNK_SECONDS  # games a second
        self._past: list[Edits] = []
        self._future: list[Edits] = []
        self._edits: Edits = {}
        self._paused = self._closed = False
        self._run = Run(self.base, unchanged=True, owner=None)
        self._runs: OrderedDict[bytes, Run] = OrderedDict({self._key(base.cards): self._run})
        self.cards = base.cards
        self._looked: tuple[Run, int, Standing] | None = None  # the last estimates, and of how many games
        if work:
            self._continue(work)
        if crew:
            crew.join(self)

    # ---- numbers and edits

    @cached_property
    def paths(self) -> dict[str, Any]:
        """Numbers and rule switches that can be edited, with their unchanged values, in the order of the card file."""
        document, found = self.base.cards.document, dict[str, Any]()
        known = list(scalars(document))
        for path, (location, value) in zip(addresses(document, [location for location, _ in known]), known, strict=True):
            if is_number(value) or (location[0] == RULES and len(location) == RULE_STEPS):
                found[path] = value
        numbered = {path.partition("[")[0] for path in found}
        switches = [f"{RULES}.{name}" for name in self.base.cards.switches]
        return found | {path: present(self.base.cards, path) for path in switches if path not in numbered}

    @property
    def edits(self) -> Edits:
        """The present edits."""
        return dict(self._edits)

    @property
    def change(self) -> Change:
        """The present edits as one change of the unchanged cards."""
        edits = tuple(Edit(path, self.paths[path], value) for path, value in self._edits.items())
        return Change(edits, self.cards, idle=self._key(self.cards) == self._key(self.base.cards))

    def numbers(self) -> pd.DataFrame:
        """Every number and switch: path, card, field, value, before (as written in a card file), source, edited, stepped.

        First the numbers of entrants, or of the parts of teams, then those of other cards, rules, and last of the board. source:
        rulebook, publisher or assumed; changed: printed, but different from the printed value; empty without one. stepped:
        whether it is a whole number, which has a next one.
        """
        sources = {item.path: item.source for item in self.cards.provenance}
        lines = []
        for path in self._ordered:
            before = self.paths[path]
            value = self._edits.get(path, before)
            card, name = self._parts[path]
            known = sources.get(path, "")
            line = (path, card, name, as_written(value), as_written(before), known, path in self._edits, type(value) is int)
            lines.append(line)
        return pd.DataFrame(lines, columns=["path", "card", "field", "value", "before", "source", "edited", "stepped"])

    @cached_property
    def _ordered(self) -> list[str]:
        """Paths in the order of `numbers`."""
        cards, board = self.base.cards, board_fields(self.base.cards.document)
        ids = self.base.teams.ids if self.base.teams else cards.ids

        def place(path: str) -> int:
            if path in board:
                return 3
            if path.split(".", maxsplit=1)[0] == RULES:
                return 2
            return 0 if owner_of(cards.document, path, ids) is not None else 1

        return sorted(self.paths, key=place)

    @cached_property
    def _parts(self) -> dict[str, tuple[str, str]]:
        """Card and field of each path."""
        document, parts = self.base.cards.document, {}
        for path in self.paths:
            try:
                location = locate(document, path)
            except CardError:  # a rule that the file leaves to its default
                location = tuple(path.split("."))
            kind = str(location[0])
            card = address(document, location[:2]) if len(location) > 2 and kind != RULES else kind
            parts[path] = (card, path[len(card) :].lstrip(".") or path)
        return parts

    def edit(self, path: str, text: str) -> None:
        """Give a number or switch another value, as typed; its unchanged value takes the edit back.

        Raises ValueError with the message of the card rules; the present edits then stay.
        """
        if path not in self.paths:
            raise ValueError(f"{shown(path)} is not a number or switch of this card set; {did_you_mean(path, list(self.paths))}")
        before, typed = self.paths[path], str(text).strip()
        if not typed:
            raise ValueError(f"{path} is empty; give a value such as {as_written(before)}")
        if len(typed) > TEXT_MOST:
            raise ValueError(f"{path}: has {len(typed)} characters; give a value such as {as_written(before)}")
        if isinstance(before, (list, tuple)):
            typed = "" if typed == as_written([]) else typed.replace(",", "+")
        value = parsed(typed, before, path)
        edits = {other: old for other, old in self._edits.items() if other != path}
        self._take(edits if value == before else edits | {path: value})

    @property
    def work(self) -> Work:
        """What the user has made so far."""
        with self._lock:
            return Work(self.edits, tuple(self._past), tuple(self._future), dict(self.variants), self.base.policies)

    def _continue(self, work: Work) -> None:
        """Take over the work of another bench of the same cards."""
        self._show(dict(work.edits))
        self._past, self._future = list(work.past), list(work.future)
        for name, edits in work.variants.items():
            self.variants[name], self._keys[name] = edits, self._key(self._compiled(edits))

    def step(self, path: str, by: int) -> None:
        """Move a whole number by some steps. Raises ValueError as `edit` does, and for what is no whole number."""
        value = self._edits.get(path, self.paths.get(path))
        if type(value) is not int:
            raise ValueError(f"{shown(path)} is not a whole number of this card set")
        self.edit(path, str(value + by))

    def undo(self) -> bool:
        """Go back before the last edit; returns whether there was one."""
        with self._lock:
            if not self._past:
                return False
            self._future.append(self._edits)
            self._show(self._past.pop())
        return self._woken()

    def redo(self) -> bool:
        """Make the last undone edit again; returns whether there was one."""
        with self._lock:
            if not self._future:
                return False
            self._past.append(self._edits)
            self._show(self._future.pop())
        return self._woken()

    def reset(self) -> None:
        """Take all edits back; `undo` brings them again."""
        self._take({})

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone edit."""
        return bool(self._future)

    def save(self, name: str) -> str:
        """Keep the present edits under a name, which replaces a variant of this name; returns the name.

        Raises ValueError for a name that is empty or too long, and without edits.
        """
        word = " ".join(str(name).split())
        if not word or not word.isprintable() or len(word) > NAME_MOST:
            raise ValueError(f"name={shown(word)} must have 1 to {NAME_MOST} printable characters")
        if not self._edits:
            raise ValueError("nothing is changed, so there is no variant to save; change a number first")
        if word not in self.variants and len(self.variants) == VARIANTS_MOST:
            raise ValueError(f"{VARIANTS_MOST} variants are saved; remove one first")
        self.variants[word], self._keys[word] = self.edits, self._key(self.cards)
        return word

    def open(self, name: str) -> None:
        """Make the edits of a saved variant the present ones. Raises ValueError for an unknown name."""
        self._take(dict(self.variants[self._saved(name)]))

    def remove(self, name: str) -> None:
        """Remove a saved variant. Raises ValueError for an unknown name."""
        del self.variants[self._saved(name)], self._keys[name]

    def known_range(self, name: str) -> tuple[float, float] | None:
        """Lowest and highest win rate of a saved variant, as far as it was played and its results are kept."""
        with self._lock:
            run = self._runs.get(self._keys[self._saved(name)])
            sums = run.sums if run else None
        if sums is None or not (sums.units["x_a"] > 0).all():
            return None
        rates = sums.units["y_a"] / sums.units["x_a"]
        return float(rates.min()), float(rates.max())

    def _saved(self, name: str) -> str:
        if name not in self.variants:
            raise ValueError(f"name={shown(name)} is not a saved variant; {did_you_mean(name, list(self.variants))}")
        return name

    def _take(self, edits: Edits) -> None:
        """Make other edits the present ones, after all checks. Raises ValueError."""
        with self._lock:
            if list(edits.items()) == list(self._edits.items()):
                return
            before = self._edits
            self._show(edits)
            self._past.append(before)
            self._future.clear()
        self._woken()

    def _woken(self) -> bool:
        if self.crew:
            self.crew.wake()
        return True

    def _show(self, edits: Edits) -> None:
        """Compile the cards with these edits and play them. Raises ValueError and changes nothing if they are not valid."""
        cards = self._compiled(edits)
        other = replace(self.base, cards=cards)  # checks that seats and policies go with these cards
        key = self._key(cards)
        if key not in self._runs:
            ids = self.base.teams.ids if self.base.teams else self.base.cards.ids
            owners = {owner_of(self.base.cards.document, path, ids) for path in edits}
            same = other.teams is None or self.base.teams is None or other.teams.planned == self.base.teams.planned
            owner = owners.pop() if len(owners) == 1 and same else None
            self._runs[key] = Run(other, unchanged=False, owner=owner)
        self._runs.move_to_end(key)
        self._run.stop[0] = 1
        self._run, self._edits, self.cards, self.spent, self.error = self._runs[key], edits, cards, 0.0, ""
        self._run.stop = np.zeros(1, np.uint8)
        first = self._key(self.base.cards)
        while len(self._runs) > RUNS_KEPT:
            oldest = next(other for other in self._runs if other != first)
            del self._runs[oldest]

    def _compiled(self, edits: Edits) -> CardSet:
        """The cards with these edits. Raises CardError with one line for each problem."""
        if not edits:
            return self.base.cards
        cards = self.base.cards
        for path, value in edits.items():
            cards = replace(cards, document=set_in(cards, path, value))
        return recompiled(self.base.game, cards.document, self.base.cards)

    @staticmethod
    def _key(cards: CardSet) -> bytes:
        """Equal for cards that play the same games."""
        return cards.record.tobytes()

    # ---- games

    def pause(self, paused: bool = True) -> None:
        """Stop playing, or go on."""
        with self._lock:
            if paused == self._paused:
                return
            self._paused = paused
            self._stop[0] = self._run.stop[0] = paused
            if not paused:
                self._stop, self._run.stop = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
        self._woken()

    def close(self) -> None:
        """Stop playing for good."""
        with self._lock:
            self._closed = True
            self._stop[0] = self._run.stop[0] = 1
        if self.crew:
            self.crew.leave(self)

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def job(self) -> Callable[[], None] | None:
        """The next games to play, as a function that plays them; None if there are none."""
        with self._lock:
            run = self._run
            if self._closed or self._paused or self.error or run.reached:
                return None
            if run.missing:
                number = run.missing.pop(0)
            elif run.taken < len(self._chunks) or self._lengthened():
                number, run.taken = run.taken, run.taken + 1
            else:
                return None
            return partial(self._play, run, number, self._stop, run.stop)

    def _lengthened(self) -> bool:
        """Plan another chunk, unless there are enough games."""
        first = self._chunks[-1].last if self._chunks else 0
        if first >= self.most:
            return False
        wanted = (
            CHUNK_FIRST
            if not self._chunks
            else min(CHUNK_MOST, 2 * (first - self._chunks[-1].first), int(self._pace * CHUNK_SECONDS))
        )
        unit = self.base.round_games
        last = min(first + max(wanted, 1), self.most)  # then whole rounds
        self._chunks.append(Chunk(first, first + -(-(last - first) // unit) * unit))
        return True

    def _play(self, run: Run, number: int, stop: NDArray[np.uint8], run_stop: NDArray[np.uint8]) -> None:
        """Play a chunk with unchanged cards, unless it is known, and with changed ones, and add the results."""
        chunk, began, sums, replayed = self._chunks[number], time.perf_counter(), None, 0
        try:
            if chunk.before is None:
                chunk.before = played(part_of(self.base, chunk.first, chunk.last), stop)
                self._learn(chunk.last - chunk.first, time.perf_counter() - began)
            if chunk.before is not None:
                after: Shares | None = chunk.before
                if not run.unchanged:
                    part = part_of(self.base, chunk.first, chunk.last, run.owner)
                    others = played(replace(part, cards=run.experiment.cards), run_stop) if part.games else chunk.before
                    replayed = part.games
                    if part.games:
                        after = None if others is None else laid_over(chunk.before, part.index - chunk.first, others)
                if after is not None:
                    sums = Sums.of(self.base, chunk.first, chunk.before, after)
            self._add(run, number, sums, replayed, time.perf_counter() - began)
        except Exception as error:  # a game that cannot be played must not end the thread
            with self._lock:
                if run is self._run:
                    self.error = str(error) or type(error).__name__
                run.missing.append(number)

    def _learn(self, games: int, seconds: float) -> None:
        """Note how fast games are played. Sums do not count: small chunks would look slow and become ever smaller."""
        with self._lock:
            self._pace = games / max(seconds, 1e-6)

    def _add(self, run: Run, number: int, sums: Sums | None, replayed: int, seconds: float) -> None:
        """Add the results of a chunk, in order; None if it was abandoned."""
        with self._lock:
            if sums is None:
                run.missing.append(number)
                run.missing.sort()
                return
            if run is self._run:
                self.spent += seconds
            run.waiting[number] = (sums, replayed)
            while run.done in run.waiting:
                more, games = run.waiting.pop(run.done)
                run.sums = more if run.sums is None else run.sums + more
                run.replayed, run.done = run.replayed + games, run.done + 1
            if run.done >= run.next_look and run.sums is not None:
                run.next_look = run.done + max(1, run.done // 4)
                run.reached = max(estimated(self.base, run.sums, run.unchanged).half_width) <= self.goal

    def standing(self) -> Standing | None:
        """What is known about the present edits; None before the first games. Cheap if little has changed since."""
        with self._lock:
            run, sums, replayed = self._run, self._run.sums, self._run.replayed
            ended = run.reached or bool(self._chunks and self._chunks[-1].last >= self.most and run.done == len(self._chunks))
            playing = not (ended or self._paused or self._closed or self.error)
        if sums is None:
            return None
        if self._looked is not None:
            last_run, games, last = self._looked
            if last_run is run and (games == sums.games or (playing and sums.games < LOOK_GROWTH * games)):
                if last.playing != playing:
                    self._looked = run, games, replace(last, playing=playing)
                return self._looked[2]
        self._looked = run, sums.games, replace(estimated(self.base, sums, run.unchanged), replayed=replayed, playing=playing)
        return self._looked[2]


def played(games: Experiment, stop: NDArray[np.uint8]) -> Shares | None:
    """Play games in this thread; None if they were stopped."""
    block, _ = play_range(games, 0, games.games, stop)
    if (block.rows["status"] == Status.UNPLAYED).any():
        return None

    def once(_: Experiment) -> Iterator[Any]:
        yield block

    return Shares.of(games, once)


def estimated(base: Experiment, sums: Sums, unchanged: bool) -> Standing:
    """Estimates and bounds from sums. unchanged: nothing is changed, so that every change is exactly zero."""
    names = unit_names(base)
    ids = list(base.teams.ids if base.teams else base.cards.ids)
    cells_sums = sums.units[:0] if sums.cells is None else sums.cells
    parts = [sums.units, cells_sums, sums.first]
    levels = [row_level(len(names)), LEVEL, LEVEL]  # only win rates are compared with the fair band, all of them together
    lines = [bounded(part, unchanged, _group_games(base, len(names)), level) for part, level in zip(parts, levels, strict=True)]
    rates, cells, first = (_marked(part, unchanged) for part in lines)
    fair = _fair(base, sums)
    rates = rates.assign(id=ids, name=names, verdict=_verdicts(base, rates, fair))
    row, column = np.divmod(np.arange(len(cells)), len(names))
    met = (row != column) & (cells["n"].to_numpy() > 0)
    cells = cells.assign(row=row, column=column)[met].reset_index(drop=True)
    known = np.flatnonzero(sums.lengths.sum(axis=0))
    return Standing(
        rates=rates,
        cells=None if sums.cells is None else cells,
        first=first.iloc[0],
        length=_length(sums.length, unchanged),
        lengths=sums.lengths[:, : known[-1] + 1],
        fair=fair,
        games=sums.games,
        replayed=0,
        moved=sums.moved,
        truncated=(sums.truncated[0] / sums.games, sums.truncated[1] / sums.games),
        unwon=tuple(lost / max(1, sums.games - cut) for lost, cut in zip(sums.unwon, sums.truncated, strict=True)),  # type: ignore[arg-type]
        half_width=_widest(rates),
        playing=True,
    )


def _fair(base: Experiment, sums: Sums) -> float:
    """Even share of the finished games that have a winner, with the changes; NaN alone."""
    finished = max(1, sums.games - sums.truncated[1])
    return (1 - sums.unwon[1] / finished) / base.seats if base.seats > 1 else float("nan")


def _verdicts(base: Experiment, rates: pd.DataFrame, fair: float) -> list[str]:
    """Verdicts of win rates with the changes; empty alone and for parts of teams."""
    if base.teams:
        return [""] * len(rates)
    now = rates[["after", "after_low", "after_high", "n"]].set_axis(["estimate", "low", "high", "n"], axis=1)
    return list(with_verdicts(now.assign(fair=fair))["verdict"])


def _group_games(base: Experiment, units: int) -> float:
    """Games of a unit in an observation: a round for parts of teams, else games with the same dice."""
    if not base.teams:
        return float(base.pair_games)
    return max(1.0, base.round_games * base.seats * base.teams.size / units)


def bounded(sums: pd.DataFrame, unchanged: bool, group_games: float, level: float = LEVEL) -> pd.DataFrame:
    """Rates before and after and their changes with bounds that hold at every look, from `linear_sums`. level: of the rates."""
    tuned = games_needed(TUNED) / group_games
    columns: dict[str, Any] = {}
    for side, word in (("b", "before"), ("a", "after")):
        y, x = f"y_{side}", f"x_{side}"
        total = {"y": sums[y], "x": sums[x], "yy": sums[f"{y}*{y}"], "xy": sums[f"{x}*{y}"], "xx": sums[f"{x}*{x}"]}
        known = mean_sequence(pd.DataFrame({**total, "n": sums[f"m_{side}"]}), tuned, level)
        columns |= {word: known["estimate"], f"{word}_low": known["low"], f"{word}_high": known["high"]}
    size = len(sums)
    columns["n"] = sums[["x_b", "x_a"]].min(axis=1).to_numpy(np.int64)
    if unchanged:
        return pd.DataFrame({**columns, **dict.fromkeys(("change", "low", "high"), np.zeros(size)), "p": np.ones(size)})
    change, groups = linear_change(sums), sums[["m_b", "m_a"]].min(axis=1)
    halves = pd.DataFrame(
        {"estimate": (1 + change["change"]) / 2, "error": change["error"] / 2, "n": columns["n"], "clusters": groups}
    )
    tuned = TUNED_VARIANCE * (deviations_at_best() / TUNED) ** 2 / group_games
    bounds, p = sequence_of(halves, tuned), p_of(halves, 0.5, tuned)
    columns |= {name: 2 * bounds[of] - 1 for name, of in (("change", "estimate"), ("low", "low"), ("high", "high"))}
    return pd.DataFrame({**columns, "p": np.where(np.isfinite(halves["estimate"]), p, np.nan)})


def _marked(frame: pd.DataFrame, unchanged: bool) -> pd.DataFrame:
    """Add p_holm over all lines, and whether a change is certain."""
    p_holm = frame["p"] if unchanged or not len(frame) else adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=np.nan_to_num(np.asarray(p_holm, np.float64), nan=1.0) < SURE).reset_index(drop=True)


def _length(sums: pd.DataFrame, unchanged: bool) -> pd.Series:
    """Mean turns before and after and their change with asymptotic bounds that hold at every look."""
    line = sums.iloc[0]
    groups = float(line["m"])
    scale = deviations(groups, games_needed(TUNED))
    facts: dict[str, Any] = {"n": int(line["x_b"])}
    for side, word in (("b", "before"), ("a", "after")):
        y, x = f"y_{side}", f"x_{side}"
        total = {
            "y": [line[y]],
            "x": [line[x]],
            "yy": [line[f"{y}*{y}"]],
            "xy": [line[f"{x}*{y}"]],
            "xx": [line[f"{x}*{x}"]],
            "n": [groups],
        }
        known = shares(pd.DataFrame(total)).iloc[0]
        half = scale * float(known["error"])
        facts |= {word: known["estimate"], f"{word}_low": known["estimate"] - half, f"{word}_high": known["estimate"] + half}
    change = linear_change(sums).iloc[0]
    half = scale * float(change["error"])
    facts |= {"change": change["change"], "low": change["change"] - half, "high": change["change"] + half}
    facts["sure"] = not unchanged and groups >= LEAST_CLUSTERS and bool(facts["low"] > 0 or facts["high"] < 0)
    return pd.Series(facts)


def _widest(rates: pd.DataFrame) -> tuple[float, float]:
    """Widest half-width of a rate, before or after, and of a change."""
    widths = []
    for estimate, low, high in (
        ("before", "before_low", "before_high"),
        ("after", "after_low", "after_high"),
        ("change", "low", "high"),
    ):
        table = rates[[estimate, low, high]].set_axis(["estimate", "low", "high"], axis=1)
        widths.append(float(half_widths(table).max()))
    return max(widths[:2]), widths[2]
