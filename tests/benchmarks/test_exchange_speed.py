"""The speed at which Riftborn Tactics resolves attacks: strike, answer, deaths and experience, with the game's kernels."""

import time
from random import Random

import numpy as np
import pytest

from sim.engine.contract import offer
from sim.engine.jit import COMPILED, Record, kernel
from sim.games.riftborn import GAME
from sim.games.riftborn.actions import step_of_attack
from sim.games.riftborn.record import Ability, Kind
from sim.games.riftborn.rules.attack import aim_at
from sim.games.riftborn.rules.damage import lend
from sim.games.riftborn.rules.placement import lay_out
from sim.games.riftborn.rules.turn import bear
from sim.games.riftborn.setup import clear_table
from sim.games.riftborn.state import CREATURES, NOBODY, SEATS, STATE, Phase, Step
from tests.games.riftborn.model.attack import Attack
from tests.games.riftborn.model.attack import exchange as exchange_of_the_model
from tests.games.riftborn.model.placement import reach
from tests.games.riftborn.model.positions import A, B, a_table, at, reference, run

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

EXCHANGES_PER_S = 5_000_000  # bar: on one core
POSITIONS = 4_096
MODEL_POSITIONS = 1_000
POSITION = np.dtype(
    [
        ("card", np.int16, (SEATS,)),  # attacker and target, each alone in a row
        ("damage", np.int16, (SEATS,)),
        ("shield", np.int16, (SEATS,)),
        ("rage", np.int16, (SEATS,)),
    ],
    align=True,
)
PLAIN = """
import time
from tests.benchmarks.test_exchange_speed import desk_for
run = desk_for(500, 1)
began = time.perf_counter()
run()
print(500 / (time.perf_counter() - began))
"""


@kernel
def begin(state: Record, cards: Record, position: Record) -> None:
    """Set up a position: creature 0 of each side alone in the front row, players as at the start."""
    for seat in range(SEATS):
        g = np.int64(seat * CREATURES)
        bear(state, cards, g, np.int64(position["card"][seat]))
        state["origin"][g] = position["card"][seat]
        state["damage"][g] = position["damage"][seat]
        state["shield"][g] = position["shield"][seat]
        state["rage"][g] = position["rage"][seat]
        state["xp"][seat] = 0
        state["level"][seat] = 1
        state["life"][seat] = cards["start_life"]
        state["discard_n"][seat] = 0
        if state["row_len"][seat, 0] == 0:
            state["grid"][seat, 0, 0] = g
            state["row_len"][seat, 0] = 1
            lay_out(state, np.int64(seat))
    lend(state, cards)
    state["user"] = 0
    state["phase"] = Phase.GOING
    state["step"] = Step.STRIKE


@kernel
def exchange(state: Record, cards: Record) -> None:
    """RIFT-45 to 48. The attack of creature 0 on creature 15, up to the tricks after it."""
    aim_at(state, cards, np.int64(0), np.int64(CREATURES))
    while state["step"] != Step.TRICKS:
        step_of_attack(state, cards)


@kernel
def exchange_all(state: Record, cards: np.ndarray, positions: np.ndarray, times: int) -> int:
    """Resolve every position `times` times; the sum of damage and experience keeps the compiler from skipping any."""
    total = np.int64(0)
    for _ in range(times):
        for i in range(len(positions)):
            begin(state, cards[0], positions[i])
            exchange(state, cards[0])
            total += state["damage"][0] + state["damage"][CREATURES] + state["xp"][0]
    return total


def positions_of(count: int) -> np.ndarray:
    """Random pairs of the reference set's creatures, unhurt or hurt, some with Shields and Rage."""
    rng, cards = Random(1), GAME.load(None).record[0]
    bodies = [int(card) for card in np.flatnonzero(cards["kind"][: cards["cards"]] == Kind.CREATURE)]
    bodies = [card for card in bodies if not cards["ability"][card, Ability.STEALTH]]
    found = np.zeros(count, POSITION)
    for position in found:
        position["card"] = rng.choices(bodies, k=SEATS)
        position["damage"] = [rng.randrange(cards["health"][card]) for card in position["card"]]
        position["shield"], position["rage"] = rng.choices((0, 0, 0, 2), k=SEATS), rng.choices((0, 0, 1), k=SEATS)
    return found


def new_state() -> np.ndarray:
    """A table without creatures, seat 0 active: shape (1,)."""
    state = np.zeros(1, STATE)
    clear_table(state[0])
    state["own_turns"] = 1
    return state


def desk_for(count: int, times: int):
    """A function that resolves a number of positions a number of times."""
    offer(GAME)
    state, cards, positions = new_state(), GAME.load(None).record, positions_of(count)
    return lambda: exchange_all(state[0], cards, positions, times)


def model_tables() -> list:
    """The same positions in the model."""
    names, cards = GAME.load(None).document["card"], reference()
    tables = []
    for position in positions_of(MODEL_POSITIONS):
        table = a_table(*(names[card]["id"] for card in position["card"]), cards=cards)
        for seat in (A, B):
            for name in ("damage", "shield", "rage"):
                setattr(at(table, seat), name, int(position[name][seat]))
        tables.append(table)
    return tables


def resolve_in_the_model(table) -> None:
    """The attack of A0.0 on B0.0."""
    attacker, target = at(table, A), at(table, B)
    run(exchange_of_the_model(table, Attack(attacker, target, reach(table, attacker, target))))


def model_rate() -> float:
    """Exchanges per second of the plain model."""
    tables = model_tables()
    began = time.perf_counter()
    for table in tables:
        resolve_in_the_model(table)
    return len(tables) / (time.perf_counter() - began)


def test_the_loop_does_what_the_model_does():
    """The timed loop plays the real game: same damage, experience and survivors after every position."""
    cards, state = GAME.load(None).record, new_state()[0]
    for position, table in zip(positions_of(MODEL_POSITIONS), model_tables(), strict=True):
        begin(state, cards[0], position)
        exchange(state, cards[0])
        resolve_in_the_model(table)
        assert state["xp"].tolist() == [player.xp for player in table.players]
        for seat in (A, B):
            g, creatures = seat * CREATURES, table.players[seat].creatures
            assert (state["card"][g] != NOBODY) == bool(creatures)
            assert state["damage"][g] == sum(one.damage for one in creatures)


def test_exchanges_per_second_on_one_core(benchmark, python):
    plain, model, times = float(python("-c", PLAIN, NUMBA_DISABLE_JIT="1")), model_rate(), 250
    run_all = desk_for(POSITIONS, times)
    run_all()
    benchmark.pedantic(run_all, rounds=5)
    rate = POSITIONS * times / benchmark.stats.stats.min
    benchmark.extra_info.update(
        exchanges_per_s=int(rate),
        uncompiled_per_s=int(plain),
        times_faster=round(rate / plain),
        times_the_model=round(rate / model),
    )
    assert rate >= EXCHANGES_PER_S, f"{rate:,.0f} exchanges/s"
