"""What holds in every position and over every step of the Riftborn Tactics model."""

from collections import Counter
from typing import Any

from sim.games.riftborn.state import Phase
from tests.games.riftborn.model.facts import Facts
from tests.games.riftborn.model.placement import (
    adjacent,
    attack,
    centre,
    clear_by_halves,
    distance,
    has,
    is_deadly_hurt,
    maximum,
    x_of,
)
from tests.games.riftborn.model.state import SEATS, Creature, Table
from tests.games.riftborn.model.turn import Model

COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready", "swaps")


class Watch:
    """Looks at a model before each decision and compares it with the decision before."""

    def __init__(self, model: Model):
        self.model = model
        self.table = model.table
        self.table.watch = check_after_deaths
        self.before: dict[str, Any] = {}
        self.undeath: dict[int, tuple[Creature, int]] = {}
        self.look()

    def apply(self, code: int) -> None:
        """A decision under watch."""
        self.model.apply(code)
        self.look()

    def look(self) -> None:
        """All that can be seen now."""
        check_position(self.table)
        self._check_growth()
        self._check_undeath()
        asked = self.model.pending
        if asked is not None and asked.kind == Phase.MAIN:
            assert not self.table.queue, "tricks: wait although the turn goes on"
            assert asked.seat == self.table.active
            assert not any(one.credit for one in self.table.everybody()), "credit: of a check that is over"
        if asked is not None and asked.kind in (Phase.MAIN, Phase.CREATURE):
            check_turn(self.table)
        self._check_geometry()

    def _check_geometry(self) -> None:
        """Invariant 8, where a formation has changed."""
        formations = [[[id(one) for one in row] for row in player.rows] for player in self.table.players]
        if formations != self.before.get("formations"):
            check_geometry(self.table)
        self.before["formations"] = formations

    def _check_growth(self) -> None:
        """Invariants 5, 6. Experience."""
        for seat, player in enumerate(self.table.players):
            last = self.before.get(f"xp {seat}", 0)
            assert player.xp >= last, "experience: has fallen"
            gained = self.table.facts.gained[seat]
            assert gained.total() == player.xp, "experience: from nowhere"
            assert gained["turn"] == self.table.rules.turn_xp * player.own_turns, "experience: not that of the turns"
            self.before[f"xp {seat}"] = player.xp
        active = self.table.players[self.table.active]
        limit = self.table.level(self.table.active) if active.own_turns else 0
        assert active.used_levels <= limit or not active.own_turns, "budget: overdrawn"

    def _check_undeath(self) -> None:
        """Invariant 3. Unused UNDEATH never grows (no card of the watched sets grants it)."""
        now = {id(one): (one, one.own.get("UNDEATH", 0)) for one in self.table.everybody()}
        for key, (creature, unused) in now.items():
            if key in self.undeath and self.undeath[key][0] is creature:
                assert unused <= self.undeath[key][1], "undeath: has grown"
        self.undeath = now


def check_position(table: Table) -> None:
    """Invariants 1 to 5, as far as one position shows them."""
    check_cards(table)
    check_rows(table)
    check_players(table)


def check_cards(table: Table) -> None:
    """Invariant 1. No card appears or is lost."""
    for seat, player in enumerate(table.players):
        piles = player.library + player.hand + player.discard + player.removed + player.waiting
        attached = [weapon.card for weapon in player.weapons] + [armour.card for armour in player.armours]
        standing = [one.origin for one in player.creatures if one.origin is not None]
        found = Counter(card.id for card in piles + attached + standing)
        assert found == Counter(card.id for card in player.deck), f"cards of seat {seat}: some have come or gone"


def check_rows(table: Table) -> None:
    """Invariant 2."""
    for seat, player in enumerate(table.players):
        assert len(player.rows) <= table.rules.max_rows
        assert all(0 < len(row) <= table.rules.max_per_row for row in player.rows)
        for r, row in enumerate(player.rows):
            assert [(one.row, one.index) for one in row] == [(r, i) for i in range(len(row))]
            centres = [centre(table, one) for one in row]
            assert centres == [-h for h in reversed(centres)], "rows: not centred"
        assert all(creature.owner == seat for creature in player.creatures)
        assert len({id(creature) for creature in player.creatures}) == len(player.creatures)


def check_players(table: Table) -> None:
    """Invariants 3, 4, 5."""
    for seat, player in enumerate(table.players):
        assert player.life <= table.rules.start_life
        assert player.life > 0 or table.over, "life: the game should be over"
        assert all(weapon.uses > 0 for weapon in player.weapons)
        assert all(armour.points > 0 for armour in player.armours)
        assert 1 <= table.level(seat) <= 20
        for creature in player.creatures:
            assert all(getattr(creature, name) >= 0 for name in COUNTERS)
            assert attack(table, creature) >= 0


def check_geometry(table: Table) -> None:
    """Invariant 8. What two enemies are to each other, they are both."""
    for one in table.players[0].creatures:
        for other in table.players[1].creatures:
            assert distance(table, one, other) == distance(table, other, one)
            assert adjacent(table, one, other) == adjacent(table, other, one)
            way = clear_by_halves(table, one, other)
            assert way == clear_by_halves(table, other, one)
            assert way or distance(table, one, other) > 1, "adjacent enemies without a clear path"


def check_after_deaths(table: Table) -> None:
    """Invariant 3."""
    for creature in table.everybody():
        assert creature.damage < maximum(table, creature), f"{creature.card.id}: should be dead"
        assert not is_deadly_hurt(table, creature)


def check_turn(table: Table) -> None:
    """Invariant 7. Moves and Actions in a turn of cards that gain and lose no DASH or HASTE."""
    for creature in table.players[table.active].creatures:
        own = max(1, creature.card.abilities.get("DASH", 1), x_of(table, creature, "DASH"))
        assert creature.swaps <= own, "swaps: too many"
        if creature.entered and creature.acted:
            assert "HASTE" in creature.card.abilities or has(table, creature, "HASTE"), "acted: entered this turn"


def check_outcome(facts: Facts, outcome: dict[str, Any]) -> None:
    """What is counted adds up."""
    for seat in SEATS:
        assert sum(outcome["gained"][seat]) == outcome["end_xp"][seat]
        assert sum(outcome["card_kills"][seat]) <= sum(outcome["deaths"][1 - seat])
        assert sum(outcome["drawn"][seat]) >= sum(outcome["plays"][seat]) + sum(outcome["stayed"][seat])
        assert facts.own_turns[seat] == outcome["own_turns"][seat]
        assert outcome["level_turn"][seat][outcome["end_level"][seat] - 1] > 0
