"""Sections on the cards of decks, compared with the exact win rates of a tiny game."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.answer.model import Answer, Section
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.questions import card_parameters
from analysis.report.pages import answer, answered_section, section_of
from analysis.report.provenance import facts
from analysis.variants.compare import decks_tried
from analysis.variants.sensitivity import by_least_change
from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, Question
from sim.registry import GAMES, register
from sim.seeds import derived_seed
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines
from tests.every_game.deck_race import GAME, exact

FRESH = derived_seed(3, "fresh games")

BUDGET = Budget(**FEW, games=2000, step_games=1500, deck_games=1500, variant_games=600, rolls=20, replays=4)
NUMBERS = {"leaves": ["level", "points"], "steps": {"points": 2}, "decks": 3, "kept": 3, "screen": 0.2}
ASKS = Ask("numbers", "Which number of which card?", "change", "card_parameters", NUMBERS)
ROBS = Ask("worth", "What is a keyword worth?", "why", "keywords")


@pytest.fixture(scope="module")
def study() -> Any:
    """A study of Deck race, which is registered while the module runs."""
    register(GAME)
    yield study_of(GAME)
    del GAMES[GAME.name]


def study_of(game: Game, budget: Budget = BUDGET) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=budget, jobs=1)


@pytest.fixture(scope="module")
def reply(study: Study) -> Answer:
    tried = answer(study, ASKS)
    assert tried is not None
    return tried


@pytest.fixture(scope="module")
def numbers(reply: Answer) -> Section:
    return section_of(ASKS.id, ASKS.text, reply)


@pytest.fixture(scope="module")
def worths(study: Study) -> Section:
    return answered(study, ROBS)


def answered(study: Study, question: Question) -> Section:
    section = answered_section(study, question)
    assert section is not None
    return section


def rate(cards: CardSet, deck: int) -> float:
    """Exact win rate of a deck, averaged over the other decks."""
    return float(np.mean([exact.rate(cards, deck, other) for other in range(len(cards.ids)) if other != deck]))


@pytest.mark.slow
def test_the_change_of_each_number_is_the_exact_one_within_its_interval(study, numbers):
    table = lines(numbers, "numbers-steps")
    assert len(table) >= 9
    for row in table:
        deck = study.names.index(row["deck"])
        other = GAME.from_document(changed(study.cards.document, row["field of the card file"], row["becomes"]))
        right = rate(other, deck) - rate(study.cards, deck)
        half = (row["change high"] - row["change low"]) / 2
        assert abs(row["change"] - right) <= 2 * half + 1e-9, row  # four standard errors


@pytest.mark.slow
def test_only_cards_of_a_deck_are_tried_by_the_named_steps(study, reply, numbers):
    held = {name: set(deck["cards"]) for name, deck in zip(study.names, study.cards.document["deck"], strict=True)}
    first = lines(numbers, "numbers-first_look")
    assert {row["deck"] for row in first} == set(study.names)
    for row in first:
        _, card, leaf = row["field of the card file"].split(".")
        assert card in held[row["deck"]]
        assert abs(row["becomes"] - row["now"]) == {"level": 1, "points": 2}[leaf]
        assert row["number"] == f"{card.title()}: {leaf}"
    assert "One step is 1; for points 2." in reply.notes
    assert any("Bee: level down" in note for note in reply.notes)  # below 1: refused


def test_the_strongest_steps_of_the_first_look_are_retested_in_other_games(study, numbers):
    first, again = (pd.DataFrame(lines(numbers, id_)) for id_ in ("numbers-first_look", "numbers-steps"))
    assert set(first["n"]) == {300}
    assert set(again["n"]) == {1500}
    for _, part in again.groupby("deck"):
        assert part["number"].nunique() == 3
    assert len(again) < len(first)
    least = np.maximum(again["change low"], -again["change high"]).clip(lower=0)
    assert (np.diff(least) <= 0).all()
    assert f"seed {FRESH}" in numbers.note


def test_numbers_rank_by_their_significant_effect_and_then_by_their_possible_effect():
    frame = pd.DataFrame({"at": list("abcd"), "change": [0.0, 0.01, 0.05, -0.04]})
    frame = frame.assign(low=[-0.001, -0.02, 0.01, -0.05], high=[0.001, 0.04, 0.09, -0.03])
    assert by_least_change(frame)["at"].tolist() == ["d", "c", "b", "a"]


def test_the_strongest_and_the_weakest_deck_are_named_and_the_chart_shows_all(study, numbers):
    order = [study.names[deck] for deck in decks_tried(study, 2, 3)]
    assert decks_tried(study, 2, 2) == [study.names.index(order[0]), study.names.index(order[2])]
    assert f"brings {order[0]} near" in numbers.answer
    assert f"brings {order[2]} near" in numbers.note.split(". ")[0]
    assert len(numbers.answer.split()) <= 30
    shown = {text.get_text() for text in numbers.figures[0].figure.texts}
    assert set(order) <= shown
    assert [table.id for table in numbers.tables] == ["numbers-steps", "numbers-retest", "numbers-first_look"]


@pytest.mark.slow
def test_the_worth_of_a_keyword_is_the_difference_of_exact_rates(study, worths):
    table = lines(worths, "worth-keywords")
    assert worths.answer.startswith("Sharp depends most on SHARP: without it the deck wins ")
    assert len(worths.answer.split()) <= 30
    assert "DULL (Mixed) and DULL (Heavy) do significant harm" in worths.note
    assert "nan" not in worths.answer + worths.note
    worn = {("Sharp", "SHARP"), ("Mixed", "SHARP"), ("Mixed", "DULL"), ("Heavy", "DULL")}
    assert {(row["deck"], row["keyword"]) for row in table} == worn
    for row in table:
        deck = study.names.index(row["deck"])
        without = GAME.from_document(GAME.decks.bare(study.cards.document, study.cards.ids[deck], row["keyword"]))
        right = rate(study.cards, deck) - rate(without, deck)
        assert abs(row["worth"] - right) <= (row["worth high"] - row["worth low"]) + 1e-9, row
        assert row["worth low"] <= row["worth"] <= row["worth high"]
        assert row["per copy"] == pytest.approx(row["worth"] / row["copies"])
        assert row["n"] == 1500
    sharp = next(row for row in table if row["deck"] == "Sharp")
    assert (sharp["on"], sharp["copies"]) == ("Bee, Dog", 3)
    assert sharp["with"] - sharp["without"] == pytest.approx(sharp["worth"])


@pytest.mark.slow
def test_keywords_can_be_removed_unless_the_rules_keep_them(study):
    budget = replace(BUDGET, deck_games=100)
    fewer = lines(answered(replace(study, budget=budget), replace(ROBS, arguments={"leave_out": ["DULL"]})), "worth-keywords")
    assert {row["keyword"] for row in fewer} == {"SHARP"}

    def kept(document: Any, deck: str, keyword: str) -> dict[str, Any]:
        bare = GAME.decks.bare(document, deck, keyword)
        return bare if keyword == "SHARP" else changed(bare, "rules.turns", 99)

    stiff = register(replace(GAME, decks=replace(GAME.decks, bare=kept)))
    section = answered(study_of(stiff, budget=budget), ROBS)
    register(GAME)
    assert {row["keyword"] for row in lines(section, "worth-keywords")} == {"SHARP"}


@pytest.mark.soak
def test_games_are_reproducible(numbers, worths):
    other = study_of(GAME)
    assert lines(answered(other, ASKS), "numbers-steps") == lines(numbers, "numbers-steps")
    assert lines(answered(other, ROBS), "worth-keywords") == lines(worths, "worth-keywords")


def test_games_without_decks_leave_both_questions_out(coin_duel):
    none = Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), budget=BUDGET, jobs=1)
    assert (answered_section(none, ASKS), answered_section(none, ROBS)) == (None, None)


def test_the_facts_list_the_further_games(study):
    asked = replace(study, game=replace(GAME, questions=(ASKS, replace(ROBS, arguments={"scale": 2}))))
    fact_text = next(fact.text for fact in facts(asked, "") if fact.label == "Other games")
    assert "about 1,500 of each deck tried for every number of its cards" in fact_text
    assert f"about 3,000 of each deck tried without each of its keywords (seed {FRESH})" in fact_text


@pytest.mark.parametrize(
    ("name", "value"), [("decks", 0), ("kept", 0), ("scale", 0), ("steps", {"points": 0}), ("steps", {"points": "x"})]
)
def test_wrong_arguments_are_named(study, name, value):
    with pytest.raises(ValueError, match=f"{name}.*{value if name != 'steps' else 'points='}"):
        card_parameters.card_parameters.answer(study, **{name: value})
