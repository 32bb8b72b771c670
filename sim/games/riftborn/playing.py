"""Cards are played: budget, experience, when-played abilities, Spells, TRICK cards laid (RIFT-20 to 29, 115, 123)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.deaths import await_tricks, spring_on
from sim.games.riftborn.lists import begin_list, begin_scry
from sim.games.riftborn.piles import discard, draw_cards, is_depleted, leave_hand, note_play, spy
from sim.games.riftborn.players import gain_xp
from sim.games.riftborn.record import NONE, PLAYED_MAX, TRICKS, Ability, Kind, List, Trick
from sim.games.riftborn.state import ARMOURS, NOBODY, WEAPONS
from sim.games.riftborn.terms import Gain, Phase, Step


@kernel
def is_playable(cards: Record, card: int, budget: int, room: bool) -> bool:
    """RIFT-22, 28. Whether a card may be played. room: whether a creature finds a place."""
    return cards["level"][card] <= budget and (room or cards["kind"][card] != Kind.CREATURE)


@kernel
def is_first_copy(state: Record, seat: int, at: int) -> bool:
    """Register section 5. Whether no card before it in the hand is the same."""
    for other in range(at):
        if state["hand"][seat, other] == state["hand"][seat, at]:
            return False
    return True


@kernel
def play(state: Record, cards: Record, at: int) -> None:
    """RIFT-22. The active player plays the card at this place of the hand from the level budget."""
    seat = np.int64(state["active"])
    state["used_levels"][seat] += cards["level"][state["hand"][seat, at]]
    state["free"] = 0
    bring_in(state, cards, at)


@kernel
def play_free(state: Record, cards: Record, at: int) -> None:
    """RIFT-27. An effect plays a creature card from hand, without budget."""
    state["free"] = 1
    bring_in(state, cards, at)


@kernel
def bring_in(state: Record, cards: Record, at: int) -> None:
    """RIFT-24, 28 (1) to (3). The card leaves the hand, brings its experience, and is placed, attached or waits."""
    seat = np.int64(state["active"])
    card = leave_hand(state, cards, seat, at)
    note_play(state, cards, seat, card)
    gain_xp(state, cards, seat, np.int64(cards["xp"][card]), Gain.PLAY)
    state["playing"] = card
    state["play_at"] = 0
    state["phase"] = Phase.GOING
    state["step"] = Step.PLAYED
    kind = cards["kind"][card]
    if kind == Kind.CREATURE:
        state["entrant"] = card
        state["phase"] = Phase.PLACE
        state["seat"] = seat
    elif kind == Kind.WEAPON:
        attach_weapon(state, cards, seat, card)
    elif kind == Kind.ARMOUR:
        attach_armour(state, cards, seat, card)
    else:
        state["spell"] = card


@kernel
def attach_weapon(state: Record, cards: Record, seat: int, card: int) -> None:
    """RIFT-52, 53. A Weapon, with all its uses."""
    at = 0
    while at < WEAPONS - 1 and state["weapon"][seat, at] != NOBODY:
        at += 1
    state["weapon"][seat, at] = card
    state["uses"][seat, at] = cards["health"][card]
    state["weapon_used"][seat, at] = 0


@kernel
def attach_armour(state: Record, cards: Record, seat: int, card: int) -> None:
    """RIFT-51, 53. An Armour, with all its points, behind those attached before."""
    at = 0
    while at < ARMOURS - 1 and state["armour"][seat, at] != NOBODY:
        at += 1
    state["armour"][seat, at] = card
    state["points"][seat, at] = cards["health"][card]


@kernel
def next_played(state: Record, cards: Record, rng: Record) -> None:
    """RIFT-29. The next when-played ability in printed order; then a Spell's effects, or the end of the card."""
    card, at, seat = np.int64(state["playing"]), np.int64(state["play_at"]), np.int64(state["active"])
    ability = np.int64(cards["played"][card, at]) if at < PLAYED_MAX else np.int64(NONE)
    state["play_at"] += 1
    if ability == NONE:
        finish_played(state, cards, card)
        return
    x = np.int64(cards["ability"][card, ability])
    if ability == Ability.DRAW:
        state["times"][seat, Ability.DRAW] += 1
        draw_cards(state, cards, rng, seat, x)
    elif ability == Ability.SPY:
        spy(state, seat, x)
    elif ability == Ability.SCRY:
        begin_scry(state, seat, x, np.int64(Step.PLAYED))
    else:
        state["phase"] = Phase.TRICK_SET
        state["seat"] = seat


@kernel
def finish_played(state: Record, cards: Record, card: int) -> None:
    """RIFT-28 (5). What follows the when-played abilities of a card."""
    if cards["kind"][card] == Kind.SPELL:
        state["list_owner"] = state["active"]
        begin_list(state, card, np.int64(List.MAIN), np.int64(NOBODY), np.int64(Step.CARD_DONE))
    else:
        state["step"] = Step.FREE_DONE if state["free"] else Step.CARD_DONE


@kernel
def lay_trick(state: Record, code: int) -> None:
    """RIFT-115. Lay a TRICK card face down, or none. code: Trick, 0 none."""
    state["phase"] = Phase.GOING
    if code > 0:
        state["tricks"][state["active"]] |= np.uint8(1 << code)
        state["laid"][state["active"]] += 1


@kernel
def list_tricks(state: Record, out: np.ndarray) -> int:
    """RIFT-115. Options of TRICK_SET: none, or one not in the own play area."""
    out[0] = 0
    count = 1
    for trick in range(1, TRICKS + 1):
        if not (state["tricks"][state["active"]] >> np.uint8(trick)) & np.uint8(1):
            out[count] = trick
            count += 1
    return count


@kernel
def finish_free(state: Record) -> None:
    """RIFT-27. A creature played by an effect is complete; the opponent's `snare` waits until the Spell is."""
    spring_snare(state)
    state["free"] = 0
    state["list_card"] = NOBODY  # the effect was the last of its list
    state["playing"] = state["spell"]
    state["step"] = Step.CARD_DONE


@kernel
def spring_snare(state: Record) -> None:
    """RIFT-116. The opponent has played a creature card."""
    placed = np.int64(state["placed"])
    here = state["card"][placed] != NOBODY
    spring_on(state, np.int64(1 - state["active"]), Trick.SNARE, placed if here else np.int64(NOBODY), np.int64(NOBODY))


@kernel
def finish_card(state: Record, cards: Record) -> None:
    """RIFT-28 (6), (8). A Spell leaves; `echo` or `snare`; waiting tricks.

    The death check of (7) could find nobody: every placement and every entry of a list was followed by one.
    """
    seat, card = np.int64(state["active"]), np.int64(state["playing"])
    spell = state["spell"] != NOBODY
    if spell:
        state["spell"] = NOBODY
        discard(state, seat, card, is_depleted(cards, card))
    if spell:
        spring_on(state, 1 - seat, Trick.ECHO, np.int64(NOBODY), np.int64(NOBODY))
    elif cards["kind"][card] == Kind.CREATURE:
        spring_snare(state)
    state["playing"] = NOBODY
    await_tricks(state, np.int64(Step.MAIN))
