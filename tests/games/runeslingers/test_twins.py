"""Plain and bare twins of the cards of a deck, which show what a card or keyword is worth."""

import copy

import numpy as np
import pytest

from sim.engine.cards import CardError, changed
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import card_of, deck_of, only_the_deck_changed

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
HELD = DECKING.of(REFERENCE)


@pytest.fixture(autouse=True)
def _the_document_stays_as_it_is():
    before = copy.deepcopy(DOCUMENT)
    yield
    assert before == DOCUMENT


PLAIN = {  # card of eva_starter: type, cost and text of its plain twin; 52 damage for 20 light is 2.6 each
    "fireball": ("spirit", 3, {"op": "damage", "n": 8, "to": "any"}),
    "small_bolt": ("spirit", 1, {"op": "damage", "n": 3, "to": "any"}),
    "flaming_fists": ("attack", 3, {"op": "damage", "n": 8, "to": "runeslinger"}),
    "insight": ("spirit", 2, {"op": "damage", "n": 5, "to": "any"}),
    "supernova": ("spirit", 4, {"op": "damage", "n": 10, "to": "any"}),
    "great_bolt_x": ("spirit", 5, {"op": "damage", "n": 13, "to": "any"}),
    "binding": ("boon", 1, None),
    "light_lens": ("trinket", 1, None),
    "gathering_chant": ("chant", 2, None),
}


@pytest.mark.parametrize("word", PLAIN)
def test_a_plain_card_has_the_cost_and_the_place_of_the_card(word):
    kind, cost, effect = PLAIN[word]
    made = DECKING.plain(DOCUMENT, "eva_starter", word)
    twin, card = made["card"][-1], card_of(DOCUMENT, word)
    assert (twin["type"], twin["cost"], twin["rarity"]) == (kind, cost, card["rarity"])
    assert twin.get("effects") == ([effect] if effect else None)
    assert twin.get("defence") == card.get("defence")
    assert not {"keywords", "statics", "triggers", "activated", "bullets"} & {*twin}
    assert bool(twin.get("x")) == (word == "great_bolt_x")
    before, after = deck_of(DOCUMENT, "eva_starter")["cards"], deck_of(made, "eva_starter")["cards"]
    assert [*after] == [twin["id"] if one == word else one for one in before]
    assert [*after.values()] == [*before.values()]
    assert only_the_deck_changed(DOCUMENT, made, "eva_starter")
    CARD_FORMAT.from_document(made)


def test_a_plain_card_without_cost_still_does_something():
    made = DECKING.plain(DOCUMENT, "erosion", "light_surge")
    assert made["card"][-1]["effects"] == [{"op": "damage", "n": 1, "to": "any"}]


def test_plain_cards_follow_the_damage_of_the_file():
    richer = changed(DOCUMENT, "card.fireball.effects[0].n", 28)  # 72 damage for 20 light
    assert DECKING.plain(richer, "erosion", "deep_sear")["card"][-1]["effects"][0]["n"] == 7
    document = copy.deepcopy(dict(DOCUMENT))
    for card in document["card"]:
        if card["type"] == "spirit":
            card |= {"effects": [{"op": "draw", "n": 1}], "keywords": []}
    # attack runespells: 3 + 3 + 4 + 3 + 3 + 3 + 2 + 6 for 2 + 3 + 3 + 2 + 2 + 2 + 1 + 3 light, Festering Strike left out
    assert DECKING.plain(document, "erosion", "deep_void")["card"][-1]["effects"][0]["n"] == int(27 / 18 * 3 + 0.5)
    for card in document["card"]:
        if card["type"] == "attack":
            card |= {"effects": [{"op": "draw", "n": 1}], "keywords": []}
    with pytest.raises(CardError, match=r"card: there is no runespell with damage; a plain card is made after those"):
        DECKING.plain(document, "erosion", "deep_void")


def test_two_plain_cards_of_a_kind_do_not_meet():
    once = DECKING.plain(DOCUMENT, "eva_starter", "insight")
    twice = DECKING.plain(once, "eva_starter", "shatter")
    assert [card["id"] for card in twice["card"][-2:]] == ["plain_spirit_2", "plain_spirit_2_2"]
    assert [card["name"] for card in twice["card"][-2:]] == ["Plain Spirit 2", "Plain Spirit 2 2"]
    assert len(deck_of(twice, "eva_starter")["cards"]) == len(deck_of(DOCUMENT, "eva_starter")["cards"])
    CARD_FORMAT.from_document(twice)


def test_two_plain_x_cards_are_x_cards_by_name_both():
    document = copy.deepcopy(dict(DOCUMENT))
    document["card"].append({**card_of(document, "great_bolt_x"), "id": "other_bolt_x"})
    deck = deck_of(document, "eva_starter")
    deck["cards"] = {**deck["cards"], "other_bolt_x": 1}
    del deck["cards"]["binding"]
    twice = DECKING.plain(DECKING.plain(document, "eva_starter", "great_bolt_x"), "eva_starter", "other_bolt_x")
    assert [card["name"] for card in twice["card"][-2:]] == ["Plain Spirit 5 X", "Plain Spirit 5 2 X"]
    CARD_FORMAT.from_document(twice)


BARE = {  # keyword: a bearer, what the twin lacks or has instead
    "pierce": ("plutonic_spike", {"keywords": []}),
    "shout": ("quick_ward", {"keywords": []}),
    "distract": ("reckless_bolt", {"keywords": []}),
    "token": ("gathering_chant", {"keywords": ["charge"], "tokens": None}),
    "charge": ("gathering_chant", {"keywords": ["token"]}),
    "use": ("light_lens", {"keywords": [], "activated": []}),
    "choice": ("open_choice", {"keywords": [], "bullets": None, "effects": [{"op": "heal", "n": 4, "to": "runeslinger"}]}),
    "fate": (
        "supernova",
        {"keywords": [], "bullets": None, "effects": [{"op": "apply", "ailment": "burn", "n": 3, "to": "runeslinger"}]},
    ),
}


@pytest.mark.parametrize("keyword", BARE)
def test_bare_cards_lack_the_keyword_and_what_belongs_to_it_and_nothing_else(keyword):
    word, fields = BARE[keyword]
    made = DECKING.bare(DOCUMENT, "eva_starter", keyword)
    card, twin = card_of(DOCUMENT, word), card_of(made, f"{word}_without_{keyword}")
    assert twin["name"].startswith(HELD.names[HELD.ids.index(word)].removesuffix(" X") + f" without {keyword}")
    for field in {*card, *twin} - {"id", "name"}:
        assert twin.get(field) == (fields[field] if field in fields else card.get(field)), field
    assert only_the_deck_changed(DOCUMENT, made, "eva_starter")


@pytest.mark.parametrize("deck", REFERENCE.ids)
def test_every_keyword_of_a_deck_can_be_taken_out_of_it(deck):
    at = REFERENCE.ids.index(deck)
    borne = {mark for card in np.flatnonzero(HELD.counts[at]) for mark in HELD.marks[card]}
    assert borne
    for keyword in sorted(borne):
        made = DECKING.bare(DOCUMENT, deck, keyword)
        held = DECKING.of(CARD_FORMAT.from_document(made))
        assert not any(keyword in held.marks[card] for card in np.flatnonzero(held.counts[at]))
        before, after = deck_of(DOCUMENT, deck)["cards"], deck_of(made, deck)["cards"]
        assert [word.removesuffix(f"_without_{keyword}") for word in after] == [*before]
        assert [*after.values()] == [*before.values()]


def test_a_bare_x_card_remains_one():
    made = DECKING.bare(DOCUMENT, "eva_starter", "pierce")
    assert card_of(made, "great_bolt_x_without_pierce")["name"] == "Great Bolt without pierce X"
    CARD_FORMAT.from_document(made)


def test_sources_of_bullets_follow_them_into_the_effects():
    document = copy.deepcopy(dict(DOCUMENT))
    card_of(document, "supernova")["source"] = {"cost": "assumed", "bullets": "assumed"}
    made = CARD_FORMAT.from_document(DECKING.bare(document, "eva_starter", "fate"))
    (found,) = (one for one in made.provenance if one.path == "card.supernova_without_fate.effects[0].n")
    assert found.source == "assumed"


def test_decks_cards_and_keywords_that_are_not_there_are_refused():
    for make, deck, word, message in (
        (DECKING.plain, "erosin", "fireball", r'"erosin": there is no such deck; did you mean "erosion"\?'),
        (DECKING.plain, "erosion", "firebal", r'deck.erosion: holds no "firebal"; did you mean "fireball"\?'),
        (DECKING.plain, "erosion", "insight", r'deck.erosion: holds no "insight"; '),
        (DECKING.bare, "erosion", "flying", r'"flying": is no keyword; '),
        (DECKING.bare, "erosion", "fate", r"deck.erosion: holds no card with fate"),
        (DECKING.bare, "decay", "shout", r'"decay": there is no such deck; '),
    ):
        with pytest.raises(CardError, match=message):
            make(DOCUMENT, deck, word)
    assert DECKING.loadouts is not None
    with pytest.raises(CardError, match=r'"decay": there is no such deck; '):
        DECKING.loadouts(DOCUMENT, "decay")
