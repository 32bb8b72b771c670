"""What decks should bring: loadouts and parts of them, held against the tiny game whose every win rate can be worked out."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from analysis.charts.intervals import choices
from analysis.data.decks import DeckChoice
from analysis.data.study import Budget, Study
from analysis.decks.cards import loadout_effects, loadout_steps
from analysis.decks.tables import loadout_stats
from analysis.document.model import Section
from analysis.report.pages import answer, facts
from analysis.stats.intervals import adjust
from analysis.variants.variant import GamesOf
from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game
from sim.engine.decks import Loadout
from sim.engine.measures import Question
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from tests.every_game.deck_race import GAME, exact
from tests.report.budgets import FEW
from tests.report.loadout_frames import brought
from tests.report.reading import lines

BUDGET = Budget(**FEW, games=400, step_games=1500, variant_games=100, rolls=20, replays=4)
ASKS = Question("loadouts", "Which coach and snack for which deck?", "loadouts")
BRINGS = {"sharp": {"coach": "ann", "snack": "apple"}, "heavy": {"coach": "bob"}, "mixed": {}}
NAMES = {"Ann": "ann", "Bob": "bob", "Apple": "apple"}


def with_words(words: dict[str, dict[str, str]]) -> CardSet:
    """The reference set whose decks bring something."""
    document = GAME.load(None).document
    return GAME.from_document({**document, "deck": [deck | words[deck["id"]] for deck in document["deck"]]})


def study_of(game: Game = GAME, words: dict[str, dict[str, str]] = BRINGS, **more: Any) -> Study:
    settings = {"seed": 3, "budget": BUDGET, "jobs": 1} | more
    return Study(game, with_words(words), PolicySpec.parse("random"), **settings)


@pytest.fixture(scope="module")
def study() -> Any:
    """A study of Deck race, registered as long as the module runs."""
    register(GAME)
    yield study_of()
    del GAMES[GAME.name]


@pytest.fixture(scope="module")
def section(study: Study) -> Section:
    return answered(study, ASKS)


def answered(study: Study, question: Question) -> Section:
    found = answer(study, question)
    assert found is not None
    return found


def rate(deck: str, words: dict[str, str]) -> float:
    """Exact win rate of a deck that brings this over the others, each as often."""
    cards = with_words(BRINGS | {deck: words})
    at = cards.ids.index(deck)
    return float(np.mean([exact.rate(cards, at, other) for other in range(len(cards.ids)) if other != at]))


def brings(row: dict[str, Any]) -> dict[str, str]:
    """What a deck brings in a line of the table."""
    words = {"coach": NAMES.get(row["Coach"]), "snack": NAMES.get(row["Snack"])}
    return {word: brought for word, brought in words.items() if brought}


def test_every_kit_changes_a_deck_as_the_exact_rates_do(section):
    table = lines(section, "loadouts")
    assert [row["deck"] for row in table] == [name for name in ("Sharp", "Heavy", "Mixed") for _ in range(6)]
    for row in table:
        deck = row["deck"].lower()
        right = rate(deck, brings(row)) - rate(deck, BRINGS[deck])
        half = (row["change high"] - row["change low"]) / 2
        assert abs(row["change"] - right) <= 2 * half + 1e-9, row  # four standard errors
        assert row["low"] <= row["win rate"] <= row["high"]
        assert row["n"] == 1500


def test_its_own_kit_is_marked_and_all_others_are_measured_from_it(section):
    table = lines(section, "loadouts")
    own = {row["deck"]: row for row in table if row["own"]}
    assert {deck: brings(row) for deck, row in own.items()} == {deck.title(): words for deck, words in BRINGS.items()}
    for row in table:
        assert row["change"] == pytest.approx(row["win rate"] - own[row["deck"]]["win rate"])
        assert (row["p (Holm)"] is None) == bool(row["own"])


def test_a_part_is_worth_what_the_exact_rates_differ_by(section):
    table = lines(section, "loadouts-parts")
    assert [(row["part"], row["deck"], row["its own"]) for row in table] == [
        ("Coach", "Sharp", "Ann"),
        ("Coach", "Heavy", "Bob"),
        ("Snack", "Sharp", "Apple"),
    ]
    for row in table:
        deck, part = row["deck"].lower(), row["part"].lower()
        without = {word: brought for word, brought in BRINGS[deck].items() if word != part}
        right = rate(deck, BRINGS[deck]) - rate(deck, without)
        assert abs(row["worth"] - right) <= (row["worth high"] - row["worth low"]) + 1e-9, row
        assert row["worth"] == pytest.approx(row["with"] - row["without"])
        assert row["worth low"] < row["worth"] < row["worth high"]


def test_to_go_without_a_part_is_the_kit_without_it(section):
    """Both are the same games: the loadout with nobody and an apple, and the deck's own without its coach."""
    (loadout,) = lines(section, "loadouts", deck="Sharp", Coach="Nobody", Snack="Apple")
    (part,) = lines(section, "loadouts-parts", deck="Sharp", part="Coach")
    assert (part["without"], part["worth"]) == (loadout["win rate"], -loadout["change"])


def test_the_answer_names_the_best_kits_and_what_the_parts_are_worth(section):
    said = section.answer
    assert said.startswith("Mixed would gain most from another loadout: with \u201c")
    assert "Also significantly better: Heavy with \u201cBob, Apple\u201d (+" in said
    assert "No other loadout is significantly better for Sharp." in said
    assert "Coaching is worth most, +" in said
    assert "points to Sharp (95 % interval" in said
    assert "it significantly helps two of two decks." in said
    assert "The snack is worth +" in said
    assert "seed 4" in section.note
    assert "nan" not in said + section.note
    assert [chart.id for chart in section.figures] == ["loadouts", "loadouts-parts"]


def test_a_deck_that_brings_nothing_better_or_worse_says_so(study):
    dull = changed(changed(study.cards.document, "coach.ann.more", 0), "coach.bob.more", 0)
    cards = GAME.from_document(changed(dull, "snack.apple.points", 0))
    found = answered(replace(study, cards=cards), ASKS)
    assert found.answer.startswith(
        "None of three decks would win significantly more of its two-seat games with another loadout"
    )
    assert "Coaching is worth most, 0.0 points" in found.answer
    assert "it significantly helps no of two decks" not in found.answer
    assert "it significantly helps none of two decks." in found.answer


def test_kits_that_the_card_rules_refuse_are_said(study):
    def strict(document: Any, deck: str) -> dict[Loadout, dict[str, Any]]:
        found = GAME.decks.loadouts(document, deck)
        return {
            loadout: changed(one, "rules.turns", 99) if loadout.group == "Bob" else one
            for loadout, one in found.items()
        }

    register(replace(GAME, decks=replace(GAME.decks, loadouts=strict)))
    found = answered(study_of(GAMES[GAME.name]), replace(ASKS, settings={"decks": ("1",)}))
    register(GAME)
    assert {row["Coach"] for row in lines(found, "loadouts")} == {"Nobody", "Ann"}
    assert "The rules of the card file refuse Bob, Nothing (Sharp) and Bob, Apple (Sharp)." in found.note
    assert "Two decks not tried." in found.note


def test_p_values_are_adjusted_over_all_decks_and_loadouts(study):
    base = Experiment(GAME.name, study.cards, 2, (PolicySpec.parse("random"),), 120, 5)
    steps = [loadout_steps(GAME, study.cards, deck) for deck in range(3)]
    found = loadout_effects([(one, GamesOf.from_experiment(base, one.entrant)) for one in steps if one], GAME.decks)
    assert np.isnan(found.loadouts["p"]).sum() == 3
    assert np.allclose(found.loadouts["p_holm"], adjust(found.loadouts["p"]), equal_nan=True)
    assert np.allclose(found.blanks["p_holm"], adjust(found.blanks["p"]))
    assert set(found.loadouts.columns) >= {"Coach", "Snack", "group", "own"}


def test_the_same_games_are_found_again(study, section):
    assert answered(study_of(), ASKS).tables == section.tables


def test_where_nothing_can_be_exchanged_there_is_no_such_question(study, coin_duel):
    none = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), budget=BUDGET, jobs=1)
    assert answer(none, ASKS) is None
    bare = replace(GAME, decks=replace(GAME.decks, loadouts=None))
    assert answer(replace(study, game=bare), ASKS) is None
    assert loadout_steps(bare, study.cards, 0) is None


def test_parts_alone_make_a_section_too(study):
    def alone(document: Any, deck: str) -> dict[Loadout, dict[str, Any]]:
        return {loadout: one for loadout, one in GAME.decks.loadouts(document, deck).items() if loadout.own}

    game = register(replace(GAME, decks=replace(GAME.decks, loadouts=alone)))
    found = answered(replace(study, game=game), ASKS)
    stats = loadout_stats(Experiment(GAME.name, study.cards, 2, (PolicySpec.parse("random"),), 120, 5))
    register(GAME)
    assert [table.id for table in found.tables] == ["loadouts-parts"]
    assert found.answer.startswith("Coaching is worth most")
    assert stats.main().id == "parts"


def test_what_is_played_for_it_is_among_the_facts(study):
    asked = replace(study, game=replace(GAME, questions=(replace(ASKS, settings={"games": ("2",)}),)))
    told = next(fact.text for fact in facts(asked, "") if fact.label == "Other games")
    assert "about 3,000 of each deck tried with each of its loadouts (seed 4)" in told


def test_how_decks_were_made_by_lot_is_among_the_facts(study):
    made = DeckChoice(random="4:sealed").played(GAME, study.cards)
    (told,) = (fact.text for fact in facts(replace(study, cards=made), "") if fact.label == "Making of the decks")
    assert told.startswith("each from a pool of 5 random cards")
    usual = DeckChoice(random=4).played(GAME, study.cards)
    for cards in (study.cards, usual):
        assert "Making of the decks" not in [fact.label for fact in facts(replace(study, cards=cards), "")]


# ---- the chart -------------------------------------------------------------------------------------------------------


def test_choices_mark_its_own_and_colour_what_is_sure():
    frame = brought()
    figure = choices(frame)

    def dots(gid: str) -> int:
        found = figure.findobj(lambda artist: artist.get_gid() == gid)
        return sum(len(one.get_offsets()) for one in found if isinstance(one, PathCollection))

    assert dots("own") == 3
    assert dots("choice") == len(frame) - 3
    assert len({tuple(axes.get_xlim()) for axes in figure.axes}) == 1
    groups = [text.get_text() for text in figure.texts if text.get_gid() == "group"]
    assert groups == ["Eva", "Romin"] * 3
    colours = {
        tuple(np.round(colour, 3))
        for one in figure.findobj(lambda artist: artist.get_gid() == "choice")
        for colour in one.get_facecolors()
    }
    assert len(colours) == 3  # better, worse, maybe chance
