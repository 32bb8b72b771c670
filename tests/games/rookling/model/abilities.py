"""Tokens and special lines of the plain model (ROOK-30 to 37, 61 to 63, 67 to 72)."""

from collections.abc import Callable, Iterator

from sim.games.rookling.state import Phase
from tests.games.rookling.model.cards import Effect, Line, Token, counting, is_met
from tests.games.rookling.model.table import CAPACITY_MAX, POSITIONS, Rook, Table, neighbours

STANDING = "standing"
Which = Callable[[Token], bool]


def acting(table: Table, seat: int, position: int) -> Iterator[tuple[Token, int]]:
    """Active tokens with their number that act on the Rookling there: those under it and fixed ones in its zone."""
    rook = table.rook(seat, position)
    for name, count in rook.tokens.items():
        yield table.cards.tokens[name], count
    for slot, count in rook.effects.items():
        yield token_of(table, slot), count
    for slot, zone in table.fixed.items():
        if zone == (seat, position):
            yield token_of(table, slot), 1


def token_of(table: Table, slot: int) -> Token:
    """What a field effect becomes."""
    return table.cards.tokens[table.effects[slot].token]


def sum_of(table: Table, seat: int, position: int, op: str, *triggers: str) -> int:
    """ROOK-44. What all tokens that act there with one of these triggers add up to."""
    return sum(
        count * token.size(op) for token, count in acting(table, seat, position) if token.trigger in (triggers or (STANDING,))
    )


def acts(table: Table, seat: int, position: int, op: str, trigger: str = STANDING) -> bool:
    """Whether any token there does this."""
    return any(count > 0 and token.has(op) and token.trigger == trigger for token, count in acting(table, seat, position))


def is_frozen(table: Table, seat: int, position: int) -> bool:
    """ROOK-21, 68. Whether no energy may be placed there."""
    return acts(table, seat, position, "no_energy")


def is_confused(table: Table, seat: int, position: int) -> bool:
    """ROOK-30, 69. Whether the Rookling there activates no special line."""
    return acts(table, seat, position, "no_special")


# coming


def give(table: Table, rook: Rook, name: str, count: int) -> int:
    """ROOK-08, 56. Token cards from the supply, pending, as many as there are. Returns how many."""
    given = min(count, table.supply[name])
    table.supply[name] -= given
    rook.pending[name] += given
    return given


def slide(table: Table, seat: int, position: int, slot: int) -> None:
    """ROOK-61, 62. A used field effect becomes a token: under the Rookling there, or in its zone if it is fixed."""
    if not token_of(table, slot).fixed:
        table.rook(seat, position).effects[slot] += 1
        return
    if slot in table.fixed:
        table.piles[slot] += 1
    table.fixed[slot] = (seat, position)


# going (ROOK-63: at once, to the supply or to the pile of the owner)


def remove(table: Table, rook: Rook, which: Which) -> None:
    """All active tokens of some kinds from under a Rookling."""
    for name in [name for name in rook.tokens if which(table.cards.tokens[name])]:
        table.supply[name] += rook.tokens.pop(name)
    for slot in [slot for slot in rook.effects if which(token_of(table, slot))]:
        table.piles[slot] += rook.effects.pop(slot)


def spend(table: Table, rook: Rook, trigger: str, op: str) -> None:
    """ROOK-44. Tokens that were triggered go if that is what ends them."""
    remove(table, rook, lambda token: token.trigger == trigger and token.has(op) and token.until == "trigger")


def cleanse(table: Table, rook: Rook) -> None:
    """ROOK-33."""
    remove(table, rook, lambda token: token.harmful)


def has_harmful(table: Table, rook: Rook) -> bool:
    """Whether there is anything to cleanse."""
    names = [*(+rook.tokens), *(table.effects[slot].token for slot in +rook.effects)]
    return any(table.cards.tokens[name].harmful for name in names)


def is_poisoned(table: Table, rook: Rook) -> bool:
    """ROOK-14. Whether a discarded card would clear something."""
    names = [*(+rook.tokens), *(table.effects[slot].token for slot in +rook.effects)]
    return any(table.cards.tokens[name].until == "cleared" for name in names)


def clear_one(table: Table, rook: Rook) -> None:
    """ROOK-14. One token that is cleared by a discard: a token card first, the first of the file, else a field effect."""
    for name in table.cards.tokens:
        if table.cards.tokens[name].until == "cleared" and rook.tokens[name] > 0:
            rook.tokens[name] -= 1
            table.supply[name] += 1
            return
    for slot in sorted(+rook.effects):
        if token_of(table, slot).until == "cleared":
            rook.effects[slot] -= 1
            table.piles[slot] += 1
            return


def activate_pending(rook: Rook) -> None:
    """ROOK-63. Pending token cards act from now on."""
    rook.tokens.update(rook.pending)
    rook.pending.clear()


CHOOSING = ("self_or_neighbour", "any_own")
TARGETED = ("heal", "cleanse", "charge", "attack_flat", "attack_plus", "defence_flat", "defence_plus")


def offer_specials(table: Table, seat: int, position: int) -> None:
    """ROOK-30. After a card was placed: the special lines of the Rookling there, in printed order."""
    card = table.rook(seat, position).card
    for index in card.of_kind("special"):
        if may_activate(table, seat, position, index) and table.ask(seat, Phase.ACTIVATE, [0, 1], index, position):
            activate(table, seat, position, index)


def may_activate(table: Table, seat: int, position: int, index: int) -> bool:
    """ROOK-30. Met, not yet activated, not barred, and worth something. A-03: no second line with that switch."""
    rook, zone = table.rook(seat, position), table.zones[seat][position]
    line = rook.card.lines[index]
    if index in zone.activated or (table.rules.one_line_per_rookling and zone.activated):
        return False
    if is_confused(table, seat, position) or not is_met(line, zone.cards, rook.in_siege, table.rules):
        return False
    return any(targets_of(table, seat, position, effect) for effect in line.effects)


def activate(table: Table, seat: int, position: int, index: int) -> None:
    """ROOK-30. The effects of a line in printed order, by the side that is up now; one target for all that choose."""
    rook, zone = table.rook(seat, position), table.zones[seat][position]
    line = rook.card.lines[index]
    in_siege = rook.in_siege
    zone.activated.add(index)
    zone.powered.update(counting(line, zone.cards, table.rules))
    chosen = _choose_target(table, seat, position, index, line)
    for effect in line.effects:
        targets = chosen if effect.scope in CHOOSING else in_scope(effect, position)
        _do(table, seat, position, effect, line.size(effect, in_siege), targets)


def in_scope(effect: Effect, position: int) -> list[int]:
    """Positions that an effect may reach, ascending."""
    return {
        "self": [position],
        "neighbours": neighbours(position),
        "self_or_neighbour": sorted([position, *neighbours(position)]),
    }.get(effect.scope, list(POSITIONS))


def targets_of(table: Table, seat: int, position: int, effect: Effect) -> list[int]:
    """Positions at which an effect would change something now; effects without a target: their own position."""
    if effect.do in TARGETED:
        return [place for place in in_scope(effect, position) if _would_change(table, seat, place, effect.do)]
    hand_room = len(table.hands[seat]) < table.rules.hand_max
    something = {
        "shuffle_field": table.piles[table.slot(seat, position)] > 0,
        "draw": hand_room and bool(table.deck or table.discard),
        "token_self": table.supply[effect.token] > 0,
    }[effect.do]
    return [position] if something else []


def _would_change(table: Table, seat: int, position: int, do: str) -> bool:
    rook, zone = table.rook(seat, position), table.zones[seat][position]
    if do == "heal":
        return rook.life < table.rules.heal_cap
    if do == "cleanse":
        return has_harmful(table, rook)
    if do == "charge":
        room = zone.capacity < CAPACITY_MAX and not is_frozen(table, seat, position)
        return room and bool(table.hands[seat])
    return (seat == table.attacker) == do.startswith("attack")


def _choose_target(table: Table, seat: int, position: int, index: int, line: Line) -> list[int]:
    """ROOK-32 to 34. The position that its player picks, if any effect of the line lets it be picked."""
    choosing = [effect for effect in line.effects if effect.scope in CHOOSING]
    allowed = sorted({place for effect in choosing for place in targets_of(table, seat, position, effect)})
    return [table.ask(seat, Phase.TARGET, allowed, index, position)] if allowed else []


def _do(table: Table, seat: int, position: int, effect: Effect, n: int, targets: list[int]) -> None:
    """One effect of a line."""
    if effect.do == "shuffle_field":
        slot = table.slot(seat, position)
        copies = min(n, table.piles[slot])
        table.piles[slot] -= copies
        table.deck.extend([table.effect_card(slot)] * copies)
    elif effect.do == "draw":
        for _ in range(min(n, table.rules.hand_max - len(table.hands[seat]))):
            table.draw(seat)
    elif effect.do == "token_self":
        give(table, table.rook(seat, position), effect.token, n)
    else:
        for target in targets:
            _do_to(table, seat, target, effect.do, n)


def _do_to(table: Table, seat: int, target: int, do: str, n: int) -> None:
    """One effect on one Rookling."""
    rook, zone = table.rook(seat, target), table.zones[seat][target]
    if do == "heal":
        heal(table, seat, target, n)
    elif do == "cleanse":
        cleanse(table, rook)
    elif do == "charge":
        if not is_frozen(table, seat, target):
            zone.capacity = min(CAPACITY_MAX, zone.capacity + n)
    elif (seat == table.attacker) == do.startswith("attack"):
        zone.grants[do] += n


def heal(table: Table, seat: int, position: int, n: int) -> None:
    """ROOK-32, 58. Life up to the cap; from 0 the front side comes up again."""
    rook = table.rook(seat, position)
    rook.life = max(rook.life, min(table.rules.heal_cap, rook.life + n))
