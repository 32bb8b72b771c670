"""Moves, attacks, other Actions and Weapons in the Riftborn Tactics model. RIFT-13 to 15, 40 to 52, 65, 82, 90 to 111."""

from dataclasses import dataclass

from sim.games.riftborn.state import Aim, Harm, Phase, Reach, Wound
from tests.games.riftborn.model.cards import Card
from tests.games.riftborn.model.effects import (
    Acting,
    check_and_earn,
    death_check,
    earn,
    gaps_near,
    mark,
    run_list,
    spring,
    summon,
    work_off,
)
from tests.games.riftborn.model.placement import (
    abilities,
    adjacent,
    adjacent_friends,
    behind,
    has,
    hurt,
    is_answered,
    is_deadly_hurt,
    reach,
    reach_player,
    resisted,
    returns,
    turn_up,
    weapon_reach,
    x_of,
)
from tests.games.riftborn.model.placement import attack as attack_of
from tests.games.riftborn.model.players import heal_player, hit_player, lay_off
from tests.games.riftborn.model.state import (
    ACTIVE,
    ENEMY,
    OWN_PLAYER,
    THE_OPPONENT,
    WAITING,
    Asking,
    Creature,
    Question,
    Table,
    Weapon,
)

WOUNDS = {Reach.CLEAR: Wound.CONTACT, Reach.RANGE: Wound.RANGE, Reach.FLIGHT: Wound.FLIGHT}
BY_REACH = {Reach.RANGE: "RANGE", Reach.FLIGHT: "FLIGHT"}  # abilities that such an attack owes its reach to


@dataclass
class Attack:
    """An attack under way. target None: the opponent."""

    attacker: Creature
    target: Creature | None
    way: Reach
    raged: int = 0  # Rage that the target gained from this strike
    siphoned: int = 0  # what SIPHON heals after the answer

    @property
    def seat(self) -> int:
        """Whose attack it is."""
        return self.attacker.owner


@dataclass(frozen=True)
class Blow:
    """What hurts: a strike, answer or opportunity of a creature, or a Weapon."""

    harm: Harm
    card: Card  # whose damage it is, for the facts
    seat: int
    giver: Creature | None = None
    earns: bool = False

    def land(self, table: Table, target: Creature, n: int, harm: Harm | None = None) -> tuple[int, int, int]:
        """RIFT-63. n damage; returns what `hurt` does: excess, Rage gained, effective damage."""
        result = hurt(table, target, n)
        table.facts.dealt(self.seat, self.card, n, harm or self.harm)
        if n and has(table, target, "RAGE"):
            turn_up(target)
        if n:
            mark(table, target, harm or self.harm, self.seat if self.earns else None, self.card)
        return result

    def go_on(self, table: Table, struck: Creature, excess: int) -> Asking[None]:
        """RIFT-65. Pass-through of RELENTLESS, places as they are before any removal."""
        while self.giver is not None and has(table, self.giver, "RELENTLESS"):
            if excess <= 0 or not is_deadly_hurt(table, struck) or returns(table, struck):
                return
            table.facts.acted(self.seat, "RELENTLESS")
            options = behind(table, struck)
            if not options:
                hit_player(table, struck.owner, excess, Wound.PASS)
                table.facts.dealt(self.seat, self.card, excess, Harm.PASS)
                return
            codes = sorted(table.code(self.seat, one) for one in options)
            code = yield Question(Phase.TARGET, self.seat, codes, Aim.PASS)
            struck = table.at(self.seat, code)
            turn_up(struck)
            magic = self.harm == Harm.STRIKE and has(table, self.giver, "MAGIC")
            excess = self.land(table, struck, resisted(table, struck, excess, magic), Harm.PASS)[0]


def attack(table: Table, attacker: Creature, target: Creature | None) -> Asking[None]:
    """RIFT-45, 49, 50. A whole attack, target None: on the opponent."""
    attacker.acted = True
    way = turn_to(table, attacker, target)
    spring(table, 1 - attacker.owner, "pitfall" if target is None else "ambush", attacker, target)
    yield from work_off(table)
    if not table.there(attacker) or (target is not None and not table.there(target)):
        return
    yield from exchange(table, Attack(attacker, target, way))
    if not table.there(attacker) or not has(table, attacker, "DOUBLE ATTACK"):
        return
    if attacker.card.double_retarget:
        yield from strike_anew(table, attacker)
    elif target is None or table.there(target):
        table.facts.acted(attacker.owner, "DOUBLE ATTACK")
        yield from exchange(table, Attack(attacker, target, way))


def strike_anew(table: Table, attacker: Creature) -> Asking[None]:
    """RIFT-49, `double_retarget`. The second strike on any legal target, without a declaration."""
    codes = attack_codes(table, attacker)
    if not codes:
        return
    code = yield Question(Phase.TARGET, attacker.owner, codes, Aim.RETARGET)
    table.facts.acted(attacker.owner, "DOUBLE ATTACK")
    target = None if code == THE_OPPONENT else table.at(attacker.owner, code)
    yield from exchange(table, Attack(attacker, target, turn_to(table, attacker, target)))


def turn_to(table: Table, attacker: Creature, target: Creature | None) -> Reach:
    """RIFT-45. By what the target is in reach; attacker and target turn face up."""
    way = reach(table, attacker, target) if target is not None else reach_player(table, attacker)
    if way in BY_REACH:
        table.facts.acted(attacker.owner, BY_REACH[way])
    turn_up(attacker)
    if target is not None:
        turn_up(target)
    return way


def attack_codes(table: Table, attacker: Creature) -> list[int]:
    """RIFT-37. TARGET codes of all legal attack targets."""
    seat = attacker.owner
    found = [one for one in table.players[1 - seat].creatures if reach(table, attacker, one)]
    codes = [table.code(seat, one) for one in found]
    return codes + [THE_OPPONENT] * bool(reach_player(table, attacker))


def exchange(table: Table, now: Attack) -> Asking[None]:
    """RIFT-46 to 48. Strike, answer, deaths, experience, tricks."""
    if now.target is None:
        strike_player(table, now)
    else:
        yield from strike(table, now, now.target)
        yield from answer(table, now, now.target)
    siphon(table, now, now.siphoned)
    kills = death_check(table)
    if table.rules.mutual_kill_xp or table.there(now.attacker):
        earn(table, kills)
    yield from work_off(table)


def amount(table: Table, attacker: Creature) -> int:
    """RIFT-46 (a). READY is used up."""
    n, attacker.ready = attack_of(table, attacker) + attacker.ready, 0
    return n


def strike(table: Table, now: Attack, target: Creature) -> Asking[None]:
    """RIFT-46."""
    magic = has(table, now.attacker, "MAGIC")
    blow = Blow(Harm.STRIKE, slot_card(now.attacker), now.seat, now.attacker, earns=True)
    n = resisted(table, target, amount(table, now.attacker), magic)
    excess, now.raged, effective = blow.land(table, target, n)
    yield from blow.go_on(table, target, excess)
    drain(table, now, n, effective)
    table.check_lives(Wound.PASS)


def strike_player(table: Table, now: Attack) -> None:
    """RIFT-50."""
    n = amount(table, now.attacker)
    lost = hit_player(table, 1 - now.seat, n, WOUNDS[now.way])
    table.facts.dealt(now.seat, slot_card(now.attacker), n, Harm.STRIKE)
    drain(table, now, n, lost)
    table.check_lives(WOUNDS[now.way])


def drain(table: Table, now: Attack, full: int, effective: int) -> None:
    """RIFT-105, variants `siphon_counts` and `siphon_timing`."""
    if not has(table, now.attacker, "SIPHON"):
        return
    n = full if table.rules.siphon_counts == "full" else effective
    if table.rules.siphon_timing == "strike":
        siphon(table, now, n)
    else:
        now.siphoned = n


def siphon(table: Table, now: Attack, n: int) -> None:
    """RIFT-105. The healing itself."""
    if now.attacker.clear("damage", n):
        table.facts.acted(now.seat, "SIPHON")


def answer(table: Table, now: Attack, target: Creature) -> Asking[None]:
    """RIFT-47. Retaliation."""
    if not is_answered(table, now.way) or has(table, target, "DORMANT"):
        return
    if not table.rules.dead_retaliate and is_deadly_hurt(table, target) and not returns(table, target):
        return
    n = halved(table, target, 0 if table.rules.rage_before_retaliation else now.raged)
    if has(table, now.attacker, "BLOCK"):
        passing = min(n, x_of(table, target, "PIERCE"))
        if passing < n:
            table.facts.acted(now.seat, "BLOCK")
        if passing:
            table.facts.acted(target.owner, "PIERCE")
        n = passing
    blow = Blow(Harm.ANSWER, slot_card(target), target.owner, target)
    excess = blow.land(table, now.attacker, resisted(table, now.attacker, n, magic=False))[0]
    if table.rules.relentless_on == "any":
        yield from blow.go_on(table, now.attacker, excess)
    table.check_lives(Wound.PASS)


def halved(table: Table, giver: Creature, without: int = 0) -> int:
    """RIFT-43, 47, 114. Half the Attack, or all of it with VANGUARD."""
    n = attack_of(table, giver, without)
    if not has(table, giver, "VANGUARD"):
        return n // table.rules.retaliation_divisor
    if n:
        table.facts.acted(giver.owner, "VANGUARD")
    return n


def move(table: Table, mover: Creature, partner: Creature) -> Asking[None]:
    """RIFT-40 to 44. A swap and what it costs."""
    enemies = table.players[1 - mover.owner].creatures
    before = [enemy for enemy in enemies if adjacent(table, mover, enemy)]
    table.swap(mover, partner)
    if mover.swaps:
        table.facts.acted(mover.owner, "DASH")
    mover.swaps += 1
    for giver in [enemy for enemy in before if not adjacent(table, mover, enemy)]:
        yield from opportunity(table, giver, mover)
    check_and_earn(table)


def opportunity(table: Table, giver: Creature, mover: Creature) -> Asking[None]:
    """RIFT-43. Nothing if the damage is 0; then no creature turns up either."""
    n = 0 if has(table, giver, "DORMANT") else halved(table, giver)
    if not n:
        return
    turn_up(giver)
    turn_up(mover)
    blow = Blow(Harm.OPPORTUNITY, slot_card(giver), giver.owner, giver, earns=table.rules.aoo_xp)
    excess = blow.land(table, mover, resisted(table, mover, n, magic=False))[0]
    if table.rules.relentless_on == "any":
        yield from blow.go_on(table, mover, excess)
    table.check_lives(Wound.PASS)


def weapon_codes(table: Table, seat: int, weapon: Weapon) -> list[int]:
    """RIFT-52. TARGET codes."""
    if weapon.used and table.rules.weapon_uses == "once":
        return []
    enemies = table.players[1 - seat].creatures
    return [ENEMY + table.code(1 - seat, one) for one in enemies if weapon_reach(table, seat, weapon, one)]


def use_weapon(table: Table, seat: int, weapon: Weapon) -> Asking[None]:
    """RIFT-52."""
    code = yield Question(Phase.TARGET, seat, weapon_codes(table, seat, weapon), Aim.WEAPON)
    target = table.at(seat, code)
    weapon.used = True
    turn_up(target)
    magic = "MAGIC" in weapon.card.abilities
    blow = Blow(Harm.WEAPON, weapon.card, seat, earns=True)
    blow.land(table, target, resisted(table, target, weapon.card.attack, magic))
    check_and_earn(table)
    weapon.uses -= 1
    if not weapon.uses:
        table.players[seat].weapons = [one for one in table.players[seat].weapons if one is not weapon]
        lay_off(table, seat, weapon.card)


def slot_card(creature: Creature) -> Card:
    """Card of the deck behind a creature: of a TRANSFORM token the one below, of a summoned token the token."""
    return creature.origin or creature.card


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
    """RIFT-40, 41. Creatures that it can swap with."""
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
    """Whether an alternative Action is legal."""
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
