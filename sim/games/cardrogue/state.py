"""The STATE record of Card Rogue: one game in progress, fixed size, and its enums.

Cards that no player has seen are counts only: what a face-down card is, is drawn when it is flipped.
"""

from collections.abc import Callable
from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.facts import Fact, held
from sim.games.cardrogue.record import CELLS, COLOURS_MAX, ENEMIES_MAX, ENTRIES, ITEMS_MAX, SLOTS, TYPES_MAX

FOES = 4  # enemies around a player: by direction; in a duel in the order of the list
NO_FOE = -1
_FOE = (FOES,)
FIGHT = np.dtype(
    [
        # the player
        ("health", np.int16),
        ("max_health", np.int16),
        ("mod", np.int16),  # attack modifier of potions, artifacts and equipment
        ("rage_at_most", np.int16),  # health at which rage begins, -1: never
        ("rage", np.int16),  # its attack modifier
        ("armour", np.int16),  # less damage from each attack
        ("min_attack", np.int16),  # 0: none
        ("multiply", np.int16),  # 1: as thrown
        ("reroll_dice", np.int16),  # dice added for a face of `reroll_faces`
        ("poison", np.int16),  # turns
        ("antidote", np.int16),  # health gained instead, 0: none
        ("skip", np.int16),  # turns to be skipped
        ("weapon", np.int16),  # number of the weapon, 0: none; for the evaluation
        ("reroll_faces", np.uint8),
        ("miss_faces", np.uint8),
        ("block_faces", np.uint8),
        # the enemies
        ("type", np.int16, _FOE),  # card type, NO_FOE: none or slain
        ("foe_health", np.int16, _FOE),
        ("foe_mod", np.int16, _FOE),  # strength and weakness
        ("foe_poison", np.int16, _FOE),  # turns, of poison that runs in this player's turns
        ("foe_paralysed", np.int16, _FOE),  # turns
        ("attacks", np.uint8, _FOE),  # 1: it attacks this player
        # result of the last stage
        ("faces", np.uint8),  # faces that the attack showed
        ("blocked", np.uint8),  # enemies that the shield stops in this turn, bits 1 << place
        ("slain", np.uint8),  # enemies slain in this stage, bits 1 << place
        ("dodged", np.uint8),  # 1: the attack was dodged
        ("dealt", np.int16),  # health that the enemies lost in this stage
        ("taken", np.int16),  # health that the player lost in this stage
    ],
    align=True,
)


SEATS = 4
DIRECTIONS = 4  # N, E, S, W
ENEMY_SLOTS = 48  # enemies that can come up in one game
LEFT_MAX = 160  # cards left by the dead
NOBODY = -1
NOWHERE = -1
NO_CARD = -1
OPTIONS_MAX = CELLS
SEEN_WORDS = CELLS // 64
NOTHING = 0  # of `on`
LYING = 1  # `on` of a loose card: LYING + its type
MONSTER = 100  # `on` of an enemy: MONSTER + its slot
POTION_USES = 4
POINTS = 5  # sources of victory points


class Down(IntEnum):
    """What lies face-down on a cell (values of `down`)."""

    NO = 0
    CARD = 1  # any unseen exploration card
    MAPPED = 2  # what the fixed layout has there


class Source(IntEnum):
    """Where the tile on a cell came from."""

    NONE = 0
    BOX = 1  # starting and ladder tiles
    EXPLORATION = 2
    PATHING = 3
    BANK = 4  # a floor that is no card (ROGUE-18)
    MAP = 5


class PutOff(IntEnum):
    """ROGUE-33. Arrival effects that wait for the player's next turn."""

    NOTHING = 0
    ALL = 1
    AFTER_TRAP = 2  # those that come after the trap
    NO_TRAP = 3  # all but the trap, which already acted when it was turned up


class Ending(IntEnum):
    """How a game ended."""

    RUNNING = 0
    EXIT = 1  # a player got out in the end rush
    ALL_DEAD = 2  # in the end rush
    FORFEIT = 3  # too many idle rounds (ROGUE-114)
    TRUNCATED = 4
    SOLO_WON = 5
    SOLO_LOST = 6


class Death(IntEnum):
    """Causes of death; an enemy is ENEMY + its number."""

    NONE = 0
    TRAP = 1
    POISON = 2
    COUNTER = 3  # counter-attack of the victim of a failed trip (ROGUE-68)
    POTION = 4
    ENEMY = 5


CAUSES = Death.ENEMY + ENEMIES_MAX


class Points(IntEnum):
    """Sources of victory points."""

    CHEST = 0
    DEBT = 1
    BASILISK = 2  # boss cards that belong to a cancel group
    GOLEM = 3  # the other boss cards
    EXIT = 4


_SEAT = (SEATS,)
_CELL = (CELLS,)
_ENEMY = (ENEMY_SLOTS,)
_USES = ("drunk", "thrown at a player", "thrown at an enemy", "given for a spell")
_SOURCES = ("chest", "debt", "basilisks", "golem", "first out")
_ENDINGS = ("still running", "way out", "all dead", "forfeit", "truncated", "goals reached", "lone player lost")


def _names(table: str, places: int) -> Callable[[CardSet], tuple[str, ...]]:
    """Names of the entries of a table of the card file, padded with "" to the given number of places."""
    return lambda cards: (
        tuple(str(line["name"]) for line in cards.document.get(table, [])) + ("",) * (places - len(cards.document.get(table, [])))
    )


_enemies, _items = _names("enemy", ENEMIES_MAX), _names("item", ITEMS_MAX)


def _causes(alive: str) -> Callable[[CardSet], tuple[str, ...]]:
    """Causes of death by number. alive: number 0."""
    return lambda cards: (alive, "trap", "poison", "counter-attack", "potion", *_enemies(cards))


# "round 0" means never
FACTS = (
    Fact("damage_dealt", np.int32, _SEAT, "Damage dealt", "health", meaning="to enemies and players"),
    Fact("damage_taken", np.int32, _SEAT, "Damage taken", "health", meaning="health lost for any reason"),
    Fact("combat_turns", np.int32, _SEAT, "Combat turns", "turns"),
    Fact("steps_walked", np.int32, _SEAT, "Steps walked", "tiles"),
    Fact("flips", np.int32, _SEAT, "Cards turned over", "cards"),
    Fact("gold_earned", np.int32, _SEAT, "Gold earned by selling", "gold"),
    Fact("gold_spent", np.int32, _SEAT, "Gold spent", "gold"),
    Fact("own_turns", np.int32, _SEAT, "Own turns", "turns"),
    Fact("flights", np.int32, _SEAT, "Flights tried", "flights"),
    Fact("flights_won", np.int32, _SEAT, "Flights that succeeded", "flights"),
    Fact("trips", np.int32, _SEAT, "Trips tried", "trips"),
    Fact("trips_won", np.int32, _SEAT, "Trips that succeeded", "trips"),
    Fact("steals", np.int32, _SEAT, "Thefts tried", "thefts"),
    Fact("steals_won", np.int32, _SEAT, "Thefts that succeeded", "thefts"),
    Fact("offers_made", np.int32, _SEAT, "Trades offered", "offers"),
    Fact("offers_taken", np.int32, _SEAT, "Trades made", "trades"),
    Fact("moles", np.int32, _SEAT, "Calls of the mole", "calls"),
    Fact("potions", np.int32, (SEATS, POTION_USES), "Potions used", "potions", parts=_USES),
    Fact("kills", np.int16, (SEATS, ENEMIES_MAX), "Enemies slain", "enemies", by_cards=_enemies),
    Fact("fights", np.int16, (SEATS, ENEMIES_MAX), "Combats entered", "combats", by_cards=_enemies),
    Fact("deaths", np.int16, (SEATS, CAUSES), "Deaths", "deaths", by_cards=_causes(""), meaning="by cause, see `Death`"),
    Fact("bought", np.int16, (SEATS, ITEMS_MAX), "Bought", "cards", by_cards=_items),
    Fact("worn", np.uint8, (SEATS, ITEMS_MAX), "Worn at the end", "cards", by_cards=_items, meaning="0 or 1", derived=True),
    Fact("first_death", np.int16, _SEAT, "Round of the first death", "rounds", "turn", meaning="0: never"),
    Fact("first_cause", np.int16, _SEAT, "Cause of the first death", "", "category", by_cards=_causes("never died")),
    Fact("first_shop", np.int16, _SEAT, "Round of the first visit to a shop", "rounds", "turn", meaning="0: never"),
    Fact("points", np.int16, (SEATS, POINTS), "Victory points", "points", parts=_SOURCES, meaning="set at the end"),
    Fact("total", np.int16, _SEAT, "Victory points", "points", derived=True),
    Fact("shop_seen", np.int16, (), "Round in which the first shop came up", "rounds", "turn", "game", meaning="0: never"),
    Fact("key_seen", np.int16, (), "Round in which the key came up", "rounds", "turn", "game", meaning="0: never"),
    Fact("chest_seen", np.int16, (), "Round in which the chest came up", "rounds", "turn", "game", meaning="0: never"),
    Fact(
        "golem_seen",
        np.int16,
        (),
        "Round in which the golem came up",
        "rounds",
        "turn",
        "game",
        meaning="the enemy whose death begins the end rush; 0: never",
    ),
    Fact("rush_round", np.int16, (), "Round in which the end rush began", "rounds", "turn", "game", meaning="0: never"),
    Fact("rush_rounds", np.int16, (), "Rounds of the end rush", "rounds", per="game", meaning="with that one", derived=True),
    Fact("rush_by_stuck", np.uint8, (), "The end rush began because all were stuck", "", "flag", "game", meaning="ROGUE-112"),
    Fact("rounds", np.int16, (), "Rounds", "rounds", per="game", derived=True),
    Fact("turned", np.float32, (), "Share of the exploration cards turned over", "share", "number", "game", derived=True),
    Fact("ending", np.int8, (), "How the game ended", "", "category", "game", categories=_ENDINGS),
)

STATE = np.dtype(
    [
        *held(FACTS),
        ("held", np.uint64, _SEAT),  # types in hand as bits; follows from `hand`
        # the dungeon, by cell = row * STRIDE + column
        # what lies face-up: NOTHING, LYING + card type, MONSTER + enemy slot; where `down` is MAPPED: the cell of the card
        # file's map whose content lies here
        ("on", np.int16, _CELL),
        ("tile", np.uint8, _CELL),  # Tile; NONE: no face-up tile
        ("around", np.int16, _CELL),  # what its sides lead to, see `survey`; follows from the other fields
        ("mask", np.int8, _CELL),  # open sides N 1, E 2, S 4, W 8: paths of a tile, all four of any other card
        ("source", np.uint8, _CELL),  # Source of the tile
        ("laid", np.uint8, _CELL),  # number of the tile in the card file, where `source` is a deck
        ("down", np.uint8, _CELL),  # Down
        # cards
        ("unseen", np.uint8, (ENTRIES,)),  # exploration cards that no player has seen, by entry
        ("pathing", np.uint8, (ENTRIES,)),  # pathing cards that no player has seen
        ("gone", np.uint8, (ENTRIES,)),  # cards that left the game: exploration and shop
        ("pathing_gone", np.uint8, (ENTRIES,)),
        ("shop", np.uint8, (TYPES_MAX,)),  # cards in the shop pile, by type
        ("hand", np.uint8, (SEATS, TYPES_MAX)),  # cards in hand, by type
        ("worn", np.int8, (SEATS, SLOTS)),  # type in each slot, NO_CARD; a two-slot card fills both
        ("unseen_cards", np.int16),  # sum of `unseen`
        ("stack", np.int16),  # unseen cards in the stack; the others lie face-down on cells
        ("pathing_cards", np.int16),  # sum of `pathing`
        ("left_cards", np.int16),  # used entries of the next two fields
        ("left_cell", np.int16, (LEFT_MAX,)),  # where the dead left a card
        ("left_type", np.int8, (LEFT_MAX,)),  # card type, or GOLD_CODE + index of a denomination
        ("effect", np.int8, (COLOURS_MAX,)),  # face of the effect of a colour; 0: unknown
        # enemies that were revealed, by slot
        ("enemy_cell", np.int16, _ENEMY),  # NOWHERE: slain
        ("enemy_health", np.int16, _ENEMY),
        ("enemy_type", np.int8, _ENEMY),
        ("enemy_mod", np.int8, _ENEMY),  # strength and weakness
        ("enemy_poison", np.uint8, _ENEMY),  # turns
        ("enemy_poisoner", np.int8, _ENEMY),  # seat
        ("enemy_paralysed", np.uint8, _ENEMY),  # turns
        ("order", np.int8, (ENEMY_SLOTS, SEATS)),  # seats in the order of entry, NOBODY beyond the last
        ("enemies", np.int16),  # slots used
        # players, by seat
        ("cell", np.int16, _SEAT),  # NOWHERE: out or away
        ("health", np.int16, _SEAT),
        ("gold", np.int16, _SEAT),
        ("bonus", np.int16, _SEAT),  # maximum health from scrolls
        ("potion_mod", np.int8, _SEAT),  # attack modifier from potions
        ("poison", np.uint8, _SEAT),  # turns
        ("antidote", np.int8, _SEAT),  # health gained instead, 0: none
        ("skip", np.uint8, _SEAT),  # turns
        ("cooldown", np.uint8, _SEAT),  # turns until the next spell
        ("scored", np.uint8, (SEATS, POINTS)),  # points that never leave, by Points
        ("worn_item", np.int8, (SEATS, SLOTS)),  # at the end of the game: 1 + item number by slot, 0: none
        ("character", np.int8, _SEAT),  # NOBODY beyond the last seat
        ("out", np.uint8, _SEAT),  # 1: out of the game
        ("away", np.int16, _SEAT),  # ROGUE-115: 1 + cell to come back to, 0: at the table
        ("heading", np.int8, _SEAT),  # direction in which the player entered its cell
        ("put_off", np.uint8, _SEAT),  # PutOff
        ("combat", np.int8, _SEAT),  # directions of the enemies that the player is in combat with, bits N 1 .. W 8
        ("resume", np.int8, _SEAT),  # Step that follows the combat
        ("stuck", np.int8, _SEAT),  # ROGUE-110: 0 no, 1 yes, -1 not known
        ("deaths_left", np.int16),  # further lives of a lone player
        # the turn
        ("turn", np.int32),  # turns finished
        ("round", np.int16),  # from 1
        ("idle", np.int16),  # rounds in a row in which nothing happened (ROGUE-114)
        ("stuck_turns", np.int16),  # players in a row whose turns ended stuck (ROGUE-112)
        ("moves_left", np.int8),  # in step 2
        ("repeats", np.int8),  # repetitions of step 2 so far
        ("offers", np.int8),  # trades offered in this turn
        ("deals", np.int8),  # purchases and sales in this turn
        ("equips", np.int8),  # changes of equipment in this turn
        ("offered", np.int32, (2,)),  # offers already made in this turn, 1 + code; 0: none
        ("quiet", np.int16, _SEAT),  # the seat's turns in a row without a card turned over or taken, a purchase or a kill
        ("progress", np.uint8),  # 1: one of these happened in this turn
        ("lively", np.uint8),  # 1: this round is not idle (ROGUE-114)
        ("only_walked", np.uint8),  # 1: the player has only walked in this turn (ROGUE-30)
        ("flipped", np.uint8),  # 1: a face-down card was flipped in this turn
        ("fought", np.uint8),  # 1: the player was in combat in this turn
        ("cut", np.uint8),  # 1: the turn was cut short
        ("fled", np.uint8),  # 1: tried to flee in this turn
        ("blocked", np.uint8),  # directions of enemies that a shield stops in this turn
        ("enemies_acted", np.uint8),  # 1: the enemies' part of this combat turn has begun
        ("tripped", np.uint8),  # 1: tried to trip in this turn
        ("stole", np.uint8),  # 1: tried to steal in this turn
        ("mole_called", np.uint8),
        ("second", np.uint8),  # 1: this is a second turn (ROGUE-94)
        ("rush", np.uint8),  # 1: the end rush has begun
        ("seats", np.int8),
        ("first", np.int8),  # seat that played first
        ("active", np.int8),  # seat whose turn it is
        ("step", np.int8),  # Step
        ("node", np.int8),  # Node
        ("asked", np.int8),  # seat that decides
        ("arg", np.int16, (3,)),  # earlier choices that led to the node
        ("fallen", np.int8),  # seat that has died and decides what to keep, NOBODY
        ("goals_done", np.uint16),  # bits of Goal
        ("acts", np.uint32),  # MAIN: categories that are open, bits 1 << Act
        ("walked", np.uint8),  # 1: the player moved in this turn
        ("bruised", np.uint8),  # 1: an enemy that must be slain in a single turn was hurt in this turn
        ("fight", FIGHT),  # scratch of the combat
    ],
    align=True,
)


SEARCH = np.dtype(  # what a search over the known map works with
    [
        ("seen", np.uint64, (SEEN_WORDS,)),  # cells visited, one bit each
        ("left", np.uint64, (SEEN_WORDS,)),  # cells on which the dead left cards
        ("taken", np.uint64, (SEEN_WORDS,)),  # cells on which players stand
        ("steps", np.int16, _CELL),  # from its start
        ("hurt", np.int16, _CELL),  # health that the traps on the way take
        ("queue", np.int16, _CELL),
        ("begin", np.int16),  # of the cells of the queue that wait, in the order of their steps
        ("end", np.int16),
        ("far", np.int16),  # from here on the queue holds cells behind hurdles, in no order
        ("least", np.int16),  # none of these is nearer
    ],
    align=True,
)

GOLD_CODE = 64  # TRADE_GIVE, TRADE_WANT: 64 + amount; KEEP, LEAVE: 64 + index of the denomination
GOLD_OFFER_MAX = 16
OFFHAND_CODE = 64  # EQUIP: 64 + type in the secondary slot
FLIP_CODE = 4  # FLEE_STEP: 4 + direction flips
STAY_CODE = 8  # FLEE_STEP
LEAP_STAY = 4  # LEAP
AIM = 2  # index of `arg` for the direction of a throw, or for what is asked for in a trade


class Step(IntEnum):
    """ROGUE-20, 41. Steps of a turn."""

    FLIP = 1
    MOVE = 2
    INTERACT = 3
    FIGHT = 4  # before step 1 of the combat turn
    STRUCK = 5  # after step 1
    SURVIVED = 6  # after step 3
    DONE = 7  # what follows is step 4 and the end of the turn


class Node(IntEnum):
    """Kinds of decisions."""

    MAIN = 0
    DRAFT = 1
    FLIP = 2
    MOVE = 3
    ATTACK = 4
    FLEE_STEP = 5
    DRINK = 6
    THROW = 7
    THROW_AT = 8
    TELEPORT = 9
    SCROLL = 10
    IDENTIFY = 11
    SCROLL_MOVE = 12
    SPELL = 13
    SPELL_AT = 14
    SPELL_MOVE = 15
    SPELL_POTION = 16
    EQUIP = 17
    UNEQUIP = 18
    BUY = 19
    SELL = 20
    TRADE_WITH = 21
    TRADE_GIVE = 22
    TRADE_WANT = 23
    TRADE_ANSWER = 24
    TRIP = 25
    LEAP = 26
    STEAL = 27
    BARD_FLEE = 28
    MOLE_TILE = 29
    MOLE_PAY = 30
    KEEP = 31
    LEAVE = 32
    RESPAWN = 33
    SECOND_TURN = 34
    OVER = 35


class Act(IntEnum):
    """Categories of the MAIN decision."""

    PASS = 0
    FLIP = 1
    MOVE = 2
    ATTACK = 3
    FLEE = 4
    DRINK = 5
    THROW = 6
    SCROLL = 7
    SPELL = 8
    EQUIP = 9
    UNEQUIP = 10
    BUY = 11
    SELL = 12
    TRADE = 13
    TRIP = 14
    STEAL = 15
    MOLE = 16


class Spell(IntEnum):
    """ROGUE-95. Options of the SPELL decision."""

    DAMAGE = 0
    MOVE = 1
    POTION = 2
