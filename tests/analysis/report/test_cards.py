"""Report sections on cards and keywords, on a tiny game with exact win rates."""

from dataclasses import replace

import pytest

from analysis.answer.model import Section
from analysis.data.budget import Budget
from analysis.data.decks import DeckChoice
from analysis.data.study import Study
from analysis.decks.cards import deck_cards
from analysis.report.pages import answered_section
from analysis.report.provenance import facts
from analysis.report.write import command_for
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, Cards
from sim.registry import GAMES, register
from sim.run import collect
from tests.analysis.report.budgets import FEW
from tests.every_game.deck_race import GAME, exact

BUDGET = Budget(**FEW, games=1_200, step_games=200, deck_games=200, variant_games=60)
POLICY = PolicySpec.parse("random")


@pytest.fixture(scope="module")
def game():
    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture(scope="module")
def study(game) -> Study:
    return Study(game, game.load(None), POLICY, seed=3, budget=BUDGET, jobs=1)


@pytest.fixture(scope="module")
def section(study) -> Section:
    (question,) = (question for question in study.game.questions if isinstance(question, Cards))
    cards = answered_section(study, question)
    assert cards is not None
    return cards


def marks(figure) -> set[str]:
    return {artist.get_gid() for artist in figure.findobj()}


@pytest.mark.slow
def test_every_deck_has_a_chart_with_effects_and_correlations_of_its_cards(section, study):
    assert sorted(chart.id for chart in section.figures) == ["cards", "cards-heavy", "cards-mixed", "cards-sharp"]
    for chart in section.figures:
        assert marks(chart.figure) >= {"estimate", "interval", "other", "zero"}
    assert section.answer.startswith("Best card: Bee (Sharp) +")
    assert "of 13 cards" in section.answer
    assert "what company a card keeps" in section.note
    assert study.game.decks.plain_words in section.note


@pytest.mark.slow
def test_the_table_holds_the_numbers_of_the_statistics(section, study):
    (table, pooled) = section.tables
    rows = {f"{row['name']}: {row['card_name']}": row for row in table.frame.to_dict("records")}
    for line in deck_cards(study.card_tally).itertuples():
        row = rows[f"{line.name}: {line.card_name}"]
        assert (row["drawn"], row["lack"], row["n"]) == (line.drawn, line.lack, line.n)
        assert (row["change"], row["played"]) == (line.change, line.played)
        assert row["pairs"] >= 200
        assert row["effect_low"] <= row["effect"] <= row["effect_high"]
        card = study.game.decks_for(study.cards).ids[line.card]
        printed = {item.source for item in study.cards.provenance if item.path.startswith(f"card.{card}.")}
        assert printed == {*row["source"].split(", ")}
    assert len(rows) == 13
    assert len(pooled.rows) == 8


def test_effects_on_the_page_are_near_the_exact_ones(section, study):
    table = section.tables[0]
    for row in table.frame.to_dict("records"):
        deck, card = row["name"].lower(), row["card_name"].lower()
        number, others = study.cards.ids.index(deck), [other for other in range(3) if study.cards.ids[other] != deck]
        changed = exact.replaced(study.game, study.cards, number, card)
        right = sum(exact.rate(study.cards, number, other) - exact.rate(changed, number, other) for other in others) / 2
        assert abs(row["effect"] - right) < 2.2 * (row["effect_high"] - row["effect_low"]) / 2


def test_games_are_stored_without_columns_by_card(study):
    assert not [column for column in study.seats_frame if column.startswith("drawn_turn")]
    assert study.card_tally.games.sum() == 2 * collect(study.main(2)).rows["seats"].size


def test_the_page_shows_which_decks_were_played_and_how_to_repeat_them(study, game):
    texts = {fact.label: fact.text for fact in facts(study, "")}
    assert texts["Decks"] == "3: Sharp, Heavy and Mixed"
    chosen = DeckChoice(random=6, seed=5).played(game, game.load(None))
    made = Study(game, chosen, POLICY, seed=5, budget=BUDGET, jobs=1)
    assert command_for(made) == "fairfight report deck_race --policy random --seed 5 --random-decks 6"


def test_without_cards_or_enough_decks_the_questions_are_left_out(study, coin_duel):
    other = Study(coin_duel, coin_duel.load(None), POLICY, budget=BUDGET, jobs=1)
    assert answered_section(other, Cards("cards", "?", drawn="x")) is None
    assert answered_section(other, Ask("keywords", "?", question="keywords")) is None


def test_parts_of_teams_are_pooled_if_nothing_can_be_replaced(relay_teams):
    """Any count by member works; here it is whether the runner ran far."""
    question = Cards("cards", "Who ran?", drawn_turn="", played_turn="", plays="steps", drawn="steps")
    teams = replace(relay_teams, questions=(question,), seats=(2,))
    register(teams)
    study = Study(teams, teams.load(None), POLICY, budget=BUDGET, jobs=1)
    tally = study.card_tally
    assert tally.cards.names == study.teams.names
    assert tally.drawn.sum() == tally.games.sum() * 2
    assert answered_section(study, question) is None  # all runners always run: nothing to compare
