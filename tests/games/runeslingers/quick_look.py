"""A fast comparison of the whole table, kernels with model: fields of STATE as lists, the model in the same shape."""

from typing import Any

import numpy as np

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, Phase
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.model.table import COUNTED

PILES = ("deck", "hand", "discard", "void")
OF_A_PLAYER = (
    *("power", "determination", "health", "light", "barrier", "sets_left", "blocked", "inherent_uses"),
    *("boosts", "own_turns"),
)
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses")
FLAT = (*OF_A_PLAYER, "conc", "conc_used", "thing", "under", *OF_A_THING, "count")
COUNTS = (*(name for name in COUNTED if name not in ("concs_at", "light_wasted")), "powers_lost", "drained", "applied")
NOTED = (*COUNTS, "lost_turn", "drawn_turn", "played_turn", "drawn", "plays")
FLAGS = tuple(stat for stat in Stat if stat > Stat.MAX_HAND)

Look = dict[str, Any]


def look_at(state: np.void) -> Look:
    """The kernels' table."""
    look: Look = {name: state[name].tolist() for name in FLAT}
    for pile in PILES:
        one, other = state[f"{pile}_n"].tolist()
        cards = state[pile]
        look[pile] = [cards[0, :one].tolist(), cards[1, :other].tolist()]
    kinds, counts = state["ailment"].tolist(), look["count"]
    look["ailment"] = [[kinds[s][at] if counts[s][at] else NOBODY for at in range(AREAS)] for s in range(SEATS)]
    look["over"] = bool(state["phase"] == Phase.OVER)
    look["winner"] = int(state["winner"])
    if not look["over"]:
        look["stat"] = state["stat"].tolist()
    return look


def look_at_model(model: Model) -> Look:
    """The model's table."""
    players = model.players
    look: Look = {name: [getattr(player, name) for player in players] for name in OF_A_PLAYER if name != "barrier"}
    look["boosts"] = [list(player.boosts) for player in players]
    look["barrier"] = [player.guard for player in players]
    look.update({pile: [list(getattr(player, pile)) for player in players] for pile in PILES})
    look["conc"] = [[NOBODY if conc is None else conc.inst for conc in player.concs] for player in players]
    look["conc_used"] = [[int(conc is not None and conc.used) for conc in player.concs] for player in players]
    look["count"] = [[area.count for area in player.areas] for player in players]
    look["ailment"] = [[area.type if area.count else NOBODY for area in player.areas] for player in players]
    look.update({name: [_of_things(player.things, name) for player in players] for name in OF_A_THING})
    look["thing"] = [[NOBODY if thing is None else thing.inst for thing in player.things] for player in players]
    look["under"] = [
        [NOBODY if thing is None or thing.under is None else thing.under for thing in player.things] for player in players
    ]
    look["over"], look["winner"] = model.over, model.winner
    if model.over:  # a player without maximum health has no health
        look["health"] = [min(player.health, max(0, model.max_health(player))) for player in players]
    else:
        look["stat"] = [_stats(model, seat) for seat in range(SEATS)]
    return look


def _of_things(things: list[Any], name: str) -> list[Any]:
    if name == "uses":
        return [[0, 0] if thing is None else list(thing.uses) for thing in things]
    return [0 if thing is None else int(getattr(thing, name)) for thing in things]


def _stats(model: Model, seat: int) -> list[int]:
    player = model.players[seat]
    found = [0] * len(Stat)
    for controller in model.players:
        own = controller is player
        for static, times, _ in model._statics(controller):
            scope = static.get("scope", "self")
            if scope == "each" or (scope == "self") == own:
                stat = Stat[static["stat"].upper()]
                found[stat] = 1 if stat in FLAGS else found[stat] + static.get("n", 0) * times
    found[Stat.BLOCK] += player.hero["block"]
    found[Stat.MAX_HEALTH] += player.hero["health"]
    found[Stat.MAX_HAND] = model.max_hand(player)
    return found


def counts_of(state: np.void) -> Look:
    """Counts for the outcome in the kernels."""
    return {name: state[name].tolist() for name in NOTED}


def counts_of_model(model: Model) -> Look:
    """Counts for the outcome in the model."""
    facts = model.facts
    look: Look = {name: getattr(facts, name) for name in COUNTS}
    look["lost_turn"] = [facts.lost_turns(seat) for seat in range(SEATS)]
    return look | {name: getattr(facts, name) for name in ("drawn_turn", "played_turn", "drawn", "plays")}


def differing(kernels: Look, model: Look) -> list[str]:
    """Fields in which two looks differ."""
    return [f"{name}: kernels {kernels[name]}, model {model.get(name)}" for name in kernels if kernels[name] != model.get(name)]
