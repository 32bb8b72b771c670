"""The facts of a finished game that STATE does not hold, its score, and the questions of the report."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.engine.questions import Ask, Cards, FirstPlayer, Matchups, WinRates
from sim.games.riftborn.cards.schema import Rules
from sim.games.riftborn.state import CURVE, DISTINCT, NOBODY, SEATS, Gain, Phase


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """RIFT-130, 131. Shares of the win: all to the winner, half each in a draw, 0 while undecided."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0
    elif state["phase"] == Phase.OVER:
        out[0], out[1] = 0.5, 0.5


@kernel
def first_of(state: Record, decided: int) -> int:
    """RIFT-08. Who had the first turn, not the first mulligan."""
    return state["first"] if state["first"] != NOBODY else decided


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the derived facts of a finished game."""
    over = state["phase"] == Phase.OVER
    outcome["player_turns"] = state["turn"] + over
    outcome["drawn_game"] = over and state["winner"] == NOBODY
    for seat in range(SEATS):
        total = state["xp"][seat]
        outcome["went_first"][seat] = state["first"] == seat
        outcome["end_life"][seat] = state["life"][seat]
        outcome["end_xp"][seat] = total
        outcome["end_level"][seat] = state["level"][seat]
        outcome["first_kill"][seat] = state["first_kill"] == seat
        outcome["kill_share"][seat] = state["gained"][seat, Gain.KILL] / total if total > 0 else np.nan
        for slot in range(DISTINCT):
            outcome["stayed"][seat, slot] = state["held"][seat, slot]
        write_curves(state, outcome, seat)


@kernel
def write_curves(state: Record, outcome: Record, seat: int) -> None:
    """Write a player's progress, own turn by own turn."""
    for turn in range(CURVE):
        here = state["xp_after"][seat, turn] >= 0
        outcome["xp_after"][seat, turn] = state["xp_after"][seat, turn] if here else np.nan
        outcome["played_after"][seat, turn] = state["played_after"][seat, turn] if here else np.nan
        outcome["killed_after"][seat, turn] = state["killed_after"][seat, turn] if here else np.nan
        outcome["level_after"][seat, turn] = state["level_after"][seat, turn] if here else np.nan
        outcome["unused_after"][seat, turn] = state["unused_after"][seat, turn] if here else np.nan


_RULE_VARIANTS = {**Rules.variants(), "turn_cap": ("200", "400")}

QUESTIONS = (
    WinRates("win-rates", "Which deck wins how often, and how sure is that?"),
    Matchups("matchups", "Which deck beats which, and how surely?"),
    FirstPlayer("going-first", "How much is going first worth?", by="pairing"),
    Ask("length", "How long is a game?", "run", "times", {"facts": ["player_turns"], "by": "entrant"}),
    Ask("endings", "How do games end, and are any stopped?", "run", "categories", {"fact": "ended_by"}),
    Ask("snowball", "Does experience snowball?", "why", "times", {"facts": ["xp_after"]}),
    Ask("first-kill", "What is the first kill worth?", "why", "categories", {"fact": "first_kill"}),
    Ask("growth", "How fast do players grow?", "run", "times", {"facts": ["level_after"], "by": "entrant"}),
    Ask("experience", "Where does experience come from?", "run", "amounts", {"facts": ["gained"]}),
    Cards("cards", "Which card carries or drags a deck?", by_turn=8, decks=2),
    Ask("abilities", "What is an ability worth to a deck?", "why", "keywords", {"leave_out": ["HERO"]}),
    Ask(
        "parameters",
        "Which number of which card should change?",
        "change",
        "card_parameters",
        {"leaves": ["attack", "health", "level", "xp"], "steps": {"xp": 100}, "decks": 4, "kept": 6, "scale": 0.5},
    ),
    Ask(
        "shared-parameters",
        "Which number that belongs to no card moves balance and length?",
        "change",
        "shared_parameters",
        {
            "fields": ["rules."],
            "leaves": [
                *("turn_xp", "start_life", "start_hand", "mulligans", "turn_draw", "first_player_first_draw"),
                *("retaliation_divisor", "flight_range", "max_rows", "max_per_row"),
            ],
            "steps": {"turn_xp": 100, "start_life": 10},
        },
    ),
    Ask("wounds", "What wounds players?", "why", "amounts", {"facts": ["wounds"]}),
    Ask("deaths", "What kills creatures?", "why", "amounts", {"facts": ["deaths"]}),
    Ask(
        "rule-variants",
        "Which doubtful rule matters?",
        chapter="change",
        question="variants",
        arguments={"values": {f"rules.{switch}": values for switch, values in _RULE_VARIANTS.items()}},
    ),
)
