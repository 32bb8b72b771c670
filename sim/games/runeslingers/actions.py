"""What a player does in the Play Phase besides playing cards (RUNE-39 to 45), and taking back (RUNE-37)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.leaving import lay_concentration, lift_concentration
from sim.games.runeslingers.light import make_first_light, pay_light
from sim.games.runeslingers.options import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, SET, TAKE_BACK
from sim.games.runeslingers.piles import leave_hand, to_hand
from sim.games.runeslingers.playing import begin_card
from sim.games.runeslingers.record import ACTIVATED
from sim.games.runeslingers.state import NOBODY, TOKENS_MAX
from sim.games.runeslingers.triggers import begin_act, name_source


@kernel
def act_in_main(state: Record, cards: Record, seat: int, code: int) -> None:
    """RUNE-38. Carry a MAIN decision other than the end out."""
    if code < SET:
        begin_card(state, seat, code - 1)
    elif code < INHERENT:
        state["sets_left"][seat] -= 1
        lay_concentration(state, seat, leave_hand(state, seat, code - SET))
    elif code == INHERENT:
        use_inherent(state, cards, seat)
    elif code == ABILITY:
        use_ability(state, cards, seat)
    elif code < CHARGE:
        activate(state, cards, seat, (code - ACTIVATE) // ACTIVATED, (code - ACTIVATE) % ACTIVATED)
    elif code < MAKE_LIGHT:
        charge(state, seat, code - CHARGE)
    else:
        make_first_light(state, seat)


@kernel
def use_inherent(state: Record, cards: Record, seat: int) -> None:
    """RUNE-41. Pay the light of the inherent ability; its effects follow."""
    hero = cards["hero"][state["deck_of"][seat]]
    pay_light(state, seat, np.int64(cards["inherent_light"][hero]), np.int64(NOBODY))
    state["inherent_uses"][seat] += 1
    state["inherent_times"][seat] += 1
    begin_act(state, seat, np.int64(cards["inherent"][hero]))


@kernel
def use_ability(state: Record, cards: Record, seat: int) -> None:
    """RUNE-28, 42. Pay the determination of the equipped ability; its effects follow."""
    ability = cards["ability"][state["deck_of"][seat]]
    cost = cards["ability_cost"][ability]
    state["determination"][seat] -= cost
    state["spent"][seat] += cost
    state["ability_times"][seat] += 1
    begin_act(state, seat, np.int64(cards["ability_effects"][ability]))


@kernel
def activate(state: Record, cards: Record, seat: int, place: int, k: int) -> None:
    """RUNE-43, 45. Turn the card if it is a use, pay light and tokens; the effects follow."""
    card = state["card_of"][state["thing"][seat, place]]
    if cards["act_use"][card, k]:
        state["used"][seat, place] = 1
    pay_light(state, seat, np.int64(cards["act_light"][card, k]), np.int64(NOBODY))
    state["tokens"][seat, place] -= cards["act_tokens"][card, k]
    state["uses"][seat, place, k] = min(np.int64(state["uses"][seat, place, k]) + 1, TOKENS_MAX)
    at = begin_act(state, seat, np.int64(cards["act_effects"][card, k]))
    name_source(state, at, seat, place)


@kernel
def charge(state: Record, seat: int, place: int) -> None:
    """RUNE-44. One more token on a card."""
    state["charged"][seat, place] = 1
    state["tokens"][seat, place] = min(np.int64(state["tokens"][seat, place]) + 1, TOKENS_MAX)


@kernel
def take_back(state: Record, cards: Record, seat: int, code: int) -> None:
    """RUNE-37. An exposed concentration goes back to the hand."""
    to_hand(state, cards, lift_concentration(state, seat, code - TAKE_BACK), False)
