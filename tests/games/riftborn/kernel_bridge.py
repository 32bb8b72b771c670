"""A game of Riftborn Tactics in the kernels and in the plain model at once: same decisions, compared after each.

`snapshot` gives the state of the kernels in the same form as the model's.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import is_over, offer
from sim.engine.dice import NATURE, below, shuffle
from sim.engine.jit import Record, kernel
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import LENDABLE, Ability, MoraleStart
from sim.games.riftborn.rules.damage import attack_of, health_of, rebuild
from sim.games.riftborn.setup import clear_table
from sim.games.riftborn.state import ALL, DECK_MAX, NOBODY, PER_ROW, ROWS, SEATS, STATE, Aim, Draw, Phase
from tests.games.riftborn.model.cards import TRICKS
from tests.games.riftborn.model.facts import outcome
from tests.games.riftborn.model.state import Creature, Player, Table
from tests.games.riftborn.model.turn import COUNTERS, FLAGS, OF_A_PLAYER, Model, snapshot
from tests.model import lockstep
from tests.model.kernels import RunningOn
from tests.model.lockstep import differing, places_of

offer(GAME)
MODES = [mode.name.lower() for mode in MoraleStart]
WORDS = [ability.name.replace("_", " ") for ability in Ability]
PILES = ("library", "hand", "discard", "removed")
READ = (
    *(*OF_A_PLAYER, "level", *PILES, *(f"{pile}_n" for pile in PILES), *COUNTERS, *FLAGS),
    *("weapon", "uses", "weapon_used", "armour", "points", "tricks", "row_len", "grid", "card", "origin", "morale"),
    *("active", "first", "turn", "winner", "spell", "entrant", "summon_card", "queue_n"),
    "queue_owner",
)  # fields that are compared


class SameDice:
    """Chance of a model: what the kernels' dice bring. decks: entrants by seat."""

    def __init__(self, cards: CardSet, decks: tuple[int, int], dice: np.void):
        self.slots = [cards.record[0]["deck_slot"][deck].tolist() for deck in decks]
        self.dice, self.keys = dice.copy(), np.zeros(DECK_MAX, np.uint32)
        self.dice["used"], self.dice["block"] = 0, 0

    def library(self, seat: int, cards: list[int], /) -> list[int]:
        """Shuffled from the order of the deck's list; the kernels' libraries have the top card last."""
        pile = np.array(sorted(cards, key=self.slots[seat].__getitem__), np.uint8)
        shuffle(self.dice, seat, Draw.LIBRARY, pile, self.keys)
        return [int(card) for card in pile[::-1]]

    def coin(self) -> int:
        """RIFT-08."""
        return int(below(self.dice, NATURE, Draw.COIN, SEATS))


@kernel
def write_strengths(state: Record, cards: Record, out: np.ndarray) -> None:
    """Write Attack and maximum Health of every creature. out: (ALL, 2)."""
    for g in range(ALL):
        if state["card"][g] != NOBODY:
            out[g, 0] = attack_of(state, cards, g)
            out[g, 1] = health_of(state, cards, g)


class Kernels(RunningOn):
    """One game in the kernels."""

    game, phases, rest = GAME, Phase, Phase.MAIN

    def __init__(self, cards: CardSet) -> None:
        super().__init__(cards)
        self._strengths = np.zeros((ALL, 2), np.int64)

    def deal(self, decks: tuple[int, int], number: int) -> SameDice:
        """Deal a game and run to its first decision. Returns the chance of a model beside it."""
        self.lay(decks, number)
        chance = SameDice(self.cards, decks, self.dice)
        self.run()
        return chance

    @property
    def aim(self) -> Aim:
        """What a TARGET decision is for."""
        return Aim(self.state["aim"] if self.phase == Phase.TARGET else Aim.NONE)

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.state["seat"])

    def snapshot(self) -> dict[str, Any]:
        """The state in the form of `snapshot` of a model."""
        values = {name: self.state[name].tolist() for name in READ}
        values["abilities"], values["strengths"] = self.abilities(), self.strengths()
        over = is_over(self.state)
        return {
            "players": [self._player(values, seat) for seat in range(SEATS)],
            **{name: values[name] for name in ("active", "first", "turn", "winner")},
            "over": bool(over),
            "kind": self.phase.name if self.codes else Phase.OVER.name,
            "aim": self.aim.name if self.codes else None,
            "seat": self.seat if self.codes else NOBODY,
            "codes": self.codes,
            "queue": values["queue_owner"][: values["queue_n"]],
        }

    def strengths(self) -> list[list[int]]:
        """Attack and maximum Health, by creature."""
        write_strengths(self.state, self.cards.record[0], self._strengths)
        return self._strengths.tolist()

    def abilities(self) -> list[dict[str, int]]:
        """Abilities in force, by creature."""
        powers = self.state["ability"].copy()
        np.maximum(powers[:, :LENDABLE], self.state["lent"], out=powers[:, :LENDABLE])
        found: list[dict[str, int]] = [{} for _ in range(ALL)]
        for g, ability in np.argwhere(powers).tolist():
            found[g][WORDS[ability]] = int(powers[g, ability])
        return found

    def _player(self, values: dict[str, Any], seat: int) -> dict[str, Any]:
        held = {pile: values[pile][seat][: values[f"{pile}_n"][seat]] for pile in PILES}
        rows = [row[:length] for row, length in zip(values["grid"][seat], values["row_len"][seat], strict=True)]
        weapons = zip(values["weapon"][seat], values["uses"][seat], values["weapon_used"][seat], strict=True)
        armours = zip(values["armour"][seat], values["points"][seat], strict=True)
        return {
            **{name: values[name][seat] for name in (*OF_A_PLAYER, "level")},
            "library": held["library"][::-1],
            "hand": held["hand"],
            "discard": sorted(held["discard"]),
            "removed": sorted(held["removed"]),
            "waiting": _waiting(values) if seat == values["active"] else [],
            "weapons": [weapon for weapon in weapons if weapon[0] != NOBODY],
            "armours": [armour for armour in armours if armour[0] != NOBODY],
            "tricks": [code for code in range(1, len(TRICKS)) if values["tricks"][seat] >> code & 1],
            "grid": [[_creature(values, g) for g in row] for row in rows if row],
        }


def _creature(values: dict[str, Any], g: int) -> dict[str, Any]:
    attack, maximum = values["strengths"][g]
    return {
        **{name: values[name][g] for name in ("card", "origin", "abilities", *COUNTERS, *FLAGS)},
        "attack": attack,
        "maximum": maximum,
        "morale": MODES[values["morale"][g]],
    }


def _waiting(values: dict[str, Any]) -> list[int]:
    """A Spell beside the piles, and a creature card that looks for its place."""
    entrant = values["entrant"] if values["summon_card"] == NOBODY else NOBODY
    return sorted(card for card in (values["spell"], entrant) if card != NOBODY)


def set_up(game: Kernels, table: Table, decks: tuple[int, int]) -> None:
    """Lay a table of the model, at its main step, before the kernels; chance of both is the same. decks: entrants by seat."""
    table.chance = game.deal(decks, 0)
    state, record = game.state, game.cards.record[0]
    game.dice["used"], game.dice["block"] = 0, 0
    game.workspace.states[0] = np.zeros((), STATE)
    clear_table(state)
    state["deck"] = decks
    state["phase"], state["active"], state["seat"] = Phase.MAIN, table.active, table.active
    state["turn"], state["first"] = table.turn, table.first
    for seat, player in enumerate(table.players):
        _set_player(state, table, seat, player)
    rebuild(state, record)
    game.run(resting=True)


def _set_player(state: np.void, table: Table, seat: int, player: Player) -> None:
    for name in OF_A_PLAYER:
        state[name][seat] = getattr(player, name)
    state["level"][seat] = table.level(seat)
    for pile in PILES:
        cards = [card.place for card in getattr(player, pile)]
        state[pile][seat, : len(cards)] = cards[::-1] if pile == "library" else cards
        state[f"{pile}_n"][seat] = len(cards)
    for at, weapon in enumerate(player.weapons):
        state["weapon"][seat, at], state["uses"][seat, at] = weapon.card.place, weapon.uses
        state["weapon_used"][seat, at] = weapon.used
    for at, armour in enumerate(player.armours):
        state["armour"][seat, at], state["points"][seat, at] = armour.card.place, armour.points
    state["tricks"][seat] = sum(1 << TRICKS.index(name) for name in player.tricks)
    for number, creature in enumerate(player.creatures):
        g = seat * ROWS * PER_ROW + number
        state["grid"][seat, creature.row, creature.index] = g
        state["row_len"][seat, creature.row] += 1
        _set_creature(state, g, creature)


def _set_creature(state: np.void, g: int, creature: Creature) -> None:
    assert g < ALL
    state["card"][g] = creature.card.place
    state["origin"][g] = NOBODY if creature.origin is None else creature.origin.place
    for name in (*COUNTERS, *FLAGS):
        state[name][g] = getattr(creature, name)
    for word, x in creature.own.items():
        state["ability"][g, WORDS.index(word)] = x
    state["morale"][g] = MoraleStart[creature.morale.upper()]


ON_THE_TABLE = ("players", "active", "turn", "over", "winner", "queue")
COUNTED = (
    *("gained", "wounds", "absorbed", "answer_damage", "opportunity_damage", "deaths", "kills", "refills", "laid"),
    *("fired", "times", "drawn", "plays", "card_kills", "card_damage"),
)  # for the outcome, and kept under the same names in the kernels' state


class Pair(lockstep.Pair):
    """Kernels and model at the same decision. seen: events that came up."""

    def look(self) -> dict[str, Any]:
        return snapshot(self.model)

    def result(self) -> dict[str, Any]:
        return outcome(self.model.table)

    def apply(self, code: int) -> None:
        if self.model.pending.aim.value:
            self.seen[f"TARGET {self.model.pending.aim.name}"] += 1
        super().apply(code)

    def compare_outcomes(self) -> None:
        super().compare_outcomes()
        times = self.game.outcome()["times"]
        self.seen.update(f"{word} acts" for seat in times for word, count in zip(WORDS, seat, strict=True) if count)


def differing_tables(game: Kernels, model: Model) -> Iterator[str]:
    """Where kernels and model differ, except in who decides next."""
    kernels, wanted = game.snapshot(), snapshot(model)
    if any(kernels[name] != wanted[name] for name in ON_THE_TABLE):
        yield from differing({name: kernels[name] for name in ON_THE_TABLE}, {name: wanted[name] for name in ON_THE_TABLE})


def differing_counts(game: Kernels, table: Table) -> Iterator[str]:
    """Where kernels and model differ in what is counted on the way."""
    counted = outcome(table)
    for name in COUNTED:
        values = game.state[name].tolist()
        if values != counted[name]:
            yield f"{name}: {places_of(values, counted[name])}"
