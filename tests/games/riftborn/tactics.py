"""Positions in which one decision is clearly best, each named after its solution.

It is best by the rules: it wins the game, or all others lose it in the next turn, or it gains one creature more than the others.
A decides, in its own turn; no player has or draws a card that could change this. Several decisions are best if they have the same
result. Places and decisions are written as in `positions.py`.
"""

from dataclasses import dataclass
from typing import Any

from tests.games.playing import Laid
from tests.games.riftborn.positions import Play, a, table

Player = dict[str, Any]
LEVEL = {2: 500, 3: 1000, 4: 2000, 6: 5000}  # experience for it


@dataclass(frozen=True, eq=False)
class Tactic:
    """A position to decide in. way: decisions that lead there, then the best ones; glance: whether it is seen at once."""

    name: str
    one: Player
    two: Player
    way: str  # in short words, as in "use A0.0 > B0.0 | B0.1"
    glance: bool = False
    seat: int = 0

    @property
    def best(self) -> tuple[str, ...]:
        """The best decisions."""
        return tuple(self.way.partition("> ")[2].split(" | "))

    @property
    def play(self) -> Play:
        """The position on a table."""
        before = self.way.partition(" > ")[0] if " > " in self.way else ""
        return table(self.one, self.two).do(*filter(None, before.split(", ")))

    @property
    def laid(self) -> Laid:
        """The position, and its options."""
        play = self.play
        return Laid(play.state, play.cards, dict(zip(play.codes, play.options, strict=True)))


LETHAL = (
    Tactic(
        "the last points of life rather than a kill",
        a("soldier_archer"),
        a("soldier_archer", life=2),
        "use A0.0 > B",
        glance=True,
    ),
    Tactic(
        "two shots that end it rather than two kills",
        a("soldier_archer, soldier_archer"),
        a("soldier_archer, soldier_archer", life=4),
        "use A0.0 > B",
    ),
    Tactic(
        "a war cry before the last shot",
        a("soldier_archer", hand="war_cry, soldier_guard", xp=LEVEL[2]),
        a("soldier_guard", life=4),
        "> play war_cry",
    ),
    Tactic(
        "the war cry for who reaches the opponent, not for the strongest",
        a("soldier_archer, beast_charger", hand="war_cry", xp=LEVEL[2]),
        a("soldier_guard, soldier_guard", life=4),
        "play war_cry > A0.0",
    ),
    Tactic("a spark that clears the way", a("beast_boar", hand="spark, beast_cub"), a("beast_cub", life=2), "> play spark"),
    Tactic(
        "the spark at who stands in the way",
        a("beast_boar", hand="spark"),
        a("beast_cub / soldier_archer", life=2),
        "play spark > B0.0",
        glance=True,
    ),
    Tactic(
        "the longbow before the attack that it makes way for",
        a("beast_boar [1 swap]", weapons="longbow"),
        a("soldier_crossbow", life=2),
        "> wield longbow",
    ),
    Tactic(
        "a Move to where no creature is in the way",
        a("soldier_medic, beast_charger, soldier_medic"),
        a("soldier_guard", life=6),
        "use A0.1 > A0.0 | A0.2",
    ),
    Tactic(
        "the weaker one makes way for the stronger",
        a("beast_shellback [1 swap], beast_cub [1 swap]"),
        a("soldier_archer", life=3),
        "> use A0.1",
    ),
    Tactic(
        "what passes through a small one",
        a("beast_charger"),
        a("soldier_archer, undead_vampire [1 damage]", life=4),
        "use A0.0 > B0.0",
        glance=True,
    ),
    Tactic(
        "the way on by which something is left for the opponent",
        a("beast_charger"),
        a("soldier_archer / soldier_recruit, soldier_medic", life=2),
        "use A0.0, B0.0 > B1.0",
        glance=True,
    ),
    Tactic(
        "twice the Attack of who reaches the opponent",
        a("beast_troll, soldier_medic, undead_giant [acted]", hand="multiply", xp=LEVEL[4]),
        a("soldier_guard", life=8),
        "play multiply > A0.0",
    ),
    Tactic(
        "a Spell that ends it rather than a Hero",
        a("soldier_guard", hand="rift_storm, soldier_marshal", xp=LEVEL[6]),
        a("soldier_knight", life=4),
        "> play rift_storm",
        glance=True,
    ),
    Tactic(
        "who may attack at once", a("", hand="beast_runner, soldier_guard", xp=LEVEL[2]), a("", life=3), "> play beast_runner"
    ),
    Tactic(
        "the end of the row, from where the way is open",
        a("soldier_medic, soldier_medic", hand="beast_runner", xp=LEVEL[2]),
        a("soldier_guard", life=3),
        "play beast_runner > 0.0 | 0.2",
    ),
)

SAVING = (
    Tactic(
        "a creature in the way of the last attack",
        a("", life=4, hand="beast_cub, short_sword"),
        a("beast_troll"),
        "> play beast_cub",
        glance=True,
    ),
    Tactic(
        "a wider row in the way of three",
        a("soldier_guard", life=8, hand="beast_cub"),
        a("beast_troll, beast_troll, beast_troll"),
        "play beast_cub > 0.0 | 0.1",
    ),
    Tactic(
        "a second row that keeps a flyer off",
        a("soldier_guard", life=5, hand="beast_cub"),
        a("undead_vampire"),
        "play beast_cub > 1.0",
    ),
    Tactic(
        "Armour against a flyer",
        a("soldier_guard [acted]", life=5, hand="leather_armour, spark"),
        a("undead_vampire"),
        "> play leather_armour",
    ),
    Tactic(
        "a pitfall for the first of two archers",
        a("", life=4, hand="fae_trickster", xp=LEVEL[2]),
        a("soldier_archer, soldier_archer"),
        "play fae_trickster > pitfall",
    ),
    Tactic(
        "bones in the way of three",
        a("undead_gravecaller", life=8),
        a("beast_troll, beast_troll, beast_troll"),
        "use A0.0 > summon",
    ),
    Tactic(
        "who would end it before who is worth more",
        a("soldier_crossbow", life=4),
        a("soldier_archer [2 rage], soldier_knight [6 damage]"),
        "use A0.0 > B0.0",
    ),
    Tactic("the only one in the way does not attack into a counter", a("soldier_recruit", life=5), a("soldier_knight"), "> end"),
)

GAINING = (
    Tactic(
        "a kill that levels up before a card of the old level",
        a("beast_boar", hand="beast_cub, undead_lich", xp=6900),
        a("soldier_archer, soldier_medic"),
        "> use A0.0",
    ),
    Tactic(
        "magic where others do half",
        a("fae_mage [1 swap], beast_troll [1 swap]"),
        a("beast_shellback, soldier_pikeman"),
        "use A0.0 > B0.0",
    ),
    Tactic(
        "the second strike at who dies of it",
        a("beast_hydra"),
        a("beast_troll, soldier_archer, fae_mage"),
        "use A0.0, B0.1 > B0.1",
        glance=True,
    ),
    Tactic(
        "a stored shot at the one that needs it",
        a("soldier_crossbow [3 ready]"),
        a("beast_cub, soldier_knight"),
        "use A0.0 > B0.1",
        glance=True,
    ),
    Tactic(
        "a creature that cannot shoot makes ready",
        a("soldier_crossbow [charmed]"),
        a("soldier_guard [charm waits]"),
        "> use A0.0",
    ),
    Tactic(
        "peace with who can still attack",
        a("fae_peacekeeper"),
        a("beast_troll [charm waits], beast_boar"),
        "use A0.0, pacify > B0.1",
    ),
    Tactic(
        "decay for who does not return",
        a("soldier_guard", hand="wither", xp=LEVEL[3]),
        a("undead_wight [1 damage], fae_mage"),
        "play wither > B0.1",
    ),
    Tactic(
        "the third of a burst on the friend who can bear it",
        a("soldier_knight [4 damage], undead_giant", hand="chain_burst", xp=LEVEL[4]),
        a("fae_mage, fae_mage", hand="undead_giant, undead_lich", xp=9000),
        "play chain_burst, B0.0, B0.1 > A0.1",
    ),
    Tactic(
        "the row of those who attack",
        a("soldier_guard", hand="curse_row", xp=LEVEL[2]),
        a("undead_leech, undead_leech / soldier_medic"),
        "play curse_row > row B0",
        glance=True,
    ),
)

TACTICS = (*LETHAL, *SAVING, *GAINING)
