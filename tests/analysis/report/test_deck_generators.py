"""The report section on deck generators, on a tiny game with two of them."""

from dataclasses import replace

import pandas as pd
import pytest

from analysis.charts import strands, style
from analysis.data.study import Budget, Study
from analysis.decks.section import _agreement_answer, _changes_answer
from analysis.report.pages import answer
from sim.engine.decks import DEFAULT_GENERATOR, DeckGenerator, Made
from sim.engine.policies import PolicySpec
from sim.engine.questions import DeckGenerators
from sim.seeds import derived_seed
from tests.analysis.charts.test_charts import HOSTILE, dots, outside, parts
from tests.analysis.report.budgets import FEW
from tests.analysis.report.card_frames import WAYS, valued

FRESH = derived_seed(3, "fresh games")

ASKED = DeckGenerators("deck-generators", "Do decks made otherwise value the cards alike?", decks=40)
POLICY = PolicySpec.parse("random")
BUDGET = Budget(**FEW, games=800, step_games=20, variant_games=20)


@pytest.fixture
def study(deck_race) -> Study:
    return Study(deck_race, deck_race.load(None), POLICY, seed=3, budget=BUDGET, jobs=1)


def rows(table) -> list[dict]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.fixture
def section(study):
    return answer(study, ASKED)


def test_every_generator_has_a_column_and_the_tables_hold_its_numbers(section):
    (chart,) = section.figures
    assert [text.get_text() for text in parts(chart.figure, "column")] == ["random decks", "decks from sealed pools"]
    assert dots(chart.figure, "dot") == 16
    agreement, worth, changes = section.tables
    (line,) = rows(agreement)
    assert (line["way"], line["other way"], line["cards"]) == ("random decks", "decks from sealed pools", 8)
    assert line["tau low"] <= line["Kendall's tau"] <= line["tau high"]
    assert line["pairs in the same order"] == pytest.approx((1 + line["Kendall's tau"]) / 2, abs=1e-3)
    for row in rows(worth):
        for way in (line["way"], line["other way"]):
            assert row[f"{way} low"] < row[way] < row[f"{way} high"]
            assert 0 < row[f"{way}: held by"] <= 40
    by_card = {row["card"]: row for row in rows(worth)}
    assert len(by_card) == len(changes.rows) == 8
    for row in rows(changes):
        gap = by_card[row["card"]][row["to"]] - by_card[row["card"]][row["from"]]
        assert row["change"] == pytest.approx(gap, abs=0.01)  # percentage points at an even match


def test_the_answer_gives_the_agreement_of_the_orders_and_the_note_explains_it(section):
    (line,) = rows(section.tables[0])
    assert section.answer.startswith("Share of pairs of eight cards in the same order: ")
    tau = line["Kendall's tau"]
    assert f"Kendall's tau is {tau:.2f}" in section.answer
    for words in (
        "drawn at random from all cards",
        "each from a pool of 5 random cards",
        f"seed {FRESH}",
        "posterior",
        "an association",
    ):
        assert words in section.note
    assert "800 games in each way between 40 random decks and 40 decks from sealed pools" in section.figures[0].caption


def test_cards_that_a_generator_never_picks_are_left_out_and_named(study, deck_race):
    def without_hens(document, number, chance):
        decks = deck_race.decks.generators[DEFAULT_GENERATOR].make(document, 4 * number, chance).decks
        return Made(dict([item for item in decks.items() if "hen" not in item[1].cards][:number]))

    decking = replace(
        deck_race.decks, generators={**deck_race.decks.generators, "henless": DeckGenerator(without_hens, "henless decks")}
    )
    section = answer(replace(study, game=replace(deck_race, decks=decking)), ASKED)
    agreement, worth, _ = section.tables
    assert [row["cards"] for row in rows(agreement)] == [7] * 3
    assert "Hen" not in [row["card"] for row in rows(worth)]
    assert "In henless decks, fewer than 10 decks differ in Hen, left out in all ways." in section.note


def test_games_without_decks_or_with_one_generator_have_no_such_question(study, deck_race, coin_duel):
    other = Study(coin_duel, coin_duel.load(None), POLICY, budget=BUDGET, jobs=1)
    assert answer(other, ASKED) is None
    decking = replace(deck_race.decks, generators={DEFAULT_GENERATOR: deck_race.decks.generators[DEFAULT_GENERATOR]})
    assert answer(replace(study, game=replace(deck_race, decks=decking)), ASKED) is None
    assert answer(study, replace(ASKED, decks=12)) is None


def test_all_pairs_of_generators_are_compared_and_the_clearest_cards_named():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    agreed = [
        {"first": first, "second": second, "tau": tau, "low": tau - 0.2, "high": tau + 0.2, "things": 31}
        for (first, second), tau in zip(pairs, (0.5, 0.2, 0.6), strict=True)
    ]
    text = _agreement_answer(pd.DataFrame(agreed)).replace("\u202f", " ")
    assert text.startswith("Share of pairs of 31 cards in the same order: 80 % (95 % interval 70")
    assert text.index("between b and c") < text.index("between a and b") < text.index("between a and c")
    assert "tau is 0.60, 0.50 and 0.20" in text
    moves = pd.DataFrame(
        {"card_name": [*"vwxyz"], "first": "a", "second": "b", "change": [0.01, -0.04, 0.02, 0.03, 0.001]}
    ).assign(low=-0.1, high=0.1, p_holm=[0.01, 0.01, 0.01, 0.01, 0.9])
    four = "Of five differences between ways, four are significant: w by \u22124.0 points a copy in b against a"
    assert _changes_answer(moves).startswith(four)
    assert _changes_answer(moves).endswith("and others by less.")
    assert _changes_answer(moves[4:]).startswith("No card is worth significantly more in one way than in another")


# ---- the chart -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [HOSTILE[:1], HOSTILE, tuple(f"{name} {number}" for number in range(6) for name in HOSTILE)])
def test_strands_accept_a_single_name_long_names_and_markup(names):
    figure = strands(valued(tuple(dict.fromkeys(names))))
    assert outside(figure) == []
    assert len(parts(figure, "label")) == 2 * len(dict.fromkeys(names))


def test_strands_colour_only_significant_segments_and_show_their_intervals():
    frame = valued()
    figure = strands(frame)
    lines = parts(figure, "line")
    assert len(lines) == 8 * (len(WAYS) - 1)
    assert [line.get_color() for line in lines if line.get_color() != style.FAINT] == [style.WEAK]
    assert len(parts(figure, "interval")) == 2
    assert not parts(strands(frame.assign(sure=False)), "interval")
    assert dots(strands(frame[frame["column"] == WAYS[0]]), "dot") == 8
