"""How a game of the Rookling Heroes model stands, as plain lists under the names of the kernels' STATE fields."""

from collections import Counter
from typing import Any

from sim.games.rookling.record import COLOURS_MAX, TOKENS
from sim.games.rookling.state import KINDS
from tests.games.rookling.model_table import NOBODY, POSITIONS, SLOTS, SQUAD, Rook, Table, Zone

NOWHERE = -1
GRANTS = ("attack_flat", "attack_plus", "defence_flat", "defence_plus")


def model_state(table: Table) -> dict[str, Any]:
    """A snapshot of plain numbers; nothing in it changes with the table.

    Indexes are those of STATE, but lists end where things end: `hand` and `zone` hold as many kinds as there are cards.
    `deck` is sorted, as its order means nothing. None: has no meaning in this phase (`cursor`, `focus`; `open`, `used`
    and `hit` outside a resolution). `life` is up to date within a resolution; `hit` holds the position of the Rookling
    that was hit by the attack of each position, NOWHERE for none. `seat`: who decides.
    """
    return _squads(table) | _tokens(table) | _cards(table) | _zones(table) | _moves(table) | _clash(table)


def _squads(table: Table) -> dict[str, Any]:
    def of_each(value: Any, nothing: int) -> list[list[int]]:
        return [
            [value(squad[slot]) if slot < len(squad) else nothing for slot in range(SQUAD)] for squad in table.squads
        ]

    return {
        "rook": of_each(lambda rook: rook.card.place, NOBODY),
        "life": of_each(lambda rook: rook.life, 0),
        "at": [list(row) or [NOWHERE] * SQUAD for row in table.rows],
    }


def _tokens(table: Table) -> dict[str, Any]:
    names = list(table.cards.tokens)

    def of_kinds(counts: Counter[str]) -> list[int]:
        return [counts[name] for name in names] + [0] * (TOKENS - len(names))

    def each(value: Any) -> list[list[Any]]:
        nothing = Rook(table.cards.rooklings[0], 0)
        return [
            [value(squad[slot] if slot < len(squad) else nothing) for slot in range(SQUAD)] for squad in table.squads
        ]

    def bears(rook: Rook) -> int:
        kinds = {*(+rook.tokens), *(table.effects[slot].token for slot in +rook.effects)}
        return sum(1 << names.index(name) for name in kinds)

    def zone_of(slot: int) -> int:
        seat, position = table.fixed[slot]
        return seat * len(POSITIONS) + position

    return {
        "tok": each(lambda rook: of_kinds(rook.tokens)),
        "tok_new": each(lambda rook: of_kinds(rook.pending)),
        "fe_tok": each(lambda rook: [rook.effects[slot] for slot in SLOTS]),
        "bears": each(bears),
        "pending": each(lambda rook: sum(1 << names.index(name) for name in +rook.pending)),
        "fixed": [zone_of(slot) if slot in table.fixed else NOWHERE for slot in SLOTS],
        "pile": [table.piles[slot] for slot in SLOTS],
        "supply": of_kinds(table.supply),
        "effect": [table.effects[slot].place if slot in table.effects else NOBODY for slot in SLOTS],
    }


def _cards(table: Table) -> dict[str, Any]:
    code = table.cards.code
    discarded = Counter(code(card) for card in table.discard)
    return {
        "hand": [[code(card) for card in hand] for hand in table.hands],
        "hand_n": [len(hand) for hand in table.hands],
        "deck": sorted(code(card) for card in table.deck),
        "deck_n": len(table.deck),
        "disc": [discarded[kind] for kind in range(KINDS)],
        "disc_n": len(table.discard),
    }


def _zones(table: Table) -> dict[str, Any]:
    def each(value: Any) -> list[list[Any]]:
        return [[value(zone) for zone in zones] for zones in table.zones]

    def shown(zone: Zone) -> list[int]:
        sums = [sum(card.number for card in zone.cards if card.colour == colour) for colour in table.cards.colours]
        unused = [0] * (COLOURS_MAX - len(sums))
        return [*sums, *unused, sum(card.number for card in zone.cards)]

    def matched(zone: Zone) -> int:
        shown_colours = {card.colour for card in zone.cards}
        return sum(1 << place for place, colour in enumerate(table.cards.colours) if colour in shown_colours)

    return {
        "zone": each(lambda zone: [table.cards.code(card) for card in zone.cards]),
        "zone_n": each(lambda zone: len(zone.cards)),
        "capacity": each(lambda zone: zone.capacity),
        "powered": each(lambda zone: sum(1 << index for index in zone.powered)),
        "activated": each(lambda zone: sum(1 << index for index in zone.activated)),
        "line": each(lambda zone: zone.line),
        "shown": each(shown),
        "matched": each(matched),
        **{grant: each(lambda zone, grant=grant: zone.grants[grant]) for grant in GRANTS},
        "att": list(table.attacks),
        "dfn": list(table.defences),
        "cover": list(table.covers),
    }


def _moves(table: Table) -> dict[str, Any]:
    return {
        "turn": table.exchange,
        "attacker": table.attacker,
        "first": table.first,
        "drafter": table.drafter,
        "defending": int(table.defending),
        "phase": int(table.phase),
        "cursor": table.cursor,
        "focus": table.focus,
        "seat": table.seat,
        "poison": int(table.poison),
        "skip": [int(skip) for skip in table.skip],
        "winner": table.winner,
        "last_blow": int(table.last_blow),
    }


def _clash(table: Table) -> dict[str, Any]:
    clash = table.clash
    if clash is None:
        return {"open": None, "used": None, "hit": None}
    return {
        "open": [int(position in clash.open) for position in POSITIONS],
        "used": [int(position in clash.used) for position in POSITIONS],
        "hit": [clash.hits.get(position, NOWHERE) for position in POSITIONS],
    }
