"""What an ability does after it is chosen, in the order of ARENA-31 (c) to (j)."""

from tests.games.arena.model.board import distance, step, way
from tests.games.arena.model.push import knockback, pull, push_straight
from tests.games.arena.model.table import (
    FIRST_DRAGONLING,
    LAST_DRAGONLING,
    RETALIATION,
    Asking,
    Flow,
    Hex,
    Table,
    ask,
    effect,
    passive,
)

STOP = 169  # SUMMON: no further token


def resolve(table: Table, user: int, ability: dict, target: int | None) -> Flow:
    """ARENA-31 (c) to (j) for an ability of the user; target: a piece, None for a utility or an area attack."""
    before = len(table.falls)
    if effect(ability, "swap"):
        here, there = table.positions[user], table.positions[target]
        table.positions[user], table.positions[target] = there, here
    yield from own_effects(table, user, ability)
    if ability["kind"] == "utility":
        return
    paid = yield from pay_rage(table, user, ability)
    hits = roll_attack(table, user, ability, target, paid)
    targets = neighbours(table, user) if effect(ability, "area") else [target]
    table.pending |= {"rage": paid, "hits": hits, "targets": targets}
    dealt = {}
    any_net_hit = False
    for struck in targets:
        net = yield from strike(table, user, ability, struck, hits, paid)
        dealt[struck] = damage_of(ability, struck, net)
        any_net_hit = any_net_hit or net >= 1
    gain = effect(ability, "rage_gain", "hit")
    if gain and any_net_hit:
        table.gain_rage(user, gain["n"])
    for struck in targets:
        retaliate(table, user, struck, dealt[struck])
    clean_up(table, [fall.piece for fall in table.falls[before:]])


def own_effects(table: Table, user: int, ability: dict) -> Flow:
    """ARENA-31 (d), ARENA-74, 75, 77."""
    shield = effect(ability, "self_defence")
    if shield:
        table.protection[user] = max(table.protection[user], shield["dice"])
    recover = effect(ability, "recover")
    if recover:
        green, yellow, _ = table.cards[user]["energy"]
        first_of_zone = [0, green, green + yellow][table.zone(user)]
        table.marker[user] = max(first_of_zone, table.marker[user] - recover["spaces"])
    gain = effect(ability, "rage_gain", "use")
    if gain:
        table.gain_rage(user, gain["n"])
    summon = effect(ability, "summon")
    if summon:
        yield from place_dragonlings(table, user, summon)


def nests(table: Table, user: int, summon: dict) -> list[Hex]:
    """ARENA-77. Hexes on which the user can place one more dragonling; empty if it can place none."""
    cap = table.cards[user].get("dragonling_cap", 0)
    if table.pool() < 1 or len(table.dragonlings(user)) >= cap:
        return []
    here, taken = table.positions[user], table.taken()
    return [x for x in table.board.land if x not in taken and distance(here, x) <= summon["range"]]


def place_dragonlings(table: Table, user: int, summon: dict) -> Flow:
    """ARENA-77. One token after another, the first obligatory, the others optional."""
    for placed in range(summon["count"]):
        # interpretation: `rage_gain use` of the same ability comes first (31 d) and may have emptied the pool; then even the
        # first token is not placed
        places = nests(table, user, summon)
        if not places:
            return
        stop = [STOP] if placed else []
        code = yield from ask("SUMMON", user, table.hex_codes(places) + stop)
        if code == STOP:
            return
        free = [p for p in range(FIRST_DRAGONLING, LAST_DRAGONLING + 1) if p not in table.positions]
        table.positions[free[0]] = table.board.land[code]
        table.owner[free[0]] = user


def pay_rage(table: Table, user: int, ability: dict) -> Asking:
    """ARENA-79. Tokens paid to the pool, 0 without a token or without `rage_spend`."""
    spend = effect(ability, "rage_spend")
    if not spend or table.rage[user] == 0:
        return 0
    most = min(spend["max"], table.rage[user])
    paid = yield from ask("RAGE", user, list(range(most + 1)))
    table.rage[user] -= paid
    return paid


def neighbours(table: Table, user: int) -> list[int]:
    """ARENA-70. Pieces adjacent to the user in the order N, NE, SE, S, SW, NW."""
    around = [table.piece_on(step(table.positions[user], direction)) for direction in range(6)]
    return [piece for piece in around if piece is not None]


def attack_dice(table: Table, user: int, ability: dict, target: int | None, paid: int) -> int:
    """ARENA-40, 76, 79. target None: an area attack, for which dragonlings add nothing."""
    spend = effect(ability, "rage_spend")
    dice = ability["attack"] + (paid * spend["dice"] if spend else 0)
    support = passive(table.cards[user], "ally_dice")
    if support and target is not None:
        helpers = [d for d in table.dragonlings(user) if d != target and table.adjacent(d, target)]
        dice += min(support["max"], support["per"] * len(helpers))
    return dice


def roll_attack(table: Table, user: int, ability: dict, target: int | None, paid: int) -> int:
    """ARENA-31 (f), ARENA-41. Hits of the attack roll, which counts for all targets."""
    fixed = effect(ability, "auto_hit")
    if fixed:
        return fixed["hits"]
    dice = attack_dice(table, user, ability, target, paid)
    return table.dice.hits(user, dice) if dice > 0 else 0


def roll_defence(table: Table, ability: dict, target: int) -> int:
    """ARENA-40, 41. Blocks of one target."""
    if effect(ability, "no_defence_roll"):
        return 0
    if target >= FIRST_DRAGONLING:
        dice = table.rules["dragonling_defence"]
    else:
        dice = table.cards[target]["defence"] + table.protection[target]
    return table.dice.blocks(table.owner[target], dice) if dice > 0 else 0


def damage_of(ability: dict, target: int, net: int) -> int:
    """ARENA-46, 47. Damage dealt, before the stop at the end of the track."""
    return 0 if effect(ability, "no_damage") or target >= FIRST_DRAGONLING else net


def is_displaced(rule: str, hits: int, net: int) -> bool:
    """ARENA-42. Whether the target is displaced."""
    # interpretation: the hits of `auto_hit` count as hits rolled
    return {"net_hit": net >= 1, "any_hit": hits >= 1, "always": True}[rule]


def strength(table: Table, ability: dict, target: int, paid: int, damage: int) -> int:
    """ARENA-43, 44, 45. K of this ability against this target now; 0 means no displacement."""
    entry = ability["knockback"][table.zone(target)]
    if entry == 0 or effect(ability, "pull"):
        return entry
    spend = effect(ability, "rage_spend")
    k = entry + (paid * spend["knockback"] if spend else 0)
    if table.rules["knockback_plus_damage"]:
        k += damage
    brace = passive(table.cards[target], "brace") if target < FIRST_DRAGONLING else None
    return max(1, k - brace["n"]) if brace else k


def strike(table: Table, user: int, ability: dict, target: int, hits: int, paid: int) -> Asking:
    """ARENA-31 (g). Defence roll, displacement with its chain, damage, rage of the target, slow. Returns net hits."""
    net = max(0, hits - roll_defence(table, ability, target))
    damage = damage_of(ability, target, net)
    k = strength(table, ability, target, paid, damage)
    if k >= 1 and is_displaced(table.rules["knockback_trigger"], hits, net):
        table.pending |= {"target": target, "k": k}
        move = pull if effect(ability, "pull") else knockback
        yield from move(table, table.positions[user], target, k, user)
    if target >= FIRST_DRAGONLING or target not in table.positions:
        return net
    last_red = sum(table.cards[target]["energy"]) - 1
    table.marker[target] = min(last_red, table.marker[target] + damage)
    fury = passive(table.cards[target], "rage_gain", "damaged")
    if fury and damage >= 1:
        table.gain_rage(target, fury["n"])
    slow = effect(ability, "slow")
    if slow and net >= 1:
        table.slow[target] = max(table.slow[target], slow["n"])
    return net


def retaliate(table: Table, user: int, target: int, damage: int) -> None:
    """ARENA-73. A target that was dealt no damage, is still on the board and adjacent shoves the user straight away."""
    if target >= FIRST_DRAGONLING or damage > 0 or target not in table.positions or user not in table.positions:
        return
    shove = passive(table.cards[target], "retaliate")
    if shove and table.adjacent(target, user):
        direction, _, _, _ = way(table.positions[target], table.positions[user])
        push_straight(table, user, direction, shove["push"], RETALIATION, target)


def clean_up(table: Table, fallen: list[int]) -> None:
    """ARENA-31 (j), ARENA-64, 75, 81, 82. Remove what fallen heroes leave, give them places, check for victory."""
    for seat in fallen:
        if seat < FIRST_DRAGONLING:
            table.rage[seat] = 0
            for dragonling in table.dragonlings(seat):
                del table.positions[dragonling]
            table.place[seat] = 1 + len(table.in_play())
    if len(table.in_play()) == 1:
        table.place[table.in_play()[0]] = 1
        table.finished = True
