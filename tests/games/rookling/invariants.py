"""What holds in every position of Rookling Heroes, and from one position to the next.

What a position alone shows is in `sim/games/rookling/position/invariants.py`, which refuses positions from files by it. Here
are the books of a game and the steps from one position to the next.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.cards import DrawMode
from sim.games.rookling.position import POSITION
from sim.games.rookling.state import NOWHERE, RESOLVING, SEATS, STATE, Cause, Phase


def check(states: np.ndarray, cards: CardSet) -> None:
    """Check everything that can be seen in one position."""
    for state in states:
        wrong = POSITION.violations(state, cards)
        assert not wrong, wrong
    for field, count in (("deck", "deck_n"), ("hand", "hand_n"), ("zone", "zone_n"), ("drawn_at", "hand_n")):
        used = np.arange(states[field].shape[-1]) < states[count][..., None]
        assert (states[field][~used] == 0).all(), f"cards: {field} holds something beyond {count}"
    check_books(states[states["phase"] != Phase.DRAFT])


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


COUNTERS = STATE.names[STATE.names.index("hand_at_attack") :]  # facts for the outcome: they only grow
LATE = (
    "last_blow",
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
    """No counter ever falls: one that did would have wrapped. No two cards are drawn at the same moment."""
    drawn, held = states["drawn_at"], np.arange(states["drawn_at"].shape[-1]) < states["hand_n"][..., None]
    assert ((np.diff(drawn, axis=2) > 0) | ~held[..., 1:]).all(), "moments: a hand is not in the order in which it was drawn"
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
