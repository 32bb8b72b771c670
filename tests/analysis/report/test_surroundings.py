"""Parts of a report around its sections: the headline, the provenance of numbers, the number of games, the facts."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd

from analysis.answer.prose import assumed_note, field_words, source_of, starred, value_words
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report import headline as head
from analysis.report import provenance
from analysis.report.headline import LEVELS, _judged, _tested, headline, strong_study
from sim.engine.cardfiles.validation import Provenance
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from sim.registry import GAMES
from tests.analysis.report.budgets import FEW

TINY = Budget(**FEW, games=90, step_games=30, shared_games=72, variant_games=60, rolls=20, replays=4)


def study(game, **more) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1, **more)


def test_field_paths_become_words():
    document = {
        "rules": {"vp_chest": 1},
        "decks": {"pathing": {"three_fr": 5}},
        "enemy": [{"id": "goblin", "name": "Goblin", "attack": 2, "abilities": [{"effect": "dodge", "faces": [5, 6]}]}],
        "trap": [{"id": "poison_trap", "turns": 2}],
        "spell": [{"name": "Sting", "effects": [{"do": "token_on_hit", "n": 1}]}],
    }
    words = {
        "rules.vp_chest": "Vp chest",
        "decks.pathing.three_fr": "Pathing, three fr",
        "enemy.goblin.attack": "Goblin: attack",
        "trap.poison_trap.turns": "Poison trap: turns",
        "spell.sting.effects[0].n": "Sting: token on hit, n",
    }
    assert {path: field_words(document, path, {}) for path in words} == words
    named = {**document, "shape": [{"id": "three_fr", "exits": ["F", "R"]}]}
    assert field_words(named, "decks.pathing.three_fr", {}) == "Pathing, shape three fr, exits F and R"
    named["decks"]["pathing"]["goblin"] = 2
    assert field_words(named, "decks.pathing.goblin", {}) == "Pathing, Goblin"
    board = {"board": [{"id": "standard", "radius": 4, "starts": [[0, 1], [2, -3]]}]}
    assert field_words(board, "board.standard.starts[1][0]", {}) == "Standard: starts, no. 2, no. 1"
    assert field_words(document, "enemy.goblin.attack", {}, skip=2) == "Attack"
    assert "second" in field_words(document, "enemy.goblin.abilities[0].faces[1]", {"faces": ("first", "second")})
    assert [value_words(value) for value in (True, False, 3, "move_any", ["chest", "debt"], [])] == [
        *("yes", "no", "3", "move any", "chest and debt", "none")
    ]


def test_assumed_numbers_are_marked_among_others():
    frame = pd.DataFrame({"field": ["Move", "Dice"], "source": ["assumed", "rulebook"]})
    assert starred(frame).tolist() == ["Move*", "Dice"]
    assert "*" in assumed_note(frame)
    assert starred(frame[:1]).tolist() == ["Move"]
    assert assumed_note(frame[:1]) == " All these numbers are assumed."
    assert assumed_note(frame[1:]) == ""
    arena = GAMES["arena"].load(None)
    assert {source_of(arena, origin.path) for origin in arena.provenance} == {origin.source for origin in arena.provenance}
    assert source_of(arena, "hero.nobody.move") == ""


def with_sources(*sources: str) -> SimpleNamespace:
    """The parts of a study that the headline reads about its numbers."""
    document = {"rules": {f"number_{index}": index for index in range(len(sources))}}
    numbers = tuple(Provenance(f"rules.number_{index}", index, source) for index, source in enumerate(sources))
    return SimpleNamespace(cards=SimpleNamespace(provenance=numbers, document=document, title="Set"), players="random players")


def test_the_headline_names_few_assumed_numbers_or_counts_many():
    sentences = [
        head._assumed(with_sources(*sources)).text
        for sources in (
            ["rulebook"] * 3,
            ["rulebook", "assumed", "publisher"],
            ["assumed"] * 20 + ["changed"],
            ["rulebook", "changed", "changed"],
            ["assumed"] * 2,
        )
    ]
    assert sentences[0] == "All three numbers of the card set are printed or published."
    assert sentences[1] == "1 of the 3 numbers of the card set is assumed: Number 1."
    assert sentences[2].startswith(
        "20 of the 21 numbers of the card set are assumed: the results are for \u201cSet\u201d with random"
    )
    assert sentences[2].endswith(" 1 differs from what is printed.")
    assert sentences[4].startswith("All two numbers of the card set are assumed: the results are for")
    assert sentences[3] == "None of the 3 numbers of the card set is assumed. 2 differ from what is printed."


def test_the_headline_has_contests_first_and_then_solo_success(lone_climb, monkeypatch):
    monkeypatch.setattr(head, "TRUNCATED_MOST", 1.0)
    monkeypatch.setattr(head, "SENTENCE_GAMES", 1)  # a few of the climbers are rarely chosen
    tiny = study(lone_climb)
    texts = [finding.text for finding in headline(tiny)]
    alone = next(index for index, text in enumerate(texts) if text.startswith("Alone a climber succeeds in "))
    assert all("Turn order" not in text and "Fair means" not in text for text in texts[alone:])
    wins, n = tiny.tally.wins[1].sum(), tiny.tally.games_of[1].sum()
    assert f"{100 * wins / n:.1f}" in texts[alone]
    assert tiny.tally.truncated[1]
    assert "of the games that come to an end (" in texts[alone]
    assert ", most often " in texts[alone]
    assert ", least often " in texts[alone]
    assert not any("every number of seats." in text for text in texts)  # a solo player is neither fair nor unfair


def test_a_report_of_quick_players_says_at_which_levels_its_verdicts_hold(coin_duel):
    game = replace(coin_duel, speed={2: 100})
    budget = replace(TINY, games=4_000, replays=Budget().replays)
    quick = Study(game, game.load(None), PolicySpec.parse("greedy:4"), budget=budget, jobs=1, quick=True)
    findings = headline(quick)
    strong = strong_study(quick)
    assert (str(strong.policy), strong.quick, strong.budget.games) == (game.player, False, 12 * game.speed[2])
    assert findings[1].text.startswith(f"Strong players ({strong.budget.games:,} games) ")
    assert findings[1].command == "fairfight report coin_duel"
    judged = _tested(quick, _judged(quick))
    assert len(judged)
    tests = _judged(strong).set_index(["seats", "name"])["verdict"]
    assert judged.set_index(["seats", "name"])["strong_verdict"].to_dict() == tests.to_dict()
    for finding in findings:
        if " is too " in finding.text:
            name = finding.text.split(" is too ")[0]
            farthest = judged[(judged["name"] == name) & judged["unfair"]].sort_values("distance").iloc[-1]
            assert finding.text.endswith(f"{LEVELS[farthest['holds']]}.")
    assert "Strong players" not in headline(study(coin_duel))[1].text


def test_a_slow_game_plays_fewer_games(coin_duel):
    whole = Budget()
    slow = Budget.of(replace(coin_duel, speed={2: 100}))  # 12 core seconds
    assert slow.games == 1_200
    assert (slow.deck_games, slow.pair_games) == (whole.deck_games * 12 // 100, whole.pair_games * 12 // 100)
    for name in ("step_games", "shared_games", "variant_games"):  # quick players are four times as fast
        assert getattr(slow, name) == getattr(whole, name) * 48 // 100
    assert (slow.rolls, slow.replays) == (whole.rolls, 120)  # one game in ten is replayed
    assert slow.scaled(2).games == 2_400


def test_the_facts_list_the_further_games_of_the_questions(coin_duel):
    assert provenance._further(study(coin_duel)) == []
    asked = replace(coin_duel, questions=(Ask("a", "?", question="shared_parameters"), Ask("b", "?", question="variants")))
    made = study(asked)
    assert provenance._further(made) == [
        f"about 72 for each number that belongs to no fighter, changed by one step (seed {made.fresh_seed}), "
        f"800 for the steps that are named (seed {made.retest_seed})",
        "about 60, or the multiple that the game asks for, for each rule variant",
    ]
    assert len({made.seed, made.seed + 1, made.seed + 2, made.fresh_seed, made.retest_seed}) == 5  # games of other seeds
