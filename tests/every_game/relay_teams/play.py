"""Rules of Relay teams: deal, pick, run; and the evaluation, which adds up the expected steps."""

import numpy as np

from sim.engine.dice import NATURE, below, roll
from sim.engine.jit import Record, kernel
from tests.every_game.relay_teams.score import leaders
from tests.every_game.relay_teams.state import SIZE, Draw

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
