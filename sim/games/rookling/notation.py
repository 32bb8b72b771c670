"""Positions of Rookling Heroes by readable names: what scenario files write and what comes out of them.

Here the position as a whole; `notation_read` and `notation_write` tell a player, `notation_cards` the decks, `pending` the
decision at hand.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.reading import Table, is_whole
from sim.games.rookling.clash import AMOUNT_MAX
from sim.games.rookling.deal import PICKS, squad_of
from sim.games.rookling.notation_cards import decks, place_decks
from sim.games.rookling.notation_read import player, squad
from sim.games.rookling.notation_write import place_player, place_squad
from sim.games.rookling.pending import read_pending, write_pending
from sim.games.rookling.record import SQUAD
from sim.games.rookling.state import NOBODY, NOWHERE, POSITIONS, SEATS, Phase
from sim.games.rookling.tokens import note_bearing, note_zones

PHASES = tuple(phase.name.lower() for phase in Phase)
AMOUNTS = {"attack": "att", "defence": "dfn", "cover": "cover"}  # by the word for it: field of the state
_SEATS_OF_TURN = ("attacker", "first")


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position; `place` reads the same. Lists of three are by position from left to right."""
    told: dict[str, Any] = {"turn": int(state["turn"]), "phase": PHASES[state["phase"]]}
    for field in (*_SEATS_OF_TURN, "drafter", "winner"):
        if state[field] != NOBODY:
            told[field] = int(state[field])
    if state["phase"] == Phase.DRAFT:
        return told | {"players": [squad(state, cards, seat) for seat in range(SEATS)]}
    return {
        **told,
        "defending": bool(state["defending"]),
        "players": [squad(state, cards, seat) | player(state, cards, seat) for seat in range(SEATS)],
        **{word: state[field].tolist() for word, field in AMOUNTS.items()},
        "pending": read_pending(state, cards),
        **decks(state, cards),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which comes zeroed.

    Needed are `players` with `squad` or `row`; everything else has the value of a fresh game in which seat 0 is about to
    arrange its row, with all energy that is named nowhere in the deck. Raises ValueError naming the field, its value and
    what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    _clear(state)
    state["phase"] = phase = Phase[table.one_of("phase", PHASES, PHASES[Phase.ROW]).upper()]
    for seat, entry in enumerate(players):
        place_squad(entry, cards, state, seat)
    _place_turn(table, cards, state)
    if phase == Phase.DRAFT:
        _place_draft(table, players, state)
    else:
        _place_game(table, players, cards, state)
    for part in (*players, table):
        part.close()


def _place_game(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """Write all that comes after the draft."""
    for seat, entry in enumerate(players):
        place_player(entry, cards, state, seat)
    _place_exchange(table, state)
    _note(cards, state)
    place_decks(table, players, cards, state)
    _check(table, players, state)
    write_pending(Table(table.take("pending", {}), "pending"), cards, state)


def _place_draft(table: Table, players: list[Table], state: np.void) -> None:
    """ROOK-04. Whose pick it is follows from the squads; nothing else is on the table."""
    state["drafter"] = table.whole("drafter", 0, SEATS - 1, 0)
    picks = (state["rook"] != NOBODY).sum(axis=1)
    state["cursor"] = picks.sum()
    made = [int(seat) ^ int(state["drafter"]) for seat in PICKS[: state["cursor"]]]
    if state["cursor"] == len(PICKS) or any(made.count(seat) != picks[seat] for seat in range(SEATS)):
        raise players[0].wrong("squad", "the squads are not those of a draft in order 1-2-2-1-1-2 that is on (ROOK-04)")
    for slot in range(SQUAD):
        for seat in range(SEATS):
            turns = [number for number, picker in enumerate(made) if picker == seat]
            state["picked"][seat, slot] = turns[slot] + 1 if slot < len(turns) else 0
    state["effect"] = NOBODY
    state["life"] = 0


def _by_seat(table: Table) -> list[Table]:
    """Sort the players by seat; without `seat` they sit in the order of the list."""
    players = table.tables("players", SEATS)
    if len(players) != SEATS:
        raise ValueError(f"players: has {len(players)} entries; must be {SEATS} tables with squad")
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise players[1].wrong("seat", "is taken already; every player needs a seat of its own")
    return [seated[seat] for seat in range(SEATS)]


def _clear(state: np.void) -> None:
    """Set an empty table."""
    for field in ("rook", "squad", "line", "effect", "drafter", "winner"):
        state[field] = NOBODY
    for field in ("at", "fixed"):
        state[field] = NOWHERE
    state["capacity"] = 1
    state["life_after"] = NOBODY


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Whose exchange it is."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["attacker"] = table.whole("attacker", 0, SEATS - 1, 0)
    state["first"] = table.whole("first", 0, SEATS - 1, int(state["attacker"]))
    for field in ("drafter", "winner"):
        if table.has(field):
            state[field] = table.whole(field, 0, SEATS - 1)
        table.take(field, None)


def _place_exchange(table: Table, state: np.void) -> None:
    """How far the exchange is, and what was declared in it."""
    phase = Phase(state["phase"])
    resolves = phase in (Phase.DEFEND, Phase.NEXT, Phase.SIDE, Phase.BLOCK)
    poison = resolves and Table(table.take("pending", {}), "pending").flag("poison", False)
    state["defending"] = table.flag("defending", resolves and not poison)
    for word, field in AMOUNTS.items():
        amounts = table.take(word, [0] * POSITIONS)
        if not isinstance(amounts, list) or len(amounts) != POSITIONS or not all(_is_amount(n) for n in amounts):
            raise table.wrong(word, f"must be {POSITIONS} whole numbers from 0 to {AMOUNT_MAX}, from left to right")
        state[field] = amounts


def _is_amount(value: object) -> bool:
    return is_whole(value, 0, AMOUNT_MAX)


def _note(cards: CardSet, state: np.void) -> None:
    """Work out what the state holds twice: which squads these are, and which kinds of tokens there are."""
    for seat in range(SEATS):
        state["squad"][seat] = squad_of(state, cards.record[0], seat)
        for slot in range(SQUAD):
            note_bearing(state, cards.record[0], seat, slot)
            kinds = np.flatnonzero(state["tok_new"][seat, slot])
            state["pending"][seat, slot] = sum(1 << int(kind) for kind in kinds)
    note_zones(state, cards.record[0])


def _check(table: Table, players: list[Table], state: np.void) -> None:
    """ROOK-01, 10, 55. Who has lost and who has not; who must stand in a row."""
    phase, lost = Phase(state["phase"]), [not state["life"][seat].any() for seat in range(SEATS)]
    for seat, entry in enumerate(players):
        if lost[seat] and phase != Phase.OVER:
            raise entry.wrong(
                "life", 'all three are in siege-state, which ends the game; phase must be "over" (ROOK-01)'
            )
        begins = phase == Phase.ROW and (state["defending"] or seat == state["attacker"])  # who comes to its first row
        if NOWHERE in state["at"][seat] and not begins and phase != Phase.OVER:
            raise entry.wrong("row", f'must be the squad from left to right in phase "{PHASES[phase]}"')
    if phase == Phase.OVER and state["winner"] != NOBODY and lost[state["winner"]]:
        raise table.wrong("winner", "has all three Rooklings in siege-state; must be the other seat")
