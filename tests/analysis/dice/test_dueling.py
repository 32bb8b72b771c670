"""Duels of a game: setup from words, the command, exact odds for every pair. A tiny game of the tests has some."""

import json
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from analysis.dice.duels import BARE, arranged, duel_table, plan_words
from analysis.questions.duel import TURNS_SHOWN, answer_of
from analysis.stats.markov import compare, solve
from sim.engine.exact import Chain, Decisions, Duel, DuelRequest, Fights
from sim.registry import GAMES
from sim.warmup import PARTS
from tests.analysis.cli.test_cli import refusal, shown

DUEL = ("duel", "coin_duel", "pike", "maul")


def request(fighter="pike", opponents=("maul",), **more) -> DuelRequest:
    return DuelRequest(fighter, opponents, **more)


@pytest.mark.parametrize(
    "wanted",
    [
        request(),
        request("needle", ("maul", "pike", "pike")),
        request(gear=("ring", "coin"), health=4),
        request(potions=2, drink_at=2),
        request("maul", flee_at=3),
        request("needle", potions=1, drink_at=1, flee_at=2, health=2),
    ],
    ids=lambda wanted: f"{wanted.fighter} {plan_words(wanted)}",
)
@pytest.mark.slow
def test_exact_and_simulated_duels_agree(coin_duel, wanted):
    duel = arranged(coin_duel, coin_duel.load(None), wanted)
    agreement = compare(solve(duel.chain()), duel.sample(20_000, 11))
    assert abs(agreement.z_max) < 4
    assert not agreement.p_value < 1e-4


def test_equal_dice_are_a_race_for_coins_with_odds_as_fractions(coin_duel):
    exact = sum(comb(2 + lost, lost) * Fraction(1, 2) ** (3 + lost) for lost in range(5))  # 3 wins before 5 losses
    odds = solve(arranged(coin_duel, coin_duel.load(None), request("pike", ("pike",))).chain())
    assert odds.win == pytest.approx(float(exact), rel=1e-12)
    assert odds.chance[2] == 0


def test_names_work_like_ids(coin_duel):
    duel = arranged(coin_duel, coin_duel.load(None), request("Pike", ("MAUL",), gear=("Lucky Glove",)))
    assert (duel.fighter, duel.opponents, duel.gear) == ("Pike", ("Maul",), ("Lucky glove",))
    assert duel.title == "Pike with Lucky glove against Maul"


def test_the_command_shows_exact_and_simulated_side_by_side(coin_duel):
    data = json.loads(shown(*DUEL, "--gear", "coin", "--health", "3", "--flee-at", "1", "--duels", "5000", "--json"))
    odds = solve(arranged(coin_duel, coin_duel.load(None), request(gear=("coin",), health=3, flee_at=1)).chain())
    assert [line["ending"] for line in data["endings"]] == ["won", "dead", "fled"]
    for line, chance in zip(data["endings"], odds.chance, strict=True):
        assert line["exact"] == pytest.approx(chance)
        assert line["simulated_low"] <= line["simulated"] <= line["simulated_high"]
        assert abs(line["z"]) < 4
    facts = data["facts"]
    assert facts | {"health": 3, "health_max": 5, "games": 5000, "stopped": 0, "plan": "flees at 1 or less"} == facts
    assert sum(line["exact"] for line in data["left"] if line["ending"] == "won") == pytest.approx(odds.win)
    assert sum(line["exact"] for line in data["turns"]) + facts["longer"] == pytest.approx(1)
    assert sum(line["simulated"] for line in data["turns"]) == pytest.approx(1)


def test_the_same_seed_prints_the_same(coin_duel):
    whole = (*DUEL, "--duels", "500", "--all", "--notes")
    text = shown(*whole, "--seed", "4")
    for texts in ("Pike against Maul: won", "5 of 5 coins; 500 duels", "Coins left at the end", "ends in turn"):
        assert texts in text
    assert "fled  " in text
    assert text == shown(*whole, "--seed", "4")
    assert text != shown(*whole, "--seed", "5")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pik", "maul"), "fighter 'pik': is not known; did you mean \"pike\"?"),
        (("pike", "maul,ogre"), "opponent 'ogre': is not known; known here: pike, maul, needle"),
        (("pike", "maul,maul,maul,maul,maul"), "opponents: 5 given, must be 1..4"),
        (("pike", ","), "opponents: 0 given, must be 1..4"),
        (("--gear", "glove,coin"), "gear glove, coin: both are worn on the same hand"),
        (("--gear", "cap"), "gear 'cap': is not known; known here: glove, ring, coin"),
        (("--health", "6"), "--health 6 must be 1..5"),
        (("--health", "0"), "--health 0 must be at least 1"),
        (("--potions", "1"), "--potions 1 and no --drink-at: give both, or neither"),
        (("--drink-at", "1"), "--potions 0 and --drink-at 1: give both, or neither"),
        (("--potions", "-1", "--drink-at", "1"), "--potions -1 must be at least 0"),
        (("--flee-at", "2", "--no-exit"), "--flee-at 2: fleeing needs an exit"),
        (("--duels", "0"), "--duels 0 must be 1.."),
        (("--seed", "-1"), "--seed -1"),
    ],
)
def test_impossible_duels_are_refused_in_one_message(coin_duel, arguments, message):
    named = () if not arguments[0].startswith("--") else DUEL[2:]
    assert message in refusal(*DUEL[:2], *named, *arguments)


def test_a_game_without_duels_is_refused():
    with pytest.raises(ValueError, match="game='arena' has no duels"):
        arranged(GAMES["arena"], GAMES["arena"].load(None), request())


def test_long_duels_are_summarized_and_stopped_ones_counted(coin_duel):
    def chain() -> Chain:
        edges = np.array([[0, 0], [0, 1]], np.int32)
        return Chain(1, 0, edges[:, 0], edges[:, 1], np.array([0.9, 0.1]), np.zeros(1, np.int8), np.ones(1, np.int16), ("won",))

    fights = Fights(np.array([0, -1], np.int8), np.array([1, 0], np.int16), np.array([40, 50], np.int32))
    answer = answer_of(Duel("A", ("B",), (), 1, 1, chain, lambda *_: fights), "", 2, 1, "coins")
    _, left, turns = answer.tables
    assert answer.warnings == ("1 duels were stopped before their end.",)
    assert left.rows[0] == ("won", 1, 1.0, 0.5)
    assert len(turns.rows) == TURNS_SHOWN + 1
    assert turns.rows[-1] == ("later", pytest.approx(0.9**TURNS_SHOWN), 1.0)


def test_best_decisions_are_shown_beside_the_plan(coin_duel):
    """The plan gambles: won, lost or fled by 2, 1 and 1 in 4. Waiting wins 3 in 4."""
    edges, ends = np.array([2, 1, 1]) / 4, np.arange(3, dtype=np.int8)
    nothing, names = np.zeros(3, np.int32), ("won", "dead", "fled")

    def chain() -> Chain:
        return Chain(1, 0, nothing, 1 + ends.astype(np.int32), edges, ends, np.ones(3, np.int16), names)

    def decisions() -> Decisions:
        one, target = np.ones(1, np.int16), np.array([1, 2, 1, 2, 3])
        option, chance = np.array([0, 0, 1, 1, 1]), np.array([0.75, 0.25, *edges])
        actions = ("wait", "gamble")
        return Decisions(1, 0, nothing[:2], ends[:2], option, target, chance, ends, names, 2, actions, 3 * one, 2 * one, 0 * one)

    fights = Fights(ends, np.ones(3, np.int16), np.ones(3, np.int32))
    duel = Duel("A", ("B",), (), 3, 3, chain, lambda *_: fights, decisions)
    answer = answer_of(duel, "", 3, 1, "coins")
    (shown_,) = [table for table in answer.tables if table.id == "decisions"]
    assert shown_.columns == ("coins", "to win", "to win or flee")
    assert shown_.rows == (("3", "wait", "wait"),)
    win, flee = (line.replace("\u202f", " ") for line in answer.notes[:2])
    assert win == "Best decisions to win: won 75.0 % (this plan 50.0 %, 66.7 % of the optimum)."
    assert flee.startswith("Best decisions to win or flee (fled counts 0.5): worth 75.0 % (this plan 62.5 %, 83.3 %")
    assert answer.data["best"][0] == {"goal": "to win", "best": 0.75, "plan": 0.5, "share": pytest.approx(2 / 3)}
    assert answer.data["decisions"][0] == {"goal": "to win", "left": 3, "potions": 0, "theirs": 2, "decisions": "wait"}

    def too_many() -> Decisions:
        raise ValueError("too many situations")

    left_out = answer_of(replace(duel, decisions=too_many), "", 3, 1, "coins")
    assert left_out.notes[0] == "Best decisions are left out: too many situations."
    assert len(answer_of(replace(duel, decisions=None), "", 3, 1, "coins").notes) == 1


@pytest.mark.slow
def test_the_table_holds_every_possible_duel_and_no_other(coin_duel):
    frame, endings = duel_table(coin_duel, coin_duel.load(None), 300, 1)
    assert endings == ("won", "dead", "fled")
    assert len(frame) == 3 * 3 * 4 - 3  # Needle cannot wear the ring
    assert frame[(frame["fighter"].str.startswith("Needle")) & (frame["gear"] == "Cursed ring")].empty
    assert (frame.loc[frame["gear"] == BARE, "change"] == 0).all()
    assert (frame.loc[frame["gear"] == "Lucky glove", "change"] > 0).all()
    assert (frame.loc[frame["gear"] == "Cursed ring", "change"] < 0).all()
    assert frame["p_holm"].min() > 1e-4
    assert np.allclose(frame[["chance_0", "chance_1", "chance_2"]].sum(axis=1), 1)
    assert (frame["chance_0"] == frame["win"]).all()
    line = frame[(frame["fighter"] == "Pike") & (frame["opponent"] == "Maul") & (frame["gear"] == "Second coin")].iloc[0]
    odds = solve(arranged(coin_duel, coin_duel.load(None), request(gear=("coin",))).chain())
    assert (line["win"], line["turns"], line["left"]) == (odds.win, odds.mean_turns, odds.mean_left())


def test_a_duel_that_cannot_be_set_up_without_gear_is_an_error(coin_duel):
    def refuse(cards, wanted):
        raise ValueError("no such duel")

    broken = replace(coin_duel, duels=replace(coin_duel.duels, setup=refuse))
    with pytest.raises(ValueError, match="no such duel"):
        duel_table(broken, broken.load(None), 10, 1)


def test_warmup_has_a_part_for_duels(coin_duel):
    PARTS["duels"](coin_duel)
    PARTS["duels"](GAMES["arena"])  # nothing to do
