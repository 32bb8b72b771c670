"""Tokens of the Rookling Heroes model: what acts on a Rookling, and how tokens come and go (register 2.5, 3)."""

from collections.abc import Callable, Iterator

from tests.games.rookling.model_cards import Token
from tests.games.rookling.model_table import Rook, Table

STANDING = "standing"
Which = Callable[[Token], bool]


def acting(table: Table, seat: int, position: int) -> Iterator[tuple[Token, int]]:
    """Active tokens with their number that act on whoever stands there: those under it and fixed ones in its zone."""
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
        count * token.size(op)
        for token, count in acting(table, seat, position)
        if token.trigger in (triggers or (STANDING,))
    )


def acts(table: Table, seat: int, position: int, op: str, trigger: str = STANDING) -> bool:
    """Whether any token there does this."""
    return any(
        count > 0 and token.has(op) and token.trigger == trigger for token, count in acting(table, seat, position)
    )


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
