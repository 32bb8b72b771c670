"""The plain-Python model of Runeslingers, written straight from the rules: slow and obvious.

Here: set-up and turns (RUNE-14 to 17, 30 to 46), how a game is asked and answered, and its state as plain values.
"""

from typing import Any

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import AREAS, CURVE, DISTINCT, HAND_MAX, NOBODY, SEATS, SLOTS, Phase
from tests.games.runeslingers.model.piles import Trigger
from tests.games.runeslingers.model.playing import Playing
from tests.games.runeslingers.model.table import COUNTED, Asking, Concentration, GameOver, Player, Question, Thing

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
        codes += [code for code, is_open in zip((INHERENT, ABILITY), self.abilities_open(player), strict=True) if is_open]
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
        """Record the curves of a turn."""
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


NAN = float("nan")


class Model(Turns):
    """A game that runs to the next decision with a choice, and waits there.

    After `turn_cap` turns it is over without a winner, and `over` stays False.
    """

    pending: Question | None = None

    def start(self) -> "Model":
        """Run to the first decision."""
        self._routine = self.whole_game()
        self._send(None)
        return self

    @property
    def codes(self) -> list[int]:
        """Open decisions in ascending order; none when the game is over."""
        return self.pending.codes if self.pending is not None else []

    def apply(self, code: int) -> None:
        """Decide, and run to the next decision."""
        if code not in self.codes:
            raise ValueError(f"{code} is none of {self.codes}, {self.pending}")
        self._send(code)

    def _send(self, code: int | None) -> None:
        self.pending = None
        try:
            question = self._routine.send(code)
        except (GameOver, StopIteration):
            return
        if len(question.codes) < 2 or question.codes != sorted(set(question.codes)):
            raise ValueError(f"{question} is no question")
        self.pending = question

    def outcome(self) -> dict[str, Any]:
        """The OUTCOME record, as lists."""
        facts, seats = self.facts, range(SEATS)
        blocks = facts.blocks
        return {
            "turns": sum(player.own_turns for player in self.players),
            "cause": self.cause,
            "drawn_game": int(self.over and self.winner < 0),
            "chooser_won": int(self.winner >= 0 and self.winner == self.chooser),
            "went_first": [int(seat == self.first) for seat in seats],
            "chose": [int(seat == self.chooser) for seat in seats],
            **{fact.name: getattr(facts, fact.name) for fact in COUNTED},
            "own_turns": [player.own_turns for player in self.players],
            "end_power": [player.power for player in self.players],
            "prevented_a_block": [facts.prevented[seat] / blocks[seat] if blocks[seat] else NAN for seat in seats],
            "power_after": [facts.curve(seat, 0) for seat in seats],
            "life_after": [facts.curve(seat, 1) for seat in seats],
            "ailments_after": [facts.curve(seat, 2) for seat in seats],
            "stayed": [self._stayed(seat) for seat in seats],
        }

    def _stayed(self, seat: int) -> list[int]:
        player = self.players[seat]
        copies = [0] * DISTINCT
        for inst in player.hand:
            copies[player.slots_of.index(self.card_of[inst])] += 1
        return copies


OF_A_PLAYER = ("power", "determination", "light", "sets_left", "blocked", "inherent_uses", "boosts", "own_turns")
PILES = ("deck", "hand", "discard", "void")
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses")
ADDED = tuple(stat for stat in Stat if stat < Stat.MAX_HAND)
FLAGS = tuple(stat for stat in Stat if stat > Stat.MAX_HAND)


def snapshot(model: Model) -> dict[str, Any]:
    """The state as plain values: cards are instances, and later changes of the model do not show.

    `players`: by seat; piles in order, the top card of a deck last; `between`: cards on their way.
    `kind`, `seat`, `codes`: the open decision; NOBODY and [] if there is none.
    """
    asked = model.pending
    return {
        "players": [_player(model, player) for player in model.players],
        "active": model.active,
        **{name: getattr(model, name) for name in ("first", "chooser", "turn", "winner")},
        "over": model.over,
        "kind": Phase.OVER.name if asked is None else asked.kind.name,
        "seat": NOBODY if asked is None else asked.seat,
        "codes": list(model.codes),
    }


def _player(model: Model, player: Player) -> dict[str, Any]:
    return {
        **{name: getattr(player, name) for name in OF_A_PLAYER},
        "health": player.health if player.health <= (most := model.max_health(player)) else max(0, most),
        "boosts": list(player.boosts),
        "barrier": player.guard,
        **{name: list(getattr(player, name)) for name in PILES},
        "concs": [_conc(conc) for conc in player.concs],
        "things": [_thing(thing) for thing in player.things],
        "areas": [(area.type, area.count) if area.count else None for area in player.areas],
        "stats": _stats(model, player) if model.codes else None,
    }


def _conc(conc: Concentration | None) -> Any:
    return None if conc is None else (conc.inst, bool(conc.used))


def _thing(thing: Thing | None) -> Any:
    if thing is None:
        return None
    values = {name: getattr(thing, name) for name in OF_A_THING}
    values["uses"] = list(thing.uses)
    return {"inst": thing.inst, "under": NOBODY if thing.under is None else thing.under, **values}


def _stats(model: Model, player: Player) -> dict[str, int]:
    stats = {stat.name: model.total(player, stat.name.lower()) for stat in ADDED}
    stats["BLOCK"] += player.hero["block"]
    stats["MAX_HEALTH"] += player.hero["health"]
    stats["MAX_HAND"] = model.max_hand(player)
    stats.update({stat.name: int(model.flag(player, stat.name.lower())) for stat in FLAGS})
    return stats
