"""The course of a game: set-up, who goes first, begin and end of turns (RUNE-14 to 17, 31, 32, 46)."""

import numpy as np

from sim.engine.dice import FACES, roll
from sim.engine.jit import Record, kernel
from sim.games.runeslingers.leaving import lay_concentration
from sim.games.runeslingers.piles import leave_hand
from sim.games.runeslingers.record import BOOSTS, Stat
from sim.games.runeslingers.stack import ask
from sim.games.runeslingers.state import CURVE, NOBODY, PLACES, SEATS, SLOTS
from sim.games.runeslingers.stats import derive, exposed_total
from sim.games.runeslingers.switches import First
from sim.games.runeslingers.terms import Phase, Roll, Stage

ROLLS_MAX = 64  # rolls for the first turn; then seat 0 wins, which chance never lets happen (1 in 6 to the 64th)
CONCS_TURN = 5  # own turn at the end of which concentrations are counted


@kernel
def place_setup(state: Record, cards: Record, rng: Record, at: int) -> None:
    """RUNE-16. A card becomes the first concentration; then the other player's, then the roll."""
    seat = np.int64(state["seat"])
    lay_concentration(state, seat, leave_hand(state, seat, at))
    begin_setup(state, cards, rng, seat + 1)


@kernel
def begin_setup(state: Record, cards: Record, rng: Record, first: int) -> None:
    """RUNE-16. Ask the seats from `first` on for a concentration, as far as they hold cards; then comes the roll."""
    seat = np.int64(first)
    while seat < SEATS and state["hand_n"][seat] == 0:
        seat += 1
    if seat < SEATS:
        ask(state, Phase.SETUP, seat)
    else:
        decide_first(state, cards, rng)


@kernel
def decide_first(state: Record, cards: Record, rng: Record) -> None:
    """RUNE-17, A29. Each player rolls a die, ties again; the winner chooses."""
    if cards["first"] == First.SEAT0:
        set_first(state, 0)
        return
    state["chooser"] = winner_of_roll(rng)
    if cards["first"] == First.RANDOM:
        set_first(state, np.int64(state["chooser"]))
    else:
        ask(state, Phase.FIRST, np.int64(state["chooser"]))


@kernel
def winner_of_roll(rng: Record) -> np.int64:
    """RUNE-17. Seat that rolls higher."""
    for _ in range(ROLLS_MAX):
        face_0, face_1 = roll(rng, 0, Roll.FIRST, FACES), roll(rng, 1, Roll.FIRST, FACES)
        if face_0 != face_1:
            return np.int64(face_1 > face_0)
    return np.int64(0)


@kernel
def set_first(state: Record, seat: int) -> None:
    """RUNE-17. The encounter begins with this player's turn."""
    state["first"] = seat
    state["active"] = seat
    state["stage"] = Stage.BEGIN


@kernel
def begin_turn(state: Record, cards: Record) -> None:
    """RUNE-31. Counts per turn of both players begin anew."""
    state["own_turns"][state["active"]] += 1
    for seat in range(SEATS):
        state["blocked"][seat] = 0
        state["sets_left"][seat] = cards["sets_per_turn"]
        state["inherent_uses"][seat] = 0
        for place in range(PLACES):
            state["charged"][seat, place] = 0
            state["uses"][seat, place, 0] = 0
            state["uses"][seat, place, 1] = 0
    derive(state, cards)  # whose turn it is decides between effects that contradict each other


@kernel
def ready_all(state: Record, seat: int) -> None:
    """RUNE-32. All exposed used cards that a player controls become ready."""
    for place in range(PLACES):
        if state["thing"][seat, place] != NOBODY:
            state["used"][seat, place] = 0
        elif place < SLOTS:
            state["conc_used"][seat, place] = 0


@kernel
def end_turn(state: Record, cards: Record) -> None:
    """RUNE-46, 145. Boosts, light, damage and barriers are gone; the enemy's turn begins, unless the game is stopped here."""
    for seat in range(SEATS):
        for boost in range(BOOSTS):
            state["boosts"][seat, boost] = 0
        state["light_wasted"][seat] += state["light"][seat]
        state["light"][seat] = 0
        state["barrier"][seat] = 0
        for place in range(PLACES):
            state["damage"][seat, place] = 0
            state["guard"][seat, place] = 0
    note_turn(state, np.int64(state["active"]))
    state["turn"] += 1
    state["active"] = 1 - state["active"]
    state["stage"] = Stage.BEGIN if state["turn"] < cards["turn_cap"] else Stage.PLAY


@kernel
def note_turn(state: Record, seat: int) -> None:
    """Register section 11. How a player stands at the end of the own turn."""
    turn = np.int64(state["own_turns"][seat]) - 1
    if turn + 1 == CONCS_TURN:
        for slot in range(SLOTS):
            state["concs_at"][seat] += state["conc"][seat, slot] != NOBODY
    if turn < 0 or turn >= CURVE:
        return
    power = np.int64(state["power"][seat])
    state["power_after"][seat, turn] = power
    state["life_after"][seat, turn] = (power - 1) * np.int64(state["stat"][seat, Stat.MAX_HEALTH]) + state["health"][
        seat
    ]
    state["ailments_after"][seat, turn] = exposed_total(state, seat)
