"""The model of the workbench: edits and their refusals, what is played, and estimates against exact and independent answers."""

import random
import threading
import time
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from analysis.answer.verdicts import edges
from analysis.stats.sequential import looks
from analysis.variants.variant import change
from analysis.workbench import bench as model
from analysis.workbench.bench import Bench, Crew, Sums, bounded
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import blocks
from tests.conftest import sampled
from tests.every_game.dice_duel import GAME as DUEL
from tests.every_game.dice_duel import exact

PLAYED = pytest.mark.usefixtures("dice_duel")
CARDS = DUEL.load(None)
GAMES_PLAYED = 1120
HEALTH = "fighter.knight.health"
BUILT_IN = ("arena", "cardrogue", "riftborn", "rookling", "runeslingers")


@pytest.fixture(autouse=True)
def steady(monkeypatch):
    """Chunks whose sizes do not depend on the speed of this machine."""
    monkeypatch.setattr(model, "CHUNK_SECONDS", 1e6)


def base(seed: int = 3, **more) -> Experiment:
    return Experiment(DUEL.name, CARDS, 2, ("random",), 1, seed, **more)


def played(bench: Bench) -> Bench:
    """Play all that there is to play, in this thread."""
    while (job := bench.job()) is not None:
        job()
    assert not bench.error
    return bench


@cache
def built_in(name: str) -> Experiment:
    return Experiment(name, GAMES[name].load(None), 2, ("random",), 1)


# ---- estimates


@PLAYED
@pytest.mark.slow
def test_changes_and_rates_are_those_of_a_whatif_of_the_same_games():
    bench = played(Bench(base(), most=GAMES_PLAYED, goal=0))
    bench.edit(HEALTH, "60")
    standing = played(bench).standing()
    whole = Experiment(DUEL.name, CARDS, 2, ("random",), standing.games, 3)
    expected = change(whole, bench.cards, lambda one: blocks(one, 1)).set_index("name")
    found = standing.rates.set_index("name").loc[expected.index]
    for column in ("before", "after", "change"):
        assert np.allclose(found[column], expected[column])
    assert (found["n"] == expected["n"]).all()
    assert standing.moved > 0


@PLAYED
@pytest.mark.slow
def test_exact_win_rates_lie_within_the_bounds_and_a_large_change_is_certain():
    bench = Bench(base(), most=4 * GAMES_PLAYED, goal=0)
    bench.edit(HEALTH, "60")
    rates = played(bench).standing().rates
    for word, cards in (("before", CARDS), ("after", bench.cards)):
        truth = exact.win_rates(cards)
        assert (rates[f"{word}_low"] <= truth).all()
        assert (rates[f"{word}_high"] >= truth).all()
    truth = exact.win_rates(bench.cards) - exact.win_rates(CARDS)
    assert (rates["low"] <= truth).all()
    assert (rates["high"] >= truth).all()
    assert rates.set_index("id").loc["knight", "sure"]


@PLAYED
@pytest.mark.slow
def test_matchups_and_the_first_player_are_those_of_exact_odds():
    standing = played(Bench(base(), most=4 * GAMES_PLAYED, goal=0)).standing()
    truth = exact.matchup(CARDS)
    expected = truth[standing.cells["row"], standing.cells["column"]]
    assert (standing.cells["after_low"] <= expected).all()
    assert (standing.cells["after_high"] >= expected).all()
    assert len(standing.cells) == 8 * 7
    assert standing.first["after_low"] <= exact.first_seat_share(CARDS) <= standing.first["after_high"]


@PLAYED
@pytest.mark.slow
def test_the_length_and_its_change_are_means_over_the_games():
    bench = Bench(base(), most=GAMES_PLAYED, goal=0)
    bench.edit(HEALTH, "80")
    standing = played(bench).standing()
    turns = [
        np.concatenate(
            [block.rows["turns"] for block in blocks(Experiment(DUEL.name, cards, 2, ("random",), standing.games, 3), 1)]
        )
        for cards in (CARDS, bench.cards)
    ]
    assert standing.length["before"] == pytest.approx(turns[0].mean())
    assert standing.length["change"] == pytest.approx(turns[1].mean() - turns[0].mean())
    assert standing.length["low"] < standing.length["change"] < standing.length["high"]
    assert standing.length["sure"]
    assert [*standing.lengths[1]] == [*np.bincount(turns[1], minlength=standing.lengths.shape[1])]


@pytest.mark.soak
def test_bounds_of_rates_and_changes_hold_at_every_look():
    """1000 runs as rows: gains and losses of single games, 8 % of them truncated after the change; 40 looks each."""
    chance, runs = np.random.default_rng(11), 1000
    rate, gain, loss, cut = 0.45, 0.10, 0.04, 0.08
    cells = {(1, 1): (rate - loss), (1, 0): loss, (0, 1): gain, (0, 0): 1 - rate - gain}
    odds = [p * part for p in cells.values() for part in (1 - cut, cut)]
    kinds = [(b, a * kept, kept) for b, a in cells for kept in (1, 0)]
    counts, n = np.zeros((runs, len(kinds)), np.int64), 0
    after, wrong = rate - loss + gain, np.zeros((3, runs), bool)
    for look in looks(60_000, 50, 200, 1.15)[:40]:
        counts += chance.multinomial(look - n, odds, runs)
        n = look
        columns = {
            "y_b": [b for b, _, _ in kinds],
            "x_b": [1] * len(kinds),
            "y_a": [a for _, a, _ in kinds],
            "x_a": [x for *_, x in kinds],
        }
        values = {name: np.array(column) for name, column in columns.items()}
        sums = {name: counts @ value for name, value in values.items()}
        sums |= {f"{i}*{j}": counts @ (values[i] * values[j]) for i in values for j in values}
        sums |= {"m": np.full(runs, n), "m_b": np.full(runs, n), "m_a": counts @ values["x_a"]}
        frame = bounded(pd.DataFrame(sums).astype(float), unchanged=False, group_games=1.0)
        for row, (truth, low, high) in enumerate(
            ((rate, "before_low", "before_high"), (after, "after_low", "after_high"), (after - rate, "low", "high"))
        ):
            wrong[row] |= ((frame[low] > truth) | (frame[high] < truth)).to_numpy()
    assert (wrong.mean(axis=1) <= 0.05).all()


@PLAYED
@pytest.mark.slow
def test_nothing_changed_is_a_change_of_exactly_zero_and_nothing_is_certain():
    standing = played(Bench(base(), most=GAMES_PLAYED, goal=0)).standing()
    assert (standing.rates[["change", "low", "high"]] == 0).all(axis=None)
    assert not standing.rates["sure"].any()
    assert standing.replayed == standing.moved == 0


@PLAYED
@pytest.mark.slow
def test_playing_ends_when_every_estimate_is_known_to_the_goal():
    bench = played(Bench(base(), most=10**6, goal=0.05))
    standing = bench.standing()
    assert max(standing.half_width) <= 0.05
    assert not standing.playing
    assert standing.games < 10**5


# ---- what is played


@PLAYED
@pytest.mark.slow
def test_only_games_with_the_changed_fighter_are_played_again_and_known_games_not_at_all(monkeypatch):
    bench = played(Bench(base(), most=GAMES_PLAYED, goal=0))
    counted = []
    real = model.play_range
    monkeypatch.setattr(model, "play_range", lambda games, *rest: counted.append(games.games) or real(games, *rest))
    bench.edit(HEALTH, "50")
    standing = played(bench).standing()
    assert sum(counted) == standing.replayed == standing.games * 2 // 8


@PLAYED
@pytest.mark.slow
def test_a_rule_is_played_in_all_games_again():
    bench = Bench(base(), most=GAMES_PLAYED, goal=0)
    bench.edit("rules.second_health", "6")
    standing = played(bench).standing()
    assert standing.replayed == standing.games


@PLAYED
@pytest.mark.slow
def test_undone_edits_are_known_without_playing():
    bench = played(Bench(base(), most=GAMES_PLAYED, goal=0))
    bench.edit(HEALTH, "50")
    first = played(bench).standing()
    bench.undo()
    assert bench.job() is None
    assert bench.standing().games == first.games
    bench.redo()
    assert bench.job() is None
    assert bench.standing().rates.equals(first.rates)


@PLAYED
def test_chunks_count_in_the_order_of_their_games():
    bench = Bench(base(), most=GAMES_PLAYED, goal=0)
    first, second = bench.job(), bench.job()
    second()
    assert bench.standing() is None
    first()
    assert bench.standing().games == bench._chunks[1].last


@PLAYED
@pytest.mark.slow
def test_a_chunk_that_an_edit_stops_is_played_later():
    bench = Bench(base(), most=GAMES_PLAYED, goal=0)
    bench.edit(HEALTH, "50")
    job = bench.job()
    bench.edit(HEALTH, "51")  # the job still holds the stop of the first edit, which is set now
    job()
    assert bench.standing() is None
    bench.edit(HEALTH, "50")
    again = played(bench).standing()
    fresh = Bench(base(), most=GAMES_PLAYED, goal=0)
    fresh.edit(HEALTH, "50")
    assert np.allclose(again.rates["change"], played(fresh).standing().rates["change"])


@PLAYED
@pytest.mark.slow
def test_results_do_not_depend_on_the_threads():
    results = []
    for workers in (1, 2):
        crew = Crew(workers)
        bench = Bench(base(), crew, most=GAMES_PLAYED, goal=0)
        bench.edit(HEALTH, "50")
        settled(bench)
        results.append(bench.standing())
        bench.close()
    assert results[0].games == results[1].games >= GAMES_PLAYED
    assert results[0].rates.equals(results[1].rates)


def settled(bench: Bench, seconds: float = 60) -> None:
    """Wait until a crew has played all games of a bench."""
    end = time.monotonic() + seconds
    while (standing := bench.standing()) is None or standing.playing:
        assert time.monotonic() < end, bench.error
        time.sleep(0.02)


def games_of(bench: Bench) -> int:
    """Games of a bench so far."""
    standing = bench.standing()
    return standing.games if standing else 0


@PLAYED
@pytest.mark.slow
def test_a_closed_or_paused_bench_plays_nothing_and_another_goes_on():
    crew = Crew(2)
    first, second = (Bench(base(seed), crew, most=10**9, goal=0) for seed in (1, 2))
    first.close()
    second.pause()
    time.sleep(0.5)
    games = [games_of(bench) for bench in (first, second)]
    time.sleep(0.3)
    assert games == [games_of(bench) for bench in (first, second)]
    second.pause(paused=False)
    end = time.monotonic() + 60
    while games_of(second) <= games[1]:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert first.is_closed
    second.close()


@PLAYED
def test_the_bench_that_has_played_least_for_its_edits_comes_first():
    crew = Crew(1)
    first, second = Bench(base(1), most=10**6, goal=0), Bench(base(2), most=10**6, goal=0)
    crew._benches = [first, second]
    first.job()()
    assert first.spent > second.spent
    assert crew._next().args[0] is second._run
    second.job()()
    second.spent = 2 * first.spent
    first.edit(HEALTH, "50")
    assert crew._next().args[0] is first._run


@PLAYED
@pytest.mark.slow
def test_a_game_that_fails_is_reported_and_the_threads_go_on(monkeypatch):
    crew = Crew(1)
    real = model.play_range

    def fails(games, *rest):
        if threading.current_thread().name == "workbench" and games.seed == 7:
            raise RuntimeError("asks for decisions without end")
        return real(games, *rest)

    monkeypatch.setattr(model, "play_range", fails)
    broken, fine = Bench(base(7), crew, most=GAMES_PLAYED, goal=0), Bench(base(8), crew, most=GAMES_PLAYED, goal=0)
    settled(fine)
    assert broken.error == "asks for decisions without end"
    assert broken.standing() is None
    monkeypatch.undo()
    broken.edit(HEALTH, "50")  # another set is tried again
    assert not broken.error
    settled(broken)
    broken.close()
    fine.close()


@pytest.mark.parametrize("fixture", ["coin_duel", "lone_climb", "relay_teams", "deck_race"])
@pytest.mark.slow
def test_every_kind_of_game_is_played(fixture, request):
    game = request.getfixturevalue(fixture)
    seats = min(game.seats)
    bench = played(Bench(Experiment(game.name, game.load(None), seats, ("random",), 1), most=200, goal=0))
    path = next(path for path, value in bench.paths.items() if type(value) is int)
    accepted = next(value for value in (bench.paths[path] + 1, bench.paths[path] - 1) if accepts(bench, path, value))
    standing = played(bench).standing()
    assert bench.edits == {path: accepted}
    assert standing.games >= 200
    assert len(standing.rates) == len(bench.base.teams.ids if bench.base.teams else bench.base.cards.ids)
    known = standing.rates["n"] > 0  # alone, some never finish a game in time
    assert known.any()
    assert np.isfinite(standing.rates.loc[known, "after"]).all()
    assert (standing.cells is None) == (seats == 1)


def accepts(bench: Bench, path: str, value: int) -> bool:
    """Edit a number; whether its value is allowed."""
    try:
        bench.edit(path, str(value))
    except ValueError:
        return False
    return True


@PLAYED
def test_many_entrants_have_no_matchups(monkeypatch):
    monkeypatch.setattr(model, "CELLS_UNITS", 7)
    standing = played(Bench(base(), most=100, goal=0)).standing()
    assert standing.cells is None
    assert len(standing.rates) == 8


def test_sums_can_be_added(dice_duel):
    bench = Bench(base(), most=200, goal=0)
    parts = [model.played(model.part_of(bench.base, *ends), np.zeros(1, np.uint8)) for ends in ((0, 80), (80, 200), (0, 200))]
    first, second, whole = (Sums.of(bench.base, start, games, games) for start, games in zip((0, 80, 0), parts, strict=True))
    assert np.allclose((first + second).units, whole.units)
    assert np.allclose((first + second).cells, whole.cells)
    assert (first + second).games == whole.games == 200


# ---- edits


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (HEALTH, "999", "fighter.knight.health = 999: is too large; must be a whole number from 10 to 90"),
        (HEALTH, "-4", "fighter.knight.health = -4: is too small; must be a whole number from 10 to 90"),
        (HEALTH, "many", "fighter.knight.health='many' must be a whole number"),
        (HEALTH, "4.5", "fighter.knight.health='4.5' must be a whole number"),
        (HEALTH, "nan", "fighter.knight.health='nan' must be a whole number"),
        (HEALTH, " ", "fighter.knight.health is empty; give a value such as 45"),
        (HEALTH, "9" * 5000, "fighter.knight.health: has 5000 characters; give a value such as 45"),
        ("fighter.knight.helth", "50", "did you mean"),
        ("title", "50", "is not a number or switch of this card set"),
    ],
)
@PLAYED
def test_a_refused_value_leaves_the_last_valid_state(path, text, message):
    bench = Bench(base())
    bench.edit(HEALTH, "50")
    with pytest.raises(ValueError, match=r".*") as refused:
        bench.edit(path, text)
    assert message in str(refused.value)
    assert bench.edits == {HEALTH: 50}
    assert not bench.can_redo
    assert bench.cards.document["fighter"][0]["health"] == 50


@PLAYED
def test_undo_redo_and_reset_walk_through_the_edits():
    bench = Bench(base())
    bench.edit(HEALTH, "50")
    bench.edit("fighter.ogre.dice", "2")
    bench.edit(HEALTH, "45")  # its unchanged value takes the first edit back
    assert bench.edits == {"fighter.ogre.dice": 2}
    assert bench.undo()
    assert bench.edits == {HEALTH: 50, "fighter.ogre.dice": 2}
    bench.reset()
    assert bench.edits == {}
    assert bench.undo()
    assert bench.undo()
    assert bench.undo()
    assert not bench.undo()
    assert bench.redo()
    assert bench.edits == {HEALTH: 50}
    bench.edit(HEALTH, "51")
    assert not bench.redo()


@PLAYED
def test_numbers_show_values_and_sources():
    bench = Bench(base())
    bench.edit(HEALTH, "50")
    line = bench.numbers().set_index("path").loc[HEALTH]
    assert dict(line) == {
        "card": "fighter.knight",
        "field": "health",
        "value": "50",
        "before": "45",
        "source": "assumed",
        "edited": True,
        "stepped": True,
    }


def test_numbers_of_entrants_come_first_and_the_board_last():
    numbers = Bench(built_in("arena")).numbers()
    places = [0 if card.startswith("hero.") else 2 if card.startswith("board") else 1 for card in numbers["card"]]
    assert places == sorted(places)
    assert set(places) == {0, 1, 2}
    assert sorted(numbers["path"]) == sorted(Bench(built_in("arena")).paths)


@PLAYED
def test_whole_numbers_are_stepped_within_the_card_rules():
    bench = Bench(base())
    bench.step(HEALTH, 1)
    bench.step(HEALTH, 1)
    assert bench.edits == {HEALTH: 47}
    bench.step(HEALTH, -2)
    assert bench.edits == {}
    bench.edit("fighter.knight.armour", "3")
    with pytest.raises(ValueError, match="is too large"):
        bench.step("fighter.knight.armour", 1)
    assert bench.edits == {"fighter.knight.armour": 3}
    with pytest.raises(ValueError, match="is not a whole number of this card set"):
        bench.step("fighter.knight.name", 1)


@PLAYED
def test_verdicts_are_those_of_intervals_that_hold_together():
    bench = played(Bench(base(), most=20_000))
    standing = bench.standing()
    low, high = edges(standing.fair)
    for line in standing.rates.to_dict("records"):
        verdict = "too strong" if line["after_low"] > high else "too weak" if line["after_high"] < low else None
        inside = line["after_low"] >= low and line["after_high"] <= high
        assert line["verdict"] == (verdict or ("fair" if inside else "not decided"))
    assert {"too strong", "too weak"} <= set(standing.rates["verdict"])
    one = bounded(bench._run.sums.units, unchanged=True, group_games=1.0)
    assert (standing.rates["after_high"] - standing.rates["after_low"] > (one["after_high"] - one["after_low"]).to_numpy()).all()


@PLAYED
def test_other_players_go_on_with_the_same_work():
    bench = Bench(base())
    bench.edit(HEALTH, "50")
    bench.save("fifty")
    quick = (PolicySpec.parse("greedy:4"),)
    again = Bench(base(), work=replace(bench.work, policies=quick))
    assert again.base.policies == quick
    assert (again.edits, again.variants) == (bench.edits, bench.variants)
    assert again.undo()


def test_a_printed_number_is_called_changed():
    bench = Bench(built_in("arena"))
    assert bench.numbers().set_index("path").loc["rules.tokens", "source"] == "rulebook"
    bench.edit("rules.tokens", "11")
    assert bench.numbers().set_index("path").loc["rules.tokens", "source"] == "changed"


def test_switches_and_lists_of_words_can_be_edited():
    arena, dungeon = Bench(built_in("arena")), Bench(built_in("cardrogue"))
    arena.edit("rules.board", "large")
    arena.edit("rules.knockback_plus_damage", "true")
    assert arena.edits == {"rules.board": "large", "rules.knockback_plus_damage": True}
    with pytest.raises(ValueError, match="is not one of the choices"):
        arena.edit("rules.start_choice", "anywhere")
    dungeon.edit("rules.goals", "chest, debt")
    assert dungeon.edits == {"rules.goals": ["chest", "debt"]}


def test_a_number_that_never_reaches_play_is_idle():
    bench = Bench(built_in("arena"))
    bench.edit("hero.rhino_guy.printed_energy", "3")
    assert bench.change.idle
    bench.edit("hero.rhino_guy.move", "3")
    assert not bench.change.idle


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.slow
def test_every_number_of_a_game_takes_its_own_value(name):
    bench = Bench(built_in(name))
    numbers = bench.numbers()
    assert set(numbers["path"]) >= {item.path for item in bench.base.cards.provenance}
    assert {f"rules.{switch}" for switch in bench.base.cards.switches} <= {path.partition("[")[0] for path in numbers["path"]}
    for path, value in zip(numbers["path"], numbers["value"], strict=True):
        bench.edit(path, value)
    assert bench.edits == {}
    assert not bench.can_undo


@pytest.mark.parametrize("name", sampled(BUILT_IN, len(BUILT_IN)))
@pytest.mark.slow
def test_a_thousand_random_edits_and_bad_values_end_in_valid_states(name):
    """Over the five games; a refusal is a ValueError with a message, and never changes anything."""
    bench, chance = Bench(built_in(name)), random.Random(5)
    paths = list(bench.paths)
    bad = [
        "",
        " ",
        "x",
        "99999",
        "-1",
        "0",
        "1e9",
        "nan",
        "inf",
        "true",
        "none",
        "+",
        "=",
        "\x00",
        "\u0661",
        "9" * 200,
        "[1]",
        "{}",
        "a+b",
        "é" * 90,
    ]
    refused, unchanged = [], []
    for _ in range(200):
        before, path = bench.edits, chance.choice(paths)
        value = bench.paths[path]
        near = str(value + chance.randint(-3, 3)) if type(value) is int else str(value).lower()
        kind = chance.random()
        if kind < 0.15:
            chance.choice([bench.undo, bench.redo, bench.reset])()
        else:
            try:
                bench.edit(chance.choice([path, path, path, path + "x"]), near if kind < 0.6 else chance.choice(bad))
            except ValueError as error:
                refused.append(str(error))
                unchanged.append(bench.edits == before)
        assert bench.cards.record.shape == (1,)
        assert {path: present for path, present in bench.edits.items() if present == bench.paths[path]} == {}
    assert all(refused)
    assert all(unchanged)
    assert 20 < len(refused) < 200


# ---- variants


@PLAYED
@pytest.mark.slow
def test_variants_are_saved_opened_and_removed():
    bench = Bench(base(), most=GAMES_PLAYED, goal=0)
    bench.edit(HEALTH, "60")
    assert bench.save("  strong   knight ") == "strong knight"
    assert bench.known_range("strong knight") is None
    rates = played(bench).standing().rates["after"]
    bench.edit("fighter.ogre.dice", "2")
    bench.open("strong knight")
    assert bench.edits == {HEALTH: 60}
    assert bench.known_range("strong knight") == pytest.approx((rates.min(), rates.max()))
    bench.undo()
    assert bench.edits == {HEALTH: 60, "fighter.ogre.dice": 2}
    bench.remove("strong knight")
    assert bench.variants == {}


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x07b"])
@PLAYED
def test_a_variant_needs_a_name(name):
    bench = Bench(base())
    bench.edit(HEALTH, "60")
    with pytest.raises(ValueError, match="must have 1 to 60 printable characters"):
        bench.save(name)


@PLAYED
def test_impossible_variants_are_refused(monkeypatch):
    bench = Bench(base())
    with pytest.raises(ValueError, match="nothing is changed"):
        bench.save("empty")
    bench.edit(HEALTH, "60")
    bench.save("one")
    with pytest.raises(ValueError, match='did you mean "one"'):
        bench.open("oen")
    monkeypatch.setattr(model, "VARIANTS_MOST", 1)
    with pytest.raises(ValueError, match="1 variants are saved; remove one first"):
        bench.save("two")


def test_a_crew_needs_a_worker():
    with pytest.raises(ValueError, match="jobs=0 must be at least 1"):
        Crew(0)
