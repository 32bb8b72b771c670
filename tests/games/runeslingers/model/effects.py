"""Effects of the Runeslingers model: whom they reach, what is announced, what they do. RUNE-50 to 59."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sim.games.runeslingers.state import SLOTS, Drain, Phase
from tests.games.runeslingers.model.damage import Ailments
from tests.games.runeslingers.model.table import BOOST_WORDS, TYPES, Asking, Concentration, Object, Player, Thing

Effect = dict[str, Any]
TARGETING = ("any", "runeslinger", "enemy", "own", "defence", "runespell", "concentration", "card")
OWN, ENEMY = (2, 14), (8, 18)  # TARGET codes of the first slot and the first boon, as the deciding seat sees them


@dataclass(eq=False)
class Source:
    """Where effects come from. thing: "this card"; runespell: its type, if it is one."""

    by: int
    effects: list[Effect]
    thing: Thing | None = None
    runespell: str | None = None
    pierce: bool = False
    types: list[int] = field(default_factory=list)
    aims: list[Object | None] = field(default_factory=list)


def announced(effects: list[Effect]) -> tuple[int, bool]:
    """RUNE-98. How many types are announced, and whether they must differ."""
    for effect in effects:
        if effect.get("ailment") == "choose":
            return effect["n"], effect.get("distinct", False)
        if effect.get("into") == "choose":
            return 1, False
        if (found := announced(effect.get("hit", [])))[0]:
            return found
    return 0, False


class Effects(Ailments):
    """Announcing and carrying out effects."""

    def act(self, by: int, effects: list[Effect], thing: Thing | None = None, *, pierce: bool = False) -> Asking:
        """RUNE-45, 76. Choices, then targets, then effects."""
        source = Source(by, effects, thing, pierce=pierce)
        yield from self.announce_types(source)
        yield from self.announce_aims(source)
        yield from self.resolve(source)

    def targets(self, source: Source, effect: Effect) -> list[Object]:
        """RUNE-58. Legal targets of an effect."""
        own, enemy = self.players[source.by], self.players[1 - source.by]
        things = self.things()
        defence: list[Object] = [thing for thing in things if self.is_defence(thing)]
        concs: list[Object] = [*self.exposed_concs(own), *self.exposed_concs(enemy)]
        others: list[Object] = [thing for thing in things if thing is not source.thing]
        to = effect["to"]
        found: dict[str, list[Object]] = {
            "any": [own, enemy, *defence],
            "runeslinger": [own, enemy],
            "enemy": [enemy],
            "own": [own, *(thing for thing in defence if thing.side == own.side)],
            "defence": defence,
            "runespell": [thing for thing in others if not self.is_defence(thing)],
            "concentration": concs,
            "card": [*concs, *others],
        }
        reached = found[to]
        if effect["op"] == "damage":
            if source.runespell == "attack" and self.flag(own, "attack_any"):
                wider = {"runeslinger": defence, "enemy": [thing for thing in defence if thing.side == enemy.side]}
                reached = reached + wider.get(to, [])
            if self.switch("own_targets", False):
                reached = [target for target in reached if target.side != own.side]
        if effect["op"] in ("destroy", "trap"):
            reached = [target for target in reached if target is not source.thing]
        return reached

    def can_aim(self, source: Source, *, covers: bool = False) -> bool:
        """RUNE-50. Whether every effect has a target. covers: the card will lie on one of the player's concentrations."""
        for effect in source.effects:
            if effect.get("to") in TARGETING:
                fewer = 1 if covers and effect["to"] in ("concentration", "card") else 0
                if len(self.targets(source, effect)) <= fewer:
                    return False
        return True

    def announce_types(self, source: Source) -> Asking:
        """RUNE-51 step 4."""
        n, distinct = announced(source.effects)
        for _ in range(n):
            left = [kind for kind in range(len(TYPES)) if not (distinct and kind in source.types)]
            kind = yield from self.ask(Phase.AILMENT, source.by, left)
            source.types.append(kind)

    def announce_aims(self, source: Source) -> Asking:
        """RUNE-51 step 5."""
        for effect in source.effects:
            target = None
            if effect.get("to") in TARGETING and (found := self.targets(source, effect)):
                by_code = self.coded(source.by, found)
                code = yield from self.ask(Phase.TARGET, source.by, by_code)
                target = by_code[code]
            source.aims.append(target)

    def coded(self, seat: int, found: list[Object]) -> dict[int, Object]:
        """TARGET codes; the player's concentrations with the same card and position are merged."""
        concs = self.merged_concs(target for target in found if isinstance(target, Concentration) and target.side == seat)
        targets = {}
        for target in found:
            if not isinstance(target, Concentration) or target.side != seat or target in concs:
                targets[self.code(seat, target)] = target
        return targets

    def code(self, seat: int, target: Object) -> int:
        """TARGET code of an object as this seat sees it."""
        if isinstance(target, Player):
            return 0 if target.side == seat else 1
        slots, boons = OWN if target.side == seat else ENEMY
        return slots + target.place if target.place < SLOTS else boons + target.place - SLOTS

    def resolve(self, source: Source) -> Asking:
        """RUNE-51 step 7, RUNE-59. Returns how many effects acted; the others fizzled."""
        acted = 0
        for effect, target in zip(source.effects, source.aims, strict=True):
            to = effect.get("to", "self")
            fizzles = to in TARGETING and (target is None or not self.exposed(target))
            acted += not fizzles
            if to == "each":
                yield from self.each(source, effect)
            elif to == "self":
                yield from self.carry_out(source, effect, self.players[source.by])
            elif target is not None and not fizzles:
                yield from self.carry_out(source, effect, target)
        return acted

    def each(self, source: Source, effect: Effect) -> Asking:
        """RUNE-11. The active player chooses who comes first."""
        other = yield from self.ask(Phase.EACH, self.active, (0, 1))
        for player in self.order()[:: -1 if other else 1]:
            yield from self.carry_out(source, effect, player)

    def carry_out(self, source: Source, effect: Effect, target: Object) -> Asking:
        """One effect on one object."""
        op, n = effect["op"], effect.get("n", 0)
        if op == "damage":
            yield from self.damage(source, effect, target)
        elif op == "destroy":
            yield from self.destroy(target)
        elif op == "trap":
            yield from self.trap(source.thing, target)
        elif op == "release":
            if source.thing is not None:
                self.release(source.thing)
        elif op == "barrier":
            target.guard += n
        elif isinstance(target, Player):
            yield from self.on_cards(target, op, n)
            yield from self.on_player(source, effect, target)

    def on_cards(self, player: Player, op: str, n: int) -> Asking:
        """Effects on hands and decks."""
        if op in ("draw", "sear", "void"):
            yield from self.take(player, n, op)
        elif op == "discard":
            yield from self.discard_chosen(player, n)
        elif op == "discard_random":
            self.discard_random(player, n)

    def on_player(self, source: Source, effect: Effect, player: Player) -> Asking:
        """Effects on health, ailments and what lasts for a turn."""
        op, n, by = effect["op"], effect.get("n", 0), source.by
        plain: dict[str, Callable[[], None]] = {
            "heal": lambda: self.heal(player, n),
            "light": lambda: self.make_light(player, n),
            "extra_set": lambda: self.add_sets(player, n),
            "boost": lambda: self.boost(player, effect["stat"], effect.get("n", 1)),
        }
        if op in plain:
            plain[op]()
        elif op == "lose":
            yield from self.drain(player, n, Drain.LOSS, carry=True)
        elif op == "remove":
            yield from self.remove(by, player, n)
        elif op == "convert":
            into = source.types[0] if effect["into"] == "choose" else TYPES.index(effect["into"])
            yield from self.convert(by, player, n, into)
        elif op == "apply" and effect["ailment"] == "choose":
            yield from self.apply_announced(by, player, source.types)
        elif op == "apply":
            for _ in range(n):
                yield from self.apply_one(player, TYPES.index(effect["ailment"]))

    def damage(self, source: Source, effect: Effect, target: Object) -> Asking:
        """RUNE-80, 89. A damage effect is one event; what a hit brings follows it."""
        if not isinstance(target, Player) and not self.is_defence(target):
            return
        n = effect.get("n", 0)
        if effect.get("per") == "target_ailments":
            n *= self.instances(target) if isinstance(target, Player) else 0
        own = self.players[source.by]
        if n:
            n = max(0, n + self.damage_bonus(own, source.runespell))
        pierce = source.pierce or self.adds_pierce(own, source.runespell)
        dealt = yield from self.deal(source.by, target, n, direct=effect.get("direct", False), pierce=pierce)
        if not isinstance(target, Player):
            return
        if dealt:
            for follows in effect.get("hit", []):
                yield from self.carry_out(source, follows, target)

    def make_light(self, player: Player, n: int) -> None:
        """RUNE-40."""
        player.light += n
        self.facts.add("light_made", player.side, n)

    def add_sets(self, player: Player, n: int) -> None:
        """RUNE-39."""
        player.sets_left += n

    def boost(self, player: Player, stat: str, n: int) -> None:
        """Until the Discard Phase."""
        player.boosts[BOOST_WORDS.index(stat)] += n
