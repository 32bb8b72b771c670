"""Tuning without games: counts, the surrogate's intervals, the search against brute force, goals, card files."""

import tomllib
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import norm

from analysis.data.card_text import with_numbers, write_changed
from analysis.data.shares import Shares
from analysis.tuning.confirm import place, retested
from analysis.tuning.goal import Band, Cells, Goal, Target, aim_of, read_target
from analysis.tuning.search import Landscape, best_sets
from analysis.tuning.surrogate import Shrinkage, fit
from sim.engine.cardfiles.paths import changed, locate, look_up, numeric_fields
from sim.engine.cards import CardError
from sim.registry import GAMES
from tests.analysis.tuned_duels import Duels, cells_of, knobs_for
from tests.conftest import in_soak


def shares_of(entrant, share, first=None) -> Shares:
    games = len(entrant)
    first = np.zeros(games, np.int8) if first is None else np.asarray(first, np.int8)
    of_games = np.zeros(games, bool), np.ones(games, np.int32)
    return Shares(np.asarray(entrant, np.int16), np.asarray(share, np.float32), *of_games, first)


def looked(duels: Duels, games: int, steps=(-1, 1)) -> list:
    return [duels.first(games)] + [duels.step(number, by) for number in range(len(duels.knobs.knobs)) for by in steps]


def test_wins_by_matchup_add_up_to_the_win_rates():
    entrant = [[0, 1], [1, 0], [2, 0], [1, 2], [2, 1]]
    share = [[1, 0], [1, 0], [0.5, 0.5], [0, 0], [1, 0]]  # the fourth game had no winner
    cells = cells_of(3)
    counts = cells.count(shares_of(entrant, share, [0, 0, 1, 0, 0]))
    assert counts.n.tolist() == [2, 1, 1, 4]
    assert counts.wins.tolist() == [1, 0.5, 0, 3.5]
    assert cells.rates(counts.rate).tolist() == [0.5, 0.25, 0.75]
    assert cells.matrix(counts.rate)[2].tolist()[:2] == [0.5, 1.0]


def test_parts_of_teams_are_counted_with_the_share_of_their_team():
    cells = Cells(("a", "b", "c", "d"), ("A", "B", "C", "D"), 2, np.array([[0, 1], [2, 3], [0, 2], [1, 3]]))
    counts = cells.count(shares_of([[0, 1], [2, 3]], [[1, 0], [0, 1]]))
    assert counts.n[:4].tolist() == [2, 2, 2, 2]
    assert counts.wins[:4].tolist() == [1, 2, 0, 1]


@pytest.mark.soak
def test_intervals_of_predictions_cover_at_their_rate():
    inside = total = 0
    for seed in range(60):
        duels = Duels(cells_of(4), knobs_for(4, 2), seed)
        trials = looked(duels, 1200)
        model = fit(duels.cells, duels.knobs.knobs, trials, Shrinkage(1.5, 0.1, 0.1, 0.02))
        for steps in (((0, 1), (3, -2)), ((1, -1), (5, 1), (6, 2))):
            rate, error = model.rates(steps)
            inside += (np.abs(rate - duels.cells.rates(duels.truth(steps))) < 1.96 * error).sum()
            total += len(rate)
    assert 0.93 < inside / total < 0.99


def test_effects_are_found_and_shrunk_by_their_evidence():
    duels = Duels(cells_of(5), knobs_for(5, 2), 7)
    model = fit(duels.cells, duels.knobs.knobs, looked(duels, 20_000))
    assert 0.5 < model.prior.effect <= 4.0
    starts = model.layout.starts
    assert np.abs(model.mode[starts[2] : starts[3]] - duels._effect).max() < 0.45


def test_a_number_moves_only_the_matchups_of_its_unit():
    duels = Duels(cells_of(4), knobs_for(4, 1), 3)
    model = fit(duels.cells, duels.knobs.knobs, looked(duels, 4_000), Shrinkage())
    moved = model.logits(((1, 2),)) - model.logits(())
    of_unit = (duels.cells.pairs == 1).any(axis=1)
    assert (moved[:-1][~of_unit] == 0).all()
    assert (moved[:-1][of_unit] != 0).all()


def test_the_best_sets_of_one_and_two_changes_are_found():
    for seed in range(5):
        duels = Duels(cells_of(4), knobs_for(4, 2), seed)
        model = fit(duels.cells, duels.knobs.knobs, looked(duels, 2_000), Shrinkage())
        land = Landscape(model, aim_of(Goal(Band(0.5, 0.5)), duels.cells))
        result = best_sets(land, 2, beam=5)
        for size in (1, 2):
            numbers = combinations(range(len(duels.knobs.knobs)), size)
            every = [tuple(zip(chosen, by, strict=True)) for chosen in numbers for by in product((-2, -1, 1, 2), repeat=size)]
            every = [steps for steps in every if set(steps) <= set(land.moves)]
            best = min(every, key=lambda steps: land.found(steps).loss)
            assert result[size][0].steps == best


def test_losses_of_larger_sets_equal_direct_computation():
    duels = Duels(cells_of(3), knobs_for(3, 3), 2)
    trials = [*looked(duels, 2_000), duels.fresh(((0, 1), (1, 1)), 5, 2_000), duels.fresh(((0, 1), (1, 1), (2, 2)), 6, 900)]
    model = fit(duels.cells, duels.knobs.knobs, trials, Shrinkage())
    land = Landscape(model, aim_of(Goal(), duels.cells))
    first, second = land.moves[0], next(move for move in land.moves if move[0] != land.moves[0][0])
    for steps in ((), (first,), tuple(sorted((first, second)))):
        for move, loss in zip(land.moves, land.larger([steps])[0], strict=True):
            if np.isfinite(loss):
                assert loss == pytest.approx(land.found(tuple(sorted((*steps, move)))).loss, abs=1e-12)
    best = best_sets(land, 1)[1][0].steps
    assert best_sets(land, 1, [best])[1][0].steps != best  # refused sets are never proposed


@pytest.mark.soak
def test_retest_covers_rates_and_changes_at_their_rate():
    """Pairs of games share luck; win rates and paired changes of three equal units, 95 % intervals."""
    chance = np.random.default_rng(5)
    cells = cells_of(3)
    base = type("Base", (), {"teams": None, "pair_of": staticmethod(lambda index: index // 2)})()
    pairs, covered = 600, []
    for _ in range(150):
        low = chance.integers(0, 3, pairs)
        entrant = np.repeat(np.stack([low, (low + chance.integers(1, 3, pairs)) % 3], axis=1), 2, axis=0)
        entrant[1::2] = entrant[1::2, ::-1]
        luck = np.repeat(chance.normal(size=pairs), 2) + chance.normal(size=2 * pairs)  # by seat, common to a pair
        before = luck > 0
        after = luck + 0.3 * (entrant[:, 0] == 0) - 0.3 * (entrant[:, 1] == 0) > 0
        won = [shares_of(entrant, np.stack([item, ~item], axis=1)) for item in (before, after)]
        covered.append(retested(base, cells, *won, (0.45, 0.55)))
    strength = 0.3 / np.sqrt(2)

    edge = norm.cdf(strength)
    truth = {"after": [edge, 0.5 - (edge - 0.5) / 2, 0.5 - (edge - 0.5) / 2], "before": [0.5] * 3}
    truth["change"] = np.subtract(truth["after"], truth["before"])
    for name, low, high in (
        ("before", "before_low", "before_high"),
        ("after", "after_low", "after_high"),
        ("change", "low", "high"),
    ):
        inside = np.mean([(table[low] <= truth[name]) & (truth[name] <= table[high]) for table in covered])
        assert inside > 0.925, name


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((0.5, 0.46, 0.54), "in"),
        ((0.5, 0.44, 0.56), "probably in"),
        ((0.56, 0.54, 0.58), "probably short"),
        ((0.6, 0.56, 0.64), "short"),
    ],
)
def test_intervals_are_classified_against_the_band(interval, word):
    assert place(*interval, (0.45, 0.55)) == word


@pytest.mark.parametrize("text", ["45", "55:45", "45:55:60", "a:b", "0:50", "51:55"])
def test_an_invalid_band_is_refused(text):
    with pytest.raises(ValueError, match="band="):
        Band.parse(text)


def test_the_band_is_scaled_to_the_fair_share():
    aim = aim_of(Goal(), Cells(("a", "b", "c", "d"), ("A", "B", "C", "D"), 4))
    assert aim.low.tolist() == [0.225] * 4
    assert aim.high == pytest.approx([0.275] * 4)


def test_a_target_can_name_matchups_from_either_side(tmp_path):
    file = tmp_path / "target.toml"
    file.write_text("tolerance = 0.03\nfirst_seat = 0.5\n[matchup.u2]\nu0 = 0.6\n")
    target = read_target(file)
    assert target == Target((("u2", "u0", 0.6),), 0.5, 0.03)
    aim = aim_of(Goal(target=target), cells_of(3))
    by_cell = np.array([0.5, 0.3, 0.5, 0.45])
    assert aim.outputs(by_cell) == pytest.approx([0.7, 0.45])
    assert aim.low == pytest.approx([0.57, 0.47])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "is not a key"),
        ("first_seat = 2", "first_seat=2"),
        ("tolerance = 0.1", "has neither"),
        ("[matchup]\na = 1", "tables"),
    ],
)
def test_an_invalid_target_file_is_refused(tmp_path, text, message):
    file = tmp_path / "target.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_target(file)


@pytest.mark.parametrize("name", ["riftborn", *(in_soak(name) for name in GAMES if name != "riftborn")])
@pytest.mark.slow
def test_only_the_changed_numbers_differ_in_the_file(name):
    text = GAMES[name].reference.read_text()
    document = tomllib.loads(text)
    whole = [path for path in numeric_fields(document) if isinstance(look_up(document, locate(document, path))[1], int)]
    chosen = whole[:: max(1, len(whole) // 12)]
    values = {path: 77 + number for number, path in enumerate(chosen)}
    result = with_numbers(text, values)
    wanted = document
    for path, value in values.items():
        wanted = changed(wanted, path, value)
    assert tomllib.loads(result) == wanted
    before, after = text.split("\n"), result.split("\n")
    assert len(before) == len(after)
    assert sum(left != right for left, right in zip(before, after, strict=True)) <= len(values)


def test_a_folder_with_a_card_file_is_not_overwritten(tmp_path):
    text = GAMES["arena"].reference.read_text()
    write_changed(text, tmp_path / "new", {"hero.rhino_guy.move": 3})
    before = (tmp_path / "new" / "cards.toml").read_bytes()
    with pytest.raises(CardError, match="exists already"):
        write_changed(text, tmp_path / "new", {"hero.rhino_guy.move": 4})
    assert (tmp_path / "new" / "cards.toml").read_bytes() == before
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["cards.toml"]
    with pytest.raises(CardError, match="plain whole number"):
        with_numbers('game = "x"\n[a]\nn = 0x10\n', {"a.n": 3})
