"""Terminal tables of win rates: values common to all lines are shown once, and JSON keeps them."""

import pytest

from analysis.document import prose
from analysis.document.model import percent
from analysis.winrates.play import play_for_tally
from analysis.winrates.tables import winrates_result
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES

ARENA = GAMES["arena"]


def summary(*policies: str, seats: int = 2):
    chosen = tuple(PolicySpec.parse(policy) for policy in policies)
    return winrates_result(play_for_tally(Experiment("arena", ARENA.load(None), seats, chosen, 112, 3), 1))


def test_the_fair_share_is_in_the_caption_and_stays_in_json():
    result = summary("random", seats=3)
    shown = result.printed[0]
    assert shown.caption == "Win rates at 3 seats (fair: 33.3\u202f%)"
    assert not any("fair" in table.columns for table in result.printed)
    kept = result.data["win_rates"]
    assert [row[kept.columns.index("fair")] for row in kept.rows] == pytest.approx([1 / 3] * 8)


def test_verdicts_are_the_same_words_in_terminal_json_and_csv():
    result = summary("random")
    shown, kept = result.printed[0], result.main
    words = [row[shown.columns.index("verdict")] for row in shown.rows]
    names = [row[kept.columns.index("verdict")] for row in kept.rows]
    assert "not decided" in names
    assert set(names) <= {*prose.UNFAIR, prose.FAIR, prose.OPEN}
    assert words == names
    assert prose.HEADING in shown.columns
    assert not {"p (Holm)", "p_fair"} & set(shown.columns)
    assert "p_fair" in kept.columns


def test_the_lines_name_the_card_set_and_explain_the_verdicts():
    lines = summary("random").lines
    assert lines[0].startswith(f"Arena reference set (digest {ARENA.load(None).digest}): 112 games, seed 3, policy random")
    assert any("fair share (45 to 55\u202f%)" in line and "fewer than 30 finished games" in line for line in lines)
    assert not any("Policies differ" in line for line in lines)
    assert "Policies differ by seat: compare the seat columns" in " ".join(summary("greedy:1", "random").lines)


def test_games_without_a_winner_are_reported_and_lower_the_fair_share():
    result = summary("random")
    experiment = Experiment("arena", ARENA.load(None), 2, (PolicySpec.parse("random"),), 112, 3)
    played = play_for_tally(experiment, 1)
    whole = int(played.tally.finished[2])
    played.tally.seat_wins[2] /= 2
    lost = whole - round(whole / 2)
    lines = " ".join(winrates_result(played).lines)
    assert f"{lost} finished games ({percent(lost / whole)}) had no winner and count as not won" in lines
    assert f"fair share ({prose.band((whole - lost) / whole / 2)})" in lines
    assert "had no winner" not in " ".join(result.lines)
