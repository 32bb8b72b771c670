"""Pig, a game of another distribution: its optimal policy by value iteration, as published, and the commands that analyse it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from analysis.stats.intervals import proportion
from analysis.workbench import bench
from sim.check import faults
from sim.engine import contract
from sim.engine.cards import CardError, changed
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from sim.run import collect
from tests.conftest import ROOT
from tests.every_game.play import enough
from tests.plugins.building import Site

pytestmark = pytest.mark.soak

TARGET, FACES = 100, 6
ROLL, HOLD = 0, 1
PUBLISHED = 53.06  # per cent of games that the first player wins under optimal play (Neller and Presser 2004)


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game from its sources, registered during one test."""
    monkeypatch.syspath_prepend(ROOT / "tests/plugins/pig")
    from pig import GAME  # noqa: PLC0415 - on the path only now

    yield register(GAME)
    del GAMES[GAME.name]


@pytest.fixture
def begin(pig: Game) -> np.ndarray:
    """Chance of the seat that begins its turn, by its score and the opponent's."""
    return sys.modules["pig"].winning_chances(TARGET, FACES)


def test_value_iteration_gives_the_published_chance_of_the_first_player(begin: np.ndarray):
    assert round(100 * begin[0, 0], 2) == PUBLISHED


def test_the_chances_satisfy_the_optimality_equations(begin: np.ndarray):
    """Written out for single scores: each turn total is worth the better of holding and the mean over the faces."""
    for mine, theirs in ((0, 0), (0, 99), (37, 64), (80, 20), (98, 98), (99, 0)):
        worth = dict.fromkeys(range(TARGET - mine, TARGET + FACES + 1), 1.0)
        for total in range(TARGET - mine - 1, -1, -1):
            rolled = (1 - begin[theirs, mine] + sum(worth[total + face] for face in range(2, FACES + 1))) / FACES
            worth[total] = max(rolled, 1 - begin[theirs, mine + total]) if total else rolled
        assert worth[0] == pytest.approx(begin[mine, theirs], abs=1e-10)


def test_at_one_point_to_go_each_roll_wins_with_five_faces(begin: np.ndarray):
    """So the first to roll wins 5/6 + 1/36 of 5/6 + ..."""
    assert begin[99, 99] == pytest.approx((5 / 6) / (1 - 1 / 36), abs=1e-10)


def test_the_game_keeps_the_contract(pig: Game):
    assert faults(pig) == []


def placed(pig: Game, scores: tuple[int, int], total: int = 0, turn: int = 0) -> np.void:
    state = np.zeros(1, pig.state)[0]
    position = {"players": ["piglet", "piglet"], "scores": [*scores], "total": total, "turn": turn}
    pig.words.place(position, pig.load(None), state)
    return state


def test_evaluation_agrees_with_the_table_and_with_the_mean_over_the_faces(pig: Game, begin: np.ndarray):
    cards = pig.load(None).record[0]
    assert contract.evaluate(placed(pig, (37, 64)), cards, 0) == pytest.approx(begin[37, 64], abs=1e-10)
    assert contract.evaluate(placed(pig, (37, 64)), cards, 1) == pytest.approx(1 - begin[37, 64], abs=1e-10)
    assert contract.evaluate(placed(pig, (37, 64), turn=1), cards, 1) == pytest.approx(begin[64, 37], abs=1e-10)
    values, options = np.full(2, np.nan), np.array([ROLL, HOLD], np.int32)
    assert contract.evaluate_options(placed(pig, (37, 64), total=12), cards, 0, options, 2, values)
    after = [contract.evaluate(placed(pig, (37, 64), total=12 + face), cards, 0) for face in range(2, FACES + 1)]
    assert values[ROLL] == pytest.approx((1 - begin[64, 37] + sum(after)) / FACES, abs=1e-10)
    assert values[HOLD] == pytest.approx(1 - begin[64, 37 + 12], abs=1e-10)


def test_simulated_optimal_players_win_as_often_as_computed(pig: Game, begin: np.ndarray):
    greedy = (PolicySpec.parse("greedy:1"),)
    experiment = Experiment("pig", pig.load(None), 2, greedy, enough(40_000, 100), seed=1, line_up=(0, 0))
    share = collect(experiment, jobs=1).rows["share"][:, 0]
    interval = proportion(int(share.sum()), len(share))
    assert interval.low <= PUBLISHED / 100 <= interval.high
    assert interval.low <= begin[0, 0] <= interval.high


def test_the_workbench_moves_the_worth_of_going_first_to_the_exact_chance(pig: Game, begin: np.ndarray, monkeypatch):
    monkeypatch.setattr(bench, "CHUNK_SECONDS", 1e6)  # chunks whose sizes do not depend on the speed of this machine
    only_piglet = {**pig.load(None).document, "player": pig.load(None).document["player"][:1]}
    base = Experiment("pig", pig.from_document(only_piglet), 2, (PolicySpec.parse("greedy:1"),), 1, seed=3)
    workbench = bench.Bench(base, most=enough(8_000, 40), goal=0)
    workbench.edit("rules.second_start", "8")
    while (job := workbench.job()) is not None:
        job()
    assert not workbench.error
    first = workbench.standing().first
    assert first["before_low"] <= begin[0, 0] <= first["before_high"]
    assert first["after_low"] <= begin[0, 8] <= first["after_high"]


def test_a_handicap_that_has_won_already_is_refused(pig: Game):
    document = changed(pig.load(None).document, "rules.target", 30)
    with pytest.raises(CardError, match=r"player\.hog\.start = 30: is too large; must be at most 29"):
        pig.from_document(document)


# ---- as an installed distribution -----------------------------------------------------------------------------------


def test_the_installed_game_is_found_and_checked(site: Site):
    assert "Pig" in site.fairfight("games")
    assert site.answer("check", "pig") == {"game": "pig", "faults": []}


def test_the_win_rates_of_tuned_handicaps_are_the_exact_ones(site: Site, begin: np.ndarray):
    given = ("--policy", "greedy:1", "--band", "46:54", "--games", "30000", "--max-changes", "2", "--jobs", "2")
    tuned = site.answer("tune", "pig", *given)
    starts = {"piglet": 0, "shoat": 15, "hog": 30}

    def exact() -> dict[str, float]:
        """Win rate of each, first and second equally often against each, itself included."""
        return {
            mine: float(np.mean([(begin[start, other] + 1 - begin[other, start]) / 2 for other in starts.values()]))
            for mine, start in starts.items()
        }

    before = exact()
    assert tuned["changes"]
    for number in tuned["changes"]:
        _, player, field = number["path"].split(".")
        assert (field, number["before"]) == ("start", starts[player])
        starts[player] = number["after"]
    after = exact()
    for line in tuned["win_rates"]:
        for rates, shown in ((before, line["before"]), (after, line["after"])):
            assert rates[line["name"].lower()] == pytest.approx(shown, abs=4 * 0.5 / np.sqrt(line["n"]))
    assert max(abs(rate - 0.5) for rate in after.values()) < max(abs(rate - 0.5) for rate in before.values())


def test_a_report_answers_its_questions(site: Site):
    site.fairfight(
        "report", "pig", "--out", "reports", "--scale", "0.5", "--jobs", "2"
    )  # fewer games leave the steps of handicaps out
    page = "".join(file.read_text("utf-8") for file in (site.empty / "reports/pig").rglob("index.html"))
    for question in ("Who wins how often?", "Who beats whom?", "How do turns end?", "Which handicap should change?"):
        assert question in page
    assert Path(site.empty / "reports/pig/report.json").is_file()
