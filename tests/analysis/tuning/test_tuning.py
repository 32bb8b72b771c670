"""End-to-end tuning of Dice duel, whose true win rates are known; the command, the card folder, the section."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from typer.testing import CliRunner

import fairfight as ff
from analysis.cli.main import app
from analysis.data.study import Study
from analysis.questions.tune import games_to_play, notes
from analysis.tuning.confirm import GOOD, VAGUE, proposed, search_and_retest
from analysis.tuning.goal import REACH, Aim, Band, Cells, Goal, Plan, Target, is_leap, knobs_of
from analysis.tuning.named import tune_named
from analysis.tuning.steps import Start
from analysis.tuning.surrogate import Games, more_unwon, seed_of
from analysis.variants.variant import edited
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from tests.every_game.dice_duel.exact import first_seat_share, matchup, win_rates

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="some hundred thousand games")]

RANDOM = (PolicySpec.parse("random"),)
SMALL = Plan(look_games=1_200, trial_games=1_200, trials=12, retest_games=6_000, check_games=2_400)
TINY = Plan(look_games=480, trial_games=480, trials=6, retest_games=960)
HEALTH = ("fighter.*.health", "fighter.*.dice")


def base(game, cards=None, seed=1) -> Experiment:
    return Experiment(game.name, cards or game.load(None), 2, RANDOM, 1, seed)


def tried(game, *, goal=None, plan=TINY, fields=HEALTH, jobs=1, cards=None):
    goal = goal or Goal(max_changes=3)
    return search_and_retest(base(game, cards), goal, plan, fields, lambda experiment: blocks(experiment, jobs), retest_seed=2)


def test_the_retest_plays_no_games_that_a_user_tries_next(dice_duel):
    tuned = search_and_retest(base(dice_duel, seed=1), Goal(max_changes=1), TINY, HEALTH, blocks)
    assert tuned.retest_seed not in range(1000)


def fairfight(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.soak
def test_the_exact_win_rates_get_into_the_band(dice_duel):
    tuned = tried(dice_duel, goal=Goal(Band(0.45, 0.55), 7), plan=SMALL, fields=None)
    true = win_rates(tuned.cards)
    assert np.abs(true - 0.5).max() < 0.055
    assert tuned.reached
    inside = (tuned.units["after_low"] <= true) & (true <= tuned.units["after_high"])
    assert inside.sum() >= len(true) - 1
    was = win_rates(dice_duel.load(None))
    change = tuned.units["low"].le(true - was) & tuned.units["high"].ge(true - was)
    assert change.sum() >= len(true) - 1
    assert tuned.trade_off["changes"].tolist() == list(range(8))
    assert tuned.trade_off["rms"].iloc[len(tuned.steps)] < tuned.trade_off["rms"].iloc[0] / 3


def test_only_further_changes_that_help_are_named(dice_duel):
    tuned = tried(dice_duel, goal=Goal(Band(0.49, 0.51), 1), fields=("fighter.*.hit_on", "fighter.*.dice"))
    assert tuned.aims[["before", "after"]].equals(tuned.units[["before", "after"]])  # sentence and table have the same win rates
    outside = tuned.aims[~tuned.aims["place"].isin(("in", "probably in"))].set_index("name")
    assert len(outside) > 1
    assert set(tuned.next["name"]) <= set(outside.index)
    for line in tuned.next.to_dict("records"):
        now = abs(outside.loc[line["name"], "after"] - 0.5)
        assert abs(line["rate"] - 0.5) < now
        assert line["error"] > 0
        assert 1.96 * line["error"] <= VAGUE, "nothing is said about wide intervals"
    texts = list(notes(tuned))
    for name in outside.index:
        about = [line for line in texts if f"would bring {name} to" in line]
        assert len(about) == (name in set(tuned.next["name"]))


def test_changes_that_keep_games_from_ending_are_left_out_and_named(dice_duel, monkeypatch):
    """The knight's health one step up: no set contains it, no sentence recommends it, and it is named as left out."""
    step = Games.step

    def stalling(self, number, by):
        result = step(self, number, by)
        stalls = self.knobs.paths[number] == "fighter.knight.health" and by > 0
        return replace(result, stalls=True) if result is not None and stalls else result

    monkeypatch.setattr(Games, "step", stalling)
    tuned = tried(dice_duel, goal=Goal(Band(0.49, 0.51), 1), fields=("fighter.knight.health", "fighter.monk.health"))
    (left,) = tuned.stalled.to_dict("records")
    assert (left["path"], left["after"]) == ("fighter.knight.health", left["before"] + 1)
    assert not ((tuned.next["path"] == left["path"]) & (tuned.next["after"] > left["before"])).any()
    texts = [line for line in notes(tuned) if "ended without a winner" in line]
    assert len(texts) == 1
    assert f"fighter.knight.health to {left['after']}." in texts[0]


@pytest.mark.parametrize("paired", [True, False])
def test_a_change_is_left_out_only_if_significantly_more_games_have_no_winner(paired):
    """Of 240 games 5 had no winner before: 8 or 12 after can be chance, 30 are not."""

    def unwon(number):
        return np.arange(240) < number

    assert not more_unwon(unwon(5), unwon(8), paired)
    assert not more_unwon(unwon(5), unwon(9)[::-1], paired)
    assert more_unwon(unwon(5), unwon(30), paired)
    assert not more_unwon(unwon(0), unwon(0), paired)
    assert more_unwon(np.zeros(0, bool), unwon(30), paired=False)


@pytest.mark.soak
def test_the_number_of_workers_does_not_change_the_result(dice_duel):
    single, several = tried(dice_duel, jobs=1), tried(dice_duel, jobs=3)
    for name in ("changes", "units", "aims", "trade_off", "matrix", "next"):
        assert_frame_equal(getattr(single, name), getattr(several, name))


def test_fixed_numbers_and_those_without_effect_stay_unchanged(dice_duel):
    cards = dice_duel.load(None)
    fixed = dice_duel.from_document({**cards.document, "fixed": ["fighter.knight.*", "fighter.*.damage"]})
    knobs = knobs_of(dice_duel, fixed, fixed.ids)
    assert not any(path.startswith("fighter.knight.") or path.endswith(".damage") for path in knobs.paths)
    assert knobs.left["fighter.knight.health"] == "fixed in the card file"
    assert not any(path.startswith("rules.") for path in knobs.paths)
    assert knobs_of(dice_duel, fixed, fixed.ids, ["rules.second_health"]).knobs[0].unit is None
    assert not any(is_leap(knob.before, step) for knob in knobs_of(dice_duel, cards, cards.ids).knobs for step in knob.steps)
    knobs = knobs_of(dice_duel, cards, cards.ids, leaps=True)
    for number, knob in enumerate(knobs.knobs):  # steps go as far as the card rules allow
        assert all(knobs.compiled(((number, step),)) is not None for step in knob.steps)
        beyond = (min(0, *knob.steps) - 1, max(0, *knob.steps) + 1)
        assert all(abs(step) > REACH or knobs.compiled(((number, step),)) is None for step in beyond)


def test_a_first_seat_share_is_reached_with_the_seat_parameter(dice_duel):
    goal = Goal(max_changes=1, target=Target(first_seat=0.5, tolerance=0.02))
    plan = Plan(2_400, 2_400, 8, 6_000)
    tuned = tried(dice_duel, goal=goal, plan=plan, fields=("rules.second_health",))
    assert abs(first_seat_share(tuned.cards) - 0.5) < abs(first_seat_share(dice_duel.load(None)) - 0.5)
    assert tuned.aims["name"].tolist() == ["whoever goes first"]


@pytest.mark.soak
def test_a_matchup_can_be_the_target(dice_duel):
    goal = Goal(max_changes=2, target=Target((("knight", "berserker", 0.6),), tolerance=0.04))
    tuned = tried(dice_duel, goal=goal, plan=Plan(2_400, 2_400, 8, 6_000), fields=("fighter.knight.*", "fighter.berserker.*"))
    assert matchup(tuned.cards)[0, 1] == pytest.approx(0.6, abs=0.08)
    assert len(tuned.matrix) == len(tuned.cards.ids)


def test_trying_a_number_plays_only_the_games_of_its_unit(dice_duel):
    cards = dice_duel.load(None)
    experiment = replace(base(dice_duel), paired=True)
    knobs = knobs_of(dice_duel, cards, cards.ids, ["fighter.monk.health"])
    games = Games(experiment, knobs, blocks, Cells.of(experiment))
    first = games.first(1_120)
    before = games.spent
    look = games.step(0, 1)
    assert games.spent - before == before // 4
    touched = (games.cells.pairs == cards.ids.index("monk")).any(axis=1)
    assert (look.counts.n[:-1][~touched] == 0).all()
    assert (look.counts.n[:-1][touched] == first.counts.n[:-1][touched]).all()
    assert 0 < look.counts.own_noise < 0.8
    seeds = [seed_of(seed, dice) for seed in (1, 2, 2**63 - 1) for dice in range(1, 50)]  # the dice of trials
    assert (len(set(seeds)), min(seeds) >= 0, max(seeds) < 2**63) == (len(seeds), True, True)


def test_quick_players_search_and_strong_ones_decide(dice_duel, monkeypatch):
    monkeypatch.setattr(import_module("analysis.tuning.named"), "TEST_GAMES", 3_360)
    arguments = {"games": 16_000, "max_changes": 1, "fields": "fighter.*.health", "progress": False}
    answer = ff.tune("dice_duel", **arguments)
    assert answer.facts["policy"] == "greedy:4"
    assert answer.facts["tested"]["policy"] == dice_duel.player
    assert "with strong players " in answer.summary
    assert "with quick ones " in answer.summary
    assert "square" not in answer.summary
    strong = answer.frames["strong_win_rates"]
    assert strong["name"].tolist() == answer.frames["win_rates"]["name"].tolist()
    assert answer.facts["reached"] == answer.facts["tested"]["reached"] == strong["place"].isin(GOOD).all()
    sizes = answer.frames["trade_off"]
    assert (sizes["strong_games"] > 0).sum() >= 2
    assert [len(numbers) for numbers in sizes["numbers"]] == sizes["changes"].tolist()
    named = ff.tune("dice_duel", policy="random", **arguments)
    assert "tested" not in named.facts
    assert "strong_win_rates" not in named.frames


def test_only_the_named_entrants_numbers_change_and_their_single_steps_come_first(dice_duel):
    cards = ff.load("dice_duel").update({"fighter.duelist.armour": 2})
    answer = ff.tune(cards, only=["Duelist"], games=60_000, policy="random", progress=False)
    steps, changes = answer.frame, answer.frames["changes"]
    assert steps["reaches"].iloc[0]
    assert steps["path"].str.startswith("fighter.duelist.").all()
    assert len(changes) == 1
    assert changes["path"].iloc[0].startswith("fighter.duelist.")
    assert abs(changes["after"].iloc[0] - changes["before"].iloc[0]) == 1
    assert answer.facts["only"] == ["duelist"]
    assert answer.facts["reached"]
    duelist = cards.ids.index("duelist")
    exact = win_rates(answer.cards.card_set)
    assert 0.43 < exact[duelist] < 0.57
    rates = answer.frames["win_rates"].set_index("name")
    moved = exact - win_rates(cards.card_set)
    for name, change in zip(cards.names, moved, strict=True):
        assert rates.loc[name, "change"] == pytest.approx(change, abs=0.04)
        assert np.isnan(rates.loc[name, "after"]) == (name != "Duelist")


def test_a_start_that_the_retest_contradicts_is_searched_again(dice_duel):
    cards = edited(dice_duel, dice_duel.load(None), ["fighter.duelist.armour=2"]).cards
    duelist = cards.ids.index("duelist")
    assert win_rates(cards)[duelist] > 0.55
    goal, starts = Goal(only=(duelist,)), {duelist: Start(0.54, 0.02, 0.5)}  # by chance within the band
    tuned, steps = tune_named(Study(dice_duel, cards, RANDOM[0]), goal, 4.0, starts=starts)
    assert tuned.reached
    assert len(tuned.steps) == 1
    assert steps["tested"].any()


def test_several_changes_are_searched_if_no_single_step_suffices(dice_duel):
    tuned, steps = tune_named(
        Study(dice_duel, dice_duel.load(None), RANDOM[0]), Goal(Band(0.49, 0.51), 3, only=(1,)), seconds=4.0
    )
    assert not steps["reaches"].any() or len(tuned.steps) == 1
    assert {path.split(".")[1] for path in tuned.changes["path"]} == {"berserker"}
    assert tuned.units.loc[tuned.units["entrant"] != "berserker", ["before", "after"]].isna().all(axis=None)
    before, after = win_rates(dice_duel.load(None))[1], win_rates(tuned.cards)[1]
    assert abs(after - 0.5) < abs(before - 0.5) / 2


def test_no_longer_set_is_proposed_that_its_own_retest_shows_worse():
    sets = [(), ((0, 1),), ((0, 1), (1, -1)), ((0, 1), (1, -1), (2, 1))]
    columns = {"strong_games": 0, "strong_outside": np.nan, "strong_farthest": np.nan, "farthest": 0.1, "chance": 0.9}

    def choice(*outside, **more):
        return proposed(pd.DataFrame({**columns, "outside": outside, **more}), sets)

    assert choice(0.20, 0.0853, 0.0939, 0.0748) == sets[3]
    assert choice(0.20, 0.0853, 0.0939, 0.0843) == sets[1]  # hardly better than a shorter one
    assert choice(0.20, 0.0, 0.0, 0.0) == sets[1]
    assert choice(0.0, 0.0, 0.0, 0.0) == ()
    strong = {
        "strong_games": [9, 0, 9, 9],
        "strong_outside": [0.1, np.nan, 0.06, 0.0],
        "strong_farthest": [0.1, np.nan, 0.1, 0.0],
        "strong_chance": [0.0, np.nan, 0.1, 0.9],
    }
    assert choice(0.20, 0.0, 0.0, 0.0, **strong) == sets[3]  # the strong players decide


def test_a_single_step_to_the_very_edge_of_the_band_gives_way_to_one_well_within():
    sets = [(), ((0, 1),), ((1, -1),), ((2, 2),), ((3, 1), (4, 1))]

    def choice(*chance):
        outside = [0.1, 0.0, 0.0, 0.0, 0.0]
        return proposed(pd.DataFrame({"strong_games": 0, "outside": outside, "farthest": outside, "chance": chance}), sets)

    assert choice(0.0, 0.6, 0.95, 0.95, 0.99) == sets[2]
    assert choice(0.0, 0.6, 0.6, 0.95, 0.99) == sets[3]  # two steps, but surely
    assert choice(0.0, 0.9, 0.6, 0.95, 0.99) == sets[1]  # another step is not worth it
    assert choice(0.0, 0.5, 0.5, 0.5, 0.99) == sets[1]  # nor is another number


def test_the_chance_to_be_within_the_band_counts_all_outputs():
    aim = Aim(("knight", "ogre"), np.eye(2), np.zeros(2), np.array([0.45, 0.45]), np.array([0.55, 0.55]))
    assert aim.chance(np.array([0.55, 0.5]), np.array([0.01, 0.01])) == pytest.approx(0.5, abs=1e-5)
    assert aim.chance(np.array([0.55, 0.45]), np.array([0.01, 0.01])) == pytest.approx(0.25, abs=1e-5)
    assert aim.chance(np.array([0.54, 0.5]), np.zeros(2)) == 1


def test_small_steps_come_before_leaps_and_each_change_helps_by_itself(dice_duel):
    tuned = tried(dice_duel, goal=Goal(max_changes=4))
    for path, before, after in tuned.changes.itertuples(index=False, name=None):
        assert not is_leap(before, after - before)
        alone = win_rates(edited(dice_duel, dice_duel.load(None), [f"{path}={after}"]).cards)
        unit = dice_duel.load(None).ids.index(path.split(".")[1])
        was = win_rates(dice_duel.load(None))[unit]
        assert abs(alone[unit] - 0.5) < abs(was - 0.5) or (alone[unit] - 0.5) * (was - 0.5) < 0


def test_without_a_number_of_games_there_are_enough(dice_duel):
    made = Study.of(base(dice_duel))
    cells = Cells.of(made.base)
    every = knobs_of(dice_duel, made.cards, cells.ids, None)
    assert games_to_play(made, Goal(), cells, every) == 400_000  # random players
    slow = Study.of(replace(made.base, policies=(PolicySpec.parse("search:1000"),)))
    assert Plan.of(games_to_play(slow, Goal(), cells, every), every, cells, Goal().max_changes)


def test_the_command_writes_a_folder_that_passes_the_check(dice_duel, tmp_path):
    out = tmp_path / "fair"
    arguments = ("tune", "dice_duel", "--policy", "random", "--games", 60_000, "--max-changes", 3, "--fields", "fighter.*.health")
    code, shown, _ = fairfight(*arguments, "--out", out, "--csv", tmp_path / "changes.csv", "--notes")
    assert code == 0
    assert f"fairfight winrates dice_duel --cards {out}" in " ".join(shown.replace("\\\n", " ").split())
    assert "square" not in shown
    result = dice_duel.load(out)
    assert result.title.startswith("fair, changed from")
    changes = (tmp_path / "changes.csv").read_text("utf-8-sig").splitlines()[1:]
    assert changes
    text = (out / "cards.toml").read_text()
    assert text.count("\n") == dice_duel.reference.read_text().count("\n")
    comments = [line.partition("#")[2] for line in dice_duel.reference.read_text().splitlines()]
    assert [line.partition("#")[2] for line in text.splitlines()] == comments
    assert fairfight("check", out)[0] == 0
    code, _, err = fairfight(*arguments, "--out", out)
    assert code == 2
    assert "exists already" in err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--band", "60:70", "--band 60:70"),
        ("--fields", "hero.*", "fits no number"),
        ("--max-changes", "0", "--max-changes 0"),
        ("--games", "9", "takes at least"),
        ("--only", "dualist", 'did you mean "duelist"?'),
    ],
)
def test_bad_input_is_refused_in_one_message(dice_duel, option, value, message):
    code, _, err = fairfight("tune", "dice_duel", "--policy", "random", option, value)
    assert code == 2
    assert message in err
