"""Hands and piles of the Runeslingers model, powers lost, triggers, cards that leave play.

RUNE-20 to 26, 36, 62, 76 to 78, 109, 120 to 126.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sim.games.runeslingers.state import HAND_MAX, SLOTS, Cause, Lost, Phase
from tests.games.runeslingers.model.table import Area, Asking, Concentration, Player, Stats, Thing


@dataclass(eq=False)
class Trigger:
    """A trigger that waits. alive: whether its source is still there (A31)."""

    seat: int
    effects: list[dict[str, Any]]
    thing: Thing | None = None
    alive: Callable[[], bool] = lambda: True


class Piles(Stats):
    """Cards that move, and triggers on that."""

    def now(self, player: Player) -> int:
        """Own turn, from 1 on."""
        return max(1, player.own_turns)

    def to_hand(self, inst: int, *, drawn: bool = False) -> None:
        """RUNE-36, A11. A full hand sends the card to the discard pile."""
        player = self.owner(inst)
        every = drawn or not self.switch("hand_limit", "draws")
        if self.is_full(player, self.max_hand(player) if every else HAND_MAX):
            player.discard.append(inst)
            self.facts.add("to_limit", player.side)
            return
        player.hand.append(inst)
        self.sorted_hand(player)
        if drawn:
            slot = player.slots_of.index(self.card_of[inst])
            self.facts.drawn[player.side][slot] += 1
            self.facts.drawn_turn[player.side][slot] = self.facts.drawn_turn[player.side][slot] or self.now(player)

    def take(self, player: Player, n: int, op: str) -> Asking:
        """RUNE-24, 120 to 122. Cards from the top of the deck, one at a time."""
        for _ in range(n):
            if self.switch("deck_out", "on_need"):
                while not player.deck:
                    yield from self.deck_out(player)
            inst = player.deck.pop()
            if op == "draw":
                self.facts.add("drawn_cards", player.side)
                self.to_hand(inst, drawn=True)
            elif op == "sear":
                self.facts.add("seared", player.side)
                player.discard.append(inst)
            else:
                self.facts.add("voided", player.side)
                player.void.append(inst)
            if not player.deck and not self.switch("deck_out", "on_need"):
                yield from self.deck_out(player)

    def deck_out(self, player: Player) -> Asking:
        """RUNE-24, 25, A22. Lose a power, make a new deck, then the triggers."""
        if not player.discard:
            self.end(1 - player.side, Cause.NO_CARDS)
        self.lose_power(player, Lost.DECK)
        player.deck = self.chance.shuffle(player.side, sorted(player.discard))
        player.discard = []
        yield from self.downed(player)

    def lose_power(self, player: Player, cause: Lost) -> None:
        """RUNE-20."""
        player.power -= 1
        player.determination += 1
        self.facts.powers_lost[player.side][cause] += 1
        turns = self.facts.lost_turn[player.side]
        turns[turns.index(0)] = self.turn + 1
        if player.power == 0:
            self.end(1 - player.side, Cause(cause))

    def downed(self, player: Player) -> Asking:
        """RUNE-22. Triggers on losing a power."""
        yield from self.fire({player.side: "you_downed", 1 - player.side: "enemy_downed"})

    def discard_card(self, inst: int) -> None:
        """From a hand to the discard pile."""
        player = self.owner(inst)
        player.hand.remove(inst)
        player.discard.append(inst)

    def discard_chosen(self, player: Player, n: int) -> Asking:
        """RUNE-123. The holder chooses, one at a time."""
        for left in range(n, 0, -1):
            if not player.hand:
                return
            codes = [0] if left >= len(player.hand) else self.hand_places(player)
            at = yield from self.ask(Phase.DISCARD, player.side, codes)
            self.discard_card(player.hand[at])

    def discard_random(self, player: Player, n: int) -> None:
        """RUNE-123."""
        for _ in range(n):
            if player.hand:
                self.discard_card(player.hand[self.chance.random_discard(player.side, len(player.hand))])

    def heard(self, player: Player, when: str) -> list[Trigger]:
        """Triggers of a player in the order stance, slots, boons, each as printed."""
        stance = player.stance.get("triggers", ())
        found = [
            Trigger(player.side, row["effects"])
            for row in stance
            if row["when"] == when and row.get("if", "always") != "not_owned"
        ]
        for thing in player.things:
            if thing is not None:
                found += [
                    Trigger(player.side, row["effects"], thing, lambda thing=thing: self.exposed(thing))
                    for row in self.card(thing.inst).get("triggers", ())
                    if row["when"] == when and row.get("if", "always") in ("always", self.owned(thing))
                ]
        return found

    def fire(self, moments: dict[int, str]) -> Asking:
        """RUNE-76. Triggers that wait for these moments, by seat."""
        waiting = [trigger for seat, when in moments.items() for trigger in self.heard(self.players[seat], when)]
        yield from self.run_triggers(waiting)

    def run_triggers(self, waiting: Iterable[Trigger]) -> Asking:
        """RUNE-77. First the active player's, in that player's order, then the other's."""
        waiting = list(waiting)
        for player in self.order():
            mine = [trigger for trigger in waiting if trigger.seat == player.side]
            while ready := [trigger for trigger in mine if trigger.alive()]:
                at = yield from self.ask(Phase.TRIGGER, player.side, range(len(ready)))
                mine.remove(ready[at])
                yield from self.act_on(ready[at])

    def act_on(self, trigger: Trigger) -> Asking:
        """A trigger resolves: its choices, targets and effects."""
        pierce = trigger.thing is not None and self.has(trigger.thing.inst, "pierce")
        yield from self.act(trigger.seat, trigger.effects, trigger.thing, pierce=pierce)


class Leaving(Piles):
    """Leaving play."""

    def settle(self) -> None:
        """RUNE-23, 26, 27."""
        fallen = [player.side for player in self.players if self.max_health(player) <= 0]
        if len(fallen) == len(self.players):
            winners = {"active_wins": self.active, "active_loses": 1 - self.active}
            self.end(winners.get(self.rules.get("double_loss", "draw"), -1), Cause.MAX_HEALTH)
        if fallen:
            self.end(1 - fallen[0], Cause.MAX_HEALTH)
        for player in self.players:
            player.health = min(player.health, self.max_health(player))

    def check(self) -> Asking:
        """RUNE-62. Destroy defence cards without defence, all at the same moment."""
        while fallen := [thing for thing in self.things() if self.is_defence(thing) and thing.damage >= self.defence(thing)]:
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
        """RUNE-78. A card leaves play, its triggers act, and the consequences are checked."""
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
        """RUNE-77, 78. `destroyed` and `leaves` of cards that left together are one moment: the active player's first."""
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
