"""Invariants of every position of Rookling Heroes: positions from files are refused by them, and the tests check those of play.

Here is also what follows from the rest of a position: the fields of DERIVED, and where every card is.
"""

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet, Problem
from sim.games.rookling.cards import ANY, GREY, LINES, SQUAD, Kind, Mask
from sim.games.rookling.rules.abilities import is_offered, kind_of, note_bearing, note_zones
from sim.games.rookling.rules.energy import reaches
from sim.games.rookling.setup import PICKS, member_of, squad_of
from sim.games.rookling.state import (
    FIELD,
    HAND_MAX,
    KINDS,
    NOBODY,
    NOWHERE,
    POSITIONS,
    RESOLVING,
    SEATS,
    SLOTS,
    Phase,
    colour_of,
    energy_on,
    hand_of,
    kinds_at,
    mover,
    number_of,
)
from sim.games.rookling.text import PLACES, card_ids, ids_of, line_names, own_name, slot_ids

GRANTS = ("attack_flat", "attack_plus", "defence_flat", "defence_plus")

# What follows from the rest.


def copies_in_all(state: np.void, cards: CardSet) -> np.ndarray:
    """Cards by kind in the whole game, shape (KINDS,)."""
    record = cards.record[0]
    copies = np.where(state["effect"] == NOBODY, 0, record["effect_copies"][state["effect"]])
    return np.concatenate((record["energy_count"], copies)).astype(int)


def copies_of(state: np.void) -> np.ndarray:
    """Cards by kind in all places, shape (KINDS,)."""
    lists = [state["deck"][: state["deck_n"]], *(hand_of(state, seat) for seat in range(SEATS))]
    lists += [energy_on(state, seat, at) for seat in range(SEATS) for at in range(POSITIONS)]
    counts = state["disc"] + np.bincount(np.concatenate(lists).astype(int), minlength=KINDS)
    counts[FIELD:] += state["pile"] + state["fe_tok"].sum(axis=(0, 1)) + (state["fixed"] != NOWHERE)
    return counts


def hidden_copies(state: np.void, slot: int) -> int:
    """Number of copies of a field effect in the deck and in hands."""
    hands = sum(hand_of(state, seat).count(FIELD + slot) for seat in range(SEATS))
    return hands + int((state["deck"][: state["deck_n"]] == FIELD + slot).sum())


DERIVED = {  # field that follows from others: the key of a player that decides about it
    **dict.fromkeys(("squad", "member"), "squad"),
    "bears": "tokens",
    "pending": "coming",
    "zone_kinds": "fixed",
    **dict.fromkeys(("shown", "matched"), "energy"),
}


def derive(state: np.void, cards: CardSet) -> None:
    """Write the fields of DERIVED: numbers of squads, kinds of tokens, and what energy shows (ROOK-22 to 25)."""
    record = cards.record[0]
    state["shown"] = state["matched"] = 0
    for seat in range(SEATS):
        state["squad"][seat] = squad_of(state, record, seat)
        for slot in range(SQUAD):
            state["member"][seat, slot] = member_of(state, seat, slot)
            note_bearing(state, record, seat, slot)
            state["pending"][seat, slot] = sum(1 << int(kind) for kind in np.flatnonzero(state["tok_new"][seat, slot] > 0))
        for at in range(POSITIONS):
            for kind in energy_on(state, seat, at):
                colour, number = int(colour_of(state, record, kind)), int(number_of(state, record, kind))
                state["shown"][seat, at, ANY] += number
                if colour != GREY:
                    state["shown"][seat, at, colour] += number
                    state["matched"][seat, at] |= 1 << colour
    note_zones(state, record)


# The invariants.


class Step(IntEnum):
    """ROOK-11. Steps of an exchange with decisions: A1 to A4, D1 to D3, then D4 and later."""

    CLEAR = 0
    ROW = 1
    ATTACK_ENERGY = 2
    ATTACKS = 3
    CLEAR_AGAIN = 4
    DEFENCE_ENERGY = 5
    DEFENCES = 6
    RESOLVE = 7


def step_of(state: np.void) -> Step:
    """ROOK-11. The current step of the exchange."""
    phase = Phase(state["phase"])
    if phase in (*RESOLVING, Phase.OVER):
        return Step.RESOLVE
    if state["defending"]:
        second = {Phase.CLEAR: Step.CLEAR_AGAIN, Phase.ROW: Step.ROW, Phase.DEFEND: Step.DEFENCES}
        return second.get(phase, Step.DEFENCE_ENERGY)
    return {Phase.CLEAR: Step.CLEAR, Phase.ROW: Step.ROW, Phase.ATTACK: Step.ATTACKS}.get(phase, Step.ATTACK_ENERGY)


def problems(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """What is impossible in a position, whether from a file or from play."""
    if state["phase"] == Phase.DRAFT:
        yield from _wrong_draft(state)
        return
    yield from _wrong_rooklings(state, cards)
    yield from _wrong_cards(state, cards)
    yield from _wrong_tokens(state, cards)
    yield from _wrong_moments(state)
    yield from _wrong_course(state)
    yield from _wrong_activation(state, cards)
    for seat in range(SEATS):
        yield from _wrong_energy(state, cards, seat)
        yield from _wrong_lines(state, cards, seat)
    yield from _wrong_faced(state, cards)
    derived = state.copy()
    derive(derived, cards)
    for field, key in DERIVED.items():
        for seat in range(SEATS):
            if (derived[field][seat] != state[field][seat]).any():
                yield Problem(("players", seat, key), f"`{field}` is not what follows from it")


def _wrong_draft(state: np.void) -> Iterator[Problem]:
    """ROOK-04. Squads that do not fit the order of picking."""
    picks, made = (state["rook"] != NOBODY).sum(axis=1), PICKS[: state["cursor"]] ^ state["drafter"]
    if state["cursor"] == len(PICKS) or (np.bincount(made, minlength=SEATS) != picks).any():
        right = "the squads do not fit a draft in progress with the order 1-2-2-1-1-2 (ROOK-04)"
        yield Problem(("players", 0, "squad"), right)


def _wrong_rooklings(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """Invariants 2, 3; ROOK-01, 05, 10, 55. Lives, rows, and who has lost."""
    phase, alive, most = Phase(state["phase"]), state["life"].any(axis=1), int(cards.record[0]["heal_cap"])
    for seat in range(SEATS):
        if not 0 <= state["life"][seat].min() <= state["life"][seat].max() <= most:
            yield Problem(("players", seat, "life"), f"must be at most {most} (rules.heal_cap)")
        if not alive[seat] and phase != Phase.OVER:
            right = 'all three are in siege-state, which ends the game; phase must be "over" (ROOK-01)'
            yield Problem(("players", seat, "life"), right)
        begins = phase == Phase.ROW and (state["defending"] or seat == state["attacker"])  # the seat arranges its first row
        row = sorted(state["at"][seat].tolist())
        if row != [*range(SQUAD)] and not (begins and row == [NOWHERE] * SQUAD):
            right = f'must be the squad from left to right in phase "{phase.name.lower()}"'
            yield Problem(("players", seat, "row"), right)
    if phase != Phase.OVER and state["winner"] != NOBODY:
        yield Problem(("winner",), f'must be left out in phase "{phase.name.lower()}"; the game is not over')
    if phase == Phase.OVER and (state["winner"] == NOBODY or not alive[state["winner"]]):
        yield Problem(("winner",), "has all three Rooklings in siege-state; must be the other seat")
    if phase == Phase.OVER and alive.all():
        yield Problem(("phase",), "both players have Rooklings with life; the game is not over (ROOK-01)")


def _wrong_cards(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """Invariants 1, 5; ROOK-06, 07. Cards that are in several places or in none, and hands that are too large."""
    counts, printed = copies_of(state), copies_in_all(state, cards)
    for kind in (*np.flatnonzero(counts > printed), *np.flatnonzero(counts < printed)):
        word = card_ids(state, cards).get(int(kind), f"kind {kind}")
        yield Problem(("players",), f"{counts[kind]} {word} are named in all places together; there are {printed[kind]}")
    if min(state["disc"].min(), state["pile"].min(), state["fe_tok"].min()) < 0:
        yield Problem(("players",), "there are fewer than no cards in a place")
    if state["disc_n"] != state["disc"].sum():
        yield Problem(("discard_size",), f"must be {state['disc'].sum()}, which follows from the rest")
    most = min(HAND_MAX, int(cards.record[0]["hand_max"]))
    for seat in range(SEATS):
        if state["hand_n"][seat] > most:
            yield Problem(("players", seat, "hand"), f"has {state['hand_n'][seat]} cards; at most {most} are allowed (ROOK-36)")


def _wrong_tokens(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """Invariants 1, 9; ROOK-08, 62, 63. Token cards that come from nowhere, and fixed tokens out of their place."""
    placed, words = (state["tok"] + state["tok_new"]).sum(axis=(0, 1)), ids_of(cards, "token")
    for kind in np.flatnonzero((state["supply"] + placed != cards.record[0]["supply"]) | (state["supply"] < 0)):
        right = f"{placed[kind]} {words[kind]} tokens are named; there are {cards.record[0]['supply'][kind]} in all (ROOK-08)"
        yield Problem(("players",), right)
    if min(state["tok"].min(), state["tok_new"].min()) < 0:
        yield Problem(("players",), "there are fewer than no tokens of a kind")
    fixed = int(cards.record[0]["token_mask"][Mask.FIXED])
    for slot in slot_ids(state, cards):
        is_fixed = fixed >> int(kind_of(state, cards.record[0], slot)) & 1
        for seat in range(SEATS):
            if is_fixed and state["fe_tok"][seat, :, slot].any():
                right = "has a field effect that becomes a fixed token, which lies in a zone; see fixed (ROOK-62)"
                yield Problem(("players", seat, "slid"), right)
        if not is_fixed and state["fixed"][slot] != NOWHERE:
            right = "has a field effect that becomes no fixed token, but lies under a Rookling; see slid (ROOK-63)"
            yield Problem(("players", int(state["fixed"][slot]) // POSITIONS, "fixed"), right)


def _wrong_moments(state: np.void) -> Iterator[Problem]:
    """ROOK-13. Cards that were drawn before they went into the deck, and moments that are not in order."""
    hands = [[*zip(hand_of(state, seat), state["drawn_at"][seat].tolist(), strict=False)] for seat in range(SEATS)]
    for hand in hands:
        moments = [moment for _, moment in hand]
        if moments != sorted(moments):
            yield Problem(("moments", "drawn"), "must not fall within a hand, whose oldest card comes first")
        if max(moments, default=0) > state["draws"]:
            yield Problem(("moments", "now"), f"must be at least {max(moments)}, when a card in hand was drawn")
    for slot in range(SLOTS):
        hidden, moments = hidden_copies(state, slot), state["entered"][slot].tolist()
        known = [moment for moment in moments if moment]
        if known != sorted(known) or len(known) != hidden or any(moments[hidden:]):
            yield Problem(("moments", "entered"), "must be one number for each copy in deck and hands, in ascending order")
        drawn = sorted(moment for hand in hands for kind, moment in hand if kind == FIELD + slot)
        if any(sum(into < moment for into in known) < sum(other <= moment for other in drawn) for moment in drawn):
            yield Problem(("moments", "drawn"), "has a field effect that was drawn before it went into the deck")


def _wrong_course(state: np.void) -> Iterator[Problem]:
    """ROOK-10 to 19. Phase, half of the exchange, amounts and skipped draws that do not agree."""
    phase, word, step = Phase(state["phase"]), Phase(state["phase"]).name.lower(), step_of(state)
    halves = {Phase.ATTACK: False, Phase.DEFEND: True, **dict.fromkeys(RESOLVING, not state["poison"])}
    if halves.get(phase, state["defending"]) != state["defending"]:
        yield Problem(("defending",), f'must be {str(halves[phase]).lower()} in phase "{word}" (ROOK-11)')
    if phase == Phase.ROW and state["defending"] and state["turn"]:
        right = "must be false; the defender arranges a row only before the first exchange (ROOK-10, 19)"
        yield Problem(("defending",), right)
    for key, field in (("attack", "att"), ("defence", "dfn"), ("cover", "cover")):
        if state[field].any() and step < Step.ATTACKS:
            yield Problem((key,), f'must be 0 everywhere; nothing is declared in phase "{word}" (ROOK-11)')
    if state["skip"][1 - state["attacker"]] and phase != Phase.OVER:
        right = "must be false; only the attacker pays for clearing with its draw (ROOK-15)"
        yield Problem(("players", 1 - int(state["attacker"]), "skip"), right)
    if state["poison"] and step < Step.RESOLVE:
        yield Problem(("pending", "poison"), f'must be false; no poison acts in phase "{word}" (ROOK-60)')
    if state["clash"] and step < Step.ATTACK_ENERGY:
        yield Problem(("pending",), f'must be empty in phase "{word}"; nothing is resolved yet')


def _wrong_energy(state: np.void, cards: CardSet, seat: int) -> Iterator[Problem]:
    """Invariant 4; ROOK-20, 21, 35, 68, 69. Energy and facts of the exchange before A3, and more than a Rookling takes.

    The defender's energy can be there before its half begins, so that a scenario can start with the attack.
    """
    if step_of(state) < Step.ATTACK_ENERGY:
        grants = [state[grant][seat].any() for grant in GRANTS]
        used = state["powered"][seat].any() or state["activated"][seat].any() or any(grants)
        if state["zone_n"][seat].any() or used or (state["capacity"][seat] != 1).any():
            key, word = "energy" if state["zone_n"][seat].any() else "exchange", Phase(state["phase"]).name.lower()
            yield Problem(("players", seat, key), f'must be left out; energy is placed later than phase "{word}" (ROOK-11, 20)')
    masks = cards.record[0]["token_mask"]
    for at in range(POSITIONS):
        count, capacity = int(state["zone_n"][seat, at]), int(state["capacity"][seat, at])
        if count > capacity:
            right = f"has {count} cards on the {PLACES[at]}; exchange.capacity allows {capacity} there (ROOK-21)"
            yield Problem(("players", seat, "energy"), right)
        if state["powered"][seat, at] >> count:
            yield Problem(("players", seat, "exchange", "powered"), "names a card that is not among the energy there")
        kinds = int(kinds_at(state, seat, at)) if state["at"][seat, at] != NOWHERE else 0
        for key, mask, there, what in (
            ("energy", Mask.NO_ENERGY, count, "takes no energy (ROOK-68)"),
            ("exchange", Mask.NO_SPECIAL, state["activated"][seat, at], "activates no special line (ROOK-69)"),
        ):
            if there and (barring := kinds & int(masks[mask])):
                who, word = own_name(state, cards, seat, at), ids_of(cards, "token")[barring.bit_length() - 1]
                yield Problem(("players", seat, key), f"{who} on the {PLACES[at]} bears {word} and {what}")


def _wrong_lines(state: np.void, cards: CardSet, seat: int) -> Iterator[Problem]:
    """Invariant 10; ROOK-12, 22, 27. Lines used too early, of the wrong kind, without energy, or too many of them."""
    record, word = cards.record[0], Phase(state["phase"]).name.lower()
    kind = Kind.ATTACK if seat == state["attacker"] else Kind.DEFENCE
    place = ("players", seat, "exchange")
    for at in range(POSITIONS):
        in_use, activated = int(state["line"][seat, at]), int(state["activated"][seat, at])
        for line in range(LINES):
            if line != in_use and not activated >> line & 1:
                continue
            key, rook = "lines" if line == in_use else "activated", int(state["rook"][seat, state["at"][seat, at]])
            name = line_names(cards, rook)[line]
            if line == in_use and step_of(state) < (Step.ATTACKS if kind == Kind.ATTACK else Step.DEFENCES):
                yield Problem((*place, key), f'{name} is in use; lines are declared later than phase "{word}"')
            if record["kind"][rook, line] != (kind if line == in_use else Kind.SPECIAL):
                of = f"{kind.name.lower()} line, which this player declares now" if line == in_use else "special line"
                yield Problem((*place, key), f"{name} is no {of} (ROOK-12)")
            if not any(reaches(record, rook, line, side, state["shown"][seat, at]) for side in range(2)):
                yield Problem((*place, key), f"{name} is not met by the energy on the {PLACES[at]} (ROOK-22 to 25)")
            if line == in_use and not state["powered"][seat, at]:
                yield Problem((*place, "powered"), f"must name the cards that power {name} (ROOK-61)")
        if record["one_line_per_rookling"] and activated.bit_count() + (in_use != NOBODY) > 1:
            yield Problem((*place, "activated"), "has more than one line of a Rookling (rules.one_line_per_rookling)")


def _wrong_faced(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """Invariant 9; ROOK-41, 42. Attacked Rooklings with a token that would have acted and been spent."""
    if step_of(state) < Step.CLEAR_AGAIN or state["poison"] or state["phase"] == Phase.OVER:
        return
    seat, masks = 1 - int(state["attacker"]), cards.record[0]["token_mask"].astype(int)
    acting = int(masks[Mask.CANCEL_ATTACK] | (masks[Mask.FACED] & masks[Mask.TRIGGER]))
    for at in np.flatnonzero(state["att"]):
        if left := int(kinds_at(state, seat, int(at))) & acting:
            who, word = own_name(state, cards, seat, int(at)), ids_of(cards, "token")[left.bit_length() - 1]
            right = f"{who} on the {PLACES[at]} is attacked; {word} would have acted and been spent (ROOK-41, 42)"
            yield Problem(("players", seat, "tokens"), right)


def _wrong_activation(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """ROOK-30. A special line that cannot be activated now, or whose target is not to be picked."""
    seat, at, line, record = int(mover(state)), int(state["focus"]), int(state["cursor"]), cards.record[0]
    rook, fits = int(state["rook"][seat, state["at"][seat, at]]), True
    if state["phase"] == Phase.ACTIVATE:
        fits = bool(is_offered(state, record, seat, at, line))
    elif state["phase"] == Phase.TARGET:
        fits = any(reaches(record, rook, line, side, state["shown"][seat, at]) for side in range(2))
    if not fits:
        right = "cannot be activated now: not met, already activated, barred or without effect (ROOK-30)"
        yield Problem(("pending", "line"), right)
