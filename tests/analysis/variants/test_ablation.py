"""The worth of an ability: compared with the exact one, in pairs, and never used when forbidden."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from analysis.questions.ablate import chart_frame, is_own, summary, worths
from analysis.stats.intervals import adjust
from analysis.variants.ablation import bans_of, everything, thing_words, usages, worth
from sim.registry import GAMES as GAMES_BY_NAME
from sim.run import replay
from tests.analysis.made_games import cards_with, experiment
from tests.every_game.coin_duel import Action
from tests.every_game.play import enough
from tests.every_game.play import experiment as of

pytestmark = pytest.mark.slow

GAMES = enough(4000, 300)


def show_down() -> float:
    """Share of the win of Pike (6 faces) against Maul (8) if both stay, over all cards and rolls."""
    hands = [(pike, maul) for pike, maul in product(range(1, 7), repeat=2) if pike != maul]
    sums = [(a + pike, b + maul) for (pike, maul), a, b in product(hands, range(1, 7), range(1, 9))]
    return float(np.mean([1.0 if mine > his else 0.5 if mine == his else 0.0 for mine, his in sums]))


def win_rate(pike_folds: float, maul_folds: float) -> float:
    """Win rate of Pike in a game of one round. The second seat can fold only if the first has not.

    Each is first in every other game; both decide at random.
    """
    stays = (1 - pike_folds) * (1 - maul_folds) * show_down()
    pike_first = (1 - pike_folds) * maul_folds + stays
    maul_first = maul_folds + stays
    return (pike_first + maul_first) / 2


@pytest.fixture
def one_round(coin_duel):
    """Pike against Maul with random players: fold, hold and raise are equally likely, and the round decides the game."""
    return experiment(cards_with(goal=1), games=GAMES, line_up=(0, 1))


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("pike:rule.fold", win_rate(0, 1 / 3)),
        ("maul:rule.fold", win_rate(1 / 3, 0)),
        ("rule.fold", win_rate(0, 0)),
        ("pike:rule.raise", win_rate(1 / 2, 1 / 3)),
        ("rule.raise", win_rate(1 / 2, 1 / 2)),
    ],
)
def test_the_worth_is_near_the_exact_one(one_round, name, without):
    table = worth(one_round, bans_of(one_round, [name]), 1).lines
    whose = "Maul" if name.startswith("maul") else "Pike"
    line = table[table["name"] == whose].iloc[0]
    true = win_rate(1 / 3, 1 / 3) - without
    four_errors = line["high"] - line["low"]
    assert line["worth"] == pytest.approx(true if whose == "Pike" else -true, abs=four_errors)
    assert four_errors < enough(8, 30) / 100
    assert line["low"] <= line["worth"] <= line["high"]
    assert line["before"] - line["after"] == pytest.approx(line["worth"])
    assert line["of_games"] > 0
    assert table["p_adjusted"].tolist() == pytest.approx(adjust(table["p"]))  # over all lines


def test_a_forbidden_action_is_not_used_and_games_continue(coin_duel):
    base = experiment(cards_with(), "greedy:1", games=60)
    free, bound = usages(base), usages(experiment(cards_with(), "greedy:1", games=60, forbidden=("pike:rule.fold",)))
    fold = free.things.index("rule.fold")
    assert (free.used[fold] > 0).all()
    assert bound.used[fold, 0] == bound.in_games[fold, 0] == 0
    assert (bound.used[fold, 1:] > 0).all()
    assert bound.users("rule.fold") == [1, 2]


def test_uses_are_counted_over_decisions_with_an_alternative(coin_duel):
    base = experiment(cards_with(), games=20)
    table = usages(base)
    folds, decisions = 0, 0
    for index in range(table.looked_at):
        log = replay(base, index)
        asked = log.moves[log.moves["options"] > 1]
        folds += int((asked["action"] == Action.FOLD).sum())
        decisions += len(asked)
    assert table.used[table.things.index("rule.fold")].sum() == folds
    assert table.decisions.sum() == decisions
    everyone = list(range(3))
    assert table.shares("rule.fold", everyone)[0] == folds / decisions
    assert 0 < table.shares("rule.fold", [0])[1] <= 1


def test_games_without_the_banned_entrant_are_played_once(coin_duel):
    base = experiment(cards_with(), games=90)
    alone, all_ = (worth(base, bans_of(base, [name]), 1) for name in ("needle:rule.fold", "rule.fold"))
    assert all_.played == 2 * base.games
    assert base.games < alone.played < 2 * base.games
    assert alone.lines["name"].tolist() == [base.cards.names[2]]
    assert len(all_.lines) == 3


def test_a_pattern_names_all_things_that_fit(coin_duel):
    base = experiment(cards_with())
    assert bans_of(base, ["rule.*"]) == bans_of(base, ["rule.fold", "rule.raise"])
    assert bans_of(base, ["pike:*.f*"]) == bans_of(base, ["pike:rule.fold"])


def test_every_ability_is_tried_for_each_user_within_the_requested_games(coin_duel):
    base = experiment(cards_with(stake_max=1), "greedy:1", games=9)
    table = everything(base, 900, 1)
    assert sorted(zip(table.lines["thing"], table.lines["entrant"], strict=True)) == [("rule.fold", item) for item in range(3)]
    assert table.unused == ("rule.raise",)  # the stake cannot be raised
    assert table.played <= 900
    assert table.method == "bh"
    ranked = worths(table, ranked=True)
    for sure in (True, False):
        part = ranked[ranked["sure"].astype(bool) == sure]
        assert not ranked["sure"].any() or (np.diff(part["worth"].abs()) <= 0).all()
    drawn = chart_frame(ranked)
    assert set(drawn["panel"]) == set(base.cards.names)
    assert drawn["name"].tolist() == ["Rule: fold"] * 3


def test_things_have_the_names_of_the_card_file():
    arena = of(GAMES_BY_NAME["arena"], 56)
    named = {"hero.valasca.axe_blow": "Axe Blow", "hero.bow_master.arrowed": "Arrowed!", "rule.move": "Rule: move"}
    for thing, words in named.items():
        assert thing_words(arena, thing) == words


def lines_of(worths_, low, high):
    """Lines of one thing for two fighters, with these intervals."""
    change = np.array(worths_)
    frame = pd.DataFrame({"thing": "rule.fold", "label": "Rule: fold", "name": ["Pike", "Maul"], "worth": change})
    frame["forbidden_to"] = ["pike", "maul"]
    return frame.assign(low=low, high=high, before=0.5, after=0.5 - change, sure=(np.array(low) > 0) | (np.array(high) < 0))


def test_what_an_entrant_has_comes_before_what_is_common_to_all():
    lines = pd.DataFrame(
        {
            "thing": ["rule.move", "hero.a.kick", "hero.b.push", "rule.rest"],
            "forbidden_to": ["a", "a", "b", "b"],
            "label": ["Rule: move", "Kick", "Push", "Rule: rest"],
            "name": ["A", "A", "B", "B"],
            "before": 0.5,
            "after": [0.0, 0.4, 0.2, 0.45],
            "worth": [0.5, 0.1, 0.3, 0.05],
            "low": [0.4, 0.05, 0.2, -0.1],
            "high": [0.6, 0.15, 0.4, 0.2],
            "sure": [True, True, True, False],
        }
    )
    assert is_own(lines).tolist() == [False, True, True, False]
    assert summary(lines, {}).startswith("\u201cPush\u201d is worth most: without it B wins 20.0")
    assert summary(lines[~is_own(lines)], {}).startswith("\u201cRule: move\u201d is worth most")


def test_the_sentence_says_if_nothing_is_sure_and_how_many_games_would_decide():
    noise = lines_of([0.02, -0.04], [-0.08, -0.12], [0.12, 0.04])
    assert summary(noise, {"games": 6000}) == (
        "Nothing is surely worth anything; \u201cRule: fold\u201d looks worth most to Maul (\u22124.0 points, "
        "\u221212.0 to +4.0); about 6,000 games would decide."
    )
    sure = lines_of([0.02, -0.04], [0.01, -0.12], [0.03, 0.04])
    assert "\u201cRule: fold\u201d is worth most: without it Pike wins" in summary(sure, {})


BOLD = "forbid='rule.bold': Coin duel has no 'rule.bold' that can be forbidden;"
NOBODY = "forbid='nobody:rule.fold': 'nobody' is not one of the fighters; known here: pike, maul, needle"


@pytest.mark.parametrize(
    ("names", "entrant", "message"),
    [
        (["bluff"], None, "forbid='bluff': Coin duel has no 'bluff' that can be forbidden; known here: rule.fold, rule.raise"),
        (["rule.bold"], None, f'{BOLD} did you mean "rule.fold"?'),
        (["nobody:rule.fold"], None, NOBODY),
        (["rule.fold"], "nobody", NOBODY),
        (["rule.fold", "rule.fold"], None, "rule.fold: named twice"),
        (["pike:rule.fold", "rule.fold"], "pike", "rule.fold: named twice"),
        (["rule.b*"], None, "rule.b*: fits nothing that can be forbidden; `fairfight ablate GAME --list` shows all"),
    ],
)
def test_unknown_names_are_refused(coin_duel, lone_climb, names, entrant, message):
    with pytest.raises(ValueError) as refused:
        bans_of(experiment(cards_with()), names, entrant)
    assert str(refused.value) == message
    with pytest.raises(ValueError, match=f"game='lone_climb': nothing can be forbidden in {lone_climb.title}"):
        bans_of(of(lone_climb, 2), ["x"])


def test_too_few_games_for_all_are_refused_with_the_least_number(coin_duel):
    base = experiment(cards_with(), games=9)
    with pytest.raises(ValueError, match="games=20 are too few for 6 trials: at least ") as refused:
        everything(base, 20, 1)
    least = int(re.search(r"at least (\d+)", str(refused.value))[1])
    assert everything(base, least, 1).played <= least
