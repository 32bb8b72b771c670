"""Positions in which one decision is clearly best, each named after the decision to find.

What makes it best follows from the rules: it wins the game, or all others lose it, in this exchange or the next. Seat 0 decides,
and no player holds or draws a card that could change it. Several decisions are best if they have the same effect.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.games.playing import Laid
from tests.games.rookling.positions import Play, a, table

Facts = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Tactic:
    """A position to decide in. facts: of the position; before: decisions that lead there; best: in words.

    glance: whether it can be seen at once.
    """

    name: str
    one: Facts
    two: Facts
    best: tuple[str, ...]
    facts: Facts = field(default_factory=dict)
    before: tuple[str, ...] = ()
    glance: bool = False
    seat: int = 0

    @property
    def play(self) -> Play:
        """The position on a table."""
        return table(self.one, self.two, **self.facts).do(*self.before)

    @property
    def laid(self) -> Laid:
        """The position, and its options."""
        play = self.play
        return Laid(play.state, play.cards, dict(zip(play.codes, play.options, strict=True)))


def own(row: str, hand: str = "", **facts: Any) -> Facts:
    """The side that decides."""
    return a(row, hand=hand, **facts)


def theirs(row: str, *life: int, **facts: Any) -> Facts:
    """The other side, with its lives from left to right."""
    return a(row, life=life, **facts)


def attacked(*points: int, **more: Any) -> Facts:
    """Attacks of seat 1 are declared; seat 0 is about to place energy against them."""
    return {"attacker": 1, "defending": True, "attack": points} | more


def struck(attack: tuple[int, ...], defence: tuple[int, ...]) -> Facts:
    """Both have declared; seat 0 resolves what strikes it."""
    return {"attacker": 1, "phase": "next", "attack": attack, "defence": defence}


ROW, CLEAR = {"phase": "row"}, {"phase": "clear"}
HEALTHY = "thorn rime delvi", 6, 6, 6

KILLS = (
    Tactic(
        "a spill from the only attack that there is",
        own("stone spring shadow", "red 2"),
        theirs("banner delvi rime", 0, 0, 2),
        ("put red 2 on Spring",),
        glance=True,
    ),
    Tactic(
        "the two cards where both attack",
        own("stone shadow thorn", "red 4, blue 3", tokens=("", "", "frozen")),
        theirs("spring banner delvi", 0, 0, 6),
        ("put red 4 on Stone", "put blue 3 on Shadow"),
    ),
    Tactic(
        "seven points instead of six with two cards",
        own("valt banner delvi", "red 2, yellow 2", tokens=("frozen", "", "")),
        theirs("spring rime stone", 0, 0, 5, slid=("", "", "rubble")),
        ("put red 2 on Banner", "put yellow 2 on Delvi"),
    ),
    Tactic(
        "the red card where it adds to the attack",
        own("pulse_red valt delvi", "red 2, blue 2", tokens=("", "frozen", "")),
        theirs("spring banner stone", 0, 0, 6, slid=("", "", "rubble")),
        ("put red 2 on Pulse Red", "put blue 2 on Delvi"),
    ),
    Tactic(
        "the card that charges comes first",
        own("valt stone spring", "blue 2, red 5", tokens=("", "frozen", "frozen")),
        theirs("banner delvi rime", 0, 6, 0),
        ("put red 5 on Valt",),
    ),
    Tactic(
        "the charge for the heavy blow",
        own("valt shadow spring", "blue 4", energy=("red 3", "", ""), tokens=("", "confused", "frozen")),
        theirs("banner delvi rime", 0, 6, 0),
        ("Charge for Valt",),
        {"phase": "activate", "pending": {"at": "left", "line": "Charge"}},
        ("activate Charge",),
    ),
    Tactic(
        "the line that does enough",
        own("hiss spring stone", energy=("red 3", "", "")),
        theirs("banner delvi rime", 5, 0, 0),
        ("attack with Vent",),
        {"phase": "attack", "pending": {"at": "left"}},
        glance=True,
    ),
    Tactic(
        "strong energy, though it freezes",
        own("stone spring thorn", "black_ice, red 2", tokens=("", "", "frozen")),
        theirs("banner delvi rime", 0, 0, 5),
        ("put Black Ice on Stone", "put red 2 on Spring"),
    ),
    Tactic(
        "one who is not confused",
        own("thorn shadow spring", "red 3", tokens=("confused", "", "")),
        theirs("banner delvi rime", 4, 0, 0),
        ("put red 3 on Shadow",),
    ),
    Tactic(
        "around the one that hides: its neighbour in siege-state spills",
        own("stone shadow thorn", "red 3"),
        theirs("banner delvi rime", 0, 0, 4, tokens=("", "", "hidden")),
        ("put red 3 on Shadow",),
    ),
    Tactic(
        "a kill with each attack and nothing in excess",
        own("thorn shadow stone", "red 3, blue 3"),
        theirs("banner delvi rime", 4, 5, 0),
        ("row: Shadow, Thorn, Stone", "row: Shadow, Stone, Thorn"),
        ROW,
    ),
    Tactic(
        "from the tunnel there is a point more",
        own("shadow spring delvi", "red 3", fixed=("", "", "tunnel")),
        theirs("banner stone rime", 5, 0, 0),
        ("row: Spring, Delvi, Shadow", "row: Delvi, Spring, Shadow"),
        ROW,
    ),
    Tactic(
        "straight at the frozen one, whose neighbours could block",
        own("shadow thorn stone", "red 3"),
        theirs("hiss delvi rime", 5, 0, 0, tokens=("frozen", "", ""), hand="red 4, blue 5, green 3, yellow 6"),
        ("row: Thorn, Shadow, Stone", "row: Thorn, Stone, Shadow"),
        ROW,
    ),
    Tactic(
        "past the one that hides, by the row",
        own("thorn spring stone", "red 3"),
        theirs("banner delvi rime", 0, 5, 0, tokens=("", "hidden", "")),
        ("row: Thorn, Spring, Stone", "row: Thorn, Stone, Spring", "row: Spring, Stone, Thorn", "row: Stone, Spring, Thorn"),
        ROW,
    ),
)

BLOCKS = (
    Tactic(
        "the block that saves",
        own("banner hiss spring", "red 3", life=(0, 3, 0)),
        theirs(*HEALTHY),
        ("put red 3 on Hiss",),
        attacked(0, 5, 0),
        glance=True,
    ),
    Tactic(
        "a block on the way of the spill",
        own("stone spring banner", "red 1", life=(0, 2, 0), tokens=("", "frozen", "")),
        theirs(*HEALTHY),
        ("put red 1 on Stone",),
        attacked(4, 0, 0),
    ),
    Tactic(
        "a block where it strikes, not where it lands",
        own("pulse_red banner spring", "blue 2", life=(3, 0, 0)),
        theirs(*HEALTHY),
        ("put blue 2 on Banner",),
        attacked(0, 5, 0),
    ),
    Tactic(
        "each card for the one that can block with it",
        own("stone hiss banner", "red 3, blue 1", life=(0, 3, 0)),
        theirs(*HEALTHY),
        ("put red 3 on Hiss", "put blue 1 on Stone"),
        attacked(3, 4, 0),
    ),
    Tactic(
        "shelter for one that cannot block",
        own("rute banner spring", "yellow 2, red 2", life=(2, 0, 0), tokens=("frozen", "", "")),
        theirs(*HEALTHY),
        ("put yellow 2 on Banner",),
        attacked(3, 0, 0),
    ),
    Tactic(
        "healing before the blow",
        own("banner spring stone", "green 3, red 3", life=(2, 0, 0), tokens=("frozen", "", "")),
        theirs(*HEALTHY),
        ("put green 3 on Spring",),
        attacked(4, 0, 0),
    ),
    Tactic(
        "a card kept for the attack that wins",
        own("thorn spring banner", "red 5", life=(6, 0, 0)),
        theirs("delvi rime stone", 0, 4, 0, skip=True),
        ("stop placing",),
        attacked(1, 0, 0),
    ),
    Tactic(
        "the block that costs no attack",
        own("thorn stone banner", "red 5, blue 1", life=(6, 0, 0)),
        theirs("delvi rime spring", 0, 4, 0, skip=True),
        ("put blue 1 on Stone",),
        attacked(2, 6, 0),
    ),
)

LAST_STAND = own("hiss spring delvi", life=(1, 0, 3)), theirs("thorn rime stone", 6, 6, 6), struck((4, 3, 0), (2, 0, 0))

RESOLVED = (
    Tactic(
        "the spill first, to one that blocks only afterwards",
        LAST_STAND[0],
        LAST_STAND[1],
        ("resolve the attack on the middle first",),
        LAST_STAND[2],
    ),
    Tactic(
        "the spill onto the one with one life, whose block is for the next",
        LAST_STAND[0],
        LAST_STAND[1],
        ("spill to the left",),
        LAST_STAND[2],
        ("resolve the attack on the middle first",),
    ),
    Tactic(
        "the block held back by one who falls",
        LAST_STAND[0],
        LAST_STAND[1],
        ("let it through",),
        LAST_STAND[2],
        ("resolve the attack on the middle first", "spill to the left"),
    ),
    Tactic(
        "the block held back for the heavier attack",
        own("spring hiss delvi", life=(0, 3, 0)),
        theirs("thorn rime stone", 6, 6, 6),
        ("let it through",),
        struck((1, 4, 0), (0, 3, 0)),
        ("resolve the attack on the left first",),
    ),
    Tactic(
        "the side that leaves one alive",
        own("spring hiss delvi", life=(2, 0, 3)),
        theirs("thorn rime stone", 6, 6, 6),
        ("spill to the left",),
        struck((0, 3, 2), (0, 0, 0)),
        ("resolve the attack on the middle first",),
    ),
)

TOKENS = (
    Tactic(
        "a poor card against the poison that would kill",
        own("rute spring stone", "red 1, blue 5", life=(1, 0, 0), tokens=("poisoned", "", "")),
        theirs("thorn rime delvi", 6, 6, 6),
        ("clear Rute with red 1",),
        CLEAR,
    ),
    Tactic(
        "poison does not matter to one who wins first",
        own("thorn spring stone", "red 3", life=(1, 0, 0), tokens=("poisoned", "", "")),
        theirs("banner rime delvi", 0, 3, 0),
        ("stop clearing",),
        CLEAR,
    ),
    Tactic(
        "the only card is for the block, not for the poison",
        own("hiss spring stone", "red 3", life=(3, 0, 0), tokens=("poisoned", "", "")),
        theirs(*HEALTHY),
        ("stop clearing",),
        attacked(5, 0, 0, phase="clear"),
    ),
    Tactic(
        "the special line that cleanses before the poison acts",
        own("rute spring stone", "red 3, green 3", life=(1, 0, 0), tokens=("poisoned", "", "")),
        theirs("thorn rime delvi", 0, 6, 6),
        ("put green 3 on Rute",),
    ),
    Tactic(
        "the one that needs the antidote",
        own("rute spring stone", energy=("green 3", "", ""), life=(1, 1, 0), tokens=("", "poisoned", "confused")),
        theirs("thorn rime delvi", 6, 6, 6),
        ("Antidote for Spring",),
        {"phase": "activate", "pending": {"at": "left", "line": "Antidote"}},
        ("activate Antidote",),
    ),
)

TACTICS = KILLS + BLOCKS + RESOLVED + TOKENS
