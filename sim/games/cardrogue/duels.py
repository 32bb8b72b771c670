"""Duels and sieges of Card Rogue (register section 4, ROGUE-56): what the game offers as `sim.engine.duels` asks for it."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import DICE
from sim.engine.duels import Duel, DuelRequest, Duels, Fights, Named, Siege, Sieges
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.chain import chain_of
from sim.games.cardrogue.codes import Category, Effect
from sim.games.cardrogue.duel import DUEL, FOUGHT, NEVER, End, play_duels
from sim.games.cardrogue.fight import arm
from sim.games.cardrogue.holding import own_flee_faces
from sim.games.cardrogue.siege import SIEGE, STARTS, play_sieges
from sim.games.cardrogue.state import NO_FOE
from sim.games.cardrogue.wardrobe import (
    SEAT,
    bearing,
    best_armour,
    best_weapon,
    clothed,
    names_of,
    offhand,
    offhand_ids,
)

ATTACKERS_MAX = 4
FIRST = 0  # the character that lays siege: the first of the file


def fighters(cards: CardSet) -> list[Named]:
    """Return the characters."""
    return list(zip(cards.ids, cards.names, strict=True))


def opponents(cards: CardSet) -> list[Named]:
    """Return the enemies."""
    return _named(cards, cards.record[0]["enemy_type"][: cards.record[0]["enemies"]].tolist())


def gear(cards: CardSet) -> list[Named]:
    """Return equipment that bears on a fight, weapons once more as carried in the other hand (ROGUE-92), and artifacts."""
    found = bearing(cards)
    artifacts = [card for card in found if cards.record[0]["category"][card] == Category.ARTIFACT]
    return _named(cards, [*(card for card in found if card not in artifacts), *offhand(cards), *artifacts])


def _named(cards: CardSet, codes: list[int]) -> list[Named]:
    """Id and name of card types, and of weapons in the other hand (OFFHAND_CODE + type)."""
    ids = {**dict(enumerate(type_ids(cards))), **offhand_ids(cards)}
    return list(zip([ids[code] for code in codes], names_of(cards, codes), strict=True))


def setup(cards: CardSet, request: DuelRequest) -> Duel:
    """Set a duel up. Raises ValueError for gear that cannot be worn, for too much health and for potions that there are not."""
    ids = type_ids(cards)
    codes = {word: card for card, word in enumerate(ids)} | {word: code for code, word in offhand_ids(cards).items()}
    worn = [codes[one] for one in request.gear]
    enemies = [ids.index(one) for one in request.opponents]
    start = duel_of(cards, cards.ids.index(request.fighter), worn, enemies)
    fight = start["fight"]
    most = int(fight["max_health"])
    if request.health is not None and request.health > most:
        raise ValueError(f"health={request.health} must be 1..{most}, the maximum of {request.fighter} in this gear")
    fight["health"] = request.health or most
    start["potions"] = _potions(cards, request.potions)
    start["drink_at"] = min(request.drink_at or NEVER, most)
    start["flee_at"] = min(request.flee_at or NEVER, most)
    start["exit"] = request.exit
    return Duel(
        fighter=cards.names[int(start["character"])],
        opponents=names_of(cards, enemies),
        gear=names_of(cards, worn),
        health=int(fight["health"]),
        health_max=most,
        chain=lambda: chain_of(start, cards.record[0]),
        sample=lambda games, seed: sample(start, cards.record[0], games, seed),
    )


def _potions(cards: CardSet, wanted: int) -> int:
    """So many potions that heal. Raises ValueError for more than there are of a colour, all of which do the same."""
    heals = (cards.record[0]["drink_effect"] == Effect.HEAL_FULL).any()
    copies = int(cards.document["potions"]["copies"]) if heals else 0
    if wanted > copies:
        raise ValueError(f"potions={wanted} must be 0..{copies}: so many of those that heal are in the game")
    return wanted


def duel_of(cards: CardSet, character: int, worn: list[int], enemies: list[int]) -> np.void:
    """Return the DUEL record of a character, at full health, against fresh enemies, all by number or card type; no plan.

    Raises ValueError for gear that cannot be worn.
    """
    line = cards.record[0]
    state = clothed(cards, character, worn)
    arm(state, line, SEAT)
    duel = np.zeros(1, DUEL)[0]
    duel["fight"] = state["fight"]
    duel["character"] = character
    duel["own_flee_faces"] = own_flee_faces(state, line, SEAT)
    duel["ending"] = End.NOT_YET
    fight = duel["fight"]
    fight["health"] = fight["max_health"]
    fight["type"][:] = NO_FOE
    for place, kind in enumerate(enemies):
        fight["type"][place] = kind
        fight["foe_health"][place] = line["health"][kind]
        fight["attacks"][place] = 1
    return duel


def sample(start: np.void, line: np.void, games: int, seed: int) -> Fights:
    """Fight a duel `games` times. start: DUEL; line: CARDS."""
    desk, results = np.zeros(2, DUEL), np.zeros(games, FOUGHT)
    desk[0] = start
    play_duels(desk, line, np.zeros(1, DICE), seed, 0, results)
    return Fights(*(np.ascontiguousarray(results[field]) for field in ("ending", "left", "turns")))


def siege(cards: CardSet) -> list[Siege]:
    """Return sieges of the enemy that begins the end rush, or else the first, by 1..4 of the first character of the file.

    All attackers carry the same: nothing, the best weapon, the best armour, or both, whether or not the shop has so many.
    """
    line = cards.record[0]
    weapon, protection = best_weapon(cards, FIRST), best_armour(cards, FIRST)
    outfits = [[], weapon, protection, [*weapon, *protection]]
    distinct = [outfit for number, outfit in enumerate(outfits) if outfit not in outfits[:number]]
    enemy = int(line["enemy_type"][int(np.argmax(line["end_rush"][line["enemy_type"][: line["enemies"]]]))])
    return [_siege(cards, enemy, outfit, size) for outfit in distinct for size in range(1, ATTACKERS_MAX + 1)]


def _siege(cards: CardSet, enemy: int, worn: list[int], attackers: int) -> Siege:
    """One siege: so many of the first character, all at full health."""
    team = [duel_of(cards, FIRST, worn, [enemy])] * attackers
    return Siege(
        opponent=names_of(cards, [enemy])[0],
        gear=", ".join(names_of(cards, worn)) or "bare-handed",
        attackers=attackers,
        sample=lambda games, seed: sample_sieges(team, cards.record[0], games, seed),
        attacker=cards.names[FIRST],
    )


def sample_sieges(team: list[np.void], line: np.void, games: int, seed: int) -> Sieges:
    """Lay siege `games` times. team: a DUEL for each attacker, in the order of entry, against the same enemy; line: CARDS."""
    desk, results = np.zeros((2, len(team)), DUEL), np.zeros(games, SIEGE)
    desk[STARTS] = team
    play_sieges(desk, line, np.zeros(1, DICE), seed, 0, results)
    return Sieges(slain=results["slain"] == 1, deaths=np.ascontiguousarray(results["deaths"]))


DUELS = Duels(fighters, opponents, gear, setup, siege)
