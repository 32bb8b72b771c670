"""What a report is made from: the games of one card set at every number of seats, played once and kept small.

`Tally` counts every game; the frames hold the measures that the game's questions name, of the first FRAME_GAMES games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from analysis.budget import LEAST_GAMES, Budget
from analysis.card_tally import CHART, CardTally, card_tally
from analysis.compare import Shares
from analysis.frames import distinct, games_frame, seats_frame
from analysis.rows import Rows
from analysis.tally import Tally
from analysis.wording import count
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure, Question
from sim.engine.policies import Policy, PolicySpec
from sim.engine.teams import Teams
from sim.experiment import Experiment
from sim.run import Block, Replay, blocks, replay
from sim.seeds import SEED_MAX

OF_TEAMS = 2  # seats at which teams are judged
FRAME_GAMES = 100_000  # games per number of seats whose rows are kept: some 20 MB
REPLAYED_AT_ONCE = 50  # games with every position, some 5 MB

if TYPE_CHECKING:
    from analysis.team_study import TeamStudy

Watch = Callable[[str, int, int], None]
Play = Callable[[Experiment], Iterator[Block]]


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
        teams = self.teams
        if teams:
            room = teams.parts // teams.size if teams.disjoint else SEATS_MAX
        else:
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

    @cached_property
    def teams(self) -> Teams | None:
        """What the entrants are made of; None where they are no teams."""
        return self.game.teams_for(self.cards)

    @property
    def units(self) -> list[str]:
        """Names of what balance is judged by, told apart: the parts where the entrants are teams, else the entrants."""
        return distinct(self.teams.names) if self.teams else self.names

    @property
    def unit_ids(self) -> tuple[str, ...]:
        """Their ids in the card file."""
        return self.teams.ids if self.teams else self.cards.ids

    @property
    def unit_word(self) -> str:
        """What one of them is called."""
        return self.teams.word if self.teams else self.game.entrant_word

    @property
    def units_word(self) -> str:
        """What several of them are called."""
        return self.teams.words if self.teams else self.game.entrants_word

    def by_unit(self, shares: Shares) -> Shares:
        """Games with the parts of the teams in their places; unchanged where the entrants are no teams."""
        return shares.of_parts(self.teams.members) if self.teams else shares

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
        """The balanced design at so many seats: whole passes through all line-ups where these fit into the games.

        Designs that draw line-ups for ever, as those of teams do, know no pass: whole rounds then.
        """
        found = Experiment(self.game.name, self.cards, seats, (policy or self.policy,), games, self.seed)
        whole = found.pass_games
        return found if whole is None or whole > games else replace(found, games_wanted=-(-games // whole) * whole)

    def main(self, seats: int, policy: PolicySpec | None = None) -> Experiment:
        """The experiment behind the win rates at so many seats."""
        return self.experiment(seats, self.budget.games, policy)

    @cached_property
    def _played(self) -> tuple[Tally, pd.DataFrame, pd.DataFrame, list[Rows]]:
        """The tally, the frames by game and by seat, of all numbers of seats, and the rows of games of teams."""
        tally = Tally.empty(len(self.names), SEATS_MAX)
        games, seats, teams = [], [], []
        per_game, per_seat = self._measures("game"), self._measures("seat")
        for number in self.seats:
            for block in self.blocks(self.main(number), f"{self.policy}, {number} seats"):
                tally.add(block.rows)
                teams += self._of_teams(block)
                if self._cards:
                    self._cards.add(block.rows, block.outcomes)
                kept = slice(0, max(0, FRAME_GAMES - block.first))
                rows, outcomes = block.rows[kept], block.outcomes[kept]
                games.append(games_frame(rows, outcomes, per_game))
                seats.append(seats_frame(rows, outcomes, per_seat, self.names))
        return tally, pd.concat(games, ignore_index=True), pd.concat(seats, ignore_index=True), teams

    @property
    def tally(self) -> Tally:
        """Sums over all games of the policy."""
        return self._played[0]

    @cached_property
    def _cards(self) -> CardTally | None:
        """What counts by card as the games are played; None where the game does not."""
        return card_tally(self)

    @property
    def card_tally(self) -> CardTally | None:
        """Sums by card over all games of the policy at the seats of the question about cards; None where there is none."""
        return self._cards if self._played else None

    @property
    def games_frame(self) -> pd.DataFrame:
        """One line per game (see `frames.games_frame`), at all numbers of seats."""
        return self._played[1]

    @property
    def seats_frame(self) -> pd.DataFrame:
        """One line per game and seat (see `frames.seats_frame`), at all numbers of seats."""
        return self._played[2]

    @cached_property
    def _played_beside(self) -> tuple[Tally, list[Rows]] | None:
        """The tally of as many games of the policy beside, and the rows of those of teams."""
        if self.beside is None:
            return None
        tally, teams = Tally.empty(len(self.names), SEATS_MAX), []
        for number in self.seats:
            for block in self.blocks(self.main(number, self.beside), f"{self.beside}, {number} seats"):
                tally.add(block.rows)
                teams += self._of_teams(block)
        return tally, teams

    @property
    def tally_beside(self) -> Tally | None:
        """Sums over as many games of the policy beside."""
        return self._played_beside[0] if self._played_beside else None

    @property
    def rows_of_teams(self) -> list[Rows]:
        """Rows of the policy's games of teams two by two, block by block."""
        return self._played[3]

    @property
    def rows_of_teams_beside(self) -> list[Rows]:
        """Those of the policy beside; empty where there is none."""
        return self._played_beside[1] if self._played_beside else []

    @cached_property
    def team_study(self) -> TeamStudy | None:
        """What the games of teams two by two say; None where the entrants are no teams or never meet so."""
        from analysis.team_study import TeamStudy  # noqa: PLC0415 - it reads studies, and lies above them

        return TeamStudy(self) if self._has_teams else None

    @property
    def _has_teams(self) -> bool:
        return self.teams is not None and OF_TEAMS in self.seats

    def _of_teams(self, block: Block) -> list[Rows]:
        """The rows of a block if they are kept: games of teams two by two."""
        return [block.rows.copy()] if self._has_teams and (block.rows["seats"] == OF_TEAMS).all() else []

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
        """The measures that some question reads; of those that count by card only sums are kept."""
        kept = (question.roles for question in self.game.questions if question.chart != CHART)
        named = {name for roles in kept for name in roles.values()}
        return [measure for measure in self.measures if measure.per == per and measure.field in named]


def finished(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """The lines of a frame that belong to finished games at so many seats."""
    chosen: pd.DataFrame = frame.loc[frame["finished"] & (frame["seats"] == seats)]
    return chosen
