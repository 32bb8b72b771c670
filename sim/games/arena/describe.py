"""How the Arena speaks (the protocol `Words` of the engine): decisions here, the rest in the modules named by it.

`story` tells what happened, `notation` reads and writes positions, `picture` draws them, `labels` names things.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.arena.labels import DIRECTIONS, ON, ability_names, hex_name, piece_name
from sim.games.arena.state import NO_TARGET, PASS, STOP_SUMMON, TARGET_CODES, Phase


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's hero."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
    match Phase(state["phase"]):
        case Phase.START:
            words = f"start {hex_name(cards, cards.record[0]['start_hex'][action])}"
        case Phase.ABILITY:
            words = _ability(state, cards, action)
        case Phase.RAGE:
            words = f"pay {action} rage"
        case Phase.SUMMON:
            words = "stop" if action == STOP_SUMMON else f"dragonling at {hex_name(cards, action)}"
        case Phase.STEP:
            words = f"{_pushing(state, cards)} {DIRECTIONS[action]}"
        case phase:
            verb = "step to" if phase == Phase.PRE_MOVE else "move to"
            stays = action == state["pos"][state["active"]]
            words = "stay" if stays else f"{verb} {hex_name(cards, action)}"
    return words


def _ability(state: np.void, cards: CardSet, action: int) -> str:
    if action == PASS:
        return "pass"
    ability, target = divmod(action - 1, TARGET_CODES)
    name = ability_names(cards, state["hero"][state["active"]])[ability]
    return name if target == NO_TARGET else f"{name}{ON}{piece_name(state, cards, target)}"


def _pushing(state: np.void, cards: CardSet) -> str:
    pulled = cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]
    return "pull" if pulled else "push"
