"""Invariants of the game as checks on snapshots of the kernels.

A snapshot is what `Model.snapshot()` returns. Each check raises AssertionError and names the invariant.
"""

from collections import Counter

from tests.games.arena.model.board import Board
from tests.games.arena.model.table import FIRST_DRAGONLING, NO_SEAT

CODES = 170
STOP = 169


def zone(card: dict, marker: int) -> int:
    """ARENA-44 for a hero."""
    green, yellow, _ = card["energy"]
    return int(marker >= green) + int(marker >= green + yellow)


def returns(snapshot: dict) -> list[int]:
    """Seats whose hero is on the board."""
    return [piece for piece in snapshot["positions"] if piece < FIRST_DRAGONLING]


def check_snapshot(rules: dict, cards: list[dict], board: Board, now: dict) -> None:
    """Invariants 1 to 5, 9 and 12 of one state at a decision or at the end."""
    where = now["positions"]
    assert all(board.is_land(place) for place in where.values()), "1: a piece in the water"
    assert len(set(where.values())) == len(where), "1: two pieces on one hex"
    brood = Counter(owner for piece, owner in now["owner"].items() if piece >= FIRST_DRAGONLING)
    assert now["pool"] >= 0, "2: pool below 0"
    assert now["pool"] + sum(now["rage"]) + brood.total() == rules["tokens"], "2: tokens appeared or vanished"
    here = returns(now)
    for seat, card in enumerate(cards):
        assert 0 <= now["rage"][seat] <= card.get("rage_cap", 0), "2: rage beyond its cap"
        assert brood[seat] <= card.get("dragonling_cap", 0), "2: dragonlings beyond their cap"
        assert 0 <= now["marker"][seat] < sum(card["energy"]), "3: marker off the track"
        if seat not in here and now["phase"] != "START":
            assert now["rage"][seat] == 0, "4: a fallen hero holds rage"
            assert brood[seat] == 0, "4: a fallen hero has dragonlings"
            assert now["places"][seat] > 0, "4: a fallen hero has no place"
    if now["phase"] == "START":
        return
    assert here, "5: no hero is left"
    over = len(here) == 1 or now["turn"] >= rules["turn_cap"]
    assert (now["phase"] == "OVER") == over, "5: over exactly when one is left or the cap is reached"
    assert now["turn"] <= rules["turn_cap"], "12: more turns than the cap"
    if over:
        assert now["places"].count(1) == (1 if len(here) == 1 else 0), "12: not exactly one first place"
        return
    assert now["active"] in here, "4: a fallen hero is active"
    assert now["current_player"] in here, "4: a fallen hero decides"
    assert all(now["places"][seat] == 0 for seat in here), "12: a place before the end"
    if now["phase"] in ("MOVE", "ABILITY", "PRE_MOVE"):
        assert now["protection"][now["active"]] == 0, "9: protection outlived the start of the turn"


def check_step(cards: list[dict], before: dict, after: dict) -> None:
    """Invariants 3, 4 and 9 between two consecutive states."""
    for seat, card in enumerate(cards):
        assert zone(card, after["marker"][seat]) >= zone(card, before["marker"][seat]), "3: back to an earlier zone"
        if before["phase"] != "START" and seat not in returns(before):
            assert seat not in returns(after), "4: a fallen hero came back"
        if after["protection"][seat] > before["protection"][seat]:
            assert seat == before["active"], "9: protection by another's ability"
    assert after["falls"][: len(before["falls"])] == before["falls"], "the record of falls changed"
    assert 0 <= after["turn"] - before["turn"] <= 1, "12: turns skipped"
    if after["turn"] > before["turn"]:
        assert after["slow"][before["active"]] == 0, "9: slow outlived the turn"


def check_options(board: Board, now: dict, options: list[int]) -> None:
    """Invariants 4 and 10: each option is offered once, and none is for a piece that is gone or an occupied hex."""
    phase = now["phase"]
    assert options == sorted(set(options)), "10: options out of order or offered twice"
    assert bool(options) == (phase != "OVER"), "10: a decision without options"
    assert all(0 <= code < CODES for code in options), "10: code outside 0..169"
    if phase == "OVER":
        assert now["current_player"] == NO_SEAT, "10: a seat acts after the end"
    if phase == "STEP":
        assert len(options) == 2, "10: STEP has exactly two options"
    if phase in ("MOVE", "PRE_MOVE", "POST_MOVE", "SUMMON"):
        own = now["positions"][now["active"]]
        places = [board.land[code] for code in options if code != STOP]
        others = set(now["positions"].values()) - ({own} if phase != "SUMMON" else set())
        assert not others & set(places), "10: a taken hex is offered"
        assert phase in ("PRE_MOVE", "SUMMON") or own in places, "10: staying is not offered"
    if phase == "ABILITY":
        targets = [(code - 1) % 17 for code in options if code > 0]
        assert all(t == 16 or t in now["positions"] for t in targets), "4: a target that is gone"
        assert now["active"] not in targets, "10: the user as its own target"
