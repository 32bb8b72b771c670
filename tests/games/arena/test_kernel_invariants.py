"""Invariants of games in the compiled kernels: in every logged position, under symmetry, and in the totals."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from sim.engine.dice import open_dice
from sim.engine.loop import ROW, Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Replay, bench_for, replay
from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.invariants import check_options, check_snapshot, check_step
from tests.games.arena.kernel_bridge import GAME, Kernels, card_set, snapshot_of
from tests.games.arena.model.board import Hex
from tests.games.arena.model.table import DEFAULT_RULES, entry_of
from tests.games.arena.positions import random_position
from tests.model.kernels import streams

pytestmark = pytest.mark.slow

STOP = 169
NOTHING = -1


def experiments(policy: str, documents: list[dict], games: int) -> list[Experiment]:
    """Games of each document, at 2, 3 and 4 seats in turn."""
    spec = (PolicySpec.parse(policy),)
    return [
        Experiment("arena", card_set(document), GAME.seats[number % 3], spec, games, seed=number)
        for number, document in enumerate(documents)
    ]


def check_replay(experiment: Experiment, played: Replay) -> int:
    """Check the invariants in every logged position of some games; returns the number of games."""
    rules = DEFAULT_RULES | experiment.cards.document["rules"]
    game, before, row = Kernels(experiment.cards), None, NOTHING
    for move, position in zip(played.moves, played.positions, strict=True):
        entrants = played.rows[move["row"]]["entrant"][: experiment.seats]
        cards = [entry_of(experiment.cards.document["hero"], experiment.cards.ids[e], "hero") for e in entrants]
        now = snapshot_of(position, experiment.cards, game.board)
        check_snapshot(rules, cards, game.board, now)
        if move["row"] == row:
            check_step(cards, before, now)
        before, row = now, move["row"]
        game.workspace.states[0] = position
        check_options(game.board, now, game.listed().options())
        assert move["options"] == len(game.options())
        assert move["action"] == NOTHING or move["action"] in game.options()
    return len(played.rows)


def test_invariants_hold_in_every_position_of_100_random_games():
    rng = Random(10)
    documents = [random_document(rng, rng.choice([10, 60])) for _ in range(20)] + [reference(turn_cap=100)] * 3
    games = sum(check_replay(e, replay(e, 0, e.games)) for e in experiments("random", documents, 4))
    assert games >= 100


def test_invariants_hold_in_every_position_of_20_greedy_games():
    rng = Random(11)
    documents = [reference(turn_cap=100)] * 3 + [random_document(rng, 30)]
    games = sum(check_replay(e, replay(e, 0, e.games)) for e in experiments("greedy:1", documents, 4))
    assert games >= 20


def kinds(experiment: Experiment, row: np.void) -> list[list[str]]:
    """Kinds of the three abilities of each seat's hero."""
    heroes = [experiment.cards.document["hero"][entrant] for entrant in row["entrant"][: experiment.seats]]
    return [[ability["kind"] for ability in hero["ability"]] for hero in heroes]


def check_accounts(experiment: Experiment, row: np.void, outcome: np.void, last: np.void) -> None:
    """Totals of a finished game that must agree. last: its last position."""
    seats = range(experiment.seats)
    facts = {name: outcome[name][: experiment.seats] for name in outcome.dtype.names if outcome.dtype[name].shape}
    assert outcome["rounds"] >= 1
    assert last["own_turns"].sum() == row["turns"]
    assert (facts["uses"].sum(axis=1) + facts["passes"] == last["own_turns"][: experiment.seats]).all()
    attacking = [[kind == "attack" for kind in kinds_of_hero] for kinds_of_hero in kinds(experiment, row)]
    assert (facts["uses"] * attacking).sum(axis=1).tolist() == facts["attacks"].tolist()
    assert (facts["landed"] <= facts["attacks"]).all()
    assert facts["damage_dealt"].sum() == facts["damage_taken"].sum()
    assert (facts["rage_gained"] - facts["rage_spent"] >= 0).all()
    fallen = facts["fall_turn"] > 0
    assert facts["falls_caused"].sum() == fallen.sum()
    assert ((facts["fall_cause"] > 0) == fallen).all()
    assert ((facts["fall_by"] >= 0) == fallen).all()
    assert ((facts["fall_hex"] >= 0) == fallen).all()
    assert outcome["first_fall"] == min(facts["fall_turn"][fallen], default=0)
    on_board = [sum(last["pos"][piece] >= 0 and last["owner"][piece] == seat for piece in range(4, 16)) for seat in seats]
    gone = facts["summoned"].sum() - sum(on_board) - facts["dragonlings_felled"].sum()
    assert gone >= 0, "more dragonlings than were placed"
    assert gone == 0 or fallen.any(), "dragonlings leave with their owner only"
    standing = ~fallen
    assert (facts["rage_gained"] - facts["rage_spent"])[standing].tolist() == last["rage"][: experiment.seats][standing].tolist()
    assert (facts["zone_turns"].sum(axis=1) <= last["own_turns"][: experiment.seats]).all()
    assert sorted(facts["place"])[:2] != [1, 1]
    if row["status"] == Status.FINISHED:
        assert (facts["place"] == 1).sum() == 1
        assert facts["place"][standing].tolist() == [1]
    else:
        assert (facts["place"][standing] == 0).all()


def test_accounts_of_random_games_add_up():
    rng = Random(12)
    documents = [random_document(rng, rng.choice([10, 60])) for _ in range(20)] + [reference()] * 3
    for experiment in experiments("random", documents, 8):
        played = replay(experiment, 0, experiment.games)
        for row, outcome in enumerate(played.outcomes):
            last = played.positions[np.flatnonzero(played.moves["row"] == row)[-1]]
            check_accounts(experiment, played.rows[row], outcome, last)


# ---- invariant 11 ------------------------------------------------------------------------------------------------------


def turned(place: Hex) -> Hex:
    """Hex after a sixth of a turn clockwise around the centre."""
    q, r = place
    return -r, q + r


def mirrored(place: Hex) -> Hex:
    """Hex with east and west exchanged."""
    q, r = place
    return -q, q + r


DIRECTION = {turned: (1, 2, 3, 4, 5, 0), mirrored: (0, 5, 4, 3, 2, 1)}


def moved_code(game: Kernels, phase: str, code: int, image: Callable[[Hex], Hex]) -> int:
    """The same option in the turned or mirrored game."""
    if phase == "STEP":
        return DIRECTION[image][code]
    if phase in ("ABILITY", "RAGE") or code == STOP:
        return code
    return game.board.number[image(game.board.land[code])]


def moved(table: dict, image: Callable[[Hex], Hex]) -> dict:
    """A position or snapshot with every piece on the image of its hex."""
    return table | {"positions": {piece: image(place) for piece, place in table["positions"].items()}}


@pytest.mark.parametrize("image", [turned, mirrored])
def test_invariant_11_a_turned_or_mirrored_position_plays_the_same(image):
    """The dice are keyed by the rolling seat, so the order of the targets, which turns too, does not matter."""
    rng, document = Random(11), reference()
    cards = {board["id"]: card_set(document, board["id"]) for board in document["board"]}
    workspaces, steps = (bench_for(GAME), bench_for(GAME)), 0
    for number in range(300):
        position = random_position(document, rng, phase=rng.choice(["ABILITY", "MOVE"]))
        tables = (position, moved(position, image))
        pair = [Kernels(cards[position["board"]], workspace) for workspace in workspaces]
        for game, table in zip(pair, tables, strict=True):
            open_dice(game.dice, 11, number, streams())
            game.place(table)
        one, other = pair
        for _ in range(20):
            now, options = one.snapshot(), one.options()
            assert moved(now, image) == other.snapshot()
            assert sorted(moved_code(one, now["phase"], code, image) for code in options) == other.options()
            if not options:
                break
            code = rng.choice(options)
            other.apply(moved_code(one, now["phase"], code, image))
            one.apply(code)
            steps += 1
    assert steps > 3000


# ---- size and range ----------------------------------------------------------------------------------------------------


def test_records_have_the_sizes_that_memory_is_planned_for():
    assert (GAME.state.itemsize, GAME.outcome.itemsize, ROW.itemsize) == (728, 312, 48)
