"""The CARDS record of Card Rogue: a card file as flat numbers, all that the kernels see of it.

Also the enums of its fields, among them the rule switches, and the attack tables of the evaluation.
"""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sim.engine.evaluation import weights_dtype
from sim.engine.sums import convolution, product, total

CHARACTERS_MAX = 16
TYPES_MAX = 64  # kinds of cards that can be held or fought: key, potions, artifacts, enemies, items
ENEMIES_MAX = 24  # kinds of enemies
ITEMS_MAX = 24  # kinds of shop cards
WEAPONS_MAX = 8  # kinds of weapons, and number 0: bare hands
COLOURS_MAX = 6
TRAPS_MAX = 8
TILES_MAX = 32  # kinds of tiles in the decks
ENTRIES = TYPES_MAX + TILES_MAX  # entries of a deck: card types, then tiles
TILE_ENTRY = TYPES_MAX  # entry of tile number 0
DENOMINATIONS_MAX = 8
GOALS_MAX = 8
SLOTS = 5
DIE_FACES = 6
FACES = DIE_FACES + 1  # tables by the face of the die; place 0 is not used
ROWS_MAX = 24
STRIDE = 32  # cells from one row to the next; most columns
CELLS = ROWS_MAX * STRIDE
MODS = 12  # attack modifiers in the attack tables
MOD_LOWEST = -4
ATTACKS_MAX = 12  # attacks in a row in the attack tables
HEALTH_SPAN = 32  # health of an enemy in the attack tables, 0..31


class Feature(IntEnum):
    """Features of the evaluation; the README lists them."""

    CONSTANT = 0
    POINTS = 1  # from here on the parts of what a player has
    BOSSES = 2
    HEALTH = 3
    AILMENTS = 4
    ATTACK = 5
    GEAR = 6
    CARDS = 7
    KEY = 8
    GOLD = 9
    FOUND = 10
    FIGHT = 11
    WAY = 12
    PLAN = 13
    RIVAL_FIGHT = 14
    RUSH = 15
    RUSH_LEAD = 16
    RUSH_RACE = 17
    RUSH_DEATH = 18
    LATE = 19
    CLOCK = 20
    IDLE = 21
    GOLEM = 22
    CHEST = 23


FEATURES = tuple(feature.name.lower() for feature in Feature)

_TYPE = (TYPES_MAX,)
_CHARACTER = (CHARACTERS_MAX,)

# Fields called *_faces are sets of faces of the die: bit f is set if face f (1..6) is one of them.
CARDS = np.dtype(
    [
        # rules
        ("flee_faces", np.uint8),  # faces on which a flight succeeds
        ("trip_faces", np.uint8),
        ("steal_faces", np.uint8),
        ("fountain_heal", np.int16),  # health
        ("fountain_drain_faces", np.uint8),
        ("buy_multiplier", np.int16),  # times the gold value
        ("mole_fee", np.int16),  # gold
        ("vp_chest", np.int16),
        ("vp_exit", np.int16),
        ("offers_per_turn", np.int16),
        ("equip_changes", np.int16),
        ("max_rounds", np.int16),
        ("idle_rounds", np.int16),
        ("repeat_moves", np.int16),  # how often step 2 can be repeated in a turn of mere walking
        ("lives", np.int16),  # of a lone player
        ("goals", np.uint16),  # goals of a lone player, bits of Goal
        ("goal_bit", np.uint16, _TYPE),  # enemy type -> its bit, 0: not a goal
        ("columns", np.int16),  # 8..32
        ("rows", np.int16),  # 4..24
        ("gap", np.int16),  # cells between starting tiles
        ("denominations", np.int16),  # number of denominations; further entries are 0
        ("denomination", np.int16, (DENOMINATIONS_MAX,)),  # gold, descending, the last is 1
        # switches
        ("characters_mode", np.int8),  # Characters
        ("flip_rule", np.int8),  # FlipRule
        ("replacement_trap", np.int8),  # ReplacementTrap
        ("resume_after_flip", np.int8),  # ResumeAfterFlip
        ("imp_dodge", np.int8),  # ImpDodge
        ("paralysis_in_combat", np.int8),  # ParalysisInCombat
        ("bard_six", np.int8),  # BardSix
        ("shield_scope", np.int8),  # ShieldScope
        ("enemy_restore", np.int8),  # EnemyRestore
        ("equip_in_combat", np.uint8),  # 1: before step 1 too
        ("sold_items", np.int8),  # SoldItems
        ("teleport_targets", np.int8),  # TeleportTargets
        # decks: copies by entry (card type, or TILE_ENTRY + tile number)
        ("exploration", np.uint8, (ENTRIES,)),
        ("pathing", np.uint8, (ENTRIES,)),
        ("exploration_cards", np.int16),  # sum of `exploration`
        ("tiles", np.int16),  # kinds of tiles in the file
        ("tile_kind", np.uint8, (TILES_MAX,)),  # Tile; traps TRAP + number
        ("tile_exits", np.uint8, (TILES_MAX,)),  # as seen when walking in: bits F 1, L 2, R 4
        ("traps", np.int16),
        ("trap_effect", np.int8, (TRAPS_MAX,)),  # Effect: DAMAGE, POISON, PARALYZE
        ("trap_n", np.int16, (TRAPS_MAX,)),  # health or turns
        # card types: KEY, then POTION + colour, then artifacts, enemies, items in the order of the file
        ("types", np.int16),
        ("artifacts", np.int16),  # kinds; their types begin at first_artifact
        ("first_artifact", np.int16),
        ("artifact_bits", np.uint64),  # sets of types, bit t for type t
        ("potion_bits", np.uint64),
        ("scroll_bits", np.uint64),
        ("gear_bits", np.uint64),  # weapons and armour
        ("sell_bits", np.uint64),  # sellable
        ("trade_bits", np.uint64),  # tradable
        ("cursed_bits", np.uint64),
        ("category", np.int8, _TYPE),  # Category
        ("gold", np.int16, _TYPE),  # sell price; loot of an enemy; 0: unsellable
        ("sellable", np.uint8, _TYPE),  # 1 only where gold > 0
        ("tradable", np.uint8, _TYPE),
        ("vp", np.int16, _TYPE),  # points of a boss card or of the debt
        ("attack_mod", np.int16, _TYPE),  # of an artifact in hand or a worn item
        ("max_health", np.int16, _TYPE),  # of an artifact in hand
        ("cursed", np.uint8, _TYPE),
        # enemies
        ("enemies", np.int16),  # kinds
        ("enemy_type", np.int16, (ENEMIES_MAX,)),  # enemy number -> card type
        ("enemy_number", np.int16, _TYPE),  # card type -> enemy number, -1
        ("health", np.int16, _TYPE),
        ("attack", np.int16, _TYPE),  # value of an attack; 0 where a die decides
        ("attack_die", np.int16, _TYPE),  # the attack is this number times a die; 0: it is `attack`
        ("boss", np.uint8, _TYPE),
        ("cancel_group", np.int16, _TYPE),  # 0: none; two cards of one group in one hand vanish
        ("end_rush", np.uint8, _TYPE),
        ("no_chase", np.uint8, _TYPE),
        ("single_turn", np.uint8, _TYPE),
        ("heal_each_turn", np.int16, _TYPE),
        ("status_faces", np.uint8, _TYPE),  # faces on which the enemy poisons or paralyses
        ("status_effect", np.int8, _TYPE),  # Effect: NONE, POISON, PARALYZE
        ("status_turns", np.int16, _TYPE),
        ("dodge_faces", np.uint8, _TYPE),
        # items
        ("items", np.int16),  # kinds
        ("item_type", np.int16, (ITEMS_MAX,)),  # item number -> card type
        ("item_number", np.int16, _TYPE),  # card type -> item number, -1
        ("weapon_number", np.int16, _TYPE),  # 1..WEAPONS_MAX-1; 0: no weapon
        ("shop", np.uint8, _TYPE),  # copies in the shop pile
        ("slots", np.uint8, _TYPE),  # bits 1 << Slot that the item fills
        ("min_attack", np.int16, _TYPE),  # 0: none
        ("multiply", np.int16, _TYPE),  # 0: none
        ("miss_faces", np.uint8, _TYPE),
        ("reroll_faces", np.uint8, _TYPE),
        ("reroll_dice", np.int16, _TYPE),
        ("block_faces", np.uint8, _TYPE),
        ("damage_taken", np.int16, _TYPE),  # reduction of damage from attacks
        ("item_flee_faces", np.uint8, _TYPE),
        ("avoid_trap_faces", np.uint8, _TYPE),
        ("movement", np.int16, _TYPE),
        ("scroll_effect", np.int8, _TYPE),  # Effect: MAX_HEALTH .. REMOVE_CURSES
        ("scroll_n", np.int16, _TYPE),
        # potions
        ("colours", np.int16),
        ("potion_faces", np.uint8),  # faces of the die that have an effect
        ("drink_effect", np.int8, (FACES,)),  # Effect by face
        ("drink_n", np.int16, (FACES,)),
        ("throw_effect", np.int8, (FACES,)),
        ("throw_n", np.int16, (FACES,)),
        # characters
        ("characters", np.int16),
        ("own_max_health", np.int16, _CHARACTER),
        ("own_attack_mod", np.int16, _CHARACTER),  # from here on: 0 = none
        ("own_damage_taken", np.int16, _CHARACTER),
        ("own_movement", np.int16, _CHARACTER),
        ("own_flee_faces", np.uint8, _CHARACTER),
        ("own_avoid_trap_faces", np.uint8, _CHARACTER),
        ("rage_at_most", np.int16, _CHARACTER),  # health, -1: never
        ("rage", np.int16, _CHARACTER),  # attack modifier
        ("no_flee", np.uint8, _CHARACTER),
        ("no_flee_but_boss", np.uint8, _CHARACTER),
        ("no_flee_but_no_chase", np.uint8, _CHARACTER),
        ("offhand_type", np.int16, _CHARACTER),  # card type, -1: none
        ("offhand_mod", np.int16, _CHARACTER),
        ("free_buy_faces", np.uint8, _CHARACTER),
        ("forbidden_slots", np.uint8, _CHARACTER),  # bits 1 << Slot
        ("discard_cursed", np.uint8, _CHARACTER),
        ("sacrifice_at_most", np.int16, _CHARACTER),  # health, -1: never
        ("sacrifice_heal", np.int16, _CHARACTER),
        ("no_trip", np.uint8, _CHARACTER),
        ("second_turn", np.uint8, _CHARACTER),
        ("no_sell_items", np.uint8, _CHARACTER),
        ("spell_cooldown", np.int16, _CHARACTER),  # turns, 0: no spells
        ("spell_damage", np.int16, _CHARACTER),
        ("spell_move", np.uint8, _CHARACTER),
        ("spell_heal", np.int16, _CHARACTER),  # health for a potion
        ("own_buy_multiplier", np.int16, _CHARACTER),  # 0: that of the rules
        ("no_trade_shop", np.uint8, _CHARACTER),
        ("song", np.int16, _CHARACTER),  # health
        ("must_flee_faces", np.uint8, _CHARACTER),
        # the fixed layout (ROGUE-107)
        ("fill", np.int8),  # Fill; DEAL: no map
        ("has_ladder", np.uint8),
        ("map_tile", np.uint8, (CELLS,)),  # Tile
        ("map_mask", np.uint8, (CELLS,)),  # paths N 1, E 2, S 4, W 8
        ("map_on", np.int16, (CELLS,)),  # 1 + type of the card that lies there, 0: none
        ("map_down", np.uint8, (CELLS,)),  # 1: lies face-down
        ("map_down_cards", np.int16),  # number of face-down cells
        ("map_start", np.int16),  # cell of the start
        ("map_colour", np.int8, (COLOURS_MAX,)),  # face of the effect of a colour, 0: not fixed
        # attack tables: used by the evaluation, not by the rules
        ("attack_mean", np.float64, (WEAPONS_MAX, MODS)),  # mean damage of an attack
        # P(n attacks do at least h damage), [weapon, modifier - MOD_LOWEST, n, h]
        ("reach_chance", np.float64, (WEAPONS_MAX, MODS, ATTACKS_MAX + 1, HEALTH_SPAN)),
        *weights_dtype(FEATURES),
    ],
    align=True,
)

# enums of the record


class Category(IntEnum):
    """Kinds of card types."""

    NONE = 0
    KEY = 1
    POTION = 2
    ARTIFACT = 3
    ENEMY = 4
    WEAPON = 5
    ARMOUR = 6
    SCROLL = 7
    DEBT = 8


KEY = 0  # card type of the key
POTION = 1  # card type of the first potion colour; the others follow


class Slot(IntEnum):
    """ROGUE-81. Where equipment is worn."""

    HEAD = 0
    CHEST = 1
    FEET = 2
    PRIMARY = 3
    SECONDARY = 4


class Tile(IntEnum):
    """Kinds of face-up tiles; a trap is TRAP + its number."""

    NONE = 0
    FLOOR = 1
    START = 2
    SHOP = 3
    FOUNTAIN = 4
    CHEST = 5
    LADDER = 6
    TRAP = 8


class Effect(IntEnum):
    """Effects of potions, traps and scrolls."""

    NONE = 0
    HEAL_FULL = 1
    POISON = 2
    PARALYZE = 3
    TELEPORT = 4
    DAMAGE = 5
    ATTACK_MOD = 6
    MAX_HEALTH = 7
    IDENTIFY = 8
    MOVE_ANY = 9
    ANTIDOTE = 10
    REMOVE_CURSES = 11


class Fill(IntEnum):
    """ROGUE-107. How the rest of a fixed layout is filled."""

    DEAL = 0  # no map: a dealt game
    NONE = 1
    DECK = 2


class Goal(IntEnum):
    """ROGUE-106. Bits of the goals of a lone player; bosses have bits from FIRST_ENEMY on."""

    CHEST = 1
    DEBT = 2
    FIRST_ENEMY = 4


# rule switches

Characters = IntEnum("Characters", "RANDOM DRAFT LIST", start=0)  # how characters are assigned to seats
FlipRule = IntEnum("FlipRule", "PATH ORTHOGONAL", start=0)  # what makes a face-down card adjacent
ReplacementTrap = IntEnum("ReplacementTrap", "TRIGGERS LIES", start=0)  # what a trap drawn as a replacement does
ResumeAfterFlip = IntEnum("ResumeAfterFlip", "MOVE FLIP", start=0)  # step that follows a combat begun by flipping a card
ImpDodge = IntEnum("ImpDodge", "ALWAYS NOT_LETHAL", start=0)  # which attacks can be dodged
ParalysisInCombat = IntEnum("ParalysisInCombat", "ENEMY_ACTS TURN_LOST", start=0)  # enemies while the player is paralysed
BardSix = IntEnum("BardSix", "FLEE_FREE FLEE_ROLL OFF", start=0)  # what a must_flee face does
ShieldScope = IntEnum("ShieldScope", "ALL ATTACKED", start=0)  # enemies that a block stops
EnemyRestore = IntEnum("EnemyRestore", "LAST_LEAVES ANY_FLIGHT", start=0)  # when an enemy gets its health back
SoldItems = IntEnum("SoldItems", "DISCARDED BACK_TO_SHOP", start=0)  # where sold shop cards go
TeleportTargets = IntEnum("TeleportTargets", "PLAIN_AND_TRAPS PLAIN ANY_REVEALED", start=0)  # where teleportation can lead


# attack tables

DICE_MAX = 64  # dice of one attack
TOTALS = DICE_MAX * DIE_FACES + 1


class Sign(IntEnum):
    """Meanings of the faces of an attack besides their total; the sign of a throw is the union of those shown."""

    MISS = 1
    BLOCK = 2
    FLEE = 4


SIGNS = 8
NO_SIGN = 0


class Weapon(NamedTuple):
    """Numbers of a weapon, as in the CARDS record; sets of faces are bits 1 << face."""

    min_attack: int = 0
    multiply: int = 1
    miss_faces: int = 0
    reroll_faces: int = 0
    reroll_dice: int = 0
    block_faces: int = 0  # of all equipment
    flee_faces: int = 0  # faces after which the character must flee

    def sign(self, face: int) -> int:
        """Sign of one face, the sum of what it means."""
        meant = {Sign.MISS: self.miss_faces, Sign.BLOCK: self.block_faces, Sign.FLEE: self.flee_faces}
        return sum(sign for sign, faces in meant.items() if faces >> face & 1)


@lru_cache(maxsize=256)
def attack_tables(weapon: Weapon) -> tuple[np.ndarray, np.ndarray]:
    """Mean damage of an attack, shape (MODS,), and the chance that n attacks do at least h damage.

    The second array has shape (MODS, ATTACKS_MAX + 1, HEALTH_SPAN): modifier - MOD_LOWEST, n, h. The modifier is the total one,
    including that of the weapon.
    """
    odds = throw_odds(weapon)[NO_SIGN]
    means = np.zeros(MODS)
    chances = np.zeros((MODS, ATTACKS_MAX + 1, HEALTH_SPAN))
    for index in range(MODS):
        damage = _damage(weapon, MOD_LOWEST + index)
        means[index] = product(odds, damage)
        once = np.bincount(np.minimum(damage, HEALTH_SPAN - 1), odds, HEALTH_SPAN)
        once[0] += 1 - total(odds)  # missed
        chances[index] = _reached(once)
    return means, chances


@lru_cache(maxsize=256)
def throw_odds(weapon: Weapon) -> np.ndarray:
    """ROGUE-43. Chance of each sign and total of the dice of an attack, shape (SIGNS, TOTALS)."""
    again = np.zeros(SIGNS)  # chance of a face that adds dice, by its sign
    counted = np.zeros((SIGNS, DIE_FACES + 1))  # chance of a face that counts, by its sign
    for face in range(1, DIE_FACES + 1):
        if weapon.reroll_faces >> face & 1:
            again[weapon.sign(face)] += 1
        else:
            counted[weapon.sign(face), face] = 1 / DIE_FACES
    odds, sums = np.zeros((SIGNS, TOTALS)), np.zeros((SIGNS, TOTALS))
    sums[NO_SIGN, 0] = 1.0  # chance of each sign and sum of k dice that count
    for chances in _sequences(again / DIE_FACES, weapon.reroll_dice):
        further = np.zeros((SIGNS, TOTALS))
        for sign in np.flatnonzero(sums.any(axis=1)):
            for other in np.flatnonzero(chances):
                odds[sign | other] += chances[other] * sums[sign]
            for other in np.flatnonzero(counted.any(axis=1)):
                further[sign | other] += convolution(sums[sign], counted[other])[:TOTALS]
        sums = further
    return odds


def _sequences(again: np.ndarray, more: int) -> np.ndarray:
    """Chance of the faces that add dice, summed over the sequences with k dice that count, (DICE_MAX + 1, SIGNS): k, their sign.

    again: (SIGNS,): chance that a die counts as 0 and adds `more` dice, by its sign.
    """
    by_dice = np.zeros((DICE_MAX + 1, SIGNS))
    added = [(int(sign), float(again[sign])) for sign in np.flatnonzero(again)]
    owed = {1: {(0, NO_SIGN): 1.0}}  # dice still to be thrown -> dice that counted, sign -> chance
    for _ in range(DICE_MAX):
        following: dict[int, dict[tuple[int, int], float]] = {}
        for left, known in owed.items():
            for (count, sign), chance in known.items():
                thrown = [(left - 1, (count + 1, sign), chance)]
                thrown += [(left - 1 + more, (count, sign | shown), chance * share) for shown, share in added]
                for after, counted, weight in thrown:
                    if after == 0:
                        by_dice[counted] += weight
                    else:
                        row = following.setdefault(min(after, DICE_MAX), {})
                        row[counted] = row.get(counted, 0.0) + weight
        owed = following
    for known in owed.values():  # dice beyond the last one are not thrown
        for counted, chance in known.items():
            by_dice[counted] += chance
    return by_dice


def _damage(weapon: Weapon, modifier: int) -> np.ndarray:
    """ROGUE-44. Damage by total of the dice, shape (TOTALS,)."""
    raised = np.maximum(np.arange(TOTALS), weapon.min_attack)
    return np.maximum(0, np.maximum(raised * weapon.multiply + modifier, weapon.min_attack))


def _reached(once: np.ndarray) -> np.ndarray:
    """Chance that n attacks do at least h damage, shape (ATTACKS_MAX + 1, HEALTH_SPAN). once: odds of the damage of one attack.

    Damage of HEALTH_SPAN - 1 or more counts as one value.
    """
    chances = np.zeros((ATTACKS_MAX + 1, HEALTH_SPAN))
    sums = np.zeros(HEALTH_SPAN)
    sums[0] = 1.0
    for attacks in range(ATTACKS_MAX + 1):
        chances[attacks] = np.cumsum(sums[::-1])[::-1]
        more = convolution(sums, once)
        sums = more[:HEALTH_SPAN].copy()
        sums[-1] += total(more[HEALTH_SPAN:])
    return np.minimum(chances, 1.0)
