"""Numbers of the Runeslingers model: block, maximum health, hand size, defence, bonuses. RUNE-10, 23, 36, 80, 82."""

from collections.abc import Iterator
from typing import Any

from sim.games.runeslingers.record import Boost
from sim.games.runeslingers.state import HAND_MAX, SLOTS
from tests.games.runeslingers.model_table import Area, Player, Table, Thing

CARD, EQUIP, AILMENT = range(3)  # levels of RUNE-10, the weakest first
Rank = tuple[int, bool, int]  # level, controlled by the active player, how new


class Stats(Table):
    """What the effects that last make of the numbers."""

    def exposed_areas(self, player: Player) -> list[tuple[int, Area]]:
        """Areas with ailments that are on this player, lowest first (RUNE-06, 107)."""
        return [(at, area) for at, area in enumerate(player.areas) if area.count and player.things[SLOTS + at] is None]

    def instances(self, player: Player) -> int:
        """Exposed ones."""
        return sum(area.count for _, area in self.exposed_areas(player))

    def of_type(self, player: Player, kind: int) -> int:
        """Exposed instances of a type."""
        return sum(area.count for _, area in self.exposed_areas(player) if area.type == kind)

    def is_level_two(self, player: Player, kind: int) -> bool:
        """RUNE-99."""
        return self.of_type(player, kind) >= self.ailments[kind]["threshold"]

    def _statics(self, player: Player) -> Iterator[tuple[dict[str, Any], int, Rank]]:
        """All that this player controls: the static, how often it counts, its rank in RUNE-10."""
        active = player.side == self.active
        for static in player.stance.get("statics", ()):
            if static.get("if", "always") != "not_owned":
                yield static, 1, (EQUIP, active, 0)
        for thing in player.things:
            if thing is not None:
                for static in self.card(thing.inst).get("statics", ()):
                    if static.get("if", "always") in ("always", self.owned(thing)):
                        yield static, 1, (CARD, active, thing.seq)
        yield from self._of_ailments(player)

    def _of_ailments(self, player: Player) -> Iterator[tuple[dict[str, Any], int, Rank]]:
        for at, area in self.exposed_areas(player):
            lasting = [("per_instance", area.count), ("while_any", 1)]
            if self.is_level_two(player, area.type):
                lasting.append(("level2", 1))
            for name, times in lasting:
                for static in self.ailments[area.type].get(name, ()):
                    yield static, times, (AILMENT, player.side == self.active, -at)

    def on(self, player: Player, stat: str) -> list[tuple[int, Rank]]:
        """Every static that reaches this player, with its rank."""
        found = []
        for controller in self.players:
            for static, times, rank in self._statics(controller):
                scope = static.get("scope", "self")
                if static["stat"] == stat and scope in ("each", "self" if controller is player else "enemy"):
                    found.append((static.get("n", 0) * times, rank))
        return found

    def total(self, player: Player, stat: str) -> int:
        """Numbers that add up."""
        return sum(n for n, _ in self.on(player, stat))

    def flag(self, player: Player, stat: str) -> bool:
        """Permissions, and what takes them away."""
        return bool(self.on(player, stat))

    def block(self, player: Player) -> int:
        """RUNE-82."""
        bonus = self.total(player, "block") + player.boosts[Boost.BLOCK]
        return max(0, player.hero["block"] + bonus)

    def max_health(self, player: Player) -> int:
        """RUNE-23."""
        return player.hero["health"] + self.total(player, "max_health")

    def max_hand(self, player: Player) -> int:
        """RUNE-36, 10. Of one source the text that was printed last holds: level II beats what holds before it."""
        found = self.on(player, "max_hand")[::-1]
        size = max(found, key=lambda entry: entry[1])[0] if found else self.rules["max_hand"]
        return min(size, HAND_MAX)

    def defence(self, thing: Thing) -> int:
        """Defence of a defence card in play."""
        return self.card(thing.inst)["defence"] + self.total(self.players[thing.side], "defence")

    def damage_bonus(self, player: Player, runespell: str | None) -> int:
        """RUNE-80. runespell: its type, or None for any other source."""
        names = ["damage"]
        if runespell in ("spirit", "attack"):
            names.append(f"damage_{runespell}")
        return sum(self.total(player, name) + player.boosts[Boost[name.upper()]] for name in names)

    def adds_pierce(self, player: Player, runespell: str | None) -> bool:
        """RUNE-55, 127. Whether a boost adds Pierce to a runespell of this type."""
        return runespell in ("spirit", "attack") and player.boosts[Boost[f"PIERCE_{runespell.upper()}"]] > 0
