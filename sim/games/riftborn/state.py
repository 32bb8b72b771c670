"""The STATE record of Riftborn Tactics: one game in progress, its enums, and small queries.

Sets are the bits of one number: in a set of creatures bit g is creature g, in a set of codes bit k is code k.
"""

from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose
from sim.engine.facts import Fact, held
from sim.engine.jit import Record, kernel, lowest_bit, without_lowest
from sim.engine.measures import Kind
from sim.games.riftborn.cards import ABILITIES, DECK_MAX, LENDABLE, LEVELS, TRICKS, Ability


class Phase(IntEnum):
    """Kinds of decisions, in the order of their codes; OVER and GOING are none."""

    MULLIGAN = 0
    MAIN = 1
    CREATURE = 2
    PLACE = 3
    TARGET = 4
    ROW = 5
    SCRY = 6
    TRICK_SET = 7
    TRICK_FIRE = 8
    HAND = 9
    OVER = 10
    GOING = 11  # no decision is open: the rules go on


class Aim(IntEnum):
    """What a TARGET decision is for."""

    NONE = 0
    EFFECT = 1
    CHARM = 2
    PACIFY = 3
    HEAL = 4
    WEAPON = 5
    RETARGET = 6
    PASS = 7


class Step(IntEnum):
    """What happens next when no decision is open."""

    MAIN = 0  # ask the active player
    PLAYED = 1  # the next when-played ability of a card
    LIST = 2  # next entry of an effect list
    PLACED = 3  # a creature has entered
    SUMMON = 4  # next token
    CARD_DONE = 5  # a played card is complete except for the tricks it has set off
    FREE_DONE = 6  # a creature played by an effect is complete
    TRICKS = 7  # the next trick of the queue
    STRIKE = 8  # an attack after its declaration
    BLOW = 9  # after a blow: what is left over may pass through
    ANSWER = 10  # after the strike: retaliation
    EXCHANGED = 11  # after the retaliation: deaths and experience
    SECOND = 12  # after the tricks of an exchange: the second strike
    OPPORTUNITY = 13  # next attack of opportunity
    ACTED = 14  # an Action is complete
    START = 15  # a turn begins
    ENDED = 16  # after the tricks of the end step


class Blow(IntEnum):
    """Kinds of blows. ANSWER: retaliation."""

    STRIKE = 0
    ANSWER = 1
    OPPORTUNITY = 2


class Reach(IntEnum):
    """How an attack reaches its target (RIFT-37). NONE: not at all."""

    NONE = 0
    ADJACENT = 1
    RANGE = 2
    FLIGHT = 3
    CLEAR = 4


class Harm(IntEnum):
    """What left a creature deadly hurt, so the cause of its death. NONE: the loss of a bonus."""

    NONE = 0
    STRIKE = 1
    PASS = 2
    WEAPON = 3
    ANSWER = 4
    OPPORTUNITY = 5
    EFFECT = 6
    DECAY = 7


class Wound(IntEnum):
    """What hurt a player."""

    CONTACT = 0
    RANGE = 1
    FLIGHT = 2
    PASS = 3
    EFFECT = 4


WOUNDS = len(Wound)
NOT_DECIDED = WOUNDS  # of `ended_by`: the game has no loser yet


class Gain(IntEnum):
    """Sources of experience (RIFT-21)."""

    TURN = 0
    PLAY = 1
    SUMMON = 2
    KILL = 3
    EFFECT = 4


class Draw(IntEnum):
    """What the game uses chance for."""

    LIBRARY = Purpose.FIRST_FREE
    COIN = Purpose.FIRST_FREE + 1
    HIDDEN = Purpose.FIRST_FREE + 2


SEATS = 2
ROWS = 3
PER_ROW = 5
CREATURES = ROWS * PER_ROW  # of a side
ALL = SEATS * CREATURES  # creature g belongs to seat g // CREATURES
COLUMNS = 10  # half columns -5..4, shifted by CENTRE
CENTRE = 5
WEAPONS = 8
ARMOURS = 8
QUEUE = 2 * TRICKS
NOBODY = -1  # no creature, no seat, no card: an empty field
THE_PLAYER = -2  # target of an attack: the opponent
TOKENS_MAX = 9999  # counters of tokens saturate here
CURVE = 30  # number of own turns that are recorded
DISTINCT = DECK_MAX  # different cards of a deck
OPTIONS_MAX = 84  # most decisions open at once (MAIN)


_NONE = np.uint64(0)  # the empty set

WAITING = 1  # bit of `charm` and `pacify`: in effect from the controller's next start step on
ACTIVE = 2  # bit: in effect during this turn of the controller

_SEAT = (SEATS,)
_PILE = (SEATS, DECK_MAX)
_ALL = (ALL,)
_CURVE = (SEATS, CURVE)
_SLOT = (SEATS, DISTINCT)

_WOUNDS = ("attack over a clear path", "attack at range", "attack in flight", "pass-through", "effect")  # by Wound
_HARMS = ("lost bonus", "strike", "pass-through", "Weapon", "answer", "opportunity", "effect", "Decay")  # by Harm
_GAINS = ("turns", "cards played", "summoning", "kills", "effects")  # by Gain
_LEVELS = tuple(str(level + 1) for level in range(LEVELS))
_ABILITIES = tuple(ability.name.replace("_", " ") for ability in Ability)


def _count(name: str, type_: type[np.generic], label: str, unit: str, parts: tuple[str, ...] = (), meaning: str = "") -> Fact:
    """A count for each seat, or for each part of a seat."""
    return Fact(name, type_, (SEATS, len(parts)) if parts else _SEAT, label, unit, parts=parts, meaning=meaning)


def _at_the_end(name: str, type_: type[np.generic], label: str, unit: str = "", kind: Kind = "count", meaning: str = "") -> Fact:
    """A derived fact for each seat."""
    return Fact(name, type_, _SEAT, label, unit, kind, meaning=meaning, derived=True)


def _curve(name: str, label: str, unit: str) -> Fact:
    """A number for each own turn, at its end; STATE has the same as a whole number."""
    parts = tuple(str(turn + 1) for turn in range(CURVE))
    return Fact(name, np.float32, _CURVE, label, unit, "number", parts=parts, meaning="nan beyond the last turn", derived=True)


def _of_card(name: str, type_: type[np.generic], label: str, unit: str, kind: Kind = "count", derived: bool = False) -> Fact:
    """A number for each different card of the deck, in the order of its list."""
    parts = tuple(f"card {slot + 1}" for slot in range(DISTINCT))
    return Fact(name, type_, _SLOT, label, unit, kind, parts=parts, meaning="0: never" if kind == "turn" else "", derived=derived)


FACTS = (
    # of the game
    Fact("player_turns", np.int16, (), "Player turns", "player turns", per="game", derived=True),
    Fact("ended_by", np.int8, (), "What brought the loser down", "", "category", "game", categories=(*_WOUNDS, "not decided")),
    Fact("drawn_game", np.uint8, (), "Both players fell at once", "", "flag", "game", derived=True),
    # of a seat
    _at_the_end("went_first", np.uint8, "Went first", kind="flag"),
    _at_the_end("end_life", np.int16, "Life at the end", "life", "number"),
    _at_the_end("end_xp", np.int32, "Experience at the end", "experience"),
    _at_the_end("end_level", np.int8, "Level at the end", "levels"),
    _count("own_turns", np.int16, "Own turns", "own turns", meaning="begun"),
    Fact(
        "level_turn",
        np.int16,
        (SEATS, LEVELS),
        "Own turn at which the level was held first",
        "own turns",
        "turn",
        parts=_LEVELS,
        meaning="0: never",
    ),
    _count("gained", np.int32, "Experience by source", "experience", _GAINS),
    _curve("xp_after", "Experience", "experience"),
    _curve("played_after", "Experience by cards played and summoned", "experience"),
    _curve("killed_after", "Experience by kills", "experience"),
    _curve("level_after", "Level", "levels"),
    _curve("unused_after", "Levels left unused", "levels"),
    _at_the_end("first_kill", np.uint8, "Killed first", kind="flag"),
    Fact("first_kill_turn", np.int16, _SEAT, "Own turn of the first kill", "own turns", "turn", meaning="0: none"),
    _count("kills", np.int32, "Enemy creatures killed for experience", "creatures"),
    _at_the_end(
        "kill_share", np.float32, "Share of the experience that came from kills", "share", "number", "nan without experience"
    ),
    _count("wounds", np.int32, "Damage to the player", "damage", _WOUNDS, "Armour included"),
    _count("absorbed", np.int32, "Damage absorbed by Armour", "damage"),
    _count("answer_damage", np.int32, "Damage dealt by answers", "damage"),
    _count("opportunity_damage", np.int32, "Damage dealt by attacks of opportunity", "damage"),
    _count("deaths", np.int32, "Own creatures lost", "creatures", _HARMS),
    _count("refills", np.int32, "Discard piles shuffled into the library", "times"),
    _count("laid", np.int32, "TRICK cards laid", "cards"),
    _count("fired", np.int32, "TRICK cards that acted", "cards"),
    _count("returned_cards", np.int8, "Cards returned before the first turn", "cards"),
    _count("longest_turn", np.int16, "Most decisions in a turn", "decisions"),
    _count("times", np.int32, "Times that the ability acted", "times", _ABILITIES),
    # of a card of the deck
    _of_card("drawn_turn", np.int8, "Own turn in which it was drawn first", "own turns", "turn"),
    _of_card("played_turn", np.int8, "Own turn in which it was played first", "own turns", "turn"),
    _of_card("drawn", np.int16, "Copies drawn", "copies"),
    _of_card("plays", np.int16, "Copies played", "copies"),
    _of_card("card_kills", np.int16, "Enemy creatures it killed", "creatures"),
    _of_card("card_damage", np.int16, "Damage it dealt", "damage"),
    _of_card("stayed", np.int8, "Copies in hand at the end", "copies", derived=True),
)

STATE = np.dtype(
    [
        *held(FACTS),
        ("keys", np.uint32, (DECK_MAX,)),  # scratch of shuffles, 0 between calls
        ("pool", np.uint8, (DECK_MAX,)),  # scratch of `resample_hidden`, 0 between calls
        ("pool_n", np.int8),
        # the effect list under way
        ("chosen", np.uint32),  # targets chosen for the entry, bit g
        ("previous", np.uint32),  # targets of the entry before
        ("turn", np.int16),  # player turns finished, 0..turn_cap
        # players
        ("xp", np.int32, _SEAT),
        ("life", np.int16, _SEAT),
        ("deck", np.int16, _SEAT),  # entrant
        ("level", np.int8, _SEAT),  # 1..20
        ("start_level", np.int8, _SEAT),  # after the start step of the latest own turn
        ("used_levels", np.int16, _SEAT),  # levels of cards played this turn
        ("library", np.uint8, _PILE),  # cards, the top one last; beyond library_n 0
        ("library_n", np.int8, _SEAT),
        ("hand", np.uint8, _PILE),
        ("hand_n", np.int8, _SEAT),
        ("discard", np.uint8, _PILE),  # in the order in which they were laid
        ("discard_n", np.int8, _SEAT),
        ("removed", np.uint8, _PILE),
        ("removed_n", np.int8, _SEAT),
        ("known_own", np.int8, _SEAT),  # top cards of the library that its owner knows in order
        ("known_other", np.int8, _SEAT),  # and those that the opponent knows
        ("weapon", np.int16, (SEATS, WEAPONS)),  # cards, oldest first; NOBODY beyond the last
        ("uses", np.int8, (SEATS, WEAPONS)),  # left
        ("weapon_used", np.uint8, (SEATS, WEAPONS)),  # 1: used this turn
        ("armour", np.int16, (SEATS, ARMOURS)),  # cards, oldest first; NOBODY beyond the last
        ("points", np.int8, (SEATS, ARMOURS)),  # left
        ("tricks", np.uint8, _SEAT),  # TRICK cards laid, bit Trick
        # formations
        ("row_len", np.int8, (SEATS, ROWS)),
        ("grid", np.int8, (SEATS, ROWS, PER_ROW)),  # creature, NOBODY
        ("front", np.int8, (SEATS, COLUMNS)),  # front-most creature by half column, NOBODY: derived
        # creatures
        ("card", np.int16, _ALL),  # NOBODY: no creature
        ("origin", np.int16, _ALL),  # card that goes to the discard pile in the end, NOBODY of a summoned token
        ("row", np.int8, _ALL),  # derived
        ("centre", np.int8, _ALL),  # distance from the middle in half tiles, -4..4: derived
        ("damage", np.int16, _ALL),  # tokens, 0..TOKENS_MAX, as all of these
        ("rage", np.int16, _ALL),
        ("health", np.int16, _ALL),
        ("shield", np.int16, _ALL),
        ("weakness", np.int16, _ALL),
        ("decay", np.int16, _ALL),
        ("ready", np.int16, _ALL),  # stored READY
        ("ability", np.int8, (ALL, ABILITIES)),  # printed or granted and not lost; unused ones of UNDEATH
        ("printed", np.uint8, _ALL),  # 1: they are those printed on its card, of which the evaluation knows the worth: derived
        ("lent", np.int8, (ALL, LENDABLE)),  # given by AURAs: derived
        ("bonus_attack", np.int16, _ALL),  # of AURA and MORALE: derived
        ("bonus_health", np.int16, _ALL),
        ("lending", np.uint8),  # 0: `lent` and the bonuses are all 0; bits LENDING, LENDING_HEALTH of `stats`
        ("morale", np.int8, _ALL),  # MoraleStart: what its MORALE gives
        ("face_down", np.uint8, _ALL),
        ("swaps", np.int8, _ALL),  # made this turn
        ("acted", np.uint8, _ALL),  # 1: Action spent
        ("entered", np.uint8, _ALL),  # 1: entered this turn
        ("charm", np.int8, _ALL),  # bits WAITING, ACTIVE
        ("pacify", np.int8, _ALL),
        ("credit", np.int8, _ALL),  # 1 + seat that gains its experience if it dies in the next check, 0 none
        ("harm", np.int8, _ALL),  # Harm that left it deadly hurt
        ("killer", np.int8, _ALL),  # 1 + slot, in the enemy deck, of the card that did it; NOBODY: of none
        ("crediting", np.uint8),  # 1: `credit`, `harm` and `killer` are not all 0
        ("shaken", np.uint8),  # 0: no creature can be deadly hurt
        # a death check under way; 0 between
        ("owed", np.int32, _SEAT),  # experience of the kills
        ("owed_kills", np.int8, _SEAT),
        ("fell", np.int8, _SEAT),  # 1: a creature of the seat was killed
        # course of the game
        ("phase", np.int8),  # Phase
        ("step", np.int8),  # Step that follows
        ("seat", np.int8),  # who decides
        ("active", np.int8),  # whose turn it is
        ("first", np.int8),  # who went first; NOBODY before the coin
        ("winner", np.int8),  # NOBODY while undecided and in a draw
        ("aim", np.int8),  # Aim of the TARGET decision
        ("cursor", np.int8),  # card of the hand (MULLIGAN)
        ("mulligan", np.int8),  # hands changed so far by the seat
        ("returned", np.uint16),  # cards of the hand to be returned, by bit
        ("scry_at", np.int8),  # cards already put back
        ("scry_n", np.int8),  # cards looked at
        # a card being played
        ("playing", np.int16),  # card, NOBODY
        ("play_at", np.int8),  # when-played abilities done
        ("entrant", np.int16),  # card that looks for a place, NOBODY
        ("placed", np.int8),  # creature that entered last
        ("spell", np.int16),  # Spell card that waits beside the piles, NOBODY
        ("free", np.uint8),  # 1: the creature being played was played by an effect
        # tokens being summoned
        ("summoner", np.int8),  # creature, NOBODY for a Spell
        ("summon_card", np.int16),
        ("summon_left", np.int8),
        ("after_summon", np.int8),  # Step
        # a creature or Weapon in use
        ("user", np.int8),  # creature, or number of the Weapon
        ("target", np.int8),  # creature or THE_PLAYER
        ("strike", np.int8),  # 1, 2
        ("answers", np.uint8),  # 1: the target retaliates
        ("reached", np.int8),  # Reach of the attack
        ("raged", np.int16),  # Rage that the target gained from this strike
        ("siphoned", np.int16),  # damage that SIPHON still has to heal
        ("givers", np.uint16),  # enemies that still give an attack of opportunity, bit g % CREATURES
        # a blow
        ("blow", np.int8),  # Blow
        ("giver", np.int8),
        ("hurt", np.int8),  # whom it hurt last
        ("excess", np.int16),
        # the effect list
        ("list_card", np.int16),  # NOBODY: none
        ("list", np.int8),  # List
        ("entry", np.int8),
        ("list_owner", np.int8),
        ("source", np.int8),  # acting creature, NOBODY for a Spell card
        ("trigger", np.int8),
        ("subject", np.int8),
        ("to_choose", np.int8),  # creatures
        ("after_list", np.int8),  # Step
        # waiting tricks
        ("queue_n", np.int8),
        ("queue_owner", np.int8, (QUEUE,)),
        ("queue_trigger", np.int8, (QUEUE,)),
        ("queue_subject", np.int8, (QUEUE,)),
        ("after_tricks", np.int8),  # Step
        # what is counted besides the facts
        ("first_kill", np.int8),  # seat that killed first, NOBODY
        ("xp_after", np.int32, _CURVE),  # experience at the end of own turn 1, 2, ...; -1 beyond the last
        ("played_after", np.int32, _CURVE),  # of it by cards played and summoned
        ("killed_after", np.int32, _CURVE),  # of it by kills
        ("level_after", np.int8, _CURVE),  # 0 beyond the last
        ("unused_after", np.int8, _CURVE),  # levels of the budget left unused, -1 beyond the last
        ("done_this_turn", np.int16),  # MAIN decisions other than the end
        ("held", np.int8, _SLOT),  # copies in hand now
    ],
    align=True,
)


# What happened, for the outcome alone, and scratch: no rule and no evaluation reads it.
READ = ("own_turns",)  # of the facts
CURVES = ("xp_after", "played_after", "killed_after", "level_after", "unused_after", "held")
RECORDED = (*(name for name, *_ in held(FACTS) if name not in READ), *CURVES, "keys", "pool")


@kernel
def side_of(g: int) -> int:
    """Seat of a creature's controller."""
    return int(g >= CREATURES)


@kernel
def power(state: Record, g: int, ability: int) -> int:
    """RIFT-60. X of an ability in force, the number of UNDEATH and TRICK, 1 of any other; 0: not in force."""
    x = state["ability"][g, ability]
    if ability <= Ability.VANGUARD:
        x = max(x, state["lent"][g, ability])
    return x


@kernel
def note_printed(state: Record, cards: Record, g: int) -> None:
    """Note whether the abilities of a creature are those printed on its card."""
    same, card = True, state["card"][g]
    for ability in range(ABILITIES):
        same &= state["ability"][g, ability] == cards["ability"][card, ability]
    state["printed"][g] = same


@kernel
def code_of(state: Record, seat: int, g: int) -> int:
    """Code of a creature in decisions of `seat`: own slot 0..14, enemy slot 15..29."""
    row = state["row"][g]
    index = (state["centre"][g] + state["row_len"][side_of(g), row] - 1) // 2
    slot = row * PER_ROW + index
    return slot if side_of(g) == seat else slot + CREATURES


@kernel
def creature_at(state: Record, seat: int, code: int) -> int:
    """Creature of a slot code 0..29 as `seat` sees it; NOBODY if the slot is empty."""
    side = seat if code < CREATURES else 1 - seat
    slot = code % CREATURES
    return state["grid"][side, slot // PER_ROW, slot % PER_ROW]


@kernel
def saturated(tokens: int) -> int:
    """A count of tokens, limited to TOKENS_MAX."""
    return min(tokens, TOKENS_MAX)


@kernel
def is_over(state: Record) -> bool:
    """RIFT-130. Whether a player has lost."""
    return state["phase"] == Phase.OVER


@kernel
def current_player(state: Record) -> int:
    """Seat that decides now."""
    return state["seat"]


@kernel
def has(found: np.uint32, g: int) -> bool:
    """Whether a set of creatures contains g."""
    return (found >> np.uint32(g)) & np.uint32(1) == np.uint32(1)


@kernel
def with_bit(found: np.uint32, g: int) -> np.uint32:
    """A set of creatures with g added."""
    return np.uint32(found | (np.uint32(1) << np.uint32(g)))


@kernel
def without(found: np.uint32, g: int) -> np.uint32:
    """A set of creatures that contains g, without it."""
    return np.uint32(found ^ (np.uint32(1) << np.uint32(g)))


@kernel
def code_bit(code: int) -> np.uint64:
    """The set that contains only this code, 0..63."""
    return np.uint64(1) << np.uint64(code)


@kernel
def write_codes(codes: np.uint64, base: int, out: np.ndarray, count: int) -> int:
    """Append base + k for each code k of a set, ascending; returns the new number of options."""
    left = np.uint64(codes)
    while left != _NONE:
        out[count] = base + lowest_bit(left)
        left = without_lowest(left)
        count += 1
    return count
