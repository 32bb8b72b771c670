"""Optional parts of the contract, on the tiny game for one or two: the game's own limit, picked entrants, scripted draws,
measures named by the cards, and the results of a solo game."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.write import build_page
from sim.engine import contract, scenario
from sim.engine.cards import changed
from sim.engine.contract import Game
from sim.engine.game import as_planned, never_truncated
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.scenario import ScenarioError
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import collect, replay
from tests.analysis.cli.test_cli import shown
from tests.analysis.report.budgets import FEW
from tests.conftest import in_soak
from tests.every_game.lone_climb import Action, End
from tests.every_game.play import experiment

TINY = Budget(**FEW, games=60, step_games=24, variant_games=24, rolls=40, replays=4)
ASCENT = """
game = "lone_climb"
draws = ["crack", "Rockfall", "ledge"]
do = ["climb", "camp", "climb", "climb"]

[position]
climbers = ["ann"]
height = [2]

[expect]
height = [7]
camp = [5]
ropes = [2]
events = ["seat 1: meets Rockfall"]
turn = 4
"""


def play(text: str, folder: Path, game: Game) -> scenario.Result:
    file = folder / "ascent.toml"
    file.write_text(text, encoding="utf-8")
    return scenario.run(file, {game.name: game})


# ---- a limit of the game's own, and picked entrants ------------------------------------------------------------------


def test_a_game_stopped_by_its_own_limit_is_truncated_and_has_no_winner(lone_climb: Game):
    for seats in lone_climb.seats:
        batch = collect(experiment(lone_climb, 60, "random", seats), jobs=1)
        night = batch.outcomes["end"] == End.NIGHT
        assert 0 < night.sum() < len(night)
        assert np.array_equal(batch.rows["status"] == Status.TRUNCATED, night)
        assert (batch.rows["share"][night] == 0).all()
        assert (batch.rows["turns"][night] == seats * lone_climb.load(None).record["night"][0]).all()


def test_a_finished_solo_game_is_won_or_lost(lone_climb: Game):
    batch = collect(experiment(lone_climb, 150, "greedy:1", 1), jobs=1)
    finished = batch.rows["status"] == Status.FINISHED
    won = batch.outcomes["end"][finished] == End.SUMMIT
    assert np.array_equal(batch.rows["share"][finished, 0] == 1, won)
    assert 0 < won.sum() < len(won)


def test_rows_hold_the_climber_that_each_seat_picked(lone_climb: Game):
    made = experiment(lone_climb, 18, "random", 2)
    log, plan = replay(made, 0, made.games), made.plan(0, made.games)
    picks = log.moves[log.moves["action"] >= Action.PICK]
    picked = np.full((made.games, 2), -1)
    picked[picks["row"], picks["seat"]] = picks["action"] - Action.PICK
    assert np.array_equal(log.rows["entrant"][:, :2], picked)
    assert (log.rows["entrant"][:, 2:] == -1).all()
    assert (picked != plan["entrant"][:, :2]).any()


def test_other_games_have_no_limit_of_their_own_and_play_as_planned(coin_duel: Game):
    assert coin_duel.verbs.is_truncated is never_truncated
    assert coin_duel.verbs.entrant_of is as_planned
    assert not coin_duel.limits_itself
    state = np.zeros(1, coin_duel.state)[0]
    assert not contract.is_truncated(state)
    assert contract.entrant_of(state, 1, 5) == 5


def test_measures_can_be_named_by_the_cards(lone_climb: Game):
    cards = lone_climb.load(None)
    renamed = lone_climb.from_document(changed(cards.document, "stone.crack.name", "Chimney"))
    parts = [Study(lone_climb, card_set).measure("taken").parts for card_set in (cards, renamed)]
    assert parts == [("Rockfall", "Ledge", "Crack"), ("Rockfall", "Ledge", "Chimney")]
    assert set(lone_climb.measures) < set(lone_climb.measures_for(cards))


# ---- scripted draws --------------------------------------------------------------------------------------------------


def test_a_scenario_draws_what_it_names(lone_climb: Game, tmp_path: Path):
    assert play(ASCENT, tmp_path, lone_climb).differences == []


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ('["crack", "rockfall", "boulder"]', r"draws\[2\] = .boulder.: is no stone; known here: rockfall"),
        ('["crack", "rockfall", "crag"]', r"draws\[2\] = .crag.: is no stone; did you mean"),
        ('["crack", 3, "ledge"]', r"draws\[1\] = 3: must be text"),
        ('"crack"', "draws = .crack.: must be a list"),
        ('["crack", "rockfall"]', r"draws: do\[3\] = .climb. draws 1 more than the 2 given; add 1"),
        ("[]", r"draws: do\[0\] = .climb. draws 1 more than the 0 given; add 1"),
        ('["crack", "rockfall", "ledge", "crack"]', "draws: 3 of the 4 given were drawn; remove the last 1"),
        ('["rockfall", "rockfall", "rockfall"]', r"draws\[2\] = .rockfall.: is not left when do\[3\]"),
        (str(["ledge"] * 256), "draws: has 256 entries; at most 255 are allowed"),
    ],
)
def test_draws_that_do_not_fit_are_refused(lone_climb: Game, tmp_path: Path, draws: str, message: str):
    with pytest.raises(ScenarioError, match=message):
        play(ASCENT.replace('["crack", "Rockfall", "ledge"]', draws), tmp_path, lone_climb)


def test_dice_and_draws_are_distinguished(lone_climb: Game, tmp_path: Path):
    with pytest.raises(ScenarioError, match="dice: 0 of the 1 given were rolled"):
        play("dice = [6]\n" + ASCENT, tmp_path, lone_climb)


def test_a_game_that_draws_nothing_refuses_draws(coin_duel: Game, tmp_path: Path):
    text = 'game = "coin_duel"\ndraws = ["ledge"]\n[position]\nfighters = ["pike", "maul"]\nhands = [1, 2]\n'
    with pytest.raises(ScenarioError, match="draws: Coin duel has no draws that can be scripted; leave the field out"):
        play(text, tmp_path, coin_duel)


# ---- alone -----------------------------------------------------------------------------------------------------------


def test_solo_winrates_are_success_rates_with_intervals_and_no_fair_share(lone_climb: Game):
    command = ("winrates", lone_climb.name, "--seats", 1, "--games", 150, "--policy", "random")
    output = " ".join(shown(*command, "--all", "--notes").split())
    assert "Success rates" in output
    assert "success rate" in output
    assert "Stopped at a limit" in output
    for word in ("Who moves first", "Who beats whom", "verdict", "Too strong", "Holm", "nan"):
        assert word not in output
    data = json.loads(shown(*command, "--json"))
    assert set(data) == {"answer", "facts", "win_rates", "win_rates_by_seat"}
    assert any(line["n"] for line in data["win_rates"])
    for line in data["win_rates"]:
        if line["n"]:  # otherwise all of its games were truncated
            assert 0 <= line["low"] <= line["estimate"] <= line["high"] <= 1
        assert line["fair"] is line["verdict"] is None


def test_at_two_seats_the_same_game_has_a_fair_share(lone_climb: Game):
    data = json.loads(shown("winrates", lone_climb.name, "--games", 60, "--policy", "random", "--json"))
    assert {line["fair"] for line in data["win_rates"]} == {0.5}
    assert set(data) >= {"turn_order", "pairs"}


@pytest.mark.parametrize("seats", [in_soak(((1, 2),)), (1,)])
@pytest.mark.slow
def test_a_report_has_no_fair_line_at_one_seat(lone_climb: Game, seats: tuple[int, ...], monkeypatch: pytest.MonkeyPatch):
    game = replace(lone_climb, seats=seats)
    monkeypatch.setitem(GAMES, game.name, game)
    monkeypatch.setattr("analysis.report.headline.TRUNCATED_MOST", 1.0)  # verdicts in spite of its truncated games
    monkeypatch.setattr("analysis.report.headline.SENTENCE_GAMES", 1)
    page = build_page(Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1))
    ids = [section.id for section in page.sections]
    contests = ["matchups"] if 2 in seats else []
    assert ids == ["win-rates", *contests, "stones", "length"]
    findings = [finding.text for finding in page.headline]
    assert any(text.startswith("Alone ") and " succeeds in " in text for text in findings)
    assert any("one seat" in text for text in findings) == any("Stopped" in text for text in findings)
    assert any("Fair means" in text for text in findings) == (2 in seats)
    columns = page.sections[0].tables[0].columns
    assert ("fair share" in columns) == ("verdict" in columns) == (2 in seats)
    words = " ".join([*findings, *(f"{section.answer} {section.note}" for section in page.sections)])
    assert "nan" not in words.lower()
    assert "one and two seats" not in " ".join(text for text in findings if "decided" in text)
    assert "the game's own limit or 1,000 turns" in words


def test_a_solo_replay_shows_who_was_picked_and_how_it_ended(lone_climb: Game):
    rows = collect(experiment(lone_climb, 30, "random", 1, seed=1), jobs=1).rows
    ends = set()
    for index, row in enumerate(rows):
        output = shown("replay", lone_climb.name, "--seats", 1, "--policy", "random", "--game", index)
        name = lone_climb.load(None).names[row["entrant"][0]]
        assert f"seat 1: {name}" in output
        won, lost, stopped = f"{name} (seat 1) wins after", "no player wins after", "stopped at a limit, no player wins, after"
        right = stopped if row["status"] == Status.TRUNCATED else won if row["share"][0] else lost
        first = f"Game {index} of Lone climb: {right} {row['turns']} turns and {row['decisions']} decisions."
        assert " ".join(output.split()).startswith(first)
        ends.add(right.split()[0])
    assert "stopped" in ends


def test_one_seat_takes_one_policy(lone_climb: Game):
    specs = (PolicySpec.parse("random"), PolicySpec.parse("greedy"))
    with pytest.raises(ValueError, match=r"give one, because there is one seat"):
        Experiment(lone_climb.name, lone_climb.load(None), 1, specs, 10)
    solo = replace(lone_climb, seats=(1,))
    GAMES[solo.name] = solo  # the fixture removes it afterwards
    with pytest.raises(ValueError, match=r"seats=2: Lone climb is played by 1 seat$"):
        Experiment(solo.name, solo.load(None), 2, specs, 10)
