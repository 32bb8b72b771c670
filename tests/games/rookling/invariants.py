"""What holds in every position of Rookling Heroes, and from one position to the next."""

import numpy as np

from sim.games.rookling.record import ANY, NUMBERS, SQUAD, TOKENS, DrawMode, Kind, Mask
from sim.games.rookling.state import (
    CAPACITY_MAX,
    COPIES_MAX,
    FIELD,
    HAND_MAX,
    KINDS,
    NOBODY,
    NOWHERE,
    POSITIONS,
    SEATS,
    SLOTS,
    STATE,
    Cause,
    Phase,
)

RESOLVING = (Phase.NEXT, Phase.SIDE, Phase.BLOCK)
BEFORE_ENERGY = (Phase.DRAFT, Phase.ROW, Phase.CLEAR)


def check(states: np.ndarray, cards: np.void) -> None:
    """Hold positions to everything that can be seen in one of them."""
    states = states[states["phase"] != Phase.DRAFT]
    if not len(states):
        return  # nothing is on the table yet
    check_cards(states, cards)
    check_tokens(states, cards)
    check_moments(states)
    check_rooklings(states, cards)
    check_zones(states, cards)
    check_faced(states, cards)
    check_books(states)


def kinds_held(states: np.ndarray, field: str, count: str) -> np.ndarray:
    """Cards by kind in hands, zones or deck: (n, KINDS). Raises AssertionError where unused places are not 0."""
    held = states[field].astype(int).reshape(len(states), -1, states[field].shape[-1])
    used = np.arange(held.shape[-1]) < states[count].reshape(len(states), -1, 1)
    assert (held[~used] == 0).all(), f"cards: {field} holds something beyond {count}"
    found = np.zeros((len(states), KINDS), int)
    line = np.broadcast_to(np.arange(len(states))[:, None, None], held.shape)
    np.add.at(found, (line[used], held[used]), 1)
    return found


def check_cards(states: np.ndarray, cards: np.void) -> None:
    """Invariants 1, 5. Every card is in exactly one place; hands are not too large."""
    found = states["disc"].astype(int)
    assert (found >= 0).all(), "cards: fewer than none are discarded"
    assert (states["disc_n"] == found.sum(axis=1)).all(), "cards: the discard pile is counted wrongly"
    for field, count in (("deck", "deck_n"), ("hand", "hand_n"), ("zone", "zone_n")):
        found += kinds_held(states, field, count)
    assert (found[:, :FIELD] == cards["energy_count"].astype(int)).all(), "cards: energy has come or gone"
    copies = np.where(states["effect"] == NOBODY, 0, cards["effect_copies"][states["effect"]]).astype(int)
    assert (states["pile"] >= 0).all(), "cards: fewer than none in a pile"
    found[:, FIELD:] += states["pile"] + states["fe_tok"].astype(int).sum(axis=(1, 2)) + (states["fixed"] != NOWHERE)
    assert (found[:, FIELD:] == copies).all(), "cards: field effect copies have come or gone"
    assert (states["hand_n"] <= min(HAND_MAX, int(cards["hand_max"]))).all(), "hands: too many cards"


def check_tokens(states: np.ndarray, cards: np.void) -> None:
    """Invariants 1, 9. Token cards are as many as printed; facts stored twice agree."""
    active, pending = states["tok"].astype(int), states["tok_new"].astype(int)
    assert min(active.min(), pending.min(), states["fe_tok"].min(), states["supply"].min()) >= 0, "tokens: less than none"
    total = states["supply"] + active.sum(axis=(1, 2)) + pending.sum(axis=(1, 2))
    assert (total == cards["supply"]).all(), "tokens: token cards have come or gone"
    bit = 1 << np.arange(TOKENS)
    kind_bit = np.where(states["effect"] == NOBODY, 0, bit[cards["effect_token"][states["effect"]]])  # by slot
    bears = ((active > 0) * bit).sum(axis=-1) | np.bitwise_or.reduce(
        np.where(states["fe_tok"] > 0, kind_bit[:, None, None, :], 0), axis=-1
    )
    assert (states["bears"] == bears).all(), "tokens: `bears` is not what lies there"
    assert (states["pending"] == ((pending > 0) * bit).sum(axis=-1)).all(), "tokens: `pending` is not what lies there"
    zones = np.arange(SEATS * POSITIONS).reshape(SEATS, POSITIONS, 1)
    here = states["fixed"][:, None, None, :] == zones
    stands = np.bitwise_or.reduce(np.where(here, kind_bit[:, None, None, :], 0), axis=-1)
    assert (states["zone_kinds"] == stands).all(), "tokens: `zone_kinds` is not what stands there"
    fixed = int(cards["token_mask"][Mask.FIXED])
    assert not (bears & fixed).any(), "tokens: a fixed one lies under a Rookling"
    assert not (stands & ~fixed).any(), "tokens: one that is not fixed stands in a zone"


def check_moments(states: np.ndarray) -> None:
    """There are as many moments as unseen copies, and every hand is possible with them."""
    hands, drawn = states["hand"].astype(int), states["drawn_at"].astype(int)
    held = np.arange(HAND_MAX) < states["hand_n"][:, :, None]
    assert (drawn[~held] == 0).all(), "moments: of places without a card"
    assert (drawn.max(axis=(1, 2)) <= states["draws"]).all(), "moments: a card of the future"
    rising = (np.diff(drawn, axis=2) > 0) | ~held[:, :, 1:]
    assert rising.all(), "moments: a hand is not in the order in which it was drawn"
    deck = kinds_held(states, "deck", "deck_n")
    for slot in range(SLOTS):
        entered = states["entered"][:, slot].astype(int)
        mine = held & (hands == FIELD + slot)
        hidden = deck[:, FIELD + slot] + mine.sum(axis=(1, 2))
        assert ((entered > 0).sum(axis=1) == hidden).all(), "moments: not one for each copy in deck and hands"
        known = entered > 0
        assert (known == (np.arange(COPIES_MAX) < hidden[:, None])).all(), "moments: a gap"
        assert ((np.diff(entered, axis=1) >= 0) | ~known[:, 1:]).all(), "moments: copies are not in order"
        for seat in range(SEATS):
            for card in range(HAND_MAX):
                by_then = drawn[:, seat, card]
                out = (mine & (drawn <= by_then[:, None, None])).sum(axis=(1, 2))
                into = (known & (entered < by_then[:, None])).sum(axis=1)
                assert ((out <= into) | ~mine[:, seat, card]).all(), "moments: drawn before it went in"


def check_rooklings(states: np.ndarray, cards: np.void) -> None:
    """Invariants 2, 3. Lives, rows, squads, and who has lost."""
    lives = states["life"].astype(int)
    assert ((lives >= 0) & (lives <= cards["heal_cap"])).all(), "life: out of range"
    alive = (lives > 0).any(axis=2)
    over = states["phase"] == Phase.OVER
    assert alive[~over].all(), "life: the game should be over"
    assert (states["winner"][~over] == NOBODY).all(), "winner: of a game that is on"
    ended = states[over]
    if len(ended):
        assert alive[over, ended["winner"]].all(), "winner: has no Rookling with life"
        assert not alive[over, 1 - ended["winner"]].any(), "winner: the other has a Rookling with life"
    row = np.sort(states["at"], axis=2)
    laid = row[:, :, 0] != NOWHERE
    assert (row[laid] == np.arange(SQUAD)).all(), "rows: not a permutation"
    assert (row[~laid] == NOWHERE).all(), "rows: half a row"
    squads = cards["squad"][states["squad"]]
    assert (np.sort(states["rook"], axis=2) == squads).all(), "squads: `squad` is another one"


def check_zones(states: np.ndarray, cards: np.void) -> None:
    """Invariants 4, 10. Energy, what it shows, and what it powers."""
    count, capacity = states["zone_n"].astype(int), states["capacity"].astype(int)
    assert ((count <= capacity) & (capacity >= 1) & (capacity <= CAPACITY_MAX)).all(), "zones: more cards than capacity"
    kinds = states["zone"].astype(int)
    lies = np.arange(CAPACITY_MAX) < count[..., None]
    slots = np.maximum(kinds - FIELD, 0)
    effect = np.take_along_axis(states["effect"][:, None, None, :].repeat(SEATS, 1).repeat(POSITIONS, 2), slots, axis=-1)
    numbers = np.where(kinds < FIELD, kinds % NUMBERS + 1, cards["effect_number"][effect]) * lies
    colours = np.where(kinds < FIELD, kinds // NUMBERS, cards["effect_colour"][effect])
    assert (states["shown"][..., ANY] == numbers.sum(axis=-1)).all(), "zones: the sum of all cards is wrong"
    for colour in range(ANY):
        of_it = lies & (colours == colour)
        assert (states["shown"][..., colour] == (numbers * of_it).sum(axis=-1)).all(), "zones: the sum of a colour is wrong"
        matched = states["matched"] >> colour & 1
        assert (matched == of_it.any(axis=-1)).all(), "zones: `matched` is not what lies there"
    assert (states["powered"] >> count == 0).all(), "zones: a card powers that is not there"
    frozen = kinds_on(states) & int(cards["token_mask"][Mask.NO_ENERGY])
    assert (count[frozen != 0] == 0).all(), "zones: energy on a Frozen Rookling"
    early = np.isin(states["phase"], BEFORE_ENERGY) & ((states["defending"] == 0) | (states["phase"] == Phase.ROW))
    for field in ("zone_n", "powered", "activated", "attack_flat", "attack_plus", "defence_flat", "defence_plus"):
        assert (states[field][early] == 0).all(), f"zones: {field} before A3"
    assert (capacity[early] == 1).all(), "zones: capacity before A3"
    check_lines(states, cards, rooklings_at(states))


def check_lines(states: np.ndarray, cards: np.void, rooks: np.ndarray) -> None:
    """Invariant 10, ROOK-12. Lines in use are of the right kind, and of a Rookling with energy. rooks: by position."""
    kinds = cards["kind"][rooks]  # (n, SEATS, POSITIONS, LINES)
    used = states["line"] != NOBODY
    of_use = np.take_along_axis(kinds, np.maximum(states["line"], 0)[..., None].astype(int), axis=-1)[..., 0]
    attacks = np.arange(SEATS) == states["attacker"][:, None]
    wanted = np.where(attacks, Kind.ATTACK, Kind.DEFENCE)[..., None]
    assert (~used | (of_use == wanted)).all(), "lines: used by the wrong side, or of another kind"
    assert (~used | (states["powered"] > 0)).all(), "lines: used without energy"
    for line in range(kinds.shape[-1]):
        activated = states["activated"] >> line & 1 == 1
        assert (kinds[activated][:, line] == Kind.SPECIAL).all(), "lines: another kind than special is activated"
    if cards["one_line_per_rookling"]:
        specials = (states["activated"][..., None] >> np.arange(kinds.shape[-1]) & 1).sum(axis=-1)
        assert (specials + used <= 1).all(), "lines: more than one of a Rookling (A-03)"


def rooklings_at(states: np.ndarray) -> np.ndarray:
    """Rooklings by position, (n, SEATS, POSITIONS); the first one before there is a row."""
    return np.take_along_axis(states["rook"], np.maximum(states["at"], 0).astype(int), axis=2)


def kinds_on(states: np.ndarray) -> np.ndarray:
    """Kinds of tokens that act on the Rookling at a position: (n, SEATS, POSITIONS)."""
    at = np.maximum(states["at"], 0).astype(int)
    bears = np.take_along_axis(states["bears"], at, axis=2).astype(int)
    return np.where(states["at"] == NOWHERE, 0, bears) | states["zone_kinds"].astype(int)


def check_faced(states: np.ndarray, cards: np.void) -> None:
    """Invariants 9, 12. Who faces an attack has no token left that would cancel it; who begins owes nothing."""
    faced = (states["defending"] == 1) & (states["phase"] != Phase.OVER)
    masks = cards["token_mask"].astype(int)
    defender = 1 - states["attacker"][faced]
    acting = np.take_along_axis(kinds_on(states[faced]), defender[:, None, None].astype(int), axis=1)[:, 0]
    attacked = states["att"][faced] > 0
    assert not (acting[attacked] & masks[Mask.CANCEL]).any(), "faced: an attack on a hidden Rookling"
    spent = masks[Mask.FACED] & masks[Mask.TRIGGER]
    assert not (acting[attacked] & spent).any(), "faced: cover that should be spent"
    begun = (states["defending"] == 0) & np.isin(states["phase"], (Phase.ROW, Phase.CLEAR))
    assert (states["skip"][begun, 1 - states["attacker"][begun]] == 0).all(), "skip: left from before"
    assert (states["skip"][begun & (states["phase"] == Phase.CLEAR)] <= 1).all(), "skip: no flag"
    quiet = ~np.isin(states["phase"], RESOLVING)
    assert (states["poison"][quiet & (states["phase"] != Phase.OVER)] == 0).all(), "poison: acts before its time"
    assert (states["clash"][begun] == 0).all(), "clash: left from before"


def check_books(states: np.ndarray) -> None:
    """Invariant 7. What was declared went somewhere; what was dealt was taken."""
    declared = states["declared"].sum(axis=-1)
    dealt = states["dealt"].astype(int).sum(axis=-1)
    gone = dealt + states["lost_block"] + states["lost_excess"] + states["lost_hidden"]
    assert (gone <= declared).all(), "books: more dealt and lost than declared"
    begun = (states["defending"] == 0) & np.isin(states["phase"], (Phase.ROW, Phase.CLEAR))
    assert (gone[begun] == declared[begun]).all(), "books: dealt and lost are not what was declared"
    taken = states["taken"].astype(int)
    landed = states["landed"].astype(int).sum(axis=-1)
    assert (landed == taken[..., :-1].sum(axis=(2, 3))).all(), "books: damage landed is not damage taken"
    assert (landed[:, ::-1] == dealt.sum(axis=-1)).all(), "books: damage dealt is not damage taken"
    assert (states["damage_in"].sum(axis=-1) == landed.sum(axis=-1)).all(), "books: damage by period"
    assert (states["spill_in"].sum(axis=-1) == states["landed"][:, :, 1:].sum(axis=(1, 2))).all(), "books: spill by period"
    settled = ~np.isin(states["phase"], (Phase.SIDE, Phase.BLOCK))  # no packet is under way
    blocked, lost = states["blocked"].sum(axis=2)[settled, ::-1], states["lost_block"].sum(axis=2)[settled]
    assert (blocked == lost).all(), "books: damage lost to blocks is not damage blocked"


COUNTERS = STATE.names[STATE.names.index("cards_drawn") :]  # facts for the outcome: they only grow
LATE = (
    "life_after",
    "picked",
    "start_at",
    "flip_cause",
    "first_flip",
    "two_down",
    "flips_in",
)  # facts that are set once, or set back
DRAWING = (Phase.ACTIVATE, Phase.TARGET)


def check_steps(states: np.ndarray, cards: np.void) -> None:
    """Hold a game to what may change in a step, then in an exchange."""
    states = states[states["phase"] != Phase.DRAFT]
    check_rows(states)
    check_lives(states)
    check_counters(states)
    begins = first_positions(states)
    check_exchanges(states[begins])
    check_hands(states, begins, cards)


def first_positions(states: np.ndarray) -> np.ndarray:
    """Where exchanges begin: places of the positions in which the attacker is asked for the first time."""
    asked = (states["defending"] == 0) & (states["phase"] != Phase.OVER)
    new = np.append(True, np.diff(states["turn"]) > 0) | np.append(True, asked[1:] & (states["defending"][:-1] == 1))
    resolving = np.isin(states["phase"], RESOLVING)  # E1b: the attacker is asked, but nothing begins
    begins: np.ndarray = np.flatnonzero(asked & new & ~resolving)
    return begins


def check_rows(states: np.ndarray) -> None:
    """Invariant 3. Only the row of who decides changes, and only by ROW."""
    before, after = states[:-1], states[1:]
    mover = np.where(before["defending"] == 1, 1 - before["attacker"], before["attacker"])
    changed = (before["at"] != after["at"]).any(axis=2)
    may = (before["phase"] == Phase.ROW)[:, None] & (mover[:, None] == np.arange(SEATS))
    assert not (changed & ~may).any(), "rows: changed where no player arranges"
    moved = (before["fixed"] != after["fixed"]) & (before["fixed"] != NOWHERE) & (after["fixed"] != NOWHERE)
    assert not moved[before["turn"] == after["turn"]].any(), "tokens: a fixed one moved in mid-exchange"


def check_lives(states: np.ndarray) -> None:
    """Invariant 6. In D4 the attacker loses no life, in E1b the defender loses none, elsewhere neither does."""
    before, after = states[:-1], states[1:]
    lost = np.maximum(before["life"].astype(int) - after["life"], 0).sum(axis=2)
    poisoned = after["taken"][..., Cause.POISON].sum(axis=2) - before["taken"][..., Cause.POISON].sum(axis=2)
    rows = np.arange(len(before))
    attacker = before["attacker"]
    assert (lost[rows, attacker] <= poisoned[rows, attacker]).all(), "life: an attacker lost some in D4"
    assert (poisoned[rows, 1 - attacker] == 0).all(), "life: a defender was poisoned"
    struck = after["landed"].sum(axis=2) - before["landed"].sum(axis=2)
    assert (lost[rows, 1 - attacker] <= struck[rows, 1 - attacker]).all(), "life: more lost than landed"
    assert (struck[before["poison"] == 1] == 0).all(), "life: struck in E1b"
    assert (struck[rows, attacker] == 0).all(), "life: an attack landed on its own side"


def check_counters(states: np.ndarray) -> None:
    """No counter ever falls: one that did would have wrapped."""
    for field in COUNTERS:
        if field not in LATE:
            assert (np.diff(states[field].astype(np.int64), axis=0) >= 0).all(), f"counters: {field} fell"
    assert (np.diff(states["draws"].astype(np.int64)) >= 0).all(), "counters: draws fell"


def check_exchanges(begun: np.ndarray) -> None:
    """Invariants 6, 7, 8, 12, from the begin of one exchange to that of the next. begun: positions, in order."""
    before, after = begun[:-1], begun[1:]
    rows, attacker = np.arange(len(before)), before["attacker"]
    defender = 1 - attacker
    assert (before["turn"] == np.arange(len(before))).all(), "exchanges: one is missing"
    assert (after["attacker"] == defender).all(), "exchanges: the roles were not swapped"
    assert (begun["skip"] == 0).all(), "skip: left from before"
    grown = {name: after[name].astype(int) - before[name] for name in ("declared", "taken", "landed", "attack_turns")}
    lost = grown["taken"][rows, defender][..., [Cause.ATTACK, Cause.SPILL]].sum(axis=(1, 2))
    assert (lost <= grown["declared"][rows, attacker].sum(axis=(1, 2))).all(), "exchanges: more lost than declared"
    assert (grown["declared"][rows, defender] == 0).all(), "exchanges: a defender attacked"
    assert (grown["attack_turns"][rows, attacker].sum(axis=2) == 1).all(), "exchanges: a Rookling had no attacking turn"
    blocks = sum(after[name].astype(int) - before[name] for name in ("blocks_own", "blocks_spill"))
    assert (blocks[rows, defender] <= 1).all(), "exchanges: a Rookling blocked twice"
    assert (blocks[rows, attacker] == 0).all(), "exchanges: an attacker blocked"
    sound = (before["life"][rows, defender] > 0).all(axis=1)
    assert (grown["landed"][rows, defender][sound, 1:] == 0).all(), "exchanges: a spill without anybody in siege-state"


def check_hands(states: np.ndarray, begins: np.ndarray, cards: np.void) -> None:
    """Invariant 5. After E3 the attacker holds a full hand, unless it was skipped or nothing is left; the defender drew none."""
    for last, first in zip(begins[1:] - 1, begins[1:], strict=True):
        before, after = states[last], states[first]
        attacker = int(before["attacker"])
        drew_up = after["hand_n"][attacker] >= cards["hand"] or after["deck_n"] + after["disc_n"] == 0
        skipped = after["draws_skipped"][attacker] - before["draws_skipped"][attacker]
        assert skipped == before["skip"][attacker], "hands: a draw was skipped without a reason"
        assert drew_up or skipped, "hands: not drawn up"
        if cards["draw_mode"] == DrawMode.NEW_HAND and not skipped:
            assert after["hand_n"][attacker] <= cards["hand"], "hands: more than a new hand"
        if before["turn"] and before["phase"] not in DRAWING:
            assert after["hand_n"][1 - attacker] <= before["hand_n"][1 - attacker], "hands: the defender drew in E3"
