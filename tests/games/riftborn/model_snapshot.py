"""How a game of the Riftborn Tactics model stands, as plain values to be held against another of its kind."""

from typing import Any

from sim.games.riftborn.state import NOBODY, Phase
from tests.games.riftborn.model_cards import TRICKS
from tests.games.riftborn.model_state import SEATS, Creature, Table
from tests.games.riftborn.model_stats import abilities, attack, maximum
from tests.games.riftborn.model_table import Model

COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready", "swaps", "charm", "pacify")


def snapshot(model: Model) -> dict[str, Any]:
    """Cards are their places in the file; nothing in it changes with the model.

    `players`: by seat. Libraries top card first, hands in order, discard and removed piles sorted. `grid`: rows of
    creatures, front row first. `waiting`: cards that are neither in hand nor laid off (a Spell that acts, a creature
    that looks for its place). `charm`, `pacify`: bits 1 waiting, 2 active. `abilities`: those in force by name (with a
    blank, as printed). `kind`, `seat`, `codes`: the pending decision; NOBODY and [] if there is none.
    """
    table, asked = model.table, model.pending
    return {
        "players": [_player(table, seat) for seat in SEATS],
        "active": table.active,
        "first": NOBODY if table.first is None else table.first,
        "turn": table.turn,
        "over": table.over,
        "winner": NOBODY if table.winner is None else table.winner,
        "kind": Phase.OVER.name if asked is None else asked.kind.name,
        "aim": None if asked is None else asked.aim.name,
        "seat": NOBODY if asked is None else asked.seat,
        "codes": list(model.codes),
        "queue": [waiting.owner for waiting in table.queue],
    }


def _player(table: Table, seat: int) -> dict[str, Any]:
    player = table.players[seat]
    return {
        "life": player.life,
        "xp": player.xp,
        "level": table.level(seat),
        "start_level": player.start_level,
        "used_levels": player.used_levels,
        "own_turns": player.own_turns,
        "library": [card.place for card in player.library],
        "hand": [card.place for card in player.hand],
        "discard": sorted(card.place for card in player.discard),
        "removed": sorted(card.place for card in player.removed),
        "waiting": sorted(card.place for card in player.waiting),
        "known_own": player.known_own,
        "known_other": player.known_other,
        "weapons": [(weapon.card.place, weapon.uses, int(weapon.used)) for weapon in player.weapons],
        "armours": [(armour.card.place, armour.points) for armour in player.armours],
        "tricks": sorted(TRICKS.index(name) for name in player.tricks),
        "grid": [[_creature(table, creature) for creature in row] for row in player.rows],
    }


def _creature(table: Table, creature: Creature) -> dict[str, Any]:
    return {
        "card": creature.card.place,
        "origin": NOBODY if creature.origin is None else creature.origin.place,
        **{name: getattr(creature, name) for name in COUNTERS},
        "abilities": abilities(table, creature),
        "attack": attack(table, creature),
        "maximum": maximum(table, creature),
        "face_down": int(creature.face_down),
        "morale": creature.morale,
        "acted": int(creature.acted),
        "entered": int(creature.entered),
    }
