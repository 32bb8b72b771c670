"""More tables of Riftborn Tactics: an effect list of `model_documents` on a Spell, on a SPELL action, on a trick.

cast("damage 2, chosen enemy 1; draw 1", "beast_cub", "beast_troll, beast_boar", "B0.1")

Each returns the table once the list is done, or where it asks for something that was not given.
"""

from typing import Any

from tests.games.riftborn.positions import Play, a, table


def cast(
    effects: str,
    own: str | dict = "",
    other: str | dict = "",
    *choices: str | int,
    draws: str | None = None,
    **position: Any,
) -> Play:
    """A plays the Spell `charge` with these effects, beside whatever else is in hand. draws, position: as of `positions`."""
    player = a(own) if isinstance(own, str) else own
    hand = ["charge", *player.get("hand", [])]
    others = f"charge | spell | 1 | 0/0 | 50 | | {effects}"
    return table(player | {"hand": hand}, other, others=others, **position).do("play charge", *choices, draws=draws)


def spells(action: str, own: str, other: str = "", *choices: str) -> Play:
    """A creature at A0.0 uses its SPELL action; `caster` stands for it in `own`."""
    more = f"caster | 1 | 2/4 | 100 | SPELL | action {action.replace('; ', ' + ')}"
    return table(own, other, more=more).do("use A0.0", "spell", *choices)


def tricked(trick: str) -> Play:
    """A's troll attacks `fae_imp`, which carries this trick out."""
    more = f"fae_imp | 1 | 1/9 | 100 | TRICK | trick {trick.replace('; ', ' + ')}"
    return table("beast_troll", a("fae_imp", tricks="ambush"), more=more).attack("A0.0", "B0.0")
