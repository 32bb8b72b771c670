"""The speed at which Runeslingers resolves events: damage, pierce, loss, ailments, cards from decks, with its kernels."""

import time
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from sim.engine.contract import offer
from sim.engine.jit import COMPILED, Record, kernel
from sim.games.runeslingers import GAME
from sim.games.runeslingers.actions import take_step
from sim.games.runeslingers.rules.objects import begin_act
from sim.games.runeslingers.state import SEATS, STATE, Part, Phase
from tests.games.runeslingers.kernel_bridge import Kernels, made
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.effects import Source as ModelSource
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.quick_look import differing, look_at, look_at_model
from tests.games.runeslingers.random_tables import open_chance, set_up

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiler is off")

EVENTS_PER_S = 3_000_000  # bar: on one core
STREAMS = 1_024
MODEL_STREAMS = 300
LONG = 8  # events of a stream
DECK, DISCARD = 12, 5  # cards of a player; the others are in the void
CARDS = (
    *("fireball", "plutonic_spike", "direct_bolt", "great_bolt_x", "glancing_arrow", "flaming_fists", "curse_strike"),
    *("debilitate_strike", "fragment_strike", "insanity_strike", "piercing_strike", "festering_strike", "deep_sear"),
    *("deep_void", "quick_ward"),
)  # each with one effect: on the enemy Runeslinger, or a barrier on the player's
EVENT = np.dtype([("by", np.int8), ("goal", np.int8), ("card", np.int16)], align=True)
PLAIN = """
import time
from tests.benchmarks.test_stream_speed import desk_for
run = desk_for(60, 1)
began = time.perf_counter()
events = run()
print(events / (time.perf_counter() - began))
"""


@kernel
def resolve(state: Record, cards: Record, rng: Record, event: Record) -> None:
    """RUNE-51 step 7. The effects of a card on an object, with all consequences."""
    at = begin_act(state, np.int64(event["by"]), np.int64(cards["effects"][event["card"]]))
    state["card"][at] = event["card"]
    state["step"][at] = Part.EFFECTS
    state["aims"][at, 0] = event["goal"]
    state["aim_seqs"][at, 0] = 0
    while state["depth"] > 0 and state["phase"] != Phase.OVER:
        take_step(state, cards, rng)


@kernel
def resolve_all(
    states: np.ndarray, cards: np.ndarray, dice: np.ndarray, fresh: np.ndarray, events: np.ndarray, times: int
) -> int:
    """Resolve every stream `times` times from the fresh position to its end or the game's; returns the number of events."""
    count = np.int64(0)
    for _ in range(times):
        for stream in range(len(events)):
            states[0] = fresh[0]
            for i in range(LONG):
                resolve(states[0], cards[0], dice[0], events[stream, i])
                count += 1
                if states[0]["phase"] == Phase.OVER:
                    break
    return count


def events_of(count: int) -> np.ndarray:
    """Random streams: (count, LONG) EVENT."""
    rng, names = Random(1), [row["id"] for row in reference_document()["card"]]
    found = np.zeros((count, LONG), EVENT)
    for event in found.reshape(-1):
        name, event["by"] = rng.choice(CARDS), rng.randrange(SEATS)
        event["card"] = names.index(name)
        event["goal"] = event["by"] if name == "quick_ward" else 1 - event["by"]
    return found


def a_table(game: Kernels, number: int) -> Model:
    """The position in which every stream begins, in the model and in the kernels. number: seed."""
    table = Model(reference_document(), (0, 1), open_chance(game, number))
    table.turn, table.first, table.chooser = 6, 0, 0
    for player in table.players:
        cards, player.power, player.health, player.own_turns = player.deck, 5, player.hero["health"], 3
        player.deck, player.discard = cards[:DECK], cards[DECK : DECK + DISCARD]
        player.void = cards[DECK + DISCARD :]
    set_up(game, table)
    return table


def desk_for(count: int, times: int) -> Callable[[], int]:
    """A function that resolves a number of streams a number of times, and returns the number of events."""
    offer(GAME)
    game = Kernels(made(reference_document()))
    a_table(game, 1)
    states, fresh = game.workspace.states[:1], np.zeros(1, STATE)
    fresh[0] = states[0]
    cards, dice, events = game.cards.record, game.workspace.dice[:1], events_of(count)
    return lambda: int(resolve_all(states, cards, dice, fresh, events, times))


def resolve_in_the_model(table: Model, event: np.void) -> None:
    """The same event in the model."""
    card = table.cards[event["card"]]
    source = ModelSource(int(event["by"]), card["effects"], None, card["type"], "pierce" in card.get("keywords", ()))
    source.aims = [table.players[event["goal"]]]
    table.start(table.resolve(source))
    assert table.pending is None


def model_rate() -> float:
    """Events per second of the plain model."""
    game = Kernels(made(reference_document()))
    tables, count = [a_table(game, 1) for _ in range(MODEL_STREAMS)], 0
    began = time.perf_counter()
    for table, stream in zip(tables, events_of(MODEL_STREAMS), strict=True):
        for event in stream:
            if not table.over:
                resolve_in_the_model(table, event)
                count += 1
    return count / (time.perf_counter() - began)


def test_the_loop_does_what_the_model_does():
    """The timed loop plays the real game: the same table after every event."""
    game, ended = Kernels(made(reference_document())), 0
    for number, stream in enumerate(events_of(MODEL_STREAMS)):
        table = a_table(game, number)
        for event in stream:
            if not table.over:
                resolve(game.state, game.cards.record[0], game.dice, event)
                resolve_in_the_model(table, event)
                kernels, model = look_at(game.state), look_at_model(table)
                assert kernels == model, differing(kernels, model)
        ended += table.over
    assert ended < MODEL_STREAMS / 10


def test_events_per_second_on_one_core(benchmark, python):
    plain, model, times = float(python("-c", PLAIN, NUMBA_DISABLE_JIT="1")), model_rate(), 100
    run_all = desk_for(STREAMS, times)
    events = run_all()
    benchmark.pedantic(run_all, rounds=5)
    rate = events / benchmark.stats.stats.min
    benchmark.extra_info.update(
        events_per_s=int(rate), uncompiled_per_s=int(plain), times_faster=round(rate / plain), times_the_model=round(rate / model)
    )
    assert rate >= EVENTS_PER_S, f"{rate:,.0f} events/s"
