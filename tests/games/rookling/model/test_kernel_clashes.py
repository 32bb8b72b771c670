"""The compiled resolution core against the plain model: every way to resolve, every leaf, and the best of them.

Both walk the tree of decisions in canonical order (positions ascending, left before right, blocking before holding), so
that way number n of the one must be way number n of the other, decision by decision.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from sim.engine.jit import Record
from sim.games.rookling.rules.attacks import (
    HOLD,
    USE,
    Stage,
    begin_clash,
    best_response,
    decide,
    force_of,
    is_open,
    landing_of,
    stage_of,
)
from sim.games.rookling.state import Phase
from tests.games.rookling.clashes import Ending
from tests.games.rookling.model.random_clashes import POSITIONS, SWITCHES, Problem, cards_of, random_problem
from tests.games.rookling.model.resolve import Clash, Decision, Switches, Way, ways

FIXED = 20_250_601
RESOLUTIONS = 10_000
ASKED = {Stage.NEXT: Phase.NEXT, Stage.SIDE: Phase.SIDE, Stage.BLOCK: Phase.BLOCK}
CARDS_OF = {switches: cards_of(switches) for switches in SWITCHES}
Path = tuple[Decision, ...]

SITUATIONS = {  # what must come up among 10,000 resolutions, and how often at least
    "a side to choose": 700,
    "a block to hold back": 3000,
    "a spill over the middle": 1500,
    "a blocked spill": 2000,
    "excess": 4000,
    "a flip amid a resolution": 4000,
    "all ways lost": 50,
    "lost in some ways only": 300,
    "a hit where the packet landed": 500,
    "no Rookling in siege-state": 300,
    "two in siege-state": 900,
    "no defences": 1000,
    "30 ways or more": 100,
}


def kernel_ways(clash: int, force: int, cards: Record, taken: Path = ()) -> Iterator[tuple[Path, int]]:
    """All ways of the kernels from a clash on, in canonical order: decisions with a choice, and the leaf they lead to."""
    stage = Stage(stage_of(clash))
    if stage in (Stage.DONE, Stage.LOST):
        yield taken, clash
        return
    options = {
        Stage.NEXT: [position for position in POSITIONS if is_open(clash, position)],
        Stage.SIDE: [0, 1],
        Stage.BLOCK: [USE, HOLD],
    }[stage]
    for option in options:
        path = taken if len(options) == 1 else (*taken, (ASKED[stage], option))
        yield from kernel_ways(decide(clash, force, cards, option), force, cards, path)


def leaf_of(clash: int) -> tuple[object, ...]:
    """Facts of a leaf of the kernels: lives, blocks used, bearer of each hit, attacks left open, lost or not."""
    ending = Ending((), Fraction(1), clash)
    return [*ending.life], ending.used, ending.hits, ending.left_open, ending.lost


def model_result(clash: Clash) -> tuple[object, ...]:
    """The same of the model."""
    return clash.life, clash.used, clash.hits, clash.open, clash.lost


def resolve_both(numbers: Problem, switches: Switches, seen: Counter[str]) -> None:
    """Every way of a problem in both, and the best of them."""
    life, attacks, defences = numbers
    where = f"life {life}, attacks {attacks}, defences {defences}, {switches}"
    cards, force = CARDS_OF[switches], force_of(np.array(attacks, np.int16), np.array(defences, np.int16))
    begun = begin_clash(force, *life)
    wanted, found = list(ways(*numbers, switches)), list(kernel_ways(begun, force, cards))
    assert [path for path, _ in found] == [way.decisions for way in wanted], f"{where}: what is asked"
    for way, (path, leaf) in zip(wanted, found, strict=True):
        assert leaf_of(leaf) == model_result(way.clash), f"{where}: what comes of {path}"
        last = way.clash.log[-1] if way.clash.log else None
        assert last is None or last.landed in (None, landing_of(leaf)), f"{where}: where the last packet of {path} lands"
    best = max(wanted, key=lambda way: way.value)  # the first among equals
    answer = best_response(begun, force, cards)
    assert leaf_of(answer) == model_result(best.clash), f"{where}: best response"
    note(seen, numbers, wanted)


def note(seen: Counter[str], numbers: Problem, wanted: list[Way]) -> None:
    """Count what a problem was about."""
    life, _, defences = numbers
    packets = [packet for way in wanted for packet in way.clash.log]
    asked = {phase for way in wanted for phase, _ in way.decisions}
    lost = sum(way.clash.lost for way in wanted)
    seen["a side to choose"] += Phase.SIDE in asked
    seen["a block to hold back"] += Phase.BLOCK in asked
    seen["a spill over the middle"] += any({packet.struck, packet.landed} == {0, 2} for packet in packets)
    seen["a blocked spill"] += any(packet.landed != packet.struck and packet.landed in packet.blocks for packet in packets)
    seen["excess"] += any(packet.excess for packet in packets)
    seen["a flip amid a resolution"] += any(packet.flipped for way in wanted for packet in way.clash.log[:-1])
    seen["all ways lost"] += lost == len(wanted)
    seen["lost in some ways only"] += 0 < lost < len(wanted)
    seen["a hit where the packet landed"] += any(struck != bearer for way in wanted for struck, bearer in way.clash.hits.items())
    seen["no Rookling in siege-state"] += all(life)
    seen["two in siege-state"] += life.count(0) == 2
    seen["no defences"] += not any(defences)
    seen["30 ways or more"] += len(wanted) >= 30


def random_resolutions(seed: int, wanted: int) -> Counter[str]:
    """Random problems, half with the default switches, the others with all combinations in turn; what came up."""
    rng, seen = Random(seed), Counter[str]()
    for number in range(wanted):
        switches = SWITCHES[number // 2 % len(SWITCHES)] if number % 2 else Switches()
        resolve_both(random_problem(rng), switches, seen)
        seen[str(switches)] += 1
    return seen


def test_kernels_and_model_agree_on_random_defence_resolutions():
    random_resolutions(FIXED, 120)


@pytest.mark.soak
def test_kernels_and_model_agree_on_resolutions_of_every_situation():
    seen = random_resolutions(FIXED, RESOLUTIONS)
    missing = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not missing, f"situations that came up too rarely: {missing}"
    assert min(seen[str(switches)] for switches in SWITCHES) >= RESOLUTIONS // 16


@pytest.mark.soak
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_kernels_and_model_agree_on_every_small_row(switches: Switches):
    """All rows of lives 0..1 against attacks 0..2 and a single defence of 1 at every place."""
    seen = Counter[str]()
    for life in product((0, 1), repeat=3):
        if not any(life):
            continue
        for attacks in product((0, 1, 2), repeat=3):
            for guarded in POSITIONS:
                resolve_both((life, attacks, tuple(int(place == guarded) for place in POSITIONS)), switches, seen)
    assert seen["a side to choose"] > 0
