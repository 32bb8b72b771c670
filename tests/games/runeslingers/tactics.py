"""Positions in which one decision is clearly best, each named after what there is to find.

The rules make it best: it wins the game, or all others lose it, in this turn or before the player's next Play Phase. Unless a
position states otherwise, both players have one power left, seat 0 is Eva with three concentrations and seat 1 Romin with one,
and no player holds or draws a card that could change it. Where several decisions come to the same, all of them are best.
"""

from dataclasses import dataclass
from typing import Any

from tests.games.playing import Laid
from tests.games.runeslingers import playing
from tests.games.runeslingers.playing import table

Player = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Tactic:
    """A position to decide in. before: decisions that lead to it from the position; best: in words; seat: who decides.

    glance: whether it can be seen at once.
    """

    name: str
    one: Player
    two: Player
    best: tuple[str, ...]
    before: tuple[str, ...] = ()
    seat: int = 0
    glance: bool = False

    @property
    def laid(self) -> Laid:
        """The position after the decisions that lead to it, and its options."""
        return playing.laid(table(LAST | self.one, LAST | self.two), *self.before)


LAST = {"power": 1, "determination": 0}  # of both: the next power lost is the last
EROSION, ROMIN, EVA = {"deck": "erosion"}, {"deck": "romin_starter"}, {"deck": "eva_starter"}
FIVE = ["fireball", "fireball", "cleanse", "binding", "quick_ward"]
EIGHT = {"ailments": [{"type": "burn", "count": 3}, {"type": "debilitate", "count": 2}, {"type": "weaken", "count": 3}]}
IDLE = {"concentrations": []}  # hardly any light in its turn: no damage costs that little


def bolts(*cards: str, light: int = 3, **more: Any) -> Player:
    """A hand, and a number of ready concentrations."""
    return {"hand": [*cards], "concentrations": light} | more


def winning(name: str, one: Player, two: Player, best: tuple[str, ...], before: tuple[str, ...] = ()) -> Tactic:
    """A position in which seat 0 wins now, or else meets six light with three health left."""
    return Tactic(name, {"health": 3} | one, {"concentrations": 6} | two, best, before)


WINNING = (
    winning("damage that ends it", bolts("fireball", "insight"), {"health": 8}, ("play Fireball",)),
    winning(
        "the enemy rather than its chant",
        bolts("fireball"),
        {"health": 8, "things": [{"slot": 1, "card": "draining_chant"}]},
        ("target the enemy Runeslinger",),
        ("play Fireball",),
    ),
    winning(
        "direct damage, as the enemy can block",
        bolts("plutonic_spike", "direct_bolt", light=2),
        {"health": 4, "hand": ["cleanse"]},
        ("play Direct Bolt",),
    ),
    winning(
        "loss that no block stops",
        ROMIN | bolts("glancing_arrow", light=3, things=[{"slot": 1, "card": "draining_chant"}]),
        EVA | {"health": 2, "hand": ["cleanse"]},
        ("activate Draining Chant",),
    ),
    winning(
        "the flame first, then the spike",
        bolts("plutonic_spike", light=2, determination=2),
        {"health": 9},
        ("use the equipped ability",),
    ),
    winning(
        "one more token, then five direct damage",
        bolts(light=1, things=[{"slot": 1, "card": "gathering_chant"}]),
        {"health": 5},
        ("charge Gathering Chant",),
    ),
    winning(
        "the lens pays for the fireball",
        bolts("fireball", "cleanse", light=3, sets_left=0, things=[{"slot": 1, "card": "light_lens"}]),
        {"health": 8},
        ("activate Light Lens",),
    ),
    winning(
        "a card for light, and the light for two bolts",
        EROSION | bolts("light_surge", "twin_bolt", "small_bolt", light=2, inherent_uses=1),
        {"health": 10},
        ("play Light Surge",),
    ),
    winning(
        "the small bolt is the card to give up",
        EROSION | bolts("light_surge", "twin_bolt", "small_bolt", light=2, inherent_uses=1),
        {"health": 10},
        ("discard Small Bolt",),
        ("play Light Surge",),
    ),
    winning(
        "a bolt and its echo",
        bolts("small_bolt", "insight", light=3, things=[{"slot": 1, "card": "echo_chant"}]),
        {"health": 5},
        ("play Small Bolt",),
    ),
    winning(
        "the last cards of a deck are its last power",
        EROSION | bolts("deep_sear", "fireball"),
        {"draw_pile": FIVE, "rest": "discard"},
        ("play Deep Sear",),
    ),
    winning(
        "two spirits wear the deck out",
        bolts("small_bolt", "reckless_bolt", "open_choice", light=2),
        {"draw_pile": FIVE[:4], "rest": "discard"},
        ("play Small Bolt", "play Reckless Bolt"),
    ),
    winning(
        "the boon that one gave the enemy breaks on it",
        bolts("shatter", "glancing_arrow", light=2),
        {"health": 9, "things": [{"slot": 1, "card": "ward_stone"}]}
        | {"ailments": [{"type": "burn", "count": 2}]}
        | {"boons": [{"area": 1, "card": "divine_barrier", "owner": 0}]},
        ("play Shatter",),
    ),
    winning(
        "the own boon is the right one to destroy",
        bolts("shatter", light=2),
        {"health": 9, "things": [{"slot": 1, "card": "ward_stone"}]}
        | {"ailments": [{"type": "burn", "count": 2}]}
        | {"boons": [{"area": 1, "card": "divine_barrier", "owner": 0}]},
        ("target enemy Divine Barrier",),
        ("play Shatter",),
    ),
    winning(
        "the seventh and eighth ailment rather than damage",
        ROMIN | bolts("curse_strike", "fireball"),
        EVA | {"ailments": [{"type": "burn", "count": 3}, {"type": "weaken", "count": 3}]},
        ("play Curse Strike",),
    ),
    winning(
        "a burn of the ability is the eighth",
        EROSION | bolts("fireball", determination=1),
        {"ailments": [{"type": kind, "count": n} for kind, n in (("weaken", 3), ("curse", 3), ("fragment", 1))]},
        ("use the equipped ability",),
    ),
    winning(
        "only ailments that find room are the eighth",
        ROMIN | bolts("rainbow_dart"),
        EVA
        | {"ailments": [{"type": kind, "count": n} for kind, n in (("burn", 2), ("weaken", 2), ("curse", 1), ("fragment", 1))]},
        ("announce burn", "announce weaken", "announce curse", "announce fragment"),
        ("play Rainbow Dart",),
    ),
)
LIVING = (
    Tactic(
        "the boon that will cost the last health",
        bolts("shatter", light=2)
        | {"health": 2, "ailments": [{"type": "burn", "count": 1}, {"type": "curse", "count": 1}]}
        | {"boons": [{"area": 1, "card": "mending_boon", "owner": 1}, {"area": 2, "card": "binding", "owner": 1}]},
        IDLE,
        ("target own Mending Boon",),
        ("play Shatter",),
    ),
    Tactic(
        "to cleanse before eight cost the power",
        bolts("cleanse", light=1, sets_left=0, inherent_uses=1) | EIGHT,
        IDLE,
        ("play Cleanse",),
    ),
    Tactic(
        "to cleanse oneself",
        bolts("cleanse", light=2) | EIGHT,
        IDLE | {"ailments": [{"type": "burn", "count": 4}]},
        ("target the own Runeslinger",),
        ("play Cleanse",),
    ),
    Tactic(
        "the burn that would kill goes",
        bolts("cleanse", light=2) | {"health": 2, "ailments": [{"type": "burn", "count": 4}, {"type": "weaken", "count": 4}]},
        IDLE,
        ("remove burn",),
        ("play Cleanse", "target the own Runeslinger", "remove weaken", "remove weaken"),
    ),
    Tactic(
        "the second wind takes ailments off",
        {"deck": "ailment_pressure"} | bolts("insight", light=1, sets_left=0, inherent_uses=1) | {"determination": 2} | EIGHT,
        EVA | IDLE,
        ("use the equipped ability",),
    ),
    Tactic(
        "to heal what four burns will take",
        bolts("open_choice", light=1) | {"health": 2, "ailments": [{"type": "burn", "count": 4}]},
        IDLE,
        ("choose bullet 1",),
        ("play Open Choice",),
    ),
    Tactic(
        "to draw no card of the last deck",
        bolts("insight", light=2, sets_left=0, inherent_uses=1) | {"draw_pile": ["shatter", "fireball"], "rest": "discard"},
        {"draw_pile": ["fireball"], "rest": "discard"},
        ("end the turn",),
    ),
)
ANSWERING = (
    Tactic(
        "discards rather than burns",
        bolts("supernova", light=4, health=2),
        {"health": 5, "hand": ["cleanse", "binding", "fireball", "stone_trap"]},
        ("choose bullet 2",),
        ("play Supernova",),
        seat=1,
    ),
    Tactic(
        "a block saves the last power",
        bolts("fireball"),
        {"health": 8, "hand": ["three_ailments", "cleanse"]},
        ("block with Cleanse", "block with Three Ailments"),
        ("play Fireball", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "no block, as the card wins in the next turn",
        EROSION | bolts("small_bolt", light=1, health=4),
        EVA | {"hand": ["direct_bolt"], "concentrations": 2},
        ("do not block",),
        ("play Small Bolt", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "a ward saves the last power where a block does not",
        EVA | bolts("fireball"),
        EROSION | bolts("quick_ward", "small_bolt", light=1, health=3),
        ("answer with Quick Ward",),
        ("play Fireball", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "the ward stands before oneself",
        EVA | bolts("fireball"),
        EROSION | bolts("quick_ward", "small_bolt", light=3, health=3, things=[{"slot": 1, "card": "small_hands_chant"}]),
        ("target the own Runeslinger",),
        ("play Fireball", "target the enemy Runeslinger", "answer with Quick Ward"),
        seat=1,
    ),
    Tactic(
        "a counter where no ward helps",
        EVA | bolts("direct_bolt", light=2),
        EROSION | bolts("counter_rune", "quick_ward", light=2, health=4),
        ("answer with Counter Rune",),
        ("play Direct Bolt", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "the counter takes the bolt, not what has acted",
        EVA | bolts("direct_bolt", light=4, things=[{"slot": 1, "card": "insight"}]),
        EROSION | bolts("counter_rune", light=2, health=4),
        ("target enemy Direct Bolt",),
        ("play Direct Bolt", "target the enemy Runeslinger", "answer with Counter Rune"),
        seat=1,
    ),
    Tactic(
        "an answer to the answer",
        ROMIN | bolts("fireball", "counter_rune", light=6),
        EROSION | bolts("counter_rune", light=2, health=8),
        ("answer with Counter Rune",),
        ("play Fireball", "target the enemy Runeslinger", "answer with Counter Rune"),
    ),
    Tactic(
        "the answer takes the highest rung",
        ROMIN | bolts("fireball", "counter_rune", light=6),
        EROSION | bolts("counter_rune", light=2, health=8),
        ("target enemy Counter Rune",),
        (*("play Fireball", "target the enemy Runeslinger", "answer with Counter Rune"), "answer with Counter Rune"),
    ),
    Tactic(
        "a shouted bolt wins before the fireball lands",
        ROMIN | bolts("fireball", health=4),
        EVA | bolts("shouted_bolt", light=2, health=5),
        ("answer with Shouted Bolt",),
        ("play Fireball", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "a trap where no block helps",
        bolts("great_bolt_x", light=5),
        bolts("stone_trap", light=1, health=3),
        ("answer with Stone Trap",),
        ("play Great Bolt X", "target the enemy Runeslinger"),
        seat=1,
    ),
    Tactic(
        "the trap takes the bolt",
        bolts("great_bolt_x", light=5),
        bolts("stone_trap", light=1, health=3),
        ("target enemy Great Bolt X",),
        ("play Great Bolt X", "target the enemy Runeslinger", "answer with Stone Trap"),
        seat=1,
    ),
)
TACTICS = WINNING + LIVING + ANSWERING
