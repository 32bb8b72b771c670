"""Blows: strikes, answers, opportunities, and what passes through behind those they kill (RIFT-42 to 50, 65, 96, 105)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.deaths import await_tricks, settle, spring_on
from sim.games.riftborn.geometry import TILE, aside, is_answered, power, reach, reach_player
from sim.games.riftborn.harm import credit_blow, heal, hit, note_damage, resisted
from sim.games.riftborn.players import end_if_lost, hurt_player
from sim.games.riftborn.record import Ability, Trick
from sim.games.riftborn.state import CREATURES, NOBODY, ROWS, THE_PLAYER, creature_at, side_of
from sim.games.riftborn.stats import attack_less, attack_of, is_doomed, note, turn_up
from sim.games.riftborn.switches import RelentlessOn, SiphonCounts, SiphonTiming
from sim.games.riftborn.terms import Aim, Blow, Harm, Phase, Reach, Step, Wound
from sim.games.riftborn.uses import ATTACK_PLAYER

THE_OPPONENT = 31  # code of a TARGET


@kernel
def declare(state: Record, cards: Record, code: int) -> None:
    """RIFT-45, 50. The creature in use attacks. code: of CREATURE, 15..29 an enemy slot, 30 the opponent."""
    attacker = np.int64(state["user"])
    spend_action(state, attacker)
    aim_at(state, cards, attacker, np.int64(THE_PLAYER if code == ATTACK_PLAYER else creature_of(state, code)))
    state["strike"] = 1
    defender = 1 - side_of(attacker)
    if state["target"] == THE_PLAYER:
        spring_on(state, defender, Trick.PITFALL, attacker, np.int64(NOBODY))
    else:
        spring_on(state, defender, Trick.AMBUSH, attacker, np.int64(state["target"]))
    await_tricks(state, np.int64(Step.STRIKE))


@kernel
def creature_of(state: Record, code: int) -> np.int64:
    """Creature of a slot code as the active player sees it."""
    return creature_at(state, np.int64(state["active"]), code)


@kernel
def spend_action(state: Record, g: int) -> None:
    """RIFT-13, 89. A creature uses its Action."""
    state["acted"][g] = 1
    if state["entered"][g]:
        note(state, g, Ability.HASTE)


@kernel
def aim_at(state: Record, cards: Record, attacker: int, target: int) -> None:
    """RIFT-45, 49. Fix the target of a strike and whether it answers; attacker and target turn face up."""
    state["target"] = target
    if target == THE_PLAYER:
        state["reached"] = reach_player(state, cards, attacker)
        state["answers"] = 0
    else:
        state["reached"] = reach(state, cards, attacker, target)
        state["answers"] = is_answered(cards, np.int64(state["reached"]))
    if state["reached"] == Reach.RANGE:
        note(state, attacker, Ability.RANGE)
    elif state["reached"] == Reach.FLIGHT:
        note(state, attacker, Ability.FLIGHT)
    turn_up(state, cards, attacker)
    if target != THE_PLAYER:
        turn_up(state, cards, target)


@kernel
def strike(state: Record, cards: Record) -> None:
    """RIFT-46 (a) to (d), 50, register section 4 steps 3 to 6. The strike of the creature in use, if both are there."""
    attacker, target = np.int64(state["user"]), np.int64(state["target"])
    if state["card"][attacker] == NOBODY or (target != THE_PLAYER and state["card"][target] == NOBODY):
        state["step"] = Step.ACTED
        return
    points = attack_of(state, cards, attacker) + np.int64(state["ready"][attacker])
    state["ready"][attacker] = 0
    if target == THE_PLAYER:
        strike_player(state, cards, attacker, points)
        return
    magic = power(state, attacker, Ability.MAGIC) > 0
    points = resisted(state, cards, target, points, magic)
    shields, rage = np.int64(state["shield"][target]), np.int64(state["rage"][target])
    excess = hit(state, cards, target, points, Harm.STRIKE)
    state["raged"] = np.int64(state["rage"][target]) - rage
    effective = max(np.int64(0), points - shields) - excess
    take_siphon(state, cards, points, effective)
    credit_blow(state, cards, target, giver_of(state, attacker), points, True)
    begin_blow(state, Blow.STRIKE, attacker, target, excess)


@kernel
def strike_player(state: Record, cards: Record, attacker: int, points: int) -> None:
    """RIFT-50. A strike at the opponent."""
    wound = Wound.CONTACT
    if state["reached"] == Reach.RANGE:
        wound = Wound.RANGE
    elif state["reached"] == Reach.FLIGHT:
        wound = Wound.FLIGHT
    lost = hurt_player(state, cards, 1 - side_of(attacker), points, wound)
    note_damage(state, cards, giver_of(state, attacker), points)
    take_siphon(state, cards, points, lost)
    state["step"] = Step.ANSWER


@kernel
def giver_of(state: Record, g: int) -> tuple[np.int64, np.int64]:
    """Seat and card of a creature that gives a blow."""
    return side_of(g), np.int64(state["origin"][g])


@kernel
def begin_blow(state: Record, blow: int, giver: int, hurt: int, excess: int) -> None:
    """A blow has hit; what is left over may pass through."""
    state["blow"] = blow
    state["giver"] = giver
    state["hurt"] = hurt
    state["excess"] = excess
    state["step"] = Step.BLOW


@kernel
def follow_blow(state: Record, cards: Record) -> None:
    """RIFT-17, 65. Let a blow of RELENTLESS pass through, or go on to what follows it."""
    giver, hurt = np.int64(state["giver"]), np.int64(state["hurt"])
    acts = power(state, giver, Ability.RELENTLESS) > 0
    acts &= state["blow"] == Blow.STRIKE or cards["relentless_on"] == RelentlessOn.ANY
    if acts and state["excess"] > 0 and is_doomed(state, cards, hurt):
        first, second = behind(state, hurt)
        if second != NOBODY:
            state["phase"] = Phase.TARGET
            state["aim"] = Aim.PASS
            state["seat"] = side_of(giver)
            return
        if first != NOBODY:
            pass_on(state, cards, first)
            return
        note(state, giver, Ability.RELENTLESS)
        hurt_player(state, cards, side_of(hurt), np.int64(state["excess"]), Wound.PASS)
        note_damage(state, cards, giver_of(state, giver), np.int64(state["excess"]))
    if state["blow"] == Blow.STRIKE:
        state["step"] = Step.ANSWER
    elif state["blow"] == Blow.ANSWER:
        state["step"] = Step.EXCHANGED
    else:
        state["step"] = Step.OPPORTUNITY


@kernel
def behind(state: Record, hurt: int) -> tuple[np.int64, np.int64]:
    """RIFT-65. The one or two creatures behind a creature, in the order of the row; NOBODY where there are none."""
    seat, first, second = side_of(hurt), np.int64(NOBODY), np.int64(NOBODY)
    for row in range(np.int64(state["row"][hurt]) + 1, ROWS):
        for index in range(np.int64(state["row_len"][seat, row])):
            g = np.int64(state["grid"][seat, row, index])
            if aside(state, hurt, g) < TILE:
                if first == NOBODY:
                    first = g
                else:
                    second = g
        if first != NOBODY:
            break
    return first, second


@kernel
def pass_on(state: Record, cards: Record, g: int) -> None:
    """RIFT-65. The excess of a blow hits a creature behind."""
    giver = np.int64(state["giver"])
    note(state, giver, Ability.RELENTLESS)
    magic = state["blow"] == Blow.STRIKE and power(state, giver, Ability.MAGIC) > 0
    turn_up(state, cards, g)
    points = resisted(state, cards, g, np.int64(state["excess"]), magic)
    excess = hit(state, cards, g, points, Harm.PASS)
    credit_blow(state, cards, g, giver_of(state, giver), points, earns(state, cards))
    begin_blow(state, np.int64(state["blow"]), giver, g, excess)


@kernel
def earns(state: Record, cards: Record) -> bool:
    """RIFT-44, 48, 73. Whether kills of the blow under way give experience."""
    if state["blow"] == Blow.OPPORTUNITY:
        return cards["aoo_xp"] == 1
    return state["blow"] == Blow.STRIKE


@kernel
def answer(state: Record, cards: Record) -> None:
    """RIFT-46 (f), (g), 47. SIPHON, the end of the game, then the retaliation of the target."""
    attacker, target = np.int64(state["user"]), np.int64(state["target"])
    if power(state, attacker, Ability.SIPHON) == 0:
        state["siphoned"] = 0
    if cards["siphon_timing"] == SiphonTiming.STRIKE:
        siphon(state, attacker)
    if end_if_lost(state, cards):
        return
    state["step"] = Step.EXCHANGED
    if state["answers"] == 0 or power(state, target, Ability.DORMANT) > 0:
        return
    if cards["dead_retaliate"] == 0 and is_doomed(state, cards, target):
        return
    without = np.int64(0) if cards["rage_before_retaliation"] else np.int64(state["raged"])
    points = halved(state, cards, target, attack_less(state, cards, target, without))
    points = resisted(state, cards, attacker, past_block(state, attacker, target, points), False)
    state["answer_damage"][side_of(target)] += points
    excess = hit(state, cards, attacker, points, Harm.ANSWER)
    credit_blow(state, cards, attacker, giver_of(state, target), points, False)
    begin_blow(state, Blow.ANSWER, target, attacker, excess)


@kernel
def take_siphon(state: Record, cards: Record, points: int, effective: int) -> None:
    """RIFT-105, RA-18. What SIPHON would heal for a strike: all its damage, or that which took life."""
    state["siphoned"] = points if cards["siphon_counts"] == SiphonCounts.FULL else effective


@kernel
def siphon(state: Record, attacker: int) -> None:
    """RIFT-105. Heal what the strike dealt."""
    if heal(state, attacker, np.int64(state["siphoned"])) > 0:
        note(state, attacker, Ability.SIPHON)


@kernel
def halved(state: Record, cards: Record, g: int, attack: int) -> np.int64:
    """RIFT-43, 47, 114, 124. Damage of an answer or an opportunity: half the Attack, all of it with VANGUARD."""
    if power(state, g, Ability.VANGUARD) > 0:
        if attack > 0:
            note(state, g, Ability.VANGUARD)
        return np.int64(attack)
    return np.int64(attack // cards["divisor"])


@kernel
def past_block(state: Record, attacker: int, target: int, points: int) -> np.int64:
    """RIFT-47 (b), 81, 96. What passes the BLOCK of an attacker."""
    if points == 0 or power(state, attacker, Ability.BLOCK) == 0:
        return np.int64(points)
    passed = min(np.int64(points), power(state, target, Ability.PIERCE))
    if passed > 0:
        note(state, target, Ability.PIERCE)
    if passed < points:
        note(state, attacker, Ability.BLOCK)
    return passed


@kernel
def close_exchange(state: Record, cards: Record) -> None:
    """RIFT-48, register section 4 steps 12, 13. Deaths and experience, then waiting tricks."""
    if end_if_lost(state, cards):
        return
    attacker = np.int64(state["user"])
    if cards["siphon_timing"] == SiphonTiming.EXCHANGE:
        siphon(state, attacker)
    settle(state, cards, attacker)
    state["step"] = Step.TRICKS
    state["after_tricks"] = Step.SECOND


@kernel
def give_opportunity(state: Record, cards: Record) -> None:
    """RIFT-42, 43. The next attack of opportunity at the creature that moved; at the end RIFT-70."""
    if end_if_lost(state, cards):
        return
    mover, giver = np.int64(state["user"]), next_giver(state)
    if giver == NOBODY:
        settle(state, cards, np.int64(NOBODY))
        await_tricks(state, np.int64(Step.MAIN))
        return
    state["givers"] ^= np.uint16(1 << (giver % CREATURES))
    points = halved(state, cards, giver, attack_of(state, cards, giver))
    if points == 0:
        return
    turn_up(state, cards, giver)
    turn_up(state, cards, mover)
    points = resisted(state, cards, mover, points, False)
    state["opportunity_damage"][side_of(giver)] += points
    excess = hit(state, cards, mover, points, Harm.OPPORTUNITY)
    credit_blow(state, cards, mover, giver_of(state, giver), points, cards["aoo_xp"] == 1)
    begin_blow(state, Blow.OPPORTUNITY, giver, mover, excess)


@kernel
def next_giver(state: Record) -> np.int64:
    """RIFT-42. The next enemy that gives an opportunity, in order of row, index; NOBODY."""
    if state["givers"] == 0:
        return np.int64(NOBODY)
    enemy = 1 - side_of(np.int64(state["user"]))
    for row in range(ROWS):
        for index in range(np.int64(state["row_len"][enemy, row])):
            g = np.int64(state["grid"][enemy, row, index])
            if (state["givers"] >> np.uint16(g % CREATURES)) & np.uint16(1):
                return g
    return np.int64(NOBODY)
