"""Invariants of the plain model in random games, random resolutions, and turned or mirrored positions."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings

from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.invariants import check_invariants
from tests.games.arena.model.board import Hex, distance, step
from tests.games.arena.model.model import Model
from tests.games.arena.positions import games, random_position
from tests.model.lockstep import random_play

STOP = 169


class Rolled:
    """Dice from a generator, by the faces of the document."""

    def __init__(self, model: Model, rng: Random) -> None:
        self._rules, self._rng = model.rules, rng

    def _count(self, n: int, faces: int) -> int:
        assert n >= 1, "a roll of no dice was asked for"
        return sum(self._rng.randrange(6) < faces for _ in range(n))

    def hits(self, _seat: int, n: int) -> int:
        return self._count(n, self._rules["hit_faces"])

    def blocks(self, _owner: int, n: int) -> int:
        return self._count(n, self._rules["block_faces"])


def play(model: Model, rng: Random) -> None:
    """Uniform random play to the end, checked in every state."""
    random_play(model, rng, Rolled(model, rng), check_invariants)


def test_invariants_hold_in_every_state_of_200_random_games():
    rng = Random(10)
    for _ in range(200):
        document = random_document(rng)
        heroes = [card["id"] for card in rng.sample(document["hero"], rng.randint(2, 4))]
        model = Model(document, heroes, rng.choice(document["board"])["id"])
        n, starts = len(heroes), len(model.board.starts)
        spread = [i * starts // n for i in range(n)]
        model.deal(rng.randrange(n), rng.sample(spread, n))
        play(model, rng)


@settings(max_examples=50, deadline=None)
@given(games())
def test_invariants_hold_from_random_positions(game):
    document, position = game
    play(Model.at(document, position), Random(0))


def random_push(rng: Random, document: dict) -> tuple[Model, int, int, int]:
    """A random position with a user, a target and a K of 1..9."""
    model = Model.at(document, random_position(document, rng))
    user = model.active
    target = rng.choice([piece for piece in model.positions if piece != user])
    return model, user, target, rng.choice([1, 1, 2, 3, 4, 5, 7, 9])


@pytest.mark.parametrize("path_rule", ["each_step", "end_only"])
def test_invariants_6_7_8_a_push_moves_a_chain_outwards_and_only_its_last_piece_freely(path_rule):
    rng = Random(6)
    document = reference(offline_path=path_rule)
    for _ in range(2000):
        model, user, target, k = random_push(rng, document)
        before = dict(model.positions)
        model.push(before[user], target, k, rng.choice)
        after: dict[int, Hex | None] = dict.fromkeys(before) | model.positions
        assert after != before
        assert after[user] == before[user]
        others = {piece: place for piece, place in before.items() if piece != target}
        moved = {piece: after[piece] for piece in others if after[piece] != before[piece]}
        made = None if after[target] is None else distance(before[target], after[target])
        if made is None or made == k:
            assert moved == {}
        if made is not None:
            assert distance(before[user], after[target]) - distance(before[user], before[target]) == made <= k
            if made < k:
                chains = [chain(model, others, after[target], d, max(1, k - made - 1)) for d in range(6)]
                assert moved
                assert moved in chains


def chain(model: Model, standing: dict[int, Hex], stop: Hex, direction: int, share: int) -> dict[int, Hex | None]:
    """Invariant 6 on one line: what a piece that stops on a hex sets in motion ahead, None for a piece that falls.

    An empty answer where nothing stands directly ahead. Pieces that only pass the push on are not named.
    """
    piece_on = {place: piece for piece, place in standing.items()}
    line = []
    while model.board.is_land(ahead := step(stop, direction, len(line) + 1)):
        line.append(ahead)
    occupied = [index for index, place in enumerate(line) if place in piece_on]
    if not occupied or occupied[0] > 0:
        return {}
    ends: dict[int, Hex | None] = {}
    for index, following in zip(occupied, [*occupied[1:], len(line)], strict=True):
        gap = following - index - 1
        moves = min(share, gap)
        falls = share > gap and following == len(line)
        if moves or falls:
            ends[piece_on[line[index]]] = None if falls else line[index + moves]
        if share <= gap:
            break
        share = max(1, share - gap - 1)
    return ends


def test_invariant_8_an_entry_of_0_moves_nothing():
    rng = Random(8)
    for switches in ({}, {"knockback_trigger": "always"}, {"knockback_plus_damage": True}):
        for _ in range(300):
            model, user, target, _ = random_push(rng, reference(**switches))
            model.cards[user] = model.cards[user] | {"ability": [attack([0, 0, 0], {"op": "no_defence_roll"})]}
            before = dict(model.positions)
            model.attack(user, 0, target, hits=3)
            assert model.positions == before


def test_invariant_7_a_pulled_target_comes_straight_nearer_and_never_onto_the_user():
    rng = Random(7)
    for _ in range(2000):
        model, user, target, k = random_push(rng, reference())
        before = dict(model.positions)
        model.cards[user] = model.cards[user] | {"ability": [attack([k, k, k], {"op": "pull"})]}
        model.attack(user, 0, target, hits=1, choose=rng.choice)
        if target in model.positions:
            assert before == model.positions | {target: before[target]}
            nearer = distance(before[user], before[target]) - distance(before[user], model.positions[target])
            assert nearer == distance(before[target], model.positions[target]) <= k
            assert model.positions[target] != model.positions[user]


def attack(knockback: list[int], *effects: dict) -> dict:
    """An attack of one die that reaches all pieces."""
    numbers = {"range": 8, "attack": 1, "knockback": knockback}
    return {"name": "Shot", "kind": "attack", **numbers, "effects": list(effects)}


def turned(place: Hex) -> Hex:
    """A sixth of a turn clockwise round the centre."""
    q, r = place
    return -r, q + r


def mirrored(place: Hex) -> Hex:
    """East and west exchanged."""
    q, r = place
    return -q, q + r


class Even:
    """Dice that depend on who rolls how many, so that the order of area targets does not matter."""

    def hits(self, _seat: int, n: int) -> int:
        return (n + 1) // 2

    def blocks(self, owner: int, n: int) -> int:
        return (n * 7 + owner) % 3 % (n + 1)


def moved_code(model: Model, code: int, image: Callable[[Hex], Hex]) -> int:
    """The same option in the turned or mirrored game."""
    if model.phase == "STEP":
        directions = {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 0} if image is turned else {0: 0, 1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
        return directions[code]
    if model.phase in ("ABILITY", "RAGE") or code == STOP:
        return code
    return model.hex_id(*image(model.board.land[code]))


def moved_snapshot(snapshot: dict, image: Callable[[Hex], Hex]) -> dict:
    """A snapshot with every piece on the image of its hex."""
    return snapshot | {"positions": {piece: image(place) for piece, place in snapshot["positions"].items()}}


@pytest.mark.parametrize("image", [turned, mirrored])
def test_invariant_11_a_turned_or_mirrored_position_plays_the_same(image):
    rng = Random(11)
    document = reference()
    for _ in range(300):
        position = random_position(document, rng, phase=rng.choice(["ABILITY", "MOVE"]))
        one = Model.at(document, position)
        other = Model.at(document, moved_snapshot(position, image))
        for _ in range(12):
            options = one.options()
            assert sorted(moved_code(one, code, image) for code in options) == other.options()
            if one.over():
                break
            code = rng.choice(options)
            answer = moved_code(one, code, image)
            one.apply(code, Even())
            other.apply(answer, Even())
            assert moved_snapshot(one.snapshot(), image) == other.snapshot()
