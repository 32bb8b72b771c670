"""The CARDS record: a card file as numbers, which is all that the kernels see of it. CARD_FORMAT reads card files.

Most columns derive from the schema (`cards.py`). The others are tables of the board in play, of dice, and of pushes that end in
the water.
"""

from collections import Counter
from enum import IntEnum
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

import numpy as np

from sim.engine.cardfiles.columns import columns
from sim.engine.cards import CardFormat
from sim.engine.evaluation import weights_dtype, write_weights
from sim.engine.facts import words
from sim.games.arena.ablation import Option, number_things
from sim.games.arena.cards import (
    ABILITIES,
    DICE_MAX,
    DIE_FACES,
    DIRECTIONS,
    HEROES_MAX,
    HEXES_MAX,
    REACH,
    SPAN,
    STARTS_MAX,
    STEPS,
    THROW_MAX,
    WATER,
    WORD_BITS,
    WORDS,
    ZONES,
    ArenaFile,
    Board,
    Hero,
    Hex,
    Kind,
    MoveAfter,
    OfflineChooser,
    RageGain,
    Retaliate,
)


class Feature(IntEnum):
    """Features of a seat that the evaluation weights, each about 1 in size; the README lists them."""

    CONSTANT = 0  # 1 in the sum of the seats' features, 0 in each
    TURN = 1
    STANDING = 2
    ENERGY = 3
    LEFT = 4
    RAGE = 5
    BROOD = 6
    PROTECTION = 7
    SLOWED = 8
    RIM = 9
    DANGER = 10
    PROMISE = 11
    APPROACH = 12
    RACE = 13
    STRIKE = 14
    HURT = 15
    FORCE = 16
    LINE = 17
    POWER = 18
    WEAR = 19
    FINISH = 20
    OPENING = 21
    MIGHT = 22


FEATURES = words(Feature)

USUAL_DEFENCE = 2  # dice, of the targets in `might`
TYPICAL_THROW = (2, 4, 5)  # hexes, by zone of the target
HEXES = 3.0  # features in hexes are divided by this, so that they are about 1 in size
_WAYS = 3.0  # and directions by this
_ABILITY = (HEROES_MAX, ABILITIES)

CARDS = np.dtype(
    [
        *columns(ArenaFile),
        # odds of a roll, [attack dice, Defence dice]; used by the evaluation only
        ("net_chance", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # P(net hits >= 1), 0..1
        ("net_mean", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # expected net hits, 0..12
        # features that stay the same during a game: hexes of a hero's strongest throw times its chance, of a target in green and
        # summed over its zones; and by hex and zone of a hero, directions in which a typical throw ends in the water
        ("opening", np.float64, (HEROES_MAX,)),
        ("might", np.float64, (HEROES_MAX,)),
        ("outlets", np.float64, (HEXES_MAX, ZONES)),
        # the board in play
        ("hexes", np.int16),  # land hexes, 4..169; rows beyond are 0 (neighbour: -1)
        ("starts", np.int16),  # start hexes, 4..12
        ("start_hex", np.int16, (STARTS_MAX,)),  # hex id; -1 beyond `starts`
        ("neighbour", np.int16, (HEXES_MAX, DIRECTIONS)),  # hex id, -1 = water
        ("distance", np.int8, (HEXES_MAX, HEXES_MAX)),  # steps on an endless grid, 0..14
        ("ray", np.int8, (HEXES_MAX, DIRECTIONS)),  # land hexes ahead until water, 0..14
        ("near", np.int16, (HEXES_MAX, HEXES_MAX)),  # all land hexes, nearest first, ties by id
        ("near_count", np.int16, (HEXES_MAX, SPAN)),  # number of them within a distance of 0..28
        ("roomy", np.uint8),  # 1: on the empty board, walking anywhere takes as many steps as the distance
        ("rim", np.int8, (HEXES_MAX,)),  # hexes to the water along the shortest straight line, 1..15
        ("q", np.int8, (HEXES_MAX,)),  # axial coordinates, -7..7
        ("r", np.int8, (HEXES_MAX,)),
        # sets of hexes, one bit each; used by the evaluation only
        ("words", np.int8),  # words of a set that are in use, 1..3
        ("ball", np.uint64, (HEXES_MAX, REACH + 1, WORDS)),  # hexes within a distance of a hex
        # hexes from which a push of K throws out a hero that stands on a hex; the same if user and target swap first
        ("line", np.uint64, (HEXES_MAX, THROW_MAX + 1, WORDS)),
        ("swap_line", np.uint64, (HEXES_MAX, THROW_MAX + 1, WORDS)),
        ("offset_u", np.int8, (SPAN, SPAN)),  # ARENA-50, indexed [dq + 14, dr + 14]: direction 0..5
        ("offset_v", np.int8, (SPAN, SPAN)),  # direction 0..5, -1 where n = 0
        ("offset_m", np.int8, (SPAN, SPAN)),  # steps in direction u, 0..28
        ("offset_n", np.int8, (SPAN, SPAN)),  # steps in direction v, 0..m
        # effects that are not compiled as they stand in the file; 0: none
        ("passive_move_after", np.int8, (HEROES_MAX,)),  # steps, 0..4 (ARENA-38)
        ("rage_when_damaged", np.int8, (HEROES_MAX,)),  # tokens, 0..4 (ARENA-75)
        ("rage_on_use", np.int8, _ABILITY),  # tokens, 0..4 (ARENA-75)
        ("rage_on_hit", np.int8, _ABILITY),  # tokens, 0..4
        ("retaliate_ability", np.int8, (HEROES_MAX,)),  # the passive that retaliates, 0..2
        # numbers of what can be switched off (ablation.py); -1: never chosen
        ("thing", np.int16, _ABILITY),
        ("option_thing", np.int16, (len(Option),)),  # by ablation.Option
        *weights_dtype(FEATURES),
    ],
    align=True,
)


def derive(record: np.void, cards: ArenaFile) -> None:
    """Write what the schema does not determine: the board in play, odds, effects of passives on abilities, weights."""
    record["net_chance"], record["net_mean"] = _odds(cards.rules.hit_faces, cards.rules.block_faces)
    _compile_board(record, next(board for board in cards.board if board.id == cards.rules.board))
    for number, hero in enumerate(cards.hero):
        _compile_rage(record, number, hero)
        _compile_passives(record, number, hero)
    _compile_might(record)
    number_things(record)
    write_weights(record, REFERENCE.parent, FEATURES)


def _compile_rage(record: np.void, number: int, hero: Hero) -> None:
    """ARENA-75. Write `rage_gain`, which has a column for each occasion."""
    for slot, ability in enumerate(hero.ability):
        for effect in ability.effects:
            if isinstance(effect, RageGain) and effect.when == "damaged":
                record["rage_when_damaged"][number] = effect.n
            elif isinstance(effect, RageGain):
                record[f"rage_on_{effect.when}"][number, slot] = effect.n


def _compile_passives(record: np.void, number: int, hero: Hero) -> None:
    """ARENA-38, 73. Write what passives add to abilities, and which one retaliates."""
    for slot, ability in enumerate(hero.ability):
        for effect in ability.effects:
            if isinstance(effect, MoveAfter) and ability.kind == "passive":
                record["passive_move_after"][number] = effect.max
            elif isinstance(effect, Retaliate):
                record["retaliate_ability"][number] = slot
    for slot, ability in enumerate(hero.ability):
        if ability.kind == "attack":
            record["move_after"][number, slot] = max(record["move_after"][number, slot], record["passive_move_after"][number])


@cache
def _odds(hit: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """P(net hits >= 1) and mean net hits, by attack and Defence dice. hit, block: faces that do. Exact before rounding."""
    chance, mean = (np.zeros((DICE_MAX + 1, DICE_MAX + 1)) for _ in range(2))
    for attack, defence in product(range(DICE_MAX + 1), repeat=2):
        ways = Counter[int]()
        for hits, blocks in product(range(attack + 1), range(defence + 1)):
            ways[max(0, hits - blocks)] += _ways(attack, hits, hit) * _ways(defence, blocks, block)
        everything = DIE_FACES ** (attack + defence)
        chance[attack, defence] = (everything - ways[0]) / everything
        mean[attack, defence] = sum(net * count for net, count in ways.items()) / everything
    return chance, mean


def _ways(dice: int, successes: int, faces: int) -> int:
    """Number of rolls of `dice` six-sided dice with this number of successes. faces: that count as a success."""
    return comb(dice, successes) * faces**successes * (DIE_FACES - faces) ** (dice - successes)


def _compile_board(record: np.void, board: Board) -> None:
    land = board.land()
    record["hexes"], record["starts"] = len(land), len(board.starts)
    record["start_hex"] = WATER
    record["start_hex"][: len(board.starts)] = [land.index((q, r)) for q, r in board.starts]
    record["neighbour"] = WATER
    record["neighbour"][: len(land)] = neighbour_table(land)
    record["distance"][: len(land), : len(land)] = distance_table(land)
    record["ray"][: len(land)] = ray_table(land)
    record["outlets"][: len(land)] = (record["ray"][: len(land), :, np.newaxis] < TYPICAL_THROW).sum(axis=1) / _WAYS
    record["rim"][: len(land)] = 1 + record["ray"][: len(land)].min(axis=1)
    distance = record["distance"][: len(land), : len(land)]
    record["near"][: len(land), : len(land)] = np.argsort(distance, axis=1, kind="stable")
    record["near_count"][: len(land)] = (distance[:, :, np.newaxis] <= np.arange(SPAN)).sum(axis=1)
    record["roomy"] = walks_are_straight(land)
    record["q"][: len(land)], record["r"][: len(land)] = zip(*land, strict=True)
    _compile_sets(record, land)
    for field, offsets in zip(("offset_u", "offset_v", "offset_m", "offset_n"), offset_tables(), strict=True):
        record[field] = offsets


def _compile_sets(record: np.void, land: list[Hex]) -> None:
    attacker = record["offline_chooser"] == OfflineChooser.ATTACKER
    sets = throw_tables(tuple(land), bool(attacker))
    record["words"] = -(-len(land) // WORD_BITS)
    for field, table in zip(("ball", "line", "swap_line"), sets, strict=True):
        record[field][: len(land)] = table


def _compile_might(record: np.void) -> None:
    """Write the strongest throw of every hero against a usual Defence, without rage and dragonlings."""
    dice = np.where(record["no_defence_roll"] > 0, 0, USUAL_DEFENCE)
    chance = np.where(record["auto_hit"] > 0, 1.0, record["net_chance"][np.minimum(DICE_MAX, record["attack"]), dice])
    throwing = (record["kind"] == Kind.ATTACK) & (record["pull"] == 0)
    green, yellow, red = (np.where(throwing, chance, 0.0)[:, :, np.newaxis] * record["knockback"]).max(axis=1).T
    record["opening"] = green / HEXES
    record["might"] = (green + yellow + red) / HEXES


def neighbour_table(land: list[Hex]) -> np.ndarray:
    """Neighbours of each hex by direction, (H, 6) int16: hex ids, or WATER."""
    ids = {place: number for number, place in enumerate(land)}
    return np.array([[ids.get((q + dq, r + dr), WATER) for dq, dr in STEPS] for q, r in land], np.int16)


def ray_table(land: list[Hex]) -> np.ndarray:
    """Number of land hexes between each hex and the water, by direction, (H, 6) int8."""
    ahead = set(land)
    rays = np.zeros((len(land), DIRECTIONS), np.int8)
    for number, (q, r) in enumerate(land):
        for direction, (dq, dr) in enumerate(STEPS):
            steps = 0
            while (q + dq * (steps + 1), r + dr * (steps + 1)) in ahead:
                steps += 1
            rays[number, direction] = steps
    return rays


def distance_table(land: list[Hex]) -> np.ndarray:
    """Distance of each pair of hexes, (H, H) int8."""
    q, r = np.array(land, np.int16).reshape(-1, 2).T
    dq, dr = q - q[:, None], r - r[:, None]
    table: np.ndarray = np.max([abs(dq), abs(dr), abs(dq + dr)], axis=0).astype(np.int8)
    return table


def walks_are_straight(land: list[Hex]) -> bool:
    """Whether walking between any two hexes takes no more steps than their distance: true of empty boards without holes."""
    distances, neighbours = distance_table(land), neighbour_table(land)
    nearer = distances[:, neighbours] == distances[:, :, None] - 1
    steps = (nearer & (neighbours != WATER)).any(axis=2)
    np.fill_diagonal(steps, val=True)
    return bool(steps.all())


def split_offset(dq: int, dr: int) -> tuple[int, int, int, int]:
    """ARENA-50. Split the way (dq, dr) into m steps of direction u and n steps of the neighbouring direction v, m >= n >= 0.

    Returns (u, v, m, n). If m = n, u comes before v clockwise. On a straight way n = 0 and v = -1.
    For the empty way u = m = n = 0 and v = -1.
    """
    for first in range(DIRECTIONS):
        second = (first + 1) % DIRECTIONS
        (q1, r1), (q2, r2) = STEPS[first], STEPS[second]
        area = q1 * r2 - q2 * r1  # 1 for neighbouring directions, so that a and b are whole numbers
        a, b = (dq * r2 - q2 * dr) * area, (q1 * dr - dq * r1) * area
        if a < 0 or b < 0:
            continue
        m, n = max(a, b), min(a, b)
        u, v = (first, second) if a >= b else (second, first)
        return (u, v if n else -1, m, n)
    raise AssertionError(f"no two neighbouring directions span ({dq}, {dr})")


def offset_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`split_offset` for all differences: tables of u, v, m, n, each (SPAN, SPAN) int8, indexed [dq + REACH, dr + REACH]."""
    tables = np.zeros((4, SPAN, SPAN), np.int8)
    for dq in range(-REACH, REACH + 1):
        for dr in range(-REACH, REACH + 1):
            tables[:, dq + REACH, dr + REACH] = split_offset(dq, dr)
    return tables[0], tables[1], tables[2], tables[3]


# Kinds of push: only u; u and v equally often; v less often than u, and next to it clockwise; the same, counterclockwise
_STRAIGHT, _EVEN, _RIGHT, _LEFT = range(4)


@cache
def throw_tables(land: tuple[Hex, ...], attacker_chooses: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three tables of sets of hexes: those within a distance of a hex, those from which a push throws out, those after a swap.

    Shapes: (H, REACH + 1, WORDS), by hex and distance; (H, THROW_MAX + 1, WORDS), twice, by the hex of the target and the hexes
    of the push. The third table is for attacks before which user and target swap; it holds the user's hexes before the swap.
    How far a hero must be pushed to fall depends only on where it stands and on the direction: a push steps in its two
    directions, and the player who chooses the path keeps the hero on land as long as possible, or as short.
    """
    hexes = list(land)
    pushes = _pushes_to_fall(hexes, attacker_chooses)  # [from, whom]
    reaches = np.arange(THROW_MAX + 1)[:, None]
    near = distance_table(hexes)[:, None, :] <= np.arange(REACH + 1)[:, None]
    return _sets(near), _sets(pushes.T[:, None, :] <= reaches), _sets(pushes[:, None, :] <= reaches)


def _sets(members: np.ndarray) -> np.ndarray:
    """Sets of hexes: booleans (..., H) packed into bits, (..., WORDS) uint64."""
    wide = np.zeros((*members.shape[:-1], WORDS * WORD_BITS), np.uint8)
    wide[..., : members.shape[-1]] = members
    return np.packbits(wide, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def _pushes_to_fall(land: list[Hex], attacker_chooses: bool) -> np.ndarray:
    """Hexes of a push after which a hero falls, by the source of the push and the hex of the hero, (H, H) int8.

    The diagonal is beyond all pushes, because no hero pushes itself.
    """
    ways = [[_falls(land, u, way, attacker_chooses) for way in range(_LEFT + 1)] for u in range(DIRECTIONS)]
    pushes = np.full((len(land), len(land)), THROW_MAX + 1, np.int8)
    for source, (q, r) in enumerate(land):
        for place, (p, s) in enumerate(land):
            if source != place:
                u, v, m, n = split_offset(p - q, s - r)
                slanted = _EVEN if m == n else _RIGHT if v == (u + 1) % DIRECTIONS else _LEFT
                pushes[source, place] = ways[u][slanted if n else _STRAIGHT][place]
    return pushes


def _falls(land: list[Hex], u: int, way: int, attacker_chooses: bool) -> np.ndarray:
    """ARENA-51 to 56. Hexes after which a hero falls, by its hex, (H,): pushed in direction u and, in some ways, v."""
    neighbours = neighbour_table(land)
    v = (u + (-1 if way == _LEFT else 1)) % DIRECTIONS
    after: dict[tuple[int, int], np.ndarray] = {}
    for steps in range(THROW_MAX, -1, -1):
        for a in range(steps + 1):
            made = (a, steps - a)
            following = [(u, (a + 1, made[1]))] * _allowed(way, a + 1, made[1])
            following += [(v, (a, made[1] + 1))] * _allowed(way, a, made[1] + 1)
            after[made] = _one_step(neighbours, [(d, after[to]) for d, to in following if to in after], attacker_chooses)
    return after[0, 0]


def _allowed(way: int, a: int, b: int) -> bool:
    """ARENA-51 to 53. Whether a push can have made a steps in direction u and b steps in direction v."""
    if way == _STRAIGHT:
        return b == 0
    return abs(a - b) <= 1 if way == _EVEN else a > b


def _one_step(neighbours: np.ndarray, ways: list[tuple[int, np.ndarray]], attacker_chooses: bool) -> np.ndarray:
    """Hexes until the fall from each hex, given those from the next hexes: into the water only if all ways lead there."""
    best = np.zeros(len(neighbours), np.int8)
    for direction, after in ways:
        ahead = neighbours[:, direction]
        hexes = np.where(ahead == WATER, 0, after[ahead])
        chosen = np.minimum(best, hexes) if attacker_chooses else np.maximum(best, hexes)
        best = np.where((best == 0) | (hexes == 0), best + hexes, chosen)
    return (best + 1).astype(np.int8)


REFERENCE = Path(__file__).with_name("cards.toml")
CARD_FORMAT = CardFormat(ArenaFile, CARDS, REFERENCE, derive)
