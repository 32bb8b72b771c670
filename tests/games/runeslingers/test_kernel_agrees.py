"""The kernels against the plain model: whole games of the reference set, of variants, of random cards and of many answers."""

from collections import Counter
from random import Random

import pytest

from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.kernel_bridge import made, play_both
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.random_documents import SWITCHES, random_document, random_switches

DECKS = 4
SITUATIONS = {  # what must come up in 60 games with many answers, and how often at least
    **dict.fromkeys(("ANSWER", "TARGET", "BLOCK", "BULLET", "AILMENT", "DISCARD", "EACH", "SLOT"), 100),
    **dict.fromkeys(("PLACE", "TRIGGER", "REMOVE"), 20),
    **dict.fromkeys(("prevented", "blocks", "hits", "hits_stopped", "seared", "voided", "to_limit"), 20),
    **dict.fromkeys(("drained by damage", "drained by loss", "two powers lost", "power lost to health"), 20),
    **dict.fromkeys(("ORDER", "drained by carried pierce", "no_room", "power lost to the deck", "the end"), 3),
}


def two_decks(rng: Random) -> tuple[int, int]:
    """Of the reference set."""
    return rng.randrange(DECKS), rng.randrange(DECKS)


def reference_alike(games: int) -> Counter[str]:
    """Games of the reference set in both; what came up."""
    document = reference_document()
    cards = made(document)
    seen: Counter[str] = Counter()
    for number in range(games):
        pair = play_both(document, two_decks(Random(number)), number, cards)
        assert pair.model.over
        seen += pair.seen
    return seen


def variants_alike(games: int) -> None:
    """Games of the reference set under random rule variants in both."""
    for number in range(games):
        rng = Random(number)
        document = reference_document(**random_switches(rng), turn_cap=80)
        play_both(document, two_decks(rng), number)


def random_cards_alike(games: int) -> Counter[str]:
    """Games of random cards in both; what came up."""
    seen: Counter[str] = Counter()
    for number in range(games):
        document = random_document(Random(number))
        pair = play_both(document, (0, 1), number)
        seen += pair.seen
        seen["won" if pair.model.winner >= 0 else "drawn" if pair.model.over else "truncated"] += 1
        seen.update(f"{name}={document['rules'].get(name)}" for name in SWITCHES)
    return seen


def many_answers_alike(games: int) -> Counter[str]:
    """Games with cards for rare events in every deck, two of three decks of Shout cards only; what came up."""
    seen: Counter[str] = Counter()
    for number in range(games):
        rng = Random(number)
        document = event_document(number)
        if number % 3:
            document = shouts_often(document, rng)
        document["rules"] |= random_switches(rng) | {"turn_cap": 40}
        pair = play_both(document, (0, 1), number)
        seen += pair.seen
        seen += came_up(pair.model)
    return seen


def came_up(table: Model) -> Counter[str]:
    """What a game was about."""
    facts, seen = table.facts, Counter[str]()
    for name in ("prevented", "blocks", "hits", "hits_stopped", "no_room", "seared", "voided", "to_limit"):
        seen[name] += bool(sum(getattr(facts, name)))
    for at, name in enumerate(("drained by damage", "drained by loss", "drained by carried pierce")):
        seen[name] += any(row[at] for row in facts.drained)
    for at, name in enumerate(("power lost to health", "power lost to the deck")):
        seen[name] += any(row[at] for row in facts.powers_lost)
    seen["two powers lost"] += any(sum(row) > 1 for row in facts.powers_lost)
    seen["the end"] += table.over
    return +seen


def test_kernels_and_model_play_alike():
    reference_alike(3)
    variants_alike(2)
    random_cards_alike(3)
    many_answers_alike(2)


@pytest.mark.soak
def test_kernels_and_model_play_games_of_every_phase_alike():
    assert not {phase.name for phase in Phase if phase < Phase.ORDER} - reference_alike(100).keys()


@pytest.mark.soak
def test_kernels_and_model_play_variants_alike():
    variants_alike(60)


@pytest.mark.soak
def test_kernels_and_model_play_random_cards_of_every_switch_alike():
    seen = random_cards_alike(100)
    wanted = [phase.name for phase in Phase if phase < Phase.OVER]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    assert not [name for name in (*wanted, "won", "truncated") if not seen[name]], "these did not come up"


@pytest.mark.soak
def test_kernels_and_model_play_games_of_every_rare_situation_alike():
    seen = many_answers_alike(60)
    rare = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not rare, f"situations that came up too rarely: {rare}"
