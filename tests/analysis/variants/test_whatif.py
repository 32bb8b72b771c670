"""What-ifs: the same games under two card sets, compared as pairs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

from analysis.data.shares import Shares, compare, compare_apart
from analysis.data.together import played, taken
from analysis.stats.intervals import proportion
from analysis.stats.paired import paired_changes
from analysis.variants.variant import GamesOf, change, difference, each_value, numeric_steps, parsed, tried, variants
from analysis.variants.variant import compare as compared
from sim.engine.cards import changed
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import blocks, collect
from tests.analysis.covering import error
from tests.every_game.play import shortened

ARENA = GAMES["arena"]
CARDS = ARENA.load(None)
MOVE = "hero.bow_master.move"


def experiment(games: int = 560, seats: int = 2, policy: str = "random", **more) -> Experiment:
    return Experiment("arena", CARDS, seats, (PolicySpec.parse(policy),), games, **more)


def cards_with(path: str, value: object):
    return ARENA.from_document(changed(CARDS.document, path, value))


def shares(entrant, share) -> Shares:
    entrant, share = np.array(entrant, np.int16), np.array(share, np.float32)
    return Shares(entrant, share, share.sum(axis=1) == 0, np.full(len(share), 10, np.int32))


@pytest.mark.parametrize("path", ["hero.rhino_guy.printed_energy", "hero.rhino_guy.name"])
def test_no_change_of_play_is_a_zero_difference_without_width_and_not_played_twice(path):
    played = []

    def play(one):
        played.append(one)
        return blocks(one, 1)

    table = change(experiment(56), cards_with(path, 5 if path.endswith("energy") else "Rhino Guy"), play)
    assert len(played) == 1
    assert list(table["name"]) == list(CARDS.names)
    assert (table[["change", "low", "high"]] == 0).all(axis=None)
    assert (table["p"] == 1).all()
    assert (table["before"] == table["after"]).all()
    assert np.isinf(table["gain"]).all()


def test_changed_cards_without_a_changed_game_keep_an_interval_with_a_width():
    same = shares([[0, 1]] * 6000, [[1, 0]] * 6000)
    row = compare(same, same, ["a", "b"]).iloc[0]
    assert row["low"] < row["change"] == 0 < row["high"]
    assert row["high"] == pytest.approx(3.84 / 6000, rel=0.01)  # z^2 of n
    assert row["before_low"] < row["before"] == 1


@pytest.mark.slow
def test_the_table_equals_the_paired_difference_computed_directly():
    base, other = experiment(280, seats=3), cards_with("hero.rhino_guy.defence", 4)
    both = (base, Experiment("arena", other, 3, base.policies, 280))
    rows = [collect(item).rows for item in both]
    kept = np.flatnonzero((rows[0]["status"] == Status.FINISHED) & (rows[1]["status"] == Status.FINISHED))
    table = compare(*(taken(Shares.of(item), kept) for item in both), list(CARDS.names)).set_index("name")
    rows = [row[kept] for row in rows]
    seat = rows[0]["entrant"][:, :3] == CARDS.ids.index("rhino_guy")
    before, after = (row["share"][:, :3][seat] for row in rows)
    n = len(before)
    wanted = paired_changes([(after > before).sum()], [(after < before).sum()], [n]).iloc[0]
    row = table.loc["Rhino Guy"]
    assert row["n"] == n > 90
    for column in ("change", "low", "high", "p"):
        assert row[column] == wanted[column]
    alone = proportion(before.sum(), n)
    assert (row["before"], row["before_low"], row["before_high"]) == (alone.estimate, alone.low, alone.high)
    apart = before.var(ddof=1) + after.var(ddof=1)
    assert row["gain"] == pytest.approx(apart / np.var(after - before, ddof=1))


def test_an_entrant_on_two_seats_counts_once_with_its_mean_share():
    before = shares([[0, 0], [0, 1], [1, 0]], [[1, 0], [1, 0], [1, 0]])
    after = shares([[0, 0], [0, 1], [1, 0]], [[0, 1], [0, 1], [0, 1]])
    table = compare(before, after, ["a", "b"]).set_index("name")
    assert list(table["n"]) == [3, 2]
    assert table.loc["a", "before"] == pytest.approx((0.5 + 1 + 0) / 3)
    assert table.loc["a", "change"] == pytest.approx(0)
    assert table.loc["b", "after"] == pytest.approx(0.5)


def test_a_truncated_game_is_left_out_before_and_after():
    before = shares([[0, 1]] * 4, [[1, 0], [1, 0], [0, 0], [0, 1]])
    table = compare(before, before, ["a", "b"]).set_index("name")
    assert table.loc["a", ["before", "after", "change", "p"]].tolist() == pytest.approx([2 / 3, 2 / 3, 0, 1])
    assert table.loc["b", "before"] == pytest.approx(1 / 3)
    assert table["n"].tolist() == [4, 4]
    assert table[["truncated_before", "truncated_after"]].to_numpy().tolist() == [[0.25, 0.25]] * 2
    table = compare(before, shares([[0, 1]] * 4, [[1, 0], [1, 0], [0, 0], [0, 0]]), ["a", "b"]).set_index("name")
    assert table[["truncated_before", "truncated_after"]].to_numpy().tolist() == [[0.25, 0.5]] * 2
    assert table.loc["a", ["before", "after", "change"]].tolist() == pytest.approx([2 / 3, 1, 1 / 3])
    assert (table["low"] < table["change"]).all()
    none = compare(before, shares([[0, 1]] * 4, [[0, 0]] * 4), ["a", "b"])
    assert none[["after", "change", "low", "high", "p"]].isna().all(axis=None)


def test_entrants_without_truncated_games_are_compared_exactly():
    line_ups = [[0, 1]] * 50 + [[2, 3]] * 50
    rng = np.random.default_rng(4)
    won = rng.integers(0, 2, (2, 100))
    before, after = (np.stack([item, 1 - item], axis=1).astype(float) for item in won)
    whole = compare(shares(line_ups, before.tolist()), shares(line_ups, after.tolist()), list("abcd"))
    after[:7] = 0
    part = compare(shares(line_ups, before.tolist()), shares(line_ups, after.tolist()), list("abcd"))
    pd.testing.assert_frame_equal(part.iloc[2:], whole.iloc[2:])
    assert part["after"][0] == pytest.approx(after[7:50, 0].mean())


def drawn(games: int, rng: np.random.Generator) -> tuple[Shares, Shares]:
    """Two plays of the same games with common dice. In each about 30 % are truncated, the long ones in both."""
    luck, long_one = rng.random(games), rng.random(games)
    played = []
    for chance, most in ((0.5, 0.7), (0.56, 0.66)):
        won = np.where(rng.random(games) < 0.8, luck, rng.random(games)) < chance
        over = np.where(rng.random(games) < 0.7, long_one, rng.random(games)) < most - 0.2 * (won - chance)
        share = np.stack([won, ~won], axis=1).astype(np.float32) * over[:, None]
        line_up = np.tile(np.array([0, 1], np.int16), (games, 1))
        played.append(Shares(line_up, share, ~over, np.ones(games, np.int32)))
    return played[0], played[1]


@pytest.mark.soak
def test_the_change_is_covered_if_a_third_of_the_games_is_truncated():
    rng = np.random.default_rng(11)
    many = drawn(2_000_000, rng)
    rates = [float(item.share[:, 0].sum() / (~item.truncated).sum()) for item in many]
    assert min(item.truncated_share for item in many) > 0.25
    runs, inside, widths, changes = shortened(400, 4), 0, [], []
    for _ in range(runs):
        row = compare(*drawn(600, rng), ["a", "b"]).iloc[0]
        inside += row["low"] <= rates[1] - rates[0] <= row["high"]
        widths.append(row["high"] - row["low"])
        changes.append(row["change"])
    assert abs(inside / runs - 0.95) <= 3 * error(runs)
    assert np.mean(widths) / (2 * 1.96 * np.std(changes)) == pytest.approx(1, abs=2 / np.sqrt(runs))


def test_games_that_share_dice_are_one_observation_even_if_some_are_truncated():
    rng = np.random.default_rng(12)
    before, after = drawn(300, rng)
    single = compare(before, after, ["a", "b"]).iloc[0]
    twice, pair = np.repeat(np.arange(300), 2), np.repeat(np.arange(300), 2)
    doubled = [
        replace(item, entrant=item.entrant[twice], share=item.share[twice], truncated=item.truncated[twice], pair=pair)
        for item in (before, after)
    ]
    row = compare(*doubled, ["a", "b"]).iloc[0]
    names = ["before", "after", "change", "low", "high", "p"]
    assert row[["change", "low", "high", "p"]].tolist() == pytest.approx(single[["change", "low", "high", "p"]].tolist())
    assert row[names[:2]].tolist() == pytest.approx(single[names[:2]].tolist())


@pytest.mark.parametrize("coupling", ["seat", "entrant"])
@pytest.mark.slow
def test_the_games_of_an_entrant_equal_those_of_the_whole_experiment(coupling):
    whole = experiment(336, seats=3, coupling=coupling)
    chosen = GamesOf.from_experiment(whole, 5)
    assert chosen.games == 126
    every, some = collect(whole).rows, collect(chosen).rows
    sits = (every["entrant"][:, :3] == 5).any(axis=1)
    for field in ("game", "share", "entrant", "turns", "first"):
        assert np.array_equal(every[sits][field], some[field])


@pytest.mark.parametrize("coupling", ["seat", "entrant"])
def test_the_games_of_an_entrant_on_two_seats_equal_those_of_the_whole_experiment(coin_duel, coupling):
    """With dice by entrant, an entrant on both seats rolls different dice on each."""
    cards = coin_duel.load(None)
    whole = Experiment(coin_duel.name, cards, 2, (PolicySpec.parse("random"),), 40, coupling=coupling)
    chosen = GamesOf.from_experiment(whole, 1)
    lines, every = chosen.plan(0, chosen.games), whole.plan(0, whole.games)
    assert np.array_equal(lines, every[chosen.index])
    mirror = lines[(lines["entrant"][:, :2] == 1).all(axis=1)]
    assert len(mirror)
    assert (mirror["stream"][:, 0] != mirror["stream"][:, 1]).all()


def test_numbers_take_one_step_down_and_one_up_or_the_requested_steps():
    down, up = numeric_steps(ARENA, CARDS, [MOVE])
    assert [(step.step, step.before, step.value, step.idle) for step in (down, up)] == [(-1, 3, 2, False), (1, 3, 4, False)]
    result = numeric_steps(ARENA, CARDS, [MOVE], by=(-1, -2, 3))
    assert [(step.step, step.value) for step in result] == [(-1, 2), (-2, 1), (3, 6)]
    assert [step.cards.record["move"][0, 0] for step in result] == [2, 1, 6]
    assert all(step.idle for step in numeric_steps(ARENA, CARDS, ["hero.rhino_guy.printed_energy"]))
    down, up = numeric_steps(ARENA, CARDS, ["hero.rhino_guy.ability.hammer_time.range"])
    assert (down.cards, "range" in down.refused, up.cards is None) == (None, True, False)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: numeric_steps(ARENA, CARDS, ["hero.rhino_guy.name"]), r"hero\.rhino_guy\.name: not a number"),
        (lambda: numeric_steps(ARENA, CARDS, ["hero.rhino_guy.weight"]), "there is no such field"),
        (lambda: variants(ARENA, CARDS, {"rules.gravity": ("true",)}), "there is no such field"),
        (lambda: parsed("yes", True, "rules.x"), r"rules\.x='.*' must be"),
        (lambda: parsed("two", 2, "rules.x"), r"rules\.x='.*' must be a whole number"),
        (lambda: parsed("2.5", 2, "rules.x"), r"rules\.x='.*' must be a whole number"),
        (lambda: parsed("x", 0.5, "rules.x"), r"rules\.x='.*' must be a number"),
        (lambda: parsed("4+5", [4, 5], "rules.faces"), r"rules\.faces='4\+5': only lists of words"),
        (lambda: compare(shares([[0, 1]], [[1, 0]]), shares([[1, 0]], [[1, 0]]), ["a", "b"]), "line-ups differ"),
        (lambda: GamesOf.from_experiment(experiment(50, line_up=(0, 1)), 7), "entrant=7 plays in none of the 50 games"),
    ],
)
def test_unknown_fields_values_of_the_wrong_type_and_unknown_entrants_are_refused(refused, message):
    with pytest.raises(ValueError, match=message):
        refused()


@pytest.mark.parametrize(
    ("text", "like", "value"),
    [
        ("false", True, False),
        ("4", 3, 4),
        ("0.25", 0.5, 0.25),
        ("large", "standard", "large"),
        ("chest + debt", ["chest"], ["chest", "debt"]),
        ("", ["chest"], []),
    ],
)
def test_values_are_parsed(text, like, value):
    assert parsed(text, like) == value


def test_variants_are_read_as_the_type_of_the_current_value():
    result = variants(
        ARENA, CARDS, {"rules.hit_faces": ("2", "3", "4"), "rules.knockback_plus_damage": ("true",), "rules.board": ("large",)}
    )
    assert [step.value for step in result] == [2, 4, True, "large"]  # 3 is the current value
    assert result[2].cards.switches["knockback_plus_damage"] is True
    assert result[3].cards.record["hexes"][0] == 91


@pytest.mark.slow
def test_steps_are_played_side_by_side_and_are_the_changes_of_one_entrant():
    base, asked = GamesOf.from_experiment(experiment(), CARDS.ids.index("bow_master")), []

    def play_all(experiments):
        asked.append(len(experiments))
        return played(experiments, 1)

    down, up = numeric_steps(ARENA, CARDS, [MOVE])
    (idle, _) = numeric_steps(ARENA, CARDS, ["hero.rhino_guy.printed_energy"])
    table = compared(base, tried(base, [down, idle, up]), play_all, unit="Bow Master")
    assert asked == [3]  # the unchanged cards once, and the two steps that reach play
    facts = ["path", "step", "present", "value"]
    assert table.loc[[0, 2], facts].to_numpy().tolist() == [[MOVE, -1, 3, 2], [MOVE, 1, 3, 4]]
    assert table.loc[1, ["change", "low", "high"]].tolist() == [0, 0, 0]
    for line, step in zip((0, 2), (down, up), strict=True):
        wanted = change(base, step.cards).set_index("name").loc["Bow Master"]
        assert table.loc[line, wanted.index].equals(wanted.rename(line))


def test_without_variants_nothing_is_played():
    def play_all(experiments):
        raise AssertionError(experiments)

    assert compared(experiment(), [], play_all).empty


@pytest.mark.slow
def test_steps_of_a_part_of_teams_are_played_by_its_teams(relay_teams):
    cards = relay_teams.load(None)
    whole = Experiment(relay_teams.name, cards, 2, (PolicySpec.parse("random"),), 240)
    base = GamesOf.from_experiment(whole, 0)
    table = compared(base, tried(base, numeric_steps(relay_teams, cards, ["runner.ann.pace"])), unit="Ann")
    assert table["step"].tolist() == [-1, 1]
    assert (table["n"] == base.games).all()
    assert table["change"].iloc[0] < 0 < table["change"].iloc[1]


def test_a_variant_of_a_rule_left_to_its_default():
    document = dict(CARDS.document)
    document["rules"] = {key: value for key, value in document["rules"].items() if key != "offline_path"}
    document["rules"]["source"] = {k: v for k, v in document["rules"]["source"].items() if k != "offline_path"}
    (step,) = variants(ARENA, ARENA.from_document(document), {"rules.offline_path": ("each_step", "end_only")})
    assert (step.before, step.value) == ("each_step", "end_only")
    assert step.cards.switches["offline_path"] == "end_only"


def test_every_value_of_a_setting_is_listed_with_the_current_one_as_idle():
    result = each_value(ARENA, CARDS, "rules.hit_faces", ("2", "3", "9"))
    assert [(step.before, step.value, step.idle) for step in result] == [(3, 2, False), (3, 3, True), (3, 9, False)]
    assert [step.cards is None for step in result] == [False, False, True]
    (step,) = variants(ARENA, CARDS, {"rules.board": ("atlantis",)})
    assert (step.cards, "board" in step.refused) == (None, True)


def test_different_line_ups_are_compared_as_two_samples():
    before = shares([[0, 1]] * 60, [[1, 0]] * 45 + [[0, 1]] * 15)
    after = shares([[0, 1]] * 40 + [[1, 2]] * 20, [[1, 0]] * 20 + [[0, 1]] * 40)
    table = compare_apart(before, after, ["a", "b", "c"])
    assert list(table["name"]) == ["a", "b"]  # c plays only in the games after
    row = table.iloc[0]
    low, high = confint_proportions_2indep(20, 40, 45, 60, method="newcomb", compare="diff")
    assert (row["change"], row["low"], row["high"]) == pytest.approx((0.5 - 0.75, low, high))
    assert row["p"] == pytest.approx(proportions_ztest([20, 45], [40, 60])[1])
    assert row["n"] == 40
    assert (row["gain"], row["truncated_before"], row["truncated_after"]) == (1, 0, 0)


def test_seats_that_choose_their_entrant_make_no_pairs(lone_climb):
    cards = lone_climb.load(None)
    base = Experiment(lone_climb.name, cards, 2, (PolicySpec.parse("random"),), 60)
    other = lone_climb.from_document(changed(cards.document, "rules.summit", 6))
    same = change(base, other)
    assert same["paired"].all()  # random choices are the same
    apart = difference(base, Shares.of(base), shares([[2, 1]] * 60, [[1, 0]] * 60))
    assert not apart["paired"].any()
    assert set(apart) == set(same)
