"""The Rookling Heroes model: a whole game in plain Python, straight from the register, slow and obvious.

`play` plays one game. Two functions drive it: `choose(phase, options)` decides for the players, `chance(draw, results,
seat)` for the dice, see `Table`. `model_state.model_state` tells how the game stands.
"""

from collections.abc import Callable, Sequence
from random import Random

from sim.games.rookling.state import Draw, Phase
from tests.games.rookling.model_cards import Cards, Rookling
from tests.games.rookling.model_exchange import ORDERS, Exchange
from tests.games.rookling.model_table import NOBODY, SEATS, SQUAD, Chance, Choose, Table

PICKS = (0, 1, 1, 0, 0, 1)  # ROOK-04: drafter 1 or 2, pick by pick
Squads = Sequence[Sequence[str]]


def new_table(cards: Cards, choose: Choose, chance: Chance, squads: Squads | None = None) -> Table:
    """An empty table, squads on it if they are given (`choose`); otherwise they come about in `set_up`."""
    table = Table(cards, choose, chance)
    if squads is not None:
        table.field_squads([[cards.rookling(name) for name in squad] for squad in squads])
    return table


def play(table: Table, exchange: Callable[[Table], Exchange] = Exchange) -> Table:
    """A whole game from an empty table. exchange: a test may watch its steps."""
    set_up(table)
    while not table.over:
        exchange(table).play()
    return table


def set_up(table: Table) -> None:
    """ROOK-02 to 04, 09, 10. Squads, first attacker, the first defender's row, opening hands."""
    if table.rules.squad_mode == "random":
        table.field_squads(_deal(table))
    elif table.rules.squad_mode == "draft":
        _draft(table)
    table.first = table.attacker = _first_attacker(table)
    if table.rules.opening_row == "random":
        order = table.lot(Draw.OPENING_ROW, range(len(ORDERS)), table.defender)
        table.rows[table.defender] = list(ORDERS[order])
    else:
        Exchange(table).arrange(table.defender)
    for seat in (table.attacker, table.defender):
        table.draw_up(seat)


def _deal(table: Table) -> list[list[Rookling]]:
    """ROOK-03. Three for each player, the first three for seat 0."""
    left = list(range(len(table.cards.rooklings)))
    squads: list[list[Rookling]] = [[], []]
    for seat in SEATS:
        for _ in range(SQUAD):
            place = table.lot(Draw.SQUADS, left, seat)
            left.remove(place)
            squads[seat].append(table.cards.rooklings[place])
    return squads


def _draft(table: Table) -> None:
    """ROOK-04. A coin, then one pick after the other among those left."""
    table.drafter = table.lot(Draw.DRAFTER, SEATS)
    left = list(range(len(table.cards.rooklings)))
    squads: list[list[Rookling]] = [[], []]
    for pick, drafter in enumerate(PICKS):
        seat = table.drafter if drafter == 0 else 1 - table.drafter
        place = table.ask(seat, Phase.DRAFT, left, pick)
        left.remove(place)
        squads[seat].append(table.cards.rooklings[place])
        table.field_squads(squads)


def _first_attacker(table: Table) -> int:
    """ROOK-09, A-07. Without a draft there is no drafter: the coin decides."""
    if table.drafter != NOBODY and table.rules.first_attacker == "drafter1":
        return table.drafter
    if table.drafter != NOBODY and table.rules.first_attacker == "drafter2":
        return 1 - table.drafter
    return table.lot(Draw.ATTACKER, SEATS)


def at_random(rng: Random) -> tuple[Choose, Chance]:
    """Both functions that drive a game, all options and results equally likely."""

    def choose(phase: Phase, options: list[int]) -> int:
        return rng.choice(options)

    def chance(draw: Draw, results: list[int], seat: int) -> int:
        return rng.choice(results)

    return choose, chance
