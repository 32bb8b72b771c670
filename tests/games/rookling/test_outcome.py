"""Facts that the plain model does not count add up with those that it does."""

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from sim.engine.contract import is_over, write_outcome
from sim.engine.questions import Ask
from sim.games.rookling import GAME
from sim.games.rookling.cards import Kind
from sim.games.rookling.questions import QUESTIONS
from sim.games.rookling.rules.attacks import is_open
from sim.games.rookling.state import FIELD, Cause
from tests.games.rookling.model.bridge import Kernels, two_squads
from tests.games.rookling.model.table import NOBODY, POSITIONS, SEATS, SLOTS, SQUAD
from tests.games.rookling.random_documents import random_game_document

DOCUMENTS, GAMES_EACH = 7, 1
SIDES = ("front", "siege")
FLIPS = {Cause.ATTACK: "flips_by_attack", Cause.SPILL: "flips_by_spill", Cause.POISON: "flips_by_poison"}


class Played:
    """A random game to its end. The counts are by member of the squad, as those of the outcome."""

    def __init__(self, game: Kernels, rng: Random) -> None:
        self.state, self.cards = game.state, game.cards.record[0]
        while not is_over(self.state) and self.state["turn"] < self.cards["turn_cap"]:
            game.apply(rng.choice(game.options()))
        found = np.zeros(1, GAME.outcome)
        write_outcome(self.state, found[0])
        self.outcome = found[0]
        self.members = [np.argsort(self.state["rook"][seat]).tolist() for seat in SEATS]  # roster slots

    def sums(self, *names: str) -> np.ndarray:
        """Fields of the outcome added up, by seat and member."""
        return np.sum([self.outcome[name].astype(int) for name in names], axis=0)

    def of(self, field: str) -> np.ndarray:
        """A field of the state by roster slot or field effect slot, by seat and member."""
        found = self.state[field].astype(int).reshape(len(SEATS), SQUAD)
        return np.stack([found[seat][self.members[seat]] for seat in SEATS])

    def at(self, counts: np.ndarray) -> np.ndarray:
        """Counts by seat and position, by seat and member."""
        found = np.zeros((len(SEATS), SQUAD), int)
        for seat in SEATS:
            for position in POSITIONS:
                found[seat, self.members[seat].index(self.state["at"][seat, position])] = counts[seat][position]
        return found


@cache
def played() -> list[Played]:
    """Random games of random sets."""
    rng, found = Random(11), []
    for _ in range(DOCUMENTS):
        cards = GAME.from_document(random_game_document(rng))
        found += [Played(Kernels(cards, two_squads(rng, cards), rng.getrandbits(30)), rng) for _ in range(GAMES_EACH)]
    return found


def test_damage_declared_is_dealt_blocked_in_excess_or_cancelled():
    """But for what is still unresolved when the third flip ends the game."""
    cut = 0
    for game in played():
        open_now = np.zeros((len(SEATS), SQUAD), int)
        if game.outcome["last_blow"] in (Cause.ATTACK, Cause.SPILL):
            state, attacker = game.state, int(game.state["attacker"])
            for position in POSITIONS:
                open_now[attacker, position] = state["att"][position] * is_open(state["clash"], position)
        cut += open_now.any()
        declared = game.sums(*(f"declared_{side}" for side in SIDES))
        gone = game.sums(*(f"dealt_{side}" for side in SIDES), "lost_block", "lost_excess", "lost_hidden")
        assert (declared == gone + game.at(open_now)).all()
    assert cut > 0


def test_damage_dealt_is_damage_taken_and_lands_somewhere():
    for game in played():
        outcome = game.outcome
        dealt, taken = game.sums("dealt_front", "dealt_siege"), game.sums("taken_attack", "taken_spill")
        assert (dealt.sum(axis=1) == taken.sum(axis=1)[::-1]).all()
        assert (taken.sum(axis=1) == outcome["landed"].sum(axis=1)).all()
        assert (outcome["taken_attack"].sum(axis=1) == outcome["landed"][:, 0]).all()
        assert outcome["damage_in"].sum() == taken.sum()
        assert outcome["spill_in"].sum() == outcome["taken_spill"].sum()
        assert (outcome["spill_in"] <= outcome["damage_in"]).all()


def test_flips_and_ways_back_lead_to_the_end():
    for game in played():
        outcome = game.outcome
        flips = game.sums(*FLIPS.values())
        assert (flips - outcome["healed_back"] == (outcome["end_life"] == 0)).all()
        assert ((outcome["first_flip"] > 0) == (flips > 0)).all()
        assert (outcome["first_flip"] <= outcome["exchanges"]).all()
        for cause, name in FLIPS.items():
            assert (outcome[name][outcome["flip_cause"] == cause] >= 1).all()
        assert ((outcome["flip_cause"] == Cause.NONE) == (flips == 0)).all()
        by_exchange = outcome["exchanges_with"].astype(int)
        assert by_exchange.sum() == outcome["exchanges"]
        counted = int(by_exchange @ np.arange(SQUAD + 1))
        assert counted == flips.sum() or (counted < flips.sum() and by_exchange[SQUAD] > 0)  # three or more
        start = game.cards["life"][game.of("rook")]
        taken = game.sums("taken_attack", "taken_spill", "taken_poison")
        assert (taken >= start - outcome["end_life"]).all()


def test_the_loser_has_nobody_left_and_was_down_to_one_before():
    for game in played():
        winner, outcome = int(game.state["winner"]), game.outcome
        for seat in SEATS:
            assert outcome["end_life"][seat].any() == (winner in (NOBODY, seat))
            early = (outcome["first_flip"][seat] > 0) & (outcome["first_flip"][seat] <= outcome["two_down"][seat])
            assert outcome["two_down"][seat] == 0 or early.sum() >= SQUAD - 1
        if winner != NOBODY:
            assert outcome["two_down"][1 - winner] > 0
            assert outcome[FLIPS[Cause(outcome["last_blow"])]][1 - winner].any()


def test_field_effects_shuffled_in_are_used_or_still_under_way():
    """What is thrown away comes back with the discard pile; what is used goes on to its owner's pile."""
    seen = 0
    for game in played():
        state = game.state
        kinds = FIELD + np.arange(len(SLOTS))
        zones = [kind for seat in SEATS for at in POSITIONS for kind in state["zone"][seat, at][: state["zone_n"][seat, at]]]
        hands = [kind for seat in SEATS for kind in state["hand"][seat][: state["hand_n"][seat]]]
        around = Counter([*zones, *hands, *state["deck"][: state["deck_n"]].tolist()])
        hidden = np.array([around[kind] for kind in kinds]) + state["disc"][kinds]
        used = state["used_by_owner"] + state["used_by_other"]
        assert (state["shuffled"] == used + hidden).all()
        borne = state["fe_tok"].sum(axis=(0, 1)) + (state["fixed"] >= 0)
        copies = np.where(state["effect"] >= 0, game.cards["effect_copies"][state["effect"]], 0)
        assert (state["pile"] + borne + hidden == copies).all()
        assert (state["triggered"] <= used).all()
        for name in ("shuffled", "used_by_owner", "used_by_other", "thrown", "triggered"):
            assert (game.outcome[name] == game.of(name)).all()
        seen += int(used.sum())
    assert seen > 0


def test_lines_are_used_at_most_as_often_as_they_are_met():
    for game in played():
        kinds = game.cards["kind"][game.of("rook")].reshape(len(SEATS), -1)
        met, used = game.outcome["line_met"], game.outcome["line_used"]
        assert (used <= met).all()
        assert (met <= game.outcome["exchanges"]).all()
        assert not met[kinds == Kind.NONE].any()


def test_picks_are_numbered_in_a_draft_only():
    modes = Counter[bool]()
    for game in played():
        picked, drafted = sorted(game.outcome["picked"].reshape(-1).tolist()), bool(game.outcome["drafted_first"].any())
        assert picked == (list(range(1, 7)) if drafted else [0] * 6)
        modes[drafted] += 1
    assert len(modes) == len(SEATS)


@pytest.mark.parametrize("name", ["given", "received", "lost_hidden", "triggered", "healed_back"])
def test_every_count_comes_up(name: str):
    assert any(game.outcome[name].any() for game in played())


def test_every_switch_that_changes_play_is_a_reading_or_a_line_of_going_first():
    switches = {
        *("squad_mode", "opening_row", "draw_mode", "dump", "one_line_per_rookling", "charge_colour", "e1_order"),
        *("siege_chain_blocks", "hold_block", "hit_on_landing", "poison_clear_draw"),
    }
    tried = [getattr(question, "rules", ()) for question in QUESTIONS]  # lines of going first
    tried += [question.arguments.get("values", ()) for question in QUESTIONS if isinstance(question, Ask)]
    named = {text.partition("=")[0].removeprefix("rules.") for texts in tried for text in texts}
    assert switches <= named
