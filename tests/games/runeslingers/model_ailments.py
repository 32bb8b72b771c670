"""Ailments of the Runeslingers model. RUNE-34, 95 to 104."""

from sim.games.runeslingers.state import SLOTS, Lost, Phase
from tests.games.runeslingers.model_damage import Damage
from tests.games.runeslingers.model_table import Area, Asking, Player


class Ailments(Damage):
    """Applying, removing, converting."""

    def area_for(self, player: Player, kind: int) -> Area | None:
        """RUNE-95, A04. Where an instance of a type goes."""
        for _, area in self.exposed_areas(player):
            if area.type == kind:
                return area
        concealed = any(area.count and area.type == kind for area in player.areas)
        if concealed and self.switch("concealed_type", "blocked"):
            return None
        return next(iter(self.free_areas(player)), None)

    def free_areas(self, player: Player) -> list[Area]:
        """With neither ailment nor boon, lowest first."""
        areas = enumerate(player.areas[: self.rules["ailment_areas"]])
        return [area for at, area in areas if not area.count and player.things[SLOTS + at] is None]

    def apply_one(self, player: Player, kind: int) -> Asking:
        """RUNE-95, 97."""
        area = self.area_for(player, kind)
        if area is None:
            self.facts.add("no_room", player.side)
            return
        area.type = kind
        area.count += 1
        self.facts.applied[player.side][kind] += 1
        self.settle()
        yield from self.act(player.side, self.ailments[kind].get("on_apply", []))
        yield from self.check()

    def apply_announced(self, by: int, player: Player, types: list[int]) -> Asking:
        """RUNE-98, A27. What fits was announced first; the active player orders it."""
        fitting: list[int] = []
        room = len(self.free_areas(player))
        for kind in types:
            if kind not in fitting and not self.of_type(player, kind):
                if self.area_for(player, kind) is None or room == 0:
                    self.facts.add("no_room", player.side)
                    continue
                room -= 1
            fitting.append(kind)
        while fitting:
            kind = fitting[0]
            if by != self.active:
                kind = yield from self.ask(Phase.ORDER, self.active, set(fitting))
            fitting.remove(kind)
            yield from self.apply_one(player, kind)

    def remove_one(self, player: Player, kind: int) -> Asking:
        """RUNE-100."""
        area = next(area for _, area in self.exposed_areas(player) if area.type == kind)
        area.count -= 1
        self.settle()
        yield from self.check()

    def remove(self, by: int, player: Player, n: int) -> Asking:
        """RUNE-100. Chosen one at a time by the controller of the effect."""
        for left in range(n, 0, -1):
            areas = [area for _, area in self.exposed_areas(player)]
            if not areas:
                return
            kinds = [area.type for area in areas] if left < self.instances(player) else [areas[0].type]
            kind = yield from self.ask(Phase.REMOVE, by, kinds)
            yield from self.remove_one(player, kind)

    def convert(self, by: int, player: Player, n: int, into: int) -> Asking:
        """RUNE-104."""
        for _ in range(n):
            kinds = [area.type for _, area in self.exposed_areas(player) if area.type != into]
            if not kinds:
                return
            kind = yield from self.ask(Phase.REMOVE, by, kinds)
            yield from self.remove_one(player, kind)
            yield from self.apply_one(player, into)

    def limit_step(self, player: Player) -> Asking:
        """RUNE-34."""
        limit = self.rules["ailment_limit"]
        while self.instances(player) >= limit:
            yield from self.remove(player.side, player, limit)
            self.lose_power(player, Lost.AILMENTS)
            yield from self.downed(player)
