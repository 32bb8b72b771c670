"""A whole game of the plain model: set-up, then exchange by exchange in the order of ROOK-11; slow and obvious."""

from collections.abc import Callable, Sequence
from itertools import permutations
from random import Random

from sim.games.rookling.state import Cause, Draw, Phase
from tests.games.rookling.model.abilities import (
    STANDING,
    activate_pending,
    acts,
    clear_one,
    give,
    heal,
    is_frozen,
    is_poisoned,
    offer_specials,
    remove,
    slide,
    spend,
    sum_of,
)
from tests.games.rookling.model.cards import Cards, Rookling, counting, is_met, offer, own_amount
from tests.games.rookling.model.resolve import Clash, Switches
from tests.games.rookling.model.table import NOBODY, POSITIONS, SEATS, SQUAD, Chance, Choose, Table, Zone

STOP = 0
HAND = 6  # codes of a hand in CLEAR and ASSIGN
ORDERS = list(permutations(POSITIONS))


class Exchange:
    """One attack and the answer to it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def play(self) -> None:
        """ROOK-11. A1 to E4, cut short by the end of the game."""
        table = self.table
        self.clear_poison(table.attacker)
        self.arrange(table.attacker)
        self.assign(table.attacker)
        self.choose_lines(table.attacker)
        self.declare_attacks()
        table.defending = True
        self.clear_poison(table.defender)
        self.assign(table.defender)
        self.choose_lines(table.defender)
        self.declare_defences()
        self.resolve_attacks()
        if not table.over:
            self.end_attack()
        if not table.over:
            self.clean_up()
            self.draw_cards()
            self.swap()

    # A1, A2, D1

    def clear_poison(self, seat: int) -> None:
        """ROOK-14, 15. Cards for poison, as often as wished."""
        table = self.table
        while True:
            bearers = [slot for slot, rook in enumerate(table.squads[seat]) if is_poisoned(table, rook)]
            codes = [1 + slot * HAND + place for slot in bearers for place in table.hand_choices(seat)]
            code = table.ask(seat, Phase.CLEAR, [STOP, *codes])
            if code == STOP:
                return
            slot, place = divmod(code - 1, HAND)
            table.discard.append(table.hands[seat].pop(place))
            clear_one(table, table.squads[seat][slot])
            if seat == table.attacker and table.rules.poison_clear_draw == "strict":
                table.skip[seat] = True

    def arrange(self, seat: int) -> None:
        """ROOK-10, 16. Fixed tokens belong to zones and stay."""
        self.table.rows[seat] = list(ORDERS[self.table.ask(seat, Phase.ROW, range(len(ORDERS)))])

    # A3, D2

    def assign(self, seat: int) -> None:
        """ROOK-20, 30. Cards one at a time, each followed by the special lines that it opens."""
        table = self.table
        while True:
            code = table.ask(seat, Phase.ASSIGN, [STOP, *self.assignments(seat)])
            if code == STOP:
                return
            position, place = divmod(code - 1, HAND)
            table.zones[seat][position].cards.append(table.hands[seat].pop(place))
            offer_specials(table, seat, position)

    def assignments(self, seat: int) -> list[int]:
        """ROOK-21, 28. Codes of the cards that may be placed now, ascending."""
        table = self.table
        return [
            1 + position * HAND + place
            for position in POSITIONS
            if len(table.zones[seat][position].cards) < table.zones[seat][position].capacity
            and not is_frozen(table, seat, position)
            for place in table.hand_choices(seat)
            if table.rules.dump or self._is_of_use(seat, position, place)
        ]

    def _is_of_use(self, seat: int, position: int, place: int) -> bool:
        """A-04. Whether a card would count for a line that may be used in this half, met with the card."""
        table, rook = self.table, self.table.rook(seat, position)
        cards = [*table.zones[seat][position].cards, table.hands[seat][place]]
        kinds = ("special", "attack" if seat == table.attacker else "defence")
        return any(
            line.kind in kinds
            and len(cards) - 1 in counting(line, cards, table.rules)
            and is_met(line, cards, rook.in_siege, table.rules)
            for line in rook.card.lines
        )

    # A4, D3

    def choose_lines(self, seat: int) -> None:
        """ROOK-12, 27, 38, 43. None or one of the attack or defence lines met, position by position."""
        table = self.table
        kind, phase = ("attack", Phase.ATTACK) if seat == table.attacker else ("defence", Phase.DEFEND)
        for position in POSITIONS:
            rook, zone = table.rook(seat, position), table.zones[seat][position]
            barred = table.rules.one_line_per_rookling and zone.activated
            lines = dict(enumerate(rook.card.of_kind(kind), start=1))
            met = [
                code
                for code, index in lines.items()
                if not barred and is_met(rook.card.lines[index], zone.cards, rook.in_siege, table.rules)
            ]
            code = table.ask(seat, phase, [0, *met], position)
            if code:
                zone.line = lines[code]
                zone.powered.update(counting(rook.card.lines[zone.line], zone.cards, table.rules))

    def _own(self, seat: int, position: int) -> int:
        """What the line in use gives, 0 without one."""
        rook, zone = self.table.rook(seat, position), self.table.zones[seat][position]
        return own_amount(rook.card.lines[zone.line], zone.cards, rook.in_siege) if zone.line >= 0 else 0

    def declare_attacks(self) -> None:
        """ROOK-38 to 42. Amounts; then tokens of the attacker, then those of Rooklings that are faced."""
        table, attacker, defender = self.table, self.table.attacker, self.table.defender
        for position in POSITIONS:
            grants = table.zones[attacker][position].grants
            flat = grants["attack_flat"] + sum_of(table, attacker, position, "attack_flat", STANDING, "attack_turn")
            plus = grants["attack_plus"] + sum_of(table, attacker, position, "attack_plus", STANDING, "attack_turn")
            table.attacks[position] = offer(self._own(attacker, position), flat, plus)
        for rook in table.squads[attacker]:
            remove(table, rook, lambda token: token.trigger == "attack_turn" and token.until == "trigger")
        for position in POSITIONS:
            if table.attacks[position] and acts(table, defender, position, "cancel_attack", "faced"):
                table.attacks[position] = 0
                spend(table, table.rook(defender, position), "faced", "cancel_attack")
        for position in POSITIONS:
            if table.attacks[position]:
                table.covers[position] = sum_of(table, defender, position, "defence_flat", "faced")
                spend(table, table.rook(defender, position), "faced", "defence_flat")

    def declare_defences(self) -> None:
        """ROOK-39, 43. Amounts, with tokens that act on a defence against an attack."""
        table, seat = self.table, self.table.defender
        for position in POSITIONS:
            grants = table.zones[seat][position].grants
            flat = grants["defence_flat"] + sum_of(table, seat, position, "defence_flat") + table.covers[position]
            plus = grants["defence_plus"] + sum_of(table, seat, position, "defence_plus")
            own = self._own(seat, position)
            if table.attacks[position] and own + flat >= 1:
                plus += sum_of(table, seat, position, "defence_plus", "defends")
                spend(table, table.rook(seat, position), "defends", "defence_plus")
            table.defences[position] = offer(own, flat, plus)

    # D4, E1

    def resolve_attacks(self) -> None:
        """ROOK-45 to 56. The attacks, and tokens for those that were not fully blocked."""
        table = self.table
        clash = self._resolve(table.defender, table.attacks, table.defences)
        if clash.lost:
            last = clash.log[-1]
            table.end(table.attacker, Cause.ATTACK if last.landed == last.struck else Cause.SPILL)
            return
        for position in sorted(clash.hits):
            rook, zone = table.rook(table.attacker, position), table.zones[table.attacker][position]
            if zone.line < 0:
                continue
            line = rook.card.lines[zone.line]
            for effect in line.effects:
                bearer = table.rook(table.defender, clash.hits[position])
                give(table, bearer, effect.token, line.size(effect, rook.in_siege))

    def _resolve(self, seat: int, attacks: list[int], defences: list[int]) -> Clash:
        """Packets against the row of a seat; lives change packet by packet."""
        table, rules = self.table, self.table.rules
        switches = Switches(rules.siege_chain_blocks, rules.hold_block, rules.hit_on_landing)
        life = [table.rook(seat, position).life for position in POSITIONS]
        table.clash = clash = Clash(life, list(attacks), list(defences), switches)
        while clash.open and not clash.lost:
            clash.step(lambda phase, options: table.ask(seat, phase, options))
            for position in POSITIONS:
                table.rook(seat, position).life = clash.life[position]
        table.clash = None
        return clash

    def end_attack(self) -> None:
        """E1; A-27 turns the order around."""
        steps = [self._heal_by_tokens, self._poison]
        for step in steps if self.table.rules.e1_order == "heal_first" else steps[::-1]:
            if not self.table.over:
                step()

    def _heal_by_tokens(self) -> None:
        """ROOK-59. Spent even if nothing changes."""
        table, seat = self.table, self.table.attacker
        for position in POSITIONS:
            heal(table, seat, position, sum_of(table, seat, position, "heal", "end_attack"))
            spend(table, table.rook(seat, position), "end_attack", "heal")

    def _poison(self) -> None:
        """ROOK-60. One packet for each Rookling that bears poison, resolved by its owner without blocks."""
        table, seat = self.table, self.table.attacker
        packets = [sum_of(table, seat, position, "damage", "end_attack") for position in POSITIONS]
        for rook in table.squads[seat]:
            spend(table, rook, "end_attack", "damage")
        table.poison = True
        clash = self._resolve(seat, packets, [0, 0, 0])
        table.poison = False
        if clash.lost:
            table.end(table.defender, Cause.POISON)

    # E2 to E4

    def clean_up(self) -> None:
        """ROOK-61 to 63. Cards leave; tokens go, then pending ones and used field effects begin to act."""
        table = self.table
        slid: list[tuple[int, int, int]] = []
        for seat in (table.attacker, table.defender):
            for position in POSITIONS:
                zone = table.zones[seat][position]
                for index, card in enumerate(zone.cards):
                    if card.slot is not None and index in zone.powered:
                        slid.append((seat, position, card.slot))
                    else:
                        table.discard.append(card)
        for seat in SEATS:
            for rook in table.squads[seat]:
                remove(table, rook, lambda token: token.until == "exchange")
                if seat == table.attacker:
                    remove(table, rook, lambda token: token.until == "owner_attack")
                activate_pending(rook)
        for seat, position, slot in slid:
            slide(table, seat, position, slot)
        table.zones = [[Zone() for _ in POSITIONS] for _ in SEATS]
        table.attacks, table.defences, table.covers = [0, 0, 0], [0, 0, 0], [0, 0, 0]

    def draw_cards(self) -> None:
        """ROOK-15, 64. The attacker; after the first exchange the defender too."""
        table = self.table
        drawing = [table.attacker] if not table.skip[table.attacker] else []
        if table.exchange == 0:
            drawing.append(table.defender)
        for seat in drawing:
            if table.rules.draw_mode == "new_hand":
                table.discard.extend(table.hands[seat])
                table.hands[seat].clear()
            table.draw_up(seat)

    def swap(self) -> None:
        """ROOK-66. The defender attacks next, unless the game has gone on for too long."""
        table = self.table
        table.skip = [False, False]
        table.attacker, table.defending = table.defender, False
        table.exchange += 1
        if table.exchange == table.rules.turn_cap:
            table.end(-1)


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
