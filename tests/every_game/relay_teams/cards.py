"""The card file of Relay teams: its schema, the CARDS record that the kernels read, and the teams of runners."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Problem, Source, Text, read_document, validate
from sim.engine.teams import Teams
from tests.every_game.relay_teams.state import RUNNERS_MAX, SIZE

REFERENCE = Path(__file__).with_name("cards.toml")
TEAMS_MAX = RUNNERS_MAX * (RUNNERS_MAX - 1) // 2

CARDS = np.dtype(
    [
        ("members", np.int8, (TEAMS_MAX, SIZE)),  # runners of each team, ascending
        ("bond", np.int8, (RUNNERS_MAX, RUNNERS_MAX)),  # steps that two runners gain
        ("faces", np.int8, (RUNNERS_MAX,)),
        ("pace", np.int8, (RUNNERS_MAX,)),
        ("runners", np.int8),
        ("head_start", np.int8),
        ("draft", np.uint8),
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself."""

    head_start: Annotated[int, Field(ge=0, le=5)]
    draft: bool = False
    twins: bool = False
    source: Source = None


class Runner(CardModel):
    """A part of teams."""

    id: Identifier
    name: Text
    faces: Annotated[int, Field(ge=2, le=12)]
    pace: Annotated[int, Field(ge=0, le=9)]
    source: Source = None


class Bond(CardModel):
    """Extra steps of two runners in the same team."""

    between: Annotated[list[Identifier], Field(min_length=SIZE, max_length=SIZE)]
    steps: Annotated[int, Field(ge=1, le=5)]
    source: Source = None


class RelayTeamsFile(CardFile):
    """A whole file."""

    game: Literal["relay_teams"]
    rules: Rules
    runner: Annotated[list[Runner], Field(min_length=2 * SIZE, max_length=RUNNERS_MAX)]
    bond: Annotated[list[Bond], Field(default_factory=list)]

    def problems(self) -> Iterator[Problem]:
        """Bonds must be between two runners of the file."""
        known = [runner.id for runner in self.runner]
        for number, bond in enumerate(self.bond):
            if len(set(bond.between) & set(known)) < SIZE:
                yield Problem(("bond", number, "between"), "names no two runners", f"must be two of {', '.join(known)}")


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(RelayTeamsFile, document, where)
    ids = [runner.id for runner in file.runner]
    record = np.zeros(1, CARDS)
    record["runners"], record["head_start"], record["draft"] = len(ids), file.rules.head_start, file.rules.draft
    for number, runner in enumerate(file.runner):
        record["faces"][0, number], record["pace"][0, number] = runner.faces, runner.pace
    for bond in file.bond:
        first, second = (ids.index(runner) for runner in bond.between)
        record["bond"][0, first, second] = record["bond"][0, second, first] = bond.steps
    entrants = {}
    for number, (first, second) in enumerate(combinations(range(len(ids)), SIZE)):
        record["members"][0, number] = first, second
        entrants[f"{ids[first]}+{ids[second]}"] = f"{file.runner[first].name} + {file.runner[second].name}"
    switches = {"draft": file.rules.draft, "twins": file.rules.twins}
    return CardSet.of(record, entrants, switches, document, where)


def teams_of(cards: CardSet) -> Teams:
    """The runners of each relay."""
    runners = cards.document["runner"]
    return Teams(
        ids=tuple(runner["id"] for runner in runners),
        names=tuple(runner["name"] for runner in runners),
        members=cards.record["members"][0, : len(cards.ids)].astype(np.int64),
        disjoint=not cards.switches["twins"],
        word="runner",
        words="runners",
        picks=(0, 1, 1, 0) if cards.switches["draft"] else (),
        planned=not cards.switches["draft"],
    )
