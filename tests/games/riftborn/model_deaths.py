"""Deaths and what they bring, in the Riftborn Tactics model. RIFT-70 to 75, 117 (`wake`)."""

from typing import NamedTuple

from sim.games.riftborn.state import Harm
from tests.games.riftborn.model_cards import Card
from tests.games.riftborn.model_piles import lay_off
from tests.games.riftborn.model_state import Creature, Table, Waiting
from tests.games.riftborn.model_stats import is_deadly_hurt, maximum, returns, turn_up


class Kill(NamedTuple):
    """RIFT-73. A killed creature that is worth experience to somebody."""

    seat: int
    xp: int


def mark(table: Table, creature: Creature, harm: Harm, credit: int | None = None, killer: Card | None = None) -> None:
    """RIFT-73. Remember what first left a creature deadly hurt without unused UNDEATH. credit: who would earn the kill."""
    if not is_deadly_hurt(table, creature) or returns(table, creature):
        return
    if creature.harm == Harm.NONE:
        creature.harm, creature.killer = harm, killer
    if credit is not None and credit != creature.owner:
        creature.credit = credit


def death_check(table: Table) -> list[Kill]:
    """RIFT-70. All rounds of it; returns the kills that are worth experience, for `earn`."""
    kills: list[Kill] = []
    bereaved: set[int] = set()
    while found := [one for one in table.everybody() if is_deadly_hurt(table, one)]:
        back = [one for one in found if returns(table, one)]
        for dead in [one for one in found if one not in back]:
            bury(table, dead)
            bereaved.add(dead.owner)
            if dead.credit is not None:
                kills.append(Kill(dead.credit, dead.card.xp))
        come_back(table, back)
    for creature in table.everybody():
        creature.credit, creature.killer, creature.harm = None, None, Harm.NONE
    for seat in (1 - table.active, table.active):
        if seat in bereaved:
            spring(table, seat, "wake")
    if table.watch is not None:
        table.watch(table)
    return kills


def come_back(table: Table, creatures: list[Creature]) -> None:
    """RIFT-71. UNDEATH, when the dead have left."""
    for creature in creatures:
        creature.own["UNDEATH"] -= 1
        if not creature.own["UNDEATH"]:
            del creature.own["UNDEATH"]
        turn_up(creature)
        table.facts.acted(creature.owner, "UNDEATH")
    for creature in creatures:
        creature.damage = max(0, maximum(table, creature) - 1)


def bury(table: Table, creature: Creature) -> None:
    """RIFT-72, 75. It leaves; of a TRANSFORM token the card below is laid off, a summoned token is gone."""
    table.remove(creature)
    table.facts.died(creature.owner, creature.harm)
    if creature.killer is not None:
        table.facts.slew(1 - creature.owner, creature.killer)
    if creature.origin is creature.card:
        lay_off(table, creature.owner, creature.card, "DEPLETED" in creature.own)
    elif creature.origin is not None:
        lay_off(table, creature.owner, creature.origin)


def earn(table: Table, kills: list[Kill]) -> None:
    """RIFT-25, 48, 73."""
    for kill in kills:
        table.gain(kill.seat, kill.xp, "kill")
        table.facts.killed(kill.seat)


def check_and_earn(table: Table) -> None:
    """RIFT-70, 73."""
    earn(table, death_check(table))


def spring(
    table: Table, seat: int, trick: str, trigger: Creature | None = None, subject: Creature | None = None
) -> None:
    """RIFT-117. A condition is met: the TRICK card leaves play, if laid, and the trick waits."""
    if trick in table.players[seat].tricks:
        table.players[seat].tricks.remove(trick)
        table.queue.append(Waiting(seat, trigger, subject))
