"""Random games of the plain-Python model, checked against the invariants at every decision."""

from collections import Counter
from importlib.resources import files
from random import Random
from tomllib import loads

import pytest

from sim.games.riftborn.outcome import OUTCOME
from sim.games.riftborn.state import Phase
from tests.conftest import sampled
from tests.games.riftborn.model.cards import Cards, read_cards
from tests.games.riftborn.model.documents import odd_cards, reference_document
from tests.games.riftborn.model.facts import outcome
from tests.games.riftborn.model.invariants import Watch, check_outcome
from tests.games.riftborn.model.positions import AtRandom, reference
from tests.games.riftborn.model.turn import Model, new_game, snapshot

DECKS = ("soldier_line", "beast_rush", "undead_attrition", "fae_tricks")
SWITCHES = {
    "level_budget": ("live", "snapshot"),
    "aoo_xp": (False, True),
    "adjacent_enemies": ("touching", "contact"),
    "clear_path": ("half", "nearest"),
    "contact_retaliation": (True, False),
    "dead_retaliate": (True, False),
    "rage_before_retaliation": (True, False),
    "mutual_kill_xp": (True, False),
    "kill_xp": ("attacks", "any_own_damage"),
    "siphon_timing": ("strike", "exchange"),
    "siphon_counts": ("full", "effective"),
    "relentless_on": ("any", "attack"),
    "stealth_cover": ("always", "face_down"),
    "morale_start": ("attack", "health"),
    "weapon_uses": ("once", "unlimited"),
    "transform_keeps": ("nothing", "tokens"),
    "mulligans": (0, 1, 2),
    "max_rows": (1, 2, 3),
    "max_per_row": (3, 5),
    "retaliation_divisor": (1, 2, 3),
}


def random_switches(rng: Random) -> dict[str, object]:
    """Some of the rules otherwise than they are."""
    return {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.5}


def play_out(cards: Cards, decks: tuple[str, str], seed: int, asked: Counter[Phase] | None = None) -> Model:
    """A random game under watch."""
    rng = Random(seed)
    game = new_game(cards, decks, AtRandom(rng))
    watch = Watch(game)
    while game.codes:
        if asked is not None:
            asked[game.pending.kind] += 1
        watch.apply(rng.choice(game.codes))
    check_outcome(game.table.facts, outcome(game.table))
    return game


@pytest.mark.parametrize("seed", sampled(range(4), 2))
def test_games_of_the_reference_set_hold_to_the_invariants(seed):
    rng = Random(seed)
    game = play_out(reference(), (rng.choice(DECKS), rng.choice(DECKS)), seed)
    assert game.table.over
    assert game.table.players[1 - game.table.winner].life <= 0


@pytest.mark.parametrize("seed", sampled(range(6), 3))
def test_games_with_other_switches_hold_to_the_invariants(seed):
    rng = Random(seed)
    game = play_out(reference(**random_switches(rng), turn_cap=60), (rng.choice(DECKS), rng.choice(DECKS)), seed)
    assert game.table.over or game.table.turn == 60


@pytest.mark.parametrize("seed", sampled(range(6), 3))
def test_games_of_odd_cards_hold_to_the_invariants(seed):
    rules = random_switches(Random(seed)) if seed % 2 else {}
    game = play_out(odd_cards(**rules, turn_cap=40), ("odd", "odd"), seed)
    assert game.table.over or game.table.turn == 40


def test_every_kind_of_decision_comes_up():
    asked: Counter[Phase] = Counter()
    play_out(reference(), ("fae_tricks", "fae_tricks"), 1, asked)
    play_out(odd_cards(turn_cap=40), ("odd", "odd"), 1, asked)
    assert set(asked) == set(Phase) - {Phase.OVER, Phase.GOING}


def test_invariant_11_the_same_lots_and_choices_give_the_same_game():
    first, second = (snapshot(play_out(reference(turn_cap=20), ("beast_rush", "fae_tricks"), 5)) for _ in range(2))
    assert first == second


def test_the_outcome_speaks_of_the_fields_of_the_record():
    result = outcome(play_out(reference(), ("soldier_line", "undead_attrition"), 2).table)
    assert set(result) == set(OUTCOME.names)
    for name, value in result.items():
        lengths, inner = [], value
        while isinstance(inner, list):
            lengths.append(len(inner))
            inner = inner[0]
        assert tuple(lengths) == OUTCOME[name].shape, name


def test_the_reference_set_of_the_model_is_that_of_the_game():
    of_the_game = loads(files("sim.games.riftborn").joinpath("cards.toml").read_text())
    ours = reference_document()
    game, model = _plain(of_the_game), _plain(ours)
    assert game.rules == model.rules
    assert {card.id: card for card in game.cards} == {card.id: card for card in model.cards}
    assert {name: Counter(deck) for name, deck in game.decks.items()} == {
        name: Counter(deck) for name, deck in model.decks.items()
    }


def _plain(document) -> Cards:
    """Cards without their places: only these may differ."""
    order = sorted(document["card"], key=lambda entry: entry["id"])
    return read_cards({**document, "card": order})


def test_what_is_no_code_is_refused():
    game = new_game(reference(), ("beast_rush", "fae_tricks"), AtRandom(Random(1)))
    with pytest.raises(ValueError, match="99 is none of"):
        game.apply(99)
