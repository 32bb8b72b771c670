"""Relay teams: a tiny made-up game of teams with known strengths, for tests of team statistics; see `exact`.

Two or three teams of two runners each, out of up to eight; no runner is in two teams unless twins are allowed. In turn each
team sends a runner, who rolls its die and adds its pace. The first team, drawn at random, gains a few steps, and so does a
team whose runners have a bond. The longest way wins; ties share the win. There is nothing to decide, so every policy plays
alike, unless the teams are drafted: then the seats pick their runners in turn, there and back again.
"""

import sys
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Problem, Source, Text, read_document, validate
from sim.engine.contract import Game, Verbs
from sim.engine.dice import NATURE, SEATS_MAX, Purpose, below, roll
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import WinRates
from sim.engine.teams import Teams
from sim.engine.words import line_up  # noqa: F401 - this module is the game's words

# ---- state ----

SEATS = 3
SIZE = 2  # runners of a team
RUNNERS_MAX = 8
OPTIONS_MAX = RUNNERS_MAX


class Draw(IntEnum):
    """What chance is drawn for."""

    FIRST = Purpose.FIRST_FREE
    RUN = Purpose.FIRST_FREE + 1


STATE = np.dtype(
    [
        ("turn", np.int16),  # runs that are over
        ("way", np.int16, (SEATS,)),  # steps of each team
        ("steps", np.int16, (SEATS, SIZE)),  # steps by runner, in the order of the card file
        ("runner", np.int8, (SEATS, SIZE)),  # row of the card + 1, ascending; 0: not picked yet
        ("picks", np.int8),  # picks left in a draft
        ("first", np.int8),  # seat that picks and runs first
        ("seats", np.int8),
        ("runners", np.int8),  # runners of the card set
    ],
    align=True,
)


# ---- cards ----

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


# ---- outcome ----

OUTCOME = np.dtype(
    [
        ("way", np.int16, (SEATS_MAX,)),
        ("steps", np.int16, (SEATS_MAX, SIZE)),  # by runner, in the order of the card file
    ],
    align=True,
)


@kernel
def leaders(state: Record, seat: int) -> float:
    """Share of the win of a seat: equal among the seats with the longest way."""
    longest, equals = np.int64(-1), 0
    for other in range(state["seats"]):
        longest = max(longest, np.int64(state["way"][other]))
    for other in range(state["seats"]):
        equals += state["way"][other] == longest
    return 1.0 / equals if state["way"][seat] == longest else 0.0


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The longest way wins once all runners have run."""
    out[:] = 0.0
    if state["turn"] >= SIZE * state["seats"]:
        for seat in range(state["seats"]):
            out[seat] = leaders(state, seat)


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    for seat in range(SEATS):
        outcome["way"][seat] = state["way"][seat]
        for member in range(SIZE):
            outcome["steps"][seat, member] = state["steps"][seat, member]


MEASURES = (
    Measure("way", "Way of the team", "steps", "seat", "count"),
    Measure("steps", "Way of the runner", "steps", "seat", "count", parts=("first", "second")),
)

QUESTIONS = (WinRates("win-rates", "Who wins how often, and how sure is that?"),)


# ---- rules ----

_SPREAD = 4.0  # lead in steps with an evaluation of 0.75


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the teams of the line-up, or leave the seats empty for a draft, and draw the first team."""
    state["seats"] = len(lineup)
    state["runners"] = cards["runners"]
    state["first"] = below(rng, NATURE, Draw.FIRST, len(lineup))
    state["picks"] = SIZE * len(lineup) * cards["draft"]
    state["way"][state["first"]] = cards["head_start"]
    for seat in range(len(lineup)):
        for member in range(SIZE):
            runner = cards["members"][lineup[seat], member]
            state["runner"][seat, member] = 0 if cards["draft"] else runner + 1
        if not cards["draft"]:
            state["way"][seat] += bond_of(state, cards, seat)


@kernel
def bond_of(state: Record, cards: Record, seat: int) -> int:
    """Steps that a complete team gains by its bond."""
    return cards["bond"][state["runner"][seat, 0] - 1, state["runner"][seat, 1] - 1]


@kernel
def current_player(state: Record) -> int:
    """Picks go from the first seat to the last and back, runs always start at the first seat."""
    seats = np.int64(state["seats"])
    place = np.int64(state["turn"]) % seats
    if state["picks"] > 0:
        picked = SIZE * seats - state["picks"]
        place = picked % seats if picked < seats else seats - 1 - picked % seats
    return (state["first"] + place) % seats


@kernel
def is_over(state: Record) -> bool:
    """Whether all runners have run."""
    return state["turn"] >= SIZE * state["seats"]


@kernel
def is_taken(state: Record, runner: int) -> bool:
    """Whether some team has this runner."""
    for seat in range(state["seats"]):
        for member in range(SIZE):
            if state["runner"][seat, member] == runner + 1:
                return True
    return False


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """In a draft, action r picks runner r; running is action 0, the only one."""
    if state["picks"] == 0:
        out[0] = 0
        return 1
    count = 0
    for runner in range(cards["runners"]):
        if not is_taken(state, runner):
            out[count] = runner
            count += 1
    return count


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision; a pick takes no turn."""
    seat = current_player(state)
    if state["picks"] > 0:
        pick(state, cards, seat, action)
        return
    member = state["turn"] // state["seats"]
    runner = state["runner"][seat, member] - 1
    steps = roll(rng, seat, Draw.RUN, cards["faces"][runner]) + cards["pace"][runner]
    state["steps"][seat, member] = steps
    state["way"][seat] += steps
    state["turn"] += 1


@kernel
def pick(state: Record, cards: Record, seat: int, runner: int) -> None:
    """Add a runner to the team, whose runners stay in the order of the card file."""
    state["picks"] -= 1
    if state["runner"][seat, 0] == 0:
        state["runner"][seat, 0] = runner + 1
        return
    before = state["runner"][seat, 0]
    state["runner"][seat, 0] = min(before, runner + 1)
    state["runner"][seat, 1] = max(before, runner + 1)
    state["way"][seat] += bond_of(state, cards, seat)


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:
    """The number of the seat's pair of runners among all pairs, in the order of the card file."""
    first, second = state["runner"][seat, 0] - 1, state["runner"][seat, 1] - 1
    if first < 0 or second < 0:
        return planned
    return number_of(np.int64(first), np.int64(second), np.int64(state["runners"]))


@kernel
def number_of(first: int, second: int, runners: int) -> int:
    """Place of the pair first < second among all pairs of runners, in order."""
    return first * (2 * runners - first - 1) // 2 + second - first - 1


@kernel
def first_of(state: Record, decided: int) -> int:
    """The seat that was drawn to go first."""
    return state["first"]


@kernel
def expected(state: Record, cards: Record, seat: int) -> float:
    """Expected number of steps of a team at the end."""
    total = 1.0 * state["way"][seat]
    for member in range(SIZE):
        runner = state["runner"][seat, member] - 1
        has_run = member * state["seats"] + (seat - state["first"]) % state["seats"] < state["turn"]
        if runner >= 0 and not has_run:
            total += 0.5 * (1 + cards["faces"][runner]) + cards["pace"][runner]
    return total


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Lead over the best other team, squashed into 0..1; the share of the win at the end."""
    if is_over(state):
        return leaders(state, seat)
    best = -1.0
    for other in range(state["seats"]):
        if other != seat:
            best = max(best, expected(state, cards, other))
    lead = (expected(state, cards, seat) - best) / _SPREAD
    return 0.5 + 0.5 * lead / (1.0 + abs(lead))


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Nothing is hidden."""


# ---- words ----


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    return f"pick {_runner(cards, action + 1)}" if state["picks"] else "run"


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    if after["turn"] == before["turn"]:
        return []
    steps = after["steps"] - before["steps"]
    seat, member = (int(place) for place in np.unravel_index(np.argmax(steps), steps.shape))
    return [f"{_runner(cards, int(after['runner'][seat, member]))} runs {steps[seat, member]} steps"]


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    seats = int(state["seats"])
    return {
        "runners": [[_id(cards, runner) for runner in team] for team in state["runner"][:seats].tolist()],
        "way": state["way"][:seats].tolist(),
        "steps": state["steps"][:seats].tolist(),
        **{field: int(state[field]) for field in ("picks", "first", "turn")},
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    ids = ["", *(runner["id"] for runner in cards.document["runner"])]
    teams = position.get("runners", [])
    fits = 2 <= len(teams) <= SEATS and all(len(team) == SIZE and set(team) <= set(ids) for team in teams)
    if not fits:
        raise ValueError(f"runners = {teams!r}: must be 2 or 3 teams of 2 out of {', '.join(ids[1:])}")
    seats = len(teams)
    state["seats"], state["runners"] = seats, len(ids) - 1
    state["runner"][:seats] = [[ids.index(runner) for runner in team] for team in teams]
    for field in ("way", "steps"):
        state[field][:seats] = position.get(field, 0)
    for field in ("picks", "first", "turn"):
        state[field] = position.get(field, 0)


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    teams = zip(state["runner"].tolist(), state["way"].tolist(), strict=True)
    lines = [f"  {' + '.join(_runner(cards, runner) for runner in team)}: {way} steps" for team, way in teams]
    return "\n".join([f"run {state['turn'] + 1}", *lines[: state["seats"]]])


def _id(cards: CardSet, runner: int) -> str:
    return cards.document["runner"][runner - 1]["id"] if runner else ""


def _runner(cards: CardSet, runner: int) -> str:
    return cards.document["runner"][runner - 1]["name"] if runner else "nobody yet"


TURNS_MAX = 100  # never reached

GAME = Game(
    name="relay_teams",
    title="Relay teams",
    seats=(2, 3),
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(sys.modules[__name__]),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=sys.modules[__name__],
    entrant_word="relay",
    entrants_word="relays",
    teams_of=teams_of,
)
