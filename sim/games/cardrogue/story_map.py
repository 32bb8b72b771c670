"""What happened to the dungeon of Card Rogue: cards turned over, tiles laid, enemies hurt and slain."""

import numpy as np

from sim.games.cardrogue.codes import Tile
from sim.games.cardrogue.decisions import Node
from sim.games.cardrogue.grid import opens
from sim.games.cardrogue.labels import (
    DIRECTIONS,
    card_name,
    cell_name,
    joined,
    some,
    tile_with_article,
)
from sim.games.cardrogue.state import LYING, MONSTER, NOTHING, NOWHERE, Down, Source
from sim.games.cardrogue.story_change import Change

_FIELDS = ("down", "tile", "mask", "on")


def map_lines(change: Change) -> list[str]:
    """Cards turned over, replaced and laid."""
    differs = np.zeros(change.before["tile"].shape, bool)
    for field in _FIELDS:
        differs |= change.before[field] != change.after[field]
    told = [line for cell in np.flatnonzero(differs).tolist() for line in _cell(change, cell)]
    laid = int(((change.after["down"] != Down.NO) & (change.before["down"] == Down.NO)).sum())
    return [*told, f"{some(laid, 'card')} laid face-down."] if laid else told


def _cell(change: Change, cell: int) -> list[str]:
    """What has become of what lay on a cell."""
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
        return [f"{name} turns over {_face(change, cell)} at {here}."]
    if was == Tile.NONE and tile != Tile.NONE:
        return [f"{_capital(_tile(change, cell))} is laid at {here}."]
    if was == Tile.FOUNTAIN != tile:
        return [f"The fountain at {here} runs dry; {_tile(change, cell)} takes its place."]
    if change.node == Node.MOLE_TILE and before["mask"][cell] != after["mask"][cell]:
        return [f"The mole digs at {here}: {_tile(change, cell)}."]
    return []


def _face(change: Change, cell: int) -> str:
    """What lies face-up on a cell: an enemy, a card, or a tile."""
    on = int(change.after["on"][cell])
    if on >= MONSTER:
        return card_name(change.cards, int(change.after["enemy_type"][on - MONSTER]))
    return card_name(change.cards, on - LYING) if on >= LYING else _tile(change, cell)


def _tile(change: Change, cell: int) -> str:
    """A tile; a floor with the directions of its paths."""
    tile, mask = int(change.after["tile"][cell]), int(change.after["mask"][cell])
    if tile != Tile.FLOOR:
        return tile_with_article(change.cards, tile)
    paths = [name for direction, name in enumerate(DIRECTIONS) if opens(mask, direction)]
    sides = "all sides" if len(paths) == len(DIRECTIONS) else f"the {joined(paths)}"
    return f"a floor with paths to {sides}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def enemy_lines(change: Change) -> list[str]:
    """What has become of the enemies that were on the table."""
    told = []
    for slot in range(change.before["enemies"]):
        if change.before["enemy_cell"][slot] != NOWHERE:
            told += _slain(change, slot) if change.slain(slot) else _enemy(change, slot)
    return told


def _slain(change: Change, slot: int) -> list[str]:
    number = int(change.cards.record[0]["enemy_number"][change.after["enemy_type"][slot]])
    slayers = [seat for seat in change.seats if change.gain("kills", seat, number) > 0]
    return [f"{change.name(slayers[0])} slays {change.enemy(slot)}." if slayers else f"{change.enemy(slot)} is gone."]


def _enemy(change: Change, slot: int) -> list[str]:
    """Health and afflictions of an enemy, and where it was sent."""
    before, after, name = change.before, change.after, change.enemy(slot)
    most = change.cards.record[0]["health"][after["enemy_type"][slot]]
    told = []
    if after["enemy_cell"][slot] != before["enemy_cell"][slot]:
        told.append(f"{name} is carried to {cell_name(after['enemy_cell'][slot])}.")
    if change.gain("enemy_health", slot) < 0:
        told.append(f"{name} is down to {after['enemy_health'][slot]} of {most} health.")
    if change.gain("enemy_mod", slot):
        told.append(f"The attack of {name} is {after['enemy_mod'][slot]:+} from now on.")
    poisoner = after["enemy_poison"][slot] > 0 and before["enemy_poisoner"][slot] != after["enemy_poisoner"][slot]
    if change.gain("enemy_poison", slot) > 0 or poisoner:
        told.append(f"{name} is poisoned for {some(int(after['enemy_poison'][slot]), 'turn')}.")
    if change.gain("enemy_paralysed", slot) > 0:
        told.append(f"{name} is paralysed for {some(int(after['enemy_paralysed'][slot]), 'turn')}.")
    return told


def recoveries(change: Change) -> list[str]:
    """Enemies that have more health than before."""
    alive = [slot for slot in range(change.before["enemies"]) if change.after["enemy_cell"][slot] != NOWHERE]
    return [
        f"{change.enemy(slot)} is back to {change.after['enemy_health'][slot]} health."
        for slot in alive
        if change.gain("enemy_health", slot) > 0
    ]
