"""What holds in every position and over every step of the Rookling Heroes model."""

from collections import Counter
from collections.abc import Callable

from sim.games.rookling.state import Phase
from tests.games.rookling.model.abilities import acts, is_frozen
from tests.games.rookling.model.cards import Card
from tests.games.rookling.model.game import Exchange
from tests.games.rookling.model.resolve import Clash
from tests.games.rookling.model.table import CAPACITY_MAX, POSITIONS, SEATS, Choose, Table

OPEN_ZONES = (Phase.ASSIGN, Phase.ACTIVATE, Phase.TARGET, Phase.ATTACK, Phase.DEFEND)


def watching(choose: Choose, table_of: Callable[[], Table]) -> Choose:
    """A chooser that first holds the position to everything that can be seen in it."""

    def watched(phase: Phase, options: list[int]) -> int:
        check_position(table_of())
        assert len(options) > 1, "options: asked although there is no choice"
        assert options == sorted(set(options)), "options: not ascending"
        return choose(phase, options)

    return watched


def check_position(table: Table) -> None:
    """Invariants 1, 2, 4, 5, 9, 12, as far as one position shows them."""
    if table.phase == Phase.DRAFT:
        return
    check_cards(table)
    check_tokens(table)
    check_rooklings(table)
    check_zones(table)


def check_cards(table: Table) -> None:
    """Invariant 1. No card appears or is lost."""
    zones = [card for zones in table.zones for zone in zones for card in zone.cards]
    found: Counter[Card] = Counter([*table.deck, *table.discard, *table.hands[0], *table.hands[1], *zones])
    for rooks in table.squads:
        for rook in rooks:
            found.update({table.effect_card(slot): count for slot, count in rook.effects.items()})
    for slot in table.effects:
        found[table.effect_card(slot)] += table.piles[slot] + (slot in table.fixed)
    printed = Counter(table.cards.energy)
    printed.update({table.effect_card(slot): effect.copies for slot, effect in table.effects.items()})
    assert +found == printed, "cards: some have come or gone"
    assert all(len(hand) <= table.rules.hand_max for hand in table.hands), "hands: too many cards"


def check_tokens(table: Table) -> None:
    """Invariants 1, 9. Token cards are as many as printed; fixed ones are fixed."""
    for token in table.cards.tokens.values():
        borne = sum(rook.tokens[token.id] + rook.pending[token.id] for squad in table.squads for rook in squad)
        assert table.supply[token.id] + borne == token.supply, "tokens: some have come or gone"
        assert not (token.fixed and borne), "tokens: a fixed one lies under a Rookling"
    assert all(pile >= 0 for pile in table.piles.values()), "piles: less than nothing"


def check_rooklings(table: Table) -> None:
    """Invariants 2, 3."""
    for squad, row in zip(table.squads, table.rows, strict=True):
        assert all(0 <= rook.life <= table.rules.heal_cap for rook in squad), "life: out of range"
        assert sorted(row) in ([], [0, 1, 2]), "rows: not a permutation"
        assert any(rook.life for rook in squad), "life: the game should be over"


def check_zones(table: Table) -> None:
    """Invariants 4, 10."""
    for seat in SEATS:
        for position, zone in enumerate(table.zones[seat]):
            assert len(zone.cards) <= zone.capacity <= CAPACITY_MAX, "zones: more cards than capacity"
            assert not zone.cards or not is_frozen(table, seat, position), "zones: energy on a frozen Rookling"
            if zone.line >= 0:
                kind = table.rook(seat, position).card.lines[zone.line].kind
                assert kind == ("attack" if seat == table.attacker else "defence"), "lines: used by the wrong side"
    if table.phase in (Phase.ROW, Phase.CLEAR) and not table.defending:
        assert not any(zone.cards for zones in table.zones for zone in zones), "zones: energy before A3"
        assert table.phase == Phase.CLEAR or not table.skip[table.defender], "skip: left from before"


class WatchedExchange(Exchange):
    """An exchange that holds its steps to what may change in them."""

    def play(self) -> None:
        """Invariants 3, 12."""
        table = self.table
        assert table.skip == [False, False], "skip: left from before"
        row = list(table.rows[table.defender])
        attacker, defender = table.attacker, table.defender
        super().play()
        assert table.rows[defender] == row, "rows: the defender's has changed"
        assert table.over or table.attacker == defender != attacker, "roles: not swapped"

    def declare_attacks(self) -> None:
        """Invariant 9."""
        super().declare_attacks()
        table = self.table
        for position in POSITIONS:
            if table.attacks[position]:
                assert not acts(table, table.defender, position, "cancel_attack", "faced") or self._stays("cancel_attack")
                assert not acts(table, table.defender, position, "defence_flat", "faced") or self._stays("defence_flat")

    def _stays(self, op: str) -> bool:
        """Whether the set has tokens with this op that are not spent by being faced."""
        return any(token.has(op) and token.until != "trigger" for token in self.table.cards.tokens.values())

    def _resolve(self, seat: int, attacks: list[int], defences: list[int]) -> Clash:
        """Invariants 6, 7."""
        table = self.table
        before = [[rook.life for rook in squad] for squad in table.squads]
        clash = super()._resolve(seat, attacks, defences)
        after = [[rook.life for rook in squad] for squad in table.squads]
        assert after[1 - seat] == before[1 - seat], "life: the wrong side loses some"
        assert 0 <= sum(before[seat]) - sum(after[seat]) <= sum(attacks), "life: more lost than attacked"
        assert clash.lost or not clash.open, "packets: some are left"
        packets = clash.log
        assert all(one.blocked + one.dealt + one.excess == one.amount for one in packets), "packets: do not add up"
        blocks = [position for one in packets for position in one.blocks]
        assert len(blocks) == len(set(blocks)), "blocks: one blocked twice"
        return clash

    def clean_up(self) -> None:
        """Invariants 4, 11."""
        table = self.table
        stood = [[Counter(rook.tokens) for rook in squad] for squad in table.squads]
        came = [[Counter(rook.pending) for rook in squad] for squad in table.squads]
        super().clean_up()
        for seat in SEATS:
            for slot, rook in enumerate(table.squads[seat]):
                for name, token in table.cards.tokens.items():
                    goes = token.until == "exchange" or (token.until == "owner_attack" and seat == table.attacker)
                    left = 0 if goes else stood[seat][slot][name]
                    assert rook.tokens[name] == left + came[seat][slot][name], "tokens: wrong after the cleanup"
                assert not +rook.pending, "tokens: pending after the cleanup"
        assert not any(zone.cards for zones in table.zones for zone in zones), "zones: energy after the cleanup"

    def draw_cards(self) -> None:
        """Invariant 5."""
        table, seat = self.table, self.table.attacker
        defender_hand = len(table.hands[table.defender])
        super().draw_cards()
        enough = len(table.hands[seat]) >= table.rules.hand
        assert enough or table.skip[seat] or not (table.deck or table.discard), "hands: not drawn up"
        assert table.exchange == 0 or len(table.hands[table.defender]) == defender_hand, "hands: the defender drew"
