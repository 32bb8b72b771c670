"""Duels of the Card Rogue model: exact answers as fractions, for small cases.

A duel is a chain of turns. Its states are the positions in which a turn begins. Every turn is followed through all its
dice, and the equations between the states are solved by elimination: nothing is rounded, and endless fights are detected.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from tests.games.cardrogue.model.cards import Switches
from tests.games.cardrogue.model.combat import FLEE, End, Fight
from tests.games.cardrogue.model.dice import Followed, chances
from tests.games.cardrogue.model.people import Enemy, Player


class How(StrEnum):
    """How a duel ends for the player."""

    WON = "won"
    DEAD = "dead"
    FLED = "fled"
    ENDLESS = "endless"  # nothing can change any more


class Outcome(NamedTuple):
    """health: of the player at the end; 0 if dead."""

    how: How
    health: int


class Start(NamedTuple):
    """A position in which a turn begins. first: in the turn in which combat begins nothing happens before it."""

    first: bool
    player: Player
    enemies: tuple[Enemy, ...]


@dataclass(frozen=True)
class Plan:
    """What the player does apart from attacking the first living enemy of the list.

    flee_at, drink_at: health at or below which he flees where he may, drinks a known healing potion (not at full
    health); 0: never. He drinks first, then casts, then looks at his health again. casts: uses his damage spell on his
    target whenever it is ready. way_out: whether a free cell for flight exists.
    """

    flee_at: int = 0
    drink_at: int = 0
    casts: bool = True
    way_out: bool = False


Chances = dict[Start | Outcome, Fraction]

ENDS = {End.CLEAR: How.WON, End.DEAD: How.DEAD, End.AWAY: How.FLED}
ENDLESS = Outcome(How.ENDLESS, 0)
CERTAIN = Fraction(1)
NONE = Fraction(0)


class Duel:
    """One player against 1..4 enemies that all attack him, to the end."""

    def __init__(self, player: Player, enemies: list[Enemy], plan: Plan | None = None, switches: Switches | None = None) -> None:
        self.start = Start(True, player, tuple(enemies))
        self.plan = plan or Plan()
        self.switches = switches or Switches()
        self._turns: dict[Start, Chances] = {}

    # answers

    def outcomes(self) -> dict[Outcome, Fraction]:
        """Chance of every ending with every health; the sum is 1."""
        solved: dict[Start, Chances] = {}
        for state in self._from_the_end():
            row = dict(self._turn(state))
            for known, beyond in solved.items():
                share = row.pop(known, NONE)
                for target, chance in beyond.items() if share else ():
                    row[target] = row.get(target, NONE) + share * chance
            stays = row.pop(state, NONE)
            solved[state] = {to: p / (1 - stays) for to, p in row.items()} if stays < 1 else {ENDLESS: CERTAIN}
        return {to: p for to, p in solved[self.start].items() if p and isinstance(to, Outcome)}

    def chance(self, how: How) -> Fraction:
        """Chance of one kind of end."""
        return sum((p for outcome, p in self.outcomes().items() if outcome.how == how), NONE)

    def by_turn(self, turns_max: int) -> list[dict[Outcome, Fraction]]:
        """What ends in the first turn, the second, ... `turns_max` turns at most; what is missing from 1 goes on."""
        ended: list[dict[Outcome, Fraction]] = []
        under_way = {self.start: CERTAIN}
        while under_way and len(ended) < turns_max:
            further: Chances = {}
            for state, share in under_way.items():
                for target, chance in self._turn(state).items():
                    further[target] = further.get(target, NONE) + share * chance
            ended.append({to: p for to, p in further.items() if isinstance(to, Outcome)})
            under_way = {to: p for to, p in further.items() if isinstance(to, Start)}
        return ended

    # one turn

    def _turn(self, state: Start) -> Chances:
        """Where one turn can lead."""
        if state not in self._turns:
            self._turns[state] = chances(lambda dice: self._play(state, dice))
        return self._turns[state]

    def _play(self, state: Start, dice: Followed) -> Start | Outcome:
        """One turn with these dice."""
        fight = Fight(state.player, state.enemies, dice, self.plan.way_out, self.switches)
        if not state.first:
            fight.start_of_turn()
        if fight.end is None and fight.player.skip == 0:
            self._prepare(fight)
        if fight.end is None:
            fight.combat_turn(self._choice(fight))
        if fight.end in ENDS:
            return Outcome(ENDS[fight.end], max(0, fight.player.health))
        return Start(False, fight.player, tuple(fight.living()))

    def _prepare(self, fight: Fight) -> None:
        """The window before step 1."""
        player = fight.player
        if player.healing_potions and player.health <= self.plan.drink_at and player.health < player.max_health:
            player.healing_potions -= 1
            fight.drink("healing")
        if self.plan.casts and player.character.spell_damage and player.cooldown == 0:
            fight.cast_damage(self._target(fight))

    def _choice(self, fight: Fight) -> int:
        if fight.player.health <= self.plan.flee_at and fight.flight_faces() is not None:
            return FLEE
        return self._target(fight)

    @staticmethod
    def _target(fight: Fight) -> int:
        return next(index for index, enemy in enumerate(fight.enemies) if enemy.alive)

    # the chain

    def _from_the_end(self) -> Iterator[Start]:
        """All states that can come up, each after those that it leads to, except in cycles."""
        seen = {self.start}
        path = [(self.start, iter(self._turn(self.start)))]
        while path:
            state, targets = path[-1]
            target = next((to for to in targets if isinstance(to, Start) and to not in seen), None)
            if target is None:
                path.pop()
                yield state
            else:
                seen.add(target)
                path.append((target, iter(self._turn(target))))
