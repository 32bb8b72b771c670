"""Experiments: entrants, line-ups, seats, policies, cards, number of games and seed, with checks of all of them.

Game `i` depends on the experiment and `i` alone, not on the worker or the block that plays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN
from sim.engine.policies import PolicySpec, players
from sim.engine.teams import Teams
from sim.experiments.designs import Design, Fixed, InPlay, Rotated, Shifts
from sim.experiments.partitions import Partitions
from sim.registry import game_named
from sim.seeds import checked_seed


def no_such_thing(name: str, thing: str, things: tuple[str, ...], title: str) -> str:
    """Return the message for a thing that cannot be forbidden."""
    if not things:
        return f"forbid={name!r}: nothing can be forbidden in {title}"
    return f"forbid={name!r}: {title} has no {thing!r} that can be forbidden; {did_you_mean(thing, list(things))}"


def check_room(seats: int, entrants: int, teams: Teams | None) -> None:
    """Raise ValueError if the card set has too few entrants or parts for one table."""
    if teams is None and entrants < seats:
        raise ValueError(f"seats={seats}: the card set has {entrants} entrants, and this needs {seats}")
    if teams is not None and teams.parts < seats * teams.size:
        raise ValueError(f"seats={seats}: the card set has {teams.parts} {teams.words}, and this needs {seats * teams.size}")


def check_line_up(line_up: tuple[int, ...], seats: int, entrants: int, mirror: bool) -> None:
    """Raise ValueError if a fixed line-up is not valid."""
    if len(line_up) != seats:
        raise ValueError(f"line_up={line_up} has {len(line_up)} entrants for {seats} seats")
    if not all(0 <= entrant < entrants for entrant in line_up):
        raise ValueError(f"line_up={line_up}: entrants are numbered 0..{entrants - 1}")
    if not mirror and len(set(line_up)) < seats:
        raise ValueError(f"line_up={line_up}: no entrant can sit on two seats of this game")


def check_teams(line_up: tuple[int, ...], ids: tuple[str, ...], teams: Teams | None, word: str) -> None:
    """Raise ValueError if teams of a fixed line-up share a part that can sit only once, or if teams form in the game."""
    if teams is None:
        return
    named = ", ".join(ids[entrant] for entrant in line_up)
    if not teams.planned:
        raise ValueError(f"line_up={named}: the {word} of this card set form in the game; leave the line-up out")
    seated: set[int] = set()
    for members in teams.members[list(line_up)].tolist():
        if teams.disjoint and seated & set(members):
            shared = " and ".join(teams.names[part] for part in sorted(seated & set(members)))
            raise ValueError(f"line_up={named}: {shared} would sit in two {word}; each {teams.word} can sit only once at a table")
        seated |= set(members)


def either(numbers: tuple[int, ...]) -> str:
    """Return numbers of seats in words."""
    words = " or ".join(", ".join(map(str, numbers)).rsplit(", ", 1))
    return words + (" seat" if numbers == (1,) else " seats")


GAMES_MAX = 2**44  # games of an experiment; higher bits of the dice index encode the number of seats
Coupling = Literal["seat", "entrant"]


def policies_read(given: object) -> tuple[PolicySpec, ...]:
    """Parse policies: a name, several names separated by commas, a `PolicySpec`, or a sequence of names and `PolicySpec`s.

    Raises ValueError for an unknown policy, TypeError for any other argument.
    """
    if isinstance(given, str):
        return tuple(PolicySpec.parse(name) for name in given.split(","))
    if isinstance(given, PolicySpec):
        return (given,)
    if isinstance(given, Sequence) and all(isinstance(policy, (str, PolicySpec)) for policy in given):
        return tuple(policy if isinstance(policy, PolicySpec) else PolicySpec.parse(policy) for policy in given)
    raise TypeError(f"policies={given!r} must be policies, such as (PolicySpec.parse('greedy:4'),) or 'greedy:4'")


@dataclass(frozen=True)
class Experiment:
    """A number of games in a balanced design of line-ups.

    policies: one for all seats, or one per seat; see `policies_read` for the accepted forms. coupling: dice keyed by seat ("which
    entrant is stronger") or by entrant ("what is a seat worth"). line_up: a fixed line-up (entrants by seat) instead of the
    balanced design. forbidden: names from the game's `ablatable`: THING for all entrants, ENTRANT:THING for a single entrant;
    a forbidden action is still taken if no other is legal.
    """

    game_name: str
    cards: CardSet
    seats: int
    policies: tuple[PolicySpec, ...]
    games_wanted: int
    seed: int = 1
    coupling: Coupling = "seat"
    line_up: tuple[int, ...] | None = None
    paired: bool = False  # play every line-up from all seats in turn with the same dice
    forbidden: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "policies", policies_read(self.policies))
        game, entrants = self.game, len(self.cards.ids)
        possible = game.seats_for(self.cards)
        if self.seats not in possible:
            which = "" if possible == game.seats else " with these cards"
            raise ValueError(f"seats={self.seats}: {game.title}{which} is played by {either(possible)}")
        if len(self.policies) not in {1, self.seats}:
            more = f" for all seats, or {self.seats}, one for each" if self.seats > 1 else ", because there is one seat"
            raise ValueError(f"policies={self.policy_words!r}: give one{more}")
        if not 1 <= self.games_wanted <= GAMES_MAX:
            limit = "at least 1" if self.games_wanted < 1 else f"at most {GAMES_MAX}"
            raise ValueError(f"games={self.games_wanted} must be {limit}")
        checked_seed(self.seed)
        if not self.mirror:
            check_room(self.seats, entrants, self.teams)
        if self.line_up is not None:
            check_line_up(self.line_up, self.seats, entrants, self.mirror or self.teams is not None)
            check_teams(self.line_up, self.cards.ids, self.teams, game.entrants_word)
        if not game.features and any(policy.baseline for policy in self.policies):
            raise ValueError(f"policies={self.policy_words!r}: {game.title} has no weights, so /baseline does not apply")
        _ = self.bans  # raises ValueError for an unknown name

    @property
    def game(self) -> Game:
        """The game, looked up by name so that workers in other processes can find it too."""
        return game_named(self.game_name)

    @cached_property
    def teams(self) -> Teams | None:
        """The teams, or None if the entrants are not teams."""
        return self.game.teams_for(self.cards)

    @property
    def mirror(self) -> bool:
        """Whether an entrant can sit on two seats."""
        return not self.teams.disjoint if self.teams else self.game.mirror

    @cached_property
    def _design(self) -> Design:
        """The design of line-ups, paired if requested."""
        design = self._single
        unpaired = design.pair_games == 1 < self.seats and not isinstance(design, InPlay)
        return Rotated(self.seats, design) if self.paired and unpaired else design

    @property
    def _single(self) -> Design:
        """The design without additional pairing."""
        if self.line_up is not None:
            return Fixed(self.seats, self.line_up)
        teams, word = self.teams, self.game.entrants_word
        design: Design = (
            Partitions(self.seats, teams, word, self.seed)
            if teams is not None and teams.disjoint
            else Shifts(self.seats, len(self.cards.ids), self.mirror, self.seed)
        )
        return design if teams is None or teams.planned else InPlay(self.seats, design, word)

    @property
    def lineups(self) -> int:
        """Number of different line-ups, counting seat orders as different."""
        return self._design.lineups

    @property
    def round_games(self) -> int:
        """Number of games in a round, in which every entrant, or part of teams, sits equally often on every seat."""
        return self._design.round_games

    @property
    def pair_games(self) -> int:
        """Number of consecutive games with the same entrants and dice on different seats; 1 if every game has its own dice."""
        return self._design.pair_games

    @property
    def pass_games(self) -> int | None:
        """Games after which every line-up has been played equally often; None if line-ups are random."""
        return self._design.pass_games

    @property
    def games(self) -> int:
        """Number of games to play: `games_wanted`, rounded up to whole rounds."""
        return -(-self.games_wanted // self.round_games) * self.round_games

    @property
    def design(self) -> str:
        """Description of the design of line-ups."""
        return self._design.words(self.games)

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of games first..first+count-1, shape (count,)."""
        if not 0 <= first <= first + count <= self.games:
            raise ValueError(f"games {first}..{first + count - 1} are not within 0..{self.games - 1}")
        return self.plan_of(np.arange(first, first + count))

    def plan_of(self, index: np.ndarray) -> np.ndarray:
        """Return the PLAN lines of any games, by index, shape (n,).

        Experiments with different numbers of seats use different dice; games of a pair use the same dice.
        """
        lines = np.zeros(len(index), PLAN)
        lines["game"], lines["seed"], lines["seats"] = index, self.seed, self.seats
        lines["dice"] = self.pair_of(index) * self.pair_games + (self.seats - 1) * GAMES_MAX
        lines["entrant"] = -1
        lines["entrant"][:, : self.seats] = self.entrants_of(index)
        lines["stream"] = np.arange(SEATS_MAX)
        if self.coupling == "entrant":
            lines["stream"][:, : self.seats] = SEATS_MAX + self._streams(lines["entrant"][:, : self.seats])
        lines["player"][:, : self.seats] = np.arange(self.seats) if len(self.policies) > 1 else 0
        return lines

    def _streams(self, entrants: np.ndarray) -> np.ndarray:
        """Return the dice of each entrant, numbered from 0; an entrant on several seats has different dice on each."""
        streams = entrants.astype(np.int64)
        for seat in range(1, self.seats):
            seated_before = (entrants[:, :seat] == entrants[:, seat : seat + 1]).sum(axis=1)
            streams[:, seat] += len(self.cards.ids) * seated_before
        return streams

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """Return the entrants by seat of each game index, shape (n, seats)."""
        return self._design.entrants_of(np.asarray(index, np.int64))

    def round_of(self, index: np.ndarray) -> np.ndarray:
        """Return the round of each game index, (n,). Games in a round are correlated; rounds are independent."""
        return np.asarray(index, np.int64) // self.round_games

    def pair_of(self, index: np.ndarray) -> np.ndarray:
        """Return the pair of each game index, (n,): games with the same entrants and dice, one for each rotation of the seats.

        With three or four seats, a "pair" has three or four games. If every game has its own dice, each is its own pair.
        """
        return np.asarray(index, np.int64) // self.pair_games

    @property
    def player_table(self) -> np.ndarray:
        """The PLAYER table that the plan's `player` points into."""
        return players(list(self.policies))

    @cached_property
    def evaluators(self) -> np.ndarray:
        """The card records whose weights players evaluate with, (k,) CARDS, read-only.

        The card set's record and, if a policy uses it, a copy with the baseline weights.
        """
        record = self.cards.record
        if not any(policy.baseline for policy in self.policies):
            return record
        both = np.concatenate([record, record])
        both["weight"][1] = both["weight_baseline"][1]
        both.flags.writeable = False
        return both

    @cached_property
    def bans(self) -> np.ndarray:
        """1 where a thing is forbidden to an entrant, (entrants, things) or (0, 0) uint8. Raises ValueError for unknown names."""
        if not self.forbidden:
            return np.zeros((0, 0), np.uint8)
        things = self.game.ablatable(self.cards) if self.game.ablatable else ()
        bans = np.zeros((len(self.cards.ids), len(things)), np.uint8)
        for name in self.forbidden:
            entrant, colon, thing = name.rpartition(":")
            if thing not in things:
                raise ValueError(no_such_thing(name, thing, things, self.game.title))
            if colon and entrant not in self.cards.ids:
                raise ValueError(
                    f"forbid={name!r}: {entrant!r} is not one of the {self.game.entrants_word}; "
                    f"{did_you_mean(entrant, list(self.cards.ids))}"
                )
            rows = [self.cards.ids.index(entrant)] if colon else slice(None)
            bans[rows, things.index(thing)] = 1
        return bans

    @property
    def policy_words(self) -> str:
        """The policies as a user enters them."""
        return ",".join(str(policy) for policy in self.policies)

    def facts(self) -> dict[str, Any]:
        """Return everything needed to repeat the experiment, as plain values."""
        fixed = None if self.line_up is None else {"line_up": [self.cards.ids[entrant] for entrant in self.line_up]}
        return (
            {
                "game": self.game_name,
                "cards": self.cards.title,
                "cards_digest": self.cards.digest,
                "seats": self.seats,
                "policy": self.policy_words,
                "games": self.games,
                "seed": self.seed,
                "coupling": self.coupling,
                "design": self.design,
            }
            | (fixed or {})
            | ({"forbidden": list(self.forbidden)} if self.forbidden else {})
        )


@dataclass(frozen=True)
class AgainstAll(Experiment):
    """Games of one entrant against balanced random opponents, from every seat.

    entrant: its number. A team that must not share parts meets teams of repeated random splits of the other parts; any other
    entrant meets all others in every round, but not itself. If results selected the entrant, use another seed than theirs. All
    such experiments with the same seed use the same dice in the same games.
    """

    entrant: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.entrant < len(self.cards.ids):
            raise ValueError(f"entrant={self.entrant}: entrants are numbered 0..{len(self.cards.ids) - 1}")
        if self.line_up is not None:
            raise ValueError(f"line_up={self.line_up}: the opponents of an entrant are random; leave the line-up out")
        if self.seats == 1:
            raise ValueError("seats=1: there is no opponent")
        if self.teams and not self.teams.planned:
            raise ValueError(f"entrant={self.entrant}: {self.game.entrants_word} of this card set form in the game")

    @cached_property
    def _design(self) -> Design:
        """The splits of the other parts."""
        word, words = self.game.entrant_word, self.game.entrants_word
        teams = self.teams
        if teams is None or not teams.disjoint:
            alone = np.arange(len(self.cards.ids))[:, None]
            teams = Teams(self.cards.ids, self.cards.names, alone, True, word, words)
        return Partitions(self.seats, teams, words, self.seed, self.entrant)

    def facts(self) -> dict[str, Any]:
        """See `Experiment`; adds the entrant."""
        return super().facts() | {"entrant": self.cards.ids[self.entrant]}
