"""What a card in hand is worth on paper, in life points: for judging positions, never for results (register section 7)."""

import numpy as np

from sim.games.riftborn.record import Ability, Kind

IN_HAND = 0.35  # of what it is worth in play: it must still be paid
BODY, ATTACK, HEALTH, ABILITY = 1.0, 1.2, 0.8, 0.6  # of a creature: itself, a point, a point, an ability
WEAPON_POINT = 0.5  # a point of damage, for each use
ARMOUR_POINT = 0.8
SPELL_LEVEL = 2.0


def write_worth(row: np.void) -> None:
    """Write `hand_worth` of all cards; all else is written already."""
    cards = int(row["cards"])
    kind, attack, health = (row[field][:cards].astype(float) for field in ("kind", "attack", "health"))
    abilities = row["ability"][:cards]
    swarm = np.maximum(abilities[:, Ability.SWARM], 1)
    body = BODY + (ATTACK * attack + HEALTH * health) * swarm + ABILITY * np.count_nonzero(abilities, axis=1)
    worth = np.where((kind == Kind.CREATURE) | (kind == Kind.TOKEN), body, 0.0)
    worth[kind == Kind.WEAPON] = (WEAPON_POINT * attack * health)[kind == Kind.WEAPON]
    worth[kind == Kind.ARMOUR] = (ARMOUR_POINT * health)[kind == Kind.ARMOUR]
    worth[kind == Kind.SPELL] = (SPELL_LEVEL * row["level"][:cards])[kind == Kind.SPELL]
    row["hand_worth"][:cards] = IN_HAND * worth
