"""Ablation: what is forbidden never happens in random games, and in many of them everything else does."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING, Game, ablation_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import replay
from tests.conftest import BUILT_IN
from tests.every_game.play import WHOLE, options
from tests.games.cardrogue.positions import card_set

pytestmark = pytest.mark.slow

RANDOM = (PolicySpec.parse("random"),)
GAMES_PLAYED = 200 if WHOLE else 2
CHUNK = 20  # games logged at a time


def weak_enemies() -> CardSet:
    """Cards for short games in which loot buys something: enemies are weak and their cards valuable."""
    enemies = ("cave_bat", "sewer_rat", "goblin", "imp")
    loot = {f"enemy.{enemy}.health": 1 for enemy in enemies} | {f"enemy.{enemy}.gold": 20 for enemy in enemies}
    return card_set({"max_rounds": 25}, loot)


@dataclass(frozen=True)
class Played:
    """Random games of a game: two at each commit. Those of `make soak` use everything except what is `unused`.

    forced: whether a forbidden thing is still used where nothing else is open.
    """

    seats: int = 2
    seed: int = 3
    cards: Callable[[], CardSet] | None = None
    unused: tuple[str, ...] = ()
    forced: bool = False


PLAYED = {
    "arena": Played(seats=4),
    "cardrogue": Played(seats=4, cards=weak_enemies, unused=("rule.mole",)),  # the mole is called when nothing else is left
    "riftborn": Played(forced=True),
    "rookling": Played(seed=5),
    "runeslingers": Played(),
}


def cards_of(name: str) -> CardSet:
    """The cards of the games."""
    cards = PLAYED[name].cards
    return cards() if cards else GAMES[name].load(None)


@cache
def names_of(name: str) -> tuple[str, ...]:
    """Everything that can be forbidden in a game."""
    ablatable = GAMES[name].ablatable
    assert ablatable is not None
    return ablatable(cards_of(name))


@cache
def uses(name: str, *forbidden: str) -> np.ndarray:
    """Number of times that each entrant used each thing in random games, (entrants, things)."""
    played, cards = PLAYED[name], cards_of(name)
    made = Experiment(name, cards, played.seats, RANDOM, GAMES_PLAYED, played.seed, forbidden=forbidden)
    counts = np.zeros((len(cards.ids), len(names_of(name))), np.int64)
    for first in range(0, GAMES_PLAYED, CHUNK):
        log = replay(made, first, min(CHUNK, GAMES_PLAYED - first))
        taken = np.flatnonzero(log.moves["action"] >= 0)
        moves, positions = log.moves[taken], log.positions[taken]
        codes = zip(positions, moves["action"], strict=True)
        things = np.array([ablation_of(position, cards.record[0], action) for position, action in codes], np.int64)
        for line in np.flatnonzero(np.isin(things, [names_of(name).index(word) for word in forbidden if word in names_of(name)])):
            if played.forced and nothing_else(GAMES[name], positions[line], cards, forbidden):
                things[line] = NOTHING
        entrants, used = log.rows["entrant"][moves["row"], moves["seat"]], things != NOTHING
        np.add.at(counts, (entrants[used], things[used]), 1)
    return counts


def nothing_else(game: Game, state: np.void, cards: CardSet, forbidden: tuple[str, ...]) -> bool:
    """Whether each open decision uses something that is forbidden."""
    things = [int(ablation_of(state, cards.record[0], code)) for code in options(game, state, cards.record)]
    return all(thing != NOTHING and names_of(game.name)[thing] in forbidden for thing in things)


def times(name: str, *forbidden: str) -> dict[str, int]:
    """Number of times that each thing was used in random games."""
    return dict(zip(names_of(name), uses(name, *forbidden).sum(axis=0).tolist(), strict=True))


@pytest.mark.soak
@pytest.mark.parametrize("name", PLAYED)
def test_everything_that_can_be_forbidden_is_used_in_random_games(name: str):
    assert [thing for thing, often in times(name).items() if not often] == [*PLAYED[name].unused]


EVERY_OTHER = names_of("rookling")[::2], names_of("rookling")[1::2]
FORBIDDEN = [  # game, what is forbidden, and some of what is still used; None: everything else
    ("arena", ("hero.rhino_guy.charge", "rule.rage", "rule.move_after", "hero.valasca.war_cry"), None),
    ("arena", ("rule.move", "rule.further_dragonlings", "hero.bow_master.boxing_arrow"), None),
    (
        "cardrogue",
        ("rule.flee", "rule.trade", "rule.drink", "item.dagger", "character.mage.spells.damage"),
        ("rule.trip", "rule.sell", "item.helm", "character.mage.spells.move"),
    ),
    (
        "cardrogue",
        ("rule.throw", "item.scroll_identify", "character.rogue.offhand", "character.explorer.second_turn"),
        ("rule.trip", "rule.sell", "item.helm", "character.mage.spells.move"),
    ),
    (
        "riftborn",
        ("rule.move", "rule.weapon", "ability.ready", "card.beast_cub", "card.war_cry"),
        ("rule.attack_player", "ability.heal", "card.spark"),
    ),
    *(("rookling", things, ()) for things in EVERY_OTHER),
    ("rookling", ("rule.rearrange",), ("rookling.rime.frost_bite", "rookling.stone.bulwark")),
    (
        "runeslingers",
        ("rule.block", "rule.inherent", "card.fireball", "card.gathering_chant.activated", "card.quick_ward"),
        ("rule.set", "rule.ability", "card.insight", "card.shatter"),
    ),
]


@pytest.mark.parametrize(
    ("name", "forbidden", "others"),
    FORBIDDEN,
    ids=[f"{name}-{', '.join(things) if len(things) < 6 else f'{len(things)} things'}" for name, things, _ in FORBIDDEN],
)
def test_what_is_forbidden_never_happens_and_all_else_does(name: str, forbidden: tuple[str, ...], others: tuple[str, ...] | None):
    used = times(name, *forbidden)
    assert any(used.values())
    assert {thing: used[thing] for thing in forbidden} == dict.fromkeys(forbidden, 0)
    for thing in (used if others is None else others) if WHOLE else ():
        assert used[thing] or thing in forbidden, thing


@pytest.mark.soak
def test_what_is_forbidden_to_one_deck_the_others_do():
    ids, things = GAMES["runeslingers"].load(None).ids, names_of("runeslingers")
    settings = uses("runeslingers", "erosion:rule.set")[:, things.index("rule.set")]
    assert {deck for deck, often in zip(ids, settings, strict=True) if not often} == {"erosion"}


@pytest.mark.parametrize("name", PLAYED)
def test_each_thing_has_a_name_of_its_own(name: str):
    assert {*PLAYED} == {*BUILT_IN}
    assert len({*names_of(name)}) == len(names_of(name))


@pytest.mark.parametrize("name", PLAYED)
def test_a_name_that_is_none_is_refused_with_those_near_to_it(name: str):
    for thing in (names_of(name)[0], names_of(name)[-1]):
        wrong = thing[:-2] + thing[-1]
        with pytest.raises(ValueError, match=rf"forbid='{wrong}'.*{thing}"):
            Experiment(name, cards_of(name), 2, RANDOM, 10, forbidden=(wrong,))
