"""Damage, blocking and health loss of the Runeslingers model. RUNE-22, 80 to 90."""

from sim.games.runeslingers.state import Drain, Lost, Phase
from tests.games.runeslingers.model_leaving import Leaving
from tests.games.runeslingers.model_table import Asking, Player, Thing


class Damage(Leaving):
    """What hurts."""

    def deal(
        self, by: int, target: Player | Thing, n: int, *, direct: bool, pierce: bool, kind: Drain = Drain.DAMAGE
    ) -> Asking:
        """Deal n damage, bonuses included. Returns what the target itself was dealt."""
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
