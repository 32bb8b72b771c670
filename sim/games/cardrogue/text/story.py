"""What happened between two positions of Card Rogue, from the two state records alone.

GAME takes this module as the protocol `Words` of the engine; decisions, positions and the picture are imported.
"""

from collections import Counter

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.words import joined, line_up, some
from sim.games.cardrogue.position import POSITION, place, position
from sim.games.cardrogue.record import FACES, TILE_ENTRY, Tile
from sim.games.cardrogue.rules.basics import max_health
from sim.games.cardrogue.rules.tiles import opens
from sim.games.cardrogue.state import (
    AIM,
    CAUSES,
    LYING,
    MONSTER,
    NOBODY,
    NOTHING,
    NOWHERE,
    Death,
    Down,
    Ending,
    Node,
    Points,
    Source,
)
from sim.games.cardrogue.text.labels import (
    DIRECTIONS,
    action,
    card_name,
    card_or_coin,
    card_or_gold,
    cell_name,
    counted,
    draw,
    effect_name,
    held,
    picture,
    player_names,
    potion_name,
    tile_with_article,
    worn,
)

# a pair of positions

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]


class Change(story.Change):
    """Two consecutive positions: before a decision, and after it with all that followed without a choice."""

    @property
    def node(self) -> Node:
        """Kind of the decision."""
        return Node(self.before["node"])

    @property
    def seat(self) -> int:
        """Seat whose turn it was before."""
        return self.was("active")

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.before["seats"])

    def name(self, seat: int) -> str:
        """Name of a seat's character."""
        return player_names(self.after, self.cards)[seat]

    def enemy(self, slot: int) -> str:
        """Name of the enemy in a slot."""
        return card_name(self.cards, int(self.after["enemy_type"][slot]))

    def slain(self, slot: int) -> bool:
        """Whether an enemy has left the table."""
        return bool(self.after["enemy_cell"][slot] == NOWHERE != self.before["enemy_cell"][slot])

    def belongings(self, state: np.void, seat: int) -> Counter[int]:
        """Cards that a player has in hand or wears, by type."""
        return held(state, seat) + worn(state, self.cards, seat)


# the dungeon

_FIELDS = ("down", "tile", "mask", "on")


def map_lines(change: Change) -> list[str]:
    """Sentences about cards turned over, replaced and laid."""
    differs = np.zeros(change.before["tile"].shape, bool)
    for field in _FIELDS:
        differs |= change.before[field] != change.after[field]
    lines = [line for cell in np.flatnonzero(differs).tolist() for line in _cell(change, cell)]
    laid = int(((change.after["down"] != Down.NO) & (change.before["down"] == Down.NO)).sum())
    return [*lines, f"{some(laid, 'card')} laid face-down."] if laid else lines


def _cell(change: Change, cell: int) -> list[str]:
    """Sentence about a change of a cell."""
    before, after = change.before, change.after
    here, tile, was = cell_name(cell), int(after["tile"][cell]), int(before["tile"][cell])
    if after["down"][cell] != Down.NO:
        return []
    if before["down"][cell] != Down.NO:
        if tile == Tile.NONE and after["on"][cell] == NOTHING:
            return [f"The face-down card at {here} is taken to be laid elsewhere."]
        replaced = after["source"][cell] in (Source.PATHING, Source.BANK)
        name = change.name(change.seat)
        if replaced:
            return [f"{name} turns over a card at {here}; {_tile(change, cell)} takes its place."]
        on = change.now("on", cell)
        card = change.now("enemy_type", on - MONSTER) if on >= MONSTER else on - LYING
        face = card_name(change.cards, card) if on != NOTHING else _tile(change, cell)
        return [f"{name} turns over {face} at {here}."]
    if was == Tile.NONE and tile != Tile.NONE:
        laid = _tile(change, cell)
        return [f"{laid[:1].upper()}{laid[1:]} is laid at {here}."]
    if was == Tile.FOUNTAIN != tile:
        return [f"The fountain at {here} runs dry; {_tile(change, cell)} takes its place."]
    if change.node == Node.MOLE_TILE and before["mask"][cell] != after["mask"][cell]:
        return [f"The mole digs at {here}: {_tile(change, cell)}."]
    return []


def _tile(change: Change, cell: int) -> str:
    """Name of a tile; a floor with the directions of its paths."""
    tile, mask = change.now("tile", cell), change.now("mask", cell)
    if tile != Tile.FLOOR:
        return tile_with_article(change.cards, tile)
    paths = [name for direction, name in enumerate(DIRECTIONS) if opens(mask, direction)]
    sides = "all sides" if len(paths) == len(DIRECTIONS) else f"the {joined(paths)}"
    return f"a floor with paths to {sides}"


def enemy_lines(change: Change) -> list[str]:
    """Sentences about the enemies that were on the table."""
    lines = []
    for slot in range(change.before["enemies"]):
        if change.before["enemy_cell"][slot] != NOWHERE:
            lines += _slain(change, slot) if change.slain(slot) else _enemy(change, slot)
    return lines


def _slain(change: Change, slot: int) -> list[str]:
    number = int(change.cards.record[0]["enemy_number"][change.after["enemy_type"][slot]])
    slayers = [seat for seat in change.seats if change.gain("kills", seat, number) > 0]
    return [f"{change.name(slayers[0])} slays {change.enemy(slot)}." if slayers else f"{change.enemy(slot)} is gone."]


def _enemy(change: Change, slot: int) -> list[str]:
    """Sentences about health and afflictions of an enemy, and where it was moved to."""
    before, after, name = change.before, change.after, change.enemy(slot)
    most = change.cards.record[0]["health"][after["enemy_type"][slot]]
    lines = []
    if after["enemy_cell"][slot] != before["enemy_cell"][slot]:
        lines.append(f"{name} is carried to {cell_name(after['enemy_cell'][slot])}.")
    if change.gain("enemy_health", slot) < 0:
        lines.append(f"{name} is down to {after['enemy_health'][slot]} of {most} health.")
    if change.gain("enemy_mod", slot):
        lines.append(f"The attack of {name} is {after['enemy_mod'][slot]:+} from now on.")
    poisoner = after["enemy_poison"][slot] > 0 and before["enemy_poisoner"][slot] != after["enemy_poisoner"][slot]
    if change.gain("enemy_poison", slot) > 0 or poisoner:
        lines.append(f"{name} is poisoned for {some(int(after['enemy_poison'][slot]), 'turn')}.")
    if change.gain("enemy_paralysed", slot) > 0:
        lines.append(f"{name} is paralysed for {some(int(after['enemy_paralysed'][slot]), 'turn')}.")
    return lines


def recoveries(change: Change) -> list[str]:
    """Sentences about enemies that have more health than before."""
    alive = [slot for slot in range(change.before["enemies"]) if change.after["enemy_cell"][slot] != NOWHERE]
    return [
        f"{change.enemy(slot)} is back to {change.after['enemy_health'][slot]} health."
        for slot in alive
        if change.gain("enemy_health", slot) > 0
    ]


# the players

_WALKS = {  # how the acting player got to another cell, by kind of decision
    Node.MOVE: "walks",
    Node.FLEE_STEP: "flees",
    Node.BARD_FLEE: "flees",
    Node.LEAP: "leaps",
    Node.SCROLL_MOVE: "moves by the scroll",
    Node.SPELL_MOVE: "moves by a spell",
}
_LOSES = {  # how the acting player lost a card
    Node.DRINK: "drinks",
    Node.THROW_AT: "throws",
    Node.SCROLL: "reads",
    Node.IDENTIFY: "reads",
    Node.SCROLL_MOVE: "reads",
    Node.SPELL_POTION: "gives up",
    Node.SELL: "sells",
    Node.MOLE_PAY: "sells",
}
_GAINS = {Node.BUY: "buys", Node.STEAL: "steals"}
_CAUSES = {Death.TRAP: "a trap", Death.POISON: "poison", Death.COUNTER: "a counter-attack", Death.POTION: "a potion"}
_POINTS = {Points.CHEST: "opening the chest", Points.DEBT: "buying the debt"}


def walks(change: Change) -> list[str]:
    """Sentences about players who stand on another cell."""
    lines = []
    for seat in change.seats:
        was, now = change.was("cell", seat), change.now("cell", seat)
        if now in (was, NOWHERE):
            continue
        own = seat == change.seat or change.node == Node.RESPAWN
        verb = _WALKS.get(change.node, "is carried") if own and was != NOWHERE else "is carried"
        lines.append(f"{change.name(seat)} {'comes back at' if was == NOWHERE else f'{verb} to'} {cell_name(now)}.")
    return lines


def bodies(change: Change, seats: list[int]) -> list[str]:
    """Sentences about health, poison and lost turns of some seats."""
    return [line for seat in seats for line in (*_health(change, seat), *_afflictions(change, seat))]


def _health(change: Change, seat: int) -> list[str]:
    before, after, name = change.before, change.after, change.name(seat)
    if (
        NOBODY in (before["character"][seat], after["character"][seat])
        or before["cell"][seat] == NOWHERE
        or seat == before["fallen"]
    ):
        return []
    record = change.cards.record[0]
    most, most_before = (int(max_health(state, record, seat)) for state in (after, before))
    lost = change.gain("damage_taken", seat)
    gained = change.gain("health", seat) + lost
    alive, left = change.gain("deaths", seat) == 0, f"{after['health'][seat]} of {most}"
    lines = [f"{name} has a maximum health of {most} now."] if most != most_before and alive else []
    if lost:
        lines.append(f"{name} loses {lost} health" + (f", {left} left." if alive else "."))
    if gained > 0 and alive:
        lines.append(f"{name} gains {gained} health, {left} now.")
    return lines


def _afflictions(change: Change, seat: int) -> list[str]:
    """Sentences about poison, lost turns and potions of a seat."""
    after, name = change.after, change.name(seat)
    lines: list[str] = []
    if change.gain("deaths", seat):
        return lines
    if change.gain("poison", seat) > 0:
        lines.append(f"{name} is poisoned for {some(int(after['poison'][seat]), 'turn')}.")
    if change.gain("antidote", seat) > 0:
        lines.append(f"The antidote turns the poison of {name} into {after['antidote'][seat]} health a turn.")
    if skipped := change.gain("skip", seat):
        lines.append(f"{name} must skip {some(int(after['skip'][seat]), 'turn')}." if skipped > 0 else f"{name} skips a turn.")
    if change.gain("potion_mod", seat):
        lines.append(f"Potions give {name} {after['potion_mod'][seat]:+} to its attack.")
    return lines


def deaths(change: Change) -> list[str]:
    """Sentences about deaths and their causes."""
    lines = []
    for seat in change.seats:
        for cause in range(CAUSES):
            if change.gain("deaths", seat, cause):
                number = cause - Death.ENEMY
                enemies = change.cards.record[0]["enemy_type"]
                killer = _CAUSES[Death(cause)] if number < 0 else card_name(change.cards, int(enemies[number]))
                lines.append(f"{change.name(seat)} dies, killed by {killer}.")
        if change.gain("out", seat):
            lines.append(f"{change.name(seat)} is out of the game.")
    return lines


def uses(change: Change) -> list[str]:
    """Sentences about cards and spells that the acting player uses, and what potions turn out to be."""
    seat = change.seat
    lines = [f"{change.name(seat)} casts a spell."] if change.gain("cooldown", seat) > 0 else []
    if change.node in _LOSES:
        lost = change.belongings(change.before, seat) - change.belongings(change.after, seat)
        lines += _sentence(change, change.name(seat), _LOSES[change.node], lost)
    return lines + [
        f"The {potion_name(change.cards, colour)} is {effect_name(change.cards, int(change.after['effect'][colour]))}."
        for colour in range(change.cards.record[0]["colours"])
        if change.gain("effect", colour)
    ]


def belongings(change: Change) -> list[str]:
    """Sentences about cards and gold that changed hands, equipment, and points."""
    lines = [line for seat in change.seats for line in (*_cards(change, seat), *_equipment(change, seat))]
    lines += [line for seat in change.seats for line in _purse(change, seat)]
    for index in range(change.was("left_cards"), change.now("left_cards")):
        cell, code = (int(change.after[field][index]) for field in ("left_cell", "left_type"))
        lines.append(f"{card_or_coin(change.cards, code)} is left at {cell_name(cell)}.")
    cursed = np.flatnonzero((change.after["unseen"] < change.before["unseen"]) & (change.after["gone"] > change.before["gone"]))
    return lines + [f"{card_name(change.cards, card)} is discarded." for card in cursed.tolist() if card < TILE_ENTRY]


def _cards(change: Change, seat: int) -> list[str]:
    """Sentences about cards gained and lost. A kept card is out of a dead player's hand until another card is left."""
    name, own = change.name(seat), seat == change.seat
    was, now = (change.belongings(state, seat) for state in (change.before, change.after))
    if seat == change.before["fallen"]:
        return _sentence(change, name, "keeps" if change.node == Node.KEEP else "loses", was - now)
    lines = _sentence(change, name, _GAINS.get(change.node, "gains") if own else "gains", now - was)
    return lines if own and change.node in _LOSES else _sentence(change, name, "loses", was - now) + lines


def _equipment(change: Change, seat: int) -> list[str]:
    """Sentences about cards put on and taken off, except by the dead, who take everything off."""
    if change.gain("deaths", seat):
        return []
    name, own = change.name(seat), change.belongings(change.after, seat)
    was, now = (worn(state, change.cards, seat) for state in (change.before, change.after))
    return _sentence(change, name, "takes off", (was - now) & own) + _sentence(change, name, "puts on", now - was)


def _sentence(change: Change, name: str, verb: str, cards: Counter[int]) -> list[str]:
    return [f"{name} {verb} {joined(counted(change.cards, cards))}."] if cards else []


def _purse(change: Change, seat: int) -> list[str]:
    """Sentences about gold and points for good. The dead lose what they have not kept."""
    name, gold = change.name(seat), change.gain("gold", seat)
    if seat == change.before["fallen"]:
        gold = -change.was("gold", seat) if change.node == Node.LEAVE else 0
    verb = "gains" if gold > 0 else "loses" if change.node == Node.LEAVE else "pays"
    lines = [f"{name} {verb} {abs(gold)} gold."] if gold else []
    scored = {source: change.gain("scored", seat, source) for source in _POINTS}
    return lines + [f"{name} scores {some(n, 'point')} for {_POINTS[source]}." for source, n in scored.items() if n > 0]


# everything that happened

_ENDINGS = {
    Ending.ALL_DEAD: "No player is left alive.",
    Ending.FORFEIT: "Nobody dares to go on: everybody forfeits.",
    Ending.TRUNCATED: "The game has lasted too long and is stopped.",
    Ending.SOLO_WON: "All goals are reached, and the player leaves the dungeon.",
    Ending.SOLO_LOST: "The adventure has failed.",
}


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states, one sentence each, in the usual order of events."""
    change = Change(before, after, cards)
    following = int(after["active"])
    fresh = [following] if change.ended and following != change.seat else []  # seat whose turn has just begun
    return [
        *_deed(change),
        *uses(change),
        *walks(change),
        *enemy_lines(change),
        *map_lines(change),
        *bodies(change, [seat for seat in change.seats if seat not in fresh]),
        *deaths(change),
        *recoveries(change),
        *belongings(change),
        *_turn(change),
        *bodies(change, fresh),
        *_end(change),
    ]


def _deed(change: Change) -> list[str]:
    """Sentence about what the acting player tried, and whether it worked."""
    seat, name = change.seat, change.name(change.seat)
    if change.gain("flights", seat):
        return [f"{name} {'gets away' if change.gain('flights_won', seat) else 'tries to flee and fails'}."]
    if change.gain("trips", seat):
        tripped = [change.name(other) for other in change.seats if other != seat and change.gain("skip", other) > 0]
        won = change.gain("trips_won", seat)
        return [
            f"{name} trips {joined(tripped) or 'a player who is down already'}." if won else f"{name} tries to trip and fails."
        ]
    if change.gain("steals", seat) and not change.gain("steals_won", seat):
        return [f"{name} tries to steal and fails."]
    if change.gain("moles", seat):
        return [f"{name} calls the mole."]
    return _attack(change) if change.node == Node.ATTACK else _trade(change)


def _attack(change: Change) -> list[str]:
    """ROGUE-43 to 46. Sentence about an attack: the faces thrown, and the damage."""
    fight, before = change.after["fight"], change.before
    faces = [str(face) for face in range(1, FACES) if opens(int(fight["faces"]), face)]
    around = [slot for slot in range(before["enemies"]) if change.seat in before["order"][slot]]
    struck = [slot for slot in around if change.slain(slot) or change.gain("enemy_health", slot) < 0] or around
    target = f" {change.enemy(struck[0])}" if len(struck) == 1 else ""
    poison = sum(change.gain("enemy_poison", slot) == -1 for slot in around)
    damage = max(0, change.gain("damage_dealt", change.seat) - poison)
    did = "it is dodged" if fight["dodged"] else f"{damage} damage"
    return [f"{change.name(change.seat)} attacks{target} and rolls {joined(faces)}: {did}."]


def _trade(change: Change) -> list[str]:
    """ROGUE-66. Sentence about an offer, or its answer."""
    if change.gain("offers_made", change.seat):
        partner, give, want = (change.now("arg", place) for place in (0, 1, AIM))
        things = [card_or_gold(change.cards, code) for code in (give, want)]
        return [f"{change.name(change.seat)} offers {change.name(partner)} {things[0]} for {things[1]}."]
    if change.node == Node.TRADE_ANSWER:
        answer = "accepts" if change.gain("offers_taken", change.seat) else "refuses"
        return [f"{change.name(int(change.before['asked']))} {answer}."]
    return []


def _turn(change: Change) -> list[str]:
    """Sentences about the end of a turn, and the beginning of the end rush."""
    after = change.after
    lines = ["The end rush begins."] if change.gain("rush") else []
    if change.ended and after["node"] == Node.SECOND_TURN:
        lines.append(f"Turn {after['turn']} ends; {change.name(change.seat)} may take another.")
    elif change.ended and after["node"] != Node.OVER:
        first, last = change.was("turn") + 1, int(after["turn"])
        ended = f"Turn {last} ends" if first == last else f"Turns {first} to {last} end"
        lines.append(f"{ended}; {change.name(int(after['active']))} is next.")
    return lines


def _end(change: Change) -> list[str]:
    """Sentences about how the game ended, and the points."""
    after = change.after
    if not change.gain("ending"):
        return []
    ending = Ending(after["ending"])
    if ending == Ending.EXIT:
        first = next(seat for seat in change.seats if change.gain("scored", seat, Points.EXIT) or seat == change.seat)
        lines = [f"{change.name(first)} is the first out of the dungeon."]
    else:
        lines = [_ENDINGS[ending]]
    if after["seats"] == 1:
        return lines
    points = [f"{change.name(seat)} {some(int(after['points'][seat].sum()), 'point')}" for seat in change.seats]
    return [*lines, f"Points: {joined(points)}."]
