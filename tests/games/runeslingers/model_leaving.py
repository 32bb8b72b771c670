"""Cards that leave play in the Runeslingers model; what is looked at when numbers change. RUNE-26, 62, 78, 109, 124 to 126."""

from sim.games.runeslingers.state import SLOTS, Cause
from tests.games.runeslingers.model_piles import Piles, Trigger
from tests.games.runeslingers.model_table import Area, Asking, Concentration, Player, Thing


class Leaving(Piles):
    """Leaving play."""

    def settle(self) -> None:
        """RUNE-23, 26, 27."""
        fallen = [player.side for player in self.players if self.max_health(player) <= 0]
        if len(fallen) == len(self.players):
            winners = {"active_wins": self.active, "active_loses": 1 - self.active}
            self.end(winners.get(self.variant.get("double_loss", "draw"), -1), Cause.MAX_HEALTH)
        if fallen:
            self.end(1 - fallen[0], Cause.MAX_HEALTH)
        for player in self.players:
            player.health = min(player.health, self.max_health(player))

    def check(self) -> Asking:
        """RUNE-62. Defence cards without defence are destroyed, all that are found at the same moment."""
        while fallen := [
            thing for thing in self.things() if self.is_defence(thing) and thing.damage >= self.defence(thing)
        ]:
            for thing in fallen:
                self.take_off(thing)
            yield from self.gone(fallen, destroyed=True)

    def discard_conc(self, conc: Concentration) -> None:
        """To its owner's discard pile."""
        self.players[conc.side].concs[conc.place] = None
        self.owner(conc.inst).discard.append(conc.inst)

    def destroy(self, target: Thing | Concentration) -> Asking:
        """RUNE-124."""
        if isinstance(target, Concentration):
            self.discard_conc(target)
        else:
            yield from self.leave(target, destroyed=True)

    def leave(self, thing: Thing, *, destroyed: bool = False, trap: Thing | None = None) -> Asking:
        """RUNE-78. A card leaves play, its triggers act, and what that has brought about is looked at."""
        self.take_off(thing, trap)
        yield from self.gone([thing], destroyed=destroyed)
        yield from self.check()

    def take_off(self, thing: Thing, trap: Thing | None = None) -> None:
        """RUNE-109, 125. A card leaves its place: to its owner's discard pile, or under `trap`.

        A boon that has been replaced (RUNE-108) has its successor in its place already.
        """
        player = self.players[thing.side]
        if thing.under is not None:
            self.between.append(thing.under)
        if player.things[thing.place] is thing:
            player.things[thing.place] = None
            if thing.place >= SLOTS:
                self.merge(player)
        if self.has(thing.inst, "distract"):
            self.discard_conc(player.concs[thing.place])
        if trap is None:
            self.owner(thing.inst).discard.append(thing.inst)
        else:
            trap.under = thing.inst

    def gone(self, things: list[Thing], *, destroyed: bool) -> Asking:
        """RUNE-77, 78. `destroyed` and `leaves` of cards that have left together are one moment: the active player's first."""
        self.settle()
        moments = ("destroyed", "leaves") if destroyed else ("leaves",)
        for player in self.order():
            mine = [thing for thing in things if thing.side == player.side]
            yield from self.run_triggers(
                Trigger(thing.side, row["effects"], thing)
                for thing in mine
                for row in self.card(thing.inst).get("triggers", ())
                if row["when"] in moments and row.get("if", "always") in ("always", self.owned(thing))
            )
            for thing in mine:
                self.release(thing)

    def release(self, thing: Thing) -> None:
        """RUNE-126. The card under it returns to its owner's hand."""
        if thing.under is not None:
            inst, thing.under = thing.under, None
            self.between.remove(inst)
            self.to_hand(inst)

    def trap(self, trap: Thing | None, target: Thing | Concentration) -> Asking:
        """RUNE-126, A10. The target goes under the trapping card, for everything else it leaves."""
        if trap is None or not self.exposed(trap) or trap.under is not None:
            return
        if isinstance(target, Concentration):
            self.players[target.side].concs[target.place] = None
            trap.under = target.inst
        else:
            yield from self.leave(target, trap=trap)

    def merge(self, player: Player) -> None:
        """RUNE-101. Exposed areas of one type become one, the lower."""
        first: dict[int, Area] = {}
        for _, area in self.exposed_areas(player):
            lower = first.setdefault(area.type, area)
            if lower is not area:
                lower.count, area.count = lower.count + area.count, 0
