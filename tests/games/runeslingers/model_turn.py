"""Set-up and turns of the Runeslingers model. RUNE-14 to 17, 30 to 46."""

from sim.games.runeslingers.state import AREAS, CURVE, HAND_MAX, SEATS, SLOTS, Phase
from tests.games.runeslingers.model_piles import Trigger
from tests.games.runeslingers.model_playing import Playing
from tests.games.runeslingers.model_table import Asking, Concentration, Player, Thing

END, PLAY, SET, INHERENT, ABILITY, ACT, CHARGE, FLOAT = 0, 1, 13, 25, 26, 27, 47, 57  # MAIN codes, the first of each
ACT_BOON = ACT + 2 * SLOTS
CHARGE_BOON = CHARGE + SLOTS
PLAY_ON, DRAW, TAKE_BACK = range(3)  # PASS codes
CONCS_TURN = 5  # own turn after which concentrations are counted


class Turns(Playing):
    """The course of a game."""

    def whole_game(self) -> Asking:
        """RUNE-14 to 17, 145."""
        yield from self.set_up()
        yield from self.turns()

    def turns(self) -> Asking:
        """RUNE-30, 145."""
        while self.turn < self.rules["turn_cap"]:
            yield from self.begin()
            yield from self.rest_of_turn()

    def from_main(self) -> Asking:
        """The turns from the Play Phase of the active player on."""
        yield from self.play_phase()
        yield from self.discard_phase()
        yield from self.turns()

    def set_up(self) -> Asking:
        """RUNE-14 to 17."""
        for player in self.players:
            player.power = self.rules["start_power"]
            player.health = self.max_health(player)
            player.deck = self.chance.shuffle(player.side, sorted(player.deck))
        self.settle()
        for player in self.players:
            yield from self.take(player, self.rules["start_hand"], "draw")
        for player in self.players:
            for _ in range(min(self.rules["start_concentrations"], len(player.hand))):
                at = yield from self.ask(Phase.SETUP, player.side, self.hand_places(player))
                self.put_conc(player, player.hand[at])
        yield from self.choose_first()

    def choose_first(self) -> Asking:
        """RUNE-17, A29."""
        if self.switch("first", "seat0"):
            self.first = self.active = 0
            return
        rolls = [0] * SEATS
        while rolls[0] == rolls[1]:
            rolls = [self.chance.roll(seat) for seat in range(SEATS)]
        self.chooser = rolls.index(max(rolls))
        code = 0
        if not self.switch("first", "random"):
            code = yield from self.ask(Phase.FIRST, self.chooser, (0, 1))
        self.first = self.active = self.chooser if code == 0 else 1 - self.chooser

    def put_conc(self, player: Player, inst: int) -> None:
        """RUNE-16, 39."""
        player.hand.remove(inst)
        slot = player.concs.index(None)
        player.concs[slot] = Concentration(inst, player.side, slot)

    def begin(self) -> Asking:
        """RUNE-31."""
        active = self.players[self.active]
        active.own_turns += 1
        for player in self.players:
            player.sets_left = self.rules["sets_per_turn"]
            player.blocked = player.inherent_uses = 0
            for thing in filter(None, player.things):
                thing.charged, thing.uses = False, [0, 0]
        yield from self.fire({self.active: "turn_start"})

    def rest_of_turn(self) -> Asking:
        """RUNE-32 to 46."""
        active = self.players[self.active]
        for conc in self.exposed_concs(active):
            conc.used = False
        for thing in filter(None, active.things):
            thing.used = False
        steps = [self.ailment_effects(active, "ailment_phase"), self.limit_step(active)]
        for step in steps[:: -1 if self.switch("ailment_phase_order", "removal_first") else 1]:
            yield from step
        yield from self.take(active, self.rules["first_draw" if self.turn == 0 else "draw"], "draw")
        yield from self.ailment_effects(active, "after_draw")
        if not (yield from self.pass_turn(active)):
            yield from self.play_phase()
        yield from self.discard_phase()

    def ailment_effects(self, player: Player, moment: str) -> Asking:
        """RUNE-33, 35. Of the ailments at level II, in the player's order."""
        waiting = []
        for _, area in self.exposed_areas(player):
            effects = self.ailments[area.type].get(moment)
            if effects and self.is_level_two(player, area.type):
                alive = lambda kind=area.type: self.is_level_two(player, kind)  # noqa: E731 - a closure of its own
                waiting.append(Trigger(player.side, effects, alive=alive))
        yield from self.run_triggers(waiting)

    def pass_turn(self, player: Player) -> Asking:
        """RUNE-37. Returns whether the Play Phase is skipped."""
        codes = [PLAY_ON]
        if not self.flag(player, "no_pass"):
            codes.append(DRAW)
            limit = HAND_MAX if self.switch("hand_limit", "draws") else self.max_hand(player)
            if not self.is_full(player, limit):
                codes += [TAKE_BACK + conc.place for conc in self.merged_concs(self.exposed_concs(player))]
        code = yield from self.ask(Phase.PASS, player.side, codes)
        if code == PLAY_ON:
            return False
        self.facts.add("passes", player.side)
        if code == DRAW:
            yield from self.take(player, self.rules["pass_draw"], "draw")
        else:
            conc = player.concs[code - TAKE_BACK]
            player.concs[conc.place] = None
            player.hand.append(conc.inst)
            self.sorted_hand(player)
        yield from self.fire({player.side: "you_pass"})
        return True

    def can_set(self, player: Player) -> bool:
        """RUNE-39."""
        return player.sets_left > 0 and None in player.concs[: self.rules["concentration_areas"]]

    def main_codes(self, player: Player) -> list[int]:
        """RUNE-38."""
        codes = [END, *(PLAY + at for at in self.playable_places(player))]
        if self.can_set(player):
            codes += [SET + at for at in self.hand_places(player)]
        codes += [
            code for code, is_open in zip((INHERENT, ABILITY), self.abilities_open(player), strict=True) if is_open
        ]
        for thing in filter(None, player.things):
            codes += [_act_code(thing) + at for at in self.activations(player, thing)]
            if self.has(thing.inst, "charge") and not thing.charged:
                codes.append(_charge_code(thing))
        if self.switch("float_light", True) and any(not conc.used for conc in self.exposed_concs(player)):
            codes.append(FLOAT)
        return codes

    def play_phase(self) -> Asking:
        """RUNE-38 to 45."""
        player = self.players[self.active]
        while code := (yield from self.ask(Phase.MAIN, player.side, self.main_codes(player))):
            if code < SET:
                yield from self.play(player, player.hand[code - PLAY])
            elif code < INHERENT:
                player.sets_left -= 1
                self.put_conc(player, player.hand[code - SET])
            elif code == INHERENT:
                yield from self.use_inherent(player)
            elif code == ABILITY:
                yield from self.use_ability(player)
            elif code == FLOAT:
                self.use_conc(player, next(conc for conc in self.exposed_concs(player) if not conc.used))
            else:
                yield from self.with_thing(player, code)

    def with_thing(self, player: Player, code: int) -> Asking:
        """RUNE-43 to 45."""
        for thing in filter(None, player.things):
            if code == _charge_code(thing):
                self.charge(thing)
                return
            if code - _act_code(thing) in (0, 1):
                yield from self.activate(player, thing, code - _act_code(thing))
                return

    def discard_phase(self) -> Asking:
        """RUNE-46."""
        for thing in self.things():
            if not self.is_defence(thing) and self.exposed(thing):
                yield from self.leave(thing)
        for player in self.players:
            player.boosts = [0] * len(player.boosts)
            self.facts.add("light_wasted", player.side, player.light)
            player.light = player.guard = 0
            for thing in filter(None, player.things):
                thing.damage = thing.guard = 0
        self.note_turn(self.players[self.active])
        self.turn += 1
        self.active = 1 - self.active

    def note_turn(self, player: Player) -> None:
        """What the curves tell of an own turn."""
        if player.own_turns <= CURVE:
            life = (player.power - 1) * self.max_health(player) + player.health
            self.facts.curves[player.side].append((player.power, life, self.instances(player)))
        if player.own_turns == CONCS_TURN:
            self.facts.concs_at[player.side] = sum(conc is not None for conc in player.concs)


def _act_code(thing: Thing) -> int:
    return ACT + 2 * thing.place if thing.place < SLOTS else ACT_BOON + 2 * (thing.place - SLOTS)


def _charge_code(thing: Thing) -> int:
    return CHARGE + thing.place if thing.place < SLOTS else CHARGE_BOON + thing.place - SLOTS


assert ACT_BOON + 2 * AREAS == CHARGE
assert CHARGE_BOON + AREAS == FLOAT
