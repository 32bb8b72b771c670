"""Effect lists and tricks in the Riftborn Tactics model. Register 2.3; RIFT-106, 116 to 119, 122."""

from collections.abc import Sequence
from typing import NamedTuple

from sim.games.riftborn.state import Aim, Harm, Phase, Wound
from tests.games.riftborn.model_cards import Effect
from tests.games.riftborn.model_deaths import check_and_earn, mark
from tests.games.riftborn.model_entering import play_free, summon
from tests.games.riftborn.model_geometry import adjacent
from tests.games.riftborn.model_piles import draw, heal_player, hit_players, players_of, recall, scry, spy
from tests.games.riftborn.model_state import WAITING, Asking, Creature, Question, Table
from tests.games.riftborn.model_stats import give, has, hurt, maximum, turn_up

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
    """Register 2.3. Targets of an entry; those that are gone are none."""
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
    """Creatures that may be chosen."""
    found = of_side(table, acting.owner, entry.side)
    if entry.where == "any":
        return found
    if acting.source is None or not table.there(acting.source):
        return []
    return [one for one in found if one is not acting.source and adjacent(table, acting.source, one)]


def choose(table: Table, seat: int, count: int, options: list[Creature]) -> Asking[list[Creature]]:
    """RIFT-122. As many different ones as there are, up to `count`."""
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
