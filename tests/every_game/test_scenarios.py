"""Scenario files work for every game: files of a tiny game, played as those of the Arena are."""

import tomllib
from pathlib import Path

import pytest

from analysis.replay.narrate import scenario_lines
from sim.engine import scenario
from sim.engine.contract import Game
from sim.engine.scenario import ScenarioError

SHOWDOWN = """
game = "coin_duel"
dice = [6, 1]
do = ["hold", "raise"]

[position]
fighters = ["pike", "needle"]
hands = [2, 5]
coins = [3, 4]

[expect]
coins = [5, 2]
turn = 1
first = 1
"""


def play(text: str, folder: Path, game: Game) -> scenario.Result:
    file = folder / "showdown.toml"
    file.write_text(text, encoding="utf-8")
    return scenario.run(file, {game.name: game})


def test_a_scenario_of_coin_duel_plays_its_fight(coin_duel: Game, tmp_path: Path):
    """6 + 2 against 1 + 5 + bonus 1, with a stake of two."""
    assert not play(SHOWDOWN, tmp_path, coin_duel).differences


def test_the_position_after_a_scenario_is_printed_as_a_scenario_file_has_it(coin_duel: Game, tmp_path: Path):
    result = play(SHOWDOWN, tmp_path, coin_duel)
    result.position["piles"] = [{"cards": [1, 2]}, {"cards": [], "owner": "pike"}]
    lines = [*scenario_lines(scenario.load(tmp_path / "showdown.toml"), result)]
    printed = lines[lines.index("  [position]") : lines.index("as expected")]
    assert tomllib.loads("\n".join(printed)) == {"position": result.position}
    assert '  fighters = ["pike", "needle"]' in printed


def test_an_expected_word_that_cannot_occur_is_refused(coin_duel: Game, tmp_path: Path):
    with pytest.raises(ScenarioError) as caught:
        play(f'{SHOWDOWN}fighters = ["pik", "needle"]\n', tmp_path, coin_duel)
    assert str(caught.value).endswith('expect.fighters = ["pik", "needle"]: did you mean "pike"?')
    differing = play(f'{SHOWDOWN}fighters = ["needle", "pike"]\n', tmp_path, coin_duel)
    assert len(differing.differences) == 1


def test_a_scenario_of_coin_duel_shows_what_differs(coin_duel: Game, tmp_path: Path):
    wrong = play(SHOWDOWN.replace("coins = [5, 2]", "coins = [5, 3]"), tmp_path, coin_duel)
    assert any("coins" in line for line in wrong.differences)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"pike", "needle"', '"pike", "sword"', "position.fighters"),
        ("dice = [6, 1]", "dice = [6]", "dice"),
        ("dice = [6, 1]", "dice = [6, 1, 1]", "dice"),
        ('"raise"', '"rise"', "raise"),
    ],
)
def test_a_scenario_of_coin_duel_that_cannot_be_played_is_refused(coin_duel: Game, tmp_path: Path, before, after, message):
    with pytest.raises(ScenarioError, match=message):
        play(SHOWDOWN.replace(before, after), tmp_path, coin_duel)
