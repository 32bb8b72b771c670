"""Teams as entrants, on a tiny game with known strengths: line-ups, win rates, drafts and refusals."""

import json
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from analysis.data.budget import Budget
from analysis.data.player import Player
from analysis.data.study import Study
from analysis.variants.variant import GamesOf, change
from analysis.winrates.play import play
from analysis.winrates.rates import PartTally
from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import AgainstAll, Experiment
from sim.registry import GAMES
from sim.run import collect
from tests.analysis.cli.test_cli import refusal, shown
from tests.analysis.report.budgets import FEW
from tests.every_game.play import experiment
from tests.every_game.relay_teams import exact

RANDOM = (PolicySpec.parse("random"),)


def cards_with(game: Game, **rules: object) -> CardSet:
    document = dict(game.load(None).document)
    for name, value in rules.items():
        document = changed(document, f"rules.{name}", value)
    return game.from_document(document)


def with_runners(game: Game, number: int) -> CardSet:
    """The first runners of the set, then copies of them."""
    document = deepcopy(dict(game.load(None).document))
    copies = [runner | {"id": f"{runner['id']}_too", "name": f"{runner['name']} too"} for runner in document["runner"]]
    document["runner"] = [*document["runner"], *copies][:number]
    return game.from_document(document)


# ---- games of teams --------------------------------------------------------------------------------------------------


def test_a_team_wins_at_its_exact_rate(relay_teams: Game):
    cards, games = relay_teams.load(None), 400
    right = exact.chances(cards)
    assert np.nansum(right + right.T) == pytest.approx(np.isfinite(right).sum())
    for team, opponent in ((0, 9), (5, 13), (6, 4)):
        matches = Experiment(relay_teams.name, cards, 2, RANDOM, games, line_up=(team, opponent))
        share = collect(matches, jobs=1).rows["share"][:, 0]
        assert abs(share.mean() - right[team, opponent]) < 4 * share.std(ddof=1) / np.sqrt(games)


def test_swapped_seats_roll_the_same_dice(relay_teams: Game):
    """The games of a pair differ only in whose dice are whose: the ways of both seats have the same sum."""
    for seats in relay_teams.seats:
        made = experiment(relay_teams, 240, seats=seats)
        batch = collect(made, jobs=1)
        pairs = made.pair_of(batch.rows["game"])
        assert np.array_equal(pairs, np.repeat(np.arange(made.games // seats), seats))
        assert (batch.rows["first"].reshape(-1, seats) == batch.rows["first"][::seats, None]).all()
    document = deepcopy(dict(relay_teams.load(None).document))
    alike = [runner | {"faces": 6, "pace": 1} for runner in document["runner"]]
    cards = relay_teams.from_document({**document, "runner": alike, "bond": []})
    rows = collect(Experiment(relay_teams.name, cards, 2, RANDOM, 120), jobs=1).rows
    share = rows["share"][:, :2].reshape(-1, 2, 2)
    assert np.array_equal(share[:, 0], share[:, 1])  # the same seat wins with either team


def test_win_rates_of_teams_and_of_their_parts_are_near_the_exact_ones(relay_teams: Game):
    cards = relay_teams.load(None)
    made = Experiment(relay_teams.name, cards, 2, RANDOM, 1200)
    played = play(made, Player(1))
    part_rates = played.parts.rates(0.5).sort_values("part")
    right = exact.part_rates(cards)
    assert (np.abs(part_rates["estimate"] - right) < 4 * part_rates["error"]).all()
    assert part_rates["n"].tolist() == [made.games * 2 // 3] * 6
    assert set(part_rates["rounds"]) == {made.games // 6}
    wins, games = played.tally.wins[2], played.tally.games_of[2]
    assert (np.abs(wins / games - exact.rates(cards)) < 5 * np.sqrt(0.25 / games)).all()


def test_counts_of_parts_do_not_depend_on_the_blocks(relay_teams: Game):
    made = experiment(relay_teams, 60)
    rows = collect(made, jobs=1).rows
    whole = PartTally(made)
    whole.add(rows)
    for size in (1, 7, 60):
        cut = PartTally(made)
        for first in range(0, len(rows), size):
            cut.add(rows[first : first + size])
        assert cut.rates(0.5).equals(whole.rates(0.5))


def test_one_team_against_all_others_wins_at_its_exact_rate(relay_teams: Game):
    cards = relay_teams.load(None)
    right = exact.rates(cards)
    for entrant in (0, 5, 13):
        made = AgainstAll(relay_teams.name, cards, 2, RANDOM, 600, seed=3, entrant=entrant)
        rows = collect(made, jobs=1).rows
        share = np.where(rows["entrant"][:, 0] == entrant, rows["share"][:, 0], rows["share"][:, 1])
        assert abs(share.mean() - right[entrant]) < 4 * share.std(ddof=1) / np.sqrt(len(share))


def test_the_games_of_a_part_equal_those_of_the_whole_experiment(relay_teams: Game):
    whole = experiment(relay_teams, 120)
    some = GamesOf.from_experiment(whole, 4)
    every, rows = collect(whole, jobs=1).rows, collect(some, jobs=1).rows
    sits = (whole.teams.members[every["entrant"][:, :2]] == 4).any(axis=(1, 2))
    assert np.array_equal(every[sits], rows)
    assert some.games == 80  # in two of three teams of a partition
    stronger = relay_teams.from_document(changed(whole.cards.document, "runner.eve.pace", 6))
    moved = change(some, stronger).set_index("name")["change"]
    assert moved["Eve"] > 0
    with pytest.raises(ValueError, match="part=6 plays in none of the 120 games"):
        GamesOf.from_experiment(whole, 6)
    with pytest.raises(ValueError, match="games must be chosen from a whole experiment"):
        GamesOf.from_experiment(AgainstAll(relay_teams.name, whole.cards, 2, RANDOM, 20), 0)


# ---- drafts and twins ------------------------------------------------------------------------------------------------


def test_a_draft_plans_no_teams_and_every_game_has_its_own_dice(relay_teams: Game):
    cards = cards_with(relay_teams, draft=True)
    made = Experiment(relay_teams.name, cards, 2, (PolicySpec.parse("greedy:1"),), 50)
    assert made.games == 50
    assert made.round_games == made.pair_games == 1
    assert len(set(made.plan(0, made.games)["dice"].tolist())) == made.games
    assert made.design == "the relays form in the game, in any of 90 line-ups"
    rows = collect(made, jobs=1).rows
    members = made.teams.members[rows["entrant"][:, :2]].reshape(-1, 4)
    assert all(len(set(four)) == 4 for four in members.tolist())
    assert (members == 0).any(axis=1).all()  # every draft takes the fastest
    assert GamesOf.from_experiment(made, 2).games == made.games
    for wrong in ({"line_up": (0, 14)},):
        with pytest.raises(ValueError, match="the relays of this card set form in the game"):
            replace(made, **wrong)
    with pytest.raises(ValueError, match="relays of this card set form in the game"):
        AgainstAll(relay_teams.name, cards, 2, RANDOM, 10, entrant=3)


def test_greedy_drafters_beat_random_ones(relay_teams: Game):
    cards, games = cards_with(relay_teams, draft=True), 150
    policies = tuple(PolicySpec.parse(text) for text in ("greedy:1", "random"))
    share = collect(Experiment(relay_teams.name, cards, 2, policies, games), jobs=1).rows["share"][:, 0]
    assert share.mean() - 0.5 > 4 * share.std(ddof=1) / np.sqrt(games)


def test_teams_with_twins_play_mirror_matches(relay_teams: Game):
    made = Experiment(relay_teams.name, cards_with(relay_teams, twins=True), 2, RANDOM, 225)
    assert made.mirror
    assert made.lineups == made.games == made.pass_games == 225
    assert made.design == "exhaustive: each of the 225 line-ups once"
    rows = collect(made, jobs=1).rows
    assert (rows["entrant"][:, 0] == rows["entrant"][:, 1]).sum() == 15
    parts = PartTally(made)
    parts.add(rows)
    assert set(parts.rates(0.5)["n"]) == {150}  # 5 of 15 teams, on 30 seats each
    replace(made, line_up=(0, 0))


def test_a_study_plays_whole_rounds_of_teams_and_only_seats_with_enough_runners(relay_teams: Game):
    study = Study(relay_teams, relay_teams.load(None), RANDOM[0], budget=Budget(**FEW, games=100))
    assert study.seats == (2, 3)
    assert study.experiment(2, 100).games == 102  # 6 a round
    assert study.experiment(3, 100).games == 102
    assert Study(relay_teams, with_runners(relay_teams, 5), RANDOM[0]).seats == (2,)
    twins = Study(relay_teams, cards_with(relay_teams, twins=True), RANDOM[0])
    assert twins.experiment(2, 300).games == 450  # whole passes


# ---- the command -----------------------------------------------------------------------------------------------------


def test_winrates_show_teams_and_their_parts(relay_teams: Game):
    out = shown("winrates", relay_teams.name, "--games", 90, "--policy", "random", "--all", "--notes")
    output = " ".join(out.split())
    assert output.index("What each runner contributes") < output.index("Win rates in 90 games with random players")
    assert "the 6 runners split at random into 3 relays 15 times, all against all from every seat" in output
    data = json.loads(shown("winrates", relay_teams.name, "--games", 90, "--policy", "random", "--json"))
    assert [line["n"] for line in data["parts"]] == [60] * 6
    assert {line["rounds"] for line in data["parts"]} == {15}
    assert all(line["low"] <= line["estimate"] <= line["high"] for line in data["parts"])
    assert len(data["win_rates"]) == 15


@pytest.mark.slow
def test_many_teams_show_both_ends_while_json_and_csv_hold_all(relay_teams: Game, tmp_path, monkeypatch):
    many = with_runners(relay_teams, 8)
    monkeypatch.setitem(GAMES, relay_teams.name, replace(relay_teams, load=lambda _: many))
    rates = tmp_path / "rates.csv"
    command = ("winrates", relay_teams.name, "--games", 240, "--policy", "random")
    output = " ".join(shown(*command, "--csv", rates, "--notes").split())
    assert "The best of a long list look stronger than they are" in output
    assert "Who beats whom" not in output
    assert len(rates.read_text().splitlines()) == 9  # the eight runners
    assert len(json.loads(shown(*command, "--json"))["win_rates"]) == 28


@pytest.mark.parametrize("text", ["eve+ann,fay+bo", "Ann + Eve, bo+FAY", "ann+eve,bo+fay"])
def test_a_team_can_be_named_by_its_parts_in_any_order(relay_teams: Game, text: str):
    data = json.loads(shown("winrates", relay_teams.name, "--line-up", text, "--games", 20, "--policy", "random", "--json"))
    assert data["facts"]["line_up"] == ["ann+eve", "bo+fay"]
    assert {line["name"] for line in data["win_rates"]} == {"Ann + Eve", "Bo + Fay"}
    assert not {"parts", "pairs", "matchups"} & set(data)
    watched = shown("replay", relay_teams.name, "--line-up", text, "--policy", "random")
    assert "seat 1: Ann + Eve" in watched
    assert "seat 2: Bo + Fay" in watched


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann+eve,bo+fey", "'fey': is no runner; did you mean \"fay\"?"),
        ("ann+eve", "line-up 'ann+eve': has 1 relay for 2 seats; name one for each, separated by commas"),
        ("ann+eve,bo", "'bo': has 1 of the 2 runners of a relay"),
        ("ann+eve,bo+bo", "'bo+bo': names Bo twice; the runners of a relay differ"),
        ("ann+eve,eve+bo", "Eve would sit in two relays; each runner can sit only once at a table"),
        ("ann+eve,ann+eve", "Ann and Eve would sit in two relays"),
    ],
)
def test_a_line_up_that_cannot_be_seated_is_refused(relay_teams: Game, text: str, message: str):
    assert message in refusal("winrates", relay_teams.name, "--line-up", text, "--policy", "random")


def test_a_line_up_of_other_games_names_entrants():
    command = ("winrates", "arena", "--games", 3, "--policy", "random", "--json", "--line-up")
    data = json.loads(shown(*command, "Rhino Guy,bow_master"))
    assert data["facts"]["line_up"] == ["rhino_guy", "bow_master"]
    assert [line["n"] for line in data["win_rates"]] == [3 - data["facts"]["truncated"]] * 2
    assert 'is no hero; did you mean "rhino_guy"?' in refusal(*command, "rino_guy,bow_master")
