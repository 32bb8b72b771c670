"""Riftborn Tactics in words: decisions, draws, and a picture of the position.

In the picture half a tile is HALF characters wide, so the offset between rows and what blocks a path can be seen.
"""

import textwrap

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.words import WIDTH, boxed, card_drawn, counted, packed
from sim.games.riftborn.actions import PLAY, USE, WIELD
from sim.games.riftborn.cards import ABILITIES, Ability, Kind, MoraleStart
from sim.games.riftborn.position.creatures import COUNTERS, FLAGS, attached_to, formation, is_here, pile_of, spot_of, tricks_of
from sim.games.riftborn.record import ability_word, card_name, ids_of, kind_of, names_of, trick_word
from sim.games.riftborn.rules.attack import ATTACK, ATTACK_PLAYER, CHARM, OWN_PLAYER, THE_OPPONENT
from sim.games.riftborn.rules.damage import attack_of, health_of
from sim.games.riftborn.state import CREATURES, NOBODY, PER_ROW, ROWS, SEATS, Aim, Phase, creature_at, power, side_of

ROW_WORDS = ("front", "second", "third")
FACE_DOWN = "face-down creature"  # of the opponent, in the words of a decision


def creature_name(state: np.void, cards: CardSet, g: int, every_side: bool = False, viewer: int = NOBODY) -> str:
    """Name of a creature, unique on its side: with its place, `Beast Cub (front 2)`, if there are several.

    every_side: unique on the table, so with its seat if both sides have one. viewer: seat that reads it, to which the other's
    face-down creatures have no names; NOBODY: a reader who sees all of them.
    """
    seat, row, index = spot_of(state, g)
    shown = _card_shown(state, g, viewer)
    present = map(int, np.flatnonzero(state["card"] != NOBODY))
    same = [other // CREATURES for other in present if _card_shown(state, other, viewer) == shown]
    parts = [f"seat {seat + 1}"] if every_side and any(side != seat for side in same) else []
    parts += [f"{ROW_WORDS[row]} {index + 1}"] if same.count(seat) > 1 else []
    name = FACE_DOWN if shown == NOBODY else card_name(cards, shown)
    return name + (f" ({', '.join(parts)})" if parts else "")


def _card_shown(state: np.void, g: int, viewer: int) -> int:
    """The card of a creature; NOBODY if it is face down and not the viewer's."""
    is_unknown = viewer not in (NOBODY, side_of(g)) and state["face_down"][g]
    return NOBODY if is_unknown else int(state["card"][g])


# The picture

HALF = 10  # characters of half a tile; five tiles are WIDTH
BOX = 2 * HALF
INSIDE = BOX - 4  # characters of a box without its frame and a blank on either side
UP, DOWN = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames of a creature face up and face down
MIDDLE = "·" * WIDTH  # between the front rows


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, their front rows in the middle.

    A box shows Attack/Health left, with the maximum if there is damage; below it abilities in force, tokens and states. A
    dashed frame means face down. `*` marks the seat that decides.
    """
    above = [line for row in reversed(formation(state, 0)) for line in _row(state, cards, row)]
    below = [line for row in formation(state, 1) for line in _row(state, cards, row)]
    lines = [*_player(state, cards, 0), *above, MIDDLE, *below, *_player(state, cards, 1), "", *_table(state, cards)]
    return "\n".join(line.rstrip() for line in lines)


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """A player without the creatures."""
    phase = Phase(state["phase"])
    mark = "*" if phase != Phase.OVER and state["seat"] == seat else " "
    level, used = int(state["level"][seat]), int(state["used_levels"][seat])
    turn = phase != Phase.MULLIGAN and state["active"] == seat
    parts = [cards.names[state["deck"][seat]], f"life {state['life'][seat]}"]
    parts += [f"level {level}" + (f", {used} used" if turn else ""), f"experience {state['xp'][seat]:,}"]
    parts += [f"{pile} {state[f'{pile}_n'][seat]}" for pile in ("library", "discard", "removed")]
    parts += _belongings(state, cards, seat)
    hand = [f"{card_name(cards, card)} ({cards.record[0]['level'][card]})" for card in pile_of(state, "hand", seat)]
    return packed(f"{mark} seat {seat + 1}", [*parts, f"hand: {', '.join(counted(hand)) or 'empty'}"])


def _belongings(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Weapons with Attack and uses left, Armour with points left, and TRICK cards."""
    attacks, used = cards.record[0]["attack"], state["weapon_used"][seat]
    weapons = [
        f"{card_name(cards, card)} {attacks[card]}/{state['uses'][seat, slot]}{' (used)' if used[slot] else ''}"
        for slot, card in enumerate(attached_to(state, "weapon", seat))
    ]
    armour = [
        f"{card_name(cards, card)} {state['points'][seat, slot]}" for slot, card in enumerate(attached_to(state, "armour", seat))
    ]
    tricks = [trick_word(trick) for trick in tricks_of(state, seat)]
    found = (("weapons", weapons), ("armour", armour), ("tricks", tricks))
    return [f"{what}: {', '.join(words)}" for what, words in found if words]


def _row(state: np.void, cards: CardSet, row: list[int]) -> list[str]:
    """The boxes of a row side by side, centred on the table (RIFT-31)."""
    facts = [_facts(state, cards, g) for g in row]
    height = max(map(len, facts))
    boxes = [
        boxed(_numbers(state, cards, g), [*lines, *[""] * (height - len(lines))], DOWN if state["face_down"][g] else UP, BOX)
        for g, lines in zip(row, facts, strict=True)
    ]
    margin = " " * (WIDTH // 2 + HALF * (int(state["centre"][row[0]]) - 1))
    return [margin + "".join(parts) for parts in zip(*boxes, strict=True)]


def _numbers(state: np.void, cards: CardSet, g: int) -> str:
    """Current Attack and Health left."""
    record, damage = cards.record[0], int(state["damage"][g])
    attack, most = int(attack_of(state, record, g)), int(health_of(state, record, g))
    return f"{attack}/{most - damage}" + (f" of {most}" if damage else "")


def _facts(state: np.void, cards: CardSet, g: int) -> list[str]:
    """Lines of a box: name, abilities, tokens and states."""
    abilities = [ability_word(a, int(power(state, g, a))) for a in range(ABILITIES) if power(state, g, a)]
    if "MORALE" in " ".join(abilities):
        abilities.append(f"for {MoraleStart(state['morale'][g]).name.title()}")
    tokens = [f"{state[field][g]} {field}" for field in COUNTERS[1:] if state[field][g]]
    states = [words for words, (field, bit) in FLAGS.items() if state[field][g] & bit]
    states += ["moved"] if state["swaps"][g] else []
    parts = (card_name(cards, int(state["card"][g])), ", ".join(abilities), ", ".join(tokens), ", ".join(states))
    return [line for part in parts if part for line in textwrap.wrap(part, INSIDE)]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The turn, the pending decision, the Spell being played and waiting tricks."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        over = "nobody wins" if state["winner"] == NOBODY else f"seat {state['winner'] + 1} wins"
        return packed("", [f"turn {state['turn'] + 1}", f"over: {over}"])
    about = _about(state, cards, phase)
    parts = [f"turn {state['turn'] + 1}" if phase != Phase.MULLIGAN else "before the first turn"]
    parts += [f"decision: {phase.name.lower().replace('_', ' ')}" + (f" ({about})" if about else "")]
    if state["spell"] != NOBODY:
        parts.append(f"being played: {card_name(cards, int(state['spell']))}")
    waiting = [f"seat {owner + 1}" for owner in state["queue_owner"][: state["queue_n"]]]
    return packed("", parts + ([f"tricks waiting: {', '.join(waiting)}"] if waiting else []))


def _about(state: np.void, cards: CardSet, phase: Phase) -> str:
    """The card or creature that the pending decision is about."""
    seat, user = int(state["seat"]), int(state["user"])
    if phase == Phase.MULLIGAN:
        return card_name(cards, int(state["hand"][seat, state["cursor"]]))
    if phase == Phase.PLACE:
        return card_name(cards, int(state["entrant"]))
    if phase == Phase.TARGET and state["aim"] == Aim.WEAPON:
        return card_name(cards, int(state["weapon"][seat, user]))
    if phase == Phase.TARGET and state["aim"] == Aim.PASS:
        return f"{state['excess']} damage left"
    if phase == Phase.CREATURE or (phase == Phase.TARGET and state["aim"] != Aim.EFFECT and is_here(state, user)):
        return creature_name(state, cards, user)
    return card_name(cards, int(state["list_card"])) if state["list_card"] != NOBODY else ""


# Decisions and draws

OPPONENT = "the opponent"
_ACTIONS = (  # of CREATURE, from CHARM on
    *("charm with", "heal with", "switch the morale of", "pacify with"),
    *("ready", "use the spell of", "summon with", "transform"),
)
_AIMS = {
    Aim.EFFECT: "choose",
    Aim.CHARM: "charm",
    Aim.PACIFY: "pacify",
    Aim.HEAL: "heal",
    Aim.WEAPON: "hit",
    Aim.RETARGET: "strike",
    Aim.PASS: "let the rest hit",
}


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among the open decisions of `state`."""
    seat = int(state["seat"])
    match Phase(state["phase"]):
        case Phase.MULLIGAN:
            words = f"{'return' if action else 'keep'} {_held(state, cards, int(state['cursor']))}"
        case Phase.MAIN:
            words = _main(state, cards, seat, action)
        case Phase.CREATURE:
            words = _deed(state, cards, action)
        case Phase.PLACE:
            words = f"place it {gap_words(state, seat, *divmod(action, PER_ROW))}"
        case Phase.TARGET:
            words = _target(state, cards, seat, action)
        case Phase.ROW:
            words = f"choose {'the own' if action >= ROWS else 'the enemy'} {ROW_WORDS[action % ROWS]} row"
        case Phase.SCRY:
            words = f"put {_looked_at(state, cards, seat, action)} next"
        case Phase.TRICK_SET:
            words = f"lay {trick_word(action)}" if action else "lay no trick"
        case Phase.TRICK_FIRE:
            words = _trick(state, cards, seat, *divmod(action, 2))
        case _:
            words = f"play {_held(state, cards, action)} for free"
    return words


def _main(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """A decision of the main step."""
    if action == 0:
        return "end the turn"
    if action < USE:
        card = int(state["hand"][seat, action - PLAY])
        return f"play {card_name(cards, card)} (level {cards.record[0]['level'][card]})"
    if action < WIELD:
        return f"use {creature_name(state, cards, int(creature_at(state, seat, action - USE)))}"
    return f"use {_copy(cards, attached_to(state, 'weapon', seat), action - WIELD)}"


def _deed(state: np.void, cards: CardSet, action: int) -> str:
    """What the selected creature does: a Move, an attack or another Action."""
    user = int(state["user"])
    seat, name = user // CREATURES, creature_name(state, cards, user)
    if action < ATTACK:
        return f"swap {name} with {creature_name(state, cards, int(creature_at(state, seat, action)))}"
    if action < ATTACK_PLAYER:
        return f"attack {creature_name(state, cards, int(creature_at(state, seat, action)), viewer=seat)} with {name}"
    if action == ATTACK_PLAYER:
        return f"attack {OPPONENT} with {name}"
    return f"{_ACTIONS[action - CHARM]} {name}"


def _target(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """The target of an effect, an Action, a Weapon or the rest of a blow."""
    verb = _AIMS[Aim(state["aim"])]
    if action == OWN_PLAYER:
        return f"{verb} the own player"
    if action == THE_OPPONENT:
        return f"{verb} {OPPONENT}"
    return f"{verb} {creature_name(state, cards, int(creature_at(state, seat, action)), every_side=True, viewer=seat)}"


def _trick(state: np.void, cards: CardSet, seat: int, slot: int, list_: int) -> str:
    """A TRICK effect, with its number if the creature has two."""
    g = int(creature_at(state, seat, slot))
    number = f" {list_ + 1}" if power(state, g, int(Ability.TRICK)) > 1 else ""
    return f"use trick{number} of {creature_name(state, cards, g)}"


def _held(state: np.void, cards: CardSet, at: int) -> str:
    """A card of the hand, with its number if there are several of a kind."""
    hand = state["hand"][state["seat"], : state["hand_n"][state["seat"]]].tolist()
    return _copy(cards, hand, at)


def _looked_at(state: np.void, cards: CardSet, seat: int, at: int) -> str:
    """A card looked at and not yet put back, counted from the top."""
    top = int(state["library_n"][seat]) - int(state["scry_at"])
    left = int(state["scry_n"]) - int(state["scry_at"])
    return _copy(cards, state["library"][seat, top - left : top].tolist()[::-1], at)


def _copy(cards: CardSet, among: list[int], at: int) -> str:
    """Name of a card, with its number if there are several of a kind."""
    number = among[: at + 1].count(among[at])
    return card_name(cards, among[at]) + (f" (number {number})" if among.count(among[at]) > 1 else "")


def draw(words: str, cards: CardSet) -> int:
    """Code of a scripted draw: a card, or the seat that has the first turn.

    words: id or name of a card that decks can contain, drawn from anywhere in the library; `seat 0` or `seat 1` for the coin
    (RIFT-08). Raises ValueError with the nearest valid word.
    """
    rows = [row for row in range(len(ids_of(cards))) if kind_of(cards, row) != Kind.TOKEN]
    seats = {f"seat {seat}": seat for seat in range(SEATS)}
    return card_drawn(words, {row: (names_of(cards)[row], ids_of(cards)[row]) for row in rows}, seats)


def gap_words(state: np.void, seat: int, row: int, index: int) -> str:
    """A place for a new creature: gap `index` of a row, or a new row behind the last."""
    length = int(state["row_len"][seat, row]) if row < ROWS else 0
    if length == 0:
        return "in a new row behind" if row else "in the front row"
    if index in (0, length):
        return f"in the {ROW_WORDS[row]} row at the {'right' if index else 'left'} end"
    return f"in the {ROW_WORDS[row]} row as number {index + 1}"
