"""Exact odds of rolls (ARENA-40, 41), each with a way to sample the same roll through the compiled game.

The rolls are those of every attack against every usual Defence.
"""

import numpy as np

from sim.engine.cards import CardSet, slug
from sim.engine.dice import SEATS_MAX
from sim.engine.exact import Roll
from sim.engine.jit import interpreted
from sim.engine.loop import repeat
from sim.engine.policies import new_workspace
from sim.games.arena.cards import ABILITIES, DIE_FACES, Kind
from sim.games.arena.setup import clear_board
from sim.games.arena.state import NO_TARGET, OPTIONS_MAX, STATE, TARGET_CODES, Phase, put

DEFENCES = (0, 1, 2, 3, 4)  # dice
CHUNK = 10_000  # games sampled at a time
_USER, _TARGET = 0, 1


def rolls(cards: CardSet) -> list[Roll]:
    """Return every attack ability of every hero against Defence 0 to 4, without rage or dragonlings."""
    attacks = []
    names = part_names(cards)
    for hero, name in enumerate(cards.names):
        for ability in range(ABILITIES):
            if cards.record["kind"][0, hero, ability] == Kind.ATTACK:
                attacks += [_roll(cards, hero, ability, defence, f"{name}: {names[hero][ability]}") for defence in DEFENCES]
    return attacks


def part_names(cards: CardSet) -> list[tuple[str, ...]]:
    """Names of the three abilities of each hero, in the order of the card."""
    return [tuple(ability["name"] for ability in hero["ability"]) for hero in cards.document["hero"]]


def _roll(cards: CardSet, hero: int, ability: int, defence: int, name: str) -> Roll:
    """Roll of an attack against a number of Defence dice."""
    record = cards.record[0]
    hits = _pool(int(record["attack"][hero, ability]), int(record["hit_faces"]))
    if record["auto_hit"][hero, ability]:
        hits = str(record["auto_hit"][hero, ability])
    blocks = "0" if record["no_defence_roll"][hero, ability] else _pool(defence, int(record["block_faces"]))

    def sample(games: int, seed: int) -> np.ndarray:
        return sample_net_hits(cards, (hero, ability, defence), games, seed)

    return Roll(
        entrant=cards.ids[hero],
        part=slug(part_names(cards)[hero][ability]),
        against=defence,
        name=name,
        versus=f"Defence {defence}",
        expression=f"max(0, {hits} - {blocks})",
        sample=sample,
    )


def _pool(dice: int, faces: int) -> str:
    """Number of successes of some dice, in the dice language. faces: that count as a success."""
    return f"{dice}d{DIE_FACES}>={DIE_FACES + 1 - faces}" if dice else "0"


def sample_net_hits(cards: CardSet, attack: tuple[int, int, int], games: int, seed: int) -> np.ndarray:
    """Roll an attack through the compiled game; returns the net hits, int (games,).

    attack: hero, ability and Defence dice of the target, which stands one hex away on an otherwise empty board.
    Game i of a seed rolls the same dice whatever the number of games.
    """
    hero, ability, defence = attack
    other = next(number for number in range(len(cards.ids)) if number != hero)
    record = cards.record.copy()
    record["defence"][0, other] = defence
    workspace = new_workspace(STATE, OPTIONS_MAX, SEATS_MAX)
    state = workspace.states[0]
    with interpreted():  # one position; compiling these kernels would take longer
        clear_board(state, np.array([hero, other]))
        action = _face_to_face(state, record[0], hero, ability)
    net = np.zeros(games, np.int64)
    results = np.zeros(min(games, CHUNK), STATE)
    for first in range(0, games, CHUNK):
        part = results[: min(CHUNK, games - first)]
        repeat(workspace, record, action, seed, first, part)
        net[first : first + CHUNK] = np.maximum(0, part["hits"].astype(np.int64) - part["blocked"][:, 0])
    return net


def _face_to_face(state: np.void, record: np.void, hero: int, ability: int) -> int:
    """Place user and target next to each other, with the attack about to be rolled; returns the decision that rolls it."""
    here = int(np.argmax(record["ray"][: record["hexes"]].min(axis=1)))
    there = int(record["neighbour"][here].max())
    put(state, _USER, here)
    put(state, _TARGET, there)
    state["ability"] = ability
    state["target"] = NO_TARGET if record["area"][hero, ability] else _TARGET
    if not record["move_before_max"][hero, ability]:
        state["phase"] = Phase.ABILITY
        return 1 + TARGET_CODES * ability + int(state["target"])
    state["phase"] = Phase.PRE_MOVE
    return here
