"""The CARDS record of Card Rogue: a card file as flat numbers, all that the kernels see of it (register section 2)."""

import numpy as np

from sim.engine.judgement import weights_dtype

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
MODS = 12  # attack modifiers in the judging tables
MOD_LOWEST = -4
ATTACKS_MAX = 12  # attacks in a row in the judging tables
HEALTH_SPAN = 32  # health of an enemy in the judging tables, 0..31

# What positions are judged by (`features.py`)
FEATURES = (
    *("constant", "points", "bosses", "health", "ailments", "attack", "gear", "cards", "key", "gold", "found"),
    *("fight", "way", "plan", "rival_fight"),
    *("rush", "rush_lead", "rush_race", "rush_death"),
    *("late", "clock", "idle", "golem", "chest"),
)

_TYPE = (TYPES_MAX,)
_CHARACTER = (CHARACTERS_MAX,)

# Fields called *_faces are sets of faces of the die: bit f is set if face f (1..6) is one of them.
CARDS = np.dtype(
    [
        # rules (register section 2.2)
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
        ("repeat_moves", np.int16),  # times that a turn of walking may be prolonged
        ("lives", np.int16),  # of a lone player
        ("goals", np.uint16),  # bits of Goal wanted of a lone player
        ("goal_bit", np.uint16, _TYPE),  # enemy type -> its bit, 0: is no goal
        ("columns", np.int16),  # 8..32
        ("rows", np.int16),  # 4..24
        ("gap", np.int16),  # cells between starting tiles
        ("denominations", np.int16),  # how many; rows beyond are 0
        ("denomination", np.int16, (DENOMINATIONS_MAX,)),  # gold, descending, the last is 1
        # switches (register section 8)
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
        ("tile_exits", np.uint8, (TILES_MAX,)),  # as seen by somebody walking in: bits F 1, L 2, R 4
        ("traps", np.int16),
        ("trap_effect", np.int8, (TRAPS_MAX,)),  # Effect: DAMAGE, POISON, PARALYZE
        ("trap_n", np.int16, (TRAPS_MAX,)),  # health or turns
        # card types: KEY, then POTION + colour, then artifacts, enemies, items in the order of the file
        ("types", np.int16),
        ("artifacts", np.int16),  # kinds, types first_artifact and following
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
        ("sellable", np.uint8, _TYPE),  # 1 implies gold > 0
        ("tradable", np.uint8, _TYPE),
        ("vp", np.int16, _TYPE),  # points of a boss card; of the debt
        ("attack_mod", np.int16, _TYPE),  # of an artifact in hand or of a worn item
        ("max_health", np.int16, _TYPE),  # of an artifact in hand
        ("cursed", np.uint8, _TYPE),
        # enemies
        ("enemies", np.int16),  # kinds
        ("enemy_type", np.int16, (ENEMIES_MAX,)),  # enemy number -> card type
        ("enemy_number", np.int16, _TYPE),  # card type -> enemy number, -1
        ("health", np.int16, _TYPE),
        ("attack", np.int16, _TYPE),  # value of an attack; 0 where a die decides
        ("attack_die", np.int16, _TYPE),  # the attack is this times a die; 0: it is `attack`
        ("boss", np.uint8, _TYPE),
        ("cancel_group", np.int16, _TYPE),  # 0: none; two cards of one group in one hand vanish
        ("end_rush", np.uint8, _TYPE),
        ("no_chase", np.uint8, _TYPE),
        ("single_turn", np.uint8, _TYPE),
        ("heal_each_turn", np.int16, _TYPE),
        ("status_faces", np.uint8, _TYPE),  # faces on which it poisons or paralyses
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
        ("damage_taken", np.int16, _TYPE),  # less damage from attacks
        ("item_flee_faces", np.uint8, _TYPE),
        ("avoid_trap_faces", np.uint8, _TYPE),
        ("movement", np.int16, _TYPE),
        ("scroll_effect", np.int8, _TYPE),  # Effect: MAX_HEALTH .. REMOVE_CURSES
        ("scroll_n", np.int16, _TYPE),
        # potions
        ("colours", np.int16),
        ("potion_faces", np.uint8),  # faces of the die that stand for an effect
        ("drink_effect", np.int8, (FACES,)),  # Effect by face
        ("drink_n", np.int16, (FACES,)),
        ("throw_effect", np.int8, (FACES,)),
        ("throw_n", np.int16, (FACES,)),
        # characters
        ("characters", np.int16),
        ("own_max_health", np.int16, _CHARACTER),
        ("own_attack_mod", np.int16, _CHARACTER),  # from here on: 0 = has none
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
        ("spell_cooldown", np.int16, _CHARACTER),  # turns, 0: casts none
        ("spell_damage", np.int16, _CHARACTER),
        ("spell_move", np.uint8, _CHARACTER),
        ("spell_heal", np.int16, _CHARACTER),  # health for a potion
        ("own_buy_multiplier", np.int16, _CHARACTER),  # 0: the rule's
        ("no_trade_shop", np.uint8, _CHARACTER),
        ("song", np.int16, _CHARACTER),  # health
        ("must_flee_faces", np.uint8, _CHARACTER),
        # the fixed layout (ROGUE-107)
        ("fill", np.int8),  # Fill; DEAL: there is no map
        ("has_ladder", np.uint8),
        ("map_tile", np.uint8, (CELLS,)),  # Tile
        ("map_mask", np.uint8, (CELLS,)),  # paths N 1, E 2, S 4, W 8
        ("map_on", np.int16, (CELLS,)),  # 1 + type of the card that lies there, 0: none
        ("map_down", np.uint8, (CELLS,)),  # 1: lies face-down
        ("map_down_cards", np.int16),  # cells of it that lie face-down
        ("map_start", np.int16),  # cell of the start
        ("map_colour", np.int8, (COLOURS_MAX,)),  # face of the effect of a colour, 0: not fixed
        # for judging positions, no rule reads them
        ("attack_mean", np.float64, (WEAPONS_MAX, MODS)),  # mean damage of an attack
        # P(so many attacks do that much damage at least), [weapon, modifier - MOD_LOWEST, attacks, health]
        ("reach_chance", np.float64, (WEAPONS_MAX, MODS, ATTACKS_MAX + 1, HEALTH_SPAN)),
        *weights_dtype(FEATURES),
    ],
    align=True,
)
