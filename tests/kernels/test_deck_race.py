"""Decks as entrants, on a tiny game with exact win rates: user decks, random decks and the command."""

import json
from random import Random

import numpy as np
import pytest

from analysis.data.decks import DeckChoice, deck_facts, making_of, options_of
from analysis.data.shares import Shares
from sim.engine.cards import CardError
from sim.engine.contract import Game
from sim.engine.decks import DeckList
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import collect
from tests.analysis.cli.test_cli import refusal, shown
from tests.every_game.deck_race import exact

RANDOM = (PolicySpec.parse("random"),)
SLOTS = ("drawn_turn", "played_turn", "drawn", "plays")
OWN = """
[[deck]]
id = "flock"
cards = { hen = 2, bee = 2, fox = 1 }
"""


@pytest.fixture
def user_decks(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(OWN)
    return file


# ---- the game --------------------------------------------------------------------------------------------------------


def test_a_deck_wins_at_its_exact_rate(deck_race: Game):
    cards, games = deck_race.load(None), 600
    for deck in range(3):
        for opponent in set(range(3)) - {deck}:
            right = exact.rate(cards, deck, opponent)
            assert right + exact.rate(cards, opponent, deck) == pytest.approx(1)
            matches = Experiment(deck_race.name, cards, 2, RANDOM, games, line_up=(deck, opponent))
            share = collect(matches, jobs=1).rows["share"][:, 0]
            assert abs(share.mean() - right) < 4 * share.std(ddof=1) / np.sqrt(games)


def test_cards_are_drawn_and_played_at_their_exact_rates(deck_race: Game):
    cards, games = deck_race.load(None), 600
    outcomes = collect(Experiment(deck_race.name, cards, 2, RANDOM, games, line_up=(1, 2)), jobs=1).outcomes
    for seat, deck in enumerate((1, 2)):
        courses = exact.courses(cards, deck)
        for place, card in enumerate(cards.document["deck"][deck]["cards"]):
            for field, index in (("drawn_turn", 1), ("played_turn", 2)):
                turns = outcomes[field][:, seat, place]
                for turn in range(4):
                    right = sum(chance for course, chance in courses.items() if dict(course[index]).get(card, 0) == turn)
                    assert abs((turns == turn).mean() - right) < 4 * np.sqrt(right * (1 - right) / games) + 1e-12


def test_replacing_a_card_keeps_all_others_in_place(deck_race: Game):
    cards = deck_race.load(None)
    experiments = [Experiment(deck_race.name, cards, 2, RANDOM, 60, line_up=(0, 2))]
    changed = deck_race.from_document(deck_race.decks.plain(cards.document, "sharp", "dog"))
    experiments.append(Experiment(deck_race.name, changed, 2, RANDOM, 60, line_up=(0, 2)))
    before, after = (collect(experiment, jobs=1).outcomes for experiment in experiments)
    assert np.array_equal(before["drawn_turn"], after["drawn_turn"])
    assert not np.array_equal(before["points"][:, 0], after["points"][:, 0])
    assert np.array_equal(before["points"][:, 1], after["points"][:, 1])


def test_decks_list_their_cards_in_the_order_of_the_file(deck_race: Game):
    cards = deck_race.load(None)
    decks = deck_race.decks_for(cards)
    for deck, table in enumerate(cards.document["deck"]):
        listed = [decks.ids[card] for card in decks.slots[deck] if card >= 0]
        assert listed == list(table["cards"])
        assert dict(zip(decks.ids, decks.counts[deck].tolist(), strict=True)).items() >= table["cards"].items()
    assert deck_facts(deck_race, cards)["decks"]["heavy"] == {"fox": 1, "cat": 1, "gnu": 2, "ant": 1}


# ---- which decks are played ------------------------------------------------------------------------------------------


def test_user_decks_are_played_with_the_others_or_alone(deck_race: Game, user_decks):
    cards = deck_race.load(None)
    beside = DeckChoice(user_decks).played(deck_race, cards)
    assert beside.ids == ("sharp", "heavy", "mixed", "flock")
    assert beside.title == "Deck race reference set, its own decks and the decks of mine.toml"
    assert beside.path == cards.path
    assert options_of(beside) == ("--decks", str(user_decks))
    alone = DeckChoice(user_decks, only=True).played(deck_race, cards)
    assert alone.ids == ("flock",)
    assert options_of(alone) == ("--decks", str(user_decks), "--only-decks")
    assert DeckChoice().played(deck_race, cards) is cards
    assert options_of(cards) == ()


def test_random_decks_are_those_of_the_seed(deck_race: Game, user_decks):
    cards = deck_race.load(None)
    made = [DeckChoice(random=5, seed=seed).played(deck_race, cards) for seed in (1, 1, 2)]
    assert made[0].digest == made[1].digest != made[2].digest
    assert len(made[0].ids) == 5
    dealt = deck_race.decks.generator("random").make(cards.document, 5, Random(1)).decks
    assert deck_facts(deck_race, made[0])["decks"] == {word: deck.cards for word, deck in dealt.items()}
    both = DeckChoice(user_decks, random=3).played(deck_race, cards)
    assert both.ids == ("flock", "random_1", "random_2", "random_3")
    assert "the decks of mine.toml and 3 random decks (seed 1)" in both.title


def test_illegal_decks_are_refused_by_name(deck_race: Game, user_decks):
    user_decks.write_text(OWN.replace("hen = 2", "hen = 4").replace("fox", "ox"))
    with pytest.raises(CardError, match=r"mine\.toml") as refused:
        DeckChoice(user_decks).played(deck_race, deck_race.load(None))
    for words in ("flock.cards.hen = 4: is too large; must be at most 2", "flock.cards.ox = 1: is no card", "document"):
        assert (words in str(refused.value)) == (words != "document")


def test_a_user_deck_can_name_its_coach_and_its_snack(deck_race: Game, user_decks):
    user_decks.write_text(OWN + 'coach = "bob"\n')
    made = DeckChoice(user_decks).played(deck_race, deck_race.load(None))
    assert deck_facts(deck_race, made)["deck_words"] == {"sharp": {}, "heavy": {}, "mixed": {}, "flock": {"coach": "bob"}}
    assert "deck_words" not in deck_facts(deck_race, deck_race.load(None))
    user_decks.write_text(OWN + 'coach = "rob"\n')
    with pytest.raises(CardError, match=r'mine\.toml: .*deck\.flock\.coach = "rob": is no coach'):
        DeckChoice(user_decks).played(deck_race, deck_race.load(None))
    user_decks.write_text(OWN + 'trainer = "bob"\n')
    with pytest.raises(CardError, match=r'trainer = "bob": is not a key of this table; known here: id, cards, coach, snack'):
        DeckChoice(user_decks).played(deck_race, deck_race.load(None))


def test_decks_can_be_generated_by_every_generator_of_the_game(deck_race: Game, user_decks):
    cards = deck_race.load(None)
    choice = DeckChoice(user_decks, random="40:sealed", seed=4)
    made = choice.played(deck_race, cards)
    assert made.ids == ("flock", *(f"sealed_{number}" for number in range(1, 41)))
    assert made.title.endswith("the decks of mine.toml and 40 decks from sealed pools (seed 4)")
    assert options_of(made) == ("--decks", str(user_decks), "--random-decks", "40:sealed")
    method, fact = making_of(made)
    assert method == "each from a pool of 5 random cards"
    assert fact.endswith(" pools drawn again")  # one in eight holds three of a card
    assert deck_facts(deck_race, made)["making"] == [method, fact]
    assert {sum(deck["cards"].values()) for deck in made.document["deck"][1:]} == {5}
    assert {deck["snack"] for deck in made.document["deck"][1:]} == {"apple"}
    assert making_of(cards) == making_of(DeckChoice(random=3).played(deck_race, cards)) == ()
    assert DeckChoice(random="6:sealed").folder == ("sealed-decks",)
    assert DeckChoice(random="6").folder == DeckChoice(random="6:random").folder == ("random-decks",)
    usual = [DeckChoice(random=way).played(deck_race, cards) for way in (4, "4", "4:random")]
    assert len({(card_set.digest, card_set.title, card_set.options) for card_set in usual}) == 1


# ---- the command -----------------------------------------------------------------------------------------------------

QUICK = ("--games", 24, "--policy", "random")


def test_win_rates_show_which_decks_were_played(deck_race: Game, user_decks):
    data = json.loads(shown("winrates", deck_race.name, "--decks", user_decks, "--json", *QUICK))
    assert {line["name"] for line in data["win_rates"]} == {"Sharp", "Heavy", "Mixed", "Flock"}
    assert data["facts"]["decks"]["flock"] == {"hen": 2, "bee": 2, "fox": 1}
    assert data["facts"]["cards"].endswith("its own decks and the decks of mine.toml")
    data = json.loads(shown("winrates", deck_race.name, "--random-decks", 6, "--json", *QUICK))
    assert len(data["facts"]["decks"]) == len(data["win_rates"]) == 6
    output = " ".join(shown("winrates", deck_race.name, "--random-decks", 6, "--notes", *QUICK).split())
    assert "Deck race reference set, 6 random decks (seed 1)" in output
    assert "Random decks:" not in output
    output = " ".join(shown("winrates", deck_race.name, "--random-decks", "6:sealed", "--notes", *QUICK).split())
    assert "Random decks: each from a pool of 5 random cards" in output
    assert "decks" not in json.loads(shown("winrates", "arena", "--games", 2, "--json", "--policy", "random"))["facts"]


def test_a_user_deck_can_be_replayed(deck_race: Game, user_decks):
    output = shown("replay", deck_race.name, "--decks", user_decks, "--line-up", "flock,sharp", "--policy", "random")
    assert "seat 1: Flock" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("winrates", "arena", "--random-decks", 3), "--random-decks: Arena is not played with decks"),
        (("winrates", "deck_race", "--only-decks"), "--only-decks: needs --decks FILE"),
        (("winrates", "deck_race", "--random-decks", 0), "--random-decks 0 must be at least 1"),
        (("winrates", "deck_race", "--random-decks", "six"), '--random-decks six: must be a number of decks, as in "24"'),
        (("winrates", "deck_race", "--random-decks", "6:"), '--random-decks 6:: "": is not a deck generator; known here: random'),
        (
            ("replay", "deck_race", "--random-decks", "6:seeled"),
            '--random-decks 6:seeled: "seeled": is not a deck generator; did you mean "sealed"?',
        ),
        (("report", "riftborn", "--random-decks", "6:sealed"), "is not a deck generator; known here: random"),
        (("winrates", "deck_race", "--decks", "nowhere.toml"), "nowhere.toml: does not exist"),
        (("report", "all", "--random-decks", 3), "--random-decks 3: works with one game, not with all"),
        (("cardstats", "deck_race", "--deck", "sharpp"), "'sharpp': is no deck; did you mean \"sharp\"?"),
        (("cardstats", "deck_race", "--pairs", -1), "--pairs -1 must be at least 0"),
        (("cardstats", "deck_race", "--by-turn", 0), "--by-turn 0 must be at least 1"),
        (("cardstats", "coin_duel"), "does not record draws and plays of single cards"),
    ],
)
def test_invalid_arguments_are_refused(deck_race: Game, coin_duel: Game, arguments: tuple[object, ...], message: str):
    assert message in refusal(*arguments)


def test_a_deck_of_the_same_id_is_refused(deck_race: Game, user_decks):
    user_decks.write_text(OWN.replace("flock", "sharp"))
    assert "deck.sharp: the card set has a deck of that id; rename yours, or use --only-decks" in refusal(
        "winrates", deck_race.name, "--decks", user_decks
    )


@pytest.mark.slow
def test_card_statistics_show_a_table_for_every_deck(deck_race: Game):
    games = ("--games", 24 + 320, "--policy", "random")  # 24 are recorded, 320 are those with and without each card
    output = " ".join(shown("cardstats", deck_race.name, "--pairs", 20, "--all", "--notes", *games).split())
    for words in ("drawn by own turn 2", "Sharp Bee", "Heavy Fox", "Cards over all decks", "what company a card keeps"):
        assert words in output
    assert "against a card of the same level that scores its level, without keywords in the same games" in output
    data = json.loads(shown("cardstats", deck_race.name, "--pairs", 20, "--json", *games))
    assert (data["facts"]["watched"], data["facts"]["replaced"]) == (24, 320)
    assert len(data["cards"]) == 13
    assert {line["pairs"] for line in data["cards"]} == {20}
    assert data["facts"]["by_turn"] == 2
    assert data["facts"]["decks"]["mixed"]["eel"] == 1
    for line in data["cards"]:
        assert line["n_drawn"] + line["n_lack"] == line["n"] == 16
        assert line["effect_low"] <= line["effect"] <= line["effect_high"]


def test_card_statistics_of_one_deck_are_from_its_own_games(deck_race: Game, tmp_path):
    file = tmp_path / "cards.csv"
    command = ("cardstats", deck_race.name, "--deck", "heavy", "--pairs", 0, "--csv", file, *QUICK)
    data = json.loads(shown(*command, "--json"))
    assert [line["card_name"] for line in data["cards"]] == ["Fox", "Cat", "Gnu", "Ant"]
    assert {line["n"] for line in data["cards"]} == {24}
    assert "effect" not in data["cards"][0]
    assert data["facts"]["deck"] == "heavy"
    assert len(file.read_text().splitlines()) == 5


def test_card_statistics_of_many_decks_are_pooled(deck_race: Game):
    data = json.loads(shown("cardstats", deck_race.name, "--random-decks", 20, "--games", 200, "--policy", "random", "--json"))
    assert len(data["pooled"]) == 8
    assert "cards" not in data


def test_the_same_decks_built_in_another_way_play_the_same_games(deck_race: Game):
    """Card sets with the same decks, however built."""
    cards = deck_race.load(None)
    lists = {word: DeckList(listed) for word, listed in deck_facts(deck_race, cards)["decks"].items()}
    again = deck_race.from_document(deck_race.decks.only(cards.document, lists))
    first, second = (Shares.of(Experiment(deck_race.name, card_set, 2, RANDOM, 30)) for card_set in (cards, again))
    assert np.array_equal(first.share, second.share)
    assert deck_race.name in GAMES
