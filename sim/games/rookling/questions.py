"""Measures of Rookling Heroes (labels and units of the OUTCOME fields) and the questions of its report."""

from sim.engine.cards import CardSet
from sim.engine.measures import Kind, Measure, Question
from sim.games.rookling.record import LINES, SQUAD, TOKENS
from sim.games.rookling.state import CURVE, PERIOD, PERIODS, SIEGES

_CAUSES = ("none", "attack", "spill", "poison")
_MEMBERS = ("first member", "second member", "third member")
_BY_LINE = tuple(f"{member}, line {line + 1}" for member in _MEMBERS for line in range(LINES))
_SPANS = tuple(f"{PERIOD * at + 1} to {PERIOD * (at + 1)}" for at in range(PERIODS - 1))
_PERIODS = (*_SPANS, f"{PERIOD * (PERIODS - 1) + 1} and later")
_STATES = tuple(f"{own} own, {other} opposing" for own in range(SIEGES) for other in range(SIEGES))
_FLIPS = ("no flip", "one flip", "two flips", "three flips")


def _of_member(field: str, label: str, unit: str, kind: Kind = "count") -> Measure:
    """A measure with one number per Rookling of the squad."""
    return Measure(field, label, unit, "seat", kind, parts=_MEMBERS)


MEASURES = (
    # of the game
    Measure("exchanges", "Exchanges", "exchanges", "game", "count"),
    Measure("last_blow", "What flipped the last Rookling", "", "game", "category", _CAUSES),
    Measure("damage_in", "Damage taken by attacks, spills included", "points", "game", "count", parts=_PERIODS),
    Measure("spill_in", "Damage taken by spills", "points", "game", "count", parts=_PERIODS),
    Measure("exchanges_with", "Exchanges by flips", "exchanges", "game", "count", parts=_FLIPS[: SQUAD + 1]),
    # of a seat
    Measure("attacked_first", "Attacked first", "", "seat", "flag"),
    Measure("drafted_first", "Picked first", "", "seat", "flag"),
    Measure("two_down", "Exchange in which two Rooklings stood in siege-state first", "exchanges", "seat", "turn"),
    Measure("visited", "Began an exchange with so many in siege-state", "", "seat", "count", parts=_STATES),
    Measure(
        "life_after",
        "Life left in the squad",
        "points",
        "seat",
        "number",
        parts=tuple(str(at + 1) for at in range(CURVE)),
    ),
    Measure(
        "landed",
        "Damage taken by attacks, by how it came",
        "points",
        "seat",
        "count",
        parts=("taken by the one it faced", "spilled once", "spilled twice"),
    ),
    Measure("cards_drawn", "Cards drawn", "cards", "seat", "count"),
    Measure("draws_skipped", "Draws skipped to clear poison", "draws", "seat", "count"),
    Measure("hand_at_attack", "Cards in hand at the start of an attack", "cards", "seat", "number"),
    # of a Rookling
    _of_member("start_at", "Position in the first row", "position", "number"),
    _of_member("picked", "Number of the pick in the draft", "picks", "turn"),
    _of_member("first_flip", "Exchange of the first flip", "exchanges", "turn"),
    Measure("flip_cause", "Cause of the first flip", "", "seat", "category", _CAUSES, parts=_MEMBERS),
    _of_member("flips_by_attack", "Flips by attacks", "flips"),
    _of_member("flips_by_spill", "Flips by spills", "flips"),
    _of_member("flips_by_poison", "Flips by poison", "flips"),
    _of_member("healed_back", "Times healed out of siege-state", "times"),
    _of_member("siege_exchanges", "Exchanges in siege-state", "exchanges"),
    _of_member("end_life", "Life at the end", "points"),
    _of_member("turns_front", "Attacking turns on the front side", "turns"),
    _of_member("turns_siege", "Attacking turns in siege-state", "turns"),
    _of_member("declared_front", "Damage declared on the front side", "points"),
    _of_member("declared_siege", "Damage declared in siege-state", "points"),
    _of_member("dealt_front", "Damage dealt on the front side", "points"),
    _of_member("dealt_siege", "Damage dealt in siege-state", "points"),
    _of_member("lost_block", "Damage lost to blocks", "points"),
    _of_member("lost_excess", "Damage lost as excess", "points"),
    _of_member("lost_hidden", "Damage cancelled", "points"),
    _of_member("taken_attack", "Damage taken by the attack it faced", "points"),
    _of_member("taken_spill", "Damage taken by spills", "points"),
    _of_member("taken_poison", "Damage taken by poison", "points"),
    _of_member("blocks_own", "Blocks used on the attack it faced", "blocks"),
    _of_member("blocks_spill", "Blocks used on a spill", "blocks"),
    _of_member("blocked", "Damage prevented by blocks", "points"),
    _of_member("energy_used", "Cards that powered a line", "cards"),
    _of_member("energy_vain", "Cards placed in vain", "cards"),
    _of_member("given", "Tokens put on opponents", "tokens"),
    _of_member("received", "Harmful tokens received", "tokens"),
    Measure("line_met", "Exchanges in which the line was met", "exchanges", "seat", "count", parts=_BY_LINE),
    Measure("line_used", "Times the line was used", "uses", "seat", "count", parts=_BY_LINE),
    # of a field effect, by the Rookling it belongs to
    _of_member("shuffled", "Copies shuffled in", "copies"),
    _of_member("drawn_by_owner", "Copies drawn by the owner", "copies"),
    _of_member("drawn_by_other", "Copies drawn by the opponent", "copies"),
    _of_member("used_by_owner", "Copies used by the owner", "copies"),
    _of_member("used_by_other", "Copies used by the opponent", "copies"),
    _of_member("thrown", "Copies thrown away", "copies"),
    _of_member("triggered", "Tokens spent", "tokens"),
)


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Return the measures whose parts are the tokens of a card set."""
    names = tuple(str(token["name"]) for token in cards.document.get("token", ()))
    kinds = names + ("",) * (TOKENS - len(names))
    return (
        Measure("given_kind", "Token cards put on opponents", "tokens", "seat", "count", parts=kinds),
        Measure("received_kind", "Tokens received", "tokens", "seat", "count", parts=kinds),
    )


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
    Question(
        "length",
        "How long are games, do they stall?",
        "policy_lengths",
        {"length": "exchanges"},
        {"games": ("0.5",)},
    ),
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
    Question("levers", "Which number should change?", "part_levers"),
    Question(
        "shared-levers",
        "Which number that belongs to no Rookling moves balance and length?",
        "shared_tornado",
        settings={
            "fields": ("rules.", "token.", "field_effect."),
            "leaves": ("start_life", "heal_cap", "hand", "n", "number"),
            "games": ("0.25",),
        },
    ),
    Question(
        "readings",
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
