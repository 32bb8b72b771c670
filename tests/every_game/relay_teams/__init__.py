"""Relay teams: a tiny made-up game of teams with known strengths, for tests of team statistics; see `exact`.

Two or three teams of two runners each, out of up to eight; no runner is in two teams unless twins are allowed. In turn each
team sends a runner, who rolls its die and adds its pace. The first team, drawn at random, gains a few steps, and so does a
team whose runners have a bond. The longest way wins; ties share the win. There is nothing to decide, so every policy plays
alike, unless the teams are drafted: then the seats pick their runners in turn, there and back again.
"""

import sys
from enum import IntEnum
from itertools import combinations
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import kit
from sim.kit import Record, kernel

SEATS = (2, 3)
SEATS_MAX, SIZE, RUNNERS_MAX = 3, 2, 8  # teams, runners of a team, runners
TEAMS_MAX = RUNNERS_MAX * (RUNNERS_MAX - 1) // 2
TURNS_MAX = 100  # never reached
Draw = IntEnum("Draw", ["FIRST", "RUN"], start=kit.Purpose.FIRST_FREE)
_SPREAD = 4.0  # lead in steps with an evaluation of 0.75

FACTS = (
    kit.Fact("way", np.int16, (SEATS_MAX,), "Way of the team", "steps"),
    kit.Fact("steps", np.int16, (SEATS_MAX, SIZE), "Way of the runner", "steps", parts=("first", "second")),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),
        ("turn", np.int16),  # runs that are over
        ("runner", np.int8, (SEATS_MAX, SIZE)),  # row of the card + 1, ascending; 0: not picked yet
        ("picks", np.int8),  # picks left in a draft
        ("first", np.int8),  # seat that picks and runs first
        ("seats", np.int8),
        ("runners", np.int8),  # runners of the card set
    ],
    align=True,
)


class Rules(kit.RuleSwitches):
    CONSTANTS: ClassVar[frozenset[str]] = frozenset({"head_start"})
    head_start: Annotated[int, Field(ge=0, le=5)]
    draft: bool = False
    twins: bool = False


class Runner(kit.CardModel):
    """A part of teams."""

    id: kit.Identifier
    name: kit.Text
    faces: Annotated[int, Field(ge=2, le=12)]
    pace: Annotated[int, Field(ge=0, le=9)]
    source: kit.Source = None


class Bond(kit.CardModel):
    """Extra steps of two runners in the same team."""

    between: Annotated[list[kit.Identifier], Field(min_length=SIZE, max_length=SIZE)]
    steps: Annotated[int, Field(ge=1, le=5)]
    source: kit.Source = None


class RelayTeamsFile(kit.CardFile):
    game: Literal["relay_teams"]
    rules: Rules
    runner: Annotated[list[Runner], Field(min_length=2 * SIZE, max_length=RUNNERS_MAX), kit.RowCount("runners")]
    bond: Annotated[list[Bond], kit.Apart()] = Field(default_factory=list)

    def problems(self):
        """Bonds must be between two runners of the file."""
        known = [runner.id for runner in self.runner]
        for number, bond in enumerate(self.bond):
            if len(set(bond.between) & set(known)) < SIZE:
                yield kit.Problem(("bond", number, "between"), "names no two runners", f"must be two of {', '.join(known)}")

    def entrants(self):
        """All pairs of runners."""
        return {f"{one.id}+{two.id}": f"{one.name} + {two.name}" for one, two in combinations(self.runner, SIZE)}


def derive(table, file):
    """Write the members of the teams, and the bonds in both orders."""
    ids = [runner.id for runner in file.runner]
    members = [*combinations(range(len(ids)), SIZE)]
    table["members"][: len(members)] = members
    for bond in file.bond:
        first, second = (ids.index(runner) for runner in bond.between)
        table["bond"][first, second] = table["bond"][second, first] = bond.steps


CARDS = kit.CardFormat.of(
    RelayTeamsFile,
    __file__,
    derived=[
        ("members", np.int8, (TEAMS_MAX, SIZE)),  # runners of each team, ascending
        ("bond", np.int8, (RUNNERS_MAX, RUNNERS_MAX)),  # steps that two runners gain
    ],
    derive=derive,
)


def teams_of(cards):
    """The runners of each relay."""
    runners = cards.document["runner"]
    return kit.Teams(
        ids=tuple(runner["id"] for runner in runners),
        names=tuple(runner["name"] for runner in runners),
        members=cards.record["members"][0, : len(cards.ids)].astype(np.int64),
        disjoint=not cards.switches["twins"],
        word="runner",
        words="runners",
        planned=not cards.switches["draft"],
    )


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Seat the teams of the line-up, or leave the seats empty for a draft, and draw the first team."""
    state["seats"] = len(lineup)
    state["runners"] = cards["runners"]
    state["first"] = kit.below(rng, kit.NATURE, Draw.FIRST, len(lineup))
    state["picks"] = SIZE * len(lineup) * cards["draft"]
    state["way"][state["first"]] = cards["head_start"]
    for seat in range(len(lineup)):
        if not cards["draft"]:
            for member in range(SIZE):
                state["runner"][seat, member] = cards["members"][lineup[seat], member] + 1
            state["way"][seat] += bond_of(state, cards, seat)


@kernel
def bond_of(state: Record, cards: Record, seat: int) -> int:
    """Steps that a complete team gains by its bond."""
    return cards["bond"][state["runner"][seat, 0] - 1, state["runner"][seat, 1] - 1]


@kernel
def current_player(state: Record) -> int:
    """Picks go from the first seat to the last and back, runs always start at the first seat."""
    seats = state["seats"]
    place = state["turn"] % seats
    if state["picks"] > 0:
        picked = SIZE * seats - state["picks"]
        place = picked % seats if picked < seats else seats - 1 - picked % seats
    return (state["first"] + place) % seats


@kernel
def first_of(state: Record, decided: int) -> int:
    """The seat that was drawn to go first."""
    return state["first"]


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:
    """The number of the seat's pair of runners among all pairs, in the order of the card file."""
    first, second, runners = state["runner"][seat, 0] - 1, state["runner"][seat, 1] - 1, state["runners"]
    if first < 0 or second < 0:
        return planned
    return first * (2 * runners - first - 1) // 2 + second - first - 1


@kernel
def is_over(state: Record) -> bool:
    """Whether all runners have run."""
    return state["turn"] >= SIZE * state["seats"]


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The longest way wins once all runners have run."""
    out[:] = 0.0
    if is_over(state):
        for seat in range(state["seats"]):
            out[seat] = share(state, seat)


@kernel
def share(state: Record, seat: int) -> float:
    """Share of the win of a seat: equal among the seats with the longest way."""
    longest, equals = 0, 0
    for other in range(state["seats"]):
        longest = max(longest, state["way"][other])
    for other in range(state["seats"]):
        equals += state["way"][other] == longest
    return 1.0 / equals if state["way"][seat] == longest else 0.0


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
    steps = kit.roll(rng, seat, Draw.RUN, cards["faces"][runner]) + cards["pace"][runner]
    state["steps"][seat, member] = steps
    state["way"][seat] += steps
    state["turn"] += 1


@kernel
def pick(state: Record, cards: Record, seat: int, runner: int) -> None:
    """Add a runner to the team, whose runners stay in the order of the card file."""
    state["picks"] -= 1
    before = state["runner"][seat, 0]
    if before == 0:
        state["runner"][seat, 0] = runner + 1
        return
    state["runner"][seat, 0] = min(before, runner + 1)
    state["runner"][seat, 1] = max(before, runner + 1)
    state["way"][seat] += bond_of(state, cards, seat)


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
        return share(state, seat)
    best = -1.0
    for other in range(state["seats"]):
        if other != seat:
            best = max(best, expected(state, cards, other))
    lead = (expected(state, cards, seat) - best) / _SPREAD
    return 0.5 + 0.5 * lead / (1.0 + abs(lead))


def action_words(state, cards, action):
    """Runners are picked by name."""
    return f"pick {cards.document['runner'][action]['name']}" if state["picks"] else "run"


def runner_words(here):
    """Ids of the runners; empty: not picked yet."""
    return kit.numbered(["", *(runner["id"] for runner in here.cards.document["runner"])])


def settle(table, here):
    """Write what the state copies from the cards."""
    here.state["runners"] = here.card("runners")


TEAM = (
    kit.Each("runners", "ids in the order of the card file, empty before the pick", field="runner", words=runner_words),
    kit.Number("way", "steps", most=999),
    kit.Each("steps", "steps of each runner", most=99),
)
POSITION = kit.Document(
    keys=(
        kit.Rows("teams", "one for each seat", length="seats", most=SEATS_MAX - 1, keys=TEAM),
        kit.Number("picks", "picks left in a draft", most=lambda here: SIZE * here.number("seats")),
        kit.Number("first", "seat that picks and runs first", most=lambda here: here.number("seats") - 1),
        kit.Number("turn", "runs that are over", most=lambda here: SIZE * here.number("seats")),
    ),
    settle=settle,
)
GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="relay_teams",
    title="Relay teams",
    seats=SEATS,
    state=STATE,
    options_max=RUNNERS_MAX,
    verbs=kit.Verbs.of(sys.modules[__name__]),
    turn_limit=lambda _: TURNS_MAX,
    questions=(kit.WinRates("win-rates", "Who wins how often, and how sure is that?"),),
    words=kit.PlainWords(POSITION, FACTS, action_words),
    entrant_word="relay",
    teams_of=teams_of,
)
