"""Displacement: straight pushes, slanted pushes, pulls (ARENA-50 to 65, 71)."""

from tests.games.arena.model.board import opposite, step, way
from tests.games.arena.model.table import COLLISION, KNOCKBACK, PULL, Asking, Flow, Table, ask


def push_straight(table: Table, piece: int, direction: int, k: int, cause: int, credit: int) -> None:
    """ARENA-60 to 65. Push a piece up to k >= 1 hexes straight on; a piece that it runs into is pushed on in its place."""
    while True:
        free = 0
        struck = None
        while free < k and struck is None:
            ahead = step(table.positions[piece], direction)
            if not table.board.is_land(ahead):
                table.fall(piece, cause, credit)
                return
            struck = table.piece_on(ahead)
            if struck is None:
                table.positions[piece] = ahead
                free += 1
        if struck is None:
            return
        piece, k, cause = struck, max(1, (k - free) - 1), COLLISION


def knockback(table: Table, source: tuple[int, int], piece: int, k: int, user: int) -> Flow:
    """ARENA-50 to 57. Push a target k >= 1 hexes as directly away from the source hex as possible."""
    u, v, m, n = way(source, table.positions[piece])
    a = b = 0
    while a + b < k:
        allowed = _allowed(table.rules["offline_path"], (m, n), (a, b), k)
        steps = [direction for direction, letter in ((u, "u"), (v, "v")) if letter in allowed]
        direction = yield from _choose_step(table, piece, steps, user)
        ahead = step(table.positions[piece], direction)
        if not table.board.is_land(ahead):
            table.fall(piece, KNOCKBACK, user)
            return
        struck = table.piece_on(ahead)
        if struck is not None:
            push_straight(table, struck, direction, max(1, k - (a + b) - 1), COLLISION, user)
            return
        table.positions[piece] = ahead
        a, b = (a + 1, b) if direction == u else (a, b + 1)


def pull(table: Table, source: tuple[int, int], piece: int, k: int, user: int) -> Flow:
    """ARENA-71. Pull a target up to k hexes towards the source hex, never onto it."""
    for _ in range(k):
        u, v, m, n = way(source, table.positions[piece])
        if m + n == 1:
            return
        steps = [opposite(u)] if m > n else [opposite(u), opposite(v)]
        direction = yield from _choose_step(table, piece, steps, user)
        ahead = step(table.positions[piece], direction)
        if not table.board.is_land(ahead):
            table.fall(piece, PULL, user)
            return
        if table.piece_on(ahead) is not None:
            return
        table.positions[piece] = ahead


def _allowed(path_rule: str, offset: tuple[int, int], done: tuple[int, int], k: int) -> str:
    """ARENA-51 to 54. Which of the steps "u" and "v" may be next after (a, b) of them, of k in all."""
    a, b = done
    if offset[1] == 0:
        return "u"
    after = {"u": (a + 1, b), "v": (a, b + 1)}
    if path_rule == "end_only":
        return "".join(letter for letter, (x, y) in after.items() if _can_end_well(offset, x, y, k))
    return "".join(letter for letter, (x, y) in after.items() if _in_line(offset, x, y))


def _in_line(offset: tuple[int, int], a: int, b: int) -> bool:
    """ARENA-52, 53. Whether a push is in line after (a, b) steps."""
    m, n = offset
    return abs(a - b) <= 1 if m == n else a >= b + 1


def _can_end_well(offset: tuple[int, int], a: int, b: int, k: int) -> bool:
    """ARENA-54. Whether the remaining steps can be made so that the push ends in line."""
    left = k - a - b
    return any(_in_line(offset, a + more, b + left - more) for more in range(left + 1))


def _choose_step(table: Table, piece: int, steps: list[int], user: int) -> Asking:
    """ARENA-55, 56. Keep the best class of the legal steps; ask only between two steps that are not both water."""
    here = table.positions[piece]
    free, occupied, water = [], [], []
    for direction in steps:
        ahead = step(here, direction)
        if not table.board.is_land(ahead):
            water.append(direction)
        elif table.piece_on(ahead) is None:
            free.append(direction)
        else:
            occupied.append(direction)
    best = free or occupied or water
    # interpretation: only two water steps go unasked; two occupied hexes are asked even in a pull, which ends before either
    if len(best) == 1 or best is water:
        return best[0]
    chooser = user if table.rules["offline_chooser"] == "attacker" else table.owner[piece]
    return (yield from ask("STEP", chooser, best))
