"""The command `fairfight compare`: two entrants by name, pairs until a decision, the same for any number of workers."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from analysis.data.looks import until
from analysis.questions.compare import sides, summary
from analysis.stats.betting import ALIKE, FIRST, OPEN, SECOND
from analysis.winrates.head_to_head import Duel, find, pairing, usual_games
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from tests.analysis.cli.test_cli import shown
from tests.every_game.dice_duel.exact import matchup
from tests.every_game.play import WHOLE

RANDOM = PolicySpec.parse("random")


def as_data(*arguments):
    return json.loads(shown("compare", *arguments, "--json"))


def ids(game):
    return game.load(None).ids


def by_strength(game):
    """Ids of the strongest and the weakest entrant, by playing all."""
    wins = np.zeros(len(ids(game)))
    for block in blocks(Experiment(game.name, game.load(None), 2, (RANDOM,), 20_000), 2):
        np.add.at(wins, block.rows["entrant"][:, :2], block.rows["share"][:, :2])
    return ids(game)[int(wins.argmax())], ids(game)[int(wins.argmin())]


def test_it_names_the_stronger_one_in_either_order(coin_duel):
    best, worst = by_strength(coin_duel)
    forward = as_data("coin_duel", best, worst, "--policy", "random", "--margin", "3")
    backward = as_data("coin_duel", worst, best, "--policy", "random", "--margin", "3")
    assert (forward["facts"]["decision"], backward["facts"]["decision"]) == (FIRST, SECOND)
    assert f"{coin_duel.load(None).names[ids(coin_duel).index(best)]} is stronger than" in forward["answer"]
    line = forward["shares"][0]
    assert line["estimate"] > 0.5
    assert line["low"] < line["estimate"] < line["high"]
    assert line["n"] == 2 * line["pairs"] == forward["facts"]["games"]
    assert forward["tests"][0]["evidence"] >= forward["tests"][0]["refuted_at"]


def experiment(game, margin, games=None):
    cards = game.load(None)
    most = usual_games(margin) if games is None else games
    return pairing(Experiment(game.name, cards, 2, (RANDOM,), 1), find(*ids(game)[:2], game, cards), most)


def test_pairs_split_by_blocks_are_counted_whole(coin_duel):
    whole = Duel(experiment(coin_duel, 0.02, 400), 0.02)
    cut = Duel(whole.experiment, 0.02)
    for block in blocks(whole.experiment, 1, 400):
        whole.add(block.rows)
    for block in blocks(whole.experiment, 1, 17):
        cut.add(block.rows)
    assert cut.pairs == whole.pairs == 200
    assert cut.evidence == pytest.approx(whole.evidence, rel=1e-12)
    assert cut.share().tolist() == pytest.approx(whole.share().tolist())


def test_without_a_decision_it_shows_how_to_continue(coin_duel):
    pair = ids(coin_duel)[:2]
    text = " ".join(shown("compare", "coin_duel", *pair, "--policy", "random", "--margin", "0.1", "--games", "300").split())
    assert text.startswith("Not decided")
    assert f"More games: fairfight compare coin_duel {pair[0]} {pair[1]} --margin 0.1 --games 1200 --policy" in text
    assert as_data("coin_duel", *pair, "--policy", "random", "--games", "300")["facts"]["decision"] == OPEN


def test_s7_the_interval_of_200_games_won_of_200_agrees_with_the_decision(coin_duel):
    duel = Duel(experiment(coin_duel, 0.01, 200), 0.01)
    for block in blocks(duel.experiment, 1):
        rows = block.rows.copy()
        rows["share"][:, :2] = rows["entrant"][:, :2] == duel.experiment.line_up[0]
        rows["status"] = Status.FINISHED
        duel.add(rows)
    assert duel.reached()
    shares = sides(duel, ["Ada", "Bo"])
    assert shares["low"][0] >= (0.05 / 101) ** (1 / 100)  # 92.7 %, from the even mixture over all bets in 100 pairs
    assert (shares["estimate"][0], shares["high"][0], shares["n"][0]) == (1, 1, 200)
    assert summary(duel, shares).startswith("Ada is stronger than Bo: Ada wins 100.0")


def test_the_text_shows_the_decision_and_what_to_expect(coin_duel, tmp_path):
    file = tmp_path / "compare.csv"
    two = by_strength(coin_duel)
    text = " ".join(
        shown("compare", "coin_duel", *two, "--policy", "random", "--margin", "4", "--csv", file, "--all", "--notes").split()
    )
    for words in ("is stronger than", "Sequential tests", "with a fixed number of games it needs"):
        assert words in text
    assert file.read_text("utf-8-sig").startswith("entrant,name,estimate,low,high,pairs,n")


def test_the_stronger_fighter_with_known_odds_is_named(dice_duel):
    exact, margin, wrong = matchup(dice_duel.load(None)), 0.05, 0
    pairs = [(a, b) for a in range(len(exact)) for b in range(a + 1, len(exact))]
    tried = [*enumerate(pairs)][:: 1 if WHOLE else 4]
    for number, two in tried:
        base = Experiment("dice_duel", dice_duel.load(None), 2, (RANDOM,), 1, number)
        duel = Duel(pairing(base, two, usual_games(margin)), margin)
        for _ in until(duel, blocks(duel.experiment, 1)):
            pass
        gap = exact[two] - 0.5
        right = {FIRST: gap > 0, SECOND: gap < 0, ALIKE: abs(gap) < margin}
        wrong += not right[duel.decision]
    assert wrong <= binom.ppf(0.99, len(tried), 0.05)  # each errs with a chance of at most 5 in 100
