"""Invariants of the model, checked whenever a game asks for a decision, and between turns."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.state import HAND_MAX, SEATS, SLOTS, Cause
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.model.table import Asking, Player

TURNS_MOST = 146  # with the rules of the reference set


class Watched(Model):
    """A game whose invariants are checked at every decision."""

    def watch(self) -> "Watched":
        """From the beginning, at the first decision."""
        self.powers = [self.rules["start_power"]] * SEATS
        self.extra = [0] * SEATS
        self.start()
        self.look()
        return self

    def apply(self, code: int) -> None:
        """Decide, and check."""
        super().apply(code)
        self.look()

    def add_sets(self, player: Player, n: int) -> None:
        """Counted beside the model."""
        super().add_sets(player, n)
        self.extra[player.side] += n

    def begin(self) -> Asking:
        """RUNE-46. Nothing of the last turn is left."""
        for player in self.players:
            assert player.light == player.guard == 0
            assert not any(player.boosts)
            for thing in filter(None, player.things):
                assert self.is_defence(thing)
                assert thing.damage == thing.guard == 0
        assert not self.between
        self.extra = [0] * SEATS
        yield from super().begin()

    def look(self) -> None:
        """Check everything."""
        for player in self.players:
            self._look_at_player(player)
            self._look_at_field(player)
        counted = Counter(self._everywhere())
        assert set(counted.values()) <= {1}
        assert counted.keys() == self.card_of.keys()

    def _everywhere(self) -> Iterator[int]:
        yield from self.between
        for player in self.players:
            yield from (*player.deck, *player.hand, *player.discard, *player.void)
            yield from (conc.inst for conc in player.concs if conc is not None)
            for thing in filter(None, player.things):
                yield thing.inst
                yield from [] if thing.under is None else [thing.under]

    def _look_at_player(self, player: Player) -> None:
        seat, facts, start = player.side, self.facts, self.rules["start_power"]
        own = [*player.deck, *player.hand, *player.discard, *player.void]
        assert all(inst // DECK_MAX == seat for inst in own)
        assert 0 <= player.power <= self.powers[seat]
        assert self.over or player.power
        self.powers[seat] = player.power
        assert player.determination == start - player.power - facts.spent[seat] >= 0
        assert sum(facts.powers_lost[seat]) == start - player.power == len(facts.lost_turn[seat])
        assert len(player.hand) <= HAND_MAX
        assert player.blocked <= self.rules["blocks_per_turn"]
        assert 0 <= player.sets_left <= self.rules["sets_per_turn"] + self.extra[seat]
        if not self.over:
            assert 1 <= player.health <= self.max_health(player)
            assert player.deck or self.switch("deck_out", "on_need")
            assert player.light >= 0

    def _look_at_field(self, player: Player) -> None:
        things = [thing for thing in player.things if thing is not None]
        assert len({self.card_of[conc.inst] for conc in player.concs if conc}) <= self.rules["concentration_areas"]
        assert all(conc is None or conc.inst // DECK_MAX == player.side for conc in player.concs)
        trinkets = [self.card_of[thing.inst] for thing in things if self.card(thing.inst)["type"] == "trinket"]
        assert len(trinkets) == len(set(trinkets))
        types = [area.type for _, area in self.exposed_areas(player)]
        assert len(types) == len(set(types))
        for thing in things:
            if thing.place < SLOTS:
                assert player.concs[thing.place] is not None
            else:
                assert player.areas[thing.place - SLOTS].count
            assert (self.card(thing.inst)["type"] == "boon") == (thing.place >= SLOTS)
            assert thing.under is None or self.traps(thing.inst)
            assert min(thing.guard, thing.damage, thing.tokens) >= 0
            assert self.over or self.pausing or not self.is_defence(thing) or thing.damage < self.defence(thing)

    def traps(self, inst: int) -> bool:
        """Whether a card can hold another."""
        card = self.card(inst)
        lists = [*self.lists(inst), *(row["effects"] for row in card.get("activated", ()))]
        return any(effect["op"] == "trap" for effects in lists for effect in effects)

    @property
    def pausing(self) -> bool:
        """Whether a decision is open in the middle of something that has yet to look for spent defence."""
        return self.pending is not None and self.pending.kind.name not in ("MAIN", "PASS")


def check_outcome(game: Model, outcome: dict[str, Any]) -> None:
    """Check figures of the outcome that must agree with each other."""
    assert (outcome["cause"] == Cause.NOT_DECIDED) is not game.over
    for seat, player in enumerate(game.players):
        assert sum(outcome["powers_lost"][seat]) == game.rules["start_power"] - outcome["end_power"][seat]
        assert sum(outcome["drawn"][seat]) + outcome["to_limit"][seat] >= outcome["drawn_cards"][seat]
        assert sum(outcome["stayed"][seat]) == len(player.hand)
        assert outcome["light_wasted"][seat] <= outcome["light_made"][seat]
        assert sum(outcome["plays"][seat]) >= outcome["slung"][seat]
        assert outcome["answers"][seat] == outcome["answered_cards"][1 - seat]
        for drawn, played in zip(outcome["drawn_turn"][seat], outcome["played_turn"][seat], strict=True):
            assert not played or 0 < drawn <= played
    if game.over and outcome["cause"] < len(outcome["powers_lost"][0]):
        assert outcome["end_power"][1 - game.winner] == 0
