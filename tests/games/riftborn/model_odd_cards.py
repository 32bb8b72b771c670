"""Cards for tests of the Riftborn Tactics model that do what those of the reference set do not."""

from typing import Any

from tests.games.riftborn.model_cards import Cards, read_cards
from tests.games.riftborn.model_documents import card_entries, deck_entries, reference_document

ODD_CREATURES = """
odd_warden | 1 | 3/6 | 100 | RELENTLESS, STEALTH, RAGE(2) |
odd_banner | 1 | 1/5 | 100 | STEALTH, AURA(3) | aura all health 1
odd_gloom | 1 | 2/4 | 100 | AURA(2), STEALTH | aura enemy health -1
odd_twin | 1 | 4/4 | 100 | DOUBLE ATTACK, SIPHON, RELENTLESS | double_retarget
odd_bearer | 2 | 1/9 | 200 | SUMMON(3), HASTE, BLOCK | summon tok_eggs
odd_prankster | 1 | 2/3 | 100 | TRICK, TRICK, HASTE | trick destroy, trigger + damage 1, self; trick charm, trigger + pacify, same
odd_caller | 2 | 2/6 | 100 | SPELL, DASH(3) | action damage 2, chosen any 2 adjacent +
    grant RAGE(2), same + lose STEALTH, same + clear decay 2, each any
odd_shell | 2 | 2/6 | 100 | TRANSFORM, DORMANT, VANGUARD | transform tok_eggs
tok_eggs | 0 | 3/2 | 20 | RESISTANCE, HASTE, MORALE(2) |
"""
ODD_OTHERS = """
odd_blade | weapon | 1 | 3/2 | 50 | DEPLETED, DRAW(1) |
odd_quake | spell | 1 | 0/0 | 50 | DEPLETED | damage_player 3 both; damage 2, each any; add decay 1, row any; draw 1
odd_gift | spell | 1 | 0/0 | 50 | SPY(2) | grant RELENTLESS, chosen any 2; charm, same; add shield 2, same; gain_xp 120
odd_brood | spell | 2 | 0/0 | 100 | SCRY(3) | recall; scry 2; spy 1; summon tok_eggs 2
odd_armour | armour | 1 | 0/5 | 50 | DEPLETED, SCRY(3) |
"""
ODD_DECK = (
    "5 odd_warden, 4 odd_banner, 4 odd_gloom, 5 odd_twin, 5 odd_bearer, 5 odd_prankster, 5 odd_caller, 3 odd_shell, "
    "2 odd_blade, 2 odd_quake, 3 odd_gift, 3 odd_brood, 2 odd_armour"
)


def odd_document(**rules: Any) -> dict[str, Any]:
    """The reference set and these cards, with a deck of them alone."""
    document = reference_document(**rules)
    document["card"] += card_entries(ODD_CREATURES, ODD_OTHERS)
    document["deck"] += deck_entries({"odd": ODD_DECK})
    return document


def odd_cards(**rules: Any) -> Cards:
    """The same, read."""
    return read_cards(odd_document(**rules))
