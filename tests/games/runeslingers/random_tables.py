"""Random positions of Runeslingers, set up alike in the plain model and the kernels: see `random_table`, `set_up`."""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from sim.engine.dice import SEATS_MAX, open_dice
from sim.games.runeslingers.cards import AILMENTS, Boost
from sim.games.runeslingers.rules.objects import derive
from sim.games.runeslingers.setup import clear_table, name_cards
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, SLOTS, STATE, Phase, Stage
from tests.games.runeslingers.kernel_bridge import Kernels, SameDice
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.model.table import DEFENCE_CARDS, Chance, Concentration, Player, Thing

CONC_SEQS = SEATS * SLOTS  # running numbers 1..12 belong to concentrations
TRIES = 200
ALIKE = ("power", "determination", "health", "light", "sets_left", "blocked", "inherent_uses", "own_turns")
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses")


@dataclass(frozen=True)
class Taste:
    """What positions hold: numbers from..to, shares of areas."""

    hand: tuple[int, int] = (0, 6)
    deck: tuple[int, int] = (1, 7)
    discard: tuple[int, int] = (0, 7)
    concs: tuple[int, int] = (1, 6)
    light: tuple[int, int] = (0, 2)
    laid: float = 0.5  # of concentrations: a card lies on it
    ill: float = 0.5  # of ailment areas
    under_boons: float = 0.35
    shout: float = 0.0  # of the cards in hand: those with Shout, as long as there are any


def random_table(rng: Random, document: dict[str, Any], chance: Chance, taste: Taste) -> Model:
    """A position of the document's first two decks in the Play Phase, with nothing that should have been destroyed."""
    for _ in range(TRIES):
        table = Model(document, (0, 1), chance)
        table.turn = rng.randrange(2, 40)
        table.active, table.first, table.chooser = (rng.randrange(SEATS) for _ in range(3))
        pools = [rng.sample(player.deck, len(player.deck)) for player in table.players]
        for player in table.players:
            _fill_piles(rng, table, player, pools[player.side], taste)
        for player in table.players:
            _fill_field(rng, table, player, pools, taste)
        for player in table.players:
            player.void = pools[player.side]
            _fill_numbers(rng, table, player, taste)
        if _stands(rng, table):
            return table
    raise AssertionError("no position stands")


def _fill_piles(rng: Random, table: Model, player: Player, pool: list[int], taste: Taste) -> None:
    player.deck = [pool.pop() for _ in range(rng.randint(*taste.deck))]
    player.discard = [pool.pop() for _ in range(rng.randint(*taste.discard))]
    for _ in range(rng.randint(*taste.hand)):
        shouts = [inst for inst in pool if table.has(inst, "shout")] if rng.random() < taste.shout else []
        inst = rng.choice(shouts or pool)
        pool.remove(inst)
        player.hand.append(inst)
    table.sorted_hand(player)


def _fill_field(rng: Random, table: Model, player: Player, pools: list[list[int]], taste: Taste) -> None:
    own = pools[player.side]
    for slot in range(min(rng.randint(*taste.concs), table.rules["concentration_areas"])):
        player.concs[slot] = Concentration(own.pop(), player.side, slot, rng.random() < 0.4)
        laid = _find(table, player, own, boon=False)
        if laid is not None and rng.random() < taste.laid:
            _lay(rng, table, player, slot, own, laid)
    kinds = rng.sample(range(AILMENTS), AREAS)
    for at, area in enumerate(player.areas[: table.rules["ailment_areas"]]):
        if rng.random() < taste.ill:
            area.type, area.count = kinds[at], rng.choice((1, 1, 2, 3, 4, 6))
            pool = rng.choice(pools)
            laid = _find(table, player, pool, boon=True)
            if laid is not None and rng.random() < taste.under_boons:
                _lay(rng, table, player, SLOTS + at, pool, laid)
                area.type = rng.choice(kinds)  # a type can be exposed and concealed at once


def _find(table: Model, player: Player, pool: list[int], *, boon: bool) -> int | None:
    """A card that can lie in play; trinkets of a name only once (RUNE-54)."""
    names = {table.card_of[thing.inst] for thing in player.things if thing is not None}
    for inst in pool:
        kind = table.card(inst)["type"]
        if (kind == "boon") == boon and not (kind == "trinket" and table.card_of[inst] in names):
            return inst
    return None


def _lay(rng: Random, table: Model, player: Player, place: int, pool: list[int], inst: int) -> None:
    pool.remove(inst)
    table.seq += 1
    thing = Thing(inst, player.side, place, table.seq, rng.choice((0, table.turn)))
    player.things[place] = thing
    if table.card(inst)["type"] not in DEFENCE_CARDS:
        return
    thing.used, thing.tokens = rng.random() < 0.3, rng.choice((0, 0, 1, 3))
    thing.damage, thing.guard = rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 0, 2))
    releases = any(row["when"] == "leaves" for row in table.card(inst).get("triggers", ()))
    if releases and "release" in str(table.card(inst)) and pool and rng.random() < 0.4:
        thing.under = pool.pop()


def _fill_numbers(rng: Random, table: Model, player: Player, taste: Taste) -> None:
    start = table.rules["start_power"]
    player.power = rng.randint(min(2, start), start)
    player.determination = start - player.power
    player.light, player.sets_left = rng.randint(*taste.light), rng.randint(0, table.rules["sets_per_turn"])
    player.own_turns, player.guard = table.turn // SEATS + 1, rng.choice((0, 0, 0, 3))
    if rng.random() < 0.2:
        boost = rng.choice(list(Boost))
        player.boosts[boost] = 1 if boost in (Boost.PIERCE_SPIRIT, Boost.PIERCE_ATTACK) else rng.randint(1, 4)


def _stands(rng: Random, table: Model) -> bool:
    """Whether all defence cards have defence left and both Runeslingers can live; gives them health."""
    if any(table.is_defence(thing) and thing.damage >= table.defence(thing) for thing in table.things()):
        return False
    for player in table.players:
        most = table.max_health(player)
        if most <= 0:
            return False
        player.health = rng.randint(1, most)
    return True


def open_chance(game: Kernels, number: int) -> SameDice:
    """Fix the random choices of the kernels and give the model the same."""
    game.dice["used"], game.dice["block"] = 0, 0
    open_dice(game.dice, np.uint64(1), np.uint64(number), np.arange(SEATS_MAX, dtype=np.uint32))
    return SameDice(game.dice)


def set_up(game: Kernels, table: Model) -> None:
    """Write a position of the model into the kernels' state; no decision is open yet."""
    state, record = game.state, game.cards.record[0]
    game.workspace.states[0] = np.zeros((), STATE)
    clear_table(state)
    state["deck_of"] = (0, 1)
    state["phase"], state["stage"], state["seat"] = Phase.GOING, Stage.PLAY, table.active
    for name in ("active", "first", "chooser", "turn"):
        state[name] = getattr(table, name)
    state["seq"] = CONC_SEQS + table.seq
    for player in table.players:
        name_cards(state, record, np.int64(player.side))
        _set_player(state, player)
    derive(state, record)
    state["brittle"] = 0
    game.codes = []


def _set_player(state: np.void, player: Player) -> None:
    seat = player.side
    for name in ALIKE:
        state[name][seat] = getattr(player, name)
    state["barrier"][seat], state["boosts"][seat] = player.guard, player.boosts
    for pile in ("deck", "hand", "discard", "void"):
        held = getattr(player, pile)
        state[pile][seat, : len(held)] = held
        state[f"{pile}_n"][seat] = len(held)
    for slot, conc in enumerate(player.concs):
        if conc is not None:
            state["conc"][seat, slot], state["conc_used"][seat, slot] = conc.inst, conc.used
            state["conc_seq"][seat, slot] = 1 + seat * SLOTS + slot
    for place, thing in enumerate(player.things):
        if thing is not None:
            state["thing"][seat, place], state["thing_seq"][seat, place] = thing.inst, CONC_SEQS + thing.seq
            state["under"][seat, place] = NOBODY if thing.under is None else thing.under
            for name in OF_A_THING:
                state[name][seat, place] = getattr(thing, name)
    for at, area in enumerate(player.areas):
        state["ailment"][seat, at], state["count"][seat, at] = area.type, area.count
