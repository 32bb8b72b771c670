"""The kernels against the plain model: whole games of the reference set, of variants, of random cards and of many answers."""

from collections import Counter
from random import Random

import pytest

from sim.games.runeslingers.state import Phase
from tests.every_game.play import enough, shortened
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.kernel_bridge import made, play_both
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.random_documents import SWITCHES, random_document, random_switches

pytestmark = pytest.mark.slow

ODD = enough(shortened(100, 10), 8)
REFERENCE = enough(shortened(100, 10), 8)
VARIANTS = enough(shortened(60, 6), 4)
DECKS = 4
MANY = 100  # games in which everything comes up


def two_decks(rng: Random) -> tuple[int, int]:
    """Of the reference set."""
    return rng.randrange(DECKS), rng.randrange(DECKS)


def test_kernels_and_model_play_the_reference_set_alike():
    document = reference_document()
    cards = made(document)
    seen: Counter[str] = Counter()
    for number in range(REFERENCE):
        pair = play_both(document, two_decks(Random(number)), number, cards)
        assert pair.model.over
        seen += pair.seen
    if REFERENCE >= MANY:
        assert not {phase.name for phase in Phase if phase < Phase.ORDER} - seen.keys()


def test_kernels_and_model_play_variants_alike():
    for number in range(VARIANTS):
        rng = Random(number)
        document = reference_document(**random_switches(rng), turn_cap=80)
        play_both(document, two_decks(rng), number)


def test_kernels_and_model_play_random_cards_alike():
    seen: Counter[str] = Counter()
    for number in range(ODD):
        document = random_document(Random(number))
        pair = play_both(document, (0, 1), number)
        seen += pair.seen
        seen["won" if pair.model.winner >= 0 else "drawn" if pair.model.over else "truncated"] += 1
        seen.update(f"{name}={document['rules'].get(name)}" for name in SWITCHES)
    wanted = [phase.name for phase in Phase if phase < Phase.OVER]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    if ODD >= MANY:
        assert not [name for name in (*wanted, "won", "truncated") if not seen[name]], "these did not come up"


ANSWERED = enough(shortened(60, 6), 3)

# what must have come up in 60 games with many answers, and how often at least
SITUATIONS = {
    **dict.fromkeys(("ANSWER", "TARGET", "BLOCK", "BULLET", "AILMENT", "DISCARD", "EACH", "SLOT"), 100),
    **dict.fromkeys(("PLACE", "TRIGGER", "REMOVE"), 20),
    **dict.fromkeys(("prevented", "blocks", "hits", "hits_stopped", "seared", "voided", "to_limit"), 20),
    **dict.fromkeys(("drained by damage", "drained by loss", "two powers lost", "power lost to health"), 20),
    **dict.fromkeys(("ORDER", "drained by carried pierce", "no_room", "power lost to the deck", "the end"), 3),
}


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


def test_kernels_and_model_play_games_of_many_answers_alike():
    """Cards for rare events in every deck, two of three decks of Shout cards only."""
    seen: Counter[str] = Counter()
    for number in range(ANSWERED):
        rng = Random(number)
        document = event_document(number)
        if number % 3:
            document = shouts_often(document, rng)
        document["rules"] |= random_switches(rng) | {"turn_cap": 40}
        pair = play_both(document, (0, 1), number)
        seen += pair.seen
        seen += came_up(pair.model)
    if ANSWERED == 60:
        rare = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
        assert not rare, f"situations that came up too rarely: {rare}"
