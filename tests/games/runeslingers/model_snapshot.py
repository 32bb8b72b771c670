"""How a game of the Runeslingers model stands, as plain values to be held against another of its kind."""

from typing import Any

from sim.games.runeslingers.record import Stat
from sim.games.runeslingers.state import NOBODY, Phase
from tests.games.runeslingers.model import Model
from tests.games.runeslingers.model_table import Concentration, Player, Thing

OF_A_PLAYER = ("power", "determination", "light", "sets_left", "blocked", "inherent_uses", "boosts", "own_turns")
PILES = ("deck", "hand", "discard", "void")
OF_A_THING = ("used", "tokens", "damage", "guard", "turn_played", "charged", "uses")
ADDED = tuple(stat for stat in Stat if stat < Stat.MAX_HAND)
FLAGS = tuple(stat for stat in Stat if stat > Stat.MAX_HAND)


def snapshot(model: Model) -> dict[str, Any]:
    """Cards are instances; nothing in it changes with the model.

    `players`: by seat; piles as they lie, the top card of a deck last; `between`: cards on their way.
    `kind`, `seat`, `codes`: the pending decision; NOBODY and [] if there is none.
    """
    asked = model.pending
    return {
        "players": [_player(model, player) for player in model.players],
        "active": model.active,
        **{name: getattr(model, name) for name in ("first", "chooser", "turn", "winner")},
        "over": model.over,
        "kind": Phase.OVER.name if asked is None else asked.kind.name,
        "seat": NOBODY if asked is None else asked.seat,
        "codes": list(model.codes),
    }


def _player(model: Model, player: Player) -> dict[str, Any]:
    return {
        **{name: getattr(player, name) for name in OF_A_PLAYER},
        "health": player.health if player.health <= (most := model.max_health(player)) else max(0, most),
        "boosts": list(player.boosts),
        "barrier": player.guard,
        **{name: list(getattr(player, name)) for name in PILES},
        "concs": [_conc(conc) for conc in player.concs],
        "things": [_thing(thing) for thing in player.things],
        "areas": [(area.type, area.count) if area.count else None for area in player.areas],
        "stats": _stats(model, player) if model.codes else None,
    }


def _conc(conc: Concentration | None) -> Any:
    return None if conc is None else (conc.inst, bool(conc.used))


def _thing(thing: Thing | None) -> Any:
    if thing is None:
        return None
    told = {name: getattr(thing, name) for name in OF_A_THING}
    told["uses"] = list(thing.uses)
    return {"inst": thing.inst, "under": NOBODY if thing.under is None else thing.under, **told}


def _stats(model: Model, player: Player) -> dict[str, int]:
    told = {stat.name: model.total(player, stat.name.lower()) for stat in ADDED}
    told["BLOCK"] += player.hero["block"]
    told["MAX_HEALTH"] += player.hero["health"]
    told["MAX_HAND"] = model.max_hand(player)
    told.update({stat.name: int(model.flag(player, stat.name.lower())) for stat in FLAGS})
    return told
