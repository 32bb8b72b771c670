"""What a creature does in the own turn, in the Riftborn Tactics model. RIFT-13 to 15, 40, 41, 45, 82, 90 to 111."""

from sim.games.riftborn.state import Aim, Phase
from tests.games.riftborn.model_deaths import check_and_earn
from tests.games.riftborn.model_effects import Acting, run_list, work_off
from tests.games.riftborn.model_entering import gaps_near, summon
from tests.games.riftborn.model_exchange import attack, attack_codes, move
from tests.games.riftborn.model_geometry import adjacent, adjacent_friends
from tests.games.riftborn.model_piles import heal_player
from tests.games.riftborn.model_state import (
    ACTIVE,
    ENEMY,
    OWN_PLAYER,
    THE_OPPONENT,
    WAITING,
    Asking,
    Creature,
    Question,
    Table,
)
from tests.games.riftborn.model_stats import abilities, has, turn_up, x_of

ATTACK_PLAYER = 30  # CREATURE codes
ALTERNATIVES = dict(enumerate(("CHARM", "HEAL", "MORALE", "PACIFY", "READY", "SPELL", "SUMMON", "TRANSFORM"), 31))
KEPT = ("damage", "rage", "health", "shield", "weakness", "decay")


def creature_codes(table: Table, creature: Creature) -> list[int]:
    """CREATURE codes: swaps, attacks, other Actions."""
    codes = [table.code(creature.owner, friend) for friend in partners(table, creature)]
    if not may_act(table, creature):
        return sorted(codes)
    if may_attack(table, creature):
        codes += [ATTACK_PLAYER if code == THE_OPPONENT else code for code in attack_codes(table, creature)]
    codes += [code for code, name in ALTERNATIVES.items() if may_use(table, creature, name)]
    return sorted(codes)


def partners(table: Table, creature: Creature) -> list[Creature]:
    """RIFT-40, 41. With whom it may change places."""
    now = abilities(table, creature)
    if "ROOTED" in now or "DORMANT" in now or creature.swaps >= max(1, now.get("DASH", 1)):
        return []
    return [friend for friend in adjacent_friends(table, creature) if not has(table, friend, "DORMANT")]


def may_act(table: Table, creature: Creature) -> bool:
    """RIFT-13, 14, 85, 94. Whether it has its Action."""
    if creature.acted or creature.pacify & ACTIVE or has(table, creature, "DORMANT"):
        return False
    return not creature.entered or has(table, creature, "HASTE")


def may_attack(table: Table, creature: Creature) -> bool:
    """RIFT-45."""
    return not creature.charm & ACTIVE and not has(table, creature, "PACIFIST")


def may_use(table: Table, creature: Creature, name: str) -> bool:
    """Register section 5. Whether an alternative Action is legal."""
    if not has(table, creature, name):
        return False
    if name in ("CHARM", "HEAL", "PACIFY"):
        return bool(aims(table, creature, name))
    return name != "SUMMON" or bool(gaps_near(table, creature))


def aims(table: Table, creature: Creature, name: str) -> list[int]:
    """RIFT-82, 90, 94. TARGET codes of CHARM, PACIFY and HEAL."""
    seat = creature.owner
    if name == "HEAL":
        in_last_row = table.place(creature)[0] == len(table.players[seat].rows) - 1
        codes = [table.code(seat, friend) for friend in adjacent_friends(table, creature)]
        return sorted(codes) + [OWN_PLAYER] * in_last_row
    return [table.code(seat, one) for one in table.players[1 - seat].creatures if adjacent(table, creature, one)]


def use_creature(table: Table, creature: Creature) -> Asking[None]:
    """RIFT-12. One Move or Action, and the tricks after it."""
    seat = creature.owner
    code = yield Question(Phase.CREATURE, seat, creature_codes(table, creature))
    if code < ENEMY:
        yield from move(table, creature, table.at(seat, code))
    else:
        if creature.entered:
            table.facts.acted(seat, "HASTE")
        if code in ALTERNATIVES:
            yield from use_alternative(table, creature, ALTERNATIVES[code])
        else:
            yield from attack(table, creature, None if code == ATTACK_PLAYER else table.at(seat, code))
        check_and_earn(table)
    yield from work_off(table)


def use_alternative(table: Table, creature: Creature, name: str) -> Asking[None]:
    """RIFT-15. An Action that is no attack."""
    seat, x = creature.owner, x_of(table, creature, name)
    creature.acted = True
    turn_up(creature)
    table.facts.acted(seat, name)
    if name in ("CHARM", "HEAL", "PACIFY"):
        code = yield Question(Phase.TARGET, seat, aims(table, creature, name), Aim[name])
        if name == "HEAL" and code == OWN_PLAYER:
            heal_player(table, seat, x)
        elif name == "HEAL":
            table.at(seat, code).clear("damage", x)
        elif name == "CHARM":
            table.at(seat, code).charm |= WAITING
        else:
            table.at(seat, code).pacify |= WAITING
    elif name == "MORALE":
        creature.morale = "health" if creature.morale == "attack" else "attack"
    elif name == "READY":
        creature.add("ready", x)
    elif name == "SPELL":
        yield from run_list(table, creature.card.spell_action, Acting(seat, creature))
    elif name == "SUMMON":
        yield from summon(table, seat, table.cards.card(creature.card.summon), x, creature)
    else:
        transform(table, creature)


def transform(table: Table, creature: Creature) -> None:
    """RIFT-111, variant `transform_keeps`."""
    token = Creature(table.cards.card(creature.card.transform), creature.owner, creature.origin)
    token.morale = table.rules.morale_start
    token.acted, token.swaps = True, creature.swaps
    if table.rules.transform_keeps == "tokens":
        for kind in KEPT:
            setattr(token, kind, getattr(creature, kind))
    table.replace(creature, token)
