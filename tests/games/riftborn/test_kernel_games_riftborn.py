"""Whole games in lockstep: the kernels and the plain model, compared at every decision and in what the end tells."""

from collections import Counter
from random import Random

from sim.games.riftborn import GAME
from sim.games.riftborn.state import Aim, Phase
from tests.every_game.play import enough, shortened
from tests.games.riftborn.kernel_bridge import WORDS, Kernels
from tests.games.riftborn.lockstep import Pair
from tests.games.riftborn.model_cards import read_cards
from tests.games.riftborn.model_table import new_game
from tests.games.riftborn.random_documents import SWITCHES, random_game_document

GAMES = enough(shortened(100), 10)


def new_pair(seed: int) -> Pair:
    """A game of random cards and rules, dealt in both. seed: fixes all but the decisions."""
    rng = Random(seed)
    document = random_game_document(rng)
    cards = GAME.from_document(document)
    decks = rng.randrange(len(cards.ids)), rng.randrange(len(cards.ids))
    kernels = Kernels(cards)
    chance = kernels.deal(decks, seed)
    names = cards.ids[decks[0]], cards.ids[decks[1]]
    return Pair(kernels, new_game(read_cards(document), names, chance), f"game {seed}, {' against '.join(names)}")


def games_alike(first: int, games: int) -> Counter[str]:
    """Play random games in both; what came up."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + games):
        pair = new_pair(seed)
        pair.play(Random(seed))
        pair.compare_outcomes()
        seen += pair.seen
        table = pair.model.table
        seen["capped" if not table.over else "drawn" if table.winner is None else "won"] += 1
        seen.update(f"{name}={getattr(table.rules, name)}" for name in SWITCHES)
    return seen


def test_kernels_and_model_play_random_games_alike():
    seen = games_alike(1, GAMES)
    asked = [*(phase.name for phase in Phase if phase < Phase.OVER), *(f"TARGET {aim.name}" for aim in Aim if aim)]
    idle = {"AURA", "DORMANT", "HERO", "PACIFIST", "ROOTED", "SWARM"}  # only forbid, or always act
    wanted = [*asked, *(f"{word} acts" for word in WORDS if word not in idle), "capped", "won"]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    if GAMES == 100:
        assert not [name for name in wanted if not seen[name]], "these did not come up"
