"""Hands and piles of the Runeslingers model, powers lost, triggers. RUNE-20 to 25, 36, 76 to 78, 120 to 123."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sim.games.runeslingers.state import HAND_MAX, Cause, Lost, Phase
from tests.games.runeslingers.model_stats import Stats
from tests.games.runeslingers.model_table import Asking, Player, Thing


@dataclass(eq=False)
class Trigger:
    """A trigger that waits. alive: whether its source is still there (A31)."""

    seat: int
    effects: list[dict[str, Any]]
    thing: Thing | None = None
    alive: Callable[[], bool] = lambda: True


class Piles(Stats):
    """Cards that move, and what waits for it."""

    def now(self, player: Player) -> int:
        """Own turn, from 1 on."""
        return max(1, player.own_turns)

    def to_hand(self, inst: int, *, drawn: bool = False) -> None:
        """RUNE-36, A11. A full hand sends it to the discard pile."""
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
        """RUNE-24, 25, A22. A power, a new deck, then the triggers."""
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
        self.facts.lost_turn[player.side].append(self.turn + 1)
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
        """RUNE-76. What waits for this, by seat."""
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
