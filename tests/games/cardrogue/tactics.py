"""Positions of Card Rogue with one clearly best decision, by reasoning from the rules; the last words of each explain it.

Seat 0 is about to decide unless stated otherwise. In the end rush a player who dies is out, and the first on a starting
tile scores a point and ends the game (ROGUE-104).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.games.cardrogue.positions import FOUR, Play, a, an_enemy, table
from tests.games.playing import Laid

FAR = (12, 24)  # where the other player is out of the way
NEAR_START = (1, 12)
START = (0, 12)
EAST, WEST, NORTH = (1, 13), (1, 11), (2, 12)
AROUND = {"1,12": FOUR, "0,12": "S", "1,13": FOUR, "1,11": FOUR, "2,12": FOUR}  # a starting tile south of the middle
ELSEWHERE = {"12,24": FOUR, "11,24": FOUR, "13,24": FOUR}


@dataclass(frozen=True)
class Tactic:
    """A position and its best decisions (several only if they are equivalent).

    glance: it can be seen at once; seat: the one that decides.
    """

    name: str
    lay: Callable[[], Play]
    best: tuple[str, ...]
    glance: bool = False
    seat: int = 0

    @property
    def laid(self) -> Laid:
        """The position, and its options."""
        play = self.lay()
        return Laid(play.state, play.cards, {code: words for words, code in play.codes.items()})


def lay(own: dict[str, Any], other: dict[str, Any] | None = None, cells: dict[str, str] | None = None, **more: Any) -> Play:
    """Two players, the other one far away unless it is given; cells change the map."""
    other = other or a("bard", FAR)
    return table(own, other, map={**AROUND, **ELSEWHERE, **(cells or {})}, **more)


def cleric(**facts: Any) -> dict[str, Any]:
    return a("cleric", facts.pop("at", NEAR_START), **facts)


def healing() -> Play:
    """The kobold takes 4 a turn and has 6: only a 6 slays it at once, a drink costs no turn."""
    own = cleric(health=2, hand=["red"])
    cells = {"0,12": FOUR}
    return lay(own, cells=cells, enemies=[an_enemy("kobold", NORTH)], potions={"red": "healing"}, rush=True)


def lost_fight() -> Play:
    """The kobold slays with its next blow; it is slain by a 6, fled from by 4, 5 and 6."""
    return lay(cleric(health=3, hand=["golem"]), enemies=[an_enemy("kobold", NORTH)], rush=True)


def no_chase() -> Play:
    """A troll does not chase: running is free, and 10 health are not to be had before its next blow."""
    own = a("mage", NEAR_START, health=3, gold=20, worn={"head": "helm"}, hand=["key"], cooldown=2)
    return lay(own, enemies=[an_enemy("troll", NORTH)])


def last_health() -> Play:
    """Any attack slays the goblin, a flight may fail and brings nothing."""
    return lay(cleric(health=6, gold=10), enemies=[an_enemy("goblin", NORTH, health=1)])


def spell_after_blow() -> Play:
    """Two health are left, which the spell takes; else the zombie is whole again."""
    own = a("mage", NEAR_START, health=3)
    return lay(own, enemies=[an_enemy("zombie", NORTH, health=2)], step="struck")


def spell_that_slays() -> Play:
    """Damage slays the kobold before it strikes; two more health do not outlast it."""
    own = a("mage", NEAR_START, health=2, hand=["red"])
    return lay(own, enemies=[an_enemy("kobold", NORTH, health=2)], step="struck", rush=True).do("cast")


def debt() -> Play:
    """A point more for 16 gold: with the way out two against one; nothing else at the shop is a point."""
    other = a("bard", FAR, scored={"chest": 1})
    return lay(cleric(gold=16), other, {"1,12": "H"}, rush=True, step="interact").do("buy")


def loot_for_debt() -> Play:
    """Thirteen gold and a goblin pay the debt, the point that wins."""
    other = a("bard", FAR, scored={"chest": 1})
    return lay(cleric(gold=13, hand=["goblin"]), other, {"1,12": "H"}, rush=True, step="interact")


def way_out() -> Play:
    """The first one out wins one to nothing."""
    return lay(cleric(), rush=True, step="move").do("move")


def chest_first() -> Play:
    """Out now it is one all; the chest first makes it two to one, and no other player is near the way out."""
    other = a("bard", FAR, scored={"chest": 0, "debt": 1}, skip=1)
    return lay(cleric(hand=["key"]), other, {"1,13": "C"}, rush=True, step="move").do("move")


def no_way_out() -> Play:
    """Out now it is one to two, and the game is lost."""
    other = a("bard", FAR, hand=["golem"])
    return lay(cleric(hand=["key"]), other, {"1,13": "C"}, rush=True, step="move").do("move")


def trip() -> Play:
    """One all, and the other one steps out next, unless it falls."""
    own = a("rogue", NEAR_START, scored={"chest": 1})
    other = a("bard", EAST, scored={"debt": 1})
    return lay(own, other, {"0,13": "S"}, rush=True, step="interact")


def second_turn() -> Play:
    """The second turn leads out before the other one is there."""
    own = a("explorer", NEAR_START)
    other = a("bard", EAST)
    game = lay(own, other, {"0,13": "S", "2,12": "?"}, rush=True)
    return game.do("flip north", draws=["four_way"]).do("pass", "pass")


def through_the_wall() -> Play:
    """The scroll leads through the wall and out, before the other one is there."""
    own = cleric(hand=["scroll_move"])
    return lay(own, a("bard", EAST), {"1,12": "Pb", "0,13": "S"}, rush=True)


def scroll_out_of_combat() -> Play:
    """A flight may fail; the scroll leads out of any fight, here out of the dungeon."""
    own = cleric(health=1, hand=["scroll_move"])
    return lay(own, enemies=[an_enemy("kobold", NORTH)], rush=True)


def spell_step() -> Play:
    """The move is done; the spell is one more, out of the dungeon, before the other one is there."""
    own = a("mage", NEAR_START)
    return lay(own, a("bard", EAST), {"0,13": "S"}, rush=True, step="move", moves_left=0)


def boots() -> Play:
    """The move is done; boots put on now are one more, out of the dungeon."""
    own = cleric(hand=["hasty_boots"])
    return lay(own, a("bard", EAST), {"0,13": "S"}, rush=True, step="move", moves_left=0)


def strongest_first() -> Play:
    """Any attack slays the kobold, which does four times as much as the bat."""
    foes = [an_enemy("kobold", EAST, health=1), an_enemy("cave_bat", NORTH)]
    return lay(cleric(health=5, hand=["golem"]), cells={"0,12": FOUR}, enemies=foes, rush=True).do("attack")


def card_to_keep() -> Play:
    """The golem's card is two points, and points of the dead count."""
    own = cleric(health=1, hand=["golem", "goblin", "troll", "red"], gold=5)
    return lay(own, enemies=[an_enemy("kobold", NORTH)], rush=True).do("attack north", dice=[1]).do("pass")


def key_offered() -> Play:
    """The chest is next to the partner: the key is a point, the potion is next to nothing."""
    own, other = a("rogue", WEST, hand=["key"]), a("cleric", NEAR_START, hand=["blue"])
    cells = {"1,13": "C"}
    return lay(own, other, cells, step="interact").do("trade", "offer key", "ask for blue potion")


def key_wanted() -> Play:
    """The other one stands next to the chest: the key would be its point, a gold is nothing."""
    own, other = a("rogue", EAST, gold=1), a("cleric", NEAR_START, hand=["key"])
    return lay(own, other, {"1,14": "C"}, step="interact").do("trade", "offer 1 gold", "ask for key")


def run_home() -> Play:
    """Got away: the way out is next to one."""
    game = lay(cleric(health=2), enemies=[an_enemy("kobold", NORTH)], rush=True)
    return game.do("flee", dice=[6])


def paralyse_and_run() -> Play:
    """A paralysed enemy lets all players go; plain fleeing fails half the time, and the kobold kills."""
    own = cleric(health=1, hand=["blue", "golem"])
    return lay(own, enemies=[an_enemy("kobold", NORTH)], potions={"blue": "paralysis"}, rush=True)


def poison_in_time() -> Play:
    """Poison works before the enemies strike: the kobold's last health goes."""
    own = cleric(health=1, hand=["green", "golem"])
    foes = [an_enemy("kobold", NORTH, health=1)]
    return lay(own, enemies=foes, potions={"green": "poison"}, rush=True, step="struck")


def antidote() -> Play:
    """The poison would take the last health at the start of the next turn."""
    own = cleric(health=1, poison=2, hand=["scroll_antidote", "golem"])
    return lay(own, cells={"0,12": FOUR}, rush=True, step="interact")


def around_the_spikes() -> Play:
    """The spikes kill; the other way is two steps longer, and no other player is near."""
    own = cleric(health=2, at=(1, 13), hand=["golem"])
    cells = {"1,12": "T:spike", "0,13": "P1", "1,13": FOUR, "2,13": FOUR, "2,12": FOUR, "2,11": FOUR, "1,11": FOUR}
    cells |= {"1,14": FOUR, "0,14": "S"}
    return lay(own, cells=cells, rush=True, step="move").do("move")


def last_blow() -> Play:
    """The golem has two health left: the next player to strike, except with a 1, gets its two points."""
    own, other = cleric(health=6), a("bard", (2, 13))
    foes = [an_enemy("golem", (1, 13), health=2, order=[1, 0])]
    return lay(own, other, {"2,13": FOUR}, enemies=foes)


def join_the_fight() -> Play:
    """The golem has three health left and fights another player: one step closer, and the next blow can be ours."""
    own, other = cleric(at=(1, 11)), a("bard", (2, 13))
    foes = [an_enemy("golem", (1, 13), health=3, order=[1])]
    cells = {"2,13": FOUR, "1,10": FOUR, "2,11": FOUR}
    return lay(own, other, cells, enemies=foes, step="move").do("move")


def alone_with_the_key() -> Play:
    """The chest is the goal, the key is in hand."""
    own = cleric(hand=["key"], health=2)
    return table(own, map={**AROUND, "1,13": "C", "2,12": "?"}, step="move").do("move")


def alone_and_done() -> Play:
    """The goal is reached: out, and the game is won."""
    own = cleric(health=2, scored={"chest": 1})
    return table(own, map={**AROUND, "2,12": "?"}, goals_done=["chest"])


TACTICS = (
    Tactic("a potion before the blow that slays", healing, ("drink",)),
    Tactic("a flee that saves", lost_fight, ("flee",)),
    Tactic("a flight that costs nothing", no_chase, ("flee",), glance=True),
    Tactic("a fight that is sure to be won", last_health, ("attack",), glance=True),
    Tactic("a spell finishes what the blow began", spell_after_blow, ("cast",)),
    Tactic("the spell that slays, not the one that heals", spell_that_slays, ("cast damage",), glance=True),
    Tactic("a purchase that wins", debt, ("buy Shopkeeper's Debt",)),
    Tactic("loot sold for the purchase that wins", loot_for_debt, ("sell",)),
    Tactic("the way out", way_out, ("move south",), glance=True),
    Tactic("the chest before the way out", chest_first, ("move east",)),
    Tactic("no way out while behind", no_way_out, ("move north", "move east", "move west"), glance=True),
    Tactic("a trip at the door", trip, ("trip",)),
    Tactic("a second turn to the way out", second_turn, ("second turn",), glance=True),
    Tactic("a scroll through the wall", through_the_wall, ("read",)),
    Tactic("a scroll out of the fight", scroll_out_of_combat, ("read",)),
    Tactic("a spell for the last step", spell_step, ("cast",)),
    Tactic("boots for the last step", boots, ("equip",)),
    Tactic("the strongest enemy first", strongest_first, ("attack east",), glance=True),
    Tactic("the card to keep", card_to_keep, ("keep Golem",)),
    Tactic("a trade for the key", key_offered, ("accept",), seat=1),
    Tactic("no trade of the key", key_wanted, ("refuse",), seat=1),
    Tactic("running to the way out", run_home, ("flee south",), glance=True),
    Tactic("paralyse and run", paralyse_and_run, ("throw",)),
    Tactic("poison in time", poison_in_time, ("throw",)),
    Tactic("an antidote in time", antidote, ("read",)),
    Tactic("around the spikes", around_the_spikes, ("move north", "move east")),
    Tactic("the last blow at the golem", last_blow, ("attack",), glance=True),
    Tactic("joining the fight with the golem", join_the_fight, ("move east",)),
    Tactic("alone with the key", alone_with_the_key, ("move east",), glance=True),
    Tactic("alone, and done", alone_and_done, ("pass",), glance=True),
)
