"""Boosters, sealed and drafted decks of Runeslingers (RUNE-141 to 143), their frequencies compared with exact ones."""

import copy
from collections import Counter
from math import comb, sqrt
from random import Random
from typing import Any

import pytest

from sim.engine.cards import CardError
from sim.engine.decks import Made
from sim.games.runeslingers.decks import DECKING, LEFT, RIGHT, Shelf, draft, drafted, pass_on, sealed, shelf_of
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import close

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
SHELF = shelf_of(DOCUMENT, "sealed")
RARITY = {card["id"]: card["rarity"] for card in DOCUMENT["card"]}
SEED = 5
BOOSTERS = 1_500
ERRORS = 4  # standard errors


def shelf(ratings: list[float], limits: list[int] | None = None, size: int = 3) -> Shelf:
    """A shelf of cards 0, 1, ... of these ratings, without boosters."""
    ids = tuple(f"card_{number}" for number in range(len(ratings)))
    return Shelf(ids, tuple(ratings), {}, tuple(limits or [2] * len(ratings)), size, "sealed")


def test_rune_143_a_booster_has_6_commons_2_uncommons_and_1_rare_all_different():
    chance = Random(SEED)
    for _ in range(200):
        cards = SHELF.booster(chance)
        assert len({*cards}) == len(cards) == 9
        assert Counter(RARITY[SHELF.ids[card]] for card in cards) == {"common": 6, "uncommon": 2, "rare": 1}


CHANCES = {"fireball": 6 / 21, "binding": 6 / 21, "twin_bolt": 2 / 15, "supernova": 1 / 6, "echo_chant": 1 / 6}


@pytest.mark.parametrize("word", CHANCES)
def test_rune_143_every_card_of_a_rarity_is_equally_likely(word):
    chance, card = Random(SEED), SHELF.ids.index(word)
    found = sum(card in SHELF.booster(chance) for _ in range(BOOSTERS))
    assert close(found, BOOSTERS, CHANCES[word])


def test_rune_143_two_commons_come_together_as_often_as_two_of_six_out_of_21():
    chance, pair = Random(SEED), {SHELF.ids.index("fireball"), SHELF.ids.index("binding")}
    found = sum(pair <= {*SHELF.booster(chance)} for _ in range(BOOSTERS))
    assert close(found, BOOSTERS, comb(19, 4) / comb(21, 6))


def test_rune_142_a_rare_comes_k_times_in_a_sealed_pool_with_its_binomial_chance():
    chance, card, pools = Random(SEED), SHELF.ids.index("stone_trap"), 2_000
    copies = Counter(sum(card in SHELF.booster(chance) for _ in range(6)) for _ in range(pools))
    for k in range(4):
        assert close(copies[k], pools, comb(6, k) * 5 ** (6 - k) / 6**6)


def test_rune_142_sealed_decks_are_legal_and_come_out_of_54_cards():
    made = sealed(DOCUMENT, 60, Random(SEED))
    assert [*made.decks][:2] == ["sealed_001", "sealed_002"]
    assert made.facts == ()  # pools of the reference set give a legal deck all but always
    whole = CARD_FORMAT.from_document(DECKING.only(DOCUMENT, made.decks))
    assert whole.ids == tuple(made.decks)
    for deck in made.decks.values():
        assert sum(deck.cards.values()) == 30
        rarities = Counter(dict.fromkeys(("common", "uncommon", "rare"), 0))
        for word, copies in deck.cards.items():
            rarities[RARITY[word]] += copies
        assert rarities["common"] <= 36
        assert rarities["uncommon"] <= 12
        assert rarities["rare"] <= 6


def test_rune_143_a_deck_is_the_best_of_its_pool_that_is_legal():
    cards = shelf([5.0, 9.0, 7.0, 9.0])
    deck = cards.deck([0, 1, 1, 1, 2, 3])
    assert deck is not None
    assert deck.cards == {"card_1": 2, "card_3": 1}  # no third copy; the best ones, in the order of the file
    assert cards.deck([1, 1, 1, 1]) is None
    limited = shelf([5.0, 9.0, 7.0, 9.0], [2, 1, 2, 2]).deck([0, 1, 1, 1, 2, 3])
    assert limited is not None
    assert limited.cards == {"card_1": 1, "card_2": 1, "card_3": 1}


def test_rune_143_ties_go_to_the_lower_card():
    deck = shelf([4.0] * 5).deck([4, 3, 2, 1, 0])
    assert deck is not None
    assert [*deck.cards] == ["card_0", "card_1", "card_2"]
    assert shelf([4.0] * 5).best([4, 2, 3], {}) == 2


def test_rune_143_a_third_copy_counts_6_tenths():
    cards = shelf([10.0, 6.5, 5.9, -1.0])
    assert cards.best([0, 1], {0: 1}) == 0
    assert cards.best([0, 1], {0: 2}) == 1  # 6 against 6.5
    assert cards.best([0, 2], {0: 2}) == 0  # 6 against 5.9
    assert cards.worth(0, 5) == 6.0
    assert cards.worth(3, 1) == -1.0
    assert cards.worth(3, 2) == -1.4  # worse, too, where a card harms
    deck = shelf([10.0, 6.5, 5.9, -1.0], [4] * 4, 4).deck([0, 0, 0, 0, 1, 2])
    assert deck is not None
    assert deck.cards == {"card_0": 3, "card_1": 1}


def test_g32_a_drafter_has_36_cards_of_4_boosters_removes_6_and_keeps_30():
    cards = shelf_of(DOCUMENT, "draft")
    for drafters in (4, 6, 9):
        pools = drafted(cards, drafters, Random(SEED))
        assert [len(pool) for pool in pools] == [36] * drafters
        rarities = Counter(RARITY[cards.ids[card]] for pool in pools for card in pool)
        assert rarities == {"common": 24 * drafters, "uncommon": 8 * drafters, "rare": 4 * drafters}
        for pool in pools:
            deck = cards.deck(pool)
            assert deck is not None
            assert sum(deck.cards.values()) == 30


def test_g32_the_6_cards_removed_are_those_of_the_lowest_rating():
    cards = shelf_of(DOCUMENT, "draft")
    for pool in drafted(cards, 6, Random(SEED)):
        deck = cards.deck(pool)
        assert deck is not None
        kept = Counter({cards.ids.index(word): copies for word, copies in deck.cards.items()})
        removed = Counter(pool) - kept
        assert removed.total() == 6
        lowest = min(cards.worth(card, copies - 1) for card, copies in kept.items())
        assert all(cards.worth(card, kept[card]) <= lowest for card in removed)


def test_rune_141_everyone_takes_two_cards_and_passes_the_rest_on():
    cards = shelf([float(10 - number) for number in range(8)])
    for side, wanted in ((LEFT, [[0, 1], [4, 5], [2, 3], [6, 7]]), (RIGHT, [[0, 1], [4, 5], [2, 3], [6, 7]])):
        pools: list[list[int]] = [[], []]
        pass_on(cards, [[3, 2, 1, 0], [4, 5, 6, 7]], pools, side)
        assert pools == [wanted[0] + wanted[3], wanted[1] + wanted[2]]


def test_rune_141_the_first_packs_go_left_and_the_others_right():
    cards = shelf([float(20 - number) for number in range(12)])
    packs = [[4 * drafter + card for card in range(4)] for drafter in range(3)]
    for side, second in ((LEFT, [2, 0, 1]), (RIGHT, [1, 2, 0])):
        pools: list[list[int]] = [[], [], []]
        pass_on(cards, [[*pack] for pack in packs], pools, side)
        for drafter, pool in enumerate(pools):
            first = packs[drafter][:2]
            assert pool == first + packs[second[drafter]][2:]


def test_rune_141_odd_packs_end_with_a_single_card():
    pools: list[list[int]] = [[], []]
    pass_on(shelf([3.0, 2.0, 1.0]), [[0, 1, 2], [0, 1, 2]], pools, LEFT)
    assert pools == [[0, 1, 2], [0, 1, 2]]


def test_rune_141_drafted_decks_are_legal_and_come_by_tables():
    made = draft(DOCUMENT, 15, Random(SEED))
    assert [*made.decks][-1] == "draft_015"
    assert CARD_FORMAT.from_document(DECKING.only(DOCUMENT, made.decks)).ids == tuple(made.decks)
    assert {deck.words["mode"] for deck in made.decks.values()} == {"draft"}
    table = draft(DOCUMENT, 6, Random(SEED))
    assert [*table.decks.values()] == [*made.decks.values()][:6]  # of the last table only those needed


def test_rune_141_fewer_than_4_drafters_are_refused():
    with pytest.raises(ValueError, match=r"drafters=3 must be at least 4"):
        draft(DOCUMENT, 3, Random(SEED), drafters=3)


def few(rare: int) -> dict[str, Any]:
    """A document of 6 commons, 2 uncommons and this number of rares, with decks of 20 cards."""
    document = copy.deepcopy(dict(DOCUMENT))
    (one,) = (card for card in document["card"] if card["id"] == "small_bolt")
    counts = {"common": 6, "uncommon": 2, "rare": rare}
    document["card"] = [
        {**one, "id": f"{rarity}_{number}", "rarity": rarity} for rarity, n in counts.items() for number in range(n)
    ]
    document["rules"] = {**document["rules"], "deck_size": 20}
    ids = [card["id"] for card in document["card"]]
    cards = dict.fromkeys(ids[:10], 2) if len(ids) > 9 else dict.fromkeys(ids[:5], 4)
    document["deck"] = [{**deck, "cards": cards} for deck in document["deck"]]
    return document


def reopened(made: Made) -> int:
    """How many pools were opened again."""
    return int(made.facts[0].split()[0]) if made.facts else 0


def test_rune_143_pools_that_give_no_legal_deck_are_opened_again_and_counted():
    # a pool needs 2 copies of both rares out of 6: it lacks them with (1 + 6 + 6 + 1) / 64 = 7/32
    decks, failing = 400, 7 / 32
    found = reopened(sealed(few(2), decks, Random(SEED)))
    mean, spread = decks * failing / (1 - failing), sqrt(decks * failing) / (1 - failing)
    assert abs(found - mean) < ERRORS * spread


@pytest.mark.parametrize(("rarity", "needed"), [("common", 6), ("uncommon", 2), ("rare", 1)])
@pytest.mark.parametrize("make", [sealed, draft])
def test_rune_143_a_file_with_too_few_cards_for_a_booster_is_refused(make, rarity, needed):
    document = few(1)
    document["rules"]["max_copies"] = 4
    one = next(card for card in document["card"] if card["rarity"] == rarity)
    one["rarity"] = "common" if rarity == "rare" else "rare"
    with pytest.raises(CardError, match=rf"card: {needed - 1} are {rarity}; a booster needs {needed} different ones"):
        make(document, 1, Random(SEED))


def test_rune_143_where_no_pool_is_legal_it_says_so():
    document = few(8)  # commons give 12 legal copies, uncommons 4, the 6 rares of a pool at most 6: 22
    document["rules"]["deck_size"] = 24
    for deck in document["deck"]:
        deck["cards"] = dict.fromkeys([card["id"] for card in document["card"]][:12], 2)
    with pytest.raises(CardError, match=r"no sealed pool of 1,000 gives a legal deck of 24 cards; more cards"):
        sealed(document, 1, Random(SEED))


def test_a26_draft_copies_are_free_or_those_of_constructed_decks():
    document = few(2)
    free = draft(document, 40, Random(SEED))
    assert reopened(free) == 0
    assert max(max(deck.cards.values()) for deck in free.decks.values()) > 2
    CARD_FORMAT.from_document(DECKING.only(document, free.decks))
    document["rules"]["draft_copies"] = "constructed"
    bound = draft(document, 40, Random(SEED))
    assert reopened(bound) > 0
    assert {*bound.decks} == {*free.decks}
    assert {copies for deck in bound.decks.values() for copies in deck.cards.values()} == {2}
    CARD_FORMAT.from_document(DECKING.only(document, bound.decks))


@pytest.mark.parametrize("make", [sealed, draft])
def test_decks_follow_the_generator_and_nothing_else(make):
    assert make(DOCUMENT, 7, Random(SEED)) == make(DOCUMENT, 7, Random(SEED))
    assert make(DOCUMENT, 7, Random(SEED + 1)) != make(DOCUMENT, 7, Random(SEED))
    assert [*make(DOCUMENT, 3, Random(SEED)).decks.values()] == [*make(DOCUMENT, 7, Random(SEED)).decks.values()][:3]


@pytest.mark.parametrize("make", [sealed, draft])
def test_rune_141_loadouts_are_brought_along_all_equally_likely(make):
    made, decks = make(DOCUMENT, 240, Random(SEED)), 240
    brought = Counter(tuple(deck.words[part] for part in ("runeslinger", "stance", "ability")) for deck in made.decks.values())
    assert len(brought) == 8
    assert all(close(count, decks, 1 / 8) for count in brought.values())
