"""Deaths, creatures entering, effect lists and tricks in the Riftborn Tactics model.

RIFT-14, 27 to 30, 70 to 75, 104 to 109, 115 to 119, 122.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sim.games.riftborn.state import Aim, Harm, Phase, Wound
from tests.games.riftborn.model.cards import TRICKS, Card, Effect
from tests.games.riftborn.model.placement import adjacent, distance, give, has, hurt, is_deadly_hurt, maximum, returns, turn_up
from tests.games.riftborn.model.players import draw, heal_player, hit_players, lay_off, players_of, recall, scry, spy
from tests.games.riftborn.model.state import WAITING, Asking, Creature, Question, Table, Waiting


class Kill(NamedTuple):
    """RIFT-73. A killed creature that gives experience."""

    seat: int
    xp: int


def mark(table: Table, creature: Creature, harm: Harm, credit: int | None = None, killer: Card | None = None) -> None:
    """RIFT-73. Remember what first left a creature deadly hurt. credit: who would earn the kill, without unused UNDEATH."""
    if not is_deadly_hurt(table, creature):
        return
    first = creature.harm == Harm.NONE
    if first:
        creature.harm = harm
    if returns(table, creature):
        return
    if first:
        creature.killer = killer
    if credit is not None and credit != creature.owner:
        creature.credit = credit


def death_check(table: Table) -> list[Kill]:
    """RIFT-70. All rounds of it; returns the kills that are worth experience, for `earn`."""
    kills: list[Kill] = []
    bereaved: set[int] = set()
    while found := [one for one in table.everybody() if is_deadly_hurt(table, one)]:
        back = [one for one in found if returns(table, one)]
        for one in back:
            if maximum(table, one) > 0:
                one.harm = Harm.NONE  # it returns with 1 Health; whatever kills it then is something else
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
    table.facts.deaths[creature.owner][creature.harm] += 1
    if creature.killer is not None:
        table.facts.cards[1 - creature.owner][creature.killer.id, "card_kills"] += 1
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


def spring(table: Table, seat: int, trick: str, trigger: Creature | None = None, subject: Creature | None = None) -> None:
    """RIFT-117. A condition is met: the TRICK card leaves play, if laid, and the trick waits."""
    if trick in table.players[seat].tricks:
        table.players[seat].tricks.remove(trick)
        table.queue.append(Waiting(seat, trigger, subject))


def enter(table: Table, seat: int, card: Card, codes: list[int]) -> Asking[Creature]:
    """RIFT-30, 108. A creature or token on one of these places, then RIFT-70."""
    code = yield Question(Phase.PLACE, seat, codes)
    creature = Creature(card, seat, None if card.type == "token" else card, morale=table.rules.morale_start)
    creature.face_down = "STEALTH" in card.abilities
    creature.entered = True
    if creature.face_down:
        table.facts.acted(seat, "STEALTH")
    table.insert(creature, code)
    if card in table.players[seat].waiting:
        table.players[seat].waiting.remove(card)
    check_and_earn(table)
    return creature


def when_played(table: Table, seat: int, card: Card) -> Asking[None]:
    """RIFT-29. In the order printed."""
    for name, x in card.played:
        if name == "TRICK":
            yield from lay_trick(table, seat)
            continue
        if name == "DRAW":
            table.facts.acted(seat, name)
            draw(table, seat, x)
        elif name == "SCRY":
            yield from scry(table, seat, x)
        else:
            spy(table, seat, x)


def lay_trick(table: Table, seat: int) -> Asking[None]:
    """RIFT-115. None, or one that does not lie there already."""
    player = table.players[seat]
    free = [code for code, name in enumerate(TRICKS) if name not in player.tricks]
    code = yield Question(Phase.TRICK_SET, seat, free)
    if code:
        player.tricks.add(TRICKS[code])
        table.facts.laid[seat] += 1


def bring(table: Table, seat: int, card: Card) -> Asking[None]:
    """RIFT-28 (2) to (4), (7), and `snare` waits: a creature card, played from the hand or by an effect."""
    table.gain(seat, card.xp, "play")
    table.facts.played(seat, card)
    table.players[seat].waiting.append(card)
    creature = yield from enter(table, seat, card, table.gaps(seat))
    yield from when_played(table, seat, card)
    check_and_earn(table)
    spring(table, 1 - seat, "snare", creature)


def play_free(table: Table, seat: int, max_level: int) -> Asking[None]:
    """RIFT-27. A creature card from the hand that uses no budget."""
    hand = table.players[seat].hand
    fitting = [at for at, card in enumerate(hand) if card.type == "creature" and card.level <= max_level]
    if fitting and table.gaps(seat):
        at = yield Question(Phase.HAND, seat, fitting)
        yield from bring(table, seat, hand.pop(at))


def summon(table: Table, seat: int, card: Card, n: int, near: Creature | None = None) -> Asking[None]:
    """RIFT-27, 109. Tokens, one by one, until there is no room. near: the creature they must be adjacent to."""
    for _ in range(n):
        if near is not None and not table.there(near):
            return
        codes = table.gaps(seat) if near is None else gaps_near(table, near)
        if not codes:
            return
        table.gain(seat, card.xp, "summon")
        yield from enter(table, seat, card, codes)


def gaps_near(table: Table, creature: Creature) -> list[int]:
    """RIFT-109. Places from which a new creature would be adjacent to this one, after centring."""

    def would_be_adjacent(code: int) -> bool:
        trial = Creature(creature.card, creature.owner, None)
        table.insert(trial, code)
        found = distance(table, trial, creature) == 1
        table.remove(trial)
        return found

    return [code for code in table.gaps(creature.owner) if would_be_adjacent(code)]


ROWS = 3  # codes of own rows begin here


class Acting(NamedTuple):
    """For whom an effect list acts. source: its creature, None for a Spell."""

    owner: int
    source: Creature | None = None
    trigger: Creature | None = None
    subject: Creature | None = None


def run_list(table: Table, entries: tuple[Effect, ...], acting: Acting) -> Asking[None]:
    """RIFT-106, 122. Entry by entry, each with its death check."""
    before: list[Creature] = []
    for entry in entries:
        if entry.target:
            before = yield from aim(table, entry, acting, before)
            raging = [creature for creature in before if entry.op == "damage" and has(table, creature, "RAGE")]
            for creature in before:
                treat(table, entry, creature)
            for creature in raging:
                turn_up(creature)
            for creature in before:
                account(table, entry, creature, acting.owner)
        else:
            before = []
            yield from act_on_players(table, entry, acting.owner)
        check_and_earn(table)


def act_on_players(table: Table, entry: Effect, seat: int) -> Asking[None]:
    """Effects without creatures as targets."""
    match entry.op:
        case "damage_player":
            hit_players(table, players_of(entry.who, seat), entry.n, Wound.EFFECT)
        case "heal_player":
            heal_player(table, seat, entry.n)
        case "draw":
            table.facts.acted(seat, "DRAW")
            draw(table, seat, entry.n)
        case "scry":
            yield from scry(table, seat, entry.n)
        case "spy":
            spy(table, seat, entry.n)
        case "recall":
            recall(table, seat)
        case "gain_xp":
            table.gain(seat, entry.n, "effect")
        case "summon":
            yield from summon(table, seat, table.cards.card(entry.token), entry.n)
        case "play_free":
            yield from play_free(table, seat, entry.max_level)
        case _:
            raise ValueError(f"{entry.op} is no effect")


def treat(table: Table, entry: Effect, creature: Creature) -> None:
    """What an entry does to one of its targets."""
    match entry.op:
        case "damage":
            hurt(table, creature, entry.n)
        case "heal":
            creature.clear("damage", entry.n)
        case "add":
            creature.add(entry.kind, entry.n)
        case "clear":
            creature.clear(entry.kind, entry.n)
        case "grant":
            give(table, creature, entry.keyword)
        case "lose":
            creature.own.pop(entry.keyword.name, None)
        case "destroy":
            creature.damage = max(creature.damage, maximum(table, creature))
        case "charm":
            creature.charm |= WAITING
        case "pacify":
            creature.pacify |= WAITING
        case _:
            raise ValueError(f"{entry.op} is no effect")


def account(table: Table, entry: Effect, creature: Creature, seat: int) -> None:
    """RIFT-73, variant `kill_xp`. What a creature would die of, and who would earn it."""
    if entry.op in ("damage", "destroy"):
        mark(table, creature, Harm.EFFECT, seat if table.rules.kill_xp == "any_own_damage" else None)
    elif entry.kind == "decay":
        mark(table, creature, Harm.DECAY)
    elif entry.kind == "health":
        mark(table, creature, Harm.EFFECT)


def aim(table: Table, entry: Effect, acting: Acting, before: list[Creature]) -> Asking[list[Creature]]:
    """Targets of an entry; those that are gone are none."""
    found: Sequence[Creature | None]
    match entry.target:
        case "self":
            found = [acting.source]
        case "trigger":
            found = [acting.trigger]
        case "subject":
            found = [acting.subject]
        case "same":
            found = list(before)
        case "each":
            found = of_side(table, acting.owner, entry.side)
        case "row":
            found = yield from choose_row(table, acting.owner, entry.side)
        case "chosen":
            found = yield from choose(table, acting.owner, entry.count, available(table, entry, acting))
        case _:
            raise ValueError(f"{entry.target} is no target")
    return [creature for creature in found if creature is not None and table.there(creature)]


def of_side(table: Table, seat: int, side: str) -> list[Creature]:
    """All creatures of a side as a seat sees it."""
    own, enemy = table.players[seat].creatures, table.players[1 - seat].creatures
    return {"friend": own, "enemy": enemy, "any": own + enemy, "all": own + enemy}[side]


def available(table: Table, entry: Effect, acting: Acting) -> list[Creature]:
    """Creatures that can be chosen."""
    found = of_side(table, acting.owner, entry.side)
    if entry.where == "any":
        return found
    if acting.source is None or not table.there(acting.source):
        return []
    return [one for one in found if one is not acting.source and adjacent(table, acting.source, one)]


def choose(table: Table, seat: int, count: int, options: list[Creature]) -> Asking[list[Creature]]:
    """RIFT-122. Up to `count` different ones."""
    if len(options) <= count:
        return options
    chosen: list[Creature] = []
    for _ in range(count):
        codes = sorted(table.code(seat, one) for one in options if one not in chosen)
        code = yield Question(Phase.TARGET, seat, codes, Aim.EFFECT)
        chosen.append(table.at(seat, code))
    return chosen


def choose_row(table: Table, seat: int, side: str) -> Asking[list[Creature]]:
    """All creatures of one row: enemy rows are codes 0..2, own rows 3..5."""
    enemy, own = table.players[1 - seat].rows, table.players[seat].rows
    codes = list(range(len(enemy))) if side != "friend" else []
    codes += [ROWS + row for row in range(len(own))] if side != "enemy" else []
    if not codes:
        return []
    code = yield Question(Phase.ROW, seat, codes)
    return list(enemy[code] if code < ROWS else own[code - ROWS])


def work_off(table: Table) -> Asking[None]:
    """RIFT-117, 118. The waiting tricks, first in first out, with those that they call forth."""
    while table.queue:
        waiting = table.queue.pop(0)
        lists = {
            table.code(waiting.owner, one) * 2 + at: (one, at)
            for one in table.players[waiting.owner].creatures
            if has(table, one, "TRICK")
            for at in range(len(one.card.tricks))
        }
        if not lists:
            continue
        code = yield Question(Phase.TRICK_FIRE, waiting.owner, sorted(lists))
        creature, at = lists[code]
        turn_up(creature)
        table.facts.fired[waiting.owner] += 1
        table.facts.acted(waiting.owner, "TRICK")
        acting = Acting(waiting.owner, creature, waiting.trigger, waiting.subject)
        yield from run_list(table, creature.card.tricks[at], acting)
