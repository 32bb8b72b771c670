"""The CARDS record of the Arena: a card file as numbers, which is all that the kernels see of it.

Below it are the tables derived from a board: geometry, and the hexes from which a push ends in the water.

Hexes have axial coordinates (q, r) and are flat-topped; `r` grows to the south. Directions are numbered clockwise from north.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache

import numpy as np

from sim.engine.evaluation import weights_dtype

RADIUS_MAX = 7  # rings around the centre hex
HEXES_MAX = 169  # land hexes of a board of radius 7
STARTS_MAX = 12  # start hexes of a board
DIRECTIONS = 6
REACH = 2 * RADIUS_MAX  # largest difference of two q or two r on a board
SPAN = 2 * REACH + 1  # number of such differences, negative ones included
WATER = -1  # in place of a hex id

N, NE, SE, S, SW, NW = range(DIRECTIONS)
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # (dq, dr) by direction

Hex = tuple[int, int]

WORDS = 3  # words of a set of hexes, one bit for each hex
WORD_BITS = 64
THROW_MAX = REACH + 1  # a push of this many hexes leaves any board

HEROES_MAX = 64  # heroes in a card file
ABILITIES = 3  # abilities of a hero
ZONES = 3  # green, yellow, red
DICE_MAX = 12  # dice of a roll
DIE_FACES = 6
OPTIONAL = 5  # optional actions, see ablation.Option


class Kind(IntEnum):
    """Kinds of ability."""

    PASSIVE = 0
    ATTACK = 1
    UTILITY = 2


class MoveMode(IntEnum):
    """ARENA-22, 23. How a hero moves by choice."""

    WALK = 0
    GHOST = 1
    LEAP = 2


class KnockbackTrigger(IntEnum):
    """ARENA-42. What displaces the target."""

    NET_HIT = 0
    ANY_HIT = 1
    ALWAYS = 2


class OfflinePath(IntEnum):
    """ARENA-54. Whether the direction rule of a slanted push must hold after each step or only at the end."""

    EACH_STEP = 0
    END_ONLY = 1


class OfflineChooser(IntEnum):
    """ARENA-55. Who chooses the path of a slanted push."""

    DEFENDER = 0
    ATTACKER = 1


class PassAbility(IntEnum):
    """ARENA-13. When a player may pass."""

    ALLOWED = 0
    ONLY_IF_NONE = 1


class StartChoice(IntEnum):
    """ARENA-05. How start hexes are assigned."""

    CHOOSE = 0
    SPREAD = 1


FEATURES = (
    *("constant", "turn", "standing", "energy", "left", "rage", "brood", "protection", "slowed", "rim", "danger"),
    *("promise", "approach", "race", "strike", "hurt", "force", "line", "power", "wear", "finish", "opening", "might"),
)

_HERO = (HEROES_MAX,)
_ABILITY = (HEROES_MAX, ABILITIES)

CARDS = np.dtype(
    [
        # rules
        ("heroes", np.int16),  # heroes in the file, 2..64; rows beyond are 0
        ("turn_cap", np.int16),  # turns after which a game is truncated, 1..10000 (ARENA-84)
        ("tokens", np.int16),  # rage and dragonling tokens in the common pool, 0..12 (ARENA-03)
        ("dragonling_defence", np.int16),  # dice of a dragonling, 0..6 (ARENA-40)
        ("hit_faces", np.int16),  # faces of an attack die that hit, 1..5 of 6
        ("block_faces", np.int16),  # faces of a Defence die that block, 1..5 of 6
        ("knockback_trigger", np.int8),  # KnockbackTrigger
        ("knockback_plus_damage", np.uint8),  # 1: damage dealt adds to the knockback (ARENA-45)
        ("offline_path", np.int8),  # OfflinePath
        ("offline_chooser", np.int8),  # OfflineChooser
        ("pass_ability", np.int8),  # PassAbility
        ("start_choice", np.int8),  # StartChoice
        # odds of a roll, [attack dice, Defence dice]; used by the evaluation only
        ("net_chance", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # P(net hits >= 1), 0..1
        ("net_mean", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # expected net hits, 0..12
        ("might", np.float64, (HEROES_MAX, ZONES)),  # hexes of a hero's strongest throw times its chance, by the target's zone
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
        # heroes, in the order of the file
        ("move", np.int8, _HERO),  # steps, 0..6
        ("defence", np.int8, _HERO),  # dice, 0..8
        ("energy", np.int8, (HEROES_MAX, ZONES)),  # spaces of each zone, 1..6
        ("rage_cap", np.int8, _HERO),  # tokens, 0..12
        ("dragonling_cap", np.int8, _HERO),  # tokens on the board at once, 0..12
        # passives of a hero; 0: none
        ("move_mode", np.int8, _HERO),  # MoveMode
        ("brace", np.int8, _HERO),  # hexes by which a knockback is reduced, 0..4 (ARENA-45)
        ("ally_per", np.int8, _HERO),  # attack dice for each own dragonling next to the target, 0..3 (ARENA-76)
        ("ally_max", np.int8, _HERO),  # most attack dice from dragonlings, 0..6
        ("retaliate", np.int8, _HERO),  # hexes, 0..4 (ARENA-73)
        ("retaliate_ability", np.int8, _HERO),  # the passive that retaliates, 0..2
        ("rage_when_damaged", np.int8, _HERO),  # tokens, 0..4 (ARENA-75)
        ("passive_move_after", np.int8, _HERO),  # steps, 0..4 (ARENA-38)
        # abilities; 0: none
        ("kind", np.int8, _ABILITY),  # Kind
        ("range", np.int8, _ABILITY),  # hexes, 1..8 (ARENA-32)
        ("attack", np.int8, _ABILITY),  # dice, 0..12 (ARENA-40)
        ("knockback", np.int8, (HEROES_MAX, ABILITIES, ZONES)),  # hexes by the target's zone, 0..9 (ARENA-44)
        ("has_move_before", np.int8, _ABILITY),  # 1: the user moves first (ARENA-34); needed because the minimum can be 0
        ("move_before_min", np.int8, _ABILITY),  # steps, 0..4
        ("move_before_max", np.int8, _ABILITY),  # steps, 1..4
        ("move_after", np.int8, _ABILITY),  # steps, 0..4: the larger of card and passive (ARENA-38)
        ("no_defence_roll", np.int8, _ABILITY),  # 1: targets roll no Defence dice (ARENA-41)
        ("no_damage", np.int8, _ABILITY),  # 1: markers do not move (ARENA-47)
        ("auto_hit", np.int8, _ABILITY),  # hits without a roll, 0..6 (ARENA-41)
        ("area", np.int8, _ABILITY),  # 1: attacks every adjacent piece (ARENA-70)
        ("pull", np.int8, _ABILITY),  # 1: displaces towards the user (ARENA-71)
        ("swap", np.int8, _ABILITY),  # 1: user and target change places first (ARENA-72)
        ("slow", np.int8, _ABILITY),  # steps, 0..6 (ARENA-78)
        ("self_defence", np.int8, _ABILITY),  # dice, 0..6 (ARENA-74)
        ("recover", np.int8, _ABILITY),  # spaces, 0..6 (ARENA-74)
        ("summon_count", np.int8, _ABILITY),  # dragonlings, 0..4 (ARENA-77)
        ("summon_range", np.int8, _ABILITY),  # hexes, 0..4
        ("rage_on_use", np.int8, _ABILITY),  # tokens, 0..4 (ARENA-75)
        ("rage_on_hit", np.int8, _ABILITY),  # tokens, 0..4
        ("rage_spend_max", np.int8, _ABILITY),  # tokens, 0..6 (ARENA-79)
        ("rage_spend_dice", np.int8, _ABILITY),  # attack dice per token, 0..3
        ("rage_spend_knockback", np.int8, _ABILITY),  # hexes per token, 0..3
        # numbers of what can be switched off (ablation.py); -1: never chosen
        ("thing", np.int16, _ABILITY),
        ("option_thing", np.int16, (OPTIONAL,)),  # by ablation.Option
        *weights_dtype(FEATURES),
    ],
    align=True,
)


def distance(dq: int, dr: int) -> int:
    """ARENA-32. Distance, on an endless grid, of two hexes that differ by (dq, dr)."""
    return max(abs(dq), abs(dr), abs(dq + dr))


def land_hexes(radius: int, holes: Iterable[Hex]) -> list[Hex]:
    """Land hexes of a board in the order of their ids: by (r, q). All other hexes are water."""
    wet = set(holes)
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if distance(q, r) <= radius and (q, r) not in wet]


def connected(land: list[Hex]) -> bool:
    """Whether every land hex can be reached from every other without crossing water. False if there is no land."""
    if not land:
        return False
    todo, unseen = [land[0]], set(land[1:])
    while todo:
        q, r = todo.pop()
        fresh = unseen.intersection((q + dq, r + dr) for dq, dr in STEPS)
        unseen -= fresh
        todo.extend(fresh)
    return not unseen


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
