"""The study behind a report: the games of one card set at every number of seats, played once, and their number (`Budget`).

`Tally` counts every game; the frames hold the measures that the game's questions name, for the first FRAME_GAMES games.
Also: frames of team parts and of games by pairing, games of one policy against another, and the links between a game's pages.

Play many experiments side by side on all cores and return them in order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations_with_replacement
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from joblib import delayed
from numpy.typing import NDArray

from analysis.answer.numbers import count, seats_word
from analysis.answer.page import Link
from analysis.answer.prose import at_seats
from analysis.data.encounters import DUEL
from analysis.data.player import Player, silent
from analysis.data.rows import Rows, Tally, distinct, games_frame, parts_frame, seats_frame
from analysis.data.shares import Play, Shares
from analysis.data.usage import CardTally, card_tally
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure
from sim.engine.policies import Policy, PolicySpec
from sim.engine.questions import Cards, Question
from sim.engine.teams import Teams
from sim.experiments.experiment import Experiment
from sim.run import Block, GameSource, blocks, keeper_in_use, play_kept, share_out
from sim.seeds import RETEST, derived_seed

LEAST_GAMES = 20  # of any part of a scaled budget; fewer are useless
WITH_REPLIES = 0.2  # part of the usual games that a report plays with players that think of replies, which take ten times as long


@dataclass(frozen=True)
class Budget:
    """Numbers of games that a report can play."""

    games: int = 10_000  # per number of seats, for the policy; the same number for `random` beside it
    step_games: int = 800  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 1_000  # for each number that belongs to no entrant, changed by one step
    variant_games: int = 2_000  # for each rule variant, and for each value of a setting
    retest_games: int = 400  # of each of the best and the worst teams
    draft_games: int = 1_000  # of drafters of each policy
    pair_games: int = 4_000  # of the paired design behind matchups and seats
    sensitivity_games: int = 24_000  # for all numbers of the card file together, one step up and down
    tune_games: int = 30_000  # of the search for changes, and of the test of its proposal
    skill_games: int = 800  # with each level of play in every seat
    skill_pairs: int = 1_600  # of each level of play against each other one: known to 2.5 points
    rolls: int = 20_000  # simulated, for each roll with known odds
    replays: int = 200  # games replayed and evaluated turn by turn

    @classmethod
    def default(cls) -> Budget:
        """Budget for a report in about three minutes on two cores for a game as fast as the Arena with `turn:4:4`."""
        return cls()

    @classmethod
    def of(cls, game: Game, policy: PolicySpec | None = None) -> Budget:
        """The default, scaled down if the game asks for fewer games (`report_games`); does not depend on the machine.

        policy: of the report; with one that plays replies in thought, a fifth of the games. Rolls and replays, which cost no or
        few whole games, are not scaled, nor are meetings of levels, which must be precise.
        """
        whole = cls.default()
        size = (game.report_games or whole.games) / whole.games
        if policy is not None and policy.policy == Policy.TURN and policy.depth:
            size *= WITH_REPLIES
        less, levels = whole.scaled(size), whole.scaled(sqrt(size))  # a level of play needs a minimum of games
        kept = {"rolls": whole.rolls, "replays": whole.replays, "skill_pairs": whole.skill_pairs}
        return replace(less, **kept, skill_games=levels.skill_games)

    def scaled(self, scale: float) -> Budget:
        """Multiply all numbers by `scale`. Raises ValueError unless it is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        return Budget(**{name: max(LEAST_GAMES, round(number * scale)) for name, number in vars(self).items()})


OF_TEAMS = 2  # seats at which teams are judged
FRAME_GAMES = 100_000  # games per number of seats whose rows are kept: about 20 MB

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Study:
    """Data for the answers of a report. Games are played when they are first needed.

    watch: called with (stage, games done, total games). answered: called after each question of a report. elapsed_s: seconds by
    stage, for the console only: no file may depend on it. base: the experiment of a command, whose design all games have; None
    for a report. asked_seats: seats that a question of a report names, 0 for none.
    """

    game: Game
    cards: CardSet
    policy: PolicySpec = field(default_factory=lambda: PolicySpec(Policy.GREEDY))
    seed: int = 1
    budget: Budget = field(default_factory=Budget.default)
    jobs: int | None = None
    watch: Watch | None = None
    answered: Callable[[], None] | None = None
    elapsed_s: dict[str, float] = field(default_factory=dict)
    base: Experiment | None = None
    asked_seats: int = 0
    source: GameSource | None = None
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls, experiment: Experiment, jobs: int | None = None, watch: Watch | None = None, source: GameSource | None = None
    ) -> Study:
        """The study of one experiment, for a command: its games are the budget of every part.

        source: games of this experiment that exist, to be read instead of played.
        """
        budget = Budget(**dict.fromkeys(vars(Budget()), experiment.games_wanted))
        policy = experiment.policies[0]
        return cls(
            experiment.game, experiment.cards, policy, experiment.seed, budget, jobs, watch, base=experiment, source=source
        )

    @cached_property
    def player(self) -> Player:
        """Plays the games. An interrupted command gets those played so far, a report none."""
        return Player(self.jobs, self.watch or silent, self.source, partial=self.base is not None)

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
        return self.budget.replays / Budget().replays

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
        """Words for the policies, such as `greedy:4 in every seat`."""
        words = str(self.policy) if self.base is None else self.base.policy_words
        return f"{words} in {'turn by seat' if ',' in words else 'every seat'}"

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
        base = Experiment(self.game.name, self.cards, seats, (policy or self.policy,), games, self.seed)
        whole = base.pass_games
        return base if whole is None or whole > games else replace(base, games_wanted=-(-games // whole) * whole)

    def main(self, seats: int, policy: PolicySpec | None = None) -> Experiment:
        """The experiment behind the win rates at this number of seats."""
        return self.experiment(seats, self.budget.games, policy)

    @cached_property
    def _played(self) -> tuple[Tally, pd.DataFrame, pd.DataFrame, list[Rows]]:
        """Tally, frame by game and frame by seat at all numbers of seats, and the rows of team games."""
        games, seats = [], []
        per_game, per_seat = self._measures("game"), self._measures("seat")

        def keep(block: Block) -> None:
            if self._cards:
                self._cards.add(block.rows, block.outcomes)
            kept = slice(0, max(0, FRAME_GAMES - block.first))
            rows, outcomes = block.rows[kept], block.outcomes[kept]
            games.append(games_frame(rows, outcomes, per_game))
            seats.append(seats_frame(rows, outcomes, per_seat, self.names))

        tally, teams = self._tallied(self.policy, keep)
        return tally, pd.concat(games, ignore_index=True), pd.concat(seats, ignore_index=True), teams

    def _tallied(self, policy: PolicySpec, keep: Callable[[Block], None] | None = None) -> tuple[Tally, list[Rows]]:
        """Tally of a policy's games at all numbers of seats, and the rows of its team games, block by block."""
        tally, teams = Tally.empty(len(self.names), SEATS_MAX), []
        for number in self.seats:
            for block in self.blocks(self.main(number, policy), f"{policy}, {seats_word(number)}"):
                tally.add(block.rows)
                if self.has_teams and (block.rows["seats"] == OF_TEAMS).all():
                    teams.append(block.rows.copy())
                if keep:
                    keep(block)
        return tally, teams

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
        """Tally and rows of team games of the comparison policy, with the same number of games."""
        return self._tallied(self.beside) if self.beside else (None, [])

    @property
    def tally_beside(self) -> Tally | None:
        """Sums over the games of the comparison policy."""
        return self._played_beside[0]

    @property
    def rows_of_teams(self) -> list[Rows]:
        """Rows of the policy's team games at two seats, block by block."""
        return self._played[3]

    @property
    def rows_of_teams_beside(self) -> list[Rows]:
        """Rows of the comparison policy's team games; empty without one."""
        return self._played_beside[1]

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
            began, most = time.perf_counter(), max(most, done + experiment.games)
            for block in blocks(experiment, self.jobs):
                yield block
                done += len(block.rows)
                if self.watch:
                    self.watch(stage, done, most)
            self.elapsed_s[stage] = self.elapsed_s.get(stage, 0.0) + time.perf_counter() - began

        return play

    def measure(self, name: str) -> Measure:
        """The measure for a field of the outcomes. Raises ValueError if the game has none of that name."""
        known = {measure.field: measure for measure in self.measures}
        if name not in known:
            raise ValueError(f"{self.game.name}: measure {name!r} is not among {', '.join(known)}")
        return known[name]

    def where(self, seats: int) -> str:
        """Words for the games at a number of seats, for captions: `at two seats with greedy in every seat`."""
        return f"{at_seats(seats)} with {self.policy} in every seat"

    def seats_for(self, question: Question) -> int:
        """Seats at which a question's games are played: those that it names, else the fewest with an opponent."""
        return question.seats or min(self.contests)

    def games_for(self, question: Question, usual: int) -> int:
        """Games for a question, which gives them in multiples of the usual number."""
        return max(LEAST_GAMES, round(usual * question.games))

    def part_names(self, entrant: int, parts: int) -> list[str]:
        """Names of the parts of an entrant (abilities, cards); numbers if the game names none."""
        named = self.game.part_names(self.cards)[entrant] if self.game.part_names else ()
        return [named[part] if part < len(named) else f"part {part + 1}" for part in range(parts)]

    def _measures(self, per: str) -> list[Measure]:
        """Measures that questions read, except those by card, of which only sums are kept."""
        named = {name for question in self.game.questions if not isinstance(question, Cards) for name in question.measures}
        return [measure for measure in self.measures if measure.per == per and measure.field in named]


def finished(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Rows of a frame that belong to finished games at this number of seats."""
    chosen: pd.DataFrame = frame.loc[frame["finished"] & (frame["seats"] == seats)]
    return chosen


Floats = NDArray[np.float64]


def contest(study: Study) -> int:
    """Number of seats at which teams are compared: the fewest with an opponent."""
    return min(study.contests)


def at(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """Rows of a frame at this number of seats."""
    chosen: pd.DataFrame = frame.loc[frame["seats"] == seats]
    return chosen


def of_parts(study: Study, seats: pd.DataFrame, fields: Mapping[str, int]) -> pd.DataFrame:
    """Frame by part of the teams in the seats of a frame (see `rows.parts_frame`). Raises ValueError without teams."""
    if study.teams is None:
        raise ValueError(f"{study.game.name}: {', '.join(fields)} count by part, but the entrants are not teams")
    return parts_frame(seats, study.teams.members, study.teams.names, fields)


def numbers(frame: pd.DataFrame, measure: Measure) -> Floats:
    """All numbers of a measure, shape (rows, parts), or (rows, 1) for a measure without parts."""
    names = [f"{measure.field}_{part}" for part in range(len(measure.parts))] or [measure.field]
    return frame[names].to_numpy(np.float64)


SEATS = 2


def of_pairings(study: Study) -> pd.DataFrame | None:
    """`games_frame` at two seats with the entrants of each game; None without such games, or if entrants are teams.

    Additional columns: key (games with the same key share their dice), pairing (ordered categorical `A - B`, in the order of the
    cards), ahead (entrant that went first, -1 unknown), behind (the other one), won (share of the win of the one that went
    first).
    """
    if study.teams is not None or SEATS not in study.contests:
        return None
    games = at(study.games_frame, SEATS).reset_index(drop=True)
    seats = at(study.seats_frame, SEATS)
    if games.empty:
        return None
    entrant = seats["entrant"].to_numpy(np.int64).reshape(-1, SEATS)
    share = seats["share"].to_numpy(np.float64).reshape(-1, SEATS)
    first = games["first"].to_numpy(np.int64)
    seat, line = first.clip(0), np.arange(len(games))
    names, pairs = study.names, [*combinations_with_replacement(range(len(study.names)), SEATS)]
    code = {pair: number for number, pair in enumerate(pairs)}
    met = [code[low, high] for low, high in np.sort(entrant, axis=1).tolist()]
    words = [f"{names[low]} \u2013 {names[high]}" for low, high in pairs]
    pairing = pd.Categorical.from_codes(met, pd.Index(words)).remove_unused_categories()
    return games.assign(
        key=study.main(SEATS).pair_of(games["game"].to_numpy(np.int64)),
        pairing=pairing,
        ahead=np.where(first >= 0, entrant[line, seat], -1),
        behind=entrant[line, 1 - seat],
        won=share[line, seat],
    )


def results(experiment: Experiment, play: Play, measures: tuple[Measure, ...] = ()) -> pd.DataFrame:
    """One row per game: `games_frame` with additional columns share_0, share_1, ... (of the win, by seat) and dice."""
    parts = []
    for block in play(experiment):
        frame = games_frame(block.rows, block.outcomes, measures)
        shares = {f"share_{seat}": block.rows["share"][:, seat].copy() for seat in range(experiment.seats)}
        dice = experiment.plan_of(block.rows["game"].astype(np.int64))["dice"]
        parts.append(frame.assign(**shares, dice=dice))
    return pd.concat(parts, ignore_index=True)


def against(study: Study, seats: int, games: int) -> pd.DataFrame:
    """Games of the policy (on seat `side`) against the comparison policy, and the same games with the policies swapped.

    Both halves have `games` games with the same line-ups and dice. Columns: see `results`, and side. Raises ValueError without a
    comparison policy.
    """
    if study.beside is None:
        raise ValueError(f"policy={study.policy}: has no comparison policy")
    pair = (study.policy, study.beside)
    base = study.experiment(seats, games)
    experiments = [replace(base, policies=order) for order in (pair, pair[::-1])]
    return _once(study, ("against", seats, games), f"{pair[0]} against {pair[1]}", experiments)


def alike(study: Study, seats: int, games: int, policy: PolicySpec) -> pd.DataFrame:
    """`games` games with one policy in every seat; see `results`."""
    experiment = study.experiment(seats, games, policy)
    return _once(study, ("alike", seats, games, str(policy)), f"{policy} in every seat", [experiment]).drop(columns="side")


def _once(study: Study, key: Hashable, stage: str, experiments: Sequence[Experiment]) -> pd.DataFrame:
    """`results` with single numbers per game as measures and a column side, the index of the experiment; played only once."""

    def play() -> pd.DataFrame:
        player = study.play_as(stage, sum(experiment.games for experiment in experiments))
        facts = tuple(measure for measure in study.measures if measure.per == "game" and not measure.parts)
        parts = [results(experiment, player, facts).assign(side=side) for side, experiment in enumerate(experiments)]
        return pd.concat(parts, ignore_index=True)

    frame: pd.DataFrame = study.memo(key, play)
    return frame


REPORT, CHANGE, BETTER = "", "what-to-change", "better-players"  # folders within that of the game
LABELS = {REPORT: "How it plays", CHANGE: "What to change", BETTER: "Better players"}


def parts_of(study: Study) -> tuple[str, ...]:
    """Further pages of a study besides its first one; none for games without opponents."""
    if not study.contests:
        return ()
    return (CHANGE, BETTER) if DUEL in study.contests else (CHANGE,)


def links(parts: Sequence[str], here: str = REPORT) -> tuple[Link, ...]:
    """Links from the page `here` to all pages of a game; empty if it has only one page."""
    if not parts:
        return ()
    up = "../" if here else ""
    paths = {part: f"{up}{part}/index.html" if part else f"{up}index.html" for part in (REPORT, *parts)}
    return tuple(Link(LABELS[part], "" if part == here else path) for part, path in paths.items())


CHUNK = 500  # games given to a worker at a time

Told = Callable[[int], None]  # progress callback; takes the number of games just played


def played(experiments: Sequence[Experiment], jobs: int | None = None, told: Told | None = None) -> Generator[Shares]:
    """Play each experiment and yield its shares, in the order given. Results do not depend on the number of workers.

    Keeps all cores busy with short experiments; played one after the other, each would wait for its last block.
    """
    keeper = keeper_in_use()

    def tasks(stop: NDArray[np.uint8]) -> Generator[Any]:
        for experiment in experiments:
            for first in range(0, experiment.games, CHUNK):
                yield delayed(play_kept)(keeper, experiment, first, min(CHUNK, experiment.games - first), stop)

    results = share_out(tasks, jobs)
    try:
        for experiment in experiments:
            blocks = []
            for _ in range(0, experiment.games, CHUNK):
                block, _ = next(results)
                blocks.append(block)
                if told:
                    told(len(block.rows))
            yield Shares.of(experiment, _replay(blocks))
    finally:
        results.close()


def played_in_pieces(
    pieces: Sequence[Sequence[Experiment]], jobs: int | None = None, told: Told | None = None
) -> list[list[Shares]]:
    """Play the experiments of each piece in turn. Returns the finished pieces; fewer than given after an interrupt."""
    results = played([experiment for piece in pieces for experiment in piece], jobs, told)
    finished: list[list[Shares]] = []
    with suppress(KeyboardInterrupt):
        for piece in pieces:
            finished.append([next(results) for _ in piece])  # noqa: PERF401 - keeps those before an interrupt
    results.close()
    return finished


def _replay(blocks: Sequence[Block]) -> Play:
    """A play function that returns blocks already played."""
    return lambda _: iter(blocks)


def joined(parts: Sequence[Shares]) -> Shares:
    """Concatenate games."""
    if len(parts) == 1:
        return parts[0]
    return Shares(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES))


def taken(games: Shares, at: NDArray[np.integer[Any]]) -> Shares:
    """Select games. at: their indexes, ascending."""
    return Shares(*(column[at] if column.size else column for column in (getattr(games, name) for name in _NAMES)))


def laid_over(games: Shares, at: NDArray[np.integer[Any]], others: Shares) -> Shares:
    """Copy of the games with those at the indexes `at` replaced by `others`."""
    changed = {name: getattr(games, name).copy() for name in _NAMES if getattr(games, name).size}
    for name, column in changed.items():
        column[at] = getattr(others, name)
    return replace(games, **changed)


_NAMES = tuple(field.name for field in fields(Shares))
