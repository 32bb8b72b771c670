"""The questions that the report of Rookling Heroes answers."""

from sim.engine.measures import Question

_SQUAD_MODES = {"rules.squad_mode": ("choose", "random", "draft")}

QUESTIONS = (
    Question("contributions", "Which Rookling wins too often, and how sure are we?", "contributions"),
    Question("synergy", "Which pairs work together, who counters whom?", "synergy"),
    Question("league", "Which trios are best and worst?", "league"),
    Question(
        "first-attacker",
        "Is attacking first an edge?",
        "first_mover",
        settings={**_SQUAD_MODES, "rule": ("squad mode",), "games": ("0.5",)},
    ),
    Question("length", "How long are games, do they stall?", "policy_lengths", {"length": "exchanges"}, {"games": ("0.5",)}),
    Question(
        "decides",
        "What decides games?",
        "flips",
        {
            "by attack": "flips_by_attack",
            "by spill": "flips_by_spill",
            "by poison": "flips_by_poison",
            "last": "last_blow",
            "whole": "damage_in",
            "some": "spill_in",
        },
        {
            "event": ("flips",),
            "last": ("last blows",),
            "leave_out": ("none",),
            "some": ("share of the damage that spilled",),
            "spans": ("exchanges",),
        },
    ),
    Question(
        "damage",
        "Where does damage land?",
        "split",
        {"parts": "landed", "blocked": "lost_block", "lost as excess": "lost_excess", "cancelled": "lost_hidden"},
        {"whole": ("the damage declared",), "note": ("Poison is no part of it.",)},
    ),
    Question(
        "flips",
        "How many Rooklings flip in an exchange?",
        "split",
        {"parts": "exchanges_with"},
        {"whole": ("the exchanges",), "verb": ("see",)},
    ),
    Question(
        "siege",
        "Are siege sides too strong?",
        "standings",
        {
            "visited": "visited",
            "amount_first": "dealt_front",
            "turns_first": "turns_front",
            "amount_second": "dealt_siege",
            "turns_second": "turns_siege",
        },
        {
            "state": ("in siege-state",),
            "words": ("on the front side", "in siege-state"),
            "amount": ("damage dealt per attacking turn",),
        },
    ),
    Question(
        "comebacks",
        "How often does a side come back from two in siege-state?",
        "comebacks",
        {"turn": "two_down"},
        {"state": ("two Rooklings in siege-state",)},
    ),
    Question("life", "How does life run over a game?", "life_curves", {"curve": "life_after"}, {"turn": ("exchange",)}),
    Question(
        "energy",
        "How often is each threshold met?",
        "thresholds",
        {"met": "line_met", "used": "line_used", "turns": "exchanges"},
        {
            "turns": ("exchanges",),
            "shown": ("rookling", "line", "number", "thresholds"),
            "note": (
                "A Rookling attacks in one half of the exchanges and defends in the other, so that an attack or a defence "
                "line can be met in about half of them, a special line in all.",
            ),
        },
    ),
    Question(
        "field-effects",
        "Do field effects pay?",
        "shuffled",
        {
            "shuffled": "shuffled",
            "owner": "used_by_owner",
            "other": "used_by_other",
            "thrown": "thrown",
            "triggered": "triggered",
        },
        {"thing": ("field effects",), "named": ("rookling", "field_effect")},
    ),
    Question(
        "field-effects-drawn",
        "Does it help to draw and to use one's own field effects?",
        "cards",
        {"drawn": "drawn_by_owner", "plays": "used_by_owner"},
    ),
    Question("skill", "How strong is good play?", "skill", settings={"games": ("0.5",)}),
    Question(
        "draft",
        "What is the first pick worth, and who goes early?",
        "draft",
        {"picked": "picked"},
        {"rules.squad_mode": ("draft",)},
    ),
    Question("parameters", "Which number should change?", "part_parameters"),
    Question(
        "shared-parameters",
        "Which number that belongs to no Rookling moves balance and length?",
        "shared_tornado",
        settings={
            "fields": ("rules.", "token.", "field_effect."),
            "leaves": ("start_life", "heal_cap", "hand", "n", "number"),
            "games": ("0.25",),
        },
    ),
    Question(
        "rule-variants",
        "How do the assumptions matter?",
        "variants",
        settings={
            "games": ("0.75",),
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
        },
    ),
)
