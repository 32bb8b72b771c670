"""Claims of a report's sentences: only those that hold after adjustment over all tests of the section."""

import numpy as np
import pandas as pd
import pytest

from analysis.answer import verdicts
from analysis.answer.prose import SENTENCE_GAMES
from analysis.data.study import Study
from analysis.questions.parameters import sentence
from analysis.questions.winrates import first_words
from analysis.report import headline
from analysis.stats.intervals import FAIR_BAND, proportion, proportions
from analysis.variants.parameter_effects import nearest
from analysis.variants.variant import SURE
from sim.registry import GAMES
from tests.analysis.covering import error
from tests.every_game.play import shortened

NAMES = [f"Hero {letter}" for letter in "ABCDEFGH"]
STUDY = Study(GAMES["arena"], GAMES["arena"].load(None))


def rates(wins: list[int], n: int, seats: list[int], names: list[str], together: int = 0) -> pd.DataFrame:
    """Win rates with the columns that the headline reads. together: rows whose intervals hold together, by default all."""
    frame = proportions(wins, [n] * len(wins), verdicts.row_level(together or len(wins))).assign(
        wins=wins, seats=seats, name=names
    )
    return verdicts.with_verdicts(frame.assign(fair=1 / frame["seats"]))


def positions(**values: float) -> pd.DataFrame:
    """Turn positions as the headline reads them: none, or one at three seats."""
    frame = headline.no_rows("seats", "position", "estimate", "fair", "unfair", "distance")
    return pd.DataFrame([{"seats": 3, "position": 0, "fair": 1 / 3, "unfair": True, **values}]) if values else frame


def headline_of(frame: pd.DataFrame) -> tuple[str, str]:
    """Findings of the headline, and undecided entrants."""
    judged = headline.compared(frame.assign(id="hero"))
    findings = [*headline._unfair(STUDY, judged, positions(), pd.DataFrame()), *headline._others(STUDY, judged)]
    named = " ".join(finding.text for finding in findings if finding.tone in ("strong", "weak"))
    return named, " ".join(finding.text for finding in findings if finding.tone == "open")


@pytest.mark.soak
def test_heroes_on_the_edge_of_the_band_are_named_in_at_most_one_of_twenty_reports():
    rng = np.random.default_rng(1)
    seats = np.repeat([2, 3, 4], 8)
    runs, n = shortened(1000), 5000
    wins = rng.binomial(n, np.tile([1.1, 0.9] * 4, 3) / seats, (runs, 24))
    games = wins.ravel().tolist(), n, list(seats) * runs, NAMES * 3 * runs
    together, alone = (
        rates(*games, rows)["verdict"].isin(verdicts.UNFAIR).to_numpy().reshape(runs, 24).any(axis=1) for rows in (24, 1)
    )
    assert together.mean() <= 0.05 + 3 * error(runs)
    assert alone.mean() > 0.2  # claims by the intervals of the rows alone


def test_heroes_significantly_beyond_the_band_are_named_with_the_criterion():
    frame = rates([620, 500, 380, 500], 1000, [2] * 4, NAMES[:4])
    named, _ = headline_of(frame)
    assert "Hero A is too strong: it wins 62.0" in named
    assert "Hero C is too weak" in named


def test_the_largest_unfairness_comes_first_whatever_it_is_and_at_any_number_of_seats():
    frame = headline.compared(rates([620, 500, 380, 500], 1000, [2] * 4, NAMES[:4]).assign(id=["a", "b", "c", "d"]))
    first = positions(estimate=0.107, distance=0.68)
    findings = headline._unfair(STUDY, frame, first, pd.DataFrame())
    assert [finding.tone for finding in findings] == ["weak", "strong", "weak"]
    assert findings[0].text.replace("\u202f", " ") == "At three seats the first player wins 10.7 %; 33.3 % is fair."
    assert [finding.command for finding in findings[:2]] == ["fairfight seats arena --seats 3", "fairfight explain arena a"]
    verdict = headline._verdict(STUDY, frame, first.assign(sure=True))
    assert verdict.text.replace("\u202f", " ") == (
        "Not fair: the first player wins 10.7 % at three seats; 1 too strong and 1 too weak."
    )
    small = first.assign(estimate=0.31, distance=0.07, unfair=False, sure=True)
    verdict = headline._verdict(STUDY, frame, small)
    assert verdict.text.startswith("Not fair: 1 too strong and 1 too weak; the first player wins 2.3 points less")


def test_an_entrant_is_named_with_all_numbers_of_seats_at_which_it_is_unfair_in_their_order():
    frame = pd.concat([rates([wins], 1000, [seats], NAMES[:1]) for seats, wins in ((4, 450), (2, 600), (3, 500))])
    ((_, finding),) = headline._unfair_entrants(STUDY, headline.compared(frame.assign(id="a")), pd.DataFrame())
    assert finding.text.replace("\u202f", " ") == (
        "Hero A is too strong: it wins 60.0 % at two seats, 50.0 % at three seats and 45.0 % at four seats."
    )
    assert finding.command == "fairfight explain arena a --seats 4"


def test_no_finding_is_about_a_rate_from_fewer_games_than_a_sentence_takes():
    few = rates([95, 0], SENTENCE_GAMES - 1, [2] * 2, NAMES[:2])
    assert few["verdict"].tolist() == ["too strong", "too weak"]
    assert headline_of(few) == ("", "")
    assert "Hero A is too strong" in headline_of(rates([95, 0], SENTENCE_GAMES, [2] * 2, NAMES[:2]))[0]


def test_numbers_of_seats_with_too_few_games_for_a_sentence_are_named():
    study = Study(GAMES["arena"], GAMES["arena"].load(None))
    assert study.contests == (2, 3, 4)
    both = pd.concat([rates([60], SENTENCE_GAMES, [2], NAMES[:1]), rates([60], SENTENCE_GAMES - 1, [4], NAMES[:1])])
    finding = headline._left_out(study, headline.compared(both))
    where = "at three seats and at four seats"
    assert finding.text == f"Only in the tables: win rates {where}, from fewer than 100 games of each hero."
    assert headline._left_out(study, rates([60] * 3, SENTENCE_GAMES, [2, 3, 4], NAMES[:3])) is None


def test_a_step_that_makes_an_entrant_fair_in_new_games_follows_it_with_its_command():
    frame = headline.compared(rates([620, 380], 1000, [2] * 2, NAMES[:2]).assign(id=["a", "b"]))
    step = {"name": NAMES[0], "seats": 2, "field": "Defence", "path": "hero.a.defence", "present": 2, "value": 1, "after": 0.503}
    findings = headline._unfair(STUDY, frame, positions(), pd.DataFrame([step]))
    assert [finding.tone for finding in findings] == ["strong", "fair", "weak"]
    assert findings[1].text.replace("\u202f", " ") == (
        "\u201cDefence\u201d from 2 to 1 brings Hero A to 50.3 % at two seats, within the fair band."
    )
    assert findings[1].command == "fairfight whatif arena --set hero.a.defence=1"


def test_a_hero_beyond_the_band_only_by_its_own_interval_is_not_decided():
    frame = rates([584, *[500] * 7], 1000, [2] * 8, NAMES)
    assert proportion(584, 1000).low > 0.55 > frame["low"].iloc[0]
    assert frame["verdict"].iloc[0] == "not decided"
    assert pytest.approx(0.1) == FAIR_BAND  # `a tenth`
    assert (verdicts.BAND_WORDS, verdicts.band(0.5), verdicts.band(1 / 3)) == ("a tenth", "45 to 55\u202f%", "30 to 36.7\u202f%")
    named, left = headline_of(frame)
    assert named == ""
    assert "Hero A (two seats)" in left


def test_games_without_a_winner_or_an_opponent_get_no_verdict():
    frame = pd.concat([rates([620], 1000, [2], NAMES[:1]), rates([9], 10, [1], ["Solo"])])
    frame.loc[frame["seats"] == 1, "fair"] = np.nan
    judged = verdicts.with_verdicts(frame.reset_index(drop=True))
    assert judged["verdict"].tolist() == ["too strong", ""]


def steps(p: list[float], after: list[float], truncated: tuple[int, int] = (0, 0)) -> pd.DataFrame:
    """Steps of an outlier at 60 %, in the columns of the section."""
    frame = pd.DataFrame({"p": p, "after": after, "field": ["Move", "Defence"], "present": 3, "value": [2, 4]})
    frame = frame.assign(name="Hero A", before=0.6, before_low=0.58, before_high=0.62, n=2000)
    frame = frame.assign(truncated_before=truncated[0], truncated_after=truncated[1])
    change = frame["after"] - frame["before"]
    ends = {"low": change - 0.01, "high": change + 0.01, "expected": frame["after"]}
    return frame.assign(change=change, sure=frame["p"] < SURE, **ends)


def test_a_step_within_chance_is_not_recommended():
    assert nearest(steps([0.3, 0.2], [0.58, 0.59]), 0.5) is None
    assert nearest(steps([0.3, 0.001], [0.5, 0.56]), 0.5)["field"] == "Defence"
    assert nearest(steps([0.001, 0.001], [0.2, 0.52]), 0.5)["field"] == "Defence"


def test_the_best_step_ends_nearer_to_the_fair_share():
    weak = steps([0.001, 0.001], [0.1, 0.33]).assign(change=[-0.2, 0.03])
    assert nearest(weak, 0.5)["field"] == "Defence"  # the other moves it much farther, but down
    assert nearest(weak.assign(expected=[0.1, 0.2], change=[-0.2, -0.1]), 0.5) is None


def test_the_sentence_shows_only_the_win_rate_with_the_step_in_new_games():
    part = steps([0.3, 0.001], [0.5, 0.56]).assign(after_low=0.55, after_high=0.57)
    again = pd.DataFrame(
        {"name": "Hero A", "seats": [2, 3], "after": [0.57, 0.464], "after_low": [0.56, 0.4], "after_high": 0.58}
    )
    assert sentence(part, again, 2).replace("\u202f", " ") == (
        "\u201cDefence\u201d from 3 to 4 brings Hero A nearest to fair: 57.0 % (56.0 to 58.0 %) in new games."
    )
    unsure = sentence(part.assign(sure=False), again.iloc[:0], 2).replace("\u202f", " ")
    assert unsure == "No step surely brings Hero A nearer to the fair 50.0 %."


@pytest.mark.parametrize(("share", "words"), [(0.2502, "no different from the fair 25.0"), (0.256, "0.6 points above")])
def test_a_first_move_without_effect_is_reported_so(share, words):
    frame = pd.DataFrame({"estimate": [share, 0.25], "fair": 0.25, "low": share - 0.01, "high": share + 0.01, "n": 100})
    text = first_words(frame, 4)
    assert words in text
    assert ("may be chance" in text) == ("points" in text)
