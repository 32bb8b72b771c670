"""The page on statistics has a row for every command that `make soak` measures, and the measures are correct."""

import numpy as np
import pandas as pd
import pytest

from tests.soak.soak import COMMANDS, PAGE, intervals, output, summary, write, written


def test_every_command_of_the_soak_has_a_row_on_the_page():
    table = written(PAGE.read_text(encoding="utf-8"))
    assert [command.name for command in COMMANDS if command.name not in table] == []
    assert sorted(set(table) - {command.name for command in COMMANDS}) == []
    assert [line for lines in table.values() for line in lines if "%" not in line] == []  # all are measured


def test_intervals_are_found_by_their_bounds():
    rates = {"name": "Ada", "estimate": 0.5, "low": 0.4, "high": 0.6, "verdict": "open", "seat_1": 0.4}
    changes = {"name": "Ada", "before": 0.2, "before_low": 0.1, "before_high": 0.3, "change": 0.5, "low": None, "high": 1.0}
    found = {
        "answer": "Ada wins most.",
        "facts": {"seed": 1, "spread": 0.1, "spread_low": 0.0, "spread_high": 0.2, "depth": {"steps": 2, "low": 1, "high": 3}},
        "win_rates": [rates],
        "changes": [changes],
        "levels": [{"level": "greedy", "turns": 9.0, "turns_low": 8.0, "turns_high": 10.0}],
        "steps": [
            {
                "step": -1,
                "change": 0.3,
                "low": 0.2,
                "high": 0.4,
                "spread_change": 0.1,
                "spread_change_low": 0,
                "spread_change_high": 1,
            }
        ],
        "pairs": [rates],
    }
    assert [(line["of"], line["line"], line["estimate"], line["low"]) for line in intervals(found, ("pairs",))] == [
        ("facts: spread", "", 0.1, 0.0),
        ("depth: steps", "", 2.0, 1.0),
        ("win rates: estimate", "Ada", 0.5, 0.4),
        ("changes: before", "Ada", 0.2, 0.1),
        ("levels: turns", "greedy", 9.0, 8.0),
        ("steps: change", "-1", 0.3, 0.2),
        ("steps: spread_change", "-1", 0.1, 0.0),
    ]


def test_rows_and_quantities_are_told_apart():
    turns = [{"turn": turn, "level": 0.1, "estimate": 1.0, "low": 0.5, "high": 1.5} for turn in (1, 2)]
    summary_rows = [{"what": what, "estimate": 1.0, "low": 0.5, "high": 1.5} for what in ("changes", "drama")]
    scores = [{"evaluation": name, "log_loss": 1.0, "low": 0.5, "high": 1.5} for name in ("fitted", "before")]
    found = {"facts": {}, "by_turn": turns, "summary": summary_rows, "scores": scores}
    lines = [(line["of"], line["line"]) for line in intervals(found, ("fitted",))]
    assert lines[:2] == [("by turn: estimate", "1"), ("by turn: estimate", "2")]
    assert lines[2:] == [("summary: changes", ""), ("summary: drama", ""), ("scores: log_loss", "before")]


def test_an_interval_without_a_known_estimate_is_refused():
    with pytest.raises(ValueError, match="goal: no column is known to have the bound 'low'"):
        list(intervals({"facts": {"goal": {"low": 0.4, "high": 0.6}}}))


@pytest.mark.parametrize(
    "command",
    [
        "winrates arena --games 112 --policy random --jobs 1",
        "whatif arena --set hero.rhino_guy.move=3 --games 112 --policy random --jobs 1",
        "skill arena --levels random,greedy:1 --games 160 --jobs 1",
    ],
)
def test_every_lower_bound_of_a_command_is_read_with_its_estimate(command):
    found = output(command, 1)
    lines = pd.DataFrame(intervals(found))
    facts = [found["facts"], *(value for value in found["facts"].values() if isinstance(value, dict))]
    rows = [*facts, *(row for table in found.values() if isinstance(table, list) for row in table)]
    bounds = [row[column] for row in rows for column in row if column == "low" or column.endswith("_low")]
    assert sorted(lines["low"]) == sorted(bound for bound in bounds if bound is not None)
    assert ((lines["low"] <= lines["estimate"]) & (lines["estimate"] <= lines["high"])).all()
    assert not lines.duplicated(["of", "line"]).any()


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
