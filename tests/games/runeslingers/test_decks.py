"""Decks of Runeslingers: what they hold and bring, random decks, added ones, other loadouts, twins of their cards."""

import copy
from collections import Counter
from random import Random

import pytest

from sim.engine.cards import CardError, changed
from sim.engine.decks import DeckList
from sim.games.runeslingers.decks import DECKING
from sim.games.runeslingers.record import CARD_FORMAT
from tests.games.deck_documents import card_of, close, deck_of, only_the_deck_changed

REFERENCE = CARD_FORMAT.load()
DOCUMENT = REFERENCE.document
HELD = DECKING.of(REFERENCE)
LOT = 400
SEED = 7
PARTS = ("runeslinger", "stance", "ability")


@pytest.fixture(autouse=True)
def _the_document_stays_as_it_is():
    before = copy.deepcopy(DOCUMENT)
    yield
    assert before == DOCUMENT


def test_decks_hold_the_cards_of_the_file():
    assert HELD.ids == tuple(card["id"] for card in DOCUMENT["card"])
    assert HELD.names[:2] == ("Fireball", "Plutonic Spike")
    assert HELD.level.tolist() == [card["cost"] for card in DOCUMENT["card"]]
    assert HELD.kinds[HELD.ids.index("stone_trap")] == "chant"
    assert HELD.marks[HELD.ids.index("gathering_chant")] == ("token", "charge")
    assert HELD.words[3] == {"runeslinger": "eva", "stance": "talakas_heart", "ability": "kindle"}
    for at, deck in enumerate(DOCUMENT["deck"]):
        for slot, (word, copies) in enumerate(deck["cards"].items()):
            card = HELD.ids.index(word)
            assert HELD.slots[at, slot] == card
            assert HELD.counts[at, card] == copies
        assert (HELD.slots[at, len(deck["cards"]) :] == -1).all()
        assert HELD.counts[at].sum() == 30


def test_added_decks_come_behind_the_others_and_only_them_instead():
    mine = {
        "mine": DeckList(deck_of(DOCUMENT, "erosion")["cards"], {"stance": "striking_stance"}),
        "yours": DeckList(deck_of(DOCUMENT, "erosion")["cards"]),
    }
    both = CARD_FORMAT.from_document(DECKING.added(DOCUMENT, mine))
    assert both.ids == (*REFERENCE.ids, "mine", "yours")
    alone = CARD_FORMAT.from_document(DECKING.only(DOCUMENT, mine))
    assert alone.ids == ("mine", "yours")
    assert alone.record[0]["deck"][0].tolist() == REFERENCE.record[0]["deck"][3].tolist()


COMPLETED = [  # what is named, what is brought
    ({}, ("eva", "talakas_heart", "flame_of_nim")),
    ({"runeslinger": "romin"}, ("romin", "braced_stance", "second_wind")),
    ({"stance": "patient_stance"}, ("romin", "patient_stance", "second_wind")),
    ({"ability": "kindle", "stance": "striking_stance"}, ("eva", "striking_stance", "kindle")),
]


@pytest.mark.parametrize(("words", "wanted"), COMPLETED)
def test_a_deck_that_leaves_parts_of_its_loadout_out_brings_the_first_that_fit(words, wanted):
    cards = deck_of(DOCUMENT, "erosion")["cards"]
    made = DECKING.added(DOCUMENT, {"mine": DeckList(cards, words)})
    assert tuple(made["deck"][-1][part] for part in PARTS) == wanted
    assert CARD_FORMAT.from_document(made).ids[-1] == "mine"


BROKEN = [  # id, other copies, words, message
    ("erosion", {}, {}, r'deck\[4\]\.id = "erosion": is used more than once'),
    ("mine", {"firebal": 1}, {}, r"deck\.mine\.cards\.firebal = 1: is no card of this file; did you mean \"fireball\""),
    ("mine", {"cleanse": 2}, {}, r"deck\.mine\.cards = .+: hold 31 cards; must be 30 together"),
    (
        "mine",
        {},
        {"runeslinger": "romin", "stance": "talakas_heart", "ability": "deep_breath"},
        r'deck\.mine\.stance = "talakas_heart": is of the class Runeseer; Romin needs the class Guardian',
    ),
    ("mine", {}, {"runeslinger": "romin", "stance": "talakas_heart"}, r"deck\.mine\.ability: is missing"),
    ("mine", {}, {"mode": "cube"}, r'deck\.mine\.mode = "cube": is not one of the choices'),
]


@pytest.mark.parametrize(("word", "copies", "words", "message"), BROKEN)
def test_an_added_deck_that_is_broken_is_refused_with_its_name(word, copies, words, message):
    deck = DeckList({**deck_of(DOCUMENT, "erosion")["cards"], **copies}, words)
    with pytest.raises(CardError, match=message):
        CARD_FORMAT.from_document(DECKING.added(DOCUMENT, {word: deck}))


def by_lot(count: int, seed: int = SEED) -> dict[str, DeckList]:
    return dict(DECKING.generator("random").make(DOCUMENT, count, Random(seed)).decks)


def test_rune_143_decks_by_lot_are_legal_and_follow_the_generator():
    decks = by_lot(LOT)
    assert [*decks] == [f"random_{number:03}" for number in range(1, LOT + 1)]
    assert CARD_FORMAT.from_document(DECKING.only(DOCUMENT, decks)).ids == (*decks,)  # every one passes the validator
    assert by_lot(5) == by_lot(5) != by_lot(5, SEED + 1)
    assert [*by_lot(3).values()] == [*decks.values()][:3]


def test_rune_143_every_permitted_copy_is_equally_likely():
    decks, copies = by_lot(LOT), 41 * 2 + 1  # permitted in a deck of 30
    both = 30 * 29 / (copies * (copies - 1))
    for word in ("fireball", "binding", "echo_chant"):
        assert close(sum(deck.cards.get(word, 0) == 2 for deck in decks.values()), LOT, both)
        assert close(sum(word in deck.cards for deck in decks.values()), LOT, 2 * 30 / copies - both)
    assert close(sum("great_bolt_x" in deck.cards for deck in decks.values()), LOT, 30 / copies)
    loadouts = Counter(tuple(deck.words[part] for part in PARTS) for deck in decks.values())
    assert len(loadouts) == 8
    assert all(close(count, LOT, 1 / 8) for count in loadouts.values())


def test_rune_02_a_deck_may_bring_every_legal_loadout_instead():
    loadouts = DECKING.loadouts(DOCUMENT, "eva_starter") if DECKING.loadouts else {}
    assert [loadout.title for loadout in loadouts if loadout.own] == ["Eva, Talaka's Heart, Flame of Nim"]
    assert Counter(loadout.group for loadout in loadouts) == {"Eva": 4, "Romin": 4}
    assert {slot for loadout in loadouts for slot, _ in loadout.parts} == {"Runeslinger", "Stance", "Ability"}
    for loadout, document in loadouts.items():
        assert only_the_deck_changed(DOCUMENT, document, "eva_starter")
        assert deck_of(document, "eva_starter")["cards"] == deck_of(DOCUMENT, "eva_starter")["cards"]
        assert CARD_FORMAT.from_document(document).ids == REFERENCE.ids
        assert (document == DOCUMENT) == loadout.own


@pytest.mark.parametrize(("slot", "part"), [("Stance", "stance"), ("Ability", "ability")])
def test_stance_and_ability_can_be_left_blank(slot, part):
    document = DECKING.blanks[slot].put(DOCUMENT, "erosion")
    assert document[part][:4] == DOCUMENT[part]
    assert only_the_deck_changed(DOCUMENT, document, "erosion")
    made = CARD_FORMAT.from_document(document).record[0]
    assert made[part][3] == 4
    if part == "stance":
        assert (made["stance_statics"][4], made["stance_triggers"][4], made["stance_hears"][4]) == (0, 0, 0)
    else:
        assert made["n"][made["ability_effects"][4]] == 0
    twice = DECKING.blanks[slot].put(document, "eva_starter")
    assert CARD_FORMAT.from_document(twice).record[0][part][0] == 5


# ---- twins of cards, which show what a card or keyword is worth ------------------------------------------------------

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
