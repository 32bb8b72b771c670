"""Cards and decks of the reference set of Riftborn Tactics as the rulebook prints them."""

from sim.games.riftborn.cards import Kind

CARDS_PRINTED = {  # type, level, Attack, Health (uses, points), experience, abilities
    "soldier_recruit": (Kind.CREATURE, 1, 2, 2, 100, ""),
    "soldier_scout": (Kind.CREATURE, 1, 1, 2, 100, "DASH(2) SPY(2)"),
    "soldier_shieldbearer": (Kind.CREATURE, 2, 2, 4, 200, "BLOCK"),
    "soldier_guard": (Kind.CREATURE, 2, 2, 5, 200, "VANGUARD"),
    "soldier_archer": (Kind.CREATURE, 2, 2, 2, 200, "RANGE(2)"),
    "soldier_medic": (Kind.CREATURE, 2, 1, 4, 200, "PACIFIST HEAL(3)"),
    "soldier_pikeman": (Kind.CREATURE, 3, 3, 4, 300, "PIERCE(2)"),
    "soldier_drummer": (Kind.CREATURE, 3, 2, 4, 300, "MORALE(1)"),
    "soldier_crossbow": (Kind.CREATURE, 4, 4, 3, 400, "RANGE(3) READY(3)"),
    "soldier_knight": (Kind.CREATURE, 5, 5, 7, 500, "BLOCK VANGUARD"),
    "soldier_marshal": (Kind.CREATURE, 6, 5, 9, 800, "HERO MORALE(2) VANGUARD"),
    "beast_cub": (Kind.CREATURE, 1, 2, 2, 100, ""),
    "beast_runner": (Kind.CREATURE, 2, 3, 1, 200, "HASTE DASH(2)"),
    "beast_pack": (Kind.CREATURE, 2, 1, 1, 200, "SWARM(3)"),
    "beast_hawk": (Kind.CREATURE, 2, 2, 2, 200, "FLIGHT"),
    "beast_boar": (Kind.CREATURE, 3, 2, 5, 300, "RAGE(1)"),
    "beast_shellback": (Kind.CREATURE, 3, 3, 4, 300, "RESISTANCE"),
    "beast_shifter": (Kind.CREATURE, 3, 2, 4, 300, "TRANSFORM"),
    "beast_clawcat": (Kind.CREATURE, 4, 3, 6, 400, "DOUBLE_ATTACK"),
    "beast_troll": (Kind.CREATURE, 4, 4, 7, 400, "REGEN(2)"),
    "beast_charger": (Kind.CREATURE, 5, 6, 6, 500, "RELENTLESS"),
    "beast_alpha": (Kind.CREATURE, 6, 6, 8, 800, "HERO RAGE(1) AURA(1)"),
    "beast_hydra": (Kind.CREATURE, 7, 4, 12, 700, "DOUBLE_ATTACK REGEN(3)"),
    "undead_skeleton": (Kind.CREATURE, 1, 2, 1, 100, "UNDEATH"),
    "undead_leech": (Kind.CREATURE, 2, 3, 3, 200, "SIPHON"),
    "undead_sleeper": (Kind.CREATURE, 2, 6, 7, 200, "DORMANT"),
    "undead_plaguebearer": (Kind.CREATURE, 3, 3, 4, 300, "SPELL"),
    "undead_wight": (Kind.CREATURE, 3, 3, 4, 300, "UNDEATH"),
    "undead_banshee": (Kind.CREATURE, 4, 3, 5, 400, "AURA(2)"),
    "undead_gravecaller": (Kind.CREATURE, 4, 2, 6, 400, "SUMMON(1)"),
    "undead_vampire": (Kind.CREATURE, 5, 5, 6, 500, "FLIGHT SIPHON"),
    "undead_lich": (Kind.CREATURE, 7, 6, 8, 900, "HERO MAGIC RANGE(2) UNDEATH UNDEATH"),
    "undead_giant": (Kind.CREATURE, 8, 8, 10, 800, "RELENTLESS UNDEATH"),
    "fae_sprite": (Kind.CREATURE, 1, 1, 2, 100, "FLIGHT"),
    "fae_seer": (Kind.CREATURE, 2, 1, 3, 200, "DRAW(1) SCRY(2)"),
    "fae_trickster": (Kind.CREATURE, 2, 2, 2, 200, "TRICK"),
    "fae_stalker": (Kind.CREATURE, 3, 4, 4, 300, "STEALTH"),
    "fae_charmer": (Kind.CREATURE, 3, 3, 4, 300, "CHARM"),
    "fae_mage": (Kind.CREATURE, 4, 4, 3, 400, "MAGIC RANGE(2)"),
    "fae_illusionist": (Kind.CREATURE, 4, 3, 5, 400, "STEALTH TRICK"),
    "fae_peacekeeper": (Kind.CREATURE, 4, 2, 7, 400, "PACIFY PACIFIST"),
    "fae_treant": (Kind.CREATURE, 5, 3, 9, 500, "ROOTED AURA(1)"),
    "fae_queen": (Kind.CREATURE, 6, 4, 8, 800, "HERO TRICK TRICK SPELL"),
    "fae_drake": (Kind.CREATURE, 6, 5, 7, 600, "FLIGHT MAGIC"),
    "tok_bones": (Kind.TOKEN, 0, 2, 1, 50, ""),
    "tok_dire_beast": (Kind.TOKEN, 0, 5, 6, 300, ""),
    "short_sword": (Kind.WEAPON, 1, 2, 3, 50, ""),
    "longbow": (Kind.WEAPON, 3, 3, 3, 150, "RANGE(3)"),
    "rune_staff": (Kind.WEAPON, 4, 4, 3, 200, "MAGIC RANGE(4)"),
    "leather_armour": (Kind.ARMOUR, 1, 0, 4, 50, ""),
    "chain_armour": (Kind.ARMOUR, 3, 0, 9, 150, ""),
    "plate_armour": (Kind.ARMOUR, 5, 0, 15, 250, ""),
    "spark": (Kind.SPELL, 1, 0, 0, 50, ""),
    "mending": (Kind.SPELL, 1, 0, 0, 50, ""),
    "awaken": (Kind.SPELL, 1, 0, 0, 50, "DEPLETED"),
    "recall": (Kind.SPELL, 1, 0, 0, 50, ""),
    "war_cry": (Kind.SPELL, 2, 0, 0, 100, ""),
    "insight": (Kind.SPELL, 2, 0, 0, 100, "DRAW(2) SCRY(2)"),
    "curse_row": (Kind.SPELL, 2, 0, 0, 100, ""),
    "wither": (Kind.SPELL, 3, 0, 0, 150, ""),
    "rift_gate": (Kind.SPELL, 3, 0, 0, 150, ""),
    "chain_burst": (Kind.SPELL, 4, 0, 0, 200, ""),
    "multiply": (Kind.SPELL, 4, 0, 0, 200, ""),
    "rift_storm": (Kind.SPELL, 6, 0, 0, 300, "DEPLETED"),
}
DECKS = {
    "soldier_line": (
        "4 soldier_recruit, 2 soldier_scout, 4 soldier_shieldbearer, 4 soldier_guard, 4 soldier_archer, "
        "2 soldier_medic, 4 soldier_pikeman, 2 soldier_drummer, 3 soldier_crossbow, 3 soldier_knight, "
        "1 soldier_marshal, 1 short_sword, 1 longbow, 1 chain_armour, 1 leather_armour, 1 war_cry, "
        "1 mending, 1 insight"
    ),
    "beast_rush": (
        "4 beast_cub, 4 beast_runner, 3 beast_pack, 3 beast_hawk, 4 beast_boar, 3 beast_shellback, "
        "3 beast_shifter, 3 beast_clawcat, 3 beast_troll, 3 beast_charger, 1 beast_alpha, 1 beast_hydra, "
        "2 war_cry, 2 spark, 1 multiply"
    ),
    "undead_attrition": (
        "6 undead_skeleton, 5 undead_leech, 2 undead_sleeper, 3 undead_plaguebearer, 5 undead_wight, "
        "3 undead_banshee, 3 undead_gravecaller, 4 undead_vampire, 1 undead_lich, 2 undead_giant, 2 awaken, "
        "2 wither, 1 curse_row, 1 recall, 1 plate_armour, 2 leather_armour, 1 chain_burst"
    ),
    "fae_tricks": (
        "4 fae_sprite, 4 fae_seer, 4 fae_trickster, 4 fae_stalker, 3 fae_charmer, 4 fae_mage, "
        "3 fae_illusionist, 2 fae_peacekeeper, 2 fae_treant, 1 fae_queen, 2 fae_drake, 2 rift_gate, "
        "1 insight, 1 rune_staff, 1 spark, 1 rift_storm, 1 chain_armour"
    ),
}
