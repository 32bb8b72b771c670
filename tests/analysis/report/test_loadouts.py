"""Loadouts of decks and their parts, compared with the exact win rates of a tiny game."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from analysis.answer.model import Section
from analysis.charts.intervals import choices
from analysis.data.budget import Budget
from analysis.data.decks import DeckChoice
from analysis.data.study import Study
from analysis.decks.loadouts import loadout_effects, loadout_steps
from analysis.questions.loadouts import in_report
from analysis.report.pages import answered_section
from analysis.report.provenance import facts
from analysis.stats.intervals import adjust
from analysis.variants.variant import GamesOf
from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game
from sim.engine.decks import Loadout
from sim.engine.policies import PolicySpec
from sim.engine.questions import Loadouts, Question
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from tests.analysis.report.budgets import FEW
from tests.analysis.report.loadout_frames import brought
from tests.analysis.report.reading import lines
from tests.every_game.deck_race import GAME, exact

BUDGET = Budget(**FEW, games=400, deck_games=1500, variant_games=100, rolls=20, replays=4)
ASKS = Loadouts("loadouts", "Which coach and snack for which deck?")
BRINGS = {"sharp": {"coach": "ann", "snack": "apple"}, "heavy": {"coach": "bob"}, "mixed": {}}
NAMES = {"Ann": "ann", "Bob": "bob", "Apple": "apple"}


def with_words(words: dict[str, dict[str, str]]) -> CardSet:
    """The reference set with parts that its decks bring."""
    document = GAME.load(None).document
    return GAME.from_document({**document, "deck": [deck | words[deck["id"]] for deck in document["deck"]]})


def study_of(game: Game = GAME, words: dict[str, dict[str, str]] = BRINGS, **more: Any) -> Study:
    settings = {"seed": 3, "budget": BUDGET, "jobs": 1} | more
    return Study(game, with_words(words), PolicySpec.parse("random"), **settings)


@pytest.fixture(scope="module")
def study() -> Any:
    """A study of Deck race, which is registered while the module runs."""
    register(GAME)
    yield study_of()
    del GAMES[GAME.name]


@pytest.fixture(scope="module")
def section(study: Study) -> Section:
    return answered(study, ASKS)


def answered(study: Study, question: Question) -> Section:
    section = answered_section(study, question)
    assert section is not None
    return section


def rate(deck: str, words: dict[str, str]) -> float:
    """Exact win rate of a deck with a loadout, averaged over the other decks."""
    cards = with_words(BRINGS | {deck: words})
    index = cards.ids.index(deck)
    return float(np.mean([exact.rate(cards, index, other) for other in range(len(cards.ids)) if other != index]))


def brings(row: dict[str, Any]) -> dict[str, str]:
    """The loadout of a line of the table."""
    words = {"coach": NAMES.get(row["Coach"]), "snack": NAMES.get(row["Snack"])}
    return {word: brought for word, brought in words.items() if brought}


@pytest.mark.slow
def test_every_loadout_changes_a_deck_as_the_exact_rates_do(section):
    table = lines(section, "loadouts-loadouts")
    assert [row["deck"] for row in table] == [name for name in ("Sharp", "Heavy", "Mixed") for _ in range(6)]
    for row in table:
        deck = row["deck"].lower()
        right = rate(deck, brings(row)) - rate(deck, BRINGS[deck])
        half = (row["change high"] - row["change low"]) / 2
        assert abs(row["change"] - right) <= 2 * half + 1e-9, row  # four standard errors
        assert row["low"] <= row["win rate"] <= row["high"]
        assert row["n"] == 1500


@pytest.mark.slow
def test_its_own_loadout_is_marked_and_the_reference_of_all_others(section):
    table = lines(section, "loadouts-loadouts")
    own_rows = {row["deck"]: row for row in table if row["own"]}
    assert {deck: brings(row) for deck, row in own_rows.items()} == {deck.title(): words for deck, words in BRINGS.items()}
    for row in table:
        assert row["change"] == pytest.approx(row["win rate"] - own_rows[row["deck"]]["win rate"])
        assert (row["p (Holm)"] is None) == bool(row["own"])


def test_the_worth_of_a_part_is_the_difference_of_exact_rates(section):
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


def test_going_without_a_part_equals_the_loadout_without_it(section):
    """The same games twice: the loadout of no coach and an apple, and the deck's own loadout without its coach."""
    (loadout,) = lines(section, "loadouts-loadouts", deck="Sharp", Coach="Nobody", Snack="Apple")
    (part,) = lines(section, "loadouts-parts", deck="Sharp", part="Coach")
    assert (part["without"], part["worth"]) == (loadout["win rate"], -loadout["change"])


def test_the_answer_names_the_best_loadouts_and_the_worth_of_the_parts(section):
    assert section.answer.startswith("With \u201c")
    assert "Mixed would win" in section.answer
    assert section.answer.endswith("two of three decks would gain significantly.") or "2 of three decks" in section.answer
    assert "nan" not in section.answer + section.note
    assert [chart.id for chart in section.figures] == ["loadouts", "loadouts-parts"]


@pytest.mark.slow
def test_decks_without_a_significant_loadout_are_reported(study):
    dull = changed(changed(study.cards.document, "coach.ann.more", 0), "coach.bob.more", 0)
    cards = GAME.from_document(changed(dull, "snack.apple.points", 0))
    section = answered(replace(study, cards=cards, budget=replace(BUDGET, deck_games=200)), ASKS)
    assert section.answer.startswith("Of three decks none would win significantly more often with another loadout")


@pytest.mark.slow
def test_loadouts_that_the_card_rules_refuse_are_named(study):
    def strict(document: Any, deck: str) -> dict[Loadout, dict[str, Any]]:
        documents = GAME.decks.loadouts(document, deck)
        return {
            loadout: changed(loadout_document, "rules.turns", 99) if loadout.group == "Bob" else loadout_document
            for loadout, loadout_document in documents.items()
        }

    register(replace(GAME, decks=replace(GAME.decks, loadouts=strict)))
    found = in_report(study_of(GAMES[GAME.name]), replace(ASKS, decks=1))
    register(GAME)
    assert found is not None
    assert {row["coach"] for row in found.frame.to_dict("records")} == {"Nobody", "Ann"}
    assert "The rules of the card file refuse Bob, Nothing (Sharp) and Bob, Apple (Sharp)." in found.notes
    assert "Two decks not tried." in found.notes


@pytest.mark.slow
def test_p_values_are_adjusted_over_all_decks_and_loadouts(study):
    base = Experiment(GAME.name, study.cards, 2, (PolicySpec.parse("random"),), 120, 5)
    steps = [loadout_steps(GAME, study.cards, deck) for deck in range(3)]
    effects = loadout_effects([(step, GamesOf.from_experiment(base, step.entrant)) for step in steps if step], GAME.decks)
    assert np.isnan(effects.loadouts["p"]).sum() == 3
    assert np.allclose(effects.loadouts["p_holm"], adjust(effects.loadouts["p"]), equal_nan=True)
    assert np.allclose(effects.blanks["p_holm"], adjust(effects.blanks["p"]))
    assert set(effects.loadouts.columns) >= {"Coach", "Snack", "group", "own"}


def test_games_without_loadouts_have_no_such_question(study, coin_duel):
    none = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), budget=BUDGET, jobs=1)
    assert answered_section(none, ASKS) is None
    bare = replace(GAME, decks=replace(GAME.decks, loadouts=None))
    assert answered_section(replace(study, game=bare), ASKS) is None
    assert loadout_steps(bare, study.cards, 0) is None


@pytest.mark.slow
def test_parts_alone_make_a_section(study):
    def alone(document: Any, deck: str) -> dict[Loadout, dict[str, Any]]:
        return {
            loadout: loadout_document for loadout, loadout_document in GAME.decks.loadouts(document, deck).items() if loadout.own
        }

    game = register(replace(GAME, decks=replace(GAME.decks, loadouts=alone)))
    section = answered(replace(study, game=game), ASKS)
    register(GAME)
    assert [table.id for table in section.tables] == ["loadouts-parts"]
    assert section.answer.startswith("Most worth a part of its loadout: Ann to Sharp, +")


def test_the_facts_describe_how_random_decks_were_made(study):
    made = DeckChoice(random="4:sealed").played(GAME, study.cards)
    (fact_text,) = (fact.text for fact in facts(replace(study, cards=made), "") if fact.label == "Making of the decks")
    assert fact_text.startswith("each from a pool of 5 random cards")
    usual = DeckChoice(random=4).played(GAME, study.cards)
    for cards in (study.cards, usual):
        assert "Making of the decks" not in [fact.label for fact in facts(replace(study, cards=cards), "")]


# ---- the chart -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_choices_mark_the_decks_own_and_colour_significant_ones():
    frame = brought()
    figure = choices(frame)

    def dots(gid: str) -> int:
        artists = figure.findobj(lambda artist: artist.get_gid() == gid)
        return sum(len(artist.get_offsets()) for artist in artists if isinstance(artist, PathCollection))

    assert dots("own") == 3
    assert dots("choice") == len(frame) - 3
    assert len({tuple(axes.get_xlim()) for axes in figure.axes}) == 1
    groups = [text.get_text() for text in figure.texts if text.get_gid() == "group"]
    assert groups == ["Eva", "Romin"] * 3
    colours = {
        tuple(np.round(colour, 3))
        for dot in figure.findobj(lambda artist: artist.get_gid() == "choice")
        for colour in dot.get_facecolors()
    }
    assert len(colours) == 3  # better, worse, not significant
