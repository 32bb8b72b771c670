"""The facts of a finished game that STATE does not hold, who has won, and the questions of the report."""

import numpy as np

from sim.engine.facts import measures_of, outcome_of
from sim.engine.jit import Record, kernel
from sim.engine.questions import Ask, Cards, FirstPlayer, Loadouts, Matchups, WinRates
from sim.games.runeslingers.cards.schema import Rules
from sim.games.runeslingers.state import CURVE, FACTS, NOBODY, SEATS, Cause, Phase

OUTCOME, MEASURES = outcome_of(FACTS), measures_of(FACTS)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """RUNE-20, 27. The winner gets 1; both get one half in a draw; no player gets anything before the end."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0
    elif state["phase"] == Phase.OVER:
        out[0], out[1] = 0.5, 0.5


@kernel
def first_of(state: Record, decided: int) -> int:
    """RUNE-17. Seat of the first turn, which is not the seat of the first decision in set-up."""
    return state["first"] if state["first"] != NOBODY else decided


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the derived facts."""
    over = state["phase"] == Phase.OVER
    outcome["turns"] = state["turn"] + 1 if over else state["turn"]
    outcome["cause"] = state["cause"] if over else np.int8(Cause.NOT_DECIDED)
    outcome["drawn_game"] = over and state["winner"] == NOBODY
    outcome["chooser_won"] = state["chooser"] != NOBODY and state["chooser"] == state["winner"]
    for seat in range(SEATS):
        outcome["went_first"][seat] = state["first"] == seat
        outcome["chose"][seat] = state["chooser"] == seat
        outcome["end_power"][seat] = state["power"][seat]
        blocks = state["blocks"][seat]
        outcome["prevented_a_block"][seat] = state["prevented"][seat] / blocks if blocks > 0 else np.nan
        for turn in range(CURVE):
            here = state["power_after"][seat, turn] >= 0
            outcome["power_after"][seat, turn] = state["power_after"][seat, turn] if here else np.nan
            outcome["life_after"][seat, turn] = state["life_after"][seat, turn] if here else np.nan
            outcome["ailments_after"][seat, turn] = state["ailments_after"][seat, turn] if here else np.nan
        for at in range(state["hand_n"][seat]):
            outcome["stayed"][seat, state["slot_of"][state["hand"][seat, at]]] += 1


# `nothing` can be answered in the question `ladder`; `draft_copies` has no part in the games of a report
_RULE_VARIANTS = {**Rules.variants(), "answer_on": ("runespell", "any_card")}

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often, and how sure is that?"),
    Matchups("matchups", "Which deck beats which, and how surely?"),
    FirstPlayer("going-first", "How much is going first worth?", by="pairing"),
    Ask("choosing", "What is winning the roll worth?", "why", "categories", {"fact": "chose"}),
    Ask("length", "How long is a game?", "run", "times", {"facts": ["turns"], "by": "entrant"}),
    Ask("endings", "What ends games: health, the deck or ailments?", "run", "categories", {"fact": "cause"}),
    Ask("powers", "What costs powers?", "why", "amounts", {"facts": ["powers_lost"]}),
    Ask("health", "What costs health?", "why", "amounts", {"facts": ["drained"]}),
    Ask("comeback", "Does determination bring back whoever is behind?", "why", "times", {"facts": ["power_after"]}),
    Ask("life", "How does the health of winners and losers run down?", "run", "times", {"facts": ["life_after"]}),
    Ask(
        "determination",
        "How often are abilities used, and what do they cost?",
        "why",
        "amounts",
        {"facts": ["spent", "ability_times", "inherent_times"]},
    ),
    Ask(
        "guard",
        "What do blocks and barriers prevent?",
        "why",
        "amounts",
        {"facts": ["prevented", "blocks", "hits", "hits_stopped"]},
    ),
    Ask(
        "light",
        "Where do light, cards and turns go?",
        "why",
        "amounts",
        {
            "facts": [
                "light_made",
                "light_wasted",
                "concs_at",
                "slung",
                "drawn_cards",
                "to_limit",
                "passes",
                "boons_on_enemy",
                "foiled",
            ]
        },
    ),
    Ask(
        "ladder",
        "How much does the ladder of answers change?",
        chapter="change",
        question="variants",
        arguments={"values": {"rules.answer_on": ("nothing",)}},
    ),
    Ask("answers", "How often are cards answered?", "why", "amounts", {"facts": ["answers", "answered_cards", "foiled"]}),
    Ask("ailments", "How do ailments build up?", "run", "times", {"facts": ["ailments_after"], "by": "entrant"}),
    Ask("ailments-worth", "Which ailments do losers suffer?", "why", "amounts", {"facts": ["applied"]}),
    Cards("cards", "Which single card moves the win rate of its deck?", by_turn=8, decks=2),
    Loadouts("loadouts", "Which Runeslinger, stance and ability for which deck, and what is determination worth?", games=0.75),
    Ask(
        "parameters",
        "Which number of which card should change?",
        "change",
        "card_parameters",
        {"decks": 2, "kept": 4, "scale": 0.5},
    ),
    Ask(
        "sweep",
        "How does a number bend the result?",
        games=0.5,
        chapter="change",
        question="variants",
        arguments={
            "values": {
                "card.fireball.effects[0].n": ("7", "8", "9", "10"),
                "rules.ailment_limit": ("6", "7", "8", "9", "10"),
                "runeslinger.eva.block": ("3", "4", "5"),
                "rules.start_power": ("3", "4", "5", "6"),
            }
        },
    ),
    Ask(
        "shared-parameters",
        "Which number that belongs to no deck moves balance and length?",
        "change",
        "shared_parameters",
        {
            "fields": ["rules."],
            "leaves": [
                *("start_power", "start_hand", "max_hand", "ailment_limit", "draw", "first_draw"),
                *("sets_per_turn", "blocks_per_turn"),
            ],
            "scale": 0.75,
        },
    ),
    Ask(
        "rule-variants",
        "Do the rankings survive other rule variants?",
        games=0.5,
        chapter="change",
        question="variants",
        arguments={
            "values": {f"rules.{switch}": values for switch, values in _RULE_VARIANTS.items() if switch != "draft_copies"}
        },
    ),
)
