"""Terminal tables of win rates: values common to all lines are shown once, and JSON keeps them."""

import pytest

from analysis.answer import verdicts
from analysis.answer.numbers import percent
from analysis.winrates.play import play_for_tally
from analysis.winrates.tables import winrates_result
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES

ARENA = GAMES["arena"]


def play(*policies: str, seats: int = 2):
    chosen = tuple(PolicySpec.parse(policy) for policy in policies)
    return play_for_tally(Experiment("arena", ARENA.load(None), seats, chosen, 112, 3), 1)


def summary(*policies: str, seats: int = 2):
    return winrates_result(play(*policies, seats=seats))


def column(table, name):
    return [row[table.columns.index(name)] for row in table.rows]


def test_the_fair_share_is_in_the_caption_and_verdicts_are_the_same_words_everywhere():
    result = summary("random", seats=3)
    shown, kept = result.printed[0], result.main
    assert shown.caption == "Win rates at 3 seats (fair: 33.3\u202f%)"
    assert not any({"fair", "p (Holm)", "p_fair"} & set(table.columns) for table in result.printed[:1])
    assert kept is result.data["win_rates"]
    assert column(kept, "fair") == pytest.approx([1 / 3] * 8)
    assert "p_fair" in kept.columns
    words = column(kept, "verdict")
    assert column(shown, "verdict") == words
    assert "not decided" in words
    assert set(words) <= {*verdicts.UNFAIR, verdicts.FAIR, verdicts.OPEN}


def test_the_lines_name_the_card_set_and_explain_the_verdicts():
    lines = summary("random").lines
    assert lines[0].startswith(f"Arena reference set (digest {ARENA.load(None).digest}): 112 games, seed 3, policy random")
    assert any("fair share (45 to 55\u202f%)" in line and "fewer than 30 finished games" in line for line in lines)
    assert ["Policies differ by seat" in " ".join(summary(*two).lines) for two in (("random",), ("greedy:1", "random"))] == [0, 1]


def test_games_without_a_winner_are_reported_and_lower_the_fair_share():
    played = play("random")
    assert "had no winner" not in " ".join(winrates_result(played).lines)
    whole = int(played.tally.finished[2])
    played.tally.seat_wins[2] /= 2
    lost = whole - round(whole / 2)
    lines = " ".join(winrates_result(played).lines)
    assert f"{lost} finished games ({percent(lost / whole)}) had no winner and count as not won" in lines
    assert f"fair share ({verdicts.band((whole - lost) / whole / 2)})" in lines
