"""Facts of games in frames: those that a question can be asked about, and the values of one by group.

A fact is a measure of the game's outcomes. Three questions share them: amounts (counts and quantities), categories (words and
flags) and times (turns, and values for every turn).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import count
from analysis.data.rows import games_frame, seats_frame
from analysis.data.study import Study
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.decks import NO_CARD
from sim.engine.dice import SEATS_MAX
from sim.engine.measures import Measure
from sim.experiments.experiment import Experiment

Subject = Literal["amounts", "categories", "times"]
SPLITS = ("entrant", "side", "position", "seats", "all")  # what games can be split by
SIDES = ("losers", "winners")  # a seat that shares in the win is a winner
ALL = "all together"
LENGTH = Measure("length", "Length", "turns", "game", "turn")  # a fact of every game: truncated games have no end
CARD_PART = re.compile(r"[a-z]+ \d+")  # name of a part that each entrant has another one for: `ability 1`, `card 1`

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def subject_of(measure: Measure) -> Subject:
    """The question that is asked about a fact."""
    if measure.kind in ("category", "flag"):
        return "categories"
    return "times" if measure.kind == "turn" or is_curve(measure) else "amounts"


def is_curve(measure: Measure) -> bool:
    """Whether a fact has a value for every turn: its parts are 1, 2, 3, ..."""
    numbers = tuple(str(turn + 1) for turn in range(len(measure.parts)))
    return measure.kind == "number" and len(numbers) > 1 and measure.parts == numbers


def is_length(measure: Measure) -> bool:
    """Whether a fact is a length of the game, such as its rounds."""
    return measure.per == "game" and measure.kind == "count" and not measure.parts


def facts_of(study: Study, subject: Subject) -> dict[str, Measure]:
    """Facts that a question can be asked about, by name."""
    facts = {LENGTH.field: LENGTH} if subject == "times" else {}
    for measure in study.measures:
        if subject_of(measure) == subject or (subject == "times" and is_length(measure)):
            facts[measure.field] = measure
    return facts


def chosen_facts(study: Study, subject: Subject, names: Sequence[str]) -> list[Measure]:
    """Facts by their names. Raises ValueError with the nearest name, or with the question that is asked about the fact."""
    known = facts_of(study, subject)
    others = {measure.field: measure for measure in study.measures}
    for name in names:
        if name in known:
            continue
        if name in others:
            right = subject_of(others[name])
            raise ValueError(
                f"fact {name!r}: {subject} cannot be asked about it; ask `fairfight {right} {study.game.name} {name}`"
            )
        hint = did_you_mean(name, list(known)) or f"{study.game.title} declares no such facts"
        raise ValueError(f"fact {name!r}: {study.game.title} has no such fact for {subject}; {hint}")
    return [known[name] for name in dict.fromkeys(names)]


def list_facts(study: Study, subject: Subject) -> pd.DataFrame:
    """Facts that a question can be asked about: fact, label, unit, per, parts (names of the parts or categories)."""
    rows = [
        {
            "fact": measure.field,
            "label": measure.label,
            "unit": measure.unit,
            "per": measure.per,
            "parts": f"1 to {len(measure.parts)}"
            if is_curve(measure)
            else ", ".join(filter(None, measure.parts or measure.categories)),
        }
        for measure in facts_of(study, subject).values()
    ]
    return pd.DataFrame(rows, columns=["fact", "label", "unit", "per", "parts"])


def overview_words(study: Study, subject: Subject, names: Sequence[str], one: str, several: str, which: str = "one") -> str:
    """Write how many facts a game keeps that a question can be asked about, and the command for an example, the first name."""
    if not names:
        return f"{study.game.title} keeps no {several}."
    asked = f"`fairfight {subject} {study.game.name} {names[0]}`"
    if len(names) == 1:
        return f"{study.game.title} keeps one {one}: {asked}."
    return f"{study.game.title} keeps {count(len(names))} {several}; name {which}, such as {asked}."


@dataclass(frozen=True, eq=False)
class Values:
    """Values of a fact, a row for every game and seat, or for every game, seat and member of a team, in this order.

    game: rows of the same game and group are one observation. group: index into `names`. value: (rows, parts), nan if unknown;
    of a category its code, -1 if unknown. parts: their names, empty for a single number. own: by group, other names of the
    parts; empty if all groups share them. seats, entrant: number of seats, and who plays this one. finished, won, share: its
    result.
    """

    measure: Measure
    names: tuple[str, ...]
    game: Ints
    group: Ints
    value: Floats
    parts: tuple[str, ...]
    own: tuple[tuple[str, ...], ...]
    seats: Ints
    entrant: Ints
    finished: NDArray[np.bool_]
    won: NDArray[np.bool_]
    share: Floats

    @property
    def cluster(self) -> Ints:
        """Number of the game, different at different numbers of seats."""
        return self.game * (SEATS_MAX + 1) + self.seats

    def once(self) -> Values:
        """Values with one row for every game and group, if the fact is one of the game; else unchanged."""
        if self.measure.per == "seat":
            return self
        _, first = np.unique(np.stack([self.cluster, self.group]), axis=1, return_index=True)
        return self.chosen(np.isin(np.arange(len(self.game)), first))

    def chosen(self, rows: NDArray[np.bool_]) -> Values:
        """The values of some of the rows."""
        columns = ("game", "group", "value", "seats", "entrant", "finished", "won", "share")
        fields = vars(self) | {name: getattr(self, name)[rows] for name in columns}
        return Values(**fields)


@dataclass(frozen=True, eq=False)
class FactGames:
    """Games with their facts: `games` a row per game, `seats` a row per game and seat, in the same order.

    experiment: that played them, at the fewest seats.
    """

    study: Study
    experiment: Experiment
    games: pd.DataFrame
    seats: pd.DataFrame

    @classmethod
    def of(cls, study: Study, facts: Sequence[Measure], games: int, by: str) -> FactGames:
        """The games of a report, or those of a command, which are played now.

        At the fewest seats with an opponent; for `by="seats"`, at every number of seats of a report. Raises ValueError for an
        unknown split.
        """
        if by not in SPLITS:
            raise ValueError(f"by={by!r} must be one of {', '.join(SPLITS)}")
        fewest = min(study.contests or study.seats)
        experiment = study.given or (study.main(fewest) if study.base is None else study.experiment(fewest, games))
        if study.base is None:
            played = study.games_frame, study.seats_frame
        else:
            played = _played(study, experiment, [measure for measure in facts if measure is not LENGTH])
        wanted = study.seats if by == "seats" else (fewest,)
        frames = (frame[frame["seats"].isin(wanted)].reset_index(drop=True) for frame in played)
        return cls(study, experiment, *frames)

    def values(self, measure: Measure, by: str, by_member: bool = False) -> Values:
        """Values of a fact, split by entrant, side, turn position, number of seats, or not at all.

        by_member: with a row for every member of a team, also of facts of the whole team.
        """
        teams, seats = self.study.teams, self.seats
        value, parts = self._numbers(measure)
        group, names = self._groups(by)
        size, row = 1, np.arange(len(seats))
        own: tuple[tuple[str, ...], ...] = ()
        if teams is not None and (measure.members or by_member or by == "entrant"):
            size = teams.size
            row = np.repeat(row, size)
            member = teams.members[seats["entrant"].to_numpy(np.int64)].astype(np.int64).ravel()
            if measure.members:
                things = value.shape[1] // size
                value, parts = (
                    value.reshape(-1, things),
                    tuple(f"line {thing + 1}" for thing in range(things if things > 1 else 0)),
                )
                own = teams.abilities if things > 1 and by == "entrant" else ()
            else:
                value = value[row]
            group = member if by == "entrant" else group[row]
        elif by == "entrant":
            own = own_parts(self.study, measure)
        columns = {name: seats[name].to_numpy()[row] for name in ("game", "seats", "entrant", "finished", "won", "share")}
        whole = Values(
            measure,
            names,
            columns["game"].astype(np.int64),
            group,
            value,
            parts,
            own,
            columns["seats"].astype(np.int64),
            columns["entrant"].astype(np.int64),
            columns["finished"].astype(bool),
            columns["won"].astype(bool),
            columns["share"].astype(np.float64),
        )
        return whole.chosen(whole.group >= 0)

    def _numbers(self, measure: Measure) -> tuple[Floats, tuple[str, ...]]:
        """Numbers of a fact by seat, (rows, parts), and the names of the parts; facts of the game are repeated for its seats.

        Parts without a name do not exist in the card set and are left out.
        """
        source = self.seats if measure.per == "seat" else self.games
        if measure is LENGTH:
            source = self.games.assign(length=self.games["turns"].where(self.games["finished"], 0))
        fields = [f"{measure.field}_{part}" for part, name in enumerate(measure.parts) if name] or [measure.field]
        columns = [source[name].cat.codes if measure.kind == "category" else source[name] for name in fields]
        value = np.column_stack([column.to_numpy(np.float64) for column in columns])
        if measure.per == "game":
            value = np.repeat(value, self.games["seats"].to_numpy(np.int64), axis=0)
        return value, tuple(filter(None, measure.parts))

    def _groups(self, by: str) -> tuple[Ints, tuple[str, ...]]:
        """Group of every seat, -1 for none, and the names of the groups."""
        study, seats = self.study, self.seats
        if by == "entrant":
            return seats["entrant"].to_numpy(np.int64), tuple(study.units)
        if by == "side":
            return np.where(seats["finished"], seats["won"].to_numpy(np.int64), -1), SIDES
        if by == "position":
            return seats["position"].to_numpy(np.int64), tuple(f"turn position {place + 1}" for place in range(max(study.seats)))
        if by == "seats":
            numbers = list(study.seats)
            return seats["seats"].map(numbers.index).to_numpy(np.int64), tuple(f"{number} seats" for number in numbers)
        return np.zeros(len(seats), np.int64), (ALL,)


def by_word(study: Study, by: str) -> str:
    """Noun for the groups of a split."""
    return {"entrant": study.unit_word, "side": "side", "position": "turn position", "seats": "seats"}.get(by, "games")


def own_parts(study: Study, measure: Measure) -> tuple[tuple[str, ...], ...]:
    """Names of the parts by entrant, if they differ: cards of decks, abilities; else empty."""
    if not measure.parts or not all(CARD_PART.fullmatch(part) for part in measure.parts):
        return ()
    decks = study.game.decks_for(study.cards)
    if decks is not None:
        return tuple(tuple("" if card == NO_CARD else decks.names[card] for card in slots) for slots in decks.slots.tolist())
    return tuple(study.game.part_names(study.cards)) if study.game.part_names else ()


def _played(study: Study, experiment: Experiment, facts: Sequence[Measure]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Play the games of a command, or read those that exist."""
    games, seats = [], []
    for block in study.player.play(experiment):
        games.append(games_frame(block.rows, block.outcomes, facts))
        seats.append(seats_frame(block.rows, block.outcomes, facts, study.names))
    return pd.concat(games, ignore_index=True), pd.concat(seats, ignore_index=True)
