"""Random games of the plain model, with invariants checked at every decision."""

from collections import Counter
from importlib.resources import files
from random import Random
from tomllib import loads
from typing import Any

import pytest

from sim.games.runeslingers.outcome import OUTCOME
from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.invariants import TURNS_MOST, Watched, check_outcome
from tests.games.runeslingers.model.positions import AtRandom
from tests.games.runeslingers.random_documents import random_document, random_switches

DECKS = 4


def play_out(document: dict[str, Any], decks: tuple[int, int], seed: int, asked: Counter[Phase] | None = None) -> Watched:
    """A random game under watch."""
    rng = Random(seed)
    game = Watched(document, decks, AtRandom(rng)).watch()
    while game.codes:
        if asked is not None:
            asked[game.pending.kind] += 1
        game.apply(rng.choice(game.codes))
    check_outcome(game, game.outcome())
    return game


@pytest.mark.parametrize("seed", range(8))
def test_games_of_the_reference_set_hold_to_the_invariants(seed):
    rng = Random(seed)
    game = play_out(reference_document(), (rng.randrange(DECKS), rng.randrange(DECKS)), seed)
    assert game.over
    assert game.turn < TURNS_MOST


@pytest.mark.parametrize("seed", range(12))
def test_games_with_other_switches_hold_to_the_invariants(seed):
    rng = Random(seed)
    document = reference_document(**random_switches(rng), turn_cap=60)
    game = play_out(document, (rng.randrange(DECKS), rng.randrange(DECKS)), seed)
    assert game.over or game.turn == 60


@pytest.mark.parametrize("seed", range(24))
def test_games_of_random_cards_hold_to_the_invariants(seed):
    game = play_out(random_document(Random(seed)), (0, 1), seed)
    assert game.over or game.turn == game.rules["turn_cap"]


def test_every_kind_of_decision_comes_up():
    asked: Counter[Phase] = Counter()
    for seed in range(12):
        play_out(reference_document(), (1 + seed % 2, 2 + seed % 2), seed, asked)
    for seed in range(24):
        play_out(random_document(Random(seed)), (0, 1), seed, asked)
    assert set(asked) == set(Phase) - {Phase.OVER, Phase.GOING}


def test_the_same_lots_and_choices_give_the_same_game():
    first, second = (play_out(reference_document(), (1, 3), 5).outcome() for _ in range(2))
    assert repr(first) == repr(second)


class ByPlayer:
    """Chance that belongs to who sits there: each player brings a generator of Python."""

    def __init__(self, rngs: list[Random]):
        self.rngs = rngs

    def shuffle(self, seat: int, instances: list[int], /) -> list[int]:
        """Fair."""
        return self.rngs[seat].sample(instances, len(instances))

    def roll(self, seat: int, /) -> int:
        """A die."""
        return self.rngs[seat].randint(1, 6)

    def random_discard(self, seat: int, held: int, /) -> int:
        """Any of them."""
        return self.rngs[seat].randrange(held)


def side_by_side(document: dict[str, Any], seed: int, seats: tuple[int, int]) -> dict[str, Any]:
    """A game in which players 0 and 1 sit on these seats, each with a deck, and with a chance and a mind of its own."""
    players = [seats.index(seat) for seat in range(len(seats))]
    luck, minds = ([Random(10 * seed + 2 * of + player) for player in players] for of in range(2))
    game = Watched(document, (players[0], players[1]), ByPlayer(luck)).watch()
    while game.codes:
        game.apply(minds[game.pending.seat].choice(game.codes))
    outcome = game.outcome()
    return {name: [outcome[name][seat] for seat in seats] if OUTCOME[name].shape else outcome[name] for name in outcome}


@pytest.mark.parametrize("seed", range(12))
def test_seats_exchanged_give_the_game_seen_from_the_other_side(seed):
    document = random_document(Random(seed)) if seed % 2 else reference_document()
    document["rules"]["first"] = "choose"
    assert repr(side_by_side(document, seed, (0, 1))) == repr(side_by_side(document, seed, (1, 0)))


def test_the_outcome_speaks_of_the_fields_of_the_record():
    outcome = play_out(reference_document(), (0, 2), 2).outcome()
    assert set(outcome) == set(OUTCOME.names)
    for name, value in outcome.items():
        lengths, inner = [], value
        while isinstance(inner, list):
            lengths.append(len(inner))
            inner = inner[0]
        assert tuple(lengths) == OUTCOME[name].shape, name


def test_the_reference_set_of_the_model_is_that_of_the_game():
    game = loads(files("sim.games.runeslingers").joinpath("cards.toml").read_text())
    ours = reference_document()
    for table in ("ailment", "runeslinger", "stance", "ability", "card", "deck"):
        assert [_plain(row) for row in game[table]] == [_plain(row) for row in ours[table]], table
    assert {name: game["rules"].get(name) for name in ours["rules"]} == ours["rules"]


SAID_ANYHOW = {"op": None, "defence": 0, "to": "self", "per_turn": 0, "scope": "self", "if": "always"}


def _plain(entry: Any) -> Any:
    """Without words that are only for readers, and without defaults."""
    if isinstance(entry, list):
        return [_plain(row) for row in entry]
    if not isinstance(entry, dict):
        return entry
    left_out = ("name", "provenance", "affiliation", "source", "note")
    kept = {name: _plain(value) for name, value in entry.items() if name not in left_out}
    return {name: value for name, value in kept.items() if name not in SAID_ANYHOW or value != SAID_ANYHOW[name]}


def test_what_is_no_code_is_refused():
    game = Watched(reference_document(), (0, 1), AtRandom(Random(1))).watch()
    with pytest.raises(ValueError, match="99 is none of"):
        game.apply(99)
