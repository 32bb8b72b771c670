"""Card statistics on a tiny game with exact rates; coverage of pooled and of random decks by simulation."""

import numpy as np
import pandas as pd
import pytest

from analysis.data.players import LONG_ANSWER, strong_player
from analysis.data.study import Study
from analysis.data.usage import GROUPS, ROLES, CardFields, CardPlaces, CardTally, card_question, fields_of
from analysis.decks.cards import deck_cards, jackknife, pooled_cards, turns_played
from analysis.questions.cardstats import PAIRS, Compared, games_in_all, planned, summary
from analysis.variants.variant import replacement_effects, with_effects
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import game_named
from sim.run import collect
from tests.every_game.deck_race import exact
from tests.every_game.play import enough, shortened

RANDOM = (PolicySpec.parse("random"),)
BY_TURN = 2
FIELDS = CardFields.of({role: role for role in ROLES}, BY_TURN)


def tallied(game: Game, games: int, seed: int = 1, fields: CardFields = FIELDS) -> CardTally:
    made = Experiment(game.name, game.load(None), 2, RANDOM, games, seed)
    done = collect(made, jobs=1)
    return CardTally(made, fields).add(done.rows, done.outcomes)


def mean_rate(cards, deck, given):
    """Exact rate in the games whose course meets `given`. A deck meets both others equally often with any course."""
    return np.mean([exact.rate(cards, deck, other, given) for other in range(3) if other != deck])


# ---- by deck ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rates_when_drawn_not_drawn_and_played_are_near_the_exact_ones(deck_race: Game):
    tally, cards = tallied(deck_race, enough(20_000, 3000)), deck_race.load(None)
    for row in deck_cards(tally).itertuples():
        card, deck = deck_race.decks_for(cards).ids[row.card], row.entrant
        drawn = exact.drawn_by(card, BY_TURN)
        right = {
            "drawn": mean_rate(cards, deck, drawn),
            "lack": mean_rate(cards, deck, lambda course, drawn=drawn: not drawn(course)),
            "played": mean_rate(cards, deck, exact.played(card)),
        }
        for word, value in right.items():
            result, n = getattr(row, word), getattr(row, f"n_{word}")
            assert abs(result - value) < 4 * np.sqrt(value * (1 - value) / n)
            assert getattr(row, f"{word}_low") <= result <= getattr(row, f"{word}_high")
        assert row.change == pytest.approx(row.drawn - row.lack)
        share = sum(chance for course, chance in exact.courses(cards, deck).items() if drawn(course))
        assert abs(row.n_drawn / row.n - share) < 4 * np.sqrt(share * (1 - share) / row.n)
        assert row.n_drawn + row.n_lack == row.n


@pytest.mark.slow
def test_the_mean_turn_and_the_turns_are_those_of_the_first_play(deck_race: Game):
    games = enough(20_000, 3000)
    tally, cards = tallied(deck_race, games), deck_race.load(None)
    turns = turns_played(tally)
    for row in deck_cards(tally).itertuples():
        card = deck_race.decks_for(cards).ids[row.card]
        played = {course: chance for course, chance in exact.courses(cards, row.entrant).items() if card in dict(course[2])}
        right = sum(dict(course[2])[card] * chance for course, chance in played.items()) / sum(played.values())
        assert row.turn == pytest.approx(right, abs=0.06 * np.sqrt(3000 / games))
        assert row.turn_low <= row.turn <= row.turn_high
        card_turns = turns[(turns["entrant"] == row.entrant) & (turns["card"] == row.card)]
        assert card_turns["n"].sum() == row.n_played
        for column, mean in (("turn", row.turn), ("estimate", row.played)):
            assert np.average(card_turns[column], weights=card_turns["n"]) == pytest.approx(mean)


@pytest.mark.slow
def test_counts_do_not_depend_on_the_blocks(deck_race: Game):
    made = Experiment(deck_race.name, deck_race.load(None), 2, RANDOM, 90)
    done = collect(made, jobs=1)
    whole = CardTally(made, FIELDS).add(done.rows, done.outcomes)
    for size in (1, 7, 90):
        cut = CardTally(made, FIELDS)
        for first in range(0, 90, size):
            cut.add(done.rows[first : first + size], done.outcomes[first : first + size])
        for table in (deck_cards, pooled_cards, turns_played):
            pd.testing.assert_frame_equal(table(cut), table(whole))
    assert whole.games.sum() == 180


def test_a_card_never_drawn_has_no_rate(deck_race: Game):
    made = Experiment(deck_race.name, deck_race.load(None), 2, RANDOM, 30)
    done = collect(made, jobs=1)
    for role in ROLES:
        done.outcomes[role] = 0
    frame = deck_cards(CardTally(made, FIELDS).add(done.rows, done.outcomes))
    assert frame[["drawn", "played", "change", "low", "p", "turn"]].isna().all(axis=None)
    assert (frame["n_lack"] == frame["n"]).all()
    assert turns_played(CardTally(made, FIELDS)).empty


def test_without_draws_only_plays_are_reported(deck_race: Game):
    tally = tallied(deck_race, 90, fields=CardFields.of({"plays": "plays"}))
    frame = deck_cards(tally)
    assert frame[["drawn", "lack", "change", "turn"]].isna().all(axis=None)
    assert (frame["n_drawn"] == 0).all()
    assert frame["played"].notna().all()
    assert pooled_cards(tally)[["drawn", "change"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda race: CardTally(race, CardFields.of({"drawn": "hands"})), "hands: unknown measures; known are points"),
        (
            lambda race: CardPlaces.of(game_named("arena"), game_named("arena").load(None), race.game.measures[0]),
            "measure 'points' does not count by card",
        ),
        (lambda _: CardFields.of({"drawn": "drawn"}, 3), "by_turn=3: the outcomes do not record when a card was drawn"),
        (lambda _: CardFields.of({"length": "turns"}), "must name one of drawn_turn"),
        (
            lambda _: replacement_effects(Experiment("arena", game_named("arena").load(None), 2, RANDOM, 56), 0),
            "arena: Arena is not played with decks of cards",
        ),
    ],
)
def test_fields_and_games_that_do_not_fit_are_refused(deck_race: Game, made, message):
    with pytest.raises(ValueError, match=message):
        made(Experiment(deck_race.name, deck_race.load(None), 2, RANDOM, 6))


def test_the_fields_are_those_of_the_question(deck_race: Game):
    assert fields_of(card_question(deck_race)) == FIELDS
    assert fields_of(card_question(deck_race), 1).by_turn == 1


# ---- what a card does ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_effects_are_near_the_exact_ones_and_pairs_make_them_precise(deck_race: Game):
    cards = deck_race.load(None)
    base = Experiment(deck_race.name, cards, 2, RANDOM, enough(9_000, 1500))
    for deck in range(3):
        frame, refused = replacement_effects(base, deck)
        assert not refused
        ids = [deck_race.decks_for(cards).ids[card] for card in frame["card"]]
        assert ids == list(cards.document["deck"][deck]["cards"])
        for card, row in zip(ids, frame.itertuples(), strict=True):
            other = exact.replaced(deck_race, cards, deck, card)
            right = mean_rate(cards, deck, lambda _: True) - mean_rate(other, deck, lambda _: True)
            assert abs(row.effect - right) < 2.2 * (row.high - row.low) / 2
            assert row.low <= row.effect <= row.high
            assert row.gain > 1
            assert row.n == base.games * 2 // 3
            assert row.p_holm >= row.p


@pytest.mark.slow
def test_the_correlation_of_a_card_is_not_its_effect(deck_race: Game):
    """Cat equals a plain card, so it has no effect, but a player who draws it early has drawn no card that must wait."""
    tally, cards = tallied(deck_race, 3000), deck_race.load(None)
    base = Experiment(deck_race.name, cards, 2, RANDOM, 600)
    frame = with_effects(deck_cards(tally), [replacement_effects(base, 1)[0]])
    cat = frame[(frame["name"] == "Heavy") & (frame["card_name"] == "Cat")].iloc[0]
    assert cat["effect"] == 0
    assert cat["low"] > 0.1
    assert frame[frame["name"] == "Sharp"]["effect"].isna().all()
    assert with_effects(frame.drop(columns=["effect", "effect_low", "effect_high", "effect_p", "pairs"]), []).shape == frame.shape


# ---- pooled ----------------------------------------------------------------------------------------------------------


def test_pooled_differences_are_those_within_decks(deck_race: Game):
    """Fox is in a strong deck that never draws it early and in a weak one: mixing decks would create a difference."""
    tally = tallied(deck_race, 3000)
    by_deck, pooled = deck_cards(tally), pooled_cards(tally).set_index("card")
    for card, part in by_deck.groupby("card"):
        weight = part["n_drawn"] * part["n_lack"] / part["n"]
        assert pooled.loc[card, "change"] == pytest.approx(np.average(part["change"], weights=weight))
        assert pooled.loc[card, "n"] == part["n"].sum()
        assert pooled.loc[card, "entrants"] == len(part)
        assert pooled.loc[card, "drawn"] == pytest.approx(np.average(part["drawn"], weights=part["n_drawn"]))


@pytest.mark.soak
def test_pooled_intervals_cover_at_their_level(deck_race: Game):
    cards, hits, tries = deck_race.load(None), 0, 0
    decks = deck_race.decks_for(cards)
    right = {}
    for card in range(len(decks.ids)):
        drawn = exact.drawn_by(decks.ids[card], BY_TURN)
        holders = [deck for deck in range(3) if decks.counts[deck, card]]
        share = [sum(chance for course, chance in exact.courses(cards, deck).items() if drawn(course)) for deck in holders]
        gaps = [mean_rate(cards, d, drawn) - mean_rate(cards, d, lambda c, drawn=drawn: not drawn(c)) for d in holders]
        right[card] = np.average(gaps, weights=[item * (1 - item) for item in share])
    for seed in range(enough(shortened(60, 3), 12)):
        frame = pooled_cards(tallied(deck_race, 600, seed=100 + seed))
        tries += len(frame)
        hits += sum(row.low <= right[row.card] <= row.high for row in frame.itertuples())
    assert hits / tries > 0.95 - 4 * np.sqrt(0.05 * 0.95 / tries)


def test_a_deck_that_loses_all_has_wide_intervals_for_its_cards(deck_race: Game):
    """Without a win the observed variance is zero, and yet a few games prove little."""
    made = Experiment(deck_race.name, deck_race.load(None), 2, RANDOM, 90)
    done = collect(made, jobs=1)
    done.rows["share"] = 0
    frame = pooled_cards(CardTally(made, FIELDS).add(done.rows, done.outcomes))
    assert (frame["change"] == 0).all()
    known = frame[frame[["n_drawn", "n_lack"]].min(axis=1) >= 30]
    assert len(known) > 1
    assert (known["low"] < -0.03).all()
    assert (known["high"] > 0.03).all()
    assert (known["drawn_high"] > 0.03).all()


def test_numbers_of_fewer_than_30_games_have_no_interval_in_the_pooled_table(deck_race: Game):
    frame = pooled_cards(tallied(deck_race, 90, seed=1))
    few = frame[["n_drawn", "n_lack"]].min(axis=1) < 30
    assert 0 < few.sum() < len(frame)
    assert frame.loc[few, ["low", "high", "p", "p_holm"]].isna().all(axis=None)
    assert frame.loc[~few, ["low", "high", "p", "p_holm"]].notna().all(axis=None)
    for side in ("drawn", "lack", "played"):
        assert (frame[f"{side}_low"].notna() == (frame[f"n_{side}"] >= 30)).all()


def test_the_jackknife_of_a_mean_is_students_t():
    rng = np.random.default_rng(3)
    values = rng.normal(0.3, 1, (GROUPS, 4))
    result = jackknife(lambda total, n: total / n, (values, np.ones((GROUPS, 4))))
    error = values.std(axis=0, ddof=1) / np.sqrt(GROUPS)
    assert result["estimate"].to_numpy() == pytest.approx(values.mean(axis=0))
    assert ((result["high"] - result["low"]) / 2).to_numpy() == pytest.approx(2.00958 * error, rel=1e-4)
    few = np.where(np.arange(GROUPS)[:, None] < 5, values, 0)
    assert jackknife(lambda total, n: total / n, (few, (few != 0).astype(float)))["low"].isna().all()


def test_by_default_all_games_of_cardstats_fit_the_time_of_an_answer():
    for name in ("riftborn", "runeslingers"):
        game = game_named(name)
        study = Study.of(Experiment(name, game.load(None), 2, (strong_player(game),), 1))
        observed, selection = planned(study, None, None, None)
        assert 0 < selection.pairs <= PAIRS
        assert games_in_all(observed, selection, 1.0) <= study.games_in(LONG_ANSWER, 10**9)


def made_cards(*changes):
    """Cards with these changes and intervals: (name, change, half width), sure if the interval does not contain zero."""
    frame = pd.DataFrame(changes, columns=["card_name", "change", "half"])
    frame = frame.assign(low=frame["change"] - frame["half"], high=frame["change"] + frame["half"])
    return Compared(frame.assign(sure=(frame["low"] > 0) | (frame["high"] < 0)), "over a plain card")


def test_the_sentence_names_cards_that_surely_do_something_or_says_that_none_does(deck_race):
    tally = tallied(deck_race, 4)
    noise = made_cards(("Ant", 0.01, 0.05), ("Bee", -0.03, 0.05))
    assert summary(tally, noise, {"games": 5000}).replace("\u2212", "-") == (
        "Of two cards none surely helps or hurts; Bee -3.0 points (-8.0 to +2.0) over a plain card stands out most; about 5,000 "
        "games would decide."
    )
    sure = made_cards(("Ant", 0.08, 0.05), ("Bee", 0.2, 0.3), ("Cat", -0.1, 0.05))
    assert summary(tally, sure, {}).replace("\u2212", "-") == (
        "Best card: Ant +8.0 points (+3.0 to +13.0) over a plain card; worst card: Cat -10.0 points (-15.0 to -5.0); of three "
        "cards 1 surely helps, 1 hurts."
    )
