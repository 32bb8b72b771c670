"""Hidden information: sample what a seat cannot see, consistent with all that it knows."""

import numpy as np

from sim.engine.dice import below, shuffle
from sim.engine.jit import Record, kernel
from sim.games.riftborn.cards import ABILITIES, TRICKS, Ability
from sim.games.riftborn.rules.damage import health_of
from sim.games.riftborn.rules.players import tricks_laid
from sim.games.riftborn.state import CREATURES, NOBODY, SEATS, Draw, Phase, note_printed


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Sample everything that is hidden from `seat`."""
    other = SEATS - 1 - seat
    known = state["known_own"][seat]
    mix_below(state, rng, seat, known)
    pool_hidden(state, other)
    unmask(state, cards, rng, other)
    deal_pool(state, other)
    redeal_tricks(state, rng, other)


@kernel
def resample_unseen(state: Record, cards: Record, rng: Record) -> None:  # noqa: ARG001 - parameters of the contract
    """Shuffle what no player has seen: each library except the top cards that either player knows."""
    for seat in range(SEATS):
        known = max(state["known_own"][seat], state["known_other"][seat])
        mix_below(state, rng, seat, known)


@kernel
def depends_on_hidden(state: Record, after: Record, cards: Record, seat: int, shown: int) -> bool:  # noqa: ARG001 - as above
    """Whether an option, from one position to the next, or the worth of the next can depend on what is hidden from `seat`.

    It does if the seat draws cards, the other player has TRICK cards or face-down creatures, or hands are not yet dealt for good.
    The other player's hand and library do not matter: only the number of their cards is evaluated.
    """
    other = SEATS - 1 - seat
    if state["first"] == NOBODY or state["library_n"][seat] != after["library_n"][seat]:
        return True
    for g in range(other * CREATURES, other * CREATURES + CREATURES):
        if is_masked(state, g) or is_masked(after, g):
            return True
    selects = state["phase"] == Phase.MAIN and after["phase"] == Phase.CREATURE  # sets off no trick
    return bool(state["tricks"][other] != 0 and not selects)


@kernel
def mix_below(state: Record, rng: Record, seat: int, known: int) -> None:
    """Shuffle a library except its top `known` cards."""
    unknown = state["library_n"][seat] - known
    if unknown > 1:
        shuffle(rng, seat, Draw.HIDDEN, state["library"][seat, :unknown], state["keys"])
        state["keys"][:] = 0


@kernel
def pool_hidden(state: Record, other: int) -> None:
    """Collect the hidden cards of the other player: hand, face-down creatures, the library below the known top."""
    count = 0
    for at in range(state["hand_n"][other]):
        state["pool"][count] = state["hand"][other, at]
        count += 1
    for at in range(state["library_n"][other] - state["known_other"][other]):
        state["pool"][count] = state["library"][other, at]
        count += 1
    for g in range(other * CREATURES, other * CREATURES + CREATURES):
        if is_masked(state, g):
            state["pool"][count] = state["card"][g]
            count += 1
    state["pool_n"] = count


@kernel
def is_masked(state: Record, g: int) -> bool:
    """RIFT-108. Whether only its controller knows which card of the deck a creature is."""
    return state["card"][g] != NOBODY and state["face_down"][g] == 1 and state["origin"][g] == state["card"][g]


@kernel
def unmask(state: Record, cards: Record, rng: Record, other: int) -> None:
    """Shuffle the hidden cards, then give each face-down creature one with STEALTH, of its level and experience.

    It gets the first card that fits. The rest is then no longer in random order, so it is shuffled again.
    """
    shuffle_pool(state, rng, other)
    taken = False
    for g in range(other * CREATURES, other * CREATURES + CREATURES):
        if is_masked(state, g):
            become(state, cards, g, take_alike(state, cards, g))
            taken = True
    if taken:
        shuffle_pool(state, rng, other)


@kernel
def shuffle_pool(state: Record, rng: Record, other: int) -> None:
    """Shuffle the hidden cards."""
    shuffle(rng, other, Draw.HIDDEN, state["pool"][: state["pool_n"]], state["keys"])
    state["keys"][:] = 0


@kernel
def become(state: Record, cards: Record, g: int, card: int) -> None:
    """Make a face-down creature another card; abilities that effects gave or took are known and stay."""
    shown = state["card"][g]
    for ability in range(ABILITIES):
        if state["ability"][g, ability] == cards["ability"][shown, ability]:
            state["ability"][g, ability] = cards["ability"][card, ability]
    state["card"][g] = card
    state["origin"][g] = card
    note_printed(state, cards, g)


@kernel
def take_alike(state: Record, cards: Record, g: int) -> np.int64:
    """Take a card from the pool that could be creature g; there is one, because its own card is in the pool."""
    at = 0
    card = np.int64(state["pool"][0])
    while not could_be(state, cards, g, card):
        at += 1
        card = np.int64(state["pool"][at])
    state["pool_n"] -= 1
    state["pool"][at] = state["pool"][state["pool_n"]]
    return card


@kernel
def could_be(state: Record, cards: Record, g: int, card: int) -> bool:
    """RIFT-108. Whether a face-down creature could be this card: same level and experience, and alive with its damage."""
    shown = state["card"][g]
    if card == shown:
        return True
    spare = health_of(state, cards, g) - state["damage"][g] - cards["health"][shown]
    alive = spare + cards["health"][card] > 0
    alike = cards["level"][card] == cards["level"][shown] and cards["xp"][card] == cards["xp"][shown]
    return alive and alike and cards["ability"][card, Ability.STEALTH] > 0


@kernel
def deal_pool(state: Record, other: int) -> None:
    """Deal the rest of the pool: the hand first, then the library."""
    count = 0
    for at in range(state["hand_n"][other]):
        state["hand"][other, at] = state["pool"][count]
        count += 1
    for at in range(state["library_n"][other] - state["known_other"][other]):
        state["library"][other, at] = state["pool"][count]
        count += 1
    state["pool"][:] = 0
    state["pool_n"] = 0


@kernel
def redeal_tricks(state: Record, rng: Record, other: int) -> None:
    """RIFT-115. Give the other player different TRICK cards at random, the same number as it has laid."""
    laid = tricks_laid(state, other)
    state["tricks"][other] = 0
    for trick in range(1, TRICKS + 1):
        if laid > 0 and below(rng, other, Draw.HIDDEN, TRICKS + 1 - trick) < laid:
            state["tricks"][other] |= np.uint8(1 << trick)
            laid -= 1
