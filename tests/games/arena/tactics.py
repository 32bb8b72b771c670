"""Positions in which one decision is clearly best, each named after that decision.

Seat 0 decides. The comments explain why a decision is best: it throws an opponent out, or saves the hero from being thrown out,
with a better chance than all others. Decisions with the same result are all best. Hexes are written as in scenario files.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sim.games.arena import GAME
from sim.games.arena.actions import legal_actions
from sim.games.arena.position import place
from sim.games.arena.state import OPTIONS_MAX, STATE
from sim.games.arena.text import action
from tests.games.playing import Laid

CARDS = GAME.load(None)
Hero = dict[str, Any]


def hero(name: str, at: tuple[int, int], **more: int) -> Hero:
    """A hero on its hex."""
    return {"hero": name, "at": list(at), **more}


def brood(*at: tuple[int, int]) -> list[dict[str, Any]]:
    """Dragonlings of seat 0, numbered from 4."""
    return [{"owner": 0, "at": list(place)} for place in at]


@dataclass(frozen=True, eq=False)
class Tactic:
    """A position to decide in. best: decisions in words. phase: of the decision. glance: whether no look-ahead is needed."""

    name: str
    phase: str
    heroes: tuple[Hero, ...]
    best: tuple[str, ...]
    glance: bool = False
    more: dict[str, Any] = field(default_factory=dict)
    seat: int = 0

    @cached_property
    def laid(self) -> Laid:
        """The position, and its options."""
        state, out = np.zeros(1, STATE)[0], np.zeros(OPTIONS_MAX, np.int32)
        place({"phase": self.phase, "heroes": list(self.heroes), **self.more}, CARDS, state)
        count = legal_actions(state.copy(), CARDS.record[0], out)
        return Laid(state, CARDS, {int(code): action(state, CARDS, int(code)) for code in out[:count]})


RING_OUTS = (
    # 5 dice against 2 rather than 3 against 2, or nothing
    Tactic(
        "the hammer at the rim",
        "ability",
        (hero("rhino_guy", (0, 3)), hero("valasca", (0, 4))),
        ("Hammer Time on Valasca",),
        glance=True,
    ),
    # one hit is enough, and it is certain
    Tactic(
        "the push that cannot fail",
        "ability",
        (hero("mirror_mage", (0, 2)), hero("valasca", (0, 4))),
        ("Force Push on Valasca",),
        glance=True,
    ),
    # the arrow that deals more damage moves no piece
    Tactic(
        "the arrow that throws rather than the one that hurts",
        "ability",
        (hero("bow_master", (0, 1)), hero("valasca", (0, 4))),
        ("Boxing Arrow on Valasca",),
        glance=True,
    ),
    # the hook does not move an adjacent target
    Tactic(
        "the slam at the rim",
        "ability",
        (hero("hook_thrower", (0, 3)), hero("valasca", (0, 4))),
        ("Body Slam on Valasca",),
        glance=True,
    ),
    # a throw of 1 leads into the water from the north, and along the rim from the north-east
    Tactic(
        "the step behind the target, not beside it",
        "pre_move",
        (hero("rhino_guy", (3, 0)), hero("valasca", (2, 2))),
        ("step to (2,1)",),
        more={"pending": {"ability": "Charge", "target": "Valasca"}},
    ),
    # thrown by 2 from three hexes, but from (0,2) alone the user stands where a throw of 2 finds land in all directions
    Tactic(
        "the throw from where one cannot be thrown out",
        "move",
        (hero("rhino_guy", (1, 0)), hero("valasca", (0, 3))),
        ("move to (0,2)",),
    ),
    # green flies 1, red flies 5: the farther from the water falls
    Tactic(
        "the tired one in the middle rather than the fresh one near the rim",
        "ability",
        (hero("bow_master", (0, 0)), hero("valasca", (1, -3)), hero("whirl_fighter", (0, 1), marker=6)),
        ("Boxing Arrow on Whirl Fighter",),
    ),
    # Steady Stance makes 1 of 2, and one land hex lies behind either
    Tactic(
        "the one who does not stand firm",
        "ability",
        (hero("rhino_guy", (0, 2)), hero("hook_thrower", (-1, 3)), hero("valasca", (0, 3))),
        ("Hammer Time on Valasca",),
    ),
    # both stand on the rim, one behind four Defence dice
    Tactic(
        "the one without protection",
        "ability",
        (hero("temple_guard", (0, 3)), hero("rhino_guy", (0, 4), protection=2), hero("valasca", (-1, 4))),
        ("Shield Bash on Valasca",),
        glance=True,
    ),
    # they swap first, and then the push leads into the water behind the mage's former hex
    Tactic(
        "the trade of places with the back to the water",
        "ability",
        (hero("mirror_mage", (0, 4)), hero("valasca", (0, 2))),
        ("Trade Places on Valasca",),
    ),
)
CHAINS = (
    # three Defence dice against a direct hit; the hero next to it has two and is pushed into it
    Tactic(
        "the guard is thrown out by the one in front of it",
        "ability",
        (hero("dragon_hatcher", (0, 2)), hero("valasca", (0, 3)), hero("temple_guard", (0, 4))),
        ("Fire Breath on Valasca",),
    ),
    # a dragonling has no Defence dice: 7 in 8
    Tactic(
        "one's own dragonling as a ram",
        "ability",
        (hero("dragon_hatcher", (0, 1)), hero("valasca", (0, 4))),
        ("Fire Breath on dragonling 4",),
        more={"dragonlings": brood((0, 3))},
    ),
    # four dice against two are 21 in 32
    Tactic(
        "the ram even where the breath would reach",
        "ability",
        (hero("dragon_hatcher", (0, 2)), hero("valasca", (0, 4))),
        ("Fire Breath on dragonling 4",),
        more={"dragonlings": brood((0, 3))},
    ),
    # the hero behind is thrown out in any case: it is pushed one hex, into the water
    Tactic(
        "two in a line rather than one in the open",
        "ability",
        (hero("rhino_guy", (0, 2)), hero("valasca", (0, 3)), hero("whirl_fighter", (0, 4)), hero("bow_master", (1, 1))),
        ("Hammer Time on Valasca",),
    ),
    # a Side Kick throws out one of them
    Tactic(
        "the whirlwind between two on the rim",
        "ability",
        (hero("whirl_fighter", (0, 3)), hero("valasca", (0, 4)), hero("hook_thrower", (-1, 4))),
        ("Whirlwind",),
        glance=True,
    ),
)
RAGE = (
    # one land hex lies behind: a throw of 1 and one for rage
    Tactic(
        "the rage that carries into the water",
        "ability",
        (hero("whirl_fighter", (0, 2), rage=1), hero("valasca", (0, 3))),
        ("Whirlwind",),
    ),
    # a second token would throw no farther than into the water
    Tactic(
        "as much rage as it takes and no more",
        "rage",
        (hero("whirl_fighter", (0, 2), rage=2), hero("valasca", (0, 3)), hero("hook_thrower", (0, -3))),
        ("pay 1 rage",),
        more={"pending": {"ability": "Whirlwind"}},
    ),
    # six dice against two
    Tactic(
        "all the rage for the blow that ends it",
        "rage",
        (hero("valasca", (0, 3), rage=3), hero("whirl_fighter", (0, 4))),
        ("pay 3 rage",),
        glance=True,
        more={"pending": {"ability": "Axe Blow", "target": "Whirl Fighter"}},
    ),
    # no hero is in range, and passing gains nothing
    Tactic(
        "the war cry where there is no enemy to strike",
        "ability",
        (hero("valasca", (0, 0)), hero("rhino_guy", (0, -4))),
        ("War Cry",),
        glance=True,
    ),
)
ESCAPES = (
    # a throw of 2 after two steps: (0,2) has land on all sides, three other hexes are out of reach
    Tactic(
        "off the hexes from which one is thrown out",
        "move",
        (hero("valasca", (0, 3), slow=2), hero("temple_guard", (0, 0))),
        ("move to (0,2)", "move to (0,4)", "move to (1,3)", "move to (-1,4)"),
    ),
    # the guard moves 2 and has range 1: it reaches neither
    Tactic(
        "the step out of reach",
        "post_move",
        (hero("bow_master", (1, 2)), hero("temple_guard", (0, 0))),
        ("move to (2,2)", "move to (1,3)"),
        more={"pending": {"ability": "Arrowed!"}},
    ),
    # thrown 5 hexes back it cannot return in a turn; no damage makes a red hero weaker
    Tactic(
        "the shove that saves",
        "ability",
        (hero("bow_master", (0, 4)), hero("rhino_guy", (0, 1), marker=5)),
        ("Boxing Arrow on Rhino Guy",),
    ),
)
# The arrow throws by 3 and then the guard moves 2, before the hero that is pushed: a throw of 3 from a hex that it comes to
PUSHED = {"ability": "Boxing Arrow", "target": "Valasca", "hits": 1, "damage": 0, "hexes": 3, "made": [2, 0]}
PATHS = tuple(
    Tactic(
        f"the path {words}",
        "step",
        (hero("valasca", here, marker=3), hero("bow_master", archer), hero("temple_guard", guard)),
        (best,),
        more={"active": 1, "pending": PUSHED},
    )
    for words, here, archer, guard, best in (
        ("that keeps the guard between oneself and the water", (0, -1), (4, 0), (-1, -3), "push north-west"),
        ("away from the guard", (2, 0), (-3, 4), (0, -1), "push south-east"),
        ("to the rim that the guard cannot come behind", (1, -1), (-4, 3), (-1, 2), "push north-east"),
    )
)
TACTICS = (*RING_OUTS, *CHAINS, *RAGE, *ESCAPES, *PATHS)
