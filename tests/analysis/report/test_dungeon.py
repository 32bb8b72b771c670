"""Sections on causes, endings, sources, luck, first times and worth: equal to direct computation, well-formed sentences."""

from dataclasses import replace

import pytest

from analysis.answer.model import Section
from analysis.answer.page import Page
from analysis.data.study import Study
from analysis.report.pages import answered_section
from analysis.report.write import write_report
from sim.engine.loop import Status
from tests.analysis.report.dungeon import ITEMS, QUESTIONS, drawn, dungeon
from tests.analysis.report.reading import lines

GAMES = 400
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture(scope="module")
def study() -> Study:
    return dungeon(GAMES)


@pytest.fixture(scope="module")
def sections(study) -> dict[str, Section]:
    answers = {question.id: answered_section(study, question) for question in QUESTIONS}
    return {name: section for name, section in answers.items() if section is not None}


@pytest.fixture(scope="module")
def four():
    """Rows and outcomes of the four-seat games."""
    return drawn(4, GAMES, seed=1)


@pytest.mark.slow
def test_sections_can_be_written_to_a_page(sections, tmp_path):
    page = Page("Dungeon", "Invented", "dungeon", (), tuple(sections.values()))
    html = write_report(page, tmp_path).read_text()
    assert html.count("<svg") >= 2
    again = answered_section(dungeon(GAMES), BY_ID["worth"])
    assert again is not None
    assert again.answer == sections["worth"].answer
    assert [table.rows for table in again.tables] == [table.rows for table in sections["worth"].tables]


def test_worth_compares_seats_with_a_part_and_without_it(sections, four):
    rows, outcomes = four
    done = rows["status"] == Status.FINISHED
    worn, share = outcomes["worn"][done, :4] > 0, rows["share"][done, :4]
    for index, (item, gold) in enumerate(ITEMS):
        (row,) = lines(sections["worth"], "worth-worth", seats=4, thing=item)
        has = worn[..., index]
        assert (row["n (with)"], row["n (without)"], row["gold"]) == (has.sum(), (~has).sum(), gold)
        if has.any():
            change = share[has].mean() - share[~has].mean()
            assert row["change"] == pytest.approx(change)
            assert row["per gold"] == pytest.approx(change / gold)
            assert row["low"] < change < row["high"]
        else:
            assert row["change"] is None
    assert "seats with crown win " in sections["worth"].answer


@pytest.mark.parametrize(
    ("price", "message"),
    [
        (("shop", "gold"), "the card file has no table 'shop'"),
        (("item",), "must be a table of the card file and a number"),
        (("item", "silver"), "no row of item has a number 'silver'"),
    ],
)
def test_a_wrong_price_is_refused(study, price, message):
    with pytest.raises(ValueError, match=message):
        answered_section(study, replace(BY_ID["worth"], arguments={"has": "worn", "price": [*price]}))


def test_worth_without_a_price_shows_no_price(study):
    free = answered_section(study, replace(BY_ID["worth"], arguments={"has": "worn"}))
    assert "per gold" not in free.tables[0].columns
    assert len(free.figures[0].figure.axes) == 1
