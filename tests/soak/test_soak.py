"""The page on statistics has a row for every command that `make soak` measures, and the measures are correct."""

import numpy as np
import pandas as pd
import pytest

from tests.soak.soak import COMMANDS, PAGE, intervals, summary, write, written


def test_every_command_of_the_soak_has_a_row_on_the_page():
    table = written(PAGE.read_text(encoding="utf-8"))
    assert [command.name for command in COMMANDS if command.name not in table] == []
    assert sorted(set(table) - {command.name for command in COMMANDS}) == []
    assert [line for lines in table.values() for line in lines if "%" not in line] == []  # all are measured


def test_intervals_are_found_by_their_bounds():
    found = {
        "facts": {"seed": 1},
        "win_rates": [{"hero": "Ada", "win rate": 0.5, "low": 0.4, "high": 0.6, "verdict": "open", "seat 1": 0.4}],
        "shares": [{"name": "Ada", "share": 0.2, "low": 0.1, "high": 0.3, "alpha": 1.0, "alpha_low": None, "alpha_high": 1.0}],
        "turns": [{"turn": 3, "estimate": 1.0, "low": 0.5, "high": 1.5}],
    }
    lines = [(line["of"], line["line"], line["estimate"]) for line in intervals(found, ("facts",))]
    assert lines == [("win rates: win rate", "Ada", 0.5), ("shares: share", "Ada", 0.2), ("turns: estimate", "3", 1.0)]


def test_steps_quantities_and_levels_are_told_apart():
    steps = [
        {"rank": rank, "path": "move", "step": step, "change": 0.1, "low": 0.0, "high": 0.2} for rank, step in ((1, 1), (2, -1))
    ]
    summary_rows = [{"what": what, "estimate": 1.0, "low": 0.5, "high": 1.5} for what in ("changes", "drama")]
    by_seats = {"2": {"scores": [{"evaluation": name, "loss": 1.0, "low": 0.5, "high": 1.5} for name in ("fitted", "old")]}}
    found = {"steps": steps, "summary": summary_rows, "seats": by_seats}
    lines = [(line["of"], line["line"]) for line in intervals(found, ("fitted",))]
    assert lines[:2] == [("steps: change", "move / 1"), ("steps: change", "move / -1")]
    assert lines[2:] == [("summary: changes", "changes"), ("summary: drama", "drama"), ("scores: loss", "old")]


def test_lines_of_the_same_name_are_refused():
    found = pd.DataFrame({"of": "mean", "line": "a", "seed": [1, 1], "estimate": 1.0, "low": 0.0, "high": 2.0})
    with pytest.raises(ValueError, match="mean: several lines are called 'a'"):
        summary(found, 1)


@pytest.mark.parametrize("narrow", [1.0, 2.0])
def test_ratio_and_coverage_are_correct_for_normal_estimates(narrow):
    rng, seeds = np.random.default_rng(1), 400
    means = rng.normal(0, 1, (seeds, 5))
    found = pd.DataFrame({"of": "mean", "line": np.tile(list("abcde"), seeds), "seed": np.repeat(np.arange(seeds), 5)})
    found = found.assign(estimate=means.ravel(), low=means.ravel() - 1.96 / narrow, high=means.ravel() + 1.96 / narrow)
    line = summary(found, seeds).iloc[0]
    assert line["ratio"] == pytest.approx(narrow, rel=0.05)
    assert line["coverage"] == pytest.approx({1.0: 0.95, 2.0: 0.673}[narrow], abs=0.025)
    off = pd.Series(5.0, index=pd.MultiIndex.from_product([["mean"], list("abcde")], names=["of", "line"]))
    assert summary(found, seeds, off)["coverage"].iloc[0] < 0.01


def test_rows_of_other_commands_stay(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- soak -->\n<!-- end of soak -->\nAfter\n")
    first, second = (f"| {command.name} | x | 1 | 1 | 1 | 1.00 | 95.0 % |" for command in COMMANDS[:2])
    write({COMMANDS[1].name: [second]}, page)
    write({COMMANDS[0].name: [first]}, page)
    assert list(written(page.read_text())) == [COMMANDS[0].name, COMMANDS[1].name]
    assert page.read_text().startswith("Before\n")
    assert page.read_text().endswith("After\n")
