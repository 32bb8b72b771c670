"""The study that a report is made from: its games, played once, and how many they are.

How many games a report may play.

What a report is made from: the games of one card set at every number of seats, played once and kept small.

`Tally` counts every game; the frames hold the measures that the game's questions name, of the first FRAME_GAMES games.

Frames of a study for what teams are made of, and the values of measures that have several numbers.

Games of two seats by who plays whom.

Games of one policy against another, both ways round, played once for all answers that need them.

The pages of a game, and the ways between them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations_with_replacement
from math import sqrt
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.card_tally import CHART, CardTally, card_tally
from analysis.data.encounters import DUEL
from analysis.data.rows import Rows, Tally, distinct, games_frame, parts_frame, seats_frame
from analysis.data.shares import Shares
from analysis.document.cells import count
from analysis.document.model import Link
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure, Question
from sim.engine.policies import Policy, PolicySpec
from sim.engine.teams import Teams
from sim.experiment import Experiment
from sim.run import Block, Replay, blocks, replay
from sim.seeds import SEED_MAX

LEAST_GAMES = 20  # of any part of a scaled budget: fewer say nothing


@dataclass(frozen=True)
class Budget:
    """How many games a report may play."""

    games: int = 50_000  # per number of seats, for the policy; `random` beside it gets as many
    step_games: int = 6_000  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 8_000  # for each number that belongs to no entrant, changed by one step
    variant_games: int = 16_000  # for each reading of the rules, and for each value of a setting
    retest_games: int = 2_000  # of each of the best and the worst teams
    draft_games: int = 8_000  # of drafters of each policy
    pair_games: int = 20_000  # of the paired design behind matchups and seats
    sensitivity_games: int = 200_000  # of all numbers of the card file together, one step up and down
    screen_games: int = 40_000  # of the search for interactions
    tune_games: int = 250_000  # of the search for changes, and of the test of what it found
    skill_games: int = 1_600  # with each level of play in every seat
    skill_pairs: int = 400  # of every two levels of play against each other
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
        size = game.report_games / whole.games
        less, levels = whole.scaled(size), whole.scaled(sqrt(size))  # few games of a level would tell nothing
        kept = {"rolls": whole.rolls, "replays": whole.replays}
        return replace(less, **kept, skill_games=levels.skill_games, skill_pairs=levels.skill_pairs)

    def scaled(self, scale: float) -> Budget:
        """So many times these numbers. Raises ValueError unless scale is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        return Budget(**{name: max(LEAST_GAMES, round(number * scale)) for name, number in vars(self).items()})


OF_TEAMS = 2  # seats at which teams are judged
FRAME_GAMES = 100_000  # games per number of seats whose rows are kept: some 20 MB
REPLAYED_AT_ONCE = 50  # games with every position, some 5 MB

if TYPE_CHECKING:
    from analysis.teams.league import TeamStudy

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
        from analysis.teams.league import TeamStudy  # noqa: PLC0415 - it reads studies, and lies above them

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


Floats = NDArray[np.float64]


def contest(study: Study) -> int:
    """The number of seats at which teams are looked at: the fewest with an opponent."""
    return min(study.contests)


def at(frame: pd.DataFrame, seats: int) -> pd.DataFrame:
    """The lines of a frame at so many seats."""
    chosen: pd.DataFrame = frame.loc[frame["seats"] == seats]
    return chosen


def of_parts(study: Study, seats: pd.DataFrame, fields: Mapping[str, int]) -> pd.DataFrame:
    """What the parts of the teams did in the seats of a frame (see `frames.parts_frame`). Raises ValueError without teams."""
    if study.teams is None:
        raise ValueError(f"{study.game.name}: {', '.join(fields)} count by part, but the entrants are no teams")
    return parts_frame(seats, study.teams.members, study.teams.names, fields)


def numbers(frame: pd.DataFrame, measure: Measure) -> Floats:
    """All numbers of a measure, shape (lines, parts); of a measure without parts (lines, 1)."""
    names = [f"{measure.field}_{part}" for part in range(len(measure.parts))] or [measure.field]
    return frame[names].to_numpy(np.float64)


SEATS = 2


def of_pairings(study: Study) -> pd.DataFrame | None:
    """One line per game of two seats: `games_frame`, and who met; None where nobody meets or entrants are teams.

    More columns: key (games of one key share their dice), pairing (ordered categorical, `A - B` in the order of the cards,
    those that were played), ahead (entrant that went first, -1 unknown), behind (the other one), won (share of the first's win).
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
    met = [code[one, other] for one, other in np.sort(entrant, axis=1).tolist()]
    words = [f"{names[one]} \u2013 {names[other]}" for one, other in pairs]
    pairing = pd.Categorical.from_codes(met, pd.Index(words)).remove_unused_categories()
    return games.assign(
        key=study.main(SEATS).pair_of(games["game"].to_numpy(np.int64)),
        pairing=pairing,
        ahead=np.where(first >= 0, entrant[line, seat], -1),
        behind=entrant[line, 1 - seat],
        won=share[line, seat],
    )


_PLAYED: WeakKeyDictionary[Study, dict[Hashable, pd.DataFrame]] = WeakKeyDictionary()


def results(experiment: Experiment, play: Play, measures: tuple[Measure, ...] = ()) -> pd.DataFrame:
    """One line per game of two seats: those of `frames.games_frame`, and share_0, share_1 (of the win by seat), dice."""
    parts = []
    for block in play(experiment):
        frame = games_frame(block.rows, block.outcomes, measures)
        shares = {f"share_{seat}": block.rows["share"][:, seat].copy() for seat in range(experiment.seats)}
        dice = experiment.plan_of(block.rows["game"].astype(np.int64))["dice"]
        parts.append(frame.assign(**shares, dice=dice))
    return pd.concat(parts, ignore_index=True)


def against(study: Study, seats: int, games: int) -> pd.DataFrame:
    """So many games of the policy (seat `side`) against the one beside it, and as many with the policies on the other seats.

    Both have the same line-ups and dice. Columns: see `results`, and side. Raises ValueError where no policy stands beside.
    """
    if study.beside is None:
        raise ValueError(f"policy={study.policy}: no other policy stands beside it")
    pair = (study.policy, study.beside)

    def play() -> pd.DataFrame:
        base = study.experiment(seats, games)
        player = study.player(f"{pair[0]} against {pair[1]}", 2 * base.games)
        both = [results(replace(base, policies=order), player, _facts(study)) for order in (pair, pair[::-1])]
        return pd.concat([part.assign(side=side) for side, part in enumerate(both)], ignore_index=True)

    return _once(study, ("against", seats, games), play)


def alike(study: Study, seats: int, games: int, policy: PolicySpec) -> pd.DataFrame:
    """So many games with one policy in every seat; see `results`."""

    def play() -> pd.DataFrame:
        base = study.experiment(seats, games, policy)
        return results(base, study.player(f"{policy} in every seat", base.games), _facts(study))

    return _once(study, ("alike", seats, games, str(policy)), play)


def _facts(study: Study) -> tuple[Measure, ...]:
    """The measures per game with one number: what some answer may ask of these games."""
    return tuple(measure for measure in study.measures if measure.per == "game" and not measure.parts)


def _once(study: Study, key: Hashable, make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Games that are made the first time that an answer to this study asks for them."""
    kept = _PLAYED.setdefault(study, {})
    if key not in kept:
        kept[key] = make()
    return kept[key]


REPORT, CHANGE, BETTER = "", "what-to-change", "better-players"  # folders within that of the game
LABELS = {REPORT: "How it plays", CHANGE: "What to change", BETTER: "Better players"}

OTHER_GAMES = (  # below a figure that another page has too
    f"These are other games than those of \u201c{LABELS[REPORT]}\u201d, so that figures differ by what chance makes of them."
)


def parts_of(study: Study) -> tuple[str, ...]:
    """The pages that a study has beside its first one: none where nobody plays against anybody."""
    if not study.contests:
        return ()
    return (CHANGE, BETTER) if DUEL in study.contests else (CHANGE,)


def links(parts: Sequence[str], here: str = REPORT) -> tuple[Link, ...]:
    """The first page of a game and these, seen from one of them; none where there is only one."""
    if not parts:
        return ()
    up = "../" if here else ""
    ways = {part: f"{up}{part}/index.html" if part else f"{up}index.html" for part in (REPORT, *parts)}
    return tuple(Link(LABELS[part], "" if part == here else way) for part, way in ways.items())
