"""The CARDS record of the Arena: a card file as flat numbers, all that the kernels see of it (register section 2)."""

from enum import IntEnum

import numpy as np

from sim.engine.judgement import weights_dtype
from sim.games.arena.board import DIRECTIONS, HEXES_MAX, REACH, SPAN, STARTS_MAX
from sim.games.arena.throws import THROW_MAX, WORDS

HEROES_MAX = 64  # heroes in one file
ABILITIES = 3  # abilities of a hero
ZONES = 3  # green, yellow, red
DICE_MAX = 12  # dice of one roll (section 2.3)
DIE_FACES = 6
OPTIONAL = 5  # things that a rule allows but nobody must do (permits.py)


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
    """ARENA-54. Where the rule for a slanted push must hold."""

    EACH_STEP = 0
    END_ONLY = 1


class OfflineChooser(IntEnum):
    """ARENA-55. Who chooses the path of a slanted push."""

    DEFENDER = 0
    ATTACKER = 1


class PassAbility(IntEnum):
    """ARENA-13. When a player may use no ability."""

    ALLOWED = 0
    ONLY_IF_NONE = 1


class StartChoice(IntEnum):
    """ARENA-05. How the start hexes are taken."""

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
        ("turn_cap", np.int16),  # turns after which a game is stopped, 1..10000 (ARENA-84)
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
        # odds of a roll, [attack dice, Defence dice]: for judging positions, no rule reads them
        ("net_chance", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # P(net hits >= 1), 0..1
        ("net_mean", np.float64, (DICE_MAX + 1, DICE_MAX + 1)),  # expected net hits, 0..12
        ("might", np.float64, (HEROES_MAX, ZONES)),  # hexes of a hero's strongest throw by zone, times its chance
        # the board that is played
        ("hexes", np.int16),  # land hexes, 4..169; rows beyond are 0 (neighbour: -1)
        ("starts", np.int16),  # start hexes, 4..12
        ("start_hex", np.int16, (STARTS_MAX,)),  # hex id; -1 beyond `starts`
        ("neighbour", np.int16, (HEXES_MAX, DIRECTIONS)),  # hex id, -1 = water
        ("distance", np.int8, (HEXES_MAX, HEXES_MAX)),  # steps on an endless grid, 0..14
        ("ray", np.int8, (HEXES_MAX, DIRECTIONS)),  # land hexes ahead until water, 0..14
        ("near", np.int16, (HEXES_MAX, HEXES_MAX)),  # all land hexes, the nearest first, equally near ones by id
        ("near_count", np.int16, (HEXES_MAX, SPAN)),  # how many of them lie within a distance of 0..28
        ("roomy", np.uint8),  # 1: on the empty board every way on foot is as short as the distance
        ("rim", np.int8, (HEXES_MAX,)),  # hexes to the water along the nearest line, 1..15
        ("q", np.int8, (HEXES_MAX,)),  # axial coordinates, -7..7
        ("r", np.int8, (HEXES_MAX,)),
        # sets of hexes, one bit each: for judging positions, no rule reads them
        ("words", np.int8),  # words of a set in use, 1..3
        ("ball", np.uint64, (HEXES_MAX, REACH + 1, WORDS)),  # within a distance of a hex
        # from which a push of so many hexes throws out from a hex; the same where user and target change places first
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
        # passives of a hero; 0 = has none
        ("move_mode", np.int8, _HERO),  # MoveMode
        ("brace", np.int8, _HERO),  # hexes less, 0..4 (ARENA-45)
        ("ally_per", np.int8, _HERO),  # attack dice per own dragonling next to the target, 0..3 (ARENA-76)
        ("ally_max", np.int8, _HERO),  # attack dice at most, 0..6
        ("retaliate", np.int8, _HERO),  # hexes, 0..4 (ARENA-73)
        ("retaliate_ability", np.int8, _HERO),  # the passive that retaliates, 0..2
        ("rage_when_damaged", np.int8, _HERO),  # tokens, 0..4 (ARENA-75)
        ("passive_move_after", np.int8, _HERO),  # steps, 0..4 (ARENA-38)
        # abilities; 0 = has none
        ("kind", np.int8, _ABILITY),  # Kind
        ("range", np.int8, _ABILITY),  # hexes, 1..8 (ARENA-32)
        ("attack", np.int8, _ABILITY),  # dice, 0..12 (ARENA-40)
        ("knockback", np.int8, (HEROES_MAX, ABILITIES, ZONES)),  # hexes by the target's zone, 0..9 (ARENA-44)
        ("has_move_before", np.int8, _ABILITY),  # 1: moves first (ARENA-34); the minimum alone may be 0
        ("move_before_min", np.int8, _ABILITY),  # steps, 0..4
        ("move_before_max", np.int8, _ABILITY),  # steps, 1..4
        ("move_after", np.int8, _ABILITY),  # steps, 0..4: the larger of card and passive (ARENA-38)
        ("no_defence_roll", np.int8, _ABILITY),  # 1: targets roll no Defence (ARENA-41)
        ("no_damage", np.int8, _ABILITY),  # 1: markers do not move (ARENA-47)
        ("auto_hit", np.int8, _ABILITY),  # hits without a roll, 0..6 (ARENA-41)
        ("area", np.int8, _ABILITY),  # 1: every adjacent piece (ARENA-70)
        ("pull", np.int8, _ABILITY),  # 1: towards the user (ARENA-71)
        ("swap", np.int8, _ABILITY),  # 1: change places first (ARENA-72)
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
        # what can be forbidden, by number; -1: never chosen
        ("thing", np.int16, _ABILITY),
        ("option_thing", np.int16, (OPTIONAL,)),  # by permits.Option
        *weights_dtype(FEATURES),
    ],
    align=True,
)
