"""Special lines of the Rookling Heroes model (ROOK-30 to 37)."""

from sim.games.rookling.state import Phase
from tests.games.rookling.model_cards import Effect, Line
from tests.games.rookling.model_energy import counting, is_met
from tests.games.rookling.model_table import CAPACITY_MAX, POSITIONS, Table, neighbours
from tests.games.rookling.model_tokens import cleanse, give, has_harmful, is_confused, is_frozen

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
    """Register 2.3. Positions that an effect may reach, ascending."""
    return {
        "self": [position],
        "neighbours": neighbours(position),
        "self_or_neighbour": sorted([position, *neighbours(position)]),
    }.get(effect.scope, list(POSITIONS))


def targets_of(table: Table, seat: int, position: int, effect: Effect) -> list[int]:
    """Positions at which an effect would change something now; effects without a target: the own position."""
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
