"""The questions that the report of Rookling Heroes answers."""

from sim.engine.questions import Ask, Cards, FirstPlayer

QUESTIONS = (
    Ask("contributions", "Which Rookling wins too often, and how sure are we?", "unfair", "teams"),
    Ask("synergy", "Which pairs work together, who counters whom?", "unfair", "teams", {"by": "pair"}),
    Ask("league", "Which trios are best and worst?", "unfair", "teams", {"by": "team"}),
    FirstPlayer(
        "first-attacker",
        "Is attacking first an edge?",
        by="policy",
        rules={"rules.squad_mode": ("choose", "random", "draft")},
        rule="squad mode",
        games=0.5,
    ),
    Ask("length", "How long are games, do they stall?", "run", "times", {"facts": ["exchanges"]}),
    Ask(
        "decides", "What flips the last Rookling?", "why", "categories", {"fact": "last_blow", "by": "all", "leave_out": ["none"]}
    ),
    Ask(
        "flips",
        "What flips each Rookling?",
        "why",
        "amounts",
        {"facts": ["flips_by_attack", "flips_by_spill", "flips_by_poison"]},
    ),
    Ask("spills", "How much of the damage spills?", "why", "amounts", {"facts": ["spill_in"], "per": "damage_in", "by": "all"}),
    Ask("damage", "Where does damage land?", "why", "amounts", {"facts": ["landed"], "by": "all"}),
    Ask("flips-at-once", "How many Rooklings flip in an exchange?", "why", "amounts", {"facts": ["exchanges_with"], "by": "all"}),
    Ask(
        "siege",
        "How much damage do Rooklings deal in siege-state?",
        "why",
        "amounts",
        {"facts": ["dealt_siege"], "per": "turns_siege"},
    ),
    Ask(
        "comebacks",
        "How often does a side come back from two in siege-state?",
        "run",
        "times",
        {"facts": ["two_down"], "by": "side"},
    ),
    Ask("life", "How does life run over a game?", "run", "times", {"facts": ["life_after"]}),
    Ask(
        "energy",
        "How often is each line used if its threshold is met?",
        "details",
        "amounts",
        {"facts": ["line_used"], "per": "line_met"},
    ),
    Ask(
        "field-effects",
        "Who uses the field effects that are shuffled in?",
        "why",
        "amounts",
        {"facts": ["used_by_owner", "used_by_other", "thrown"], "per": "shuffled"},
    ),
    Cards(
        "field-effects-drawn",
        "Does it help to draw and to use one's own field effects?",
        continues="field-effects",
        drawn_turn="",  # not counted
        played_turn="",
        drawn="drawn_by_owner",
        plays="used_by_owner",
    ),
    Ask(
        "draft",
        "Does the first drafter win more often, and who is picked early?",
        "unfair",
        "draft",
        {"rule": "rules.squad_mode=draft", "picked": "picked"},
    ),
    Ask("parameters", "Which number should change?", "change", "parameters"),
    Ask(
        "shared-parameters",
        "Which number that belongs to no Rookling moves balance and length?",
        "change",
        "shared_parameters",
        {
            "fields": ["rules.", "token.", "field_effect."],
            "leaves": ["start_life", "heal_cap", "hand", "n", "number"],
            "scale": 0.25,
        },
    ),
    Ask(
        "rule-variants",
        "How do the assumptions matter?",
        games=0.75,
        chapter="change",
        question="variants",
        arguments={
            "values": {
                "rules.one_line_per_rookling": ("true",),
                "rules.dump": ("false",),
                "rules.charge_colour": ("any_match",),
                "rules.opening_row": ("random",),
                "rules.draw_mode": ("new_hand",),
                "rules.siege_chain_blocks": ("true",),
                "rules.hold_block": ("free",),
                "rules.hit_on_landing": ("true",),
                "rules.poison_clear_draw": ("lenient",),
                "rules.e1_order": ("damage_first",),
                "rules.heal_cap": ("9",),
                "rules.hand_max": ("4",),
                "rules.turn_cap": ("100",),
            }
        },
    ),
)
