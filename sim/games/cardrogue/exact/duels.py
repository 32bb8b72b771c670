"""Duels and sieges of Card Rogue as `sim.engine.exact` asks for them, and who can wear what (ROGUE-56, 81, 84, 92, 93)."""

from collections.abc import Sequence

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.dice import DICE
from sim.engine.exact import Duel, DuelRequest, Duels, Fights, Named, Siege, Sieges
from sim.engine.jit import interpreted
from sim.games.cardrogue.cards import type_ids, type_names
from sim.games.cardrogue.exact.chain import chain_of, decisions_of
from sim.games.cardrogue.exact.rolls import DUEL, FOUGHT, NEVER, SIEGE, STARTS, End, play_duels, play_sieges
from sim.games.cardrogue.record import MOD_LOWEST, MODS, SLOTS, Category, Effect, Slot
from sim.games.cardrogue.rules.basics import add_to_hand, own_flee_faces
from sim.games.cardrogue.rules.combat import arm
from sim.games.cardrogue.state import NO_CARD, NO_FOE, OFFHAND_CODE, STATE
from sim.games.cardrogue.text.labels import OFFHAND

# gear

BEARING = (  # fields of a card that matter in a fight
    *("attack_mod", "min_attack", "multiply", "miss_faces", "reroll_faces", "block_faces", "damage_taken"),
    *("item_flee_faces", "max_health"),
)
GEAR = (Category.WEAPON, Category.ARMOUR, Category.ARTIFACT)
SEAT = 0


def bearing(cards: CardSet) -> list[int]:
    """Card types that matter in a fight: equipment, then artifacts."""
    line = cards.record[0]
    changes = sum(line[field] != 0 for field in BEARING)
    types = [card for card in range(int(line["types"])) if line["category"][card] in GEAR and changes[card]]
    return sorted(types, key=lambda card: line["category"][card] == Category.ARTIFACT)


def offhand(cards: CardSet) -> list[int]:
    """OFFHAND_CODE + card type of each weapon that some character can carry in the other hand (ROGUE-92)."""
    line = cards.record[0]
    weapons = {int(card) for card in line["offhand_type"][: line["characters"]] if card != NO_CARD}
    return [OFFHAND_CODE + card for card in sorted(weapons)]


def clothed(cards: CardSet, character: int, gear: Sequence[int]) -> np.void:
    """A STATE record in which seat 0 is a character that wears and holds these cards; its health is not set.

    gear: card types; OFFHAND_CODE + type for a weapon in the other hand. Raises ValueError for gear that the character cannot
    wear, alone or with the rest.
    """
    line, names = cards.record[0], cards.names
    ids = {**dict(enumerate(type_ids(cards))), **offhand_ids(cards)}
    state = np.zeros(1, STATE)[0]
    state["character"][:] = NO_CARD
    state["character"][SEAT] = character
    state["worn"][:] = NO_CARD
    # a weapon that could also go to the other hand comes last, in whatever order the gear is named
    own = int(line["offhand_type"][character])
    for piece in sorted(gear, key=lambda piece: piece == own):
        card = piece % OFFHAND_CODE
        if piece >= OFFHAND_CODE and card != own:
            raise ValueError(f"gear {ids[piece]}: the {names[character]} carries no weapon in the other hand (ROGUE-92)")
        if line["category"][card] == Category.ARTIFACT:
            if line["cursed"][card] and line["discard_cursed"][character]:
                raise ValueError(f"gear {ids[card]}: the {names[character]} casts off cursed cards")
            add_to_hand(state, SEAT, card)
            continue
        slots = [Slot.SECONDARY] if piece >= OFFHAND_CODE else _slots(line, character, card, state["worn"][SEAT])
        if not slots:
            barred = int(line["slots"][card] & line["forbidden_slots"][character])
            where = " and ".join(slot.name.lower() for slot in Slot if barred >> slot & 1)
            raise ValueError(f"gear {ids[card]}: the {names[character]} wears nothing in the slot {where}")
        taken = [int(state["worn"][SEAT, slot]) for slot in slots if state["worn"][SEAT, slot] != NO_CARD]
        if taken:
            raise ValueError(f"gear {ids[taken[0]]}, {ids[card]}: both are worn in the same place; leave one of them out")
        state["worn"][SEAT, slots] = card
    return state


def _slots(line: np.void, character: int, card: int, worn: np.ndarray) -> list[int]:
    """Slots that an item would fill; none if the character cannot wear it."""
    slots = [slot for slot in range(SLOTS) if int(line["slots"][card]) >> slot & 1]
    allowed = not int(line["slots"][card]) & int(line["forbidden_slots"][character])
    occupied = any(worn[slot] != NO_CARD for slot in slots)
    if card == line["offhand_type"][character] and (occupied or not allowed):
        return [Slot.SECONDARY]
    return slots if allowed else []


def offhand_ids(cards: CardSet) -> dict[int, str]:
    """Ids of weapons in the other hand, by code: "dagger_off_hand"."""
    ids = type_ids(cards)
    return {code: f"{ids[code - OFFHAND_CODE]}_off_hand" for code in offhand(cards)}


def names_of(cards: CardSet, gear: Sequence[int]) -> tuple[str, ...]:
    """Display names of cards; a weapon in the other hand (OFFHAND_CODE + type) is "Dagger off-hand"."""
    names = type_names(cards)
    return tuple(names[code % OFFHAND_CODE] + (f" {OFFHAND}" if code >= OFFHAND_CODE else "") for code in gear)


def best_weapon(cards: CardSet, character: int) -> list[int]:
    """The one-handed weapon with the largest mean damage, the first of equals; empty if there is none."""
    line = cards.record[0]
    bare = np.full(SLOTS, NO_CARD)
    weapons = [
        card
        for card in bearing(cards)
        if line["category"][card] == Category.WEAPON and _slots(line, character, card, bare) == [Slot.PRIMARY]
    ]

    def mean(card: int) -> float:
        modifier = min(max(int(line["attack_mod"][card]) - MOD_LOWEST, 0), MODS - 1)
        return float(line["attack_mean"][line["weapon_number"][card], modifier])

    return sorted(weapons, key=mean, reverse=True)[:1]


def best_armour(cards: CardSet, character: int) -> list[int]:
    """In each slot that no weapon needs, the piece that reduces attacks most, or else blocks them."""
    line = cards.record[0]
    worn = np.full(SLOTS, NO_CARD)
    pieces = [card for card in bearing(cards) if line["category"][card] == Category.ARMOUR]
    pieces = [card for card in pieces if line["damage_taken"][card] > 0 or line["block_faces"][card]]
    for card in sorted(pieces, key=lambda card: -line["damage_taken"][card]):
        slots = _slots(line, character, card, worn)
        if slots and (worn[slots] == NO_CARD).all():
            worn[slots] = card
    return [*dict.fromkeys(int(card) for card in worn if card != NO_CARD)]


# requests

ATTACKERS_MAX = 4
FIRST = 0  # the character that lays siege: the first of the file


def fighters(cards: CardSet) -> list[Named]:
    """Return the characters."""
    return list(zip(cards.ids, cards.names, strict=True))


def opponents(cards: CardSet) -> list[Named]:
    """Return the enemies."""
    return _named(cards, cards.record[0]["enemy_type"][: cards.record[0]["enemies"]].tolist())


def gear(cards: CardSet) -> list[Named]:
    """Return equipment that matters in a fight, weapons once more for the other hand (ROGUE-92), and artifacts."""
    types = bearing(cards)
    artifacts = [card for card in types if cards.record[0]["category"][card] == Category.ARTIFACT]
    return _named(cards, [*(card for card in types if card not in artifacts), *offhand(cards), *artifacts])


def _named(cards: CardSet, codes: list[int]) -> list[Named]:
    """Id and name of card types, and of weapons in the other hand (OFFHAND_CODE + type)."""
    ids = {**dict(enumerate(type_ids(cards))), **offhand_ids(cards)}
    return list(zip([ids[code] for code in codes], names_of(cards, codes), strict=True))


def setup(cards: CardSet, request: DuelRequest) -> Duel:
    """Set up a duel. Raises ValueError for gear that cannot be worn, too much health, or more potions than exist."""
    ids = type_ids(cards)
    codes = {word: card for card, word in enumerate(ids)} | {word: code for code, word in offhand_ids(cards).items()}
    worn = [codes[word] for word in request.gear]
    enemies = [ids.index(word) for word in request.opponents]
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
        decisions=(lambda: decisions_of(start, cards.record[0])) if start["potions"] or start["exit"] else None,
    )


def _potions(cards: CardSet, wanted: int) -> int:
    """Check the number of healing potions. Raises ValueError for more than there are of one colour."""
    heals = (cards.record[0]["drink_effect"] == Effect.HEAL_FULL).any()
    copies = int(cards.document["potions"]["copies"]) if heals else 0
    if wanted > copies:
        raise ValueError(f"potions={wanted} must be 0..{copies}, the number of healing potions in the game")
    return wanted


def duel_of(cards: CardSet, character: int, worn: list[int], enemies: list[int]) -> np.void:
    """Return the DUEL record of a character at full health against fresh enemies, without a plan. worn, enemies: card types.

    Raises ValueError for gear that cannot be worn.
    """
    line = cards.record[0]
    state = clothed(cards, character, worn)
    with interpreted():  # one position; compiling these kernels would take longer
        arm(state, line, SEAT)
        flee_faces = own_flee_faces(state, line, SEAT)
    duel = np.zeros(1, DUEL)[0]
    duel["fight"] = state["fight"]
    duel["character"] = character
    duel["own_flee_faces"] = flee_faces
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

    All attackers carry the same: nothing, the best weapon, the best armour, or both, even if the shop has fewer of them.
    """
    line = cards.record[0]
    weapon, protection = best_weapon(cards, FIRST), best_armour(cards, FIRST)
    outfits = [[], weapon, protection, [*weapon, *protection]]
    distinct = [outfit for number, outfit in enumerate(outfits) if outfit not in outfits[:number]]
    enemy = int(line["enemy_type"][int(np.argmax(line["end_rush"][line["enemy_type"][: line["enemies"]]]))])
    return [_siege(cards, enemy, outfit, size) for outfit in distinct for size in range(1, ATTACKERS_MAX + 1)]


def _siege(cards: CardSet, enemy: int, worn: list[int], attackers: int) -> Siege:
    """One siege by a number of copies of the first character, all at full health."""
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
