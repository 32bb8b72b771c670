"""Positions by readable names: every position of a game can be written and read back, and impossible ones are refused."""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.games.arena.state import Phase
from sim.run import bench_for
from tests.games.arena.builders import PLAIN, dealt, op, reference, shot, table
from tests.games.arena.documents import RULE_VALUES, random_document
from tests.games.arena.kernel_bridge import GAME, Kernels, card_set
from tests.games.arena.model.board import distance
from tests.games.arena.positions import random_position

POSITIONS = 24
DECISIONS = 8  # from each position
SPARE = bench_for(GAME)  # for positions that are read back
# what positions leave out: facts of the game so far, except places, and scratch memory
LEFT_OUT = {fact.name for fact in GAME.facts} - {"place"} | {"seen", "own_turns"}
OF_PHASE = {  # fields of the ability in use: phases in which they have a meaning
    "ability": ("PRE_MOVE", "RAGE", "SUMMON", "STEP", "POST_MOVE"),
    "target": ("PRE_MOVE", "RAGE", "STEP"),
    **dict.fromkeys(("summon_left", "summon_first"), ("SUMMON",)),
    **dict.fromkeys(("paid", "hits", "net_hit", "reach_k", "u", "v", "even", "made_u", "made_v"), ("STEP",)),
    **dict.fromkeys(("chooser", "step_a", "step_b", "target_count"), ("STEP",)),
    **dict.fromkeys(
        ("targets", "dealt", "blocked"), ()
    ),  # in STEP there is one target, described by `target`, `damage` and `blocks`
    "start_taken": ("START",),
    "owner": (),  # of tokens off the board it is left out
}


def assert_same(one: Kernels, other: Kernels) -> None:
    """Check that names, options and every field that a rule reads are equal."""
    assert other.position() == one.position()
    assert other.options() == one.options()
    phase = Phase(one.state["phase"]).name
    for field in GAME.state.names:
        if field not in LEFT_OUT and phase in OF_PHASE.get(field, (phase,)):
            assert np.array_equal(other.state[field], one.state[field]), (field, phase)


def test_play_goes_on_from_every_written_position_as_it_did():
    """Random cards, boards and switches; each position is written out, read back, and both play the same decision."""
    rng, phases = Random(20_261), set()
    for number in range(POSITIONS):
        if number % 3 == 0:
            document = random_document(rng)
        position = random_position(document, rng)
        cards = card_set(document, position["board"])
        game = Kernels(cards).place(position)
        for _ in range(DECISIONS):
            options = game.options()
            if not options:
                break
            copy = game.again(SPARE)
            assert_same(game, copy)
            phases.add(Phase(game.state["phase"]))
            choice = rng.choice(options)
            game.apply(choice)
            copy.apply(choice)
            assert copy.position() == game.position()
            assert copy.options() == game.options()
    assert phases >= {Phase.PRE_MOVE, Phase.RAGE, Phase.SUMMON, Phase.POST_MOVE}


AROUND = [(q, r) for q, r in product(range(1, 5), range(-4, 5)) if distance((0, 0), (q, r)) == 4]
SURE = (op("auto_hit", hits=1), op("no_defence_roll"), op("no_damage"))


@pytest.mark.parametrize("path", RULE_VALUES["offline_path"])
@pytest.mark.parametrize("chooser", RULE_VALUES["offline_chooser"])
@pytest.mark.parametrize("effects", [(), (op("pull"),)], ids=["push", "pull"])
def test_arena_50_to_56_71_every_choice_of_a_path_can_be_taken_up_again(path: str, chooser: str, effects: tuple):
    """A hero in the middle pushes or pulls another, from every direction on one side; each choice is made both ways."""
    abilities = [shot(*SURE, *effects, attack=0, range=6, knockback=[6, 6, 6]), *PLAIN]
    rules, asked = {"offline_path": path, "offline_chooser": chooser}, 0
    for target, pick in product(AROUND, (min, max)):
        game = table(((0, 0), abilities), (target, PLAIN), rules=rules, board="large").use(0, 1)
        while game.phase == "STEP":
            asked += 1
            copy = game.again(SPARE)
            assert_same(game, copy)
            choice = pick(game.options())
            game.apply(choice)
            copy.apply(choice)
            assert copy.position() == game.position()
            assert copy.options() == game.options()
    assert asked >= 4


@pytest.mark.parametrize("seats", GAME.seats)
def test_setup_can_be_read_back(seats: int):
    game = dealt(seats)
    while game.phase == "START":
        assert_same(game, game.again(SPARE))
        game.apply(game.options()[-1])
    assert_same(game, game.again(SPARE))


def placed(position: dict[str, Any], **rules: Any) -> Kernels:
    """A position of the reference heroes."""
    return Kernels(card_set(reference(**rules))).read(position)


BOXED = {
    "heroes": [{"hero": "bow_master", "at": [-3, 4]}, {"hero": "rhino_guy", "at": [-1, 0], "marker": 4}],
    "phase": "step",
    "pending": {"ability": "Boxing Arrow", "target": "Rhino Guy", "hits": 1, "made": [0, 1], "from": [-1, 1]},
}


def boxed(**pending: Any) -> dict[str, Any]:
    """The push after its first step, with other values in `pending`; None leaves a key out."""
    changed = {key: value for key, value in (BOXED["pending"] | pending).items() if value is not None}
    return BOXED | {"pending": changed}


def test_arena_50_54_a_push_in_progress_is_identified_by_where_it_began():
    """Two NE and one N from the user: after a step N the offset could be that of a push in which N comes first."""
    bow_master, rhino_guy = BOXED["heroes"]
    begun = {"heroes": [bow_master, rhino_guy | {"at": [-1, 1]}]}
    game = placed(begun, offline_path="end_only")
    game.script([6])
    game.apply(game.words()["boxing arrow on rhino guy"])
    game.apply(0)  # north
    assert game.position()["pending"]["from"] == [-1, 1]
    copy = game.again(SPARE)
    assert_same(game, copy)
    for one in (game, copy):
        one.apply(0)
        assert one.position()["heroes"][1]["at"] == [2, -4]


def test_what_follows_of_a_push_may_be_left_out_and_is_checked():
    game = placed(boxed(hexes=5, damage=0), offline_path="end_only")
    assert_same(game, placed(BOXED, offline_path="end_only"))


IMPOSSIBLE = [
    (boxed(**{"from": None}), {"offline_path": "end_only"}, r"pending.made = \[0, 1\]: fits pushes that began at"),
    (boxed(**{"from": [0, 0]}), {"offline_path": "end_only"}, r"pending.from = \[0, 0\]: cannot be where the push began"),
    (boxed(**{"from": [9, 0]}), {"offline_path": "end_only"}, r"pending.from = \[9, 0\]: must be the land hex"),
    (BOXED, {}, r"pending.from = \[-1, 1\]: cannot be where the push began"),  # each step must keep to the line
    (boxed(hexes=4), {"offline_path": "end_only"}, "pending.hexes = 4: follows from the rest and is 5"),
    (boxed(damage=1), {"offline_path": "end_only"}, "pending.damage = 1: follows from the rest and is 0"),
    (boxed(hits=0), {"offline_path": "end_only"}, "pending.hits = 0: with 0 blocks moves no piece"),
    (boxed(made=[3, 2]), {"offline_path": "end_only"}, r"pending.made = \[3, 2\]: must be fewer steps than hexes = 5"),
]


@pytest.mark.parametrize(("position", "rules", "message"), IMPOSSIBLE)
def test_a_push_that_cannot_be_under_way_is_refused(position: dict, rules: dict, message: str):
    with pytest.raises(ValueError, match=message):
        placed(position, **rules)


NO_CHOICE = [
    ("step", {"ability": "Boxing Arrow", "target": "Rhino Guy", "hits": 1}, [0, -2], "no path to choose"),  # straight
    ("step", {"ability": "Boxing Arrow", "target": "Rhino Guy", "hits": 1}, [1, -3], "has no choice of path"),
    ("step", {"ability": "Arrowed!", "target": "Rhino Guy", "hits": 1}, [1, -3], "moves no piece"),
    ("pre_move", {"ability": "Boxing Arrow", "target": "Rhino Guy"}, [1, -3], "has no move before its attack"),
]


@pytest.mark.parametrize(("phase", "pending", "at", "message"), NO_CHOICE)
def test_a_decision_that_play_would_not_ask_for_is_refused(phase: str, pending: dict, at: list[int], message: str):
    heroes = [{"hero": "bow_master", "at": [0, 0]}, {"hero": "rhino_guy", "at": at}]
    with pytest.raises(ValueError, match=message):
        placed({"heroes": heroes, "phase": phase, "pending": pending})


def test_a_decision_without_options_is_refused():
    """Charge requires one step, and Valasca is too far away for it; Whirlwind and rage need a target in range."""
    far = [{"hero": "rhino_guy", "at": [0, 0]}, {"hero": "valasca", "at": [0, -4], "rage": 1}]
    charge = {"ability": "Charge", "target": "Valasca"}
    with pytest.raises(ValueError, match='phase = "pre_move": leaves nothing to decide'):
        placed({"heroes": far, "phase": "pre_move", "pending": charge})
    axe = {"ability": "Axe Blow", "target": "Rhino Guy"}
    with pytest.raises(ValueError, match='"Rhino Guy": is out of range: the ability reaches 1'):
        placed({"heroes": far, "phase": "rage", "active": 1, "pending": axe})
    whirl = [{"hero": "whirl_fighter", "at": [0, 0], "rage": 1}, far[1]]
    with pytest.raises(ValueError, match='"Whirlwind": attacks adjacent pieces, and there are none'):
        placed({"heroes": whirl, "phase": "rage", "pending": {"ability": "Whirlwind"}})


STANDING = [{"hero": "bow_master", "at": [0, 0]}, {"hero": "rhino_guy", "at": [1, -3]}]
FALLEN = {"hero": "valasca", "at": "out", "rage": 1}
NEVER_REACHED = [
    ({"heroes": [STANDING[0], STANDING[1] | {"protection": 2}], "active": 1}, r"\[1\].protection = 2: must be 0, .*ARENA-11"),
    ({"heroes": STANDING, "round": 3, "turn": 1}, "round = 3: cannot be reached in 1 turns; must be at most 2"),
    ({"heroes": [*STANDING, FALLEN]}, r"heroes\[2\].rage = 1: must be 0, the hero is out"),
    ({"heroes": [*STANDING, FALLEN | {"rage": 0, "place": 1}]}, r"heroes\[2\].place = 1: must be 3"),
    ({"heroes": [STANDING[0], STANDING[1] | {"place": 2}]}, r"heroes\[1\].place = 2: must be 0"),
    ({"heroes": [STANDING[0], STANDING[1] | {"hero": "bow_master"}]}, r'heroes\[1\].hero = "bow_master": is already in the game'),
    ({"heroes": [STANDING[0], STANDING[1] | {"seat": 0}]}, r"heroes\[1\].seat = 0: is already taken"),
    ({"heroes": STANDING, "pool": 3}, "pool = 3: follows from the rest and is 12"),
    ({"heroes": STANDING, "phase": "over"}, 'heroes.*2 on the board; phase "over" needs exactly one hero'),
    ({"heroes": [STANDING[0], STANDING[1] | {"at": "out"}], "active": 1, "phase": "over"}, None),
    ({"heroes": [*STANDING, FALLEN | {"rage": 0}], "active": 2}, "active = 2: that hero is out; must be 0 or 1"),
    ({"heroes": STANDING, "phase": "start"}, r"\[0\].at = \[0, 0\]: must be .waiting., because seat 0 is placing its hero"),
]


@pytest.mark.parametrize(("position", "message"), NEVER_REACHED)
def test_a_position_that_play_never_reaches_is_refused_with_its_field(position: dict, message: str | None):
    if message is None:
        assert not placed(position).options()
        return
    with pytest.raises(ValueError, match=message):
        placed(position)
