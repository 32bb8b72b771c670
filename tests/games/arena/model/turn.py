"""The course of a game in the Arena model: placing, turns, the choice of ability and target (ARENA-04 to 38, 84)."""

from tests.games.arena.model.attack import nests, resolve
from tests.games.arena.model.board import Hex, distance
from tests.games.arena.model.table import Flow, Table, ask, effect, passive

PASS = 0
WITHOUT_TARGET = 16
CODES_PER_ABILITY = 17


def ability_code(ability: int, target: int | None = None) -> int:
    """Code of an ABILITY decision: ability 0..2, target piece 0..15 or None for a utility or an area attack."""
    return 1 + CODES_PER_ABILITY * ability + (WITHOUT_TARGET if target is None else target)


class Turns(Table):
    """Who decides what, and when."""

    def game(self) -> Flow:
        """A whole game; with `spread` the heroes already stand."""
        if self.rules["start_choice"] == "choose":
            yield from self._set_up()
        yield from self.turns("MOVE")

    def _set_up(self) -> Flow:
        """ARENA-05."""
        for i in self.seats:
            self.active = (self.first + i) % len(self.seats)
            free = [n for n, place in enumerate(self.board.starts) if place not in self.taken()]
            code = yield from ask("START", self.active, free)
            self.positions[self.active] = self.board.starts[code]
        self.active = self.first

    def turns(self, phase: str) -> Flow:
        """ARENA-10 to 15, 84."""
        while not self.finished:
            user = self.active
            if phase == "MOVE":
                self.protection[user] = 0
                length = max(0, self.cards[user]["move"] - self.slow[user])
                yield from self._move_by_choice("MOVE", user, list(self.destinations(user, length)))
            phase = "MOVE"
            yield from self._act(user)
            # rule variant: the turn in which the last opponent falls ends at step (j), so it is not counted as completed
            if not self.finished:
                self._end_turn(user)

    def _move_by_choice(self, phase: str, user: int, places: list[Hex]) -> Flow:
        code = yield from ask(phase, user, self.hex_codes(places))
        self.positions[user] = self.board.land[code]

    def _end_turn(self, user: int) -> None:
        """ARENA-14, 84."""
        self.slow[user] = 0
        self.turn += 1
        self.active = next(s for i in range(1, 5) if (s := (user + i) % len(self.seats)) in self.positions)
        # rule variant: the cap stops the game before the next hero's turn starts, so its protection stays (11)
        self.finished = self.turn >= self.rules["turn_cap"]

    def _act(self, user: int) -> Flow:
        """ARENA-12, 13, 15, 30, 31, 34, 38."""
        code = yield from ask("ABILITY", user, self._ability_codes(user))
        if code == PASS:
            return
        index, t = divmod(code - 1, CODES_PER_ABILITY)
        target = None if t == WITHOUT_TARGET else t
        ability = self.cards[user]["ability"][index]
        self.pending = {"ability": index, "target": target}
        if effect(ability, "move_before"):
            yield from self._move_by_choice("PRE_MOVE", user, self._hexes_before(user, ability, target))
        yield from resolve(self, user, ability, target)
        most = self._move_after(user, ability)
        if ability["kind"] == "attack" and most > 0 and user in self.positions and not self.finished:
            yield from self._move_by_choice("POST_MOVE", user, list(self.destinations(user, most)))
        self.pending = {}

    def _move_after(self, user: int, ability: dict) -> int:
        """ARENA-38. The larger of card and passive."""
        given = [effect(ability, "move_after"), passive(self.cards[user], "move_after")]
        return max((found["max"] for found in given if found), default=0)

    def _ability_codes(self, user: int) -> list[int]:
        """ARENA-13, 30, 33, 35, 36, 70."""
        codes = []
        for index, ability in enumerate(self.cards[user]["ability"]):
            if ability["kind"] == "utility":
                summon = effect(ability, "summon")
                if not summon or nests(self, user, summon):
                    codes.append(ability_code(index))
            if ability["kind"] == "attack" and effect(ability, "area"):
                if any(self.adjacent(user, piece) for piece in self.positions if piece != user):
                    codes.append(ability_code(index))
            elif ability["kind"] == "attack":
                others = [piece for piece in self.positions if piece != user]
                codes += [ability_code(index, t) for t in others if self._hexes_before(user, ability, t)]
        may_pass = self.rules["pass_ability"] == "allowed" or not codes
        return codes + [PASS] * may_pass

    def _hexes_before(self, user: int, ability: dict, target: int) -> list[Hex]:
        """ARENA-32, 34. Hexes from which the attack can be made: those of `move_before`, else the hero's own hex."""
        before = effect(ability, "move_before") or {"min": 0, "max": 0}
        reach = self.destinations(user, before["max"])
        there = self.positions[target]
        return [x for x, d in reach.items() if d >= before["min"] and distance(x, there) <= ability["range"]]
