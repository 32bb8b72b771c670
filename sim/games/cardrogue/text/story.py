"""The parts of a position that the story of a replay reports.

GAME takes this module as the protocol `Words` of the engine; decisions, positions and the picture are imported.
"""

from collections.abc import Iterator

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.story import Change, Index, Item, Pile, Rise, Value
from sim.engine.words import joined, line_up, some
from sim.games.cardrogue.position import POSITION, place, position
from sim.games.cardrogue.record import FACES, Tile
from sim.games.cardrogue.rules.tiles import opens
from sim.games.cardrogue.state import LYING, MONSTER, NO_CARD, NOTHING, NOWHERE, Death, Down, Ending, Node, Points
from sim.games.cardrogue.text.labels import (
    DIRECTIONS,
    SLOT_NAMES,
    action,
    card_name,
    card_or_coin,
    cell_name,
    draw,
    effect_name,
    picture,
    player_names,
    potion_name,
    tile_with_article,
)

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]

_WORN = "{word}: {now} in place of {was}"
_CAUSES = {Death.TRAP: "a trap", Death.POISON: "poison", Death.COUNTER: "a counter-attack", Death.POTION: "a potion"}
_POINTS = tuple(source.name.lower() for source in Points)


def _player(change: Change, index: Index) -> str:
    return player_names(change.after, change.cards)[index[0]]


def _enemy(change: Change, index: Index) -> str:
    """An enemy by its name and place, that of before if it has left the table."""
    slot = index[0]
    cell = change.now("enemy_cell", slot)
    where = cell if cell != NOWHERE else change.was("enemy_cell", slot)
    return f"{_card(change, change.now('enemy_type', slot))} at {cell_name(where)}"


def _potion(change: Change, index: Index) -> str:
    return potion_name(change.cards, index[0])


def _card(change: Change, card: int) -> str:
    return card_name(change.cards, card)


def _card_or_coin(change: Change, code: int) -> str:
    return card_or_coin(change.cards, code)


def _effect(change: Change, face: int) -> str:
    return effect_name(change.cards, face)


def _cell(_: Change, cell: int) -> str:
    return cell_name(cell)


def _victim(change: Change, index: Index) -> str:
    """An enemy by its number in the card file."""
    return _card(change, int(change.cards.record[0]["enemy_type"][index[1]]))


def _killer(change: Change, index: Index) -> str:
    """A cause of death."""
    cause = index[1]
    return _CAUSES[Death(cause)] if cause < Death.ENEMY else _victim(change, (index[0], cause - Death.ENEMY))


def dice(change: Change) -> Iterator[Item]:
    """ROGUE-43. The faces of an attack. The same faces can come twice in a row, so they are no change of a number."""
    if change.was("node") != Node.ATTACK:
        return
    fight = change.after["fight"]
    faces = [str(face) for face in range(1, FACES) if opens(int(fight["faces"]), face)]
    yield _player(change, (change.was("active"),)), f"rolls {joined(faces)}{', which is dodged' if fight['dodged'] else ''}"


def dungeon(change: Change) -> Iterator[Item]:
    """ROGUE-17. What lies on a cell now, and how many cards were laid face-down."""
    before, after = change.before, change.after
    laid = int(((after["down"] != Down.NO) & (before["down"] == Down.NO)).sum())
    for (cell,) in sorted({index for field in ("down", "tile", "mask", "on") for index in change.places(field)}):
        if after["down"][cell] == Down.NO:
            turned = "turned over, " if before["down"][cell] != Down.NO else ""
            yield cell_name(cell), f"{turned}{_face(change, cell)}"
    if laid:
        yield "", f"{some(laid, 'card')} laid face-down"


def _face(change: Change, cell: int) -> str:
    """What lies face-up on a cell."""
    on, tile, mask = change.now("on", cell), change.now("tile", cell), change.now("mask", cell)
    if on != NOTHING:
        return _card(change, change.now("enemy_type", on - MONSTER) if on >= MONSTER else on - LYING)
    if tile != Tile.FLOOR:
        return tile_with_article(change.cards, tile) if tile != Tile.NONE else "empty"
    paths = [name for direction, name in enumerate(DIRECTIONS) if opens(mask, direction)]
    sides = "all sides" if len(paths) == len(DIRECTIONS) else f"the {joined(paths)}"
    return f"a floor with paths to {sides}"


STORY = (
    # what the player tried
    dice,
    Rise("flights", owner=_player, rises="tries to flee"),
    Rise("flights_won", owner=_player, rises="gets away"),
    Rise("trips", owner=_player, rises="tries to trip"),
    Rise("trips_won", owner=_player, rises="succeeds"),
    Rise("steals", owner=_player, rises="tries to steal"),
    Rise("steals_won", owner=_player, rises="succeeds"),
    Rise("moles", owner=_player, rises="calls the mole"),
    Rise("offers_made", owner=_player, rises="makes an offer"),
    Rise("offers_taken", owner=_player, rises="the offer is accepted"),
    Value("cooldown", owner=_player, none=0, begins="casts a spell", changes="", ends=""),
    Value("effect", owner=_potion, words=_effect, changes="is {now}"),
    Value("cell", owner=_player, words=_cell, none=NOWHERE, begins="comes in at {now}", changes="to {now}", ends=""),
    # enemies and the dungeon
    Rise("damage_dealt", owner=_player, rises="deals {by}"),
    Rise("kills", _victim, owner=_player, axes=2, rises="slays {word}"),
    Value("enemy_health", "health", owner=_enemy, none=0, begins="", ends=""),
    Value("enemy_cell", owner=_enemy, words=_cell, none=NOWHERE, begins="", changes="carried to {now}", ends="is gone"),
    Value("enemy_mod", "attack modifier", owner=_enemy),
    Value("enemy_poison", "poison", owner=_enemy, none=0, begins="poisoned for {now} turns", ends="poison ends"),
    Value("enemy_paralysed", owner=_enemy, none=0, begins="paralysed for {now} turns", changes="", ends=""),
    dungeon,
    # players
    Rise("damage_taken", owner=_player, rises="loses {by} health"),
    Value("health", owner=_player, same="character"),
    Value("bonus", "maximum health by scrolls", owner=_player),
    Value("poison", owner=_player, none=0, begins="poisoned for {now} turns", ends="poison ends"),
    Value("antidote", owner=_player, none=0, begins="the antidote gives {now} health a turn", changes="", ends=""),
    Value("skip", "turns to skip", owner=_player),
    Value("potion_mod", "attack by potions", owner=_player),
    Rise("deaths", _killer, owner=_player, axes=2, rises="dies, killed by {word}"),
    Value("out", owner=_player, changes="is out of the game"),
    # cards, gold, points
    Pile("hand", name=_card, owner=_player, tallied=True),
    Value(
        "worn", SLOT_NAMES, owner=_player, words=_card, none=NO_CARD, begins="{word}: {now}", changes=_WORN, ends="{word}: none"
    ),
    Value("gold", owner=_player),
    Pile("left_type", name=_card_or_coin, count="left_cards", came="{cards} left behind", gone=""),
    Rise("scored", _POINTS, owner=_player, axes=2, rises="scores {by} for {word}"),
    Rise("points", owner=_player, rises="{by} points"),
    # the end
    Value("rush", changes="the end rush begins"),
    Value("ending", words=Ending, changes="the game ends: {now}"),
)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states."""
    return story.events(before, after, cards, STORY)
