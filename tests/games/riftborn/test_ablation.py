"""What can be forbidden, and what decisions use; what no player has seen."""

import numpy as np

from sim.engine.contract import NOTHING, ablation_of, resample_unseen
from sim.games.riftborn import GAME
from sim.games.riftborn.ablation import ablatable
from tests.every_game.play import fresh_dice
from tests.games.deck_documents import card_of
from tests.games.riftborn.positions import a, table

CARDS = GAME.load(None)
NAMES = ablatable(CARDS)


def thing(state: np.void, action: int) -> int:
    """Number of what a decision uses."""
    return int(ablation_of(state, CARDS.record[0], action))


def test_tokens_are_not_played_and_every_other_card_is():
    played = [card["id"] for card in CARDS.document["card"] if card["type"] != "token"]
    assert [name for name in NAMES if name.startswith("card.")] == [f"card.{word}" for word in played]
    assert NAMES[CARDS.record["thing"][0, CARDS.document["card"].index(card_of(CARDS.document, "spark"))]] == "card.spark"


def test_a_creature_taken_in_hand_uses_what_it_can_only_do():
    game = table(a("beast_cub, soldier_medic [acted]", hand="spark", weapons="longbow"), "soldier_guard")
    found = {word: thing(game.state, code) for code, word in zip(game.codes, game.options, strict=True)}
    named = {word: NAMES[number] if number != NOTHING else None for word, number in found.items()}
    assert named == {
        "end": None,
        "play spark": "card.spark",
        "use A0.0": None,
        "use A0.1": "rule.move",
        "wield longbow": "rule.weapon",
    }


def test_stir_shuffles_what_neither_player_knows_and_nothing_else():
    library = "spark, recall, beast_cub, beast_hawk, war_cry, multiply, insight, wither"
    before = table(a("beast_cub", library=library, known_own=1, known_other=3), a("", library=library, known_own=2)).state
    firsts = set()
    for number in range(20):
        after = before.copy()
        resample_unseen(after, CARDS.record[0], fresh_dice(number))
        for seat, known in ((0, 3), (1, 2)):
            size = int(before["library_n"][seat])
            old, new = before["library"][seat, :size], after["library"][seat, :size]
            assert new[size - known :].tolist() == old[size - known :].tolist()
            assert sorted(new.tolist()) == sorted(old.tolist())
            firsts.add(int(new[0]))
        assert all(after[name].tolist() == before[name].tolist() for name in before.dtype.names if name != "library")
    assert len(firsts) > 2
