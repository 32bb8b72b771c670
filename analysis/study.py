"""What a report is made from: the games of one card set at every number of seats, played once and kept small.

`Tally` counts every game; the frames hold the measures that the game's questions name, of the first FRAME_GAMES games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from analysis.frames import distinct, games_frame, seats_frame
from analysis.tally import Tally
from analysis.wording import count
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure, Question
from sim.engine.policies import Policy, PolicySpec
from sim.experiment import SEED_MAX, Experiment
from sim.run import Block, Replay, blocks, replay

FRAME_GAMES = 100_000  # games per number of seats whose rows are kept: some 20 MB
REPLAYED_AT_ONCE = 50  # games with every position, some 5 MB
LEAST_GAMES = 20  # of any part of a scaled budget: fewer say nothing

Watch = Callable[[str, int, int], None]
Play = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True)
class Budget:
    """How many games a report may play."""

    games: int = 50_000  # per number of seats, for the policy; `random` beside it gets as many
    step_games: int = 6_000  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 8_000  # for each number that belongs to no entrant, changed by one step
    variant_games: int = 16_000  # for each reading of the rules, and for each value of a setting
    rolls: int = 20_000  # simulated, for each roll with known odds
    replays: int = 400  # games replayed for the board map

    @classmethod
    def default(cls) -> Budget:
        """A report of a game like the Arena in about three minutes on two cores, compile included."""
        return cls()

    @classmethod
    def of(cls, game: Game) -> Budget:
        """The default, or as much less of every game played as the game asks for (`report_games`): fixed, never measured.

        What costs no whole games (rolls) or few (replays) stays.
        """
        whole = cls.default()
        if game.report_games is None:
            return whole
        less = whole.scaled(game.report_games / whole.games)
        return replace(less, rolls=whole.rolls, replays=whole.replays)

    def scaled(self, scale: float) -> Budget:
        """So many times these numbers. Raises ValueError unless scale is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        return Budget(**{name: max(LEAST_GAMES, round(number * scale)) for name, number in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Study:
    """All that the answers of a report are worked out from. Games are played when they are first asked for.

    watch: called with (stage, games done, games in all). elapsed_s: seconds by stage, for the console only: nothing that
    is written may depend on it.
    """

    game: Game
    cards: CardSet
    policy: PolicySpec = field(default_factory=lambda: PolicySpec(Policy.GREEDY))
    seed: int = 1
    budget: Budget = field(default_factory=Budget.default)
    jobs: int | None = None
    watch: Watch | None = None
    elapsed_s: dict[str, float] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[int, ...]:
        """Numbers of seats that the game can be played with and the card set can fill."""
        room = SEATS_MAX if self.game.mirror else len(self.cards.ids)
        return tuple(seats for seats in self.game.seats_for(self.cards) if seats <= room)

    @property
    def contests(self) -> tuple[int, ...]:
        """Those of them at which there is somebody to lose to."""
        return tuple(seats for seats in self.seats if seats > 1)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What the outcomes mean with this card set."""
        return self.game.measures_for(self.cards)

    @property
    def limit_words(self) -> str:
        """What stops a game that will not end."""
        turns = f"{count(self.game.turn_limit(self.cards))} turns"
        return f"the game's own limit or {turns}" if self.game.limits_itself else f"the limit of {turns}"

    @property
    def names(self) -> list[str]:
        """Names of the entrants, told apart."""
        return distinct(self.cards.names)

    @property
    def beside(self) -> PolicySpec | None:
        """The policy whose win rates stand beside those of the policy: `random`, if that is another."""
        return None if self.policy.policy == Policy.RANDOM else PolicySpec(Policy.RANDOM)

    @property
    def fresh_seed(self) -> int:
        """Seed of games that had no part in choosing who is looked at closer: the next one, after the last the first."""
        return (self.seed + 1) % (SEED_MAX + 1)

    @property
    def retest_seed(self) -> int:
        """Seed of games that had no part in choosing a step either: the one after `fresh_seed`."""
        return (self.seed + 2) % (SEED_MAX + 1)

    def experiment(self, seats: int, games: int, policy: PolicySpec | None = None) -> Experiment:
        """The balanced design at so many seats: whole passes through all line-ups where these fit into the games."""
        found = Experiment(self.game.name, self.cards, seats, (policy or self.policy,), games, self.seed)
        passes = -(-games // found.lineups)
        return replace(found, games_wanted=passes * found.lineups) if found.lineups <= games else found

    def main(self, seats: int, policy: PolicySpec | None = None) -> Experiment:
        """The experiment behind the win rates at so many seats."""
        return self.experiment(seats, self.budget.games, policy)

    @cached_property
    def _played(self) -> tuple[Tally, pd.DataFrame, pd.DataFrame]:
        """The tally, and the frames by game and by seat, of all numbers of seats."""
        tally = Tally.empty(len(self.names), SEATS_MAX)
        games, seats = [], []
        per_game, per_seat = self._measures("game"), self._measures("seat")
        for number in self.seats:
            for block in self.blocks(self.main(number), f"{self.policy}, {number} seats"):
                tally.add(block.rows)
                kept = slice(0, max(0, FRAME_GAMES - block.first))
                rows, outcomes = block.rows[kept], block.outcomes[kept]
                games.append(games_frame(rows, outcomes, per_game))
                seats.append(seats_frame(rows, outcomes, per_seat, self.names))
        return tally, pd.concat(games, ignore_index=True), pd.concat(seats, ignore_index=True)

    @property
    def tally(self) -> Tally:
        """Sums over all games of the policy."""
        return self._played[0]

    @property
    def games_frame(self) -> pd.DataFrame:
        """One line per game (see `frames.games_frame`), at all numbers of seats."""
        return self._played[1]

    @property
    def seats_frame(self) -> pd.DataFrame:
        """One line per game and seat (see `frames.seats_frame`), at all numbers of seats."""
        return self._played[2]

    @cached_property
    def tally_beside(self) -> Tally | None:
        """Sums over as many games of the policy beside."""
        if self.beside is None:
            return None
        tally = Tally.empty(len(self.names), SEATS_MAX)
        for number in self.seats:
            for block in self.blocks(self.main(number, self.beside), f"{self.beside}, {number} seats"):
                tally.add(block.rows)
        return tally

    def blocks(self, experiment: Experiment, stage: str) -> Iterator[Block]:
        """Play an experiment block by block, telling how far it is."""
        return self.player(stage, experiment.games)(experiment)

    def player(self, stage: str, total: int) -> Play:
        """Return what plays one experiment after the other as parts of a stage of `total` games."""
        done = 0

        def play(experiment: Experiment) -> Iterator[Block]:
            nonlocal done
            began = time.perf_counter()
            for block in blocks(experiment, self.jobs):
                yield block
                done += len(block.rows)
                if self.watch:
                    self.watch(stage, done, total)
            self.elapsed_s[stage] = self.elapsed_s.get(stage, 0.0) + time.perf_counter() - began

        return play

    def replays(self, seats: int) -> Iterator[Replay]:
        """The first games of the main experiment again, with every position, a few at a time."""
        experiment = self.main(seats)
        wanted = min(self.budget.replays, experiment.games)
        began = time.perf_counter()
        for first in range(0, wanted, REPLAYED_AT_ONCE):
            count = min(REPLAYED_AT_ONCE, wanted - first)
            yield replay(experiment, first, count)
            if self.watch:
                self.watch("replays", first + count, wanted)
        self.elapsed_s["replays"] = time.perf_counter() - began

    def measure(self, name: str) -> Measure:
        """The measure of a field of the outcomes. Raises ValueError if the game has none of that name."""
        for measure in self.measures:
            if measure.field == name:
                return measure
        known = ", ".join(measure.field for measure in self.measures)
        raise ValueError(f"{self.game.name}: measure {name!r} is not among {known}")

    def seats_for(self, question: Question) -> int:
        """Seats at which what-ifs are played: the question's setting `seats`, else the fewest with an opponent."""
        named = question.settings.get("seats")
        return int(named[0]) if named else min(self.contests)

    def games_for(self, question: Question, usual: int) -> int:
        """Games of one what-if: as many as usual, times the question's setting `games` if it has one."""
        times = float(question.settings.get("games", ("1",))[0])
        return max(LEAST_GAMES, round(usual * times))

    def part_names(self, entrant: int, parts: int) -> list[str]:
        """What the parts of an entrant (abilities, cards) are called; numbers where the game names none."""
        named = self.game.part_names(self.cards)[entrant] if self.game.part_names else ()
        return [named[part] if part < len(named) else f"part {part + 1}" for part in range(parts)]

    def _measures(self, per: str) -> list[Measure]:
        """The measures that some question reads."""
        named = {name for question in self.game.questions for name in question.roles.values()}
        return [measure for measure in self.measures if measure.per == per and measure.field in named]


def finished(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """The lines of a frame that belong to finished games at so many seats."""
    chosen: pd.DataFrame = frame.loc[frame["finished"] & (frame["seats"] == seats)]
    return chosen
