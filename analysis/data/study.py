"""What is studied and how it is played: game, cards, seats, policies, seed; the main games of a report, played once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.answer.numbers import count, seats_word
from analysis.answer.prose import at_seats
from analysis.data.budget import Budget, each_of_many
from analysis.data.player import Player, Watch, silent
from analysis.data.players import ANSWER, GAMES_MOST, games_in, player_words, searching_player, strong_player
from analysis.data.rows import Rows, Tally, distinct, games_frame, seats_frame
from analysis.data.shares import Play, Shares
from analysis.data.together import played
from analysis.data.usage import CardTally, card_tally
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure
from sim.engine.policies import Policy, PolicySpec
from sim.engine.questions import Cards, Question
from sim.engine.teams import Teams
from sim.experiments.experiment import Experiment
from sim.run import Block, GameSource, blocks
from sim.seeds import RETEST, derived_seed

OF_TEAMS = 2  # seats at which teams are judged
FRAME_GAMES = 100_000  # games per number of seats whose rows are kept: about 20 MB


@dataclass(frozen=True, eq=False)
class Study:
    """Data for the answers of a report. Games are played when they are first needed.

    watch: called with (stage, games done, total games). answered: called after each question of a report. base: the
    experiment of a command, whose design all games have; None for a report. asked_seats: seats that a question of a report
    names, 0 for none. quick: whether quick players were asked for, whose verdicts the strong players then test.
    table: win rates in games that people played, to be shown beside those of a report (see `playtests.against.at_table`).
    """

    game: Game
    cards: CardSet
    policy: PolicySpec = None  # type: ignore[assignment] # the strong players of the game
    seed: int = 1
    budget: Budget = field(default_factory=Budget)
    jobs: int | None = None
    watch: Watch | None = None
    answered: Callable[[], None] | None = None
    base: Experiment | None = None
    asked_seats: int = 0
    source: GameSource | None = None
    quick: bool = False
    table: pd.DataFrame | None = None
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.policy is None:
            object.__setattr__(self, "policy", strong_player(self.game))

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        jobs: int | None = None,
        watch: Watch | None = None,
        source: GameSource | None = None,
        quick: bool = False,
    ) -> Study:
        """The study of one experiment, for a command: its games are the budget of every part.

        source: games of this experiment that exist, to be read instead of played.
        """
        budget = Budget.all_equal(experiment.games_wanted)
        policy = experiment.policies[0]
        game, cards, seed = experiment.game, experiment.cards, experiment.seed
        return cls(game, cards, policy, seed, budget, jobs, watch, base=experiment, source=source, quick=quick)

    @cached_property
    def player(self) -> Player:
        """Plays the games. An interrupted command gets those played so far, a report none."""
        return Player(self.jobs, self.watch or silent, self.source, partial=self.base is not None)

    @cached_property
    def searcher(self) -> Study:
        """The study with quick players, whose finds the strong ones test; itself if other players were asked for."""
        quick = searching_player(self.game, self.policy)
        return self if quick == self.policy else replace(self, policy=quick, quick=True)

    @property
    def as_report(self) -> Study:
        """The study with the games of a report, for a question that plays several parts of fixed sizes."""
        return self if self.base is None else replace(self, budget=Budget.of(self.game, self.policy))

    @property
    def given(self) -> Experiment | None:
        """The experiment of games that exist already; None if they are played."""
        return self.base if self.source is not None else None

    @property
    def policies(self) -> tuple[PolicySpec, ...]:
        """One policy for all seats, or one for each."""
        return (self.policy,) if self.base is None else self.base.policies

    @property
    def contest(self) -> int:
        """Seats of a question: those that it names, else the fewest with an opponent. Raises ValueError if there are none."""
        if self.asked_seats:
            return self.asked_seats
        if not self.contests:
            raise ValueError(f"seats={self.seats[0]}: this question needs an opponent; use 2 or more seats")
        return min(self.contests)

    def design(self, games: int) -> Experiment:
        """The experiment of a command, of a report the balanced one at the fewest seats with an opponent; of `games` games."""
        return self.experiment(self.contest, games) if self.base is None else replace(self.base, games_wanted=games)

    @property
    def scale(self) -> float:
        """Multiple of the usual games, as asked for a report."""
        return self.budget.scale

    def memo(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returned when it was first asked for by this key."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def at(self, seats: int, games: float) -> Study:
        """The study for a question at a number of seats, 0 for the usual one, with games in multiples of the usual number."""
        return replace(self, asked_seats=seats, budget=self.budget.scaled(games))

    def step(self) -> None:
        """Report that a question is answered."""
        if self.answered:
            self.answered()

    @property
    def players(self) -> str:
        """Words for the players, such as `strong players` or `quick players: greedy:4`."""
        return player_words(self.game, self.policies)

    @property
    def tester(self) -> PolicySpec | None:
        """The strong player, if the verdicts of quick ones are to be tested; None if it is the same."""
        strong = strong_player(self.game)
        return strong if self.quick and strong not in self.policies else None

    def games_in(self, seconds: float = ANSWER, most: int = GAMES_MOST) -> int:
        """Number of games, at most `most`, that the players finish in some seconds: see `players.games_in`."""
        seats = self.base.seats if self.base is not None else self.asked_seats or self.fewest_seats
        return games_in(self.game, self.policies, seats, seconds, most)

    @property
    def seats(self) -> tuple[int, ...]:
        """Seat counts that the game allows and the card set can fill; of a command, the one that was asked for."""
        if self.base is not None:
            return (self.base.seats,)
        teams = self.teams
        if teams:
            room = teams.parts // teams.size if teams.disjoint else SEATS_MAX
        else:
            room = SEATS_MAX if self.game.mirror else len(self.cards.ids)
        return tuple(seats for seats in self.game.seats_for(self.cards) if seats <= room)

    @property
    def contests(self) -> tuple[int, ...]:
        """Seat counts of at least two."""
        return tuple(seats for seats in self.seats if seats > 1)

    @property
    def fewest_seats(self) -> int:
        """The fewest seats with an opponent; of games for one, their seat."""
        return min(self.contests or self.seats)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Measures of the outcomes with this card set."""
        return self.game.measures_for(self.cards)

    @property
    def limit_words(self) -> str:
        """Name of the limit that truncates games."""
        turns = f"{count(self.game.turn_limit(self.cards))} turns"
        return f"the game's own limit or {turns}" if self.game.limits_itself else f"the limit of {turns}"

    @property
    def names(self) -> list[str]:
        """Unique names of the entrants."""
        return distinct(self.cards.names)

    @cached_property
    def teams(self) -> Teams | None:
        """The teams, if the entrants are teams; else None."""
        return self.game.teams_for(self.cards)

    @property
    def units(self) -> list[str]:
        """Unique names of the units that balance is judged by: the parts of teams, else the entrants."""
        return distinct(self.teams.names) if self.teams else self.names

    @property
    def unit_ids(self) -> tuple[str, ...]:
        """Ids of the units in the card file."""
        return self.teams.ids if self.teams else self.cards.ids

    @property
    def unit_word(self) -> str:
        """Noun for a unit."""
        return self.teams.word if self.teams else self.game.entrant_word

    @property
    def units_word(self) -> str:
        """Plural noun for units."""
        return self.teams.words if self.teams else self.game.entrants_word

    def by_unit(self, shares: Shares) -> Shares:
        """Games with teams replaced by their parts; unchanged if the entrants are not teams."""
        return shares.of_parts(self.teams.members) if self.teams else shares

    @property
    def beside(self) -> PolicySpec | None:
        """Policy for comparison: `random`, or None if the study's policy is `random`."""
        return None if self.policy.policy == Policy.RANDOM else PolicySpec(Policy.RANDOM)

    @property
    def fresh_seed(self) -> int:
        """Seed of games that did not take part in a selection."""
        return derived_seed(self.seed, "fresh games")

    @property
    def retest_seed(self) -> int:
        """Seed of games that did not take part in selecting a step either."""
        return derived_seed(self.seed, RETEST)

    def experiment(self, seats: int, games: int, policy: PolicySpec | None = None) -> Experiment:
        """The balanced design at this number of seats, in whole passes through all line-ups if these fit into `games`.

        Designs without passes, which draw line-ups endlessly (teams), use whole rounds.
        """
        if self.base is not None:
            return replace(self.base, policies=(policy,) if policy else self.base.policies, games_wanted=games)
        return in_passes(Experiment(self.game.name, self.cards, seats, (policy or self.policy,), games, self.seed))

    def main(self, seats: int, policy: PolicySpec | None = None) -> Experiment:
        """The experiment behind the win rates at this number of seats."""
        return self.experiment(seats, self.budget.games_at(seats), policy)

    @cached_property
    def _played(self) -> tuple[Tally, pd.DataFrame, pd.DataFrame, list[Rows]]:
        """Tally, frame by game and frame by seat at all numbers of seats, and rows at the fewest with an opponent."""
        games, seats = [], []
        per_game, per_seat = self._measures("game"), self._measures("seat")

        def keep(block: Block) -> None:
            if self._cards:
                self._cards.add(block.rows, block.outcomes)
            kept = slice(0, max(0, FRAME_GAMES - block.first))
            rows, outcomes = block.rows[kept], block.outcomes[kept]
            games.append(games_frame(rows, outcomes, per_game))
            seats.append(seats_frame(rows, outcomes, per_seat, self.names))

        tally, rows = self._tallied(self.policy, keep)
        return tally, pd.concat(games, ignore_index=True), pd.concat(seats, ignore_index=True), rows

    def _tallied(self, policy: PolicySpec, keep: Callable[[Block], None] | None = None) -> tuple[Tally, list[Rows]]:
        """Tally of a policy's games at all numbers of seats, and rows at the fewest with an opponent, block by block."""
        tally, rows = Tally.empty(len(self.names), SEATS_MAX), []
        for number in self.seats:
            for block in self.blocks(self.main(number, policy), f"{policy}, {seats_word(number)}"):
                tally.add(block.rows)
                if number == self.fewest_seats:
                    rows.append(block.rows.copy())
                if keep:
                    keep(block)
        return tally, rows

    @property
    def tally(self) -> Tally:
        """Sums over all games of the policy."""
        return self._played[0]

    @cached_property
    def _cards(self) -> CardTally | None:
        """Card tally, filled as the games are played; None if the game does not count by card."""
        return card_tally(self)

    @property
    def card_tally(self) -> CardTally | None:
        """Sums by card over all games of the policy at the seats of the question about cards; None without such a question."""
        return self._cards if self._played else None

    @property
    def games_frame(self) -> pd.DataFrame:
        """One row per game (see `rows.games_frame`), at all numbers of seats."""
        return self._played[1]

    @property
    def seats_frame(self) -> pd.DataFrame:
        """One row per game and seat (see `rows.seats_frame`), at all numbers of seats."""
        return self._played[2]

    @cached_property
    def _played_beside(self) -> tuple[Tally | None, list[Rows]]:
        """Tally and rows of the comparison policy, with the same number of games: see `_tallied`."""
        return self._tallied(self.beside) if self.beside else (None, [])

    @property
    def tally_beside(self) -> Tally | None:
        """Sums over the games of the comparison policy."""
        return self._played_beside[0]

    def main_rows(self, policy: PolicySpec) -> list[Rows]:
        """Rows of the main games of the policy, or of the one beside it, at the fewest seats with an opponent, block by block."""
        return self._played[3] if policy == self.policy else self._played_beside[1]

    @property
    def rows_of_teams(self) -> list[Rows]:
        """Rows of the policy's team games at two seats, block by block."""
        return self._played[3] if self.has_teams else []

    @property
    def rows_of_teams_beside(self) -> list[Rows]:
        """Rows of the comparison policy's team games; empty without one."""
        return self._played_beside[1] if self.has_teams else []

    @property
    def has_teams(self) -> bool:
        """Whether teams meet at the seats at which they are judged."""
        return self.teams is not None and OF_TEAMS in self.seats

    def blocks(self, experiment: Experiment, stage: str) -> Iterator[Block]:
        """Play an experiment block by block, reporting progress."""
        return self.play_as(stage, experiment.games)(experiment)

    def play_as(self, stage: str, total: int) -> Play:
        """Return a function that plays experiments as parts of a stage of about `total` games; some add games to whole rounds."""
        done, most = 0, total

        def play(experiment: Experiment) -> Iterator[Block]:
            nonlocal done, most
            most = max(most, done + experiment.games)
            for block in blocks(experiment, self.jobs):
                yield block
                done += len(block.rows)
                if self.watch:
                    self.watch(stage, done, most)

        return play

    def play_all(self, stage: str, experiments: Sequence[Experiment], total: int = 0) -> Iterator[Shares]:
        """Play experiments side by side, as a stage of `total` games at least, and yield their results in the order given."""
        most = max(total, sum(experiment.games for experiment in experiments))
        return played(experiments, self.jobs, lambda _, rows: self.player.report(stage, len(rows), most))

    def measure(self, name: str) -> Measure:
        """The measure for a field of the outcomes. Raises ValueError if the game has none of that name."""
        known = {measure.field: measure for measure in self.measures}
        if name not in known:
            raise ValueError(f"{self.game.name}: measure {name!r} is not among {', '.join(known)}")
        return known[name]

    def where(self, seats: int) -> str:
        """Words for the games at a number of seats, for captions: `at two seats with strong players`."""
        return f"{at_seats(seats)} with {self.players}"

    def seats_for(self, question: Question) -> int:
        """Seats at which a question's games are played: those that it names, else the fewest with an opponent."""
        return question.seats or min(self.contests)

    def games_for(self, question: Question, usual: int) -> int:
        """Games for a question, which gives them in multiples of the usual number. Raises NoAnswerError if they are too few."""
        return each_of_many(usual * question.games)

    def part_names(self, entrant: int, parts: int) -> list[str]:
        """Names of the parts of an entrant (abilities, cards); numbers if the game names none."""
        named = self.game.part_names(self.cards)[entrant] if self.game.part_names else ()
        return [named[part] if part < len(named) else f"part {part + 1}" for part in range(parts)]

    def _measures(self, per: str) -> list[Measure]:
        """Measures that questions read, except those by card, of which only sums are kept."""
        named = {name for question in self.game.questions if not isinstance(question, Cards) for name in question.measures}
        return [measure for measure in self.measures if measure.per == per and measure.field in named]


def in_passes(experiment: Experiment) -> Experiment:
    """The experiment in whole passes through all line-ups, if one fits into its games."""
    whole, games = experiment.pass_games, experiment.games_wanted
    return experiment if whole is None or whole > games else replace(experiment, games_wanted=-(-games // whole) * whole)
