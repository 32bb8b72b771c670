"""Playing a card, answers and abilities of the Runeslingers model. RUNE-40 to 45, 50 to 75."""

from typing import Any

from sim.games.runeslingers.state import SLOTS, TOKENS_MAX, Phase
from tests.games.runeslingers.model.effects import Effects, Source
from tests.games.runeslingers.model.table import DEFENCE_CARDS, Asking, Concentration, Player, Thing

NONE = 0  # ANSWER code
ENEMY_AREA = 4  # PLACE code of the enemy's first


class Playing(Effects):
    """Playing cards and abilities."""

    def payable(self, player: Player, cost: int) -> bool:
        """RUNE-50."""
        return player.light + sum(not conc.used for conc in self.exposed_concs(player)) >= cost

    def use_conc(self, player: Player, conc: Concentration) -> None:
        """RUNE-40."""
        conc.used = True
        self.make_light(player, 1)

    def pay(self, player: Player, cost: int, first: Concentration | None = None) -> None:
        """RUNE-52."""
        while player.light < cost:
            ready = [conc for conc in self.exposed_concs(player) if not conc.used]
            self.use_conc(player, first if first in ready else ready[0])
        player.light -= cost

    def boon_places(self, player: Player, inst: int) -> list[int]:
        """RUNE-50, 53, 106. PLACE codes: areas with ailments, on fields whose player would have a target for every effect."""
        return [
            at + (0 if side is player else ENEMY_AREA)
            for side in self.players
            if any(self.can_aim(self.source(side, inst, effects)) for effects in self.lists(inst))
            for at, area in enumerate(side.areas)
            if area.count
        ]

    def has_place(self, player: Player, inst: int) -> bool:
        """RUNE-53, 54."""
        card = self.card(inst)
        if card["type"] == "boon":
            return bool(self.boon_places(player, inst))
        if card["type"] == "trinket":
            for thing in player.things:
                if thing is not None and self.card_of[thing.inst] == self.card_of[inst]:
                    return False
        return bool(self.exposed_concs(player))

    def lists(self, inst: int) -> list[list[dict[str, Any]]]:
        """What a card can do: its bullets, or its effects."""
        card = self.card(inst)
        return card.get("bullets") or [card.get("effects", [])]

    def source(self, player: Player, inst: int, effects: list[dict[str, Any]], thing: Thing | None = None) -> Source:
        """A card's own effects. player: its controller (RUNE-05, 106)."""
        kind = self.card(inst)["type"]
        runespell = None if kind in DEFENCE_CARDS else kind
        return Source(player.side, effects, thing, runespell, self.has(inst, "pierce"))

    def playable(self, player: Player, inst: int) -> bool:
        """RUNE-50."""
        card = self.card(inst)
        costs = self.payable(player, card["cost"]) and len(player.hand) - 1 >= _discards(card)
        if card["type"] == "boon":
            return costs and self.has_place(player, inst)
        return (
            costs
            and self.has_place(player, inst)
            and any(self.can_aim(self.source(player, inst, effects), covers=True) for effects in self.lists(inst))
        )

    def playable_places(self, player: Player, *, shout: bool = False) -> list[int]:
        """Indexes of the hand that can be played, or used as an answer."""
        return [
            at
            for at in self.hand_places(player)
            if (self.has(player.hand[at], "shout") or not shout) and self.playable(player, player.hand[at])
        ]

    def choose_conc(self, player: Player, inst: int) -> Asking:
        """A14, RUNE-52. What the card will cover."""
        concs = self.exposed_concs(player)
        automatic = next((conc for conc in concs if conc.used), concs[0])
        distinct = self.card(inst)["type"] in DEFENCE_CARDS or self.has(inst, "distract")
        choice = self.rules.get("slot_choice", "distinct")
        if choice == "auto" or (choice == "distinct" and not distinct):
            return automatic
        slot = yield from self.ask(Phase.SLOT, player.side, (conc.place for conc in self.merged_concs(concs)))
        return player.concs[slot]

    def play(self, player: Player, inst: int) -> Asking:
        """RUNE-51. Play a card from the hand, including everything that answers it."""
        card = self.card(inst)
        side, place, conc = player, None, None
        player.hand.remove(inst)
        self.between.append(inst)
        if card["type"] == "boon":
            code = yield from self.ask(Phase.PLACE, player.side, self.boon_places(player, inst))
            side = player if code < ENEMY_AREA else self.players[1 - player.side]
            place = SLOTS + code % ENEMY_AREA
        else:
            conc = yield from self.choose_conc(player, inst)
            place = conc.place
        self.pay(player, card["cost"], conc)
        yield from self.discard_chosen(player, _discards(card))
        thing = yield from self.lay(player, side, place, inst)
        if not (yield from self.steps(player, thing)):
            self.facts.add("foiled", player.side)

    def lay(self, player: Player, side: Player, place: int, inst: int) -> Asking:
        """RUNE-51 step 2, RUNE-108."""
        self.seq += 1
        self.between.remove(inst)
        thing = Thing(inst, side.side, place, self.seq, self.turn)
        replaced, side.things[place] = side.things[place], thing
        slot = player.slots_of.index(self.card_of[inst])
        self.facts.plays[player.side][slot] += 1
        self.facts.played_turn[player.side][slot] = self.facts.played_turn[player.side][slot] or self.now(player)
        if place >= SLOTS:
            self.facts.add("boons_on_enemy", player.side, int(side is not player))
            under = sum(area.count for at, area in enumerate(side.areas) if side.things[SLOTS + at] is not None)
            self.facts.concealed_most[side.side] = max(under, self.facts.concealed_most[side.side])
        self.settle()
        if replaced is not None:
            yield from self.leave(replaced, destroyed=True)
        yield from self.check()
        return thing

    def steps(self, player: Player, thing: Thing) -> Asking:
        """RUNE-51 steps 3 to 7. Returns whether it had a result: step 7 began (RUNE-63), and a runespell did not fizzle."""
        if not self.exposed(thing):
            return False
        controller = self.players[thing.side]
        effects = yield from self.keywords(controller, thing)
        source = self.source(controller, thing.inst, effects, thing)
        yield from self.announce_types(source)
        yield from self.announce_aims(source)
        if source.runespell:
            self.facts.add("slung", player.side)
            yield from self.fire({player.side: f"sling_{source.runespell}"})
            if not self.exposed(thing):
                return False
        if source.runespell or self.switch("answer_on", "any_card"):
            yield from self.answerable(player)
        if not self.exposed(thing):
            return False
        acted = yield from self.resolve(source)
        return bool(acted) or not source.runespell

    def keywords(self, player: Player, thing: Thing) -> Asking:
        """RUNE-51 step 3. Returns the effects that act."""
        card = self.card(thing.inst)
        effects = card.get("effects", [])
        thing.tokens = _tokens(card)  # the position of the keyword makes no difference
        for keyword in card.get("keywords", ()):
            if keyword in ("choice", "fate"):
                bullets = [
                    at
                    for at, bullet in enumerate(card["bullets"])
                    if self.can_aim(self.source(player, thing.inst, bullet, thing))
                ]
                if not bullets:
                    return []
                chooser = player.side if keyword == "choice" else 1 - player.side
                effects = card["bullets"][(yield from self.ask(Phase.BULLET, chooser, bullets))]
        return effects

    def answerable(self, player: Player) -> Asking:
        """RUNE-70, 71. Let the other player answer."""
        if self.switch("answer_on", "nothing"):
            return
        other = self.players[1 - player.side]
        places = self.playable_places(other, shout=True)
        code = yield from self.ask(Phase.ANSWER, other.side, [NONE, *(1 + at for at in places)])
        if code != NONE:
            self.facts.add("answers", other.side)
            self.facts.add("answered_cards", player.side)
            yield from self.play(other, other.hand[code - 1])

    def abilities_open(self, player: Player) -> tuple[bool, bool]:
        """RUNE-41, 42. Inherent and equipped ability."""
        if self.flag(player, "no_ability"):
            return False, False
        inherent = player.hero["inherent"]
        often = inherent.get("per_turn", 0) == 0 or player.inherent_uses < inherent["per_turn"]
        aims = [self.can_aim(Source(player.side, row["effects"])) for row in (inherent, player.ability)]
        return (
            often and aims[0] and self.payable(player, inherent.get("light", 0)),
            aims[1] and player.determination >= player.ability["determination"],
        )

    def use_inherent(self, player: Player) -> Asking:
        """RUNE-41."""
        self.pay(player, player.hero["inherent"].get("light", 0))
        player.inherent_uses += 1
        self.facts.add("inherent_times", player.side)
        yield from self.act(player.side, player.hero["inherent"]["effects"])

    def use_ability(self, player: Player) -> Asking:
        """RUNE-42, 28."""
        player.determination -= player.ability["determination"]
        self.facts.add("ability_times", player.side)
        self.facts.add("spent", player.side, player.ability["determination"])
        yield from self.act(player.side, player.ability["effects"])

    def activations(self, player: Player, thing: Thing) -> list[int]:
        """RUNE-43, 45. Activated effects of a card that can be used."""
        found = []
        for at, row in enumerate(self.card(thing.inst).get("activated", ())):
            often = row.get("per_turn", 0) == 0 or thing.uses[at] < row["per_turn"]
            turned = row.get("use", False) and (thing.used or thing.turn_played == self.turn)
            source = Source(player.side, row["effects"], thing)
            paid = self.payable(player, row.get("light", 0)) and thing.tokens >= row.get("tokens", 0)
            if often and not turned and paid and self.can_aim(source):
                found.append(at)
        return found

    def activate(self, player: Player, thing: Thing, at: int) -> Asking:
        """RUNE-43, 45."""
        row = self.card(thing.inst)["activated"][at]
        self.pay(player, row.get("light", 0))
        thing.tokens -= row.get("tokens", 0)
        thing.used = thing.used or row.get("use", False)
        thing.uses[at] += 1
        yield from self.act(player.side, row["effects"], thing, pierce=self.has(thing.inst, "pierce"))

    def charge(self, thing: Thing) -> None:
        """RUNE-44."""
        thing.charged = True
        thing.tokens = min(TOKENS_MAX, thing.tokens + 1)


def _tokens(card: dict[str, Any]) -> int:
    """RUNE-57. What a card comes with."""
    return card["tokens"] if "token" in card.get("keywords", ()) else 0


def _discards(card: dict[str, Any]) -> int:
    return card.get("extra_cost", {}).get("discard", 0)
