"""Sections on causes, endings, sources, luck, first times and worth: equal to direct computation, well-formed sentences."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.answer.model import Section
from analysis.answer.page import Page
from analysis.data.study import Study
from analysis.report.pages import answer
from analysis.report.write import write_report
from analysis.stats.intervals import proportion
from sim.engine.loop import Status
from sim.engine.questions import Endings
from tests.analysis.report.dungeon import CAUSES, ITEMS, NAMES, QUESTIONS, SOURCES, drawn, dungeon
from tests.analysis.report.reading import lines

GAMES = 400
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture(scope="module")
def study() -> Study:
    return dungeon(GAMES)


@pytest.fixture(scope="module")
def sections(study) -> dict[str, Section]:
    answers = {question.id: answer(study, question) for question in QUESTIONS}
    return {name: section for name, section in answers.items() if section is not None}


@pytest.fixture(scope="module")
def four():
    """Rows and outcomes of the four-seat games."""
    return drawn(4, GAMES, seed=1)


def test_sections_can_be_written_to_a_page(sections, tmp_path):
    page = Page("Dungeon", "Invented", "dungeon", (), tuple(sections.values()))
    html = write_report(page, tmp_path).read_text()
    assert html.count("<svg") >= 7
    again = answer(dungeon(GAMES), BY_ID["worth"])
    assert again is not None
    assert again.answer == sections["worth"].answer
    assert [table.rows for table in again.tables] == [table.rows for table in sections["worth"].tables]


def test_deaths_are_counted_by_entrant_and_cause_in_all_games(sections, four):
    rows, outcomes = four
    sits = rows["entrant"][:, :4] == NAMES.index("Rogue")
    deaths = outcomes["deaths"][:, :4, : len(CAUSES)][sits]
    (row,) = lines(sections["deaths"], "deaths", seats=4, character="Rogue")
    assert (row["deaths"], row["n"]) == (deaths.sum(), sits.sum())
    assert row["per game"] == pytest.approx(deaths.sum(axis=1).mean())
    half = stats.t.ppf(0.975, len(deaths) - 1) * deaths.sum(axis=1).std(ddof=1) / np.sqrt(len(deaths))
    assert (row["low"], row["high"]) == pytest.approx((row["per game"] - half, row["per game"] + half))
    by_cause = lines(sections["deaths"], "deaths-by-cause", seats=4, character="Rogue")
    assert {each["cause"]: each["deaths"] for each in by_cause} == {
        cause: number for cause, number in zip(CAUSES, deaths.sum(axis=0).tolist(), strict=True) if cause and number
    }


def test_first_deaths_add_up_to_one_with_the_share_that_never_died(sections, four):
    rows, outcomes = four
    first = outcomes["first_death"][:, :4][rows["entrant"][:, :4] == 0]
    deaths = lines(sections["deaths"], "first-deaths", seats=4, character=NAMES[0])
    assert deaths[-1]["share"] == pytest.approx((first == 0).mean())
    for row in deaths:
        assert row["share"] == pytest.approx(((first == 0) | (first > row["rounds"])).mean())
        assert row["low"] <= row["share"] <= row["high"]


def test_rare_causes_are_drawn_together_but_listed_in_the_table(study, sections):
    chart = sections["deaths"].figures[0].figure
    texts = {text.get_text() for text in chart.texts}
    assert "other" in texts
    assert len(texts & set(CAUSES)) == 7
    assert {row["cause"] for row in lines(sections["deaths"], "deaths-by-cause")} == set(CAUSES) - {""}
    few = answer(study, replace(BY_ID["deaths"], rare=0.3))
    assert {text.get_text() for text in few.figures[0].figure.texts} & set(CAUSES) == {"trap"}


def test_truncated_games_are_a_separate_ending(sections, four):
    rows, outcomes = four
    stopped = rows["status"] == Status.TRUNCATED
    endings = {row["ending"]: row for row in lines(sections["endings"], "endings", seats=4)}
    assert endings["stopped at a limit"]["games"] == stopped.sum() > 0
    exits = int((outcomes["ending"][~stopped] == 1).sum())
    right = proportion(exits, GAMES)
    row = endings["exit"]
    assert (row["games"], row["share"], row["low"], row["high"], row["n"]) == pytest.approx(
        (exits, right.estimate, right.low, right.high, GAMES)
    )
    assert sum(row["games"] for row in endings.values()) == GAMES
    assert "running" not in endings
    assert "\u201cforfeit\u201d" in sections["endings"].answer
    alone = answer(dungeon(60, (1,)), replace(BY_ID["endings"], always=("dragon",)))
    assert "\u201cdragon\u201d never; \u201cstopped at a limit\u201d never" in alone.answer


def test_endings_with_a_flag_are_distinguished(study):
    games = study.games_frame.assign(stuck=study.games_frame["game"] % 2)
    flagged = dungeon(GAMES)
    vars(flagged)["_played"] = (study.tally, games, study.seats_frame)
    question = Endings("endings", "How?", ending="ending", apart="stuck", apart_words="when stuck")
    counts = {row["ending"]: row["games"] for row in lines(answer(flagged, question), "endings", seats=4)}
    whole = {row["ending"]: row["games"] for row in lines(answer(study, BY_ID["endings"]), "endings", seats=4)}
    assert counts["exit when stuck"] > 0
    assert counts["exit"] + counts["exit when stuck"] == whole["exit"]
    assert counts["stopped at a limit"] == whole["stopped at a limit"]


def test_points_of_winners_and_losers_are_means_over_finished_games(sections, four):
    rows, outcomes = four
    done = rows["status"] == Status.FINISHED
    won, points = rows["share"][done, :4] > 0, outcomes["points"][done, :4]
    for who, seats in (("winners", won), ("losers", ~won)):
        for index, source in enumerate(SOURCES):
            (row,) = lines(sections["sources"], "sources", seats=4, who=who, source=source)
            assert row["mean points"] == pytest.approx(points[seats][:, index].mean())
            assert row["low"] <= row["mean points"] <= row["high"]
        (row,) = lines(sections["sources"], "sources", seats=4, who=who, source="all together")
        assert row["mean points"] == pytest.approx(points[seats].sum(axis=1).mean())
        assert row["n"] == done.sum()
    assert "Points at four seats: winners have" in sections["sources"].answer


def test_luck_bins_hold_every_seat_of_finished_games_once(sections, four):
    rows, outcomes = four
    done = rows["status"] == Status.FINISHED
    shop, share = outcomes["first_shop"][done, :4].ravel(), rows["share"][done, :4].ravel()
    bins = lines(sections["luck"], "luck", seats=4)
    assert sum(row["n"] for row in bins) == shop.size
    assert bins[-1]["round of the first shop"] == "never"
    assert bins[-1]["n"] == (shop == 0).sum()
    low, high = map(int, bins[0]["round of the first shop"].split(" to "))
    inside = (shop >= low) & (shop <= high)
    assert (bins[0]["n"], bins[0]["win rate"]) == (inside.sum(), pytest.approx(share[inside].mean()))
    assert {row["fair share"] for row in bins} == {0.25}
    (tie,) = lines(sections["luck"], "luck-correlation", seats=4)
    late = np.where(shop == 0, np.inf, shop)
    assert tie["rank correlation"] == pytest.approx(stats.spearmanr(late, share).statistic)


def test_a_lone_player_has_no_fair_share(sections):
    alone = lines(sections["luck"], "luck", seats=1)
    assert alone
    assert {row["fair share"] for row in alone} == {None}
    assert "no fair share" in " ".join(text.get_text() for text in sections["luck"].figures[0].figure.texts)
    assert len(lines(sections["worth"], "worth-worth", seats=1)) == len(ITEMS)
    assert "does not prove a cause" in sections["luck"].note
    assert "selection, not cause" in sections["worth"].note


def test_milestones_show_when_and_in_how_many_games(sections, four):
    _, outcomes = four
    rush = outcomes["rush_round"]
    (row,) = lines(sections["milestones"], "milestones", seats=4, what="end rush", counted="End rush begun")
    right = proportion(int((rush > 0).sum()), GAMES)
    assert (row["ever"], row["low"], row["high"], row["n"]) == pytest.approx((right.estimate, right.low, right.high, GAMES))
    late = np.where(rush > 0, rush, np.inf)
    assert row["half of the games by (rounds)"] == np.quantile(late, 0.5, method="inverted_cdf")
    assert row["median where it happens (rounds)"] == np.quantile(rush[rush > 0], 0.5, method="inverted_cdf")
    for each in ("first shop", "key", "end rush"):
        assert each in sections["milestones"].answer


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
        answer(study, replace(BY_ID["worth"], arguments={"has": "worn", "price": [*price]}))


def test_worth_without_a_price_shows_no_price(study):
    free = answer(study, replace(BY_ID["worth"], arguments={"has": "worn"}))
    assert "per gold" not in free.tables[0].columns
    assert len(free.figures[0].figure.axes) == 1


def test_events_that_never_happen_are_left_out_or_reported():
    quiet = dungeon(40, (2, 3))
    tally, games, seats = vars(quiet)["_played"]
    games = games.assign(shop_seen=0, key_seen=0, rush_round=0)
    never = {column: 0 for column in seats.columns if column.startswith(("deaths", "points", "worn", "first_"))}
    vars(quiet)["_played"] = (tally, games, seats.assign(**never))
    assert [question.id for question in QUESTIONS if answer(quiet, question) is None] == ["deaths", "luck"]
    assert "happens in 0.0" in answer(quiet, BY_ID["milestones"]).answer
    assert "winners have 0.00" in answer(quiet, BY_ID["sources"]).answer
