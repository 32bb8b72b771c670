"""A game of Riftborn Tactics in the kernels and in the plain model at once: same decisions, compared after each.

`snapshot` gives the state of the kernels in the same form as the model's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import apply_action, is_over, legal_actions, offer, write_outcome
from sim.engine.dice import NATURE, SEATS_MAX, below, shuffle
from sim.engine.jit import Record, kernel
from sim.engine.loop import PLAN, set_table
from sim.engine.policies import new_workspace
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import LENDABLE, LEVELS, Ability, MoraleStart
from sim.games.riftborn.outcome import OUTCOME
from sim.games.riftborn.rules.damage import attack_of, health_of, rebuild
from sim.games.riftborn.setup import clear_table
from sim.games.riftborn.state import ALL, DECK_MAX, NOBODY, PER_ROW, ROWS, SEATS, STATE, Aim, Draw, Phase
from tests.games.riftborn.model.cards import TRICKS
from tests.games.riftborn.model.facts import outcome
from tests.games.riftborn.model.state import Creature, Player, Table
from tests.games.riftborn.model.turn import COUNTERS, Model, snapshot

offer(GAME)
MODES = [mode.name.lower() for mode in MoraleStart]
WORDS = [ability.name.replace("_", " ") for ability in Ability]
OF_A_PLAYER = ("life", "xp", "level", "start_level", "used_levels", "own_turns", "known_own", "known_other")
PILES = ("library", "hand", "discard", "removed")
FLAGS = ("face_down", "acted", "entered")
READ = (
    *(*OF_A_PLAYER, *PILES, *(f"{pile}_n" for pile in PILES), *COUNTERS, *FLAGS),
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
            out[g, 0] = attack_of(state, cards, np.int64(g))
            out[g, 1] = health_of(state, cards, np.int64(g))


class Kernels:
    """One game in the kernels."""

    def __init__(self, cards: CardSet):
        """An empty table. cards: of the game."""
        self.cards, self.workspace = cards, new_workspace(STATE, GAME.options_max, SEATS_MAX)
        self.state, self.dice = self.workspace.states[0], self.workspace.dice[0]
        self.turns = GAME.turn_limit(cards)
        self._strengths = np.zeros((ALL, 2), np.int64)

    def deal(self, decks: tuple[int, int], number: int) -> SameDice:
        """Deal a game and run to its first decision. number: fixes all chance. Returns the chance of a model beside it."""
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = SEATS, number, number
        plan["stream"], plan["entrant"][:SEATS] = np.arange(SEATS_MAX), decks
        set_table(self.workspace, self.cards.record[0], plan)
        chance = SameDice(self.cards, decks, self.dice)
        self.run()
        return chance

    @property
    def phase(self) -> Phase:
        """What is to be decided."""
        return Phase(self.state["phase"])

    @property
    def aim(self) -> Aim:
        """What a TARGET decision is for."""
        return Aim(self.state["aim"] if self.phase == Phase.TARGET else Aim.NONE)

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.state["seat"])

    def run(self, *, resting: bool = False) -> None:
        """Go on to the next decision with a choice. resting: to the next MAIN at most."""
        while len(options := self._open()) == 1 and not (resting and self.phase == Phase.MAIN):
            apply_action(self.state, self.cards.record[0], options[0], self.dice)
        self.codes = options

    def apply(self, code: int, *, resting: bool = False) -> None:
        """Decide, and run on. The dice are not keyed by turns here."""
        apply_action(self.state, self.cards.record[0], code, self.dice)
        self.run(resting=resting)

    def _open(self) -> list[int]:
        if is_over(self.state) or self.state["turn"] >= self.turns:
            return []
        count = legal_actions(self.state, self.cards.record[0], self.workspace.options)
        return [int(code) for code in self.workspace.options[:count]]

    def outcome(self) -> np.void:
        """The OUTCOME record."""
        row: np.void = np.zeros(1, OUTCOME)[0]
        write_outcome(self.state, row)
        return row

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
            **{name: values[name][seat] for name in OF_A_PLAYER},
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
    for name in ("life", "xp", "own_turns", "start_level", "used_levels", "known_own", "known_other"):
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


def differing(kernels: Any, model: Any, where: str = "") -> Iterator[str]:
    """Where two snapshots differ, with the kernels' and the model's value."""
    if isinstance(kernels, dict) and isinstance(model, dict):
        for name in sorted({*kernels, *model}):
            yield from differing(kernels.get(name), model.get(name), f"{where}.{name}")
    elif isinstance(kernels, list) and isinstance(model, list):
        for at, (one, other) in enumerate(zip_longest(kernels, model)):
            yield from differing(one, other, f"{where}[{at}]")
    elif kernels != model:
        yield f"{where.lstrip('.')}: kernels {kernels}, model {model}"


ON_THE_TABLE = ("players", "active", "turn", "over", "winner", "queue")
COUNTED = (
    *("gained", "wounds", "absorbed", "answer_damage", "opportunity_damage", "deaths", "kills", "refills", "laid"),
    *("fired", "times", "drawn", "plays", "card_kills", "card_damage"),
)  # for the outcome, and kept under the same names in the kernels' state
CLOSE = 1e-6  # of figures, which the kernels keep in 32 bits


class Pair:
    """Kernels and model at the same decision. where: prefix of messages; seen: events that came up."""

    def __init__(self, game: Kernels, model: Model, where: str) -> None:
        self.game, self.model, self.where = game, model, where
        self.seen: Counter[str] = Counter()
        self.compare("the beginning")

    @property
    def codes(self) -> list[int]:
        """Open decisions."""
        return self.model.codes

    def compare(self, moment: str) -> None:
        """The whole table, and the open decisions."""
        kernels, model = self.game.snapshot(), snapshot(self.model)
        if kernels != model:
            found = "\n".join(differing(kernels, model))
            raise AssertionError(f"{self.where}, turn {self.model.table.turn}, after {moment}:\n{found}")

    def apply(self, code: int) -> None:
        """One decision in both, and a look at both."""
        asked = self.model.pending
        assert asked is not None
        self.seen[asked.kind.name] += 1
        if asked.aim.value:
            self.seen[f"TARGET {asked.aim.name}"] += 1
        self.game.apply(code)
        self.model.apply(code)
        self.compare(f"{asked.kind.name} {code}")

    def play(self, rng: Random) -> None:
        """At random to the end."""
        while self.codes:
            self.apply(rng.choice(self.codes))

    def compare_outcomes(self, names: Iterable[str] = OUTCOME.names) -> None:
        """The outcome, field by field."""
        result, model = self.game.outcome(), outcome(self.model.table)
        found = [f"{name}{_places(name, result[name], model[name])}" for name in names if not _alike(result[name], model[name])]
        assert not found, f"{self.where}: kernels and model have different outcomes:\n" + "\n".join(found)
        self.seen.update(f"{word} acts" for seat in result["times"] for word, times in zip(WORDS, seat, strict=True) if times)


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
            yield f"{name}{_places(name, values, counted[name])}"


def _alike(kernels: Any, model: Any) -> bool:
    return np.allclose(np.asarray(kernels, float), np.asarray(model, float), CLOSE, CLOSE, equal_nan=True)


def _places(name: str, kernels: Any, model: Any) -> list[str]:
    """Where a field differs: seat and place, kernels' and model's value."""
    one, other = np.asarray(kernels, float), np.asarray(model, float)
    lines = []
    for place in np.argwhere(~np.isclose(one, other, CLOSE, CLOSE, equal_nan=True)):
        at = [int(index) for index in place]
        words: list[Any] = [*at[:1], WORDS[at[1]]] if name == "times" else at
        words = [*at[:1], f"level {at[1] + 1} of {LEVELS}"] if name == "level_turn" else words
        lines.append(f"{words}: {one[tuple(at)]:g}, {other[tuple(at)]:g}")
    return lines
