"""Damage, blocking, health loss and ailments of the Runeslingers model. RUNE-22, 34, 80 to 104."""

from sim.games.runeslingers.state import SLOTS, Drain, Lost, Phase
from tests.games.runeslingers.model.piles import Leaving
from tests.games.runeslingers.model.table import Area, Asking, Player, Thing


class Damage(Leaving):
    """Damage, blocks, health loss."""

    def deal(self, by: int, target: Player | Thing, n: int, *, direct: bool, pierce: bool, kind: Drain = Drain.DAMAGE) -> Asking:
        """Deal n damage, including bonuses. Returns what was dealt to the target itself."""
        if n <= 0:
            return 0
        if target.side != by and not direct:
            yield from self.block_option(target, n)
        if not self.exposed(target):
            return 0
        if not direct and not (pierce and self.switch("pierce_barrier", "ignores")):
            absorbed = min(n, target.guard)
            target.guard -= absorbed
            n -= absorbed
            self.facts.add("prevented", target.side, absorbed)
        if isinstance(target, Player) and target.side != by and kind == Drain.DAMAGE:
            self.facts.add("hits" if n else "hits_stopped", by)
        if n == 0:
            return 0
        if isinstance(target, Player):
            dealt = yield from self.drain(target, n, kind, carry=pierce)
            return dealt
        dealt = min(n, self.defence(target) - target.damage)
        target.damage += dealt
        if target.damage >= self.defence(target):
            yield from self.leave(target, destroyed=True)
        if pierce and n > dealt:
            hero = self.players[target.side]
            yield from self.deal(by, hero, n - dealt, direct=direct, pierce=True, kind=Drain.CARRIED)
        return dealt

    def block_option(self, target: Player | Thing, n: int) -> Asking:
        """RUNE-81, 82."""
        player = self.players[target.side]
        spent = player.blocked >= self.rules["blocks_per_turn"]
        if n <= target.guard or spent or not player.hand or self.block(player) == 0:
            return
        code = yield from self.ask(Phase.BLOCK, player.side, [0, *(1 + at for at in self.hand_places(player))])
        if code == 0:
            return
        self.discard_card(player.hand[code - 1])
        player.blocked += 1
        self.facts.add("blocks", player.side)
        yield from self.fire({player.side: "you_block"})
        if self.exposed(target):
            target.guard += self.block(player)

    def drain(self, player: Player, n: int, kind: Drain, *, carry: bool) -> Asking:
        """RUNE-22, 85, 87, 88. Health that is lost. carry: the rest goes on after a power. Returns what was lost."""
        lost = 0
        while n > 0:
            step = min(n, player.health)
            player.health -= step
            lost += step
            n -= step
            self.facts.drained[player.side][kind] += step
            if player.health == 0:
                self.lose_power(player, Lost.HEALTH)
                player.health = self.max_health(player)
                yield from self.downed(player)
                if not carry:
                    break
        return lost

    def heal(self, player: Player, n: int) -> None:
        """Up to the maximum."""
        if not self.flag(player, "no_heal"):
            player.health = min(self.max_health(player), player.health + n)


class Ailments(Damage):
    """Applying, removing, converting."""

    def area_for(self, player: Player, kind: int) -> Area | None:
        """RUNE-95, A04. Area that an instance of a type takes."""
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
        """RUNE-98, A27. Those announced first fit first; the active player orders them."""
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
