"""What a replay of Riftborn Tactics reports of a decision: everything that follows, once, in the order of events."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sim.games.riftborn import GAME
from sim.games.riftborn.text import Change
from tests.games.playing import AS_PRINTED
from tests.games.riftborn.playing import VARIANTS, card_set, game_at_random, story

WORDS = GAME.words
STEPS = 50  # the last of a game
TAKES = re.compile(r"(?P<name>.+) takes (?P<points>\d+) damage(?: in return| as it moves away)?(?:, (?P<shields>\d+) of it.+)?\.")
HEALS = re.compile(r"(?P<name>.+) heals (?P<points>\d+) damage\.")
RETURNS = re.compile(r"(?P<name>.+) dies(?: \d+ times)? and returns with (?P<left>\d+) damage; .+\.")
EXPERIENCE = re.compile(r"Seat (?P<seat>\d) gains (?P<points>\d+) experience .+\.")
HIT = re.compile(r"Seat (?P<seat>\d) takes (?P<points>\d+) damage.*\.")
CURED = re.compile(r"Seat (?P<seat>\d) gains (?P<points>\d+) life and has \d+ now\.")


def position(own: dict[str, Any], other: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A position of two players without libraries."""
    return {"players": [{"library": []} | own, {"library": []} | other]} | more


def steps(variant: str) -> list[tuple[Change, list[str]]]:
    """The last changes of a game played at random, and what is reported of them."""
    cards = card_set(variant)
    states = [state for state, _, _ in game_at_random(variant)[-STEPS:]]
    return [(Change(before, after, cards), WORDS.events(before, after, cards)) for before, after in pairwise(states)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_change_of_a_game_is_told_so_that_it_adds_up(variant: str):
    """Damage, experience, life, deaths, cards drawn: the sentences add up to the change."""
    for change, lines in steps(variant):
        assert all(line.strip() == line and line.endswith(".") for line in lines)
        assert follow_damage(change, lines)
        assert follow_players(change, lines)
        died = [line for line in lines if " is killed " in line or "withers away" in line or "dies of" in line]
        assert len(died) == sum(change.gain("deaths", seat) for seat in range(2))
        ends = [line for line in lines if line.endswith(("is next.", " wins."))]
        assert len(ends) == max(0, change.gain("turn")) + change.over


def follow_damage(change: Change, lines: list[str]) -> bool:
    """Whether the damage on all creatures that stayed is what the sentences make of it."""
    names = {change.name(g): g for g in change.stayed}
    damage = {name: int(change.before["damage"][g]) for name, g in names.items()}
    for line in lines:
        if (took := TAKES.fullmatch(line)) and took["name"] in damage:
            damage[took["name"]] += int(took["points"]) - int(took["shields"] or 0)
        elif (healed := HEALS.fullmatch(line)) and healed["name"] in damage:
            damage[healed["name"]] -= int(healed["points"])
        elif back := RETURNS.fullmatch(line):
            damage[back["name"]] = int(back["left"])
    same = [name for name, g in names.items() if change.before["card"][g] == change.after["card"][g]]
    return all(damage[name] == change.after["damage"][names[name]] for name in same)


def follow_players(change: Change, lines: list[str]) -> bool:
    """Whether experience and life are what the sentences make of them."""
    gained: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    for line in lines:
        if more := EXPERIENCE.fullmatch(line):
            gained[int(more["seat"]) - 1] += int(more["points"])
        elif hit := HIT.fullmatch(line):
            lost[int(hit["seat"]) - 1] += int(hit["points"])
        elif cured := CURED.fullmatch(line):
            lost[int(cured["seat"]) - 1] -= int(cured["points"])
    return all(
        gained[seat] == change.gain("xp", seat) and lost[seat] - change.gain("absorbed", seat) == -change.gain("life", seat)
        for seat in range(2)
    )


def test_opportunity_is_told_as_such():
    """RIFT-42, 43."""
    away = position({"rows": [["beast_troll"], ["beast_cub"]], "hand": ["spark"]}, {"rows": [["beast_charger"]]})
    assert story(away, "use Beast Troll", "swap Beast Troll with Beast Cub") == ["Beast Troll takes 3 damage as it moves away."]


def test_undeath_face_down_and_armour_are_told():
    """RIFT-51, 71, 108."""
    own = {"rows": [["beast_charger"]], "hand": ["spark"]}
    wight = position(own, {"rows": [["undead_wight"]]})
    assert story(wight, "use Beast Charger", "attack Undead Wight with Beast Charger") == [
        "Undead Wight dies and returns with 3 damage; no UNDEATH is left.",
        "Beast Charger takes 1 damage in return.",
    ]
    stalker = position(own, {"rows": [["fae_stalker, 3 shield, face down"]]})
    assert story(stalker, "use Beast Charger", "attack face-down creature with Beast Charger") == [
        "Fae Stalker turns face up.",
        "Fae Stalker takes 6 damage, 3 of it on Shields.",
        "Beast Charger takes 2 damage in return.",
    ]
    armour = position(own, {"armour": ["leather_armour"]})
    assert story(armour, "use Beast Charger", "attack the opponent with Beast Charger") == [
        "Leather Armour breaks.",
        "Seat 2 takes 6 damage.",
        "Armour absorbs 4 of it.",
        "Seat 2 has 48 life left.",
    ]


def test_what_is_looked_at_and_what_is_set_off_is_told():
    """RIFT-107, 117."""
    scout = position({"hand": ["soldier_scout"]}, {"library": ["spark", "mending", "awaken"]})
    assert story(scout, "play Soldier Scout (level 1)", "place it in the front row") == [
        "Soldier Scout enters the front row.",
        "Seat 1 sees on top of the other library: Spark and Mending.",
    ]
    ambush = position({"rows": [["beast_cub"]]}, {"rows": [["fae_trickster", "fae_trickster"]], "tricks": ["ambush"]})
    attack = story(ambush, "use Beast Cub", "attack Fae Trickster (front 1) with Beast Cub")
    assert attack == ["Ambush of seat 2 is set off."]


def test_a_state_tells_nothing_against_itself():
    for state, _, _ in game_at_random(AS_PRINTED)[::40]:
        same: np.void = state.copy()
        assert WORDS.events(state, same, card_set()) == []
