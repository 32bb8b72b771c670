"""What can be switched off to measure its value (`--forbid`): abilities that are chosen, and optional actions."""

from enum import IntEnum

import numpy as np

from sim.engine.cardfiles.paths import address
from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from sim.games.arena.cards import Kind, PassAbility
from sim.games.arena.state import PASS, STOP_SUMMON, TARGET_CODES, Phase


class Option(IntEnum):
    """Optional actions, in the order of `_NAMES`."""

    MOVE = 0  # ARENA-21
    PASS = 1  # ARENA-13, where an ability could be used instead
    RAGE = 2  # ARENA-79: paying rage
    FURTHER = 3  # ARENA-77: placing a dragonling after the first
    MOVE_AFTER = 4  # ARENA-38


_NAMES = ("rule.move", "rule.pass", "rule.rage", "rule.further_dragonlings", "rule.move_after")


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """Names of what can be forbidden, such as `hero.rhino_guy.charge` or `rule.pass`, indexed by `ablation_of`."""
    record = cards.record[0]
    names = [_ability_name(cards, hero, ability) for hero, ability in np.argwhere(record["thing"] != NOTHING).tolist()]
    return (*names, *(name for name, thing in zip(_NAMES, record["option_thing"], strict=True) if thing != NOTHING))


def _ability_name(cards: CardSet, hero: int, ability: int) -> str:
    """Path of an ability in the card file, without the name of the list."""
    card = address(cards.document, ("hero", hero))
    return card + address(cards.document, ("hero", hero, "ability", ability)).removeprefix(f"{card}.ability")


def number_things(record: np.void) -> None:
    """Number in a CARDS record what can be forbidden: abilities that are chosen, then optional actions that the cards allow."""
    chosen = (record["kind"] != Kind.PASSIVE) & (np.arange(len(record["kind"])) < record["heroes"])[:, np.newaxis]
    given = {
        Option.MOVE: True,
        Option.PASS: record["pass_ability"] == PassAbility.ALLOWED,
        Option.RAGE: (record["rage_spend_max"] > 0).any(),
        Option.FURTHER: (record["summon_count"] > 1).any(),
        Option.MOVE_AFTER: (record["move_after"][chosen] > 0).any(),
    }
    record["thing"] = np.where(chosen, np.cumsum(chosen).reshape(chosen.shape) - 1, NOTHING)
    record["option_thing"] = NOTHING
    for number, option in enumerate(option for option in Option if given[option]):
        record["option_thing"][option] = chosen.sum() + number


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Index in `ablatable` of what a decision uses, or NOTHING."""
    phase, seat = state["phase"], state["active"]
    if phase == Phase.ABILITY and action != PASS:
        return int(cards["thing"][state["hero"][seat], (action - 1) // TARGET_CODES])
    if phase == Phase.ABILITY:
        return int(cards["option_thing"][Option.PASS])
    if phase == Phase.MOVE and action != state["pos"][seat]:
        return int(cards["option_thing"][Option.MOVE])
    if phase == Phase.POST_MOVE and action != state["pos"][seat]:
        return int(cards["option_thing"][Option.MOVE_AFTER])
    if phase == Phase.RAGE and action > 0:
        return int(cards["option_thing"][Option.RAGE])
    if phase == Phase.SUMMON and action != STOP_SUMMON and not state["summon_first"]:
        return int(cards["option_thing"][Option.FURTHER])
    return NOTHING
