"""The facts of a game of the plain model, counted during play under the names of OUTCOME."""

from collections import Counter
from itertools import product

from sim.games.rookling.state import Cause
from tests.games.rookling.model.game import Exchange
from tests.games.rookling.model.resolve import Clash, Packet
from tests.games.rookling.model.table import POSITIONS, SEATS, SQUAD, Table

SIDES = ("front", "siege")
FLIPS = {Cause.ATTACK: "flips_by_attack", Cause.SPILL: "flips_by_spill", Cause.POISON: "flips_by_poison"}
TAKEN = {Cause.ATTACK: "taken_attack", Cause.SPILL: "taken_spill", Cause.POISON: "taken_poison"}
OF_A_ROOKLING = (
    *("first_flip", "flip_cause", *FLIPS.values(), *TAKEN.values(), "siege_exchanges", "end_life", "lost_block"),
    *(f"{what}_{side}" for what in ("turns", "dealt") for side in SIDES),
    *("lost_excess", "blocks_own", "blocks_spill", "blocked", "energy_used", "energy_vain"),
    *("used_by_owner", "used_by_other"),
)
OF_A_SEAT = ("cards_drawn", "draws_skipped")


class Facts:
    """Counts of one game: by name, seat and roster slot; by name and seat."""

    def __init__(self) -> None:
        self.of: Counter[tuple[str, int, int]] = Counter()
        self.by_seat: Counter[tuple[str, int]] = Counter()
        self.hands: list[list[int]] = [[], []]  # cards in hand when own attacks began
        self.visited: set[tuple[int, int, int]] = set()  # seat, own and opposing Rooklings in siege-state
        self.landed: Counter[tuple[int, int]] = Counter()  # damage by seat and positions on its way: 0, 1, 2
        self.life: list[list[int]] = [[], []]  # after each exchange


class NotedExchange(Exchange):
    """An exchange that is counted."""

    def __init__(self, table: Table, facts: Facts) -> None:
        super().__init__(table)
        self.facts = facts

    def play(self) -> None:
        """Note how things stand, play, and note how they stand then."""
        table, of = self.table, self.facts.of
        down = [sum(rook.in_siege for rook in squad) for squad in table.squads]
        self.facts.hands[table.attacker].append(len(table.hands[table.attacker]))
        for seat, slot in product(SEATS, range(SQUAD)):
            self.facts.visited.add((seat, down[seat], down[1 - seat]))
            of["siege_exchanges", seat, slot] += table.squads[seat][slot].in_siege
        super().play()
        if table.over:
            self.note_energy()
        for seat in SEATS:
            self.facts.life[seat].append(sum(rook.life for rook in table.squads[seat]))
            for slot in range(SQUAD):
                of["end_life", seat, slot] = table.squads[seat][slot].life

    def declare_attacks(self) -> None:
        """Own attacking turns by side."""
        table = self.table
        for slot, rook in enumerate(table.squads[table.attacker]):
            self.facts.of[f"turns_{SIDES[rook.in_siege]}", table.attacker, slot] += 1
        super().declare_attacks()

    def _resolve(self, seat: int, attacks: list[int], defences: list[int]) -> Clash:
        """Where the damage went."""
        sides = [SIDES[rook.in_siege] for rook in self.table.squads[1 - seat]]
        clash = super()._resolve(seat, attacks, defences)
        for packet in clash.log:
            self._note(packet, seat, defences, sides)
        return clash

    def _note(self, packet: Packet, seat: int, defences: list[int], sides: list[str]) -> None:
        """One packet against a row. sides: up on the opponents' cards, by roster slot."""
        table, of, row = self.table, self.facts.of, self.table.rows[seat]
        if packet.landed is not None:
            poison, faced = table.poison, packet.landed == packet.struck
            cause = Cause.POISON if poison else Cause.ATTACK if faced else Cause.SPILL
            of[TAKEN[cause], seat, row[packet.landed]] += packet.dealt
            if packet.flipped:
                self._note_flip(seat, row[packet.landed], cause)
        if table.poison:
            return
        source = table.rows[1 - seat][packet.struck]
        of[f"dealt_{sides[source]}", 1 - seat, source] += packet.dealt
        of["lost_block", 1 - seat, source] += packet.blocked
        of["lost_excess", 1 - seat, source] += packet.excess
        self.facts.landed[seat, abs((packet.landed or 0) - packet.struck) if packet.dealt else 0] += packet.dealt
        left = packet.amount
        for position in packet.blocks:
            of["blocked", seat, row[position]] += min(left, defences[position])
            of["blocks_own" if position == packet.struck else "blocks_spill", seat, row[position]] += 1
            left = max(0, left - defences[position])

    def _note_flip(self, seat: int, slot: int, cause: Cause) -> None:
        of = self.facts.of
        of[FLIPS[cause], seat, slot] += 1
        if of["first_flip", seat, slot] == 0:
            of["first_flip", seat, slot] = self.table.exchange + 1
            of["flip_cause", seat, slot] = cause

    def note_energy(self) -> None:
        """What the energy was good for, up to the end of a game amid an exchange."""
        table, of = self.table, self.facts.of
        for seat, position in product(SEATS, POSITIONS):
            zone, slot = table.zones[seat][position], table.rows[seat][position]
            for index in range(len(zone.cards)):
                of["energy_used" if index in zone.powered else "energy_vain", seat, slot] += 1

    def clean_up(self) -> None:
        """What became of the cards on the table."""
        table, of = self.table, self.facts.of
        self.note_energy()
        for seat, position in product(SEATS, POSITIONS):
            zone = table.zones[seat][position]
            for index, card in enumerate(zone.cards):
                if index in zone.powered and card.slot is not None:
                    owner, place = divmod(card.slot, SQUAD)
                    of["used_by_owner" if owner == seat else "used_by_other", owner, place] += 1
        super().clean_up()

    def draw_cards(self) -> None:
        """Draws that a cleared poison cost."""
        self.facts.by_seat["draws_skipped", self.table.attacker] += self.table.skip[self.table.attacker]
        super().draw_cards()
