"""The events of a replay: everything that follows from a decision, once, mostly in order of time."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import Drain
from sim.games.runeslingers.text import Events
from tests.games.playing import AS_PRINTED
from tests.games.runeslingers.playing import VARIANTS, card_set, game_at_random, story, table

WORDS = GAME.words
TAKES = re.compile(r"Seat (?P<seat>\d) (?:takes (?P<points>\d+) damage.*|loses (?P<lost>\d+) health)\.")
POWERS = re.compile(r"Seat (?P<seat>\d) loses (?P<count>\d+) powers? by .+\.")
HAS = re.compile(r"Seat (?P<seat>\d) (?:has|heals \d+ and has|is cut down to) (?P<health>\d+) health.*\.")
SUFFERS = re.compile(r"Seat (?P<seat>\d) suffers (?P<what>.+)\.")
RID = re.compile(r"Seat (?P<seat>\d) is rid of (?P<what>.+)\.")
DRAWS = re.compile(r"Seat (?P<seat>\d) draws (?P<what>.+)\.")
COUNT = re.compile(r"(\d+) (burn|debilitate|curse|fragment|weaken|insanity)")


def steps(variant: str) -> list[tuple[Events, list[str]]]:
    """Changes of a game played at random, and the sentences about them."""
    cards = card_set(variant)
    states = [state for state, _, _ in game_at_random(variant)]
    return [(Events(before, after, cards), WORDS.events(before, after, cards)) for before, after in pairwise(states)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_change_of_a_game_is_told_so_that_it_adds_up(variant: str):
    """Health, powers, ailments, cards drawn, turns: the sentences agree with the changes."""
    for change, lines in steps(variant):
        assert all(line.strip() == line and line.endswith(".") for line in lines)
        assert drained(lines) == {
            seat: lost for seat in range(2) if (lost := sum(change.gain("drained", seat, int(d)) for d in Drain))
        }
        assert lost_powers(lines) == {seat: lost for seat in range(2) if (lost := -change.gain("power", seat))}
        assert follow_health(change, lines)
        assert follow_ailments(change, lines)
        assert drawn(lines) == {seat: count for seat in range(2) if (count := change.gain("drawn_cards", seat))}
        ends = [line for line in lines if line.endswith("is next.")]
        assert len(ends) == change.gain("turn")
        assert len([line for line in lines if line.endswith((" wins.", "is a draw."))]) == change.over


def drained(lines: list[str]) -> dict[int, int]:
    """Health lost by seat, according to the sentences."""
    lost: Counter[int] = Counter()
    for took in filter(None, map(TAKES.fullmatch, lines)):
        lost[int(took["seat"]) - 1] += int(took["points"] or took["lost"])
    return dict(lost)


def lost_powers(lines: list[str]) -> dict[int, int]:
    """Powers lost by seat, according to the sentences."""
    lost: Counter[int] = Counter()
    for took in filter(None, map(POWERS.fullmatch, lines)):
        lost[int(took["seat"]) - 1] += int(took["count"])
    return dict(lost)


def follow_health(change: Events, lines: list[str]) -> bool:
    """Whether the sentences have the right health, and mention every change of health."""
    now = {int(has["seat"]) - 1: int(has["health"]) for has in filter(None, map(HAS.fullmatch, lines))}
    right = all(change.after["health"][seat] == health for seat, health in now.items())
    changed = {seat for seat in range(2) if change.gain("health", seat) and change.after["power"][seat]}
    return right and changed <= {*now}


def follow_ailments(change: Events, lines: list[str]) -> bool:
    """Whether the ailments are the earlier ones, plus those gained and minus those lost."""
    words = ("burn", "debilitate", "curse", "fragment", "weaken", "insanity")
    gained: Counter[tuple[int, str]] = Counter()
    for line in lines:
        for pattern, sign in ((SUFFERS, 1), (RID, -1)):
            if match := pattern.fullmatch(line):
                for count, word in COUNT.findall(match["what"]):
                    gained[int(match["seat"]) - 1, word] += sign * int(count)
    return all(gained[seat, word] == change.ailments(seat, kind) for seat in range(2) for kind, word in enumerate(words))


def drawn(lines: list[str]) -> dict[int, int]:
    """Cards drawn by seat, according to the sentences: by name or by number."""
    count: Counter[int] = Counter()
    for draws in filter(None, map(DRAWS.fullmatch, lines)):
        if number := re.fullmatch(r"(\d+) cards?", draws["what"]):
            count[int(draws["seat"]) - 1] += int(number[1])
        else:
            for name in re.split(r", | and ", draws["what"]):
                several = re.match(r"(\d+)x ", name)
                count[int(draws["seat"]) - 1] += int(several[1]) if several else 1
    return dict(count)


def test_a_blow_is_told_with_its_block_and_what_it_brings():
    """RUNE-82, 83, 89. Block, barrier, damage, ailments."""
    fists: Any = table({"hand": ["flaming_fists", "great_bolt_x"]}, {"hand": ["insight"], "barrier": 0})
    cards = ("play Flaming Fists", "target the enemy Runeslinger")
    assert story(fists, "play Flaming Fists") == ["Seat 1 makes 3 light.", "Flaming Fists lies in slot 1 of seat 1."]
    assert story(fists, *cards, "do not block") == [
        "Seat 2 takes 4 damage.",
        "Seat 2 loses 4 health.",
        "Seat 2 has 12 health now.",
        "Seat 2 suffers 2 burn.",
    ]
    blocked = story(fists, *cards, "block with Insight")
    assert blocked == [
        "Seat 2 has a barrier of 4.",
        "Seat 2 has 3 more block this turn.",
        "Seat 2 blocks.",
        "Barriers of seat 2 absorb 4 damage.",
        "Seat 2 discards Insight.",
    ]


def test_cards_that_a_deck_loses_are_told():
    """RUNE-24. An empty deck is mentioned with its power."""
    deep = {"deck": "erosion", "hand": ["deep_sear", "great_bolt_x"]}
    short = {"draw_pile": ["fireball"], "discard": ["binding"] * 2 + ["fireball"] * 6, "rest": "void"}
    lines = story(table(deep, short), "play Deep Sear")
    assert "Seat 2 loses 1 power by an empty deck." in lines
    assert "Seat 2 sears 5 cards." in lines
    assert "Seat 2 shuffles its discard pile into a new deck." in lines


def test_a_state_tells_nothing_against_itself():
    for state, _, _ in game_at_random(AS_PRINTED)[::10]:
        same: np.void = state.copy()
        assert WORDS.events(state, same, card_set()) == []
